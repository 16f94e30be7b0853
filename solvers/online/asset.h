/* asset.h - what asset, asset* and their forms for streams share: steps, averages, options.
 *
 *     minimize  lambda/2 ||w||^2 + R(w, b)     over  ||w|| <= D, |b| <= B
 *     z = (w, b),   z_j = Project( z_{j-1} - eta_j G_j ),   G_j: a subgradient of one example
 *     asset    eta_j = D_Z/(D_G sqrt j),   D_Z = sqrt(D^2 + B^2),   D_G^2: mean ||G||^2 at 0 of a sample
 *     asset*   eta_j = 1/(lambda j), without b
 *     result   sum_{j >= K} eta_j z_j / sum_{j >= K} eta_j
 *
 * With --limit-steps (online.h) the step along an example's G_j is shorter where eta_j is too long for it.
 * Squared hinge, lambda 1e-4, 20 passes, J without and with it: glass 2e6, 0.28; spambase 1e4, 4.8; page-blocks
 * 4e10, 91 (optimum 0.16, 0.29, 0.18); a9a 0.429 in both cases.
 *
 * D = 1/sqrt(lambda) for the hinge loss; in general D is the radius of the ball that holds the optimum
 * (online.h). In b the objective need only be convex.
 *
 * Reference: Lee 2011, Algorithm 3 (ASSET), equations (3.25) to (3.27) and section 3.3.3; the estimate of
 * D_G there has 1/M^2 in place of 1/M. Nemirovski, Juditsky, Lan & Shapiro 2009. */
#ifndef RRM_ASSET_H
#define RRM_ASSET_H

#include "solvers/online/online.h"

struct asset_settings {
    struct online_settings online; /* first */
    int64_t average_from;          /* K; 0: the default */
    double bound;                  /* B; for asset only */
    int64_t sample;                /* examples for the estimate of D_G; for asset only */
};

enum { ASSET_MAX_SAMPLE = 1000000 };

#define ASSET_BOUND_OFFSET 5 /* the default of --bound-offset */

/* Rows of the options. */
#define ASSET_AVERAGE_ROW(DEFAULT)                                                                 \
    {                                                                                              \
        .name = "average-from", .argument = "K", .kind = OPTION_INTEGER, .low = 1,                 \
        .high = OPTION_COUNT_MOST,                                                                 \
        .help = "the average begins with step K of Algorithm 3 (default: " DEFAULT ")",            \
        .offset = offsetof(struct asset_settings, average_from)                                    \
    }

#define ASSET_STEP_ROWS                                                                            \
    {.name = "bound-offset",                                                                       \
     .argument = "B",                                                                              \
     .kind = OPTION_REAL,                                                                          \
     .low = 0,                                                                                     \
     .high = INFINITY,                                                                             \
     .open = true,                                                                                 \
     .default_text = "5",                                                                          \
     .help = "the offset of --intercept stays within [-B, B]; a large B makes long steps",         \
     .offset = offsetof(struct asset_settings, bound)},                                            \
    {                                                                                              \
        .name = "sample", .argument = "N", .kind = OPTION_INTEGER, .low = 1,                       \
        .high = ASSET_MAX_SAMPLE, .default_text = "1000",                                          \
        .help = "examples used to estimate the length of subgradients",                            \
        .offset = offsetof(struct asset_settings, sample)                                          \
    }

/* The state of the step sizes and of the average. */
struct asset_steps {
    bool strong; /* asset* */
    double lambda;
    double step_scale;     /* D_Z/D_G */
    int64_t j;             /* steps begun */
    int64_t average_from;  /* K */
    int64_t next_restart;  /* before K: the next power of 2, where the average begins anew */
    int64_t average_start; /* the step with which the present average began */
    int64_t clipped_steps; /* steps since then that clipped the offset to its bound */
};

/* 0, or a usage error for an option that would have no effect. */
int asset_check(const struct solver_request *request, struct error *e);

/* Begins the next step and returns its eta. *restart: the average begins anew with this step. */
double asset_step(struct asset_steps *steps, bool *restart);

/* Lists what the next steps depend on. */
void asset_visit(struct asset_steps *steps, struct state *list);

/* Appends a note to TEXT (SIZE bytes) if the offset was clipped to its bound B in more than one in a hundred
 * steps of the present average. */
void asset_note(const struct asset_steps *steps, double bound, char *text, size_t size);

#endif
