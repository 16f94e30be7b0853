/* iterate.c - a point that sparse steps move, and the average of all points. */
#include "solvers/iterate.h"

#include "io/memory.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

/* Where the scale is folded into v. With an average the sum weights v - late loses digits in proportion
 * to the range of scales that it spans, so that range is kept short. */
static const double least_scale = 1e-60, least_scale_averaged = 1e-8;

int iterate_init(struct iterate *x, const struct risk *risk, const double *w, bool averaged,
                 struct error *e) {
    int64_t n = risk->dimension;
    *x = (struct iterate){.n = n, .regularized = risk->regularized, .scale = 1};
    x->v = memory_new(n, sizeof *x->v, "the weights", e);
    if (averaged)
        x->late = memory_zeroed(n, sizeof *x->late, "the average", e);
    if (x->v == NULL || (averaged && x->late == NULL)) {
        iterate_free(x);
        return -1;
    }
    memcpy(x->v, w, sizeof *w * (size_t)n);
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

void iterate_add(struct iterate *x, const struct risk_part *part, double step, double offset_step) {
    bool regularized = part->offset < x->regularized;
    double c = part->coefficient * (regularized ? step / x->scale : offset_step);
    double grown = sparse_add_grown(x->v + part->offset, c, part->column, part->value, part->count);
    if (regularized)
        x->square += grown;
    if (x->late != NULL)
        sparse_add(x->late + part->offset, c * (regularized ? x->weights : x->total), part->column,
                   part->value, part->count);
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
