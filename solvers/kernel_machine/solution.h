/* solution.h - an approximate solution of the dual of a kernel machine (canonical.h): z and the multipliers beta, with
 * the scores, J and the bound that follow from them; and the best one so far. */
#ifndef RRM_SOLUTION_H
#define RRM_SOLUTION_H

#include "solvers/kernel_machine/canonical.h"

struct solution {
    struct canonical c;
    double *z;        /* count */
    double *f, *h;    /* rows: K theta; K theta + Psi beta */
    double *theta;    /* rows */
    double *beta;     /* functions */
    double *residual; /* equations: A z, and behind it work for |A| |z| */
    double margin;    /* mu, where a margin is learned */
    double objective, bound;
    double passes;         /* rows of K that were added to f, divided by the rows */
    double max_passes;     /* the limit of passes */
    bool exact;            /* f is K theta in doubles, computed since z last changed */
    double *best;          /* z, beta and mu of the smallest J so far */
    double best_objective; /* this J */
    double rounding;       /* by which the bound of z may be too large; 0: it is negligible */
    double proved;       /* the largest bound of another z, with f in doubles, less its rounding */
    double term_seconds; /* of f in doubles, for each theta that is not 0; 0: not known */
};

/* At theta = 0, and beta of least squares of y by Psi. 0, or -1 with the error set; to be freed in either case. */
int solution_init(struct solution *s, const struct problem *problem, double max_passes,
                  struct error *e);
void solution_free(struct solution *s);

/* Lists it. */
void solution_visit(struct solution *s, struct state *state);

/* Takes theta and beta of the caller's basis functions from w. */
void solution_take(struct solution *s, const double *w);

/* theta and J from z, f and h. */
void solution_evaluate(struct solution *s);

/* f = K theta in doubles. */
int solution_recompute(struct solution *s, struct error *e);

/* If there is a limit of time: measures how long solution_recompute takes. Overwrites h and theta. 0, or -1 with the
 * error set. */
int solution_measure(struct solution *s, const struct monitor *monitor, struct error *e);

/* Whether a solution_recompute would end after the limit of time, so that the run is to end now. */
bool solution_is_late(const struct solution *s, const struct monitor *monitor);

/* Keeps z and beta if their J is the smallest so far. */
void solution_keep_best(struct solution *s);

/* Takes these if there are any. f is not theirs. */
void solution_take_best(struct solution *s);

/* Ends a run: writes the solution to w, theta, then beta of the caller's basis functions; if the run has not converged,
 * the best one where that is better. Fills in the outcome but for its iterations and obstacle. J is of w, and the bound
 * of z, with f in doubles, or the proved one; other bounds are dropped, since they came from rows of K rounded to
 * floats. A run that stalled at a certified relative gap within the tolerance has converged. 0, or -1 with the error
 * set. */
int solution_end(struct solution *s, const struct monitor *monitor, enum verdict verdict, double *w,
                 struct outcome *outcome, struct error *e);

/* How far rounding may move lambda/2 theta'K theta: values of K by some units of 2^-53 of sqrt(K_ii K_jj). */
double solution_rounding(const struct solution *s);

#endif
