/* stream_source.h - reads the examples of a file or pipe block by block (training/stream/stream.h). */
#ifndef RRM_STREAM_SOURCE_H
#define RRM_STREAM_SOURCE_H

#include "cli/train_command.h"
#include "io/svmlight/svmlight.h"
#include "training/stream/stream.h"

struct stream_file {
    const char *path;
    struct svmlight_options options;
    double time_limit;              /* seconds of reading and training, -t */
    double deadline;                /* when they end, by clock_seconds; 0 before the first pass */
    struct svmlight_reader *reader; /* NULL before the first pass */
};

/* The data of the command line. */
struct stream_file stream_file_of(const struct train_command *command);

/* FILE outlives it. */
struct example_source stream_source(struct stream_file *file);

/* One that was never read is closed. */
void stream_file_close(struct stream_file *file);

#endif
