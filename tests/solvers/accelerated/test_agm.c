/* test_agm.c - agm and agm1: known optima between bound and objective at every report, every loss and
 * regularizer beside other solvers, linear convergence, smoothing, warm starts, limits, threads, and
 * problems at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history;

static const char *const solvers[] = {"agm", "agm1"};
static const char *const losses[] = {"hinge",    "squared-hinge", "logistic", "squared",
                                     "absolute", "epsilon",       "huber",    "quantile"};
enum { SOLVERS = 2, LOSSES = sizeof losses / sizeof *losses };

static bool smooth(const char *loss) {
    return isfinite(loss_by_name(loss)->curvature);
}

/* ---- optima that are known to be between two numbers */

struct between {
    double lower, upper;
};

/* The run converges to the tolerance; no reported bound is above the optimum, and no objective below it. */
static void reaches(const struct problem *problem, const char *solver, const char *const *words,
                    const struct between *known, double epsilon, double *w) {
    struct outcome o = {0};
    struct error e = {0};
    double rounding = 2e-12 * known->upper;
    int status = run_with(problem, solver, words, epsilon, 20000, w, &history, &o, &e);
    if (status != 0 || o.verdict != VERDICT_CONVERGED)
        print_error("%s %s %s %g: %s, J %.9g, gap %g, optimum %.9g, after %g\n", solver,
                    problem->regularizer->name, problem->risk->scalar->loss->name, problem->lambda,
                    e.words, o.objective, o.objective - o.bound, known->upper, o.passes);
    assert_int_equal(status, 0);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
    assert_true(o.objective - o.bound <= epsilon * o.objective);
    assert_true(o.objective <= known->upper * (1 + 2 * epsilon));
    check_history(problem, &history, &o, w, (known->lower + known->upper) / 2,
                  (known->upper - known->lower) / 2 + rounding);
}

static void reference_reaches(const struct reference *r) {
    struct between known = {r->lower, r->upper};
    static int seen; /* each second one has the same lambda */
    for (int s = 0; s < SOLVERS; s++) {
        double w[64] = {0};
        bool loose = PART((s + seen / 2) % 2 == 0, false);
        assert_true(r->problem.risk->dimension <= 64);
        reaches(&r->problem, solvers[s], NULL, &known, loose ? 1e-3 : 1e-5, w);
    }
    seen++;
}

static void known_optima_are_reached(void **state) {
    (void)state;
    for_references(reference_reaches);
}

/* ---- every loss and regularizer */

/* The optimum by another solver, certified by its own bound. */
static struct between optimum_by(const struct problem *problem, const char *solver, double epsilon,
                                 double *w) {
    struct outcome o;
    assert_int_equal(run_with(problem, solver, NULL, epsilon, 20000, w, NULL, &o, NULL), 0);
    assert_true(o.objective - o.bound <= 2 * epsilon * o.objective);
    return (struct between){o.bound, o.objective};
}

/* With l1 and a loss with kinks: between an elastic net that is nearly l1 and its value with l1. For all
 * w J = J_net + lambda rho (||w||_1 - ||w||^2/2), and at the optimum lambda ||w||_1 <= J(0). */
static struct between optimum_of_l1(const struct problem *problem, double *w) {
    static const double rho = 1e-5;
    double zero[MAX_DIMENSION] = {0}, longest = problem_objective(problem, zero) / problem->lambda;
    struct problem net = *problem;
    net.regularizer = regularizer_by_name("elastic-net");
    net.parameters.elastic = rho;
    struct between known = optimum_by(&net, "bundle", 1e-6, w);
    known.lower -= problem->lambda * rho * longest * longest / 2;
    known.upper = problem_objective(problem, w);
    return known;
}

static struct between find_optimum(const struct problem *problem) {
    double w[MAX_DIMENSION] = {0};
    bool l1 = strcmp(problem->regularizer->name, "l1") == 0;
    bool offset = problem->risk->dimension > problem->risk->regularized;
    if (l1 && !smooth(problem->risk->scalar->loss->name))
        return optimum_of_l1(problem, w);
    if (offset && strcmp(problem->regularizer->name, "l2") == 0)
        return optimum_by(problem, "ipm", 1e-9, w);
    return optimum_by(problem, l1 || offset ? "lps" : "bundle", 1e-8, w);
}

