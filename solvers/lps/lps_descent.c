/* lps_descent.c - the Newton step of lps by coordinate descent: copies the rows with d_i > 0 by columns and
 * calls box_descent_solve. Reference: see box_descent.h. */
#include "solvers/lps/lps_descent.h"

#include "io/memory.h"
#include "solvers/lps/lps_reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_ARRAYS = 3, COLUMN_ARRAYS = 3 };
/* Most sweeps of a step. A model of second order is worth fewer: the next step's is nearer to J. Where rows
 * are many, and determine the step, conjugate gradients do well, so that they take over sooner; on text they do not. */
enum { MAX_SWEEPS = 1000, MAX_SWEEPS_IF_DETERMINED = 200, MAX_SWEEPS_OF_SECOND_ORDER = 50 };
/* Steps of second order on one G that end by the limit: then coordinate descent is slow. */
enum { MANY_LONG_STEPS = 4 };

/* The accuracy of the slopes of the model, as a part of slope_goal. */
static const double slope_fraction = 0.3;

void lps_descent_free(struct lps_descent *s) {
    box_descent_free(&s->work);
    free(s->start);
    free(s->row);
    free(s->value);
    free(s->first);
    free(s->diagonal);
    *s = (struct lps_descent){0};
}

/* ---- the columns */

/* The number of columns that are constant: bias and offset. */
static int constant_columns(const struct design *design) {
    return (design->bias >= 0) + design->intercept;
}

int64_t lps_descent_entries(const struct lps_reduced *r) {
    const struct design *design = &r->subset.design;
    int64_t count = 0;
    for (int64_t i = 0; i < design->rows; i++)
        if (r->d[i] > 0)
            count += dataset_count(design->data, i) + constant_columns(design);
    return count;
}

static int64_t count_rows(const struct lps_reduced *r) {
    int64_t count = 0;
    for (int64_t i = 0; i < r->subset.design.rows; i++)
        count += r->d[i] > 0;
    return count;
}

static bool reserve(void *pointer, int64_t *capacity, int64_t needed, size_t size,
                    struct error *e) {
    return memory_reserve(pointer, capacity, needed, size, "columns of the reduced problem", e) ==
           0;
}

static int reserve_arrays(struct lps_descent *s, const struct lps_reduced *r, struct error *e) {
    int64_t rows = count_rows(r), entries = lps_descent_entries(r), capacity = s->entry_capacity;
    if (rows > INT32_MAX)
        return error_set(e, "%lld rows are too many for a column-wise copy", (long long)rows);
    bool complete =
        reserve(&s->start, &s->start_capacity, r->subset.count + 1, sizeof *s->start, e) &&
        reserve(&s->row, &s->entry_capacity, entries + 1, sizeof *s->row, e) &&
        reserve(&s->value, &capacity, s->entry_capacity, sizeof *s->value, e) &&
        reserve(&s->first, &s->row_capacity, ROW_ARRAYS * (rows + 1), sizeof *s->first, e) &&
        reserve(&s->diagonal, &s->column_capacity, COLUMN_ARRAYS * r->subset.count,
                sizeof *s->diagonal, e);
    return complete ? 0 : -1;
}

/* Counts the entries of each column and sets start[j], where those of column j begin. */
static void count_entries(struct lps_descent *s, const struct lps_reduced *r, int64_t rows) {
    const struct design *design = &r->subset.design;
    const struct dataset *data = design->data;
    int64_t *count = s->start + 1;
    memset(s->start, 0, sizeof *s->start * (size_t)(r->subset.count + 1));
    for (int64_t i = 0; i < design->rows; i++)
        for (int64_t k = 0; r->d[i] > 0 && k < dataset_count(data, i); k++)
            count[dataset_columns(data, i)[k]]++;
    for (int64_t j = data->features; j < r->subset.count; j++)
        count[j] = rows;
    for (int64_t j = 0; j < r->subset.count; j++)
        count[j] += s->start[j];
}

static void append_entry(struct lps_descent *s, int64_t column, int64_t row, double value) {
    int64_t at = s->start[column]++;
    s->row[at] = (int32_t)row;
    s->value[at] = value;
}

/* Appends the entries of all rows to their columns. As in columns.c, start[j] is where the next entry of
 * column j goes; at the end it is the start of column j + 1, and all are moved by one. */
static void fill_columns(struct lps_descent *s, const struct lps_reduced *r) {
    const struct design *design = &r->subset.design;
    const struct dataset *data = design->data;
    int64_t row = 0;
    for (int64_t i = 0; i < design->rows; i++) {
        if (!(r->d[i] > 0))
            continue;
        double root = sqrt(r->d[i]);
        const double *value = dataset_values(data, i);
        for (int64_t k = 0; k < dataset_count(data, i); k++)
            append_entry(s, dataset_columns(data, i)[k], row,
                         value == NULL ? root : root * value[k]);
        if (design->bias >= 0)
            append_entry(s, data->features, row, root * design->bias);
        if (design->intercept)
            append_entry(s, design->regularized, row, root);
        row++;
    }
    for (int64_t j = r->subset.count; j > 0; j--)
        s->start[j] = s->start[j - 1];
    s->start[0] = 0;
}

/* ---- the rows */

/* Whether the loss is quadratic everywhere. */
static bool is_squared(const struct scalar_terms *terms) {
    double low, high;
    terms->loss->domain(1, &terms->parameters, &low, &high);
    return terms->loss->quadratic && isinf(low) && isinf(high);
}

