/* test_measures.c - measures against their definitions: AUC over all pairs, means in two passes. */
#include "math/random/random.h"
#include "prediction/auc.h"
#include "prediction/measures.h"
#include "tests/size.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_ROWS = 3000 };

struct sample {
    int count;
    double score[MAX_ROWS];
    bool positive[MAX_ROWS];
};

/* Scores of few distinct values (ties) when `levels` > 0. */
static void draw(struct sample *sample, int count, int levels, uint64_t seed) {
    struct random random;
    random_seed(&random, seed, 0);
    sample->count = count;
    for (int i = 0; i < count; i++) {
        sample->positive[i] = random_unit(&random) < 0.3;
        sample->score[i] = 10 * (random_unit(&random) - 0.5) + sample->positive[i];
        if (levels > 0)
            sample->score[i] = (double)random_below(&random, (uint64_t)levels) - levels / 2;
        if (sample->score[i] == 0 && i % 2 == 0)
            sample->score[i] = -0.0;
    }
}

static double all_pairs(const struct sample *sample) {
    double pairs = 0, right = 0;
    for (int i = 0; i < sample->count; i++)
        for (int j = 0; j < sample->count; j++)
            if (sample->positive[i] && !sample->positive[j]) {
                pairs++;
                right += sample->score[i] > sample->score[j];
                right += 0.5 * (sample->score[i] == sample->score[j]);
            }
    return right / pairs;
}

static double auc_of(const struct sample *sample, int64_t exact_rows, bool *approximate) {
    struct error e = {0};
    double value;
    struct auc *auc = auc_new(exact_rows, &e);
    assert_non_null(auc);
    for (int i = 0; i < sample->count; i++)
        assert_int_equal(auc_add(auc, sample->score[i], sample->positive[i], &e), 0);
    assert_int_equal(auc_value(auc, &value, approximate, &e), 0);
    auc_free(auc);
    return value;
}

static void auc_equals_all_pairs(void **state) {
    (void)state;
    static struct sample sample;
    bool approximate;
    for (int trial = 0; trial < PART(40, 5); trial++) {
        draw(&sample, 50 + 20 * trial, trial % 2 == 0 ? 0 : 1 + trial, (uint64_t)trial);
        double value = auc_of(&sample, AUC_EXACT_ROWS, &approximate);
        assert_false(approximate);
        assert_true(fabs(value - all_pairs(&sample)) < 1e-15);
    }
}

static void auc_of_extreme_scores(void **state) {
    (void)state;
    static struct sample sample = {
        6, {-1e308, 1e308, 5e-324, -5e-324, 0, -0.0}, {false, true, true, false, true, false}};
    bool approximate;
    assert_true(fabs(auc_of(&sample, AUC_EXACT_ROWS, &approximate) - 8.5 / 9) < 1e-15);
}

static void auc_of_bins_is_near(void **state) {
    (void)state;
    static struct sample sample;
    bool approximate;
    for (int trial = 0; trial < PART(4, 3); trial++) {
        draw(&sample, MAX_ROWS, trial % 2 == 0 ? 0 : 30, (uint64_t)trial);
        double value = auc_of(&sample, 100 * trial, &approximate);
        assert_true(approximate);
        assert_true(fabs(value - all_pairs(&sample)) < 1e-4);
    }
}

static void auc_of_one_class(void **state) {
    (void)state;
    static struct sample sample = {2, {1, 2}, {true, true}};
    bool approximate;
    assert_true(isnan(auc_of(&sample, AUC_EXACT_ROWS, &approximate)));
}

static double named(const struct measure *list, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].value;
    fail_msg("no measure %s", name);
    return 0;
}

static void two_classes(void **state) {
    (void)state;
    static const double labels[] = {1, -1};
    /* true, predicted, score: 2 true positives, 1 false positive, 1 missed, 1 unknown, 1 unlabelled
     */
    static const double rows[][3] = {{1, 1, 2},    {1, 1, 1},   {-1, 1, 0.5}, {1, -1, -1},
                                     {-1, -1, -3}, {7, -1, -2}, {NAN, 1, 9}};
    struct measure list[MEASURES_MAX];
    struct error e = {0};
    struct measures *measures = measures_new(labels, 2, 0, &e);
    for (int i = 0; i < 7; i++)
        assert_int_equal(measures_add(measures, rows[i][0], rows[i][1], rows[i][2], &e), 0);
    int count = measures_finish(measures, list, &e);
    assert_int_equal(count, 5);
    struct measured_rows measured = measures_rows(measures);
    assert_true(measured.labelled == 6 && measured.unknown == 1 && measured.first_unknown == 7);
    assert_true(named(list, count, "Accuracy") == 3.0 / 6);
    assert_true(named(list, count, "precision") == 2.0 / 3);
    assert_true(named(list, count, "recall") == 2.0 / 3);
    assert_true(named(list, count, "F1") == 4.0 / 6);
    assert_true(*list[2].positive == 1 && list[0].positive == NULL);
    assert_true(fabs(named(list, count, "AUC") - 8.0 / 9) < 1e-15);
    measures_free(measures);
}

