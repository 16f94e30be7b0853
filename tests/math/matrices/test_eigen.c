/* test_eigen.c - eigenvalues and eigenvectors: residuals, orthogonality, known eigenvalues; matrices
 * with clusters, of low rank, graded, of any scale; sizes around panels and blocks; the secular equation
 * alone; any number of threads. */
#include "math/matrices/eigen.h"
#include "math/matrices/secular.h"
#include "math/matrices/tridiagonal.h"
#include "math/matrices/tridiagonal_eigen.h"

#include "math/random/random.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

static const double tolerance = 2e-14; /* of residuals, over the largest eigenvalue */

static double *numbers(int64_t count) {
    double *x = malloc(sizeof *x * (size_t)(count > 0 ? count : 1));
    assert_non_null(x);
    return x;
}

enum kind {
    RANDOM,
    GAUSSIAN,
    LOW_RANK,
    ONES,
    IDENTITY,
    ZERO,
    SECOND_DIFFERENCE,
    GRADED,
    GLUED,
    KINDS
};

/* Wilkinson's W21+, whose eigenvalues come in pairs that agree to 15 digits, many of them, hardly
 * connected. */
static double glued(int64_t i, int64_t j) {
    if (i == j)
        return fabs((double)(i % 21) - 10);
    return i != j + 1 ? 0 : i % 21 == 0 ? 1e-14 : 1;
}

static double entry(enum kind kind, int64_t i, int64_t j, const double *x) {
    double sum = 0;
    enum { DIMENSION = 4 };
    for (int64_t k = 0; k < DIMENSION; k++) {
        double a = x[i * DIMENSION + k], b = x[j * DIMENSION + k];
        sum += kind == LOW_RANK ? a * b : (a - b) * (a - b);
    }
    switch (kind) {
    case RANDOM:
        return cos((double)(i * i) + 3 * (double)j);
    case GAUSSIAN:
        return exp(-2 * sum);
    case LOW_RANK:
        return sum;
    case ONES:
        return 1;
    case IDENTITY:
        return i == j;
    case SECOND_DIFFERENCE:
        return i == j ? 2 : i == j + 1 ? -1 : 0;
    case GRADED:
        return exp(-0.4 * (double)(i + j)) * (i == j ? 2 : 1);
    case GLUED:
        return glued(i, j);
    default:
        return 0;
    }
}

/* The lower triangle; the entries above it are not-a-number, since they must not be read. */
static double *matrix(enum kind kind, int64_t n) {
    double *a = numbers(n * n), *x = numbers(4 * n);
    struct random random;
    random_seed(&random, 8, 0);
    for (int64_t k = 0; k < 4 * n; k++)
        x[k] = random_unit(&random);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = j > i ? NAN : entry(kind, i, j, x);
    free(x);
    return a;
}

static double at(const double *a, int64_t n, int64_t i, int64_t j) {
    return i >= j ? a[i * n + j] : a[j * n + i];
}

static double norm(const double *value, int64_t n) {
    return fmax(fabs(value[0]), fabs(value[n - 1]));
}

/* A v = value v for all v, and these are orthonormal. */
static void check(const double *a, const double *value, const double *v, int64_t n) {
    double largest = fmax(norm(value, n), DBL_MIN);
    for (int64_t k = 0; k < n; k++) {
        assert_true(k == 0 || value[k - 1] <= value[k]);
        for (int64_t i = 0; i < n; i++) {
            double sum = 0, product = 0;
            for (int64_t j = 0; j < n; j++) {
                sum += at(a, n, i, j) / largest * v[k * n + j];
                product += v[k * n + j] * v[i * n + j];
            }
            assert_near(sum, value[k] / largest * v[k * n + i], tolerance);
            assert_near(product, i == k, tolerance);
        }
    }
}

static void eigenvectors_are_orthonormal_and_exact(void **state) {
    (void)state;
    static const int64_t sizes[] = {1,  2,  3,  4,  5,  8,  16, 31, 32,
                                    33, 34, 47, 63, 64, 65, 66, 97, 130};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        for (enum kind kind = 0; kind < KINDS; kind++) {
            int64_t n = sizes[s];
            double *a = matrix(kind, n), *v = matrix(kind, n), *value = numbers(n);
            assert_int_equal(eigen_symmetric(v, n, value, NULL, NULL), 0);
            check(a, value, v, n);
            free(a);
            free(v);
            free(value);
        }
    assert_int_equal(eigen_symmetric(NULL, 0, NULL, NULL, NULL), 0);
}

