/* test_metric.c - norms of the weights that go with the features' scales: the optimum of the plain norm in
 * a fraction of its passes, what auto chooses, and the parts: gradients, curvature of the regularizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

#include "solvers/accelerated/prox.h"
#include "solvers/accelerated/smoothed_risk.h"
#include "tests/size.h"
#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history;

static const char *const solvers[] = {"agm", "agm1"};
static const char *const losses[] = {"hinge",    "squared-hinge", "logistic", "squared",
                                     "absolute", "epsilon",       "huber",    "quantile"};
static const char *const regularizers[] = {"l2", "l1", "elastic-net"};
enum { SOLVERS = 2, LOSSES = sizeof losses / sizeof *losses, REGULARIZERS = 3 };

/* Column j times factor[j]. */
static void rescale(struct fixture *f, const double *factor) {
    for (int64_t k = 0; k < f->data.nonzeros; k++)
        f->data.value[k] *= factor[f->data.column[k]];
}

static void begin(struct fixture *f, const char *loss, const char *regularizer, double lambda,
                  bool intercept, const double *factor) {
    set_up_with(f, loss, lambda, -1, false, intercept);
    rescale(f, factor);
    f->problem.regularizer = regularizer_by_name(regularizer);
    f->problem.parameters.elastic = 0.5;
}

/* A certified run by the primal form. */
static struct outcome run_by(const struct fixture *f, const char *solver, const char *metric,
                             double epsilon, double passes, double *w) {
    char word[32];
    const char *const words[] = {"form=primal", word, NULL};
    struct outcome o;
    snprintf(word, sizeof word, "metric=%s", metric);
    memset(w, 0, sizeof *w * MAX_DIMENSION);
    assert_int_equal(run_with(&f->problem, solver, words, epsilon, passes, w, &history, &o, NULL),
                     0);
    return o;
}

/* ---- the same optimum, sooner */

static const double thousandfold[FEATURES] = {1000, 1, 1, 1000, 1, 1, 1, 1};
static const double tenfold[FEATURES] = {10, 1, 1, 10, 1, 1, 1, 1};

/* Either certificate holds of the other's answer, and the metric's passes are such a part of the plain ones
 * at most, which may not even have been enough. */
static void is_sooner(const struct fixture *f, const char *solver, const char *metric,
                      double part) {
    static const double epsilon = 1e-3;
    double w[MAX_DIMENSION], v[MAX_DIMENSION];
    struct outcome measured = run_by(f, solver, metric, epsilon, 10000, v);
    struct outcome plain = run_by(f, solver, "plain", epsilon, measured.passes / part + 10, w);
    bool well = measured.verdict == VERDICT_CONVERGED &&
                measured.objective - measured.bound <= epsilon * measured.objective &&
                measured.bound <= plain.objective * (1 + 1e-12) &&
                plain.bound <= measured.objective * (1 + 1e-12) &&
                measured.passes <= part * plain.passes;
    if (!well)
        print_error("%s, %s, %s, metric %s: J %.9g, bound %.9g, %g passes; plain %.9g, %.9g, %g\n",
                    solver, f->problem.risk->scalar->loss->name, f->problem.regularizer->name,
                    metric, measured.objective, measured.bound, measured.passes, plain.objective,
                    plain.bound, plain.passes);
    assert_true(well);
}

static void for_each_problem(const char *metric, const double *factor, double part) {
    for (int k = 0; k < 2 * LOSSES * REGULARIZERS * SOLVERS; k += PART(5, 7)) {
        struct fixture f;
        int problem = k / SOLVERS / 2;
        begin(&f, losses[problem / REGULARIZERS], regularizers[problem % REGULARIZERS], 1e-2, k & 1,
              factor);
        is_sooner(&f, solvers[k / 2 % SOLVERS], metric, part);
        tear_down(&f);
    }
}

static void mean_squares_reach_the_optimum_sooner(void **state) {
    (void)state;
    for_each_problem("scaled", thousandfold, 1.0 / 3);
}

/* For scales that differ less. */
static void their_roots_reach_the_optimum_sooner(void **state) {
    (void)state;
    for_each_problem("root", tenfold, 0.7);
}

static void roots_are_a_norm_of_their_own(void **state) {
    (void)state;
    struct fixture f;
    double w[MAX_DIMENSION], v[MAX_DIMENSION], u[MAX_DIMENSION];
    begin(&f, "logistic", "l2", 1e-2, false, tenfold);
    run_by(&f, "agm", "root", 1e-9, 20, w);
    run_by(&f, "agm", "scaled", 1e-9, 20, v);
    run_by(&f, "agm", "plain", 1e-9, 20, u);
    assert_memory_not_equal(w, v, sizeof w);
    assert_memory_not_equal(w, u, sizeof w);
    tear_down(&f);
}

