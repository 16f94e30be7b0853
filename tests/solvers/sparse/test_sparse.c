/* test_sparse.c - what comes out of sgd, tg, fobos and rda; and the observer of dual averaging. */
#include "solvers/optimality.h"
#include "solvers/sparse/averaging.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/proximal_gradient.h"
#include "tests/size.h"
#include "tests/solvers/sparse/sparse_fixture.h"

/* The gradient of all examples at w = 0 is less than lambda; or that of each example. */
static void large_lambda_leaves_real_zeros(void **state) {
    (void)state;
    static const char *const methods[] = {"fobos", "rda"}, *const annealed[] = {"step=anneal",
                                                                                NULL};
    for (int m = 0; m < 2; m++)
        for (int single = 0; single < 2; single++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, g[MAX_DIMENSION];
            set_up_sparse(&f, "hinge", 1, false, -1, false, false);
            risk_evaluate(f.risk, w, 0, g);
            f.problem.lambda = single ? 1.0001 : 1.0001 * vector_largest(g, FEATURES);
            f.run.batch_size = single ? 1 : ROWS;
            f.run.passes = single ? 3 : 100;
            train(&f, methods[m], single && m == 0 ? annealed : NULL, w);
            for (int j = 0; j < FEATURES; j++)
                assert_true(w[j] == 0 && !signbit(w[j]));
            assert_near(f.outcome.objective, 1, 1e-15);
            tear_down(&f);
        }
}

static void all_come_near_the_optimum(void **state) {
    (void)state;
    static const char *const smooth[] = {"squared-hinge", "logistic", "squared", "huber"};
    for (int m = 0; m < 4; m++)
        for (int v = 0; v < 8; v++)
            for (int l = 0; l < 4; l++) {
                if ((m + v + l) % PART(2, 3) != 0)
                    continue;
                struct fixture f;
                double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
                static const char *const average[] = {"output=average", NULL};
                set_up_sparse(&f, smooth[l], 0.02, v & 1, 1, v & 2, v & 4);
                f.run.passes = 200;
                proximal_gradient(&f.problem, 20000, best);
                double optimum = problem_objective(&f.problem, best);
                train(&f, sparse_solvers[m], average, w);
                assert_near(f.outcome.objective, problem_objective(&f.problem, w), 1e-12);
                assert_true(f.outcome.objective >= optimum - 1e-10);
                assert_true(f.outcome.bound <= optimum + 1e-10);
                assert_true(f.outcome.bound >= optimum * 0.97); /* certify.h */
                assert_true(f.outcome.objective <= optimum * 1.02);
                tear_down(&f);
            }
}

/* Without a gamma, both regularizers, weights, offset: the noise of single examples is gone. */
static void corrected_averaging_gets_to_the_optimum(void **state) {
    (void)state;
    static const char *const some[] = {"squared-hinge", "logistic", "squared", "huber"};
    for (int l = 0; l < 4; l++)
        for (int v = 0; v < 8; v++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
            set_up_sparse(&f, some[l], 0.02, v & 1, 1, v & 2, v & 4);
            f.run.passes = 200;
            proximal_gradient(&f.problem, 20000, best);
            double optimum = problem_objective(&f.problem, best);
            train(&f, "rda", NULL, w);
            assert_true(f.outcome.bound <= optimum + 1e-10);
            assert_true(f.outcome.objective >= optimum - 1e-10);
            assert_true(f.outcome.objective <= optimum * 1.0001);
            tear_down(&f);
        }
}

/* auto is corrected, but for the options that belong to the plain loop. */
static void averaging_is_corrected_by_default(void **state) {
    (void)state;
    static const struct {
        const char *given, *slope, *beta;
    } cases[] = {{"output=last", "slope=corrected", "beta=auto"},
                 {"output=best", "slope=corrected", "beta=auto"},
                 {"output=average", "slope=half", "beta=sqrt"},
                 {"beta=sqrt", "slope=half", "beta=sqrt"},
                 {"beta=log", "slope=half", "beta=log"},
                 {"slope=before", "slope=before", "beta=sqrt"}};
    for (int k = 0; k < 6; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        const char *const words[] = {"gamma=3", cases[k].given, NULL};
        bool output = strncmp(cases[k].given, "output", 6) == 0;
        const char *const same[] = {"gamma=3", cases[k].slope, cases[k].beta,
                                    output ? cases[k].given : NULL, NULL};
        set_up_sparse(&f, "squared-hinge", 0.02, true, 1, false, true);
        train(&f, "rda", words, w);
        train(&f, "rda", same, v);
        assert_memory_equal(w, v, sizeof w);
        tear_down(&f);
    }
}

static void the_best_is_no_worse_than_the_last(void **state) {
    (void)state;
    static const char *const best[] = {"gamma=0.5", "output=best", NULL};
    for (int m = 0; m < 4; m++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up_sparse(&f, "logistic", 0.02, false, 1, false, false);
        train(&f, sparse_solvers[m], (const char *const[]){"gamma=0.5", NULL}, w);
        double last = f.outcome.objective;
        train(&f, sparse_solvers[m], best, v);
        assert_true(f.outcome.objective <= last);
        tear_down(&f);
    }
}

