/* svmlight_scatter.h - the rows that process 0 has read become those of several processes. */
#ifndef RRM_SVMLIGHT_SCATTER_H
#define RRM_SVMLIGHT_SCATTER_H

#include "io/dataset.h"

/* DATA, of process 0 all rows and empty in the others, becomes the share of each: consecutive rows with about the same
 * number of values, and whole groups. -1 with the error set, the same in all processes. */
int svmlight_scatter(struct communicator *communicator, struct dataset *data, struct error *e);

#endif
