/* test_smoothed_risk.c - the smoothed risk beside its definition, row by row: values, gradients, how far
 * it is below the risk, and the bounds by its average. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solvers/accelerated/smoothed_risk.h"
#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/size.h"

#include <string.h>

enum { ROWS = 40, FEATURES = 5, MAX_DIMENSION = FEATURES + 2 };

static const double mus[] = {0.02, 0.4, 3};
enum { MUS = 3 };

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS], each[ROWS];
    struct problem problem;
    const struct scalar_terms *terms;
    struct smoothed_risk risk;
    struct random random;
};

static void set_up(struct fixture *f, const struct loss *loss, bool weighted, bool intercept) {
    *f = (struct fixture){.data = random_data(ROWS, FEATURES, false, 4)};
    random_seed(&f->random, 3, 0);
    for (int i = 0; i < ROWS; i++) {
        f->target[i] =
            loss->task == TASK_CLASSIFICATION ? f->data.label[i] : 3 * random_unit(&f->random) - 1;
        f->weight[i] = i % 6 == 0 ? 0 : 3 * random_unit(&f->random);
        f->each[i] = 0.3 + 2 * random_unit(&f->random);
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
                                  .parameters.elastic = 0.4,
                                  .lambda = 0.1};
    f->terms = f->problem.risk->scalar;
}

static void tear_down(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

/* Every loss, with weights (of which some are 0) and a bias or without; every mu, with a factor a row or
 * without. */
static void for_each(bool intercept, void (*check)(struct fixture *)) {
    int count;
    const struct loss *table = loss_table(&count);
    for (int k = 0; k < count * MUS * 4; k++) {
        struct fixture f;
        if ((k / MUS / 4 + k) % PART(5, 7) != 0)
            continue;
        set_up(&f, &table[k / MUS / 4], k & 1, intercept);
        assert_int_equal(smoothed_risk_init(&f.risk, &f.problem, mus[k / 4 % MUS], NULL), 0);
        f.risk.smoothing.each = k & 2 ? f.each : NULL;
        check(&f);
        smoothed_risk_free(&f.risk);
        tear_down(&f);
    }
}

static void for_all(void (*check)(struct fixture *)) {
    for_each(false, check);
}

static int dimension(const struct fixture *f) {
    return (int)f->problem.risk->regularized;
}

static void random_w(struct fixture *f, double *w) {
    for (int j = 0; j < MAX_DIMENSION; j++)
        w[j] = 2 * random_unit(&f->random) - 1;
}

/* The value by the smooth part's own two steps. */
static double value(struct fixture *f, const double *w, double *gradient) {
    double scores[ROWS];
    struct smooth_part *part = &f->risk.part;
    part->image(part, w, scores);
    return part->value(part, w, scores, gradient);
}

/* ---- the definition */

static double factor(const struct fixture *f, int i) {
    return f->risk.smoothing.mu * (f->risk.smoothing.each == NULL ? 1 : f->each[i]);
}

static double share(const struct fixture *f, int i) {
    return scalar_weight(f->terms, i) / f->terms->weight_sum;
}

/* a u - l*(a, y) - mu/2 a^2 */
static double height(const struct fixture *f, int i, double u, double a) {
    const struct loss *loss = f->terms->loss;
    return a * u - loss->conjugate(a, f->target[i], &f->terms->parameters) -
           factor(f, i) / 2 * a * a;
}

/* Its maximum by ternary search of the domain; *at is the maximizer. */
static double highest(const struct fixture *f, int i, double u, double *at) {
    double low, high;
    f->terms->loss->domain(f->target[i], &f->terms->parameters, &low, &high);
    low = fmax(low, -50);
    high = fmin(high, 50);
    for (int step = 0; step < 90; step++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        if (height(f, i, u, left) < height(f, i, u, right))
            low = left;
        else
            high = right;
    }
    *at = (low + high) / 2;
    return height(f, i, u, *at);
}

static double score(const struct fixture *f, int i, const double *w) {
    return design_score(f->terms->design, w, 1, i);
}

static void value_is_the_maximum(struct fixture *f) {
    double w[MAX_DIMENSION], gradient[MAX_DIMENSION], sum = 0;
    random_w(f, w);
    double found = value(f, w, gradient);
    for (int i = 0; i < ROWS; i++) {
        double a, largest = highest(f, i, score(f, i, w), &a);
        sum += share(f, i) * largest;
        assert_near(f->risk.latest_dual[i], scalar_weight(f->terms, i) * a, 1e-6);
    }
    assert_near(found, sum, 1e-12 * (1 + sum));
    assert_near(value(f, w, NULL), found, 0);
}

