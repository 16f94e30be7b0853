/* outputs.c - sparse rows times weights of several outputs. */
#include "math/outputs.h"

#include "math/simd.h"

#include <stddef.h>

static SIMD_BODY int64_t place_of(const struct sparse_row *row, int64_t j, int64_t outputs) {
    return (row->column == NULL ? j : row->column[j]) * outputs;
}

static SIMD_BODY void outputs_score_body(const struct sparse_row *row, const double *w,
                                         int64_t outputs, double *u) {
    double *restrict sum = u;
    for (int64_t j = 0; j < row->count; j++) {
        const double *restrict own = w + place_of(row, j, outputs);
        double x = row->value == NULL ? 1 : row->value[j];
        for (int64_t k = 0; k < outputs; k++)
            sum[k] += x * own[k];
    }
}

SIMD_CLONES(void, outputs_score,
            (const struct sparse_row *row, const double *w, int64_t outputs, double *u),
            (row, w, outputs, u))

static SIMD_BODY void outputs_add_body(const struct sparse_row *row, double *w, int64_t outputs,
                                       const double *a) {
    const double *restrict from = a;
    for (int64_t j = 0; j < row->count; j++) {
        double *restrict own = w + place_of(row, j, outputs);
        double x = row->value == NULL ? 1 : row->value[j];
        for (int64_t k = 0; k < outputs; k++)
            own[k] += x * from[k];
    }
}

SIMD_CLONES(void, outputs_add,
            (const struct sparse_row *row, double *w, int64_t outputs, const double *a),
            (row, w, outputs, a))
