/* test_rrm_model.c - models of the public library: files, weights, predictions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rrm_fixture.h"

/* ---- models */

static void models_come_back_from_files(void **state) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    (void)state;
    struct rrm_model *model = train(data, "loss=softmax", NULL);
    char *text = text_of(model);
    struct rrm_model *read = rrm_model_read(path, NULL);
    assert_non_null(read);
    check_same(text, file_of(read));
    free(text);
    struct rrm_error error = {0};
    assert_int_equal(rrm_model_write(model, "/nonexistent/model", &error), -1);
    assert_non_null(strstr(error.message, "/nonexistent/model: "));
    assert_null(rrm_model_read("/nonexistent/model", &error));
    rrm_model_free(model);
    rrm_data_free(data);
}

static void check_scores(const struct rrm_model *a, const struct rrm_model *b,
                         const struct rrm_data *data, int64_t numbers_a_row) {
    double *first = calloc(ROWS, sizeof *first * (size_t)numbers_a_row);
    double *other = calloc(ROWS, sizeof *other * (size_t)numbers_a_row);
    assert_int_equal(rrm_predict(a, data, NULL, first, NULL, NULL), 0);
    assert_int_equal(rrm_predict(b, data, NULL, other, NULL, NULL), 0);
    assert_memory_equal(first, other, sizeof *first * (size_t)(ROWS * numbers_a_row));
    free(first);
    free(other);
}

static void models_are_weights_and_weights_are_models(void **state) {
    static const char *const lists[] = {"loss=softmax,bias=1", "loss=hinge,intercept", "loss=crf"};
    struct rrm_csr csr = arrays(classes);
    (void)state;
    csr.group = groups;
    struct rrm_data *data = lend(&csr);
    for (int i = 0; i < 3; i++) {
        struct rrm_model_info info, again;
        struct rrm_model *model = train(data, lists[i], NULL);
        rrm_model_describe(model, &info);
        assert_true(info.kernel == NULL && info.labels == CLASSES && info.vectors == CLASSES);
        assert_int_equal(info.dimension, FEATURES + (i < 2));
        assert_int_equal(info.shared, i == 2 ? CLASSES * CLASSES : 0);
        assert_true(info.bias == (i == 0 ? 1 : -1) && info.intercept == (i == 1));
        assert_true(info.probabilities == (i != 1) && info.label[2] == 4);
        struct rrm_model *made = rrm_model_from_weights(&info, NULL);
        assert_non_null(made);
        rrm_model_describe(made, &again);
        assert_true(again.weight != info.weight && again.dimension == info.dimension);
        check_scores(model, made, data, CLASSES);
        char *text = file_of(made);
        struct rrm_model *read = rrm_model_read(path, NULL);
        assert_non_null(read);
        check_same(text, file_of(read));
        free(text);
        rrm_model_free(model);
    }
    rrm_data_free(data);
}

static void refuse_weights(const struct rrm_model_info *info, const char *words) {
    struct rrm_error error = {0};
    assert_null(rrm_model_from_weights(info, &error));
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    assert_int_equal(error.code, RRM_USAGE);
}

static void weights_that_are_no_model_are_refused(void **state) {
    double w[] = {1, 2, 3, 4}, label[] = {1, 1};
    const struct rrm_model_info good = {
        .loss = "squared", .features = 4, .vectors = 1, .dimension = 4, .weight = w, .bias = -1};
    struct rrm_model_info info = good;
    (void)state;
    rrm_model_free(rrm_model_from_weights(&good, NULL));
    info.kernel = "gaussian";
    refuse_weights(&info, "only linear models");
    info = good;
    info.loss = "square";
    refuse_weights(&info, "no such loss");
    info = good;
    info.features = -1;
    refuse_weights(&info, "features is -1; it may be 0 to 2147483646");
    info = good;
    info.bias = NAN;
    refuse_weights(&info, "bias is not finite");
    info = good;
    info.intercept = 7;
    refuse_weights(&info, "intercept is 7; it may be 0 or 1");
    info = good;
    info.vectors = 2;
    refuse_weights(&info, "one vector");
    info = good;
    info.loss = "hinge";
    info.labels = 2;
    info.label = label;
    refuse_weights(&info, "label");
    w[2] = INFINITY;
    refuse_weights(&good, "weight 2 is not finite");
}

