/* planes.h - linearizations of the risk (planes), their Gram matrix, and the quadratic program over them.
 *
 * Plane j says R_k(w) >= <a_j, w> + b_j, where R = R_1 + ... + R_K is a sum over blocks k: one block for
 * most solvers, one for each partition of the rows for mcpa. With R_k >= 0 the relaxed problem
 *
 *     minimize over w:  lambda/2 ||w||^2 + sum_k max(0, max over j in k of <a_j, w> + b_j)
 *
 * has the dual: minimize 1/2 ||A alpha||^2 - lambda b'alpha over alpha >= 0, sum over a block <= 1,
 * with w = -A alpha/lambda. alpha_j is called the weight of plane j.
 *
 * A row of the Gram matrix is computed when the program first asks for it, and kept in a cache of bounded
 * size, from which the least recently used row is removed. Planes without weight in many programs may be
 * set aside: they leave the program, and come back when they are violated at a later w.
 *
 * With an unregularized offset b0 plane j is <a_j, w> + o_j b0 + b_j, and the program has the constraint
 * sum alpha_j o_j = 0.
 *
 * Newton's method for other regularizers solves the same program in a diagonal metric M >= 0, with centres
 * c_j: H_jk = sum_i M_i (a_ji - c_j) (a_ki - c_k).
 *
 * Planes are numbered by slots 0 <= j < slots; some slots are empty. */
#ifndef RRM_PLANES_H
#define RRM_PLANES_H

#include "io/error.h"
#include "math/simplex_qp/simplex_qp.h"
#include "solvers/solver.h"

#include <stdbool.h>
#include <stdint.h>

enum plane_state { PLANE_EMPTY, PLANE_WORKING, PLANE_ASIDE };

struct plane {
    enum plane_state state;
    int block;
    int idle;        /* programs solved since its weight was positive */
    double constant; /* b */
    double offset;   /* o, with an offset */
    double *slope;   /* a: count numbers */
    int64_t count;   /* n, or the nonzeros of a plane that is kept as a sparse vector */
    int32_t *column; /* the nonzeros' columns, ascending; NULL: the plane is dense */
    double *row; /* of the Gram matrix, by slot; NULL: not in the cache. Only the entries of working
                        * planes are valid */
    bool stale;  /* the row's numbers are invalid: the metric has changed */
    int64_t last_used; /* value of row_requests when the row was last used */
};

struct planes {
    int64_t n; /* coordinates of a plane: the regularized ones */
    int blocks;
    bool offset;
    int slots;           /* slots in use, and empty ones before the last of them */
    int capacity;        /* slots that the arrays have memory for */
    int working;         /* planes in the program */
    bool sparse;         /* planes with few nonzeros are kept as sparse vectors */
    struct plane *plane; /* by slot */
    double *linear;      /* by slot: f of the program, set by the caller */
    double *product;     /* by slot: products with the planes */
    double *cap;         /* by block: upper bound of the sum of weights */
    double *max_value; /* by block: the maximum of the working planes, for planes_recall_violated */
    const double *metric; /* M: n numbers, the caller's; NULL: all are 1, and the centres 0 */
    double *centre;       /* c, by slot */
    struct simplex_qp *qp;
    double *dense;              /* work: a sparse plane as a dense vector; 0 between calls */
    bool (*stop)(void *opaque); /* set by the caller: true ends a program early; NULL: never */
    void *opaque;
    int64_t cache_bytes;  /* limit of the cached rows of the Gram matrix */
    int64_t cached;       /* rows in the cache */
    int64_t row_requests; /* how often a row was used: the clock of last_used */
};

/* All caps are 1. SPARSE: planes of few nonzeros are kept as sparse vectors; no metric is allowed then.
 * CACHE_BYTES bounds the Gram rows in the cache (at least two are kept). 0, or -1 with the error set; to be
 * freed in either case. */
int planes_init(struct planes *planes, int64_t n, int blocks, bool offset, bool sparse,
                int64_t cache_bytes, struct error *e);
void planes_free(struct planes *planes);

/* As planes_init, or takes the planes of the run before, if there are any; planes_keep leaves them for the next run or,
 * if there is none, frees them; -1 with the error set, and they are freed. KEPT: NULL: no other run. */
int planes_take(struct planes *planes, struct kept *kept, int64_t n, int blocks, bool offset,
                bool sparse, int64_t cache_bytes, struct error *e);
int planes_keep(struct planes *planes, struct kept *kept, struct error *e);

/* Copies SLOPE (n numbers, and o with an offset) into a new working plane of weight 0. Returns its slot, or
 * -1 with the error set. */
int planes_add(struct planes *planes, const double *slope, double constant, int block,
               struct error *e);

/* Remove a plane from the program: planes_recall can bring back one set aside; a dropped one is freed. */
void planes_set_aside(struct planes *planes, int slot);
void planes_drop(struct planes *planes, int slot);

/* Brings a plane that was set aside back into the program, with weight 0. 0, or -1 with the error set. */
int planes_recall(struct planes *planes, int slot, struct error *e);

/* minimize 1/2 ||A alpha||^2 - linear'alpha over alpha >= 0, sum over block k <= cap[k], over the
 * working planes. Updates the planes' `idle`. 0, or -1 with the error set. */
int planes_solve(struct planes *planes, double tolerance, struct simplex_qp_result *result,
                 struct error *e);

/* Sets the metric M of H (n numbers, which must outlive the next call; NULL: the identity). The centres are
 * the present `product`, or 0 unless `centred`. All weights become 0. 0, or -1 with the error set. */
int planes_set_metric(struct planes *planes, const double *metric, bool centred, struct error *e);

/* The plane's weight in the solution; 0 for a plane not in the program. */
double planes_weight(const struct planes *planes, int slot);

/* s = scale * sum_j weight_j a_j (n numbers); returns scale * sum_j weight_j b_j. The same for any number
 * of threads. */
double planes_combine(const struct planes *planes, double scale, double *s);

/* product[j] = <a_j, v> for all planes, in the program or set aside. */
void planes_multiply(struct planes *planes, const double *v);

/* sum[j] = <a_j, A alpha> for the working planes, from the rows of H (without a metric). Much cheaper than
 * planes_multiply when n is large. 0, or -1 with the error set. */
int planes_multiply_combination(struct planes *planes, double *sum, struct error *e);

/* Sets aside the planes that had no weight in the last `limit` programs. */
void planes_shrink(struct planes *planes, int limit);

/* Brings back the planes set aside that are above all working ones of their block at (w, offset). Drops
 * those with more than `forget` such tests and programs without weight. 0, or -1 with the error set. */
int planes_recall_violated(struct planes *planes, const double *w, double offset, int forget,
                           struct error *e);

/* Lists the planes and their program. Those that are read replace all. */
void planes_visit(struct planes *planes, struct state *state);

/* The member `keeps` of solvers that leave planes. */
extern const struct kept_kind *const planes_keeps[];

#endif
