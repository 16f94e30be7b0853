/* class_offsets.c - the unregularized offsets of classes that minimize a multiclass risk, by Newton's method. */
#include "risk/class_offsets.h"

#include "io/memory.h"
#include "math/exponential.h"
#include "math/rounding.h"
#include "math/vector.h"
#include "matrix/design.h"
#include "risk/label_shift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NEWTON_STEPS = 40,
    MAX_CG_STEPS = 40,
    MAX_HALVINGS = 30,
    MAX_REFINEMENTS = 12,
    ROWS_PER_BLOCK = 256,
    MIN_PARALLEL_WORK = 50000
};

int class_offsets_init(struct class_offsets *o, struct error *e) {
    int64_t size, K = o->classes, blocks = 1 + o->rows / ROWS_PER_BLOCK;
    o->parallel = o->rows * K > MIN_PARALLEL_WORK;
    o->blocks = blocks < DESIGN_BLOCKS_MOST ? (int)blocks : DESIGN_BLOCKS_MOST;
    if (__builtin_mul_overflow(o->rows, 2 * K, &size))
        return error_set(e, "rows times labels is too large");
    o->score = memory_new(size, sizeof(double), "the scores of all classes", e);
    o->b = memory_zeroed((7 + o->blocks) * K + o->blocks, sizeof(double), "the offsets", e);
    if (o->score == NULL || o->b == NULL)
        return -1;
    o->p = o->score + o->rows * K;
    o->gradient = o->b + K;
    o->step = o->gradient + K;
    o->residual = o->step + K;
    o->direction = o->residual + K;
    o->product = o->direction + K;
    o->trial = o->product + K;
    o->partial = o->trial + K;
    o->value = o->partial + o->blocks * K;
    return 0;
}

void class_offsets_free(struct class_offsets *o) {
    free(o->score);
    free(o->b);
    o->score = o->b = NULL;
}

/* ---- sums over rows */

static int64_t block_start(const struct class_offsets *o, int block) {
    return (int64_t)((__int128)o->rows * block / o->blocks);
}

static double weight_of(const struct class_offsets *o, int64_t i) {
    return (o->weight == NULL ? 1 : o->weight[i]) / o->weight_sum;
}

static int64_t class_of(const struct class_offsets *o, int64_t i) {
    return (int64_t)o->target[i];
}

/* Adds the blocks' partial sums into SUM, in their order. Returns the sum of their values. */
static double add_blocks(const struct class_offsets *o, double *sum) {
    double value = 0;
    memset(sum, 0, sizeof *sum * (size_t)o->classes);
    for (int block = 0; block < o->blocks; block++) {
        for (int64_t k = 0; k < o->classes; k++)
            sum[k] += o->partial[block * o->classes + k];
        value += o->value[block];
    }
    return value;
}

/* z = D + u + b of row i. Returns the largest. */
static double set_scores(const struct class_offsets *o, int64_t i, const double *b, double *z) {
    const double *u = o->score + i * o->classes;
    double top = -INFINITY;
    for (int64_t k = 0; k < o->classes; k++)
        z[k] = u[k] + b[k] + (o->margin && k != class_of(o, i));
    for (int64_t k = 0; k < o->classes; k++)
        top = fmax(top, z[k]);
    return top;
}

/* Computes p of row i at b. Returns the row's term of G. */
static double weigh_row(const struct class_offsets *o, int64_t i, const double *b, double mu) {
    double *p = o->p + i * o->classes, sum = 0, top = set_scores(o, i, b, p);
    double true_score = p[class_of(o, i)];
    for (int64_t k = 0; k < o->classes; k++)
        p[k] = (p[k] - top) / mu;
    exponentials(p, o->classes);
    for (int64_t k = 0; k < o->classes; k++)
        sum += p[k];
    vector_scale(p, 1 / sum, o->classes);
    return top - true_score + mu * log(sum);
}

/* Computes p and the gradient of G (into SUM) at b. Returns G. */
static double evaluate(struct class_offsets *o, const double *b, double mu, double *sum) {
#pragma omp parallel for schedule(dynamic, 1) if (o->parallel)
    for (int block = 0; block < o->blocks; block++) {
        double *block_sum = o->partial + block * o->classes, value = 0;
        memset(block_sum, 0, sizeof *block_sum * (size_t)o->classes);
        for (int64_t i = block_start(o, block); i < block_start(o, block + 1); i++) {
            double c = weight_of(o, i);
            value += c * weigh_row(o, i, b, mu);
            for (int64_t k = 0; k < o->classes; k++)
                block_sum[k] += c * o->p[i * o->classes + k];
            block_sum[class_of(o, i)] -= c;
        }
        o->value[block] = value;
    }
    return add_blocks(o, sum);
}

