/* weights.c - the program weights: the largest weights of a model, by the names of their features; see weights --help.
 */
#include "cli/converter.h"
#include "cli/files.h"
#include "cli/program_name.h"
#include "data/numbered_names.h"
#include "io/memory.h"
#include "io/model/label_pairs.h"
#include "io/model/model.h"
#include "io/names.h"
#include "io/output.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) .offset = offsetof(struct weights_settings, name)

struct weights_settings {
    const char *names, *label; /* NULL: not given */
    int64_t count, digits;     /* count 0: all */
    bool by_index, unscaled, quiet;
};

static const struct option_row rows[] = {
    {'n', "count", "N", OPTION_INTEGER, .low = 0, .high = INT32_MAX, .default_text = "20",
     FIELD(count), .help = "the N largest weights of each label; 0: all but zeros"},
    {0, "names", "FILE", OPTION_TEXT, FIELD(names),
     .help = "the names of features and labels, as convert encode and conll encode write them"},
    {0, "label", "LABEL", OPTION_TEXT, FIELD(label),
     .help =
         "print only the weights of this label or pair, written as in the table: 3, or 1:3 of a "
         "one-vs-one model"},
    {0, "by-index", NULL, OPTION_FLAG, FIELD(by_index),
     .help = "in the order of the features, not the largest first"},
    {0, "unscaled", NULL, OPTION_FLAG, FIELD(unscaled),
     .help =
         "of a model of train --scale: print weights for one unit of each feature as it is in the "
         "data. Without it they are for one unit of the scaled features, and can be compared"},
    {0, "digits", "N", OPTION_INTEGER, .low = 1, .high = 17, .default_text = "6", FIELD(digits),
     .help = "significant digits of weights; 17 loses nothing"},
    {'q', "quiet", NULL, OPTION_FLAG, FIELD(quiet), .help = "print nothing but weights and errors"},
};

static const char *const usage[] = {"@weights [options] MODEL [TABLE]", NULL};

static const char description[] =
    "weights prints the largest weights of a linear model, of @train, LIBLINEAR or LIBSVM (-t 0), "
    "as a table with tabs. A line has the feature, by its name or number, and its weight; with "
    "several labels the label comes first. A feature with a positive weight speaks for the label, "
    "one with a negative weight against it; of two labels, for the first one of the model. (bias) "
    "and (offset) are the weights of -B and of --intercept. Weights can be compared with each "
    "other if the features have the same size, as by @train --scale standard. Models of sequences "
    "also have, for each label, weights of the label before it: (after LABEL). A model of a kernel "
    "other than the linear one has no weights of features. MODEL \"-\" is standard input.";

static const char *const examples[] = {"@weights --names names model",
                                       "@weights -n 0 --label 3 model weights.tsv", NULL};

struct entry {
    int64_t place; /* in the vector; from `dimension` on: the label before */
    double value;
};

struct writer {
    const struct weights_settings *settings;
    struct model model;
    struct numbered_names names;
    const char *const *label_names; /* of the model's labels; NULL: none */
    struct entry *entry;            /* of a vector */
    int64_t printed;                /* vectors */
};

/* ---- linear kernels */

static bool is_linear_machine(const struct model *model) {
    return model_is_support(model) && strcmp(model->kernel, "linear") == 0;
}

/* Whether the only function of the parametric part is the offset, or there is none. */
static bool has_plain_basis(const struct model *model) {
    return model->basis.count == 0 ||
           (model->basis.count == 1 && model->basis.function[0].column < 0);
}

/* Adds up the support vectors. */
static void add_points(const struct model *model, const double *coefficient, double *w) {
    for (int64_t i = 0; i < model->points.rows; i++) {
        const int32_t *column = dataset_columns(&model->points, i);
        const double *value = dataset_values(&model->points, i);
        for (int64_t k = 0; k < dataset_count(&model->points, i); k++)
            w[column[k]] += coefficient[i] * (value == NULL ? 1 : value[k]);
    }
}

/* Turns a kernel machine with the linear kernel into the model of its weights. */
static int make_linear(struct model *model, struct error *e) {
    bool offset = model->basis.count == 1;
    model->features = model->points.features; /* LIBSVM's models do not say how many there are */
    int64_t dimension = model->features + offset;
    double *w = memory_zeroed(model->vectors * dimension, sizeof *w, "weights", e);
    if (w == NULL)
        return -1;
    for (int64_t v = 0; v < model->vectors; v++) {
        const double *coefficient = model->w + v * model->dimension;
        add_points(model, coefficient, w + v * dimension);
        if (offset)
            w[v * dimension + model->features] = coefficient[model->points.rows];
    }
    free(model->w);
    model->w = w;
    model->dimension = dimension;
    model->intercept = offset;
    return 0;
}

