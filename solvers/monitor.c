/* monitor.c - clock, progress, trace, limits and signals of a run. */
#include "solvers/monitor.h"

#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const double redraw_seconds = 0.1;

/* The one thing that a signal handler may touch. */
static volatile sig_atomic_t signals;

static void on_signal(int number) {
    if (signals++ > 0)
        _exit(128 + number);
}

void monitor_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that grew too large is an error of the write */
}

bool monitor_signalled(void) {
    return signals != 0;
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
    *monitor = (struct monitor){.settings = *settings, .since = NAN};
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

/* "label 3: pass 12 of 100, objective 0.3524, gap 1.2%, 3.1 s" */
static void draw_line(struct monitor *monitor) {
    const struct report *r = &monitor->last;
    FILE *terminal = monitor->settings.terminal;
    double seconds = monitor_seconds(monitor), limit = monitor->settings.passes;
    fputs("\r\033[K", terminal);
    if (monitor->title != NULL)
        fprintf(terminal, "%s: ", monitor->title);
    fprintf(terminal, "pass %.4g", r->passes);
    if (isfinite(limit))
        fprintf(terminal, " of %.4g", limit);
    if (!isnan(r->objective))
        fprintf(terminal, ", objective %.6g", r->objective);
    if (isfinite(r->bound) && r->objective > 0)
        fprintf(terminal, ", gap %.3g%%", 100 * (r->objective - r->bound) / r->objective);
    fprintf(terminal, ", %.1f s", seconds);
    if (isfinite(monitor->settings.time_limit))
        fprintf(terminal, " of %.4g s", monitor->settings.time_limit);
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
    if (redraw_due(monitor))
        draw_line(monitor);
    if (gap_closed(monitor))
        return VERDICT_CONVERGED;
    enum verdict verdict = monitor_poll(monitor);
    if (verdict == VERDICT_INTERRUPTED)
        return verdict;
    return report->passes >= monitor->settings.passes ? VERDICT_PASSES : verdict;
}
