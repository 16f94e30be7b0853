/* conll.c - the converter conll: sequences in columns to svmlight data for train, and predicted labels back; see
 * conll --help. */
#include "data/conll.h"

#include "cli/files.h"
#include "cli/program_name.h"

#include <stddef.h>
#include <string.h>

#define FIELD(name) .offset = offsetof(struct conll_settings, name)

static const struct option_row common[] = {
    {0, "names", "FILE", OPTION_TEXT, FIELD(names),
     .help = "the names of labels and features, in lines label NUMBER NAME and feature NUMBER "
             "NAME; encode writes this file, decode reads it"},
};

static const struct option_row encode[] = {
    {0, "template", "FILE", OPTION_TEXT, FIELD(template),
     .help = "the features of a word, in lines as for CRF++: U01:%x[-1,0]; # begins a comment, and "
             "a line B is allowed"},
    {0, "min-count", "N", OPTION_INTEGER, .low = 1, .high = 1e9, .default_text = "1",
     FIELD(min_count), .help = "leave out features that occur fewer than N times"},
    {0, "freeze", NULL, OPTION_FLAG, FIELD(freeze),
     .help = "for test data: read the file of --names and use its numbers; features that are not "
             "there are left out, labels that are not there become 0, which no model predicts"},
    {0, "unlabeled", NULL, OPTION_FLAG, FIELD(unlabeled),
     .help = "with --freeze: the last column is not a label"},
    {'q', "quiet", NULL, OPTION_FLAG, FIELD(quiet), .help = "print nothing but errors"},
};

static const char *const usage[] = {
    "@conll encode --template TEMPLATE --names NAMES [options] COLUMNS > DATA",
    "@conll decode --names NAMES COLUMNS PREDICTIONS > COLUMNS_WITH_LABELS", NULL};

static const char description[] =
    "encode turns COLUMNS into svmlight data for @train -L crf and -L m3n: a row for each word, a "
    "qid for each sentence. COLUMNS has a line for each word, with columns between blanks or tabs, "
    "the label in the last column, and an empty line between sentences. Labels and features get "
    "numbers from 1 in the order in which they occur; a feature that a word has twice gets the "
    "value 2. decode copies COLUMNS and adds the predicted label, a number or a name, to each "
    "line. Files are plain or compressed; \"-\" is standard input.";

static const char *const examples[] = {
    "@conll encode --template data/chunking.template --names names data/chunks.train > train.svm",
    "@conll encode --template data/chunking.template --names names --freeze data/chunks.test > "
    "test.svm",
    "@conll decode --names names data/chunks.test predictions", NULL};

static int check_encode(const struct conll_settings *settings, const char *columns,
                        struct error *e) {
    if (settings->template == NULL)
        return error_usage(e, "--template is missing; see %s --help", program_name());
    if (settings->unlabeled && !settings->freeze)
        return error_usage(e, "--unlabeled needs --freeze: training data have labels");
    if (settings->freeze)
        return 0;
    if (strcmp(settings->names, "-") == 0)
        return error_usage(e, "--names -: standard output has the data");
    if (files_check_apart(settings->names, columns, e) != 0 ||
        files_check_apart(settings->names, settings->template, e) != 0)
        return -1;
    return files_check_writable(settings->names, e);
}

static const struct converter_command commands[] = {
    {"encode", "COLUMNS", 1, 1},
    {"decode", "COLUMNS and PREDICTIONS", 2, 2},
    {NULL, NULL, 0, 0},
};

static int run(const void *all, const struct option_group *groups, char **operand, int count,
               struct error *e) {
    const struct conll_settings *settings = all;
    const struct converter_command *command = converter_find_command(commands, operand, count, e);
    if (command == NULL || options_check_owner(groups, CONVERTER_GROUPS, command->name, e) != 0)
        return -1;
    bool encodes = command == &commands[0];
    if (settings->names == NULL)
        return error_usage(e, "--names is missing; see %s --help", program_name());
    const char *inputs[] = {operand[1], settings->names, encodes ? settings->template : operand[2]};
    if (files_check_inputs(inputs, 3, e) != 0 ||
        (encodes && check_encode(settings, operand[1], e) != 0))
        return -1;
    return encodes ? conll_encode(settings, operand[1], e)
                   : conll_decode(settings, operand[1], operand[2], e);
}

static const struct converter program = {
    .name = "conll",
    .purpose = "sequences in columns to data for librrm\\-train, and predictions back",
    .usage = usage,
    .description = description,
    .examples = examples,
    .common = CONVERTER_ROWS(common),
    .encode = CONVERTER_ROWS(encode),
    .run = run,
};

int main(int argc, char **argv) {
    struct conll_settings settings = {0};
    return converter_main(argc, argv, &program, &settings);
}
