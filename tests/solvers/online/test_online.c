/* test_online.c - the online solvers against a plain dense transcription of the paper's algorithms,
 * iterate by iterate, and against optima found otherwise. */
#include "solvers/online/anneal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"
#include "tests/solvers/online/online_fixture.h"

/* ---- the plain transcription */

enum method { PEGASOS, ADAPTIVE, PROXIMAL, OBSERVED, ANNEAL };

struct plain {
    enum method method;
    const char *restart; /* of the optimistic radius; NULL: fixed */
    double radius;
    int batch;
    bool project, intercept;
};
/* The t-weighted average of the iterates goes to `average`. */
static void plain_run(const struct fixture *f, const struct plain *p, int steps, double *w,
                      double *average) {
    double lambda = f->problem.lambda, l = 0, tau_sum = 0, g[MAX_DIMENSION], total = 0;
    int64_t n = f->risk->regularized;
    double diameter = sqrt(f->risk->kind->norm_bound(f->risk) / lambda);
    bool idle = true;
    double radius = p->radius > 0 ? p->radius : fmax(sqrt(vector_dot(w, w, n)), fmin(1, diameter));
    struct anneal anneal;
    struct plain_order order;
    plain_start(f, p->method == ANNEAL, &order);
    anneal_init(&anneal, 0.125 * ((ROWS + p->batch - 1) / p->batch), steps);
    memset(average, 0, sizeof *average * MAX_DIMENSION);
    for (int t = 1; t <= steps; t++) {
        double square = plain_subgradient(f, &order, p->batch, w, g), target = 0;
        double factor = p->method == ANNEAL ? anneal_factor(&anneal) : 1;
        double bound = plain_bound(f, radius, diameter), eta, curvature = lambda;
        anneal_advance(&anneal);
        l += lambda;
        if (p->method == ADAPTIVE) {
            bound = plain_bound(f, diameter, diameter);
            target = 8 * bound * bound / (3 * diameter * diameter);
        } else if (p->method == PROXIMAL) {
            target = bound * bound / (radius * radius);
        } else if (p->method >= OBSERVED) {
            idle = idle && square <= 0;
            target = square / (radius * radius);
        }
        if (p->method >= OBSERVED && idle) {
            l = 0;
            continue;
        }
        double tau = (sqrt((l + tau_sum) * (l + tau_sum) + target) - (l + tau_sum)) / 2;
        tau_sum += tau;
        if (p->method == ADAPTIVE)
            curvature += tau;
        eta = factor / (l + tau_sum);
        for (int j = 0; j < n; j++)
            w[j] -= eta * (curvature * w[j] + g[j]);
        if (p->intercept)
            w[n] -= tau_sum > 0 ? factor / tau_sum * g[n] : 0;
        double norm = sqrt(vector_dot(w, w, n)), max_norm = diameter;
        if (p->radius > 0)
            max_norm = fmin(max_norm, p->radius);
        if (p->project && norm > max_norm) {
            for (int j = 0; j < n; j++)
                w[j] *= max_norm / norm;
            norm = max_norm;
        }
        if (p->restart != NULL && norm >= radius) {
            radius *= sqrt(2);
            if (strcmp(p->restart, "scale") == 0)
                l /= sqrt(2), tau_sum /= sqrt(2);
            else if (strcmp(p->restart, "none") != 0)
                l = tau_sum = 0;
            if (strcmp(p->restart, "full") == 0)
                memset(w, 0, sizeof *w * (size_t)n);
        }
        total += t;
        for (int j = 0; j < MAX_DIMENSION; j++)
            average[j] += t * w[j];
    }
    for (int j = 0; j < MAX_DIMENSION; j++)
        average[j] /= total;
    alias_free(&order.alias);
}

