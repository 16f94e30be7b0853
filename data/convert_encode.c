/* convert_encode.c - a table as svmlight data.
 *
 * The first reading finds which columns are numbers. The second one numbers the features in the order in which they
 * come, columns of numbers first, and writes the data. With --freeze there is one reading: the file of names says which
 * columns are numbers. */
#include "data/convert.h"

#include "io/memory.h"
#include "io/names.h"
#include "io/number_text.h"
#include "io/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct feature {
    int64_t number;
    double value;
};

struct encoder {
    const struct convert_settings *settings;
    const char *path;
    struct table_columns columns;
    struct numbered_names names;
    struct words groups;
    int64_t group;    /* of the row before */
    bool label_names; /* labels are texts, and get numbers */
    char *text;       /* a name */
    int64_t text_space;
    struct feature *row; /* of a record: at most one for each column */
    int64_t rows, skipped, missing, unknown_labels, unknown_categories;
};

static void encoder_free(struct encoder *encoder) {
    table_columns_free(&encoder->columns);
    numbered_names_free(&encoder->names);
    words_free(&encoder->groups);
    free(encoder->text);
    free(encoder->row);
}

static int open_columns(struct encoder *encoder, struct table *table, const struct record *first,
                        struct error *e) {
    if (table_columns_open(&encoder->columns, encoder->settings, table, first, e) != 0)
        return -1;
    return encoder->settings->freeze ? table_columns_follow(&encoder->columns, encoder->settings,
                                                            table, &encoder->names, e)
                                     : 0;
}

/* Calls TAKE for each record of the table but the header. */
static int each_record(struct encoder *encoder, struct output *output,
                       int (*take)(struct encoder *encoder, const struct table *table,
                                   const struct record *record, struct output *output,
                                   struct error *e),
                       struct error *e) {
    struct table *table = convert_open(encoder->path, encoder->settings, e);
    struct record record;
    int more = table == NULL ? -1 : table_next(table, &record, e);
    if (more == 0)
        more = error_file(e, table_name(table), "the table is empty");
    bool first = true;
    while (more == 1) {
        if (first && encoder->columns.column == NULL &&
            open_columns(encoder, table, &record, e) != 0)
            more = -1;
        else if (!(first && encoder->columns.header))
            more = take(encoder, table, &record, output, e) != 0 ? -1 : 1;
        first = false;
        if (more == 1)
            more = table_next(table, &record, e);
    }
    table_close(table);
    return more;
}

static int count_record(struct encoder *encoder, const struct table *table,
                        const struct record *record, struct output *output, struct error *e) {
    (void)table, (void)output, (void)e;
    table_columns_count(&encoder->columns, record);
    return 0;
}

/* Gives each column of numbers its feature. */
static int number_columns(struct encoder *encoder, struct error *e) {
    const struct table_columns *columns = &encoder->columns;
    for (int64_t j = 0; j < columns->count; j++) {
        const struct table_column *column = &columns->column[j];
        if (column->kind == COLUMN_NUMBER && column->numbers > 0 &&
            words_add(&encoder->names.feature, column->name, (int64_t)strlen(column->name), e) < 0)
            return -1;
    }
    return 0;
}

/* For the file of names. */
static int keep_label_column(struct encoder *encoder, int64_t label, struct error *e) {
    const char *name = encoder->columns.column[label].name;
    encoder->names.label_column = memory_text(name, (int64_t)strlen(name), "a name", e);
    return encoder->names.label_column == NULL ? -1 : 0;
}

static int prepare(struct encoder *encoder, struct error *e) {
    if (encoder->settings->freeze) {
        if (numbered_names_read(encoder->settings->names, true, &encoder->names, e) != 0)
            return -1;
        encoder->label_names = encoder->names.label.count > 0;
        return 0;
    }
    if (each_record(encoder, NULL, count_record, e) != 0)
        return -1;
    const struct table_column *first = encoder->columns.column;
    if (first->numbers + first->texts + first->empty == 0)
        return error_file(e, encoder->path,
                          "the table has a header and no rows; --header off, if it is no header");
    table_columns_decide(&encoder->columns);
    int64_t label = table_columns_find(&encoder->columns, COLUMN_LABEL);
    encoder->label_names = encoder->columns.column[label].texts > 0;
    return keep_label_column(encoder, label, e) != 0 ? -1 : number_columns(encoder, e);
}

/* The number of the feature that is named after the column, and after the value if there is one; 0: it has none (with
 * --freeze); -1 with the error set. */
