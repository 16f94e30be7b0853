/* test_fourier.c - Fourier features against the Gaussian kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/map_fixture.h"
#include "tests/size.h"

/* The largest difference between phi'phi and the kernel over the first 40 rows. */
static double fourier_error(const struct dataset *data, int64_t size, uint64_t seed, double *mean) {
    struct map_settings settings = fourier_of(0.5, size);
    settings.seed = seed;
    struct map *map = map_new(&settings, NULL, NULL);
    assert_non_null(map);
    assert_int_equal(map_prepare(map, data->features, NULL), 0);
    double *phi = map_all(map, data), largest = 0;
    for (int64_t i = 0; i < data->rows; i++)
        for (int64_t k = 0; k <= i; k++) {
            double error = product(phi, size, i, k) -
                           (double)direct_kernel(&settings.kernel, data, i, data, k);
            largest = fmax(largest, fabs(error));
            if (k < i)
                *mean += error / (double)(data->rows * (data->rows - 1) / 2);
        }
    free(phi);
    map_free(map);
    return largest;
}

static void fourier_errors_fall_with_the_root(void **state) {
    (void)state;
    struct dataset data = random_data(40, FEATURES, false, 5);
    double small_map, large_map, mean = 0;
    small_map = fourier_error(&data, 1000, 0, &mean);
    large_map = fourier_error(&data, 100000, 0, &mean);
    assert_true(small_map > 0.05 && small_map < 0.2);
    assert_true(large_map > 0.005 && large_map < 0.02);
    assert_true(small_map / large_map > 6 && small_map / large_map < 16);
    dataset_free(&data);
}

static void fourier_is_unbiased(void **state) {
    (void)state;
    struct dataset data = random_data(20, FEATURES, false, 6);
    double mean = 0;
    for (uint64_t seed = 0; seed < 400; seed++)
        fourier_error(&data, 100, seed, &mean);
    assert_near(mean / 400, 0, 2e-3); /* one draw: about 0.07 */
    dataset_free(&data);
}

/* Mean of n phi_j(x)^2 = 1 + cos(2 nu_j x + 2 beta_j) is 1 for every x, if beta_j does not go with nu_j; the
 * same of phi_j(x) phi_j(y), for either feature alone. */
static void frequencies_do_not_depend_on_shifts(void **state) {
    (void)state;
    enum { SEEDS = 4000, N = 4 };
    const double at[] = {0.3, 1, -1.7, 2.5};
    struct dataset data = line_data(4, 4, 1);
    data.features = 2;
    for (int32_t feature = 0; feature < 2; feature++) {
        double mean[4] = {0};
        for (int64_t i = 0; i < 4; i++) {
            data.column[i] = feature;
            data.value[i] = at[i];
        }
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct map_settings settings = fourier_of(0.5, N);
            settings.seed = seed;
            struct map *map = map_new(&settings, NULL, NULL);
            assert_int_equal(map_prepare(map, 2, NULL), 0);
            double *phi = map_all(map, &data);
            for (int64_t i = 0; i < 4; i++)
                mean[i] += product(phi, N, i, i) / SEEDS;
            free(phi);
            map_free(map);
        }
        for (int i = 0; i < 4; i++)
            assert_near(mean[i], 1, 5 * sqrt(0.5 / N / SEEDS));
    }
    dataset_free(&data);
}

static void fourier_features_do_not_depend_on_each_other(void **state) {
    (void)state;
    struct dataset data = random_data(50, FEATURES, false, 7);
    struct map_settings small = fourier_of(0.5, 10), large = fourier_of(0.5, 33);
    struct map *small_map = map_new(&small, NULL, NULL), *large_map = map_new(&large, NULL, NULL);
    assert_int_equal(map_prepare(small_map, 3, NULL), 0);
    assert_int_equal(map_prepare(small_map, 5, NULL), 0);
    assert_int_equal(map_prepare(large_map, FEATURES, NULL), 0);
    double *phi = map_all(small_map, &data), *more = map_all(large_map, &data);
    for (int64_t i = 0; i < data.rows; i++)
        for (int64_t j = 0; j < 10; j++)
            assert_near(phi[i * 10 + j] * sqrt(10), more[i * 33 + j] * sqrt(33), 1e-14);
    free(phi);
    free(more);
    map_free(small_map);
    map_free(large_map);
    dataset_free(&data);
}

static void fourier_answers_huge_arguments(void **state) {
    (void)state;
    struct dataset data = random_data(50, FEATURES, false, 8);
    struct map_settings settings = fourier_of(0.5e18, 20);
    struct map *map = map_new(&settings, NULL, NULL);
    double *phi = map_all(map, &data), work[20];
    for (int64_t k = 0; k < 50 * 20; k++)
        assert_true(fabs(phi[k]) <= sqrt(0.1) + 1e-15);
    for (int64_t k = 0; k < data.nonzeros; k++)
        data.value[k] = 1e300;
    assert_int_equal(map_rows(map, &data, 1, 3, phi, work), -1);
    free(phi);
    map_free(map);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fourier_errors_fall_with_the_root),
        cmocka_unit_test(fourier_is_unbiased),
        cmocka_unit_test(frequencies_do_not_depend_on_shifts),
        cmocka_unit_test(fourier_features_do_not_depend_on_each_other),
        cmocka_unit_test(fourier_answers_huge_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
