/* test_subset_sums.c - sums over subsets by size, their bounds, and how likely each number is in one: for
 * all sizes, far apart ones, equal numbers and large ones, beside the whole dynamic program. */
#include "math/subset_sums/subset_sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/random/random.h"
#include "tests/math/subset_sums/subset_reference.h"
#include "tests/near.h"

#include <string.h>

enum { MAX_SIZE = 300 };

struct numbers {
    int64_t n;
    double x[MAX_SIZE], sum[MAX_SIZE + 1];
};

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Numbers within SPREAD, some of them equal. */
static struct numbers draw(struct random *random, int64_t n, double spread) {
    struct numbers numbers = {.n = n};
    for (int64_t i = 0; i < n; i++)
        numbers.x[i] = i > 0 && random_below(random, 3) == 0 ? numbers.x[i - 1]
                                                             : spread * (random_unit(random) - 0.3);
    qsort(numbers.x, (size_t)n, sizeof *numbers.x, compare);
    for (int64_t i = 0; i < n; i++)
        numbers.sum[i + 1] = numbers.sum[i] + numbers.x[i];
    return numbers;
}

static void want(struct subset_sums *s, const struct numbers *numbers, int64_t low, int64_t high) {
    subset_sums_begin(s, numbers->x, numbers->sum);
    for (int64_t b = 0; b <= s->n; b++)
        s->needed[b] = b <= low || b >= high;
    while (subset_sums_refine(s, 20))
        ;
    subset_sums_values(s);
}

/* All numbers, with one size of weight 1 or all sizes of 1/(n + 1): marginals by the sums without a number. */
static void check_marginals(struct subset_sums *s, const struct numbers *numbers,
                            const long double *F, int64_t only) {
    double marginal[MAX_SIZE], total = 0, size = 0;
    for (int64_t b = 0; b <= s->n; b++) {
        s->weight[b] = only < 0 ? 1 / ((double)s->n + 1) : b == only;
        size += s->weight[b] * (double)b;
    }
    subset_sums_marginals(s, marginal);
    for (int64_t i = 0; i < s->n; i++)
        total += marginal[i];
    assert_near(total, size, 1e-10 * (1 + size));
    for (int64_t i = 0; i < s->n; i += 1 + s->n / 4) {
        long double *G = log_sums(numbers->x, s->n, i), p = 0;
        for (int64_t b = 1; b <= s->n; b++)
            p += s->weight[b] * expl(G[b - 1] + numbers->x[i] - F[b]);
        assert_near(marginal[i], (double)p, 1e-11);
        free(G);
    }
}

static void check_numbers(const struct numbers *numbers, double digits) {
    struct subset_sums s;
    long double *F = log_sums(numbers->x, numbers->n, -1);
    int64_t n = numbers->n;
    double slack = 1 + log(2) * (double)n; /* of the numbers that are added */
    for (int64_t i = 0; i < n; i++)
        slack += fabs(numbers->x[i]);
    slack *= digits;
    assert_int_equal(subset_sums_init(&s, n, NULL), 0);
    want(&s, numbers, n, n); /* all */
    for (int64_t b = 0; b <= n; b++) {
        assert_true(s.lower[b] <= (double)F[b] + slack && s.upper[b] >= (double)F[b] - slack);
        assert_near(s.F[b], (double)F[b], slack);
    }
    check_marginals(&s, numbers, F, -1);
    check_marginals(&s, numbers, F, n / 3);
    want(&s, numbers, n / 10, n - n / 5); /* the ends */
    for (int64_t b = 0; b <= n; b++)
        if (s.needed[b])
            assert_near(s.F[b], (double)F[b], slack);
    free(F);
    subset_sums_free(&s);
}

static void sums_and_marginals_are_those_of_the_whole_program(void **state) {
    (void)state;
    static const double spreads[] = {0, 0.1, 3, 40, 1000, 1e6};
    struct random random;
    random_seed(&random, 12, 0);
    for (int k = 0; k < 6; k++)
        for (int trial = 0; trial < 12; trial++) {
            int64_t n = trial == 0 ? MAX_SIZE : (int64_t)random_below(&random, 24);
            struct numbers numbers = draw(&random, n, spreads[k]);
            check_numbers(&numbers, 1e-13);
        }
}

/* A thousand equal numbers and more: sums are binomial coefficients. */
static void equal_numbers(void **state) {
    (void)state;
    static const double numbers[] = {0, -40};
    enum { N = 1300 };
    static double x[N], sum[N + 1], marginal[N];
    struct subset_sums s;
    assert_int_equal(subset_sums_init(&s, N, NULL), 0);
    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; i < N; i++) {
            x[i] = numbers[k];
            sum[i + 1] = sum[i] + x[i];
        }
        subset_sums_begin(&s, x, sum);
        for (int64_t b = 0; b <= N; b++)
            s.needed[b] = b % 40 == 0 || b > N - 20;
        while (subset_sums_refine(&s, 4))
            ;
        subset_sums_values(&s);
        double size = 0;
        for (int64_t b = 0; b <= N; b++) {
            double F = (double)(lgammal(N + 1) - lgammal((long double)b + 1) -
                                lgammal((long double)(N - b) + 1)) +
                       numbers[k] * (double)b;
            double slack = 1e-14 * (1 + N * (log(2) + fabs(numbers[k])));
            assert_true(s.lower[b] <= F + slack && s.upper[b] >= F - slack);
            s.weight[b] = s.needed[b] ? 1e-3 : 0;
            size += s.weight[b] * (double)b;
            if (s.needed[b])
                assert_near(s.F[b], F, slack);
        }
        subset_sums_marginals(&s, marginal);
        for (int64_t i = 0; i < N; i++)
            assert_near(marginal[i], size / N, 1e-12);
    }
    subset_sums_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_marginals_are_those_of_the_whole_program),
        cmocka_unit_test(equal_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
