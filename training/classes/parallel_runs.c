/* parallel_runs.c - trains several problems at once; see parallel_runs.h. */
#include "training/classes/parallel_runs.h"

#include "io/clock.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

static const double seconds_between_calls = 0.1;

/* How many of the further threads have no run left. */
struct finished {
    int threads;
    pthread_mutex_t mutex;
    pthread_cond_t more;
};

struct runs {
    const struct monitor *monitor;
    atomic_llong next;
    atomic_bool stop; /* a run failed, or the observer ended the training */
    int64_t failed;   /* the first run that failed; INT64_MAX: none */
    struct error error;
    double seconds;
    struct finished finished;
};

/* ---- the end of the further threads, for which the calling one waits */

static void finished_init(struct finished *finished) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    finished->threads = 0;
    pthread_mutex_init(&finished->mutex, NULL);
    pthread_cond_init(&finished->more, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void finished_free(struct finished *finished) {
    pthread_cond_destroy(&finished->more);
    pthread_mutex_destroy(&finished->mutex);
}

static void finished_add(struct finished *finished) {
    pthread_mutex_lock(&finished->mutex);
    finished->threads++;
    pthread_cond_signal(&finished->more);
    pthread_mutex_unlock(&finished->mutex);
}

/* Waits until THREADS are finished, but not after UNTIL, on clock_seconds's clock. Whether they are. */
static bool finished_wait(struct finished *finished, int threads, double until) {
    struct timespec time = {.tv_sec = (time_t)until};
    int status = 0;
    time.tv_nsec = (long)(1e9 * (until - (double)time.tv_sec));
    pthread_mutex_lock(&finished->mutex);
    while (finished->threads < threads && status == 0)
        status = pthread_cond_timedwait(&finished->more, &finished->mutex, &time);
    bool all = finished->threads >= threads;
    pthread_mutex_unlock(&finished->mutex);
    return all;
}

/* ---- the runs */

int parallel_runs_threads(const struct monitor *monitor, int64_t count) {
    int threads = monitor_traces(monitor) ? 1 : omp_get_max_threads();
    return count < threads ? (int)count : threads;
}

int parallel_runs_threads_of(const struct training *training, const struct monitor *monitor,
                             int64_t count) {
    return training->journal != NULL ? 1 : parallel_runs_threads(monitor, count);
}

int64_t parallel_runs_behind(int64_t k, int64_t count, int threads) {
    return (count - 1) / threads - k / threads;
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

/* The calling thread has no run left. Until THREADS further ones have none either, the observer may end theirs. */
static void wait_for_others(struct runs *runs, int threads, struct monitor *monitor) {
    monitor->title = NULL; /* of a run that has ended */
    monitor_resume(monitor);
    while (!finished_wait(&runs->finished, threads, clock_seconds() + seconds_between_calls))
        if (!atomic_load(&runs->stop) && monitor_prepare(monitor))
            atomic_store(&runs->stop, true);
    monitor_pause(monitor);
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
    finished_init(&runs.finished);
#pragma omp parallel num_threads(threads)
    {
        struct monitor own = omp_get_thread_num() > 0 ? silent_monitor(&runs) : *monitor;
        struct monitor *used = omp_get_thread_num() > 0 ? &own : monitor;
        if (omp_get_num_threads() > 1)
            omp_set_num_threads(1); /* of this thread alone */
        work(&runs, count, run, context, used);
        if (omp_get_thread_num() > 0)
            finished_add(&runs.finished);
        else if (omp_get_num_threads() > 1)
            wait_for_others(&runs, omp_get_num_threads() - 1, monitor);
#pragma omp critical(parallel_runs_error)
        runs.seconds = fmax(runs.seconds, monitor_seconds(used));
    }
    finished_free(&runs.finished);
    monitor->settings.checkpoint = checkpoint;
    monitor->seconds += runs.seconds - monitor_seconds(monitor);
    if (runs.failed == INT64_MAX)
        return 0;
    *e = runs.error;
    return -1;
}
