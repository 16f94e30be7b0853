/* smo_block.c - sequential minimal optimization of a few variables. */
#include "solvers/kernel_machine/smo_block.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double relative_snap = 1e-6; /* of a step: so near to a bound it ends there */

int smo_block_init(struct smo_block *block, int64_t capacity, struct error *e) {
    int64_t count = (capacity + SMO_PAIRS_ALIGN - 1) / SMO_PAIRS_ALIGN * SMO_PAIRS_ALIGN;
    int64_t stride = count + SMO_PAIRS_ALIGN; /* no power of 2: columns share no cache sets */
    *block = (struct smo_block){.capacity = capacity, .stride = stride};
    block->kernel =
        memory_zeroed(capacity, (size_t)stride * sizeof *block->kernel, "the subproblem", e);
    block->pairs.g = memory_zeroed(4 * stride, sizeof *block->pairs.g, "the subproblem", e);
    block->beta = memory_zeroed(3 * capacity, sizeof *block->beta, "the subproblem", e);
    if (block->kernel == NULL || block->pairs.g == NULL || block->beta == NULL)
        return -1;
    block->pairs.count = count;
    block->pairs.up = block->pairs.g + stride;
    block->pairs.low = block->pairs.up + stride;
    block->pairs.diagonal = block->pairs.low + stride;
    block->lower = block->beta + capacity;
    block->upper = block->lower + capacity;
    for (int64_t s = 0; s < stride; s++) {
        block->pairs.up[s] = -SMO_PAIRS_BARRED;
        block->pairs.low[s] = SMO_PAIRS_BARRED;
    }
    return 0;
}

void smo_block_free(struct smo_block *block) {
    free(block->kernel);
    free(block->pairs.g);
    free(block->beta);
    *block = (struct smo_block){0};
}

void smo_block_clear(struct smo_block *block, int64_t s) {
    block->beta[s] = block->lower[s] = block->upper[s] = 0;
    block->pairs.g[s] = 0;
    smo_block_bar(block, s);
}

void smo_block_bar(struct smo_block *block, int64_t s) {
    block->pairs.up[s] = block->beta[s] < block->upper[s] ? 0 : -SMO_PAIRS_BARRED;
    block->pairs.low[s] = block->beta[s] > block->lower[s] ? 0 : SMO_PAIRS_BARRED;
}

void smo_block_start(struct smo_block *block) {
    block->rising = smo_pairs_step(&block->pairs, 0, block->kernel, block->kernel);
}

/* A variable that comes to a bound but for rounding is set to it. */
static void move(struct smo_block *block, int64_t s, double step) {
    double beta = block->beta[s] + step, limit = fmin(block->snap, relative_snap * fabs(step));
    if (step > 0 && block->upper[s] - beta <= limit)
        beta = block->upper[s];
    else if (step < 0 && beta - block->lower[s] <= limit)
        beta = block->lower[s];
    block->beta[s] = beta;
    smo_block_bar(block, s);
}

/* One step of slots i and j. */
static void step(struct smo_block *block, int64_t i, int64_t j) {
    const struct smo_pairs *p = &block->pairs;
    const float *row_i = block->kernel + i * block->stride,
                *row_j = block->kernel + j * block->stride;
    double curvature = (double)p->diagonal[i] + p->diagonal[j] - 2 * (double)row_i[j];
    double step = ((double)p->g[i] - p->g[j]) / fmax(curvature, p->min_curvature);
    step = fmin(step, fmin(block->upper[i] - block->beta[i], block->beta[j] - block->lower[j]));
    move(block, i, step);
    move(block, j, -step);
    block->rising = smo_pairs_step(p, (float)step, row_i, row_j);
    block->steps++;
}

bool smo_block_solve(struct smo_block *block, double gap, int64_t steps, double *first) {
    for (int64_t k = 0;; k++) {
        int64_t i = block->rising;
        float lowest;
        int64_t j = smo_pairs_partner(&block->pairs, i, block->kernel + i * block->stride, &lowest);
        double violation = ((double)block->pairs.g[i] + block->pairs.up[i]) - lowest;
        if (k == 0)
            *first = violation;
        if (violation <= gap || k == steps)
            return violation <= gap;
        step(block, i, j);
    }
}
