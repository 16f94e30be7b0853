/* estimation.h - accelerated gradient methods by estimation functions.
 *
 *     minimize over x in Q:  J(x) = f(x) + Psi(x)
 *
 * f has a Lipschitz gradient with constant L and is sigma_1-strongly convex with respect to the prox-function
 * d; Psi is simple and sigma_2-strongly convex. The estimation function psi is a model of J with minimizer z.
 * With sigma = sigma_1 + sigma_2, A = 0 and gamma = infinity before the first step, a step is
 *
 *     eta    the root of L eta^2 = (1 - eta) gamma;  eta = 1 at the first step
 *     u      = (1 - eta) w + eta z
 *     z'     = argmin of the model, which gets f's linearization at u with weight eta:
 *       infinite memory   (1/A') psi',  psi' = psi + a (f(u) + <grad f(u), . - u> + sigma_1 D(., u) + Psi)
 *       one memory        (1 - eta) gamma D(., z) + eta (<grad f(u), .> + sigma_1 D(., u) + Psi)
 *     w'     = (1 - eta) w + eta z'
 *     accept if f(w') <= f(u) + <grad f(u), w' - u> + L/2 ||w' - u||^2; else raise L and try again
 *     gamma' = (1 - eta) gamma + eta sigma  (first step: L + sigma)
 *
 * Both memories have the same eta: with a = A eta/(1 - eta) and 1/A' = (1 - eta)/A the equation for eta is
 * L a^2 = (1 + sigma A)(A + a), and gamma = 1/A + sigma throughout. The model is stored divided by A, so that
 * it stays bounded. The invariant A J(w) <= min psi implies J(w) - J* <= D(w*, w_0)/A.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, Algorithms 1 to 4. A try costs one image and one gradient. */
#ifndef RRM_ESTIMATION_H
#define RRM_ESTIMATION_H

#include "solvers/accelerated/prox.h"
#include "solvers/accelerated/smooth_part.h"

#include <stdbool.h>

struct estimation_settings {
    bool one_memory;               /* agm1; otherwise agm */
    bool fixed;                    /* L is never changed */
    double strong;                 /* sigma_1 */
    double growth;                 /* factor of L when a step is refused, > 1 */
    double decay;                  /* L is divided by this after each step, >= 1 */
    const struct monitor *monitor; /* may end the tries of a step; NULL: nothing does */
};

struct estimation {
    struct estimation_settings settings;
    struct smooth_part *f;
    struct prox *prox;
    double L;      /* L of the next try; the caller sets it before the first step */
    double L_max;  /* a proven bound of L, at which steps are not tested; infinite: none is known */
    double L_last; /* L of the latest step */
    bool refused;  /* a try was refused, so L is about right and falls slowly from now on */
    double inverse_A; /* 1/A; infinite before the first step */
    double eta;       /* the weight of the latest linearization in the model */
    double value;     /* f(w) */
    double next_value;
    double max_passes; /* no try begins that would exceed it; infinite at first */
    int64_t steps, tries;
    double *w, *z;    /* the caller may read these, and u, the point of the latest linearization */
    double *u;        /* invalid after a refused try */
    double *gradient; /* of f at u */
    double *model;    /* infinite memory: the gradient of psi/A, without Psi */
    double *next_w, *next_z;
    double *slope;                            /* linear term of a proximal problem */
    double *Fw, *Fz, *Fu, *Fnext_w, *Fnext_z; /* images */
    double *memory;                           /* holds all of these */
};

/* 0, or -1 with the error set; to be freed in either case. */
int estimation_init(struct estimation *estimation, const struct estimation_settings *settings,
                    struct smooth_part *f, struct prox *prox, struct error *e);
void estimation_free(struct estimation *estimation);

/* Lists what is carried from step to step. */
void estimation_visit(struct estimation *estimation, struct state *state);

/* Restarts with A = 0 and w = z = w_0, a point of Q; NULL: w_0 = w. Computes its image. */
void estimation_start(struct estimation *estimation, const double *w0);

/* Makes one step. If L must be raised too often, or max_passes is near, it returns early; the next call
 * resumes the same step. False if L exceeds all bounds, by rounding or since f is not finite. */
bool estimation_step(struct estimation *estimation);

/* Between steps: the proximal gradient step from w,
 *
 *     p = argmin over x in Q of  <grad f(w), x> + L D(x, w) + Psi(x),
 *
 * into next_w, its image into Fnext_w, f(p) into next_value. The caller puts grad f(w) into `gradient` first,
 * and `value` is f(w). Returns whether f(p) <= f(w) + <grad f(w), p - w> + L/2 ||p - w||^2. Nothing else
 * changes but the scratch vector `slope`. */
bool estimation_proximal(struct estimation *estimation, double L);

#endif
