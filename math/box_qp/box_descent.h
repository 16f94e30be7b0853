/* box_descent.h - a convex, piecewise quadratic program over a box that contains 0, by coordinate descent:
 *
 *     minimize over e:  F(e) = g'e + sum_i [Phi_i(v_i + <a_i, e>) - Phi_i(v_i)] + 1/2 sum_j c_j e_j^2
 *     subject to  low <= e <= high,  low <= 0 <= high,   Phi_i'(v) = clip(v, bottom_i, top_i)
 *
 * a_i the rows of a sparse matrix A, which is given by columns. Without bottoms and tops Phi_i = v^2/2: a
 * quadratic program with the matrix A'A + diag(c), which need not be formed and may be singular. F may also have a kink
 * for each component, kink_j (|origin_j + e_j| - |origin_j|): without bounds this is the lasso.
 *
 * A sweep minimizes over one component after the other, in ascending order, with the curvature
 * ||A_j||^2 + c_j (exact if no row is clipped). Components whose slope keeps them at a bound or a kink are left out
 * until the others have converged. After every six sweeps, Anderson acceleration proposes the combination
 * of the last five points whose moves cancel best; it is accepted if F is lower there.
 *
 * Reference: Hsieh et al. 2008, ICML, "A dual coordinate descent method for large-scale linear SVM" (the
 * shrinking); Yuan, Ho & Lin 2012, JMLR 13, "An improved GLMNET for L1-regularized logistic regression";
 * Bertrand & Massias 2021, AISTATS, "Anderson acceleration of coordinate descent". */
#ifndef RRM_BOX_DESCENT_H
#define RRM_BOX_DESCENT_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

struct box_descent {
    int64_t n, rows;
    const int64_t *start;       /* n + 1: the first entry of each column */
    const int32_t *row;         /* start[n] */
    const double *value;        /* start[n] */
    const double *gradient;     /* n: g */
    const double *low, *high;   /* n, infinities allowed; both 0: the component stays 0 */
    const double *diagonal;     /* n: c >= 0 */
    const double *kink;         /* n: >= 0; NULL: there are none */
    const double *origin;       /* n: read with `kink` */
    const double *first;        /* rows: v */
    const double *bottom, *top; /* rows, infinities allowed; NULL both: no row is clipped */
    /* Stop if the length of F's projected slope, in the metric of the inverse curvatures, is below this fraction of its
     * length in the first sweep. */
    double tolerance;
    /* Stop also if |slope_j| <= max_slope for all visited j; of a component with a kink the slope is its move in the
     * sweep times its curvature. */
    double max_slope;
    int64_t max_sweeps;
    /* Called after each sweep with the number of products of entries of A since the last call; true ends the descent at
     * the current point. */
    bool (*stop)(void *opaque, double products);
    void *opaque;
};

/* Scratch memory for programs of up to `columns` and `rows`. A struct of zero bytes is empty. */
struct box_descent_work {
    int64_t columns, rows;
    double *array;
    int64_t *list;
};

/* e (n) is the starting point, within the box, and receives the result; *value receives F, at most 0 up to rounding
 * (if F > 0 at the starting point, the method starts at 0). Returns the number of sweeps, or -1 with the error
 * set. */
int64_t box_descent_solve(const struct box_descent *program, struct box_descent_work *work,
                          double *e, double *value, struct error *error);
void box_descent_free(struct box_descent_work *work);

#endif
