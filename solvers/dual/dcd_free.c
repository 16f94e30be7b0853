/* dcd_free.c - affine-scaling conjugate gradients on the free dual variables. */
#include "solvers/dual/dcd_free.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a call; of several processes, whose steps cost a sum of n numbers each, always the last. */
enum { STEPS_FIRST = 20, STEPS_LAST = 640, STEPS_SUMMED = 15, VECTORS = 10 + DCD_RANGES };

enum {
    MAX_SORTED_ENTRIES = 256, /* entries of a column: longer ones are not sorted by length */
    COLUMN_COST = 4,          /* of a column that is read, in entries */
    SAMPLE_STEP = 8,          /* every eighth row tells where the middle column is */
    ALWAYS_COPIED = 1 << 20,  /* entries */
    COPIED_PART = 8           /* of all entries, if these are more */
};

static const double at_end = 1e-12; /* of an interval's width: a variable so near is at its end */
/* Of an interval's width: over processes, a variable farther than this from both ends counts as this far. Fewer
 * steps then. */
static const double far_from_end = 0.2;
static const double residual_left = 1e-3; /* of the residual at first: conjugate gradients end */
static const double nearly_all =
    0.9; /* of the tolerance: they end where the free rows leave no more */

/* What a product with the free rows is of a pass. */
static double part_of_pass(const struct dcd_free *free) {
    const struct dataset *data = free->rows->terms->design->data;
    return free->nonzeros / fmax(1, (double)dataset_whole_nonzeros(data));
}

static struct communicator *processes(const struct dcd_free *free) {
    return free->rows->terms->design->data->communicator;
}

/* The first of the columns that are read of range r: to read a range costs about as much as any other. */
static int64_t column_range(const struct dcd_free *free, int r) {
    int64_t low = 0, high = free->shared, cost = free->start[high] + COLUMN_COST * high;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (free->start[middle] + COLUMN_COST * middle < cost / DCD_RANGES * r)
            low = middle + 1;
        else
            high = middle;
    }
    return r == DCD_RANGES ? free->shared : low;
}

static bool threads(const struct dcd_free *free) {
    return free->rows->terms->design->threads;
}

/* ---- the free rows */

static void collect(struct dcd_free *free) {
    const struct dcd_rows *rows = free->rows;
    const struct dataset *data = rows->terms->design->data;
    free->count = 0;
    free->nonzeros = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        const struct dcd_row *row = &rows->row[i];
        double low, high;
        if (!dcd_row_is_free(rows, row, &low, &high))
            continue;
        int64_t k = free->count++;
        free->index[k] = i;
        free->below[k] = low - row->beta;
        free->above[k] = high - row->beta;
        free->own[k] = row->ridge;
        free->inverse_root[k] = 1 / sqrt(row->curvature > 0 ? row->curvature : 1);
        free->nonzeros += (double)dataset_count(data, i);
    }
    free->entries = (int64_t)free->nonzeros + (rows->terms->design->bias >= 0 ? free->count : 0);
    free->copied = free->entries <= free->copy_limit;
    free->nonzeros = communicator_sum_one(processes(free), free->nonzeros);
}

static void put(const struct dcd_free *free, int64_t column, int64_t k, double value) {
    int64_t at = free->cursor[column]++;
    free->entry[at] = (int32_t)k;
    if (free->value != NULL)
        free->value[at] = value;
    else if (free->floats != NULL)
        free->floats[at] = (float)value;
}

/* The mean of the middle columns of some rows. */
static int64_t middle_column(const struct dcd_free *free) {
    const struct dataset *data = free->rows->terms->design->data;
    double sum = 0, rows = 0;
    for (int64_t k = 0; k < free->count; k += SAMPLE_STEP) {
        int64_t count = dataset_count(data, free->index[k]);
        if (count == 0)
            continue;
        sum += dataset_columns(data, free->index[k])[count / 2];
        rows++;
    }
    return rows > 0 ? (int64_t)(sum / rows) : 0;
}

/* The first of the ascending columns that is not below the middle. */
static int64_t find_split(const int32_t *column, int64_t count, int64_t middle) {
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t at = low + (high - low) / 2;
        if (column[at] < middle)
            low = at + 1;
        else
            high = at;
    }
    return low;
}

static void split_rows(struct dcd_free *free) {
    const struct dataset *data = free->rows->terms->design->data;
    free->middle = middle_column(free);
#pragma omp parallel for schedule(static) if (threads(free))
    for (int64_t k = 0; k < free->count; k++)
        free->split[k] = find_split(dataset_columns(data, free->index[k]),
                                    dataset_count(data, free->index[k]), free->middle);
}

