/* test_rda_plus.c - rda+: its first phase against a plain dense one, and where the whole ends. */
#include "solvers/lps/rda_plus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/optimality.h"
#include "solvers/sparse/averaging.h"
#include "tests/near.h"
#include "tests/proximal_gradient.h"
#include "tests/size.h"
#include "tests/solvers/online/online_fixture.h"

static const double rounding = 1e-13;

/* ---- phase 1 */

struct identified {
    double w[MAX_DIMENSION], mean[MAX_DIMENSION];
    bool subset[MAX_DIMENSION];
    int64_t steps;
    bool stable, gave_up;
};

static bool same_pattern(const double *v, const double *w, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        if ((v[j] > 0) != (w[j] > 0) || (v[j] < 0) != (w[j] < 0))
            return false;
    return true;
}

/* Algorithm 2 up to its local phase, every component in every step. */
static void plain_identify(const struct fixture *f, const struct rda_plus_settings *options,
                           struct identified *out) {
    struct penalty penalty = problem_penalty_parts(&f->problem);
    int64_t n = f->risk->regularized, same = 1;
    int64_t batch = f->run.batch_size, steps = (ROWS + batch - 1) / batch;
    int64_t window = options->settle < steps ? options->settle : steps, changes = 0;
    double sum[MAX_DIMENSION] = {0}, g[MAX_DIMENSION], next[MAX_DIMENSION] = {0};
    struct plain_order order;
    *out = (struct identified){0};
    plain_start(f, true, &order);
    while (out->steps < RDA_PLUS_PASSES * steps && !out->stable && !out->gave_up) {
        double t = (double)++out->steps;
        plain_subgradient(f, &order, (int)batch, out->w, g);
        for (int64_t j = 0; j < f->risk->dimension; j++) {
            bool logarithmic = options->beta == AVERAGING_LOG && penalty.l2 > 0 && j < n;
            double beta = logarithmic ? penalty.l2 * (1 + log(t)) : options->gamma * sqrt(t);
            sum[j] += g[j];
            out->mean[j] = sum[j] / t;
            next[j] = j < n ? -soft(out->mean[j], penalty.l1) / (penalty.l2 + beta / t)
                            : -out->mean[j] / (beta / t);
        }
        same = same_pattern(next, out->w, n) ? same + 1 : 1;
        memcpy(out->w, next, sizeof next);
        out->stable = out->steps >= steps && same >= options->settle;
        int64_t at = (out->steps - 1) % steps;
        if (at == steps - window)
            changes = 0;
        changes += same == 1 && out->steps > steps + 1 - options->settle;
        out->gave_up =
            !out->stable && at == steps - 1 && (double)changes > options->give_up * (double)window;
    }
    for (int64_t j = 0; j < f->risk->dimension; j++)
        out->subset[j] = j >= n || out->w[j] != 0 || fabs(out->mean[j]) > options->rho * penalty.l1;
    alias_free(&order.alias);
}

static void set_regularizer(struct fixture *f, const char *name, double lambda) {
    f->problem.regularizer = regularizer_by_name(name);
    f->problem.parameters.elastic = 0.3;
    f->problem.lambda = lambda;
    f->run.passes = 10000;
}

static double time_limit = INFINITY; /* of all runs */

static void begin(struct monitor *monitor, const struct fixture *f, double epsilon, FILE *trace) {
    const struct monitor_settings settings = {
        .epsilon = epsilon, .passes = f->run.passes, .time_limit = time_limit, .trace = trace};
    monitor_init(monitor, &settings);
    monitor_begin(monitor, NULL);
}

