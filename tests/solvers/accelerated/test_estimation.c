/* test_estimation.c - accelerated gradient by estimation functions, either memory, on small composite problems: at
 * every step the model is rebuilt from its definition, and the inequalities that the paper proves are checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"
#include "tests/solvers/accelerated/estimation_fixture.h"

#define EVERYWHERE -INFINITY, INFINITY

static const struct toy_kind kinds[] = {
    {"squares", SQUARES, PROX_EUCLIDEAN, false, true, 0, 0, 0, EVERYWHERE},
    {"strong squares", SQUARES, PROX_EUCLIDEAN, true, true, 0.3, 0, 0, EVERYWHERE},
    {"squares, l2", SQUARES, PROX_EUCLIDEAN, true, true, 0, 0, 0.2, EVERYWHERE},
    {"strong squares, l2", SQUARES, PROX_EUCLIDEAN, true, false, 0.1, 0, 0.2, EVERYWHERE},
    {"squares, l1", SQUARES, PROX_EUCLIDEAN, true, true, 0, 0.4, 0, EVERYWHERE},
    {"squares, elastic net", SQUARES, PROX_EUCLIDEAN, true, true, 0, 0.3, 0.2, EVERYWHERE},
    {"strong squares, elastic net", SQUARES, PROX_EUCLIDEAN, false, true, 0.2, 0.3, 0.1,
     EVERYWHERE},
    {"squares, box", SQUARES, PROX_EUCLIDEAN, false, true, 0, 0, 0, -0.1, 0.25},
    {"strong squares, l2, box", SQUARES, PROX_EUCLIDEAN, true, true, 0.1, 0, 0.05, -0.1, 0.25},
    {"soft max, l2", SOFT_MAX, PROX_EUCLIDEAN, true, true, 0, 0, 0.1, EVERYWHERE},
    {"soft max, elastic net", SOFT_MAX, PROX_EUCLIDEAN, true, false, 0, 0.05, 0.1, EVERYWHERE},
    {"strong soft max, box", SOFT_MAX, PROX_EUCLIDEAN, false, true, 0.05, 0, 0, -1, 0.5},
    {"squares, simplex", SQUARES, PROX_ENTROPY, false, true, 0, 0, 0, EVERYWHERE},
    {"squares, entropy", SQUARES, PROX_ENTROPY, false, true, 0, 0, 0.2, EVERYWHERE},
    {"soft max, simplex", SOFT_MAX, PROX_ENTROPY, false, true, 0, 0, 0, EVERYWHERE},
    {"soft max, entropy", SOFT_MAX, PROX_ENTROPY, false, false, 0, 0, 0.1, EVERYWHERE},
    /* The gradient of this f has no constant L on the simplex: adaptive alone. */
    {"strong squares, entropy", SQUARES, PROX_ENTROPY, false, true, 0.2, 0, 0.1, EVERYWHERE},
};
enum { KINDS = sizeof kinds / sizeof *kinds, WITHOUT_L = KINDS - 1 };

struct tuning {
    bool fixed;
    double growth, decay, start; /* start: the first L by the true one */
};

static const struct tuning tunings[] = {
    {true, 2, 1.1, 1},  {false, 2, 1.1, 1e-6}, {false, 2, 1.1, 1e6}, {false, 1.5, 1, 1e-3},
    {false, 10, 3, 10}, {false, 1.2, 2, 1e4},  {false, 4, 1, 1e3},
};
enum { TUNINGS = sizeof tunings / sizeof *tunings, STEPS = 60, NEAR = 6 };

static const double rounding = 2e-13;

/* ---- a run and its recorded steps */

struct step {
    double u[SMALL], gradient[SMALL], value; /* the linearization */
    double eta, A, L, w[SMALL], z[SMALL];
    double gamma, smallest; /* one memory: of the model after the step */
};

struct run {
    struct toy toy;
    struct estimation e;
    struct estimation_settings settings;
    struct random random;
    double w0[SMALL], best[SMALL], optimum, sigma;
    struct step step[STEPS + 1]; /* 0: before the first */
};

