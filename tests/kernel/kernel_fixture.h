/* kernel_fixture.h - problems for solvers of kernel expansions, and their optimality conditions, computed
 * independently with all kernel values in doubles. Include after cmocka.h. */
#ifndef RRM_KERNEL_FIXTURE_H
#define RRM_KERNEL_FIXTURE_H

#include "risk/risk.h"
#include "solvers/solver.h"
#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/solver_options.h"

#include <math.h>
#include <stdlib.h>

struct kernel_fixture {
    struct dataset data;
    struct basis basis;
    struct kernel_part part;
    struct problem problem;
    struct outcome outcome;
    struct monitor_observer observer; /* of the training; all zero: nobody */
    double *w;                        /* rows + functions */
    struct error error;
};

/* A problem over DATA, whose labels are the targets, with C in place of lambda. */
static inline void kernel_set_up(struct kernel_fixture *f, struct dataset data, const char *loss,
                                 struct kernel kernel, const char *basis, const char *only,
                                 double c) {
    *f = (struct kernel_fixture){.data = data};
    assert_int_equal(basis_parse(basis, only, false, &f->basis, &f->error), 0);
    f->part = (struct kernel_part){.kernel = kernel, .basis = &f->basis};
    struct scalar_settings settings = {.data = &f->data,
                                       .target = data.label,
                                       .weight = data.weight,
                                       .loss = loss_by_name(loss),
                                       .parameters = {0.05, 0.3, 1},
                                       .bias = -1};
    struct risk *risk = scalar_risk_new(&settings, &f->error);
    assert_non_null(risk);
    f->problem = (struct problem){.risk = risk,
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 1 / (c * risk->scalar->weight_sum),
                                  .kernel = &f->part};
    f->w = calloc((size_t)(data.rows + f->basis.count), sizeof *f->w);
}

static inline void kernel_tear_down(struct kernel_fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    basis_free(&f->basis);
    dataset_free(&f->data);
    free(f->w);
}

/* Trains with the solver's options ("alone=on") to the tolerance or the limits; returns the status. */
static inline int kernel_train(struct kernel_fixture *f, const char *name, double epsilon,
                               double passes, double seconds, bool warm, const char *const *words) {
    const struct solver *solver = solver_by_name(name);
    void *options = solver_options_parse(solver, words);
    struct run_settings run = {.passes = passes, .warm = warm};
    struct monitor_settings settings = {
        .epsilon = epsilon, .passes = passes, .time_limit = seconds, .observer = f->observer};
    struct monitor monitor;
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    int status = solver->train(
        &(struct solve){&f->problem, &run, options, &monitor, f->w, &f->outcome}, &f->error);
    monitor_end(&monitor);
    free(options);
    return status;
}

/* ---- from outside */

static inline double outside_value(const struct dataset *data, int64_t i, int32_t column) {
    for (int64_t n = data->start[i]; n < data->start[i + 1]; n++)
        if (data->column[n] == column)
            return data->value == NULL ? 1 : data->value[n];
    return 0;
}

static inline double outside_kernel(const struct kernel_fixture *f, int64_t i, int64_t k) {
    double product = 0, square_i = 0, square_k = 0;
    for (int32_t j = 0; j < f->data.features; j++) {
        double x = outside_value(&f->data, i, j), y = outside_value(&f->data, k, j);
        if (basis_hides(&f->basis, j))
            continue;
        product += x * y;
        square_i += x * x;
        square_k += y * y;
    }
    return kernel_value(&f->part.kernel, product, square_i, square_k);
}

static inline double outside_basis(const struct kernel_fixture *f, int64_t j, int64_t i) {
    const struct basis_function *function = &f->basis.function[j];
    return function->column < 0
               ? 1
               : pow(outside_value(&f->data, i, function->column), function->power);
}

struct outside {
    double objective, worst, imbalance; /* J; violations in units of the thesis's problem */
};

/* The violation of theta_i in -C_i times the subdifferential of the loss at h: the smallest change of h_i that
 * removes it. */
