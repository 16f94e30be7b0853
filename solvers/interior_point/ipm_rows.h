/* ipm_rows.h - the dual variables of the primal-dual method, and sweeps over the rows that hold them.
 *
 * A loss is written as a maximum over one or two dual variables a for each row, each with a box:
 *
 *     l(u) = sum over the row's duals of  max over low <= a <= high of  a r - kappa a^2/2,
 *     r = sign turn u - target
 *
 *     loss        duals  turn  target            box         kappa
 *     hinge       1      -y    -1                [0, 1]      0
 *     absolute    1      1     y                 [-1, 1]     0
 *     quantile    1      1     y                 [-q, 1-q]   0
 *     Huber       1      1     y                 [-d, d]     1
 *     epsilon     2      1     y + e, e - y      [0, 1]      0     the second dual with sign -1
 *     squared hinge, squared epsilon             [0, limit]  1/2
 *
 * and likewise for every loss with a box (loss_box of risk/loss.h): turn and target are -y and -1 for
 * classification, 1 and y for regression; kappa = 1/curvature; two duals if the loss has a tube. An infinite box
 * ends at a limit that no dual variable reaches at the optimum.
 *
 * The 1-norm of the weights is treated as an absolute loss of additional rows, the unit vectors: l1 |w_j| for
 * each regularized j, with r = w_j. In the units of the sums, such a row gets the mean weight of a row and, for
 * m rows, the box [-l1 m, l1 m]. Their variables stand behind those of the rows in all arrays.
 *
 * Rows of weight 0 are given score and target 0. They stay in the middle of the box and add nothing to any sum.
 * Sums are in units of the example weights (sum of c, not the mean) and are taken in the blocks of the design:
 * the same result for any number of threads. They are those of all processes (io/communicator.h), each of which has
 * its own rows, and all the terms of the 1-norm. */
#ifndef RRM_IPM_ROWS_H
#define RRM_IPM_ROWS_H

#include "io/state/state.h"
#include "risk/risk.h"

enum { IPM_MAX_DUALS = 2, IPM_CHUNK_ROWS = 256, IPM_SHARES = 9 };

/* One dual variable of each row: arrays of `rows` doubles; the first one's have rows + l1_terms. */
struct ipm_duals {
    double sign, kappa;
    double low, high;         /* the box */
    double end_low, end_high; /* its ends; infinite where the loss has none */
    bool is_first;            /* the first of a row's duals */
    double *below, *above;    /* slacks a - low, high - a */
    double *s, *x;            /* the multipliers of these */
    double *r;
    double *d;            /* 1/(kappa + s/below + x/above) */
    double *da, *ds, *dx; /* the direction */
};

struct ipm_rows {
    const struct scalar_terms *terms;
    const struct design *design;
    int duals_per_row; /* 1 or 2 */
    double tube;
    struct ipm_duals duals[IPM_MAX_DUALS];
    int64_t l1_terms;          /* terms of the 1-norm: the regularized weights, or 0 */
    struct ipm_duals l1_duals; /* their duals: the arrays of duals[0] from index `rows` on */
    double l1_weight;          /* the weight of each term */
    double *du, *eu;           /* rows + l1_terms: turn u of the direction and of the corrector */
    double *right_side; /* rows + l1_terms: coefficients of the predictor's right side; then eu's */

    /* From a step to the next direction, in the memory of the first duals' da and ds. */
    double *curvature; /* rows + l1_terms: the diagonal d of X' diag(d) X, with weights */
    double *a;         /* rows + l1_terms: the dual variables with signs, for the bound */

    double *dense; /* rows x columns, chunk by chunk (ipm_dense.h); NULL: sparse rows */
    double *
        partial; /* 2 x blocks x columns: sums of the blocks; then scratch memory for an exchange */
    double *memory; /* holds all of the above */

    /* Parameters of the kernels. */
    double step;                        /* the step length */
    double trial_step, last_trial_step; /* where this and the last corrector look at the products */
    double target;                      /* for the products */
    double share;                       /* of a corrector that is added to the direction */
};

/* Sums and maxima over rows. */
struct ipm_sums {
    double loss;                     /* sum of c l */
    double product;                  /* sum of c (below s + above x), or its second-order part */
    double min_product;              /* the smallest of these products */
    double inverse_step[IPM_SHARES]; /* 1/(longest step that keeps all variables >= 0), by share */
};

/* The rows of one chunk, for a kernel. */
struct ipm_chunk {
    int64_t from, count;
    const double *turn, *weight; /* count; turn is 0 where the weight is */
    double *one, *two;           /* count: row coefficients of the sums X' one and X' two */
};

/* A kernel: the method's arithmetic on one chunk. It adds to the chunk's coefficients and to the sums. */
typedef void ipm_kernel(const struct ipm_rows *rows, const struct ipm_duals *duals,
                        const struct ipm_chunk *chunk, struct ipm_sums *sums);

/* Bytes that ipm_rows_init takes. */
double ipm_rows_bytes(const struct scalar_terms *terms, bool dense);

/* 0, or -1 with the error set; to be freed in either case. The loss must be one of the table above; `l1` is
 * the factor of ||w||_1 in J; LIMIT is that of infinite boxes. `dense` allows a dense copy of the rows, which
 * is made if it pays. */
int ipm_rows_init(struct ipm_rows *rows, const struct scalar_terms *terms, double l1, double limit,
                  bool dense, struct error *e);
void ipm_rows_free(struct ipm_rows *rows);

/* Lists all variables. */
void ipm_rows_visit(struct ipm_rows *rows, struct state *state);

/* Sets the start: a in the middle of the box, r from w = 0, multipliers with r = x - s. */
void ipm_rows_start(struct ipm_rows *rows);

/* The number of products below s and above x, weighted as in the sums. */
double ipm_rows_products(const struct ipm_rows *rows);

/* The distance of the j-th weight's dual variable from its nearer bound, in [0, 1] of the box's half width. At
 * the optimum it is 0 if the weight is not 0. */
double ipm_rows_slack(const struct ipm_rows *rows, int64_t j);

/* Recomputes r from the scores of w, which removes the rounding of many steps; overwrites du. */
void ipm_rows_refresh(struct ipm_rows *rows, const double *w);

/* Runs the kernel over all rows. If `w` is given, the scores of w times turn are first stored in `scores`. If
 * g_one and g_two are given (NULL: not needed), they get X' times the kernel's coefficients, weighted and
 * turned. The processes exchange their sums once. */
struct ipm_sums ipm_sweep(struct ipm_rows *rows, ipm_kernel *kernel, const double *w,
                          double *scores, double *g_one, double *g_two);

/* The same of a kernel without vectors, in two steps: over the rows of this process, without any exchange, and over the
 * terms of the 1-norm, whose sums are added to those of all processes. */
struct ipm_sums ipm_sweep_own(struct ipm_rows *rows, ipm_kernel *kernel);
void ipm_sweep_terms(struct ipm_rows *rows, ipm_kernel *kernel, struct ipm_sums *sums);

#endif
