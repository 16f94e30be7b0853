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

/* The only weight of the vector at this place. */
static struct journal_vector place_of(int64_t place, double *w, struct vector_run *run) {
    return (struct journal_vector){.place = place, .weights = 1, .w = w, .run = run};
}

static int keep(struct journal *journal, int64_t place, double *w, struct vector_run *run,
                struct monitor *monitor) {
    struct error e = {0};
    const struct journal_vector vector = place_of(place, w, run);
    return journal_keep(journal, &vector, monitor, &e);
}

static int recall(struct journal *journal, int64_t place, double *w, struct vector_run *run) {
    struct error e = {0};
    const struct journal_vector vector = place_of(place, w, run);
    return journal_recall(journal, &vector, &e);
}

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
    assert_int_equal(keep(&journal, 0, w, &vector, &monitor), 0);
    int recalled = recall(&journal, 0, w, &vector);
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
    struct journal journal;
    struct monitor monitor;
    double w[1] = {2};
    struct vector_run vector = {.outcome = {.verdict = VERDICT_CONVERGED}};
    unlink(path);
    struct checkpoint *checkpoint = open_checkpoint(&journal);
    monitor_init(&monitor, &(struct monitor_settings){.passes = 10, .time_limit = INFINITY});
    monitor_begin(&monitor, NULL);
    assert_int_equal(keep(&journal, 0, w, &vector, &monitor), 0);
    journal_cut_off(&journal, &monitor);
    assert_int_equal(keep(&journal, 1, w, &vector, &monitor), 0);
    journal_save(&journal, &monitor);
    monitor_end(&monitor);
    close_checkpoint(&journal, checkpoint);

    w[0] = 0;
    checkpoint = open_checkpoint(&journal);
    assert_int_equal(recall(&journal, 0, w, &vector), 1);
    assert_true(w[0] == 2);
    assert_int_equal(recall(&journal, 1, w, &vector), 0);
    close_checkpoint(&journal, checkpoint);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_limit_cut_off_with_its_gap_closed_is_not_kept),
        cmocka_unit_test(what_was_trained_before_the_limit_goes_on),
    };
    return cmocka_run_group_tests(tests, make_path, NULL);
}
