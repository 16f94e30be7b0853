/* items_local.h - one item by itself: its loss as a function of its local scores, for solvers of the dual.
 *
 * The local scores of item i are the scores of its rows and a copy of the shared weights (items.h), u = A_i w in
 * one vector of items_local_size numbers. With l_i(w) = l_i(u), a derivative d by the local scores stands for the
 * subgradient A_i'd of the item, and
 *
 *     l_i(v) >= <d, v> + t  for all v,     t = l_i(u) - <d, u>
 *
 * is a plane (d, t): -t is the conjugate of l_i at d. A change of the weights by c A_i'd changes the local scores by
 * c A_i A_i'd, for which the products of the item's rows with each other are kept: A_i A_i' consists of these, the
 * same for each output, and of ones for the shared weights. So a solver can take many steps on one item and read and
 * write the weights once. Where only attested pairs have weights (attested.h), the products differ by output: there
 * the sums over shared features are made anew each time (items_coupling.h). The layout of the weights is known here
 * alone.
 *
 * References: Lacoste-Julien, Jaggi, Schmidt & Pletscher 2013, ICML; Collins, Globerson, Koo, Carreras & Bartlett
 * 2008, JMLR 9. */
#ifndef RRM_ITEMS_LOCAL_H
#define RRM_ITEMS_LOCAL_H

#include "risk/items_coupling.h"

struct items_local {
    const struct items *items;
    bool smooth;      /* the items' losses have no kinks */
    int64_t max_size; /* of an item's local scores */
    double coherence; /* ||mean row||^2: how alike the rows are; 1 where they have no features */
    int64_t *product; /* count + 1: where the rows x rows products of each item begin */
    uint8_t *whole;   /* the products, if all are whole numbers below 256 */
    double *real;     /* the products otherwise; NULL: they are in `whole` */
    struct items_coupling *coupling; /* in place of products, of attested pairs */
};

/* Whether the risk has items of this kind. */
bool items_local_can(const struct risk *risk);

/* Sizes alone. 0, or -1 with the error set. The risk outlives it. */
int items_local_init(struct items_local *local, const struct risk *risk, struct error *e);

/* Bytes that items_local_multiply takes. */
double items_local_bytes(const struct items_local *local);

/* Computes the products and the coherence. 0, or -1 with the error set; to be freed in either case. */
int items_local_multiply(struct items_local *local, struct error *e);
void items_local_free(struct items_local *local);

/* The length of item i's vector of local scores. */
int64_t items_local_size(const struct items_local *local, int64_t i);

/* u = A_i w */
void items_local_scores(const struct items_local *local, int64_t i, const double *w, double *u);

/* w += c A_i'd. Overwrites d. */
void items_local_add(const struct items_local *local, int64_t i, double c, double *d, double *w);

/* u += c A_i A_i'd */
void items_local_couple(const struct items_local *local, int64_t i, double c, const double *d,
                        double *u);

/* Must be called before items_local_value when the shared weights, those behind the rows' scores in u, are others
 * than before; by one thread alone. */
void items_local_prepare(const struct items_local *local, int64_t i, const double *u);

/* The same for the weights w, for all items. */
void items_local_prepare_all(const struct items_local *local, const double *w);

/* l_i(u), and in D the derivatives. Several threads may call it for different items; THREAD is the caller's number
 * among them. */
double items_local_value(const struct items_local *local, int64_t i, const double *u, double *d,
                         int thread);

/* The threads that may do so: one where an evaluation is short. */
int items_local_threads(const struct items_local *local);

/* The share of item i in the risk, c_i over the sum of all. */
double items_local_share(const struct items_local *local, int64_t i);

/* ---- differences of planes, as lists with ascending indices */

/* A sparse vector of local derivatives: the difference of two planes. */
struct local_change {
    int64_t count;
    int32_t *index;
    int32_t *row; /* of the item; -1: a shared weight */
    double *value;
};

/* A change with room for CAPACITY numbers; 0, or -1 with the error set. To be freed in either case. */
int local_change_init(struct local_change *change, int64_t capacity, struct error *e);
void local_change_free(struct local_change *change);

/* IMAGE = A_i A_i'd, items_local_size numbers; returns ||A_i'd||^2, its product with d. */
double items_local_image(const struct items_local *local, int64_t i,
                         const struct local_change *change, double *image);

/* Fills `row` from `index`. */
void items_local_find_rows(const struct items_local *local, int64_t i, struct local_change *change);

#endif
