/* test_proximal_bundle.c - proximal-bundle: Algorithm 4 written out, known optima between bound and
 * objective, small lambda, threads, and problems at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/bundle/bundle_level.h"
#include "tests/near.h"

#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history, other;

static const char *const level[] = {"tau=level", NULL};
static const char *const balance[] = {"tau=balance", NULL};

static void reaches(const struct reference *r) {
    double w[64] = {0}, epsilon = r->lambda >= 1e-2 ? 1e-9 : 1e-7;
    struct outcome o;
    assert_true(r->problem.risk->dimension <= 64);
    assert_int_equal(
        run_with(&r->problem, "proximal-bundle", level, epsilon, 3000, w, &history, &o, NULL), 0);
    check_history(&r->problem, &history, &o, w, r->upper, 2e-12 * r->upper);
    if (o.verdict != VERDICT_CONVERGED)
        print_error("%s %s %g: gap %g\n", r->name, r->loss, r->lambda, o.objective - o.bound);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
}

static void known_optima_are_reached(void **state) {
    (void)state;
    for_references(reaches);
}

static void balance_is_between(const struct reference *r) {
    double w[64] = {0};
    struct outcome o;
    assert_int_equal(
        run_with(&r->problem, "proximal-bundle", balance, 0, 150, w, &history, &o, NULL), 0);
    check_history(&r->problem, &history, &o, w, r->upper, 2e-12 * r->upper);
    if (o.objective > 1.02 * r->upper)
        print_error("%s %s %g: %g above\n", r->name, r->loss, r->lambda,
                    o.objective / r->upper - 1);
    assert_true(o.objective <= 1.02 * r->upper);
}

static void balance_comes_near_known_optima(void **state) {
    (void)state;
    for_references(balance_is_between);
}

/* ---- Algorithm 4, as it stands in the paper */

enum { ROUNDS = 14 };

struct plain {
    int planes;
    double slope[ROUNDS][MAX_DIMENSION], constant[ROUNDS];
    double norm_bound[MAX_DIMENSION], curvature; /* sum of tau_i w_i, lambda t + sum of tau_i */
};

/* The nearest point of alpha >= 0, sum alpha <= cap. */
static void project(double *alpha, int n, double cap) {
    double low = 0, high = 0;
    for (int i = 0; i < n; i++)
        high = fmax(high, alpha[i]);
    for (int k = 0; k < 200; k++) {
        double middle = (low + high) / 2, sum = 0;
        if (k > 0 && (middle == low || middle == high))
            break; /* no number is between them */
        for (int i = 0; i < n; i++)
            sum += fmax(alpha[i] - (k == 0 ? 0 : middle), 0);
        if (k == 0 && sum <= cap)
            high = 0;
        else if (k > 0 && sum > cap)
            low = middle;
        else if (k > 0)
            high = middle;
    }
    for (int i = 0; i < n; i++)
        alpha[i] = fmax(alpha[i] - high, 0);
}

/* w_{t+1} = (sum tau_i w_i - sum alpha_i a_i)/(lambda t + sum tau_i), alpha by projected gradient
 * steps with momentum on the dual, sum alpha <= cap. */
