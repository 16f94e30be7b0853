/* items.h - risks that are weighted means over items, runs of rows (or single rows), of losses of the
 * rows' scores: the one loop over items for all of them.
 *
 *     R(w) = sum_i c_i l_i(X_i W, v) / sum_i c_i
 *
 * X_i: the rows of item i with their constant features; W: a weight for each feature and output; v: the
 * "shared" weights, which belong to no feature (transitions). w holds the weights of the `width` outputs
 * side by side, feature by feature, W_jk = w[j * width + k], the constant feature last, and then v. If only the pairs
 * of a feature and an output that occur in the data have a weight (attested.h), w holds these, and then v.
 *
 * A risk of this kind is a struct whose first member is a `struct items`, and an item_loss that computes the
 * value and the derivatives for one item. Several threads call the item_loss at the same time for different
 * items, each with its own workspace. The items are divided into blocks whose number depends on the data
 * alone, and the blocks' sums are added in block order: the result is the same for any number of threads.
 * An evaluation costs one pass that reads and writes `width` numbers a nonzero; the item of an online step
 * costs twice its nonzeros times width.
 *
 * References: Smola, Vishwanathan & Le 2008, section 3.4, equations (8), (9). */
#ifndef RRM_ITEMS_H
#define RRM_ITEMS_H

#include "risk/attested.h"
#include "risk/risk.h"

struct items;

struct item_loss {
    const char *name;

    /* One thread calls it once before the items of an evaluation, and before each item of an online step.
     * It stores in the risk's struct what depends on v and mu alone. NULL: nothing does. */
    void (*prepare)(struct items *items, const double *v, double mu);

    /* Returns l_i, smoothed by mu if mu > 0. U holds the scores of the item's rows, rows x width. If
     * BY_SHARED is not NULL, U receives the derivatives dU by the scores and BY_SHARED (zeroed by the caller)
     * the derivatives dv by v. If moreover mu > 0 and D > 0, *constant receives a
     * t >= l_i,mu - <dU, U> - <dv, v> such that l_i(u', v') >= t + <dU, u'> + <dv, v'> for all u', v';
     * otherwise *constant is not used. WORK: scratch memory of items_settings.work_bytes bytes. */
    double (*value)(const struct items *items, int64_t i, double *u, const double *v, double mu,
                    double *by_shared, double *constant, void *work);

    /* An upper bound of the Euclidean norm of item i's subgradients by w. */
    double (*lipschitz)(const struct items *items, int64_t i);

    /* An upper bound of sup over w of -<w, subgradient of item i>: for hinges the largest loss of an output. */
    double (*norm_bound)(const struct items *items, int64_t i);

    /* Returns D_i with l_i - mu D_i <= l_i,mu <= l_i. NULL: l_i is smooth itself. Infinity: l_i has no
     * smoothed form. Before `smooth` is called, a larger finite number is also correct. */
    double (*smoothing)(const struct items *items, int64_t i);

    /* Prepares evaluations with mu > 0. Calls after the first do nothing. 0, or -1 with the error set. NULL:
     * no preparation is needed. */
    int (*smooth)(struct items *items, struct error *e);

    /* As in struct risk_kind, if some of the shared weights are not regularized. NULL: all are. */
    double (*profile)(struct items *items, double *w, bool again, double slack, double *gradient,
                      double *constant);

    /* As `visit` in struct risk_kind. NULL: nothing. */
    void (*visit)(struct items *items, struct state *state);

    /* Frees the members of the risk's struct behind its `struct items`. NULL: there is nothing to free. */
    void (*free)(struct items *items);
};

struct items {
    struct risk risk; /* first */
    const struct item_loss *loss;
    const struct dataset *data;
    const double *target; /* rows: as in scalar_settings */
    double bias;
    int64_t count;
    const int64_t *start; /* first row of each item, count + 1; NULL: item i is row i */
    int64_t width, shared;
    struct attested attested; /* risk.attested points here unless every pair has a weight */

    double *weight; /* c: count; NULL: all are 1 */
    double weight_sum;
    int64_t max_rows,
        max_entries;     /* of one item; entries of its subgradient's list (items_one.c) */
    int64_t entry_width; /* numbers of an entry */
    size_t work_bytes;   /* as in items_settings */
    int blocks, max_threads;
    bool parallel;            /* an evaluation is long enough for several threads */
    double *partial;          /* blocks x dimension: the gradient of each block */
    double *value, *constant; /* blocks: sums of c_i l_i and of c_i t_i */
    char *thread_work; /* max_threads x thread_bytes: scores, derivatives, the loss's workspace */
    size_t thread_bytes;
    /* of each column, the constant one too, or of each weight if only some pairs have one: its place in the item's
     * list, from 1 on, or 0 */
    int32_t *list_place;
};

struct items_settings {
    const struct scalar_settings *scalar; /* no window */
    const struct item_loss *loss;
    bool grouped;  /* the items are the data's groups, which must exist; otherwise its rows */
    bool attested; /* only pairs that occur have a weight; the targets are then outputs */
    int64_t width, shared;
    int64_t offsets;   /* the last so many of the shared weights are not regularized */
    size_t work_bytes; /* scratch memory of item_loss.value, enough for every item */
};

/* The first row of an item, and the one behind its last. */
static inline int64_t items_first(const struct items *items, int64_t i) {
    return items->start == NULL ? i : items->start[i];
}
static inline int64_t items_end(const struct items *items, int64_t i) {
    return items->start == NULL ? i + 1 : items->start[i + 1];
}

/* Fills the zeroed *items and completes items->risk. An item's weight is the weight of its rows, which must
 * be equal. 0, or -1 with the error set. In both cases risk_free(&items->risk) frees the struct whose first
 * member is *items. */
int items_init(struct items *items, const struct items_settings *settings, struct error *e);

/* The scores of all rows, rows x width. */
void items_scores(const struct items *items, const double *w, double *score);

/* gradient = sum over items of c_i X_i' derivative / sum c, with 0 for the shared weights. Overwrites
 * DERIVATIVE (rows x width). */
void items_combine(const struct items *items, double *derivative, double *gradient);

/* Returns R_mu(w) from the scores of all rows, SCORE (rows x width), and the shared weights V. If DERIVATIVE
 * (rows x width) is not NULL, it receives each item's derivatives by its scores (items of weight 0 are left
 * out), and BY_SHARED the derivatives of R_mu by V. */
double items_evaluate_scores(const struct items *items, const double *score, const double *v,
                             double mu, double *derivative, double *by_shared);

/* The weighted mean of number(items, i, opaque) over the items i with a weight above 0; several threads. */
double items_mean(const struct items *items,
                  double (*number)(const struct items *items, int64_t i, void *opaque),
                  void *opaque);

/* ||x||^2 of a row with its constant feature. */
double items_row_square(const struct items *items, int64_t row);

/* The risk as items; NULL if it is of another kind. */
const struct items *items_of(const struct risk *risk);

/* An empty risk of SIZE bytes that begins with a struct items, to be filled by items_init; NULL with the
 * error set. */
void *items_new(size_t size, const struct item_loss *loss, struct error *e);

#endif
