/* train_run.h - one run of `train`, from the data to the model file. Nothing numerical. */
#ifndef RRM_TRAIN_RUN_H
#define RRM_TRAIN_RUN_H

#include "cli/progress.h"
#include "cli/train_command.h"
#include "training/session.h"

#include <stdio.h>

struct train_run {
    struct communicator *communicator; /* NULL: one process */
    struct train_command command;
    FILE *trace;
    struct model start; /* -i; empty without */
    struct dataset data;
    struct dataset held_out; /* --validation; empty without */
    double load_seconds;
    /* of the processes whose rows process 0 trains with; NULL: none */
    struct communicator *gathered;
    bool met; /* process 0 has trained, and has waited for them once more */
    struct progress progress;
    struct training_session session;
};

/* Trains, or does what else the command line asks of the data. The command is parsed, and its other files are open. */
int train_run(struct train_run *run, struct error *e);

/* Closes the trace, too, where it is open. */
void train_run_free(struct train_run *run);

#endif
