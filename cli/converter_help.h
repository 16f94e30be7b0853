/* converter_help.h - help and man page of the converters (data/NAME.c), both from one text. */
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
    const struct option_group *groups;
    int group_count;
};

/* What the options --help, --version and --man of a converter set. */
struct converter_asks {
    bool help, version, man;
};

/* Writes to standard output the version or the man page if asked for, otherwise the help. 0, or -1 with the
 * error set. */
int converter_tell(const struct converter_help *help, const struct converter_asks *asks,
                   struct error *e);

#endif