static void compare(const char *loss, double lambda, double bias, bool weighted,
                    const struct plain *plain, const char *solver, const char *const *words) {
    struct fixture f;
    double expected[MAX_DIMENSION] = {0}, average[MAX_DIMENSION], w[MAX_DIMENSION] = {0};
    set_up_with(&f, loss, lambda, bias, weighted, plain->intercept);
    f.run.batch_size = plain->batch;
    int steps = 5 * ((ROWS + plain->batch - 1) / plain->batch);
    plain_run(&f, plain, steps, expected, average);
    train(&f, solver, words, w);
    assert_int_equal(f.outcome.iterations, steps);
    assert_near(f.outcome.objective, problem_objective(&f.problem, w), 1e-12 * f.outcome.objective);
    bool averaged = words != NULL && words[0] != NULL && strcmp(words[0], "output=average") == 0;
    for (int j = 0; j < f.risk->dimension; j++)
        assert_near(w[j], averaged ? average[j] : expected[j],
                    (averaged ? 1e-7 : 1e-9) * (1 + fabs(w[j])));
    tear_down(&f);
}

static const char *const losses[] = {"hinge",    "squared-hinge", "logistic", "squared",
                                     "absolute", "epsilon",       "huber",    "quantile"};
static const double lambdas[] = {1e-6, 1e-3, 0.1};

/* Calls COMPARE over losses, curvatures, batches, weights, bias, projection. */
static void compare_all(enum method method, const char *solver, const char *const *fixed_words) {
    for (int l = 0; l < 8; l++)
        for (int k = 0; k < 3; k++)
            for (int variant = 0; variant < 8; variant++) {
                struct plain plain = {method,
                                      method >= PROXIMAL ? "none" : NULL,
                                      0,
                                      variant & 1 ? 7 : 1,
                                      !(variant & 4),
                                      method >= PROXIMAL && k > 0 && variant & 1};
                const char *words[8] = {NULL};
                int count = 0;
                while (fixed_words != NULL && fixed_words[count] != NULL) {
                    words[count] = fixed_words[count];
                    count++;
                }
                /* Long steps on a curved loss blow rounding up; squared ones diverge without the
                 * ball. */
                const struct loss *loss = loss_by_name(losses[l]);
                if ((isfinite(loss->curvature) && k < 2) ||
                    (loss->lipschitz_slope > 0 && variant & 4))
                    continue;
                if (variant & 4)
                    words[count] = "project=off";
                compare(losses[l], lambdas[k], variant & 2 ? 0.5 : -1, variant & 2, &plain, solver,
                        words);
            }
}

static const char *const unlimited[] = {"limit-steps=off", NULL};

static void pegasos_is_algorithm_1(void **state) {
    (void)state;
    compare_all(PEGASOS, "pegasos", unlimited);
}

/* A step of all examples takes each once, whatever the seed. */
static void a_batch_is_a_subset(void **state) {
    (void)state;
    static const char *const solvers[] = {"pegasos", "adaptive", "proximal"};
    for (int k = 0; k < 3; k++) {
        double w[2][MAX_DIMENSION] = {{0}};
        for (int seed = 0; seed < 2; seed++) {
            struct fixture f;
            set_up(&f, "hinge", 0.1, -1, false);
            f.run.batch_size = ROWS;
            f.run.seed = (uint64_t)seed;
            train(&f, solvers[k], NULL, w[seed]);
            tear_down(&f);
        }
        for (int j = 0; j < FEATURES; j++)
            assert_near(w[0][j], w[1][j], 1e-12);
    }
}

static void adaptive_is_equation_4(void **state) {
    (void)state;
    compare_all(ADAPTIVE, "adaptive", unlimited);
}

static void proximal_is_algorithm_3(void **state) {
    (void)state;
    static const char *const balance[] = {"tau=balance", NULL};
    static const char *const observed[] = {"tau=observed", NULL};
    static const char *const euclidean[] = {"metric=none", NULL};
    compare_all(PROXIMAL, "proximal", balance);
    compare_all(OBSERVED, "proximal", observed);
    compare_all(ANNEAL, "proximal", euclidean);
}

