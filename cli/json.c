/* json.c - writes strings, numbers and option values as JSON. */
#include "cli/json.h"

#include "cli/options.h"
#include "io/escape.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

void json_string(FILE *stream, const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    if (text == NULL) {
        fputs("null", stream);
        return;
    }
    fputc('"', stream);
    while (*s != '\0') {
        int length = escape_utf8((const char *)s);
        if (length == 0) {
            fputs("\\ufffd", stream); /* a file name may hold any bytes */
            length = 1;
        } else if (*s == '"' || *s == '\\') {
            fprintf(stream, "\\%c", *s);
        } else if (*s < 0x20 || *s == 0x7f) {
            fprintf(stream, "\\u%04x", *s);
        } else {
            fwrite(s, 1, (size_t)length, stream);
        }
        s += length;
    }
    fputc('"', stream);
}

void json_number(FILE *stream, double value) {
    if (isfinite(value))
        fprintf(stream, "%.17g", value);
    else
        fputs("null", stream);
}

/* Writes NAME as a key, and a colon. */
static void print_key(FILE *stream, const char *name) {
    fputc('"', stream);
    for (; *name != '\0'; name++)
        fputc(*name == '-' || *name == ' ' ? '_' : tolower((unsigned char)*name), stream);
    fputs("\": ", stream);
}

void json_measures(FILE *stream, const struct measure *list, int count) {
    fputs("\"measures\": {", stream);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", stream);
        print_key(stream, list[i].name);
        json_number(stream, list[i].value);
        if (list[i].approximate) {
            char name[64];
            snprintf(name, sizeof name, "%s approximate", list[i].name);
            fputs(", ", stream);
            print_key(stream, name);
            fputs("true", stream);
        }
    }
    fputc('}', stream);
}

/* Whether a number is below its range: then it was not given. */
static bool is_unset(const struct option_row *row, double value) {
    return row->low < row->high && (value < row->low || (row->open && value == row->low));
}

static void print_value(const struct option_row *row, const void *field, FILE *stream) {
    switch (row->kind) {
    case OPTION_LEVEL:
        fprintf(stream, "%" PRId64, *(const int64_t *)field);
        break;
    case OPTION_FLAG:
    case OPTION_SWITCH:
        fputs(*(const bool *)field ? "true" : "false", stream);
        break;
    case OPTION_INTEGER:
        if (is_unset(row, (double)*(const int64_t *)field))
            fputs("null", stream);
        else
            fprintf(stream, "%" PRId64, *(const int64_t *)field);
        break;
    case OPTION_NATURAL:
        fprintf(stream, "%" PRIu64, *(const uint64_t *)field);
        break;
    case OPTION_REAL:
        json_number(stream, is_unset(row, *(const double *)field) ? NAN : *(const double *)field);
        break;
    case OPTION_TEXT:
        json_string(stream, *(const char *const *)field);
        break;
    case OPTION_CHOICE:
        json_string(stream, row->choices[*(const int *)field]);
        break;
    case OPTION_CALL:
        break;
    }
}

/* Whether the option only prints something. */
static bool asks(const struct option_row *row) {
    return strcmp(row->name, "help") == 0 || strcmp(row->name, "version") == 0;
}

void options_print_json(const struct option_group *group, FILE *stream) {
    const char *separator = "";
    for (int i = 0; i < group->count; i++) {
        const struct option_row *row = &group->rows[i];
        const void *field = (const char *)group->settings + row->offset;
        if (row->help == NULL || row->name == NULL || row->kind == OPTION_CALL || asks(row))
            continue;
        fputs(separator, stream);
        print_key(stream, row->name);
        print_value(row, field, stream);
        separator = ", ";
    }
}
