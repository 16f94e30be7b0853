/* ipm_dense.h - products with chunks of dense rows, stored column by column, so that vector instructions run
 * along the rows. A row of k nonzeros in n columns costs about n/8 operations instead of k scattered ones. */
#ifndef RRM_IPM_DENSE_H
#define RRM_IPM_DENSE_H

#include "matrix/design.h"

/* Whether a dense copy of the design makes products faster. */
bool ipm_dense_pays(const struct design *design);

/* Unpacks `count` rows, from row `from` on, into x: columns of `count` values. */
void ipm_dense_fill(const struct design *design, int64_t from, int64_t count, double *x);

/* scores = X w for a chunk of `count` rows and n columns. */
void ipm_dense_scores(const double *x, int64_t count, int64_t n, const double *w, double *scores);

/* g += X' c */
void ipm_dense_add(const double *x, int64_t count, int64_t n, const double *c, double *g);

#endif
