/* train_options.h - train's options other than the settings of training (training/request/settings.h): files and
 * messages. */
#ifndef RRM_TRAIN_OPTIONS_H
#define RRM_TRAIN_OPTIONS_H

#include "cli/options.h"

enum model_file_format { FORMAT_LIBRRM, FORMAT_LIBLINEAR };

struct train_options {
    const char *init, *weights; /* files to read; NULL: none */
    const char *trace, *report; /* files to write; NULL: none */
    const char *path_models;    /* what the names of the models of a path begin with; NULL: none */
    const char *validation;     /* held-out examples, to be read; NULL: none */
    const char *cache;          /* the file of examples in binary form; NULL: none */
    bool cache_only;
    bool dry_run;
    int format; /* enum model_file_format */
    bool strict;
    bool zero_based;
    int64_t line_limit; /* MB */
    int64_t quiet;      /* how often -q was given */
    int64_t gather;     /* MB; 0: rows stay where they were read */
    bool help, version, man;
};

/* What `cache` is if --cache names no file; told by the address. */
extern const char train_cache_beside_data[];

/* The rows; *count of them. SEVERAL: with those for several processes. */
const struct option_row *train_option_rows(bool several, int *count);

#endif
