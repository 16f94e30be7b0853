/* lazy.c - weights that a penalty shrinks at every step, brought up to date when they are wanted. */
#include "solvers/sparse/lazy.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>

/* Where the products of factors begin anew. The sums of iterates lose digits in proportion to the
 * range of products that a window spans. */
static const double least_scale = 1e-100, least_scale_averaged = 1e-4;

/* A weight after the present step, and the sum of its iterates since it was exact. */
struct caught {
    double w, sum;
    int64_t single; /* steps that were made one by one */
};

static inline double scale_at(const struct lazy *x, int64_t t) {
    return x->scale == NULL ? 1 : x->scale[t];
}

/* The first step in (from, now] with T_t >= limit; now + 1 when there is none. */
static int64_t first_beyond(const struct lazy *x, double limit, int64_t from) {
    int64_t low = from, high = x->now + 1;
    if (x->shrunk[x->now] < limit)
        return high;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (x->shrunk[middle] >= limit)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* sum over (from, to] of M (v - (T - T_from)) */
static double falling_sum(const struct lazy *x, double v, int64_t from, int64_t to) {
    return (v + x->shrunk[from]) * (x->scales[to] - x->scales[from]) -
           (x->scaled_shrunk[to] - x->scaled_shrunk[from]);
}

/* ---- prox */

/* The first step in (from, now] whose a is at least `size`; 0 when there is none. */
static int64_t first_cut(const struct lazy *x, double size, int64_t from) {
    int64_t low = -1, high = x->peaks;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (x->peak[middle] > from)
            high = middle;
        else
            low = middle;
    }
    if (high == x->peaks || x->length[x->peak[high]] < size)
        return 0;
    while (x->length[++from] < size)
        ;
    return from;
}

/* A weight beyond theta. */
static struct caught catch_large(const struct lazy *x, const struct lazy_cell *cell) {
    int64_t cut = first_cut(x, fabs(cell->w), cell->since);
    int64_t end = cut > 0 ? cut - 1 : x->now;
    return (struct caught){.w = cut > 0 ? 0 : cell->w,
                           .sum = cell->w * (double)(end - cell->since)};
}

static struct caught catch_prox(const struct lazy *x, const struct lazy_cell *cell) {
    int64_t from = cell->since, now = x->now;
    double size = fabs(cell->w);
    struct caught c = {.w = cell->w};
    if (size == 0)
        return c;
    if (size > x->settings.theta)
        return catch_large(x, cell);
    double v = size / scale_at(x, from), left = v - (x->shrunk[now] - x->shrunk[from]);
    c.w = left > 0 ? copysign(left * scale_at(x, now), cell->w) : 0;
    if (x->sum != NULL) {
        int64_t to = first_beyond(x, v + x->shrunk[from], from) - 1;
        c.sum = copysign(falling_sum(x, v, from, to), cell->w);
    }
    return c;
}

/* ---- subgradient */

/* A swing, of steps (level 0) or of pairs of steps (level 1), from v at `from`: what v becomes is v plus
 * or minus a sum of thresholds. */
struct swing {
    double v;
    int64_t from;
    int level;
    const double *sums, *scaled;
    bool minus;
};

static inline struct swing swing_from(const struct lazy *x, int level, double v, int64_t from) {
    int signs = level == 0 ? 0 : from % 2 == 0 ? 1 : 2;
    bool first = level == 0 ? from % 2 == 0 : from % 4 < 2; /* the sign of step from + 1 is - */
    return (struct swing){.v = v,
                          .from = from,
                          .level = level,
                          .sums = x->alternating[signs],
                          .scaled = x->scaled_alternating[signs],
                          .minus = (v > 0) != first};
}

/* v after step t, if the swing goes on so long. */
static inline double swung(const struct swing *s, int64_t t) {
    double change = s->sums[t] - s->sums[s->from];
    return s->minus ? s->v - change : s->v + change;
}

