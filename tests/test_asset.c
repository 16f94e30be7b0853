/* test_asset.c - asset, asset* and their forms for streams against a plain dense transcription of the
 * algorithm, and against optima and special cases known otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/map.h"
#include "near.h"
#include "online_fixture.h"
#include "solvers/asset.h"

/* ---- the plain transcription of Lee 2011, Algorithm 3 */

struct plain {
    bool strong;
    double bound;
    int64_t from; /* K */
    double radius, ratio;
    double lambda;
    int64_t j;
    double w[MOST], mean[MOST], total;
};

/* A step on (x, y); x has n regularized coordinates, then the offset's 1 if OFFSET. STRETCH: an example
 * weight over the mean of those so far. */
static void plain_step(struct plain *p, const struct fixture *f, const double *x, double y, int n,
                       bool offset, double stretch) {
    double a, eta, norm = 0;
    f->scalar.loss->value(vector_dot(p->w, x, n + offset), y, &f->scalar.parameters, &a);
    p->j++;
    eta = p->strong ? 1 / (p->lambda * (double)p->j) : p->ratio / sqrt((double)p->j);
    for (int k = 0; k < n; k++) {
        p->w[k] = (1 - eta * p->lambda) * p->w[k] - eta * stretch * a * x[k];
        norm += p->w[k] * p->w[k];
    }
    for (int k = 0; k < n; k++)
        p->w[k] *= norm > p->radius * p->radius ? p->radius / sqrt(norm) : 1;
    if (offset)
        p->w[n] = fmax(-p->bound, fmin(p->bound, p->w[n] - eta * stretch * a));
    if (p->j < p->from)
        return;
    for (int k = 0; k < n + offset; k++)
        p->mean[k] = p->total / (p->total + eta) * p->mean[k] + eta / (p->total + eta) * p->w[k];
    p->total += eta;
}

static double square_at_zero(const struct fixture *f, const double *x, double y) {
    double a;
    f->scalar.loss->value(0, y, &f->scalar.parameters, &a);
    return a * a * vector_dot(x, x, MOST);
}

static void plain_run(const struct fixture *f, struct plain *p, int steps, int sample) {
    struct plain_order order;
    int n = (int)f->risk->regularized;
    double square = 0, x[MOST];
    p->lambda = f->problem.lambda;
    p->radius = sqrt(f->risk->kind->pull(f->risk) / p->lambda);
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

static void compare(const char *loss, double bias, bool weighted, bool intercept, const char *name,
                    const char *from, double bound) {
    struct fixture f;
    char average[40], limit[40];
    double w[MOST] = {0};
    struct plain p = {.strong = strcmp(name, "asset*") == 0, .bound = bound, .from = atoi(from)};
    set_up_with(&f, loss, 0.01, bias, weighted, intercept);
    snprintf(average, sizeof average, "average-from=%s", from);
    snprintf(limit, sizeof limit, "bound-offset=%g", bound);
    const char *words[] = {average, p.strong ? NULL : limit, "sample=25", NULL};
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
        compare(losses[k], -1, false, false, "asset", "1", 5);
        compare(losses[k], -1, false, true, "asset", "77", 5);
        compare(losses[k], 0.5, true, true, "asset", "300", 0.05); /* b at its bound */
        compare(losses[k], -1, true, false, "asset*", "3", 5);
    }
}

static void last_iterate_of_the_strong_form_is_pegasos(void **state) {
    static const char *const last[] = {"output=last", NULL};
    struct fixture f;
    double w[MOST] = {0}, v[MOST] = {0};
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
    double w[MOST] = {0}, v[MOST] = {0};
    (void)state;
    set_up(&f, "hinge", 0.003, -1, false);
    train(&f, "asset", NULL, w);
    train(&f, "asset", middle, v);
    assert_memory_equal(w, v, sizeof w);
    tear_down(&f);
}

static double certified(struct fixture *f, double *lower) {
    double w[MOST] = {0};
    struct run_settings run = f->run;
    f->run.epsilon = 1e-8;
    f->run.passes = INFINITY;
    train(f, "ipm", NULL, w);
    f->run = run;
    *lower = f->outcome.bound;
    return f->outcome.objective;
}

