/* free_set.h - the end of a subproblem: Newton steps in the variables off their bounds and the multipliers
 * together.
 *
 *     [ Q_FF + ridge   A_F' ] [ dz  ]     [ g_F      ]
 *     [ A_F            0    ] [ eta ] = - [ A z - b  ]
 *
 * as long as the box allows; a variable that meets its bound leaves F, and once a whole step was taken the
 * worst violators at the bounds join; where F cannot balance A z, as the multipliers move along A z - b, the
 * first variable at a bound whose slope vanishes and that can. An active-set method: exact in a finite number
 * of steps but for rounding, and quick where F is known but for a few.
 *
 * The factor Q_FF + ridge = L L' is kept from step to step, and with it L^-1 A_F' and L^-1 g_F, which the
 * rotations that take a variable out of L turn too: a step is one triangular solve. Slopes outside of F follow
 * once a whole step was taken, or 32 parts.
 *
 * Not in the thesis. Nocedal & Wright 2006, section 16.5. Start: |F|^3/3; step: O(|F|^2 + K |F| + K^3), whole
 * ones O(K^2 |F| + |F| n) more. */
#ifndef RRM_FREE_SET_H
#define RRM_FREE_SET_H

#include "math/cholesky_set.h"
#include "solvers/kernel_machine/subproblem.h"

struct free_set {
    int64_t most; /* more variables are not taken: their factor would cost too much */
    int64_t size, joining;
    double mean;           /* of Q_tt */
    int64_t *member;       /* F */
    int64_t *inside;       /* most: who is to join at the start */
    double *step, *column; /* most: dz, and room */
    double *reduced;       /* most: -L^-1 g_F, where `current` */
    double *image;         /* functions x most: L^-1 A_F' */
    double *gram, *dual;   /* functions x functions: A_F Q_FF^-1 A_F', and its factor */
    double *shift;         /* functions: the step of eta */
    double *moved;         /* count: the sum of steps that slopes have not followed yet, */
    double *shifted;       /* functions: of eta, */
    int64_t waiting;       /* how many */
    bool current;
    double *state; /* where the steps began */
    int64_t refused;
    unsigned char *state_of; /* of each variable: outside, within F, refused */
    struct cholesky_set factor;
};

/* For subproblems of up to `count` variables. 0, or -1 with the error set; to be freed in either case. */
int free_set_init(struct free_set *f, int64_t count, int64_t most, int64_t functions,
                  struct error *e);
void free_set_free(struct free_set *f);

/* Until no violation and no imbalance is above `tolerance`, but no more than `steps`. 1: reached, 0: not, and
 * neither grew, -1 with the error set. */
int free_set_solve(struct free_set *f, struct subproblem *s, double tolerance, int64_t steps,
                   struct error *e);

#endif
