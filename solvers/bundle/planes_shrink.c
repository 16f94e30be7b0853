/* planes_shrink.c - sets aside planes without weight and brings them back when they are violated, so that the
 * program stays small.
 *
 * Reference: Lee 2011, section 5.2.3.2, after the shrinking of SVM-Light. */
#include "solvers/bundle/planes.h"

#include <math.h>

void planes_shrink(struct planes *planes, int limit) {
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state == PLANE_WORKING && planes->plane[j].idle >= limit)
            planes_set_aside(planes, j);
}

/* The plane's value at the point of the last planes_multiply. */
static double value_of(const struct planes *planes, int slot, double offset) {
    const struct plane *p = &planes->plane[slot];
    return planes->product[slot] + p->offset * offset + p->constant;
}

/* max_value[k] = max(0, the maximum of the working planes of block k) */
static void find_max_values(struct planes *planes, double offset) {
    for (int k = 0; k < planes->blocks; k++)
        planes->max_value[k] = 0;
    for (int j = 0; j < planes->slots; j++) {
        double *max_value = &planes->max_value[planes->plane[j].block];
        if (planes->plane[j].state == PLANE_WORKING)
            *max_value = fmax(*max_value, value_of(planes, j, offset));
    }
}

int planes_recall_violated(struct planes *planes, const double *w, double offset, int forget,
                           struct error *e) {
    planes_multiply(planes, w);
    find_max_values(planes, offset);
    for (int j = 0; j < planes->slots; j++) {
        struct plane *p = &planes->plane[j];
        if (p->state != PLANE_ASIDE)
            continue;
        if (value_of(planes, j, offset) > planes->max_value[p->block]) {
            if (planes_recall(planes, j, e) != 0)
                return -1;
        } else if (++p->idle > forget) {
            planes_drop(planes, j);
        }
    }
    return 0;
}
