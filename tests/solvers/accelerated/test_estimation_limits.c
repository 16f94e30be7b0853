/* test_estimation_limits.c - the estimation of agm and agm1 at the limits of arithmetic: noise in f, cancellation,
 * units far from 1, very many tries. On f(x) = scale/2 sum h_j (x_j - t_j)^2 + lift x_0, Psi the box |x_j| <= 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solvers/accelerated/estimation.h"
#include "tests/near.h"

#include <math.h>

enum { N = 4 };

static const double steep[N] = {1, 0.5, 0.2, 0.05}, target[N] = {0, 0.3, -0.6, 0.9};

struct bowl {
    struct smooth_part part; /* first */
    double scale, lift, noise;
    int values, gradients;
};

struct box {
    struct prox prox; /* first */
};

static double bowl_value(struct smooth_part *part, const double *x, const double *image,
                         double *gradient) {
    struct bowl *b = (struct bowl *)part;
    double sum = b->lift * x[0];
    (void)image;
    for (int j = 0; j < N; j++) {
        sum += b->scale / 2 * steep[j] * (x[j] - target[j]) * (x[j] - target[j]);
        if (gradient != NULL)
            gradient[j] = b->scale * steep[j] * (x[j] - target[j]) + (j == 0 ? b->lift : 0);
    }
    b->gradients += gradient != NULL;
    return sum + (b->values++ % 2 ? b->noise : -b->noise);
}

static void bowl_average(struct smooth_part *part, double eta) {
    (void)part, (void)eta;
}

static void minimize(struct prox *prox, const double *s, double k, double share, double *x) {
    (void)prox, (void)share;
    for (int j = 0; j < N; j++)
        x[j] = fmin(fmax(-s[j] / k, -1), 1);
}

static const struct estimation_settings usual = {.growth = 2, .decay = 1.1};

/* From x = 1 in all coordinates. */
static void begin(struct estimation *e, struct bowl *bowl, struct box *box,
                  const struct estimation_settings *settings, double L, double limit) {
    static const double start[N] = {1, 1, 1, 1};
    bowl->part = (struct smooth_part){.dimension = N, .value = bowl_value, .average = bowl_average};
    box->prox = (struct prox){.dimension = N, .minimize = minimize};
    assert_int_equal(estimation_init(e, settings, &bowl->part, &box->prox, NULL), 0);
    e->L = L;
    e->L_max = limit;
    estimation_start(e, start);
}

/* The largest distance from t. */
static double distance(const struct estimation *e) {
    double limit = 0;
    for (int j = 0; j < N; j++)
        limit = fmax(limit, fabs(e->w[j] - target[j]));
    return limit;
}

/* Noise makes good steps fail the test; the upper bound limits L, so the method still makes progress. */
static void noise_does_not_drive_the_constant_away(void **state) {
    (void)state;
    for (int memory = 0; memory < 2; memory++) {
        struct estimation_settings settings = usual;
        struct bowl bowl = {.scale = 1, .noise = 1e-9};
        struct box box;
        struct estimation e;
        settings.one_memory = memory;
        begin(&e, &bowl, &box, &settings, 1, 1);
        for (int k = 0; k < 600; k++) {
            assert_true(estimation_step(&e));
            assert_true(e.L_last <= 1);
        }
        assert_true(e.steps == 600 && distance(&e) <= 1e-4);
        estimation_free(&e);
    }
}

/* f is small beside its terms: x_0 is held at its lower end by a slope of 1e8. No bound of L is known. */
static void terms_that_cancel_do_not_drive_the_constant_away(void **state) {
    (void)state;
    struct bowl bowl = {.scale = 1, .lift = 1e8};
    struct box box;
    struct estimation e;
    begin(&e, &bowl, &box, &usual, 1, INFINITY);
    for (int k = 0; k < 600; k++)
        assert_true(estimation_step(&e));
    assert_true(e.L_last <= 8 && e.w[0] == -1);
    for (int j = 1; j < N; j++)
        assert_near(e.w[j], target[j], 1e-4);
    estimation_free(&e);
}

/* The same problem in other units takes the same steps. */
static void units_do_not_matter(void **state) {
    (void)state;
    static const double units[] = {0x1p530, 0x1p-560};
    for (int k = 0; k < 2; k++) {
        struct bowl bowl = {.scale = 1}, scaled = {.scale = units[k]};
        struct box box, other;
        struct estimation e, scaled_run;
        begin(&e, &bowl, &box, &usual, 1, INFINITY);
        begin(&scaled_run, &scaled, &other, &usual, units[k], INFINITY);
        for (int i = 0; i < 60; i++) {
            assert_true(estimation_step(&e) && estimation_step(&scaled_run));
            for (int j = 0; j < N; j++)
                assert_near(scaled_run.w[j], e.w[j], 1e-12);
        }
        estimation_free(&e);
        estimation_free(&scaled_run);
    }
}

/* With a growth near 1 a step may need thousands of tries: the call returns in between, with point and value
 * unchanged. */
static void tries_come_in_small_numbers(void **state) {
    (void)state;
    struct estimation_settings slow = usual;
    struct bowl bowl = {.scale = 1};
    struct box box;
    struct estimation e;
    slow.growth = 1.01;
    begin(&e, &bowl, &box, &slow, 1e-9, INFINITY);
    int calls = 0;
    for (; e.steps == 0 && calls < 1000; calls++) {
        int before = bowl.gradients;
        assert_true(estimation_step(&e));
        assert_true(bowl.gradients - before <= 100);
        if (e.steps == 0) {
            double value = bowl_value(&bowl.part, e.w, NULL, NULL);
            assert_near(e.value, value, 1e-12);
        }
    }
    assert_true(calls > 10 && e.steps == 1);
    estimation_free(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_does_not_drive_the_constant_away),
        cmocka_unit_test(terms_that_cancel_do_not_drive_the_constant_away),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(tries_come_in_small_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
