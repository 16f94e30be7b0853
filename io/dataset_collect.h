/* dataset_collect.h - rows go from process 0 to all, and from all to process 0. */
#ifndef RRM_DATASET_COLLECT_H
#define RRM_DATASET_COLLECT_H

#include "io/dataset.h"

/* DATA, of process 0 all rows and empty in the others, becomes the share of each: consecutive rows with about the same
 * number of values, and whole groups. -1 with the error set, the same in all processes. */
int dataset_scatter(struct communicator *communicator, struct dataset *data, struct error *e);

/* The reverse: DATA, the share of each process, becomes all rows in the order of the ranks in process 0, as if it had
 * read them alone (without a communicator), and empty in the others. The rows are sparse, in memory, with doubles. -1
 * with the error set, the same in all processes, and DATA as it was. Counts the bytes (communicator->traffic). */
int dataset_collect(struct communicator *communicator, struct dataset *data, struct error *e);

/* Bytes of the arrays of the rows of all processes together; to be called by all. */
double dataset_collected_bytes(const struct dataset *data);

#endif
