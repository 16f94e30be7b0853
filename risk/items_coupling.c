/* items_coupling.c - changes of an item's local scores by way of the weights; see items_coupling.h. */
#include "risk/items_coupling.h"

#include "io/memory.h"
#include "risk/items_parts.h"

#include <stdlib.h>

double items_coupling_bytes(const struct items *items, int64_t max_size, bool sparse) {
    double links = sparse ? 2 * sizeof(int32_t) * (double)items->data->nonzeros : 0;
    return sizeof(double) * ((double)items->risk.dimension + 2 * (double)max_size) + links;
}

/* ---- entries of the same feature */

static int64_t column_of(const struct sparse_row *row, int64_t j) {
    return row->column == NULL ? j : row->column[j];
}

/* Links the entries of item i. last[column]: the latest entry that was linked, of any item. */
static void link_item(const struct items_coupling *coupling, const struct items *items, int64_t i,
                      int64_t *last) {
    const struct dataset *data = items->data;
    int64_t first = dataset_start(data, items_first(items, i));
    int32_t *next = coupling->next + first;
    for (int64_t r = items_first(items, i); r < items_end(items, i); r++) {
        const struct sparse_row row = items_row(items, r);
        for (int64_t j = 0; j < row.count; j++) {
            int64_t *before = &last[column_of(&row, j)];
            int32_t entry = (int32_t)(dataset_start(data, r) + j - first);
            bool is_new = *before < first;
            next[entry] = is_new ? entry : next[*before - first];
            if (!is_new)
                next[*before - first] = entry;
            coupling->row[first + entry] = (int32_t)(r - items_first(items, i));
            *before = first + entry;
        }
    }
}

static int link_entries(struct items_coupling *coupling, const struct items *items,
                        struct error *e) {
    const struct dataset *data = items->data;
    int64_t *last = memory_new(data->features, sizeof *last, "links of features", e);
    coupling->next = memory_new(data->nonzeros, sizeof *coupling->next, "links of features", e);
    coupling->row = memory_new(data->nonzeros, sizeof *coupling->row, "links of features", e);
    bool complete = last != NULL && coupling->next != NULL && coupling->row != NULL;
    for (int32_t j = 0; complete && j < data->features; j++)
        last[j] = -1;
    for (int64_t i = 0; complete && i < items->count; i++)
        link_item(coupling, items, i, last);
    free(last);
    return complete ? 0 : -1;
}

int items_coupling_init(struct items_coupling *coupling, const struct items *items,
                        int64_t max_size, bool sparse, struct error *e) {
    coupling->w = memory_zeroed(items->risk.dimension, sizeof(double), "changes of weights", e);
    coupling->derivative = memory_zeroed(max_size, sizeof(double), "changes of an item", e);
    coupling->u = memory_new(max_size, sizeof(double), "changes of an item", e);
    bool complete = coupling->w != NULL && coupling->derivative != NULL && coupling->u != NULL;
    return complete && (!sparse || link_entries(coupling, items, e) == 0) ? 0 : -1;
}

void items_coupling_free(struct items_coupling *coupling) {
    free(coupling->w);
    free(coupling->derivative);
    free(coupling->u);
    free(coupling->next);
    free(coupling->row);
    *coupling = (struct items_coupling){0};
}

/* ---- all derivatives */

/* The number of scores of item i, without the shared weights. */
static int64_t count_scores(const struct items *items, int64_t i) {
    return (items_end(items, i) - items_first(items, i)) * items->width;
}

void items_coupling_couple(const struct items_coupling *coupling, const struct items *items,
                           int64_t i, double c, const double *d, double *u) {
    int64_t scores = count_scores(items, i);
    memcpy(coupling->derivative, d, sizeof *d * (size_t)scores);
    items_add_rows(items, i, c, coupling->derivative, coupling->w);
    items_find_scores(items, i, coupling->w, coupling->u);
    items_clear_rows(items, i, coupling->w);
    memset(coupling->derivative, 0, sizeof *d * (size_t)scores);
    for (int64_t k = 0; k < scores; k++)
        u[k] += coupling->u[k];
    for (int64_t k = scores; k < scores + items->shared; k++)
        u[k] += c * d[k];
}

/* ---- sparse changes */

/* The constant feature, which all rows and outputs have. */
static void add_constant(const struct items *items, int64_t i, int64_t output, double c,
                         double *u) {
    double product = c * items->bias * items->bias;
    for (int64_t at = output; at < count_scores(items, i) && items->bias >= 0; at += items->width)
        u[at] += product;
}

void items_coupling_add(const struct items_coupling *coupling, const struct items *items, int64_t i,
                        int64_t row, int64_t index, double c, double *u) {
    const struct dataset *data = items->data;
    int64_t from = items_first(items, i), output = index - row * items->width;
    int64_t first = dataset_start(data, from), own = dataset_start(data, from + row) - first;
    const struct sparse_row x = items_row(items, from + row);
    const int32_t *next = coupling->next + first, *row_of = coupling->row + first;
    const double *value = data->value == NULL ? NULL : data->value + first;
    for (int64_t j = 0; j < x.count; j++) {
        if (!attested_has(items->risk.attested, column_of(&x, j), output))
            continue;
        double scaled = x.value == NULL ? c : c * x.value[j];
        int64_t entry = own + j;
        do {
            u[row_of[entry] * items->width + output] +=
                value == NULL ? scaled : scaled * value[entry];
            entry = next[entry];
        } while (entry != own + j);
    }
    add_constant(items, i, output, c, u);
}
