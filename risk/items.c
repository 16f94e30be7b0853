/* items.c - the loop over items; see items.h. */
#include "risk/items.h"

#include "io/memory.h"
#include "math/outputs.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Multiplications below which one thread is done before a second has started. */
enum { ASK = 4096 }; /* scores between questions whether to stop */
enum { WORTH_THREADS = 50000, SHARE = 8, ROUND = 64 };

/* ---- rows */

static struct sparse_row row_of(const struct items *items, int64_t i) {
    const struct dataset *data = items->data;
    return (struct sparse_row){data->dense ? NULL : dataset_columns(data, i),
                               dataset_values(data, i), dataset_count(data, i)};
}

static const int32_t first_column = 0;

/* The constant feature as a row of its own, whose column is the first behind the data's. */
static struct sparse_row constant_row(const struct items *items) {
    return (struct sparse_row){&first_column, &items->bias, 1};
}

double items_row_square(const struct items *items, int64_t row) {
    double square =
        sparse_square(dataset_values(items->data, row), dataset_count(items->data, row));
    return square + (items->bias >= 0 ? items->bias * items->bias : 0);
}

/* The scores of an item's rows. */
static void find_scores(const struct items *items, int64_t i, const double *w, double *u) {
    int64_t first = items_first(items, i), end = items_end(items, i), width = items->width;
    memset(u, 0, sizeof *u * (size_t)((end - first) * width));
    for (int64_t r = first; r < end && width > 0; r++, u += width) {
        const struct sparse_row row = row_of(items, r), constant = constant_row(items);
        outputs_score(&row, w, width, u);
        if (items->bias >= 0)
            outputs_score(&constant, w + items->data->features * width, width, u);
    }
}

static bool any(const double *a, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        if (a[k] != 0)
            return true;
    return false;
}

/* gradient += c sum over rows of x_r (their derivatives)', which it multiplies by c. */
static void add_rows(const struct items *items, int64_t i, double c, double *derivative,
                     double *gradient) {
    int64_t first = items_first(items, i), end = items_end(items, i), width = items->width;
    for (int64_t r = first; r < end; r++, derivative += width) {
        const struct sparse_row row = row_of(items, r), constant = constant_row(items);
        if (!any(derivative, width))
            continue;
        vector_scale(derivative, c, width);
        outputs_add(&row, gradient, width, derivative);
        if (items->bias >= 0)
            outputs_add(&constant, gradient + items->data->features * width, width, derivative);
    }
}

/* ---- a thread's room: scores of an item, derivatives by the shared weights, the loss's */

struct slot {
    double *score, *by_shared;
    void *room;
};

static size_t rounded(size_t bytes) {
    return (bytes + ROUND - 1) / ROUND * ROUND;
}

static struct slot slot_of(const struct items *items, int k) {
    char *at = items->memory + (size_t)k * items->slot_bytes;
    size_t scores = rounded(sizeof(double) * (size_t)(items->rows_most * items->width));
    size_t shared = rounded(sizeof(double) * (size_t)items->shared);
    return (struct slot){(double *)at, (double *)(at + scores), at + scores + shared};
}

/* ---- the batch */

static double weight_of(const struct items *items, int64_t i) {
    return items->weight == NULL ? 1 : items->weight[i];
}

/* What an evaluation is of: the weights W, or, where the scores of all rows are known, these; the shared weights
 * V. */
struct pass {
    const double *w, *v;
    double mu;
    bool wanted;         /* derivatives are, */
    const double *score; /* rows x width; NULL: not known */
    double *derivative;  /* the same: those by the scores, where these are known */
};

static void take_scores(const struct items *items, int64_t i, const struct pass *pass, double *u) {
    int64_t width = items->width, first = items_first(items, i);
    if (pass->score == NULL)
        find_scores(items, i, pass->w, u);
    else
        memcpy(u, pass->score + first * width,
               sizeof *u * (size_t)((items_end(items, i) - first) * width));
}

