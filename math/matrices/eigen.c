/* eigen.c - eigenvalues and eigenvectors; see eigen.h. */
#include "math/matrices/eigen.h"

#include "io/memory.h"
#include "math/matrices/tridiagonal.h"
#include "math/matrices/tridiagonal_eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Makes the largest entry of the lower triangle 1/2 to 1, by a power of 2, which it returns; an error
 * where there is an entry that is not finite. */
static int scale(double *a, int64_t n, int *power, struct error *e) {
    double largest = 0, sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            largest = fmax(largest, fabs(a[i * n + j]));
            sum += a[i * n + j] * 0; /* not-a-number where it is not finite */
        }
    if (sum != 0 || isnan(sum))
        return error_set(e, "a matrix with entries that are not finite has no eigenvalues");
    frexp(largest, power);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            a[i * n + j] = ldexp(a[i * n + j], -*power);
    return 0;
}

struct eigen {
    double *d, *e, *tau;
    double *vector;
    int64_t *order;
};

static int decompose(struct eigen *m, double *a, int64_t n, const struct interruption *interrupted,
                     struct error *e) {
    if (tridiagonal_reduce(a, n, m->d, m->e, m->tau, interrupted, e) != 0 ||
        tridiagonal_eigen(m->d, m->e, n, m->vector, m->order, interrupted, e) != 0)
        return -1;
    return tridiagonal_restore(a, n, m->tau, m->vector, interrupted, e);
}

int eigen_symmetric(double *a, int64_t n, double *value, const struct interruption *interrupted,
                    struct error *e) {
    if (n == 0)
        return 0;
    struct eigen m = {.d = memory_new(3 * n, sizeof *m.d, "eigenvalues", e),
                      .vector = memory_new(n, sizeof *m.vector * (size_t)n, "eigenvectors", e),
                      .order = memory_new(n, sizeof *m.order, "eigenvalues", e)};
    int power, status = -1;
    if (m.d != NULL && m.vector != NULL && m.order != NULL && scale(a, n, &power, e) == 0) {
        m.e = m.d + n;
        m.tau = m.e + n;
        status = decompose(&m, a, n, interrupted, e);
    }
    for (int64_t j = 0; status == 0 && j < n; j++) {
        value[j] = ldexp(m.d[m.order[j]], power);
        memcpy(a + j * n, m.vector + m.order[j] * n, sizeof *a * (size_t)n);
    }
    free(m.d);
    free(m.vector);
    free(m.order);
    return status;
}
