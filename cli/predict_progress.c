/* predict_progress.c - how far predict has come, on a terminal. */
#include "cli/predict_progress.h"

#include "io/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void predict_progress_begin(struct predict_progress *progress,
                            const struct predict_command *command) {
    bool shares = strcmp(command->output_path, "-") == 0 && isatty(STDOUT_FILENO);
    *progress = (struct predict_progress){.shows = command->settings.quiet == 0 &&
                                                   isatty(STDERR_FILENO) && !shares,
                                          .began = clock_seconds()};
}

void predict_progress_show(struct predict_progress *progress, int64_t rows, double share) {
    static const double first_seconds = 1, seconds_apart = 0.2;
    double now = clock_seconds(), seconds = now - progress->began;
    if (!progress->shows || seconds < first_seconds || now - progress->shown < seconds_apart)
        return;
    fprintf(stderr, "\r\033[K%" PRId64 " examples, ", rows);
    if (!isnan(share))
        fprintf(stderr, "%.0f %%, ", 100 * share);
    fprintf(stderr, "%.1f s", seconds);
    fflush(stderr);
    progress->shown = now;
}

void predict_progress_end(const struct predict_progress *progress) {
    if (progress->shown > 0)
        fputs("\r\033[K", stderr);
}
