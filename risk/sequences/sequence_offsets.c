/* sequence_offsets.c - the best offsets of the labels of sequences, by BFGS; see sequence_offsets.h. */
#include "risk/sequences/sequence_offsets.h"

#include "io/memory.h"
#include "math/matrices/cholesky.h"
#include "math/rounding.h"
#include "math/vector.h"
#include "risk/label_shift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 1000, MAX_TRIALS = 15 };

static int64_t label_of(const struct items *items, int64_t row) {
    return (int64_t)items->target[row];
}

/* c_i over the sum of all */
static double weight_of(const struct items *items, int64_t i) {
    return (items->weight == NULL ? 1 : items->weight[i]) / items->weight_sum;
}

/* ---- memory */

/* The mean numbers of true labels and transitions. */
static void count_true(struct sequence_offsets *o) {
    const struct items *items = o->items;
    for (int64_t i = 0; i < items->count; i++)
        for (int64_t r = items_first(items, i); r < items_end(items, i); r++) {
            double c = weight_of(items, i);
            o->labels[label_of(items, r)] += c;
            if (r > items_first(items, i))
                o->edges[label_of(items, r - 1) * items->width + label_of(items, r)] += c;
        }
}

int sequence_offsets_init(struct sequence_offsets *o, const struct items *items, bool margin,
                          struct error *e) {
    int64_t size, K = items->width, shared = items->shared;
    *o = (struct sequence_offsets){.items = items, .margin = margin};
    if (__builtin_mul_overflow(items->data->rows, 2 * K, &size))
        return error_set(e, "rows times labels is too large");
    o->score = memory_zeroed(size, sizeof(double), "the scores of all labels", e);
    o->v = memory_zeroed(4 * shared + 3 * K * K + 6 * K + cholesky_work_size(K), sizeof(double),
                         "the offsets", e);
    if (o->score == NULL || o->v == NULL)
        return -1;
    o->derivative = o->score + size / 2;
    o->slope = o->v + shared;
    o->trial = o->slope + shared;
    o->trial_slope = o->trial + shared;
    o->curvature = o->trial_slope + shared;
    o->factor = o->curvature + K * K;
    o->edges = o->factor + K * K;
    o->labels = o->edges + K * K;
    o->diagonal = o->labels + K;
    o->step = o->diagonal + K;
    o->change = o->step + K;
    o->leave = o->change + K;
    o->enter = o->leave + K;
    o->work = o->enter + K;
    count_true(o);
    return 0;
}

void sequence_offsets_free(struct sequence_offsets *o) {
    free(o->score);
    free(o->v);
    o->score = o->v = NULL;
}

/* ---- the quasi-Newton method */

/* The part of an array over the shared weights that belongs to the offsets. */
static double *offsets_of(const struct sequence_offsets *o, double *shared) {
    return shared + o->items->shared - o->items->width;
}

static double absolute_sum(const double *a, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += fabs(a[k]);
    return sum;
}

/* Returns G (m3n: without its constant mu smoothing). Writes its derivatives to SLOPE and p - e_y to o->derivative. */
static double evaluate(struct sequence_offsets *o, const double *v, double mu, double *slope) {
    return items_evaluate_scores(o->items, o->score, v, mu, o->derivative, slope);
}

/* curvature += c (diag(p) - p p') of a row. */
static void add_row(struct sequence_offsets *o, int64_t row, double c) {
    int64_t K = o->items->width;
    const double *derivative = o->derivative + row * K;
    for (int64_t k = 0; k < K; k++)
        o->change[k] = derivative[k] + (k == label_of(o->items, row));
    for (int64_t k = 0; k < K; k++) {
        double *to = o->curvature + k * K;
        to[k] += c * o->change[k];
        for (int64_t l = 0; l < K; l++)
            to[l] -= c * o->change[k] * o->change[l];
    }
}

/* The initial Hessian: the covariance of labels, with rows as if independent, divided by mu. It adds a curvature in
 * the directions where G has none: a common offset of all labels, and labels of probability 0. */
