/* test_processes.c - solvers whose rows lie in several processes, by their scores: J and the bound of one process,
 * the same weights to the bit in all of them, and again in a second run. And where an allocation fails in one of them,
 * all end. Threads stand in for the processes; one of them has no row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "risk/distributed.h"
#include "tests/call_chains.h"
#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/shared_rows.h"
#include "tests/size.h"
#include "tests/solver_options.h"
#include "tests/thread_communicator.h"
#include "training/classes/null_model.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static _Thread_local bool counting;
static _Thread_local int64_t allocations_left =
    -1; /* of this thread, before one fails; below 0: none does */

enum { ALLOCATIONS = 1 << 10 };

/* Of the thread whose allocations fail, shared by the programs that it runs in. */
static struct {
    int64_t count;
    uint64_t hash[ALLOCATIONS]; /* of the call stacks */
    bool picked[ALLOCATIONS];
    struct call_chains chains[2]; /* of process 0, and of others */
} * places;
static _Thread_local struct call_chains *picks; /* NULL: another thread, or one fails */

static void pick(void) {
    void *frame[CALLS_MOST];
    int frames = backtrace(frame, CALLS_MOST);
    int64_t number = places->count++;
    if (number < ALLOCATIONS) {
        places->hash[number] = calls_hash(frame, frames);
        places->picked[number] = call_chains_take(picks, frame, frames);
    }
}

static bool allocation_fails(void) {
    if (counting && picks != NULL) {
        counting = false;
        pick();
        counting = true;
    }
    return counting && allocations_left-- == 0;
}

#include "tests/wrapped_allocations.h"

enum { ROWS = 70, FEATURES = 9, MOST = FEATURES + 2, PROCESSES = 4 };

/* How all processes end where an allocation fails in one of them: with a message that speaks of memory; with weights,
 * the same in all; there are not so many allocations. */
enum { ENDS = 1, WRONG, TRAINS, COMPLETE };

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
    struct null_comparison null;
    int status;
    struct error error;
};

struct fixture {
    const struct setting *setting;
    struct dataset data;
    double target[ROWS], weight[ROWS];
    struct answer answer[PROCESSES];
    double passes;
    int failing;        /* the process whose allocation of this number fails; -1: none */
    int64_t allocation; /* -1: none fails, all are noted */
    bool failed;        /* it has so many */
};

static struct risk *make_risk(const struct fixture *f, const struct dataset *data, int64_t first,
                              struct error *e) {
    const struct scalar_settings scalar = {.data = data,
                                           .target = f->target + first,
                                           .weight = f->weight + first,
                                           .loss = loss_by_name(f->setting->loss),
                                           .parameters = {0.1, 0.3, 0.8},
                                           .bias = f->setting->intercept ? -1 : 1,
                                           .intercept = f->setting->intercept};
    return scalar_risk_new(&scalar, e);
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
    const struct run_settings run = {.passes = f->passes, .batch_size = 1, .seed = 3};
    const struct monitor_settings limits = {
        .epsilon = 1e-11, .passes = f->passes, .time_limit = INFINITY, .communicator = c};
    struct monitor monitor;
    *answer = (struct answer){0};
    monitor_init(&monitor, &limits);
    monitor_begin(&monitor, NULL);
    counting = true;
    answer->status = solver->train(
        &(struct solve){&problem, &run, options, &monitor, answer->w, &answer->outcome},
        &answer->error);
    if (answer->status == 0)
        null_model_compare(&problem, limits.epsilon, answer->w, &answer->outcome, c, &answer->null);
    counting = false;
    monitor_end(&monitor);
    free(options);
}

static struct risk *make_share(const struct fixture *f, const struct dataset *share, int64_t first,
                               struct communicator *c, struct error *e) {
    counting = true;
    struct risk *risk = make_risk(f, share, first, e);
    if (risk == NULL && !e->known_to_all) /* all processes make it together */
        _exit(WRONG);
    if (risk != NULL)
        risk = distributed_risk_new(risk, c, solver_sums_scores(solver_by_name(f->setting->solver)),
                                    e);
    counting = false;
    return risk;
}

/* Of a process that has an error of its own: it ends all. */
static void end_if_alone(const struct error *e) {
    if (e->kind != ERROR_NONE && !e->known_to_all)
        _exit(e->kind == ERROR_MEMORY ? ENDS : WRONG);
}

