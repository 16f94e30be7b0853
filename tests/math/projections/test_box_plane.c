/* test_box_plane.c - the multiplier of a box and a plane: the conditions of optimality in long doubles for problems
 * of every kind, comparison with sorting, guesses, and z at and beyond the ends. */
#include "math/projections/box_plane.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/projections/box_plane_parts.h"
#include "tests/math/projections/plane_problem.h"
#include "tests/near.h"
#include "tests/size.h"

static const int64_t sizes[] = {1, 2, 3, 4, 7, 20, 63, 64, 65, 300, 2000};

enum { SIZES = sizeof sizes / sizeof *sizes };

static void check_guess(struct plane_problem *p, double guess) {
    plane_check(p, box_plane_multiplier(&p->plane, guess, &p->work));
}

/* Initial guesses: none, the answer, a number close to it, one far from it. */
static void check_guesses(struct plane_problem *p) {
    double found = box_plane_multiplier(&p->plane, NAN, &p->work);
    plane_check(p, found);
    double guesses[] = {found, found * (1 + 1e-6), found - 0.01, 0, 1, -1e300,
                        1e300, -INFINITY,          INFINITY};
    for (size_t k = 0; k < sizeof guesses / sizeof *guesses; k++)
        check_guess(p, guesses[k]);
}

static void every_kind_is_solved(void **state) {
    (void)state;
    for (enum plane_kind kind = 0; kind < PLANE_KINDS; kind++)
        for (int s = 0; s < SIZES; s++)
            for (uint64_t seed = 0; seed < PART(2, 1); seed++) {
                struct plane_problem p;
                plane_set_up(&p, sizes[s], kind, seed);
                double at[] = {0, 0.3, -0.7, 2.5, -6, 1e-9, 1e5};
                for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
                    p.plane.z = (double)plane_sum(&p.plane, at[k]);
                    check_guesses(&p);
                }
                plane_tear_down(&p);
            }
}

/* z is the sum at one of the kinks. */
static void ties_at_kinks_are_solved(void **state) {
    (void)state;
    for (enum plane_kind kind = 0; kind < PLANE_KINDS; kind++)
        for (int s = 0; s < SIZES; s++) {
            struct plane_problem p;
            plane_set_up(&p, sizes[s], kind, 7);
            for (int64_t i = 0; i < sizes[s]; i += 1 + sizes[s] / 5) {
                struct plane_coordinate c = plane_coordinate(&p.plane, i);
                double kink = (double)((c.m - c.high) * c.q / c.g);
                if (!isfinite(kink))
                    continue;
                p.plane.z = (double)plane_sum(&p.plane, kink);
                check_guesses(&p);
                check_guess(&p, kink);
            }
            plane_tear_down(&p);
        }
}

static int compare(const void *a, const void *b) {
    long double x = *(const long double *)a, y = *(const long double *)b;
    return (x > y) - (x < y);
}

/* The L between two kinks at which the linear function is z. */
static long double line_root(const struct box_plane *p, long double a, long double b) {
    long double sum = -p->z, slope = 0;
    for (int64_t i = 0; i < p->n; i++) {
        struct plane_coordinate c = plane_coordinate(p, i);
        long double at = plane_at(&c, (a + b) / 2);
        bool off = c.low < at && at < c.high;
        sum += c.g == 0 ? 0 : c.g * (off ? c.m : at);
        slope += off ? c.g * c.g / c.q : 0;
    }
    return slope > 0 ? sum / slope : a;
}

/* The multiplier by sorting the kinks, in long doubles; z inside. */
static long double sorted_multiplier(const struct box_plane *p) {
    long double *kink = malloc(sizeof *kink * (size_t)(2 * p->n + 2));
    int64_t kinks = 0, first = -1, last;
    for (int64_t i = 0; i < p->n; i++) {
        struct plane_coordinate c = plane_coordinate(p, i);
        for (int end = 0; end < 2 && c.g != 0; end++)
            if (isfinite((double)(end ? c.low : c.high)))
                kink[kinks++] = (c.m - (end ? c.low : c.high)) * c.q / c.g;
    }
    qsort(kink, (size_t)kinks, sizeof *kink, compare);
    for (last = kinks; last - first > 1;) {
        int64_t middle = (first + last) / 2;
        *(plane_sum(p, kink[middle]) > p->z ? &first : &last) = middle;
    }
    long double a = first >= 0 ? kink[first] : last < kinks ? kink[last] - 1 : 0;
    long double b = last < kinks ? kink[last] : a + 1;
    free(kink);
    return line_root(p, a, b);
}

