/* multiply_lanes.h - the tiles of multiply.c for vectors of LANES doubles; multiply.c includes it for each width.
 *
 * LANES: the width; NAME(x): x with the width's suffix; TARGET: the attribute of its functions. ROWS and WIDTH: the
 * rows of a tile and its vectors, as many sums as the registers hold; ROW_WIDTH: the vectors where it is one sparse row. */

/* Of a panel, and of rows that may begin anywhere. */
typedef double NAME(lanes)
    __attribute__((vector_size(LANES * sizeof(double)), aligned(LANES * sizeof(double))));
typedef double NAME(loose) __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

/* COUNT rows by `width` vectors of the panel from vector FIRST on; the loops over them have to be unrolled. */
static TARGET SIMD_BODY void NAME(multiply_tile)(const struct tile *t, const int count,
                                                 const int first, const int width,
                                                 const bool sparse) {
    NAME(lanes) sum[ROWS][ROW_WIDTH];
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
#pragma GCC unroll 8
        for (int vector = 0; vector < width; vector++)
            sum[i][vector] =
                *(const NAME(loose) *)(t->out + i * t->columns + (first + vector) * LANES);
    for (int64_t k = 0; k < t->depth; k++) {
        const NAME(lanes) *right =
            (const NAME(lanes) *)(t->panel + (sparse ? t->row[k] : k) * MULTIPLY_WIDTH) + first;
#pragma GCC unroll 8
        for (int i = 0; i < count; i++)
#pragma GCC unroll 8
            for (int vector = 0; vector < width; vector++)
                sum[i][vector] += t->a[i * t->stride + k] * right[vector];
    }
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
#pragma GCC unroll 8
        for (int vector = 0; vector < width; vector++)
            *(NAME(loose) *)(t->out + i * t->columns + (first + vector) * LANES) = sum[i][vector];
}

/* COUNT rows of a sparse A, one by one. */
static TARGET void NAME(tile_sparse_rows)(const struct tile *t, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        struct tile row = {.a = t->a + t->start[i],
                           .panel = t->panel,
                           .row = t->row + t->start[i],
                           .depth = t->start[i + 1] - t->start[i],
                           .out = t->out + i * t->columns};
        for (int first = 0; first < MULTIPLY_WIDTH / LANES; first += ROW_WIDTH)
            NAME(multiply_tile)(&row, 1, first, ROW_WIDTH, true);
    }
}

/* COUNT rows of A, of a dense one ROWS at a time. */
static TARGET void NAME(tile_rows)(const struct tile *given, int64_t count) {
    struct tile t = *given;
    if (t.row != NULL) {
        NAME(tile_sparse_rows)(&t, count);
        return;
    }
    while (count > 0) {
        int64_t step = count >= ROWS ? ROWS : 1;
        for (int first = 0; first < MULTIPLY_WIDTH / LANES; first += WIDTH)
            if (step == ROWS)
                NAME(multiply_tile)(&t, ROWS, first, WIDTH, false);
            else
                NAME(multiply_tile)(&t, 1, first, WIDTH, false);
        t.a += step * t.stride;
        t.out += step * t.columns;
        count -= step;
    }
}

#undef LANES
#undef NAME
#undef TARGET
#undef ROWS
#undef WIDTH
#undef ROW_WIDTH
