/* test_near_points.c - Gaussian values of near rows: right where products of features have lost all digits of their
 * distance, also for some points alone, and without the columns that the kernel does not see. */
#include "kernel/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/random_data.h"

enum { ROWS = 30, FEATURES = 5 };

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 1};

/* Rows that differ by some units where their features are about BASE; each third is a copy of the one before. */
static struct dataset far_data(double base) {
    struct dataset data = random_data(ROWS, FEATURES, false, 3);
    int64_t n = 0;
    struct random random;
    random_seed(&random, 1, 0);
    for (int64_t i = 0; i < ROWS; i++) {
        data.start[i] = n;
        for (int32_t j = 0; j < FEATURES; j++) {
            data.column[n] = j;
            data.value[n] = i % 3 == 2 ? data.value[n - FEATURES] : base + j + random_unit(&random);
            n++;
        }
    }
    data.start[ROWS] = data.nonzeros = n;
    return data;
}

static double exact(const struct dataset *data, int64_t i, int64_t k) {
    double sum = 0;
    for (int32_t j = 0; j < FEATURES; j++) {
        double d = data->value[i * FEATURES + j] - data->value[k * FEATURES + j];
        sum += d * d;
    }
    return exp(-sum);
}

static void check(const struct dataset *data, const struct points *points, const int64_t *rows) {
    for (int64_t i = 0; i < ROWS; i++) {
        double square, value[ROWS];
        points_squares(data, i, i + 1, &square);
        points_kernel(points, &gaussian, data, i, i + 1, &square, value);
        for (int64_t k = 0; k < points->count; k++)
            assert_near(value[k], exact(data, i, rows == NULL ? k : rows[k]), 1e-14);
    }
}

static void check_base(double base) {
    struct dataset data = far_data(base);
    struct points points;
    struct error e = {0};
    const int64_t some[] = {7, 8, 2, 21};
    assert_int_equal(points_of_kernel(&points, &gaussian, &data, NULL, ROWS, &e), 0);
    check(&data, &points, NULL);
    points_free(&points);
    assert_int_equal(points_of_kernel(&points, &gaussian, &data, some, 4, &e), 0);
    check(&data, &points, some);
    points_free(&points);
    dataset_free(&data);
}

/* At 1e10 rounding makes the values of near rows 0, also of copies. */
static void test_near_points(void **state) {
    (void)state;
    check_base(1e6);
    check_base(1e10);
}

/* Points without the columns 1 and 4; the rows have them, 1 as a hidden one, 4 as one beyond those that are known. */
static void test_hidden_columns(void **state) {
    (void)state;
    struct dataset data = far_data(1e6), bare = far_data(1e6);
    struct points points;
    struct error e = {0};
    const int32_t hidden = 1;
    bare.nonzeros = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        for (int32_t j = 0; j < FEATURES - 1; j++)
            if (j != hidden) {
                bare.column[bare.nonzeros] = j;
                bare.value[bare.nonzeros++] = data.value[i * FEATURES + j];
            }
        bare.start[i + 1] = bare.nonzeros;
    }
    assert_int_equal(points_of_kernel(&points, &gaussian, &bare, NULL, ROWS, &e), 0);
    points.near.hidden = &hidden;
    points.near.hidden_count = 1;
    points.near.known = FEATURES - 1;
    for (int64_t i = 0; i < ROWS; i++) {
        double square, value[ROWS];
        points_squares(&bare, i, i + 1, &square);
        points_kernel(&points, &gaussian, &data, i, i + 1, &square, value);
        for (int64_t k = 0; k < ROWS; k++) {
            double sum = 0;
            for (int64_t j = 0; j < FEATURES - 2; j++)
                sum +=
                    pow(bare.value[i * (FEATURES - 2) + j] - bare.value[k * (FEATURES - 2) + j], 2);
            assert_near(value[k], exp(-sum), 1e-14);
        }
    }
    points_free(&points);
    dataset_free(&data);
    dataset_free(&bare);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_near_points),
                                       cmocka_unit_test(test_hidden_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
