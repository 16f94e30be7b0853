/* cholesky_wide.h - a Cholesky factor in double-double arithmetic, for matrices whose condition
 * is beyond double precision.
 *
 * Rows are appended; when a row in the middle changes or leaves, the factor is cut there and what
 * followed is appended again. Packed rows, as in cholesky_set.h. */
#ifndef RRM_CHOLESKY_WIDE_H
#define RRM_CHOLESKY_WIDE_H

#include "io/error.h"
#include "io/state/state.h"
#include "math/matrices/wide.h"

#include <stdint.h>

struct cholesky_wide {
    int size;
    int64_t capacity; /* in rows */
    struct wide *entry;
};

/* A struct of zero bytes is the empty factor. */
void cholesky_wide_free(struct cholesky_wide *factor);

/* Room for so many rows; 0, or -1 with the error set. */
int cholesky_wide_reserve(struct cholesky_wide *factor, int64_t rows, struct error *e);

/* Lists the factor, of at most MAX_ROWS rows. */
void cholesky_wide_visit(struct cholesky_wide *factor, int64_t max_rows, struct state *state);

/* Keeps the first `size` rows, if there are more. */
void cholesky_wide_cut(struct cholesky_wide *factor, int size);

/* As cholesky_set_pivot and cholesky_set_append. */
struct wide cholesky_wide_pivot(const struct cholesky_wide *factor, struct wide *m,
                                struct wide diagonal);
void cholesky_wide_append(struct cholesky_wide *factor, const struct wide *m, struct wide pivot);

/* x = L^-1 x, and x = L'^-1 x. */
void cholesky_wide_forward(const struct cholesky_wide *factor, struct wide *x);
void cholesky_wide_backward(const struct cholesky_wide *factor, struct wide *x);

#endif
