/* decomposition.h - kernel machines with a parametric part, trained by decomposition (-s pdsg, -s mpd):
 *
 *     minimize over theta, beta:  lambda/2 theta'K theta + sum_i c_i l(h_i, y_i)/sum c,
 *     h = K theta + Psi beta
 *
 * The dual is a quadratic program with a box and K equations (canonical.h), K the number of basis functions.
 * An iteration:
 *
 *   1. choose n_B variables, among them those with the largest violations (working_set.h);
 *   2. solve the program over these with the others fixed: z_B and the multipliers eta = beta
 *      (subproblem_solver.h, by steps of pdsg_steps.h or mpd_steps.h and Newton steps of free_set.h);
 *   3. f <- f + K_.B dtheta_B, with rows of K from a cache (kernel/row_cache.h);
 *   4. stop if no condition of the optimum is violated by more than -e, and no |A z|_j exceeds -e times
 *      (max C_t)/sqrt(K). As in the thesis, -e is in units of the problem 1/2 w'w + sum C loss.
 *
 * The family's files: canonical.h states the dual; subproblem.h holds the state of a subproblem (z, eta,
 * gradient, residual), which the steps of pdsg_steps.h, mpd_steps.h and free_set.h change; expansion.h computes
 * f = K theta; decomposition.c is the loop; pdsg.c and mpd.c are the two solvers.
 *
 * Rows of K are kept as floats. Once the conditions hold, f is recomputed in doubles and the conditions are
 * tested again. J and its bound at the end are of that f. A run that ends before the tolerance returns the
 * iterate of the smallest J. A pass is m rows of K that are added to f (with --alone: to the gradient).
 *
 * n_B starts at 500 unless it is given, and doubles after a subproblem of which 60 % of the variables are free:
 * if the free variables of the optimum do not fit, each subproblem undoes the work of the one before. Given or
 * not, n_B also doubles after 30 iterations without progress, and is at least 10 and 2 (K + 1). Growth ends at
 * 4000, at the rows that the cache holds, and where n_B^2 floats are a quarter of the cache.
 *
 * Start: theta = 0 and beta of least squares of y by Psi, or the given model (-i).
 *
 * Reference: Lee 2011, Algorithm 4. Cost of an iteration: n_B m for f, and m kernel values for each row of K
 * that is not cached, K m for the conditions. Memory: the cache, n_B^2 floats, about 16 m doubles. */
#ifndef RRM_DECOMPOSITION_H
#define RRM_DECOMPOSITION_H

#include "solvers/kernel_machine/decomposition_settings.h"
#include "solvers/solver.h"

extern const char *const decomposition_regularizers[];

/* Trains by decomposition; for `train` of struct solver. */
int decomposition_train(const struct solve *solve, enum subproblem_method method, struct error *e);

/* Options of both solvers. */
#define DECOMPOSITION_OPTION_ROWS                                                                  \
    {.name = "working-set",                                                                        \
     .argument = "N",                                                                              \
     .kind = OPTION_INTEGER,                                                                       \
     .low = 0,                                                                                     \
     .high = 20000,                                                                                \
     .default_text = "0",                                                                          \
     .help = "variables of a subproblem (the thesis's n_B), at least 10 and 2 (K + 1), more "      \
             "when progress ends; 0: 500, or more if the free variables "                          \
             "do not fit",                                                                         \
     .offset = offsetof(struct decomposition_settings, working_set)},                              \
        {.name = "fresh",                                                                          \
         .argument = "N",                                                                          \
         .kind = OPTION_INTEGER,                                                                   \
         .low = 2,                                                                                 \
         .high = 20000,                                                                            \
         .default_text = "100",                                                                    \
         .help = "at most so many of them are new (n_c); this number falls by itself",             \
         .offset = offsetof(struct decomposition_settings, max_new)},                              \
        {.name = "kernel-cache",                                                                   \
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

/* What the rows of the solver table have in common. */
#define DECOMPOSITION_SOLVER_FIELDS                                                                \
    .tolerance = "the largest violation of the conditions of the optimum, as LIBSVM's",            \
    .epsilon = 1e-3, .passes = 1e5, .offset = true, .regularizers = decomposition_regularizers,    \
    .takes_loss = loss_is_piecewise_linear, .is_kernel_expansion = true, .goes_on = true,          \
    .settings_size = sizeof(struct decomposition_settings)

#endif
