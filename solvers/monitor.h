/* monitor.h - what every run has: clock, progress, trace, tolerance, limits, and an observer that may end it.
 *
 * The solver tells, the monitor decides: at the beginning by what measure the run may end (monitor_seek), then what
 * was reached, also after the last report (monitor_confirm). A solver itself ends a run that it knows to be settled
 * or stalled, or at its optimum: the bound is J, no example has a loss at w = 0, `enough` of the problem holds, or
 * the steps that --guarantee asks for are done. A solver calls monitor_report at its natural pauses (once a pass or
 * iteration) with what it knows, and stops when the verdict says so; within a pass it may ask monitor_poll, which is
 * cheap. Time spent between monitor_pause and monitor_resume (evaluating J for the trace alone) does not count as
 * training time. */
#ifndef RRM_MONITOR_H
#define RRM_MONITOR_H

#include "io/communicator.h"
#include "io/error.h"
#include "solvers/checkpoint.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum verdict {
    VERDICT_GO_ON,
    VERDICT_CONVERGED,  /* the tolerance was reached */
    VERDICT_SETTLED,    /* the method does not expect J to fall much further; no bound proves it */
    VERDICT_STALLED,    /* rounding ended all progress before the tolerance */
    VERDICT_PASSES,     /* the pass limit came first */
    VERDICT_TIME,       /* the time limit came first */
    VERDICT_INTERRUPTED /* the observer ended it */
};

/* "converged", "settled", "limit", "interrupted": the word that the model file keeps. */
const char *verdict_status(enum verdict verdict);

struct report {
    int64_t iteration;
    double passes;
    double objective; /* J; not-a-number when it was not evaluated */
    double bound;     /* lower bound of min J; -infinity when there is none */
    int64_t nonzeros; /* of w; -1 when not counted */
    double norm;      /* ||w||; not-a-number when not known */
    double delta;     /* distance from optimality; not-a-number when not known */
    bool inexact;     /* these numbers are estimates, by which no run ends as converged */
};

/* What ends a run, once it is within the tolerance. */
enum criterion {
    CRITERION_GAP,        /* the certified relative gap, (J - bound)/|J|, unless epsilon is 0 */
    CRITERION_OPTIMALITY, /* delta of the report: what it measures is the solver's affair */
    CRITERION_BOTH        /* delta and the gap; or the gap alone, at 1/100 of the tolerance */
};

/* Seconds by which the first evaluation, or the way to a safe point, may exceed the time limit. */
static const double monitor_overtime = 1;

struct monitor;

/* Whom a run tells what happens, and who may end it. Each function may be NULL, and is called by the thread
 * that trains. */
struct monitor_observer {
    void *context; /* of each call */

    /* True once the runs are to end and keep what there is. Asked often, also within a pass, and then by
     * any thread. */
    bool (*interrupted)(void *context);

    /* What ends them then, as a sentence begins: "a signal came". NULL: "the training was interrupted". */
    const char *interruption;

    /* Before the first run, about ten times a second, while a feature map is made. True: as `interrupted`. */
    bool (*prepare)(void *context, const struct monitor *monitor);

    /* A run begins: its title is monitor->title. */
    void (*begin)(void *context, const struct monitor *monitor);

    /* After each report, monitor->last. True: as `interrupted`. */
    bool (*report)(void *context, const struct monitor *monitor);

    /* Whether J is wanted in the next report, even if it has to be evaluated for that alone. */
    bool (*wants)(void *context);

    void (*end)(void *context);

    /* What people should know, one sentence without a newline. */
    void (*warn)(void *context, const char *text);
};

struct monitor_settings {
    double epsilon;    /* -e: each run's tolerance, unless its solver names another */
    double passes;     /* stop after so many; infinite: no limit */
    double time_limit; /* seconds of training; infinite: no limit */
    FILE *trace;       /* a row per report; NULL: none. Owned by the caller */
    struct communicator *communicator; /* whose clock counts; NULL: that of this process */
    struct monitor_observer observer;  /* all zero: none */
    struct checkpoint *checkpoint; /* from which runs go on, and to which they save; NULL: none */
};

struct monitor {
    struct monitor_settings settings;
    double time_limit;        /* of all runs together; that of the settings may be a run's share */
    struct report last;       /* the latest report */
    double seconds;           /* training time before `since` */
    double since;             /* the clock when it was last started; not-a-number while paused */
    double began;             /* training time at the beginning of this run */
    double kept_back;         /* of the time limit: seconds for what follows this run's last step */
    enum criterion criterion; /* of this run */
    double tolerance;         /* of this run: where it is 0, no tolerance was asked for */
    int64_t runs;             /* begun so far */
    const char *title;        /* of the present run; NULL: none */
    bool header;              /* the trace has its header line */
    bool interrupted;         /* the observer's `report` said so */
    /* the trace of a run that goes on, until it is where it was; otherwise NULL */
    FILE *later_trace;
    int64_t trace_place; /* of its end then; -1: not known */
    int64_t place;       /* of the training, which this run is: set by who trains several */
    state_visit *visit;  /* lists what the solver carries */
    void *carried;
    bool saves; /* the run ends at an interruption once it has saved its state: at a safe point */
    bool asked; /* meanwhile the observer's `report` asked for it */
    /* passes after which a trial ends as at -p, by what it reports and the passes of the settings; NULL: it is none */
    double (*allowed)(const struct report *report, double passes);
    double safe; /* training time at the last safe point of this run, or at its beginning */
    bool kept;   /* the state was saved there, as the time limit was near */
    bool cut;    /* the time limit may have ended the last run between two safe points */
    bool closes; /* between monitor_close and monitor_closed, `saves` is off for that time */
    int64_t closing_place; /* of the trace's end when that, or a run, began; -1: not known */
};

