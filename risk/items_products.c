/* items_products.c - the products of an item's rows with each other, and what a change of the weights by its
 * derivatives does to its local scores; see items_local.h. */
#include "risk/items_local.h"

#include "io/memory.h"
#include "math/simd.h"
#include "math/vector.h"
#include "risk/items_parts.h"

#include <stdlib.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum {
    MAX_ONES = UINT8_MAX
}; /* of a row whose values are all 1: products of such rows fit into a byte */

static int64_t rows_of(const struct items *items, int64_t i) {
    return items_end(items, i) - items_first(items, i);
}

/* ---- the products */

/* Entries of an item's rows in lists by column, so that only rows with a column in common meet. */
struct columns {
    int32_t *last;         /* features: the latest entry with this column, or -1 */
    int32_t *before, *row; /* of each entry: the one before it in its list */
    double *value;
};

/* Whether the products are whole numbers that fit into a byte. */
static bool is_whole(const struct items *items) {
    bool whole = items->data->value == NULL && (items->bias < 0 || items->bias == 1);
    for (int64_t r = 0; whole && r < items->data->rows; r++)
        whole = dataset_count(items->data, r) + (items->bias >= 0) <= MAX_ONES;
    return whole;
}

static int64_t count_products(const struct items *items, int64_t *start) {
    int64_t sum = 0;
    for (int64_t i = 0; i < items->count; i++) {
        int64_t rows = items->width > 0 ? rows_of(items, i) : 0;
        if (start != NULL)
            start[i] = sum;
        sum += rows * rows;
    }
    if (start != NULL)
        start[items->count] = sum;
    return sum;
}

static void add_product(struct items_local *local, int64_t place, double x) {
    if (local->real == NULL)
        local->whole[place] = (uint8_t)(local->whole[place] + x);
    else
        local->real[place] += x;
}

/* Adds to the products of row t, and makes its entries the latest of their columns. */
static void add_row(struct items_local *local, int64_t i, int64_t t, struct columns *columns,
                    int32_t *entries) {
    const struct items *items = local->items;
    const struct sparse_row row = items_row(items, items_first(items, i) + t);
    int64_t rows = rows_of(items, i), base = local->product[i];
    for (int64_t k = 0; k < row.count; k++) {
        int64_t column = row.column == NULL ? k : row.column[k];
        double x = row.value == NULL ? 1 : row.value[k];
        int32_t own = (*entries)++;
        columns->before[own] = columns->last[column];
        columns->row[own] = (int32_t)t;
        columns->value[own] = x;
        columns->last[column] = own;
        add_product(local, base + t * rows + t, x * x);
        for (int32_t e = columns->before[own]; e >= 0; e = columns->before[e]) {
            add_product(local, base + t * rows + columns->row[e], x * columns->value[e]);
            add_product(local, base + columns->row[e] * rows + t, x * columns->value[e]);
        }
    }
}

static void find_products(struct items_local *local, int64_t i, struct columns *columns) {
    const struct items *items = local->items;
    int64_t rows = rows_of(items, i), first = items_first(items, i);
    int32_t entries = 0;
    for (int64_t t = 0; t < rows; t++)
        add_row(local, i, t, columns, &entries);
    for (int64_t t = 0; t < rows; t++) {
        const struct sparse_row row = items_row(items, first + t);
        for (int64_t k = 0; k < row.count; k++)
            columns->last[row.column == NULL ? k : row.column[k]] = -1;
    }
    for (int64_t p = 0; p < rows * rows && items->bias >= 0; p++)
        add_product(local, local->product[i] + p, items->bias * items->bias);
}

static int fill_products(struct items_local *local, struct error *e) {
    const struct items *items = local->items;
    struct columns columns = {
        .last = memory_new(items->data->features, sizeof(int32_t), "columns", e),
        .before = memory_new(items->max_entries, sizeof(int32_t), "columns", e),
        .row = memory_new(items->max_entries, sizeof(int32_t), "columns", e),
        .value = memory_new(items->max_entries, sizeof(double), "columns", e)};
    bool complete = columns.last != NULL && columns.before != NULL && columns.row != NULL &&
                    columns.value != NULL;
    for (int32_t j = 0; complete && j < items->data->features; j++)
        columns.last[j] = -1;
    for (int64_t i = 0; complete && i < items->count; i++)
        find_products(local, i, &columns);
    free(columns.last);
    free(columns.before);
    free(columns.row);
    free(columns.value);
    return complete ? 0 : -1;
}

static int find_coherence(struct items_local *local, struct error *e) {
    const struct items *items = local->items;
    int64_t features = items->data->features, rows = items->data->rows;
    double *mean = memory_zeroed(features, sizeof *mean, "the mean of the rows", e);
    if (mean == NULL)
        return -1;
    for (int64_t r = 0; r < rows; r++) {
        const struct sparse_row row = items_row(items, r);
        for (int64_t k = 0; k < row.count; k++)
            mean[row.column == NULL ? k : row.column[k]] +=
                (row.value == NULL ? 1 : row.value[k]) / (double)rows;
    }
    local->coherence = vector_dot(mean, mean, features);
    local->coherence += items->bias >= 0 ? items->bias * items->bias : 0;
    free(mean);
    return 0;
}

double items_local_bytes(const struct items_local *local) {
    if (local->items->risk.attested != NULL)
        return items_coupling_bytes(local->items, local->max_size);
    double each = is_whole(local->items) ? sizeof(uint8_t) : sizeof(double);
    return each * (double)count_products(local->items, NULL);
}

