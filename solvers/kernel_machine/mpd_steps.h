/* mpd_steps.h - the subproblem by the method of multipliers, a coordinate a step: MPD.
 *
 *     L(z, eta) = 1/2 z'Qz + q'z + eta'(A z - b) + 1/2 sum_j rho_j (A z - b)_j^2
 *
 *     z_t <- argmin of L over [0, C_t], t the worst violator, until none is above a level;
 *     eta_j <- eta_j + rho_j (A z - b)_j
 *
 * The level falls to the tolerance by a factor an update; the penalties rho rise where |A z - b| does not
 * fall. The eta that is kept is the one of the next update, eta + rho (A z - b): then the slope of L is
 * that of the Lagrangian.
 *
 * Reference: Kienzle & Schoelkopf 2005, ECML, as in Lee 2011, section 4.4; Bertsekas 1999, section 4.2, for
 * the penalties, which neither gives. Step: O(K n). */
#ifndef RRM_MPD_STEPS_H
#define RRM_MPD_STEPS_H

#include "solvers/kernel_machine/subproblem.h"

struct mpd_steps {
    double *penalty; /* functions: rho */
    double mean;     /* of Q_tt */
    double level;    /* up to which violations stay until the next update */
    double before;   /* the imbalance at the last one */
};

/* 0, or -1 with the error set; to be freed in either case. */
int mpd_steps_init(struct mpd_steps *m, int64_t functions, struct error *e);
void mpd_steps_free(struct mpd_steps *m);

/* The first penalties and level: to be called once the subproblem's variables are known. They go on from
 * call to call of the next function. */
void mpd_steps_prepare(struct mpd_steps *m, const struct subproblem *s);

/* As pdsg_steps_solve. */
int mpd_steps_solve(struct mpd_steps *m, struct subproblem *s, double tolerance, int64_t steps,
                    int64_t *taken, struct error *e);

#endif
