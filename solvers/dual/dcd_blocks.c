/* dcd_blocks.c - accelerated steps over blocks of rows, and points on lines; see dcd_blocks.h. */
#include "solvers/dual/dcd_blocks.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EPOCHS = 5, ROW_ARRAYS = 5, COLUMN_ARRAYS = 6 };

static const double sigma_first = 1;
static const double metric_power = 0.75;
static const double epoch_slope_share =
    1e-3; /* projected slopes at which epochs end, of the targets' size */

static struct communicator *processes(const struct dcd_blocks *b) {
    return b->rows->terms->design->data->communicator;
}

static int64_t count_rows(const struct dcd_blocks *b) {
    return b->rows->terms->design->rows;
}

static int64_t count_columns(const struct dcd_blocks *b) {
    return b->rows->terms->design->columns;
}

/* ---- begin and end */

static double mean_size(const struct dcd_rows *rows) {
    const struct scalar_terms *terms = rows->terms;
    double sum = 0;
    for (int64_t i = 0; i < terms->design->rows; i++)
        sum += scalar_weight(terms, i) * fabs(scalar_target(terms, i));
    return communicator_sum_one(terms->design->data->communicator, sum) / terms->weight_sum;
}

/* The metric of the features, and the rows' lengths in it. One sum of n numbers. */
static void set_metric(struct dcd_blocks *b) {
    const struct design *design = b->rows->terms->design;
    const struct dataset *data = design->data;
    for (int64_t i = 0; i < data->rows; i++)
        for (int64_t k = 0; k < dataset_count(data, i); k++)
            b->metric[dataset_columns(data, i)[k]] = 1;
    if (design->bias >= 0)
        b->metric[data->features] = data->rows > 0;
    communicator_sum(processes(b), b->metric, design->columns);
    for (int64_t j = 0; j < design->columns; j++)
        b->metric[j] = pow(fmax(1, b->metric[j]), metric_power);
    for (int64_t i = 0; i < data->rows; i++) {
        const int32_t *column = dataset_columns(data, i);
        double sum =
            design->bias >= 0 ? b->metric[data->features] * design->bias * design->bias : 0;
        for (int64_t k = 0; k < dataset_count(data, i); k++) {
            double x = dataset_entry(data, dataset_start(data, i) + k);
            sum += b->metric[column[k]] * (x * x);
        }
        b->length[i] = sum;
    }
}

int dcd_blocks_init(struct dcd_blocks *b, struct dcd_rows *rows, const struct run_settings *run,
                    struct error *e) {
    int64_t m = rows->terms->design->rows, n = rows->terms->design->columns;
    *b = (struct dcd_blocks){.rows = rows, .sigma = sigma_first};
    b->beta = memory_zeroed(ROW_ARRAYS * m, sizeof *b->beta, "the dual variables", e);
    b->last = memory_zeroed(COLUMN_ARRAYS * n + DCD_SHARED_MOST, sizeof *b->last, "weights", e);
    if (dcd_shared_init(&b->shared, rows, run, e) != 0 || b->beta == NULL || b->last == NULL)
        return -1;
    b->point = b->beta + m;
    b->at = b->last + n;
    b->local = b->at + n;
    b->begin = b->local + n;
    b->metric = b->begin + n;
    b->change = b->metric + n;
    b->points = (struct dcd_points){.terms = rows->terms,
                                    .lambda = rows->problem->lambda,
                                    .score = b->point + m,
                                    .best = b->point + 2 * m,
                                    .towards = b->point,
                                    .w = b->change};
    b->length = b->points.best + m;
    return 0;
}

void dcd_blocks_free(struct dcd_blocks *b) {
    dcd_shared_free(&b->shared);
    free(b->beta);
    free(b->last);
    *b = (struct dcd_blocks){0};
}

/* ---- an iteration */

void dcd_blocks_restart(struct dcd_blocks *b) {
    b->momentum = 1;
    b->value = -dcd_rows_bound(b->rows) / b->rows->problem->lambda;
}

/* v and w_v; and in `begin` d at beta. beta becomes that of the iteration before. Returns the passes. */
static double extrapolate(struct dcd_blocks *b, double theta) {
    const struct dcd_rows *rows = b->rows;
    int64_t n = count_columns(b);
    memcpy(b->at, rows->w, sizeof *b->at * (size_t)n);
    memset(b->begin, 0, sizeof *b->begin * (size_t)n);
    for (int64_t i = 0; i < count_rows(b); i++) {
        double beta = rows->row[i].beta, step = theta > 0 ? theta * (beta - b->beta[i]) : 0;
        b->beta[i] = beta;
        b->point[i] = -step;
    }
    if (theta > 0) {
        for (int64_t j = 0; j < n; j++)
            b->at[j] += theta * (rows->w[j] - b->last[j]);
        design_combine_own(rows->terms->design, b->point, b->begin);
    }
    for (int64_t j = 0; j < n; j++)
        b->local[j] = b->at[j] + b->sigma * b->metric[j] * b->begin[j];
    memcpy(b->last, rows->w, sizeof *b->last * (size_t)n);
    return theta > 0;
}

