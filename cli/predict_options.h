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
    const char *names;  /* NULL: none */
    int64_t threads;    /* 0: all processors */
    const char *report; /* NULL: none */
    int64_t line_limit; /* MB */
    bool quiet, help, version, man;
};

struct predict_command {
    struct predict_settings settings;
    bool bare; /* no arguments at all */
    const char *test_path, *model_path, *output_path;
};

/* Reads the command line; the operands are checked unless help, version or the man page is wanted.
 * 0, or -1 with a usage error. Nothing to free: the texts are argv's. */
int predict_command_parse(int argc, char **argv, struct predict_command *command, struct error *e);

/* True when the command line asks for help, version or man page, or is empty. */
bool predict_command_asks(const struct predict_command *command);

/* Prints what it asks for to standard output. 0, or -1 with the error set. */
int predict_command_tell(struct predict_command *command, struct error *e);

/* What -d, -b and --parts ask for. */
enum prediction_form predict_form(const struct predict_settings *settings);

/* The options as members of a JSON object. */
void predict_command_json(struct predict_command *command, FILE *stream);

#endif
