/* workers.h - numbered tasks, shared out among threads.
 *
 * Why not OpenMP here: loading is over in milliseconds, and its runtime spins at the end of a
 * region. On a busy machine the thread that it waits for may be queued behind that very loop; a
 * thread that joins sleeps, and costs nothing if the others did all the work meanwhile. */
#ifndef RRM_WORKERS_H
#define RRM_WORKERS_H

#include <stdint.h>

/* One thread's part: takes tasks with workers_next until that is -1. */
struct workers;
typedef void workers_function(struct workers *workers, void *context);

/* How many of COUNT threads (at most 1024), the caller's among them, there can be at once now: where a limit of processes
 * forbids one, OpenMP's runtime would end the program. At least 1. */
int workers_possible(int count);

/* Runs FUNCTION on up to THREADS threads, the caller's among them, for tasks 0 .. COUNT - 1, and
 * returns when all are done. With fewer threads than asked for (none could be made) it works too.
 */
void workers_run(int threads, int64_t count, workers_function *function, void *context);

/* The next task, each number once, in ascending order over all threads; -1 when none is left. */
int64_t workers_next(struct workers *workers);

#endif
