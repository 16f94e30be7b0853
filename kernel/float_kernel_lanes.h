/* float_kernel_lanes.h - tiles of float_kernel.c for vectors of LANES floats; it includes this file for each width.
 *
 * NAME(x): x with the width's suffix; TARGET: the attribute of its functions. */

typedef float NAME(lanes) __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));
typedef int32_t NAME(integers) __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/* out[0 .. VECTORS LANES - 1] = the products of example i with as many wanted rows, from FIRST on; with TWO, also those
 * of example `next`, which has the same columns, at out + FLOAT_KERNEL_ROWS. */
static SIMD_BODY void NAME(some_products)(const struct float_kernel *f, int64_t i, int64_t next,
                                          int first, float *out, const int vectors,
                                          const bool two) {
    const int32_t *column = dataset_columns(f->data, i);
    const double *value = dataset_values(f->data, i), *next_value = dataset_values(f->data, next);
    int64_t count = dataset_count(f->data, i);
    NAME(lanes) sum[MAX_SUMS] = {0}, other[MAX_SUMS] = {0};
    for (int64_t n = 0; n < count; n++) {
        int32_t at = f->position[column[n]];
        if (at < 0)
            continue;
        const NAME(lanes) *point =
            (const NAME(lanes) *)(f->value + (int64_t)at * FLOAT_KERNEL_ROWS + first);
        if (value == NULL)
#pragma GCC unroll 8
            for (int k = 0; k < vectors; k++)
                sum[k] += point[k];
        else
#pragma GCC unroll 8
            for (int k = 0; k < vectors; k++)
                sum[k] += (float)value[n] * point[k];
        if (two) /* with values */
#pragma GCC unroll 8
            for (int k = 0; k < vectors; k++)
                other[k] += (float)next_value[n] * point[k];
    }
#pragma GCC unroll 8
    for (int k = 0; k < vectors; k++) {
        *(NAME(lanes) *)(out + k * LANES) = sum[k];
        if (two)
            *(NAME(lanes) *)(out + FLOAT_KERNEL_ROWS + k * LANES) = other[k];
    }
}

/* The same for all wanted rows, as many at a time as the registers hold. */
static SIMD_BODY void NAME(products)(const struct float_kernel *f, int64_t i, int64_t next,
                                     float *out, const int groups, const bool two) {
    const int all = groups * GROUP / LANES, limit = two ? MAX_SUMS / 2 : MAX_SUMS;
    const int vectors = all < limit ? all : limit;
    for (int first = 0; first < all * LANES; first += vectors * LANES)
        NAME(some_products)(f, i, next, first, out + first, vectors, two);
}

/* x[k] = 2^(x[k] scale), x[k] scale between -126 and 0, with `scale` in two parts: a product with the first alone
 * would change gamma by its rounding, and so all values in the same direction. */
static SIMD_BODY void NAME(powers_of_two)(float *x, float scale, float scale_rest) {
    static const float shift = 0x1.8p23F;
    NAME(lanes) at = *(const NAME(lanes) *)x;
    NAME(lanes) sum = at * scale + shift, whole = sum - shift;
    NAME(integers) power = (NAME(integers))sum - 0x4b400000;
    NAME(lanes) r = at * scale - whole;
    r += at * scale_rest;
    NAME(lanes) p = r * 1.5252734e-5F + 1.5403530e-4F; /* ln(2)^k / k! */
    p = p * r + 1.3333558e-3F;
    p = p * r + 9.6181291e-3F;
    p = p * r + 5.5504109e-2F;
    p = p * r + 2.4022651e-1F;
    p = p * r + 6.9314718e-1F;
    p = p * r + 1.0F;
    *(NAME(lanes) *)x = p * (NAME(lanes))((power + 127) << 23);
}

/* x[k] = exp(-gamma ||s_k - x_i||^2), from the products in x. */
static SIMD_BODY void NAME(gaussians)(const struct float_kernel *f, int64_t i, float *x,
                                      int count) {
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
        NAME(powers_of_two)(x + k, scale, rest);
}

/* The kernel values of example i, from the products in x. */
static SIMD_BODY void NAME(kernel_values)(const struct float_kernel *f, int64_t i, float *x,
                                          int groups) {
    if (f->kernel.kind == KERNEL_GAUSSIAN)
        NAME(gaussians)(f, i, x, groups * GROUP);
    else if (f->kernel.kind == KERNEL_POLYNOMIAL)
        polynomials(&f->kernel, x, groups * GROUP);
}

/* out[k][c] for from <= c < to. Whole groups of rows are computed; GROUPS is known to the compiler. */
static SIMD_BODY void NAME(fill_groups)(const struct float_kernel *f, int64_t count,
                                        const struct examples *examples, float *const *out,
                                        int64_t from, int64_t to, int groups) {
    float tile[TILE * FLOAT_KERNEL_ROWS] __attribute__((aligned(64)));
    for (int64_t first = from; first < to; first += TILE) {
        int64_t end = first + TILE < to ? first + TILE : to;
        for (int64_t c = first; c < end; c++) {
            float *at = tile + (c - first) * FLOAT_KERNEL_ROWS;
            int64_t i = example(examples, c);
            if (c + 1 < end && next_has_same_columns(f, examples, c)) {
                int64_t next = example(examples, ++c);
                NAME(products)(f, i, next, at, groups, true);
                NAME(kernel_values)(f, next, at + FLOAT_KERNEL_ROWS, groups);
            } else
                NAME(products)(f, i, i, at, groups, false);
            NAME(kernel_values)(f, i, at, groups);
        }
        for (int64_t k = 0; k < count; k++)
            for (int64_t c = first; c < end; c++)
                out[k][c] = tile[(c - first) * FLOAT_KERNEL_ROWS + k];
    }
}

static TARGET void NAME(fill)(const struct float_kernel *f, int64_t count,
                              const struct examples *examples, float *const *out, int64_t from,
                              int64_t to) {
    if (count <= GROUP)
        NAME(fill_groups)(f, count, examples, out, from, to, 1);
    else if (count <= 2 * GROUP)
        NAME(fill_groups)(f, count, examples, out, from, to, 2);
    else
        NAME(fill_groups)(f, count, examples, out, from, to, FLOAT_KERNEL_ROWS / GROUP);
}

#undef LANES
#undef NAME
#undef TARGET
