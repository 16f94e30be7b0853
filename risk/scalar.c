/* scalar.c - the empirical risk of a scalar loss: the one loop over rows for all of them.
 *
 *     R(w) = sum_i c_i l(<w, x_i>, y_i) / sum_i c_i,   x_i = (row i, bias, 1 for an offset)
 *
 * A pass reads each row once: score, loss and gradient together, block by block (design.h). */
#include "io/memory.h"
#include "risk/risk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 64 }; /* bytes of a cache line */

struct scalar_risk {
    struct risk risk; /* first: the rest of the program sees this */
    struct scalar_terms terms;
    struct design design;
    double value[DESIGN_BLOCKS_MOST], constant[DESIGN_BLOCKS_MOST];
};

static const int32_t first_column = 0;
static const double offset_value = 1;

/* Weighted sums of the losses l and of -l*(a). */
struct sums {
    double value, constant;
};

/* Adds the sums of some rows, and their subgradients unless NULL. */
static void evaluate_rows(const struct scalar_risk *r, const struct window_rows *at,
                          const double *w, double mu, struct sums *sums, double *gradient) {
    const struct scalar_terms *s = &r->terms;
    for (int64_t i = at->from; i < at->to; i++) {
        double a, c = scalar_weight(s, i), u = design_product(&r->design, at, w, i);
        double y = scalar_target(s, i);
        if (c == 0)
            continue;
        double value = mu > 0 ? s->loss->smooth(u, y, mu, &s->parameters, &a)
                              : s->loss->value(u, y, &s->parameters, &a);
        sums->value += c * value;
        if (mu > 0)
            sums->constant += c * (value - a * u + mu / 2 * a * a);
        if (gradient != NULL && a != 0)
            design_add_product(&r->design, at, gradient, c * a, i);
    }
}

/* The sums over one block, and of the subgradients unless NULL. */
static void evaluate_block(struct scalar_risk *r, int block, const double *w, double mu,
                           double *gradient) {
    struct window_rows at = design_block_products(&r->design, block);
    struct sums sums = {0};
    if (gradient != NULL)
        memset(gradient, 0, sizeof *gradient * (size_t)(r->risk.dimension + r->design.width));
    while (window_next(&at))
        evaluate_rows(r, &at, w, mu, &sums, gradient);
    r->value[block] = sums.value;
    r->constant[block] = sums.constant;
}

/* The blocks' values, added in block order, / weight_sum. */
static double mean_of_blocks(const struct scalar_risk *r, const double *value) {
    double sum = 0;
    for (int block = 0; block < r->design.blocks; block++)
        sum += value[block];
    return sum / r->terms.weight_sum;
}

static double evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant) {
    struct scalar_risk *r = (struct scalar_risk *)risk;
    const struct design *design = &r->design;
    design_prepare(design, w);
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        evaluate_block(r, block, w, mu, gradient == NULL ? NULL : design_partial(design, block));
    if (gradient != NULL)
        design_add_partials(design, 1 / r->terms.weight_sum, gradient);
    if (gradient != NULL && constant != NULL && mu > 0)
        *constant = mean_of_blocks(r, r->constant);
    return risk_lacks_rows(risk) ? NAN : mean_of_blocks(r, r->value);
}

static void item(const struct risk *risk, int64_t i, const double *v, double scale,
                 struct risk_item *out) {
    const struct scalar_risk *r = (const struct scalar_risk *)risk;
    const struct scalar_terms *s = &r->terms;
    const struct design *design = &r->design;
    const struct dataset *data = design->data;
    const double *value = window_row(data, i);
    double a, u = design_score_of(design, v, scale, i, value);
    out->loss = s->loss->value(u, scalar_target(s, i), &s->parameters, &a);
    out->rows = 0;
    if (a == 0)
        return;
    out->row[out->rows++] = (struct scaled_row){
        a, 0, dataset_count(data, i), data->dense ? NULL : dataset_columns(data, i), value, 1, 1};
    if (design->bias >= 0)
        out->row[out->rows++] =
            (struct scaled_row){a, data->features, 1, &first_column, &design->bias, 1, 1};
    if (design->intercept)
        out->row[out->rows++] =
            (struct scaled_row){a, risk->regularized, 1, &first_column, &offset_value, 1, 1};
}

