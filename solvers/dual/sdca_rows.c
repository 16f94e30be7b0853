/* sdca_rows.c - a mean of losses of single scores as a risk whose items are its rows. */
#include "solvers/dual/sdca_rows.h"

#include "risk/items.h"

struct rows {
    struct items items; /* first */
    const struct scalar_terms *terms;
};

/* As in struct item_loss; never smoothed. */
static double value(const struct items *items, int64_t i, double *u, const double *v, double mu,
                    double *by_shared, double *constant, void *work) {
    const struct scalar_terms *terms = ((const struct rows *)items)->terms;
    double derivative,
        loss = terms->loss->value(*u, scalar_target(terms, i), &terms->parameters, &derivative);
    (void)v;
    (void)mu;
    (void)constant;
    (void)work;
    if (by_shared != NULL)
        *u = derivative;
    return loss;
}

static const struct item_loss row_loss = {.name = "rows", .value = value};

struct risk *sdca_rows_new(const struct scalar_terms *terms, struct error *e) {
    struct rows *rows = items_new(sizeof *rows, &row_loss, e);
    if (rows == NULL)
        return NULL;
    rows->terms = terms;
    const struct scalar_settings scalar = {.data = terms->design->data,
                                           .target = terms->target,
                                           .positive = terms->positive,
                                           .weight = terms->weight,
                                           .bias = terms->design->bias};
    const struct items_settings settings = {.scalar = &scalar, .loss = &row_loss, .width = 1};
    if (items_init(&rows->items, &settings, e) == 0)
        return &rows->items.risk;
    risk_free(&rows->items.risk);
    return NULL;
}
