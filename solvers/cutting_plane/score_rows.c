/* score_rows.c - scores and cuts of single passes, in parallel over blocks of rows or over partitions. */
#include "solvers/cutting_plane/score_rows.h"

#include "io/memory.h"
#include "risk/offset.h"
#include "risk/scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cuts */

/* SUM += the cut of row i at the score v; returns its part of the constant. */
static double add_cut(const struct score_rows *rows, const struct window_rows *at, double *sum,
                      int64_t i, double v) {
    const struct scalar_terms *terms = rows->terms;
    double a, p = scalar_weight(terms, i) / terms->weight_sum;
    double value = terms->loss->value(v, scalar_target(terms, i), &terms->parameters, &a);
    if (p == 0 || (a == 0 && value == 0))
        return 0;
    design_add_product(rows->design, at, sum, p * a, i);
    return p * (value - a * v);
}

static void finish_cut(const struct score_rows *rows, const struct score_cuts *cuts, int part,
                       double *sum, double constant) {
    int64_t n = rows->design->columns;
    design_finish_partial(rows->design, sum);
    memcpy(cuts->slope + part * n, sum, sizeof *sum * (size_t)n);
    cuts->constant[part] = constant;
}

static int64_t partition_start(const struct score_rows *rows, int part) {
    return (int64_t)((__int128)rows->design->rows * part / rows->partitions);
}

static void read_partition(struct score_rows *rows, int part, const double *w, double k) {
    const struct design *design = rows->design;
    int64_t numbers = design->columns + design->width;
    double *sum = rows->sums + 2 * part * numbers, *other = sum + numbers;
    double constant = 0, other_constant = 0;
    struct window_rows at = window_products(design->data, NULL, partition_start(rows, part),
                                            partition_start(rows, part + 1));
    memset(sum, 0, sizeof *sum * (size_t)(2 * numbers));
    while (window_next(&at))
        for (int64_t i = at.from; i < at.to; i++) {
            double v = design_product(design, &at, w, i);
            constant += add_cut(rows, &at, sum, i, rows->u[i] + k * rows->du[i]);
            other_constant += add_cut(rows, &at, other, i, v);
            rows->du[i] = v - rows->u[i];
        }
    finish_cut(rows, &rows->point, part, sum, constant);
    finish_cut(rows, &rows->other, part, other, other_constant);
}

void score_rows_read(struct score_rows *rows, const double *w, double k) {
    design_prepare(rows->design, w);
#pragma omp parallel for schedule(dynamic, 1) if (rows->design->threads)
    for (int part = 0; part < rows->partitions; part++)
        read_partition(rows, part, w, k);
}

static void read_wanted(struct score_rows *rows, int part, const double *w,
                        struct cuts_wanted *wanted) {
    const struct design *design = rows->design;
    int64_t n = design->columns;
    double *sum = rows->sums + 2 * part * n, constant = 0;
    struct window_rows at = window_products(design->data, NULL, partition_start(rows, part),
                                            partition_start(rows, part + 1));
    memset(sum, 0, sizeof *sum * (size_t)n);
    while (window_next(&at))
        for (int64_t i = at.from; i < at.to; i++) {
            double v = design_product(design, &at, w, i);
            constant += add_cut(rows, &at, sum, i, v);
            rows->du[i] = v - rows->u[i];
            for (int k = wanted->start[part]; k < wanted->start[part + 1]; k++)
                wanted->constant[k] += add_cut(rows, &at, wanted->slope + k * n, i,
                                               design_product(design, &at, wanted->w[k], i));
        }
    finish_cut(rows, &rows->other, part, sum, constant);
}

void score_rows_read_wanted(struct score_rows *rows, const double *w, struct cuts_wanted *wanted) {
#pragma omp parallel for schedule(dynamic, 1) if (rows->design->threads)
    for (int part = 0; part < rows->partitions; part++)
        read_wanted(rows, part, w, wanted);
}

void score_rows_refresh(struct score_rows *rows, const double *w) {
    design_scores(rows->design, w, rows->u);
}

/* ---- along the line */

