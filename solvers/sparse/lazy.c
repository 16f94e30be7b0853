/* lazy.c - weights that a penalty shrinks at every step, brought up to date when they are needed. lazy.h
 * has the formulas; v, T and M below are those of its head. */
#include "solvers/sparse/lazy.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

/* A new window begins when M falls below this. The sums of iterates lose digits in proportion to the
 * range of M within a window, so their limit is higher. */
static const double min_scale = 1e-100, min_scale_averaged = 1e-4;

/* A weight brought up to the present step, and the sum of its iterates since `since`. */
struct caught_up {
    double w, sum;
    int64_t single_steps; /* how many steps were made one by one */
};

static inline double scale_at(const struct lazy *x, int64_t t) {
    return x->scale == NULL ? 1 : x->scale[t];
}

/* The first step in (from, now] with T_t >= limit, by bisection; now + 1 when there is none. */
static int64_t first_beyond(const struct lazy *x, double limit, int64_t from) {
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
static double falling_sum(const struct lazy *x, double v, int64_t from, int64_t to) {
    return (v + x->threshold_sum[from]) * (x->scale_sum[to] - x->scale_sum[from]) -
           (x->scaled_threshold_sum[to] - x->scaled_threshold_sum[from]);
}

/* ---- drift */

/* |v| after step t, as long as its sign is that of w. It changes in one direction only. */
static inline double size_after(const struct lazy *x, const struct lazy_weight *weight, double v,
                                int64_t t) {
    int64_t from = weight->since;
    double drift = weight->w > 0 ? weight->drift : -weight->drift;
    return v - (x->threshold_sum[t] - x->threshold_sum[from]) -
           drift * (x->drift_sum[t] - x->drift_sum[from]);
}

/* The step in (since, now] after which |v| is no longer above 0. */
static int64_t drift_crossing(const struct lazy *x, const struct lazy_weight *weight, double v) {
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
static double leaving(const struct lazy *x, double drift, int64_t from) {
    double away = fabs(drift) * (x->drift_sum[x->now] - x->drift_sum[from]);
    return fmax(away - (x->threshold_sum[x->now] - x->threshold_sum[from]), 0);
}

/* v after the step in which its sign changes: by the prox rule. */
static double prox_crossing(const struct lazy *x, const struct lazy_weight *weight, double v,
                            int64_t t) {
    double before = copysign(size_after(x, weight, v, t - 1), weight->w);
    double moved = before - weight->drift * (x->drift_sum[t] - x->drift_sum[t - 1]);
    return soft(moved, x->threshold_sum[t] - x->threshold_sum[t - 1]);
}

/* ---- prox */

/* The first step in (from, now] with a >= size; 0 when there is none. Bisection finds the first record
 * after `from`, which has the largest a of all steps there. */
static int64_t first_zeroing_step(const struct lazy *x, double size, int64_t from) {
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
static struct caught_up catch_up_large(const struct lazy *x, const struct lazy_weight *weight) {
    int64_t cut = first_zeroing_step(x, fabs(weight->w), weight->since);
    int64_t end = cut > 0 ? cut - 1 : x->now;
    return (struct caught_up){.w = cut > 0 ? 0 : weight->w,
                              .sum = weight->w * (double)(end - weight->since)};
}

static struct caught_up catch_up_prox(const struct lazy *x, const struct lazy_weight *weight) {
    int64_t from = weight->since, now = x->now;
    double size = fabs(weight->w);
    struct caught_up c = {.w = weight->w};
    if (size == 0)
        return c;
    if (size > x->settings.theta)
        return catch_up_large(x, weight);
    double v = size / scale_at(x, from),
           left = v - (x->threshold_sum[now] - x->threshold_sum[from]);
    c.w = left > 0 ? copysign(left * scale_at(x, now), weight->w) : 0;
    if (x->sum != NULL) {
        int64_t to = first_beyond(x, v + x->threshold_sum[from], from) - 1;
        c.sum = copysign(falling_sum(x, v, from, to), weight->w);
    }
    return c;
}

/* ---- subgradient */

/* An oscillation of v about 0 that begins after step `from`: from step to step (level 0), or from pair of
 * steps to pair of steps (level 1). v after a later step is v plus or minus a sum of thresholds. */
struct oscillation {
    double v;
    int64_t from;
    int level;
    const double *sums, *scaled;
    bool minus;
};

static inline struct oscillation oscillation_from(const struct lazy *x, int level, double v,
                                                  int64_t from) {
    int signs = level == 0 ? 0 : from % 2 == 0 ? 1 : 2;
    bool first_is_minus = level == 0 ? from % 2 == 0 : from % 4 < 2; /* the sign of step from + 1 */
    return (struct oscillation){.v = v,
                                .from = from,
                                .level = level,
                                .sums = x->alternating[signs],
                                .scaled = x->scaled_alternating[signs],
                                .minus = (v > 0) != first_is_minus};
}

/* v after step t, if the oscillation lasts until then. */
static inline double value_after(const struct oscillation *s, int64_t t) {
    double change = s->sums[t] - s->sums[s->from];
    return s->minus ? s->v - change : s->v + change;
}

/* Whether the oscillation lasts up to its k-th step (level 1: pair). Within pairs |v| must be less than
 * every threshold. */
static inline bool oscillates_to(const struct lazy *x, const struct oscillation *s, int64_t k) {
    int64_t t = s->from + (k << s->level);
    double last = value_after(s, t), before = value_after(s, t - (1 << s->level));
    if (s->level > 0) {
        double min_threshold = fmin(x->threshold[s->from + 1], x->threshold[t]);
        double max_size = fmax(fmax(fabs(last), fabs(before)),
                               fmax(fabs(s->v), fabs(value_after(s, s->from + 2))));
        if (max_size >= min_threshold)
            return false;
    }
    bool same_side = k % 2 == 0;
    return same_side ? last * s->v > 0 && before * s->v < 0 : last * s->v < 0 && before * s->v > 0;
}

/* How many steps (level 1: pairs) the oscillation lasts, up to the present step. */
static int64_t oscillation_length(const struct lazy *x, const struct oscillation *s) {
    int64_t max_length = (x->now - s->from) >> s->level, low = 0, high = max_length + 1;
    if (s->from < x->monotone_from[0] || (s->level > 0 && s->from < x->monotone_from[1]) ||
        max_length == 0 || !oscillates_to(x, s, 1))
        return 0;
    if (oscillates_to(x, s, max_length))
        return max_length;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (oscillates_to(x, s, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Moves *v and *t to the end of the oscillation that begins there and adds its iterates to the sum. False
 * when there is none. */
static bool skip_oscillation(const struct lazy *x, int level, double *v, int64_t *t,
                             struct caught_up *c) {
    struct oscillation s = oscillation_from(x, level, *v, *t);
    int64_t from = s.from, end = from + (oscillation_length(x, &s) << level);
    if (end == from)
        return false;
    if (x->sum != NULL) {
        double scale_sum = x->scale_sum[end] - x->scale_sum[from];
        double sums = s.scaled[end] - s.scaled[from] - s.sums[from] * scale_sum;
        c->sum += *v * scale_sum + (s.minus ? -sums : sums);
    }
    *v = value_after(&s, end);
    *t = end;
    return true;
}

/* Makes the steps t + 1 .. t + 4 at once, if they subtract, add, add and subtract (for v > 0). That is
 * so for most v near 0, and v is near 0 again afterwards. */
static inline bool skip_four(const struct lazy *x, int64_t t, double *v, struct caught_up *c) {
    const double *threshold = x->threshold + t;
    double size = fabs(*v), second = size - threshold[1] + threshold[2];
    if (!(size < threshold[1] && second < 0 && second + threshold[3] > 0))
        return false;
    double last = second + (threshold[3] - threshold[4]);
    if (x->sum != NULL) {
        double sum = (size - threshold[1]) * scale_at(x, t + 1) + second * scale_at(x, t + 2) +
                     (second + threshold[3]) * scale_at(x, t + 3) + last * scale_at(x, t + 4);
        c->sum += copysign(1, *v) * sum;
    }
    *v = copysign(1, *v) * last;
    return true;
}

/* Makes the steps t + 1 .. end one by one, or four at a time, and adds to the sum. */
static double single_steps(const struct lazy *x, double v, int64_t t, int64_t end,
                           struct caught_up *c) {
    c->single_steps += end - t;
    while (t < end && v != 0) {
        if (t + 4 <= end && skip_four(x, t, &v, c)) {
            t += 4;
            continue;
        }
        v -= copysign(x->threshold[++t], v);
        c->sum += v * scale_at(x, t);
    }
    return v;
}

/* The same with a drift, without sums. */
static double drifting_steps(const struct lazy *x, double v, double drift, int64_t t, int64_t end,
                             struct caught_up *c) {
    c->single_steps += end - t;
    while (t++ < end) {
        double by_penalty = v == 0 ? 0 : copysign(x->threshold[t], v);
        v -= by_penalty + drift * (x->drift_sum[t] - x->drift_sum[t - 1]);
    }
    return v;
}

/* Makes the steps from t to the present one, for which there is no closed form. If they are more than max_single_steps,
 * the first of them are left out, four at a time: they would leave v nearly as it is, at most a threshold from 0, and
 * their iterates nearly cancel. */
static double last_steps(const struct lazy *x, double v, double drift, int64_t t,
                         struct caught_up *c) {
    int64_t excess = x->now - t - x->settings.max_single_steps;
    if (excess > 0) {
        t += (excess + 3) / 4 * 4;
        v = copysign(fmin(fabs(v), x->threshold[t]), v);
    }
    return drift == 0 ? single_steps(x, v, t, x->now, c)
                      : drifting_steps(x, v, drift, t, x->now, c);
}

/* v after the present step, from v after step t, just after its first crossing of 0; adds to the sum. The
 * oscillation from step to step comes first. One single step later the oscillation of pairs begins; if
 * its first pair stays on one side of 0, it begins two steps later. */
static double oscillate(const struct lazy *x, double v, int64_t t, struct caught_up *c) {
    skip_oscillation(x, 0, &v, &t, c);
    if (t < x->now && fabs(v) > x->threshold[t + 1] / 2) {
        v = single_steps(x, v, t, t + 1, c);
        t++;
    }
    for (int i = 0; i < 2 && v != 0 && !skip_oscillation(x, 1, &v, &t, c) && t + 2 <= x->now; i++) {
        v = single_steps(x, v, t, t + 2, c);
        t += 2;
    }
    return last_steps(x, v, 0, t, c);
}

/* v after the step in which its sign changes, by either rule. */
static double after_crossing(const struct lazy *x, const struct lazy_weight *weight, double v,
                             int64_t t) {
    return x->settings.subgradient ? copysign(size_after(x, weight, v, t), -weight->w)
                                   : prox_crossing(x, weight, v, t);
}

/* Of a weight with a drift, by either rule. At 0 it leaves for good, or stays (prox), or oscillates (subgradient). */
static struct caught_up catch_up_drifting(const struct lazy *x, const struct lazy_weight *weight) {
    struct caught_up c = {0};
    int64_t from = weight->since;
    double v = 0, scale = scale_at(x, x->now);
    if (weight->w != 0) {
        double size = fabs(weight->w) / scale_at(x, from);
        double left = size_after(x, weight, size, x->now);
        if (left > 0)
            return (struct caught_up){.w = copysign(left * scale, weight->w)};
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
        v = last_steps(x, v, weight->drift, from, &c);
    c.w = v == 0 ? 0 : v * scale;
    return c;
}

static struct caught_up catch_up_subgradient(const struct lazy *x,
                                             const struct lazy_weight *weight) {
    int64_t from = weight->since, now = x->now;
    struct caught_up c = {0};
    if (weight->w == 0)
        return c;
    double v = fabs(weight->w) / scale_at(x, from);
    int64_t crossing = first_beyond(x, v + x->threshold_sum[from], from), to = crossing - 1;
    if (x->sum != NULL)
        c.sum = falling_sum(x, v, from, to);
    v -= x->threshold_sum[to] - x->threshold_sum[from];
    if (crossing <= now) {
        v -= x->threshold[crossing];
        c.sum += v * scale_at(x, crossing);
        if (v != 0)
            v = oscillate(x, v, crossing, &c);
    }
    c.w = v == 0 ? 0 : v * scale_at(x, now) * copysign(1, weight->w);
    c.sum *= copysign(1, weight->w);
    return c;
}

/* ---- columns */

static inline struct caught_up catch_up(const struct lazy *x, int64_t j) {
    const struct lazy_weight *weight = &x->weight[j];
    if (weight->since == x->now)
        return (struct caught_up){.w = weight->w};
    if (!x->settings.subgradient)
        return x->settings.drifts ? catch_up_drifting(x, weight) : catch_up_prox(x, weight);
    return weight->drift != 0 ? catch_up_drifting(x, weight) : catch_up_subgradient(x, weight);
}

static void update_weight(struct lazy *x, int64_t j) {
    struct caught_up c = catch_up(x, j);
    x->weight[j].w = c.w;
    x->weight[j].since = x->now;
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
        return score_plain(weight, x->threshold_sum, x->now, column, value, count);
    for (int64_t k = 0; k < count; k++) {
        update_weight(x, offset + column[k]);
        u += (value == NULL ? 1 : value[k]) * weight[column[k]].w;
    }
    return u;
}

void lazy_add(struct lazy *x, double c, int64_t offset, const int32_t *column, const double *value,
              int64_t count) {
    struct lazy_weight *weight = x->weight + offset;
    bool counted = x->settings.subgradient && x->sum != NULL; /* the sum has the present step */
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

/* Notes whether the thresholds (order 0) or their differences (order 1) decrease at step t. `before` and
 * `after` are the last two of them. */
static void track_monotonicity(struct lazy *x, int order, int64_t t, double before, double after) {
    bool decreasing = after <= before;
    if (t > 2 + order && decreasing != x->decreasing[order])
        x->monotone_from[order] = t;
    x->decreasing[order] = decreasing;
}

static void record_threshold(struct lazy *x, int64_t t, double after) {
    const double *threshold = x->threshold;
    const bool minus[LAZY_SIGNS] = {t % 2 == 1, t % 4 < 2, t % 4 == 1 || t % 4 == 2};
    for (int k = 0; k < LAZY_SIGNS; k++) {
        double *sums = x->alternating[k], *scaled = x->scaled_alternating[k];
        sums[t] = sums[t - 1] + (minus[k] ? -threshold[t] : threshold[t]);
        if (scaled != NULL)
            scaled[t] = scaled[t - 1] + after * sums[t];
    }
    if (t >= 2)
        track_monotonicity(x, 0, t, threshold[t - 1], threshold[t]);
    if (t >= 3)
        track_monotonicity(x, 1, t, threshold[t - 2] - threshold[t - 1],
                           threshold[t - 1] - threshold[t]);
}

/* Step t becomes a record and ends those with a smaller a. */
static void record_step_length(struct lazy *x, int64_t t, double length) {
    x->step_length[t] = length;
    while (x->record_count > 0 && x->step_length[x->record[x->record_count - 1]] < length)
        x->record_count--;
    x->record[x->record_count++] = t;
}

void lazy_shrink(struct lazy *x, double length, double step, double decay) {
    int64_t t = ++x->now;
    bool subgradient = x->settings.subgradient;
    double before = scale_at(x, t - 1), after = before;
    if (x->scale != NULL)
        x->scale[t] = after = subgradient ? before * (1 - decay) : before / (1 + decay);
    double threshold = step / (subgradient ? after : before);
    x->threshold_sum[t] = x->threshold_sum[t - 1] + threshold;
    if (x->drift_sum != NULL)
        x->drift_sum[t] = x->drift_sum[t - 1] + length / (subgradient ? after : before);
    if (x->step_length != NULL)
        record_step_length(x, t, step);
    if (x->threshold != NULL) {
        x->threshold[t] = threshold;
        record_threshold(x, t, after);
    }
    if (x->scale_sum != NULL) {
        x->scale_sum[t] = x->scale_sum[t - 1] + after;
        x->scaled_threshold_sum[t] = x->scaled_threshold_sum[t - 1] + after * x->threshold_sum[t];
    }
}

void lazy_begin_step(struct lazy *x) {
    double limit = x->sum == NULL ? min_scale : min_scale_averaged;
    if (x->now < x->window && scale_at(x, x->now) >= limit)
        return;
    for (int64_t j = 0; j < x->settings.n; j++) {
        update_weight(x, j);
        x->weight[j].since = 0;
    }
    x->operations += x->settings.n;
    x->now = x->monotone_from[0] = x->monotone_from[1] = x->record_count = 0;
}

void lazy_copy(const struct lazy *x, double *w) {
    for (int64_t j = 0; j < x->settings.n; j++)
        w[j] = 0 + catch_up(x, j).w;
}

void lazy_copy_sums(const struct lazy *x, double *sum) {
    for (int64_t j = 0; j < x->settings.n; j++)
        sum[j] = x->sum[j] + catch_up(x, j).sum;
}

/* ---- the state */

/* An array over the steps of the window, if there is one. */
static void visit_steps(const struct lazy *x, struct state *state, double *array) {
    if (array != NULL)
        state_doubles(state, array, x->now + 1);
}

static void visit_weights(struct lazy *x, struct state *state) {
    for (int64_t j = 0; j < x->settings.n; j++) {
        struct lazy_weight *weight = &x->weight[j];
        STATE_REALS(state, &weight->w, &weight->drift);
        weight->since = state_integer(state, weight->since, 0, x->now);
    }
    if (x->sum != NULL)
        state_doubles(state, x->sum, x->settings.n);
}

void lazy_visit(struct lazy *x, struct state *state) {
    x->now = state_integer(state, x->now, 0, x->window);
    visit_weights(x, state);
    for (int order = 0; order < 2; order++) {
        x->monotone_from[order] = state_integer(state, x->monotone_from[order], 0, x->now);
        x->decreasing[order] = state_flag(state, x->decreasing[order]);
    }
    visit_steps(x, state, x->threshold_sum);
    visit_steps(x, state, x->drift_sum);
    visit_steps(x, state, x->scale);
    visit_steps(x, state, x->threshold);
    visit_steps(x, state, x->step_length);
    visit_steps(x, state, x->scale_sum);
    visit_steps(x, state, x->scaled_threshold_sum);
    for (int k = 0; k < LAZY_SIGNS; k++) {
        visit_steps(x, state, x->alternating[k]);
        visit_steps(x, state, x->scaled_alternating[k]);
    }
    for (int64_t t = 1; state_reads(state) && x->step_length != NULL && t <= x->now; t++)
        record_step_length(x, t, x->step_length[t]);
}

/* ---- memory */

/* An array over the steps of a window with its first entry set, if needed. -1 when memory is short. */
static int step_array_new(const struct lazy *x, bool needed, double first, double **array,
                          struct error *e) {
    if (!needed)
        return 0;
    *array = memory_new(x->window + 1, sizeof **array, "the steps of a window", e);
    if (*array == NULL)
        return -1;
    (*array)[0] = first;
    return 0;
}

static int sign_arrays_new(struct lazy *x, struct error *e) {
    bool subgradient = x->settings.subgradient, averaged = x->settings.averaged;
    for (int k = 0; k < LAZY_SIGNS; k++)
        if (step_array_new(x, subgradient, 0, &x->alternating[k], e) != 0 ||
            step_array_new(x, subgradient && averaged, 0, &x->scaled_alternating[k], e) != 0)
            return -1;
    return 0;
}

int lazy_init(struct lazy *x, const struct lazy_settings *settings, const double *w,
              struct error *e) {
    bool averaged = settings->averaged, subgradient = settings->subgradient;
    bool limited = !subgradient && isfinite(settings->theta);
    *x = (struct lazy){.settings = *settings};
    x->plain = !subgradient && !averaged && !settings->decays && !settings->drifts &&
               isinf(settings->theta);
    x->window = settings->n > settings->min_window ? settings->n : settings->min_window;
    x->window = x->window < settings->max_window ? x->window : settings->max_window;
    x->weight = memory_new(settings->n, sizeof *x->weight, "the weights", e);
    if (averaged)
        x->sum = memory_zeroed(settings->n, sizeof *x->sum, "the average", e);
    if (x->weight == NULL || (averaged && x->sum == NULL) ||
        step_array_new(x, true, 0, &x->threshold_sum, e) != 0 ||
        step_array_new(x, settings->drifts, 0, &x->drift_sum, e) != 0 ||
        step_array_new(x, settings->decays, 1, &x->scale, e) != 0 ||
        step_array_new(x, subgradient, 0, &x->threshold, e) != 0 ||
        step_array_new(x, limited, 0, &x->step_length, e) != 0 ||
        step_array_new(x, averaged, 0, &x->scale_sum, e) != 0 ||
        step_array_new(x, averaged, 0, &x->scaled_threshold_sum, e) != 0 ||
        sign_arrays_new(x, e) != 0)
        return -1;
    if (limited)
        x->record = memory_new(x->window + 1, sizeof *x->record, "the steps of a window", e);
    if (limited && x->record == NULL)
        return -1;
    for (int64_t j = 0; j < settings->n; j++)
        x->weight[j] = (struct lazy_weight){.w = 0 + w[j]}; /* never -0 */
    return 0;
}

void lazy_free(struct lazy *x) {
    free(x->weight);
    free(x->sum);
    free(x->threshold_sum);
    free(x->drift_sum);
    free(x->scale);
    free(x->threshold);
    free(x->step_length);
    free(x->record);
    for (int k = 0; k < LAZY_SIGNS; k++) {
        free(x->alternating[k]);
        free(x->scaled_alternating[k]);
    }
    free(x->scale_sum);
    free(x->scaled_threshold_sum);
    *x = (struct lazy){0};
}
