/* column_subset.h - some columns of a design, copied row by row to where they lie together.
 *
 * Solvers of sparse models work for long on few columns; a pass over the copy costs what these hold
 * and a row's start, whatever the width of the data. The copy costs two passes over the column
 * numbers of the data. Chosen columns keep their order, so that a bias and an offset stay behind
 * the features and the copy is a design of its own; an offset, where the whole has one, must be
 * chosen. */
#ifndef RRM_COLUMN_SUBSET_H
#define RRM_COLUMN_SUBSET_H

#include "matrix/design.h"

struct column_subset {
    const struct design *whole; /* the caller's */
    int64_t count;              /* columns chosen */
    int64_t *column;            /* count: their places in the whole, ascending */
    struct design design;       /* rows x count */

    struct dataset data; /* what the design reads */
    int32_t *place;      /* by feature of the whole: its column here, -1 for none */
    int64_t capacity;    /* nonzeros that there is room for */
    bool built;
};

/* No columns yet. 0, or -1 with the error set; to be freed in either case. */
int column_subset_init(struct column_subset *subset, const struct design *whole, struct error *e);
void column_subset_free(struct column_subset *subset);

/* Makes the copy of these columns (ascending, copied). -1 with the error set when memory is short. */
int column_subset_build(struct column_subset *subset, const int64_t *column, int64_t count,
                        struct error *e);

/* Of the passes over the whole that one over the copy stands for. */
double column_subset_share(const struct column_subset *subset);

#endif
