/* test_sparse.c - sgd, tg, fobos and rda against a plain dense transcription of their formulas; what comes
 * out of them; and the observer of dual averaging. */
#include "solvers/optimality.h"
#include "solvers/sparse/averaging.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/proximal_gradient.h"
#include "tests/size.h"
#include "tests/solvers/online/online_fixture.h"

/* ---- the plain transcription */

enum method { SGD, TG, FOBOS, RDA };

static const char *const names[] = {"sgd", "tg", "fobos", "rda"};

struct plain {
    enum method method;
    double gamma, theta;
    int truncate, batch;
    bool logarithmic; /* of rda with squares */
    bool anneals;     /* of the others */
    bool corrected;
    struct penalty penalty;
    int64_t regularized;
};

static double sign(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

static double prox(double x, double a, const struct penalty *s) {
    return soft(x, a * s->l1) / (1 + a * s->l2);
}

/* The step size of step t of all. */
static double plain_alpha(const struct plain *p, int t, int all) {
    if (p->method == RDA && p->corrected)
        return 1 / (p->penalty.l2 * t + p->gamma);
    double alpha = (p->corrected ? 1 - (t - 1.0) / all
                    : p->anneals ? pow(1e-3, (t - 1.0) / all)
                                 : sqrt(2.0 / t)) /
                   p->gamma;
    return p->method == SGD && p->penalty.l2 > 0 ? fmin(alpha, 1 / (2 * p->penalty.l2)) : alpha;
}

/* w_j after step t, from its derivative g; G is the sum of them. */
static double plain_move(const struct plain *p, int t, double alpha, bool offset, double w,
                         double g, double G) {
    const struct penalty *s = &p->penalty;
    double beta = p->gamma * sqrt(t);
    if (p->method == RDA && offset)
        return -sqrt(t) / p->gamma * (G / t);
    if (p->method == RDA && p->logarithmic && s->l2 > 0)
        beta = s->l2 * (1 + log(t));
    if (p->method == RDA)
        return -soft(G / t, s->l1) / (s->l2 + beta / t);
    if (offset)
        return w - alpha * g;
    if (p->method == SGD)
        return w - alpha * (g + s->l1 * sign(w) + s->l2 * w);
    w -= alpha * g;
    if (p->method == TG) {
        bool cut = fabs(w) <= fmax(p->theta, p->truncate * alpha * s->l1);
        return t % p->truncate == 0 && cut ? prox(w, p->truncate * alpha, s) : w;
    }
    return prox(w, alpha, s);
}

/* The a that is a derivative of the loss at u - mu a, by bisection; mu 0: at u. */
static double plain_derivative(const struct fixture *f, double u, double y, double mu) {
    double a, low, high;
    f->scalar.loss->value(u, y, &f->scalar.parameters, &a);
    double before = a;
    low = fmin(a, 0), high = fmax(a, 0);
    f->scalar.loss->value(u - mu * before, y, &f->scalar.parameters, &a);
    if (a == before) /* the loss is linear between the two */
        return a;
    for (int i = 0; i < 60 && low < high; i++) {
        double middle = low + (high - low) / 2;
        f->scalar.loss->value(u - mu * middle, y, &f->scalar.parameters, &a);
        *(a > middle ? &low : &high) = middle;
    }
    return low + (high - low) / 2;
}

/* g: the mean over a batch of the derivatives after steps of size alpha[0], of the offset alpha[1]. */
static void plain_gradient(const struct fixture *f, struct plain_order *order, int batch,
                           const double *w, const double *alpha, double *g) {
    double x[MAX_DIMENSION];
    int64_t n = f->risk->regularized;
    memset(g, 0, sizeof *g * MAX_DIMENSION);
    for (int i = 0; i < batch; i++) {
        int64_t item = plain_next(order);
        dense_row(f, item, x);
        double a = plain_derivative(f, vector_dot(w, x, MAX_DIMENSION), f->target[item],
                                    alpha[0] * vector_dot(x, x, n) + alpha[1] * x[n] * x[n]);
        for (int j = 0; j < MAX_DIMENSION; j++)
            g[j] += a * x[j] / batch;
    }
}

/* The sizes after which derivatives are taken, of weights and offset: those of annealed steps, and half of those of rda
 * where the slope of the loss is not bounded; else 0. */
static void plain_lengths(const struct fixture *f, const struct plain *p, int t, double alpha,
                          double *lengths) {
    double beta =
        p->logarithmic && p->penalty.l2 > 0 ? p->penalty.l2 * (1 + log(t)) : p->gamma * sqrt(t);
    bool bounded = f->scalar.loss->lipschitz_slope == 0;
    lengths[0] = lengths[1] = p->anneals ? alpha : 0;
    if (p->method != RDA || bounded)
        return;
    lengths[0] = 0.5 / (p->penalty.l2 * t + beta);
    lengths[1] = 0.5 / (p->gamma * sqrt(t));
}

static void plain_run(const struct fixture *f, const struct plain *p, int steps, double *w,
                      double *average) {
    double g[MAX_DIMENSION], sum[MAX_DIMENSION] = {0};
    struct plain_order order;
    plain_start(f, true, &order);
    memset(average, 0, sizeof *average * MAX_DIMENSION);
    for (int t = 1; t <= steps; t++) {
        double alpha = plain_alpha(p, t, steps);
        double lengths[2];
        plain_lengths(f, p, t, alpha, lengths);
        plain_gradient(f, &order, p->batch, w, lengths, g);
        for (int j = 0; j < f->risk->dimension; j++) {
            sum[j] += g[j];
            w[j] = plain_move(p, t, alpha, j >= p->regularized, w[j], g[j], sum[j]);
            average[j] += w[j] / steps;
        }
    }
    alias_free(&order.alias);
}

/* The latest derivatives of the losses, and the mean gradient that they make. */
struct plain_table {
    double slope[ROWS], mean[MAX_DIMENSION];
};

/* g: the mean over a batch of the gradients' changes, after steps of size alpha[0], of the offset alpha[1]; the table
 * then has these. */
static void plain_correction(const struct fixture *f, struct plain_order *order, int batch,
                             const double *w, const double *alpha, struct plain_table *table,
                             double *g) {
    int64_t n = f->risk->regularized;
    double x[MAX_DIMENSION], now[ROWS], weight_sum = 0;
    int64_t item[ROWS];
    memset(g, 0, sizeof *g * MAX_DIMENSION);
    for (int i = 0; i < ROWS; i++)
        weight_sum += f->scalar.weight == NULL ? 1 : f->scalar.weight[i];
    for (int i = 0; i < batch; i++) {
        item[i] = plain_next(order);
        dense_row(f, item[i], x);
        double mu = alpha[0] * vector_dot(x, x, n) + alpha[1] * x[n] * x[n];
        double old = table->slope[item[i]];
        now[i] =
            plain_derivative(f, vector_dot(w, x, MAX_DIMENSION) + mu * old, f->target[item[i]], mu);
        for (int j = 0; j < MAX_DIMENSION; j++)
            g[j] += (now[i] - old) * x[j] / batch;
    }
    for (int i = 0; i < batch; i++) {
        double weight = f->scalar.weight == NULL ? 1 : f->scalar.weight[item[i]];
        dense_row(f, item[i], x);
        for (int j = 0; j < MAX_DIMENSION; j++)
            table->mean[j] += weight / weight_sum * (now[i] - table->slope[item[i]]) * x[j];
        table->slope[item[i]] = now[i];
    }
}

/* w_j after step t, from the correction g and the mean gradient before. */
static double plain_corrected(const struct plain *p, int t, double alpha, bool offset, double w,
                              double g, double mean) {
    const struct penalty *s = &p->penalty;
    double length = p->method != TG ? alpha : t % p->truncate == 0 ? p->truncate * alpha : 0;
    double moved = w - alpha * g - length * mean;
    if (offset)
        return moved;
    return p->method == SGD ? moved - alpha * (s->l1 * sign(w) + s->l2 * w)
                            : prox(moved, length, s);
}

static void plain_corrected_run(const struct fixture *f, const struct plain *p, int steps,
                                double *w) {
    double g[MAX_DIMENSION], before[MAX_DIMENSION], Z[MAX_DIMENSION] = {0};
    struct plain_order order;
    struct plain_table table = {0};
    plain_start(f, true, &order);
    for (int t = 1; t <= steps; t++) {
        double alpha = plain_alpha(p, t, steps);
        double alphas[2] = {alpha, p->method == RDA ? 1 / p->gamma : alpha};
        memcpy(before, table.mean, sizeof before);
        plain_correction(f, &order, p->batch, w, alphas, &table, g);
        for (int j = 0; j < f->risk->dimension; j++) {
            bool offset = j >= p->regularized;
            Z[j] += g[j] + before[j];
            w[j] = p->method == RDA ? -alphas[offset] * soft(Z[j], offset ? 0 : p->penalty.l1 * t)
                                    : plain_corrected(p, t, alpha, offset, w[j], g[j], before[j]);
        }
    }
    alias_free(&order.alias);
}

static void set_up_sparse(struct fixture *f, const char *loss, double lambda, bool elastic,
                          double bias, bool weighted, bool intercept) {
    set_up_with(f, loss, lambda, bias, weighted, intercept);
    f->problem.regularizer = regularizer_by_name(elastic ? "elastic-net" : "l1");
    f->problem.parameters.elastic = 0.3;
}

/* Over at least 540 steps, nine or more windows. */
static void compare(struct fixture *f, struct plain *p, bool averaged, bool warm) {
    double expected[MAX_DIMENSION] = {0}, average[MAX_DIMENSION], w[MAX_DIMENSION] = {0};
    char gamma[40], truncate[40], theta[40];
    const char *words[6] = {gamma, averaged ? "output=average" : "output=last", NULL};
    int more = 2;
    snprintf(gamma, sizeof gamma, "gamma=%.17g", p->gamma);
    snprintf(truncate, sizeof truncate, "truncate=%d", p->truncate);
    snprintf(theta, sizeof theta, "theta=%.17g", isinf(p->theta) ? 0 : p->theta);
    if (p->method == TG)
        words[more++] = truncate, words[more++] = theta;
    if (p->logarithmic)
        words[more++] = "beta=log";
    if (p->method == RDA)
        words[more++] = p->corrected ? "slope=corrected" : "slope=half";
    else
        words[more++] = p->corrected ? "step=corrected" : p->anneals ? "step=anneal" : "step=sqrt";
    int a_pass = (ROWS + p->batch - 1) / p->batch;
    f->run.batch_size = p->batch;
    f->run.passes = ceil(540.0 / a_pass);
    p->penalty = problem_penalty_parts(&f->problem);
    p->regularized = f->risk->regularized;
    for (int j = 0; warm && j < FEATURES; j++)
        w[j] = expected[j] = j % 3 - 1;
    if (p->corrected)
        plain_corrected_run(f, p, (int)f->run.passes * a_pass, expected);
    else
        plain_run(f, p, (int)f->run.passes * a_pass, expected, average);
    train(f, names[p->method], words, w);
    for (int j = 0; j < f->risk->dimension; j++) {
        assert_near(w[j], averaged ? average[j] : expected[j],
                    (averaged ? 1e-10 : 1e-12) * (1 + fabs(w[j])));
        assert_true(averaged || (w[j] == 0) == (fabs(expected[j]) < 1e-14));
        assert_false(w[j] == 0 && signbit(w[j]));
    }
}

static const char *const losses[] = {"hinge",    "squared-hinge", "logistic", "squared",
                                     "absolute", "epsilon",       "huber",    "quantile"};

/* Losses, lambdas, both regularizers, bias, weights, offset, batches, last and average. */
static void compare_all(enum method method, int truncate, double theta) {
    static const double lambdas[] = {0.002, 0.05, 0.2};
    for (int l = 0; l < 8; l++)
        for (int k = 0; k < 3; k++)
            for (int v = 0; v < 64; v++) {
                if ((l + k + v) % PART(3, 7) != 0)
                    continue;
                struct fixture f;
                struct plain p = {.method = method,
                                  .anneals = method != RDA && (l + k + v / 5) % 16 == 0,
                                  .gamma = 4 + k,
                                  .truncate = truncate,
                                  .theta = theta,
                                  .batch = v & 8 ? 7 : 1};
                set_up_sparse(&f, losses[l], lambdas[k], v & 1, v & 2 ? 0.5 : -1, v & 2, v & 4);
                compare(&f, &p, v & 16, v & 32 && method != RDA && k < 2 && l == 2);
                tear_down(&f);
            }
}

static void sgd_is_its_formula(void **state) {
    (void)state;
    compare_all(SGD, 1, INFINITY);
}

/* Steps that would be longer than 1/l2, then longer than half of that, then shorter. */
static void sgd_is_limited_by_the_squares(void **state) {
    (void)state;
    for (int v = 0; v < 8; v++) {
        struct fixture f;
        struct plain p = {.method = SGD, .gamma = 0.3, .theta = INFINITY, .batch = v & 1 ? 7 : 1};
        set_up_sparse(&f, "logistic", 0.8, true, -1, false, v & 2);
        f.problem.parameters.elastic = 0.9;
        compare(&f, &p, v & 4, false);
        tear_down(&f);
    }
}

static void tg_is_its_formula(void **state) {
    (void)state;
    compare_all(TG, 10, INFINITY);
    compare_all(TG, 3, 0.3);
    compare_all(TG, 10, 0.002); /* far below what a step cuts */
}

static void fobos_is_its_formula(void **state) {
    (void)state;
    compare_all(FOBOS, 1, INFINITY);
}

static void rda_is_its_formula(void **state) {
    (void)state;
    compare_all(RDA, 1, INFINITY);
    static const char *const some[] = {"hinge", "logistic", "absolute", "squared-hinge"};
    for (int l = 0; l < 4; l++)
        for (int v = 0; v < 8; v++) {
            struct fixture f;
            struct plain p = {
                .method = RDA, .gamma = 4, .batch = v & 1 ? 7 : 1, .logarithmic = true};
            set_up_sparse(&f, some[l], 0.2, true, -1, false, v & 2);
            compare(&f, &p, v & 4, false);
            tear_down(&f);
        }
}

/* Losses, lambdas, both regularizers, bias, weights, offset, batches. */
static void corrected_steps_are_their_formula(void **state) {
    (void)state;
    static const double lambdas[] = {0.002, 0.05, 0.2};
    for (int m = SGD; m <= RDA; m++)
        for (int l = 0; l < 8; l++)
            for (int v = 0; v < 32; v++) {
                if ((l + v) % PART(3, 7) != 0)
                    continue;
                struct fixture f;
                struct plain p = {.method = m,
                                  .corrected = true,
                                  .gamma = 20,
                                  .truncate = v % 2 ? 10 : 3,
                                  .theta = INFINITY,
                                  .batch = v & 8 ? 7 : 1};
                set_up_sparse(&f, losses[l], lambdas[(v + l) % 3], v & 1, v & 2 ? 0.5 : -1, v & 2,
                              v & 4);
                compare(&f, &p, false, v & 16 && l == 2 && m != RDA);
                tear_down(&f);
            }
}

static void tg_at_every_step_is_fobos(void **state) {
    (void)state;
    static const char *const words[] = {"truncate=1", "theta=0", "gamma=5", NULL};
    for (int elastic = 0; elastic < 2; elastic++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up_sparse(&f, "logistic", 0.02, elastic, 1, false, true);
        f.run.passes = 10;
        train(&f, "tg", words, w);
        train(&f, "fobos", words + 2, v);
        assert_memory_equal(w, v, sizeof w);
        tear_down(&f);
    }
}

/* ---- what comes out */

/* The gradient of all examples at w = 0 is less than lambda; or that of each example. */
static void large_lambda_leaves_real_zeros(void **state) {
    (void)state;
    static const char *const methods[] = {"fobos", "rda"}, *const annealed[] = {"step=anneal",
                                                                                NULL};
    for (int m = 0; m < 2; m++)
        for (int single = 0; single < 2; single++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, g[MAX_DIMENSION];
            set_up_sparse(&f, "hinge", 1, false, -1, false, false);
            risk_evaluate(f.risk, w, 0, g);
            f.problem.lambda = single ? 1.0001 : 1.0001 * vector_largest(g, FEATURES);
            f.run.batch_size = single ? 1 : ROWS;
            f.run.passes = single ? 3 : 100;
            train(&f, methods[m], single && m == 0 ? annealed : NULL, w);
            for (int j = 0; j < FEATURES; j++)
                assert_true(w[j] == 0 && !signbit(w[j]));
            assert_near(f.outcome.objective, 1, 1e-15);
            tear_down(&f);
        }
}

static void all_come_near_the_optimum(void **state) {
    (void)state;
    static const char *const smooth[] = {"squared-hinge", "logistic", "squared", "huber"};
    for (int m = 0; m < 4; m++)
        for (int v = 0; v < 8; v++)
            for (int l = 0; l < 4; l++) {
                if ((m + v + l) % PART(2, 3) != 0)
                    continue;
                struct fixture f;
                double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
                static const char *const average[] = {"output=average", NULL};
                set_up_sparse(&f, smooth[l], 0.02, v & 1, 1, v & 2, v & 4);
                f.run.passes = 200;
                proximal_gradient(&f.problem, 20000, best);
                double optimum = problem_objective(&f.problem, best);
                train(&f, names[m], average, w);
                assert_near(f.outcome.objective, problem_objective(&f.problem, w), 1e-12);
                assert_true(f.outcome.objective >= optimum - 1e-10);
                assert_true(f.outcome.bound <= optimum + 1e-10);
                assert_true(f.outcome.bound >= optimum * 0.97); /* certify.h */
                assert_true(f.outcome.objective <= optimum * 1.02);
                tear_down(&f);
            }
}

/* Without a gamma, both regularizers, weights, offset: the noise of single examples is gone. */
static void corrected_averaging_gets_to_the_optimum(void **state) {
    (void)state;
    static const char *const some[] = {"squared-hinge", "logistic", "squared", "huber"};
    for (int l = 0; l < 4; l++)
        for (int v = 0; v < 8; v++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
            set_up_sparse(&f, some[l], 0.02, v & 1, 1, v & 2, v & 4);
            f.run.passes = 200;
            proximal_gradient(&f.problem, 20000, best);
            double optimum = problem_objective(&f.problem, best);
            train(&f, "rda", NULL, w);
            assert_true(f.outcome.bound <= optimum + 1e-10);
            assert_true(f.outcome.objective >= optimum - 1e-10);
            assert_true(f.outcome.objective <= optimum * 1.0001);
            tear_down(&f);
        }
}

/* auto is corrected, but for the options that belong to the plain loop. */
static void averaging_is_corrected_by_default(void **state) {
    (void)state;
    static const struct {
        const char *given, *slope, *beta;
    } cases[] = {{"output=last", "slope=corrected", "beta=auto"},
                 {"output=best", "slope=corrected", "beta=auto"},
                 {"output=average", "slope=half", "beta=sqrt"},
                 {"beta=sqrt", "slope=half", "beta=sqrt"},
                 {"beta=log", "slope=half", "beta=log"},
                 {"slope=before", "slope=before", "beta=sqrt"}};
    for (int k = 0; k < 6; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        const char *const words[] = {"gamma=3", cases[k].given, NULL};
        bool output = strncmp(cases[k].given, "output", 6) == 0;
        const char *const same[] = {"gamma=3", cases[k].slope, cases[k].beta,
                                    output ? cases[k].given : NULL, NULL};
        set_up_sparse(&f, "squared-hinge", 0.02, true, 1, false, true);
        train(&f, "rda", words, w);
        train(&f, "rda", same, v);
        assert_memory_equal(w, v, sizeof w);
        tear_down(&f);
    }
}

static void the_best_is_no_worse_than_the_last(void **state) {
    (void)state;
    static const char *const best[] = {"gamma=0.5", "output=best", NULL};
    for (int m = 0; m < 4; m++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up_sparse(&f, "logistic", 0.02, false, 1, false, false);
        train(&f, names[m], (const char *const[]){"gamma=0.5", NULL}, w);
        double last = f.outcome.objective;
        train(&f, names[m], best, v);
        assert_true(f.outcome.objective <= last);
        tear_down(&f);
    }
}

/* Too long steps, from the optimum. */
static void a_start_is_never_made_worse(void **state) {
    (void)state;
    static const char *const outputs[] = {"output=last", "output=best", "output=average"};
    for (int m = 0; m < RDA; m++)
        for (int v = 0; v < 6; v++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION] = {0};
            const char *const words[] = {"gamma=0.01", outputs[v % 3], NULL};
            set_up_sparse(&f, "logistic", 0.02, v / 3, 1, true, true);
            proximal_gradient(&f.problem, 2000, best);
            memcpy(w, best, sizeof w);
            f.run.warm = true;
            train(&f, names[m], words, w);
            assert_memory_equal(w, best, sizeof w);
            assert_near(f.outcome.objective, problem_objective(&f.problem, best), 1e-15);
            memset(w, 0, sizeof w);
            double null = problem_objective(&f.problem, w);
            f.run.warm = false; /* from 0 itself the run may end higher, but with output=best */
            train(&f, names[m], words, w);
            assert_true(v % 3 == 1 ? f.outcome.objective <= null
                                   : vector_nonzeros(w, MAX_DIMENSION) > 0);
            tear_down(&f);
        }
}

