/* test_tight.c - bounds that are reached: of the losses over items, the length of a subgradient, and
 * -<w, subgradient>, at a point where each is as large as can be. */
#include "risk/multiclass.h"
#include "risk/ranking/pairwise.h"
#include "risk/sequences/sequences.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/risk_checks.h"

enum { MAX_ROWS = 8, MAX_WEIGHTS = 64 };

typedef struct risk *risk_new(const struct risk_settings *settings, struct error *e);

/* Rows of one feature, the same one, in one group. */
struct sample {
    struct dataset data;
    int64_t start[MAX_ROWS + 1], group_start[2], group_id[1];
    int32_t column[MAX_ROWS];
    struct risk *risk;
};

static void open_sample(struct sample *s, risk_new *make, int64_t labels, int64_t rows,
                        double *value, const double *target, const double *weight) {
    *s = (struct sample){.group_start = {0, rows}};
    for (int64_t r = 0; r <= rows; r++)
        s->start[r] = r;
    s->data = (struct dataset){.rows = rows,
                               .nonzeros = rows,
                               .features = 1,
                               .start = s->start,
                               .column = s->column,
                               .value = value,
                               .groups = 1,
                               .group_start = s->group_start,
                               .group_id = s->group_id};
    s->risk = make(
        &(struct risk_settings){
            .scalar = {.data = &s->data, .target = target, .weight = weight, .bias = -1},
            .labels = labels},
        NULL);
    assert_non_null(s->risk);
}

/* The length of the subgradient at w is at least FRACTION of the items' bound, and at most the bound. */
static void check_length(struct sample *s, const double *w, double fraction) {
    double g[MAX_WEIGHTS], constant, slope;
    int64_t n = s->risk->dimension;
    assert_true(n <= MAX_WEIGHTS);
    s->risk->kind->lipschitz(s->risk, &constant, &slope);
    risk_evaluate(s->risk, w, 0, g);
    double length = sqrt(vector_dot(g, g, n));
    assert_near(slope, 0, 0);
    assert_true(length <= constant * (1 + 1e-14));
    assert_true(length >= fraction * constant);
    risk_free(s->risk);
}

/* -<w, g> is at least FRACTION of norm_bound, and at most norm_bound. */
static void check_norm_bound(struct sample *s, const double *w, double fraction) {
    double g[MAX_WEIGHTS], norm_bound = s->risk->kind->norm_bound(s->risk);
    assert_true(s->risk->dimension <= MAX_WEIGHTS);
    risk_evaluate(s->risk, w, 0, g);
    double product = -vector_dot(w, g, s->risk->dimension);
    assert_true(product <= norm_bound * (1 + 1e-14));
    assert_true(product >= fraction * norm_bound);
    risk_free(s->risk);
}

static double ones[MAX_ROWS] = {1, 1, 1, 1, 1, 1, 1, 1};
static const double zeros[MAX_ROWS];
static const double nearly_all = 1 - 1e-9;

/* Only one wrong class counts. */
static void classes_are_as_steep_as_told(void **state) {
    static const double wrong[] = {0, 40, -3};
    double longer[] = {-2.5, 1};
    struct sample s;
    (void)state;
    open_sample(&s, crammer_singer_risk_new, 3, 1, longer, zeros, NULL);
    check_length(&s, (const double[]){40, 0, -3}, nearly_all);
    open_sample(&s, softmax_risk_new, 3, 1, ones, zeros, NULL);
    check_length(&s, wrong, nearly_all);
    open_sample(&s, crammer_singer_risk_new, 3, 2, longer, zeros, (const double[]){0, 2});
    check_length(&s, wrong, nearly_all); /* what weighs nothing is not told of */
}

/* A hinge that is nearly 0; a softmax whose wrong classes have equal scores. */
static void norm_bounds_of_classes_hold(void **state) {
    double norm_bound = softmax_norm_bound(3);
    struct sample s;
    (void)state;
    open_sample(&s, crammer_singer_risk_new, 3, 1, ones, zeros, NULL);
    check_norm_bound(&s, (const double[]){nearly_all, 0, -3}, nearly_all);
    open_sample(&s, softmax_risk_new, 3, 1, ones, zeros, NULL);
    check_norm_bound(&s, (const double[]){norm_bound + 1, 0, 0}, nearly_all);
}

/* All rows and all transitions move from one output to another. */
static void sequences_are_as_steep_as_told(void **state) {
    risk_new *const make[] = {m3n_risk_new, crf_risk_new};
    static const double wrong[2 + 4] = {0, 50};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int64_t rows = 1; rows <= 5; rows += 4) {
            struct sample s;
            open_sample(&s, make[k], 2, rows, ones, zeros, NULL);
            check_length(&s, wrong, nearly_all);
        }
}

/* Nearly a mistake a row is made up for; of a row alone the other labels are alike. */
static void norm_bounds_of_sequences_hold(void **state) {
    struct sample s;
    (void)state;
    open_sample(&s, m3n_risk_new, 2, 5, ones, zeros, NULL);
    check_norm_bound(&s, (const double[2 + 4]){nearly_all, 0}, nearly_all);
    for (int64_t labels = 2; labels <= 4; labels++) {
        double w[MAX_WEIGHTS] = {softmax_norm_bound(labels) + 1};
        open_sample(&s, crf_risk_new, labels, 1, ones, zeros, NULL);
        check_norm_bound(&s, w, nearly_all);
    }
}

static void pairs_are_as_told(void **state) {
    static const double grades[] = {0, 1};
    double value[] = {-1, 1};
    struct sample s;
    (void)state;
    open_sample(&s, pairwise_risk_new, 0, 2, value, grades, NULL);
    check_length(&s, (const double[]){-3}, nearly_all);
    open_sample(&s, pairwise_risk_new, 0, 2, value, grades, NULL);
    check_norm_bound(&s, (const double[]){nearly_all / 2}, nearly_all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_as_steep_as_told),
        cmocka_unit_test(norm_bounds_of_classes_hold),
        cmocka_unit_test(sequences_are_as_steep_as_told),
        cmocka_unit_test(norm_bounds_of_sequences_hold),
        cmocka_unit_test(pairs_are_as_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
