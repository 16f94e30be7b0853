/* smo_block.c - sequential minimal optimization of a few variables. */
#include "solvers/kernel_machine/smo_block.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double relative_snap = 1e-6; /* of a step: so near to a bound it ends there */

/* Whose slots are all barred. */
static void set_arrays(struct smo_pairs *pairs, float *up, int64_t stride) {
    pairs->up = up;
    pairs->low = up + stride;
    for (int64_t s = 0; s < stride; s++) {
        pairs->up[s] = -SMO_PAIRS_BARRED;
        pairs->low[s] = SMO_PAIRS_BARRED;
    }
}

int smo_block_init(struct smo_block *block, int64_t capacity, bool two_sums, struct error *e) {
    int64_t count = (capacity + SMO_PAIRS_ALIGN - 1) / SMO_PAIRS_ALIGN * SMO_PAIRS_ALIGN;
    int64_t stride = count + SMO_PAIRS_ALIGN; /* no power of 2: columns share no cache sets */
    *block = (struct smo_block){.capacity = capacity, .stride = stride, .two_sums = two_sums};
    block->kernel =
        memory_zeroed(capacity, (size_t)stride * sizeof *block->kernel, "the subproblem", e);
    block->pairs.g = memory_zeroed(6 * stride, sizeof *block->pairs.g, "the subproblem", e);
    block->beta = memory_zeroed(3 * capacity, sizeof *block->beta, "the subproblem", e);
    block->second = memory_zeroed(capacity, sizeof *block->second, "the subproblem", e);
    if (block->kernel == NULL || block->pairs.g == NULL || block->beta == NULL ||
        block->second == NULL)
        return -1;
    block->pairs.count = count;
    block->pairs.diagonal = block->pairs.g + stride;
    block->others = block->pairs;
    set_arrays(&block->pairs, block->pairs.g + 2 * stride, stride);
    set_arrays(&block->others, block->pairs.g + 4 * stride, stride);
    block->lower = block->beta + capacity;
    block->upper = block->lower + capacity;
    return 0;
}

void smo_block_set_curvature(struct smo_block *block, float smallest) {
    block->pairs.min_curvature = block->others.min_curvature = smallest;
}

void smo_block_free(struct smo_block *block) {
    free(block->kernel);
    free(block->pairs.g);
    free(block->beta);
    free(block->second);
    *block = (struct smo_block){0};
}

void smo_block_visit(struct smo_block *block, struct state *state) {
    int64_t words = block->capacity * block->stride, size = sizeof(float);
    state_bytes(state, block->kernel, words * size);
    state_bytes(state, block->pairs.g, 6 * block->stride * size); /* and what stands behind */
    state_doubles(state, block->beta, 3 * block->capacity);       /* and the bounds */
    for (int64_t s = 0; s < block->capacity; s++)
        block->second[s] = state_flag(state, block->second[s]);
    block->steps = state_integer(state, block->steps, 0, INT64_MAX);
}

void smo_block_clear(struct smo_block *block, int64_t s) {
    block->beta[s] = block->lower[s] = block->upper[s] = 0;
    block->pairs.g[s] = 0;
    smo_block_bar(block, s);
}

void smo_block_bar(struct smo_block *block, int64_t s) {
    struct smo_pairs *pairs = block->second[s] ? &block->others : &block->pairs;
    struct smo_pairs *rest = block->second[s] ? &block->pairs : &block->others;
    pairs->up[s] = block->beta[s] < block->upper[s] ? 0 : -SMO_PAIRS_BARRED;
    pairs->low[s] = block->beta[s] > block->lower[s] ? 0 : SMO_PAIRS_BARRED;
    rest->up[s] = -SMO_PAIRS_BARRED;
    rest->low[s] = SMO_PAIRS_BARRED;
}

void smo_block_start(struct smo_block *block) {
    block->rising = smo_pairs_step(&block->pairs, 0, block->kernel, block->kernel);
    if (block->two_sums)
        block->other_rising = smo_pairs_step(&block->others, 0, block->kernel, block->kernel);
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
    if (block->two_sums)
        block->other_rising = smo_pairs_step(&block->others, 0, row_i, row_j);
    block->steps++;
}

/* The gap of one sum, whose largest g is that of slot i; *partner = the j for i. */
static double find_partner(const struct smo_block *block, const struct smo_pairs *pairs, int64_t i,
                           int64_t *partner) {
    float lowest;
    *partner = smo_pairs_partner(pairs, i, block->kernel + i * block->stride, &lowest);
    return ((double)pairs->g[i] + pairs->up[i]) - lowest;
}

bool smo_block_solve(struct smo_block *block, double gap, int64_t steps, double *first) {
    for (int64_t k = 0;; k++) {
        int64_t i = block->rising, j, other;
        double violation = find_partner(block, &block->pairs, i, &j);
        if (block->two_sums) {
            double second = find_partner(block, &block->others, block->other_rising, &other);
            i = second > violation ? block->other_rising : i;
            j = second > violation ? other : j;
            violation = fmax(violation, second);
        }
        if (k == 0)
            *first = violation;
        if (violation <= gap || k == steps)
            return violation <= gap;
        step(block, i, j);
    }
}
