/* cache_write.c - writes a cache file. */
#include "io/cache/cache.h"
#include "io/cache/cache_file.h"
#include "io/cache/checksum.h"
#include "io/output.h"

#include <string.h>

static struct cache_header header_of(const struct cache_source *source,
                                     const struct svmlight_options *options,
                                     const struct dataset *data) {
    struct cache_header header = {.byte_order = CACHE_BYTE_ORDER,
                                  .version = CACHE_VERSION,
                                  .source = *source,
                                  .zero_based = options->zero_based,
                                  .hash_bits = options->hash_bits,
                                  .unlabeled = options->unlabeled,
                                  .rows = data->rows,
                                  .nonzeros = data->nonzeros,
                                  .features = data->features,
                                  .groups = data->groups};
    memcpy(header.magic, CACHE_MAGIC, sizeof CACHE_MAGIC);
    cache_array_bytes(&header, data->value != NULL, data->weight != NULL, header.array_bytes);
    return header;
}

/* Calls WRITE with the content in pieces, each but the last a multiple of CACHE_ALIGNMENT. */
static void each_piece(const struct cache_header *header, const struct dataset *data,
                       void (*write)(void *to, const void *bytes, int64_t length), void *to) {
    const void *array[CACHE_ARRAYS] = {data->start,  data->column,      data->value,   data->label,
                                       data->weight, data->group_start, data->group_id};
    for (int i = 0; i < CACHE_ARRAYS; i++) {
        char last[CACHE_ALIGNMENT] = {0};
        int64_t whole = header->array_bytes[i] / CACHE_ALIGNMENT * CACHE_ALIGNMENT;
        int64_t rest = header->array_bytes[i] - whole;
        if (whole > 0)
            write(to, array[i], whole);
        if (rest > 0) {
            memcpy(last, (const char *)array[i] + whole, (size_t)rest);
            write(to, last, sizeof last);
        }
    }
}

static void add_to_checksum(void *to, const void *bytes, int64_t length) {
    checksum_add(to, bytes, length);
}

static void write_to_stream(void *to, const void *bytes, int64_t length) {
    fwrite(bytes, 1, (size_t)length, to); /* output_commit looks for errors */
}

static bool same_source(const struct cache_source *a, const struct cache_source *b) {
    return a->bytes == b->bytes && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

int cache_write(const char *cache, const char *path, const struct cache_source *source,
                const struct svmlight_options *options, const struct dataset *data,
                struct error *e) {
    struct cache_header header = header_of(source, options, data);
    struct cache_source now;
    struct checksum sum = {0};
    char space[CACHE_ALIGNMENT] = {0};
    if (cache_look(path, &now, e) != 0)
        return -1;
    if (!same_source(source, &now))
        return error_file(e, path, "the file changed while it was read");
    struct output *output = output_open(cache, e);
    if (output == NULL)
        return -1;
    each_piece(&header, data, add_to_checksum, &sum);
    header.content = checksum_end(&sum);
    header.header = cache_header_checksum(&header);
    FILE *stream = output_stream(output);
    fwrite(&header, 1, sizeof header, stream);
    fwrite(space, 1, (size_t)cache_offset(&header, 0) - sizeof header, stream);
    each_piece(&header, data, write_to_stream, stream);
    return output_commit(output, e);
}
