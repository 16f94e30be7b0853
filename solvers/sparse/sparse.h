/* sparse.h - what the online solvers of sparse models share: sgd, tg, fobos, rda.
 *
 *     minimize  l1 ||w||_1 + l2/2 ||w||^2 + R(w),   R of scalar losses
 *
 * Each step draws a batch of k examples: in a new random order each pass, or independently where they are
 * weighted. It changes the weights of their features only. What the penalty does to the other weights has
 * a closed form, which is evaluated when an example with the feature is drawn.
 *
 * The files of this folder:
 *
 *     sparse      options, batches of examples and their derivatives, the choice of gamma
 *     gamma       the search for gamma by short runs over a sample
 *     shrinking   the loop of sgd, tg and fobos: a gradient step, then the penalty's
 *     lazy        the weights of shrinking, with the penalty's closed form; lazy_window its sums over the steps,
 *                 lazy_oscillation a weight about 0
 *     corrected_averaging   the loop of rda: the sum of all gradients, each corrected by the latest of its example
 *     averaging   that of rda as published, also phase 1 of rda+ (../lps/rda_plus.c): the sum of all gradients
 *     sgd tg fobos rda   the solvers: options, and which rule of these loops they follow
 *
 * The loops are run pass by pass by solvers/passes.h, which also chooses the point to return. */
#ifndef RRM_SPARSE_H
#define RRM_SPARSE_H

#include "solvers/passes.h"
#include "solvers/sampler.h"

/* The first member of these solvers' options. */
struct sparse_settings {
    double gamma;           /* 0: by gamma_search */
    int step;               /* enum sparse_step; 0 for rda */
    int output;             /* enum online_output */
    double sample_fraction; /* of the rows, for gamma_search; 0: all */
};

extern const char *const sparse_regularizers[];

/* --step of sgd, tg and fobos; shrinking.h has the formulas. */
enum sparse_step { SPARSE_AUTO, SPARSE_CORRECTED, SPARSE_ANNEAL, SPARSE_SQRT };

extern const char *const sparse_steps[];

/* The row of the option, as SPARSE_OPTION_ROWS. */
#define SPARSE_STEP_ROW(STRUCT, FIELD)                                                             \
    {                                                                                              \
        .name = "step", .argument = "auto|corrected|anneal|sqrt", .kind = OPTION_CHOICE,           \
        .choices = sparse_steps, .default_text = "auto",                                           \
        .help = "the steps: corrected ones need a number for each example, which takes the noise " \
                "out of a step, and fall to 0 within the -p passes; anneal falls by a factor of "  \
                "1000; sqrt is the papers' 1/sqrt(t); auto is corrected, with --output average "   \
                "or --theta anneal",                                                               \
        .offset = offsetof(STRUCT, FIELD step)                                                     \
    }

/* The rows of these options, for a solver whose settings STRUCT have them behind FIELD: "member." or
 * nothing. */
#define SPARSE_OPTION_ROWS(STRUCT, FIELD)                                                          \
    {.name = "gamma",                                                                              \
     .argument = "X",                                                                              \
     .kind = OPTION_REAL,                                                                          \
     .low = 0,                                                                                     \
     .high = HUGE_VAL,                                                                             \
     .default_text = "0",                                                                          \
     .help = "step sizes are proportional to 1/X; 0: X is found by short "                         \
             "runs over a sample",                                                                 \
     .offset = offsetof(STRUCT, FIELD gamma)},                                                     \
    {                                                                                              \
        .name = "output", .argument = "last|best|average", .kind = OPTION_CHOICE,                  \
        .choices = online_outputs, .default_text = "last",                                         \
        .help = "the model: last iterate, best iterate after a pass, or mean "                     \
                "of all, which is dense",                                                          \
        .offset = offsetof(STRUCT, FIELD output)                                                   \
    }

/* What the rows of the solver table have in common. */
#define SPARSE_SOLVER_FIELDS                                                                       \
    .passes = 20, .offset = true, .needs_all_rows = true, .batches = true, .judged = true,         \
    .goes_on = true, .regularizers = sparse_regularizers

/* The gamma of the settings, or, if that is 0, the best one in short runs of this solver, with the GROWTH of
 * gamma_search. They end at an interruption, or at half of the monitor's time limit (with a checkpoint at all of it),
 * which the note of the outcome says; without a monitor there are no limits. 0 with the error set when memory is short.
 * The options of SOLVE are of solver->settings_size and begin with struct sparse_settings; its w is not used, nor what
 * else is in the outcome (NULL: there is none). */
double sparse_gamma(const struct solver *solver, const struct solve *solve, double growth,
                    struct error *e);

/* The GROWTH of gamma_search for corrected steps: 1 for a loss without kinks, whose steps are to fall with the number
 * of examples, as those of SAGA, 1/(2 (mu n + L)); 1/2 for one with kinks, which keeps some noise. On text the best
 * gamma of rda grew by 16 with the logistic loss and by 4 with the hinge, from 1600 to 15935 rows. */
double sparse_corrected_growth(const struct problem *problem);

/* The examples of a step and the derivatives of their losses by the score. */
struct sparse_batch {
    const struct scalar_terms *terms;
    struct sampler sampler;
    int64_t size;
    int64_t *row;
    double *derivative;
};

/* 0, or -1 with the error set; to be freed in either case. */
int sparse_batch_init(struct sparse_batch *batch, const struct problem *problem,
                      const struct run_settings *run, struct error *e);
void sparse_batch_free(struct sparse_batch *batch);

/* Draws the i-th example of the batch and returns its row. */
static inline int64_t sparse_next(struct sparse_batch *batch, int64_t i) {
    return batch->row[i] = sampler_next(&batch->sampler);
}

/* Stores the derivative of the i-th example's loss at the score u. */
static inline void sparse_scored(struct sparse_batch *batch, int64_t i, double u) {
    const struct scalar_terms *terms = batch->terms;
    terms->loss->value(u, scalar_target(terms, batch->row[i]), &terms->parameters,
                       &batch->derivative[i]);
}

/* Stores the derivative a at the score u - mu a that a step of size mu/||x||^2 along it leads to, mu > 0: that
 * of the smoothed loss at u. */
static inline void sparse_scored_after(struct sparse_batch *batch, int64_t i, double u, double mu) {
    const struct scalar_terms *terms = batch->terms;
    terms->loss->smooth(u, scalar_target(terms, batch->row[i]), mu, &terms->parameters,
                        &batch->derivative[i]);
}

#endif
