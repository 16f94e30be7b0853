/* subset_reference.h - sums over subsets by the whole dynamic program, in logarithms of long doubles: Zhang,
 * Saha & Vishwanathan 2010, Algorithm 5. */
#ifndef RRM_SUBSET_REFERENCE_H
#define RRM_SUBSET_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static inline long double add_logs(long double a, long double b) {
    long double top = fmaxl(a, b);
    return isfinite(top) ? top + log1pl(expl(fminl(a, b) - top)) : top;
}

/* F(b), 0 <= b <= n, of the numbers but the one at `without` (-1: of all); to be freed. */
static inline long double *log_sums(const double *x, int64_t n, int64_t without) {
    long double *F = malloc(sizeof *F * (size_t)(n + 1));
    for (int64_t b = 0; b <= n; b++)
        F[b] = b == 0 ? 0 : -INFINITY;
    for (int64_t i = 0; i < n; i++)
        for (int64_t b = i + 1; b > 0 && i != without; b--)
            F[b] = add_logs(F[b], F[b - 1] + x[i]);
    return F;
}

#endif
