/* svmlight_options.h - how svmlight text is read. */
#ifndef RRM_SVMLIGHT_OPTIONS_H
#define RRM_SVMLIGHT_OPTIONS_H

#include "io/interruption.h"

#include <stdbool.h>
#include <stdint.h>

struct svmlight_options {
    bool zero_based; /* indices from 0: column = index; otherwise from 1: column = index - 1 */

    /* 0: a feature is INDEX:VALUE. Otherwise it is NAME:VALUE or NAME, in any order, and a name becomes one of
     * 2^hash_bits columns (io/feature_hash.h). */
    int hash_bits;
    bool unlabeled; /* the label "?" is allowed and becomes not-a-number */
    int threads;    /* for dataset_load; at least 1 */
    bool is_range;  /* a part of a file is read: it may have no rows */
    bool later;     /* the part is not at the file's beginning: no byte order mark may come first */

    /* The maximal length of a line in bytes; the error of a longer one names the option --line-limit.
     * 0: LINES_LIMIT (lines.h), and the error names no option. */
    int64_t line_limit;

    /* Only for svmlight_open: a block holds what a pipe has so far, and the data end with the last whole line
     * when it returns true (called several times a second). Without one blocks are full, and the data end with the
     * file. */
    struct interruption stop;
};

#endif
