/* transpose.h - the other order of a matrix. */
#ifndef RRM_TRANSPOSE_H
#define RRM_TRANSPOSE_H

#include <stdint.h>

/* to[j * rows + i] = from[i * columns + j]; TO is all 0 before, and where FROM is 0 it is not touched. */
static inline void transpose(const double *from, int64_t rows, int64_t columns, double *to) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            if (from[i * columns + j] != 0)
                to[j * rows + i] = from[i * columns + j];
}

#endif
