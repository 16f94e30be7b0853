/* kernel_direct.h - kernel values by their formulas, in long double, for tests. */
#ifndef RRM_KERNEL_DIRECT_H
#define RRM_KERNEL_DIRECT_H

#include "io/dataset.h"
#include "kernel/kernel.h"

#include <math.h>

static inline long double direct_entry(const struct dataset *data, int64_t i, int32_t column) {
    for (int64_t k = 0; k < dataset_count(data, i); k++)
        if (dataset_columns(data, i)[k] == column)
            return data->value == NULL ? 1 : dataset_values(data, i)[k];
    return 0;
}

static inline long double direct_kernel(const struct kernel *kernel, const struct dataset *a,
                                        int64_t i, const struct dataset *b, int64_t k) {
    int32_t features = a->features > b->features ? a->features : b->features;
    long double product = 0, square = 0;
    for (int32_t j = 0; j < features; j++) {
        long double x = direct_entry(a, i, j), y = direct_entry(b, k, j);
        product += x * y;
        square += (x - y) * (x - y);
    }
    switch (kernel->kind) {
    case KERNEL_POLYNOMIAL:
        return powl((long double)kernel->gamma * product + (long double)kernel->shift,
                    (long double)kernel->degree);
    case KERNEL_GAUSSIAN:
        return expl(-(long double)kernel->gamma * square);
    default:
        return product;
    }
}

#endif
