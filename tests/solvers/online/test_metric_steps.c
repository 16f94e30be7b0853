/* test_metric_steps.c - the metric of the features, its folds, and proximal's steps in it, against a dense
 * transcription. */
#include "solvers/online/anneal.h"
#include "solvers/online/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/solvers/online/online_fixture.h"

/* ---- the metric written out */

struct plain_metric {
    double m[MAX_DIMENSION][MAX_DIMENSION];
};

static double weight_of(const struct fixture *f, int64_t i) {
    double sum = 0;
    for (int k = 0; k < ROWS; k++)
        sum += f->scalar.weight == NULL ? 1 : f->weight[k];
    return (f->scalar.weight == NULL ? 1 : f->weight[i]) / sum;
}

static void plain_learn(const struct fixture *f, struct plain_metric *metric) {
    double mean[MAX_DIMENSION] = {0}, square[MAX_DIMENSION] = {0}, share[MAX_DIMENSION] = {0};
    double targets = 0, slopes = 0, a, shift;
    int64_t n = f->risk->dimension;
    for (int64_t i = 0; i < ROWS; i++) {
        double x[MAX_DIMENSION];
        dense_row(f, i, x);
        f->scalar.loss->value(0, f->target[i], &f->scalar.parameters, &a);
        targets += weight_of(f, i) * f->target[i] * f->target[i];
        slopes += weight_of(f, i) * a * a;
        for (int j = 0; j < n; j++) {
            mean[j] += weight_of(f, i) * x[j];
            square[j] += weight_of(f, i) * x[j] * x[j];
            share[j] += x[j] != 0 ? weight_of(f, i) : 0;
        }
    }
    shift = f->problem.lambda * sqrt(targets / slopes);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            metric->m[j][k] =
                mean[j] * mean[k] +
                (j == k ? fmax(square[j] - mean[j] * mean[j], 1e-6 * square[j]) / sqrt(share[j]) +
                              (j < f->risk->regularized ? shift : 0)
                        : 0);
}

static void multiply(int64_t n, const struct plain_metric *metric, const double *x, double *y) {
    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int k = 0; k < n; k++)
            y[j] += metric->m[j][k] * x[k];
    }
}

/* x <- (M + s J)^-1 x by Gauss elimination, J = 1 for the first REGULARIZED coordinates. */
static void solve(int64_t n, int64_t regularized, const struct plain_metric *metric, double s,
                  double *x) {
    struct plain_metric a = *metric;
    for (int j = 0; j < regularized; j++)
        a.m[j][j] += s;
    for (int j = 0; j < n; j++)
        for (int k = j + 1; k < n; k++) {
            double c = a.m[k][j] / a.m[j][j];
            for (int l = j; l < n; l++)
                a.m[k][l] -= c * a.m[j][l];
            x[k] -= c * x[j];
        }
    for (int64_t j = n - 1; j >= 0; j--) {
        for (int64_t k = j + 1; k < n; k++)
            x[j] -= a.m[j][k] * x[k];
        x[j] /= a.m[j][j];
    }
}

static double square_in(int64_t n, const struct plain_metric *metric, const double *w) {
    double y[MAX_DIMENSION];
    multiply(n, metric, w, y);
    return vector_dot(w, y, n);
}

/* ---- the run written out */

struct plain_run {
    struct plain_metric metric;
    double l, tau_sum, radius, squares; /* squares: of the subgradients of the epoch */
    double eta_sum, convexity;
};

static void plain_fold(const struct fixture *f, struct plain_run *run, double *w) {
    int64_t n = f->risk->dimension, regularized = f->risk->regularized;
    double y[MAX_DIMENSION] = {0}, diameter;
    multiply(n, &run->metric, w, y);
    solve(n, regularized, &run->metric, f->problem.lambda * run->eta_sum, y);
    memcpy(w, y, sizeof *w * (size_t)n);
    run->eta_sum = 0;
    diameter = sqrt(f->risk->kind->norm_bound(f->risk) / f->problem.lambda);
    double norm = sqrt(vector_dot(w, w, regularized));
    for (int j = 0; norm > diameter && j < regularized; j++)
        w[j] *= diameter / norm;
    double square = square_in(n, &run->metric, w);
    run->convexity = square > 0 ? vector_dot(w, w, regularized) / square : 0;
}

