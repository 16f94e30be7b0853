/* cache_file.c - the layout of a cache file. */
#include "io/cache/cache_file.h"

#include "io/cache/checksum.h"

static int64_t aligned(int64_t bytes) {
    return (bytes + CACHE_ALIGNMENT - 1) / CACHE_ALIGNMENT * CACHE_ALIGNMENT;
}

int64_t cache_offset(const struct cache_header *header, int array) {
    int64_t offset = aligned(sizeof *header);
    for (int i = 0; i < array; i++)
        offset += aligned(header->array_bytes[i]);
    return offset;
}

void cache_array_bytes(const struct cache_header *header, bool values, bool weights,
                       int64_t bytes[CACHE_ARRAYS]) {
    bool groups = header->groups > 0;
    bytes[CACHE_COLUMN] = header->nonzeros * (int64_t)sizeof(int32_t);
    bytes[CACHE_VALUE] = values ? header->nonzeros * (int64_t)sizeof(double) : 0;
    bytes[CACHE_START] = (header->rows + 1) * (int64_t)sizeof(int64_t);
    bytes[CACHE_LABEL] = header->rows * (int64_t)sizeof(double);
    bytes[CACHE_WEIGHT] = weights ? header->rows * (int64_t)sizeof(double) : 0;
    bytes[CACHE_GROUP_START] = groups ? (header->groups + 1) * (int64_t)sizeof(int64_t) : 0;
    bytes[CACHE_GROUP_ID] = groups ? header->groups * (int64_t)sizeof(int64_t) : 0;
}

uint64_t cache_header_checksum(const struct cache_header *header) {
    struct checksum sum = {0};
    checksum_add(&sum, header, offsetof(struct cache_header, header));
    return checksum_end(&sum);
}