static void begin(struct run *run, const struct toy_kind *kind, const struct tuning *tuning,
                  bool one_memory) {
    toy_init(&run->toy, kind);
    random_seed(&run->random, 1, 2);
    run->settings = (struct estimation_settings){.one_memory = one_memory,
                                                 .fixed = tuning->fixed,
                                                 .strong = kind->bend,
                                                 .growth = tuning->growth,
                                                 .decay = tuning->decay};
    run->sigma = kind->bend + kind->l2;
    assert_int_equal(
        estimation_init(&run->e, &run->settings, &run->toy.part, &run->toy.prox.prox, NULL), 0);
    run->e.L = tuning->start * run->toy.L;
    toy_start(&run->toy, run->w0);
    estimation_start(&run->e, run->w0);
    memset(&run->step[0], 0, sizeof run->step[0]);
    memcpy(run->step[0].w, run->w0, sizeof run->w0);
    memcpy(run->step[0].z, run->w0, sizeof run->w0);
}

static void take_step(struct run *run, int k) {
    struct step *step = &run->step[k];
    assert_true(estimation_step(&run->e));
    memcpy(step->u, run->e.u, sizeof step->u);
    memcpy(step->w, run->e.w, sizeof step->w);
    memcpy(step->z, run->e.z, sizeof step->z);
    step->value = toy_value(&run->toy, step->u, step->gradient);
    step->eta = run->e.eta;
    step->A = 1 / run->e.inverse_A;
    step->L = run->e.L_last;
}

/* f(u) + <grad f(u), x - u> + sigma_1 D(x, u) + Psi(x), of the linearization of step k */
static double line(const struct run *run, int k, const double *x) {
    const struct step *step = &run->step[k];
    return step->value + toy_slope(&run->toy, step->gradient, x, step->u) +
           run->settings.strong * toy_distance(&run->toy, x, step->u) + toy_penalty(&run->toy, x);
}

/* psi_k(x)/A_k of infinite memory: (16) of the paper. */
static double sum_of_all(const struct run *run, int k, const double *x) {
    double sum = toy_distance(&run->toy, x, run->w0);
    for (int i = 1; i <= k; i++)
        sum += (run->step[i].A - run->step[i - 1].A) * line(run, i, x);
    return sum / run->step[k].A;
}

/* psi_k(x) of one memory: Algorithm 3. */
static double sum_of_last(const struct run *run, int k, const double *x) {
    const struct step *past = &run->step[k - 1];
    double eta = run->step[k].eta;
    if (k == 1)
        return run->step[1].L * toy_distance(&run->toy, x, run->w0) + line(run, 1, x);
    return (1 - eta) * (past->smallest + past->gamma * toy_distance(&run->toy, x, past->z)) +
           eta * line(run, k, x);
}

static double model(const struct run *run, int k, const double *x) {
    return run->settings.one_memory ? sum_of_last(run, k, x) : sum_of_all(run, k, x);
}

/* ---- properties of step k */

static void check_equation(const struct run *run, int k) {
    const struct step *step = &run->step[k], *past = &run->step[k - 1];
    double a = step->A - past->A, right = (1 + run->sigma * past->A) * step->A;
    assert_near(step->L * a * a, right, 1e-9 * right);
    assert_near(step->eta, a / step->A, 1e-12);
    assert_near(run->toy.latest_eta, step->eta, 0);
    assert_int_equal(run->toy.averages, k);
}

static void check_points(const struct run *run, int k) {
    const struct step *step = &run->step[k], *past = &run->step[k - 1];
    double image[LINES];
    for (int j = 0; j < SMALL; j++) {
        double eta = step->eta;
        assert_near(step->u[j], (1 - eta) * past->w[j] + eta * past->z[j], 1e-13);
        assert_near(step->w[j], (1 - eta) * past->w[j] + eta * step->z[j], 1e-13);
        assert_near(run->e.gradient[j], step->gradient[j], 1e-12);
    }
    assert_near(run->e.value, toy_value(&run->toy, step->w, NULL), 1e-13);
    toy_image(&run->toy, step->w, image);
    for (int i = 0; run->toy.kind.images && i < LINES; i++)
        assert_near(run->e.Fw[i], image[i], 1e-12);
}

static void check_acceptance(const struct run *run, int k) {
    const struct step *step = &run->step[k];
    double above = toy_value(&run->toy, step->w, NULL) - step->value -
                   toy_slope(&run->toy, step->gradient, step->w, step->u);
    assert_true(above <= step->L / 2 * toy_square(&run->toy, step->w, step->u) + 1e-14);
}

