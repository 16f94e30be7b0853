/* free_set.h - an active-set Newton method that ends each subproblem. F is the set of free variables, which
 * are off their bounds. A step solves for the free variables and the multipliers together,
 *
 *     [ Q_FF + ridge   A_F' ] [ dz   ]     [ g_F      ]
 *     [ A_F            0    ] [ deta ] = - [ A z - b  ]
 *
 * and is cut where the first variable meets a bound. That variable leaves F. After a full step (length 1) the
 * variables at bounds with the largest violations join F. If no step in F can make A z - b zero, the
 * multipliers move along A z - b until the gradient of a variable at a bound is zero, and this variable joins.
 * Apart from rounding, the method is exact after a finite number of steps, and fast if the start's F is nearly
 * right.
 *
 * The Cholesky factor L L' = Q_FF + ridge, L^-1 A_F' and L^-1 g_F are kept from step to step. The Givens
 * rotations that remove a variable from L are applied to the other two, so that a step costs one triangular
 * solve. The gradient outside F is brought up to date after each full step, and after 32 cut steps.
 *
 * Reference: Nocedal & Wright 2006, section 16.5 (not in the thesis). Cost: |F|^3/3 at the start,
 * O(|F|^2 + K^2 |F| + K^3) a step, and O(|F| n) more for a full one. */
#ifndef RRM_FREE_SET_H
#define RRM_FREE_SET_H

#include "math/matrices/cholesky_set.h"
#include "solvers/kernel_machine/subproblem.h"

struct free_set {
    int64_t capacity;      /* the largest |F|; of more variables the factor would cost too much */
    int64_t size;          /* |F| */
    int64_t max_join;      /* variables that may join at once; halved when they block a step */
    double operations;     /* so far, about */
    double mean_diagonal;  /* the mean of Q_tt */
    int64_t *member;       /* capacity: F */
    int64_t *initial;      /* capacity: F at the start */
    double *step, *column; /* capacity: dz; CHOLESKY_SET_TOGETHER columns of work memory */
    double *reduced_gradient;   /* capacity: -L^-1 g_F, valid if is_reduced */
    double *reduced_a;          /* functions x capacity: L^-1 A_F' */
    double *gram_factor;        /* functions x functions: of A_F Q_FF^-1 A_F' */
    double *eta_step;           /* functions: the step of eta */
    double *pending_z;          /* count: steps of z that the gradient does not contain yet */
    double *pending_eta;        /* functions: steps of eta that are not applied yet */
    int64_t pending_steps;      /* the number of these steps */
    bool is_reduced;            /* reduced_gradient belongs to the current F and z */
    double *saved_state;        /* z, gradient, eta and residual at the start */
    int64_t refused_count;      /* variables marked REFUSED_VARIABLE */
    unsigned char *membership;  /* count: outside F, in F, or refused for now */
    struct cholesky_set factor; /* L */
};

/* For subproblems of up to `count` variables, of which up to `max_size` may be free. 0, or -1 with the error
 * set; to be freed in either case. */
int free_set_init(struct free_set *f, int64_t count, int64_t max_size, int64_t functions,
                  struct error *e);
void free_set_free(struct free_set *f);

/* Takes at most `steps` steps until no violation and no imbalance is above `tolerance`. 1: reached; 0: not
 * reached, and the larger of the two has not grown; -1 with the error set. */
int free_set_solve(struct free_set *f, struct subproblem *s, double tolerance, int64_t steps,
                   struct error *e);

#endif
