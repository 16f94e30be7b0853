/* random_data.h - small random datasets for tests. */
#ifndef RRM_RANDOM_DATA_H
#define RRM_RANDOM_DATA_H

#include "io/dataset.h"
#include "math/random/random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* ROWS x FEATURES with about half of the entries there (all 1 if ONES, else in [-1, 1]; some rows
 * empty), labels +1 and -1 by a noisy linear rule. The caller frees it by dataset_free. */
static inline struct dataset random_data(int64_t rows, int32_t features, bool ones, uint64_t seed) {
    struct dataset data = {.rows = rows, .features = features};
    struct random random;
    random_seed(&random, seed, 7);
    data.start = malloc(sizeof *data.start * (size_t)(rows + 1));
    data.column = malloc(sizeof *data.column * (size_t)(rows * features));
    data.value = malloc(sizeof *data.value * (size_t)(rows * features));
    data.label = malloc(sizeof *data.label * (size_t)rows);
    for (int64_t i = 0; i < rows; i++) {
        double score = 0.3 * (random_unit(&random) - 0.5), fill = 0.5 * (double)(i % 3);
        data.start[i] = data.nonzeros;
        for (int32_t j = 0; j < features; j++) {
            if (random_unit(&random) >= fill)
                continue;
            double value = ones ? 1 : 2 * random_unit(&random) - 1;
            data.column[data.nonzeros] = j;
            data.value[data.nonzeros++] = value;
            score += (j % 2 ? 1 : -1) * value;
        }
        data.label[i] = score > 0 ? 1 : -1;
    }
    data.start[rows] = data.nonzeros;
    if (ones) {
        free(data.value);
        data.value = NULL;
    }
    return data;
}

#endif
