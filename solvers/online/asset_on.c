/* asset_on.c - asset and asset* for streams: one step of asset.h for each example, in the order of the
 * stream. The features are those of the data, or a random map computes them from each example.
 *
 * A block of examples flows through learn(): new features are added, the rows are mapped by all threads (a
 * chunk at a time), then step() is called for each row.
 *
 * D_G is estimated at w = 0 from the first examples (--sample); where none of them has a loss there, as if
 * all had the derivative 1. D = sqrt((mean norm bound of the losses)/lambda), where the mean is that of the
 * first examples or of all so far, whichever is larger; for the hinge loss D = 1/sqrt(lambda). The step of
 * an example of weight c is multiplied by c/(mean weight so far). Without --average-from the average begins
 * anew at steps 2, 4, 8, ..., so it covers about half of the steps or less.
 *
 * Reference: Lee 2011, Algorithm 3 with (3.17) (ASSET_on, ASSET*_on). Step: O(nonzeros); with a map to n
 * features O(n nonzeros) to map the row, and O(n). */
#include "io/memory.h"
#include "math/dense.h"
#include "math/vector.h"
#include "solvers/online/asset.h"
#include "solvers/online/iterate.h"
#include "solvers/stream.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum {
    EXAMPLES_BETWEEN_FOLDS = 1 << 12, /* of the scale into the weights (iterate.h) */
    STRONG_SAMPLE = 1000,        /* first examples of asset*, for the norm bound of the losses */
    MAX_CHUNK_ROWS = 256,        /* rows that are mapped at a time, */
    MAX_CHUNK_NUMBERS = 1 << 21, /* and the numbers in their images */
    TASK_ROWS = 16               /* rows that one thread maps at a time */
};

struct stream_state {
    struct stream_problem problem;
    const struct asset_settings *settings;
    bool strong; /* asset* */
    struct asset_steps steps;
    struct iterate x; /* w and its average */
    struct stream_progress progress;
    double norm_bound;         /* weighted mean of the losses' norm bounds so far */
    double first_norm_bound;   /* their mean over the first examples */
    double gradient_length;    /* D_G */
    int32_t prepared_features; /* features that the map has frequencies for */
    int64_t chunk;             /* rows that are mapped at a time */
    double *phi;               /* chunk x n: the mapped rows; NULL: there is no map */
    double *work;              /* memory for mapping: work_size doubles for each thread */
    int64_t work_size;
};

static const int32_t first_column = 0;
static const double one = 1;

static void state_free(struct stream_state *s) {
    if (s == NULL)
        return;
    iterate_free(&s->x);
    free(s->phi);
    free(s->work);
    free(s);
}

/* ---- an example */

/* The example's features: those of row i, or its image under the map. `first` is the chunk's first row. */
static struct risk_part features_of(const struct stream_state *s, const struct dataset *block,
                                    int64_t i, int64_t first) {
    int64_t n = s->x.regularized;
    if (s->phi != NULL)
        return (struct risk_part){
            .count = n, .value = s->phi + (i - first) * n, .stride = 1, .width = 1};
    return (struct risk_part){.count = dataset_count(block, i),
                              .column = dataset_columns(block, i),
                              .value = dataset_values(block, i)};
}

static double score(const struct stream_state *s, const struct risk_part *x) {
    double u = x->column == NULL ? vector_dot_wide(s->x.v, x->value, x->count)
                                 : sparse_dot(s->x.v, x->column, x->value, x->count);
    return s->x.scale * u + (s->problem.intercept ? s->x.v[s->x.regularized] : 0);
}

/* ||x||^2, the offset's constant included. */
static double square_of(const struct stream_state *s, const struct risk_part *x) {
    return sparse_square(x->value, x->count) + s->problem.intercept;
}

/* Counts the example, and adds its present loss and norm bound to the weighted means. */
static void count(struct stream_state *s, double weight, double loss, double y) {
    struct stream_progress *p = &s->progress;
    double norm_bound = s->problem.loss->norm_bound(y, &s->problem.parameters);
    p->examples++;
    p->weight += weight;
    if (weight > 0) {
        p->loss += (loss - p->loss) * (weight / p->weight);
        s->norm_bound += (norm_bound - s->norm_bound) * (weight / p->weight);
    }
}

