/* test_random.c - random numbers, permutations, alias drawing. */
#include "math/random/alias.h"
#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

enum { DRAWS = 400000 };

/* Every count is within 5 standard deviations of its expectation. */
static void assert_frequencies(const int64_t *count, const double *probability, int n) {
    for (int i = 0; i < n; i++) {
        double expected = DRAWS * probability[i];
        assert_true(fabs((double)count[i] - expected) <=
                    5 * sqrt(expected * (1 - probability[i])) + 1e-9);
    }
}

static void seeds_and_streams_differ(void **state) {
    (void)state;
    struct random a, b, c, d;
    random_seed(&a, 1, 0);
    random_seed(&b, 1, 0);
    random_seed(&c, 1, 1);
    random_seed(&d, 2, 0);
    uint64_t first = random_bits(&a);
    assert_true(first == random_bits(&b));
    assert_true(first != random_bits(&c) && first != random_bits(&d));
}

static void below_is_uniform(void **state) {
    (void)state;
    struct random random;
    int64_t count[7] = {0};
    double probability[7];
    random_seed(&random, 3, 0);
    for (int i = 0; i < 7; i++)
        probability[i] = 1.0 / 7;
    for (int i = 0; i < DRAWS; i++)
        count[random_below(&random, 7)]++;
    assert_frequencies(count, probability, 7);
}

static void permutations_hold_each_once(void **state) {
    (void)state;
    struct random random;
    int64_t order[100], first[100] = {0};
    random_seed(&random, 4, 0);
    for (int round = 0; round < 100; round++) {
        int seen[100] = {0};
        random_permutation(&random, order, 100);
        for (int i = 0; i < 100; i++)
            seen[order[i]]++;
        for (int i = 0; i < 100; i++)
            assert_int_equal(seen[i], 1);
        first[order[0]]++;
    }
    for (int i = 0; i < 100; i++)
        assert_true(first[i] < 10);
}

static void the_alias_table_draws_by_weight(void **state) {
    (void)state;
    static const double weight[8] = {0, 1, 2, 0.5, 0, 10, 1e-3, 3};
    double sum = 0, probability[8];
    int64_t count[8] = {0};
    struct alias alias;
    struct random random;
    for (int i = 0; i < 8; i++)
        sum += weight[i];
    for (int i = 0; i < 8; i++)
        probability[i] = weight[i] / sum;
    random_seed(&random, 5, 0);
    assert_int_equal(alias_init(&alias, weight, 8, NULL), 0);
    for (int i = 0; i < DRAWS; i++)
        count[alias_draw(&alias, &random)]++;
    assert_frequencies(count, probability, 8);
    assert_int_equal(count[0], 0);
    assert_int_equal(count[4], 0);
    alias_free(&alias);
}

/* The table itself adds up to the weights, for many sizes and shapes. */
static void the_alias_table_is_exact(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 6, 0);
    for (int n = 1; n < 200; n += 3) {
        double weight[200], mass[200] = {0}, sum = 0;
        struct alias alias;
        for (int i = 0; i < n; i++) {
            weight[i] = i > 0 && i % 5 == 0 ? 0 : pow(random_unit(&random), 8);
            sum += weight[i];
        }
        assert_int_equal(alias_init(&alias, weight, n, NULL), 0);
        for (int i = 0; i < n; i++) {
            assert_true(alias.keep[i] >= 0 && alias.keep[i] <= 1);
            mass[i] += alias.keep[i] / n;
            mass[alias.other[i]] += (1 - alias.keep[i]) / n;
        }
        for (int i = 0; i < n; i++)
            assert_near(mass[i], weight[i] / sum, 1e-12);
        for (int i = 5; i < n; i += 5)
            assert_true(mass[i] == 0);
        alias_free(&alias);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_and_streams_differ),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(permutations_hold_each_once),
        cmocka_unit_test(the_alias_table_draws_by_weight),
        cmocka_unit_test(the_alias_table_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
