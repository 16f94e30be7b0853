/* test_sdca.c - sdca on each risk with items: beside certified optima of bundle methods, for many lambda, with weights
 * and constant features; warm starts, threads, limits, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

#include "tests/items_fixture.h"
#include "tests/size.h"
#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history;

/* A certified interval for the optimum, by another method. */
static void find_optimum(const struct sample *f, double *low, double *high) {
    double w[MAX_WEIGHTS] = {0};
    struct outcome o;
    assert_int_equal(run_with(&f->problem, "proximal-bundle", NULL, 1e-4, 500, w, NULL, &o, NULL),
                     0);
    *low = o.bound;
    *high = o.objective;
}

static int wrong; /* runs */

/* From lambda = CONVERGES on the run ends at its tolerance; its bounds and objectives hold for any lambda. */
static void check_optimum(const char *name, double lambda, double bias, bool weighted,
                          uint64_t seed) {
    static const double epsilon = 1e-3, converges = 1e-3, max_passes = 1000;
    double w[MAX_WEIGHTS] = {0}, low, high;
    struct sample f;
    struct outcome o;
    open_sample(&f, name, lambda, bias, weighted, seed);
    find_optimum(&f, &low, &high);
    double passes = lambda >= converges ? max_passes : max_passes / 10;
    assert_int_equal(run_with(&f.problem, "sdca", NULL, epsilon, passes, w, &history, &o, NULL), 0);
    double rounding = 1e-11 * high;
    bool well = (o.verdict == VERDICT_CONVERGED || lambda < converges) &&
                o.bound <= high + rounding && o.objective >= low - rounding;
    if (!well)
        print_error("%s lambda %g bias %g %s seed %d: J %.12g bound %.12g, optimum %.12g to %.12g, "
                    "%g passes\n",
                    name, lambda, bias, weighted ? "weighted" : "", (int)seed, o.objective, o.bound,
                    low, high, o.passes);
    wrong += !well;
    check_history(&f.problem, &history, &o, w, high, high - low + rounding);
    close_sample(&f);
}

static void optima_of(const char *name) {
    static const double lambdas[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
    wrong = 0;
    for (int l = 0; l < 5; l++)
        for (uint64_t seed = 1; seed <= 5; seed++)
            if (((uint64_t)l + seed) % PART(3, 6) == 0)
                check_optimum(name, lambdas[l],
                              seed % 3 == 0   ? 1
                              : seed % 3 == 1 ? 0.3
                                              : -1,
                              seed % 4 == 2, 100 * (uint64_t)l + seed);
    assert_int_equal(wrong, 0);
}

static void optima_of_m3n(void **state) {
    (void)state;
    optima_of("m3n");
}

static void optima_of_crf(void **state) {
    (void)state;
    optima_of("crf");
}

static void optima_of_rankings(void **state) {
    (void)state;
    optima_of("ndcg");
    optima_of("pairwise");
}

static void optima_of_classes(void **state) {
    (void)state;
    optima_of("softmax");
    optima_of("crammer-singer");
}

/* The gap asked for is near rounding: w is built anew from the duals. */
static void tight_gaps(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        double w[MAX_WEIGHTS] = {0};
        struct sample f;
        struct outcome o;
        open_sample(&f, names[k], 1e-1, 1, false, 5);
        assert_int_equal(run_with(&f.problem, "sdca", NULL, 1e-6, 2000, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        check_history(&f.problem, &history, &o, w, o.objective, 1e-6 * o.objective);
        close_sample(&f);
    }
}

static void the_same_for_any_number_of_threads(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        struct sample f;
        open_sample(&f, names[k], 1e-3, 1, k % 2 == 0, 7);
        check_threads(&f.problem, "sdca", NULL, 30);
        close_sample(&f);
    }
}

/* The optimum as the start is known to be one after few passes; any other start leads there, too. */
static void starts(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        double w[MAX_WEIGHTS] = {0}, far[MAX_WEIGHTS];
        struct sample f;
        struct outcome o, again;
        open_sample(&f, names[k], 1e-1, -1, false, 9);
        assert_int_equal(run_with(&f.problem, "sdca", NULL, 1e-4, 2000, w, NULL, &o, NULL), 0);
        assert_int_equal(run_with(&f.problem, "sdca", NULL, 1e-3, 2000, w, NULL, &again, NULL), 0);
        assert_int_equal(again.verdict, VERDICT_CONVERGED);
        assert_true(again.objective <= o.objective * (1 + 1e-12));
        for (int64_t j = 0; j < f.problem.risk->dimension; j++)
            far[j] = 5 * sin((double)j);
        assert_int_equal(run_with(&f.problem, "sdca", NULL, 1e-4, 2000, far, NULL, &again, NULL),
                         0);
        assert_int_equal(again.verdict, VERDICT_CONVERGED);
        assert_true(again.bound <= o.objective && o.bound <= again.objective);
        close_sample(&f);
    }
}

