/* scalar.c - the empirical risk of a scalar loss: the one loop over rows for all of them.
 *
 *     R(w) = sum_i c_i l(<w, x_i>, y_i) / sum_i c_i,   x_i = (row i, bias, 1 for an offset)
 *
 * A pass reads each row once: score, loss and gradient together. Rows are cut into blocks whose
 * number depends on the data alone; threads take blocks as they come, each block sums into its own
 * partial gradient, and the partials are added in block order: the same result for any number of
 * threads. */
#include "io/memory.h"
#include "math/vector.h"
#include "risk/risk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCKS_MOST = 64,
    WORTH_THREADS = 20000, /* nonzeros below which one thread is done before a second has started */
    LINE = 64              /* bytes of a cache line */
};

struct scalar_risk {
    struct risk risk; /* first: the rest of the program sees this */
    struct scalar_settings settings;
    double weight_sum;
    int blocks;
    double *partial; /* blocks x dimension */
    double value[BLOCKS_MOST];
};

static const int32_t first_column = 0;
static const double offset_value = 1;

static double row_weight(const struct scalar_risk *r, int64_t i) {
    return r->settings.weight == NULL ? 1 : r->settings.weight[i];
}

static const double *row_values(const struct dataset *data, int64_t i) {
    return data->value == NULL ? NULL : data->value + data->start[i];
}

/* <w, x_i>, with the constant features, at w = scale v but for the unscaled offset. */
static double row_score(const struct scalar_risk *r, const double *v, double scale, int64_t i) {
    const struct dataset *data = r->settings.data;
    int64_t from = data->start[i];
    double u = sparse_dot(v, data->column + from, row_values(data, i), data->start[i + 1] - from);
    if (r->settings.bias >= 0)
        u += r->settings.bias * v[data->features];
    u *= scale;
    if (r->settings.intercept)
        u += v[r->risk.regularized];
    return u;
}

/* gradient += c x_i */
static void row_add(const struct scalar_risk *r, double *gradient, double c, int64_t i) {
    const struct dataset *data = r->settings.data;
    int64_t from = data->start[i];
    sparse_add(gradient, c, data->column + from, row_values(data, i), data->start[i + 1] - from);
    if (r->settings.bias >= 0)
        gradient[data->features] += c * r->settings.bias;
    if (r->settings.intercept)
        gradient[r->risk.regularized] += c;
}

static bool worth_threads(const struct scalar_risk *r) {
    return r->settings.data->nonzeros > WORTH_THREADS;
}

static int64_t block_start(const struct scalar_risk *r, int block) {
    return (int64_t)((__int128)r->settings.data->rows * block / r->blocks);
}

/* The sum of weighted losses over one block, and of their subgradients unless NULL. */
static double evaluate_block(const struct scalar_risk *r, int block, const double *w, double mu,
                             double *gradient) {
    const struct scalar_settings *s = &r->settings;
    int64_t end = block_start(r, block + 1);
    double sum = 0;
    if (gradient != NULL)
        memset(gradient, 0, sizeof *gradient * (size_t)r->risk.dimension);
    for (int64_t i = block_start(r, block); i < end; i++) {
        double a, c = row_weight(r, i), u = row_score(r, w, 1, i), y = s->target[i];
        if (c == 0)
            continue;
        sum += c * (mu > 0 ? s->loss->smooth(u, y, mu, &s->parameters, &a)
                           : s->loss->value(u, y, &s->parameters, &a));
        if (gradient != NULL && a != 0)
            row_add(r, gradient, c * a, i);
    }
    return sum;
}

/* gradient = sum of the partials in block order / weight_sum. */
static void add_partials(const struct scalar_risk *r, double *gradient) {
    int64_t n = r->risk.dimension;
#pragma omp parallel for schedule(static) if (n > 10000)
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int block = 0; block < r->blocks; block++)
            sum += r->partial[block * n + j];
        gradient[j] = sum / r->weight_sum;
    }
}

/* The blocks' values, added in block order, / weight_sum. */
static double mean_of_values(const struct scalar_risk *r) {
    double sum = 0;
    for (int block = 0; block < r->blocks; block++)
        sum += r->value[block];
    return sum / r->weight_sum;
}

static double evaluate(const struct risk *risk, const double *w, double mu, double *gradient) {
    struct scalar_risk *r = (struct scalar_risk *)risk;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(r))
    for (int block = 0; block < r->blocks; block++)
        r->value[block] = evaluate_block(
            r, block, w, mu, gradient == NULL ? NULL : r->partial + block * risk->dimension);
    if (gradient != NULL)
        add_partials(r, gradient);
    return mean_of_values(r);
}

