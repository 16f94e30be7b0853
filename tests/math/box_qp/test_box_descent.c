/* test_box_descent.c - random programs over boxes: optimality conditions and values computed independently, singular
 * programs, limits, starting points. */
#include "math/box_qp/box_descent.h"

#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { MAX_ROWS = 60, MAX_COLUMNS = 90, KINDS = 4 };

struct program {
    struct box_descent p;
    struct box_descent_work work;
    double a[MAX_ROWS][MAX_COLUMNS];
    int64_t start[MAX_COLUMNS + 1];
    int32_t row[MAX_ROWS * MAX_COLUMNS];
    double value[MAX_ROWS * MAX_COLUMNS];
    double gradient[MAX_COLUMNS], low[MAX_COLUMNS], high[MAX_COLUMNS], diagonal[MAX_COLUMNS];
    double kink[MAX_COLUMNS], origin[MAX_COLUMNS];
    double first[MAX_ROWS], bottom[MAX_ROWS], top[MAX_ROWS];
    double e[MAX_COLUMNS], f;
    int asked;
};

static void fill_columns(struct program *s, struct random *random) {
    int64_t next = 0;
    for (int j = 0; j < s->p.n; j++) {
        for (int i = 0; i < s->p.rows; i++) {
            s->a[i][j] = random_unit(random) < 0.3 ? 2 * random_unit(random) - 0.7 : 0;
            if (s->a[i][j] == 0)
                continue;
            s->row[next] = i;
            s->value[next++] = s->a[i][j];
        }
        s->start[j + 1] = next;
    }
}

/* Bounds as of an orthant, so that all programs have a minimum: a part of ||e||_1 is in g. */
static void fill_bounds(struct program *s, struct random *random) {
    for (int j = 0; j < s->p.n; j++) {
        double side = random_unit(random) < 0.5 ? 1 : -1;
        s->gradient[j] = side * (0.4 * random_unit(random) - 0.3);
        for (int i = 0; i < s->p.rows; i++)
            s->gradient[j] -= 0.1 * s->a[i][j];
        s->low[j] = side > 0 ? -0.3 * random_unit(random) : -3;
        s->high[j] = side > 0 ? 3 : 0.3 * random_unit(random);
        if (j % 11 == 5)
            s->low[j] = s->high[j] = 0;
        s->diagonal[j] = 1e-6;
    }
}

static void fill_rows(struct program *s, struct random *random) {
    for (int i = 0; i < s->p.rows; i++) {
        s->bottom[i] = i % 3 ? -random_unit(random) : -INFINITY;
        s->top[i] = i % 2 ? INFINITY : random_unit(random);
        s->first[i] = i % 5 ? 0 : s->top[i] + random_unit(random);
        s->first[i] = isinf(s->first[i]) ? 0 : s->first[i];
    }
}

/* Kinds: more rows or more columns, without and with kinks. */
static void set_up(struct program *s, int kind, uint64_t seed) {
    struct random random;
    memset(s, 0, sizeof *s);
    random_seed(&random, seed, 0);
    s->p = (struct box_descent){.n = kind & 1 ? MAX_COLUMNS : 25,
                                .rows = kind & 1 ? 40 : MAX_ROWS,
                                .start = s->start,
                                .row = s->row,
                                .value = s->value,
                                .gradient = s->gradient,
                                .low = s->low,
                                .high = s->high,
                                .diagonal = s->diagonal,
                                .first = s->first,
                                .bottom = kind & 2 ? s->bottom : NULL,
                                .top = kind & 2 ? s->top : NULL,
                                .tolerance = 1e-9,
                                .max_sweeps = 20000,
                                .opaque = s};
    fill_columns(s, &random);
    fill_bounds(s, &random);
    if (kind & 2)
        fill_rows(s, &random);
}

static int64_t solve(struct program *s) {
    int64_t sweeps = box_descent_solve(&s->p, &s->work, s->e, &s->f, NULL);
    assert_in_range(sweeps, 1, s->p.max_sweeps);
    return sweeps;
}

