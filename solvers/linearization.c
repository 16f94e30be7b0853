/* linearization.c - what a linear lower bound of the risk proves at other lambdas. */
#include "solvers/linearization.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>

int linearization_init(struct linearization *linearization, const struct risk *risk,
                       struct error *e) {
    *linearization =
        (struct linearization){.size = risk->regularized, .share = 1, .bound = -INFINITY};
    linearization->slope = memory_zeroed(risk->dimension, sizeof(double), "the linearization", e);
    return linearization->slope == NULL ? -1 : 0;
}

void linearization_free(struct linearization *linearization) {
    free(linearization->slope);
    *linearization = (struct linearization){0};
}

void linearization_offer(const struct problem *problem, double theta, const double *slope,
                         double constant, double bound) {
    struct linearization *kept = problem->linearization;
    if (kept == NULL || !(bound > kept->bound))
        return;
    for (int64_t j = 0; j < problem->risk->regularized; j++)
        kept->slope[j] = theta * slope[j];
    kept->constant = theta * constant;
    kept->bound = bound;
}

double linearization_mix(const struct problem *problem, const struct linearization *a,
                         const struct linearization *b) {
    struct linearization *mixed = problem->linearization;
    double linear = 0, square = 0, lambda = problem->lambda;
    for (int64_t j = 0; j < a->size; j++) {
        double change = b->slope[j] - a->slope[j];
        linear += a->slope[j] * change;
        square += change * change;
    }
    double theta = (lambda * (b->constant - a->constant) - linear) / square;
    theta = theta > 0 ? fmin(theta, 1) : 0;
    for (int64_t j = 0; j < a->size; j++)
        mixed->slope[j] = a->slope[j] + theta * (b->slope[j] - a->slope[j]);
    mixed->constant = a->constant + theta * (b->constant - a->constant);
    mixed->bound = problem->regularizer->bound(mixed->slope, mixed->constant, a->size, lambda,
                                               &problem->parameters);
    return mixed->bound;
}

/* J(w) as a function of lambda, and the linearization. */
struct trade {
    const struct problem *problem;
    double omega, risk, gap;
};

static bool holds(const struct trade *trade, double lambda) {
    const struct problem *problem = trade->problem;
    const struct linearization *kept = problem->linearization;
    double objective = lambda * trade->omega + trade->risk;
    double bound = problem->regularizer->bound(
        kept->slope, kept->constant, problem->risk->regularized, lambda, &problem->parameters);
    return objective - bound <= trade->gap * fabs(objective);
}

/* The farthest lambda where it holds, in steps of a factor (above or below 1). */
static double farthest(const struct trade *trade, double factor) {
    enum { MAX_STEPS = 20, MAX_HALVINGS = 12 };
    double good = trade->problem->lambda, bad = good * factor;
    int steps = 0;
    while (steps < MAX_STEPS && holds(trade, bad)) {
        good = bad;
        bad *= factor;
        steps++;
    }
    for (int i = 0; steps < MAX_STEPS && i < MAX_HALVINGS; i++) {
        double middle = sqrt(good) * sqrt(bad);
        *(holds(trade, middle) ? &good : &bad) = middle;
    }
    return good;
}

void linearization_interval(const struct problem *problem, const double *w, double objective,
                            double gap, double *low, double *high) {
    double omega = problem->regularizer->value(w, problem->risk->regularized, &problem->parameters);
    struct trade trade = {.problem = problem,
                          .omega = omega,
                          .risk = objective - problem->lambda * omega,
                          .gap = gap};
    *low = INFINITY;
    *high = 0;
    if (!isfinite(omega) || !holds(&trade, problem->lambda))
        return;
    *low = farthest(&trade, 0.5);
    *high = farthest(&trade, 2);
}
