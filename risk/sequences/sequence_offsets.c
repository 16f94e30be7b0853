/* sequence_offsets.c - the best offsets of labels of sequences, by a quasi-Newton method. */
#include "risk/sequences/sequence_offsets.h"

#include "io/memory.h"
#include "math/cholesky.h"
#include "math/vector.h"
#include "risk/label_shift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, HALVINGS = 15 };

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
    o->give = o->change + K;
    o->take = o->give + K;
    o->work = o->take + K;
    count_true(o);
    return 0;
}

void sequence_offsets_free(struct sequence_offsets *o) {
    free(o->score);
    free(o->v);
    o->score = o->v = NULL;
}

/* ---- the quasi-Newton method */

/* The offsets among the shared weights, or what belongs to them. */
static double *offsets_of(const struct sequence_offsets *o, double *shared) {
    return shared + o->items->shared - o->items->width;
}

static double absolute_sum(const double *a, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += fabs(a[k]);
    return sum;
}

/* G, but for m3n's constant, its slopes, and p - e_y. */
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

/* The covariance of labels, as if rows were independent, over mu; and a curvature where G has none, along an
 * offset for all labels together, or of a label that never has a probability. */
static void begin_curvature(struct sequence_offsets *o, double mu) {
    static const double part = 1e-9, least = 1e-300;
    const struct items *items = o->items;
    int64_t K = items->width;
    double trace = least;
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
        o->curvature[k * K + k] += part * trace / (double)K;
}

/* step = -curvature^-1 slope, no number of it above MOST; false when there is none. */
static bool find_step(struct sequence_offsets *o, double most) {
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
    if (largest > most)
        vector_scale(o->step, most / largest, K);
    return true;
}

/* Broyden, Fletcher, Goldfarb and Shanno's, by the step to the trial and the change of the slopes. */
static void update_curvature(struct sequence_offsets *o) {
    static const double nothing = 1e-12;
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
    if (!(known > 0) || !(found > nothing * sqrt(length * change)))
        return;
    for (int64_t k = 0; k < K; k++)
        for (int64_t l = 0; l < K; l++)
            o->curvature[k * K + l] +=
                o->change[k] * o->change[l] / found - product[k] * product[l] / known;
}

/* The trial becomes the point. */
static void take_trial(struct sequence_offsets *o) {
    size_t bytes = sizeof *o->v * (size_t)o->items->shared;
    update_curvature(o);
    memcpy(o->v, o->trial, bytes);
    memcpy(o->slope, o->trial_slope, bytes);
}

/* b moves along the step where G falls enough, or, where rounding hides that, its slope along the step shrinks
 * (Hager & Zhang 2005, the approximate Wolfe conditions); false when neither is so. *G is that at b before and
 * after. */
static bool move(struct sequence_offsets *o, double mu, double *G) {
    static const double enough = 1e-4, shrinks = 0.9, rounding = 1e-14, least = 0.1, most = 0.5;
    int64_t K = o->items->width;
    const double *b = offsets_of(o, o->v), *next = offsets_of(o, o->trial_slope);
    double *trial = offsets_of(o, o->trial), length = 1, hidden = rounding * (1 + fabs(*G));
    double slope = vector_dot(offsets_of(o, o->slope), o->step, K);
    for (int i = 0; i < HALVINGS && slope < 0 && !risk_stopped(&o->items->risk); i++) {
        for (int64_t k = 0; k < K; k++)
            trial[k] = b[k] + length * o->step[k];
        double value = evaluate(o, o->trial, mu, o->trial_slope), fall = *G - value;
        double along = vector_dot(next, o->step, K);
        if ((fall > hidden && fall >= -enough * length * slope) ||
            (fall >= -hidden && fabs(along) <= -shrinks * slope)) {
            take_trial(o);
            *G = value;
            return true;
        }
        /* to where the slope would vanish, were it linear */
        length *= isfinite(along) ? clip(slope / (slope - along), least, most) : most;
    }
    return false;
}

/* The derivatives at the end are those at b. */
static double minimize(struct sequence_offsets *o, double mu, double tolerance, double most) {
    int64_t K = o->items->width;
    const double *slope = offsets_of(o, o->slope);
    double G = evaluate(o, o->v, mu, o->slope);
    bool fresh = o->mu == 0;
    if (fresh)
        begin_curvature(o, mu);
    for (int i = 0; i < STEPS && absolute_sum(slope, K) > tolerance; i++) {
        if (find_step(o, most) && move(o, mu, &G)) {
            fresh = false;
            continue;
        }
        G = evaluate(o, o->v, mu, o->slope);
        if (fresh)
            break;
        begin_curvature(o, mu);
        fresh = true;
    }
    o->mu = mu;
    return G;
}

/* ---- the linearization */

/* Of item i, as they are, for crf: -<p - e_y, u>; for m3n that and the rows expected to be wrong. */
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

/* Moves the rows' probabilities; what item i then has of the constant: for m3n the rows expected to be wrong, for
 * crf what the rows' entropies grow by. */
