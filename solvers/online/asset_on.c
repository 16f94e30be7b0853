/* asset_on.c - asset and asset* for streams: one step of asset.h for each example, in the order of the
 * stream. The features are those of the data, or a random map computes them from each example.
 *
 * A block of examples flows through learn(): new features are added, the rows are mapped by all threads (a
 * chunk at a time), then step() is called for each row. With three labels or more there is a vector for each label
 * against the rest, and one more, `rest`, for which every example is negative: the vector of a label that comes late
 * begins as a copy of it, which is what it would be by then. Threads share the vectors; each sees the rows in order.
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
#include <string.h>

enum {
    EXAMPLES_BETWEEN_FOLDS = 1 << 12, /* of the scale into the weights (iterate.h) */
    STRONG_SAMPLE = 1000,        /* first examples of asset*, for the norm bound of the losses */
    MAX_CHUNK_ROWS = 256,        /* rows that are mapped at a time, */
    MAX_CHUNK_NUMBERS = 1 << 21, /* and the numbers in their images */
    TASK_ROWS = 16               /* rows that one thread maps at a time */
};

/* A weight vector, and what its steps depend on. */
struct vector {
    struct asset_steps steps;
    struct iterate x;        /* w and its average */
    int64_t examples;        /* learned so far, */
    double weight;           /* and the sum of their weights */
    double norm_bound;       /* weighted mean of the losses' norm bounds so far */
    double first_norm_bound; /* their mean over the first examples */
    double gradient_length;  /* D_G */
};

struct stream_state {
    struct stream_problem problem;
    const struct asset_settings *settings;
    struct vector *vector; /* problem.vectors; with several labels the rest follows */
    int64_t allocated;
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
    for (int64_t k = 0; k < s->allocated; k++)
        iterate_free(&s->vector[k].x);
    free(s->vector);
    free(s->phi);
    free(s->work);
    free(s);
}

/* All vectors, with the rest. */
static int64_t all_vectors(const struct stream_state *s) {
    return stream_scores(s->problem.vectors);
}

/* The features, or n of the map. */
static int64_t columns(const struct stream_state *s) {
    return s->vector[0].x.regularized;
}

/* ---- an example */

/* The example's features: those of row i, or its image under the map. `first` is the chunk's first row. */
static struct scaled_row features_of(const struct stream_state *s, const struct dataset *block,
                                     int64_t i, int64_t first) {
    int64_t n = columns(s);
    if (s->phi != NULL)
        return (struct scaled_row){
            .count = n, .value = s->phi + (i - first) * n, .stride = 1, .width = 1};
    return (struct scaled_row){.count = dataset_count(block, i),
                               .column = dataset_columns(block, i),
                               .value = dataset_values(block, i)};
}

/* The target of vector k: that of the row, or whether the row has its label. */
static double target_of(const struct stream_state *s, int64_t k, double target) {
    if (s->problem.vectors == 1)
        return target;
    return target == (double)k ? 1 : -1;
}

static double score(const struct stream_state *s, const struct iterate *x,
                    const struct scaled_row *row) {
    double u = row->column == NULL ? vector_dot_wide(x->v, row->value, row->count)
                                   : sparse_dot(x->v, row->column, row->value, row->count);
    return x->scale * u + (s->problem.intercept ? x->v[x->regularized] : 0);
}

/* ||x||^2, the offset's constant included. */
static double square_of(const struct stream_state *s, const struct scaled_row *x) {
    return sparse_square(x->value, x->count) + s->problem.intercept;
}

/* Counts the example, and adds its norm bound to the weighted mean. */
static void count(const struct stream_state *s, struct vector *v, double weight, double y) {
    double norm_bound = s->problem.loss->norm_bound(y, &s->problem.parameters);
    v->examples++;
    v->weight += weight;
    if (weight > 0)
        v->norm_bound += (norm_bound - v->norm_bound) * (weight / v->weight);
}

