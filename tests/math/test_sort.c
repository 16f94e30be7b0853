/* test_sort.c - sorted lists beside qsort's, stable for ties, short and long, with numbers of all magnitudes. */
#include "math/sort.h"

#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX_COUNT = 5000 };

static struct scored list[MAX_COUNT], expected[MAX_COUNT], spare[MAX_COUNT];

static int by_score_then_row(const void *a, const void *b) {
    const struct scored *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static double any_number(struct random *random, int kind) {
    const double special[] = {0, -0.0, INFINITY, -INFINITY, 5e-324, -5e-324, 1e308, -1e308};
    if (kind == 0)
        return (double)random_below(random, 5) - 2;
    if (kind == 1)
        return special[random_below(random, 8)];
    return (random_unit(random) - 0.5) * pow(10, (double)random_below(random, 600) - 300);
}

static void fill(struct random *random, int64_t n, int kind) {
    for (int64_t i = 0; i < n; i++)
        expected[i] = list[i] = (struct scored){any_number(random, kind), i};
    qsort(expected, (size_t)n, sizeof *expected, by_score_then_row);
}

static void assert_expected(const struct scored *found, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        assert_true(found[i].score == expected[i].score);
        assert_int_equal(found[i].row, expected[i].row);
    }
}

static void lists_are_sorted(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 1, 0);
    const int64_t counts[] = {0, 1, 2, 7, 8, 9, 16, 17, 100, 1499, 1500, 1501, MAX_COUNT};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int kind = 0; kind < 3; kind++) {
            fill(&random, counts[c], kind);
            sort_scored(list, spare, counts[c]);
            assert_expected(list, counts[c]);
        }
}

static void sorted_lists_are_merged(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 2, 0);
    for (int64_t n = 0; n < 200; n++) {
        int64_t middle = (int64_t)random_below(&random, (uint64_t)n + 1);
        fill(&random, n, (int)(n % 3));
        qsort(list, (size_t)middle, sizeof *list, by_score_then_row);
        qsort(list + middle, (size_t)(n - middle), sizeof *list, by_score_then_row);
        sort_merge(list, middle, list + middle, n - middle, spare);
        assert_expected(spare, n);
    }
}

static void keys_compare_as_doubles(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 3, 0);
    for (int trial = 0; trial < 20000; trial++) {
        double x = any_number(&random, trial % 3), y = any_number(&random, trial / 3 % 3);
        assert_true((sort_key(x) < sort_key(y)) == (x < y));
        assert_true((sort_key(x) == sort_key(y)) == (x == y));
    }
}

static void keys_are_sorted(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 4, 0);
    static uint64_t key[MAX_COUNT], work[MAX_COUNT];
    for (int64_t n = 0; n <= MAX_COUNT; n += n < 10 ? 1 : 1247)
        for (int kind = 0; kind < 3; kind++) {
            fill(&random, n, kind);
            for (int64_t i = 0; i < n; i++)
                key[i] = sort_key(list[i].score);
            sort_keys(key, work, n);
            for (int64_t i = 0; i < n; i++)
                assert_true(key[i] == sort_key(expected[i].score));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_sorted),
        cmocka_unit_test(sorted_lists_are_merged),
        cmocka_unit_test(keys_compare_as_doubles),
        cmocka_unit_test(keys_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
