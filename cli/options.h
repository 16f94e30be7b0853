/* options.h - the command line, help and man pages of tables of options (solvers/option.h). */
#ifndef RRM_OPTIONS_H
#define RRM_OPTIONS_H

#include "solvers/option.h"

#include <stdio.h>

enum { MOST_LINE = 2000 }; /* MB, what --line-limit may ask for: columns are numbers of 32 bits */
enum { MEGABYTE = 1000000 };

/* Sets every default, then parses argv by getopt_long. An option that stands in several groups (two
 * solvers with --radius) sets all of them. Returns the index of the first operand in argv (operands
 * come last, permuted), or -1 with a usage error in one line: an unknown option suggests the
 * nearest, a value out of range names the range. An argument that one owner can take and another
 * cannot is that one's fault, kept for options_check_owner. `-w1 5` (LIBLINEAR's form) is read as
 * `-w 1=5`. */
int options_parse(int argc, char **argv, struct option_group *groups, int group_count,
                  struct error *e);

/* The rows as aligned lines of help: "  -l, --lambda X   regularization ... (default 1e-4)". */
void options_print_help(const struct option_group *group, FILE *stream);

/* The rows as man page source (.TP entries, man(7) macros, escaped). */
void options_print_man(const struct option_group *group, FILE *stream);

/* TEXT in lines of at most 96 columns: the cursor stands at column `indent`, further lines begin
 * there. The sentences of options begin at HELP_COLUMN. */
enum { HELP_COLUMN = 30 };
void help_text(const char *text, int indent, FILE *stream);

/* The first line of the program's man page. */
void man_title(FILE *stream);

/* TEXT escaped for a man page: dashes and backslashes stay what they are; and a .TP entry of a bold
 * head and a sentence. */
void man_text(const char *text, FILE *stream);
void man_entry(const char *head, const char *text, FILE *stream);

/* The values as members of a JSON object, `"lambda": 0.0001, ...`, null for a text or a number that was not
 * given and has no default; rows that are not listed in the help, calls, --help and --version are left
 * out. */
void options_print_json(const struct option_group *group, FILE *stream);

#endif
