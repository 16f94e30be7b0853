/* predict_report.c - the messages and the report of predict. */
#include "cli/predict_report.h"

#include "cli/files.h"
#include "cli/json.h"
#include "cli/measures_lines.h"
#include "cli/program_name.h"
#include "io/output.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>

void predict_warn_untrained(const struct model *model, FILE *stream) {
    int64_t count = model_untrained(model);
    if (count > 0 && count < model->labels) /* otherwise prediction was refused */
        fprintf(stream,
                "%s: warning: %" PRId64 " of %" PRId64 " labels of the model were not trained%s\n",
                program_name(), count, model->labels,
                model->labels - count < 2 ? "" : "; they are never predicted");
}

/* Of unknown features and of unknown labels, if there are any. */
static void warn(const struct model *model, const struct predict_result *result, FILE *stream) {
    const struct unknown_features *unknown_features = &result->unknown_features;
    if (unknown_features->entries > 0)
        fprintf(stream,
                "%s: warning: %" PRId64 " entries of %" PRId64
                " rows are features that the model does not know (it has %" PRId64
                "): they were ignored\n",
                program_name(), unknown_features->entries, unknown_features->rows, model->features);
    if (result->measured.unknown > 0) {
        char text[UNKNOWN_LABELS_SIZE];
        unknown_labels_sentence(&result->measured, text);
        fprintf(stream, "%s: warning: %s\n", program_name(), text);
    }
}

static int print(const struct predict_result *result, FILE *stream, struct error *e) {
    measures_print(result->list, result->count, result->positive, stream);
    return result->confusion.labels == 0
               ? 0
               : confusion_print(&result->confusion, result->names, stream, e);
}

/* To standard output, or to standard error if the predictions or the report went to standard output. */
static int print_measures(const struct predict_command *command,
                          const struct predict_result *result, struct error *e) {
    const char *const written[] = {command->output_path, command->settings.report};
    if (files_for_people(written, 2) == stderr)
        return print(result, stderr, e);
    struct output *output = output_open("-", e);
    return output == NULL ? -1 : output_end(output, print(result, output_stream(output), e), e);
}

static void print_member(const char *name, const char *text, const char *end, FILE *stream) {
    fprintf(stream, "\"%s\": ", name);
    json_string(stream, text);
    fputs(end, stream);
}

/* The last row is that of labels that the model does not have. */
static void print_confusion(const struct confusion *confusion, FILE *stream) {
    int64_t labels = confusion->labels;
    fputs(",\n \"confusion\": {\"labels\": [", stream);
    for (int64_t k = 0; k < labels; k++)
        fprintf(stream, "%s%.17g", k > 0 ? ", " : "", confusion->label[k]);
    fputs("], \"counts\": [", stream);
    for (int64_t k = 0; k < (labels + 1) * labels; k++)
        fprintf(stream, "%s%" PRId64 "%s",
                k % labels > 0 ? ", "
                : k > 0        ? ", ["
                               : "[",
                confusion->count[k], k % labels == labels - 1 ? "]" : "");
    fputs("]}", stream);
}

/* One JSON object to the file of --report, if given. */
static int write_report(struct predict_command *command, const struct model *model,
                        const struct predict_result *result, struct error *e) {
    if (command->settings.report == NULL)
        return 0;
    struct output *output = output_open(command->settings.report, e);
    if (output == NULL)
        return -1;
    FILE *stream = output_stream(output);
    fputc('{', stream);
    print_member("program", "predict", ", ", stream);
    print_member("version", RRM_VERSION, ", ", stream);
    print_member("data_file", command->test_path, ", ", stream);
    print_member("model_file", command->model_path, ", ", stream);
    print_member("output_file", command->output_path, ",\n \"options\": {", stream);
    predict_command_json(command, stream);
    fputs("},\n \"model\": {", stream);
    print_member("solver", model->solver, ", ", stream);
    print_member("loss", model->loss, ", ", stream);
    fprintf(stream, "\"labels\": %" PRId64 ", \"features\": %" PRId64 ", \"vectors\": %" PRId64,
            model->labels, model->features, model->vectors);
    fprintf(stream,
            "},\n \"rows\": %" PRId64 ", \"labelled\": %" PRId64 ", \"unknown_labels\": %" PRId64
            ", \"unknown_entries\": %" PRId64 ", \"predict_seconds\": ",
            result->rows, result->measured.labelled, result->measured.unknown,
            result->unknown_features.entries);
    json_number(stream, result->seconds);
    fputs(",\n ", stream);
    json_measures(stream, result->list, result->count);
    if (!isnan(measures_positive(result->list, result->count))) {
        fputs(", \"positive_label\": ", stream);
        json_number(stream, measures_positive(result->list, result->count));
    }
    if (result->confusion.labels > 0)
        print_confusion(&result->confusion, stream);
    fputs("}\n", stream);
    return output_commit(output, e);
}

int predict_report(struct predict_command *command, const struct model *model,
                   const struct predict_result *result, struct error *e) {
    if (command->settings.quiet < 2)
        warn(model, result, stderr);
    if (!command->settings.quiet && print_measures(command, result, e) != 0)
        return -1;
    return write_report(command, model, result, e);
}
