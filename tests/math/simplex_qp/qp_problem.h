/* qp_problem.h - random quadratic programs, and certificates computed independently in 128-bit arithmetic. */
#ifndef RRM_QP_PROBLEM_H
#define RRM_QP_PROBLEM_H

#include "math/random/random.h"
#include "math/simplex_qp/simplex_qp.h"
#include "math/simplex_qp/simplex_qp_parts.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad;
#else
typedef long double quad;
#endif

enum { MAX_QP = 64, QP_BLOCKS = 8, QP_REFERENCE_STREAM = 77, QP_REFERENCE_MAX_SLOTS = 60 };

struct qp_problem {
    int slots, blocks;
    bool equal, offset, taken[MAX_QP];
    int block[MAX_QP];
    double h[MAX_QP][MAX_QP], f[MAX_QP], o[MAX_QP], cap[QP_BLOCKS];
    int polls_left; /* polls until the solver is stopped; 0: it is never stopped */
};

static inline double qp_uniform(struct random *random) {
    return 2 * random_unit(random) - 1;
}

static inline const double *qp_problem_row(void *matrix, int slot, struct error *e) {
    (void)e;
    return ((struct qp_problem *)matrix)->h[slot];
}

/* Planes of several kinds: close to each other, repeated, zero, of few dimensions. */
static inline void qp_random_planes(struct random *random, int count, int n,
                                    double plane[MAX_QP][MAX_QP]) {
    double spread = pow(10, -(double)random_below(random, 7)), centre[MAX_QP];
    bool clustered = random_below(random, 3) == 0;
    for (int i = 0; i < n; i++)
        centre[i] = qp_uniform(random);
    for (int j = 0; j < count; j++) {
        int kind = (int)random_below(random, 12),
            other = (int)random_below(random, (uint64_t)j + 1);
        for (int i = 0; i < n; i++) {
            plane[j][i] = clustered ? centre[i] + spread * qp_uniform(random) : qp_uniform(random);
            if (kind == 0)
                plane[j][i] = 0;
            else if (kind == 1 && j > 0)
                plane[j][i] = plane[other][i];
        }
    }
}

static inline void qp_random_numbers(struct random *random, struct qp_problem *p, double scale) {
    double size = random_below(random, 3) == 0 ? scale : 1;
    bool none = random_below(random, 6) == 0, integral = random_below(random, 2) == 0;
    for (int j = 0; j < p->slots; j++) {
        p->f[j] = none ? 0 : size * qp_uniform(random);
        p->o[j] = integral ? (double)random_below(random, 3) - 1 : qp_uniform(random);
        p->block[j] = j < p->blocks ? j : (int)random_below(random, (uint64_t)p->blocks);
        p->taken[j] = true;
    }
    for (int k = 0; k < p->blocks; k++)
        p->cap[k] = none || integral ? 1 : 0.1 + random_unit(random);
    if (p->equal && p->offset) /* so that a feasible point exists */
        for (int j = 0; j < p->blocks; j++)
            p->o[j] = 0;
}

static inline void qp_random_problem(struct random *random, struct qp_problem *p, int max_slots) {
    static double plane[MAX_QP][MAX_QP];
    memset(p, 0, sizeof *p);
    int n = 1 + (int)random_below(random, 40);
    double scale = pow(10, (double)random_below(random, 19) - 6);
    p->slots = 1 + (int)random_below(random, (uint64_t)max_slots);
    p->blocks = 1 + (int)random_below(random, QP_BLOCKS);
    if (p->blocks > p->slots || random_below(random, 2) == 0)
        p->blocks = 1;
    p->equal = random_below(random, 2) == 0;
    p->offset = random_below(random, 3) == 0;
    qp_random_planes(random, p->slots, n, plane);
    for (int j = 0; j < p->slots; j++)
        for (int l = 0; l <= j; l++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += plane[j][i] * plane[l][i];
            p->h[j][l] = p->h[l][j] = sum * scale;
        }
    qp_random_numbers(random, p, scale);
}

