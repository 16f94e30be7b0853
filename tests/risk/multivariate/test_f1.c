/* test_f1.c - the risk of F1 beside all label vectors, exact and smoothed, and its certified optimum. */
#include "risk/multivariate/f1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "risk/multivariate/f1_peak.h"
#include "risk/multivariate/f1_smooth.h"
#include "tests/math/subset_sums/subset_reference.h"
#include "tests/risk/multivariate/multivariate_fixture.h"
#include "tests/risk_checks.h"

#include <malloc.h>

static double one_less_f1(struct counts n, int64_t k) {
    (void)k;
    return 1 - 2 * (double)n.right / (double)(2 * n.right + n.missed + n.wrong);
}

static const double sizes[] = {0, 0.1, 1, 4, 30};

/* Calls LOOK for risks of up to BRUTE_ROWS rows at random scores. */
static void each_problem(void (*look)(const struct risk *risk, struct brute *brute)) {
    struct random random;
    random_seed(&random, 8, 0);
    for (int trial = 0; trial < 60; trial++) {
        double label[BRUTE_ROWS];
        struct brute brute = {.measure = one_less_f1, .label = label};
        brute.m = 1 + (int64_t)random_below(&random, trial < 50 ? 8 : BRUTE_ROWS);
        random_scores(&random, brute.m, sizes[trial % 5] * (double)brute.m, label, brute.score);
        struct dataset data = identity_data(label, brute.m);
        struct risk *risk = risk_of_rows("f1", &data, 0, NULL);
        assert_non_null(risk);
        assert_int_equal(risk_smooth(risk, NULL), 0);
        look(risk, &brute);
        risk_free(risk);
        dataset_free(&data);
    }
}

static void look_at_value(const struct risk *risk, struct brute *brute) {
    brute_sharp(brute);
    brute_check_value(risk, brute, 1e-12);
}

static void the_value_is_that_of_the_worst_labels(void **state) {
    (void)state;
    each_problem(look_at_value);
}

static void look_at_smoothing(const struct risk *risk, struct brute *brute) {
    static const double mus[] = {10, 1, 0.1, 0.01, 1e-3, 1e-5, 1e-9};
    for (size_t k = 0; k < sizeof mus / sizeof *mus; k++) {
        double g[BRUTE_ROWS], t, m = (double)brute->m;
        brute_smooth(brute, mus[k]);
        double value = risk_linearize(risk, brute->score, mus[k], g, &t);
        double digits = 1e-12 + 1e-14 * (1 + fabs(brute->value)) / mus[k];
        assert_near(value, brute->value, 1e-12 * (1 + fabs(brute->value)));
        assert_near(t, brute->delta, digits);
        for (int64_t i = 0; i < brute->m; i++)
            assert_near(g[i], -2 / m * brute->label[i] * brute->flip[i], digits);
    }
}

/* A smoothing below rounding is not applied; D is no larger than it must be. */
static void look_at_ends(const struct risk *risk, struct brute *brute) {
    double h[BRUTE_ROWS], sharp = risk_evaluate(risk, brute->score, 0, NULL);
    assert_near(risk_evaluate(risk, brute->score, 1e-13, NULL), sharp, 1e-12 * (1 + fabs(sharp)));
    for (double mu = 1e-30; mu > 1e-305; mu *= 1e-90)
        brute_check_sharp(risk, brute, mu);
    for (int64_t i = 0; i < brute->m; i++) /* one label vector far above all others */
        h[i] = -50 * (double)brute->m * brute->label[i];
    assert_near(risk_evaluate(risk, h, 0, NULL) - risk_evaluate(risk, h, 0.1, NULL),
                0.1 * risk->smoothing, 1e-9);
}

static void the_ends_of_smoothing(void **state) {
    (void)state;
    each_problem(look_at_ends);
}

static void the_smoothed_risk_is_that_of_all_labels(void **state) {
    (void)state;
    each_problem(look_at_smoothing);
}