/* sum = mean of c (diag(p) - p p') v: mu times the Hessian of G, times v. */
static void multiply(struct class_offsets *o, const double *v, double *sum) {
#pragma omp parallel for schedule(dynamic, 1) if (o->parallel)
    for (int block = 0; block < o->blocks; block++) {
        double *block_sum = o->partial + block * o->classes;
        memset(block_sum, 0, sizeof *block_sum * (size_t)o->classes);
        for (int64_t i = block_start(o, block); i < block_start(o, block + 1); i++) {
            const double *p = o->p + i * o->classes;
            double c = weight_of(o, i), mean = vector_dot(p, v, o->classes);
            for (int64_t k = 0; k < o->classes; k++)
                block_sum[k] += c * p[k] * (v[k] - mean);
        }
    }
    add_blocks(o, sum);
}

/* ---- Newton's method */

/* step = -H^-1 gradient, approximately, by conjugate gradients; multiply() is mu H. Every iterate is a descent
 * direction. */
static void compute_step(struct class_offsets *o, double mu) {
    static const double residual_reduction = 1e-3, min_curvature = 1e-300;
    int64_t K = o->classes;
    memset(o->step, 0, sizeof *o->step * (size_t)K);
    for (int64_t k = 0; k < K; k++)
        o->direction[k] = o->residual[k] = -mu * o->gradient[k];
    double first = vector_dot(o->residual, o->residual, K), square = first;
    for (int i = 0; i < MAX_CG_STEPS && square > residual_reduction * residual_reduction * first;
         i++) {
        multiply(o, o->direction, o->product);
        double curvature = vector_dot(o->direction, o->product, K);
        if (!(curvature > min_curvature)) {
            if (i == 0)
                memcpy(o->step, o->direction, sizeof *o->step * (size_t)K);
            break;
        }
        double length = square / curvature, previous = square;
        for (int64_t k = 0; k < K; k++) {
            o->step[k] += length * o->direction[k];
            o->residual[k] -= length * o->product[k];
        }
        square = vector_dot(o->residual, o->residual, K);
        for (int64_t k = 0; k < K; k++)
            o->direction[k] = o->residual[k] + square / previous * o->direction[k];
    }
}

static double absolute_sum(const double *a, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += fabs(a[k]);
    return sum;
}

/* Line search by halving, from a step of o->reach at most, as the Hessian may be near 0 far from the optimum: moves b
 * along the step as soon as G decreases enough, or, if G is the same up to rounding, as soon as the gradient is halved.
 * False: no length does. *G is the value at b. */
static bool line_search(struct class_offsets *o, double mu, double *G) {
    static const double armijo_slope = 1e-4;
    int64_t K = o->classes;
    double slope = vector_dot(o->gradient, o->step, K);
    double length = fmin(1, o->reach / vector_largest(o->step, K));
    double old_gradient = absolute_sum(o->gradient, K);
    for (int i = 0; i < MAX_HALVINGS && slope < 0; i++, length /= 2) {
        for (int64_t k = 0; k < K; k++)
            o->trial[k] = o->b[k] + length * o->step[k];
        double value = evaluate(o, o->trial, mu, o->gradient);
        bool same_value = value <= *G + rounding_of_sums * (1 + fabs(*G));
        if (value <= *G + armijo_slope * length * slope ||
            (same_value && absolute_sum(o->gradient, K) < old_gradient / 2)) {
            memcpy(o->b, o->trial, sizeof *o->b * (size_t)K);
            *G = value;
            return true;
        }
    }
    return false;
}

/* Minimizes G over b until the 1-norm of its gradient is at most TOLERANCE; p is that of b. */
static void minimize(struct class_offsets *o, double mu, double tolerance) {
    double G = evaluate(o, o->b, mu, o->gradient);
    for (int i = 0; i < MAX_NEWTON_STEPS; i++) {
        if (!(absolute_sum(o->gradient, o->classes) > tolerance))
            return;
        compute_step(o, mu);
        if (!line_search(o, mu, &G))
            break;
    }
    evaluate(o, o->b, mu, o->gradient);
}

/* ---- the linearization */

