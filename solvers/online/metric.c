/* metric.c - a norm learned from the features, and a point that sparse steps in this norm move. */
#include "solvers/online/metric.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNKS = 16 }; /* of the columns, for sums by threads */

/* Of multipliers.h; with more features than examples, of classes, where lambda is nearly curvature enough, and of
 * numbers. */
static const double outer_share = 0.1, wide_share = 3e-5, wide_share_of_numbers = 0.03;
static const double mean_score_factor =
    10; /* of METRIC_OFFSET: the curvature of the mean score, with examples of length 1 */
static const double least_variance = 1e-6; /* of a feature, over its mean square */

/* ---- steps */

/* v_j += c D_j^-1 x_j over the features of row i. */
static void add_features(const struct metric *metric, double c, int64_t i, const double *value) {
    const struct dataset *data = metric->design->data;
    const double *inverse = metric->inverse;
    const int32_t *column = dataset_columns(data, i);
    int64_t count = dataset_count(data, i);
    double *v = metric->v;
    if (value == NULL)
        for (int64_t k = 0; k < count; k++)
            v[column[k]] += c * inverse[column[k]];
    else if (data->dense)
        for (int64_t j = 0; j < count; j++)
            v[j] += c * inverse[j] * value[j];
    else
        for (int64_t k = 0; k < count; k++)
            v[column[k]] += c * inverse[column[k]] * value[k];
}

double metric_sparse_score(const struct metric *metric, int64_t i, const double *value) {
    const struct design *design = metric->design;
    const int32_t *column = dataset_columns(design->data, i);
    const double *v = metric->v, *inverse = metric->inverse, threshold = metric->threshold;
    int64_t count = dataset_count(design->data, i);
    double score = 0;
    for (int64_t k = 0; k < count; k++)
        score +=
            soft(v[column[k]], threshold * inverse[column[k]]) * (value == NULL ? 1 : value[k]);
    if (design->bias >= 0)
        score += design->bias * metric_weight(metric, design->data->features);
    return design->intercept ? score + v[design->regularized] : score;
}

void metric_subtract(struct metric *metric, double c, int64_t i, const double *value) {
    const struct design *design = metric->design;
    add_features(metric, -c, i, value);
    if (design->bias >= 0)
        metric->v[design->data->features] -=
            c * metric->inverse[design->data->features] * design->bias;
    if (design->intercept)
        metric->v[design->regularized] -= c * metric->inverse[design->regularized];
    metric->gamma += c * metric->row[i].mean_score * metric->outer;
}

/* z_j += change; returns by how much D_j^-1 z_j^2 grew. */
static double add_entry(const struct metric *metric, double *z, int64_t j, double change) {
    double growth = change * (2 * z[j] + change) * metric->inverse[j];
    z[j] += change;
    return growth;
}

double metric_add(const struct metric *metric, double *z, double c, int64_t i,
                  const double *value) {
    const struct design *design = metric->design;
    const int32_t *column = dataset_columns(design->data, i);
    double growth = 0;
    for (int64_t k = 0; k < dataset_count(design->data, i); k++)
        growth += add_entry(metric, z, column[k], value == NULL ? c : c * value[k]);
    if (design->bias >= 0)
        growth += add_entry(metric, z, design->data->features, c * design->bias);
    if (design->intercept)
        growth += add_entry(metric, z, design->regularized, c);
    return growth;
}

void metric_measure(const struct metric *metric, const double *g, double *mean_score,
                    double *square) {
    double product[CHUNKS] = {0}, sum[CHUNKS] = {0};
    int64_t n = metric->design->columns;
#pragma omp parallel for schedule(static)
    for (int c = 0; c < CHUNKS; c++)
        for (int64_t j = n * c / CHUNKS; j < n * (c + 1) / CHUNKS; j++) {
            product[c] += metric->p[j] * g[j];
            sum[c] += metric->inverse[j] * g[j] * g[j];
        }
    *mean_score = *square = 0;
    for (int c = 0; c < CHUNKS; c++) {
        *mean_score += product[c];
        *square += sum[c];
    }
    *square = fmax(*square - *mean_score * *mean_score * metric->outer, 0);
}

