/* averaging.h - regularized dual averaging: the iterate is a function of the sum of all gradients.
 *
 *     G_t = g_1 + ... + g_t                                    (means over the batches)
 *     w_{t+1} = argmin <G_t/t, w> + l1 ||w||_1 + l2/2 ||w||^2 + beta_t/t h(w),   h(w) = 1/2 ||w||^2
 *             = -f_t soft(G_t, l1 t),   f_t = 1/(l2 t + beta_t)
 *
 * from w_1 = 0, with beta_t = gamma sqrt t; or, for l2 > 0 and AVERAGING_LOG, l2 (1 + ln t), without a
 * gamma: rda.c has what speaks for each. On an unregularized offset -G_t/(gamma sqrt t) in both cases.
 * Nothing but G is stored: an example's weights are computed when they are wanted, and a step costs
 * O(nonzeros of the batch).
 *
 * The mean of all iterates w_2 .. w_{t+1}: while G_j stays, w_j is not 0 up to the step
 * floor(|G_j|/l1), and over those steps sums up to -sgn(G_j) (|G_j| P - l1 Q), P and Q the sums of
 * f_s and of s f_s, kept as prefix sums. Every max(n, steps of a pass) steps all coordinates are
 * brought up to date and the sums begin anew: O(1) a step.
 *
 * Reference: Xiao 2010, Algorithm 1; Lee 2011, Algorithm 2 (its dual averaging), equation (2.44),
 * with h(w) = ||w||^2 there: its gamma is half of this one. */
#ifndef RRM_AVERAGING_H
#define RRM_AVERAGING_H

#include "solvers/sparse/sparse.h"

/* Whom each step is told: for manifold identification. Called from within the step, so cheap. */
struct averaging_observer {
    void *opaque;

    /* Step t, the one in progress (1, 2, ...), changed G_j: once for each example of the batch with
     * the feature, in any order. What is between calls does not change G_j; but w_j of an untouched j
     * becomes 0 when l1 t passes |G_j|. The offset's column is not told. */
    void (*touched)(void *opaque, int64_t t, int64_t j, double before, double after);

    /* Step t is complete; true ends the run there. */
    bool (*stepped)(void *opaque, int64_t t);
};

enum averaging_beta { AVERAGING_SQRT, AVERAGING_LOG };

extern const char *const averaging_betas[];

/* The row of the option; the settings STRUCT has it as FIELD. */
#define AVERAGING_BETA_ROW(STRUCT, FIELD)                                                          \
    {                                                                                              \
        .name = "beta", .argument = "sqrt|log", .kind = OPTION_CHOICE, .choices = averaging_betas, \
        .default_text = "sqrt",                                                                    \
        .help = "growth of the term that pulls weights to 0: gamma sqrt t; "                       \
                "or log t, with the elastic net",                                                  \
        .offset = offsetof(STRUCT, FIELD)                                                          \
    }

/* The settings of rda, and those of its steps elsewhere. */
struct averaging_settings {
    struct sparse_settings sparse; /* first: sparse_gamma reads it */
    int beta;                      /* enum averaging_beta */
};

/* The gamma of the options, struct averaging_settings, or the best for rda's short runs
 * (sparse_gamma), if the steps depend on one; else 1. 0 with the error set when memory is short. */
double averaging_gamma(const struct solve *solve, struct error *e);

struct averaging_plan {
    double gamma;                              /* > 0 */
    int beta;                                  /* enum averaging_beta */
    int output;                                /* enum online_output */
    const struct averaging_observer *observer; /* NULL: none */
    double *mean; /* receives G_t/t at the end, `dimension` doubles; NULL: not wanted */
};

/* Runs from w_1 = 0 to the monitor's verdict, by the plan: the options are not looked at. w receives
 * the result. When it was the observer that ended the run, w is w_{t+1}, and of the outcome only
 * iterations, passes and the verdict, VERDICT_CONVERGED, are known: the objective is not-a-number,
 * the bound -infinity. 0, or -1 with the error set; after an overflow w holds anything, and the
 * outcome has iterations and passes. */
int averaging_run(const struct solve *solve, const struct averaging_plan *plan, struct error *e);

#endif
