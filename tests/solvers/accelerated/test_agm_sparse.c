/* test_agm_sparse.c - the zeros of agm's weights with a 1-norm or a ball of it: the proximal gradient step
 * beside its definition, models beside supports that are known, and the rule by which one is offered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

#include "solvers/batch.h"
#include "tests/solvers/accelerated/estimation_fixture.h"
#include "tests/solvers/bundle/bundle_fixture.h"

static const char *const solvers[] = {"agm", "agm1"};
enum { SOLVERS = 2 };

static struct history history;

/* ---- the step */

static const struct toy_kind kinds[] = {
    {"l1", SQUARES, PROX_EUCLIDEAN, false, true, 0, 0.4, 0, -INFINITY, INFINITY},
    {"l1 in a metric", SQUARES, PROX_EUCLIDEAN, true, true, 0, 0.3, 0, -INFINITY, INFINITY},
    {"elastic net", SOFT_MAX, PROX_EUCLIDEAN, true, false, 0, 0.05, 0.1, -INFINITY, INFINITY},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct estimation estimation_of(struct toy *toy, const struct toy_kind *kind,
                                       bool one_memory) {
    struct estimation estimation;
    struct estimation_settings settings = {.one_memory = one_memory, .growth = 2, .decay = 1.1};
    double w0[SMALL];
    toy_init(toy, kind);
    toy_start(toy, w0);
    assert_int_equal(estimation_init(&estimation, &settings, &toy->part, &toy->prox.prox, NULL), 0);
    estimation_start(&estimation, w0);
    return estimation;
}

/* By coordinate: p_j g_j + p_j L (x_j - w_j) + l2 p_j x_j + l1 sgn x_j = 0. */
static void check_step(const struct toy *toy, struct estimation *e, double L) {
    double g[SMALL];
    double at_w = toy_value(toy, e->w, g);
    memcpy(e->gradient, g, sizeof g);
    bool allowed = estimation_proximal(e, L);
    const double *x = e->next_w;
    for (int j = 0; j < SMALL; j++) {
        double remainder = fabs(L * e->w[j] - g[j]) - toy->kind.l1 / toy->p[j];
        double expected = copysign(fmax(remainder, 0), L * e->w[j] - g[j]) / (L + toy->kind.l2);
        assert_near(x[j], expected, 1e-13);
    }
    assert_near(e->next_value, toy_value(toy, x, NULL), 1e-13);
    double line = at_w + toy_slope(toy, g, x, e->w) + L / 2 * toy_square(toy, x, e->w);
    if (fabs(e->next_value - line) > 1e-12)
        assert_int_equal(allowed, e->next_value < line);
}

static void the_proximal_step_is_that_of_its_definition(void **state) {
    (void)state;
    int refused = 0;
    for (int k = 0; k < KINDS * SOLVERS; k++)
        for (int by = -3; by <= 1; by++) {
            struct toy toy;
            struct estimation e = estimation_of(&toy, &kinds[k / SOLVERS], k % SOLVERS);
            for (int step = 0; step < 6; step++) {
                assert_true(estimation_step(&e));
                check_step(&toy, &e, toy.L * pow(4, by));
                refused += !estimation_proximal(&e, toy.L * pow(4, by));
            }
            estimation_free(&e);
        }
    assert_true(refused > 0);
}

/* It does not change the method's iterates. */
static void the_steps_are_those_without_it(void **state) {
    (void)state;
    for (int k = 0; k < KINDS * SOLVERS; k++) {
        struct toy toy, other;
        struct estimation e = estimation_of(&toy, &kinds[k / SOLVERS], k % SOLVERS);
        struct estimation plain = estimation_of(&other, &kinds[k / SOLVERS], k % SOLVERS);
        for (int step = 0; step < 20; step++) {
            assert_true(estimation_step(&e) && estimation_step(&plain));
            assert_memory_equal(e.w, plain.w, sizeof(double) * SMALL);
            assert_memory_equal(e.z, plain.z, sizeof(double) * SMALL);
            assert_true(e.L == plain.L);
            check_step(&toy, &e, toy.L / 8);
        }
        estimation_free(&e);
        estimation_free(&plain);
    }
}

/* ---- a support that is known: each row has one feature, so that each weight is a problem of its own, and 0
 * where the risk's slope at 0 is within the threshold */

enum { APART = 12, TIMES = 5 };

struct separate {
    struct dataset data;
    double target[APART * TIMES];
    struct problem problem;
    double slope[APART];
};

static void set_up_separate(struct separate *s, const char *loss, const char *regularizer,
                            double lambda) {
    *s = (struct separate){.data = random_data(APART * TIMES, APART, false, 4)};
    s->data.nonzeros = APART * TIMES;
    for (int i = 0; i < APART * TIMES; i++) {
        int j = i % APART;
        s->target[i] = (i / APART) % 5 < 2 + j % 4 ? 1 : -1; /* 2 to 5 of 5 rows of a feature */
        s->data.value[i] = 1 + 0.2 * j;
        s->data.column[i] = j;
        s->data.start[i + 1] = i + 1;
    }
    struct scalar_settings scalar = {.data = &s->data,
                                     .target = s->target,
                                     .loss = loss_by_name(loss),
                                     .parameters = {0.1, 0.5, 1},
                                     .bias = -1};
    s->problem = (struct problem){.risk = scalar_risk_new(&scalar, NULL),
                                  .regularizer = regularizer_by_name(regularizer),
                                  .parameters = {.elastic = 0.5, .ball = 1},
                                  .lambda = lambda};
    double zero[APART] = {0};
    risk_evaluate(s->problem.risk, zero, 0, s->slope);
}

static void tear_down_separate(struct separate *s) {
    risk_free((struct risk *)s->problem.risk);
    dataset_free(&s->data);
}

/* A run from weights none of which is 0, to a gap of 1e-5; J is that of the weights, and above the bound. */
static void solve(const struct separate *s, const char *solver, const char *form, double *w) {
    const char *words[] = {form, NULL};
    struct outcome o;
    for (int j = 0; j < APART; j++)
        w[j] = s->problem.regularizer->ball != NULL ? 0.05 : 1;
    bool cold = strcmp(form, "form=excessive-gap") == 0;
    if (cold)
        memset(w, 0, sizeof *w * APART);
    assert_int_equal(run_with(&s->problem, solver, words, 1e-5, 100000, w, &history, &o, NULL), 0);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
    assert_near(o.objective, problem_objective(&s->problem, w), 1e-13 * o.objective);
    assert_true(o.bound <= o.objective && o.objective - o.bound <= 1e-5 * o.objective);
    check_history(&s->problem, &history, &o, w, o.objective, 1e-5 * o.objective);
}

/* `known`: which weights are not 0. */
static void has_support(const double *w, const bool *known) {
    int zeros = 0;
    for (int j = 0; j < APART; j++) {
        assert_int_equal(w[j] != 0, known[j]);
        zeros += w[j] == 0;
    }
    assert_true(zeros >= 3 && zeros <= APART - 3);
}

/* The threshold is in the widest interval between the sizes of the middle slopes. */
static double threshold(const struct separate *s) {
    double best = 0, widest = 0;
    for (int i = 0; i < APART; i++) {
        double next = INFINITY, x = fabs(s->slope[i]);
        int above = 0;
        for (int j = 0; j < APART; j++) {
            above += fabs(s->slope[j]) > x;
            if (fabs(s->slope[j]) > x)
                next = fmin(next, fabs(s->slope[j]));
        }
        if (above >= 3 && above <= APART - 3 && next / x > widest) {
            widest = next / x;
            best = sqrt(next * x);
        }
    }
    return best;
}

static void solved_has_support(const char *loss, const char *regularizer, const char *form) {
    struct separate s;
    bool known[APART];
    double w[APART];
    set_up_separate(&s, loss, regularizer, 1);
    double at = threshold(&s);
    s.problem.lambda = at / problem_penalty_parts(&s.problem).l1;
    for (int j = 0; j < APART; j++)
        known[j] = fabs(s.slope[j]) > at;
    for (int k = 0; k < SOLVERS; k++) {
        solve(&s, solvers[k], form, w);
        has_support(w, known);
    }
    tear_down_separate(&s);
}

static void the_model_has_the_zeros_of_the_optimum(void **state) {
    (void)state;
    static const char *const losses[] = {"logistic", "squared-hinge", "squared", "hinge"};
    static const char *const regularizers[] = {"l1", "elastic-net"};
    for (int l = 0; l < 4; l++)
        for (int r = 0; r < 2; r++)
            if ((l + r) % 2 == 0)
                solved_has_support(losses[l], regularizers[r], "form=primal");
}

static void the_dual_forms_have_them(void **state) {
    (void)state;
    static const char *const losses[] = {"squared-hinge", "squared", "hinge"};
    static const char *const forms[] = {"form=dual", "form=smooth-dual", "form=excessive-gap"};
    for (int k = 0; k < 9; k++)
        solved_has_support(losses[k / 3], "elastic-net", forms[k % 3]);
}

/* The ball's radius is the 1-norm of the optimum with l1, which is then the optimum with the ball, too. */
static void a_ball_has_them(void **state) {
    (void)state;
    static const char *const losses[] = {"logistic", "squared-hinge", "squared"};
    for (int l = 0; l < 3; l++) {
        struct separate s;
        struct outcome o;
        double w[APART], best[APART] = {0};
        bool known[APART];
        set_up_separate(&s, losses[l], "l1", 1);
        s.problem.lambda = threshold(&s);
        assert_int_equal(run_with(&s.problem, "lps", NULL, 1e-11, 1e5, best, NULL, &o, NULL), 0);
        s.problem.parameters.ball = 0;
        for (int j = 0; j < APART; j++) {
            s.problem.parameters.ball += fabs(best[j]);
            known[j] = fabs(s.slope[j]) > s.problem.lambda;
        }
        s.problem.regularizer = regularizer_by_name("l1-ball");
        s.problem.lambda = 1;
        for (int k = 0; k < SOLVERS; k++) {
            solve(&s, solvers[k], "form=primal", w);
            has_support(w, known);
            for (int j = 0; j < APART; j++)
                assert_near(w[j], best[j], 1e-2 * (1 + fabs(best[j])));
        }
        tear_down_separate(&s);
    }
}

/* ---- an offset is not regularized */

static void an_offset_is_left_out(void **state) {
    (void)state;
    static const double lambdas[] = {0.02, 0.06, 10};
    for (int k = 0; k < 3 * SOLVERS; k++) {
        struct fixture f;
        struct outcome o;
        double w[MAX_DIMENSION], best[MAX_DIMENSION] = {0};
        set_up_with(&f, "logistic", lambdas[k / SOLVERS], -1, true, true);
        f.problem.regularizer = regularizer_by_name("l1");
        for (int j = 0; j < MAX_DIMENSION; j++)
            w[j] = 1;
        assert_int_equal(run_with(&f.problem, "lps", NULL, 1e-11, 1e5, best, NULL, &o, NULL), 0);
        assert_int_equal(
            run_with(&f.problem, solvers[k % SOLVERS], NULL, 1e-6, 1e5, w, &history, &o, NULL), 0);
        assert_near(o.objective, problem_objective(&f.problem, w), 1e-13 * o.objective);
        for (int j = 0; j < FEATURES; j++)
            assert_int_equal(w[j] != 0, best[j] != 0);
        assert_true(w[FEATURES] != 0);
        assert_near(w[FEATURES], best[FEATURES], 0.02);
        tear_down(&f);
    }
}

/* ---- the offer */

/* The sparse weights may raise the gap by a hundredth of 0.5; better weights are kept. */
static void sparse_weights_are_taken_where_they_are_as_good(void **state) {
    (void)state;
    struct fixture f;
    double best[MAX_DIMENSION] = {0}, w[MAX_DIMENSION] = {1};
    struct batch batch;
    struct monitor monitor;
    set_up(&f, "hinge", 1, -1, false);
    monitor_init(&monitor, &(struct monitor_settings){.epsilon = 1e-3});
    batch_begin(&batch, &f.problem, &monitor, best);
    batch_raise(&batch, 0.5);
    assert_false(batch_offer_sparse(&batch, w, 1.006, 1));
    assert_true(isinf(batch.objective) && best[0] == 0);
    assert_true(batch_offer_sparse(&batch, w, 1.004, 1));
    assert_true(batch.objective == 1.004 && best[0] == 1);
    w[0] = 2;
    assert_true(batch_offer_sparse(&batch, w, 1.0041, 1.1));
    assert_true(batch.objective == 1.004 && best[0] == 1);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_proximal_step_is_that_of_its_definition),
        cmocka_unit_test(the_steps_are_those_without_it),
        cmocka_unit_test(the_model_has_the_zeros_of_the_optimum),
        cmocka_unit_test(the_dual_forms_have_them),
        cmocka_unit_test(a_ball_has_them),
        cmocka_unit_test(an_offset_is_left_out),
        cmocka_unit_test(sparse_weights_are_taken_where_they_are_as_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
