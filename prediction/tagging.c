/* tagging.c - predicts sequences of labels; see tagging.h. A block of sequences is predicted in parallel,
 * then measured one after another. */
#include "prediction/tagging.h"

#include "io/memory.h"
#include "prediction/chunks.h"
#include "risk/sequences/chain.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct tagging {
    int64_t labels;
    double *label;           /* the model's */
    bool rest;               /* the second label means all others */
    struct chunk_tags *tags; /* NULL: no chunks */
    int64_t sequences, sequences_right, rows_right;
    struct measured_rows rows;
    struct chunk_counts chunks;
};

/* A block of sequences, and what is predicted. */
struct block {
    const struct model *model;
    const struct dataset *data;
    int64_t from, to, rows, longest;
    const double *scores; /* rows x labels */
    struct chain chain;
    int32_t *best;    /* rows */
    int32_t *truth;   /* rows; -1: a label that the model does not have */
    double *marginal; /* rows x labels; NULL: not wanted */
    char *work;       /* threads x work_bytes */
    size_t work_bytes;
};

static void tagging_free(void *state) {
    struct tagging *tagging = state;
    if (tagging == NULL)
        return;
    chunk_tags_free(tagging->tags);
    free(tagging->label);
    free(tagging);
}

static int take_names(struct tagging *tagging, const char *const *names, struct error *e) {
    if (names == NULL)
        return 0;
    tagging->tags = chunk_tags_new(names, tagging->labels, e);
    if (tagging->tags == NULL)
        return -1;
    if (!chunk_tags_any(tagging->tags)) {
        chunk_tags_free(tagging->tags);
        tagging->tags = NULL;
    }
    return 0;
}

static void *tagging_open(const struct decoder_settings *settings, struct error *e) {
    int64_t labels = settings->model->labels;
    struct tagging *tagging = memory_zeroed(1, sizeof *tagging, "predictions", e);
    if (tagging == NULL)
        return NULL;
    tagging->labels = labels;
    tagging->rest = settings->model->against_rest;
    tagging->label = memory_new(labels, sizeof *tagging->label, "labels", e);
    if (tagging->label == NULL || take_names(tagging, settings->names, e) != 0) {
        tagging_free(tagging);
        return NULL;
    }
    memcpy(tagging->label, settings->model->label, sizeof *tagging->label * (size_t)labels);
    return tagging;
}

/* ---- predictions */

static void block_free(struct block *block) {
    chain_free(&block->chain);
    free(block->truth);
    free(block->work);
}

static int64_t first_row(const struct block *block, int64_t g) {
    return block->data->group_start[g] - block->data->group_start[block->from];
}

static int block_init(const struct tagging *tagging, struct block *block, struct error *e) {
    int64_t labels = tagging->labels;
    block->rows = first_row(block, block->to);
    for (int64_t g = block->from; g < block->to; g++) {
        int64_t length = first_row(block, g + 1) - first_row(block, g);
        block->longest = length > block->longest ? length : block->longest;
    }
    block->work_bytes =
        chain_work_bytes(labels, block->longest) + sizeof(double) * (size_t)(labels * labels);
    block->truth = memory_new(block->rows, sizeof *block->truth, "predictions", e);
    block->work = memory_new(omp_get_max_threads(), block->work_bytes, "predictions", e);
    if (block->truth == NULL || block->work == NULL || chain_init(&block->chain, labels, e) != 0)
        return -1;
    chain_set(&block->chain, block->model->w + model_weights(block->model) - labels * labels, 1);
    return 0;
}

static void predict_one(struct block *block, int64_t g) {
    int64_t labels = block->chain.labels, from = first_row(block, g);
    int64_t length = first_row(block, g + 1) - from;
    const double *node = block->scores + from * labels;
    double *edge = (double *)(block->work + (size_t)omp_get_thread_num() * block->work_bytes),
           value;
    void *work = edge + labels * labels;
    chain_best(&block->chain, node, length, block->best + from, &value, work);
    if (block->marginal == NULL)
        return;
    memset(edge, 0, sizeof *edge * (size_t)(labels * labels));
    double *marginal = block->marginal + from * labels;
    chain_sum(&block->chain, node, length, marginal, edge, work);
    for (int64_t k = 0; k < length * labels; k++)
        marginal[k] = fmin(marginal[k], 1); /* rounding may exceed it */
}

