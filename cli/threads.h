/* threads.h - sets the number of threads and how idle threads wait. */
#ifndef RRM_THREADS_H
#define RRM_THREADS_H

#include <stdbool.h>

/* Sets the number of threads of parallel loops. If it is more than one and not IDLE (IDLE: the work is so small
 * that one thread does all of it), the program may execute itself again, so nothing may have been read or written
 * before. ARGV is main's. */
void threads_use(int count, bool idle, char **argv);

/* Executes the program again with threads that sleep when they are idle, unless the environment says how they wait.
 * Nothing may have been read or written before. */
void threads_sleep_when_idle(char **argv);

/* Whether FILE ("-": standard input) is so small that one thread does all work. */
bool threads_idle(const char *file);

#endif
