/* iterate.h - a point w = scale * v that a sparse step moves in O(nonzeros), with its norm and, when it
 * is wanted, a weighted average of all points so far: a_t is the weight of point t.
 *
 * The regularized coordinates are scaled, the unregularized rest (an offset) is not: w_j = v_j there.
 * sum_t a_t w_t = weights v - late, where weights = sum_t a_t scale_t and late gathers each change of v
 * times the weights before it (weights is `total` = sum_t a_t on the unscaled coordinates). */
#ifndef RRM_ITERATE_H
#define RRM_ITERATE_H

#include "io/error.h"
#include "risk/risk.h"

#include <stdbool.h>
#include <stdint.h>

struct iterate {
    int64_t n, regularized;
    double *v;
    double scale;
    double square; /* ||v||^2 over the regularized coordinates */
    double *late;  /* NULL: no average is kept */
    double weights, total;
};

/* Starts at w (n doubles, copied). */
int iterate_init(struct iterate *x, const struct risk *risk, const double *w, bool averaged,
                 struct error *e);
void iterate_free(struct iterate *x);

/* Starts at 0, `n` coordinates of which `regularized` are. */
int iterate_zero(struct iterate *x, int64_t regularized, int64_t n, bool averaged, struct error *e);

/* More regularized coordinates, which are 0; the others move up. 0, or -1 with the error set: then it can
 * only be freed. */
int iterate_grow(struct iterate *x, int64_t regularized, struct error *e);

/* ||w||^2 over the regularized coordinates. */
static inline double iterate_square(const struct iterate *x) {
    return x->square > 0 ? x->scale * x->scale * x->square : 0;
}

/* w <- factor w on the regularized coordinates, factor >= 0. O(1) but for rare folds. */
void iterate_shrink(struct iterate *x, double factor);

/* w <- w + step * part on regularized coordinates, w + offset_step * part on others. */
void iterate_add(struct iterate *x, const struct risk_part *part, double step, double offset_step);

/* Counts w as a point of the average, with this weight. */
static inline void iterate_count(struct iterate *x, double weight) {
    x->weights += weight * x->scale;
    x->total += weight;
}

/* Forgets the points of the average so far. */
void iterate_restart(struct iterate *x);

/* Unregularized coordinates are moved into [-bound, bound]; whether one was not there. */
bool iterate_clip(struct iterate *x, double bound);

/* Folds the scale into v, and takes ||v||^2 afresh: once a pass, so that rounding does not add up. */
void iterate_fold(struct iterate *x);

/* w <- 0 on the regularized coordinates. */
void iterate_reset(struct iterate *x);

/* Writes w, or the average so far if one is kept and has points. */
void iterate_copy(const struct iterate *x, double *w);
void iterate_copy_average(const struct iterate *x, double *w);

/* v += the part; returns by how much ||v||^2 grew. v has the risk's dimension. */
double iterate_part_add(double *v, const struct risk_part *part);

/* v = 0 in the part's coordinates. */
void iterate_part_clear(double *v, const struct risk_part *part);

#endif
