/* test_dual.c - bounds from dual variables against plain loops: projection, balance of the offset,
 * validity for any a, closeness at the optimum, the same for any number of threads. */
#include "solvers/dual.h"

#include "random_data.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

enum { ROWS = 300, FEATURES = 6, MOST = FEATURES + 2 };

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS];
    struct problem problem;
    const struct scalar_parts *parts;
};

static void set_up(struct fixture *f, const struct loss *loss, bool weighted, bool intercept) {
    struct random random;
    random_seed(&random, 3, 0);
    f->data = random_data(ROWS, FEATURES, false, 4);
    for (int i = 0; i < ROWS; i++) {
        f->target[i] =
            loss->task == TASK_CLASSIFICATION ? f->data.label[i] : 4 * random_unit(&random) - 1;
        f->weight[i] = i % 6 == 0 ? 0 : 3 * random_unit(&random);
    }
    struct scalar_settings scalar = {.data = &f->data,
                                     .target = f->target,
                                     .weight = weighted ? f->weight : NULL,
                                     .loss = loss,
                                     .parameters = {0.1, 0.3, 0.8},
                                     .bias = weighted ? 0.5 : -1,
                                     .intercept = intercept};
    f->problem = (struct problem){.risk = scalar_risk_new(&scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 0.03};
    f->parts = f->problem.risk->scalar;
}

static void tear_down(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

static void for_all(void (*check)(struct fixture *)) {
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < 4; k++) {
            struct fixture f;
            set_up(&f, &table[l], k & 1, k & 2);
            check(&f);
            tear_down(&f);
        }
}

/* t - ||s||^2/(2 lambda) with s, t of R0.1's sums, row by row; *zero is s_0. */
static double plain_bound(const struct fixture *f, const double *a, double *zero) {
    double s[MOST] = {0}, t = 0;
    int64_t n = f->problem.risk->regularized;
    for (int64_t i = 0; i < ROWS; i++) {
        double p = scalar_weight(f->parts, i) / f->parts->weight_sum;
        design_add(f->parts->design, s, p * a[i], i);
        if (p > 0)
            t -= p * f->parts->loss->conjugate(a[i], f->target[i], &f->parts->parameters);
    }
    *zero = f->problem.risk->dimension > n ? s[n] : 0;
    return t - vector_dot(s, s, n) / (2 * f->problem.lambda);
}

/* In the domain, and without an offset: the bound is the plain one, or better where shrunken. */
static void check_plain(struct fixture *f) {
    double a[ROWS], copy[ROWS], slope[MOST], zero, low, high;
    struct random random;
    random_seed(&random, 9, 0);
    if (f->problem.risk->dimension > f->problem.risk->regularized)
        return;
    for (double size = 0.01; size <= 1; size *= 10) {
        for (int i = 0; i < ROWS; i++) {
            f->parts->loss->domain(f->target[i], &f->parts->parameters, &low, &high);
            a[i] = copy[i] =
                size * (fmax(low, -1) + random_unit(&random) * (fmin(high, 1) - fmax(low, -1)));
        }
        double plain = plain_bound(f, copy, &zero), bound = dual_bound(&f->problem, a, slope);
        assert_true(bound >= plain - 1e-12 && bound >= 0);
        if (size == 0.01 && plain > 0)
            assert_near(bound, plain, 1e-12);
    }
}

static void the_bound_is_the_plain_sum(void **state) {
    (void)state;
    for_all(check_plain);
}

/* Any a at all, even no numbers, gives a bound: never above J at random points. */
static void check_validity(struct fixture *f) {
    double a[ROWS], slope[MOST], w[MOST];
    struct random random;
    random_seed(&random, 10, 0);
    for (int trial = 0; trial < 60; trial++) {
        for (int j = 0; j < MOST; j++)
            w[j] = 2 * random_unit(&random) - 1;
        design_scores(f->parts->design, w, a);
        dual_from_scores(f->parts, a, a);
        for (int i = 0; i < ROWS && trial % 2; i++)
            a[i] += 3 * random_unit(&random) - 1.5;
        if (trial % 5 == 0)
            a[trial] = NAN;
        double bound = dual_bound(&f->problem, a, slope);
        assert_true(bound >= 0);
        if (f->problem.risk->dimension > f->problem.risk->regularized)
            assert_true(slope[f->problem.risk->regularized] == 0);
        for (int other = 0; other < 20; other++) {
            for (int j = 0; j < MOST; j++)
                w[j] = 3 * random_unit(&random) - 1.5;
            assert_true(bound <= problem_objective(&f->problem, w) + 1e-12);
        }
    }
}

static void any_vector_gives_a_valid_bound(void **state) {
    (void)state;
    for_all(check_validity);
}

/* With an offset sum c a is 0 after balancing: a was overwritten by c a. */
static void check_balance(struct fixture *f) {
    double a[ROWS], slope[MOST], sum = 0, size = 0;
    struct random random;
    random_seed(&random, 11, 0);
    if (f->problem.risk->dimension == f->problem.risk->regularized)
        return;
    for (int i = 0; i < ROWS; i++)
        a[i] = 4 * random_unit(&random) - 1;
    dual_bound(&f->problem, a, slope);
    for (int i = 0; i < ROWS; i++) {
        sum += a[i];
        size += fabs(a[i]);
    }
    assert_true(fabs(sum) <= 1e-13 * size && size > 0);
}

static void the_offset_is_balanced(void **state) {
    (void)state;
    for_all(check_balance);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    enum { MANY = 20000 };
    struct dataset data = random_data(MANY, 30, false, 9);
    static double target[MANY], a[MANY];
    for (int i = 0; i < MANY; i++)
        target[i] = data.label[i] + 0.001 * (i % 700);
    struct scalar_settings scalar = {.data = &data,
                                     .target = target,
                                     .loss = loss_by_name("huber"),
                                     .parameters = {.huber = 0.5},
                                     .bias = -1,
                                     .intercept = true};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name("l2"),
                              .lambda = 1};
    double bound[2], slope[31];
    for (int threads = 1; threads <= 4; threads++) {
        omp_set_num_threads(threads);
        for (int i = 0; i < MANY; i++)
            a[i] = 0.2 - 0.3 * target[i];
        bound[threads > 1] = dual_bound(&problem, a, slope);
        assert_memory_equal(&bound[threads > 1], &bound[0], sizeof(double));
    }
    assert_true(bound[0] > 0);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

/* With an offset the bound does not depend on where the targets are, however far. */
static void far_off_targets_keep_the_bound(void **state) {
    (void)state;
    static const char *const names[] = {"absolute", "epsilon", "huber", "quantile", "squared"};
    for (int l = 0; l < 5; l++) {
        struct fixture f;
        double a[ROWS], slope[MOST], bound[2];
        set_up(&f, loss_by_name(names[l]), l % 2, true);
        f.problem.lambda = 1e3;
        for (int i = 0; i < ROWS; i++)
            f.target[i] = round(512 * f.target[i]) / 512; /* exact where it is far off as well */
        for (int far = 0; far < 2; far++) {
            for (int i = 0; i < ROWS; i++)
                a[i] = f.target[i] > 1 ? -0.1 : 0.1;
            for (int i = 0; i < ROWS && far; i++)
                f.target[i] += 1e12;
            bound[far] = dual_bound(&f.problem, a, slope);
        }
        assert_true(bound[0] > 0.01);
        assert_near(bound[1], bound[0], 1e-12);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_the_plain_sum),
        cmocka_unit_test(any_vector_gives_a_valid_bound),
        cmocka_unit_test(the_offset_is_balanced),
        cmocka_unit_test(far_off_targets_keep_the_bound),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
