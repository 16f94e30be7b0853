/* averaging.h - regularized dual averaging: the iterate is a function of the sum of all gradients.
 *
 *     G_t = g_1 + ... + g_t                                    (means over the batches)
 *     w_{t+1} = argmin <G_t/t, w> + l1 ||w||_1 + l2/2 ||w||^2 + beta_t/t h(w),   h(w) = 1/2 ||w||^2
 *             = -f_t soft(G_t, l1 t),   f_t = 1/(l2 t + beta_t)
 *
 * from w_1 = 0, with beta_t = gamma sqrt t; or, for l2 > 0 and AVERAGING_LOG, l2 (1 + ln t), which has no
 * gamma. rda.c compares the two. An unregularized offset is -G_t/(gamma sqrt t) in both cases.
 * The theory has subgradients of bounded length. Where the slope of the loss is not bounded (squared, squared hinge),
 * AVERAGING_HALF takes the derivative a of an example's loss after half of the step, at u - mu a/2 with
 * mu = f_t ||x||^2 (and the offset's factor). With the one at u, AVERAGING_BEFORE, as published, a few examples with
 * large values are enough for divergence.
 *
 * Only G is stored. The weights of an example's features are computed when the example is drawn, so a
 * step costs O(nonzeros of the batch).
 *
 * The mean of all iterates w_2 .. w_{t+1} costs no more. While G_j is constant, w_j is nonzero up to step
 * floor(|G_j|/l1); its sum over those steps is -sgn(G_j) (|G_j| P - l1 Q), where P and Q are the sums of
 * f_s and of s f_s, kept as prefix sums. Every max(n, steps of a pass) steps all coordinates are brought
 * up to date and the prefix sums begin anew: O(1) a step.
 *
 * Reference: Xiao 2010, Algorithm 1; Lee 2011, Algorithm 2 (its dual averaging), equation (2.44),
 * with h(w) = ||w||^2 there: its gamma is half of this one. */
#ifndef RRM_AVERAGING_H
#define RRM_AVERAGING_H

#include "solvers/sparse/sparse.h"

/* Functions that each step calls, for manifold identification. They must be fast. */
struct averaging_observer {
    void *opaque;

    /* Step t (1, 2, ...), which is in progress, changes G_j: called once for each example of the batch
     * that has feature j, in any order. G_j changes at no other time; but w_j becomes 0 without a call
     * when l1 t passes |G_j|. Not called for the offset. */
    void (*touched)(void *opaque, int64_t t, int64_t j, double before, double after);

    /* Called after step t; true ends the run. */
    bool (*stepped)(void *opaque, int64_t t);

    /* Lists what the observer has after step t, for a checkpoint. NULL: there is none. */
    void (*visit)(void *opaque, int64_t t, struct state *list);
};

enum averaging_beta { AVERAGING_SQRT, AVERAGING_LOG, AVERAGING_BETA_AUTO };

/* The row of the option of rda+; the settings STRUCT has it as FIELD. */
#define AVERAGING_BETA_ROW(STRUCT, FIELD)                                                          \
    {                                                                                              \
        .name = "beta", .argument = "sqrt|log", .kind = OPTION_CHOICE, .choices = averaging_betas, \
        .default_text = "sqrt",                                                                    \
        .help = "beta_t, the weight of the method's term ||w||^2/2: gamma sqrt(t), or log(t) "     \
                "with the elastic net",                                                            \
        .offset = offsetof(STRUCT, FIELD)                                                          \
    }

enum averaging_slope {
    AVERAGING_BEFORE,
    AVERAGING_HALF,
    AVERAGING_CORRECTED, /* corrected_averaging.h */
    AVERAGING_SLOPE_AUTO
};

extern const char *const averaging_betas[];  /* sqrt and log */
extern const char *const averaging_slopes[]; /* before and half */

#define AVERAGING_SLOPE_ROW(STRUCT, FIELD)                                                         \
    {                                                                                              \
        .name = "slope", .argument = "before|half", .kind = OPTION_CHOICE,                         \
        .choices = averaging_slopes, .default_text = "half",                                       \
        .help = "squared loss and squared hinge: the slope of a loss is that before the step, "    \
                "as published, or after half of it, which does not diverge",                       \
        .offset = offsetof(STRUCT, FIELD)                                                          \
    }

/* 0, or a usage error for --beta log where it would have no effect. */
int averaging_check(const struct solver_request *request, int beta, struct error *e);

/* The settings of rda; rda+ fills them, without the values auto, for its phase 1. */
struct averaging_settings {
    struct sparse_settings sparse; /* first: sparse_gamma reads it */
    int beta;                      /* enum averaging_beta */
    int slope;                     /* enum averaging_slope */
};

/* The gamma of the settings, or the best one in short runs of rda (sparse_gamma). 1 where the steps do not
 * depend on gamma. 0 with the error set when memory is short. A sample's runs of corrected steps have fewer of
 * them, so they take longer ones: their gamma grows with the square root of the rows. */
double averaging_gamma(const struct solve *solve, struct error *e);

struct averaging_plan {
    double gamma;                              /* > 0 */
    int beta;                                  /* enum averaging_beta */
    int slope;                                 /* enum averaging_slope */
    int output;                                /* enum online_output */
    const struct averaging_observer *observer; /* NULL: none */
    bool certifies;                            /* certify_result follows the run */
    double *mean; /* receives G_t/t at the end, `dimension` doubles; may be NULL */
};

/* Runs from w_1 = 0 until the monitor or the observer ends the run. w receives the result. If the observer
 * ended the run, w is w_{t+1}, the verdict is VERDICT_CONVERGED, the objective not-a-number and the bound
 * -infinity. 0, or -1 with the error set; after an overflow w is undefined, and the outcome has iterations
 * and passes only. */
int averaging_run(const struct solve *solve, const struct averaging_plan *plan, struct error *e);

#endif
