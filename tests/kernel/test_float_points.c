/* test_float_points.c - kernel values in floats: those of points.h but for rounding, the same bits for a row alone and
 * among others; and mapped rows that are computed from them in each pass. */
#include "kernel/float_points.h"

#include "kernel/mapped.h"
#include "kernel/points.h"
#include "matrix/design.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/map_fixture.h"

enum { POINTS = 70, LANDMARKS = 40 };

static void check_values(const struct kernel *kernel, bool ones, double bound) {
    struct dataset data = random_data(ROWS, FEATURES + 1, ones, 4);
    struct dataset landmarks = random_data(POINTS, FEATURES, ones, 5);
    struct points points;
    struct float_points floats;
    double *value = malloc(sizeof *value * ROWS * POINTS), square[ROWS];
    float *rounded = malloc(sizeof *rounded * ROWS * POINTS), alone[POINTS];
    assert_int_equal(points_init(&points, &landmarks, NULL, POINTS, NULL), 0);
    assert_int_equal(float_points_init(&floats, kernel, &landmarks, NULL), 0);
    points_squares(&data, 0, ROWS, square);
    points_kernel(&points, kernel, &data, 0, ROWS, square, value);
    float_points_kernel(&floats, &data, 0, ROWS, rounded);
    for (int64_t k = 0; k < ROWS * POINTS; k++)
        assert_near(rounded[k], value[k], bound * fmax(1, fabs(value[k])));
    for (int64_t i = 0; i < ROWS; i += 7) {
        float_points_kernel(&floats, &data, i, i + 1, alone);
        assert_memory_equal(alone, rounded + i * POINTS, sizeof alone);
    }
    points_free(&points);
    float_points_free(&floats);
    dataset_free(&data);
    dataset_free(&landmarks);
    free(value);
    free(rounded);
}

static void values_are_those_in_doubles(void **state) {
    struct kernel wide = {.kind = KERNEL_GAUSSIAN, .gamma = 0.01};
    (void)state;
    for (int ones = 0; ones < 2; ones++) {
        check_values(&gaussian, ones, 1e-6);
        check_values(&wide, ones, 1e-6);
        check_values(&cubic, ones, 1e-5);
    }
}

static void points_of_too_many_features_have_no_floats(void **state) {
    struct dataset points = {.rows = 10, .features = 4097};
    (void)state;
    assert_true(isinf(float_points_bytes(&points)));
    points.features = 4096;
    assert_true(isfinite(float_points_bytes(&points)));
    points.rows = 100000;
    assert_true(isinf(float_points_bytes(&points)));
}

/* Whether a window without rows in memory computes kernel values in floats. */
static bool has_floats(struct map_settings settings, const struct dataset *data, bool floats) {
    struct map *map = map_new(&settings, data, NULL);
    struct dataset mapped;
    assert_int_equal(map_prepare(map, data->features, NULL), 0);
    assert_int_equal(mapped_init(&mapped, map, data, 1, floats, NULL), 0);
    bool found = mapped.window->float_base != NULL;
    dataset_free(&mapped);
    map_free(map);
    return found;
}

static void floats_are_used_where_they_are_good_enough(void **state) {
    struct dataset data = random_data(ROWS, FEATURES, false, 9);
    struct kernel flat = {.kind = KERNEL_GAUSSIAN, .gamma = 1e-4};
    (void)state;
    assert_true(has_floats(nystrom_of(gaussian, LANDMARKS), &data, true));
    assert_false(has_floats(nystrom_of(gaussian, LANDMARKS), &data, false));
    assert_false(has_floats(fourier_of(0.3, LANDMARKS), &data, true));
    assert_false(has_floats(nystrom_of(flat, LANDMARKS), &data, true)); /* tiny eigenvalues */
    dataset_free(&data);
}

/* X w and X'c of the rows from floats and of those in memory. */
static void products_are_near_those_in_memory(void **state) {
    struct dataset data = random_data(ROWS, FEATURES, false, 9), mapped[2];
    struct map_settings settings = nystrom_of(gaussian, LANDMARKS);
    struct map *map = map_new(&settings, &data, NULL);
    double w[LANDMARKS], c[ROWS], u[2][ROWS], g[2][LANDMARKS];
    (void)state;
    for (int k = 0; k < LANDMARKS; k++)
        w[k] = sin(k);
    for (int i = 0; i < ROWS; i++)
        c[i] = i % 3 ? cos(i) : 0;
    for (int k = 0; k < 2; k++) {
        struct design design;
        assert_int_equal(mapped_init(&mapped[k], map, &data, k ? 1 : 1e9, true, NULL), 0);
        assert_int_equal(design_init(&design, &mapped[k], -1, false, NULL), 0);
        design_scores(&design, w, u[k]);
        design_combine(&design, c, g[k]);
        design_free(&design);
        dataset_free(&mapped[k]);
    }
    for (int i = 0; i < ROWS; i++)
        assert_near(u[1][i], u[0][i], 1e-4);
    for (int k = 0; k < map_dimension(map); k++)
        assert_near(g[1][k], g[0][k], 1e-3);
    map_free(map);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_in_doubles),
        cmocka_unit_test(points_of_too_many_features_have_no_floats),
        cmocka_unit_test(floats_are_used_where_they_are_good_enough),
        cmocka_unit_test(products_are_near_those_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