static void limits(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++)
        for (double passes = 1; passes <= 9; passes++) {
            double w[MAX_WEIGHTS] = {0};
            struct sample f;
            struct outcome o;
            open_sample(&f, names[k], 1e-4, 1, false, 3);
            assert_int_equal(
                run_with(&f.problem, "sdca", NULL, 1e-14, passes, w, &history, &o, NULL), 0);
            assert_int_equal(o.verdict, VERDICT_PASSES);
            assert_true(o.passes <= passes);
            check_history(&f.problem, &history, &o, w, o.objective, 0);
            close_sample(&f);
        }
}

static void huge_lambda(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        double w[MAX_WEIGHTS] = {0};
        struct sample f;
        struct outcome o;
        open_sample(&f, names[k], 1e300, 1, false, 3);
        assert_int_equal(run_with(&f.problem, "sdca", NULL, 1e-3, 100, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        close_sample(&f);
    }
}

/* All items but one have the weight 0. */
static void one_item_counts(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        double w[MAX_WEIGHTS] = {0};
        struct sample f;
        struct outcome o;
        open_sample(&f, names[k], 1e-2, 1, true, 4);
        close_sample(&f);
        open_sample(&f, names[k], 1e-2, 1, false, 4);
        double weight[SAMPLE_ROWS] = {0};
        for (int64_t r = f.start[2]; r < f.start[3]; r++)
            weight[r] = 3;
        struct risk_settings settings = {
            .scalar = {.data = &f.data, .target = f.target, .weight = weight, .bias = 1},
            .labels = LABELS};
        risk_free((struct risk *)f.problem.risk);
        f.problem.risk = risk_of_name(names[k])->make(&settings, NULL);
        assert_non_null(f.problem.risk);
        assert_int_equal(run_with(&f.problem, "sdca", NULL, 1e-4, 2000, w, NULL, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        close_sample(&f);
    }
}

static void other_risks_are_refused(void **state) {
    (void)state;
    struct fixture f;
    struct outcome o;
    struct error e = {0};
    double w[MAX_DIMENSION] = {0};
    set_up(&f, "hinge", 1e-2, 1, false);
    assert_int_equal(run_with(&f.problem, "sdca", NULL, 1e-3, 10, w, NULL, &o, &e), -1);
    assert_non_null(strstr(e.words, "sdca"));
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optima_of_m3n),
        cmocka_unit_test(optima_of_crf),
        cmocka_unit_test(optima_of_rankings),
        cmocka_unit_test(optima_of_classes),
        cmocka_unit_test(tight_gaps),
        cmocka_unit_test(the_same_for_any_number_of_threads),
        cmocka_unit_test(starts),
        cmocka_unit_test(limits),
        cmocka_unit_test(huge_lambda),
        cmocka_unit_test(one_item_counts),
        cmocka_unit_test(other_risks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
