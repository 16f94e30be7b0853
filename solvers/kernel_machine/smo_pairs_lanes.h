/* smo_pairs_lanes.h - the passes of smo_pairs.h for vectors of LANES floats; smo_pairs.c includes it for each width.
 *
 * LANES: the width; NAME(x): x with the width's suffix; TARGET: the attribute of its functions. */

typedef float NAME(floats) __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));
typedef int32_t NAME(bits) __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/* The lanes of x where the bits of `where` are set, of y elsewhere. */
#define SELECT(where, x, y)                                                                        \
    (NAME(floats))(((NAME(bits))(x) & (where)) | ((NAME(bits))(y) & ~(where)))

union NAME(sums) {
    NAME(floats) numbers;
    NAME(bits) bits;
    int32_t bit[LANES];
};

/* Numbers become integers of the same order. */
static TARGET inline void NAME(order)(union NAME(sums) * x) {
    x->bits ^= (x->bits >> 31) & INT32_MAX;
}

/* The largest of the keys; *at = the smallest index that has it. By integers, four at a time. */
static TARGET inline int32_t NAME(first_largest)(const union NAME(sums) * key,
                                                 const union NAME(sums) * index, int64_t *at) {
    quads best = *(const quads *)key->bit, best_at = *(const quads *)index->bit;
    for (int k = 4; k < LANES; k += 4) {
        quads other = *(const quads *)(key->bit + k), other_at = *(const quads *)(index->bit + k);
        quads better = (other > best) | ((other == best) & (other_at < best_at));
        best = (other & better) | (best & ~better);
        best_at = (other_at & better) | (best_at & ~better);
    }
    int64_t largest = INT64_MIN;
    for (int k = 0; k < 4; k++) {
        int64_t both = (int64_t)best[k] * INT64_C(0x100000000) + (INT32_MAX - best_at[k]);
        largest = both > largest ? both : largest;
    }
    *at = INT32_MAX - (largest & INT32_MAX);
    return (int32_t)(largest >> 32);
}

static TARGET int64_t NAME(partner)(const struct smo_pairs *p, int64_t i, const float *row,
                                    float *lowest) {
    const float g_i = p->g[i], k_ii = p->diagonal[i];
    const NAME(floats) zero = {0}, smallest = zero + p->min_curvature;
    NAME(floats) best = zero, best_curvature = zero + 1, low = zero + 2 * SMO_PAIRS_BARRED;
    NAME(bits) at = {0}, best_at = {0};
    for (int k = 0; k < LANES; k++)
        at[k] = k;
    for (int64_t t = 0; t < p->count; t += LANES) {
        NAME(floats) g = *(const NAME(floats) *)(p->g + t) + *(const NAME(floats) *)(p->low + t);
        NAME(floats)
        curvature = (k_ii + *(const NAME(floats) *)(p->diagonal + t)) -
                    2 * *(const NAME(floats) *)(row + t);
        NAME(floats) fall = g_i - g;
        NAME(bits) below = g<low, gains = fall> zero, curved = curvature > smallest;
        low = SELECT(below, g, low);
        curvature = SELECT(curved, curvature, smallest);
        fall = (NAME(floats))((NAME(bits))fall & gains);
        fall *= fall;
        /* fall / curvature > best / best_curvature, without a division */
        NAME(bits) better = fall * best_curvature > best * curvature;
        best = SELECT(better, fall, best);
        best_curvature = SELECT(better, curvature, best_curvature);
        best_at = (at & better) | (best_at & ~better);
        at += LANES;
    }
    union NAME(sums) gain = {.numbers = best / best_curvature}, index = {.bits = best_at};
    union NAME(sums) least = {.numbers = -low};
    int64_t found;
    NAME(order)(&least);
    *lowest = -number_of_order(NAME(first_largest)(&least, &index, &found));
    NAME(first_largest)(&gain, &index, &found);
    return found;
}

static TARGET int64_t NAME(step)(const struct smo_pairs *p, float step, const float *row_i,
                                 const float *row_j) {
    NAME(floats) best = {0};
    NAME(bits) at = {0}, best_at = {0};
    best -= 2 * SMO_PAIRS_BARRED;
    for (int k = 0; k < LANES; k++)
        at[k] = k;
    for (int64_t t = 0; t < p->count; t += LANES) {
        NAME(floats) *g = (NAME(floats) *)(p->g + t);
        *g -= step * (*(const NAME(floats) *)(row_i + t) - *(const NAME(floats) *)(row_j + t));
        NAME(floats) up = *g + *(const NAME(floats) *)(p->up + t);
        NAME(bits) better = up > best;
        best = SELECT(better, up, best);
        best_at = (at & better) | (best_at & ~better);
        at += LANES;
    }
    union NAME(sums) largest = {.numbers = best}, index = {.bits = best_at};
    int64_t found;
    NAME(order)(&largest);
    NAME(first_largest)(&largest, &index, &found);
    return found;
}

#undef SELECT
#undef LANES
#undef NAME
#undef TARGET