/* Too long steps, from the optimum. */
static void a_start_is_never_made_worse(void **state) {
    (void)state;
    static const char *const outputs[] = {"output=last", "output=best", "output=average"};
    for (int m = 0; m < RDA; m++)
        for (int v = 0; v < 6; v++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
            const char *const words[] = {"gamma=0.01", outputs[v % 3], NULL};
            set_up_sparse(&f, "logistic", 0.02, v / 3, 1, true, true);
            proximal_gradient(&f.problem, 2000, best);
            memcpy(w, best, sizeof w);
            f.run.warm = true;
            train(&f, sparse_solvers[m], words, w);
            assert_memory_equal(w, best, sizeof w);
            assert_near(f.outcome.objective, problem_objective(&f.problem, best), 1e-15);
            memset(w, 0, sizeof w);
            double null = problem_objective(&f.problem, w);
            f.run.warm = false; /* from 0 itself the run may end higher, but with output=best */
            train(&f, sparse_solvers[m], words, w);
            assert_true(v % 3 == 1 ? f.outcome.objective <= null
                                   : vector_nonzeros(w, MAX_DIMENSION) > 0);
            tear_down(&f);
        }
}

/* A part of a batch counts as a step. */
static void a_little_of_a_pass_is_a_step(void **state) {
    (void)state;
    static const double passes[] = {0.001, 1.0 / ROWS, 1.001 / ROWS, 1.5};
    static const int steps[] = {1, 1, 2, 3 * ROWS / 2};
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 4; k++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            set_up_sparse(&f, "logistic", 1e-4, false, 1, false, true);
            f.run.passes = passes[k];
            train(&f, sparse_solvers[m], (const char *const[]){"gamma=3", NULL}, w);
            assert_int_equal(f.outcome.iterations, steps[k]);
            assert_near(f.outcome.passes, (double)steps[k] / ROWS, 1e-15);
            assert_true(vector_nonzeros(w, MAX_DIMENSION) > 0);
            tear_down(&f);
        }
}

/* The same weights and J, and no bound. */
static void a_trial_has_no_bound(void **state) {
    (void)state;
    for (int m = 0; m < 4; m++)
        for (int best = 0; best < 2; best++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
            const char *const words[] = {"gamma=3", best ? "output=best" : "output=last", NULL};
            set_up_sparse(&f, "logistic", 0.02, m % 2, 1, true, true);
            train(&f, sparse_solvers[m], words, w);
            double objective = f.outcome.objective;
            assert_true(f.outcome.bound >= 0);
            f.run.uncertified = true;
            train(&f, sparse_solvers[m], words, v);
            assert_memory_equal(w, v, sizeof w);
            assert_near(f.outcome.objective, objective, 1e-15);
            assert_true(f.outcome.bound == -INFINITY);
            assert_int_equal(f.outcome.verdict, VERDICT_PASSES);
            tear_down(&f);
        }
}

/* The delta of the last report is that of the model; reports do not change the result. */
static void a_trace_tells_the_distance_from_optimality(void **state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0}, g[MAX_DIMENSION], seen = NAN;
        char line[512];
        const char *const words[] = {"gamma=2", NULL};
        FILE *trace = tmpfile();
        set_up_sparse(&f, "logistic", 0.02, m % 2, 1, true, true);
        const struct solver *solver = solver_by_name(sparse_solvers[m]);
        void *options = solver_options_parse(solver, words);
        const struct monitor_settings settings = {
            .passes = f.run.passes, .time_limit = INFINITY, .trace = trace};
        struct monitor monitor;
        monitor_init(&monitor, &settings);
        monitor_begin(&monitor, NULL);
        assert_int_equal(
            solver->train(&(struct solve){&f.problem, &f.run, options, &monitor, w, &f.outcome},
                          NULL),
            0);
        monitor_end(&monitor);
        rewind(trace);
        while (fgets(line, sizeof line, trace) != NULL)
            seen = strtod(strrchr(line, '\t'), NULL);
        risk_evaluate(f.risk, w, 0, g);
        assert_near(seen, optimality_delta(&f.problem, w, g), 1e-15);
        train(&f, sparse_solvers[m], words, v);
        assert_memory_equal(w, v, sizeof w);
        fclose(trace);
        free(options);
        tear_down(&f);
    }
}

/* Far too long first steps: with the derivative before the step most of these runs overflow. */
static void annealed_steps_bear_a_small_gamma(void **state) {
    (void)state;
    static const char *const loss[] = {"squared-hinge", "squared", "logistic", "hinge"};
    for (int l = 0; l < 4; l++)
        for (int m = 0; m < 3; m++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            set_up_sparse(&f, loss[l], 1e-3, false, -1, false, false);
            double zero = problem_objective(&f.problem, w);
            f.run.passes = 20;
            train(&f, sparse_solvers[m], (const char *const[]){"gamma=1e-3", "step=anneal", NULL},
                  w);
            assert_true(problem_objective(&f.problem, w) < zero);
            tear_down(&f);
        }
}