static void give_derivatives(const struct items *items, int64_t i, const struct pass *pass,
                             double c, double *derivative, double *gradient) {
    int64_t width = items->width, first = items_first(items, i);
    if (pass->score == NULL)
        add_rows(items, i, c, derivative, gradient);
    else
        memcpy(pass->derivative + first * width, derivative,
               sizeof *derivative * (size_t)((items_end(items, i) - first) * width));
}

/* c_i l_i, whose derivatives are added to GRADIENT unless NULL, and c_i t_i to *constant. */
static double evaluate_item(const struct items *items, int64_t i, const struct pass *pass,
                            const struct slot *slot, double *gradient, double *constant) {
    double c = weight_of(items, i), t = 0;
    if (c == 0)
        return 0;
    take_scores(items, i, pass, slot->score);
    if (gradient == NULL)
        return c *
               items->loss->value(items, i, slot->score, pass->v, pass->mu, NULL, &t, slot->room);
    memset(slot->by_shared, 0, sizeof(double) * (size_t)items->shared);
    double value = items->loss->value(items, i, slot->score, pass->v, pass->mu, slot->by_shared, &t,
                                      slot->room);
    give_derivatives(items, i, pass, c, slot->score, gradient);
    double *shared = gradient + items->risk.dimension - items->shared;
    for (int64_t k = 0; k < items->shared; k++)
        shared[k] += c * slot->by_shared[k];
    *constant += c * t;
    return c * value;
}

static int64_t block_start(const struct items *items, int block) {
    return (int64_t)((__int128)items->count * block / items->blocks);
}

/* The first coordinate of which a pass finds derivatives. */
static int64_t first_found(const struct items *items, const struct pass *pass) {
    return pass->score == NULL ? 0 : items->risk.dimension - items->shared;
}

static void evaluate_block(const struct items *items, int block, const struct pass *pass) {
    struct slot slot = slot_of(items, omp_get_thread_num());
    int64_t n = items->risk.dimension, end = block_start(items, block + 1);
    int64_t found = first_found(items, pass);
    double *gradient = pass->wanted ? items->partial + block * n : NULL;
    double sum = 0, constant = 0;
    if (pass->wanted)
        memset(gradient + found, 0, sizeof *gradient * (size_t)(n - found));
    int64_t first = block_start(items, block), each = items->rows_most * items->width + 1;
    for (int64_t i = first; i < end; i++) {
        if ((i - first) % (1 + ASK / each) == 0 && risk_stopped(&items->risk)) {
            sum = NAN;
            break;
        }
        sum += evaluate_item(items, i, pass, &slot, gradient, &constant);
    }
    items->value[block] = sum;
    items->constant[block] = constant;
}

static double mean_of(const struct items *items, const double *value) {
    double sum = 0;
    for (int block = 0; block < items->blocks; block++)
        sum += value[block];
    return sum / items->weight_sum;
}

/* gradient = the mean's, from coordinate FROM on. */
static void add_partials(const struct items *items, int64_t from, double *gradient) {
    int64_t n = items->risk.dimension;
#pragma omp parallel for schedule(static) if (n - from > 10000)
    for (int64_t j = from; j < n; j++) {
        double sum = 0;
        for (int block = 0; block < items->blocks; block++)
            sum += items->partial[block * n + j];
        gradient[j - from] = sum / items->weight_sum;
    }
}

static void prepare(const struct items *items, const double *v, double mu) {
    if (items->loss->prepare != NULL)
        items->loss->prepare((struct items *)items, v, mu);
}

static int team_of(const struct items *items) {
    int threads = omp_get_max_threads();
    return !items->threads ? 1 : threads < items->slots ? threads : items->slots;
}

/* The risk; the gradient, from the first coordinate that is found on, unless NULL. */
static double evaluate_all(const struct items *items, const struct pass *pass, double *gradient) {
    int team = team_of(items);
    prepare(items, pass->v, pass->mu);
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
    for (int block = 0; block < items->blocks; block++)
        evaluate_block(items, block, pass);
    if (pass->wanted)
        add_partials(items, first_found(items, pass), gradient);
    return mean_of(items, items->value);
}

