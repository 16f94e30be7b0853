/* test_lazy.c - the lazily shrunken weights against ones that are shrunk at every step, and what a step
 * costs. */
#include "solvers/sparse/lazy.h"

#include "math/random/random.h"
#include "math/vector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"
#include "tests/temporary.h"

static double sign(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

enum { WIDE = 50, LONG = 6000, MOST_SINGLE = 32 };

struct shrinkage {
    double step, decay;
};

static struct shrinkage shrinkage_at(int t, bool decays, int every) {
    double alpha = 0.3 / sqrt(t + 3.0);
    if (t % every != 0)
        return (struct shrinkage){0};
    return (struct shrinkage){alpha * 0.1, decays ? alpha * 0.02 : 0};
}

static double plain_shrink(const struct lazy_settings *s, double w, struct shrinkage by) {
    if (s->subgradient)
        return w - by.step * sign(w) - by.decay * w;
    return fabs(w) <= fmax(s->theta, by.step) ? soft(w, by.step) / (1 + by.decay) : w;
}

static void expect(const struct lazy *x, const double *w, const double *sum) {
    double present[WIDE], sums[WIDE];
    lazy_copy(x, present);
    if (sum != NULL)
        lazy_copy_sums(x, sums);
    for (int j = 0; j < WIDE; j++) {
        assert_near(present[j], w[j], 1e-12);
        if (sum != NULL)
            assert_near(sums[j], sum[j], 1e-10 * LONG);
    }
}

/* X by way of a file. */
static void reload(struct lazy *x, const struct lazy_settings *settings) {
    static const double zero[WIDE];
    struct state *state = state_create(path, NULL);
    assert_non_null(state);
    lazy_visit(x, state);
    assert_int_equal(state_commit(state, NULL), 0);
    lazy_free(x);
    assert_int_equal(lazy_init(x, settings, zero, NULL), 0);
    state = state_open(path, NULL);
    assert_non_null(state);
    lazy_visit(x, state);
    assert_true(!state_failed(state) && state_ended(state));
    state_close(state);
}

/* Weight j is touched about every 2 j steps: swings end, and windows begin, in between. */
static void drive(const struct lazy_settings *settings, int every) {
    static const double one = 1;
    struct lazy x;
    struct random random;
    double w[WIDE] = {0}, sum[WIDE] = {0};
    random_seed(&random, 5, 5);
    assert_int_equal(lazy_init(&x, settings, w, NULL), 0);
    for (int t = 1; t <= LONG; t++) {
        struct shrinkage by = shrinkage_at(t, settings->decays, every);
        int32_t column = (int32_t)floor(WIDE * pow(random_unit(&random), 3));
        double change = 0.2 * (random_unit(&random) - 0.5);
        lazy_begin_step(&x);
        assert_near(lazy_score(&x, 0, &column, NULL, 1), w[column], 1e-12);
        if (settings->subgradient)
            lazy_shrink(&x, 0, by.step, by.decay);
        for (int j = 0; settings->subgradient && j < WIDE; j++)
            w[j] = plain_shrink(settings, w[j], by);
        w[column] += change;
        lazy_score(&x, 0, &column, NULL, 1);
        lazy_add(&x, change, 0, &column, &one, 1);
        if (!settings->subgradient)
            lazy_shrink(&x, 0, by.step, by.decay);
        for (int j = 0; j < WIDE; j++) {
            w[j] = settings->subgradient ? w[j] : plain_shrink(settings, w[j], by);
            sum[j] += w[j];
        }
        if (t == LONG - 150)
            reload(&x, settings);
        if (t % 100 == 0)
            expect(&x, w, settings->averaged ? sum : NULL);
    }
    expect(&x, w, settings->averaged ? sum : NULL);
    lazy_free(&x);
}

static void late_shrinking_is_shrinking(void **state) {
    (void)state;
    static const int windows[] = {1, 700, LONG};
    for (int v = 0; v < 16; v++)
        for (int k = 0; k < 3; k++) {
            struct lazy_settings settings = {.n = WIDE,
                                             .subgradient = v & 1,
                                             .decays = v & 2,
                                             .averaged = v & 4,
                                             .theta = !(v & 8) || v & 1 ? INFINITY
                                                      : k == 1          ? 0.05
                                                                        : 0.002,
                                             .max_single_steps = LONG,
                                             .min_window = windows[k],
                                             .max_window = LONG};
            drive(&settings, 1);
            if (!settings.subgradient)
                drive(&settings, 7);
        }
}

/* A weight's drift g, which moves it by -by.step/l1 g in a step that shrinks. */
static double plain_drift(const struct lazy_settings *s, double w, double g, struct shrinkage by,
                          double l1) {
    double moved = w - by.step / l1 * g;
    return s->subgradient ? moved - by.step * sign(w) - by.decay * w
                          : soft(moved, by.step) / (1 + by.decay);
}

/* Drifts of up to twice l1, in either direction: weights cross 0, stay there and leave it. */
static void drive_drifting(const struct lazy_settings *settings, int every) {
    static const double l1 = 0.1;
    struct lazy x;
    struct random random;
    double w[WIDE] = {0}, g[WIDE] = {0};
    random_seed(&random, 6, 6);
    assert_int_equal(lazy_init(&x, settings, w, NULL), 0);
    for (int t = 1; t <= LONG; t++) {
        struct shrinkage by = shrinkage_at(t, settings->decays, every);
        int32_t column = (int32_t)floor(WIDE * pow(random_unit(&random), 3));
        double change = 0.2 * (random_unit(&random) - 0.5);
        double tilt = 4 * l1 * (random_unit(&random) - 0.5) - g[column];
        lazy_begin_step(&x);
        assert_near(lazy_score(&x, 0, &column, NULL, 1), w[column], 1e-12);
        if (settings->subgradient)
            lazy_shrink(&x, by.step / l1, by.step, by.decay);
        for (int j = 0; settings->subgradient && j < WIDE; j++)
            w[j] = plain_drift(settings, w[j], g[j], by, l1);
        lazy_add(&x, change, 0, &column, NULL, 1);
        lazy_tilt(&x, tilt, 0, &column, NULL, 1);
        w[column] += change;
        g[column] += tilt;
        if (!settings->subgradient)
            lazy_shrink(&x, by.step / l1, by.step, by.decay);
        for (int j = 0; !settings->subgradient && j < WIDE; j++)
            w[j] = plain_drift(settings, w[j], g[j], by, l1);
        if (t == LONG - 150)
            reload(&x, settings);
        if (t % 100 == 0)
            expect(&x, w, NULL);
    }
    lazy_free(&x);
}

static void late_drifting_is_drifting(void **state) {
    (void)state;
    static const int windows[] = {1, 700, LONG};
    for (int v = 0; v < 4; v++)
        for (int k = 0; k < 3; k++) {
            struct lazy_settings settings = {.n = WIDE,
                                             .subgradient = v & 1,
                                             .decays = v & 2,
                                             .drifts = true,
                                             .theta = INFINITY,
                                             .max_single_steps = LONG,
                                             .min_window = windows[k],
                                             .max_window = LONG};
            drive_drifting(&settings, 1);
            if (!settings.subgradient)
                drive_drifting(&settings, 7);
        }
}

/* One weight, seldom touched, under thresholds that grow or fall by one rate and then by another, and
 * decays of up to `decay`. */
static void drive_one(const struct lazy_settings *settings, int steps, double decay, double range,
                      int touch, struct random *random) {
    static const int32_t column = 0;
    double w = 2 * random_unit(random) - 1, sum = 0, largest = 1, present, sums;
    double rate[2] = {exp((random_unit(random) - 0.5) * range),
                      exp((random_unit(random) - 0.5) * range)};
    struct shrinkage by = {
        0.5 * random_unit(random) * pow(10, -8 * random_unit(random) * (touch > 0)), 0};
    int change = (int)random_below(random, (uint64_t)steps);
    struct lazy x;
    assert_int_equal(lazy_init(&x, settings, &w, NULL), 0);
    for (int t = 1; t <= steps; t++) {
        by.step *= rate[t >= change];
        largest = fmax(largest, by.step);
        by.decay = decay * random_unit(random);
        lazy_begin_step(&x);
        if (touch > 0 && t % touch == 0) {
            double by_example = random_unit(random) - 0.5;
            lazy_score(&x, 0, &column, NULL, 1);
            lazy_add(&x, by_example, 0, &column, NULL, 1);
            w += by_example;
        }
        lazy_shrink(&x, 0, by.step, by.decay);
        w = plain_shrink(settings, w, by);
        sum += w;
    }
    lazy_copy(&x, &present);
    assert_near(present, w, 1e-10 * largest);
    if (settings->averaged) {
        lazy_copy_sums(&x, &sums);
        assert_near(sums, sum, 1e-9 * largest);
    }
    lazy_free(&x);
}

static struct lazy_settings one_weight(bool subgradient, int variant, int64_t window) {
    return (struct lazy_settings){.n = 1,
                                  .subgradient = subgradient,
                                  .decays = variant & 2,
                                  .averaged = variant & 1,
                                  .theta = INFINITY,
                                  .max_single_steps = window,
                                  .min_window = window,
                                  .max_window = window};
}

/* Swings may go on over the step where falling thresholds begin to grow, or end before it. */
static void thresholds_may_turn(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 6, 6);
    for (int run = 0; run < PART(30000, 8000); run++) {
        int64_t window = run % 7 == 0 ? 1000 : 3 + (int64_t)random_below(&random, 40);
        bool steep = run % 3 == 0;
        struct lazy_settings settings = one_weight(true, run, window);
        drive_one(&settings, 5 + (int)random_below(&random, steep ? 8 : 60),
                  settings.decays ? 0.1 : 0, steep ? 3 : 0.05, 0, &random);
    }
}

