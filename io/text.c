/* text.c - words and numbers of a text, with line and column for errors.
 *
 * The block always holds LOOKAHEAD_BYTES after the next one, or the remainder of the file, followed by zeros. So a
 * scanner needs no bounds checks: a word longer than LOOKAHEAD_BYTES ends at a zero and is refused. */
#include "io/text.h"

#include "io/lines.h"
#include "io/memory.h"
#include "io/number.h"
#include "io/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 18, LOOKAHEAD_BYTES = 1 << 11, PADDING_BYTES = 64, MAX_SHOWN_BYTES = 40 };

struct text {
    struct source *source;
    char *bytes;
    const char *next;   /* the next byte to read */
    const char *end;    /* of the bytes in the block */
    const char *mark;   /* beginning of the last word; valid until the next fill */
    int64_t line;       /* of `next`, from 1 */
    int64_t before;     /* bytes of the file before `bytes` */
    int64_t line_start; /* in the file */
    int64_t mark_line, mark_column;
    bool failed; /* a read failed; the error is set */
    bool ended;  /* the source has ended */
};

static int64_t column_of(const struct text *text, const char *position) {
    return text->before + (position - text->bytes) - text->line_start + 1;
}

static void set_mark(struct text *text) {
    text->mark = text->next;
    text->mark_line = text->line;
    text->mark_column = column_of(text, text->next);
}

/* Moves the unread bytes to the front of the block and reads more after them. Sets `ended` once the source gives no
 * bytes; a short read alone does not mean the end. */
static int fill(struct text *text, struct error *e) {
    int64_t unread = text->end - text->next;
    text->before += text->next - text->bytes;
    memmove(text->bytes, text->next, (size_t)unread);
    int64_t got = source_read(text->source, text->bytes + unread, BLOCK_BYTES - unread, e);
    text->ended = got <= 0;
    text->failed = got < 0;
    unread += got < 0 ? 0 : got;
    text->next = text->bytes;
    text->mark = text->bytes;
    text->end = text->bytes + unread;
    memset(text->bytes + unread, 0, PADDING_BYTES);
    return got < 0 ? -1 : 0;
}

/* Makes sure that LOOKAHEAD_BYTES are in the block, and marks the position for errors. */
static inline int look_ahead(struct text *text, struct error *e) {
    while (text->end - text->next < LOOKAHEAD_BYTES && !text->ended)
        if (fill(text, e) != 0)
            break;
    set_mark(text);
    return text->failed ? -1 : 0;
}

struct text *text_open(const char *path, struct error *e) {
    struct text *text = memory_zeroed(1, sizeof *text, "a text", e);
    if (text == NULL)
        return NULL;
    text->bytes = memory_new(BLOCK_BYTES + PADDING_BYTES, 1, "a block of text", e);
    text->source = text->bytes == NULL ? NULL : source_open(path, e);
    text->next = text->mark = text->end = text->bytes;
    text->line = 1;
    if (text->source == NULL || fill(text, e) != 0) {
        text_close(text);
        return NULL;
    }
    text->next += lines_mark(text->bytes);
    return text;
}

void text_close(struct text *text) {
    if (text == NULL)
        return;
    source_close(text->source);
    free(text->bytes);
    free(text);
}

int64_t text_size(const struct text *text) {
    return source_size(text->source);
}

int text_fail(const struct text *text, struct error *e, const char *format, ...) {
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return error_at(e, source_name(text->source), text->mark_line, text->mark_column, "%s", words);
}

static bool is_delimiter(char c) {
    return c == ' ' || c == '\n' || c == ':' || c == '\t' || c == '\r';
}

static bool printable(char c) {
    return c > ' ' && c < 127;
}

/* Sets the error "EXPECTED expected, not 'TEXT'", with the text at the mark. */
static int refuse(const struct text *text, const char *expected, struct error *e) {
    if (text->mark == text->end)
        return text_fail(text, e, "%s expected, but the file ends here", expected);
    if (*text->mark == '\n')
        return text_fail(text, e, "%s expected, but the line ends here", expected);
    char shown[MAX_SHOWN_BYTES + 1];
    size_t length = 0;
    const char *p = text->mark;
    do
        shown[length++] = printable(*p) || *p == ' ' ? *p : '?';
    while (++p < text->end && *p != ' ' && *p != '\n' && length < MAX_SHOWN_BYTES);
    shown[length] = '\0';
    return text_fail(text, e, "%s expected, not '%s'", expected, shown);
}

int text_peek(struct text *text, struct error *e) {
    if (look_ahead(text, e) != 0 || text->next == text->end)
        return -1;
    return (unsigned char)*text->next;
}

