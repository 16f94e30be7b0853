/* test_decomposition.c - semiparametric kernel machines by subproblems: the conditions of the optimum from
 * outside, the certificate, both subproblem solvers, special data, threads, limits. */
#include "kernel/row_cache.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/dataset_select.h"
#include "solvers/kernel_machine/working_set.h"
#include "tests/size.h"
#include "tests/solvers/kernel_machine/kernel_edges.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.4};
static const struct kernel linear = {.kind = KERNEL_LINEAR};
static const struct kernel cubic = {
    .kind = KERNEL_POLYNOMIAL, .gamma = 0.3, .shift = 0.5, .degree = 3};
static const char *const solvers[] = {"pdsg", "mpd"};
static const char *const losses[] = {"hinge", "epsilon", "absolute", "quantile"};

/* ---- the row cache */

static void test_rows_are_the_kernels(void **state) {
    (void)state;
    struct kernel_fixture f;
    struct error e = {0};
    int64_t index[4] = {3, 17, 5, 100};
    const float *row[4];
    kernel_set_up(&f, random_data(120, 5, false, 2), "hinge", gaussian, "none", NULL, 1);
    struct row_cache *cache = row_cache_new(&gaussian, &f.data, 0, 4, ROWS_ROUNDED, &e);
    assert_non_null(cache);
    for (int round = 0; round < 30; round++) {
        for (int k = 0; k < 4; k++)
            index[k] = (index[k] + 7 * k + round) % 120;
        int64_t count = index[0] == index[1] || index[0] == index[2] ? 1 : 2;
        assert_int_equal(row_cache_get(cache, index, count, row, &e), 0);
        for (int64_t k = 0; k < count; k++)
            for (int64_t i = 0; i < 120; i++)
                assert_near(row[k][i], outside_kernel(&f, index[k], i), 1e-7);
    }
    for (int64_t i = 0; i < 120; i++)
        assert_near(row_cache_diagonal(cache)[i], 1, 1e-15);
    row_cache_free(cache);
    kernel_tear_down(&f);
}

/* ---- the optimum */

static void test_conditions_hold(void **state) {
    (void)state;
    const struct kernel kernels[] = {gaussian, linear, cubic};
    const char *const bases[] = {"none", "1", "1,2,3^2"};
    const double cs[] = {0.1, 1, 30};
    for (int s = 0; s < LENGTH(solvers); s++)
        for (int l = 0; l < LENGTH(losses); l++)
            for (int k = 0; k < 9; k++) {
                struct kernel_fixture f;
                kernel_set_up(&f, data_for(losses[l], 90, 5), losses[l], kernels[k % 3],
                              bases[k / 3], k == 8 ? "4" : NULL, cs[(k + l) % 3]);
                const char *const words[] = {"working-set=40", "fresh=10", NULL};
                assert_int_equal(
                    kernel_train(&f, solvers[s], 1e-4, 1e6, INFINITY, false, k % 2 ? words : NULL),
                    0);
                assert_optimal(&f, 1e-4);
                assert_true(f.outcome.objective - f.outcome.bound <= 2e-3 * f.outcome.objective);
                kernel_tear_down(&f);
            }
}

static void test_alone_is_the_same(void **state) {
    (void)state;
    const char *const alone[] = {"alone=on", NULL};
    const char *const small[] = {"working-set=30", "kernel-cache=0", NULL};
    for (int s = 0; s < LENGTH(solvers); s++)
        for (int l = 0; l < LENGTH(losses); l++) {
            struct kernel_fixture f;
            double objective[3];
            kernel_set_up(&f, data_for(losses[l], 150, 6), losses[l], gaussian, "1,2", NULL, 2);
            for (int k = 0; k < 3; k++) {
                assert_int_equal(kernel_train(&f, solvers[s], 1e-5, 1e6, INFINITY, false,
                                              k == 0   ? alone
                                              : k == 1 ? small
                                                       : NULL),
                                 0);
                assert_optimal(&f, 1e-5);
                objective[k] = f.outcome.objective;
            }
            assert_near(objective[0], objective[1], 1e-5 * objective[0]);
            assert_near(objective[0], objective[2], 1e-5 * objective[0]);
            kernel_tear_down(&f);
        }
}

/* ---- special data */

