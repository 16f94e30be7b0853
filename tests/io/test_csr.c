/* test_csr.c - datasets over a caller's arrays: what is borrowed and what is copied, the same dataset from every
 * type, the same as from a file, and errors with row and position. */
#include "io/csr.h"

#include "io/dataset_select.h"
#include "io/svmlight/svmlight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/temporary.h"

enum { ROWS = 4, NONZEROS = 6 };

/* 1 | (empty) | 3 | 4, with groups 9 9 5 5. */
static const int32_t start_32[] = {0, 2, 2, 3, 6}, column_32[] = {0, 4, 1, 0, 2, 3};
static const int64_t start_64[] = {0, 2, 2, 3, 6}, column_64[] = {0, 4, 1, 0, 2, 3};
static const float value_float[] = {1.5f, -2, 0, 4, 1, 0.125f};
static const double value_double[] = {1.5, -2, 0, 4, 1, 0.125};
static const double label[] = {1, -1, 2, 1}, weight[] = {1, 2, 0, 1};
static const int64_t group[] = {9, 9, 5, 5};

static const char text[] = "1 qid:9 1:1.5 5:-2\n-1 cost:2 qid:9\n2 cost:0 qid:5 2:0\n"
                           "1 qid:5 1:4 3:1 4:0.125\n";

static struct csr usual(void) {
    return (struct csr){.rows = ROWS,
                        .start.wide = start_64,
                        .column.narrow = column_32,
                        .value.wide = value_double,
                        .label = label,
                        .weight = weight,
                        .group = group};
}

static void check_same(const struct dataset *a, const struct dataset *b) {
    assert_true(a->rows == b->rows && a->nonzeros == b->nonzeros && a->features == b->features);
    for (int64_t i = 0; i <= ROWS; i++)
        assert_int_equal(dataset_start(a, i), dataset_start(b, i));
    assert_memory_equal(a->column, b->column, sizeof *a->column * (size_t)a->nonzeros);
    assert_memory_equal(a->value, b->value, sizeof *a->value * (size_t)a->nonzeros);
    assert_memory_equal(a->label, b->label, sizeof *a->label * ROWS);
    assert_memory_equal(a->weight, b->weight, sizeof *a->weight * ROWS);
    assert_int_equal(a->groups, b->groups);
    assert_memory_equal(a->group_start, b->group_start,
                        sizeof *a->group_start * (size_t)(a->groups + 1));
    assert_memory_equal(a->group_id, b->group_id, sizeof *a->group_id * (size_t)a->groups);
}

static void every_type_gives_the_file_s_dataset(void **state) {
    struct dataset read;
    const struct svmlight_options options = {.threads = 1};
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(dataset_load(path, &options, &read, NULL), 0);
    for (int mask = 0; mask < 8; mask++) {
        struct csr csr = usual();
        struct csr_dataset made;
        if (mask & 1)
            csr.start = (struct csr_integers){.narrow = start_32};
        if (mask & 2)
            csr.column = (struct csr_integers){.wide = column_64};
        if (mask & 4)
            csr.value = (struct csr_reals){.narrow = value_float};
        assert_int_equal(csr_open(&csr, &made, NULL), 0);
        assert_null(made.owned.start);
        assert_true((made.owned.column == NULL) == !(mask & 2));
        assert_null(made.owned.value);
        assert_true(made.data.start == (mask & 1 ? NULL : start_64));
        assert_true(made.data.narrow_start == (mask & 1 ? start_32 : NULL));
        assert_true((mask & 2) || made.data.column == column_32);
        assert_true(made.data.value == (mask & 4 ? NULL : value_double));
        assert_true(made.data.floats == (mask & 4 ? value_float : NULL));
        assert_true(made.data.label == label && made.data.weight == weight);
        if (mask & 4)
            assert_int_equal(dataset_widen(&made.data, NULL), 0);
        check_same(&made.data, &read);
        if (mask & 4)
            free(made.data.value);
        csr_close(&made);
    }
    dataset_free(&read);
}

static void what_is_all_one_is_left_out(void **state) {
    const double ones[] = {1, 1, 1, 1, 1, 1};
    const float float_ones[] = {1, 1, 1, 1, 1, 1};
    struct csr csr = usual();
    struct csr_dataset made;
    (void)state;
    csr.value.wide = ones;
    csr.weight = ones;
    csr.label = NULL;
    csr.group = NULL;
    csr.features = 9;
    assert_int_equal(csr_open(&csr, &made, NULL), 0);
    assert_true(made.data.value == NULL && made.data.weight == NULL);
    assert_true(made.data.features == 9 && made.data.groups == 0);
    for (int i = 0; i < ROWS; i++)
        assert_true(isnan(made.data.label[i]));
    csr_close(&made);
    csr.value = (struct csr_reals){.narrow = float_ones};
    assert_int_equal(csr_open(&csr, &made, NULL), 0);
    assert_false(dataset_has_values(&made.data));
    csr_close(&made);
    csr.value.narrow = NULL;
    assert_int_equal(csr_open(&csr, &made, NULL), 0);
    assert_false(dataset_has_values(&made.data));
    csr_close(&made);
}

