/* test_parallel_runs.c - problems that are trained at once: their observer, and who has how many left. */
#include "training/classes/parallel_runs.h"

#include "io/clock.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static const double patience = 60; /* seconds after which a run ends by itself */

/* Two runs: that of the calling thread ends once the other one has begun, which ends when it is interrupted. */
struct meeting {
    pthread_t caller;
    atomic_bool begun, interrupted;
    int calls, stop; /* of the observer: the last call ends the training */
    bool elsewhere;  /* it was called by another thread */
};

static bool is_caller(const struct meeting *meeting) {
    return pthread_equal(meeting->caller, pthread_self()) != 0;
}

static bool is_over(const struct meeting *meeting, const struct monitor *monitor) {
    return is_caller(meeting) ? atomic_load(&meeting->begun) : monitor_interrupted(monitor);
}

static int meet(void *context, int64_t k, struct monitor *monitor, struct error *e) {
    struct meeting *meeting = context;
    double began = clock_seconds();
    (void)k;
    (void)e;
    monitor_begin(monitor, "a run");
    if (!is_caller(meeting))
        atomic_store(&meeting->begun, true);
    while (!is_over(meeting, monitor) && clock_seconds() < began + patience)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (!is_caller(meeting))
        atomic_store(&meeting->interrupted, monitor_interrupted(monitor));
    monitor_end(monitor);
    return 0;
}

static bool count(void *context, const struct monitor *monitor) {
    struct meeting *meeting = context;
    meeting->elsewhere |= !is_caller(meeting);
    meeting->calls++;
    assert_null(monitor->title);
    return meeting->calls == meeting->stop;
}

static void the_observer_ends_the_runs_of_other_threads(void **state) {
    struct meeting meeting = {.caller = pthread_self(), .stop = 3};
    const struct monitor_settings settings = {
        .passes = INFINITY,
        .time_limit = INFINITY,
        .observer = {.context = &meeting, .report = count, .prepare = count}};
    struct monitor monitor;
    struct error e = {0};
    int before = omp_get_max_threads();
    (void)state;
    omp_set_num_threads(2);
    if (omp_get_max_threads() < 2)
        skip(); /* without OpenMP */
    monitor_init(&monitor, &settings);
    assert_int_equal(parallel_runs(&monitor, 2, meet, &meeting, &e), 0);
    omp_set_num_threads(before);
    assert_true(meeting.begun && meeting.interrupted && !meeting.elsewhere);
    assert_int_equal(meeting.calls, 3);
    assert_true(monitor_interrupted(&monitor));
}

/* Five problems on three threads: the first three run beside each other, then two more. */
static void who_has_problems_left(void **state) {
    (void)state;
    static const int64_t behind[] = {1, 1, 1, 0, 0};
    for (int64_t k = 0; k < 5; k++) {
        assert_int_equal(parallel_runs_behind(k, 5, 3), behind[k]);
        assert_int_equal(parallel_runs_behind(k, 5, 1), 4 - k);
        assert_int_equal(parallel_runs_behind(k, 5, 5), 0);
    }
}

static void a_journal_has_one_thread(void **state) {
    (void)state;
    struct monitor monitor = {0};
    struct training training = {.journal = (struct journal *)&monitor}; /* any */
    omp_set_num_threads(3);
    assert_int_equal(parallel_runs_threads_of(&training, &monitor, 5), 1);
    training.journal = NULL;
    assert_int_equal(parallel_runs_threads_of(&training, &monitor, 5), 3);
    omp_set_num_threads(omp_get_num_procs());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_observer_ends_the_runs_of_other_threads),
        cmocka_unit_test(who_has_problems_left),
        cmocka_unit_test(a_journal_has_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
