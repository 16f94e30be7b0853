/* svmlight_stream.h - reads a source block by block and appends its rows to growing arrays. */
#ifndef RRM_SVMLIGHT_STREAM_H
#define RRM_SVMLIGHT_STREAM_H

#include "io/groups.h"
#include "io/lines.h"
#include "io/source.h"
#include "io/svmlight/svmlight_row.h"

#include <stdint.h>

struct svmlight_stream {
    struct svmlight_rows rows;
    int64_t row_capacity;
    int64_t nonzero_capacity;
    struct group_check groups;
    int64_t rows_before; /* rows of the file that have left `rows`: of earlier blocks */
};

void svmlight_stream_init(struct svmlight_stream *stream, const char *file,
                          const struct svmlight_options *options, struct error *e);

/* Parses a block. SCALE >= 1: estimated ratio of all remaining text to this block, for which the arrays are
 * enlarged at once. */
int svmlight_stream_add(struct svmlight_stream *stream, const struct lines *text, double scale);

/* Sets the error that the next line is too long for TEXT. Returns -1. */
int svmlight_stream_refuse(const struct svmlight_stream *stream, const struct lines *text,
                           struct error *e);

void svmlight_stream_free(struct svmlight_stream *stream);

/* Loads all of a source, BLOCK bytes at a time. With two threads or more, one reads (and inflates)
 * while another parses. */
int svmlight_stream_load(struct source *source, const struct svmlight_options *options,
                         int64_t block, struct dataset *out, struct error *e);

#endif
