/* online.h - the loop that all online subgradient methods share.
 *
 *     w <- Project_S( w - eta_t ( curvature_t w + mean over the batch of a subgradient ) )
 *
 * with a random batch A_t of k items, drawn with probability proportional to their weights, and S
 * the ball of radius rho/sqrt(lambda) that holds the optimum. A method is the rule that sets eta_t
 * and curvature_t. w = scale * v and ||v||^2 are kept up to date, so that a step costs O(nonzeros
 * of the batch), whatever the dimension. */
#ifndef RRM_ONLINE_H
#define RRM_ONLINE_H

#include "solvers/passes.h"

/* What every online solver's options begin with. */
struct online_settings {
    bool project; /* onto the ball S */
    int output;   /* enum online_output */
};

extern const char *const online_regularizers[];

/* The rows of these options, for the solvers' tables. */
#define ONLINE_PROJECT_ROW                                                                         \
    {                                                                                              \
        .name = "project", .argument = "on|off", .kind = OPTION_SWITCH, .default_text = "on",      \
        .help = "project each iterate onto the ball that holds the optimum",                       \
        .offset = offsetof(struct online_settings, project)                                        \
    }

#define ONLINE_OUTPUT_ROW(NORMAL)                                                                  \
    {                                                                                              \
        .name = "output", .argument = "last|best|average", .kind = OPTION_CHOICE,                  \
        .choices = online_outputs, .default_text = NORMAL,                                         \
        .help = "the model: last iterate, best iterate after a pass, or a "                        \
                "weighted average",                                                                \
        .offset = offsetof(struct online_settings, output)                                         \
    }

#define ONLINE_OPTION_ROWS ONLINE_PROJECT_ROW, ONLINE_OUTPUT_ROW("last")

/* Constants of the problem that the rules need. */
struct online_constants {
    double lambda;
    double rho;             /* sqrt of the mean norm_bound of the losses */
    double diameter;        /* D = rho/sqrt(lambda): the optimum is no longer */
    double radius;          /* of S: D, unless a method sets a smaller one */
    double offset_bound;    /* |w_j| at most so in unregularized coordinates: none, unless set */
    double slope, constant; /* an item's subgradient is at most constant + slope ||w|| long: filled
                               by online_measure_gradients, 0 before */
    int64_t steps;          /* of a pass */
    int64_t batch;          /* items a step */
};

/* The balancing tau of the adaptive and proximal methods, tau = 1/2 (sqrt(base^2 + target) - base),
 * is added to *base; returns the step size, 1 over the new base. */
double online_balance(double *base, double target);

/* What a rule may ask after a step; flags. */
enum {
    ONLINE_RESET = 1, /* w <- 0 */
    ONLINE_KEEP = 2,  /* keep this iterate; a later one replaces it. At first the start is kept */
    ONLINE_CHECK = 4, /* evaluate J here, then ask `checked` */
    ONLINE_DONE = 8   /* the method's own criterion is met */
};

struct online_rates {
    double square;    /* given: ||subgradient of f_t||^2 at w, f_t the mean over the batch; 0 unless
                         the rule observes */
    double eta;       /* of the regularized coordinates */
    double curvature; /* times w joins the subgradient there */
    double offset;    /* step of an unregularized coordinate */
    double weight;    /* of the new point in the average; t unless the rule sets it */
    bool restart;     /* the average begins with the new point */
};

struct online_rule {
    bool shuffles; /* a random order a pass instead of independent draws, where weights allow it */
    bool keeps;    /* it uses ONLINE_KEEP; when it is done the result is what was kept */
    bool observes; /* `rate` wants to know how long the subgradient is */

    /* Sets the sizes of the next step. */
    void (*rate)(void *state, struct online_rates *rates);

    /* After the step, with the new ||w||^2; returns flags. NULL: nothing to do. */
    int (*after)(void *state, double square);

    /* In a step that held an unregularized coordinate at its bound. NULL: nothing to do. */
    void (*clipped)(void *state);

    /* After a check, with J; returns flags. */
    int (*checked)(void *state, double objective);
};

/* Fills the constants. The radius of S is 0 when w = 0 is the optimum. */
void online_constants(const struct problem *problem, const struct run_settings *run,
                      struct online_constants *c);

/* Fills slope and constant, for rules that need G: a pass over the data. */
void online_measure_gradients(const struct problem *problem, struct online_constants *c);

/* G while ||w|| <= radius <= D: bound of ||subgradient of f_t||, the regularizer's part included.
 */
double online_gradient_bound(const struct online_constants *c, double radius);

/* Runs the loop to the monitor's verdict. The options begin with struct online_settings. A warm start is
 * returned unchanged when the run ends above it. */
int online_train(const struct solve *solve, const struct online_constants *constants,
                 const struct online_rule *rule, void *state, struct error *e);

#endif