/* A part of a batch counts as a step. */
static void a_little_of_a_pass_is_a_step(void **state) {
    (void)state;
    static const double passes[] = {0.001, 1.0 / ROWS, 1.001 / ROWS, 1.5};
    static const int steps[] = {1, 1, 2, 3 * ROWS / 2};
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 4; k++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            set_up_sparse(&f, "logistic", 1e-4, false, 1, false, true);
            f.run.passes = passes[k];
            train(&f, names[m], (const char *const[]){"gamma=3", NULL}, w);
            assert_int_equal(f.outcome.iterations, steps[k]);
            assert_near(f.outcome.passes, (double)steps[k] / ROWS, 1e-15);
            assert_true(vector_nonzeros(w, MAX_DIMENSION) > 0);
            tear_down(&f);
        }
}

/* The same weights and J, and no bound. */
static void a_trial_has_no_bound(void **state) {
    (void)state;
    for (int m = 0; m < 4; m++)
        for (int best = 0; best < 2; best++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
            const char *const words[] = {"gamma=3", best ? "output=best" : "output=last", NULL};
            set_up_sparse(&f, "logistic", 0.02, m % 2, 1, true, true);
            train(&f, names[m], words, w);
            double objective = f.outcome.objective;
            assert_true(f.outcome.bound >= 0);
            f.run.uncertified = true;
            train(&f, names[m], words, v);
            assert_memory_equal(w, v, sizeof w);
            assert_near(f.outcome.objective, objective, 1e-15);
            assert_true(f.outcome.bound == -INFINITY);
            assert_int_equal(f.outcome.verdict, VERDICT_PASSES);
            tear_down(&f);
        }
}

