/* test_triangle.c - the blocked factor U'U and its systems against plain loops in long double, sizes
 * around the edges of tiles and blocks; matrices that have no factor; any number of threads. */
#include "math/matrices/cholesky.h"
#include "math/matrices/symmetric.h"
#include "math/matrices/triangle.h"

#include "math/random/random.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

static const int64_t sizes[] = {1,  2,   3,   7,   8,   9,   15,  16,  17,  31,  33, 63,
                                65, 120, 127, 128, 129, 136, 137, 200, 255, 257, 389};

enum { SIZES = sizeof sizes / sizeof *sizes, MAX_SIZE = 389, FENCE = 7777 };

static double *numbers(int64_t count) {
    double *x = malloc(sizeof *x * (size_t)(count > 0 ? count : 1));
    assert_non_null(x);
    return x;
}

/* B'B / n + ridge I, B random with entries in [-1, 1]; below the diagonal FENCE. */
static double *definite(int64_t n, double ridge) {
    double *a = numbers(n * n), *b = numbers(n * n);
    struct random random;
    random_seed(&random, 5, (uint64_t)n);
    for (int64_t k = 0; k < n * n; k++)
        b[k] = 2 * random_unit(&random) - 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = i == j ? ridge : 0;
            for (int64_t k = 0; k < n && j >= i; k++)
                sum += b[k * n + i] * b[k * n + j] / (double)n;
            a[i * n + j] = j < i ? FENCE : sum;
        }
    free(b);
    return a;
}

/* The plain factor, in long double. */
static void plain_factor(const double *a, int64_t n, long double *u) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) {
            long double sum = a[i * n + j];
            for (int64_t k = 0; k < i; k++)
                sum -= u[k * n + i] * u[k * n + j];
            u[i * n + j] = j == i ? sqrtl(sum) : sum / u[i * n + i];
        }
}

static void the_factor_is_that_of_plain_loops(void **state) {
    (void)state;
    long double *u = malloc(sizeof *u * MAX_SIZE * MAX_SIZE);
    assert_non_null(u);
    for (int s = 0; s < SIZES; s++) {
        int64_t n = sizes[s];
        double *a = definite(n, 0.1), *work = numbers(triangle_work_size(n) + 1);
        plain_factor(a, n, u);
        work[triangle_work_size(n)] = FENCE;
        assert_int_equal(triangle_factor(a, n, work, NULL), 0);
        assert_true(work[triangle_work_size(n)] == FENCE);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                assert_near(a[i * n + j], j < i ? FENCE : (double)u[i * n + j], 2e-14);
        free(a);
        free(work);
    }
    free(u);
}

static void systems_have_the_solutions_of_plain_loops(void **state) {
    (void)state;
    double x[MAX_SIZE], y[MAX_SIZE], z[MAX_SIZE];
    for (int s = 0; s < SIZES; s++) {
        int64_t n = sizes[s];
        double *u = definite(n, 2), *work = numbers(triangle_work_size(n));
        assert_int_equal(triangle_factor(u, n, work, NULL), 0);
        for (int64_t i = 0; i < n; i++)
            y[i] = z[i] = sin((double)i);
        triangle_solve_transposed(u, n, y);
        triangle_solve(u, n, z);
        for (int64_t i = 0; i < n; i++) {
            long double sum = 0, other = 0;
            for (int64_t j = 0; j <= i; j++)
                sum += (long double)u[j * n + i] * y[j];
            for (int64_t j = i; j < n; j++)
                other += (long double)u[i * n + j] * z[j];
            x[i] = sin((double)i);
            assert_near((double)sum, x[i], 1e-14);
            assert_near((double)other, x[i], 1e-14);
        }
        free(u);
        free(work);
    }
}

/* A, its entry of row and column `at`, or of the row above, spoiled. */
static void check_refused(const double *a, double *copy, double *work, int64_t n, int64_t at,
                          double change) {
    for (int64_t row = at / 2; row <= at; row += at - at / 2) {
        memcpy(copy, a, sizeof *a * (size_t)(n * n));
        copy[row * n + at] += change;
        assert_int_equal(triangle_factor(copy, n, work, NULL), -1);
    }
}

