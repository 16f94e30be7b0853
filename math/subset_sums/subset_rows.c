/* subset_rows.c - rows of the recursion: f after some of the numbers, sizes counted without the certain numbers. */
#include "math/simd.h"
#include "math/subset_sums/subset_parts.h"

/* g[b] = q f[b] + p f[b - 1] for 0 < b < count */
static SIMD_BODY void mix_body(const double *restrict f, double p, double q, double *restrict g,
                               int64_t count) {
    for (int64_t b = 1; b < count; b++)
        g[b] = q * f[b] + p * f[b - 1];
}
static void mix(const double *f, double p, double q, double *g, int64_t count);
SIMD_CLONES(void, mix, (const double *f, double p, double q, double *g, int64_t count),
            (f, p, q, g, count))

static void step_row(const struct subset_row *in, double p, double q, struct subset_row *out) {
    out->from = in->from;
    out->count = in->count + 1;
    out->f = out->base;
    out->f[0] = q * in->f[0];
    mix(in->f, p, q, out->f, in->count);
    out->f[in->count] = p * in->f[in->count - 1];
}

/* Drops small entries and entries from which no needed size can be reached. */
static void trim(struct subset_row *row, double cutoff, int64_t low, int64_t high) {
    int64_t skip = low > row->from ? low - row->from : 0, end = high - row->from + 1;
    if (row->count > end && end > 0)
        row->count = end;
    while (row->count > 1 && row->f[row->count - 1] < cutoff)
        row->count--;
    while (skip < row->count - 1 && row->f[skip] < cutoff)
        skip++;
    if (skip >= row->count)
        skip = row->count - 1;
    row->from += skip;
    row->count -= skip;
    row->f += skip;
}

void subset_forward(const struct subset_sums *s, const struct subset_run *run, int64_t i,
                    const struct subset_row *in, struct subset_row *out) {
    double p, q;
    subset_odds(s, run, i, &p, &q);
    step_row(in, p, q, out);
    trim(out, run->cutoff, run->low - run->first - (run->last - run->first - i - 1),
         run->high - run->first);
}

void subset_first_row(struct subset_row *row) {
    row->from = 0;
    row->count = 1;
    row->f = row->base;
    row->f[0] = 1;
}
