/* test_optimality.c - the distance from optimality against all subgradients, the best offset and
 * lambda_max against closed forms, and lambda_max as what it is for: nothing is to be learned there. */
#include "solvers/optimality.h"

#include "tests/proximal_gradient.h"
#include "tests/random_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 301, FEATURES = 7, MAX_DIMENSION = FEATURES + 2 };

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS];
    struct scalar_settings scalar;
    struct problem problem;
    const struct scalar_terms *terms;
};

/* The risk of the targets and weights, again after these were changed. */
static void make_risk(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    f->problem.risk = scalar_risk_new(&f->scalar, NULL);
    f->terms = f->problem.risk->scalar;
}

/* Labels for a classification, else targets in [-1, 3] without symmetry. */
static void set_up(struct fixture *f, const char *loss, const char *regularizer, bool weighted,
                   bool intercept) {
    struct random random;
    random_seed(&random, 3, 0);
    f->data = random_data(ROWS, FEATURES, false, 4);
    for (int i = 0; i < ROWS; i++) {
        double unit = random_unit(&random);
        f->target[i] = loss_by_name(loss)->task == TASK_CLASSIFICATION ? f->data.label[i]
                                                                       : 4 * unit * unit - 1;
        f->weight[i] = i % 6 == 0 ? 0 : 3 * random_unit(&random);
    }
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->target,
                                         .weight = weighted ? f->weight : NULL,
                                         .loss = loss_by_name(loss),
                                         .parameters = {0.1, 0.3, 0.8},
                                         .bias = weighted ? 0.5 : -1,
                                         .intercept = intercept};
    f->problem = (struct problem){
        .regularizer = regularizer_by_name(regularizer), .parameters.elastic = 0.4, .lambda = 0.03};
    make_risk(f);
}

static void tear_down(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

/* Calls CHECK for each loss, and 0 <= k < VARIANTS. */
static void each_loss(int variants, void (*check)(const struct loss *loss, int k)) {
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < variants; k++)
            check(&table[l], k);
}

/* The sum of c over the rows whose target is above 0, and of all others. */
static void class_weights(const struct fixture *f, double *positive, double *negative) {
    *positive = *negative = 0;
    for (int i = 0; i < ROWS; i++)
        *(f->target[i] > 0 ? positive : negative) += scalar_weight(f->terms, i);
}

/* ---- delta */

/* min |g + l2 w + l1 v| over the subgradients v of |.| at w, on a grid. */
static double least_violation(const struct penalty *penalty, double w, double g) {
    enum { GRID = 4000 };
    double smallest = INFINITY;
    for (int i = 0; i <= GRID; i++) {
        double v = w > 0 ? 1 : w < 0 ? -1 : 2.0 * i / GRID - 1;
        smallest = fmin(smallest, fabs(g + penalty->l2 * w + penalty->l1 * v));
    }
    return smallest;
}

static void delta_is_the_least_over_the_subgradients(void **state) {
    (void)state;
    static const char *const names[] = {"l2", "l1", "elastic-net"};
    struct random random;
    random_seed(&random, 31, 0);
    for (int r = 0; r < 3; r++)
        for (int trial = 0; trial < 60; trial++) {
            struct fixture f;
            double w[MAX_DIMENSION], gradient[MAX_DIMENSION], sum = 0;
            set_up(&f, "logistic", names[r], trial % 2, trial % 3);
            f.problem.lambda = 0.5 * random_unit(&random);
            struct penalty penalty = problem_penalty_parts(&f.problem);
            int64_t n = f.problem.risk->dimension;
            for (int64_t j = 0; j < n; j++) {
                w[j] = random_unit(&random) < 0.4 ? 0 : 2 * random_unit(&random) - 1;
                gradient[j] = 2 * random_unit(&random) - 1;
                double smallest = fabs(gradient[j]);
                if (j < f.problem.risk->regularized) {
                    smallest = least_violation(&penalty, w[j], gradient[j]);
                    assert_near(optimality_violation(&penalty, w[j], gradient[j]), smallest, 1e-3);
                }
                sum += smallest * smallest;
            }
            assert_near(optimality_delta(&f.problem, w, gradient), sqrt(sum / (double)n), 1e-3);
            tear_down(&f);
        }
    struct penalty penalty = {.l1 = 0.5, .l2 = 2};
    assert_true(optimality_violation(&penalty, 0, 0.5) == 0);
    assert_true(optimality_violation(&penalty, -0.0, -0.5) == 0);
    assert_near(optimality_violation(&penalty, 0, -0.75), 0.25, 0);
    assert_near(optimality_violation(&penalty, 1, -0.75), 1.75, 0);
    assert_near(optimality_violation(&penalty, -1, -0.75), 3.25, 0);
}

