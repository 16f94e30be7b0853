/* test_asset.c - asset, asset* and their forms for streams against a plain dense transcription of the
 * algorithm, and against optima and special cases known otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/dataset_select.h"
#include "kernel/map.h"
#include "solvers/online/asset.h"
#include "tests/near.h"
#include "tests/solvers/online/online_fixture.h"

/* ---- the plain transcription of Lee 2011, Algorithm 3 */

struct plain {
    bool strong;
    double bound;
    int64_t from; /* K; 0: anew with steps 1, 2, 4, 8, ... */
    bool free;    /* no projection of w */
    bool limited; /* no step is longer than 2 loss/||g||^2 */
    double radius, ratio;
    double lambda;
    int64_t j;
    double w[MAX_DIMENSION], mean[MAX_DIMENSION], total;
};

/* A step on (x, y); x has n regularized coordinates, then the offset's 1 if OFFSET. STRETCH: an example
 * weight over the mean of those so far. */
static void plain_step(struct plain *p, const struct fixture *f, const double *x, double y, int n,
                       bool offset, double stretch) {
    double a, eta, norm = 0;
    double loss =
        f->scalar.loss->value(vector_dot(p->w, x, n + offset), y, &f->scalar.parameters, &a);
    p->j++;
    eta = p->strong ? 1 / (p->lambda * (double)p->j) : p->ratio / sqrt((double)p->j);
    if (p->limited && a != 0)
        stretch = fmin(stretch, 2 * loss / (a * a * vector_dot(x, x, n + offset)) / eta);
    for (int k = 0; k < n; k++) {
        p->w[k] = fmax(0, 1 - eta * p->lambda) * p->w[k] - eta * stretch * a * x[k];
        norm += p->w[k] * p->w[k];
    }
    for (int k = 0; k < n; k++)
        p->w[k] *= !p->free && norm > p->radius * p->radius ? p->radius / sqrt(norm) : 1;
    if (offset)
        p->w[n] = fmax(-p->bound, fmin(p->bound, p->w[n] - eta * stretch * a));
    if (p->j < p->from)
        return;
    if (p->from == 0 && (p->j & (p->j - 1)) == 0)
        p->total = 0;
    for (int k = 0; k < n + offset; k++)
        p->mean[k] = p->total / (p->total + eta) * p->mean[k] + eta / (p->total + eta) * p->w[k];
    p->total += eta;
}

static double square_at_zero(const struct fixture *f, const double *x, double y) {
    double a;
    f->scalar.loss->value(0, y, &f->scalar.parameters, &a);
    return a * a * vector_dot(x, x, MAX_DIMENSION);
}

static void plain_run(const struct fixture *f, struct plain *p, int steps, int sample) {
    struct plain_order order;
    int n = (int)f->risk->regularized;
    double square = 0, x[MAX_DIMENSION];
    p->lambda = f->problem.lambda;
    p->radius = sqrt(f->risk->kind->norm_bound(f->risk) / p->lambda);
    plain_start(f, false, &order);
    for (int k = 0; k < sample; k++) {
        int64_t i = plain_next(&order);
        dense_row(f, i, x);
        square += square_at_zero(f, x, f->target[i]) / sample;
    }
    p->ratio =
        sqrt((p->radius * p->radius + (f->scalar.intercept ? p->bound * p->bound : 0)) / square);
    alias_free(&order.alias);
    plain_start(f, false, &order);
    for (int t = 0; t < steps; t++) {
        int64_t i = plain_next(&order);
        dense_row(f, i, x);
        plain_step(p, f, x, f->target[i], n, f->scalar.intercept, 1);
    }
    alias_free(&order.alias);
}

