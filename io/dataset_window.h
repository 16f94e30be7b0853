/* dataset_window.h - the functions that bring rows of a dataset into memory whose values are not all there. Readers use
 * window.h, which calls these. */
#ifndef RRM_DATASET_WINDOW_H
#define RRM_DATASET_WINDOW_H

#include "io/error.h"
#include "io/interruption.h"

#include <stdint.h>

/* Rows are held by chunks: rows k chunk <= i < (k + 1) chunk are chunk k. */
struct dataset_window {
    int64_t chunk;
    int64_t together; /* chunks that one thread alone may hold at a time */
    double spare;     /* bytes of the memory for examples that are left for copies of rows */
    void (*hold)(struct dataset_window *window, int64_t k,
                 int64_t end);                                 /* rows up to END are next */
    void (*release)(struct dataset_window *window, int64_t k); /* once for each hold */
    const double *(*row)(struct dataset_window *window, int64_t i);

    /* Row i will be asked for soon, in the order of these calls. Rows are then computed together, which is faster. */
    void (*expect)(struct dataset_window *window, int64_t i);

    /* Blocks of rows that are read several times each before the next block. open_blocks makes room for them, at first
     * by lowering `resident`; 0, or -1 with the error set. `load` then computes rows together: as many of those in
     * LIST, in its order, as fit; it returns how many. `row` reads these from memory until the next `load`. One thread
     * at a time. open_blocks may be NULL: there are no blocks. */
    int (*open_blocks)(struct dataset_window *window, struct error *e);
    int64_t (*load)(struct dataset_window *window, const int64_t *list, int64_t count);
    void (*free)(struct dataset_window *window); /* the dataset's `value` too */

    /* For products alone; NULL: they are as other rows are, and there is nothing of what follows but `interrupted`.
     * The rows from `resident` on are B' b_i, where b_i has `width` numbers and takes less time
     * than the row. So <w, row i> = <B w, b_i>, and the sum of c_i row i is B' times the sum of c_i b_i. The rows
     * before `resident` are in memory, as floats, to which all readers see them rounded. */
    int64_t resident, width;
    const float *floats; /* resident x features; NULL: resident is 0 */

    /* Memory for `base`; waits for another thread's if there is none. */
    double *(*take_work)(struct dataset_window *window);
    void (*return_work)(struct dataset_window *window, double *work);

    /* b_i of rows from <= i < to, at most base_rows, one after another in `work`. */
    int64_t base_rows;
    const double *(*base)(struct dataset_window *window, int64_t from, int64_t to, double *work);

    /* v = B w, and g += B' sum. */
    void (*to_base)(const struct dataset_window *window, const double *w, double *v);
    void (*from_base)(const struct dataset_window *window, const double *sum, double *g);

    /* After an interruption, chunks that are not in memory are held without their values. A reader checks this
     * afterwards and discards its results. */
    struct interruption interrupted;
};

#endif
