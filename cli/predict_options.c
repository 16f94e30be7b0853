/* predict_options.c - the command line of predict as a table; its help and man page. */
#include "cli/predict_options.h"

#include "cli/files.h"
#include "cli/options.h"
#include "cli/program_name.h"
#include "io/output.h"
#include "version.h"

#include <stddef.h>
#include <string.h>

#define FIELD(name) .offset = offsetof(struct predict_settings, name)

static const struct option_row rows[] = {
    {'d', "decision-values", NULL, OPTION_FLAG, FIELD(decisions),
     .help = "write a header line of labels (one-vs-one: pairs of labels), and the decision values "
             "after each predicted label"},
    {'b', "probabilities", "0|1", OPTION_INTEGER, .low = 0, .high = 1, .default_text = "0",
     FIELD(probabilities),
     .help =
         "1: write a header line of labels, and their probabilities after each predicted label; "
         "with -d the decision values follow them. Also print the log loss and the Brier score"},
    {0, "parts", NULL, OPTION_FLAG, FIELD(parts),
     .help = "models with basis functions: write a header line, and after each prediction the "
             "kernel's share of the score and that of the basis functions"},
    {0, "names", "FILE", OPTION_TEXT, FIELD(names),
     .help = "a file with the names of the labels (lines `label NUMBER NAME`, as convert and conll "
             "write them); they are written instead of the numbers, and chunks of sequences are "
             "measured, too"},
    {0, "measures", "LIST", OPTION_TEXT, FIELD(measures),
     .help = "print these measures alone: accuracy, auc, f1, precision, recall, log-loss and "
             "brier-score (with -b 1), confusion (a table of true and predicted labels); mse, mae, "
             "r2; ndcg@10 (or another K), map, pairwise-error; or any other that is printed "
             "without this option"},
    {'j', "threads", "N", OPTION_INTEGER, .low = 1, .high = MAX_THREADS, FIELD(threads),
     .help = "number of threads; the output does not depend on it (default: all processors)"},
    {0, "report", "FILE", OPTION_TEXT, FIELD(report),
     .help = "write the run as one JSON object: options, sizes, times, measures"},
    {0, "line-limit", "MB", OPTION_INTEGER, .low = 2, .high = MAX_LINE_MEGABYTES,
     .default_text = "256", FIELD(line_limit),
     .help = "the longest line of data that is read, in megabytes, at least 2"},
    {'q', "quiet", NULL, OPTION_LEVEL, FIELD(quiet),
     .help = "print nothing but warnings and errors; -qq: no warnings either"},
    {'h', "help", NULL, OPTION_FLAG, FIELD(help), .help = "print this help"},
    {'V', "version", NULL, OPTION_FLAG, FIELD(version), .help = "print the version"},
    {0, "man", NULL, OPTION_FLAG, FIELD(man)},
};

enum { ROWS = sizeof rows / sizeof *rows };

static const char synopsis[] = "@predict [options] TEST_FILE MODEL_FILE OUTPUT_FILE";

static const char *const description[] = {
    "Predicts each example of TEST_FILE (svmlight text, plain or compressed) with a model of "
    "@train, LIBLINEAR or LIBSVM (regression or classes). Writes a line for each to OUTPUT_FILE: "
    "the label, or the value for regression.",
    "\"-\" is standard input or output. An example without a label has \"?\" in its place. "
    "Features that the model does not know are ignored, and a warning says how many there are.",
    "Prints measures of the examples with labels: accuracy; for two classes also AUC, F1, "
    "precision and recall, where the model's first label, whose scores are positive, is the "
    "positive one (\"F1 = 0.9 (of label 1)\"); for models of -L "
    "precision --at K also precision at K, the fraction of positives among the K examples with the "
    "highest scores, or among all if there are fewer; MSE, MAE and R2 for regression. Examples "
    "with a label that the model does not know count as errors, and a warning says so. The "
    "measures "
    "go to standard output, or to standard error if the predictions go to standard output. A "
    "measure "
    "that would divide by zero is nan. Beyond four million examples AUC and precision at K are "
    "approximate, and a note says so. The test set need not fit in memory, except for examples "
    "that are predicted together (qid).",
    "Rankings: NDCG (at 1, 3, 5, 10, and first at the K of -L ndcg --at K), MAP and the fraction "
    "of pairs in the wrong order, as means over queries. "
    "Sequences: the best label sequence, accuracy of labels and of sequences; -b 1 prints the "
    "probabilities of each label. RNA: the structure in dots and brackets, a line for each "
    "sequence; sensitivity, positive predictive value and F1 of the pairs.",
    NULL};

static const struct {
    const char *command, *what;
} examples[] = {
    {"@predict a9a.t a9a.model out", "labels"},
    {"@predict -d a9a.t a9a.model out", "labels and decision values"},
    {"@predict -b 1 a9a.t a9a.model out", "labels and probabilities of a logistic model"},
    {"@predict --measures f1,confusion a9a.t a9a.model out", "labels, and two measures"},
    {"@predict --parts x.t pdsg.model out", "values, and the shares of the kernel and basis"},
    {"zcat new.gz | @predict - a9a.model -", "from a pipe into a pipe"},
};

enum { EXAMPLES = sizeof examples / sizeof *examples, TEXT = 1024 };

static struct option_group group_of(struct predict_command *command, bool *given) {
    return (struct option_group){
        .rows = rows, .count = ROWS, .settings = &command->settings, .given = given};
}