void metric_subtract_all(struct metric *metric, double c, double mean_score, double *g) {
    double *v = metric->v;
    const double *inverse = metric->inverse;
#pragma omp parallel for schedule(static)
    for (int64_t j = 0; j < metric->design->columns; j++) {
        v[j] -= c * inverse[j] * g[j];
        g[j] = 0;
    }
    metric->gamma += c * mean_score * metric->outer;
}

void metric_solve(const struct metric *metric, double *x) {
    double projection = 0;
    for (int64_t j = 0; j < metric->design->columns; j++) {
        x[j] *= metric->inverse[j];
        projection += metric->mean[j] * x[j];
    }
    projection *= metric->outer;
    for (int64_t j = 0; j < metric->design->columns; j++)
        x[j] -= projection * metric->p[j];
}

void metric_multiply(const struct metric *metric, double *x) {
    double projection = vector_dot(metric->mean, x, metric->design->columns);
    for (int64_t j = 0; j < metric->design->columns; j++)
        x[j] = metric->diagonal[j] * x[j] + projection * metric->mean[j];
}

/* ---- folds */

/* (D_j + s)^-1 */
static double shrunken_inverse(const struct metric *metric, int64_t j, double s) {
    return metric->inverse[j] > 0 ? 1 / (metric->diagonal[j] + s) : 0;
}

/* w <- (M + s J)^-1 M w = w - s (M + s J)^-1 J w, with w in v and J = 1 for the regularized columns, 0 for the
 * offset. */
static void shrink(struct metric *metric, double s) {
    int64_t regularized = metric->design->regularized;
    const double *mean = metric->mean;
    double projection = 0, outer = 1, *v = metric->v;
    for (int64_t j = 0; j < regularized; j++) {
        double scaled = mean[j] * shrunken_inverse(metric, j, s);
        projection += scaled * v[j];
        outer += scaled * mean[j];
    }
    for (int64_t j = regularized; j < metric->design->columns; j++)
        outer += mean[j] * mean[j] * metric->inverse[j];
    double c = projection / outer;
    for (int64_t j = 0; j < regularized; j++)
        v[j] -= s * (v[j] - c * mean[j]) * shrunken_inverse(metric, j, s);
    for (int64_t j = regularized; j < metric->design->columns; j++)
        v[j] += s * c * mean[j] * metric->inverse[j];
}

/* The squares of w = v. */
static void measure(struct metric *metric) {
    int64_t n = metric->design->columns;
    double square = 0, projection = 0;
    for (int64_t j = 0; j < n; j++) {
        square += metric->diagonal[j] * metric->v[j] * metric->v[j];
        projection += metric->mean[j] * metric->v[j];
    }
    metric->square = square + projection * projection;
    metric->euclidean = vector_dot(metric->v, metric->v, metric->design->regularized);
}

void metric_fold(struct metric *metric, double lambda) {
    for (int64_t j = 0; j < metric->design->columns; j++)
        metric->v[j] += metric->gamma * metric->p[j];
    shrink(metric, lambda * metric->eta_sum);
    metric->gamma = metric->eta_sum = 0;
    measure(metric);
}

void metric_scale(struct metric *metric, double factor) {
    vector_scale(metric->v, factor, metric->design->regularized);
    measure(metric);
}

void metric_copy(const struct metric *metric, double *w) {
    for (int64_t j = 0; j < metric->design->columns; j++)
        w[j] = metric_weight(metric, j) + metric->gamma * metric->p[j];
}

/* ---- the first passes over the data */

/* Adds the weights of the rows in which a feature is not 0 to SHARE, the weighted mean to `mean` and the weighted mean
 * square to `diagonal`. */