/* ---- auto */

/* auto takes half a pass more than plain, to compute the mean squares. */
static void same_model(const struct fixture *f, const char *solver, const char *metric) {
    double w[MAX_DIMENSION], v[MAX_DIMENSION], extra = strcmp(metric, "plain") == 0 ? 0.5 : 0;
    struct outcome o = run_by(f, solver, "auto", 1e-9, 60, w);
    struct outcome p = run_by(f, solver, metric, 1e-9, 60 - extra, v);
    assert_memory_equal(w, v, sizeof w);
    assert_true(o.bound == p.bound);
    assert_near(o.passes, p.passes + extra, 0.5);
}

/* A column's mean square. */
static double mean_square(const struct fixture *f, int32_t j) {
    double sum = 0;
    for (int64_t k = 0; k < f->data.nonzeros; k++)
        sum += f->data.column[k] == j ? f->data.value[k] * f->data.value[k] / ROWS : 0;
    return sum;
}

/* Scaled from a largest mean square of 100 on, and plain up to there. */
static void auto_looks_at_the_largest_mean_square(void **state) {
    (void)state;
    static const double ones[FEATURES] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < 2 * 2 * LOSSES * SOLVERS; k++) {
        struct fixture f;
        double factor[FEATURES] = {1, 1, 1, 1, 1, 1, 1, 1};
        begin(&f, losses[k / 4 / SOLVERS], regularizers[k % REGULARIZERS], 1e-2, k & 1, ones);
        factor[2] = sqrt((k & 2 ? 105 : 95) / mean_square(&f, 2));
        rescale(&f, factor);
        same_model(&f, solvers[k / 4 % SOLVERS], k & 2 ? "scaled" : "plain");
        tear_down(&f);
    }
}

/* ---- the parts */

/* A gradient is divided by the metric, so that inner products in the metric are the usual ones. */
static void gradients_are_divided_by_the_metric(void **state) {
    (void)state;
    for (int k = 0; k < 2 * LOSSES; k++) {
        struct fixture f;
        struct smoothed_risk risk;
        double w[MAX_DIMENSION], metric[MAX_DIMENSION], plain[MAX_DIMENSION],
            measured[MAX_DIMENSION], scores[ROWS];
        set_up_with(&f, losses[k / 2], 0.1, 1, true, k & 1);
        for (int j = 0; j < MAX_DIMENSION; j++) {
            w[j] = 0.3 * j - 1;
            metric[j] = pow(10, -0.3 * j);
        }
        assert_int_equal(smoothed_risk_init(&risk, &f.problem, 0.2, NULL), 0);
        struct smooth_part *part = &risk.part;
        part->image(part, w, scores);
        double value = part->value(part, w, scores, plain);
        risk.metric = metric;
        /* the offset is computed again, from its last value */
        assert_near(part->value(part, w, scores, measured), value, 1e-14 * (1 + fabs(value)));
        for (int j = 0; j < part->dimension; j++)
            assert_near(measured[j] * metric[j], plain[j], 1e-13);
        smoothed_risk_free(&risk);
        tear_down(&f);
    }
}

/* l2/2 ||x||^2 - strong d(x) stays convex, and no larger `strong` would do. */
static void the_penalty_is_as_convex_as_the_metric_leaves_it(void **state) {
    (void)state;
    static const char *const all[] = {"l2", "l1", "elastic-net"};
    static const double l2[] = {0.1, 0, 0.05};
    for (int k = 0; k < 3; k++) {
        struct fixture f;
        struct prox_weights prox;
        set_up(&f, "hinge", 0.1, -1, false);
        f.problem.regularizer = regularizer_by_name(all[k]);
        f.problem.parameters.elastic = 0.5;
        double *metric = malloc(sizeof *metric * FEATURES);
        for (int j = 0; j < FEATURES; j++)
            metric[j] = j == 3 ? 2 : 0.1 * (j + 1);
        assert_int_equal(prox_weights_init(&prox, &f.problem, NULL), 0);
        assert_near(prox.prox.strong, l2[k], 1e-15);
        prox_weights_set_metric(&prox, metric);
        assert_near(prox.prox.strong, l2[k] / 2, 1e-15);
        prox_weights_free(&prox);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_squares_reach_the_optimum_sooner),
        cmocka_unit_test(their_roots_reach_the_optimum_sooner),
        cmocka_unit_test(roots_are_a_norm_of_their_own),
        cmocka_unit_test(auto_looks_at_the_largest_mean_square),
        cmocka_unit_test(gradients_are_divided_by_the_metric),
        cmocka_unit_test(the_penalty_is_as_convex_as_the_metric_leaves_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
