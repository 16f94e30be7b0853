/* test_long_vector.c - sums and mixtures of long vectors beside plain loops, at lengths around the
 * pieces and around the threads, and with the same bits for any number of threads. */
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/long_vector.h"
#include "math/random/random.h"
#include "tests/near.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 100003, SUMS = 7 };

/* Threads begin beyond 32768, in 32 pieces; four sums run within a piece. */
static const int64_t lengths[] = {0,  1,  2,    3,     4,     5,     7,     8,
                                  31, 33, 4096, 32767, 32768, 32769, 32799, LONGEST};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

struct vectors {
    double *p, *x, *y, *z, *out;
};

static double *numbers(struct random *random, double low) {
    double *v = malloc(sizeof *v * LONGEST);
    for (int64_t i = 0; i < LONGEST; i++)
        v[i] = low + (1 - low) * random_unit(random);
    return v;
}

static int begin(void **state) {
    struct vectors *v = malloc(sizeof *v);
    struct random random;
    random_seed(&random, 5, 1);
    *v = (struct vectors){numbers(&random, 0.1), numbers(&random, -1), numbers(&random, -1),
                          numbers(&random, -1), numbers(&random, -1)};
    *state = v;
    return 0;
}

static int end(void **state) {
    struct vectors *v = *state;
    free(v->p);
    free(v->x);
    free(v->y);
    free(v->z);
    free(v->out);
    free(v);
    return 0;
}

/* The sums with weights and without, one after another. */
static void sums(const struct vectors *v, int64_t n, double *sum) {
    sum[0] = long_dot(v->p, v->x, v->y, n);
    sum[1] = long_dot(NULL, v->x, v->y, n);
    sum[2] = long_slope(v->p, v->x, v->y, v->z, n);
    sum[3] = long_slope(NULL, v->x, v->y, v->z, n);
    sum[4] = long_square(v->p, v->x, v->y, n);
    sum[5] = long_square(NULL, v->x, v->y, n);
    sum[6] = long_size(v->x, v->y, n);
}

static void plain_sums(const struct vectors *v, int64_t n, double *sum) {
    memset(sum, 0, sizeof *sum * SUMS);
    for (int64_t i = 0; i < n; i++) {
        double p = v->p[i], x = v->x[i], y = v->y[i], z = v->z[i];
        sum[0] += p * x * y;
        sum[1] += x * y;
        sum[2] += p * x * (y - z);
        sum[3] += x * (y - z);
        sum[4] += p * (x - y) * (x - y);
        sum[5] += (x - y) * (x - y);
        sum[6] += fabs(x - y);
    }
}

static void sums_are_those_of_plain_loops(void **state) {
    const struct vectors *v = *state;
    for (int l = 0; l < LENGTHS; l++) {
        double fast[SUMS], plain[SUMS];
        sums(v, lengths[l], fast);
        plain_sums(v, lengths[l], plain);
        for (int k = 0; k < SUMS; k++)
            assert_near(fast[k], plain[k], 1e-14 * (double)(lengths[l] + 1));
    }
}

static void sums_have_the_same_bits_for_any_number_of_threads(void **state) {
    const struct vectors *v = *state;
    int usual = omp_get_max_threads();
    for (int l = 0; l < LENGTHS; l++) {
        double one[SUMS], more[SUMS];
        omp_set_num_threads(1);
        sums(v, lengths[l], one);
        for (int threads = 2; threads <= 5; threads++) {
            omp_set_num_threads(threads);
            sums(v, lengths[l], more);
            assert_memory_equal(one, more, sizeof one);
        }
    }
    omp_set_num_threads(usual);
}

/* Nothing beyond the length is written; eta 0 and 1 included. */
static void mixtures_are_those_of_plain_loops(void **state) {
    const struct vectors *v = *state;
    static const double etas[] = {0, 0.3, 1};
    for (int l = 0; l < LENGTHS; l++)
        for (int k = 0; k < 3; k++) {
            int64_t n = lengths[l];
            double eta = etas[k], after = n < LONGEST ? v->out[n] : 0;
            long_mix(v->out, v->x, v->y, eta, n);
            for (int64_t i = 0; i < n; i++)
                assert_near(v->out[i], (1 - eta) * v->x[i] + eta * v->y[i], 1e-15);
            assert_true(n == LONGEST || v->out[n] == after);
        }
}

static void a_mixture_may_overwrite_its_first_vector(void **state) {
    const struct vectors *v = *state;
    int usual = omp_get_max_threads();
    double *x = malloc(sizeof *x * LONGEST);
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        memcpy(x, v->x, sizeof *x * LONGEST);
        long_mix(v->out, v->x, v->y, 0.7, LONGEST);
        long_mix(x, x, v->y, 0.7, LONGEST);
        assert_memory_equal(x, v->out, sizeof *x * LONGEST);
    }
    omp_set_num_threads(usual);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_plain_loops),
        cmocka_unit_test(sums_have_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(mixtures_are_those_of_plain_loops),
        cmocka_unit_test(a_mixture_may_overwrite_its_first_vector),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