static void sum_rows(struct metric *metric, const struct scalar_terms *terms, double *share) {
    const struct design *design = metric->design;
    const struct dataset *data = design->data;
    struct window_rows at = window_rows(data, terms->weight, 0, design->rows);
    while (window_next(&at))
        for (int64_t i = at.from; i < at.to; i++) {
            const int32_t *column = dataset_columns(data, i);
            const double *value = dataset_values(data, i);
            double weight = scalar_weight(terms, i) / terms->weight_sum;
            for (int64_t k = 0; k < dataset_count(data, i); k++) {
                double x = value == NULL ? 1 : value[k];
                share[column[k]] += x != 0 ? weight : 0;
                metric->mean[column[k]] += weight * x;
                metric->diagonal[column[k]] += weight * x * x;
            }
        }
}

/* A feature that is always X. */
static void set_constant(struct metric *metric, int64_t j, double x, double *share) {
    share[j] = x != 0;
    metric->mean[j] = x;
    metric->diagonal[j] = x * x;
}

double metric_target_size(const struct scalar_terms *terms) {
    double sum = 0;
    for (int64_t i = 0; i < terms->design->rows; i++)
        sum += scalar_weight(terms, i) * scalar_target(terms, i) * scalar_target(terms, i);
    return sum > 0 ? sqrt(sum / terms->weight_sum) : 1;
}

double metric_slope_size(const struct scalar_terms *terms) {
    double sum = 0, slope;
    for (int64_t i = 0; i < terms->design->rows; i++) {
        terms->loss->value(0, scalar_target(terms, i), &terms->parameters, &slope);
        sum += scalar_weight(terms, i) * slope * slope;
    }
    return sum > 0 ? sqrt(sum / terms->weight_sum) : metric_target_size(terms);
}

/* D from the mean squares and the SHIFT by lambda; m is 0 where the feature is, and without CENTRED. */
static void set_diagonal(struct metric *metric, bool centred, double shift, const double *share) {
    for (int64_t j = 0; j < metric->design->columns; j++) {
        double square = metric->diagonal[j], mean = centred ? metric->mean[j] : 0;
        double variance = fmax(square - mean * mean, least_variance * square);
        bool used = variance > 0;
        double added = j < metric->design->regularized ? shift : 0;
        metric->diagonal[j] = used ? variance / sqrt(fmin(share[j], 1)) + added : 0;
        metric->mean[j] = used ? mean : 0;
    }
}

/* D and m of METRIC_OFFSET, from the mean squares and the means. */
static void set_offset_metric(struct metric *metric) {
    const struct design *design = metric->design;
    double spread = 0;
    for (int64_t j = 0; j < design->regularized; j++)
        spread += fmax(metric->diagonal[j] - metric->mean[j] * metric->mean[j], 0);
    double scale = spread > 0 ? sqrt(mean_score_factor / spread) : 1;
    for (int64_t j = 0; j < design->columns; j++) {
        bool used = metric->diagonal[j] > 0;
        metric->mean[j] *= scale;
        metric->diagonal[j] = j < design->regularized ? used : least_variance * scale * scale;
    }
}

/* 1/D, p and 1/(1 + <m,p>), which is not a number where the squares overflow. */
static void invert(struct metric *metric) {
    double sum = 1;
    for (int64_t j = 0; j < metric->design->columns; j++) {
        double d = metric->diagonal[j];
        metric->inverse[j] = d > 0 ? 1 / d : 0;
        metric->p[j] = metric->mean[j] * metric->inverse[j];
        sum += metric->mean[j] * metric->p[j];
    }
    metric->outer = 1 / sum;
}

/* kappa of outer steps, for losses with R/s = 1. */
static double outer_kappa(const struct metric *metric, enum metric_use use, enum task task,
                          const double *share) {
    bool wide = use == METRIC_OUTER && metric->design->columns > metric->design->rows;
    double factor = !wide                         ? outer_share
                    : task == TASK_CLASSIFICATION ? wide_share
                                                  : wide_share_of_numbers;
    double sum = 1;
    for (int64_t j = 0; j < metric->design->columns; j++)
        sum += sqrt(fmin(share[j], 1));
    return factor * sum / (double)metric->design->rows;
}

