/* test_risk.c - the loop over rows against a plain one, gradients by differences, items against the
 * batch, the same numbers for any number of threads; regularizers and certificates. */
#include "io/memory.h"
#include "math/vector.h"
#include "random_data.h"
#include "risk/regularizer.h"
#include "risk/risk.h"
#include "solvers/certificate.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

enum { ROWS = 300, FEATURES = 9, MOST = FEATURES + 2 };

struct setting {
    bool ones, intercept, weighted;
    double bias;
};

static const struct setting settings[] = {
    {false, false, false, -1}, {true, false, false, -1}, {false, true, false, -1},
    {false, false, true, 0.5}, {true, true, true, 2},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS], w[MOST];
    struct risk *risk;
    struct scalar_settings scalar;
};

static void set_up(struct fixture *f, const struct setting *setting, const struct loss *loss) {
    struct random random;
    random_seed(&random, 5, 0);
    f->data = random_data(ROWS, FEATURES, setting->ones, 3);
    for (int i = 0; i < ROWS; i++) {
        f->target[i] =
            loss->task == TASK_CLASSIFICATION ? f->data.label[i] : 4 * random_unit(&random) - 2;
        f->weight[i] = i % 7 == 0 ? 0 : random_unit(&random) * 3;
    }
    for (int j = 0; j < MOST; j++)
        f->w[j] = 2 * random_unit(&random) - 1;
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->target,
                                         .weight = setting->weighted ? f->weight : NULL,
                                         .loss = loss,
                                         .parameters = {0.1, 0.3, 0.8},
                                         .bias = setting->bias,
                                         .intercept = setting->intercept};
    f->risk = scalar_risk_new(&f->scalar, NULL);
    assert_non_null(f->risk);
}

static void tear_down(struct fixture *f) {
    risk_free(f->risk);
    dataset_free(&f->data);
}

/* Row i written out with its constant features. */
static void dense_row(const struct fixture *f, int64_t i, double *x) {
    memset(x, 0, sizeof *x * MOST);
    for (int64_t k = f->data.start[i]; k < f->data.start[i + 1]; k++)
        x[f->data.column[k]] = f->data.value == NULL ? 1 : f->data.value[k];
    int64_t n = FEATURES;
    if (f->scalar.bias >= 0)
        x[n++] = f->scalar.bias;
    if (f->scalar.intercept)
        x[n++] = 1;
    assert_int_equal(n, f->risk->dimension);
}

static double plain_risk(const struct fixture *f, const double *w, double *gradient) {
    double sum = 0, weights = 0, x[MOST];
    memset(gradient, 0, sizeof *gradient * MOST);
    for (int64_t i = 0; i < ROWS; i++) {
        double a, c = f->scalar.weight == NULL ? 1 : f->weight[i];
        dense_row(f, i, x);
        double u = vector_dot(w, x, f->risk->dimension);
        sum += c * f->scalar.loss->value(u, f->target[i], &f->scalar.parameters, &a);
        for (int j = 0; j < f->risk->dimension; j++)
            gradient[j] += c * a * x[j];
        weights += c;
    }
    for (int j = 0; j < f->risk->dimension; j++)
        gradient[j] /= weights;
    return sum / weights;
}

/* Calls CHECK for every loss and setting. */
static void for_all(void (*check)(struct fixture *)) {
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        for (int s = 0; s < SETTINGS; s++) {
            struct fixture f;
            set_up(&f, &settings[s], &table[l]);
            check(&f);
            tear_down(&f);
        }
}

static void check_plain(struct fixture *f) {
    double plain[MOST], gradient[MOST];
    double expected = plain_risk(f, f->w, plain);
    assert_near(risk_evaluate(f->risk, f->w, 0, gradient), expected, 1e-13);
    assert_near(risk_evaluate(f->risk, f->w, 0, NULL), expected, 1e-13);
    for (int j = 0; j < f->risk->dimension; j++)
        assert_near(gradient[j], plain[j], 1e-13);
}

static void evaluation_equals_a_plain_loop(void **state) {
    (void)state;
    for_all(check_plain);
}

static void check_differences(struct fixture *f) {
    double gradient[MOST], h = 1e-6, mu = 0.4;
    risk_evaluate(f->risk, f->w, mu, gradient);
    for (int j = 0; j < f->risk->dimension; j++) {
        double at = f->w[j];
        f->w[j] = at + h;
        double up = risk_evaluate(f->risk, f->w, mu, NULL);
        f->w[j] = at - h;
        double down = risk_evaluate(f->risk, f->w, mu, NULL);
        f->w[j] = at;
        assert_near(gradient[j], (up - down) / (2 * h), 1e-6);
    }
}

static void the_smoothed_gradient_agrees_with_differences(void **state) {
    (void)state;
    for_all(check_differences);
}

/* Adds coefficient * part to x. */
static void add_item(const struct risk_item *item, double coefficient, double *x) {
    for (int p = 0; p < item->parts; p++)
        sparse_add(x + item->part[p].offset, coefficient * item->part[p].coefficient,
                   item->part[p].column, item->part[p].value, item->part[p].count);
}

