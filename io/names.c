/* names.c - reads the names of labels and features. */
#include "io/names.h"

#include "io/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(unsigned char c) {
    return c > ' ' && c != '=' && c != '%' && c != 127;
}

char *name_encode(char *out, const char *text, int64_t length) {
    static const char digits[] = "0123456789ABCDEF";
    for (int64_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (is_plain(c)) {
            *out++ = (char)c;
        } else {
            *out++ = '%';
            *out++ = digits[c >> 4];
            *out++ = digits[c & 15];
        }
    }
    return out;
}

static int hexadecimal(char c) {
    const char *digits = "0123456789ABCDEF", *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)(at - digits);
}

/* The character of the %XX at TEXT, or -1. */
static int encoded(const char *text) {
    int high = *text == '%' ? hexadecimal(text[1]) : -1;
    int low = high >= 0 ? hexadecimal(text[2]) : -1;
    return low >= 0 ? 16 * high + low : -1;
}

/* Replaces each %XX of a character from LEAST on. */
static void decode(char *name, int least) {
    char *out = name;
    for (const char *p = name; *p != '\0'; p++) {
        int c = encoded(p);
        bool replaces = c >= least && c != 127;
        *out++ = replaces ? (char)c : *p;
        p += replaces ? 2 : 0;
    }
    *out = '\0';
}

void name_decode(char *name) {
    decode(name, 1);
}

void name_show(char *name) {
    decode(name, ' ');
}

static int read_entry(const struct line_walk *walk, struct word line, struct names_entry *entry,
                      struct error *e) {
    struct word kind = word_take(&line);
    struct word number = word_take(&line);
    int64_t feature;
    entry->name = word_take(&line);
    if (!word_is(kind, "label") && !word_is(kind, "feature"))
        return line_walk_refuse(walk, e, "'label NUMBER NAME' or 'feature NUMBER NAME' expected");
    entry->kind = word_is(kind, "label") ? NAMES_LABEL : NAMES_FEATURE;
    bool valid = entry->kind == NAMES_LABEL ? word_real(number, &entry->number)
                                            : word_integer(number, &feature);
    if (!valid)
        return line_walk_refuse(walk, e, "%s expected, not '%.*s'",
                                entry->kind == NAMES_LABEL ? "the number of a label"
                                                           : "a number from 1",
                                word_shown(number), number.text);
    if (entry->kind == NAMES_FEATURE)
        entry->number = (double)feature;
    if (entry->name.length == 0)
        return line_walk_refuse(walk, e, "a name expected behind the number");
    if (line.length > 0)
        return line_walk_refuse(walk, e, "a name has no blanks, but '%.*s' follows",
                                word_shown(line), line.text);
    return 1;
}

/* Whether the comment is "# label column: NAME", which is then the entry. */
static bool read_label_column(struct word line, struct names_entry *entry) {
    struct word hash = word_take(&line), label = word_take(&line), column = word_take(&line);
    *entry = (struct names_entry){NAMES_LABEL_COLUMN, 0, word_take(&line)};
    return word_is(hash, "#") && word_is(label, "label") && word_is(column, "column:") &&
           entry->name.length > 0 && line.length == 0;
}

int names_next(struct line_walk *walk, struct names_entry *entry, struct error *e) {
    struct word line;
    int more;
    while ((more = line_walk_next(walk, &line, e)) == 1) {
        bool comment = line.length > 0 && line.text[0] == '#';
        if (comment && read_label_column(line, entry))
            return 1;
        if (line.length > 0 && !comment)
            return read_entry(walk, line, entry, e);
    }
    return more;
}

/* The index of NUMBER among the labels; COUNT: there is none. The search begins at *next, the index after the last
 * label that was found, since most files have the order of the model. */
static int64_t find_label(const double *label, int64_t count, double number, int64_t *next) {
    int64_t steps = 0, k = *next < count ? *next : 0;
    while (steps < count && label[k] != number) {
        k = k + 1 < count ? k + 1 : 0;
        steps++;
    }
    if (steps == count)
        return count;
    *next = k + 1;
    return k;
}

/* The index of the label that has the name, or COUNT. */
static int64_t find_name(char *const *names, int64_t count, struct word name) {
    int64_t k = 0;
    while (k < count && (names[k] == NULL || !word_is(name, names[k])))
        k++;
    return k;
}

static int read_labels(struct line_walk *walk, const double *label, int64_t count, char **names,
                       struct error *e) {
    struct names_entry entry;
    int64_t next = 0;
    int more;
    while ((more = names_next(walk, &entry, e)) == 1) {
        int64_t k =
            entry.kind == NAMES_LABEL ? find_label(label, count, entry.number, &next) : count;
        if (k == count)
            continue;
        if (names[k] != NULL)
            return line_walk_refuse(walk, e, "label %.17g has a name already, '%.*s'", label[k], 40,
                                    names[k]);
        int64_t other = find_name(names, count, entry.name);
        if (other < count)
            return line_walk_refuse(walk, e, "label %.17g has this name already, '%.*s'",
                                    label[other], word_shown(entry.name), entry.name.text);
        names[k] = memory_text(entry.name.text, entry.name.length, "a name", e);
        if (names[k] == NULL)
            return -1;
    }
    return more;
}

static int check_labels(const char *path, const double *label, int64_t count, char **names,
                        struct error *e) {
    for (int64_t k = 0; k < count; k++)
        if (names[k] == NULL)
            return error_file(e, path, "no name for label %.17g of the model", label[k]);
    return 0;
}

const char *const *names_read(const char *path, const double *label, int64_t count,
                              struct error *e) {
    struct line_walk *walk = line_walk_open(path, e);
    char **names = walk == NULL ? NULL : memory_zeroed(count, sizeof *names, "names", e);
    if (names != NULL && (read_labels(walk, label, count, names, e) != 0 ||
                          check_labels(path, label, count, names, e) != 0)) {
        names_free((const char *const *)names, count);
        names = NULL;
    }
    line_walk_close(walk);
    return (const char *const *)names;
}

const char *const *names_read_shown(const char *path, const double *label, int64_t count,
                                    struct error *e) {
    const char *const *names = names_read(path, label, count, e);
    for (int64_t k = 0; names != NULL && k < count; k++)
        name_show((char *)names[k]);
    return names;
}

void names_free(const char *const *names, int64_t count) {
    for (int64_t k = 0; names != NULL && k < count; k++)
        free((void *)names[k]);
    free((void *)names);
}
