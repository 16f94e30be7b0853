/* test_bundle.c - bundle and bundle-ls: known optima between bound and objective at every
 * iteration, the line search against the paper's recursion, the elastic net and the entropy against
 * proximal gradient, linear convergence, warm starts, threads, and problems at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history;

static void reaches(const struct reference *r, const char *solver, double epsilon, double passes) {
    double w[64] = {0};
    struct outcome o;
    assert_true(r->problem.risk->dimension <= 64);
    assert_int_equal(run_with(&r->problem, solver, NULL, epsilon, passes, w, &history, &o, NULL),
                     0);
    check_history(&r->problem, &history, &o, w, r->upper, 2e-12 * r->upper);
    if (o.objective - o.bound > epsilon * o.objective)
        print_error("%s %s %s %g: gap %g\n", solver, r->name, r->loss, r->lambda,
                    o.objective - o.bound);
    assert_true(o.objective - o.bound <= epsilon * o.objective);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
}

/* Each loss with one of its biases: two problems in a row differ in lambda alone. */
static void bundle_reaches(const struct reference *r) {
    static int seen;
    if (seen++ / 2 % 2 == 1 && PART(true, false))
        return;
    reaches(r, "bundle", r->lambda >= 1e-2 ? 1e-9 : 1e-6, 3000);
}

static void line_search_reaches(const struct reference *r) {
    if (r->lambda >= 1e-2)
        reaches(r, "bundle-ls", 2e-3, 4000);
}

static void known_optima_are_reached(void **state) {
    (void)state;
    for_references(bundle_reaches);
    for_references(line_search_reaches);
}

static const char *const losses[] = {"hinge",    "squared-hinge", "logistic", "squared",
                                     "absolute", "epsilon",       "huber",    "quantile"};
enum { LOSSES = sizeof losses / sizeof *losses };

static bool smooth(const char *loss) {
    return isfinite(loss_by_name(loss)->curvature);
}

/* Algorithm as the paper prints it, with w and r, the sign of <w, A alpha> mended; gamma is J - D
 * throughout, and the reports are the solver's, as far as rounding lets two runs stay together. */
static void line_search_is_that_of_the_paper(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        struct fixture f;
        struct outcome o;
        double result[MAX_DIMENSION] = {0}, w[MAX_DIMENSION] = {0}, a[MAX_DIMENSION], r = 0,
               best = INFINITY, bound = 0;
        set_up(&f, losses[l], 0.05, 1, l % 2 == 0);
        assert_int_equal(run_with(&f.problem, "bundle-ls", NULL, 0, 60, result, &history, &o, NULL),
                         0);
        int64_t n = f.risk->dimension;
        for (int t = 0; t < history.count; t++) {
            double lambda = f.problem.lambda, risk = risk_evaluate(f.risk, w, 0, a);
            double square = vector_dot(w, w, n), length = 0, dual = r - lambda / 2 * square;
            double b = risk - vector_dot(a, w, n), gamma = risk + lambda * square - r;
            double objective = risk + lambda / 2 * square;
            assert_near(gamma, objective - dual, 1e-12 * fmax(1, objective));
            for (int j = 0; j < n; j++)
                length += (lambda * w[j] + a[j]) * (lambda * w[j] + a[j]);
            double eta = fmin(1, lambda * gamma / length);
            for (int j = 0; j < n; j++)
                w[j] = (1 - eta) * w[j] - eta / lambda * a[j];
            r = (1 - eta) * r + eta * b;
            best = fmin(best, objective);
            bound = fmax(bound, r - lambda / 2 * vector_dot(w, w, n));
            assert_near(history.objective[t], best, 1e-6 * best);
            assert_near(history.bound[t], fmin(bound, best), 1e-6 * best);
            assert_near(history.passes[t], t + 1, 0);
        }
        tear_down(&f);
    }
}

/* One proximal step of length `step` from w along -g: the elastic net's soft threshold, the
 * entropy's by relative entropy. */
