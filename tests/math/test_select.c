/* test_select.c - selection compared with sorting, and its work if pivots are bad. */
#include "math/select.h"

#include "math/random/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

enum kind { RANDOM, SORTED, FALLING, PIPE, EQUAL, TWO, FEW, POWERS, SAW, ENDS, KINDS };

static double number_of(enum kind kind, int64_t i, int64_t n, struct random *random) {
    switch (kind) {
    case SORTED:
        return (double)i;
    case FALLING:
        return (double)(n - i);
    case PIPE:
        return (double)(i < n / 2 ? i : n - i);
    case EQUAL:
        return 3;
    case TWO:
        return (double)random_below(random, 2);
    case FEW:
        return (double)random_below(random, 5);
    case POWERS:
        return ldexp(1, -(int)(i % 1000));
    case SAW:
        return (double)(i % 17) + 1e-9 * (double)i;
    case ENDS:
        return i % 3 ? random_unit(random) : i % 2 ? INFINITY : -INFINITY;
    default:
        return 2 * random_unit(random) - 1;
    }
}

static double *numbers(enum kind kind, int64_t n) {
    struct random random;
    double *x = malloc(sizeof *x * (size_t)n);
    random_seed(&random, (uint64_t)kind, (uint64_t)n);
    for (int64_t i = 0; i < n; i++)
        x[i] = number_of(kind, i, n, &random);
    return x;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* x permuted about its k-th smallest, the same numbers as before. */
static void check(double *x, double *sorted, int64_t n, int64_t k) {
    double chosen = select_smallest(x, n, k, NULL);
    assert_true(chosen == sorted[k] && x[k] == chosen);
    for (int64_t i = 0; i < n; i++)
        assert_true(i < k ? x[i] <= chosen : x[i] >= chosen);
    qsort(x, (size_t)n, sizeof *x, compare);
    assert_memory_equal(x, sorted, sizeof *x * (size_t)n);
}

static void every_rank_is_as_sorted(void **state) {
    (void)state;
    for (int64_t n = 1; n <= 300; n += 1 + n / 7)
        for (enum kind kind = 0; kind < KINDS; kind++) {
            double *sorted = numbers(kind, n);
            qsort(sorted, (size_t)n, sizeof *sorted, compare);
            for (int64_t k = 0; k < n; k++) {
                double *x = numbers(kind, n);
                check(x, sorted, n, k);
                free(x);
            }
            free(sorted);
        }
}

static void split_has_three_parts(void **state) {
    (void)state;
    for (int64_t n = 0; n <= 200; n++)
        for (enum kind kind = 0; kind < KINDS; kind++) {
            int64_t smaller, equal;
            double *x = numbers(kind, n + 1), pivot = x[n / 2];
            select_split(x, n, pivot, &smaller, &equal);
            for (int64_t i = 0; i < n; i++)
                assert_true(i < smaller           ? x[i] < pivot
                            : i < smaller + equal ? x[i] == pivot
                                                  : x[i] > pivot);
            free(x);
        }
}

/* An adversarial input: raises each number that the sample selects. */
static void deceive_sample(double *x, int64_t n) {
    for (int64_t found = 0; found < n; found++) {
        double pivot = select_sample(x, n);
        int64_t i = 0;
        while (x[i] != pivot)
            i++;
        if (pivot >= (double)n)
            return;
        x[i] = (double)(2 * n - found);
    }
}

static void work_is_linear(void **state) {
    (void)state;
    for (int64_t n = 1000; n <= PART(1000000, 100000); n *= 10)
        for (enum kind kind = 0; kind < KINDS; kind++)
            for (int quarter = 0; quarter <= 4; quarter += n < 1000000 ? PART(1, 2) : 2) {
                int64_t touched = 0;
                double *x = numbers(kind, n);
                select_smallest(x, n, (n - 1) * quarter / 4, &touched);
                assert_in_range(touched, n / 2, 6 * n);
                free(x);
            }
}

static void a_pivot_that_fails_is_followed_by_a_good_one(void **state) {
    (void)state;
    for (int64_t n = 1000; n <= 100000; n *= 10)
        for (int shift = -3; shift <= 3; shift++) {
            int64_t touched = 0;
            double *x = numbers(SORTED, n), *sorted = malloc(sizeof *x * (size_t)n);
            deceive_sample(x, n);
            memcpy(sorted, x, sizeof *x * (size_t)n);
            qsort(sorted, (size_t)n, sizeof *sorted, compare);
            assert_true(select_sample(x, n) > sorted[n - n / 20]);
            double chosen = select_smallest(x, n, n / 2 + shift, &touched);
            assert_true(chosen == sorted[n / 2 + shift]);
            assert_in_range(touched, 3 * n, 12 * n);
            free(x);
            free(sorted);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_is_as_sorted),
        cmocka_unit_test(split_has_three_parts),
        cmocka_unit_test(work_is_linear),
        cmocka_unit_test(a_pivot_that_fails_is_followed_by_a_good_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
