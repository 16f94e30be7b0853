/* test_rrm_data.c - arrays of each type and files give one model; what is refused of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/feature_hash.h"
#include "tests/rrm_fixture.h"
#include "tests/size.h"

static void the_version_is_a_number(void **state) {
    (void)state;
    assert_true(rrm_version()[0] >= '0' && rrm_version()[0] <= '9');
}

static void write_rows(const double *label, int base) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int64_t i = 0; i < ROWS; i++) {
        fprintf(file, "%.17g cost:%.17g qid:%d", label[i], weights[i], (int)groups[i]);
        for (int64_t k = rows.start[i]; k < rows.start[i + 1]; k++)
            fprintf(file, " %d:%.17g", (int)rows.column[k] + base, rows.value[k]);
        fputc('\n', file);
    }
    fclose(file);
}

static void arrays_of_each_type_and_a_file_give_one_model(void **state) {
    static int32_t start32[ROWS + 1];
    static int64_t column64[ROWS * FEATURES];
    static float value32[ROWS * FEATURES];
    (void)state;
    for (int64_t i = 0; i <= ROWS; i++)
        start32[i] = (int32_t)rows.start[i];
    for (int64_t k = 0; k < rows.nonzeros; k++) {
        column64[k] = rows.column[k];
        value32[k] = (float)rows.value[k];
    }
    for (int base = 0; base < 2; base++) {
        write_rows(classes, base);
        struct rrm_data *read = rrm_data_read(path, base == 0, 0, NULL);
        assert_non_null(read);
        char *expected = file_of(train(read, "loss=logistic,lambda=1e-3,bias=1", NULL));
        rrm_data_free(read);
        for (int mask = 0; mask < 8; mask++) {
            struct rrm_csr csr = arrays(classes);
            csr.weight = weights;
            csr.group = groups;
            csr.zero_based = base == 0;
            csr.start = mask & 1 ? NULL : csr.start;
            csr.start32 = mask & 1 ? start32 : NULL;
            csr.column = mask & 2 ? NULL : csr.column;
            csr.column64 = mask & 2 ? column64 : NULL;
            csr.value = mask & 4 ? NULL : csr.value;
            csr.value32 = mask & 4 ? value32 : NULL;
            struct rrm_data *data = lend(&csr);
            check_same(expected, file_of(train(data, "loss=logistic,lambda=1e-3,bias=1", NULL)));
            rrm_data_free(data);
        }
        free(expected);
    }
}

static void data_are_described(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data_info info;
    (void)state;
    csr.group = groups;
    csr.features = 40;
    struct rrm_data *data = lend(&csr);
    rrm_data_describe(data, &info);
    assert_true(info.rows == ROWS && info.features == 40 && info.entries == rows.nonzeros);
    assert_true(info.groups == ROWS / 5 && info.label == labels);
    assert_true(info.start == rows.start && info.column == rows.column && info.value == rows.value);
    assert_true(info.weight == NULL && info.group_start[1] == 5 && info.group[1] == 1);
    rrm_data_free(data);
}

/* Values of all columns, row by row, in the caller's array of either type; *csr says where. */
static double dense64[ROWS * FEATURES];
static float dense32[ROWS * FEATURES];

static struct rrm_csr dense_arrays(bool floats) {
    memset(dense64, 0, sizeof dense64);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t k = rows.start[i]; k < rows.start[i + 1]; k++)
            dense64[i * FEATURES + rows.column[k]] = rows.value[k];
    for (int64_t k = 0; k < ROWS * FEATURES; k++)
        dense32[k] = (float)dense64[k];
    return (struct rrm_csr){.rows = ROWS,
                            .features = FEATURES,
                            .dense = 1,
                            .value = floats ? NULL : dense64,
                            .value32 = floats ? dense32 : NULL,
                            .label = classes};
}

