/* convert_notes.c - notes on columns that may not be what the table's author means. */
#include "data/convert.h"

#include "io/escape.h"
#include "io/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Whether each text of the column is a feature or a class, and no option said so. */
static bool has_texts(const struct table_column *column) {
    return column->texts > 0 && !column->forced &&
           (column->kind == COLUMN_CATEGORY || column->kind == COLUMN_LABEL);
}

/* Texts beside numbers. */
static void note_mixed(const struct table_column *column) {
    if (!has_texts(column) || column->numbers == 0)
        return;
    fprintf(stderr, "column %s has %" PRId64 " numbers and %" PRId64 " other texts, such as '",
            column->name, column->numbers, column->texts);
    escape_print(column->text, stderr);
    fprintf(stderr, "': each %s\n",
            column->kind == COLUMN_LABEL ? "number or text is a class of its own"
                                         : "text is a feature of its own");
}

/* Nearly each row has a text of its own: a key or a date, which says nothing about other rows. */
static void note_distinct(const struct table_column *column) {
    enum { LEAST_VALUES = 10 };
    char name[512];
    int64_t values = column->texts + column->numbers;
    if (!has_texts(column) || values < LEAST_VALUES || 2 * column->distinct <= values)
        return;
    snprintf(name, sizeof name, "%s", column->name);
    name_show(name);
    fprintf(stderr,
            "column %s has %" PRId64 " different texts in %" PRId64
            " fields, each a feature of its own; --ignore '",
            column->name, column->distinct, values);
    escape_print(name, stderr);
    fputs("' leaves it out\n", stderr);
}

/* A comma that is read as if it began the fraction. */
static void note_decimal_comma(const struct table_column *column, double value) {
    fprintf(
        stderr,
        "column %s: behind every comma there are three digits; '%s' is read as %g; if these are "
        "thousands separators, write the numbers without commas\n",
        column->name, column->comma, value);
}

/* Numbers with commas that are texts. */
static void note_texts(const struct table_column *column, bool decimal, double value) {
    fprintf(stderr, "column %s has the text '%s'", column->name, column->comma);
    if (column->decimals == 0 && (column->numbers > 0 || !decimal))
        fputs(": its commas look like thousands separators; write the numbers without commas\n",
              stderr);
    else
        fprintf(stderr, "; --decimal comma reads it as the number %g%s\n", value,
                column->decimals > 0
                    ? ""
                    : "; if the comma is a thousands separator, write the numbers without commas");
}

static void note_commas(const struct table_columns *columns, const struct table_column *column) {
    double value = 0;
    struct word comma = {column->comma, (int64_t)strlen(column->comma)};
    bool decimal = field_number(comma, true, &value);
    if (column->groups + column->decimals == 0 || column->forced ||
        column->kind == COLUMN_IGNORED || column->kind == COLUMN_GROUP)
        return;
    if (!columns->decimal_comma || !decimal)
        note_texts(column, decimal, value);
    else if (column->decimals == 0)
        note_decimal_comma(column, value);
}

void table_columns_note(const struct table_columns *columns) {
    for (int64_t j = 0; j < columns->count; j++)
        note_mixed(&columns->column[j]);
    for (int64_t j = 0; j < columns->count; j++)
        note_distinct(&columns->column[j]);
    for (int64_t j = 0; j < columns->count; j++)
        note_commas(columns, &columns->column[j]);
}

void table_columns_note_followed(const struct table_columns *columns) {
    int64_t unknown = table_columns_find(columns, COLUMN_UNKNOWN), count = 0;
    for (int64_t j = 0; j < columns->count; j++)
        count += columns->column[j].kind == COLUMN_UNKNOWN;
    if (columns->absent > 0)
        fprintf(stderr,
                "columns of --names that the table does not have, which count as 0: %" PRId64
                ", such as %s\n",
                columns->absent, columns->absentee);
    if (unknown >= 0)
        fprintf(stderr, "columns that --names does not have, left out: %" PRId64 ", such as %s\n",
                count, columns->column[unknown].name);
}

/* Whether the name could be meant as the number of another column. */
static bool is_other_number(const struct table_columns *columns, int64_t column) {
    char *end;
    long long number = strtoll(columns->column[column].name, &end, 10);
    return *end == '\0' && number >= 1 && number <= columns->count && number != column + 1;
}

void table_columns_note_label(const struct table_columns *columns) {
    int64_t label = table_columns_find(columns, COLUMN_LABEL);
    if (label < 0)
        return;
    fprintf(stderr, "the label is column %" PRId64, label + 1);
    if (columns->header)
        fprintf(stderr, ", %s%s", columns->column[label].name,
                is_other_number(columns, label) ? " (this is its name)" : "");
    fputc('\n', stderr);
}