/* The delta of the last report is that of the model; reports do not change the result. */
static void a_trace_tells_the_distance_from_optimality(void **state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0}, g[MAX_DIMENSION], seen = NAN;
        char line[512];
        const char *const words[] = {"gamma=2", NULL};
        FILE *trace = tmpfile();
        set_up_sparse(&f, "logistic", 0.02, m % 2, 1, true, true);
        const struct solver *solver = solver_by_name(names[m]);
        void *options = solver_options_parse(solver, words);
        const struct monitor_settings settings = {
            .passes = f.run.passes, .time_limit = INFINITY, .trace = trace};
        struct monitor monitor;
        monitor_init(&monitor, &settings);
        monitor_begin(&monitor, NULL);
        assert_int_equal(
            solver->train(&(struct solve){&f.problem, &f.run, options, &monitor, w, &f.outcome},
                          NULL),
            0);
        monitor_end(&monitor);
        rewind(trace);
        while (fgets(line, sizeof line, trace) != NULL)
            seen = strtod(strrchr(line, '\t'), NULL);
        risk_evaluate(f.risk, w, 0, g);
        assert_near(seen, optimality_delta(&f.problem, w, g), 1e-15);
        train(&f, names[m], words, v);
        assert_memory_equal(w, v, sizeof w);
        fclose(trace);
        free(options);
        tear_down(&f);
    }
}