/* The array ends where the caller says, whatever the other fields are. */
static void weights_are_as_many_as_the_caller_says(void **state) {
    static const double w[] = {1, 2, 3, 4};
    struct rrm_model_info info = {
        .loss = "squared", .features = 4, .vectors = 1, .dimension = 4, .weight = w};
    (void)state;
    refuse_weights(&info,
                   "dimension is 4, but a vector of this model has 5 weights: 4 of features, "
                   "that of the constant feature (bias -1: there is none)");
    info.bias = -1;
    info.intercept = 1;
    refuse_weights(
        &info,
        "dimension is 4, but a vector of this model has 5 weights: 4 of features, the offset");
    info.intercept = info.dimension = 0;
    refuse_weights(&info, "dimension is 0, but a vector of this model has 4 weights");
    info.dimension = 4;
    struct rrm_model *model = rrm_model_from_weights(&info, NULL);
    assert_non_null(model);
    rrm_model_free(model);
}

static void weights_of_scaled_features_are_no_model(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train(data, "scale=standard", NULL), *plain = train(data, "", NULL);
    struct rrm_model_info info;
    (void)state;
    rrm_model_describe(plain, &info);
    assert_int_equal(info.scaled, 0);
    rrm_model_describe(model, &info);
    assert_int_equal(info.scaled, 1);
    refuse_weights(&info, "rrm_model_copy or rrm_model_write");
    rrm_model_free(model);
    rrm_model_free(plain);
    rrm_data_free(data);
}

/* LOSS with so many labels, vectors, and shared weights, all of one feature. */
static void refuse_counts(const char *loss, int label_count, int vectors, int shared,
                          const char *words) {
    static const double label[] = {1, 2, 3}, w[16] = {0};
    const struct rrm_model_info info = {.loss = loss,
                                        .labels = label_count,
                                        .label = label,
                                        .features = 1,
                                        .vectors = vectors,
                                        .dimension = 1,
                                        .shared = shared,
                                        .weight = w,
                                        .bias = -1};
    refuse_weights(&info, words);
}

static void counts_fit_the_loss(void **state) {
    (void)state;
    refuse_counts("rna", 0, 0, 5, "323 shared weights");
    refuse_counts("rna", 0, 1, 15, "no vectors");
    refuse_counts("crf", 3, 3, 8, "every pair of labels");
    refuse_counts("hinge", 3, 3, 9, "no shared weights");
    refuse_counts("squared", 0, 1, 1, "no shared weights");
    refuse_counts("hinge", 0, 1, 0, "two labels or more");
    refuse_counts("hinge", 1, 1, 0, "two labels or more");
    refuse_counts("crf", 1, 1, 1, "two labels or more");
    refuse_counts("f1", 3, 1, 0, "a vector for every label");
    refuse_counts("squared", 2, 1, 0, "this loss has no labels");
    refuse_counts("pairwise", 2, 1, 0, "this loss has no labels");
}

/* ---- prediction */

static void predictions_are_labels_scores_and_probabilities(void **state) {
    static double label[ROWS], score[ROWS * CLASSES], probability[ROWS * CLASSES];
    struct rrm_csr csr = arrays(classes);
    struct rrm_measure list[RRM_MEASURES_MAX];
    (void)state;
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train(data, "loss=softmax", NULL);
    int64_t right = 0;
    assert_int_equal(rrm_predict(model, data, label, score, probability, NULL), 0);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t predicted = (int64_t)label[i] - 2;
        double sum = 0;
        for (int64_t k = 0; k < CLASSES; k++) {
            assert_true(score[i * CLASSES + predicted] >= score[i * CLASSES + k]);
            assert_true(probability[i * CLASSES + predicted] >= probability[i * CLASSES + k]);
            sum += probability[i * CLASSES + k];
        }
        assert_true(fabs(sum - 1) < 1e-14);
        right += label[i] == classes[i];
    }
    assert_int_equal(rrm_measures(model, data, list, NULL), 1);
    assert_string_equal(list[0].name, "Accuracy");
    assert_true(list[0].value == (double)right / ROWS && !list[0].smaller && !list[0].approximate);
    rrm_data_free(data);
    csr.label = NULL;
    data = lend(&csr);
    assert_int_equal(rrm_measures(model, data, list, NULL), 0);
    rrm_data_free(data);
    rrm_model_free(model);
}

