/* items_coupling.h - what a change of the weights by an item's derivatives does to its local scores, by way of the
 * weights: for layouts in which the products of two rows differ by output. See items_local.h.
 *
 * A sparse change goes from each of its entries to the rows of the item that have the same feature: the entries of one
 * feature in an item are linked to a ring. A change of all scores is added to weights, which are read then. */
#ifndef RRM_ITEMS_COUPLING_H
#define RRM_ITEMS_COUPLING_H

#include "risk/items.h"

struct items_coupling {
    double *w;              /* weights, all 0 between calls; NULL: there is no coupling */
    double *derivative, *u; /* local derivatives, all 0 between calls, and local scores */
    /* of each entry of the data: the next one of the ring, counted from the item's first; NULL: not for sparse
     * changes */
    int32_t *next;
    int32_t *row; /* of each entry: its row within the item */
};

/* For items of at most MAX_SIZE local scores; SPARSE: also for sparse changes. 0, or -1 with the error set; to be freed
 * in either case. */
int items_coupling_init(struct items_coupling *coupling, const struct items *items,
                        int64_t max_size, bool sparse, struct error *e);
void items_coupling_free(struct items_coupling *coupling);
double items_coupling_bytes(const struct items *items, int64_t max_size, bool sparse);

/* As items_local_couple. By one thread at a time. */
void items_coupling_couple(const struct items_coupling *coupling, const struct items *items,
                           int64_t i, double c, const double *d, double *u);

/* u += c A_i A_i'e for the unit vector e of the score INDEX, of row ROW of the item. */
void items_coupling_add(const struct items_coupling *coupling, const struct items *items, int64_t i,
                        int64_t row, int64_t index, double c, double *u);

#endif
