/* row_cache.h - the rows of a kernel matrix K(i, .) that were used last, as many as a given memory
 * holds; the one unused for the longest time makes room (LRU). */
#ifndef RRM_ROW_CACHE_H
#define RRM_ROW_CACHE_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/kernel.h"

struct row_cache;

/* Of the rows of DATA, which must outlive it. BYTES: what the rows may take, but room for at least
 * `least` rows. NULL with the error set. */
struct row_cache *row_cache_new(const struct kernel *kernel, const struct dataset *data,
                                double bytes, int64_t least, struct error *e);
void row_cache_free(struct row_cache *cache); /* NULL does nothing */

/* row[k] = K(index[k], .) for COUNT <= the slots distinct indices: those that are not there are computed
 * together, in parallel. They stay where they are until the next call. 0, or -1 with the error set: a
 * value is not finite. */
int row_cache_get(struct row_cache *cache, const int64_t *index, int64_t count, const float **row,
                  struct error *e);

/* How many rows it holds at most. */
int64_t row_cache_slots(const struct row_cache *cache);

/* K(i, i): rows doubles. */
const double *row_cache_diagonal(const struct row_cache *cache);

#endif