static void compare(const char *loss, double lambda, double bias, bool weighted, bool intercept,
                    const char *name, const char *from, double bound) {
    struct fixture f;
    char average[40], limit[40];
    double w[MAX_DIMENSION] = {0};
    struct plain p = {.strong = strcmp(name, "asset*") == 0, .bound = bound, .from = atoi(from)};
    set_up_with(&f, loss, lambda, bias, weighted, intercept);
    snprintf(average, sizeof average, "average-from=%s", from);
    snprintf(limit, sizeof limit, "bound-offset=%g", bound);
    const char *words[] = {average, "limit-steps=off", p.strong ? NULL : limit, "sample=25", NULL};
    train(&f, name, words, w);
    plain_run(&f, &p, (int)f.outcome.iterations, 25);
    for (int64_t k = 0; k < f.risk->dimension; k++)
        assert_near(w[k], p.mean[k], 1e-9 * (1 + fabs(p.mean[k])));
    assert_int_equal(f.outcome.iterations, 5 * ROWS);
    assert_true(f.outcome.bound <= f.outcome.objective);
    tear_down(&f);
}

static void steps_are_those_of_algorithm_3(void **state) {
    static const char *const losses[] = {"hinge", "logistic", "epsilon", "squared-hinge"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        compare(losses[k], 0.01, -1, false, false, "asset", "1", 5);
        compare(losses[k], 0.01, -1, false, true, "asset", "77", 5);
        compare(losses[k], 0.01, 0.5, true, true, "asset", "300", 0.05); /* b at its bound */
        compare(losses[k], 0.01, -1, true, false, "asset*", "3", 5);
        compare(losses[k], 300, -1, false, true, "asset", "2", 5); /* lambda eta > 1 */
    }
}

/* A dense dataset has a path of its own through a step. */
static void dense_rows_make_the_steps_of_sparse_ones(void **state) {
    static const char *const names[] = {"asset", "asset*", "pegasos"};
    static const char *const last[] = {"output=last", NULL};
    (void)state;
    for (int k = 0; k < 6; k++) {
        struct fixture f;
        struct random random;
        double w[2][MAX_DIMENSION] = {{0}};
        set_up_with(&f, "hinge", k < 3 ? 0.3 : 0.01, -1, false, k % 3 == 0);
        random_seed(&random, 3, 3);
        f.data.nonzeros = ROWS * FEATURES;
        for (int i = 0; i <= ROWS; i++)
            f.data.start[i] = (int64_t)i * FEATURES;
        for (int i = 0; i < ROWS * FEATURES; i++) {
            f.data.column[i] = i % FEATURES;
            f.data.value[i] = 4 * random_unit(&random) - 2;
        }
        for (int dense = 0; dense < 2; dense++) {
            f.data.dense = dense;
            risk_free(f.risk);
            f.problem.risk = f.risk = scalar_risk_new(&f.scalar, NULL);
            train(&f, names[k % 3], last, w[dense]);
        }
        for (int64_t j = 0; j < f.risk->dimension; j++)
            assert_near(w[1][j], w[0][j], 1e-12);
        tear_down(&f);
    }
}

static void last_iterate_of_the_strong_form_is_pegasos(void **state) {
    static const char *const last[] = {"output=last", NULL};
    struct fixture f;
    double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
    (void)state;
    set_up(&f, "hinge", 0.003, -1, true);
    train(&f, "asset*", last, w);
    train(&f, "pegasos", NULL, v);
    assert_memory_equal(w, v, sizeof w);
    tear_down(&f);
}

/* Without K the average begins with the second half. */
static void average_begins_in_the_middle(void **state) {
    static const char *const middle[] = {"average-from=151", NULL};
    struct fixture f;
    double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
    (void)state;
    set_up(&f, "hinge", 0.003, -1, false);
    train(&f, "asset", NULL, w);
    train(&f, "asset", middle, v);
    assert_memory_equal(w, v, sizeof w);
    tear_down(&f);
}

static double certified(struct fixture *f, double *lower) {
    double w[MAX_DIMENSION] = {0};
    struct run_settings run = f->run;
    f->epsilon = 1e-8;
    f->run.passes = INFINITY;
    train(f, "ipm", NULL, w);
    f->run = run;
    f->epsilon = 0;
    *lower = f->outcome.bound;
    return f->outcome.objective;
}

/* With an offset, where asset* has no proof. The papers' gap falls as 1/sqrt(steps), at least; with limited steps it is
 * no larger. */