static void compare(struct fixture *f, const struct rda_plus_settings *options, int *stable,
                    int *gave_up) {
    struct identified expected;
    struct monitor monitor;
    double w[MAX_DIMENSION] = {0};
    bool subset[MAX_DIMENSION];
    plain_identify(f, options, &expected);
    begin(&monitor, f, 0, NULL);
    assert_int_equal(
        rda_plus_identify(&(struct solve){&f->problem, &f->run, options, &monitor, w, &f->outcome},
                          subset, NULL),
        0);
    assert_int_equal(f->outcome.iterations, expected.steps);
    if (expected.stable || expected.gave_up)
        assert_int_equal(f->outcome.verdict, expected.stable ? VERDICT_SETTLED : VERDICT_STALLED);
    *stable += expected.stable;
    *gave_up += expected.gave_up;
    for (int j = 0; j < f->risk->dimension; j++) {
        assert_near(w[j], expected.w[j], 1e-9 * (1 + fabs(w[j])));
        assert_int_equal(subset[j], expected.subset[j]);
    }
}

static void phase_1_is_algorithm_2(void **state) {
    (void)state;
    static const char *const regularizers[] = {"l1", "elastic-net"};
    static const double lambdas[] = {0.01, 0.05, 0.2};
    int stable = 0, gave_up = 0, runs = 0;
    for (int l = 0; smooth_losses[l] != NULL; l++)
        for (int variant = 0; variant < 192; variant++) {
            struct fixture f;
            const struct rda_plus_settings options = {.gamma = 0.5,
                                                      .beta = variant & 16 ? AVERAGING_LOG
                                                                           : AVERAGING_SQRT,
                                                      .settle = variant & 4 ? 100 : 15,
                                                      .give_up = variant >= 96 ? 0.1 : 1,
                                                      .rho = variant & 8 ? 0.85 : 0.4};
            set_up_with(&f, smooth_losses[l], 1, variant & 2 ? 0.5 : -1, variant & 1, variant & 2);
            set_regularizer(&f, regularizers[variant >> 2 & 1], lambdas[variant / 32 % 3]);
            f.run.batch_size = variant & 1 ? 7 : 1;
            compare(&f, &options, &stable, &gave_up);
            runs++;
            tear_down(&f);
        }
    assert_true(stable > runs / 5 && gave_up > runs / 5 && stable + gave_up < runs);
}

/* ---- the whole */

static void run_solver(const char *name, struct fixture *f, double epsilon,
                       const char *const *words, double *w, FILE *trace) {
    const struct solver *solver = solver_by_name(name);
    struct monitor monitor;
    void *options = solver_options_parse(solver, words);
    begin(&monitor, f, epsilon, trace);
    struct error error = {0};
    if (solver->train(&(struct solve){&f->problem, &f->run, options, &monitor, w, &f->outcome},
                      &error) != 0)
        fail_msg("%s", error.words);
    monitor_end(&monitor);
    free(options);
    assert_near(f->outcome.objective, problem_objective(&f->problem, w),
                rounding * f->outcome.objective);
}

static void run_to(struct fixture *f, double epsilon, const char *const *words, double *w,
                   FILE *trace) {
    run_solver("rda+", f, epsilon, words, w, trace);
}

/* A pass over the fixture's rows is enough. */
static const char *const short_pass[] = {"settle=20", "give-up=1", NULL};

static void check_optimum(const char *loss, const char *regularizer, int variant,
                          const char *const *words) {
    static const double gap = 1e-9;
    static const double lambdas[] = {1e-4, 0.01, 0.1};
    for (int k = 0; k < 3; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up_with(&f, loss, 1, variant & 1 ? 0.5 : -1, variant & 2, variant & 4);
        set_regularizer(&f, regularizer, lambdas[k]);
        f.run.batch_size = variant & 1 ? 7 : 1;
        run_to(&f, gap, words, w, NULL);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(f.outcome.objective - f.outcome.bound <= gap * f.outcome.objective);
        assert_true(f.outcome.bound > 0);
        tear_down(&f);
    }
}

static void the_end_is_a_certified_optimum(void **state) {
    (void)state;
    for (int l = 0; smooth_losses[l] != NULL; l++)
        for (int variant = 0; variant < 8; variant++) {
            check_optimum(smooth_losses[l], "l1", variant, short_pass);
            check_optimum(smooth_losses[l], "elastic-net", variant, short_pass);
        }
}

