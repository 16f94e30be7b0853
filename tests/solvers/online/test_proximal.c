/* test_proximal.c - Algorithm 3's promise with --guarantee, --tau bound, and how runs of the online
 * solvers start, stop and fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"
#include "tests/solvers/online/online_fixture.h"

static void settling_stops_near_the_optimum(void **state) {
    (void)state;
    struct fixture f;
    double w[MAX_DIMENSION] = {0};
    set_up(&f, "logistic", 1e-3, -1, false);
    f.run.passes = 1e6;
    f.run.passes_given = false;
    train(&f, "proximal", NULL, w);
    assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
    assert_true(f.outcome.passes < 1e6);
    assert_true(f.outcome.objective <= 1.02 * optimum(&f));
    tear_down(&f);
}

/* Algorithm 3: ends by itself, within epsilon with the probability promised (here in all of 20 runs
 * at delta = 0.5), and its phase is as long as the formula says when R is never raised. */
static void epsilon_ends_with_the_promise(void **state) {
    (void)state;
    static const char *const words[] = {"guarantee=0.05", "delta=0.5", NULL};
    double lambda = 0.2, epsilon = 0.05, v[MAX_DIMENSION] = {0};
    struct fixture precise;
    set_up(&precise, "hinge", lambda, -1, false);
    precise.run.passes = 5000;
    train(&precise, "proximal", NULL, v);
    for (int seed = 0; seed < PART(20, 7); seed++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", lambda, -1, false);
        f.run.seed = (uint64_t)seed;
        f.run.passes = INFINITY;
        train(&f, "proximal", words, w);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(f.outcome.objective <= precise.outcome.objective + epsilon);
        tear_down(&f);
    }
    tear_down(&precise);
}

/* Algorithm 3 written out: the iterate returned goes to `kept`; returns the steps taken. */
static int64_t plain_algorithm_3(const struct fixture *f, double epsilon, double delta,
                                 double *kept) {
    double lambda = f->problem.lambda, diameter = sqrt(f->risk->kind->norm_bound(f->risk) / lambda);
    double radius = fmin(1, diameter), margin = sqrt(2 * epsilon / lambda), w[MAX_DIMENSION] = {0},
           g[MAX_DIMENSION];
    double phases = fmax(3 - log2(lambda), 2 + floor(2 * log2((diameter + margin) / radius)));
    struct plain_order order;
    struct random random;
    int64_t steps = 0;
    bool converged = false;
    plain_start(f, false, &order);
    random_seed(&random, f->run.seed, ~f->run.stream);
    while (!converged) {
        double bound = plain_bound(f, radius, diameter), l = 0, tau_sum = 0, length = 1;
        double scale = delta / phases;
        while (fmin(bound * bound * (1 + log(length)) / (scale * lambda * length),
                    4 * radius * bound / (scale * sqrt(length))) > epsilon)
            length++;
        double chosen = 1 + floor(random_unit(&random) * length);
        converged = true;
        for (double t = 1; t <= length && converged; t++) {
            if (t == chosen)
                memcpy(kept, w, sizeof w);
            plain_subgradient(f, &order, 1, w, g);
            l += lambda;
            double base = l + tau_sum, target = bound * bound / (radius * radius);
            tau_sum += (sqrt(base * base + target) - base) / 2;
            for (int j = 0; j < MAX_DIMENSION; j++)
                w[j] -= (lambda * w[j] + g[j]) / (l + tau_sum);
            double norm = sqrt(vector_dot(w, w, MAX_DIMENSION));
            for (int j = 0; norm > diameter && j < MAX_DIMENSION; j++)
                w[j] *= diameter / norm;
            steps++;
            if (fmin(norm, diameter) >= radius - margin) {
                radius *= sqrt(2);
                converged = false;
            }
        }
    }
    return steps;
}

