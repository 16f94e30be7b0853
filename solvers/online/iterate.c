/* iterate.c - a point that sparse steps move, and the average of all points. */
#include "solvers/online/iterate.h"

#include "io/memory.h"
#include "math/dense.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

/* The scale is folded into v when it falls below this. The average, S v - correction, loses digits in
 * proportion to the range of scales since the last fold, so its limit is higher. */
static const double min_scale = 1e-60, min_scale_averaged = 1e-8;

int iterate_zero(struct iterate *x, int64_t regularized, int64_t n, bool averaged,
                 struct error *e) {
    *x = (struct iterate){.n = n, .regularized = regularized, .scale = 1};
    x->v = memory_zeroed(n, sizeof *x->v, "the weights", e);
    if (averaged)
        x->correction = memory_zeroed(n, sizeof *x->correction, "the average", e);
    if (x->v == NULL || (averaged && x->correction == NULL)) {
        iterate_free(x);
        return -1;
    }
    return 0;
}

/* Resizes *v from `old` to n numbers. The last `unregularized` of them stay the last; zeros come before
 * them. */
static int insert_zeros(double **v, int64_t old, int64_t n, int64_t unregularized,
                        struct error *e) {
    void *growth = *v;
    if (memory_resize(&growth, n, sizeof **v, "the weights", e) != 0)
        return -1;
    *v = growth;
    memmove(*v + n - unregularized, *v + old - unregularized, sizeof **v * (size_t)unregularized);
    memset(*v + old - unregularized, 0, sizeof **v * (size_t)(n - old));
    return 0;
}

int iterate_grow(struct iterate *x, int64_t regularized, struct error *e) {
    int64_t unregularized = x->n - x->regularized, n = regularized + unregularized;
    if (insert_zeros(&x->v, x->n, n, unregularized, e) != 0 ||
        (x->correction != NULL && insert_zeros(&x->correction, x->n, n, unregularized, e) != 0))
        return -1;
    x->n = n;
    x->regularized = regularized;
    return 0;
}

int iterate_init(struct iterate *x, const struct risk *risk, const double *w, bool averaged,
                 struct error *e) {
    if (iterate_zero(x, risk->regularized, risk->dimension, averaged, e) != 0)
        return -1;
    memcpy(x->v, w, sizeof *w * (size_t)x->n);
    x->square = vector_dot(x->v, x->v, x->regularized);
    return 0;
}

void iterate_free(struct iterate *x) {
    free(x->v);
    free(x->correction);
    *x = (struct iterate){0};
}

int iterate_clone(const struct iterate *from, struct iterate *x, struct error *e) {
    struct iterate copy = *from;
    bool averaged = from->correction != NULL;
    if (iterate_zero(x, from->regularized, from->n, averaged, e) != 0)
        return -1;
    copy.v = memcpy(x->v, from->v, sizeof *x->v * (size_t)x->n);
    if (averaged)
        copy.correction = memcpy(x->correction, from->correction, sizeof *x->v * (size_t)x->n);
    *x = copy;
    return 0;
}

void iterate_visit(struct iterate *x, struct state *state) {
    state_doubles(state, x->v, x->n);
    if (x->correction != NULL)
        state_doubles(state, x->correction, x->n);
    STATE_REALS(state, &x->scale, &x->square, &x->scaled_weight_sum, &x->weight_sum);
}

/* Moves S v of the regularized coordinates into the correction, so that v may change as a whole. */
static void flush_average(struct iterate *x) {
    if (x->correction == NULL)
        return;
    for (int64_t j = 0; j < x->regularized; j++)
        x->correction[j] -= x->scaled_weight_sum * x->v[j];
    x->scaled_weight_sum = 0;
}

void iterate_fold(struct iterate *x) {
    flush_average(x);
    vector_scale(x->v, x->scale, x->regularized);
    x->scale = 1;
    x->square = vector_dot(x->v, x->v, x->regularized);
}

