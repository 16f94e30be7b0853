/* svmlight.c - the block reader: reads a file that need not fit in memory.
 *
 * Between two calls the caller owns the arrays of the block; the next call takes them back and parses into them.
 * If a block ends inside a group, the rows of that group are kept for the next block. */
#include "io/svmlight/svmlight.h"

#include "io/dataset_select.h"
#include "io/feature_hash.h"
#include "io/lines.h"
#include "io/memory.h"
#include "io/source.h"
#include "io/svmlight/svmlight_arrays.h"
#include "io/svmlight/svmlight_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

struct svmlight_reader {
    struct source *source;
    struct svmlight_options options;
    struct lines text;
    struct svmlight_stream stream;
    struct dataset held; /* rows kept for the next block */
    const int32_t
        *lent_columns; /* `column` of the last block: tells whether the caller returns it */
    int64_t group;     /* index of the first group that may have rows in the block */
    int64_t bytes;     /* of the lines so far */
};

struct svmlight_reader *svmlight_open(const char *path, const struct svmlight_options *options,
                                      struct error *e) {
    struct svmlight_reader *reader = memory_zeroed(1, sizeof *reader, "a reader", e);
    if (reader == NULL)
        return NULL;
    reader->options = *options;
    reader->text.limit = options->line_limit;
    reader->source = source_open_live(path, options->stop, e);
    if (reader->source == NULL) {
        free(reader);
        return NULL;
    }
    svmlight_stream_init(&reader->stream, source_name(reader->source), &reader->options, NULL);
    return reader;
}

/* Replaces an array of the reader, if any, by one of the block. */
static void replace_array(void *ours, void *theirs) {
    void **array = ours;
    if (theirs != NULL) {
        free(*array);
        *array = theirs;
    }
}

/* Takes the arrays of the block back. Values and weights stayed with the reader if all were 1. The capacity of
 * another block is unknown: then the arrays are allocated anew. */
static void take_arrays_back(struct svmlight_reader *reader, struct dataset *block) {
    struct svmlight_rows *rows = &reader->stream.rows;
    if (rows->column == NULL && (block->column == NULL || block->column != reader->lent_columns)) {
        reader->stream.row_capacity = 0;
        reader->stream.nonzero_capacity = 0;
    }
    replace_array(&rows->start, block->start);
    replace_array(&rows->column, block->column);
    replace_array(&rows->value, block->value);
    replace_array(&rows->label, block->label);
    replace_array(&rows->weight, block->weight);
    free(block->group_start);
    free(block->group_id);
    *block = (struct dataset){0};
    rows->row = rows->nonzero = 0;
    rows->has_values = rows->has_weights = false;
}

/* Copies the kept rows to the front of the arrays. */
static int restore_held(struct svmlight_reader *reader) {
    struct svmlight_stream *stream = &reader->stream;
    struct svmlight_rows *rows = &stream->rows;
    const struct dataset *held = &reader->held;
    if (held->rows == 0)
        return 0;
    if (stream->row_capacity < held->rows || stream->nonzero_capacity < held->nonzeros) {
        if (svmlight_arrays_resize(rows, held->rows, held->nonzeros, true) != 0)
            return -1;
        stream->row_capacity = held->rows;
        stream->nonzero_capacity = held->nonzeros;
    }
    rows->row = held->rows;
    rows->nonzero = held->nonzeros;
    rows->has_values = held->value != NULL;
    rows->has_weights = held->weight != NULL;
    memcpy(rows->start, held->start, (size_t)held->rows * sizeof *held->start);
    memcpy(rows->label, held->label, (size_t)held->rows * sizeof *held->label);
    memcpy(rows->column, held->column, (size_t)held->nonzeros * sizeof *held->column);
    if (rows->has_values)
        memcpy(rows->value, held->value, (size_t)held->nonzeros * sizeof *held->value);
    if (rows->has_weights)
        memcpy(rows->weight, held->weight, (size_t)held->rows * sizeof *held->weight);
    dataset_free(&reader->held);
    return 0;
}

/* Lends the arrays to the block. */
static void give_arrays(struct svmlight_reader *reader, struct dataset *block) {
    struct svmlight_rows *rows = &reader->stream.rows;
    rows->start[rows->row] = rows->nonzero;
    *block = (struct dataset){.rows = rows->row,
                              .nonzeros = rows->nonzero,
                              .start = rows->start,
                              .column = rows->column,
                              .label = rows->label};
    rows->start = NULL;
    rows->column = NULL;
    rows->label = NULL;
    if (rows->has_values) {
        block->value = rows->value;
        rows->value = NULL;
    }
    if (rows->has_weights) {
        block->weight = rows->weight;
        rows->weight = NULL;
    }
    reader->lent_columns = block->column;
}

