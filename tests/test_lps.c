/* test_lps.c - lps on every loss: certified optima that plain coordinate descent confirms, what its
 * options promise, starts, limits, threads, and data at the edges. */
#include "solvers/lps.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "near.h"

#include "bundle_fixture.h"
#include "risk/scores.h"
#include "solvers/lps_newton.h"
#include "solvers/optimality.h"

#include <omp.h>

static const char *const regularizers[] = {"l1", "elastic-net"};
static const double rounding = 1e-13;
static const double some_w[MOST] = {1, -2, 0, 0.5, 0, 3, 0, -1, 2, -2};

/* ---- runs */

struct limits {
    double epsilon, passes, seconds;
    uint64_t seed;
    bool warm;
};

static const struct limits tight = {.epsilon = 1e-9, .passes = 10000, .seconds = INFINITY};

static struct history history;

/* The status; w is the start and the result. */
static int run_from(const struct problem *problem, const char *const *words,
                    const struct limits *limits, const struct lps_start *start, double *w,
                    struct outcome *outcome) {
    void *own = own_options(solver_by_name("lps"), words);
    struct run_settings run = {.epsilon = limits->epsilon,
                               .passes = limits->passes,
                               .passes_given = true,
                               .seed = limits->seed,
                               .warm = limits->warm};
    struct monitor_settings settings = {.epsilon = limits->epsilon,
                                        .passes = limits->passes,
                                        .time_limit = limits->seconds,
                                        .trace = tmpfile()};
    struct monitor monitor;
    struct error e = {0};
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    int status = start != NULL
                     ? lps_run(problem, &run, own, start, &monitor, w, outcome, &e)
                     : solver_by_name("lps")->train(problem, &run, own, &monitor, w, outcome, &e);
    monitor_end(&monitor);
    read_history(settings.trace, &history);
    fclose(settings.trace);
    free(own);
    return status;
}

static void run(const struct problem *problem, const char *const *words,
                const struct limits *limits, double *w, struct outcome *outcome) {
    assert_int_equal(run_from(problem, words, limits, NULL, w, outcome), 0);
    const struct scalar_parts *parts = problem->risk->scalar;
    double digits = 1e-16 * vector_largest(parts->target, parts->design->rows);
    assert_near(outcome->objective, problem_objective(problem, w),
                rounding * outcome->objective + digits);
    assert_true(outcome->bound <= outcome->objective);
}

/* Variants 0 to 7 of the small problem. */
static void set_up_variant(struct fixture *f, const char *loss, const char *regularizer,
                           int variant, double lambda) {
    set_up_with(f, loss, lambda, variant & 1 ? 0.5 : -1, variant & 2, variant & 4);
    f->problem.regularizer = regularizer_by_name(regularizer);
    f->problem.parameters.elastic = 0.3;
}

/* ---- what is true of an optimum, from plain loops */

/* The rows one below the other, MOST numbers each. */
static double *dense_rows(const struct fixture *f) {
    double *x = malloc(sizeof *x * ROWS * MOST);
    for (int i = 0; i < ROWS; i++)
        dense_row(f, i, x + i * MOST);
    return x;
}

static double plain_weight(const struct fixture *f, int i) {
    return f->scalar.weight == NULL ? 1 : f->scalar.weight[i];
}

/* Coordinate descent by the bound of the curvature, until nothing moves. Returns J. */
static double descend(const struct fixture *f, double *w) {
    enum { SWEEPS = 200000 };
    const struct loss *loss = f->scalar.loss;
    struct shares shares = problem_shares(&f->problem);
    double *x = dense_rows(f), u[ROWS] = {0}, moved = 1, weights = 0;
    for (int i = 0; i < ROWS; i++)
        weights += plain_weight(f, i);
    memset(w, 0, sizeof *w * MOST);
    for (int sweep = 0; sweep < SWEEPS && moved > 1e-14; sweep++) {
        moved = 0;
        for (int j = 0; j < f->risk->dimension; j++) {
            double g = 0, h = 0, a;
            for (int i = 0; i < ROWS; i++) {
                double c = plain_weight(f, i) / weights, at = x[i * MOST + j];
                if (c == 0)
                    continue;
                loss->value(u[i], f->target[i], &f->scalar.parameters, &a);
                g += c * a * at;
                h += c * loss->curvature * at * at;
            }
            double to = h == 0 ? 0 : w[j] - g / h;
            if (j < f->risk->regularized && h > 0)
                to = soft(to, shares.l1 / h) / (1 + shares.l2 / h);
            for (int i = 0; i < ROWS; i++)
                u[i] += (to - w[j]) * x[i * MOST + j];
            moved = fmax(moved, fabs(to - w[j]) / (1 + fabs(w[j])));
            w[j] = to;
        }
    }
    free(x);
    return problem_objective(&f->problem, w);
}

