/* test_spectrum.c - the largest eigenvalue of X'QX between its two bounds, against Jacobi's method. */
#include "solvers/accelerated/spectrum.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "io/svmlight/svmlight.h"
#include "tests/near.h"
#include "tests/random_data.h"

enum { WIDE = 64, TALL = 90, LATE = 200 };

/* The largest eigenvalue of a symmetric matrix, by Jacobi's rotations. */
static double jacobi(double (*A)[WIDE], int n) {
    double largest = 0;
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (A[p][q] == 0)
                    continue;
                double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < n; k++) {
                    double x = A[k][p], y = A[k][q];
                    A[k][p] = c * x - s * y;
                    A[k][q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    double x = A[p][k], y = A[q][k];
                    A[p][k] = c * x - s * y;
                    A[q][k] = s * x + c * y;
                }
            }
    for (int p = 0; p < n; p++)
        largest = fmax(largest, A[p][p]);
    return largest;
}

static double exact(const struct scalar_terms *terms, const double *each) {
    const struct design *design = terms->design;
    double A[WIDE][WIDE] = {0}, x[WIDE];
    int n = (int)design->regularized;
    assert_true(design->columns <= WIDE);
    for (int64_t i = 0; i < design->rows; i++) {
        double q = scalar_weight(terms, i) * (each == NULL ? 1 : each[i]) / terms->weight_sum;
        memset(x, 0, sizeof x);
        design_add(design, x, 1, i);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                A[j][k] += q * x[j] * x[k];
    }
    return jacobi(A, n);
}

static void check(struct dataset *data, const double *weight, const double *each, double bias,
                  bool intercept) {
    struct scalar_settings scalar = {.data = data,
                                     .target = data->label,
                                     .weight = weight,
                                     .loss = loss_by_name("hinge"),
                                     .bias = bias,
                                     .intercept = intercept};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    struct spectrum early, late;
    double top[TALL] = {0}, value = exact(risk->scalar, each), length = 0;
    assert_int_equal(spectrum_find(risk->scalar, each, 2, NULL, &early, NULL), 0);
    assert_int_equal(spectrum_find(risk->scalar, each, LATE, top, &late, NULL), 0);
    assert_true(early.largest <= value * (1 + 1e-12) && value <= early.bound);
    assert_true(late.largest <= value * (1 + 1e-12) && value <= late.bound);
    assert_true(late.largest >= early.largest && late.bound <= early.bound);
    assert_near(late.largest, value, 1e-3 * value);
    assert_true(late.passes <= 2 * LATE + 1);
    for (int64_t i = 0; i < data->rows; i++)
        length += top[i] * top[i];
    assert_near(length, 1, 1e-12);
    risk_free(risk);
}

static void the_eigenvalue_is_between(void **state) {
    (void)state;
    double weight[TALL], each[TALL];
    for (int i = 0; i < TALL; i++) {
        weight[i] = i % 9 == 0 ? 0 : 1 + i % 4;
        each[i] = 1.0 / (1 + i % 7);
    }
    for (int ones = 0; ones < 2; ones++)
        for (int kind = 0; kind < 8; kind++) {
            struct dataset data = random_data(TALL, 9, ones, 3);
            check(&data, kind & 1 ? weight : NULL, kind & 2 ? each : NULL, kind & 4 ? 2 : -1,
                  kind & 4);
            dataset_free(&data);
        }
}

/* Thirty iterations are enough where there is structure. */
static void thirty_iterations_suffice_for_classes(void **state) {
    (void)state;
    static const char *const names[] = {"data/blobs.train", "data/three.train", "data/line.train"};
    for (int k = 0; k < 3; k++) {
        struct dataset data;
        struct svmlight_options options = {.threads = 1};
        struct spectrum s;
        assert_int_equal(dataset_load(names[k], &options, &data, NULL), 0);
        struct scalar_settings scalar = {
            .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = 1};
        struct risk *risk = scalar_risk_new(&scalar, NULL);
        double value = exact(risk->scalar, NULL);
        assert_int_equal(spectrum_find(risk->scalar, NULL, 30, NULL, &s, NULL), 0);
        assert_near(s.largest, value, 1e-3 * value);
        assert_true(s.largest <= value * (1 + 1e-12) && value <= s.bound);
        risk_free(risk);
        dataset_free(&data);
    }
}

/* Columns without a common row: the eigenvalue is the largest of their squares, and no bound is needed
 * of what is 0. */
static void values_by_hand(void **state) {
    (void)state;
    int64_t start[] = {0, 1, 2, 3};
    int32_t column[] = {0, 1, 3};
    double value[] = {1, -3, 2}, label[] = {1, 1, -1}, top[3];
    struct dataset data = {.rows = 3,
                           .features = 5,
                           .nonzeros = 3,
                           .start = start,
                           .column = column,
                           .value = value,
                           .label = label};
    struct scalar_settings scalar = {
        .data = &data, .target = label, .loss = loss_by_name("hinge"), .bias = -1};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    struct spectrum s;
    assert_int_equal(spectrum_find(risk->scalar, NULL, 40, top, &s, NULL), 0);
    assert_near(s.largest, 3, 1e-7);
    assert_near(s.bound, 3, 1e-9);
    assert_near(fabs(top[1]), 1, 1e-6);
    assert_int_equal(spectrum_find(risk->scalar, NULL, 0, NULL, &s, NULL), 0);
    assert_near(s.largest, 0, 0);
    assert_near(s.bound, 14.0 / 3, 1e-9);
    value[0] = 1e200;
    assert_int_equal(spectrum_find(risk->scalar, NULL, 40, top, &s, NULL), 0);
    assert_true(isinf(s.bound));
    value[0] = value[1] = value[2] = 0;
    assert_int_equal(spectrum_find(risk->scalar, NULL, 40, top, &s, NULL), 0);
    assert_near(s.largest, 0, 0);
    assert_near(s.bound, 0, 0);
    risk_free(risk);
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    enum { MANY = 40000 };
    struct dataset data = random_data(MANY, 9, false, 3);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = 1};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    double *top = malloc(sizeof *top * 2 * MANY);
    struct spectrum s[2];
    for (int k = 0; k < 2; k++) {
        omp_set_num_threads(k + 1);
        assert_int_equal(spectrum_find(risk->scalar, NULL, 12, top + k * MANY, &s[k], NULL), 0);
    }
    assert_memory_equal(&s[0], &s[1], sizeof s[0]);
    assert_memory_equal(top, top + MANY, sizeof *top * MANY);
    free(top);
    risk_free(risk);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_eigenvalue_is_between),
        cmocka_unit_test(thirty_iterations_suffice_for_classes),
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
