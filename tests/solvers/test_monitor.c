/* test_monitor.c - the criterion that ends a run: told at its beginning, decided by the monitor alone. */
#include "solvers/monitor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "solvers/checkpoint.h"
#include "tests/temporary.h"

static void begin(struct monitor *monitor, double epsilon) {
    monitor_init(monitor, &(struct monitor_settings){
                              .epsilon = epsilon, .passes = 10, .time_limit = INFINITY});
    monitor_begin(monitor, NULL);
}

/* The verdict on J = 2 with this gap and delta. */
static enum verdict tell(struct monitor *monitor, double gap, double delta) {
    return monitor_report(
        monitor,
        &(struct report){
            .passes = 1, .objective = 2, .bound = 2 - gap, .nonzeros = -1, .delta = delta});
}

static void the_gap_is_relative_to_the_objective(void **state) {
    struct monitor monitor;
    (void)state;
    begin(&monitor, 0.25);
    assert_int_equal(tell(&monitor, 0.51, 0), VERDICT_GO_ON);
    assert_int_equal(tell(&monitor, INFINITY, 0), VERDICT_GO_ON);
    assert_int_equal(tell(&monitor, 0.5, NAN), VERDICT_CONVERGED);
    assert_true(monitor_gap(&monitor, -2) == 0.5);
    begin(&monitor, 0);
    assert_int_equal(tell(&monitor, 0, 0), VERDICT_GO_ON);
}

static void optimality_is_delta(void **state) {
    struct monitor monitor;
    (void)state;
    begin(&monitor, 0.25);
    monitor_seek(&monitor, CRITERION_OPTIMALITY, 1e-3);
    assert_int_equal(tell(&monitor, 0, 2e-3), VERDICT_GO_ON);
    assert_int_equal(tell(&monitor, 0, NAN), VERDICT_GO_ON);
    assert_int_equal(tell(&monitor, INFINITY, 1e-3), VERDICT_CONVERGED);
    monitor_seek(&monitor, CRITERION_OPTIMALITY, 0);
    assert_int_equal(tell(&monitor, INFINITY, 0), VERDICT_CONVERGED);
}

static void both_are_the_gap_and_delta(void **state) {
    struct monitor monitor;
    (void)state;
    begin(&monitor, 0.25);
    monitor_seek(&monitor, CRITERION_BOTH, monitor_epsilon(&monitor));
    assert_int_equal(tell(&monitor, 0.5, 0.26), VERDICT_GO_ON);
    assert_int_equal(tell(&monitor, 0.51, 0.25), VERDICT_GO_ON);
    assert_int_equal(tell(&monitor, INFINITY, 0), VERDICT_GO_ON);
    assert_int_equal(tell(&monitor, 0.5, 0.25), VERDICT_CONVERGED);
    assert_int_equal(tell(&monitor, 0.0051, 1), VERDICT_GO_ON);
    assert_int_equal(tell(&monitor, 0.0049, 1), VERDICT_CONVERGED);
}

static void estimates_end_no_run_as_converged(void **state) {
    struct monitor monitor;
    struct report report = {
        .passes = 1, .objective = 2, .bound = 2, .nonzeros = -1, .delta = 0, .inexact = true};
    (void)state;
    begin(&monitor, 0.25);
    for (int c = CRITERION_GAP; c <= CRITERION_BOTH; c++) {
        monitor_seek(&monitor, (enum criterion)c, 0.25);
        assert_int_equal(monitor_report(&monitor, &report), VERDICT_GO_ON);
    }
    report.passes = 10;
    assert_int_equal(monitor_report(&monitor, &report), VERDICT_PASSES);
}

/* A bound that rose after the last report. */
static void a_closed_gap_is_confirmed(void **state) {
    struct monitor monitor;
    (void)state;
    begin(&monitor, 0.25);
    assert_int_equal(monitor_confirm(&monitor, VERDICT_PASSES, 2, 1.5), VERDICT_CONVERGED);
    assert_int_equal(monitor_confirm(&monitor, VERDICT_STALLED, 2, 1.49), VERDICT_STALLED);
    assert_int_equal(monitor_confirm(&monitor, VERDICT_SETTLED, 2, -INFINITY), VERDICT_SETTLED);
    assert_int_equal(monitor_confirm(&monitor, VERDICT_TIME, 2, 2), VERDICT_TIME);
    assert_int_equal(monitor_confirm(&monitor, VERDICT_INTERRUPTED, 2, 2), VERDICT_INTERRUPTED);
}