static void gradient_is_that_of_differences(struct fixture *f) {
    static const double by = 1e-5;
    double w[MAX_DIMENSION], gradient[MAX_DIMENSION];
    random_w(f, w);
    value(f, w, gradient);
    for (int j = 0; j < dimension(f); j++) {
        double kept = w[j];
        w[j] = kept + by;
        double right = value(f, w, NULL);
        w[j] = kept - by;
        double left = value(f, w, NULL);
        w[j] = kept;
        assert_near(gradient[j], (right - left) / (2 * by), 2 * by / f->risk.smoothing.mu + 1e-8);
    }
}

/* R_mu <= R <= R_mu + mu/2 sum p a^2, a the subderivatives of R */
static void smoothing_takes_so_much(struct fixture *f) {
    double w[MAX_DIMENSION], squares = 0, a;
    random_w(f, w);
    double smooth = value(f, w, NULL), risk = risk_evaluate(f->problem.risk, w, 0, NULL);
    for (int i = 0; i < ROWS; i++) {
        f->terms->loss->value(score(f, i, w), f->target[i], &f->terms->parameters, &a);
        squares += share(f, i) * factor(f, i) * a * a;
    }
    assert_true(smooth <= risk + 1e-14);
    assert_true(risk <= smooth + squares / 2 + 1e-14);
}

static void values_are_maxima(void **state) {
    (void)state;
    for_all(value_is_the_maximum);
}

static void gradients_are_those_of_differences(void **state) {
    (void)state;
    for_all(gradient_is_that_of_differences);
}

static void the_risk_is_between(void **state) {
    (void)state;
    for_all(smoothing_takes_so_much);
}

/* mu = 0 is the risk itself. */
static void no_smoothing_is_the_risk(void **state) {
    (void)state;
    int count;
    const struct loss *table = loss_table(&count);
    for (int k = 0; k < 2 * count; k++) {
        struct fixture f;
        double w[MAX_DIMENSION], gradient[MAX_DIMENSION], expected[MAX_DIMENSION];
        set_up(&f, &table[k / 2], k % 2, false);
        assert_int_equal(smoothed_risk_init(&f.risk, &f.problem, 0, NULL), 0);
        random_w(&f, w);
        double risk = risk_evaluate(f.problem.risk, w, 0, expected);
        assert_near(value(&f, w, gradient), risk, 1e-14 * (1 + risk));
        for (int j = 0; j < dimension(&f); j++)
            assert_near(gradient[j], expected[j], 1e-14);
        smoothed_risk_free(&f.risk);
        tear_down(&f);
    }
}

/* Scores and gradients are half a pass each; a value at known scores is none. */
static void passes_are_counted(struct fixture *f) {
    double w[MAX_DIMENSION] = {0}, gradient[MAX_DIMENSION];
    value(f, w, NULL);
    assert_near(f->risk.part.passes, 0.5, 0);
    value(f, w, gradient);
    assert_near(f->risk.part.passes, 1.5, 0);
}

static void half_passes_are_counted(void **state) {
    (void)state;
    for_all(passes_are_counted);
}

/* ---- bounds by the average */

static const char *const regularizers[] = {"l2", "elastic-net", "entropy", "l1"};
static const double lambdas[] = {0.03, 0.5, 4};
enum { REGULARIZERS = 4, LAMBDAS = 3, ACCEPTED = 6 };

/* Weights from near a point, on the simplex for the entropy. */
static void weights_near(struct fixture *f, const double *centre, double distance, double *w) {
    bool entropy = strcmp(f->problem.regularizer->name, "entropy") == 0;
    double sum = 0;
    for (int j = 0; j < dimension(f); j++) {
        double by = distance * (2 * random_unit(&f->random) - 1);
        w[j] = entropy ? centre[j] * exp(by) : centre[j] + by;
        sum += w[j];
    }
    for (int j = 0; entropy && j < dimension(f); j++)
        w[j] /= sum;
}

static double smooth_objective(struct fixture *f, const double *w) {
    return value(f, w, NULL) + problem_penalty(&f->problem, w);
}