/* One step of the vector with the example (x, y) of this weight and the score U. */
static void step(const struct stream_state *s, struct vector *v, struct scaled_row *x, double y,
                 double weight, double u) {
    const struct stream_problem *problem = &s->problem;
    const struct scaled_row constant = {0, v->x.regularized, 1, &first_column, &one, 1, 1};
    double a, loss = problem->loss->value(u, y, &problem->parameters, &a);
    count(s, v, weight, y);
    if (weight == 0)
        return;
    /* The step size, by D (diameter) and B (the bound of the offset). */
    bool restart;
    double diameter = sqrt(fmax(v->first_norm_bound, v->norm_bound) / problem->lambda);
    v->steps.step_scale =
        (problem->intercept ? hypot(diameter, s->settings->bound) : diameter) / v->gradient_length;
    double eta = asset_step(&v->steps, &restart);
    double change = -eta * weight * (double)v->examples / v->weight;
    /* w <- (1 - eta lambda) w - eta a x, b <- b - eta a */
    iterate_shrink(&v->x, fmax(0, 1 - eta * problem->lambda));
    if (a != 0) {
        struct scaled_row offset = constant;
        if (s->settings->online.limit)
            change *= online_limit(loss, a * a * square_of(s, x), -change);
        x->coefficient = offset.coefficient = a;
        iterate_add(&v->x, x, change, 0);
        if (problem->intercept)
            iterate_add(&v->x, &offset, 0, change);
    }
    /* Projection, and the average. */
    double square = iterate_square(&v->x);
    if (s->settings->online.project && square > diameter * diameter)
        iterate_shrink(&v->x, diameter / sqrt(square));
    if (problem->intercept)
        v->steps.clipped_steps += iterate_clip(&v->x, s->settings->bound);
    if (v->examples % EXAMPLES_BETWEEN_FOLDS == 0)
        iterate_fold(&v->x);
    if (v->x.correction != NULL && restart)
        iterate_restart(&v->x);
    if (v->x.correction != NULL)
        iterate_count(&v->x, eta);
}

/* ---- blocks */

/* Maps the rows from <= i < to of the block into phi, in parallel. */
static int map_chunk(struct stream_state *s, const struct dataset *block, int64_t from, int64_t to,
                     struct error *e) {
    int64_t n = columns(s);
    int bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : bad)
    for (int64_t i = from; i < to; i += TASK_ROWS) {
        int64_t end = i + TASK_ROWS < to ? i + TASK_ROWS : to;
        bad += map_rows(s->problem.map, block, i, end, s->phi + (i - from) * n,
                        s->work + omp_get_thread_num() * s->work_size) != 0;
    }
    return bad == 0 ? 0 : error_set(e, "a kernel value is not finite; scale the data");
}

/* Prepares the map for the block's features. The frequencies of half as many features again are prepared, so that this
 * is rare, as far as they fit in memory. */
static int prepare_map(struct stream_state *s, int32_t features, struct error *e) {
    if (features <= s->prepared_features)
        return 0;
    double max_features = s->problem.memory / sizeof(double) / (double)columns(s) / 2;
    double features_goal = fmax(features, 1.5 * s->prepared_features);
    s->prepared_features = (int32_t)fmin(features_goal, fmin(max_features, INT32_MAX - 1));
    return map_prepare(s->problem.map, s->prepared_features, e);
}

/* Makes the vectors, or the map, as large as the block's features require. */
static int add_features(struct stream_state *s, const struct dataset *block, struct error *e) {
    if (s->phi != NULL)
        return prepare_map(s, block->features, e);
    if (block->features <= columns(s))
        return 0;
    for (int64_t k = all_vectors(s);
         k-- > 0;) /* the first one at last: the others' size follows from it */
        if (iterate_grow(&s->vector[k].x, block->features, e) != 0)
            return -1;
    return 0;
}

/* Vector k learns rows from <= i < to, of a chunk whose first row is `from`. */
static void learn_vector(const struct stream_state *s, int64_t k, const struct stream_rows *rows,
                         int64_t from, int64_t to) {
    const struct dataset *block = rows->block;
    struct vector *v = &s->vector[k];
    for (int64_t i = from; i < to; i++) {
        struct scaled_row x = features_of(s, block, i, from);
        double u = score(s, &v->x, &x);
        rows->score[(i - rows->from) * all_vectors(s) + k] = u;
        step(s, v, &x, target_of(s, k, rows->target[i]),
             block->weight == NULL ? 1 : block->weight[i], u);
    }
}

static bool is_finite(const struct stream_state *s) {
    for (int64_t k = 0; k < all_vectors(s); k++)
        if (!isfinite(s->vector[k].x.square))
            return false;
    return true;
}

static int learn(struct stream_state *s, const struct stream_rows *rows, struct error *e) {
    if (add_features(s, rows->block, e) != 0)
        return -1;
    int64_t chunk = s->phi != NULL ? s->chunk : rows->to - rows->from, vectors = all_vectors(s);
    for (int64_t from = rows->from; from < rows->to; from += chunk) {
        int64_t to = from + chunk < rows->to ? from + chunk : rows->to;
        if (s->phi != NULL && map_chunk(s, rows->block, from, to, e) != 0)
            return -1;
#pragma omp parallel for schedule(dynamic) if (vectors > 1)
        for (int64_t k = 0; k < vectors; k++)
            learn_vector(s, k, rows, from, to);
    }
    return is_finite(s) ? 0 : passes_overflow(e);
}