static double evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant) {
    const struct items *items = (const struct items *)risk;
    const struct pass pass = {
        .w = w, .v = w + risk->dimension - items->shared, .mu = mu, .wanted = gradient != NULL};
    double value = evaluate_all(items, &pass, gradient);
    if (gradient != NULL && constant != NULL && mu > 0 && items->loss->smoothing != NULL)
        *constant = mean_of(items, items->constant);
    return value;
}

/* ---- all scores at once */

void items_scores(const struct items *items, const double *w, double *score) {
    int team = team_of(items);
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
    for (int block = 0; block < items->blocks; block++)
        for (int64_t i = block_start(items, block); i < block_start(items, block + 1); i++)
            find_scores(items, i, w, score + items_first(items, i) * items->width);
}

void items_combine(const struct items *items, double *derivative, double *gradient) {
    int64_t n = items->risk.dimension;
    int team = team_of(items);
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
    for (int block = 0; block < items->blocks; block++) {
        double *own = items->partial + block * n;
        memset(own, 0, sizeof *own * (size_t)n);
        for (int64_t i = block_start(items, block); i < block_start(items, block + 1); i++)
            add_rows(items, i, weight_of(items, i),
                     derivative + items_first(items, i) * items->width, own);
    }
    add_partials(items, 0, gradient);
}

double items_evaluate_scores(const struct items *items, const double *score, const double *v,
                             double mu, double *derivative, double *by_shared) {
    const struct pass pass = {
        .v = v, .mu = mu, .wanted = derivative != NULL, .score = score, .derivative = derivative};
    return evaluate_all(items, &pass, by_shared);
}

double items_mean(const struct items *items,
                  double (*number)(const struct items *items, int64_t i, void *opaque),
                  void *opaque) {
    int team = team_of(items);
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
    for (int block = 0; block < items->blocks; block++) {
        double sum = 0;
        for (int64_t i = block_start(items, block); i < block_start(items, block + 1); i++) {
            double c = weight_of(items, i);
            sum += c > 0 ? c * number(items, i, opaque) : 0;
        }
        items->value[block] = sum;
    }
    return mean_of(items, items->value);
}

static double profile(const struct risk *risk, double *w, bool again, double slack,
                      double *gradient, double *constant) {
    struct items *items = (struct items *)risk;
    return items->loss->profile(items, w, again, slack, gradient, constant);
}

/* ---- items alone */

/* The derivatives of a single row by at most two outputs: a part for each of them, and one for its constant
 * feature. */
static bool take_outputs(const struct items *items, int64_t i, const double *derivative,
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
        const struct sparse_row row = row_of(items, i);
        double a = derivative[found[f]];
        out->part[out->parts++] =
            (struct risk_part){a, found[f], row.count, row.column, row.value, (int32_t)width, 1};
        if (items->bias >= 0)
            out->part[out->parts++] = (struct risk_part){a,
                                                         items->data->features * width + found[f],
                                                         1,
                                                         &first_column,
                                                         &items->bias,
                                                         (int32_t)width,
                                                         1};
    }
    return true;
}

/* The place of a column in the item's list, which it joins with numbers of 0. */
static double *number_of(const struct items *items, int32_t column, int64_t *count,
                         struct risk_item *out) {
    int32_t *slot = &items->slot[column];
    if (*slot < 0) {
        *slot = (int32_t)*count;
        out->column[(*count)++] = column;
        memset(out->number + *slot * items->width, 0, sizeof(double) * (size_t)items->width);
    }
    return out->number + *slot * items->width;
}

