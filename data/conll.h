/* conll.h - what the files of the converter conll share. */
#ifndef RRM_CONLL_H
#define RRM_CONLL_H

#include "cli/converter.h"
#include "data/numbered_names.h"
#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

struct conll_settings {
    const char *template, *names;
    int64_t min_count;
    bool freeze, unlabeled, quiet;
};

/* Writes the words in the file COLUMNS as svmlight data to standard output. */
int conll_encode(const struct conll_settings *settings, const char *columns, struct error *e);

/* Writes the lines of the file COLUMNS with the labels of the file PREDICTIONS to standard output. */
int conll_decode(const struct conll_settings *settings, const char *columns,
                 const char *predictions, struct error *e);

#endif
