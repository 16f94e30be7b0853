/* plane_problem.h - random problems for box_plane.h, and checks of a multiplier, in long doubles. Include after
 * cmocka.h. */
#ifndef RRM_PLANE_PROBLEM_H
#define RRM_PLANE_PROBLEM_H

#include "math/projections/box_plane.h"
#include "math/random/random.h"

#include <stdbool.h>
#include <stdlib.h>

enum plane_kind {
    PLANE_RANDOM,
    PLANE_ONES,     /* q and g NULL */
    PLANE_BOX,      /* q, low and high NULL */
    PLANE_EQUAL,    /* all coordinates the same */
    PLANE_FEW,      /* small integers: kinks coincide */
    PLANE_SCALED,   /* from 1e-12 to 1e12 each */
    PLANE_INFINITE, /* some ends infinite, some g = 0 */
    PLANE_FREE,     /* all ends infinite */
    PLANE_FIXED,    /* some with low = high, some with g = 0 */
    PLANE_SORTED,
    PLANE_POWERS, /* kinks that gather at 0 */
    PLANE_HEAVY,  /* one large term, many small */
    PLANE_KINDS
};

struct plane_problem {
    struct box_plane plane;
    double *q, *m, *g, *low, *high, *a;
    struct box_plane_work work;
};

static inline double plane_scale(struct random *random) {
    return pow(10, 24 * random_unit(random) - 12);
}

static inline double plane_sign(struct random *random) {
    return random_unit(random) < 0.4 ? -1 : 1;
}

static inline void plane_fill_one(struct plane_problem *p, enum plane_kind kind, int64_t i,
                                  struct random *random) {
    bool few_values = kind == PLANE_FEW, scaled = kind == PLANE_SCALED;
    double low = 2 * random_unit(random) - 1.5, fraction = (double)i / (double)p->plane.n;
    p->q[i] = few_values ? 1 : scaled ? plane_scale(random) : 0.1 + random_unit(random);
    p->m[i] = few_values ? (double)random_below(random, 5) - 2 : 6 * random_unit(random) - 3;
    p->g[i] = plane_sign(random) * (few_values ? 1 : 0.1 + random_unit(random));
    p->low[i] = few_values ? -(double)random_below(random, 3) : low;
    p->high[i] =
        few_values ? p->low[i] + (double)random_below(random, 3) : low + 2 * random_unit(random);
    if (scaled) {
        p->m[i] *= plane_scale(random);
        p->g[i] *= plane_scale(random);
        p->low[i] = -plane_scale(random) * (double)random_below(random, 2);
        p->high[i] = p->low[i] + plane_scale(random);
    }
    if (kind == PLANE_FREE || (kind == PLANE_INFINITE && random_below(random, 2)))
        p->low[i] = -INFINITY;
    if (kind == PLANE_FREE || (kind == PLANE_INFINITE && random_below(random, 2)))
        p->high[i] = INFINITY;
    if (kind == PLANE_FIXED && random_below(random, 3) == 0)
        p->high[i] = p->low[i];
    if ((kind == PLANE_FIXED || kind == PLANE_INFINITE) && random_below(random, 3) == 0)
        p->g[i] = 0;
    if (kind == PLANE_SORTED)
        p->m[i] = fraction * fraction;
    if (kind == PLANE_POWERS)
        p->m[i] = pow(2, -300 * fraction);
    if (kind == PLANE_HEAVY && i % 97 == 5)
        p->high[i] = 1e6 * (p->m[i] = 1e6);
}

