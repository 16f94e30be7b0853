/* chain_scaled.c - chain_sum by scaled products; see chain.h. */
#include "math/exponential.h"
#include "risk/sequences/chain.h"
#include "risk/sequences/chain_lanes.h"

#include <math.h>
#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

/* exp of it is 0 */
static const double log_underflow = -1000;

/* Times or over any c, which is within exp(CHAIN_RANGE) K of 1, a normal number. */
static const double rescale_from = 1e30;

bool chain_can_scale(const struct chain *chain, const double *node, int64_t length) {
    int64_t labels = chain->labels;
    double allowed = (CHAIN_RANGE - (length > 1 ? chain->range : 0)) * chain->mu;
    bool small = allowed >= 0;
    for (int64_t t = 0; small && t < length; t++, node += labels) {
        double low = node[0], high = node[0];
        for (int64_t k = 1; k < labels; k++) {
            low = node[k] < low ? node[k] : low;
            high = node[k] > high ? node[k] : high;
        }
        small = high - low <= allowed;
    }
    return small;
}

static SIMD_BODY double sum_of(const double *x, int64_t stride) {
    chain_lanes sum = {0};
    for (int64_t k = 0; k < stride; k += CHAIN_LANES)
        sum += *(const chain_lanes *)(x + k);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

struct scaled_work {
    double *psi, *alpha; /* length x stride */
    double *inverse;     /* length: 1/c */
    double *beta;        /* stride */
};

static SIMD_BODY struct scaled_work scaled_work_of(const struct chain *chain, int64_t length,
                                                   double *work) {
    int64_t size = length * chain->stride;
    return (struct scaled_work){work, work + size, work + 2 * size, work + 2 * size + length};
}

/* psi; the sum of what was taken off the scores. */
static SIMD_BODY double weigh_nodes(const struct chain *chain, const double *node, int64_t length,
                                    double *psi) {
    int64_t labels = chain->labels, stride = chain->stride;
    double taken = 0, inverse = 1 / chain->mu;
    for (int64_t t = 0; t < length; t++) {
        const double *row_scores = node + t * labels;
        double *to = psi + t * stride, top = lanes_largest(row_scores, labels);
        taken += top;
        for (int64_t k = 0; k < labels; k++)
            to[k] = (row_scores[k] - top) * inverse;
        for (int64_t k = labels; k < stride; k++)
            to[k] = log_underflow;
    }
    exponentials(psi, length * stride);
    return taken;
}

/* alpha and 1/c; the sum of log(c). */
static SIMD_BODY double go_forward(const struct chain *chain, int64_t length,
                                   const struct scaled_work *r) {
    int64_t stride = chain->stride;
    double sum = 0, product = 1;
    for (int64_t t = 0; t < length; t++) {
        double *alpha = r->alpha + t * stride;
        const double *psi = r->psi + t * stride;
        if (t == 0)
            memcpy(alpha, psi, sizeof *alpha * (size_t)stride);
        else {
            lanes_combine(alpha - stride, chain->weight_to, chain->labels, stride, alpha);
            for (int64_t k = 0; k < stride; k++)
                alpha[k] *= psi[k];
        }
        double c = sum_of(alpha, stride), inverse = 1 / c;
        for (int64_t k = 0; k < stride; k++)
            alpha[k] *= inverse;
        r->inverse[t] = inverse;
        product *= c;
        if (product < 1 / rescale_from || product > rescale_from) { /* a logarithm for many rows */
            sum += log(product);
            product = 1;
        }
    }
    return sum + log(product);
}

/* The probabilities of labels, and psi_t becomes what transitions to row t take: psi_t beta_t/c_t. */
static SIMD_BODY void go_back(const struct chain *chain, int64_t length,
                              const struct scaled_work *r, double *marginal) {
    int64_t labels = chain->labels, stride = chain->stride;
    for (int64_t k = 0; k < stride; k++)
        r->beta[k] = 1;
    for (int64_t t = length - 1; t >= 0; t--) {
        const double *alpha = r->alpha + t * stride;
        double *psi = r->psi + t * stride;
        for (int64_t k = 0; k < labels; k++)
            marginal[t * labels + k] = alpha[k] * r->beta[k];
        for (int64_t k = 0; k < stride; k++)
            psi[k] = psi[k] * r->inverse[t] * r->beta[k];
        if (t > 0)
            lanes_combine(psi, chain->weight_from, labels, stride, r->beta);
    }
}

/* EDGE += E times sum_t alpha_(t-1)(a) psi_t(b), 8 x 8 of them at a time; both are 0 beyond K. */
static SIMD_BODY void add_edges(const struct chain *chain, int64_t length,
                                const struct scaled_work *r, double *edge) {
    int64_t labels = chain->labels, stride = chain->stride;
    for (int64_t a = 0; a < stride; a += CHAIN_LANES)
        for (int64_t b = 0; b < stride; b += CHAIN_LANES) {
            chain_lanes sum[CHAIN_LANES] = {{0}};
            const double *alpha = r->alpha + a, *psi = r->psi + stride + b;
            for (int64_t t = 1; t < length; t++, alpha += stride, psi += stride)
                for (int k = 0; k < CHAIN_LANES; k++)
                    sum[k] += alpha[k] * *(const chain_lanes *)psi;
            for (int64_t k = 0; k < CHAIN_LANES && a + k < labels; k++)
                for (int64_t l = 0; l < CHAIN_LANES && b + l < labels; l++)
                    edge[(a + k) * labels + b + l] +=
                        sum[k][l] * chain->weight_to[(a + k) * stride + b + l];
        }
}

static SIMD_BODY void chain_sum_scaled_body(const struct chain *chain, const double *node,
                                            int64_t length, double *marginal, double *edge,
                                            double *value, void *work) {
    const struct scaled_work r = scaled_work_of(chain, length, work);
    double taken = weigh_nodes(chain, node, length, r.psi) + (double)(length - 1) * chain->top;
    *value = taken + chain->mu * go_forward(chain, length, &r);
    if (marginal != NULL) {
        go_back(chain, length, &r, marginal);
        if (length > 1)
            add_edges(chain, length, &r, edge);
    }
}

SIMD_CLONES(void, chain_sum_scaled,
            (const struct chain *chain, const double *node, int64_t length, double *marginal,
             double *edge, double *value, void *work),
            (chain, node, length, marginal, edge, value, work))

double chain_sum(const struct chain *chain, const double *node, int64_t length, double *marginal,
                 double *edge, void *work) {
    double value;
    if (chain_can_scale(chain, node, length))
        chain_sum_scaled(chain, node, length, marginal, edge, &value, work);
    else
        chain_sum_log(chain, node, length, marginal, edge, &value, work);
    return value;
}
