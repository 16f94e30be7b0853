/* precomputed.c - kernel matrices that are given as data. */
#include "kernel/precomputed.h"

#include "io/memory.h"
#include "math/matrices/triangle.h"

#include <math.h>
#include <stdlib.h>

static const double max_asymmetry = 1e-6; /* of sqrt(K_ii K_kk), or of 1 */
/* What the diagonal is raised by, of the largest K_ii. */
static const double diagonal_shift = 1e-10;

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

int32_t *precomputed_numbers(const struct dataset *data, struct error *e) {
    int32_t *number = memory_new(data->rows, sizeof *number, "the numbers of the examples", e);
    for (int64_t i = 0; number != NULL && i < data->rows; i++)
        number[i] = precomputed_number(data, i);
    return number;
}

/* K(i, k) and K(k, i). */
static int check_entry(const struct dataset *data, const int32_t *number, int64_t i, int64_t k,
                       const char *path, struct error *e) {
    double one = dataset_value(data, i, number[k]), other = dataset_value(data, k, number[i]);
    if (one == other)
        return 0;
    double diagonals =
        fabs(dataset_value(data, i, number[i])) * fabs(dataset_value(data, k, number[k]));
    if (fabs(one - other) <= max_asymmetry * fmax(1, sqrt(diagonals)))
        return 0;
    if (number[i] == number[k])
        return error_file(
            e, path,
            "the examples %lld and %lld both have the number %d at index 0, but other values",
            (long long)k + 1, (long long)i + 1, number[i]);
    return error_file(
        e, path,
        "the kernel matrix is not symmetric: %.6g for the examples %d and %d, %.6g for %d and %d",
        one, number[i], number[k], other, number[k], number[i]);
}

/* By square tiles, which stay in the cache. */
static int check_symmetry(const struct dataset *data, const int32_t *number, const char *path,
                          struct error *e) {
    enum { TILE = 32 };
    for (int64_t first = 0; first < data->rows; first += TILE)
        for (int64_t from = 0; from <= first; from += TILE)
            for (int64_t i = first; i < first + TILE && i < data->rows; i++)
                for (int64_t k = from; k < from + TILE && k < i; k++)
                    if (check_entry(data, number, i, k, path, e) != 0)
                        return -1;
    return 0;
}

/* Whether the matrix is 0 or, with a diagonal raised by rounding, has a Cholesky factor; false without memory for it,
 * too. */
static bool is_semidefinite(const struct dataset *data, const int32_t *number) {
    int64_t n = data->rows;
    double largest = 0, sum = 0;
    if (n > PRECOMPUTED_PROOF_ROWS)
        return false;
    double *matrix = memory_new(n * n, sizeof *matrix, "the kernel matrix", NULL);
    double *work = memory_new(triangle_work_size(n), sizeof *work, "the kernel matrix", NULL);
    bool proved = matrix != NULL && work != NULL;
    for (int64_t i = 0; i < n && proved; i++) {
        for (int64_t k = 0; k < n; k++) {
            matrix[i * n + k] = dataset_value(data, i, number[k]);
            sum += fabs(matrix[i * n + k]);
        }
        largest = fmax(largest, matrix[i * n + i]);
    }
    for (int64_t i = 0; i < n && proved; i++)
        matrix[i * n + i] += diagonal_shift * largest;
    proved = proved && (sum == 0 || triangle_factor(matrix, n, work, NULL) == 0);
    free(matrix);
    free(work);
    return proved;
}

int precomputed_check(const struct dataset *data, const char *path, bool *semidefinite,
                      struct error *e) {
    int32_t *number = precomputed_numbers(data, e);
    int status = number == NULL ? -1 : 0;
    *semidefinite = false;
    for (int64_t i = 0; i < data->rows && status == 0; i++)
        if (number[i] == 0)
            status = error_file(e, path,
                                "example %lld has no number at index 0, from 1 to %d, which "
                                "--kernel precomputed needs: 0:1 1:K(1,1) 2:K(1,2) ...",
                                (long long)i + 1, (int)data->features - 1);
    if (status == 0)
        status = check_symmetry(data, number, path, e);
    if (status == 0)
        *semidefinite = is_semidefinite(data, number);
    free(number);
    return status;
}
