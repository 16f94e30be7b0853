/* items_coupling.c - changes of an item's local scores by way of the weights; see items_coupling.h. */
#include "risk/items_coupling.h"

#include "io/memory.h"
#include "math/simd.h"
#include "risk/items_parts.h"

#include <stdlib.h>

/* ---- memory */

/* The entries of an item's rows, with the constant features. */
static int64_t max_item_entries(const struct items *items) {
    int64_t most = 0;
    for (int64_t i = 0; i < items->count; i++) {
        int64_t entries = dataset_start(items->data, items_end(items, i)) -
                          dataset_start(items->data, items_first(items, i));
        most = entries > most ? entries : most;
    }
    return most + (items->bias >= 0 ? items->max_rows : 0);
}

/* Each is in two rows at least, but for the constant one. */
static int64_t max_features(int64_t entries) {
    return entries / 2 + 1;
}

double items_coupling_bytes(const struct items *items, int64_t max_size) {
    double entries = (double)max_item_entries(items), width = (double)items->width;
    return sizeof(int32_t) * ((double)items->data->features + entries) +
           sizeof(double) *
               (entries * (1 + width) + (double)items->max_rows * (1 + width) + (double)max_size);
}

static int allocate(struct items_coupling *coupling, const struct items *items, int64_t max_size,
                    struct error *e) {
    int64_t entries = max_item_entries(items), rows = items->max_rows, width = items->width;
    int64_t size = max_features(entries) * width;
    coupling->place = memory_zeroed(items->data->features, sizeof(int32_t), "columns", e);
    coupling->own = memory_new(rows * width, sizeof(double), "squares of an item", e);
    coupling->start = memory_new(rows + 1, sizeof *coupling->start, "rows of an item", e);
    coupling->feature = memory_new(entries, sizeof(int32_t), "features of an item", e);
    coupling->value = memory_new(entries, sizeof(double), "features of an item", e);
    coupling->mask = memory_new(size, sizeof(double), "features of an item", e);
    coupling->sum = memory_new(size, sizeof(double), "features of an item", e);
    coupling->derivative = memory_zeroed(max_size, sizeof(double), "changes of an item", e);
    return coupling->place == NULL || coupling->own == NULL || coupling->start == NULL ||
                   coupling->feature == NULL || coupling->value == NULL || coupling->mask == NULL ||
                   coupling->sum == NULL || coupling->derivative == NULL
               ? -1
               : 0;
}

struct items_coupling *items_coupling_new(const struct items *items, int64_t max_size,
                                          struct error *e) {
    struct items_coupling *coupling = memory_zeroed(1, sizeof *coupling, "changes of an item", e);
    if (coupling == NULL || allocate(coupling, items, max_size, e) != 0) {
        items_coupling_free(coupling);
        return NULL;
    }
    coupling->item = -1;
    return coupling;
}

void items_coupling_free(struct items_coupling *coupling) {
    if (coupling == NULL)
        return;
    free(coupling->place);
    free(coupling->own);
    free(coupling->start);
    free(coupling->feature);
    free(coupling->value);
    free(coupling->mask);
    free(coupling->sum);
    free(coupling->derivative);
    free(coupling);
}

/* ---- the lists of an item */

static int64_t column_of(const struct sparse_row *row, int64_t j) {
    return row->column == NULL ? j : row->column[j];
}

/* A feature of several rows, whose mask is 1 for all outputs or those of the pairs of COLUMN. Returns its number. */
static int32_t add_feature(struct items_coupling *coupling, const struct items *items,
                           int64_t column) {
    const struct attested *attested = items->risk.attested;
    double *mask = coupling->mask + coupling->features * items->width;
    memset(mask, 0, sizeof *mask * (size_t)items->width);
    for (int32_t p = attested->start[column]; p < attested->start[column + 1]; p++)
        mask[attested->output[p]] = 1;
    return (int32_t)coupling->features++;
}

static void add_entry(struct items_coupling *coupling, int64_t *entries, int32_t feature,
                      double x) {
    coupling->feature[*entries] = feature;
    coupling->value[(*entries)++] = x;
}

