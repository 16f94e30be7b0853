/* test_averages.c - the best combination of a point with running averages of points, against other combinations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/vector.h"
#include "solvers/online/averages.h"
#include "tests/solvers/online/online_fixture.h"

enum { DECIDE = 500 }; /* examples at most */

static const char *const dual[] = {"metric=dual", NULL};

static void fill(double *w, int64_t n, struct random *random) {
    for (int64_t j = 0; j < n; j++)
        w[j] = 2 * random_unit(random) - 1;
}

/* Adds four random points to the averages; the last is left in W. */
static void add_points(struct averages *a, double *w, int64_t n, struct random *random) {
    for (int k = 0; k < 4; k++) {
        fill(w, n, random);
        averages_add(a, w);
    }
}

/* The averages are those of the formula. */
static void averages_are_running_ones(void **state) {
    (void)state;
    struct fixture f;
    struct averages a;
    struct random random;
    double w[MAX_DIMENSION], fast = 0, slow = 0;
    set_up(&f, "hinge", 0.1, -1, false);
    random_seed(&random, 2, 2);
    assert_int_equal(averages_init(&a, &f.problem, DECIDE, &random, NULL), 0);
    for (int k = 0; k < 4; k++) {
        fill(w, f.risk->dimension, &random);
        averages_add(&a, w);
        fast += 0.4 * (w[3] - fast);
        slow += 0.025 * (w[3] - slow);
    }
    assert_true(fabs(a.point[1][3] - fast) < 1e-14);
    assert_true(fabs(a.point[4][3] - slow) < 1e-14);
    averages_free(&a);
    tear_down(&f);
}

/* No combination near the one found is better by more than the smoothing leaves, and J fell by the part that was
 * said: any loss, weights, an offset, a large lambda and a small one. */
static void no_combination_is_better(void **state) {
    (void)state;
    static const char *const losses[] = {"hinge",    "squared-hinge", "logistic", "squared",
                                         "absolute", "quantile",      "epsilon",  "huber"};
    struct random random;
    random_seed(&random, 3, 3);
    for (int l = 0; l < 8; l++)
        for (int form = 0; form < 2; form++) {
            struct fixture f;
            struct averages a;
            double w[MAX_DIMENSION], best[MAX_DIMENSION], other[MAX_DIMENSION];
            set_up_with(&f, losses[l], form ? 1e-9 : 0.3, 0.5, form, form);
            int64_t n = f.risk->dimension;
            assert_int_equal(averages_init(&a, &f.problem, DECIDE, &random, NULL), 0);
            add_points(&a, w, n, &random);
            memcpy(best, w, sizeof best);
            double start = problem_objective(&f.problem, w), gain = averages_combine(&a, best);
            double objective = problem_objective(&f.problem, best);
            assert_true(gain > 0);
            assert_true(fabs(1 - objective / start - gain) < 1e-9);
            for (int k = 0; k < 100; k++) {
                double c[AVERAGES_POINTS];
                fill(c, AVERAGES_POINTS, &random);
                for (int64_t j = 0; j < n; j++)
                    other[j] = best[j] * (1 + 0.1 * c[0]);
                for (int i = 1; i < AVERAGES_POINTS; i++)
                    vector_add(other, 0.1 * c[i], a.point[i], n);
                assert_true(problem_objective(&f.problem, other) >= objective * (1 - 2e-3));
            }
            averages_free(&a);
            tear_down(&f);
        }
}

/* At the optimum there is nothing to gain, and the point stays. */
static void the_optimum_stays(void **state) {
    (void)state;
    struct fixture f;
    struct averages a;
    struct random random;
    double w[MAX_DIMENSION] = {0}, before[MAX_DIMENSION], other[MAX_DIMENSION];
    set_up(&f, "logistic", 0.01, -1, false);
    f.run.passes = 400;
    train(&f, "proximal", dual, w);
    random_seed(&random, 5, 5);
    assert_int_equal(averages_init(&a, &f.problem, DECIDE, &random, NULL), 0);
    add_points(&a, other, f.risk->dimension, &random);
    memcpy(before, w, sizeof w);
    assert_true(averages_combine(&a, w) == 0);
    assert_memory_equal(w, before, sizeof w);
    averages_free(&a);
    tear_down(&f);
}

/* Of more examples than decide, those are drawn whose weights count, and the combination lowers J. */
static void examples_are_drawn_by_weight(void **state) {
    (void)state;
    enum { MANY = 5 * DECIDE, APART = 97 };
    struct dataset data = random_data(MANY, FEATURES, false, 2);
    double *weight = malloc(MANY * sizeof *weight);
    for (int64_t i = 0; i < MANY; i++)
        weight[i] = i % APART == 0 ? 1e6 : (double)(i % 2);
    struct scalar_settings scalar = {.data = &data,
                                     .target = data.label,
                                     .weight = weight,
                                     .loss = loss_by_name("logistic"),
                                     .bias = -1};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    struct problem problem = {
        .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 1e-4};
    struct averages a;
    struct random random;
    double w[FEATURES];
    random_seed(&random, 7, 7);
    assert_int_equal(averages_init(&a, &problem, DECIDE, &random, NULL), 0);
    int heavy = 0;
    for (int64_t k = 0; k < a.count; k++) {
        assert_true(weight[a.row[k]] > 0);
        heavy += a.row[k] % APART == 0 && (k == 0 || a.row[k] != a.row[k - 1]);
    }
    assert_int_equal(heavy, (MANY - 1) / APART + 1);
    add_points(&a, w, FEATURES, &random);
    double start = problem_objective(&problem, w);
    assert_true(averages_combine(&a, w) > 0);
    assert_true(problem_objective(&problem, w) < start);
    averages_free(&a);
    risk_free(risk);
    dataset_free(&data);
    free(weight);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_running_ones),
        cmocka_unit_test(no_combination_is_better),
        cmocka_unit_test(the_optimum_stays),
        cmocka_unit_test(examples_are_drawn_by_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