static void others_than_positive_definite_are_refused(void **state) {
    (void)state;
    static const double changes[] = {-5, NAN, INFINITY, -INFINITY};
    for (int s = 1; s < SIZES; s++) {
        int64_t n = sizes[s];
        double *a = definite(n, 0.1), *copy = numbers(n * n),
               *work = numbers(triangle_work_size(n));
        for (int64_t at = 1; at < n; at += 1 + n / 9)
            for (int c = 0; c < 4; c++)
                check_refused(a, copy, work, n, at, changes[c]);
        free(a);
        free(copy);
        free(work);
    }
    double zero[4] = {0}, *work = numbers(triangle_work_size(2));
    assert_int_equal(triangle_factor(zero, 2, work, NULL), -1);
    assert_int_equal(triangle_factor(zero, 0, work, NULL), 0);
    free(work);
}

static void scales_do_not_matter(void **state) {
    (void)state;
    enum { N = 150 };
    double *work = numbers(triangle_work_size(N));
    for (int power = -1000; power <= 1000; power += 500) {
        double *a = definite(N, 0.1), *b = definite(N, 0.1);
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = i; j < N; j++)
                b[i * N + j] = ldexp(b[i * N + j], power);
        assert_int_equal(triangle_factor(a, N, work, NULL), 0);
        assert_int_equal(triangle_factor(b, N, work, NULL), 0);
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = i; j < N; j++)
                assert_near(ldexp(b[i * N + j], -power / 2), a[i * N + j], 1e-13);
        free(a);
        free(b);
    }
    free(work);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    enum { N = PART(700, 500) };
    double *first = definite(N, 0.1), *work = numbers(triangle_work_size(N));
    double *again = numbers(N * N), *a = numbers(N * N);
    memcpy(again, first, sizeof *a * N * N);
    omp_set_num_threads(1);
    assert_int_equal(triangle_factor(first, N, work, NULL), 0);
    for (int threads = PART(2, 5); threads <= 5; threads += 3) {
        omp_set_num_threads(threads);
        memcpy(a, again, sizeof *a * N * N);
        assert_int_equal(triangle_factor(a, N, work, NULL), 0);
        assert_memory_equal(a, first, sizeof *a * N * N);
    }
    free(first);
    free(again);
    free(a);
    free(work);
}

static void symmetric_products_are_plain_sums(void **state) {
    (void)state;
    enum { N = 700 };
    double x[N], y[N], other[N], d[N], work[SYMMETRIC_PARTS * N], *a = numbers(N * N);
    struct random random;
    random_seed(&random, 6, 0);
    for (int64_t k = 0; k < N * N; k++)
        a[k] = random_unit(&random) - 0.5;
    for (int64_t k = 0; k < N; k++) {
        x[k] = random_unit(&random) - 0.5;
        d[k] = random_unit(&random);
    }
    for (int64_t n = 1; n <= N; n += n < 70 ? 1 : 63) {
        omp_set_num_threads(1);
        symmetric_multiply(a, N, d, n, x, y, work);
        omp_set_num_threads(3);
        symmetric_multiply(a, N, d, n, x, other, work);
        assert_memory_equal(y, other, sizeof *y * (size_t)n);
        for (int64_t i = 0; i < n; i++) {
            long double sum = (long double)d[i] * x[i];
            for (int64_t j = 0; j < n; j++)
                sum += i == j ? 0 : (long double)a[(i > j ? i * N + j : j * N + i)] * x[j];
            assert_near(y[i], (double)sum, 1e-14);
        }
    }
    free(a);
}

static bool after_two(void *asked) {
    return ++*(int *)asked > 2;
}

/* An interruption ends the factorization at the next row of blocks, also that with a ridge. */
static void an_interruption_ends_the_factor(void **state) {
    enum { N = 600 };
    double *a = calloc(N * N, sizeof *a),
           *work = calloc((size_t)cholesky_work_size(N), sizeof *work);
    double diagonal[N];
    int asked = 0;
    struct interruption interruption = {after_two, &asked};
    (void)state;
    for (int i = 0; i < N; i++)
        a[i * N + i] = 1;
    assert_int_equal(triangle_factor(a, N, work, &interruption), -1);
    assert_int_equal(asked, 3);
    assert_int_equal(cholesky_factor(a, diagonal, N, work, &interruption), -1);
    asked = -100;
    assert_int_equal(cholesky_factor(a, diagonal, N, work, &interruption), 0);
    free(a);
    free(work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interruption_ends_the_factor),
        cmocka_unit_test(the_factor_is_that_of_plain_loops),
        cmocka_unit_test(systems_have_the_solutions_of_plain_loops),
        cmocka_unit_test(others_than_positive_definite_are_refused),
        cmocka_unit_test(scales_do_not_matter),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(symmetric_products_are_plain_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
