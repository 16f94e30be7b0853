/* table.c - reads records of fields between separators. */
#include "data/table.h"

#include "io/lines.h"
#include "io/memory.h"
#include "io/number.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What a record is read into. */
struct space {
    char *raw, *text; /* the record, and its fields without quotes */
    int64_t raw_space, text_space, length;
    struct word *field;
    int64_t field_space;
};

struct table {
    struct line_walk *walk;
    char separator;
    bool decimal_comma;
    int64_t width;       /* fields of the first record; 0: not read yet */
    struct space now;    /* of the record that is being read */
    struct space other;  /* of the record before or after it, with table_peek */
    struct record ahead; /* that table_peek read, if `peeked` */
    int ahead_status;
    bool peeked;
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

static void space_free(struct space *space) {
    free(space->raw);
    free(space->text);
    free(space->field);
}

void table_close(struct table *table) {
    if (table == NULL)
        return;
    line_walk_close(table->walk);
    space_free(&table->now);
    space_free(&table->other);
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
    if (table->now.length + line.length > LINES_LIMIT)
        return line_walk_refuse(table->walk, e, "a record of more than %d bytes", LINES_LIMIT);
    if (memory_reserve((void **)&table->now.raw, &table->now.raw_space,
                       table->now.length + line.length + 1, 1, "a record", e) != 0)
        return -1;
    memcpy(table->now.raw + table->now.length, line.text, (size_t)line.length);
    table->now.length += line.length;
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
    for (parse->at++; parse->at < table->now.length; parse->at++) {
        char c = table->now.raw[parse->at];
        if (c == '"' &&
            (parse->at + 1 == table->now.length || table->now.raw[parse->at + 1] != '"')) {
            parse->at++;
            return 1;
        }
        parse->at += c == '"';
        table->now.text[parse->out++] = c;
    }
    return 0;
}

static void take_plain(struct table *table, struct parse *parse) {
    int64_t begin = parse->out;
    while (parse->at < table->now.length && table->now.raw[parse->at] != table->separator)
        table->now.text[parse->out++] = table->now.raw[parse->at++];
    while (parse->out > begin && is_blank(table->now.text[parse->out - 1], table->separator))
        parse->out--;
}

/* Reads the fields of what was read so far. 1; 0: a quote is open; -1 with the error set. */
static int split(struct table *table, struct record *record, struct error *e) {
    struct parse parse = {0};
    record->count = 0;
    for (bool more = true; more; parse.at++) {
        if (memory_reserve((void **)&table->now.field, &table->now.field_space, record->count + 1,
                           sizeof *table->now.field, "fields", e) != 0)
            return -1;
        while (parse.at < table->now.length && is_blank(table->now.raw[parse.at], table->separator))
            parse.at++;
        int64_t begin = parse.out;
        if (parse.at < table->now.length && table->now.raw[parse.at] == '"') {
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
        table->now.field[record->count++] =
            (struct word){table->now.text + begin, parse.out - begin};
        table->now.text[parse.out++] = '\0';
        more = parse.at < table->now.length; /* at a separator */
    }
    return 1;
}

/* Splits the record; reads further lines while a quote is open. */
static int complete(struct table *table, struct record *record, struct error *e) {
    for (;;) {
        if (table->separator == 0 && table->now.length > 0)
            table->separator =
                find_separator(table->now.raw, table->now.length, table->decimal_comma);
        if (memory_reserve((void **)&table->now.text, &table->now.text_space,
                           table->now.length + NUMBER_PADDING + 2, 1, "fields", e) != 0)
            return -1;
        int whole = split(table, record, e);
        if (whole != 0)
            return whole == 1 ? 0 : -1;
        table->now.raw[table->now.length++] = '\n';
        int more = append_line(table, e);
        if (more != 1)
            return more < 0
                       ? -1
                       : table_refuse(table, record, e, "a quote that begins here does not end");
    }
}

static int read_record(struct table *table, struct record *record, struct error *e) {
    do {
        table->now.length = 0;
        int more = append_line(table, e);
        if (more != 1)
            return more;
        record->line = line_walk_line(table->walk);
        if (complete(table, record, e) != 0)
            return -1;
    } while (record->count == 1 && table->now.field[0].length == 0);
    record->field = table->now.field;
    record->raw = (struct word){table->now.raw, table->now.length};
    if (table->width == 0)
        table->width = record->count;
    if (record->count == table->width)
        return 1;
    return table_refuse(table, record, e, "%lld fields, where the first line has %lld",
                        (long long)record->count, (long long)table->width);
}

static void swap_spaces(struct table *table) {
    struct space now = table->now;
    table->now = table->other;
    table->other = now;
}

int table_next(struct table *table, struct record *record, struct error *e) {
    if (!table->peeked)
        return read_record(table, record, e);
    swap_spaces(table);
    table->peeked = false;
    *record = table->ahead;
    return table->ahead_status;
}

int table_peek(struct table *table, struct record *record, struct error *e) {
    swap_spaces(table);
    table->ahead_status = read_record(table, &table->ahead, e);
    swap_spaces(table);
    table->peeked = true;
    *record = table->ahead;
    return table->ahead_status;
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