/* Of the point, delta(w) by its definition. */
static double plain_delta(const struct problem *problem, const double *w) {
    const struct risk *risk = problem->risk;
    struct shares shares = problem_shares(problem);
    double *g = malloc(sizeof *g * (size_t)risk->dimension), sum = 0;
    risk_evaluate(risk, w, 0, g);
    for (int64_t j = 0; j < risk->dimension; j++) {
        double d = g[j];
        if (j < risk->regularized)
            d = w[j] == 0 ? fmax(0, fabs(g[j]) - shares.l1)
                          : g[j] + shares.l2 * w[j] + (w[j] > 0 ? shares.l1 : -shares.l1);
        sum += d * d;
    }
    free(g);
    return sqrt(sum / (double)risk->dimension);
}

static void assert_same_support(const double *v, const double *w, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        assert_int_equal(v[j] != 0, w[j] != 0);
}

/* ---- optima */

static const double lambdas[] = {1e-3, 1e-2, 0.1};
enum { LAMBDAS = 3, VARIANTS = 8, PROBLEMS = 4 * 2 * VARIANTS * LAMBDAS };

/* The optima by coordinate descent, found when first asked for. */
static struct solved {
    bool known;
    double w[MOST], objective;
} solved[PROBLEMS];

static const struct solved *set_up_problem(struct fixture *f, int k) {
    set_up_variant(f, lps_losses[k / 6 / VARIANTS], regularizers[k / 3 % 2], k / 6 % VARIANTS,
                   lambdas[k % LAMBDAS]);
    if (!solved[k].known)
        solved[k].objective = descend(f, solved[k].w);
    solved[k].known = true;
    return &solved[k];
}

static void every_problem_reaches_its_optimum(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        struct fixture f;
        double w[MOST] = {0};
        const struct solved *at = set_up_problem(&f, k);
        run(&f.problem, NULL, &tight, w, &f.outcome);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_near(f.outcome.objective, at->objective, 1e-9 * at->objective);
        assert_true(f.outcome.objective - f.outcome.bound <= 1e-9 * f.outcome.objective);
        check_history(&f.problem, &history, &f.outcome, w, at->objective, 1e-12 * at->objective);
        assert_in_range(f.outcome.iterations, 1, 30);
        tear_down(&f);
    }
}

/* delta(w) of the point returned; from 1e-8 on its zeros are the optimum's. */
static void optimality_is_kept(void **state) {
    (void)state;
    static const char *const words[][2] = {
        {"optimality=1e-2"}, {"optimality=1e-4"}, {"optimality=1e-6"}, {"optimality=1e-8"}};
    for (int k = 0; k < PROBLEMS; k++)
        for (int o = 0; o < 4; o++) {
            struct fixture f;
            double w[MOST] = {0};
            const struct solved *at = set_up_problem(&f, k);
            run(&f.problem, words[o], &tight, w, &f.outcome);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_true(plain_delta(&f.problem, w) <= pow(100, -1 - o) + 1e-15);
            check_history(&f.problem, &history, &f.outcome, w, at->objective,
                          1e-12 * at->objective);
            if (o == 3) {
                assert_same_support(w, at->w, f.risk->regularized);
                for (int j = 0; j < f.risk->dimension; j++)
                    assert_near(w[j], at->w[j], 1e-5 * (1 + fabs(w[j])));
            }
            tear_down(&f);
        }
}

/* Also where the start has a lower J than the first point that is near enough to optimal: from a start of
 * large gradients lambda comes down in stages. */
static void optimality_is_kept_from_a_start(void **state) {
    (void)state;
    static const char *const words[] = {"optimality=0.01", NULL};
    struct fixture f;
    double w[MOST] = {0}, v[MOST];
    set_up_variant(&f, "squared", "l1", 0, 1e-7);
    for (int64_t k = 0; k < f.data.nonzeros; k++)
        f.data.value[k] *= f.data.column[k] == 0 ? 1e3 : 1;
    run(&f.problem, NULL, &tight, w, &f.outcome);
    struct limits warm = tight;
    warm.warm = true;
    for (double off = 1e-8; off < 1; off *= 10) {
        memcpy(v, w, sizeof v);
        v[0] += off;
        run(&f.problem, words, &warm, v, &f.outcome);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(plain_delta(&f.problem, v) <= 0.01 * (1 + 1e-9));
    }
    tear_down(&f);
}

/* To the gap, or rounding ends the run: there is nothing that the tolerance 0 does not end. */
static void rounding_ends_a_run(void **state) {
    (void)state;
    static const double epsilons[] = {1e-20, 0};
    for (int k = 0; k < PROBLEMS * 2; k++) {
        struct fixture f;
        double w[MOST] = {0};
        struct limits limits = tight;
        const struct solved *at = set_up_problem(&f, k / 2);
        limits.epsilon = epsilons[k % 2];
        run(&f.problem, NULL, &limits, w, &f.outcome);
        assert_true(f.outcome.verdict == VERDICT_STALLED || f.outcome.verdict == VERDICT_CONVERGED);
        assert_true(f.outcome.objective - f.outcome.bound <= 1e-11 * f.outcome.objective);
        assert_same_support(w, at->w, f.risk->regularized);
        assert_true(plain_delta(&f.problem, w) <= 1e-8);
        assert_in_range(f.outcome.iterations, 1, 60);
        tear_down(&f);
    }
}