/* The objectives of dense and of sparse rows agree to the last digits, and what is predicted. */
static void dense_rows_are_the_sparse_ones(void **state) {
    static const char *const lists[] = {"solver=ipm,epsilon=1e-8",
                                        "solver=dcd,epsilon=1e-8",
                                        "loss=softmax,solver=lbfgs,epsilon=1e-8",
                                        "loss=crf,solver=bundle,epsilon=1e-5",
                                        "solver=asset-on,passes=2",
                                        "gamma-kernel=0.5,epsilon=1e-8",
                                        "map=nystrom,landmarks=20,epsilon=1e-8"};
    static double sparse_scores[ROWS * CLASSES], dense_scores[ROWS * CLASSES];
    struct rrm_csr csr = arrays(classes);
    struct rrm_result expected, found;
    (void)state;
    csr.features = FEATURES;
    csr.group = groups;
    struct rrm_data *data = lend(&csr);
    for (int n = 0; n < (int)(sizeof lists / sizeof *lists); n++) {
        struct rrm_model *model = train(data, lists[n], &expected);
        assert_int_equal(rrm_predict(model, data, NULL, sparse_scores, NULL, NULL), 0);
        for (int floats = 0; floats < 2; floats++) {
            if ((n + floats) % PART(2, 3) != 0)
                continue;
            struct rrm_csr all = dense_arrays(floats);
            all.group = groups;
            struct rrm_data *dense = lend(&all);
            struct rrm_model *other = train(dense, lists[n], &found);
            assert_true(fabs(found.objective - expected.objective) <= 2e-5 * expected.objective);
            assert_int_equal(rrm_predict(model, dense, NULL, dense_scores, NULL, NULL), 0);
            for (int i = 0; i < ROWS * CLASSES; i++)
                assert_true(fabs(dense_scores[i] - sparse_scores[i]) < 1e-9);
            rrm_model_free(other);
            rrm_data_free(dense);
        }
        rrm_model_free(model);
    }
    rrm_data_free(data);
}

/* Solvers that read floats, and some that do not; with all that stands between data and solver. The floats of sparse
 * rows have starts of 32 bits. */
static void floats_and_doubles_give_one_model(void **state) {
    static const char *const lists[] = {"",
                                        "solver=ipm,loss=huber,intercept",
                                        "solver=dcd,loss=squared-hinge,bias=1",
                                        "solver=ocas,intercept",
                                        "solver=mcpa",
                                        "solver=lbfgs,loss=logistic",
                                        "solver=bundle",
                                        "solver=agm",
                                        "solver=lps,loss=logistic,regularizer=l1",
                                        "solver=proximal,passes=2",
                                        "solver=asset-on,passes=2",
                                        "loss=softmax",
                                        "scale=standard",
                                        "path=2,folds=2",
                                        "probabilities=1",
                                        "multiclass=ovo",
                                        "loss=crammer-singer",
                                        "loss=crf",
                                        "map=nystrom,landmarks=5",
                                        "gamma-kernel=0.5"};
    static int32_t start32[ROWS + 1];
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        struct rrm_csr doubles = dense_arrays(false), floats = dense_arrays(true);
        struct rrm_data_info info;
        if (!dense) {
            doubles = arrays(classes);
            floats = doubles;
            for (int64_t k = 0; k < rows.nonzeros; k++)
                dense32[k] = (float)rows.value[k];
            for (int64_t i = 0; i <= ROWS; i++)
                start32[i] = (int32_t)rows.start[i];
            floats.start = NULL;
            floats.start32 = start32;
            floats.value = NULL;
            floats.value32 = dense32;
        }
        doubles.group = floats.group = groups;
        struct rrm_data *wide = lend(&doubles), *narrow = lend(&floats);
        rrm_data_describe(narrow, &info);
        assert_true(info.value == NULL && info.value32 == dense32);
        for (size_t n = 0; n < sizeof lists / sizeof *lists; n++) {
            if ((n + (size_t)dense) % PART(2, 3) != 0)
                continue;
            char *expected = file_of(train(wide, lists[n], NULL));
            check_same(expected, file_of(train(narrow, lists[n], NULL)));
            free(expected);
        }
        rrm_data_free(wide);
        rrm_data_free(narrow);
    }
}

/* Whether the weights of a vector of two models are the same bits; frees both. */
static void check_same_weights(struct rrm_model *expected, struct rrm_model *found,
                               const char *list) {
    struct rrm_model_info left, right;
    rrm_model_describe(expected, &left);
    rrm_model_describe(found, &right);
    assert_true(left.vectors == 1 && right.vectors == 1 && left.dimension == right.dimension);
    if (memcmp(left.weight, right.weight, sizeof *left.weight * (size_t)left.dimension) != 0)
        fail_msg("%s: other weights", list);
    rrm_model_free(expected);
    rrm_model_free(found);
}

