/* precomputed.h - kernel matrices that are given as data, in LIBSVM's form.
 *
 * A row has its number at index 0, and at index k its kernel value with row number k: the data count their indices from
 * 0. Row i has the value K(x_i, s) = <x_i, e_n> for a point s with the number n: so points are unit vectors, and the
 * kernel is their product with the row. */
#ifndef RRM_PRECOMPUTED_H
#define RRM_PRECOMPUTED_H

#include "io/dataset.h"
#include "io/error.h"

#include <stdbool.h>

enum { PRECOMPUTED_PROOF_ROWS = 4096 };

/* The number of row i; 0 if it has none from 1 to the data's largest index. */
int32_t precomputed_number(const struct dataset *data, int64_t i);

/* The numbers of all rows, for the caller to free; NULL with the error set. */
int32_t *precomputed_numbers(const struct dataset *data, struct error *e);

/* K(x_i, x_k): what row i has at the number of row k. */
double precomputed_value(const struct dataset *data, int64_t i, int64_t k);

/* *out = the unit vectors of the rows numbered in `rows` (NULL: the first COUNT), for the caller to free. 0, or -1 with
 * the error set. */
int precomputed_points(const struct dataset *data, const int64_t *rows, int64_t count,
                       struct dataset *out, struct error *e);

/* Checks that each row has a number, and that the matrix is symmetric. *semidefinite = whether the matrix is proved to
 * be positive semidefinite but for rounding, by a Cholesky factor; not tried for more than PRECOMPUTED_PROOF_ROWS. 0,
 * or -1 with an error that names the file PATH. rows^3/3 operations and rows^2 doubles. */
int precomputed_check(const struct dataset *data, const char *path, bool *semidefinite,
                      struct error *e);

#endif
