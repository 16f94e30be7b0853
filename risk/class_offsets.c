/* class_offsets.c - the best offsets of classes, by Newton's method. */
#include "risk/class_offsets.h"

#include "io/memory.h"
#include "math/exponential.h"
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

/* The partial sums and values of the blocks, added in their order. */
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

/* z = D + u + b of row i, into `p`; the largest. */
static double set_scores(const struct class_offsets *o, int64_t i, const double *b, double *z) {
    const double *u = o->score + i * o->classes;
    double top = -INFINITY;
    for (int64_t k = 0; k < o->classes; k++)
        z[k] = u[k] + b[k] + (o->margin && k != class_of(o, i));
    for (int64_t k = 0; k < o->classes; k++)
        top = fmax(top, z[k]);
    return top;
}

/* Row i at b: p, and its G. */
static double weigh_row(const struct class_offsets *o, int64_t i, const double *b, double mu) {
    double *p = o->p + i * o->classes, sum = 0, top = set_scores(o, i, b, p);
    double own = p[class_of(o, i)];
    for (int64_t k = 0; k < o->classes; k++)
        p[k] = (p[k] - top) / mu;
    exponentials(p, o->classes);
    for (int64_t k = 0; k < o->classes; k++)
        sum += p[k];
    vector_scale(p, 1 / sum, o->classes);
    return top - own + mu * log(sum);
}

/* G at b, its gradient in SUM, and p. */
static double evaluate(struct class_offsets *o, const double *b, double mu, double *sum) {
#pragma omp parallel for schedule(dynamic, 1) if (o->parallel)
    for (int block = 0; block < o->blocks; block++) {
        double *own = o->partial + block * o->classes, value = 0;
        memset(own, 0, sizeof *own * (size_t)o->classes);
        for (int64_t i = block_start(o, block); i < block_start(o, block + 1); i++) {
            double c = weight_of(o, i);
            value += c * weigh_row(o, i, b, mu);
            for (int64_t k = 0; k < o->classes; k++)
                own[k] += c * o->p[i * o->classes + k];
            own[class_of(o, i)] -= c;
        }
        o->value[block] = value;
    }
    return add_blocks(o, sum);
}

/* sum = mean of c (diag(p) - p p') v */
static void multiply(struct class_offsets *o, const double *v, double *sum) {
#pragma omp parallel for schedule(dynamic, 1) if (o->parallel)
    for (int block = 0; block < o->blocks; block++) {
        double *own = o->partial + block * o->classes;
        memset(own, 0, sizeof *own * (size_t)o->classes);
        for (int64_t i = block_start(o, block); i < block_start(o, block + 1); i++) {
            const double *p = o->p + i * o->classes;
            double c = weight_of(o, i), mean = vector_dot(p, v, o->classes);
            for (int64_t k = 0; k < o->classes; k++)
                own[k] += c * p[k] * (v[k] - mean);
        }
    }
    add_blocks(o, sum);
}

/* ---- Newton's method */

/* step = -mu H^-1 gradient, nearly, by conjugate gradients: a direction of descent wherever they end. */
static void find_step(struct class_offsets *o, double mu) {
    static const double enough = 1e-3, nothing = 1e-300;
    int64_t K = o->classes;
    memset(o->step, 0, sizeof *o->step * (size_t)K);
    for (int64_t k = 0; k < K; k++)
        o->direction[k] = o->residual[k] = -mu * o->gradient[k];
    double first = vector_dot(o->residual, o->residual, K), square = first;
    for (int i = 0; i < MAX_CG_STEPS && square > enough * enough * first; i++) {
        multiply(o, o->direction, o->product);
        double curvature = vector_dot(o->direction, o->product, K);
        if (!(curvature > nothing)) {
            if (i == 0)
                memcpy(o->step, o->direction, sizeof *o->step * (size_t)K);
            break;
        }
        double length = square / curvature, before = square;
        for (int64_t k = 0; k < K; k++) {
            o->step[k] += length * o->direction[k];
            o->residual[k] -= length * o->product[k];
        }
        square = vector_dot(o->residual, o->residual, K);
        for (int64_t k = 0; k < K; k++)
            o->direction[k] = o->residual[k] + square / before * o->direction[k];
    }
}

static double absolute_sum(const double *a, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += fabs(a[k]);
    return sum;
}

/* b moves along the step while G falls enough, or, where rounding hides that, its slopes do; false when
 * neither does. *G is that at b before and after. */
