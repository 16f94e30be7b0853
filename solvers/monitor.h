/* monitor.h - what every run has: clock, progress, trace, limits, signals.
 *
 * The solver tells, the monitor decides. A solver calls monitor_report at its natural pauses (once
 * a pass or iteration) with what it knows, and stops when the verdict says so; within a pass it may
 * ask monitor_poll, which is cheap. Time spent between monitor_pause and monitor_resume (evaluating
 * J for the trace alone) does not count as training time. */
#ifndef RRM_MONITOR_H
#define RRM_MONITOR_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum verdict {
    VERDICT_GO_ON,
    VERDICT_CONVERGED,  /* the tolerance was reached */
    VERDICT_STALLED,    /* rounding ended all progress before the tolerance */
    VERDICT_PASSES,     /* the pass limit came first */
    VERDICT_TIME,       /* the time limit came first */
    VERDICT_INTERRUPTED /* SIGINT, SIGTERM or SIGHUP */
};

/* "converged", "limit", "interrupted": the word that the model file keeps. */
const char *verdict_status(enum verdict verdict);

struct report {
    int64_t iteration;
    double passes;
    double objective; /* J; not-a-number when it was not evaluated */
    double bound;     /* lower bound of min J; -infinity when there is none */
    int64_t nonzeros; /* of w; -1 when not counted */
    double norm;      /* ||w||; not-a-number when not known */
    double delta;     /* distance from optimality (optimality.h); not-a-number when not known */
};

struct monitor_settings {
    double epsilon;    /* stop at this certified relative gap (J - bound)/J; 0: never */
    double passes;     /* stop after so many; infinite: no limit */
    double time_limit; /* seconds of training; infinite: no limit */
    FILE *trace;       /* a row per report; NULL: none. Owned by the caller */
    FILE *terminal;    /* one live line of progress; NULL: none */
};

/* A gap, and when it was reached. */
struct monitor_mark {
    double seconds, gap;
};

struct monitor {
    struct monitor_settings settings;
    double time_limit;  /* of all runs together; that of the settings may be a run's share */
    struct report last; /* the latest report */
    double seconds;     /* training time before `since` */
    double since;       /* the clock when it was last started; not-a-number while paused */
    double shown;       /* the clock when the live line was last drawn */
    double began;       /* training time at the beginning of this run */
    int64_t runs;       /* begun so far */
    struct monitor_mark mark[2]; /* of this run, for the forecast; gap 0: none yet */
    const char *title;           /* of the present run, for the live line; NULL: none */
    bool header;                 /* the trace has its header line */
};

/* Installs handlers for SIGINT and SIGTERM (also where a script's background job inherited them
 * ignored) and for SIGHUP (unless it is ignored, as by nohup): the first signal asks every run to end
 * and save what there is, the second ends the process at once. */
void monitor_catch_signals(void);

/* True once a signal came. */
bool monitor_signalled(void);

/* Ends the process by the signal that came, so that a shell sees it and ends its loop or makefile, too
 * (status 130, 143 or 129); returns when none came. To be called last, when all files are written. */
void monitor_end_by_signal(void);

void monitor_init(struct monitor *monitor, const struct monitor_settings *settings);

/* Starts the clock of a run (from where the last run left it); TITLE, such as "label 3", may be
 * NULL and must outlive the run. */
void monitor_begin(struct monitor *monitor, const char *title);

/* Stops the clock and clears the live line. */
void monitor_end(struct monitor *monitor);

void monitor_pause(struct monitor *monitor);
void monitor_resume(struct monitor *monitor);

/* Seconds of training so far, over all runs. */
double monitor_seconds(const struct monitor *monitor);

/* True when somebody would see J: a trace, or a live line that is due. */
bool monitor_watched(const struct monitor *monitor);

/* Records the report and decides. The tolerance is looked at first, then the signal, passes, time.
 */
enum verdict monitor_report(struct monitor *monitor, const struct report *report);

/* The signal and the time limit alone, for use inside a pass. */
enum verdict monitor_poll(const struct monitor *monitor);

#endif
