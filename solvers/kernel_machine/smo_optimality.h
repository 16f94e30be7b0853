/* smo_optimality.h - how far an iterate of smo is from optimal. smo.c has g and the conditions of the optimum. */
#ifndef RRM_SMO_OPTIMALITY_H
#define RRM_SMO_OPTIMALITY_H

#include "solvers/kernel_machine/smo_multipliers.h"
#include "solvers/kernel_machine/solution.h"

struct smo_optimality {
    double *g;      /* count */
    uint8_t *moves; /* count: how each variable can move */
    int64_t free;   /* variables that can move both ways */
    /* The largest g of those that can rise, the smallest of those that can fall; of two sums (canonical.h) the second
     * is that of the negative signs. */
    double highest[2], lowest[2];
    double violation; /* the gap, or what is left of the other equations, as a violation */
};

/* For COUNT dual variables. 0, or -1 with the error set; to be freed in either case. */
int smo_optimality_init(struct smo_optimality *o, int64_t count, struct error *e);
void smo_optimality_free(struct smo_optimality *o);
void smo_optimality_visit(struct smo_optimality *o, int64_t count, struct state *state);

/* All of it from s->z and s->f; and the solution's beta, margin, scores and J. */
void smo_optimality_evaluate(struct smo_optimality *o, struct solution *s,
                             struct smo_multipliers *m);

/* The largest excess of a g that can rise over one of the same sum that can fall. */
double smo_optimality_gap(const struct smo_optimality *o, const struct canonical *c);

/* Shifts g so that the extremes of either of two sums are as far above 0 as below: one choice of variables serves both.
 * Returns that distance, the larger one. */
double smo_optimality_level(struct smo_optimality *o, const struct canonical *c);

#endif
