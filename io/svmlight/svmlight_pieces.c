/* svmlight_pieces.c - loading a plain file with several threads.
 *
 * Pass 1 counts newlines and colons (svmlight_count) in every block. A piece is the lines that begin in a block. The
 * counts give its first line number and upper bounds of its rows and nonzeros; so the arrays are allocated once,
 * with a range for each piece. Pass 2 parses each piece into its range. If a piece has fewer rows or nonzeros than
 * the bounds (comments, blank lines, qid), the gap behind it is closed at the end. The file is read, not mapped:
 * mapped pages count as memory. */
#include "io/svmlight/svmlight_pieces.h"

#include "io/groups.h"
#include "io/lines.h"
#include "io/memory.h"
#include "io/svmlight/svmlight_arrays.h"
#include "io/svmlight/svmlight_row.h"
#include "io/svmlight/svmlight_stream.h"
#include "io/workers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct piece {
    int64_t offset; /* of its first line in the file */
    int64_t length;
    int64_t newlines; /* upper bounds of its rows and nonzeros */
    int64_t marks;
    int64_t newlines_before; /* pass 1: those of the block up to its first newline */
    int64_t marks_before;
    bool comments;             /* it has a "#" */
    struct svmlight_rows rows; /* the result of pass 2 */
};

struct job {
    struct source *source;
    const struct svmlight_options *options;
    int64_t block;
    int64_t count;
    struct piece *piece;
    bool comments;
    struct svmlight_rows all; /* the arrays */
    bool nul;                 /* a block without a newline has a NUL byte: pass 1 ends */
    int64_t failed;           /* the first piece with an error; `count`: none */
    struct error error;       /* its error */
    pthread_mutex_t lock;     /* of `failed` and `error` */
};

/* Threads take the pieces in order, so all pieces before a failed one are processed, and the error kept is the first
 * in the file. */
static void keep_first_error(struct job *job, int64_t i, const struct error *error) {
    pthread_mutex_lock(&job->lock);
    if (i < job->failed) {
        __atomic_store_n(&job->failed, i, __ATOMIC_RELAXED);
        job->error = *error;
    }
    pthread_mutex_unlock(&job->lock);
}

static bool is_needed(struct job *job, int64_t i) {
    return !__atomic_load_n(&job->nul, __ATOMIC_RELAXED) &&
           i < __atomic_load_n(&job->failed, __ATOMIC_RELAXED);
}

/* Pass 1 for block I. `offset` becomes the first line that begins in the block (-1: none). */
static int count_block(struct job *job, int64_t i, struct lines *text, struct error *e) {
    struct piece *piece = &job->piece[i];
    int64_t begin = i * job->block;
    int64_t size = source_size(job->source);
    int64_t length = size - begin < job->block ? size - begin : job->block;
    if (lines_reserve(text, length, e) != 0 ||
        source_read_at(job->source, text->bytes, length, begin, e) != 0)
        return -1;
    const char *newline = memchr(text->bytes, '\n', (size_t)length);
    if (newline == NULL && memchr(text->bytes, '\0', (size_t)length) != NULL)
        __atomic_store_n(&job->nul, true, __ATOMIC_RELAXED);
    int64_t head = newline == NULL ? length : newline + 1 - text->bytes;
    if (i == 0)
        head = 0;
    piece->comments = memchr(text->bytes, '#', (size_t)length) != NULL;
    piece->offset = newline == NULL && i > 0 ? -1 : begin + head;
    svmlight_count(job->options, text->bytes, head, &piece->newlines_before, &piece->marks_before);
    svmlight_count(job->options, text->bytes + head, length - head, &piece->newlines,
                   &piece->marks);
    return 0;
}

/* Pass 2 for piece I. It counts again, as the file may have changed: a piece must not exceed its range. */
static int parse_piece(struct job *job, int64_t i, struct lines *text, struct error *e) {
    struct piece *piece = &job->piece[i];
    int64_t length = piece->length;
    if (lines_reserve(text, length + 1, e) != 0 ||
        source_read_at(job->source, text->bytes, length, piece->offset, e) != 0)
        return -1;
    if (text->bytes[length - 1] != '\n')
        text->bytes[length++] = '\n';
    memset(text->bytes + length, 0, LINES_PADDING);
    int64_t newlines, marks;
    svmlight_count(job->options, text->bytes, length, &newlines, &marks);
    if (newlines > piece->newlines || marks > piece->marks)
        return error_file(e, source_name(job->source), "the file changed while it was read");
    piece->rows.e = e;
    int status = svmlight_parse(&piece->rows, text->bytes, length);
    piece->rows.e = NULL;
    return status;
}

