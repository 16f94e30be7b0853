/* test_search_cut_off.c - a time limit within the search for a bound: it ends the search, and the run goes on from a
 * checkpoint to the same result. */
#include "risk/loss.h"
#include "solvers/checkpoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/size.h"
#include "tests/solvers/online/online_fixture.h"
#include "tests/temporary.h"

static const double jump = 1000, limit = 500; /* seconds */

/* The time limit comes in call LEFT of one of the loss's functions; CALLS after it. */
static struct {
    const struct loss *loss;
    struct monitor *monitor;
    int64_t left, calls;
} clockwork;

static void tick(void) {
    if (clockwork.left-- == 0)
        clockwork.monitor->seconds += jump;
    else if (clockwork.left < 0)
        clockwork.calls++;
}

static void late_domain(double y, const struct loss_parameters *p, double *low, double *high) {
    tick();
    clockwork.loss->domain(y, p, low, high);
}

static double late_second(double u, double y, const struct loss_parameters *p) {
    tick();
    return clockwork.loss->second(u, y, p);
}

/* A run with the checkpoint in PATH, if CHECKPOINT, that the time limit cuts off in that call. */
static void run(struct fixture *f, const char *solver, const char *const *words, int64_t left,
                double *w) {
    void *options = solver_options_parse(solver_by_name(solver), words);
    struct error e = {0};
    struct monitor monitor;
    struct checkpoint *checkpoint = checkpoint_new(
        &(struct checkpoint_settings){.path = path, .seconds = 1e9, .command = ""}, &e);
    assert_non_null(checkpoint);
    monitor_init(&monitor, &(struct monitor_settings){.epsilon = f->epsilon,
                                                      .passes = f->run.passes,
                                                      .time_limit = limit,
                                                      .checkpoint = checkpoint});
    clockwork.monitor = &monitor;
    clockwork.left = left;
    clockwork.calls = 0;
    memset(w, 0, sizeof *w * MAX_DIMENSION);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        solver_by_name(solver)->train(
            &(struct solve){&f->problem, &f->run, options, &monitor, w, &f->outcome}, &e),
        0);
    monitor_end(&monitor);
    checkpoint_free(checkpoint);
    free(options);
}

/* Cuts a run off in each of its calls in turn, or in some of them. */
static void cut_everywhere(const char *solver, const char *const *words, const char *loss,
                           const char *regularizer, double lambda, double epsilon, double passes) {
    enum { STRIDE = PART(83, 149), LEAST_CUTS = 3 };
    struct fixture f;
    struct loss late = *loss_by_name(loss);
    double expected[MAX_DIMENSION], w[MAX_DIMENSION];
    int cuts = 0;
    set_up(&f, loss, lambda, -1, false);
    risk_free(f.risk);
    clockwork.loss = f.scalar.loss;
    late.domain = late_domain;
    late.second = late.second == NULL ? NULL : late_second;
    f.scalar.loss = &late;
    f.problem.risk = f.risk = scalar_risk_new(&f.scalar, NULL);
    f.problem.regularizer = regularizer_by_name(regularizer);
    f.epsilon = epsilon;
    f.run.passes = passes;
    f.run.passes_given = epsilon == 0;
    unlink(path);
    run(&f, solver, words, INT64_MAX, expected);
    struct outcome whole = f.outcome;
    for (int64_t left = 0;; left += STRIDE) {
        run(&f, solver, words, left, w);
        if (clockwork.left >= 0)
            break;
        if (f.outcome.verdict == VERDICT_TIME) {
            cuts++;
            bool begun = f.outcome.iterations > 1; /* or it was cut off before the first step */
            assert_true(access(path, F_OK) == 0 || !begun);
            assert_in_range(clockwork.calls, 0, 20 * ROWS); /* the search ends */
            run(&f, solver, words, INT64_MAX, w);
        }
        assert_memory_equal(w, expected, sizeof *w * (size_t)f.risk->dimension);
        assert_int_equal(f.outcome.verdict, whole.verdict);
        assert_true(f.outcome.objective == whole.objective && f.outcome.bound == whole.bound);
        unlink(path);
    }
    if (getenv("SHOW"))
        printf("%s %s %s %s: %d cuts, %s\n", solver, words == NULL ? "" : words[0], loss,
               regularizer, cuts, f.outcome.finished_by);
    assert_true(cuts >= LEAST_CUTS);
    tear_down(&f);
}

static const char *const features[] = {"metric=features", NULL};
static const char *const dual[] = {"metric=dual", NULL};
static const char *const plain[] = {"metric=none", NULL};

/* To a gap, with checks in the run. */
static void in_checks(void **state) {
    (void)state;
    cut_everywhere("proximal", features, "hinge", "l2", 1e-4, 1e-3, 200);
    cut_everywhere("proximal", features, "logistic", "l2", 1e-4, 1e-3, 200);
    cut_everywhere("proximal", dual, "hinge", "l2", 1e-5, 1e-6, 200);
    cut_everywhere("proximal", dual, "logistic", "l2", 1e-5, 1e-6, 200);
}

/* Of a number of passes, after them; and with another solver in the end. */
static void after_the_passes(void **state) {
    (void)state;
    cut_everywhere("proximal", features, "hinge", "l2", 1e-4, 0, 4);
    cut_everywhere("proximal", plain, "logistic", "l2", 1e-4, 0, 4);
    cut_everywhere("proximal", dual, "hinge", "l2", 1e-6, 0, 3);
    cut_everywhere("proximal", NULL, "hinge", "l2", 1e-6, 1e-9, 5);
    cut_everywhere("pegasos", NULL, "hinge", "l2", 1e-4, 0, 4);
    cut_everywhere("rda", NULL, "logistic", "l1", 1e-3, 0, 4);
    cut_everywhere("fobos", NULL, "logistic", "l1", 1e-3, 0, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_checks),
                                       cmocka_unit_test(after_the_passes)};
    return cmocka_run_group_tests(tests, make_path, NULL); /* the runs remove it */
}