static void eigenvalues_are_the_known_ones(void **state) {
    (void)state;
    enum { N = 150 };
    double value[N], *a = matrix(SECOND_DIFFERENCE, N);
    assert_int_equal(eigen_symmetric(a, N, value, NULL, NULL), 0);
    for (int64_t k = 0; k < N; k++)
        assert_near(value[k], 2 - 2 * cos((double)(k + 1) * M_PI / (N + 1)), 1e-14);
    free(a);
    a = matrix(ONES, N);
    assert_int_equal(eigen_symmetric(a, N, value, NULL, NULL), 0);
    for (int64_t k = 0; k < N; k++)
        assert_near(value[k], k + 1 < N ? 0 : N, 1e-12);
    free(a);
    a = matrix(LOW_RANK, N);
    assert_int_equal(eigen_symmetric(a, N, value, NULL, NULL), 0);
    for (int64_t k = 0; k < N; k++)
        assert_int_equal(value[k] > 1e-13 * value[N - 1], k >= N - 4);
    free(a);
}

/* H diag(d) H with a reflection H: eigenvalues that are known, in clusters and of many magnitudes. */
static void clusters_are_kept_apart(void **state) {
    (void)state;
    enum { N = 120 };
    static const double width[] = {0, 1e-15, 1e-13, 1e-9, 1e-4};
    for (int w = 0; w < 5; w++) {
        double d[N], x[N], value[N], square = 0, *a = numbers(N * N), *v = numbers(N * N);
        for (int64_t i = 0; i < N; i++) {
            d[i] = (double)(i / 40) - 1 + width[w] * (double)(i % 40);
            x[i] = sin((double)(i * i));
            square += x[i] * x[i];
        }
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++) {
                double sum = 0;
                for (int64_t k = 0; k < N; k++)
                    sum += ((i == k) - 2 * x[i] * x[k] / square) * d[k] *
                           ((j == k) - 2 * x[j] * x[k] / square);
                a[i * N + j] = v[i * N + j] = sum;
            }
        assert_int_equal(eigen_symmetric(v, N, value, NULL, NULL), 0);
        check(a, value, v, N);
        for (int64_t k = 0; k < N; k++)
            assert_near(value[k], d[k], 1e-14);
        free(a);
        free(v);
    }
}

static void scales_do_not_matter(void **state) {
    (void)state;
    enum { N = 70 };
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int power = -1060; power <= 1010; power += 207) {
            double value[N], scaled[N], *a = matrix(kind, N), *v = matrix(kind, N);
            for (int64_t k = 0; k < N * N; k++)
                v[k] = ldexp(v[k], power);
            assert_int_equal(eigen_symmetric(a, N, value, NULL, NULL), 0);
            assert_int_equal(eigen_symmetric(v, N, scaled, NULL, NULL), 0);
            double max_polls = norm(value, N), lost = power < -950 ? ldexp(1, -1073 - power) : 0;
            for (int64_t k = 0; k < N; k++)
                assert_near(ldexp(scaled[k], -power), value[k], tolerance * max_polls + N * lost);
            free(a);
            free(v);
        }
}

static void entries_that_are_not_finite_are_refused(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    double value[9];
    for (int b = 0; b < 3; b++)
        for (int64_t k = 0; k < 9; k += 4) {
            double *a = matrix(RANDOM, 9);
            struct error e = {0};
            a[8 * 9 + k] = bad[b];
            assert_int_equal(eigen_symmetric(a, 9, value, NULL, &e), -1);
            assert_non_null(strstr(e.words, "not finite"));
            free(a);
        }
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    enum { N = 600 };
    for (enum kind kind = RANDOM; kind <= GAUSSIAN; kind++) {
        double value[N], first_value[N], *first = matrix(kind, N);
        omp_set_num_threads(1);
        assert_int_equal(eigen_symmetric(first, N, first_value, NULL, NULL), 0);
        for (int threads = 5; threads <= 5; threads += 3) {
            double *a = matrix(kind, N);
            omp_set_num_threads(threads);
            assert_int_equal(eigen_symmetric(a, N, value, NULL, NULL), 0);
            assert_memory_equal(value, first_value, sizeof value);
            assert_memory_equal(a, first, sizeof *a * N * N);
            free(a);
        }
        free(first);
    }
    omp_set_num_threads(1);
}

