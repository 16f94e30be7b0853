/* smo_pairs.c - the passes of a step of two variables, for each width of vectors. */
#include "solvers/kernel_machine/smo_pairs.h"

#include "math/simd.h"

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

#include <string.h>

typedef int32_t quads __attribute__((vector_size(4 * sizeof(int32_t)), aligned(4), may_alias));

/* The number of an integer of the same order. */
static inline float number_of_order(int32_t order) {
    float number;
    order ^= (order >> 31) & INT32_MAX;
    memcpy(&number, &order, sizeof number);
    return number;
}

#define LANES 4
#define NAME(x) x##_4
#define TARGET
#include "solvers/kernel_machine/smo_pairs_lanes.h"

#ifdef __x86_64__

#define LANES 8
#define NAME(x) x##_8
#define TARGET SIMD_256
#include "solvers/kernel_machine/smo_pairs_lanes.h"

#define LANES 16
#define NAME(x) x##_16
#define TARGET SIMD_512
#include "solvers/kernel_machine/smo_pairs_lanes.h"

int64_t smo_pairs_partner(const struct smo_pairs *p, int64_t i, const float *row, float *lowest) {
    int width = simd_width();
    return width == 512   ? partner_16(p, i, row, lowest)
           : width == 256 ? partner_8(p, i, row, lowest)
                          : partner_4(p, i, row, lowest);
}

int64_t smo_pairs_step(const struct smo_pairs *p, float step, const float *row_i,
                       const float *row_j) {
    int width = simd_width();
    return width == 512   ? step_16(p, step, row_i, row_j)
           : width == 256 ? step_8(p, step, row_i, row_j)
                          : step_4(p, step, row_i, row_j);
}

#else

int64_t smo_pairs_partner(const struct smo_pairs *p, int64_t i, const float *row, float *lowest) {
    return partner_4(p, i, row, lowest);
}

int64_t smo_pairs_step(const struct smo_pairs *p, float step, const float *row_i,
                       const float *row_j) {
    return step_4(p, step, row_i, row_j);
}

#endif
