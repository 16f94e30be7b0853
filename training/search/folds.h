/* folds.h - divides the rows into folds for cross-validation. */
#ifndef RRM_FOLDS_H
#define RRM_FOLDS_H

#include "io/dataset.h"
#include "io/error.h"

#include <stdbool.h>

struct folds {
    int64_t count;
    int32_t *fold; /* of each row, 0 .. count - 1 */
    int64_t *rows; /* scratch memory: a list of rows */
};

/* Divides the rows (or groups, if the data has them) at random, by the seed, into COUNT folds of nearly equal size.
 * FILE: the name of the data, for errors. 0, or -1 with the error set: there are fewer rows or groups than folds, or
 * memory is short. The caller frees *folds in either case. */
int folds_make(const struct dataset *data, int64_t count, uint64_t seed, const char *file,
               struct folds *folds, struct error *e);

void folds_free(struct folds *folds);

/* Copies the rows of a fold (`inside`), or all others, into *train, which the caller frees. 0, or -1 with the error
 * set. */
int folds_select(const struct folds *folds, const struct dataset *data, int64_t fold, bool inside,
                 struct dataset *train, struct error *e);

#endif
