/* smo_newton.c - Newton steps on a block of smo. */
#include "solvers/kernel_machine/smo_newton.h"

#include "io/memory.h"
#include "math/float_rows.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_FREE_VARIABLES = 2000, /* of more the factor would cost too much */
    MAX_STEPS = 500            /* of one solve */
};

/* Of its unit: pairs do not mend what is left of the constant's equation. */
static const double constant_accuracy = 1e-4;

/* A subproblem's `get`: rows of the block. */
static int get_block_row(void *opaque, const int64_t *index, int64_t count, const float **row,
                         struct error *e) {
    const struct smo_block *block = opaque;
    (void)e;
    for (int64_t k = 0; k < count; k++)
        row[k] = block->kernel + index[k] * block->stride;
    return 0;
}

int smo_newton_init(struct smo_newton *n, const struct smo_block *block, int64_t slots,
                    const struct smo_multipliers *m, struct error *e) {
    int64_t functions = m->functions + m->constant;
    *n = (struct smo_newton){.block = block};
    n->moved = memory_zeroed(slots, sizeof *n->moved, "the subproblem", e);
    if (n->moved == NULL || subproblem_init(&n->program, slots, functions, e) != 0 ||
        free_set_init(&n->free_set, slots, MAX_FREE_VARIABLES, functions, e) != 0)
        return -1;
    n->program.rows = slots;
    n->program.get = get_block_row;
    n->program.opaque = (void *)block;
    for (int64_t s = 0; s < slots; s++)
        n->program.sign[s] = 1;
    return 0;
}

void smo_newton_free(struct smo_newton *n) {
    subproblem_free(&n->program);
    free_set_free(&n->free_set);
    free(n->moved);
    *n = (struct smo_newton){0};
}

void smo_newton_clear(struct smo_newton *n) {
    size_t size = sizeof(double) * (size_t)n->program.count;
    memset(n->program.z, 0, size);
    memset(n->program.upper, 0, size);
    memset(n->program.gradient, 0, size);
    memset(n->moved, 0, size);
}

void smo_newton_load(struct smo_newton *n, const struct smo_multipliers *m, int64_t s, int64_t row,
                     double sign, double start, double g) {
    struct subproblem *p = &n->program;
    const struct smo_block *block = n->block;
    double *a = p->a + s * p->functions;
    p->z[s] = sign * block->beta[s];
    p->upper[s] = sign > 0 ? block->upper[s] : -block->lower[s];
    p->sign[s] = sign;
    p->diagonal[s] = block->pairs.diagonal[s];
    p->gradient[s] = -g * sign;
    for (int64_t j = 0; j < m->functions; j++) {
        a[j] = sign * m->psi[row * m->functions + j];
        p->gradient[s] += a[j] * m->shift[j];
    }
    if (m->constant)
        a[m->functions] = sign;
    n->moved[s] = block->beta[s] - start;
}

bool smo_newton_fits(const struct smo_newton *n) {
    int64_t count = 0;
    for (int64_t s = 0; s < n->program.count; s++)
        count += subproblem_is_free(&n->program, s);
    return count <= n->free_set.capacity;
}

/* gradient += Q times the change of z so far, in doubles. */
static void add_moved(struct smo_newton *n) {
    struct subproblem *p = &n->program;
    for (int64_t s = 0; s < p->count; s++)
        if (n->moved[s] != 0)
            float_add_signed(p->gradient, n->moved[s], p->sign,
                             n->block->kernel + s * n->block->stride, p->count);
}

int smo_newton_solve(struct smo_newton *n, const struct smo_multipliers *m, double tolerance,
                     struct error *e) {
    struct subproblem *p = &n->program;
    add_moved(n);
    memset(p->eta, 0, sizeof *p->eta * (size_t)p->functions);
    for (int64_t j = 0; j < m->functions; j++) {
        p->scale[j] = smo_multipliers_unit(m, j);
        p->residual[j] = m->r[j] + m->change[j];
    }
    if (m->constant) {
        p->scale[m->functions] = constant_accuracy * m->scale;
        p->residual[m->functions] = m->sum;
    }
    return free_set_solve(&n->free_set, p, tolerance, MAX_STEPS, e);
}

void smo_newton_store(const struct smo_newton *n, struct smo_block *block,
                      struct smo_multipliers *m) {
    const struct subproblem *p = &n->program;
    for (int64_t j = 0; j < m->functions; j++) {
        m->eta[j] += p->eta[j];
        m->shift[j] += p->eta[j];
    }
    for (int64_t s = 0; s < p->count; s++) {
        block->beta[s] = p->sign[s] * p->z[s];
        block->pairs.g[s] = (float)(-p->gradient[s] * p->sign[s]);
        smo_block_bar(block, s);
    }
}
