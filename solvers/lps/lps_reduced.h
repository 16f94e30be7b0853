/* lps_reduced.h - the reduced problem of lps: J over the components in G, all others staying 0.
 *
 * It works on a copy of the columns in G (matrix/column_subset.h), so that gradients, Hessians and values of
 * J read only these. lps chooses G (lps_reduced_choose), then makes a first-order step (here) and Newton
 * steps (lps_newton.h), which change the point. */
#ifndef RRM_LPS_REDUCED_H
#define RRM_LPS_REDUCED_H

#include "math/box_qp/box_qp.h"
#include "math/random/random.h"
#include "matrix/column_subset.h"
#include "matrix/gram.h"
#include "solvers/lps/lps_descent_work.h"
#include "solvers/solver.h"

/* A point w with its scores and J. */
struct lps_point {
    double *w;          /* dimension */
    double *u;          /* rows: the scores X w */
    double *derivative; /* rows: c_i l'(u_i) */
    double objective;   /* J(w) */
};

enum { LPS_REDUCED_PASSES = 4 }; /* of lps_reduced_choose and a first-order step, at most */

struct lps_reduced {
    const struct problem *problem;
    const struct scalar_terms *terms;
    const struct monitor *monitor; /* polled between Newton steps */
    struct penalty penalty;
    struct column_subset subset; /* the columns in G */
    int64_t hessian_sample; /* rows of this process that the Hessian is computed from; 0: all */
    int64_t *row;           /* the rows' numbers, the sample first; NULL without sampling */
    struct random random;
    double mu;         /* of the last first-order step, in the metric of the Hessian's diagonal */
    double passes;     /* over the whole data, since the last report */
    double max_passes; /* passes that are left until a limit */

    /* rows */
    double *cut_curvature; /* l'' at the full length of a step that was cut */
    bool was_cut;          /* cut_curvature is used in the next model */
    double *du;            /* the scores of the step, X step */
    double *d;             /* p_i l''(u_i) */
    double *image;         /* work */

    /* columns of the subset, `capacity` numbers each */
    double *w, *gradient, *slope, *low, *high, *diagonal, *step;
    int64_t capacity;

    /* Newton steps */
    struct gram gram;      /* the Hessian, when it is formed */
    bool dense;            /* it is */
    bool was_slow;         /* coordinate descent, once: it ended by its limit of sweeps too often */
    bool by_products;      /* since it was, with more rows than components: conjugate gradients */
    int long_steps;        /* of coordinate descent on this G: they ended by that limit */
    bool crosses;          /* the step may change signs */
    double distance;       /* estimate of the relative distance from the optimum: steps need be no
                            * more precise */
    double slope_goal;     /* the reduced problem is solved when |slope_k| <= this for all k */
    double step_remainder; /* part of the last step that was cut off; 0: none */
    double damping;        /* added to the Hessian's diagonal, as a multiple of it */
    double slope_decrease; /* -slope'step: the fall of J along the step to first order */
    double step_curvature; /* the second derivative of J along the step, by the model */
    struct box_qp_work qp;
    struct lps_descent descent; /* freed by the owner of this struct */
};

/* 0, or -1 with the error set; to be freed in either case. */
int lps_reduced_init(struct lps_reduced *reduced, const struct problem *problem,
                     int64_t hessian_sample, const struct run_settings *run,
                     const struct monitor *monitor, struct error *e);
void lps_reduced_free(struct lps_reduced *reduced);

/* Lists what lasts from one G to the next. */
void lps_reduced_visit(struct lps_reduced *reduced, struct state *state);

/* Sets G: the components that may change from now on, ascending. It must have the offset, and all
 * components that are nonzero at the point. */
int lps_reduced_choose(struct lps_reduced *reduced, const struct lps_point *point,
                       const int64_t *column, int64_t count, struct error *e);

/* A step to the minimizer of  g'd + mu/2 ||d||^2 + l1 ||w + d||_1 + l2/2 ||w + d||^2,  g the gradient of
 * R and the norm that of the Hessian's diagonal; mu grows until J falls by 0.3 mu ||d||^2. False when no
 * mu lowers J so far, by rounding or near the optimum. */
bool lps_first_order_step(struct lps_reduced *reduced, struct lps_point *point);

/* ---- for the steps (r->w is the point's w on the subset; r->step a direction there, r->du its scores) */

bool lps_reduced_is_offset(const struct lps_reduced *reduced, int64_t k);

/* The gradient of R at the point, for the components in G. */
void lps_reduced_gradient(struct lps_reduced *reduced, const struct lps_point *point);

/* The diagonal of H = X' diag(d) X + l2 I, and 1 where it is 0. The second function only adds l2 to the
 * diagonal of X' diag(d) X and replaces zeros. */
void lps_reduced_diagonal(struct lps_reduced *reduced);
void lps_reduced_finish_diagonal(struct lps_reduced *reduced);

/* du = X step */
void lps_reduced_scores(struct lps_reduced *reduced);

/* J at w + step r->step. It leaves the derivatives of the losses there in the point. */
double lps_reduced_objective(struct lps_reduced *reduced, struct lps_point *point, double step);

/* Changes the point to w + step r->step, after lps_reduced_objective there. False when the step is so short
 * that w stays the same by rounding; then the point is unchanged. */
bool lps_reduced_move(struct lps_reduced *reduced, struct lps_point *point, double step,
                      double objective);

/* Computes the point's own derivatives again, after lps_reduced_objective elsewhere. */
void lps_reduced_restore(struct lps_reduced *reduced, struct lps_point *point);

/* Whether PASSES more over the subset stay within max_passes. */
bool lps_reduced_affords(const struct lps_reduced *reduced, double passes);

/* Whether a limit is reached, or would be exceeded by one more step. The argument is the struct. */
bool lps_reduced_is_over(void *reduced);

#endif
