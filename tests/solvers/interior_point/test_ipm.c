/* test_ipm.c - the second-order solver on every loss: certified optima that a plain loop confirms,
 * the samples' reference optima, the offset's condition, threads, limits, and data at the edges. */
#include "solvers/interior_point/ipm.h"
#include "solvers/interior_point/ipm_newton.h"

#include "io/svmlight/svmlight.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/size.h"

#include "tests/solvers/interior_point/ipm_fixture.h"

/* Labels by the sign of one feature: J falls with lambda to 0 or nearly. */
static void separable_data_converge(void **state) {
    (void)state;
    static const char *const names[] = {"hinge", "squared-hinge", "logistic"};
    for (int l = 0; l < 3; l++)
        for (int k = 0; k < LAMBDAS * 2; k++) {
            struct fixture f;
            set_up(&f, loss_by_name(names[l]), lambdas[k / 2]);
            for (int64_t i = 0; i < ROWS; i++) {
                bool some = f.data.start[i + 1] > f.data.start[i];
                f.target[i] = some && f.data.value[f.data.start[i]] > 0 ? 1 : -1;
                if (some)
                    f.data.column[f.data.start[i]] = 0;
            }
            f.scalar.intercept = k % 2;
            f.scalar.bias = k % 2 ? -1 : 1;
            check_optimum(&f, 1e-8);
            tear_down(&f);
        }
}

/* Nearly all second derivatives are 0 where all rows can be fitted: Newton's method alone takes hundreds of
 * iterations, of two classes more than 45 without larger lambdas on the way. */
static void rows_that_can_be_fitted_take_few_iterations(void **state) {
    static const char *const names[] = {"squared-epsilon", "squared-hinge"};
    (void)state;
    for (int k = 0; k < 8; k++) {
        enum { FITTED = 60 };
        struct random random;
        struct fixture f;
        random_seed(&random, 7, 0);
        set_up(&f, loss_by_name(names[k % 2]), 1e-7);
        dataset_free(&f.data);
        f.data = dense_data(ROWS, FITTED, &random);
        for (int64_t i = 0; i < ROWS; i++) {
            double sum = 0;
            for (int j = 0; j < FITTED; j++)
                sum += f.data.value[i * FITTED + j] / sqrt(FITTED);
            f.target[i] = k % 2 == 0 ? sum : sum > 0 ? 1 : -1;
        }
        f.scalar.intercept = k / 2 % 2;
        f.scalar.weight = k / 4 == 0 ? NULL : f.weight;
        check_optimum(&f, 1e-6);
        assert_true(f.outcome.iterations <= (k % 2 == 0 ? 62 : 40));
        tear_down(&f);
    }
}

