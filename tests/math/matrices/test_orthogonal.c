/* test_orthogonal.c - orthonormal bases of a few columns: lengths, coefficients, dependent columns, scales. */
#include "math/matrices/orthogonal.h"

#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 60, COLUMNS = 7, RANK = 5 };

/* Column 3 = column 0 - 2 column 5, column 6 is 0; scales of 1e-200 to 1e200; 1 and 1 + 1e-6 x. */
static void fill(double *x, double *weight) {
    struct random random;
    random_seed(&random, 4, 1);
    for (int i = 0; i < ROWS; i++) {
        double *row = x + i * COLUMNS, u = random_unit(&random);
        row[0] = 1;
        row[1] = 1 + 1e-6 * u;
        row[2] = 1e200 * random_unit(&random);
        row[4] = 1e-200 * random_unit(&random);
        row[5] = random_unit(&random) - 0.5;
        row[3] = row[0] - 2 * row[5];
        row[6] = 0;
        weight[i] = i % 4;
    }
}

static void test_basis_of_the_span(void **state) {
    (void)state;
    double x[ROWS * COLUMNS], q[ROWS * COLUMNS], weight[ROWS];
    struct orthogonal o;
    struct error e;
    fill(x, weight);
    fill(q, weight);
    assert_int_equal(orthogonal_init(&o, q, ROWS, COLUMNS, weight, &e), 0);
    assert_int_equal(o.rank, RANK);
    for (int j = 0; j < RANK; j++)
        for (int k = 0; k <= j; k++) {
            double sum = 0;
            for (int i = 0; i < ROWS; i++)
                sum += weight[i] * q[i * RANK + j] * q[i * RANK + k];
            assert_near(sum, j == k, 1e-13);
        }
    double y[RANK] = {1, -2, 3, 0.5, -0.25}, back[RANK], beta[COLUMNS];
    orthogonal_to_columns(&o, y, beta);
    orthogonal_to_basis(&o, beta, back);
    for (int j = 0; j < RANK; j++)
        assert_near(back[j], y[j], 1e-9);
    for (int i = 0; i < ROWS; i++) {
        double expected = 0, reproduced = 0, size = 0;
        for (int j = 0; j < COLUMNS; j++) {
            expected += beta[j] * x[i * COLUMNS + j];
            size += fabs(beta[j] * x[i * COLUMNS + j]);
        }
        for (int j = 0; j < RANK; j++)
            reproduced += y[j] * q[i * RANK + j];
        assert_near(expected, reproduced, 1e-13 * size);
    }
    assert_true(beta[6] == 0 && (beta[0] == 0 || beta[3] == 0 || beta[5] == 0));
    orthogonal_free(&o);
}

/* A combination with a dependent column equals one of the others. */
static void test_dependent_columns_enter(void **state) {
    (void)state;
    double x[ROWS * COLUMNS], q[ROWS * COLUMNS], weight[ROWS], y[RANK];
    double beta[COLUMNS] = {1, 0, 0, 3, 0, 2, 5};
    struct orthogonal o;
    struct error e;
    fill(x, weight);
    fill(q, weight);
    assert_int_equal(orthogonal_init(&o, q, ROWS, COLUMNS, weight, &e), 0);
    orthogonal_to_basis(&o, beta, y);
    for (int i = 0; i < ROWS; i++) {
        double reproduced = 0;
        for (int j = 0; j < RANK; j++)
            reproduced += y[j] * q[i * RANK + j];
        assert_near(reproduced, 1 + 3 * x[i * COLUMNS + 3] + 2 * x[i * COLUMNS + 5], 1e-12);
    }
    orthogonal_free(&o);
}

static void test_edges(void **state) {
    (void)state;
    struct orthogonal o;
    struct error e;
    double one[3] = {2, 0, INFINITY};
    assert_int_equal(orthogonal_init(&o, one, 1, 3, NULL, &e), 0);
    assert_int_equal(o.rank, 1);
    assert_near(one[0], 1, 1e-15);
    orthogonal_free(&o);
    assert_int_equal(orthogonal_init(&o, one, 1, 0, NULL, &e), 0);
    assert_int_equal(o.rank, 0);
    orthogonal_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_basis_of_the_span),
        cmocka_unit_test(test_dependent_columns_enter),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
