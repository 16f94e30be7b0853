/* certificate.c - lower bounds of min J, from linearizations of the risk. */
#include "solvers/certificate.h"

#include "solvers/dual_bound.h"
#include "solvers/linearization.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

int certificate_init(struct certificate *certificate, const struct problem *problem,
                     struct error *e) {
    *certificate = (struct certificate){.problem = problem};
    certificate->slope =
        memory_zeroed(problem->risk->dimension, sizeof(double), "the certificate", e);
    if (certificate->slope == NULL)
        return -1;
    certificate_raise(certificate);
    return 0;
}

void certificate_free(struct certificate *certificate) {
    free(certificate->slope);
    *certificate = (struct certificate){0};
}

void certificate_visit(struct certificate *certificate, struct state *state) {
    state_doubles(state, certificate->slope, certificate->problem->risk->dimension);
    STATE_REALS(state, &certificate->constant, &certificate->bound);
}

void certificate_mix(struct certificate *certificate, double eta, const double *slope,
                     double constant) {
    int64_t n = certificate->problem->risk->dimension;
    for (int64_t j = 0; j < n; j++)
        certificate->slope[j] += eta * (slope[j] - certificate->slope[j]);
    certificate->constant += eta * (constant - certificate->constant);
}

double certificate_raise(struct certificate *certificate) {
    double bound =
        certificate->constant - problem_conjugate(certificate->problem, certificate->slope);
    certificate->bound = fmax(certificate->bound, bound);
    linearization_offer(certificate->problem, 1, certificate->slope, certificate->constant, bound);
    return bound;
}

/* *bound: of the losses' subderivatives at w, balanced. 0, or -1 with the error set. */
static int balanced_bound(const struct problem *problem, const double *w, double *slope,
                          double *bound, struct error *e) {
    const struct scalar_terms *terms = problem->risk->scalar;
    double *a = memory_new(terms->design->rows, sizeof *a, "dual variables", e);
    if (a != NULL) {
        design_scores(terms->design, w, a);
        dual_from_scores(terms, a, a);
        *bound = dual_bound(problem, a, slope);
    }
    free(a);
    return a == NULL ? -1 : 0;
}

double certificate_evaluate(const struct problem *problem, const double *w, double *gradient,
                            double *bound, struct error *e) {
    const struct risk *risk = problem->risk;
    double value = risk_evaluate(risk, w, 0, gradient);
    double t = value - vector_dot(gradient, w, risk->dimension);
    double objective = problem_penalty(problem, w) + value;
    *bound = 0;
    if (isfinite(problem_conjugate(problem, gradient))) {
        *bound = problem->regularizer->bound(gradient, t, risk->regularized, problem->lambda,
                                             &problem->parameters);
        linearization_offer(problem, 1, gradient, t, *bound);
    } else if (risk->scalar != NULL && balanced_bound(problem, w, gradient, bound, e) != 0)
        return *bound = NAN;
    if (*bound > objective) /* by rounding */
        *bound = objective;
    return objective;
}
