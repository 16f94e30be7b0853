/* cutting_rows.c - slacks and cuts, in parallel over blocks of rows or over partitions. */
#include "solvers/cutting_plane/cutting_rows.h"

#include "io/memory.h"
#include "math/rounding.h"
#include "solvers/cutting_plane/hinge_offset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_CHANGED_FACTOR = 16 }; /* few rows have changed when they are less than 1/16 of all */

/* ---- sums by block */

static struct communicator *processes(const struct cutting_rows *rows) {
    return rows->design->data->communicator;
}

/* The mean over the rows of all processes, times the loss's slope. */
static double mean_of_values(const struct cutting_rows *rows) {
    double sum = 0;
    for (int block = 0; block < rows->design->blocks; block++)
        sum += rows->block_value[block];
    return communicator_sum_one(processes(rows), sum) / rows->mass;
}

/* The sum of p_i max(0, slack_i). */
static double mean_hinge(struct cutting_rows *rows, const double *slack) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        double sum = 0;
        for (int64_t i = design_block_start(design, block); i < end; i++)
            sum += slack[i] > 0 ? scalar_weight(rows->scalar, i) * slack[i] : 0;
        rows->block_value[block] = sum;
    }
    return mean_of_values(rows);
}

/* ---- slacks */

/* slack_i = 1 - y_i (<w,x_i> + b) */
static void compute_slacks(const struct cutting_rows *rows, const double *w, double *slack) {
    const struct design *design = rows->design;
    design_prepare(design, w);
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        struct window_rows at = design_block_products(design, block);
        while (window_next(&at))
            for (int64_t i = at.from; i < at.to; i++)
                slack[i] = 1 - scalar_target(rows->scalar, i) * design_product(design, &at, w, i);
    }
}

static double optimize_offset(struct cutting_rows *rows, double *slack) {
    return hinge_offset_move(&rows->search, rows->scalar, slack);
}

void cutting_rows_refresh(struct cutting_rows *rows, const double *w) {
    compute_slacks(rows, w, rows->slack);
    memset(rows->side, -1, (size_t)rows->design->rows);
    memset(rows->own, 0, sizeof *rows->own * (size_t)(rows->partitions * rows->design->columns));
}

void cutting_rows_set_direction(struct cutting_rows *rows, double *w) {
    const struct design *design = rows->design;
    compute_slacks(rows, w, rows->step);
    if (cutting_rows_offset(rows))
        w[design->regularized] += optimize_offset(rows, rows->step);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        rows->step[i] -= rows->slack[i];
}

double cutting_rows_search(struct cutting_rows *rows, double curvature, double slope) {
    double mass = rows->mass;
    struct hinge_line line = {.slack = rows->slack,
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
            double v = rows->slack[i] + k * rows->step[i];
            rows->slack[i] = v;
            sum += v > 0 ? scalar_weight(rows->scalar, i) * v : 0;
        }
        rows->block_value[block] = sum;
    }
    return mean_of_values(rows);
}

double cutting_rows_best_offset(struct cutting_rows *rows, double *shift) {
    *shift = cutting_rows_offset(rows) ? optimize_offset(rows, rows->slack) : 0;
    return mean_hinge(rows, rows->slack);
}

double cutting_rows_evaluate_ahead(struct cutting_rows *rows, double k, double *shift) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        rows->ahead_slack[i] = rows->slack[i] + (k == 0 ? 0 : k * rows->step[i]);
    *shift = optimize_offset(rows, rows->ahead_slack);
    return mean_hinge(rows, rows->ahead_slack);
}

void cutting_rows_accept_ahead(struct cutting_rows *rows) {
    memcpy(rows->slack, rows->ahead_slack, sizeof *rows->slack * (size_t)rows->design->rows);
}

/* ---- cuts */

/* u of row i. */
static double fraction_of(const struct cutting_rows *rows, const struct hinge_fractions *fractions,
                          int64_t i, int side) {
    bool positive = scalar_target(rows->scalar, i) > 0;
    return side > 0 ? fractions->active[positive] : side == 0 ? fractions->tied[positive] : 0;
}

