/* test_sparse_formulas.c - sgd, tg, fobos and rda against a plain dense transcription of their formulas. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"
#include "tests/solvers/sparse/sparse_fixture.h"

/* ---- the plain transcription */

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
    train(f, sparse_solvers[p->method], words, w);
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
                if ((l + k + v) % PART(7, 17) != 0)
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
                if ((l + v) % PART(5, 11) != 0)
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sgd_is_its_formula),
        cmocka_unit_test(sgd_is_limited_by_the_squares),
        cmocka_unit_test(tg_is_its_formula),
        cmocka_unit_test(fobos_is_its_formula),
        cmocka_unit_test(rda_is_its_formula),
        cmocka_unit_test(corrected_steps_are_their_formula),
        cmocka_unit_test(tg_at_every_step_is_fobos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
