/* risk.h - the empirical risk R(w), which every solver minimizes together with a regularizer.
 *
 * A risk computes its value and a subgradient over all items (`evaluate`); if it is a mean over items (examples,
 * queries, sequences), also the value and sparse subgradient of one item (`item`). Other risks have items = 0.
 * Solvers access the data only through the risk. */
#ifndef RRM_RISK_H
#define RRM_RISK_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/state/state.h"
#include "matrix/design.h"
#include "risk/attested.h"
#include "risk/loss.h"
#include "risk/target.h"

#include <stdbool.h>
#include <stdint.h>

/* A sparse vector times a coefficient: coefficient * value[k * width + c] at offset + stride *
 * column[k] + c, for k < count, c < width. A row of the data has stride and width 1; weights that lie
 * `stride` outputs side by side for each feature take a row for one of them (width 1), or a number for
 * each (width = stride). */
struct scaled_row {
    double coefficient;
    int64_t offset;
    int64_t count;
    const int32_t *column; /* NULL: 0 .. count - 1, with values */
    const double *value;   /* NULL: all are 1; only for width 1 */
    int32_t stride, width;
};

/* A subgradient of one item as a sum of scaled rows, no two of which have a coordinate in common. The rows
 * point into the data, into arrays of the risk, or into the item's arrays `number` and `column`. Data and
 * arrays of the risk stay valid until the risk is freed; with a window, for WINDOW_ALONE items (io/window.h). */
struct risk_item {
    double loss;
    int rows; /* 0: the subgradient is zero */
    struct scaled_row row[4];

    /* Scratch memory of the sizes risk.item_numbers and risk.item_columns (risk_items_new); NULL for size 0. */
    double *number;
    int32_t *column;
};

/* ||subgradient||^2 of the item. */
static inline double risk_item_square(const struct risk_item *item) {
    double square = 0;
    for (int p = 0; p < item->rows; p++)
        square += item->row[p].coefficient * item->row[p].coefficient *
                  sparse_square(item->row[p].value, item->row[p].count * item->row[p].width);
    return square;
}

struct risk;

struct risk_kind {
    const char *name;

    /* R_mu(w) and a subgradient g (overwritten; NULL: the value alone); mu = 0 is R itself. One pass
     * over the data, in parallel; the result does not depend on the number of threads. With mu > 0 and
     * *constant not NULL it may be raised to a t >= R_mu(w) - <g,w> with R(v) >= t + <g,v> for all v. */
    double (*evaluate)(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant);

    /* Item i at w_j = scale v_j for the regularized coordinates and w_j = v_j for the rest. NULL when
     * the risk does not split. */
    void (*item)(const struct risk *risk, int64_t i, const double *v, double scale,
                 struct risk_item *out);

    /* Prefetches item i into the cache; `far`: only the addresses of its data. */
    void (*prefetch)(const struct risk *risk, int64_t i, bool far);

    /* ||subgradient of an item|| <= *constant + *slope radius, over all items and ||w|| <= radius.
     */
    void (*lipschitz)(const struct risk *risk, double *constant, double *slope);

    /* An upper bound of the mean over items of sup over w of -<w, subgradient of the item at w>: the optimum of
     * lambda/2 ||w||^2 + R has lambda ||w||^2 <= this. NULL: the risk has no items, and no bound is known. */
    double (*norm_bound)(const struct risk *risk);

    /* Prepares evaluations with mu > 0; calls after the first do nothing. 0, or -1 with the error set. NULL: no
     * preparation is needed. */
    int (*smooth)(const struct risk *risk, struct error *e);

    /* For each coordinate the mean over rows of its feature's square, for a diagonal metric of risks without scalar
     * terms. NULL: not known. */
    void (*squares)(const struct risk *risk, double *square);

    /* For a risk without scalar terms but with unregularized weights: minimizes R over these weights of w. Returns
     * R(w), and in GRADIENT g (dimension) and *constant t a linearization R(v) >= t + <g,v> with g = 0 for these
     * weights, at w below R by at most about SLACK > 0. AGAIN: the search may begin at the last call's result, else
     * it begins at w. NULL: no such weights. */
    double (*profile)(const struct risk *risk, double *w, bool again, double slack,
                      double *gradient, double *constant);

    /* Lists what the next `profile` begins from, beside w. NULL: nothing. */
    void (*visit)(const struct risk *risk, struct state *state);

    void (*free)(struct risk *risk);
};

/* The data of a risk with one scalar loss per row, for solvers that work on scores (cutting planes, interior
 * point): R(w) = sum_i c_i l(<w,x_i>, y_i) / weight_sum. */
struct scalar_terms {
    const struct design *design; /* the x_i */
    const double *target;        /* rows: read by scalar_target */
    const double *positive;      /* as in struct scalar_settings */
    const double *weight;        /* c: rows, >= 0; NULL: all are 1 */
    double weight_sum;
    const struct loss *loss;
    struct loss_parameters parameters;
    struct loss_margin margin;
};

