/* ipm_rows.h - what the primal-dual method keeps of each row, and sweeps over the rows.
 *
 * A loss is written as a maximum over one or two dual variables a a row, each with a box:
 *
 *     l(u) = sum over sides of  max over low <= a <= high of  a r - kappa a^2/2,
 *     r = sign turn u - target
 *
 *     loss        sides  turn  target            box         kappa
 *     hinge       1      -y    -1                [0, 1]      0
 *     absolute    1      1     y                 [-1, 1]     0
 *     quantile    1      1     y                 [-q, 1-q]   0
 *     Huber       1      1     y                 [-d, d]     1
 *     epsilon     2      1     y + e, e - y      [0, 1]      0     the second side with sign -1
 *
 * and so for every loss with a box (loss_box of risk/loss.h): turn and target -y and -1 for
 * classification, 1 and y for regression, kappa = 1/curvature, two sides where there is a tube.
 * The 1-norm of the weights is one more such loss, the absolute one, of rows that are those of the
 * identity: l1 |w_j| for each regularized j, with r = w_j and, in the sums' units, the mean weight of a
 * row and the box [-l1 m, l1 m] for m rows, so that a pair of weight and bound counts as one of a row
 * does. These variables stand behind those of the rows in all arrays.
 *
 * Rows of weight 0 are given score and target 0: they stay in the middle of the box, and no sum
 * sees them. Sums are taken in units of the weights (sum c, not mean), in the blocks of the design:
 * the same result for any number of threads. */
#ifndef RRM_IPM_ROWS_H
#define RRM_IPM_ROWS_H

#include "risk/risk.h"

enum { IPM_SIDES = 2, IPM_CHUNK = 256, IPM_MIXES = 9 };

/* The variables of one side; rows doubles each, on the first one rows + terms. */
struct ipm_side {
    double sign, kappa;
    double low, high;      /* the box */
    bool first;            /* of the sides of a row */
    double *below, *above; /* a - low, high - a */
    double *s, *x;         /* their multipliers */
    double *r;
    double *d;            /* 1/(kappa + s/below + x/above) */
    double *da, *ds, *dx; /* the direction */
};

struct ipm_rows {
    const struct scalar_parts *parts;
    const struct design *design;
    int sides;
    double tube;
    struct ipm_side side[IPM_SIDES];
    int64_t terms;        /* of the 1-norm: the regularized weights, or 0 */
    struct ipm_side term; /* theirs: the arrays of side[0], from `rows` on */
    double term_weight;   /* of each */
    double *du, *eu;      /* rows + terms: turned scores of the direction, of the corrector */
    double *curvature,
        *push;       /* rows + terms: weights of the Gram matrix, of the predictor's right side */
    double *a;       /* rows + terms: the dual variables, for the certificate */
    double *dense;   /* rows x columns, chunk by chunk (ipm_dense.h); NULL: sparse rows */
    double *partial; /* 2 x blocks x columns */
    double *memory;  /* all of the above */

    /* What the kernels read: steps, a target for the products, a share of the corrector. */
    double step, ahead, past, target, mix;
};

/* Sums and maxima over rows. */
struct ipm_sums {
    double loss;             /* sum of c l */
    double product;          /* sum of c (below s + above x); or its part of second order */
    double least;            /* the least product */
    double reach[IPM_MIXES]; /* 1/(longest step that keeps all variables >= 0), by share */
};

/* Rows of one chunk, for a kernel. */
struct ipm_chunk {
    int64_t from, count;
    const double *turn, *weight; /* count; turn is 0 where the weight is */
    double *one, *two;           /* count: coefficients of rows, for the sums X' one, X' two */
};

/* Adds to the chunk's coefficients and to the sums. */
typedef void ipm_kernel(const struct ipm_rows *rows, const struct ipm_side *side,
                        const struct ipm_chunk *chunk, struct ipm_sums *sums);

/* Bytes that ipm_rows_init takes. */
double ipm_rows_bytes(const struct scalar_parts *parts, bool dense);

/* 0, or -1 with the error set; to be freed in either case. The loss is one of the table above; `l1` is
 * the factor of ||w||_1 in J.
 * `dense`: a dense copy of the rows may be kept, where it pays. */
int ipm_rows_init(struct ipm_rows *rows, const struct scalar_parts *parts, double l1, bool dense,
                  struct error *e);
void ipm_rows_free(struct ipm_rows *rows);

/* The start: a in the middle of the box, r by w = 0, multipliers with r = x - s. */
void ipm_rows_start(struct ipm_rows *rows);

/* The products' number, in units of the weights. */
double ipm_rows_products(const struct ipm_rows *rows);

/* How far the dual variable of the j-th weight is from its bounds, in [0, 1]: at the optimum 0 where the
 * weight is not. */
double ipm_rows_slack(const struct ipm_rows *rows, int64_t j);

/* r by the scores of w, without the rounding of many steps; du is lost. */
void ipm_rows_refresh(struct ipm_rows *rows, const double *w);

/* Runs the kernel over all rows. With `w`, the turned scores of w are stored in `scores` first;
 * with g_one and g_two (NULL: not wanted), X' of the kernel's coefficients, weighted and turned,
 * comes out. */
struct ipm_sums ipm_sweep(struct ipm_rows *rows, ipm_kernel *kernel, const double *w,
                          double *scores, double *g_one, double *g_two);

#endif
