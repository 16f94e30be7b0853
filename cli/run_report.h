/* run_report.h - a training run as one JSON object (--report). */
#ifndef RRM_RUN_REPORT_H
#define RRM_RUN_REPORT_H

#include "training/cross_validation.h"
#include "training/path.h"

/* What is reported of. */
struct run_report {
    const struct train_command *command;
    const struct dataset *data;
    const struct classes *classes;
    double lambda;                             /* of the model; without one, the least */
    const double *lambda_max;                  /* of each vector; infinite: not known */
    double load_seconds, map_seconds;          /* 0 without a map */
    const struct map *map;                     /* NULL: none */
    const struct kernel *kernel;               /* of the map, or of a kernel machine; NULL: none */
    const struct path *path;                   /* NULL: no model was trained on the whole data */
    const struct cross_validation *validation; /* NULL: none */
};

/* Replaces the file PATH ("-": standard output). */
int run_report_write(const struct run_report *report, const char *path, struct error *e);

#endif