static void beside_others(const char *regularizer, const char *loss, double lambda, bool weighted,
                          bool intercept) {
    struct fixture f;
    set_up_with(&f, loss, lambda, 1, weighted, intercept);
    f.problem.regularizer = regularizer_by_name(regularizer);
    f.problem.parameters.elastic = 0.4;
    struct between known = find_optimum(&f.problem);
    for (int k = 0; k < 2 * SOLVERS; k++) {
        double w[MAX_DIMENSION] = {0};
        reaches(&f.problem, solvers[k / 2], NULL, &known, k % 2 ? 1e-3 : 1e-5, w);
    }
    tear_down(&f);
}

static void every_loss_and_regularizer_reaches_the_optimum(void **state) {
    (void)state;
    static const char *const regularizers[] = {"l2", "l1", "elastic-net", "entropy"};
    static const double lambdas[] = {0.3, 5e-3};
    for (int l = 0; l < LOSSES; l++)
        for (int r = 0; r < 4; r++)
            for (int i = 0; i < 2; i++)
                if ((l + r + i) % PART(3, 5) == 0)
                    beside_others(regularizers[r], losses[l], lambdas[i], (l + r + i) % 2, false);
}

static void an_offset_reaches_the_optimum(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        beside_others("l2", losses[l], 0.3, l % 2, true);
        beside_others("l2", losses[l], 5e-3, l % 2 == 0, true);
        if (smooth(losses[l])) {
            beside_others("l1", losses[l], 0.03, l % 2, true);
            beside_others("elastic-net", losses[l], 5e-3, l % 2 == 0, true);
        }
    }
}

/* ---- linear convergence */

/* Least squares of y over x: the slope and the correlation. */
struct straight {
    double slope, correlation;
};

static struct straight straight_line(const double *x, const double *y, int n) {
    double sx = 0, sy = 0, xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < n; i++) {
        sx += x[i] / n;
        sy += y[i] / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (x[i] - sx) * (x[i] - sx);
        xy += (x[i] - sx) * (y[i] - sy);
        yy += (y[i] - sy) * (y[i] - sy);
    }
    return (struct straight){xy / xx, xy / sqrt(xx * yy)};
}

/* Passes at which the relative gap was first below 10^-d. */
static double passes_to(int d) {
    for (int i = 0; i < history.count; i++)
        if (history.objective[i] - history.bound[i] <= pow(10, -d) * history.objective[i])
            return history.passes[i];
    return INFINITY;
}

/* From a gap of 10^-FIRST to 10^-LAST the logarithm of the gap falls along a straight line over the passes,
 * and no decade takes more than twice the mean of all. */
static void gap_falls_straight(int first, int last) {
    static double passes[MAX_REPORTS], gap[MAX_REPORTS];
    int count = 0;
    for (int i = 0; i < history.count; i++) {
        double relative = (history.objective[i] - history.bound[i]) / history.objective[i];
        if (relative > pow(10, -first) || relative < pow(10, -last))
            continue;
        passes[count] = history.passes[i];
        gap[count++] = log10(relative);
    }
    assert_true(count >= 12);
    struct straight line = straight_line(passes, gap, count);
    double mean = (passes_to(last) - passes_to(first)) / (last - first);
    assert_true(line.slope < 0 && line.correlation < -0.99);
    for (int d = first; d < last; d++)
        assert_true(passes_to(d + 1) - passes_to(d) <= 2 * mean);
}

