/* pages.h - large memory that takes room only where it was written, and gives it back in parts. */
#ifndef RRM_PAGES_H
#define RRM_PAGES_H

#include "io/error.h"

#include <stdint.h>

/* BYTES, in pages of the least size, so that parts can be given back. NULL with the error set: no memory for WHAT. To
 * be freed by pages_free. */
void *pages_new(int64_t bytes, const char *what, struct error *e);
void pages_free(void *pages, int64_t bytes);

/* Gives the whole pages among these bytes back; their content is lost, or read again from the file that they map. Where
 * the system cannot, nothing happens. */
void pages_drop(void *from, int64_t bytes);

/* Called first in main: large arrays that are freed go back to the system at once, and those that grow leave no holes.
 * Where the C library cannot, nothing happens. */
void pages_return_freed(void);

/* Called between loading and training, by the only thread: freed arrays of less than 4 MB are used again, with their
 * pages, as one vector of weights after another allocates the same ones. The memory that loading took is not kept. */
void pages_keep_freed(void);

/* Gives back what was freed so far, in a process whose bounds are those of another program. Where the C library cannot,
 * nothing happens. */
void pages_give_back(void);

/* Of a mapped file: the system reads these pages while the process goes on. Where it cannot, nothing happens. */
void pages_read_ahead(void *from, int64_t bytes);

#endif
