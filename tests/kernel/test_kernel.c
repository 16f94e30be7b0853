/* test_kernel.c - kernel values and products of rows with points; exp, cos, normal numbers and the
 * matrix product that they are made of. */
#include "kernel/kernel.h"
#include "kernel/points.h"
#include "math/cosine.h"
#include "math/exponential.h"
#include "math/matrices/multiply.h"
#include "math/random/normal.h"

#include "tests/kernel/kernel_direct.h"
#include "tests/random_data.h"
#include "tests/size.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 60, FEATURES = 13, MANY = 4096 };

static const struct kernel kernels[] = {
    {.kind = KERNEL_LINEAR},
    {.kind = KERNEL_POLYNOMIAL, .gamma = 0.3, .shift = 0.7, .degree = 1},
    {.kind = KERNEL_POLYNOMIAL, .gamma = 0.3, .shift = -0.7, .degree = 2},
    {.kind = KERNEL_POLYNOMIAL, .gamma = 2, .shift = 1, .degree = 11},
    {.kind = KERNEL_GAUSSIAN, .gamma = 0.01},
    {.kind = KERNEL_GAUSSIAN, .gamma = 3},
};

enum { KERNELS = sizeof kernels / sizeof *kernels };

/* In units of the last place of the double next to EXACT. */
static double units(double value, long double exact) {
    double size = fabs((double)exact);
    return (double)fabsl((long double)value - exact) / (nextafter(size, INFINITY) - size);
}

static void check_values(const struct dataset *a, const struct dataset *b) {
    struct points points;
    double value[ROWS], square;
    assert_int_equal(points_init(&points, b, NULL, b->rows, NULL), 0);
    for (int64_t kind = 0; kind < KERNELS; kind++)
        for (int64_t i = 0; i < a->rows; i++) {
            points_squares(a, i, i + 1, &square);
            points_kernel(&points, &kernels[kind], a, i, i + 1, &square, value);
            for (int64_t k = 0; k < b->rows; k++) {
                double exact = (double)direct_kernel(&kernels[kind], a, i, b, k);
                assert_near(value[k], exact, 1e-12 * fmax(1, fabs(exact)));
            }
        }
    points_free(&points);
}

static void values_are_those_of_the_formulas(void **state) {
    (void)state;
    struct dataset a = random_data(ROWS, FEATURES, false, 1), b = random_data(ROWS, 9, false, 2);
    struct dataset ones = random_data(ROWS, FEATURES, true, 3);
    const struct dataset *sets[] = {&a, &b, &ones};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            check_values(sets[i], sets[k]);
    dataset_free(&a);
    dataset_free(&b);
    dataset_free(&ones);
}

static void kernel_value_is_that_of_blocks(void **state) {
    (void)state;
    double square[21], product[21], apart[21];
    for (int64_t kind = 0; kind < KERNELS; kind++) {
        for (int k = 0; k < 21; k++) {
            square[k] = 1 + 0.1 * k;
            product[k] = sin(k);
            apart[k] = kernel_value(&kernels[kind], product[k], square[k], 1.5);
        }
        kernel_apply(&kernels[kind], square, 1.5, product, 21);
        assert_memory_equal(product, apart, sizeof apart);
    }
}

static void ends_of_kernel_values(void **state) {
    (void)state;
    struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 1};
    assert_true(kernel_value(&gaussian, 1.0000001, 1, 1) == 1); /* rounded below 0 */
    assert_true(kernel_value(&gaussian, 0, 400, 400) == 0);
    assert_true(isnan(kernel_value(&gaussian, INFINITY, INFINITY, INFINITY)));
    struct kernel power = {.kind = KERNEL_POLYNOMIAL, .gamma = 1e30, .degree = 20};
    assert_true(isinf(kernel_value(&power, 1, 1, 1)));
    assert_true(kernel_value(&power, 0, 1, 1) == 0);
}

/* v'Kv >= 0 for many v; the polynomial of negative shift is no such kernel. */
static void kernels_are_positive(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 4);
    struct points points;
    struct random random;
    double square[ROWS], k[ROWS * ROWS], v[ROWS];
    random_seed(&random, 1, 1);
    assert_int_equal(points_init(&points, &data, NULL, ROWS, NULL), 0);
    points_squares(&data, 0, ROWS, square);
    for (int64_t kind = 0; kind < KERNELS; kind++) {
        points_kernel(&points, &kernels[kind], &data, 0, ROWS, square, k);
        for (int64_t i = 0; i < ROWS * ROWS; i++)
            assert_true(k[i] == k[i % ROWS * ROWS + i / ROWS]);
        for (int trial = 0; kernels[kind].shift >= 0 && trial < PART(200, 20); trial++) {
            double sum = 0, size = 0;
            random_normals(&random, v, ROWS);
            for (int64_t i = 0; i < ROWS * ROWS; i++) {
                sum += v[i / ROWS] * v[i % ROWS] * k[i];
                size += fabs(v[i / ROWS] * v[i % ROWS] * k[i]);
            }
            assert_true(sum >= -1e-12 * size);
        }
    }
    points_free(&points);
    dataset_free(&data);
}

