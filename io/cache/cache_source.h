/* cache_source.h - whether a text file is still the one that a cache was made of. */
#ifndef RRM_CACHE_SOURCE_H
#define RRM_CACHE_SOURCE_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

/* What a text file was when it was read. */
struct cache_source {
    int64_t bytes, seconds, nanoseconds; /* size, and time of change of the content */

    /* Which file it was, and the time when its content or its entry changed, which no program sets. */
    int64_t device, inode, change_seconds, change_nanoseconds;
    int64_t long_ago; /* 1: this time was so long ago that a later change has another one; 0: not */
    uint64_t checksum; /* of all bytes (cache_source_sum) */
};

/* Looks at the file PATH; the checksum becomes 0. 0, or -1 with the error set: it is missing, or no regular file. */
int cache_look(const char *path, struct cache_source *source, struct error *e);

/* The same, before the file is read. If it changed less than a tenth of a second ago, waits for so long: a change that
 * comes after that has another time. */
int cache_look_at_rest(const char *path, struct cache_source *source, struct error *e);

/* Whether nobody wrote to the file between two looks; the checksums are not compared. */
bool cache_source_untouched(const struct cache_source *a, const struct cache_source *b);

/* Reads the whole file for its checksum. 0, or -1 with the error set. */
int cache_source_sum(const char *path, uint64_t *checksum, struct error *e);

/* 1: the file PATH, which is now as in NOW, has the content that it had in OLD; 0: it has not, or was written since,
 * by its size and time; -1 with the error set. A file that was copied or moved with its time is read, and so is one
 * that had changed just before OLD was taken. */
int cache_source_holds(const char *path, const struct cache_source *old,
                       const struct cache_source *now, struct error *e);

#endif
