/* accelerated.h - what agm and agm1 share: their options, the smoothing, the loop. */
#ifndef RRM_ACCELERATED_H
#define RRM_ACCELERATED_H

#include "solvers/form.h"

/* Trains with either memory; for `train` of struct solver. */
int accelerated_train(const struct problem *problem, const struct run_settings *run,
                      const struct accelerated_settings *settings, bool one_memory,
                      struct monitor *monitor, double *w, struct outcome *outcome, struct error *e);

extern const char *const accelerated_regularizers[];
extern const char *const accelerated_forms[],
    *const accelerated_smoothings[], *const accelerated_lipschitz[], *const accelerated_proxes[];

/* The rows of the options of agm and agm1. */
#define ACCELERATED_FIELD(name) .offset = offsetof(struct accelerated_settings, name)
#define ACCELERATED_OPTION_ROWS                                                                    \
    {0,                                                                                            \
     "form",                                                                                       \
     "NAME",                                                                                       \
     OPTION_CHOICE,                                                                                \
     .normal = "primal",                                                                           \
     ACCELERATED_FIELD(form),                                                                      \
     .choices = accelerated_forms,                                                                 \
     .help =                                                                                       \
         "what is solved: primal, the smoothed risk over the weights; dual, without smoothing; "   \
         "smooth-dual; excessive-gap, both sides at once, with smoothing that falls to 0"},        \
        {0,                                                                                        \
         "smoothing",                                                                              \
         "NAME",                                                                                   \
         OPTION_CHOICE,                                                                            \
         .normal = "homotopy",                                                                     \
         ACCELERATED_FIELD(smoothing),                                                             \
         .choices = accelerated_smoothings,                                                        \
         .help = "homotopy: mu falls as the gap closes; fixed: it stays"},                         \
        {0,                                                                                        \
         "mu",                                                                                     \
         "X",                                                                                      \
         OPTION_REAL,                                                                              \
         .low = 0,                                                                                 \
         .high = INFINITY,                                                                         \
         .open = true,                                                                             \
         ACCELERATED_FIELD(mu),                                                                    \
         .help = "smoothing of losses with kinks, the first with homotopy (default: chosen)"},     \
        {0,                                                                                        \
         "lipschitz",                                                                              \
         "NAME",                                                                                   \
         OPTION_CHOICE,                                                                            \
         .normal = "adaptive",                                                                     \
         ACCELERATED_FIELD(lipschitz),                                                             \
         .choices = accelerated_lipschitz,                                                         \
         .help = "the constant L of the gradient: adaptive, found on the way; fixed, a bound"},    \
        {0,                                                                                        \
         "prox",                                                                                   \
         "NAME",                                                                                   \
         OPTION_CHOICE,                                                                            \
         .normal = "plain",                                                                        \
         ACCELERATED_FIELD(prox),                                                                  \
         .choices = accelerated_proxes,                                                            \
         .help = "the prox-function by which kinks are rounded off: plain, the same for each "     \
                 "example; optimized, by the data"},                                               \
        {0,                                                                                        \
         "growth",                                                                                 \
         "X",                                                                                      \
         OPTION_REAL,                                                                              \
         .low = 1,                                                                                 \
         .high = INFINITY,                                                                         \
         .open = true,                                                                             \
         .normal = "2",                                                                            \
         ACCELERATED_FIELD(growth),                                                                \
         .help = "L times this when a step is refused"},                                           \
        {0,                                                                                        \
         "decay",                                                                                  \
         "X",                                                                                      \
         OPTION_REAL,                                                                              \
         .low = 1,                                                                                 \
         .high = INFINITY,                                                                         \
         .normal = "1.1",                                                                          \
         ACCELERATED_FIELD(decay),                                                                 \
         .help = "L is divided by this after each step"},                                          \
    {                                                                                              \
        0, "strong", "X", OPTION_REAL,                                                             \
            .low = 0, .high = INFINITY, .normal = "0", ACCELERATED_FIELD(strong),                  \
            .help = "strong convexity of the risk itself, where it is known"                       \
    }

#endif
