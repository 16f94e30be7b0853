/* symmetric.c - the speed of the symmetric systems of math/ on one thread: seconds, and 10^9 operations a
 * second, of the factor (n^3/3), of a pair of solutions by it (2 n^2) and of eigenvectors (14/3 n^3). */
#include "math/matrices/eigen.h"
#include "math/matrices/triangle.h"
#include "math/random/random.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 5 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(double *a, int64_t n) {
    struct random random;
    random_seed(&random, 1, 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            a[i * n + j] = a[j * n + i] = random_unit(&random) + (i == j ? (double)n : 0);
}

static double shorter(double seconds, double start) {
    double taken = now() - start;
    return taken < seconds ? taken : seconds;
}

static void measure(int64_t n, double *a, double *x, double *work) {
    double factor = 1e9, solve = 1e9, eigen = 1e9, cube = (double)n * (double)n * (double)n;
    for (int k = 0; k < TRIES; k++) {
        fill(a, n);
        memset(x, 0, sizeof *x * (size_t)n);
        double start = now();
        if (triangle_factor(a, n, work, NULL) != 0)
            return;
        factor = shorter(factor, start);
        start = now();
        triangle_solve_transposed(a, n, x);
        triangle_solve(a, n, x);
        solve = shorter(solve, start);
    }
    fill(a, n);
    double start = now();
    if (eigen_symmetric(a, n, x, NULL, NULL) != 0)
        return;
    eigen = shorter(eigen, start);
    printf("%6lld %10.6f %5.1f %10.6f %5.1f %10.6f %5.1f\n", (long long)n, factor,
           cube / 3e9 / factor, solve, 2e-9 * (double)(n * n) / solve, eigen,
           14 * cube / 3e9 / eigen);
}

int main(void) {
    static const int64_t sizes[] = {30, 100, 300, 1000, 2000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    int64_t largest = sizes[SIZES - 1];
    double *a = malloc(sizeof *a * (size_t)(largest * largest)),
           *x = malloc(sizeof *x * (size_t)largest),
           *work = malloc(sizeof *work * (size_t)triangle_work_size(largest));
    omp_set_num_threads(1);
    printf("     n     factor           solutions        eigenvectors\n");
    for (int s = 0; s < SIZES && a != NULL && x != NULL && work != NULL; s++)
        measure(sizes[s], a, x, work);
    free(a);
    free(x);
    free(work);
    return 0;
}
