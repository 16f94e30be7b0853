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
    GROUP = 16,          /* wanted rows: whole groups are computed */
    MAX_SUMS = 8,        /* vectors: with those that are multiplied they fit in 16 registers */
    TILE = 16,           /* examples that are computed before they are stored */
    TILES_TOGETHER = 16, /* tiles that a thread takes at a time */
    MIN_VALUES_FOR_THREADS = 20000 /* values of a call from which on threads pay */
};

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

/* Whether rows i and j have the same columns, and values. */
static bool have_same_columns(const struct dataset *data, int64_t i, int64_t j) {
    int64_t count = dataset_count(data, i);
    return data->value != NULL && dataset_count(data, j) == count &&
           memcmp(dataset_columns(data, i), dataset_columns(data, j),
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
        f->same_columns[i] = i + 1 < data->rows && have_same_columns(data, i, i + 1);
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

/* ---- the examples */

/* Those that values are wanted of: all of the data, or a list. */
struct examples {
    const int64_t *list; /* NULL: all */
    int64_t count;
};

static inline int64_t example(const struct examples *examples, int64_t c) {
    return examples->list == NULL ? c : examples->list[c];
}

/* Whether examples c and c + 1 have the same columns, and values. */
static inline bool next_has_same_columns(const struct float_kernel *f,
                                         const struct examples *examples, int64_t c) {
    return examples->list == NULL
               ? f->same_columns[c]
               : have_same_columns(f->data, examples->list[c], examples->list[c + 1]);
}

/* ---- a tile of values: TILE examples, for each of them one value a wanted row */

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

/* Vectors as wide as the machine's registers: gcc takes wider ones apart through memory. */
#define LANES 4
#define NAME(x) x##_128
#define TARGET
#include "kernel/float_kernel_lanes.h"

#ifdef __x86_64__

#define LANES 8
#define NAME(x) x##_256
#define TARGET SIMD_256
#include "kernel/float_kernel_lanes.h"

#define LANES 16
#define NAME(x) x##_512
#define TARGET SIMD_512
#include "kernel/float_kernel_lanes.h"

static void fill(const struct float_kernel *f, int64_t count, const struct examples *examples,
                 float *const *out, int64_t from, int64_t to) {
    int width = simd_width();
    if (width == 512)
        fill_512(f, count, examples, out, from, to);
    else if (width == 256)
        fill_256(f, count, examples, out, from, to);
    else
        fill_128(f, count, examples, out, from, to);
}

#else

static void fill(const struct float_kernel *f, int64_t count, const struct examples *examples,
                 float *const *out, int64_t from, int64_t to) {
    fill_128(f, count, examples, out, from, to);
}

#endif

static bool is_finite(int64_t count, float *const *out, int64_t from, int64_t to) {
    float sum = 0;
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = from; i < to; i++)
            sum += out[k][i] - out[k][i]; /* 0, or not-a-number */
    return sum == 0;
}

/* out[k][c] of all examples. As float_kernel_rows. */
static int compute(struct float_kernel *f, const int64_t *index, int64_t count,
                   const struct examples *examples, float *const *out, struct error *e) {
    enum { PIECE = TILE * TILES_TOGETHER };
    int64_t bad = 0, values = examples->count * count;
    if (unpack_points(f, index, count, e) != 0)
        return -1;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : bad) if (values > MIN_VALUES_FOR_THREADS)
    for (int64_t from = 0; from < examples->count; from += PIECE) {
        int64_t to = from + PIECE < examples->count ? from + PIECE : examples->count;
        fill(f, count, examples, out, from, to);
        if (f->kernel.kind != KERNEL_GAUSSIAN)
            bad += !is_finite(count, out, from, to);
    }
    return bad == 0;
}

int float_kernel_rows(struct float_kernel *f, const int64_t *index, int64_t count,
                      float *const *out, struct error *e) {
    return compute(f, index, count, &(struct examples){.count = f->data->rows}, out, e);
}

int float_kernel_values(struct float_kernel *f, const int64_t *index, int64_t count,
                        const int64_t *list, int64_t list_count, float *const *out,
                        struct error *e) {
    return compute(f, index, count, &(struct examples){list, list_count}, out, e);
}