/* The part of free row k that lies in a half. */
struct piece {
    const int32_t *column;
    int64_t first, count; /* its entries */
};

static struct piece piece_of(const struct dcd_free *free, int64_t k, int half) {
    const struct dataset *data = free->rows->terms->design->data;
    int64_t i = free->index[k], from = half == 0 ? 0 : free->split[k];
    return (struct piece){dataset_columns(data, i) + from, dataset_start(data, i) + from,
                          half == 0 ? free->split[k] : dataset_count(data, i) - from};
}

static int64_t half_start(const struct dcd_free *free, int half) {
    return half == 0 ? 0 : half == 1 ? free->middle : free->rows->terms->design->columns;
}

/* How many columns there are of each length and how many entries these have; then where they begin. */
struct lengths {
    int64_t columns[MAX_SORTED_ENTRIES + 1], entries[MAX_SORTED_ENTRIES + 1];
};

static int64_t length_of(int64_t entries) {
    return entries < MAX_SORTED_ENTRIES ? entries : MAX_SORTED_ENTRIES;
}

static void count_half(const struct dcd_free *free, int half, struct lengths *lengths) {
    const struct design *design = free->rows->terms->design;
    int64_t from = half_start(free, half), to = half_start(free, half + 1);
    *lengths = (struct lengths){{0}, {0}};
    memset(free->cursor + from, 0, sizeof *free->cursor * (size_t)(to - from));
    for (int64_t k = 0; k < free->count; k++) {
        struct piece piece = piece_of(free, k, half);
        for (int64_t at = 0; at < piece.count; at++)
            free->cursor[piece.column[at]]++;
    }
    if (design->bias >= 0 && half == DCD_HALVES - 1)
        free->cursor[design->data->features] = free->count;
    for (int64_t j = from; j < to; j++) {
        int64_t length = length_of(free->cursor[j]);
        lengths->columns[length]++;
        lengths->entries[length] += free->cursor[j];
    }
}

/* The longest columns come first; the empty ones are left out. */
static void sort_lengths(struct dcd_free *free, struct lengths *lengths) {
    int64_t columns = 0, entries = 0;
    for (int length = MAX_SORTED_ENTRIES; length > 0; length--) {
        if (length == 1)
            free->shared = columns;
        for (int half = 0; half < DCD_HALVES; half++) {
            int64_t some = lengths[half].columns[length], theirs = lengths[half].entries[length];
            lengths[half].columns[length] = columns;
            lengths[half].entries[length] = entries;
            columns += some;
            entries += theirs;
        }
    }
    if (free->image != NULL)
        free->shared = columns;
    free->columns = columns;
    free->start[columns] = entries;
}

static double value_of(const struct dcd_free *free, int64_t at) {
    return free->value != NULL    ? free->value[at]
           : free->floats != NULL ? (double)free->floats[at]
                                  : 1;
}

/* Lays the columns of a half out and copies their entries. */
static void fill_half(const struct dcd_free *free, int half, struct lengths *next) {
    const struct design *design = free->rows->terms->design;
    int64_t to = half_start(free, half + 1);
    for (int64_t j = half_start(free, half); j < to; j++) {
        int64_t entries = free->cursor[j], length = length_of(entries);
        if (entries == 0)
            continue;
        int64_t c = next->columns[length]++;
        free->column[c] = (int32_t)j;
        free->start[c] = free->cursor[j] = next->entries[length];
        next->entries[length] += entries;
    }
    for (int64_t k = 0; k < free->count; k++) {
        struct piece piece = piece_of(free, k, half);
        for (int64_t at = 0; at < piece.count; at++)
            put(free, piece.column[at], k, dataset_entry(design->data, piece.first + at));
        if (design->bias >= 0 && half == DCD_HALVES - 1)
            put(free, design->data->features, k, design->bias);
    }
}

static void transpose_rows(struct dcd_free *free) {
    struct lengths lengths[DCD_HALVES];
    split_rows(free);
#pragma omp parallel for schedule(static, 1) if (threads(free))
    for (int half = 0; half < DCD_HALVES; half++)
        count_half(free, half, &lengths[half]);
    sort_lengths(free, lengths);
#pragma omp parallel for schedule(static, 1) if (threads(free))
    for (int half = 0; half < DCD_HALVES; half++)
        fill_half(free, half, &lengths[half]);
    for (int64_t at = free->start[free->shared]; at < free->start[free->columns]; at++)
        free->own[free->entry[at]] += value_of(free, at) * value_of(free, at);
}

