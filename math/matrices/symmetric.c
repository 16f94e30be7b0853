/* symmetric.c - four rows of the triangle at a time, as rows and as columns. */
#include "math/matrices/symmetric.h"

#include "math/simd.h"

#include <math.h>
#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum {
    LANES = 4,
    ROWS_AT_ONCE = 4,
    MAX_SINGLE_PART_COLUMNS = 512
}; /* up to MAX_SINGLE_PART_COLUMNS columns are one part */

typedef double loose __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

static SIMD_BODY double total(const loose *lanes) {
    const double *sum = (const double *)lanes;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* y += (S + S') x of one row. */
static SIMD_BODY void add_row(const double *a, int64_t i, const double *x, double *y) {
    double sum = 0, at = x[i];
    for (int64_t j = 0; j < i; j++) {
        sum += a[j] * x[j];
        y[j] += a[j] * at;
    }
    y[i] += sum;
}

/* The same of the first i columns of rows i to i + 3. */
static SIMD_BODY void add_rows(const double *a, int64_t stride, int64_t i, const double *x,
                               double *y) {
    const double *a0 = a, *a1 = a + stride, *a2 = a + 2 * stride, *a3 = a + 3 * stride;
    loose sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0};
    double x0 = x[i], x1 = x[i + 1], x2 = x[i + 2], x3 = x[i + 3];
    int64_t j = 0;
    for (; j + LANES <= i; j += LANES) {
        loose at = *(const loose *)(x + j);
        loose r0 = *(const loose *)(a0 + j), r1 = *(const loose *)(a1 + j),
              r2 = *(const loose *)(a2 + j), r3 = *(const loose *)(a3 + j);
        sum0 += r0 * at;
        sum1 += r1 * at;
        sum2 += r2 * at;
        sum3 += r3 * at;
        *(loose *)(y + j) += (r0 * x0 + r1 * x1) + (r2 * x2 + r3 * x3);
    }
    y[i] += total(&sum0);
    y[i + 1] += total(&sum1);
    y[i + 2] += total(&sum2);
    y[i + 3] += total(&sum3);
    for (; j < i; j++) {
        y[i] += a0[j] * x[j];
        y[i + 1] += a1[j] * x[j];
        y[i + 2] += a2[j] * x[j];
        y[i + 3] += a3[j] * x[j];
        y[j] += (a0[j] * x0 + a1[j] * x1) + (a2[j] * x2 + a3[j] * x3);
    }
}

/* y += (S + S') x of the rows from <= i < to. */
static SIMD_BODY void symmetric_rows_body(const double *a, int64_t stride, int64_t from, int64_t to,
                                          const double *restrict x, double *restrict y) {
    int64_t i = from;
    for (; i + ROWS_AT_ONCE <= to; i += ROWS_AT_ONCE) {
        add_rows(a + i * stride, stride, i, x, y);
        for (int64_t r = i + 1; r < i + ROWS_AT_ONCE; r++)
            for (int64_t j = i; j < r; j++) {
                y[r] += a[r * stride + j] * x[j];
                y[j] += a[r * stride + j] * x[r];
            }
    }
    for (; i < to; i++)
        add_row(a + i * stride, i, x, y);
}
SIMD_CLONES(void, symmetric_rows,
            (const double *a, int64_t stride, int64_t from, int64_t to, const double *x, double *y),
            (a, stride, from, to, x, y))

/* Parts of one size: entries before row i are i^2/2. */
static int64_t part_start(int64_t n, int part) {
    return part == SYMMETRIC_PARTS ? n
                                   : (int64_t)(sqrt((double)part / SYMMETRIC_PARTS) * (double)n) &
                                         -(int64_t)ROWS_AT_ONCE;
}

void symmetric_multiply(const double *a, int64_t stride, const double *d, int64_t n,
                        const double *x, double *y, double *work) {
    int parts = n <= MAX_SINGLE_PART_COLUMNS ? 1 : SYMMETRIC_PARTS;
#pragma omp parallel for schedule(dynamic, 1) if (parts > 1)
    for (int part = 0; part < parts; part++) {
        int64_t from = parts == 1 ? 0 : part_start(n, part);
        int64_t to = parts == 1 ? n : part_start(n, part + 1);
        memset(work + part * n, 0, sizeof *work * (size_t)to);
        symmetric_rows(a, stride, from, to, x, work + part * n);
    }
    for (int64_t i = 0; i < n; i++)
        y[i] = d[i] * x[i];
    for (int part = 0; part < parts; part++) {
        int64_t to = parts == 1 ? n : part_start(n, part + 1);
        for (int64_t i = 0; i < to; i++)
            y[i] += work[part * n + i];
    }
}
