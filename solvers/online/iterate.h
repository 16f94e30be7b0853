/* iterate.h - the point w of an online method, which a sparse step changes in O(nonzeros). Its norm is kept
 * and, if asked for, the weighted average of all points so far.
 *
 * w = scale * v on the regularized coordinates, so that shrinking w costs O(1). Unregularized coordinates
 * (an offset) are not scaled: w_j = v_j. With a_t the weight of point t in the average,
 *
 *     sum_t a_t w_t = S v - correction,   S = sum_t a_t scale_t   (unregularized: S = sum_t a_t).
 *
 * Each change of v adds S times the change to `correction`, so that it does not act on earlier points. */
#ifndef RRM_ITERATE_H
#define RRM_ITERATE_H

#include "io/error.h"
#include "io/state/state.h"
#include "risk/risk.h"

#include <stdbool.h>
#include <stdint.h>

struct iterate {
    int64_t n, regularized; /* coordinates: all, and those that are regularized, which come first */
    double *v;              /* n */
    double scale;
    double square;            /* ||v||^2 over the regularized coordinates */
    double *correction;       /* n; NULL: no average is kept */
    double scaled_weight_sum; /* sum_t a_t scale_t */
    double weight_sum;        /* sum_t a_t */
};

/* Starts at w (the risk's dimension, copied). 0, or -1 with the error set. */
int iterate_init(struct iterate *x, const struct risk *risk, const double *w, bool averaged,
                 struct error *e);
void iterate_free(struct iterate *x);

/* A copy of FROM, its average included. 0, or -1 with the error set. */
int iterate_clone(const struct iterate *from, struct iterate *x, struct error *e);

/* Lists the point and its average, of so many coordinates. */
void iterate_visit(struct iterate *x, struct state *state);

/* Starts at 0, `n` coordinates of which `regularized` are. */
int iterate_zero(struct iterate *x, int64_t regularized, int64_t n, bool averaged, struct error *e);

/* Raises the number of regularized coordinates. The new ones are 0; the unregularized ones move behind
 * them. 0, or -1 with the error set: then it can only be freed. */
int iterate_grow(struct iterate *x, int64_t regularized, struct error *e);

/* ||w||^2 over the regularized coordinates. */
static inline double iterate_square(const struct iterate *x) {
    return x->square > 0 ? x->scale * x->scale * x->square : 0;
}

/* w <- factor w on the regularized coordinates, factor >= 0. O(1), but O(n) in rare cases. */
void iterate_shrink(struct iterate *x, double factor);

/* Adds step times the sparse vector `part` to w; offset_step times it if it has unregularized coordinates. */
void iterate_add(struct iterate *x, const struct scaled_row *row, double step, double offset_step);

/* Adds the point w to the average, with this weight. */
static inline void iterate_count(struct iterate *x, double weight) {
    x->scaled_weight_sum += weight * x->scale;
    x->weight_sum += weight;
}

/* Removes all points from the average. */
void iterate_restart(struct iterate *x);

/* Clips the unregularized coordinates to [-bound, bound]. True when one was outside. */
bool iterate_clip(struct iterate *x, double bound);

/* Multiplies v by the scale, sets the scale to 1 and computes ||v||^2 anew. To be called once a pass, so
 * that rounding errors do not add up. */
void iterate_fold(struct iterate *x);

/* w <- 0 on the regularized coordinates. */
void iterate_reset(struct iterate *x);

/* Writes w, or the average so far if one is kept and has points. */
void iterate_copy(const struct iterate *x, double *w);
void iterate_copy_average(const struct iterate *x, double *w);

/* Adds the sparse vector `part` to v; returns by how much ||v||^2 grew. v has the risk's dimension. */
double iterate_row_add(double *v, const struct scaled_row *row);

/* Sets v to 0 in the coordinates of `part`. */
void iterate_row_clear(double *v, const struct scaled_row *row);

#endif