/* Long windows, in which the product of the factors would be 0, or so small that sums lose digits. */
static void decays_may_be_large(void **state) {
    (void)state;
    static const double decays[] = {10, 0.1};
    struct random random;
    random_seed(&random, 7, 7);
    for (int run = 0; run < PART(600, 150); run++) {
        struct lazy_settings settings = one_weight(false, run | 2, 100000);
        drive_one(&settings, 5 + (int)random_below(&random, 3000), decays[run >> 1 & 1], 0.002, 197,
                  &random);
    }
}

/* Weights read, and single steps made, in a step with ten nonzeros of n. */
static double work_of_a_step(int64_t n, bool subgradient) {
    enum { NONZEROS = 10, STEPS = 100000 };
    struct random random;
    struct lazy x;
    double *w = calloc((size_t)n, sizeof *w);
    struct lazy_settings settings = {.n = n,
                                     .subgradient = subgradient,
                                     .theta = INFINITY,
                                     .max_single_steps = subgradient ? MOST_SINGLE : 0,
                                     .min_window = 1000,
                                     .max_window = STEPS};
    random_seed(&random, 1, 2);
    assert_int_equal(lazy_init(&x, &settings, w, NULL), 0);
    for (int64_t t = 1; t <= STEPS; t++) {
        int32_t column[NONZEROS];
        double step = 0.01 / sqrt((double)t);
        for (int k = 0; k < NONZEROS; k++)
            column[k] = (int32_t)random_below(&random, (uint64_t)n);
        lazy_begin_step(&x);
        lazy_score(&x, 0, column, NULL, NONZEROS);
        if (subgradient)
            lazy_shrink(&x, 0, step, 0);
        lazy_add(&x, 0.1, 0, column, NULL, NONZEROS);
        if (!subgradient)
            lazy_shrink(&x, 0, step, 0);
    }
    double work = (double)x.operations / STEPS;
    lazy_free(&x);
    free(w);
    return work;
}

