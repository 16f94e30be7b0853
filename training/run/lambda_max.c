/* lambda_max.c - the least lambda from which on all weights are 0. */
#include "training/run/lambda_max.h"

#include "io/memory.h"
#include "kernel/points.h"
#include "math/vector.h"
#include "matrix/design.h"
#include "solvers/optimality.h"
#include "training/classes/one_vs_one.h"
#include "training/classes/vector_training.h"

#include <math.h>
#include <stdlib.h>

bool lambda_max_exists(const struct training_request *request) {
    const struct regularizer *regularizer = request->regularizer;
    return regularizer->penalty != NULL &&
           regularizer->penalty(1, &request->settings.regularizer_parameters).l1 > 0;
}

bool lambda_max_known(const struct training_request *request) {
    const struct loss *loss = request->risk->scalar;
    bool scores =
        loss != NULL &&
        (!request->distributed || (request->solver != NULL && solver_sums_scores(request->solver)));
    return lambda_max_exists(request) &&
           ((scores && loss->second != NULL) || !request->settings.intercept);
}

static int find_one(const struct training *t, int64_t k, const double *target, double *lambda_max,
                    struct error *e) {
    struct risk *risk = vector_risk(t, k, target, e);
    struct problem problem = vector_problem(t, risk);
    double *w, *gradient;
    int status = -1;
    if (risk == NULL)
        return -1;
    w = memory_new(risk->dimension, sizeof *w, "the null point", e);
    gradient = memory_new(risk->dimension, sizeof *gradient, "the gradient", e);
    if (w != NULL && gradient != NULL) {
        *lambda_max = optimality_lambda_max(&problem, w, gradient, e);
        status = *lambda_max < 0 ? -1 : 0;
    }
    free(w);
    free(gradient);
    risk_free(risk);
    return status;
}

/* Of each pair, as lambda of all examples: a pair's own is `share` times that. */
static int find_pairs(const struct training *t, double *each, struct error *e) {
    double *target = memory_new(classes_work(t->classes, t->data), sizeof *target, "targets", e);
    int status = target == NULL ? -1 : 0;
    for (int64_t k = 0; status == 0 && k < t->classes->vectors; k++) {
        struct pair_training pair;
        each[k] = 0;
        status = pair_training_init(t, k, &pair, e);
        if (status == 0 && !pair.empty) {
            status = find_one(&pair.training, 0,
                              classes_targets(&pair.classes, &pair.data, 0, target), &each[k], e);
            each[k] /= pair.share;
        }
        pair_training_free(&pair);
    }
    free(target);
    return status;
}

int lambda_max_find(const struct training *t, double *each, struct error *e) {
    double *target;
    int status = 0;
    if (!lambda_max_known(t->request)) {
        for (int64_t k = 0; k < t->classes->vectors; k++)
            each[k] = INFINITY;
        return 0;
    }
    if (t->classes->pairs)
        return find_pairs(t, each, e);
    target = memory_new(classes_work(t->classes, t->data), sizeof *target, "targets", e);
    if (target == NULL)
        return -1;
    for (int64_t k = 0; status == 0 && k < t->classes->vectors; k++)
        status = find_one(t, k, classes_targets(t->classes, t->data, k, target), &each[k], e);
    free(target);
    return status;
}

double lambda_max_largest(const double *each, int64_t count) {
    double largest = each[0];
    for (int64_t k = 1; k < count; k++)
        largest = fmax(largest, each[k]);
    return largest;
}

double lambda_max_of_kernel(const struct kernel *kernel, const struct dataset *data) {
    double largest = 0;
    for (int64_t i = 0; i < data->rows; i++)
        largest = fmax(largest, points_diagonal(kernel, data, i));
    return largest;
}

double lambda_max_of_rows(const struct dataset *data) {
    double largest = 0;
    for (int64_t i = 0; i < data->rows; i++)
        largest = fmax(largest, row_square(data, i, -1));
    return communicator_largest_real(data->communicator, largest);
}
