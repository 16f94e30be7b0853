/* cache.c - maps a cache file and checks it; see cache.h. */
#include "io/cache/cache.h"

#include "io/cache/cache_file.h"
#include "io/cache/checksum.h"
#include "io/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The whole file in memory, read-only; *bytes of it. NULL: there is none, or it cannot be mapped, with the reason if
 * the file is there. */
static const char *map_file(const char *cache, int64_t *bytes, char *reason) {
    struct stat status;
    int descriptor = open(cache, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is no cache */
    reason[0] = '\0';
    if (descriptor < 0)
        return NULL;
    void *map = MAP_FAILED;
    snprintf(reason, CACHE_REASON, "it is no cache");
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= (off_t)sizeof(struct cache_header)) {
        map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
        if (map == MAP_FAILED)
            snprintf(reason, CACHE_REASON, "it cannot be mapped: %s", strerror(errno));
    }
    *bytes = status.st_size;
    close(descriptor);
    return map != MAP_FAILED ? map : NULL;
}

int cache_check_replaceable(const char *cache, struct error *e) {
    char first[sizeof CACHE_MAGIC] = {0};
    struct stat status;
    if (stat(cache, &status) != 0)
        return 0;
    if (S_ISFIFO(status.st_mode))
        return error_file(e, cache, "a cache needs a regular file");
    int descriptor = S_ISREG(status.st_mode) ? open(cache, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0)
        return 0;
    ssize_t length = read(descriptor, first, sizeof first);
    close(descriptor);
    return length <= 0 || memcmp(first, CACHE_MAGIC, (size_t)length) == 0
               ? 0
               : error_file(e, cache,
                            "it is no cache and is not overwritten: remove it, or name another "
                            "file by --cache=FILE");
}

/* Whether the arrays fill a file of so many bytes. Sizes beyond the file would overflow in sums. */
static bool fits(const struct cache_header *header, int64_t bytes) {
    const int64_t size[] = {header->rows, header->nonzeros, header->groups};
    bool inside = true;
    for (int i = 0; i < 3; i++)
        inside &= size[i] >= 0 && size[i] <= bytes;
    for (int i = 0; i < CACHE_ARRAYS; i++)
        inside &= header->array_bytes[i] >= 0 && header->array_bytes[i] <= bytes;
    return inside && cache_offset(header, CACHE_ARRAYS) == bytes;
}

/* Why a file with this header is not to be used; NULL: as far as the header says, it is. */
static const char *header_fault(const struct cache_header *header, int64_t bytes,
                                const struct cache_source *source,
                                const struct svmlight_options *options) {
    if (memcmp(header->magic, CACHE_MAGIC, sizeof CACHE_MAGIC) != 0)
        return "it is no cache";
    if (header->byte_order != CACHE_BYTE_ORDER)
        return "it is of a machine with another byte order";
    if (header->version != CACHE_VERSION)
        return "it is of another version";
    if (header->header != cache_header_checksum(header))
        return "its checksum is wrong";
    if (memcmp(&header->source, source, sizeof *source) != 0)
        return "the data has changed";
    if (header->zero_based != options->zero_based || header->hash_bits != options->hash_bits ||
        header->unlabeled != options->unlabeled)
        return "it was made with other options";
    return fits(header, bytes) ? NULL : "it has been cut";
}

/* Whether START begins with 0, ascends, and ends with END. */
static bool ascends(const int64_t *start, int64_t count, int64_t end) {
    bool good = start[0] == 0 && start[count] == end;
    for (int64_t i = 0; i < count; i++)
        good &= start[i] <= start[i + 1];
    return good;
}

/* Whether no array leads outside of another one. The checksum finds damage; this is for files that another program
 * wrote. */
static bool is_sound(const struct cache_header *header, const struct dataset *data) {
    int64_t bytes[CACHE_ARRAYS];
    int32_t outside = 0, features = data->features;
    cache_array_bytes(header, header->array_bytes[2] > 0, header->array_bytes[4] > 0, bytes);
    if (data->rows < 1 || data->groups > data->rows || header->features < 0 ||
        header->features >= INT32_MAX || memcmp(bytes, header->array_bytes, sizeof bytes) != 0)
        return false;
    for (int64_t k = 0; k < data->nonzeros; k++)
        outside |= (data->column[k] < 0) | (data->column[k] >= features);
    return outside == 0 && ascends(data->start, data->rows, data->nonzeros) &&
           (data->groups == 0 || ascends(data->group_start, data->groups, data->rows));
}

/* The dataset whose arrays lie in the map. */
static struct dataset dataset_in(const char *map, const struct cache_header *header) {
    char *array[CACHE_ARRAYS];
    for (int i = 0; i < CACHE_ARRAYS; i++)
        array[i] = header->array_bytes[i] == 0 ? NULL : (char *)map + cache_offset(header, i);
    return (struct dataset){.rows = header->rows,
                            .nonzeros = header->nonzeros,
                            .features = (int32_t)header->features,
                            .start = (int64_t *)array[0],
                            .column = (int32_t *)array[1],
                            .value = (double *)array[2],
                            .label = (double *)array[3],
                            .weight = (double *)array[4],
                            .groups = header->groups,
                            .group_start = (int64_t *)array[5],
                            .group_id = (int64_t *)array[6]};
}

static bool content_is_whole(const char *map, const struct cache_header *header, int64_t bytes) {
    struct checksum sum = {0};
    int64_t begin = cache_offset(header, 0);
    checksum_add(&sum, map + begin, bytes - begin);
    return checksum_end(&sum) == header->content;
}

/* Weights may be changed or dropped (training/example_weights.h): they get memory of their own. */
static int own_weights(struct dataset *data, struct error *e) {
    if (data->weight == NULL)
        return 0;
    double *weight = memory_new(data->rows, sizeof *weight, "weights", e);
    if (weight == NULL)
        return -1;
    memcpy(weight, data->weight, (size_t)data->rows * sizeof *weight);
    data->weight = weight;
    return 0;
}

int cache_load(const char *cache, const char *path, const struct svmlight_options *options,
               struct dataset *out, char reason[CACHE_REASON], struct error *e) {
    struct cache_source source;
    int64_t bytes;
    *out = (struct dataset){0};
    if (cache_look(path, &source, e) != 0)
        return -1;
    const char *map = map_file(cache, &bytes, reason);
    if (map == NULL)
        return 0;
    const struct cache_header *header = (const struct cache_header *)map;
    const char *fault = header_fault(header, bytes, &source, options);
    struct dataset data = {0};
    if (fault == NULL)
        data = dataset_in(map, header);
    if (fault == NULL && (!content_is_whole(map, header, bytes) || !is_sound(header, &data)))
        fault = "its checksum is wrong";
    if (fault == NULL && own_weights(&data, e) == 0) {
        data.map = (void *)map;
        data.map_bytes = bytes;
        *out = data;
        return 1;
    }
    munmap((void *)map, (size_t)bytes);
    if (fault == NULL)
        return -1;
    snprintf(reason, CACHE_REASON, "%s", fault);
    return 0;
}
