/* test_lps_reduced.c - the reduced problem of lps: first-order and Newton steps one by one. */
#include "solvers/lps/lps_descent.h"
#include "solvers/lps/lps_newton.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

#include "risk/scores.h"
#include "tests/solvers/lps/lps_fixture.h"

struct reduced {
    struct lps_reduced lps;
    struct lps_point point;
    struct monitor monitor;
    double w[MAX_DIMENSION], u[ROWS], derivative[ROWS];
};

/* At a random point, with all components chosen. */
static void begin_reduced(struct reduced *r, const struct fixture *f, int64_t sample,
                          double seconds) {
    int64_t column[MAX_DIMENSION];
    const struct run_settings run = {.seed = 3};
    const struct monitor_settings settings = {.passes = INFINITY, .time_limit = seconds};
    *r = (struct reduced){.point = {.w = r->w, .u = r->u, .derivative = r->derivative}};
    monitor_init(&r->monitor, &settings);
    monitor_begin(&r->monitor, NULL);
    assert_int_equal(lps_reduced_init(&r->lps, &f->problem, sample, &run, &r->monitor, NULL), 0);
    for (int j = 0; j < f->risk->dimension; j++) {
        column[j] = j;
        r->w[j] = j % 3 ? 0.3 * some_w[j] : 0;
    }
    design_scores(f->risk->scalar->design, r->w, r->u);
    scores_risk(f->risk->scalar, r->u, NULL, 0, r->derivative);
    r->point.objective = problem_objective(&f->problem, r->w);
    assert_int_equal(lps_reduced_choose(&r->lps, &r->point, column, f->risk->dimension, NULL), 0);
}

static void end_reduced(struct reduced *r) {
    monitor_end(&r->monitor);
    lps_descent_free(&r->lps.descent);
    lps_reduced_free(&r->lps);
}

/* Scores, derivatives and J are those of w. */
static void check_point(const struct reduced *r, const struct fixture *f) {
    double u[ROWS], derivative[ROWS];
    design_scores(f->risk->scalar->design, r->w, u);
    scores_risk(f->risk->scalar, u, NULL, 0, derivative);
    for (int i = 0; i < ROWS; i++) {
        assert_near(r->u[i], u[i], 1e-12);
        assert_near(r->derivative[i], derivative[i], 1e-11);
    }
    assert_near(r->point.objective, problem_objective(&f->problem, r->w),
                1e-13 * r->point.objective);
}

/* Each lowers J by the part of mu ||d||^2, to where none does. */
static void first_order_steps_keep_the_point(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k += STEP) {
        struct fixture f;
        struct reduced r;
        bool fell = true;
        set_up_problem(&f, k);
        begin_reduced(&r, &f, 0, INFINITY);
        for (int step = 0; step < 300 && fell; step++) {
            double before[MAX_DIMENSION], j = r.point.objective, square = 0;
            memcpy(before, r.w, sizeof before);
            fell = lps_first_order_step(&r.lps, &r.point);
            check_point(&r, &f);
            for (int i = 0; i < f.risk->dimension; i++)
                square += r.lps.diagonal[i] * pow(r.w[i] - before[i], 2);
            assert_true(!fell || r.lps.mu < 1e-9 ||
                        j - r.point.objective >= 0.29 * (2 * r.lps.mu) * square - 1e-15 * j);
        }
        end_reduced(&r);
        tear_down(&f);
    }
}

/* Steps one by one: J falls, no weight changes its sign, and those at 0 leave it to where J falls. */
static void newton_steps_keep_the_orthant(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k += STEP) {
        struct fixture f;
        struct reduced r;
        set_up_problem(&f, k);
        struct penalty penalty = problem_penalty_parts(&f.problem);
        begin_reduced(&r, &f, 0, INFINITY);
        for (int step = 0; step < 20; step++) {
            double before[MAX_DIMENSION], gradient[MAX_DIMENSION], j = r.point.objective;
            memcpy(before, r.w, sizeof before);
            risk_evaluate(f.risk, r.w, 0, gradient);
            int steps = lps_newton_steps(&r.lps, &r.point, 0.1, 1, NULL);
            assert_in_range(steps, 0, 1);
            check_point(&r, &f);
            assert_true(r.point.objective <= j * (1 + 2e-14));
            for (int i = 0; i < f.risk->regularized; i++) {
                assert_true(before[i] * r.w[i] >= 0);
                if (before[i] == 0 && r.w[i] != 0)
                    assert_true(fabs(gradient[i]) > penalty.l1 * (1 - 1e-9) &&
                                gradient[i] * r.w[i] < 0);
            }
        }
        end_reduced(&r);
        tear_down(&f);
    }
}

static void no_time_is_no_newton_step(void **state) {
    (void)state;
    struct fixture f;
    struct reduced r;
    set_up_problem(&f, 0);
    begin_reduced(&r, &f, 0, 0);
    assert_int_equal(lps_newton_steps(&r.lps, &r.point, 0.1, 8, NULL), 0);
    end_reduced(&r);
    begin_reduced(&r, &f, 0, INFINITY);
    assert_in_range(lps_newton_steps(&r.lps, &r.point, 0.1, 8, NULL), 1, 8);
    end_reduced(&r);
    tear_down(&f);
}

/* A sample of so many rows, different in each draw, scaled to the weight of all rows. */
static void a_sample_stands_for_all_rows(void **state) {
    (void)state;
    enum { SAMPLE = 20, DRAWS = 200 };
    struct fixture f;
    struct reduced r;
    double curvature[ROWS];
    int drawn[ROWS] = {0};
    set_up_variant(&f, "logistic", "l1", 0, 0.01);
    begin_reduced(&r, &f, SAMPLE, INFINITY);
    for (int draw = 0; draw < DRAWS; draw++) {
        int count = 0;
        scores_curvature(f.risk->scalar, r.u, curvature);
        r.lps.was_cut = false; /* no curvature of a step before */
        assert_true(lps_newton_steps(&r.lps, &r.point, 0.1, 1, NULL) >= 0);
        for (int i = 0; i < ROWS; i++) {
            count += r.lps.d[i] != 0;
            drawn[i] += r.lps.d[i] != 0;
            assert_near(r.lps.d[i], r.lps.d[i] == 0 ? 0 : curvature[i] * ROWS / SAMPLE, 1e-15);
        }
        assert_int_equal(count, SAMPLE);
    }
    for (int i = 0; i < ROWS; i++)
        assert_in_range(drawn[i], DRAWS * SAMPLE / ROWS / 2, DRAWS * SAMPLE / ROWS * 2);
    end_reduced(&r);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_order_steps_keep_the_point),
        cmocka_unit_test(newton_steps_keep_the_orthant),
        cmocka_unit_test(no_time_is_no_newton_step),
        cmocka_unit_test(a_sample_stands_for_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
