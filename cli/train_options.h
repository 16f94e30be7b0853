/* train_options.h - train's options other than the settings of training (training/settings.h): files and
 * messages. */
#ifndef RRM_TRAIN_OPTIONS_H
#define RRM_TRAIN_OPTIONS_H

#include "cli/options.h"

struct train_options {
    const char *init, *weights; /* files to read; NULL: none */
    const char *trace, *report; /* files to write; NULL: none */
    bool strict;
    bool zero_based;
    int64_t line_limit; /* MB */
    bool quiet, help, version, man;
};

/* The rows; *count of them. */
const struct option_row *train_option_rows(int *count);

#endif