static int64_t feature_number(struct encoder *encoder, const char *column, const struct word *value,
                              struct error *e) {
    int64_t length = (int64_t)strlen(column);
    int64_t space = length + 2 + (value == NULL ? 0 : 3 * value->length);
    if (memory_reserve((void **)&encoder->text, &encoder->text_space, space, 1, "a name", e) != 0)
        return -1;
    char *p = stpcpy(encoder->text, column);
    if (value != NULL) {
        *p++ = '=';
        p = name_encode(p, value->text, value->length);
    }
    struct words *features = &encoder->names.feature;
    length = p - encoder->text;
    return words_number(features, encoder->text, length, encoder->settings->freeze, e);
}

/* The feature of a field: number 0 if it has none. */
static int take_field(struct encoder *encoder, const struct table *table,
                      const struct record *record, int64_t j, struct feature *feature,
                      struct error *e) {
    struct table_column *column = &encoder->columns.column[j];
    int64_t before = encoder->names.feature.count;
    struct word field = record->field[j], nothing = {"", 0};
    bool missing = field_missing(field), number = column->kind == COLUMN_NUMBER;
    *feature = (struct feature){0, 1};
    if (missing && encoder->settings->missing != MISSING_FLAG)
        return 0;
    if (number && !missing && !field_number(field, encoder->columns.decimal_comma, &feature->value))
        return table_refuse(table, record, e, "column %s: '%.*s' is no number, but it is one in %s",
                            column->name, word_shown(field), field.text, encoder->settings->names);
    if (feature->value == 0)
        return 0;
    const struct word *value = missing ? &nothing : number ? NULL : &field;
    feature->number = feature_number(encoder, column->name, value, e);
    encoder->unknown_categories += value != NULL && feature->number == 0;
    column->distinct += !missing && encoder->names.feature.count > before;
    return feature->number < 0 ? -1 : 0;
}

/* The features of a record in ascending order: their count, or -1. */
static int64_t take_features(struct encoder *encoder, const struct table *table,
                             const struct record *record, struct error *e) {
    int64_t count = 0;
    for (int64_t j = 0; j < record->count; j++) {
        enum column_kind kind = encoder->columns.column[j].kind;
        struct feature feature;
        if (kind != COLUMN_NUMBER && kind != COLUMN_CATEGORY)
            continue;
        if (take_field(encoder, table, record, j, &feature, e) != 0)
            return -1;
        if (feature.number == 0)
            continue;
        int64_t k = count++;
        for (; k > 0 && encoder->row[k - 1].number > feature.number; k--)
            encoder->row[k] = encoder->row[k - 1];
        encoder->row[k] = feature;
    }
    return count;
}

/* Fields of features that have no value. */
static int64_t count_missing(const struct encoder *encoder, const struct record *record) {
    int64_t missing = 0;
    for (int64_t j = 0; j < record->count; j++) {
        enum column_kind kind = encoder->columns.column[j].kind;
        missing +=
            (kind == COLUMN_NUMBER || kind == COLUMN_CATEGORY) && field_missing(record->field[j]);
    }
    return missing;
}

/* Writes the label, or "?" if there is none. */
static int write_label(struct encoder *encoder, const struct table *table,
                       const struct record *record, FILE *stream, struct error *e) {
    int64_t j = table_columns_find(&encoder->columns, COLUMN_LABEL);
    struct word field = j < 0 ? (struct word){"", 0} : record->field[j];
    double value;
    if (field_missing(field)) {
        if (!encoder->settings->freeze)
            return table_refuse(table, record, e,
                                "no label in column %s; --missing skip leaves such rows out",
                                encoder->columns.column[j].name);
        fputc('?', stream);
    } else if (encoder->label_names) {
        struct words *labels = &encoder->names.label;
        if (memory_reserve((void **)&encoder->text, &encoder->text_space, 3 * field.length + 1, 1,
                           "a name", e) != 0)
            return -1;
        int64_t length = name_encode(encoder->text, field.text, field.length) - encoder->text;
        int64_t number = words_number(labels, encoder->text, length, encoder->settings->freeze, e);
        if (number < 0)
            return -1;
        encoder->unknown_labels += number == 0;
        number == 0 ? fputc('?', stream) : fprintf(stream, "%" PRId64, number);
    } else if (field_number(field, encoder->columns.decimal_comma, &value)) {
        if (encoder->columns.decimal_comma)
            fprintf(stream, "%.17g", value);
        else
            fwrite(field.text, 1, (size_t)field.length, stream);
    } else {
        return table_refuse(table, record, e, "label '%.*s' is no number", word_shown(field),
                            field.text);
    }
    return 0;
}

