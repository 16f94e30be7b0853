/* f1_peak.h - the maximum of
 *
 *     V(b, c) = scale Delta(b, c) + A_b + C_c,   Delta = (b + c)/(2 n - b + c),  0 <= b <= n, 0 <= c <= N,
 *
 * for a concave C. Delta = 1 - 2 (n - b)/(2 n - b + c) is concave in c, so V is concave in c for each b. And
 * Delta(b, c) - Delta(b, c-1) = 2 (n - b)/((2 n - b + c)(2 n - b + c - 1)) falls as b grows: with a = n - b,
 * 2a/((n + a + c)(n + a + c - 1)) has in a the derivative 2 ((n + c)(n + c - 1) - a^2)/(...)^2 >= 0, as
 * a <= n and c >= 1 makes (n + c)(n + c - 1) >= n (n + 1) (no difference is needed for c = 0). So the best c
 * for b + 1 is not above that for b, and one scan with rising b and falling c finds all: O(n + N). */
#ifndef RRM_F1_PEAK_H
#define RRM_F1_PEAK_H

#include <stdint.h>

struct f1_peak {
    int64_t b, c;
    double value;
};

struct f1_sums {
    double scale;
    int64_t positives, negatives;
    const double *missed;         /* A: positives + 1 */
    const double *false_positive; /* C: negatives + 1 */
};

static inline double f1_delta(int64_t positives, int64_t b, int64_t c) {
    return (double)(b + c) / (double)(2 * positives - b + c);
}

/* V(b, c) */
static inline double f1_value(const struct f1_sums *sums, int64_t b, int64_t c) {
    return sums->scale * f1_delta(sums->positives, b, c) + sums->missed[b] +
           sums->false_positive[c];
}

/* The best c for b, searched downwards from a given c that is not below it. */
int64_t f1_best_false(const struct f1_sums *sums, int64_t b, int64_t c);

struct f1_peak f1_find_peak(const struct f1_sums *sums);

#endif
