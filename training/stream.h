/* stream.h - training on examples as they come (solvers/stream.h): from a pipe, or a file that need not
 * fit in memory, read once a pass.
 *
 * The first examples, as many as the solver wants to see, wait for each other: what comes of a stream does
 * not depend on the pieces in which it comes. Their two labels are those of the stream; where they have only
 * one, the other may come later, as long as the larger one is positive. */
#ifndef RRM_STREAM_TRAINING_H
#define RRM_STREAM_TRAINING_H

#include "training/path.h"

/* Where the examples come from. */
struct example_source {
    void *context;

    /* Goes to the first example; called before each pass. 0, or -1 with the error set. */
    int (*rewind)(void *context, struct error *e);

    /* Replaces *block, at first an empty one, by the next rows. 1 with at least one row, 0 at the end, -1
     * with the error set. `features` is the largest that this block has. */
    int (*read)(void *context, struct dataset *block, struct error *e);
};

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
int stream_train(const struct training_request *request, const struct example_source *source,
                 double lambda, struct monitor *monitor, struct stream_result *result,
                 struct model *model, struct path *path, struct error *e);

#endif
