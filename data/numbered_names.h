/* numbered_names.h - the names of labels and features that a converter numbered from 1, in the order of their
 * numbers. */
#ifndef RRM_NUMBERED_NAMES_H
#define RRM_NUMBERED_NAMES_H

#include "data/words.h"
#include "io/error.h"

#include <stdbool.h>

/* String k (from 0) names number k + 1. */
struct numbered_names {
    struct words label, feature;
    char *label_column; /* of the table that the names are from; NULL: not known. Owned */
};

/* Reads a file of names (io/names.h): the labels and, if FEATURES, the features, each numbered from 1 in order. */
int numbered_names_read(const char *path, bool features, struct numbered_names *names,
                        struct error *e);

/* Writes the file of names. NUMBER: of each feature, 0 of one that is left out; NULL: they count from 1. */
int numbered_names_write(const struct numbered_names *names, const int64_t *number,
                         const char *path, struct error *e);

void numbered_names_free(struct numbered_names *names);

#endif
