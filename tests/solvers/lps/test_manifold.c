/* test_manifold.c - the watch over sign patterns against a plain one that looks at all components. */
#include "solvers/lps/manifold.h"

#include "math/random/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_ITERATES = 40 };

struct plain {
    double sum[MAX_ITERATES];
    int sign[MAX_ITERATES];
    int64_t changed;
};

static void plain_advance(struct plain *p, int n, double l1, int64_t t) {
    for (int i = 0; i < n; i++) {
        int sign = fabs(p->sum[i]) > l1 * (double)t ? (p->sum[i] < 0 ? 1 : -1) : 0;
        if (sign != p->sign[i])
            p->changed = t;
        p->sign[i] = sign;
    }
}

static void compare(const struct manifold *m, const struct plain *p, int n, int64_t t) {
    int64_t nonzeros = 0;
    assert_int_equal(m->last_change, p->changed);
    assert_int_equal(manifold_unchanged(m, t), t + 1 - p->changed);
    for (int i = 0; i < n; i++) {
        assert_int_equal(m->sign[i], p->sign[i]);
        assert_int_equal(m->heap_index[i] != 0, p->sign[i] != 0);
        nonzeros += p->sign[i] != 0;
    }
    assert_int_equal(m->nonzeros, nonzeros);
}

/* A random walk of n sums: steps of UNIT times -3..3 (so that sums and thresholds tie often), to a
 * share of the components, some of them twice a step; all of it is over after `active` steps. */
static void walk(int n, double l1, double unit, double share, int active, uint64_t seed) {
    struct manifold m;
    struct plain p = {.changed = 0};
    struct random random;
    random_seed(&random, seed, 0);
    assert_int_equal(manifold_init(&m, n, l1, NULL), 0);
    for (int64_t t = 1; t <= 3 * active; t++) {
        for (int k = 0; t <= active && k < 2 * n; k++) {
            int i = (int)random_below(&random, (uint64_t)n);
            if (random_unit(&random) >= share / 2)
                continue;
            p.sum[i] += unit * ((double)random_below(&random, 7) - 3 + (i % 5 == 0 ? 2 : 0));
            manifold_touch(&m, i, p.sum[i]);
        }
        plain_advance(&p, n, l1, t);
        assert_int_equal(manifold_advance(&m, t), p.changed);
        compare(&m, &p, n, t);
    }
    manifold_free(&m);
}

/* Of two watches one begins after some steps: from then on they agree, but for earlier changes. */
static void a_late_watch_agrees(void **state) {
    enum { N = 12, BEGIN = 40, STEPS = 200 };
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct manifold whole, late;
        struct random random;
        random_seed(&random, seed, 0);
        assert_int_equal(manifold_init(&whole, N, 0.3, NULL), 0);
        assert_int_equal(manifold_init(&late, N, 0.3, NULL), 0);
        for (int64_t t = 1; t <= STEPS; t++) {
            int64_t i = (int64_t)random_below(&random, N);
            double sum = whole.sum[i] + (double)random_below(&random, 7) - (i < 6 ? 1 : 3);
            manifold_touch(&whole, i, sum);
            manifold_advance(&whole, t);
            if (t <= BEGIN)
                late.sum[i] = sum;
            else
                manifold_touch(&late, i, sum);
            if (t == BEGIN)
                manifold_begin(&late, t);
            if (t > BEGIN)
                manifold_advance(&late, t);
            if (t < BEGIN)
                continue;
            assert_memory_equal(whole.sign, late.sign, N);
            assert_int_equal(whole.nonzeros, late.nonzeros);
            assert_int_equal(late.last_change,
                             whole.last_change > BEGIN ? whole.last_change : BEGIN);
        }
        manifold_free(&whole);
        manifold_free(&late);
    }
}

static void random_walks_agree(void **state) {
    (void)state;
    static const double shares[] = {1, 0.2, 0.02};
    for (uint64_t seed = 0; seed < 20; seed++)
        for (int s = 0; s < 3; s++) {
            walk(1, 1, 1, shares[s], 300, seed);
            walk(MAX_ITERATES, 1, 1, shares[s], 300, seed); /* ties at whole numbers */
            walk(MAX_ITERATES, 0.25, 1, shares[s], 300, seed);
            walk(MAX_ITERATES, 1e-3, 1, shares[s], 300, seed); /* hardly anything dies */
            walk(MAX_ITERATES, 0.1, 1.0 / 3, shares[s], 300, seed);
            walk(MAX_ITERATES, 0, 1, shares[s], 300, seed);
            walk(MAX_ITERATES, 1e300, 1, shares[s], 300, seed);
        }
}

static void a_tie_is_zero(void **state) {
    (void)state;
    struct manifold m;
    assert_int_equal(manifold_init(&m, 2, 1, NULL), 0);
    manifold_touch(&m, 0, 1);
    assert_int_equal(manifold_advance(&m, 1), 0);
    assert_int_equal(manifold_unchanged(&m, 1), 2); /* w_1 and w_2 */
    manifold_touch(&m, 1, -4);
    assert_int_equal(manifold_advance(&m, 2), 2);
    assert_int_equal(m.sign[1], 1);
    assert_int_equal(manifold_unchanged(&m, 2), 1);
    assert_int_equal(manifold_advance(&m, 3), 2);
    assert_int_equal(manifold_unchanged(&m, 3), 2);
    assert_int_equal(manifold_advance(&m, 4), 4);
    assert_int_equal(m.nonzeros, 0);
    manifold_free(&m);
}

/* Changes of a component within one step do not count. */
static void only_the_end_of_a_step_counts(void **state) {
    (void)state;
    struct manifold m;
    assert_int_equal(manifold_init(&m, 1, 1, NULL), 0);
    manifold_touch(&m, 0, 9);
    assert_int_equal(manifold_advance(&m, 1), 1);
    manifold_touch(&m, 0, -9);
    manifold_touch(&m, 0, 0);
    manifold_touch(&m, 0, 8);
    assert_int_equal(manifold_advance(&m, 2), 1);
    manifold_touch(&m, 0, -8);
    assert_int_equal(manifold_advance(&m, 3), 3);
    manifold_free(&m);
}

static void nothing_to_watch_never_changes(void **state) {
    (void)state;
    struct manifold m;
    assert_int_equal(manifold_init(&m, 0, 1, NULL), 0);
    assert_int_equal(manifold_advance(&m, 7), 0);
    assert_int_equal(manifold_unchanged(&m, 7), 8);
    manifold_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_walks_agree),
        cmocka_unit_test(a_late_watch_agrees),
        cmocka_unit_test(a_tie_is_zero),
        cmocka_unit_test(only_the_end_of_a_step_counts),
        cmocka_unit_test(nothing_to_watch_never_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
