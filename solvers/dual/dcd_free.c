/* dcd_free.c - affine-scaling conjugate gradients on the free dual variables. */
#include "solvers/dual/dcd_free.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a call; of several processes, whose steps cost a sum of n numbers each, always the last. */
enum { STEPS_FIRST = 20, STEPS_LAST = 640, STEPS_SUMMED = 15, VECTORS = 9 };

/* With the free rows, beside the steps. */
enum { OTHER_PRODUCTS = 3 };

static const double at_end = 1e-12; /* of an interval's width: a variable so near is at its end */
/* Of an interval's width: over processes, a variable farther than this from both ends counts as this far. Fewer
 * steps then. */
static const double far_from_end = 0.2;
static const double residual_left = 1e-3; /* of the residual at first: conjugate gradients end */
static const double nearly_all =
    0.9; /* of the tolerance: they end where the free rows leave no more */

/* The distance of the variable from the nearer end of its interval, over the root of its curvature; 0 at an end. */
static double scale_of(const struct dcd_free *free, int64_t k) {
    double below = free->below[k], above = free->above[k];
    double distance = fmin(free->change[k] - below, above - free->change[k]);
    double width = isfinite(above - below) ? above - below : distance;
    if (isinf(distance))
        return free->inverse_root[k];
    if (free->x.image != NULL)
        distance = fmin(distance, width * far_from_end);
    return distance > at_end * width ? distance * free->inverse_root[k] : 0;
}

/* Where the method starts: change is 0. */
static void set_start(struct dcd_free *free) {
    const struct dcd_rows *rows = free->rows;
#pragma omp parallel for schedule(static) if (free_rows_threads(&free->x))
    for (int64_t k = 0; k < free->x.count; k++) {
        const struct dcd_row *row = &rows->row[free->x.index[k]];
        double low, high;
        dcd_row_is_free(rows, row, &low, &high);
        free->below[k] = low - row->beta;
        free->above[k] = high - row->beta;
        free->inverse_root[k] = 1 / sqrt(row->curvature > 0 ? row->curvature : 1);
        double u = design_score(rows->terms->design, rows->w, 1, free->x.index[k]);
        free->residual[k] = -dcd_row_slope(rows, row, u);
        free->change[k] = 0;
        free->scale[k] = scale_of(free, k);
    }
}

/* The direction of steepest descent in the metric, plus `keep` times the last one. */
static void turn(struct dcd_free *free, double keep) {
#pragma omp parallel for schedule(static) if (free_rows_threads(&free->x) &&                       \
                                              free->x.count > DCD_SMALL)
    for (int64_t k = 0; k < free->x.count; k++)
        free->direction[k] =
            free->scale[k] * free->residual[k] + (keep > 0 ? keep * free->direction[k] : 0);
}

/* Notes the residual's square at the present change; the smoothed point follows. */
static void note_residual(struct dcd_free *free) {
    free->squared =
        dcd_smooth_follow(&free->smooth, free->scale, free->change, free->residual, free->x.count,
                          free_rows_threads(&free->x), free_rows_processes(&free->x));
}

/* The longest step along the direction within the intervals. */
static double longest_step(const struct dcd_free *free) {
    double longest = INFINITY;
#pragma omp parallel for schedule(static) if (free_rows_threads(&free->x) &&                       \
                                              free->x.count > DCD_SMALL) reduction(min             \
                                                                                   : longest)
    for (int64_t k = 0; k < free->x.count; k++) {
        double p = free->direction[k];
        if (p == 0)
            continue;
        double end = p > 0 ? free->above[k] : free->below[k];
        double step = (end - free->change[k]) / p;
        if (step < longest)
            longest = step;
    }
    return -communicator_largest_real(free_rows_processes(&free->x), -longest);
}

/* CUT: the step reaches an end, and the distances are taken anew. */
static void take_step(struct dcd_free *free, double step, bool cut) {
#pragma omp parallel for schedule(static) if (free_rows_threads(&free->x) &&                       \
                                              free->x.count > DCD_SMALL)
    for (int64_t k = 0; k < free->x.count; k++) {
        double product = free->x.own[k] * free->direction[k];
        for (int r = 0; r < DCD_RANGES; r++)
            product += free->x.product[r][k];
        free->change[k] += step * free->direction[k];
        free->residual[k] -= step * product;
        if (cut)
            free->scale[k] = scale_of(free, k);
    }
}

/* A step; false if there is none. */
static bool advance(struct dcd_free *free) {
    double curvature = free_rows_multiply(&free->x, free->direction),
           step = free->squared / curvature;
    double longest = longest_step(free), before = free->squared;
    if (!(curvature > 0) || !isfinite(step))
        return false;
    bool cut = step >= longest;
    take_step(free, cut ? longest : step, cut);
    free->cuts += cut;
    note_residual(free);
    turn(free, cut ? 0 : free->squared / before);
    return true;
}