static void gather_row(const struct items *items, int64_t r, const double *derivative,
                       int64_t *count, struct risk_item *out) {
    const struct sparse_row row = row_of(items, r);
    for (int64_t j = 0; j < row.count; j++) {
        double *number =
            number_of(items, row.column == NULL ? (int32_t)j : row.column[j], count, out);
        double x = row.value == NULL ? 1 : row.value[j];
        for (int64_t k = 0; k < items->width; k++)
            number[k] += x * derivative[k];
    }
    if (items->bias >= 0) {
        double *number = number_of(items, items->data->features, count, out);
        for (int64_t k = 0; k < items->width; k++)
            number[k] += items->bias * derivative[k];
    }
}

/* What the rows give to each feature, features that they share once. */
static void gather(const struct items *items, int64_t i, const double *derivative,
                   struct risk_item *out) {
    int64_t width = items->width, end = items_end(items, i), count = 0;
    for (int64_t r = items_first(items, i); r < end; r++, derivative += width)
        if (any(derivative, width))
            gather_row(items, r, derivative, &count, out);
    for (int64_t k = 0; k < count; k++)
        items->slot[out->column[k]] = -1;
    if (count > 0)
        out->part[out->parts++] = (struct risk_part){
            1, 0, count, out->column, out->number, (int32_t)width, (int32_t)width};
}

/* The room of an item: what the features receive; scores; the shared weights as they are; the
 * derivatives by them. */
static void item(const struct risk *risk, int64_t i, const double *v, double scale,
                 struct risk_item *out) {
    const struct items *items = (const struct items *)risk;
    struct slot slot = slot_of(items, 0);
    int64_t rows = items_end(items, i) - items_first(items, i),
            first = risk->dimension - items->shared;
    double *shared = out->number + items->nonzeros_most * items->width;
    double *by_shared = shared + items->shared, t;
    find_scores(items, i, v, slot.score);
    vector_scale(slot.score, scale, rows * items->width);
    for (int64_t k = 0; k < items->shared; k++) {
        shared[k] = (first + k < risk->regularized ? scale : 1) * v[first + k];
        by_shared[k] = 0;
    }
    prepare(items, shared, 0);
    /* a place that is not NULL asks for derivatives, also where nothing is shared */
    out->loss = items->loss->value(items, i, slot.score, shared, 0, by_shared, &t, slot.room);
    out->parts = 0;
    if (!take_outputs(items, i, slot.score, out))
        gather(items, i, slot.score, out);
    if (any(by_shared, items->shared))
        out->part[out->parts++] =
            (struct risk_part){1, first, items->shared, NULL, by_shared, 1, 1};
}

static void prefetch(const struct risk *risk, int64_t i, bool far) {
    const struct items *items = (const struct items *)risk;
    const struct dataset *data = items->data;
    int64_t first = items_first(items, i);
    if (far) {
        __builtin_prefetch(&data->start[first]);
        return;
    }
    __builtin_prefetch(dataset_columns(data, first));
    if (data->value != NULL)
        __builtin_prefetch(dataset_values(data, first));
}

/* ---- constants */

static void lipschitz(const struct risk *risk, double *constant, double *slope) {
    const struct items *items = (const struct items *)risk;
    double most = 0;
    for (int64_t i = 0; i < items->count; i++)
        if (weight_of(items, i) > 0)
            most = fmax(most, items->loss->lipschitz(items, i));
    *constant = most;
    *slope = 0;
}

typedef double item_number(const struct items *items, int64_t i);

static double mean_over(const struct items *items, item_number *number) {
    double sum = 0;
    for (int64_t i = 0; i < items->count; i++) {
        double c = weight_of(items, i);
        sum += c > 0 ? c * number(items, i) : 0;
    }
    return sum / items->weight_sum;
}

static double norm_bound(const struct risk *risk) {
    const struct items *items = (const struct items *)risk;
    return mean_over(items, items->loss->norm_bound);
}

static int smooth(const struct risk *risk, struct error *e) {
    struct items *items = (struct items *)risk;
    if (items->loss->smooth == NULL)
        return 0;
    if (items->loss->smooth(items, e) != 0)
        return -1;
    items->risk.smoothing = mean_over(items, items->loss->smoothing);
    return 0;
}