/* Far too long first steps: with the derivative before the step most of these runs overflow. */
static void annealed_steps_bear_a_small_gamma(void **state) {
    (void)state;
    static const char *const loss[] = {"squared-hinge", "squared", "logistic", "hinge"};
    for (int l = 0; l < 4; l++)
        for (int m = 0; m < 3; m++) {
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            set_up_sparse(&f, loss[l], 1e-3, false, -1, false, false);
            double zero = problem_objective(&f.problem, w);
            f.run.passes = 20;
            train(&f, names[m], (const char *const[]){"gamma=1e-3", "step=anneal", NULL}, w);
            assert_true(problem_objective(&f.problem, w) < zero);
            tear_down(&f);
        }
}

/* Losses of unbounded slope, with far too long steps and an example 1000 times as long as the others. */
static void averaging_bears_a_small_gamma(void **state) {
    (void)state;
    static const char *const loss[] = {"squared-hinge", "squared"};
    static const char *const gamma[] = {"gamma=1", "gamma=100"};
    for (int l = 0; l < 2; l++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up_sparse(&f, loss[l], 1e-3, false, -1, false, false);
        for (int64_t k = f.data.start[5]; k < f.data.start[6]; k++)
            f.data.value[k] *= 1000;
        double zero = problem_objective(&f.problem, w);
        f.run.passes = 20;
        train(&f, "rda", (const char *const[]){gamma[l], "slope=half", NULL}, w);
        assert_true(problem_objective(&f.problem, w) < 2 * zero);
        tear_down(&f);
    }
}

