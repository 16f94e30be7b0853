/* options.h - parses the command line by tables of options (solvers/option.h), and prints them as help and man
 * pages. */
#ifndef RRM_OPTIONS_H
#define RRM_OPTIONS_H

#include "solvers/option.h"

#include <stdio.h>

enum { MAX_LINE_MEGABYTES = 2000 }; /* of --line-limit: columns of errors are 32-bit numbers */
enum { MEGABYTE = 1000000 };

/* Sets every default, then parses argv by getopt_long. An option of several groups (two
 * solvers with --radius) sets all of them. Returns the index of the first operand in argv (operands
 * come last, permuted), or -1 with a usage error in one line: an unknown option suggests the
 * nearest, a value out of range names the range. If only some owners accept an argument, the
 * error of the others is kept for options_check_owner. `-w1 5` (LIBLINEAR's form) is read as
 * `-w 1=5`. */
int options_parse(int argc, char **argv, struct option_group *groups, int group_count,
                  struct error *e);

/* Prints the rows as aligned lines of help: "  -l, --lambda X   regularization ... (default 1e-4)". */
void options_print_help(const struct option_group *group, FILE *stream);

/* The same of one row, which the help lists. */
void options_print_row(const struct option_row *row, FILE *stream);

/* Prints the rows as man page source (.TP entries, man(7) macros, escaped). */
void options_print_man(const struct option_group *group, FILE *stream);

/* Prints TEXT in lines of at most 96 columns. The cursor is at column `indent`; further lines begin there too. The
 * sentences of options begin at HELP_COLUMN. */
enum { HELP_COLUMN = 30 };
void help_text(const char *text, int indent, FILE *stream);

/* The first line of the program's man page. */
void man_title(FILE *stream);

/* Prints TEXT escaped for a man page, so that dashes and backslashes are printed as they are; and a .TP entry: a bold
 * head and a sentence. */
void man_text(const char *text, FILE *stream);
void man_entry(const char *head, const char *text, FILE *stream);

/* Writes the values as members of a JSON object, `"lambda": 0.0001, ...`. A text or number that was not given and
 * has no default is null. Rows that the help does not list, calls, --help and --version are left out. */
void options_print_json(const struct option_group *group, FILE *stream);

#endif