static bool move(struct class_offsets *o, double mu, double *G) {
    static const double enough = 1e-4, rounding = 1e-14;
    int64_t K = o->classes;
    double slope = vector_dot(o->gradient, o->step, K), length = 1;
    double steep = absolute_sum(o->gradient, K);
    for (int i = 0; i < MAX_HALVINGS && slope < 0; i++, length /= 2) {
        for (int64_t k = 0; k < K; k++)
            o->trial[k] = o->b[k] + length * o->step[k];
        double value = evaluate(o, o->trial, mu, o->gradient);
        bool level = value <= *G + rounding * (1 + fabs(*G));
        if (value <= *G + enough * length * slope ||
            (level && absolute_sum(o->gradient, K) < steep / 2)) {
            memcpy(o->b, o->trial, sizeof *o->b * (size_t)K);
            *G = value;
            return true;
        }
    }
    return false;
}

/* p at the end is that of b. */
static void minimize(struct class_offsets *o, double mu, double tolerance) {
    double G = evaluate(o, o->b, mu, o->gradient);
    for (int i = 0; i < MAX_NEWTON_STEPS; i++) {
        if (!(absolute_sum(o->gradient, o->classes) > tolerance))
            return;
        find_step(o, mu);
        if (!move(o, mu, &G))
            break;
    }
    evaluate(o, o->b, mu, o->gradient);
}

/* ---- the linearization */

/* The fractions of label_shift.h: `leave` into o->step, `enter` into o->direction. */
static void find_shares(struct class_offsets *o) {
    memset(o->product, 0, sizeof *o->product * (size_t)o->classes);
    for (int64_t i = 0; i < o->rows; i++)
        o->product[class_of(o, i)] += weight_of(o, i);
    label_shift_find(o->gradient, o->product, o->classes, o->step, o->direction);
}

/* The row's part of the constant, and p - e_y in place of p, which is moved first. */
static double settle_row(const struct class_offsets *o, int64_t i) {
    double *p = o->p + i * o->classes, constant = 0;
    label_shift_row(o->step, o->direction, o->classes, p);
    for (int64_t k = 0; k < o->classes; k++)
        constant += o->margin ? (k != class_of(o, i)) * p[k] : p[k] > 0 ? -p[k] * log(p[k]) : 0;
    p[class_of(o, i)] -= 1;
    return constant;
}

/* c times the row's loss at b. */
static double row_loss(const struct class_offsets *o, int64_t i) {
    double *z = o->p + i * o->classes, top = set_scores(o, i, o->b, z);
    return weight_of(o, i) * (top - z[class_of(o, i)]);
}

static double exact_risk(struct class_offsets *o) {
    double sum = 0;
#pragma omp parallel for schedule(dynamic, 1) if (o->parallel)
    for (int block = 0; block < o->blocks; block++) {
        double own = 0;
        for (int64_t i = block_start(o, block); i < block_start(o, block + 1); i++)
            own += row_loss(o, i);
        o->value[block] = own;
    }
    for (int block = 0; block < o->blocks; block++)
        sum += o->value[block];
    return sum;
}

static double settle(struct class_offsets *o) {
    double sum = 0;
    find_shares(o);
#pragma omp parallel for schedule(dynamic, 1) if (o->parallel)
    for (int block = 0; block < o->blocks; block++) {
        double own = 0;
        for (int64_t i = block_start(o, block); i < block_start(o, block + 1); i++)
            own += weight_of(o, i) * settle_row(o, i);
        o->value[block] = own;
    }
    for (int block = 0; block < o->blocks; block++)
        sum += o->value[block];
    return sum;
}

/* Offsets finer than those of scores have digits for: p_ik times exp(step_k/mu), rows of sum 1 again. */
static void refine(struct class_offsets *o, double mu) {
    for (int turn = 0; turn < 12 && absolute_sum(o->gradient, o->classes) > 1e-16; turn++) {
        double most = 0;
        find_step(o, mu);
        for (int64_t k = 0; k < o->classes; k++)
            most = fmax(most, fabs(o->step[k] / mu));
        double part = most > 1 ? 1 / (most * mu) : 1 / mu;
        for (int64_t k = 0; k < o->classes; k++) {
            o->step[k] = exp(part * o->step[k]);
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
    static const double part = 0.1, rounding = 1e-13, widest = 0.25, falls = 4;
    double most = vector_largest(o->score, o->rows * o->classes);
    double tolerance =
        fmax(rounding, part * slack / (1 + most)); /* what it costs to settle the p */
    double last = o->margin ? slack / (2 * log((double)o->classes)) : 1;
    double mu = fmax(widest * (1 + most), last);
    minimize(o, mu, tolerance);
    while (mu > last) {
        mu = fmax(mu / falls, last);
        minimize(o, mu, tolerance);
    }
    double value = o->margin ? exact_risk(o) : 0;
    double smooth = evaluate(o, o->b, mu, o->gradient);
    if (o->margin)
        refine(o, mu);
    *constant = settle(o);
    return o->margin ? value : smooth;
}
