/* lazy_oscillation.c - a weight about 0 under the subgradient rule: lazy.h has the closed forms; v, T and M are those
 * of its head. */
#include "solvers/sparse/lazy_oscillation.h"

#include <math.h>

/* An oscillation of v about 0 that begins after step `from`: from step to step (level 0), or from pair of
 * steps to pair of steps (level 1). v after a later step is v plus or minus a sum of thresholds. */
struct oscillation {
    double v;
    int64_t from;
    int level;
    const double *sums, *scaled;
    bool minus;
};

static inline struct oscillation oscillation_from(const struct lazy_window *x, int level, double v,
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
static inline bool oscillates_to(const struct lazy_window *x, const struct oscillation *s,
                                 int64_t k) {
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
static int64_t oscillation_length(const struct lazy_window *x, const struct oscillation *s) {
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
static bool skip_oscillation(const struct lazy_window *x, int level, double *v, int64_t *t,
                             struct lazy_caught_up *c) {
    struct oscillation s = oscillation_from(x, level, *v, *t);
    int64_t from = s.from, end = from + (oscillation_length(x, &s) << level);
    if (end == from)
        return false;
    if (x->scale_sum != NULL) {
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
static inline bool skip_four(const struct lazy_window *x, int64_t t, double *v,
                             struct lazy_caught_up *c) {
    const double *threshold = x->threshold + t;
    double size = fabs(*v), second = size - threshold[1] + threshold[2];
    if (!(size < threshold[1] && second < 0 && second + threshold[3] > 0))
        return false;
    double last = second + (threshold[3] - threshold[4]);
    if (x->scale_sum != NULL) {
        double sum =
            (size - threshold[1]) * lazy_scale_at(x, t + 1) + second * lazy_scale_at(x, t + 2) +
            (second + threshold[3]) * lazy_scale_at(x, t + 3) + last * lazy_scale_at(x, t + 4);
        c->sum += copysign(1, *v) * sum;
    }
    *v = copysign(1, *v) * last;
    return true;
}

/* Makes the steps t + 1 .. end one by one, or four at a time, and adds to the sum. */
static double single_steps(const struct lazy_window *x, double v, int64_t t, int64_t end,
                           struct lazy_caught_up *c) {
    c->single_steps += end - t;
    while (t < end && v != 0) {
        if (t + 4 <= end && skip_four(x, t, &v, c)) {
            t += 4;
            continue;
        }
        v -= copysign(x->threshold[++t], v);
        c->sum += v * lazy_scale_at(x, t);
    }
    return v;
}

/* The same with a drift, without sums. */
static double drifting_steps(const struct lazy_window *x, double v, double drift, int64_t t,
                             int64_t end, struct lazy_caught_up *c) {
    c->single_steps += end - t;
    while (t++ < end) {
        double by_penalty = v == 0 ? 0 : copysign(x->threshold[t], v);
        v -= by_penalty + drift * (x->drift_sum[t] - x->drift_sum[t - 1]);
    }
    return v;
}

double lazy_last_steps(const struct lazy_window *x, double v, double drift, int64_t t,
                       struct lazy_caught_up *c) {
    int64_t excess = x->now - t - x->settings.max_single_steps;
    if (excess > 0) {
        t += (excess + 3) / 4 * 4;
        v = copysign(fmin(fabs(v), x->threshold[t]), v);
    }
    return drift == 0 ? single_steps(x, v, t, x->now, c)
                      : drifting_steps(x, v, drift, t, x->now, c);
}

/* The oscillation from step to step comes first. One single step later that of pairs begins; if its first pair stays on
 * one side of 0, it begins two steps later. */
double lazy_oscillate(const struct lazy_window *x, double v, int64_t t, struct lazy_caught_up *c) {
    skip_oscillation(x, 0, &v, &t, c);
    if (t < x->now && fabs(v) > x->threshold[t + 1] / 2) {
        v = single_steps(x, v, t, t + 1, c);
        t++;
    }
    for (int i = 0; i < 2 && v != 0 && !skip_oscillation(x, 1, &v, &t, c) && t + 2 <= x->now; i++) {
        v = single_steps(x, v, t, t + 2, c);
        t += 2;
    }
    return lazy_last_steps(x, v, 0, t, c);
}