/* Labels 7 and 3, of which targets are made when they are read, and 1 and -1, which are these. */
static void labels_are_read_as_targets(void **state) {
    static const char *const lists[] = {"solver=mcpa",
                                        "solver=ocas",
                                        "solver=ocas,intercept",
                                        "solver=mcpa,intercept",
                                        "solver=mcpa,single-pass=on",
                                        "solver=cpa",
                                        "solver=bundle",
                                        "solver=bundle,intercept",
                                        "solver=bundle-ls,loss=logistic",
                                        "solver=proximal-bundle,loss=logistic",
                                        "solver=agm",
                                        "solver=agm,intercept",
                                        "solver=agm1,loss=squared-hinge",
                                        "solver=ipm",
                                        "solver=ipm,intercept",
                                        "solver=ipm,loss=logistic",
                                        "solver=ipm,loss=squared-hinge,intercept",
                                        "solver=ipm,regularizer=l1",
                                        "solver=dcd",
                                        "solver=dcd,loss=squared-hinge",
                                        "solver=lbfgs,loss=logistic",
                                        "solver=lbfgs,loss=squared-hinge,intercept",
                                        "solver=lps,loss=logistic,regularizer=l1",
                                        "solver=proximal,passes=3",
                                        "solver=proximal,loss=logistic,passes=3",
                                        "solver=adaptive,passes=3",
                                        "solver=pegasos,passes=3",
                                        "solver=asset,passes=3",
                                        "solver=asset-on,passes=2",
                                        "solver=rda,loss=logistic,regularizer=l1,passes=3",
                                        "solver=fobos,loss=logistic,regularizer=l1,passes=3",
                                        "solver=tg,loss=logistic,regularizer=l1,passes=3",
                                        "solver=sgd,loss=logistic,regularizer=l1,passes=3",
                                        "loss=f1",
                                        "loss=rocarea",
                                        "loss=boost",
                                        "path=3,folds=2",
                                        "probabilities=1",
                                        "map=nystrom,landmarks=5"};
    double other[ROWS];
    struct rrm_csr csr = arrays(labels);
    (void)state;
    struct rrm_data *signs = lend(&csr);
    for (int64_t i = 0; i < ROWS; i++)
        other[i] = labels[i] > 0 ? 7 : 3;
    csr.label = other;
    struct rrm_data *data = lend(&csr);
    for (size_t n = 0; n < sizeof lists / sizeof *lists; n++)
        check_same_weights(train(signs, lists[n], NULL), train(data, lists[n], NULL), lists[n]);
    rrm_data_free(signs);
    rrm_data_free(data);
}

static void refuse_dense(struct rrm_csr csr, const char *words) {
    struct rrm_error error = {0};
    assert_null(rrm_data_csr(&csr, &error));
    assert_non_null(strstr(error.message, words));
}

static void dense_rows_are_borrowed_and_checked(void **state) {
    struct rrm_csr csr = dense_arrays(false), wrong = csr;
    struct rrm_data_info info;
    struct rrm_data *data = lend(&csr);
    (void)state;
    rrm_data_describe(data, &info);
    assert_true(info.value == dense64 && info.entries == ROWS * FEATURES);
    assert_true(info.start == NULL && info.start32 == NULL);
    assert_int_equal(info.column[FEATURES - 1], FEATURES - 1);
    rrm_data_free(data);
    wrong.start = rows.start;
    refuse_dense(wrong, "neither starts nor columns");
    wrong = csr;
    wrong.value = NULL;
    refuse_dense(wrong, "missing");
    wrong = csr;
    wrong.value32 = dense32;
    refuse_dense(wrong, "given twice");
    wrong = csr;
    wrong.features = 0;
    refuse_dense(wrong, "without features");
    wrong = csr;
    wrong.rows = INT64_MAX / 2;
    refuse_dense(wrong, "too many rows");
    dense64[FEATURES + 3] = NAN;
    refuse_dense(csr, "row 1, entry 3, column 3: the value is not finite");
}