/* ---- the beginning and the end */

/* Adds an example's share of D_G^2 and of the norm bound for D to a vector's. */
static void add_constants(const struct stream_state *s, struct vector *v, double y, double length) {
    double a;
    s->problem.loss->value(0, y, &s->problem.parameters, &a);
    v->gradient_length += a * a * length;
    v->first_norm_bound += s->problem.loss->norm_bound(y, &s->problem.parameters);
}

/* D_G from the sums: of a^2 ||x||^2 (it is in gradient_length), and LENGTHS, of ||x||^2. */
static bool finish_constants(struct vector *v, double lengths, double rows) {
    double square = v->gradient_length;
    v->gradient_length = square > 0 ? sqrt(square / rows) : lengths > 0 ? sqrt(lengths / rows) : 1;
    v->first_norm_bound /= rows;
    return isfinite(v->gradient_length) && isfinite(v->first_norm_bound);
}

/* D_G and the norm bound for D of each vector, from the first examples. */
static int find_constants(struct stream_state *s, const struct dataset *first, const double *target,
                          struct error *e) {
    int64_t rows = first->rows;
    double lengths = 0;
    bool finite = true;
    for (int64_t i = 0; i < rows; i++) {
        if (s->phi != NULL && i % s->chunk == 0 &&
            map_chunk(s, first, i, i + s->chunk < rows ? i + s->chunk : rows, e) != 0)
            return -1;
        struct scaled_row x = features_of(s, first, i, i - i % s->chunk);
        double length = square_of(s, &x);
        lengths += length;
        for (int64_t k = 0; k < all_vectors(s); k++)
            add_constants(s, &s->vector[k], target_of(s, k, target[i]), length);
    }
    for (int64_t k = 0; k < all_vectors(s); k++)
        finite = finish_constants(&s->vector[k], lengths, (double)rows) && finite;
    return finite ? 0 : passes_overflow(e);
}

static int map_memory_new(struct stream_state *s, struct error *e) {
    int64_t n = map_dimension(s->problem.map);
    s->chunk = MAX_CHUNK_NUMBERS / n < TASK_ROWS        ? TASK_ROWS
               : MAX_CHUNK_NUMBERS / n > MAX_CHUNK_ROWS ? MAX_CHUNK_ROWS
                                                        : MAX_CHUNK_NUMBERS / n;
    s->work_size = map_work_size(s->problem.map, TASK_ROWS);
    s->phi = memory_new(s->chunk, (size_t)n * sizeof(double), "mapped examples", e);
    s->work = memory_new(omp_get_max_threads(), (size_t)s->work_size * sizeof(double),
                         "mapped features", e);
    return s->phi == NULL || s->work == NULL ? -1 : 0;
}

/* The vectors at 0. */
static int make_vectors(struct stream_state *s, int64_t n, bool strong, struct error *e) {
    int64_t count = all_vectors(s), from = s->settings->average_from;
    bool averaged = s->settings->online.output == OUTPUT_AVERAGE;
    s->vector = memory_zeroed(count, sizeof *s->vector, "the weights", e);
    if (s->vector == NULL)
        return -1;
    for (; s->allocated < count; s->allocated++) {
        struct vector *v = &s->vector[s->allocated];
        v->steps = (struct asset_steps){.strong = strong,
                                        .lambda = s->problem.lambda,
                                        .average_from = from > 0 ? from : INT64_MAX,
                                        .next_restart = 1};
        if (iterate_zero(&v->x, n, n + s->problem.intercept, averaged, e) != 0)
            return -1;
    }
    return 0;
}

