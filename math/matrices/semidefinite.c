/* semidefinite.c - Cholesky factors of semidefinite matrices. */
#include "math/matrices/semidefinite.h"

#include "math/vector.h"

#include <math.h>

static const double dependent_pivot =
    1e-11; /* of a diagonal entry: what is left of it counts as 0 */

void semidefinite_factor(double *m, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        double *row = m + i * n, diagonal = row[i];
        for (int64_t j = 0; j < i; j++) {
            double pivot = m[j * n + j];
            row[j] = pivot > 0 ? (row[j] - vector_dot(row, m + j * n, j)) / pivot : 0;
        }
        double left = diagonal - vector_dot(row, row, i);
        row[i] = left > dependent_pivot * diagonal ? sqrt(left) : 0;
    }
}

void semidefinite_solve(const double *factor, int64_t n, double *x) {
    for (int64_t i = 0; i < n; i++) {
        const double *row = factor + i * n;
        x[i] = row[i] > 0 ? (x[i] - vector_dot(row, x, i)) / row[i] : 0;
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        const double *row = factor + i * n;
        x[i] = row[i] > 0 ? x[i] / row[i] : 0;
        for (int64_t j = 0; j < i; j++)
            x[j] -= x[i] * row[j];
    }
}
