/* f1_offset.h - the offset that minimizes the risk of F1 (f1.h). A shift s is subtracted from the gain of each
 * positive and added to the gain of each negative:
 *
 *     F(s) = max over b, c of  V(b, c) + s (c - b),
 *
 * the maximum of lines. A cutting-plane method keeps one falling and one rising line, evaluates F where they cross,
 * and replaces one of them by the line that attains F there, until no line is above the crossing. The number of
 * steps is finite, and each costs O(rows), as the gains stay sorted. At the end the two lines cross at the minimum;
 * their convex combination of slope 0 is a linearization that does not depend on the offset. */
#ifndef RRM_F1_OFFSET_H
#define RRM_F1_OFFSET_H

#include "risk/multivariate/f1_peak.h"

struct f1_minimum {
    double shift, value;       /* s, F(s) */
    struct f1_peak fall, rise; /* the two lines that cross there */
    double share;              /* weight of the rising line in the combination of slope 0 */
};

/* WORK: scratch memory of positives + negatives + 2 numbers. */
struct f1_minimum f1_minimize_over_shift(const struct f1_sums *sums, double *work);

#endif