static int state_init(struct stream_state *s, const struct dataset *first, const double *target,
                      bool strong, struct error *e) {
    int64_t n = s->problem.map != NULL                  ? map_dimension(s->problem.map)
                : first->features > s->problem.features ? first->features
                                                        : s->problem.features;
    s->chunk = 1;
    if (make_vectors(s, n, strong, e) != 0 ||
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
    if (state_init(s, first, target, strong, e) == 0)
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

/* The averages begin anew at the powers of 2 of all steps. */
static void start(struct stream_state *s, int64_t k, const double *w, int64_t examples) {
    struct vector *v = &s->vector[k];
    memcpy(v->x.v, w, sizeof *w * (size_t)v->x.n);
    v->x.square = vector_dot(w, w, v->x.regularized);
    v->steps.j = examples;
    v->steps.average_start = examples + 1;
    while (v->steps.next_restart <= examples)
        v->steps.next_restart *= 2;
}

/* The vector `rest` becomes that of the new label; a copy of it is the new `rest`. */
static int add_vector(struct stream_state *s, struct error *e) {
    int64_t rest = s->problem.vectors;
    void *larger = s->vector;
    struct iterate copy;
    if (memory_resize(&larger, rest + 2, sizeof *s->vector, "the weights", e) != 0)
        return -1;
    s->vector = larger;
    if (iterate_clone(&s->vector[rest].x, &copy, e) != 0)
        return -1;
    s->vector[rest + 1] = s->vector[rest];
    s->vector[rest + 1].x = copy;
    s->allocated++;
    s->problem.vectors++;
    return 0;
}

static double square(const struct stream_state *s, int64_t k) {
    return iterate_square(&s->vector[k].x);
}

static int64_t dimension(const struct stream_state *s) {
    return s->vector[0].x.n;
}

static void copy(const struct stream_state *s, int64_t k, double *w) {
    const struct iterate *x = &s->vector[k].x;
    if (x->correction != NULL && x->weight_sum > 0)
        iterate_copy_average(x, w);
    else
        iterate_copy(x, w);
}

static void note(const struct stream_state *s, char *text, size_t size) {
    for (int64_t k = 0; k < s->problem.vectors && s->problem.intercept && text[0] == '\0'; k++)
        asset_note(&s->vector[k].steps, s->settings->bound, text, size);
}

static int64_t first_examples(const void *options) {
    const struct asset_settings *settings = options;
    return settings->sample > 0 ? settings->sample : STRONG_SAMPLE;
}

/* ---- a checkpoint */

static void visit_vector(struct vector *v, struct state *list) {
    asset_visit(&v->steps, list);
    iterate_visit(&v->x, list);
    v->examples = state_integer(list, v->examples, 0, INT64_MAX);
    STATE_REALS(list, &v->weight, &v->norm_bound, &v->first_norm_bound, &v->gradient_length);
}

/* Makes the vectors as many and as large as those that are read. */
static void make_room(struct stream_state *s, struct state *list) {
    struct error *e = state_cause(list);
    int64_t vectors = state_integer(list, s->problem.vectors, s->problem.vectors, INT32_MAX);
    int64_t features = state_integer(list, columns(s), columns(s), INT32_MAX - 1);
    const struct dataset wide = {.features = (int32_t)features};
    if (!state_reads(list) || !state_holds(list, vectors * features, sizeof(double)))
        return;
    if (s->problem.map == NULL && add_features(s, &wide, e) != 0)
        state_fail(list);
    while (s->problem.vectors < vectors && !state_failed(list))
        if (s->problem.vectors == 1 || add_vector(s, e) != 0)
            state_fail(list);
}

static void visit(struct stream_state *s, struct state *list) {
    make_room(s, list);
    for (int64_t k = 0; k < all_vectors(s) && !state_failed(list); k++)
        visit_vector(&s->vector[k], list);
}

static const struct stream_method method = {.begin_rows = first_examples,
                                            .begin = begin_plain,
                                            .start = start,
                                            .learn = learn,
                                            .add_vector = add_vector,
                                            .square = square,
                                            .dimension = dimension,
                                            .copy = copy,
                                            .note = note,
                                            .visit = visit,
                                            .free = state_free};

static const struct stream_method strong_method = {.begin_rows = first_examples,
                                                   .begin = begin_strong,
                                                   .start = start,
                                                   .learn = learn,
                                                   .add_vector = add_vector,
                                                   .square = square,
                                                   .dimension = dimension,
                                                   .copy = copy,
                                                   .visit = visit,
                                                   .free = state_free};

static int check(const struct solver_request *request, struct error *e) {
    const struct asset_settings *settings = request->options;
    return settings->online.output != OUTPUT_BEST
               ? asset_check(request, e)
               : error_usage(
                     e,
                     "--output best: a stream is not evaluated as a whole; last and average work");
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
    .goes_on = true,
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
    .goes_on = true,
    .regularizers = online_regularizers,
    .options = strong_options,
    .option_count = sizeof strong_options / sizeof *strong_options,
    .settings_size = sizeof(struct asset_settings),
    .check = check,
    .stream = &strong_method,
};
