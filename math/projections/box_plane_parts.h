/* box_plane_parts.h - the private header of the files of math/projections/box_plane.h. */
#ifndef RRM_BOX_PLANE_PARTS_H
#define RRM_BOX_PLANE_PARTS_H

#include "math/projections/box_plane.h"

enum { BOX_PLANE_CHUNK = 256, BOX_PLANE_BLOCK = 32 * BOX_PLANE_CHUNK };

/* The equation `sum - slope L + terms of the open pieces = z`, whose root is known to be in [low, high]. A piece is
 * open if a kink of it lies in between; all others are in `sum` and `slope`. */
struct box_plane_search {
    double low, high; /* of L */
    double z;
    struct wide sum, slope; /* of the pieces that are linear in [low, high] */
    struct box_plane_piece *piece;
    int64_t open;
    double *kink; /* scratch memory: two numbers per piece */
    int64_t touched;
};

/* The piece of a coordinate. If g = 0 it has no kinks and its term is 0. */
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

/* Its term at L. */
static inline double box_plane_piece_at(const struct box_plane_piece *piece, double at) {
    double value = piece->middle - piece->slope * at;
    value = value > piece->bottom ? value : piece->bottom;
    return value < piece->top ? value : piece->top;
}

/* A chunk of an array; if ARRAY is NULL, COPIES filled with the number `all`. */
static inline const double *box_plane_chunk(const double *array, double all, int64_t start,
                                            int64_t count, double *copies) {
    if (array != NULL)
        return array + start;
    for (int64_t i = 0; i < count; i++)
        copies[i] = all;
    return copies;
}

/* One pass over all coordinates: sets up the search for L in [low, high]. */
void box_plane_gather(const struct box_plane *p, struct box_plane_work *work, double low,
                      double high, struct box_plane_search *search);

/* The sum at L minus z. */
double box_plane_excess(struct box_plane_search *search, double at);

/* Finds L by pivots, in time linear in the open pieces. Modifies the search. */
double box_plane_root(struct box_plane_search *search);

#endif