/* With an offset, where asset* has no proof; the gap falls as 1/sqrt(steps), at least. */
static void reaches_the_optimum_with_an_offset(void **state) {
    struct fixture f;
    double gap[2], lower;
    (void)state;
    set_up_with(&f, "hinge", 1e-3, -1, false, true);
    double J = certified(&f, &lower);
    for (int k = 0; k < 2; k++) {
        double w[MOST] = {0};
        f.run.passes = k == 0 ? 2000 : 32000;
        train(&f, "asset", NULL, w);
        assert_true(f.outcome.objective >= lower);
        gap[k] = f.outcome.objective - J;
    }
    assert_true(gap[0] < 0.02 * J);
    assert_true(gap[1] < gap[0] / 2);
    tear_down(&f);
}

/* ---- streams */

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

/* The rows in three blocks, twice over; w receives the weights. */
static int64_t stream(const struct fixture *f, const char *name, const char *const *words,
                      struct map *map, const int64_t *cuts, double *w,
                      struct stream_progress *progress) {
    const struct solver *solver = solver_by_name(name);
    void *own = own_options(solver, words);
    struct stream_problem problem = {.loss = f->scalar.loss,
                                     .parameters = f->scalar.parameters,
                                     .lambda = f->problem.lambda,
                                     .intercept = f->scalar.intercept,
                                     .map = map};
    struct stream_state *s = NULL;
    for (int k = 0; k < 6; k++) {
        struct dataset block = block_of(f, cuts[k % 3], cuts[k % 3 + 1]);
        const double *target = f->target + cuts[k % 3];
        if (k == 0)
            s = solver->stream->begin(&problem, own, &block, target, NULL);
        assert_non_null(s);
        assert_int_equal(solver->stream->learn(s, &block, target, NULL), 0);
        dataset_free(&block);
    }
    solver->stream->progress(s, progress);
    solver->stream->copy(s, w);
    int64_t dimension = solver->stream->dimension(s);
    solver->stream->free(s);
    free(own);
    return dimension;
}

static const int64_t thirds[] = {0, 20, 40, ROWS}, uneven[] = {0, 20, 21, ROWS};

/* The same, plainly. */
static void plain_stream(const struct fixture *f, struct plain *p, double *loss) {
    int n = FEATURES;
    double square = 0, first = 0, pull = 0, weights = 0, x[MOST], a;
    p->lambda = f->problem.lambda;
    for (int i = 0; i < 20; i++) {
        dense_row(f, i, x);
        square += square_at_zero(f, x, f->target[i]) / 20;
        first += f->scalar.loss->pull(f->target[i], &f->scalar.parameters) / 20;
    }
    *loss = 0;
    for (int k = 0, count = 0; k < 2 * ROWS; k++) {
        int i = k % ROWS;
        double c = f->scalar.weight == NULL ? 1 : f->weight[i];
        count++;
        if (c == 0)
            continue;
        dense_row(f, i, x);
        weights += c;
        pull += c * f->scalar.loss->pull(f->target[i], &f->scalar.parameters);
        *loss += c * f->scalar.loss->value(vector_dot(p->w, x, MOST), f->target[i],
                                           &f->scalar.parameters, &a);
        p->radius = sqrt(fmax(first, pull / weights) / p->lambda);
        p->ratio = sqrt((p->radius * p->radius + (f->scalar.intercept ? p->bound * p->bound : 0)) /
                        square);
        plain_step(p, f, x, f->target[i], n, f->scalar.intercept, c * count / weights);
    }
    *loss /= weights;
}