static void every_restart_rule_is_as_said(void **state) {
    (void)state;
    static const char *const rules[] = {"none", "scale", "sums", "full"};
    static const char *const words[][3] = {{"tau=balance", "restart=none", NULL},
                                           {"tau=balance", "restart=scale", NULL},
                                           {"tau=balance", "restart=sums", NULL},
                                           {"tau=balance", "restart=full", NULL}};
    for (int r = 0; r < 4; r++)
        for (int k = 0; k < 3; k++) {
            struct plain plain = {PROXIMAL, rules[r], 0, 1, true, false};
            compare("hinge", lambdas[k], -1, false, &plain, "proximal", words[r]);
        }
}

static void a_fixed_radius_is_algorithm_2(void **state) {
    (void)state;
    static const char *const words[] = {"tau=balance", "radius=3", NULL};
    struct plain plain = {PROXIMAL, NULL, 3, 1, true, false};
    for (int k = 0; k < 3; k++)
        compare("hinge", lambdas[k], -1, false, &plain, "proximal", words);
}

/* From a poor start, so that what is returned is where the run ended. R begins at the start's norm. */
static void a_start_is_where_the_run_begins(void **state) {
    (void)state;
    static const char *const words[] = {"tau=balance", NULL};
    struct plain plain = {PROXIMAL, "none", 0, 1, true, false};
    struct fixture f;
    double expected[MAX_DIMENSION] = {0}, average[MAX_DIMENSION], w[MAX_DIMENSION] = {0};
    set_up(&f, "hinge", 1e-3, -1, false);
    for (int j = 0; j < FEATURES; j++)
        w[j] = expected[j] = j % 2 ? -4 : 4;
    f.run.warm = true;
    plain_run(&f, &plain, 5 * ROWS, expected, average);
    train(&f, "proximal", words, w);
    for (int j = 0; j < f.risk->dimension; j++)
        assert_near(w[j], expected[j], 1e-9);
    tear_down(&f);
}

/* pegasos with --limit-steps on, plainly, one example a step: no step is longer than 2 loss/||g||^2. */
static void a_limited_step_has_at_most_twice_the_loss(void **state) {
    (void)state;
    for (int l = 0; l < 8; l++) {
        struct fixture f;
        struct plain_order order;
        double x[MAX_DIMENSION], v[MAX_DIMENSION] = {0}, w[MAX_DIMENSION] = {0}, a;
        set_up(&f, losses[l], 0.01, 0.5, l % 2);
        const double radius = sqrt(f.risk->kind->norm_bound(f.risk) / 0.01);
        int limited = 0;
        plain_start(&f, false, &order);
        for (int t = 1; t <= 5 * ROWS; t++) {
            int64_t i = plain_next(&order);
            dense_row(&f, i, x);
            double loss = f.scalar.loss->value(vector_dot(v, x, MAX_DIMENSION), f.target[i],
                                               &f.scalar.parameters, &a);
            double eta = 100.0 / t, square = a * a * vector_dot(x, x, MAX_DIMENSION), norm = 0;
            double change = square > 0 ? fmin(eta, 2 * loss / square) : 0;
            limited += change < eta && a != 0;
            for (int j = 0; j < MAX_DIMENSION; j++) {
                v[j] = (1 - eta * 0.01) * v[j] - change * a * x[j];
                norm += v[j] * v[j];
            }
            for (int j = 0; j < MAX_DIMENSION; j++)
                v[j] *= norm > radius * radius ? radius / sqrt(norm) : 1;
        }
        alias_free(&order.alias);
        train(&f, "pegasos", NULL, w);
        assert_true(limited > 5);
        for (int j = 0; j < f.risk->dimension; j++)
            assert_near(w[j], v[j], 1e-8 * (1 + fabs(v[j])));
        tear_down(&f);
    }
}

