/* items_coupling.c - changes of an item's local scores by way of the weights; see items_coupling.h. */
#include "risk/items_coupling.h"

#include "io/memory.h"
#include "risk/items_parts.h"

#include <stdlib.h>

double items_coupling_bytes(const struct items *items, int64_t max_size) {
    return sizeof(double) * ((double)items->risk.dimension + 2 * (double)max_size);
}

int items_coupling_init(struct items_coupling *coupling, const struct items *items,
                        int64_t max_size, struct error *e) {
    coupling->w = memory_zeroed(items->risk.dimension, sizeof(double), "changes of weights", e);
    coupling->derivative = memory_zeroed(max_size, sizeof(double), "changes of an item", e);
    coupling->u = memory_new(max_size, sizeof(double), "changes of an item", e);
    bool complete = coupling->w != NULL && coupling->derivative != NULL && coupling->u != NULL;
    return complete ? 0 : -1;
}

void items_coupling_free(struct items_coupling *coupling) {
    free(coupling->w);
    free(coupling->derivative);
    free(coupling->u);
    *coupling = (struct items_coupling){0};
}

/* The number of scores of item i, without the shared weights. */
static int64_t count_scores(const struct items *items, int64_t i) {
    return (items_end(items, i) - items_first(items, i)) * items->width;
}

/* coupling->u = c A_i A_i' coupling->derivative, of the scores. Sets the derivatives to 0. */
static void multiply(const struct items_coupling *coupling, const struct items *items, int64_t i,
                     double c) {
    items_add_rows(items, i, c, coupling->derivative, coupling->w);
    items_find_scores(items, i, coupling->w, coupling->u);
    items_clear_rows(items, i, coupling->w);
    memset(coupling->derivative, 0, sizeof(double) * (size_t)count_scores(items, i));
}

static void fill(const struct items_coupling *coupling, const struct local_change *change) {
    for (int64_t e = 0; e < change->count; e++)
        if (change->row[e] >= 0)
            coupling->derivative[change->index[e]] = change->value[e];
}

void items_coupling_couple(const struct items_coupling *coupling, const struct items *items,
                           int64_t i, double c, const double *d, double *u) {
    int64_t scores = count_scores(items, i);
    memcpy(coupling->derivative, d, sizeof *d * (size_t)scores);
    multiply(coupling, items, i, c);
    for (int64_t k = 0; k < scores; k++)
        u[k] += coupling->u[k];
    for (int64_t k = scores; k < scores + items->shared; k++)
        u[k] += c * d[k];
}

double items_coupling_square(const struct items_coupling *coupling, const struct items *items,
                             int64_t i, const struct local_change *change) {
    double sum = 0;
    fill(coupling, change);
    multiply(coupling, items, i, 1);
    for (int64_t e = 0; e < change->count; e++)
        sum += change->value[e] *
               (change->row[e] >= 0 ? coupling->u[change->index[e]] : change->value[e]);
    return sum;
}

void items_coupling_shift(const struct items_coupling *coupling, const struct items *items,
                          int64_t i, double c, const struct local_change *change, double *u) {
    int64_t scores = count_scores(items, i);
    fill(coupling, change);
    multiply(coupling, items, i, c);
    for (int64_t k = 0; k < scores; k++)
        u[k] += coupling->u[k];
    for (int64_t e = 0; e < change->count; e++)
        if (change->row[e] < 0)
            u[change->index[e]] += c * change->value[e];
}
