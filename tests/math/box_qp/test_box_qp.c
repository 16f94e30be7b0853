/* test_box_qp.c - random quadratic programs over boxes: optimality conditions computed from outside,
 * the optimum over all active sets where there are few, and the limit on products. */
#include "math/box_qp/box_qp.h"

#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

enum kind { WELL, DUPLICATES, SCALED, DAMPED, SINGULAR, KINDS };

enum bounds { MIXED, ORTHANT, NO_BOUNDS, BOUNDS };

struct program {
    int n;
    double *matrix; /* its upper triangle as well */
    double *lower;  /* with not-a-numbers above the diagonal */
    double *gradient, *low, *high, *diagonal, *e;
    struct box_qp qp;
    struct box_qp_work work;
    int64_t returned;
};

static double gaussian(struct random *random) {
    return sqrt(-2 * log(1 - random_unit(random))) * cos(2 * M_PI * random_unit(random));
}

/* A'A and a part of its diagonal; g made of A's rows and noise. */
static void fill_matrix(struct program *p, enum kind kind, struct random *random) {
    int n = p->n, rows = kind == SINGULAR || kind == DAMPED ? n / 2 + 1 : 2 * n + 3;
    double *a = malloc(sizeof *a * (size_t)(rows * n));
    double damping = kind == WELL || kind == DAMPED ? 1e-3 : 1e-9;
    for (int j = 0; j < n; j++) {
        double scale = kind == SCALED ? pow(10, 12 * random_unit(random) - 6) : 1;
        for (int i = 0; i < rows; i++)
            a[i * n + j] =
                kind == DUPLICATES && j % 3 == 1 ? a[i * n + j - 1] : scale * gaussian(random);
    }
    for (int i = 0; i < rows; i++) {
        double c = gaussian(random);
        for (int j = 0; j < n; j++)
            p->gradient[j] += c * a[i * n + j];
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= j; k++)
                p->matrix[j * n + k] += a[i * n + j] * a[i * n + k];
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < j; k++)
            p->matrix[k * n + j] = p->matrix[j * n + k];
    for (int j = 0; j < n; j++) {
        p->diagonal[j] = p->matrix[j * n + j];
        p->matrix[j * n + j] *= 1 + damping;
        p->gradient[j] += 0.3 * gaussian(random) * sqrt(p->diagonal[j]);
    }
    free(a);
}

static void fill_bounds(struct program *p, enum bounds bounds, struct random *random) {
    for (int j = 0; j < p->n; j++) {
        double scale = 2 * random_unit(random) / sqrt(p->diagonal[j]);
        int kind = bounds == NO_BOUNDS ? 0 : (int)random_below(random, bounds == MIXED ? 7 : 2);
        double low[] = {-INFINITY, -scale, -INFINITY, -scale, 0, -INFINITY, 0};
        double high[] = {INFINITY, INFINITY, scale, scale, INFINITY, 0, 0};
        p->low[j] = low[kind];
        p->high[j] = high[kind];
    }
}

static void set_up(struct program *p, int n, enum kind kind, enum bounds bounds, uint64_t seed) {
    struct random random;
    size_t size = (size_t)n;
    random_seed(&random, seed, (uint64_t)(16 * kind + bounds));
    *p = (struct program){.n = n};
    p->matrix = calloc(2 * size * size, sizeof(double));
    p->lower = p->matrix + size * size;
    p->gradient = calloc(5 * size, sizeof(double));
    p->low = p->gradient + n;
    p->high = p->low + n;
    p->diagonal = p->high + n;
    p->e = p->diagonal + n;
    fill_matrix(p, kind, &random);
    fill_bounds(p, bounds, &random);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p->lower[i * n + j] = j <= i ? p->matrix[i * n + j] : NAN;
    p->qp = (struct box_qp){.n = n,
                            .gradient = p->gradient,
                            .low = p->low,
                            .high = p->high,
                            .diagonal = p->diagonal,
                            .matrix = p->lower,
                            .products_most = 100000,
                            .tolerance = 1e-6};
}

static void tear_down(struct program *p) {
    box_qp_free(&p->work);
    free(p->matrix);
    free(p->gradient);
}

