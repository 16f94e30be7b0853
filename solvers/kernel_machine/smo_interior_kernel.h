/* smo_interior_kernel.h - the kernel matrix K of interior points (smo_interior.h), and systems with K + diag(1/w):
 * whole, or L L' of a low rank, by pivots whose diagonal entry is the largest that is left.
 *
 * Those of L L' are systems of the rank, since
 *
 *     (L L' + W^-1)^-1 = W - W L (I + L'W L)^-1 L'W.
 *
 * Rows and columns of examples of the weight 0 are left out: they are 0, those of the whole K those of the identity.
 *
 * Reference: Fine & Scheinberg 2001, Efficient SVM training using low-rank kernel representations, JMLR 2. Memory in
 * doubles: 2 rows^2, or rows rank + 2 rank^2. */
#ifndef RRM_SMO_INTERIOR_KERNEL_H
#define RRM_SMO_INTERIOR_KERNEL_H

#include "solvers/kernel_machine/canonical.h"

struct interior_kernel {
    int64_t n;                        /* rows of K */
    int64_t rank;                     /* rows of L'; 0: K is whole */
    bool complete;                    /* L L' leaves nothing of K but rounding */
    double *value;                    /* n x n; or L', rank x n */
    double *diagonal;                 /* n: K_ii */
    double *rest;                     /* n: of a low rank, what L L' lacks of the diagonal */
    const double *w;                  /* n: of the last factor */
    double *factor, *factor_diagonal; /* order x order, order; order = rank, or n */
    double *scaled;                   /* n */
    double *sums;                     /* rank */
    double *batch;                    /* gram_tiles.h, of a low rank */
    double *work;                     /* cholesky.h */
};

/* K in doubles. 0, or -1 with the error set; to be freed in either case. */
int interior_kernel_init(struct interior_kernel *k, const struct canonical *c, struct error *e);

/* L of at most RANK columns, fewer if they leave nothing but rounding. 0, or -1 with the error set; to be freed in
 * either case. rows rank^2 operations, and rank rows of K. */
int interior_kernel_init_low(struct interior_kernel *k, const struct canonical *c, int64_t rank,
                             struct error *e);

void interior_kernel_free(struct interior_kernel *k);

/* y = K x */
void interior_kernel_multiply(const struct interior_kernel *k, const double *x, double *y);

/* A factor of K + diag(1/w); w must outlive its use. 0, or -1: there is none. */
int interior_kernel_factor(struct interior_kernel *k, const double *w);

/* x <- (K + diag(1/w))^-1 x */
void interior_kernel_solve(const struct interior_kernel *k, double *x);

#endif
