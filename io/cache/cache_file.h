/* cache_file.h - the layout of a cache file: the header, and where the arrays lie. */
#ifndef RRM_CACHE_FILE_H
#define RRM_CACHE_FILE_H

#include "io/cache/cache_source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_VERSION = 2, CACHE_BYTE_ORDER = 0x01020304, CACHE_ALIGNMENT = 64 };

/* In the order of the file: those come first whose size is known last. */
enum cache_array {
    CACHE_COLUMN,
    CACHE_VALUE,
    CACHE_START,
    CACHE_LABEL,
    CACHE_WEIGHT,
    CACHE_GROUP_START,
    CACHE_GROUP_ID,
    CACHE_ARRAYS
};

#define CACHE_MAGIC "librrm examples" /* and a 0: 16 bytes */

/* All integers as the machine has them; no padding. */
struct cache_header {
    char magic[16];
    uint32_t byte_order, version;
    struct cache_source source;
    int64_t zero_based, hash_bits, unlabeled;
    int64_t rows, nonzeros, features, groups;
    int64_t array_bytes[CACHE_ARRAYS]; /* 0: the dataset has no such array */
    uint64_t content;                  /* checksum of the arrays with the bytes between them */
    uint64_t header;                   /* checksum of the header up to here */
};

/* Where an array begins in the file; that of number CACHE_ARRAYS would be the file's end. */
int64_t cache_offset(const struct cache_header *header, int array);

/* The bytes that each array must have, by the sizes in the header. */
void cache_array_bytes(const struct cache_header *header, bool values, bool weights,
                       int64_t bytes[CACHE_ARRAYS]);

uint64_t cache_header_checksum(const struct cache_header *header);

#endif
