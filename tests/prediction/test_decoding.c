/* test_decoding.c - predictions slice by slice: every row once and in order, errors of the visitor, models and data
 * that do not go together. */
#include "prediction/decoding.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 700000 }; /* more than a slice has of two vectors */

/* Row i has the feature i % 2 with the value 1 + i, and the label of this feature. */
struct sample {
    struct model model;
    struct dataset data;
    double w[4], label[2];
};

static void open_sample(struct sample *s) {
    *s = (struct sample){.w = {1, -1, -1, 1}, .label = {3, 8}};
    s->model = (struct model){.loss = "softmax",
                              .labels = 2,
                              .label = s->label,
                              .features = 2,
                              .vectors = 2,
                              .dimension = 2,
                              .bias = -1,
                              .w = s->w};
    s->data = (struct dataset){.rows = ROWS,
                               .nonzeros = ROWS,
                               .features = 2,
                               .start = calloc(ROWS + 1, sizeof(int64_t)),
                               .column = calloc(ROWS, sizeof(int32_t)),
                               .value = calloc(ROWS, sizeof(double)),
                               .label = calloc(ROWS, sizeof(double))};
    for (int64_t i = 0; i < ROWS; i++) {
        s->data.start[i + 1] = i + 1;
        s->data.column[i] = (int32_t)(i % 2);
        s->data.value[i] = 1 + (double)i;
        s->data.label[i] = s->label[i % 2];
    }
}

struct seen {
    int64_t rows, visits, stop;
};

static int see(void *context, const struct decoded *decoded, struct error *e) {
    struct seen *seen = context;
    assert_int_equal(decoded->first, seen->rows);
    for (int64_t i = 0; i < decoded->rows; i++) {
        int64_t row = decoded->first + i;
        assert_int_equal(decoded->choice[i], row % 2);
        assert_true(decoded->scores[2 * i + row % 2] == 1 + (double)row);
        assert_near(decoded->probability[2 * i] + decoded->probability[2 * i + 1], 1, 1e-15);
        assert_true(decoded->probability[2 * i + row % 2] > 0.5);
    }
    seen->rows += decoded->rows;
    seen->visits++;
    return seen->visits == seen->stop ? error_set(e, "enough") : 0;
}

static void every_row_is_seen_once_and_in_order(void **state) {
    struct sample s;
    struct unknown_features unknown_features = {0};
    struct measure list[MEASURES_MAX];
    struct measured_rows rows;
    (void)state;
    open_sample(&s);
    struct decoder_settings settings = {.model = &s.model, .probabilities = true};
    struct decoding *decoding = decoding_new(risk_row_by_name("softmax"), &settings, NULL);
    struct seen seen = {0}, stopped = {.stop = 1};
    struct error e = {0};
    assert_non_null(decoding);
    const struct decoded_visitor visitor = {see, &seen}, stopper = {see, &stopped};
    assert_int_equal(decoding_data(decoding, &s.model, &s.data, &visitor, &unknown_features, &e),
                     0);
    assert_true(seen.rows == ROWS && seen.visits > 1 && unknown_features.entries == 0);
    assert_int_equal(decoding_data(decoding, &s.model, &s.data, &stopper, &unknown_features, &e),
                     -1);
    assert_string_equal(e.words, "enough");
    assert_int_equal(stopped.visits, 1);
    assert_int_equal(decoding_finish(decoding, list, &rows, NULL), 7);
    assert_true(rows.labelled > ROWS && list[0].value == 1 && rows.unknown == 0);
    decoding_free(decoding);
    dataset_free(&s.data);
}

static bool always(void *opaque) {
    (void)opaque;
    return true;
}

/* What a fold has learned is measured, though the signal has come; predictions that somebody sees end. */
static void a_signal_ends_predictions_not_measures(void **state) {
    struct sample s;
    struct unknown_features unknown_features = {0};
    struct measure list[MEASURES_MAX];
    struct error e = {0};
    struct measured_rows rows;
    (void)state;
    open_sample(&s);
    struct decoder_settings settings = {.model = &s.model, .interrupted = {.stop = always}};
    struct decoding *decoding = decoding_new(risk_row_by_name("hinge"), &settings, NULL);
    struct seen seen = {0};
    const struct decoded_visitor visitor = {see, &seen};
    assert_non_null(decoding);
    assert_int_equal(decoding_data(decoding, &s.model, &s.data, NULL, &unknown_features, &e), 0);
    assert_int_equal(decoding_data(decoding, &s.model, &s.data, &visitor, &unknown_features, &e),
                     -1);
    assert_non_null(strstr(e.words, "interrupted by a signal"));
    assert_int_equal(seen.rows, 0);
    assert_true(decoding_finish(decoding, list, &rows, NULL) > 0 && rows.labelled == ROWS);
    decoding_free(decoding);
    dataset_free(&s.data);
}

static void what_cannot_be_predicted_is_refused(void **state) {
    struct dataset data = {.rows = 1};
    struct model model = {.loss = "hinge"};
    struct decoder_settings settings = {.model = &model, .probabilities = true};
    struct error e = {0};
    (void)state;
    assert_int_equal(
        decoding_check_data(risk_row_by_name("pairwise"), &data, "some.file", false, &e), -1);
    assert_non_null(strstr(e.words, "qid"));
    assert_string_equal(e.file, "some.file");
    e = (struct error){0};
    assert_int_equal(decoding_check_data(risk_row_by_name("hinge"), &data, NULL, false, &e), 0);
    assert_int_equal(decoding_check_model(&settings, "some.model", &e), -1);
    assert_non_null(strstr(e.words, "hinge, has no probabilities; train with -b 1 or -L logistic"));
    e = (struct error){0};
    settings.probabilities = false;
    settings.parts = true;
    assert_int_equal(decoding_check_model(&settings, "some.model", &e), -1);
    assert_non_null(strstr(e.words, "no basis functions"));
}

static void a_model_without_trained_labels_is_refused(void **state) {
    bool untrained[] = {true, true};
    double label[] = {1, 2};
    struct model model = {.loss = "hinge", .labels = 2, .label = label, .untrained = untrained};
    struct decoder_settings settings = {.model = &model};
    struct error e = {0};
    (void)state;
    assert_int_equal(decoding_check_model(&settings, "some.model", &e), -1);
    assert_string_equal(e.file, "some.model");
    untrained[1] = false;
    assert_int_equal(decoding_check_model(&settings, "some.model", NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_seen_once_and_in_order),
        cmocka_unit_test(a_signal_ends_predictions_not_measures),
        cmocka_unit_test(what_cannot_be_predicted_is_refused),
        cmocka_unit_test(a_model_without_trained_labels_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
