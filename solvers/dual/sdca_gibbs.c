/* sdca_gibbs.c - dual variables of smooth losses: d_i is the derivative of l_i at parameters theta_i.
 *
 * For a conditional random field d_i + phi(y_i) are the marginals of the Gibbs distribution of theta_i, and t_i is its
 * entropy. A step moves theta towards the local scores u, theta' = theta + eta (u - theta): an exponentiated gradient
 * step. With D = d' - d the dual of the item, which is concave, grows by
 *
 *     t' - t + <u, D> - S/2 ||A'D||^2,       and its slope at d' along D is  <u - theta', D> - S ||A'D||^2.
 *
 * The step is taken if it gains visibly, or if the slope at its end is not negative: differences of values drown in
 * rounding. eta grows when the first try is accepted, and shrinks otherwise.
 *
 * Reference: Collins, Globerson, Koo, Carreras & Bartlett 2008, JMLR 9. */
#include "solvers/dual/sdca.h"

#include "io/memory.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TRIES = 8, FORCED_TRY = 2 };

static const double first_eta = 0.5, least_eta = 1e-4, eta_growth = 1.5, eta_fall = 0.4;
static const double true_score = 8; /* of the true outputs in the first theta */
static const double visible_gain = 1e-3, least_slope = -1e-7;

struct gibbs {
    int64_t *start;  /* items + 1: of each item's vectors */
    float *theta;    /* of all items */
    double *d;       /* of all items; the derivative before theta was rounded */
    double *t, *eta; /* items */
    bool *moved;     /* items: a step was taken */
    double *trial_theta, *trial_d, *change, *shift; /* local vectors */
};

static int64_t all_sizes(const struct sdca *s, int64_t *start) {
    int64_t sum = 0, items = s->problem->risk->items;
    for (int64_t i = 0; i < items; i++) {
        if (start != NULL)
            start[i] = sum;
        sum += items_local_size(&s->local, i);
    }
    if (start != NULL)
        start[items] = sum;
    return sum;
}

static double bytes(const struct sdca *s) {
    return (sizeof(float) + sizeof(double)) * (double)all_sizes(s, NULL);
}

static void free_gibbs(struct sdca *s) {
    struct gibbs *g = s->duals;
    if (g == NULL)
        return;
    free(g->start);
    free(g->theta);
    free(g->d);
    free(g->t);
    free(g->eta);
    free(g->moved);
    free(g->trial_theta);
    free(g);
    s->duals = NULL;
}

/* theta_i is where a step begins, so it may be rounded: d_i, t_i and w are exact. */
static void keep_theta(struct gibbs *g, int64_t i, const double *theta, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        g->theta[g->start[i] + k] = (float)theta[k];
}

/* theta prefers the true outputs: against the derivative of the loss at 0, by the rows' scores alone. */
static void start_item(struct sdca *s, int64_t i) {
    struct gibbs *g = s->duals;
    int64_t n = items_local_size(&s->local, i), scores = n - s->local.items->shared;
    float *theta = g->theta + g->start[i];
    g->eta[i] = first_eta;
    memset(s->u, 0, sizeof *s->u * (size_t)n);
    items_local_value(&s->local, i, s->u, s->d, 0);
    for (int64_t k = 0; k < n; k++)
        theta[k] = k < scores ? (float)(-true_score * s->d[k]) : 0;
}

static int init(struct sdca *s, struct error *e) {
    const char *what = "the dual variables";
    int64_t items = s->problem->risk->items, n = s->local.max_size;
    struct gibbs *g = s->duals = memory_zeroed(1, sizeof *g, what, e);
    if (g == NULL)
        return -1;
    g->start = memory_new(items + 1, sizeof *g->start, what, e);
    if (g->start == NULL)
        return -1;
    int64_t size = all_sizes(s, g->start);
    g->theta = memory_new(size, sizeof *g->theta, what, e);
    g->d = memory_zeroed(size, sizeof *g->d, what, e);
    g->t = memory_zeroed(items, sizeof *g->t, what, e);
    g->eta = memory_new(items, sizeof *g->eta, what, e);
    g->moved = memory_zeroed(items, sizeof *g->moved, what, e);
    g->trial_theta = memory_new(4 * n, sizeof *g->trial_theta, what, e);
    if (g->theta == NULL || g->d == NULL || g->t == NULL || g->eta == NULL || g->moved == NULL ||
        g->trial_theta == NULL)
        return -1;
    g->trial_d = g->trial_theta + n;
    g->change = g->trial_d + n;
    g->shift = g->change + n;
    memset(s->u, 0, sizeof *s->u * (size_t)n);
    for (int64_t i = 0; i < items; i++) {
        if (i == 0)
            items_local_prepare(&s->local, 0, s->u);
        start_item(s, i);
    }
    return 0;
}

