/* monitor.c - clock, progress, trace, limits and signals of a run. */
#include "solvers/monitor.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double redraw_seconds = 0.1;

enum {
    LINE = 256,                /* bytes of the live line */
    USUAL_WIDTH = 80,          /* columns of a terminal that does not tell */
    LONGEST_FORECAST = 3600000 /* seconds; what lies beyond is no forecast */
};

/* All that a signal handler may touch: how many came, and the first. */
static volatile sig_atomic_t signals, first_signal;

static void on_signal(int number) {
    if (signals++ > 0)
        _exit(128 + number);
    first_signal = number;
}

static bool is_ignored(int number) {
    struct sigaction present;
    return sigaction(number, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
}

void monitor_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!is_ignored(SIGHUP))
        sigaction(SIGHUP, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that grew too large is an error of the write */
}

bool monitor_signalled(void) {
    return signals != 0;
}

void monitor_end_by_signal(void) {
    if (signals == 0)
        return;
    fflush(NULL);
    signal(first_signal, SIG_DFL);
    raise(first_signal);
    _exit(128 + first_signal); /* where it is blocked */
}

const char *verdict_status(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_CONVERGED:
        return "converged";
    case VERDICT_INTERRUPTED:
        return "interrupted";
    default:
        return "limit";
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void monitor_init(struct monitor *monitor, const struct monitor_settings *settings) {
    *monitor =
        (struct monitor){.settings = *settings, .time_limit = settings->time_limit, .since = NAN};
}

void monitor_begin(struct monitor *monitor, const char *title) {
    monitor->title = title;
    monitor->runs++;
    monitor->last =
        (struct report){.objective = NAN, .bound = -INFINITY, .nonzeros = -1, .delta = NAN};
    if (monitor->settings.trace != NULL && !monitor->header)
        fputs("seconds\tpasses\titeration\tobjective\tbound\tnonzeros\tnorm\tdelta\n",
              monitor->settings.trace);
    monitor->header = true;
    if (monitor->settings.trace != NULL && title != NULL)
        fprintf(monitor->settings.trace, "# %s\n", title);
    monitor_resume(monitor);
    monitor->began = monitor_seconds(monitor);
    monitor->mark[0] = monitor->mark[1] = (struct monitor_mark){0};
}

void monitor_end(struct monitor *monitor) {
    monitor_pause(monitor);
    if (monitor->settings.terminal != NULL && monitor->shown > 0)
        fputs("\r\033[K", monitor->settings.terminal);
}

void monitor_pause(struct monitor *monitor) {
    if (!isnan(monitor->since))
        monitor->seconds += now() - monitor->since;
    monitor->since = NAN;
}

void monitor_resume(struct monitor *monitor) {
    if (isnan(monitor->since))
        monitor->since = now();
}

double monitor_seconds(const struct monitor *monitor) {
    return monitor->seconds + (isnan(monitor->since) ? 0 : now() - monitor->since);
}

static bool redraw_due(const struct monitor *monitor) {
    return monitor->settings.terminal != NULL && now() - monitor->shown >= redraw_seconds;
}

bool monitor_watched(const struct monitor *monitor) {
    return monitor->settings.trace != NULL || redraw_due(monitor);
}

static void write_trace(struct monitor *monitor) {
    const struct report *r = &monitor->last;
    fprintf(monitor->settings.trace, "%.6f\t%.6g\t%lld\t%.17g\t%.17g\t%lld\t%.17g\t%.17g\n",
            monitor_seconds(monitor), r->passes, (long long)r->iteration, r->objective, r->bound,
            (long long)r->nonzeros, r->norm, r->delta);
}

/* (J - bound)/J; not-a-number where that is not known. */
static double gap_of(const struct report *r) {
    return isfinite(r->bound) && r->objective > 0 ? (r->objective - r->bound) / r->objective : NAN;
}

/* Keeps a gap each time that the run has become twice as long, and the one before. */
static void mark_gap(struct monitor *monitor) {
    struct monitor_mark now = {monitor_seconds(monitor), gap_of(&monitor->last)};
    struct monitor_mark *mark = monitor->mark;
    if (!(now.gap > 0))
        return;
    if (mark[1].gap > 0 && now.seconds - monitor->began < 2 * (mark[1].seconds - monitor->began))
        return;
    mark[0] = mark[1].gap > 0 ? mark[1] : now;
    mark[1] = now;
}

/* Seconds until the gap is the tolerance if it goes on to fall by the same factor in the same time as since
 * the mark, which is a half to three quarters of the run ago; infinite where it does not fall. */
static double forecast_gap(const struct monitor *monitor) {
    const struct monitor_mark *mark = &monitor->mark[0];
    double gap = gap_of(&monitor->last), epsilon = monitor->settings.epsilon;
    double rate = log(mark->gap / gap) / (monitor_seconds(monitor) - mark->seconds);
    return mark->gap > 0 && epsilon > 0 && rate > 0 ? log(gap / epsilon) / rate : INFINITY;
}

/* Seconds until the passes are done, where that is how the run ends. */
static double forecast_passes(const struct monitor *monitor) {
    double done = monitor->last.passes, limit = monitor->settings.passes;
    double seconds = monitor_seconds(monitor) - monitor->began;
    return monitor->settings.epsilon > 0 || !(done > 0) ? INFINITY : seconds * (limit / done - 1);
}

/* What is added to the live line, which ends where it is full. */
static void append(char line[LINE], const char *format, ...) {
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, LINE - used, format, arguments);
    va_end(arguments);
}