static void epsilon_above_0_is_algorithm_3(void **state) {
    (void)state;
    static const char *const words[][3] = {{"guarantee=0.1", "delta=0.9", NULL},
                                           {"guarantee=0.4", "delta=0.9", NULL}};
    static const double epsilons[] = {0.1, 0.4}, curvatures[] = {0.02, 0.1, 0.5, 8, 20};
    for (int l = 0; l < 3; l++)
        for (int k = 0; k < 5; k++)
            for (int i = 0; i < 2; i++) {
                static const char *const some[] = {"hinge", "logistic", "absolute"};
                struct fixture f;
                double w[MAX_DIMENSION] = {0}, expected[MAX_DIMENSION] = {0};
                if ((l + k + i) % PART(1, 3) != 0)
                    continue;
                set_up(&f, some[l], curvatures[k], -1, false);
                f.run.seed = (uint64_t)(l + k + i) % 2;
                f.run.passes = INFINITY;
                int64_t steps = plain_algorithm_3(&f, epsilons[i], 0.9, expected);
                train(&f, "proximal", words[i], w);
                assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
                assert_int_equal(f.outcome.iterations, steps);
                for (int j = 0; j < f.risk->dimension; j++)
                    assert_near(w[j], expected[j], 1e-9);
                tear_down(&f);
            }
}

/* With a fixed R there is one phase; either of the two bounds may be the shorter. */
static void an_epsilon_phase_has_the_length_of_the_bound(void **state) {
    (void)state;
    static const char *const words[][4] = {{"radius=1.5", "delta=0.8", "guarantee=0.3", NULL},
                                           {"radius=0.25", "delta=0.8", "guarantee=0.3", NULL}};
    static const double curvatures[] = {0.3, 1e-5}, radii[] = {1.5, 0.25};
    for (int k = 0; k < 2; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, lambda = curvatures[k], epsilon = 0.3,
               diameter = 1 / sqrt(lambda);
        set_up(&f, "hinge", lambda, -1, false);
        f.run.passes = INFINITY;
        train(&f, "proximal", words[k], w);
        double margin = sqrt(2 * epsilon / lambda), g = plain_bound(&f, radii[k], diameter);
        double phases = fmax(3 - log2(lambda), 2 + floor(2 * log2((diameter + margin) / radii[k])));
        double delta = 0.8 / phases, one, two, length = 0;
        do {
            length++;
            one = g * g * (1 + log(length)) / (delta * lambda * length);
            two = 4 * radii[k] * g / (delta * sqrt(length));
        } while (fmin(one, two) > epsilon);
        assert_true(k == 0 ? one < two : two < one);
        assert_near((double)f.outcome.iterations, length, 0);
        tear_down(&f);
    }
}

/* --tau bound: all of tau in the first step, at the minimum of B over a fine grid. */
static void tau_bound_minimizes_the_regret_bound(void **state) {
    (void)state;
    static const double lambdas[] = {1e-6, 1e-3, 0.1};
    static const char *const words[] = {"tau=bound", "radius=2", NULL};
    for (int k = 0; k < 3; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, lambda = lambdas[k], v[MAX_DIMENSION] = {0},
               g[MAX_DIMENSION];
        set_up(&f, "hinge", lambda, -1, false);
        train(&f, "proximal", words, w);
        double diameter = 1 / sqrt(lambda), bound = plain_bound(&f, 2, diameter), steps = 5 * ROWS;
        double best = INFINITY, tau = 0;
        for (double candidate = 0; candidate < bound * sqrt(steps); candidate += bound * 1e-4) {
            double x = candidate / lambda;
            double b = 4 * candidate * 4 +
                       bound * bound / lambda * (1 / (1 + x) + log((steps + x) / (1 + x)));
            if (b < best) {
                best = b;
                tau = candidate;
            }
        }
        struct plain_order order;
        plain_start(&f, false, &order);
        for (int t = 1; t <= steps; t++) {
            plain_subgradient(&f, &order, 1, v, g);
            for (int j = 0; j < MAX_DIMENSION; j++)
                v[j] -= (lambda * v[j] + g[j]) / (lambda * t + tau);
            double norm = sqrt(vector_dot(v, v, MAX_DIMENSION)), max_norm = fmin(2, diameter);
            for (int j = 0; norm > max_norm && j < MAX_DIMENSION; j++)
                v[j] *= max_norm / norm;
        }
        for (int j = 0; j < f.risk->dimension; j++)
            assert_near(w[j], v[j], 2e-3 * (1 + fabs(v[j])));
        tear_down(&f);
    }
}