/* Losses of unbounded slope, with far too long steps and an example 1000 times as long as the others. */
static void averaging_bears_a_small_gamma(void **state) {
    (void)state;
    static const char *const loss[] = {"squared-hinge", "squared"};
    static const char *const gamma[] = {"gamma=1", "gamma=100"};
    for (int l = 0; l < 2; l++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up_sparse(&f, loss[l], 1e-3, false, -1, false, false);
        for (int64_t k = f.data.start[5]; k < f.data.start[6]; k++)
            f.data.value[k] *= 1000;
        double zero = problem_objective(&f.problem, w);
        f.run.passes = 20;
        train(&f, "rda", (const char *const[]){gamma[l], "slope=half", NULL}, w);
        assert_true(problem_objective(&f.problem, w) < 2 * zero);
        tear_down(&f);
    }
}

static void divergence_is_an_error(void **state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up_sparse(&f, "squared", 0.01, false, -1, false, false);
        const struct solver *solver = solver_by_name(sparse_solvers[m]);
        const char *const words[] = {"gamma=1e-200", m == RDA ? "slope=before" : "step=sqrt", NULL};
        void *options = solver_options_parse(solver, words);
        const struct monitor_settings settings = {.passes = 5, .time_limit = INFINITY};
        struct monitor monitor;
        struct error e = {0};
        monitor_init(&monitor, &settings);
        monitor_begin(&monitor, NULL);
        assert_int_equal(
            solver->train(&(struct solve){&f.problem, &f.run, options, &monitor, w, &f.outcome},
                          &e),
            -1);
        assert_non_null(strstr(e.words, "beyond all numbers"));
        monitor_end(&monitor);
        free(options);
        tear_down(&f);
    }
}

/* ---- the observer of dual averaging */

struct watch {
    double sum[MAX_DIMENSION];
    int64_t steps, until;
};

static void touched(void *opaque, int64_t t, int64_t j, double before, double after) {
    struct watch *watch = opaque;
    assert_int_equal(t, watch->steps + 1);
    assert_near(watch->sum[j], before, 0);
    watch->sum[j] = after;
}

static bool stepped(void *opaque, int64_t t) {
    struct watch *watch = opaque;
    assert_int_equal(t, ++watch->steps);
    return t == watch->until;
}

static void an_observer_sees_the_sums_and_stops(void **state) {
    (void)state;
    for (int batch = 1; batch < 8; batch += 6) {
        struct fixture f;
        struct watch watch = {.until = 100};
        double w[MAX_DIMENSION] = {0}, mean[MAX_DIMENSION];
        set_up_sparse(&f, "logistic", 0.02, false, 0.5, false, true);
        f.run.passes = 100;
        f.run.batch_size = batch;
        struct averaging_observer observer = {&watch, touched, stepped, NULL};
        struct averaging_plan plan = {.gamma = 3, .observer = &observer, .mean = mean};
        const struct monitor_settings settings = {.passes = 100, .time_limit = INFINITY};
        struct monitor monitor;
        monitor_init(&monitor, &settings);
        monitor_begin(&monitor, NULL);
        assert_int_equal(
            averaging_run(&(struct solve){&f.problem, &f.run, NULL, &monitor, w, &f.outcome}, &plan,
                          NULL),
            0);
        monitor_end(&monitor);
        assert_int_equal(f.outcome.iterations, 100);
        assert_int_equal(f.outcome.verdict, VERDICT_SETTLED);
        assert_true(isnan(f.outcome.objective));
        for (int j = 0; j < f.risk->regularized; j++) {
            assert_near(mean[j], watch.sum[j] / 100, 1e-15);
            assert_near(w[j], -sqrt(100) / 3 * soft(mean[j], 0.02), 1e-13);
        }
        assert_near(w[f.risk->regularized], -sqrt(100) / 3 * mean[f.risk->regularized], 1e-13);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_lambda_leaves_real_zeros),
        cmocka_unit_test(all_come_near_the_optimum),
        cmocka_unit_test(corrected_averaging_gets_to_the_optimum),
        cmocka_unit_test(averaging_is_corrected_by_default),
        cmocka_unit_test(the_best_is_no_worse_than_the_last),
        cmocka_unit_test(a_start_is_never_made_worse),
        cmocka_unit_test(a_little_of_a_pass_is_a_step),
        cmocka_unit_test(a_trial_has_no_bound),
        cmocka_unit_test(a_trace_tells_the_distance_from_optimality),
        cmocka_unit_test(annealed_steps_bear_a_small_gamma),
        cmocka_unit_test(averaging_bears_a_small_gamma),
        cmocka_unit_test(divergence_is_an_error),
        cmocka_unit_test(an_observer_sees_the_sums_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
