/* test_multiclass.c - risks of classes that are trained together, by their definitions: a maximum and a
 * logarithm of sums in long doubles over all classes, an item's parts, the constants. */
#include "risk/multiclass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/random_data.h"
#include "tests/risk_checks.h"

enum { ROWS = 60, FEATURES = 7, MAX_CLASSES = 13 };

static const char *const names[] = {"crammer-singer", "softmax"};

struct case_data {
    struct dataset data;
    double target[ROWS], weight[ROWS], bias;
    int64_t classes;
};

static void open_case(struct case_data *c, int64_t classes, bool ones, double bias, uint64_t seed) {
    struct random random;
    random_seed(&random, seed, 3);
    *c = (struct case_data){
        .data = random_data(ROWS, FEATURES, ones, seed), .bias = bias, .classes = classes};
    for (int i = 0; i < ROWS; i++) {
        c->target[i] = (double)random_below(&random, (uint64_t)classes);
        c->weight[i] = random_below(&random, 4) == 0 ? 0 : random_unit(&random);
    }
}

static struct risk *make_risk(const struct case_data *c, const char *name, bool weighted) {
    const struct risk_row *row = risk_row_by_name(name);
    assert_non_null(row);
    struct risk *risk =
        row->make(&(struct risk_settings){.scalar = {.data = &c->data,
                                                     .target = c->target,
                                                     .weight = weighted ? c->weight : NULL,
                                                     .bias = c->bias},
                                          .labels = c->classes},
                  NULL);
    assert_non_null(risk);
    assert_int_equal(risk->dimension, (FEATURES + (c->bias >= 0)) * c->classes);
    return risk;
}

/* ---- the definitions */

static void direct_scores(const struct case_data *c, int64_t i, const double *w, long double *u) {
    for (int64_t k = 0; k < c->classes; k++) {
        u[k] = c->bias >= 0 ? (long double)c->bias * w[FEATURES * c->classes + k] : 0;
        for (int64_t j = c->data.start[i]; j < c->data.start[i + 1]; j++)
            u[k] += (c->data.value == NULL ? 1 : (long double)c->data.value[j]) *
                    w[c->data.column[j] * c->classes + k];
    }
}

/* log sum exp(z/mu) mu, or the maximum for mu = 0 */
static long double soft_maximum(const long double *z, int64_t n, long double mu) {
    long double top = z[0], sum = 0;
    for (int64_t k = 1; k < n; k++)
        top = fmaxl(top, z[k]);
    for (int64_t k = 0; k < n && mu > 0; k++)
        sum += expl((z[k] - top) / mu);
    return mu > 0 ? top + mu * logl(sum) : top;
}

static double direct(const struct case_data *c, bool softmax, bool weighted, const double *w,
                     double mu) {
    long double sum = 0, weights = 0, u[MAX_CLASSES];
    for (int64_t i = 0; i < ROWS; i++) {
        int y = (int)c->target[i];
        double weight = weighted ? c->weight[i] : 1;
        direct_scores(c, i, w, u);
        long double true_score = u[y];
        for (int64_t k = 0; k < c->classes; k++)
            u[k] += (!softmax && k != y) - true_score;
        long double loss = soft_maximum(u, c->classes, softmax ? 1 : mu);
        if (!softmax)
            loss -= mu * logl((long double)c->classes);
        sum += weight * loss;
        weights += weight;
    }
    return (double)(sum / weights);
}

static void compare(const struct case_data *c, bool softmax, bool weighted, double radius,
                    uint64_t seed) {
    struct risk *risk = make_risk(c, names[softmax], weighted);
    struct risk_work work;
    risk_work_init(&work, risk, radius, seed);
    for (int k = 0; k < RISK_CHECK_POINTS; k++) {
        risk_random_point(&work, work.w);
        for (double mu = 0; mu < 2; mu = 4 * mu + 0.01) {
            double value = direct(c, softmax, weighted, work.w, mu);
            assert_near(risk_evaluate(risk, work.w, mu, NULL), value, 1e-13 * (1 + radius));
        }
    }
    free(work.w);
    risk_free(risk);
}

