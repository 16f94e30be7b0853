/* multiply.c - products of many rows with one fixed matrix, by tiles of a few rows and one panel. */
#include "math/matrices/multiply.h"

#include "io/memory.h"
#include "math/simd.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum { LINE_BYTES = 64 };

static int64_t panels_of(const struct multiplier *m) {
    return (m->columns + MULTIPLY_WIDTH - 1) / MULTIPLY_WIDTH;
}

int multiplier_init(struct multiplier *m, int64_t rows, int64_t columns, struct error *e) {
    *m = (struct multiplier){.rows = rows, .columns = columns};
    int64_t lines = panels_of(m) * rows * MULTIPLY_WIDTH * (int64_t)sizeof(double) / LINE_BYTES + 1;
    m->memory = memory_zeroed(lines, LINE_BYTES, "a matrix", e);
    if (m->memory == NULL)
        return -1;
    char *bytes = m->memory;
    m->panel = (double *)(bytes + (LINE_BYTES - (uintptr_t)bytes % LINE_BYTES) % LINE_BYTES);
    return 0;
}

void multiplier_resize(struct multiplier *m, int64_t rows, int64_t columns) {
    m->rows = rows;
    m->columns = columns;
    for (int64_t row = 0; columns % MULTIPLY_WIDTH != 0 && row < rows; row++)
        memset(multiplier_entry(m, row, columns), 0,
               sizeof(double) * (size_t)(MULTIPLY_WIDTH - columns % MULTIPLY_WIDTH));
}

void multiplier_set_row(struct multiplier *m, int64_t row, const double *x) {
    for (int64_t column = 0; column < m->columns; column += MULTIPLY_WIDTH) {
        int64_t left = m->columns - column, width = left < MULTIPLY_WIDTH ? left : MULTIPLY_WIDTH;
        memcpy(multiplier_entry(m, row, column), x + column, sizeof *x * (size_t)width);
    }
}

void multiplier_free(struct multiplier *m) {
    free(m->memory);
    *m = (struct multiplier){0};
}

/* The operands of a tile: rows of A, DEPTH rows of a panel, and the rows of the output. */
struct tile {
    const double *a;
    int64_t stride;
    const double *panel;
    const int32_t *row; /* the panel's rows to use; NULL: the first DEPTH */
    const int32_t
        *start; /* of a sparse A: row i has entries start[i] <= k < start[i + 1] of `a` and `row` */
    int64_t depth;
    double *out;
    int64_t columns;
};

typedef void tile_function(const struct tile *t, int64_t count);

/* Vectors as wide as the machine's registers: gcc takes wider ones apart through memory. */
#define LANES 2
#define NAME(x) x##_128
#define TARGET
#define MAX_ROWS 2
#define VECTORS 4
#include "math/matrices/multiply_lanes.h"

#ifdef __x86_64__

#define LANES 4
#define NAME(x) x##_256
#define TARGET SIMD_256
#define MAX_ROWS 3
#define VECTORS 4
#include "math/matrices/multiply_lanes.h"

#define LANES 8
#define NAME(x) x##_512
#define TARGET SIMD_512
#define MAX_ROWS 6
#define VECTORS 4
#include "math/matrices/multiply_lanes.h"

static tile_function *tile_for_machine(void) {
    int width = simd_width();
    return width == 512 ? tile_512 : width == 256 ? tile_256 : tile_128;
}
#else
static tile_function *tile_for_machine(void) {
    return tile_128;
}
#endif

enum { EDGE_BUFFER_ROWS = 6 };

/* The last panel, if OUT has fewer columns than the panel: adds in a buffer of the panel's width and copies. */
static void add_edge(tile_function *multiply, struct tile t, int64_t count, int64_t width) {
    double sum[EDGE_BUFFER_ROWS * MULTIPLY_WIDTH];
    double *out = t.out;
    int64_t columns = t.columns;
    t.out = sum;
    t.columns = MULTIPLY_WIDTH;
    memset(sum, 0,
           sizeof *sum * MULTIPLY_WIDTH *
               (size_t)(count < EDGE_BUFFER_ROWS ? count : EDGE_BUFFER_ROWS));
    for (int64_t from = 0; from < count; from += EDGE_BUFFER_ROWS) {
        int64_t rows = count - from < EDGE_BUFFER_ROWS ? count - from : EDGE_BUFFER_ROWS;
        for (int64_t i = 0; i < rows; i++)
            memcpy(sum + i * MULTIPLY_WIDTH, out + (from + i) * columns,
                   sizeof *sum * (size_t)width);
        multiply(&t, rows);
        for (int64_t i = 0; i < rows; i++)
            memcpy(out + (from + i) * columns, sum + i * MULTIPLY_WIDTH,
                   sizeof *sum * (size_t)width);
        if (t.start != NULL)
            t.start += rows;
        else
            t.a += rows * t.stride;
    }
}

static void add_panels(const struct multiplier *m, int64_t first, struct tile t, int64_t count) {
    tile_function *multiply = tile_for_machine();
    double *out = t.out;
    for (int64_t column = 0; column < m->columns; column += MULTIPLY_WIDTH) {
        int64_t width = m->columns - column;
        t.panel = multiplier_entry(m, first, column);
        t.out = out + column;
        if (width < MULTIPLY_WIDTH)
            add_edge(multiply, t, count, width);
        else
            multiply(&t, count);
    }
}

void multiplier_add(const struct multiplier *m, int64_t first, int64_t depth, const double *a,
                    int64_t stride, int64_t count, double *out) {
    multiplier_add_to(m, first, depth, a, stride, count, out, m->columns);
}

void multiplier_add_to(const struct multiplier *m, int64_t first, int64_t depth, const double *a,
                       int64_t stride, int64_t count, double *out, int64_t out_stride) {
    struct tile t = {.a = a, .stride = stride, .depth = depth, .out = out, .columns = out_stride};
    add_panels(m, first, t, count);
}

void multiplier_add_all(const struct multiplier *m, const double *a, int64_t stride, int64_t count,
                        double *out, int64_t out_stride) {
    for (int64_t first = 0; first < m->rows; first += MULTIPLY_DEPTH) {
        int64_t depth = m->rows - first < MULTIPLY_DEPTH ? m->rows - first : MULTIPLY_DEPTH;
        multiplier_add_to(m, first, depth, a + first, stride, count, out, out_stride);
    }
}

void multiplier_add_sparse(const struct multiplier *m, const int32_t *start, const int32_t *row,
                           const double *a, int64_t count, double *out) {
    struct tile t = {.a = a, .row = row, .start = start, .out = out, .columns = m->columns};
    add_panels(m, 0, t, count);
}

void multiplier_apply(const struct multiplier *m, const double *a, int64_t count, double *out) {
    memset(out, 0, sizeof *out * (size_t)(count * m->columns));
    multiplier_add_all(m, a, m->rows, count, out, m->columns);
}
