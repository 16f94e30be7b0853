/* test_ball.c - projections to balls of the 1-norm and the elastic net, and their support functions: compared with
 * bisection in long doubles, for many kinds of numbers. */
#include "math/projections/ball.h"

#include "math/projections/threshold.h"
#include "math/random/random.h"
#include "math/select.h"

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

enum kind { RANDOM, EQUAL, FEW, SCALED, SPARSE, SORTED, POWERS, ONE_LARGE, CLOSE, KINDS };

static const int64_t sizes[] = {1, 2, 3, 5, 31, 32, 100, 700, 2000};
static const double curvatures[] = {0, 1e-12, 1e-3, 1, 40, 1e12};
static const double radii[] = {1e-12, 1e-4, 0.1, 0.7, 1 - 1e-9, 1.5}; /* r, of v's own measure */

enum { SIZES = sizeof sizes / sizeof *sizes, CURVATURES = 6, RADII = 6 };

static double number_of(enum kind kind, int64_t i, int64_t n, struct random *random) {
    double x = 2 * random_unit(random) - 1;
    switch (kind) {
    case EQUAL:
        return x < 0 ? -0.7 : 0.7;
    case FEW:
        return floor(5 * x);
    case SCALED:
        return x * pow(10, 24 * random_unit(random) - 12);
    case SPARSE:
        return random_below(random, 10) ? 0 : x;
    case SORTED:
        return (double)(i + 1) / (double)n;
    case POWERS:
        return ldexp(x < 0 ? -1 : 1, -(int)(i % 60));
    case ONE_LARGE:
        return i == n / 2 ? 1e9 : x;
    case CLOSE:
        return 1 + 1e-9 * x;
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
    v[0] = v[0] == 0 ? scale : v[0];
    return v;
}

static long double measure(const double *v, int64_t n, double k) {
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += fabsl(v[i]) + k / 2.0L * v[i] * v[i];
    return sum;
}

/* A threshold as its value or, if it is high, as its distance below the largest number, to keep all digits. */
struct point {
    long double largest, depth, threshold;
};

static struct point point_at(long double largest, bool high, long double x) {
    return (struct point){largest, high ? x : largest - x, high ? largest - x : x};
}

/* base 1: (|v| - L)/(1 + k L), base 0: (|v| - L)/(k L) */
static long double stand(double v, struct point at, int base, double k) {
    bool high = at.depth < at.threshold;
    long double above = high ? at.depth - (at.largest - fabsl(v)) : fabsl(v) - at.threshold;
    return above > 0 ? above / (base + k * at.threshold) : 0;
}

static long double measure_at(const double *v, int64_t n, struct point at, int base, double k) {
    long double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        long double w = stand(v[i], at, base, k);
        sum += w + k / 2.0L * w * w;
    }
    return sum;
}

/* The threshold at which the norm is r, by bisection. */
static struct point point_by_bisection(const double *v, int64_t n, int base, double k, double r) {
    long double low = 0, largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmaxl(largest, fabsl(v[i]));
    long double high = largest / 2;
    bool is_high = measure_at(v, n, point_at(largest, true, high), base, k) > r;
    for (int t = 0; t < 160; t++) {
        long double middle = (low + high) / 2;
        bool exceeds = measure_at(v, n, point_at(largest, is_high, middle), base, k) > r;
        *(exceeds == is_high ? &high : &low) = middle;
    }
    return point_at(largest, is_high, (low + high) / 2);
}

/* Each w is close to the one by bisection, relative to the largest. */
static void compare(const double *v, const double *w, int64_t n, int base, double k, double r) {
    struct point at = point_by_bisection(v, n, base, k, r);
    long double scale = stand((double)at.largest, at, base, k);
    for (int64_t i = 0; i < n; i++) {
        long double slow = copysignl(stand(v[i], at, base, k), v[i]);
        assert_near((double)(w[i] - slow), 0, (double)(1e-12L * scale));
    }
}

