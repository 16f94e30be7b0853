/* rna_count.c - the number N(i,j) of secondary structures of the bases i .. j, by the partner of i:
 *
 *     N(i,j) = N(i+1,j) + sum over k that i may pair with of N(i+1,k-1) N(k+1,j)
 *
 * Cost: L^3/16 products. A long double holds 3^L for L = 10000. */
#include "risk/rna/rna_fold.h"

#include <math.h>

/* Where N(i,j) is stored. Empty intervals, j = i - 1, have an entry, too: N = 1. */
static long double *count_at(long double *count, int64_t n, int64_t i, int64_t j) {
    return count + i * (n + 1) + j + 1;
}

double rna_log_structures(const struct rna_sequence *s, void *work,
                          const struct interruption *interrupted) {
    int64_t n = s->length;
    long double *count = work;
    for (int64_t i = n; i >= 0; i--) {
        if (interruption_came(interrupted))
            return NAN;
        *count_at(count, n, i, i - 1) = 1;
        for (int64_t j = i; j < n; j++)
            *count_at(count, n, i, j) = *count_at(count, n, i + 1, j);
        for (int64_t k = i + 1; i < n && k < n; k++) {
            long double inside = *count_at(count, n, i + 1, k - 1);
            if (rna_type(s, i, k) < 0)
                continue;
            for (int64_t j = k; j < n; j++)
                *count_at(count, n, i, j) += inside * *count_at(count, n, k + 1, j);
        }
    }
    return (double)logl(*count_at(count, n, 0, n - 1));
}