/* The batch's subgradient, and in *loss its mean loss. */
static void plain_batch(const struct fixture *f, struct plain_order *order, const double *w,
                        double *g, double *loss) {
    struct plain_order look = *order;
    double x[MAX_DIMENSION], a;
    *loss = 0;
    for (int b = 0; b < f->run.batch_size; b++) {
        int64_t i = plain_next(&look);
        dense_row(f, i, x);
        *loss += f->scalar.loss->value(vector_dot(w, x, MAX_DIMENSION), f->target[i],
                                       &f->scalar.parameters, &a) /
                 (double)f->run.batch_size;
    }
    plain_subgradient(f, order, (int)f->run.batch_size, w, g);
}

/* One step; false while all subgradients were 0. */
static bool plain_step(const struct fixture *f, struct plain_run *run, const double *g, double loss,
                       double factor, double *w) {
    int64_t n = f->risk->dimension;
    double direction[MAX_DIMENSION];
    memcpy(direction, g, sizeof direction);
    solve(n, 0, &run->metric, 0, direction);
    double square = vector_dot(g, direction, n);
    if (run->l + run->tau_sum == 0 && square == 0)
        return false;
    run->l += f->problem.lambda * run->convexity;
    run->squares += square;
    double base = run->l + run->tau_sum;
    run->tau_sum += (sqrt(base * base + square / (run->radius * run->radius)) - base) / 2;
    double eta = factor / (run->l + run->tau_sum);
    if (eta * square > 4 * loss)
        eta = 4 * loss / square;
    for (int j = 0; j < n; j++)
        w[j] -= eta * direction[j];
    run->eta_sum += eta;
    return true;
}

static void plain_train(const struct fixture *f, double *w) {
    int64_t n = f->risk->dimension, batch = f->run.batch_size, t = 0;
    int64_t pass = (ROWS + batch - 1) / batch, steps = 5 * pass;
    double targets = 0, size = (double)(n * ROWS) / (double)f->data.nonzeros;
    int64_t interval = (int64_t)fmax(1, ceil(4 * size / (double)batch)), next = interval;
    struct plain_run run = {0};
    struct plain_order order;
    struct anneal anneal;
    plain_learn(f, &run.metric);
    plain_start(f, true, &order);
    for (int i = 0; i < ROWS; i++)
        targets += weight_of(f, i) * f->target[i] * f->target[i];
    run.radius = sqrt(targets);
    anneal_init(&anneal, 0.125 * (double)pass, (double)steps);
    while (t < steps) {
        double g[MAX_DIMENSION], loss, length = anneal.length, factor = anneal_factor(&anneal);
        if (t % pass == 0) {
            plain_fold(f, &run, w);
            next = t + interval;
        }
        plain_batch(f, &order, w, g, &loss);
        plain_step(f, &run, g, loss, factor, w);
        if (++t >= next) {
            plain_fold(f, &run, w);
            next = t + interval;
        }
        if (sqrt(square_in(n, &run.metric, w)) >= run.radius)
            run.radius *= sqrt(2);
        if (anneal_advance(&anneal)) {
            run.tau_sum = sqrt(run.squares * anneal.length / length) / run.radius;
            run.squares = 0;
        }
    }
    alias_free(&order.alias);
}

static void steps_are_as_written_out(void **state) {
    (void)state;
    static const char *const losses[] = {"hinge", "logistic", "squared-hinge", "epsilon",
                                         "squared"};
    static const char *const words[] = {"metric=features", NULL};
    static const double lambdas[] = {1e-5, 1e-2, 0.5};
    for (int l = 0; l < 5; l++)
        for (int k = 0; k < 3; k++)
            for (int variant = 0; variant < 8; variant++) {
                struct fixture f;
                double w[MAX_DIMENSION] = {0}, expected[MAX_DIMENSION] = {0};
                set_up_with(&f, losses[l], lambdas[k], variant & 2 ? 0.5 : -1, variant & 2,
                            variant & 4);
                f.run.batch_size = variant & 1 ? 7 : 1;
                plain_train(&f, expected);
                train(&f, "proximal", words, w);
                for (int j = 0; j < f.risk->dimension; j++)
                    assert_near(w[j], expected[j], 1e-7 * (1 + fabs(expected[j])));
                tear_down(&f);
            }
}

/* ---- what it is for */

/* Features in other units: the same scores, but for the part of lambda. */
static void units_do_not_matter(void **state) {
    (void)state;
    double objective[2];
    for (int k = 0; k < 2; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", 1e-20, -1, false);
        for (int64_t at = 0; k == 1 && at < f.data.nonzeros; at++)
            f.data.value[at] *= pow(10, f.data.column[at] - 4);
        train(&f, "proximal", NULL, w);
        objective[k] = f.outcome.objective;
        tear_down(&f);
    }
    assert_near(objective[0], objective[1], 1e-3 * objective[0]);
}

