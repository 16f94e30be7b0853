/* float_base.h - b(x) of a Nystrom map (map.h) in single precision; for kernel/ alone. */
#ifndef RRM_FLOAT_BASE_H
#define RRM_FLOAT_BASE_H

#include "kernel/float_points.h"
#include "kernel/map.h"

/* The landmarks as points in floats, if these suit the map and the rows of DATA: phi from b in floats is at most 0.001
 * away from phi at each of some rows, in the norm (of phi itself this is 1 with the Gaussian kernel). 1 if they do; 0
 * if not; -1 with the error set. To be freed in each case. */
int float_base_init(struct float_points *points, const struct map *map, const struct dataset *data,
                    struct error *e);

#endif