/* An estimate of J at the smoothed point minus the bound, from the free rows and the ends of their intervals. */
static double smooth_gap(const struct dcd_free *free) {
    double sum = 0;
    for (int64_t k = 0; k < free->x.count; k++) {
        const struct dcd_row *row = &free->rows->row[free->x.index[k]];
        double change = free->smooth.change[k], r = free->smooth.residual[k];
        double step =
            r == 0 ? 0 : clip(r / row->ridge, free->below[k] - change, free->above[k] - change);
        sum += step * r - row->ridge * step * step / 2 +
               (change - free->change[k]) * (r + free->residual[k]) / 2;
    }
    return free->rows->problem->lambda * communicator_sum_one(free_rows_processes(&free->x), sum);
}

/* After as many steps as the first call takes, or a multiple of them: whether the smoothed point closes the gap, with
 * some of the tolerance left for the other rows. The few steps of several processes never do. */
static bool is_closed(const struct dcd_free *free, const struct batch *batch) {
    int64_t steps = free->steps;
    return free->x.image == NULL && steps > 0 && steps % STEPS_FIRST == 0 &&
           smooth_gap(free) <= nearly_all * monitor_gap(batch->monitor, batch->bound);
}

/* beta += change, within the box. */
static void move_rows(struct dcd_free *free) {
    for (int64_t k = 0; k < free->x.count; k++) {
        struct dcd_row *row = &free->rows->row[free->x.index[k]];
        double low, high, before = row->beta;
        dcd_row_is_free(free->rows, row, &low, &high);
        row->beta = clip(before + free->change[k], low, high);
        free->change[k] = row->beta - before;
    }
}

/* More steps next time where none was cut, fewer where many were. */
static void choose_steps(struct dcd_free *free) {
    int64_t steps = free->steps;
    if (free->x.image != NULL) /* steps are what costs time */
        return;
    if (free->cuts == 0 && steps == free->steps_most)
        free->steps_most *= 2;
    else if (4 * free->cuts > steps)
        free->steps_most /= 2;
    free->steps_most = free->steps_most < STEPS_FIRST  ? STEPS_FIRST
                       : free->steps_most > STEPS_LAST ? STEPS_LAST
                                                       : free->steps_most;
}

double dcd_free_collect(struct dcd_free *free) {
    free_rows_collect(&free->x);
    return (OTHER_PRODUCTS + (double)free->steps_most) * (double)free->x.count /
           (double)free->rows->count;
}

void dcd_free_improve(struct dcd_free *free, struct batch *batch) {
    free->gap = INFINITY;
    free->steps = free->cuts = 0;
    double pass = free_rows_part_of_pass(&free->x);
    if (communicator_largest(free_rows_processes(&free->x), free->x.count) == 0 ||
        batch->passes + (OTHER_PRODUCTS + 1) * pass > batch->monitor->settings.passes)
        return;
    free_rows_prepare(&free->x);
    set_start(free);
    batch->passes += OTHER_PRODUCTS * pass; /* with the move of the weights */
    dcd_smooth_begin(&free->smooth, free->residual, free->x.count);
    note_residual(free);
    turn(free, 0);
    double tolerance = residual_left * residual_left * free->squared;
    while (free->steps < free->steps_most && free->squared > tolerance && !is_closed(free, batch) &&
           batch->passes + pass <= batch->monitor->settings.passes &&
           monitor_poll(batch->monitor) == VERDICT_GO_ON && advance(free)) {
        batch->passes += pass;
        free->steps++;
    }
    free->gap = smooth_gap(free);
    move_rows(free);
    free_rows_move(&free->x, free->change, free->rows->w);
    choose_steps(free);
}

double dcd_free_smooth(struct dcd_free *free, double *w) {
    memcpy(w, free->rows->w, sizeof *w * (size_t)free->rows->terms->design->columns);
    for (int64_t k = 0; k < free->x.count; k++)
        free->change[k] = free->smooth.change[k] - free->change[k];
    free_rows_move(&free->x, free->change, w);
    return free_rows_part_of_pass(&free->x);
}

/* ---- begin and end */

static void lay_out(struct dcd_free *f, int64_t m) {
    double **const vector[VECTORS] = {&f->below,     &f->above,         &f->inverse_root,
                                      &f->change,    &f->scale,         &f->residual,
                                      &f->direction, &f->smooth.change, &f->smooth.residual};
    for (int v = 0; v < VECTORS; v++)
        *vector[v] = f->array + v * m;
}

int dcd_free_init(struct dcd_free *f, struct dcd_rows *rows, struct error *e) {
    const struct design *design = rows->terms->design;
    *f = (struct dcd_free){.rows = rows,
                           .steps_most =
                               design->data->communicator != NULL ? STEPS_SUMMED : STEPS_FIRST};
    f->array = memory_new(VECTORS * design->rows, sizeof *f->array, "the free rows", e);
    if (f->array == NULL || free_rows_init(&f->x, rows, e) != 0)
        return -1;
    lay_out(f, design->rows);
    return 0;
}

void dcd_free_free(struct dcd_free *f) {
    free_rows_free(&f->x);
    free(f->array);
}