/* ---- options */

/* From the least of the lambdas on, or the second. */
static void check_words(const char *const *words, double epsilon, int64_t most, int from) {
    for (int k = 0; k < PROBLEMS; k++) {
        if (k % LAMBDAS < from)
            continue;
        struct fixture f;
        double w[MOST] = {0};
        struct limits limits = tight;
        const struct solved *at = set_up_problem(&f, k);
        limits.epsilon = epsilon;
        run(&f.problem, words, &limits, w, &f.outcome);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_near(f.outcome.objective, at->objective, epsilon * at->objective);
        check_history(&f.problem, &history, &f.outcome, w, at->objective, 1e-12 * at->objective);
        assert_in_range(f.outcome.iterations, 1, most);
        tear_down(&f);
    }
}

static void first_order_steps_alone_converge(void **state) {
    (void)state;
    check_words((const char *const[]){"newton-threshold=1", NULL}, 1e-4, 1000, 1);
}

/* Coarse steps lower J to its last digit long before the gap is at its least. */
static void part_of_the_examples_gives_a_hessian(void **state) {
    (void)state;
    check_words((const char *const[]){"hessian-sample=20", NULL}, 1e-6, 200, 1);
    check_words((const char *const[]){"hessian-sample=1", NULL}, 1e-4, 2000, 1);
    check_words((const char *const[]){"hessian-sample=60", NULL}, 1e-9, 30, 0);
    check_words((const char *const[]){"hessian-sample=61", NULL}, 1e-9, 30, 0);
}

static void part_of_the_components_is_enough(void **state) {
    (void)state;
    check_words((const char *const[]){"gradient-fraction=0.3", NULL}, 1e-9, 1000, 0);
    check_words((const char *const[]){"gradient-fraction=1e-9", NULL}, 1e-9, 1000, 0);
    check_words((const char *const[]){"gradient-fraction=1", NULL}, 1e-9, 30, 0);
}

static void every_option_at_once(void **state) {
    (void)state;
    check_words((const char *const[]){"gradient-fraction=0.5", "hessian-sample=30",
                                      "newton-threshold=4", NULL},
                1e-4, 1000, 1);
}

/* The limit is on nonzeros: with as many as there can be it changes nothing. */
static void a_threshold_that_is_never_met_changes_nothing(void **state) {
    (void)state;
    static const char *const words[] = {"newton-threshold=11", NULL};
    for (int k = 0; k < PROBLEMS; k++) {
        struct fixture f;
        double w[MOST] = {0}, v[MOST] = {0};
        set_up_problem(&f, k);
        run(&f.problem, NULL, &tight, w, &f.outcome);
        run(&f.problem, words, &tight, v, &f.outcome);
        assert_memory_equal(w, v, sizeof w);
        tear_down(&f);
    }
}

/* ---- the reduced problem */

struct reduced {
    struct lps_reduced own;
    struct lps_point point;
    struct monitor monitor;
    double w[MOST], u[ROWS], push[ROWS];
};

/* At some point, with all components chosen. */
static void begin_reduced(struct reduced *r, const struct fixture *f, int64_t sample,
                          double seconds) {
    int64_t column[MOST];
    const struct run_settings run = {.seed = 3};
    const struct monitor_settings settings = {.passes = INFINITY, .time_limit = seconds};
    *r = (struct reduced){.point = {.w = r->w, .u = r->u, .push = r->push}};
    monitor_init(&r->monitor, &settings);
    monitor_begin(&r->monitor, NULL);
    assert_int_equal(lps_reduced_init(&r->own, &f->problem, sample, &run, &r->monitor, NULL), 0);
    for (int j = 0; j < f->risk->dimension; j++) {
        column[j] = j;
        r->w[j] = j % 3 ? 0.3 * some_w[j] : 0;
    }
    design_scores(f->risk->scalar->design, r->w, r->u);
    scores_risk(f->risk->scalar, r->u, NULL, 0, r->push);
    r->point.objective = problem_objective(&f->problem, r->w);
    assert_int_equal(lps_reduced_choose(&r->own, &r->point, column, f->risk->dimension, NULL), 0);
}

static void end_reduced(struct reduced *r) {
    monitor_end(&r->monitor);
    lps_reduced_free(&r->own);
}