/* Only the components that are not 0 after one pass, for any gamma. */
static void a_manifold_too_small_is_left(void **state) {
    (void)state;
    static const char *const words[][4] = {{"settle=1", "rho=1", NULL},
                                           {"settle=1", "rho=1", "gamma=1e9", NULL},
                                           {"settle=1", "rho=1", "gamma=1e-9", NULL}};
    for (int i = 0; i < 3; i++)
        for (int variant = 0; variant < 8; variant++) {
            check_optimum("logistic", "l1", variant, words[i]);
            check_optimum("squared-hinge", "elastic-net", variant, words[i]);
        }
}

static void a_large_lambda_leaves_no_weights(void **state) {
    (void)state;
    static const char *const words[] = {"optimality=1e-10", "settle=20", "give-up=1", NULL};
    for (int offset = 0; offset < 2; offset++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, gradient[MAX_DIMENSION];
        set_up_with(&f, "logistic", 1, -1, true, offset);
        set_regularizer(&f, "l1", 1);
        f.problem.lambda = optimality_lambda_max(&f.problem, w, gradient, NULL) * (1 + 1e-9);
        memset(w, 0, sizeof w);
        run_to(&f, 0, words, w, NULL);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_int_equal(vector_nonzeros(w, f.risk->regularized), 0);
        assert_true(!offset || w[f.risk->regularized] != 0);
        f.problem.lambda *= 0.999;
        memset(w, 0, sizeof w);
        run_to(&f, 0, words, w, NULL);
        assert_int_equal(vector_nonzeros(w, f.risk->regularized), 1);
        tear_down(&f);
    }
}

/* ---- what is seen of it, and its limits */

static void the_trace_shows_both_phases(void **state) {
    (void)state;
    static const char *const words[] = {"settle=1000", "give-up=1", "gamma=1", NULL};
    struct fixture f;
    double w[MAX_DIMENSION] = {0};
    char line[400];
    int first = 0, second = 0;
    FILE *trace = tmpfile();
    set_up_with(&f, "logistic", 1, -1, false, true);
    set_regularizer(&f, "l1", 0.02);
    run_to(&f, 1e-6, words, w, trace);
    rewind(trace);
    assert_non_null(fgets(line, sizeof line, trace));
    while (fgets(line, sizeof line, trace) != NULL) {
        double passes, objective, bound;
        long iteration;
        assert_int_equal(
            sscanf(line, "%*f %lf %ld %lf %lf", &passes, &iteration, &objective, &bound), 4);
        if (isinf(bound)) {
            assert_int_equal(iteration, ++first * ROWS);
            assert_near(passes, first, 0);
            assert_int_equal(second, 0);
        } else {
            assert_int_equal(iteration, RDA_PLUS_PASSES * ROWS + ++second);
            assert_true(passes > RDA_PLUS_PASSES);
        }
    }
    assert_int_equal(first, RDA_PLUS_PASSES);
    assert_true(second > 0);
    fclose(trace);
    tear_down(&f);
}

static void limits_of_phase_1_leave_a_point(void **state) {
    (void)state;
    static const char *const words[] = {"settle=100000", "give-up=1", NULL};
    struct fixture f;
    double w[MAX_DIMENSION] = {0};
    set_up_with(&f, "logistic", 1, -1, false, true);
    set_regularizer(&f, "l1", 0.02);
    f.run.passes = 2.5;
    run_to(&f, 1e-6, words, w, NULL);
    assert_int_equal(f.outcome.verdict, VERDICT_PASSES);
    assert_int_equal(f.outcome.iterations, 5 * ROWS / 2);
    assert_near(f.outcome.passes, 2.5, 0);
    assert_true(f.outcome.bound <= f.outcome.objective);
    assert_true(vector_nonzeros(w, MAX_DIMENSION) > 0);
    tear_down(&f);
}

