/* items_rows.c - the rows of items: their scores and their share of a gradient; see items.h. */
#include "risk/items_parts.h"

/* The constant feature as a row with one entry. Its column is 0: callers add the offset of the constant's weights. */
static struct sparse_row constant_row(const struct items *items) {
    return (struct sparse_row){&items_first_column, &items->bias, 1};
}

double items_row_square(const struct items *items, int64_t row) {
    return row_square(items->data, row, items->bias);
}

/* The weights of the constant feature, one for each output. */
static int64_t constant_offset(const struct items *items) {
    int64_t features = items->data->features;
    return items->risk.attested == NULL ? features * items->width
                                        : items->risk.attested->start[features];
}

void items_find_scores(const struct items *items, int64_t i, const double *w, double *u) {
    int64_t first = items_first(items, i), end = items_end(items, i), width = items->width;
    memset(u, 0, sizeof *u * (size_t)((end - first) * width));
    for (int64_t r = first; r < end && width > 0; r++, u += width) {
        const struct sparse_row row = items_row(items, r), constant = constant_row(items);
        if (items->risk.attested != NULL)
            attested_score(items->risk.attested, &row, w, u);
        else
            outputs_score(&row, w, width, u);
        if (items->bias >= 0)
            outputs_score(&constant, w + constant_offset(items), width, u);
    }
}

void items_add_rows(const struct items *items, int64_t i, double c, double *derivative,
                    double *gradient) {
    int64_t first = items_first(items, i), end = items_end(items, i), width = items->width;
    for (int64_t r = first; r < end; r++, derivative += width) {
        const struct sparse_row row = items_row(items, r), constant = constant_row(items);
        if (!items_any_nonzero(derivative, width))
            continue;
        vector_scale(derivative, c, width);
        if (items->risk.attested != NULL)
            attested_add(items->risk.attested, &row, gradient, derivative);
        else
            outputs_add(&row, gradient, width, derivative);
        if (items->bias >= 0)
            outputs_add(&constant, gradient + constant_offset(items), width, derivative);
    }
}
