/* predictor.c - scores of blocks of rows; see predictor.h.
 *
 * With several vectors the weights are kept feature by feature, so that a row's entry meets all of
 * its weights side by side. */
#include "risk/predictor.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Waking the other threads pays from so many multiplications on: about a millisecond. */
enum { PARALLEL_WORK = 1 << 20 };

struct predictor {
    const struct model *model;
    double *turned; /* dimension x vectors; NULL for one vector */
};

struct predictor *predictor_new(const struct model *model, struct error *e) {
    struct predictor *predictor = memory_zeroed(1, sizeof *predictor, "a predictor", e);
    if (predictor == NULL)
        return NULL;
    predictor->model = model;
    if (model->vectors == 1)
        return predictor;
    int64_t dimension = model->dimension, vectors = model->vectors;
    predictor->turned = memory_zeroed(dimension * vectors, sizeof(double), "weights", e);
    if (predictor->turned == NULL) {
        predictor_free(predictor);
        return NULL;
    }
    for (int64_t k = 0; k < vectors; k++)
        for (int64_t i = 0; i < dimension; i++)
            if (model->w[k * dimension + i] != 0) /* keeps untouched pages untouched */
                predictor->turned[i * vectors + k] = model->w[k * dimension + i];
    return predictor;
}

void predictor_free(struct predictor *predictor) {
    if (predictor == NULL)
        return;
    free(predictor->turned);
    free(predictor);
}

/* Entries from `start` to the result are of features that the model knows. */
static int64_t known_end(const struct dataset *block, int64_t row, int64_t features) {
    int64_t end = block->start[row + 1];
    while (end > block->start[row] && block->column[end - 1] >= features)
        end--;
    return end;
}

static double score_one(const struct model *model, const struct dataset *block, int64_t from,
                        int64_t to) {
    const double *w = model->w;
    double score = 0;
    if (block->value == NULL)
        for (int64_t j = from; j < to; j++)
            score += w[block->column[j]];
    else
        for (int64_t j = from; j < to; j++)
            score += w[block->column[j]] * block->value[j];
    int64_t constant = model->features;
    if (model->bias >= 0)
        score += w[constant++] * model->bias;
    if (model->intercept)
        score += w[constant];
    return score;
}

static void add_scaled(double *restrict scores, const double *restrict w, double x, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        scores[k] += w[k] * x;
}

static void score_many(const struct predictor *predictor, const struct dataset *block, int64_t from,
                       int64_t to, double *scores) {
    const struct model *model = predictor->model;
    int64_t vectors = model->vectors, constant = model->features;
    memset(scores, 0, (size_t)vectors * sizeof *scores);
    for (int64_t j = from; j < to; j++)
        add_scaled(scores, predictor->turned + block->column[j] * vectors,
                   block->value == NULL ? 1 : block->value[j], vectors);
    if (model->bias >= 0)
        add_scaled(scores, predictor->turned + constant++ * vectors, model->bias, vectors);
    if (model->intercept)
        add_scaled(scores, predictor->turned + constant * vectors, 1, vectors);
}

int predictor_scores(const struct predictor *predictor, const struct dataset *block, int64_t first,
                     int64_t count, double *scores, struct strangers *strangers, struct error *e) {
    const struct model *model = predictor->model;
    int64_t work = (block->start[first + count] - block->start[first]) * model->vectors;
    int64_t rows = 0, entries = 0, bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : rows, entries, bad) if (work >= PARALLEL_WORK)
    for (int64_t i = 0; i < count; i++) {
        int64_t from = block->start[first + i];
        int64_t to = known_end(block, first + i, model->features);
        double *score = scores + i * model->vectors;
        if (model->vectors == 1)
            score[0] = score_one(model, block, from, to);
        else
            score_many(predictor, block, from, to, score);
        for (int64_t k = 0; k < model->vectors; k++)
            bad += !isfinite(score[k]);
        int64_t unknown = block->start[first + i + 1] - to;
        rows += unknown > 0;
        entries += unknown;
    }
    strangers->rows += rows;
    strangers->entries += entries;
    return bad == 0 ? 0 : error_set(e, "a score is too large for a double");
}

int64_t predictor_choice(const struct model *model, const double *scores) {
    if (model->vectors == 1 && model->labels == 2)
        return scores[0] > 0 ? 0 : 1;
    int64_t best = 0;
    for (int64_t k = 1; k < model->vectors; k++)
        if (scores[k] > scores[best])
            best = k;
    return best;
}

double predictor_rank(const struct model *model, const double *scores) {
    return model->vectors == 1 ? scores[0] : scores[0] - scores[1];
}

int predictor_measure(const struct model *model, double label, const double *scores,
                      struct measures *measures, struct error *e) {
    double prediction = scores[0], rank = 0;
    if (model->labels > 0)
        prediction = model->label[predictor_choice(model, scores)];
    if (model->labels == 2)
        rank = predictor_rank(model, scores);
    if (model->rest && !isnan(label) && label != model->label[0])
        label = model->label[1];
    return measures_add(measures, label, prediction, rank, e);
}

void predictor_probabilities(const struct model *model, const double *scores, double *probability) {
    for (int64_t k = 0; k < model->vectors; k++)
        probability[k] = 1 / (1 + exp(-scores[k]));
    if (model->vectors == 1 && model->labels == 2) {
        probability[1] = 1. - probability[0];
        return;
    }
    double sum = 0;
    for (int64_t k = 0; k < model->vectors; k++)
        sum += probability[k];
    for (int64_t k = 0; k < model->vectors; k++)
        probability[k] = sum > 0 ? probability[k] / sum : 1 / (double)model->vectors;
}
