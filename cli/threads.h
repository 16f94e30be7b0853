/* threads.h - how many threads work, and how the idle ones wait. */
#ifndef RRM_THREADS_H
#define RRM_THREADS_H

/* From here on parallel loops use so many threads. When it is more than one, and the file DATA ("-":
 * standard input) so large that threads will be used, this may begin the program again: nothing may
 * have been read or written yet. ARGV is main's. */
void threads_use(int count, const char *data, char **argv);

#endif
