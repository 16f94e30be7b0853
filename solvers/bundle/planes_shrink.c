/* planes_shrink.c - planes that leave the program when they have no weight, and come back when they
 * are violated: the program stays small.
 *
 * Reference: Lee 2011, section 5.2.3.2, after the shrinking of SVM-Light. */
#include "solvers/bundle/planes.h"

#include <math.h>

void planes_shrink(struct planes *planes, int limit) {
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state == PLANE_WORKING && planes->plane[j].idle >= limit)
            planes_set_aside(planes, j);
}

/* The plane at the point of the last planes_multiply. */
static double value_of(const struct planes *planes, int slot, double offset) {
    const struct plane *p = &planes->plane[slot];
    return planes->product[slot] + p->offset * offset + p->constant;
}

/* level[k] = max(0, the highest working plane of block k) */
static void find_levels(struct planes *planes, double offset) {
    for (int k = 0; k < planes->blocks; k++)
        planes->level[k] = 0;
    for (int j = 0; j < planes->slots; j++) {
        double *level = &planes->level[planes->plane[j].block];
        if (planes->plane[j].state == PLANE_WORKING)
            *level = fmax(*level, value_of(planes, j, offset));
    }
}

int planes_retest(struct planes *planes, const double *w, double offset, int forget,
                  struct error *e) {
    planes_multiply(planes, w);
    find_levels(planes, offset);
    for (int j = 0; j < planes->slots; j++) {
        struct plane *p = &planes->plane[j];
        if (p->state != PLANE_ASIDE)
            continue;
        if (value_of(planes, j, offset) > planes->level[p->block]) {
            if (planes_recall(planes, j, e) != 0)
                return -1;
        } else if (++p->idle > forget) {
            planes_drop(planes, j);
        }
    }
    return 0;
}