static inline double outside_violation(const struct kernel_fixture *f, int64_t i, double h,
                                       double box) {
    const struct scalar_terms *terms = f->problem.risk->scalar;
    double theta = f->w[i], y = terms->target[i], kink, low, high;
    if (terms->loss->task == TASK_CLASSIFICATION) {
        double z = y * theta, slope = y * h - 1;
        if (!(z >= 0 && z <= box * (1 + 1e-12)))
            print_message("z %g box %g rows %d obj %g\n", z, box, (int)f->data.rows,
                          f->outcome.objective);
        assert_true(z >= 0 && z <= box * (1 + 1e-12));
        return fmax(z < box * (1 - 1e-12) ? -slope : 0, z > 0 ? slope : 0);
    }
    terms->loss->domain(y, &terms->parameters, &low, &high);
    assert_true(-theta >= low * box * (1 + 1e-12) && -theta <= high * box * (1 + 1e-12));
    double tube = strcmp(terms->loss->name, "epsilon") == 0 ? terms->parameters.tube : 0;
    kink = theta > 0 ? y - tube : y + tube; /* of theta the loss is linear on either side of it */
    if (theta == 0)
        return box == 0 ? 0 : fmax(0, fabs(h - y) - tube);
    if (theta > 0)
        return theta < -low * box * (1 - 1e-12) ? fabs(h - kink) : fmax(0, h - kink);
    return -theta < high * box * (1 - 1e-12) ? fabs(h - kink) : fmax(0, kink - h);
}

static inline struct outside outside_look(const struct kernel_fixture *f) {
    const struct scalar_terms *terms = f->problem.risk->scalar;
    struct outside o = {0};
    double penalty = 0, loss = 0, slope, most = 0;
    for (int64_t i = 0; i < f->data.rows; i++) {
        double k_theta = 0, h,
               box = scalar_weight(terms, i) / f->problem.lambda / terms->weight_sum;
        for (int64_t k = 0; k < f->data.rows; k++)
            k_theta += f->w[k] == 0 ? 0 : f->w[k] * outside_kernel(f, i, k);
        h = k_theta;
        for (int64_t j = 0; j < f->basis.count; j++)
            h += f->w[f->data.rows + j] * outside_basis(f, j, i);
        penalty += f->w[i] * k_theta;
        loss += scalar_weight(terms, i) *
                terms->loss->value(h, terms->target[i], &terms->parameters, &slope);
        o.worst = fmax(o.worst, outside_violation(f, i, h, box));
        most = fmax(most, box);
    }
    for (int64_t j = 0; j < f->basis.count; j++) {
        double sum = 0, largest = 0;
        for (int64_t i = 0; i < f->data.rows; i++) {
            sum += f->w[i] * outside_basis(f, j, i);
            largest = fmax(largest, fabs(outside_basis(f, j, i)));
        }
        o.imbalance = fmax(o.imbalance, largest > 0 ? fabs(sum) / (largest * most) : 0);
    }
    o.objective = f->problem.lambda / 2 * penalty + loss / terms->weight_sum;
    return o;
}

/* Random rows with real targets for regression. */
static inline struct dataset data_for(const char *loss, int64_t rows, uint64_t seed) {
    struct dataset data = random_data(rows, 5, false, seed);
    struct random random;
    random_seed(&random, seed, 3);
    for (int64_t i = 0; i < rows && strcmp(loss, "hinge") != 0; i++)
        data.label[i] = 4 + data.label[i] + 2 * random_unit(&random);
    return data;
}

/* Checks convergence by independently computed optimality conditions and objective. */
static inline void assert_optimal(const struct kernel_fixture *f, double epsilon) {
    struct outside o = outside_look(f);
    assert_int_equal(f->outcome.verdict, VERDICT_CONVERGED);
    assert_true(o.worst <= epsilon * (1 + 1e-6));
    assert_true(o.imbalance <= epsilon);
    assert_near(f->outcome.objective, o.objective, 1e-9 * (1 + o.objective));
    assert_true(f->outcome.bound <= f->outcome.objective);
}

#endif
