/* log_sum.c - see log_sum.h. */
#include "math/log_sum.h"

#include "math/exponential.h"
#include "math/simd.h"

#include <math.h>

enum { LANES = 8 };

static void largest_of(const double *x, int64_t n, double *result);
static void total_of(const double *x, int64_t n, double *result);
static void shift_by(double *out, const double *x, double c, const double *shift, int64_t n);
static void times(double *x, const double *a, double *part, int64_t n);

static SIMD_BODY void largest_of_body(const double *x, int64_t n, double *result) {
    double largest[LANES], all = -INFINITY;
    int64_t k = 0;
    for (int lane = 0; lane < LANES; lane++)
        largest[lane] = -INFINITY;
    for (; k + LANES <= n; k += LANES)
        for (int lane = 0; lane < LANES; lane++)
            largest[lane] = x[k + lane] > largest[lane] ? x[k + lane] : largest[lane];
    for (; k < n; k++)
        all = x[k] > all ? x[k] : all;
    for (int lane = 0; lane < LANES; lane++)
        all = largest[lane] > all ? largest[lane] : all;
    *result = all;
}

SIMD_CLONES(void, largest_of, (const double *x, int64_t n, double *result), (x, n, result))

/* In an order that no machine changes. */
static SIMD_BODY void total_of_body(const double *x, int64_t n, double *result) {
    double sum[LANES] = {0}, all = 0;
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += x[k + lane];
    for (; k < n; k++)
        all += x[k];
    for (int lane = 0; lane < LANES; lane++)
        all += sum[lane];
    *result = all;
}

SIMD_CLONES(void, total_of, (const double *x, int64_t n, double *result), (x, n, result))

static SIMD_BODY void shift_by_body(double *out, const double *x, double c, const double *shift,
                                    int64_t n) {
    for (int64_t k = 0; k < n; k++)
        out[k] = x[k] + c - shift[k];
}

SIMD_CLONES(void, shift_by,
            (double *out, const double *x, double c, const double *shift, int64_t n),
            (out, x, c, shift, n))

static SIMD_BODY void log_rows_max_body(double *largest, const double *x, double c, int64_t n) {
    for (int64_t k = 0; k < n; k++) {
        double value = x[k] + c;
        largest[k] = value > largest[k] ? value : largest[k];
    }
}

SIMD_CLONES(void, log_rows_max, (double *largest, const double *x, double c, int64_t n),
            (largest, x, c, n))

static SIMD_BODY void times_body(double *x, const double *a, double *part, int64_t n) {
    for (int64_t k = 0; k < n; k++) {
        x[k] *= a[k];
        part[k] += x[k];
    }
}

SIMD_CLONES(void, times, (double *x, const double *a, double *part, int64_t n), (x, a, part, n))

double log_max(const double *x, int64_t n) {
    double largest;
    largest_of(x, n, &largest);
    return largest;
}

double log_sum(double *x, int64_t n) {
    double sum, largest = log_max(x, n);
    if (largest == -INFINITY)
        return largest;
    for (int64_t k = 0; k < n; k++)
        x[k] -= largest;
    exponentials(x, n);
    total_of(x, n, &sum);
    return largest + log(sum);
}

void log_rows_add(double *sum, const double *x, double c, const double *shift, double *work,
                  int64_t n) {
    shift_by(work, x, c, shift, n);
    exponentials(work, n);
    for (int64_t k = 0; k < n; k++)
        sum[k] += work[k];
}

double log_rows_share(double *part, const double *a, const double *x, double c, const double *shift,
                      double *work, int64_t n) {
    double sum;
    shift_by(work, x, c, shift, n);
    exponentials(work, n);
    times(work, a, part, n);
    total_of(work, n, &sum);
    return sum;
}
