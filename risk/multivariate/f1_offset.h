/* f1_offset.h - the offset at which the risk of F1 (f1.h) is least. A shift s of the gains takes s from each
 * positive's and adds it to each negative's:
 *
 *     F(s) = max over b, c of  V(b, c) + s (c - b),
 *
 * the greatest of lines. Where the steepest line known that falls meets the steepest known that rises, F is
 * asked for; its line replaces one of them, until there is none above: finitely many steps, of O(rows) each as
 * the gains stay sorted. At the end two lines cross at the minimum, and the mean of them that is level is a
 * linearization without slope in the offset. */
#ifndef RRM_F1_OFFSET_H
#define RRM_F1_OFFSET_H

#include "risk/multivariate/f1_peak.h"

struct f1_level {
    double shift, value;       /* s, F(s) */
    struct f1_peak fall, rise; /* whose lines cross there; */
    double share;              /* of the one that rises */
};

/* ROOM: positives + negatives + 2 numbers. */
struct f1_level f1_find_level(const struct f1_sums *sums, double *work);

#endif
