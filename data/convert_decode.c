/* convert_decode.c - a table with a column of predicted labels. */
#include "data/convert.h"

#include "io/line_walk.h"
#include "io/memory.h"
#include "io/names.h"
#include "io/output.h"

#include <stdlib.h>
#include <string.h>

struct decoder {
    const struct convert_settings *settings;
    struct numbered_names names;
    struct words shown; /* the names of labels as predict writes them where they stand alone */
    bool columns;       /* of predictions: words with a heading, of -d and -b 1 */
    struct table *table;
    struct line_walk *predictions;
};

/* The name that predict --names wrote, as text. */
static void print_name(struct word label, char separator, FILE *stream) {
    char text[512];
    if (label.length >= (int64_t)sizeof text) {
        fwrite(label.text, 1, (size_t)label.length, stream);
        return;
    }
    memcpy(text, label.text, (size_t)label.length);
    text[label.length] = '\0';
    name_decode(text);
    table_print_field(text, separator, stream);
}

/* Prints the record and the predicted label, by its name if the number has one. */
static int print_record(const struct decoder *decoder, const struct record *record,
                        struct word label, struct output *output, struct error *e) {
    FILE *stream = output_stream(output);
    char separator = table_separator(decoder->table);
    int64_t number, known = words_find(&decoder->shown, label.text, label.length);
    fwrite(record->raw.text, 1, (size_t)record->raw.length, stream);
    fputc(separator, stream);
    if (word_integer(label, &number) && number <= decoder->names.label.count)
        table_print_field(words_text(&decoder->names.label, number - 1), separator, stream);
    else if (known >= 0 && !decoder->columns)
        table_print_field(words_text(&decoder->names.label, known), separator, stream);
    else
        print_name(label, separator, stream);
    fputc('\n', stream);
    return output_check(output, e);
}

/* The next predicted label; the heading of -d and -b 1 is passed over. 1, 0, -1. */
static int next_label(struct decoder *decoder, struct word *label, struct error *e) {
    struct word line;
    int more = line_walk_next(decoder->predictions, &line, e);
    struct word first = line;
    *label = more == 1 ? word_take(&first) : (struct word){"", 0};
    if (more == 1 && line_walk_line(decoder->predictions) == 1 && word_is(*label, "labels")) {
        decoder->columns = true;
        return next_label(decoder, label, e);
    }
    if (more == 1 && words_find(&decoder->shown, line.text, line.length) >= 0)
        *label = line;
    return more;
}

static void print_header(const struct decoder *decoder, const struct record *record, FILE *stream) {
    fwrite(record->raw.text, 1, (size_t)record->raw.length, stream);
    fprintf(stream, "%cpredicted\n", table_separator(decoder->table));
}

static int print_records(struct decoder *decoder, struct output *output, struct error *e) {
    struct table_columns columns = {0};
    struct record record;
    struct word label = {"", 0};
    int more = table_next(decoder->table, &record, e), status = 0;
    if (more == 1)
        status = table_columns_open(&columns, decoder->settings, decoder->table, &record, e);
    bool header = columns.header;
    table_columns_free(&columns);
    if (status == 0 && header) {
        print_header(decoder, &record, output_stream(output));
        more = table_next(decoder->table, &record, e);
    }
    while (status == 0 && more == 1) {
        more = next_label(decoder, &label, e);
        if (more == 0)
            return table_refuse(decoder->table, &record, e, "no prediction for this row");
        status = more < 0 ? -1 : print_record(decoder, &record, label, output, e);
        more = status == 0 ? table_next(decoder->table, &record, e) : -1;
    }
    if (status != 0 || more < 0)
        return -1;
    more = next_label(decoder, &label, e);
    return more == 1 ? line_walk_refuse(decoder->predictions, e, "more predictions than rows")
                     : more;
}

static int decode(struct decoder *decoder, struct error *e) {
    struct output *output = output_open("-", e);
    if (output == NULL)
        return -1;
    return output_end(output, print_records(decoder, output, e), e);
}

/* Fills `shown`, then decodes the names. */
static int show_labels(struct decoder *decoder, struct error *e) {
    struct words *label = &decoder->names.label;
    for (int64_t k = 0; k < label->count; k++) {
        const char *encoded = words_text(label, k);
        char *name = memory_text(encoded, (int64_t)strlen(encoded), "a name", e);
        if (name == NULL)
            return -1;
        name_show(name);
        int64_t number = words_add(&decoder->shown, name, (int64_t)strlen(name), e);
        free(name);
        if (number < 0)
            return -1;
    }
    words_replace(label, name_decode);
    return 0;
}

int convert_decode(const struct convert_settings *settings, const char *path,
                   const char *predictions, struct error *e) {
    struct decoder decoder = {.settings = settings};
    int status = numbered_names_read(settings->names, true, &decoder.names, e);
    status = status != 0 ? -1 : show_labels(&decoder, e);
    decoder.table = status == 0 ? convert_open(path, settings, e) : NULL;
    decoder.predictions = decoder.table != NULL ? line_walk_open(predictions, e) : NULL;
    status = decoder.predictions != NULL ? decode(&decoder, e) : -1;
    table_close(decoder.table);
    line_walk_close(decoder.predictions);
    numbered_names_free(&decoder.names);
    words_free(&decoder.shown);
    return status;
}
