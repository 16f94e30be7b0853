/* test_lbfgs.c - optima from elsewhere, what holds of every run, starts, threads, edges. */
#include "solvers/solver.h"

#include "math/matrices/cholesky.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "risk/multiclass.h"
#include "tests/near.h"
#include "tests/solvers/bundle/bundle_fixture.h"

enum { COLUMNS = 7, EXAMPLES = 24, PROBLEMS = 300 };

static struct history history;

static void check_reference(const struct reference *r) {
    if (loss_by_name(r->loss)->second == NULL)
        return;
    double w[64] = {0};
    struct outcome o;
    assert_true(r->problem.risk->dimension <= 64);
    assert_int_equal(run_with(&r->problem, "lbfgs", NULL, 1e-7, 5000, w, &history, &o, NULL), 0);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
    check_history(&r->problem, &history, &o, w, r->lower, 1e-9 * (1 + r->lower));
    assert_true(o.bound <= r->upper * (1 + 1e-9) && o.objective >= r->lower * (1 - 1e-9));
}

static void known_optima_are_reached(void **state) {
    (void)state;
    for_references(check_reference);
}

/* The least squares of rows with a column of ones, if OFFSET, that is not regularized: by the normal equations. */
static double least_squares(const struct dataset *data, bool offset, double lambda, double *w) {
    enum { N = COLUMNS + 1 };
    double a[N * N] = {0}, b[N] = {0}, d[N], sum = 0;
    double *work = malloc(sizeof *work * (size_t)cholesky_work_size(N));
    int64_t n = COLUMNS + offset, rows = data->rows;
    for (int64_t i = 0; i < rows; i++) {
        double x[N] = {0};
        for (int64_t k = data->start[i]; k < data->start[i + 1]; k++)
            x[data->column[k]] = data->value[k];
        x[COLUMNS] = 1;
        for (int64_t j = 0; j < n; j++) {
            b[j] += x[j] * data->label[i] / (double)rows;
            for (int64_t k = 0; k < n; k++)
                a[j * n + k] += x[j] * x[k] / (double)rows;
        }
        sum += data->label[i] * data->label[i] / (double)rows;
    }
    for (int64_t j = 0; j < COLUMNS; j++)
        a[j * n + j] += lambda;
    memcpy(w, b, sizeof *w * (size_t)n);
    assert_int_equal(cholesky_factor(a, d, n, work, NULL), 0);
    cholesky_solve(a, d, w, work, n);
    free(work);
    for (int64_t j = 0; j < n; j++)
        sum -= w[j] * b[j];
    return sum / 2;
}

