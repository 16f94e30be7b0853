/* outputs.c - sparse rows times weights of several outputs.
 *
 * Up to 16 outputs are taken together, in vectors of 8, 4 and 2 and a single one, whose number the compiler knows: sums
 * stay in registers, and what is left over by whole vectors costs a vector more. With more outputs the weights of an
 * entry are read from end to end. */
#include "math/outputs.h"

#include "math/simd.h"

#include <stdbool.h>
#include <stddef.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum {
    TILE = 16,
    VECTOR_OUTPUTS = 8,

    TOGETHER = 4,
    MAX_SEPARATE_OUTPUTS = 2
};

typedef double eight __attribute__((vector_size(8 * sizeof(double)), aligned(8)));
typedef double four __attribute__((vector_size(4 * sizeof(double)), aligned(8)));
typedef double two __attribute__((vector_size(2 * sizeof(double)), aligned(8)));

/* Numbers of 1 .. TILE outputs; those that are not there are never looked at. */
struct tile {
    eight vectors[TILE / VECTOR_OUTPUTS];
    four half;
    two pair;
    double one;
};

static SIMD_BODY int64_t place_of(const struct sparse_row *row, int64_t j, int64_t outputs) {
    return (row->column == NULL ? j : row->column[j]) * outputs;
}

static SIMD_BODY double value_of(const struct sparse_row *row, int64_t j) {
    return row->value == NULL ? 1 : row->value[j];
}

/* sum += x from */
static SIMD_BODY void tile_add(struct tile *sum, double x, const double *from, int n) {
    for (int k = 0; k < n / VECTOR_OUTPUTS; k++)
        sum->vectors[k] += x * *(const eight *)(from + k * VECTOR_OUTPUTS);
    from += n / VECTOR_OUTPUTS * VECTOR_OUTPUTS;
    if (n & 4)
        sum->half += x * *(const four *)from;
    if (n & 2)
        sum->pair += x * *(const two *)(from + (n & 4));
    if (n & 1)
        sum->one += x * from[n & 6];
}

/* to += x a */
static SIMD_BODY void tile_give(const struct tile *a, double x, double *to, int n) {
    for (int k = 0; k < n / VECTOR_OUTPUTS; k++)
        *(eight *)(to + k * VECTOR_OUTPUTS) += x * a->vectors[k];
    to += n / VECTOR_OUTPUTS * VECTOR_OUTPUTS;
    if (n & 4)
        *(four *)to += x * a->half;
    if (n & 2)
        *(two *)(to + (n & 4)) += x * a->pair;
    if (n & 1)
        to[n & 6] += x * a->one;
}

/* u += row times w for n outputs: entries at even and odd places in sums of their own, whose steps need not
 * wait for each other. */
static SIMD_BODY void score_tile(const struct sparse_row *row, const double *w, double *u, int n) {
    struct tile even = {0}, odd = {0};
    int64_t j = 0;
    for (; j + 1 < row->count; j += 2) {
        tile_add(&even, value_of(row, j), w + place_of(row, j, n), n);
        tile_add(&odd, value_of(row, j + 1), w + place_of(row, j + 1, n), n);
    }
    if (j < row->count)
        tile_add(&even, value_of(row, j), w + place_of(row, j, n), n);
    tile_give(&even, 1, u, n);
    tile_give(&odd, 1, u, n);
}

static SIMD_BODY void add_tile(const struct sparse_row *row, double *w, const double *a, int n) {
    struct tile from = {0};
    tile_add(&from, 1, a, n);
    for (int64_t j = 0; j < row->count; j++)
        tile_give(&from, value_of(row, j), w + place_of(row, j, n), n);
}

/* TILE_OF(f, n): f(n) for n = 1 .. 16, each of its own code. */
#define CASE(f, n)                                                                                 \
    case n:                                                                                        \
        f(n);                                                                                      \
        break;
#define CASES(f, n) CASE(f, n) CASE(f, n + 1) CASE(f, n + 2) CASE(f, n + 3)
#define TILE_OF(f, n)                                                                              \
    switch (n) {                                                                                   \
        CASES(f, 1)                                                                                \
        CASES(f, 5)                                                                                \
        CASES(f, 9)                                                                                \
        CASES(f, 13)                                                                               \
    }

