/* cholesky_set.h - the Cholesky factor of the Gram matrix of a changing set of vectors.
 *
 * M = L L' for a positive definite M of which rows come and go. A new row and column cost a
 * triangular solve, a leaving one Givens rotations: O(size^2) each. Golub & Van Loan, Matrix
 * Computations, section 6.5. Rows are packed one behind the other, row i holding its i + 1 entries. */
#ifndef RRM_CHOLESKY_SET_H
#define RRM_CHOLESKY_SET_H

#include "io/error.h"

#include <stdint.h>

enum { CHOLESKY_SET_TOGETHER = 4 };

struct cholesky_set {
    int size;
    int64_t capacity; /* in rows */
    double *entry;    /* packed rows */
    double *rotation; /* two by row */
};

/* A struct of zero bytes is the empty set. */
void cholesky_set_free(struct cholesky_set *set);

/* Room for so many rows; 0, or -1 with the error set. */
int cholesky_set_reserve(struct cholesky_set *set, int64_t rows, struct error *e);

/* m[size] = the new row of M without its diagonal entry; becomes L^-1 m. Returns the pivot,
 * diagonal - m'm afterwards. */
double cholesky_set_pivot(const struct cholesky_set *set, double *m, double diagonal);

/* Appends what cholesky_set_pivot left, pivot > 0. Room must be reserved. */
void cholesky_set_append(struct cholesky_set *set, const double *m, double pivot);

/* Vector i of the set has vector `first` < i subtracted from it. */
void cholesky_set_subtract(struct cholesky_set *set, int i, int first);

void cholesky_set_remove(struct cholesky_set *set, int at);

/* An x = L^-1 b follows the changes of the set at O(size) each. The row that was appended last has `value` in
 * b: returns what x gets. The row at `at` was just removed: x becomes that without its entry of b; returns
 * what the rotations have left, x'x less its square is the new x'x. */
double cholesky_set_extend(const struct cholesky_set *set, const double *x, double value);
double cholesky_set_rotate(const struct cholesky_set *set, int at, double *x);

/* x = L^-1 x, and x = L'^-1 x: together M^-1. `together`: of CHOLESKY_SET_TOGETHER vectors at once. */
void cholesky_set_forward(const struct cholesky_set *set, double *x);
void cholesky_set_forward_together(const struct cholesky_set *set, double *const *x);
void cholesky_set_backward(const struct cholesky_set *set, double *x);

#endif
