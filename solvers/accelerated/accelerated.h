/* accelerated.h - the accelerated gradient solvers agm and agm1: their loop and options.
 *
 * A problem is put to the method in one of four forms (form.h): primal_form.c over the weights, dual_form.c and
 * excessive_gap.c over the dual variables, boost_form.c over LPBoost's distribution. A form is a composite
 * objective f + Psi: f is a smooth_part (smoothed_risk.c, dual_part.c, or in boost_form.c), Psi a prox
 * (prox_weights.c, prox_box.c, or in boost_form.c). estimation.c takes the steps; it needs a Lipschitz
 * constant L of grad f, which it finds by itself, starting from a bound by curvature.c and spectrum.c.
 * accelerated.c runs the loop: steps, checks of the gap between the form's primal point and bound, and the
 * decrease of the smoothing mu. */
#ifndef RRM_ACCELERATED_H
#define RRM_ACCELERATED_H

#include "solvers/accelerated/form.h"

/* Trains with one memory (agm1) or infinite memory (agm); for `train` of struct solver. */
int accelerated_train(const struct solve *solve, bool one_memory, struct error *e);

extern const char *const accelerated_regularizers[];

/* The options of agm and agm1. */
enum { ACCELERATED_OPTIONS = 8 };
extern const struct option_row accelerated_options[ACCELERATED_OPTIONS];

/* What the rows of the solver table have in common. */
#define ACCELERATED_SOLVER_FIELDS                                                                  \
    .tolerance = "certified relative gap (J - bound)/J at which the run ends", .epsilon = 1e-3,    \
    .passes = 1e5, .offset = true, .needs = SOLVER_NEEDS_SMOOTHED,                                 \
    .regularizers = accelerated_regularizers, .options = accelerated_options,                      \
    .option_count = ACCELERATED_OPTIONS, .settings_size = sizeof(struct accelerated_settings),     \
    .linearizes = true, .distributed = true, .goes_on = true, .reads_floats = true,                \
    .check = form_check

#endif
