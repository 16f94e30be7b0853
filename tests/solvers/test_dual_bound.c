/* test_dual_bound.c - bounds from dual variables against plain loops: projection, balance of the offset,
 * validity for any a, closeness at the optimum, the same for any number of threads. */
#include "solvers/dual_bound.h"

#include "tests/proximal_gradient.h"
#include "tests/random_data.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

enum { ROWS = 300, FEATURES = 6, MAX_DIMENSION = FEATURES + 2 };

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS];
    struct problem problem;
    const struct scalar_terms *terms;
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
    f->problem =
        (struct problem){.risk = scalar_risk_new(&scalar, NULL), .parameters.elastic = 0.4};
    f->terms = f->problem.risk->scalar;
}

static void tear_down(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

/* Every loss, with and without weights and a bias, with and without an offset, the
 * regularizers, lambda small and large. */
static void for_all(void (*check)(struct fixture *)) {
    static const char *const names[] = {"l2", "l1", "elastic-net"};
    static const double lambdas[] = {0.03, 0.003, 3};
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < 4; k++) {
            struct fixture f;
            set_up(&f, &table[l], k & 1, k & 2);
            for (int i = 0; i < 9; i++) {
                f.problem.regularizer = regularizer_by_name(names[i / 3]);
                f.problem.lambda = lambdas[i % 3];
                if ((l + k + i) % PART(2, 5) == 0)
                    check(&f);
            }
            tear_down(&f);
        }
}

static bool has_offset(const struct fixture *f) {
    return f->problem.risk->dimension > f->problem.risk->regularized;
}

/* s and t of the sums over the rows, one by one, of theta a. */
static double plain_sums(const struct fixture *f, const double *a, double theta, double *s) {
    double t = 0;
    memset(s, 0, sizeof *s * MAX_DIMENSION);
    for (int64_t i = 0; i < ROWS; i++) {
        double p = scalar_weight(f->terms, i) / f->terms->weight_sum;
        design_add(f->terms->design, s, p * theta * a[i], i);
        if (p > 0)
            t -= p * f->terms->loss->conjugate(theta * a[i], f->target[i], &f->terms->parameters);
    }
    return t;
}

/* The conjugate of a slope from its definition. */
static double plain_price(const struct problem *problem, const double *s) {
    double lambda = problem->lambda, rho = problem->parameters.elastic, sum = 0;
    for (int64_t j = 0; j < problem->risk->regularized; j++) {
        double over = fabs(s[j]) - lambda * (1 - rho);
        if (strcmp(problem->regularizer->name, "l2") == 0)
            sum += s[j] * s[j] / (2 * lambda);
        else if (strcmp(problem->regularizer->name, "elastic-net") == 0)
            sum += over > 0 ? over * over / (2 * lambda * rho) : 0;
        else if (fabs(s[j]) > lambda * (1 + 1e-12))
            return INFINITY;
    }
    return sum;
}

/* The bound is the plain one where there is little to shrink, and never below the best of shrunken
 * planes theta (s, t); of l1 exactly that of the dual variables shrunk to the slope's limit. */
static void compare_plain(const struct fixture *f, const double *a, double bound, bool little) {
    double s[MAX_DIMENSION], largest = 0, plain;
    double t = plain_sums(f, a, 1, s);
    for (int64_t j = 0; j < f->problem.risk->regularized; j++)
        largest = fmax(largest, fabs(s[j]));
    if (strcmp(f->problem.regularizer->name, "l1") == 0) {
        double theta = fmin(1, f->problem.lambda / largest);
        plain = plain_sums(f, a, theta, s);
        assert_near(bound, fmax(0, plain), 1e-12);
        assert_true(bound >= theta * t - 1e-12);
        if (strcmp(f->terms->loss->name, "logistic") == 0 && theta < 0.9)
            assert_true(bound > theta * t + 1e-6);
        return;
    }
    plain = t - plain_price(&f->problem, s);
    assert_true(bound >= plain - 1e-12 && bound >= 0);
    if (little && plain > 0 && f->problem.lambda > 0.01)
        assert_near(bound, plain, 1e-12);
}

static void check_plain(struct fixture *f) {
    double a[ROWS], copy[ROWS], slope[MAX_DIMENSION], known[MAX_DIMENSION], low, high;
    struct random random;
    random_seed(&random, 9, 0);
    if (has_offset(f))
        return;
    for (double size = 0.01; size <= 1; size *= 10) {
        for (int i = 0; i < ROWS; i++) {
            f->terms->loss->domain(f->target[i], &f->terms->parameters, &low, &high);
            a[i] = copy[i] =
                size * (fmax(low, -1) + random_unit(&random) * (fmin(high, 1) - fmax(low, -1)));
        }
        double bound = dual_bound(&f->problem, a, slope), t = plain_sums(f, copy, 1, known);
        compare_plain(f, copy, bound, size == 0.01);
        for (int64_t j = 0; j < f->problem.risk->regularized; j++)
            assert_near(slope[j], known[j], 1e-13);
        assert_near(dual_bound_known(&f->problem, a, known, t, 0), bound, 1e-12);
    }
}

static void the_bound_is_the_plain_sum(void **state) {
    (void)state;
    for_all(check_plain);
}