/* y_i; +1 and -1 for classification */
static inline double scalar_target(const struct scalar_terms *terms, int64_t i) {
    return target_from(terms->target[i], terms->positive);
}

/* c_i */
static inline double scalar_weight(const struct scalar_terms *terms, int64_t i) {
    return terms->weight == NULL ? 1 : terms->weight[i];
}

/* The data of a risk whose rows have a class each, and whose loss asks the score of the true class to be the
 * largest by a margin, for solvers that work in its dual:
 *
 *     R(w) = sum_i c_i max_k (margin [k != y_i] + u_ik - u_iy_i) / weight_sum,   u_i = W'x_i,
 *
 * with W_jk = w[j * classes + k], the constant feature last, and no offsets. */
struct class_terms {
    const struct dataset *data;
    double bias;          /* of the constant feature; < 0: there is none */
    const double *target; /* y: rows, from 0 to classes - 1 */
    const double *weight; /* c: rows, >= 0; NULL: all are 1 */
    double weight_sum;
    int64_t classes; /* at least 2 */
    double margin;   /* > 0 */
};

struct risk {
    const struct risk_kind *kind;
    int64_t dimension;   /* of w */
    int64_t regularized; /* the first so many coordinates of w are; the rest (an offset) is not */
    int64_t items;
    const double *item_weight;         /* items; NULL: all are 1. R is the weighted mean */
    const struct scalar_terms *scalar; /* NULL: the risk is not of this form, or */
    bool hides_scores; /* it is, and the rows lie in several processes (distributed.h) */
    const struct class_terms *margins; /* NULL: the risk is not of this form, or has offsets */

    /* The pairs of a feature and an output that have a weight; w begins with these. NULL: every pair has one. */
    const struct attested *attested;

    /* Without scalar terms: D with R - mu D <= R_mu <= R. 0: R is smooth, and mu has no effect; infinite:
     * there is no R_mu. Before risk_smooth it may be larger than necessary. */
    double smoothing;

    int64_t item_numbers, item_columns; /* sizes of risk_item.number and risk_item.column */

    /* Called repeatedly, by any thread, during long evaluations. true: the evaluation ends early and returns
     * not-a-number; all later calls must return true, too. NULL: evaluations are not interrupted. */
    bool (*stop)(void *opaque);
    void *opaque;
};

/* Sets them, and the interruption of the data's window. */
void risk_watch(const struct risk *risk, bool (*stop)(void *opaque), void *opaque);

static inline bool risk_stopped(const struct risk *risk) {
    return risk->stop != NULL && risk->stop(risk->opaque);
}

/* Whether what was last read of the data, by the risk or by others, may lack rows of a window. */
bool risk_lacks_rows(const struct risk *risk);

static inline double risk_evaluate(const struct risk *risk, const double *w, double mu,
                                   double *gradient) {
    return risk->kind->evaluate(risk, w, mu, gradient, NULL);
}

/* Must be called before evaluations with mu > 0; 0, or -1 with the error set. */
int risk_smooth(const struct risk *risk, struct error *e);

/* R_mu(w), its gradient g, and in *constant the best t that is known with R(v) >= t + <g,v> for all v. */
double risk_linearize(const struct risk *risk, const double *w, double mu, double *gradient,
                      double *constant);

/* COUNT items with arrays of the sizes that the risk needs; NULL with the error set. Freed by free(). */
struct risk_item *risk_items_new(const struct risk *risk, int64_t count, struct error *e);

void risk_free(struct risk *risk);

/* For risks that weigh all rows alike: 0, or a usage error of -L NAME when WEIGHT (NULL: all are 1)
 * differs. */
int risk_equal_weights(const char *name, const double *weight, int64_t rows, struct error *e);

/* The mean of loss(<w,x_i>, y_i), weighted. TARGET (rows; +1 and -1 for classification) and WEIGHT
 * (rows, or NULL: all are 1) belong to the caller, as does DATA, and outlive the risk. With POSITIVE, of risks of a
 * scalar loss alone, TARGET has labels: y_i = +1 where target[i] is *positive, else -1.
 * bias >= 0 appends the constant feature `bias` to each row, at w[features]; `intercept` an
 * unregularized constant 1 at the end. NULL with the error set when memory is short or the weights
 * do not sum to a positive finite number. */
struct scalar_settings {
    const struct dataset *data;
    const double *target, *positive;
    const double *weight;
    const struct loss *loss;
    struct loss_parameters parameters;
    /* kernel machines alone learn one: the risk itself is of the loss as it is */
    struct loss_margin margin;
    double bias;
    bool intercept;
};
struct risk *scalar_risk_new(const struct scalar_settings *settings, struct error *e);

#endif
