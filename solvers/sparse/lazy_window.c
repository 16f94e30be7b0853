/* lazy_window.c - the steps of a window, and their prefix sums. */
#include "solvers/sparse/lazy_window.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>

/* A new window begins when M falls below this. The sums of iterates lose digits in proportion to the
 * range of M within a window, so their limit is higher. */
static const double min_scale = 1e-100, min_scale_averaged = 1e-4;

/* ---- steps */

/* Notes whether the thresholds (order 0) or their differences (order 1) decrease at step t. `before` and
 * `after` are the last two of them. */
static void track_monotonicity(struct lazy_window *x, int order, int64_t t, double before,
                               double after) {
    bool decreasing = after <= before;
    if (t > 2 + order && decreasing != x->decreasing[order])
        x->monotone_from[order] = t;
    x->decreasing[order] = decreasing;
}

static void record_threshold(struct lazy_window *x, int64_t t, double after) {
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
static void record_step_length(struct lazy_window *x, int64_t t, double length) {
    x->step_length[t] = length;
    while (x->record_count > 0 && x->step_length[x->record[x->record_count - 1]] < length)
        x->record_count--;
    x->record[x->record_count++] = t;
}

void lazy_window_add(struct lazy_window *x, double length, double step, double decay) {
    int64_t t = ++x->now;
    bool subgradient = x->settings.subgradient;
    double before = lazy_scale_at(x, t - 1), after = before;
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

bool lazy_window_is_full(const struct lazy_window *x) {
    double limit = x->settings.averaged ? min_scale_averaged : min_scale;
    return x->now >= x->size || !(lazy_scale_at(x, x->now) >= limit);
}

void lazy_window_clear(struct lazy_window *x) {
    x->now = x->monotone_from[0] = x->monotone_from[1] = x->record_count = 0;
}

/* ---- the state */

/* An array over the steps of the window, if there is one. */
static void visit_steps(const struct lazy_window *x, struct state *state, double *array) {
    if (array != NULL)
        state_doubles(state, array, x->now + 1);
}

void lazy_window_visit(struct lazy_window *x, struct state *state) {
    x->now = state_integer(state, x->now, 0, x->size);
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
static int step_array_new(const struct lazy_window *x, bool needed, double first, double **array,
                          struct error *e) {
    if (!needed)
        return 0;
    *array = memory_new(x->size + 1, sizeof **array, "the steps of a window", e);
    if (*array == NULL)
        return -1;
    (*array)[0] = first;
    return 0;
}

static int sign_arrays_new(struct lazy_window *x, struct error *e) {
    bool subgradient = x->settings.subgradient, averaged = x->settings.averaged;
    for (int k = 0; k < LAZY_SIGNS; k++)
        if (step_array_new(x, subgradient, 0, &x->alternating[k], e) != 0 ||
            step_array_new(x, subgradient && averaged, 0, &x->scaled_alternating[k], e) != 0)
            return -1;
    return 0;
}

int lazy_window_init(struct lazy_window *x, const struct lazy_settings *settings, struct error *e) {
    bool averaged = settings->averaged, subgradient = settings->subgradient;
    bool limited = !subgradient && isfinite(settings->theta);
    *x = (struct lazy_window){.settings = *settings};
    x->size = settings->n > settings->min_window ? settings->n : settings->min_window;
    x->size = x->size < settings->max_window ? x->size : settings->max_window;
    if (step_array_new(x, true, 0, &x->threshold_sum, e) != 0 ||
        step_array_new(x, settings->drifts, 0, &x->drift_sum, e) != 0 ||
        step_array_new(x, settings->decays, 1, &x->scale, e) != 0 ||
        step_array_new(x, subgradient, 0, &x->threshold, e) != 0 ||
        step_array_new(x, limited, 0, &x->step_length, e) != 0 ||
        step_array_new(x, averaged, 0, &x->scale_sum, e) != 0 ||
        step_array_new(x, averaged, 0, &x->scaled_threshold_sum, e) != 0 ||
        sign_arrays_new(x, e) != 0)
        return -1;
    if (limited)
        x->record = memory_new(x->size + 1, sizeof *x->record, "the steps of a window", e);
    return limited && x->record == NULL ? -1 : 0;
}

void lazy_window_free(struct lazy_window *x) {
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
}
