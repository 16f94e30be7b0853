/* test_sigmoid_fit.c - Platt's sigmoid against LIBSVM's, and on hard scores.
 *
 * The references are probA and probB of `svm-train -t 0 -c 100 -e 1e-10 -b 1` (LIBSVM 3.24) on examples with x = -1, 0
 * and 1, as many of each label as in `positives` and `negatives`. Most labels are -1, 1 and 1, so that each fold's
 * scores are -1, 1 and 3. */
#include "training/search/sigmoid_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 2000 };

static double score[MOST], target[MOST];

static int64_t add(int64_t from, int64_t count, double u, double y) {
    for (int64_t i = from; i < from + count; i++) {
        score[i] = u;
        target[i] = y;
    }
    return from + count;
}

static void equals_libsvm(void **state) {
    static const struct {
        int64_t positives[3], negatives[3];
        double sigmoid[2];
    } cases[] = {
        {{7, 90, 95}, {93, 20, 3}, {-1.6909979006403975, 0.48052015986746099}},
        {{1, 40, 12}, {30, 9, 0}, {-2.0594699593103964, 0.67908039325198577}},
        {{300, 30, 5}, {900, 20, 1}, {-0.73304744148937173, 0.36435359529085398}},
        {{0, 60, 4}, {50, 0, 0}, {-3.9583559420600629, -0.088865120205019701}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int64_t count = 0;
        double sigmoid[2];
        for (int side = 0; side < 3; side++) {
            count = add(count, cases[c].positives[side], 2 * side - 1, 1);
            count = add(count, cases[c].negatives[side], 2 * side - 1, -1);
        }
        sigmoid_fit(score, target, count, sigmoid);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(sigmoid[i] - cases[c].sigmoid[i]) <= 1e-6);
    }
}

/* Scores of all sizes. The references are the algorithm in the appendix of Lin, Lin & Weng 2007, in NumPy. */
static void equals_the_paper(void **state) {
    static const struct {
        int64_t count;
        double width, middle, sigmoid[2];
    } cases[] = {
        {37, 3, 0.4, {-0.26127157901784676, 0.39230398722849003}},
        {400, 1.5, -0.7, {-0.4570540867089255, -0.030730475728519148}},
        {2000, 20, 5, {-0.034644304141089578, 0.46600456233219267}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double sigmoid[2];
        for (int64_t i = 0; i < cases[c].count; i++) {
            double wave = sin((double)i + 1);
            add(i, 1, cases[c].width * wave + cases[c].middle,
                sin(1.7 * (double)i) + 0.5 * wave > 0.2 ? 1 : -1);
        }
        sigmoid_fit(score, target, cases[c].count, sigmoid);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(sigmoid[i] - cases[c].sigmoid[i]) <= 1e-6);
    }
}

/* One label alone, equal scores, huge scores, no scores at all. */
static void hard_scores_give_numbers(void **state) {
    static const double sizes[] = {0, 1e-300, 1, 1e8, 1e200};
    double sigmoid[2];
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int64_t negatives = 0; negatives < 3; negatives++) {
            int64_t count = add(add(0, 3, sizes[s], 1), negatives, -sizes[s], -1);
            sigmoid_fit(score, target, count, sigmoid);
            assert_true(isfinite(sigmoid[0]) && isfinite(sigmoid[1]));
        }
    sigmoid_fit(score, target, 0, sigmoid);
    assert_true(sigmoid[0] == 0 && sigmoid[1] == 0);
}

/* Scores in another unit have the same probabilities. */
static void the_unit_of_the_scores_does_not_matter(void **state) {
    static const double units[] = {0x1p-900, 0x1p-60, 0x1p-27, 0x1p30, 0x1p600};
    double sigmoid[2], other[2];
    (void)state;
    int64_t count = add(add(add(add(0, 90, 1, 1), 7, -1, 1), 93, -1, -1), 20, 1, -1);
    sigmoid_fit(score, target, count, sigmoid);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        for (int64_t i = 0; i < count; i++)
            score[i] *= units[u];
        sigmoid_fit(score, target, count, other);
        assert_true(other[0] * units[u] == sigmoid[0] && other[1] == sigmoid[1]);
        for (int64_t i = 0; i < count; i++)
            score[i] /= units[u];
    }
}

/* Scores in the wrong order give a sigmoid that decreases. */
static void the_sign_is_that_of_the_scores(void **state) {
    double sigmoid[2], turned[2];
    (void)state;
    int64_t count = add(add(add(0, 9, 1, 1), 2, -1, 1), 8, -1, -1);
    sigmoid_fit(score, target, count, sigmoid);
    for (int64_t i = 0; i < count; i++)
        score[i] = -score[i];
    sigmoid_fit(score, target, count, turned);
    assert_true(sigmoid[0] < 0 && turned[0] == -sigmoid[0] && turned[1] == sigmoid[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_libsvm),
                                       cmocka_unit_test(equals_the_paper),
                                       cmocka_unit_test(hard_scores_give_numbers),
                                       cmocka_unit_test(the_unit_of_the_scores_does_not_matter),
                                       cmocka_unit_test(the_sign_is_that_of_the_scores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