static void a_warm_start_is_never_made_worse(void **state) {
    (void)state;
    static const char *const solvers[] = {"pegasos", "adaptive", "proximal"};
    struct fixture f;
    double w[MAX_DIMENSION] = {0}, before;
    set_up(&f, "hinge", 1e-4, -1, false);
    f.run.passes = 200;
    train(&f, "proximal", NULL, w);
    before = f.outcome.objective;
    f.run.passes = 1;
    f.run.warm = true;
    for (int s = 0; s < 3; s++) {
        train(&f, solvers[s], NULL, w);
        assert_true(f.outcome.objective <= before);
    }
    tear_down(&f);
}

/* The start is projected onto the ball of --radius too, and one from another lambda soon forgotten. */
static void a_warm_start_does_not_linger(void **state) {
    (void)state;
    static const char *const words[] = {"radius=0.5", NULL};
    struct fixture f;
    double w[MAX_DIMENSION] = {0}, cold[MAX_DIMENSION] = {0};
    set_up(&f, "hinge", 1e-6, -1, false);
    f.run.passes = 100;
    train(&f, "proximal", NULL, w);
    assert_true(sqrt(vector_dot(w, w, MAX_DIMENSION)) > 2);
    f.problem.lambda = 10;
    f.run.passes = 10;
    train(&f, "proximal", NULL, cold);
    double objective = f.outcome.objective, warm[MAX_DIMENSION];
    memcpy(warm, w, sizeof warm);
    f.run.warm = true;
    train(&f, "proximal", NULL, warm);
    assert_true(f.outcome.objective <= 1.01 * objective);
    f.problem.lambda = 1e-6;
    train(&f, "proximal", words, w);
    assert_true(sqrt(vector_dot(w, w, MAX_DIMENSION)) <= 0.5 * (1 + 1e-12));
    tear_down(&f);
}

static void fractions_of_passes_are_kept(void **state) {
    (void)state;
    static const char *const solvers[] = {"pegasos", "adaptive", "proximal"};
    static const double passes[] = {0.1, 0.5, 1, 1.5, 2.75};
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 5; i++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            set_up(&f, "hinge", 0.1, -1, false);
            f.run.passes = passes[i];
            train(&f, solvers[s], NULL, w);
            assert_near((double)f.outcome.iterations, ceil(passes[i] * ROWS), 0);
            assert_int_equal(f.outcome.verdict, VERDICT_PASSES);
            assert_true(isfinite(f.outcome.objective) && f.outcome.objective < 1);
            tear_down(&f);
        }
}

/* The risk of the first rows alone. */
static void keep_rows(struct fixture *f, int rows) {
    risk_free(f->risk);
    f->data.rows = rows;
    f->data.nonzeros = f->data.start[rows];
    f->risk = scalar_risk_new(&f->scalar, NULL);
    f->problem.risk = f->risk;
}

/* Whatever the number of rows, a run without -p is checked at its end too. With a metric it ends within 2 % of the
 * optimum, without one not by a chance agreement. */
