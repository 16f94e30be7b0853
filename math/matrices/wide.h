/* wide.h - double-double numbers: a sum of two doubles, about 106 bits.
 *
 * Dekker 1971, "A floating-point technique for extending the available precision", Numerische
 * Mathematik 18; the products by fma(). Relative errors are a few 2^-105. Not for infinities. */
#ifndef RRM_WIDE_H
#define RRM_WIDE_H

#include <math.h>
#include <stdbool.h>

struct wide {
    double hi, lo; /* lo is at most half a unit in the last place of hi */
};

static inline struct wide wide_of(double a) {
    return (struct wide){a, 0};
}

/* a + b, exactly, where |a| >= |b| or a is 0. */
static inline struct wide wide_sum_ordered(double a, double b) {
    double sum = a + b;
    return (struct wide){sum, b - (sum - a)};
}

/* a + b, exactly. */
static inline struct wide wide_sum(double a, double b) {
    double sum = a + b, part = sum - a;
    return (struct wide){sum, (a - (sum - part)) + (b - part)};
}

/* a b, exactly. */
static inline struct wide wide_product(double a, double b) {
    double product = a * b;
    return (struct wide){product, fma(a, b, -product)};
}

static inline struct wide wide_add(struct wide a, struct wide b) {
    struct wide hi = wide_sum(a.hi, b.hi), lo = wide_sum(a.lo, b.lo);
    hi = wide_sum_ordered(hi.hi, hi.lo + lo.hi);
    return wide_sum_ordered(hi.hi, hi.lo + lo.lo);
}

static inline struct wide wide_negative(struct wide a) {
    return (struct wide){-a.hi, -a.lo};
}

static inline struct wide wide_subtract(struct wide a, struct wide b) {
    return wide_add(a, wide_negative(b));
}

static inline struct wide wide_scale(struct wide a, double b) {
    struct wide product = wide_product(a.hi, b);
    return wide_sum_ordered(product.hi, product.lo + a.lo * b);
}

static inline struct wide wide_times(struct wide a, struct wide b) {
    struct wide product = wide_product(a.hi, b.hi);
    return wide_sum_ordered(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline struct wide wide_quotient(struct wide a, struct wide b) {
    double first = a.hi / b.hi;
    a = wide_subtract(a, wide_scale(b, first));
    double second = a.hi / b.hi;
    a = wide_subtract(a, wide_scale(b, second));
    return wide_add(wide_sum_ordered(first, second), wide_of(a.hi / b.hi));
}

static inline bool wide_less(struct wide a, struct wide b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

/* The root of a > 0. */
static inline struct wide wide_root(struct wide a) {
    double root = sqrt(a.hi);
    struct wide remainder = wide_subtract(a, wide_product(root, root));
    return wide_sum_ordered(root, remainder.hi / (2 * root));
}

#endif
