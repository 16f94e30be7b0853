/* train_command.c - parses and checks the command line of train before any data is read. Only the default solver
 * is chosen later, since it depends on the data. */
#include "cli/train_command.h"

#include "cli/processes.h"
#include "cli/program_name.h"
#include "cli/train_topics.h"
#include "io/memory.h"
#include "io/model/model.h"
#include "training/defaults/check.h"
#include "training/defaults/choice.h"
#include "training/defaults/linear_kernel.h"
#include "training/request/kernel_settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wants_list(const char *name) {
    return name != NULL && strcmp(name, "help") == 0;
}

static enum train_action find_action(const struct train_command *command) {
    const struct train_settings *s = &command->request.settings;
    const struct train_options *options = &command->options;
    if (options->version)
        return TRAIN_VERSION;
    if (options->man)
        return TRAIN_MAN;
    if (wants_list(s->solver))
        return TRAIN_LIST_SOLVERS;
    if (wants_list(s->loss))
        return TRAIN_LIST_LOSSES;
    if (wants_list(s->regularizer))
        return TRAIN_LIST_REGULARIZERS;
    if (options->help && s->solver != NULL)
        return TRAIN_SOLVER_HELP;
    return options->help ? TRAIN_HELP : TRAIN_RUN;
}

/* What --help is to tell of: "train --help solvers". */
static int find_topic(struct train_command *command, int count, char **operand, struct error *e) {
    if (count == 0)
        return 0;
    command->topic = train_help_topic(operand[0]);
    if (count == 1 && command->topic >= 0)
        return 0;
    char text[256];
    train_help_topics(text, sizeof text);
    return error_usage(e, "--help has no topic %.80s; topics are %s", operand[count > 1], text);
}

/* The training file's base name, without ".gz", + ".model". */
static int make_model_path(struct train_command *command, struct error *e) {
    const char *data = command->request.data_name, *slash = strrchr(data, '/');
    const char *base = slash != NULL ? slash + 1 : data + (command->files.text != NULL);
    size_t length = strlen(base);
    size_t size = length + sizeof ".model";
    if (strcmp(command->data_path, "-") == 0) {
        return error_usage(
            e, "MODEL_FILE is missing: data from standard input has no name to derive it from");
    }
    if (length > 3 && strcmp(base + length - 3, ".gz") == 0)
        length -= 3;
    command->default_model_path = memory_new((int64_t)size, 1, "a file name", e);
    if (command->default_model_path == NULL)
        return -1;
    snprintf(command->default_model_path, size, "%.*s.model", (int)length, base);
    command->model_path = command->default_model_path;
    return 0;
}

/* The file of --cache, TRAINING_FILE.cache by default. */
static int make_cache_path(struct train_command *command, struct error *e) {
    const char *given = command->options.cache;
    if (given == NULL && !command->options.cache_only)
        return 0;
    if (command->request.distributed)
        return error_usage(e, "--cache is for one process: start one, without mpirun");
    if (strcmp(command->data_path, "-") == 0)
        return error_usage(e, "--cache needs a file, not standard input");
    bool named = given != NULL && given != train_cache_beside_data;
    size_t size = strlen(named ? given : command->data_path) + sizeof ".cache";
    command->cache_path = memory_new((int64_t)size, 1, "a file name", e);
    if (command->cache_path == NULL)
        return -1;
    snprintf(command->cache_path, size, "%s%s", named ? given : command->data_path,
             named ? "" : ".cache");
    return 0;
}

static int take_operands(struct train_command *command, int count, char **operand,
                         struct error *e) {
    if (count == 0)
        return error_usage(e,
                           "TRAINING_FILE is missing: %s [options] TRAINING_FILE [MODEL_FILE]; %s "
                           "--help has the options most used",
                           program_name(), program_name());
    int files = command->request.distributed && count > 1 ? count - 1 : 1;
    if (count > files + 1) {
        return error_usage(
            e, "%.200s: one operand too many; %s takes TRAINING_FILE and MODEL_FILE%s", operand[2],
            program_name(),
            processes_texts.several ? ", and several files with two processes or more" : "");
    }
    if (operand[0][0] == '\0' || (count > 1 && operand[files][0] == '\0')) {
        return error_usage(e, "%s is empty; %s takes the names of two files",
                           operand[0][0] == '\0' ? "TRAINING_FILE" : "MODEL_FILE", program_name());
    }
    bool lists = processes_texts.several && operand[0][0] == '@';
    if (lists && !command->request.distributed && access(operand[0], F_OK) != 0)
        return error_usage(e, "%.200s: a list of files is for two processes or more", operand[0]);
    if (command->request.distributed && file_list_init(&command->files, operand, files, e) != 0)
        return -1;
    command->data_path = command->request.distributed ? command->files.path[0] : operand[0];
    command->request.data_name = strcmp(operand[0], "-") == 0 ? "standard input" : operand[0];
    command->request.start_name = command->options.init;
    const char *checkpoint = command->request.settings.checkpoint;
    if (make_cache_path(command, e) != 0 ||
        (checkpoint != NULL && resumption_find(checkpoint, &command->resumption, e) != 0))
        return -1;
    bool validates = command->request.settings.folds > 0 && command->request.settings.path == 0;
    if (count > 1 && validates && command->foreign.found) {
        char **last = &command->foreign.argv[--command->foreign.argc];
        command->foreign.model = *last;
        *last = NULL;
        return 0;
    }
    if (count > 1 && validates)
        return error_usage(e, "%.200s: -v writes no model; leave MODEL_FILE out", operand[files]);
    if (count > 1) {
        command->model_path = operand[files];
        return 0;
    }
    bool trains = !command->options.dry_run &&
                  (command->request.settings.folds == 0 || command->request.settings.search);
    return trains ? make_model_path(command, e) : 0;
}