/* Scores, push and J are those of w. */
static void check_point(const struct reduced *r, const struct fixture *f) {
    double u[ROWS], push[ROWS];
    design_scores(f->risk->scalar->design, r->w, u);
    scores_risk(f->risk->scalar, u, NULL, 0, push);
    for (int i = 0; i < ROWS; i++) {
        assert_near(r->u[i], u[i], 1e-12);
        assert_near(r->push[i], push[i], 1e-11);
    }
    assert_near(r->point.objective, problem_objective(&f->problem, r->w),
                1e-13 * r->point.objective);
}

/* Each lowers J by the part of mu ||d||^2, to where none does. */
static void first_order_steps_keep_the_point(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        struct fixture f;
        struct reduced r;
        bool fell = true;
        set_up_problem(&f, k);
        begin_reduced(&r, &f, 0, INFINITY);
        for (int step = 0; step < 300 && fell; step++) {
            double before[MOST], j = r.point.objective, square = 0;
            memcpy(before, r.w, sizeof before);
            fell = lps_first_order_step(&r.own, &r.point);
            check_point(&r, &f);
            for (int i = 0; i < f.risk->dimension; i++)
                square += r.own.diagonal[i] * pow(r.w[i] - before[i], 2);
            assert_true(!fell || r.own.mu < 1e-9 ||
                        j - r.point.objective >= 0.29 * (2 * r.own.mu) * square - 1e-15 * j);
        }
        end_reduced(&r);
        tear_down(&f);
    }
}

/* Steps one by one: J falls, no weight changes its sign, and those at 0 leave it to where J falls. */
static void newton_steps_keep_the_orthant(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        struct fixture f;
        struct reduced r;
        set_up_problem(&f, k);
        struct shares shares = problem_shares(&f.problem);
        begin_reduced(&r, &f, 0, INFINITY);
        for (int step = 0; step < 20; step++) {
            double before[MOST], gradient[MOST], j = r.point.objective;
            memcpy(before, r.w, sizeof before);
            risk_evaluate(f.risk, r.w, 0, gradient);
            int steps = lps_newton_steps(&r.own, &r.point, 0.1, 1, NULL);
            assert_in_range(steps, 0, 1);
            check_point(&r, &f);
            assert_true(r.point.objective <= j * (1 + 2e-14));
            for (int i = 0; i < f.risk->regularized; i++) {
                assert_true(before[i] * r.w[i] >= 0);
                if (before[i] == 0 && r.w[i] != 0)
                    assert_true(fabs(gradient[i]) > shares.l1 * (1 - 1e-9) &&
                                gradient[i] * r.w[i] < 0);
            }
        }
        end_reduced(&r);
        tear_down(&f);
    }
}

static void no_time_is_no_newton_step(void **state) {
    (void)state;
    struct fixture f;
    struct reduced r;
    set_up_problem(&f, 0);
    begin_reduced(&r, &f, 0, 0);
    assert_int_equal(lps_newton_steps(&r.own, &r.point, 0.1, 8, NULL), 0);
    end_reduced(&r);
    begin_reduced(&r, &f, 0, INFINITY);
    assert_in_range(lps_newton_steps(&r.own, &r.point, 0.1, 8, NULL), 1, 8);
    end_reduced(&r);
    tear_down(&f);
}

/* So many rows, different ones each time, with the weight of all. */
static void a_sample_stands_for_all_rows(void **state) {
    (void)state;
    enum { SAMPLE = 20, DRAWS = 200 };
    struct fixture f;
    struct reduced r;
    double curvature[ROWS];
    int drawn[ROWS] = {0};
    set_up_variant(&f, "logistic", "l1", 0, 0.01);
    begin_reduced(&r, &f, SAMPLE, INFINITY);
    for (int draw = 0; draw < DRAWS; draw++) {
        int count = 0;
        scores_curvature(f.risk->scalar, r.u, curvature);
        r.own.cut = false; /* no curvature of a step before */
        assert_true(lps_newton_steps(&r.own, &r.point, 0.1, 1, NULL) >= 0);
        for (int i = 0; i < ROWS; i++) {
            count += r.own.d[i] != 0;
            drawn[i] += r.own.d[i] != 0;
            assert_near(r.own.d[i], r.own.d[i] == 0 ? 0 : curvature[i] * ROWS / SAMPLE, 1e-15);
        }
        assert_int_equal(count, SAMPLE);
    }
    for (int i = 0; i < ROWS; i++)
        assert_in_range(drawn[i], DRAWS * SAMPLE / ROWS / 2, DRAWS * SAMPLE / ROWS * 2);
    end_reduced(&r);
    tear_down(&f);
}

/* ---- starts */

