/* box_plane.h - a diagonal quadratic over a box and a plane, in linear time:
 *
 *     minimize  1/2 sum q_i (a_i - m_i)^2   over low_i <= a_i <= high_i, sum g_i a_i = z, q_i > 0:
 *
 * With the multiplier L of the plane, a_i = clip(m_i - L g_i/q_i, low_i, high_i). The sum of g_i a_i is a piecewise
 * linear function of L that never rises, with two kinks for each i. A pivoting search, as in quickselect, brackets
 * its root between two kinks; a coordinate that is linear within the bracket is added to two running sums and not
 * read again. Zhang, Saha & Vishwanathan 2010, "Regularized risk minimization by Nesterov's accelerated gradient
 * methods", Algorithm 8 (Pardalos & Kovoor 1990, Math. Programming 46). Long problems begin with a bracket from a
 * sample, so that almost all coordinates are read once.
 *
 * Files: box_plane.c (the initial bracket), box_plane_gather.c (passes over all coordinates), box_plane_pivot.c
 * (the search among the kinks in the bracket).
 *
 * Accuracy: sum g_i a_i equals z up to some 1e-16 of the sum of |g_i a_i| and, over the coordinates strictly
 * between their bounds, of |g_i m_i|: L itself has no more digits. If all are at their bounds, an error in z of up
 * to 1e-14 of |z| and the sum of |g_i a_i| counts as rounding. */
#ifndef RRM_BOX_PLANE_H
#define RRM_BOX_PLANE_H

#include "io/error.h"
#include "math/matrices/wide.h"

#include <stdint.h>

struct box_plane {
    int64_t n;
    const double *q;          /* NULL: all 1 */
    const double *m;          /* finite */
    const double *g;          /* NULL: all 1; may be 0 */
    const double *low, *high; /* infinite ends allowed; NULL: low_all, high_all */
    double z;
    double low_all, high_all;
};

/* The term g a of a coordinate as a function of L. */
struct box_plane_piece {
    double first, last;   /* the kinks, first <= last */
    double top, bottom;   /* g a = top for L <= first, = bottom for L >= last */
    double middle, slope; /* g a = middle - slope L between the kinks */
};

struct box_plane_block {
    struct wide sum, slope;
    int64_t open;
};

/* Scratch memory for problems of up to `capacity` coordinates. Pages that no call needs are never written. */
struct box_plane_work {
    int64_t capacity;
    struct box_plane_piece *piece;
    struct box_plane_block *block;
    double *kink;
    int64_t touched; /* number of reads of a coordinate in the last call */
};

/* 0, or -1 with the error set. */
int box_plane_work_init(struct box_plane_work *work, int64_t n, struct error *e);
void box_plane_work_free(struct box_plane_work *work);

/* Returns L. GUESS: an estimate, such as the L of a similar problem (a good one: two passes over the coordinates);
 * not-a-number: none. If several L are solutions, it returns any, a finite one if there is. If z is above the
 * largest possible sum (by more than rounding) it returns -infinity, below the smallest infinity: the point then
 * has all a_i at the bounds nearest to the plane. The result is the same for any number of threads. */
double box_plane_multiplier(const struct box_plane *p, double guess, struct box_plane_work *work);

/* a_i = clip(m_i - L g_i/q_i, low_i, high_i) for the given L; `a` may be the array m. */
void box_plane_point(const struct box_plane *p, double multiplier, double *a);

#endif
