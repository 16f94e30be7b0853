/* estimation.h - accelerated gradient methods by estimation functions.
 *
 *     minimize over x in Q:  J(x) = f(x) + Psi(x)
 *
 * f smooth with constant L, sigma_1-strongly convex with respect to the prox-function d; Psi simple,
 * sigma_2-strongly convex. psi is a model of J, of which z is the minimizer; with sigma = sigma_1 +
 * sigma_2, A = 0 and gamma = infinity before the first step, a step is
 *
 *     eta    the root of L eta^2 = (1 - eta) gamma;  eta = 1 first
 *     u      = (1 - eta) w + eta z
 *     z'     = argmin of the model with f's linearization at u, of weight eta:
 *       infinite memory   (1/A') psi',  psi' = psi + a (f(u) + <grad f(u), . - u> + sigma_1 D(., u) + Psi)
 *       one memory        (1 - eta) gamma D(., z) + eta (<grad f(u), .> + sigma_1 D(., u) + Psi)
 *     w'     = (1 - eta) w + eta z'
 *     accept if f(w') <= f(u) + <grad f(u), w' - u> + L/2 ||w' - u||^2; else L grows, and again
 *     gamma' = (1 - eta) gamma + eta sigma  (first: L + sigma)
 *
 * Both memories have the same eta: with a = A eta/(1 - eta) and 1/A' = (1 - eta)/A the root above is
 * that of L a^2 = (1 + sigma A)(A + a), and gamma = 1/A + sigma throughout. The model is kept divided
 * by A, so that nothing grows without end. A J(w) <= min psi is kept, hence J(w) - J* <= D(w*, w_0)/A.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, Algorithms 1 to 4. A try: one image, one gradient. */
#ifndef RRM_ESTIMATION_H
#define RRM_ESTIMATION_H

#include "solvers/accelerated/prox.h"
#include "solvers/accelerated/smooth_part.h"

#include <stdbool.h>

struct estimation_settings {
    bool one_memory;               /* agm1; otherwise agm */
    bool fixed;                    /* L is never changed */
    double strong;                 /* sigma_1 */
    double growth;                 /* of L when a step is not accepted, > 1 */
    double decay;                  /* L is divided by it before the next step, >= 1 */
    const struct monitor *monitor; /* ends the tries of a step; NULL: nothing does */
};

struct estimation {
    struct estimation_settings settings;
    struct smooth_part *f;
    struct prox *prox;
    double L;         /* of the next try; the caller sets it before the first step */
    double L_max;     /* a proven bound of L, where a step needs no test; infinite: none is known */
    double L_last;    /* L of the latest step */
    bool refused;     /* a try was refused: L is about right, and no longer falls fast */
    double inverse_A; /* 1/A; infinite before the first step */
    double eta;       /* of the latest step: its weight in the model */
    double value;     /* f(w) */
    double next_value;
    double
        passes_most; /* no further try of a step begins that would go beyond; infinite at first */
    int64_t steps, tries;
    double *w, *z;    /* the caller may read these and u, the point of the latest linearization */
    double *u;        /* (not after a refusal) */
    double *gradient; /* of f at u */
    double *model;    /* infinite memory: the slope of psi/A, without Psi */
    double *next_w, *next_z;
    double *slope;                            /* of a proximal problem */
    double *Fw, *Fz, *Fu, *Fnext_w, *Fnext_z; /* images */
    double *all;                              /* what all of these lie in */
};

/* 0, or -1 with the error set; to be freed in either case. */
int estimation_init(struct estimation *estimation, const struct estimation_settings *settings,
                    struct smooth_part *f, struct prox *prox, struct error *e);
void estimation_free(struct estimation *estimation);

/* A = 0 and w = z = w_0, which is in Q; NULL: w_0 = w. Its image is found. */
void estimation_start(struct estimation *estimation, const double *w0);

/* One step, or as many tries of one as a caller would wait for, and as passes_most allows: the next call
 * goes on where this one ended. False when L grew beyond all bounds, by rounding or since f is not finite. */
bool estimation_step(struct estimation *estimation);

/* Between steps: the proximal gradient step from w,
 *
 *     p = argmin over x in Q of  <grad f(w), x> + L D(x, w) + Psi(x),
 *
 * in next_w, its image in Fnext_w, f(p) in next_value. The caller puts grad f(w) in `gradient` first, and
 * `value` is f(w). Whether f(p) <= f(w) + <grad f(w), p - w> + L/2 ||p - w||^2. No other thing changes but
 * room (slope). */
bool estimation_proximal(struct estimation *estimation, double L);

#endif