static void delta_is_0_at_the_optimum(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, gradient[MAX_DIMENSION];
        set_up(&f, "logistic", k % 2 ? "l1" : "elastic-net", k / 2, k / 2);
        proximal_gradient(&f.problem, 20000, w);
        risk_evaluate(f.problem.risk, w, 0, gradient);
        assert_true(optimality_delta(&f.problem, w, gradient) <= 1e-14);
        w[1] += 1e-3;
        risk_evaluate(f.problem.risk, w, 0, gradient);
        assert_true(optimality_delta(&f.problem, w, gradient) >= 1e-6);
        tear_down(&f);
    }
}

/* ---- the best offset */

/* The value where the sum of c over smaller targets and over larger ones are split q to 1 - q. */
static double plain_quantile(const struct fixture *f, double q) {
    double sum = 0, best = INFINITY;
    for (int i = 0; i < ROWS; i++)
        sum += scalar_weight(f->terms, i);
    for (int k = 0; k < ROWS; k++) {
        double below = 0;
        for (int i = 0; i < ROWS; i++)
            below += f->target[i] <= f->target[k] ? scalar_weight(f->terms, i) : 0;
        if (below >= q * sum && f->target[k] < best)
            best = f->target[k];
    }
    return best;
}

static double risk_at_offset(const struct fixture *f, double b) {
    double w[MAX_DIMENSION] = {0};
    w[f->problem.risk->regularized] = b;
    return risk_evaluate(f->problem.risk, w, 0, NULL);
}

static double null_offset(const struct fixture *f) {
    double w[MAX_DIMENSION];
    for (int j = 0; j < MAX_DIMENSION; j++)
        w[j] = 7;
    optimality_null_point(&f->problem, w, NULL);
    for (int64_t j = 0; j < f->problem.risk->regularized; j++)
        assert_true(w[j] == 0);
    if (f->problem.risk->dimension == f->problem.risk->regularized)
        return 0;
    return w[f->problem.risk->regularized];
}

static void the_offset_has_closed_forms(void **state) {
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        struct fixture f;
        double positive, negative, sum = 0, weights = 0;
        set_up(&f, "logistic", "l1", weighted, true);
        class_weights(&f, &positive, &negative);
        assert_near(null_offset(&f), log(positive / negative), 1e-13);
        tear_down(&f);
        set_up(&f, "squared-hinge", "l1", weighted, true);
        assert_near(null_offset(&f), (positive - negative) / (positive + negative), 1e-13);
        tear_down(&f);
        set_up(&f, "hinge", "l1", weighted, true);
        assert_near(null_offset(&f), positive > negative ? 1 : -1, 1e-13);
        tear_down(&f);
        set_up(&f, "squared", "l1", weighted, true);
        for (int i = 0; i < ROWS; i++) {
            sum += scalar_weight(f.terms, i) * f.target[i];
            weights += scalar_weight(f.terms, i);
        }
        assert_near(null_offset(&f), sum / weights, 1e-13);
        tear_down(&f);
        set_up(&f, "absolute", "l1", weighted, true);
        assert_near(null_offset(&f), plain_quantile(&f, 0.5), 1e-13);
        tear_down(&f);
        set_up(&f, "quantile", "l1", weighted, true);
        assert_near(null_offset(&f), plain_quantile(&f, 0.3), 1e-13);
        tear_down(&f);
    }
}