static void a_criterion_is_of_one_run(void **state) {
    struct monitor monitor;
    (void)state;
    begin(&monitor, 0.25);
    monitor_seek(&monitor, CRITERION_OPTIMALITY, 1e-3);
    monitor_end(&monitor);
    monitor_begin(&monitor, NULL);
    assert_true(monitor.criterion == CRITERION_GAP && monitor.tolerance == 0.25);
    assert_int_equal(tell(&monitor, 0.5, 1), VERDICT_CONVERGED);
}

/* If the tolerance is reached, the verdict is convergence, also when a limit came. */
static void the_tolerance_comes_before_the_limit(void **state) {
    struct monitor monitor;
    struct report report = {.passes = 10, .objective = 2, .bound = 1, .delta = 1e-3};
    (void)state;
    begin(&monitor, 0.25);
    assert_int_equal(monitor_report(&monitor, &report), VERDICT_PASSES);
    monitor_seek(&monitor, CRITERION_OPTIMALITY, 1e-3);
    assert_int_equal(monitor_report(&monitor, &report), VERDICT_CONVERGED);
}

static void visit_nothing(struct state *list, void *context) {
    (void)list;
    (void)context;
}

/* What the time limit cut off before a run enters must not be saved, though a run that has just entered may wait. */
static void what_the_limit_cut_off_is_not_saved(void **state) {
    struct monitor monitor;
    struct error e = {0};
    (void)state;
    unlink(path);
    struct checkpoint *checkpoint = checkpoint_new(
        &(struct checkpoint_settings){.path = path, .seconds = 1e9, .command = ""}, &e);
    assert_non_null(checkpoint);
    monitor_init(&monitor, &(struct monitor_settings){.epsilon = 0.25,
                                                      .passes = 10,
                                                      .time_limit = INFINITY,
                                                      .checkpoint = checkpoint});
    monitor_begin(&monitor, NULL);
    assert_int_equal(monitor_enter_run(&monitor, visit_nothing, NULL, &e), CHECKPOINT_BEGINS);
    assert_true(monitor.saves);
    monitor.settings.time_limit = 0;
    assert_int_equal(monitor_poll(&monitor), VERDICT_GO_ON); /* to the next safe point */
    monitor_save(&monitor);
    assert_int_equal(monitor_poll(&monitor), VERDICT_TIME);
    monitor_leave(&monitor, 0);
    monitor_enter_run(&monitor, visit_nothing, NULL, &e);
    assert_false(monitor.saves);
    assert_int_equal(monitor_poll(&monitor), VERDICT_TIME);
    monitor_end(&monitor);
    checkpoint_free(checkpoint);
}

/* A monitor whose state is in the file of the tests, and whose trace is TRACE. */
static struct checkpoint *go_on(struct monitor *monitor, FILE *trace) {
    struct error e = {0};
    struct checkpoint *checkpoint = checkpoint_new(
        &(struct checkpoint_settings){.path = path, .seconds = 1e9, .command = ""}, &e);
    assert_non_null(checkpoint);
    monitor_init(monitor, &(struct monitor_settings){.passes = 10,
                                                     .time_limit = INFINITY,
                                                     .trace = trace,
                                                     .checkpoint = checkpoint});
    assert_int_equal(monitor_go_on(monitor, &e), 0);
    return checkpoint;
}

/* Two runs without safe points: the second is cut off. What goes on has the trace and the count of the first. */
static void a_run_without_safe_points_is_made_again(void **state) {
    struct monitor monitor;
    FILE *trace = tmpfile();
    (void)state;
    unlink(path);
    struct checkpoint *checkpoint = go_on(&monitor, trace);
    long place = 0;
    for (int run = 0; run < 2; run++) {
        place = (fflush(trace), ftell(trace));
        monitor_begin(&monitor, "run");
        tell(&monitor, 1, NAN);
        if (run == 1)
            monitor.settings.time_limit = 0;
        monitor_save_unsaved(&monitor);
        monitor_end(&monitor);
        assert_int_equal(access(path, F_OK) == 0, run == 1);
    }
    checkpoint_free(checkpoint);
    checkpoint = go_on(&monitor, trace);
    assert_int_equal(monitor.runs, 1);
    assert_int_equal(fseek(trace, 0, SEEK_END), 0);
    assert_int_equal(ftell(trace), place);
    checkpoint_free(checkpoint);
    fclose(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gap_is_relative_to_the_objective),
        cmocka_unit_test(optimality_is_delta),
        cmocka_unit_test(both_are_the_gap_and_delta),
        cmocka_unit_test(estimates_end_no_run_as_converged),
        cmocka_unit_test(a_closed_gap_is_confirmed),
        cmocka_unit_test(a_criterion_is_of_one_run),
        cmocka_unit_test(the_tolerance_comes_before_the_limit),
        cmocka_unit_test(what_the_limit_cut_off_is_not_saved),
        cmocka_unit_test(a_run_without_safe_points_is_made_again),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