/* Some gradients taken, and some of these accepted; the mean of their a by hand. */
static void accept_some(struct fixture *f, const double *centre, double distance, double *a) {
    struct smooth_part *part = &f->risk.part;
    double w[MAX_DIMENSION], gradient[MAX_DIMENSION];
    memset(a, 0, sizeof *a * ROWS);
    for (int k = 0; k < ACCEPTED; k++) {
        double eta = k == 0 ? 1 : 0.05 + 0.9 * random_unit(&f->random);
        weights_near(f, centre, distance, w);
        value(f, w, gradient);
        if (k % 2 == 0) { /* a refusal before: another gradient, which must not count */
            weights_near(f, centre, distance, w);
            value(f, w, gradient);
        }
        for (int i = 0; i < ROWS; i++)
            if (share(f, i) > 0)
                a[i] += eta * (f->risk.latest_dual[i] / scalar_weight(f->terms, i) - a[i]);
        weights_near(f, centre, distance, w);
        value(f, w, NULL); /* the value at the new point does not count either */
        part->average(part, eta);
    }
}

/* (s, t) of theta a, and what the smoothing subtracts from t. */
static double line_of(const struct fixture *f, const double *a, double theta, double *s,
                      double *lost) {
    double t = *lost = 0;
    memset(s, 0, sizeof *s * MAX_DIMENSION);
    for (int i = 0; i < ROWS; i++) {
        double p = share(f, i), at = theta * a[i];
        if (p == 0)
            continue;
        t -= p * f->terms->loss->conjugate(at, f->target[i], &f->terms->parameters);
        *lost += p * factor(f, i) / 2 * at * at;
        design_add(f->terms->design, s, p * at, i);
    }
    return t;
}

/* (s, t) and (s, t less what mu takes), each shrunken as its conjugate is best. */
static void bound_is_that_of_the_mean(struct fixture *f, const double *a) {
    const struct regularizer *regularizer = f->problem.regularizer;
    const struct regularizer_parameters *parameters = &f->problem.parameters;
    double s[MAX_DIMENSION], lost, smooth, lambda = f->problem.lambda, ignored,
                                           shrunken[MAX_DIMENSION];
    double t = line_of(f, a, 1, s, &lost), bound = smoothed_risk_bound(&f->risk, &smooth);
    double expected = regularizer->bound(s, t, dimension(f), lambda, parameters);
    if (isinf(problem_conjugate(&f->problem, s))) {
        double theta = regularizer->reach(s, dimension(f), lambda);
        expected = fmax(0, line_of(f, a, theta, shrunken, &ignored));
    }
    assert_near(bound, expected, 1e-12 * (1 + expected));
    assert_near(smooth, regularizer->bound(s, t - lost, dimension(f), lambda, parameters),
                1e-12 * (1 + expected));
    assert_true(bound >= t - problem_conjugate(&f->problem, s) - 1e-12);
}

/* No J and no J_mu is below the bounds. */
static void bounds_are_below(struct fixture *f, const double *centre) {
    double w[MAX_DIMENSION], smooth, bound = smoothed_risk_bound(&f->risk, &smooth);
    for (int k = 0; k < 40; k++) {
        weights_near(f, centre, pow(10, -k % 8), w);
        assert_true(bound <= problem_objective(&f->problem, w) + 1e-13);
        assert_true(smooth <= smooth_objective(f, w) + 1e-13);
    }
}

static void check_bounds(struct fixture *f) {
    static const double zero[MAX_DIMENSION];
    for (int k = 0; k < REGULARIZERS * LAMBDAS; k++) {
        double a[ROWS], centre[MAX_DIMENSION];
        f->problem.regularizer = regularizer_by_name(regularizers[k / LAMBDAS]);
        f->problem.lambda = lambdas[k % LAMBDAS];
        problem_minimizer(&f->problem, zero, centre);
        accept_some(f, centre, 1, a);
        bound_is_that_of_the_mean(f, a);
        bounds_are_below(f, centre);
    }
}

static void bounds_are_those_of_the_mean(void **state) {
    (void)state;
    for_all(check_bounds);
}

/* The minimizer of J_mu with l2, by descent with a constant momentum. */
static void descend(struct fixture *f, double *w) {
    double lambda = f->problem.lambda, gradient[MAX_DIMENSION], v[MAX_DIMENSION] = {0};
    double smallest = f->risk.smoothing.each == NULL ? 1 : 0.3;
    double curvature = fmin(f->terms->loss->curvature, 1 / (smallest * f->risk.smoothing.mu));
    double step = 1 / (curvature * (FEATURES + 0.25) + lambda), root = sqrt(lambda * step);
    memset(w, 0, sizeof *w * MAX_DIMENSION);
    for (int k = 0; k < 1500; k++) {
        value(f, v, gradient);
        for (int j = 0; j < dimension(f); j++) {
            double next = v[j] - step * (gradient[j] + lambda * v[j]);
            v[j] = next + (1 - root) / (1 + root) * (next - w[j]);
            w[j] = next;
        }
    }
}

/* Linearizations near the minimizer give bounds that converge to min J_mu from below; min J exceeds it by at most the
 * smoothing error. */
