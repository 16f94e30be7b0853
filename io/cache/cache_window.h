/* cache_window.h - the examples of a cache that is larger than the memory for them: read from the disk in each pass. */
#ifndef RRM_CACHE_WINDOW_H
#define RRM_CACHE_WINDOW_H

#include "io/dataset.h"
#include "io/error.h"

/* Gives DATA, whose arrays lie in its map, a window (io/dataset_window.h): what a pass has read leaves the memory of
 * this process, and what it reads next is asked for. All rows keep their addresses; reading them in another order than
 * by blocks is right, and slow. FILE, open, of which it is the map, is read past the system's cache of files if it is
 * too large for that (overlay.h). MEMORY: bytes for the examples, of which each thread needs some. Freed with DATA. 0,
 * or -1 with the error set. */
int cache_window(struct dataset *data, int file, double memory, struct error *e);

/* Lets LENGTH bytes of a map leave the memory of this process, but for a page at the end that it shares with more. */
void cache_window_drop(const void *bytes, int64_t length);

#endif
