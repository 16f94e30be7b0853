/* online.h - the loop that all online subgradient methods share.
 *
 *     w <- Project_S( w - eta_t ( curvature_t w + mean over the batch of a subgradient ) )
 *
 * with a random batch A_t of k items, drawn with probability proportional to their weights, and S
 * the ball of radius rho/sqrt(lambda) that holds the optimum. A solver is a rule that sets eta_t and
 * curvature_t. A step costs O(nonzeros of the batch), whatever the dimension.
 *
 * The files of this folder:
 *
 *     online     this loop: batch, rule, step, projection, average
 *     iterate    the point w = scale * v that a sparse step moves, and the average of all points
 *     batch_step steps of many items, by threads
 *     anneal     epochs of doubling length, within which the step sizes fall to 0
 *     pegasos adaptive proximal asset   the solvers: their rules and options
 *     metric     a norm learned from the features; metric_steps: this loop with steps in it
 *     multipliers  dual coordinates in this norm, in a loop of their own
 *     averages   running averages of their points, and the best combination with the last one
 *     certify    a lower bound from a point; finish: the end of a run by another solver, on small data
 *     asset_on   the steps of asset for streams; it has a loop of its own
 *
 * solvers/passes.h runs the loop pass by pass, reports to the monitor and chooses the point to return. */
#ifndef RRM_ONLINE_H
#define RRM_ONLINE_H

#include "solvers/passes.h"

/* The first member of every online solver's options. */
struct online_settings {
    bool project; /* onto the ball S */
    int output;   /* enum online_output */
    bool limit; /* no step is longer than 2 loss/||subgradient||^2, of the mean loss of its items */
};

extern const char *const online_regularizers[];

/* The rows of these options, for the solvers' tables. */
#define ONLINE_PROJECT_ROW                                                                         \
    {                                                                                              \
        .name = "project", .argument = "on|off", .kind = OPTION_SWITCH, .default_text = "on",      \
        .help = "project each iterate onto the ball that holds the optimum",                       \
        .offset = offsetof(struct online_settings, project)                                        \
    }

#define ONLINE_OUTPUT_ROW(DEFAULT)                                                                 \
    {                                                                                              \
        .name = "output", .argument = "last|best|average", .kind = OPTION_CHOICE,                  \
        .choices = online_outputs, .default_text = DEFAULT,                                        \
        .help = "the model: last iterate, best iterate after a pass, or a "                        \
                "weighted average",                                                                \
        .offset = offsetof(struct online_settings, output)                                         \
    }

#define ONLINE_OPTION_ROWS ONLINE_PROJECT_ROW, ONLINE_OUTPUT_ROW("last")

#define ONLINE_LIMIT_ROW                                                                           \
    {                                                                                              \
        .name = "limit-steps", .argument = "on|off", .kind = OPTION_SWITCH, .default_text = "on",  \
        .help = "no step is longer than 2 loss/||gradient||^2 of its examples; off: the paper's "  \
                "steps, which are too long on data with large values",                             \
        .offset = offsetof(struct online_settings, limit)                                          \
    }

/* The table of a solver that has no others, and what such solvers' rows have in common: pegasos, adaptive. */
enum { ONLINE_OPTIONS = 3 };
extern const struct option_row online_options[ONLINE_OPTIONS];

#define ONLINE_SOLVER_FIELDS                                                                       \
    .passes = 100, .needs = SOLVER_NEEDS_ITEMS, .batches = true, .judged = true, .goes_on = true,  \
    .regularizers = online_regularizers, .options = online_options,                                \
    .option_count = ONLINE_OPTIONS, .settings_size = sizeof(struct online_settings)

/* Constants of the problem, for the rules. */
struct online_constants {
    double lambda;
    double rho;             /* sqrt of the mean norm_bound of the losses */
    double diameter;        /* D = rho/sqrt(lambda): the optimum is no longer */
    double radius;          /* of S: D, unless a method sets a smaller one */
    double offset_bound;    /* bound of |w_j| in unregularized coordinates; infinite unless set */
    double slope, constant; /* ||an item's subgradient|| <= constant + slope ||w||; 0 before
                             * online_measure_gradients */
    int64_t steps;          /* steps of a pass */
    int64_t batch;          /* items of a step */
};

