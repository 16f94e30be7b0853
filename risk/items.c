/* items.c - the loop over items; see items.h. */
#include "risk/items_parts.h"

#include "io/memory.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SCORES_PER_CHECK = 4096 };   /* between checks for an interruption */
enum { MIN_PARALLEL_WORK = 50000 }; /* multiplications: below, a second thread starts too late */
enum { WORK_PER_GRADIENT = 8 }; /* multiplications of a block per entry of its gradient, at least */

/* ---- the batch */

static double weight_of(const struct items *items, int64_t i) {
    return items->weight == NULL ? 1 : items->weight[i];
}

/* The arguments of an evaluation: either the weights W or the scores of all rows, and the shared weights V. */
struct pass {
    const double *w, *v;
    double mu;
    bool derivatives;    /* compute them, too */
    const double *score; /* rows x width; NULL: compute the scores from W */
    double *derivative;  /* rows x width: receives the derivatives by `score` */
};

static void get_scores(const struct items *items, int64_t i, const struct pass *pass, double *u) {
    int64_t width = items->width, first = items_first(items, i);
    if (pass->score == NULL)
        items_find_scores(items, i, pass->w, u);
    else
        memcpy(u, pass->score + first * width,
               sizeof *u * (size_t)((items_end(items, i) - first) * width));
}

static void store_derivatives(const struct items *items, int64_t i, const struct pass *pass,
                              double c, double *derivative, double *gradient) {
    int64_t width = items->width, first = items_first(items, i);
    if (pass->score == NULL)
        items_add_rows(items, i, c, derivative, gradient);
    else
        memcpy(pass->derivative + first * width, derivative,
               sizeof *derivative * (size_t)((items_end(items, i) - first) * width));
}

/* Returns c_i l_i. Adds its derivatives to GRADIENT and c_i t_i to *constant unless GRADIENT is NULL. */
static double evaluate_item(const struct items *items, int64_t i, const struct pass *pass,
                            const struct thread_work *work, double *gradient, double *constant) {
    double c = weight_of(items, i), t = 0;
    if (c == 0)
        return 0;
    get_scores(items, i, pass, work->score);
    if (gradient == NULL)
        return c *
               items->loss->value(items, i, work->score, pass->v, pass->mu, NULL, &t, work->loss);
    memset(work->by_shared, 0, sizeof(double) * (size_t)items->shared);
    double value = items->loss->value(items, i, work->score, pass->v, pass->mu, work->by_shared, &t,
                                      work->loss);
    store_derivatives(items, i, pass, c, work->score, gradient);
    double *shared = gradient + items->risk.dimension - items->shared;
    for (int64_t k = 0; k < items->shared; k++)
        shared[k] += c * work->by_shared[k];
    *constant += c * t;
    return c * value;
}

static int64_t block_start(const struct items *items, int block) {
    return (int64_t)((__int128)items->count * block / items->blocks);
}

/* The first coordinate of the gradient that a pass computes: with given scores only the shared weights. */
static int64_t first_coordinate(const struct items *items, const struct pass *pass) {
    return pass->score == NULL ? 0 : items->risk.dimension - items->shared;
}

static void evaluate_block(const struct items *items, int block, const struct pass *pass) {
    struct thread_work work = items_thread_work(items, omp_get_thread_num());
    int64_t n = items->risk.dimension, end = block_start(items, block + 1);
    int64_t computed = first_coordinate(items, pass);
    double *gradient = pass->derivatives ? items->partial + block * n : NULL;
    double sum = 0, constant = 0;
    if (pass->derivatives)
        memset(gradient + computed, 0, sizeof *gradient * (size_t)(n - computed));
    int64_t first = block_start(items, block), max_scores = items->max_rows * items->width + 1;
    for (int64_t i = first; i < end; i++) {
        if ((i - first) % (1 + SCORES_PER_CHECK / max_scores) == 0 && risk_stopped(&items->risk)) {
            sum = NAN;
            break;
        }
        sum += evaluate_item(items, i, pass, &work, gradient, &constant);
    }
    items->value[block] = sum;
    items->constant[block] = constant;
}

/* The weighted mean over the items from the sums of the blocks. */
static double mean_of_blocks(const struct items *items, const double *value) {
    double sum = 0;
    for (int block = 0; block < items->blocks; block++)
        sum += value[block];
    return sum / items->weight_sum;
}

/* gradient = the coordinates FROM, FROM + 1, ... of the mean of the blocks' gradients. */
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

static int threads_of(const struct items *items) {
    int threads = omp_get_max_threads();
    return !items->parallel ? 1 : threads < items->max_threads ? threads : items->max_threads;
}

