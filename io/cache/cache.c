/* cache.c - maps a cache file and checks it; see cache.h. */
#include "io/cache/cache.h"

#include "io/cache/cache_file.h"
#include "io/cache/cache_window.h"
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

enum { PIECE_BYTES = 4 << 20 }; /* a multiple of what checksum_add takes */

/* The whole file in memory, read-only; *bytes of it. NULL: it is no cache, or the error is set. */
static const char *map_file(int descriptor, const char *cache, int64_t *bytes, struct error *e) {
    struct stat status;
    void *map = MAP_FAILED;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= (off_t)sizeof(struct cache_header)) {
        map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
        if (map == MAP_FAILED)
            error_file(e, cache, "%.6g MB cannot be mapped: %s%s", 1e-6 * (double)status.st_size,
                       strerror(errno), errno == ENOMEM ? "; raise ulimit -v" : "");
    }
    *bytes = status.st_size;
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
                                const struct svmlight_options *options) {
    if (memcmp(header->magic, CACHE_MAGIC, sizeof CACHE_MAGIC) != 0)
        return "it is no cache";
    if (header->byte_order != CACHE_BYTE_ORDER)
        return "it is of a machine with another byte order";
    if (header->version != CACHE_VERSION)
        return "it is of another version";
    if (header->header != cache_header_checksum(header))
        return "its checksum is wrong";
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

/* Whether the sizes of the arrays are those of such a dataset. */
static bool sizes_fit(const struct cache_header *header) {
    int64_t bytes[CACHE_ARRAYS];
    cache_array_bytes(header, header->array_bytes[CACHE_VALUE] > 0,
                      header->array_bytes[CACHE_WEIGHT] > 0, bytes);
    return header->rows >= 1 && header->groups <= header->rows && header->features >= 0 &&
           header->features < INT32_MAX && memcmp(bytes, header->array_bytes, sizeof bytes) == 0;
}

/* Whether the columns FROM <= k <= TO are those of features, and ascend in each row: they fall as often as they do from
 * a row to the next one. *row: the first row that begins behind FROM, then behind TO. */
static bool columns_are_sound(const struct dataset *data, int64_t from, int64_t to, int64_t *row) {
    const int32_t *column = data->column, features = data->features;
    int32_t outside = (column[to] < 0) | (column[to] >= features), falls = 0;
    int64_t between = 0, begin = from;
    for (int64_t k = from; k < to; k++) {
        outside |= (column[k] < 0) | (column[k] >= features);
        falls += column[k] >= column[k + 1];
    }
    for (; *row < data->rows && data->start[*row] <= to; ++*row) {
        if (data->start[*row] > begin)
            between += column[data->start[*row] - 1] >= column[data->start[*row]];
        begin = data->start[*row];
    }
    return outside == 0 && falls == between;
}

/* Whether the bytes between the header and the arrays are 0. */
static bool space_is_empty(const char *map, const struct cache_header *header) {
    char any = 0;
    for (int64_t i = sizeof *header; i < cache_offset(header, CACHE_COLUMN); i++)
        any |= map[i];
    return any == 0;
}

/* Whether no row and no group leads outside. */
static bool starts_are_sound(const struct dataset *data) {
    return ascends(data->start, data->rows, data->nonzeros) &&
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
                            .start = (int64_t *)array[CACHE_START],
                            .column = (int32_t *)array[CACHE_COLUMN],
                            .value = (double *)array[CACHE_VALUE],
                            .label = (double *)array[CACHE_LABEL],
                            .weight = (double *)array[CACHE_WEIGHT],
                            .groups = header->groups,
                            .group_start = (int64_t *)array[CACHE_GROUP_START],
                            .group_id = (int64_t *)array[CACHE_GROUP_ID]};
}

/* Whether the content is what was written, and the columns are sound: the checksum finds damage, the columns are for
 * files that another program wrote. The starts of DATA are sound. One reading, which leaves no more than a piece in
 * memory if DROPS. */
static bool content_is_sound(const char *map, const struct cache_header *header,
                             const struct dataset *data, int64_t bytes, bool drops) {
    const int64_t piece = PIECE_BYTES / (int64_t)sizeof *data->column, last = data->nonzeros - 1;
    struct checksum sum = {0};
    int64_t begin = cache_offset(header, CACHE_COLUMN), row = 0;
    bool sound = true;
    for (int64_t from = begin, k = 0; from < bytes && sound; from += PIECE_BYTES, k += piece) {
        int64_t length = bytes - from < PIECE_BYTES ? bytes - from : PIECE_BYTES;
        int64_t next = k + piece < last ? k + piece : last;
        checksum_add(&sum, map + from, length);
        if (k <= last)
            sound = columns_are_sound(data, k, next, &row);
        if (drops)
            cache_window_drop(map + from, length);
    }
    return sound && checksum_end(&sum) == header->content;
}

/* Weights may be changed or dropped (training/request/example_weights.h): they get memory of their own. */
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

/* Why the mapped file is not to be used; NULL: it is, or the error is set. */
static const char *fault_of(const char *map, int64_t bytes, const char *path,
                            const struct svmlight_options *options, bool drops, struct error *e) {
    const struct cache_header *header = (const struct cache_header *)map;
    const char *fault = header_fault(header, bytes, options);
    struct cache_source now;
    if (fault != NULL)
        return fault;
    if (cache_look(path, &now, e) != 0)
        return NULL;
    int holds = cache_source_holds(path, &header->source, &now, e);
    if (holds != 1)
        return holds == 0 ? "the data has changed" : NULL;
    struct dataset data = dataset_in(map, header);
    return sizes_fit(header) && space_is_empty(map, header) && starts_are_sound(&data) &&
                   content_is_sound(map, header, &data, bytes, drops)
               ? NULL
               : "its checksum is wrong";
}

/* As cache_load, of the file that is open. */
static int load(int descriptor, const char *cache, const char *path,
                const struct svmlight_options *options, double memory, struct dataset *out,
                char reason[CACHE_REASON], struct error *e) {
    struct error wrong = {0};
    int64_t bytes;
    snprintf(reason, CACHE_REASON, "it is no cache");
    const char *map = map_file(descriptor, cache, &bytes, &wrong);
    if (map == NULL)
        return wrong.kind == ERROR_NONE ? 0 : error_pass(e, &wrong);
    bool window = (double)bytes > memory;
    const char *fault = fault_of(map, bytes, path, options, window, &wrong);
    if (fault == NULL && wrong.kind == ERROR_NONE) {
        struct dataset data = dataset_in(map, (const struct cache_header *)map);
        if (own_weights(&data, &wrong) == 0) {
            data.map = (void *)map;
            data.map_bytes = bytes;
            *out = data;
            if (!window || cache_window(out, descriptor, memory, &wrong) == 0)
                return 1;
            dataset_free(out);
            return error_pass(e, &wrong);
        }
    }
    munmap((void *)map, (size_t)bytes);
    if (fault == NULL)
        return error_pass(e, &wrong);
    snprintf(reason, CACHE_REASON, "%s", fault);
    return 0;
}

int cache_load(const char *cache, const char *path, const struct svmlight_options *options,
               double memory, struct dataset *out, char reason[CACHE_REASON], struct error *e) {
    struct cache_source source;
    *out = (struct dataset){0};
    reason[0] = '\0';
    if (cache_look(path, &source, e) != 0)
        return -1;
    int descriptor = open(cache, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is no cache */
    if (descriptor < 0)
        return 0;
    int loaded = load(descriptor, cache, path, options, memory, out, reason, e);
    close(descriptor);
    return loaded;
}
