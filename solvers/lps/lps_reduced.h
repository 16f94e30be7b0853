/* lps_reduced.h - the reduced problem of lps: J over a few components, the rest staying 0.
 *
 * It lives on a copy of the columns (matrix/column_subset.h), so that its gradients, Hessians and function values
 * touch only these. */
#ifndef RRM_LPS_REDUCED_H
#define RRM_LPS_REDUCED_H

#include "math/box_qp.h"
#include "math/random.h"
#include "matrix/column_subset.h"
#include "matrix/gram.h"
#include "solvers/lps/lps_descent.h"
#include "solvers/solver.h"

/* A point with what depends on it. */
struct lps_point {
    double *w;        /* dimension */
    double *u;        /* rows: the scores X w */
    double *push;     /* rows: c_i l'(u_i) */
    double objective; /* J(w) */
};

enum { LPS_REDUCED_PASSES = 4 }; /* of the choice and a first-order step, at most */

struct lps_reduced {
    const struct problem *problem;
    const struct scalar_parts *parts;
    const struct monitor *monitor; /* asked between Newton steps */
    struct penalty penalty;
    struct column_subset subset;
    int64_t hessian_sample; /* rows; 0: all */
    int64_t *row;           /* their numbers, the sample first; NULL without sampling */
    struct random random;
    double mu; /* of the last first-order step: in the metric of the diagonal, ||step||^2
                      costs mu/2 */
    double passes, passes_most; /* over the whole data, since and until the next report */

    double *crossed;        /* rows: curvature that the last step met beyond where it was cut */
    bool cut;               /* it was */
    double *du, *d, *image; /* rows */
    double *w, *gradient, *slope, *low, *high, *diagonal, *step; /* columns of the subset */
    int64_t capacity;                                            /* of the latter */
    struct gram gram;
    bool dense;      /* the Hessian is formed */
    double distance; /* from the optimum, of which the precision of a step depends */
    double goal;     /* |slope_k| <= goal for all k: the reduced problem is solved well enough */
    double left;     /* of the last step on the same subset, where it was cut */
    double damping;  /* parts of its diagonal that are added */
    double promise;  /* the fall of J along the step by its slope, and its curvature there */
    double curved;
    struct box_qp_work qp;
    struct lps_descent descent; /* its owner is who frees it */
};

/* 0, or -1 with the error set; to be freed in either case. */
int lps_reduced_init(struct lps_reduced *reduced, const struct problem *problem,
                     int64_t hessian_sample, const struct run_settings *run,
                     const struct monitor *monitor, struct error *e);
void lps_reduced_free(struct lps_reduced *reduced);

/* The components that may move from now on, ascending; an offset must be among them, and all that are
 * not 0 at the point. */
int lps_reduced_choose(struct lps_reduced *reduced, const struct lps_point *point,
                       const int64_t *column, int64_t count, struct error *e);

/* A step to the minimizer of  g'd + mu/2 ||d||^2 + l1 ||w + d||_1 + l2/2 ||w + d||^2,  g the gradient of
 * R and the norm that of the Hessian's diagonal; mu grows until J falls by 0.3 mu ||d||^2. False when
 * rounding is all that is left. */
bool lps_first_order_step(struct lps_reduced *reduced, struct lps_point *point);

/* ---- for the steps (r->w is the point's w on the subset; r->step a direction there, r->du its scores) */

bool lps_reduced_is_offset(const struct lps_reduced *reduced, int64_t k);

/* The gradient of R at the point, by the subset. */
void lps_reduced_gradient(struct lps_reduced *reduced, const struct lps_point *point);

/* The diagonal of H by r->d, with l2; 1 where it is 0. The latter alone, from that of X'dX. */
void lps_reduced_diagonal(struct lps_reduced *reduced);
void lps_reduced_finish_diagonal(struct lps_reduced *reduced);

/* du = X step */
void lps_reduced_scores(struct lps_reduced *reduced);

/* J at w + step r->step; leaves the push of there in the point. */
double lps_reduced_objective(struct lps_reduced *reduced, struct lps_point *point, double step);

/* Goes there, after the latter; false, and nothing is done, when all is lost in rounding. */
bool lps_reduced_move(struct lps_reduced *reduced, struct lps_point *point, double step,
                      double objective);

/* The push of the point itself. */
void lps_reduced_restore(struct lps_reduced *reduced, struct lps_point *point);

/* Whether PASSES over the subset stay within the limit. */
bool lps_reduced_affords(const struct lps_reduced *reduced, double passes);

/* Whether a limit was reached, or the next product of a step would go beyond; the argument is the struct. */
bool lps_reduced_is_over(void *reduced);

#endif
