/* score_sample.c - a sample of the rows in memory, and the points of its cuts. */
#include "solvers/cutting_plane/score_sample.h"

#include "io/memory.h"
#include "math/random/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows */

/* Of so many consecutive rows one is taken. Half as many nonzeros as there are rows take 6 bytes a row of these. */
static int64_t stride_of(const struct design *design) {
    enum { LEAST_STRIDE = 8, NONZEROS_SHARE = 2 };
    int64_t stride = NONZEROS_SHARE * design->data->nonzeros / (design->rows + 1);
    return stride > LEAST_STRIDE ? stride : LEAST_STRIDE;
}

bool score_sample_pays(const struct scalar_terms *terms) {
    enum { LEAST_ROWS = 2000, ROWS_OF_FEATURE = 50 };
    const struct design *design = terms->design;
    const struct dataset *data = design->data;
    int64_t rows = design->rows / stride_of(design);
    return design->width == 0 && !data->dense && data->floats == NULL &&
           data->communicator == NULL && rows >= LEAST_ROWS &&
           rows >= ROWS_OF_FEATURE * design->columns;
}

double score_sample_bytes(const struct scalar_terms *terms) {
    enum { ROW_NUMBERS = 5 }; /* its start, target and weight, and two scores */
    const struct design *design = terms->design;
    double share = 1 / (double)stride_of(design), entry = sizeof(double) + sizeof(int32_t);
    if (!score_sample_pays(terms))
        return 0;
    return share * (entry * (double)design->data->nonzeros +
                    sizeof(double) * ROW_NUMBERS * (double)design->rows);
}

static int allocate(struct score_sample *sample, const struct scalar_terms *terms, int64_t rows,
                    int64_t nonzeros, struct error *e) {
    struct dataset *data = &sample->data;
    bool values = terms->design->data->value != NULL;
    data->start = memory_zeroed(rows + 1, sizeof *data->start, "a sample", e);
    data->column = memory_new(nonzeros, sizeof *data->column, "a sample", e);
    data->value = values ? memory_new(nonzeros, sizeof *data->value, "a sample", e) : NULL;
    sample->target = memory_new(rows, sizeof *sample->target, "a sample", e);
    sample->weight =
        terms->weight != NULL ? memory_new(rows, sizeof *sample->weight, "a sample", e) : NULL;
    return data->start == NULL || data->column == NULL || sample->target == NULL ||
                   (values && data->value == NULL) ||
                   (terms->weight != NULL && sample->weight == NULL)
               ? -1
               : 0;
}

/* Appends row i of a window, which is held. */
static void copy_row(struct score_sample *sample, const struct scalar_terms *terms, int64_t i) {
    struct dataset *data = &sample->data;
    const struct dataset *all = terms->design->data;
    size_t count = (size_t)dataset_count(all, i);
    memcpy(data->column + data->nonzeros, dataset_columns(all, i), count * sizeof *data->column);
    if (data->value != NULL)
        memcpy(data->value + data->nonzeros, dataset_values(all, i), count * sizeof *data->value);
    sample->target[data->rows] = scalar_target(terms, i);
    if (sample->weight != NULL)
        sample->weight[data->rows] = scalar_weight(terms, i);
    data->nonzeros += (int64_t)count;
    data->start[++data->rows] = data->nonzeros;
}

static void copy_rows(struct score_sample *sample, const struct scalar_terms *terms,
                      const int64_t *row, int64_t count) {
    const struct design *design = terms->design;
    struct window_rows at = window_rows(design->data, NULL, 0, design->rows);
    int64_t k = 0;
    while (window_next(&at))
        for (; k < count && row[k] < at.to; k++)
            copy_row(sample, terms, row[k]);
}

/* The numbers of the sample's rows, and their nonzeros. */
static int64_t choose_rows(const struct design *design, int64_t stride, int64_t *row,
                           int64_t count) {
    struct random random;
    int64_t nonzeros = 0;
    random_seed(&random, 1, 1);
    for (int64_t k = 0; k < count; k++) {
        row[k] = k * stride + (int64_t)random_below(&random, (uint64_t)stride);
        nonzeros += dataset_count(design->data, row[k]);
    }
    return nonzeros;
}

