/* test_ipm_l1.c - the interior point with a 1-norm: optima and supports of linear programs that other
 * programs solved (tests/references/linear_program_reference.py), data at the edges, threads, limits, starts. */
#include "solvers/interior_point/ipm.h"

#include "math/vector.h"
#include "solvers/optimality.h"
#include "tests/random_data.h"
#include "tests/solver_options.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { MAX_ROWS = 3000, MAX_COLUMNS = 128, NAME = 16 };

struct fixture {
    struct dataset data;
    double target[MAX_ROWS], weight[MAX_ROWS];
    struct scalar_settings scalar;
    struct problem problem;
    struct outcome outcome;
    double w[MAX_COLUMNS];
};

static void begin(struct fixture *f, const char *loss, double lambda, double rho, bool intercept,
                  bool weighted) {
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->target,
                                         .weight = weighted ? f->weight : NULL,
                                         .loss = loss_by_name(loss),
                                         .parameters = {0.1, 0.3, 0.5},
                                         .bias = -1,
                                         .intercept = intercept};
    f->problem =
        (struct problem){.risk = scalar_risk_new(&f->scalar, NULL),
                         .regularizer = regularizer_by_name(rho > 0 ? "elastic-net" : "l1"),
                         .parameters = {.elastic = rho},
                         .lambda = lambda};
    assert_non_null(f->problem.risk);
}

static void end(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

/* From f->w, to a gap or a limit. */
static void train(struct fixture *f, double epsilon, double passes) {
    void *options = solver_options_parse(solver_by_name("ipm"), NULL);
    struct run_settings run = {.passes = passes};
    struct monitor_settings settings = {
        .epsilon = epsilon, .passes = passes, .time_limit = INFINITY};
    struct monitor monitor;
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        solver_by_name("ipm")->train(
            &(struct solve){&f->problem, &run, options, &monitor, f->w, &f->outcome}, NULL),
        0);
    monitor_end(&monitor);
    free(options);
    double j = problem_objective(&f->problem, f->w);
    assert_near(f->outcome.objective, j, 1e-13 * j);
    assert_true(f->outcome.bound <= f->outcome.objective);
}

/* ---- the table */

struct row {
    char kind[NAME], loss[NAME], signs[MAX_COLUMNS + 1];
    long m, n;
    double lambda, rho, dual, primal;
    int intercept, weighted;
};

static uint64_t below(uint64_t *state, uint64_t count) {
    *state = *state * 16807 % 2147483647;
    return *state % count;
}

static double thousandths(uint64_t *state) {
    return ((double)below(state, 2049) - 1024) / 1024;
}

static void fill_row(const struct row *row, uint64_t *state, double *x) {
    for (int64_t j = 0; j < row->n; j++) {
        x[j] = thousandths(state);
        if (strcmp(row->kind, "twice") == 0 && j % 3 == 2)
            x[j] = x[j - 1];
        if (strcmp(row->kind, "zeros") == 0 && j % 3 == 2)
            x[j] = 0;
        if (strcmp(row->kind, "unscaled") == 0)
            x[j] *= pow(4, (double)(j % 5));
    }
}

static double target_of(const struct row *row, uint64_t *state, const double *x) {
    double noise = strcmp(row->kind, "separable") == 0 ? 0 : thousandths(state);
    double y = strcmp(row->kind, "constant") == 0 ? 1 : x[0] - 2 * x[1] + noise;
    return strcmp(row->loss, "hinge") != 0 ? y : y > 0 ? 1 : -1;
}

/* The data of linear_program_reference.py. */
static void begin_row(struct fixture *f, struct row *row) {
    uint64_t state = (uint64_t)(7 + row->m + row->n);
    if (strcmp(row->kind, "wide") == 0)
        row->n = 2 * row->m;
    memset(f, 0, sizeof *f);
    f->data = random_data(row->m, (int32_t)row->n, false, 1); /* for its memory */
    f->data.nonzeros = row->m * row->n;
    for (int64_t i = 0; i < row->m; i++) {
        double *x = f->data.value + i * row->n;
        f->data.start[i + 1] = (i + 1) * row->n;
        fill_row(row, &state, x);
        f->target[i] = target_of(row, &state, x);
    }
    for (int64_t k = 0; k < f->data.nonzeros; k++)
        f->data.column[k] = (int32_t)(k % row->n);
    for (int64_t i = 0; i < row->m; i++)
        f->weight[i] = row->weighted ? (double)below(&state, 4) : 1;
    begin(f, row->loss, row->lambda, row->rho, row->intercept, row->weighted);
}