/* u += x[0] a[0] + ... + x[TOGETHER - 1] a[TOGETHER - 1], n numbers each */
static SIMD_BODY void add_together(double *u, const double *x, const double *const *a, int64_t n) {
    int64_t k = 0;
    for (; k + VECTOR_OUTPUTS <= n; k += VECTOR_OUTPUTS) {
        eight sum = *(eight *)(u + k);
        for (int b = 0; b < TOGETHER; b++)
            sum += x[b] * *(const eight *)(a[b] + k);
        *(eight *)(u + k) = sum;
    }
    for (; k < n; k++)
        for (int b = 0; b < TOGETHER; b++)
            u[k] += x[b] * a[b][k];
}

/* w += x a, n numbers */
static SIMD_BODY void add_times(double *w, double x, const double *a, int64_t n) {
    int64_t k = 0;
    for (; k + VECTOR_OUTPUTS <= n; k += VECTOR_OUTPUTS)
        *(eight *)(w + k) += x * *(const eight *)(a + k);
    for (; k < n; k++)
        w[k] += x * a[k];
}

/* u += row times w where there are many outputs: the weights of TOGETHER entries at a time, each read from end to end,
 * so that the processor fetches what comes next. */
static SIMD_BODY void score_many(const struct sparse_row *row, const double *w, int64_t outputs,
                                 double *u) {
    for (int64_t j = 0; j < row->count; j += TOGETHER) {
        double x[TOGETHER];
        const double *a[TOGETHER];
        for (int64_t b = 0; b < TOGETHER; b++) {
            bool there = j + b < row->count;
            x[b] = there ? value_of(row, j + b) : 0;
            a[b] = w + place_of(row, there ? j + b : j, outputs);
        }
        add_together(u, x, a, outputs);
    }
}

static SIMD_BODY void outputs_score_body(const struct sparse_row *row, const double *w,
                                         int64_t outputs, double *u) {
    if (outputs > TILE)
        score_many(row, w, outputs, u);
#define SCORE(n) score_tile(row, w, u, n)
    TILE_OF(SCORE, (int)outputs)
}

SIMD_CLONES(void, outputs_score,
            (const struct sparse_row *row, const double *w, int64_t outputs, double *u),
            (row, w, outputs, u))

/* The places of those that are not 0, and how many; MAX_SEPARATE_OUTPUTS + 1 if there are more. */
static SIMD_BODY int find_few(const double *a, int64_t outputs, int64_t *nonzero) {
    int count = 0;
    for (int64_t k = 0; k < outputs; k++)
        if (a[k] != 0) {
            if (count == MAX_SEPARATE_OUTPUTS)
                return MAX_SEPARATE_OUTPUTS + 1;
            nonzero[count++] = k;
        }
    return count;
}

static SIMD_BODY void outputs_add_body(const struct sparse_row *row, double *w, int64_t outputs,
                                       const double *a) {
    int64_t nonzero[MAX_SEPARATE_OUTPUTS] = {0};
    int few = outputs > VECTOR_OUTPUTS ? find_few(a, outputs, nonzero) : MAX_SEPARATE_OUTPUTS + 1;
    if (few <= MAX_SEPARATE_OUTPUTS) {
        for (int64_t j = 0; j < row->count; j++)
            for (int k = 0; k < few; k++)
                w[place_of(row, j, outputs) + nonzero[k]] += value_of(row, j) * a[nonzero[k]];
        return;
    }
    if (outputs > TILE) {
        for (int64_t j = 0; j < row->count; j++)
            add_times(w + place_of(row, j, outputs), value_of(row, j), a, outputs);
        return;
    }
#define ADD(n) add_tile(row, w, a, n)
    TILE_OF(ADD, (int)outputs)
}

SIMD_CLONES(void, outputs_add,
            (const struct sparse_row *row, double *w, int64_t outputs, const double *a),
            (row, w, outputs, a))