/* Sizes of features from 1e-2 to 1e3, with means that are not 0: within 1 % in 100 passes, by default. */
static void raw_features_are_no_obstacle(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
        set_up(&f, "logistic", 1e-4, 1, false);
        for (int64_t at = 0; at < f.data.nonzeros; at++)
            f.data.value[at] = (f.data.value[at] + 2) * pow(10, f.data.column[at] % 6 - 2);
        f.run.seed = seed;
        f.run.passes = 100;
        train(&f, "proximal", NULL, w);
        double objective = f.outcome.objective;
        f.epsilon = 1e-6;
        f.run.passes = 1e5;
        train(&f, "ipm", NULL, best);
        assert_true(objective <= 1.01 * f.outcome.objective);
        tear_down(&f);
    }
}

/* w after a fold minimizes 1/2 ||u - w||_M^2 + s lambda/2 ||u||^2. */
static void a_fold_is_the_implicit_step(void **state) {
    (void)state;
    struct fixture f;
    struct metric metric;
    struct plain_metric plain;
    double w[MAX_DIMENSION], u[MAX_DIMENSION], change[MAX_DIMENSION] = {0}, slope[MAX_DIMENSION];
    set_up_with(&f, "hinge", 0.3, 0.5, true, true);
    int64_t n = f.risk->dimension;
    for (int j = 0; j < n; j++)
        w[j] = j - 3.5;
    assert_int_equal(metric_init(&metric, f.risk->scalar, METRIC_STEPS, 0.3, w, NULL), 0);
    metric.gamma = 0.7 * metric.outer;
    metric.eta_sum = 2.5;
    metric_copy(&metric, w);
    metric_fold(&metric, 0.3);
    metric_copy(&metric, u);
    plain_learn(&f, &plain);
    for (int j = 0; j < n; j++)
        change[j] = u[j] - w[j];
    multiply(n, &plain, change, slope);
    for (int j = 0; j < n; j++)
        assert_near(slope[j] + (j < f.risk->regularized ? 2.5 * 0.3 * u[j] : 0), 0, 1e-9);
    assert_near(metric.square, square_in(n, &plain, u), 1e-9 * metric.square);
    assert_near(metric.euclidean, vector_dot(u, u, f.risk->regularized), 1e-12);
    metric_free(&metric);
    tear_down(&f);
}

/* The products with M and its inverse, and the rows' lengths, are those of the matrix, for two kappas. */
static void the_metric_of_outer_steps_is_as_written_out(void **state) {
    (void)state;
    struct fixture f;
    struct metric metric;
    struct plain_metric plain;
    double w[MAX_DIMENSION] = {0}, x[MAX_DIMENSION], y[MAX_DIMENSION], back[MAX_DIMENSION];
    set_up_with(&f, "hinge", 0.3, 0.5, true, true);
    int64_t n = f.risk->dimension;
    assert_int_equal(metric_init(&metric, f.risk->scalar, METRIC_OUTER, 0.3, w, NULL), 0);
    plain_learn(&f, &plain);
    for (int j = 0; j < f.risk->regularized; j++)
        plain.m[j][j] += 0.3 / metric.kappa - 0.3; /* R/s = 1 */
    for (int look = 0; look < 2; look++) {
        for (int64_t i = 0; i < ROWS; i++) {
            dense_row(&f, i, x);
            memcpy(back, x, sizeof x);
            metric_solve(&metric, back);
            assert_near(vector_dot(back, x, n), metric.row[i].square, 1e-9 * metric.row[i].square);
            multiply(n, &plain, back, y);
            metric_multiply(&metric, back);
            for (int j = 0; j < n; j++) {
                assert_near(y[j], x[j], 1e-9);
                assert_near(back[j], x[j], 1e-9);
            }
        }
        for (int j = 0; j < f.risk->regularized; j++)
            plain.m[j][j] += 0.3 / (7 * metric.kappa) - 0.3 / metric.kappa;
        metric_set_kappa(&metric, 0.3, 7 * metric.kappa);
    }
    metric_free(&metric);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_as_written_out),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(raw_features_are_no_obstacle),
        cmocka_unit_test(a_fold_is_the_implicit_step),
        cmocka_unit_test(the_metric_of_outer_steps_is_as_written_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
