/* convert.c - the program convert: tables of comma- or tab-separated values to svmlight data, and back; see convert
 * --help. */
#include "data/convert.h"

#include "cli/files.h"
#include "cli/program_name.h"

#include <stddef.h>
#include <string.h>

#define FIELD(name) .offset = offsetof(struct convert_settings, name)

static const char *const headers[] = {"auto", "on", "off", NULL};
static const char *const decimals[] = {"point", "comma", NULL};
static const char *const missing[] = {"zero", "flag", "skip", "refuse", NULL};

static const struct option_row common[] = {
    {0, "names", "FILE", OPTION_TEXT, FIELD(names),
     .help = "the names of labels and features, in lines label NUMBER NAME and feature NUMBER "
             "NAME; encode writes this file, the other commands read it"},
    {0, "separator", "C", OPTION_TEXT, FIELD(separator),
     .help = "what stands between fields, \\t for a tab; without it a tab if the first line has "
             "one, otherwise a comma or semicolon"},
    {0, "decimal", "point|comma", OPTION_CHOICE, .choices = decimals, .default_text = "point",
     FIELD(decimal), .help = "what stands before the fraction of a number in a table: 1.5 or 1,5"},
    {0, "header", "auto|on|off", OPTION_CHOICE, .choices = headers, .default_text = "auto",
     FIELD(header),
     .help =
         "whether the first line has the names of the columns. auto: it has if none of its fields "
         "is a number, and none but the first is empty; if the first field is label, as table "
         "writes it; or if one of its texts stands above a number, and no two of its fields are "
         "alike"},
};

static const struct option_row encode[] = {
    {0, "label", "COLUMN", OPTION_TEXT, FIELD(label),
     .help =
         "the column of the label, by name or by number from 1 (default: the column named label, "
         "or else the last one; with --freeze the one that --names has)"},
    {0, "weight", "COLUMN", OPTION_TEXT, FIELD(weight),
     .help = "the column of the examples' weights (cost:)"},
    {0, "group", "COLUMN", OPTION_TEXT, FIELD(group),
     .help = "the column of queries or sequences (qid:); its rows must stand together"},
    {0, "ignore", "COLUMNS", OPTION_TEXT, FIELD(ignore),
     .help = "columns to leave out, with commas between them; a name with a comma stands between "
             "double quotes"},
    {0, "categories", "COLUMNS", OPTION_TEXT, FIELD(categories),
     .help = "columns whose numbers are names, such as postal codes"},
    {0, "missing", "zero|flag|skip|refuse", OPTION_CHOICE, .choices = missing,
     .default_text = "zero", FIELD(missing),
     .help = "what becomes of a row with an empty field, NA, N/A, NaN, null or ? in a column of a "
             "feature. zero: the value is 0; flag: a feature of its own has the value 1; skip: the "
             "row is left out, and in training data a row without a label, too; refuse: an error"},
    {0, "freeze", NULL, OPTION_FLAG, FIELD(freeze),
     .help = "for test data: read the file of --names and use its numbers; texts that are not "
             "there are left out, labels that are not there become ?"},
    {0, "unlabeled", NULL, OPTION_FLAG, FIELD(unlabeled),
     .help = "with --freeze: no column is the label"},
    {'q', "quiet", NULL, OPTION_FLAG, FIELD(quiet), .help = "print nothing but errors"},
};

static const char *const usage[] = {"@convert encode --names NAMES [options] TABLE > DATA",
                                    "@convert decode --names NAMES TABLE PREDICTIONS > TABLE",
                                    "@convert table [--names NAMES] DATA > TABLE", NULL};

static const char description[] =
    "encode turns a table into svmlight data for @train. TABLE has a line for each example, with "
    "fields between commas, tabs or semicolons; a field with a separator in it stands between "
    "double quotes. A column of numbers is a feature. A column with other texts is a category: "
    "each text is a feature with value 1. Labels that are numbers stay; others get numbers from 1 "
    "in the order in which they come. In names, blanks, = and % are written as %XX. decode copies "
    "TABLE and adds a column with the predicted labels, by their names. table turns svmlight data "
    "into a table with commas; with --names the features of a category are one column again. Files "
    "are plain or compressed. \"-\" is standard input; encode reads its table twice, so it takes "
    "that with --freeze alone.";

static const char *const examples[] = {
    "@convert encode --names names train.csv > train.svm",
    "@convert encode --names names --freeze test.csv > test.svm",
    "@convert decode --names names test.csv predictions > predicted.csv", NULL};

static int check_encode(const struct convert_settings *settings, const char *path,
                        struct error *e) {
    if (settings->unlabeled && !settings->freeze)
        return error_usage(e, "--unlabeled needs --freeze: training data have labels");
    if (settings->unlabeled && settings->label != NULL)
        return error_usage(e, "--unlabeled and --label exclude each other");
    if (settings->freeze)
        return 0;
    if (files_check_twice(path, ", or --freeze", e) != 0)
        return -1;
    if (strcmp(settings->names, "-") == 0)
        return error_usage(e, "--names -: standard output has the data");
    return files_check_apart(settings->names, path, e) != 0
               ? -1
               : files_check_writable(settings->names, e);
}

static int check_separator(const char *separator, struct error *e) {
    if (separator == NULL || strcmp(separator, "\\t") == 0 ||
        (strlen(separator) == 1 && strchr("\"\r\n", *separator) == NULL))
        return 0;
    return error_usage(e, "--separator takes one byte or \\t, not '%.40s'", separator);
}

static const struct converter_command commands[] = {
    {"encode", "TABLE", 1, 1},
    {"decode", "TABLE and PREDICTIONS", 2, 2},
    {"table", "DATA", 1, 1},
    {NULL, NULL, 0, 0},
};

static int run(const void *all, const struct option_group *groups, char **operand, int count,
               struct error *e) {
    const struct convert_settings *settings = all;
    const struct converter_command *command = converter_find_command(commands, operand, count, e);
    if (command == NULL || options_check_owner(groups, CONVERTER_GROUPS, command->name, e) != 0 ||
        check_separator(settings->separator, e) != 0)
        return -1;
    bool encodes = command == &commands[0], decodes = command == &commands[1];
    if ((encodes || decodes) && settings->names == NULL)
        return error_usage(e, "--names is missing; see %s --help", program_name());
    const char *inputs[] = {operand[1], decodes ? operand[2] : NULL, settings->names};
    if ((encodes && check_encode(settings, operand[1], e) != 0) ||
        files_check_inputs(inputs, 3, e) != 0)
        return -1;
    return encodes   ? convert_encode(settings, operand[1], e)
           : decodes ? convert_decode(settings, operand[1], operand[2], e)
                     : convert_table(settings, operand[1], e);
}

static const struct converter program = {
    .name = "convert",
    .purpose = "tables of values to data for librrm\\-train, and back",
    .usage = usage,
    .description = description,
    .examples = examples,
    .common = CONVERTER_ROWS(common),
    .encode = CONVERTER_ROWS(encode),
    .run = run,
};

int main(int argc, char **argv) {
    struct convert_settings settings = {0};
    return converter_main(argc, argv, &program, &settings);
}