/* ---- from outside */

static double slope_of_row(const struct program *s, int i, double v) {
    return s->p.bottom == NULL ? v : fmin(fmax(v, s->bottom[i]), s->top[i]);
}

/* The integral of the slope from first to v: by pieces, at whose ends it is a trapezoid. */
static double row_change(const struct program *s, int i, double v) {
    double at[4] = {s->first[i], s->first[i], s->first[i], v}, sum = 0, from = s->first[i];
    if (s->p.bottom != NULL) {
        at[1] = fmin(fmax(s->bottom[i], fmin(from, v)), fmax(from, v));
        at[2] = fmin(fmax(s->top[i], fmin(from, v)), fmax(from, v));
    }
    if ((v >= from) == (at[1] > at[2])) {
        double swap = at[1];
        at[1] = at[2];
        at[2] = swap;
    }
    for (int k = 0; k < 3; k++)
        sum +=
            (at[k + 1] - at[k]) * (slope_of_row(s, i, at[k]) + slope_of_row(s, i, at[k + 1])) / 2;
    return sum;
}

static double score(const struct program *s, int i) {
    double v = s->first[i];
    for (int j = 0; j < s->p.n; j++)
        v += s->a[i][j] * s->e[j];
    return v;
}

static double outer_value(const struct program *s) {
    double sum = 0;
    for (int j = 0; j < s->p.n; j++)
        sum += s->e[j] * (s->gradient[j] + s->diagonal[j] * s->e[j] / 2);
    for (int i = 0; i < s->p.rows; i++)
        sum += row_change(s, i, score(s, i));
    return sum;
}

/* The largest slope among directions that the bounds allow. */
static double violation(const struct program *s) {
    double largest = 0;
    for (int j = 0; j < s->p.n; j++) {
        double slope = s->gradient[j] + s->diagonal[j] * s->e[j];
        for (int i = 0; i < s->p.rows; i++)
            slope += s->a[i][j] * slope_of_row(s, i, score(s, i));
        if ((s->e[j] <= s->low[j] && slope >= 0) || (s->e[j] >= s->high[j] && slope <= 0))
            continue;
        largest = fmax(largest, fabs(slope));
    }
    return largest;
}

static void check_feasible(const struct program *s) {
    for (int j = 0; j < s->p.n; j++)
        assert_true(s->e[j] >= s->low[j] && s->e[j] <= s->high[j]);
    assert_near(s->f, outer_value(s), 1e-10);
    assert_true(s->f <= 0);
}

/* ---- tests */

static void programs_reach_their_optima(void **state) {
    (void)state;
    for (int k = 0; k < 40 * KINDS; k++) {
        struct program s;
        set_up(&s, k % KINDS, (uint64_t)k);
        solve(&s);
        check_feasible(&s);

        assert_near(violation(&s), 0, 1e-7);
        assert_true(s.f < -1e-3);
        box_descent_free(&s.work);
    }
}

/* A lasso with random origins. */
static void set_up_kinks(struct program *s, int kind, uint64_t seed) {
    set_up(s, kind, seed);
    s->p.kink = s->kink;
    s->p.origin = s->origin;
    for (int j = 0; j < s->p.n; j++) {
        double at = s->gradient[j];
        s->kink[j] = kind == 0 && j % 7 == 3 ? 0 : 0.05 + fabs(at) / 4;
        s->origin[j] = j % 3 == 0 ? 0 : j % 3 == 1 ? at : -5 * at;
        s->low[j] = -INFINITY;
        s->high[j] = INFINITY;
        s->gradient[j] = 0;
        for (int i = 0; i < s->p.rows; i++)
            s->gradient[j] -= 0.1 * s->a[i][j];
    }
}

