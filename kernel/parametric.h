/* parametric.h - values of the basis functions, and the kernel's rows. */
#ifndef RRM_PARAMETRIC_H
#define RRM_PARAMETRIC_H

#include "io/basis.h"
#include "io/dataset.h"

/* psi[j] = psi_j(x_i), basis->count doubles; a feature that the row lacks is 0. */
void parametric_row(const struct basis *basis, const struct dataset *data, int64_t i, double *psi);

/* *out = the COUNT rows numbered in `rows` (NULL: the first ones) without the columns that the basis hides from the
 * kernel, and without labels, weights and groups; the caller frees it. 0, or -1 with the error set. */
int parametric_kernel_rows(const struct basis *basis, const struct dataset *data,
                           const int64_t *rows, int64_t count, struct dataset *out,
                           struct error *e);

#endif