static int check_path_models(const struct train_command *command, struct error *e) {
    const struct train_settings *s = &command->request.settings;
    if (command->options.path_models == NULL)
        return 0;
    if (s->path == 0 || s->folds > 0 || command->request.held_out)
        return error_usage(e, "--path-models needs --path, without -v and --validation");
    return s->kernel.map == MAP_NONE ? 0
                                     : error_usage(e, "--path-models and --map exclude each other");
}

/* A stream that is read more than once is a file. */
static int check_stream(const struct train_command *command, struct error *e) {
    const struct training_request *request = &command->request;
    bool streams = request->solver != NULL && request->solver->stream != NULL;
    return streams && request->settings.passes > 1 && strcmp(command->data_path, "-") == 0
               ? error_usage(e, "-p %g: standard input can be read once", request->settings.passes)
               : 0;
}

/* Sets up the options of the program beside those of training. */
static int init(struct train_command *command, struct error *e) {
    struct option_group program = {.settings = &command->options};
    program.rows = train_option_rows(processes_texts.several, &program.count);
    *command = (struct train_command){0};
    return request_init(&command->request, &program, e);
}

/* Completes the request as far as possible without the data. */
static int complete(struct train_command *command, struct error *e) {
    struct training_request *request = &command->request;
    if (request->settings.kernel.kernel == KERNEL_PRECOMPUTED)
        command->options.zero_based = true; /* index 0 has the example's number */
    request->zero_based = command->options.zero_based;
    request->start_given = command->options.init != NULL;
    request->held_out = command->options.validation != NULL;
    request->weights_given = command->options.weights != NULL;
    request->cached = command->options.cache != NULL || command->options.cache_only;
    request->read_first = request->cached            ? "--cache"
                          : command->options.dry_run ? "--dry-run"
                                                     : NULL;
    return request_complete(request, e);
}

int train_command_check_format(const struct train_command *command, const struct classes *classes,
                               struct error *e) {
    const struct training_request *request = &command->request;
    const struct train_settings *s = &request->settings;
    double sigmoid;
    bool is_expansion = s->kernel.map != MAP_NONE ||
                        (kernel_settings_expands(request) && !linear_kernel_answers(request));
    struct model model = {.zero_based = request->zero_based,
                          .hash_bits = s->hash_bits,
                          .scaling.method = (enum scaling_method)s->scale,
                          .pairs = classes != NULL && classes->pairs,
                          .against_rest = classes != NULL && classes->against_rest,
                          .shared = request->risk->shared != NULL,
                          .labels = classes != NULL ? classes->labels : 0,
                          .label = classes != NULL ? classes->label : NULL,
                          .sigmoid = request_fits_sigmoids(request) ? &sigmoid : NULL};
    if (command->options.format != FORMAT_LIBLINEAR)
        return 0;
    if (is_expansion)
        memcpy(model.map, "support", sizeof "support");
    const char *lack = model_liblinear_lacks(&model);
    return lack == NULL ? 0 : error_usage(e, "--format liblinear: %s", lack);
}

int train_command_parse(int argc, char **argv, bool distributed, struct train_command *command,
                        struct error *e) {
    struct training_request *request = &command->request;
    int first;
    if (init(command, e) != 0)
        return -1;
    request->distributed = distributed;
    if (foreign_options_translate(argc, argv, &command->foreign, e) != 0)
        return -1;
    if (command->foreign.found) {
        argc = command->foreign.argc;
        argv = command->foreign.argv;
    }
    first = options_parse(argc, argv, request->groups, request->group_count, e);
    if (first < 0)
        return -1;
    command->action = find_action(command);
    if (command->action == TRAIN_HELP)
        return find_topic(command, argc - first, argv + first, e);
    if (command->action != TRAIN_RUN && command->action != TRAIN_SOLVER_HELP)
        return 0;
    if (request_find_names(request, e) != 0)
        return -1;
    if (command->action == TRAIN_SOLVER_HELP)
        return 0;
    return complete(command, e) == 0 && train_command_check_format(command, NULL, e) == 0 &&
                   take_operands(command, argc - first, argv + first, e) == 0 &&
                   check_path_models(command, e) == 0
               ? check_stream(command, e)
               : -1;
}

void train_command_free(struct train_command *command) {
    free(command->default_model_path);
    file_list_free(&command->files);
    free(command->cache_path);
    resumption_free(&command->resumption);
    foreign_options_free(&command->foreign);
    request_free(&command->request);
    *command = (struct train_command){0};
}
