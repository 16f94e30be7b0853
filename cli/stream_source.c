/* stream_source.c - reads the examples of a file or pipe block by block. */
#include "cli/stream_source.h"

#include "cli/signals.h"
#include "io/clock.h"

#include <math.h>
#include <sys/stat.h>

struct stream_file stream_file_of(const struct train_command *command) {
    return (struct stream_file){.path = command->data_path,
                                .options = {.zero_based = command->options.zero_based,
                                            .hash_bits = (int)command->request.settings.hash_bits,
                                            .threads = 1,
                                            .line_limit = MEGABYTE * command->options.line_limit},
                                /* with a checkpoint the source is a file, which does not wait */
                                .time_limit = command->request.settings.checkpoint != NULL
                                                  ? INFINITY
                                                  : command->request.settings.time_limit};
}

/* A signal came, or the time is over: the training is not asked while it waits for examples. */
static bool is_stopped(void *context) {
    const struct stream_file *file = context;
    return signals_came() || clock_seconds() >= file->deadline;
}

static int rewind_file(void *context, struct error *e) {
    struct stream_file *file = context;
    if (file->deadline == 0)
        file->deadline = clock_seconds() + file->time_limit;
    file->options.stop = (struct interruption){is_stopped, file};
    stream_file_close(file);
    file->reader = svmlight_open(file->path, &file->options, e);
    return file->reader == NULL ? -1 : 0;
}

static int read_block(void *context, struct dataset *block, struct error *e) {
    struct stream_file *file = context;
    return svmlight_read(file->reader, block, e);
}

struct example_source stream_source(struct stream_file *file) {
    struct stat status;
    bool regular = stat(file->path, &status) == 0 && S_ISREG(status.st_mode);
    return (struct example_source){.context = file,
                                   .size = regular ? (int64_t)status.st_size : -1,
                                   .rewind = rewind_file,
                                   .read = read_block};
}

void stream_file_close(struct stream_file *file) {
    svmlight_close(file->reader);
    file->reader = NULL;
}