static void check_closeness(struct fixture *f) {
    double a[ROWS], w[MAX_DIMENSION], smooth;
    f->problem.lambda = 0.5;
    descend(f, w);
    double smallest = smooth_objective(f, w);
    accept_some(f, w, 1e-4, a);
    double bound = smoothed_risk_bound(&f->risk, &smooth);
    assert_true(smooth <= smallest + 1e-12);
    assert_true(smooth >= smallest - 1e-5);
    assert_true(bound <= problem_objective(&f->problem, w) + 1e-12);
    assert_true(bound >= smooth);
}

static void bounds_close_in_on_the_optimum(void **state) {
    (void)state;
    for_all(check_closeness);
}

/* The linearization at a single point; at the minimizer of J_mu its bound is min J_mu. */
static void check_bound_at(struct fixture *f) {
    double w[MAX_DIMENSION], a[ROWS], s[MAX_DIMENSION], scores[ROWS], lost, smooth;
    f->problem.lambda = 0.5;
    descend(f, w);
    double smallest = smooth_objective(f, w);
    f->risk.part.image(&f->risk.part, w, scores);
    double bound = smoothed_risk_bound_at(&f->risk, w, scores, &smooth);
    assert_near(smooth, smallest, 1e-10);
    random_w(f, w);
    value(f, w, NULL);
    f->risk.part.image(&f->risk.part, w, scores);
    bound = smoothed_risk_bound_at(&f->risk, w, scores, &smooth);
    for (int i = 0; i < ROWS; i++)
        a[i] = share(f, i) > 0 ? f->risk.latest_dual[i] / scalar_weight(f->terms, i) : 0;
    double t = line_of(f, a, 1, s, &lost);
    const struct regularizer *l2 = f->problem.regularizer;
    assert_near(bound, l2->bound(s, t, dimension(f), 0.5, NULL), 1e-12);
    assert_near(smooth, l2->bound(s, t - lost, dimension(f), 0.5, NULL), 1e-12);
    assert_near(smoothed_risk_exact(&f->risk, w, scores),
                risk_evaluate(f->problem.risk, w, 0, NULL), 1e-12 * (1 + bound + t * t));
}

static void one_linearization_bounds_as_well(void **state) {
    (void)state;
    for_all(check_bound_at);
}

/* ---- an unregularized offset */

/* R_mu(w, b) */
static double value_with(const struct fixture *f, const double *w, double b) {
    const struct loss *loss = f->terms->loss;
    double with[MAX_DIMENSION], sum = 0, a;
    memcpy(with, w, sizeof with);
    with[dimension(f)] = b;
    for (int i = 0; i < ROWS; i++)
        sum += share(f, i) * loss->smooth(score(f, i, with), f->target[i], factor(f, i),
                                          &f->terms->parameters, &a);
    return sum;
}

/* Its minimum over b, by ternary search. */
static double least_over_offsets(const struct fixture *f, const double *w) {
    double low = -20, high = 20;
    for (int step = 0; step < 60; step++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        if (value_with(f, w, left) < value_with(f, w, right))
            high = right;
        else
            low = left;
    }
    return value_with(f, w, low);
}

static void check_offset(struct fixture *f) {
    double w[MAX_DIMENSION], gradient[MAX_DIMENSION], sum = 0;
    random_w(f, w);
    double found = value(f, w, gradient), smallest = least_over_offsets(f, w);
    assert_near(found, smallest, 1e-12 * (1 + smallest));
    for (int i = 0; i < ROWS; i++)
        sum += f->risk.latest_dual[i] / f->terms->weight_sum;
    assert_near(sum, 0, 1e-12);
    /* R_mu, with the offset among the weights, is the same there, and R not less. */
    w[dimension(f)] = f->risk.smoothing.shift;
    if (f->risk.smoothing.each == NULL)
        assert_near(risk_evaluate(f->problem.risk, w, f->risk.smoothing.mu, NULL), found, 1e-12);
    assert_true(risk_evaluate(f->problem.risk, w, 0, NULL) >= found - 1e-14);
}

static void the_offset_is_where_the_value_is_least(void **state) {
    (void)state;
    for_each(true, check_offset);
}

static void with_an_offset_gradients_are_those_of_differences(void **state) {
    (void)state;
    for_each(true, gradient_is_that_of_differences);
}

