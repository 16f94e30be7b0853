/* memory_limit.h - the memory that this process may use. */
#ifndef RRM_MEMORY_LIMIT_H
#define RRM_MEMORY_LIMIT_H

/* Bytes: the least of the limits of the process (ulimit -v, -d) and of its control groups; infinite without one. Linux
 * kills a process beyond those of a control group. */
double memory_limit_of_process(void);

#endif
