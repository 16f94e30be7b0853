/* train_command.h - parses and checks the command line of train before any data is read. Only the default solver
 * is chosen later, since it depends on the data. */
#ifndef RRM_TRAIN_COMMAND_H
#define RRM_TRAIN_COMMAND_H

#include "cli/file_list.h"
#include "cli/foreign_options.h"
#include "cli/train_options.h"
#include "training/classes/classes.h"
#include "training/request/request.h"
#include "training/run/resumption.h"

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
    int topic;                       /* of --help (cli/train_topics.h) */
    struct training_request request; /* what is to be trained */
    struct train_options options;
    struct foreign_options foreign; /* LIBLINEAR's or LIBSVM's options, if these were given */
    const char *data_path;          /* "-": standard input; of several files the first */
    struct file_list files;         /* of several processes: all */
    const char *model_path; /* "-": standard output; NULL with -v, but for --path and MODEL_FILE */
    char *cache_path;       /* of --cache; owned, NULL: none */
    struct resumption resumption; /* the file of --checkpoint; zero bytes: none */
    char *default_model_path;
};

/* DISTRIBUTED: several processes will share the examples. 0, or -1 with the error set. To be freed in either case, and
 * not moved meanwhile. */
int train_command_parse(int argc, char **argv, bool distributed, struct train_command *command,
                        struct error *e);

/* Refuses --format liblinear for what cannot be written so: with CLASSES NULL by the request alone, afterwards by the
 * labels, too. */
int train_command_check_format(const struct train_command *command, const struct classes *classes,
                               struct error *e);

void train_command_free(struct train_command *command);

#endif