/* No J with any offset is below the bounds. */
static void check_bounds_with_offset(struct fixture *f) {
    static const double zero[MAX_DIMENSION];
    for (int k = 0; k < REGULARIZERS * LAMBDAS; k++) {
        double a[ROWS], centre[MAX_DIMENSION], w[MAX_DIMENSION], smooth, other;
        f->problem.regularizer = regularizer_by_name(regularizers[k / LAMBDAS]);
        f->problem.lambda = lambdas[k % LAMBDAS];
        problem_minimizer(&f->problem, zero, centre);
        accept_some(f, centre, 1, a);
        for (int i = 0; i < 40; i++) {
            double scores[ROWS];
            weights_near(f, centre, pow(10, -i % 8), w);
            double J_mu = smooth_objective(f, w);
            w[dimension(f)] = f->risk.smoothing.shift;
            double J = problem_objective(&f->problem, w);
            assert_true(smoothed_risk_bound(&f->risk, &smooth) <= J + 1e-13);
            assert_true(smooth <= J_mu + 1e-13);
            f->risk.part.image(&f->risk.part, w, scores);
            assert_true(smoothed_risk_bound_at(&f->risk, w, scores, &other) <= J + 1e-13);
            assert_true(other <= J_mu + 1e-13);
        }
    }
}

static void with_an_offset_bounds_are_below(void **state) {
    (void)state;
    for_each(true, check_bounds_with_offset);
}

/* ---- a risk that has no scores */

struct closed {
    struct risk risk; /* first */
    const struct risk *inner;
};

static double closed_evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                              double *constant) {
    (void)constant;
    return risk_evaluate(((const struct closed *)risk)->inner, w, mu, gradient);
}

static const struct risk_kind closed_kind = {.name = "closed", .evaluate = closed_evaluate};

/* Its average is of the planes (g, R_mu(u) - <g, u>), shrunken as their conjugate is best: the risk is at least
 * 0, R_mu at least -mu times the smoothing. */
static void check_closed(struct fixture *f) {
    struct closed closed = {*f->problem.risk, f->problem.risk};
    struct problem problem = f->problem;
    struct smoothed_risk risk;
    const struct regularizer *regularizer = problem.regularizer;
    double w[MAX_DIMENSION], gradient[MAX_DIMENSION], s[MAX_DIMENSION] = {0}, t = 0, smooth,
                                                      below = 0.7 * f->risk.smoothing.mu;
    closed.risk.smoothing = 0.7;
    closed.risk.kind = &closed_kind;
    closed.risk.scalar = NULL;
    problem.risk = &closed.risk;
    assert_int_equal(smoothed_risk_init(&risk, &problem, f->risk.smoothing.mu, NULL), 0);
    f->risk.smoothing.each = NULL;
    assert_int_equal(risk.part.images, 0);
    for (int k = 0; k < ACCEPTED; k++) {
        double eta = k == 0 ? 1 : 0.4;
        random_w(f, w);
        double at = risk.part.value(&risk.part, w, NULL, gradient), slope = 0;
        assert_near(at, value(f, w, NULL), 1e-13 * (1 + at));
        for (int j = 0; j < dimension(f); j++) {
            s[j] = (1 - eta) * s[j] + eta * gradient[j];
            slope += gradient[j] * w[j];
        }
        t = (1 - eta) * t + eta * (at - slope);
        random_w(f, w);
        risk.part.value(&risk.part, w, NULL, NULL);
        risk.part.average(&risk.part, eta);
    }
    double bound = regularizer->bound(s, t, dimension(f), problem.lambda, &problem.parameters);
    assert_near(smoothed_risk_bound(&risk, &smooth), bound, 1e-12 * (1 + fabs(bound)));
    bound = regularizer->bound(s, t + below, dimension(f), problem.lambda, &problem.parameters);
    assert_near(smooth, bound - below, 1e-12 * (1 + fabs(bound)));
    assert_near(risk.part.passes, 1.5 * ACCEPTED, 0);
    smoothed_risk_free(&risk);
}

static void risks_without_scores_average_planes(void **state) {
    (void)state;
    for_all(check_closed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_maxima),
        cmocka_unit_test(gradients_are_those_of_differences),
        cmocka_unit_test(the_risk_is_between),
        cmocka_unit_test(no_smoothing_is_the_risk),
        cmocka_unit_test(half_passes_are_counted),
        cmocka_unit_test(bounds_are_those_of_the_mean),
        cmocka_unit_test(bounds_close_in_on_the_optimum),
        cmocka_unit_test(one_linearization_bounds_as_well),
        cmocka_unit_test(the_offset_is_where_the_value_is_least),
        cmocka_unit_test(with_an_offset_gradients_are_those_of_differences),
        cmocka_unit_test(with_an_offset_bounds_are_below),
        cmocka_unit_test(risks_without_scores_average_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
