/* stream.h - solvers that meet the examples in the order in which they come, each once a pass, however
 * many there are: data of a pipe, or larger than memory. They know neither the number of examples nor,
 * at first, of features. */
#ifndef RRM_STREAM_H
#define RRM_STREAM_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/state/state.h"
#include "kernel/map.h"
#include "risk/loss.h"

#include <stdbool.h>

struct stream_problem {
    const struct loss *loss;
    struct loss_parameters parameters;
    double lambda;
    bool intercept;
    struct map *map;  /* the examples are phi(x); NULL: x */
    double memory;    /* bytes that the map may take: what has no room is made anew each time */
    int64_t vectors;  /* to be trained at once: 1, or above 1 one for each label against the rest */
    int32_t features; /* columns at least, without a map */
};

/* Rows to be learned, in order. The target of a row is that of the loss; with several vectors it is the row's label, as
 * the number of its vector: the loss's target is 1 for this vector and -1 for the others. */
struct stream_rows {
    const struct dataset *block;
    int64_t from, to;     /* rows from <= i < to of the block */
    const double *target; /* of all rows of the block */
    double *score; /* gets (to - from) x stream_scores: those of each row before it is learned */
};

/* The scores of a row: one of each vector; of several vectors one more, of the vector that a further label would have
 * (add_vector). */
static inline int64_t stream_scores(int64_t vectors) {
    return vectors > 1 ? vectors + 1 : 1;
}

/* The vectors that a model would have now: of two labels each vector is the other one's negative, so one says all. */
static inline int64_t stream_models(int64_t vectors) {
    return vectors == 2 ? 1 : vectors;
}

struct stream_state;

struct stream_method {
    /* The number of examples that `begin` needs. */
    int64_t (*begin_rows)(const void *options);

    /* OPTIONS: the solver's. FIRST: the first begin_rows examples, or all if there are fewer, from which constants are
     * estimated; `learn` gets them too. NULL with the error set. */
    struct stream_state *(*begin)(const struct stream_problem *problem, const void *options,
                                  const struct dataset *first, const double *target,
                                  struct error *e);

    /* Before the first `learn`: the vector begins at W, of `dimension` weights, which EXAMPLES examples have trained:
     * the first steps are as small as those that follow so many. */
    void (*start)(struct stream_state *state, int64_t vector, const double *w, int64_t examples);

    /* 0, or -1 with the error set. */
    int (*learn)(struct stream_state *state, const struct stream_rows *rows, struct error *e);

    /* A label occurs for the first time. Its vector, the last one from now on, is the one that it would have if it had
     * been known from the beginning: all examples so far had another label. Only with several vectors. */
    int (*add_vector)(struct stream_state *state, struct error *e);

    /* ||w||^2 of a vector at present. */
    double (*square)(const struct stream_state *state, int64_t vector);

    /* The weights that a vector would have now: features met so far, or n of the map; then the offset. */
    int64_t (*dimension)(const struct stream_state *state);
    void (*copy)(const struct stream_state *state, int64_t vector, double *w);

    /* At the end: what the user should know, as in struct outcome, of which TEXT has room for SIZE bytes. NULL:
     * nothing. */
    void (*note)(const struct stream_state *state, char *text, size_t size);

    /* Lists what `learn` changes. A state that has begun with the same first examples reads it. */
    void (*visit)(struct stream_state *state, struct state *list);

    void (*free)(struct stream_state *state);
};

#endif
