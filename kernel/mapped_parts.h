/* mapped_parts.h - mapped rows by pieces; for kernel/ alone. */
#ifndef RRM_MAPPED_PARTS_H
#define RRM_MAPPED_PARTS_H

#include "kernel/mapped.h"

/* Gives OUT, complete but for its values, a window: those of as many rows as fit in MEMORY stay, the
 * others are computed again whenever they are held. All are computed once, to know that they are
 * finite. 0, or -1 with the error set. */
int mapped_window(struct dataset *out, const struct map *map, const struct dataset *data,
                  double memory, struct error *e);

/* phi of rows from <= i < to; the first row that is not finite, or `to`. Room for MAP_BLOCK rows. */
int64_t mapped_rows(const struct map *map, const struct dataset *data, int64_t from, int64_t to,
                    double *phi, double *room);

/* What stands for a row where there was no memory, or the map was interrupted. */
enum { MAPPED_NO_MEMORY = -1, MAPPED_STOPPED = -2 };

/* 0; or -1 with the error set, where row `bad` is one of `rows`, or one of the words above. */
int mapped_check(int64_t bad, int64_t rows, struct error *e);

#endif
