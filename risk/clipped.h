/* clipped.h - the smoothed losses with quadratic conjugates (loss.h), vectorized over consecutive rows: with
 * r_i = u_i + shift - y_i and W_i = flat + mu each_i > 0, flat = 1/curvature,
 *
 *     a_i = clip(r_i/W_i, low_i, high_i),   l_mu = a_i r_i - W_i/2 a_i^2. */
#ifndef RRM_CLIPPED_H
#define RRM_CLIPPED_H

#include <stdint.h>

struct clipped {
    int64_t count;
    const double *u, *y, *low, *high;
    const double *positive; /* NULL; else y has labels (target.h) */
    const double *weight;   /* c; NULL: all are 1 */
    const double *each;     /* NULL: all are 1 */
    double shift, flat, mu;
    double *derivative; /* receives c_i a_i unless NULL */
    double sum;         /* receives sum c_i l_mu */
};

void clipped_rows(struct clipped *rows);

#endif
