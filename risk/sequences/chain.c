/* chain.c - transitions, and the best sequence; see chain.h. */
#include "risk/sequences/chain.h"

#include "io/memory.h"
#include "math/exponential.h"
#include "risk/sequences/chain_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum { CHAIN_MATRICES = 4 };

/* ---- transitions */

int chain_init(struct chain *chain, int64_t labels, struct error *e) {
    int64_t stride = chain_stride(labels), size = labels * stride;
    *chain = (struct chain){.labels = labels, .stride = stride};
    chain->to = memory_zeroed(CHAIN_MATRICES * size, sizeof *chain->to, "transitions", e);
    if (chain->to == NULL)
        return -1;
    chain->from = chain->to + size;
    chain->weight_to = chain->from + size;
    chain->weight_from = chain->weight_to + size;
    return 0;
}

void chain_free(struct chain *chain) {
    free(chain->to);
    *chain = (struct chain){0};
}

/* exp((T - top)/mu) of a row of T. */
static void weigh_row(const struct chain *chain, const double *row, double *weight) {
    for (int64_t b = 0; b < chain->labels; b++)
        weight[b] = (row[b] - chain->top) / chain->mu;
    exponentials(weight, chain->labels);
}

static void find_range(struct chain *chain, const double *transition) {
    int64_t size = chain->labels * chain->labels;
    double lowest = transition[0];
    chain->top = transition[0];
    for (int64_t k = 1; k < size; k++) {
        chain->top = transition[k] > chain->top ? transition[k] : chain->top;
        lowest = transition[k] < lowest ? transition[k] : lowest;
    }
    chain->range = (chain->top - lowest) / chain->mu;
}

void chain_set(struct chain *chain, const double *transition, double mu) {
    int64_t labels = chain->labels, stride = chain->stride;
    chain->mu = mu;
    for (int64_t a = 0; a < labels; a++)
        for (int64_t b = 0; b < labels; b++)
            chain->from[b * stride + a] = chain->to[a * stride + b] = transition[a * labels + b];
    if (mu == 0)
        return;
    find_range(chain, transition);
    for (int64_t a = 0; a < labels; a++) {
        double *weight = chain->weight_to + a * stride;
        weigh_row(chain, chain->to + a * stride, weight);
        for (int64_t b = 0; b < labels; b++)
            chain->weight_from[b * stride + a] = weight[b];
    }
}

/* The larger of scaled_work and log_work: doubles, 2 stride + 1 for each row and 3 stride more; integers, stride + 2
 * for each row. */
size_t chain_work_bytes(int64_t labels, int64_t length) {
    int64_t stride = chain_stride(labels);
    return sizeof(double) * (size_t)(stride * (2 * length + 3) + length) +
           sizeof(int32_t) * (size_t)((stride + 2) * length);
}

/* ---- the best sequence */

/* The index of the first largest number. */
static SIMD_BODY int32_t largest(const double *x, int64_t n) {
    int32_t best = 0;
    for (int32_t k = 1; k < n; k++)
        if (x[k] > x[best])
            best = k;
    return best;
}

/* score_t(k): the score of the best sequence up to row t that ends with k. The backward pass recomputes the sums
 * whose maximum it was, and takes their first largest. */
static SIMD_BODY void chain_best_body(const struct chain *chain, const double *node, int64_t length,
                                      int32_t *label, double *best, void *work) {
    int64_t labels = chain->labels, stride = chain->stride;
    double *score = work, *sum = score + length * stride;
    memcpy(score, node, sizeof *score * (size_t)labels);
    for (int64_t t = 1; t < length; t++) {
        double *next = score + t * stride;
        lanes_best(next - stride, chain->to, labels, stride, next);
        for (int64_t b = 0; b < labels; b++)
            next[b] += node[t * labels + b];
    }
    int32_t k = largest(score + (length - 1) * stride, labels);
    *best = score[(length - 1) * stride + k];
    label[length - 1] = k;
    for (int64_t t = length - 2; t >= 0; t--) {
        const double *from = chain->from + k * stride, *scores = score + t * stride;
        for (int64_t a = 0; a < labels; a++)
            sum[a] = scores[a] + from[a];
        k = label[t] = largest(sum, labels);
    }
}

SIMD_CLONES(void, chain_best,
            (const struct chain *chain, const double *node, int64_t length, int32_t *label,
             double *best, void *work),
            (chain, node, length, label, best, work))
