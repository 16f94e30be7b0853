/* excessive_gap.c - the form excessive-gap: a primal point w and a dual point a with
 *
 *     J_mu(w) <= D(a)
 *
 * while mu falls to 0, so that J(w) - D(a) <= J(w) - J_mu(w) <= mu/2 max a^2. In the terms of the dual problem
 * (dual_form.h), with sigma = 1/curvature, a step is
 *
 *     tau   the root of L tau^2 = (1 - tau) (mu + sigma);  first mu = L and tau = 1, from a = 0
 *     a-    = argmax over the domain of the expression whose maximum is J_mu(w)
 *     a^    = (1 - tau) a + tau a-
 *     w'    = (1 - tau) w + tau w(a^)
 *     a~    = argmin (1 - tau) (mu + sigma) D(., a-) + tau (<grad f(a^), .> + Psi)
 *     a'    = (1 - tau) a + tau a~,   mu' = (1 - tau) mu
 *
 * which is the step of one memory (estimation.h) with 1/A = mu, from z = a- instead of the latest z.
 *
 * The step keeps the inequality: J_mu'(w') is at most the maximum over x of
 * (1 - tau) (D(a) - (mu + sigma) D(x, a-)) + tau phi(w(a^), x), with phi the saddle function. If D(a) and phi
 * are replaced by the linearization of f at a^, this is
 * -f(a^) - <grad f(a^), a' - a^> - Psi(a') - L/2 ||a' - a^||^2 at x = a~, which is at most D(a') if L is a
 * Lipschitz constant of grad f between a^ and a'. The adaptive L tests just that.
 *
 * Reference: Nesterov 2005, Excessive gap technique in nonsmooth convex minimization, section 6 (its steps
 * 2/(k + 3) belong to mu_k = 4 L/((k + 1)(k + 2)), from 2 L on; the root needs L alone); Zhang, Saha &
 * Vishwanathan 2010, section 5.2. */
#include "solvers/accelerated/dual_form.h"

/* mu of the present pair of points. */
static double smoothing(const struct dual_form *d) {
    return d->estimation.inverse_A;
}

/* z = a-, the dual variables of the present w with mu, and its image. */
static void set_dual(struct dual_form *d) {
    struct estimation *e = &d->estimation;
    d->box.prox.minimize(&d->box.prox, d->dual.mean_gradient, smoothing(d), 1, e->z);
    d->dual.part.image(&d->dual.part, e->z, e->Fz);
}

static bool step(struct form *form) {
    struct dual_form *d = dual_form_of(form);
    if (d->estimation.steps > 0)
        set_dual(d);
    d->estimation.max_passes = form->max_passes;
    bool stepped = estimation_step(&d->estimation);
    form->passes = d->dual.part.passes;
    return stepped;
}

/* The smoothed problem has no gap left: `smooth` is not above 0. */
static struct form_gap certify(struct form *form, struct batch *batch) {
    struct dual_form *d = dual_form_of(form);
    struct dual_values values =
        dual_part_certify(&d->dual, smoothing(d), d->estimation.w, d->estimation.Fw, batch);
    form->passes = d->dual.part.passes;
    return (struct form_gap){.objective = values.objective,
                             .smooth = values.smooth_objective - values.bound,
                             .smoothing = values.objective - values.smooth_objective};
}

struct form *excessive_gap_form_new(const struct form_request *request, struct error *e) {
    struct dual_form *d = dual_form_begin(request, true, 0, e);
    if (d == NULL)
        return NULL;
    d->form.step = step;
    d->form.certify = certify;
    d->form.step_passes = 1.5;
    return &d->form;
}