static void check_signs(const struct fixture *f, const struct row *row) {
    static const char signs[] = "-0+";
    for (int64_t j = 0; j < row->n && strcmp(row->signs, "-") != 0; j++) {
        char sign = signs[1 + (f->w[j] > 0) - (f->w[j] < 0)];
        if (sign != row->signs[j])
            print_error("%s %s lambda %g: w[%d] = %g\n", row->kind, row->loss, row->lambda, (int)j,
                        f->w[j]);
        assert_int_equal(sign, row->signs[j]);
    }
}

/* bound <= optimum <= objective, for certain; the gap asked for; at a tight one the support. Where more
 * weights than rows fit all targets at a tiny lambda, rounding ends the run at a gap of less than 1e-3. */
static void check_row(struct row *row, double epsilon) {
    static const double rounding = 2e-11;
    bool fits_all =
        strcmp(row->kind, "wide") == 0 && strcmp(row->loss, "absolute") == 0 && row->lambda < 1e-5;
    struct fixture f;
    begin_row(&f, row);
    train(&f, epsilon, 10000);
    double j = f.outcome.objective, bound = f.outcome.bound, slack = rounding * (1 + row->primal);
    bool closed = j - bound <= (fits_all ? 1e-3 : epsilon) * j || j - bound <= 1e-13;
    if (!closed || bound > row->primal + slack || j < row->dual - slack)
        print_error("%s %s lambda %g rho %g intercept %d: J %.12g, bound %.12g, optimum %.12g\n",
                    row->kind, row->loss, row->lambda, row->rho, row->intercept, j, bound,
                    row->primal);
    assert_true(closed);
    assert_true(bound <= row->primal + slack && j >= row->dual - slack);
    if (epsilon < 1e-8 && !fits_all)
        check_signs(&f, row);
    end(&f);
}

static void optima_are_those_of_linear_programs(void **state) {
    FILE *file = fopen("tests/references/linear_program_reference.tsv", "r");
    char line[512];
    int count = 0;
    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        struct row row;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%15s %ld %ld %15s %lf %lf %d %d %lf %lf %128s", row.kind,
                                &row.m, &row.n, row.loss, &row.lambda, &row.rho, &row.intercept,
                                &row.weighted, &row.dual, &row.primal, row.signs),
                         11);
        struct row again = row;
        check_row(&row, 1e-3);
        check_row(&again, 1e-9);
        count++;
    }
    fclose(file);
    assert_true(count >= 100);
}

/* ---- more rows */

/* Rows in several blocks, the first two weights of use. */
static void begin_large(struct fixture *f, const char *loss, double lambda, double rho,
                        bool weighted) {
    memset(f, 0, sizeof *f);
    f->data = random_data(MAX_ROWS, 12, false, 3);
    bool classes = loss_by_name(loss)->task == TASK_CLASSIFICATION;
    for (int64_t i = 0; i < MAX_ROWS; i++) {
        f->target[i] = classes ? f->data.label[i] : f->data.label[i] * (double)(1 + i % 3);
        f->weight[i] = (double)(i % 4);
    }
    begin(f, loss, lambda, rho, true, weighted);
}

static void threads_change_no_bit(void **state) {
    int usual = omp_get_max_threads();
    struct fixture one, f;
    (void)state;
    omp_set_num_threads(1);
    begin_large(&one, "hinge", 1e-3, 0, true);
    train(&one, 1e-8, 10000);
    for (int threads = 2; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        begin_large(&f, "hinge", 1e-3, 0, true);
        train(&f, 1e-8, 10000);
        assert_memory_equal(f.w, one.w, sizeof f.w);
        assert_true(f.outcome.bound == one.outcome.bound);
        end(&f);
    }
    omp_set_num_threads(usual);
    end(&one);
}

