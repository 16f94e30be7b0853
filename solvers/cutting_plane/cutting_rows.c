/* cutting_rows.c - margins and cuts over the rows, in parallel over blocks of them or partitions. */
#include "solvers/cutting_plane/cutting_rows.h"

#include "io/memory.h"
#include "solvers/cutting_plane/hinge_offset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_SHARE = 16 }; /* fewer than 1/16 of the rows are few */

/* ---- sums by block */

static double sum_of_values(const struct cutting_rows *rows) {
    double sum = 0;
    for (int block = 0; block < rows->design->blocks; block++)
        sum += rows->value[block];
    return sum;
}

/* sum of p_i max(0, margin_i) */
static double mean_hinge(struct cutting_rows *rows, const double *margin) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        double sum = 0;
        for (int64_t i = design_block_start(design, block); i < end; i++)
            sum += margin[i] > 0 ? scalar_weight(rows->scalar, i) * margin[i] : 0;
        rows->value[block] = sum;
    }
    return sum_of_values(rows) / rows->scalar->weight_sum;
}

/* ---- margins */

/* margin_i = 1 - y_i <w,x_i> */
static void take_margins(const struct cutting_rows *rows, const double *w, double *margin) {
    const struct design *design = rows->design;
    const double *y = rows->scalar->target;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        struct window_rows at = design_block_rows(design, block);
        while (window_next(&at))
            for (int64_t i = at.from; i < at.to; i++)
                margin[i] = 1 - y[i] * design_score(design, w, 1, i);
    }
}

static double best_offset(struct cutting_rows *rows, double *margin) {
    return hinge_offset_move(&rows->search, rows->scalar->target, rows->scalar->weight, margin);
}

void cutting_rows_refresh(struct cutting_rows *rows, const double *w) {
    take_margins(rows, w, rows->margin);
    memset(rows->active, 0, sizeof *rows->active * (size_t)rows->design->rows);
    memset(rows->cut, 0, sizeof *rows->cut * (size_t)(rows->partitions * rows->design->columns));
}

void cutting_rows_aim(struct cutting_rows *rows, double *w) {
    const struct design *design = rows->design;
    take_margins(rows, w, rows->step);
    if (cutting_rows_offset(rows))
        w[design->regularized] += best_offset(rows, rows->step);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        rows->step[i] -= rows->margin[i];
}

double cutting_rows_search(struct cutting_rows *rows, double curvature, double slope) {
    double mass = rows->scalar->weight_sum;
    struct hinge_line line = {.margin = rows->margin,
                              .step = rows->step,
                              .weight = rows->scalar->weight,
                              .curvature = curvature * mass,
                              .slope = slope * mass};
    return hinge_search_minimum(&rows->search, &line, 0);
}

double cutting_rows_move(struct cutting_rows *rows, double k) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        double sum = 0;
        for (int64_t i = design_block_start(design, block); i < end; i++) {
            double v = rows->margin[i] + k * rows->step[i];
            rows->margin[i] = v;
            sum += v > 0 ? scalar_weight(rows->scalar, i) * v : 0;
        }
        rows->value[block] = sum;
    }
    return sum_of_values(rows) / rows->scalar->weight_sum;
}

double cutting_rows_settle(struct cutting_rows *rows, double *shift) {
    *shift = cutting_rows_offset(rows) ? best_offset(rows, rows->margin) : 0;
    return mean_hinge(rows, rows->margin);
}

double cutting_rows_look_ahead(struct cutting_rows *rows, double k, double *shift) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        rows->ahead[i] = rows->margin[i] + (k == 0 ? 0 : k * rows->step[i]);
    *shift = best_offset(rows, rows->ahead);
    return mean_hinge(rows, rows->ahead);
}

void cutting_rows_step_ahead(struct cutting_rows *rows) {
    memcpy(rows->margin, rows->ahead, sizeof *rows->margin * (size_t)rows->design->rows);
}

/* ---- cuts */

/* For the rows of a block: u at margin + k step (or at `ahead`), and the coefficients of what
 * changed, which are counted; the block's sum of c_i u_i. */
static double choose_rows(struct cutting_rows *rows, int block, double k,
                          struct hinge_shares shares) {
    const double *y = rows->scalar->target;
    double mass = rows->scalar->weight_sum, sum = 0;
    int64_t end = design_block_start(rows->design, block + 1);
    rows->changed[block] = 0;
    for (int64_t i = design_block_start(rows->design, block); i < end; i++) {
        double v = rows->ahead != NULL ? rows->ahead[i] : rows->margin[i] + k * rows->step[i];
        double p = scalar_weight(rows->scalar, i);
        double u = v > 0 ? shares.active[y[i] > 0] : v == 0 ? shares.tied[y[i] > 0] : 0;
        rows->change[i] = -p * y[i] * (u - rows->active[i]) / mass;
        rows->changed[block] += u != rows->active[i];
        rows->active[i] = u;
        sum += p * u;
    }
    return sum;
}