static void reset_curvature(struct sequence_offsets *o, double mu) {
    static const double ridge = 1e-9, min_trace = 1e-300; /* ridge: relative to the trace */
    const struct items *items = o->items;
    int64_t K = items->width;
    double trace = min_trace;
    memset(o->curvature, 0, sizeof *o->curvature * (size_t)(K * K));
    for (int64_t i = 0; i < items->count; i++) {
        double c = weight_of(items, i) / mu;
        for (int64_t r = items_first(items, i); r < items_end(items, i) && c > 0; r++)
            add_row(o, r, c);
    }
    for (int64_t k = 0; k < K; k++)
        trace += o->curvature[k * K + k];
    for (int64_t k = 0; k < K * K; k++)
        o->curvature[k] += trace / (double)(K * K);
    for (int64_t k = 0; k < K; k++)
        o->curvature[k * K + k] += ridge * trace / (double)K;
}

/* step = -curvature^-1 slope, scaled so that no entry exceeds MAX_STEP. False if the factorization failed. */
static bool find_step(struct sequence_offsets *o, double max_step) {
    int64_t K = o->items->width;
    const double *slope = offsets_of(o, o->slope);
    double largest = 0;
    memcpy(o->factor, o->curvature, sizeof *o->factor * (size_t)(K * K));
    if (cholesky_factor(o->factor, o->diagonal, K, o->work, NULL) != 0)
        return false;
    for (int64_t k = 0; k < K; k++)
        o->step[k] = -slope[k];
    cholesky_solve(o->factor, o->diagonal, o->step, o->work, K);
    for (int64_t k = 0; k < K; k++)
        largest = fmax(largest, fabs(o->step[k]));
    if (!isfinite(largest))
        return false;
    if (largest > max_step)
        vector_scale(o->step, max_step / largest, K);
    return true;
}

/* The BFGS update, by the step to the trial point and the change of the derivatives. */
static void update_curvature(struct sequence_offsets *o) {
    static const double relative_min = 1e-12;
    int64_t K = o->items->width;
    const double *from = offsets_of(o, o->v), *to = offsets_of(o, o->trial);
    const double *slope = offsets_of(o, o->slope), *next = offsets_of(o, o->trial_slope);
    double *product = o->diagonal, known = 0, found = 0, length = 0, change = 0;
    for (int64_t k = 0; k < K; k++) {
        o->step[k] = to[k] - from[k];
        o->change[k] = next[k] - slope[k];
    }
    for (int64_t k = 0; k < K; k++) {
        product[k] = vector_dot(o->curvature + k * K, o->step, K);
        known += product[k] * o->step[k];
        found += o->change[k] * o->step[k];
        length += o->step[k] * o->step[k];
        change += o->change[k] * o->change[k];
    }
    if (!(known > 0) || !(found > relative_min * sqrt(length * change)))
        return;
    for (int64_t k = 0; k < K; k++)
        for (int64_t l = 0; l < K; l++)
            o->curvature[k * K + l] +=
                o->change[k] * o->change[l] / found - product[k] * product[l] / known;
}

/* The trial point becomes the current point. */
static void accept_trial(struct sequence_offsets *o) {
    size_t bytes = sizeof *o->v * (size_t)o->items->shared;
    update_curvature(o);
    memcpy(o->v, o->trial, bytes);
    memcpy(o->slope, o->trial_slope, bytes);
}

/* The line search: moves b along the step to a point of sufficient decrease of G. If the decrease is within
 * rounding, the slope along the step must shrink instead (Hager & Zhang 2005, the approximate Wolfe conditions).
 * False if no trial does. *G is G at b, before and after. */
static bool line_search(struct sequence_offsets *o, double mu, double *G) {
    static const double sufficient_decrease = 1e-4, slope_reduction = 0.9, min_cut = 0.1,
                        max_cut = 0.5;
    int64_t K = o->items->width;
    const double *b = offsets_of(o, o->v), *next = offsets_of(o, o->trial_slope);
    double *trial = offsets_of(o, o->trial), length = 1,
           rounding_error = rounding_of_sums * (1 + fabs(*G));
    double slope = vector_dot(offsets_of(o, o->slope), o->step, K);
    for (int i = 0; i < MAX_TRIALS && slope < 0 && !risk_stopped(&o->items->risk); i++) {
        for (int64_t k = 0; k < K; k++)
            trial[k] = b[k] + length * o->step[k];
        double value = evaluate(o, o->trial, mu, o->trial_slope), decrease = *G - value;
        double trial_slope = vector_dot(next, o->step, K);
        if ((decrease > rounding_error && decrease >= -sufficient_decrease * length * slope) ||
            (decrease >= -rounding_error && fabs(trial_slope) <= -slope_reduction * slope)) {
            accept_trial(o);
            *G = value;
            return true;
        }
        /* to the zero of the slope by linear interpolation */
        length *=
            isfinite(trial_slope) ? clip(slope / (slope - trial_slope), min_cut, max_cut) : max_cut;
    }
    return false;
}