static void proximal_step(const struct problem *problem, double step, const double *g, double *w) {
    double lambda = problem->lambda, rho = problem->parameters.elastic, sum = 0;
    int64_t n = problem->risk->dimension;
    if (strcmp(problem->regularizer->name, "entropy") == 0) {
        for (int j = 0; j < n; j++) {
            w[j] = exp((log(w[j]) - step * g[j]) / (1 + step * lambda));
            sum += w[j];
        }
        for (int j = 0; j < n; j++)
            w[j] /= sum;
    } else {
        for (int j = 0; j < n; j++) {
            double moved = w[j] - step * g[j], rest = fabs(moved) - step * lambda * (1 - rho);
            w[j] = copysign(fmax(rest, 0), moved) / (1 + step * lambda * rho);
        }
    }
}

/* min of lambda Omega + R_mu by proximal gradient steps, with Nesterov's momentum for the elastic
 * net. */
static double proximal_gradient(const struct problem *problem, double mu, double step, int steps) {
    bool entropy = strcmp(problem->regularizer->name, "entropy") == 0;
    int64_t n = problem->risk->dimension;
    double g[MAX_DIMENSION], w[MAX_DIMENSION], v[MAX_DIMENSION],
        root = sqrt(problem->lambda * problem->parameters.elastic * step);
    double momentum = entropy ? 0 : (1 - root) / (1 + root);
    for (int j = 0; j < n; j++)
        v[j] = w[j] = entropy ? 1.0 / (double)n : 0;
    for (int i = 0; i < steps; i++) {
        double ahead[MAX_DIMENSION], longest = 0;
        memcpy(ahead, v, sizeof *v * (size_t)n);
        risk_evaluate(problem->risk, v, mu, g);
        proximal_step(problem, step, g, v);
        for (int j = 0; j < n; j++) {
            double moved = v[j];
            v[j] += momentum * (moved - w[j]);
            longest = fmax(longest, fmax(fabs(moved - w[j]), fabs(v[j] - ahead[j])));
            w[j] = moved;
        }
        if (longest <= 1e-14) /* the steps that are left would change nothing that shows in J */
            break;
    }
    return problem_penalty(problem, w) + risk_evaluate(problem->risk, w, mu, NULL);
}

static void beside_proximal_gradient(const char *regularizer, const char *loss, double lambda,
                                     double elastic, bool weighted) {
    struct fixture f;
    struct outcome o = {0};
    struct error e = {0};
    double w[MAX_DIMENSION] = {0}, mu = smooth(loss) ? 0 : 0.01, epsilon = 1e-8;
    set_up(&f, loss, lambda, 1, weighted);
    f.problem.regularizer = regularizer_by_name(regularizer);
    f.problem.parameters.elastic = elastic;
    double reached = proximal_gradient(&f.problem, mu, mu > 0 ? 5e-3 : 0.2, 20000);
    int status = run_with(&f.problem, "bundle", NULL, epsilon, 2000, w, &history, &o, &e);
    if (status != 0 || o.verdict != VERDICT_CONVERGED)
        print_error("%s %s %g %g: %s, J %g, gap %g, %g above, after %g\n", regularizer, loss,
                    lambda, elastic, e.words, o.objective, o.objective - o.bound,
                    o.objective - reached, o.passes);
    assert_int_equal(status, 0);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
    check_history(&f.problem, &history, &o, w, reached, mu > 0 ? mu : 2 * epsilon * reached);
    tear_down(&f);
}

static void other_regularizers_reach_the_optimum(void **state) {
    (void)state;
    static const double lambdas[] = {1, 0.05, 1e-3}, elastics[] = {1, 0.5, 0.05};
    for (int l = 0; l < LOSSES; l++)
        for (int i = 0; i < 3; i++) {
            for (int p = 0; p < 3; p++)
                if ((l + i + p) % PART(5, 11) == 0)
                    beside_proximal_gradient("elastic-net", losses[l], lambdas[i], elastics[p],
                                             l % 2);
            if ((l + i) % PART(3, 5) == 0)
                beside_proximal_gradient("entropy", losses[l], lambdas[i], 0, l % 2);
        }
}

/* Where a method stands after so many passes in which its gap fell to 1/10 and to 1/100000: as many
 * passes a digit in the later stretch as in the earlier, or fewer. */
