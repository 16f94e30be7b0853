/* items_parts.h - what items.c, items_rows.c and items_one.c share. */
#ifndef RRM_ITEMS_PARTS_H
#define RRM_ITEMS_PARTS_H

#include "math/outputs.h"
#include "risk/items.h"

#include <string.h>

enum { CACHE_LINE = 64 }; /* bytes */

/* Row i; its columns are NULL where the data are dense. */
static inline struct sparse_row items_row(const struct items *items, int64_t i) {
    const struct dataset *data = items->data;
    return (struct sparse_row){data->dense ? NULL : dataset_columns(data, i),
                               dataset_values(data, i), dataset_count(data, i)};
}

/* The column of a row that is the constant feature alone. */
static const int32_t items_first_column = 0;

static inline bool items_any_nonzero(const double *a, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        if (a[k] != 0)
            return true;
    return false;
}

/* The scores of item i's rows at w: rows x width, into u. */
void items_find_scores(const struct items *items, int64_t i, const double *w, double *u);

/* gradient += c sum over the rows r of item i of x_r derivative_r'. Multiplies DERIVATIVE by c. */
void items_add_rows(const struct items *items, int64_t i, double c, double *derivative,
                    double *gradient);

/* What the loss needs before items are evaluated at the shared weights V. */
static inline void items_prepare(const struct items *items, const double *v, double mu) {
    if (items->loss->prepare != NULL)
        items->loss->prepare((struct items *)items, v, mu);
}

/* A thread's workspace. */
struct thread_work {
    double *score;     /* of the item's rows */
    double *by_shared; /* derivatives by the shared weights */
    void *loss;        /* workspace of item_loss.value */
};

static inline size_t items_whole_lines(size_t bytes) {
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

static inline struct thread_work items_thread_work(const struct items *items, int thread) {
    char *at = items->thread_work + (size_t)thread * items->thread_bytes;
    size_t scores = items_whole_lines(sizeof(double) * (size_t)(items->max_rows * items->width));
    size_t shared = items_whole_lines(sizeof(double) * (size_t)items->shared);
    return (struct thread_work){(double *)at, (double *)(at + scores), at + scores + shared};
}

/* `item` and `prefetch` of struct risk_kind. */
void items_one(const struct risk *risk, int64_t i, const double *v, double scale,
               struct risk_item *out);
void items_prefetch(const struct risk *risk, int64_t i, bool far);

#endif
