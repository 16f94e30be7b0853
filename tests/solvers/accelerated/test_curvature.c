/* test_curvature.c - the bounds of the smoothed risk's curvature beside eigenvalues by long iteration, and
 * the optimized weights of the prox-function: their mean, their floor, when they are taken, and that
 * agm goes by them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

#include "solvers/accelerated/curvature.h"
#include "solvers/accelerated/smoothed_risk.h"
#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history;

/* ---- the matrix X' diag(q) X, over a metric */

struct matrix {
    int n;
    double at[MAX_DIMENSION][MAX_DIMENSION];
};

static struct matrix matrix_of(const struct scalar_terms *terms, const double *each,
                               const double *metric) {
    struct matrix matrix = {.n = (int)terms->design->regularized};
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double x[MAX_DIMENSION] = {0};
        design_add(terms->design, x, 1, i);
        double q = scalar_weight(terms, i) / terms->weight_sum / (each == NULL ? 1 : each[i]);
        for (int j = 0; j < matrix.n; j++)
            for (int k = 0; k < matrix.n; k++)
                matrix.at[j][k] +=
                    q * x[j] * x[k] / (metric == NULL ? 1 : sqrt(metric[j] * metric[k]));
    }
    return matrix;
}

static double largest_eigenvalue(const struct matrix *matrix) {
    double v[MAX_DIMENSION], Mv[MAX_DIMENSION], value = 0;
    for (int j = 0; j < matrix->n; j++)
        v[j] = 1 + 0.3 * j * (j % 2 ? 1 : -1);
    for (int step = 0; step < 3000; step++) {
        double square = 0;
        for (int j = 0; j < matrix->n; j++) {
            Mv[j] = vector_dot(matrix->at[j], v, matrix->n);
            square += Mv[j] * Mv[j];
        }
        value = sqrt(square);
        for (int j = 0; j < matrix->n && value > 0; j++)
            v[j] = Mv[j] / value;
    }
    return value;
}

static double largest_entry(const struct matrix *matrix) {
    double largest_entry = 0;
    for (int j = 0; j < matrix->n; j++)
        largest_entry = fmax(largest_entry, matrix->at[j][j]);
    return largest_entry;
}

static double trace(const struct matrix *matrix) {
    double sum = 0;
    for (int j = 0; j < matrix->n; j++)
        sum += matrix->at[j][j];
    return sum;
}

/* ---- bounds */

struct setting {
    struct fixture f;
    double each[ROWS], metric[MAX_DIMENSION];
};

/* Values that are all at least 0, or of both signs. */
static void begin(struct setting *s, const char *loss, bool weighted, bool nonnegative, double bias,
                  bool intercept) {
    struct random random;
    set_up_with(&s->f, loss, 0.1, bias, weighted, intercept);
    random_seed(&random, 9, 4);
    for (int64_t k = 0; nonnegative && k < s->f.data.nonzeros; k++)
        s->f.data.value[k] = fabs(s->f.data.value[k]);
    for (int i = 0; i < ROWS; i++)
        s->each[i] = 0.3 + 2 * random_unit(&random);
    for (int j = 0; j < MAX_DIMENSION; j++)
        s->metric[j] = pow(10, -4 * random_unit(&random));
}

static double found(const struct setting *s, enum prox_function function, const double *each,
                    const double *metric, bool iterated) {
    struct prox prox = {
        .dimension = s->f.risk->regularized, .function = function, .metric = metric};
    struct curvature curvature;
    assert_int_equal(curvature_find(s->f.risk->scalar, &prox, each,
                                    iterated ? CURVATURE_ITERATIONS : 0, &curvature, NULL),
                     0);
    bool kinks = isinf(s->f.scalar.loss->curvature);
    assert_int_equal(curvature.kinks, kinks);
    assert_near(curvature_at(&curvature, 0.25), curvature.unit * (kinks ? 4 : 1), 0);
    return kinks ? curvature.unit : curvature.unit / s->f.scalar.loss->curvature;
}

/* With iterations L is at least the largest eigenvalue and at most the trace; without, it is the trace. */
static void bounds_hold(const struct setting *s, const double *each, const double *metric) {
    struct matrix matrix = matrix_of(s->f.risk->scalar, each, metric);
    double largest = largest_eigenvalue(&matrix), sum = trace(&matrix);
    double trace = found(s, PROX_EUCLIDEAN, each, metric, false);
    double iterated = found(s, PROX_EUCLIDEAN, each, metric, true);
    assert_near(trace, sum, 1e-12 * sum);
    assert_true(iterated >= largest * (1 - 1e-9) && iterated <= sum * (1 + 2e-12));
    if (metric == NULL)
        assert_near(found(s, PROX_ENTROPY, each, NULL, true), largest_entry(&matrix), 1e-12 * sum);
}

