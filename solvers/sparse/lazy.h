/* lazy.h - weights that a penalty shrinks at every step. A weight is brought up to date only when an
 * example has its feature, so a step costs O(nonzeros of the batch) whatever the dimension.
 *
 * Step t adds to a few weights and shrinks all of them, by one of two rules. `step` and `decay` of
 * lazy_shrink are a = alpha_t l1 and b = alpha_t l2:
 *
 *     prox         w <- soft(w, a)/(1 + b)  where |w| <= max(theta, a); other weights stay
 *     subgradient  w <- w - a sgn(w) - b w, then the additions
 *
 * Between two additions a weight has a closed form. Let M_t be the product of all factors 1/(1 + b)
 * (subgradient: 1 - b) up to step t, and v = w/M_t the scaled weight. Step t subtracts from |v| the
 * threshold a_t/M_{t-1} (subgradient: a_t/M_t). With T_t the sum of the thresholds up to step t, a
 * weight that was exact after step s is
 *
 *     |w_t| = M_t max(|w_s|/M_s - (T_t - T_s), 0)
 *
 * by prox. The sum of its iterates s+1 .. t is (|w_s|/M_s + T_s) sum M - sum M T over the steps before
 * it becomes 0. Bisection finds that step. T, M and the prefix sums of M and of M T are kept for all
 * steps of a window. A weight beyond theta stays constant until an example changes it, or until a step
 * with a >= |w| sets it to 0. To find that step, the steps whose a exceeds all later ones are kept.
 *
 * By the subgradient rule the formula holds until v crosses 0. From there v oscillates about 0:
 *
 *   - While the thresholds exceed |v|, v changes its sign at every step, and v_t is v_s plus or minus an
 *     alternating sum of thresholds. While the thresholds decrease (or increase) monotonically, the
 *     values on each side of 0 do so, too. Then the last two values show whether v oscillated
 *     throughout; if not, bisection finds where the oscillation ended.
 *   - After that, v is at every second step closer to 0 than two thresholds differ, and it oscillates
 *     from pair of steps to pair of steps by the differences of thresholds. Its values are sums of
 *     thresholds with the signs -, +, +, -. The same test holds while the differences are monotonic.
 *   - The remaining steps are made one by one, or four at a time: at most max_single_steps of them. Those
 *     before are left out. Then the weight is not exact, but no further from 0 than the exact one may be: by one
 *     step's a.
 *
 * The closed forms for oscillations are used by sgd alone, and pay on wide data.
 *
 * With a drift, weight j also moves by -length g_j in each step that shrinks, g_j constant between two calls of
 * lazy_tilt; `length` of lazy_shrink is alpha_t, by which a is proportional to it:
 *
 *     prox         w <- soft(w - length g, a)/(1 + b)
 *     subgradient  w <- w - length g - a sgn(w) - b w, then the additions
 *
 * With A_t the sum of the lengths over M_{t-1} (subgradient: M_t), |v| falls by s g (A_t - A_s) + T_t - T_s as long as
 * its sign is s: up to a step that bisection finds. By prox the weight is 0 from there on or, where length |g| > a,
 * leaves 0 for the other side, for good. By the subgradient rule it leaves 0 as well, or oscillates: then all but the
 * last max_single_steps steps are left out.
 *
 * A window has max(n, min_window) steps. At its end all weights are brought up to date and the prefix
 * sums begin anew: O(1) a step on average. The same happens when M_t becomes small, which is rare unless
 * a and b are large. */
#ifndef RRM_LAZY_H
#define RRM_LAZY_H

#include "solvers/sparse/lazy_window.h"

struct lazy_weight {
    double w;      /* the weight after step `since` */
    int64_t since; /* the last step that is applied to it; steps count from the window's start */
    double drift;  /* g; 0 without drifts */
};

struct lazy {
    struct lazy_window steps;   /* with the settings */
    bool plain;                 /* prox without theta, decay and sums */
    struct lazy_weight *weight; /* n */
    double *sum;        /* n: the sum of a weight's iterates up to `since`; NULL: not kept */
    int64_t operations; /* weights updated, and oscillating steps made one by one */
};

/* w: the n start weights, copied. 0, or -1 with the error set; to be freed in either case. */
int lazy_init(struct lazy *x, const struct lazy_settings *settings, const double *w,
              struct error *e);
void lazy_free(struct lazy *x);

/* Lists what the next steps depend on. */
void lazy_visit(struct lazy *x, struct state *state);

/* To be called before each step: begins a new window when the present one is full. */
void lazy_begin_step(struct lazy *x);

/* The inner product of the weights and a sparse vector, after bringing the weights of its columns up to
 * date. Column k stands for weight offset + k. value NULL: all values are 1. */
double lazy_score(struct lazy *x, int64_t offset, const int32_t *column, const double *value,
                  int64_t count);

/* Adds c times the vector to the weights. lazy_score of the vector must have been called in this step. */
void lazy_add(struct lazy *x, double c, int64_t offset, const int32_t *column, const double *value,
              int64_t count);

/* Adds c times the vector to the drift. As lazy_add, and after it. */
void lazy_tilt(struct lazy *x, double c, int64_t offset, const int32_t *column, const double *value,
               int64_t count);

/* Shrinks all weights by the present step's a = `step` and b = `decay`, after moving them by -`length` times the
 * drift. Call it last in a step of the prox rule, first in a step of the subgradient rule. */
void lazy_shrink(struct lazy *x, double length, double step, double decay);

/* Write the weights, or the sums of all iterates so far (n doubles). They change nothing. */
void lazy_copy(const struct lazy *x, double *w);
void lazy_copy_sums(const struct lazy *x, double *sum);

#endif
