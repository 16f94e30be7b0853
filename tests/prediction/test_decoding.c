/* test_decoding.c - predictions of data in memory: what a signal ends, and what it does not. */
#include "prediction/decoding.h"

#include "tests/random_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 40, FEATURES = 3 };

static double labels[] = {1, -1};
static double weights[] = {-1, 1, -1};
static const struct model model = {.loss = "hinge",
                                   .labels = 2,
                                   .label = labels,
                                   .vectors = 1,
                                   .features = FEATURES,
                                   .dimension = FEATURES,
                                   .bias = -1,
                                   .w = weights};

static bool always(void *opaque) {
    (void)opaque;
    return true;
}

/* The rows measured, or -1 with the error set. */
static int64_t measured_rows(FILE *stream, bool interrupted, struct error *e) {
    const struct decoder_settings settings = {.model = &model,
                                              .interrupted = {.stop = interrupted ? always : NULL}};
    struct dataset data = random_data(ROWS, FEATURES, false, 1);
    struct decoding *decoding = decoding_new(NULL, &settings, e);
    struct measure list[MEASURES_MOST];
    struct unknown_features unknown_features = {0};
    int64_t rows = -1, unknown;

    assert_non_null(decoding);
    if (decoding_data(decoding, &model, &data, stream, &unknown_features, e) == 0) {
        assert_true(decoding_finish(decoding, list, &rows, &unknown, e) > 0);
    }
    decoding_free(decoding);
    dataset_free(&data);
    return rows;
}

/* What a fold has learned is measured, though the signal has come; predictions for a file end. */
static void signal_ends_predictions_not_measures(void **state) {
    FILE *stream = tmpfile();
    struct error e = {0};

    (void)state;
    assert_non_null(stream);
    assert_int_equal(measured_rows(stream, false, &e), ROWS);
    assert_int_equal(measured_rows(NULL, true, &e), ROWS);
    assert_int_equal(e.kind, ERROR_NONE);
    assert_int_equal(measured_rows(stream, true, &e), -1);
    assert_non_null(strstr(e.words, "interrupted by a signal"));
    fclose(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signal_ends_predictions_not_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