static void bounds_are_above_the_largest_eigenvalue(void **state) {
    (void)state;
    static const char *const losses[] = {"hinge", "logistic", "huber"};
    for (int k = 0; k < 3 * 32; k++) {
        struct setting s;
        begin(&s, losses[k / 32], k & 1, k & 2, k & 4 ? 0.8 : -1, k & 8);
        bounds_hold(&s, k & 16 ? s.each : NULL, NULL);
        if (k & 2)
            bounds_hold(&s, k & 16 ? s.each : NULL, s.metric);
        tear_down(&s.f);
    }
}

static void without_negative_values_a_near_bound_is_tight(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct setting s;
        begin(&s, "hinge", k & 1, true, 0.8, false);
        const double *each = k & 2 ? s.each : NULL;
        struct matrix matrix = matrix_of(s.f.risk->scalar, each, NULL);
        double largest = largest_eigenvalue(&matrix);
        assert_near(found(&s, PROX_EUCLIDEAN, each, NULL, true), largest, 1e-6 * largest);
        tear_down(&s.f);
    }
}

/* ---- optimized weights */

/* Rows of one nonzero; its column and value by the test. */
struct simple {
    struct dataset data;
    double weight[ROWS];
    struct risk *risk;
    const struct scalar_terms *terms;
    struct prox prox;
    struct problem problem;
};

static void make(struct simple *s, int features, void (*entry)(int i, int32_t *j, double *x)) {
    *s = (struct simple){.data = random_data(ROWS, features, false, 4)};
    free(s->data.column);
    free(s->data.value);
    s->data.column = malloc(ROWS * sizeof *s->data.column);
    s->data.value = malloc(ROWS * sizeof *s->data.value);
    s->data.nonzeros = ROWS;
    for (int i = 0; i < ROWS; i++) {
        entry(i, &s->data.column[i], &s->data.value[i]);
        s->data.start[i + 1] = i + 1;
        s->data.label[i] = i % 3 ? 1 : -1;
        s->weight[i] = i % 7 == 0 ? 0 : 1 + i % 2;
    }
    struct scalar_settings scalar = {.data = &s->data,
                                     .target = s->data.label,
                                     .weight = s->weight,
                                     .loss = loss_by_name("hinge"),
                                     .bias = -1};
    s->risk = scalar_risk_new(&scalar, NULL);
    s->terms = s->risk->scalar;
    s->prox.dimension = features;
    s->problem =
        (struct problem){.risk = s->risk, .regularizer = regularizer_by_name("l2"), .lambda = 0.02};
}

static void unmake(struct simple *s) {
    risk_free(s->risk);
    dataset_free(&s->data);
}

/* One column, of values from 1/100 to 5: the top eigenvector is known. */
static void one_column(int i, int32_t *j, double *x) {
    *j = 0;
    *x = i % 4 == 0 ? 5 - 0.01 * i : 0.01 * (i + 1);
}

/* Two columns without a row in common, of nearly the same size. */
static void two_columns(int i, int32_t *j, double *x) {
    *j = i % 2;
    *x = i % 2 ? 0.95 : 1;
}

static void optimize(const struct simple *s, double *each) {
    double passes = 0;
    assert_int_equal(
        curvature_optimize(s->terms, &s->prox, each, CURVATURE_ITERATIONS, &passes, NULL), 0);
    assert_true(passes > 0);
}

static double share(const struct simple *s, int i) {
    return scalar_weight(s->terms, i) / s->terms->weight_sum;
}

static double unit(const struct simple *s, const double *each) {
    struct curvature curvature;
    assert_int_equal(
        curvature_find(s->terms, &s->prox, each, CURVATURE_ITERATIONS, &curvature, NULL), 0);
    return curvature.unit;
}

static void weights_are_those_of_the_definition(void **state) {
    (void)state;
    struct simple s;
    double each[ROWS], expected[ROWS], mean = 0, floored = 0, sum = 0, smallest = INFINITY;
    make(&s, 1, one_column);
    optimize(&s, each);
    for (int i = 0; i < ROWS; i++)
        mean += share(&s, i) * fabs(s.data.value[i]);
    for (int i = 0; i < ROWS; i++) {
        expected[i] = fmax(fabs(s.data.value[i]) / mean, 0.5);
        floored += share(&s, i) * expected[i];
    }
    for (int i = 0; i < ROWS; i++) {
        assert_near(each[i], expected[i] / floored, 1e-9);
        sum += share(&s, i) * each[i];
        smallest = fmin(smallest, each[i]);
    }
    assert_near(sum, 1, 1e-12);
    assert_true(smallest >= 1.0 / 3);
    assert_true(smallest < 0.5); /* the floor was in force, and its weight spread over all */
    assert_true(unit(&s, each) < 0.7 * unit(&s, NULL));
    unmake(&s);
}

static void weights_that_are_worse_are_not_taken(void **state) {
    (void)state;
    struct simple s;
    double each[ROWS];
    make(&s, 2, two_columns);
    optimize(&s, each);
    for (int i = 0; i < ROWS; i++)
        assert_true(each[i] == 1);
    unmake(&s);
}

