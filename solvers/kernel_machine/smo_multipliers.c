/* smo_multipliers.c - equations of the dual by the method of multipliers. */
#include "solvers/kernel_machine/smo_multipliers.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The constant is in the span if it misses no more than this of its square. */
static const double max_missing = 1e-9;

/* x = (I - 2 u u'/u'u) x */
static void reflect(const struct smo_multipliers *m, double *x) {
    double square = vector_dot(m->mirror, m->mirror, m->all);
    double factor = square > 0 ? 2 * vector_dot(m->mirror, x, m->all) / square : 0;
    for (int64_t j = 0; j < m->all; j++)
        x[j] -= factor * m->mirror[j];
}

/* The constant's coefficients in the orthonormal basis, and the reflection that makes it the first function. */
static void find_constant(struct smo_multipliers *m, const struct canonical *c) {
    for (int64_t i = 0; i < c->rows; i++) {
        double weight = scalar_weight(c->terms, i) / c->terms->weight_sum;
        for (int64_t j = 0; j < m->all; j++)
            m->mean[j] += weight * c->psi[i * m->all + j];
    }
    double square = vector_dot(m->mean, m->mean, m->all);
    m->constant = square >= 1 - max_missing;
    if (!m->constant)
        return;
    memcpy(m->mirror, m->mean, sizeof *m->mean * (size_t)m->all);
    m->mirror[0] += m->mean[0] < 0 ? -sqrt(square) : sqrt(square);
}

static void turn_basis(struct smo_multipliers *m, const struct canonical *c) {
    int64_t first = m->all - m->functions;
    for (int64_t i = 0; i < c->rows; i++) {
        memcpy(m->work, c->psi + i * m->all, sizeof *m->work * (size_t)m->all);
        reflect(m, m->work);
        for (int64_t j = 0; j < m->functions; j++) {
            m->psi[i * m->functions + j] = m->work[first + j];
            if (c->upper[i] > 0)
                m->largest[j] = fmax(m->largest[j], fabs(m->work[first + j]));
        }
    }
}

int smo_multipliers_init(struct smo_multipliers *m, const struct canonical *c, struct error *e) {
    int64_t all = c->functions;
    *m = (struct smo_multipliers){.all = all, .scale = c->scale};
    m->mean = memory_zeroed(8 * all, sizeof *m->mean, "the multipliers", e);
    if (m->mean == NULL)
        return -1;
    m->mirror = m->mean + all;
    m->eta = m->mirror + all;
    m->r = m->eta + all;
    m->change = m->r + all;
    m->largest = m->change + all;
    m->work = m->largest + all;
    m->shift = m->work + all;
    find_constant(m, c);
    m->functions = all - m->constant;
    m->paired = m->constant || c->learned != LEARNS_NOTHING;
    m->psi = memory_new(c->rows * m->functions, sizeof *m->psi, "the basis functions", e);
    if (m->psi == NULL)
        return -1;
    turn_basis(m, c);
    return 0;
}

void smo_multipliers_free(struct smo_multipliers *m) {
    free(m->mean);
    free(m->psi);
    *m = (struct smo_multipliers){0};
}

void smo_multipliers_take(struct smo_multipliers *m, const double *beta) {
    memcpy(m->work, beta, sizeof *beta * (size_t)m->all);
    reflect(m, m->work);
    memcpy(m->eta, m->work + (m->all - m->functions), sizeof *m->eta * (size_t)m->functions);
}

void smo_multipliers_visit(struct smo_multipliers *m, struct state *state) {
    state_doubles(state, m->eta, 3 * m->all); /* and r, change */
    STATE_REALS(state, &m->sum, &m->rho);
}

void smo_multipliers_beta(const struct smo_multipliers *m, double offset, double *beta) {
    int64_t first = m->all - m->functions;
    memset(beta, 0, sizeof *beta * (size_t)m->all);
    for (int64_t j = 0; j < m->functions; j++)
        beta[first + j] = m->eta[j] + m->rho * m->r[j];
    reflect(m, beta);
    for (int64_t j = 0; j < m->all && m->constant; j++)
        beta[j] += offset * m->mean[j];
}

void smo_multipliers_residual(struct smo_multipliers *m, const double *residual) {
    m->sum = vector_dot(m->mean, residual, m->all);
    memcpy(m->work, residual, sizeof *residual * (size_t)m->all);
    reflect(m, m->work);
    memcpy(m->r, m->work + (m->all - m->functions), sizeof *m->r * (size_t)m->functions);
}

double smo_multipliers_unit(const struct smo_multipliers *m, int64_t j) {
    double by_score = 2 * m->rho * m->largest[j];
    return 1 / fmax(by_score, 1 / m->scale);
}

double smo_multipliers_violation(const struct smo_multipliers *m) {
    double violation = 0;
    for (int64_t j = 0; j < m->functions; j++)
        violation = fmax(violation, fabs(m->r[j] + m->change[j]) / smo_multipliers_unit(m, j));
    return violation;
}

double smo_multipliers_curvature(const struct smo_multipliers *m, int64_t s, int64_t t) {
    int64_t n = m->functions;
    return m->rho * vector_dot(m->psi + s * n, m->psi + t * n, n);
}
