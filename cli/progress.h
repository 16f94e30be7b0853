/* progress.h - shows progress as one line on a terminal, with a forecast of the end. */
#ifndef RRM_PROGRESS_H
#define RRM_PROGRESS_H

#include "solvers/monitor.h"

/* A gap and the time when it was reached. */
struct progress_mark {
    double seconds, gap;
};

struct progress {
    FILE *terminal;
    double shown;                 /* time when the line was last drawn; 0: never */
    struct progress_mark mark[2]; /* of this run, for the forecast; gap 0: none yet */
};

/* The observer's functions; the context is a struct progress. Draws a line at most ten times a second,
 * and clears it at the end of a run. */
void progress_begin(void *context, const struct monitor *monitor);
bool progress_report(void *context, const struct monitor *monitor);
bool progress_wants(void *context);
void progress_end(void *context);

#endif