/* Every a, also one with values that are not numbers, gives a bound that is not above J at random points. */
static void check_validity(struct fixture *f) {
    double a[ROWS], slope[MAX_DIMENSION], w[MAX_DIMENSION];
    struct random random;
    random_seed(&random, 10, 0);
    for (int trial = 0; trial < 15; trial++) {
        for (int j = 0; j < MAX_DIMENSION; j++)
            w[j] = 2 * random_unit(&random) - 1;
        design_scores(f->terms->design, w, a);
        dual_from_scores(f->terms, a, a);
        for (int i = 0; i < ROWS && trial % 2; i++)
            a[i] += 3 * random_unit(&random) - 1.5;
        if (trial % 5 == 0)
            a[trial] = NAN;
        double bound = dual_bound(&f->problem, a, slope);
        assert_true(bound >= 0);
        if (has_offset(f))
            assert_true(slope[f->problem.risk->regularized] == 0);
        for (int other = 0; other < 20; other++) {
            for (int j = 0; j < MAX_DIMENSION; j++)
                w[j] = random_unit(&random) < 0.3 ? 0 : 3 * random_unit(&random) - 1.5;
            assert_true(bound <= problem_objective(&f->problem, w) + 1e-12);
        }
    }
}

static void any_vector_gives_a_valid_bound(void **state) {
    (void)state;
    for_all(check_validity);
}

/* Rows of weight 0 do not change the result, whatever their values. */
static void check_weightless(struct fixture *f) {
    double a[ROWS], slope[MAX_DIMENSION], bound[2];
    if (f->terms->weight == NULL)
        return;
    for (int wild = 0; wild < 2; wild++) {
        for (int i = 0; i < ROWS; i++)
            a[i] = (wild && i % 6 == 0 ? INFINITY : 0.1) * (f->target[i] > 0 ? -1 : 1);
        bound[wild] = dual_bound(&f->problem, a, slope);
    }
    assert_true(bound[0] > 0 || f->problem.lambda < 1);
    assert_near(bound[1], bound[0], 1e-15);
}

static void rows_without_weight_do_not_count(void **state) {
    (void)state;
    for_all(check_weightless);
}

/* The losses' derivatives at the optimum give a bound equal to J; near the optimum the bound is close to J. */
static void check_closeness(struct fixture *f) {
    double a[ROWS], slope[MAX_DIMENSION], w[MAX_DIMENSION] = {0}, j, bound;
    if (!isfinite(f->terms->loss->curvature))
        return;
    proximal_gradient(&f->problem, 20000, w);
    j = problem_objective(&f->problem, w);
    design_scores(f->terms->design, w, a);
    dual_from_scores(f->terms, a, a);
    bound = dual_bound(&f->problem, a, slope);
    assert_true(bound <= j + 1e-14 && bound >= j - 1e-10);
    for (int64_t k = 0; k < f->problem.risk->dimension; k++)
        w[k] += k % 2 ? 1e-5 : -1e-5;
    design_scores(f->terms->design, w, a);
    dual_from_scores(f->terms, a, a);
    bound = dual_bound(&f->problem, a, slope);
    assert_true(bound <= j + 1e-14 && bound >= j - 1e-2);
}

static void the_bound_closes_at_the_optimum(void **state) {
    (void)state;
    for_all(check_closeness);
}

/* With an offset sum c a is 0 after balancing: a was overwritten by c a. */
static void check_balance(struct fixture *f) {
    double a[ROWS], slope[MAX_DIMENSION], sum = 0, size = 0;
    struct random random;
    random_seed(&random, 11, 0);
    if (!has_offset(f))
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
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL)};
    double bound[2], slope[31];
    for (int threads = 1; threads <= 8; threads++) {
        bool one_norm = threads > 4;
        omp_set_num_threads(1 + (threads - 1) % 4);
        problem.regularizer = regularizer_by_name(one_norm ? "l1" : "l2");
        problem.lambda = one_norm ? 0.01 : 1;
        for (int i = 0; i < MANY; i++)
            a[i] = 0.2 - 0.3 * target[i];
        int k = threads % 4 != 1;
        bound[k] = dual_bound(&problem, a, slope);
        assert_memory_equal(&bound[k], &bound[0], sizeof(double));
        assert_true(bound[k] > 0);
        assert_true(!one_norm || problem.regularizer->reach(slope, 30, 0.01) < 1);
    }
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

/* With an offset the bound does not depend on where the targets are, however far; nor where l1 makes
 * the dual variables shrink, to a third. */
static void far_off_targets_keep_the_bound(void **state) {
    (void)state;
    static const char *const names[] = {"absolute", "epsilon", "huber", "quantile", "squared"};
    for (int l = 0; l < 5; l++) {
        struct fixture f;
        double a[ROWS], slope[MAX_DIMENSION] = {0}, bound[4];
        set_up(&f, loss_by_name(names[l]), l % 2, true);
        for (int i = 0; i < ROWS; i++)
            f.target[i] = round(512 * f.target[i]) / 512; /* exact where it is far off as well */
        for (int k = 0; k < 4; k++) {
            bool one_norm = k / 2, far = k % 2;
            f.problem.regularizer = regularizer_by_name(one_norm ? "l1" : "l2");
            f.problem.lambda = one_norm ? vector_largest(slope, MAX_DIMENSION) / 3 : 1e3;
            for (int i = 0; i < ROWS; i++)
                a[i] = f.target[i] > 1 ? -0.1 : 0.1;
            for (int i = 0; i < ROWS && far; i++)
                f.target[i] += 1e12;
            bound[k] = dual_bound(&f.problem, a, slope);
            for (int i = 0; i < ROWS && far; i++)
                f.target[i] -= 1e12;
        }
        assert_true(bound[0] > 0.01 && bound[2] > 0.003);
        assert_near(bound[1], bound[0], 1e-12);
        assert_near(bound[3], bound[2], 1e-12);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_the_plain_sum),
        cmocka_unit_test(any_vector_gives_a_valid_bound),
        cmocka_unit_test(rows_without_weight_do_not_count),
        cmocka_unit_test(the_bound_closes_at_the_optimum),
        cmocka_unit_test(the_offset_is_balanced),
        cmocka_unit_test(far_off_targets_keep_the_bound),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
