/* float_kernel.c - rows of a kernel matrix in single precision. */
#include "kernel/float_kernel.h"

#include "io/memory.h"
#include "math/simd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum {
    LANES = 16,
    TILE = 16,                     /* examples that are computed before they are stored */
    TILES_TOGETHER = 16,           /* tiles that a thread takes at a time */
    MIN_VALUES_FOR_THREADS = 20000 /* values of a call from which on threads pay */
};

typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));
typedef int32_t integers __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/* The error of an exponent that is still good enough. */
static const double max_exponent_error = 1e-4;

/* Squares of larger ones may be beyond all floats. */
static const double max_safe_square = 1e30;

bool float_kernel_suits(const struct kernel *kernel, double max_square) {
    if (kernel->kind == KERNEL_SIGMOID || kernel->kind == KERNEL_PRECOMPUTED)
        return false;
    if (kernel->kind == KERNEL_GAUSSIAN &&
        ldexp(kernel->gamma * max_square, -22) > max_exponent_error)
        return false;
    return max_square < max_safe_square;
}

/* Whether rows i and i + 1 have the same columns, and values. */
static bool has_same_columns(const struct dataset *data, int64_t i) {
    int64_t count = dataset_count(data, i);
    return data->value != NULL && i + 1 < data->rows && dataset_count(data, i + 1) == count &&
           memcmp(dataset_columns(data, i), dataset_columns(data, i + 1),
                  sizeof(int32_t) * (size_t)count) == 0;
}

int float_kernel_init(struct float_kernel *f, const struct kernel *kernel,
                      const struct dataset *data, const double *square, struct error *e) {
    *f = (struct float_kernel){.kernel = *kernel, .data = data};
    f->square = memory_new(data->rows, sizeof *f->square, "the kernel's rows", e);
    f->same_columns = memory_new(data->rows, sizeof *f->same_columns, "the kernel's rows", e);
    f->position = memory_new(data->features, sizeof *f->position, "the kernel's rows", e);
    f->point_square =
        memory_zeroed(FLOAT_KERNEL_ROWS, sizeof *f->point_square, "the kernel's rows", e);
    if (f->square == NULL || f->same_columns == NULL || f->position == NULL ||
        f->point_square == NULL)
        return -1;
    for (int64_t i = 0; i < data->rows; i++) {
        f->square[i] = (float)square[i];
        f->same_columns[i] = has_same_columns(data, i);
    }
    for (int64_t j = 0; j < data->features; j++)
        f->position[j] = -1;
    return 0;
}

void float_kernel_free(struct float_kernel *f) {
    free(f->square);
    free(f->same_columns);
    free(f->position);
    free(f->feature);
    free(f->value);
    free(f->point_square);
    *f = (struct float_kernel){0};
}

/* ---- the wanted rows */

/* Space for the features of the wanted rows; what was there is lost if there was too little. */
static int reserve(struct float_kernel *f, int64_t features, struct error *e) {
    if (f->value != NULL && features <= f->capacity)
        return 0;
    free(f->feature);
    free(f->value);
    f->capacity = features;
    f->feature = memory_new(features, sizeof *f->feature, "the kernel's rows", e);
    f->value = memory_new(features, FLOAT_KERNEL_ROWS * sizeof *f->value, "the kernel's rows", e);
    return f->feature == NULL || f->value == NULL ? -1 : 0;
}

/* Gives a position to each feature of the wanted rows. */
static int find_features(struct float_kernel *f, const int64_t *index, int64_t count,
                         struct error *e) {
    int64_t entries = 0;
    for (int64_t k = 0; k < f->found; k++)
        f->position[f->feature[k]] = -1;
    f->found = 0;
    for (int64_t k = 0; k < count; k++)
        entries += dataset_count(f->data, index[k]);
    entries = entries < f->data->features ? entries : f->data->features;
    if (reserve(f, entries, e) != 0)
        return -1;
    for (int64_t k = 0; k < count; k++) {
        const int32_t *column = dataset_columns(f->data, index[k]);
        for (int64_t n = 0; n < dataset_count(f->data, index[k]); n++)
            if (f->position[column[n]] < 0) {
                f->position[column[n]] = (int32_t)f->found;
                f->feature[f->found++] = column[n];
            }
    }
    return 0;
}