/* A manifold of some components: without the optimum's support it is left. */
static void any_face_ends_at_the_optimum(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k++)
        for (int part = 0; part < 4; part++) {
            struct fixture f;
            double w[MOST] = {0};
            bool face[MOST];
            const struct solved *at = set_up_problem(&f, k);
            for (int j = 0; j < MOST; j++)
                face[j] = (part == 1 && at->w[j] == 0) || (part == 2 && j % 2) ||
                          j >= f.risk->regularized;
            if (part == 3)
                memcpy(w, some_w, sizeof w);
            struct lps_start start = {.face = face, .passes = 2.5, .iterations = 70};
            int status = run_from(&f.problem, NULL, &tight, &start, w, &f.outcome);
            assert_int_equal(status, 0);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_near(f.outcome.objective, at->objective, 1e-9 * at->objective);
            check_history(&f.problem, &history, &f.outcome, w, at->objective,
                          1e-12 * at->objective);
            assert_in_range(f.outcome.iterations, 71, 120);
            assert_true(history.passes[0] > 3.4 && f.outcome.passes >= history.passes[0]);
            tear_down(&f);
        }
}

/* The support of the optimum as the manifold, and the optimum as the start. */
static void a_start_at_the_optimum_ends_at_once(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k++)
        for (int faced = 0; faced < 2; faced++) {
            struct fixture f;
            double w[MOST];
            bool face[MOST];
            const struct solved *at = set_up_problem(&f, k);
            struct limits warm = tight;
            struct lps_start start = {.face = faced ? face : NULL};
            warm.warm = true;
            memcpy(w, at->w, sizeof w);
            for (int j = 0; j < MOST; j++)
                face[j] = w[j] != 0 || j >= f.risk->regularized;
            assert_int_equal(run_from(&f.problem, NULL, &warm, &start, w, &f.outcome), 0);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_int_equal(f.outcome.iterations, 1);
            assert_memory_equal(w, at->w, sizeof *w * (size_t)f.risk->dimension);
            tear_down(&f);
        }
}

static void any_start_ends_at_the_optimum(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k++)
        for (int part = 0; part < 2; part++) {
            struct fixture f;
            double w[MOST];
            const struct solved *at = set_up_problem(&f, k);
            struct limits warm = tight;
            warm.warm = true;
            for (int j = 0; j < MOST; j++)
                w[j] = part == 0 ? -at->w[j] : some_w[j];
            run(&f.problem, NULL, &warm, w, &f.outcome);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_near(f.outcome.objective, at->objective, 1e-9 * at->objective);
            check_history(&f.problem, &history, &f.outcome, w, at->objective,
                          1e-12 * at->objective);
            assert_in_range(f.outcome.iterations, 1, 40);
            tear_down(&f);
        }
}

static void a_large_lambda_leaves_no_weights(void **state) {
    (void)state;
    for (int l = 0; lps_losses[l] != NULL; l++)
        for (int variant = 0; variant < VARIANTS * 2; variant++) {
            struct fixture f;
            double w[MOST] = {0}, null[MOST] = {0}, gradient[MOST], sum = 0, a;
            set_up_variant(&f, lps_losses[l], regularizers[variant / VARIANTS], variant % VARIANTS,
                           1);
            double largest = optimality_lambda_max(&f.problem, null, gradient);
            for (int times = 0; times < 2; times++) {
                f.problem.lambda = largest * (times ? 100 : 1 + 1e-9);
                memset(w, 0, sizeof w);
                run(&f.problem, NULL, &tight, w, &f.outcome);
                assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
                assert_int_equal(f.outcome.iterations, 1);
                assert_int_equal(vector_nonzeros(w, f.risk->regularized), 0);
            }
            for (int i = 0; i < ROWS && f.scalar.intercept; i++) {
                f.scalar.loss->value(w[f.risk->regularized], f.target[i], &f.scalar.parameters, &a);
                sum += plain_weight(&f, i) * a;
            }
            assert_near(sum, 0, 1e-11);
            f.problem.lambda = largest * 0.999;
            memset(w, 0, sizeof w);
            run(&f.problem, NULL, &tight, w, &f.outcome);
            assert_int_equal(vector_nonzeros(w, f.risk->regularized), 1);
            tear_down(&f);
        }
}

/* ---- data at the edges */

/* A problem on data of its own, w of any length. */
struct other {
    struct dataset data;
    struct scalar_settings scalar;
    struct problem problem;
    struct outcome outcome;
    double *w;
};

static void begin_other(struct other *o, struct dataset data, const char *loss,
                        const char *regularizer, bool intercept) {
    *o = (struct other){.data = data};
    o->scalar = (struct scalar_settings){.data = &o->data,
                                         .target = data.label,
                                         .loss = loss_by_name(loss),
                                         .parameters = {0.1, 0.5, 1},
                                         .bias = -1,
                                         .intercept = intercept};
    o->problem = (struct problem){.regularizer = regularizer_by_name(regularizer),
                                  .parameters = {.elastic = 0.3},
                                  .lambda = 1};
}

