/* float_points.c - kernel values of rows and points by groups of points, in floats. */
#include "kernel/float_points.h"

#include "io/memory.h"
#include "kernel/float_values.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ROWS_TOGETHER = 64, /* rows */
    MAX_ENTRIES = 4096,     /* their entries, and features of the points */
    GROUP_LANES = FLOAT_GROUP / FLOAT_LANES,
    LINE_BYTES = 64 /* bytes of a cache line */
};

/* The groups' values: what fits in the processor's cache. */
static const double max_bytes = 8 << 20;

/* Entries of some rows, those of features that a point has. */
struct entries {
    int32_t start[MAX_ROWS_TOGETHER + 1], position[MAX_ENTRIES];
    float value[MAX_ENTRIES], square[MAX_ROWS_TOGETHER];
    bool ones; /* all values are 1 */
};

static int64_t groups_of(int64_t count) {
    return (count + FLOAT_GROUP - 1) / FLOAT_GROUP;
}

double float_points_bytes(const struct dataset *points) {
    double bytes = (double)groups_of(points->rows) * FLOAT_GROUP * points->features * sizeof(float);
    return points->features > MAX_ENTRIES || bytes > max_bytes ? INFINITY : bytes;
}

static void find_features(struct float_points *f, const struct dataset *points) {
    for (int32_t j = 0; j < f->features; j++)
        f->position[j] = -1;
    for (int64_t k = 0; k < points->nonzeros; k++)
        if (f->position[points->column[k]] < 0)
            f->position[points->column[k]] = (int32_t)f->found++;
}

static float *group_of(const struct float_points *f, int64_t k) {
    return f->value + k / FLOAT_GROUP * f->found * FLOAT_GROUP;
}

static float square_of(const struct dataset *rows, int64_t i) {
    return (float)sparse_square(dataset_values(rows, i), dataset_count(rows, i));
}

static void unpack(struct float_points *f, const struct dataset *points) {
    for (int64_t k = 0; k < points->rows; k++) {
        const int32_t *column = dataset_columns(points, k);
        const double *value = dataset_values(points, k);
        float *group = group_of(f, k);
        for (int64_t n = 0; n < dataset_count(points, k); n++)
            group[f->position[column[n]] * FLOAT_GROUP + k % FLOAT_GROUP] =
                value == NULL ? 1 : (float)value[n];
        f->square[k] = square_of(points, k);
    }
}

/* The first address from MEMORY on where a line of the cache begins. */
static float *aligned(void *memory) {
    char *bytes = memory;
    return (float *)(bytes + (LINE_BYTES - (uintptr_t)bytes % LINE_BYTES) % LINE_BYTES);
}

int float_points_init(struct float_points *f, const struct kernel *kernel,
                      const struct dataset *points, struct error *e) {
    *f = (struct float_points){
        .kernel = *kernel, .count = points->rows, .features = points->features};
    int64_t groups = groups_of(f->count);
    f->position = memory_new(f->features, sizeof *f->position, "the points' features", e);
    f->square = memory_zeroed(groups * FLOAT_GROUP, sizeof *f->square, "the points' squares", e);
    if (f->position == NULL || f->square == NULL)
        return -1;
    find_features(f, points);
    f->memory = memory_zeroed(groups * f->found + 1, FLOAT_GROUP * sizeof *f->value,
                              "the points' values", e);
    if (f->memory == NULL)
        return -1;
    f->value = aligned(f->memory);
    unpack(f, points);
    return 0;
}

void float_points_free(struct float_points *f) {
    free(f->position);
    free(f->square);
    free(f->memory);
    *f = (struct float_points){0};
}

/* Appends the entries of row i from entry FILLED on. Returns how many there are then. */
static int32_t append(const struct float_points *f, const struct dataset *rows, int64_t i,
                      struct entries *entries, int32_t filled) {
    const int32_t *column = dataset_columns(rows, i);
    const double *value = dataset_values(rows, i);
    int64_t count = dataset_count(rows, i);
    for (int64_t n = 0; n < count && column[n] < f->features; n++) {
        int32_t at = f->position[column[n]];
        if (at < 0)
            continue;
        entries->position[filled] = at;
        entries->value[filled++] = value == NULL ? 1 : (float)value[n];
    }
    return filled;
}

