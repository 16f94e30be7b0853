/* line_walk.c - reads lines and words of a text file. */
#include "io/line_walk.h"

#include "io/lines.h"
#include "io/memory.h"
#include "io/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 18, MAX_SHOWN = 40 };

struct line_walk {
    struct source *source;
    struct lines text;
    const char *next; /* within the text */
    int64_t line;
};

struct line_walk *line_walk_open(const char *path, struct error *e) {
    struct line_walk *walk = memory_zeroed(1, sizeof *walk, "a reader of lines", e);
    if (walk == NULL)
        return NULL;
    walk->source = source_open(path, e);
    if (walk->source == NULL) {
        line_walk_close(walk);
        return NULL;
    }
    return walk;
}

void line_walk_close(struct line_walk *walk) {
    if (walk == NULL)
        return;
    source_close(walk->source);
    lines_free(&walk->text);
    free(walk);
}

const char *line_walk_name(const struct line_walk *walk) {
    return source_name(walk->source);
}

int64_t line_walk_line(const struct line_walk *walk) {
    return walk->line;
}

int line_walk_refuse(const struct line_walk *walk, struct error *e, const char *format, ...) {
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return error_at(e, source_name(walk->source), walk->line, 0, "%s", words);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* The form of UTF-16 that the first line of a file has, by its byte-order mark or by NUL bytes beside letters; NULL: it
 * has none. */
static const char *find_utf16(struct word line) {
    const char *p = line.text;
    if (line.length < 2)
        return NULL;
    if (memcmp(p, "\xff\xfe", 2) == 0 || memcmp(p, "\xfe\xff", 2) == 0)
        return "UTF-16";
    bool little = p[0] > ' ' && p[1] == '\0' && (line.length < 4 || (p[2] >= ' ' && p[3] == '\0'));
    bool big = p[0] == '\0' && p[1] > ' ' && (line.length < 4 || (p[2] == '\0' && p[3] >= ' '));
    return little ? "UTF-16LE" : big ? "UTF-16BE" : NULL;
}

static int refuse_nul(const struct line_walk *walk, struct word line, struct error *e) {
    const char *form = walk->line == 1 ? find_utf16(line) : NULL;
    if (form == NULL)
        return line_walk_refuse(walk, e, "a NUL byte");
    return line_walk_refuse(
        walk, e,
        "a NUL byte: the file looks like UTF-16, which iconv -f %s -t UTF-8 FILE "
        "> NEW makes a text",
        form);
}

int line_walk_next(struct line_walk *walk, struct word *line, struct error *e) {
    struct lines *text = &walk->text;
    if (walk->next == NULL || walk->next == text->bytes + text->length) {
        int more = lines_read(walk->source, BLOCK_BYTES, text, text, e);
        if (more == LINES_TOO_LONG)
            return lines_refuse(text, source_name(walk->source), walk->line + 1, NULL, e);
        if (more != 1)
            return more;
        walk->next = text->bytes + (walk->line == 0 ? lines_mark(text->bytes) : 0);
    }
    const char *end = memchr(walk->next, '\n', (size_t)(text->bytes + text->length - walk->next));
    *line = (struct word){walk->next, end - walk->next};
    walk->next = end + 1;
    walk->line++;
    while (line->length > 0 && (is_blank(end[-1]) || end[-1] == '\r')) {
        end--;
        line->length--;
    }
    if (memchr(line->text, '\0', (size_t)line->length) != NULL)
        return refuse_nul(walk, *line, e);
    if (memchr(line->text, '\r', (size_t)line->length) != NULL)
        return line_walk_refuse(walk, e, "a carriage return within the line");
    return 1;
}

struct word word_take(struct word *line) {
    const char *p = line->text, *end = p + line->length;
    while (p < end && is_blank(*p))
        p++;
    struct word word = {p, 0};
    while (p < end && !is_blank(*p))
        p++;
    word.length = p - word.text;
    while (p < end && is_blank(*p))
        p++;
    *line = (struct word){p, end - p};
    return word;
}

bool word_is(struct word word, const char *text) {
    return word.length == (int64_t)strlen(text) &&
           memcmp(word.text, text, (size_t)word.length) == 0;
}

bool word_real(struct word word, double *value) {
    const char *end = word.length > 0 ? number_scan(word.text, value) : NULL;
    return end == word.text + word.length && end != word.text && isfinite(*value);
}

bool word_integer(struct word word, int64_t *value) {
    const char *end = word.length > 0 ? number_scan_integer(word.text, value) : NULL;
    return end == word.text + word.length && *value > 0;
}

int word_shown(struct word word) {
    return word.length < MAX_SHOWN ? (int)word.length : MAX_SHOWN;
}