void iterate_reset(struct iterate *x) {
    flush_average(x);
    memset(x->v, 0, sizeof *x->v * (size_t)x->regularized);
    x->scale = 1;
    x->square = 0;
}

void iterate_shrink(struct iterate *x, double factor) {
    x->scale *= factor;
    if (x->scale == 0)
        iterate_reset(x);
    else if (x->scale < (x->correction == NULL ? min_scale : min_scale_averaged))
        iterate_fold(x);
}

/* add_part for a part with several coordinates a column, or with a stride between them. */
static double add_strided(double *v, double c, const struct scaled_row *row) {
    double growth = 0;
    for (int64_t k = 0; k < row->count; k++) {
        double *at = v + (int64_t)row->stride * (row->column == NULL ? k : row->column[k]);
        const double *value = row->value == NULL ? NULL : row->value + k * row->width;
        for (int32_t o = 0; o < row->width; o++) {
            double change = value == NULL ? c : c * value[o];
            growth += change * (2 * at[o] + change);
            at[o] += change;
        }
    }
    return growth;
}

/* v += c x; returns by how much ||v||^2 grew. */
static double add_part(double *v, double c, const struct scaled_row *row) {
    if (row->stride > 1)
        return add_strided(v, c, row);
    if (row->column != NULL)
        return sparse_add_grown(v, c, row->column, row->value, row->count);
    double dot = vector_dot_wide(v, row->value, row->count);
    double square = vector_dot_wide(row->value, row->value, row->count);
    vector_add_wide(v, c, row->value, row->count);
    return c * (2 * dot + c * square);
}

double iterate_row_add(double *v, const struct scaled_row *row) {
    return add_part(v + row->offset, row->coefficient, row);
}

void iterate_row_clear(double *v, const struct scaled_row *row) {
    v += row->offset;
    for (int64_t k = 0; k < row->count; k++) {
        double *at = v + (int64_t)row->stride * (row->column == NULL ? k : row->column[k]);
        for (int32_t o = 0; o < row->width; o++)
            at[o] = 0;
    }
}

static void add_correction(double *correction, double c, const struct scaled_row *row) {
    if (row->stride > 1)
        add_strided(correction, c, row);
    else if (row->column != NULL)
        sparse_add(correction, c, row->column, row->value, row->count);
    else
        vector_add_wide(correction, c, row->value, row->count);
}

void iterate_add(struct iterate *x, const struct scaled_row *row, double step, double offset_step) {
    bool regularized = row->offset < x->regularized;
    double c = row->coefficient * (regularized ? step / x->scale : offset_step);
    double growth = add_part(x->v + row->offset, c, row);
    if (regularized)
        x->square += growth;
    if (x->correction != NULL)
        add_correction(x->correction + row->offset,
                       c * (regularized ? x->scaled_weight_sum : x->weight_sum), row);
}

void iterate_restart(struct iterate *x) {
    memset(x->correction, 0, sizeof *x->correction * (size_t)x->n);
    x->scaled_weight_sum = x->weight_sum = 0;
}

bool iterate_clip(struct iterate *x, double bound) {
    bool moved = false;
    for (int64_t j = x->regularized; j < x->n; j++) {
        double change = clip(x->v[j], -bound, bound) - x->v[j];
        x->v[j] += change;
        if (x->correction != NULL)
            x->correction[j] += change * x->weight_sum;
        moved = moved || change != 0;
    }
    return moved;
}

void iterate_copy(const struct iterate *x, double *w) {
    for (int64_t j = 0; j < x->n; j++)
        w[j] = j < x->regularized ? x->scale * x->v[j] : x->v[j];
}

void iterate_copy_average(const struct iterate *x, double *w) {
    for (int64_t j = 0; j < x->n; j++) {
        double scaled_weight_sum = j < x->regularized ? x->scaled_weight_sum : x->weight_sum;
        w[j] = (scaled_weight_sum * x->v[j] - x->correction[j]) / x->weight_sum;
    }
}