/* Stops the solver after polls_left polls; 0: never. */
static inline bool qp_problem_stop(void *opaque) {
    struct qp_problem *p = opaque;
    return p->polls_left > 0 && --p->polls_left == 0;
}

static inline struct simplex_qp *qp_problem_program(struct qp_problem *p, struct error *e) {
    struct simplex_qp_settings settings = {.blocks = p->blocks,
                                           .equal = p->equal,
                                           .offset = p->offset,
                                           .row = qp_problem_row,
                                           .matrix = p,
                                           .stop = qp_problem_stop};
    struct simplex_qp *qp = simplex_qp_new(&settings, e);
    for (int j = 0; qp != NULL && j < p->slots; j++)
        if (p->taken[j] && simplex_qp_add(qp, j, p->block[j], p->o[j], e) != 0)
            return simplex_qp_free(qp);
    return qp;
}

struct qp_certificate {
    double objective, gap; /* from the weights and H alone */
    double resolution;     /* 2^-100 of the largest numbers: no gap can be expected to be smaller */
    double violation;      /* of the constraints, relative */
};

static inline quad qp_absolute(quad x) {
    return x < 0 ? -x : x;
}

/* The bound of simplex_qp_bound.c for the solver's eta, in 128 bits. */
static inline struct qp_certificate qp_certify(const struct qp_problem *p,
                                               const struct simplex_qp *qp) {
    quad a[MAX_QP], g[MAX_QP], sum[QP_BLOCKS] = {0}, lowest[QP_BLOCKS], q = 0, gap = 0;
    quad offset = 0, offset_size = 0, eta = (quad)qp->eta.hi + qp->eta.lo;
    struct qp_certificate c = {0, 0, 0, 0};
    double largest = 0, largest_h = 0, caps = 0;
    for (int j = 0; j < p->slots; j++) {
        struct wide weight = simplex_qp_weight_wide(qp, j);
        a[j] = (quad)weight.hi + weight.lo;
        if (a[j] < 0 || (!p->taken[j] && a[j] != 0))
            c.violation = 1;
    }
    for (int k = 0; k < p->blocks; k++)
        lowest[k] = p->equal ? 1e300 : 0;
    for (int j = 0; j < p->slots; j++) {
        if (!p->taken[j])
            continue;
        quad ha = 0;
        for (int l = 0; l < p->slots; l++)
            if (p->taken[l]) {
                ha += a[l] * p->h[j][l];
                largest_h = fmax(largest_h, fabs(p->h[j][l]));
            }
        q += a[j] * (ha / 2 - p->f[j]);
        largest = fmax(largest, fabs(p->f[j]));
        g[j] = ha - p->f[j] - eta * p->o[j];
        lowest[p->block[j]] = g[j] < lowest[p->block[j]] ? g[j] : lowest[p->block[j]];
        sum[p->block[j]] += a[j];
        offset += a[j] * p->o[j];
        offset_size += p->cap[p->block[j]] * qp_absolute(p->o[j]) / p->slots;
    }
    for (int j = 0; j < p->slots; j++)
        if (p->taken[j])
            gap += a[j] * (g[j] - lowest[p->block[j]]);
    for (int k = 0; k < p->blocks; k++) {
        caps += p->cap[k];
        double off = (double)(sum[k] / p->cap[k] - 1);
        c.violation = fmax(c.violation, p->equal ? fabs(off) : off);
        if (!p->equal)
            gap += (p->cap[k] - sum[k]) * (0 - lowest[k]);
    }
    if (p->offset && offset_size > 0)
        c.violation = fmax(c.violation, (double)(qp_absolute(offset) / offset_size));
    c.objective = (double)q;
    c.gap = (double)gap;
    c.resolution = 0x1p-100 * caps * (caps * largest_h + largest);
    return c;
}

#endif
