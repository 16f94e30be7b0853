/* train_files.c - opens and checks the files of a training run. */
#include "cli/train_files.h"

#include "cli/files.h"
#include "cli/program_name.h"
#include "io/cache/cache.h"
#include "io/clock.h"
#include "io/escape.h"
#include "io/memory.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_share.h"
#include "training/request/example_weights.h"
#include "training/request/kernel_settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITTEN_FILES = 5 };

/* The files that a run writes; NULL: none. */
static void written_files(const struct train_command *command, const char **written) {
    written[0] = command->model_path;
    written[1] = command->options.trace;
    written[2] = command->options.report;
    written[3] = command->cache_path;
    written[4] = command->resumption.path;
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
        for (int k = 1; k < command->files.count; k++)
            if (files_check_apart(written[i], command->files.path[k], e) != 0)
                return -1;
    for (int i = 0; i < WRITTEN_FILES; i++)
        if (files_check_apart(written[i], command->data_path, e) != 0 ||
            files_check_apart(written[i], command->files.name, e) != 0 ||
            files_check_apart(written[i], command->options.weights, e) != 0 ||
            files_check_apart(written[i], command->options.validation, e) != 0 ||
            (i > 0 && files_check_apart(written[i], command->options.init, e) != 0))
            return -1;
    return files_check_distinct(written, WRITTEN_FILES, e) == 0 &&
                   files_check_writable(command->model_path, e) == 0 &&
                   files_check_writable(command->options.trace, e) == 0 &&
                   files_check_writable(command->options.report, e) == 0 &&
                   files_check_writable(command->resumption.path, e) == 0
               ? 0
               : -1;
}

/* The same of the files of --path-models. */
static int check_numbered(const struct train_command *command, struct error *e) {
    static const int64_t most_certified = 1000;
    const int64_t values = command->request.settings.path;
    const char *const read[] = {command->data_path, command->options.weights,
                                command->options.validation, command->options.init,
                                command->files.name};
    const char *written[WRITTEN_FILES], *name = command->options.path_models;
    int status = 0;
    if (name == NULL)
        return 0;
    written_files(command, written);
    for (size_t i = 0; i < sizeof read / sizeof *read && status == 0; i++)
        status = files_check_numbered(name, read[i], "read and overwritten", e);
    for (int k = 1; k < command->files.count && status == 0; k++)
        status = files_check_numbered(name, command->files.path[k], "read and overwritten", e);
    for (int i = 0; i < WRITTEN_FILES && status == 0; i++)
        status = files_check_numbered(name, written[i], "written twice", e);
    return status == 0
               ? files_check_replaceable(name, values > most_certified ? values : most_certified, e)
               : status;
}

int train_files_check(const struct train_command *command, const struct communicator *communicator,
                      struct model *start, struct error *e) {
    const char *init = command->options.init;
    return (communicator_speaks(communicator) &&
            (check_outputs(command, e) != 0 || check_numbered(command, e) != 0)) ||
                   (init != NULL && model_read(init, start, e) != 0)
               ? -1
               : 0;
}

