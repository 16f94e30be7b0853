/* test_passes.c - when the time limit ends the runs of online solvers. */
#include "solvers/passes.h"

#include "tests/random_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROWS = 32, FEATURES = 4 };

static double step_seconds = 1.0 / 64; /* exact */

static double first_seconds; /* of the first step, beyond those of the others */

/* A method that only spends time, by a clock of its own. */
struct idle {
    struct passes passes;
    struct communicator clock;
};

static enum verdict spend(void *state, int64_t end) {
    struct idle *idle = state;
    idle->clock.seconds += step_seconds * (double)(end - idle->passes.t);
    if (idle->passes.t == 0)
        idle->clock.seconds += first_seconds;
    idle->passes.t = end;
    return VERDICT_GO_ON;
}

static void copy_zero(const void *state, double *w) {
    (void)state;
    for (int j = 0; j < FEATURES; j++)
        w[j] = 0;
}

static const struct passes_method method = {.advance = spend, .copy = copy_zero};

/* Steps that a run makes within the time limit; *kept_back: seconds that the monitor keeps back afterwards. */
static int64_t steps_within(const char *regularizer, double time_limit, double passes,
                            double *kept_back) {
    struct dataset data = random_data(ROWS, FEATURES, false, 2);
    struct risk *risk = scalar_risk_new(
        &(struct scalar_settings){
            .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1},
        NULL);
    struct problem problem = {
        .risk = risk, .regularizer = regularizer_by_name(regularizer), .lambda = 0.1};
    struct idle idle = {0};
    struct monitor monitor;
    enum verdict verdict;
    monitor_init(&monitor, &(struct monitor_settings){.passes = passes,
                                                      .time_limit = time_limit,
                                                      .communicator = &idle.clock});
    monitor_begin(&monitor, NULL);
    idle.passes = (struct passes){
        .problem = &problem, .method = &method, .state = &idle, .monitor = &monitor};
    const struct run_settings run = {.passes = passes, .batch_size = 1};
    assert_int_equal(passes_init(&idle.passes, &run, NULL), 0);
    assert_int_equal(passes_run(&idle.passes, &verdict, NULL), 0);
    assert_int_equal(verdict, idle.passes.t < idle.passes.limit ? VERDICT_TIME : VERDICT_PASSES);
    *kept_back = monitor.kept_back;
    passes_free(&idle.passes);
    risk_free(risk);
    dataset_free(&data);
    return idle.passes.t;
}

/* The time of 0.375 passes is kept back for the evaluation of the result, twice that where its bound needs more; but at
 * most half of the limit. */
static void time_for_the_last_evaluation_is_kept_back(void **state) {
    double pass = ROWS * step_seconds, kept_back;
    (void)state;
    assert_int_equal(steps_within("l2", 10 * pass, 1000, &kept_back), 9.625 * ROWS);
    assert_true(kept_back == 0.375 * pass);
    assert_int_equal(steps_within("l1", 10 * pass, 1000, &kept_back), 9.25 * ROWS);
    assert_true(kept_back == 0.75 * pass);
    assert_int_equal(steps_within("l2", pass / 2, 1000, &kept_back), ROWS / 4);
}

/* The first step reads what is in no cache yet: its time says nothing of a pass. */
static void a_slow_first_step_does_not_count(void **state) {
    double kept_back, others = step_seconds;
    (void)state;
    first_seconds = 1.0 / 256;
    step_seconds = 1.0 / 65536;
    assert_true(steps_within("l2", 1.0 / 128, 1000, &kept_back) > ROWS);
    first_seconds = 0;
    step_seconds = others;
}

/* A run that makes all its passes keeps nothing back from what follows it. */
static void whole_runs_keep_nothing_back(void **state) {
    double kept_back;
    (void)state;
    assert_int_equal(steps_within("l2", 1000, 3, &kept_back), 3 * ROWS);
    assert_true(kept_back == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_for_the_last_evaluation_is_kept_back),
        cmocka_unit_test(a_slow_first_step_does_not_count),
        cmocka_unit_test(whole_runs_keep_nothing_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
