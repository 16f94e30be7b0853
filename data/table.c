/* table.c - reads records of fields between separators. */
#include "data/table.h"

#include "io/lines.h"
#include "io/memory.h"
#include "io/number.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct table {
    struct line_walk *walk;
    char separator;
    bool decimal_comma;
    int64_t width;    /* fields of the first record; 0: not read yet */
    char *raw, *text; /* the record, and its fields without quotes */
    int64_t raw_space, text_space, length;
    struct word *field;
    int64_t field_space;
};

struct table *table_open(const char *path, char separator, bool decimal_comma, struct error *e) {
    struct table *table = memory_zeroed(1, sizeof *table, "a reader of tables", e);
    if (table == NULL)
        return NULL;
    table->separator = separator;
    table->decimal_comma = decimal_comma;
    table->walk = line_walk_open(path, e);
    if (table->walk == NULL) {
        table_close(table);
        return NULL;
    }
    return table;
}

void table_close(struct table *table) {
    if (table == NULL)
        return;
    line_walk_close(table->walk);
    free(table->raw);
    free(table->text);
    free(table->field);
    free(table);
}

char table_separator(const struct table *table) {
    return table->separator;
}

const char *table_name(const struct table *table) {
    return line_walk_name(table->walk);
}

int table_refuse(const struct table *table, const struct record *record, struct error *e,
                 const char *format, ...) {
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return error_at(e, table_name(table), record->line, 0, "%s", words);
}

/* Appends the next line to the record, with the tabs and blanks at its end. 1, 0 at the end, -1. */
static int append_line(struct table *table, struct error *e) {
    struct word line;
    int more = line_walk_next(table->walk, &line, e);
    if (more != 1)
        return more;
    while (line.text[line.length] == ' ' || line.text[line.length] == '\t')
        line.length++;
    if (table->length + line.length > LINES_LIMIT)
        return line_walk_refuse(table->walk, e, "a record of more than %d bytes", LINES_LIMIT);
    if (memory_reserve((void **)&table->raw, &table->raw_space, table->length + line.length + 1, 1,
                       "a record", e) != 0)
        return -1;
    memcpy(table->raw + table->length, line.text, (size_t)line.length);
    table->length += line.length;
    return 1;
}

static bool is_blank(char c, char separator) {
    return (c == ' ' || c == '\t') && c != separator;
}

/* Of the first line, outside of quotes. */
static char find_separator(const char *text, int64_t length, bool decimal_comma) {
    int64_t commas = 0, semicolons = 0;
    bool quoted = false;
    for (int64_t i = 0; i < length; i++) {
        quoted ^= text[i] == '"';
        if (!quoted && text[i] == '\t')
            return '\t';
        commas += !quoted && text[i] == ',';
        semicolons += !quoted && text[i] == ';';
    }
    return semicolons > commas || (decimal_comma && semicolons > 0) ? ';' : ',';
}

/* Where reading a record has come to. */
struct parse {
    int64_t at;  /* in raw */
    int64_t out; /* in text */
};

/* Copies the quoted field that begins at the quote parse->at. 1; 0: the quotes do not end in what was read so far. */
static int take_quoted(struct table *table, struct parse *parse) {
    for (parse->at++; parse->at < table->length; parse->at++) {
        char c = table->raw[parse->at];
        if (c == '"' && (parse->at + 1 == table->length || table->raw[parse->at + 1] != '"')) {
            parse->at++;
            return 1;
        }
        parse->at += c == '"';
        table->text[parse->out++] = c;
    }
    return 0;
}

static void take_plain(struct table *table, struct parse *parse) {
    int64_t begin = parse->out;
    while (parse->at < table->length && table->raw[parse->at] != table->separator)
        table->text[parse->out++] = table->raw[parse->at++];
    while (parse->out > begin && is_blank(table->text[parse->out - 1], table->separator))
        parse->out--;
}

/* Reads the fields of what was read so far. 1; 0: a quote is open; -1 with the error set. */
static int split(struct table *table, struct record *record, struct error *e) {
    struct parse parse = {0};
    record->count = 0;
    for (bool more = true; more; parse.at++) {
        if (memory_reserve((void **)&table->field, &table->field_space, record->count + 1,
                           sizeof *table->field, "fields", e) != 0)
            return -1;
        while (parse.at < table->length && is_blank(table->raw[parse.at], table->separator))
            parse.at++;
        int64_t begin = parse.out;
        if (parse.at < table->length && table->raw[parse.at] == '"') {
            if (!take_quoted(table, &parse))
                return 0;
            int64_t end = parse.out;
            take_plain(table, &parse);
            if (parse.out > end)
                return table_refuse(table, record, e, "field %lld has text behind its quotes",
                                    (long long)record->count + 1);
        } else {
            take_plain(table, &parse);
        }
        table->field[record->count++] = (struct word){table->text + begin, parse.out - begin};
        table->text[parse.out++] = '\0';
        more = parse.at < table->length; /* at a separator */
    }
    return 1;
}

/* Splits the record; reads further lines while a quote is open. */
static int complete(struct table *table, struct record *record, struct error *e) {
    for (;;) {
        if (table->separator == 0 && table->length > 0)
            table->separator = find_separator(table->raw, table->length, table->decimal_comma);
        if (memory_reserve((void **)&table->text, &table->text_space,
                           table->length + NUMBER_PADDING + 2, 1, "fields", e) != 0)
            return -1;
        int whole = split(table, record, e);
        if (whole != 0)
            return whole == 1 ? 0 : -1;
        table->raw[table->length++] = '\n';
        int more = append_line(table, e);
        if (more != 1)
            return more < 0
                       ? -1
                       : table_refuse(table, record, e, "a quote that begins here does not end");
    }
}

int table_next(struct table *table, struct record *record, struct error *e) {
    do {
        table->length = 0;
        int more = append_line(table, e);
        if (more != 1)
            return more;
        record->line = line_walk_line(table->walk);
        if (complete(table, record, e) != 0)
            return -1;
    } while (record->count == 1 && table->field[0].length == 0);
    record->field = table->field;
    record->raw = (struct word){table->raw, table->length};
    if (table->width == 0)
        table->width = record->count;
    if (record->count == table->width)
        return 1;
    return table_refuse(table, record, e, "%lld fields, where the first line has %lld",
                        (long long)record->count, (long long)table->width);
}

/* Whether TEXT would be another field, or two, without quotes. */
static bool needs_quotes(const char *text, char separator) {
    size_t length = strlen(text);
    return strpbrk(text, "\"\r\n") != NULL || strchr(text, separator) != NULL ||
           (length > 0 && (is_blank(text[0], separator) || is_blank(text[length - 1], separator)));
}

void table_print_field(const char *text, char separator, FILE *stream) {
    if (!needs_quotes(text, separator)) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}