static void cases(void (*look)(const struct case_data *c, bool softmax, bool weighted,
                               double radius, uint64_t seed)) {
    static const int64_t classes[] = {2, 3, 8, MAX_CLASSES};
    for (uint64_t k = 0; k < 16; k++) {
        struct case_data c;
        open_case(&c, classes[k % 4], k % 3 == 0, k / 4 % 2 == 0 ? -1 : 0.7, k + 1);
        look(&c, k / 8, k % 5 < 2, k % 7 == 0 ? 300 : 6, k);
        dataset_free(&c.data);
    }
}

static void values_are_the_definitions(void **state) {
    (void)state;
    cases(compare);
}

/* The weighted mean of the probability of a wrong class, exp(z_k/mu) over their sum. */
static double wrong_share(const struct case_data *c, bool weighted, const double *w, double mu) {
    long double sum = 0, weights = 0, u[MAX_CLASSES];
    for (int64_t i = 0; i < ROWS; i++) {
        int y = (int)c->target[i];
        double weight = weighted ? c->weight[i] : 1;
        direct_scores(c, i, w, u);
        for (int64_t k = 0; k < c->classes; k++)
            u[k] += k != y;
        sum -= weight * expm1l((u[y] - soft_maximum(u, c->classes, mu)) / mu);
        weights += weight;
    }
    return (double)(sum / weights);
}

static void compare_constants(const struct case_data *c, bool softmax, bool weighted, double radius,
                              uint64_t seed) {
    struct risk *risk = make_risk(c, names[softmax], weighted);
    struct risk_work work;
    risk_work_init(&work, risk, radius, seed);
    for (int k = 0; k < RISK_CHECK_POINTS && !softmax; k++) {
        risk_random_point(&work, work.w);
        for (double mu = 0.03; mu < 20; mu *= 5) {
            double t = -INFINITY, share = wrong_share(c, weighted, work.w, mu);
            risk->kind->evaluate(risk, work.w, mu, work.g, &t);
            assert_near(t, share, 1e-13 * (1 + radius / mu));
        }
    }
    free(work.w);
    risk_free(risk);
}

/* The constants of the planes that R_mu gives. */
static void constants_are_shares_of_wrong_classes(void **state) {
    (void)state;
    cases(compare_constants);
}

static void check_all(const struct case_data *c, bool softmax, bool weighted, double radius,
                      uint64_t seed) {
    struct risk *risk = make_risk(c, names[softmax], weighted);
    assert_near(risk->smoothing, softmax ? 0 : log((double)c->classes), 1e-12);
    check_risk(risk, radius, 0.5, seed);
    if (!softmax)
        check_least_smoothing(risk, radius, seed);
    risk_free(risk);
}

static void they_are_risks(void **state) {
    (void)state;
    cases(check_all);
}

/* ---- items */

/* Twice the nonzeros, in rows of the data: nothing is as wide as the classes. */
static void an_update_is_of_two_classes(void **state) {
    (void)state;
    for (int b = 0; b < 2; b++) {
        struct case_data c;
        open_case(&c, 5, false, b == 0 ? -1 : 0.7, 5);
        struct risk *risk = make_risk(&c, "crammer-singer", false);
        struct risk_item *item = risk_items_new(risk, 1, NULL);
        struct risk_work work;
        int64_t losses = 0;
        risk_work_init(&work, risk, 200, 9);
        risk_random_point(&work, work.w);
        for (int64_t i = 0; i < ROWS; i++) {
            int64_t numbers = 0, row = c.data.start[i + 1] - c.data.start[i];
            risk->kind->item(risk, i, work.w, 1, item);
            for (int p = 0; p < item->rows; p++) {
                numbers += item->row[p].count * item->row[p].width;
                assert_int_equal(item->row[p].width, 1);
            }
            assert_int_equal(numbers, item->loss > 0 ? 2 * (row + b) : 0);
            losses += item->loss > 0;
        }
        assert_true(losses > 0 && losses < ROWS);
        free(work.w);
        free(item);
        risk_free(risk);
        dataset_free(&c.data);
    }
}