/* Of random data: the mean of the weights, their floor, L no larger; hence 0 <= R - R_mu <= mu/2. */
static void any_weights_keep_the_smoothing(void **state) {
    (void)state;
    static const double mu = 0.3;
    for (int k = 0; k < 16; k++) {
        struct setting s;
        begin(&s, k & 1 ? "hinge" : "absolute", k & 2, k & 4, k & 8 ? 2 : -1, false);
        const struct scalar_terms *terms = s.f.risk->scalar;
        struct prox prox = {.dimension = s.f.risk->regularized};
        double each[ROWS], u[ROWS], passes = 0, sum = 0;
        assert_int_equal(
            curvature_optimize(terms, &prox, each, CURVATURE_ITERATIONS, &passes, NULL), 0);
        for (int i = 0; i < ROWS; i++) {
            sum += scalar_weight(terms, i) / terms->weight_sum * each[i];
            u[i] = -100 * s.f.target[i]; /* where each |a_i| is 1 */
            assert_true(each[i] >= 1.0 / 3 - 1e-12);
        }
        struct smoothing by = {.mu = mu, .each = each};
        double lost =
            scores_risk(terms, u, NULL, 0, NULL) - scores_smooth_risk(terms, u, &by, NULL);
        assert_near(sum, 1, 1e-12);
        assert_near(lost, mu / 2, 1e-9);
        assert_true(found(&s, PROX_EUCLIDEAN, each, NULL, true) <=
                    found(&s, PROX_EUCLIDEAN, NULL, NULL, true) * (1 + 1e-12));
        tear_down(&s.f);
    }
}

/* ---- agm with them */

/* min J_mu over one weight, by thirds, and what mu takes of the bound there: with mu fixed the bound ends
 * at their sum. */
static double end_of_bounds(const struct simple *s, double mu, const double *each) {
    double low = -20, high = 20, u[ROWS], derivative[ROWS], value[2], squares = 0;
    struct smoothing by = {.mu = mu, .each = each};
    for (int step = 0; step < 120; step++) {
        double at[2] = {low + (high - low) / 3, high - (high - low) / 3};
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < ROWS; i++)
                u[i] = at[k] * s->data.value[i];
            value[k] = scores_smooth_risk(s->terms, u, &by, derivative) +
                       problem_penalty(&s->problem, &at[k]);
        }
        *(value[0] < value[1] ? &high : &low) = at[value[0] < value[1]];
    }
    for (int i = 0; i < ROWS; i++) {
        double a = s->weight[i] > 0 ? derivative[i] / s->weight[i] : 0;
        squares += share(s, i) * (each == NULL ? 1 : each[i]) * a * a;
    }
    return value[0] + mu / 2 * squares;
}

/* With a fixed mu the bound shows which prox-function is used. */
static void the_option_takes_the_optimized_weights(void **state) {
    (void)state;
    static const char *const plain[] = {"smoothing=fixed", "mu=0.5", NULL};
    static const char *const optimized[] = {"smoothing=fixed", "mu=0.5", "prox=optimized", NULL};
    static const char *const solvers[] = {"agm", "agm1"};
    struct simple s;
    double each[ROWS];
    make(&s, 1, one_column);
    optimize(&s, each);
    double with = end_of_bounds(&s, 0.5, each), without = end_of_bounds(&s, 0.5, NULL);
    for (int k = 0; k < 4; k++) {
        struct outcome o;
        double w[1] = {0}, expected = k % 2 ? with : without;
        assert_int_equal(run_with(&s.problem, solvers[k / 2], k % 2 ? optimized : plain, 1e-9, 3000,
                                  w, NULL, &o, NULL),
                         0);
        double apart = fabs(with - without);
        if (!(fabs(o.bound - expected) <= 0.1 * apart))
            print_error("bound %.9g, with %.9g, without %.9g\n", o.bound, with, without);
        assert_true(fabs(o.bound - expected) <= 0.1 * apart);
    }
    unmake(&s);
}

/* A fixed L is that of the mu in force, which falls: with one of a larger mu no step holds what it promises,
 * and J rises. */
static void a_fixed_L_follows_mu(void **state) {
    (void)state;
    static const char *const words[] = {"lipschitz=fixed", "mu=10", NULL};
    static const char *const solvers[] = {"agm", "agm1"};
    for (int k = 0; k < 4; k++) {
        struct setting s;
        struct outcome o;
        double w[MAX_DIMENSION] = {0};
        begin(&s, k / 2 ? "absolute" : "hinge", false, true, 1, false);
        s.f.problem.lambda = 1e-3;
        assert_int_equal(
            run_with(&s.f.problem, solvers[k % 2], words, 1e-5, 20000, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        tear_down(&s.f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_above_the_largest_eigenvalue),
        cmocka_unit_test(without_negative_values_a_near_bound_is_tight),
        cmocka_unit_test(weights_are_those_of_the_definition),
        cmocka_unit_test(weights_that_are_worse_are_not_taken),
        cmocka_unit_test(any_weights_keep_the_smoothing),
        cmocka_unit_test(the_option_takes_the_optimized_weights),
        cmocka_unit_test(a_fixed_L_follows_mu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
