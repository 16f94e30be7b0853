/* test_gram.c - the weighted Gram matrix against a plain triple loop, sparse and dense, for any
 * number of threads; panels; and the solver of its systems, also where they are singular. */
#include "matrix/gram.h"

#include "math/matrices/cholesky.h"
#include "math/matrices/gram_tiles.h"
#include "tests/random_data.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 700, MAX_COLUMNS = 70 };

/* Row i with its constant columns, written out. */
static void dense_row(const struct design *design, int64_t i, double *x) {
    memset(x, 0, sizeof *x * MAX_COLUMNS);
    design_add(design, x, 1, i);
}

static void check_gram(const struct design *design, bool dense) {
    struct gram gram;
    double d[ROWS], c[ROWS], g[MAX_COLUMNS], h[MAX_COLUMNS][MAX_COLUMNS] = {{0}},
                                             sum[MAX_COLUMNS] = {0}, x[MAX_COLUMNS];
    int64_t n = design->columns;
    assert_int_equal(gram_init(&gram, design, NULL), 0);
    assert_int_equal(gram.dense, dense);
    assert_true(gram_bytes(design) >= 8.0 * gram.blocks * n * n);
    for (int64_t i = 0; i < ROWS; i++) {
        d[i] = i % 4 == 0 ? 0 : 0.1 * (double)(i % 11);
        c[i] = i % 5 == 0 ? 0 : 0.3 * (double)(i % 7) - 1;
        dense_row(design, i, x);
        for (int64_t j = 0; j < n; j++) {
            sum[j] += c[i] * x[j];
            for (int64_t k = 0; k <= j; k++)
                h[j][k] += d[i] * x[j] * x[k];
        }
    }
    for (int repeat = 0; repeat < 2; repeat++) {
        gram_compute(&gram, d, c, repeat ? NULL : g);
        for (int64_t j = 0; j < n; j++) {
            assert_near(g[j], sum[j], 1e-11);
            for (int64_t k = 0; k <= j; k++)
                assert_near(gram.matrix[j * n + k], h[j][k], 1e-11);
        }
    }
    gram_free(&gram);
}

/* Keeps the first MOST values of each row. */
static void shorten_rows(struct dataset *data, bool ones, int64_t most) {
    int64_t kept = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t from = data->start[i], count = data->start[i + 1] - from;
        data->start[i] = kept;
        for (int64_t k = 0; k < count && k < most; k++) {
            data->column[kept] = data->column[from + k];
            if (!ones)
                data->value[kept] = data->value[from + k];
            kept++;
        }
    }
    data->start[ROWS] = data->nonzeros = kept;
}

static void the_matrix_is_the_plain_sum(void **state) {
    (void)state;
    for (int setting = 0; setting < 8; setting++) {
        bool ones = setting & 1, bias = setting & 2, intercept = setting & 4;
        struct dataset few = random_data(ROWS, 9, ones, 3), many = random_data(ROWS, 60, ones, 4);
        struct design design;
        assert_int_equal(design_init(&design, &few, bias ? 0.5 : -1, intercept, NULL), 0);
        check_gram(&design, true);
        design_free(&design);
        /* With 14 of 60 values dense batches are still faster. */
        static const int64_t most[] = {14, 2};
        for (int i = 0; i < 2; i++) {
            shorten_rows(&many, ones, most[i]);
            assert_int_equal(design_init(&design, &many, bias ? 0.5 : -1, intercept, NULL), 0);
            check_gram(&design, i == 0);
            design_free(&design);
        }
        dataset_free(&few);
        dataset_free(&many);
    }
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    enum { MANY = 20000, N = 20 };
    struct dataset data = random_data(MANY, N, false, 5);
    struct design design;
    struct gram gram;
    static double d[MANY];
    double first[N * N], g[N], first_g[N];
    assert_int_equal(design_init(&design, &data, -1, false, NULL), 0);
    for (int64_t i = 0; i < MANY; i++)
        d[i] = 1 / (1 + (double)(i % 97));
    for (int threads = 1; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        assert_int_equal(gram_init(&gram, &design, NULL), 0);
        assert_true(gram.threads == threads && gram.threads < gram.blocks);
        gram_compute(&gram, d, d, g);
        for (int j = 0; j < N; j++)
            memset(gram.matrix + j * N + j + 1, 0, sizeof(double) * (size_t)(N - 1 - j));
        if (threads == 1) {
            memcpy(first, gram.matrix, sizeof first);
            memcpy(first_g, g, sizeof g);
        }
        assert_memory_equal(gram.matrix, first, sizeof first);
        assert_memory_equal(g, first_g, sizeof g);
        gram_free(&gram);
    }
    design_free(&design);
    dataset_free(&data);
}