/* <p, x_i> and x_i'M^-1 x_i. */
static struct metric_row row_of(const struct metric *metric, int64_t i, const double *value) {
    const struct design *design = metric->design;
    const int32_t *column = dataset_columns(design->data, i);
    int64_t last = design->data->features;
    double mean_score = design_score_of(design, metric->p, 1, i, value), square = 0;
    for (int64_t k = 0; k < dataset_count(design->data, i); k++)
        square += metric->inverse[column[k]] * (value == NULL ? 1 : value[k] * value[k]);
    if (design->bias >= 0)
        square += metric->inverse[last] * design->bias * design->bias;
    if (design->intercept)
        square += metric->inverse[design->regularized];
    return (struct metric_row){mean_score,
                               fmax(square - mean_score * mean_score * metric->outer, 0)};
}

static void set_rows(struct metric *metric) {
    const struct design *design = metric->design;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        struct window_rows at = design_block_rows(design, block);
        while (window_next(&at))
            for (int64_t i = at.from; i < at.to; i++)
                metric->row[i] = row_of(metric, i, dataset_values(design->data, i));
    }
}

void metric_set_kappa(struct metric *metric, double lambda, double kappa) {
    double change = lambda / kappa - lambda / metric->kappa;
    for (int64_t j = 0; j < metric->design->regularized; j++)
        if (metric->diagonal[j] > 0)
            metric->diagonal[j] += change;
    metric->threshold *= metric->kappa / kappa;
    metric->kappa = kappa;
    invert(metric);
    set_rows(metric);
}

void metric_visit(struct metric *metric, struct state *list) {
    int64_t n = metric->design->columns;
    STATE_REALS(list, &metric->kappa, &metric->threshold, &metric->gamma, &metric->square,
                &metric->euclidean, &metric->eta_sum);
    state_doubles(list, metric->v, n);
    state_doubles(list, metric->diagonal, n);
    if (state_reads(list)) {
        invert(metric);
        set_rows(metric);
    }
}

int metric_init(struct metric *metric, const struct scalar_terms *terms, enum metric_use use,
                double lambda, const double *w, struct error *e) {
    const struct design *design = terms->design;
    int64_t n = design->columns;
    *metric = (struct metric){.design = design};
    metric->diagonal = memory_zeroed(5 * n, sizeof(double), "the metric", e);
    metric->row = memory_new(design->rows, sizeof *metric->row, "the metric's rows", e);
    if (metric->diagonal == NULL || metric->row == NULL)
        return -1;
    metric->inverse = metric->diagonal + n;
    metric->mean = metric->inverse + n;
    metric->p = metric->mean + n;
    metric->v = metric->p + n;
    sum_rows(metric, terms, metric->v);
    if (design->bias >= 0)
        set_constant(metric, design->data->features, design->bias, metric->v);
    if (design->intercept)
        set_constant(metric, design->regularized, 1, metric->v);
    double size = metric_target_size(terms) / metric_slope_size(terms); /* R/s */
    metric->kappa = use == METRIC_OFFSET ? lambda
                    : use == METRIC_STEPS
                        ? 1 / size
                        : outer_kappa(metric, use, terms->loss->task, metric->v) / size;
    if (use == METRIC_OFFSET)
        set_offset_metric(metric);
    else
        set_diagonal(metric, use != METRIC_SPARSE, lambda / metric->kappa, metric->v);
    invert(metric);
    set_rows(metric);
    for (int64_t j = 0; j < n; j++)
        metric->v[j] = metric->inverse[j] > 0 ? w[j] : 0;
    measure(metric);
    return 0;
}

void metric_free(struct metric *metric) {
    free(metric->diagonal);
    free(metric->row);
    *metric = (struct metric){0};
}