int train_files_open_trace(const struct train_command *command,
                           const struct communicator *communicator, FILE **trace, struct error *e) {
    const char *path = command->options.trace, *checkpoint = command->resumption.path;
    if (path == NULL || !communicator_speaks(communicator))
        return 0;
    *trace = files_open_trace(path, checkpoint != NULL && access(checkpoint, F_OK) == 0, e);
    return *trace == NULL ? -1 : 0;
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

static void tell(const struct train_command *command, const char *words) {
    if (command->options.quiet)
        return;
    fprintf(stderr, "%s: ", program_name());
    escape_print(command->cache_path, stderr);
    fprintf(stderr, "%s\n", words);
}

/* Loads the text and makes a cache of it. A cache that cannot be written is no reason to stop, unless it is all that is
 * wanted. */
static int load_and_cache(const struct train_command *command,
                          const struct svmlight_options *reading, const struct cache_source *source,
                          struct dataset *data, struct error *e) {
    struct error unwritten = {0};
    if (dataset_load(command->data_path, reading, data, e) != 0)
        return -1;
    if (cache_write(command->cache_path, command->data_path, source, reading, data, &unwritten) ==
        0)
        return 0;
    if (command->options.cache_only)
        return error_pass(e, &unwritten);
    error_print(&unwritten, program_name(), stderr);
    tell(command, ": no cache was written; training goes on without it");
    return 0;
}

/* Makes a cache of a text whose examples may not fit in MEMORY, and maps it. */
static int cache_and_map(const struct train_command *command,
                         const struct svmlight_options *reading, const struct cache_source *source,
                         double memory, struct dataset *data, struct error *e) {
    char reason[CACHE_REASON] = "";
    if (cache_write(command->cache_path, command->data_path, source, reading, NULL, e) != 0)
        return -1;
    int loaded =
        cache_load(command->cache_path, command->data_path, reading, memory, data, reason, e);
    return loaded == 0 ? error_file(e, command->cache_path, "%s", reason) : loaded == 1 ? 0 : -1;
}

static int load_by_cache(const struct train_command *command,
                         const struct svmlight_options *reading, struct dataset *data,
                         struct error *e) {
    static const double most_memory = 3; /* bytes of the examples, for each byte of text */
    char reason[CACHE_REASON], words[CACHE_REASON + 32];
    double memory = kernel_settings_limit(&command->request);
    struct cache_source source;
    if (cache_check_replaceable(command->cache_path, e) != 0)
        return -1;
    int loaded =
        cache_load(command->cache_path, command->data_path, reading, memory, data, reason, e);
    if (loaded != 0)
        return loaded == 1 ? 0 : -1;
    if (reason[0] != '\0') {
        snprintf(words, sizeof words, " is made anew: %s", reason);
        tell(command, words);
    }
    if (cache_look_at_rest(command->data_path, &source, e) != 0)
        return -1;
    return most_memory * (double)source.bytes > memory
               ? cache_and_map(command, reading, &source, memory, data, e)
               : load_and_cache(command, reading, &source, data, e);
}

static int load(const struct train_command *command, const struct svmlight_options *options,
                struct communicator *communicator, struct dataset *data, struct error *e) {
    const struct data_files files = {command->files.path, command->files.count};
    return communicator == NULL ? dataset_load(command->data_path, options, data, e)
                                : dataset_load_share(&files, options, communicator, data, e);
}

static struct svmlight_options reading_options(const struct train_command *command) {
    const struct train_options *options = &command->options;
    return (struct svmlight_options){.zero_based = options->zero_based,
                                     .hash_bits = (int)command->request.settings.hash_bits,
                                     .threads = (int)command->request.settings.threads,
                                     .line_limit = MEGABYTE * options->line_limit};
}

int train_files_load(const struct train_command *command, struct communicator *communicator,
                     struct dataset *data, double *seconds, struct error *e) {
    const struct train_options *options = &command->options;
    const struct svmlight_options reading = reading_options(command);
    double before = clock_seconds();
    if ((command->cache_path != NULL ? load_by_cache(command, &reading, data, e)
                                     : load(command, &reading, communicator, data, e)) != 0)
        return -1;
    *seconds = clock_seconds() - before;
    return communicator_agree(
        communicator, options->weights == NULL ? 0 : load_weights(options->weights, data, e), e);
}

int train_files_load_held_out(const struct train_command *command, struct dataset *data,
                              struct error *e) {
    const struct svmlight_options reading = reading_options(command);
    return dataset_load(command->options.validation, &reading, data, e);
}

void train_describe_cache(const struct train_command *command, const struct dataset *data,
                          FILE *stream) {
    struct stat status = {0};
    stat(command->cache_path, &status);
    escape_print(command->cache_path, stream);
    fprintf(stream, ": %" PRId64 " examples, %" PRId32 " features, %" PRId64 " nonzeros, %.1f MB\n",
            data->rows, data->features, data->nonzeros, (double)status.st_size / MEGABYTE);
}

int train_files_write_numbered(const char *name, int64_t number, const struct model *model,
                               struct error *e) {
    size_t size = strlen(name) + 32;
    char *path = memory_new((int64_t)size, 1, "a file name", e);
    if (path == NULL)
        return -1;
    snprintf(path, size, "%s.%" PRId64, name, number);
    int status = model_write(model, path, false, e);
    free(path);
    return status;
}