/* One step with the example (x, y) of this weight. */
static void step(struct stream_state *s, struct risk_part *x, double y, double weight) {
    const struct stream_problem *problem = &s->problem;
    const struct risk_part constant = {0, s->x.regularized, 1, &first_column, &one, 1, 1};
    double a, loss = problem->loss->value(score(s, x), y, &problem->parameters, &a);
    count(s, weight, loss, y);
    if (weight == 0)
        return;
    /* The step size, by D (diameter) and B (the bound of the offset). */
    bool restart;
    double diameter = sqrt(fmax(s->first_norm_bound, s->norm_bound) / problem->lambda);
    s->steps.step_scale =
        (problem->intercept ? hypot(diameter, s->settings->bound) : diameter) / s->gradient_length;
    double eta = asset_step(&s->steps, &restart);
    double change = -eta * weight * (double)s->progress.examples / s->progress.weight;
    /* w <- (1 - eta lambda) w - eta a x, b <- b - eta a */
    iterate_shrink(&s->x, fmax(0, 1 - eta * problem->lambda));
    if (a != 0) {
        struct risk_part offset = constant;
        if (s->settings->online.limit)
            change *= online_limit(loss, a * a * square_of(s, x), -change);
        x->coefficient = offset.coefficient = a;
        iterate_add(&s->x, x, change, 0);
        if (problem->intercept)
            iterate_add(&s->x, &offset, 0, change);
    }
    /* Projection, and the average. */
    double square = iterate_square(&s->x);
    if (s->settings->online.project && square > diameter * diameter)
        iterate_shrink(&s->x, diameter / sqrt(square));
    if (problem->intercept)
        s->steps.clipped_steps += iterate_clip(&s->x, s->settings->bound);
    if (s->progress.examples % EXAMPLES_BETWEEN_FOLDS == 0)
        iterate_fold(&s->x);
    if (s->x.correction != NULL && restart)
        iterate_restart(&s->x);
    if (s->x.correction != NULL)
        iterate_count(&s->x, eta);
}

/* ---- blocks */

/* Maps the rows from <= i < to of the block into phi, in parallel. */
static int map_chunk(struct stream_state *s, const struct dataset *block, int64_t from, int64_t to,
                     struct error *e) {
    int64_t n = s->x.regularized;
    int bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : bad)
    for (int64_t i = from; i < to; i += TASK_ROWS) {
        int64_t end = i + TASK_ROWS < to ? i + TASK_ROWS : to;
        bad += map_rows(s->problem.map, block, i, end, s->phi + (i - from) * n,
                        s->work + omp_get_thread_num() * s->work_size) != 0;
    }
    return bad == 0 ? 0 : error_set(e, "a kernel value is not finite; scale the data");
}

/* Makes w, or the map, as large as the block's features require. For a map, the frequencies of half as many
 * features again are prepared, so that this is rare, as far as they fit in memory. */
static int add_features(struct stream_state *s, const struct dataset *block, struct error *e) {
    if (s->phi != NULL && block->features > s->prepared_features) {
        double max_features = s->problem.memory / sizeof(double) / (double)s->x.regularized / 2;
        double features_goal = fmax(block->features, 1.5 * s->prepared_features);
        s->prepared_features = (int32_t)fmin(features_goal, fmin(max_features, INT32_MAX - 1));
        return map_prepare(s->problem.map, s->prepared_features, e);
    }
    if (s->phi != NULL)
        return 0;
    return block->features <= s->x.regularized ? 0 : iterate_grow(&s->x, block->features, e);
}

static int learn(struct stream_state *s, const struct dataset *block, const double *target,
                 struct error *e) {
    if (add_features(s, block, e) != 0)
        return -1;
    int64_t chunk = s->phi != NULL ? s->chunk : block->rows;
    for (int64_t from = 0; from < block->rows; from += chunk) {
        int64_t to = from + chunk < block->rows ? from + chunk : block->rows;
        if (s->phi != NULL && map_chunk(s, block, from, to, e) != 0)
            return -1;
        for (int64_t i = from; i < to; i++) {
            struct risk_part x = features_of(s, block, i, from);
            step(s, &x, target[i], block->weight == NULL ? 1 : block->weight[i]);
        }
    }
    return isfinite(s->x.square) ? 0 : passes_overflow(e);
}

/* ---- the beginning and the end */

/* D_G (gradient_length) and the norm bound for D, from the first examples. */
static int find_constants(struct stream_state *s, const struct dataset *first, const double *target,
                          struct error *e) {
    int64_t rows = first->rows;
    double square = 0, lengths = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (s->phi != NULL && i % s->chunk == 0 &&
            map_chunk(s, first, i, i + s->chunk < rows ? i + s->chunk : rows, e) != 0)
            return -1;
        struct risk_part x = features_of(s, first, i, i - i % s->chunk);
        double a;
        s->problem.loss->value(0, target[i], &s->problem.parameters, &a);
        double length = square_of(s, &x);
        square += a * a * length;
        lengths += length;
        s->first_norm_bound +=
            s->problem.loss->norm_bound(target[i], &s->problem.parameters) / (double)rows;
    }
    s->gradient_length = square > 0    ? sqrt(square / (double)rows)
                         : lengths > 0 ? sqrt(lengths / (double)rows)
                                       : 1;
    return isfinite(s->gradient_length) && isfinite(s->first_norm_bound) ? 0 : passes_overflow(e);
}

static int map_memory_new(struct stream_state *s, struct error *e) {
    int64_t n = map_dimension(s->problem.map);
    s->chunk = MAX_CHUNK_NUMBERS / n < TASK_ROWS        ? TASK_ROWS
               : MAX_CHUNK_NUMBERS / n > MAX_CHUNK_ROWS ? MAX_CHUNK_ROWS
                                                        : MAX_CHUNK_NUMBERS / n;
    s->work_size = map_work_size(s->problem.map, TASK_ROWS);
    s->phi = memory_new(s->chunk, (size_t)n * sizeof(double), "mapped examples", e);
    s->work = memory_new(omp_get_max_threads(), (size_t)s->work_size * sizeof(double),
                         "room for mapping", e);
    return s->phi == NULL || s->work == NULL ? -1 : 0;
}

