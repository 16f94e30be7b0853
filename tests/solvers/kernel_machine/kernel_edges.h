/* kernel_edges.h - data at the edges of what a kernel machine takes: one row, two, kernels that are the identity or all
 * ones, a small and a large C, basis functions that are equal or 0. Include after cmocka.h. */
#ifndef RRM_KERNEL_EDGES_H
#define RRM_KERNEL_EDGES_H

#include "tests/kernel/kernel_fixture.h"

/* Trains on the data, which it frees, with C = c, and checks the result. */
typedef void edge_train(struct dataset data, const char *loss, struct kernel kernel,
                        const char *basis, double c);

/* LARGE_C is that of a linear kernel without an offset. */
static inline void train_edges(edge_train *train, const char *loss, double large_c) {
    const struct kernel identity = {.kind = KERNEL_GAUSSIAN, .gamma = 5e17};
    const struct kernel ones = {.kind = KERNEL_GAUSSIAN, .gamma = 5e-19};
    const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.4};
    const struct kernel linear = {.kind = KERNEL_LINEAR};
    train(data_for(loss, 1, 1), loss, gaussian, "1", 1);
    train(data_for(loss, 2, 1), loss, gaussian, "1", 1);
    train(data_for(loss, 60, 1), loss, identity, "1", 1);
    train(data_for(loss, 60, 1), loss, ones, "1,2", 1);
    train(data_for(loss, 60, 2), loss, linear, "1", 1);
    train(data_for(loss, 60, 2), loss, linear, "none", large_c);
    train(data_for(loss, 60, 3), loss, gaussian, "1,3", 1e-9);
    train(data_for(loss, 60, 3), loss, gaussian, "1,3", 1e4);
    train(data_for(loss, 60, 4), loss, gaussian, "1,2,9,10,2^3", 1); /* 9, 10: all 0 */
}

#endif
