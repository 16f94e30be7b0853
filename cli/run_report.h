/* run_report.h - a training run as one JSON object (--report). */
#ifndef RRM_RUN_REPORT_H
#define RRM_RUN_REPORT_H

#include "cli/cross_validation.h"
#include "cli/run.h"

/* What is reported of; `run` is NULL for a cross-validation, and the other way round. */
struct run_report {
    const struct train_command *command;
    const struct dataset *data;
    const struct classes *classes;
    double lambda;
    double load_seconds;
    const struct run *run;
    const struct cross_validation *validation;
};

/* Replaces the file PATH ("-": standard output). */
int run_report_write(const struct run_report *report, const char *path, struct error *e);

#endif
