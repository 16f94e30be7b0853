/* float_kernel_lanes.h - tiles of kernel values for vectors of LANES floats; float_kernel.c includes it for each width.
 *
 * LANES: the width; NAME(x): x with the width's suffix; TARGET: the attribute of its functions. A tile is TILE
 * examples, for each of them one value a wanted row. */

typedef float NAME(lanes) __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));
typedef int32_t NAME(integers) __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/* out[0 .. groups * LANES - 1] = the products of example i with the wanted rows from group FIRST on, at most
 * GROUPS_TOGETHER groups, whose sums stay in registers; with TWO, also those of example i + 1, which has the same
 * columns, at out + FLOAT_KERNEL_ROWS. */
static TARGET SIMD_BODY void NAME(product_groups)(const struct float_kernel *f, int64_t i,
                                                  float *out, int first, int groups, bool two) {
    const int32_t *column = dataset_columns(f->data, i);
    const double *value = dataset_values(f->data, i);
    int64_t count = dataset_count(f->data, i);
    NAME(lanes) sum[GROUPS_TOGETHER] = {0}, other[GROUPS_TOGETHER] = {0};
    for (int64_t n = 0; n < count; n++) {
        int32_t at = f->position[column[n]];
        if (at < 0)
            continue;
        const NAME(lanes) *point =
            (const NAME(lanes) *)(f->value + (int64_t)at * FLOAT_KERNEL_ROWS) + first;
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
        *(NAME(lanes) *)(out + k * LANES) = sum[k];
        if (two)
            *(NAME(lanes) *)(out + FLOAT_KERNEL_ROWS + k * LANES) = other[k];
    }
}

static TARGET SIMD_BODY void NAME(products)(const struct float_kernel *f, int64_t i, float *out,
                                            int groups, bool two) {
    for (int first = 0; first < groups; first += GROUPS_TOGETHER)
        NAME(product_groups)
    (f, i, out + first * LANES, first, groups < GROUPS_TOGETHER ? groups : GROUPS_TOGETHER, two);
}

/* x[k] = 2^(x[k] scale), x[k] scale between -126 and 0, with `scale` in two parts: a product with the first alone
 * would change gamma by its rounding, and so all values in the same direction. */
static TARGET SIMD_BODY void NAME(powers_of_two)(float *x, float scale, float scale_rest) {
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
static TARGET SIMD_BODY void NAME(gaussians)(const struct float_kernel *f, int64_t i, float *x,
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

/* x[k] = (gamma x[k] + shift)^degree */
static TARGET SIMD_BODY void NAME(polynomials)(const struct kernel *kernel, float *x, int count) {
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
static TARGET SIMD_BODY void NAME(kernel_values)(const struct float_kernel *f, int64_t i, float *x,
                                                 int groups) {
    if (f->kernel.kind == KERNEL_GAUSSIAN)
        NAME(gaussians)(f, i, x, groups * LANES);
    else if (f->kernel.kind == KERNEL_POLYNOMIAL)
        NAME(polynomials)(&f->kernel, x, groups * LANES);
}

/* out[k][i] for from <= i < to. Whole groups of LANES rows are computed; GROUPS is known to the compiler. */
static TARGET SIMD_BODY void NAME(fill)(const struct float_kernel *f, int64_t count,
                                        float *const *out, int64_t from, int64_t to, int groups) {
    float tile[TILE * FLOAT_KERNEL_ROWS] __attribute__((aligned(64)));
    for (int64_t first = from; first < to; first += TILE) {
        int64_t end = first + TILE < to ? first + TILE : to;
        for (int64_t i = first; i < end; i++) {
            float *at = tile + (i - first) * FLOAT_KERNEL_ROWS;
            if (i + 1 < end && f->same_columns[i]) {
                NAME(products)(f, i, at, groups, true);
                NAME(kernel_values)(f, i++, at, groups);
                at += FLOAT_KERNEL_ROWS;
            } else
                NAME(products)(f, i, at, groups, false);
            NAME(kernel_values)(f, i, at, groups);
        }
        for (int64_t k = 0; k < count; k++)
            for (int64_t i = first; i < end; i++)
                out[k][i] = tile[(i - first) * FLOAT_KERNEL_ROWS + k];
    }
}

static TARGET void NAME(float_kernel_fill)(const struct float_kernel *f, int64_t count,
                                           float *const *out, int64_t from, int64_t to) {
    if (count <= LANES)
        NAME(fill)(f, count, out, from, to, 1);
    else if (count <= 2 * LANES)
        NAME(fill)(f, count, out, from, to, 2);
    else if (count <= GROUPS_TOGETHER * LANES)
        NAME(fill)(f, count, out, from, to, GROUPS_TOGETHER);
    else
        NAME(fill)(f, count, out, from, to, FLOAT_KERNEL_ROWS / LANES);
}

#undef LANES
#undef NAME
#undef TARGET
