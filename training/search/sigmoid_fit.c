/* sigmoid_fit.c - Platt's sigmoid by Newton's method; see sigmoid_fit.h. */
#include "training/search/sigmoid_fit.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_STEPS = 100 };

static const double shortest_step = 1e-10;
static const double hessian_shift = 1e-12;      /* added to the diagonal */
static const double gradient_tolerance = 1e-5;  /* of both entries */
static const double sufficient_decrease = 1e-4; /* Armijo's constant */

struct fit {
    const double *score, *target;
    double unit; /* of the scores: a power of two */
    int64_t count;
    double high, low; /* the probabilities that positive and negative examples shall have */
};

/* Value, gradient and Hessian at a point. */
struct expansion {
    double a, b, aa, bb, ab;
};

static double wanted(const struct fit *fit, int64_t i) {
    return fit->target[i] > 0 ? fit->high : fit->low;
}

/* The cross entropy: the sum of log(1 + exp(f)) - (1 - t) f, f = A u + B, without overflow. */
static double entropy(const struct fit *fit, double a, double b) {
    double sum = 0;
    for (int64_t i = 0; i < fit->count; i++) {
        double f = fit->score[i] * fit->unit * a + b, t = wanted(fit, i);
        sum += f >= 0 ? t * f + log1p(exp(-f)) : (t - 1) * f + log1p(exp(f));
    }
    return sum;
}

static struct expansion expand(const struct fit *fit, double a, double b) {
    struct expansion x = {.aa = hessian_shift, .bb = hessian_shift};
    for (int64_t i = 0; i < fit->count; i++) {
        double u = fit->score[i] * fit->unit, f = u * a + b, e = exp(-fabs(f));
        double p = f >= 0 ? e / (1 + e) : 1 / (1 + e), q = f >= 0 ? 1 / (1 + e) : e / (1 + e);
        x.aa += u * u * (p * q);
        x.bb += p * q;
        x.ab += u * (p * q);
        x.a += u * (wanted(fit, i) - p);
        x.b += wanted(fit, i) - p;
    }
    return x;
}

/* A step from A, B, halved until the entropy falls enough; false: it does not. */
static bool make_step(const struct fit *fit, const struct expansion *x, double *value,
                      double sigmoid[2]) {
    double determinant = x->aa * x->bb - x->ab * x->ab;
    double da = -(x->bb * x->a - x->ab * x->b) / determinant;
    double db = -(x->aa * x->b - x->ab * x->a) / determinant;
    double slope = x->a * da + x->b * db;
    for (double step = 1; step >= shortest_step; step /= 2) {
        double a = sigmoid[0] + step * da, b = sigmoid[1] + step * db;
        double lower = entropy(fit, a, b);
        if (lower < *value + sufficient_decrease * step * slope) {
            sigmoid[0] = a;
            sigmoid[1] = b;
            *value = lower;
            return true;
        }
    }
    return false;
}

/* 1 for scores of usual sizes, whose fit is then LIBSVM's. The shift and the tolerance would end the fit of tiny scores
 * before its first step, and squares of huge ones overflow: these are multiplied by what makes the largest about 1. */
static double unit_of(const double *score, int64_t count) {
    static const double small = 1e-3, large = 1e6;
    enum { MAX_EXPONENT = 900 }; /* A is finite in the scores' own unit, too */
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(score[i]));
    if (largest == 0 || !isfinite(largest) || (largest >= small && largest <= large))
        return 1;
    int exponent = -ilogb(largest);
    return ldexp(1, exponent < MAX_EXPONENT ? exponent : MAX_EXPONENT);
}

void sigmoid_fit(const double *score, const double *target, int64_t count, double sigmoid[2]) {
    double positives = 0, negatives, value;
    for (int64_t i = 0; i < count; i++)
        positives += target[i] > 0;
    negatives = (double)count - positives;
    const struct fit fit = {.score = score,
                            .target = target,
                            .unit = unit_of(score, count),
                            .count = count,
                            .high = (positives + 1) / (positives + 2),
                            .low = 1 / (negatives + 2)};
    sigmoid[0] = 0;
    sigmoid[1] = log((negatives + 1) / (positives + 1));
    value = entropy(&fit, sigmoid[0], sigmoid[1]);
    for (int step = 0; step < MOST_STEPS; step++) {
        const struct expansion x = expand(&fit, sigmoid[0], sigmoid[1]);
        if ((fabs(x.a) < gradient_tolerance && fabs(x.b) < gradient_tolerance) ||
            !make_step(&fit, &x, &value, sigmoid))
            break;
    }
    sigmoid[0] *= fit.unit;
}
