/* mapped_parts.h - the steps of mapped_init; for kernel/ alone. */
#ifndef RRM_MAPPED_PARTS_H
#define RRM_MAPPED_PARTS_H

#include "kernel/mapped.h"

/* Gives OUT, complete except for its values, a window: as many rows as fit in MEMORY stay there as floats, if all
 * their numbers are in the range of floats; the others are recomputed whenever they are held. All are looked at once,
 * to check that they are finite. 0, or -1 with the error set. */
int mapped_window(struct dataset *out, const struct map *map, const struct dataset *data,
                  double memory, struct error *e);

/* Gives OUT, complete except for its values, a window on a file in FOLDER, which has all rows as they are in memory.
 * For online solvers as many as fit in MEMORY are read together. Returns 1; 0: there can be no such file; -1 with the
 * error set. */
int mapped_file(struct dataset *out, const struct map *map, const struct dataset *data,
                const char *folder, double memory, struct error *e);

/* The smallest number of rows of n numbers that fill whole pages and whole blocks of the map. */
int64_t mapped_chunk_rows(int64_t n);

/* Rows that are written to a file together, and read as a chunk of it: whole pages, of 2 MB or more. */
int64_t mapped_file_rows(int64_t n);

/* Maps all rows by blocks, to VALUE, or, where this is NULL, to FILE (io/scratch.h). Returns the first row that is not
 * finite, or `rows`; or MAP_NO_MEMORY, MAP_STOPPED or MAP_UNWRITTEN. */
int64_t mapped_compute(const struct map *map, const struct dataset *data, double *value, int file);

/* The error of that, or 0. */
int mapped_check(int64_t bad, const struct dataset *data, struct error *e);

/* phi of rows from <= i < to. Returns the first row that is not finite, or `to`. `work`:
 * map_work_size(MAP_BLOCK). */
int64_t mapped_rows(const struct map *map, const struct dataset *data, int64_t from, int64_t to,
                    double *phi, double *work);

#endif
