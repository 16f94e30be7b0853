/* predictor.c - scores of blocks of rows; see predictor.h.
 *
 * The weights of several vectors are stored feature by feature, so that all weights of an entry of a row are
 * adjacent in memory. */
#include "prediction/predictor.h"

#include "io/memory.h"
#include "io/model/label_pairs.h"
#include "math/matrices/transpose.h"
#include "prediction/coupling.h"
#include "prediction/kernel_scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With fewer multiplications (about a millisecond) one thread is faster than several. */
enum { PARALLEL_WORK = 1 << 20 };

struct predictor {
    const struct model *model;
    double *turned;               /* dimension x vectors; NULL for one vector */
    struct kernel_scores *kernel; /* of a model with a map; NULL: linear */
};

static int turn(struct predictor *predictor, struct error *e) {
    const struct model *model = predictor->model;
    int64_t dimension = model->dimension, vectors = model->vectors;
    predictor->turned = memory_zeroed(dimension * vectors, sizeof(double), "weights", e);
    if (predictor->turned == NULL)
        return -1;
    transpose(model->w, vectors, dimension, predictor->turned);
    return 0;
}

static int prepare(struct predictor *predictor, struct error *e) {
    if (!model_has_map(predictor->model))
        return predictor->model->vectors == 1 ? 0 : turn(predictor, e);
    predictor->kernel = kernel_scores_new(predictor->model, e);
    return predictor->kernel == NULL ? -1 : 0;
}

struct predictor *predictor_new(const struct model *model, struct error *e) {
    struct predictor *predictor = memory_zeroed(1, sizeof *predictor, "a predictor", e);
    if (predictor == NULL)
        return NULL;
    predictor->model = model;
    if (prepare(predictor, e) != 0) {
        predictor_free(predictor);
        return NULL;
    }
    return predictor;
}

void predictor_free(struct predictor *predictor) {
    if (predictor == NULL)
        return;
    free(predictor->turned);
    kernel_scores_free(predictor->kernel);
    free(predictor);
}

/* The number of entries whose features the model knows. */
static int64_t known_count(const struct dataset *block, int64_t row, int64_t features) {
    const int32_t *column = dataset_columns(block, row);
    int64_t count = dataset_count(block, row);
    while (count > 0 && column[count - 1] >= features)
        count--;
    return count;
}

static double score_one(const struct model *model, const struct dataset *block, int64_t row,
                        int64_t count) {
    const double *w = model->w, *value = dataset_values(block, row);
    const int32_t *column = dataset_columns(block, row);
    double score = 0;
    if (value == NULL)
        for (int64_t j = 0; j < count; j++)
            score += w[column[j]];
    else
        for (int64_t j = 0; j < count; j++)
            score += w[column[j]] * value[j];
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

static void score_many(const struct predictor *predictor, const struct dataset *block, int64_t row,
                       int64_t count, double *scores) {
    const struct model *model = predictor->model;
    const int32_t *column = dataset_columns(block, row);
    const double *value = dataset_values(block, row);
    int64_t vectors = model->vectors, constant = model->features;
    memset(scores, 0, (size_t)vectors * sizeof *scores);
    for (int64_t j = 0; j < count; j++)
        add_scaled(scores, predictor->turned + column[j] * vectors, value == NULL ? 1 : value[j],
                   vectors);
    if (model->bias >= 0)
        add_scaled(scores, predictor->turned + constant++ * vectors, model->bias, vectors);
    if (model->intercept)
        add_scaled(scores, predictor->turned + constant * vectors, 1, vectors);
}

static void score_linear(const struct predictor *predictor, const struct dataset *block,
                         int64_t first, int64_t count, double *scores) {
    const struct model *model = predictor->model;
    int64_t work =
        (dataset_start(block, first + count) - dataset_start(block, first)) * model->vectors;
#pragma omp parallel for schedule(static) if (work >= PARALLEL_WORK)
    for (int64_t i = 0; i < count; i++) {
        int64_t known = known_count(block, first + i, model->features);
        if (model->vectors == 1)
            scores[i] = score_one(model, block, first + i, known);
        else
            score_many(predictor, block, first + i, known, scores + i * model->vectors);
    }
}

static void count_unknown(const struct model *model, const struct dataset *block, int64_t first,
                          int64_t count, struct unknown_features *unknown_features) {
    for (int64_t i = first; i < first + count; i++) {
        int64_t unknown = dataset_count(block, i) - known_count(block, i, model->features);
        unknown_features->rows += unknown > 0;
        unknown_features->entries += unknown;
    }
}

static int check_finite(const double *scores, int64_t count, struct error *e) {
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(scores[k]))
            return error_set(e, "a score is too large for a double");
    return 0;
}