/* Features a thousand times as large: the first steps of the papers are far too long for them. */
static void limited_steps_bear_large_features(void **state) {
    (void)state;
    static const char *const solver[] = {"pegasos", "asset*", "asset"};
    static const char *const off[] = {"limit-steps=off", NULL};
    for (int s = 0; s < 3; s++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up(&f, "squared-hinge", 1e-3, -1, false);
        for (int64_t k = 0; k < f.data.nonzeros; k++)
            f.data.value[k] *= 1000;
        f.run.passes = 20;
        train(&f, solver[s], off, w);
        train(&f, solver[s], NULL, v);
        assert_true(problem_objective(&f.problem, v) < 1e-3 * problem_objective(&f.problem, w));
        tear_down(&f);
    }
}

static void the_average_is_weighted_by_t(void **state) {
    (void)state;
    static const char *const words[] = {"output=average", "limit-steps=off", NULL};
    static const char *const balance[] = {"output=average", "tau=balance", NULL};
    struct plain pegasos = {PEGASOS, NULL, 0, 1, true, false},
                 batch = {PEGASOS, NULL, 0, 7, true, false};
    struct plain proximal = {PROXIMAL, "none", 0, 1, true, false};
    compare("hinge", 1e-3, -1, false, &pegasos, "pegasos", words);
    compare("hinge", 1e-6, -1, false, &pegasos, "pegasos", words);
    compare("logistic", 0.1, 1, true, &batch, "pegasos", words);
    compare("hinge", 1e-6, -1, false, &proximal, "proximal", balance);
}

static void annealed_epochs_double_and_fill_the_limit(void **state) {
    (void)state;
    struct anneal anneal;
    double ends[8];
    int count = 0;
    anneal_init(&anneal, 10, 200);
    for (int t = 0; t < 200; t++) {
        double factor = anneal_factor(&anneal);
        assert_true(factor > 0 && factor <= 1);
        if (anneal_advance(&anneal))
            ends[count++] = t + 1;
    }
    /* 10 + 20 + 40; 80 more would leave 50, fewer than 160. */
    assert_int_equal(count, 4);
    assert_near(ends[0], 10, 0);
    assert_near(ends[1], 30, 0);
    assert_near(ends[2], 70, 0);
    assert_near(ends[3], 200, 0);
    anneal_init(&anneal, 10, 4);
    for (int t = 0; t < 4; t++) {
        assert_near(anneal_factor(&anneal), 1 - t / 4.0, 0);
        anneal_advance(&anneal);
    }
}

static void all_reach_the_optimum(void **state) {
    (void)state;
    static const char *const solvers[] = {"pegasos", "adaptive", "proximal"};
    static const char *const smooth[] = {"squared-hinge", "logistic", "squared", "huber"};
    for (int s = 0; s < 3; s++)
        for (int l = 0; l < 4; l++) {
            if ((s + l) % PART(1, 3) != 0)
                continue;
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            set_up(&f, smooth[l], 0.1, 1, true);
            f.run.passes = 4000;
            double best = optimum(&f);
            train(&f, solvers[s], NULL, w);
            assert_true(f.outcome.objective >= best - 1e-10);
            assert_true(f.outcome.bound <= best + 1e-10);
            assert_true(f.outcome.objective <= best * 1.002);
            tear_down(&f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pegasos_is_algorithm_1),
        cmocka_unit_test(a_batch_is_a_subset),
        cmocka_unit_test(adaptive_is_equation_4),
        cmocka_unit_test(proximal_is_algorithm_3),
        cmocka_unit_test(every_restart_rule_is_as_said),
        cmocka_unit_test(a_fixed_radius_is_algorithm_2),
        cmocka_unit_test(a_start_is_where_the_run_begins),
        cmocka_unit_test(a_limited_step_has_at_most_twice_the_loss),
        cmocka_unit_test(limited_steps_bear_large_features),
        cmocka_unit_test(the_average_is_weighted_by_t),
        cmocka_unit_test(annealed_epochs_double_and_fill_the_limit),
        cmocka_unit_test(all_reach_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