static void smooth_losses_converge_linearly(void **state) {
    (void)state;
    static const char *const some[] = {"logistic", "squared", "huber", "squared-hinge"};
    for (int l = 0; l < 4; l += PART(1, 2)) {
        struct fixture f;
        struct outcome o;
        double w[MAX_DIMENSION] = {0}, digit[11] = {0};
        set_up(&f, some[l], 0.05, 1, false);
        assert_int_equal(run_with(&f.problem, "bundle", NULL, 1e-10, 1000, w, &history, &o, NULL),
                         0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        assert_near(o.objective, optimum(&f), 1e-10);
        for (int i = history.count - 1; i >= 0; i--)
            for (int d = 1; d <= 10; d++)
                if (history.objective[i] - history.bound[i] <= pow(10, -d) * history.objective[i])
                    digit[d] = history.passes[i];
        assert_true(digit[10] - digit[6] <= 2 * (digit[5] - digit[1]) + 2);
        tear_down(&f);
    }
}

static void a_warm_start_ends_sooner(void **state) {
    (void)state;
    static const char *const all[] = {"l2", "elastic-net"};
    for (int k = 0; k < 2; k++) {
        struct fixture f;
        struct outcome cold, warm;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", 1e-2, 1, false);
        f.problem.regularizer = regularizer_by_name(all[k]);
        f.problem.parameters.elastic = 0.5;
        assert_int_equal(run_with(&f.problem, "bundle", NULL, 1e-6, 500, w, NULL, &cold, NULL), 0);
        assert_int_equal(run_with(&f.problem, "bundle", NULL, 1e-6, 500, w, &history, &warm, NULL),
                         0);
        assert_near(history.objective[0], cold.objective, 1e-12);
        assert_true(warm.passes <= cold.passes);
        assert_int_equal(run_with(&f.problem, "bundle-ls", NULL, 0, 30, w, &history, &warm, NULL),
                         0);
        assert_true(history.objective[0] <= cold.objective + 1e-12);
        tear_down(&f);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static const char *const all[] = {"l2", "elastic-net", "entropy"};
    struct dataset data = random_data(4000, 40, false, 5);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    for (int k = 0; k < 4; k++) {
        struct problem problem = {.risk = risk,
                                  .regularizer = regularizer_by_name(all[k % 3]),
                                  .parameters = {.elastic = 0.3},
                                  .lambda = 1e-3};
        check_threads(&problem, k < 3 ? "bundle" : "bundle-ls", NULL, 40);
    }
    risk_free(risk);
    dataset_free(&data);
}

static void edges_end_well(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"bundle", "l2"}, {"bundle", "elastic-net"}, {"bundle", "entropy"}, {"bundle-ls", "l2"}};
    for (int i = 0; i < EDGES; i++)
        for (int k = 0; k < 4; k++)
            if ((i + k) % PART(3, 7) == 0)
                check_edge(&edges[i], pairs[k][0], pairs[k][1], NULL);
}

/* At lambda 1e-9 Gram matrices lose nine digits; the final gap is at most 1e-3. */
static void tiny_lambda_is_certified(void **state) {
    (void)state;
    struct fixture f;
    struct outcome o;
    double w[MAX_DIMENSION] = {0};
    set_up(&f, "hinge", 1e-9, 1, false);
    assert_int_equal(run_with(&f.problem, "bundle", NULL, 1e-6, 3000, w, &history, &o, NULL), 0);
    assert_true(o.objective - o.bound <= 1e-3 * o.objective);
    check_history(&f.problem, &history, &o, w, o.objective, 0);
    tear_down(&f);
}

/* With -e 0 only rounding ends the run. */
static void rounding_ends_a_run(void **state) {
    (void)state;
    static const char *const losses_here[] = {"hinge", "logistic"};
    for (int l = 0; l < 2; l++) {
        struct fixture f;
        struct outcome o;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, losses_here[l], 0.1, 1, false);
        assert_int_equal(run_with(&f.problem, "bundle", NULL, 0, 1e6, w, &history, &o, NULL), 0);
        assert_true(o.verdict == VERDICT_STALLED || o.verdict == VERDICT_CONVERGED);
        assert_true(o.objective - o.bound <= 1e-13);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_optima_are_reached),
        cmocka_unit_test(line_search_is_that_of_the_paper),
        cmocka_unit_test(other_regularizers_reach_the_optimum),
        cmocka_unit_test(smooth_losses_converge_linearly),
        cmocka_unit_test(a_warm_start_ends_sooner),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(edges_end_well),
        cmocka_unit_test(tiny_lambda_is_certified),
        cmocka_unit_test(rounding_ends_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