int items_local_init(struct items_local *local, const struct risk *risk, struct error *e) {
    const struct items *items = items_of(risk);
    *local = (struct items_local){.items = items,
                                  .smooth = items->loss->smoothing == NULL,
                                  .max_size = items->max_rows * items->width + items->shared,
                                  .coherence = 1};
    if (local->max_size > INT32_MAX || items->max_entries > INT32_MAX)
        return error_set(e, "a group has too many scores for this solver; try -s proximal-bundle");
    return 0;
}

int items_local_multiply(struct items_local *local, struct error *e) {
    const struct items *items = local->items;
    if (items->risk.attested != NULL) {
        local->coupling = items_coupling_new(items, local->max_size, e);
        return local->coupling == NULL ? -1 : find_coherence(local, e);
    }
    local->product = memory_new(items->count + 1, sizeof *local->product, "products of rows", e);
    if (local->product == NULL)
        return -1;
    int64_t products = count_products(items, local->product);
    if (is_whole(items))
        local->whole = memory_zeroed(products, sizeof *local->whole, "products of rows", e);
    else
        local->real = memory_zeroed(products, sizeof *local->real, "products of rows", e);
    if (local->whole == NULL && local->real == NULL)
        return -1;
    return items->width == 0 || (find_coherence(local, e) == 0 && fill_products(local, e) == 0)
               ? 0
               : -1;
}

void items_local_free(struct items_local *local) {
    free(local->product);
    free(local->whole);
    free(local->real);
    items_coupling_free(local->coupling);
    *local = (struct items_local){0};
}

static SIMD_BODY double product_of(const struct items_local *local, int64_t place) {
    return local->real == NULL ? (double)local->whole[place] : local->real[place];
}

/* ---- couplings */

/* u_t += c sum_s <x_s, x_t> d_s */
static SIMD_BODY void items_local_couple_body(const struct items_local *local, int64_t i, double c,
                                              const double *d, double *u) {
    const struct items *items = local->items;
    if (local->coupling != NULL) {
        items_coupling_couple(local->coupling, items, i, c, d, u);
        return;
    }
    int64_t rows = rows_of(items, i), width = items->width, place = local->product[i];
    const double *by_shared = d + rows * width;
    for (int64_t t = 0; t < rows && width > 0; t++, u += width)
        for (int64_t s = 0; s < rows; s++) {
            double x = c * product_of(local, place++);
            const double *from = d + s * width;
            if (x != 0)
                for (int64_t k = 0; k < width; k++)
                    u[k] += x * from[k];
        }
    for (int64_t k = 0; k < items->shared; k++)
        u[k] += c * by_shared[k];
}

SIMD_CLONES(void, items_local_couple,
            (const struct items_local *local, int64_t i, double c, const double *d, double *u),
            (local, i, c, d, u))

/* ---- sparse changes */

int local_change_init(struct local_change *change, int64_t capacity, struct error *e) {
    *change = (struct local_change){
        .index = memory_new(capacity, sizeof *change->index, "changes of an item", e),
        .row = memory_new(capacity, sizeof *change->row, "changes of an item", e),
        .value = memory_new(capacity, sizeof *change->value, "changes of an item", e)};
    return change->index == NULL || change->row == NULL || change->value == NULL ? -1 : 0;
}

void local_change_free(struct local_change *change) {
    free(change->index);
    free(change->row);
    free(change->value);
    *change = (struct local_change){0};
}

void items_local_find_rows(const struct items_local *local, int64_t i,
                           struct local_change *change) {
    int32_t width = (int32_t)local->items->width;
    int32_t scores = (int32_t)rows_of(local->items, i) * width;
    for (int64_t e = 0; e < change->count; e++)
        change->row[e] = change->index[e] < scores ? change->index[e] / width : -1;
}

/* image_t += <x_s, x_t> c of the entry's output for the rows t, s the entry's row. */
static void add_products(const struct items_local *local, int64_t i, int64_t row, int64_t index,
                         double c, double *image) {
    int64_t rows = rows_of(local->items, i), width = local->items->width;
    int64_t at = local->product[i] + row * rows;
    for (int64_t t = 0, k = index - row * width; t < rows; t++, k += width)
        image[k] += c * product_of(local, at + t);
}

/* image = A_i A_i' times the change, of attested pairs. */
static void couple_change(struct items_coupling *coupling, const struct items *items, int64_t i,
                          const struct local_change *change, double *image) {
    for (int64_t e = 0; e < change->count; e++)
        coupling->derivative[change->index[e]] = change->value[e];
    items_coupling_couple(coupling, items, i, 1, coupling->derivative, image);
    for (int64_t e = 0; e < change->count; e++)
        coupling->derivative[change->index[e]] = 0;
}

double items_local_image(const struct items_local *local, int64_t i,
                         const struct local_change *change, double *image) {
    double square = 0;
    memset(image, 0, sizeof *image * (size_t)items_local_size(local, i));
    if (local->coupling != NULL)
        couple_change(local->coupling, local->items, i, change, image);
    for (int64_t e = 0; e < change->count && local->coupling == NULL; e++) {
        int64_t row = change->row[e], index = change->index[e];
        if (row < 0)
            image[index] += change->value[e];
        else
            add_products(local, i, row, index, change->value[e], image);
    }
    for (int64_t e = 0; e < change->count; e++)
        square += change->value[e] * image[change->index[e]];
    return square;
}
