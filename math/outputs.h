/* outputs.h - sparse rows times weights of several outputs, which lie side by side for each feature:
 * w[column * outputs + k] is that of output k. */
#ifndef RRM_OUTPUTS_H
#define RRM_OUTPUTS_H

#include <stdint.h>

struct sparse_row {
    const int32_t *column; /* NULL: 0 .. count - 1 */
    const double *value;   /* NULL: all are 1 */
    int64_t count;
};

/* u[k] += sum_j value[j] w[column[j] * outputs + k], k < outputs */
void outputs_score(const struct sparse_row *row, const double *w, int64_t outputs, double *u);

/* w[column[j] * outputs + k] += value[j] a[k] */
void outputs_add(const struct sparse_row *row, double *w, int64_t outputs, const double *a);

#endif
