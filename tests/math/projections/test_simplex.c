/* test_simplex.c - projections to simplices, Euclidean and entropic, beside sorting and bisection in
 * long doubles, on numbers of every kind. */
#include "math/projections/simplex.h"

#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

enum kind { RANDOM, EQUAL, FEW, SCALED, SORTED, POWERS, ONE_LARGE, CLOSE, MISSING, KINDS };

static const int64_t sizes[] = {1, 2, 3, 5, 31, 32, 100, 700, 2000};

enum { SIZES = sizeof sizes / sizeof *sizes };

static double number_of(enum kind kind, int64_t i, int64_t n, struct random *random) {
    double x = 2 * random_unit(random) - 1;
    switch (kind) {
    case EQUAL:
        return 0.7;
    case FEW:
        return floor(5 * x);
    case SCALED:
        return x * pow(10, 24 * random_unit(random) - 12);
    case SORTED:
        return (double)(i + 1) / (double)n - 0.5;
    case POWERS:
        return ldexp(x < 0 ? -1 : 1, -(int)(i % 60));
    case ONE_LARGE:
        return i == n / 2 ? 1e9 : x;
    case CLOSE:
        return 1e6 + 1e-3 * x;
    case MISSING:
        return i > 0 && random_below(random, 3) ? -INFINITY : 20 * x;
    default:
        return x;
    }
}

static double *numbers(enum kind kind, int64_t n, double scale, uint64_t seed) {
    struct random random;
    double *v = malloc(sizeof *v * (size_t)n);
    random_seed(&random, seed, (uint64_t)n * KINDS + (uint64_t)kind);
    for (int64_t i = 0; i < n; i++)
        v[i] = scale * number_of(kind, i, n, &random);
    return v;
}

static int falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static double *sorted_down(const double *v, int64_t n) {
    double *sorted = malloc(sizeof *sorted * (size_t)n);
    memcpy(sorted, v, sizeof *v * (size_t)n);
    qsort(sorted, (size_t)n, sizeof *sorted, falling);
    return sorted;
}

static long double sum_of(const double *w, int64_t n) {
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += w[i];
    return sum;
}

/* ---- Euclidean */

/* The threshold of the projection, as its distance below the largest number. */
static long double slow_depth(const double *v, int64_t n, double total) {
    double *sorted = sorted_down(v, n);
    long double sum = total, depth = 0;
    int64_t m = 0;
    for (; m < n && (m == 0 || (long double)sorted[0] - sorted[m] < depth); m++) {
        sum += (long double)sorted[0] - sorted[m];
        depth = sum / (long double)(m + 1);
    }
    free(sorted);
    return depth;
}

static void check_simplex(const double *v, int64_t n, double total) {
    double *work = malloc(sizeof *work * (size_t)n);
    long double depth = slow_depth(v, n, total), largest = v[0];
    for (int64_t i = 1; i < n; i++)
        largest = fmaxl(largest, v[i]);
    memcpy(work, v, sizeof *work * (size_t)n);
    assert_near((double)(simplex_multiplier(work, n, total) - (largest - depth)), 0,
                (1e-15 + 1.2e-16 * (double)n) * (double)(fabsl(largest) + depth)); /* plain sums */
    free(work);
}

static void simplices_are_reached(void **state) {
    (void)state;
    static const double scales[] = {1, 1e-12, 1e12}, totals[] = {1e-12, 1e-3, 1, 30, 1e12};
    for (enum kind kind = 0; kind < MISSING; kind++)
        for (int s = 0; s < SIZES; s++)
            for (int k = 0; k < 15; k++) {
                double *v = numbers(kind, sizes[s], scales[k % 3], (uint64_t)k);
                check_simplex(v, sizes[s], totals[k / 3]);
                free(v);
            }
}

static void simplices_by_hand(void **state) {
    (void)state;
    double v[3] = {1, 0.5, -4}, none[3] = {1, 2, 3}, one[1] = {-7};
    assert_near(simplex_multiplier(v, 3, 1), 0.25, 1e-15);
    assert_near(simplex_multiplier(none, 3, 0), 3, 0);
    assert_near(simplex_multiplier(one, 1, 3), -10, 0);
}

/* ---- entropic */

/* How many are at the top, by sorting; their log-weights are those above *below, the largest that is
 * not; *others the sum of e^(v - below) over all that are not. */
static int64_t slow_count(const double *v, int64_t n, double top, double *below,
                          long double *others) {
    double *sorted = sorted_down(v, n);
    int64_t count = 0;
    for (; count < n; count++) {
        *others = 0;
        for (int64_t i = n - 1; i >= count; i--)
            *others += expl((long double)sorted[i] - sorted[count]);
        if (1 - (long double)top * (long double)count <= top * *others)
            break;
    }
    *below = count < n ? sorted[count] : -INFINITY;
    free(sorted);
    return count;
}

