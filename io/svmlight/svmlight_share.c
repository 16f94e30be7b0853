/* svmlight_share.c - loads a share of the rows of some files in each process; see svmlight_share.h.
 *
 * The bytes of all files stand one after another, and a process takes a range of them. Where a range begins within a
 * plain file, each process finds the line by itself; a packed file goes as a whole to the process that has its middle.
 * The line number of an error is completed by the lines of the same file in the shares before. What only shows when
 * several shares are put together (a qid that comes back, rows without one) is found from the numbers of rows and the
 * qids; then process 0 reads the files from their beginning, as one process would, for the message. */
#include "io/svmlight/svmlight_share.h"

#include "io/dataset_collect.h"
#include "io/groups.h"
#include "io/lines.h"
#include "io/memory.h"
#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_load.h"
#include "io/svmlight/svmlight_row.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES = 1 << 16,
    COUNT_BYTES = 1 << 20,
    PACKED_FACTOR = 4, /* bytes of text to a packed byte, about */
    NO_FILE = -1
};

struct share {
    const struct data_files *files;
    const struct svmlight_options *options;
    struct communicator *communicator;
    int64_t *size;      /* of each file, in bytes of text */
    bool *packed;       /* by file */
    int64_t first, end; /* the range of the bytes of all files */
    int64_t before;     /* bytes of the files before the present one */
    bool mixed;         /* some parts of this process have qids, others have none */
    int failed;         /* the file with the error of this process */
};

/* What a process has of a file. */
struct file_range {
    int file;
    int64_t from, to;
};

static const char *path_of(const struct share *share, int file) {
    return share->files->path[file];
}

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

/* The byte of a plain file where the share begins whose range begins at POSITION, or -1 with the error set. */
static int64_t find_cut(const struct share *share, int file, int64_t position, struct error *e) {
    struct lines text = {.limit = share->options->line_limit};
    struct cut cut = {0};
    int64_t size = share->size[file];
    int64_t at = position - 1, found;
    int more = 1;
    if (position == 0 || position >= size)
        return position;
    struct source *source = source_open(path_of(share, file), e);
    bool failed = source == NULL || source_restrict(source, at, size, e) != 0;
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
    return failed ? -1 : more != 1 || at > size ? size : at;
}

/* ---- a process alone */

/* The sizes of all files. */
static int measure(struct share *share, struct error *e) {
    for (int i = 0; i < share->files->count; i++) {
        struct source *source = source_open(path_of(share, i), e);
        if (source == NULL)
            return -1;
        int64_t size = source_size(source);
        share->packed[i] = size < 0;
        share->size[i] = size < 0 ? PACKED_FACTOR * source_packed_size(source) : size;
        if (share->size[i] < 0)
            error_file(e, source_name(source),
                       "%d processes read plain or gzip files, not pipes; write it to a file first",
                       share->communicator->size);
        source_close(source);
        if (share->size[i] < 0)
            return -1;
    }
    return 0;
}

/* The range of this process. */
static void find_range(struct share *share) {
    const struct communicator *c = share->communicator;
    __int128 total = 0;
    for (int i = 0; i < share->files->count; i++)
        total += share->size[i];
    share->first = (int64_t)(total * c->rank / c->size);
    share->end = (int64_t)(total * (c->rank + 1) / c->size);
}

/* What this process has of a file that begins at share->before. -1 with the error set. */
static int find_file_range(const struct share *share, int file, struct file_range *range,
                           struct error *e) {
    int64_t size = share->size[file], middle = share->before + size / 2;
    int64_t from = share->first - share->before, to = share->end - share->before;
    *range = (struct file_range){.file = file};
    if (share->packed[file]) {
        range->to = middle >= share->first && middle < share->end ? size : 0;
        return 0;
    }
    if (to <= 0 || from >= size)
        return 0;
    range->from = find_cut(share, file, from < 0 ? 0 : from, e);
    range->to = find_cut(share, file, to > size ? size : to, e);
    return range->from < 0 || range->to < 0 ? -1 : 0;
}