/* ---- measures */

static int32_t place_of(const struct tagging *tagging, double label) {
    for (int32_t k = 0; k < tagging->labels; k++)
        if (tagging->label[k] == label)
            return k;
    return tagging->rest ? 1 : -1;
}

/* false: a row has no label */
static bool find_truth(const struct tagging *tagging, struct block *block, int64_t g) {
    const double *label = block->data->label + block->data->group_start[block->from];
    for (int64_t r = first_row(block, g); r < first_row(block, g + 1); r++) {
        if (isnan(label[r]))
            return false;
        block->truth[r] = place_of(tagging, label[r]);
    }
    return true;
}

static void measure_one(struct tagging *tagging, struct block *block, int64_t g) {
    int64_t from = first_row(block, g), length = first_row(block, g + 1) - from, right = 0;
    const double *label = block->data->label + block->data->group_start[block->from] + from;
    const int32_t *truth = block->truth + from, *best = block->best + from;
    if (!find_truth(tagging, block, g))
        return;
    for (int64_t t = 0; t < length; t++) {
        right += truth[t] == best[t];
        if (truth[t] < 0 && tagging->rows.unknown++ == 0)
            tagging->rows.first_unknown = label[t];
    }
    tagging->rows.labelled += length;
    tagging->rows_right += right;
    tagging->sequences++;
    tagging->sequences_right += right == length;
    if (tagging->tags != NULL)
        chunk_counts_add(tagging->tags, truth, best, length, &tagging->chunks);
}

static int tagging_groups(void *state, const struct model *model, const struct dataset *data,
                          int64_t from, int64_t to, const double *scores,
                          const struct decoder_arrays *out, struct error *e) {
    struct tagging *tagging = state;
    struct block block = {.model = model,
                          .data = data,
                          .from = from,
                          .to = to,
                          .scores = scores,
                          .best = out->choice,
                          .marginal = out->probability};
    int status = block_init(tagging, &block, e);
    if (status == 0) {
#pragma omp parallel for schedule(dynamic, 8)
        for (int64_t g = from; g < to; g++)
            predict_one(&block, g);
        for (int64_t g = from; g < to; g++)
            measure_one(tagging, &block, g);
    }
    block_free(&block);
    return status;
}

static const char *const measure_names[] = {"chunk F1", "chunk precision",   "chunk recall",
                                            "Accuracy", "sequence accuracy", NULL};

static const char *const *tagging_measures(const void *state) {
    (void)state;
    return measure_names;
}

static int tagging_finish(void *state, struct measure list[MEASURES_MAX],
                          struct measured_rows *rows, struct error *e) {
    const struct tagging *tagging = state;
    const struct chunk_counts *chunks = &tagging->chunks;
    int count = 0;
    (void)e;
    *rows = tagging->rows;
    if (rows->labelled == 0)
        return 0;
    if (tagging->tags != NULL) {
        list[count++] = (struct measure){
            .name = measure_names[0],
            .value = measure_ratio(2 * chunks->right, chunks->there + chunks->found)};
        list[count++] = measure_of_counts(measure_names[1], chunks->right, chunks->found);
        list[count++] = measure_of_counts(measure_names[2], chunks->right, chunks->there);
    }
    list[count++] = measure_of_counts(measure_names[3], tagging->rows_right, rows->labelled);
    list[count++] =
        measure_of_counts(measure_names[4], tagging->sequences_right, tagging->sequences);
    return count;
}

const struct decoder_kind tagging_decoder = {
    .chooses = true,
    .measures = tagging_measures,
    .open = tagging_open,
    .groups = tagging_groups,
    .finish = tagging_finish,
    .free = tagging_free,
};