static void smooth_losses_converge_linearly(void **state) {
    (void)state;
    enum { TALL = 300, WIDE = 100 };
    static const char *const some[] = {"logistic", "squared"};
    struct dataset data = random_data(TALL, WIDE, false, 5);
    for (int k = 0; k < 2 * SOLVERS; k++) {
        struct scalar_settings scalar = {
            .data = &data, .target = data.label, .loss = loss_by_name(some[k % 2]), .bias = -1};
        struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 3e-3};
        struct outcome o;
        double w[WIDE] = {0};
        assert_int_equal(
            run_with(&problem, solvers[k / 2], NULL, 1e-10, 2000, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        gap_falls_straight(1, 9);
        risk_free((struct risk *)problem.risk);
    }
    dataset_free(&data);
}

/* ---- the solver's own options */

/* The smallest J_mu with l2, by plain descent; the mean of the a_i^2 there. */
static double descend_smoothed(const struct fixture *f, double mu, double *smallest) {
    double w[MAX_DIMENSION] = {0}, x[MAX_DIMENSION], squares = 0;
    plain_descent(f, mu, 0.1 * mu, w);
    for (int i = 0; i < ROWS; i++) {
        double a;
        dense_row(f, i, x);
        f->scalar.loss->smooth(vector_dot(w, x, MAX_DIMENSION), f->target[i], mu,
                               &f->scalar.parameters, &a);
        squares += a * a / ROWS;
    }
    *smallest = problem_penalty(&f->problem, w) + risk_evaluate(f->risk, w, mu, NULL);
    return squares;
}

/* With a mu that stays the bound ends where the smoothed problem's dual variables prove it, and the run
 * there, which says so. */
static void fixed_smoothing_stays(void **state) {
    (void)state;
    static const char *const some[] = {"hinge", "absolute", "quantile"};
    for (int k = 0; k < 3 * SOLVERS; k++) {
        if ((k / 2 + k) % PART(1, 4) != 0)
            continue;
        static const char *const words[] = {"smoothing=fixed", "mu=0.5", NULL};
        struct fixture f;
        struct outcome o;
        double w[MAX_DIMENSION] = {0}, smallest;
        set_up(&f, some[k / 2], 0.05, 1, false);
        assert_int_equal(
            run_with(&f.problem, solvers[k % 2], words, 1e-9, 3000, w, &history, &o, NULL), 0);
        double expected = 0.5 / 2 * descend_smoothed(&f, 0.5, &smallest),
               gap = o.objective - o.bound;
        assert_int_equal(o.verdict, VERDICT_STALLED);
        assert_string_equal(o.obstacle.what, "smoothing");
        assert_true(gap >= 1e-3);
        assert_true(o.bound >= smallest + expected - 2e-3 * gap);
        struct between known = find_optimum(&f.problem);
        assert_true(o.bound <= known.upper);
        tear_down(&f);
    }
}

static void any_first_smoothing_ends_at_the_optimum(void **state) {
    (void)state;
    static const char *const first[] = {"mu=100", "mu=0.03"};
    for (int k = 0; k < 2 * SOLVERS; k++) {
        const char *const words[] = {first[k / 2], NULL};
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", 0.05, 1, true);
        struct between known = find_optimum(&f.problem);
        reaches(&f.problem, solvers[k % 2], words, &known, 1e-5, w);
        tear_down(&f);
    }
}

/* A small mu that stays is enough for a tolerance above it. */
static void fixed_smoothing_reaches_its_tolerance(void **state) {
    (void)state;
    static const char *const words[] = {"smoothing=fixed", "mu=1e-4", NULL};
    for (int k = 0; k < LOSSES * SOLVERS; k++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, losses[k / 2], 0.05, 1, true);
        struct between known = find_optimum(&f.problem);
        reaches(&f.problem, solvers[k % 2], words, &known, 1e-3, w);
        tear_down(&f);
    }
}

/* The bound of L that is found from the data, and the rows' weights in the prox-function. */
static void a_fixed_L_reaches_the_optimum(void **state) {
    (void)state;
    static const char *const fixed[] = {"lipschitz=fixed", NULL};
    static const char *const both[] = {"lipschitz=fixed", "prox=optimized", NULL};
    static const char *const optimized[] = {"prox=optimized", NULL};
    static const char *const *const words[] = {fixed, both, optimized};
    static const char *const regularizers[] = {"l2", "elastic-net", "entropy"};
    for (int l = 0; l < LOSSES; l++)
        for (int k = 0; k < 3 * 3 * SOLVERS; k++) {
            if ((l + k) % PART(2, 5) != 0)
                continue;
            struct fixture f;
            double w[MAX_DIMENSION] = {0};
            set_up(&f, losses[l], 0.05, 1, k % 2);
            f.problem.regularizer = regularizer_by_name(regularizers[k / 6]);
            f.problem.parameters.elastic = 0.6;
            struct between known = find_optimum(&f.problem);
            reaches(&f.problem, solvers[k % 2], words[k / 2 % 3], &known, 1e-4, w);
            tear_down(&f);
        }
}