/* square += c times those of a row, for its features alone. */
static void add_row_squares(const struct items *items, int64_t r, double c, double *square) {
    const struct sparse_row row = row_of(items, r);
    for (int64_t j = 0; j < row.count; j++) {
        double x = row.value == NULL ? 1 : row.value[j];
        square[(row.column == NULL ? j : row.column[j]) * items->width] += c * x * x;
    }
    if (items->bias >= 0)
        square[items->data->features * items->width] += c * items->bias * items->bias;
}

/* The same for all outputs. A shared weight is of a pair of outputs, that of a feature of one. */
static void squares(const struct risk *risk, double *square) {
    const struct items *items = (const struct items *)risk;
    int64_t width = items->width, features = risk->dimension - items->shared;
    double rows = 0;
    memset(square, 0, sizeof *square * (size_t)features);
    for (int64_t i = 0; i < items->count; i++) {
        int64_t first = items_first(items, i), end = items_end(items, i);
        rows += weight_of(items, i) * (double)(end - first);
        for (int64_t r = first; r < end && width > 0; r++)
            add_row_squares(items, r, weight_of(items, i), square);
    }
    for (int64_t j = 0; j < features; j += width)
        for (int64_t k = width - 1; k >= 0; k--)
            square[j + k] = square[j] / rows;
    for (int64_t k = 0; k < items->shared; k++)
        square[features + k] = width > 0 ? 1 / (double)width : 1;
}

/* ---- memory */

static void free_items(struct risk *risk) {
    struct items *items = (struct items *)risk;
    if (items->loss->free != NULL)
        items->loss->free(items);
    free(items->weight);
    free(items->partial);
    free(items->value);
    free(items->memory);
    free(items->slot);
    free(items);
}

static const struct risk_kind items_kind = {
    .name = "items",
    .evaluate = evaluate,
    .item = item,
    .prefetch = prefetch,
    .lipschitz = lipschitz,
    .norm_bound = norm_bound,
    .smooth = smooth,
    .squares = squares,
    .profile = profile,
    .free = free_items,
};

void *items_new(size_t size, const struct item_loss *loss, struct error *e) {
    struct items *items = memory_zeroed(1, size, "the risk", e);
    if (items != NULL) {
        items->loss = loss;
        items->risk.kind = &items_kind;
    }
    return items;
}

static void measure_items(struct items *items) {
    const struct dataset *data = items->data;
    for (int64_t i = 0; i < items->count; i++) {
        int64_t first = items_first(items, i), end = items_end(items, i), nonzeros = 0;
        for (int64_t r = first; r < end; r++)
            nonzeros += dataset_count(data, r) + (items->bias >= 0);
        items->rows_most = end - first > items->rows_most ? end - first : items->rows_most;
        items->nonzeros_most = nonzeros > items->nonzeros_most ? nonzeros : items->nonzeros_most;
    }
}

/* The weight of an item's rows. */
static int take_weights(struct items *items, const double *weight, struct error *e) {
    items->weight_sum = (double)items->count;
    if (weight == NULL)
        return 0;
    items->weight = memory_new(items->count, sizeof *items->weight, "weights", e);
    if (items->weight == NULL)
        return -1;
    items->weight_sum = 0;
    for (int64_t i = 0; i < items->count; i++) {
        int64_t first = items_first(items, i);
        items->weight_sum += items->weight[i] = weight[first];
        for (int64_t r = first + 1; r < items_end(items, i); r++)
            if (weight[r] != weight[first])
                return error_usage(e,
                                   "-L %s needs one weight for all rows of a group (-w, --weights, "
                                   "\"cost:\"); those of qid %" PRId64 " differ",
                                   items->loss->name, items->data->group_id[i]);
    }
    if (!(items->weight_sum > 0) || isinf(items->weight_sum))
        return error_set(e, "the example weights sum to %g; a positive number is needed",
                         items->weight_sum);
    return 0;
}