/* Returns the risk. GRADIENT receives the coordinates from first_coordinate on if the pass has derivatives. */
static double evaluate_all(const struct items *items, const struct pass *pass, double *gradient) {
    int threads = threads_of(items);
    items_prepare(items, pass->v, pass->mu);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int block = 0; block < items->blocks; block++)
        evaluate_block(items, block, pass);
    if (pass->derivatives)
        add_partials(items, first_coordinate(items, pass), gradient);
    return mean_of_blocks(items, items->value);
}

static double evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant) {
    const struct items *items = (const struct items *)risk;
    const struct pass pass = {.w = w,
                              .v = w + risk->dimension - items->shared,
                              .mu = mu,
                              .derivatives = gradient != NULL};
    double value = evaluate_all(items, &pass, gradient);
    if (gradient != NULL && constant != NULL && mu > 0 && items->loss->smoothing != NULL)
        *constant = mean_of_blocks(items, items->constant);
    return value;
}

/* ---- all scores at once */

void items_scores(const struct items *items, const double *w, double *score) {
    int threads = threads_of(items);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int block = 0; block < items->blocks; block++)
        for (int64_t i = block_start(items, block); i < block_start(items, block + 1); i++)
            items_find_scores(items, i, w, score + items_first(items, i) * items->width);
}

void items_combine(const struct items *items, double *derivative, double *gradient) {
    int64_t n = items->risk.dimension;
    int threads = threads_of(items);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int block = 0; block < items->blocks; block++) {
        double *block_gradient = items->partial + block * n;
        memset(block_gradient, 0, sizeof *block_gradient * (size_t)n);
        for (int64_t i = block_start(items, block); i < block_start(items, block + 1); i++)
            items_add_rows(items, i, weight_of(items, i),
                           derivative + items_first(items, i) * items->width, block_gradient);
    }
    add_partials(items, 0, gradient);
}

double items_evaluate_scores(const struct items *items, const double *score, const double *v,
                             double mu, double *derivative, double *by_shared) {
    const struct pass pass = {.v = v,
                              .mu = mu,
                              .derivatives = derivative != NULL,
                              .score = score,
                              .derivative = derivative};
    return evaluate_all(items, &pass, by_shared);
}

double items_mean(const struct items *items,
                  double (*number)(const struct items *items, int64_t i, void *opaque),
                  void *opaque) {
    int threads = threads_of(items);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int block = 0; block < items->blocks; block++) {
        double sum = 0;
        for (int64_t i = block_start(items, block); i < block_start(items, block + 1); i++) {
            double c = weight_of(items, i);
            sum += c > 0 ? c * number(items, i, opaque) : 0;
        }
        items->value[block] = sum;
    }
    return mean_of_blocks(items, items->value);
}

static double profile(const struct risk *risk, double *w, bool again, double slack,
                      double *gradient, double *constant) {
    struct items *items = (struct items *)risk;
    return items->loss->profile(items, w, again, slack, gradient, constant);
}

static void visit(const struct risk *risk, struct state *state) {
    struct items *items = (struct items *)risk;
    if (items->loss->visit != NULL)
        items->loss->visit(items, state);
}

/* ---- constants */

static void lipschitz(const struct risk *risk, double *constant, double *slope) {
    const struct items *items = (const struct items *)risk;
    double largest = 0;
    for (int64_t i = 0; i < items->count; i++)
        if (weight_of(items, i) > 0)
            largest = fmax(largest, items->loss->lipschitz(items, i));
    *constant = largest;
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

/* The weights of a column: the first, and one behind the last. */
static int64_t first_weight(const struct items *items, int64_t column) {
    return items->risk.attested == NULL ? column * items->width
                                        : items->risk.attested->start[column];
}
static int64_t count_weights(const struct items *items, int64_t column) {
    return first_weight(items, column + 1) - first_weight(items, column);
}

/* square[first weight of j] += c x_j^2 for each feature j of a row that has weights. */
static void add_row_squares(const struct items *items, int64_t r, double c, double *square) {
    const struct sparse_row row = items_row(items, r);
    for (int64_t j = 0; j < row.count; j++) {
        double x = row.value == NULL ? 1 : row.value[j];
        int64_t column = row.column == NULL ? j : row.column[j];
        if (count_weights(items, column) > 0)
            square[first_weight(items, column)] += c * x * x;
    }
    if (items->bias >= 0)
        square[first_weight(items, items->data->features)] += c * items->bias * items->bias;
}

/* All weights of a column get what its first one has, divided by ROWS. */
static void spread_squares(const struct items *items, double rows, double *square) {
    int64_t columns = items->data->features + (items->bias >= 0);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t p = first_weight(items, j + 1) - 1; p >= first_weight(items, j); p--)
            square[p] = square[first_weight(items, j)] / rows;
}

