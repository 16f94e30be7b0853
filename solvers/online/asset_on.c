/* asset_on.c - asset and asset* for streams: the steps of asset.h, one for each example as it comes,
 * over features as they are or as a random map makes them on the fly.
 *
 * D_G is estimated from the first examples, the --sample of the options, at w = 0; where none has a loss
 * there, as if all had the slope 1. D is what these, or all examples so far if that is more, allow: for the
 * hinge loss 1/sqrt(lambda). An example of weight c makes a step c over the mean weight so far as
 * long. The average begins anew at steps 2, 4, 8, ... as long as no K is given: it holds at most the
 * latter half or so of all steps.
 *
 * Reference: Lee 2011, Algorithm 3 with (3.17) (ASSET_on, ASSET*_on). Step: O(n) for a map of n features
 * beside the row's nonzeros times n to map it; else O(nonzeros). */
#include "io/memory.h"
#include "math/dense.h"
#include "math/vector.h"
#include "solvers/online/asset.h"
#include "solvers/online/iterate.h"
#include "solvers/stream.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum { FOLD_EXAMPLES = 1 << 12 }; /* between two foldings of the scale into the weights */
enum { FIRST_EXAMPLES = 1000 };   /* that asset* wants to see, for the labels' and losses' sake */
enum { CHUNK_ROWS = 256, CHUNK_NUMBERS = 1 << 21, PIECE_ROWS = 16 };

struct stream_state {
    struct stream_problem problem;
    const struct asset_settings *own;
    bool strong;
    struct asset_steps steps;
    struct iterate x;
    struct stream_progress progress;
    double norm_bound; /* mean of the losses' norm bounds so far */
    double first;      /* the same of the first examples */
    double slope;      /* D_G */
    int32_t prepared;  /* features that the map has frequencies of */
    int64_t chunk;     /* rows that are mapped at a time */
    double *phi;       /* chunk x n; NULL: there is no map */
    double *room;      /* for mapping: a piece of it for each thread */
    int64_t piece;     /* doubles of such a piece */
};

static const int32_t first_column = 0;
static const double one = 1;

static void state_free(struct stream_state *s) {
    if (s == NULL)
        return;
    iterate_free(&s->x);
    free(s->phi);
    free(s->room);
    free(s);
}

/* ---- an example */

/* Its features, as the solver sees them. */
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

/* Counts the example, with the loss that it has now. */
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

static void step(struct stream_state *s, struct risk_part *x, double y, double weight) {
    const struct stream_problem *problem = &s->problem;
    const struct risk_part constant = {0, s->x.regularized, 1, &first_column, &one, 1, 1};
    double a, loss = problem->loss->value(score(s, x), y, &problem->parameters, &a);
    count(s, weight, loss, y);
    if (weight == 0)
        return;
    bool restart;
    double reach = sqrt(fmax(s->first, s->norm_bound) / problem->lambda);
    s->steps.ratio = (problem->intercept ? hypot(reach, s->own->bound) : reach) / s->slope;
    double eta = asset_step(&s->steps, &restart);
    double change = -eta * weight * (double)s->progress.examples / s->progress.weight;
    iterate_shrink(&s->x, fmax(0, 1 - eta * problem->lambda));
    if (a != 0) {
        struct risk_part offset = constant;
        x->coefficient = offset.coefficient = a;
        iterate_add(&s->x, x, change, 0);
        if (problem->intercept)
            iterate_add(&s->x, &offset, 0, change);
    }
    double square = iterate_square(&s->x);
    if (s->own->online.project && square > reach * reach)
        iterate_shrink(&s->x, reach / sqrt(square));
    if (problem->intercept)
        s->steps.clips += iterate_clip(&s->x, s->own->bound);
    if (s->progress.examples % FOLD_EXAMPLES == 0)
        iterate_fold(&s->x);
    if (s->x.late != NULL && restart)
        iterate_restart(&s->x);
    if (s->x.late != NULL)
        iterate_count(&s->x, eta);
}

/* ---- blocks */

/* Rows from <= i < to of the block, mapped, in parallel. */
static int map_chunk(struct stream_state *s, const struct dataset *block, int64_t from, int64_t to,
                     struct error *e) {
    int64_t n = s->x.regularized;
    int bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : bad)
    for (int64_t i = from; i < to; i += PIECE_ROWS) {
        int64_t end = i + PIECE_ROWS < to ? i + PIECE_ROWS : to;
        bad += map_rows(s->problem.map, block, i, end, s->phi + (i - from) * n,
                        s->room + omp_get_thread_num() * s->piece) != 0;
    }
    return bad == 0 ? 0 : error_set(e, "a kernel value is not finite; scale the data");
}

/* Features that are met for the first time. Of a map's frequencies somewhat more are prepared than are
 * asked for, so that it is seldom done, and no more than fit. */
static int meet_features(struct stream_state *s, const struct dataset *block, struct error *e) {
    if (s->phi != NULL && block->features > s->prepared) {
        double most = s->problem.memory / sizeof(double) / (double)s->x.regularized / 2;
        double wanted = fmax(block->features, 1.5 * s->prepared);
        s->prepared = (int32_t)fmin(wanted, fmin(most, INT32_MAX - 1));
        return map_prepare(s->problem.map, s->prepared, e);
    }
    if (s->phi != NULL)
        return 0;
    return block->features <= s->x.regularized ? 0 : iterate_grow(&s->x, block->features, e);
}

