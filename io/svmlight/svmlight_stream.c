/* svmlight_stream.c - loads a source in one pass; see svmlight_stream.h. */
#include "io/svmlight/svmlight_stream.h"

#include "io/svmlight/svmlight_arrays.h"
#include "io/workers.h"

#include <stdbool.h>

void svmlight_stream_init(struct svmlight_stream *stream, const char *file,
                          const struct svmlight_options *options, struct error *e) {
    *stream = (struct svmlight_stream){0};
    stream->rows.file = file;
    stream->rows.options = options;
    stream->rows.e = e;
    stream->rows.line = 1;
}

/* The new capacity of an array that needs ADDED more items: enough for all text to come, by the estimate SCALE, and
 * at least 1.5 times the old capacity, so that growing is rare. */
static int64_t grown(int64_t capacity, int64_t used, int64_t added, double scale) {
    int64_t needed = used + added;
    if (needed <= capacity)
        return capacity;
    int64_t expected = used + (int64_t)((double)added * scale);
    int64_t half_more = capacity + capacity / 2;
    int64_t larger = expected > half_more ? expected : half_more;
    return larger > needed ? larger : needed;
}

static int reserve(struct svmlight_stream *stream, const struct lines *text, double scale) {
    int64_t rows, nonzeros;
    svmlight_count(stream->rows.options, text->bytes, text->length, &rows, &nonzeros);
    int64_t row_capacity = grown(stream->row_capacity, stream->rows.row, rows, scale);
    int64_t nonzero_capacity =
        grown(stream->nonzero_capacity, stream->rows.nonzero, nonzeros, scale);
    if (stream->rows.start != NULL && row_capacity == stream->row_capacity &&
        nonzero_capacity == stream->nonzero_capacity)
        return 0;
    if (svmlight_arrays_resize(&stream->rows, row_capacity, nonzero_capacity, true) != 0)
        return -1;
    stream->row_capacity = row_capacity;
    stream->nonzero_capacity = nonzero_capacity;
    return 0;
}

/* Errors are reported in the order of the file: an error in the groups of the rows before a malformed line comes
 * before the parser's error, which waits in parse_error. */
int svmlight_stream_add(struct svmlight_stream *stream, const struct lines *text, double scale) {
    struct svmlight_rows *rows = &stream->rows;
    struct error *e = rows->e;
    if (reserve(stream, text, scale) != 0)
        return -1;
    int64_t first_row = stream->rows_before + rows->row;
    int64_t first_line = rows->line;
    struct error parse_error = {0};
    rows->group_row = rows->row;
    rows->group_line = rows->line;
    rows->runs.count = 0;
    rows->e = &parse_error;
    int status = svmlight_parse(rows, text->bytes, text->length);
    rows->e = e;
    if (group_check_add(&stream->groups, &rows->runs, first_row, first_line, rows->file, e) != 0)
        return -1;
    if (status != 0 && e != NULL && e->kind == ERROR_NONE)
        *e = parse_error;
    return status;
}

int svmlight_stream_refuse(const struct svmlight_stream *stream, const struct lines *text,
                           struct error *e) {
    const struct svmlight_rows *rows = &stream->rows;
    const char *option = rows->options->line_limit > 0 ? "--line-limit" : NULL;
    return lines_refuse(text, rows->file, rows->line, option, e);
}

void svmlight_stream_free(struct svmlight_stream *stream) {
    svmlight_arrays_free(&stream->rows);
    group_check_free(&stream->groups);
}

static int finish(struct svmlight_stream *stream, struct dataset *out) {
    struct error *e = stream->rows.e;
    if (svmlight_arrays_take(&stream->rows, out) != 0)
        return -1;
    if (group_check_finish(&stream->groups, out, e) != 0) {
        dataset_free(out);
        return -1;
    }
    return 0;
}

/* The ratio of all remaining text, this block included, to this block's, with 2 % to spare. */
static double scale_of(int64_t size, int64_t done, int64_t length) {
    if (size <= 0 || length == 0)
        return 1;
    return 1 + 1.02 * (double)(size > done ? size - done : 0) / (double)length;
}

/* Two blocks alternate: while one is parsed, the lines after it are read into the other. */
struct turn {
    struct svmlight_stream *stream;
    struct source *source;
    int64_t block;
    struct lines *text; /* of two */
    int now;
    double scale;
    int parsed;
    int more;
    struct error read_error;
};

static void parse(struct turn *turn) {
    turn->parsed = svmlight_stream_add(turn->stream, &turn->text[turn->now], turn->scale);
}

static void read_next(struct turn *turn) {
    struct lines *now = &turn->text[turn->now], *next = &turn->text[1 - turn->now];
    turn->more = lines_read(turn->source, turn->block, now, next, &turn->read_error);
}

static void work(struct workers *workers, void *context) {
    int64_t task;
    while ((task = workers_next(workers)) >= 0)
        (task == 0 ? parse : read_next)(context);
}

/* With one thread, reading waits for parsing to succeed, and needs one block only. */
static void take_turn(struct turn *turn) {
    struct lines *now = &turn->text[turn->now];
    if (turn->stream->rows.options->threads > 1) {
        workers_run(2, 2, work, turn);
        turn->now = 1 - turn->now;
        return;
    }
    parse(turn);
    if (turn->parsed == 0)
        turn->more = lines_read(turn->source, turn->block, now, now, &turn->read_error);
}

static int run(struct svmlight_stream *stream, struct source *source, int64_t block,
               struct lines text[2], struct error *e) {
    struct turn turn = {.stream = stream, .source = source, .block = block, .text = text};
    int64_t done = 0;
    turn.more = lines_read(source, block, &text[0], &text[0], &turn.read_error);
    while (turn.more == 1) {
        int64_t length = text[turn.now].length;
        done += length;
        turn.scale = scale_of(source_size(source), done, length);
        take_turn(&turn);
        if (turn.parsed != 0)
            return -1;
    }
    if (turn.more == LINES_TOO_LONG)
        return svmlight_stream_refuse(stream, &text[0], e);
    if (turn.more < 0 && e != NULL)
        *e = turn.read_error;
    return turn.more;
}

int svmlight_stream_load(struct source *source, const struct svmlight_options *options,
                         int64_t block, struct dataset *out, struct error *e) {
    struct svmlight_stream stream;
    struct lines text[2] = {{.limit = options->line_limit}, {.limit = options->line_limit}};
    svmlight_stream_init(&stream, source_name(source), options, e);
    int status = run(&stream, source, block, text, e);
    if (status == 0)
        status = finish(&stream, out);
    svmlight_stream_free(&stream);
    lines_free(&text[0]);
    lines_free(&text[1]);
    return status;
}
