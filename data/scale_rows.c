/* scale_rows.c - prints scaled examples. What a 0 becomes is the same text in every row, so it is printed once. */
#include "data/scale.h"

#include "io/memory.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 48 };

/* What each row has in the columns that it has no entry for. */
struct zero_text {
    int32_t count;   /* columns where 0 does not stay 0, ascending */
    int32_t *column; /* count */
    int64_t *start;  /* count + 1, in `text` */
    char *text;      /* "INDEX:VALUE " after each other */
};

struct printer {
    const struct scaling *scaling; /* NULL: rows to length 1 */
    const struct scale_settings *settings;
    struct zero_text zeros;
    struct output *output;
    FILE *stream;
    struct scale_counts *counts;
};

static int format_value(const struct scale_settings *settings, int32_t column, double x,
                        char text[NUMBER_BYTES]) {
    return snprintf(text, NUMBER_BYTES, "%" PRId64 ":%.*g ",
                    (int64_t)column + !settings->zero_based, (int)settings->digits, x);
}

static void free_zeros(struct zero_text *zeros) {
    free(zeros->column);
    free(zeros->start);
    free(zeros->text);
}

static int prepare_zeros(struct printer *printer, struct error *e) {
    const struct scaling *scaling = printer->scaling;
    struct zero_text *zeros = &printer->zeros;
    if (scaling == NULL)
        return 0;
    zeros->column = memory_new(scaling->features, sizeof *zeros->column, "columns", e);
    zeros->start = memory_new(scaling->features + 1, sizeof *zeros->start, "columns", e);
    int64_t bytes = 0, capacity = 0;
    for (int32_t j = 0; zeros->start != NULL && zeros->column != NULL && j < scaling->features;
         j++) {
        double zero = scaling_value(scaling, j, 0);
        if (zero == 0)
            continue;
        if (memory_reserve((void **)&zeros->text, &capacity, bytes + NUMBER_BYTES, 1, "zeros", e) !=
            0)
            return -1;
        zeros->column[zeros->count] = j;
        zeros->start[zeros->count++] = bytes;
        bytes += format_value(printer->settings, j, zero, zeros->text + bytes);
    }
    if (zeros->start == NULL || zeros->column == NULL)
        return -1;
    zeros->start[zeros->count] = bytes;
    return 0;
}

/* Prints the zeros of columns below END, from number *NEXT on, and passes over that of END. */
static void print_zeros(struct printer *printer, int32_t *next, int32_t end) {
    const struct zero_text *zeros = &printer->zeros;
    int32_t first = *next;
    while (*next < zeros->count && zeros->column[*next] < end)
        ++*next;
    if (*next > first)
        fwrite(zeros->text + zeros->start[first], 1,
               (size_t)(zeros->start[*next] - zeros->start[first]), printer->stream);
    printer->counts->after += *next - first;
    if (*next < zeros->count && zeros->column[*next] == end)
        ++*next;
}

/* -1: the value is not finite. */
static int print_value(struct printer *printer, int32_t column, double x) {
    char text[NUMBER_BYTES];
    if (!isfinite(x))
        return -1;
    if (x == 0)
        return 0;
    int length = format_value(printer->settings, column, x, text);
    fwrite(text, 1, (size_t)length, printer->stream);
    printer->counts->after++;
    return 0;
}

static int print_features(struct printer *printer, const struct dataset *block, int64_t i) {
    const struct scaling *scaling = printer->scaling;
    const int32_t *column = dataset_columns(block, i);
    const double *value = dataset_values(block, i);
    int64_t count = dataset_count(block, i);
    double length = scaling == NULL ? scaling_length(value, count) : 1;
    int32_t next = 0;
    for (int64_t k = 0; k < count; k++) {
        double x = value == NULL ? 1 : value[k];
        print_zeros(printer, &next, column[k]);
        x = scaling == NULL ? x / length : scaling_value(scaling, column[k], x);
        if (print_value(printer, column[k], x) != 0)
            return -1;
    }
    print_zeros(printer, &next, INT32_MAX);
    printer->counts->before += count;
    if (scaling != NULL && count > 0 && column[count - 1] >= scaling->features)
        printer->counts->beyond = true;
    return 0;
}

/* Prints row I of the block, of the group G or none (-1). */
static int print_row(struct printer *printer, const struct dataset *block, int64_t i, int64_t g) {
    double label = block->label[i];
    if (!isnan(label) && printer->scaling != NULL)
        label = scaling_label(printer->scaling, label);
    if (isinf(label))
        return -1;
    if (isnan(label))
        fputs("? ", printer->stream);
    else
        fprintf(printer->stream, "%.17g ", label);
    if (block->weight != NULL)
        fprintf(printer->stream, "cost:%.17g ", block->weight[i]);
    if (g >= 0)
        fprintf(printer->stream, "qid:%" PRId64 " ", block->group_id[g]);
    if (print_features(printer, block, i) != 0)
        return -1;
    fputc('\n', printer->stream);
    return 0;
}

/* What is too large in a row with this label: ranges (-y) of a single label have no place for others. */
static const char *too_large(const struct printer *printer, double label) {
    if (printer->scaling == NULL || isnan(label) ||
        isfinite(scaling_label(printer->scaling, label)))
        return "a scaled value is too large";
    return printer->scaling->label_data.low == printer->scaling->label_data.high
               ? "the label cannot be scaled: the ranges (-y) are of data whose labels are all "
                 "equal"
               : "the scaled label is too large";
}

/* Prints the block, which begins at row BEFORE of the data. */
static int print_block(struct printer *printer, const struct dataset *block, int64_t before,
                       const char *path, struct error *e) {
    int64_t g = block->groups > 0 ? 0 : -1;
    for (int64_t i = 0; i < block->rows; i++) {
        while (g >= 0 && i >= block->group_start[g + 1])
            g++;
        if (print_row(printer, block, i, g) != 0)
            return svmlight_refuse_row(path, before + i, too_large(printer, block->label[i]), e);
    }
    return output_check(printer->output, e);
}

static int print_all(struct printer *printer, const char *path,
                     const struct svmlight_options *options, struct error *e) {
    struct svmlight_reader *reader = svmlight_open(path, options, e);
    struct dataset block = {0};
    int64_t before = 0;
    int more = reader == NULL ? -1 : svmlight_read(reader, &block, e);
    while (more == 1) {
        more = print_block(printer, &block, before, path, e);
        before += block.rows;
        if (more == 0)
            more = svmlight_read(reader, &block, e);
    }
    dataset_free(&block);
    svmlight_close(reader);
    return more;
}

int scale_rows(const struct scaling *scaling, const struct scale_settings *settings,
               const char *path, const struct svmlight_options *options, struct output *output,
               struct scale_counts *counts, struct error *e) {
    struct printer printer = {.scaling = scaling,
                              .settings = settings,
                              .output = output,
                              .stream = output_stream(output),
                              .counts = counts};
    int status = prepare_zeros(&printer, e);
    if (status == 0)
        status = print_all(&printer, path, options, e);
    free_zeros(&printer.zeros);
    return status;
}
