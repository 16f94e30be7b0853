/* cache_source.h - whether a text file is still the one that a cache was made of. */
#ifndef RRM_CACHE_SOURCE_H
#define RRM_CACHE_SOURCE_H

#include "io/error.h"

#include <stdint.h>

/* What a text file was when it was read. */
struct cache_source {
    int64_t bytes, seconds, nanoseconds;
};

/* Looks at the file PATH. 0, or -1 with the error set: it is missing, or no regular file. */
int cache_look(const char *path, struct cache_source *source, struct error *e);

#endif
