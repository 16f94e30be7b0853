/* smo_optimality.c - the violations of the conditions of the optimum. */
#include "solvers/kernel_machine/smo_optimality.h"

#include "io/memory.h"
#include "solvers/kernel_machine/smo_working_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int smo_optimality_init(struct smo_optimality *o, int64_t count, struct error *e) {
    o->g = memory_new(count, sizeof *o->g, "the dual variables", e);
    o->moves = memory_new(count, sizeof *o->moves, "the dual variables", e);
    return o->g == NULL || o->moves == NULL ? -1 : 0;
}

void smo_optimality_free(struct smo_optimality *o) {
    free(o->g);
    free(o->moves);
}

void smo_optimality_visit(struct smo_optimality *o, int64_t count, struct state *state) {
    state_doubles(state, o->g, count);
    state_bytes(state, o->moves, count);
    o->free = state_integer(state, o->free, 0, count);
    STATE_REALS(state, &o->highest[0], &o->highest[1], &o->lowest[0], &o->lowest[1], &o->violation);
}

/* The sum that variable t belongs to. */
static int sum_of(const struct canonical *c, int64_t t) {
    return canonical_has_two_sums(c) && c->sign[t] < 0;
}

/* How each variable can move, and the extremes of g. PAIRED: only in pairs, not alone. */
static void find_extremes(struct smo_optimality *o, const struct canonical *c, const double *z,
                          bool paired) {
    for (int k = 0; k < 2; k++) {
        o->highest[k] = paired ? -INFINITY : 0;
        o->lowest[k] = paired ? INFINITY : 0;
    }
    o->free = 0;
    for (int64_t t = 0; t < c->count; t++) {
        double g = o->g[t];
        bool grows = z[t]<c->upper[t], shrinks = z[t]> 0;
        bool rises = c->sign[t] > 0 ? grows : shrinks, falls = c->sign[t] > 0 ? shrinks : grows;
        int k = sum_of(c, t);
        o->moves[t] = (uint8_t)((rises ? SMO_CAN_RISE : 0) | (falls ? SMO_CAN_FALL : 0));
        o->free += rises && falls;
        if (rises)
            o->highest[k] = fmax(o->highest[k], g);
        if (falls)
            o->lowest[k] = fmin(o->lowest[k], g);
    }
}

/* The g of free variables that suits the extremes. */
static double middle(const struct smo_optimality *o, int k) {
    double highest = o->highest[k], lowest = o->lowest[k];
    if (isfinite(highest) && isfinite(lowest))
        return highest / 2 + lowest / 2;
    return isfinite(highest) ? highest : isfinite(lowest) ? lowest : 0;
}

/* The coefficient of the constant, and in *margin mu: g is their difference where free variables have the sign +, their
 * sum where they have the sign -. */
static double offset(const struct smo_optimality *o, const struct canonical *c, bool constant,
                     double *margin) {
    double first = middle(o, 0), second = middle(o, 1);
    bool two = canonical_has_two_sums(c);
    *margin = two ? second / 2 - first / 2 : -first;
    return two ? first / 2 + second / 2 : constant ? first : 0;
}

double smo_optimality_gap(const struct smo_optimality *o, const struct canonical *c) {
    double first = o->highest[0] - o->lowest[0], second = o->highest[1] - o->lowest[1];
    return canonical_has_two_sums(c) ? fmax(first, second) : first;
}

/* By how much the equations are missed. */
static double imbalance(const struct solution *s, const struct smo_multipliers *m) {
    double largest = smo_multipliers_violation(m);
    for (int64_t j = 0; j < s->c.equations; j++)
        largest = fmax(largest, fabs(s->residual[j]) / s->c.scale);
    return largest;
}

void smo_optimality_evaluate(struct smo_optimality *o, struct solution *s,
                             struct smo_multipliers *m) {
    const struct canonical *c = &s->c;
    canonical_residual(c, s->z, s->residual, s->residual + c->equations);
    smo_multipliers_residual(m, s->residual);
    memset(m->change, 0, sizeof *m->change * (size_t)m->functions);
    smo_multipliers_beta(m, 0, s->beta);
    canonical_scores(c, s->f, s->beta, s->h);
    for (int64_t t = 0; t < c->count; t++)
        o->g[t] = -(s->h[t % c->rows] + c->sign[t] * c->p[t]);
    find_extremes(o, c, s->z, m->paired);
    smo_multipliers_beta(m, offset(o, c, m->constant, &s->margin), s->beta);
    canonical_scores(c, s->f, s->beta, s->h);
    solution_evaluate(s);
    o->violation = fmax(fmax(0, smo_optimality_gap(o, c)), imbalance(s, m));
    if (!isfinite(s->objective))
        o->violation = INFINITY;
}

double smo_optimality_level(struct smo_optimality *o, const struct canonical *c) {
    double shift[2] = {middle(o, 0), middle(o, 1)};
    for (int64_t t = 0; t < c->count; t++)
        o->g[t] -= shift[sum_of(c, t)];
    return fmax(0, smo_optimality_gap(o, c)) / 2;
}