/* By factors, or by conjugate gradients. */
static void solve(struct program *p, bool direct) {
    p->qp.direct_most = direct ? 300 : 0;
    for (int j = 0; j < p->n; j++)
        p->e[j] = NAN;
    p->returned = box_qp_solve(&p->qp, &p->work, p->e, NULL);
    assert_true(p->returned >= 0);
}

/* ---- conditions that are checked */

static double model(const struct program *p, const double *e) {
    long double sum = 0;
    for (int i = 0; i < p->n; i++) {
        long double row = p->gradient[i];
        for (int j = 0; j < p->n; j++)
            row += p->matrix[i * p->n + j] * (long double)e[j] / 2;
        sum += row * e[i];
    }
    return (double)sum;
}

/* The length of the slope at e, without components that the bounds stop, in the metric of the inverse diagonal;
 * in *rounding what digits of the products the sums have. */
static double slope_length(const struct program *p, const double *e, double *rounding) {
    double sum = 0, sizes = 0;
    for (int i = 0; i < p->n; i++) {
        long double slope = p->gradient[i];
        double size = fabs(p->gradient[i]);
        for (int j = 0; j < p->n; j++) {
            slope += p->matrix[i * p->n + j] * (long double)e[j];
            size += fabs(p->matrix[i * p->n + j] * e[j]);
        }
        bool fixed = p->low[i] == p->high[i] || (e[i] == p->low[i] && slope >= 0) ||
                     (e[i] == p->high[i] && slope <= 0);
        sum += fixed ? 0 : (double)(slope * slope) / p->diagonal[i];
        sizes += size * size / p->diagonal[i];
    }
    *rounding = 1e-14 * sqrt(sizes);
    return sqrt(sum);
}

static double start_length(const struct program *p) {
    double unused, *zero = calloc((size_t)p->n, sizeof *zero);
    double length = slope_length(p, zero, &unused);
    free(zero);
    return length;
}

/* The result is in the box and not above the start. */
static void check_feasible(const struct program *p) {
    for (int j = 0; j < p->n; j++)
        assert_true(p->low[j] <= p->e[j] && p->e[j] <= p->high[j]);
    assert_true(model(p, p->e) <= 0);
}

static void check_optimal(const struct program *p) {
    double rounding, length = slope_length(p, p->e, &rounding);
    check_feasible(p);
    if (!(length <= p->qp.tolerance * start_length(p) + rounding))
        print_error("n %d, tolerance %g: slope %g of %g, rounding %g, %d products\n", p->n,
                    p->qp.tolerance, length, start_length(p), rounding, (int)p->returned);
    assert_true(length <= p->qp.tolerance * start_length(p) + rounding);
}

/* ---- the optimum over all active sets */

/* x <- M^-1 x by elimination with the largest pivots; false when there are none. */
static bool eliminate(double *m, double *x, int n) {
    for (int k = 0; k < n; k++) {
        int top = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i * n + k]) > fabs(m[top * n + k]))
                top = i;
        if (m[top * n + k] == 0)
            return false;
        for (int j = 0; j < n; j++) {
            double swap = m[k * n + j];
            m[k * n + j] = m[top * n + j];
            m[top * n + j] = swap;
        }
        double swap = x[k];
        x[k] = x[top];
        x[top] = swap;
        for (int i = 0; i < n; i++) {
            double c = i == k ? 0 : m[i * n + k] / m[k * n + k];
            for (int j = k; c != 0 && j < n; j++)
                m[i * n + j] -= c * m[k * n + j];
            x[i] -= c * x[k];
        }
    }
    for (int k = 0; k < n; k++)
        x[k] /= m[k * n + k];
    return true;
}

/* The minimizer with the components of digit 0 free, 1 at `low`, 2 at `high`; false when it is outside
 * of the box or there is none. */
