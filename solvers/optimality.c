/* optimality.c - distance from optimality, and the largest lambda worth a run. */
#include "solvers/optimality.h"

#include "io/memory.h"
#include "math/vector.h"
#include "risk/offset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double optimality_violation(const struct penalty *penalty, double w, double gradient) {
    if (w == 0)
        return fmax(fabs(gradient) - penalty->l1, 0);
    return fabs(gradient + penalty->l2 * w + copysign(penalty->l1, w));
}

double optimality_delta(const struct problem *problem, const double *w, const double *gradient) {
    const struct risk *risk = problem->risk;
    struct penalty penalty = problem_penalty_parts(problem);
    double sum = 0;
    for (int64_t j = 0; j < risk->dimension; j++) {
        double d = j < risk->regularized ? optimality_violation(&penalty, w[j], gradient[j])
                                         : fabs(gradient[j]);
        sum += d * d;
    }
    return sqrt(sum / (double)risk->dimension);
}

/* *b: where the risk is least with all weights 0. 0, or -1 with the error set. */
static int best_offset(const struct scalar_terms *terms, double *b, struct error *e) {
    int64_t rows = terms->design->rows;
    struct offset offset = {0};
    struct error own = {0};
    double *zero = memory_zeroed(3 * rows, sizeof *zero, "scores", &own);
    int status = zero == NULL ? -1 : offset_init(&offset, terms, &own);
    status = communicator_agree(terms->design->data->communicator, status, &own);
    if (status != 0)
        error_pass(e, &own);
    if (status == 0) {
        struct smoothing by = {.low = zero + rows, .high = zero + 2 * rows};
        scores_domains(terms, zero + rows, zero + 2 * rows);
        *b = offset_find(&offset, zero, &by);
    }
    offset_free(&offset);
    free(zero);
    return status;
}

int optimality_null_point(const struct problem *problem, double *w, struct error *e) {
    const struct risk *risk = problem->risk;
    memset(w, 0, sizeof *w * (size_t)risk->dimension);
    bool offset = risk->scalar != NULL && risk->dimension > risk->regularized;
    return offset ? best_offset(risk->scalar, &w[risk->regularized], e) : 0;
}

double optimality_lambda_max(const struct problem *problem, double *w, double *gradient,
                             struct error *e) {
    const struct risk *risk = problem->risk;
    struct penalty one = problem->regularizer->penalty(1, &problem->parameters);
    if (optimality_null_point(problem, w, e) != 0)
        return -1;
    risk_evaluate(risk, w, 0, gradient);
    double largest = vector_largest(gradient, risk->regularized);
    return largest == 0 ? 0 : largest / one.l1;
}
