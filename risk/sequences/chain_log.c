/* chain_log.c - chain_sum in logs, over the labels that are not negligible; see chain.h. */
#include "math/exponential.h"
#include "risk/sequences/chain.h"
#include "risk/sequences/chain_lanes.h"

#include <math.h>
#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

/* exp(-negligible_log) is below rounding relative to 1. */
static const double negligible_log = 40;

/* The labels that remain in each row: those with a sequence within mu (40 + log K^length) of the best one. All other
 * sequences together have a probability below exp(-40). */
struct log_work {
    double *before,
        *after;     /* length x stride: the best scores up to a row, and behind it; `after` then has
                               h_t, what the sums up to the end are, for the labels that are left */
    double *x;      /* stride: weights of the next labels of one label */
    double *spare;  /* stride: scratch */
    int32_t *label; /* length x stride: the labels that remain in each row */
    int32_t *count; /* length: their number */
};

static SIMD_BODY struct log_work log_work_of(const struct chain *chain, int64_t length,
                                             double *work) {
    int64_t stride = chain->stride, size = length * stride;
    struct log_work r = {.before = work, .after = work + size};
    r.x = r.after + size;
    r.spare = r.x + stride;
    r.label = (int32_t *)(r.spare + stride);
    r.count = r.label + size;
    return r;
}

/* The best scores up to a row, including it, and behind a row. */
static SIMD_BODY void find_best(const struct chain *chain, const double *node, int64_t length,
                                const struct log_work *r) {
    int64_t labels = chain->labels, stride = chain->stride;
    memset(r->after + (length - 1) * stride, 0, sizeof *r->after * (size_t)stride);
    for (int64_t t = length - 1; t > 0; t--) {
        const double *scores = node + t * labels, *behind = r->after + t * stride;
        for (int64_t k = 0; k < labels; k++)
            r->spare[k] = scores[k] + behind[k];
        lanes_best(r->spare, chain->from, labels, stride, r->after + (t - 1) * stride);
    }
    memcpy(r->before, node, sizeof *r->before * (size_t)labels);
    for (int64_t t = 1; t < length; t++) {
        const double *scores = node + t * labels;
        double *best = r->before + t * stride;
        lanes_best(best - stride, chain->to, labels, stride, best);
        for (int64_t k = 0; k < labels; k++)
            best[k] += scores[k];
    }
}

/* A bound of the rounding errors of the best scores. */
static SIMD_BODY double rounding_bound(const struct chain *chain, const double *node,
                                       int64_t length) {
    int64_t labels = chain->labels;
    double node_max = 0, edge = fabs(chain->top) + chain->range * chain->mu;
    for (int64_t k = 0; k < length * labels; k++)
        node_max = fabs(node[k]) > node_max ? fabs(node[k]) : node_max;
    return 1e-15 * (double)length * (double)length * (node_max + edge);
}

static SIMD_BODY void choose_labels(const struct chain *chain, const double *node, int64_t length,
                                    const struct log_work *r) {
    int64_t labels = chain->labels, stride = chain->stride;
    double gap = chain->mu * (negligible_log + (double)length * log((double)labels)) +
                 rounding_bound(chain, node, length);
    for (int64_t t = 0; t < length; t++) {
        double *sum = r->before + t * stride;
        const double *after = r->after + t * stride;
        int32_t *label = r->label + t * stride, count = 0;
        for (int64_t k = 0; k < labels; k++)
            sum[k] += after[k];
        double cut = lanes_largest(sum, labels) - gap;
        for (int32_t k = 0; k < labels; k++) {
            label[count] = k;
            count += !(sum[k] < cut);
        }
        r->count[t] = count;
    }
}

/* Replaces x by exp((x - max x)/mu). Returns the sum; *top: max x. */
static SIMD_BODY double weigh(double *x, int64_t count, double mu, double *top) {
    double sum = 0, inverse = 1 / mu;
    *top = lanes_largest(x, count);
    for (int64_t k = 0; k < count; k++)
        x[k] = (x[k] - *top) * inverse;
    if (count == 1)
        x[0] = 1; /* the most frequent case */
    else
        exponentials(x, count);
    for (int64_t k = 0; k < count; k++)
        sum += x[k];
    return sum;
}

/* The weights of the next labels, given label a at row t, in r->x. Returns their sum. */
static SIMD_BODY double weigh_next(const struct chain *chain, int64_t t, int64_t a,
                                   const struct log_work *r, double *top) {
    const double *to = chain->to + a * chain->stride, *h = r->after + (t + 1) * chain->stride;
    const int32_t *label = r->label + (t + 1) * chain->stride;
    int64_t count = r->count[t + 1];
    for (int64_t k = 0; k < count; k++)
        r->x[k] = to[label[k]] + h[k];
    return weigh(r->x, count, chain->mu, top);
}

/* h_t(k) = u_t(k) + eta_t(k) of the remaining labels, last row first. */
static SIMD_BODY void find_sums(const struct chain *chain, const double *node, int64_t length,
                                const struct log_work *r) {
    for (int64_t t = length - 1; t >= 0; t--) {
        const int32_t *label = r->label + t * chain->stride;
        double *h = r->after + t * chain->stride;
        for (int64_t k = 0; k < r->count[t]; k++) {
            double top = 0, sum = t < length - 1 ? weigh_next(chain, t, label[k], r, &top) : 1;
            h[k] = node[t * chain->labels + label[k]] + top;
            h[k] += sum > 1 ? chain->mu * log(sum) : 0;
        }
    }
}

/* Distributes the probability p of label a at row t over the next labels, and adds it to EDGE. */
static SIMD_BODY void follow(const struct chain *chain, int64_t t, int64_t a, double p,
                             const struct log_work *r, double *next, double *edge) {
    const int32_t *label = r->label + (t + 1) * chain->stride;
    double top, share = p / weigh_next(chain, t, a, r, &top);
    for (int64_t k = 0; k < r->count[t + 1]; k++) {
        next[label[k]] += share * r->x[k];
        edge[a * chain->labels + label[k]] += share * r->x[k];
    }
}

static SIMD_BODY void chain_sum_log_body(const struct chain *chain, const double *node,
                                         int64_t length, double *marginal, double *edge,
                                         double *value, void *work) {
    int64_t labels = chain->labels;
    const struct log_work r = log_work_of(chain, length, work);
    double top;
    find_best(chain, node, length, &r);
    choose_labels(chain, node, length, &r);
    find_sums(chain, node, length, &r);
    double sum = weigh(r.after, r.count[0], chain->mu, &top);
    *value = top + chain->mu * log(sum);
    if (marginal == NULL)
        return;
    memset(marginal, 0, sizeof *marginal * (size_t)(length * labels));
    for (int64_t k = 0; k < r.count[0]; k++)
        marginal[r.label[k]] = r.after[k] / sum;
    for (int64_t t = 0; t < length - 1; t++) {
        const int32_t *label = r.label + t * chain->stride;
        double *scores = marginal + t * labels;
        for (int64_t k = 0; k < r.count[t]; k++)
            if (scores[label[k]] > 0)
                follow(chain, t, label[k], scores[label[k]], &r, scores + labels, edge);
    }
}

SIMD_CLONES(void, chain_sum_log,
            (const struct chain *chain, const double *node, int64_t length, double *marginal,
             double *edge, double *value, void *work),
            (chain, node, length, marginal, edge, value, work))
