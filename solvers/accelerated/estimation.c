/* estimation.c - accelerated gradient methods by estimation functions, with either memory. */
#include "solvers/accelerated/estimation.h"

#include "io/memory.h"
#include "math/long_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRIES = 64 };

/* Relative to f and the terms of its linearization: differences below this are rounding. */
static const double decrease_slack = 1e-15;
/* L is divided by this after each step until a step is refused for the first time. */
static const double first_decay = 4;
static const double max_L = 1e200;
/* The smallest L: relative to the proven bound, or absolute if there is none. */
static const double min_L_share = 1e-15, min_L = 1e-200;

/* ---- memory: eight points or slopes, five images */

static double *next_array(double **memory, int64_t n) {
    double *array = *memory;
    *memory += n;
    return array;
}

int estimation_init(struct estimation *estimation, const struct estimation_settings *settings,
                    struct smooth_part *f, struct prox *prox, struct error *e) {
    enum { VECTORS = 8, IMAGES = 5 };
    int64_t n = prox->dimension, images = f->images;
    *estimation = (struct estimation){.settings = *settings,
                                      .f = f,
                                      .prox = prox,
                                      .L = 1,
                                      .L_max = INFINITY,
                                      .max_passes = INFINITY};
    estimation->memory =
        memory_zeroed(VECTORS * n + IMAGES * images, sizeof(double), "the points", e);
    if (estimation->memory == NULL)
        return -1;
    double *memory = estimation->memory;
    double **vector[] = {&estimation->w,        &estimation->z,     &estimation->u,
                         &estimation->gradient, &estimation->model, &estimation->next_w,
                         &estimation->next_z,   &estimation->slope};
    double **image[] = {&estimation->Fw, &estimation->Fz, &estimation->Fu, &estimation->Fnext_w,
                        &estimation->Fnext_z};
    for (int i = 0; i < VECTORS; i++)
        *vector[i] = next_array(&memory, n);
    for (int i = 0; i < IMAGES; i++)
        *image[i] = next_array(&memory, images);
    return 0;
}

void estimation_free(struct estimation *estimation) {
    free(estimation->memory);
    *estimation = (struct estimation){0};
}

static void find_image(const struct estimation *e, const double *x, double *image) {
    if (e->f->images > 0)
        e->f->image(e->f, x, image);
}

static void copy(double *to, const double *from, int64_t n) {
    memcpy(to, from, sizeof *to * (size_t)n);
}

void estimation_start(struct estimation *e, const double *w0) {
    if (w0 != NULL)
        copy(e->w, w0, e->prox->dimension);
    find_image(e, e->w, e->Fw); /* also for the same w: its image has accumulated rounding */
    copy(e->z, e->w, e->prox->dimension);
    copy(e->Fz, e->Fw, e->f->images);
    e->inverse_A = INFINITY;
}

void estimation_visit(struct estimation *e, struct state *state) {
    int64_t n = e->prox->dimension, images = e->f->images;
    double *const vector[] = {e->w, e->z, e->model, e->gradient}, *const image[] = {e->Fw, e->Fz};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        state_doubles(state, vector[i], n);
    for (size_t i = 0; i < sizeof image / sizeof *image; i++)
        state_doubles(state, image[i], images);
    STATE_REALS(state, &e->L, &e->L_max, &e->L_last, &e->inverse_A, &e->eta, &e->value,
                &e->f->passes);
    e->refused = state_flag(state, e->refused);
    e->steps = state_integer(state, e->steps, 0, INT64_MAX);
    e->tries = state_integer(state, e->tries, 0, INT64_MAX);
}

/* ---- a step */

static double sigma(const struct estimation *e) {
    return e->settings.strong + e->prox->strong;
}

/* eta: the root of L eta^2 = (1 - eta) gamma, gamma = 1/A + sigma. */
static double find_eta(const struct estimation *e) {
    double gamma = e->inverse_A + sigma(e);
    return isinf(gamma) ? 1 : 2 * gamma / (gamma + sqrt(gamma) * sqrt(gamma + 4 * e->L));
}

/* (1 - eta) w + eta x, the point and its image */
static void mix(const struct estimation *e, const double *x, const double *Fx, double *out,
                double *Fout) {
    long_mix(out, e->w, x, e->eta, e->prox->dimension);
    long_mix(Fout, e->Fw, Fx, e->eta, e->f->images);
}

/* 1/A' */
static double next_inverse_A(const struct estimation *e) {
    return isinf(e->inverse_A) ? e->L : (1 - e->eta) * e->inverse_A;
}

/* slope = (1 - eta) from + eta (gradient - sigma_1 grad d(u)); FROM NULL: 0 */
static void add_linearization(const struct estimation *e, const double *from) {
    long_combine(e->slope, 1 - e->eta, from, e->eta, e->gradient, e->prox->dimension);
    if (e->settings.strong > 0)
        prox_add_mirror(e->prox, -e->eta * e->settings.strong, e->u, e->slope);
}

