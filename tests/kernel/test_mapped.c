/* test_mapped.c - mapped examples. */
#include "kernel/mapped.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/map_fixture.h"

#include <omp.h>

/* Rows of any block, and of any number of threads, are the same bits. */
static void check_mapped(struct map_settings settings, const struct dataset *data) {
    struct map *map = map_new(&settings, data, NULL);
    assert_int_equal(map_prepare(map, data->features, NULL), 0);
    double *phi = map_all(map, data), *work = malloc(sizeof *work * (size_t)map_work_size(map, 1));
    int64_t n = map_dimension(map);
    double *alone = malloc(sizeof *alone * (size_t)n);
    for (int threads = 1; threads <= 3; threads++) {
        struct dataset mapped;
        omp_set_num_threads(threads);
        assert_int_equal(mapped_init(&mapped, map, data, 1e9, NULL, NULL), 0);
        assert_true(mapped.dense && mapped.features == n && mapped.rows == data->rows);
        assert_memory_equal(mapped.value, phi, sizeof *phi * (size_t)(n * data->rows));
        assert_memory_equal(mapped.label, data->label, sizeof *data->label * (size_t)data->rows);
        for (int64_t i = 0; i < data->rows; i++) {
            assert_int_equal(dataset_count(&mapped, i), n);
            assert_int_equal(map_rows(map, data, i, i + 1, alone, work), 0);
            assert_memory_equal(alone, dataset_values(&mapped, i), sizeof *alone * (size_t)n);
        }
        dataset_free(&mapped);
    }
    free(phi);
    free(work);
    free(alone);
    map_free(map);
}

static void mapped_rows_are_those_of_the_map(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 9);
    check_mapped(nystrom_of(gaussian, 77), &data);
    check_mapped(fourier_of(0.3, 77), &data);
    struct error e = {0};
    struct map_settings settings = fourier_of(0.3, 77);
    struct map *map = map_new(&settings, NULL, NULL);
    struct dataset mapped;
    data.value[data.start[2]] = 1e308;
    data.value[data.start[2] + 1] = 1e308;
    assert_int_equal(mapped_init(&mapped, map, &data, 1e9, NULL, &e), -1);
    assert_non_null(strstr(e.words, "example 3 "));
    map_free(map);
    dataset_free(&data);
}

/* The error names the first row that cannot be mapped, whether rows stay in memory or not. */
static void the_first_row_without_a_map_is_named(void **state) {
    static const int64_t bad[] = {296, 290, 206, 77, 71};
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 9);
    struct map_settings settings = fourier_of(0.3, 77);
    struct map *map = map_new(&settings, NULL, NULL);
    for (int k = 0; k < 5; k++) {
        assert_true(dataset_count(&data, bad[k]) >= 2);
        data.value[data.start[bad[k]]] = data.value[data.start[bad[k]] + 1] = 1e308;
        for (int trial = 0; trial < 6; trial++) {
            struct error e = {0};
            struct dataset mapped;
            char words[40];
            omp_set_num_threads(1 + trial / 2);
            assert_int_equal(mapped_init(&mapped, map, &data, trial % 2 ? 1e9 : 1, NULL, &e), -1);
            snprintf(words, sizeof words, "example %d ", (int)bad[k] + 1);
            assert_non_null(strstr(e.words, words));
        }
    }
    map_free(map);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapped_rows_are_those_of_the_map),
        cmocka_unit_test(the_first_row_without_a_map_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
