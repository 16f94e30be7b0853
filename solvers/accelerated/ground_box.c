/* ground_box.c - the ground problem of dual variables: a box, with or without a plane. */
#include "solvers/accelerated/ground_box.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

/* b, with u in a. */
static double find_offset(struct ground_box *box, const double *s, double k, double share,
                          double *u) {
    const struct smoothing by = {.mu = k / share + box->mu, .low = box->low, .high = box->high};
#pragma omp parallel for schedule(static) if (box->parts->design->threads)
    for (int64_t i = 0; i < box->ground.dimension; i++)
        u[i] = -s[i] / share;
    return offset_find(&box->offset, u, &by);
}

/* share must be above 0 where there is a plane. */
static void minimize(struct ground *ground, const double *s, double k, double share, double *a) {
    struct ground_box *box = (struct ground_box *)ground;
    const double *y = box->parts->target, *low = box->low, *high = box->high;
    double b = box->plane ? find_offset(box, s, k, share, a) : 0,
           curvature = k + share * ground->strong;
#pragma omp parallel for schedule(static) if (box->parts->design->threads)
    for (int64_t i = 0; i < ground->dimension; i++)
        a[i] = clip((share * (b - y[i]) - s[i]) / curvature, low[i], high[i]);
}

void ground_box_smooth(struct ground_box *box, double mu) {
    box->mu = mu;
    box->ground.strong = 1 / box->parts->loss->curvature + mu;
}

static void set_rows(struct ground_box *box) {
    const struct scalar_parts *parts = box->parts;
    for (int64_t i = 0; i < box->ground.dimension; i++) {
        double p = scalar_weight(parts, i) / parts->weight_sum;
        box->p[i] = p;
        box->low[i] = box->high[i] = 0;
        if (p > 0)
            parts->loss->domain(parts->target[i], &parts->parameters, &box->low[i], &box->high[i]);
    }
}

int ground_box_init(struct ground_box *box, const struct risk *risk, double mu, struct error *e) {
    const struct scalar_parts *parts = risk->scalar;
    int64_t m = parts->design->rows;
    *box = (struct ground_box){.ground = {.dimension = m, .minimize = minimize},
                               .parts = parts,
                               .plane = risk->dimension > risk->regularized};
    box->p = memory_new(3 * m, sizeof *box->p, "dual variables", e);
    if (box->p == NULL || (box->plane && offset_init(&box->offset, parts, e) != 0))
        return -1;
    box->low = box->p + m;
    box->high = box->low + m;
    box->ground.metric = box->p;
    ground_box_smooth(box, mu);
    set_rows(box);
    return 0;
}

void ground_box_free(struct ground_box *box) {
    offset_free(&box->offset);
    free(box->p);
    *box = (struct ground_box){0};
}