static void check_cap(const double *v, int64_t n, double top) {
    double *w = malloc(sizeof *w * (size_t)n), *work = malloc(sizeof *work * (size_t)n), below;
    long double others = 1;
    int64_t count = slow_count(v, n, top, &below, &others);
    long double left = 1 - (long double)top * (long double)count;
    memcpy(w, v, sizeof *w * (size_t)n);
    simplex_cap(w, n, top, work);
    assert_near((double)(sum_of(w, n) - 1), 0, 1e-13);
    for (int64_t i = 0; i < n; i++) {
        long double slow = v[i] > below ? top : left * expl((long double)v[i] - below) / others;
        long double digits = 1e-15L * (v[i] > -INFINITY ? fabsl(v[i] - below) + 1 : 1) * slow;
        assert_true(0 <= w[i] && w[i] <= fmax(top, 1 / (double)n));
        assert_near((double)(w[i] - slow), 0, (double)(1e-13L * slow + digits) + 1e-300);
    }
    free(w);
    free(work);
}

static int64_t finite_of(const double *v, int64_t n) {
    int64_t finite = 0;
    for (int64_t i = 0; i < n; i++)
        finite += v[i] > -INFINITY;
    return finite;
}

/* top times the number of finite log-weights, down to slightly above 1. */
static void caps_hold(void **state) {
    (void)state;
    static const double tops[] = {1 + 1e-9, 1.01, 1.7, 3, 10, 1e3, 1e9};
    static const double scales[] = {1, 1e-12, 30, 1000};
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < SIZES - 1; s++)
            for (int k = 0; k < 28; k += 3) {
                double *v = numbers(kind, sizes[s], scales[k % 4], (uint64_t)k);
                double top = tops[k / 4] / (double)finite_of(v, sizes[s]);
                if (top < 1 || k / 4 == 6)
                    check_cap(v, sizes[s], top);
                free(v);
            }
}

static void tops_that_leave_no_choice(void **state) {
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int64_t n = 1; n <= 300; n++) {
            double work[300], *v = numbers(kind, n, 1, 2), *w = numbers(kind, n, 1, 2);
            simplex_cap(v, n, 1 / (double)n, work);
            simplex_cap(w, n, 0.5 / (double)n, work);
            for (int64_t i = 0; i < n && kind != MISSING; i++)
                assert_near(v[i] * (double)n, 1, 1e-13);
            for (int64_t i = 0; i < n; i++)
                assert_true(w[i] == 1 / (double)n);
            assert_near((double)sum_of(v, n), 1, 1e-13);
            free(v);
            free(w);
        }
}

static void weights_that_vanish(void **state) {
    (void)state;
    double work[4];
    double finite[4] = {-INFINITY, 2, -INFINITY, -INFINITY}; /* one at the top, three share */
    simplex_cap(finite, 4, 0.4, work);
    assert_true(finite[1] == 0.4);
    assert_near(finite[0], 0.2, 1e-15);
    assert_near(finite[3], 0.2, 1e-15);
    double none[2] = {-INFINITY, -INFINITY};
    simplex_cap(none, 2, 1, work);
    assert_true(none[0] == 0.5 && none[1] == 0.5);
    double spread[3] = {0, -1000, -1001}; /* below the least double, beside the largest */
    simplex_cap(spread, 3, 0.5, work);
    assert_near(spread[0], 0.5, 0);
    assert_near(spread[1], 0.5 / (1 + exp(-1)), 1e-15);
    assert_near(spread[2], 0.5 / (1 + exp(1)), 1e-15);
    double high[2] = {1e9, 1e9 + 1}; /* e^v overflows */
    simplex_cap(high, 2, 1, work);
    assert_near(high[1], 1 / (1 + exp(-1)), 1e-15);
}

static void many_weights(void **state) {
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (double top = 1.5; top < 1e6; top *= 40) {
            int64_t n = 100000, at = 0;
            double *v = numbers(kind, n, 3, 3), *work = malloc(sizeof *work * (size_t)n);
            simplex_cap(v, n, top / (double)n, work);
            for (int64_t i = 0; i < n; i++) {
                assert_true(0 <= v[i] && v[i] <= top / (double)n);
                at += v[i] == top / (double)n;
            }
            assert_near((double)sum_of(v, n), 1, 1e-13);
            assert_true(at <= (int64_t)((double)n / top) + 1);
            free(v);
            free(work);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplices_by_hand),   cmocka_unit_test(simplices_are_reached),
        cmocka_unit_test(caps_hold),           cmocka_unit_test(tops_that_leave_no_choice),
        cmocka_unit_test(weights_that_vanish), cmocka_unit_test(many_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