static void plain_minimizer(const struct plain *p, double cap, double *w) {
    double alpha[ROUNDS] = {0}, ahead[ROUNDS] = {0}, bound = 0, momentum = 1;
    for (int i = 0; i < p->planes; i++)
        bound += vector_dot(p->slope[i], p->slope[i], MAX_DIMENSION);
    for (int k = 0; k < 15000; k++) {
        double old[ROUNDS], next = (1 + sqrt(1 + 4 * momentum * momentum)) / 2, along = 0;
        memcpy(w, p->norm_bound, sizeof p->norm_bound);
        for (int i = 0; i < p->planes; i++)
            for (int j = 0; j < MAX_DIMENSION; j++)
                w[j] -= ahead[i] * p->slope[i][j];
        memcpy(old, alpha, sizeof old);
        for (int i = 0; i < p->planes; i++)
            alpha[i] = ahead[i] +
                       (p->constant[i] * p->curvature + vector_dot(p->slope[i], w, MAX_DIMENSION)) /
                           fmax(bound, 1e-300);
        project(alpha, p->planes, cap);
        for (int i = 0; i < p->planes; i++)
            along += (ahead[i] - alpha[i]) * (alpha[i] - old[i]);
        if (memcmp(alpha, ahead, sizeof alpha) == 0 && memcmp(alpha, old, sizeof alpha) == 0)
            break; /* no step would move it any more */
        if (along > 0)
            momentum = next = 1;
        for (int i = 0; i < p->planes; i++)
            ahead[i] = alpha[i] + (along > 0 ? 0 : (momentum - 1) / next) * (alpha[i] - old[i]);
        momentum = next;
    }
    memcpy(w, p->norm_bound, sizeof p->norm_bound);
    for (int i = 0; i < p->planes; i++)
        for (int j = 0; j < MAX_DIMENSION; j++)
            w[j] -= alpha[i] * p->slope[i][j];
    vector_scale(w, 1 / p->curvature, MAX_DIMENSION);
}

/* The best J after each of the rounds; R is raised when `radius` is 0, and the sums restart. */
static void algorithm_4(const struct fixture *f, double radius, double *best) {
    struct plain p = {.planes = 0};
    bool raised = radius == 0;
    double w[MAX_DIMENSION] = {0}, lambda = f->problem.lambda, tau_sum = 0, t = 0,
           smallest = INFINITY;
    double r = raised ? fmin(1, sqrt(f->risk->kind->norm_bound(f->risk) / lambda)) : radius;
    for (int i = 0; i < ROUNDS; i++) {
        double *a = p.slope[i], risk = risk_evaluate(f->risk, w, 0, a);
        p.constant[i] = risk - vector_dot(a, w, MAX_DIMENSION);
        p.planes = i + 1;
        smallest = fmin(smallest, risk + lambda / 2 * vector_dot(w, w, MAX_DIMENSION));
        best[i] = smallest;
        t++;
        double l = lambda * t + tau_sum, norm = sqrt(vector_dot(a, a, MAX_DIMENSION));
        double tau = (-l + sqrt(l * l + (lambda * r + norm) * (lambda * r + norm) / (r * r))) / 2;
        tau_sum += tau;
        for (int j = 0; j < MAX_DIMENSION; j++)
            p.norm_bound[j] += tau * w[j];
        p.curvature = lambda * t + tau_sum;
        plain_minimizer(&p, t, w);
        if (raised && sqrt(vector_dot(w, w, MAX_DIMENSION)) >= r) {
            r *= sqrt(2);
            t = tau_sum = 0;
            memset(p.norm_bound, 0, sizeof p.norm_bound);
        }
    }
}

static void balance_is_algorithm_4(void **state) {
    (void)state;
    static const char *const fixed[] = {"tau=balance", "radius=1.5", NULL};
    static const double lambdas[] = {0.1, 1e-3, 1e-6};
    static const char *const some[] = {"hinge", "logistic", "absolute"};
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < 3; i++)
            for (int raised = 0; raised < 2; raised++) {
                if ((l + i + raised) % PART(2, 3) != 0)
                    continue;
                struct fixture f;
                struct outcome o;
                double w[MAX_DIMENSION] = {0}, best[ROUNDS];
                set_up(&f, some[l], lambdas[i], -1, false);
                algorithm_4(&f, raised ? 0 : 1.5, best);
                assert_int_equal(run_with(&f.problem, "proximal-bundle", raised ? balance : fixed,
                                          0, ROUNDS, w, &history, &o, NULL),
                                 0);
                for (int k = 0; k < history.count; k++)
                    assert_near(history.objective[k], best[k], 1e-6 * best[k]);
                tear_down(&f);
            }
}

enum { WIDE = 40, TALL = 1000 };

/* At small lambda the best J of Algorithm 4 is below the bundle method's at every iteration of the
 * first hundred but the first few, and the level rule certifies 1e-6 of what both are measured
 * against. */