/* Trains from 0 at this part of the largest lambda, or at this lambda where that is 0. */
static void train_other(struct other *o, const char *const *words, double part, double epsilon) {
    struct limits limits = tight;
    limits.epsilon = epsilon;
    risk_free((struct risk *)o->problem.risk);
    o->problem.risk = scalar_risk_new(&o->scalar, NULL);
    size_t n = (size_t)o->problem.risk->dimension;
    double *gradient = malloc(sizeof *gradient * n);
    free(o->w);
    o->w = calloc(n, sizeof *o->w);
    double largest = optimality_lambda_max(&o->problem, o->w, gradient);
    o->problem.lambda = part * (largest > 0 ? largest : 1);
    memset(o->w, 0, sizeof *o->w * n);
    run(&o->problem, words, &limits, o->w, &o->outcome);
    free(gradient);
}

static void end_other(struct other *o) {
    risk_free((struct risk *)o->problem.risk);
    dataset_free(&o->data);
    free(o->w);
}

static void no_values(struct dataset *data) {
    for (int64_t k = 0; k < data->nonzeros; k++)
        data->value[k] = 0;
}

static void empty_rows(struct dataset *data) {
    memset(data->start, 0, sizeof *data->start * (size_t)(data->rows + 1));
    data->nonzeros = 0;
}

static void empty_columns(struct dataset *data) {
    for (int64_t k = 0; k < data->nonzeros; k++)
        data->column[k] *= 3;
    data->features = 3 * data->features + 5;
}

static void one_class(struct dataset *data) {
    for (int64_t i = 0; i < data->rows; i++)
        data->label[i] = -1;
}

static void one_row(struct dataset *data) {
    data->start[0] = data->start[2];
    data->start[1] = data->start[3];
    data->rows = 1;
    data->nonzeros = data->start[1] - data->start[0];
    memmove(data->column, data->column + data->start[0],
            sizeof *data->column * (size_t)data->nonzeros);
    memmove(data->value, data->value + data->start[0],
            sizeof *data->value * (size_t)data->nonzeros);
    data->start[0] = 0;
    data->start[1] = data->nonzeros;
}

/* The second half of the rows repeats the first. */
static void equal_rows(struct dataset *data) {
    int64_t half = data->rows / 2, nonzeros = data->start[half];
    memcpy(data->column + nonzeros, data->column, sizeof *data->column * (size_t)nonzeros);
    memcpy(data->value + nonzeros, data->value, sizeof *data->value * (size_t)nonzeros);
    for (int64_t i = 0; i < half; i++) {
        data->start[half + i + 1] = nonzeros + data->start[i + 1];
        data->label[half + i] = data->label[i];
    }
    data->rows = 2 * half;
    data->nonzeros = 2 * nonzeros;
}

/* Of each pair of entries of a row the second is the first, in columns of which many are equal. */
static void equal_columns(struct dataset *data) {
    for (int64_t i = 0; i < data->rows; i++) {
        int64_t from = data->start[i], count = (data->start[i + 1] - from) / 2;
        for (int64_t k = 0; k < count; k++) {
            data->column[from + 2 * k] = (int32_t)(2 * k);
            data->column[from + 2 * k + 1] = (int32_t)(2 * k + 1);
            data->value[from + 2 * k + 1] = data->value[from + 2 * k];
        }
        if ((data->start[i + 1] - from) % 2)
            data->value[data->start[i + 1] - 1] = 0;
    }
}

/* Labels by the sign of one feature. */
static void separable(struct dataset *data) {
    for (int64_t i = 0; i < data->rows; i++) {
        bool some = data->start[i + 1] > data->start[i];
        data->label[i] = some && data->value[data->start[i]] > 0 ? 1 : -1;
        if (some)
            data->column[data->start[i]] = 0;
    }
}

static void unequal_scales(struct dataset *data) {
    for (int64_t k = 0; k < data->nonzeros; k++)
        data->value[k] *= pow(10, 8.0 * data->column[k] / (data->features - 1) - 4);
}

static void (*const spoils[])(struct dataset *) = {no_values,     empty_rows, empty_columns,
                                                   one_class,     one_row,    equal_rows,
                                                   equal_columns, separable,  unequal_scales};
enum { SPOILS = sizeof spoils / sizeof *spoils };

/* But for logistic loss of one class, whose infimum of 0 no offset attains. */
static void edges_reach_their_optima(void **state) {
    (void)state;
    static const double parts[] = {2, 0.5, 1e-2, 1e-4, 1e-8};
    for (int edge = 0; edge < SPOILS; edge++)
        for (int k = 0; k < 5 * 4 * 4; k++) {
            struct other o;
            struct dataset data = random_data(200, 8, false, 3);
            spoils[edge](&data);
            begin_other(&o, data, lps_losses[k % 4], regularizers[k / 4 % 2], k / 8 % 2);
            train_other(&o, NULL, parts[k / 16], 1e-8);
            double j = o.outcome.objective, gap = j - o.outcome.bound;
            bool kept = o.outcome.verdict == VERDICT_CONVERGED && gap <= 1e-8 * j;
            if (!kept && j > 1e-16)
                print_error("edge %d, %s, %s, offset %d, part %g: J %g, gap %g, verdict %d\n", edge,
                            lps_losses[k % 4], regularizers[k / 4 % 2], k / 8 % 2, parts[k / 16], j,
                            gap, o.outcome.verdict);
            assert_true(kept || j <= 1e-16);
            end_other(&o);
        }
}

