/* train_results.h - what train leaves: the model, its report, tables and lines for people. */
#ifndef RRM_TRAIN_RESULTS_H
#define RRM_TRAIN_RESULTS_H

#include "cli/train_command.h"
#include "training/train.h"

struct train_results {
    const struct train_command *command;
    struct training_session *session;
    struct communicator *communicator; /* NULL: one process; of several that of rank 0 writes */
    double load_seconds;
    const struct communicator *gathered; /* of the processes whose rows are here; NULL: none */
};

/* Writes the model and the report, and says what was reached. 0, or -1 with the error set. */
int train_results_write(const struct train_results *results, struct error *e);

/* Writes the report alone, if one is wanted. 0, or -1 with the error set. */
int train_results_report(const struct train_results *results, struct error *e);

/* Prints the measures of folds or of held-out examples. */
void train_results_of_validation(const struct train_results *results);

/* Begins the table of a path; the visitor, for which RESULTS has to live on, prints its rows and writes its models
 * (--path-models). Its visit is NULL where neither is wanted. */
struct path_visitor train_results_of_path(struct train_results *results);

#endif