static void other_tasks_predict_what_they_are_trained_on(void **state) {
    static double label[ROWS], score[ROWS], probability[ROWS * CLASSES];
    struct rrm_csr csr = arrays(numbers);
    struct rrm_measure list[RRM_MEASURES_MAX];
    struct rrm_error error = {0};
    (void)state;
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train(data, "loss=squared", NULL);
    assert_int_equal(rrm_predict(model, data, label, score, NULL, NULL), 0);
    assert_memory_equal(label, score, sizeof label);
    assert_int_equal(rrm_measures(model, data, list, NULL), 3);
    assert_true(list[0].smaller && strcmp(list[2].name, "R2") == 0 && list[2].value > 0.1);
    assert_int_equal(rrm_predict(model, data, NULL, NULL, probability, &error), -1);
    assert_non_null(strstr(error.message, "probability: the model's loss, squared, has no prob"));
    rrm_data_free(data);
    rrm_model_free(model);
    csr.label = labels;
    data = lend(&csr);
    model = train(data, "loss=precision,at=3,lambda=1e-2", NULL);
    assert_int_equal(rrm_measures(model, data, list, NULL), 6);
    assert_string_equal(list[5].name, "precision@3");
    rrm_data_free(data);
    rrm_model_free(model);
    csr.label = grades;
    csr.group = groups;
    data = lend(&csr);
    model = train(data, "loss=pairwise", NULL);
    assert_int_equal(rrm_predict(model, data, label, score, NULL, NULL), 0);
    assert_memory_equal(label, score, sizeof label);
    assert_int_equal(rrm_measures(model, data, list, NULL), 6);
    rrm_data_free(data);
    csr.group = NULL;
    data = lend(&csr);
    assert_int_equal(rrm_predict(model, data, label, NULL, NULL, &error), -1);
    assert_non_null(strstr(error.message, "predicts groups of rows: the array `group` is"));
    assert_int_equal(rrm_measures(model, data, list, &error), -1);
    rrm_data_free(data);
    rrm_model_free(model);
}

/* AAAACCCCUUUU.. of one fold: partners as the data have them, from 1. */
static void structures_are_partners(void **state) {
    enum { LENGTH = 12 };
    static const int base[LENGTH] = {2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1}; /* GGGG AAAA CCCC */
    double partner[LENGTH], predicted[LENGTH];
    int64_t start[LENGTH + 1], group[LENGTH] = {0};
    int32_t column[LENGTH];
    (void)state;
    for (int i = 0; i < LENGTH; i++) {
        start[i] = i;
        column[i] = base[i];
        partner[i] = base[i] == 0 ? 0 : LENGTH - i;
    }
    start[LENGTH] = LENGTH;
    const struct rrm_csr csr = {
        .rows = LENGTH, .start = start, .column = column, .label = partner, .group = group};
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train(data, "loss=rna,lambda=1e-2", NULL);
    assert_int_equal(rrm_predict(model, data, predicted, NULL, NULL, NULL), 0);
    assert_memory_equal(predicted, partner, sizeof predicted);
    rrm_model_free(model);
    rrm_data_free(data);
}

/* Labels that the time limit left untrained are never predicted, and stay in the file. */
static void untrained_labels_are_not_predicted(void **state) {
    static const char text[] =
        "librrm 1\nsolver bundle\nloss hinge\nregularizer l2\nlambda 0.1\nbias -1\nintercept 0\n"
        "index-base 1\nlabels 2 3 4\nuntrained 3\nrest 0\nfeatures 1\nvectors 3\n"
        "objective 1\nbound 0\nstatus limit\npasses 1\nseed 1\n";
    FILE *file = fopen(path, "w");
    (void)state;
    fprintf(file, "%sw dense 3\n-1\n0\n-2\nend\n", text);
    fclose(file);
    struct rrm_error error = {0};
    struct rrm_model *model = rrm_model_read(path, &error);
    if (model == NULL)
        fail_msg("%s", error.message);
    struct rrm_model_info info;
    rrm_model_describe(model, &info);
    assert_true(info.labels == 2 && info.label[1] == 4 && info.weight[1] == -2);
    char *again = text_of(model);
    assert_non_null(strstr(again, "untrained 3\n"));
    free(again);
    rrm_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_come_back_from_files),
        cmocka_unit_test(models_are_weights_and_weights_are_models),
        cmocka_unit_test(weights_that_are_no_model_are_refused),
        cmocka_unit_test(weights_are_as_many_as_the_caller_says),
        cmocka_unit_test(weights_of_scaled_features_are_no_model),
        cmocka_unit_test(counts_fit_the_loss),
        cmocka_unit_test(predictions_are_labels_scores_and_probabilities),
        cmocka_unit_test(other_tasks_predict_what_they_are_trained_on),
        cmocka_unit_test(structures_are_partners),
        cmocka_unit_test(untrained_labels_are_not_predicted),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
