/* lps.h - block-coordinate relaxation with reduced Newton steps, for
 *
 *     minimize over w:  J(w) = R(w) + l1 ||w||_1 + l2/2 ||w||^2,   R smooth,
 *
 * as a solver and as the local phase of rda+. See lps.c. */
#ifndef RRM_LPS_H
#define RRM_LPS_H

#include "solvers/solver.h"

#include <stddef.h>

struct lps_settings {
    double optimality; /* stop at delta(w) <= this (optimality.h); 0: at the certified gap -e */
    double gradient_fraction; /* most steps compute the gradient of this fraction of the components,
                               * always with the nonzero ones; 0: all steps compute all of it, and
                               * only the components that violate optimality most are added to G */
    int64_t hessian_sample;   /* examples of which the Hessian is the mean; 0: all */
    int64_t newton_threshold; /* no Newton steps with more nonzeros than this; 0: no such limit */
};

/* The rows of these options, for a solver whose settings STRUCT have them behind FIELD: "member." or
 * nothing. */
#define LPS_OPTION_ROWS(STRUCT, FIELD)                                                             \
    {.name = "optimality",                                                                         \
     .argument = "X",                                                                              \
     .kind = OPTION_REAL,                                                                          \
     .low = 0,                                                                                     \
     .high = INFINITY,                                                                             \
     .default_text = "0",                                                                          \
     .help = "stop at delta(w) <= X in place of the certified gap -e; delta is the distance "      \
             "of 0 from the subgradients of J, divided by sqrt(n); 0: stop at the gap",            \
     .offset = offsetof(STRUCT, FIELD optimality)},                                                \
        {.name = "gradient-fraction",                                                              \
         .argument = "X",                                                                          \
         .kind = OPTION_REAL,                                                                      \
         .low = 0,                                                                                 \
         .high = 1,                                                                                \
         .default_text = "0",                                                                      \
         .help = "most steps compute the gradient of the nonzero weights and of random others, "   \
                 "together this fraction of all weights; 0: of all weights, and those that "       \
                 "violate optimality most are added",                                              \
         .offset = offsetof(STRUCT, FIELD gradient_fraction)},                                     \
        {.name = "hessian-sample",                                                                 \
         .argument = "N",                                                                          \
         .kind = OPTION_INTEGER,                                                                   \
         .low = 0,                                                                                 \
         .high = OPTION_COUNT_MOST,                                                                \
         .default_text = "0",                                                                      \
         .help = "Newton steps use the Hessian of N random examples (0: of "                       \
                 "all)",                                                                           \
         .offset = offsetof(STRUCT, FIELD hessian_sample)},                                        \
    {                                                                                              \
        .name = "newton-threshold", .argument = "N", .kind = OPTION_INTEGER, .low = 0,             \
        .high = OPTION_COUNT_MOST, .default_text = "0",                                            \
        .help = "no Newton steps while more than N weights are nonzero (0: "                       \
                "no such limit)",                                                                  \
        .offset = offsetof(STRUCT, FIELD newton_threshold)                                         \
    }

bool lps_takes(const struct loss *loss); /* true for smooth losses */
extern const char *const lps_regularizers[];

/* About how many bytes a run allocates, for the lambdas that are used most (struct solver). */
double lps_bytes(const struct scalar_terms *terms);

enum { LPS_START_PASSES = 2 }; /* that lps_run makes before its first step */

/* What an earlier phase of the same run found and used. */
struct lps_start {
    const bool *subset; /* dimension flags: at first only these components may leave 0; all may once
                         * the subset is nearly optimal. NULL: all may from the start */
    double passes;      /* of the earlier phase */
    int64_t iterations; /* of the earlier phase */
};

/* Minimizes J from w until the monitor ends the run; w receives the best point. 0, or -1 with the error
 * set. */
int lps_run(const struct solve *solve, const struct lps_settings *settings,
            const struct lps_start *start, struct error *e);

#endif