/* Similar rows, dense in their first columns, with a few other columns each: stored as a matrix and lists. */
static struct dataset wide_data(int64_t rows, int32_t features, bool ones, uint64_t seed) {
    struct dataset data = random_data(rows, features, false, seed);
    struct random random;
    int64_t kept = 0;
    random_seed(&random, seed, 8);
    for (int64_t i = 0; i < rows; i++) {
        int64_t from = data.start[i], to = data.start[i + 1];
        data.start[i] = kept;
        for (int64_t k = from; k < to; k++)
            if (random_unit(&random) < (data.column[k] < 20 ? 0.9 : 0.03)) {
                data.column[kept] = data.column[k];
                data.value[kept++] = data.value[k];
            }
    }
    data.start[rows] = data.nonzeros = kept;
    if (ones) {
        free(data.value);
        data.value = NULL;
    }
    return data;
}

static double plain_product(const struct dataset *a, int64_t i, const struct dataset *b,
                            int64_t k) {
    struct kernel linear = {.kind = KERNEL_LINEAR};
    return (double)direct_kernel(&linear, a, i, b, k);
}

/* Against the plain sum, in blocks and one row at a time: the same bits. */
static void check_products(const struct dataset *rows, const struct dataset *data,
                           const int64_t *chosen, int64_t count) {
    struct points points;
    double *out = malloc(sizeof *out * (size_t)(rows->rows * count)), alone[300];
    assert_int_equal(points_init(&points, data, chosen, count, NULL), 0);
    points_products(&points, rows, 0, rows->rows, out);
    for (int64_t i = 0; i < rows->rows; i++) {
        for (int64_t k = 0; k < count; k++)
            assert_near(out[i * count + k],
                        plain_product(rows, i, data, chosen == NULL ? k : chosen[k]), 1e-12);
        points_products(&points, rows, i, i + 1, alone);
        assert_memory_equal(alone, out + i * count, sizeof *out * (size_t)count);
    }
    points_free(&points);
    free(out);
}

static void products_are_plain_sums(void **state) {
    (void)state;
    const int64_t count = PART(50, 17);
    for (int setting = 0; setting < 8; setting += PART(1, 3)) {
        bool ones = setting & 1, wide = setting & 2, more = setting & 4;
        struct dataset data = wide ? wide_data(120, 150, ones, 5) : random_data(120, 40, ones, 5);
        struct dataset rows =
            more ? random_data(count, 170, false, 6) : wide_data(count, 30, false, 6);
        int64_t chosen[] = {7, 3, 100, 3, 0};
        check_products(&rows, &data, NULL, 120);
        check_products(&rows, &data, chosen, 5);
        check_products(&data, &rows, chosen, 1);
        check_products(&data, &data, NULL, 33);
        dataset_free(&data);
        dataset_free(&rows);
    }
}

static void points_take_the_room_of_what_they_have(void **state) {
    (void)state;
    struct dataset data = wide_data(200, 3000, false, 7);
    struct points points;
    assert_int_equal(points_init(&points, &data, NULL, 200, NULL), 0);
    assert_in_range(points.matrix.rows, 20, 60);
    assert_true(points.list_start[3000] <= data.nonzeros);
    assert_true(points.list_start[3000] > data.nonzeros / 2);
    points_free(&points);
    dataset_free(&data);
}

static void a_matrix_product_is_the_plain_sum(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 2, 2);
    for (int64_t columns = 1; columns < 140; columns += 19)
        for (int64_t rows = 1; rows < 300; rows += 97) {
            enum { COUNT = 23 };
            struct multiplier m;
            double *a = malloc(sizeof *a * (size_t)(COUNT * rows)), out[COUNT * 140], alone[140];
            assert_int_equal(multiplier_init(&m, rows, columns, NULL), 0);
            assert_int_equal((uintptr_t)m.panel % 64, 0);
            random_normals(&random, a, COUNT * rows);
            for (int64_t k = 0; k < rows * columns; k++)
                random_normals(&random, multiplier_entry(&m, k / columns, k % columns), 1);
            multiplier_apply(&m, a, COUNT, out);
            for (int64_t i = 0; i < COUNT; i++) {
                for (int64_t j = 0; j < columns; j++) {
                    double sum = 0;
                    for (int64_t k = 0; k < rows; k++)
                        sum += a[i * rows + k] * *multiplier_entry(&m, k, j);
                    assert_near(out[i * columns + j], sum, 1e-12);
                }
                multiplier_apply(&m, a + i * rows, 1, alone);
                assert_memory_equal(alone, out + i * columns, sizeof *out * (size_t)columns);
            }
            multiplier_free(&m);
            free(a);
        }
}

/* MANY numbers in [low, high]. */
static void draw_between(struct random *random, double low, double high, double *x) {
    for (int k = 0; k < MANY; k++)
        x[k] = low + (high - low) * random_unit(random);
}