/* z minimizes the model, by so much less than any other point as it is strongly convex; J(w) is not
 * above the least value. */
static void check_model(struct run *run, int k) {
    struct step *step = &run->step[k];
    double x[SMALL];
    step->gamma = 1 / step->A + run->sigma;
    step->smallest = model(run, k, step->z);
    assert_true(toy_objective(&run->toy, step->w) <= step->smallest + rounding);
    for (int i = 0; i < NEAR; i++) {
        point_near(&run->toy, &run->random, step->z, pow(10, -i), x);
        double rise = step->gamma * toy_distance(&run->toy, x, step->z);
        double slack = rounding * (1 + rise) + 2e-16 * step->gamma;
        assert_true(model(run, k, x) >= step->smallest + rise - slack);
    }
}

/* (26): what the model of one memory is above J has fallen by 1 - eta a step. For infinite memory it is
 * that the linearizations are below J. */
static void check_height(struct run *run, int k) {
    double x[SMALL], part = run->step[1].A / run->step[k].A;
    for (int i = 0; i < NEAR; i++) {
        point_near(&run->toy, &run->random, run->best, pow(10, -i), x);
        double J = toy_objective(&run->toy, x);
        double first = run->settings.one_memory
                           ? part * (sum_of_last(run, 1, x) - J)
                           : toy_distance(&run->toy, x, run->w0) / run->step[k].A;
        assert_true(model(run, k, x) <=
                    J + first + rounding * (1 + first) + 2e-16 / run->step[k].A);
    }
}

/* The gap, and how fast 1/A falls: Lemmas 5 and 8, 13 and 16. */
static void check_rate(const struct run *run, int k) {
    const struct step *step = &run->step[k];
    double roots = 0, power = 1 / run->step[1].L;
    double gap = toy_objective(&run->toy, step->w) - run->optimum;
    assert_true(gap >= -rounding);
    assert_true(gap <= toy_distance(&run->toy, run->best, run->w0) / step->A + rounding);
    for (int i = 1; i <= k; i++) {
        roots += 1 / (2 * sqrt(run->step[i].L));
        power *= i == 1 ? 1 : pow(1 + sqrt(run->sigma / (4 * run->step[i].L)), 2);
    }
    assert_true(step->A >= roots * roots * (1 - 1e-12));
    assert_true(step->A >= power * (1 - 1e-12));
}

/* Refusals raise L, steps lower it: by 4 until the first refusal, then by the decay. Nothing above the
 * true constant is refused. */
static void check_tries(const struct run *run, const struct tuning *tuning, int k) {
    const struct estimation *e = &run->e;
    double L = tuning->start * run->toy.L, limit = fmax(L, tuning->growth * run->toy.L);
    int64_t tries = k;
    bool met = false;
    for (int i = 1; i <= k; i++) {
        for (; L < run->step[i].L * (1 - 1e-9); tries++, met = true)
            L *= tuning->growth;
        assert_near(run->step[i].L, L, 1e-9 * L);
        assert_true(tuning->fixed || run->toy.kind.bend > 0 || L <= limit * (1 + 1e-9));
        L /= tuning->fixed ? 1 : met || tuning->decay == 1 ? tuning->decay : 4;
    }
    assert_int_equal(e->steps, k);
    assert_int_equal(e->tries, tries);
    assert_near(e->L, L, 1e-9 * L);
    assert_true(!tuning->fixed || (tries == k && e->L_last == tuning->start * run->toy.L));
}

/* No point near the optimum of the fixture is lower. */
static void check_optimum(struct run *run) {
    double x[SMALL];
    for (int i = 0; i < 20 * NEAR; i++) {
        point_near(&run->toy, &run->random, run->best, pow(10, -i % NEAR), x);
        assert_true(toy_objective(&run->toy, x) >= run->optimum - 1e-14);
    }
}

static void check_kind(const struct toy_kind *kind, const struct tuning *tuning, bool one_memory) {
    static struct run run;
    begin(&run, kind, tuning, one_memory);
    run.optimum = toy_optimum(&run.toy, run.best);
    check_optimum(&run);
    for (int k = 1; k <= STEPS; k++) {
        take_step(&run, k);
        check_equation(&run, k);
        check_points(&run, k);
        check_acceptance(&run, k);
        check_model(&run, k);
        check_height(&run, k);
        check_rate(&run, k);
        if (run.step[k].A > 1e13)
            break;
    }
    check_tries(&run, tuning, (int)run.e.steps);
    estimation_free(&run.e);
}