/* Adds tau = 1/2 (sqrt(base^2 + target) - base) of the adaptive and proximal methods to *base; returns the
 * step size, 1/(new base). */
double online_balance(double *base, double target);

/* What a step of size eta along an item's subgradient g is multiplied by under --limit-steps: eta becomes at most
 * 2 loss/||g||^2. Such a step takes w no further from any point at which the item has no loss, by convexity; for a
 * squared loss it leads to loss 0 at most. So no step overshoots, however large the features are; the later steps,
 * which are shorter, are those of the method. SQUARE is ||g||^2.
 * Reference: Loizou, Vaswani, Laradji & Lacoste-Julien 2021, *Stochastic Polyak step-size for SGD*, with c = 1/2 and
 * the method's step size as their bound. */
static inline double online_limit(double loss, double square, double eta) {
    return eta * square > 2 * loss ? 2 * loss / (eta * square) : 1;
}

/* Flags that a rule returns after a step: what the loop shall do. */
enum {
    ONLINE_RESET = 1, /* w <- 0 */
    ONLINE_KEEP = 2,  /* keep a copy of this iterate, in place of the last; at first the start */
    ONLINE_CHECK = 4, /* evaluate J here, then call `checked` */
    ONLINE_DONE = 8,  /* the method's own criterion is met */
    ONLINE_CERTIFY =
        16 /* after ONLINE_CHECK: done if a bound of this point, where one is to be had, closes the gap */
};

struct online_rates {
    /* given: ||subgradient of f_t||^2 at w, f_t the mean loss of the batch; 0 unless the rule needs it
     * (needs_gradient_norm) */
    double square;
    double convexity; /* given: ||w||^2/||w||_M^2, M the metric of the steps; 1 without one */
    double eta;       /* the step size of the regularized coordinates */
    double curvature; /* curvature * w is added to the subgradient there */
    double offset;    /* the step size of the unregularized coordinates */
    double weight;    /* the new point's weight in the average; t unless the rule sets it */
    bool restart;     /* the average begins anew with the new point */
};

struct online_rule {
    bool shuffles; /* items in a random order each pass, not drawn independently, unless weighted */
    bool keeps;    /* it uses ONLINE_KEEP; after ONLINE_DONE the result is the kept iterate */
    bool finishes; /* with dual variables: finish.h follows the run */
    bool needs_gradient_norm; /* `rate` reads the length of the subgradient */

    /* Sets the sizes of the next step. */
    void (*rate)(void *state, struct online_rates *rates);

    /* Lists what the state carries from step to step. */
    void (*visit)(void *state, struct state *list);

    /* After the step, with the new ||w||^2; returns flags. NULL: nothing to do. */
    int (*after)(void *state, double square);

    /* Called in a step that clipped an unregularized coordinate to its bound. NULL: nothing to do. */
    void (*clipped)(void *state);

    /* After ONLINE_CHECK, with the steps made so far and J; returns flags. */
    int (*checked)(void *state, int64_t steps, double objective);
};

/* Fills the constants. The radius of S is 0 when w = 0 is the optimum. */
void online_constants(const struct problem *problem, const struct run_settings *run,
                      struct online_constants *c);

/* Sets slope and constant, for rules that need the gradient bound G. One pass over the data. */
void online_measure_gradients(const struct problem *problem, struct online_constants *c);

/* G: bound of ||subgradient of f_t + lambda/2 ||.||^2|| for all ||w|| <= radius <= D. */
double online_gradient_bound(const struct online_constants *c, double radius);

/* 0, or -1 with the error set when a step has too many items: where the mapped examples do not fit in memory, only a
 * window of them is there at a time. */
int online_check_batch(const struct problem *problem, int64_t batch, struct error *e);

/* Runs the loop until the monitor or the rule ends it. w: as in struct solver; a warm start is returned
 * unchanged when J is higher at the end. */
int online_train(const struct solve *solve, const struct online_constants *constants,
                 const struct online_rule *rule, void *state, struct error *e);

#endif
