/* precomputed.c - kernel matrices that are given as data. */
#include "kernel/precomputed.h"

#include "io/memory.h"
#include "math/triangle.h"

#include <math.h>
#include <stdlib.h>

static const double max_asymmetry = 1e-6; /* of sqrt(K_ii K_kk), or of 1 */
static const double rounding = 1e-10;     /* of the largest K_ii: what the diagonal is raised by */

int32_t precomputed_number(const struct dataset *data, int64_t i) {
    double number = dataset_value(data, i, 0);
    return number >= 1 && number < data->features && number == floor(number) ? (int32_t)number : 0;
}

double precomputed_value(const struct dataset *data, int64_t i, int64_t k) {
    return dataset_value(data, i, precomputed_number(data, k));
}

int precomputed_points(const struct dataset *data, const int64_t *rows, int64_t count,
                       struct dataset *out, struct error *e) {
    *out = (struct dataset){.rows = count, .features = data->features, .nonzeros = count};
    out->start = memory_new(count + 1, sizeof *out->start, "the points", e);
    out->column = memory_new(count, sizeof *out->column, "the points", e);
    if (out->start == NULL || out->column == NULL) {
        dataset_free(out);
        return -1;
    }
    for (int64_t k = 0; k < count; k++) {
        out->start[k] = k;
        out->column[k] = precomputed_number(data, rows == NULL ? k : rows[k]);
    }
    out->start[count] = count;
    return 0;
}

static int check_row(const struct dataset *data, int64_t i, const char *path, struct error *e) {
    double diagonal = fabs(precomputed_value(data, i, i));
    for (int64_t k = 0; k < i; k++) {
        double one = precomputed_value(data, i, k), other = precomputed_value(data, k, i);
        double size = fmax(1, sqrt(diagonal * fabs(precomputed_value(data, k, k))));
        if (!(fabs(one - other) <= max_asymmetry * size))
            return error_file(
                e, path,
                "the kernel matrix is not symmetric: %.6g for the examples %d and %d, "
                "%.6g for %d and %d",
                one, precomputed_number(data, i), precomputed_number(data, k), other,
                precomputed_number(data, k), precomputed_number(data, i));
    }
    return 0;
}

/* Whether the matrix with a diagonal raised by rounding has a Cholesky factor; false without memory for it, too. */
static bool is_semidefinite(const struct dataset *data) {
    int64_t n = data->rows;
    double largest = 0;
    if (n > PRECOMPUTED_PROOF_ROWS)
        return false;
    double *matrix = memory_new(n * n, sizeof *matrix, "the kernel matrix", NULL);
    double *work = memory_new(triangle_work_size(n), sizeof *work, "the kernel matrix", NULL);
    bool proved = matrix != NULL && work != NULL;
    for (int64_t i = 0; i < n && proved; i++) {
        largest = fmax(largest, precomputed_value(data, i, i));
        for (int64_t k = 0; k < n; k++)
            matrix[i * n + k] = precomputed_value(data, i, k);
    }
    for (int64_t i = 0; i < n && proved; i++)
        matrix[i * n + i] += rounding * largest;
    proved = proved && triangle_factor(matrix, n, work, NULL) == 0;
    free(matrix);
    free(work);
    return proved;
}

int precomputed_check(const struct dataset *data, const char *path, bool *semidefinite,
                      struct error *e) {
    *semidefinite = false;
    for (int64_t i = 0; i < data->rows; i++)
        if (precomputed_number(data, i) == 0)
            return error_file(e, path,
                              "example %lld has no number at index 0, from 1 to %d, which "
                              "--kernel precomputed needs: 0:1 1:K(1,1) 2:K(1,2) ...",
                              (long long)i + 1, (int)data->features - 1);
    for (int64_t i = 0; i < data->rows; i++)
        if (check_row(data, i, path, e) != 0)
            return -1;
    *semidefinite = is_semidefinite(data);
    return 0;
}