/* Rows of weight 0 are not seen, whatever is in them. */
static void rows_without_weight_change_nothing(void **state) {
    (void)state;
    enum { ALL = 200, SEEN = 160 };
    for (int k = 0; k < 16; k++) {
        struct other o[2];
        double weight[ALL];
        for (int part = 0; part < 2; part++) {
            struct dataset data = random_data(ALL, 8, false, 4);
            begin_other(&o[part], data, lps_losses[k % 4], regularizers[k / 4 % 2], k / 8);
            for (int i = 0; i < ALL; i++)
                weight[i] = i < SEEN ? 1 + i % 3 : 0;
            o[part].scalar.weight = weight;
            for (int64_t j = data.start[SEEN]; j < data.start[ALL]; j++)
                data.value[j] *= 1e6;
            if (part == 1) {
                o[part].data.rows = SEEN;
                o[part].data.nonzeros = data.start[SEEN];
            }
            train_other(&o[part], NULL, 0.01, 1e-12);
        }
        assert_near(o[0].outcome.objective, o[1].outcome.objective, 1e-11 * o[0].outcome.objective);
        for (int j = 0; j < o[0].problem.risk->dimension; j++)
            assert_near(o[0].w[j], o[1].w[j], 1e-6);
        end_other(&o[0]);
        end_other(&o[1]);
    }
}

/* Columns in one scale or another, a few entries a row; labels by the first columns. */
static struct dataset sparse_data(int64_t rows, int32_t features, int filled, uint64_t seed) {
    struct random random;
    struct dataset data = random_data(rows, filled, false, 1);
    random_seed(&random, seed, 3);
    for (int64_t i = 0; i < rows; i++) {
        double score = 0.2 * (random_unit(&random) - 0.5);
        for (int k = 0; k < filled; k++) {
            int32_t least = features / filled * k, width = features / filled;
            double value = 2 * random_unit(&random) - 1;
            data.column[i * filled + k] =
                least + (int32_t)(width * pow(random_unit(&random), 2 + k % 3));
            data.value[i * filled + k] = value;
            score += k % 2 ? value : -value;
        }
        data.start[i + 1] = (i + 1) * filled;
        data.label[i] = score > 0 ? 1 : -1;
    }
    data.nonzeros = rows * filled;
    data.features = features;
    return data;
}

struct shape {
    int64_t rows;
    int32_t features;
    int filled;
    double part;
};

static const struct shape shapes[] = {
    {20, 5000, 1000, 0.3}, {20, 5000, 1000, 1e-3}, {5000, 6, 3, 0.01},
    {5000, 6, 3, 1e-5},    {600, 900, 30, 0.1},    {600, 900, 30, 1e-2},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void wide_and_tall_data_reach_their_optima(void **state) {
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int k = 0; k < 16; k++) {
            struct other o;
            const struct shape *s = &shapes[shape];
            begin_other(&o, sparse_data(s->rows, s->features, s->filled, 2), lps_losses[k % 4],
                        regularizers[k / 4 % 2], k / 8);
            train_other(&o, NULL, s->part, 1e-9);
            if (o.outcome.verdict != VERDICT_CONVERGED || o.outcome.iterations > 60)
                print_error("shape %d, %s, %s, offset %d: J %g, gap %g, %d, %d iterations\n", shape,
                            lps_losses[k % 4], regularizers[k / 4 % 2], k / 8, o.outcome.objective,
                            o.outcome.objective - o.outcome.bound, o.outcome.verdict,
                            (int)o.outcome.iterations);
            assert_int_equal(o.outcome.verdict, VERDICT_CONVERGED);
            assert_in_range(o.outcome.iterations, 1, 60);
            end_other(&o);
        }
}

/* Targets far from 0, with and without an offset. */
static void large_targets_reach_their_optima(void **state) {
    (void)state;
    for (int k = 0; k < 16; k++) {
        struct other o;
        struct dataset data = random_data(200, 8, false, 5);
        for (int i = 0; i < 200; i++)
            data.label[i] = (k & 4 ? 1e6 : 0) + (k & 8 ? 1e6 : 1) * data.label[i];
        begin_other(&o, data, "squared", regularizers[k / 2 % 2], k % 2);
        train_other(&o, NULL, 0.01, 1e-6);
        assert_int_equal(o.outcome.verdict, VERDICT_CONVERGED);
        end_other(&o);
    }
}

