/* monitor.c - clock, progress, trace and limits of a run. */
#include "solvers/monitor.h"

#include "io/clock.h"

#include <math.h>
#include <stdarg.h>
#include <unistd.h>

enum { WARNING_BYTES = 512 }; /* bytes of a warning */

const char *verdict_status(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_CONVERGED:
        return "converged";
    case VERDICT_SETTLED:
        return "settled";
    case VERDICT_INTERRUPTED:
        return "interrupted";
    default:
        return "limit";
    }
}

static double now(const struct monitor *monitor) {
    if (monitor->settings.communicator != NULL)
        return monitor->settings.communicator->seconds;
    return clock_seconds();
}

void monitor_init(struct monitor *monitor, const struct monitor_settings *settings) {
    *monitor = (struct monitor){.settings = *settings,
                                .time_limit = settings->time_limit,
                                .since = NAN,
                                .tolerance = settings->epsilon};
}

static const struct report no_report = {
    .objective = NAN, .bound = -INFINITY, .nonzeros = -1, .delta = NAN};

/* ---- checkpoints */

static int64_t trace_end(const struct monitor *monitor) {
    FILE *trace = monitor->settings.trace;
    return trace != NULL && fflush(trace) == 0 ? ftell(trace) : -1;
}

static void visit_clock(struct state *state, void *context) {
    struct monitor *monitor = context;
    double seconds = monitor_seconds(monitor);
    int64_t place = state_reads(state) ? -1
                    : monitor->closes  ? monitor->closing_place
                                       : trace_end(monitor);
    STATE_REALS(state, &seconds);
    monitor->runs = state_integer(state, monitor->runs, 0, INT64_MAX);
    monitor->header = state_flag(state, monitor->header);
    place = state_integer(state, place, -1, INT64_MAX);
    if (!state_reads(state))
        return;
    monitor->seconds = seconds;
    monitor->since = NAN;
    monitor->trace_place = place;
}

/* Of the solver's run: who visits, and what. */
static void visit_run(struct state *state, void *context) {
    struct monitor *monitor = context;
    STATE_REALS(state, &monitor->began);
    state_integer(state, monitor->place, monitor->place, monitor->place);
    monitor->runs = state_integer(state, monitor->runs, 0, INT64_MAX);
    monitor->visit(state, monitor->carried);
}

/* All is as it was: the trace goes on where the state was written. What was written of it later is cut off. */
static void reopen_trace(struct monitor *monitor) {
    FILE *trace = monitor->later_trace;
    if (trace == NULL || checkpoint_reads(monitor->settings.checkpoint))
        return;
    int64_t place = monitor->trace_place;
    if (place >= 0 && fseek(trace, 0, SEEK_END) == 0 && ftell(trace) >= place &&
        ftruncate(fileno(trace), place) == 0)
        fseek(trace, place, SEEK_SET);
    monitor->settings.trace = trace;
    monitor->later_trace = NULL;
}

enum checkpoint_entry monitor_enter(struct monitor *monitor, state_visit *visit, void *context,
                                    struct error *e) {
    struct checkpoint *checkpoint = monitor->settings.checkpoint;
    if (checkpoint == NULL)
        return CHECKPOINT_BEGINS;
    enum checkpoint_entry entry = checkpoint_enter(checkpoint, visit, context, e);
    reopen_trace(monitor);
    return entry;
}

int monitor_depth(const struct monitor *monitor) {
    struct checkpoint *checkpoint = monitor->settings.checkpoint;
    return checkpoint == NULL ? 0 : checkpoint_depth(checkpoint);
}

void monitor_leave(struct monitor *monitor, int depth) {
    if (monitor->settings.checkpoint != NULL)
        checkpoint_leave(monitor->settings.checkpoint, depth);
}

int monitor_go_on(struct monitor *monitor, struct error *e) {
    struct checkpoint *checkpoint = monitor->settings.checkpoint;
    if (checkpoint != NULL && checkpoint_reads(checkpoint)) {
        monitor->later_trace = monitor->settings.trace;
        monitor->settings.trace = NULL;
    }
    return monitor_enter(monitor, visit_clock, monitor, e) == CHECKPOINT_REFUSED ? -1 : 0;
}

enum checkpoint_entry monitor_enter_run(struct monitor *monitor, state_visit *visit, void *context,
                                        struct error *e) {
    monitor->visit = visit;
    monitor->carried = context;
    /* what was found before, such as the size of steps, may have been cut off; before `kept` changes, which moves the
     * limit */
    monitor->saves = monitor->settings.checkpoint != NULL && monitor_poll(monitor) == VERDICT_GO_ON;
    monitor->kept = false;
    return monitor_enter(monitor, visit_run, monitor, e);
}