static void divergence_is_an_error(void **state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up_sparse(&f, "squared", 0.01, false, -1, false, false);
        const struct solver *solver = solver_by_name(names[m]);
        const char *const words[] = {"gamma=1e-200", m == RDA ? "slope=before" : "step=sqrt", NULL};
        void *options = solver_options_parse(solver, words);
        const struct monitor_settings settings = {.passes = 5, .time_limit = INFINITY};
        struct monitor monitor;
        struct error e = {0};
        monitor_init(&monitor, &settings);
        monitor_begin(&monitor, NULL);
        assert_int_equal(
            solver->train(&(struct solve){&f.problem, &f.run, options, &monitor, w, &f.outcome},
                          &e),
            -1);
        assert_non_null(strstr(e.words, "beyond all numbers"));
        monitor_end(&monitor);
        free(options);
        tear_down(&f);
    }
}

/* ---- the observer of dual averaging */

struct watch {
    double sum[MAX_DIMENSION];
    int64_t steps, until;
};

static void touched(void *opaque, int64_t t, int64_t j, double before, double after) {
    struct watch *watch = opaque;
    assert_int_equal(t, watch->steps + 1);
    assert_near(watch->sum[j], before, 0);
    watch->sum[j] = after;
}

static bool stepped(void *opaque, int64_t t) {
    struct watch *watch = opaque;
    assert_int_equal(t, ++watch->steps);
    return t == watch->until;
}