static void default_runs_end_settled(void **state) {
    (void)state;
    static const char *const words[] = {"metric=none", NULL};
    for (int rows = 5; rows < 60; rows += 7)
        for (int k = 0; k < 2; k++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
            set_up(&f, "hinge", 0.1, -1, false);
            keep_rows(&f, rows);
            f.run.passes = 256;
            f.run.passes_given = false;
            train(&f, "proximal", k == 0 ? NULL : words, w);
            double objective = f.outcome.objective;
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_true(k == 0 || f.outcome.iterations >= 256 * rows / 4);
            f.epsilon = 1e-6;
            train(&f, "ipm", NULL, best);
            assert_true(f.outcome.bound <= objective && objective <= 1.0102 * f.outcome.objective);
            tear_down(&f);
        }
}

/* Within 1 % by its bound at the end of its passes: it has converged. */
static void the_last_bound_is_an_end(void **state) {
    (void)state;
    static const char *const losses[] = {"hinge", "logistic", "epsilon"};
    int proofs = 0;
    for (int l = 0; l < 3; l++)
        for (int passes = 1; passes < 30; passes++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            set_up(&f, losses[l], 1e-2, 1, false);
            f.run.passes = passes;
            f.run.passes_given = false;
            train(&f, "proximal", NULL, w);
            bool proof = f.outcome.objective - f.outcome.bound <= 0.01 * f.outcome.objective;
            assert_true(!proof || f.outcome.verdict == VERDICT_CONVERGED);
            proofs += proof;
            tear_down(&f);
        }
    assert_true(proofs > 10);
}

/* A few rows: what two checks have in common is no proof. */
static void few_rows_do_not_settle_by_chance(void **state) {
    (void)state;
    static const char *const losses[] = {"squared", "squared-hinge", "hinge"};
    for (int l = 0; l < 3; l++)
        for (int rows = 1; rows < 4; rows++)
            for (uint64_t seed = 0; seed < 20; seed++) {
                struct fixture f;
                double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
                set_up_with(&f, losses[l], 1e-2, 0.01, false, true);
                keep_rows(&f, rows);
                for (int i = 0; i < rows && l == 0; i++)
                    f.target[i] += 1e6;
                f.run.passes = 256;
                f.run.passes_given = false;
                f.run.seed = seed;
                train(&f, "proximal", NULL, w);
                struct outcome ours = f.outcome;
                f.epsilon = 1e-6;
                train(&f, "ipm", NULL, best);
                assert_true(ours.verdict != VERDICT_CONVERGED ||
                            0.98 * ours.objective <= f.outcome.objective);
                tear_down(&f);
            }
}

/* Hardly any example has a loss: an epoch without one. */
static void epochs_may_have_no_subgradient(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "epsilon", 2, -1, false);
        keep_rows(&f, 10);
        f.scalar.parameters.tube = 50;
        f.target[1] = 100;
        f.run.passes = 50;
        f.run.passes_given = false;
        f.run.seed = seed;
        risk_free(f.risk);
        f.risk = scalar_risk_new(&f.scalar, NULL);
        f.problem.risk = f.risk;
        train(&f, "proximal", NULL, w);
        tear_down(&f);
    }
}

/* -e: the run ends that close to the optimum, mostly with the proof. */
static void the_tolerance_is_the_certified_gap(void **state) {
    (void)state;
    static const char *const losses[] = {"hinge", "logistic", "squared-hinge", "epsilon",
                                         "quantile"};
    static const double gaps[] = {0.1, 0.01};
    int proofs = 0, runs = 0;
    for (int l = 0; l < 5; l++)
        for (int k = 0; k < 2; k++)
            for (int offset = 0; offset < 2; offset++) {
                if ((l + k + offset) % PART(1, 3) != 0)
                    continue;
                struct fixture f;
                double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
                set_up_with(&f, losses[l], 1e-2, 1, offset, offset);
                f.run.passes = 5000;
                f.epsilon = gaps[k];
                train(&f, "proximal", NULL, w);
                struct outcome ours = f.outcome;
                assert_int_equal(ours.verdict, VERDICT_CONVERGED);
                runs++;
                proofs += ours.objective - ours.bound <= gaps[k] * ours.objective;
                f.epsilon = 1e-8;
                train(&f, "ipm", NULL, best);
                assert_true(ours.bound <= f.outcome.objective * (1 + 1e-9));
                assert_true(ours.objective <= f.outcome.objective * (1 + gaps[k]));
                tear_down(&f);
            }
    assert_true(5 * proofs >= 4 * runs);
}

