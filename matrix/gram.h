/* gram.h - the weighted Gram matrix of a design,
 *
 *     H = X' diag(d) X,   d_i >= 0,
 *
 * the main cost of Newton and interior-point steps. For sparse rows, the k (k + 1)/2 products of a row's k
 * nonzeros are added to H one by one. If that would take longer, rows are unpacked in batches, scaled by
 * sqrt(d_i), for a dense product (math/matrices/gram_tiles.h). Rows are cut into blocks, whose number depends on the
 * data alone. Each is summed apart, by a thread in its matrix, and these sums are added in the order of the blocks: the
 * same result for any number of threads. Rows of other processes (io/communicator.h) count: H, g and `work` are those
 * of all rows. */
#ifndef RRM_GRAM_H
#define RRM_GRAM_H

#include "matrix/design.h"

enum { GRAM_MORE = 8 };

struct gram {
    const struct design *design; /* the caller's */
    int64_t n;                   /* design->columns */
    bool dense;                  /* whether rows are unpacked in batches */
    double work;                 /* cost of gram_compute, in scattered products */
    int blocks, threads;         /* of them at most so many at a time */
    double *
        matrix; /* (1 + threads) x n x n; after gram_compute the first holds H, its lower triangle */
    double *vector; /* (1 + threads) x n */
    double *batch;  /* if dense: threads x gram_tiles_size(n) */

    /* Polled now and then, by any thread: true ends the computation, and it must stay true (in all
     * processes alike). NULL: never polled. */
    bool (*stop)(void *opaque);
    void *opaque;
};

/* The cost of gram_compute for this design, as in struct gram, and whether rows are unpacked in batches. */
double gram_work(const struct design *design, bool *dense);

/* Bytes that gram_init allocates for this design at most, with any number of threads. */
double gram_bytes(const struct design *design);

/* The same for a design of so many of its columns, with this share of its nonzeros. */
double gram_bytes_of_part(const struct design *design, int64_t columns, double share);

/* 0, or -1 with the error set; to be freed in either case. */
int gram_init(struct gram *gram, const struct design *design, struct error *e);
void gram_free(struct gram *gram);

/* Computes H, row by row in gram->matrix (column j <= row i at i n + j), and g = X' c (NULL: not needed) in
 * the same pass over the rows. False if it was stopped: then they are not valid. */
bool gram_compute(struct gram *gram, const double *d, const double *c, double *g);

/* The same in two steps: H and g of this process's rows alone; then their sums over the processes, in one exchange with
 * those of the COUNT numbers MORE, at most n + GRAM_MORE. */
bool gram_compute_own(struct gram *gram, const double *d, const double *c, double *g);
void gram_sum(struct gram *gram, double *g, double *more, int64_t count);

#endif
