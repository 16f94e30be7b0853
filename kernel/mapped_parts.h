/* mapped_parts.h - the steps of mapped_init; for kernel/ alone. */
#ifndef RRM_MAPPED_PARTS_H
#define RRM_MAPPED_PARTS_H

#include "kernel/mapped.h"

/* Gives OUT, complete except for its values, a window: as many rows as fit in MEMORY stay there as floats, if all
 * their numbers are in the range of floats; the others are recomputed whenever they are held. All are looked at once,
 * to check that they are finite. 0, or -1 with the error set. */
int mapped_window(struct dataset *out, const struct map *map, const struct dataset *data,
                  double memory, struct error *e);

/* phi of rows from <= i < to. Returns the first row that is not finite, or `to`. `work`:
 * map_work_size(MAP_BLOCK). */
int64_t mapped_rows(const struct map *map, const struct dataset *data, int64_t from, int64_t to,
                    double *phi, double *work);

#endif