/* More features than examples: dual coordinates close the gap; steps in the metric do not in so many passes. */
static void wide_data_are_left_to_the_dual(void **state) {
    (void)state;
    static const char *const words[] = {"metric=features", NULL};
    static const char *const losses[] = {"hinge", "squared-hinge", "epsilon"};
    for (int l = 0; l < 3; l++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up(&f, losses[l], 1e-5, 1, false);
        keep_rows(&f, 8);
        f.run.passes = 500;
        train(&f, "proximal", NULL, w);
        assert_near(f.outcome.bound, f.outcome.objective, 1e-6 * f.outcome.objective);
        double objective = f.outcome.objective;
        train(&f, "proximal", words, v);
        assert_true(f.outcome.objective > objective && f.outcome.bound < f.outcome.objective);
        tear_down(&f);
    }
}

/* In few passes over wide data dual coordinates in the metric are ahead of those of dcd, which takes no logistic loss
 * at all. */
static void few_wide_passes_are_in_the_metric(void **state) {
    (void)state;
    static const char *const words[] = {"metric=dual", NULL};
    for (int passes = 5; passes < 90; passes += 37) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up(&f, passes < 79 ? "hinge" : "logistic", 1e-5, 1, false);
        keep_rows(&f, 8);
        f.run.passes = passes;
        train(&f, "proximal", NULL, w);
        train(&f, "proximal", words, v);
        assert_memory_equal(w, v, sizeof w);
        tear_down(&f);
    }
}

/* Trains pegasos with --output best; *last and *lowest of the trace's objectives. */
static void train_best(struct fixture *f, double *w, double *last, double *lowest) {
    static const char *const words[] = {"output=best", NULL};
    const struct solver *solver = solver_by_name("pegasos");
    void *options = solver_options_parse(solver, words);
    struct monitor monitor;
    char line[256];
    FILE *trace = tmpfile();
    struct monitor_settings settings = {.passes = 30, .time_limit = INFINITY, .trace = trace};
    f->run.passes = 30;
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        solver->train(&(struct solve){&f->problem, &f->run, options, &monitor, w, &f->outcome},
                      NULL),
        0);
    monitor_end(&monitor);
    rewind(trace);
    *lowest = INFINITY;
    while (fgets(line, sizeof line, trace) != NULL)
        if (sscanf(line, "%*f %*f %*d %lf", last) == 1)
            *lowest = fmin(*lowest, *last);
    fclose(trace);
    free(options);
}

static void best_is_the_lowest_of_the_trace(void **state) {
    (void)state;
    int lower = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, last = NAN, lowest;
        set_up(&f, "hinge", 1e-2, -1, false);
        f.run.seed = seed;
        train_best(&f, w, &last, &lowest);
        assert_near(f.outcome.objective, lowest, 1e-12);
        assert_near(problem_objective(&f.problem, w), lowest, 1e-12);
        lower += lowest < last - 1e-6;
        tear_down(&f);
    }
    assert_true(lower > 0); /* or the last would do as well */
}

static void the_time_limit_holds_within_a_pass(void **state) {
    (void)state;
    const struct solver *pegasos = solver_by_name("pegasos");
    struct dataset data = random_data(5000, 4, false, 1);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name("l2"),
                              .lambda = 0.1};
    struct run_settings run = {.passes = 10, .batch_size = 1};
    struct monitor_settings settings = {.passes = 10, .time_limit = 1e-9};
    struct monitor monitor;
    struct outcome outcome;
    double w[4] = {0};
    void *options = solver_options_parse(pegasos, NULL);
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        pegasos->train(&(struct solve){&problem, &run, options, &monitor, w, &outcome}, NULL), 0);
    assert_int_equal(outcome.verdict, VERDICT_TIME);
    assert_true(outcome.iterations < 5000);
    free(options);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

