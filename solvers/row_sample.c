/* row_sample.c - one random row of each range, and a risk of their own. */
#include "solvers/row_sample.h"

#include "io/dataset_select.h"
#include "io/memory.h"
#include "math/random/random.h"

#include <stdlib.h>

enum { RANDOM_STREAM = 0x67616d }; /* number of the random stream; no class or fold has it */

/* Writes the rows, ascending; returns their number. */
static int64_t draw_rows(const struct scalar_terms *terms, int64_t size, uint64_t seed,
                         int64_t *row) {
    int64_t all = terms->design->rows, count = 0;
    struct random random;
    random_seed(&random, seed, RANDOM_STREAM);
    for (int64_t k = 0; k < size; k++) {
        int64_t from = (int64_t)((__int128)all * k / size);
        int64_t length = (int64_t)((__int128)all * (k + 1) / size) - from;
        int64_t first = (int64_t)random_below(&random, (uint64_t)length);
        for (int64_t step = 0; step < length; step++) {
            int64_t i = from + (first + step) % length;
            if (scalar_weight(terms, i) > 0) {
                row[count++] = i;
                break;
            }
        }
    }
    return count;
}

static int copy_rows(struct row_sample *sample, const struct scalar_terms *terms,
                     const int64_t *row, int64_t count, struct error *e) {
    const struct design *design = terms->design;
    struct dataset all = *design->data;
    all.label = all.weight = NULL; /* the risk has its own */
    sample->target = memory_new(count, sizeof(double), "targets", e);
    sample->weight = memory_new(count, sizeof(double), "weights", e);
    if (sample->target == NULL || sample->weight == NULL ||
        dataset_select(&all, row, count, &sample->data, e) != 0)
        return -1;
    for (int64_t k = 0; k < count; k++) {
        sample->target[k] = scalar_target(terms, row[k]);
        sample->weight[k] = scalar_weight(terms, row[k]);
    }
    const struct scalar_settings settings = {.data = &sample->data,
                                             .target = sample->target,
                                             .weight =
                                                 terms->weight == NULL ? NULL : sample->weight,
                                             .loss = terms->loss,
                                             .parameters = terms->parameters,
                                             .bias = design->bias,
                                             .intercept = design->intercept};
    sample->risk = scalar_risk_new(&settings, e);
    return sample->risk == NULL ? -1 : 0;
}

int row_sample_init(struct row_sample *sample, const struct scalar_terms *terms, int64_t size,
                    uint64_t seed, struct error *e) {
    *sample = (struct row_sample){0};
    int64_t *row = memory_new(size, sizeof *row, "a sample", e);
    int status = -1;
    if (row != NULL)
        status = copy_rows(sample, terms, row, draw_rows(terms, size, seed, row), e);
    free(row);
    return status;
}

void row_sample_free(struct row_sample *sample) {
    if (sample->risk != NULL)
        risk_free(sample->risk);
    dataset_free(&sample->data);
    free(sample->target);
    free(sample->weight);
}
