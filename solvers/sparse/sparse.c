/* sparse.c - the batches of sgd, tg, fobos and rda, and their search for gamma. */
#include "solvers/sparse/sparse.h"

#include "io/memory.h"
#include "solvers/sparse/gamma.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sparse_regularizers[] = {"l1", "elastic-net", NULL};
const char *const sparse_steps[] = {"auto", "corrected", "anneal", "sqrt", NULL};

static const double max_trial_passes = 20;

struct trial {
    const struct solver *solver;
    const struct solve *solve; /* the run that gamma is for; without a monitor: no limits */
    struct error error;        /* set when memory was short */
    bool cut;                  /* the time ended them */
};

/* Whether the trials are to end. */
static bool is_stopped(void *monitor) {
    return monitor_poll(monitor) != VERDICT_GO_ON;
}

/* J after one short run from w = 0; infinite where it fails. Only a lack of memory is kept as an error. */
static double run_once(struct trial *trial, const struct problem *sample,
                       const struct sparse_settings *options, double *w) {
    struct run_settings run = *trial->solve->run;
    struct monitor_settings silent = {.passes = fmin(run.passes, max_trial_passes),
                                      .time_limit = INFINITY};
    struct outcome outcome;
    struct monitor monitor;
    struct error error = {0};
    run.passes = silent.passes;
    run.warm = false;
    run.uncertified = true;
    if (trial->solve->monitor != NULL) { /* what ends the trials ends each of them, too */
        silent.observer.context = trial->solve->monitor;
        silent.observer.interrupted = is_stopped;
    }
    monitor_init(&monitor, &silent);
    monitor_begin(&monitor, NULL);
    int status =
        trial->solver->train(&(struct solve){sample, &run, options, &monitor, w, &outcome}, &error);
    monitor_end(&monitor);
    if (error.kind == ERROR_MEMORY)
        trial->error = error;
    return status == 0 ? outcome.objective : INFINITY;
}

/* A gamma_trial: J after a short run from w = 0 over the sample, with this gamma. */
static bool run_trial(void *opaque, const struct problem *sample, double gamma, double *result) {
    struct trial *trial = opaque;
    size_t size = trial->solver->settings_size;
    trial->cut = trial->solve->monitor != NULL && is_stopped(trial->solve->monitor);
    if (trial->cut)
        return false;
    struct sparse_settings *options = memory_new(1, size, "settings", &trial->error);
    double *w = memory_zeroed(sample->risk->dimension, sizeof *w, "a point", &trial->error);
    if (options != NULL && w != NULL) {
        memcpy(options, trial->solve->options, size);
        options->gamma = gamma;
        *result = run_once(trial, sample, options, w);
    }
    free(options);
    free(w);
    trial->cut = trial->solve->monitor != NULL && is_stopped(trial->solve->monitor);
    return trial->error.kind == ERROR_NONE && !trial->cut;
}

/* Half of the time limit is for the run itself; a run with a checkpoint can go on later, with the same gamma. */
static void limit_trials(struct monitor *monitor) {
    if (monitor != NULL && monitor->settings.checkpoint == NULL)
        monitor_keep_back(monitor, INFINITY);
}

static void end_trials(const struct trial *trial, double gamma) {
    struct monitor *monitor = trial->solve->monitor;
    struct outcome *outcome = trial->solve->outcome;
    if (monitor == NULL)
        return;
    monitor_keep_back(monitor, 0);
    if (trial->cut && outcome != NULL && !monitor_interrupted(monitor))
        snprintf(outcome->note, sizeof outcome->note,
                 "the time limit cut short the search for --gamma, which is %.3g; give it, or more "
                 "time",
                 gamma);
}

double sparse_gamma(const struct solver *solver, const struct solve *solve, double growth,
                    struct error *e) {
    const struct sparse_settings *settings = solve->options;
    struct trial trial = {.solver = solver, .solve = solve};
    if (settings->gamma > 0)
        return settings->gamma;
    double fraction = settings->sample_fraction > 0 ? settings->sample_fraction : 1;
    limit_trials(solve->monitor);
    double gamma = gamma_search(solve->problem, fraction, solve->run->seed, growth, run_trial,
                                &trial, &trial.error);
    end_trials(&trial, gamma);
    if (trial.error.kind != ERROR_NONE)
        error_pass(e, &trial.error);
    return trial.error.kind == ERROR_NONE ? gamma : 0;
}

double sparse_corrected_growth(const struct problem *problem) {
    return isfinite(problem->risk->scalar->loss->curvature) ? 1 : 0.5;
}

int sparse_batch_init(struct sparse_batch *batch, const struct problem *problem,
                      const struct run_settings *run, struct error *e) {
    *batch =
        (struct sparse_batch){.terms = problem->risk->scalar, .size = passes_batch(problem, run)};
    batch->row = memory_new(batch->size, sizeof *batch->row, "the batch", e);
    batch->derivative = memory_new(batch->size, sizeof *batch->derivative, "the batch", e);
    if (batch->row == NULL || batch->derivative == NULL)
        return -1;
    return sampler_init(&batch->sampler, problem->risk, true, batch->size, run->seed, run->stream,
                        e);
}

void sparse_batch_free(struct sparse_batch *batch) {
    sampler_free(&batch->sampler);
    free(batch->row);
    free(batch->derivative);
}
