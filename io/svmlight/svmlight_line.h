/* svmlight_line.h - the line number of a row in its file, for error messages. */
#ifndef RRM_SVMLIGHT_LINE_H
#define RRM_SVMLIGHT_LINE_H

#include "io/error.h"

#include <stdint.h>

/* The line (from 1) of the row with index ROW (from 0). Reads the file again. 0 if that is impossible, as for
 * standard input. */
int64_t svmlight_line(const char *path, int64_t row);

/* Sets the error "PLACE: WORDS" about a row of the data of PATH; -1. The place is FILE:LINE; of data that cannot be
 * read again (standard input) the example, counted from 1; of arrays (PATH is empty) the row, counted from 0. */
int svmlight_refuse_row(const char *path, int64_t row, const char *words, struct error *e);

#endif