static void reaches_the_optimum_with_an_offset(void **state) {
    static const char *const off[] = {"limit-steps=off", NULL};
    struct fixture f;
    double gap[2][2], lower;
    (void)state;
    set_up_with(&f, "hinge", 1e-3, -1, false, true);
    double J = certified(&f, &lower);
    for (int k = 0; k < 2; k++)
        for (int limited = 0; limited < 2; limited++) {
            double w[MAX_DIMENSION] = {0};
            f.run.passes = k == 0 ? 2000 : 32000;
            train(&f, "asset", limited ? NULL : off, w);
            assert_true(f.outcome.objective >= lower);
            gap[limited][k] = f.outcome.objective - J;
        }
    assert_true(gap[0][0] < 0.02 * J);
    assert_true(gap[0][1] < gap[0][0] / 2);
    assert_true(gap[1][0] <= gap[0][0] && gap[1][1] <= gap[0][1]);
    tear_down(&f);
}

/* An offset at its bound is told of by a value: solvers print nothing. */
static void an_offset_at_its_bound_is_noted(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *words[] = {k == 0 ? "bound-offset=0.05" : "bound-offset=50", NULL};
        double w[MAX_DIMENSION] = {0};
        struct fixture f;
        FILE *printed = tmpfile();
        int options = dup(STDERR_FILENO);
        set_up_with(&f, "absolute", 0.01, -1, false, true);
        fflush(stderr);
        dup2(fileno(printed), STDERR_FILENO);
        train(&f, "asset", words, w);
        fflush(stderr);
        dup2(options, STDERR_FILENO);
        close(options);
        assert_int_equal(lseek(fileno(printed), 0, SEEK_END), 0);
        fclose(printed);
        assert_int_equal(strstr(f.outcome.note, "held at its bound, 0.05, in ") != NULL, k == 0);
        assert_int_equal(f.outcome.note[0] == '\0', k == 1);
        tear_down(&f);
    }
}

/* ---- streams */

enum { TIMES = 3 };

/* Blocks of the fixture's rows from <= i < to. A block knows the features that it has alone. */
static struct dataset block_of(const struct fixture *f, int64_t from, int64_t to) {
    int64_t rows[ROWS];
    struct dataset block;
    for (int64_t i = from; i < to; i++)
        rows[i - from] = i;
    assert_int_equal(dataset_select(&f->data, rows, to - from, &block, NULL), 0);
    block.features = 0;
    for (int64_t k = 0; k < block.nonzeros; k++)
        if (block.column[k] >= block.features)
            block.features = block.column[k] + 1;
    if (f->scalar.weight != NULL) {
        block.weight = malloc(sizeof *block.weight * ROWS);
        memcpy(block.weight, f->weight + from, sizeof *block.weight * (size_t)(to - from));
    }
    return block;
}

/* What was learned so far. */
struct learned {
    int64_t examples;
    double weight, loss; /* the weighted mean loss of each example before it was learned */
    double norm;
};

/* Learns a block, by one vector. */
static void learn(const struct solver *solver, struct stream_state *s,
                  const struct stream_problem *problem, const struct dataset *block,
                  const double *target, struct learned *learned) {
    double *score = malloc(sizeof *score * (size_t)block->rows), a;
    const struct stream_rows rows = {block, 0, block->rows, target, score};
    assert_int_equal(solver->stream->learn(s, &rows, NULL), 0);
    for (int64_t i = 0; i < block->rows; i++) {
        double weight = block->weight == NULL ? 1 : block->weight[i];
        double loss = problem->loss->value(score[i], target[i], &problem->parameters, &a);
        learned->weight += weight;
        if (weight > 0)
            learned->loss += (loss - learned->loss) * weight / learned->weight;
    }
    learned->examples += block->rows;
    learned->norm = sqrt(solver->stream->square(s, 0));
    free(score);
}

