/* lazy.c - weights that a penalty shrinks at every step, brought up to date when they are needed. lazy.h
 * has the formulas; v, T and M below are those of its head. */
#include "solvers/sparse/lazy.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/sparse/lazy_oscillation.h"

#include <math.h>
#include <stdlib.h>

/* The first step in (from, now] with T_t >= limit, by bisection; now + 1 when there is none. */
static int64_t first_beyond(const struct lazy_window *x, double limit, int64_t from) {
    int64_t low = from, high = x->now + 1;
    if (x->threshold_sum[x->now] < limit)
        return high;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (x->threshold_sum[middle] >= limit)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The sum over the steps in (from, to] of M (v - (T - T_from)): the iterates of a weight that falls
 * towards 0. */
static double falling_sum(const struct lazy_window *x, double v, int64_t from, int64_t to) {
    return (v + x->threshold_sum[from]) * (x->scale_sum[to] - x->scale_sum[from]) -
           (x->scaled_threshold_sum[to] - x->scaled_threshold_sum[from]);
}

/* ---- drift */

/* |v| after step t, as long as its sign is that of w. It changes in one direction only. */
static inline double size_after(const struct lazy_window *x, const struct lazy_weight *weight,
                                double v, int64_t t) {
    int64_t from = weight->since;
    double drift = weight->w > 0 ? weight->drift : -weight->drift;
    return v - (x->threshold_sum[t] - x->threshold_sum[from]) -
           drift * (x->drift_sum[t] - x->drift_sum[from]);
}

/* The step in (since, now] after which |v| is no longer above 0. */
static int64_t drift_crossing(const struct lazy_window *x, const struct lazy_weight *weight,
                              double v) {
    int64_t low = weight->since, high = x->now;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (size_after(x, weight, v, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* By how much a weight at 0 leaves it in the steps (from, now], in units of v; 0 if it does not. */
static double leaving(const struct lazy_window *x, double drift, int64_t from) {
    double away = fabs(drift) * (x->drift_sum[x->now] - x->drift_sum[from]);
    return fmax(away - (x->threshold_sum[x->now] - x->threshold_sum[from]), 0);
}

/* v after the step in which its sign changes: by the prox rule. */
static double prox_crossing(const struct lazy_window *x, const struct lazy_weight *weight, double v,
                            int64_t t) {
    double before = copysign(size_after(x, weight, v, t - 1), weight->w);
    double moved = before - weight->drift * (x->drift_sum[t] - x->drift_sum[t - 1]);
    return soft(moved, x->threshold_sum[t] - x->threshold_sum[t - 1]);
}

/* ---- prox */

/* The first step in (from, now] with a >= size; 0 when there is none. Bisection finds the first record
 * after `from`, which has the largest a of all steps there. */
static int64_t first_zeroing_step(const struct lazy_window *x, double size, int64_t from) {
    int64_t low = -1, high = x->record_count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (x->record[middle] > from)
            high = middle;
        else
            low = middle;
    }
    if (high == x->record_count || x->step_length[x->record[high]] < size)
        return 0;
    while (x->step_length[++from] < size)
        ;
    return from;
}

/* A weight beyond theta: it is constant until a step with a >= |w| sets it to 0. */
static struct lazy_caught_up catch_up_large(const struct lazy_window *x,
                                            const struct lazy_weight *weight) {
    int64_t cut = first_zeroing_step(x, fabs(weight->w), weight->since);
    int64_t end = cut > 0 ? cut - 1 : x->now;
    return (struct lazy_caught_up){.w = cut > 0 ? 0 : weight->w,
                                   .sum = weight->w * (double)(end - weight->since)};
}

static struct lazy_caught_up catch_up_prox(const struct lazy_window *x,
                                           const struct lazy_weight *weight) {
    int64_t from = weight->since, now = x->now;
    double size = fabs(weight->w);
    struct lazy_caught_up c = {.w = weight->w};
    if (size == 0)
        return c;
    if (size > x->settings.theta)
        return catch_up_large(x, weight);
    double v = size / lazy_scale_at(x, from),
           left = v - (x->threshold_sum[now] - x->threshold_sum[from]);
    c.w = left > 0 ? copysign(left * lazy_scale_at(x, now), weight->w) : 0;
    if (x->scale_sum != NULL) {
        int64_t to = first_beyond(x, v + x->threshold_sum[from], from) - 1;
        c.sum = copysign(falling_sum(x, v, from, to), weight->w);
    }
    return c;
}

/* ---- catching up */

/* v after the step in which its sign changes, by either rule. */
static double after_crossing(const struct lazy_window *x, const struct lazy_weight *weight,
                             double v, int64_t t) {
    return x->settings.subgradient ? copysign(size_after(x, weight, v, t), -weight->w)
                                   : prox_crossing(x, weight, v, t);
}

/* Of a weight with a drift, by either rule. At 0 it leaves for good, or stays (prox), or oscillates (subgradient). */
static struct lazy_caught_up catch_up_drifting(const struct lazy_window *x,
                                               const struct lazy_weight *weight) {
    struct lazy_caught_up c = {0};
    int64_t from = weight->since;
    double v = 0, scale = lazy_scale_at(x, x->now);
    if (weight->w != 0) {
        double size = fabs(weight->w) / lazy_scale_at(x, from);
        double left = size_after(x, weight, size, x->now);
        if (left > 0)
            return (struct lazy_caught_up){.w = copysign(left * scale, weight->w)};
        from = drift_crossing(x, weight, size);
        v = after_crossing(x, weight, size, from);
    } else if (x->settings.subgradient) { /* the first step has no penalty */
        from++;
        v = -weight->drift * (x->drift_sum[from] - x->drift_sum[from - 1]);
    }
    double away = leaving(x, weight->drift, from);
    if (away > 0)
        v = copysign(fabs(v) + away, -weight->drift);
    else if (x->settings.subgradient)
        v = lazy_last_steps(x, v, weight->drift, from, &c);
    c.w = v == 0 ? 0 : v * scale;
    return c;
}

static struct lazy_caught_up catch_up_subgradient(const struct lazy_window *x,
                                                  const struct lazy_weight *weight) {
    int64_t from = weight->since, now = x->now;
    struct lazy_caught_up c = {0};
    if (weight->w == 0)
        return c;
    double v = fabs(weight->w) / lazy_scale_at(x, from);
    int64_t crossing = first_beyond(x, v + x->threshold_sum[from], from), to = crossing - 1;
    if (x->scale_sum != NULL)
        c.sum = falling_sum(x, v, from, to);
    v -= x->threshold_sum[to] - x->threshold_sum[from];
    if (crossing <= now) {
        v -= x->threshold[crossing];
        c.sum += v * lazy_scale_at(x, crossing);
        if (v != 0)
            v = lazy_oscillate(x, v, crossing, &c);
    }
    c.w = v == 0 ? 0 : v * lazy_scale_at(x, now) * copysign(1, weight->w);
    c.sum *= copysign(1, weight->w);
    return c;
}

/* ---- columns */

static inline struct lazy_caught_up catch_up(const struct lazy *x, int64_t j) {
    const struct lazy_weight *weight = &x->weight[j];
    const struct lazy_window *steps = &x->steps;
    if (weight->since == steps->now)
        return (struct lazy_caught_up){.w = weight->w};
    if (!steps->settings.subgradient)
        return steps->settings.drifts ? catch_up_drifting(steps, weight)
                                      : catch_up_prox(steps, weight);
    return weight->drift != 0 ? catch_up_drifting(steps, weight)
                              : catch_up_subgradient(steps, weight);
}

static void update_weight(struct lazy *x, int64_t j) {
    struct lazy_caught_up c = catch_up(x, j);
    x->weight[j].w = c.w;
    x->weight[j].since = x->steps.now;
    x->operations += c.single_steps;
    if (x->sum != NULL)
        x->sum[j] += c.sum;
}

/* update_weight for a plain prox, without branches. */
static inline double update_plain(struct lazy_weight *weight, const double *threshold_sum,
                                  int64_t now) {
    double left = fabs(weight->w) - (threshold_sum[now] - threshold_sum[weight->since]);
    weight->w = left > 0 ? copysign(left, weight->w) : 0;
    weight->since = now;
    return weight->w;
}

static double score_plain(struct lazy_weight *weight, const double *threshold_sum, int64_t now,
                          const int32_t *column, const double *value, int64_t count) {
    double u = 0;
    if (value == NULL)
        for (int64_t k = 0; k < count; k++)
            u += update_plain(&weight[column[k]], threshold_sum, now);
    else
        for (int64_t k = 0; k < count; k++)
            u += value[k] * update_plain(&weight[column[k]], threshold_sum, now);
    return u;
}

double lazy_score(struct lazy *x, int64_t offset, const int32_t *column, const double *value,
                  int64_t count) {
    struct lazy_weight *weight = x->weight + offset;
    double u = 0;
    x->operations += count;
    if (x->plain)
        return score_plain(weight, x->steps.threshold_sum, x->steps.now, column, value, count);
    for (int64_t k = 0; k < count; k++) {
        update_weight(x, offset + column[k]);
        u += (value == NULL ? 1 : value[k]) * weight[column[k]].w;
    }
    return u;
}

void lazy_add(struct lazy *x, double c, int64_t offset, const int32_t *column, const double *value,
              int64_t count) {
    struct lazy_weight *weight = x->weight + offset;
    bool counted =
        x->steps.settings.subgradient && x->sum != NULL; /* the sum has the present step */
    x->operations += count;
    for (int64_t k = 0; k < count; k++) {
        double change = value == NULL ? c : c * value[k];
        int64_t j = column[k];
        if (!x->plain)
            update_weight(x, offset + j);
        weight[j].w += change;
        if (counted)
            x->sum[offset + j] += change;
    }
}

void lazy_tilt(struct lazy *x, double c, int64_t offset, const int32_t *column, const double *value,
               int64_t count) {
    struct lazy_weight *weight = x->weight + offset;
    for (int64_t k = 0; k < count; k++)
        weight[column[k]].drift += value == NULL ? c : c * value[k];
}

/* ---- steps */

void lazy_shrink(struct lazy *x, double length, double step, double decay) {
    lazy_window_add(&x->steps, length, step, decay);
}

void lazy_begin_step(struct lazy *x) {
    if (!lazy_window_is_full(&x->steps))
        return;
    for (int64_t j = 0; j < x->steps.settings.n; j++) {
        update_weight(x, j);
        x->weight[j].since = 0;
    }
    x->operations += x->steps.settings.n;
    lazy_window_clear(&x->steps);
}

void lazy_copy(const struct lazy *x, double *w) {
    for (int64_t j = 0; j < x->steps.settings.n; j++)
        w[j] = 0 + catch_up(x, j).w;
}

void lazy_copy_sums(const struct lazy *x, double *sum) {
    for (int64_t j = 0; j < x->steps.settings.n; j++)
        sum[j] = x->sum[j] + catch_up(x, j).sum;
}

/* ---- the state */

static void visit_weights(struct lazy *x, struct state *state) {
    for (int64_t j = 0; j < x->steps.settings.n; j++) {
        struct lazy_weight *weight = &x->weight[j];
        STATE_REALS(state, &weight->w, &weight->drift);
        weight->since = state_integer(state, weight->since, 0, x->steps.now);
    }
    if (x->sum != NULL)
        state_doubles(state, x->sum, x->steps.settings.n);
}

void lazy_visit(struct lazy *x, struct state *state) {
    lazy_window_visit(&x->steps, state);
    visit_weights(x, state);
}

/* ---- memory */

int lazy_init(struct lazy *x, const struct lazy_settings *settings, const double *w,
              struct error *e) {
    *x = (struct lazy){.plain = !settings->subgradient && !settings->averaged &&
                                !settings->decays && !settings->drifts && isinf(settings->theta)};
    if (lazy_window_init(&x->steps, settings, e) != 0)
        return -1;
    x->weight = memory_new(settings->n, sizeof *x->weight, "the weights", e);
    if (settings->averaged)
        x->sum = memory_zeroed(settings->n, sizeof *x->sum, "the average", e);
    if (x->weight == NULL || (settings->averaged && x->sum == NULL))
        return -1;
    for (int64_t j = 0; j < settings->n; j++)
        x->weight[j] = (struct lazy_weight){.w = 0 + w[j]}; /* never -0 */
    return 0;
}

void lazy_free(struct lazy *x) {
    lazy_window_free(&x->steps);
    free(x->weight);
    free(x->sum);
    *x = (struct lazy){0};
}
