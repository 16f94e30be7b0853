/* estimation_fixture.h - small composite problems without data for the tests of the estimation
 * functions: their values, constants and optima, written out plainly. Include after cmocka.h.
 *
 *     J(x) = f(x) + Psi(x),   f(x) = curve(B x) + bend d(x),   Psi(x) = l1 ||x||_1 + l2 d(x)
 *
 * over a box or the simplex; curve is 1/2 ||B x - c||^2 or log sum exp(B x - c). f is then
 * bend-strongly convex and Psi l2-strongly, with respect to the prox-function d. */
#ifndef RRM_ESTIMATION_FIXTURE_H
#define RRM_ESTIMATION_FIXTURE_H

#include "math/random/random.h"
#include "solvers/accelerated/estimation.h"

#include <math.h>
#include <string.h>

enum { SMALL = 5, LINES = 7 };

enum curve { SQUARES, SOFT_MAX };

struct toy_kind {
    const char *name;
    enum curve curve;
    enum prox_function function;
    bool metric, images;
    double bend, l1, l2, low, high;
};

struct toy;

struct toy_prox {
    struct prox prox; /* first */
    const struct toy *toy;
};

struct toy {
    struct smooth_part part; /* first */
    struct toy_prox prox;
    struct toy_kind kind;
    double B[LINES][SMALL], c[LINES], p[SMALL];
    double L; /* of the gradient of f, in the norm of d */
    int averages, images_found;
    double latest_eta;
};

/* ---- the smooth part */

static inline void toy_image(const struct toy *toy, const double *x, double *image) {
    for (int i = 0; i < LINES; i++) {
        image[i] = 0;
        for (int j = 0; j < SMALL; j++)
            image[i] += toy->B[i][j] * x[j];
    }
}

/* curve, and its derivatives by the image. */
static inline double curve_value(const struct toy *toy, const double *image, double *slope) {
    double value = 0, largest = -INFINITY;
    for (int i = 0; i < LINES; i++) {
        slope[i] = image[i] - toy->c[i];
        largest = fmax(largest, slope[i]);
        value += slope[i] * slope[i] / 2;
    }
    if (toy->kind.curve == SQUARES)
        return value;
    value = 0;
    for (int i = 0; i < LINES; i++)
        value += slope[i] = exp(slope[i] - largest);
    for (int i = 0; i < LINES; i++)
        slope[i] /= value;
    return largest + log(value);
}

static inline double prox_value(const struct toy *toy, const double *x) {
    double sum = 0;
    for (int j = 0; j < SMALL; j++)
        sum += toy->kind.function == PROX_EUCLIDEAN ? toy->p[j] * x[j] * x[j] / 2
               : x[j] > 0                           ? x[j] * log(x[j])
                                                    : 0;
    return sum;
}

/* f by an image of x; the gradient in the metric. */
static inline double toy_value_at(const struct toy *toy, const double *x, const double *image,
                                  double *gradient) {
    double slope[LINES], value = curve_value(toy, image, slope);
    for (int j = 0; gradient != NULL && j < SMALL; j++) {
        gradient[j] = 0;
        for (int i = 0; i < LINES; i++)
            gradient[j] += toy->B[i][j] * slope[i] / toy->p[j];
        if (toy->kind.bend > 0)
            gradient[j] +=
                toy->kind.bend *
                (toy->kind.function == PROX_EUCLIDEAN ? x[j] : 1 + log(fmax(x[j], 1e-300)));
    }
    return value + (toy->kind.bend > 0 ? toy->kind.bend * prox_value(toy, x) : 0);
}

static inline double toy_value(const struct toy *toy, const double *x, double *gradient) {
    double image[LINES];
    toy_image(toy, x, image);
    return toy_value_at(toy, x, image, gradient);
}

static inline double toy_penalty(const struct toy *toy, const double *x) {
    double length = 0;
    for (int j = 0; j < SMALL; j++)
        length += fabs(x[j]);
    return toy->kind.l1 * length + toy->kind.l2 * prox_value(toy, x);
}