/* The rows in three blocks, three times over; w receives the weights. */
static int64_t stream(const struct fixture *f, const char *name, const char *const *words,
                      struct map *map, const int64_t *cuts, double *w, struct learned *progress) {
    const struct solver *solver = solver_by_name(name);
    void *options = solver_options_parse(solver, words);
    struct stream_problem problem = {.loss = f->scalar.loss,
                                     .parameters = f->scalar.parameters,
                                     .lambda = f->problem.lambda,
                                     .intercept = f->scalar.intercept,
                                     .map = map,
                                     .vectors = 1};
    *progress = (struct learned){0};
    struct stream_state *s = NULL;
    for (int k = 0; k < 3 * TIMES; k++) {
        struct dataset block = block_of(f, cuts[k % 3], cuts[k % 3 + 1]);
        const double *target = f->target + cuts[k % 3];
        if (k == 0)
            s = solver->stream->begin(&problem, options, &block, target, NULL);
        assert_non_null(s);
        learn(solver, s, &problem, &block, target, progress);
        dataset_free(&block);
    }
    solver->stream->copy(s, 0, w);
    int64_t dimension = solver->stream->dimension(s);
    solver->stream->free(s);
    free(options);
    return dimension;
}

static const int64_t thirds[] = {0, 20, 40, ROWS}, uneven[] = {0, 20, 21, ROWS};

/* The same, plainly. */
static void plain_stream(const struct fixture *f, struct plain *p, double *loss) {
    int n = FEATURES;
    double square = 0, first = 0, norm_bound = 0, weights = 0, x[MAX_DIMENSION], a;
    p->lambda = f->problem.lambda;
    for (int i = 0; i < 20; i++) {
        dense_row(f, i, x);
        square += square_at_zero(f, x, f->target[i]) / 20;
        first += f->scalar.loss->norm_bound(f->target[i], &f->scalar.parameters) / 20;
    }
    *loss = 0;
    for (int k = 0, count = 0; k < TIMES * ROWS; k++) {
        int i = k % ROWS;
        double c = f->scalar.weight == NULL ? 1 : f->weight[i];
        count++;
        if (c == 0)
            continue;
        dense_row(f, i, x);
        weights += c;
        norm_bound += c * f->scalar.loss->norm_bound(f->target[i], &f->scalar.parameters);
        *loss += c * f->scalar.loss->value(vector_dot(p->w, x, MAX_DIMENSION), f->target[i],
                                           &f->scalar.parameters, &a);
        p->radius = sqrt(fmax(first, norm_bound / weights) / p->lambda);
        p->ratio = sqrt((p->radius * p->radius + (f->scalar.intercept ? p->bound * p->bound : 0)) /
                        square);
        plain_step(p, f, x, f->target[i], n, f->scalar.intercept, c * count / weights);
    }
    *loss /= weights;
}

struct stream_case {
    const char *loss;
    bool weighted, intercept;
    const char *name;
    double bound;
    const int64_t *cuts;
    int64_t from; /* 0: not given */
    double lambda;
    bool free;
    bool limited; /* --limit-steps */
};

static void compare_stream(const struct stream_case *c) {
    struct fixture f;
    struct learned progress;
    double w[MAX_DIMENSION] = {0}, mean_loss;
    char limit[40], average[40];
    struct plain p = {.strong = strcmp(c->name, "asset*-on") == 0,
                      .bound = c->bound,
                      .from = c->from,
                      .free = c->free,
                      .limited = c->limited};
    set_up_with(&f, c->loss, c->lambda, -1, c->weighted, c->intercept);
    snprintf(limit, sizeof limit, "bound-offset=%g", c->bound);
    snprintf(average, sizeof average, "average-from=%d", (int)c->from);
    const char *words[6] = {c->free ? "project=off" : "project=on",
                            c->limited ? "limit-steps=on" : "limit-steps=off"};
    int count = 2;
    if (c->from > 0)
        words[count++] = average;
    if (!p.strong) {
        words[count++] = limit;
        words[count++] = "sample=20";
    }
    assert_int_equal(stream(&f, c->name, words, NULL, c->cuts, w, &progress),
                     FEATURES + c->intercept);
    plain_stream(&f, &p, &mean_loss);
    for (int k = 0; k < FEATURES + c->intercept; k++)
        assert_near(w[k], p.mean[k], 1e-9 * (1 + fabs(p.mean[k])));
    assert_near(progress.loss, mean_loss, 1e-11 * (1 + mean_loss));
    assert_int_equal(progress.examples, TIMES * ROWS);
    tear_down(&f);
}

