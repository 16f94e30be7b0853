/* test_prox.c - the proximal problem of weights: its argmin is below every other point by as much as the
 * problem is strongly convex; and the prox-functions beside plain sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/random/random.h"
#include "solvers/accelerated/prox.h"
#include "tests/near.h"

#include <stdlib.h>
#include <string.h>

enum { N = 6, POINTS = 8 };

static const char *const regularizers[] = {"l2", "l1", "elastic-net", "entropy"};
enum { REGULARIZERS = 4 };

struct fixture {
    struct risk risk;
    struct problem problem;
    struct prox_weights weights;
    struct random random;
    double h[N]; /* the metric, or all 1 */
};

static void set_up(struct fixture *f, const char *regularizer, double lambda, bool scaled) {
    *f = (struct fixture){.risk = {.dimension = N, .regularized = N}};
    f->problem = (struct problem){.risk = &f->risk,
                                  .regularizer = regularizer_by_name(regularizer),
                                  .parameters.elastic = 0.3,
                                  .lambda = lambda};
    random_seed(&f->random, 9, 2);
    assert_int_equal(prox_weights_init(&f->weights, &f->problem, NULL), 0);
    double *metric = malloc(sizeof f->h); /* the weights' own from then on */
    for (int j = 0; j < N; j++)
        metric[j] = f->h[j] = scaled ? 0.2 + 0.4 * j : 1;
    if (scaled)
        prox_weights_set_metric(&f->weights, metric);
    else
        free(metric);
}

static bool is_entropy(const struct fixture *f) {
    return f->weights.prox.function == PROX_ENTROPY;
}

/* d(x) */
static double prox_value(const struct fixture *f, const double *x) {
    double sum = 0;
    for (int j = 0; j < N; j++)
        sum += is_entropy(f) ? (x[j] > 0 ? x[j] * log(x[j]) : 0) : f->h[j] * x[j] * x[j] / 2;
    return sum;
}

/* d(x) - d(y) - <grad d(y), x - y> */
static double distance(const struct fixture *f, const double *x, const double *y) {
    double sum = prox_value(f, x) - prox_value(f, y);
    for (int j = 0; j < N; j++)
        sum -= (is_entropy(f) ? 1 + log(y[j]) : f->h[j] * y[j]) * (x[j] - y[j]);
    return sum;
}

static double height(const struct fixture *f, const double *s, double k, double share,
                     const double *x) {
    double sum = k * prox_value(f, x) + share * problem_penalty(&f->problem, x);
    for (int j = 0; j < N; j++)
        sum += f->h[j] * s[j] * x[j];
    return sum;
}

static void point_near(struct fixture *f, const double *x, double by, double *out) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
        double step = by * (2 * random_unit(&f->random) - 1);
        out[j] = is_entropy(f) ? x[j] * exp(step) : x[j] + step;
        sum += out[j];
    }
    for (int j = 0; is_entropy(f) && j < N; j++)
        out[j] /= sum;
}

static void check_minimum(struct fixture *f, double k, double share) {
    double s[N], x[N], y[N];
    struct prox *prox = &f->weights.prox;
    for (int j = 0; j < N; j++)
        s[j] = 4 * random_unit(&f->random) - 2;
    prox->minimize(prox, s, k, share, x);
    double smallest = height(f, s, k, share, x), strong = k + share * prox->strong;
    for (int i = 0; i < POINTS; i++) {
        point_near(f, x, pow(10, -i), y);
        double rise = strong * distance(f, y, x);
        assert_true(height(f, s, k, share, y) >=
                    smallest + rise - 1e-13 * (1 + rise + fabs(smallest)));
    }
}

static void minimizers_are_below_all_else(void **state) {
    (void)state;
    static const double lambdas[] = {0.02, 0.7}, ks[] = {0.3, 1, 40}, shares[] = {0, 0.2, 1, 3};
    for (int r = 0; r < REGULARIZERS; r++)
        for (int l = 0; l < 4; l++) {
            struct fixture f;
            set_up(&f, regularizers[r], lambdas[l % 2],
                   l / 2 && strcmp(regularizers[r], "entropy") != 0);
            for (int i = 0; i < 3 * 4 * 5; i++)
                check_minimum(&f, ks[i % 3], shares[i / 3 % 4]);
            prox_weights_free(&f.weights);
        }
}

/* sigma_2: lambda Omega less so much of d is still convex, and less any more is not; in a metric h the
 * coordinate of the largest decides, here 2.2. */
static void strong_convexity_is_all_there_is(void **state) {
    (void)state;
    static const double expected[] = {0.7, 0, 0.7 * 0.3, 0.7};
    for (int r = 0; r < REGULARIZERS; r++) {
        struct fixture f;
        set_up(&f, regularizers[r], 0.7, false);
        assert_near(f.weights.prox.strong, expected[r], 1e-15);
        assert_true(is_entropy(&f) == (r == 3));
        prox_weights_free(&f.weights);
        if (r == 3)
            continue;
        set_up(&f, regularizers[r], 0.7, true);
        assert_near(f.weights.prox.strong, expected[r] / 2.2, 1e-15);
        prox_weights_free(&f.weights);
    }
}

/* In a metric and without one. */
static void prox_functions_are_plain_sums(void **state) {
    (void)state;
    static const double p[N] = {0.5, 2, 1, 0.1, 3, 1.5}, s[N] = {1, -2, 0.5, 3, -1, 0.25};
    static const double x[N] = {0.1, 0.2, 0.3, 0.05, 0.15, 0.2},
                        y[N] = {0.3, 0.1, 0.1, 0.2, 0.2, 0.1};
    for (int k = 0; k < 3; k++) {
        struct prox prox = {.dimension = N,
                            .function = k == 2 ? PROX_ENTROPY : PROX_EUCLIDEAN,
                            .metric = k == 1 ? p : NULL};
        double slope = 0, dot = 0, square = 0, length = 0, mirrored[N], to[N];
        memcpy(to, s, sizeof to);
        for (int j = 0; j < N; j++) {
            double weight = k == 1 ? p[j] : 1;
            slope += weight * s[j] * (x[j] - y[j]);
            square += weight * (x[j] - y[j]) * (x[j] - y[j]);
            length += fabs(x[j] - y[j]);
            dot += weight * s[j] * x[j];
            mirrored[j] = s[j] + 0.7 * (k == 2 ? log(x[j]) : x[j]);
        }
        prox_add_mirror(&prox, 0.7, x, to);
        for (int j = 0; j < N; j++)
            assert_near(to[j], mirrored[j], 1e-15);
        assert_near(prox_slope(&prox, s, x, y), slope, 1e-15);
        assert_near(prox_square(&prox, x, y), k == 2 ? length * length : square, 1e-15);
        assert_near(prox_dot(&prox, s, x), dot, 1e-15);
    }
}

/* Weights of 0 stay much smaller than all others. */
static void weights_of_zero_are_no_trouble(void **state) {
    (void)state;
    static const double x[N] = {0, 0.5, 0, 0.5, 0, 0};
    struct prox prox = {.dimension = N, .function = PROX_ENTROPY};
    double s[N] = {0};
    prox_add_mirror(&prox, -1, x, s);
    for (int j = 0; j < N; j++)
        assert_true(isfinite(s[j]) && (x[j] > 0 || s[j] > 700));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimizers_are_below_all_else),
        cmocka_unit_test(strong_convexity_is_all_there_is),
        cmocka_unit_test(prox_functions_are_plain_sums),
        cmocka_unit_test(weights_of_zero_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
