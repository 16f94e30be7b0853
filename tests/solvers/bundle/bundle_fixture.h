/* bundle_fixture.h - runs of the bundle methods with every report kept. Include after cmocka.h. */
#ifndef RRM_BUNDLE_FIXTURE_H
#define RRM_BUNDLE_FIXTURE_H

#include "io/svmlight/svmlight.h"
#include "tests/size.h"
#include "tests/solvers/online/online_fixture.h"

#include <omp.h>

enum { MAX_REPORTS = 5000 };

struct history {
    int count;
    double passes[MAX_REPORTS], objective[MAX_REPORTS], bound[MAX_REPORTS];
};

static inline void read_history(FILE *trace, struct history *history) {
    char line[512];
    rewind(trace);
    history->count = 0;
    while (fgets(line, sizeof line, trace) != NULL) {
        int i = history->count;
        if (sscanf(line, "%*f %lf %*d %lf %lf", &history->passes[i], &history->objective[i],
                   &history->bound[i]) == 3)
            history->count++;
        assert_true(history->count < MAX_REPORTS);
    }
}

/* Returns the status of the run; w is the start and the result. */
static inline int run_with(const struct problem *problem, const char *name,
                           const char *const *words, double epsilon, double passes, double *w,
                           struct history *history, struct outcome *outcome, struct error *e) {
    const struct solver *solver = solver_by_name(name);
    void *settings_of_solver = solver_options_parse(solver, words);
    struct run_settings run = {.passes = passes,
                               .passes_given = true,
                               .warm = vector_nonzeros(w, problem->risk->dimension) > 0};
    struct monitor_settings settings = {
        .epsilon = epsilon, .passes = passes, .time_limit = INFINITY, .trace = tmpfile()};
    struct monitor monitor;
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    int status =
        solver->train(&(struct solve){problem, &run, settings_of_solver, &monitor, w, outcome}, e);
    monitor_end(&monitor);
    if (history != NULL)
        read_history(settings.trace, history);
    fclose(settings.trace);
    free(settings_of_solver);
    return status;
}

/* A run from 0 gives the same bits with 1, 2 and 3 threads. */
static inline void check_threads(const struct problem *problem, const char *solver,
                                 const char *const *words, double passes) {
    int usual = omp_get_max_threads();
    size_t size = sizeof(double) * (size_t)problem->risk->dimension;
    double *first = malloc(size), *w = malloc(size);
    struct outcome o, one;
    for (int threads = 1; threads <= PART(3, 2); threads += PART(2, 1)) {
        omp_set_num_threads(threads);
        memset(w, 0, size);
        assert_int_equal(run_with(problem, solver, words, 1e-6, passes, w, NULL, &o, NULL), 0);
        if (threads == 1) {
            memcpy(first, w, size);
            one = o;
        }
        assert_memory_equal(w, first, size);
        assert_near(o.objective, one.objective, 0);
        assert_near(o.bound, one.bound, 0);
    }
    omp_set_num_threads(usual);
    free(first);
    free(w);
}

/* What holds of every run: bounds never above the optimum (of which OPTIMUM is known to `slack`),
 * objectives never below; the best J falls, the best bound rises, and J is that of w. */
static inline void check_history(const struct problem *problem, const struct history *history,
                                 const struct outcome *outcome, const double *w, double optimum,
                                 double slack) {
    assert_true(history->count > 0);
    for (int i = 0; i < history->count; i++) {
        assert_true(history->bound[i] <= optimum + slack);
        assert_true(history->objective[i] >= optimum - slack);
        assert_true(i == 0 || history->bound[i] >= history->bound[i - 1] - 1e-14);
        assert_true(i == 0 || history->objective[i] <= history->objective[i - 1]);
    }
    assert_near(outcome->objective, problem_objective(problem, w), 1e-12 * outcome->objective);
    assert_near(outcome->objective, history->objective[history->count - 1],
                1e-12 * outcome->objective);
    assert_near(outcome->bound, history->bound[history->count - 1], 1e-12 * outcome->objective);
}

/* A row of tests/references/reference.tsv and its problem. */
struct reference {
    struct dataset data;
    char name[16], loss[16];
    double lambda, bias, lower, upper;
    struct problem problem;
};

/* Calls `use` for each row. */
static inline void for_references(void (*use)(const struct reference *r)) {
    FILE *file = fopen("tests/references/reference.tsv", "r");
    char line[256], path[64];
    int count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        struct reference r = {0};
        struct svmlight_options options = {.threads = 1};
        if (sscanf(line, "%15s %15s %lf %lf %lf %lf", r.name, r.loss, &r.lambda, &r.bias, &r.lower,
                   &r.upper) != 6 ||
            line[0] == '#' || count++ % PART(1, 3) != 0)
            continue;
        snprintf(path, sizeof path, "data/%s.train", r.name);
        assert_int_equal(dataset_load(path, &options, &r.data, NULL), 0);
        struct scalar_settings scalar = {.data = &r.data,
                                         .target = r.data.label,
                                         .loss = loss_by_name(r.loss),
                                         .parameters = {.tube = 0.1, .quantile = 0.5, .huber = 1},
                                         .bias = r.bias};
        r.problem = (struct problem){.risk = scalar_risk_new(&scalar, NULL),
                                     .regularizer = regularizer_by_name("l2"),
                                     .lambda = r.lambda};
        use(&r);
        risk_free((struct risk *)r.problem.risk);
        dataset_free(&r.data);
    }
    fclose(file);
    assert_true(count > 0);
}

