/* lazy.h - weights that a penalty shrinks at every step, each brought up to date only when it is
 * wanted: a step costs O(nonzeros) whatever the dimension.
 *
 * Step t adds to a few weights and shrinks all of them, by one of two rules, with a = `step` and
 * b = `decay` of that step (lazy_shrink):
 *
 *     prox         w <- soft(w, a)/(1 + b), where |w| <= max(theta, a); elsewhere w stays
 *     subgradient  w <- w - a sgn(w) - b w, then the additions
 *
 * Let M_t be the product of the factors 1/(1 + b), or 1 - b, so far and v = w/M_t. Then the rules take
 * a_t/M_{t-1}, or a_t/M_t, off |v|: a threshold whose sums T_t compose. A weight exact after step s is
 *
 *     |w_t| = M_t max(|w_s|/M_s - (T_t - T_s), 0)
 *
 * by prox, and its sum over s+1 .. t is (|w_s|/M_s + T_s) sum M - sum M T over the steps before it is 0,
 * found by bisection; T, M, and the prefix sums of M and M T are kept for the steps of a window. A
 * weight beyond theta stays as it is until an example moves it, or a step with a >= |w| makes it 0: the
 * first one is found among those with a larger a than all later ones.
 *
 * By the subgradient the formula holds until v crosses 0. Then it swings: v changes its sign at every
 * step as long as the thresholds exceed it, v_t = v_s -+ alternating sums of them. While thresholds fall
 * (or grow) monotonously both sides of the swing shrink (grow), so that the last two values tell
 * whether it went on throughout; where it did not, bisection finds the end. There v is at every second
 * step nearer 0 than thresholds differ, and swings again, pair of steps by pair, by their differences:
 * by sums of the signs -, +, +, -, and as long as the differences are monotonous, too, the same holds.
 * Where that ends also, steps are made one by one, or by four. What it costs is in sgd.c.
 *
 * The window is max(n, `least_window`) steps; then all weights are brought up to date and the sums
 * begin anew, which is O(1) a step. So they do when M_t is small, but for large a and b rare. */
#ifndef RRM_LAZY_H
#define RRM_LAZY_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Signs of thresholds by step: + at even steps, - at odd ones; and, from step 1 or from step 2 on, -, +,
 * +, - again and again. */
enum { LAZY_SIGNS = 3 };

struct lazy_cell {
    double w;      /* after step `since` */
    int64_t since; /* counted from the window's start */
};

struct lazy_settings {
    int64_t n;
    bool subgradient; /* else prox */
    bool decays;      /* some b are not 0 */
    bool averaged;    /* the sum of all iterates is kept */
    double theta;     /* infinite: no limit */
    int64_t least_window, most_window;
};

struct lazy {
    struct lazy_settings settings;
    bool plain;             /* prox without theta, decay and sums */
    struct lazy_cell *cell; /* n */
    double *sum;            /* n: of the iterates up to `since`; NULL: not kept */
    int64_t window, now;    /* steps of it so far */
    int64_t turn[2];        /* thresholds, their differences are monotonous from this step on */
    bool falling[2];
    int64_t work; /* weights looked at, and single steps of swings: for tests */

    /* By step of the window, 0 .. window; NULL where there is no need. */
    double *shrunk;                  /* T */
    double *scale;                   /* M; NULL: all are 1 */
    double *threshold;               /* what step t takes off |v| */
    double *length;                  /* a; only where theta is finite */
    int64_t *peak, peaks;            /* steps with a longer one nowhere after them, ascending */
    double *scales, *scaled_shrunk;  /* sums of M, M T */
    double *alternating[LAZY_SIGNS]; /* sums of thresholds with signs */
    double *scaled_alternating[LAZY_SIGNS]; /* sums of M times these */
};

/* w: n doubles. 0, or -1 with the error set; to be freed in either case. */
int lazy_init(struct lazy *x, const struct lazy_settings *settings, const double *w,
              struct error *e);
void lazy_free(struct lazy *x);

/* Begins a new window when the present one is full: to be called before each step. */
void lazy_make_room(struct lazy *x);

/* The present weights of a sparse vector's columns, up to date, times the vector. The columns count
 * from `offset`; value NULL: all are 1. */
double lazy_score(struct lazy *x, int64_t offset, const int32_t *column, const double *value,
                  int64_t count);

/* Adds c times the vector, whose lazy_score was asked for in this step, to its present weights. */
void lazy_add(struct lazy *x, double c, int64_t offset, const int32_t *column, const double *value,
              int64_t count);

/* A step's shrinking, of all weights. By prox the step ends with it, by subgradient it begins. */
void lazy_shrink(struct lazy *x, double step, double decay);

/* Writes the present weights, or the sums of the iterates so far; changes nothing. */
void lazy_copy(const struct lazy *x, double *w);
void lazy_copy_sums(const struct lazy *x, double *sum);

#endif
