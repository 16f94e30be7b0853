/* test_lps.c - lps on every loss: certified optima that plain coordinate descent confirms, what its
 * options promise, starts, threads and seeds, limits. */
#include "solvers/lps/lps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

#include "solvers/optimality.h"
#include "tests/solvers/lps/lps_fixture.h"

#include <omp.h>

/* ---- what is true of an optimum, from plain loops */

/* The rows one below the other, MOST numbers each. */
static double *dense_rows(const struct fixture *f) {
    double *x = malloc(sizeof *x * ROWS * MAX_DIMENSION);
    for (int i = 0; i < ROWS; i++)
        dense_row(f, i, x + i * MAX_DIMENSION);
    return x;
}

static double plain_weight(const struct fixture *f, int i) {
    return f->scalar.weight == NULL ? 1 : f->scalar.weight[i];
}

/* Coordinate descent by the bound of the curvature, until nothing moves. Returns J. */
static double descend(const struct fixture *f, double *w) {
    enum { SWEEPS = 200000 };
    const struct loss *loss = f->scalar.loss;
    struct penalty penalty = problem_penalty_parts(&f->problem);
    double *x = dense_rows(f), u[ROWS] = {0}, moved = 1, weights = 0;
    for (int i = 0; i < ROWS; i++)
        weights += plain_weight(f, i);
    memset(w, 0, sizeof *w * MAX_DIMENSION);
    for (int sweep = 0; sweep < SWEEPS && moved > 1e-14; sweep++) {
        moved = 0;
        for (int j = 0; j < f->risk->dimension; j++) {
            double g = 0, h = 0, a;
            for (int i = 0; i < ROWS; i++) {
                double c = plain_weight(f, i) / weights, at = x[i * MAX_DIMENSION + j];
                if (c == 0)
                    continue;
                loss->value(u[i], f->target[i], &f->scalar.parameters, &a);
                g += c * a * at;
                h += c * loss->curvature * at * at;
            }
            double to = h == 0 ? 0 : w[j] - g / h;
            if (j < f->risk->regularized && h > 0)
                to = soft(to, penalty.l1 / h) / (1 + penalty.l2 / h);
            for (int i = 0; i < ROWS; i++)
                u[i] += (to - w[j]) * x[i * MAX_DIMENSION + j];
            moved = fmax(moved, fabs(to - w[j]) / (1 + fabs(w[j])));
            w[j] = to;
        }
    }
    free(x);
    return problem_objective(&f->problem, w);
}

/* Of the point, delta(w) by its definition. */
static double plain_delta(const struct problem *problem, const double *w) {
    const struct risk *risk = problem->risk;
    struct penalty penalty = problem_penalty_parts(problem);
    double *g = malloc(sizeof *g * (size_t)risk->dimension), sum = 0;
    risk_evaluate(risk, w, 0, g);
    for (int64_t j = 0; j < risk->dimension; j++) {
        double d = g[j];
        if (j < risk->regularized)
            d = w[j] == 0 ? fmax(0, fabs(g[j]) - penalty.l1)
                          : g[j] + penalty.l2 * w[j] + (w[j] > 0 ? penalty.l1 : -penalty.l1);
        sum += d * d;
    }
    free(g);
    return sqrt(sum / (double)risk->dimension);
}

static void assert_same_support(const double *v, const double *w, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        assert_int_equal(v[j] != 0, w[j] != 0);
}

/* ---- optima */

/* The optima by coordinate descent, found when first asked for. */
static struct solved {
    bool known;
    double w[MAX_DIMENSION], objective;
} solved[PROBLEMS];

static const struct solved *set_up_solved(struct fixture *f, int k) {
    set_up_problem(f, k);
    if (!solved[k].known)
        solved[k].objective = descend(f, solved[k].w);
    solved[k].known = true;
    return &solved[k];
}

static void every_problem_reaches_its_optimum(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k += STEP) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        const struct solved *at = set_up_solved(&f, k);
        run(&f.problem, NULL, &tight, w, &f.outcome);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_near(f.outcome.objective, at->objective, 1e-9 * at->objective);
        assert_true(f.outcome.objective - f.outcome.bound <= 1e-9 * f.outcome.objective);
        check_history(&f.problem, &history, &f.outcome, w, at->objective, 1e-12 * at->objective);
        assert_in_range(f.outcome.iterations, 1, 30);
        tear_down(&f);
    }
}

