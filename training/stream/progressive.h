/* progressive.h - progressive validation: the loss of each example before it is learned, as Vowpal Wabbit prints it.
 *
 * Each example is predicted before it is learned, so the mean of these losses estimates the loss on new data. It is
 * shown after 1, 2, 4, 8, ... examples and at the end of the first pass; later passes have learned the examples
 * before.
 *
 * Reference: Blum, Kalai & Langford 1999, *Beating the hold-out: bounds for k-fold and progressive cross-validation*,
 * COLT. */
#ifndef RRM_PROGRESSIVE_H
#define RRM_PROGRESSIVE_H

#include "io/error.h"
#include "io/state/state.h"
#include "risk/loss.h"

#include <stdbool.h>
#include <stdint.h>

/* The means so far, and the last example. Means are over the examples by their weights; a loss is the sum over the
 * weight vectors. */
struct progressive_row {
    int64_t examples;
    double weight;          /* sum of their weights */
    double loss, last_loss; /* mean of all, and of those since the last row */
    double error;           /* share of wrong labels; not-a-number for regression */
    /* not-a-number: the other label of two, of which no example came yet */
    double label, predicted;
    int64_t features; /* entries of the example */
};

/* Is told each row; `tell` NULL: none. */
struct progressive_visitor {
    void (*tell)(void *context, const struct progressive_row *row);
    void *context;
};

/* The means of some examples, for one weight vector. */
struct progressive_means {
    double loss;      /* mean loss of each example before it was learned */
    double null_loss; /* mean loss of weights 0 */
};

struct progressive_vector {
    struct progressive_means all;    /* of all examples */
    struct progressive_means late;   /* of those since the latest power of 2 */
    struct progressive_means before; /* of those between that and the power of 2 before it */
    int64_t examples;                /* of its label */
};

struct progressive {
    const struct loss *loss;
    struct loss_parameters parameters;
    struct progressive_visitor visitor;
    /* those that are trained; of more than one a further one is kept, for labels to come */
    int64_t vectors;
    struct progressive_vector *vector;
    struct progressive_row now;        /* `last_loss` and `error` are kept up to date, too */
    double last_weight;                /* the weights since the last row */
    double late_weight, weight_before; /* of `late` and `before` of the vectors */
    int64_t late_end;                  /* examples at the next power of 2 */
    double last_label;
    int64_t counted,
        changes;  /* examples of the first pass; those with another label than the one before */
    int64_t next; /* examples at the next row */
    bool closed;  /* no more rows */
    struct progressive_row *row;
    int64_t rows, capacity;
};

/* An example and what was predicted. */
struct progressive_example {
    double weight;
    const double *score; /* stream_scores of them */
    double target;       /* as in struct stream_rows */
    double label, predicted;
    bool classes; /* labels are classes, which are right or wrong */
    bool right;
    int64_t features;
};

/* 0, or -1 with the error set; freed by progressive_free in either case. */
int progressive_init(struct progressive *p, const struct loss *loss,
                     const struct loss_parameters *parameters, int64_t vectors,
                     const struct progressive_visitor *visitor, struct error *e);

/* A label occurs for the first time, which no example had so far. */
int progressive_add_vector(struct progressive *p, struct error *e);

int progressive_add(struct progressive *p, const struct progressive_example *example,
                    struct error *e);

/* Lists the means and the rows. */
void progressive_visit(struct progressive *p, struct state *state);

/* The first pass is over: the last row, if examples have come since the one before. */
int progressive_close(struct progressive *p, struct error *e);

/* The sum over the vectors of the model of the mean losses. */
double progressive_loss(const struct progressive *p);

/* The means of vector K over the latter examples, from a third of all on, in any pass: the first ones are learned from
 * far away. */
struct progressive_means progressive_late(const struct progressive *p, int64_t k);

/* Whether the labels of the first pass came in far longer runs than in a random order. */
bool progressive_is_sorted(const struct progressive *p);

void progressive_free(struct progressive *p);

#endif