struct poll_limit {
    int64_t polls, max_polls;
};

static bool is_over(void *opaque) {
    struct poll_limit *poll_limit = opaque;
    return ++poll_limit->polls > poll_limit->max_polls;
}

/* Interrupts at any poll: in the reduction, in the tridiagonal problem, in the vectors. */
static void interruptions_end_it(void **state) {
    (void)state;
    enum { N = 300 };
    double value[N];
    struct poll_limit poll_limit = {.max_polls = INT64_MAX};
    const struct interruption interrupted = {is_over, &poll_limit};
    double *a = matrix(GAUSSIAN, N);
    assert_int_equal(eigen_symmetric(a, N, value, &interrupted, NULL), 0);
    free(a);
    int64_t all = poll_limit.polls;
    assert_true(all >
                N + 2 * N); /* for each row that is reduced, and several in each of the rest */
    for (int64_t max_polls = 0; max_polls < all; max_polls += PART(101, 211)) {
        struct error e = {0};
        a = matrix(GAUSSIAN, N);
        poll_limit = (struct poll_limit){.max_polls = max_polls};
        assert_int_equal(eigen_symmetric(a, N, value, &interrupted, &e), -1);
        assert_int_equal(e.kind, ERROR_NONE);
        free(a);
    }
}

/* Roots lie between the poles, and the z computed from them has the norm of z. */
static void check_secular(const struct secular *s) {
    int64_t n = s->n;
    double *delta = numbers(n * n), *z = numbers(n), trace = 0, square = 0;
    for (int64_t j = 0; j < n; j++) {
        double root = secular_root(s, j, delta + j * n);
        assert_true(delta[j * n + j] < 0 && (j + 1 == n || delta[j * n + j + 1] > 0));
        assert_true(root >= s->d[j] && (j + 1 == n || root <= s->d[j + 1]));
        trace += -delta[j * n + j];
        square += s->z[j] * s->z[j];
    }
    assert_near(trace, s->rho * square, 1e-14 * s->rho * square * (double)n);
    secular_adjust(s, delta, 0, n, z);
    for (int64_t j = 0; j < n; j++) {
        /* sqrt(rho) z is what has the computed roots */
        assert_near(z[j] / sqrt(s->rho), s->z[j], 1e-13 * fabs(s->z[j]) + 1e-15 * sqrt(square));
        for (int64_t k = 0; k < j; k++) {
            double product = 0, x = 0, y = 0;
            for (int64_t i = 0; i < n; i++) {
                double a = z[i] / delta[j * n + i], b = z[i] / delta[k * n + i];
                product += a * b;
                x += a * a;
                y += b * b;
            }
            assert_near(product / sqrt(x) / sqrt(y), 0, 1e-13);
        }
    }
    free(delta);
    free(z);
}

static void secular_equations_are_solved(void **state) {
    (void)state;
    enum { N = 40 };
    struct random random;
    random_seed(&random, 9, 0);
    for (int trial = 0; trial < 300; trial++) {
        int64_t n = 1 + (int64_t)random_below(&random, N);
        double d[N], z[N], square = 0, spread = 14 * random_unit(&random);
        for (int64_t i = 0; i < n; i++) {
            double gap = pow(10, -spread * random_unit(&random));
            d[i] = (i == 0 ? -1 : d[i - 1]) + gap + 1e-14;
            z[i] = pow(10, -spread * random_unit(&random)) * (random_unit(&random) < 0.5 ? -1 : 1);
            square += z[i] * z[i];
        }
        for (int64_t i = 0; i < n; i++)
            z[i] /= sqrt(square);
        struct secular s = {.n = n, .d = d, .z = z, .rho = pow(10, 2 - 4 * random_unit(&random))};
        check_secular(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvectors_are_orthonormal_and_exact),
        cmocka_unit_test(eigenvalues_are_the_known_ones),
        cmocka_unit_test(clusters_are_kept_apart),
        cmocka_unit_test(scales_do_not_matter),
        cmocka_unit_test(entries_that_are_not_finite_are_refused),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(interruptions_end_it),
        cmocka_unit_test(secular_equations_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
