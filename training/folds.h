/* folds.h - which rows a cross-validation leaves out together. */
#ifndef RRM_FOLDS_H
#define RRM_FOLDS_H

#include "io/dataset.h"
#include "io/error.h"

#include <stdbool.h>

struct folds {
    int64_t count;
    int32_t *fold; /* of each row, 0 .. count - 1 */
    int64_t *rows; /* room for a list of rows */
};

/* Deals the rows, or whole groups where the data has them, to `count` folds of nearly the same
 * number, in random order by the seed. An error when there are fewer rows or groups than folds; the
 * caller frees in either case. */
int folds_make(const struct dataset *data, int64_t count, uint64_t seed, const char *file,
               struct folds *folds, struct error *e);

void folds_free(struct folds *folds);

/* Copies the rows of a fold (`inside`), or all others, into *part, which the caller frees. */
int folds_select(const struct folds *folds, const struct dataset *data, int64_t fold, bool inside,
                 struct dataset *part, struct error *e);

#endif
