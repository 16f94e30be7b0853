/* test_row_products.c - products of sparse and dense rows with a matrix: plain sums, and the same bits for a row alone
 * and among others, whatever the number of its entries. */
#include "kernel/row_products.h"

#include "math/random/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 101, FEATURES = 9000, COLUMNS = 37 };

/* Row i has each of the first `width` features with probability `share`; row 50 has all FEATURES. */
static struct dataset rows_of(int32_t width, double share, bool values) {
    struct random random;
    struct dataset data = {.rows = ROWS, .features = FEATURES};
    int64_t most = ROWS * width + FEATURES;
    random_seed(&random, 5, 0);
    data.start = calloc(ROWS + 1, sizeof *data.start);
    data.column = malloc(sizeof *data.column * (size_t)most);
    data.value = values ? malloc(sizeof *data.value * (size_t)most) : NULL;
    for (int64_t i = 0; i < ROWS; i++) {
        for (int32_t j = 0; j < FEATURES; j++)
            if (i == 50 || (j < width && random_unit(&random) < share)) {
                if (values)
                    data.value[data.nonzeros] = random_unit(&random) - 0.5;
                data.column[data.nonzeros++] = j;
            }
        data.start[i + 1] = data.nonzeros;
    }
    return data;
}

/* Feature j is row j / 2 of the matrix if j is even, and has none if it is odd; or row j, without a list. */
static void check(int32_t width, double share, bool values, bool listed) {
    struct dataset data = rows_of(width, share, values);
    struct multiplier m;
    struct random random;
    int64_t rows = listed ? FEATURES / 2 : FEATURES;
    int32_t *matrix_row = malloc(sizeof *matrix_row * FEATURES);
    double *out = calloc(ROWS * COLUMNS, sizeof *out);
    random_seed(&random, 6, 0);
    assert_int_equal(multiplier_init(&m, rows, COLUMNS, NULL), 0);
    for (int64_t k = 0; k < rows * COLUMNS; k++)
        *multiplier_entry(&m, k / COLUMNS, k % COLUMNS) = random_unit(&random) - 0.5;
    for (int32_t j = 0; j < FEATURES; j++)
        matrix_row[j] = j % 2 ? -1 : j / 2;
    const int32_t *list = listed ? matrix_row : NULL;
    row_products_add(&m, list, FEATURES, &data, 0, ROWS, out);
    for (int64_t i = 0; i < ROWS; i++) {
        double alone[COLUMNS] = {0};
        row_products_add(&m, list, FEATURES, &data, i, i + 1, alone);
        assert_memory_equal(alone, out + i * COLUMNS, sizeof alone);
        for (int64_t c = 0; c < COLUMNS; c++) {
            double sum = 0;
            for (int64_t k = data.start[i]; k < data.start[i + 1]; k++) {
                int64_t r = listed ? matrix_row[data.column[k]] : data.column[k];
                if (r >= 0)
                    sum += (values ? data.value[k] : 1) * *multiplier_entry(&m, r, c);
            }
            assert_near(out[i * COLUMNS + c], sum, 1e-10);
        }
    }
    multiplier_free(&m);
    dataset_free(&data);
    free(matrix_row);
    free(out);
}

static void rows_of_any_length_are_multiplied(void **state) {
    (void)state;
    check(60, 0.3, true, false);
    check(60, 0.3, false, true);
    check(FEATURES, 0.02, true, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_any_length_are_multiplied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
