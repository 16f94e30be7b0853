/* train_command.h - the command line of train, understood and checked before any data is read; only
 * the default solver waits for the data. */
#ifndef RRM_TRAIN_COMMAND_H
#define RRM_TRAIN_COMMAND_H

#include "io/dataset.h"
#include "solvers/solver.h"
#include "training/settings.h"

enum train_action {
    TRAIN_RUN,
    TRAIN_HELP,
    TRAIN_SOLVER_HELP,
    TRAIN_VERSION,
    TRAIN_MAN,
    TRAIN_LIST_SOLVERS,
    TRAIN_LIST_LOSSES,
    TRAIN_LIST_REGULARIZERS
};

struct train_command {
    enum train_action action;
    struct train_settings
        settings; /* epsilon, passes, time limit, threads: what holds, given or not */
    bool solver_given, cost_given, positive_given, passes_given;
    bool window; /* mapped examples come and go: known once train_command_choose saw the data */
    const struct solver *solver; /* of -s; NULL until train_command_choose otherwise */
    const struct risk_row *risk;
    const struct regularizer *regularizer;
    const void *own;        /* the solver's own settings; NULL when it has none */
    const char *data_path;  /* "-": standard input */
    const char *model_path; /* "-": standard output; NULL with -v, but for --path and MODEL_FILE */

    struct option_group *groups; /* the program's, then one a solver with options of its own */
    int group_count;
    char *default_model_path;
};

/* 0, or -1 with the error set. To be freed in either case. */
int train_command_parse(int argc, char **argv, struct train_command *command, struct error *e);

/* Without -s: chooses the solver for these data, with what it takes as epsilon and passes when they
 * were not given; OUTPUTS vectors are trained together; with -s it does nothing. A usage error when the options do not suit the choice. */
int train_command_choose(struct train_command *command, const struct dataset *data, int64_t outputs,
                         double lambda, struct error *e);

/* The solver that these data would get without -s and -k; NULL when there is none. */
const struct solver *train_command_default(const struct train_command *command,
                                           const struct dataset *data, int64_t outputs,
                                           double lambda);

void train_command_free(struct train_command *command);

/* What the options say to every solver; the stream, and a start other than -i's, are the run's. */
struct run_settings train_run_settings(const struct train_command *command);

/* The group of a solver's own options, or NULL. */
const struct option_group *train_command_group(const struct train_command *command,
                                               const char *solver);

#endif
