/* option.h - options as data: rows of a table, and setting a value from its text.
 *
 * An option is a row: its letter, name, kind, range, default, one line of help, and where its value goes.
 * The command line, the help, the man pages, the reports and the library all come from the rows. */
#ifndef RRM_OPTION_H
#define RRM_OPTION_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_THREADS = 1024 }; /* what -j, or the environment, may ask for */

/* The upper end of counts that size nothing: of steps, examples, weights. */
#define OPTION_COUNT_MOST 1e15

enum option_kind {
    OPTION_FLAG,    /* bool; no argument */
    OPTION_LEVEL,   /* int64_t, how often it was given; no argument */
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
    /* default, parsed like an argument; NULL: zero, and no default shown */
    const char *default_text;
    /* OPTION_TEXT: the long form may stand without an argument, and then has this one; an argument follows "=" */
    const char *implied;
    const char *help;           /* one sentence, no full stop; NULL: works, but is not listed */
    size_t offset;              /* of the value in the settings of the group */
    const char *const *choices; /* OPTION_CHOICE: names, NULL at the end */
    /* OPTION_CALL; `shown`: what the option is called in errors, as in options_set */
    int (*take)(void *settings, const char *shown, const char *argument, struct error *e);
};

/* The rows that most solvers have: a number from 0 to HIGH, and a word of CHOICES, in the member of the struct TYPE. */
#define OPTION_NUMBER_ROW(NAME, ARGUMENT, HIGH, DEFAULT, TYPE, MEMBER, HELP)                       \
    {                                                                                              \
        .name = NAME, .argument = ARGUMENT, .kind = OPTION_REAL, .low = 0, .high = HIGH,           \
        .default_text = DEFAULT, .help = HELP, .offset = offsetof(TYPE, MEMBER)                    \
    }
#define OPTION_CHOICE_ROW(NAME, ARGUMENT, CHOICES, DEFAULT, TYPE, MEMBER, HELP)                    \
    {                                                                                              \
        .name = NAME, .argument = ARGUMENT, .kind = OPTION_CHOICE, .choices = CHOICES,             \
        .default_text = DEFAULT, .help = HELP, .offset = offsetof(TYPE, MEMBER)                    \
    }

/* A table and the struct that it fills. `owner` is NULL for options that all share, or the name of the
 * solver whose options these are. */
struct option_group {
    const char *owner;
    const struct option_row *rows;
    int count;
    void *settings;
    bool *given;          /* count flags: which were set, other than by default; NULL: not wanted */
    struct error refused; /* of an argument that this owner cannot take, but another could */
};

/* Sets every value of the groups to its default, and none as given. */
int options_default(struct option_group *groups, int group_count, struct error *e);

/* Sets the option ROW from TEXT in every group that has it (two solvers with --radius). SHOWN is the option
 * as the user wrote it ("-l", "--lambda"), for messages. 0, or -1 with a usage error: a value out of range
 * names the range. An argument that one owner can take and another cannot is that one's fault, kept for
 * options_check_owner. TEXT is not looked at for a flag, which becomes true; that of OPTION_TEXT is not
 * copied. */
int options_set(struct option_group *groups, int group_count, const struct option_row *row,
                const char *shown, const char *text, struct error *e);

/* The option of this long name in the first group that has it, or NULL. */
const struct option_row *options_find(const struct option_group *groups, int group_count,
                                      const char *name);

/* 0, or a usage error when OWNER refused an argument, or an option of another was given: "--radius is
 * an option of proximal, not of pegasos", with all owners as far as there is space.
 * OWNER NULL: none is chosen, and an option of any owner is an error that names them: "--radius needs -s: it is an
 * option of proximal". Groups without an owner always pass. */
int options_check_owner(const struct option_group *groups, int group_count, const char *owner,
                        struct error *e);

/* Whether two rows are one option, of two owners. */
bool option_same(const struct option_row *a, const struct option_row *b);

/* Whether the option NAME of the group was given. */
bool option_given(const struct option_group *group, const char *name);

/* The value of the group's number NAME; not-a-number where it has none. */
double option_real(const struct option_group *group, const char *name);

/* Parses TEXT whole as a finite number in strtod's form; 0 or -1, nothing else happens. */
int text_to_real(const char *text, double *value);
int text_to_integer(const char *text, int64_t *value);

#endif
