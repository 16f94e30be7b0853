/* online_fixture.h - small problems for the tests of the online solvers, and the pieces of the paper's
 * algorithms written out plainly: draws, subgradients, their bound. Include after cmocka.h. */
#ifndef RRM_ONLINE_FIXTURE_H
#define RRM_ONLINE_FIXTURE_H

#include "math/random/alias.h"
#include "math/vector.h"
#include "solvers/online/online.h"
#include "tests/random_data.h"
#include "tests/solver_options.h"

#include <math.h>
#include <string.h>

/* Those with a second derivative; NULL at the end. */
static const char *const smooth_losses[] = {"logistic", "squared-hinge", "squared", "huber", NULL};

enum { ROWS = 60, FEATURES = 8, MAX_DIMENSION = FEATURES + 2 };

struct fixture {
    struct dataset data;
    double weight[ROWS], target[ROWS];
    struct scalar_settings scalar;
    struct risk *risk;
    struct problem problem;
    struct run_settings run;
    double epsilon; /* -e */
    struct monitor_observer observer;
    struct outcome outcome;
};

static inline void set_up_with(struct fixture *f, const char *loss, double lambda, double bias,
                               bool weighted, bool intercept) {
    *f = (struct fixture){.data = random_data(ROWS, FEATURES, false, 2)};
    struct random random;
    random_seed(&random, 1, 1);
    const struct loss *l = loss_by_name(loss);
    for (int i = 0; i < ROWS; i++) {
        f->weight[i] = i % 9 == 0 ? 0 : 1 + i % 4;
        f->target[i] = l->task == TASK_CLASSIFICATION ? f->data.label[i]
                                                      : f->data.label[i] + random_unit(&random);
    }
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->target,
                                         .weight = weighted ? f->weight : NULL,
                                         .loss = l,
                                         .parameters = {0.1, 0.5, 1},
                                         .bias = bias,
                                         .intercept = intercept};
    f->risk = scalar_risk_new(&f->scalar, NULL);
    f->problem = (struct problem){
        .risk = f->risk, .regularizer = regularizer_by_name("l2"), .lambda = lambda};
    f->run = (struct run_settings){
        .passes = 5, .passes_given = true, .batch_size = 1, .seed = 11, .stream = 3};
}

static inline void set_up(struct fixture *f, const char *loss, double lambda, double bias,
                          bool weighted) {
    set_up_with(f, loss, lambda, bias, weighted, false);
}

static inline void tear_down(struct fixture *f) {
    risk_free(f->risk);
    dataset_free(&f->data);
}

static inline void train(struct fixture *f, const char *name, const char *const *words, double *w) {
    const struct solver *solver = solver_by_name(name);
    void *options = solver_options_parse(solver, words);
    struct monitor monitor;
    struct monitor_settings settings = {.epsilon = f->epsilon,
                                        .passes = f->run.passes,
                                        .time_limit = INFINITY,
                                        .observer = f->observer};
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        solver->train(&(struct solve){&f->problem, &f->run, options, &monitor, w, &f->outcome},
                      NULL),
        0);
    monitor_end(&monitor);
    free(options);
}
static inline void dense_row(const struct fixture *f, int64_t i, double *x) {
    memset(x, 0, sizeof *x * MAX_DIMENSION);
    for (int64_t k = f->data.start[i]; k < f->data.start[i + 1]; k++)
        x[f->data.column[k]] = f->data.value[k];
    int64_t n = FEATURES;
    if (f->scalar.bias >= 0)
        x[n++] = f->scalar.bias;
    if (f->scalar.intercept)
        x[n] = 1;
}

