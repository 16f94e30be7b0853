/* constraint.c - the simplex and balls as regularizers. */
#include "risk/constraint.h"

#include "math/projections/ball.h"
#include "math/vector.h"

#include <math.h>

static const double feasibility_slack = 1e-9; /* of what a set allows */

/* ---- the simplex */

double simplex_value(const double *w, int64_t n, const struct regularizer_parameters *p) {
    double mass = 0, smallest = 0;
    (void)p;
    for (int64_t j = 0; j < n; j++) {
        smallest = fmin(smallest, w[j]);
        mass += w[j];
    }
    return smallest >= 0 && fabs(mass - 1) <= feasibility_slack ? 0 : INFINITY;
}

static double smallest_of(const double *s, int64_t n) {
    double smallest = INFINITY;
    for (int64_t j = 0; j < n; j++)
        smallest = fmin(smallest, s[j]);
    return smallest;
}

double simplex_conjugate(const double *s, int64_t n, double lambda,
                         const struct regularizer_parameters *p) {
    (void)lambda, (void)p;
    return -smallest_of(s, n);
}

/* The middle of the vertices where s is least, of all of them for s = 0. */
void simplex_minimizer(const double *s, int64_t n, double lambda,
                       const struct regularizer_parameters *p, double *w) {
    double smallest = smallest_of(s, n);
    int64_t count = 0;
    (void)lambda, (void)p;
    for (int64_t j = 0; j < n; j++) {
        w[j] = s[j] == smallest;
        count += w[j] == 1;
    }
    vector_scale(w, 1 / (double)count, n);
}

double simplex_bound(const double *s, double t, int64_t n, double lambda,
                     const struct regularizer_parameters *p) {
    return fmax(0, t - simplex_conjugate(s, n, lambda, p));
}

/* ---- balls */

/* Whether ||w||_1 + k/2 ||w||^2 <= r */
static double ball_value(const double *w, int64_t n, struct ball ball) {
    double lengths = 0;
    for (int64_t j = 0; j < n; j++)
        lengths += fabs(w[j]);
    return lengths + ball.k / 2 * vector_dot(w, w, n) <= ball.r * (1 + feasibility_slack)
               ? 0
               : INFINITY;
}

static void ball_minimizer(const double *s, int64_t n, struct ball ball, double *w) {
    ball_support(s, n, ball.k, ball.r, w);
    vector_scale(w, -1, n);
}

struct ball l1_ball(const struct regularizer_parameters *p) {
    return (struct ball){.k = 0, .r = p->ball};
}

double l1_ball_value(const double *w, int64_t n, const struct regularizer_parameters *p) {
    return ball_value(w, n, l1_ball(p));
}

double l1_ball_conjugate(const double *s, int64_t n, double lambda,
                         const struct regularizer_parameters *p) {
    (void)lambda;
    return p->ball * vector_largest(s, n);
}

void l1_ball_minimizer(const double *s, int64_t n, double lambda,
                       const struct regularizer_parameters *p, double *w) {
    (void)lambda;
    ball_minimizer(s, n, l1_ball(p), w);
}

double l1_ball_bound(const double *s, double t, int64_t n, double lambda,
                     const struct regularizer_parameters *p) {
    return fmax(0, t - l1_ball_conjugate(s, n, lambda, p));
}

struct ball elastic_ball(const struct regularizer_parameters *p) {
    double l1_share = 1 - p->elastic;
    return (struct ball){.k = p->elastic / l1_share, .r = p->ball / l1_share};
}

double elastic_ball_value(const double *w, int64_t n, const struct regularizer_parameters *p) {
    return ball_value(w, n, elastic_ball(p));
}

double elastic_ball_conjugate(const double *s, int64_t n, double lambda,
                              const struct regularizer_parameters *p) {
    struct ball ball = elastic_ball(p);
    (void)lambda;
    return ball_support(s, n, ball.k, ball.r, NULL);
}

void elastic_ball_minimizer(const double *s, int64_t n, double lambda,
                            const struct regularizer_parameters *p, double *w) {
    (void)lambda;
    ball_minimizer(s, n, elastic_ball(p), w);
}

double elastic_ball_bound(const double *s, double t, int64_t n, double lambda,
                          const struct regularizer_parameters *p) {
    return fmax(0, t - elastic_ball_conjugate(s, n, lambda, p));
}