static void check_projection(const double *v, int64_t n, double k, double r) {
    double *w = malloc(sizeof *w * (size_t)n), *work = malloc(sizeof *work * (size_t)n);
    memcpy(w, v, sizeof *w * (size_t)n);
    double multiplier = ball_project(w, n, k, r, work), largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(v[i]));
    if (measure(v, n, k) <= r) {
        assert_true(multiplier == 0);
        assert_memory_equal(v, w, sizeof *w * (size_t)n);
    } else {
        assert_near((double)measure(w, n, k), r, 1e-12 * r);
        compare(v, w, n, 1, k, r);
        for (int64_t i = 0; i < n; i++) {
            double slack = 1e-14 * largest, left = fabs(v[i]) - fabs(w[i]);
            assert_true(w[i] * v[i] >= 0);
            if (w[i] != 0)
                assert_near(left, multiplier * (1 + k * fabs(w[i])), slack);
            else
                assert_true(fabs(v[i]) <= multiplier + slack);
        }
    }
    free(w);
    free(work);
}

static bool left_out(enum kind kind, int size, int curvature, int radius) {
    return ((int)kind + size + curvature + radius) % PART(3, 7) != 0;
}

static void projections_are_nearest(void **state) {
    (void)state;
    static const double scales[] = {1, 1e-12, 1e12};
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < SIZES; s++)
            for (int c = 0; c < CURVATURES; c++)
                for (int p = 0; p < RADII; p++) {
                    if (left_out(kind, s, c, p))
                        continue;
                    double scale = scales[(s + c + p) % 3];
                    double *v = numbers(kind, sizes[s], scale, (uint64_t)(c * RADII + p));
                    double r = radii[p] * (double)measure(v, sizes[s], curvatures[c]);
                    check_projection(v, sizes[s], curvatures[c], r);
                    free(v);
                }
}

static void small_problems_by_hand(void **state) {
    (void)state;
    double work[3], v[3] = {3, -1, 0.5}, tie[3] = {-1, 1, 1};
    assert_near(ball_project(v, 3, 0, 2, work), 1, 1e-15);
    assert_near(v[0], 2, 1e-15);
    assert_true(v[1] == 0 && v[2] == 0);
    assert_near(ball_project(tie, 3, 0, 1.5, work), 0.5, 1e-15);
    assert_near(tie[0], -0.5, 1e-15);
    assert_near(tie[2], 0.5, 1e-15);
    double one[1] = {2}; /* w + w^2 = 2, (2 - L)/(1 + 2 L) = 1 */
    assert_near(ball_project(one, 1, 2, 2, work), 1 / 3.0, 1e-15);
    assert_near(one[0], 1, 1e-15);
    double gone[2] = {2, -3};
    assert_near(ball_project(gone, 2, 1, 0, work), 3, 0);
    assert_true(gone[0] == 0 && gone[1] == 0);
}

static void what_is_inside_stays(void **state) {
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int c = 0; c < CURVATURES; c++) {
            double work[50], *v = numbers(kind, 50, 1, 3), *w = numbers(kind, 50, 1, 3);
            double r = (double)measure(v, 50, curvatures[c]) / 3;
            assert_true(ball_project(v, 50, curvatures[c], r, work) > 0);
            memcpy(w, v, sizeof *w * 50);
            assert_near(ball_project(v, 50, curvatures[c], r * (1 + 1e-12), work), 0, 0);
            assert_memory_equal(v, w, sizeof *w * 50);
            free(v);
            free(w);
        }
}

/* ---- support */

static void check_support(const double *s, int64_t n, double k, double r) {
    double *w = malloc(sizeof *w * (size_t)n);
    double value = ball_support(s, n, k, r, w);
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (long double)s[i] * w[i];
    assert_near((double)measure(w, n, k), r, 1e-12 * r);
    assert_near(value, (double)sum, 1e-13 * value);
    assert_true(value == ball_support(s, n, k, r, NULL));
    if (k > 0)
        compare(s, w, n, 0, k, r);
    free(w);
}

static void supports_are_largest(void **state) {
    (void)state;
    static const double few_radii[] = {1e-12, 1e-3, 1, 50, 1e12}, scales[] = {1, 1e-12, 1e12};
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < SIZES; s++)
            for (int c = 0; c < CURVATURES; c++)
                for (int p = 0; p < 5; p++) {
                    if (left_out(kind, s, c, p))
                        continue;
                    double scale = scales[(s + c + p) % 3];
                    double *v = numbers(kind, sizes[s], scale, (uint64_t)(c * 5 + p));
                    check_support(v, sizes[s], curvatures[c], few_radii[p]);
                    free(v);
                }
}