/* Ones of categories that decide the class. Of the seed 171 Newton steps stall, and another method has to take over. */
static void separable_categories_converge(void **state) {
    enum { COLUMNS = 60 };
    (void)state;
    for (uint64_t seed = 165; seed < 175; seed++) {
        struct random random;
        struct fixture f;
        double rule[COLUMNS];
        random_seed(&random, seed, 1);
        set_up(&f, loss_by_name("squared-hinge"), 1e-8);
        dataset_free(&f.data);
        f.data = dense_data(ROWS, COLUMNS, &random);
        for (int j = 0; j < COLUMNS; j++)
            rule[j] = random_unit(&random) + random_unit(&random) - 1;
        for (int64_t i = 0; i < ROWS; i++) {
            double sum = 0, *value = f.data.value + i * COLUMNS;
            for (int j = 0; j < COLUMNS; j++) {
                value[j] = value[j] > 0.5;
                sum += rule[j] * (value[j] - 0.25);
            }
            f.target[i] = sum > 0 ? 1 : -1;
        }
        assert_int_equal(train(&f, 1e-4, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        tear_down(&f);
    }
}

/* tests/references/reference.tsv: optima that were found without librrm. */
static void samples_reach_their_optima(void **state) {
    (void)state;
    FILE *file = fopen("tests/references/reference.tsv", "r");
    char line[256], name[16], loss[16], path[64];
    int count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        double lambda, bias, lower, upper;
        struct svmlight_options options = {.threads = 1};
        struct fixture f;
        if (line[0] == '#' || sscanf(line, "%15s %15s %lf %lf %lf %lf", name, loss, &lambda, &bias,
                                     &lower, &upper) != 6)
            continue;
        set_up(&f, loss_by_name(loss), lambda);
        dataset_free(&f.data);
        snprintf(path, sizeof path, "data/%s.train", name);
        assert_int_equal(dataset_load(path, &options, &f.data, NULL), 0);
        f.scalar.target = f.data.label;
        f.scalar.parameters = (struct loss_parameters){0.1, 0.5, 1};
        f.scalar.bias = bias;
        assert_true(f.data.features + 2 <= MAX_DIMENSION);
        assert_int_equal(train(&f, 1e-9, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(f.outcome.bound <= upper * (1 + 1e-11) &&
                    f.outcome.objective >= lower * (1 - 1e-11));
        tear_down(&f);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 32);
}

/* At an optimum with an offset the subderivatives of smooth losses sum to 0. */
static void the_offset_is_optimal(void **state) {
    (void)state;
    static const char *const names[] = {"squared-hinge", "logistic", "squared", "huber"};
    for (int l = 0; l < 4; l++) {
        struct fixture f;
        double gradient[MAX_DIMENSION];
        set_up(&f, loss_by_name(names[l]), 1e-3);
        f.scalar.weight = f.weight;
        f.scalar.intercept = true;
        check_optimum(&f, 1e-12);
        risk_evaluate(f.problem.risk, f.w, 0, gradient);
        assert_near(gradient[FEATURES], 0, 1e-6);
        for (int j = 0; j < FEATURES; j++)
            assert_near(gradient[j] + f.problem.lambda * f.w[j], 0, 1e-6);
        tear_down(&f);
    }
}

/* With an offset and without weights, each step is that with weights of 1. */
static void weights_of_1_change_no_bit(void **state) {
    (void)state;
    static const char *const names[] = {"squared-hinge", "logistic", "squared", "huber"};
    for (int k = 0; k < 4 * 2; k++) {
        struct fixture f;
        double w[MAX_DIMENSION];
        set_up(&f, loss_by_name(names[k / 2]), 1e-3);
        f.scalar.intercept = k % 2;
        assert_int_equal(train(&f, 1e-6, NULL), 0);
        struct outcome outcome = f.outcome;
        memcpy(w, f.w, sizeof w);
        memset(f.w, 0, sizeof f.w);
        for (int i = 0; i < ROWS; i++)
            f.weight[i] = 1;
        f.scalar.weight = f.weight;
        assert_int_equal(train(&f, 1e-6, NULL), 0);
        assert_memory_equal(f.w, w, sizeof w);
        assert_int_equal(f.outcome.iterations, outcome.iterations);
        assert_true(f.outcome.bound == outcome.bound);
        tear_down(&f);
    }
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static const char *const names[] = {"hinge", "epsilon", "logistic"};
    struct dataset data = random_data(12000, 40, false, 9);
    for (int l = 0; l < 3; l += PART(1, 2)) {
        double w[4][41];
        struct fixture f = {.problem = {.regularizer = regularizer_by_name("l2"), .lambda = 1e-4}};
        f.scalar = (struct scalar_settings){.data = &data,
                                            .target = data.label,
                                            .loss = loss_by_name(names[l]),
                                            .parameters = {.tube = 0.1},
                                            .bias = -1,
                                            .intercept = true};
        f.problem.risk = scalar_risk_new(&f.scalar, NULL);
        for (int threads = 1; threads <= 4; threads += PART(2, 3)) {
            struct monitor_settings settings = {
                .epsilon = 1e-6, .passes = 1000, .time_limit = INFINITY};
            struct monitor monitor;
            struct run_settings run = {.passes = 1000};
            void *settings_of_solver = solver_options_parse(solver_by_name("ipm"), NULL);
            omp_set_num_threads(threads);
            memset(w[threads - 1], 0, sizeof w[0]);
            monitor_init(&monitor, &settings);
            assert_int_equal(
                solver_by_name("ipm")->train(&(struct solve){&f.problem, &run, settings_of_solver,
                                                             &monitor, w[threads - 1], &f.outcome},
                                             NULL),
                0);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_memory_equal(w[threads - 1], w[0], sizeof w[0]);
            free(settings_of_solver);
        }
        risk_free((struct risk *)f.problem.risk);
    }
    dataset_free(&data);
}

static void one_class(struct fixture *f) {
    for (int i = 0; i < ROWS; i++)
        f->target[i] = f->scalar.loss->task == TASK_CLASSIFICATION ? -1 : 2.5;
}

static void one_row(struct fixture *f) {
    f->data.rows = 3;
    f->data.nonzeros = f->data.start[3];
    f->weight[0] = f->weight[1] = 0;
    f->weight[2] = 1;
    f->scalar.weight = f->weight;
}

static void no_values(struct fixture *f) {
    for (int64_t k = 0; k < f->data.nonzeros; k++)
        f->data.value[k] = 0;
}

static void empty_rows(struct fixture *f) {
    f->data.nonzeros = 0;
    memset(f->data.start, 0, sizeof *f->data.start * (ROWS + 1));
}

static void copies(struct fixture *f) {
    for (int64_t k = 0; k < f->data.nonzeros; k++) {
        f->data.column[k] = FEATURES - 2 + (int32_t)(k % 2);
        f->data.value[k] = 1;
    }
    for (int i = 0; i < ROWS; i++)
        f->data.start[i] = 2 * (i / 100);
    f->data.start[ROWS] = f->data.nonzeros = 6;
}

static void all_zero_targets(struct fixture *f) {
    for (int i = 0; i < ROWS && f->scalar.loss->task == TASK_REGRESSION; i++)
        f->target[i] = 0;
}

/* Converged, or ended by rounding with a gap that rounding explains; always a bound below J. */
static void edges_end_with_a_bound(void **state) {
    (void)state;
    static void (*const edges[])(struct fixture *) = {one_class,  one_row, no_values,
                                                      empty_rows, copies,  all_zero_targets};
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < 6 * 6; k++) {
            struct fixture f;
            if ((l + k) % PART(1, 5) != 0)
                continue;
            set_up(&f, &table[l], (double[]){1e6, 1e-3, 1e-12}[k / 12]);
            f.scalar.intercept = k % 2;
            edges[k / 2 % 6](&f);
            assert_int_equal(train(&f, 1e-8, NULL), 0);
            double j = f.outcome.objective, bound = f.outcome.bound;
            if (f.outcome.verdict != VERDICT_CONVERGED)
                print_message("%s, edge %d, lambda %g, intercept %d: J %.17g, bound %.17g, %d\n",
                              table[l].name, k / 2 % 6, f.problem.lambda, k % 2, j, bound,
                              f.outcome.verdict);
            assert_true(isfinite(j) && bound <= j && bound >= 0);
            assert_true(f.outcome.verdict == VERDICT_CONVERGED || j <= 1e-11);
            assert_near(plain_objective(&f), j, 1e-12 * j + 1e-15);
            tear_down(&f);
        }
}

static void too_many_features_are_refused(void **state) {
    static const struct {
        int32_t features;
        const char *matrices;
    } cases[] = {{24000, "24000 x 24000"}, {30000, "20000 x 20000"}}; /* ipm_wide.h */
    static const char *const little[] = {"memory=0.01", NULL};
    struct fixture f;
    (void)state;
    set_up(&f, loss_by_name("logistic"), 1);
    assert_int_equal(train(&f, 1e-3, little), -1);
    assert_non_null(strstr(f.error.words, "--memory"));
    dataset_free(&f.data);
    f.data = random_data(20000, FEATURES, false, 1);
    f.scalar.target = f.data.label;
    for (int k = 0; k < 2; k++) {
        f.data.features = cases[k].features;
        f.error = (struct error){0};
        assert_int_equal(train(&f, 1e-3, NULL), -1);
        assert_non_null(strstr(f.error.words, cases[k].matrices));
        assert_non_null(strstr(f.error.words, "-s proximal-bundle"));
    }
    tear_down(&f);
}

/* Rows of weight 0 are not seen, whatever is in them. */
static void rows_without_weight_change_nothing(void **state) {
    (void)state;
    enum { SEEN = ROWS - 40 };
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++) {
        struct fixture f;
        set_up(&f, &table[l], 1e-5);
        f.scalar.weight = f.weight;
        for (int i = SEEN; i < ROWS; i++) {
            f.weight[i] = 0;
            f.target[i] *= table[l].task == TASK_CLASSIFICATION ? 1 : 1e5;
        }
        for (int64_t k = f.data.start[SEEN]; k < f.data.start[ROWS]; k++)
            f.data.value[k] *= 1e4;
        assert_int_equal(train(&f, 1e-8, NULL), 0);
        struct outcome all = f.outcome;
        memset(f.w, 0, sizeof f.w);
        f.data.rows = SEEN;
        f.data.nonzeros = f.data.start[SEEN];
        assert_int_equal(train(&f, 1e-8, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_int_equal(all.iterations, f.outcome.iterations);
        assert_near(all.objective, f.outcome.objective, 1e-14 * all.objective);
        tear_down(&f);
    }
}

/* All values 1 (none are stored), and rows so full that they are copied. */
static void dense_ones_reach_their_optimum(void **state) {
    (void)state;
    for (int k = 0; k < LAMBDAS * 2; k++) {
        struct fixture f;
        set_up(&f, loss_by_name("hinge"), lambdas[k / 2]);
        dataset_free(&f.data);
        f.data = random_data(ROWS, FEATURES, true, 8);
        f.scalar.target = f.data.label;
        f.scalar.intercept = k % 2;
        check_optimum(&f, 1e-8);
        const struct scalar_terms *terms = f.problem.risk->scalar;
        assert_true(ipm_dual_bytes(terms, true) > ipm_dual_bytes(terms, false));
        tear_down(&f);
    }
}

/* Newton's method ends soon on small data and moderate lambda. */
static void newton_takes_few_iterations(void **state) {
    (void)state;
    static const char *const names[] = {"squared", "logistic", "squared-hinge"};
    static const int max_iterations[] = {3, 8, 10};
    for (int l = 0; l < 3; l++)
        for (int k = 0; k < 4 * 2; k++) {
            struct fixture f;
            set_up(&f, loss_by_name(names[l]), lambdas[k / 2]);
            f.scalar.intercept = k % 2;
            check_optimum(&f, 1e-8);
            assert_in_range(f.outcome.iterations, 1, max_iterations[l]);
            tear_down(&f);
        }
}

/* The constant, a start other than 0, and the first point with its bound; then an iteration: the
 * system and the products of its solutions, of which the primal-dual method has a few. */
static void passes_are_counted(void **state) {
    (void)state;
    struct fixture f;
    for (int has_start = 0; has_start < 2; has_start++) {
        set_up(&f, loss_by_name("hinge"), 1e-4);
        f.w[0] = has_start;
        assert_int_equal(train_within(&f, 1e-8, 1, INFINITY, NULL), 0);
        assert_true(f.outcome.iterations == 1 && f.outcome.passes == 1);
        for (int max_iterations = 6 + has_start; max_iterations <= 12 + has_start;
             max_iterations += 2) {
            memset(f.w, 0, sizeof f.w);
            f.w[0] = has_start;
            assert_int_equal(train_within(&f, 1e-8, max_iterations, INFINITY, NULL), 0);
            assert_in_range(f.outcome.iterations, 2, 1 + (max_iterations - 2 - has_start) / 4);
            assert_in_range(f.outcome.passes, 6 + has_start, max_iterations);
        }
        tear_down(&f);
    }
    set_up(&f, loss_by_name("logistic"), 1e-4);
    assert_int_equal(train_within(&f, 1e-8, 1, INFINITY, NULL), 0);
    assert_true(f.outcome.iterations == 1 && f.outcome.passes == 1);
    assert_int_equal(train_within(&f, 1e-8, 6, INFINITY, NULL), 0);
    assert_true(f.outcome.iterations == 2 && f.outcome.passes == 6);
    tear_down(&f);
}

/* However little time there is, the result is no worse than the start. */
static void no_time_keeps_the_start(void **state) {
    (void)state;
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++) {
        struct fixture f;
        set_up(&f, &table[l], 1e-4);
        assert_int_equal(train(&f, 1e-3, NULL), 0);
        f.w[0] += 0.01;
        double j = plain_objective(&f);
        assert_int_equal(train_within(&f, 1e-8, 1000, 0, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_TIME);
        assert_true(f.outcome.iterations == 1 && f.outcome.objective <= j * (1 + 1e-15));
        assert_near(plain_objective(&f), f.outcome.objective, 1e-14);
        tear_down(&f);
    }
}

/* The rows count as well as the matrices, and a dense copy of them is given up first. */
static void the_limit_counts_the_rows(void **state) {
    (void)state;
    static const char *const names[] = {"hinge", "logistic"};
    for (int l = 0; l < 2; l++) {
        struct random random;
        struct fixture f;
        char limit[2][64];
        random_seed(&random, 1, 1);
        set_up(&f, loss_by_name(names[l]), 1e-3);
        dataset_free(&f.data);
        f.data = dense_data(ROWS, FEATURES, &random);
        check_optimum(&f, 1e-8);
        double j = f.outcome.objective;
        const struct scalar_terms *terms = f.problem.risk->scalar;
        double rows = l == 0 ? ipm_dual_bytes(terms, false) : ipm_newton_bytes(terms);
        double needed = gram_bytes(terms->design) + rows;
        assert_true(l == 0 ? rows >= 8 * 14 * ROWS : rows >= 8 * 3 * ROWS && rows < 8 * 4 * ROWS);
        assert_near(ipm_dual_bytes(terms, true) - ipm_dual_bytes(terms, false), 8 * ROWS * FEATURES,
                    0);
        for (int k = 0; k < 2; k++)
            snprintf(limit[k], sizeof limit[k], "memory=%.17g", (needed + 8 * (k - 0.5)) / 1e6);
        assert_int_equal(train(&f, 1e-8, (const char *const[]){limit[1], NULL}), 0);
        assert_near(f.outcome.objective, j, 1e-8 * j);
        assert_int_equal(train(&f, 1e-8, (const char *const[]){limit[0], NULL}), -1);
        tear_down(&f);
    }
}

/* The given w is the best point until something better comes. */
static void a_start_is_used(void **state) {
    (void)state;
    static const char *const names[] = {"hinge", "logistic"};
    for (int l = 0; l < 2; l++) {
        struct fixture f;
        set_up(&f, loss_by_name(names[l]), 1e-4);
        check_optimum(&f, 1e-8);
        double j = f.outcome.objective;
        assert_int_equal(train(&f, 1e-8, NULL), 0);
        assert_near(f.outcome.objective, j, 1e-8 * j);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_loss_reaches_its_optimum),
        cmocka_unit_test(separable_data_converge),
        cmocka_unit_test(rows_that_can_be_fitted_take_few_iterations),
        cmocka_unit_test(separable_categories_converge),
        cmocka_unit_test(samples_reach_their_optima),
        cmocka_unit_test(the_offset_is_optimal),
        cmocka_unit_test(weights_of_1_change_no_bit),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(edges_end_with_a_bound),
        cmocka_unit_test(too_many_features_are_refused),
        cmocka_unit_test(the_limit_counts_the_rows),
        cmocka_unit_test(no_time_keeps_the_start),
        cmocka_unit_test(rows_without_weight_change_nothing),
        cmocka_unit_test(dense_ones_reach_their_optimum),
        cmocka_unit_test(newton_takes_few_iterations),
        cmocka_unit_test(passes_are_counted),
        cmocka_unit_test(a_start_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