/* No offset on a grid or next to the optimum is better, for any loss; without an offset there is none. */
static void check_best_offset(const struct loss *loss, int k) {
    struct fixture f;
    set_up(&f, loss->name, "l1", k % 2, k / 2);
    double b = null_offset(&f);
    if (k / 2) {
        double smallest = risk_at_offset(&f, b);
        for (double other = -5; other <= 5; other += 0.01)
            assert_true(smallest <= risk_at_offset(&f, other) + 1e-14);
        for (double h = 1e-9; h < 1; h *= 10)
            assert_true(smallest <=
                        fmin(risk_at_offset(&f, b - h), risk_at_offset(&f, b + h)) + 1e-14);
    }
    tear_down(&f);
}

static void the_offset_is_the_best(void **state) {
    (void)state;
    each_loss(4, check_best_offset);
}

/* Targets far from 0, a single class, one row: the offset is finite, and its risk is close to the smallest. */
static void check_extreme_offset(const struct loss *loss, int k) {
    struct fixture f;
    double w[MAX_DIMENSION], gradient[MAX_DIMENSION], far = k < 2 ? 1 : 1e8;
    bool labels = loss->task == TASK_CLASSIFICATION;
    set_up(&f, loss->name, "l1", true, true);
    for (int i = 0; i < ROWS; i++) {
        f.target[i] = (labels ? 1 : far) * (k % 2 ? 1 : -1);
        f.weight[i] += 1e-3;
    }
    for (int i = 0; i < ROWS && k / 2 && labels; i++) {
        f.target[i] = i % 2 ? 1 : -1; /* of the other class only what weighs nothing */
        f.weight[i] = i % 2 == k % 2 ? 1 : 0;
    }
    make_risk(&f);
    double b = null_offset(&f), risk = risk_at_offset(&f, b);
    assert_true(isfinite(b) && fabs(b) <= 10 * far + 100);
    assert_true(risk <= 1e-13 * far);
    double largest = optimality_lambda_max(&f.problem, w, gradient, NULL);
    assert_true(largest >= 0 && largest <= 1e-13 * far);
    assert_near(w[f.problem.risk->regularized], b, 0);
    tear_down(&f);
}

static void extreme_offsets(void **state) {
    (void)state;
    each_loss(4, check_extreme_offset);
}

/* Rare positives and huge weights: the risk is nearly flat far out, and its slope is made 0 as well as
 * it is known. */
static void rare_classes(void **state) {
    (void)state;
    for (double heavy = 1; heavy < 1e13; heavy *= 1e3) {
        struct fixture f;
        double w[MAX_DIMENSION], gradient[MAX_DIMENSION];
        set_up(&f, "logistic", "l1", true, true);
        for (int i = 0; i < ROWS; i++) {
            f.target[i] = i == 17 ? 1 : -1;
            f.weight[i] = i == 17 ? 1 : heavy;
        }
        make_risk(&f);
        optimality_null_point(&f.problem, w, NULL);
        risk_evaluate(f.problem.risk, w, 0, gradient);
        assert_near(gradient[f.problem.risk->regularized], 0, 1e-15);
        if (heavy < 1e7)
            assert_near(w[f.problem.risk->regularized], -log(heavy * (ROWS - 1)), 1e-5);
        tear_down(&f);
    }
}

/* ---- lambda_max */

static void lambda_max_has_a_closed_form(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        struct fixture f;
        bool weighted = k % 2, intercept = k / 2 % 2;
        double w[MAX_DIMENSION], gradient[MAX_DIMENSION], g[MAX_DIMENSION] = {0}, positive,
                                                          negative, share = 1;
        set_up(&f, "logistic", k / 4 ? "elastic-net" : "l1", weighted, intercept);
        class_weights(&f, &positive, &negative);
        double probability = intercept ? positive / (positive + negative) : 0.5;
        for (int i = 0; i < ROWS; i++)
            design_add(f.terms->design, g,
                       scalar_weight(f.terms, i) / (positive + negative) *
                           (probability - (f.target[i] > 0)),
                       i);
        if (k / 4)
            share = 0.6;
        double largest = optimality_lambda_max(&f.problem, w, gradient, NULL);
        assert_near(largest, vector_largest(g, f.problem.risk->regularized) / share, 1e-14);
        for (int64_t j = 0; j < f.problem.risk->dimension; j++)
            assert_near(gradient[j], g[j], 1e-14);
        f.problem.lambda *= 17; /* which it does not depend on */
        assert_near(optimality_lambda_max(&f.problem, w, gradient, NULL), largest, 0);
        tear_down(&f);
    }
}