static void exponentials_are_within_two_units(void **state) {
    (void)state;
    const double ends[] = {-745.1, -708, -708, 709.78, -40, 0, -1, 1, -1e-9, 1e-9};
    struct random random;
    double x[MANY], y[MANY];
    random_seed(&random, 3, 3);
    for (int trial = 0; trial < PART(500, 50); trial++) {
        draw_between(&random, ends[trial % 5 * 2], ends[trial % 5 * 2 + 1], x);
        memcpy(y, x, sizeof y);
        exponentials(y, MANY);
        for (int k = 0; k < MANY; k++)
            assert_true(units(y[k], expl(x[k])) < 1.5);
    }
}

static void ends_of_exponentials(void **state) {
    (void)state;
    double x[] = {0, -0.0, -745.14, -746, -1e300, -INFINITY, 709.79, 1e300, INFINITY, NAN};
    double y[] = {1, 1, 0, 0, 0, 0, INFINITY, INFINITY, INFINITY, NAN};
    exponentials(x, 10);
    for (int k = 0; k < 10; k++)
        assert_true(isnan(y[k]) ? isnan(x[k]) : x[k] == y[k]);
}

/* COSINES of numbers of every size; each result is the same as for the number alone. */
static void check_cosines(void (*of_all)(double *x, int64_t n)) {
    const double largest[] = {3.2, 100, 1e5, 2e5, 1e6, 1e7, 1e8, 1e9, 1e12, 1e18};
    struct random random;
    double x[MANY], y[MANY], alone;
    random_seed(&random, 4, 4);
    for (int trial = 0; trial < PART(300, 30); trial++) {
        draw_between(&random, -largest[trial % 10], largest[trial % 10], x);
        memcpy(y, x, sizeof y);
        of_all(y, MANY);
        for (int k = 0; k < MANY; k++)
            assert_true(fabsl(y[k] - cosl(x[k])) < 1.25 * DBL_EPSILON);
        alone = x[trial];
        of_all(&alone, 1);
        assert_true(alone == y[trial]);
    }
}

static void plain_cosines(double *x, int64_t n);

/* Also by the code for machines whose products are rounded before they are added to. */
static void cosines_are_within_rounding(void **state) {
    (void)state;
    check_cosines(cosines);
    check_cosines(plain_cosines);
}

static void ends_of_cosines(void **state) {
    (void)state;
    double x[] = {0, -0.0, 1e300, INFINITY, -INFINITY, NAN, M_PI};
    cosines(x, 7);
    assert_true(x[0] == 1 && x[1] == 1 && fabs(x[2]) <= 1 && x[6] == -1);
    assert_true(isnan(x[3]) && isnan(x[4]) && isnan(x[5]));
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Moments, the largest distance to the distribution function (Kolmogorov & Smirnov), and tails. */
static void normals_are_normal(void **state) {
    (void)state;
    enum { DRAWS = 1000000 };
    double *x = malloc(sizeof *x * DRAWS), moment[5] = {0}, distance = 0;
    struct random random;
    random_seed(&random, 5, 5);
    random_normals(&random, x, DRAWS);
    for (int k = 0; k < DRAWS; k++) {
        double product = 1;
        for (int power = 1; power <= 4; power++)
            moment[power] += (product *= x[k]) / DRAWS;
    }
    assert_near(moment[1], 0, 5e-3);
    assert_near(moment[2], 1, 7e-3);
    assert_near(moment[3], 0, 2e-2);
    assert_near(moment[4], 3, 5e-2);
    qsort(x, DRAWS, sizeof *x, by_size);
    for (int k = 0; k < DRAWS; k++) {
        double below = erfc(-x[k] / sqrt(2)) / 2;
        distance = fmax(distance, fmax(below - (double)k / DRAWS, (k + 1.0) / DRAWS - below));
    }
    assert_true(distance < 1.95 / sqrt(DRAWS)); /* one seed in a thousand is farther */
    assert_true(-x[0] > 4.2 && -x[0] < 6.5 && x[DRAWS - 1] > 4.2 && x[DRAWS - 1] < 6.5);
    free(x);
}

static void normals_do_not_depend_on_their_number(void **state) {
    (void)state;
    double shorter[7], longer[20];
    struct random a, b;
    random_seed(&a, 6, 6);
    random_seed(&b, 6, 6);
    random_normals(&a, shorter, 7);
    random_normals(&b, longer, 20);
    assert_memory_equal(shorter, longer, sizeof shorter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_formulas),
        cmocka_unit_test(kernel_value_is_that_of_blocks),
        cmocka_unit_test(ends_of_kernel_values),
        cmocka_unit_test(kernels_are_positive),
        cmocka_unit_test(products_are_plain_sums),
        cmocka_unit_test(points_take_the_room_of_what_they_have),
        cmocka_unit_test(a_matrix_product_is_the_plain_sum),
        cmocka_unit_test(exponentials_are_within_two_units),
        cmocka_unit_test(ends_of_exponentials),
        cmocka_unit_test(cosines_are_within_rounding),
        cmocka_unit_test(ends_of_cosines),
        cmocka_unit_test(normals_are_normal),
        cmocka_unit_test(normals_do_not_depend_on_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The source again, to call the code for machines with fewer instructions. */
#define cosines cosines_of_any_width
#include "math/cosine.c"

static void plain_cosines(double *x, int64_t n) {
    cosines_body(x, n);
}