/* Collects the entries of rows from `from` on, as many rows as fit, at least one. Returns their number. */
static int64_t collect(const struct float_points *f, const struct dataset *rows, int64_t from,
                       int64_t to, struct entries *entries) {
    int64_t count = 0, most = to - from < MAX_ROWS_TOGETHER ? to - from : MAX_ROWS_TOGETHER;
    entries->start[0] = 0;
    entries->ones = rows->value == NULL;
    for (; count < most; count++) {
        int64_t entries_of_row = dataset_count(rows, from + count);
        entries_of_row = entries_of_row < f->found ? entries_of_row : f->found;
        if (entries->start[count] + entries_of_row > MAX_ENTRIES)
            break;
        entries->start[count + 1] = append(f, rows, from + count, entries, entries->start[count]);
        entries->square[count] = square_of(rows, from + count);
    }
    return count;
}

/* x[k] = <s_k, x_i> for the group's points. ONES: all values are 1. */
static SIMD_BODY void multiply(const float *group, const int32_t *position, const float *value,
                               int64_t count, float *x, const bool ones) {
    float_lanes sum[GROUP_LANES] = {0};
    for (int64_t n = 0; n < count; n++) {
        const float_lanes *point = (const float_lanes *)(group + position[n] * FLOAT_GROUP);
#pragma GCC unroll 4
        for (int k = 0; k < GROUP_LANES; k++)
            sum[k] += ones ? point[k] : value[n] * point[k];
    }
#pragma GCC unroll 4
    for (int k = 0; k < GROUP_LANES; k++)
        ((float_lanes *)x)[k] = sum[k];
}

/* The values of COUNT rows and the points from `first` on, a group. GAUSSIAN and ONES are known to the compiler. */
static SIMD_BODY void group_rows(const struct float_points *f, int64_t first,
                                 const struct entries *entries, int64_t count, float *out,
                                 const bool gaussian, const bool ones) {
    const float *group = group_of(f, first), *square = f->square + first;
    const struct float_gaussian g = float_gaussian_of(f->kernel.gamma);
    int64_t columns = f->count, left = columns - first;
    out += first;
    for (int64_t i = 0; i < count; i++, out += columns) {
        float x[FLOAT_GROUP] __attribute__((aligned(LINE_BYTES)));
        int32_t from = entries->start[i];
        multiply(group, entries->position + from, entries->value + from,
                 entries->start[i + 1] - from, x, ones);
        if (gaussian)
            float_gaussians(&g, square, entries->square[i], x, FLOAT_GROUP);
        else
            float_polynomials(&f->kernel, x, FLOAT_GROUP);
        if (left >= FLOAT_GROUP)
            memcpy(out, x, sizeof x);
        else
            memcpy(out, x, sizeof *x * (size_t)left);
    }
}

static SIMD_BODY void group_values_body(const struct float_points *f, int64_t first,
                                        const struct entries *entries, int64_t count, float *out) {
    if (f->kernel.kind == KERNEL_GAUSSIAN && entries->ones)
        group_rows(f, first, entries, count, out, true, true);
    else if (f->kernel.kind == KERNEL_GAUSSIAN)
        group_rows(f, first, entries, count, out, true, false);
    else if (f->kernel.kind == KERNEL_POLYNOMIAL)
        group_rows(f, first, entries, count, out, false, false);
}

SIMD_CLONES(void, group_values,
            (const struct float_points *f, int64_t first, const struct entries *entries,
             int64_t count, float *out),
            (f, first, entries, count, out))

void float_points_kernel(const struct float_points *f, const struct dataset *rows, int64_t from,
                         int64_t to, float *out) {
    struct entries entries;
    for (int64_t count; from < to; from += count, out += count * f->count) {
        count = collect(f, rows, from, to, &entries);
        for (int64_t first = 0; first < f->count; first += FLOAT_GROUP)
            group_values(f, first, &entries, count, out);
    }
}