/* The mean over all orders of equal scores, of random ones on few values, counted row by row; exact and by bins,
 * whose scores are apart. */
static void precision_of_the_first(void **state) {
    (void)state;
    enum { ROWS = 40, TIED = 6 };
    struct random random;
    random_seed(&random, 11, 0);
    for (int trial = 0; trial < PART(15, 3); trial++) {
        struct auc *auc = auc_new(trial % 2 ? ROWS : 8, NULL);
        int64_t positive[TIED] = {0}, count[TIED] = {0}, rows = 2 + 7 * trial % ROWS;
        double area;
        bool approximate;
        for (int64_t i = 0; i < rows; i++) {
            int64_t score = (int64_t)random_below(&random, TIED);
            bool is = i < 2 ? i == 0 : random_below(&random, 3) == 0;
            positive[score] += is;
            count[score]++;
            assert_int_equal(auc_add(auc, (double)(score - 2), is, NULL), 0);
        }
        assert_int_equal(auc_value(auc, &area, &approximate, NULL), 0);
        for (int64_t k = 1; k < ROWS + 10; k += 12) {
            int64_t counted = k < rows ? k : rows, left = counted;
            double expected = 0;
            for (int64_t s = TIED - 1; s >= 0 && left > 0; s--) {
                int64_t taken = count[s] < left ? count[s] : left;
                expected += count[s] > 0 ? (double)(taken * positive[s]) / (double)count[s] : 0;
                left -= taken;
            }
            assert_true(fabs(auc_precision(auc, k) - expected / (double)counted) < 1e-14);
        }
        auc_free(auc);
    }
}

/* Of six rows, one without a label that counts; K beyond all rows means all of them. */
static void precision_at_k(void **state) {
    (void)state;
    static const double labels[] = {1, -1};
    static const double rows[][2] = {{1, 2}, {1, 1}, {-1, 0.5}, {1, -1}, {NAN, 9}, {-1, 2}};
    static const double expected[] = {0.5, 0.5, 2.0 / 3, 0.5, 0.6, 0.6};
    for (int64_t k = 1; k <= 6; k++) {
        struct measure list[MEASURES_MAX];
        char name[20];
        struct measures *measures = measures_new(labels, 2, k, NULL);
        for (int i = 0; i < 6; i++)
            measures_add(measures, rows[i][0], rows[i][1] > 0 ? 1 : -1, rows[i][1], NULL);
        int count = measures_finish(measures, list, NULL);
        snprintf(name, sizeof name, "precision@%d", (int)k);
        assert_int_equal(count, 6);
        assert_true(fabs(named(list, count, name) - expected[k - 1]) < 1e-15);
        measures_free(measures);
    }
    struct measure list[MEASURES_MAX];
    for (int one = 0; one < 2; one++) { /* of one class alone */
        struct measures *measures = measures_new(labels, 2, 3, NULL);
        measures_add(measures, labels[one], 1, 0.5, NULL);
        assert_true(named(list, measures_finish(measures, list, NULL), "precision@3") == 1 - one);
        measures_free(measures);
    }
}

static void nothing_labelled(void **state) {
    (void)state;
    struct measure list[MEASURES_MAX];
    struct error e = {0};
    for (int64_t labels = 0; labels < 4; labels++) {
        static const double label[] = {1, 2, 3};
        struct measures *measures = measures_new(label, labels, 0, &e);
        assert_int_equal(measures_add(measures, NAN, 1, 1, &e), 0);
        assert_int_equal(measures_finish(measures, list, &e), 0);
        measures_free(measures);
    }
}

static void many_classes(void **state) {
    (void)state;
    static const double labels[] = {3, 1, 2};
    struct measure list[MEASURES_MAX];
    struct error e = {0};
    struct measures *measures = measures_new(labels, 3, 0, &e);
    for (int i = 0; i < 4; i++)
        assert_int_equal(measures_add(measures, i, 3, 0, &e), 0);
    assert_int_equal(measures_finish(measures, list, &e), 1);
    assert_true(list[0].value == 0.25);
    struct measured_rows measured = measures_rows(measures);
    assert_true(measured.labelled == 4 && measured.unknown == 1 && measured.first_unknown == 0);
    measures_free(measures);
}