/* ", about 3 min left", as far as anything is known. */
static void append_time_left(const struct monitor *monitor, char line[LINE]) {
    double forecast = fmin(forecast_gap(monitor), forecast_passes(monitor));
    double most = monitor->time_limit - monitor_seconds(monitor);
    double left = fmax(0, fmin(forecast, most));
    const char *word = forecast < most ? "about" : "at most";
    if (left < 120)
        append(line, ", %s %.0f s left", word, left);
    else if (left < 7200)
        append(line, ", %s %.0f min left", word, left / 60);
    else if (left < LONGEST_FORECAST)
        append(line, ", %s %.0f h left", word, left / 3600);
}

/* Columns that a line may have; the last one is left free, since some terminals wrap behind it. */
static int line_width(FILE *terminal) {
    struct winsize size;
    int descriptor = fileno(terminal);
    bool known = descriptor >= 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col - 1 : USUAL_WIDTH - 1;
}

/* "label 3: pass 12, objective 0.3524, gap 1.2%, 3.1 s, about 5 s left" */
static void draw_line(struct monitor *monitor) {
    const struct report *r = &monitor->last;
    FILE *terminal = monitor->settings.terminal;
    char line[LINE] = "";
    if (monitor->title != NULL)
        append(line, "%s: ", monitor->title);
    append(line, "pass %.6g", r->passes);
    if (isfinite(monitor->settings.passes) && !(monitor->settings.epsilon > 0))
        append(line, " of %.6g", monitor->settings.passes);
    if (!isnan(r->objective))
        append(line, ", objective %.6g", r->objective);
    if (!isnan(gap_of(r)))
        append(line, ", gap %.3g%%", 100 * gap_of(r));
    append(line, ", %.1f s", monitor_seconds(monitor));
    append_time_left(monitor, line);
    fprintf(terminal, "\r\033[K%.*s", line_width(terminal), line);
    fflush(terminal);
    monitor->shown = now();
}

static bool gap_closed(const struct monitor *monitor) {
    const struct report *r = &monitor->last;
    return monitor->settings.epsilon > 0 &&
           r->objective - r->bound <= monitor->settings.epsilon * fabs(r->objective);
}

enum verdict monitor_poll(const struct monitor *monitor) {
    if (monitor_signalled())
        return VERDICT_INTERRUPTED;
    if (isfinite(monitor->settings.time_limit) &&
        monitor_seconds(monitor) >= monitor->settings.time_limit)
        return VERDICT_TIME;
    return VERDICT_GO_ON;
}

enum verdict monitor_report(struct monitor *monitor, const struct report *report) {
    monitor->last = *report;
    if (monitor->settings.trace != NULL)
        write_trace(monitor);
    if (monitor->settings.terminal != NULL)
        mark_gap(monitor);
    if (redraw_due(monitor))
        draw_line(monitor);
    if (gap_closed(monitor))
        return VERDICT_CONVERGED;
    enum verdict verdict = monitor_poll(monitor);
    if (verdict == VERDICT_INTERRUPTED)
        return verdict;
    return report->passes >= monitor->settings.passes ? VERDICT_PASSES : verdict;
}