/* Up to its k-th step, or pair. Within the pairs v has to be less than any threshold. */
static inline bool swings_to(const struct lazy *x, const struct swing *s, int64_t k) {
    int64_t t = s->from + (k << s->level);
    double last = swung(s, t), before = swung(s, t - (1 << s->level));
    if (s->level > 0) {
        double least = fmin(x->threshold[s->from + 1], x->threshold[t]);
        double most =
            fmax(fmax(fabs(last), fabs(before)), fmax(fabs(s->v), fabs(swung(s, s->from + 2))));
        if (most >= least)
            return false;
    }
    bool same_side = k % 2 == 0;
    return same_side ? last * s->v > 0 && before * s->v < 0 : last * s->v < 0 && before * s->v > 0;
}

/* How many of its steps, or pairs, are made by the present step. */
static int64_t swing_length(const struct lazy *x, const struct swing *s) {
    int64_t most = (x->now - s->from) >> s->level, low = 0, high = most + 1;
    if (s->from < x->turn[0] || (s->level > 0 && s->from < x->turn[1]) || most == 0 ||
        !swings_to(x, s, 1))
        return 0;
    if (swings_to(x, s, most))
        return most;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (swings_to(x, s, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* v and the step t after a swing, if there is one: then true. Adds to the sum. */
static bool take_swing(const struct lazy *x, int level, double *v, int64_t *t, struct caught *c) {
    struct swing s = swing_from(x, level, *v, *t);
    int64_t from = s.from, end = from + (swing_length(x, &s) << level);
    if (end == from)
        return false;
    if (x->sum != NULL) {
        double scales = x->scales[end] - x->scales[from];
        double sums = s.scaled[end] - s.scaled[from] - s.sums[from] * scales;
        c->sum += *v * scales + (s.minus ? -sums : sums);
    }
    *v = swung(&s, end);
    *t = end;
    return true;
}

/* Steps t + 1 .. t + 4 at once, where they go -, +, +, - for v > 0: for a v near 0, which ends near 0
 * again. Where one pair of steps did not cross 0, two of them usually do so, since the thresholds change
 * little. */
static inline bool take_four(const struct lazy *x, int64_t t, double *v, struct caught *c) {
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

/* Steps t + 1 .. end, one by one; adds to the sum. */
static double single_steps(const struct lazy *x, double v, int64_t t, int64_t end,
                           struct caught *c) {
    c->single += end - t;
    while (t < end && v != 0) {
        if (t + 4 <= end && take_four(x, t, &v, c)) {
            t += 4;
            continue;
        }
        v -= copysign(x->threshold[++t], v);
        c->sum += v * scale_at(x, t);
    }
    return v;
}

/* From v after step t to the present step; adds to the sum. A swing ends far from 0, a step from where
 * one of pairs begins, or two more if the first pair is still on one side. */
static double swing(const struct lazy *x, double v, int64_t t, struct caught *c) {
    take_swing(x, 0, &v, &t, c);
    if (t < x->now && fabs(v) > x->threshold[t + 1] / 2) {
        v = single_steps(x, v, t, t + 1, c);
        t++;
    }
    for (int i = 0; i < 2 && v != 0 && !take_swing(x, 1, &v, &t, c) && t + 2 <= x->now; i++) {
        v = single_steps(x, v, t, t + 2, c);
        t += 2;
    }
    return single_steps(x, v, t, x->now, c);
}

static struct caught catch_subgradient(const struct lazy *x, const struct lazy_cell *cell) {
    int64_t from = cell->since, now = x->now;
    struct caught c = {0};
    if (cell->w == 0)
        return c;
    double v = fabs(cell->w) / scale_at(x, from);
    int64_t crossing = first_beyond(x, v + x->shrunk[from], from), to = crossing - 1;
    if (x->sum != NULL)
        c.sum = falling_sum(x, v, from, to);
    v -= x->shrunk[to] - x->shrunk[from];
    if (crossing <= now) {
        v -= x->threshold[crossing];
        c.sum += v * scale_at(x, crossing);
        if (v != 0)
            v = swing(x, v, crossing, &c);
    }
    c.w = v == 0 ? 0 : v * scale_at(x, now) * copysign(1, cell->w);
    c.sum *= copysign(1, cell->w);
    return c;
}

/* ---- columns */

static inline struct caught catch_up(const struct lazy *x, int64_t j) {
    const struct lazy_cell *cell = &x->cell[j];
    if (cell->since == x->now)
        return (struct caught){.w = cell->w};
    return x->settings.subgradient ? catch_subgradient(x, cell) : catch_prox(x, cell);
}

static void bring(struct lazy *x, int64_t j) {
    struct caught c = catch_up(x, j);
    x->cell[j] = (struct lazy_cell){c.w, x->now};
    x->work += c.single;
    if (x->sum != NULL)
        x->sum[j] += c.sum;
}

/* The same for a plain prox, without a branch. */
static inline double bring_plain(struct lazy_cell *cell, const double *shrunk, int64_t now) {
    double left = fabs(cell->w) - (shrunk[now] - shrunk[cell->since]);
    cell->w = left > 0 ? copysign(left, cell->w) : 0;
    cell->since = now;
    return cell->w;
}

static double score_plain(struct lazy_cell *cell, const double *shrunk, int64_t now,
                          const int32_t *column, const double *value, int64_t count) {
    double u = 0;
    if (value == NULL)
        for (int64_t k = 0; k < count; k++)
            u += bring_plain(&cell[column[k]], shrunk, now);
    else
        for (int64_t k = 0; k < count; k++)
            u += value[k] * bring_plain(&cell[column[k]], shrunk, now);
    return u;
}

double lazy_score(struct lazy *x, int64_t offset, const int32_t *column, const double *value,
                  int64_t count) {
    struct lazy_cell *cell = x->cell + offset;
    double u = 0;
    x->work += count;
    if (x->plain)
        return score_plain(cell, x->shrunk, x->now, column, value, count);
    for (int64_t k = 0; k < count; k++) {
        bring(x, offset + column[k]);
        u += (value == NULL ? 1 : value[k]) * cell[column[k]].w;
    }
    return u;
}

void lazy_add(struct lazy *x, double c, int64_t offset, const int32_t *column, const double *value,
              int64_t count) {
    struct lazy_cell *cell = x->cell + offset;
    bool counted = x->settings.subgradient && x->sum != NULL; /* the present step already is */
    x->work += count;
    for (int64_t k = 0; k < count; k++) {
        double change = value == NULL ? c : c * value[k];
        int64_t j = column[k];
        if (!x->plain)
            bring(x, offset + j);
        cell[j].w += change;
        if (counted)
            x->sum[offset + j] += change;
    }
}

/* ---- steps */

/* Of the thresholds (order 0) or their differences (1), the last two of which are given. */
static void note_direction(struct lazy *x, int order, int64_t t, double before, double after) {
    bool falling = after <= before;
    if (t > 2 + order && falling != x->falling[order])
        x->turn[order] = t;
    x->falling[order] = falling;
}

static void note_threshold(struct lazy *x, int64_t t, double after) {
    const double *threshold = x->threshold;
    const bool minus[LAZY_SIGNS] = {t % 2 == 1, t % 4 < 2, t % 4 == 1 || t % 4 == 2};
    for (int k = 0; k < LAZY_SIGNS; k++) {
        double *sums = x->alternating[k], *scaled = x->scaled_alternating[k];
        sums[t] = sums[t - 1] + (minus[k] ? -threshold[t] : threshold[t]);
        if (scaled != NULL)
            scaled[t] = scaled[t - 1] + after * sums[t];
    }
    if (t >= 2)
        note_direction(x, 0, t, threshold[t - 1], threshold[t]);
    if (t >= 3)
        note_direction(x, 1, t, threshold[t - 2] - threshold[t - 1],
                       threshold[t - 1] - threshold[t]);
}

/* Keeps the steps that no later one exceeds. */
static void note_length(struct lazy *x, int64_t t, double length) {
    x->length[t] = length;
    while (x->peaks > 0 && x->length[x->peak[x->peaks - 1]] < length)
        x->peaks--;
    x->peak[x->peaks++] = t;
}

void lazy_shrink(struct lazy *x, double step, double decay) {
    int64_t t = ++x->now;
    bool subgradient = x->settings.subgradient;
    double before = scale_at(x, t - 1), after = before;
    if (x->scale != NULL)
        x->scale[t] = after = subgradient ? before * (1 - decay) : before / (1 + decay);
    double threshold = step / (subgradient ? after : before);
    x->shrunk[t] = x->shrunk[t - 1] + threshold;
    if (x->length != NULL)
        note_length(x, t, step);
    if (x->threshold != NULL) {
        x->threshold[t] = threshold;
        note_threshold(x, t, after);
    }
    if (x->scales != NULL) {
        x->scales[t] = x->scales[t - 1] + after;
        x->scaled_shrunk[t] = x->scaled_shrunk[t - 1] + after * x->shrunk[t];
    }
}

void lazy_make_room(struct lazy *x) {
    double least = x->sum == NULL ? least_scale : least_scale_averaged;
    if (x->now < x->window && scale_at(x, x->now) >= least)
        return;
    for (int64_t j = 0; j < x->settings.n; j++) {
        bring(x, j);
        x->cell[j].since = 0;
    }
    x->work += x->settings.n;
    x->now = x->turn[0] = x->turn[1] = x->peaks = 0;
}

void lazy_copy(const struct lazy *x, double *w) {
    for (int64_t j = 0; j < x->settings.n; j++)
        w[j] = 0 + catch_up(x, j).w;
}

void lazy_copy_sums(const struct lazy *x, double *sum) {
    for (int64_t j = 0; j < x->settings.n; j++)
        sum[j] = x->sum[j] + catch_up(x, j).sum;
}

/* ---- memory */

/* An array over the steps, its first entry set; -1 when memory is short. */
static int steps_new(const struct lazy *x, bool wanted, double first, double **array,
                     struct error *e) {
    if (!wanted)
        return 0;
    *array = memory_new(x->window + 1, sizeof **array, "the steps of a window", e);
    if (*array == NULL)
        return -1;
    (*array)[0] = first;
    return 0;
}

static int signs_new(struct lazy *x, struct error *e) {
    bool swings = x->settings.subgradient, averaged = x->settings.averaged;
    for (int k = 0; k < LAZY_SIGNS; k++)
        if (steps_new(x, swings, 0, &x->alternating[k], e) != 0 ||
            steps_new(x, swings && averaged, 0, &x->scaled_alternating[k], e) != 0)
            return -1;
    return 0;
}

int lazy_init(struct lazy *x, const struct lazy_settings *settings, const double *w,
              struct error *e) {
    bool averaged = settings->averaged, swings = settings->subgradient;
    bool limited = !swings && isfinite(settings->theta);
    *x = (struct lazy){.settings = *settings};
    x->plain = !swings && !averaged && !settings->decays && isinf(settings->theta);
    x->window = settings->n > settings->least_window ? settings->n : settings->least_window;
    x->window = x->window < settings->most_window ? x->window : settings->most_window;
    x->cell = memory_new(settings->n, sizeof *x->cell, "the weights", e);
    if (averaged)
        x->sum = memory_zeroed(settings->n, sizeof *x->sum, "the average", e);
    if (x->cell == NULL || (averaged && x->sum == NULL) ||
        steps_new(x, true, 0, &x->shrunk, e) != 0 ||
        steps_new(x, settings->decays, 1, &x->scale, e) != 0 ||
        steps_new(x, swings, 0, &x->threshold, e) != 0 ||
        steps_new(x, limited, 0, &x->length, e) != 0 ||
        steps_new(x, averaged, 0, &x->scales, e) != 0 ||
        steps_new(x, averaged, 0, &x->scaled_shrunk, e) != 0 || signs_new(x, e) != 0)
        return -1;
    if (limited)
        x->peak = memory_new(x->window + 1, sizeof *x->peak, "the steps of a window", e);
    if (limited && x->peak == NULL)
        return -1;
    for (int64_t j = 0; j < settings->n; j++)
        x->cell[j] = (struct lazy_cell){.w = 0 + w[j]}; /* never -0 */
    return 0;
}

void lazy_free(struct lazy *x) {
    free(x->cell);
    free(x->sum);
    free(x->shrunk);
    free(x->scale);
    free(x->threshold);
    free(x->length);
    free(x->peak);
    for (int k = 0; k < LAZY_SIGNS; k++) {
        free(x->alternating[k]);
        free(x->scaled_alternating[k]);
    }
    free(x->scales);
    free(x->scaled_shrunk);
    *x = (struct lazy){0};
}
