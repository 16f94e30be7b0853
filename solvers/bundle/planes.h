/* planes.h - linearizations of the risk, their Gram matrix, and the quadratic program over them.
 *
 * Plane j says R_k(w) >= <a_j, w> + b_j, where R = R_1 + ... + R_K is the sum over blocks k (one
 * block for most solvers, one a partition for multiple cuts). With R_k >= 0 the relaxed problem
 *
 *     minimize over w:  lambda/2 ||w||^2 + sum_k max(0, max over j in k of <a_j, w> + b_j)
 *
 * has the dual: minimize 1/2 ||A alpha||^2 - lambda b'alpha over alpha >= 0, sum over a block <= 1,
 * with w = -A alpha/lambda. Its Gram matrix grows by a row a plane; rows are kept in a cache of
 * bounded size, the least recently used one leaves. Planes of weight 0 for long may be set aside:
 * they leave the program, not the set, and come back when a later w violates them.
 *
 * With an unregularized offset b0 plane j is <a_j, w> + o_j b0 + b_j, and sum alpha_j o_j = 0 joins
 * the program.
 *
 * Newton's method for other regularizers needs the same program in a metric M >= 0, diagonal, and about
 * centres c_j: then H_jk = sum_i M_i (a_ji - c_j) (a_ki - c_k).
 *
 * Planes live in slots 0 <= j < slots, some of them empty. */
#ifndef RRM_PLANES_H
#define RRM_PLANES_H

#include "io/error.h"
#include "math/simplex_qp/simplex_qp.h"

#include <stdbool.h>
#include <stdint.h>

enum plane_state { PLANE_EMPTY, PLANE_WORKING, PLANE_ASIDE };

struct plane {
    enum plane_state state;
    int block;
    int idle;        /* solutions of the program since its weight was positive */
    double constant; /* b */
    double offset;   /* o, with an offset */
    double *slope;   /* a: count numbers */
    int64_t count;   /* n, or the nonzeros of a plane that is kept as a sparse vector */
    int32_t *column; /* theirs, ascending; NULL: all */
    double *row;     /* of the Gram matrix, by slot, when it is in the cache; entries of planes that
                       * do not work are not kept up */
    bool stale;      /* the row is room alone: the metric has changed */
    int64_t used;    /* when the row was last asked for */
};

struct planes {
    int64_t n; /* coordinates of a plane: the regularized ones */
    int blocks;
    bool offset;
    int slots; /* in use or used once */
    int room;  /* slots that the arrays hold */
    int working;
    bool sparse;
    struct plane *plane;  /* by slot */
    double *linear;       /* by slot: f of the program, for its caller to fill */
    double *product;      /* by slot: room for products with the planes */
    double *cap;          /* by block */
    double *level;        /* by block: room for the highest working plane */
    const double *metric; /* M: n numbers, the caller's; NULL: all are 1, and the centres 0 */
    double *centre;       /* c, by slot */
    struct simplex_qp *qp;
    double *dense;              /* room for a plane: n numbers, all 0 between calls */
    bool (*stop)(void *opaque); /* for the caller to set: true ends a program early; NULL: never */
    void *opaque;
    int64_t cache_bytes; /* that the rows of the Gram matrix may take */
    int64_t cached;      /* rows that are there */
    int64_t clock;
};

/* All caps are 1. SPARSE: planes of few nonzeros are kept as sparse vectors, which does not go together
 * with a metric. CACHE_BYTES bounds the Gram rows kept (at least two are). 0, or -1 with the error set; to be freed
 * in either case. */
int planes_init(struct planes *planes, int64_t n, int blocks, bool offset, bool sparse,
                int64_t cache_bytes, struct error *e);
void planes_free(struct planes *planes);

/* Copies SLOPE (n numbers, and o with an offset) into a new working plane of weight 0; its slot, or -1 with the error set. */
int planes_add(struct planes *planes, const double *slope, double constant, int block,
               struct error *e);

/* Takes a plane out of the program, to come back (aside), or for good (drop). */
void planes_set_aside(struct planes *planes, int slot);
void planes_drop(struct planes *planes, int slot);

/* An aside plane works again, with weight 0. 0, or -1 with the error set. */
int planes_recall(struct planes *planes, int slot, struct error *e);

/* minimize 1/2 ||A alpha||^2 - linear'alpha over alpha >= 0, sum over block k <= cap[k], over the
 * working planes; counts the idle ones. 0, or -1 with the error set. */
int planes_solve(struct planes *planes, double tolerance, struct simplex_qp_result *result,
                 struct error *e);

/* From now on H is in the metric M (n numbers, that outlive the next call), about the centres that
 * stand in `product` (0 unless `centred`), and all weights are 0. M may be NULL: the identity. 0, or -1 with the error set. */
int planes_measure(struct planes *planes, const double *metric, bool centred, struct error *e);

/* The solution's weight of a plane; 0 for one that does not work. */
double planes_weight(const struct planes *planes, int slot);

/* s = scale * sum_j weight_j a_j (n numbers); returns scale * sum_j weight_j b_j. Each coordinate is summed in the order of
 * the slots, by any number of threads. */
double planes_combine(const struct planes *planes, double scale, double *s);

/* product[j] = <a_j, v> for all planes, aside or working. */
void planes_multiply(struct planes *planes, const double *v);

/* sum[j] = <a_j, A alpha> for the working planes, from the rows of H (not in a metric): cheaper by far
 * than planes_multiply when n is large. 0, or -1 with the error set. */
int planes_correlate(struct planes *planes, double *sum, struct error *e);

/* Sets aside the planes that were idle for `limit` solutions. */
void planes_shrink(struct planes *planes, int limit);

/* The planes aside that lie above all working ones of their block at (w, offset) work again; those
 * that have failed `forget` such tests and solutions are dropped. 0, or -1 with the error set. */
int planes_retest(struct planes *planes, const double *w, double offset, int forget,
                  struct error *e);

#endif
