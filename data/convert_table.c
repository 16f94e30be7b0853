/* convert_table.c - svmlight data as a table: a column for the label, one for each feature that is a number, and one
 * for the features of a category together. */
#include "data/convert.h"

#include "io/memory.h"
#include "io/names.h"
#include "io/output.h"
#include "io/svmlight/svmlight.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    const char *path;
    struct dataset data;
    struct numbered_names names;
    struct words columns; /* of features, in their order */
    int64_t *column_of;   /* features: its column */
    const char **text; /* features: what the category has as text; NULL: the feature is a number */
    int64_t *feature;  /* columns: the feature that the row has there, or -1 */
    double *value;     /* columns: and its value */
    bool *category;    /* columns: all features are texts of a category */
};

/* The column of feature j: its name up to "=", or its number. */
static int64_t add_column(struct writer *writer, int64_t j, struct error *e) {
    char number[24];
    if (j >= writer->names.feature.count) {
        int length = snprintf(number, sizeof number, "%" PRId64, j + 1);
        return words_add(&writer->columns, number, length, e);
    }
    const char *name = words_text(&writer->names.feature, j);
    return words_add(&writer->columns, name, (int64_t)strcspn(name, "="), e);
}

/* The text of feature j, without escapes. */
static const char *category_text(struct writer *writer, int64_t j) {
    struct words *feature = &writer->names.feature;
    char *equals = j < feature->count ? strchr(feature->text + feature->start[j], '=') : NULL;
    if (equals == NULL)
        return NULL;
    name_decode(equals + 1);
    return equals + 1;
}

static int prepare(struct writer *writer, struct error *e) {
    const struct words *feature = &writer->names.feature;
    int64_t features =
        writer->data.features > feature->count ? writer->data.features : feature->count;
    writer->column_of = memory_new(features, sizeof *writer->column_of, "columns", e);
    writer->text = memory_new(features, sizeof *writer->text, "columns", e);
    if (writer->column_of == NULL || writer->text == NULL)
        return -1;
    for (int64_t j = 0; j < features; j++)
        if ((writer->column_of[j] = add_column(writer, j, e)) < 0)
            return -1;
    writer->feature = memory_new(writer->columns.count, sizeof *writer->feature, "columns", e);
    writer->value = memory_new(writer->columns.count, sizeof *writer->value, "columns", e);
    writer->category = memory_new(writer->columns.count, sizeof *writer->category, "columns", e);
    if (writer->feature == NULL || writer->value == NULL || writer->category == NULL)
        return -1;
    memset(writer->category, true, (size_t)writer->columns.count);
    for (int64_t j = 0; j < features; j++) {
        writer->text[j] = category_text(writer, j);
        writer->category[writer->column_of[j]] &= writer->text[j] != NULL;
    }
    words_replace(&writer->columns, name_decode);
    words_replace(&writer->names.label, name_decode);
    return 0;
}

/* With as few digits as give the same number again. */
static void print_number(double x, FILE *stream) {
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    fputs(text, stream);
}

/* The name of a column that is no feature: with "_" at its end as often as a feature has the name. */
static void print_own_name(const struct writer *writer, const char *name, FILE *stream) {
    char text[64];
    int length = snprintf(text, sizeof text, "%s", name);
    while (words_find(&writer->columns, text, length) >= 0 && length + 1 < (int)sizeof text) {
        text[length++] = '_';
        text[length] = '\0';
    }
    fputs(text, stream);
}

static void print_header(struct writer *writer, FILE *stream) {
    print_own_name(writer, "label", stream);
    if (writer->data.weight != NULL) {
        fputc(',', stream);
        print_own_name(writer, "weight", stream);
    }
    if (writer->data.groups > 0) {
        fputc(',', stream);
        print_own_name(writer, "group", stream);
    }
    for (int64_t c = 0; c < writer->columns.count; c++) {
        fputc(',', stream);
        table_print_field(words_text(&writer->columns, c), ',', stream);
    }
    fputc('\n', stream);
}

static void print_label(struct writer *writer, double label, FILE *stream) {
    const struct words *names = &writer->names.label;
    bool named = label >= 1 && label <= (double)names->count && label == floor(label);
    if (named)
        table_print_field(words_text(names, (int64_t)label - 1), ',', stream);
    else if (!isnan(label))
        print_number(label, stream);
}

/* The row's features, each in its column. */
static int place_row(struct writer *writer, int64_t i, struct error *e) {
    const struct dataset *data = &writer->data;
    const int32_t *column = dataset_columns(data, i);
    const double *value = dataset_values(data, i);
    for (int64_t c = 0; c < writer->columns.count; c++)
        writer->feature[c] = -1;
    for (int64_t k = 0; k < dataset_count(data, i); k++) {
        int64_t c = writer->column_of[column[k]];
        if (writer->feature[c] >= 0)
            return error_file(e, writer->path, "example %" PRId64 " has two values of column %s",
                              i + 1, words_text(&writer->columns, c));
        writer->feature[c] = column[k];
        writer->value[c] = value == NULL ? 1 : value[k];
    }
    return 0;
}

static void print_row(struct writer *writer, int64_t i, int64_t g, FILE *stream) {
    const struct dataset *data = &writer->data;
    print_label(writer, data->label[i], stream);
    if (data->weight != NULL) {
        fputc(',', stream);
        print_number(data->weight[i], stream);
    }
    if (data->groups > 0)
        fprintf(stream, ",%" PRId64, data->group_id[g]);
    for (int64_t c = 0; c < writer->columns.count; c++) {
        int64_t j = writer->feature[c];
        fputc(',', stream);
        if (j >= 0 && writer->text[j] != NULL)
            table_print_field(writer->text[j], ',', stream);
        else if (j >= 0 || !writer->category[c])
            print_number(j < 0 ? 0 : writer->value[c], stream);
    }
    fputc('\n', stream);
}

static int print_table(struct writer *writer, struct output *output, struct error *e) {
    const struct dataset *data = &writer->data;
    int64_t g = 0;
    print_header(writer, output_stream(output));
    for (int64_t i = 0; i < data->rows; i++) {
        if (place_row(writer, i, e) != 0)
            return -1;
        while (data->groups > 0 && i >= data->group_start[g + 1])
            g++;
        print_row(writer, i, g, output_stream(output));
        if (output_check(output, e) != 0)
            return -1;
    }
    return 0;
}

static int write_table(struct writer *writer, struct error *e) {
    if (prepare(writer, e) != 0)
        return -1;
    struct output *output = output_open("-", e);
    if (output == NULL)
        return -1;
    return output_end(output, print_table(writer, output, e), e);
}

int convert_table(const struct convert_settings *settings, const char *path, struct error *e) {
    struct svmlight_options options = {.unlabeled = true, .threads = omp_get_max_threads()};
    struct writer writer = {.path = path};
    int status =
        settings->names == NULL ? 0 : numbered_names_read(settings->names, true, &writer.names, e);
    if (status == 0)
        status = dataset_load(path, &options, &writer.data, e);
    if (status == 0)
        status = write_table(&writer, e);
    dataset_free(&writer.data);
    numbered_names_free(&writer.names);
    words_free(&writer.columns);
    free(writer.column_of);
    free(writer.feature);
    free(writer.value);
    free(writer.category);
    free(writer.text);
    return status;
}
