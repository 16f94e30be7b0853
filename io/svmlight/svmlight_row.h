/* svmlight_row.h - rows of svmlight text into arrays that are large enough.
 *
 * Every reader works in two steps: count what a piece of text can hold at most, make room, parse.
 * The parser therefore checks no capacity. */
#ifndef RRM_SVMLIGHT_ROW_H
#define RRM_SVMLIGHT_ROW_H

#include "io/groups.h"
#include "io/svmlight/svmlight.h"

#include <stdbool.h>
#include <stdint.h>

/* Where rows go: arrays of the whole dataset, and the places in them for the next row and nonzero.
 */
struct svmlight_rows {
    const char *file;
    const struct svmlight_options *options;
    struct error *e;

    int64_t *start;
    int32_t *column;
    double *value;
    double *label;
    double *weight;
    int64_t row;
    int64_t nonzero;
    int64_t line; /* number of the next line, from 1 */

    /* Where the arrays, or the part of them that is ours, begin: values and weights before the
     * first that is not 1 are filled in when that one comes, and never written when it does not. */
    int64_t first_row;
    int64_t first_nonzero;
    bool has_values;
    bool has_weights;
    int32_t features; /* largest column + 1 so far */

    /* Runs of a qid, with rows and lines counted from these. */
    struct group_runs runs;
    int64_t group_row;
    int64_t group_line;
};

/* At most this many rows (newlines) and nonzeros (colons) are in the text. */
void svmlight_count(const char *text, int64_t length, int64_t *rows, int64_t *nonzeros);

/* Parses LENGTH bytes of whole lines, behind which LINES_PADDING bytes are readable. -1 with the
 * error set at the first bad line; the rows before it are there. */
int svmlight_parse(struct svmlight_rows *rows, const char *text, int64_t length);

/* Writes 1 to the values (weights) from first_nonzero (first_row) to `nonzero` (`row`). */
void svmlight_fill_values(struct svmlight_rows *rows);
void svmlight_fill_weights(struct svmlight_rows *rows);

#endif
