/* progress.c - shows progress as one line on a terminal. */
#include "cli/progress.h"

#include "io/clock.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>

static const double redraw_seconds = 0.1;

enum {
    LINE = 256,                /* bytes of the live line */
    USUAL_WIDTH = 80,          /* columns, if the terminal does not report them */
    LONGEST_FORECAST = 3600000 /* seconds; longer forecasts are not shown */
};

static bool is_due(const struct progress *progress) {
    return clock_seconds() - progress->shown >= redraw_seconds;
}

/* (J - bound)/J; not-a-number: not known. */
static double gap_of(const struct report *r) {
    return isfinite(r->bound) && r->objective > 0 ? (r->objective - r->bound) / r->objective : NAN;
}

/* Stores the gap each time the run time has doubled; keeps the last two. */
static void mark_gap(struct progress *progress, const struct monitor *monitor) {
    struct progress_mark now = {monitor_seconds(monitor), gap_of(&monitor->last)};
    struct progress_mark *mark = progress->mark;
    if (!(now.gap > 0))
        return;
    if (mark[1].gap > 0 && now.seconds - monitor->began < 2 * (mark[1].seconds - monitor->began))
        return;
    mark[0] = mark[1].gap > 0 ? mark[1] : now;
    mark[1] = now;
}

/* The gap at which the run ends; 0: at none. */
static double gap_sought(const struct monitor *monitor) {
    return monitor->criterion == CRITERION_GAP ? monitor->tolerance : 0;
}

/* Seconds until the gap reaches the tolerance, if it keeps decreasing at its rate since the mark, which was stored
 * when the run had a quarter to half of its present time; infinite: it does not decrease. */
static double forecast_gap(const struct progress *progress, const struct monitor *monitor) {
    const struct progress_mark *mark = &progress->mark[0];
    double gap = gap_of(&monitor->last), epsilon = gap_sought(monitor);
    double rate = log(mark->gap / gap) / (monitor_seconds(monitor) - mark->seconds);
    return mark->gap > 0 && epsilon > 0 && rate > 0 ? log(gap / epsilon) / rate : INFINITY;
}

/* Seconds until the passes are done, if a number of passes ends the run. */
static double forecast_passes(const struct monitor *monitor) {
    double done = monitor->last.passes, limit = monitor->settings.passes;
    double seconds = monitor_seconds(monitor) - monitor->began;
    return monitor->tolerance > 0 || !(done > 0) ? INFINITY : seconds * (limit / done - 1);
}

/* Appends text to the line; drops what does not fit. */
static void append(char line[LINE], const char *format, ...) {
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, LINE - used, format, arguments);
    va_end(arguments);
}

/* Appends ", about 3 min left", if a forecast is known. */
static void append_time_left(const struct progress *progress, const struct monitor *monitor,
                             char line[LINE]) {
    double forecast = fmin(forecast_gap(progress, monitor), forecast_passes(monitor));
    double limit_left = monitor->time_limit - monitor_seconds(monitor);
    double left = fmax(0, fmin(forecast, limit_left));
    const char *word = forecast < limit_left ? "about" : "at most";
    if (left < 120)
        append(line, ", %s %.0f s left", word, left);
    else if (left < 7200)
        append(line, ", %s %.0f min left", word, left / 60);
    else if (left < LONGEST_FORECAST)
        append(line, ", %s %.0f h left", word, left / 3600);
}

/* The usable columns: all but the last, after which some terminals wrap. */
static int line_width(FILE *terminal) {
    struct winsize size;
    int descriptor = fileno(terminal);
    bool known = descriptor >= 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col - 1 : USUAL_WIDTH - 1;
}

/* "label 3: pass 12, objective 0.3524, gap 1.2%, 3.1 s, about 5 s left" */
static void draw_line(struct progress *progress, const struct monitor *monitor) {
    const struct report *r = &monitor->last;
    FILE *terminal = progress->terminal;
    char line[LINE] = "";
    if (monitor->title != NULL)
        append(line, "%s: ", monitor->title);
    append(line, "pass %.6g", r->passes);
    if (isfinite(monitor->settings.passes) && !(monitor->tolerance > 0))
        append(line, " of %.6g", monitor->settings.passes);
    if (!isnan(r->objective))
        append(line, ", objective %.6g", r->objective);
    if (!isnan(gap_of(r)))
        append(line, ", gap %.3g%%", 100 * gap_of(r));
    append(line, ", %.1f s", monitor_seconds(monitor));
    append_time_left(progress, monitor, line);
    fprintf(terminal, "\r\033[K%.*s", line_width(terminal), line);
    fflush(terminal);
    progress->shown = clock_seconds();
}

void progress_begin(void *context, const struct monitor *monitor) {
    struct progress *progress = context;
    (void)monitor;
    progress->mark[0] = progress->mark[1] = (struct progress_mark){0};
}

bool progress_report(void *context, const struct monitor *monitor) {
    struct progress *progress = context;
    mark_gap(progress, monitor);
    if (is_due(progress))
        draw_line(progress, monitor);
    return false;
}

bool progress_wants(void *context) {
    return is_due(context);
}

void progress_end(void *context) {
    const struct progress *progress = context;
    if (progress->shown > 0)
        fputs("\r\033[K", progress->terminal);
}
