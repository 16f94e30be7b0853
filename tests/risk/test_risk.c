/* test_risk.c - the loop over rows against a plain one, gradients by differences, items against the
 * batch, the same numbers for any number of threads; regularizers and certificates. */
#include "io/memory.h"
#include "math/vector.h"
#include "risk/regularizer.h"
#include "risk/risk.h"
#include "solvers/certificate.h"
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

enum { ROWS = 300, FEATURES = 9, MAX_DIMENSION = FEATURES + 2 };

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
    double target[ROWS], weight[ROWS], w[MAX_DIMENSION];
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
    for (int j = 0; j < MAX_DIMENSION; j++)
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
    memset(x, 0, sizeof *x * MAX_DIMENSION);
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
    double sum = 0, weights = 0, x[MAX_DIMENSION];
    memset(gradient, 0, sizeof *gradient * MAX_DIMENSION);
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

/* Calls CHECK for every loss and setting, for one of EACH of these. */
static void for_one_of(int each, void (*check)(struct fixture *)) {
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        for (int s = 0; s < SETTINGS; s++) {
            if ((l + s) % each != 0)
                continue;
            struct fixture f;
            set_up(&f, &settings[s], &table[l]);
            check(&f);
            tear_down(&f);
        }
}

static void for_all(void (*check)(struct fixture *)) {
    for_one_of(PART(1, 2), check);
}

static void check_plain(struct fixture *f) {
    double plain[MAX_DIMENSION], gradient[MAX_DIMENSION];
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
    double gradient[MAX_DIMENSION], h = 1e-6, mu = 0.4;
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
    for (int p = 0; p < item->rows; p++)
        sparse_add(x + item->row[p].offset, coefficient * item->row[p].coefficient,
                   item->row[p].column, item->row[p].value, item->row[p].count);
}