/* ---- the same again */

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static const char *const sampled[] = {"hessian-sample=300", NULL};
    for (int k = 0; k < 8; k++) {
        struct other o[2];
        for (int threads = 1; threads <= 2; threads++) {
            omp_set_num_threads(threads);
            begin_other(&o[threads - 1], sparse_data(3000, 900, 15, 6), lps_losses[k / 2],
                        regularizers[k % 2], k % 2);
            train_other(&o[threads - 1], k == 1 ? sampled : NULL, 0.01, 1e-6);
            assert_true(o[threads - 1].problem.risk->scalar->design->threads);
        }
        assert_memory_equal(o[0].w, o[1].w, sizeof(double) * 900);
        assert_near(o[0].outcome.bound, o[1].outcome.bound, 0);
        end_other(&o[0]);
        end_other(&o[1]);
    }
}

static void the_same_seed_is_the_same_model(void **state) {
    (void)state;
    static const char *const words[] = {"hessian-sample=20", "gradient-fraction=0.5", NULL};
    int different = 0;
    for (int k = 0; k < PROBLEMS; k += 5) {
        double w[3][MOST] = {{0}};
        struct fixture f;
        struct limits limits = tight;
        limits.epsilon = 1e-3;
        set_up_problem(&f, k);
        for (int i = 0; i < 3; i++) {
            limits.seed = i < 2 ? 4 : 5;
            run(&f.problem, words, &limits, w[i], &f.outcome);
        }
        assert_memory_equal(w[0], w[1], sizeof w[0]);
        different += memcmp(w[0], w[2], sizeof w[0]) != 0;
        tear_down(&f);
    }
    assert_true(different > 0);
}

/* ---- limits */

/* However early a run ends, w is no worse than the start, and J is that of w. */
static void limits_leave_the_best_point(void **state) {
    (void)state;
    for (int k = 0; k < PROBLEMS; k++)
        for (int i = 0; i < 6; i++) {
            struct fixture f;
            double w[MOST];
            const struct solved *at = set_up_problem(&f, k);
            struct limits limits = {
                .epsilon = 1e-9, .passes = i == 0 ? INFINITY : i, .seconds = i == 0 ? 0 : INFINITY};
            limits.warm = true;
            for (int j = 0; j < MOST; j++)
                w[j] = at->w[j] + 0.1;
            double start = problem_objective(&f.problem, w);
            run(&f.problem, NULL, &limits, w, &f.outcome);
            if (f.outcome.verdict != VERDICT_CONVERGED)
                assert_int_equal(f.outcome.verdict, i == 0 ? VERDICT_TIME : VERDICT_PASSES);
            assert_true(f.outcome.objective <= start * (1 + rounding));
            assert_true(f.outcome.bound <= at->objective * (1 + rounding) && f.outcome.bound >= 0);
            tear_down(&f);
        }
}

/* Of this process, so that it is the last test. */
static void a_signal_leaves_the_best_point(void **state) {
    (void)state;
    monitor_catch_signals();
    raise(SIGINT);
    for (int k = 0; k < PROBLEMS; k++) {
        struct fixture f;
        double w[MOST] = {0};
        const struct solved *at = set_up_problem(&f, k);
        double start = problem_objective(&f.problem, w);
        run(&f.problem, NULL, &tight, w, &f.outcome);
        if (f.outcome.verdict != VERDICT_CONVERGED)
            assert_int_equal(f.outcome.verdict, VERDICT_INTERRUPTED);
        assert_int_equal(f.outcome.iterations, 1);
        assert_true(f.outcome.objective <= start * (1 + rounding));
        assert_true(f.outcome.bound <= at->objective * (1 + rounding));
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_problem_reaches_its_optimum),
        cmocka_unit_test(optimality_is_kept),
        cmocka_unit_test(optimality_is_kept_from_a_start),
        cmocka_unit_test(rounding_ends_a_run),
        cmocka_unit_test(first_order_steps_alone_converge),
        cmocka_unit_test(part_of_the_examples_gives_a_hessian),
        cmocka_unit_test(part_of_the_components_is_enough),
        cmocka_unit_test(every_option_at_once),
        cmocka_unit_test(a_threshold_that_is_never_met_changes_nothing),
        cmocka_unit_test(first_order_steps_keep_the_point),
        cmocka_unit_test(newton_steps_keep_the_orthant),
        cmocka_unit_test(no_time_is_no_newton_step),
        cmocka_unit_test(a_sample_stands_for_all_rows),
        cmocka_unit_test(any_face_ends_at_the_optimum),
        cmocka_unit_test(a_start_at_the_optimum_ends_at_once),
        cmocka_unit_test(any_start_ends_at_the_optimum),
        cmocka_unit_test(a_large_lambda_leaves_no_weights),
        cmocka_unit_test(edges_reach_their_optima),
        cmocka_unit_test(rows_without_weight_change_nothing),
        cmocka_unit_test(wide_and_tall_data_reach_their_optima),
        cmocka_unit_test(large_targets_reach_their_optima),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(the_same_seed_is_the_same_model),
        cmocka_unit_test(limits_leave_the_best_point),
        cmocka_unit_test(a_signal_leaves_the_best_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