/* A feature's mean square is the same for all outputs. A shared weight belongs to a pair of outputs and counts
 * as a feature that is 1 in a fraction 1/width of the rows. */
static void squares(const struct risk *risk, double *square) {
    const struct items *items = (const struct items *)risk;
    int64_t width = items->width, features = risk->dimension - items->shared;
    double rows = 0;
    struct communicator *communicator = items->data->communicator;
    memset(square, 0, sizeof *square * (size_t)features);
    for (int64_t i = 0; i < items->count; i++) {
        int64_t first = items_first(items, i), end = items_end(items, i);
        rows += weight_of(items, i) * (double)(end - first);
        for (int64_t r = first; r < end && width > 0; r++)
            add_row_squares(items, r, weight_of(items, i), square);
    }
    communicator_sum(communicator, square, features);
    spread_squares(items, communicator_sum_one(communicator, rows), square);
    for (int64_t k = 0; k < items->shared; k++)
        square[features + k] = width > 0 ? 1 / (double)width : 1;
}

/* ---- memory */

static void free_items(struct risk *risk) {
    struct items *items = (struct items *)risk;
    if (items->loss->free != NULL)
        items->loss->free(items);
    attested_free(&items->attested);
    free(items->weight);
    free(items->partial);
    free(items->value);
    free(items->thread_work);
    free(items->list_place);
    free(items);
}

static const struct risk_kind items_kind = {
    .name = "items",
    .evaluate = evaluate,
    .item = items_one,
    .prefetch = items_prefetch,
    .lipschitz = lipschitz,
    .norm_bound = norm_bound,
    .smooth = smooth,
    .squares = squares,
    .profile = profile,
    .visit = visit,
    .free = free_items,
};

const struct items *items_of(const struct risk *risk) {
    return risk->kind == &items_kind ? (const struct items *)risk : NULL;
}

void *items_new(size_t size, const struct item_loss *loss, struct error *e) {
    struct items *items = memory_zeroed(1, size, "the risk", e);
    if (items != NULL) {
        items->loss = loss;
        items->risk.kind = &items_kind;
    }
    return items;
}

/* The entries of the item's list that a row may need: its columns, or their weights if only some pairs have one. */
static int64_t row_entries(const struct items *items, int64_t r) {
    const struct sparse_row row = items_row(items, r);
    int64_t entries = 0;
    if (items->risk.attested == NULL)
        return row.count + (items->bias >= 0);
    for (int64_t j = 0; j < row.count; j++)
        entries += count_weights(items, row.column == NULL ? j : row.column[j]);
    return entries + (items->bias >= 0 ? items->width : 0);
}

/* Returns the multiplications of a pass by weights of features. */
static double measure_items(struct items *items) {
    const struct dataset *data = items->data;
    double numbers = 0;
    items->entry_width = items->risk.attested == NULL ? items->width : 1;
    for (int64_t i = 0; i < items->count; i++) {
        int64_t first = items_first(items, i), end = items_end(items, i), own = 0;
        for (int64_t r = first; r < end; r++)
            own += row_entries(items, r);
        items->max_rows = end - first > items->max_rows ? end - first : items->max_rows;
        items->max_entries = own > items->max_entries ? own : items->max_entries;
        numbers += (double)own;
    }
    return items->risk.attested == NULL ? (double)data->nonzeros * (double)items->width : numbers;
}

/* Sets the weight of each item from its rows. */
static int set_weights(struct items *items, const double *weight, struct error *e) {
    if (weight == NULL) {
        items->weight_sum = (double)items->count;
        return 0;
    }
    items->weight = memory_new(items->count, sizeof *items->weight, "weights", e);
    if (items->weight == NULL)
        return -1;
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
    return 0;
}

/* The weights of the items of all processes. */
static int sum_weights(struct items *items, struct error *e) {
    items->weight_sum = communicator_sum_one(items->data->communicator, items->weight_sum);
    if (!(items->weight_sum > 0) || isinf(items->weight_sum))
        return error_set(e, "the example weights sum to %g; a positive number is needed",
                         items->weight_sum);
    return 0;
}

/* The number of blocks: many, so that many threads are busy; but so few that clearing and adding the blocks'
 * gradients is a small part of a pass. */
static int blocks_for(const struct items *items, double work) {
    double blocks = work / (WORK_PER_GRADIENT * (double)items->risk.dimension + 1);
    return blocks < 2 ? 2 : blocks > DESIGN_BLOCKS_MOST ? DESIGN_BLOCKS_MOST : (int)blocks;
}