/* Refuses to overwrite a file that is read, or other data, and checks early that the files can be written. */
static int check_files(const struct predict_command *command, struct error *e) {
    const char *const written[] = {command->output_path, command->settings.report};
    for (int i = 0; i < 2; i++)
        if (files_check_apart(written[i], command->test_path, e) != 0 ||
            files_check_apart(written[i], command->model_path, e) != 0 ||
            files_check_apart(written[i], command->settings.names, e) != 0)
            return -1;
    if (files_check_distinct(written, 2, e) != 0)
        return -1;
    return files_check_writable(command->output_path, e) == 0
               ? files_check_writable(command->settings.report, e)
               : -1;
}

static int check_operands(const struct predict_command *command, int given, struct error *e) {
    static const char *const names[] = {"TEST_FILE", "MODEL_FILE", "OUTPUT_FILE"};
    const char *const paths[] = {command->test_path, command->model_path, command->output_path};
    char text[96];
    program_text(synopsis, text, sizeof text);
    if (given < 3)
        return error_usage(e, "%s is missing: %s", names[given], text);
    if (given > 3)
        return error_usage(e, "%d operands, but there are three: %s", given, text);
    for (int i = 0; i < 3; i++)
        if (paths[i][0] == '\0')
            return error_usage(e, "%s is empty: %s", names[i], text);
    if (strcmp(command->test_path, "-") == 0 && strcmp(command->model_path, "-") == 0)
        return error_usage(e, "test set and model cannot both be standard input");
    if (command->settings.parts &&
        (command->settings.decisions || command->settings.probabilities == 1))
        return error_usage(e, "--parts stands without -d and -b 1");
    return check_files(command, e);
}

int predict_command_parse(int argc, char **argv, struct predict_command *command, struct error *e) {
    bool given[ROWS] = {false};
    *command = (struct predict_command){0};
    struct option_group group = group_of(command, given);
    int first = options_parse(argc, argv, &group, 1, e);
    if (first < 0)
        return -1;
    if (predict_command_asks(command))
        return 0;
    const char **paths[] = {&command->test_path, &command->model_path, &command->output_path};
    for (int i = 0; i < 3 && first + i < argc; i++)
        *paths[i] = argv[first + i];
    return check_operands(command, argc - first, e);
}

static void print_help(const struct option_group *group, FILE *stream) {
    char text[TEXT];
    fprintf(stream, "usage: %s\n\n", program_text(synopsis, text, sizeof text));
    for (int i = 0; description[i] != NULL; i++)
        help_text(program_text(description[i], text, sizeof text), 0, stream);
    fputs("\noptions:\n", stream);
    options_print_help(group, stream);
    fputs("\nexamples:\n", stream);
    for (int i = 0; i < EXAMPLES; i++)
        fprintf(stream, "  %-51s %s\n", program_text(examples[i].command, text, sizeof text),
                examples[i].what);
}

static void print_man(const struct option_group *group, FILE *stream) {
    char text[TEXT];
    program_use_installed_names();
    man_title(stream);
    fputs(".SH NAME\nlibrrm\\-predict \\- predict with a linear or kernel model\n"
          ".SH SYNOPSIS\n.B librrm\\-predict\n[\\fIoptions\\fR] \\fITEST_FILE\\fR "
          "\\fIMODEL_FILE\\fR \\fIOUTPUT_FILE\\fR\n.SH DESCRIPTION\n",
          stream);
    for (int i = 0; description[i] != NULL; i++) {
        fputs(i > 0 ? ".PP\n" : "", stream);
        man_text(program_text(description[i], text, sizeof text), stream);
        fputc('\n', stream);
    }
    fputs(".SH OPTIONS\n", stream);
    options_print_man(group, stream);
    fputs(".SH EXIT STATUS\n0 success, 1 failure (data, input or output, memory, a signal), 2 "
          "usage.\nAfter a failure \\fIOUTPUT_FILE\\fR is what it was before.\n.SH EXAMPLES\n",
          stream);
    for (int i = 0; i < EXAMPLES; i++)
        man_entry(program_text(examples[i].command, text, sizeof text), examples[i].what, stream);
    fputs(".SH SEE ALSO\n.BR librrm\\-train (1),\n.BR librrm\\-formats (5)\n", stream);
}

bool predict_command_asks(const struct predict_command *command) {
    const struct predict_settings *settings = &command->settings;
    return settings->help || settings->version || settings->man;
}

int predict_command_tell(struct predict_command *command, struct error *e) {
    struct option_group group = group_of(command, NULL);
    const struct predict_settings *settings = &command->settings;
    struct output *output = output_open("-", e);
    if (output == NULL)
        return -1;
    FILE *stream = output_stream(output);
    if (settings->version)
        fputs(RRM_VERSION "\n", stream);
    else if (settings->man)
        print_man(&group, stream);
    else
        print_help(&group, stream);
    return output_commit(output, e);
}

enum prediction_form predict_form(const struct predict_settings *settings) {
    if (settings->probabilities == 1)
        return settings->decisions ? PREDICTION_BOTH : PREDICTION_PROBABILITIES;
    if (settings->parts)
        return PREDICTION_PARTS;
    return settings->decisions ? PREDICTION_DECISIONS : PREDICTION_PLAIN;
}

void predict_command_json(struct predict_command *command, FILE *stream) {
    struct option_group group = group_of(command, NULL);
    options_print_json(&group, stream);
}