static void bad_data_are_refused(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_error error = {0};
    (void)state;
    csr.features = 3;
    assert_null(rrm_data_csr(&csr, &error));
    assert_int_equal(error.code, RRM_FAILURE);
    assert_non_null(strstr(error.message, ", but there are 3 features"));
    assert_null(rrm_data_csr(&csr, NULL));
    assert_null(rrm_data_read("/nonexistent/file", 0, 0, &error));
    assert_string_equal(error.message, "/nonexistent/file: No such file or directory");
    FILE *file = fopen(path, "w");
    fputs("1 1:2\n1 2:x\n", file);
    fclose(file);
    char expected[100];
    snprintf(expected, sizeof expected, "%s:2:5: malformed value in \"2:x\"", path);
    assert_null(rrm_data_read(path, 0, 0, &error));
    assert_string_equal(error.message, expected);
}

/* A range of weights by which training can count is asked for at once, and the row is named. */
static void weights_have_a_range(void **state) {
    static const double bad[] = {1e308, 1.1e100, 1e-320, 9e-101, -1, NAN, INFINITY},
                        good[] = {0, 1e-100, 1e100};
    static double weight[ROWS];
    struct rrm_csr csr = arrays(labels);
    (void)state;
    memcpy(weight, weights, sizeof weight);
    csr.weight = weight;
    for (int k = 0; k < 7; k++) {
        struct rrm_error error = {0};
        weight[7] = bad[k];
        assert_null(rrm_data_csr(&csr, &error));
        assert_int_equal(strncmp(error.message, "row 7: the weight is ", 21), 0);
        assert_non_null(strstr(error.message, "; it may be 0, or 1e-100 to 1e+100"));
    }
    for (int k = 0; k < 3; k++) {
        weight[7] = good[k];
        rrm_data_free(lend(&csr));
    }
}

static void columns_beyond_the_features_are_named(void **state) {
    static const int64_t start[] = {0, 1, 3};
    static const int32_t column[] = {1, 0, 5};
    const struct rrm_csr csr = {.rows = 2, .features = 2, .start = start, .column = column};
    struct rrm_error error = {0};
    (void)state;
    assert_null(rrm_data_csr(&csr, &error));
    assert_string_equal(error.message, "row 1, entry 1: column 5, but there are 2 features");
}

static int bits_of(const struct rrm_model *model) {
    struct rrm_model_info info;
    rrm_model_describe(model, &info);
    return info.hash;
}

/* Names hashed by the reader, or by the caller, give one model, which keeps the bits. */
static void hashed_names_give_one_model(void **state) {
    static const char *const names[] = {"dog", "cat", "cow", "17"};
    enum { BITS = 16 };
    int64_t start[5], column64[4];
    const double label[] = {1, -1, 2, -1};
    FILE *file = fopen(path, "w");
    (void)state;
    for (int i = 0; i < 4; i++) {
        fprintf(file, "%g %s\n", label[i], names[i]);
        column64[i] = feature_hash(names[i], strlen(names[i]), BITS, false);
        start[i] = i;
    }
    start[4] = 4;
    fclose(file);
    struct rrm_error error = {0};
    assert_null(rrm_data_read(path, 0, 31, &error));
    assert_string_equal(error.message, "31 bits of a hash; there may be 1 to 30, or 0 for none");
    assert_null(rrm_data_read(path, 0, -1, &error));
    assert_null(rrm_data_read(path, 9, 0, &error));
    assert_string_equal(error.message, "zero_based is 9; it may be 0 or 1");
    assert_true(column64[3] == 16);
    struct rrm_data *read = rrm_data_read(path, 0, BITS, NULL);
    struct rrm_data *other = rrm_data_read(path, 0, 10, NULL);
    struct rrm_csr csr = {.rows = 4, .start = start, .column64 = column64, .label = label};
    struct rrm_data *lent = lend(&csr);
    for (int k = 0; k < 2; k++) {
        const char *solver = k == 0 ? "solver=dcd,lambda=1e-2" : "solver=asset-on,lambda=1e-2";
        char list[64];
        struct rrm_model *model = train(read, solver, NULL);
        assert_int_equal(bits_of(model), BITS);
        snprintf(list, sizeof list, "%s,hash=%d", solver, BITS);
        char *expected = file_of(model);
        check_same(expected, file_of(train(lent, list, NULL)));
        free(expected);
    }
    struct rrm_settings *wrong = settings_of("hash=10");
    struct rrm_model *model;
    assert_int_equal(rrm_train(lent, wrong, NULL, &model, NULL, &error), -1);
    assert_non_null(strstr(error.message, "a hash of so few bits has 1024"));
    assert_int_equal(rrm_train(read, wrong, NULL, &model, NULL, &error), -1);
    assert_string_equal(error.message, "hash 10: the data were read with 16 bits");
    /* Dense rows end where their features do. */
    const double value[] = {1, 0, 0, 1, 1, 1, 0, 1};
    csr = (struct rrm_csr){.rows = 4, .features = 2, .value = value, .label = label, .dense = 1};
    struct rrm_data *dense = lend(&csr);
    assert_int_equal(rrm_train(dense, wrong, NULL, &model, NULL, &error), -1);
    assert_string_equal(error.message,
                        "hash 10: dense rows have all its 1024 features; these have 2");
    rrm_data_free(dense);
    rrm_settings_free(wrong);
    /* Test data of other bits are refused. */
    struct rrm_measure measure[RRM_MEASURES_MAX];
    model = train(read, "solver=dcd,lambda=1e-2", NULL);
    struct rrm_model_info info;
    rrm_model_describe(model, &info);
    struct rrm_model *made = rrm_model_from_weights(&info, NULL);
    assert_int_equal(bits_of(made), BITS);
    rrm_model_free(made);
    info.hash = 10;
    assert_null(rrm_model_from_weights(&info, NULL));
    assert_int_equal(rrm_predict(model, other, NULL, NULL, NULL, &error), -1);
    assert_string_equal(error.message,
                        "the data were read with 10 bits of a hash; the model has 16");
    assert_int_equal(rrm_measures(model, other, measure, &error), -1);
    assert_int_equal(rrm_predict(model, lent, NULL, NULL, NULL, &error), 0);
    rrm_model_free(model);
    rrm_data_free(other);
    rrm_data_free(lent);
    rrm_data_free(read);
}