/* place[column] is the number of rows with the feature, and becomes -1 less its number where these are several. */
static void list_row(struct items_coupling *coupling, const struct items *items,
                     const struct sparse_row *row, double *own, int64_t *entries) {
    const struct attested *attested = items->risk.attested;
    for (int64_t j = 0; j < row->count; j++) {
        int64_t column = column_of(row, j);
        double x = row->value == NULL ? 1 : row->value[j];
        int32_t *place = &coupling->place[column];
        if (*place == 1) {
            for (int32_t p = attested->start[column]; p < attested->start[column + 1]; p++)
                own[attested->output[p]] += x * x;
            continue;
        }
        if (*place > 1)
            *place = -1 - add_feature(coupling, items, column);
        add_entry(coupling, entries, -1 - *place, x);
    }
}

static void list_item(struct items_coupling *coupling, const struct items *items, int64_t i) {
    int64_t first = items_first(items, i), rows = items_end(items, i) - first, entries = 0;
    coupling->item = i;
    coupling->features = 0;
    if (items->bias >= 0)
        add_feature(coupling, items, items->data->features);
    for (int64_t t = 0; t < rows; t++) {
        const struct sparse_row row = items_row(items, first + t);
        for (int64_t j = 0; j < row.count; j++)
            coupling->place[column_of(&row, j)]++;
    }
    memset(coupling->own, 0, sizeof(double) * (size_t)(rows * items->width));
    for (int64_t t = 0; t < rows; t++) {
        const struct sparse_row row = items_row(items, first + t);
        coupling->start[t] = entries;
        if (items->bias >= 0)
            add_entry(coupling, &entries, 0, items->bias);
        list_row(coupling, items, &row, coupling->own + t * items->width, &entries);
    }
    coupling->start[rows] = entries;
    for (int64_t t = 0; t < rows; t++) {
        const struct sparse_row row = items_row(items, first + t);
        for (int64_t j = 0; j < row.count; j++)
            coupling->place[column_of(&row, j)] = 0;
    }
}

/* ---- changes */

/* Adds row T to the sums of its features. */
static SIMD_BODY void add_row(const struct items_coupling *coupling, int64_t t, int64_t width,
                              const double *d) {
    for (int64_t e = coupling->start[t]; e < coupling->start[t + 1]; e++) {
        double *sum = coupling->sum + coupling->feature[e] * width, x = coupling->value[e];
        for (int64_t k = 0; k < width; k++)
            sum[k] += x * d[k];
    }
}

/* u += the change by row T's features, those of this row alone and the sums of the others */
static SIMD_BODY void change_row(const struct items_coupling *coupling, int64_t t, int64_t width,
                                 double c, const double *d, double *u) {
    const double *own = coupling->own + t * width;
    for (int64_t k = 0; k < width; k++)
        u[k] += c * own[k] * d[k];
    for (int64_t e = coupling->start[t]; e < coupling->start[t + 1]; e++) {
        const double *sum = coupling->sum + coupling->feature[e] * width;
        double x = coupling->value[e];
        for (int64_t k = 0; k < width; k++)
            u[k] += x * sum[k];
    }
}

static SIMD_BODY void items_coupling_couple_body(struct items_coupling *coupling,
                                                 const struct items *items, int64_t i, double c,
                                                 const double *d, double *u) {
    int64_t rows = items_end(items, i) - items_first(items, i), width = items->width;
    if (coupling->item != i)
        list_item(coupling, items, i);
    int64_t size = coupling->features * width;
    memset(coupling->sum, 0, sizeof *coupling->sum * (size_t)size);
    for (int64_t t = 0; t < rows; t++)
        if (items_any_nonzero(d + t * width, width))
            add_row(coupling, t, width, d + t * width);
    for (int64_t k = 0; k < size; k++)
        coupling->sum[k] *= c * coupling->mask[k];
    for (int64_t t = 0; t < rows; t++)
        change_row(coupling, t, width, c, d + t * width, u + t * width);
    for (int64_t k = rows * width; k < rows * width + items->shared; k++)
        u[k] += c * d[k];
}

SIMD_CLONES(void, items_coupling_couple,
            (struct items_coupling * coupling, const struct items *items, int64_t i, double c,
             const double *d, double *u),
            (coupling, items, i, c, d, u))