static void check_items(struct fixture *f) {
    double expected[MAX_DIMENSION], mean[MAX_DIMENSION] = {0}, halved[MAX_DIMENSION], weights = 0,
                                    loss = 0;
    double constant, slope, norm = sqrt(vector_dot(f->w, f->w, f->risk->dimension)), norm_bound = 0;
    double value = risk_evaluate(f->risk, f->w, 0, expected);
    f->risk->kind->lipschitz(f->risk, &constant, &slope);
    for (int j = 0; j < MAX_DIMENSION; j++)
        halved[j] = j < f->risk->regularized ? f->w[j] / 2 : f->w[j];
    for (int64_t i = 0; i < f->risk->items; i++) {
        struct risk_item item = {0};
        double single[MAX_DIMENSION] = {0}, c = f->scalar.weight == NULL ? 1 : f->weight[i];
        f->risk->kind->prefetch(f->risk, i, i % 2);
        f->risk->kind->item(f->risk, i, halved, 2, &item);
        add_item(&item, c, mean);
        add_item(&item, 1, single);
        loss += c * item.loss;
        weights += c;
        norm_bound -= c * vector_dot(f->w, single, f->risk->dimension);
        if (c > 0)
            assert_true(sqrt(vector_dot(single, single, f->risk->dimension)) <=
                        constant + slope * norm + 1e-12);
    }
    assert_near(loss / weights, value, 1e-12);
    assert_true(norm_bound / weights <= f->risk->kind->norm_bound(f->risk) + 1e-12);
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

static void l1_is_what_it_says(void **state) {
    (void)state;
    const struct regularizer *l1 = regularizer_by_name("l1");
    double w[] = {3, -4, 0}, s[] = {-0.3, 0.4, 0.1}, out[] = {7, 7, 7}, lambda = 0.1;
    assert_near(l1->value(w, 3, NULL), 7, 0);
    assert_near(l1->value(w, 0, NULL), 0, 0);
    assert_true(l1->conjugate(s, 3, lambda, NULL) == INFINITY);
    assert_true(l1->conjugate(s, 3, 0.4, NULL) == 0);
    assert_true(l1->conjugate(s, 3, nextafter(0.4, 0), NULL) == INFINITY);
    assert_near(l1->reach(s, 3, lambda), 0.25, 1e-16);
    assert_true(l1->reach(s, 3, 0.4) == 1 && l1->reach(s, 3, 5) == 1);
    assert_true(l1->reach(s, 0, lambda) == 1);
    assert_near(l1->bound(s, 2, 3, lambda, NULL), 0.5, 1e-15);
    assert_near(l1->bound(s, 2, 3, 1, NULL), 2, 0);
    assert_true(l1->bound(s, -2, 3, lambda, NULL) == 0 && l1->bound(s, -2, 3, 1, NULL) == 0);
    l1->minimizer(s, 3, 1, NULL, out);
    for (int j = 0; j < 3; j++)
        assert_true(out[j] == 0);
}

/* A random point of Omega's domain, for a ball on its rim: for the others without penalty, on the
 * simplex. */
static void random_point(struct random *random, const struct regularizer *r,
                         const struct regularizer_parameters *p, double *w) {
    double sum = 0;
    for (int j = 0; j < FEATURES; j++) {
        w[j] = random_unit(random) < 0.3 ? 0 : 4 * random_unit(random) - 2;
        if (r->penalty == NULL && r->ball == NULL)
            w[j] = fabs(w[j]) + 1e-3;
        sum += fabs(w[j]);
    }
    if (r->ball != NULL) {
        struct ball ball = r->ball(p);
        double square = vector_dot(w, w, FEATURES);
        vector_scale(w, 2 * ball.r / (sum + sqrt(sum * sum + 2 * ball.k * ball.r * square)),
                     FEATURES);
        assert_true(r->value(w, FEATURES, p) == 0);
    } else if (r->penalty == NULL) {
        vector_scale(w, 1 / sum, FEATURES);
    }
}

static double conjugate_at(const struct regularizer *r, const double *s, double theta,
                           double lambda, const struct regularizer_parameters *p) {
    double scaled[FEATURES];
    for (int j = 0; j < FEATURES; j++)
        scaled[j] = theta * s[j];
    return r->conjugate(scaled, FEATURES, lambda, p);
}

/* Fenchel: lambda Omega(w) + lambda Omega*(-s/lambda) >= -<s,w>, equal at the minimizer. */
static void check_fenchel(const struct regularizer *r, const double *s, double lambda,
                          const struct regularizer_parameters *p, struct random *random) {
    double w[FEATURES], conjugate = r->conjugate(s, FEATURES, lambda, p);
    if (!isfinite(conjugate))
        return;
    for (int trial = 0; trial < 50; trial++) {
        random_point(random, r, p, w);
        assert_true(lambda * r->value(w, FEATURES, p) + conjugate >=
                    -vector_dot(s, w, FEATURES) - 1e-12);
    }
    r->minimizer(s, FEATURES, lambda, p, w);
    assert_near(lambda * r->value(w, FEATURES, p) + conjugate, -vector_dot(s, w, FEATURES),
                1e-12 * (1 + conjugate));
}

/* The bound is the best of theta t - conjugate(theta s) over theta in [0, 1], from below, and the
 * conjugate is finite exactly as far as `reach` says. */
static void check_shrinking(const struct regularizer *r, const double *s, double t, double lambda,
                            const struct regularizer_parameters *p) {
    enum { GRID = 2000 };
    double best = 0, bound = r->bound(s, t, FEATURES, lambda, p), largest = 1;
    if (r->reach != NULL) {
        largest = r->reach(s, FEATURES, lambda);
        assert_true(largest > 0 && largest <= 1);
        assert_true(isfinite(conjugate_at(r, s, largest * (1 - 1e-15), lambda, p)));
        assert_true(largest == 1 ||
                    !isfinite(conjugate_at(r, s, largest * (1 + 1e-15), lambda, p)));
    } else {
        assert_true(isfinite(r->conjugate(s, FEATURES, lambda, p)));
    }
    for (int i = 0; i <= GRID; i++) {
        double theta = largest * (1 - 1e-15) * i / GRID;
        best = fmax(best, theta * t - conjugate_at(r, s, theta, lambda, p));
    }
    assert_true(bound >= best - 1e-13 * (1 + best));
    assert_true(bound <= best + 1e-4 * (1 + fabs(t)));
}

static void regularizers_are_what_they_say(void **state) {
    (void)state;
    int count;
    const struct regularizer *table = regularizer_table(&count);
    struct regularizer_parameters p = {.elastic = 0.3, .ball = 0.7};
    struct random random;
    random_seed(&random, 21, 0);
    for (int k = 0; k < count; k++)
        for (int trial = 0; trial < 40; trial++) {
            double lambda = table[k].constraint ? 1 : exp(6 * random_unit(&random) - 4);
            double s[FEATURES], w[FEATURES];
            for (int j = 0; j < FEATURES; j++)
                s[j] = 2 * random_unit(&random) - 1;
            check_fenchel(&table[k], s, lambda, &p, &random);
            check_shrinking(&table[k], s, 3 * random_unit(&random) - 1, lambda, &p);
            if (table[k].penalty == NULL)
                continue;
            struct penalty penalty = table[k].penalty(lambda, &p);
            double ones = 0;
            random_point(&random, &table[k], &p, w);
            for (int j = 0; j < FEATURES; j++)
                ones += fabs(w[j]);
            assert_near(penalty.l1 * ones + penalty.l2 / 2 * vector_dot(w, w, FEATURES),
                        lambda * table[k].value(w, FEATURES, &p), 1e-12 * (1 + lambda));
        }
}

static double l1_size(const double *w, int64_t n) {
    return regularizer_by_name("l1")->value(w, n, NULL);
}

static void constraints_are_what_they_say(void **state) {
    (void)state;
    const struct regularizer *simplex = regularizer_by_name("simplex");
    const struct regularizer *l1 = regularizer_by_name("l1-ball");
    const struct regularizer *elastic = regularizer_by_name("elastic-net-ball");
    const struct regularizer_parameters p = {.elastic = 0.25, .ball = 3};
    double s[] = {-0.3, 0.4, 0.1, -0.3}, w[4];
    assert_true(simplex->value((double[]){0.5, 0.5, 0}, 3, &p) == 0);
    assert_true(isinf(simplex->value((double[]){0.5, 0.6, -0.1}, 3, &p)));
    assert_true(isinf(simplex->value((double[]){0.5, 0.4, 0}, 3, &p)));
    assert_near(simplex->conjugate(s, 4, 1, &p), 0.3, 0);
    assert_near(simplex->bound(s, 0.5, 4, 1, &p), 0.2, 1e-16);
    assert_near(simplex->bound(s, 0.2, 4, 1, &p), 0, 0);
    simplex->minimizer(s, 4, 1, &p, w);
    assert_true(w[0] == 0.5 && w[1] == 0 && w[2] == 0 && w[3] == 0.5);
    assert_true(l1->value((double[]){-1, 2}, 2, &p) == 0);
    assert_true(isinf(l1->value((double[]){-1, 2.001}, 2, &p)));
    assert_near(l1->conjugate(s, 4, 1, &p), 1.2, 1e-15);
    l1->minimizer(s, 4, 1, &p, w);
    assert_true(w[0] == 0 && w[1] == -3 && w[2] == 0 && w[3] == 0);
    assert_true(elastic->value((double[]){2, 0}, 2, &p) == 0); /* 0.125 4 + 0.75 2 = 2 */
    assert_true(elastic->value((double[]){2.6, 0}, 2, &p) == 0);
    assert_true(isinf(elastic->value((double[]){2.8, 0}, 2, &p))); /* 3.08 */
    for (int j = 0; j < 4; j++)
        w[j] = s[j];
    elastic->minimizer(w, 4, 1, &p, w); /* in place */
    assert_near(0.125 * vector_dot(w, w, 4) + 0.75 * l1_size(w, 4), 3, 1e-12);
}

/* theta t - conjugate(theta s) is concave in theta: its largest value by thirds of the bracket. */
static double searched_bound(const struct regularizer *r, const double *s, double t, double lambda,
                             const struct regularizer_parameters *p) {
    double low = 0, high = 1, best = fmax(0, t - r->conjugate(s, FEATURES, lambda, p));
    for (int i = 0; i < 100; i++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        double at_left = left * t - conjugate_at(r, s, left, lambda, p);
        double at_right = right * t - conjugate_at(r, s, right, lambda, p);
        best = fmax(best, fmax(at_left, at_right));
        if (at_left < at_right)
            low = left;
        else
            high = right;
    }
    return best;
}

/* Slopes of many magnitudes, so that the squares become active one after another; conjugates from nearly 0 to nearly
 * t. */
static void the_elastic_bound_is_the_best(void **state) {
    (void)state;
    const struct regularizer *r = regularizer_by_name("elastic-net");
    static const double elastic[] = {1e-4, 0.01, 0.3, 0.9, 1};
    struct random random;
    random_seed(&random, 22, 0);
    for (int trial = 0; trial < 20000; trial++) {
        const struct regularizer_parameters p = {.elastic = elastic[trial % 5]};
        double spread = 12 * random_unit(&random), s[FEATURES];
        double lambda = exp(12 * random_unit(&random) - 8);
        double t = exp(16 * random_unit(&random) - 10);
        for (int j = 0; j < FEATURES; j++)
            s[j] = (2 * random_unit(&random) - 1) * exp(-spread * random_unit(&random));
        double best = searched_bound(r, s, t, lambda, &p);
        assert_near(r->bound(s, t, FEATURES, lambda, &p), best, 1e-12 * best);
        assert_true(r->bound(s, -t, FEATURES, lambda, &p) == 0);
    }
    assert_near(r->bound((double[FEATURES]){0}, 2, FEATURES, 1,
                         &(struct regularizer_parameters){.elastic = 0.5}),
                2, 0);
}

/* bound <= J at any other point, and tight at the optimum of a smooth problem. */
static void check_bound(struct fixture *f, const struct problem *problem, const double *start) {
    double w[MAX_DIMENSION], gradient[MAX_DIMENSION], bound, other[MAX_DIMENSION];
    memcpy(w, start, sizeof w);
    double j = certificate_evaluate(problem, w, gradient, &bound, NULL);
    assert_near(j, problem_objective(problem, w), 1e-13 * (1 + j));
    assert_true(bound >= 0 && bound <= j);
    struct random random;
    random_seed(&random, 8, 0);
    for (int trial = 0; trial < 200; trial++) {
        for (int k = 0; k < MAX_DIMENSION; k++)
            other[k] = random_unit(&random) < 0.2 ? 0 : 3 * random_unit(&random) - 1.5;
        assert_true(bound <= problem_objective(problem, other) + 1e-12);
    }
    if (!isfinite(f->scalar.loss->curvature) || start != f->w)
        return;
    double first = bound;
    proximal_gradient(problem, 20000, w);
    j = certificate_evaluate(problem, w, gradient, &bound, NULL);
    assert_true(first <= j + 1e-12);
    assert_true(bound <= j && j - bound <= 1e-9);
}

static void check_certificate(struct fixture *f) {
    static const char *const names[] = {"l2", "l1", "elastic-net"};
    static const double lambdas[] = {0.002, 0.05, 10};
    for (int r = 0; r < 3; r++)
        for (int l = 0; l < 3; l++) {
            struct problem problem = {.risk = f->risk,
                                      .regularizer = regularizer_by_name(names[r]),
                                      .parameters.elastic = 0.3,
                                      .lambda = lambdas[l]};
            double zero[MAX_DIMENSION] = {0};
            if ((r + l) % PART(1, 3) != 0)
                continue;
            check_bound(f, &problem, f->w);
            check_bound(f, &problem, zero);
        }
}

static void the_certificate_bounds_and_closes(void **state) {
    (void)state;
    for_one_of(2, check_certificate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluation_equals_a_plain_loop),
        cmocka_unit_test(the_smoothed_gradient_agrees_with_differences),
        cmocka_unit_test(items_sum_to_the_batch),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(weights_must_sum_to_something),
        cmocka_unit_test(l2_is_what_it_says),
        cmocka_unit_test(the_elastic_bound_is_the_best),
        cmocka_unit_test(l1_is_what_it_says),
        cmocka_unit_test(regularizers_are_what_they_say),
        cmocka_unit_test(constraints_are_what_they_say),
        cmocka_unit_test(the_certificate_bounds_and_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
