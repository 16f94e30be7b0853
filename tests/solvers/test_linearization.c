/* test_linearization.c - the best mixture of two linear lower bounds of a risk. */
#include "solvers/linearization.h"

#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { N = 5, PARTS = 2000, CASES = 200 };

static double random_sign(struct random *random) {
    return 2 * random_unit(random) - 1;
}

/* What is left is a mixture, and of all of these it has the largest bound; the bound that is returned may be that of
 * less than the whole of it, as R >= 0. */
static void the_best_mixture(void **state) {
    struct random random;
    (void)state;
    random_seed(&random, 1, 1);
    for (int c = 0; c < CASES; c++) {
        double first[N], second[N], mixed[N], best = -INFINITY, t[2] = {0, random_sign(&random)};
        struct linearization a = {.slope = first, .size = N, .constant = t[0]};
        struct linearization b = {.slope = second, .size = N, .constant = t[1]};
        struct linearization mixture = {.slope = mixed, .size = N};
        struct problem problem = {.regularizer = regularizer_by_name("l2"),
                                  .lambda = exp(4 * random_sign(&random)),
                                  .linearization = &mixture};
        for (int j = 0; j < N; j++) {
            first[j] = random_sign(&random);
            second[j] = random_sign(&random);
        }
        for (int k = 0; k <= PARTS; k++) {
            double fraction = (double)k / PARTS, square = 0;
            for (int j = 0; j < N; j++)
                square += pow(first[j] + fraction * (second[j] - first[j]), 2);
            best = fmax(best, t[0] + fraction * (t[1] - t[0]) - square / (2 * problem.lambda));
        }
        double square = 0, bound = linearization_mix(&problem, &a, &b);
        for (int j = 0; j < N; j++)
            square += mixed[j] * mixed[j];
        double own = mixture.constant - square / (2 * problem.lambda);
        assert_true(own >= best - 1e-12 && own <= best + 1e-6 * (1 + 1 / problem.lambda));
        assert_true(bound >= own - 1e-12 && bound <= fmax(mixture.constant, 0));
        double fraction = t[1] == t[0] ? 0 : (mixture.constant - t[0]) / (t[1] - t[0]);
        assert_true(fraction >= 0 && fraction <= 1);
        for (int j = 0; j < N; j++)
            assert_true(fabs(first[j] + fraction * (second[j] - first[j]) - mixed[j]) <= 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_best_mixture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