static int learn(struct stream_state *s, const struct dataset *block, const double *target,
                 struct error *e) {
    if (meet_features(s, block, e) != 0)
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

/* D_G and D by the first examples. */
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
        double length = sparse_square(x.value, x.count) + s->problem.intercept;
        square += a * a * length;
        lengths += length;
        s->first += s->problem.loss->norm_bound(target[i], &s->problem.parameters) / (double)rows;
    }
    s->slope = square > 0    ? sqrt(square / (double)rows)
               : lengths > 0 ? sqrt(lengths / (double)rows)
                             : 1;
    return isfinite(s->slope) && isfinite(s->first) ? 0 : passes_overflow(e);
}

static int make_room(struct stream_state *s, struct error *e) {
    int64_t n = map_dimension(s->problem.map);
    s->chunk = CHUNK_NUMBERS / n < PIECE_ROWS   ? PIECE_ROWS
               : CHUNK_NUMBERS / n > CHUNK_ROWS ? CHUNK_ROWS
                                                : CHUNK_NUMBERS / n;
    s->piece = map_work_size(s->problem.map, PIECE_ROWS);
    s->phi = memory_new(s->chunk, (size_t)n * sizeof(double), "mapped examples", e);
    s->room =
        memory_new(omp_get_max_threads(), (size_t)s->piece * sizeof(double), "room for mapping", e);
    return s->phi == NULL || s->room == NULL ? -1 : 0;
}

static int state_init(struct stream_state *s, const struct dataset *first, const double *target,
                      struct error *e) {
    bool averaged = s->own->online.output == OUTPUT_AVERAGE;
    int64_t n = s->problem.map != NULL ? map_dimension(s->problem.map) : first->features;
    s->chunk = 1;
    if (iterate_zero(&s->x, n, n + s->problem.intercept, averaged, e) != 0 ||
        (s->problem.map != NULL && make_room(s, e) != 0) || meet_features(s, first, e) != 0)
        return -1;
    return find_constants(s, first, target, e);
}

static struct stream_state *begin(const struct stream_problem *problem, const void *own,
                                  const struct dataset *first, const double *target, bool strong,
                                  struct error *e) {
    struct stream_state *s = memory_zeroed(1, sizeof *s, "the state", e);
    if (s == NULL)
        return NULL;
    s->problem = *problem;
    s->own = own;
    s->strong = strong;
    s->steps =
        (struct asset_steps){.strong = strong,
                             .lambda = problem->lambda,
                             .from = s->own->average_from > 0 ? s->own->average_from : INT64_MAX,
                             .restart = 1};
    if (state_init(s, first, target, e) == 0)
        return s;
    state_free(s);
    return NULL;
}

static struct stream_state *begin_plain(const struct stream_problem *problem, const void *own,
                                        const struct dataset *first, const double *target,
                                        struct error *e) {
    return begin(problem, own, first, target, false, e);
}

static struct stream_state *begin_strong(const struct stream_problem *problem, const void *own,
                                         const struct dataset *first, const double *target,
                                         struct error *e) {
    return begin(problem, own, first, target, true, e);
}

static void progress(const struct stream_state *s, struct stream_progress *out) {
    *out = s->progress;
    out->norm = sqrt(iterate_square(&s->x));
}

static int64_t dimension(const struct stream_state *s) {
    return s->x.n;
}

static void copy(const struct stream_state *s, double *w) {
    if (s->x.late != NULL && s->x.total > 0)
        iterate_copy_average(&s->x, w);
    else
        iterate_copy(&s->x, w);
}

static void note(const struct stream_state *s, char *text, size_t size) {
    if (s->problem.intercept)
        asset_note(&s->steps, s->own->bound, text, size);
}

static int64_t wanted(const void *own) {
    const struct asset_settings *settings = own;
    return settings->sample > 0 ? settings->sample : FIRST_EXAMPLES;
}

static const struct stream_method method = {.wanted = wanted,
                                            .begin = begin_plain,
                                            .learn = learn,
                                            .progress = progress,
                                            .dimension = dimension,
                                            .copy = copy,
                                            .note = note,
                                            .free = state_free};

static const struct stream_method strong_method = {.wanted = wanted,
                                                   .begin = begin_strong,
                                                   .learn = learn,
                                                   .progress = progress,
                                                   .dimension = dimension,
                                                   .copy = copy,
                                                   .free = state_free};

static int check(const struct solver_request *request, struct error *e) {
    const struct asset_settings *own = request->own;
    return own->online.output != OUTPUT_BEST
               ? 0
               : error_usage(e, "--output best: a stream is not evaluated as a whole; last and "
                                "average work");
}

static const struct option_row options[] = {ONLINE_PROJECT_ROW, ONLINE_OUTPUT_ROW("average"),
                                            ASSET_AVERAGE_ROW("anew with steps 2, 4, 8, ..."),
                                            ASSET_STEP_ROWS};

static const struct option_row strong_options[] = {
    ONLINE_PROJECT_ROW, ONLINE_OUTPUT_ROW("average"),
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
