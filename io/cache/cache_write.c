/* cache_write.c - writes a cache file in the order in which its rows come.
 *
 * The columns go to the file at once, the values to a file without a name that is appended to them, and what a row has
 * besides stays in memory: so the rows need not be in memory together. */
#include "io/cache/cache.h"
#include "io/cache/cache_file.h"
#include "io/cache/checksum.h"
#include "io/memory.h"
#include "io/output.h"
#include "io/svmlight/svmlight.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SINK_BYTES = 1 << 16, ONES = 512 };

/* Bytes of the file, with their checksum. */
struct sink {
    FILE *stream; /* errors stay in it */
    struct checksum sum;
    int64_t filled;
    char bytes[SINK_BYTES];
};

struct writer {
    const char *cache;
    struct output *output;
    struct sink sink;
    FILE *values;
    bool has_values, has_weights; /* which are not 1 */
    struct dataset all;           /* without columns and values */
    int64_t start_capacity, label_capacity, weight_capacity, group_capacity, id_capacity;
};

/* ---- bytes */

static void sink_flush(struct sink *sink) {
    checksum_add(&sink->sum, sink->bytes, sink->filled);
    fwrite(sink->bytes, 1, (size_t)sink->filled, sink->stream);
    sink->filled = 0;
}

static void sink_put(struct sink *sink, const void *bytes, int64_t length) {
    const char *next = bytes;
    while (length > 0) {
        int64_t space = SINK_BYTES - sink->filled, piece = length < space ? length : space;
        memcpy(sink->bytes + sink->filled, next, (size_t)piece);
        sink->filled += piece;
        next += piece;
        length -= piece;
        if (sink->filled == SINK_BYTES)
            sink_flush(sink);
    }
}

/* Fills with zeros up to a multiple of CACHE_ALIGNMENT. */
static void sink_align(struct sink *sink) {
    static const char zeros[CACHE_ALIGNMENT] = {0};
    sink_put(sink, zeros, (CACHE_ALIGNMENT - sink->filled % CACHE_ALIGNMENT) % CACHE_ALIGNMENT);
}

static void sink_array(struct sink *sink, const void *bytes, int64_t length) {
    if (length > 0)
        sink_put(sink, bytes, length);
    sink_align(sink);
}

/* ---- rows */

static int grow_rows(struct writer *writer, int64_t rows, struct error *e) {
    struct dataset *all = &writer->all;
    return memory_reserve((void **)&all->start, &writer->start_capacity, rows + 1,
                          sizeof *all->start, "row starts", e) != 0 ||
                   memory_reserve((void **)&all->label, &writer->label_capacity, rows,
                                  sizeof *all->label, "labels", e) != 0 ||
                   memory_reserve((void **)&all->weight, &writer->weight_capacity, rows,
                                  sizeof *all->weight, "weights", e) != 0
               ? -1
               : 0;
}

static int grow_groups(struct writer *writer, int64_t groups, struct error *e) {
    struct dataset *all = &writer->all;
    return memory_reserve((void **)&all->group_start, &writer->group_capacity, groups + 1,
                          sizeof *all->group_start, "groups", e) != 0 ||
                   memory_reserve((void **)&all->group_id, &writer->id_capacity, groups,
                                  sizeof *all->group_id, "group names", e) != 0
               ? -1
               : 0;
}

/* A group that is larger than a block goes on in the next one. */
static int add_groups(struct writer *writer, const struct dataset *block, struct error *e) {
    struct dataset *all = &writer->all;
    if (block->groups == 0)
        return 0;
    if (grow_groups(writer, all->groups + block->groups, e) != 0)
        return -1;
    for (int64_t g = 0; g < block->groups; g++) {
        bool goes_on =
            g == 0 && all->groups > 0 && all->group_id[all->groups - 1] == block->group_id[0];
        if (goes_on)
            continue;
        all->group_start[all->groups] = all->rows + block->group_start[g];
        all->group_id[all->groups++] = block->group_id[g];
    }
    all->group_start[all->groups] = all->rows + block->rows;
    return 0;
}

static void write_ones(FILE *stream, int64_t count) {
    double ones[ONES];
    for (int k = 0; k < ONES; k++)
        ones[k] = 1;
    for (; count > 0; count -= ONES)
        fwrite(ones, sizeof *ones, (size_t)(count < ONES ? count : ONES), stream);
}

/* The first values bring those before them, which are 1. */
static void add_values(struct writer *writer, const struct dataset *block) {
    if (block->value != NULL && !writer->has_values)
        write_ones(writer->values, writer->all.nonzeros);
    writer->has_values = writer->has_values || block->value != NULL;
    if (block->value != NULL)
        fwrite(block->value, sizeof *block->value, (size_t)block->nonzeros, writer->values);
    else if (writer->has_values)
        write_ones(writer->values, block->nonzeros);
}

static int add_block(struct writer *writer, const struct dataset *block, struct error *e) {
    struct dataset *all = &writer->all;
    if (grow_rows(writer, all->rows + block->rows, e) != 0 || add_groups(writer, block, e) != 0)
        return -1;
    if (block->nonzeros > 0)
        sink_put(&writer->sink, block->column, block->nonzeros * (int64_t)sizeof *block->column);
    add_values(writer, block);
    for (int64_t i = 0; i < block->rows; i++) {
        all->start[all->rows + i] = all->nonzeros + block->start[i];
        all->label[all->rows + i] = block->label[i];
        all->weight[all->rows + i] = block->weight == NULL ? 1 : block->weight[i];
    }
    writer->has_weights = writer->has_weights || block->weight != NULL;
    all->rows += block->rows;
    all->nonzeros += block->nonzeros;
    all->start[all->rows] = all->nonzeros;
    all->features = block->features > all->features ? block->features : all->features;
    return output_check(writer->output, e);
}