static void streams_make_the_same_steps(void **state) {
    static const char *const losses[] = {"hinge", "logistic", "absolute"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct stream_case cases[] = {
            {losses[k], false, false, "asset-on", 5, thirds, 9, 0.01, false, false},
            {losses[k], true, true, "asset-on", 5, uneven, 9, 0.01, false, false},
            {losses[k], false, true, "asset-on", 0.1, thirds, 9, 0.01, false, false},
            {losses[k], true, false, "asset*-on", 5, thirds, 9, 0.01, false, false},
            {losses[k], false, true, "asset-on", 5, thirds, 0, 0.01, false, false},
            {losses[k], false, false, "asset*-on", 5, thirds, 1, 0.01, false, false},
            {losses[k], true, false, "asset-on", 5, uneven, 1, 0.1, true, false},
            {losses[k], false, false, "asset*-on", 5, thirds, 0, 0.1, true, false},
            {losses[k], false, false, "asset-on", 5, thirds, 2, 300, false,
             false}, /* lambda eta > 1 */
            {losses[k], true, true, "asset-on", 5, thirds, 0, 40, true, false},
        };
        for (int i = 0; i < 2 * (int)(sizeof cases / sizeof *cases); i++) {
            cases[i / 2].limited = i % 2;
            compare_stream(&cases[i / 2]);
        }
    }
}

/* The first examples that a stream wants to see are those of its sample. */
static void streams_want_their_sample(void **state) {
    static const char *const few[] = {"sample=20", NULL};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const struct solver *solver = solver_by_name("asset-on");
        void *options = solver_options_parse(solver, k == 0 ? NULL : few);
        assert_int_equal(solver->stream->begin_rows(options), k == 0 ? 1000 : 20);
        free(options);
    }
}

/* Features that come late begin at 0, as if they had been there. */
static void features_may_come_late(void **state) {
    struct fixture f;
    struct learned progress;
    double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
    (void)state;
    set_up_with(&f, "hinge", 0.01, -1, false, true);
    for (int64_t i = 0; i < 30; i++) /* the first rows lack the last two features */
        for (int64_t k = f.data.start[i]; k < f.data.start[i + 1]; k++)
            if (f.data.column[k] >= FEATURES - 2)
                f.data.value[k] = 0;
    assert_int_equal(stream(&f, "asset-on", NULL, NULL, thirds, w, &progress), FEATURES + 1);
    int64_t next = 0; /* and now they are not even listed */
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t from = f.data.start[i];
        f.data.start[i] = next;
        for (int64_t k = from; k < f.data.start[i + 1]; k++)
            if (f.data.value[k] != 0) {
                f.data.column[next] = f.data.column[k];
                f.data.value[next++] = f.data.value[k];
            }
    }
    f.data.start[ROWS] = f.data.nonzeros = next;
    struct dataset first = block_of(&f, 0, 20);
    assert_true(first.features < FEATURES);
    dataset_free(&first);
    assert_int_equal(stream(&f, "asset-on", NULL, NULL, thirds, v, &progress), FEATURES + 1);
    for (int k = 0; k < MAX_DIMENSION - 1; k++)
        assert_near(w[k], v[k], 1e-13 * (1 + fabs(v[k])));
    tear_down(&f);
}