/* Writes cost:W and qid:Q. */
static int write_weight_and_group(struct encoder *encoder, const struct table *table,
                                  const struct record *record, FILE *stream, struct error *e) {
    int64_t weight = table_columns_find(&encoder->columns, COLUMN_WEIGHT);
    int64_t group = table_columns_find(&encoder->columns, COLUMN_GROUP);
    double value;
    if (weight >= 0) {
        struct word field = record->field[weight];
        if (!field_number(field, encoder->columns.decimal_comma, &value) || value < 0)
            return table_refuse(table, record, e, "weight '%.*s' is no number of 0 or more",
                                word_shown(field), field.text);
        fprintf(stream, " cost:%.17g", value);
    }
    if (group >= 0) {
        struct word field = record->field[group];
        int64_t before = encoder->groups.count;
        int64_t number = words_add(&encoder->groups, field.text, field.length, e);
        if (number < 0)
            return -1;
        if (number < before && number != encoder->group)
            return table_refuse(
                table, record, e,
                "group '%.*s' comes back after another one: its rows must stand together",
                word_shown(field), field.text);
        encoder->group = number;
        fprintf(stream, " qid:%" PRId64, number + 1);
    }
    return 0;
}

/* Whether the row is left out: a feature has no value or, in training data, the label. */
static bool skips(const struct encoder *encoder, const struct record *record, int64_t missing) {
    int64_t label = table_columns_find(&encoder->columns, COLUMN_LABEL);
    bool unlabeled = !encoder->settings->freeze && field_missing(record->field[label]);
    return encoder->settings->missing == MISSING_SKIP && (missing > 0 || unlabeled);
}

static int write_record(struct encoder *encoder, const struct table *table,
                        const struct record *record, struct output *output, struct error *e) {
    FILE *stream = output_stream(output);
    int64_t missing = count_missing(encoder, record);
    if (missing > 0 && encoder->settings->missing == MISSING_REFUSE)
        return table_refuse(table, record, e, "a missing value; see --missing");
    encoder->missing += missing;
    if (skips(encoder, record, missing)) {
        encoder->skipped++;
        return 0;
    }
    if (encoder->row == NULL) {
        encoder->row = memory_new(record->count + 1, sizeof *encoder->row, "a row", e);
        if (encoder->row == NULL)
            return -1;
    }
    int64_t count = take_features(encoder, table, record, e);
    if (count < 0 || write_label(encoder, table, record, stream, e) != 0 ||
        write_weight_and_group(encoder, table, record, stream, e) != 0)
        return -1;
    for (int64_t k = 0; k < count; k++) {
        char text[NUMBER_TEXT];
        number_text(encoder->row[k].value, text);
        fprintf(stream, " %" PRId64 ":%s", encoder->row[k].number, text);
    }
    fputc('\n', stream);
    encoder->rows++;
    return output_check(output, e);
}

static int write_data(struct encoder *encoder, struct error *e) {
    struct output *output = output_open("-", e);
    if (output == NULL)
        return -1;
    return output_end(output, each_record(encoder, output, write_record, e), e);
}

static void report(const struct encoder *encoder) {
    const struct convert_settings *settings = encoder->settings;
    fprintf(stderr, "%" PRId64 " rows, %" PRId64 " features, %" PRId64 " names of labels%s\n",
            encoder->rows, encoder->names.feature.count, encoder->names.label.count,
            encoder->columns.header ? "; the first line is a header"
                                    : "; the first line is data, no header");
    if (encoder->columns.header_guessed)
        fputs("the first line has numbers, too; --header off, if it is no header\n", stderr);
    table_columns_note_label(&encoder->columns);
    settings->freeze ? table_columns_note_followed(&encoder->columns)
                     : table_columns_note(&encoder->columns);
    if (encoder->names.feature.count == 0)
        fputs("no column is a feature; --separator says what stands between columns\n", stderr);
    if (encoder->skipped > 0)
        fprintf(stderr, "rows with missing values, left out: %" PRId64 "\n", encoder->skipped);
    else if (encoder->missing > 0 && settings->missing == MISSING_ZERO)
        fprintf(stderr, "missing values, which count as 0: %" PRId64 "; see --missing\n",
                encoder->missing);
    if (encoder->unknown_labels > 0)
        fprintf(stderr, "labels that have no number, written as ?: %" PRId64 "\n",
                encoder->unknown_labels);
    if (encoder->unknown_categories > 0)
        fprintf(stderr, "texts that have no feature, left out: %" PRId64 "\n",
                encoder->unknown_categories);
}

int convert_encode(const struct convert_settings *settings, const char *path, struct error *e) {
    struct encoder encoder = {.settings = settings, .path = path};
    int status = prepare(&encoder, e);
    if (status == 0)
        status = write_data(&encoder, e);
    if (status == 0 && !settings->quiet)
        report(&encoder);
    if (status == 0 && !settings->freeze)
        status = numbered_names_write(&encoder.names, NULL, settings->names, e);
    encoder_free(&encoder);
    return status;
}
