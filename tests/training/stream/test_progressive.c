/* test_progressive.c - the losses of a stream's examples before they are learned: their means, and when they are
 * shown. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"
#include "training/stream/progressive.h"

enum { EXAMPLES = 11 };

static const double weights[EXAMPLES] = {1, 0, 2, 0.5, 1, 3, 1, 0, 1, 0.25, 2};
static const double scores[EXAMPLES] = {0, 2, -0.5, 0.5, 1, -3, 0.25, 5, 0, 1.5, -1};

static double target_of(int i) {
    return i % 3 == 0 ? 1 : -1;
}

static double hinge(double u, double y) {
    return fmax(0, 1 - y * u);
}

struct shown {
    int count;
    struct progressive_row row[EXAMPLES];
};

static void tell(void *context, const struct progressive_row *row) {
    struct shown *shown = context;
    shown->row[shown->count++] = *row;
}

static void begin(struct progressive *p, int64_t vectors, struct shown *shown) {
    static const struct loss_parameters none = {0};
    const struct progressive_visitor visitor = {tell, shown};
    *shown = (struct shown){0};
    assert_int_equal(progressive_init(p, loss_by_name("hinge"), &none, vectors, &visitor, NULL), 0);
}

static void add(struct progressive *p, int i, bool classes) {
    const struct progressive_example example = {.weight = weights[i],
                                                .score = &scores[i],
                                                .target = target_of(i),
                                                .label = i,
                                                .predicted = -i,
                                                .classes = classes,
                                                .right = i % 4 != 0,
                                                .features = 2 * i};
    assert_int_equal(progressive_add(p, &example, NULL), 0);
}

/* The mean of the examples from <= i < to. */
static double mean(int from, int to, double (*value)(int)) {
    double sum = 0, weight = 0;
    for (int i = from; i < to; i++) {
        sum += weights[i] * value(i);
        weight += weights[i];
    }
    return sum / weight;
}

static double loss_at(int i) {
    return hinge(scores[i], target_of(i));
}

static double null_loss_at(int i) {
    return hinge(0, target_of(i));
}

static double error_at_example(int i) {
    return i % 4 == 0;
}

/* After 1, 2, 4 and 8 examples and at the end; each with the means so far and since the row before. */
static void rows_have_the_weighted_means(void **state) {
    static const int ends[] = {1, 2, 4, 8, EXAMPLES};
    struct progressive p;
    struct shown shown;
    (void)state;
    begin(&p, 1, &shown);
    for (int i = 0; i < EXAMPLES; i++)
        add(&p, i, true);
    assert_int_equal(shown.count, 4);
    assert_int_equal(progressive_close(&p, NULL), 0);
    assert_int_equal(shown.count, 5);
    for (int k = 0; k < 5; k++) {
        const struct progressive_row *row = &shown.row[k];
        int from = k == 0 ? 0 : ends[k - 1], last = ends[k] - 1;
        assert_int_equal(row->examples, ends[k]);
        assert_near(row->loss, mean(0, ends[k], loss_at), 1e-15);
        assert_near(row->error, mean(0, ends[k], error_at_example), 1e-15);
        assert_near(row->last_loss, k == 1 ? 0 : mean(from, ends[k], loss_at), 1e-15);
        assert_true(row->label == last && row->predicted == -last && row->features == 2 * last);
        assert_memory_equal(&p.row[k], row, sizeof *row);
    }
    assert_near(p.vector[0].all.null_loss, mean(0, EXAMPLES, null_loss_at), 1e-15);
    assert_near(progressive_loss(&p), mean(0, EXAMPLES, loss_at), 1e-15);
    progressive_free(&p);
}

/* The late examples are those since the last power of 2, with those of the one before where these weigh more than twice
 * as much. */
static void late_means_are_of_the_latter_examples(void **state) {
    struct progressive p;
    struct shown shown;
    (void)state;
    begin(&p, 1, &shown);
    for (int i = 0; i < EXAMPLES; i++) {
        add(&p, i, true);
        if (i == 8 || i == EXAMPLES - 1) {
            int from = i == 8 ? 3 : 7;
            assert_near(progressive_late(&p, 0).loss, mean(from, i + 1, loss_at), 1e-15);
            assert_near(progressive_late(&p, 0).null_loss, mean(from, i + 1, null_loss_at), 1e-15);
        }
    }
    progressive_free(&p);
}