static double sum_of_weights(const struct score_sample *sample) {
    double sum = 0;
    for (int64_t k = 0; k < sample->data.rows; k++)
        sum += sample->weight == NULL ? 1 : sample->weight[k];
    return sum;
}

int score_sample_init(struct score_sample *sample, const struct scalar_terms *terms,
                      struct error *e) {
    const struct design *design = terms->design;
    int64_t stride = stride_of(design), count = design->rows / stride;
    int64_t *row = memory_new(count, sizeof *row, "a sample", e);
    *sample = (struct score_sample){0};
    if (row == NULL)
        return -1;
    int status = allocate(sample, terms, count, choose_rows(design, stride, row, count), e);
    if (status == 0)
        copy_rows(sample, terms, row, count);
    free(row);
    sample->data.features = design->data->features;
    if (status != 0 || !(sum_of_weights(sample) > 0))
        return status;
    const struct scalar_settings settings = {.data = &sample->data,
                                             .target = sample->target,
                                             .weight = sample->weight,
                                             .loss = terms->loss,
                                             .parameters = terms->parameters,
                                             .bias = design->bias,
                                             .intercept = design->intercept};
    sample->risk = scalar_risk_new(&settings, e);
    return sample->risk == NULL ? -1 : 0;
}

void score_sample_free(struct score_sample *sample) {
    if (sample->risk != NULL)
        risk_free(sample->risk);
    dataset_free(&sample->data);
    free(sample->target);
    free(sample->weight);
    *sample = (struct score_sample){0};
}

/* ---- points */

int cut_points_add(struct cut_points *points, const struct planes *planes, int from,
                   const double *w, struct error *e) {
    if (memory_resize((void **)&points->point, (points->count + 1) * points->n, sizeof *w,
                      "points of cuts", e) != 0 ||
        memory_resize((void **)&points->of_slot, planes->slots, sizeof *points->of_slot,
                      "points of cuts", e) != 0)
        return -1;
    memcpy(points->point + points->count * points->n, w, sizeof *w * (size_t)points->n);
    for (int j = from; j < planes->slots; j++)
        points->of_slot[j] = points->count;
    points->slots = planes->slots;
    points->count++;
    return 0;
}

void cut_points_free(struct cut_points *points) {
    free(points->point);
    free(points->of_slot);
    *points = (struct cut_points){0};
}

/* ---- cuts that are wanted */

/* Whether the plane had weight in one of the last three programs. */
static bool is_wanted(const struct planes *planes, int slot) {
    enum { MOST_IDLE = 2 };
    return planes->plane[slot].state == PLANE_WORKING && planes->plane[slot].idle <= MOST_IDLE;
}

int cuts_wanted_init(struct cuts_wanted *wanted, const struct cut_points *points,
                     const struct planes *planes, struct error *e) {
    int count = 0, parts = planes->blocks;
    *wanted = (struct cuts_wanted){0};
    for (int j = 0; j < points->slots; j++)
        count += is_wanted(planes, j);
    wanted->start = memory_zeroed(parts + 1, sizeof *wanted->start, "cuts", e);
    wanted->w = memory_new(count + 1, sizeof *wanted->w, "cuts", e);
    wanted->slope = memory_zeroed(count * points->n + 1, sizeof *wanted->slope, "cuts", e);
    wanted->constant = memory_zeroed(count + 1, sizeof *wanted->constant, "cuts", e);
    if (wanted->start == NULL || wanted->w == NULL || wanted->slope == NULL ||
        wanted->constant == NULL)
        return -1;
    for (int part = 0, k = 0; part < parts; part++) {
        for (int j = 0; j < points->slots; j++)
            if (planes->plane[j].block == part && is_wanted(planes, j))
                wanted->w[k++] = points->point + points->of_slot[j] * points->n;
        wanted->start[part + 1] = k;
    }
    return 0;
}

void cuts_wanted_free(struct cuts_wanted *wanted) {
    free(wanted->start);
    free(wanted->w);
    free(wanted->slope);
    free(wanted->constant);
    *wanted = (struct cuts_wanted){0};
}
