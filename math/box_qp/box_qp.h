/* box_qp.h - a convex quadratic program over a box that holds 0:
 *
 *     minimize  g'e + 1/2 e'H e   over low <= e <= high,   low <= 0 <= high, H positive definite.
 *
 * An active-set method: a Newton step on the free components, projected to the box and shortened until the
 * objective falls; components whose gradient points inward are freed again. The step is computed by a Cholesky
 * factor if few components are free, else by conjugate gradients. More & Toraldo 1991, SIAM J. Optimization 1(1),
 * without its gradient steps; Nocedal & Wright 2006, section 16.7. If H = A'A with sparse A, or H is singular,
 * box_descent.h is faster. */
#ifndef RRM_BOX_QP_H
#define RRM_BOX_QP_H

#include "io/error.h"
#include "math/matrices/cholesky_set.h"

#include <stdbool.h>
#include <stdint.h>

struct box_qp {
    int64_t n;
    const double *gradient; /* g */
    const double *low;      /* <= 0, -infinity allowed */
    const double *high;     /* >= 0, infinity allowed; both 0: the component stays 0 */
    const double *diagonal; /* of H, > 0 */
    const double *matrix;   /* H, n x n row by row, its lower triangle read; NULL: `multiply` */
    int64_t direct_most; /* with more free components: conjugate gradients; -1 without a matrix */
    void (*multiply)(void *opaque, const double *x, double *y); /* y = H x */
    bool (*stop)(
        void *opaque); /* called after each product; true: returns the current e. NULL: never */
    void *opaque;
    int64_t products_most; /* maximal number of products with H */
    double tolerance;      /* of the projected gradient's length in the metric of the
                         inverse diagonal, relative to that at e = 0 */
};

/* Scratch memory for programs of up to `capacity` components. A struct of zero bytes is empty. */
struct box_qp_work {
    int64_t capacity;
    double *array;
    int64_t *free; /* the free components */
    struct cholesky_set factor;
};

/* 0, or -1 with the error set. */
int box_qp_reserve(struct box_qp_work *work, int64_t n, struct error *e);
void box_qp_free(struct box_qp_work *work);

/* Writes e, with an objective of at most 0. Returns the number of products with H, or -1 with the error set. */
int64_t box_qp_solve(const struct box_qp *qp, struct box_qp_work *work, double *e,
                     struct error *error);

#endif
