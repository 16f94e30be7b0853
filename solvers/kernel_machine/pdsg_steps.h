/* pdsg_steps.h - the subproblem by a primal and a dual step in turn: PDSG.
 *
 *     W: the n_W variables that violate the conditions most, W' those of them off their bounds
 *     d = clip(z - H^-1 g, 0, C) - z on W,  H = Q_W'W' + tau I, and Q_tt for the others
 *     z <- z + alpha d, alpha in [0, 1] the exact minimizer of the Lagrangian
 *     eta <- eta + gamma G^-1 (A z - b)
 *
 * The dual step: the thesis leaves G to Kienzle & Schoelkopf. Here G = sum_t A_t A_t'/Q_tt over all
 * variables, a matrix of few rows that is factored once. Where Q is far from diagonal G^-1 can be too much:
 * gamma, 1 at first, falls to a quarter whenever |A z - b| is twice what it was n steps or more before.
 *
 * n_W = 2 or 3 is best: blocks of more rows of a smooth kernel are nearly singular, and their steps, clipped
 * to the box, hardly descend (Mexican hat, m = 500, c = 1: 0.1, 0.07, 0.01 s for n_W = 1, 2, 3, over 8 s
 * for 5, all without the Newton steps of free_set.h).
 *
 * Reference: Lee 2011, Algorithm 5, (4.8)-(4.12). Step: O((K + n_W) n) for n variables. */
#ifndef RRM_PDSG_STEPS_H
#define RRM_PDSG_STEPS_H

#include "math/cholesky_set.h"
#include "solvers/kernel_machine/subproblem.h"

struct pdsg_steps {
    int64_t most;         /* n_W, at most SUBPROBLEM_ROWS_MOST */
    double *dual;         /* functions x functions: the factor of G */
    double part;          /* gamma */
    double least;         /* what Q_tt counts as at least, in steps */
    int64_t size, inside; /* of W, and of W', which comes first */
    int64_t chosen[SUBPROBLEM_ROWS_MOST];
    double badness[SUBPROBLEM_ROWS_MOST], step[SUBPROBLEM_ROWS_MOST];
    const float *row[SUBPROBLEM_ROWS_MOST];
    struct cholesky_set factor;
};

/* 0, or -1 with the error set; to be freed in either case. */
int pdsg_steps_init(struct pdsg_steps *p, int64_t most, int64_t functions, struct error *e);
void pdsg_steps_free(struct pdsg_steps *p);

/* G of the subproblem: to be called once its variables are known. */
void pdsg_steps_prepare(struct pdsg_steps *p, const struct subproblem *s);

/* Until no violation is above `tolerance` and the imbalance neither, but no more than `steps`. Adds the
 * steps to *taken. 1: reached, 0: not, -1 with the error set. */
int pdsg_steps_solve(struct pdsg_steps *p, struct subproblem *s, double tolerance, int64_t steps,
                     int64_t *taken, struct error *e);

#endif
