/* test_nystrom.c - Nystrom maps against the kernel matrix and its projection on the landmarks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/map_fixture.h"

static void all_rows_as_landmarks_give_the_kernel(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 1);
    struct kernel kernels[] = {{.kind = KERNEL_LINEAR}, cubic, gaussian};
    for (int kind = 0; kind < 3; kind++) {
        struct map_settings settings = nystrom_of(kernels[kind], ROWS + 5);
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        assert_int_equal(map_landmarks(map)->rows, ROWS);
        assert_null(map_landmarks(map)->label);
        int64_t n = map_dimension(map);
        assert_true(n <= ROWS && (kind != 0 || n == FEATURES));
        double *phi = map_all(map, &data), largest = 0;
        for (int64_t i = 0; i < ROWS; i++)
            largest = fmax(largest, (double)direct_kernel(&kernels[kind], &data, i, &data, i));
        for (int64_t i = 0; i < ROWS; i += 7)
            for (int64_t k = 0; k < ROWS; k++)
                assert_near(product(phi, n, i, k),
                            (double)direct_kernel(&kernels[kind], &data, i, &data, k),
                            1e-10 * largest);
        free(phi);
        map_free(map);
    }
    dataset_free(&data);
}

/* K without its projection on the landmarks, by elimination: ||K - K_.S K_SS^-1 K_S.||_F^2. */
static double projection_error(const struct kernel *kernel, const struct dataset *data,
                               const struct dataset *landmarks) {
    int64_t m = data->rows, all = m + landmarks->rows;
    long double *k = malloc(sizeof *k * (size_t)(all * all)), error = 0;
    for (int64_t i = 0; i < all; i++)
        for (int64_t j = 0; j <= i; j++)
            k[i * all + j] = k[j * all + i] =
                direct_kernel(kernel, i < m ? data : landmarks, i < m ? i : i - m,
                              j < m ? data : landmarks, j < m ? j : j - m);
    for (;;) {
        int64_t pivot = m;
        for (int64_t i = m; i < all; i++)
            pivot = k[i * all + i] > k[pivot * all + pivot] ? i : pivot;
        long double *row = k + pivot * all, by = row[pivot];
        if (by < 1e-11L)
            break;
        for (int64_t i = 0; i < all; i++) {
            long double c = i == pivot ? 0 : k[i * all + pivot] / by;
            for (int64_t j = 0; j < all && c != 0; j++)
                k[i * all + j] -= c * row[j];
        }
        memset(row, 0, sizeof *row * (size_t)all);
    }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++)
            error += k[i * all + j] * k[i * all + j];
    free(k);
    return (double)error;
}

static void the_error_is_that_of_the_projection_and_falls(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, 4, false, 2);
    struct kernel kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 1};
    double before = 1;
    for (int64_t size = 16; size <= 256; size *= 4) {
        struct map_settings settings = nystrom_of(kernel, size);
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        double *phi = map_all(map, &data), error = 0, total = 0;
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t k = 0; k < ROWS; k++) {
                double value = (double)direct_kernel(&kernel, &data, i, &data, k);
                double residual = value - product(phi, map_dimension(map), i, k);
                error += residual * residual;
                total += value * value;
            }
        double projected = sqrt(projection_error(&kernel, &data, map_landmarks(map)) / total);
        assert_near(sqrt(error / total), projected, 1e-3 * projected + 1e-9);
        assert_true(sqrt(error / total) < before / 2);
        before = sqrt(error / total);
        free(phi);
        map_free(map);
    }
    dataset_free(&data);
}

static void scores_are_sums_over_landmarks(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, true, 3);
    struct map_settings settings = nystrom_of(gaussian, 40);
    struct map *map = map_new(&settings, &data, NULL);
    assert_non_null(map);
    int64_t n = map_dimension(map);
    const struct dataset *landmarks = map_landmarks(map);
    double gamma[40], back[40], alpha[40], *phi = map_all(map, &data);
    for (int64_t j = 0; j < n; j++)
        gamma[j] = sin((double)j + 1);
    map_to_landmarks(map, gamma, alpha);
    map_from_landmarks(map, alpha, back);
    for (int64_t j = 0; j < n; j++)
        assert_near(back[j], gamma[j], 1e-10);
    for (int64_t i = 0; i < ROWS; i++) {
        long double sum = 0, score = 0;
        for (int64_t s = 0; s < landmarks->rows; s++)
            sum += alpha[s] * direct_kernel(&gaussian, landmarks, s, &data, i);
        for (int64_t j = 0; j < n; j++)
            score += (long double)gamma[j] * phi[i * n + j];
        assert_near((double)score, (double)sum, 1e-10 * fmax(1, fabs((double)sum)));
    }
    free(phi);
    map_free(map);
    dataset_free(&data);
}

static void the_map_of_given_landmarks_is_the_same(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 4);
    struct map_settings settings = nystrom_of(gaussian, 50);
    struct map *map = map_new(&settings, &data, NULL);
    struct map *again = map_of_landmarks(&settings, map_landmarks(map), NULL);
    assert_non_null(again);
    assert_int_equal(map_dimension(map), map_dimension(again));
    double *phi = map_all(map, &data), *same = map_all(again, &data);
    assert_memory_equal(phi, same, sizeof *phi * (size_t)(ROWS * map_dimension(map)));
    free(phi);
    free(same);
    map_free(map);
    map_free(again);
    dataset_free(&data);
}

static void ends_of_sigma_and_duplicates_have_their_ranks(void **state) {
    (void)state;
    struct dataset data = line_data(ROWS, 5, 1);
    const double gammas[] = {1e-300, 1, 1e9, 1e300};
    const int64_t ranks[] = {1, 5, 5, 5};
    for (int n = 0; n < 8; n++) {
        int k = n % 4;
        struct map_settings settings =
            nystrom_of((struct kernel){.kind = KERNEL_GAUSSIAN, .gamma = gammas[k]}, 60);
        settings.threshold = n < 4 ? 1e-12 : 0; /* rounding is below any threshold */
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        assert_int_equal(map_dimension(map), ranks[k]);
        double *phi = map_all(map, &data);
        for (int64_t i = 0; i < 10; i++)
            for (int64_t j = 0; j < 10; j++)
                assert_near(product(phi, ranks[k], i, j),
                            (double)direct_kernel(map_kernel(map), &data, i, &data, j), 1e-10);
        free(phi);
        map_free(map);
    }
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_as_landmarks_give_the_kernel),
        cmocka_unit_test(the_error_is_that_of_the_projection_and_falls),
        cmocka_unit_test(scores_are_sums_over_landmarks),
        cmocka_unit_test(the_map_of_given_landmarks_is_the_same),
        cmocka_unit_test(ends_of_sigma_and_duplicates_have_their_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
