/* test_expand.c - what stands at both ends of a kernel machine's training: the cache of kernel rows, and the
 * model of its support vectors. */
#include "kernel/row_cache.h"
#include "tests/random_data.h"
#include "training/run/kernel_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.4};

/* Two classes of which each has support vectors of its own, three basis functions. */
static void test_model_of_classes(void **state) {
    (void)state;
    enum { ROWS = 30, BASES = 3, DIMENSION = ROWS + BASES };
    static const int64_t support[] = {2, 5, 11, 29};
    struct dataset data = random_data(ROWS, 5, false, 3);
    struct basis basis;
    struct error e;
    assert_int_equal(basis_parse("1,2", "5", false, &basis, &e), 0);
    struct kernel_part part = {.kernel = gaussian, .basis = &basis};
    struct model model = {.vectors = 2, .dimension = DIMENSION};
    model.w = calloc(2 * DIMENSION, sizeof *model.w);
    model.w[2] = 1;
    model.w[11] = -2;
    model.w[DIMENSION + 5] = 3;
    model.w[DIMENSION + 11] = 4;
    model.w[DIMENSION + 29] = -5;
    for (int j = 0; j < BASES; j++) {
        model.w[ROWS + j] = 10 + j;
        model.w[DIMENSION + ROWS + j] = 20 + j;
    }
    assert_int_equal(kernel_model_expand(&model, &part, &data, &e), 0);
    static const double expected[] = {1, 0, -2, 0, 10, 11, 12, 0, 3, 4, -5, 20, 21, 22};
    assert_int_equal(model.dimension, 7);
    assert_memory_equal(model.w, expected, sizeof expected);
    assert_int_equal(model.points.rows, 4);
    for (int k = 0; k < 4; k++) {
        int64_t from = data.start[support[k]], to = data.start[support[k] + 1];
        int64_t left = model.points.start[k];
        for (int64_t n = from; n < to; n++)
            if (data.column[n] != 4) { /* feature 5 is hidden */
                assert_int_equal(model.points.column[left], data.column[n]);
                assert_true(model.points.value[left++] == data.value[n]);
            }
        assert_int_equal(left, model.points.start[k + 1]);
    }
    model_free(&model);
    basis_free(&basis);
    dataset_free(&data);
}

static void test_cache_keeps_to_its_memory(void **state) {
    (void)state;
    struct dataset data = random_data(100, 4, false, 4);
    struct error e;
    static const struct {
        double rows;
        int64_t least, slots;
    } cases[] = {{0, 4, 4}, {10, 4, 10}, {10.5, 4, 10}, {10, 20, 20}, {1e6, 4, 100}};
    for (int k = 0; k < 5; k++) {
        double bytes = cases[k].rows * 100 * sizeof(float);
        struct row_cache *cache =
            row_cache_new(&gaussian, &data, bytes, cases[k].least, ROWS_ROUNDED, &e);
        assert_int_equal(row_cache_slots(cache), cases[k].slots);
        row_cache_free(cache);
    }
    dataset_free(&data);
}

/* Rows with values that no float has are not kept: the next look fails as well, and others are as they were. */
static void test_failed_rows_are_forgotten(void **state) {
    (void)state;
    const struct kernel steep = {
        .kind = KERNEL_POLYNOMIAL, .gamma = 1e10, .shift = 2, .degree = 10};
    struct dataset data = random_data(60, 4, false, 5);
    struct error e;
    const float *row[2];
    int64_t empty = 0, full = 0;
    while (data.start[empty + 1] > data.start[empty])
        empty++;
    while (data.start[full + 1] == data.start[full])
        full++;
    struct row_cache *cache = row_cache_new(&steep, &data, 0, 2, ROWS_ROUNDED, &e);
    int64_t good[] = {empty}, bad[] = {full}, both[] = {empty, full};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(row_cache_get(cache, good, 1, row, &e), 0);
        assert_true(row[0][full] == 1024);
        assert_int_equal(row_cache_get(cache, bad, 1, row, &e), -1);
        assert_int_equal(row_cache_get(cache, both, 2, row, &e), -1);
    }
    row_cache_free(cache);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model_of_classes),
        cmocka_unit_test(test_cache_keeps_to_its_memory),
        cmocka_unit_test(test_failed_rows_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