static bool candidate(const struct program *p, int set, double *e) {
    enum { MAX_FREE = 6 };
    double m[MAX_FREE * MAX_FREE], x[MAX_FREE];
    int n = 0, free_index[MAX_FREE];
    for (int j = 0; j < p->n; j++, set /= 3) {
        e[j] = set % 3 == 0 ? 0 : set % 3 == 1 ? p->low[j] : p->high[j];
        if (isinf(e[j]))
            return false;
        if (set % 3 == 0)
            free_index[n++] = j;
    }
    for (int k = 0; k < n; k++) {
        x[k] = -p->gradient[free_index[k]];
        for (int j = 0; j < p->n; j++)
            x[k] -= p->matrix[free_index[k] * p->n + j] * e[j];
        x[k] /= sqrt(p->diagonal[free_index[k]]);
        for (int l = 0; l < n; l++)
            m[k * n + l] = p->matrix[free_index[k] * p->n + free_index[l]] /
                           sqrt(p->diagonal[free_index[k]] * p->diagonal[free_index[l]]);
    }
    if (!eliminate(m, x, n))
        return false;
    for (int k = 0; k < n; k++) {
        int j = free_index[k];
        e[j] = x[k] / sqrt(p->diagonal[j]);
        if (e[j] < p->low[j] || e[j] > p->high[j])
            return false;
    }
    return true;
}

/* By convexity the model exceeds its minimum by at most the slope times the distance to the minimizer. */
static void compare_to_all_active_sets(const struct program *p) {
    int sets = 1;
    double best[6] = {0}, e[6], rounding, way = 0, size = 0;
    for (int j = 0; j < p->n; j++)
        sets *= 3;
    for (int set = 0; set < sets; set++)
        if (candidate(p, set, e) && model(p, e) < model(p, best))
            memcpy(best, e, sizeof e);
    slope_length(p, p->e, &rounding);
    for (int j = 0; j < p->n; j++) {
        way += sqrt(p->diagonal[j]) * fabs(p->e[j] - best[j]);
        size += sqrt(p->diagonal[j]) * (fabs(p->e[j]) + fabs(best[j]));
    }
    double slope = p->qp.tolerance * start_length(p) + rounding;
    double at = model(p, p->e), smallest = model(p, best), digits = 1e-17 * size * size;
    assert_true(at <= smallest + slope * way + digits);
    assert_true(at >= smallest - 1e-9 * fabs(smallest) - digits);
}

/* ---- tests */

static const double tolerances[] = {0.1, 1e-3, 1e-6};

static void small_programs_reach_the_optimum(void **state) {
    (void)state;
    for (int n = 1; n <= 6; n++)
        for (int variant = 0; variant < KINDS * BOUNDS * 20; variant++) {
            struct program p;
            set_up(&p, n, variant % KINDS, variant / KINDS % BOUNDS, (uint64_t)variant);
            for (int k = 0; k < 6; k++) {
                p.qp.tolerance = tolerances[k / 2];
                solve(&p, k % 2);
                check_optimal(&p);
                compare_to_all_active_sets(&p);
            }
            tear_down(&p);
        }
}

/* Conjugate gradients take too long for matrices that are nearly singular. */
static void larger_programs_reach_the_optimum(void **state) {
    (void)state;
    for (int n = 7; n <= 60; n += PART(3, 5))
        for (int variant = 0; variant < KINDS * BOUNDS; variant++) {
            struct program p;
            set_up(&p, n, variant % KINDS, variant / KINDS, (uint64_t)variant);
            for (int k = 0; k < 6; k++) {
                p.qp.tolerance = tolerances[k / 2];
                solve(&p, k % 2);
                if (k % 2 || (variant % KINDS != SINGULAR && variant % KINDS != DUPLICATES))
                    check_optimal(&p);
                else
                    check_feasible(&p);
                assert_true(k % 2 == 0 || p.returned <= 200);
            }
            tear_down(&p);
        }
}

/* More components than are factored, so that products with the matrix are used. */
static void many_components_reach_the_optimum(void **state) {
    (void)state;
    static const enum kind kinds[] = {WELL, SCALED, DAMPED};
    for (int variant = 0; variant < 3 * BOUNDS; variant++) {
        struct program p;
        set_up(&p, PART(400, 310), kinds[variant % 3], variant / 3, 3);
        for (int direct = 0; direct < 2; direct++) {
            if ((variant + direct) % 2 != 0)
                continue;
            p.qp.tolerance = 1e-4;
            solve(&p, direct);
            check_optimal(&p);
        }
        tear_down(&p);
    }
}