/* The rows as a Fourier map of SIZE features sees them, as sparse ones. */
static struct dataset map_before(struct map *map, const struct dataset *data, int64_t size) {
    int64_t count = data->rows * size;
    struct dataset out = {.rows = data->rows, .features = (int32_t)size, .nonzeros = count};
    assert_int_equal(map_prepare(map, data->features, NULL), 0);
    out.start = malloc(sizeof *out.start * (size_t)(data->rows + 1));
    out.column = malloc(sizeof *out.column * (size_t)count);
    out.value = malloc(sizeof *out.value * (size_t)count);
    out.label = calloc((size_t)data->rows, sizeof *out.label);
    double *work = malloc(sizeof *work * (size_t)map_work_size(map, data->rows));
    assert_int_equal(map_rows(map, data, 0, data->rows, out.value, work), 0);
    free(work);
    for (int64_t i = 0; i <= data->rows; i++)
        out.start[i] = i * size;
    for (int64_t k = 0; k < count; k++)
        out.column[k] = (int32_t)(k % size);
    return out;
}

static struct map *fourier(int64_t size) {
    struct map_settings settings = {.kind = MAP_FOURIER,
                                    .kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 0.5},
                                    .size = size,
                                    .seed = 4};
    return map_new(&settings, NULL, NULL);
}

/* Random features made on the fly: as on examples that were mapped before. */
static void maps_are_made_on_the_fly(void **state) {
    enum { N = 24 };
    struct fixture f, mapped;
    struct learned progress, other;
    double w[N + 1], v[N + 1];
    (void)state;
    set_up_with(&f, "hinge", 0.01, -1, false, true);
    struct map *map = fourier(N);
    assert_int_equal(stream(&f, "asset-on", NULL, map, uneven, w, &progress), N + 1);
    mapped = f;
    mapped.data = map_before(map, &f.data, N);
    assert_int_equal(stream(&mapped, "asset-on", NULL, NULL, uneven, v, &other), N + 1);
    for (int k = 0; k <= N; k++)
        assert_near(w[k], v[k], 1e-12 * (1 + fabs(v[k])));
    assert_near(progress.loss, other.loss, 1e-12);
    map_free(map);
    dataset_free(&mapped.data);
    tear_down(&f);
}

/* The same where the first examples are more than are mapped at a time, and projections are many. */
static void first_examples_of_a_map_may_be_many(void **state) {
    enum { N = 3, MANY = 700 };
    static const char *const words[] = {"output=last", NULL};
    const struct solver *solver = solver_by_name("asset-on");
    struct dataset data[2] = {random_data(MANY, FEATURES, false, 6)};
    struct map *map = fourier(N);
    double w[2][N];
    (void)state;
    for (int64_t i = 0; i < MANY; i++) /* what is cut off would be missed */
        data[0].label[i] *= i < 256 ? 1 : i < 512 ? 10 : 0.1;
    data[1] = map_before(map, &data[0], N);
    for (int k = 0; k < 2; k++) {
        void *options = solver_options_parse(solver, words);
        struct stream_problem problem = {.loss = loss_by_name("squared"),
                                         .lambda = 10,
                                         .map = k == 0 ? map : NULL,
                                         .memory = 1e6,
                                         .vectors = 1};
        struct stream_state *s =
            solver->stream->begin(&problem, options, &data[k], data[0].label, NULL);
        assert_non_null(s);
        learn(solver, s, &problem, &data[k], data[0].label, &(struct learned){0});
        solver->stream->copy(s, 0, w[k]);
        solver->stream->free(s);
        free(options);
    }
    for (int k = 0; k < N; k++)
        assert_near(w[0][k], w[1][k], 1e-12);
    map_free(map);
    dataset_free(&data[0]);
    dataset_free(&data[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_offset_at_its_bound_is_noted),
        cmocka_unit_test(steps_are_those_of_algorithm_3),
        cmocka_unit_test(dense_rows_make_the_steps_of_sparse_ones),
        cmocka_unit_test(last_iterate_of_the_strong_form_is_pegasos),
        cmocka_unit_test(average_begins_in_the_middle),
        cmocka_unit_test(reaches_the_optimum_with_an_offset),
        cmocka_unit_test(streams_make_the_same_steps),
        cmocka_unit_test(streams_want_their_sample),
        cmocka_unit_test(features_may_come_late),
        cmocka_unit_test(maps_are_made_on_the_fly),
        cmocka_unit_test(first_examples_of_a_map_may_be_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
