/* test_processes.c - solvers whose rows lie in several processes, by their scores: J and the bound of one process,
 * the same weights to the bit in all of them, and again in a second run. Threads stand in for the processes; one of
 * them has no row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "risk/distributed.h"
#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/shared_rows.h"
#include "tests/size.h"
#include "tests/solver_options.h"
#include "tests/thread_communicator.h"

#include <math.h>
#include <string.h>

enum { ROWS = 70, FEATURES = 9, MOST = FEATURES + 2, PROCESSES = 4 };

struct setting {
    const char *solver, *loss, *regularizer;
    double lambda;
    bool intercept;
    const char *option; /* of the solver; NULL: none */
};

static const struct setting settings[] = {
    {"ipm", "hinge", "l2", 1e-3, false, NULL},
    {"ipm", "hinge", "l2", 1e-2, true, NULL},
    {"ipm", "hinge", "l2", 1e-3, false, "correctors=1"},
    {"ipm", "epsilon", "l2", 1e-2, true, NULL},
    {"ipm", "huber", "elastic-net", 1e-2, false, NULL},
    {"ipm", "logistic", "l2", 1e-3, true, NULL},
    {"ocas", "hinge", "l2", 1e-2, false, NULL},
    {"ocas", "hinge", "l2", 1e-2, true, NULL},
    {"cpa", "hinge", "l2", 1e-1, false, NULL},
    {"mcpa", "hinge", "l2", 1e-2, false, "partitions=5"},
    {"mcpa", "hinge", "l2", 1e-2, true, "partitions=3"},
    {"lps", "logistic", "l1", 1e-2, false, NULL},
    {"lps", "squared-hinge", "elastic-net", 1e-3, true, NULL},
    {"lps", "squared", "l1", 1e-2, true, "gradient-fraction=0.5"},
    {"dcd", "hinge", "l2", 1e-2, false, NULL},
    {"dcd", "squared-hinge", "l2", 1e-3, false, NULL},
    {"dcd", "epsilon", "l2", 1e-2, false, NULL},
    {"dcd", "huber", "l2", 1e-2, false, NULL},
};

struct answer {
    double w[MOST];
    struct outcome outcome;
};

struct fixture {
    const struct setting *setting;
    struct dataset data;
    double target[ROWS], weight[ROWS];
    struct answer answer[PROCESSES];
};

static struct risk *make_risk(const struct fixture *f, const struct dataset *data, int64_t first) {
    const struct scalar_settings scalar = {.data = data,
                                           .target = f->target + first,
                                           .weight = f->weight + first,
                                           .loss = loss_by_name(f->setting->loss),
                                           .parameters = {0.1, 0.3, 0.8},
                                           .bias = f->setting->intercept ? -1 : 1,
                                           .intercept = f->setting->intercept};
    return scalar_risk_new(&scalar, NULL);
}

static void solve(const struct fixture *f, const struct risk *risk, struct communicator *c,
                  struct answer *answer) {
    const struct solver *solver = solver_by_name(f->setting->solver);
    const char *words[] = {f->setting->option, NULL};
    void *options = solver_options_parse(solver, words);
    const struct problem problem = {.risk = risk,
                                    .regularizer = regularizer_by_name(f->setting->regularizer),
                                    .parameters = {.elastic = 0.5},
                                    .lambda = f->setting->lambda};
    const struct run_settings run = {.passes = 1e5, .batch_size = 1, .seed = 3};
    const struct monitor_settings limits = {
        .epsilon = 1e-11, .passes = 1e5, .time_limit = INFINITY, .communicator = c};
    struct monitor monitor;
    struct error e = {0};
    *answer = (struct answer){0};
    monitor_init(&monitor, &limits);
    monitor_begin(&monitor, NULL);
    if (solver->train(
            &(struct solve){&problem, &run, options, &monitor, answer->w, &answer->outcome}, &e) !=
        0)
        fail_msg("%s", e.words);
    monitor_end(&monitor);
    free(options);
}

/* The rows of a process, by their rank: 9, 33, none, 28. */
static void train(struct communicator *c, void *context) {
    static const int64_t first[] = {0, 9, 42, 42, ROWS};
    struct fixture *f = context;
    struct dataset share = {0};
    share_rows(&f->data, first, c, &share);
    struct risk *risk = distributed_risk_new(make_risk(f, &share, first[c->rank]), c, true, NULL);
    solve(f, risk, c, &f->answer[c->rank]);
    risk_free(risk);
    dataset_free(&share);
}

static void set_up(struct fixture *f, const struct setting *setting) {
    bool regression = loss_by_name(setting->loss)->task == TASK_REGRESSION;
    struct random random;
    random_seed(&random, 5, 5);
    *f = (struct fixture){.setting = setting, .data = random_data(ROWS, FEATURES, false, 4)};
    for (int64_t i = 0; i < ROWS; i++) {
        f->target[i] = regression ? f->data.label[i] + random_unit(&random) : f->data.label[i];
        f->weight[i] = (double)(1 + i % 4) * (i % 11 > 0);
    }
}

static void check(const struct setting *setting) {
    struct fixture f;
    struct answer one, first;
    set_up(&f, setting);
    struct risk *whole = make_risk(&f, &f.data, 0);
    solve(&f, whole, NULL, &one);
    threads_run(PROCESSES, train, &f);
    first = f.answer[0];
    for (int rank = 1; rank < PROCESSES; rank++)
        assert_memory_equal(f.answer[rank].w, first.w, sizeof first.w);
    assert_near(first.outcome.objective, one.outcome.objective, 1e-10);
    assert_near(first.outcome.bound, one.outcome.bound, 1e-10);
    /* J is that of the weights, and the bound is below the optimum of all */
    const struct problem problem = {.risk = whole,
                                    .regularizer = regularizer_by_name(setting->regularizer),
                                    .parameters = {.elastic = 0.5},
                                    .lambda = setting->lambda};
    assert_near(problem_objective(&problem, first.w), first.outcome.objective, 1e-13);
    assert_true(first.outcome.bound <= one.outcome.objective * (1 + 1e-13));
    if (strcmp(setting->solver, "ipm") == 0)
        assert_int_equal(first.outcome.iterations, one.outcome.iterations);
    threads_run(PROCESSES, train, &f);
    assert_memory_equal(f.answer[0].w, first.w, sizeof first.w);
    risk_free(whole);
    dataset_free(&f.data);
}

static void test_solvers(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k += PART(1, 2))
        check(&settings[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
