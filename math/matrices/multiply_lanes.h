/* multiply_lanes.h - the tiles of multiply.c for vectors of LANES doubles; it includes this file for each width.
 *
 * NAME(x): x with the width's suffix; TARGET: the attribute of its functions; MAX_ROWS: rows of a tile; VECTORS:
 * vectors of a row of it. The registers are to hold MAX_ROWS VECTORS sums. */

typedef double NAME(lanes) __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

/* COUNT rows by VECTORS vectors of the panel from FIRST on: as many sums as the registers hold, if the loops over
 * them are unrolled. */
static SIMD_BODY void NAME(multiply)(const struct tile *t, const int count, const int first,
                                     const bool sparse) {
    NAME(lanes) sum[MAX_ROWS][VECTORS];
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
#pragma GCC unroll 8
        for (int vector = 0; vector < VECTORS; vector++)
            sum[i][vector] =
                *(const NAME(lanes) *)(t->out + i * t->columns + first + vector * LANES);
    for (int64_t k = 0; k < t->depth; k++) {
        const double *right = t->panel + (sparse ? t->row[k] : k) * MULTIPLY_WIDTH + first;
#pragma GCC unroll 8
        for (int i = 0; i < count; i++)
#pragma GCC unroll 8
            for (int vector = 0; vector < VECTORS; vector++)
                sum[i][vector] +=
                    t->a[i * t->stride + k] * *(const NAME(lanes) *)(right + vector * LANES);
    }
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
#pragma GCC unroll 8
        for (int vector = 0; vector < VECTORS; vector++)
            *(NAME(lanes) *)(t->out + i * t->columns + first + vector * LANES) = sum[i][vector];
}

/* COUNT rows of a sparse A, one by one; VECTORS vectors of the panel at a time. */
static SIMD_BODY void NAME(tile_sparse_rows)(const struct tile *t, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        struct tile row = {.a = t->a + t->start[i],
                           .panel = t->panel,
                           .row = t->row + t->start[i],
                           .depth = t->start[i + 1] - t->start[i],
                           .out = t->out + i * t->columns};
        for (int first = 0; first < MULTIPLY_WIDTH; first += VECTORS * LANES)
            NAME(multiply)(&row, 1, first, true);
    }
}

/* COUNT rows of A, of a dense one MAX_ROWS at a time. */
static TARGET void NAME(tile)(const struct tile *operands, int64_t count) {
    struct tile t = *operands;
    if (t.row != NULL) {
        NAME(tile_sparse_rows)(&t, count);
        return;
    }
    for (; count > 0;) {
        int64_t step = count >= MAX_ROWS ? MAX_ROWS : 1;
        for (int first = 0; first < MULTIPLY_WIDTH; first += VECTORS * LANES)
            if (step == MAX_ROWS)
                NAME(multiply)(&t, MAX_ROWS, first, false);
            else
                NAME(multiply)(&t, 1, first, false);
        t.a += step * t.stride;
        t.out += step * t.columns;
        count -= step;
    }
}

#undef LANES
#undef NAME
#undef TARGET
#undef MAX_ROWS
#undef VECTORS