static int unpack_points(struct float_kernel *f, const int64_t *index, int64_t count,
                         struct error *e) {
    if (find_features(f, index, count, e) != 0)
        return -1;
    memset(f->value, 0, sizeof *f->value * FLOAT_KERNEL_ROWS * (size_t)f->found);
    for (int64_t k = 0; k < count; k++) {
        const int32_t *column = dataset_columns(f->data, index[k]);
        const double *value = dataset_values(f->data, index[k]);
        f->point_square[k] = f->square[index[k]];
        for (int64_t n = 0; n < dataset_count(f->data, index[k]); n++)
            f->value[f->position[column[n]] * FLOAT_KERNEL_ROWS + k] =
                value == NULL ? 1 : (float)value[n];
    }
    return 0;
}

/* ---- a tile of values: TILE examples, for each of them one value a wanted row */

/* out[0 .. groups * LANES - 1] = the products of example i with the wanted rows; with TWO, also those of example i + 1,
 * which has the same columns, at out + FLOAT_KERNEL_ROWS. */
static SIMD_BODY void products(const struct float_kernel *f, int64_t i, float *out, int groups,
                               bool two) {
    const int32_t *column = dataset_columns(f->data, i);
    const double *value = dataset_values(f->data, i);
    int64_t count = dataset_count(f->data, i);
    lanes sum[FLOAT_KERNEL_ROWS / LANES] = {0}, other[FLOAT_KERNEL_ROWS / LANES] = {0};
    for (int64_t n = 0; n < count; n++) {
        int32_t at = f->position[column[n]];
        if (at < 0)
            continue;
        const lanes *point = (const lanes *)(f->value + (int64_t)at * FLOAT_KERNEL_ROWS);
        if (value == NULL)
#pragma GCC unroll 4
            for (int k = 0; k < groups; k++)
                sum[k] += point[k];
        else
#pragma GCC unroll 4
            for (int k = 0; k < groups; k++)
                sum[k] += (float)value[n] * point[k];
        if (two) /* with values; its entries follow those of example i */
#pragma GCC unroll 4
            for (int k = 0; k < groups; k++)
                other[k] += (float)value[count + n] * point[k];
    }
#pragma GCC unroll 4
    for (int k = 0; k < groups; k++) {
        *(lanes *)(out + k * LANES) = sum[k];
        if (two)
            *(lanes *)(out + FLOAT_KERNEL_ROWS + k * LANES) = other[k];
    }
}

/* x[k] = 2^(x[k] scale), x[k] scale between -126 and 0, with `scale` in two parts: a product with the first alone
 * would change gamma by its rounding, and so all values in the same direction. */
static SIMD_BODY void powers_of_two(float *x, float scale, float scale_rest) {
    static const float shift = 0x1.8p23F;
    lanes at = *(const lanes *)x;
    lanes sum = at * scale + shift, whole = sum - shift;
    integers power = (integers)sum - 0x4b400000;
    lanes r = at * scale - whole;
    r += at * scale_rest;
    lanes p = r * 1.5252734e-5F + 1.5403530e-4F; /* ln(2)^k / k! */
    p = p * r + 1.3333558e-3F;
    p = p * r + 9.6181291e-3F;
    p = p * r + 5.5504109e-2F;
    p = p * r + 2.4022651e-1F;
    p = p * r + 6.9314718e-1F;
    p = p * r + 1.0F;
    *(lanes *)x = p * (lanes)((power + 127) << 23);
}

/* x[k] = exp(-gamma ||s_k - x_i||^2), from the products in x. */
static SIMD_BODY void gaussians(const struct float_kernel *f, int64_t i, float *x, int count) {
    static const double log2_of_e = 0x1.71547652b82fep0;
    double exact = -f->kernel.gamma * log2_of_e;
    float scale = (float)exact, rest = (float)(exact - (double)scale);
    float limit = 126 / (float)-exact, square = f->square[i];
    for (int k = 0; k < count; k++) {
        float distance = f->point_square[k] + square - 2 * x[k];
        distance = distance < 0 ? 0 : distance;
        x[k] = distance > limit ? limit : distance;
    }
    for (int k = 0; k < count; k += LANES)
        powers_of_two(x + k, scale, rest);
}