static int64_t partition_start(const struct cutting_rows *rows, int k) {
    return (int64_t)((__int128)rows->design->rows * k / rows->partitions);
}

static bool few_changed(const struct cutting_rows *rows) {
    int64_t changed = 0;
    for (int block = 0; block < rows->design->blocks; block++)
        changed += rows->changed[block];
    return changed * FEW_SHARE < rows->design->rows;
}

/* The latest cuts' sums follow the changes. One partition: row by row when they are few, otherwise in
 * parallel over blocks of rows, whose sums cost some passes over the columns ... */
static void follow_one(struct cutting_rows *rows) {
    const struct design *design = rows->design;
    rows->constant[0] = sum_of_values(rows) / rows->scalar->weight_sum;
    if (few_changed(rows)) {
        for (int64_t i = 0; i < design->rows; i++)
            if (rows->change[i] != 0)
                design_add_of(design, rows->cut, rows->change[i], i, window_row(design->data, i));
        return;
    }
    design_combine(design, rows->change, rows->sum);
    for (int64_t j = 0; j < design->columns; j++)
        rows->cut[j] += rows->sum[j];
}

/* A cut whose classes balance has no slope in the offset, and not one of rounding: were all of one
 * sign, sum alpha_j o_j = 0 would leave the program no weight. */
static void forget_rounding(struct cutting_rows *rows, int k) {
    static const double rounding = 1e-12;
    double *slope = rows->cut + k * rows->design->columns + rows->design->regularized;
    if (cutting_rows_offset(rows) && fabs(*slope) <= rounding * rows->constant[k])
        *slope = 0;
}

/* ... or in parallel over partitions. */
static void follow_each(struct cutting_rows *rows) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int k = 0; k < rows->partitions; k++) {
        int64_t from = partition_start(rows, k), end = partition_start(rows, k + 1);
        struct window_rows at = window_rows(design->data, rows->change, from, end);
        double sum = 0;
        while (window_next(&at))
            for (int64_t i = at.from; i < at.to; i++)
                if (rows->change[i] != 0)
                    design_add(design, rows->cut + k * design->columns, rows->change[i], i);
        for (int64_t i = from; i < end; i++)
            sum += scalar_weight(rows->scalar, i) * rows->active[i];
        rows->constant[k] = sum / rows->scalar->weight_sum;
        forget_rounding(rows, k);
    }
}

void cutting_rows_cut(struct cutting_rows *rows, double k) {
    const struct design *design = rows->design;
    struct hinge_shares shares = {.active = {1, 1}};
    if (cutting_rows_offset(rows))
        shares = hinge_offset_balance(rows->scalar->target, rows->scalar->weight, rows->ahead,
                                      design->rows);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        rows->value[block] = choose_rows(rows, block, k, shares);
    if (rows->partitions == 1)
        follow_one(rows);
    else
        follow_each(rows);
}

/* ---- begin and end */

static double *new_numbers(int64_t count, struct error *e) {
    return memory_zeroed(count, sizeof(double), "margins and cuts", e);
}

int cutting_rows_init(struct cutting_rows *rows, const struct scalar_parts *scalar, int partitions,
                      struct error *e) {
    const struct design *design = scalar->design;
    bool offset = design->intercept;
    *rows = (struct cutting_rows){.scalar = scalar, .design = design, .partitions = partitions};
    if (hinge_search_init(&rows->search, design, e) != 0)
        return -1;
    rows->margin = new_numbers(design->rows, e);
    rows->step = new_numbers(design->rows, e);
    rows->ahead = offset ? new_numbers(design->rows, e) : NULL;
    rows->active = new_numbers(design->rows, e);
    rows->change = new_numbers(design->rows, e);
    rows->cut = new_numbers(partitions * design->columns, e);
    rows->constant = new_numbers(partitions, e);
    rows->sum = new_numbers(design->columns, e);
    return rows->margin != NULL && rows->step != NULL && (rows->ahead != NULL || !offset) &&
                   rows->active != NULL && rows->change != NULL && rows->cut != NULL &&
                   rows->constant != NULL && rows->sum != NULL
               ? 0
               : -1;
}

void cutting_rows_free(struct cutting_rows *rows) {
    double *const arrays[] = {rows->margin, rows->step, rows->ahead,    rows->active,
                              rows->change, rows->cut,  rows->constant, rows->sum};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    hinge_search_free(&rows->search);
    *rows = (struct cutting_rows){0};
}
