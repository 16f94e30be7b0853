/* row_cache.h - a cache of rows K(i, .) of a kernel matrix, as many as a given memory holds. A new row
 * replaces the least recently used one. */
#ifndef RRM_ROW_CACHE_H
#define RRM_ROW_CACHE_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/state/state.h"
#include "kernel/float_kernel.h"

#include <stdbool.h>

struct row_cache;

enum { ROW_CACHE_VALUES = FLOAT_KERNEL_ROWS };

/* How values are computed: in doubles, rounded to floats; or in floats (float_kernel.h), several times faster, where
 * single precision suits the kernel and the data. */
enum row_precision { ROWS_ROUNDED, ROWS_FAST };

/* A cache over the rows of DATA, whose arrays must outlive it, for at most BYTES of rows, but at least min_rows rows.
 * NULL with the error set. */
struct row_cache *row_cache_new(const struct kernel *kernel, const struct dataset *data,
                                double bytes, int64_t min_rows, enum row_precision precision,
                                struct error *e);
void row_cache_free(struct row_cache *cache); /* NULL does nothing */

/* row[k] = K(index[k], .) for COUNT distinct indices, at most as many as the cache has slots. Missing rows are
 * computed together, in parallel. The pointers are valid until the next call. 0, or -1 with the error set: a
 * value is not finite. */
int row_cache_get(struct row_cache *cache, const int64_t *index, int64_t count, const float **row,
                  struct error *e);

/* Whether single values can be had without their row, and row I is not cached. */
bool row_cache_lacks(const struct row_cache *cache, int64_t i);

/* out[k][c] = K(index[k], column[c]) for COUNT distinct indices, at most ROW_CACHE_VALUES, that the cache lacks, and
 * COLUMNS columns: to the bit the values of their rows. Nothing is cached. 0, or -1 with the error set. */
int row_cache_values(struct row_cache *cache, const int64_t *index, int64_t count,
                     const int64_t *column, int64_t columns, float *const *out, struct error *e);

/* Makes those of COUNT rows that are cached the newest: they are not replaced while the others are got in parts. */
void row_cache_touch(struct row_cache *cache, const int64_t *index, int64_t count);

/* Computes in doubles from now on, and forgets the rows that were computed in floats. Whether there was anything to
 * change. */
bool row_cache_refine(struct row_cache *cache);

/* Lists whether values are computed in doubles; the rows themselves are computed again. */
void row_cache_visit(struct row_cache *cache, struct state *state);

/* The number of rows that it can hold. */
int64_t row_cache_slots(const struct row_cache *cache);

/* K(i, i): rows doubles. */
const double *row_cache_diagonal(const struct row_cache *cache);

#endif
