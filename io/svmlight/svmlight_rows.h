/* svmlight_rows.h - the arrays that rows are parsed into, and how far they are filled. */
#ifndef RRM_SVMLIGHT_ROWS_H
#define RRM_SVMLIGHT_ROWS_H

#include "io/groups.h"
#include "io/svmlight/svmlight_options.h"

#include <stdbool.h>
#include <stdint.h>

/* The arrays of the whole dataset, and the indices of the next row and nonzero. */
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

    /* First row and nonzero of this piece of the arrays. Values and weights are not stored while all are 1: the
     * first other one fills in the ones before it. */
    int64_t first_row;
    int64_t first_nonzero;
    bool has_values;
    bool has_weights;
    int32_t features; /* largest column + 1 so far */

    /* Runs of a qid; their rows and lines are counted from group_row and group_line. */
    struct group_runs runs;
    int64_t group_row;
    int64_t group_line;
};

/* Writes 1 to the values (weights) from first_nonzero (first_row) to `nonzero` (`row`). */
void svmlight_fill_values(struct svmlight_rows *rows);
void svmlight_fill_weights(struct svmlight_rows *rows);

#endif