static void refuse_arrays(const struct rrm_csr *csr, const char *words) {
    struct rrm_error error = {0};
    assert_null(rrm_data_csr(csr, &error));
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    assert_int_equal(error.code, RRM_USAGE);
}

/* Two arrays for the same thing are refused. */
static void wrong_arrays_are_wrong_arguments(void **state) {
    static const int32_t start32[ROWS + 1];
    static const int64_t column64[1];
    static const float value32[1];
    struct rrm_csr csr = arrays(labels);
    (void)state;
    csr.start32 = start32;
    refuse_arrays(&csr, "starts of the rows are given twice");
    csr = arrays(labels);
    csr.dense = 7;
    refuse_arrays(&csr, "dense is 7");
    csr = arrays(labels);
    csr.zero_based = -1;
    refuse_arrays(&csr, "zero_based is -1");
    csr = arrays(labels);
    csr.column64 = column64;
    refuse_arrays(&csr, "columns are given twice");
    csr = arrays(labels);
    csr.value32 = value32;
    refuse_arrays(&csr, "values are given twice");
    csr = arrays(labels);
    csr.rows = 0;
    refuse_arrays(&csr, "no rows");
    csr = arrays(labels);
    csr.features = -1;
    refuse_arrays(&csr, "-1 features");
    csr.features = (int64_t)INT32_MAX + 1;
    refuse_arrays(&csr, "2147483648 features");
    csr = arrays(labels);
    csr.start = NULL;
    refuse_arrays(&csr, "starts of the rows are missing");
    csr = arrays(labels);
    csr.column = NULL;
    refuse_arrays(&csr, "columns of the entries are missing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_a_number),
        cmocka_unit_test(arrays_of_each_type_and_a_file_give_one_model),
        cmocka_unit_test(hashed_names_give_one_model),
        cmocka_unit_test(data_are_described),
        cmocka_unit_test(dense_rows_are_the_sparse_ones),
        cmocka_unit_test(floats_and_doubles_give_one_model),
        cmocka_unit_test(labels_are_read_as_targets),
        cmocka_unit_test(dense_rows_are_borrowed_and_checked),
        cmocka_unit_test(bad_data_are_refused),
        cmocka_unit_test(weights_have_a_range),
        cmocka_unit_test(columns_beyond_the_features_are_named),
        cmocka_unit_test(wrong_arrays_are_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