static void train_edge(struct dataset data, const char *loss, struct kernel kernel,
                       const char *basis, double c) {
    for (int s = 0; s < LENGTH(solvers); s++) {
        struct kernel_fixture f;
        struct dataset copy;
        int64_t *all = malloc(sizeof *all * (size_t)data.rows);
        for (int64_t i = 0; i < data.rows; i++)
            all[i] = i;
        assert_int_equal(dataset_select(&data, all, data.rows, &copy, NULL), 0);
        kernel_set_up(&f, copy, loss, kernel, basis, NULL, c);
        assert_int_equal(kernel_train(&f, solvers[s], 1e-3, 1e6, INFINITY, false, NULL), 0);
        assert_optimal(&f, 1e-3);
        kernel_tear_down(&f);
        free(all);
    }
    dataset_free(&data);
}

static void test_edges(void **state) {
    (void)state;
    for (int l = 0; l < LENGTH(losses); l++)
        train_edges(train_edge, losses[l], 1e5);
}

/* Columns 0 and 1 the same, as basis functions 2 and ONLY their equal; rows twice. */
static void test_duplicates(void **state) {
    (void)state;
    for (int l = 0; l < LENGTH(losses); l++) {
        struct dataset data = data_for(losses[l], 80, 9);
        for (int64_t i = 0; i < 80; i++)
            for (int64_t n = data.start[i]; n < data.start[i + 1]; n++)
                data.value[n] = data.column[n] < 2 ? (i % 2 ? 1 : -1) : data.value[n];
        train_edge(data, losses[l], gaussian, "1,2,2^3,1^1,1^3", 5);
        int64_t repeated[80];
        struct dataset single = data_for(losses[l], 40, 9), both;
        for (int64_t i = 0; i < 80; i++)
            repeated[i] = i / 2;
        assert_int_equal(dataset_select(&single, repeated, 80, &both, NULL), 0);
        dataset_free(&single);
        train_edge(both, losses[l], gaussian, "1,2", 5);
    }
}

static void test_weights(void **state) {
    (void)state;
    for (int l = 0; l < LENGTH(losses); l++) {
        struct dataset data = data_for(losses[l], 80, 11);
        data.weight = malloc(sizeof *data.weight * 80);
        for (int i = 0; i < 80; i++)
            data.weight[i] = i % 3;
        train_edge(data, losses[l], gaussian, "1,2", 2);
    }
}

/* ---- runs */

static void test_threads_do_not_matter(void **state) {
    (void)state;
    struct kernel_fixture f;
    kernel_set_up(&f, data_for("epsilon", 1500, 12), "epsilon", gaussian, "1,2", NULL, 1);
    double *first = malloc(sizeof *first * 1502);
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        assert_int_equal(kernel_train(&f, "pdsg", 1e-3, 1e6, INFINITY, false, NULL), 0);
        if (threads == 1)
            memcpy(first, f.w, sizeof *first * 1502);
        assert_memory_equal(first, f.w, sizeof *first * 1502);
    }
    omp_set_num_threads(omp_get_num_procs());
    free(first);
    kernel_tear_down(&f);
}

/* h of hinge losses such that variables FROM to TO - 1 violate the conditions, and no other. */
static void violate(const struct canonical *c, int64_t from, int64_t to, double *h) {
    for (int64_t i = 0; i < c->rows; i++)
        h[i] = c->sign[i] * (i >= from && i < to ? 0 : 2);
}

/* Of variables at a bound the newest stay in the working set, and the oldest leave it. */
static void test_oldest_members_leave(void **state) {
    (void)state;
    enum { COUNT = 60, CAPACITY = 20, NEW = 10 };
    struct kernel_fixture f;
    struct canonical c;
    struct working_set set;
    double z[COUNT] = {0}, h[COUNT];
    kernel_set_up(&f, data_for("hinge", COUNT, 3), "hinge", gaussian, "1", NULL, 1);
    assert_int_equal(canonical_init(&c, &f.problem, &f.error), 0);
    assert_int_equal(working_set_init(&set, COUNT, CAPACITY, NEW, &f.error), 0);
    violate(&c, 0, CAPACITY, h);
    assert_int_equal(working_set_choose(&set, &c, z, h), CAPACITY);
    for (int64_t first = CAPACITY; first < COUNT; first += NEW) {
        violate(&c, first, first + NEW, h);
        assert_int_equal(working_set_choose(&set, &c, z, h), NEW);
        for (int64_t t = first - (first > CAPACITY ? NEW : 0); t < first + NEW; t++)
            assert_true(set.is_member[t]);
    }
    working_set_free(&set);
    canonical_free(&c);
    kernel_tear_down(&f);
}

