/* convert_columns.c - what the columns of a table are: numbers, categories, the label; and how names are written. */
#include "data/convert.h"

#include "io/memory.h"
#include "io/names.h"
#include "io/svmlight/svmlight.h"

#include <stdlib.h>
#include <string.h>

static char *name_of(const struct table_columns *columns, const struct record *first, int64_t j,
                     struct error *e) {
    char number[24];
    struct word field = first->field[j];
    if (!columns->header || field.length == 0)
        field = (struct word){number, snprintf(number, sizeof number, "%lld", (long long)j + 1)};
    char *name = memory_new(3 * field.length + 1, 1, "a name", e);
    if (name != NULL)
        *name_encode(name, field.text, field.length) = '\0';
    return name;
}

/* The names must differ. */
static int check_names(const struct table_columns *columns, const struct table *table,
                       const struct record *first, struct error *e) {
    struct words seen = {0};
    int status = 0;
    for (int64_t j = 0; j < columns->count && status == 0; j++) {
        const char *name = columns->column[j].name;
        int64_t length = (int64_t)strlen(name);
        if (words_find(&seen, name, length) >= 0)
            status = table_refuse(table, first, e, "two columns with the name '%.100s'", name);
        else
            status = words_add(&seen, name, length, e) < 0 ? -1 : 0;
    }
    words_free(&seen);
    return status;
}

/* The column with this name, or -1. */
static int64_t find_name(const struct table_columns *columns, const char *text, int64_t length) {
    char name[512];
    int64_t j = columns->count - 1;
    if (3 * length >= (int64_t)sizeof name)
        return -1;
    *name_encode(name, text, length) = '\0';
    while (j >= 0 && strcmp(columns->column[j].name, name) != 0)
        j--;
    return j;
}

/* The column by its name or its number from 1; -1 with the error set. */
static int64_t find_column(const struct table_columns *columns, const struct table *table,
                           const char *option, const char *text, int64_t length, struct error *e) {
    struct word word = {text, length};
    int64_t j = find_name(columns, text, length);
    if (j >= 0)
        return j;
    char *end;
    long long number = strtoll(text, &end, 10);
    if (length > 0 && end == text + length && number >= 1 && number <= columns->count)
        return number - 1;
    error_usage(e, "%s %.*s: the table %.200s has no such column; it has %lld", option,
                word_shown(word), text, table_name(table), (long long)columns->count);
    return -1;
}

/* The first name of the list, which may stand between quotes; the whole list, if a column has it as name. *list: the
 * names behind it, or NULL. */
static struct word take_name(const struct table_columns *columns, const char **list) {
    const char *text = *list, *end = text + strlen(text);
    bool whole = find_name(columns, text, end - text) >= 0;
    const char *quote = *text == '"' ? strchr(text + 1, '"') : NULL;
    bool quoted = !whole && quote != NULL && (quote[1] == ',' || quote[1] == '\0');
    if (quoted)
        end = quote + 1;
    else if (!whole)
        end = text + strcspn(text, ",");
    *list = *end == ',' ? end + 1 : NULL;
    return quoted ? (struct word){text + 1, quote - text - 1} : (struct word){text, end - text};
}

/* Gives the columns of a LIST between commas the kind. */
static int set_kinds(struct table_columns *columns, const struct table *table, const char *option,
                     const char *list, enum column_kind kind, struct error *e) {
    while (list != NULL) {
        struct word name = take_name(columns, &list);
        int64_t j = find_column(columns, table, option, name.text, name.length, e);
        if (j < 0)
            return -1;
        columns->column[j].kind = kind;
        columns->column[j].forced = kind == COLUMN_CATEGORY;
    }
    return 0;
}

bool convert_label_follows(const struct convert_settings *settings) {
    return settings->freeze && settings->label == NULL && !settings->unlabeled;
}

static int64_t default_label(const struct table_columns *columns) {
    int64_t j = find_name(columns, "label", (int64_t)strlen("label"));
    return j >= 0 ? j : columns->count - 1;
}

/* The label is the column `label` or the last one, unless --label or, with --freeze, the file of names says
 * otherwise. */
static int set_label(struct table_columns *columns, const struct convert_settings *settings,
                     const struct table *table, struct error *e) {
    const char *given = settings->label;
    if (settings->unlabeled || convert_label_follows(settings))
        return 0;
    int64_t j = given == NULL
                    ? default_label(columns)
                    : find_column(columns, table, "--label", given, (int64_t)strlen(given), e);
    if (j < 0)
        return -1;
    columns->column[j].kind = COLUMN_LABEL;
    return 0;
}

