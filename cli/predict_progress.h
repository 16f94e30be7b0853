/* predict_progress.h - how far predict has come, on a terminal. */
#ifndef RRM_PREDICT_PROGRESS_H
#define RRM_PREDICT_PROGRESS_H

#include "cli/predict_options.h"

struct predict_progress {
    bool shows;          /* there is a terminal for it */
    double began, shown; /* when it began, and was last drawn; 0: never */
};

void predict_progress_begin(struct predict_progress *progress,
                            const struct predict_command *command);

/* A line, a few times a second, once the run takes longer than a glance: ROWS so far, and which SHARE of the file they
 * are; not-a-number: not known. */
void predict_progress_show(struct predict_progress *progress, int64_t rows, double share);

/* Clears the line. */
void predict_progress_end(const struct predict_progress *progress);

#endif