/* Rows of floats are copied as doubles, behind rows of either type. */
static void floats_are_copied_as_doubles(void **state) {
    static const int64_t chosen[] = {0, 3};
    static const double expected[] = {1.5, -2, 4, 1, 0.125};
    struct csr csr = usual();
    struct csr_dataset made;
    struct dataset rows, more = {0};
    (void)state;
    csr.value = (struct csr_reals){.narrow = value_float};
    assert_int_equal(csr_open(&csr, &made, NULL), 0);
    assert_int_equal(dataset_select(&made.data, chosen, 2, &rows, NULL), 0);
    assert_null(rows.floats);
    assert_memory_equal(rows.value, expected, sizeof expected);
    assert_int_equal(dataset_append(&more, &rows, 1, 2, NULL), 0);
    assert_int_equal(dataset_append(&more, &made.data, 0, 1, NULL), 0);
    assert_memory_equal(more.value, expected + 2, sizeof(double) * 3);
    assert_memory_equal(more.value + 3, expected, sizeof(double) * 2);
    dataset_free(&more);
    dataset_free(&rows);
    csr_close(&made);
}

static void refuse(const struct csr *csr, const char *words) {
    struct csr_dataset made;
    struct error e = {0};
    assert_int_equal(csr_open(csr, &made, &e), -1);
    assert_string_equal(e.words, words);
    assert_true(!dataset_is_read(&made.data) && made.owned.start == NULL);
}

static void faults_of_the_shape(void **state) {
    const int64_t late[] = {1, 2, 2, 3, 6}, back[] = {0, 2, 1, 3, 6};
    struct csr csr = usual();
    (void)state;
    csr.start.wide = late;
    refuse(&csr, "row 0 starts at entry 1; the first entry is 0");
    csr.start.wide = back;
    refuse(&csr, "row 1 starts at entry 2 and ends before it, at 1");
    csr.start.wide = NULL;
    refuse(&csr, "the starts of the rows are missing");
    csr = usual();
    csr.rows = 0;
    refuse(&csr, "no rows in these arrays");
    csr = usual();
    csr.start.narrow = start_32;
    refuse(&csr, "the starts of the rows are given twice, in two types; one array must be NULL");
    csr = usual();
    csr.column.narrow = NULL;
    refuse(&csr, "the columns of the entries are missing");
    csr = usual();
    csr.features = 4;
    refuse(&csr, "row 0, entry 1: column 4, but there are 4 features");
    csr.features = -1;
    refuse(&csr, "-1 features; there may be 0 to 2147483647");
}

/* Entry 4, the second of row 3, becomes COLUMN. */
static void refuse_column(int64_t column, const char *words) {
    int64_t wide[NONZEROS];
    struct csr csr = usual();
    memcpy(wide, column_64, sizeof wide);
    wide[4] = column;
    csr.column = (struct csr_integers){.wide = wide};
    refuse(&csr, words);
}

static void faults_of_columns(void **state) {
    const char *large = "row 3, entry 1: the column is too large; the largest is 2147483646";
    (void)state;
    refuse_column(0, "row 3, entry 1: column 0 comes twice");
    refuse_column(-1, "row 3, entry 1: a negative column");
    refuse_column(INT64_MIN, "row 3, entry 1: a negative column");
    refuse_column(INT32_MAX, large);
    refuse_column((int64_t)1 << 32, large);
    refuse_column(
        7, "row 3, entry 2: column 3 stands behind a larger one; the columns of a row ascend");
}

static void faults_of_numbers(void **state) {
    float value[NONZEROS];
    double number[ROWS];
    int64_t id[ROWS] = {9, 5, 9, 5};
    struct csr csr = usual();
    (void)state;
    memcpy(value, value_float, sizeof value);
    value[2] = INFINITY;
    csr.value = (struct csr_reals){.narrow = value};
    refuse(&csr, "row 2, entry 0, column 1: the value is not finite");
    csr = usual();
    csr.label = memcpy(number, label, sizeof number);
    number[1] = -INFINITY;
    refuse(&csr, "row 1: the label is not finite");
    csr = usual();
    csr.weight = memcpy(number, weight, sizeof number);
    number[3] = -1;
    refuse(&csr, "row 3: the weight is -1; it may be 0, or 1e-100 to 1e+100");
    number[3] = NAN;
    refuse(&csr, "row 3: the weight is nan; it may be 0, or 1e-100 to 1e+100");
    csr = usual();
    csr.group = id;
    refuse(&csr, "row 2: group 9 comes back after another one; the rows of a group stand together");
    id[0] = INT64_MIN;
    refuse(&csr, "row 0: the group is out of range");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_gives_the_file_s_dataset),
        cmocka_unit_test(what_is_all_one_is_left_out),
        cmocka_unit_test(floats_are_copied_as_doubles),
        cmocka_unit_test(faults_of_the_shape),
        cmocka_unit_test(faults_of_columns),
        cmocka_unit_test(faults_of_numbers),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
