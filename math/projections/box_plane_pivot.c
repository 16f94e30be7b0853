/* box_plane_pivot.c - the root of the piecewise linear function in a bracket (Algorithm 8): each pivot, a kink near
 * the median of those in the bracket, becomes a new end of the bracket. */
#include "math/projections/box_plane_parts.h"

#include "math/select.h"

#include <stdbool.h>
#include <stddef.h>

enum { PIECES_PER_SUM = 64, PIVOT_SAMPLE = 24 };

static const double max_left =
    0.75; /* fraction of the kinks: if a pivot leaves more, the next is the exact median */

double box_plane_excess(struct box_plane_search *search, double at) {
    struct wide sum = wide_subtract(search->sum, wide_of(search->z));
    for (int64_t start = 0; start < search->open; start += PIECES_PER_SUM) {
        double chunk_sum = 0;
        for (int64_t i = start; i < start + PIECES_PER_SUM && i < search->open; i++)
            chunk_sum += box_plane_piece_at(&search->piece[i], at);
        sum = wide_add(sum, wide_of(chunk_sum));
    }
    search->touched += search->open;
    if (search->slope.hi > 0)
        sum = wide_subtract(sum, wide_scale(search->slope, at));
    return sum.hi;
}

static bool is_between(const struct box_plane_search *search, double kink) {
    return search->low < kink && kink < search->high;
}

/* Copies the pieces with a kink in the bracket to TO and adds the others to the sums. Returns how many it copied. */
static int64_t fold_chunk(struct box_plane_search *search, const struct box_plane_piece *from,
                          int64_t count, struct box_plane_piece *to, int64_t *kinks) {
    double low = search->low, high = search->high, sum = 0, slope = 0;
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        const struct box_plane_piece piece = from[i];
        bool top = piece.first >= high, bottom = piece.last <= low;
        bool middle = piece.first <= low && piece.last >= high;
        double end = top ? piece.top : piece.bottom;
        sum += top || bottom ? end : middle ? piece.middle : 0;
        slope += middle ? piece.slope : 0;
        *kinks += is_between(search, piece.first) + is_between(search, piece.last);
        to[kept] = piece;
        kept += !(top || bottom || middle);
    }
    search->sum = wide_add(search->sum, wide_of(sum));
    search->slope = wide_add(search->slope, wide_of(slope));
    return kept;
}

/* Removes the pieces that are linear in the bracket. Returns the number of kinks in it. */
static int64_t fold(struct box_plane_search *search) {
    int64_t kept = 0, kinks = 0;
    for (int64_t start = 0; start < search->open; start += PIECES_PER_SUM) {
        int64_t count =
            search->open - start < PIECES_PER_SUM ? search->open - start : PIECES_PER_SUM;
        kept += fold_chunk(search, search->piece + start, count, search->piece + kept, &kinks);
    }
    search->touched += search->open;
    search->open = kept;
    return kinks;
}

/* Writes the kinks in the bracket of COUNT open pieces, all or a random sample, and returns their number. */
static int64_t list_kinks(const struct box_plane_search *search, int64_t count, double *kink) {
    uint64_t bits = SELECT_SEED ^ (uint64_t)search->open;
    int64_t kinks = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = count < search->open ? select_place(&bits, search->open) : i;
        const struct box_plane_piece *piece = &search->piece[at];
        if (is_between(search, piece->first))
            kink[kinks++] = piece->first;
        if (is_between(search, piece->last))
            kink[kinks++] = piece->last;
    }
    return kinks;
}

/* The median of the kinks, exact or of a sample. */
static double find_pivot(struct box_plane_search *search, bool exact) {
    double sample[2 * PIVOT_SAMPLE];
    double *kink = exact ? search->kink : sample;
    int64_t count = !exact && search->open > PIVOT_SAMPLE ? PIVOT_SAMPLE : search->open;
    int64_t kinks = list_kinks(search, count, kink);
    if (exact)
        search->touched += count;
    return select_smallest(kink, kinks, kinks / 2, exact ? &search->touched : NULL);
}

/* The root in a bracket without kinks: on a line, or an end of the bracket if the line is flat. */
static double root_without_kinks(const struct box_plane_search *search) {
    double excess = wide_subtract(search->sum, wide_of(search->z)).hi;
    if (search->slope.hi > 0)
        return fmin(fmax(excess / search->slope.hi, search->low), search->high);
    if (excess < 0 && search->low == -INFINITY)
        return -INFINITY;
    if (excess > 0 && search->high == INFINITY)
        return INFINITY;
    return isfinite(search->low) ? search->low : isfinite(search->high) ? search->high : 0;
}

double box_plane_root(struct box_plane_search *search) {
    int64_t kinks = fold(search);
    bool exact = false;
    while (kinks > 0) {
        double pivot = find_pivot(search, exact);
        double excess = box_plane_excess(search, pivot);
        int64_t before = kinks;
        if (excess == 0)
            return pivot;
        *(excess > 0 ? &search->low : &search->high) = pivot;
        kinks = fold(search);
        exact = (double)kinks > max_left * (double)before;
    }
    return root_without_kinks(search);
}