/* Copies the rows, or forgets the products of those before, to which the rows' own will be added. */
static void prepare_rows(struct dcd_free *free) {
    if (free->copied)
        transpose_rows(free);
    else
        for (int r = 1; r < DCD_RANGES; r++)
            memset(free->product[r], 0, sizeof *free->product[r] * (size_t)free->count);
}

/* ---- products */

/* <column c, v> */
static double column_dot(const struct dcd_free *free, int64_t c, const double *v) {
    int64_t from = free->start[c];
    int64_t count = free->start[c + 1] - from;
    return free->floats != NULL
               ? sparse_dot_floats(v, free->entry + from, free->floats + from, count)
               : sparse_dot(v, free->entry + from, free->value == NULL ? NULL : free->value + from,
                            count);
}

/* v += k times column c */
static void column_add(const struct dcd_free *free, int64_t c, double k, double *v) {
    int64_t from = free->start[c], count = free->start[c + 1] - from;
    if (free->floats != NULL)
        sparse_add_floats(v, k, free->entry + from, free->floats + from, count);
    else
        sparse_add(v, k, free->entry + from, free->value == NULL ? NULL : free->value + from,
                   count);
}

/* image = X_F' v over the rows of all processes. */
static void sum_image(const struct dcd_free *free, const double *v) {
    int64_t n = free->rows->terms->design->columns;
    memset(free->image, 0, sizeof *free->image * (size_t)n);
#pragma omp parallel for schedule(static) if (threads(free))
    for (int64_t c = 0; c < free->columns; c++)
        free->image[free->column[c]] = column_dot(free, c, v);
    communicator_sum(processes(free), free->image, n);
}

/* The part of X_F X_F' p by range r of columns; returns its part of ||X_F' p||^2, or 0 where
 * the image already gives it. */
static double multiply_range(const struct dcd_free *free, int r) {
    double *product = free->product[r], squares = 0;
    int64_t end = column_range(free, r + 1);
    memset(product, 0, sizeof *product * (size_t)free->count);
    for (int64_t c = column_range(free, r); c < end; c++) {
        double dot = free->image != NULL ? free->image[free->column[c]]
                                         : column_dot(free, c, free->direction);
        squares += dot * dot;
        column_add(free, c, dot, product);
    }
    return free->image == NULL ? squares : 0;
}

/* The first free row of range r. */
static int64_t row_range(const struct dcd_free *free, int r) {
    return free->count * r / DCD_RANGES;
}

/* The direction's own curvature in range r of the free rows. */
static double own_range(const struct dcd_free *free, int r) {
    double sum = 0;
    for (int64_t k = row_range(free, r); k < row_range(free, r + 1); k++)
        sum += free->own[k] * free->direction[k] * free->direction[k];
    return sum;
}

/* sum = X_F' v, of rows that are read where they are. */
static void sum_rows(const struct dcd_free *free, const double *v) {
    const struct design *design = free->rows->terms->design;
    int64_t n = design->columns;
#pragma omp parallel for schedule(static, 1) if (threads(free))
    for (int r = 0; r < DCD_RANGES; r++) {
        double *sum = free->sum + r * n;
        memset(sum, 0, sizeof *sum * (size_t)n);
        for (int64_t k = row_range(free, r); k < row_range(free, r + 1); k++)
            design_add(design, sum, v[k], free->index[k]);
    }
    for (int r = 1; r < DCD_RANGES; r++)
        vector_add(free->sum, 1, free->sum + r * n, n);
}

/* The part of multiply by range r of rows that are read where they are, when their sum is known. */
static double multiply_rows(const struct dcd_free *free, int r) {
    for (int64_t k = row_range(free, r); k < row_range(free, r + 1); k++)
        free->product[0][k] = design_score(free->rows->terms->design, free->sum, 1, free->index[k]);
    return own_range(free, r);
}

/* The direction's curvature: direction'(X_F X_F' + diag(ridge)) direction; leaves the product's parts but for the
 * variables' own curvature. */
static double multiply(const struct dcd_free *free) {
    double curvature[DCD_RANGES], sum = 0;
    int64_t n = free->rows->terms->design->columns;
    if (!free->copied)
        sum_rows(free, free->direction);
    else if (free->image != NULL)
        sum_image(free, free->direction);
#pragma omp parallel for schedule(static, 1) if (threads(free))
    for (int r = 0; r < DCD_RANGES; r++)
        curvature[r] =
            free->copied ? multiply_range(free, r) + own_range(free, r) : multiply_rows(free, r);
    for (int r = 0; r < DCD_RANGES; r++)
        sum += curvature[r];
    if (!free->copied)
        return sum + vector_dot(free->sum, free->sum, n);
    if (free->image == NULL)
        return sum;
    return communicator_sum_one(processes(free), sum) + vector_dot(free->image, free->image, n);
}

