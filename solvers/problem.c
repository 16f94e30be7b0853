/* problem.c - the objective and the conjugate of its penalty. */
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

double problem_penalty(const struct problem *problem, const double *w) {
    return problem->lambda *
           problem->regularizer->value(w, problem->risk->regularized, &problem->parameters);
}

struct penalty problem_penalty_parts(const struct problem *problem) {
    return problem->regularizer->penalty(problem->lambda, &problem->parameters);
}

double problem_objective(const struct problem *problem, const double *w) {
    return problem_penalty(problem, w) + risk_evaluate(problem->risk, w, 0, NULL);
}

double problem_conjugate(const struct problem *problem, const double *s) {
    const struct risk *risk = problem->risk;
    for (int64_t j = risk->regularized; j < risk->dimension; j++)
        if (s[j] != 0)
            return INFINITY;
    return problem->regularizer->conjugate(s, risk->regularized, problem->lambda,
                                           &problem->parameters);
}

void problem_minimizer(const struct problem *problem, const double *s, double *w) {
    const struct risk *risk = problem->risk;
    problem->regularizer->minimizer(s, risk->regularized, problem->lambda, &problem->parameters, w);
    for (int64_t j = risk->regularized; j < risk->dimension; j++)
        w[j] = 0;
}
