/* certificate.c - lower bounds of min J, from linearizations of the risk. */
#include "solvers/certificate.h"

#include "math/vector.h"

double certificate_evaluate(const struct problem *problem, const double *w, double *gradient,
                            double *bound) {
    const struct risk *risk = problem->risk;
    double value = risk_evaluate(risk, w, 0, gradient);
    double t = value - vector_dot(gradient, w, risk->dimension);
    double objective = problem->lambda * problem->regularizer->value(w, risk->regularized) + value;
    bool usable = true;
    for (int64_t j = risk->regularized; j < risk->dimension; j++)
        usable = usable && gradient[j] == 0;
    *bound = 0;
    if (usable)
        *bound = problem->regularizer->bound(gradient, t, risk->regularized, problem->lambda);
    if (*bound > objective) /* by rounding */
        *bound = objective;
    return objective;
}
