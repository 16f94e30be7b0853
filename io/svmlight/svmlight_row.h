/* svmlight_row.h - parses rows of svmlight text into arrays.
 *
 * Every reader counts how many rows and nonzeros a piece of text can have at most, enlarges the arrays, and
 * parses. So the parser checks no capacity. */
#ifndef RRM_SVMLIGHT_ROW_H
#define RRM_SVMLIGHT_ROW_H

#include "io/svmlight/svmlight_rows.h"

#include <stdint.h>

/* Upper bounds of the rows (newlines) and nonzeros (colons; blanks if names are hashed) in the text. */
void svmlight_count(const struct svmlight_options *options, const char *text, int64_t length,
                    int64_t *rows, int64_t *nonzeros);

/* Parses LENGTH bytes of whole lines, behind which LINES_PADDING bytes are readable. -1 with the error set at the
 * first malformed line; the rows before it are in the arrays. */
int svmlight_parse(struct svmlight_rows *rows, const char *text, int64_t length);

/* Whether the LINE, which ends with a newline, holds a row; its qid, GROUP_NONE without one, into *group. Malformed
 * rows are not refused here. */
bool svmlight_row_group(const char *line, int64_t *group);

#endif
