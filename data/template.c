/* template.c - reads templates of features, and writes the features of a word. */
#include "data/template.h"

#include "io/line_walk.h"
#include "io/memory.h"
#include "io/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARKER_BYTES = 24 }; /* of "_B-1" and the like, at most */

/* The template that is being read and the capacity of its arrays. */
struct reading {
    const struct line_walk *walk;
    struct template *template;
    int64_t columns;
    int64_t firsts, pieces, bytes; /* capacity of first, piece, text */
    int64_t text_length;           /* bytes of text so far */
    int64_t count;                 /* pieces so far */
};

static int refuse_macro(const struct reading *reading, struct word rest, struct error *e) {
    return line_walk_refuse(reading->walk, e,
                            "%%x[ROW,COLUMN] expected, ROW from -%d to %d, not '%.*s'",
                            TEMPLATE_MAX_ROWS, TEMPLATE_MAX_ROWS, word_shown(rest), rest.text);
}

/* Removes C from the front of *rest; false: *rest does not begin with C. */
static bool take(struct word *rest, char c) {
    if (rest->length == 0 || *rest->text != c)
        return false;
    rest->text++;
    rest->length--;
    return true;
}

static bool take_integer(struct word *rest, int64_t *value) {
    const char *end = rest->length > 0 ? number_scan_integer(rest->text, value) : NULL;
    if (end == NULL)
        return false;
    rest->length -= end - rest->text;
    rest->text = end;
    return *value != NUMBER_TOO_LARGE;
}

/* Reads a macro such as "%x[-1,0]" from the front of *rest. */
static int read_macro(const struct reading *reading, struct word *rest,
                      struct template_piece *piece, struct error *e) {
    struct word macro = *rest;
    bool valid = take(rest, '%') && take(rest, 'x') && take(rest, '[');
    bool above = valid && take(rest, '-');
    valid = valid && take_integer(rest, &piece->row) && piece->row <= TEMPLATE_MAX_ROWS;
    valid = valid && take(rest, ',') && take_integer(rest, &piece->column) && take(rest, ']');
    if (!valid)
        return refuse_macro(reading, macro, e);
    if (piece->column >= reading->columns)
        return line_walk_refuse(reading->walk, e,
                                "column %lld of %%x, but the words have %lld columns, from 0",
                                (long long)piece->column, (long long)reading->columns);
    piece->row = above ? -piece->row : piece->row;
    return 0;
}

/* Reads the text before the next "%" and the macro that follows it, if any. */
static int read_piece(struct reading *reading, struct word *rest, struct error *e) {
    struct template *template = reading->template;
    const char *end = memchr(rest->text, '%', (size_t)rest->length);
    struct template_piece piece = {.text = reading->text_length, .column = -1};
    piece.length = end == NULL ? rest->length : end - rest->text;
    if (memory_reserve((void **)&template->text, &reading->bytes,
                       reading->text_length + piece.length + 1, 1, "a template", e) != 0 ||
        memory_reserve((void **)&template->piece, &reading->pieces, reading->count + 1,
                       sizeof piece, "a template", e) != 0)
        return -1;
    memcpy(template->text + reading->text_length, rest->text, (size_t)piece.length);
    reading->text_length += piece.length;
    rest->text += piece.length;
    rest->length -= piece.length;
    if (end != NULL && read_macro(reading, rest, &piece, e) != 0)
        return -1;
    template->piece[reading->count++] = piece;
    return 0;
}

static int read_unit(struct reading *reading, struct word unit, struct error *e) {
    struct template *template = reading->template;
    if (memory_reserve((void **)&template->first, &reading->firsts, template->units + 2,
                       sizeof *template->first, "a template", e) != 0)
        return -1;
    template->first[template->units++] = reading->count;
    while (unit.length > 0)
        if (read_piece(reading, &unit, e) != 0)
            return -1;
    template->first[template->units] = reading->count;
    return 0;
}

static int read_line(struct reading *reading, struct word line, struct error *e) {
    struct word unit = word_take(&line);
    if (unit.length == 0 || unit.text[0] == '#')
        return 0;
    if (unit.text[0] != 'U' && unit.text[0] != 'B')
        return line_walk_refuse(reading->walk, e,
                                "a line of a template begins with U, B or #, not with '%.*s'",
                                word_shown(unit), unit.text);
    if (line.length > 0)
        return line_walk_refuse(reading->walk, e, "a feature has no blanks, but '%.*s' follows",
                                word_shown(line), line.text);
    if (unit.text[0] == 'U')
        return read_unit(reading, unit, e);
    if (memchr(unit.text, '%', (size_t)unit.length) != NULL)
        return line_walk_refuse(reading->walk, e,
                                "features of transitions, B with %%x, are not supported");
    return 0;
}

static int read_lines(struct line_walk *walk, struct reading *reading, struct error *e) {
    struct word line;
    int more;
    while ((more = line_walk_next(walk, &line, e)) == 1)
        if (read_line(reading, line, e) != 0)
            return -1;
    if (more == 0 && reading->template->units == 0)
        return error_file(e, line_walk_name(walk), "the template has no feature, no line with U");
    return more;
}

int template_read(const char *path, int64_t columns, struct template *template, struct error *e) {
    struct line_walk *walk = line_walk_open(path, e);
    struct reading reading = {.walk = walk, .template = template, .columns = columns};
    *template = (struct template){0};
    int status = walk == NULL ? -1 : read_lines(walk, &reading, e);
    if (status != 0)
        template_free(template);
    line_walk_close(walk);
    return status;
}

int64_t template_bytes(const struct template *template, const struct corpus *corpus) {
    int64_t word = corpus->longest < MARKER_BYTES ? MARKER_BYTES : corpus->longest, largest = 0;
    for (int64_t unit = 0; unit < template->units; unit++) {
        int64_t bytes = 1;
        for (int64_t k = template->first[unit]; k < template->first[unit + 1]; k++)
            if (__builtin_add_overflow(bytes, template->piece[k].length, &bytes) ||
                (template->piece[k].column >= 0 && __builtin_add_overflow(bytes, word, &bytes)))
                return -1;
        largest = largest < bytes ? bytes : largest;
    }
    return largest;
}

/* Writes the string that replaces the piece's macro. Returns its length. */
static int64_t write_word(const struct template_piece *piece, const struct corpus *corpus,
                          int64_t sentence, int64_t row, char *text) {
    int64_t target = row + piece->row;
    int64_t from = corpus->start[sentence], to = corpus->start[sentence + 1];
    if (target < from)
        return snprintf(text, MARKER_BYTES, "_B-%lld", (long long)(from - target));
    if (target >= to)
        return snprintf(text, MARKER_BYTES, "_B+%lld", (long long)(target - to + 1));
    const char *word = corpus_word(corpus, target, piece->column);
    size_t length = strlen(word);
    memcpy(text, word, length);
    return (int64_t)length;
}

int64_t template_expand(const struct template *template, int64_t unit, const struct corpus *corpus,
                        int64_t sentence, int64_t row, char *text) {
    int64_t length = 0;
    for (int64_t k = template->first[unit]; k < template->first[unit + 1]; k++) {
        const struct template_piece *piece = &template->piece[k];
        memcpy(text + length, template->text + piece->text, (size_t)piece->length);
        length += piece->length;
        if (piece->column >= 0)
            length += write_word(piece, corpus, sentence, row, text + length);
    }
    text[length] = '\0';
    return length;
}

void template_free(struct template *template) {
    free(template->first);
    free(template->piece);
    free(template->text);
    *template = (struct template){0};
}
