/* prox_box.c - the proximal problem of dual variables: a box, with the equation sum p a = 0 if there is an
 * offset. */
#include "solvers/accelerated/prox_box.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

/* The offset b; u = -s/share is left in u. */
static double find_offset(struct prox_box *box, const double *s, double k, double share,
                          double *u) {
    const struct smoothing by = {.mu = k / share + box->mu, .low = box->low, .high = box->high};
#pragma omp parallel for schedule(static) if (box->terms->design->threads)
    for (int64_t i = 0; i < box->prox.dimension; i++)
        u[i] = -s[i] / share;
    return offset_find(&box->offset, u, &by);
}

/* Solves the proximal problem; with an offset, share must be above 0. */
static void minimize(struct prox *prox, const double *s, double k, double share, double *a) {
    struct prox_box *box = (struct prox_box *)prox;
    const struct scalar_terms *terms = box->terms;
    const double *low = box->low, *high = box->high;
    double b = box->has_offset ? find_offset(box, s, k, share, a) : 0,
           curvature = k + share * prox->strong;
#pragma omp parallel for schedule(static) if (terms->design->threads)
    for (int64_t i = 0; i < prox->dimension; i++)
        a[i] = clip((share * (b - scalar_target(terms, i)) - s[i]) / curvature, low[i], high[i]);
}

void prox_box_smooth(struct prox_box *box, double mu) {
    box->mu = mu;
    box->prox.strong = 1 / box->terms->loss->curvature + mu;
}

static void set_rows(struct prox_box *box) {
    const struct scalar_terms *terms = box->terms;
    for (int64_t i = 0; i < box->prox.dimension; i++) {
        double p = scalar_weight(terms, i) / terms->weight_sum;
        box->p[i] = p;
        box->low[i] = box->high[i] = 0;
        if (p > 0)
            terms->loss->domain(scalar_target(terms, i), &terms->parameters, &box->low[i],
                                &box->high[i]);
    }
}

int prox_box_init(struct prox_box *box, const struct risk *risk, double mu, struct error *e) {
    const struct scalar_terms *terms = risk->scalar;
    int64_t m = terms->design->rows;
    *box = (struct prox_box){.prox = {.dimension = m, .minimize = minimize},
                             .terms = terms,
                             .has_offset = risk->dimension > risk->regularized};
    box->p = memory_new(3 * m, sizeof *box->p, "dual variables", e);
    if (box->p == NULL || (box->has_offset && offset_init(&box->offset, terms, e) != 0))
        return -1;
    box->low = box->p + m;
    box->high = box->low + m;
    box->prox.metric = box->p;
    prox_box_smooth(box, mu);
    set_rows(box);
    return 0;
}

void prox_box_free(struct prox_box *box) {
    offset_free(&box->offset);
    free(box->p);
    *box = (struct prox_box){0};
}
