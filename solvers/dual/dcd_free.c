/* dcd_free.c - affine-scaling conjugate gradients on the free dual variables. */
#include "solvers/dual/dcd_free.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a call; of several processes, whose steps cost a sum of n numbers each, always the last. */
enum { STEPS_FIRST = 40, STEPS_LAST = 640, STEPS_SUMMED = 25, VECTORS = 8 + DCD_RANGES };

static const double at_end = 1e-12; /* of an interval's width: a variable so near is at its end */
/* Of the width too: over processes, a variable farther from both ends counts as if it were there. Fewer steps then. */
static const double far_from_end = 0.2;
static const double residual_left = 1e-3; /* of the residual at first: conjugate gradients end */
static const double nearly_all =
    0.9; /* of the tolerance: they end where the free rows leave no more */

/* What a product with the free rows is of a pass. */
static double part_of_pass(const struct dcd_free *free) {
    const struct dataset *data = free->rows->parts->design->data;
    return free->nonzeros / fmax(1, (double)dataset_whole_nonzeros(data));
}

static struct communicator *processes(const struct dcd_free *free) {
    return free->rows->parts->design->data->communicator;
}

/* Range r of COUNT things. */
static int64_t range_start(int64_t count, int r) {
    return (int64_t)((__int128)count * r / DCD_RANGES);
}

