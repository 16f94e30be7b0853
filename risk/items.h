/* items.h - risks that are weighted means over items, runs of rows (or single rows), of losses of the
 * rows' scores: the one loop over items for all of them.
 *
 *     R(w) = sum_i c_i l_i(X_i W, v) / sum_i c_i
 *
 * X_i: the rows of item i with their constant features; W: a weight for each feature and output; v:
 * weights that are not of features (transitions), "shared" by all rows. w has the `width` outputs' weights
 * side by side, feature by feature, W_jk = w[j * width + k], the constant feature last, and then v.
 *
 * A risk of this kind is a struct that begins with a `struct items`, and an item_loss: its value and
 * derivatives for one item. It is called from several threads at a time, for different items, each with
 * room of its own. Items are cut into blocks whose number depends on the data alone, and what the blocks
 * give is added in block order: the same result for any number of threads.
 * Evaluation: one pass, width numbers a nonzero read and written. An item of an online step: its own
 * nonzeros times width, twice.
 *
 * References: Smola, Vishwanathan & Le 2008, section 3.4, equations (8), (9). */
#ifndef RRM_ITEMS_H
#define RRM_ITEMS_H

#include "risk/risk.h"

struct items;

struct item_loss {
    const char *name;

    /* Called once before the items of an evaluation, and before each item of an online step, by one thread:
     * what depends on v and mu alone, for the risk's struct to keep. NULL: nothing does. */
    void (*prepare)(struct items *items, const double *v, double mu);

    /* l_i, smoothed by mu where that is > 0. U holds the scores of the item's rows, rows x width, and
     * with `by_shared` not NULL receives the derivatives by them, BY_SHARED (zeroed by the caller) those
     * by v. With mu > 0 too, and D > 0, *constant is a t >= l_i,mu - <dU, U> - <dv, v> such that
     * l_i(u', v') >= t + <dU, u'> + <dv, v'> for all u', v'; else it is not looked at, and may be left as
     * it is. ROOM is as long as items_settings asked for. */
    double (*value)(const struct items *items, int64_t i, double *u, const double *v, double mu,
                    double *by_shared, double *constant, void *room);

    /* Bound of the length of item i's subgradients by w. */
    double (*lipschitz)(const struct items *items, int64_t i);

    /* Bound of sup over w of -<w, subgradient of item i>: for hinges the largest loss of an output. */
    double (*norm_bound)(const struct items *items, int64_t i);

    /* D_i with l_i - mu D_i <= l_i,mu <= l_i. NULL: l_i is smooth as it is. Infinite: it has no smoothed
     * form. Before `smooth` has been called any larger number but infinity will do. */
    double (*smoothing)(const struct items *items, int64_t i);

    /* Makes what mu > 0 needs, whenever it is called, once: 0, or -1 with the error set. NULL: nothing is
     * needed. */
    int (*smooth)(struct items *items, struct error *e);

    /* As in struct risk_kind, where some of the shared weights are not regularized. NULL: they all are. */
    double (*profile)(struct items *items, double *w, bool again, double slack, double *gradient,
                      double *constant);

    /* Frees what the risk's struct has beyond its items. NULL: nothing. */
    void (*free)(struct items *items);
};

struct items {
    struct risk risk; /* first */
    const struct item_loss *loss;
    const struct dataset *data;
    const double *target; /* rows: what scalar_settings has */
    double bias;
    int64_t count;
    const int64_t *start; /* of each item's rows, count + 1; NULL: item i is row i */
    int64_t width, shared;

    double *weight; /* count; NULL: all are 1 */
    double weight_sum;
    int64_t rows_most, nonzeros_most; /* of an item; nonzeros with those of the bias */
    size_t room;
    int blocks, slots;        /* slots: threads */
    bool threads;             /* enough work that they pay */
    double *partial;          /* blocks x dimension */
    double *value, *constant; /* blocks */
    char *memory;             /* slots x slot_bytes: scores, derivatives, room */
    size_t slot_bytes;
    int32_t *slot; /* features and the constant one: place in an item's list of columns, or -1 */
};

struct items_settings {
    const struct scalar_settings *scalar; /* no window */
    const struct item_loss *loss;
    bool grouped; /* items are the data's groups, which there must be; otherwise its rows */
    int64_t width, shared;
    int64_t offsets; /* so many of the shared weights, the last, are not regularized */
    size_t room;     /* bytes for one item, whichever it is */
};

/* The first row of an item, and the one behind its last. */
static inline int64_t items_first(const struct items *items, int64_t i) {
    return items->start == NULL ? i : items->start[i];
}
static inline int64_t items_end(const struct items *items, int64_t i) {
    return items->start == NULL ? i + 1 : items->start[i + 1];
}

/* Fills the zeroed *items, whose risk is then complete. An item's weight is that of its rows, which
 * must agree. 0, or -1 with the error set; to be freed by risk_free in either case, which frees the
 * struct ITEMS is the first member of. */
int items_init(struct items *items, const struct items_settings *settings, struct error *e);

/* The scores of all rows, rows x width. */
void items_scores(const struct items *items, const double *w, double *score);

/* gradient = sum over items of c_i X_i' derivative / sum c, which changes DERIVATIVE (rows x width); 0 for
 * shared weights. */
void items_combine(const struct items *items, double *derivative, double *gradient);

/* R_mu(w) where the scores of all rows (rows x width) are SCORE, and the shared weights V. With DERIVATIVE (the
 * same size) not NULL it receives each item's derivatives by its scores, where the item's weight is not 0, and
 * BY_SHARED those of R_mu by V. */
double items_evaluate_scores(const struct items *items, const double *score, const double *v,
                             double mu, double *derivative, double *by_shared);

/* The weighted mean of a number of each item with a weight above 0, found by several threads. */
double items_mean(const struct items *items,
                  double (*number)(const struct items *items, int64_t i, void *opaque),
                  void *opaque);

/* ||x||^2 of a row with its constant feature. */
double items_row_square(const struct items *items, int64_t row);

/* An empty risk of SIZE bytes that begins with a struct items, to be filled by items_init; NULL with the
 * error set. */
void *items_new(size_t size, const struct item_loss *loss, struct error *e);

#endif
