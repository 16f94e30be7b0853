/* text.c - words and numbers of a text with their places.
 *
 * The block always holds LOOKAHEAD bytes beyond the next one, or all that is left of the file, and
 * zeros behind them; so a scanner needs no bounds, and a longer word meets a zero and is refused.
 */
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

enum { BLOCK = 1 << 18, LOOKAHEAD = 1 << 11, PADDING = 64, SHOWN = 40 };

struct text {
    struct source *source;
    char *bytes;
    const char *next;   /* not taken yet */
    const char *end;    /* of the bytes held */
    const char *mark;   /* beginning of the last word; within the block until the next fill */
    int64_t line;       /* of `next`, from 1 */
    int64_t before;     /* bytes of the file before `bytes` */
    int64_t line_start; /* in the file */
    int64_t mark_line, mark_column;
    bool failed; /* reading did, and the error is set */
    bool ended;  /* the source has no more */
};

static int64_t column_of(const struct text *text, const char *place) {
    return text->before + (place - text->bytes) - text->line_start + 1;
}

static void set_mark(struct text *text) {
    text->mark = text->next;
    text->mark_line = text->line;
    text->mark_column = column_of(text, text->next);
}

/* Moves what is left to the front and reads behind it. A short read comes before the end or a
 * fault, which only the next one tells apart. */
static int fill(struct text *text, struct error *e) {
    int64_t held = text->end - text->next;
    text->before += text->next - text->bytes;
    memmove(text->bytes, text->next, (size_t)held);
    int64_t got = source_read(text->source, text->bytes + held, BLOCK - held, e);
    text->ended = got <= 0;
    text->failed = got < 0;
    held += got < 0 ? 0 : got;
    text->next = text->bytes;
    text->mark = text->bytes;
    text->end = text->bytes + held;
    memset(text->bytes + held, 0, PADDING);
    return got < 0 ? -1 : 0;
}

/* Makes LOOKAHEAD bytes visible, and marks the place. */
static inline int begin(struct text *text, struct error *e) {
    while (text->end - text->next < LOOKAHEAD && !text->ended)
        if (fill(text, e) != 0)
            break;
    set_mark(text);
    return text->failed ? -1 : 0;
}

struct text *text_open(const char *path, struct error *e) {
    struct text *text = memory_zeroed(1, sizeof *text, "a text", e);
    if (text == NULL)
        return NULL;
    text->bytes = memory_new(BLOCK + PADDING, 1, "a block of text", e);
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

static bool ends_word(char c) {
    return c == ' ' || c == '\n' || c == ':' || c == '\t' || c == '\r';
}

static bool printable(char c) {
    return c > ' ' && c < 127;
}

/* "EXPECTED expected, not 'what stands there'" */
static int refuse(const struct text *text, const char *expected, struct error *e) {
    if (text->mark == text->end)
        return text_fail(text, e, "%s expected, but the file ends here", expected);
    if (*text->mark == '\n')
        return text_fail(text, e, "%s expected, but the line ends here", expected);
    char shown[SHOWN + 1];
    size_t length = 0;
    const char *p = text->mark;
    do
        shown[length++] = printable(*p) || *p == ' ' ? *p : '?';
    while (++p < text->end && *p != ' ' && *p != '\n' && length < SHOWN);
    shown[length] = '\0';
    return text_fail(text, e, "%s expected, not '%s'", expected, shown);
}

int text_peek(struct text *text, struct error *e) {
    if (begin(text, e) != 0 || text->next == text->end)
        return -1;
    return (unsigned char)*text->next;
}

bool text_look(const struct text *text, const char *word) {
    return strncmp(text->next, word, strlen(word)) == 0;
}

int text_expect(struct text *text, char c, const char *expected, struct error *e) {
    if (begin(text, e) != 0)
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

int text_word(struct text *text, char *word, size_t size, const char *expected, struct error *e) {
    if (begin(text, e) != 0)
        return -1;
    const char *p = text->next;
    while (p < text->end && printable(*p) && !ends_word(*p) && (size_t)(p - text->next) < size)
        p++;
    size_t length = (size_t)(p - text->next);
    if (length == 0 || length == size || (p < text->end && !ends_word(*p)))
        return refuse(text, expected, e);
    memcpy(word, text->next, length);
    word[length] = '\0';
    text->next = p;
    return 0;
}

/* The printable bytes at hand before an end of a word. */
static int64_t visible(const struct text *text) {
    const char *p = text->next;
    while (p < text->end && printable(*p) && !ends_word(*p))
        p++;
    return p - text->next;
}

int text_long_word(struct text *text, int64_t most, char **word, const char *expected,
                   struct error *e) {
    int64_t length = 0, found, line, column;
    *word = NULL;
    if (begin(text, e) != 0)
        return -1;
    line = text->mark_line;
    column = text->mark_column;
    while ((found = visible(text)) > 0) {
        if (length + found > most)
            return text_fail(text, e, "%s is longer than %" PRId64 " bytes", expected, most);
        if (memory_resize((void **)word, length + found + 1, 1, expected, e) != 0)
            return -1;
        memcpy(*word + length, text->next, (size_t)found);
        text->next += found;
        length += found;
        if (begin(text, e) != 0)
            return -1;
    }
    if (length == 0 || (text->next < text->end && !ends_word(*text->next)))
        return refuse(text, expected, e);
    (*word)[length] = '\0';
    text->mark_line = line;
    text->mark_column = column;
    return 0;
}

int text_real(struct text *text, double *value, const char *expected, struct error *e) {
    if (begin(text, e) != 0)
        return -1;
    const char *p = number_scan_short(text->next, value);
    if (p == NULL || !ends_word(*p))
        p = number_scan(text->next, value);
    if (p == NULL || (p < text->end && !ends_word(*p)) || p > text->end)
        return refuse(text, expected, e);
    if (!isfinite(*value))
        return text_fail(text, e, "%s is too large for a double", expected);
    text->next = p;
    return 0;
}

int text_integer(struct text *text, int64_t low, int64_t high, int64_t *value, const char *expected,
                 struct error *e) {
    if (begin(text, e) != 0)
        return -1;
    const char *p = number_scan_integer(text->next, value);
    if (p == NULL || (p < text->end && !ends_word(*p)) || p > text->end)
        return refuse(text, expected, e);
    if (*value < low || *value > high)
        return text_fail(text, e, "%s is out of range: %" PRId64 " to %" PRId64, expected, low,
                         high);
    text->next = p;
    return 0;
}

int text_skip_blanks(struct text *text, struct error *e) {
    do {
        if (begin(text, e) != 0)
            return -1;
        while (*text->next == ' ' || *text->next == '\t' || *text->next == '\r')
            text->next++;
    } while (text->end - text->next < LOOKAHEAD && !text->ended);
    return begin(text, e);
}

int text_expect_end(struct text *text, struct error *e) {
    if (begin(text, e) != 0)
        return -1;
    return text->next == text->end ? 0 : refuse(text, "the end of the file", e);
}
