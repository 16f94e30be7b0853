/* ipm_dense.c - chunks of dense rows. */
#include "solvers/interior_point/ipm_dense.h"

#include "math/simd.h"

#include <string.h>

/* The copy pays from this share of nonzeros on: reading it then takes no longer than the sparse rows. Rows that are
 * dense already are read as they are. */
static const double dense_share = 0.4;

bool ipm_dense_pays(const struct design *design) {
    const struct dataset *data = design->data;
    return data->window == NULL && !data->dense &&
           (double)data->nonzeros >= dense_share * (double)data->rows * (double)data->features;
}

void ipm_dense_fill(const struct design *design, int64_t from, int64_t count, double *x) {
    const struct dataset *data = design->data;
    memset(x, 0, sizeof *x * (size_t)(count * design->columns));
    for (int64_t i = 0; i < count; i++) {
        const int32_t *column = dataset_columns(data, from + i);
        for (int64_t k = 0; k < dataset_count(data, from + i); k++)
            x[column[k] * count + i] = dataset_entry(data, dataset_start(data, from + i) + k);
        if (design->bias >= 0)
            x[data->features * count + i] = design->bias;
        if (design->intercept)
            x[design->regularized * count + i] = 1;
    }
}

static SIMD_BODY void ipm_dense_scores_body(const double *restrict x, int64_t count, int64_t n,
                                            const double *w, double *restrict scores) {
    int64_t j = 0;
    for (int64_t i = 0; i < count; i++)
        scores[i] = 0;
    for (; j + 3 < n; j += 4, x += 4 * count) {
        double a = w[j], b = w[j + 1], c = w[j + 2], d = w[j + 3];
#pragma omp simd
        for (int64_t i = 0; i < count; i++)
            scores[i] +=
                (a * x[i] + b * x[i + count]) + (c * x[i + 2 * count] + d * x[i + 3 * count]);
    }
    for (; j < n; j++, x += count) {
        double a = w[j];
#pragma omp simd
        for (int64_t i = 0; i < count; i++)
            scores[i] += a * x[i];
    }
}

static SIMD_BODY void ipm_dense_add_body(const double *restrict x, int64_t count, int64_t n,
                                         const double *restrict c, double *restrict g) {
    for (int64_t j = 0; j < n; j++, x += count) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t i = 0; i < count; i++)
            sum += c[i] * x[i];
        g[j] += sum;
    }
}

SIMD_CLONES(void, ipm_dense_scores,
            (const double *x, int64_t count, int64_t n, const double *w, double *scores),
            (x, count, n, w, scores))
SIMD_CLONES(void, ipm_dense_add,
            (const double *x, int64_t count, int64_t n, const double *c, double *g),
            (x, count, n, c, g))