/* delta(w) of the point returned; from 1e-8 on its zeros are the optimum's. */
static void optimality_is_kept(void **state) {
    (void)state;
    static const char *const words[][2] = {
        {"optimality=1e-2"}, {"optimality=1e-4"}, {"optimality=1e-6"}, {"optimality=1e-8"}};
    for (int k = 0; k < PROBLEMS; k += STEP)
        for (int o = 0; o < 4; o++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            const struct solved *at = set_up_solved(&f, k);
            run(&f.problem, words[o], &tight, w, &f.outcome);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_true(plain_delta(&f.problem, w) <= pow(100, -1 - o) + 1e-15);
            check_history(&f.problem, &history, &f.outcome, w, at->objective,
                          1e-12 * at->objective);
            if (o == 3) {
                assert_same_support(w, at->w, f.risk->regularized);
                for (int j = 0; j < f.risk->dimension; j++)
                    assert_near(w[j], at->w[j], 1e-5 * (1 + fabs(w[j])));
            }
            tear_down(&f);
        }
}

/* Also where the start has a lower J than the first point that is near enough to optimal: from a start of
 * large gradients lambda comes down in stages. */
static void optimality_is_kept_from_a_start(void **state) {
    (void)state;
    static const char *const words[] = {"optimality=0.01", NULL};
    struct fixture f;
    double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION];
    set_up_variant(&f, "squared", "l1", 0, 1e-7);
    for (int64_t k = 0; k < f.data.nonzeros; k++)
        f.data.value[k] *= f.data.column[k] == 0 ? 1e3 : 1;
    run(&f.problem, NULL, &tight, w, &f.outcome);
    struct limits warm = tight;
    warm.warm = true;
    for (double off = 1e-8; off < 1; off *= 10) {
        memcpy(v, w, sizeof v);
        v[0] += off;
        run(&f.problem, words, &warm, v, &f.outcome);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(plain_delta(&f.problem, v) <= 0.01 * (1 + 1e-9));
    }
    tear_down(&f);
}

/* The run ends at the gap, or by rounding; with the tolerance 0 it ends, too. */
static void rounding_ends_a_run(void **state) {
    (void)state;
    static const double epsilons[] = {1e-20, 0};
    for (int k = 0; k < PROBLEMS * 2; k += STEP) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        struct limits limits = tight;
        const struct solved *at = set_up_solved(&f, k / 2);
        limits.epsilon = epsilons[k % 2];
        run(&f.problem, NULL, &limits, w, &f.outcome);
        assert_true(f.outcome.verdict == VERDICT_STALLED || f.outcome.verdict == VERDICT_CONVERGED);
        assert_true(f.outcome.objective - f.outcome.bound <= 1e-11 * f.outcome.objective);
        assert_same_support(w, at->w, f.risk->regularized);
        assert_true(plain_delta(&f.problem, w) <= 1e-8);
        assert_in_range(f.outcome.iterations, 1, 60);
        tear_down(&f);
    }
}

/* ---- options */

/* From the smallest lambda on, or the second one. */
static void check_words(const char *const *words, double epsilon, int64_t max_iterations,
                        int from) {
    for (int k = 0; k < PROBLEMS; k += STEP) {
        if (k % LAMBDAS < from)
            continue;
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        struct limits limits = tight;
        const struct solved *at = set_up_solved(&f, k);
        limits.epsilon = epsilon;
        run(&f.problem, words, &limits, w, &f.outcome);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_near(f.outcome.objective, at->objective, epsilon * at->objective);
        check_history(&f.problem, &history, &f.outcome, w, at->objective, 1e-12 * at->objective);
        assert_in_range(f.outcome.iterations, 1, max_iterations);
        tear_down(&f);
    }
}

static void first_order_steps_alone_converge(void **state) {
    (void)state;
    check_words((const char *const[]){"newton-threshold=1", NULL}, 1e-4, 1000, 1);
}

/* Coarse steps lower J to its last digit long before the gap is smallest. */
static void part_of_the_examples_gives_a_hessian(void **state) {
    (void)state;
    check_words((const char *const[]){"hessian-sample=20", NULL}, 1e-6, 200, 1);
    check_words((const char *const[]){"hessian-sample=1", NULL}, 1e-4, 2000, 1);
    check_words((const char *const[]){"hessian-sample=60", NULL}, 1e-9, 30, 0);
    check_words((const char *const[]){"hessian-sample=61", NULL}, 1e-9, 30, 0);
}

static void part_of_the_components_is_enough(void **state) {
    (void)state;
    check_words((const char *const[]){"gradient-fraction=0.3", NULL}, 1e-9, 1000, 0);
    check_words((const char *const[]){"gradient-fraction=1e-9", NULL}, 1e-9, 1000, 0);
    check_words((const char *const[]){"gradient-fraction=1", NULL}, 1e-9, 30, 0);
}

static void every_option_at_once(void **state) {
    (void)state;
    check_words((const char *const[]){"gradient-fraction=0.5", "hessian-sample=30",
                                      "newton-threshold=4", NULL},
                1e-4, 1000, 1);
}

