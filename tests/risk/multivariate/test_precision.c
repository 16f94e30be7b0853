/* test_precision.c - the risks of precision at k and of the breakeven point beside all label vectors, and
 * their certified optima. */
#include "risk/multivariate/precision.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/risk/multivariate/multivariate_fixture.h"
#include "tests/risk_checks.h"

/* For k >= n_+; y itself is always there: a slack >= 0. */
static double one_less_precision(struct counts n, int64_t k) {
    if (n.wrong == 0 && n.missed == 0)
        return 0;
    return n.right + n.wrong == k ? (double)n.wrong / (double)k : NAN;
}

static int64_t positives(const double *label, int64_t m) {
    int64_t count = 0;
    for (int64_t i = 0; i < m; i++)
        count += label[i] > 0;
    return count;
}

/* Of the labels y'. */
static int64_t count_positives(const struct brute *brute, int64_t labels) {
    int64_t count = 0;
    for (int64_t i = 0; i < brute->m; i++)
        count += (brute->label[i] > 0) != brute_flips(labels, i);
    return count;
}

/* l^avg/k of Kar et al. for k < n_+, term by term: of the label vectors with k positives the largest
 * c/k + 1/k sum_i (y'_i - y_i) f_i + 1/(k C) sum of the missed f_i, y = 0 and 1, C = missed/(n_+ - k). */
static double average_surrogate(const struct brute *b) {
    double largest = -INFINITY, k = (double)b->k,
           spare = (double)(positives(b->label, b->m) - b->k);
    for (int64_t labels = 0; labels < (int64_t)1 << b->m; labels++) {
        double sum = 0, missed = 0, all_missed = 0, wrong = 0;
        for (int64_t i = 0; i < b->m; i++) {
            bool is = b->label[i] > 0, said = is != brute_flips(labels, i);
            sum += b->score[i] * (said - is);
            missed += is && !said;
            all_missed += is && !said ? b->score[i] : 0;
            wrong += !is && said;
        }
        if (count_positives(b, labels) == b->k)
            largest = fmax(largest, (wrong + sum + all_missed * (spare / missed)) / k);
    }
    return largest;
}

static void find_value(struct brute *brute) {
    if (brute->k < positives(brute->label, brute->m))
        brute->value = average_surrogate(brute);
    else
        brute_sharp(brute);
}

/* Calls `look` for risks of up to BRUTE_ROWS rows, at any k, at random scores. */
static void each_problem(void (*look)(const struct risk *risk, struct brute *brute,
                                      struct random *random)) {
    static const double sizes[] = {0, 0.1, 1, 4, 30};
    struct random random;
    random_seed(&random, 6, 0);
    for (int trial = 0; trial < 120; trial++) {
        double label[BRUTE_ROWS];
        struct brute brute = {.measure = one_less_precision, .label = label};
        brute.m = 1 + (int64_t)random_below(&random, trial < 110 ? 8 : BRUTE_ROWS);
        random_scores(&random, brute.m, sizes[trial % 5] * (double)brute.m, label, brute.score);
        int64_t at = trial % 3 ? 1 + (int64_t)random_below(&random, (uint64_t)brute.m) : 0;
        brute.k = at > 0 ? at : positives(label, brute.m);
        struct dataset data = identity_data(label, brute.m);
        struct risk *risk = risk_of_rows(trial % 6 ? "precision" : "prbep", &data, at, NULL);
        assert_non_null(risk);
        look(risk, &brute, &random);
        risk_free(risk);
        dataset_free(&data);
    }
}

static void look_at_value(const struct risk *risk, struct brute *brute, struct random *random) {
    (void)random;
    find_value(brute);
    brute_check_value(risk, brute, 1e-12 * (1 + fabs(brute->value)));
}

/* 1 - precision of the first K; among equal scores negatives come first. */
static double wrong_at_top(const struct brute *b) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < b->m; i++) {
        int64_t before = 0;
        for (int64_t j = 0; j < b->m; j++)
            before += b->score[j] > b->score[i] ||
                      (b->score[j] == b->score[i] &&
                       (b->label[j] < b->label[i] || (b->label[j] == b->label[i] && j < i)));
        wrong += before < b->k && b->label[i] < 0;
    }
    return (double)wrong / (double)b->k;
}