/* At 0 all wrong classes are equal; the first one is chosen. */
static void ties_are_fixed(void **state) {
    (void)state;
    struct case_data c;
    double w[FEATURES * 3] = {0}, g[FEATURES * 3], expected[FEATURES * 3] = {0};
    open_case(&c, 3, false, -1, 8);
    struct risk *risk = make_risk(&c, "crammer-singer", false);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = c.data.start[i]; j < c.data.start[i + 1]; j++) {
            double *at = expected + c.data.column[j] * 3;
            at[c.target[i] == 0] += c.data.value[j] / ROWS;
            at[(int)c.target[i]] -= c.data.value[j] / ROWS;
        }
    assert_near(risk_evaluate(risk, w, 0, g), 1, 1e-15);
    for (int j = 0; j < FEATURES * 3; j++)
        assert_near(g[j], expected[j], 1e-14);
    risk_free(risk);
    dataset_free(&c.data);
}

/* Where a class before is equal to the true one with its margin, nothing is to be done. */
static void the_true_class_wins_ties(void **state) {
    struct case_data c;
    double at[(FEATURES + 1) * 3] = {0}, by[(FEATURES + 1) * 3];
    (void)state;
    open_case(&c, 3, true, 1, 8);
    for (int64_t i = 0; i < ROWS; i++)
        c.target[i] = 2;
    struct risk *risk = make_risk(&c, "crammer-singer", false);
    at[FEATURES * 3 + 2] = 1; /* of the constant feature */
    assert_near(risk_evaluate(risk, at, 0, by), 0, 0);
    for (int64_t j = 0; j < risk->dimension; j++)
        assert_near(by[j], 0, 0);
    risk_free(risk);
    dataset_free(&c.data);
}

/* ---- constants */

/* softmax_norm_bound is the largest t (K - 1)/(exp(t) + K - 1), found by a search. */
static void the_norm_bound_of_softmax_is_lamberts(void **state) {
    (void)state;
    for (int64_t classes = 2; classes < 20000; classes = 3 * classes - 1) {
        double largest = 0, others = (double)(classes - 1);
        for (double t = 0; t < 15; t += 1e-3)
            largest = fmax(largest, t * others / (exp(t) + others));
        assert_true(softmax_norm_bound(classes) >= largest);
        assert_near(softmax_norm_bound(classes), largest, 1e-6 * largest);
    }
}

/* Scores beyond the range of exp, and a mu that is nearly none. */
static void large_scores_stay_finite(void **state) {
    (void)state;
    struct case_data c;
    double w[FEATURES * 3], g[FEATURES * 3], t;
    open_case(&c, 3, true, -1, 8);
    for (int j = 0; j < FEATURES * 3; j++)
        w[j] = 1e5 * (j % 3 - 1) * (1 + j);
    for (int k = 0; k < 2; k++) {
        struct risk *risk = make_risk(&c, names[k], false);
        for (double mu = 1; mu > 1e-310; mu *= 1e-100) {
            double value = risk_linearize(risk, w, mu, g, &t);
            assert_near(value, direct(&c, k, false, w, mu), 1e-12 * value);
            assert_true(isfinite(t) && t >= -1e-300);
            for (int j = 0; j < FEATURES * 3; j++)
                assert_true(fabs(g[j]) <= 1);
        }
        risk_free(risk);
    }
    dataset_free(&c.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_the_definitions),
        cmocka_unit_test(constants_are_shares_of_wrong_classes),
        cmocka_unit_test(they_are_risks),
        cmocka_unit_test(an_update_is_of_two_classes),
        cmocka_unit_test(ties_are_fixed),
        cmocka_unit_test(the_true_class_wins_ties),
        cmocka_unit_test(the_norm_bound_of_softmax_is_lamberts),
        cmocka_unit_test(large_scores_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
