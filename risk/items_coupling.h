/* items_coupling.h - what a change of the weights by an item's derivatives does to its local scores, for layouts in
 * which the products of two rows differ by output: of attested pairs. See items_local.h.
 *
 * Most features of an item occur in one of its rows. Such a feature changes the scores of this row alone, and of a row
 * and an output only the sum of x^2 over them is kept. For each of the others the derivatives of all rows are summed,
 * and the sum changes the scores of these rows, those of the outputs with which the feature has a weight. These lists
 * are those of one item, and are made when another one comes. */
#ifndef RRM_ITEMS_COUPLING_H
#define RRM_ITEMS_COUPLING_H

#include "risk/items.h"

struct items_coupling {
    int64_t item;   /* whose lists these are; -1: there are none */
    int32_t *place; /* columns: all 0 between calls */
    /* rows x width: sum of x^2 over features of this row alone that have this weight */
    double *own;
    /* rows + 1: where the entries of each row begin whose features other rows have, too */
    int64_t *start;
    int32_t *feature;   /* of each such entry: its number among these features */
    double *value;      /* of each such entry: x */
    int64_t features;   /* of several rows */
    double *mask;       /* features x width: 1 where there is a weight, else 0 */
    double *sum;        /* the same: sums over the rows */
    double *derivative; /* of a sparse change; all 0 between calls */
};

/* For items of at most MAX_SIZE local scores. NULL with the error set. */
struct items_coupling *items_coupling_new(const struct items *items, int64_t max_size,
                                          struct error *e);
void items_coupling_free(struct items_coupling *coupling);
double items_coupling_bytes(const struct items *items, int64_t max_size);

/* As items_local_couple. By one thread at a time. */
void items_coupling_couple(struct items_coupling *coupling, const struct items *items, int64_t i,
                           double c, const double *d, double *u);

#endif