/* Compares by the sum of |g_i| times the difference of coordinates, which is unique on flat pieces, too. */
static void sorting_finds_the_same(void **state) {
    (void)state;
    for (enum plane_kind kind = 0; kind < PLANE_KINDS; kind++)
        for (int s = 0; s < SIZES; s++)
            for (uint64_t seed = 20; seed < 24; seed++) {
                struct plane_problem p;
                plane_set_up(&p, sizes[s], kind, seed);
                p.plane.z = (double)plane_sum(&p.plane, 0.4L * (long double)seed - 8.5L);
                long double slow = sorted_multiplier(&p.plane), sum = 0;
                double fast = box_plane_multiplier(&p.plane, NAN, &p.work);
                box_plane_point(&p.plane, fast, p.a);
                for (int64_t i = 0; i < p.plane.n; i++) {
                    struct plane_coordinate c = plane_coordinate(&p.plane, i);
                    sum += fabsl(c.g * (p.a[i] - plane_at(&c, slow)));
                }
                assert_true(sum <= 1e-13L * plane_size(&p.plane, fast));
                plane_tear_down(&p);
            }
}

static bool has_ends(enum plane_kind kind) {
    return kind != PLANE_FREE && kind != PLANE_INFINITE;
}

/* At an end of the range any finite L at or beyond the last kink is right; beyond the range there is none. */
static void ends_are_reached(void **state) {
    (void)state;
    for (enum plane_kind kind = 0; kind < PLANE_KINDS; kind++)
        for (int s = 0; s < SIZES; s++)
            for (int side = -1; side <= 1 && has_ends(kind); side += 2) {
                struct plane_problem p;
                plane_set_up(&p, sizes[s], kind, 3);
                double end = (double)plane_sum(&p.plane, (long double)side * INFINITY);
                p.plane.z = end;
                check_guesses(&p);
                double interior = box_plane_multiplier(&p.plane, NAN, &p.work);
                assert_true(isfinite(interior));
                p.plane.z = end - side * (1e-6 + 1e-6 * (double)plane_size(&p.plane, interior));
                for (double guess = -2; guess <= 2; guess += 0.5)
                    assert_true(box_plane_multiplier(&p.plane, guess, &p.work) == side * INFINITY);
                assert_true(box_plane_multiplier(&p.plane, NAN, &p.work) == side * INFINITY);
                box_plane_point(&p.plane, side * INFINITY, p.a);
                for (int64_t i = 0; i < p.plane.n; i++) {
                    struct plane_coordinate c = plane_coordinate(&p.plane, i);
                    assert_true(p.a[i] == (double)plane_at(&c, (long double)side * INFINITY));
                }
                plane_tear_down(&p);
            }
}

/* If the sum is constant at z, L is finite, also if no coordinate can move. */
static void flat_pieces_have_a_finite_multiplier(void **state) {
    (void)state;
    double m[] = {0, 10}, q[] = {1, 1}, g[] = {0, 0}, low[] = {0, 0}, high[] = {1, 1}, a[2];
    struct box_plane p = {.n = 2, .q = q, .m = m, .low = low, .high = high, .z = 1};
    struct box_plane_work work;
    assert_int_equal(box_plane_work_init(&work, 2, NULL), 0);
    for (double guess = -3; guess <= 13; guess += 0.5) {
        double multiplier = box_plane_multiplier(&p, guess, &work);
        assert_in_range((int64_t)multiplier, 0, 9);
        box_plane_point(&p, multiplier, a);
        assert_true(a[0] == 0 && a[1] == 1);
    }
    p.g = g;
    p.z = 0;
    assert_near(box_plane_multiplier(&p, NAN, &work), 0, 0);
    p.z = 1;
    assert_true(box_plane_multiplier(&p, NAN, &work) == -INFINITY);
    p.n = 0;
    p.z = 0;
    assert_near(box_plane_multiplier(&p, NAN, &work), 0, 0);
    box_plane_work_free(&work);
}

