/* stream.h - solvers that meet the examples in the order in which they come, each once a pass, however
 * many there are: data of a pipe, or larger than memory. They know neither the number of examples nor,
 * at first, of features. */
#ifndef RRM_STREAM_H
#define RRM_STREAM_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/map.h"
#include "risk/loss.h"

#include <stdbool.h>

struct stream_problem {
    const struct loss *loss;
    struct loss_parameters parameters;
    double lambda;
    bool intercept;
    struct map *map; /* the examples are phi(x); NULL: x */
    double memory;   /* bytes that the map may take: what has no room is made anew each time */
};

/* What was met so far. */
struct stream_progress {
    int64_t examples;
    double weight; /* sum of their weights */
    double loss;   /* weighted mean loss of each example before it was learned */
    double norm;   /* ||w|| of the present point */
};

struct stream_state;

struct stream_method {
    /* The number of examples that `begin` needs. */
    int64_t (*begin_rows)(const void *options);

    /* OPTIONS: the solver's. FIRST: the first begin_rows examples, or all if there are fewer, from which constants are
     * estimated; `learn` gets them too. NULL with the error set. */
    struct stream_state *(*begin)(const struct stream_problem *problem, const void *options,
                                  const struct dataset *first, const double *target,
                                  struct error *e);

    /* Learns the rows of a block, in order. 0, or -1 with the error set. */
    int (*learn)(struct stream_state *state, const struct dataset *block, const double *target,
                 struct error *e);

    void (*progress)(const struct stream_state *state, struct stream_progress *out);

    /* The weights that it would return now: features met so far, or n of the map; then the offset. */
    int64_t (*dimension)(const struct stream_state *state);
    void (*copy)(const struct stream_state *state, double *w);

    /* At the end: what the user should know, as in struct outcome, of which TEXT has room for SIZE bytes. NULL:
     * nothing. */
    void (*note)(const struct stream_state *state, char *text, size_t size);

    void (*free)(struct stream_state *state);
};

#endif
