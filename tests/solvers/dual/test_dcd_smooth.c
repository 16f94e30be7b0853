/* test_dcd_smooth.c - the smoothed point of conjugate gradients: of all points that the directions span it has the
 * least residual. */
#include "solvers/dual/dcd_smooth.h"

#include "math/random/random.h"
#include "math/vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { SIZE = 30, STEPS = 6 };

struct system {
    double matrix[SIZE][SIZE]; /* positive definite */
    double scale[SIZE];        /* the metric S */
    double first[SIZE];        /* the residual at no change */
};

static void multiply(const struct system *system, const double *x, double *y) {
    for (int i = 0; i < SIZE; i++)
        y[i] = vector_dot(system->matrix[i], x, SIZE);
}

static void set_up(struct system *system, uint64_t seed) {
    struct random random;
    double factor[SIZE][SIZE];
    random_seed(&random, seed, 3);
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++)
            factor[i][j] = (2 * random_unit(&random) - 1) / (1 + j);
        system->scale[i] = random_unit(&random) + 0.01;
        system->first[i] = 2 * random_unit(&random) - 1;
    }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            system->matrix[i][j] = vector_dot(factor[i], factor[j], SIZE) + (i == j ? 0.03 : 0);
}

/* r'Sr */
static double square(const struct system *system, const double *r) {
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += system->scale[i] * r[i] * r[i];
    return sum;
}

/* r'S K direction, over the sizes of the first residual and of K direction: 0 where r'Sr has no slope there. */
static double slope(const struct system *system, const double *r, const double *direction) {
    double image[SIZE], inner = 0;
    multiply(system, direction, image);
    for (int i = 0; i < SIZE; i++)
        inner += system->scale[i] * r[i] * image[i];
    return inner / sqrt(square(system, system->first) * square(system, image));
}

static void smoothed_points_have_the_least_residual(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct system system;
        double change[SIZE] = {0}, r[SIZE], p[STEPS][SIZE], image[SIZE], at[SIZE], product[SIZE];
        double smooth_residual[SIZE], before = INFINITY;
        struct dcd_smooth smooth = {.change = at, .residual = smooth_residual};
        set_up(&system, seed);
        memcpy(r, system.first, sizeof r);
        dcd_smooth_begin(&smooth, r, SIZE);
        double squared = dcd_smooth_follow(&smooth, system.scale, change, r, SIZE, false, NULL);
        assert_near(squared, square(&system, r), 1e-12 * squared);
        for (int i = 0; i < SIZE; i++)
            p[0][i] = system.scale[i] * r[i];
        for (int k = 0; k < STEPS; k++) {
            multiply(&system, p[k], image);
            double step = squared / vector_dot(p[k], image, SIZE), old = squared;
            for (int i = 0; i < SIZE; i++) {
                change[i] += step * p[k][i];
                r[i] -= step * image[i];
            }
            squared = dcd_smooth_follow(&smooth, system.scale, change, r, SIZE, false, NULL);
            for (int i = 0; i < SIZE && k + 1 < STEPS; i++)
                p[k + 1][i] = system.scale[i] * r[i] + squared / old * p[k][i];
            double now = square(&system, smooth.residual);
            assert_true(now <= before && now <= squared * (1 + 1e-12));
            before = now;
            for (int j = 0; j <= k; j++)
                assert_near(slope(&system, smooth.residual, p[j]), 0, 1e-9);
        }
        multiply(&system, smooth.change, product);
        for (int i = 0; i < SIZE; i++)
            assert_near(smooth.residual[i], system.first[i] - product[i], 1e-10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoothed_points_have_the_least_residual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
