/* stream.h - training on examples as they come (solvers/stream.h): from a pipe, or a file that need not fit in
 * memory, read once a pass.
 *
 * The first examples are collected until there are as many as the solver needs to begin; so the result does not
 * depend on the pieces in which a pipe delivers them. They say whether the stream has two labels or more
 * (stream_labels.h).
 *
 * A checkpoint has the state of the solver and how many rows of which pass it has learned. A run that goes on begins
 * with the same first examples, takes the state, reads these rows again without learning them, and compares their
 * hash. */
#ifndef RRM_STREAM_TRAINING_H
#define RRM_STREAM_TRAINING_H

#include "training/search/path.h"
#include "training/stream/progressive.h"

/* Where the examples come from. */
struct example_source {
    void *context;
    /* bytes of the file, or examples; -1: it cannot be read again, so there is no checkpoint */
    int64_t size;
    int32_t features; /* that there are at least; 0: those that occur */

    /* Rewinds to the first example; called before each pass. 0, or -1 with the error set. */
    int (*rewind)(void *context, struct error *e);

    /* Replaces *block, at first an empty one, by the next rows. 1 with at least one row, 0 at the end, -1
     * with the error set. `features` is the largest that this block has. */
    int (*read)(void *context, struct dataset *block, struct error *e);
};

/* The results of a stream besides its model. */
struct stream_result {
    struct classes classes;
    struct dataset sizes; /* only rows, features and nonzeros are set */
    struct map *map;      /* NULL: no map */
    bool *weighted;       /* whether each label of -w occurred */
    struct progressive_visitor visitor;
    struct progressive progressive;
};

/* Trains; *path gets one run. Its J uses the mean loss that each example had just before it was learned. START: the
 * model whose weights are the first ones; NULL: 0. A kernel model is changed to a linear one over the map's features.
 * VISITOR is told the rows of the progressive validation. A signal or the time limit ends the training with the
 * examples read so far. 0, or -1 with the error set; the caller frees model, path and what the result holds in either
 * case. */
int stream_train(const struct training_request *request, const struct example_source *source,
                 struct model *start, double lambda, struct monitor *monitor,
                 const struct progressive_visitor *visitor, struct stream_result *result,
                 struct model *model, struct path *path, struct error *e);

#endif