/* Minimizes G at mu up to a sum of |derivatives| of TOLERANCE, with steps of entries up to MOST. Returns G;
 * o->slope and o->derivative are those at b. */
static double minimize(struct sequence_offsets *o, double mu, double tolerance, double max_step) {
    int64_t K = o->items->width;
    const double *slope = offsets_of(o, o->slope);
    double G = evaluate(o, o->v, mu, o->slope);
    bool is_reset = o->mu == 0;
    if (is_reset)
        reset_curvature(o, mu);
    for (int i = 0; i < MAX_STEPS && absolute_sum(slope, K) > tolerance; i++) {
        if (find_step(o, max_step) && line_search(o, mu, &G)) {
            is_reset = false;
            continue;
        }
        G = evaluate(o, o->v, mu, o->slope);
        if (is_reset)
            break;
        reset_curvature(o, mu);
        is_reset = true;
    }
    o->mu = mu;
    return G;
}

/* ---- the linearization */

/* For item i before the correction: -<p - e_y, u>, for m3n plus the expected number of wrong rows. */
static double item_product(const struct items *items, int64_t i, void *opaque) {
    const struct sequence_offsets *o = opaque;
    int64_t K = items->width;
    double sum = 0;
    for (int64_t r = items_first(items, i); r < items_end(items, i); r++) {
        const double *derivative = o->derivative + r * K;
        sum -= vector_dot(derivative, o->score + r * K, K);
        sum += o->margin ? derivative[label_of(items, r)] : 0;
    }
    return sum;
}

static double entropy(const double *p, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum -= p[k] > 0 ? p[k] * log(p[k]) : 0;
    return sum;
}

/* Corrects the probabilities of item i's rows. Returns its part of the constant: for m3n the expected number of wrong
 * rows, for crf the increase of the rows' entropies. */
static double shift_item(const struct items *items, int64_t i, void *opaque) {
    const struct sequence_offsets *o = opaque;
    int64_t K = items->width;
    double sum = 0;
    for (int64_t r = items_first(items, i); r < items_end(items, i); r++) {
        double *p = o->derivative + r * K, *true_p = p + label_of(items, r);
        *true_p += 1;
        sum -= o->margin ? 0 : entropy(p, K);
        label_shift_row(o->leave, o->enter, K, p);
        sum += o->margin ? 0 : entropy(p, K);
        *true_p -= 1;
        sum -= o->margin ? *true_p : 0;
    }
    return sum;
}

/* The derivatives by the transitions after the correction. */
static void shift_edges(struct sequence_offsets *o, double *slope) {
    int64_t K = o->items->width;
    for (int64_t k = 0; k < K * K; k++)
        slope[k] = o->slope[k] + o->edges[k];
    label_shift_edges(o->leave, o->enter, K, slope);
    for (int64_t k = 0; k < K * K; k++)
        slope[k] -= o->edges[k];
}

/* The gradient and the constant of the linearization at the last b, where the (smoothed) risk is G. */
static void linearize(struct sequence_offsets *o, double G, double *gradient, double *constant) {
    const struct items *items = o->items;
    int64_t K = items->width;
    label_shift_find(offsets_of(o, o->slope), o->labels, K, o->leave, o->enter);
    *constant = o->margin ? 0
                          : G - vector_dot(o->slope, o->v, items->shared) +
                                items_mean(items, item_product, o);
    *constant += items_mean(items, shift_item, o);
    items_combine(items, o->derivative, gradient);
    shift_edges(o, gradient + items->risk.dimension - items->shared);
}