/* The first column of range r: with about as many entries as in the others. */
static int64_t column_range(const struct dcd_free *free, int r) {
    int64_t entry = range_start(free->start[free->columns], r), low = 0, high = free->columns;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (free->start[middle] < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool threads(const struct dcd_free *free) {
    return free->rows->parts->design->threads;
}

/* ---- the free rows */

static void collect(struct dcd_free *free) {
    const struct dcd_rows *rows = free->rows;
    const struct dataset *data = rows->parts->design->data;
    free->count = 0;
    free->nonzeros = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        int64_t k = free->count;
        if (!dcd_row_is_free(rows, &rows->row[i], &free->low[k], &free->high[k]))
            continue;
        free->index[free->count++] = i;
        free->nonzeros += (double)dataset_count(data, i);
    }
    free->nonzeros = communicator_sum_one(processes(free), free->nonzeros);
}

/* Counts the entries of each column j of the free rows in start[j + 1]. */
static void count_columns(struct dcd_free *free) {
    const struct design *design = free->rows->parts->design;
    memset(free->start, 0, sizeof *free->start * (size_t)(design->columns + 1));
    for (int64_t k = 0; k < free->count; k++) {
        const int32_t *column = dataset_columns(design->data, free->index[k]);
        int64_t count = dataset_count(design->data, free->index[k]);
        for (int64_t at = 0; at < count; at++)
            free->start[column[at] + 1]++;
    }
    if (design->bias >= 0)
        free->start[design->data->features + 1] = free->count;
}

static void put(struct dcd_free *free, int64_t column, int64_t k, double value) {
    int64_t at = free->start[column]++;
    free->entry[at] = (int32_t)k;
    free->value[at] = value;
}

/* Fills the columns; then start[j] is where column j ends. */
static void fill_columns(struct dcd_free *free) {
    const struct design *design = free->rows->parts->design;
    for (int64_t k = 0; k < free->count; k++) {
        int64_t i = free->index[k], count = dataset_count(design->data, i);
        const int32_t *column = dataset_columns(design->data, i);
        const double *value = dataset_values(design->data, i);
        for (int64_t at = 0; at < count; at++)
            put(free, column[at], k, value == NULL ? 1 : value[at]);
        if (design->bias >= 0)
            put(free, design->data->features, k, design->bias);
    }
}

/* The free rows by column, without the empty columns. */
static void transpose_rows(struct dcd_free *free) {
    int64_t n = free->rows->parts->design->columns, end = 0;
    count_columns(free);
    for (int64_t j = 0; j < n; j++)
        free->start[j + 1] += free->start[j];
    fill_columns(free);
    free->columns = 0;
    for (int64_t j = 0; j < n; j++) {
        int64_t begin = end;
        end = free->start[j];
        if (end == begin)
            continue;
        free->column[free->columns] = (int32_t)j;
        free->start[free->columns++] = begin;
    }
    free->start[free->columns] = end;
}

/* ---- products */

/* <column c, v> */
static double column_dot(const struct dcd_free *free, int64_t c, const double *v) {
    int64_t from = free->start[c];
    return sparse_dot(v, free->entry + from, free->value + from, free->start[c + 1] - from);
}

/* image = X_F' v over the rows of all processes. */
static void sum_image(const struct dcd_free *free, const double *v) {
    int64_t n = free->rows->parts->design->columns;
    memset(free->image, 0, sizeof *free->image * (size_t)n);
#pragma omp parallel for schedule(static) if (threads(free))
    for (int64_t c = 0; c < free->columns; c++)
        free->image[free->column[c]] = column_dot(free, c, v);
    communicator_sum(processes(free), free->image, n);
}

/* The part of X_F X_F' p by range r of columns; returns its part of ||X_F' p||^2. */
static double multiply_range(const struct dcd_free *free, int r) {
    double *product = free->product[r], squares = 0;
    int64_t end = column_range(free, r + 1);
    memset(product, 0, sizeof *product * (size_t)free->count);
    for (int64_t c = column_range(free, r); c < end; c++) {
        double dot = free->image != NULL ? free->image[free->column[c]]
                                         : column_dot(free, c, free->direction);
        int64_t from = free->start[c];
        squares += dot * dot;
        sparse_add(product, dot, free->entry + from, free->value + from, free->start[c + 1] - from);
    }
    return squares;
}

/* The direction's curvature: direction'(X_F X_F' + diag(ridge)) direction; leaves the product's parts. */
static double multiply(const struct dcd_free *free) {
    double squares[DCD_RANGES], sum = 0;
    if (free->image != NULL)
        sum_image(free, free->direction);
#pragma omp parallel for schedule(static, 1) if (threads(free))
    for (int r = 0; r < DCD_RANGES; r++)
        squares[r] = multiply_range(free, r);
    for (int r = 0; r < DCD_RANGES && free->image == NULL; r++)
        sum += squares[r];
    for (int64_t k = 0; k < free->count; k++) {
        double ridge = free->rows->row[free->index[k]].ridge;
        sum += ridge * free->direction[k] * free->direction[k];
    }
    if (free->image == NULL)
        return sum;
    int64_t n = free->rows->parts->design->columns;
    return communicator_sum_one(processes(free), sum) + vector_dot(free->image, free->image, n);
}

/* w += X_F' change, for w of all columns. */
static void move_weights(const struct dcd_free *free, double *w) {
    if (free->image != NULL) {
        sum_image(free, free->change);
        for (int64_t j = 0; j < free->rows->parts->design->columns; j++)
            w[j] += free->image[j];
        return;
    }
#pragma omp parallel for schedule(static, 1) if (threads(free))
    for (int r = 0; r < DCD_RANGES; r++) {
        int64_t end = column_range(free, r + 1);
        for (int64_t c = column_range(free, r); c < end; c++)
            w[free->column[c]] += column_dot(free, c, free->change);
    }
}

/* ---- conjugate gradients */

/* The distance of the variable from the nearer end of its interval, over the root of its curvature; 0 at an end. */
static double scale_of(const struct dcd_free *free, int64_t k) {
    const struct dcd_row *row = &free->rows->row[free->index[k]];
    double beta = row->beta + free->change[k], low = free->low[k], high = free->high[k];
    double width = isfinite(high - low) ? high - low : fabs(beta);
    double distance = fmin(beta - low, high - beta);
    double root = sqrt(row->curvature > 0 ? row->curvature : 1);
    if (isinf(distance))
        return 1 / root;
    if (free->image != NULL)
        distance = fmin(distance, width * far_from_end);
    return distance > at_end * width ? distance / root : 0;
}

static void set_residual(struct dcd_free *free) {
    const struct dcd_rows *rows = free->rows;
#pragma omp parallel for schedule(static) if (threads(free))
    for (int64_t k = 0; k < free->count; k++) {
        const struct dcd_row *row = &rows->row[free->index[k]];
        double u = design_score(rows->parts->design, rows->w, 1, free->index[k]);
        free->residual[k] = -dcd_row_slope(rows, row, u);
        free->change[k] = 0;
        free->scale[k] = scale_of(free, k);
    }
}

/* The direction of steepest descent in the metric, plus `keep` times the last one. */
static void turn(struct dcd_free *free, double keep) {
    for (int64_t k = 0; k < free->count; k++)
        free->direction[k] =
            free->scale[k] * free->residual[k] + (keep > 0 ? keep * free->direction[k] : 0);
}

/* Notes the residual's square at the present change; the smoothed point follows. */
static void note_residual(struct dcd_free *free) {
    free->squared = dcd_smooth_follow(&free->smooth, free->scale, free->change, free->residual,
                                      free->count, processes(free));
}

/* The longest step along the direction within the intervals. */
static double longest_step(const struct dcd_free *free) {
    double longest = INFINITY;
    for (int64_t k = 0; k < free->count; k++) {
        double p = free->direction[k];
        if (p == 0)
            continue;
        double beta = free->rows->row[free->index[k]].beta + free->change[k];
        longest = fmin(longest, ((p > 0 ? free->high[k] : free->low[k]) - beta) / p);
    }
    return -communicator_largest_real(processes(free), -longest);
}

static void take_step(struct dcd_free *free, double step) {
    for (int64_t k = 0; k < free->count; k++) {
        double ridge = free->rows->row[free->index[k]].ridge, product = ridge * free->direction[k];
        for (int r = 0; r < DCD_RANGES; r++)
            product += free->product[r][k];
        free->change[k] += step * free->direction[k];
        free->residual[k] -= step * product;
    }
}

/* A step; false if there is none. */
static bool advance(struct dcd_free *free) {
    double curvature = multiply(free), step = free->squared / curvature;
    double longest = longest_step(free), before = free->squared;
    if (!(curvature > 0) || !isfinite(step))
        return false;
    bool cut = step >= longest;
    take_step(free, cut ? longest : step);
    free->cuts += cut;
    for (int64_t k = 0; cut && k < free->count; k++)
        free->scale[k] = scale_of(free, k);
    note_residual(free);
    turn(free, cut ? 0 : free->squared / before);
    return true;
}

/* How far J at the smoothed point is above the bound at the present change, as far as the free rows and the ends of
 * their intervals say: the gap there, and what F is above that of the change. */
static double smooth_gap(const struct dcd_free *free) {
    double sum = 0;
    for (int64_t k = 0; k < free->count; k++) {
        const struct dcd_row *row = &free->rows->row[free->index[k]];
        double change = free->smooth.change[k], r = free->smooth.residual[k];
        double beta = row->beta + change;
        double step = r == 0 ? 0 : clip(r / row->ridge, free->low[k] - beta, free->high[k] - beta);
        sum += step * r - row->ridge * step * step / 2 +
               (change - free->change[k]) * (r + free->residual[k]) / 2;
    }
    return free->rows->problem->lambda * communicator_sum_one(processes(free), sum);
}

/* After as many steps as the first call takes, or a multiple of them: whether the smoothed point closes the gap, with
 * some of the tolerance left for the other rows. */
static bool is_closed(const struct dcd_free *free, const struct batch *batch, int64_t steps) {
    return steps > 0 && steps % STEPS_FIRST == 0 &&
           smooth_gap(free) <= nearly_all * monitor_gap(batch->monitor, batch->bound);
}

/* beta += change, within the box. */
static void move_rows(struct dcd_free *free) {
    for (int64_t k = 0; k < free->count; k++) {
        struct dcd_row *row = &free->rows->row[free->index[k]];
        double beta = clip(row->beta + free->change[k], free->low[k], free->high[k]);
        free->change[k] = beta - row->beta;
        row->beta = beta;
    }
}

/* More steps next time where none was cut, fewer where many were. */
static void choose_steps(struct dcd_free *free, int64_t steps) {
    if (free->image != NULL) /* steps are what costs time */
        return;
    if (free->cuts == 0 && steps == free->steps_most)
        free->steps_most *= 2;
    else if (4 * free->cuts > steps)
        free->steps_most /= 2;
    free->steps_most = free->steps_most < STEPS_FIRST  ? STEPS_FIRST
                       : free->steps_most > STEPS_LAST ? STEPS_LAST
                                                       : free->steps_most;
}

void dcd_free_improve(struct dcd_free *free, struct batch *batch) {
    free->gap = INFINITY;
    collect(free);
    double pass = part_of_pass(free);
    if (communicator_largest(processes(free), free->count) == 0 ||
        batch->passes + 4 * pass > batch->monitor->settings.passes)
        return;
    transpose_rows(free);
    set_residual(free);
    batch->passes += 3 * pass; /* with the move of the weights */
    free->cuts = 0;
    dcd_smooth_begin(&free->smooth, free->residual, free->count);
    note_residual(free);
    turn(free, 0);
    double tolerance = residual_left * residual_left * free->squared;
    int64_t steps = 0;
    while (steps < free->steps_most && free->squared > tolerance &&
           !is_closed(free, batch, steps) &&
           batch->passes + pass <= batch->monitor->settings.passes &&
           monitor_poll(batch->monitor) == VERDICT_GO_ON && advance(free)) {
        batch->passes += pass;
        steps++;
    }
    free->gap = smooth_gap(free);
    move_rows(free);
    move_weights(free, free->rows->w);
    choose_steps(free, steps);
}

double dcd_free_smooth(struct dcd_free *free, double *w) {
    memcpy(w, free->rows->w, sizeof *w * (size_t)free->rows->parts->design->columns);
    for (int64_t k = 0; k < free->count; k++)
        free->change[k] = free->smooth.change[k] - free->change[k];
    move_weights(free, w);
    return part_of_pass(free);
}

/* ---- begin and end */

static void lay_out(struct dcd_free *f, int64_t m) {
    double **const vector[] = {&f->low,      &f->high,      &f->change,        &f->scale,
                               &f->residual, &f->direction, &f->smooth.change, &f->smooth.residual};
    for (int v = 0; v < VECTORS - DCD_RANGES; v++)
        *vector[v] = f->array + v * m;
    for (int r = 0; r < DCD_RANGES; r++)
        f->product[r] = f->array + (VECTORS - DCD_RANGES + r) * m;
}

int dcd_free_init(struct dcd_free *f, struct dcd_rows *rows, struct error *e) {
    static const char what[] = "the free rows";
    const struct design *design = rows->parts->design;
    int64_t m = design->rows, n = design->columns, most = design->data->nonzeros + m;
    *f = (struct dcd_free){.rows = rows,
                           .steps_most =
                               design->data->communicator != NULL ? STEPS_SUMMED : STEPS_FIRST};
    f->index = memory_new(m, sizeof *f->index, what, e);
    f->array = memory_new(VECTORS * m, sizeof *f->array, what, e);
    f->column = memory_new(n, sizeof *f->column, what, e);
    f->start = memory_new(n + 1, sizeof *f->start, what, e);
    f->entry = memory_new(most, sizeof *f->entry, what, e);
    f->value = memory_new(most, sizeof *f->value, what, e);
    f->image = design->data->communicator == NULL ? NULL : memory_new(n, sizeof *f->image, what, e);
    if (design->data->communicator != NULL && f->image == NULL)
        return -1;
    if (f->index == NULL || f->array == NULL || f->column == NULL || f->start == NULL ||
        f->entry == NULL || f->value == NULL)
        return -1;
    lay_out(f, m);
    return 0;
}

void dcd_free_free(struct dcd_free *f) {
    free(f->index);
    free(f->array);
    free(f->column);
    free(f->start);
    free(f->entry);
    free(f->value);
    free(f->image);
}
