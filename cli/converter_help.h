/* converter_help.h - help and man page of the converters (data/NAME.c), both from one text, and what their mains
 * share. */
#ifndef RRM_CONVERTER_HELP_H
#define RRM_CONVERTER_HELP_H

#include "cli/options.h"
#include "io/error.h"

#include <stdbool.h>

/* In all texts @NAME is the name of a program (cli/program_name.h). */
struct converter_help {
    const char *purpose;         /* a phrase for the man page */
    const char *const *usage;    /* lines, NULL at the end */
    const char *description;     /* sentences */
    const char *const *examples; /* lines, NULL at the end */
    struct option_group *groups;
    int group_count;
};

/* What the options --help, --version and --man of a converter set. */
struct converter_asks {
    bool help, version, man;
};

/* A command of a converter: its first operand, and the files behind it. */
struct converter_command {
    const char *name, *takes; /* `takes` names the files */
    int min_files, max_files; /* how many */
};

/* That of `commands`, up to one without a name, which `operand` begins with, if its files are as many as it takes;
 * NULL with the error set otherwise. */
const struct converter_command *converter_find_command(const struct converter_command *commands,
                                                       char **operand, int count, struct error *e);

/* The work of a converter, with the settings of its first group. 0, or -1 with the error set. */
typedef int converter_run(const void *settings, const struct option_group *groups, char **operand,
                          int count, struct error *e);

/* The main of a converter NAME: reads the options into the groups of HELP, prints the help, the version or the man page
 * if ASKS (a part of the settings) says so or there are no arguments, otherwise runs. Returns the exit status. */
int converter_main(int argc, char **argv, const char *name, const struct converter_help *help,
                   const struct converter_asks *asks, converter_run *run);

#endif
