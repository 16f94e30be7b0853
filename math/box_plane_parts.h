/* box_plane_parts.h - what the files of math/box_plane.h share. */
#ifndef RRM_BOX_PLANE_PARTS_H
#define RRM_BOX_PLANE_PARTS_H

#include "math/box_plane.h"

enum { BOX_PLANE_CHUNK = 256, BOX_PLANE_BLOCK = 32 * BOX_PLANE_CHUNK };

/* The root of `sum - slope L + the open pieces = z`, known to be in [low, high]. */
struct box_plane_search {
    double low, high; /* of L */
    double z;
    struct wide sum, slope; /* of the pieces whose line is known between low and high */
    struct box_plane_piece *piece;
    int64_t open;
    double *kink; /* room for two a piece */
    int64_t touched;
};

/* A coordinate's piece. g = 0: no kinks, adds 0. */
static inline struct box_plane_piece box_plane_piece(double q, double m, double g, double low,
                                                     double high) {
    double first_end = g > 0 ? high : low, last_end = g > 0 ? low : high;
    struct box_plane_piece piece = {(m - first_end) * q / g,
                                    (m - last_end) * q / g,
                                    g * first_end,
                                    g * last_end,
                                    g * m,
                                    g * g / q};
    if (g == 0)
        piece = (struct box_plane_piece){.first = -INFINITY, .last = INFINITY};
    return piece;
}

/* What it adds at L. */
static inline double box_plane_piece_at(const struct box_plane_piece *piece, double at) {
    double value = piece->middle - piece->slope * at;
    value = value > piece->bottom ? value : piece->bottom;
    return value < piece->top ? value : piece->top;
}

/* A chunk of an array, or of numbers that are all `all`, of which `filled` takes copies. */
static inline const double *box_plane_chunk(const double *array, double all, int64_t start,
                                            int64_t count, double *filled) {
    if (array != NULL)
        return array + start;
    for (int64_t i = 0; i < count; i++)
        filled[i] = all;
    return filled;
}

/* One pass over all coordinates: the search for L in [low, high]; the open pieces are
 * those with a kink between. */
void box_plane_gather(const struct box_plane *p, struct box_plane_work *work, double low,
                      double high, struct box_plane_search *search);

/* The sum at L less z. */
double box_plane_excess(struct box_plane_search *search, double at);

/* L by pivots, linear in the open pieces. */
double box_plane_settle(struct box_plane_search *search);

#endif
