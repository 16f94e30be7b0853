/* dataset_window.h - what holds the rows of a dataset whose values are not all in memory; window.h reads them. */
#ifndef RRM_DATASET_WINDOW_H
#define RRM_DATASET_WINDOW_H

#include "io/interruption.h"

#include <stdint.h>

/* Rows are held by chunks: rows k chunk <= i < (k + 1) chunk are chunk k. */
struct dataset_window {
    int64_t chunk;
    void (*hold)(struct dataset_window *window, int64_t k);
    void (*release)(struct dataset_window *window, int64_t k); /* once for each hold */
    const double *(*row)(struct dataset_window *window, int64_t i);
    void (*free)(struct dataset_window *window); /* the dataset's `value` too */

    /* After an interruption, chunks that are not in memory are held without their values. A reader checks this
     * afterwards and discards its results. */
    struct interruption interrupted;
};

#endif