/* The groups of the block, in rows of the block. The first may have begun before it. */
static int give_groups(struct svmlight_reader *reader, struct dataset *block, struct error *e) {
    const struct group_check *groups = &reader->stream.groups;
    int64_t before = reader->stream.rows_before;
    while (reader->group + 1 < groups->count && groups->start[reader->group + 1] <= before)
        reader->group++;
    int64_t count = groups->count - reader->group;
    if (count == 0)
        return 0;
    block->group_start = memory_new(count + 1, sizeof *block->group_start, "groups", e);
    block->group_id = memory_new(count, sizeof *block->group_id, "group names", e);
    if (block->group_start == NULL || block->group_id == NULL)
        return -1;
    for (int64_t i = 0; i < count; i++) {
        int64_t start = groups->start[reader->group + i] - before;
        block->group_start[i] = start > 0 ? start : 0;
        block->group_id[i] = groups->id[reader->group + i];
    }
    block->group_start[count] = block->rows;
    block->groups = count;
    return 0;
}

/* Keeps the last group for the next block, as it may continue there, unless it is the only one. */
static int hold_back(struct svmlight_reader *reader, struct dataset *block, struct error *e) {
    if (block->groups < 2)
        return 0;
    int64_t keep = block->group_start[block->groups - 1];
    int64_t count = block->rows - keep;
    int64_t *rows = memory_new(count, sizeof *rows, "row numbers", e);
    if (rows == NULL)
        return -1;
    for (int64_t i = 0; i < count; i++)
        rows[i] = keep + i;
    int status = dataset_select(block, rows, count, &reader->held, e);
    free(rows);
    block->rows = keep;
    block->nonzeros = block->start[keep];
    block->groups--;
    return status;
}

/* The largest column + 1: the columns of a row ascend, so its last one is the largest. */
static int32_t count_features(const struct dataset *block) {
    int32_t features = 0;
    for (int64_t i = 0; i < block->rows; i++) {
        int64_t end = block->start[i + 1];
        if (end > block->start[i] && block->column[end - 1] >= features)
            features = block->column[end - 1] + 1;
    }
    return features;
}

static int finish_block(struct svmlight_reader *reader, struct dataset *block, bool at_end,
                        struct error *e) {
    give_arrays(reader, block);
    if (give_groups(reader, block, e) != 0 || (!at_end && hold_back(reader, block, e) != 0))
        return -1;
    block->features = reader->options.hash_bits > 0
                          ? feature_hash_columns(reader->options.hash_bits)
                          : count_features(block);
    reader->stream.rows_before += block->rows;
    return 1;
}

int svmlight_read(struct svmlight_reader *reader, struct dataset *block, struct error *e) {
    struct svmlight_stream *stream = &reader->stream;
    struct svmlight_rows *rows = &stream->rows;
    rows->e = e;
    take_arrays_back(reader, block);
    int64_t held = reader->held.rows;
    int more = restore_held(reader);
    if (more == 0)
        more = 1;
    while (more == 1 && rows->row == held) {
        more = lines_read(reader->source, BLOCK_BYTES, &reader->text, &reader->text, e);
        reader->bytes += more == 1 ? reader->text.length : 0;
        if (more == LINES_TOO_LONG)
            svmlight_stream_refuse(stream, &reader->text, e);
        if (more == 1 && svmlight_stream_add(stream, &reader->text, 1) != 0)
            more = -1;
    }
    if (more < 0)
        return -1;
    if (rows->row == 0)
        return stream->rows_before > 0 || source_stopped(reader->source)
                   ? 0
                   : error_file(e, rows->file, "no rows in this file");
    return finish_block(reader, block, more == 0, e);
}

double svmlight_share_read(const struct svmlight_reader *reader) {
    int64_t size = source_size(reader->source);
    return size > 0 ? fmin((double)reader->bytes / (double)size, 1) : NAN;
}

void svmlight_close(struct svmlight_reader *reader) {
    if (reader == NULL)
        return;
    svmlight_stream_free(&reader->stream);
    lines_free(&reader->text);
    dataset_free(&reader->held);
    source_close(reader->source);
    free(reader);
}

bool svmlight_begins_feature(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return (digits > 0 && text[digits] == ':') || strncmp(text, "qid:", 4) == 0;
}