static void check_memory(bool one_memory) {
    for (int i = 0; i < KINDS; i++)
        for (int t = 0; t < TUNINGS; t++)
            if ((i != WITHOUT_L || !tunings[t].fixed) && (i + t) % 2 == 0)
                check_kind(&kinds[i], &tunings[t], one_memory);
}

static void infinite_memory_keeps_its_model(void **state) {
    (void)state;
    check_memory(false);
}

static void one_memory_keeps_its_model(void **state) {
    (void)state;
    check_memory(true);
}

/* ---- L */

static void L_falls_and_rises(void **state) {
    (void)state;
    static struct run run;
    for (int one_memory = 0; one_memory < 2; one_memory++) {
        int falls = 0, rises = 0;
        begin(&run, &kinds[9], &tunings[2], one_memory);
        for (int k = 1; k <= STEPS; k++) {
            take_step(&run, k);
            falls += k > 1 && run.step[k].L < run.step[k - 1].L;
            rises += k > 1 && run.step[k].L > run.step[k - 1].L;
        }
        assert_true(falls >= 10 && rises >= 2);
        assert_true(run.step[STEPS].L <= 2 * run.toy.L);
        estimation_free(&run.e);
    }
}

/* From a too small L, the number of refused steps is bounded by the decays and the increase of L. */
static void tries_are_bounded(void **state) {
    (void)state;
    static struct run run;
    for (int i = 0; i < KINDS; i++)
        for (int t = 0; t < 2 * TUNINGS; t++) {
            const struct tuning *tuning = &tunings[t / 2];
            if (tuning->start >= 1 || i == WITHOUT_L)
                continue;
            begin(&run, &kinds[i], tuning, t % 2);
            for (int k = 1; k <= 30; k++)
                take_step(&run, k);
            double limit = 30 * (1 + log(tuning->decay) / log(tuning->growth)) +
                           log(tuning->growth / tuning->start) / log(tuning->growth);
            assert_true((double)run.e.tries <= limit + 1e-6);
            estimation_free(&run.e);
        }
}

/* A function that is not finite anywhere ends the run. */
static double no_number(struct smooth_part *part, const double *x, const double *image,
                        double *gradient) {
    part_value(part, x, image, gradient);
    return NAN;
}

static void what_is_not_finite_ends_the_run(void **state) {
    (void)state;
    static struct run run;
    for (int t = 0; t < 2 * TUNINGS; t++) {
        begin(&run, &kinds[2], &tunings[t / 2], t % 2);
        run.toy.part.value = no_number;
        assert_false(estimation_step(&run.e));
        estimation_free(&run.e);
    }
}

/* ---- the memories beside each other, starts, images */

static double difference(const double *x, const double *y, int n) {
    double largest = 0;
    for (int j = 0; j < n; j++)
        largest = fmax(largest, fabs(x[j] - y[j]));
    return largest;
}

/* The largest difference between the memories' points in 50 steps, with so little strong convexity that
 * they stay far from rounding, which alone would make the two choose another L. */
static double memories_apart(const struct toy_kind *from, const struct tuning *tuning) {
    static struct run all, last;
    struct toy_kind kind = *from;
    double apart = 0;
    kind.bend /= 10;
    kind.l2 /= 10;
    begin(&all, &kind, tuning, false);
    begin(&last, &kind, tuning, true);
    for (int k = 1; k <= 50; k++) {
        take_step(&all, k);
        take_step(&last, k);
        apart = fmax(apart, difference(all.e.w, last.e.w, SMALL));
        apart = fmax(apart, difference(all.e.z, last.e.z, SMALL));
    }
    estimation_free(&all.e);
    estimation_free(&last.e);
    return apart;
}

static void memories_agree_on_quadratic_penalties_alone(void **state) {
    (void)state;
    static const int same[] = {0, 1, 2, 3, 9}, other[] = {4, 5, 7};
    static const struct tuning two[] = {{true, 2, 1, 1}, {false, 2, 1.1, 0.01}};
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < 5; i++)
            assert_near(memories_apart(&kinds[same[i]], &two[t]), 0, 1e-9);
        for (int i = 0; i < 3; i++)
            assert_true(memories_apart(&kinds[other[i]], &two[t]) > 1e-6);
    }
}

