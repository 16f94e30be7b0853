/* mpd_steps.h - the method of multipliers (MPD) on a subproblem, by coordinate steps on the augmented
 * Lagrangian
 *
 *     L(z, eta) = 1/2 z'Qz + q'z + eta'(A z - b) + 1/2 sum_j rho_j (A z - b)_j^2
 *
 *     z_t <- argmin of L over [0, C_t], t the variable with the largest violation,
 *            until no violation is above a threshold;
 *     eta_j <- eta_j + rho_j (A z - b)_j
 *
 * After each update of eta the threshold falls by a factor, down to the tolerance. The penalties rho grow if
 * |A z - b| did not fall enough. The subproblem's eta holds eta + rho (A z - b), the value after the next
 * update: with it the gradient of the Lagrangian is that of L.
 *
 * Reference: Kienzle & Schoelkopf 2005, ECML, as in Lee 2011, section 4.4; Bertsekas 1999, section 4.2, for
 * the penalties, which neither of the two specifies. Step: O(K n). */
#ifndef RRM_MPD_STEPS_H
#define RRM_MPD_STEPS_H

#include "solvers/kernel_machine/subproblem.h"

struct mpd_steps {
    double *penalty;       /* functions: rho */
    double mean_diagonal;  /* of Q_tt */
    double threshold;      /* the largest violation that z may keep before the next update of eta */
    double last_imbalance; /* the imbalance at the last update */
};

/* 0, or -1 with the error set; to be freed in either case. */
int mpd_steps_init(struct mpd_steps *m, int64_t functions, struct error *e);
void mpd_steps_free(struct mpd_steps *m);

/* Sets the first penalties and threshold; to be called once the subproblem's variables are known. Later calls
 * of mpd_steps_solve go on with them. */
void mpd_steps_prepare(struct mpd_steps *m, const struct subproblem *s);

/* Like pdsg_steps_solve. */
int mpd_steps_solve(struct mpd_steps *m, struct subproblem *s, double tolerance, int64_t steps,
                    int64_t *taken, struct error *e);

#endif