static inline double toy_objective(const struct toy *toy, const double *x) {
    return toy_value(toy, x, NULL) + toy_penalty(toy, x);
}

/* D(x, y) by its definition, with the gradient of d. */
static inline double toy_distance(const struct toy *toy, const double *x, const double *y) {
    double sum = prox_value(toy, x) - prox_value(toy, y);
    for (int j = 0; j < SMALL; j++)
        sum -= (toy->kind.function == PROX_EUCLIDEAN ? toy->p[j] * y[j]
                                                     : 1 + log(fmax(y[j], 1e-300))) *
               (x[j] - y[j]);
    return sum;
}

/* <g, x - y> in the metric */
static inline double toy_slope(const struct toy *toy, const double *g, const double *x,
                               const double *y) {
    double sum = 0;
    for (int j = 0; j < SMALL; j++)
        sum += toy->p[j] * g[j] * (x[j] - y[j]);
    return sum;
}

/* ||x - y||^2 in the norm of d */
static inline double toy_square(const struct toy *toy, const double *x, const double *y) {
    double length = 0, square = 0;
    for (int j = 0; j < SMALL; j++) {
        length += fabs(x[j] - y[j]);
        square += toy->p[j] * (x[j] - y[j]) * (x[j] - y[j]);
    }
    return toy->kind.function == PROX_EUCLIDEAN ? square : length * length;
}

/* ---- the interface of the estimation */

static inline void part_image(struct smooth_part *part, const double *x, double *image) {
    toy_image((struct toy *)part, x, image);
    ((struct toy *)part)->images_found++;
}

static inline double part_value(struct smooth_part *part, const double *x, const double *image,
                                double *gradient) {
    const struct toy *toy = (struct toy *)part;
    return part->images > 0 ? toy_value_at(toy, x, image, gradient) : toy_value(toy, x, gradient);
}

static inline void part_average(struct smooth_part *part, double eta) {
    ((struct toy *)part)->averages++;
    ((struct toy *)part)->latest_eta = eta;
}

static inline void toy_minimize(struct prox *prox, const double *s, double k, double share,
                                double *x) {
    const struct toy *toy = ((struct toy_prox *)prox)->toy;
    const struct toy_kind *kind = &toy->kind;
    double divisor = k + share * kind->l2, smallest = INFINITY, sum = 0;
    for (int j = 0; j < SMALL; j++)
        smallest = fmin(smallest, s[j]);
    for (int j = 0; j < SMALL; j++) {
        double remainder = fmax(0, fabs(s[j]) - share * kind->l1 / toy->p[j]);
        if (kind->function == PROX_EUCLIDEAN)
            x[j] = fmin(fmax(-copysign(remainder, s[j]) / divisor, kind->low), kind->high);
        else
            sum += x[j] = exp((smallest - s[j]) / divisor);
    }
    for (int j = 0; kind->function == PROX_ENTROPY && j < SMALL; j++)
        x[j] /= sum;
}

/* ---- constants */

/* The largest eigenvalue of B'B in the metric, by power iterations. */
static inline double largest_eigenvalue(const struct toy *toy) {
    double x[SMALL] = {1, 0.9, 1.1, 0.8, 1.2}, g[SMALL], image[LINES], size = 0;
    for (int step = 0; step < 3000; step++) {
        toy_image(toy, x, image);
        size = 0;
        for (int j = 0; j < SMALL; j++) {
            g[j] = 0;
            for (int i = 0; i < LINES; i++)
                g[j] += toy->B[i][j] * image[i] / toy->p[j];
            size += toy->p[j] * g[j] * g[j];
        }
        size = sqrt(size);
        for (int j = 0; j < SMALL; j++)
            x[j] = g[j] / size;
    }
    return size;
}