/* For k <= n_+; and some scores have the risk 0. */
static void look_at_bound(const struct risk *risk, struct brute *brute, struct random *random) {
    (void)random;
    if (brute->k > positives(brute->label, brute->m))
        return;
    assert_true(risk_evaluate(risk, brute->score, 0, NULL) >= wrong_at_top(brute) - 1e-12);
    for (int64_t i = 0; i < brute->m; i++)
        brute->score[i] = brute->label[i] * (double)brute->m;
    assert_true(risk_evaluate(risk, brute->score, 0, NULL) == 0);
}

static void the_risk_is_above_the_wrong_share_at_the_top(void **state) {
    (void)state;
    each_problem(look_at_bound);
}

static void the_value_is_that_of_the_worst_labels(void **state) {
    (void)state;
    each_problem(look_at_value);
}

/* V_mu is the largest of sum_i z_i (e_i + [y = -1]/k) - mu s/2 ||z||^2 over the means of label vectors with
 * k positives: Z is such a mean, gives the value, and no step to any other raises it; s is as large as has
 * the last term at most mu. */
static void check_mean(struct brute *brute, double mu, double V, double t, const double *z) {
    int64_t m = brute->m, n = positives(brute->label, m);
    double slope[BRUTE_ROWS], largest = 1, sum = 0, value = 0, wrong = 0, delta;
    for (int64_t labels = 0; labels < (int64_t)1 << m; labels++)
        if (count_positives(brute, labels) == brute->k)
            largest = fmax(largest, __builtin_popcountll((unsigned long long)labels));
    for (int64_t i = 0; i < m; i++) {
        double y = brute->label[i], s = 2 / largest;
        double gain = -2 / (double)m * y * brute->score[i] + (y < 0 ? 1 / (double)brute->k : 0);
        assert_true(z[i] >= -1e-12 && z[i] <= 1 + 1e-12);
        sum -= y * z[i];
        wrong += y < 0 ? z[i] / (double)brute->k : 0;
        value += z[i] * gain - mu * s / 2 * z[i] * z[i];
        slope[i] = gain - mu * s * z[i];
    }
    assert_near(sum, (double)(brute->k - n), 1e-10);
    assert_near(t, wrong, 1e-11);
    assert_near(V, value, 1e-10 * (1 + fabs(value)));
    for (int64_t labels = 0; labels < (int64_t)1 << m; labels++) {
        double rise = 0;
        brute_gain(brute, labels, &delta);
        for (int64_t i = 0; i < m; i++)
            rise += slope[i] * (brute_flips(labels, i) - z[i]);
        assert_true(count_positives(brute, labels) != brute->k ||
                    rise <= 1e-10 * (1 + fabs(value)));
    }
}

static void look_at_smoothing(const struct risk *risk, struct brute *brute, struct random *random) {
    if (!isfinite(risk->smoothing))
        return;
    int64_t m = brute->m;
    double g[BRUTE_ROWS], z[BRUTE_ROWS], t, mu = pow(10, -3 * random_unit(random)), a = 1;
    double R = risk_linearize(risk, brute->score, mu, g, &t), V = R;
    brute_sharp(brute);
    assert_true(R <= brute->value + 1e-12 && R >= brute->value - mu * risk->smoothing - 1e-12);
    if (brute->k != positives(brute->label, m)) { /* R = a V - mu a^2/2 */
        V = R >= mu / 2 ? R + mu / 2 : sqrt(2 * mu * R);
        a = fmin(1, V / mu);
    }
    if (a < 1e-3)
        return;
    for (int64_t i = 0; i < m; i++)
        z[i] = -(double)m * brute->label[i] * g[i] / 2 / a;
    check_mean(brute, mu, V, t / a, z);
}

static void the_smoothed_risk_is_the_largest_of_all_means(void **state) {
    (void)state;
    each_problem(look_at_smoothing);
}

/* z is on the plane, R_mu between R - mu D and R, and its plane below R at the scores, at 0 and where labels
 * are told apart, for a smoothing of the last digits of the scores as well. */
static void check_planes(const struct risk *risk, const struct brute *brute, double mu) {
    int64_t m = brute->m;
    double g[BRUTE_ROWS], t, largest = 0, smallest;
    double sharp = risk_evaluate(risk, brute->score, 0, NULL);
    double R = risk_linearize(risk, brute->score, mu, g, &t), sum = 0, at = t, apart = t;
    for (int64_t i = 0; i < m; i++) {
        largest = fmax(largest, fabs(brute->score[i]));
        sum += g[i] * (double)m / 2;
        at += g[i] * brute->score[i];
        apart += g[i] * brute->label[i] * (double)m;
    }
    double slack = 4e-16 * (double)m * (1 + largest);
    smallest = sharp - mu * risk->smoothing;
    assert_true(R <= sharp + slack && R >= smallest - slack);
    assert_true(at <= sharp + slack && at >= R - slack);
    assert_true(t <= 1 + 1e-15 * (double)m);
    if (brute->k == positives(brute->label, m)) {
        assert_near(sum, 0, 1e-15 * (double)m);
        assert_true(apart <= slack * (double)m); /* R = 0 there */
    }
}