void monitor_init(struct monitor *monitor, const struct monitor_settings *settings);

/* With a checkpoint: the clock, the trace and the count of runs go on from it. Before the first run. 0, or -1 with the
 * error set. */
int monitor_go_on(struct monitor *monitor, struct error *e);

/* A part of the training that has parts itself enters the checkpoint, with what it carries (checkpoint.h); without a
 * checkpoint CHECKPOINT_BEGINS. */
enum checkpoint_entry monitor_enter(struct monitor *monitor, state_visit *visit, void *context,
                                    struct error *e);

/* The levels entered; those after the first DEPTH are left. */
int monitor_depth(const struct monitor *monitor);
void monitor_leave(struct monitor *monitor, int depth);

/* The same for a solver's run, before its first step. VISIT lists what its loop carries at its safe point, where it
 * calls monitor_save. From here on an interruption ends the run there alone. CHECKPOINT_GOES_ON: what begins a loop
 * is not to be done. */
enum checkpoint_entry monitor_enter_run(struct monitor *monitor, state_visit *visit, void *context,
                                        struct error *e);

/* Writes the levels of a checkpoint. One that cannot be written is a warning. */
void monitor_write(struct monitor *monitor, struct checkpoint *checkpoint);

/* A safe point: saves the state if that is due, if the time limit may come before the next one, or if the observer
 * wants the runs to end: then true. A state that cannot be written is a warning. The time limit waits a second for a
 * safe point if none was expected to be the last. */
bool monitor_save(struct monitor *monitor);

/* Before monitor_end: saves the state where a run without a safe point was cut off, which is then made again from its
 * beginning. The levels are those around the run. */
void monitor_save_unsaved(struct monitor *monitor);

/* After the loop, a safe point from which a long search for a bound or a better point goes out: from here to
 * monitor_closed a limit or an interruption ends it at once. It leaves what the run carries as it is. */
void monitor_close(struct monitor *monitor);

/* Its end: VERDICT, or what cut the search off. Then the state is saved as it was at monitor_close. */
enum verdict monitor_closed(struct monitor *monitor, enum verdict verdict);

/* Starts the clock of a run (from where the last run left it); TITLE, such as "label 3", may be
 * NULL and must outlive the run. Its criterion is the certified gap, to settings.epsilon. */
void monitor_begin(struct monitor *monitor, const char *title);

/* Another criterion for this run: for solvers, before their first report. */
void monitor_seek(struct monitor *monitor, enum criterion criterion, double tolerance);

/* -e, for solvers that derive other tolerances from it. */
double monitor_epsilon(const struct monitor *monitor);

/* Keeps SECONDS of the time limit, but at most half of what this run may take, for what follows its last step, such as
 * an evaluation of J: monitor_poll then ends it so much earlier. */
void monitor_keep_back(struct monitor *monitor, double seconds);

/* The largest J - bound that CRITERION_GAP accepts at this J, and that CRITERION_BOTH accepts alone. */
double monitor_gap(const struct monitor *monitor, double objective);
double monitor_gap_alone(const struct monitor *monitor, double objective);

/* Whether this J and this bound are within that gap. */
bool monitor_closes(const struct monitor *monitor, double objective, double bound);

/* Whether delta counts in this run, and is within the tolerance. */
bool monitor_optimal(const struct monitor *monitor, double delta);

/* What a run ends with whose bound rose, or whose J fell, after the report that had this verdict: VERDICT_CONVERGED
 * where the gap is within the tolerance by now, unless it was cut off. */
enum verdict monitor_confirm(const struct monitor *monitor, enum verdict verdict, double objective,
                             double bound);

/* Stops the clock. */
void monitor_end(struct monitor *monitor);

void monitor_pause(struct monitor *monitor);
void monitor_resume(struct monitor *monitor);

/* Seconds of training so far, over all runs. */
double monitor_seconds(const struct monitor *monitor);

/* Whether there is a trace, though perhaps one that waits for its place. */
bool monitor_traces(const struct monitor *monitor);

/* True when J is shown: in a trace, or to an observer that wants it. */
bool monitor_watched(const struct monitor *monitor);

/* Records the report and decides. The tolerance is looked at first, then the observer, passes, time. */
enum verdict monitor_report(struct monitor *monitor, const struct report *report);

/* Tells the observer that no run has begun yet, but something long is prepared. Whether the observer ends it. */
bool monitor_prepare(struct monitor *monitor);

/* True once the observer has asked the runs to end. */
bool monitor_interrupted(const struct monitor *monitor);

/* What ended the runs then: the observer's words. */
const char *monitor_interruption(const struct monitor *monitor);

/* Tells the observer what people should know; the format makes one sentence without a newline. */
void monitor_warn(const struct monitor *monitor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The observer and the time limit alone, for use inside a pass. */
enum verdict monitor_poll(const struct monitor *monitor);

#endif