/* The limit is on nonzeros: with as many as there can be it changes nothing. */
static void a_threshold_that_is_never_met_changes_nothing(void **state) {
    (void)state;
    static const char *const words[] = {"newton-threshold=11", NULL};
    for (int k = 0; k < PROBLEMS; k += STEP) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up_problem(&f, k);
        run(&f.problem, NULL, &tight, w, &f.outcome);
        run(&f.problem, words, &tight, v, &f.outcome);
        assert_memory_equal(w, v, sizeof w);
        tear_down(&f);
    }
}

/* ---- starts */

/* A manifold of some components: without the optimum's support it is left. */
static void any_face_ends_at_the_optimum(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k += STEP)
        for (int kind = 0; kind < 4; kind++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            bool subset[MAX_DIMENSION];
            const struct solved *at = set_up_solved(&f, k);
            for (int j = 0; j < MAX_DIMENSION; j++)
                subset[j] = (kind == 1 && at->w[j] == 0) || (kind == 2 && j % 2) ||
                            j >= f.risk->regularized;
            if (kind == 3)
                memcpy(w, some_w, sizeof w);
            struct lps_start start = {.subset = subset, .passes = 2.5, .iterations = 70};
            int status = run_from(&f.problem, NULL, &tight, &start, w, &f.outcome);
            assert_int_equal(status, 0);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_near(f.outcome.objective, at->objective, 1e-9 * at->objective);
            check_history(&f.problem, &history, &f.outcome, w, at->objective,
                          1e-12 * at->objective);
            assert_in_range(f.outcome.iterations, 71, 120);
            assert_true(history.passes[0] > 3.4 && f.outcome.passes >= history.passes[0]);
            tear_down(&f);
        }
}

/* The support of the optimum as the manifold, and the optimum as the start. */
static void a_start_at_the_optimum_ends_at_once(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k += STEP)
        for (int faced = 0; faced < 2; faced++) {
            struct fixture f;
            double w[MAX_DIMENSION];
            bool subset[MAX_DIMENSION];
            const struct solved *at = set_up_solved(&f, k);
            struct limits warm = tight;
            struct lps_start start = {.subset = faced ? subset : NULL};
            warm.warm = true;
            memcpy(w, at->w, sizeof w);
            for (int j = 0; j < MAX_DIMENSION; j++)
                subset[j] = w[j] != 0 || j >= f.risk->regularized;
            assert_int_equal(run_from(&f.problem, NULL, &warm, &start, w, &f.outcome), 0);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_int_equal(f.outcome.iterations, 1);
            assert_memory_equal(w, at->w, sizeof *w * (size_t)f.risk->dimension);
            tear_down(&f);
        }
}

static void any_start_ends_at_the_optimum(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k += STEP)
        for (int kind = 0; kind < 2; kind++) {
            struct fixture f;
            double w[MAX_DIMENSION];
            const struct solved *at = set_up_solved(&f, k);
            struct limits warm = tight;
            warm.warm = true;
            for (int j = 0; j < MAX_DIMENSION; j++)
                w[j] = kind == 0 ? -at->w[j] : some_w[j];
            run(&f.problem, NULL, &warm, w, &f.outcome);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_near(f.outcome.objective, at->objective, 1e-9 * at->objective);
            check_history(&f.problem, &history, &f.outcome, w, at->objective,
                          1e-12 * at->objective);
            assert_in_range(f.outcome.iterations, 1, 40);
            tear_down(&f);
        }
}

static void a_large_lambda_leaves_no_weights(void **state) {
    (void)state;
    for (int l = 0; smooth_losses[l] != NULL; l++)
        for (int variant = 0; variant < VARIANTS * 2; variant++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, null[MAX_DIMENSION] = {0}, gradient[MAX_DIMENSION],
                   sum = 0, a;
            set_up_variant(&f, smooth_losses[l], regularizers[variant / VARIANTS],
                           variant % VARIANTS, 1);
            double largest = optimality_lambda_max(&f.problem, null, gradient, NULL);
            for (int times = 0; times < 2; times++) {
                f.problem.lambda = largest * (times ? 100 : 1 + 1e-9);
                memset(w, 0, sizeof w);
                run(&f.problem, NULL, &tight, w, &f.outcome);
                assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
                assert_int_equal(f.outcome.iterations, 1);
                assert_int_equal(vector_nonzeros(w, f.risk->regularized), 0);
            }
            for (int i = 0; i < ROWS && f.scalar.intercept; i++) {
                f.scalar.loss->value(w[f.risk->regularized], f.target[i], &f.scalar.parameters, &a);
                sum += plain_weight(&f, i) * a;
            }
            assert_near(sum, 0, 1e-11);
            f.problem.lambda = largest * 0.999;
            memset(w, 0, sizeof w);
            run(&f.problem, NULL, &tight, w, &f.outcome);
            assert_int_equal(vector_nonzeros(w, f.risk->regularized), 1);
            tear_down(&f);
        }
}