/* Nearly all variables are free, more than the first set holds. */
static void test_set_grows(void **state) {
    (void)state;
    const struct kernel narrow = {.kind = KERNEL_GAUSSIAN, .gamma = 1};
    const char *const fixed[] = {"working-set=500", NULL}, *const small[] = {"kernel-cache=0",
                                                                             NULL};
    const char *const *const words[] = {NULL, NULL, fixed, small};
    enum { ROWS = 900 };
    for (int s = 0; s < PART(LENGTH(solvers), 1); s++) {
        struct kernel_fixture f;
        double *first = malloc(sizeof *first * (ROWS + 1)), objective[4];
        int64_t iterations[4];
        kernel_set_up(&f, data_for("epsilon", ROWS, 21), "epsilon", narrow, "1", NULL, 30);
        for (int k = 0; k < 4; k++) {
            omp_set_num_threads(k == 1 ? 3 : 1);
            assert_int_equal(kernel_train(&f, solvers[s], 1e-3, 1e6, INFINITY, false, words[k]), 0);
            assert_optimal(&f, 1e-3);
            objective[k] = f.outcome.objective;
            iterations[k] = f.outcome.iterations;
            if (k == 0)
                memcpy(first, f.w, sizeof *first * (ROWS + 1));
            if (k == 1)
                assert_memory_equal(first, f.w, sizeof *first * (ROWS + 1));
        }
        assert_true(iterations[0] < iterations[2]);
        assert_int_equal(iterations[2], iterations[3]); /* no room to grow */
        for (int k = 1; k < 4; k++)
            assert_near(objective[k], objective[0], 1e-3 * objective[0]);
        omp_set_num_threads(omp_get_num_procs());
        free(first);
        kernel_tear_down(&f);
    }
}

static void test_limits_and_starts(void **state) {
    (void)state;
    struct kernel_fixture f;
    kernel_set_up(&f, data_for("epsilon", 900, 13), "epsilon", gaussian, "1", NULL, 10);
    assert_int_equal(kernel_train(&f, "pdsg", 1e-4, 0.1, INFINITY, false, NULL), 0);
    assert_int_equal(f.outcome.verdict, VERDICT_PASSES);
    struct outside o = outside_look(&f);
    assert_near(f.outcome.objective, o.objective, 1e-6 * o.objective);
    assert_int_equal(kernel_train(&f, "pdsg", 1e-4, 1e6, 0, false, NULL), 0);
    assert_int_equal(f.outcome.verdict, VERDICT_TIME);
    assert_int_equal(kernel_train(&f, "pdsg", 1e-4, 1e6, INFINITY, false, NULL), 0);
    assert_optimal(&f, 1e-4);
    assert_int_equal(kernel_train(&f, "pdsg", 1e-3, 1e6, INFINITY, true, NULL), 0);
    assert_int_equal(f.outcome.iterations, 1);
    assert_optimal(&f, 1e-3);
    kernel_tear_down(&f);
}

static void test_values_beyond_numbers(void **state) {
    (void)state;
    struct kernel_fixture f;
    const struct kernel steep = {.kind = KERNEL_POLYNOMIAL, .gamma = 1e30, .degree = 20};
    kernel_set_up(&f, data_for("epsilon", 50, 14), "epsilon", steep, "1", NULL, 1);
    assert_int_equal(kernel_train(&f, "pdsg", 1e-3, 1e6, INFINITY, false, NULL), -1);
    assert_non_null(strstr(f.error.words, "beyond all numbers"));
    kernel_tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_the_kernels),
        cmocka_unit_test(test_conditions_hold),
        cmocka_unit_test(test_alone_is_the_same),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_oldest_members_leave),
        cmocka_unit_test(test_set_grows),
        cmocka_unit_test(test_limits_and_starts),
        cmocka_unit_test(test_values_beyond_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
