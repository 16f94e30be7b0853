/* hinge_search.h - the exact minimum of the hinge risk along a line.
 *
 *     phi(k) = a/2 k^2 + b k + sum_i p_i max(0, v_i + k d_i)
 *
 * v_i are the slacks 1 - y_i u_i, d_i their change per unit of k. phi' is piecewise linear and rises by
 * p_i |d_i| at the breakpoint -v_i/d_i. With a = b = 0 and d = y this is the best unregularized
 * offset, a weighted quantile.
 *
 * A sample of the breakpoints brackets the root of phi'. One pass over the rows computes phi' at the
 * bracket's lower end and collects the breakpoints within, and selection finds the root among these. The
 * expected time is O(rows); sorting would take O(rows log rows).
 *
 * Where the rows lie in several processes (io/communicator.h), phi is that of all rows. Slacks and breakpoints stay
 * where they are, but for the sample and the last few: a step of the selection takes a few numbers of each process.
 *
 * Reference: Franc & Sonnenburg 2008, Optimized cutting plane algorithm for support vector
 * machines, section 3.3; Lee 2011, (5.11). */
#ifndef RRM_HINGE_SEARCH_H
#define RRM_HINGE_SEARCH_H

#include "matrix/design.h"

struct hinge_line {
    const double *slack; /* v: rows */
    const double *step;  /* d: rows */
    const double
        *positive; /* NULL; else `step` has labels, and d_i is +1 where it is this one, else -1 */
    const double *weight; /* p: rows, >= 0; NULL: all are 1 */
    double curvature;     /* a >= 0 */
    double slope;         /* b */
};

struct breakpoint {
    double key;  /* its k */
    double jump; /* by how much phi' rises there */
};

/* Memory for searches over the rows of a design. */
struct hinge_search {
    const struct design *design;       /* its blocks of rows, and whether to use threads */
    struct breakpoint *inside;         /* rows and some more: the breakpoints in the bracket */
    struct breakpoint *sample;         /* the breakpoints of a sample of rows */
    int64_t count[DESIGN_BLOCKS_MOST]; /* by block: breakpoints inside */
    double sum[DESIGN_BLOCKS_MOST];    /* by block: slope at the lower end */
};

/* 0, or -1 with the error set; to be freed in either case. */
int hinge_search_init(struct hinge_search *search, const struct design *design, struct error *e);
void hinge_search_free(struct hinge_search *search);

/* argmin of phi over k >= from; from = -infinity: over all k. With a = 0 it is a breakpoint (0 if there is
 * none). The same for any number of threads. */
double hinge_search_minimum(struct hinge_search *search, const struct hinge_line *line,
                            double from);

#endif
