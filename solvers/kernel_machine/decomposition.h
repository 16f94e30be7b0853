/* decomposition.h - kernel machines with a parametric part, by subproblems over few variables.
 *
 *     minimize over theta, beta:  lambda/2 theta'K theta + sum_i c_i l(h_i, y_i)/sum c,   h = K theta + Psi beta
 *
 * In the dual (canonical.h). Repeat: choose n_B variables (working_set.h); solve the program over these,
 * the others fixed, for z_B and the multipliers eta = beta (the subproblem solver); f <- f + K_.B dtheta_B;
 * stop when no condition of the optimum fails by more than -e, nor |A z|_j by more than -e times the
 * largest C_t over the root of K (of orthonormal psi: canonical.h). As in the thesis, its problem counts: 1/2 w'w + sum C loss.
 *
 * Kernel rows are kept as floats. Where the conditions hold, f is computed anew, in doubles, and they are
 * tested again; J and its bound at any end are of that f. A run that ends before the tolerance returns the
 * iterate of the least J. A pass is m rows of K added to f (alone: to the
 * gradient).
 *
 * n_B is 500 at first unless it is given, and doubles after a subproblem that left most of its variables off
 * their bounds: where those of the solution do not fit, each subproblem undoes what the one before did. It
 * also doubles, given or not, after 30 subproblems without progress, and is at least 10 and 2 (K + 1). It
 * stops at 4000, the rows that the cache holds, and where n_B^2 floats are a quarter of it.
 *
 * Start: beta of least squares of y by Psi, theta = 0, or what is given (-i).
 *
 * Reference: Lee 2011, Algorithm 4. Iteration: n_B m for the gradient, as many kernel values a new row,
 * K m. Memory: the cache, n_B^2 floats, some 16 m doubles. */
#ifndef RRM_DECOMPOSITION_H
#define RRM_DECOMPOSITION_H

#include "solvers/solver.h"

struct decomposition_settings {
    int64_t working_set, fresh; /* n_B, 0: by itself; n_c */
    int64_t sub_working_set;    /* n_W of pdsg_steps.h */
    double cache;               /* MB */
    bool alone;                 /* the subproblem solver on the whole problem */
    bool newton;                /* free_set.h ends each subproblem */
};

enum subproblem_method { SUBPROBLEM_PDSG, SUBPROBLEM_MPD };

extern const char *const decomposition_regularizers[];

/* struct solver's train. */
int decomposition_train(const struct solve *solve, enum subproblem_method method, struct error *e);

/* Rows of the tables of options. */
#define DECOMPOSITION_OPTION_ROWS                                                                  \
    {.name = "working-set",                                                                        \
     .argument = "N",                                                                              \
     .kind = OPTION_INTEGER,                                                                       \
     .low = 0,                                                                                     \
     .high = 20000,                                                                                \
     .default_text = "0",                                                                          \
     .help = "variables of a subproblem, at least 10 and 2 (K + 1), more "                         \
             "when progress ends; 0: 500, or more if the free variables "                          \
             "do not fit",                                                                         \
     .offset = offsetof(struct decomposition_settings, working_set)},                              \
        {.name = "fresh",                                                                          \
         .argument = "N",                                                                          \
         .kind = OPTION_INTEGER,                                                                   \
         .low = 2,                                                                                 \
         .high = 20000,                                                                            \
         .default_text = "100",                                                                    \
         .help = "at most so many of them are new; this number falls by itself",                   \
         .offset = offsetof(struct decomposition_settings, fresh)},                                \
        {.name = "cache",                                                                          \
         .argument = "MB",                                                                         \
         .kind = OPTION_REAL,                                                                      \
         .low = 0,                                                                                 \
         .high = 1e7,                                                                              \
         .default_text = "400",                                                                    \
         .help = "memory for rows of the kernel matrix",                                           \
         .offset = offsetof(struct decomposition_settings, cache)},                                \
        {.name = "newton",                                                                         \
         .argument = "on|off",                                                                     \
         .kind = OPTION_SWITCH,                                                                    \
         .default_text = "on",                                                                     \
         .help = "end each subproblem by Newton steps on the free variables "                      \
                 "and beta; off: slow at large C",                                                 \
         .offset = offsetof(struct decomposition_settings, newton)},                               \
    {                                                                                              \
        .name = "alone", .kind = OPTION_FLAG,                                                      \
        .help = "solve the whole problem without subproblems",                                     \
        .offset = offsetof(struct decomposition_settings, alone)                                   \
    }

#endif