/* The fractions of label_shift.h: `leave` into o->step, `enter` into o->direction. */
static void find_label_shift(struct class_offsets *o) {
    memset(o->product, 0, sizeof *o->product * (size_t)o->classes);
    for (int64_t i = 0; i < o->rows; i++)
        o->product[class_of(o, i)] += weight_of(o, i);
    label_shift_find(o->gradient, o->product, o->classes, o->step, o->direction);
}

/* Corrects p of the row by label_shift_row and replaces it by p - e_y. Returns the row's term of the constant. */
static double linearize_row(const struct class_offsets *o, int64_t i) {
    double *p = o->p + i * o->classes, constant = 0;
    label_shift_row(o->step, o->direction, o->classes, p);
    for (int64_t k = 0; k < o->classes; k++)
        constant += o->margin ? (k != class_of(o, i)) * p[k] : p[k] > 0 ? -p[k] * log(p[k]) : 0;
    p[class_of(o, i)] -= 1;
    return constant;
}

/* c times the loss of the row at b. */
static double row_loss(const struct class_offsets *o, int64_t i) {
    double *z = o->p + i * o->classes, top = set_scores(o, i, o->b, z);
    return weight_of(o, i) * (top - z[class_of(o, i)]);
}

static double exact_risk(struct class_offsets *o) {
    double sum = 0;
#pragma omp parallel for schedule(dynamic, 1) if (o->parallel)
    for (int block = 0; block < o->blocks; block++) {
        double block_sum = 0;
        for (int64_t i = block_start(o, block); i < block_start(o, block + 1); i++)
            block_sum += row_loss(o, i);
        o->value[block] = block_sum;
    }
    for (int block = 0; block < o->blocks; block++)
        sum += o->value[block];
    return sum;
}

static double linearize(struct class_offsets *o) {
    double sum = 0;
    find_label_shift(o);
#pragma omp parallel for schedule(dynamic, 1) if (o->parallel)
    for (int block = 0; block < o->blocks; block++) {
        double block_sum = 0;
        for (int64_t i = block_start(o, block); i < block_start(o, block + 1); i++)
            block_sum += weight_of(o, i) * linearize_row(o, i);
        o->value[block] = block_sum;
    }
    for (int block = 0; block < o->blocks; block++)
        sum += o->value[block];
    return sum;
}

/* Newton steps on p instead of b: p_ik *= exp(step_k/mu), then each row is scaled to sum 1. With a small mu, b has
 * too few digits for such steps. */
static void refine(struct class_offsets *o, double mu) {
    static const double refined_gradient = 1e-16; /* 1-norm */
    for (int turn = 0;
         turn < MAX_REFINEMENTS && absolute_sum(o->gradient, o->classes) > refined_gradient;
         turn++) {
        double largest = 0;
        compute_step(o, mu);
        for (int64_t k = 0; k < o->classes; k++)
            largest = fmax(largest, fabs(o->step[k] / mu));
        double length = largest > 1 ? 1 / (largest * mu) : 1 / mu;
        for (int64_t k = 0; k < o->classes; k++) {
            o->step[k] = exp(length * o->step[k]);
            o->gradient[k] = 0;
        }
        for (int64_t i = 0; i < o->rows; i++) {
            double *p = o->p + i * o->classes, sum = 0, c = weight_of(o, i);
            for (int64_t k = 0; k < o->classes; k++)
                sum += p[k] *= o->step[k];
            vector_scale(p, 1 / sum, o->classes);
            for (int64_t k = 0; k < o->classes; k++)
                o->gradient[k] += c * (p[k] - (k == class_of(o, i)));
        }
    }
}

double class_offsets_find(struct class_offsets *o, double slack, double *constant) {
    static const double slack_share = 0.1, min_tolerance = 1e-13, first_mu_scale = 0.25,
                        mu_decrease = 4, most_reach = 16;
    double largest = vector_largest(o->score, o->rows * o->classes);
    double tolerance =
        fmax(min_tolerance, slack_share * slack /
                                (1 + largest)); /* the correction of p costs this share of slack */
    double last_mu = o->margin ? slack / (2 * log((double)o->classes)) : 1;
    o->reach = most_reach * (1 + largest);
    double mu = fmax(first_mu_scale * (1 + largest), last_mu);
    minimize(o, mu, tolerance);
    while (mu > last_mu) {
        mu = fmax(mu / mu_decrease, last_mu);
        minimize(o, mu, tolerance);
    }
    double value = o->margin ? exact_risk(o) : 0;
    double smooth = evaluate(o, o->b, mu, o->gradient);
    if (o->margin)
        refine(o, mu);
    *constant = linearize(o);
    return o->margin ? value : smooth;
}
