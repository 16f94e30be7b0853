/* parallel_runs.c - trains several problems at once; see parallel_runs.h. */
#include "training/classes/parallel_runs.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>

struct runs {
    const struct monitor *monitor;
    atomic_llong next;
    atomic_bool stop; /* a run failed, or the observer ended the training */
    int64_t failed;   /* the first run that failed; INT64_MAX: none */
    struct error error;
    double seconds;
};

int parallel_runs_threads(const struct monitor *monitor, int64_t count) {
    int threads = monitor_traces(monitor) ? 1 : omp_get_max_threads();
    return count < threads ? (int)count : threads;
}

/* Whether the training is to end: a monitor_observer's `interrupted` of the further threads. */
static bool is_stopped(void *context) {
    const struct runs *runs = context;
    return atomic_load(&runs->stop) || monitor_interrupted(runs->monitor);
}

/* The monitor of a further thread: no observer sees its runs. */
static struct monitor silent_monitor(struct runs *runs) {
    struct monitor own = *runs->monitor;
    own.settings.observer = (struct monitor_observer){.context = runs, .interrupted = is_stopped};
    return own;
}

static void keep_error(struct runs *runs, int64_t k, const struct error *e) {
#pragma omp critical(parallel_runs_error)
    if (k < runs->failed) {
        runs->failed = k;
        runs->error = *e;
    }
    atomic_store(&runs->stop, true);
}

/* Takes one problem after another. */
static void work(struct runs *runs, int64_t count, parallel_run *run, void *context,
                 struct monitor *monitor) {
    for (int64_t k = atomic_fetch_add(&runs->next, 1); k < count;
         k = atomic_fetch_add(&runs->next, 1)) {
        struct error e = {0};
        if (atomic_load(&runs->stop) || (k > 0 && monitor_interrupted(monitor)))
            return;
        if (run(context, k, monitor, &e) != 0)
            keep_error(runs, k, &e);
        if (monitor_interrupted(monitor))
            atomic_store(&runs->stop, true);
    }
}

int parallel_runs(struct monitor *monitor, int64_t count, parallel_run *run, void *context,
                  struct error *e) {
    int threads = parallel_runs_threads(monitor, count);
    struct checkpoint *checkpoint = monitor->settings.checkpoint;
    if (threads > 1) /* the state of several at once cannot be saved */
        monitor->settings.checkpoint = NULL;
    struct monitor shared = *monitor; /* as the other threads copy it */
    struct runs runs = {
        .monitor = &shared, .failed = INT64_MAX, .seconds = monitor_seconds(monitor)};
#pragma omp parallel num_threads(threads)
    {
        struct monitor own = omp_get_thread_num() > 0 ? silent_monitor(&runs) : *monitor;
        struct monitor *used = omp_get_thread_num() > 0 ? &own : monitor;
        if (omp_get_num_threads() > 1)
            omp_set_num_threads(1); /* of this thread alone */
        work(&runs, count, run, context, used);
#pragma omp critical(parallel_runs_error)
        runs.seconds = fmax(runs.seconds, monitor_seconds(used));
    }
    monitor->settings.checkpoint = checkpoint;
    monitor->seconds += runs.seconds - monitor_seconds(monitor);
    if (runs.failed == INT64_MAX)
        return 0;
    *e = runs.error;
    return -1;
}