/* z' of infinite memory: the model's gradient sums all linearizations, after -L grad d(w_0). */
static void minimize_all(struct estimation *e) {
    bool first = isinf(e->inverse_A);
    add_linearization(e, first ? NULL : e->model);
    if (first)
        prox_add_mirror(e->prox, -e->L, e->w, e->slope);
    e->prox->minimize(e->prox, e->slope, next_inverse_A(e) + e->settings.strong, 1, e->next_z);
}

/* z' of one memory: D(., z) replaces the earlier linearizations. */
static void minimize_last(struct estimation *e) {
    double past_weight = isinf(e->inverse_A) ? e->L : (1 - e->eta) * (e->inverse_A + sigma(e));
    add_linearization(e, NULL);
    prox_add_mirror(e->prox, -past_weight, e->z, e->slope);
    e->prox->minimize(e->prox, e->slope, past_weight + e->eta * e->settings.strong, e->eta,
                      e->next_z);
}

/* Whether f(next_w) is below the quadratic upper bound with constant L, around x with value at_x and gradient
 * e->gradient. */
static bool has_decreased(const struct estimation *e, double at_x, const double *x, double L) {
    double line = at_x + prox_slope(e->prox, e->gradient, e->next_w, x);
    double square = prox_square(e->prox, e->next_w, x);
    double terms = fabs(at_x) + fabs(prox_dot(e->prox, e->gradient, x));
    return e->next_value <= line + L / 2 * square + decrease_slack * terms;
}

/* Tries a step with the present L, into next_w and next_z; returns whether it may be accepted. */
static bool try_step(struct estimation *e) {
    e->tries++;
    e->eta = find_eta(e);
    mix(e, e->z, e->Fz, e->u, e->Fu);
    double at_u = e->f->value(e->f, e->u, e->Fu, e->gradient);
    if (e->settings.one_memory)
        minimize_last(e);
    else
        minimize_all(e);
    find_image(e, e->next_z, e->Fnext_z);
    mix(e, e->next_z, e->Fnext_z, e->next_w, e->Fnext_w);
    e->next_value = e->f->value(e->f, e->next_w, e->Fnext_w, NULL);
    return e->settings.fixed || e->L >= e->L_max || has_decreased(e, at_u, e->u, e->L);
}

static void swap(double **x, double **y) {
    double *old = *x;
    *x = *y;
    *y = old;
}

/* Takes the step over, with its model. */
static void accept(struct estimation *e) {
    e->f->average(e->f, e->eta);
    e->inverse_A = next_inverse_A(e);
    e->value = e->next_value;
    swap(&e->w, &e->next_w);
    swap(&e->z, &e->next_z);
    swap(&e->Fw, &e->Fnext_w);
    swap(&e->Fz, &e->Fnext_z);
    if (!e->settings.one_memory)
        swap(&e->model, &e->slope);
    e->L_last = e->L;
    e->steps++;
}

static void lower_L(struct estimation *e) {
    double lowest = fmax(min_L, isfinite(e->L_max) ? min_L_share * e->L_max : 0);
    if (!e->settings.fixed)
        e->L = fmax(lowest, e->L / (e->refused || e->settings.decay <= 1 ? e->settings.decay
                                                                         : first_decay));
}

/* Evaluates f at w again, since f keeps results of its latest point. */
static void return_to_w(struct estimation *e) {
    e->value = e->f->value(e->f, e->w, e->Fw, NULL);
}

/* Whether limits or a signal end the tries. (A pass may take long.) */
static bool is_stopped(const struct estimation *e) {
    const struct monitor *monitor = e->settings.monitor;
    double try_passes = e->f->images > 0 ? 1 : 2; /* with the return to w */
    return e->f->passes + try_passes > e->max_passes ||
           (monitor != NULL && monitor_poll(monitor) != VERDICT_GO_ON);
}

bool estimation_step(struct estimation *e) {
    for (int tries = 1; !try_step(e); tries++) {
        e->refused = true;
        e->L = fmin(e->L * e->settings.growth, e->L_max);
        if (!(e->L < max_L) || tries == MAX_TRIES || is_stopped(e)) {
            return_to_w(e);
            return e->L < max_L && isfinite(e->value);
        }
    }
    accept(e);
    lower_L(e);
    return isfinite(e->value);
}

bool estimation_proximal(struct estimation *e, double L) {
    copy(e->slope, e->gradient, e->prox->dimension);
    prox_add_mirror(e->prox, -L, e->w, e->slope);
    e->prox->minimize(e->prox, e->slope, L, 1, e->next_w);
    find_image(e, e->next_w, e->Fnext_w);
    e->next_value = e->f->value(e->f, e->next_w, e->Fnext_w, NULL);
    return has_decreased(e, e->value, e->w, L);
}
