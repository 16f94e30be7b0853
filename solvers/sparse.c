/* sparse.c - what the online solvers of sparse models share. */
#include "solvers/sparse.h"

#include "io/memory.h"
#include "solvers/gamma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sparse_regularizers[] = {"l1", "elastic-net", NULL};

static const double trial_passes = 1;

struct trial {
    const struct solver *solver;
    const struct run_settings *run;
    const void *own;
    const struct monitor *monitor; /* of the run that wants gamma; NULL: no limits */
};

/* J where a short run from 0 over the sample ends; false when there is no time for one. */
static bool run_trial(void *opaque, const struct problem *sample, double gamma, double *result) {
    const struct trial *trial = opaque;
    const struct solver *solver = trial->solver;
    const struct monitor_settings silent = {.passes = trial_passes, .time_limit = INFINITY};
    struct run_settings run = *trial->run;
    struct outcome outcome;
    struct monitor monitor;
    double objective = INFINITY;
    if (trial->monitor != NULL && monitor_poll(trial->monitor) != VERDICT_GO_ON)
        return false;
    struct sparse_settings *own = memory_new(1, solver->settings_size, "settings", NULL);
    double *w = memory_zeroed(sample->risk->dimension, sizeof *w, "a point", NULL);
    if (own != NULL && w != NULL) {
        memcpy(own, trial->own, solver->settings_size);
        own->gamma = gamma;
        run.passes = trial_passes;
        run.warm = false;
        run.uncertified = true;
        monitor_init(&monitor, &silent);
        monitor_begin(&monitor, NULL);
        if (solver->train(sample, &run, own, &monitor, w, &outcome, NULL) == 0)
            objective = outcome.objective;
        monitor_end(&monitor);
    }
    free(own);
    free(w);
    *result = objective;
    return true;
}

double sparse_gamma(const struct solver *solver, const struct problem *problem,
                    const struct run_settings *run, const void *own,
                    const struct monitor *monitor) {
    const struct sparse_settings *settings = own;
    struct trial trial = {.solver = solver, .run = run, .own = own, .monitor = monitor};
    return settings->gamma > 0 ? settings->gamma
                               : gamma_search(problem, run->seed, run_trial, &trial);
}

int sparse_batch_init(struct sparse_batch *batch, const struct problem *problem,
                      const struct run_settings *run, struct error *e) {
    *batch =
        (struct sparse_batch){.parts = problem->risk->scalar, .size = passes_batch(problem, run)};
    batch->row = memory_new(batch->size, sizeof *batch->row, "the batch", e);
    batch->derivative = memory_new(batch->size, sizeof *batch->derivative, "the batch", e);
    if (batch->row == NULL || batch->derivative == NULL)
        return -1;
    return sampler_init(&batch->sampler, problem->risk, true, run->seed, run->stream, e);
}

void sparse_batch_free(struct sparse_batch *batch) {
    sampler_free(&batch->sampler);
    free(batch->row);
    free(batch->derivative);
}
