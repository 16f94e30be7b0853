/* select.h - the k-th smallest of n numbers in linear time, whatever the numbers.
 *
 * Quickselect with pivots from a sample (Hoare 1961; Floyd & Rivest 1975, CACM 18(3)); where a pivot
 * leaves too many, the next is the median of medians of five (Blum et al. 1973, J. Comput. System
 * Sci. 7), so that no order of the numbers takes more than linear time. The sample's places are
 * pseudo-random and always the same: the same numbers give the same permutation. */
#ifndef RRM_SELECT_H
#define RRM_SELECT_H

#include <stdint.h>

/* Permutes x to: those < pivot, those equal to it, those > pivot. */
void select_split(double *x, int64_t n, double pivot, int64_t *smaller, int64_t *equal);

/* The k-th smallest, 0 <= k < n, no not-a-numbers; x is permuted so that x[k] is it, no larger ones
 * before it and no smaller ones behind it. How many numbers were read is added to *touched (NULL:
 * not counted). */
double select_smallest(double *x, int64_t n, int64_t k, int64_t *touched);

/* Places of a sample: start with bits = SELECT_SEED ^ n; each call gives one of 0 .. n-1. */
#define SELECT_SEED UINT64_C(0x9e3779b97f4a7c15)

static inline int64_t select_place(uint64_t *bits, int64_t n) {
    *bits = *bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((*bits >> 16) % (uint64_t)n);
}

/* A number of x near the median, from a sample: no promise but in the mean. n > 0. */
double select_sample(const double *x, int64_t n);

#endif