/* An f evaluated at points makes the same steps as one evaluated at images. */
static void images_change_nothing(void **state) {
    (void)state;
    static struct run with, without;
    for (int i = 0; i < 2 * KINDS; i++) {
        struct toy_kind kind = kinds[i / 2];
        kind.images = true;
        begin(&with, &kind, &tunings[0], i % 2);
        kind.images = false;
        begin(&without, &kind, &tunings[0], i % 2);
        for (int k = 1; k <= 20; k++) {
            take_step(&with, k);
            take_step(&without, k);
            assert_true(difference(with.e.w, without.e.w, SMALL) <= 1e-12);
        }
        assert_int_equal(with.toy.images_found, with.e.tries + 1);
        assert_int_equal(without.toy.images_found, 0);
        estimation_free(&with.e);
        estimation_free(&without.e);
    }
}

static void images_stay_those_of_the_points(void **state) {
    (void)state;
    static struct run run;
    for (int i = 0; i < 2 * WITHOUT_L; i++) {
        double image[LINES];
        begin(&run, &kinds[i / 2], &tunings[0], i % 2);
        for (int k = 1; k <= 200; k++)
            take_step(&run, 1);
        toy_image(&run.toy, run.e.w, image);
        assert_true(!run.toy.kind.images || difference(run.e.Fw, image, LINES) <= 1e-12);
        toy_image(&run.toy, run.e.z, image);
        assert_true(!run.toy.kind.images || difference(run.e.Fz, image, LINES) <= 1e-12);
        estimation_free(&run.e);
    }
}

/* Without a point the run begins anew where it is, as another one would that is given the point, with a
 * new image of it. */
static void a_restart_forgets_all_but_the_point(void **state) {
    (void)state;
    static struct run run, fresh;
    for (int i = 0; i < 2 * WITHOUT_L; i++) {
        const struct toy_kind *kind = &kinds[i / 2];
        double w[SMALL];
        begin(&run, kind, &tunings[0], i % 2);
        for (int k = 1; k <= 7; k++)
            take_step(&run, k);
        memcpy(w, run.e.w, sizeof w);
        int found = run.toy.images_found;
        estimation_start(&run.e, NULL);
        assert_memory_equal(run.e.w, w, sizeof w);
        assert_memory_equal(run.e.z, w, sizeof w);
        assert_true(isinf(run.e.inverse_A));
        assert_int_equal(run.toy.images_found, found + kind->images);
        begin(&fresh, kind, &tunings[0], i % 2);
        estimation_start(&fresh.e, w);
        for (int k = 1; k <= 12; k++) {
            take_step(&run, k);
            take_step(&fresh, k);
            assert_true(difference(run.e.w, fresh.e.w, SMALL) <= 1e-12);
            assert_near(run.e.inverse_A, fresh.e.inverse_A, 0);
        }
        estimation_free(&run.e);
        estimation_free(&fresh.e);
    }
}

static void a_start_finds_the_image_of_its_point(void **state) {
    (void)state;
    static struct run run;
    double image[LINES];
    begin(&run, &kinds[0], &tunings[0], false);
    for (int k = 1; k <= 5; k++)
        take_step(&run, k);
    estimation_start(&run.e, run.w0);
    toy_image(&run.toy, run.w0, image);
    assert_memory_equal(run.e.w, run.w0, sizeof run.w0);
    assert_memory_equal(run.e.Fw, image, sizeof image);
    assert_memory_equal(run.e.Fz, image, sizeof image);
    estimation_free(&run.e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(infinite_memory_keeps_its_model),
        cmocka_unit_test(one_memory_keeps_its_model),
        cmocka_unit_test(L_falls_and_rises),
        cmocka_unit_test(tries_are_bounded),
        cmocka_unit_test(what_is_not_finite_ends_the_run),
        cmocka_unit_test(memories_agree_on_quadratic_penalties_alone),
        cmocka_unit_test(images_change_nothing),
        cmocka_unit_test(images_stay_those_of_the_points),
        cmocka_unit_test(a_restart_forgets_all_but_the_point),
        cmocka_unit_test(a_start_finds_the_image_of_its_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
