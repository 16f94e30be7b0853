/* test_coupling.c - pairwise coupling: pairs that agree, the condition of its optimum, and its limits. */
#include "prediction/coupling.h"

#include "io/model/label_pairs.h"
#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 30 };

static double pair[MOST * MOST], work[MOST * MOST + MOST], p[MOST];

static double sum_of(int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        assert_true(p[i] >= 0);
        sum += p[i];
    }
    return sum;
}

static void pairs_are_numbered(void **state) {
    (void)state;
    for (int64_t count = 2; count < 12; count++) {
        int64_t number = 0;
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = i + 1; j < count; j++, number++) {
                int64_t a, b;
                assert_int_equal(label_pairs_index(count, i, j), number);
                label_pairs_of(count, number, &a, &b);
                assert_true(a == i && b == j);
            }
        assert_int_equal(label_pairs_count(count), number);
    }
}

/* r_ij = p_i / (p_i + p_j) has the solution p, which the stopping rule finds to 0.005 or so. */
static void pairs_that_agree(void **state) {
    struct random random;
    double exact[MOST];
    (void)state;
    random_seed(&random, 1, 1);
    for (int64_t count = 2; count <= MOST; count += 7) {
        double sum = 0;
        for (int64_t i = 0; i < count; i++)
            sum += exact[i] = 0.1 + random_unit(&random);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = i + 1; j < count; j++)
                pair[label_pairs_index(count, i, j)] = exact[i] / (exact[i] + exact[j]);
        coupling_solve(pair, count, work, p);
        assert_true(fabs(sum_of(count) - 1) < 1e-12);
        for (int64_t i = 0; i < count; i++)
            assert_true(fabs(p[i] - exact[i] / sum) < 0.01);
    }
}

/* The gradient of the objective at p, 2 sum over j of r_ji (r_ji p_i - r_ij p_j), over 2. */
static double gradient(int64_t count, int64_t i) {
    double sum = 0;
    for (int64_t j = 0; j < count; j++)
        if (j != i) {
            double r = i < j ? pair[label_pairs_index(count, i, j)]
                             : 1 - pair[label_pairs_index(count, j, i)];
            sum += (1 - r) * ((1 - r) * p[i] - r * p[j]);
        }
    return sum;
}

/* The gradients of all classes are equal up to the stopping rule. */
static void optimum(void **state) {
    struct random random;
    (void)state;
    random_seed(&random, 2, 1);
    for (int64_t count = 3; count <= MOST; count += 3) {
        double least = INFINITY, largest = -INFINITY;
        for (int64_t k = 0; k < label_pairs_count(count); k++)
            pair[k] = random_unit(&random);
        coupling_solve(pair, count, work, p);
        assert_true(fabs(sum_of(count) - 1) < 1e-12);
        for (int64_t i = 0; i < count; i++) {
            least = fmin(least, gradient(count, i));
            largest = fmax(largest, gradient(count, i));
        }
        assert_true(largest - least <= 2 * 0.005 / (double)count + 1e-6);
    }
}

static void certain_pairs(void **state) {
    (void)state;
    for (int64_t k = 0; k < label_pairs_count(4); k++)
        pair[k] = k < 3; /* class 0 wins, then 3, 2, 1 */
    coupling_solve(pair, 4, work, p);
    assert_true(fabs(sum_of(4) - 1) < 1e-12 && p[0] > 0.99);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_are_numbered),
                                       cmocka_unit_test(pairs_that_agree),
                                       cmocka_unit_test(optimum), cmocka_unit_test(certain_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