static void item(const struct risk *risk, int64_t i, const double *v, double scale,
                 struct risk_item *out) {
    const struct scalar_risk *r = (const struct scalar_risk *)risk;
    const struct scalar_settings *s = &r->settings;
    double a, u = row_score(r, v, scale, i);
    out->loss = s->loss->value(u, s->target[i], &s->parameters, &a);
    out->parts = 0;
    if (a == 0)
        return;
    int64_t from = s->data->start[i];
    out->part[out->parts++] = (struct risk_part){a, 0, s->data->start[i + 1] - from,
                                                 s->data->column + from, row_values(s->data, i)};
    if (s->bias >= 0)
        out->part[out->parts++] =
            (struct risk_part){a, s->data->features, 1, &first_column, &s->bias};
    if (s->intercept)
        out->part[out->parts++] =
            (struct risk_part){a, risk->regularized, 1, &first_column, &offset_value};
}

static void prefetch(const struct risk *risk, int64_t i, bool far) {
    const struct scalar_settings *s = &((const struct scalar_risk *)risk)->settings;
    const struct dataset *data = s->data;
    if (far) {
        __builtin_prefetch(&data->start[i]);
        __builtin_prefetch(&s->target[i]);
        return;
    }
    const char *column = (const char *)(data->column + data->start[i]);
    const char *column_end = (const char *)(data->column + data->start[i + 1]);
    for (int lines = 0; column < column_end && lines < 8; column += LINE, lines++)
        __builtin_prefetch(column);
    if (data->value == NULL)
        return;
    const char *value = (const char *)(data->value + data->start[i]);
    const char *value_end = (const char *)(data->value + data->start[i + 1]);
    for (int lines = 0; value < value_end && lines < 16; value += LINE, lines++)
        __builtin_prefetch(value);
}

/* max over rows of (L_i + slope radius ||x_i||) ||x_i||, bounded by two maxima. */
static void lipschitz(const struct risk *risk, double *constant, double *slope) {
    const struct scalar_risk *r = (const struct scalar_risk *)risk;
    const struct scalar_settings *s = &r->settings;
    double largest = 0, square = 0;
#pragma omp parallel for schedule(static) reduction(max : largest, square) if (worth_threads(r))
    for (int64_t i = 0; i < s->data->rows; i++) {
        if (row_weight(r, i) == 0)
            continue;
        double norm2 =
            sparse_square(row_values(s->data, i), s->data->start[i + 1] - s->data->start[i]) +
            (s->bias >= 0 ? s->bias * s->bias : 0) + s->intercept;
        largest = fmax(largest, s->loss->lipschitz(s->target[i], &s->parameters) * sqrt(norm2));
        square = fmax(square, norm2);
    }
    *constant = largest;
    *slope = s->loss->lipschitz_slope * square;
}

static double pull(const struct risk *risk) {
    struct scalar_risk *r = (struct scalar_risk *)risk;
    const struct scalar_settings *s = &r->settings;
#pragma omp parallel for schedule(static) if (worth_threads(r))
    for (int block = 0; block < r->blocks; block++) {
        double sum = 0;
        for (int64_t i = block_start(r, block); i < block_start(r, block + 1); i++)
            sum += row_weight(r, i) * s->loss->pull(s->target[i], &s->parameters);
        r->value[block] = sum;
    }
    return mean_of_values(r);
}

static void scalar_free(struct risk *risk) {
    free(((struct scalar_risk *)risk)->partial);
    free(risk);
}

static const struct risk_kind scalar_kind = {
    .name = "scalar",
    .evaluate = evaluate,
    .item = item,
    .prefetch = prefetch,
    .lipschitz = lipschitz,
    .pull = pull,
    .free = scalar_free,
};

/* Enough blocks for many threads, few enough that clearing and adding partials stays a small part
 * of a pass over the nonzeros. */
static int blocks_for(const struct dataset *data, int64_t dimension) {
    int64_t blocks = data->nonzeros / (4 * dimension + 1);
    return blocks < 2 ? 2 : blocks > BLOCKS_MOST ? BLOCKS_MOST : (int)blocks;
}

static int sum_weights(struct scalar_risk *r, struct error *e) {
    for (int64_t i = 0; i < r->settings.data->rows; i++)
        r->weight_sum += row_weight(r, i);
    if (!(r->weight_sum > 0) || isinf(r->weight_sum))
        return error_set(e, "the example weights sum to %g; a positive number is needed",
                         r->weight_sum);
    return 0;
}

struct risk *scalar_risk_new(const struct scalar_settings *settings, struct error *e) {
    struct scalar_risk *r = memory_zeroed(1, sizeof *r, "the risk", e);
    if (r == NULL)
        return NULL;
    r->settings = *settings;
    r->risk.kind = &scalar_kind;
    r->risk.regularized = settings->data->features + (settings->bias >= 0);
    r->risk.dimension = r->risk.regularized + settings->intercept;
    r->risk.items = settings->data->rows;
    r->risk.item_weight = settings->weight;
    r->blocks = blocks_for(settings->data, r->risk.dimension);
    r->partial = memory_new(r->blocks * r->risk.dimension, sizeof(double), "partial gradients", e);
    if (r->partial == NULL || sum_weights(r, e) != 0) {
        scalar_free(&r->risk);
        return NULL;
    }
    return &r->risk;
}
