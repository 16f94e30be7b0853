/* table.h - reads a table with one record on each line: fields between commas, tabs or semicolons, as spreadsheets
 * write them (RFC 4180).
 *
 * A field may stand between double quotes; within them separators and line ends are text, and two quotes are one.
 * Blanks around a field without quotes do not belong to it. Empty lines are skipped. */
#ifndef RRM_TABLE_H
#define RRM_TABLE_H

#include "io/error.h"
#include "io/line_walk.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct table;

struct record {
    int64_t count; /* fields */
    /* text without quotes; 16 more bytes are readable behind it, the first one is 0 */
    struct word *field;
    struct word raw; /* the record as it stands in the file, without its line end */
    int64_t line;    /* where it begins, from 1 */
};

/* Opens a plain or gzip file; "-" is standard input. SEPARATOR 0: a tab if the first line has one, otherwise the more
 * frequent one of comma and semicolon, the semicolon with DECIMAL_COMMA. NULL with the error set. */
struct table *table_open(const char *path, char separator, bool decimal_comma, struct error *e);

void table_close(struct table *table);

char table_separator(const struct table *table);
const char *table_name(const struct table *table);

/* The next record, in *record until the next call. 1, 0 at the end, -1 with the error set: a record with another number
 * of fields than the first one, a quote that does not end, text behind a quote. */
int table_next(struct table *table, struct record *record, struct error *e);

/* The record that table_next gives after the present one, which stays as it is. Call it once for each record at most.
 * 1, 0, -1 as table_next. */
int table_peek(struct table *table, struct record *record, struct error *e);

/* Prints TEXT as a field: between quotes where it needs them. */
void table_print_field(const char *text, char separator, FILE *stream);

/* Refuses a record: "FILE:LINE: reason". Returns -1. */
int table_refuse(const struct table *table, const struct record *record, struct error *e,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