/* The sum of c l'(u + k du) du over a block. */
static double block_slope(const struct score_rows *rows, double k, int block) {
    const struct scalar_terms *terms = rows->terms;
    int64_t end = design_block_start(rows->design, block + 1);
    double sum = 0, a;
    for (int64_t i = design_block_start(rows->design, block); i < end; i++) {
        terms->loss->value(rows->u[i] + k * rows->du[i], scalar_target(terms, i),
                           &terms->parameters, &a);
        sum += scalar_weight(terms, i) * a * rows->du[i];
    }
    return sum;
}

static double slope_at(const struct score_rows *rows, double k) {
    double block_sum[DESIGN_BLOCKS_MOST], sum = 0;
#pragma omp parallel for schedule(dynamic, 1) if (rows->design->threads)
    for (int block = 0; block < rows->design->blocks; block++)
        block_sum[block] = block_slope(rows, k, block);
    for (int block = 0; block < rows->design->blocks; block++)
        sum += block_sum[block];
    return sum / rows->terms->weight_sum;
}

/* The Illinois method in a bracket of the zero of the slope: the slope of an end that stays is halved for the
 * secant. */
double score_rows_search(const struct score_rows *rows, double curvature, double slope,
                         double largest_step) {
    enum { MAX_TRIALS = 40 };
    static const double near_zero = 1e-3, near_end = 1e-9, inset = 0.05;
    double low = 0, low_slope = slope + slope_at(rows, 0), first = low_slope;
    double low_pull = low_slope, high = largest_step, high_slope = NAN, k = fmin(1, largest_step);
    for (int trial = 0; trial < MAX_TRIALS && low_slope < near_zero * first; trial++) {
        double now = slope + curvature * k + slope_at(rows, k);
        if (now <= 0) {
            high_slope *= low > 0 ? 0.5 : 1;
            low = k;
            low_slope = low_pull = now;
        } else {
            low_pull *= isnan(high_slope) ? 1 : 0.5;
            high = k;
            high_slope = now;
        }
        double width = high - low;
        if (width <= near_end * high)
            break;
        double secant = low + width * low_pull / (low_pull - high_slope);
        k = isnan(high_slope) ? fmin(2 * k, largest_step)
            : secant > low + inset * width && secant < high - inset * width ? secant
                                                                            : low + width / 2;
    }
    return low;
}

double score_rows_move(struct score_rows *rows, double k) {
    scores_move(rows->terms, rows->u, k, rows->du);
    return scores_risk(rows->terms, rows->u, NULL, 0, NULL);
}

double score_rows_best_offset(struct score_rows *rows, double *shift) {
    struct offset near_that_of_u = {.terms = rows->terms};
    double low, high, b = offset_search(&near_that_of_u, rows->u, &low, &high);
    *shift = b;
#pragma omp parallel for schedule(static) if (rows->design->threads)
    for (int64_t i = 0; i < rows->design->rows; i++)
        rows->u[i] += b;
    return scores_risk(rows->terms, rows->u, NULL, 0, NULL);
}

/* ---- from one run to the next */

void score_rows_visit(struct score_rows *rows, struct state *state) {
    state_doubles(state, rows->u, rows->design->rows);
    state_doubles(state, rows->du, rows->design->rows);
}

/* ---- begin and end */

static int64_t count_numbers(const struct design *design, int partitions) {
    int64_t n = design->columns;
    return 2 * (design->rows + partitions * (n + 1 + n + design->width));
}

double score_rows_bytes(const struct design *design, int partitions) {
    return (double)count_numbers(design, partitions) * sizeof(double);
}

int score_rows_init(struct score_rows *rows, const struct scalar_terms *terms, int partitions,
                    struct error *e) {
    const struct design *design = terms->design;
    int64_t cuts = partitions * design->columns;
    *rows = (struct score_rows){.terms = terms, .design = design, .partitions = partitions};
    rows->u =
        memory_zeroed(count_numbers(design, partitions), sizeof(double), "scores and cuts", e);
    if (rows->u == NULL)
        return -1;
    rows->du = rows->u + design->rows;
    rows->point.slope = rows->du + design->rows;
    rows->other.slope = rows->point.slope + cuts;
    rows->point.constant = rows->other.slope + cuts;
    rows->other.constant = rows->point.constant + partitions;
    rows->sums = rows->other.constant + partitions;
    return 0;
}

void score_rows_free(struct score_rows *rows) {
    free(rows->u);
    *rows = (struct score_rows){0};
}