static double settle_item(const struct items *items, int64_t i, void *opaque) {
    const struct sequence_offsets *o = opaque;
    int64_t K = items->width;
    double sum = 0;
    for (int64_t r = items_first(items, i); r < items_end(items, i); r++) {
        double *p = o->derivative + r * K, *own = p + label_of(items, r);
        *own += 1;
        sum -= o->margin ? 0 : entropy(p, K);
        label_shift_row(o->give, o->take, K, p);
        sum += o->margin ? 0 : entropy(p, K);
        *own -= 1;
        sum -= o->margin ? *own : 0;
    }
    return sum;
}

/* The slopes by the transitions, when the labels are moved. */
static void settle_edges(struct sequence_offsets *o, double *slope) {
    int64_t K = o->items->width;
    for (int64_t k = 0; k < K * K; k++)
        slope[k] = o->slope[k] + o->edges[k];
    label_shift_edges(o->give, o->take, K, slope);
    for (int64_t k = 0; k < K * K; k++)
        slope[k] -= o->edges[k];
}

/* The gradient and the constant at the last b, where R or its smoothed form was G. */
static void settle(struct sequence_offsets *o, double G, double *gradient, double *constant) {
    const struct items *items = o->items;
    int64_t K = items->width;
    label_shift_find(offsets_of(o, o->slope), o->labels, K, o->give, o->take);
    *constant = o->margin ? 0
                          : G - vector_dot(o->slope, o->v, items->shared) +
                                items_mean(items, item_product, o);
    *constant += items_mean(items, settle_item, o);
    items_combine(items, o->derivative, gradient);
    settle_edges(o, gradient + items->risk.dimension - items->shared);
}

/* How near the risk of m3n the linearization at the last b comes, R <= G: G less that. */
static double find_lost(struct sequence_offsets *o, double G) {
    return G - vector_dot(o->slope, o->v, o->items->shared) + items_mean(o->items, item_product, o);
}

/* The factor of mu by which what is lost, nearly in proportion to mu^2, comes to a part of SLACK. */
static double mu_factor(double lost, double slack, double least, double most) {
    static const double part = 0.8;
    return clip(part * sqrt(slack / fmax(lost, DBL_MIN)), least, most);
}

/* Whether the slopes at b are as small as they should be. */
static bool is_level(const struct sequence_offsets *o, double tolerance) {
    return absolute_sum(offsets_of(o, o->slope), o->items->width) <= tolerance;
}

/* G of m3n, with its constant, at a mu near that of the last call, or where b is too far from the best for so small
 * a one, at larger ones. */
static double find_first(struct sequence_offsets *o, double tolerance, double most, double slack,
                         double last) {
    static const double widest = 0.25, least = 0.125, again = 4, rises = 16;
    double wide = fmax(widest * (1 + most), last), mu = wide;
    if (o->mu > 0)
        mu = fmax(last, fmin(wide, o->mu * mu_factor(o->lost, slack, least, again)));
    double G = minimize(o, mu, tolerance, 1 + most);
    while (!is_level(o, tolerance) && mu < wide && !risk_stopped(&o->items->risk)) {
        mu = fmin(wide, rises * mu);
        o->mu = 0;
        G = minimize(o, mu, tolerance, 1 + most);
    }
    return G;
}

/* mu falls until the smoothed risk of m3n is less than SLACK above its linearization without mu. */
static double find_margin(struct sequence_offsets *o, double tolerance, double most, double slack) {
    static const double falls = 0.25, less = 0.8;
    double entropy = o->items->risk.smoothing, last = slack / entropy;
    double G = find_first(o, tolerance, most, slack, last);
    for (;;) {
        G += o->mu * entropy;
        o->lost = find_lost(o, G);
        if (!(o->mu > last && o->lost > slack))
            return G;
        double mu = fmax(o->mu * mu_factor(o->lost, slack, falls, less), last);
        vector_scale(o->curvature, o->mu / mu, o->items->width * o->items->width);
        G = minimize(o, mu, tolerance, 1 + most);
    }
}

double sequence_offsets_profile(struct sequence_offsets *o, double *w, bool again, double slack,
                                double *gradient, double *constant) {
    static const double part = 0.1, rounding = 1e-13;
    const struct items *items = o->items;
    int64_t K = items->width;
    double *v = w + items->risk.dimension - items->shared;
    o->mu = again ? o->mu : 0;
    items_scores(items, w, o->score);
    memcpy(o->v, v, sizeof *v * (size_t)(again ? K * K : items->shared));
    memcpy(o->trial, o->v, sizeof *v * (size_t)items->shared);
    double most =
        vector_largest(o->score, items->data->rows * K) + vector_largest(o->v, items->shared);
    double tolerance = fmax(rounding, part * slack / (1 + most));
    double value = o->margin ? find_margin(o, tolerance, most, slack / 2)
                             : minimize(o, 1, tolerance, 1 + most);
    settle(o, value, gradient, constant);
    memcpy(v, o->v, sizeof *v * (size_t)items->shared);
    return o->margin ? items_evaluate_scores(items, o->score, o->v, 0, NULL, NULL) : value;
}
