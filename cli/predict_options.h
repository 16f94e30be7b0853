/* predict_options.h - the command line of predict: options, operands, help and man page. */
#ifndef RRM_PREDICT_OPTIONS_H
#define RRM_PREDICT_OPTIONS_H

#include "cli/prediction_lines.h"
#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct predict_settings {
    bool decisions;        /* -d */
    int64_t probabilities; /* -b, 0 or 1 */
    bool parts;
    const char *names;    /* NULL: none */
    const char *measures; /* NULL: all */
    int64_t threads;      /* 0: all processors */
    const char *report;   /* NULL: none */
    int64_t line_limit;   /* MB */
    int64_t quiet;        /* how often -q was given */
    bool help, version, man;
};

struct predict_command {
    struct predict_settings settings;
    const char *test_path, *model_path, *output_path;
};

/* Parses the command line. Checks the operands unless help, version or the man page is asked for. 0, or -1 with a
 * usage error. There is nothing to free: the texts belong to argv. */
int predict_command_parse(int argc, char **argv, struct predict_command *command, struct error *e);

/* True if the command line asks for help, version or man page. */
bool predict_command_asks(const struct predict_command *command);

/* Prints the help, version or man page to standard output. 0, or -1 with the error set. */
int predict_command_tell(struct predict_command *command, struct error *e);

/* The form of prediction lines that -d, -b and --parts ask for. */
enum prediction_form predict_form(const struct predict_settings *settings);

/* Writes the options as members of a JSON object. */
void predict_command_json(struct predict_command *command, FILE *stream);

#endif