/* ---- the same again */

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static const char *const sampled[] = {"hessian-sample=300", NULL};
    for (int k = 0; k < 8; k++) {
        struct other o[2];
        if (PART(false, (k / 2 + k % 2) % 2 == 0)) /* k == 1 is sampled */
            continue;
        for (int threads = 1; threads <= 2; threads++) {
            omp_set_num_threads(threads);
            begin_other(&o[threads - 1], sparse_data(3000, 900, 15, 6), smooth_losses[k / 2],
                        regularizers[k % 2], k % 2);
            train_other(&o[threads - 1], k == 1 ? sampled : NULL, 0.01, 1e-6);
            assert_true(o[threads - 1].problem.risk->scalar->design->threads);
        }
        assert_memory_equal(o[0].w, o[1].w, sizeof(double) * 900);
        assert_near(o[0].outcome.bound, o[1].outcome.bound, 0);
        end_other(&o[0]);
        end_other(&o[1]);
    }
}

static void the_same_seed_is_the_same_model(void **state) {
    (void)state;
    static const char *const words[] = {"hessian-sample=20", "gradient-fraction=0.5", NULL};
    int different = 0;
    for (int k = 0; k < PROBLEMS; k += 5) {
        double w[3][MAX_DIMENSION] = {{0}};
        struct fixture f;
        struct limits limits = tight;
        limits.epsilon = 1e-3;
        set_up_problem(&f, k);
        for (int i = 0; i < 3; i++) {
            limits.seed = i < 2 ? 4 : 5;
            run(&f.problem, words, &limits, w[i], &f.outcome);
        }
        assert_memory_equal(w[0], w[1], sizeof w[0]);
        different += memcmp(w[0], w[2], sizeof w[0]) != 0;
        tear_down(&f);
    }
    assert_true(different > 0);
}

/* ---- limits */

/* However early a run ends, w is no worse than the start, and J is that of w. */
static void limits_leave_the_best_point(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k += STEP)
        for (int i = 0; i < 6; i++) {
            struct fixture f;
            double w[MAX_DIMENSION];
            const struct solved *at = set_up_solved(&f, k);
            struct limits limits = {
                .epsilon = 1e-9, .passes = i == 0 ? INFINITY : i, .seconds = i == 0 ? 0 : INFINITY};
            limits.warm = true;
            for (int j = 0; j < MAX_DIMENSION; j++)
                w[j] = at->w[j] + 0.1;
            double start = problem_objective(&f.problem, w);
            run(&f.problem, NULL, &limits, w, &f.outcome);
            if (f.outcome.verdict != VERDICT_CONVERGED)
                assert_int_equal(f.outcome.verdict, i == 0 ? VERDICT_TIME : VERDICT_PASSES);
            assert_true(f.outcome.objective <= start * (1 + rounding));
            assert_true(f.outcome.bound <= at->objective * (1 + rounding) && f.outcome.bound >= 0);
            tear_down(&f);
        }
}

static bool always(void *context) {
    (void)context;
    return true;
}

static void a_signal_leaves_the_best_point(void **state) {
    (void)state;
    struct limits limits = tight;
    limits.observer.interrupted = always;
    for (int k = 0; k < PROBLEMS; k += STEP) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        const struct solved *at = set_up_solved(&f, k);
        double start = problem_objective(&f.problem, w);
        run(&f.problem, NULL, &limits, w, &f.outcome);
        if (f.outcome.verdict != VERDICT_CONVERGED)
            assert_int_equal(f.outcome.verdict, VERDICT_INTERRUPTED);
        assert_int_equal(f.outcome.iterations, 1);
        assert_true(f.outcome.objective <= start * (1 + rounding));
        assert_true(f.outcome.bound <= at->objective * (1 + rounding));
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_problem_reaches_its_optimum),
        cmocka_unit_test(optimality_is_kept),
        cmocka_unit_test(optimality_is_kept_from_a_start),
        cmocka_unit_test(rounding_ends_a_run),
        cmocka_unit_test(first_order_steps_alone_converge),
        cmocka_unit_test(part_of_the_examples_gives_a_hessian),
        cmocka_unit_test(part_of_the_components_is_enough),
        cmocka_unit_test(every_option_at_once),
        cmocka_unit_test(a_threshold_that_is_never_met_changes_nothing),
        cmocka_unit_test(any_face_ends_at_the_optimum),
        cmocka_unit_test(a_start_at_the_optimum_ends_at_once),
        cmocka_unit_test(any_start_ends_at_the_optimum),
        cmocka_unit_test(a_large_lambda_leaves_no_weights),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(the_same_seed_is_the_same_model),
        cmocka_unit_test(limits_leave_the_best_point),
        cmocka_unit_test(a_signal_leaves_the_best_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
