/* train_files.c - opens and checks the files of a training run. */
#include "cli/train_files.h"

#include "cli/files.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_share.h"
#include "training/example_weights.h"

#include <omp.h>
#include <stdlib.h>

enum { WRITTEN_FILES = 3 };

/* The files that a run writes; NULL: none. */
static void written_files(const struct train_command *command, const char **written) {
    written[0] = command->model_path;
    written[1] = command->options.trace;
    written[2] = command->options.report;
}

FILE *train_for_people(const struct train_command *command) {
    const char *written[WRITTEN_FILES];
    written_files(command, written);
    return files_for_people(written, WRITTEN_FILES);
}

/* Refuses to overwrite the data or another file that is read; -i may name the model to be replaced. */
static int check_outputs(const struct train_command *command, struct error *e) {
    const char *written[WRITTEN_FILES];
    written_files(command, written);
    for (int i = 0; i < WRITTEN_FILES; i++)
        if (files_check_apart(written[i], command->data_path, e) != 0 ||
            files_check_apart(written[i], command->options.weights, e) != 0)
            return -1;
    return files_check_distinct(written, WRITTEN_FILES, e) == 0 &&
                   files_check_writable(command->model_path, e) == 0 &&
                   files_check_writable(command->options.report, e) == 0
               ? 0
               : -1;
}

int train_files_open(const struct train_command *command, const struct communicator *communicator,
                     struct model *start, FILE **trace, struct error *e) {
    const struct train_options *options = &command->options;
    bool writes = communicator_speaks(communicator);
    if ((writes && check_outputs(command, e) != 0) ||
        (options->init != NULL && model_read(options->init, start, e) != 0))
        return -1;
    if (options->trace != NULL && writes) {
        *trace = files_open_trace(options->trace, e);
        return *trace == NULL ? -1 : 0;
    }
    return 0;
}

/* Multiplies the example weights by those of --weights. */
static int load_weights(const char *path, struct dataset *data, struct error *e) {
    double *weight = weights_load(path, dataset_whole_rows(data), e);
    int status = weight == NULL
                     ? -1
                     : example_weights_multiply(data, weight + dataset_row_of_file(data, 0), e);
    free(weight);
    return status;
}

static int load(const char *path, const struct svmlight_options *options,
                struct communicator *communicator, struct dataset *data, struct error *e) {
    return communicator == NULL ? dataset_load(path, options, data, e)
                                : dataset_load_share(path, options, communicator, data, e);
}

int train_files_load(const struct train_command *command, struct communicator *communicator,
                     struct dataset *data, double *seconds, struct error *e) {
    const struct train_options *options = &command->options;
    struct svmlight_options reading = {.zero_based = options->zero_based,
                                       .hash_bits = (int)command->request.settings.hash_bits,
                                       .threads = (int)command->request.settings.threads,
                                       .line_limit = MEGABYTE * options->line_limit};
    double before = omp_get_wtime();
    if (load(command->data_path, &reading, communicator, data, e) != 0)
        return -1;
    *seconds = omp_get_wtime() - before;
    return communicator_agree(
        communicator, options->weights == NULL ? 0 : load_weights(options->weights, data, e), e);
}