static struct source *open_range(const struct share *share, const struct file_range *range,
                                 struct error *e) {
    struct source *source = source_open(path_of(share, range->file), e);
    if (source == NULL || share->packed[range->file] ||
        source_restrict(source, range->from, range->to, e) == 0)
        return source;
    source_close(source);
    return NULL;
}

/* Appends MORE, the rows of a part. *mixed: they have qids, and the others do not, or the reverse. */
static int append(struct dataset *data, struct dataset *more, bool *mixed, struct error *e) {
    int64_t first = data->rows, groups = data->groups;
    if (first == 0) {
        dataset_free(data);
        *data = *more;
        *more = (struct dataset){0};
        return 0;
    }
    if (more->rows == 0)
        return 0;
    if ((groups > 0) != (more->groups > 0))
        *mixed = true;
    if (dataset_append(data, more, 0, more->rows, e) != 0)
        return -1;
    if (*mixed || groups == 0)
        return 0;
    int64_t all = groups + more->groups;
    if (memory_resize((void **)&data->group_start, all + 1, sizeof *data->group_start, "groups",
                      e) != 0 ||
        memory_resize((void **)&data->group_id, all, sizeof *data->group_id, "groups", e) != 0)
        return -1;
    for (int64_t g = 0; g <= more->groups; g++)
        data->group_start[groups + g] = first + more->group_start[g];
    memcpy(data->group_id + groups, more->group_id, sizeof *more->group_id * (size_t)more->groups);
    data->groups = all;
    return 0;
}

/* Loads this process's part of a file. */
static int load_part(struct share *share, int file, struct dataset *data, struct error *e) {
    struct svmlight_options options = *share->options;
    struct dataset more = {0};
    struct file_range range;
    if (find_file_range(share, file, &range, e) != 0)
        return -1;
    if (range.from == range.to)
        return 0;
    options.later = range.from > 0;
    struct source *source = open_range(share, &range, e);
    int status = source == NULL ? -1 : svmlight_load(source, &options, &more, e);
    if (status == 0)
        status = append(data, &more, &share->mixed, e);
    dataset_free(&more);
    source_close(source);
    return status;
}

static int load_parts(struct share *share, struct dataset *data, struct error *e) {
    share->failed = NO_FILE;
    share->before = 0;
    for (int i = 0; i < share->files->count; i++) {
        if (load_part(share, i, data, e) != 0) {
            share->failed = i;
            return -1;
        }
        share->before += share->size[i];
    }
    return 0;
}