static int state_init(struct stream_state *s, const struct dataset *first, const double *target,
                      struct error *e) {
    bool averaged = s->settings->online.output == OUTPUT_AVERAGE;
    int64_t n = s->problem.map != NULL ? map_dimension(s->problem.map) : first->features;
    s->chunk = 1;
    if (iterate_zero(&s->x, n, n + s->problem.intercept, averaged, e) != 0 ||
        (s->problem.map != NULL && map_memory_new(s, e) != 0) || add_features(s, first, e) != 0)
        return -1;
    return find_constants(s, first, target, e);
}

static struct stream_state *begin(const struct stream_problem *problem, const void *options,
                                  const struct dataset *first, const double *target, bool strong,
                                  struct error *e) {
    struct stream_state *s = memory_zeroed(1, sizeof *s, "the state", e);
    if (s == NULL)
        return NULL;
    s->problem = *problem;
    s->settings = options;
    s->strong = strong;
    s->steps = (struct asset_steps){
        .strong = strong,
        .lambda = problem->lambda,
        .average_from = s->settings->average_from > 0 ? s->settings->average_from : INT64_MAX,
        .next_restart = 1};
    if (state_init(s, first, target, e) == 0)
        return s;
    state_free(s);
    return NULL;
}

static struct stream_state *begin_plain(const struct stream_problem *problem, const void *options,
                                        const struct dataset *first, const double *target,
                                        struct error *e) {
    return begin(problem, options, first, target, false, e);
}

static struct stream_state *begin_strong(const struct stream_problem *problem, const void *options,
                                         const struct dataset *first, const double *target,
                                         struct error *e) {
    return begin(problem, options, first, target, true, e);
}

static void progress(const struct stream_state *s, struct stream_progress *out) {
    *out = s->progress;
    out->norm = sqrt(iterate_square(&s->x));
}

static int64_t dimension(const struct stream_state *s) {
    return s->x.n;
}

static void copy(const struct stream_state *s, double *w) {
    if (s->x.correction != NULL && s->x.weight_sum > 0)
        iterate_copy_average(&s->x, w);
    else
        iterate_copy(&s->x, w);
}

static void note(const struct stream_state *s, char *text, size_t size) {
    if (s->problem.intercept)
        asset_note(&s->steps, s->settings->bound, text, size);
}

static int64_t first_examples(const void *options) {
    const struct asset_settings *settings = options;
    return settings->sample > 0 ? settings->sample : STRONG_SAMPLE;
}

static const struct stream_method method = {.begin_rows = first_examples,
                                            .begin = begin_plain,
                                            .learn = learn,
                                            .progress = progress,
                                            .dimension = dimension,
                                            .copy = copy,
                                            .note = note,
                                            .free = state_free};

static const struct stream_method strong_method = {.begin_rows = first_examples,
                                                   .begin = begin_strong,
                                                   .learn = learn,
                                                   .progress = progress,
                                                   .dimension = dimension,
                                                   .copy = copy,
                                                   .free = state_free};

static int check(const struct solver_request *request, struct error *e) {
    const struct asset_settings *settings = request->options;
    return settings->online.output != OUTPUT_BEST
               ? 0
               : error_usage(e, "--output best: a stream is not evaluated as a whole; last and "
                                "average work");
}

static const struct option_row options[] = {
    ONLINE_PROJECT_ROW, ONLINE_OUTPUT_ROW("average"), ONLINE_LIMIT_ROW,
    ASSET_AVERAGE_ROW("anew with steps 2, 4, 8, ..."), ASSET_STEP_ROWS};

static const struct option_row strong_options[] = {
    ONLINE_PROJECT_ROW, ONLINE_OUTPUT_ROW("average"), ONLINE_LIMIT_ROW,
    ASSET_AVERAGE_ROW("anew with steps 2, 4, 8, ...")};

const struct solver asset_on = {
    .name = "asset-on",
    .summary = "asset for streams: a pipe, or a file too large for memory",
    .reference = "Lee 2011, Algorithm 3 (ASSET_on)",
    .passes = 1,
    .offset = true,
    .regularizers = online_regularizers,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct asset_settings),
    .check = check,
    .stream = &method,
};

const struct solver asset_strong_on = {
    .name = "asset*-on",
    .summary = "asset* for streams: steps of size 1/(lambda t), no offset",
    .reference = "Lee 2011, section 3.3.3 (ASSET*_on)",
    .passes = 1,
    .regularizers = online_regularizers,
    .options = strong_options,
    .option_count = sizeof strong_options / sizeof *strong_options,
    .settings_size = sizeof(struct asset_settings),
    .check = check,
    .stream = &strong_method,
};