/* w += X_F' change, for w of all columns. */
static void move_weights(const struct dcd_free *free, double *w) {
    int64_t n = free->rows->terms->design->columns;
    if (!free->copied) {
        sum_rows(free, free->change);
        vector_add(w, 1, free->sum, n);
        return;
    }
    if (free->image != NULL) {
        sum_image(free, free->change);
        vector_add(w, 1, free->image, n);
        return;
    }
#pragma omp parallel for schedule(static) if (threads(free))
    for (int64_t c = 0; c < free->columns; c++)
        w[free->column[c]] += column_dot(free, c, free->change);
}

/* ---- conjugate gradients */

/* The distance of the variable from the nearer end of its interval, over the root of its curvature; 0 at an end. */
static double scale_of(const struct dcd_free *free, int64_t k) {
    double below = free->below[k], above = free->above[k];
    double distance = fmin(free->change[k] - below, above - free->change[k]);
    double width = isfinite(above - below) ? above - below : distance;
    if (isinf(distance))
        return free->inverse_root[k];
    if (free->image != NULL)
        distance = fmin(distance, width * far_from_end);
    return distance > at_end * width ? distance * free->inverse_root[k] : 0;
}

static void set_residual(struct dcd_free *free) {
    const struct dcd_rows *rows = free->rows;
#pragma omp parallel for schedule(static) if (threads(free))
    for (int64_t k = 0; k < free->count; k++) {
        const struct dcd_row *row = &rows->row[free->index[k]];
        double u = design_score(rows->terms->design, rows->w, 1, free->index[k]);
        free->residual[k] = -dcd_row_slope(rows, row, u);
        free->change[k] = 0;
        free->scale[k] = scale_of(free, k);
    }
}

/* The direction of steepest descent in the metric, plus `keep` times the last one. */
static void turn(struct dcd_free *free, double keep) {
#pragma omp parallel for schedule(static) if (threads(free) && free->count > DCD_SMALL)
    for (int64_t k = 0; k < free->count; k++)
        free->direction[k] =
            free->scale[k] * free->residual[k] + (keep > 0 ? keep * free->direction[k] : 0);
}

/* Notes the residual's square at the present change; the smoothed point follows. */
static void note_residual(struct dcd_free *free) {
    free->squared = dcd_smooth_follow(&free->smooth, free->scale, free->change, free->residual,
                                      free->count, threads(free), processes(free));
}

/* The longest step along the direction within the intervals. */
static double longest_step(const struct dcd_free *free) {
    double longest = INFINITY;
#pragma omp parallel for schedule(static) if (threads(free) && free->count > DCD_SMALL)            \
    reduction(min                                                                                  \
              : longest)
    for (int64_t k = 0; k < free->count; k++) {
        double p = free->direction[k];
        if (p == 0)
            continue;
        double end = p > 0 ? free->above[k] : free->below[k];
        double step = (end - free->change[k]) / p;
        if (step < longest)
            longest = step;
    }
    return -communicator_largest_real(processes(free), -longest);
}

/* CUT: the step reaches an end, and the distances are taken anew. */
static void take_step(struct dcd_free *free, double step, bool cut) {
#pragma omp parallel for schedule(static) if (threads(free) && free->count > DCD_SMALL)
    for (int64_t k = 0; k < free->count; k++) {
        double product = free->own[k] * free->direction[k];
        for (int r = 0; r < DCD_RANGES; r++)
            product += free->product[r][k];
        free->change[k] += step * free->direction[k];
        free->residual[k] -= step * product;
        if (cut)
            free->scale[k] = scale_of(free, k);
    }
}

/* A step; false if there is none. */
static bool advance(struct dcd_free *free) {
    double curvature = multiply(free), step = free->squared / curvature;
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
    for (int64_t k = 0; k < free->count; k++) {
        const struct dcd_row *row = &free->rows->row[free->index[k]];
        double change = free->smooth.change[k], r = free->smooth.residual[k];
        double step =
            r == 0 ? 0 : clip(r / row->ridge, free->below[k] - change, free->above[k] - change);
        sum += step * r - row->ridge * step * step / 2 +
               (change - free->change[k]) * (r + free->residual[k]) / 2;
    }
    return free->rows->problem->lambda * communicator_sum_one(processes(free), sum);
}

/* After as many steps as the first call takes, or a multiple of them: whether the smoothed point closes the gap, with
 * some of the tolerance left for the other rows. The few steps of several processes never do. */
