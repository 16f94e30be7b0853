/* column_subset.h - some columns of a design, copied row by row into a design of their own.
 *
 * Solvers of sparse models work on few columns for a long time. A pass over the copy costs the nonzeros of
 * these columns plus a constant for each row, whatever the width of the data. Making the copy costs two passes
 * over the column numbers of the data. The chosen columns keep their order, so that a bias and an offset stay
 * behind the features and the copy is a valid design. If the whole has an offset, it must be chosen. Where the rows lie
 * in several processes (io/communicator.h), so do those of the copy. */
#ifndef RRM_COLUMN_SUBSET_H
#define RRM_COLUMN_SUBSET_H

#include "matrix/design.h"

struct column_subset {
    const struct design *whole; /* the caller's */
    int64_t count;              /* columns chosen */
    int64_t *column;            /* count: their indices in the whole, ascending */
    struct design design;       /* rows x count */

    struct dataset data; /* what the design reads */
    int32_t *position; /* for each feature of the whole: its column in the copy, -1 if not chosen */
    int64_t capacity;  /* nonzeros that fit in the allocated memory */
    bool built;
};

/* An empty subset. 0, or -1 with the error set; to be freed in either case. */
int column_subset_init(struct column_subset *subset, const struct design *whole, struct error *e);
void column_subset_free(struct column_subset *subset);

/* Copies these columns (ascending; the list is copied, too). -1 with the error set if memory is short. */
int column_subset_build(struct column_subset *subset, const int64_t *column, int64_t count,
                        struct error *e);

/* The cost of a pass over the copy, relative to one over the whole. */
double column_subset_share(const struct column_subset *subset);

#endif
