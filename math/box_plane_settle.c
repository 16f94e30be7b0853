/* box_plane_settle.c - Algorithm 8 proper: pivots among the kinks that are left. */
#include "math/box_plane_parts.h"

#include "math/select.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHUNK = 64, SAMPLE = 24 };

static const double shrink_wanted = 0.75; /* of the kinks at most: what a pivot should leave */

double box_plane_excess(struct box_plane_search *search, double at) {
    struct wide sum = wide_subtract(search->sum, wide_of(search->z));
    for (int64_t start = 0; start < search->open; start += CHUNK) {
        double part = 0;
        for (int64_t i = start; i < start + CHUNK && i < search->open; i++)
            part += box_plane_piece_at(&search->piece[i], at);
        sum = wide_add(sum, wide_of(part));
    }
    search->touched += search->open;
    if (search->slope.hi > 0)
        sum = wide_subtract(sum, wide_scale(search->slope, at));
    return sum.hi;
}

static bool is_between(const struct box_plane_search *search, double kink) {
    return search->low < kink && kink < search->high;
}

/* Keeps the pieces with a kink between, of up to CHUNK, at `to`; returns how many. */
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

/* Returns how many kinks there are between. */
static int64_t fold(struct box_plane_search *search) {
    int64_t kept = 0, kinks = 0;
    for (int64_t start = 0; start < search->open; start += CHUNK) {
        int64_t count = search->open - start < CHUNK ? search->open - start : CHUNK;
        kept += fold_chunk(search, search->piece + start, count, search->piece + kept, &kinks);
    }
    search->touched += search->open;
    search->open = kept;
    return kinks;
}

/* The kinks of `count` of the open pieces, all of them or a sample; returns how many there are. */
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

static double find_pivot(struct box_plane_search *search, bool exact) {
    double sample[2 * SAMPLE];
    double *kink = exact ? search->kink : sample;
    int64_t count = !exact && search->open > SAMPLE ? SAMPLE : search->open;
    int64_t kinks = list_kinks(search, count, kink);
    if (exact)
        search->touched += count;
    return select_smallest(kink, kinks, kinks / 2, exact ? &search->touched : NULL);
}

/* On the line between two kinks, or at an end of a flat piece. */
static double find_end(const struct box_plane_search *search) {
    double excess = wide_subtract(search->sum, wide_of(search->z)).hi;
    if (search->slope.hi > 0)
        return fmin(fmax(excess / search->slope.hi, search->low), search->high);
    if (excess < 0 && search->low == -INFINITY)
        return -INFINITY;
    if (excess > 0 && search->high == INFINITY)
        return INFINITY;
    return isfinite(search->low) ? search->low : isfinite(search->high) ? search->high : 0;
}

double box_plane_settle(struct box_plane_search *search) {
    int64_t kinks = fold(search);
    bool failed = false;
    while (kinks > 0) {
        double pivot = find_pivot(search, failed);
        double excess = box_plane_excess(search, pivot);
        int64_t before = kinks;
        if (excess == 0)
            return pivot;
        *(excess > 0 ? &search->low : &search->high) = pivot;
        kinks = fold(search);
        failed = (double)kinks > shrink_wanted * (double)before;
    }
    return find_end(search);
}
