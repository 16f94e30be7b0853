/* overlay.h - parts of a mapped file, read from the disk without the system's cache of files.
 *
 * For files that are larger than the system's cache: each reading of them fills it with pages that are gone before
 * they are wanted again, which takes more time than the disk. Here units of 2 MB are read straight into memory of this
 * process, and take the place of their pages in the map; two threads read units ahead. Bytes outside of whole units,
 * and units for which there is no room, remain those of the map: reading them is right, and slower. */
#ifndef RRM_OVERLAY_H
#define RRM_OVERLAY_H

#include "io/error.h"

#include <stdint.h>

enum { OVERLAY_UNIT = 2 << 20 }; /* of the size and at the place of a large page */

struct overlay;

/* For the open FILE that is mapped at MAP, read-only, with BYTES; at most MEMORY bytes lie over it at a time. *out is
 * NULL where the system or the file system does not let it: that is no error. FILE may be
 * closed then. 0, or -1 with the error set. */
int overlay_new(int file, const char *map, int64_t bytes, int64_t memory, struct overlay **out,
                struct error *e);

/* Called before the map is unmapped, when no thread uses it. NULL does nothing. */
void overlay_free(struct overlay *overlay);

/* Several threads may call what follows. */

/* The units of these bytes are read soon, if there is room. */
void overlay_ask(struct overlay *overlay, const void *bytes, int64_t length);

/* Reads the units of these bytes, or waits for them; they stay until overlay_release of the same bytes. */
void overlay_hold(struct overlay *overlay, const void *bytes, int64_t length);
void overlay_release(struct overlay *overlay, const void *bytes, int64_t length);

#endif