static void look_at_least_smoothing(const struct risk *risk, struct brute *brute,
                                    struct random *random) {
    for (int k = 0; k < 20 && isfinite(risk->smoothing); k++)
        check_planes(risk, brute, pow(10, -3 - 13 * random_unit(random)));
}

/* A smoothing below rounding is not applied; D is not larger than necessary. */
static void look_at_ends(const struct risk *risk, struct brute *brute, struct random *random) {
    double h[BRUTE_ROWS], sharp;
    (void)random;
    if (!isfinite(risk->smoothing))
        return;
    for (double mu = 1e-15; mu > 1e-305; mu *= 1e-58)
        brute_check_sharp(risk, brute, mu);
    for (int64_t i = 0; i < brute->m; i++) /* as many flips as there can be */
        h[i] = -(double)((10 + i) * brute->m) * brute->label[i];
    sharp = risk_evaluate(risk, h, 0, NULL);
    if (sharp > 0) /* there are flips at all */
        assert_near(sharp - risk_evaluate(risk, h, 0.1, NULL), 0.1 * risk->smoothing, 1e-11);
}

static void the_ends_of_smoothing(void **state) {
    (void)state;
    each_problem(look_at_ends);
}

static void the_least_smoothing_has_planes_below(void **state) {
    (void)state;
    each_problem(look_at_least_smoothing);
}

static void what_holds_for_all_risks_holds(void **state) {
    (void)state;
    struct dataset data = random_data(60, 6, false, 9);
    for (int k = 0; k < 3; k++) {
        struct risk *risk = risk_of_rows("precision", &data, k == 0 ? 0 : k == 1 ? 5 : 50, NULL);
        check_risk(risk, 3, 0.3, 1);
        check_risk(risk, 100, 0.3, 2);
        if (k != 1)
            check_least_smoothing(risk, 3, 3);
        risk_free(risk);
    }
    dataset_free(&data);
}

static void refusals_are_in_one_line(void **state) {
    (void)state;
    struct dataset data = random_data(9, 3, false, 1);
    struct error e = {0};
    assert_null(risk_of_rows("precision", &data, 10, &e));
    assert_string_equal(e.words, "--at 10: out of range: there are 9 examples");
    struct risk *risk = risk_of_rows("precision", &data, 9, NULL);
    assert_non_null(risk);
    risk_free(risk);
    for (int i = 0; i < 9; i++)
        data.label[i] = i < 5 ? 1 : -1;
    risk = risk_of_rows("precision", &data, 4, NULL);
    e = (struct error){0};
    assert_int_equal(risk_smooth(risk, &e), -1);
    assert_string_equal(e.words, "-L precision --at 4, less than the 5 positives, has no smoothed "
                                 "form; -s bundle needs none, with -r l2, elastic-net or entropy");
    risk_free(risk);
    for (int i = 0; i < 9; i++)
        data.label[i] = -1;
    e = (struct error){0};
    assert_null(risk_of_rows("prbep", &data, 0, &e));
    assert_non_null(strstr(e.words, "positive"));
    dataset_free(&data);
}

static void solvers_agree(void **state) {
    (void)state;
    check_solvers_agree("prbep", 0, 1e-2);
    check_solvers_agree("precision", 0, 1e-2);
    check_solvers_agree("precision", 100, 1e-2);
    check_solvers_agree("precision", 900, 1e-2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_is_that_of_the_worst_labels),
        cmocka_unit_test(the_risk_is_above_the_wrong_share_at_the_top),
        cmocka_unit_test(the_smoothed_risk_is_the_largest_of_all_means),
        cmocka_unit_test(the_ends_of_smoothing),
        cmocka_unit_test(the_least_smoothing_has_planes_below),
        cmocka_unit_test(what_holds_for_all_risks_holds),
        cmocka_unit_test(refusals_are_in_one_line),
        cmocka_unit_test(solvers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
