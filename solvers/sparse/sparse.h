/* sparse.h - what the online solvers of sparse models share: sgd, tg, fobos, rda.
 *
 *     minimize  l1 ||w||_1 + l2/2 ||w||^2 + R(w),   R of scalar losses
 *
 * Each meets the examples in a new random order a pass (independent draws where they are weighted),
 * k a step, and moves the weights of their features alone: what the penalty does to the others in
 * the meantime has a closed form, computed when their turn comes. */
#ifndef RRM_SPARSE_H
#define RRM_SPARSE_H

#include "solvers/passes.h"
#include "solvers/sampler.h"

/* What these solvers' options begin with. */
struct sparse_settings {
    double gamma; /* 0: by gamma_search */
    int output;   /* enum online_output */
    double part;  /* of the rows, for gamma_search; 0: all */
};

extern const char *const sparse_regularizers[];

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

/* The gamma of the settings, or else the best for this solver's own short runs, of which none begins
 * after a signal or the monitor's time limit (NULL: there are no limits); 0 with the error set when
 * memory is short. The options are of solver->settings_size and begin with struct sparse_settings; w and the
 * outcome are not looked at. */
double sparse_gamma(const struct solver *solver, const struct solve *solve, struct error *e);

/* The examples of a step and the derivatives of their losses by the score. */
struct sparse_batch {
    const struct scalar_parts *parts;
    struct sampler sampler;
    int64_t size;
    int64_t *row;
    double *derivative;
};

/* 0, or -1 with the error set; to be freed in either case. */
int sparse_batch_init(struct sparse_batch *batch, const struct problem *problem,
                      const struct run_settings *run, struct error *e);
void sparse_batch_free(struct sparse_batch *batch);

/* The next example's row, the i-th of the batch. */
static inline int64_t sparse_next(struct sparse_batch *batch, int64_t i) {
    return batch->row[i] = sampler_next(&batch->sampler);
}

/* Notes the derivative at the score u; returns it. */
static inline double sparse_scored(struct sparse_batch *batch, int64_t i, double u) {
    const struct scalar_parts *parts = batch->parts;
    parts->loss->value(u, parts->target[batch->row[i]], &parts->parameters, &batch->derivative[i]);
    return batch->derivative[i];
}

#endif
