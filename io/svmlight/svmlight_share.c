/* svmlight_share.c - loads a share of the rows of a plain file in each process; see svmlight_share.h.
 *
 * Each process finds the beginning of its share and of the next one by itself, and reads what is between them. The
 * line number of an error is completed by the lines of the shares before. What only shows when several shares are put
 * together (a qid that comes back, rows without one) is found from the numbers of rows and the qids; then process 0
 * reads the file from its beginning, as one process would, for the message. */
#include "io/svmlight/svmlight_share.h"

#include "io/lines.h"
#include "io/memory.h"
#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_load.h"
#include "io/svmlight/svmlight_row.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16, COUNT_BYTES = 1 << 20 };

struct share {
    const char *path;
    const struct svmlight_options *options;
    struct communicator *communicator;
    int64_t size;     /* bytes of the file */
    int64_t from, to; /* the share */
};

/* ---- where a share begins */

struct cut {
    bool begun; /* a row was seen */
    int64_t group;
};

/* Whether the share begins with this line: with the first row, or behind the group of that row. */
static bool is_cut(struct cut *cut, const char *line) {
    int64_t group;
    if (!svmlight_row_group(line, &group))
        return false;
    if (cut->begun)
        return group != cut->group;
    *cut = (struct cut){true, group};
    return group == GROUP_NONE;
}

/* The first byte of the text's first line that is_cut; its length if there is none. SKIP: without the first line. */
static int64_t find_in_text(struct cut *cut, const struct lines *text, bool skip) {
    const char *line = text->bytes, *end = text->bytes + text->length;
    while (line < end && (skip || !is_cut(cut, line))) {
        line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
        skip = false;
    }
    return line - text->bytes;
}

/* The byte where the share begins whose part of the file begins at POSITION, or -1 with the error set. */
static int64_t find_cut(const struct share *share, int64_t position, struct error *e) {
    struct lines text = {.limit = share->options->line_limit};
    struct cut cut = {0};
    int64_t at = position - 1, found;
    int more = 1;
    if (position == 0 || position >= share->size)
        return position;
    struct source *source = source_open(share->path, e);
    bool failed = source == NULL || source_restrict(source, at, share->size, e) != 0;
    for (bool first = true; !failed; first = false) {
        more = lines_read(source, BLOCK_BYTES, &text, &text, e);
        failed = more == -1;
        if (more != 1)
            break;
        found = find_in_text(&cut, &text, first);
        at += found;
        if (found < text.length)
            break;
    }
    source_close(source);
    lines_free(&text);
    return failed ? -1 : more != 1 || at > share->size ? share->size : at;
}

/* ---- a process alone */

/* Opens the file and finds the share. NULL with the error set. */
static struct source *open_share(struct share *share, struct error *e) {
    const struct communicator *c = share->communicator;
    struct source *source = source_open(share->path, e);
    if (source == NULL)
        return NULL;
    share->size = source_size(source);
    if (share->size >= 0) {
        __int128 size = share->size;
        share->from = find_cut(share, (int64_t)(size * c->rank / c->size), e);
        share->to = find_cut(share, (int64_t)(size * (c->rank + 1) / c->size), e);
        if (share->from >= 0 && share->to >= 0 &&
            source_restrict(source, share->from, share->to, e) == 0)
            return source;
    } else {
        error_file(e, source_name(source),
                   "%d processes read parts of one plain file, not of gzip data or a pipe; unpack "
                   "them into a file first",
                   c->size);
    }
    source_close(source);
    return NULL;
}

/* The number of lines of the share so far that end in it; 0 where it cannot be read. */
static int64_t count_lines(const struct source *source) {
    struct lines text = {0};
    int64_t size = source_size(source), lines = 0;
    bool failed = lines_reserve(&text, COUNT_BYTES, NULL) != 0;
    for (int64_t at = 0; at < size && !failed; at += COUNT_BYTES) {
        int64_t length = size - at < COUNT_BYTES ? size - at : COUNT_BYTES;
        failed = source_read_at(source, text.bytes, length, at, NULL) != 0;
        for (int64_t i = 0; i < length && !failed; i++)
            lines += text.bytes[i] == '\n';
    }
    lines_free(&text);
    return lines;
}

/* ---- all processes */

/* 0 if all shares were loaded; else -1 with the first error in the file. */
static int agree(const struct share *share, const struct source *source, int status,
                 struct error *e) {
    struct communicator *c = share->communicator;
    if (!communicator_any(c, status != 0))
        return 0;
    int64_t before = communicator_before(c, source == NULL ? 0 : count_lines(source));
    if (status != 0 && e->line > 0)
        e->line += before;
    return communicator_agree(c, status, e);
}