/* The distance of 0 from the subgradients; *value gets the part of the kinks. */
static double kink_violation(const struct program *s, double *value, int *at_kinks) {
    double largest = 0;
    *value = 0;
    for (int j = 0; j < s->p.n; j++) {
        double to = s->origin[j] + s->e[j], slope = s->gradient[j] + s->diagonal[j] * s->e[j];
        for (int i = 0; i < s->p.rows; i++)
            slope += s->a[i][j] * score(s, i);
        largest = fmax(largest,
                       to == 0 ? fabs(slope) - s->kink[j] : fabs(slope + copysign(s->kink[j], to)));
        *value += s->kink[j] * (fabs(to) - fabs(s->origin[j]));
        *at_kinks += to == 0;
    }
    return largest;
}

static void kinks_are_crossed_and_met(void **state) {
    int at_kinks = 0, crossed = 0, moved = 0;
    (void)state;
    for (int k = 0; k < 20; k++) {
        struct program s;
        double value;
        set_up_kinks(&s, k % 2, (uint64_t)k);
        solve(&s);
        assert_near(kink_violation(&s, &value, &at_kinks), 0, 1e-7);
        assert_near(s.f, outer_value(&s) + value, 1e-10);
        assert_true(s.f < -1e-3);
        for (int j = 0; j < s.p.n; j++) {
            crossed += s.origin[j] * (s.origin[j] + s.e[j]) < 0;
            moved += s.origin[j] == 0 && s.e[j] != 0;
        }
        box_descent_free(&s.work);
    }
    assert_true(at_kinks > 20 && crossed > 20 && moved > 20);
}

/* Together, for H without full rank; without acceleration they take 6 times as many. */
static void wide_programs_take_few_sweeps(void **state) {
    (void)state;
    int64_t sweeps = 0;
    for (int k = 0; k < 40; k++) {
        struct program s;
        set_up(&s, 1, (uint64_t)k);
        s.p.tolerance = 1e-6;
        sweeps += solve(&s);
        box_descent_free(&s.work);
    }

    assert_in_range(sweeps, 40, 50000);
}

static void enough_is_enough(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        struct program s;
        set_up(&s, k, 3);
        s.p.tolerance = 0;
        s.p.max_slope = 1e-4;
        assert_true(solve(&s) < s.p.max_sweeps);
        check_feasible(&s);
        assert_true(violation(&s) < 0.01);
        box_descent_free(&s.work);
    }
}

/* A start at the optimum stays there; a start with F > 0 is replaced by 0. */
static void a_start_is_used(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        struct program s;
        set_up(&s, k, 5);
        solve(&s);
        double f = s.f;
        s.p.max_slope = 1e-5;
        assert_int_equal(solve(&s), 1);
        assert_near(s.f, f, 1e-9);
        for (int j = 0; j < s.p.n; j++)
            s.e[j] = s.gradient[j] > 0 ? s.high[j] : s.low[j];
        solve(&s);
        check_feasible(&s);
        assert_near(s.f, f, 1e-5);
        box_descent_free(&s.work);
    }
}

static bool third(void *opaque, double products) {
    struct program *s = opaque;
    assert_true(products > 0);
    return ++s->asked == 3;
}

static void limits_leave_what_there_is(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        struct program s;
        double last = 0;
        set_up(&s, k, 7);
        s.p.tolerance = 0;
        for (s.p.max_sweeps = 1; s.p.max_sweeps < 40; s.p.max_sweeps++) {
            memset(s.e, 0, sizeof s.e);
            assert_int_equal(solve(&s), s.p.max_sweeps);
            check_feasible(&s);
            assert_true(s.f <= last + 1e-14);
            last = s.f;
        }
        s.p.stop = third;
        memset(s.e, 0, sizeof s.e);
        assert_int_equal(solve(&s), 3);
        check_feasible(&s);
        box_descent_free(&s.work);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_reach_their_optima),
        cmocka_unit_test(kinks_are_crossed_and_met),
        cmocka_unit_test(wide_programs_take_few_sweeps),
        cmocka_unit_test(enough_is_enough),
        cmocka_unit_test(a_start_is_used),
        cmocka_unit_test(limits_leave_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