/* A weight that is looked at once after many falling thresholds: exactly, and with a limit of single steps. */
static void a_limit_of_single_steps_errs_by_a_threshold(void **state) {
    (void)state;
    enum { STEPS = 20000 };
    struct random random;
    random_seed(&random, 8, 8);
    for (int run = 0; run < PART(100, 50); run++) {
        struct lazy_settings settings = one_weight(true, run, STEPS);
        double w = random_unit(&random) - 0.5, step = 0, steps = 0, near[2], sums[2] = {0};
        double fall = exp(-7.0 * (run % 3) / STEPS), first = 0.01 * random_unit(&random);
        for (int limited = 0; limited < 2; limited++) {
            struct lazy x;
            settings.max_single_steps = limited ? MOST_SINGLE : STEPS;
            assert_int_equal(lazy_init(&x, &settings, &w, NULL), 0);
            steps = 0;
            for (int t = 1; t <= STEPS; t++) {
                steps += step = first * (run % 3 ? pow(fall, t) : 1 / sqrt(t));
                lazy_shrink(&x, 0, step, settings.decays ? 1e-3 * step : 0);
            }
            lazy_score(&x, 0, &(const int32_t){0}, NULL, 1);
            assert_true(!limited || x.operations <= MOST_SINGLE + 8);
            lazy_copy(&x, &near[limited]);
            if (settings.averaged)
                lazy_copy_sums(&x, &sums[limited]);
            lazy_free(&x);
        }
        assert_near(near[1], near[0], 2 * step);
        assert_true(fabs(near[1]) <= fmax(fabs(near[0]), step));
        assert_near(sums[1], sums[0], steps / 2);
    }
}

/* Two looks a nonzero, and two a weight and window of n steps. Of the subgradient so where features
 * come so often that few oscillations end meanwhile. */
static void a_step_costs_its_nonzeros(void **state) {
    (void)state;
    enum { MANY = PART(3000000, 1000000) };
    double narrow = work_of_a_step(10000, false), wide = work_of_a_step(MANY, false);
    assert_true(narrow <= 2 * 10 + 2);
    assert_true(wide <= narrow);
    assert_true(work_of_a_step(100, true) <= 2 * 10 + 2);
    assert_true(work_of_a_step(10000, true) <= 3 * (2 * 10 + 2)); /* the oscillations of pairs */
    assert_true(work_of_a_step(MANY, true) <= MOST_SINGLE * 10 + narrow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_shrinking_is_shrinking),
        cmocka_unit_test(late_drifting_is_drifting),
        cmocka_unit_test(thresholds_may_turn),
        cmocka_unit_test(decays_may_be_large),
        cmocka_unit_test(a_limit_of_single_steps_errs_by_a_threshold),
        cmocka_unit_test(a_step_costs_its_nonzeros),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
