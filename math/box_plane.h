/* box_plane.h - a diagonal quadratic over a box and a plane, in linear time:
 *
 *     minimize  1/2 sum q_i (a_i - m_i)^2   over low_i <= a_i <= high_i, sum g_i a_i = z, q_i > 0:
 *
 * a_i = clip(m_i - L g_i/q_i, low_i, high_i), and the sum falls with L along lines with two kinks for
 * each i. The plane's L is found between two of the kinks by pivots; a coordinate whose line is known
 * is folded into two running sums. Zhang, Saha & Vishwanathan 2010, "Regularized risk minimization by
 * Nesterov's accelerated gradient methods", Algorithm 8 (Pardalos & Kovoor 1990, Math. Programming
 * 46). Long problems begin with bounds for L from a sample, and all but a few coordinates are read
 * once.
 *
 * Accuracy: sum g_i a_i is z up to some 1e-16 of the sum of |g_i a_i| and, over the coordinates off
 * their bounds, of |g_i m_i|: L itself has no more digits. Where all end at their bounds, z may be off by
 * 1e-14 of |z| and the sum of |g_i a_i|, which is taken for rounding. */
#ifndef RRM_BOX_PLANE_H
#define RRM_BOX_PLANE_H

#include "io/error.h"
#include "math/wide.h"

#include <stdint.h>

struct box_plane {
    int64_t n;
    const double *q;          /* NULL: all 1 */
    const double *m;          /* finite */
    const double *g;          /* NULL: all 1; g_i = 0: takes no part */
    const double *low, *high; /* infinite ends allowed; NULL: low_all, high_all */
    double z;
    double low_all, high_all;
};

/* A coordinate of which it is not known where L is beside its kinks, and what it adds to the sum. */
struct box_plane_piece {
    double first, last;   /* the kinks */
    double top, bottom;   /* g a up to the first, from the last on */
    double middle, slope; /* between them g a = middle - slope L */
};

struct box_plane_block {
    struct wide sum, slope;
    int64_t open;
};

/* For problems of up to `capacity` coordinates. What is not used of it stays untouched memory. */
struct box_plane_work {
    int64_t capacity;
    struct box_plane_piece *piece;
    struct box_plane_block *block;
    double *kink;
    int64_t touched; /* coordinates read in the last call, each time counted */
};

/* 0, or -1 with the error set. */
int box_plane_work_init(struct box_plane_work *work, int64_t n, struct error *e);
void box_plane_work_free(struct box_plane_work *work);

/* L. guess: where to look first, such as the L of a similar problem (a good one: two passes over the
 * coordinates, whatever n); not-a-number: none. Of several L any, a finite one if there is. z beyond
 * the largest sum: -infinity, below the least: infinity (by more than rounding), for which the point
 * has all a_i at their ends, the nearest there is; with an infinite end and g_i != 0 on that side
 * there is no such z. The same for any number of threads. */
double box_plane_multiplier(const struct box_plane *p, double guess, struct box_plane_work *work);

/* Writes a for L; `a` may be m. */
void box_plane_point(const struct box_plane *p, double multiplier, double *a);

#endif