static void an_observer_sees_the_sums_and_stops(void **state) {
    (void)state;
    for (int batch = 1; batch < 8; batch += 6) {
        struct fixture f;
        struct watch watch = {.until = 100};
        double w[MAX_DIMENSION] = {0}, mean[MAX_DIMENSION];
        set_up_sparse(&f, "logistic", 0.02, false, 0.5, false, true);
        f.run.passes = 100;
        f.run.batch_size = batch;
        struct averaging_observer observer = {&watch, touched, stepped, NULL};
        struct averaging_plan plan = {.gamma = 3, .observer = &observer, .mean = mean};
        const struct monitor_settings settings = {.passes = 100, .time_limit = INFINITY};
        struct monitor monitor;
        monitor_init(&monitor, &settings);
        monitor_begin(&monitor, NULL);
        assert_int_equal(
            averaging_run(&(struct solve){&f.problem, &f.run, NULL, &monitor, w, &f.outcome}, &plan,
                          NULL),
            0);
        monitor_end(&monitor);
        assert_int_equal(f.outcome.iterations, 100);
        assert_int_equal(f.outcome.verdict, VERDICT_SETTLED);
        assert_true(isnan(f.outcome.objective));
        for (int j = 0; j < f.risk->regularized; j++) {
            assert_near(mean[j], watch.sum[j] / 100, 1e-15);
            assert_near(w[j], -sqrt(100) / 3 * soft(mean[j], 0.02), 1e-13);
        }
        assert_near(w[f.risk->regularized], -sqrt(100) / 3 * mean[f.risk->regularized], 1e-13);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sgd_is_its_formula),
        cmocka_unit_test(sgd_is_limited_by_the_squares),
        cmocka_unit_test(tg_is_its_formula),
        cmocka_unit_test(fobos_is_its_formula),
        cmocka_unit_test(rda_is_its_formula),
        cmocka_unit_test(corrected_steps_are_their_formula),
        cmocka_unit_test(tg_at_every_step_is_fobos),
        cmocka_unit_test(large_lambda_leaves_real_zeros),
        cmocka_unit_test(all_come_near_the_optimum),
        cmocka_unit_test(corrected_averaging_gets_to_the_optimum),
        cmocka_unit_test(averaging_is_corrected_by_default),
        cmocka_unit_test(the_best_is_no_worse_than_the_last),
        cmocka_unit_test(a_start_is_never_made_worse),
        cmocka_unit_test(a_little_of_a_pass_is_a_step),
        cmocka_unit_test(a_trial_has_no_bound),
        cmocka_unit_test(a_trace_tells_the_distance_from_optimality),
        cmocka_unit_test(annealed_steps_bear_a_small_gamma),
        cmocka_unit_test(averaging_bears_a_small_gamma),
        cmocka_unit_test(divergence_is_an_error),
        cmocka_unit_test(an_observer_sees_the_sums_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
