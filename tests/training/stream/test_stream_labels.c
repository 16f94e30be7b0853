/* test_stream_labels.c - the labels of a stream that are met late: targets, predictions, the order of the model. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "training/stream/stream_labels.h"

struct fixture {
    struct training_request request;
    struct classes classes;
    struct stream_labels labels;
    struct error error;
};

/* COUNT labels, known or not-a-number; of two that share a vector the first is the positive one. */
static void begin(struct fixture *f, int64_t vectors, int64_t count, const double *label) {
    *f = (struct fixture){.request = {.data_name = "data", .start_name = "start"}};
    f->classes = (struct classes){.labels = count, .vectors = vectors};
    f->classes.label = malloc(sizeof *label * (size_t)count);
    assert_non_null(f->classes.label);
    memcpy(f->classes.label, label, sizeof *label * (size_t)count);
    f->labels = (struct stream_labels){.request = &f->request, .classes = &f->classes};
}

static void end(struct fixture *f) {
    free(f->classes.label);
}

static void check_target(struct fixture *f, double label, int status, double expected) {
    double target = NAN;
    assert_int_equal(stream_labels_target(&f->labels, label, 7, &target, &f->error), status);
    if (status >= 0)
        assert_true(target == expected);
}

static void a_second_label_comes_late(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 1, 2, (double[]){5, NAN});
    check_target(&f, 5, 0, 1);
    assert_int_equal(stream_labels_check(&f.labels, &f.error), -1);
    assert_non_null(strstr(f.error.words, "only one label (5)"));
    f.error = (struct error){0};
    check_target(&f, -0.0, 0, -1);
    assert_true(f.classes.label[1] == 0 && !signbit(f.classes.label[1]));
    assert_int_equal(stream_labels_check(&f.labels, &f.error), 0);
    assert_true(stream_labels_predict(&f.labels, (double[]){0.1}) == 5);
    assert_true(stream_labels_predict(&f.labels, (double[]){0}) == 0);
    check_target(&f, 2, -1, 0);
    assert_non_null(strstr(f.error.words, "example 7 has a third label, 2"));
    end(&f);
}

/* Vectors have learned already which label is positive: a larger one comes too late. */
static void a_larger_label_comes_too_late(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 1, 2, (double[]){5, NAN});
    check_target(&f, 6, -1, 0);
    assert_non_null(strstr(f.error.words, "say which is positive by -P"));
    end(&f);
    begin(&f, 1, 2, (double[]){NAN, 5});
    check_target(&f, 6, 0, 1);
    end(&f);
}

static void the_rest_of_a_positive_label_is_negative(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 1, 2, (double[]){-1, NAN});
    f.request.positive_given = true;
    check_target(&f, 4, 0, -1);
    assert_int_equal(stream_labels_check(&f.labels, &f.error), -1);
    assert_non_null(strstr(f.error.words, "label -1 (-P) does not occur"));
    check_target(&f, 3, 0, -1);
    assert_true(f.classes.against_rest && f.classes.label[1] == 1);
    check_target(&f, 9, 0, -1);
    check_target(&f, -1, 0, 1);
    assert_int_equal(stream_labels_check(&f.labels, &f.error), 0);
    end(&f);
}

static void a_further_label_gets_a_vector(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 3, 3, (double[]){4, 1, 7});
    check_target(&f, 1, 0, 1);
    check_target(&f, 2, 1, 3);
    assert_int_equal(stream_labels_add(&f.labels, 2, &f.error), 0);
    assert_true(f.classes.labels == 4 && f.classes.vectors == 4);
    check_target(&f, 2, 0, 3);
    check_target(&f, 7, 0, 2);
    assert_true(stream_labels_predict(&f.labels, (double[]){1, 0.5, 1, 1}) ==
                2); /* of equal ones the smallest */
    assert_true(stream_labels_predict(&f.labels, (double[]){0, 0.5, 1, -1}) == 7);
    int64_t order[4];
    stream_labels_finish(&f.labels, order);
    assert_memory_equal(order, ((int64_t[]){1, 3, 0, 2}), sizeof order);
    assert_memory_equal(f.classes.label, ((double[]){1, 2, 4, 7}), 4 * sizeof(double));
    end(&f);
}

/* Two labels with a vector each: the model has that of the larger one. */
static void two_vectors_become_one(void **state) {
    (void)state;
    for (int larger = 0; larger < 2; larger++) {
        struct fixture f;
        int64_t order[2] = {-1, -1};
        begin(&f, 2, 2, (double[]){5, NAN});
        assert_int_equal(stream_labels_check(&f.labels, &f.error), -1);
        check_target(&f, larger ? 8 : 3, 0, 1);
        assert_int_equal(stream_labels_check(&f.labels, NULL), 0);
        stream_labels_finish(&f.labels, order);
        assert_true(f.classes.vectors == 1 && order[0] == larger && order[1] == -1);
        assert_true(f.classes.label[0] == (larger ? 8 : 5) &&
                    f.classes.label[1] == (larger ? 5 : 3));
        end(&f);
    }
}

static void numbers_are_their_own_targets(void **state) {
    struct fixture f = {.request = {.data_name = "data"}};
    (void)state;
    f.labels = (struct stream_labels){.request = &f.request, .classes = &f.classes};
    check_target(&f, 2.5, 0, 2.5);
    assert_true(stream_labels_predict(&f.labels, (double[]){-3.5}) == -3.5);
    assert_int_equal(stream_labels_check(&f.labels, &f.error), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_label_comes_late),
        cmocka_unit_test(a_larger_label_comes_too_late),
        cmocka_unit_test(the_rest_of_a_positive_label_is_negative),
        cmocka_unit_test(a_further_label_gets_a_vector),
        cmocka_unit_test(two_vectors_become_one),
        cmocka_unit_test(numbers_are_their_own_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