/* A limit in phase 1: J is no more than without weights, and the bound one of the optimum. Where the
 * averaging diverged lps takes its first look. */
static void check_early_end(const char *loss, const char *regularizer, int variant, double passes,
                            const char *const *words) {
    static const double lambdas[] = {1e-4, 0.01, 0.1, 10};
    for (int k = 0; k < 4; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0}, null[MAX_DIMENSION],
               seconds = time_limit;
        set_up_with(&f, loss, 1, variant & 1 ? 0.5 : -1, variant & 2, variant & 4);
        set_regularizer(&f, regularizer, lambdas[k]);
        f.run.passes = passes;
        optimality_null_point(&f.problem, null, NULL);
        run_to(&f, 0, words, w, NULL);
        bool certain = f.outcome.bound >= f.outcome.objective;
        enum verdict limit = isinf(seconds) ? VERDICT_PASSES : VERDICT_TIME;
        assert_int_equal(f.outcome.verdict, certain ? VERDICT_CONVERGED : limit);
        assert_true(f.outcome.passes <= passes + 5 && isfinite(f.outcome.objective));
        assert_true(f.outcome.objective <= problem_objective(&f.problem, null));
        assert_true(f.outcome.bound >= 0 && f.outcome.bound <= f.outcome.objective);
        time_limit = INFINITY;
        proximal_gradient(&f.problem, 2000, best);
        assert_true(f.outcome.bound <= problem_objective(&f.problem, best) * (1 + rounding));
        time_limit = seconds;
        tear_down(&f);
    }
}

static void check_early_ends(double passes, const char *const *words) {
    for (int l = 0; smooth_losses[l] != NULL; l++)
        for (int variant = 0; variant < 8; variant++) {
            if ((l + variant) % PART(3, 5) != 0)
                continue;
            check_early_end(smooth_losses[l], "l1", variant, passes, words);
            check_early_end(smooth_losses[l], "elastic-net", variant, passes, words);
        }
}

static void a_pattern_that_settles_at_the_limit_leaves_a_point(void **state) {
    (void)state;
    check_early_ends(1, (const char *const[]){"settle=1", NULL});
}

static void a_limit_leaves_nothing_worse_than_no_weights(void **state) {
    (void)state;
    check_early_ends(1.5, (const char *const[]){"settle=100000", "give-up=1", "gamma=1e-3", NULL});
    check_early_ends(0.5,
                     (const char *const[]){"settle=100000", "give-up=1", "gamma=1e-200", NULL});
    time_limit = 0;
    check_early_ends(5, (const char *const[]){"settle=100000", "give-up=1", "gamma=1e-3", NULL});
    time_limit = INFINITY;
}

/* Then lps continues from weights of 0, as in a run of lps alone. */
static void steps_that_diverge_are_counted(void **state) {
    (void)state;
    for (int offset = 0; offset < 2; offset++) {
        struct fixture f;
        double v[MAX_DIMENSION] = {0}, w[MAX_DIMENSION] = {0};
        set_up_with(&f, "squared", 1, -1, false, offset);
        set_regularizer(&f, "l1", 0.02);
        run_to(&f, 1e-9, (const char *const[]){"gamma=1e-200", "give-up=1", "slope=before", NULL},
               w, NULL);
        struct outcome both = f.outcome;
        run_solver("lps", &f, 1e-9, NULL, v, NULL);
        int64_t steps = both.iterations - f.outcome.iterations;
        assert_int_equal(both.verdict, VERDICT_CONVERGED);
        assert_true(steps >= 1 && steps <= 10);
        assert_near(both.passes, f.outcome.passes + (double)steps / ROWS, 1e-12);
        assert_memory_equal(v, w, sizeof v);
        tear_down(&f);
    }
}

