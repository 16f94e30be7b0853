/* chain_lanes.h - the products of small matrices that inference on chains is made of, by vectors of 4 (gcc keeps those
 * that are wider than the machine's on the stack). To be included by files whose functions are compiled for several
 * widths (math/simd.h). */
#ifndef RRM_CHAIN_LANES_H
#define RRM_CHAIN_LANES_H

#include "math/simd.h"

#include <stdint.h>

enum { CHAIN_LANES = 4 };

typedef double chain_lanes
    __attribute__((vector_size(CHAIN_LANES * sizeof(double)), aligned(8), may_alias));
typedef int64_t chain_mask
    __attribute__((vector_size(CHAIN_LANES * sizeof(double)), aligned(8), may_alias));

/* K rounded up. */
static inline int64_t chain_stride(int64_t labels) {
    return (labels + CHAIN_LANES - 1) / CHAIN_LANES * CHAIN_LANES;
}

/* *best = max(*best, *other) */
static SIMD_BODY void lanes_raise(chain_lanes *best, const chain_lanes *other) {
    chain_mask larger = *other > *best;
    *best = (chain_lanes)((larger & (chain_mask)*other) | (~larger & (chain_mask)*best));
}

/* *best = max(*best, x + row) */
static SIMD_BODY void lanes_raise_sum(chain_lanes *best, double x, const double *row) {
    chain_lanes sum = x + *(const chain_lanes *)row;
    lanes_raise(best, &sum);
}

/* max x, n >= 1 */
static SIMD_BODY double lanes_largest(const double *x, int64_t n) {
    double top = x[0];
    for (int64_t k = 1; k < n; k++)
        top = x[k] > top ? x[k] : top;
    return top;
}

/* out(b) = sum_a x(a) rows(a, b), b < stride */
static SIMD_BODY void lanes_combine(const double *x, const double *rows, int64_t labels,
                                    int64_t stride, double *out) {
    for (int64_t b = 0; b < stride; b += CHAIN_LANES) {
        const double *row = rows + b;
        chain_lanes sum[4] = {{0}, {0}, {0}, {0}};
        int64_t a = 0;
        for (; a + 3 < labels; a += 4, row += 4 * stride) {
            sum[0] += x[a] * *(const chain_lanes *)row;
            sum[1] += x[a + 1] * *(const chain_lanes *)(row + stride);
            sum[2] += x[a + 2] * *(const chain_lanes *)(row + 2 * stride);
            sum[3] += x[a + 3] * *(const chain_lanes *)(row + 3 * stride);
        }
        for (; a < labels; a++, row += stride)
            sum[0] += x[a] * *(const chain_lanes *)row;
        *(chain_lanes *)(out + b) = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* out(b) = max_a x(a) + rows(a, b), b < stride */
static SIMD_BODY void lanes_best(const double *x, const double *rows, int64_t labels,
                                 int64_t stride, double *out) {
    for (int64_t b = 0; b < stride; b += CHAIN_LANES) {
        const double *row = rows + b;
        chain_lanes even = x[0] + *(const chain_lanes *)row, odd = even;
        int64_t a = 1;
        for (; a + 1 < labels; a += 2) {
            lanes_raise_sum(&even, x[a], row + a * stride);
            lanes_raise_sum(&odd, x[a + 1], row + (a + 1) * stride);
        }
        if (a < labels)
            lanes_raise_sum(&even, x[a], row + a * stride);
        lanes_raise(&even, &odd);
        *(chain_lanes *)(out + b) = even;
    }
}

#endif