/* ---- a visit */

struct trial {
    double t, gain, slope;
};

/* The step with eta from theta_i towards u. */
static struct trial try_step(struct sdca *s, int64_t i, double eta) {
    struct gibbs *g = s->duals;
    int64_t n = items_local_size(&s->local, i);
    const float *theta = g->theta + g->start[i];
    const double *d = g->d + g->start[i];
    for (int64_t k = 0; k < n; k++)
        g->trial_theta[k] = theta[k] + eta * (s->u[k] - theta[k]);
    items_local_prepare(&s->local, i, g->trial_theta);
    double value = items_local_value(&s->local, i, g->trial_theta, g->trial_d, 0);
    struct trial trial = {.t = value - vector_dot(g->trial_theta, g->trial_d, n)};
    for (int64_t k = 0; k < n; k++)
        g->change[k] = g->trial_d[k] - d[k];
    memset(g->shift, 0, sizeof *g->shift * (size_t)n);
    items_local_couple(&s->local, i, sdca_step(s, i), g->change, g->shift);
    double along = vector_dot(s->u, g->change, n), square = vector_dot(g->shift, g->change, n);
    trial.gain = trial.t - g->t[i] + along - square / 2;
    trial.slope = along - square - vector_dot(g->trial_theta, g->change, n);
    return trial;
}

static void accept(struct sdca *s, int64_t i, const struct trial *trial) {
    struct gibbs *g = s->duals;
    int64_t n = items_local_size(&s->local, i);
    keep_theta(g, i, g->trial_theta, n);
    memcpy(g->d + g->start[i], g->trial_d, sizeof *g->d * (size_t)n);
    g->t[i] = trial->t;
    g->moved[i] = true;
    for (int64_t k = 0; k < n; k++) {
        s->u[k] -= g->shift[k];
        s->d[k] += g->change[k];
    }
}

/* A step for item i; s->d collects the changes. False: none was taken. */
static bool step(struct sdca *s, int64_t i) {
    struct gibbs *g = s->duals;
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        const struct trial trial = try_step(s, i, g->eta[i]);
        bool forced = !g->moved[i] && tries >= FORCED_TRY; /* else some items never start */
        if (trial.gain >= visible_gain || trial.slope >= least_slope || forced) {
            accept(s, i, &trial);
            if (tries == 0)
                g->eta[i] = fmin(1, eta_growth * g->eta[i]);
            return true;
        }
        g->eta[i] = fmax(least_eta, eta_fall * g->eta[i]);
    }
    return false;
}

static int visit(struct sdca *s, int64_t i, struct error *e) {
    (void)e;
    int64_t n = items_local_size(&s->local, i);
    bool moved = false;
    items_local_scores(&s->local, i, s->w, s->u);
    memset(s->d, 0, sizeof *s->d * (size_t)n);
    for (int64_t r = 0; r < s->rounds && step(s, i); r++)
        moved = true;
    if (moved)
        items_local_add(&s->local, i, -sdca_step(s, i), s->d, s->w);
    return 0;
}

/* ---- what is known of the duals */

static double linear(const struct sdca *s, int64_t i, const double *u, double *t) {
    const struct gibbs *g = s->duals;
    *t = g->t[i];
    return vector_dot(g->d + g->start[i], u, items_local_size(&s->local, i));
}

static void derivative(const struct sdca *s, int64_t i, double *d) {
    const struct gibbs *g = s->duals;
    memcpy(d, g->d + g->start[i], sizeof *d * (size_t)items_local_size(&s->local, i));
}

static int set(struct sdca *s, int64_t i, const double *u, const double *d, double value,
               struct error *e) {
    struct gibbs *g = s->duals;
    int64_t n = items_local_size(&s->local, i);
    (void)e;
    keep_theta(g, i, u, n);
    memcpy(g->d + g->start[i], d, sizeof *d * (size_t)n);
    g->t[i] = value - vector_dot(u, d, n);
    g->moved[i] = true;
    return 0;
}

static void list(struct sdca *s, struct state *state) {
    struct gibbs *g = s->duals;
    int64_t items = s->problem->risk->items, size = g->start[items];
    state_bytes(state, g->theta, size * (int64_t)sizeof *g->theta);
    state_doubles(state, g->d, size);
    state_doubles(state, g->t, items);
    state_doubles(state, g->eta, items);
    for (int64_t i = 0; i < items; i++)
        g->moved[i] = state_flag(state, g->moved[i]);
}

const struct sdca_form sdca_gibbs = {bytes, init,   free_gibbs, visit, NULL,
                                     NULL,  linear, derivative, list,  set};