/* For m3n: G minus the linearization at the last b, an upper bound of its distance from the risk, as R <= G. */
static double find_error(struct sequence_offsets *o, double G) {
    return G - vector_dot(o->slope, o->v, o->items->shared) + items_mean(o->items, item_product, o);
}

/* The factor for mu that brings the error, which is about proportional to mu^2, to 0.64 SLACK. */
static double mu_factor(double error, double slack, double smallest, double largest) {
    static const double safety = 0.8; /* squared: 0.64 */
    return clip(safety * sqrt(slack / fmax(error, DBL_MIN)), smallest, largest);
}

/* Whether the derivatives at b are within the tolerance. */
static bool is_stationary(const struct sequence_offsets *o, double tolerance) {
    return absolute_sum(offsets_of(o, o->slope), o->items->width) <= tolerance;
}

/* The first search of a call for m3n: at a mu near that of the last call. If that does not converge, as b is too far
 * from the minimizer for so small a mu, at larger mu. */
static double minimize_first_mu(struct sequence_offsets *o, double tolerance, double max_step,
                                double slack, double min_mu) {
    static const double max_mu_scale = 0.25, min_change = 0.125, max_change = 4, mu_growth = 16;
    double max_mu = fmax(max_mu_scale * (1 + max_step), min_mu), mu = max_mu;
    if (o->mu > 0)
        mu = fmax(min_mu, fmin(max_mu, o->mu * mu_factor(o->error, slack, min_change, max_change)));
    double G = minimize(o, mu, tolerance, 1 + max_step);
    while (!is_stationary(o, tolerance) && mu < max_mu && !risk_stopped(&o->items->risk)) {
        mu = fmin(max_mu, mu_growth * mu);
        o->mu = 0;
        G = minimize(o, mu, tolerance, 1 + max_step);
    }
    return G;
}

/* Decreases mu until the smoothed risk of m3n is less than SLACK above the linearization of the risk itself. */
static double minimize_margin(struct sequence_offsets *o, double tolerance, double max_step,
                              double slack) {
    static const double min_change = 0.25, max_change = 0.8;
    double entropy = o->items->risk.smoothing, min_mu = slack / entropy;
    double G = minimize_first_mu(o, tolerance, max_step, slack, min_mu);
    for (;;) {
        G += o->mu * entropy;
        o->error = find_error(o, G);
        if (!(o->mu > min_mu && o->error > slack))
            return G;
        double mu = fmax(o->mu * mu_factor(o->error, slack, min_change, max_change), min_mu);
        vector_scale(o->curvature, o->mu / mu, o->items->width * o->items->width);
        G = minimize(o, mu, tolerance, 1 + max_step);
    }
}

void sequence_offsets_visit(struct sequence_offsets *o, struct state *state) {
    int64_t K = o->items->width;
    STATE_REALS(state, &o->mu, &o->error);
    state_doubles(state, o->v, o->items->shared);
    state_doubles(state, o->curvature, K * K);
}

double sequence_offsets_profile(struct sequence_offsets *o, double *w, bool again, double slack,
                                double *gradient, double *constant) {
    static const double slack_share = 0.1, min_tolerance = 1e-13;
    const struct items *items = o->items;
    int64_t K = items->width;
    double *v = w + items->risk.dimension - items->shared;
    o->mu = again ? o->mu : 0;
    items_scores(items, w, o->score);
    memcpy(o->v, v, sizeof *v * (size_t)(again ? K * K : items->shared));
    memcpy(o->trial, o->v, sizeof *v * (size_t)items->shared);
    /* the largest step, and the scale of the tolerance */
    double max_step =
        vector_largest(o->score, items->data->rows * K) + vector_largest(o->v, items->shared);
    double tolerance = fmax(min_tolerance, slack_share * slack / (1 + max_step));
    double value = o->margin ? minimize_margin(o, tolerance, max_step, slack / 2)
                             : minimize(o, 1, tolerance, 1 + max_step);
    linearize(o, value, gradient, constant);
    memcpy(v, o->v, sizeof *v * (size_t)items->shared);
    return o->margin ? items_evaluate_scores(items, o->score, o->v, 0, NULL, NULL) : value;
}
