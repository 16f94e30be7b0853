/* certify.h - a lower bound of min J from a point w alone, for losses of single scores and few features.
 *
 * The dual variables a_i begin as slopes of the losses at w, which are smoothed at their kinks over a width delta. The
 * dual's value is good only if s = sum_i p_i a_i x_i is close to -lambda w. So Newton steps move them there:
 *
 *     r = s + lambda w,   H z = r,   H = sum_i p_i omega_i x_i x_i',   a_i <- a_i - omega_i <x_i, z>,
 *
 * with omega_i the second derivative of a smooth loss, and of another one the square of the distance of a_i to the ends
 * of its domain: what is far from the kinks stays. With a penalty of l1 ||w||_1 and l2/2 ||w||^2, r is the part of
 * s + l2 w outside of [-l1, l1]. Each a_i keeps 5 % of its distance to each end. At most 7 steps for each of three
 * widths, each of about three passes over the data and the product H. The bound is that of dual_bound.h, so it holds
 * whatever the steps do. */
#ifndef RRM_CERTIFY_H
#define RRM_CERTIFY_H

#include "matrix/gram.h"
#include "solvers/solver.h"

struct certify {
    const struct problem *problem;
    struct gram gram;
    double *a;                     /* rows: the dual variables */
    double *omega, *weighted;      /* rows: p_i omega_i, p_i a_i */
    double *score;                 /* rows: of w */
    double *r;                     /* columns: residual, then z; or scratch memory for a slope */
    double *scale, *diagonal;      /* columns: of H */
    double *work;                  /* of Cholesky factors */
    const struct monitor *monitor; /* whose limits end the search */
    bool cut;                      /* they did */
    double step_passes;            /* the cost of a Newton step, in passes of stochastic steps */
};

/* Whether the problem has single scores and at most a thousand features, all in memory. */
bool certify_is_possible(const struct problem *problem);

/* About how many bytes an online solver allocates, with what proves a bound at its end (struct solver). */
double certify_bytes_of_solver(const struct scalar_terms *terms, const void *options);

/* 0, or -1 with the error set; to be freed in either case. */
int certify_init(struct certify *certify, const struct problem *problem,
                 const struct monitor *monitor, struct error *e);
void certify_free(struct certify *certify);

/* A lower bound of min J, at least 0, by w, at which J is OBJECTIVE. It ends early once the relative gap is at most
 * GAP, or after the time of about so many passes of stochastic steps, or, which `cut` says, by the monitor. */
double certify_bound(struct certify *certify, const double *w, double objective, double gap,
                     double passes);

/* Raises the bound of the outcome of a run that neither time nor a signal ended, if its gap is above a hundredth and
 * the problem allows it. Without memory for it the bound stays, and the outcome has a note. Within the gap that the
 * monitor accepts the run has converged. A limit or an interruption ends the search at once, and the run: what the
 * solver carries is still there, to be saved. */
void certify_result(const struct solve *solve);

/* The time of a Newton step that reads the data so often, in passes of stochastic steps. */
double certify_newton_passes(const struct design *design, double reads);

/* The time that a bound may take after so many passes of steps, in passes. */
double certify_passes(double passes);

#endif