/* Blocks enough for many threads, and few enough that clearing and adding partial gradients stays a
 * small part of a pass. */
static int blocks_for(const struct items *items, double work) {
    double blocks = work / (SHARE * (double)items->risk.dimension + 1);
    return blocks < 2 ? 2 : blocks > DESIGN_BLOCKS_MOST ? DESIGN_BLOCKS_MOST : (int)blocks;
}

/* What is asked for at once, and is there: products that cannot overflow, and no machine that stops where
 * there are weights for each pair of thousands of labels. */
static int check_room(const struct items *items, struct error *e) {
    double width = (double)items->width, shared = (double)items->shared;
    double slot = (double)items->rows_most * width + shared + (double)items->room / sizeof(double);
    double item = (double)items->nonzeros_most * width + 2 * shared;
    double numbers =
        (double)items->blocks * (double)items->risk.dimension + omp_get_max_threads() * slot + item;
    double bytes = sizeof(double) * numbers;
    if (bytes <= memory_of_machine())
        return 0;
    return error_set(e,
                     "-L %s: %" PRId64 " outputs%s take %.3g GB, more than this machine has; fewer "
                     "labels or features are needed",
                     items->loss->name, items->width,
                     items->shared > 0 ? " and the weights that they share" : "", bytes / 1e9);
}

static int make_room(struct items *items, struct error *e) {
    int64_t columns = items->data->features + (items->bias >= 0);
    items->slots = omp_get_max_threads();
    items->slot_bytes = rounded(sizeof(double) * (size_t)(items->rows_most * items->width)) +
                        rounded(sizeof(double) * (size_t)items->shared) + rounded(items->room);
    items->memory = memory_new(items->slots, items->slot_bytes, "the items", e);
    items->partial = memory_new(items->blocks * items->risk.dimension, sizeof *items->partial,
                                "partial gradients", e);
    items->value = memory_new(2 * items->blocks, sizeof *items->value, "partial values", e);
    items->slot = memory_new(columns, sizeof *items->slot, "places of columns", e);
    if (items->memory == NULL || items->partial == NULL || items->value == NULL ||
        items->slot == NULL)
        return -1;
    items->constant = items->value + items->blocks;
    for (int64_t j = 0; j < columns; j++)
        items->slot[j] = -1;
    return 0;
}

static void finish_risk(struct items *items) {
    struct risk *risk = &items->risk;
    risk->items = items->count;
    risk->item_weight = items->weight;
    risk->item_numbers = items->nonzeros_most * items->width + 2 * items->shared + 1;
    risk->item_columns = items->nonzeros_most + 1;
    if (items->loss->smoothing != NULL)
        risk->smoothing = mean_over(items, items->loss->smoothing);
}

int items_init(struct items *items, const struct items_settings *settings, struct error *e) {
    const struct scalar_settings *scalar = settings->scalar;
    const struct dataset *data = scalar->data;
    struct risk *risk = &items->risk;
    items->data = data;
    items->target = scalar->target;
    items->bias = scalar->bias;
    items->count = settings->grouped ? data->groups : data->rows;
    items->start = settings->grouped ? data->group_start : NULL;
    items->width = settings->width;
    items->shared = settings->shared;
    items->room = settings->room;
    int64_t columns = data->features + (scalar->bias >= 0);
    if (__builtin_mul_overflow(columns, items->width, &risk->dimension) ||
        __builtin_add_overflow(risk->dimension, items->shared, &risk->dimension))
        return error_set(e, "features times outputs is too large");
    risk->regularized = risk->dimension - settings->offsets;
    measure_items(items);
    double work =
        (double)data->nonzeros * (double)items->width + (double)data->rows * (double)items->shared;
    items->blocks = blocks_for(items, work);
    items->threads = work > WORTH_THREADS;
    if (take_weights(items, scalar->weight, e) != 0 || check_room(items, e) != 0 ||
        make_room(items, e) != 0)
        return -1;
    finish_risk(items);
    return 0;
}