/* Whether the loss's derivative is clip(curvature (u - y), low, high), and the rows are not a sample. */
static bool is_clipped(const struct lps_reduced *r) {
    return r->terms->loss->quadratic && isfinite(r->terms->loss->curvature) &&
           r->hessian_sample == 0 && !is_squared(r->terms);
}

/* Sets v_i of box_descent.h and its bounds: the derivative of the row's loss less the one at the point,
 * divided by sqrt(d_i). */
static void fill_clipped(struct lps_descent *s, const struct lps_reduced *r,
                         const struct lps_point *point, int64_t rows) {
    const struct scalar_terms *terms = r->terms;
    double *bottom = s->first + rows, *top = bottom + rows;
    int64_t row = 0;
    for (int64_t i = 0; i < terms->design->rows; i++) {
        if (!(r->d[i] > 0))
            continue;
        double low, high, y = scalar_target(terms, i),
                          scale = scalar_weight(terms, i) / terms->weight_sum;
        double slope = terms->loss->curvature * (point->u[i] - y), root = sqrt(r->d[i]);
        terms->loss->domain(y, &terms->parameters, &low, &high);
        double at = clip(slope, low, high);
        s->first[row] = (slope - at) * scale / root;
        bottom[row] = (low - at) * scale / root;
        top[row++] = (high - at) * scale / root;
    }
}

/* J itself is the model: nothing needs damping. */
bool lps_descent_crosses(const struct lps_reduced *r) {
    return is_squared(r->terms) && r->hessian_sample == 0;
}

static void fill_vectors(struct lps_descent *s, const struct lps_reduced *r) {
    int64_t n = r->subset.count;
    bool crosses = r->crosses;
    s->kink = s->diagonal + n;
    s->gradient = s->kink + n;
    for (int64_t k = 0; k < n; k++) {
        bool offset = lps_reduced_is_offset(r, k);
        double l2 = offset ? 0 : r->penalty.l2;
        s->diagonal[k] = l2 + (crosses ? 0 : r->damping * r->diagonal[k]);
        s->kink[k] = offset ? 0 : r->penalty.l1;
        s->gradient[k] = crosses ? r->gradient[k] + l2 * r->w[k] : r->slope[k];
    }
}

/* The start of coordinate descent: the part of the last step that was cut off, within the new bounds; else
 * 0. */
static void begin_step(struct lps_reduced *r) {
    for (int64_t k = 0; k < r->subset.count; k++)
        r->step[k] =
            r->step_remainder > 0 ? clip(r->step_remainder * r->step[k], r->low[k], r->high[k]) : 0;
}

/* ---- the step */

static bool is_over(void *opaque, double products) {
    struct lps_reduced *r = opaque;
    const struct dataset *whole = r->subset.whole->data;
    r->passes += products / (double)(whole->nonzeros + whole->rows);
    return lps_reduced_is_over(r);
}

static bool is_of_second_order(const struct lps_reduced *r) {
    return !r->terms->loss->quadratic;
}

static int64_t most_sweeps(const struct lps_reduced *r, bool determined) {
    return is_of_second_order(r) ? MAX_SWEEPS_OF_SECOND_ORDER
           : determined          ? MAX_SWEEPS_IF_DETERMINED
                                 : MAX_SWEEPS;
}

static void note_sweeps(struct lps_reduced *r, int64_t sweeps, bool determined) {
    if (sweeps < most_sweeps(r, determined))
        return;
    r->long_steps++;
    r->was_slow = r->was_slow || !is_of_second_order(r) || r->long_steps >= MANY_LONG_STEPS;
    r->by_products = r->by_products || (determined && r->was_slow);
}

int lps_descent_step(struct lps_reduced *r, const struct lps_point *point, double tolerance,
                     double *decrease, struct error *e) {
    struct lps_descent *s = &r->descent;
    bool clipped = is_clipped(r);
    int64_t rows = count_rows(r);
    const struct dataset *whole = r->subset.whole->data;
    bool determined = rows >= r->subset.count && whole->rows >= whole->features;
    if (reserve_arrays(s, r, e) != 0)
        return -1;
    count_entries(s, r, rows);
    fill_columns(s, r);
    memset(s->first, 0, sizeof *s->first * (size_t)rows);
    if (clipped)
        fill_clipped(s, r, point, rows);
    fill_vectors(s, r);
    const struct box_descent program = {.n = r->subset.count,
                                        .rows = rows,
                                        .start = s->start,
                                        .row = s->row,
                                        .value = s->value,
                                        .gradient = s->gradient,
                                        .low = r->low,
                                        .high = r->high,
                                        .diagonal = s->diagonal,
                                        .kink = r->crosses ? s->kink : NULL,
                                        .origin = r->w,
                                        .first = s->first,
                                        .bottom = clipped ? s->first + rows : NULL,
                                        .top = clipped ? s->first + 2 * rows : NULL,
                                        .tolerance = tolerance,
                                        .max_slope =
                                            (r->crosses ? 1 : slope_fraction) * r->slope_goal,
                                        .max_sweeps = most_sweeps(r, determined),
                                        .stop = is_over,
                                        .opaque = r};
    double value;
    begin_step(r);
    int64_t sweeps = box_descent_solve(&program, &s->work, r->step, &value, e);
    r->passes += column_subset_share(&r->subset);
    note_sweeps(r, sweeps, determined);
    *decrease = -value;
    return sweeps < 0 ? -1 : 0;
}