int predictor_parts(const struct predictor *predictor, const struct dataset *block, int64_t first,
                    int64_t count, double *kernel, double *parametric,
                    struct unknown_features *unknown_features, struct error *e) {
    const struct model *model = predictor->model;
    int64_t numbers = count * model->vectors;
    count_unknown(model, block, first, count, unknown_features);
    if (kernel_scores_rows(predictor->kernel, block, first, count, kernel, parametric, e) != 0 ||
        check_finite(kernel, numbers, e) != 0)
        return -1;
    return check_finite(parametric, numbers, e);
}

/* The scores of a kernel model: sums of their two parts. */
static int score_kernel(const struct predictor *predictor, const struct dataset *block,
                        int64_t first, int64_t count, double *scores,
                        struct unknown_features *unknown_features, struct error *e) {
    int64_t numbers = count * predictor->model->vectors;
    double *rest = memory_new(numbers, sizeof *rest, "scores", e);
    int status = -1;
    if (rest != NULL)
        status = predictor_parts(predictor, block, first, count, scores, rest, unknown_features, e);
    for (int64_t k = 0; k < numbers && status == 0; k++)
        scores[k] += rest[k];
    free(rest);
    return status;
}

int predictor_scores(const struct predictor *predictor, const struct dataset *block, int64_t first,
                     int64_t count, double *scores, struct unknown_features *unknown_features,
                     struct error *e) {
    const struct model *model = predictor->model;
    if (predictor->kernel == NULL) {
        count_unknown(model, block, first, count, unknown_features);
        score_linear(predictor, block, first, count, scores);
    } else if (score_kernel(predictor, block, first, count, scores, unknown_features, e) != 0) {
        return -1;
    }
    return check_finite(scores, count * model->vectors, e);
}

static bool is_untrained(const struct model *model, int64_t k) {
    return model->untrained != NULL && model->untrained[k];
}

/* The votes for label I of the pairs whose labels were trained. */
static int64_t count_votes(const struct model *model, const double *scores, int64_t i) {
    int64_t votes = 0;
    for (int64_t j = 0; j < model->labels; j++)
        if (j != i && !is_untrained(model, j))
            votes += j < i ? !(scores[label_pairs_index(model->labels, j, i)] > 0)
                           : scores[label_pairs_index(model->labels, i, j)] > 0;
    return votes;
}

/* The label with most votes. One that was not trained has none. */
static int64_t elect(const struct model *model, const double *scores) {
    int64_t best = 0, largest = -1;
    for (int64_t i = 0; i < model->labels; i++) {
        int64_t votes = is_untrained(model, i) ? -1 : count_votes(model, scores, i);
        if (votes > largest) {
            largest = votes;
            best = i;
        }
    }
    return best;
}

/* The first of equal ones. */
static int64_t find_largest(const double *number, int64_t count) {
    int64_t best = 0;
    for (int64_t k = 1; k < count; k++)
        if (number[k] > number[best])
            best = k;
    return best;
}

int64_t predictor_choice(const struct model *model, const double *scores) {
    if (model->pairs)
        return elect(model, scores);
    if (model->vectors == 1 && model->labels == 2)
        return scores[0] > 0 ? 0 : 1;
    return find_largest(scores, model->vectors);
}

bool predictor_chooses_likeliest(const struct model *model) {
    return model->pairs || model_is_calibrated(model);
}

