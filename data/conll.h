/* conll.h - what the files of the converter conll share: its settings, and the names of labels and features. */
#ifndef RRM_CONLL_H
#define RRM_CONLL_H

#include "cli/converter_help.h"
#include "data/words.h"
#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

struct conll_settings {
    const char *template, *names;
    int64_t min_count;
    bool freeze, unlabeled, quiet;
    struct converter_asks asks;
};

/* The names of labels and features. String k (from 0) names number k + 1. */
struct conll_names {
    struct words label, feature;
};

/* Reads a file of names (io/names.h) that encode wrote: the labels and, if FEATURES, the features, each
 * numbered from 1 in order. */
int conll_names_read(const char *path, bool features, struct conll_names *names, struct error *e);

void conll_names_free(struct conll_names *names);

/* Writes the words in the file COLUMNS as svmlight data to standard output. */
int conll_encode(const struct conll_settings *settings, const char *columns, struct error *e);

/* Writes the lines of the file COLUMNS with the labels of the file PREDICTIONS to standard output. */
int conll_decode(const struct conll_settings *settings, const char *columns,
                 const char *predictions, struct error *e);

#endif