/* Scaling s by a power of two does not change w, even if squares, or k r times them, overflow or underflow. */
static void support_at_any_scale(void **state) {
    (void)state;
    enum { N = 31 };
    static const int powers[] = {-332, -600, -960, 332, 600, 1000};
    static const double few_radii[] = {1e-200, 1e-12, 1};
    for (int t = 0; t < 6 * CURVATURES * 3; t++) {
        double k = curvatures[t / 6 % CURVATURES], r = few_radii[t / 6 / CURVATURES];
        double *s = numbers(RANDOM, N, 1, 7), w[N], again[N];
        double value = ball_support(s, N, k, r, w);
        assert_true(value > 0);
        for (int64_t i = 0; i < N; i++)
            s[i] = ldexp(s[i], powers[t % 6]);
        double scaled = ball_support(s, N, k, r, again);
        if (r == 1) /* else beyond the range itself, or nearly */
            assert_near(ldexp(scaled, -powers[t % 6]), value, 0);
        assert_memory_equal(w, again, sizeof w);
        free(s);
    }
}

/* No random point on the boundary of the ball has a larger product. */
static void no_point_has_more(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 1, 1);
    for (int t = 0; t < 3000; t++) {
        int64_t n = 1 + (int64_t)random_below(&random, 5);
        double s[5], w[5], work[5], sum = 0, k = t % 3 ? pow(10, 4 * random_unit(&random) - 2) : 0;
        for (int64_t i = 0; i < n; i++) {
            s[i] = 2 * random_unit(&random) - 1;
            w[i] = s[i] + 3 * random_unit(&random) - 1.5;
        }
        ball_project(w, n, k, 0.5, work);
        for (int64_t i = 0; i < n; i++)
            sum += s[i] * w[i];
        assert_true(sum <= ball_support(s, n, k, 0.5, NULL) * (1 + 1e-12));
    }
}

static void support_at_a_vertex(void **state) {
    (void)state;
    double s[4] = {1, -3, 3, 0}, w[4], zero[2] = {0, 0};
    assert_near(ball_support(s, 4, 0, 2, w), 6, 0);
    assert_true(w[0] == 0 && w[1] == -2 && w[2] == 0 && w[3] == 0);
    assert_near(ball_support(s, 4, 2, 0, w), 0, 0);
    assert_true(w[1] == 0);
    for (double k = 0; k <= 1; k++) {
        assert_near(ball_support(zero, 2, k, 5, w), 0, 0);
        assert_true(w[0] == 0 && w[1] == 0);
    }
    double one[1] = {4}; /* w + w^2 = 2 */
    assert_near(ball_support(one, 1, 2, 2, w), 4, 1e-15);
    assert_near(w[0], 1, 1e-15);
}

/* ---- work */

/* An adversarial input: raises each number that the sample selects. */
static void deceive_sample(double *depth, int64_t n) {
    for (int64_t found = 0; found < n; found++) {
        double pivot = select_sample(depth, n);
        int64_t i = 0;
        while (depth[i] != pivot)
            i++;
        if (pivot >= 2)
            return;
        depth[i] = 2 + (double)found / (double)n;
    }
}

static void work_is_linear(void **state) {
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int64_t n = 1000; n <= PART(100000, 10000); n *= 10)
            for (int p = 0; p < RADII; p++) {
                int64_t touched = 0;
                double *depth = numbers(kind, n, 1, 4);
                struct threshold threshold = {0, 1, radii[p] * (double)n};
                for (int64_t i = 0; i < n; i++)
                    depth[i] = fabs(depth[i]);
                threshold_find(&threshold, depth, n, &touched);
                assert_in_range(touched, n, 8 * n);
                free(depth);
            }
}

/* Then an exact median is used: the work stays linear. */
static void a_pivot_that_fails_is_followed_by_a_good_one(void **state) {
    (void)state;
    for (int64_t n = 1000; n <= 100000; n *= 10) {
        int64_t touched = 0;
        double *depth = numbers(SORTED, n, 1, 4);
        struct threshold threshold = {0, 1, 1e-9 * (double)n};
        deceive_sample(depth, n);
        threshold_find(&threshold, depth, n, &touched);
        assert_in_range(touched, 4 * n, 8 * n);
        free(depth);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_problems_by_hand),
        cmocka_unit_test(projections_are_nearest),
        cmocka_unit_test(what_is_inside_stays),
        cmocka_unit_test(support_at_a_vertex),
        cmocka_unit_test(supports_are_largest),
        cmocka_unit_test(support_at_any_scale),
        cmocka_unit_test(no_point_has_more),
        cmocka_unit_test(work_is_linear),
        cmocka_unit_test(a_pivot_that_fails_is_followed_by_a_good_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