/* A round takes at least one step, and the trials of its line search. */
static void products_are_limited(void **state) {
    (void)state;
    enum { TRIES = 21 };
    int64_t last = 0;
    for (int variant = 0; variant < KINDS * BOUNDS; variant++)
        for (int64_t max_products = 1; max_products < 200; max_products *= 2) {
            struct program p;
            set_up(&p, 60, variant % KINDS, variant / KINDS, 9);
            p.qp.tolerance = 0;
            p.qp.products_most = max_products;
            for (int direct = 0; direct < 2; direct++) {
                solve(&p, direct);
                check_feasible(&p);
                assert_true(model(&p, p.e) < 0);
                assert_in_range(p.returned, 1, max_products + TRIES);
            }
            last = variant == WELL ? p.returned : last;
            tear_down(&p);
        }
    assert_true(last > 1);
}

static void more_products_are_no_worse(void **state) {
    (void)state;
    struct program p;
    double last = 0;
    set_up(&p, 50, SCALED, NO_BOUNDS, 4);
    for (p.qp.products_most = 1; p.qp.products_most < 100; p.qp.products_most++) {
        solve(&p, false);
        assert_true(model(&p, p.e) <= last * (1 - 1e-9));
        last = model(&p, p.e);
    }
    tear_down(&p);
}

static void a_loose_tolerance_takes_fewer_products(void **state) {
    (void)state;
    for (int variant = 0; variant < BOUNDS; variant++) {
        struct program p;
        int64_t products[3];
        set_up(&p, 60, DAMPED, variant, 5);
        for (int k = 0; k < 3; k++) {
            p.qp.tolerance = tolerances[k];
            solve(&p, false);
            products[k] = p.returned;
        }
        assert_true(products[0] < products[1] && products[1] < products[2]);
        tear_down(&p);
    }
}

/* Without bounds one Newton step solves the program. */
static void no_bounds_take_one_step(void **state) {
    (void)state;
    for (int n = 1; n <= 60; n++) {
        struct program p;
        set_up(&p, n, WELL, NO_BOUNDS, 6);
        p.qp.tolerance = 1e-9;
        solve(&p, true);
        check_optimal(&p);
        assert_int_equal(p.returned, 1);
        tear_down(&p);
    }
}

static void nothing_to_do_is_done(void **state) {
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        struct program p;
        set_up(&p, 5, WELL, MIXED, 7);
        for (int j = 0; j < 5; j++) {
            double slope = p.gradient[j];
            if (variant / 2 == 0)
                p.gradient[j] = 0;
            else if (variant / 2 == 1)
                p.low[j] = p.high[j] = 0;
            else if (variant / 2 == 2)
                *(slope > 0 ? &p.low[j] : &p.high[j]) = 0;
        }
        p.qp.n = variant / 2 == 3 ? 0 : 5;
        solve(&p, variant % 2);
        assert_int_equal(p.returned, 0);
        for (int j = 0; j < p.qp.n; j++)
            assert_near(p.e[j], 0, 0);
        tear_down(&p);
    }
}

/* Programs of different sizes give the same results in shared and in separate scratch memory. */
static void room_is_used_again(void **state) {
    (void)state;
    static const int sizes[] = {5, 40, 1, 60, 60, 3};
    struct box_qp_work work = {0};
    for (int k = 0; k < 6; k++) {
        double e[60];
        struct program p;
        set_up(&p, sizes[k], WELL, k % BOUNDS, 8);
        solve(&p, k % 2);
        assert_true(box_qp_solve(&p.qp, &work, e, NULL) >= 0);
        assert_memory_equal(e, p.e, sizeof *e * (size_t)p.n);
        tear_down(&p);
    }
    box_qp_free(&work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_programs_reach_the_optimum),
        cmocka_unit_test(larger_programs_reach_the_optimum),
        cmocka_unit_test(many_components_reach_the_optimum),
        cmocka_unit_test(products_are_limited),
        cmocka_unit_test(more_products_are_no_worse),
        cmocka_unit_test(a_loose_tolerance_takes_fewer_products),
        cmocka_unit_test(no_bounds_take_one_step),
        cmocka_unit_test(nothing_to_do_is_done),
        cmocka_unit_test(room_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