/* The epochs of this process; returns the passes over its rows. */
static double descend(struct dcd_blocks *b) {
    struct dcd_rows *rows = b->rows;
    double *w = rows->w;
    rows->w = b->local;
    rows->sigma = b->sigma;
    rows->metric = b->metric;
    rows->length = b->length;
    double passes = dcd_rows_descend(rows, MAX_EPOCHS, epoch_slope_share * b->size);
    rows->metric = NULL;
    rows->w = w;
    return passes;
}

/* Sums over the rows of all processes. */
struct sums {
    double linear;   /* what F has of beta beside ||w||^2/2, with the other sign */
    double squares;  /* of the d of the processes, in the metric */
    double backward; /* how far the step goes against the extrapolation: above 0 it does */
    double passes;
};

static struct sums sum_step(struct dcd_blocks *b, double passes) {
    const struct dataset *data = b->rows->terms->design->data;
    int64_t n = count_columns(b);
    double share = (double)data->nonzeros / fmax(1, (double)dataset_whole_nonzeros(data));
    double sums[] = {dcd_rows_linear(b->rows), 0, 0, share * passes};
    for (int64_t j = 0; j < n; j++) {
        double d = (b->local[j] - b->at[j]) / (b->sigma * b->metric[j]);
        sums[1] += b->metric[j] * d * d;
        sums[2] -= b->metric[j] * d * (d - b->begin[j]);
        b->change[j] = d;
    }
    dcd_shared_put(&b->shared, b->change + n);
    communicator_sum(processes(b), b->change, n + b->shared.data.rows);
    communicator_sum_few(processes(b), sums, 4);
    return (struct sums){sums[0], sums[1], sums[2], sums[3]};
}

static void adapt_sigma(struct dcd_blocks *b, const struct sums *sums) {
    double square = vector_dot(b->change, b->change, count_columns(b));
    double rho = sums->squares > 0 ? square / sums->squares : 1;
    b->sigma = rho > b->sigma ? 1.1 * rho : fmax(1.05 * rho, 0.93 * b->sigma);
}

/* F has risen: moves to the best point on the line between the old and the new beta. The tube's part of F is treated
 * as linear. */
static void search_back(struct dcd_blocks *b) {
    struct dcd_rows *rows = b->rows;
    int64_t n = count_columns(b);
    double sums[] = {0, 0}, slope = 0, curvature = 0;
    for (int64_t i = 0; i < count_rows(b); i++) {
        const struct dcd_row *row = &rows->row[i];
        double step = row->beta - b->beta[i];
        sums[0] += step * (row->ridge * b->beta[i] - row->target) +
                   rows->tube * (fabs(row->beta) - fabs(b->beta[i]));
        sums[1] += row->ridge * step * step;
    }
    communicator_sum_few(processes(b), sums, 2);
    for (int64_t j = 0; j < n; j++) {
        double step = rows->w[j] - b->last[j];
        slope += b->last[j] * step;
        curvature += step * step;
    }
    double share = -(slope + sums[0]) / (curvature + sums[1]);
    share = isfinite(share) ? clip(share, 0, 1) : 0;
    for (int64_t i = 0; i < count_rows(b); i++)
        rows->row[i].beta = b->beta[i] + share * (rows->row[i].beta - b->beta[i]);
    for (int64_t j = 0; j < n; j++)
        rows->w[j] = b->last[j] + share * (rows->w[j] - b->last[j]);
    dcd_blocks_restart(b);
}

double dcd_blocks_step(struct dcd_blocks *b) {
    struct dcd_rows *rows = b->rows;
    const struct dataset *data = rows->terms->design->data;
    int64_t n = count_columns(b);
    double next = (1 + sqrt(1 + 4 * b->momentum * b->momentum)) / 2;
    double passes = extrapolate(b, (b->momentum - 1) / next);
    struct sums sums = sum_step(b, passes + descend(b));
    for (int64_t j = 0; j < n; j++)
        rows->w[j] = b->at[j] + b->change[j];
    adapt_sigma(b, &sums);
    double read = dcd_shared_descend(&b->shared, rows->w, b->change + n,
                                     epoch_slope_share * b->size, &sums.linear);
    double value = vector_dot(rows->w, rows->w, n) / 2 - sums.linear;
    if (value > b->value) {
        search_back(b);
    } else {
        b->value = value;
        b->momentum = sums.backward > 0 ? 1 : next;
    }
    return sums.passes + processes(b)->size * read / fmax(1, (double)dataset_whole_nonzeros(data));
}

void dcd_blocks_share(struct dcd_blocks *b) {
    dcd_shared_add(&b->shared, b->points.score, b->change);
}

/* ---- points */

void dcd_blocks_begin(struct dcd_blocks *b, const struct batch *batch) {
    design_scores(b->rows->terms->design, batch->best, b->points.best);
    b->size = mean_size(b->rows);
    set_metric(b);
    dcd_blocks_restart(b);
}

void dcd_blocks_offer(struct dcd_blocks *b, struct batch *batch, const double *w) {
    design_scores(b->rows->terms->design, w, b->points.score);
    dcd_points_offer(&b->points, batch, w);
}