/* The smallest curvature of a quadratic risk, by power iterations with `most` minus the Hessian. */
static double least_curvature(const struct fixture *f, double largest) {
    double zero[MAX_DIMENSION] = {0}, x[MAX_DIMENSION], at_zero[MAX_DIMENSION], g[MAX_DIMENSION],
           size = 0;
    int64_t n = f->risk->dimension;
    for (int j = 0; j < n; j++)
        x[j] = 1 + 0.1 * j;
    risk_evaluate(f->risk, zero, 0, at_zero);
    for (int step = 0; step < 5000; step++) {
        risk_evaluate(f->risk, x, 0, g);
        for (int j = 0; j < n; j++)
            g[j] = largest * x[j] - (g[j] - at_zero[j]);
        size = sqrt(vector_dot(g, g, n));
        for (int j = 0; j < n; j++)
            x[j] = g[j] / size;
    }
    return largest - size;
}

/* --strong makes l1 faster and does not change the result. */
static void known_curvature_helps(void **state) {
    (void)state;
    static const char *const regularizers[] = {"l1", "l2"};
    for (int k = 0; k < 2 * SOLVERS; k++) {
        struct fixture f;
        struct outcome o;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up(&f, "squared", 1e-3, 1, false);
        f.problem.regularizer = regularizer_by_name(regularizers[k / 2]);
        double strong = 0.99 * least_curvature(&f, 10);
        assert_true(strong > 1e-3);
        char word[32];
        const char *const words[] = {word, NULL};
        snprintf(word, sizeof word, "strong=%.17g", strong);
        struct between known = find_optimum(&f.problem);
        assert_int_equal(run_with(&f.problem, solvers[k % 2], NULL, 1e-7, 20000, w, NULL, &o, NULL),
                         0);
        reaches(&f.problem, solvers[k % 2], words, &known, 1e-7, v);
        assert_true(history.passes[history.count - 1] < o.passes);
        tear_down(&f);
    }
}

/* ---- the memories, starts, limits, threads, edges */

/* The largest difference between the reports of the two solvers, while both run. */
static double reports_apart(const char *regularizer) {
    static struct history other;
    struct fixture f;
    struct outcome o;
    double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0}, apart = 0;
    set_up(&f, "logistic", 0.01, 1, false);
    f.problem.regularizer = regularizer_by_name(regularizer);
    assert_int_equal(run_with(&f.problem, "agm", NULL, 1e-9, 50, w, &history, &o, NULL), 0);
    assert_int_equal(run_with(&f.problem, "agm1", NULL, 1e-9, 50, v, &other, &o, NULL), 0);
    for (int i = 0; i < history.count && i < other.count; i++) {
        apart = fmax(apart, fabs(history.objective[i] - other.objective[i]));
        apart = fmax(apart, fabs(history.bound[i] - other.bound[i]));
    }
    tear_down(&f);
    return apart;
}

static void memories_differ_but_for_squares(void **state) {
    (void)state;
    assert_near(reports_apart("l2"), 0, 1e-9);
    assert_true(reports_apart("l1") > 1e-6);
    assert_true(reports_apart("entropy") <= 1e-9);
}

static void a_warm_start_ends_sooner(void **state) {
    (void)state;
    static const char *const all[] = {"l2", "elastic-net", "l1", "entropy"};
    for (int k = 0; k < 4 * SOLVERS; k++) {
        struct fixture f;
        struct outcome cold, warm;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "logistic", 1e-2, 1, false);
        f.problem.regularizer = regularizer_by_name(all[k / 2]);
        f.problem.parameters.elastic = 0.5;
        const char *solver = solvers[k % 2];
        assert_int_equal(run_with(&f.problem, solver, NULL, 1e-6, 5000, w, NULL, &cold, NULL), 0);
        assert_int_equal(run_with(&f.problem, solver, NULL, 1e-6, 5000, w, &history, &warm, NULL),
                         0);
        assert_true(history.objective[0] <= cold.objective + 1e-12);
        assert_true(warm.passes < cold.passes);
        tear_down(&f);
    }
}

