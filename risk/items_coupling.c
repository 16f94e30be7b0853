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
    const int64_t *start = items->data->start;
    int64_t first = start[items_first(items, i)];
    int32_t *next = coupling->next + first;
    for (int64_t r = items_first(items, i); r < items_end(items, i); r++) {
        const struct sparse_row row = items_row(items, r);
        for (int64_t j = 0; j < row.count; j++) {
            int64_t *before = &last[column_of(&row, j)];
            int32_t entry = (int32_t)(start[r] + j - first);
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

/* A derivative by a score: of row `row` of the item and `output`. */
struct pair {
    int64_t first, row, output; /* first: the item's first row */
};

static struct pair pair_of(const struct items *items, int64_t i, const struct local_change *change,
                           int64_t e) {
    int64_t row = change->row[e];
    return (struct pair){items_first(items, i), row, change->index[e] - row * items->width};
}

/* sum over the rows s of c <x_r, x_s> d_s of the pair's output, where that pair has a weight; and u_s += that product
 * without d_s. D, U: scores of the item's rows; either may be NULL. */
static double walk(const struct items_coupling *coupling, const struct items *items, struct pair p,
                   double c, const double *d, double *u) {
    const struct dataset *data = items->data;
    const struct sparse_row row = items_row(items, p.first + p.row);
    int64_t first = data->start[p.first], own = data->start[p.first + p.row] - first;
    const int32_t *next = coupling->next + first, *row_of = coupling->row + first;
    const double *value = data->value == NULL ? NULL : data->value + first;
    double sum = 0;
    for (int64_t j = 0; j < row.count; j++) {
        if (!attested_has(items->risk.attested, column_of(&row, j), p.output))
            continue;
        double x = row.value == NULL ? c : c * row.value[j];
        int64_t entry = own + j;
        do {
            double product = value == NULL ? x : x * value[entry];
            int64_t at = row_of[entry] * items->width + p.output;
            if (u != NULL)
                u[at] += product;
            sum += d == NULL ? 0 : product * d[at];
            entry = next[entry];
        } while (entry != own + j);
    }
    return sum;
}

/* The same of the constant feature, which all rows and outputs have. */
static double walk_constant(const struct items *items, int64_t i, int64_t output, double c,
                            const double *d, double *u) {
    double product = c * items->bias * items->bias, sum = 0;
    if (items->bias < 0)
        return 0;
    for (int64_t at = output; at < count_scores(items, i); at += items->width) {
        if (u != NULL)
            u[at] += product;
        sum += d == NULL ? 0 : product * d[at];
    }
    return sum;
}

double items_coupling_square(const struct items_coupling *coupling, const struct items *items,
                             int64_t i, const struct local_change *change) {
    double sum = 0, *d = coupling->derivative;
    for (int64_t e = 0; e < change->count; e++)
        if (change->row[e] >= 0)
            d[change->index[e]] = change->value[e];
        else
            sum += change->value[e] * change->value[e];
    for (int64_t e = 0; e < change->count; e++) {
        const struct pair p = pair_of(items, i, change, e);
        if (p.row >= 0)
            sum += walk(coupling, items, p, change->value[e], d, NULL) +
                   walk_constant(items, i, p.output, change->value[e], d, NULL);
    }
    for (int64_t e = 0; e < change->count; e++)
        if (change->row[e] >= 0)
            d[change->index[e]] = 0;
    return sum;
}

void items_coupling_shift(const struct items_coupling *coupling, const struct items *items,
                          int64_t i, double c, const struct local_change *change, double *u) {
    for (int64_t e = 0; e < change->count; e++) {
        const struct pair p = pair_of(items, i, change, e);
        if (p.row < 0) {
            u[change->index[e]] += c * change->value[e];
            continue;
        }
        walk(coupling, items, p, c * change->value[e], NULL, u);
        walk_constant(items, i, p.output, c * change->value[e], NULL, u);
    }
}
