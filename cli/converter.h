/* converter.h - a converter (data/NAME.c): its options, its help and man page from one text, and its main. */
#ifndef RRM_CONVERTER_H
#define RRM_CONVERTER_H

#include "cli/options.h"
#include "io/error.h"

/* A command of a converter: its first operand, and the files behind it. */
struct converter_command {
    const char *name, *takes; /* `takes` names the files */
    int min_files, max_files; /* how many */
};

/* The command that the first of the COUNT operands names; the last of `commands` has no name. NULL with the error set:
 * there is no such command, or it takes more or fewer files than the other operands are. */
const struct converter_command *converter_find_command(const struct converter_command *commands,
                                                       char **operand, int count, struct error *e);

/* The work of a converter, with its settings; `groups` are the options of all commands, those that all converters have
 * (--help), and those of the command encode. 0, or -1 with the error set. */
enum { CONVERTER_GROUPS = 3 };
typedef int converter_run(const void *settings, const struct option_group *groups, char **operand,
                          int count, struct error *e);

/* The rows of a table of options. */
struct converter_rows {
    const struct option_row *rows;
    int count; /* at most CONVERTER_MAX_ROWS */
};
enum { CONVERTER_MAX_ROWS = 32 };
#define CONVERTER_ROWS(table)                                                                      \
    { table, sizeof(table) / sizeof *(table) }

/* In all texts @NAME is the name of a program (cli/program_name.h). */
struct converter {
    const char *name;
    const char *purpose;          /* a phrase for the man page */
    const char *const *usage;     /* lines, NULL at the end */
    const char *description;      /* sentences */
    const char *const *examples;  /* lines, NULL at the end */
    struct converter_rows common; /* the options of all commands */
    struct converter_rows encode; /* those of the command encode */
    converter_run *run;
};

/* The main of a converter: reads the options into SETTINGS; prints the help, the version or the man page if asked for,
 * or if there are no arguments, otherwise runs. Returns the exit status. */
int converter_main(int argc, char **argv, const struct converter *converter, void *settings);

#endif
