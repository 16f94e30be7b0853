/* sdm_hessian.h - the matrix of a Newton step of `sdm`, for dense rows:
 *
 *     H = I + sum_i sigma C_i (I_S - 11'/|S|) (x) x_i x_i'   over the positive classes S of row i.
 *
 * I_S - 11'/|S| is the sum of (u_a - u_b)(u_a - u_b)'/|S| over the pairs a > b of S, for unit vectors u. So H needs a
 * Gram matrix G_ab for each pair, of the rows where both are positive (gram_tiles.h): its block of a and b
 * is -G_ab, that of a is I + sum_b G_ab. Threads share the pairs, and each sums its rows in order: the result does not
 * depend on their number. */
#ifndef RRM_SDM_HESSIAN_H
#define RRM_SDM_HESSIAN_H

#include "solvers/dual/sdm_rows.h"
#include "solvers/monitor.h"

struct sdm_hessian {
    const struct sdm_rows *rows;   /* with FORCE_DENSE */
    const struct monitor *monitor; /* its limits end the sums */
    int64_t n;                     /* weights */
    int64_t *start;                /* classes + 1: of their rows in `listed` */
    int64_t *count;                /* rows: |S|, or 0 where that is 1 and adds nothing */
    /* the rows where a class is positive, class by class: at most rows x classes */
    int64_t *listed;
    double *scratch; /* threads x scratch_size */
};

/* Bytes that it allocates. */
double sdm_hessian_bytes(int64_t rows, int64_t classes, int64_t features);

/* 0, or -1 with the error set; to be freed in either case. */
int sdm_hessian_init(struct sdm_hessian *h, const struct sdm_rows *rows,
                     const struct monitor *monitor, struct error *e);
void sdm_hessian_free(struct sdm_hessian *h);

/* MATRIX = H, n x n, its lower triangle, for the dual variables BETA (rows x classes). Returns its products, one for
 * each feature and positive class of a row. What it leaves when a limit comes is not H. */
double sdm_hessian_compute(struct sdm_hessian *h, const double *beta, double sigma, double *matrix);

#endif