/* The part of the offset in the gradient, which a loss with kinks leaves, does not count. */
static void check_regularized(const struct loss *loss, int k) {
    struct fixture f;
    double w[MAX_DIMENSION], gradient[MAX_DIMENSION];
    set_up(&f, loss->name, "l1", k % 2, k / 2);
    for (int i = 0; i < ROWS && loss->task == TASK_REGRESSION; i++)
        f.target[i] = i % 2; /* a kink at each candidate */
    double largest = optimality_lambda_max(&f.problem, w, gradient, NULL);
    assert_true(isfinite(largest) && largest >= 0);
    assert_near(largest, vector_largest(gradient, f.problem.risk->regularized), 1e-16);
    tear_down(&f);
}

static void lambda_max_is_of_the_regularized(void **state) {
    (void)state;
    each_loss(4, check_regularized);
}

/* From elsewhere a run ends at the null point for lambda >= lambda_max, below it does not. */
static void check_nothing_learned(const struct loss *loss, int k) {
    if (isinf(loss->curvature))
        return;
    struct fixture f;
    double null[MAX_DIMENSION], w[MAX_DIMENSION], gradient[MAX_DIMENSION];
    set_up(&f, loss->name, k / 4 ? "elastic-net" : "l1", k % 2, k / 2 % 2);
    int64_t n = f.problem.risk->regularized;
    double largest = optimality_lambda_max(&f.problem, null, gradient, NULL);
    assert_true(largest > 0.01 && isfinite(largest));
    f.problem.lambda = largest * (1 + 1e-15);
    assert_true(optimality_delta(&f.problem, null, gradient) <= 1e-15);
    for (int below = 0; below < 2; below++) {
        f.problem.lambda = largest * (below ? 0.99 : 1 + 1e-9);
        for (int j = 0; j < MAX_DIMENSION; j++)
            w[j] = j % 2 ? 0.7 : -0.4;
        proximal_gradient(&f.problem, 20000, w);
        if (below)
            assert_true(vector_nonzeros(w, n) > 0);
        else
            assert_true(vector_nonzeros(w, n) == 0);
        for (int64_t j = n; j < f.problem.risk->dimension && !below; j++)
            assert_near(w[j], null[j], 1e-12);
    }
    tear_down(&f);
}

static void nothing_is_learned_at_lambda_max(void **state) {
    (void)state;
    each_loss(8, check_nothing_learned);
}

/* Without a 1-norm no lambda is large enough, unless the gradient is 0 anyway. */
static void lambda_max_without_a_1_norm(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct fixture f;
        double w[MAX_DIMENSION], gradient[MAX_DIMENSION];
        set_up(&f, "squared", k ? "elastic-net" : "l2", false, false);
        f.problem.parameters.elastic = 1;
        assert_true(optimality_lambda_max(&f.problem, w, gradient, NULL) == INFINITY);
        for (int i = 0; i < ROWS; i++)
            f.target[i] = 0;
        assert_true(optimality_lambda_max(&f.problem, w, gradient, NULL) == 0);
        f.problem.regularizer = regularizer_by_name("l1");
        assert_true(optimality_lambda_max(&f.problem, w, gradient, NULL) == 0);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delta_is_the_least_over_the_subgradients),
        cmocka_unit_test(delta_is_0_at_the_optimum),
        cmocka_unit_test(the_offset_has_closed_forms),
        cmocka_unit_test(the_offset_is_the_best),
        cmocka_unit_test(extreme_offsets),
        cmocka_unit_test(rare_classes),
        cmocka_unit_test(lambda_max_has_a_closed_form),
        cmocka_unit_test(lambda_max_is_of_the_regularized),
        cmocka_unit_test(nothing_is_learned_at_lambda_max),
        cmocka_unit_test(lambda_max_without_a_1_norm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