/* Examples whose labels change as often as in a random order, or one time in LENGTH. */
static bool is_sorted(int count, int length, int64_t vectors, double weight) {
    struct progressive p;
    struct shown shown;
    begin(&p, vectors, &shown);
    p.visitor.tell = NULL;
    for (int i = 0; i < count; i++) {
        double label = i / length % (vectors == 1 ? 2 : (int)vectors);
        const double score[4] = {0};
        const struct progressive_example example = {.weight = weight,
                                                    .score = score,
                                                    .target = vectors == 1 ? 2 * label - 1 : label,
                                                    .label = label,
                                                    .classes = true};
        assert_int_equal(progressive_add(&p, &example, NULL), 0);
    }
    bool sorted = progressive_is_sorted(&p);
    progressive_free(&p);
    return sorted;
}

static void long_runs_of_labels_are_seen(void **state) {
    (void)state;
    for (int64_t vectors = 1; vectors <= 3; vectors += 2) {
        assert_true(is_sorted(1200, 400, vectors, 1));
        assert_true(is_sorted(1200, 25, vectors, 1));
        assert_false(is_sorted(1200, 12, vectors, 1)); /* 99 of 600 or 800 changes are left */
        assert_false(is_sorted(90, 30, vectors, 1) && vectors == 1); /* few may be so by chance */
        assert_false(is_sorted(1200, 1200, vectors, 1));             /* one label */
        assert_false(is_sorted(1200, 400, vectors, 0));
    }
}

/* Later passes have no rows; a last row is not there twice. */
static void rows_are_of_the_first_pass(void **state) {
    struct progressive p;
    struct shown shown;
    (void)state;
    begin(&p, 1, &shown);
    for (int i = 0; i < 4; i++)
        add(&p, i, false);
    assert_int_equal(progressive_close(&p, NULL), 0);
    assert_int_equal(shown.count, 3);
    assert_true(isnan(shown.row[2].error)); /* numbers are not right or wrong */
    for (int i = 4; i < EXAMPLES; i++)
        add(&p, i, false);
    assert_int_equal(progressive_close(&p, NULL), 0);
    assert_true(shown.count == 3 && p.rows == 3 && p.now.examples == EXAMPLES);
    progressive_free(&p);
}

/* A label that comes late has had, up to then, the losses of the vector that was kept for it. */
static void a_late_label_has_the_losses_of_the_rest(void **state) {
    static const double score[2][5] = {{0.5, -0.5, 0.25, -2}, {1, 0, -1, 0.5, -0.25}};
    static const double target[2] = {1, 3};
    struct progressive p;
    struct shown shown;
    double sum[4] = {0};
    (void)state;
    begin(&p, 3, &shown);
    for (int n = 0; n < 2; n++) {
        const struct progressive_example example = {
            .weight = 1, .score = score[n], .target = target[n], .classes = true};
        if (n == 1) {
            assert_int_equal(progressive_add_vector(&p, NULL), 0);
            assert_memory_equal(&p.vector[3], &p.vector[4], sizeof p.vector[3]);
        }
        assert_int_equal(progressive_add(&p, &example, NULL), 0);
        for (int k = 0; k < 4; k++)
            sum[k] += hinge(score[n][k], target[n] == k ? 1 : -1);
    }
    assert_int_equal(p.vectors, 4);
    for (int k = 0; k < 4; k++) {
        assert_near(p.vector[k].all.loss, sum[k] / 2, 1e-15);
        assert_near(p.vector[k].all.null_loss, 1, 1e-15);
    }
    assert_near(progressive_loss(&p), (sum[0] + sum[1] + sum[2] + sum[3]) / 2, 1e-15);
    progressive_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_the_weighted_means),
        cmocka_unit_test(late_means_are_of_the_latter_examples),
        cmocka_unit_test(long_runs_of_labels_are_seen),
        cmocka_unit_test(rows_are_of_the_first_pass),
        cmocka_unit_test(a_late_label_has_the_losses_of_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