static void squares_are_least(void **state) {
    (void)state;
    for (int trial = 0; trial < PROBLEMS; trial++) {
        bool offset = trial % 3 == 0;
        struct dataset data = random_data(EXAMPLES, COLUMNS, false, (uint64_t)trial);
        double lambda = pow(10, -trial % 7), known[COLUMNS + 1], w[COLUMNS + 1] = {0};
        struct scalar_settings scalar = {.data = &data,
                                         .target = data.label,
                                         .loss = loss_by_name("squared"),
                                         .bias = -1,
                                         .intercept = offset};
        struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = lambda};
        struct outcome o;
        double optimum = least_squares(&data, offset, lambda, known);
        assert_int_equal(run_with(&problem, "lbfgs", NULL, 1e-6, 5000, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        check_history(&problem, &history, &o, w, optimum, 1e-11);
        for (int j = 0; j < COLUMNS; j++)
            assert_true((w[j] - known[j]) * (w[j] - known[j]) <= 2e-6 * o.objective / lambda);
        risk_free((struct risk *)problem.risk);
        dataset_free(&data);
    }
}

/* On a quadratic function of 7 weights it ends in few steps, a search within the first ones. */
/* Column j times 10^(3 (j - 3)): the identity in place of the diagonal takes thousands of passes. */
static void sizes_of_features_do_not_matter(void **state) {
    (void)state;
    static const char *const losses[] = {"logistic", "squared-hinge", "squared-epsilon"};
    for (int k = 0; k < 3; k++) {
        struct dataset data = random_data(400, COLUMNS, false, 7);
        for (int64_t i = 0; i < data.start[data.rows]; i++)
            data.value[i] *= pow(1000, data.column[i] - 3);
        struct scalar_settings scalar = {
            .data = &data, .target = data.label, .loss = loss_by_name(losses[k]), .bias = -1};
        struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 1e-4};
        double w[COLUMNS] = {0};
        struct outcome o;
        assert_int_equal(run_with(&problem, "lbfgs", NULL, 1e-6, 500, w, NULL, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        assert_true(o.passes <= 60);
        risk_free((struct risk *)problem.risk);
        dataset_free(&data);
    }
}

static void few_passes_are_enough(void **state) {
    (void)state;
    struct dataset data = random_data(400, COLUMNS, false, 5);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("squared"), .bias = -1};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name("l2"),
                              .lambda = 1e-4};
    static const char *const one[] = {"corrections=1", NULL};
    double w[COLUMNS] = {0}, v[COLUMNS] = {0};
    struct outcome o, other;
    assert_int_equal(run_with(&problem, "lbfgs", NULL, 1e-8, 5000, w, NULL, &o, NULL), 0);
    assert_true(o.passes <= 20);
    assert_int_equal(run_with(&problem, "lbfgs", one, 1e-8, 5000, v, NULL, &other, NULL), 0);
    assert_int_equal(other.verdict, VERDICT_CONVERGED);
    assert_true(other.passes >= o.passes);
    assert_int_equal(run_with(&problem, "lbfgs", NULL, 1e-8, 5000, w, NULL, &o, NULL), 0);
    assert_true(o.passes <= 6); /* from its own result */
    memset(w, 0, sizeof w);
    assert_int_equal(run_with(&problem, "lbfgs", NULL, 0, 3.5, w, NULL, &o, NULL), 0);
    assert_int_equal(o.verdict, VERDICT_PASSES);
    assert_near(o.passes, 3, 0);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

/* A risk without scores, with an offset for each class or without, beside another solver's bounds. */
static void classes_are_trained(void **state) {
    (void)state;
    for (int offset = 0; offset < 2; offset++) {
        struct dataset data = random_data(60, COLUMNS, false, 9);
        for (int64_t i = 0; i < data.rows; i++)
            data.label[i] = (double)(i % 3);
        struct risk_settings settings = {
            .scalar = {.data = &data, .target = data.label, .bias = -1, .intercept = offset == 1},
            .labels = 3};
        struct problem problem = {.risk = softmax_risk_new(&settings, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 1e-3};
        double w[3 * COLUMNS + 3] = {0}, v[3 * COLUMNS + 3] = {0};
        struct outcome o, other;
        assert_int_equal(run_with(&problem, "lbfgs", NULL, 1e-6, 5000, w, &history, &o, NULL), 0);
        assert_int_equal(
            run_with(&problem, "proximal-bundle", NULL, 1e-4, 5000, v, NULL, &other, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        assert_true(o.bound <= other.objective && other.bound <= o.objective);
        check_history(&problem, &history, &o, w, o.objective, 1e-6 * o.objective);
        risk_free((struct risk *)problem.risk);
        dataset_free(&data);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    struct dataset data = random_data(9000, 60, false, 3);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("logistic"), .bias = 1};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name("l2"),
                              .lambda = 1e-5};
    check_threads(&problem, "lbfgs", NULL, 12);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

static void edges_end_well(void **state) {
    (void)state;
    for (int i = 0; i < EDGES; i++)
        check_edge(&edges[i], "lbfgs", "l2", NULL);
}

static void rounding_ends_a_run(void **state) {
    (void)state;
    struct dataset data = random_data(200, COLUMNS, false, 8);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("logistic"), .bias = -1};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name("l2"),
                              .lambda = 1e-4};
    double w[COLUMNS] = {0};
    struct outcome o;
    assert_int_equal(run_with(&problem, "lbfgs", NULL, 0, 1e6, w, NULL, &o, NULL), 0);
    assert_true(o.verdict == VERDICT_STALLED || o.verdict == VERDICT_CONVERGED);
    assert_true(o.objective - o.bound <= 1e-11);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

/* Two rows that contradict each other: the search must shorten the first step much, or all weights 0 are optimal. */
static void hard_starts(void **state) {
    (void)state;
    for (int zero = 0; zero < 2; zero++) {
        int64_t start[] = {0, 2, 4}, none[] = {0, 0, 0};
        int32_t column[] = {0, 1, 0, 1};
        double value[] = {0, 230, 60, -37}, label[] = {1, zero ? -1 : 1},
               weight[] = {18, zero ? 18 : 2.5};
        struct dataset data = {.rows = 2,
                               .features = 2,
                               .nonzeros = zero ? 0 : 4,
                               .start = zero ? none : start,
                               .column = column,
                               .value = value,
                               .label = label};
        struct scalar_settings scalar = {.data = &data,
                                         .target = label,
                                         .weight = weight,
                                         .loss = loss_by_name("logistic"),
                                         .bias = -1};
        struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 1e-4};
        double w[2] = {0};
        struct outcome o;
        assert_int_equal(run_with(&problem, "lbfgs", NULL, 1e-3, 5000, w, NULL, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        risk_free((struct risk *)problem.risk);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_optima_are_reached),
        cmocka_unit_test(squares_are_least),
        cmocka_unit_test(sizes_of_features_do_not_matter),
        cmocka_unit_test(few_passes_are_enough),
        cmocka_unit_test(classes_are_trained),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(edges_end_well),
        cmocka_unit_test(rounding_ends_a_run),
        cmocka_unit_test(hard_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
