/* test_schedules.c - OpenMP's loops run each iteration once: by the compiler's own library or by schedules.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST = 41, INNER = 3, THREADS = 5 };

static int runs[LONGEST];

static void runs_are(int count, int expected) {
    for (int i = 0; i < LONGEST; i++)
        assert_int_equal(runs[i], i < count ? expected : 0);
    memset(runs, 0, sizeof runs);
}

static void count_run(int64_t i) {
#pragma omp atomic
    runs[i]++;
}

#define RUN(TYPE, SCHEDULE)                                                                        \
    do {                                                                                           \
        _Pragma(SCHEDULE) for (TYPE i = 0; i < (TYPE)count; i++) count_run((int64_t)i);            \
        runs_are(count, 1);                                                                        \
    } while (0)

static void run_type(int count, int threads) {
    omp_set_num_threads(threads);
    RUN(int32_t, "omp parallel for schedule(static)");
    RUN(uint32_t, "omp parallel for schedule(static)");
    RUN(int64_t, "omp parallel for schedule(static)");
    RUN(uint64_t, "omp parallel for schedule(static)");
    RUN(int64_t, "omp parallel for schedule(static, 1)");
    RUN(int32_t, "omp parallel for schedule(static, 3)");
    RUN(int32_t, "omp parallel for schedule(dynamic, 1)");
    RUN(uint32_t, "omp parallel for schedule(dynamic)");
    RUN(int64_t, "omp parallel for schedule(dynamic, 4)");
    RUN(uint64_t, "omp parallel for schedule(dynamic, 3)");
}

static void each_iteration_runs_once(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS; threads++)
        for (int count = 0; count <= LONGEST; count += count < 9 ? 1 : 8)
            run_type(count, threads);
}

static void steps_go_both_ways(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS; threads++) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int64_t i = 2 * (LONGEST - 1); i >= 0; i -= 2)
            count_run(i / 2);
        runs_are(LONGEST, 1);
#pragma omp parallel for schedule(dynamic, 3) num_threads(threads)
        for (int32_t i = 3 * (LONGEST - 1) + 2; i >= 0; i -= 3)
            count_run(i / 3);
        runs_are(LONGEST, 1);
#pragma omp parallel for schedule(static, 2) num_threads(threads)
        for (int64_t i = -7; i < 7 * (LONGEST - 1); i += 7)
            count_run(i / 7 + 1);
        runs_are(LONGEST, 1);
    }
}

/* A loop in a loop, by one thread: it keeps the place in the outer one. */
static void loops_stand_in_loops(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS; threads++) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (int i = 0; i < LONGEST; i++) {
#pragma omp parallel for schedule(dynamic, 2) num_threads(1)
            for (int64_t k = 0; k < INNER; k++)
                count_run(i);
        }
        runs_are(LONGEST, INNER);
    }
}

static void the_last_iteration_is_known(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS; threads++)
        for (int count = 1; count <= LONGEST; count++) {
            int last = -1, last_of_chunks = -1;
#pragma omp parallel for schedule(static) num_threads(threads) lastprivate(last)
            for (int i = 0; i < count; i++)
                last = i;
#pragma omp parallel for schedule(dynamic, 3) num_threads(threads) lastprivate(last_of_chunks)
            for (int i = 0; i < count; i++)
                last_of_chunks = i;
            assert_int_equal(last, count - 1);
            assert_int_equal(last_of_chunks, count - 1);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_iteration_runs_once),
        cmocka_unit_test(steps_go_both_ways),
        cmocka_unit_test(loops_stand_in_loops),
        cmocka_unit_test(the_last_iteration_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
