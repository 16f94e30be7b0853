/* test_journal.c - which vectors are kept for a training that goes on. */
#include "training/run/journal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solvers/checkpoint.h"
#include "tests/temporary.h"

/* Whether a vector is kept that ends with its gap closed, under this time limit. */
static bool is_kept(double time_limit) {
    struct error e = {0};
    struct monitor monitor;
    double w[1] = {2};
    struct vector_run vector = {.outcome = {.verdict = VERDICT_CONVERGED}};
    unlink(path);
    struct checkpoint *checkpoint = checkpoint_new(
        &(struct checkpoint_settings){.path = path, .seconds = 1e9, .command = ""}, &e);
    assert_non_null(checkpoint);
    struct journal journal = {.checkpoint = checkpoint};
    monitor_init(&monitor, &(struct monitor_settings){.epsilon = 0.25,
                                                      .passes = 10,
                                                      .time_limit = time_limit,
                                                      .checkpoint = checkpoint});
    monitor_begin(&monitor, NULL);
    monitor_end(&monitor);
    assert_int_equal(journal_keep(&journal, 0, 1, w, &vector, &monitor, &e), 0);
    int recalled = journal_recall(&journal, 0, 1, w, &vector, &e);
    journal_free(&journal);
    checkpoint_free(checkpoint);
    return recalled == 1;
}

/* It ends at another point than without the limit. */
static void what_the_limit_cut_off_with_its_gap_closed_is_not_kept(void **state) {
    (void)state;
    assert_true(is_kept(INFINITY));
    assert_false(is_kept(0));
}

static struct checkpoint *open_checkpoint(struct journal *journal) {
    struct error e = {0};
    struct checkpoint *checkpoint = checkpoint_new(
        &(struct checkpoint_settings){.path = path, .seconds = 1e9, .command = ""}, &e);
    assert_non_null(checkpoint);
    *journal = (struct journal){.checkpoint = checkpoint};
    assert_int_not_equal(checkpoint_enter(checkpoint, journal_visit, journal, &e),
                         CHECKPOINT_REFUSED);
    return checkpoint;
}

static void close_checkpoint(struct journal *journal, struct checkpoint *checkpoint) {
    journal_free(journal);
    checkpoint_free(checkpoint);
}

/* Several vectors at once are saved when the limit has ended one of them; the file does not change after that. */
static void what_was_trained_before_the_limit_goes_on(void **state) {
    (void)state;
    struct error e = {0};
    struct journal journal;
    struct monitor monitor;
    double w[1] = {2};
    struct vector_run vector = {.outcome = {.verdict = VERDICT_CONVERGED}};
    unlink(path);
    struct checkpoint *checkpoint = open_checkpoint(&journal);
    monitor_init(&monitor, &(struct monitor_settings){.passes = 10, .time_limit = INFINITY});
    monitor_begin(&monitor, NULL);
    assert_int_equal(journal_keep(&journal, 0, 1, w, &vector, &monitor, &e), 0);
    journal_cut_off(&journal, &monitor);
    assert_int_equal(journal_keep(&journal, 1, 1, w, &vector, &monitor, &e), 0);
    journal_save(&journal, &monitor);
    monitor_end(&monitor);
    close_checkpoint(&journal, checkpoint);

    w[0] = 0;
    checkpoint = open_checkpoint(&journal);
    assert_int_equal(journal_recall(&journal, 0, 1, w, &vector, &e), 1);
    assert_true(w[0] == 2);
    assert_int_equal(journal_recall(&journal, 1, 1, w, &vector, &e), 0);
    close_checkpoint(&journal, checkpoint);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_limit_cut_off_with_its_gap_closed_is_not_kept),
        cmocka_unit_test(what_was_trained_before_the_limit_goes_on),
    };
    return cmocka_run_group_tests(tests, make_path, NULL);
}