void monitor_write(struct monitor *monitor, struct checkpoint *checkpoint) {
    struct error e = {0};
    if (checkpoint_write(checkpoint, &e) != 0)
        monitor_warn(monitor, "the checkpoint %s was not written: %s", e.file, e.words);
}

/* The training time at which the steps of this run end. */
static double last_second(const struct monitor *monitor) {
    return monitor->settings.time_limit - monitor->kept_back;
}

/* Whether the time limit may come before the next safe point: that one may be twice as far as the last one was. */
static bool may_be_last(struct monitor *monitor) {
    double seconds = monitor_seconds(monitor), taken = seconds - monitor->safe;
    monitor->safe = seconds;
    return isfinite(monitor->settings.time_limit) && seconds + 2 * taken >= last_second(monitor);
}

bool monitor_save(struct monitor *monitor) {
    const struct monitor_observer *observer = &monitor->settings.observer;
    if (!monitor->saves)
        return false;
    monitor->kept = may_be_last(monitor);
    monitor->interrupted = monitor->asked || (observer->interrupted != NULL &&
                                              observer->interrupted(observer->context));
    if (monitor->interrupted || monitor->kept || checkpoint_due(monitor->settings.checkpoint))
        monitor_write(monitor, monitor->settings.checkpoint);
    return monitor->interrupted;
}

void monitor_save_unsaved(struct monitor *monitor) {
    struct checkpoint *checkpoint = monitor->settings.checkpoint;
    if (checkpoint == NULL || checkpoint_reads(checkpoint) || monitor->saves ||
        monitor_poll(monitor) == VERDICT_GO_ON)
        return;
    monitor->closes = true; /* the trace ends where the run began */
    monitor->runs--;
    monitor_write(monitor, checkpoint);
    monitor->runs++;
    monitor->closes = false;
}

void monitor_close(struct monitor *monitor) {
    monitor->closes = monitor->saves;
    monitor->closing_place = trace_end(monitor);
    monitor->interrupted = monitor->interrupted || monitor->asked;
    monitor->saves = false;
}

enum verdict monitor_closed(struct monitor *monitor, enum verdict verdict) {
    enum verdict cut = monitor_poll(monitor);
    monitor->saves = monitor->closes;
    if (cut != VERDICT_GO_ON && monitor->saves) {
        monitor->kept = true;
        monitor->interrupted = cut == VERDICT_INTERRUPTED;
        monitor_write(monitor, monitor->settings.checkpoint);
    }
    monitor->closes = false;
    return cut == VERDICT_GO_ON ? verdict : cut;
}

/* ---- runs */

void monitor_begin(struct monitor *monitor, const char *title) {
    monitor->closing_place = trace_end(monitor);
    monitor->title = title;
    monitor->runs++;
    monitor_seek(monitor, CRITERION_GAP, monitor->settings.epsilon);
    monitor->last = no_report;
    if (monitor->settings.trace != NULL && !monitor->header)
        fputs("seconds\tpasses\titeration\tobjective\tbound\tnonzeros\tnorm\tdelta\n",
              monitor->settings.trace);
    monitor->header = true;
    if (monitor->settings.trace != NULL && title != NULL)
        fprintf(monitor->settings.trace, "# %s\n", title);
    monitor_resume(monitor);
    monitor->began = monitor->safe = monitor_seconds(monitor);
    monitor->kept_back = 0;
    if (monitor->settings.observer.begin != NULL)
        monitor->settings.observer.begin(monitor->settings.observer.context, monitor);
}

void monitor_seek(struct monitor *monitor, enum criterion criterion, double tolerance) {
    monitor->criterion = criterion;
    monitor->tolerance = tolerance;
}

void monitor_keep_back(struct monitor *monitor, double seconds) {
    double whole = fmax(0, monitor->settings.time_limit - monitor->began);
    monitor->kept_back = isfinite(whole) ? fmin(seconds, whole / 2) : 0;
}

void monitor_end(struct monitor *monitor) {
    monitor_pause(monitor);
    monitor->cut = monitor_poll(monitor) == VERDICT_TIME; /* while the overtime counts */
    monitor->saves = false;
    monitor->interrupted = monitor->interrupted || monitor->asked;
    if (monitor->settings.observer.end != NULL)
        monitor->settings.observer.end(monitor->settings.observer.context);
}

void monitor_pause(struct monitor *monitor) {
    if (!isnan(monitor->since))
        monitor->seconds += now(monitor) - monitor->since;
    monitor->since = NAN;
}

void monitor_resume(struct monitor *monitor) {
    if (isnan(monitor->since))
        monitor->since = now(monitor);
}

double monitor_seconds(const struct monitor *monitor) {
    return monitor->seconds + (isnan(monitor->since) ? 0 : now(monitor) - monitor->since);
}