static void targets_of_zero_have_the_zero_vector(void **state) {
    (void)state;
    struct fixture f;
    double w[MAX_DIMENSION];
    set_up(&f, "squared", 0.1, -1, false);
    memset(f.target, 0, sizeof f.target);
    for (int j = 0; j < MAX_DIMENSION; j++)
        w[j] = 1;
    train(&f, "proximal", NULL, w);
    for (int j = 0; j < f.risk->dimension; j++)
        assert_true(w[j] == 0);
    assert_true(f.outcome.objective == 0 && f.outcome.bound == 0);
    tear_down(&f);
}

static void squares_beyond_all_numbers_are_an_error(void **state) {
    (void)state;
    static const char *const solvers[] = {"adaptive", "proximal"};
    for (int s = 0; s < 2; s++) {
        const struct solver *solver = solver_by_name(solvers[s]);
        void *options = solver_options_parse(solver, NULL);
        struct fixture f;
        struct monitor monitor;
        struct monitor_settings settings = {.passes = 5, .time_limit = INFINITY};
        struct error e = {0};
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", 1e-3, -1, false);
        for (int64_t k = 0; k < f.data.nonzeros; k++)
            f.data.value[k] *= 1e200;
        monitor_init(&monitor, &settings);
        assert_int_equal(
            solver->train(&(struct solve){&f.problem, &f.run, options, &monitor, w, &f.outcome},
                          &e),
            -1);
        assert_non_null(strstr(e.words, "scale the data"));
        free(options);
        tear_down(&f);
    }
}

static void divergence_is_an_error(void **state) {
    (void)state;
    const struct solver *pegasos = solver_by_name("pegasos");
    static const char *const words[] = {"project=off", "limit-steps=off", NULL};
    void *options = solver_options_parse(pegasos, words);
    struct fixture f;
    struct monitor monitor;
    struct monitor_settings settings = {.passes = 50, .time_limit = INFINITY};
    struct error e = {0};
    double w[MAX_DIMENSION] = {0};
    set_up(&f, "squared", 1e-9, -1, false);
    monitor_init(&monitor, &settings);
    assert_int_equal(
        pegasos->train(&(struct solve){&f.problem, &f.run, options, &monitor, w, &f.outcome}, &e),
        -1);
    assert_non_null(strstr(e.words, "grew beyond all numbers"));
    free(options);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settling_stops_near_the_optimum),
        cmocka_unit_test(epsilon_ends_with_the_promise),
        cmocka_unit_test(epsilon_above_0_is_algorithm_3),
        cmocka_unit_test(an_epsilon_phase_has_the_length_of_the_bound),
        cmocka_unit_test(tau_bound_minimizes_the_regret_bound),
        cmocka_unit_test(a_warm_start_is_never_made_worse),
        cmocka_unit_test(a_warm_start_does_not_linger),
        cmocka_unit_test(fractions_of_passes_are_kept),
        cmocka_unit_test(default_runs_end_settled),
        cmocka_unit_test(the_last_bound_is_an_end),
        cmocka_unit_test(few_rows_do_not_settle_by_chance),
        cmocka_unit_test(epochs_may_have_no_subgradient),
        cmocka_unit_test(the_tolerance_is_the_certified_gap),
        cmocka_unit_test(wide_data_are_left_to_the_dual),
        cmocka_unit_test(few_wide_passes_are_in_the_metric),
        cmocka_unit_test(best_is_the_lowest_of_the_trace),
        cmocka_unit_test(the_time_limit_holds_within_a_pass),
        cmocka_unit_test(targets_of_zero_have_the_zero_vector),
        cmocka_unit_test(squares_beyond_all_numbers_are_an_error),
        cmocka_unit_test(divergence_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