/* x[k] = (gamma x[k] + shift)^degree */
static SIMD_BODY void polynomials(const struct kernel *kernel, float *x, int count) {
    float base[FLOAT_KERNEL_ROWS], gamma = (float)kernel->gamma, shift = (float)kernel->shift;
    for (int k = 0; k < count; k++) {
        base[k] = gamma * x[k] + shift;
        x[k] = 1;
    }
    for (int64_t n = kernel->degree; n > 0; n >>= 1) {
        for (int k = 0; k < count && n & 1; k++)
            x[k] *= base[k];
        for (int k = 0; k < count; k++)
            base[k] *= base[k];
    }
}

/* The kernel values of example i, from the products in x. */
static SIMD_BODY void kernel_values(const struct float_kernel *f, int64_t i, float *x, int groups) {
    if (f->kernel.kind == KERNEL_GAUSSIAN)
        gaussians(f, i, x, groups * LANES);
    else if (f->kernel.kind == KERNEL_POLYNOMIAL)
        polynomials(&f->kernel, x, groups * LANES);
}

/* out[k][i] for from <= i < to. Whole groups of LANES rows are computed; GROUPS is known to the compiler. */
static SIMD_BODY void fill(const struct float_kernel *f, int64_t count, float *const *out,
                           int64_t from, int64_t to, int groups) {
    float tile[TILE * FLOAT_KERNEL_ROWS] __attribute__((aligned(64)));
    for (int64_t first = from; first < to; first += TILE) {
        int64_t end = first + TILE < to ? first + TILE : to;
        for (int64_t i = first; i < end; i++) {
            float *at = tile + (i - first) * FLOAT_KERNEL_ROWS;
            if (i + 1 < end && f->same_columns[i]) {
                products(f, i, at, groups, true);
                kernel_values(f, i++, at, groups);
                at += FLOAT_KERNEL_ROWS;
            } else
                products(f, i, at, groups, false);
            kernel_values(f, i, at, groups);
        }
        for (int64_t k = 0; k < count; k++)
            for (int64_t i = first; i < end; i++)
                out[k][i] = tile[(i - first) * FLOAT_KERNEL_ROWS + k];
    }
}

static SIMD_BODY void float_kernel_fill_body(const struct float_kernel *f, int64_t count,
                                             float *const *out, int64_t from, int64_t to) {
    if (count <= LANES)
        fill(f, count, out, from, to, 1);
    else if (count <= 2 * LANES)
        fill(f, count, out, from, to, 2);
    else
        fill(f, count, out, from, to, FLOAT_KERNEL_ROWS / LANES);
}

SIMD_CLONES(void, float_kernel_fill,
            (const struct float_kernel *f, int64_t count, float *const *out, int64_t from,
             int64_t to),
            (f, count, out, from, to))

static bool is_finite(int64_t count, float *const *out, int64_t from, int64_t to) {
    float sum = 0;
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = from; i < to; i++)
            sum += out[k][i] - out[k][i]; /* 0, or not-a-number */
    return sum == 0;
}

int float_kernel_rows(struct float_kernel *f, const int64_t *index, int64_t count,
                      float *const *out, struct error *e) {
    enum { PIECE = TILE * TILES_TOGETHER };
    int64_t rows = f->data->rows, bad = 0;
    if (unpack_points(f, index, count, e) != 0)
        return -1;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : bad) if (rows * count > MIN_VALUES_FOR_THREADS)
    for (int64_t from = 0; from < rows; from += PIECE) {
        int64_t to = from + PIECE < rows ? from + PIECE : rows;
        float_kernel_fill(f, count, out, from, to);
        if (f->kernel.kind != KERNEL_GAUSSIAN)
            bad += !is_finite(count, out, from, to);
    }
    return bad == 0;
}