static void steps_do_not_diverge_by_default(void **state) {
    (void)state;
    struct fixture f;
    double v[MAX_DIMENSION] = {0}, w[MAX_DIMENSION] = {0};
    set_up_with(&f, "squared", 1, -1, false, false);
    set_regularizer(&f, "l1", 0.02);
    run_to(&f, 1e-9, (const char *const[]){"gamma=1e-200", "give-up=1", NULL}, w, NULL);
    int64_t steps = f.outcome.iterations;
    run_solver("lps", &f, 1e-9, NULL, v, NULL);
    assert_true(steps - f.outcome.iterations > ROWS);
    tear_down(&f);
}

/* rda+ with these options makes the steps of lps after PASSES. */
static void check_is_lps(const char *const *words, double passes) {
    for (int offset = 0; offset < 2; offset++) {
        struct fixture f;
        double v[MAX_DIMENSION] = {0}, w[MAX_DIMENSION] = {0};
        set_up_with(&f, "squared-hinge", 1, -1, false, offset);
        set_regularizer(&f, "l1", 0.02);
        run_to(&f, 1e-9, words, w, NULL);
        struct outcome both = f.outcome;
        run_solver("lps", &f, 1e-9, NULL, v, NULL);
        assert_near(both.passes, f.outcome.passes + passes, 1e-12);
        assert_memory_equal(v, w, sizeof v);
        tear_down(&f);
    }
}

static void averaging_that_tells_nothing_leaves_all_to_lps(void **state) {
    (void)state;
    /* The pattern changes in the last steps of the pass. */
    check_is_lps((const char *const[]){"settle=50", "give-up=0", "gamma=1", NULL}, 1);
    /* A pass is too short. */
    check_is_lps((const char *const[]){"settle=61", NULL}, 0);
    /* J at its end is above J(0), which takes two passes to evaluate. */
    check_is_lps((const char *const[]){"settle=1", "gamma=1e-9", NULL}, 3);
}

static void a_start_goes_to_lps(void **state) {
    (void)state;
    struct fixture f;
    double w[MAX_DIMENSION] = {0};
    set_up_with(&f, "logistic", 1, -1, false, true);
    set_regularizer(&f, "l1", 0.02);
    run_to(&f, 1e-9, short_pass, w, NULL);
    double objective = f.outcome.objective;
    f.run.warm = true;
    run_to(&f, 1e-9, NULL, w, NULL);
    assert_true(f.outcome.iterations <= 2); /* of lps */
    assert_true(f.outcome.objective <= objective * (1 + rounding));
    tear_down(&f);
}

static void the_same_seed_is_the_same_model(void **state) {
    (void)state;
    struct fixture f;
    double v[MAX_DIMENSION] = {0}, w[MAX_DIMENSION] = {0};
    set_up_with(&f, "logistic", 1, -1, false, true);
    set_regularizer(&f, "l1", 0.02);
    run_to(&f, 1e-3, short_pass, v, NULL);
    run_to(&f, 1e-3, short_pass, w, NULL);
    assert_memory_equal(v, w, sizeof v);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phase_1_is_algorithm_2),
        cmocka_unit_test(the_end_is_a_certified_optimum),
        cmocka_unit_test(a_manifold_too_small_is_left),
        cmocka_unit_test(a_large_lambda_leaves_no_weights),
        cmocka_unit_test(the_trace_shows_both_phases),
        cmocka_unit_test(limits_of_phase_1_leave_a_point),
        cmocka_unit_test(a_pattern_that_settles_at_the_limit_leaves_a_point),
        cmocka_unit_test(a_limit_leaves_nothing_worse_than_no_weights),
        cmocka_unit_test(steps_that_diverge_are_counted),
        cmocka_unit_test(steps_do_not_diverge_by_default),
        cmocka_unit_test(averaging_that_tells_nothing_leaves_all_to_lps),
        cmocka_unit_test(a_start_goes_to_lps),
        cmocka_unit_test(the_same_seed_is_the_same_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