/* Refuses a risk whose arrays exceed the machine's memory, such as weights for each pair of thousands of labels.
 * Later products of sizes then cannot overflow. */
static int check_memory(const struct items *items, struct error *e) {
    double width = (double)items->width, shared = (double)items->shared;
    double thread =
        (double)items->max_rows * width + shared + (double)items->work_bytes / sizeof(double);
    double item = (double)items->max_entries * (double)items->entry_width + 2 * shared;
    double numbers = (double)items->blocks * (double)items->risk.dimension +
                     omp_get_max_threads() * thread + item;
    double bytes = sizeof(double) * numbers;
    if (bytes <= memory_of_machine())
        return 0;
    return error_set(
        e,
        "-L %s: %" PRId64
        " outputs%s take %.3g GB, more than this machine has; fewer labels or features are needed",
        items->loss->name, items->width,
        items->shared > 0 ? " and the weights that they share" : "", bytes / 1e9);
}

static int allocate(struct items *items, struct error *e) {
    int64_t columns = items->data->features + (items->bias >= 0);
    int64_t entries = items->risk.attested == NULL ? columns : attested_count(items->risk.attested);
    items->max_threads = omp_get_max_threads();
    items->thread_bytes =
        items_whole_lines(sizeof(double) * (size_t)(items->max_rows * items->width)) +
        items_whole_lines(sizeof(double) * (size_t)items->shared) +
        items_whole_lines(items->work_bytes);
    items->thread_work = memory_new(items->max_threads, items->thread_bytes, "the items", e);
    items->partial = memory_new(items->blocks * items->risk.dimension, sizeof *items->partial,
                                "partial gradients", e);
    items->value = memory_new(2 * items->blocks, sizeof *items->value, "partial values", e);
    items->list_place = memory_zeroed(entries, sizeof *items->list_place, "places of columns", e);
    if (items->thread_work == NULL || items->partial == NULL || items->value == NULL ||
        items->list_place == NULL)
        return -1;
    items->constant = items->value + items->blocks;
    return 0;
}

static void finish_risk(struct items *items) {
    struct risk *risk = &items->risk;
    risk->items = items->count;
    risk->item_weight = items->weight;
    risk->item_numbers = items->max_entries * items->entry_width + 2 * items->shared + 1;
    risk->item_columns = items->max_entries + 1;
    if (items->loss->smoothing != NULL)
        risk->smoothing = mean_over(items, items->loss->smoothing);
}

/* The number of weights, and which pairs have one. */
static int lay_out(struct items *items, const struct items_settings *settings, struct error *e) {
    const struct scalar_settings *scalar = settings->scalar;
    struct risk *risk = &items->risk;
    bool constant = scalar->bias >= 0;
    if (settings->attested) {
        const struct attested_settings pairs = {scalar->data, scalar->target, scalar->weight,
                                                settings->width, constant};
        if (attested_init(&items->attested, &pairs, e) != 0)
            return -1;
        risk->attested = &items->attested;
        risk->dimension = attested_count(risk->attested);
    } else if (__builtin_mul_overflow(scalar->data->features + constant, items->width,
                                      &risk->dimension)) {
        return error_set(e, "features times outputs is too large");
    }
    if (__builtin_add_overflow(risk->dimension, items->shared, &risk->dimension))
        return error_set(e, "features times outputs is too large");
    risk->regularized = risk->dimension - settings->offsets;
    return 0;
}

int items_init(struct items *items, const struct items_settings *settings, struct error *e) {
    const struct scalar_settings *scalar = settings->scalar;
    const struct dataset *data = scalar->data;
    items->data = data;
    items->target = scalar->target;
    items->bias = scalar->bias;
    items->count = settings->grouped ? data->groups : data->rows;
    items->start = settings->grouped ? data->group_start : NULL;
    items->width = settings->width;
    items->shared = settings->shared;
    items->work_bytes = settings->work_bytes;
    if (lay_out(items, settings, e) != 0)
        return -1;
    double work = measure_items(items);
    double shared_work = (double)data->rows * (double)items->shared;
    items->blocks = blocks_for(items, work + (settings->attested ? 0 : shared_work));
    work += shared_work;
    items->parallel = work > MIN_PARALLEL_WORK;
    int status = set_weights(items, scalar->weight, e);
    if (communicator_agree(data->communicator, status, e) != 0 || sum_weights(items, e) != 0 ||
        check_memory(items, e) != 0 || allocate(items, e) != 0)
        return -1;
    finish_risk(items);
    return 0;
}