/* For the rows of a block: sets u at slack + k step (with an offset: at ahead_slack) and the coefficients of
 * the changes, and counts the changed rows. Returns the block's sum of c_i u_i. */
static double choose_active(struct cutting_rows *rows, int block, double k,
                            const struct hinge_fractions *fractions) {
    double mass = rows->mass, sum = 0;
    int64_t end = design_block_start(rows->design, block + 1);
    rows->changed_count[block] = 0;
    for (int64_t i = design_block_start(rows->design, block); i < end; i++) {
        double v =
            rows->ahead_slack != NULL ? rows->ahead_slack[i] : rows->slack[i] + k * rows->step[i];
        double p = scalar_weight(rows->scalar, i);
        double before = fraction_of(rows, &rows->fractions, i, rows->side[i]);
        rows->side[i] = (signed char)((v > 0) - !(v >= 0));
        double u = fraction_of(rows, fractions, i, rows->side[i]);
        rows->change[i] = -p * scalar_target(rows->scalar, i) * (u - before) / mass;
        rows->changed_count[block] += u != before;
        sum += p * u;
    }
    return sum;
}

/* The first row of partition k among those of this process; the partitions are of all processes' rows. */
static int64_t partition_start(const struct cutting_rows *rows, int k) {
    const struct dataset *data = rows->design->data;
    int64_t start = (int64_t)((__int128)dataset_whole_rows(data) * k / rows->partitions) -
                    dataset_row_of_file(data, 0);
    return start < 0 ? 0 : start > data->rows ? data->rows : start;
}

static bool few_changed(const struct cutting_rows *rows) {
    int64_t changed = 0;
    for (int block = 0; block < rows->design->blocks; block++)
        changed += rows->changed_count[block];
    return changed * FEW_CHANGED_FACTOR < rows->design->rows;
}

/* Adds the changes of rows from <= i < end, row by row. */
static void add_rows(const struct cutting_rows *rows, double *cut, int64_t from, int64_t end) {
    struct window_rows at = window_rows(rows->design->data, rows->change, from, end);
    while (window_next(&at))
        for (int64_t i = at.from; i < at.to; i++)
            if (rows->change[i] != 0)
                design_add(rows->design, cut, rows->change[i], i);
}

/* Updates the cut of a single partition by the changes of u: row by row when they are few and in memory, otherwise in
 * parallel over blocks of rows, which costs some passes over the columns for the blocks' sums. */
static void update_single_cut(struct cutting_rows *rows) {
    const struct design *design = rows->design;
    rows->constant[0] = mean_of_values(rows);
    if (design->width == 0 && few_changed(rows)) {
        add_rows(rows, rows->own, 0, design->rows);
        return;
    }
    design_combine_own(design, rows->change, rows->slope_work);
    for (int64_t j = 0; j < design->columns; j++)
        rows->own[j] += rows->slope_work[j];
}

/* Sets a cut's slope o in the offset to 0 when it is only rounding. The slope is 0 for cuts whose classes
 * balance. If rounding made all slopes positive, or all negative, the constraint sum alpha_j o_j = 0 would
 * force all weights to 0. */
static void clear_rounded_offset(struct cutting_rows *rows, int k) {
    double *slope = rows->cut + k * rows->design->columns + rows->design->regularized;
    if (cutting_rows_offset(rows) && fabs(*slope) <= rounding_of_results * rows->constant[k])
        *slope = 0;
}

/* Adds the changes of rows from <= i < end to this process's part of the cut of partition k. */
static void add_changes(struct cutting_rows *rows, int k, int64_t from, int64_t end) {
    const struct design *design = rows->design;
    double *cut = rows->own + k * design->columns;
    if (design->width == 0) {
        add_rows(rows, cut, from, end);
        return;
    }
    double *sum = rows->partition_sum + k * (design->columns + design->width);
    design_combine_rows(design, from, end, rows->change, sum);
    design_finish_partial(design, sum);
    vector_add_wide(cut, 1, sum, design->columns);
}