static inline void plane_set_up(struct plane_problem *p, int64_t n, enum plane_kind kind,
                                uint64_t seed) {
    struct random random;
    double **array[] = {&p->q, &p->m, &p->g, &p->low, &p->high, &p->a};
    random_seed(&random, seed, (uint64_t)n * PLANE_KINDS + (uint64_t)kind);
    *p = (struct plane_problem){.plane = {.n = n}};
    for (int k = 0; k < 6; k++)
        *array[k] = malloc(sizeof(double) * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++)
        plane_fill_one(p, kind, i, &random);
    for (int64_t i = 1; i < n && kind == PLANE_EQUAL; i++)
        for (int k = 0; k < 5; k++)
            (*array[k])[i] = (*array[k])[0];
    p->plane.q = kind == PLANE_ONES || kind == PLANE_BOX ? NULL : p->q;
    p->plane.m = p->m;
    p->plane.g = kind == PLANE_ONES ? NULL : p->g;
    p->plane.low = kind == PLANE_BOX ? NULL : p->low;
    p->plane.high = kind == PLANE_BOX ? NULL : p->high;
    p->plane.low_all = -0.25;
    p->plane.high_all = 0.75;
    assert_int_equal(box_plane_work_init(&p->work, n, NULL), 0);
}

static inline void plane_tear_down(struct plane_problem *p) {
    double *array[] = {p->q, p->m, p->g, p->low, p->high, p->a};
    for (int k = 0; k < 6; k++)
        free(array[k]);
    box_plane_work_free(&p->work);
}

struct plane_coordinate {
    long double q, m, g, low, high;
};

static inline struct plane_coordinate plane_coordinate(const struct box_plane *p, int64_t i) {
    return (struct plane_coordinate){
        p->q == NULL ? 1 : p->q[i], p->m[i], p->g == NULL ? 1 : p->g[i],
        p->low == NULL ? p->low_all : p->low[i], p->high == NULL ? p->high_all : p->high[i]};
}

/* a_i for L, by the formula. */
static inline long double plane_at(const struct plane_coordinate *c, long double multiplier) {
    long double at = c->g == 0 ? c->m : c->m - multiplier * c->g / c->q;
    return at < c->low ? c->low : at > c->high ? c->high : at;
}

/* sum g a for L. */
static inline long double plane_sum(const struct box_plane *p, long double multiplier) {
    long double sum = 0;
    for (int64_t i = 0; i < p->n; i++) {
        struct plane_coordinate c = plane_coordinate(p, i);
        sum += c.g == 0 ? 0 : c.g * plane_at(&c, multiplier);
    }
    return sum;
}

/* The rounding error of a coordinate that is not at a bound. */
static inline long double plane_noise(const struct plane_coordinate *c, long double multiplier) {
    return c->g == 0 ? 0 : fabsl(c->m) + fabsl(multiplier * c->g / c->q);
}

/* The sum of magnitudes at L, to which rounding errors are relative. */
static inline long double plane_size(const struct box_plane *p, long double multiplier) {
    long double sum = fabsl(p->z);
    for (int64_t i = 0; i < p->n; i++) {
        struct plane_coordinate c = plane_coordinate(p, i);
        long double at = plane_at(&c, multiplier), noise = plane_noise(&c, multiplier);
        long double line = c.m - multiplier * c.g / c.q;
        bool off = c.low - 1e-15L * noise <= line && line <= c.high + 1e-15L * noise;
        if (c.g != 0)
            sum += fabsl(c.g * at) + (off && isfinite(multiplier) ? fabsl(c.g) * noise : 0);
    }
    return sum;
}

/* Stationary, within the box, and on the plane. */
static inline void plane_check(struct plane_problem *p, double multiplier) {
    long double sum = 0;
    box_plane_point(&p->plane, multiplier, p->a);
    for (int64_t i = 0; i < p->plane.n; i++) {
        struct plane_coordinate c = plane_coordinate(&p->plane, i);
        long double at = plane_at(&c, multiplier);
        assert_true(c.low <= p->a[i] && p->a[i] <= c.high);
        assert_true(fabsl(p->a[i] - at) <= 1e-15L * plane_noise(&c, multiplier));
        sum += c.g == 0 ? 0 : c.g * p->a[i];
    }
    if (fabsl(sum - p->plane.z) <= 1e-14L * plane_size(&p->plane, multiplier))
        return;
    print_error("n %ld, z %.17g, L %.17g: off by %Lg of %Lg\n", (long)p->plane.n, p->plane.z,
                multiplier, sum - p->plane.z, plane_size(&p->plane, multiplier));
    fail();
}

#endif