/* max over the rows of positive weight of L_i ||x_i||, with L_i = constant + slope R ||x_i||. */
static inline double plain_bound(const struct fixture *f, double radius, double diameter) {
    double constant = 0, square = 0, x[MAX_DIMENSION];
    for (int64_t i = 0; i < ROWS; i++) {
        if (f->scalar.weight != NULL && f->weight[i] == 0)
            continue;
        dense_row(f, i, x);
        double norm2 = vector_dot(x, x, MAX_DIMENSION);
        constant = fmax(constant, f->scalar.loss->lipschitz(f->target[i], &f->scalar.parameters) *
                                      sqrt(norm2));
        square = fmax(square, norm2);
    }
    return constant + f->scalar.loss->lipschitz_slope * square * fmin(radius, diameter) +
           f->problem.lambda * diameter;
}

/* The items one after another: independent draws, a random order a pass, or random subsets. */
struct plain_order {
    struct alias alias;
    struct random random;
    bool shuffled;
    int64_t order[ROWS], position;
    int64_t batch;
};

/* Brings one of the items from `from` on and before `end` to `from`. */
static inline int64_t plain_swap(struct plain_order *order, int64_t from, int64_t end) {
    int64_t other = from + (int64_t)random_below(&order->random, (uint64_t)(end - from));
    int64_t item = order->order[other];
    order->order[other] = order->order[from];
    return order->order[from] = item;
}

static inline int64_t plain_next(struct plain_order *order) {
    if (!order->shuffled && order->batch > 1)
        return plain_swap(order, order->position++ % order->batch, ROWS);
    if (!order->shuffled)
        return alias_draw(&order->alias, &order->random);
    int64_t begun = order->position % order->batch; /* of a step that the last pass began */
    if (order->position % ROWS == 0 && begun == 0)
        random_permutation(&order->random, order->order, ROWS);
    else if (order->position % ROWS == 0)
        for (int64_t i = 0; i < ROWS; i++)
            plain_swap(order, i, begun + i < order->batch ? ROWS - begun : ROWS);
    return order->order[order->position++ % ROWS];
}

static inline void plain_start(const struct fixture *f, bool shuffled, struct plain_order *order) {
    bool equal = f->scalar.weight == NULL;
    *order =
        (struct plain_order){.shuffled = shuffled && equal, .batch = equal ? f->run.batch_size : 1};
    for (int i = 0; i < ROWS; i++)
        order->order[i] = i;
    random_seed(&order->random, f->run.seed, f->run.stream);
    alias_init(&order->alias, f->scalar.weight, ROWS, NULL);
}

/* Mean subgradient of a random batch at w; returns the square of its length. */
static inline double plain_subgradient(const struct fixture *f, struct plain_order *order,
                                       int batch, const double *w, double *g) {
    double x[MAX_DIMENSION], a;
    memset(g, 0, sizeof *g * MAX_DIMENSION);
    for (int i = 0; i < batch; i++) {
        int64_t item = plain_next(order);
        dense_row(f, item, x);
        f->scalar.loss->value(vector_dot(w, x, MAX_DIMENSION), f->target[item],
                              &f->scalar.parameters, &a);
        for (int j = 0; j < MAX_DIMENSION; j++)
            g[j] += a * x[j] / batch;
    }
    return vector_dot(g, g, MAX_DIMENSION);
}

/* The minimizer of J, with losses smoothed by mu, by gradient descent: to steps of 1e-16, or 20000. */
static inline void plain_descent(const struct fixture *f, double mu, double size, double *w) {
    double g[MAX_DIMENSION], longest = 1;
    for (int step = 0; step < 20000 && longest > 1e-16; step++) {
        longest = 0;
        risk_evaluate(f->risk, w, mu, g);
        for (int j = 0; j < f->risk->dimension; j++) {
            double change = size * (g[j] + f->problem.lambda * w[j]);
            longest = fmax(longest, fabs(change));
            w[j] -= change;
        }
    }
}

/* A smooth problem's optimum, which the certificate closes. */
static inline double optimum(const struct fixture *f) {
    double w[MAX_DIMENSION] = {0};
    plain_descent(f, 0, 0.1, w);
    return problem_objective(&f->problem, w);
}

#endif