/* The number of lines of the share so far that end in it; 0 where it cannot be read. */
static int64_t count_source(const struct source *source) {
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

/* The lines that this process has of a plain file. */
static int64_t count_lines(struct share *share, int file) {
    struct file_range range;
    share->before = 0;
    for (int i = 0; i < file; i++)
        share->before += share->size[i];
    if (share->packed[file] || find_file_range(share, file, &range, NULL) != 0 ||
        range.from == range.to)
        return 0;
    struct source *source = open_range(share, &range, NULL);
    int64_t lines = source == NULL ? 0 : count_source(source);
    source_close(source);
    return lines;
}

/* Whether the first row of this process's part of a file has a qid. */
static bool begins_with_group(struct share *share, int file) {
    struct lines text = {.limit = share->options->line_limit};
    struct file_range range;
    int64_t group = GROUP_NONE;
    bool found = false;
    if (share->packed[file] || find_file_range(share, file, &range, NULL) != 0 ||
        range.from == range.to)
        return false;
    struct source *source = open_range(share, &range, NULL);
    while (source != NULL && !found && lines_read(source, BLOCK_BYTES, &text, &text, NULL) == 1) {
        const char *line = text.bytes, *end = text.bytes + text.length;
        for (; line < end && !found;
             line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1)
            found = svmlight_row_group(line, &group);
    }
    source_close(source);
    lines_free(&text);
    return found && group != GROUP_NONE;
}

/* ---- the message of process 0 */

/* Reads a file from its beginning up to the error that it has: -1 with the error set; 0: it has none by itself. */
static int find_own_error(const struct share *share, int file, struct error *e) {
    struct dataset block = {0};
    struct svmlight_options options = *share->options;
    options.is_range = false;
    struct svmlight_reader *reader = svmlight_open(path_of(share, file), &options, e);
    int more = reader == NULL ? -1 : 1;
    while (more == 1)
        more = svmlight_read(reader, &block, e);
    svmlight_close(reader);
    dataset_free(&block);
    return more;
}

/* Adds the runs of rows of one qid of some lines; CUT is the last qid of the file before. */
static int add_runs(const struct lines *text, int64_t *lines, struct group_check *check,
                    int64_t cut, const char *file, struct error *e) {
    struct group_runs runs = {0};
    int64_t first = *lines + 1;
    int status = 0;
    for (const char *line = text->bytes, *end = line + text->length; line < end && status == 0;
         ++*lines) {
        const char *next = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
        struct group_run run = {.line = (int32_t)(*lines + 1 - first)};
        if (svmlight_row_group(line, &run.id)) {
            const char *qid = run.id == GROUP_NONE ? line : strstr(line, "qid:");
            run.column = (int32_t)(qid - line + 1);
            status = group_runs_add(&runs, run, e);
        }
        line = next;
    }
    if (status == 0 && cut != GROUP_NONE && runs.count > 0 && runs.run[0].id == cut)
        status =
            error_at(e, file, first + runs.run[0].line, runs.run[0].column,
                     "qid %lld begins in the file before; all lines of a qid must be in one file",
                     (long long)cut);
    if (status == 0)
        status = group_check_add(check, &runs, 0, first, file, e);
    group_runs_free(&runs);
    return status;
}

/* The same for files that are right each, but not together. */
static int find_common_error(const struct share *share, struct error *e) {
    struct group_check check = {.last = GROUP_NONE};
    int status = 0;
    for (int i = 0; i < share->files->count && status == 0; i++) {
        struct lines text = {.limit = share->options->line_limit};
        struct source *source = source_open(path_of(share, i), e);
        int64_t lines = 0, cut = check.last;
        int more = source == NULL ? -1 : 1;
        check.last = GROUP_NONE; /* no group goes on in another file */
        while (more == 1 && status == 0) {
            more = lines_read(source, BLOCK_BYTES, &text, &text, e);
            status = more == 1 ? add_runs(&text, &lines, &check,
                                          check.last == GROUP_NONE ? cut : GROUP_NONE,
                                          path_of(share, i), e)
                               : 0;
        }
        status = status != 0 || more < 0 ? -1 : 0;
        source_close(source);
        lines_free(&text);
    }
    group_check_free(&check);
    return status;
}

static int find_error(const struct share *share, struct error *e) {
    for (int i = 0; i < share->files->count; i++)
        if (find_own_error(share, i, e) != 0)
            return -1;
    return find_common_error(share, e) != 0
               ? -1
               : error_file(e, path_of(share, 0), "the file changed while it was read");
}

/* ---- all processes */

/* 0 if all shares were loaded; else -1 with the first error in the files. Where rows have qids, that may be one of
 * several shares together, and process 0 looks for it. */
static int agree(struct share *share, int status, struct error *e) {
    struct communicator *c = share->communicator;
    const int64_t *failed = communicator_numbers(c, status != 0 ? share->failed : NO_FILE);
    int first = 0;
    while (first < c->size && failed[first] == NO_FILE)
        first++;
    if (first == c->size)
        return communicator_agree(c, status, e);
    int file = (int)failed[first];
    int64_t before = communicator_total(c, c->rank < first ? count_lines(share, file) : 0);
    bool groups = communicator_any(c, c->rank <= first && begins_with_group(share, file));
    if (c->rank == first && e->line > 0)
        e->line += before;
    if (communicator_agree(c, c->rank == first ? status : 0, e) == 0 || !groups)
        return -1;
    struct error earlier = {0};
    bool found = c->rank == 0 && find_own_error(share, file, &earlier) != 0;
    if (communicator_agree(c, found ? -1 : 0, &earlier) != 0 && e != NULL)
        *e = earlier;
    return -1;
}

/* All processes must see the same files. */
static int check_sizes(const struct share *share, struct error *e) {
    const struct communicator *c = share->communicator;
    int status = 0;
    for (int i = 0; i < share->files->count; i++) {
        const int64_t *size = communicator_numbers(share->communicator, share->size[i]);
        for (int rank = 1; rank < c->size && status == 0; rank++)
            if (size[rank] != size[0])
                status = error_file(e, path_of(share, i),
                                    "this file has %lld bytes where process 0 runs and %lld where "
                                    "process %d runs; all need the same file",
                                    (long long)size[0], (long long)size[rank], rank);
    }
    return status;
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

/* Whether a qid of this process occurs twice, or is one of a process before, too. *own and *other: memory, sorted
 * ids of this one. */
static bool repeats_group(struct communicator *c, int64_t groups, const int64_t *own,
                          int64_t *other) {
    bool repeats = false;
    for (int64_t i = 1; i < groups; i++)
        repeats = repeats || own[i] == own[i - 1];
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
    int64_t largest = communicator_largest(c, data->groups);
    bool without = communicator_any(c, data->rows > 0 && data->groups == 0);
    *wrong = largest > 0 && without;
    if (largest == 0 || *wrong)
        return 0;
    int64_t *own = memory_new(2 * largest, sizeof *own, "qids", e);
    if (communicator_agree(c, own == NULL ? -1 : 0, e) != 0) {
        free(own);
        return -1;
    }
    if (data->groups > 0) {
        memcpy(own, data->group_id, sizeof *own * (size_t)data->groups);
        qsort(own, (size_t)data->groups, sizeof *own, compare);
    }
    *wrong = communicator_any(c, repeats_group(c, data->groups, own, own + largest));
    free(own);
    return 0;
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
        return communicator_agree(c,
                                  error_file(e, path_of(share, 0), "no rows in %s",
                                             share->files->count > 1 ? "these files" : "this file"),
                                  e);
    if (check_groups(c, data, &wrong, e) != 0)
        return -1;
    wrong = communicator_any(c, wrong || share->mixed);
    return wrong ? communicator_agree(c, c->rank == 0 ? find_error(share, e) : 0, e) : 0;
}

/* Process 0 reads all of a packed file, and gives the others their rows. */
static int load_scattered(const struct share *share, struct dataset *data, struct error *e) {
    struct communicator *c = share->communicator;
    struct svmlight_options options = *share->options;
    options.is_range = false;
    int status = c->rank == 0 ? dataset_load(path_of(share, 0), &options, data, e) : 0;
    return communicator_agree(c, status, e) == 0 ? dataset_scatter(c, data, e) : -1;
}

static int load(struct share *share, struct dataset *data, struct error *e) {
    struct communicator *c = share->communicator;
    if (communicator_agree(c, measure(share, e), e) != 0 ||
        communicator_agree(c, check_sizes(share, e), e) != 0)
        return -1;
    find_range(share);
    if (share->files->count == 1 && share->packed[0]) {
        if (load_scattered(share, data, e) != 0)
            return -1;
    } else if (agree(share, load_parts(share, data, e), e) != 0) {
        return -1;
    }
    return join(share, data, e);
}

int dataset_load_share(const struct data_files *files, const struct svmlight_options *options,
                       struct communicator *communicator, struct dataset *out, struct error *e) {
    struct svmlight_options range_options = *options;
    struct error own = {0};
    range_options.is_range = true;
    struct share share = {.files = files, .options = &range_options, .communicator = communicator};
    *out = (struct dataset){0};
    share.size = memory_zeroed(files->count, sizeof *share.size, "files", &own);
    share.packed = memory_zeroed(files->count, sizeof *share.packed, "files", &own);
    int status = share.size == NULL || share.packed == NULL ? -1 : 0;
    if (communicator_agree(communicator, status, &own) == 0)
        status = load(&share, out, &own);
    if (status != 0) {
        dataset_free(out);
        error_pass(e, &own);
    }
    free(share.size);
    free(share.packed);
    return status;
}