static inline double toy_lipschitz(const struct toy *toy) {
    double largest_entry = 0, largest_row = 0, largest_column = 0;
    for (int i = 0; i < LINES; i++) {
        double row = 0;
        for (int j = 0; j < SMALL; j++) {
            row += toy->B[i][j] * toy->B[i][j] / toy->p[j];
            largest_entry = fmax(largest_entry, toy->B[i][j] * toy->B[i][j]);
        }
        largest_row = fmax(largest_row, row);
    }
    for (int j = 0; j < SMALL; j++) {
        double column = 0;
        for (int i = 0; i < LINES; i++)
            column += toy->B[i][j] * toy->B[i][j];
        largest_column = fmax(largest_column, column);
    }
    if (toy->kind.function == PROX_ENTROPY)
        return toy->kind.curve == SQUARES ? largest_column : largest_entry;
    return toy->kind.bend + (toy->kind.curve == SQUARES ? largest_eigenvalue(toy) : largest_row);
}

/* ---- points */

/* A point of Q at some distance from x. */
static inline void point_near(const struct toy *toy, struct random *random, const double *x,
                              double distance, double *out) {
    double sum = 0;
    for (int j = 0; j < SMALL; j++) {
        double by = distance * (2 * random_unit(random) - 1);
        if (toy->kind.function == PROX_EUCLIDEAN)
            out[j] = fmin(fmax(x[j] + by, toy->kind.low), toy->kind.high);
        else
            sum += out[j] = fmax(x[j], 1e-12) * exp(3 * by);
    }
    for (int j = 0; toy->kind.function == PROX_ENTROPY && j < SMALL; j++)
        out[j] /= sum;
}

static inline void toy_start(const struct toy *toy, double *w0) {
    static const double middle[SMALL] = {0.2, 0.2, 0.2, 0.2, 0.2};
    struct random random;
    random_seed(&random, 3, 3);
    point_near(toy, &random, middle, 0.5, w0);
}

/* ---- a problem */

static inline void toy_init(struct toy *toy, const struct toy_kind *kind) {
    struct random random;
    random_seed(&random, 7, 1);
    *toy = (struct toy){.kind = *kind};
    for (int j = 0; j < SMALL; j++)
        toy->p[j] = kind->metric ? 0.3 + 2 * random_unit(&random) : 1;
    for (int i = 0; i < LINES; i++) {
        toy->c[i] = 2 * random_unit(&random) - 1;
        for (int j = 0; j < SMALL; j++)
            toy->B[i][j] = 2 * random_unit(&random) - 1;
    }
    toy->part = (struct smooth_part){.dimension = SMALL,
                                     .images = kind->images ? LINES : 0,
                                     .image = kind->images ? part_image : NULL,
                                     .value = part_value,
                                     .average = part_average};
    toy->prox.toy = toy;
    toy->prox.prox = (struct prox){.dimension = SMALL,
                                   .function = kind->function,
                                   .metric = kind->metric ? toy->p : NULL,
                                   .strong = kind->l2,
                                   .minimize = toy_minimize};
    toy->L = toy_lipschitz(toy) * (1 + 1e-9);
}

/* min J by steps of proximal gradient without memory: x+ = argmin <grad f(x), .> + L D(., x) + Psi. */
static inline double toy_optimum(const struct toy *toy, double *x) {
    double s[SMALL], next[SMALL], k = toy->L + toy->kind.bend;
    struct prox prox = toy->prox.prox;
    struct toy_prox toy_prox = {prox, toy};
    toy_start(toy, x);
    for (int step = 0; step < 20000; step++) {
        toy_value(toy, x, s);
        for (int j = 0; j < SMALL; j++)
            s[j] -= k * (toy->kind.function == PROX_EUCLIDEAN ? x[j] : log(fmax(x[j], 1e-300)));
        toy_minimize(&toy_prox.prox, s, k, 1, next);
        memcpy(x, next, sizeof next);
    }
    return toy_objective(toy, x);
}

#endif