static void panels_multiply(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 1, 0);
    for (int64_t n = 1; n < MAX_COLUMNS; n += n < 18 ? 1 : 13)
        for (int64_t rows = 1; rows <= PANEL_ROWS; rows = 3 * rows + 1) {
            double c[MAX_COLUMNS * MAX_COLUMNS],
                *batch = aligned_alloc(64, sizeof(double) * (size_t)gram_tiles_size(n));
            for (int64_t k = 0; k < gram_tiles_size(n); k++)
                batch[k] = random_unit(&random) - 0.5;
            for (int64_t k = 0; k < n * n; k++)
                c[k] = 1;
            gram_tiles_add_products(c, n, batch, rows);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) {
                    double sum = 1;
                    for (int64_t row = 0; row < rows && j <= i; row++)
                        sum += batch[gram_tiles_index(row, i)] * batch[gram_tiles_index(row, j)];
                    assert_near(c[i * n + j], sum, 1e-13);
                }
            free(batch);
        }
}

/* A = B'B + ridge, of `rank`; the residual of A x = A w. */
static double residual(int64_t n, int64_t rank, double ridge) {
    double a[MAX_COLUMNS * MAX_COLUMNS] = {0}, copy[MAX_COLUMNS * MAX_COLUMNS],
                           diagonal[MAX_COLUMNS], *work;
    double w[MAX_COLUMNS], b[MAX_COLUMNS] = {0}, right_side[MAX_COLUMNS], worst = 0, size = 0,
                           v[MAX_COLUMNS];
    struct random random;
    random_seed(&random, 2, 0);
    for (int64_t k = 0; k < rank; k++) {
        for (int64_t i = 0; i < n; i++)
            v[i] = random_unit(&random) - 0.5;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                a[i * n + j] += v[i] * v[j] + (k == 0 && i == j ? ridge : 0);
    }
    for (int64_t i = 0; i < n; i++)
        w[i] = random_unit(&random);
    memcpy(copy, a, sizeof a);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            b[i] += copy[i * n + j] * w[j];
    memcpy(right_side, b, sizeof b);
    work = malloc(sizeof *work * (size_t)cholesky_work_size(n));
    assert_non_null(work);
    assert_int_equal(cholesky_factor(a, diagonal, n, work, NULL), 0);
    cholesky_solve(a, diagonal, b, work, n);
    free(work);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            right_side[i] -= copy[i * n + j] * b[j];
        worst = fmax(worst, fabs(right_side[i]));
        size += fabs(b[i]);
    }
    assert_true(size < 1e6);
    return worst;
}

static void systems_are_solved(void **state) {
    (void)state;
    for (int64_t n = 1; n < MAX_COLUMNS; n += 7) {
        assert_true(residual(n, n, 1) < 1e-13);
        assert_true(residual(n, 2 * n, 1e-12) < 1e-12);
        assert_true(residual(n, n / 2 + 1, 0) < 1e-12); /* singular: by a ridge */
    }
    double diagonal[2], *work = malloc(sizeof *work * (size_t)cholesky_work_size(2));
    assert_non_null(work);
    assert_int_equal(cholesky_factor((double[]){NAN, 0, 1, 1}, diagonal, 2, work, NULL), -1);
    assert_int_equal(cholesky_factor((double[]){1, 0, NAN, 1}, diagonal, 2, work, NULL), -1);
    assert_int_equal(cholesky_factor((double[]){1, 0, INFINITY, 1}, diagonal, 2, work, NULL), -1);
    assert_int_equal(cholesky_factor((double[]){1, 0, 3, 1}, diagonal, 2, work, NULL),
                     -1); /* not definite */
    assert_int_equal(cholesky_factor(NULL, NULL, 0, work, NULL), 0);
    free(work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_the_plain_sum),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(panels_multiply),
        cmocka_unit_test(systems_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