bool text_look(const struct text *text, const char *word) {
    return strncmp(text->next, word, strlen(word)) == 0;
}

int text_expect(struct text *text, char c, const char *expected, struct error *e) {
    if (look_ahead(text, e) != 0)
        return -1;
    if (c == '\n' && *text->next == '\r' && text->next[1] == '\n')
        text->next++;
    if (text->next == text->end || *text->next != c)
        return refuse(text, expected, e);
    text->next++;
    if (c == '\n') {
        text->line++;
        text->line_start = text->before + (text->next - text->bytes);
    }
    return 0;
}

int text_expect_blank(struct text *text, struct error *e) {
    return text_expect(text, ' ', "a blank", e);
}

int text_expect_newline(struct text *text, struct error *e) {
    return text_expect(text, '\n', "the end of the line", e);
}

int text_word(struct text *text, char *word, size_t size, const char *expected, struct error *e) {
    if (look_ahead(text, e) != 0)
        return -1;
    const char *p = text->next;
    while (p < text->end && printable(*p) && !is_delimiter(*p) && (size_t)(p - text->next) < size)
        p++;
    size_t length = (size_t)(p - text->next);
    if (length == 0 || length == size || (p < text->end && !is_delimiter(*p)))
        return refuse(text, expected, e);
    memcpy(word, text->next, length);
    word[length] = '\0';
    text->next = p;
    return 0;
}

/* The number of printable bytes in the block before the end of the word. */
static int64_t word_bytes(const struct text *text) {
    const char *p = text->next;
    while (p < text->end && printable(*p) && !is_delimiter(*p))
        p++;
    return p - text->next;
}

int text_long_word(struct text *text, int64_t max_length, char **word, const char *expected,
                   struct error *e) {
    int64_t length = 0, found, line, column;
    *word = NULL;
    if (look_ahead(text, e) != 0)
        return -1;
    line = text->mark_line;
    column = text->mark_column;
    while ((found = word_bytes(text)) > 0) {
        if (length + found > max_length)
            return text_fail(text, e, "%s is longer than %" PRId64 " bytes", expected, max_length);
        if (memory_resize((void **)word, length + found + 1, 1, expected, e) != 0)
            return -1;
        memcpy(*word + length, text->next, (size_t)found);
        text->next += found;
        length += found;
        if (look_ahead(text, e) != 0)
            return -1;
    }
    if (length == 0 || (text->next < text->end && !is_delimiter(*text->next)))
        return refuse(text, expected, e);
    (*word)[length] = '\0';
    text->mark_line = line;
    text->mark_column = column;
    return 0;
}

int text_expect_word(struct text *text, const char *word, struct error *e) {
    char found[32], expected[sizeof found + 2];
    snprintf(expected, sizeof expected, "'%s'", word);
    if (text_word(text, found, sizeof found, expected, e) != 0)
        return -1;
    return strcmp(found, word) == 0 ? 0
                                    : text_fail(text, e, "%s expected, not '%s'", expected, found);
}

int text_real(struct text *text, double *value, const char *expected, struct error *e) {
    if (look_ahead(text, e) != 0)
        return -1;
    const char *p = number_scan_short(text->next, value);
    if (p == NULL || !is_delimiter(*p))
        p = number_scan(text->next, value);
    if (p == NULL || (p < text->end && !is_delimiter(*p)) || p > text->end)
        return refuse(text, expected, e);
    if (!isfinite(*value))
        return text_fail(text, e, "%s is too large for a double", expected);
    text->next = p;
    return 0;
}

int text_integer(struct text *text, int64_t low, int64_t high, int64_t *value, const char *expected,
                 struct error *e) {
    if (look_ahead(text, e) != 0)
        return -1;
    const char *p = number_scan_integer(text->next, value);
    if (p == NULL || (p < text->end && !is_delimiter(*p)) || p > text->end)
        return refuse(text, expected, e);
    if (*value < low || *value > high)
        return text_fail(text, e, "%s is out of range: %" PRId64 " to %" PRId64, expected, low,
                         high);
    text->next = p;
    return 0;
}

int text_skip_blanks(struct text *text, struct error *e) {
    do {
        if (look_ahead(text, e) != 0)
            return -1;
        while (*text->next == ' ' || *text->next == '\t' || *text->next == '\r')
            text->next++;
    } while (text->end - text->next < LOOKAHEAD_BYTES && !text->ended);
    return look_ahead(text, e);
}

int text_expect_end(struct text *text, struct error *e) {
    if (look_ahead(text, e) != 0)
        return -1;
    return text->next == text->end ? 0 : refuse(text, "the end of the file", e);
}
