/* iterate.c - a point that sparse steps move, and the average of all points. */
#include "solvers/online/iterate.h"

#include "io/memory.h"
#include "math/dense.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

/* Where the scale is folded into v. With an average the sum weights v - late loses digits in proportion
 * to the range of scales that it spans, so that range is kept short. */
static const double least_scale = 1e-60, least_scale_averaged = 1e-8;

int iterate_zero(struct iterate *x, int64_t regularized, int64_t n, bool averaged,
                 struct error *e) {
    *x = (struct iterate){.n = n, .regularized = regularized, .scale = 1};
    x->v = memory_zeroed(n, sizeof *x->v, "the weights", e);
    if (averaged)
        x->late = memory_zeroed(n, sizeof *x->late, "the average", e);
    if (x->v == NULL || (averaged && x->late == NULL)) {
        iterate_free(x);
        return -1;
    }
    return 0;
}

/* Room for `n` coordinates; the last `rest` of the old ones become the last. */
static int stretch(double **v, int64_t old, int64_t n, int64_t rest, struct error *e) {
    void *grown = *v;
    if (memory_resize(&grown, n, sizeof **v, "the weights", e) != 0)
        return -1;
    *v = grown;
    memmove(*v + n - rest, *v + old - rest, sizeof **v * (size_t)rest);
    memset(*v + old - rest, 0, sizeof **v * (size_t)(n - old));
    return 0;
}

int iterate_grow(struct iterate *x, int64_t regularized, struct error *e) {
    int64_t rest = x->n - x->regularized, n = regularized + rest;
    if (stretch(&x->v, x->n, n, rest, e) != 0 ||
        (x->late != NULL && stretch(&x->late, x->n, n, rest, e) != 0))
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
    free(x->late);
    *x = (struct iterate){0};
}

/* Moves weights v into late, so that v may change as a whole. */
static void settle_average(struct iterate *x) {
    if (x->late == NULL)
        return;
    for (int64_t j = 0; j < x->regularized; j++)
        x->late[j] -= x->weights * x->v[j];
    x->weights = 0;
}

void iterate_fold(struct iterate *x) {
    settle_average(x);
    vector_scale(x->v, x->scale, x->regularized);
    x->scale = 1;
    x->square = vector_dot(x->v, x->v, x->regularized);
}

void iterate_reset(struct iterate *x) {
    settle_average(x);
    memset(x->v, 0, sizeof *x->v * (size_t)x->regularized);
    x->scale = 1;
    x->square = 0;
}

void iterate_shrink(struct iterate *x, double factor) {
    x->scale *= factor;
    if (x->scale == 0)
        iterate_reset(x);
    else if (x->scale < (x->late == NULL ? least_scale : least_scale_averaged))
        iterate_fold(x);
}

/* The same of parts whose coordinates do not lie side by side, or several for a column. */
static double add_strided(double *v, double c, const struct risk_part *part) {
    double grown = 0;
    for (int64_t k = 0; k < part->count; k++) {
        double *at = v + (int64_t)part->stride * (part->column == NULL ? k : part->column[k]);
        const double *value = part->value == NULL ? NULL : part->value + k * part->width;
        for (int32_t o = 0; o < part->width; o++) {
            double change = value == NULL ? c : c * value[o];
            grown += change * (2 * at[o] + change);
            at[o] += change;
        }
    }
    return grown;
}

/* v += c x; returns by how much ||v||^2 grew. */
static double add_part(double *v, double c, const struct risk_part *part) {
    if (part->stride > 1)
        return add_strided(v, c, part);
    if (part->column != NULL)
        return sparse_add_grown(v, c, part->column, part->value, part->count);
    double dot = vector_dot_wide(v, part->value, part->count);
    double square = vector_dot_wide(part->value, part->value, part->count);
    vector_add_wide(v, c, part->value, part->count);
    return c * (2 * dot + c * square);
}

double iterate_part_add(double *v, const struct risk_part *part) {
    return add_part(v + part->offset, part->coefficient, part);
}

void iterate_part_clear(double *v, const struct risk_part *part) {
    v += part->offset;
    for (int64_t k = 0; k < part->count; k++) {
        double *at = v + (int64_t)part->stride * (part->column == NULL ? k : part->column[k]);
        for (int32_t o = 0; o < part->width; o++)
            at[o] = 0;
    }
}

static void add_late(double *late, double c, const struct risk_part *part) {
    if (part->stride > 1)
        add_strided(late, c, part);
    else if (part->column != NULL)
        sparse_add(late, c, part->column, part->value, part->count);
    else
        vector_add_wide(late, c, part->value, part->count);
}

void iterate_add(struct iterate *x, const struct risk_part *part, double step, double offset_step) {
    bool regularized = part->offset < x->regularized;
    double c = part->coefficient * (regularized ? step / x->scale : offset_step);
    double grown = add_part(x->v + part->offset, c, part);
    if (regularized)
        x->square += grown;
    if (x->late != NULL)
        add_late(x->late + part->offset, c * (regularized ? x->weights : x->total), part);
}

void iterate_restart(struct iterate *x) {
    memset(x->late, 0, sizeof *x->late * (size_t)x->n);
    x->weights = x->total = 0;
}

bool iterate_clip(struct iterate *x, double bound) {
    bool moved = false;
    for (int64_t j = x->regularized; j < x->n; j++) {
        double change = clip(x->v[j], -bound, bound) - x->v[j];
        x->v[j] += change;
        if (x->late != NULL)
            x->late[j] += change * x->total;
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
        double weights = j < x->regularized ? x->weights : x->total;
        w[j] = (weights * x->v[j] - x->late[j]) / x->total;
    }
}