/* The argument of the logistic function that gives the probability of vector V. */
static double calibrated(const struct model *model, int64_t v, double score) {
    return model->sigmoid == NULL ? score
                                  : -(model->sigmoid[2 * v] * score + model->sigmoid[2 * v + 1]);
}

/* Whether each score has a sigmoid of its own, whose probabilities are divided by their sum. */
static bool has_sigmoids_against_rest(const struct model *model) {
    return model->sigmoid != NULL && model->vectors > 1 && !model->pairs;
}

int64_t predictor_likeliest(const struct model *model, const double *scores,
                            const double *probability) {
    int64_t best = 0;
    if (!has_sigmoids_against_rest(model))
        return find_largest(probability, model->labels);
    for (int64_t k = 1; k < model->labels; k++)
        if (calibrated(model, k, scores[k]) > calibrated(model, best, scores[best]))
            best = k;
    return best;
}

double predictor_rank(const struct model *model, const double *scores, bool likeliest) {
    if (model->vectors != 1)
        return scores[0] - scores[1];
    return likeliest ? calibrated(model, 0, scores[0]) : scores[0];
}

int predictor_measure(const struct model *model, double label, const double *scores, int64_t choice,
                      double rank, struct measures *measures, struct error *e) {
    double prediction = model->labels > 0 ? model->label[choice] : scores[0];
    if (model->against_rest && !isnan(label) && label != model->label[0])
        label = model->label[1];
    return measures_add(measures, label, prediction, rank, e);
}

int64_t predictor_probabilities_work(const struct model *model) {
    return model->pairs ? model->vectors + coupling_work(model->labels) : 0;
}

/* exp(score) / sum: the probabilities of classes that were trained jointly. PROBABILITY may be SCORES. */
static void find_softmax(const struct model *model, const double *scores, double *probability) {
    double top = scores[0], sum = 0;
    for (int64_t k = 1; k < model->vectors; k++)
        top = fmax(top, scores[k]);
    for (int64_t k = 0; k < model->vectors; k++)
        sum += probability[k] = exp(scores[k] - top);
    for (int64_t k = 0; k < model->vectors; k++)
        probability[k] /= sum;
}

static double probability_of(const struct model *model, int64_t v, double score) {
    return model->isotonic != NULL ? isotonic_value(&model->isotonic[v], score)
                                   : 1 / (1 + exp(-calibrated(model, v, score)));
}

static void couple(const struct model *model, const double *scores, double *work,
                   double *probability) {
    for (int64_t v = 0; v < model->vectors; v++)
        work[v] = probability_of(model, v, scores[v]);
    coupling_solve(work, model->labels, work + model->vectors, probability);
}

/* The same where all are below the smallest number: 1 / (1 + exp(-a)) is exp(a) there. */
static void normalize_tiny(const struct model *model, const double *scores, double *probability) {
    for (int64_t k = 0; k < model->vectors; k++)
        probability[k] = model->isotonic != NULL ? 0 : calibrated(model, k, scores[k]);
    find_softmax(model, probability, probability);
}

/* The probability of each label against the rest, over their sum. */
static void normalize(const struct model *model, const double *scores, double *probability) {
    double sum = 0;
    for (int64_t k = 0; k < model->vectors; k++)
        sum += probability[k] = probability_of(model, k, scores[k]);
    if (!(sum > 0)) {
        normalize_tiny(model, scores, probability);
        return;
    }
    for (int64_t k = 0; k < model->vectors; k++)
        probability[k] /= sum;
}

void predictor_probabilities(const struct model *model, bool joint, const double *scores,
                             double *work, double *probability) {
    if (joint && !model_is_calibrated(model)) {
        find_softmax(model, scores, probability);
    } else if (model->pairs) {
        couple(model, scores, work, probability);
    } else if (model->vectors == 1 && model->labels == 2) {
        probability[0] = probability_of(model, 0, scores[0]);
        probability[1] = 1. - probability[0];
    } else {
        normalize(model, scores, probability);
    }
}
