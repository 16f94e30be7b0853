/* options.h - the command line as data.
 *
 * An option is a row of a table: its letters, kind, range, default, one line of help, and where its
 * value goes. Parsing, range checks, help and the man pages all come from the rows. */
#ifndef RRM_OPTIONS_H
#define RRM_OPTIONS_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_THREADS = 1024 }; /* what -j, or the environment, may ask for */
enum { MOST_LINE = 2000 }; /* MB, what --line-limit may ask for: columns are numbers of 32 bits */
enum { MEGABYTE = 1000000 };

/* The upper end of counts that size nothing: of steps, examples, weights. */
#define OPTION_COUNT_MOST 1e15

enum option_kind {
    OPTION_FLAG,    /* bool; no argument */
    OPTION_SWITCH,  /* bool; argument on or off */
    OPTION_INTEGER, /* int64_t */
    OPTION_NATURAL, /* uint64_t; any, without a range */
    OPTION_REAL,    /* double */
    OPTION_TEXT,    /* const char *; the argument itself */
    OPTION_CHOICE,  /* int; the place of the argument among `choices` */
    OPTION_CALL     /* `take` is called with the argument; may be given more than once */
};

struct option_row {
    char letter;          /* 0: long form only */
    const char *name;     /* NULL: short form only */
    const char *argument; /* its name in the help, "X"; NULL for a flag */
    enum option_kind kind;
    double low, high; /* closed range of a number, infinite ends allowed, but for the upper one of
                           integers and sizes ("MB"), which the help states; equal: any number */
    bool open;        /* the lower end is excluded */
    bool open_high;   /* the upper end is excluded */
    bool pair;        /* OPTION_CALL with an argument KEY=VALUE: also `-wKEY VALUE` */
    const char
        *default_text; /* default, parsed like an argument; NULL: zero, and no default shown */
    const char *help;  /* one sentence, no full stop; NULL: works, but is not listed */
    size_t offset;     /* of the value in the settings of the group */
    const char *const *choices; /* OPTION_CHOICE: names, NULL at the end */
    int (*take)(void *settings, const char *argument, struct error *e); /* OPTION_CALL */
};

/* A table and the struct that it fills. `owner` is NULL for the program's own options, or the name
 * of the solver whose options these are. */
struct option_group {
    const char *owner;
    const struct option_row *rows;
    int count;
    void *settings;
    bool *given;          /* count flags: which were on the command line; filled by options_parse */
    struct error refused; /* of an argument that this owner cannot take, but another could */
};

/* Sets every default, then parses argv by getopt_long. An option that stands in several groups (two
 * solvers with --radius) sets all of them. Returns the index of the first operand in argv (operands
 * come last, permuted), or -1 with a usage error in one line: an unknown option suggests the
 * nearest, a value out of range names the range. An argument that one owner can take and another
 * cannot is that one's fault, kept for options_check_owner. `-w1 5` (LIBLINEAR's form) is read as
 * `-w 1=5`. */
int options_parse(int argc, char **argv, struct option_group *groups, int group_count,
                  struct error *e);

/* 0, or a usage error when OWNER refused an argument, or an option of another was given: "--radius is
 * an option of proximal, not of pegasos", with all owners as far as there is room. OWNER NULL: none is chosen, and an option of any is an error that
 * names them: "--radius needs -s: it is an option of proximal". Groups without an owner always pass. */
int options_check_owner(const struct option_group *groups, int group_count, const char *owner,
                        struct error *e);

/* Whether the option NAME of the group was on the command line. */
bool option_given(const struct option_group *group, const char *name);

/* The value of the group's number NAME; not-a-number where it has none. */
double option_real(const struct option_group *group, const char *name);

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

/* The NAMES (NULL at the end) nearest to WORD by edit distance, or NULL when none is near. */
const char *nearest_name(const char *word, const char *const *names);

/* "a, b, c" of the NAMES (NULL at the end) into TEXT, cut where it is full. */
void join_names(const char *const *names, char *text, size_t size);

/* Parses TEXT whole as a finite number in strtod's form; 0 or -1, nothing else happens. */
int text_to_real(const char *text, double *value);
int text_to_integer(const char *text, int64_t *value);

#endif
