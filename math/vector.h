/* vector.h - the few dense and sparse vector operations that everything else is made of.
 *
 * A sparse vector is `count` ascending columns with values, or NULL for values that are all 1. */
#ifndef RRM_VECTOR_H
#define RRM_VECTOR_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* <v, x> */
static inline double sparse_dot(const double *v, const int32_t *column, const double *value,
                                int64_t count) {
    double even = 0, odd = 0;
    int64_t k = 0;
    if (value == NULL) {
        for (; k + 1 < count; k += 2) {
            even += v[column[k]];
            odd += v[column[k + 1]];
        }
        if (k < count)
            even += v[column[k]];
    } else {
        for (; k + 1 < count; k += 2) {
            even += v[column[k]] * value[k];
            odd += v[column[k + 1]] * value[k + 1];
        }
        if (k < count)
            even += v[column[k]] * value[k];
    }
    return even + odd;
}

/* v += c x */
static inline void sparse_add(double *v, double c, const int32_t *column, const double *value,
                              int64_t count) {
    if (value == NULL)
        for (int64_t k = 0; k < count; k++)
            v[column[k]] += c;
    else
        for (int64_t k = 0; k < count; k++)
            v[column[k]] += c * value[k];
}

/* v += c x; returns by how much ||v||^2 grew, 2 c <v, x> + c^2 ||x||^2. */
static inline double sparse_add_grown(double *v, double c, const int32_t *column,
                                      const double *value, int64_t count) {
    double dot = 0, square = 0;
    if (value == NULL) {
        for (int64_t k = 0; k < count; k++) {
            double old = v[column[k]];
            dot += old;
            v[column[k]] = old + c;
        }
        square = (double)count;
    } else {
        for (int64_t k = 0; k < count; k++) {
            double x = value[k], old = v[column[k]];
            dot += x * old;
            square += x * x;
            v[column[k]] = old + c * x;
        }
    }
    return c * (2 * dot + c * square);
}

/* The same of floats, summed in the same order. */
static inline double sparse_dot_floats(const double *v, const int32_t *column, const float *value,
                                       int64_t count) {
    double even = 0, odd = 0;
    int64_t k = 0;
    for (; k + 1 < count; k += 2) {
        even += v[column[k]] * (double)value[k];
        odd += v[column[k + 1]] * (double)value[k + 1];
    }
    if (k < count)
        even += v[column[k]] * (double)value[k];
    return even + odd;
}

static inline void sparse_add_floats(double *v, double c, const int32_t *column, const float *value,
                                     int64_t count) {
    for (int64_t k = 0; k < count; k++)
        v[column[k]] += c * (double)value[k];
}

static inline double float_square(const float *value, int64_t count) {
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += (double)value[k] * (double)value[k];
    return sum;
}

/* ||x||^2 */
static inline double sparse_square(const double *value, int64_t count) {
    if (value == NULL)
        return (double)count;
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += value[k] * value[k];
    return sum;
}

/* <x, y> over n coordinates, in a fixed order of summation. */
static inline double vector_dot(const double *x, const double *y, int64_t n) {
    double sum[4] = {0, 0, 0, 0};
    int64_t k = 0;
    for (; k + 3 < n; k += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] += x[k + lane] * y[k + lane];
    for (; k < n; k++)
        sum[0] += x[k] * y[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* max |x_k|; 0 for n = 0 */
static inline double vector_largest(const double *x, int64_t n) {
    double largest = 0;
    for (int64_t k = 0; k < n; k++)
        largest = fabs(x[k]) > largest ? fabs(x[k]) : largest;
    return largest;
}

/* sgn(x) max(|x| - k, 0), the proximal step of k |x| */
static inline double soft(double x, double k) {
    return x > k ? x - k : x < -k ? x + k : 0;
}

/* x within [low, high] */
static inline double clip(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* y += c x, each number by itself: the same wherever the vectors are cut. */
static inline void vector_add(double *y, double c, const double *x, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        y[k] += c * x[k];
}

static inline void vector_scale(double *x, double c, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        x[k] *= c;
}

static inline int64_t vector_nonzeros(const double *x, int64_t n) {
    int64_t count = 0;
    for (int64_t k = 0; k < n; k++)
        count += x[k] != 0;
    return count;
}

#endif
