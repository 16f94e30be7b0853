/* items_one.c - the loss and the subgradient of one item, for online steps; see items.h. */
#include "risk/items_parts.h"

/* If the item is one row whose derivatives are not 0 for at most two outputs, writes the subgradient as a part
 * for each of these outputs and a part for each constant feature. Returns whether it did. */
static bool split_by_output(const struct items *items, int64_t i, const double *derivative,
                            struct risk_item *out) {
    int64_t width = items->width, found[2], count = 0;
    if (items->start != NULL || items->shared > 0)
        return false;
    for (int64_t k = 0; k < width; k++)
        if (derivative[k] != 0) {
            if (count == 2)
                return false;
            found[count++] = k;
        }
    for (int64_t f = 0; f < count; f++) {
        const struct sparse_row row = items_row(items, i);
        double a = derivative[found[f]];
        out->row[out->rows++] =
            (struct scaled_row){a, found[f], row.count, row.column, row.value, (int32_t)width, 1};
        if (items->bias >= 0)
            out->row[out->rows++] = (struct scaled_row){a,
                                                        items->data->features * width + found[f],
                                                        1,
                                                        &items_first_column,
                                                        &items->bias,
                                                        (int32_t)width,
                                                        1};
    }
    return true;
}

/* The `entry_width` derivatives of a column, or the one of a weight, in the item's list. Appends it with zeros if it
 * is new. */
static double *list_entry(const struct items *items, int32_t column, int64_t *count,
                          struct risk_item *out) {
    int32_t *place = &items->list_place[column];
    if (*place > 0)
        return out->number + (*place - 1) * items->entry_width;
    double *number = out->number + *count * items->entry_width;
    out->column[(*count)++] = column;
    *place = (int32_t)*count;
    return memset(number, 0, sizeof *number * (size_t)items->entry_width);
}

/* Adds x times the derivatives to those of a column. */
static void gather_column(const struct items *items, int32_t column, double x,
                          const double *derivative, int64_t *count, struct risk_item *out) {
    const struct attested *attested = items->risk.attested;
    if (attested == NULL) {
        double *number = list_entry(items, column, count, out);
        for (int64_t k = 0; k < items->width; k++)
            number[k] += x * derivative[k];
        return;
    }
    for (int32_t p = attested->start[column]; p < attested->start[column + 1]; p++)
        if (derivative[attested->output[p]] != 0)
            *list_entry(items, p, count, out) += x * derivative[attested->output[p]];
}

/* Adds the row's share of the subgradient to the list. */
static void gather_row(const struct items *items, int64_t r, const double *derivative,
                       int64_t *count, struct risk_item *out) {
    const struct sparse_row row = items_row(items, r);
    for (int64_t j = 0; j < row.count; j++)
        gather_column(items, row.column == NULL ? (int32_t)j : row.column[j],
                      row.value == NULL ? 1 : row.value[j], derivative, count, out);
    if (items->bias >= 0)
        gather_column(items, items->data->features, items->bias, derivative, count, out);
}

/* Writes the subgradient as one part over the columns that occur in the item's rows, or over their weights, each
 * once. */
static void gather(const struct items *items, int64_t i, const double *derivative,
                   struct risk_item *out) {
    int32_t each = (int32_t)items->entry_width;
    int64_t width = items->width, end = items_end(items, i), count = 0;
    for (int64_t r = items_first(items, i); r < end; r++, derivative += width)
        if (items_any_nonzero(derivative, width))
            gather_row(items, r, derivative, &count, out);
    for (int64_t k = 0; k < count; k++)
        items->list_place[out->column[k]] = 0;
    if (count > 0)
        out->row[out->rows++] =
            (struct scaled_row){1, 0, count, out->column, out->number, each, each};
}

/* out->number holds the derivatives of the listed columns, then the shared weights multiplied by their scale,
 * then the derivatives by these. */
void items_one(const struct risk *risk, int64_t i, const double *v, double scale,
               struct risk_item *out) {
    const struct items *items = (const struct items *)risk;
    struct thread_work work = items_thread_work(items, 0);
    int64_t rows = items_end(items, i) - items_first(items, i),
            first = risk->dimension - items->shared;
    double *shared = out->number + items->max_entries * items->entry_width;
    double *by_shared = shared + items->shared, t;
    items_find_scores(items, i, v, work.score);
    vector_scale(work.score, scale, rows * items->width);
    for (int64_t k = 0; k < items->shared; k++) {
        shared[k] = (first + k < risk->regularized ? scale : 1) * v[first + k];
        by_shared[k] = 0;
    }
    items_prepare(items, shared, 0);
    /* by_shared is not NULL, also without shared weights: so the loss computes derivatives */
    out->loss = items->loss->value(items, i, work.score, shared, 0, by_shared, &t, work.loss);
    out->rows = 0;
    if (!split_by_output(items, i, work.score, out))
        gather(items, i, work.score, out);
    if (items_any_nonzero(by_shared, items->shared))
        out->row[out->rows++] = (struct scaled_row){1, first, items->shared, NULL, by_shared, 1, 1};
}

void items_prefetch(const struct risk *risk, int64_t i, bool far) {
    const struct items *items = (const struct items *)risk;
    const struct dataset *data = items->data;
    int64_t first = items_first(items, i);
    if (far) {
        dataset_prefetch_start(data, first);
        return;
    }
    __builtin_prefetch(dataset_columns(data, first));
    if (data->value != NULL)
        __builtin_prefetch(dataset_values(data, first));
}
