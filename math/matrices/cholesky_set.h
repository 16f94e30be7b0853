/* cholesky_set.h - the Cholesky factor of the Gram matrix of a changing set of vectors.
 *
 * M = L L' for a positive definite M whose rows and columns are added and removed. Adding one takes a
 * triangular solve, removing one takes Givens rotations: O(size^2) each. Golub & Van Loan, Matrix
 * Computations, section 6.5. Rows of L are packed one after another; row i has i + 1 entries. */
#ifndef RRM_CHOLESKY_SET_H
#define RRM_CHOLESKY_SET_H

#include "io/error.h"
#include "io/state/state.h"

#include <stdint.h>

enum { CHOLESKY_SET_TOGETHER = 4 }; /* vectors of cholesky_set_forward_together */

struct cholesky_set {
    int size;
    int64_t capacity; /* in rows */
    double *entry;    /* packed rows */
    double *rotation; /* two for each row: cosine, sine */
};

/* A struct of zero bytes is the empty set. */
void cholesky_set_free(struct cholesky_set *set);

/* Enlarges the capacity to ROWS. 0, or -1 with the error set. */
int cholesky_set_reserve(struct cholesky_set *set, int64_t rows, struct error *e);

/* Lists the factor, of at most MAX_ROWS rows. */
void cholesky_set_visit(struct cholesky_set *set, int64_t max_rows, struct state *state);

/* m[size] = the new row of M without its diagonal entry; becomes L^-1 m. Returns the pivot,
 * diagonal - m'm afterwards. */
double cholesky_set_pivot(const struct cholesky_set *set, double *m, double diagonal);

/* Appends the row that cholesky_set_pivot computed; pivot > 0. The capacity must be reserved. */
void cholesky_set_append(struct cholesky_set *set, const double *m, double pivot);

/* Subtracts vector FIRST < i from vector i of the set. */
void cholesky_set_subtract(struct cholesky_set *set, int i, int first);

/* Removes vector AT; the vectors after it move up by one. */
void cholesky_set_remove(struct cholesky_set *set, int at);

/* Update x = L^-1 b after a change of the set, in O(size). `extend`: a row was appended and b got the entry VALUE;
 * returns the new entry of x. `rotate`: row AT was just removed; x becomes the solution without that entry of b,
 * and the new x'x is the old one minus the square of the return value. */
double cholesky_set_extend(const struct cholesky_set *set, const double *x, double value);
double cholesky_set_rotate(const struct cholesky_set *set, int at, double *x);

/* x = L^-1 x, and x = L'^-1 x: together M^-1. `together`: of CHOLESKY_SET_TOGETHER vectors at once. */
void cholesky_set_forward(const struct cholesky_set *set, double *x);
void cholesky_set_forward_together(const struct cholesky_set *set, double *const *x);
void cholesky_set_backward(const struct cholesky_set *set, double *x);

#endif