typedef int piece_function(struct job *job, int64_t i, struct lines *text, struct error *e);

struct pass {
    struct job *job;
    piece_function *function;
};

/* One thread of a pass. */
static void work(struct workers *workers, void *context) {
    struct pass *pass = context;
    struct lines text = {0};
    int64_t i;
    while ((i = workers_next(workers)) >= 0) {
        struct error error = {0};
        if (is_needed(pass->job, i) && pass->function(pass->job, i, &text, &error) != 0)
            keep_first_error(pass->job, i, &error);
    }
    lines_free(&text);
}

static void for_each_piece(struct job *job, piece_function *function) {
    struct pass pass = {job, function};
    job->failed = job->count;
    workers_run(job->options->threads, job->count, work, &pass);
}

/* Turns the counts of blocks into pieces: the text of a block up to its first newline belongs to the piece before.
 * A block in which no line begins has no piece. */
static void form_pieces(struct job *job) {
    int64_t last = 0;
    job->comments = job->piece[0].comments;
    for (int64_t i = 1; i < job->count; i++) {
        struct piece next = job->piece[i];
        struct piece *piece = &job->piece[last];
        piece->newlines += next.newlines_before;
        piece->marks += next.marks_before;
        job->comments |= next.comments;
        if (next.offset < 0)
            continue;
        piece->length = next.offset - piece->offset;
        job->piece[++last] = next;
    }
    struct piece *piece = &job->piece[last];
    piece->length = source_size(job->source) - piece->offset;
    if (piece->length > 0)
        piece->newlines++; /* the last line may lack its newline */
    job->count = piece->length > 0 ? last + 1 : last;
}

/* Gives every piece its range, and allocates the arrays. */
static int lay_out_pieces(struct job *job, struct error *e) {
    int64_t row = 0, nonzero = 0, line = 1;
    for (int64_t i = 0; i < job->count; i++) {
        struct piece *piece = &job->piece[i];
        piece->rows = (struct svmlight_rows){.row = row, .nonzero = nonzero, .line = line};
        row += piece->newlines;
        nonzero += piece->marks;
        line += piece->newlines;
    }
    job->all.e = e;
    job->all.file = source_name(job->source);
    job->all.options = job->options;
    /* colons (or blanks) in comments may leave large gaps; qid and cost leave at most two per row */
    bool dense = !job->comments && nonzero >= 8 * row;
    if (svmlight_arrays_resize(&job->all, row, nonzero, dense) != 0)
        return -1;
    for (int64_t i = 0; i < job->count; i++) {
        struct svmlight_rows *rows = &job->piece[i].rows;
        struct svmlight_rows own_rows = job->all;
        own_rows.row = own_rows.first_row = own_rows.group_row = rows->row;
        own_rows.nonzero = own_rows.first_nonzero = rows->nonzero;
        own_rows.line = own_rows.group_line = rows->line;
        *rows = own_rows;
    }
    return 0;
}

/* Checks the groups of all pieces up to the failed one (its rows before the malformed line count), then returns its
 * error. */
static int check_pieces(struct job *job, struct group_check *groups, struct error *e) {
    int64_t row = 0;
    for (int64_t i = 0; i < job->count && i <= job->failed; i++) {
        struct svmlight_rows *rows = &job->piece[i].rows;
        if (group_check_add(groups, &rows->runs, row, rows->group_line, job->all.file, e) != 0)
            return -1;
        group_runs_free(&rows->runs);
        row += rows->row - rows->first_row;
    }
    if (job->failed == job->count)
        return 0;
    if (e != NULL)
        *e = job->error;
    return -1;
}

static int fill_piece(struct job *job, int64_t i, struct lines *text, struct error *e) {
    (void)text, (void)e;
    struct svmlight_rows *rows = &job->piece[i].rows;
    if (job->all.has_values && !rows->has_values)
        svmlight_fill_values(rows);
    if (job->all.has_weights && !rows->has_weights)
        svmlight_fill_weights(rows);
    return 0;
}