/* Refuses models whose weights are not those of features. */
static int check_model(const struct model *model, const char *path, struct error *e) {
    if (model->vectors == 0)
        return error_file(e, path, "a model of %s has no weights of features", model->loss);
    if (!model_has_map(model) || (is_linear_machine(model) && has_plain_basis(model)))
        return 0;
    if (is_linear_machine(model))
        return error_file(
            e, path, "a kernel machine with basis functions: it has no weights of features alone");
    return error_file(e, path,
                      "a kernel machine (%s): its weights are those of %" PRId64
                      " %s, and it has none of features; a linear model has",
                      model->kernel, model_units(model),
                      model_is_support(model)              ? "support vectors"
                      : strcmp(model->map, "nystrom") == 0 ? "landmarks"
                                                           : "random features");
}

/* ---- the scaling of the model */

/* Of one unit of feature J as it is in the data; the offset that shifts of the features make goes to *offset. */
static double unscaled(const struct scaling *scaling, int32_t j, double weight, double *offset) {
    if (scaling_leaves_out(scaling, j))
        return 0;
    struct scaling_feature f = scaling->feature[j];
    double unit = scaling->method == SCALING_RANGE
                      ? (scaling->target.high - scaling->target.low) / (f.second - f.first)
                      : 1 / f.second;
    *offset += weight * (scaling->method == SCALING_RANGE ? scaling->target.low - f.first * unit
                                                          : -f.first * unit);
    return weight * unit;
}

/* The scores of the model are then those of unscaled features with an offset. */
static int unscale(struct model *model, const char *path, struct error *e) {
    if (model->scaling.method == SCALING_NONE)
        return error_file(e, path, "--unscaled: a model without --scale");
    if (model->scaling.method == SCALING_NORM)
        return error_file(e, path, "--unscaled: by --scale norm each example has its own scale");
    int64_t dimension = model->features + (model->bias >= 0) + 1;
    int64_t weights = model->vectors * dimension;
    double *w = memory_zeroed(weights + model->shared, sizeof *w, "weights", e);
    if (w == NULL)
        return -1;
    memcpy(w + weights, model->w + model->vectors * model->dimension,
           sizeof *w * (size_t)model->shared);
    for (int64_t v = 0; v < model->vectors; v++) {
        double *to = w + v * dimension, *offset = to + dimension - 1;
        memcpy(to, model->w + v * model->dimension, sizeof *to * (size_t)model->dimension);
        for (int32_t j = 0; j < model->features; j++)
            to[j] = unscaled(&model->scaling, j, to[j], offset);
    }
    free(model->w);
    model->w = w;
    model->dimension = dimension;
    model->intercept = true;
    return 0;
}

/* ---- printing */

static void print_label(const struct writer *writer, int64_t k, FILE *stream) {
    if (writer->label_names != NULL)
        fputs(writer->label_names[k], stream);
    else
        fprintf(stream, "%.17g", writer->model.label[k]);
}

/* What vector V speaks for, into TEXT: "3", "spam", "1:3". */
static void describe_vector(const struct writer *writer, int64_t v, char *text, size_t size) {
    int64_t i = v, j = v;
    FILE *stream = fmemopen(text, size, "w");
    text[0] = '\0';
    if (stream == NULL)
        return;
    if (writer->model.pairs)
        label_pairs_of(writer->model.labels, v, &i, &j);
    print_label(writer, i, stream);
    if (j != i) {
        fputc(':', stream);
        print_label(writer, j, stream);
    }
    fclose(stream);
}

static void print_feature(const struct writer *writer, int64_t place, FILE *stream) {
    const struct model *model = &writer->model;
    if (place >= model->dimension) {
        fputs("(after ", stream);
        print_label(writer, place - model->dimension, stream);
        fputc(')', stream);
    } else if (place >= model->features) {
        fputs(model->bias >= 0 && place == model->features ? "(bias)" : "(offset)", stream);
    } else if (place < writer->names.feature.count) {
        fputs(words_text(&writer->names.feature, place), stream);
    } else {
        fprintf(stream, "%" PRId64, place + !model->zero_based);
    }
}

static int by_size(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    double x = fabs(a->value), y = fabs(b->value);
    return x != y ? (x < y) - (x > y) : (a->place > b->place) - (a->place < b->place);
}