static void compare_stream(const char *loss, bool weighted, bool intercept, const char *name,
                           double bound, const int64_t *cuts) {
    struct fixture f;
    struct stream_progress progress;
    double w[MOST] = {0}, mean_loss;
    char limit[40];
    struct plain p = {.strong = strcmp(name, "asset*-on") == 0, .bound = bound, .from = 9};
    set_up_with(&f, loss, 0.01, -1, weighted, intercept);
    snprintf(limit, sizeof limit, "bound-offset=%g", bound);
    const char *words[] = {"average-from=9", p.strong ? NULL : limit, "sample=20", NULL};
    assert_int_equal(stream(&f, name, words, NULL, cuts, w, &progress), FEATURES + intercept);
    plain_stream(&f, &p, &mean_loss);
    for (int k = 0; k < FEATURES + intercept; k++)
        assert_near(w[k], p.mean[k], 1e-9 * (1 + fabs(p.mean[k])));
    assert_near(progress.loss, mean_loss, 1e-11 * (1 + mean_loss));
    assert_int_equal(progress.examples, 2 * ROWS);
    tear_down(&f);
}

static void streams_make_the_same_steps(void **state) {
    static const char *const losses[] = {"hinge", "logistic", "absolute"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        compare_stream(losses[k], false, false, "asset-on", 5, thirds);
        compare_stream(losses[k], true, true, "asset-on", 5, uneven);
        compare_stream(losses[k], false, true, "asset-on", 0.1, thirds);
        compare_stream(losses[k], true, false, "asset*-on", 5, thirds);
    }
}

/* Features that come late begin at 0, as if they had been there. */
static void features_may_come_late(void **state) {
    struct fixture f;
    struct stream_progress progress;
    double w[MOST] = {0}, v[MOST] = {0};
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
    for (int k = 0; k < MOST - 1; k++)
        assert_near(w[k], v[k], 1e-13 * (1 + fabs(v[k])));
    tear_down(&f);
}

/* Random features made on the fly: as on examples that were mapped before. */
static void maps_are_made_on_the_fly(void **state) {
    enum { N = 24 };
    struct fixture f, mapped;
    struct stream_progress progress, other;
    struct map_settings settings = {.kind = MAP_FOURIER,
                                    .kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 0.5},
                                    .size = N,
                                    .seed = 4};
    double w[N + 1], v[N + 1];
    (void)state;
    set_up_with(&f, "hinge", 0.01, -1, false, true);
    struct map *map = map_new(&settings, NULL, NULL);
    assert_int_equal(stream(&f, "asset-on", NULL, map, uneven, w, &progress), N + 1);
    assert_int_equal(map_prepare(map, FEATURES, NULL), 0);
    mapped = f;
    mapped.data = (struct dataset){.rows = ROWS, .features = N, .nonzeros = ROWS * N};
    mapped.data.start = malloc(sizeof(int64_t) * (ROWS + 1));
    mapped.data.column = malloc(sizeof(int32_t) * ROWS * N);
    mapped.data.value = malloc(sizeof(double) * ROWS * N);
    mapped.data.label = calloc(ROWS, sizeof(double));
    double *room = malloc(sizeof *room * (size_t)map_room(map, ROWS));
    assert_int_equal(map_rows(map, &f.data, 0, ROWS, mapped.data.value, room), 0);
    for (int64_t k = 0; k <= ROWS; k++)
        mapped.data.start[k] = k * N;
    for (int64_t k = 0; k < ROWS * N; k++)
        mapped.data.column[k] = (int32_t)(k % N);
    assert_int_equal(stream(&mapped, "asset-on", NULL, NULL, uneven, v, &other), N + 1);
    for (int k = 0; k <= N; k++)
        assert_near(w[k], v[k], 1e-12 * (1 + fabs(v[k])));
    assert_near(progress.loss, other.loss, 1e-12);
    free(room);
    map_free(map);
    dataset_free(&mapped.data);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_algorithm_3),
        cmocka_unit_test(last_iterate_of_the_strong_form_is_pegasos),
        cmocka_unit_test(average_begins_in_the_middle),
        cmocka_unit_test(reaches_the_optimum_with_an_offset),
        cmocka_unit_test(streams_make_the_same_steps),
        cmocka_unit_test(features_may_come_late),
        cmocka_unit_test(maps_are_made_on_the_fly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
