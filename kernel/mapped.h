/* mapped.h - the examples after a feature map: dense rows phi(x_i), with the labels, weights and groups of the
 * data.
 *
 * They are computed once, in parallel, if they fit in the given memory. Otherwise they are written to a file, and read
 * from it by blocks in each pass; or, where there can be no such file, recomputed by blocks (io/window.h). */
#ifndef RRM_MAPPED_H
#define RRM_MAPPED_H

#include "kernel/map.h"

/* *out = the mapped rows, with copies of DATA's labels, weights and groups. MAP and DATA must outlive *out.
 * MEMORY: bytes that mapped rows may take; if they need more, *out has a window (io/window.h). FOLDER: for a file of
 * their numbers, which is read in each pass. NULL, or no file can be made there, or the machine's memory beside MEMORY
 * is too small to keep it: they are recomputed, and those that stay in memory are rounded to floats, by 6e-8 of
 * each number. Nothing depends on the number of threads. 0, or -1 with the error set. */
int mapped_init(struct dataset *out, const struct map *map, const struct dataset *data,
                double memory, const char *folder, struct error *e);

/* Whether rows with a window are recomputed in each pass, and not read from a file. */
bool mapped_is_recomputed(const struct dataset *mapped);

#endif