/* Of the first half of the rows. */
static void weights_count_as_repetitions(void **state) {
    struct fixture f, other;
    int64_t rows = 0;
    (void)state;
    begin_large(&f, "quantile", 1e-2, 0, true);
    memset(&other, 0, sizeof other);
    other.data = random_data(MAX_ROWS, 12, false, 3);
    struct dataset *data = &other.data;
    data->start[0] = data->nonzeros = 0;
    for (int64_t i = 0; i < MAX_ROWS / 2; i++)
        for (int k = 0; k < f.weight[i] && rows < MAX_ROWS; k++, rows++) {
            other.target[rows] = f.target[i];
            for (int64_t v = f.data.start[i]; v < f.data.start[i + 1]; v++) {
                data->column[data->nonzeros] = f.data.column[v];
                data->value[data->nonzeros++] = f.data.value[v];
            }
            data->start[rows + 1] = data->nonzeros;
        }
    data->rows = rows;
    for (int64_t i = MAX_ROWS / 2; i < MAX_ROWS; i++)
        f.weight[i] = 0;
    risk_free((struct risk *)f.problem.risk);
    begin(&f, "quantile", 1e-2, 0, true, true);
    train(&f, 1e-9, 10000);
    begin(&other, "quantile", 1e-2, 0, true, false);
    train(&other, 1e-9, 10000);
    assert_near(f.outcome.objective, other.outcome.objective, 3e-9 * f.outcome.objective);
    end(&f);
    end(&other);
}

static void hubers_loss_agrees_with_newton_steps(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct fixture f;
        struct outcome other;
        double w[MAX_COLUMNS] = {0};
        begin_large(&f, "huber", k & 1 ? 1e-2 : 0.1, k & 2 ? 0.3 : 0, true);
        train(&f, 1e-9, 10000);
        void *options = solver_options_parse(solver_by_name("lps"), NULL);
        struct run_settings run = {.passes = 10000};
        struct monitor_settings settings = {
            .epsilon = 1e-9, .passes = 10000, .time_limit = INFINITY};
        struct monitor monitor;
        monitor_init(&monitor, &settings);
        monitor_begin(&monitor, NULL);
        assert_int_equal(solver_by_name("lps")->train(
                             &(struct solve){&f.problem, &run, options, &monitor, w, &other}, NULL),
                         0);
        monitor_end(&monitor);
        free(options);
        assert_near(f.outcome.objective, other.objective, 3e-9 * other.objective);
        for (int64_t j = 0; j < f.problem.risk->regularized; j++)
            assert_int_equal(f.w[j] == 0, w[j] == 0);
        end(&f);
    }
}

/* Whatever ends a run, the point is one with zeros, and the bound holds. */
static void limits_leave_a_sparse_point(void **state) {
    struct fixture best, f;
    (void)state;
    begin_large(&best, "hinge", 0.067, 0, false);
    train(&best, 1e-10, 10000);
    int64_t n = best.problem.risk->regularized, used = vector_nonzeros(best.w, n);
    assert_true(used > 0 && used < n);
    for (int passes = 1; passes < 120; passes += 7) {
        begin_large(&f, "hinge", 0.067, 0, false);
        train(&f, 1e-10, passes);
        assert_true(f.outcome.bound <= best.outcome.objective);
        assert_true(f.outcome.objective >= best.outcome.bound);
        assert_true(vector_nonzeros(f.w, n) < n);
        end(&f);
    }
    begin_large(&f, "hinge", 0.067, 0, false); /* a start is a point to beat */
    memcpy(f.w, best.w, sizeof f.w);
    train(&f, 1e-10, 1);
    assert_true(f.outcome.objective <= best.outcome.objective);
    assert_int_equal(vector_nonzeros(f.w, n), used);
    end(&f);
    end(&best);
}

/* From lambda_max on all weights are 0, below not all. */
static void all_weights_are_zero_from_lambda_max_on(void **state) {
    static const char *const losses[] = {"hinge", "absolute", "epsilon", "quantile"};
    (void)state;
    for (int k = 0; k < 4; k++)
        for (int above = 0; above < 2; above++) {
            struct fixture f;
            double w[MAX_COLUMNS], gradient[MAX_COLUMNS];
            begin_large(&f, losses[k], 1, 0, false);
            f.scalar.intercept = false;
            risk_free((struct risk *)f.problem.risk);
            f.problem.risk = scalar_risk_new(&f.scalar, NULL);
            double lambda_max = optimality_lambda_max(&f.problem, w, gradient, NULL);
            f.problem.lambda = lambda_max * (above ? 1.01 : 0.97);
            train(&f, 1e-9, 10000);
            assert_int_equal(vector_nonzeros(f.w, f.problem.risk->dimension) == 0, above);
            end(&f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optima_are_those_of_linear_programs),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(weights_count_as_repetitions),
        cmocka_unit_test(hubers_loss_agrees_with_newton_steps),
        cmocka_unit_test(limits_leave_a_sparse_point),
        cmocka_unit_test(all_weights_are_zero_from_lambda_max_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
