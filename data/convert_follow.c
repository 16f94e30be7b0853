/* convert_follow.c - the columns of a table whose features were numbered before (--freeze): which are features, by the
 * file of names, and which is the label. */
#include "data/convert.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

/* Adds the columns of the features: what stands before "=", or the whole name. */
static int add_columns(struct words *wanted, const struct words *features, struct error *e) {
    for (int64_t k = 0; k < features->count; k++) {
        const char *name = words_text(features, k);
        if (words_add(wanted, name, (int64_t)strcspn(name, "="), e) < 0)
            return -1;
    }
    return 0;
}

/* Counts the wanted columns that the table does not have. */
static int find_absent(struct table_columns *columns, const struct table *table,
                       const struct words *wanted, const bool *found, struct error *e) {
    for (int64_t k = 0; k < wanted->count; k++)
        if (!found[k] && columns->absent++ == 0)
            snprintf(columns->absentee, sizeof columns->absentee, "%s", words_text(wanted, k));
    return wanted->count == 0 || columns->absent < wanted->count
               ? 0
               : error_file(e, table_name(table),
                            "no column is a feature of --names, which has %s; see --header and "
                            "--separator",
                            columns->absentee);
}

static int follow(struct table_columns *columns, const struct table *table,
                  const struct words *features, const struct words *wanted, bool *found,
                  struct error *e) {
    for (int64_t j = 0; j < columns->count; j++) {
        struct table_column *column = &columns->column[j];
        int64_t length = (int64_t)strlen(column->name);
        int64_t k = words_find(wanted, column->name, length);
        bool number = words_find(features, column->name, length) >= 0;
        if (column->kind == COLUMN_LABEL && k >= 0)
            return error_file(e, table_name(table),
                              "column %s is a feature of --names: give another --label or "
                              "--unlabeled",
                              column->name);
        if (k >= 0)
            found[k] = true;
        if (column->kind == COLUMN_NUMBER || column->kind == COLUMN_CATEGORY)
            column->kind = number ? COLUMN_NUMBER : k >= 0 ? COLUMN_CATEGORY : COLUMN_UNKNOWN;
    }
    return find_absent(columns, table, wanted, found, e);
}

/* The unknown column with this name, or -1. */
static int64_t find_unknown(const struct table_columns *columns, const char *name) {
    for (int64_t j = 0; j < columns->count; j++)
        if (columns->column[j].kind == COLUMN_UNKNOWN && strcmp(columns->column[j].name, name) == 0)
            return j;
    return -1;
}

/* The last column that is not ignored, if it is the only unknown one; otherwise -1. */
static int64_t find_last(const struct table_columns *columns) {
    int64_t last = columns->count - 1, first = table_columns_find(columns, COLUMN_UNKNOWN);
    while (last > first && columns->column[last].kind == COLUMN_IGNORED)
        last--;
    return last == first ? first : -1;
}

/* Writes the names of the unknown columns to TEXT, as many as it has space for. */
static void list_unknown(const struct table_columns *columns, char *text, size_t size) {
    size_t used = 0;
    for (int64_t j = 0; j < columns->count && used < size; j++)
        if (columns->column[j].kind == COLUMN_UNKNOWN)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                     columns->column[j].name);
    if (used >= size)
        strcpy(text + size - 4, "...");
}

static int refuse_label(const struct table_columns *columns, const struct table *table,
                        const char *label, struct error *e) {
    char unknown[120] = "none";
    list_unknown(columns, unknown, sizeof unknown);
    if (label == NULL)
        return error_file(e, table_name(table),
                          "--names does not say which column is the label; columns that are no "
                          "feature there: %s; give --label NAME, --unlabeled or --ignore",
                          unknown);
    return error_file(e, table_name(table),
                      "no column is the label '%.40s' of --names; columns that are no feature "
                      "there: %s; give --label NAME or --unlabeled",
                      label, unknown);
}

/* LABEL: the column of the label by the file of names, or NULL. */
static int follow_label(struct table_columns *columns, const struct table *table, const char *label,
                        struct error *e) {
    int64_t j = find_unknown(columns, label != NULL ? label : "label");
    if (j < 0 && label == NULL)
        j = find_last(columns);
    if (j < 0)
        return refuse_label(columns, table, label, e);
    columns->column[j].kind = COLUMN_LABEL;
    return 0;
}

int table_columns_follow(struct table_columns *columns, const struct convert_settings *settings,
                         const struct table *table, const struct numbered_names *names,
                         struct error *e) {
    struct words wanted = {0};
    int status = add_columns(&wanted, &names->feature, e);
    bool *found = status == 0 ? memory_zeroed(wanted.count + 1, sizeof *found, "columns", e) : NULL;
    status = found == NULL ? -1 : follow(columns, table, &names->feature, &wanted, found, e);
    if (status == 0 && convert_label_follows(settings))
        status = follow_label(columns, table, names->label_column, e);
    free(found);
    words_free(&wanted);
    return status;
}