/* Updates the cuts of several partitions by the changes of u, in parallel over partitions. */
static void update_cuts(struct cutting_rows *rows) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int k = 0; k < rows->partitions; k++) {
        int64_t from = partition_start(rows, k), end = partition_start(rows, k + 1);
        double sum = 0;
        add_changes(rows, k, from, end);
        for (int64_t i = from; i < end; i++)
            sum += scalar_weight(rows->scalar, i) *
                   fraction_of(rows, &rows->fractions, i, rows->side[i]);
        rows->constant[k] = sum / rows->mass;
    }
    communicator_sum(processes(rows), rows->constant, rows->partitions);
}

/* The cuts of all processes from the parts. */
static void sum_cuts(struct cutting_rows *rows) {
    int64_t numbers = rows->partitions * rows->design->columns;
    if (rows->cut != rows->own)
        memcpy(rows->cut, rows->own, sizeof *rows->cut * (size_t)numbers);
    communicator_sum(processes(rows), rows->cut, numbers);
}

void cutting_rows_cut(struct cutting_rows *rows, double k) {
    const struct design *design = rows->design;
    struct hinge_fractions fractions = {.active = {1, 1}};
    if (cutting_rows_offset(rows))
        fractions =
            hinge_offset_balance(rows->scalar, rows->ahead_slack, design->rows, processes(rows));
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        rows->block_value[block] = choose_active(rows, block, k, &fractions);
    rows->fractions = fractions;
    if (rows->partitions == 1)
        update_single_cut(rows);
    else
        update_cuts(rows);
    sum_cuts(rows);
    for (int p = 0; p < rows->partitions && rows->partitions > 1; p++)
        clear_rounded_offset(rows, p);
}

/* ---- from one run to the next */

void cutting_rows_visit(struct cutting_rows *rows, struct state *state) {
    int64_t m = rows->design->rows;
    state_doubles(state, rows->slack, m);
    state_doubles(state, rows->step, m);
    state_bytes(state, rows->side, m);
    state_doubles(state, rows->fractions.active, 2);
    state_doubles(state, rows->fractions.tied, 2);
    state_doubles(state, rows->cut, rows->partitions * rows->design->columns);
    state_doubles(state, rows->constant, rows->partitions);
}

/* ---- begin and end */

static double *new_numbers(int64_t count, struct error *e) {
    return memory_zeroed(count, sizeof(double), "margins and cuts", e);
}

int cutting_rows_init(struct cutting_rows *rows, const struct scalar_terms *scalar, int partitions,
                      struct error *e) {
    const struct design *design = scalar->design;
    bool offset = design->intercept;
    double slope = loss_box(scalar->loss, &scalar->parameters, -1).high;
    *rows = (struct cutting_rows){.scalar = scalar,
                                  .design = design,
                                  .partitions = partitions,
                                  .mass = scalar->weight_sum / slope};
    if (hinge_search_init(&rows->search, design, e) != 0)
        return -1;
    rows->slack = new_numbers(design->rows, e);
    rows->step = new_numbers(design->rows, e);
    rows->ahead_slack = offset ? new_numbers(design->rows, e) : NULL;
    rows->side = memory_new(design->rows, 1, "margins and cuts", e);
    rows->change = rows->step;
    rows->cut = new_numbers(partitions * design->columns, e);
    rows->own = processes(rows) == NULL ? rows->cut : new_numbers(partitions * design->columns, e);
    rows->constant = new_numbers(partitions, e);
    rows->slope_work = new_numbers(design->columns, e);
    if (design->width > 0 && partitions > 1) {
        rows->partition_sum = new_numbers(partitions * (design->columns + design->width), e);
        if (rows->partition_sum == NULL)
            return -1;
    }
    return rows->slack != NULL && rows->step != NULL && (rows->ahead_slack != NULL || !offset) &&
                   rows->side != NULL && rows->cut != NULL && rows->own != NULL &&
                   rows->constant != NULL && rows->slope_work != NULL
               ? 0
               : -1;
}

void cutting_rows_free(struct cutting_rows *rows) {
    if (rows->own != rows->cut)
        free(rows->own);
    double *const arrays[] = {rows->slack,    rows->step,       rows->ahead_slack,  rows->cut,
                              rows->constant, rows->slope_work, rows->partition_sum};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(rows->side);
    hinge_search_free(&rows->search);
    *rows = (struct cutting_rows){0};
}