/* ---- the file */

static int writer_open(struct writer *writer, const char *cache, struct error *e) {
    static const struct cache_header none = {0};
    char space[CACHE_ALIGNMENT] = {0};
    writer->cache = cache;
    writer->output = output_open_plain(cache, e);
    writer->values = writer->output == NULL ? NULL : output_scratch(cache, e);
    if (writer->values == NULL)
        return -1;
    writer->sink.stream = output_stream(writer->output);
    fwrite(&none, 1, sizeof none, writer->sink.stream);
    fwrite(space, 1, (size_t)cache_offset(&none, 0) - sizeof none, writer->sink.stream);
    return 0;
}

static void writer_free(struct writer *writer) {
    output_abandon(writer->output);
    if (writer->values != NULL)
        fclose(writer->values);
    dataset_free(&writer->all);
    free(writer);
}

/* Appends the values from their own file. */
static int copy_values(struct writer *writer, struct error *e) {
    char block[8192];
    size_t got;
    rewind(writer->values);
    while ((got = fread(block, 1, sizeof block, writer->values)) > 0)
        sink_put(&writer->sink, block, (int64_t)got);
    if (ferror(writer->values))
        return error_file(e, writer->cache, "%s", strerror(errno));
    sink_align(&writer->sink);
    return 0;
}

static struct cache_header header_of(const struct writer *writer, const struct cache_source *source,
                                     const struct svmlight_options *options) {
    struct cache_header header = {.byte_order = CACHE_BYTE_ORDER,
                                  .version = CACHE_VERSION,
                                  .source = *source,
                                  .zero_based = options->zero_based,
                                  .hash_bits = options->hash_bits,
                                  .unlabeled = options->unlabeled,
                                  .rows = writer->all.rows,
                                  .nonzeros = writer->all.nonzeros,
                                  .features = writer->all.features,
                                  .groups = writer->all.groups};
    memcpy(header.magic, CACHE_MAGIC, sizeof CACHE_MAGIC);
    cache_array_bytes(&header, writer->has_values, writer->has_weights, header.array_bytes);
    return header;
}

/* What comes behind the columns, and then the header, now that it is known. */
static int writer_finish(struct writer *writer, const struct cache_source *source,
                         const struct svmlight_options *options, struct error *e) {
    const struct dataset *all = &writer->all;
    struct cache_header header = header_of(writer, source, options);
    const int64_t *bytes = header.array_bytes;
    sink_align(&writer->sink);
    if (fflush(writer->values) != 0 || ferror(writer->values))
        return error_file(e, writer->cache, "%s", strerror(errno));
    if (copy_values(writer, e) != 0)
        return -1;
    sink_array(&writer->sink, all->start, bytes[CACHE_START]);
    sink_array(&writer->sink, all->label, bytes[CACHE_LABEL]);
    sink_array(&writer->sink, all->weight, bytes[CACHE_WEIGHT]);
    sink_array(&writer->sink, all->group_start, bytes[CACHE_GROUP_START]);
    sink_array(&writer->sink, all->group_id, bytes[CACHE_GROUP_ID]);
    sink_flush(&writer->sink);
    header.content = checksum_end(&writer->sink.sum);
    header.header = cache_header_checksum(&header);
    if (output_check(writer->output, e) != 0 ||
        output_rewrite(writer->output, 0, &header, sizeof header, e) != 0)
        return -1;
    struct output *output = writer->output;
    writer->output = NULL;
    return output_commit(output, e);
}

/* Sees to it that the text is that of BEFORE still, and says so in *source. */
static int confirm(const char *path, const struct cache_source *before, struct cache_source *source,
                   struct error *e) {
    uint64_t checksum;
    if (cache_source_sum(path, &checksum, e) != 0 || cache_look(path, source, e) != 0)
        return -1;
    source->checksum = checksum;
    source->long_ago = before->long_ago;
    return cache_source_untouched(before, source)
               ? 0
               : error_file(e, path, "the file changed while it was read");
}

/* Adds the blocks of the text. */
static int add_text(struct writer *writer, const char *path, const struct svmlight_options *options,
                    struct error *e) {
    struct dataset block = {0};
    struct svmlight_reader *reader = svmlight_open(path, options, e);
    int more = reader == NULL ? -1 : 1;
    while (more == 1) {
        more = svmlight_read(reader, &block, e);
        if (more == 1 && add_block(writer, &block, e) != 0)
            more = -1;
    }
    dataset_free(&block);
    svmlight_close(reader);
    return more;
}

int cache_write(const char *cache, const char *path, const struct cache_source *before,
                const struct svmlight_options *options, const struct dataset *data,
                struct error *e) {
    struct cache_source source;
    struct writer *writer = memory_zeroed(1, sizeof *writer, "a cache", e);
    if (writer == NULL)
        return -1;
    int status = writer_open(writer, cache, e);
    if (status == 0)
        status = data != NULL ? add_block(writer, data, e) : add_text(writer, path, options, e);
    if (status == 0)
        status = confirm(path, before, &source, e);
    if (status == 0)
        status = writer_finish(writer, &source, options, e);
    writer_free(writer);
    return status;
}