/* All processes must see the same file. */
static int check_size(const struct share *share, struct error *e) {
    const int64_t *size = communicator_numbers(share->communicator, share->size);
    for (int rank = 1; rank < share->communicator->size; rank++)
        if (size[rank] != size[0])
            return error_file(e, share->path,
                              "this file has %lld bytes where process 0 runs and %lld where "
                              "process %d runs; all need the same file",
                              (long long)size[0], (long long)size[rank], rank);
    return 0;
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Whether one of the COUNT ids is among the sorted OWN. */
static bool contains(const int64_t *own, int64_t owned, const int64_t *id, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (bsearch(&id[i], own, (size_t)owned, sizeof *own, compare) != NULL)
            return true;
    return false;
}

/* Whether a qid of this process is one of a process before, too. *own and *other: memory, sorted ids of this one. */
static bool repeats_group(struct communicator *c, int64_t groups, const int64_t *own,
                          int64_t *other) {
    bool repeats = false;
    for (int from = 0; from < c->size; from++) {
        int64_t count = communicator_numbers(c, groups)[from];
        if (from == c->rank && count > 0)
            memcpy(other, own, sizeof *own * (size_t)count);
        c->broadcast(c, from, other, count * (int64_t)sizeof *other);
        repeats = repeats || (from < c->rank && contains(own, groups, other, count));
    }
    return repeats;
}

/* Whether the shares are in order each, but not together: a qid comes back, or some rows have none. *wrong is for all
 * processes. -1 with the error set. */
static int check_groups(struct communicator *c, const struct dataset *data, bool *wrong,
                        struct error *e) {
    int64_t most = communicator_largest(c, data->groups);
    bool without = communicator_any(c, data->rows > 0 && data->groups == 0);
    *wrong = most > 0 && without;
    if (most == 0 || *wrong)
        return 0;
    int64_t *own = memory_new(2 * most, sizeof *own, "qids", e);
    if (communicator_agree(c, own == NULL ? -1 : 0, e) != 0) {
        free(own);
        return -1;
    }
    if (data->groups > 0) {
        memcpy(own, data->group_id, sizeof *own * (size_t)data->groups);
        qsort(own, (size_t)data->groups, sizeof *own, compare);
    }
    *wrong = communicator_any(c, repeats_group(c, data->groups, own, own + most));
    free(own);
    return 0;
}

/* Reads the file from its beginning up to the error that it has. -1 with the error set. */
static int find_error(const struct share *share, struct error *e) {
    struct dataset block = {0};
    struct svmlight_options options = *share->options;
    options.part = false;
    struct svmlight_reader *reader = svmlight_open(share->path, &options, e);
    int more = reader == NULL ? -1 : 1;
    while (more == 1)
        more = svmlight_read(reader, &block, e);
    svmlight_close(reader);
    dataset_free(&block);
    return more == 0 ? error_file(e, share->path, "the file changed while it was read") : -1;
}

/* Completes the dataset by what it has in common with those of the other processes. */
static int join(const struct share *share, struct dataset *data, struct error *e) {
    struct communicator *c = share->communicator;
    bool wrong;
    data->communicator = c;
    data->features = (int32_t)communicator_largest(c, data->features);
    data->whole.rows = communicator_total(c, data->rows);
    data->whole.rows_before = communicator_before(c, data->rows);
    data->whole.nonzeros = communicator_total(c, data->nonzeros);
    data->whole.groups = communicator_total(c, data->groups);
    if (data->whole.rows == 0)
        return communicator_agree(c, error_file(e, share->path, "no rows in this file"), e);
    if (check_groups(c, data, &wrong, e) != 0)
        return -1;
    return wrong ? communicator_agree(c, c->rank == 0 ? find_error(share, e) : 0, e) : 0;
}

int dataset_load_share(const char *path, const struct svmlight_options *options,
                       struct communicator *communicator, struct dataset *out, struct error *e) {
    struct svmlight_options part = *options;
    part.part = true;
    struct share share = {.path = path, .options = &part, .communicator = communicator};
    *out = (struct dataset){0};
    struct source *source = open_share(&share, e);
    int status = communicator_agree(communicator, source == NULL ? -1 : 0, e);
    if (status == 0)
        status = communicator_agree(communicator, check_size(&share, e), e);
    if (status == 0)
        status = agree(&share, source, svmlight_load(source, &part, out, e), e);
    if (status == 0)
        status = join(&share, out, e);
    source_close(source);
    if (status != 0)
        dataset_free(out);
    return status;
}