/* Labels far from zero: a sum of squares would lose all digits. */
static void regression(void **state) {
    (void)state;
    enum { ROWS = 100000 };
    static long double label[ROWS], prediction[ROWS];
    struct random random;
    struct measure list[MEASURES_MAX];
    struct error e = {0};
    long double mean = 0, square = 0, absolute = 0, spread = 0;
    struct measures *measures = measures_new(NULL, 0, 0, &e);
    random_seed(&random, 3, 0);
    for (int i = 0; i < ROWS; i++) {
        label[i] = (double)(1e9L + random_unit(&random));
        prediction[i] = (double)(label[i] + random_unit(&random) - 0.5L);
        assert_int_equal(measures_add(measures, (double)label[i], (double)prediction[i], 0, &e), 0);
        mean += label[i] / ROWS;
        square += (prediction[i] - label[i]) * (prediction[i] - label[i]) / ROWS;
        absolute += fabsl(prediction[i] - label[i]) / ROWS;
    }
    for (int i = 0; i < ROWS; i++)
        spread += (label[i] - mean) * (label[i] - mean) / ROWS;
    int count = measures_finish(measures, list, &e);
    assert_int_equal(count, 3);
    assert_true(fabsl(named(list, count, "MSE") - square) < 1e-13L);
    assert_true(fabsl(named(list, count, "MAE") - absolute) < 1e-13L);
    assert_true(fabsl(named(list, count, "R2") - (1 - square / spread)) < 1e-7L);
    measures_free(measures);
}

/* Against the definitions; of two classes the Brier score is that of the first. Rows without a label, or with one that
 * the model does not have, do not count. */
static void probabilities(void **state) {
    static const double three[] = {7, 2, 5}, two[] = {1, -1};
    static const double row[][3] = {{0.5, 0.25, 0.25}, {0, 1, 0}, {0.125, 0.375, 0.5}};
    struct measure list[MEASURES_MAX];
    (void)state;
    for (int labels = 2; labels <= 3; labels++) {
        const double *label = labels == 2 ? two : three;
        struct measures *measures = measures_new(label, labels, 0, NULL);
        double loss = 0, square = 0;
        for (int i = 0; i < 3; i++) {
            int truth = labels == 2 ? i % 2 : 2 - i;
            const double two_of_row[2] = {row[i][0], 1 - row[i][0]};
            const double *p = labels == 2 ? two_of_row : row[i];
            loss -= log(p[truth]) / 3;
            for (int k = 0; k < labels; k++)
                square += (p[k] - (k == truth)) * (p[k] - (k == truth)) / (labels == 2 ? 6 : 3);
            measures_add_probabilities(measures, label[truth], false, p);
            measures_add_probabilities(measures, 99, false, p);
            measures_add_probabilities(measures, NAN, false, p);
            measures_add(measures, label[truth], label[0], 0, NULL);
        }
        int count = measures_finish(measures, list, NULL);
        assert_true(fabs(named(list, count, "log loss") - loss) < 1e-12);
        assert_true(fabs(named(list, count, "Brier score") - square) < 1e-12);
        measures_free(measures);
    }
}

/* A probability of 0 of the true label, and a label among the others of one against the rest. */
static void impossible_labels(void **state) {
    static const double labels[] = {4, -1}, p[] = {1, 0};
    struct measure list[MEASURES_MAX];
    (void)state;
    struct measures *measures = measures_new(labels, 2, 0, NULL);
    measures_add_probabilities(measures, 8, true, p);
    measures_add(measures, -1, 4, 0, NULL);
    int count = measures_finish(measures, list, NULL);
    assert_true(fabs(named(list, count, "log loss") + log(0x1p-52)) < 1e-12);
    assert_true(named(list, count, "Brier score") == 1);
    measures_free(measures);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities),        cmocka_unit_test(impossible_labels),
        cmocka_unit_test(auc_equals_all_pairs), cmocka_unit_test(auc_of_extreme_scores),
        cmocka_unit_test(auc_of_bins_is_near),  cmocka_unit_test(auc_of_one_class),
        cmocka_unit_test(two_classes),          cmocka_unit_test(precision_of_the_first),
        cmocka_unit_test(precision_at_k),       cmocka_unit_test(nothing_labelled),
        cmocka_unit_test(many_classes),         cmocka_unit_test(regression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