static bool is_closed(const struct dcd_free *free, const struct batch *batch, int64_t steps) {
    return free->image == NULL && steps > 0 && steps % STEPS_FIRST == 0 &&
           smooth_gap(free) <= nearly_all * monitor_gap(batch->monitor, batch->bound);
}

/* beta += change, within the box. */
static void move_rows(struct dcd_free *free) {
    for (int64_t k = 0; k < free->count; k++) {
        struct dcd_row *row = &free->rows->row[free->index[k]];
        double low, high, before = row->beta;
        dcd_row_is_free(free->rows, row, &low, &high);
        row->beta = clip(before + free->change[k], low, high);
        free->change[k] = row->beta - before;
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
    prepare_rows(free);
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
    memcpy(w, free->rows->w, sizeof *w * (size_t)free->rows->terms->design->columns);
    for (int64_t k = 0; k < free->count; k++)
        free->change[k] = free->smooth.change[k] - free->change[k];
    move_weights(free, w);
    return part_of_pass(free);
}

/* ---- begin and end */

static void lay_out(struct dcd_free *f, int64_t m) {
    double **const vector[] = {
        &f->below, &f->above,    &f->own,       &f->inverse_root,  &f->change,
        &f->scale, &f->residual, &f->direction, &f->smooth.change, &f->smooth.residual};
    for (int v = 0; v < VECTORS - DCD_RANGES; v++)
        *vector[v] = f->array + v * m;
    for (int r = 0; r < DCD_RANGES; r++)
        f->product[r] = f->array + (VECTORS - DCD_RANGES + r) * m;
}

/* Memory for MOST values, the rows' and the constant feature's, of the smallest type that has them. 0, or -1 with the
 * error set. */
static int allocate_values(struct dcd_free *f, int64_t entries, struct error *e) {
    static const char what[] = "the free rows";
    const struct design *design = f->rows->terms->design;
    double constant = design->bias >= 0 ? design->bias : 1;
    if (constant == 1 && !dataset_has_values(design->data))
        return 0;
    if (design->data->value == NULL && (double)(float)constant == constant)
        f->floats = memory_new(entries, sizeof *f->floats, what, e);
    else
        f->value = memory_new(entries, sizeof *f->value, what, e);
    return f->floats == NULL && f->value == NULL ? -1 : 0;
}

/* How many entries are copied at most: of several processes, which sum by column, all; of dense rows, whose products
 * need no columns, none; else few beside the data. */
static int64_t copy_limit(const struct design *design) {
    const struct dataset *data = design->data;
    int64_t all = data->nonzeros + design->rows, some = all / COPIED_PART;
    if (data->communicator != NULL)
        return all;
    if (data->dense)
        return 0;
    some = some > ALWAYS_COPIED ? some : ALWAYS_COPIED;
    return some < all ? some : all;
}

int dcd_free_init(struct dcd_free *f, struct dcd_rows *rows, struct error *e) {
    static const char what[] = "the free rows";
    const struct design *design = rows->terms->design;
    int64_t m = design->rows, n = design->columns, entries = copy_limit(design);
    bool all_copied = entries == design->data->nonzeros + m;
    *f = (struct dcd_free){.rows = rows,
                           .steps_most =
                               design->data->communicator != NULL ? STEPS_SUMMED : STEPS_FIRST};
    f->index = memory_new(m, sizeof *f->index, what, e);
    f->array = memory_new(VECTORS * m, sizeof *f->array, what, e);
    f->column = memory_new(n, sizeof *f->column, what, e);
    f->start = memory_new(n + 1, sizeof *f->start, what, e);
    f->cursor = memory_new(n, sizeof *f->cursor, what, e);
    f->split = memory_new(m, sizeof *f->split, what, e);
    f->entry = memory_new(entries, sizeof *f->entry, what, e);
    f->image = design->data->communicator == NULL ? NULL : memory_new(n, sizeof *f->image, what, e);
    f->copy_limit = entries;
    f->sum = all_copied ? NULL : memory_new(DCD_RANGES * n, sizeof *f->sum, what, e);
    if ((f->image == NULL && design->data->communicator != NULL) || (f->sum == NULL && !all_copied))
        return -1;
    if (f->index == NULL || f->array == NULL || f->column == NULL || f->start == NULL ||
        f->cursor == NULL || f->split == NULL || f->entry == NULL ||
        allocate_values(f, entries, e) != 0)
        return -1;
    lay_out(f, m);
    return 0;
}

void dcd_free_free(struct dcd_free *f) {
    free(f->index);
    free(f->array);
    free(f->column);
    free(f->start);
    free(f->cursor);
    free(f->split);
    free(f->entry);
    free(f->value);
    free(f->floats);
    free(f->image);
    free(f->sum);
}
