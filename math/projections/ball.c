/* ball.c - projection to a ball of the elastic net, and its support function. */
#include "math/projections/ball.h"

#include "math/projections/threshold.h"
#include "math/vector.h"

#include <stddef.h>

enum { CHUNK = 256 };

static void clear(double *w, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        w[i] = 0;
}

/* ||w||_1 + k/2 ||w||^2 */
static double measure(const double *w, int64_t n, double k) {
    struct wide sum = {0};
    for (int64_t start = 0; start < n; start += CHUNK) {
        double part = 0;
        for (int64_t i = start; i < start + CHUNK && i < n; i++)
            part += fabs(w[i]) * (1 + k / 2 * fabs(w[i]));
        sum = wide_add(sum, wide_of(part));
    }
    return sum.hi;
}

/* sgn(v) times how far |v| stands above the threshold, over the scale. */
static double above(double v, double largest, struct threshold_cut cut) {
    double depth = largest - fabs(v);
    return depth < cut.depth ? copysign((cut.depth - depth) / cut.scale, v) : 0;
}

double ball_project(double *w, int64_t n, double k, double r, double *work) {
    if (measure(w, n, k) <= r)
        return 0;
    double largest = vector_largest(w, n);
    if (r <= 0) {
        clear(w, n);
        return largest;
    }
    for (int64_t i = 0; i < n; i++)
        work[i] = largest - fabs(w[i]);
    struct threshold threshold = {.k = k, .p = 1 + k * largest, .r = r};
    struct threshold_cut cut = threshold_find(&threshold, work, n, NULL);
    for (int64_t i = 0; i < n; i++)
        w[i] = above(w[i], largest, cut);
    return fmax(k * largest > 1 ? (cut.scale - 1) / k : largest - cut.depth, 0);
}

/* At the first coordinate of the largest size, with the 1-norm r. */
static double vertex(const double *s, int64_t n, double largest, double r, double *w) {
    int64_t first = 0;
    while (fabs(s[first]) < largest)
        first++;
    for (int64_t i = 0; i < n && w != NULL; i++)
        w[i] = i == first ? copysign(r, s[i]) : 0;
    return r * largest;
}

/* The keys unit |s_j| that are less deep than `depth`. */
static struct threshold_sums sums_above(const struct threshold *threshold, const double *s,
                                        int64_t n, double unit, double depth) {
    struct threshold_sums sums = {0};
    for (int64_t start = 0; start < n; start += CHUNK) {
        double part[CHUNK];
        int64_t count = 0;
        for (int64_t i = start; i < start + CHUNK && i < n; i++) {
            part[count] = threshold->p - unit * fabs(s[i]);
            count += part[count] < depth;
        }
        threshold_add(threshold, part, count, &sums);
    }
    return sums;
}

static double write_support(const double *s, int64_t n, double unit, double largest,
                            struct threshold_cut cut, double *w) {
    struct wide value = {0};
    for (int64_t start = 0; start < n; start += CHUNK) {
        double part = 0;
        for (int64_t i = start; i < start + CHUNK && i < n; i++) {
            double step = above(unit * s[i], largest, cut);
            part += s[i] * step;
            if (w != NULL)
                w[i] = step;
        }
        value = wide_add(value, wide_of(part));
    }
    return value.hi;
}

/* A power of two by which s is about 1 in size: its squares are not beyond the range. */
static double unit_of(double largest) {
    enum { MAX_EXPONENT = 1000 };
    int power;
    frexp(largest, &power);
    return ldexp(1, power < -MAX_EXPONENT ? MAX_EXPONENT : -power);
}

/* With |s_j| - L in units of L: p = max |s|, and k w for w, so that the radius is k r. */
double ball_support(const double *s, int64_t n, double k, double r, double *w) {
    double largest = vector_largest(s, n);
    if (largest == 0 || r <= 0) {
        if (w != NULL)
            clear(w, n);
        return 0;
    }
    if (k == 0)
        return vertex(s, n, largest, r, w);
    double unit = unit_of(largest);
    struct threshold threshold = {.k = 1, .p = unit * largest, .r = k * r};
    struct threshold_cut cut = {.depth = INFINITY};
    for (int64_t last = n + 1;;) {
        struct threshold_sums sums = sums_above(&threshold, s, n, unit, cut.depth);
        if (sums.count == 0 || sums.count >= last)
            break;
        cut = threshold_cut(&threshold, &sums);
        last = sums.count;
    }
    cut.scale *= k;
    return write_support(s, n, unit, threshold.p, cut, w);
}
