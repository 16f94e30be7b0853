/* stream.h - training on examples as they come (solvers/stream.h): from a pipe, or a file that need not
 * fit in memory, read once a pass.
 *
 * The first examples, as many as the solver wants to see, wait for each other: what comes of a stream does
 * not depend on the pieces in which it comes. Their two labels are those of the stream; where they have only
 * one, the other may come later, as long as the larger one is positive. */
#ifndef RRM_STREAM_TRAINING_H
#define RRM_STREAM_TRAINING_H

#include "training/path.h"

/* 0, or a usage error for options that a stream cannot have. */
int stream_check(const struct train_command *command, struct error *e);

/* What a stream leaves beside its model. */
struct stream_result {
    struct classes classes;
    struct dataset sizes; /* rows, features and nonzeros alone */
    struct map *map;      /* NULL without */
};

/* Trains; *path then has one run, whose J has the mean loss of each example before it
 * was learned. A signal, or the time limit,
 * ends it with the examples read so far. 0, or -1 with the error set; the caller frees model, path and
 * what the result holds in either case. */
int stream_train(const struct train_command *command, double lambda, struct monitor *monitor,
                 struct stream_result *result, struct model *model, struct path *path,
                 struct error *e);

#endif