static void prefetch(const struct risk *risk, int64_t i, bool far) {
    const struct scalar_terms *s = &((const struct scalar_risk *)risk)->terms;
    const struct dataset *data = s->design->data;
    if (data->window != NULL) {
        if (far)
            data->window->expect(data->window, i);
        return;
    }
    if (far) {
        dataset_prefetch_start(data, i);
        __builtin_prefetch(&s->target[i]);
        return;
    }
    const char *column = (const char *)dataset_columns(data, i);
    const char *column_end = column + sizeof *data->column * (size_t)dataset_count(data, i);
    for (int lines = 0; !data->dense && column < column_end && lines < 8;
         column += LINE_BYTES, lines++)
        __builtin_prefetch(column);
    if (data->value == NULL)
        return;
    const char *value = (const char *)dataset_values(data, i);
    const char *value_end = (const char *)dataset_values(data, i + 1);
    for (int lines = 0; value < value_end && lines < 16; value += LINE_BYTES, lines++)
        __builtin_prefetch(value);
}

/* Raises *largest to the largest L_i ||x_i|| of some rows, and *square to ||x_i||^2. */
static void find_largest(const struct scalar_risk *r, int64_t from, int64_t to, double *largest,
                         double *square) {
    const struct scalar_terms *s = &r->terms;
    const struct design *design = &r->design;
    const struct dataset *data = design->data;
    for (int64_t i = from; i < to; i++) {
        if (scalar_weight(s, i) == 0)
            continue;
        double norm2 = row_square(data, i, design->bias) + design->intercept;
        *largest =
            fmax(*largest, s->loss->lipschitz(scalar_target(s, i), &s->parameters) * sqrt(norm2));
        *square = fmax(*square, norm2);
    }
}

/* max over rows of (L_i + slope radius ||x_i||) ||x_i||, bounded by two maxima. */
static void lipschitz(const struct risk *risk, double *constant, double *slope) {
    const struct scalar_risk *r = (const struct scalar_risk *)risk;
    double largest = 0, square = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(max                                        \
                                                        : largest, square) if (r->design.threads)
    for (int block = 0; block < r->design.blocks; block++) {
        struct window_rows at = design_block_rows(&r->design, block);
        while (window_next(&at))
            find_largest(r, at.from, at.to, &largest, &square);
    }
    *constant = largest;
    *slope = r->terms.loss->lipschitz_slope * square;
}

static double norm_bound(const struct risk *risk) {
    struct scalar_risk *r = (struct scalar_risk *)risk;
    const struct scalar_terms *s = &r->terms;
#pragma omp parallel for schedule(static) if (r->design.threads)
    for (int block = 0; block < r->design.blocks; block++) {
        int64_t end = design_block_start(&r->design, block + 1);
        double sum = 0;
        for (int64_t i = design_block_start(&r->design, block); i < end; i++)
            sum += scalar_weight(s, i) * s->loss->norm_bound(scalar_target(s, i), &s->parameters);
        r->value[block] = sum;
    }
    return mean_of_blocks(r, r->value);
}

static void scalar_free(struct risk *risk) {
    design_free(&((struct scalar_risk *)risk)->design);
    free(risk);
}

static const struct risk_kind scalar_kind = {
    .name = "scalar",
    .evaluate = evaluate,
    .item = item,
    .prefetch = prefetch,
    .lipschitz = lipschitz,
    .norm_bound = norm_bound,
    .free = scalar_free,
};

static int sum_weights(struct scalar_terms *terms, struct error *e) {
    for (int64_t i = 0; i < terms->design->rows; i++)
        terms->weight_sum += scalar_weight(terms, i);
    terms->weight_sum = communicator_sum_one(terms->design->data->communicator, terms->weight_sum);
    if (!(terms->weight_sum > 0) || isinf(terms->weight_sum))
        return error_set(e, "the example weights sum to %g; a positive number is needed",
                         terms->weight_sum);
    return 0;
}

struct risk *scalar_risk_new(const struct scalar_settings *settings, struct error *e) {
    struct scalar_risk *r = memory_zeroed(1, sizeof *r, "the risk", e);
    const struct dataset *data = settings->data;
    int status =
        r == NULL ? -1 : design_init(&r->design, data, settings->bias, settings->intercept, e);
    if (communicator_agree(data->communicator, status, e) != 0) {
        if (r != NULL)
            scalar_free(&r->risk);
        return NULL;
    }
    r->terms = (struct scalar_terms){.design = &r->design,
                                     .target = settings->target,
                                     .positive = settings->positive,
                                     .weight = settings->weight,
                                     .loss = settings->loss,
                                     .parameters = settings->parameters,
                                     .margin = settings->margin};
    if (sum_weights(&r->terms, e) != 0) {
        scalar_free(&r->risk);
        return NULL;
    }
    r->risk = (struct risk){.kind = &scalar_kind,
                            .dimension = r->design.columns,
                            .regularized = r->design.regularized,
                            .items = r->design.rows,
                            .item_weight = settings->weight,
                            .scalar = &r->terms};
    return &r->risk;
}
