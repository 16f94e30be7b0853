/* folds.c - which rows a cross-validation leaves out together. */
#include "training/search/folds.h"

#include "io/dataset_select.h"
#include "io/memory.h"
#include "math/random/random.h"

#include <inttypes.h>
#include <stdlib.h>

/* Assigns an item, a row or a group, to a fold by its position in a random order. */
static void deal(const struct dataset *data, struct folds *folds, const int64_t *order,
                 int64_t items) {
    for (int64_t position = 0; position < items; position++) {
        int64_t item = order[position];
        int64_t from = data->groups > 0 ? data->group_start[item] : item;
        int64_t end = data->groups > 0 ? data->group_start[item + 1] : item + 1;
        for (int64_t row = from; row < end; row++)
            folds->fold[row] = (int32_t)(position % folds->count);
    }
}

int folds_make(const struct dataset *data, int64_t count, uint64_t seed, const char *file,
               struct folds *folds, struct error *e) {
    int64_t items = data->groups > 0 ? data->groups : data->rows;
    struct random random;
    int64_t *order;
    *folds = (struct folds){.count = count};
    if (count > items) {
        return error_file(e, file, "%" PRId64 " folds (-v), but only %" PRId64 " %s", count, items,
                          data->groups > 0 ? "groups" : "examples");
    }
    folds->fold = memory_new(data->rows, sizeof *folds->fold, "folds", e);
    folds->rows = memory_new(data->rows, sizeof *folds->rows, "folds", e);
    order = memory_new(items, sizeof *order, "folds", e);
    if (folds->fold == NULL || folds->rows == NULL || order == NULL) {
        free(order);
        return -1;
    }
    random_seed(&random, seed, UINT64_MAX); /* no training run has this stream */
    random_permutation(&random, order, items);
    deal(data, folds, order, items);
    free(order);
    return 0;
}

void folds_free(struct folds *folds) {
    free(folds->fold);
    free(folds->rows);
    *folds = (struct folds){0};
}

int folds_select(const struct folds *folds, const struct dataset *data, int64_t fold, bool inside,
                 struct dataset *train, struct error *e) {
    int64_t count = 0;
    for (int64_t i = 0; i < data->rows; i++)
        if ((folds->fold[i] == fold) == inside)
            folds->rows[count++] = i;
    return dataset_select(data, folds->rows, count, train, e);
}