/* The rows of a process, by their rank: 9, 33, none, 28. */
static void train(struct communicator *c, void *context) {
    static const int64_t first[] = {0, 9, 42, 42, ROWS};
    struct fixture *f = context;
    struct dataset share = {0};
    struct error e = {0};
    omp_set_num_threads(1);
    share_rows(&f->data, first, c, &share);
    allocations_left = c->rank == f->failing ? f->allocation : -1;
    picks = c->rank == f->failing && f->allocation < 0 ? &places->chains[c->rank > 0] : NULL;
    struct risk *risk = make_share(f, &share, first[c->rank], c, &e);
    end_if_alone(&e);
    if (risk != NULL)
        solve(f, risk, c, &f->answer[c->rank]);
    else
        f->answer[c->rank] = (struct answer){.status = -1, .error = e};
    end_if_alone(&f->answer[c->rank].error);
    if (c->rank == f->failing && f->allocation >= 0)
        f->failed = allocations_left < 0;
    if (risk != NULL)
        risk_free(risk);
    dataset_free(&share);
}

static void set_up(struct fixture *f, const struct setting *setting) {
    bool regression = loss_by_name(setting->loss)->task == TASK_REGRESSION;
    struct random random;
    random_seed(&random, 5, 5);
    *f = (struct fixture){.setting = setting,
                          .data = random_data(ROWS, FEATURES, false, 4),
                          .passes = 1e5,
                          .failing = -1};
    for (int64_t i = 0; i < ROWS; i++) {
        f->target[i] = regression ? f->data.label[i] + random_unit(&random) : f->data.label[i];
        f->weight[i] = (double)(1 + i % 4) * (i % 11 > 0);
    }
}

static void check(const struct setting *setting) {
    struct fixture f;
    struct answer one, first;
    set_up(&f, setting);
    struct risk *whole = make_risk(&f, &f.data, 0, NULL);
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

/* ---- memory */

static int all_end(struct fixture *f) {
    threads_run(PROCESSES, train, f);
    const struct answer *first = &f->answer[0];
    for (int rank = 0; rank < PROCESSES; rank++) {
        const struct answer *answer = &f->answer[rank];
        if (answer->status != first->status || answer->error.kind != first->error.kind ||
            answer->null.unknown != first->null.unknown ||
            memcmp(answer->w, first->w, sizeof first->w) != 0)
            return WRONG;
    }
    if (first->status != 0)
        return first->error.kind == ERROR_MEMORY ? ENDS : WRONG;
    return f->failed ? TRAINS : COMPLETE;
}

/* The processes are threads of a program of their own, which ends if they wait for each other. */
static int run_alone(struct fixture *f) {
    enum { SECONDS = 10 };
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(all_end(f));
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void fail_each(const struct setting *setting, int process) {
    struct fixture f;
    set_up(&f, setting);
    f.passes = 8;
    f.failing = process;
    f.allocation = -1;
    places->count = 0;
    assert_int_equal(run_alone(&f), COMPLETE);
    int64_t count = places->count;
    assert_true(count > 3 && count < ALLOCATIONS);
    for (int64_t i = count - 1; i >= 0 && PART(true, false); i--)
        if (places->picked[i])
            places->picked[calls_last(places->hash, places->hash[i], count)] = true;
    for (f.allocation = 0; f.allocation < count; f.allocation++) {
        int way = places->picked[f.allocation] ? run_alone(&f) : ENDS;
        if (way != ENDS && way != TRAINS)
            fail_msg("%s %s, process %d, allocation %lld: %d", setting->solver, setting->loss,
                     process, (long long)f.allocation, way);
    }
    dataset_free(&f.data);
}

/* Solvers that see sums of gradients alone. */
static const struct setting by_gradients[] = {
    {"bundle", "hinge", "l2", 1e-2, true, NULL},
    {"bundle-ls", "hinge", "l2", 1e-2, false, NULL},
    {"proximal-bundle", "hinge", "l2", 1e-2, true, NULL},
    {"lbfgs", "logistic", "l2", 1e-2, true, NULL},
    {"agm", "hinge", "l2", 1e-2, false, NULL},
    {"agm1", "logistic", "l2", 1e-2, false, NULL},
};

static void test_memory(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof by_gradients / sizeof *by_gradients; k++)
        fail_each(&by_gradients[k], k % 2 == 0 ? 1 : 0);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        fail_each(&settings[k], k % 2 == 0 ? 0 : PROCESSES - 1);
}

static int share_places(void **state) {
    void *frame[1];
    (void)state;
    backtrace(frame, 1); /* loads what it needs */
    places = mmap(NULL, sizeof *places, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return places == MAP_FAILED ? -1 : 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory), /* first: there are no threads yet */
        cmocka_unit_test(test_solvers),
    };
    return cmocka_run_group_tests(tests, share_places, NULL);
}
