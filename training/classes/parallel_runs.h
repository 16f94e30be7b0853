/* parallel_runs.h - trains several problems at once, one on each thread. */
#ifndef RRM_PARALLEL_RUNS_H
#define RRM_PARALLEL_RUNS_H

#include "solvers/monitor.h"
#include "training/classes/training.h"

/* Trains problem K of a context, with a monitor of its own; -1 with the error set. */
typedef int parallel_run(void *context, int64_t k, struct monitor *monitor, struct error *e);

/* The threads that parallel_runs uses for COUNT problems: those that OpenMP has for the calling thread; one with a
 * trace, whose rows are in the order of the problems. */
int parallel_runs_threads(const struct monitor *monitor, int64_t count);

/* The threads for COUNT parts of a training: one with a journal, which counts their vectors in order. */
int parallel_runs_threads_of(const struct training *training, const struct monitor *monitor,
                             int64_t count);

/* Of COUNT problems on so many threads: how many a thread has left once it is through with problem K. */
int64_t parallel_runs_behind(int64_t k, int64_t count, int threads);

/* Calls RUN for k = 0 .. COUNT - 1. Several threads take the next k each; the solvers inside have one thread each. Only
 * the runs of the calling thread are shown to the observer. Once that thread has none left, it asks the observer about
 * ten times a second (monitor_prepare) until the others end. After an interruption no run but the first is begun. 0, or
 * -1 with the error of the first run that failed. */
int parallel_runs(struct monitor *monitor, int64_t count, parallel_run *run, void *context,
                  struct error *e);

#endif