static void a_warm_start_is_never_lost(void **state) {
    (void)state;
    static const char *const all[] = {"l2", "elastic-net", "l1"};
    for (int k = 0; k < 3 * SOLVERS; k++) {
        struct fixture f;
        struct outcome cold, warm;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", 1e-2, 1, false);
        f.problem.regularizer = regularizer_by_name(all[k / 2]);
        f.problem.parameters.elastic = 0.5;
        const char *solver = solvers[k % 2];
        assert_int_equal(run_with(&f.problem, solver, NULL, 1e-3, 20000, w, NULL, &cold, NULL), 0);
        assert_int_equal(run_with(&f.problem, solver, NULL, 1e-9, 1, w, NULL, &warm, NULL), 0);
        assert_true(warm.objective <= cold.objective + 1e-12);
        assert_near(warm.objective, problem_objective(&f.problem, w), 1e-12);
        tear_down(&f);
    }
}

static void a_limit_of_passes_is_kept(void **state) {
    (void)state;
    for (int k = 0; k < 2 * SOLVERS; k++) {
        struct fixture f;
        struct outcome o;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, k / 2 ? "hinge" : "logistic", 1e-4, 1, false);
        assert_int_equal(
            run_with(&f.problem, solvers[k % 2], NULL, 1e-9, 10, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_PASSES);
        assert_true(o.passes >= 8 && o.passes <= 10);
        assert_in_range(2 * (o.passes - history.passes[history.count - 1]), 0, 1); /* J anew */
        assert_near(o.objective, problem_objective(&f.problem, w), 1e-12);
        tear_down(&f);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static const char *const all[] = {"l2", "elastic-net", "l1", "entropy"};
    struct dataset data = random_data(15000, 40, false, 5);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    for (int k = 0; k < 4 * SOLVERS; k += PART(1, 3)) {
        struct problem problem = {.risk = risk,
                                  .regularizer = regularizer_by_name(all[k / 2]),
                                  .parameters = {.elastic = 0.3},
                                  .lambda = 1e-3};
        check_threads(&problem, solvers[k % 2], NULL, 12);
    }
    risk_free(risk);
    dataset_free(&data);
}

static void edges_end_well(void **state) {
    (void)state;
    static const char *const regularizers[] = {"l2", "l1", "elastic-net", "entropy"};
    for (int i = 0; i < EDGES * 4; i++)
        for (int s = 0; s < SOLVERS; s++)
            if ((i + s) % PART(2, 5) == 0)
                check_edge(&edges[i / 4], solvers[s], regularizers[i % 4], NULL);
}

/* With -e 0 nothing but rounding or the limit ends the run, close to the optimum. */
static void without_a_tolerance_a_run_comes_close(void **state) {
    (void)state;
    static const char *const some[] = {"logistic", "squared", "huber"};
    for (int k = 0; k < 3 * SOLVERS; k++) {
        if ((k / 2 + k) % PART(1, 2) != 0)
            continue;
        struct fixture f;
        struct outcome o;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, some[k / 2], 0.1, 1, false);
        assert_int_equal(run_with(&f.problem, solvers[k % 2], NULL, 0, 3000, w, &history, &o, NULL),
                         0);
        assert_near(o.objective, optimum(&f), 1e-13);
        assert_near(o.bound, o.objective, 1e-13);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_optima_are_reached),
        cmocka_unit_test(every_loss_and_regularizer_reaches_the_optimum),
        cmocka_unit_test(an_offset_reaches_the_optimum),
        cmocka_unit_test(smooth_losses_converge_linearly),
        cmocka_unit_test(fixed_smoothing_stays),
        cmocka_unit_test(any_first_smoothing_ends_at_the_optimum),
        cmocka_unit_test(fixed_smoothing_reaches_its_tolerance),
        cmocka_unit_test(a_fixed_L_reaches_the_optimum),
        cmocka_unit_test(known_curvature_helps),
        cmocka_unit_test(memories_differ_but_for_squares),
        cmocka_unit_test(a_warm_start_ends_sooner),
        cmocka_unit_test(a_warm_start_is_never_lost),
        cmocka_unit_test(a_limit_of_passes_is_kept),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(edges_end_well),
        cmocka_unit_test(without_a_tolerance_a_run_comes_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
