/* window.h - reading rows of a dataset whose values may not all be in memory.
 *
 *     struct window_rows at = window_rows(data, NULL, from, to);
 *     while (window_next(&at))
 *         for (int64_t i = at.from; i < at.to; i++)
 *             ... dataset_values(data, i) ...
 *
 * reads rows from <= i < to in order, chunk by chunk; without a window in one piece. The loop must run to its end:
 * the call of window_next that returns false releases the last chunk. Several threads may read at the same time,
 * also the same rows. Functions that read rows in another way need all of them in memory.
 *
 * window_products reads rows for products alone, which takes less time (io/dataset_window.h): rows are not held where
 * `floats` or `base` is not NULL. matrix/design.h has the products. */
#ifndef RRM_WINDOW_H
#define RRM_WINDOW_H

#include "io/dataset.h"
#include "io/dataset_window.h"

enum { WINDOW_ALONE = 1024 }; /* rows that window_row keeps */

struct window_rows {
    const struct dataset *data;
    const double *wanted; /* chunks in which this is 0 throughout are left out; NULL: none */
    int64_t from, to;     /* the rows to read now */
    int64_t end;
    bool held;
    bool products;
    double *work; /* for products; NULL: not taken */
    /* of a window, for products: the rows from <= i < to; NULL: not in memory */
    const float *floats;
    const double *base; /* the same: b_i; NULL: the rows are in memory */
};

static inline struct window_rows window_rows(const struct dataset *data, const double *wanted,
                                             int64_t from, int64_t to) {
    return (struct window_rows){
        .data = data, .wanted = wanted, .from = from, .to = from, .end = to};
}

/* The same for products. Without a window there is no difference. */
static inline struct window_rows window_products(const struct dataset *data, const double *wanted,
                                                 int64_t from, int64_t to) {
    struct window_rows rows = window_rows(data, wanted, from, to);
    rows.products = true;
    return rows;
}

/* window_next for a dataset with a window. */
bool window_advance(struct window_rows *rows);

static inline bool window_next(struct window_rows *rows) {
    if (rows->data->window != NULL)
        return window_advance(rows);
    rows->from = rows->to;
    rows->to = rows->end;
    return rows->from < rows->end;
}

/* The values of one row, valid for the next WINDOW_ALONE - 1 calls. One thread at a time. */
static inline const double *window_row(const struct dataset *data, int64_t i) {
    return data->window == NULL ? dataset_values(data, i) : data->window->row(data->window, i);
}

#endif
