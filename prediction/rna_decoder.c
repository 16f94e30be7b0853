/* rna_decoder.c - the best structures of sequences, and their measures; see rna_decoder.h. */
#include "prediction/rna_decoder.h"

#include "io/memory.h"
#include "risk/rna/rna_data.h"
#include "risk/rna/rna_fold.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* The number of pairs in the data, in the prediction, in both. */
struct hits {
    int64_t known, said, both;
};

struct folding {
    struct interruption interrupted;
    struct hits all;
    double sum; /* of F over sequences with pairs of either kind */
    int64_t rows, sequences;
};

/* The arrays and scratch memory of one call. */
struct folds {
    const struct dataset *data;
    int8_t *bases;
    int32_t *partner; /* from `first_row` on */
    int64_t first_row;
    struct rna_terms terms;
    const struct interruption *interrupted;
    size_t bytes;
    char *work_memory; /* threads x bytes */
};

static void *folding_open(const struct decoder_settings *settings, struct error *e) {
    struct folding *f = memory_zeroed(1, sizeof *f, "the measures", e);
    if (f != NULL)
        f->interrupted = settings->interrupted;
    return f;
}

/* ---- predictions */

_Static_assert((int)MODEL_RNA_WEIGHTS == (int)RNA_WEIGHTS, "a model has every weight of a fold");

/* For the groups from FROM on, whose partners PARTNER is to hold. */
static int folds_open(struct folds *folds, const struct model *model, const struct dataset *data,
                      int64_t from, int32_t *partner, struct error *e) {
    int64_t longest = dataset_largest_group(data);
    int threads = omp_get_max_threads();
    *folds = (struct folds){.data = data,
                            .partner = partner,
                            .first_row = data->group_start[from],
                            .bytes = rna_fold_bytes(longest)};
    if (rna_check_memory(longest, threads, e) != 0)
        return -1;
    rna_terms_of_weights(model->w + model->vectors * model->dimension, &folds->terms);
    folds->bases = rna_bases(data, e);
    folds->work_memory = memory_new(threads, folds->bytes, "structures", e);
    return folds->bases == NULL || folds->work_memory == NULL ? -1 : 0;
}

static void folds_close(struct folds *folds) {
    free(folds->bases);
    free(folds->work_memory);
}

static void predict(struct folds *folds, int64_t g) {
    const struct rna_fold fold = {.sequence = rna_sequence_of(folds->data, folds->bases, g),
                                  .terms = &folds->terms,
                                  .interrupted = folds->interrupted,
                                  .work = folds->work_memory +
                                          (size_t)omp_get_thread_num() * folds->bytes};
    if (!isnan(rna_inside(&fold)))
        rna_outside(&fold, NULL, folds->partner + folds->data->group_start[g] - folds->first_row);
}

/* ---- measures */

static double f_of(const struct hits *hits) {
    return measure_ratio(2 * hits->both, hits->known + hits->said);
}

static void measure(struct folding *f, const double *label, const int32_t *partner,
                    int64_t length) {
    struct hits hits = {0};
    for (int64_t i = 0; i < length; i++)
        if (isnan(label[i]))
            return;
    for (int64_t i = 0; i < length; i++) {
        hits.known += label[i] > (double)i + 1;
        hits.said += partner[i] > i;
        hits.both += partner[i] > i && label[i] == (double)partner[i] + 1;
    }
    f->rows += length;
    f->all.known += hits.known;
    f->all.said += hits.said;
    f->all.both += hits.both;
    if (hits.known + hits.said > 0) {
        f->sum += f_of(&hits);
        f->sequences++;
    }
}

/* ---- the decoder */

static int folding_groups(void *state, const struct model *model, const struct dataset *data,
                          int64_t from, int64_t to, const double *scores,
                          const struct decoder_arrays *out, struct error *e) {
    struct folding *f = state;
    struct folds folds;
    int status = folds_open(&folds, model, data, from, out->choice, e);
    (void)scores; /* the model has no vectors */
    if (status == 0) {
        folds.interrupted = &f->interrupted;
#pragma omp parallel for schedule(dynamic, 1)
        for (int64_t g = from; g < to; g++)
            predict(&folds, g);
        for (int64_t g = from; g < to && !interruption_came(&f->interrupted); g++) {
            int64_t first = data->group_start[g], length = data->group_start[g + 1] - first;
            measure(f, data->label + first, folds.partner + first - folds.first_row, length);
        }
    }
    folds_close(&folds);
    return status;
}

static const char *const measure_names[] = {"F", "Sensitivity", "PPV", "Mean F", NULL};

static const char *const *folding_measures(const void *state) {
    (void)state;
    return measure_names;
}

static int folding_finish(void *state, struct measure list[MEASURES_MAX],
                          struct measured_rows *rows, struct error *e) {
    const struct folding *f = state;
    const struct hits *all = &f->all;
    (void)e;
    *rows = (struct measured_rows){.labelled = f->rows};
    if (f->rows == 0)
        return 0;
    list[0] = (struct measure){.name = measure_names[0], .value = f_of(all)};
    list[1] = measure_of_counts(measure_names[1], all->both, all->known);
    list[2] = measure_of_counts(measure_names[2], all->both, all->said);
    list[3] = (struct measure){.name = measure_names[3], .value = f->sum / (double)f->sequences};
    return 4;
}

const struct decoder_kind rna_decoder = {.chooses = true,
                                         .measures = folding_measures,
                                         .open = folding_open,
                                         .groups = folding_groups,
                                         .finish = folding_finish,
                                         .free = free};
