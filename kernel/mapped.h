/* mapped.h - the examples as a map sees them: rows phi(x_i), dense, with the labels, weights and groups
 * of the data.
 *
 * They are computed once, in parallel, where they fit in the memory that is given; otherwise by blocks,
 * each time that a pass wants them, and forgotten (io/window.h). */
#ifndef RRM_MAPPED_H
#define RRM_MAPPED_H

#include "kernel/map.h"

/* *out: the mapped rows; DATA keeps its labels, weights and groups, which are copied. MAP and DATA must
 * outlive *out. MEMORY: bytes that mapped rows may take; where it is too little for all of them, *out
 * has a window (io/window.h). What reads them gets the same bits either way. 0, or -1 with the error
 * set. */
int mapped_init(struct dataset *out, const struct map *map, const struct dataset *data,
                double memory, struct error *e);

#endif
