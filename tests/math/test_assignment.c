/* test_assignment.c - assignments compared with all permutations; larger ones are checked by their dual variables. */
#include "math/assignment.h"

#include "math/random/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { MAX_SIZE = 400 };

struct fixture {
    struct assignment a;
    double c[MAX_SIZE], f[MAX_SIZE], g[MAX_SIZE], d[MAX_SIZE], price[MAX_SIZE];
    int64_t object[MAX_SIZE];
};

static struct fixture fixture;

static int falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Numbers with few distinct values, so that there are ties, or arbitrary ones. */
static double number(struct random *random, bool few_values) {
    return few_values ? (double)random_below(random, 4) : 4 * random_unit(random);
}

static void fill(struct fixture *f, struct random *random, int64_t n, int64_t top, bool few_values,
                 double size) {
    for (int64_t k = 0; k < n; k++) {
        f->c[k] = number(random, few_values);
        f->f[k] = size * (number(random, few_values) - 2);
        f->g[k] = number(random, random_below(random, 2));
        f->d[k] = -number(random, few_values);
    }
    qsort(f->c, (size_t)n, sizeof(double), falling);
    qsort(f->f, (size_t)n, sizeof(double), falling);
    f->a = (struct assignment){.n = n, .top = top, .c = f->c, .f = f->f, .g = f->g, .d = f->d};
    void *work = malloc(assignment_work_bytes(n) + 1);
    assert_non_null(work);
    assignment_solve(&f->a, f->object, f->price, work);
    free(work);
}

static double gain_of(const struct assignment *a, const int64_t *object) {
    double sum = 0;
    for (int64_t j = 0; j < a->n; j++)
        sum += assignment_gain(a, j, object[j]);
    return sum;
}

static double best_of_all(const struct assignment *a, int64_t *object, int64_t from) {
    double best = -INFINITY;
    if (from == a->n)
        return gain_of(a, object);
    for (int64_t k = from; k < a->n; k++) {
        int64_t swapped = object[from];
        object[from] = object[k];
        object[k] = swapped;
        best = fmax(best, best_of_all(a, object, from + 1));
        object[k] = object[from];
        object[from] = swapped;
    }
    return best;
}

static void assert_permutation(const struct fixture *f) {
    bool seen[MAX_SIZE] = {false};
    for (int64_t j = 0; j < f->a.n; j++) {
        assert_true(f->object[j] >= 0 && f->object[j] < f->a.n && !seen[f->object[j]]);
        seen[f->object[j]] = true;
    }
}

/* The prices and the best gain at each position are feasible for the dual: no permutation has a larger sum. */
static void assert_proved(const struct fixture *f, double slack) {
    double bound = 0;
    for (int64_t j = 0; j < f->a.n; j++) {
        double best = -INFINITY;
        for (int64_t k = 0; k < f->a.n; k++)
            best = fmax(best, assignment_gain(&f->a, j, k) - f->price[k]);
        bound += best + f->price[j];
    }
    assert_near(gain_of(&f->a, f->object), bound, slack);
}

static void small_ones_are_the_best_of_all(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 1, 0);
    for (int trial = 0; trial < 400; trial++) {
        int64_t n = 1 + (int64_t)random_below(&random, trial % 40 == 0 ? 7 : 6), object[7];
        for (int64_t k = 0; k < n; k++)
            object[k] = k;
        fill(&fixture, &random, n, (int64_t)random_below(&random, (uint64_t)n + 1), trial % 2, 1);
        assert_permutation(&fixture);
        assert_near(gain_of(&fixture.a, fixture.object), best_of_all(&fixture.a, object, 0), 1e-12);
        assert_proved(&fixture, 1e-12);
    }
}

static void large_ones_are_proved(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 2, 0);
    for (int trial = 0; trial < 60; trial++) {
        int64_t n = 8 + (int64_t)random_below(&random, trial % 10 == 0 ? MAX_SIZE - 8 : 60);
        double size = pow(10, trial % 7 - 3);
        fill(&fixture, &random, n, trial % 3 == 0 ? n : (int64_t)random_below(&random, 12) % n,
             trial % 2, size);
        assert_permutation(&fixture);
        assert_proved(&fixture, 1e-12 * (1 + size) * (double)n);
    }
}

/* Without d, or with equal g, the result is the order of f. Also the empty problem. */
static void orders(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 3, 0);
    fill(&fixture, &random, 50, 0, false, 1);
    for (int64_t j = 0; j < 50; j++)
        assert_int_equal(fixture.object[j], j);
    for (int64_t j = 0; j < 50; j++)
        fixture.g[j] = 3;
    fixture.a.top = 20;
    void *work = malloc(assignment_work_bytes(50));
    assert_non_null(work);
    assignment_solve(&fixture.a, fixture.object, fixture.price, work);
    for (int64_t j = 0; j < 50; j++)
        assert_int_equal(fixture.object[j], j);
    free(work);
    fill(&fixture, &random, 0, 0, false, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_ones_are_the_best_of_all),
        cmocka_unit_test(large_ones_are_proved),
        cmocka_unit_test(orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
