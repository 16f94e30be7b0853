/* test_dcd_offset_runs.c - runs of dcd whose offset is hard to find, beside the interior point method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/size.h"
#include "tests/solvers/dual/dcd_fixture.h"
#include "tests/temporary.h"

/* Features next to nothing, and rows of none: the offset alone can fit the targets. */
static void offsets_of_no_features_are_found(void **state) {
    (void)state;
    static const char *const kinks[] = {"absolute", "epsilon", "quantile", "hinge"};
    for (size_t l = 0; l < sizeof kinks / sizeof *kinks; l++)
        for (double lambda = 1e-3; lambda < 20; lambda *= 10) {
            struct fixture f;
            struct result result = {0};
            set_up(&f, kinks[l], 4);
            assert_true(f.scalar.intercept);
            f.problem.lambda = lambda;
            for (int64_t k = 0; k < f.data.nonzeros; k++)
                f.data.value[k] *= 1e-8;
            for (int64_t i = 0; i < f.data.rows && kinks[l][0] != 'h'; i++)
                f.target[i] = (double)(i % 5) - 3;
            train(&f, "dcd", 1e-3, &result);
            assert_int_equal(result.outcome.verdict, VERDICT_CONVERGED);
            tear_down(&f);
        }
}

/* Ends the run at a report. */
static bool end_there(void *context, const struct monitor *monitor) {
    const int64_t *end = context;
    return monitor->last.iteration == *end;
}

/* Rows far from 0, all in one direction: an offset swings there, and is calmed. Also where the run goes on from
 * checkpoints. */
static void offsets_of_far_rows_are_found(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (uint64_t number = 1; number < PART(60, 20); number += 3) {
            struct fixture f;
            struct result whole = {0}, reference = {0},
                          parts = {.outcome.verdict = VERDICT_INTERRUPTED};
            set_up(&f, losses[l], number);
            assert_true(f.scalar.intercept);
            for (int64_t k = 0; f.data.value != NULL && k < f.data.nonzeros; k++)
                f.data.value[k] += 10;
            train(&f, "dcd", 1e-6, &whole);
            train(&f, "ipm", 1e-10, &reference);
            if (!agree(&whole.outcome, &reference.outcome, 1e-6))
                print_error("%s, problem %d: J %.17g, bound %.17g, optimum %.17g, %g passes\n",
                            losses[l], (int)number, whole.outcome.objective, whole.outcome.bound,
                            reference.outcome.objective, whole.outcome.passes);
            assert_true(agree(&whole.outcome, &reference.outcome, 1e-6));
            unlink(path);
            int64_t end = 1;
            f.observer = (struct monitor_observer){.context = &end, .report = end_there};
            for (; parts.outcome.verdict == VERDICT_INTERRUPTED; end += 17) {
                memset(parts.w, 0, sizeof parts.w);
                f.checkpoint = checkpoint_new(
                    &(struct checkpoint_settings){.path = path, .seconds = 1e9, .command = ""},
                    &f.error);
                assert_non_null(f.checkpoint);
                train(&f, "dcd", 1e-6, &parts);
                checkpoint_free(f.checkpoint);
            }
            assert_memory_equal(parts.w, whole.w, sizeof whole.w);
            tear_down(&f);
        }
}

/* Conjugate gradients on few rows cost little, and bring more than the rises of the bound promise. */
static void cheap_steps_are_taken(void **state) {
    double passes = 0;
    (void)state;
    for (uint64_t number = 1; number < 150; number += 3) {
        struct fixture f;
        struct result result = {0};
        set_up(&f, "hinge", number);
        train(&f, "dcd", 1e-2, &result);
        assert_int_equal(result.outcome.verdict, VERDICT_CONVERGED);
        passes += result.outcome.passes;
        tear_down(&f);
    }
    assert_true(passes < 1200); /* by the rises alone 1325 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_of_no_features_are_found),
        cmocka_unit_test(offsets_of_far_rows_are_found),
        cmocka_unit_test(cheap_steps_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