static int by_place(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

/* The weights of vector V other than 0, and those of the labels before its own; their number. */
static int64_t find_entries(const struct writer *writer, int64_t v) {
    const struct model *model = &writer->model;
    const double *w = model->w + v * model->dimension;
    const double *transition = model->w + model->vectors * model->dimension;
    int64_t count = 0;
    for (int64_t j = 0; j < model->dimension; j++)
        if (w[j] != 0)
            writer->entry[count++] = (struct entry){j, w[j]};
    for (int64_t k = 0; model->shared > 0 && k < model->labels; k++)
        if (transition[k * model->labels + v] != 0)
            writer->entry[count++] =
                (struct entry){model->dimension + k, transition[k * model->labels + v]};
    return count;
}

static void print_vector(struct writer *writer, int64_t v, const char *name, FILE *stream) {
    const struct weights_settings *settings = writer->settings;
    int64_t count = find_entries(writer, v);
    qsort(writer->entry, (size_t)count, sizeof *writer->entry, by_size);
    if (settings->count > 0 && count > settings->count)
        count = settings->count;
    if (settings->by_index)
        qsort(writer->entry, (size_t)count, sizeof *writer->entry, by_place);
    for (int64_t i = 0; i < count; i++) {
        if (writer->model.vectors > 1)
            fprintf(stream, "%s\t", name);
        print_feature(writer, writer->entry[i].place, stream);
        fprintf(stream, "\t%.*g\n", (int)settings->digits, writer->entry[i].value);
    }
    writer->printed++;
}

static int print_vectors(struct writer *writer, struct output *output, struct error *e) {
    const struct model *model = &writer->model;
    const char *wanted = writer->settings->label;
    FILE *stream = output_stream(output);
    char name[256] = "";
    fputs(model->vectors > 1 ? "label\tfeature\tweight\n" : "feature\tweight\n", stream);
    for (int64_t v = 0; v < model->vectors; v++) {
        if (model->vectors > 1)
            describe_vector(writer, v, name, sizeof name);
        if (wanted == NULL || strcmp(wanted, name) == 0)
            print_vector(writer, v, name, stream);
        if (output_check(output, e) != 0)
            return -1;
    }
    return writer->printed > 0 ? 0
                               : error_usage(e, "--label %.100s: the model has no weights of it%s",
                                             wanted, model->vectors == 1 ? " alone" : "");
}

static void tell(const struct writer *writer) {
    const struct model *model = &writer->model;
    char first[256], second[256] = "the rest";
    if (writer->settings->quiet)
        return;
    if (model->vectors == 1 && model->labels == 2) {
        describe_vector(writer, 0, first, sizeof first);
        if (!model->against_rest)
            describe_vector(writer, 1, second, sizeof second);
        fprintf(stderr, "positive weights speak for label %s, negative ones for %s\n", first,
                second);
    }
    if (model->scaling.method != SCALING_NONE && !writer->settings->unscaled)
        fprintf(stderr, "features scaled by %s; --unscaled: as in the data\n",
                scaling_names[model->scaling.method]);
    if (model->hash_bits > 0)
        fputs("names of features were hashed (--hash): a number may stand for several\n", stderr);
}

/* ---- the program */

static int read_names(struct writer *writer, struct error *e) {
    const char *path = writer->settings->names;
    const struct model *model = &writer->model;
    if (path == NULL)
        return 0;
    if (numbered_names_read(path, true, &writer->names, e) != 0)
        return -1;
    words_replace(&writer->names.feature, name_show);
    if (writer->names.label.count > 0 && model->labels > 0)
        writer->label_names = names_read_shown(path, model->label, model->labels, e);
    return writer->names.label.count > 0 && model->labels > 0 && writer->label_names == NULL ? -1
                                                                                             : 0;
}

static int prepare(struct writer *writer, const char *path, struct error *e) {
    struct model *model = &writer->model;
    if (model_read(path, model, e) != 0 || check_model(model, path, e) != 0 ||
        (model_has_map(model) && make_linear(model, e) != 0) ||
        (writer->settings->unscaled && unscale(model, path, e) != 0) || read_names(writer, e) != 0)
        return -1;
    writer->entry =
        memory_new(model->dimension + model->labels, sizeof *writer->entry, "weights", e);
    return writer->entry == NULL ? -1 : 0;
}

static int write_table(struct writer *writer, const char *path, struct error *e) {
    struct output *output = output_open(path, e);
    return output == NULL ? -1 : output_end(output, print_vectors(writer, output, e), e);
}

static int run(const void *all, const struct option_group *groups, char **operand, int count,
               struct error *e) {
    struct writer writer = {.settings = all};
    (void)groups;
    if (count < 1 || count > 2)
        return error_usage(e, "%s; see %s --help",
                           count == 0 ? "MODEL is missing" : "too many files", program_name());
    const char *table = count == 2 ? operand[1] : "-";
    const char *const inputs[] = {operand[0], writer.settings->names};
    int status = files_check_inputs(inputs, 2, e);
    for (int i = 0; i < 2 && status == 0; i++)
        status = files_check_apart(table, inputs[i], e);
    if (status == 0)
        status = prepare(&writer, operand[0], e);
    if (status == 0)
        status = write_table(&writer, table, e);
    if (status == 0)
        tell(&writer);
    names_free(writer.label_names, writer.model.labels);
    numbered_names_free(&writer.names);
    free(writer.entry);
    model_free(&writer.model);
    return status;
}

static const struct converter program = {
    .name = "weights",
    .purpose = "the largest weights of a model, by name",
    .usage = usage,
    .description = description,
    .examples = examples,
    .common = CONVERTER_ROWS(rows),
    .run = run,
};

int main(int argc, char **argv) {
    struct weights_settings settings = {0};
    return converter_main(argc, argv, &program, &settings);
}