bool monitor_traces(const struct monitor *monitor) {
    return monitor->settings.trace != NULL || monitor->later_trace != NULL;
}

bool monitor_watched(const struct monitor *monitor) {
    const struct monitor_observer *observer = &monitor->settings.observer;
    return monitor->settings.trace != NULL ||
           (observer->wants != NULL && observer->wants(observer->context));
}

static void write_trace(struct monitor *monitor) {
    const struct report *r = &monitor->last;
    fprintf(monitor->settings.trace, "%.6f\t%.6g\t%lld\t%.17g\t%.17g\t%lld\t%.17g\t%.17g\n",
            monitor_seconds(monitor), r->passes, (long long)r->iteration, r->objective, r->bound,
            (long long)r->nonzeros, r->norm, r->delta);
}

double monitor_epsilon(const struct monitor *monitor) {
    return monitor->settings.epsilon;
}

double monitor_gap(const struct monitor *monitor, double objective) {
    return monitor->tolerance * fabs(objective);
}

double monitor_gap_alone(const struct monitor *monitor, double objective) {
    static const double share = 0.01;
    return share * monitor_gap(monitor, objective);
}

bool monitor_optimal(const struct monitor *monitor, double delta) {
    return monitor->criterion != CRITERION_GAP && delta <= monitor->tolerance;
}

static bool is_reached(const struct monitor *monitor) {
    const struct report *r = &monitor->last;
    double gap = r->objective - r->bound;
    bool closed = gap <= monitor_gap(monitor, r->objective);
    if (r->inexact)
        return false;
    switch (monitor->criterion) {
    case CRITERION_OPTIMALITY:
        return monitor_optimal(monitor, r->delta);
    case CRITERION_BOTH:
        return (closed && monitor_optimal(monitor, r->delta)) ||
               gap <= monitor_gap_alone(monitor, r->objective);
    default:
        return closed && monitor->tolerance > 0;
    }
}

bool monitor_closes(const struct monitor *monitor, double objective, double bound) {
    return objective - bound <= monitor_gap(monitor, objective);
}

enum verdict monitor_confirm(const struct monitor *monitor, enum verdict verdict, double objective,
                             double bound) {
    bool cut = verdict == VERDICT_TIME || verdict == VERDICT_INTERRUPTED;
    return !cut && monitor_closes(monitor, objective, bound) ? VERDICT_CONVERGED : verdict;
}

bool monitor_prepare(struct monitor *monitor) {
    const struct monitor_observer *observer = &monitor->settings.observer;
    monitor->last = no_report;
    if (observer->prepare != NULL && observer->prepare(observer->context, monitor))
        monitor->interrupted = true;
    return monitor_interrupted(monitor);
}

bool monitor_interrupted(const struct monitor *monitor) {
    const struct monitor_observer *observer = &monitor->settings.observer;
    return monitor->interrupted || (!monitor->saves && observer->interrupted != NULL &&
                                    observer->interrupted(observer->context));
}

const char *monitor_interruption(const struct monitor *monitor) {
    const char *words = monitor->settings.observer.interruption;
    return words != NULL ? words : "the training was interrupted";
}

void monitor_warn(const struct monitor *monitor, const char *format, ...) {
    const struct monitor_observer *observer = &monitor->settings.observer;
    char text[WARNING_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (observer->warn != NULL)
        observer->warn(observer->context, text);
}

enum verdict monitor_poll(const struct monitor *monitor) {
    if (monitor_interrupted(monitor))
        return VERDICT_INTERRUPTED;
    if (isfinite(monitor->settings.time_limit) &&
        monitor_seconds(monitor) >=
            last_second(monitor) + (monitor->saves && !monitor->kept ? monitor_overtime : 0))
        return VERDICT_TIME;
    return VERDICT_GO_ON;
}

static bool is_slow_trial(const struct monitor *monitor, const struct report *report) {
    return monitor->allowed != NULL &&
           report->passes > monitor->allowed(report, monitor->settings.passes);
}

enum verdict monitor_report(struct monitor *monitor, const struct report *report) {
    const struct monitor_observer *observer = &monitor->settings.observer;
    monitor->last = *report;
    if (monitor->settings.trace != NULL)
        write_trace(monitor);
    if (observer->report != NULL && observer->report(observer->context, monitor))
        *(monitor->saves ? &monitor->asked : &monitor->interrupted) = true;
    if (is_reached(monitor))
        return VERDICT_CONVERGED;
    enum verdict verdict = monitor_poll(monitor);
    if (verdict == VERDICT_INTERRUPTED)
        return verdict;
    bool over = report->passes >= monitor->settings.passes || is_slow_trial(monitor, report);
    return over ? VERDICT_PASSES : verdict;
}