/* All (b, c) beside the staircase, with sums that rise and fall. */
static void the_staircase_finds_the_peak(void **state) {
    (void)state;
    enum { MAX_ROWS = 40 };
    struct random random;
    random_seed(&random, 2, 0);
    for (int trial = 0; trial < 3000; trial++) {
        int64_t max_size =
            trial < 300 ? MAX_ROWS : 4; /* at four, rises of Delta and gains are of one size */
        double missed[MAX_ROWS + 1] = {0}, wrong[MAX_ROWS + 1] = {0},
                                 step = random_unit(&random) - 0.5;
        struct f1_sums sums = {random_below(&random, 2) ? 1 : 1e3 * random_unit(&random),
                               1 + (int64_t)random_below(&random, (uint64_t)max_size),
                               (int64_t)random_below(&random, (uint64_t)max_size + 1), missed,
                               wrong};
        double size = sums.scale * 4 * random_unit(&random) / (double)max_size, best = -INFINITY;
        for (int64_t b = 1; b <= sums.positives; b++)
            missed[b] = missed[b - 1] + size * (random_unit(&random) - 0.5);
        for (int64_t c = 1; c <= sums.negatives;
             c++, step -= random_unit(&random) / (double)max_size)
            wrong[c] = wrong[c - 1] + size * step;
        for (int64_t b = 0; b <= sums.positives; b++)
            for (int64_t c = 0; c <= sums.negatives; c++)
                best = fmax(best, f1_value(&sums, b, c));
        struct f1_peak peak = f1_find_peak(&sums);
        assert_near(peak.value, best, 1e-13 * sums.scale);
        assert_near(f1_value(&sums, peak.b, peak.c), peak.value, 0);
    }
}

/* Hundreds of rows: R_mu by the whole dynamic program of section 5.4, in logarithms. */
static double whole_program(const struct dataset *data, const double *score, double mu,
                            double *mean) {
    int64_t m = data->rows, n[2] = {0, 0};
    double *x[2] = {malloc(sizeof(double) * (size_t)m), malloc(sizeof(double) * (size_t)m)};
    for (int64_t i = 0; i < m; i++) {
        int side = data->label[i] < 0;
        x[side][n[side]++] = -2 / (double)m * data->label[i] * score[i] / mu;
    }
    long double *F = log_sums(x[0], n[0], -1), *G = log_sums(x[1], n[1], -1);
    long double Z = -INFINITY, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t b = 0; b <= n[0]; b++)
            for (int64_t c = 0; c <= n[1]; c++) {
                long double delta = f1_delta(n[0], b, c), term = delta / mu + F[b] + G[c];
                if (pass == 0)
                    Z = add_logs(Z, term);
                else
                    sum += expl(term - Z) * delta;
            }
    free(x[0]);
    free(x[1]);
    free(F);
    free(G);
    *mean = (double)sum;
    return mu * (double)(Z - (long double)m * logl(2));
}

static void windows_lose_nothing(void **state) {
    (void)state;
    enum { MANY_ROWS = 400, SOME_FEATURES = 5 };
    static const double mus[] = {1, 1e-2, 2e-3, 3e-4, 5e-5, 1e-6};
    struct random random;
    random_seed(&random, 4, 0);
    struct dataset data = random_data(MANY_ROWS, SOME_FEATURES, false, 3);
    for (int64_t i = 0; i < MANY_ROWS; i++)
        data.label[i] = data.label[i] > 0 && i % 3 == 0 ? 1 : -1;
    struct risk *risk = risk_of_rows("f1", &data, 0, NULL);
    assert_int_equal(risk_smooth(risk, NULL), 0);
    struct design design;
    double *score = malloc(sizeof *score * (size_t)MANY_ROWS);
    assert_int_equal(design_init(&design, &data, -1, false, NULL), 0);
    for (int trial = 0; trial < 18; trial++) {
        double w[SOME_FEATURES], g[SOME_FEATURES], h[SOME_FEATURES], t, mean, mu = mus[trial % 6];
        for (int j = 0; j < SOME_FEATURES; j++)
            w[j] = (trial < 6 ? 1 : trial < 12 ? 30 : 300) * (random_unit(&random) - 0.5);
        design_scores(&design, w, score);
        double expected = whole_program(&data, score, mu, &mean);
        double value = risk_linearize(risk, w, mu, g, &t);
        assert_near(value, expected, 1e-12 * (1 + fabs(expected)));
        assert_near(t, mean, 1e-9);
        double step = 1e-3 * fmin(1, mu * MANY_ROWS), by = 0; /* along the gradient */
        for (int j = 0; j < SOME_FEATURES; j++)
            by += g[j] * g[j];
        for (int j = 0; j < SOME_FEATURES; j++)
            h[j] = w[j] + step * g[j] / sqrt(by);
        double up = risk_evaluate(risk, h, mu, NULL);
        for (int j = 0; j < SOME_FEATURES; j++)
            h[j] = w[j] - step * g[j] / sqrt(by);
        double down = risk_evaluate(risk, h, mu, NULL);
        assert_near((up - down) / (2 * step), sqrt(by), 1e-3 * sqrt(by) + 1e-11 / step);
    }
    design_free(&design);
    free(score);
    risk_free(risk);
    dataset_free(&data);
}