/* If one piece has values (weights) other than 1, all must store them. */
static void fill_pieces(struct job *job) {
    int64_t with_values = 0, with_weights = 0;
    for (int64_t i = 0; i < job->count; i++) {
        with_values += job->piece[i].rows.has_values;
        with_weights += job->piece[i].rows.has_weights;
    }
    job->all.has_values = with_values > 0;
    job->all.has_weights = with_weights > 0;
    if (with_values % job->count != 0 || with_weights % job->count != 0)
        for_each_piece(job, fill_piece);
}

static void move(void *array, size_t size, int64_t to, int64_t from, int64_t end) {
    memmove((char *)array + (size_t)to * size, (char *)array + (size_t)from * size,
            (size_t)(end - from) * size);
}

/* Moves the rows of a piece to where those of the piece before it end. */
static void close_gap(struct svmlight_rows *all, const struct svmlight_rows *piece) {
    int64_t gap = piece->first_nonzero - all->nonzero;
    if (gap > 0) {
        for (int64_t i = piece->first_row; i < piece->row; i++)
            all->start[i] -= gap;
        move(all->column, sizeof *all->column, all->nonzero, piece->first_nonzero, piece->nonzero);
        if (all->has_values)
            move(all->value, sizeof *all->value, all->nonzero, piece->first_nonzero,
                 piece->nonzero);
    }
    if (piece->first_row > all->row) {
        move(all->start, sizeof *all->start, all->row, piece->first_row, piece->row);
        move(all->label, sizeof *all->label, all->row, piece->first_row, piece->row);
        if (all->has_weights)
            move(all->weight, sizeof *all->weight, all->row, piece->first_row, piece->row);
    }
    all->row += piece->row - piece->first_row;
    all->nonzero += piece->nonzero - piece->first_nonzero;
    if (piece->features > all->features)
        all->features = piece->features;
}

/* Whether a piece, and perhaps a line, exceeds the line limit: then the file is read again in one pass, which stops
 * at such a line. */
static bool too_long(const struct job *job) {
    int64_t limit = job->options->line_limit > 0 ? job->options->line_limit : LINES_LIMIT;
    bool any = false;
    for (int64_t i = 0; i < job->count; i++)
        any = any || job->piece[i].length > limit;
    return any;
}

static int run(struct job *job, struct group_check *groups, struct dataset *out, struct error *e) {
    for_each_piece(job, count_block); /* pass 1 */
    if (job->nul)
        return svmlight_stream_load(job->source, job->options, job->block, out, e);
    if (job->failed < job->count) {
        if (e != NULL)
            *e = job->error;
        return -1;
    }
    form_pieces(job);
    if (too_long(job))
        return svmlight_stream_load(job->source, job->options, job->block, out, e);
    if (lay_out_pieces(job, e) != 0)
        return -1;
    for_each_piece(job, parse_piece); /* pass 2 */
    if (check_pieces(job, groups, e) != 0)
        return -1;
    fill_pieces(job);
    for (int64_t i = 0; i < job->count; i++)
        close_gap(&job->all, &job->piece[i].rows);
    if (svmlight_arrays_take(&job->all, out) != 0)
        return -1;
    if (group_check_finish(groups, out, e) != 0) {
        dataset_free(out);
        return -1;
    }
    return 0;
}

int svmlight_pieces_load(struct source *source, const struct svmlight_options *options,
                         int64_t piece, struct dataset *out, struct error *e) {
    struct group_check groups = {0};
    struct job job = {
        .source = source, .options = options, .block = piece, .lock = PTHREAD_MUTEX_INITIALIZER};
    int64_t blocks = (source_size(source) + piece - 1) / piece;
    job.count = blocks;
    job.piece = memory_zeroed(blocks, sizeof *job.piece, "pieces", e);
    if (job.piece == NULL)
        return -1;
    int status = run(&job, &groups, out, e);
    for (int64_t i = 0; i < blocks; i++)
        group_runs_free(&job.piece[i].rows.runs);
    svmlight_arrays_free(&job.all);
    group_check_free(&groups);
    free(job.piece);
    return status;
}
