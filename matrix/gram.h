/* gram.h - the weighted Gram matrix of a design,
 *
 *     H = X' diag(d) X,   d_i >= 0,
 *
 * the dominating cost of Newton and interior-point steps. Sparse rows scatter the k (k + 1)/2
 * products of their k nonzeros; where that would take longer, rows are unpacked in batches, scaled
 * by sqrt(d_i), for a dense product (math/gram_tiles.h). Rows are cut into parts whose number depends
 * on the data alone, each with a matrix of its own, and the matrices are added in order: the same
 * result for any number of threads. */
#ifndef RRM_GRAM_H
#define RRM_GRAM_H

#include "matrix/design.h"

struct gram {
    const struct design *design; /* the caller's */
    int64_t n;                   /* design->columns */
    bool dense;                  /* by unpacked batches */
    double work;                 /* of gram_compute, in scattered products */
    int parts;
    double *matrix; /* parts x n x n; after gram_compute the first holds H, its lower triangle */
    double *vector; /* parts x n */
    double *batch;  /* dense: parts x gram_tiles_size(n) */

    /* Asked now and then, by any thread: once it says true, it always does. NULL: never. The caller's. */
    bool (*stop)(void *opaque);
    void *opaque;
};

/* Bytes that gram_init takes for this design. */
double gram_bytes(const struct design *design);

/* 0, or -1 with the error set; to be freed in either case. */
int gram_init(struct gram *gram, const struct design *design, struct error *e);
void gram_free(struct gram *gram);

/* H, row by row in gram->matrix (column j <= row i at i n + j), and g = X' c (NULL: not wanted) in
 * the same pass over the rows. False when it was stopped: then they are of no use. */
bool gram_compute(struct gram *gram, const double *d, const double *c, double *g);

#endif
