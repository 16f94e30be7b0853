/* lazy_window.h - the steps of a window of lazy.h, whose letters these are: by how much each shrinks all weights, and
 * prefix sums of it. */
#ifndef RRM_LAZY_WINDOW_H
#define RRM_LAZY_WINDOW_H

#include "io/error.h"
#include "io/state/state.h"

#include <stdbool.h>
#include <stdint.h>

/* Three sequences of signs, by step t of the window: + at even t and - at odd t; -, +, +, - repeated from
 * t = 1 on; the same repeated from t = 2 on. */
enum { LAZY_SIGNS = 3 };

struct lazy_settings {
    int64_t n;                      /* weights */
    bool subgradient;               /* the rule: subgradient, or else prox */
    bool decays;                    /* some b are not 0 */
    bool averaged;                  /* the sum of all iterates is kept */
    bool drifts;                    /* some g are not 0; without sums and theta */
    double theta;                   /* prox: weights beyond it are not shrunk; infinite: all are */
    int64_t max_single_steps;       /* subgradient: of an oscillation without a closed form */
    int64_t min_window, max_window; /* bounds of the steps in a window */
};

struct lazy_window {
    struct lazy_settings settings;
    int64_t size;             /* steps that a window holds */
    int64_t now;              /* steps made in the present window */
    int64_t monotone_from[2]; /* the thresholds and their differences are monotonic from here on */
    bool decreasing[2];       /* whether they decrease there, or else increase */

    /* By step of the window, 0 .. size; NULL where not needed. */
    double *threshold_sum;                  /* T */
    double *drift_sum;                      /* A */
    double *scale;                          /* M; NULL: all are 1 */
    double *threshold;                      /* what step t subtracts from |v| */
    double *step_length;                    /* a; only where theta is finite */
    int64_t *record;                        /* the steps whose a no later step exceeds, ascending */
    int64_t record_count;                   /* how many they are */
    double *scale_sum;                      /* sums of M; NULL without sums of iterates */
    double *scaled_threshold_sum;           /* sums of M T */
    double *alternating[LAZY_SIGNS];        /* sums of thresholds with these signs */
    double *scaled_alternating[LAZY_SIGNS]; /* sums of M times the former */
};

/* An empty window. 0, or -1 with the error set; to be freed in either case. */
int lazy_window_init(struct lazy_window *x, const struct lazy_settings *settings, struct error *e);
void lazy_window_free(struct lazy_window *x);

/* Lists the steps. */
void lazy_window_visit(struct lazy_window *x, struct state *state);

/* M after step t. */
static inline double lazy_scale_at(const struct lazy_window *x, int64_t t) {
    return x->scale == NULL ? 1 : x->scale[t];
}

/* One more step, as lazy_shrink has it. */
void lazy_window_add(struct lazy_window *x, double length, double step, double decay);

/* Whether the next step needs an empty window: this one is full, or its M is small. */
bool lazy_window_is_full(const struct lazy_window *x);
void lazy_window_clear(struct lazy_window *x);

#endif
