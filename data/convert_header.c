/* convert_header.c - whether the first line of a table has the names of the columns. */
#include "data/convert.h"

#include <stdlib.h>
#include <string.h>

/* A header has no numbers and no missing names, but for that of row numbers in the first column, which pandas leaves
 * empty. */
static bool has_only_names(const struct record *first, bool decimal_comma) {
    double value;
    int64_t begin = first->count > 1 && first->field[0].length == 0 ? 1 : 0;
    for (int64_t j = begin; j < first->count; j++)
        if (field_missing(first->field[j]) || field_number(first->field[j], decimal_comma, &value))
            return false;
    return true;
}

/* Whether the field is a text that does not begin as a number does: no 1,5, no Inf. */
static bool is_name(struct word field) {
    char *end;
    strtod(field.text, &end);
    return !field_missing(field) && strchr("+-.0123456789", *field.text) == NULL && *end != '\0';
}

/* Whether a column has a name in the first record and a number in the second. */
static bool has_name_above_number(const struct record *first, const struct record *second,
                                  bool decimal_comma) {
    double value;
    for (int64_t j = 0; j < first->count; j++)
        if (is_name(first->field[j]) && field_number(second->field[j], decimal_comma, &value))
            return true;
    return false;
}

/* Whether the fields differ, as names must: 1, 0, or -1 with the error set. */
static int fields_differ(const struct record *first, struct error *e) {
    struct words seen = {0};
    int64_t number = 0;
    for (int64_t j = 0; j < first->count && number == j; j++)
        number = words_add(&seen, first->field[j].text, first->field[j].length, e) + 1;
    int differ = number == 0 ? -1 : number == first->count;
    words_free(&seen);
    return differ;
}

int table_columns_find_header(struct table_columns *columns,
                              const struct convert_settings *settings, struct table *table,
                              const struct record *first, struct error *e) {
    struct record second;
    columns->header =
        settings->header == HEADER_AUTO
            ? has_only_names(first, columns->decimal_comma) || word_is(first->field[0], "label")
            : settings->header == HEADER_ON;
    if (columns->header || settings->header != HEADER_AUTO)
        return 0;
    int more = table_peek(table, &second, e);
    if (more != 1)
        return more;
    int differ =
        has_name_above_number(first, &second, columns->decimal_comma) ? fields_differ(first, e) : 0;
    columns->header = columns->header_guessed = differ == 1;
    return differ < 0 ? -1 : 0;
}
