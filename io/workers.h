/* workers.h - numbered tasks, shared out among threads.
 *
 * OpenMP is not used here: loading takes milliseconds, and OpenMP's threads spin at the end of a region. On a busy
 * machine the thread that they wait for may be queued behind the spinning ones. A thread that joins sleeps instead. */
#ifndef RRM_WORKERS_H
#define RRM_WORKERS_H

#include <stdint.h>

/* One thread's part: takes tasks with workers_next until that is -1. */
struct workers;
typedef void workers_function(struct workers *workers, void *context);

/* The number of threads, 1 to COUNT (at most 1024, with the caller's), that can run at once now. Called before OpenMP
 * starts them, since its runtime ends the program if a limit of processes forbids one. */
int workers_possible(int count);

/* Runs FUNCTION on up to THREADS threads, the caller's among them, for tasks 0 .. COUNT - 1, and
 * returns when all are done. If threads cannot be created, fewer run the tasks. */
void workers_run(int threads, int64_t count, workers_function *function, void *context);

/* The next task, each number once, in ascending order over all threads; -1 when none is left. */
int64_t workers_next(struct workers *workers);

#endif