/* The uses of columns that options name. */
static int set_uses(struct table_columns *columns, const struct convert_settings *settings,
                    const struct table *table, struct error *e) {
    if (set_label(columns, settings, table, e) != 0 ||
        set_kinds(columns, table, "--categories", settings->categories, COLUMN_CATEGORY, e) != 0 ||
        set_kinds(columns, table, "--ignore", settings->ignore, COLUMN_IGNORED, e) != 0 ||
        set_kinds(columns, table, "--weight", settings->weight, COLUMN_WEIGHT, e) != 0 ||
        set_kinds(columns, table, "--group", settings->group, COLUMN_GROUP, e) != 0)
        return -1;
    return table_columns_find(columns, COLUMN_LABEL) >= 0 || settings->unlabeled ||
                   convert_label_follows(settings)
               ? 0
               : error_usage(e, "the column of the label has another use, too: give --label");
}

/* Whether the line is `spam 1:0.5 7:2`: train sends here who has texts for labels. */
static bool looks_like_svmlight(const struct record *first) {
    const char *space = first->count == 1 ? strpbrk(first->field[0].text, " \t") : NULL;
    return space != NULL && svmlight_begins_feature(space + 1);
}

int table_columns_open(struct table_columns *columns, const struct convert_settings *settings,
                       struct table *table, const struct record *first, struct error *e) {
    if (looks_like_svmlight(first))
        return table_refuse(table, first, e,
                            "this is svmlight data, no table; if its labels are texts, put numbers "
                            "in their place, as by sed 's/^spam /1 /'");
    columns->decimal_comma = settings->decimal == DECIMAL_COMMA;
    if (table_columns_find_header(columns, settings, table, first, e) != 0)
        return -1;
    columns->column = memory_zeroed(first->count, sizeof *columns->column, "columns", e);
    if (columns->column == NULL)
        return -1;
    for (; columns->count < first->count; columns->count++) {
        char *name = name_of(columns, first, columns->count, e);
        if (name == NULL)
            return -1;
        columns->column[columns->count].name = name;
    }
    return check_names(columns, table, first, e) != 0 ? -1 : set_uses(columns, settings, table, e);
}

/* Counts a field with a comma; keeps the first one, of those with decimal commas if there are any. */
static void count_comma(struct table_column *column, struct word field) {
    enum field_comma comma = field_comma(field);
    if (comma == COMMA_NONE)
        return;
    int64_t before = comma == COMMA_DECIMAL ? column->decimals++ : column->groups++;
    if (before == 0 && (comma == COMMA_DECIMAL || column->decimals == 0))
        snprintf(column->comma, sizeof column->comma, "%.*s", word_shown(field), field.text);
}

void table_columns_count(struct table_columns *columns, const struct record *record) {
    double value;
    for (int64_t j = 0; j < columns->count; j++) {
        struct table_column *column = &columns->column[j];
        struct word field = record->field[j];
        count_comma(column, field);
        if (field_missing(field))
            column->empty++;
        else if (field_number(field, columns->decimal_comma, &value))
            column->numbers++;
        else if (column->texts++ == 0)
            snprintf(column->text, sizeof column->text, "%.*s", word_shown(field), field.text);
    }
}

void table_columns_decide(struct table_columns *columns) {
    for (int64_t j = 0; j < columns->count; j++)
        if (columns->column[j].kind == COLUMN_NUMBER && columns->column[j].texts > 0)
            columns->column[j].kind = COLUMN_CATEGORY;
}

int64_t table_columns_find(const struct table_columns *columns, enum column_kind kind) {
    for (int64_t j = 0; j < columns->count; j++)
        if (columns->column[j].kind == kind)
            return j;
    return -1;
}

void table_columns_free(struct table_columns *columns) {
    for (int64_t j = 0; j < columns->count; j++)
        free(columns->column[j].name);
    free(columns->column);
    *columns = (struct table_columns){0};
}

struct table *convert_open(const char *path, const struct convert_settings *settings,
                           struct error *e) {
    const char *given = settings->separator;
    char separator = given == NULL ? 0 : strcmp(given, "\\t") == 0 ? '\t' : given[0];
    return table_open(path, separator, settings->decimal == DECIMAL_COMMA, e);
}