/* ---- problems at the edges */

struct edge {
    const char *name;
    const char *text; /* svmlight */
    const char *loss;
    double lambda;
    const double *weight;
};

static const double zeros_and_ones[] = {0, 1, 0, 1, 1, 0};

static const struct edge edges[] = {
    {"one class", "1 1:1\n1 1:0.5 2:1\n1 2:3\n", "hinge", 1e-3, NULL},
    {"one row", "1 1:1 3:2\n", "hinge", 1e-2, NULL},
    {"one row", "-1 1:1 3:2\n", "logistic", 1e-2, NULL},
    {"empty rows", "1\n-1\n1 1:1\n-1 1:-2\n1\n", "hinge", 1e-3, NULL},
    {"empty rows alone", "1\n-1\n1\n", "hinge", 1e-3, NULL},
    {"all zero", "1 1:0 2:0\n-1 1:0 2:0\n", "logistic", 1e-3, NULL},
    {"zero columns", "1 1:1 5:0\n-1 1:-1 5:0\n-1 1:0.5 9:0\n", "squared-hinge", 1e-3, NULL},
    {"duplicates", "1 1:1 2:1\n1 1:1 2:1\n-1 1:1 2:1\n-1 2:1\n-1 2:1\n", "hinge", 1e-4, NULL},
    {"separable", "1 1:1\n-1 1:-1\n1 1:2\n-1 1:-3\n", "hinge", 1e-6, NULL},
    {"separable", "1 1:1\n-1 1:-1\n1 1:2\n-1 1:-3\n", "logistic", 1e-3, NULL},
    {"lambda 1e-12", "1 1:1 2:3\n-1 1:1 2:1\n1 1:2\n-1 1:3 2:-1\n1 2:-1\n", "hinge", 1e-12, NULL},
    {"lambda 1e-9", "1 1:1 2:3\n-1 1:1 2:1\n1 1:2\n-1 1:3 2:-1\n1 2:-1\n", "hinge", 1e-9, NULL},
    {"lambda 1e-12", "1 1:1 2:3\n-1 1:1 2:1\n1 1:2\n-1 1:3 2:-1\n", "logistic", 1e-12, NULL},
    {"lambda 1e-12", "1.5 1:1 2:3\n-1 1:1 2:1\n2 1:2\n-7 1:3 2:-1\n", "absolute", 1e-12, NULL},
    {"lambda 1e6", "1 1:1 2:3\n-1 1:1 2:1\n1 1:2\n-1 1:3 2:-1\n", "hinge", 1e6, NULL},
    {"lambda 1e6", "5 1:1 2:3\n-9 1:1 2:1\n1 1:2\n-1 1:3 2:-1\n", "squared", 1e6, NULL},
    {"zero targets", "0 1:1 2:3\n0 1:1 2:1\n", "squared", 1e-3, NULL},
    {"weights of zero", "1 1:1 2:3\n-1 1:1 2:1\n1 1:2\n-1 1:3 2:-1\n1 2:-1\n-1 1:9\n", "hinge",
     1e-3, zeros_and_ones},
    {"large values", "1 1:1e100 2:3\n-1 1:1 2:1e100\n1 1:2\n", "hinge", 1e-3, NULL},
    {"values beyond squares", "1 1:1e200 2:3\n-1 1:1 2:1e200\n1 1:2\n", "hinge", 1e-3, NULL},
    {"values beyond squares", "1 1:1e200 2:3\n-1 1:1 2:1e200\n1 1:2\n", "squared", 1e-3, NULL},
    {"small values", "1 1:1e-100 2:3e-100\n-1 1:1e-100 2:1e-100\n", "hinge", 1e-3, NULL},
};

enum { EDGES = sizeof edges / sizeof *edges, EDGE_FEATURES = 16 };

/* An answer with a certificate that is never above J, or an error in one line; in bounded time, and
 * without a number that is none. */
static inline void check_edge(const struct edge *edge, const char *solver, const char *regularizer,
                              const char *const *words) {
    struct dataset data;
    struct svmlight_options options = {.threads = 1};
    FILE *file = tmpfile();
    char path[64];
    fputs(edge->text, file);
    fflush(file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    assert_int_equal(dataset_load(path, &options, &data, NULL), 0);
    fclose(file);
    struct scalar_settings scalar = {.data = &data,
                                     .target = data.label,
                                     .weight = edge->weight,
                                     .loss = loss_by_name(edge->loss),
                                     .parameters = {0.1, 0.5, 1},
                                     .bias = -1};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name(regularizer),
                              .parameters = {.elastic = 0.5},
                              .lambda = edge->lambda};
    double w[EDGE_FEATURES] = {0};
    static struct history history;
    struct outcome o;
    struct error e = {0};
    assert_true(problem.risk->dimension <= EDGE_FEATURES);
    int status = run_with(&problem, solver, words, 1e-6, 2000, w, &history, &o, &e);
    if (status == 0) {
        bool well = o.objective >= 0 && isfinite(o.objective) && o.bound <= o.objective &&
                    !isnan(o.bound) &&
                    fabs(o.objective - problem_objective(&problem, w)) <= 1e-12 * o.objective;
        for (int i = 0; i < history.count; i++)
            well = well && history.bound[i] <= history.objective[i];
        if (!well)
            print_error("%s, %s: objective %g, bound %g\n", edge->name, solver, o.objective,
                        o.bound);
        assert_true(well);
    } else {
        assert_true(e.words[0] != 0 && strchr(e.words, '\n') == NULL);
    }
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

#endif
