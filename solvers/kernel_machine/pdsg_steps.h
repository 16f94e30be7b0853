/* pdsg_steps.h - primal-dual scaled gradient steps (PDSG) on a subproblem. A step is
 *
 *     W:  the n_W variables with the largest violations, W' the free ones among them
 *     d = clip(z - H^-1 g, 0, C) - z on W,  H = Q_W'W' + tau I on W', and Q_tt on the other variables
 *     z <- z + alpha d, alpha in [0, 1] the exact minimizer of the Lagrangian
 *     eta <- eta + gamma G^-1 (A z - b)
 *
 * The thesis leaves the matrix G of the dual step to Kienzle & Schoelkopf. Here G = sum_t A_t A_t'/Q_tt over
 * all variables, a K x K matrix that is factored once. If Q is far from diagonal, G^-1 can be too large. So
 * gamma starts at 1 and is divided by 4 whenever |A z - b| is more than twice the smallest one at the ends of
 * the windows of n steps before.
 *
 * n_W = 2 or 3 is best. Larger blocks of a smooth kernel are nearly singular, and their steps, clipped to the
 * box, hardly descend (Mexican hat, m = 500, c = 1, without free_set.h: 0.1, 0.07, 0.01 s for n_W = 1, 2, 3,
 * over 8 s for 5).
 *
 * Reference: Lee 2011, Algorithm 5, (4.8)-(4.12). Step: O((K + n_W) n) for n variables. */
#ifndef RRM_PDSG_STEPS_H
#define RRM_PDSG_STEPS_H

#include "math/matrices/cholesky_set.h"
#include "solvers/kernel_machine/subproblem.h"

struct pdsg_steps {
    int64_t max_size;         /* n_W, at most SUBPROBLEM_MAX_ROWS */
    double *dual;             /* functions x functions: the factor of G */
    double dual_step;         /* gamma */
    double min_diagonal;      /* a smaller Q_tt is replaced by this in steps */
    int64_t size, free_count; /* of W, and of W', whose variables come first */
    int64_t chosen[SUBPROBLEM_MAX_ROWS];
    double violation[SUBPROBLEM_MAX_ROWS], step[SUBPROBLEM_MAX_ROWS];
    const float *row[SUBPROBLEM_MAX_ROWS];
    struct cholesky_set factor;
};

/* 0, or -1 with the error set; to be freed in either case. */
int pdsg_steps_init(struct pdsg_steps *p, int64_t max_size, int64_t functions, struct error *e);
void pdsg_steps_free(struct pdsg_steps *p);

/* Computes and factors G; to be called once the subproblem's variables are known. */
void pdsg_steps_prepare(struct pdsg_steps *p, const struct subproblem *s);

/* Takes at most `steps` steps until no violation and no imbalance is above `tolerance`, and adds the steps
 * taken to *taken. 1: reached; 0: not reached; -1 with the error set. */
int pdsg_steps_solve(struct pdsg_steps *p, struct subproblem *s, double tolerance, int64_t steps,
                     int64_t *taken, struct error *e);

#endif
