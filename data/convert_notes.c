/* convert_notes.c - notes on columns that may not be what the table's author means. */
#include "data/convert.h"

#include "io/escape.h"

#include <inttypes.h>
#include <string.h>

/* Whether each text of the column is a feature or a class, and no option said so. */
static bool has_texts(const struct table_column *column) {
    return column->texts > 0 && !column->forced &&
           (column->kind == COLUMN_CATEGORY || column->kind == COLUMN_LABEL);
}

/* Texts beside more numbers. */
static void note_mixed(const struct table_column *column) {
    if (!has_texts(column) || column->numbers <= column->texts)
        return;
    fprintf(stderr, "column %s has %" PRId64 " numbers and %" PRId64 " other texts, such as '",
            column->name, column->numbers, column->texts);
    escape_print(column->text, stderr);
    fprintf(stderr, "': each %s\n",
            column->kind == COLUMN_LABEL ? "number or text is a class of its own"
                                         : "text is a feature of its own");
}

/* Texts that are numbers with a decimal comma. */
static void note_commas(const struct table_columns *columns, const struct table_column *column) {
    double value;
    struct word text = {column->text, (int64_t)strlen(column->text)};
    if (has_texts(column) && !columns->decimal_comma && field_number(text, true, &value))
        fprintf(stderr, "column %s has the text '%s'; --decimal comma reads it as the number %g\n",
                column->name, column->text, value);
}

void table_columns_note(const struct table_columns *columns) {
    for (int64_t j = 0; j < columns->count; j++)
        note_mixed(&columns->column[j]);
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

void table_columns_note_label(const struct table_columns *columns) {
    int64_t label = table_columns_find(columns, COLUMN_LABEL);
    if (label < 0)
        return;
    fprintf(stderr, "the label is column %" PRId64, label + 1);
    if (columns->header)
        fprintf(stderr, ", %s", columns->column[label].name);
    fputc('\n', stderr);
}