static void small_lambda_is_no_obstacle(void **state) {
    (void)state;
    static const double lambdas[] = {1e-6, 1e-9};
    struct dataset data = random_data(TALL, WIDE, false, 5);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name("l2")};
    for (int i = 0; i < 2; i++) {
        double w[WIDE] = {0}, v[WIDE] = {0}, u[WIDE] = {0};
        struct outcome o;
        problem.lambda = lambdas[i];
        assert_int_equal(
            run_with(&problem, "proximal-bundle", level, 1e-6, 2000, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        double slack = o.objective - o.bound, reached = o.objective;
        check_history(&problem, &history, &o, w, reached, slack);
        assert_int_equal(run_with(&problem, "bundle", NULL, 0, 100, v, &other, &o, NULL), 0);
        check_history(&problem, &other, &o, v, reached, slack);
        assert_int_equal(
            run_with(&problem, "proximal-bundle", balance, 0, 100, u, &history, &o, NULL), 0);
        check_history(&problem, &history, &o, u, reached, slack);
        for (int k = 4; k < 100; k++)
            assert_true(history.objective[k] < other.objective[k]);
    }
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

static void restarts_differ_and_certify(void **state) {
    (void)state;
    static const char *const words[][3] = {{"tau=balance", "restart=sums", NULL},
                                           {"tau=balance", "restart=none", NULL},
                                           {"tau=balance", "restart=scale", NULL},
                                           {"tau=balance", "restart=full", NULL}};
    double reached[4];
    for (int r = 0; r < 4; r++) {
        struct fixture f;
        struct outcome o, best;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", 1e-4, 1, true);
        assert_int_equal(
            run_with(&f.problem, "proximal-bundle", level, 1e-9, 500, v, NULL, &best, NULL), 0);
        assert_int_equal(
            run_with(&f.problem, "proximal-bundle", words[r], 0, 80, w, &history, &o, NULL), 0);
        check_history(&f.problem, &history, &o, w, best.objective, 1e-9);
        reached[r] = o.objective;
        for (int k = 0; k < r; k++)
            assert_true(reached[k] != reached[r]);
        tear_down(&f);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    struct dataset data = random_data(TALL, WIDE, false, 5);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name("l2"),
                              .lambda = 1e-6};
    check_threads(&problem, "proximal-bundle", level, 40);
    check_threads(&problem, "proximal-bundle", balance, 40);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

enum { FEW = 9, MANY = 916 };

/* Sums of uniform numbers in about three of ten places, labels at random. */
static struct dataset separable_data(uint64_t seed) {
    struct dataset data = random_data(FEW, MANY, false, seed);
    struct random random;
    random_seed(&random, seed, 3);
    data.nonzeros = 0;
    for (int64_t i = 0; i < FEW; i++) {
        data.start[i] = data.nonzeros;
        for (int32_t j = 0; j < MANY; j++) {
            double sum = -2;
            for (int k = 0; k < 4; k++)
                sum += random_unit(&random);
            if (random_unit(&random) >= 0.3)
                continue;
            data.column[data.nonzeros] = j;
            data.value[data.nonzeros++] = 1.7 * sum;
        }
        data.label[i] = random_unit(&random) < 0.5 ? 1 : -1;
    }
    data.start[FEW] = data.nonzeros;
    data.label[0] = 1;
    data.label[1] = -1;
    return data;
}

/* Where the gap falls by many orders of magnitude, the first proximal terms that are tried are far too strong. */
static void a_fit_without_loss_ends_soon(void **state) {
    static double w[MANY];
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct dataset data = separable_data(seed);
        struct problem problem = {
            .risk = risk_row_by_name("f1")->make(
                &(struct risk_settings){
                    .scalar = {.data = &data, .target = data.label, .bias = -1}},
                NULL),
            .regularizer = regularizer_by_name("l2"),
            .lambda = 1e-7};
        struct outcome o;
        memset(w, 0, sizeof w);
        assert_int_equal(
            run_with(&problem, "proximal-bundle", level, 1e-6, 200, w, &history, &o, NULL), 0);
        if (o.verdict != VERDICT_CONVERGED)
            print_error("seed %d: gap %g\n", (int)seed, o.objective - o.bound);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        risk_free((struct risk *)problem.risk);
        dataset_free(&data);
    }
}

static void edges_end_well(void **state) {
    (void)state;
    for (int i = 0; i < EDGES; i++) {
        if (i % PART(1, 3) == 0)
            check_edge(&edges[i], "proximal-bundle", "l2", level);
        if (i % PART(1, 3) == PART(0, 1))
            check_edge(&edges[i], "proximal-bundle", "l2", balance);
    }
}

static void rounding_ends_a_run(void **state) {
    (void)state;
    static const char *const some[] = {"hinge", "logistic"};
    for (int l = 0; l < 2; l++) {
        struct fixture f;
        struct outcome o;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, some[l], 1e-4, 1, false);
        assert_int_equal(
            run_with(&f.problem, "proximal-bundle", level, 0, 1e6, w, &history, &o, NULL), 0);
        assert_true(o.verdict == VERDICT_STALLED || o.verdict == VERDICT_CONVERGED);
        assert_true(o.objective - o.bound <= 1e-11);
        tear_down(&f);
    }
}

/* Where J_t is above the levels at each mu, steps make it smaller and smaller, but not to 0: from there no search could
 * raise it. */
static void the_curvature_stays_above_0(void **state) {
    (void)state;
    enum { STEPS = 3 };
    struct fixture f;
    double w[MAX_DIMENSION] = {0};
    struct monitor_settings settings = {.epsilon = 0, .passes = 1e6, .time_limit = INFINITY};
    struct monitor monitor;
    struct bundle_run run;
    struct planes planes;
    struct bundle_level steps;
    set_up(&f, "hinge", 1, 1, false);
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        bundle_run_init(&run, &(struct solve){.problem = &f.problem, .monitor = &monitor, .w = w},
                        NULL),
        0);
    int64_t n = f.problem.risk->dimension;
    assert_int_equal(planes_init(&planes, n, 1, false, true, 1 << 20, NULL), 0);
    assert_int_equal(bundle_level_init(&steps, n, NULL), 0);
    for (int i = 0; i < STEPS; i++) {
        assert_true(bundle_run_linearize(&run));
        int newest = bundle_run_add_plane(&run, &planes, NULL);
        run.certificate.bound = -1000; /* so far below that the levels are, too */
        assert_int_equal(bundle_level_step(&steps, &run, &planes, newest, NULL), 0);
        assert_true(steps.mu >= 1e-6 && steps.mu <= 1e-5);
    }
    bundle_level_free(&steps);
    planes_free(&planes);
    bundle_run_free(&run);
    monitor_end(&monitor);
    tear_down(&f);
}

static void a_radius_needs_balance(void **state) {
    (void)state;
    static const char *const words[] = {"tau=level", "radius=1", NULL};
    const struct solver *solver = solver_by_name("proximal-bundle");
    void *settings_of_solver = solver_options_parse(solver, words);
    struct run_settings run = {0};
    struct solver_request request = {.run = &run, .options = settings_of_solver};
    struct error e = {0};
    assert_int_equal(solver->check(&request, &e), -1);
    assert_int_equal(e.kind, ERROR_USAGE);
    free(settings_of_solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_optima_are_reached),
        cmocka_unit_test(balance_comes_near_known_optima),
        cmocka_unit_test(balance_is_algorithm_4),
        cmocka_unit_test(small_lambda_is_no_obstacle),
        cmocka_unit_test(restarts_differ_and_certify),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_fit_without_loss_ends_soon),
        cmocka_unit_test(edges_end_well),
        cmocka_unit_test(rounding_ends_a_run),
        cmocka_unit_test(the_curvature_stays_above_0),
        cmocka_unit_test(a_radius_needs_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