/* The point may be written over m. */
static void points_are_written_in_place(void **state) {
    (void)state;
    for (enum plane_kind kind = 0; kind < PLANE_KINDS; kind++) {
        struct plane_problem p;
        plane_set_up(&p, 1000, kind, 5);
        p.plane.z = (double)plane_sum(&p.plane, 0.2);
        double multiplier = box_plane_multiplier(&p.plane, NAN, &p.work);
        box_plane_point(&p.plane, multiplier, p.a);
        box_plane_point(&p.plane, multiplier, p.m);
        assert_memory_equal(p.a, p.m, sizeof *p.a * 1000);
        plane_tear_down(&p);
    }
}

/* From the dual of a smoothed hinge: with q = mu p, g = p y and z = 0 L is the offset. */
static void two_examples_by_hand(void **state) {
    (void)state;
    double q[] = {0.5, 0.5}, m[] = {1.5, 0.25}, g[] = {0.5, -0.5}, low[] = {0, 0}, high[] = {1, 1};
    double a[2];
    struct box_plane p = {2, q, m, g, low, high, 0, 0, 0};
    struct box_plane_work work;
    assert_int_equal(box_plane_work_init(&work, 2, NULL), 0);
    double multiplier = box_plane_multiplier(&p, NAN, &work);
    box_plane_point(&p, multiplier, a);
    assert_near(multiplier, 0.625, 1e-15);
    assert_near(a[0], 0.875, 1e-15);
    assert_near(a[1], 0.875, 1e-15);
    box_plane_work_free(&work);
}

/* The bounds of a coordinate with g = 0 do not matter. */
static void infinite_ends_without_a_part(void **state) {
    (void)state;
    double g[] = {1, 0, -2}, m[] = {0.5, 0.5, 0.25}, low[] = {0, -INFINITY, 0},
           high[] = {1, INFINITY, 1};
    struct box_plane p = {3, NULL, m, g, low, high, 0, 0, 0};
    struct box_plane_work work;
    assert_int_equal(box_plane_work_init(&work, 3, NULL), 0);
    p.z = 1.5;
    assert_true(box_plane_multiplier(&p, NAN, &work) == -INFINITY);
    p.z = -2.5;
    assert_true(box_plane_multiplier(&p, NAN, &work) == INFINITY);
    p.z = 1 + 1e-15;
    assert_true(isfinite(box_plane_multiplier(&p, NAN, &work)));
    box_plane_work_free(&work);
}

/* On a flat piece L is one of its finite ends. */
static void a_flat_piece_is_answered_by_its_finite_end(void **state) {
    (void)state;
    static const struct {
        double low, high, excess, answer;
    } rows[] = {{-2, 3, 0, -2},
                {-2, INFINITY, 0, -2},
                {-INFINITY, 3, 0, 3},
                {-INFINITY, 3, 1e-17, 3},
                {-INFINITY, 3, -1, -INFINITY},
                {-2, INFINITY, 1, INFINITY},
                {-2, INFINITY, -1e-17, -2},
                {-INFINITY, INFINITY, 0, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct box_plane_search search = {.low = rows[k].low,
                                          .high = rows[k].high,
                                          .z = 0.25,
                                          .sum = wide_add(wide_of(0.25), wide_of(rows[k].excess))};
        assert_true(box_plane_root(&search) == rows[k].answer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_examples_by_hand),
        cmocka_unit_test(every_kind_is_solved),
        cmocka_unit_test(ties_at_kinks_are_solved),
        cmocka_unit_test(sorting_finds_the_same),
        cmocka_unit_test(ends_are_reached),
        cmocka_unit_test(flat_pieces_have_a_finite_multiplier),
        cmocka_unit_test(points_are_written_in_place),
        cmocka_unit_test(infinite_ends_without_a_part),
        cmocka_unit_test(a_flat_piece_is_answered_by_its_finite_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
