/* test_cut_off.c - a limit within an evaluation: the run ends with the best point it has, and its J. */
#include "math/vector.h"
#include "risk/risk_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random_data.h"
#include "tests/solver_options.h"

enum { ROWS = 60, FEATURES = 5, GROUPS = 6, LABELS = 3, EVALUATIONS = 12 };

enum { FIRST = 10 }; /* evaluations before J is known: agm looks after its first step */

/* The evaluation in which the time limit comes. */
static struct {
    double (*evaluate)(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant);
    struct monitor *monitor;
    int left;
} clockwork;

static double late_evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                            double *constant) {
    if (clockwork.left-- == 0)
        clockwork.monitor->seconds += 1000;
    return clockwork.evaluate(risk, w, mu, gradient, constant);
}

struct fixture {
    struct dataset data;
    double target[ROWS];
    int64_t start[GROUPS + 1];
    struct risk *risk;
    struct risk_kind kind;
};

static void set_up(struct fixture *f, const char *name) {
    const struct risk_row *row = risk_row_by_name(name);
    *f = (struct fixture){.data = random_data(ROWS, FEATURES, false, 3)};
    for (int i = 0; i < ROWS; i++)
        f->target[i] = i * i % 7 % LABELS;
    for (int i = 0; i <= GROUPS; i++)
        f->start[i] = i * (ROWS / GROUPS);
    if (task_has_groups(row->task)) {
        f->data.groups = GROUPS;
        f->data.group_start = f->start;
    }
    struct risk_settings settings = {
        .scalar = {.data = &f->data, .target = f->target, .bias = -1}, .labels = LABELS, .at = 5};
    f->risk = row->make(&settings, NULL);
    assert_non_null(f->risk);
    clockwork.evaluate = f->risk->kind->evaluate;
    f->kind = *f->risk->kind;
    f->kind.evaluate = late_evaluate;
    f->risk->kind = &f->kind;
}

static void tear_down(struct fixture *f) {
    f->data.group_start = NULL;
    risk_free(f->risk);
    dataset_free(&f->data);
}

/* The time limit comes in evaluation LAST. False if the run has fewer evaluations. */
static bool check(struct fixture *f, const char *name, int last) {
    const struct solver *solver = solver_by_name(name);
    struct problem problem = {
        .risk = f->risk, .regularizer = regularizer_by_name("l2"), .lambda = 1e-4};
    const struct run_settings run = {.passes = 40, .batch_size = 1};
    const struct monitor_settings settings = {.epsilon = 1e-9, .passes = 40, .time_limit = 500};
    struct monitor monitor;
    struct outcome o;
    struct error e = {0};
    double w[LABELS * (FEATURES + LABELS)] = {0};
    void *options = solver_options_parse(solver, NULL);
    assert_true(f->risk->dimension <= (int64_t)(sizeof w / sizeof *w));
    clockwork.monitor = &monitor;
    clockwork.left = last;
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    int status = solver->train(&(struct solve){&problem, &run, options, &monitor, w, &o}, &e);
    monitor_end(&monitor);
    free(options);
    bool reached = clockwork.left < 0;
    if (status != 0) {
        assert_non_null(strstr(e.words, "before the objective was evaluated once"));
        assert_true(last < FIRST && clockwork.left >= -8); /* nothing goes on */
    } else {
        assert_true(!reached || o.verdict == VERDICT_TIME);
        assert_true(o.bound <= o.objective && isfinite(o.objective));
        assert_true(f->risk->stop == NULL);
        double objective = problem_objective(&problem, w);
        assert_true(fabs(o.objective - objective) <= 1e-9 * objective);
    }

    return reached;
}

static void the_best_point_is_kept(void **state) {
    (void)state;
    static const char *const risks[] = {"crammer-singer", "softmax", "ndcg", "m3n", "pairwise"};
    static const char *const solvers[] = {"bundle", "bundle-ls", "proximal-bundle", "agm", "agm1"};
    for (int r = 0; r < 5; r++)
        for (int s = 0; s < 5; s++)
            for (int last = 0; last < EVALUATIONS; last++) {
                struct fixture f;
                set_up(&f, risks[r]);
                bool possible = isfinite(f.risk->smoothing) || s < 3;
                bool reached = !possible || check(&f, solvers[s], last);
                tear_down(&f);
                if (!reached)
                    break;
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_best_point_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