static void check_items(struct fixture *f) {
    double expected[MOST], mean[MOST] = {0}, halved[MOST], weights = 0, loss = 0;
    double constant, slope, norm = sqrt(vector_dot(f->w, f->w, f->risk->dimension)), pull = 0;
    double value = risk_evaluate(f->risk, f->w, 0, expected);
    f->risk->kind->lipschitz(f->risk, &constant, &slope);
    for (int j = 0; j < MOST; j++)
        halved[j] = j < f->risk->regularized ? f->w[j] / 2 : f->w[j];
    for (int64_t i = 0; i < f->risk->items; i++) {
        struct risk_item item;
        double single[MOST] = {0}, c = f->scalar.weight == NULL ? 1 : f->weight[i];
        f->risk->kind->prefetch(f->risk, i, i % 2);
        f->risk->kind->item(f->risk, i, halved, 2, &item);
        add_item(&item, c, mean);
        add_item(&item, 1, single);
        loss += c * item.loss;
        weights += c;
        pull -= c * vector_dot(f->w, single, f->risk->dimension);
        if (c > 0)
            assert_true(sqrt(vector_dot(single, single, f->risk->dimension)) <=
                        constant + slope * norm + 1e-12);
    }
    assert_near(loss / weights, value, 1e-12);
    assert_true(pull / weights <= f->risk->kind->pull(f->risk) + 1e-12);
    for (int j = 0; j < f->risk->dimension; j++)
        assert_near(mean[j] / weights, expected[j], 1e-12);
}

static void items_sum_to_the_batch(void **state) {
    (void)state;
    for_all(check_items);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    struct dataset data = random_data(20000, 30, false, 9);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("logistic"), .bias = 1};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    double w[31], gradient[2][31], value[2];
    for (int j = 0; j < 31; j++)
        w[j] = 0.1 * j - 1;
    for (int threads = 1; threads <= 5; threads++) {
        int k = threads > 1;
        omp_set_num_threads(threads);
        value[k] = risk_evaluate(risk, w, 0, gradient[k]);
        assert_memory_equal(&value[k], &value[0], sizeof(double));
        assert_memory_equal(gradient[k], gradient[0], sizeof gradient[0]);
    }
    risk_free(risk);
    dataset_free(&data);
}

static void weights_must_sum_to_something(void **state) {
    (void)state;
    struct dataset data = random_data(10, 3, false, 9);
    double weight[10] = {0};
    struct scalar_settings scalar = {.data = &data,
                                     .target = data.label,
                                     .weight = weight,
                                     .loss = loss_by_name("hinge"),
                                     .bias = -1};
    struct error e = {0};
    assert_null(scalar_risk_new(&scalar, &e));
    assert_non_null(strstr(e.words, "weights sum to 0"));
    weight[3] = INFINITY;
    e = (struct error){0};
    assert_null(scalar_risk_new(&scalar, &e));
    dataset_free(&data);
}

static void l2_is_what_it_says(void **state) {
    (void)state;
    const struct regularizer *l2 = regularizer_by_name("l2");
    double w[] = {3, -4}, s[] = {-0.3, 0.4}, lambda = 0.1;
    assert_near(l2->value(w, 2, NULL), 12.5, 0);
    assert_near(l2->conjugate(s, 2, lambda, NULL), 0.25 / 0.2, 1e-15);
    /* Fenchel: lambda Omega(w) + lambda Omega*(-s/lambda) >= -<s,w>, equal at w = -s/lambda. */
    assert_true(lambda * l2->value(w, 2, NULL) + l2->conjugate(s, 2, lambda, NULL) >=
                0.3 * 3 + 0.4 * 4);
    assert_near(lambda * l2->value(w, 2, NULL) + l2->conjugate(s, 2, lambda, NULL), 2.5, 1e-15);
    /* The bound is the best over theta in [0, 1]. */
    for (double t = -1; t < 4; t += 0.125) {
        double best = 0;
        for (int i = 0; i <= 1000; i++) {
            double theta = i / 1000.0;
            best = fmax(best, theta * t - theta * theta * l2->conjugate(s, 2, lambda, NULL));
        }
        assert_near(l2->bound(s, t, 2, lambda, NULL), best, 2e-6);
        assert_true(l2->bound(s, t, 2, lambda, NULL) >= best - 1e-12);
    }
    assert_null(regularizer_by_name("l3"));
}

/* bound <= J at any other point, and tight at the optimum of a smooth problem. */
static void check_certificate(struct fixture *f) {
    struct problem problem = {
        .risk = f->risk, .regularizer = regularizer_by_name("l2"), .lambda = 0.05};
    double gradient[MOST], bound, other[MOST];
    double j = certificate_evaluate(&problem, f->w, gradient, &bound);
    assert_near(j, problem_objective(&problem, f->w), 1e-13);
    assert_true(bound >= 0 && bound <= j);
    struct random random;
    random_seed(&random, 8, 0);
    for (int trial = 0; trial < 200; trial++) {
        for (int k = 0; k < MOST; k++)
            other[k] = 3 * random_unit(&random) - 1.5;
        assert_true(bound <= problem_objective(&problem, other) + 1e-12);
    }
    if (!isfinite(f->scalar.loss->curvature))
        return;
    for (int step = 0; step < 20000; step++) {
        risk_evaluate(f->risk, f->w, 0, gradient);
        for (int k = 0; k < f->risk->dimension; k++)
            f->w[k] -=
                0.05 * (gradient[k] + (k < f->risk->regularized ? problem.lambda : 0) * f->w[k]);
    }
    j = certificate_evaluate(&problem, f->w, gradient, &bound);
    assert_true(bound <= j + 1e-12 && j - bound <= (f->scalar.intercept ? 1e-7 : 1e-8));
}

static void the_certificate_bounds_and_closes(void **state) {
    (void)state;
    for_all(check_certificate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluation_equals_a_plain_loop),
        cmocka_unit_test(the_smoothed_gradient_agrees_with_differences),
        cmocka_unit_test(items_sum_to_the_batch),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(weights_must_sum_to_something),
        cmocka_unit_test(l2_is_what_it_says),
        cmocka_unit_test(the_certificate_bounds_and_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
