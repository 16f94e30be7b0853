/* threads.h - how many threads work, and how the idle ones wait. */
#ifndef RRM_THREADS_H
#define RRM_THREADS_H

#include <stdbool.h>

/* From here on parallel loops use so many threads. When it is more than one, and they are not IDLE, so
 * little to do that one thread does it all, this may begin the program again: nothing may have been read
 * or written yet. ARGV is main's. */
void threads_use(int count, bool idle, char **argv);

/* Whether FILE ("-": standard input) is so small that work in proportion to it is one thread's. */
bool threads_idle(const char *file);

#endif
