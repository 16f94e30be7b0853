/* null_model.c - a trained model beside the null model. */
#include "training/classes/null_model.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/optimality.h"

#include <math.h>
#include <stdlib.h>

/* Relative differences of objectives below this are rounding. */
static const double same_objective = 1e-9;

void null_model_add(double objective, double null_objective, struct null_comparison *all) {
    if (objective < null_objective * (1 - same_objective))
        return;
    if (all->failed == 0 || objective - null_objective > all->objective - all->null_objective) {
        all->objective = objective;
        all->null_objective = null_objective;
    }
    all->failed++;
}

bool null_model_is_worse(const struct null_comparison *null) {
    static const double printed_precision = 1e-6; /* relative; J is printed with about six digits */
    return null->objective > null->null_objective * (1 + printed_precision);
}

void null_model_visit(struct null_comparison *null, struct state *state) {
    null->failed = state_integer(state, null->failed, 0, INT64_MAX);
    null->optimal = state_integer(state, null->optimal, 0, INT64_MAX);
    null->unknown = state_integer(state, null->unknown, 0, INT64_MAX);
    STATE_REALS(state, &null->objective, &null->null_objective);
}

void null_model_join(const struct null_comparison *more, struct null_comparison *all) {
    int64_t failed = all->failed + more->failed;
    all->unknown += more->unknown;
    all->optimal += more->optimal;
    if (more->failed > 0)
        null_model_add(more->objective, more->null_objective, all);
    all->failed = failed;
}

/* A gap below the tolerance counts as a proof; the tolerance is clipped to this range. */
static const double small_gap = 1e-3, large_gap = 0.1;

static bool is_certified(const struct outcome *outcome, double tolerance) {
    double gap = fmin(fmax(tolerance, small_gap), large_gap);
    return outcome->objective - outcome->bound <= gap * fabs(outcome->objective);
}

/* Kernel machines have scores of 0, for any kernel. -1: out of memory. */
static int null_objective(const struct problem *problem, struct communicator *communicator,
                          double *objective) {
    struct error e = {0};
    double *w = memory_new(problem->risk->dimension, sizeof *w, "the null model", &e);
    int status = communicator_agree(communicator, w == NULL ? -1 : 0, &e);
    if (status == 0)
        status = optimality_null_point(problem, w, &e);
    if (status == 0)
        *objective = risk_evaluate(problem->risk, w, 0, NULL);
    free(w);
    return status;
}

/* Whether all weights 0 are a model that this regularizer allows. */
static bool allows_zero(const struct regularizer *regularizer,
                        const struct regularizer_parameters *parameters) {
    static const double zero[] = {0};
    return regularizer->value(zero, 1, parameters) == 0;
}

/* A pass over all examples may. */
static bool takes_long(const struct risk *risk) {
    return risk->scalar == NULL || risk->scalar->design->data->window != NULL;
}

/* A risk of all examples together may be least where none of them has a score. */
static bool is_empty(const struct problem *problem, const double *w) {
    const struct regularizer *regularizer = problem->regularizer;
    bool sparse =
        regularizer->penalty == NULL || regularizer->penalty(1, &problem->parameters).l1 > 0;
    return problem->risk->scalar == NULL && !problem->risk->hides_scores && !sparse &&
           vector_nonzeros(w, problem->risk->dimension) == 0;
}

/* Without the learned margin the risk says nothing of the model. */
static bool learns_margin(const struct risk *risk) {
    return risk->scalar != NULL && risk->scalar->margin.learned != LEARNS_NOTHING;
}

void null_model_compare(const struct problem *problem, double tolerance, const double *w,
                        const struct outcome *outcome, struct communicator *communicator,
                        struct null_comparison *all) {
    bool ended = outcome->verdict == VERDICT_TIME || outcome->verdict == VERDICT_INTERRUPTED;
    double null;
    if (!ended && is_empty(problem, w)) {
        null_model_add(outcome->objective, outcome->objective, all);
        all->optimal += outcome->verdict == VERDICT_CONVERGED && is_certified(outcome, tolerance);
        return;
    }
    if (learns_margin(problem->risk))
        return;
    if ((ended && takes_long(problem->risk)) || is_certified(outcome, tolerance) ||
        !allows_zero(problem->regularizer, &problem->parameters))
        return;
    if (null_objective(problem, communicator, &null) != 0)
        all->unknown++;
    else if (!ended || outcome->objective > null * (1 + same_objective))
        null_model_add(outcome->objective, null, all);
}