static void what_holds_for_all_risks_holds(void **state) {
    (void)state;
    struct dataset data = random_data(60, 6, false, 9);
    struct risk *risk = risk_of_rows("f1", &data, 0, NULL);
    check_risk(risk, 3, 0.05, 1);
    check_risk(risk, 100, 0.02, 2);
    check_least_smoothing(risk, 3, 3);
    risk_free(risk);
    dataset_free(&data);
}

static void refusals_are_in_one_line(void **state) {
    (void)state;
    struct dataset data = random_data(9, 3, false, 1);
    double weight[9] = {1, 2, 1, 1, 1, 1, 1, 1, 1};
    struct error e = {0};
    struct risk_settings settings = {
        .scalar = {.data = &data, .target = data.label, .weight = weight, .bias = -1}};
    assert_null(f1_risk_new(&settings, &e));
    assert_non_null(strstr(e.words, "-L f1 needs examples of one weight"));
    for (int i = 0; i < 9; i++)
        data.label[i] = -1;
    e = (struct error){0};
    assert_null(risk_of_rows("f1", &data, 0, &e));
    assert_non_null(strstr(e.words, "positive"));
    dataset_free(&data);
}

/* The memory is about what f1_smooth_bytes says, and a limit below it is an error. */
static void memory_is_told(void **state) {
    (void)state;
    struct dataset data = random_data(3000, 3, false, 1);
    struct risk *risk = risk_of_rows("f1", &data, 0, NULL);
    const struct multivariate *m = (const struct multivariate *)risk;
    struct f1_smooth s;
    struct error e = {0};
    char words[200];
    assert_int_equal(f1_smooth_init(&s, m, NULL), 0);
    double bytes = f1_smooth_bytes(m);
    double taken = (double)(malloc_usable_size(s.x[POSITIVES]) + malloc_usable_size(s.from));
    for (int k = 0; k < CLASSES; k++)
        taken +=
            (double)(malloc_usable_size(s.sums[k].upper) + malloc_usable_size(s.sums[k].needed) +
                     malloc_usable_size(s.sums[k].tangent) + malloc_usable_size(s.sums[k].windows) +
                     malloc_usable_size(s.sums[k].row));
    assert_true(bytes < 1.1 * taken && taken < 1.1 * bytes);
    assert_int_equal(f1_smooth_check(m, bytes, &e), 0);
    assert_int_equal(f1_smooth_check(m, bytes * 0.999, &e), -1);
    snprintf(words, sizeof words, "the smoothed -L f1 of %lld positives and %lld negatives needs ",
             (long long)m->class[POSITIVES].count, (long long)m->class[NEGATIVES].count);
    assert_memory_equal(e.words, words, strlen(words));
    assert_non_null(strstr(e.words, "-s bundle needs none of it"));
    f1_smooth_free(&s);
    risk_free(risk);
    dataset_free(&data);
}

static void solvers_agree(void **state) {
    (void)state;
    check_solvers_agree("f1", 0, 1e-2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_is_that_of_the_worst_labels),
        cmocka_unit_test(the_smoothed_risk_is_that_of_all_labels),
        cmocka_unit_test(the_staircase_finds_the_peak),
        cmocka_unit_test(windows_lose_nothing),
        cmocka_unit_test(what_holds_for_all_risks_holds),
        cmocka_unit_test(refusals_are_in_one_line),
        cmocka_unit_test(the_ends_of_smoothing),
        cmocka_unit_test(memory_is_told),
        cmocka_unit_test(solvers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
