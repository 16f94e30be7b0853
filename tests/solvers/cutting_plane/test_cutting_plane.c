/* test_cutting_plane.c - cpa, ocas and mcpa: to known optima, against the algorithms written out
 * plainly, with an offset, at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

#include "tests/solvers/bundle/bundle_fixture.h"

#include <omp.h>

struct variant {
    const char *solver;
    const char *words[6];
};

static const struct variant variants[] = {
    {"cpa", {NULL}},
    {"cpa", {"shrink=off", NULL}},
    {"ocas", {NULL}},
    {"ocas", {"safeguard=needed", "shrink=aggressive", NULL}},
    {"ocas", {"gram-cache=0.001", "cut-fraction=1", NULL}},
    {"mcpa", {"partitions=1", NULL}},
    {"mcpa", {NULL}},
    {"mcpa", {"partitions=7", "shrink=aggressive", NULL}},
    {"mcpa", {"partitions=20", "safeguard=always", "shrink=off", NULL}},
    {"mcpa", {"partitions=5", "gram-cache=0.001", NULL}},
    {"mcpa", {"single-pass=on", "partitions=5", NULL}},
    {"mcpa", {"partitions=1000", NULL}},
};

enum { VARIANTS = sizeof variants / sizeof *variants, MAX_COLUMNS = 64 };

/* ---- optima */

static void reach(const struct reference *r) {
    static struct history history;
    static int number;
    if (strcmp(r->loss, "hinge") != 0)
        return;
    number++;
    for (int v = 0; v < VARIANTS; v++) {
        /* the plain method needs thousands of cuts for the last digits, and at a small lambda */
        bool plain = strcmp(variants[v].solver, "cpa") == 0;
        if (plain ? r->lambda < 1e-2 : (number + v) % PART(4, 5) != 0)
            continue;
        double w[MAX_COLUMNS] = {0};
        struct outcome o;
        double epsilon = plain ? 1e-3 : 1e-6;
        assert_int_equal(run_with(&r->problem, variants[v].solver, variants[v].words, epsilon, 1e5,
                                  w, &history, &o, NULL),
                         0);
        check_history(&r->problem, &history, &o, w, r->lower, 1e-9);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        assert_true(o.objective <= r->upper * (1 + 1.01 * epsilon));
    }
}

static void the_samples_reach_their_optima(void **state) {
    (void)state;
    for_references(reach);
}

/* ---- the algorithms written out */

enum { MAX_CUTS = 40, SMALL_ITERATIONS = 8 };

/* The relaxed problem over dense cuts, by exchanging weight between two cuts of a partition (the
 * last of which is the zero plane) until nothing is gained. */
struct plain {
    const struct fixture *f;
    int partitions, count;
    double a[MAX_CUTS][MAX_DIMENSION], b[MAX_CUTS], alpha[MAX_CUTS];
    int partition[MAX_CUTS];
};

/* Of the program by the weight of cut j. */
static double gradient_at(const struct plain *p, int j, const double *w) {
    return -vector_dot(p->a[j], w, MAX_DIMENSION) - p->b[j];
}

static void plain_minimizer(const struct plain *p, double *w) {
    memset(w, 0, sizeof *w * MAX_DIMENSION);
    for (int j = 0; j < p->count; j++)
        for (int i = 0; i < MAX_DIMENSION; i++)
            w[i] -= p->alpha[j] * p->a[j][i] / p->f->problem.lambda;
}

/* One exchange of weight in a partition; returns the gain. */
static double exchange(struct plain *p, int partition, double *w) {
    int best = -1, worst = -1;
    for (int j = 0; j < p->count; j++) {
        if (p->partition[j] != partition)
            continue;
        if (best < 0 || gradient_at(p, j, w) < gradient_at(p, best, w))
            best = j;
        if (p->alpha[j] > 0 && (worst < 0 || gradient_at(p, j, w) > gradient_at(p, worst, w)))
            worst = j;
    }
    double slope = gradient_at(p, worst, w) - gradient_at(p, best, w), square = 0;
    for (int i = 0; i < MAX_DIMENSION; i++) {
        double d = p->a[best][i] - p->a[worst][i];
        square += d * d / p->f->problem.lambda;
    }
    double step = square > 0 ? fmin(slope / square, p->alpha[worst]) : p->alpha[worst];
    p->alpha[best] += step;
    p->alpha[worst] -= step;
    plain_minimizer(p, w);
    return slope;
}

static void plain_solve(struct plain *p, double *w) {
    plain_minimizer(p, w);
    for (int i = 0; i < 200000; i++) {
        double largest = 0;
        for (int k = 0; k < p->partitions; k++)
            largest = fmax(largest, exchange(p, k, w));
        if (largest < 1e-12)
            return;
    }
}

/* The cut of each partition at w. A row just at the margin, where a line search ends, may count as
 * short or not: `tied` says which. True when there was such a row. */
static bool plain_cut(struct plain *p, const double *w, bool tied) {
    static const double rounding = 1e-6;
    bool any = false;
    double x[MAX_DIMENSION];
    for (int k = 0; k < p->partitions; k++) {
        int j = p->count++;
        assert_true(j < MAX_CUTS);
        memset(p->a[j], 0, sizeof p->a[j]);
        p->b[j] = p->alpha[j] = 0;
        p->partition[j] = k;
        for (int i = ROWS * k / p->partitions; i < ROWS * (k + 1) / p->partitions; i++) {
            dense_row(p->f, i, x);
            double v = 1 - p->f->target[i] * vector_dot(w, x, MAX_DIMENSION);
            any = any || fabs(v) <= rounding;
            if (v <= -rounding || (v <= rounding && !tied))
                continue;
            for (int c = 0; c < MAX_DIMENSION; c++)
                p->a[j][c] -= p->f->target[i] * x[c] / ROWS;
            p->b[j] += 1.0 / ROWS;
        }
    }
    return any;
}

static void along(const double *from, const double *to, double k, double *w) {
    for (int i = 0; i < MAX_DIMENSION; i++)
        w[i] = (1 - k) * from[i] + k * to[i];
}

/* argmin over k >= 0 by ternary search of a convex function. */
static double plain_line(const struct plain *p, const double *from, const double *to) {
    double low = 0, high = 64, w[MAX_DIMENSION];
    for (int i = 0; i < 200; i++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        along(from, to, left, w);
        double at_left = problem_objective(&p->f->problem, w);
        along(from, to, right, w);
        if (at_left <= problem_objective(&p->f->problem, w))
            high = right;
        else
            low = left;
    }
    along(from, to, low, w);
    return problem_objective(&p->f->problem, w) <
                   problem_objective(&p->f->problem, from) * (1 - 1e-13)
               ? low
               : 0;
}

static double relaxed_value(const struct plain *p, const double *w) {
    double sum = 0;
    for (int j = 0; j < p->count; j++)
        sum += p->alpha[j] * p->b[j];
    return sum - p->f->problem.lambda / 2 * vector_dot(w, w, MAX_DIMENSION);
}

/* Algorithms 6 (searches false), 7 (always) and 8, from iteration t on, beside a run's reports. */
struct transcript {
    struct plain plain;
    bool searches, always;
    double best[MAX_DIMENSION], cut[MAX_DIMENSION], fraction, smallest;
};

static bool follows(const struct transcript *before, const struct history *history, int t);

static bool agrees(double x, double y) {
    return fabs(x - y) <= 1e-6;
}

/* One iteration with the ties decided by TIED, and the iterations after it; *any: there were ties. */
static bool follows_with(const struct transcript *before, const struct history *history, int t,
                         bool tied, bool *any) {
    struct transcript s = *before;
    double relaxed[MAX_DIMENSION], k = 1;
    *any = plain_cut(&s.plain, s.cut, tied);
    plain_solve(&s.plain, relaxed);
    if (s.searches)
        k = plain_line(&s.plain, s.best, relaxed);
    along(s.best, relaxed, k, s.best);
    s.smallest = fmin(s.smallest, problem_objective(&s.plain.f->problem, s.best));
    s.fraction = s.always || (s.fraction == 0 && k == 0) ? 0.1 : 0;
    along(s.best, relaxed, s.searches ? s.fraction : 0, s.cut);
    double bound = fmax(relaxed_value(&s.plain, relaxed), t > 0 ? history->bound[t - 1] : 0);
    return agrees(history->objective[t], s.smallest) && agrees(history->bound[t], bound) &&
           follows(&s, history, t + 1);
}

static bool follows(const struct transcript *before, const struct history *history, int t) {
    bool any;
    if (t == SMALL_ITERATIONS || t == history->count)
        return true;
    return follows_with(before, history, t, false, &any) ||
           (any && follows_with(before, history, t, true, &any));
}

static void check_transcription(const char *solver, const char *const *words, int partitions,
                                bool searches, bool always) {
    static struct history history;
    for (double lambda = 1; lambda > 1e-3; lambda /= 8) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", lambda, 1, false);
        run_with(&f.problem, solver, words, 0, 2 * SMALL_ITERATIONS + 1, w, &history, &f.outcome,
                 NULL);
        struct transcript start = {
            .searches = searches, .always = always, .smallest = 1}; /* J(0) = 1 */
        start.plain.f = &f;
        start.plain.partitions = partitions;
        for (int k = 0; k < partitions; k++) { /* the zero planes hold all weight at first */
            start.plain.partition[k] = k;
            start.plain.alpha[k] = 1;
        }
        start.plain.count = partitions;
        assert_true(history.count >= SMALL_ITERATIONS - 1);
        assert_true(follows(&start, &history, 0));
        tear_down(&f);
    }
}

static void iterations_are_the_papers(void **state) {
    (void)state;
    static const char *const one[] = {"partitions=1", NULL}, *const four[] = {"partitions=4", NULL};
    static const char *const needed[] = {"safeguard=needed", NULL};
    check_transcription("cpa", NULL, 1, false, false);
    check_transcription("ocas", NULL, 1, true, true);
    check_transcription("ocas", needed, 1, true, false);
    check_transcription("mcpa", one, 1, true, false);
    check_transcription("mcpa", four, 4, true, false);
}

/* ---- the offset */

/* One partition takes the offset by partial minimization, several by a constraint of the program:
 * both end at the same optimum, which no other offset betters. */
static void the_offset_is_optimal(void **state) {
    (void)state;
    static struct history history;
    for (double lambda = 1e-1; lambda > 1e-6; lambda /= 30)
        for (int weighted = 0; weighted < 2; weighted++) {
            double first = 0;
            for (int v = 2; v < VARIANTS - 1; v++) {
                struct fixture f;
                double w[MAX_DIMENSION] = {0};
                set_up_with(&f, "hinge", lambda, -1, weighted, true);
                run_with(&f.problem, variants[v].solver, variants[v].words, 1e-7, 1e5, w, &history,
                         &f.outcome, NULL);
                assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
                assert_true(history.count < 64);
                check_history(&f.problem, &history, &f.outcome, w, f.outcome.objective, 1e-7);
                first = first == 0 ? f.outcome.objective : first;
                assert_near(f.outcome.objective, first, 1.1e-7 * first);
                for (double shift = -1; shift <= 1; shift += 0.125) {
                    double other[MAX_DIMENSION];
                    memcpy(other, w, sizeof w);
                    other[FEATURES] += shift;
                    assert_true(problem_objective(&f.problem, other) >=
                                f.outcome.objective * (1 - 1e-12));
                }
                tear_down(&f);
            }
        }
}

/* The trace's J is that of the model, and a tolerance is kept by it, also at loose ones, where the
 * point may be a cut's. */
static void the_offset_belongs_to_its_point(void **state) {
    (void)state;
    static struct history history;
    for (uint64_t seed = 0; seed < PART(20, 10); seed++) {
        struct dataset data = random_data(40, 6, false, seed);
        struct scalar_settings scalar = {.data = &data,
                                         .target = data.label,
                                         .loss = loss_by_name("hinge"),
                                         .bias = -1,
                                         .intercept = true};
        struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = seed % 2 ? 1e-2 : 1};
        for (int v = 2; v < VARIANTS; v++)
            for (double epsilon = 1e-2; epsilon > 1e-5; epsilon /= 10) {
                double w[7] = {0};
                struct outcome o;
                run_with(&problem, variants[v].solver, variants[v].words, epsilon, 1e4, w, &history,
                         &o, NULL);
                check_history(&problem, &history, &o, w, o.objective, 2 * epsilon * o.objective);
                assert_true(o.verdict == VERDICT_CONVERGED &&
                            o.objective - o.bound <= epsilon * o.objective);
            }
        risk_free((struct risk *)problem.risk);
        dataset_free(&data);
    }
}

/* Partitions whose classes balance: their cuts have no slope in the offset, not one of rounding. */
static void balanced_partitions_have_weight(void **state) {
    (void)state;
    static struct history history;
    struct dataset data = random_data(4000, 6, false, 5);
    double target[4000], objective = 0;
    for (int i = 0; i < 4000; i++)
        target[i] = i % 8 < 3 ? 1 : -1;
    struct scalar_settings scalar = {.data = &data,
                                     .target = target,
                                     .loss = loss_by_name("hinge"),
                                     .bias = -1,
                                     .intercept = true};
    struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                              .regularizer = regularizer_by_name("l2"),
                              .lambda = 1e-3};
    for (int v = 5; v < VARIANTS - 1; v++) {
        double w[7] = {0};
        struct outcome o;
        run_with(&problem, variants[v].solver, variants[v].words, 1e-6, 1e4, w, &history, &o, NULL);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        objective = objective == 0 ? o.objective : objective;
        assert_near(o.objective, objective, 2e-6 * objective);
    }
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

static void one_class_with_an_offset_has_no_loss(void **state) {
    (void)state;
    static struct history history;
    for (int v = 2; v < VARIANTS; v++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up_with(&f, "hinge", 1e-3, -1, false, true);
        for (int i = 0; i < ROWS; i++)
            f.target[i] = -1;
        run_with(&f.problem, variants[v].solver, variants[v].words, 1e-6, 100, w, &history,
                 &f.outcome, NULL);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(f.outcome.objective == 0 && w[FEATURES] <= -1);
        tear_down(&f);
    }
}

/* ---- single passes */

/* Of many rows a sample is solved first. The optimum is that of another method, whose bound is below it, and the passes
 * are fewer, over all problems, than from a start that is given. */
static void a_sample_saves_passes(void **state) {
    (void)state;
    enum { MANY_ROWS = 16100 };
    static struct history history;
    static const char *const losses[] = {"hinge", "absolute", "quantile", "epsilon"};
    static const char *const single[] = {"single-pass=on", NULL};
    struct dataset data = random_data(MANY_ROWS, 4, false, 9);
    double from_sample = 0, from_start = 0;
    for (int k = PART(0, 3); k < 4; k++) {
        struct scalar_settings scalar = {.data = &data,
                                         .target = data.label,
                                         .loss = loss_by_name(losses[k]),
                                         .parameters = {.tube = 0.1, .quantile = 0.3},
                                         .bias = -1,
                                         .intercept = k % 2 == 1};
        struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 1e-5};
        struct outcome exact, sampled, given;
        double w[7] = {0};
        run_with(&problem, "ipm", NULL, 1e-9, 1e4, w, NULL, &exact, NULL);
        memset(w, 0, sizeof w);
        run_with(&problem, "mcpa", single, 1e-3, 1e4, w, &history, &sampled, NULL);
        check_history(&problem, &history, &sampled, w, exact.bound, 1e-9);
        assert_int_equal(sampled.verdict, VERDICT_CONVERGED);
        assert_true(sampled.bound <= exact.objective * (1 + 1e-12));
        assert_true(exact.bound <= sampled.objective * (1 + 1e-12));
        memset(w, 0, sizeof w);
        w[0] = 1e-9;
        run_with(&problem, "mcpa", single, 1e-3, 1e4, w, NULL, &given, NULL);
        from_sample += sampled.passes;
        from_start += given.passes;
        risk_free((struct risk *)problem.risk);
    }
    assert_true(from_sample < 0.8 * from_start);
    dataset_free(&data);
}

/* ---- the rest */

static void weights_are_repetitions(void **state) {
    (void)state;
    static struct history history;
    struct fixture f;
    double w[MAX_DIMENSION] = {0};
    set_up(&f, "hinge", 1e-3, -1, true); /* rows of weight 0 to 4 */
    struct dataset data = {.rows = 0, .features = FEATURES};
    double target[4 * ROWS];
    data.start = calloc(4 * ROWS + 1, sizeof *data.start);
    data.column = malloc(sizeof *data.column * 4 * ROWS * FEATURES);
    data.value = malloc(sizeof *data.value * 4 * ROWS * FEATURES);
    for (int i = 0; i < ROWS; i++)
        for (int copy = 0; copy < f.weight[i]; copy++) {
            for (int64_t k = f.data.start[i]; k < f.data.start[i + 1]; k++) {
                data.column[data.nonzeros] = f.data.column[k];
                data.value[data.nonzeros++] = f.data.value[k];
            }
            target[data.rows++] = f.target[i];
            data.start[data.rows] = data.nonzeros;
        }
    struct scalar_settings scalar = f.scalar;
    scalar.data = &data;
    scalar.target = target;
    scalar.weight = NULL;
    struct risk *repeated = scalar_risk_new(&scalar, NULL);
    struct problem problem = f.problem;
    problem.risk = repeated;
    struct outcome o;
    for (int v = 2; v < VARIANTS; v++) {
        memset(w, 0, sizeof w);
        run_with(&f.problem, variants[v].solver, variants[v].words, 1e-6, 1e5, w, &history, &o,
                 NULL);
        double objective = o.objective;
        memset(w, 0, sizeof w);
        run_with(&problem, variants[v].solver, variants[v].words, 1e-6, 1e5, w, &history, &o, NULL);
        assert_near(o.objective, objective, 1.1e-6 * objective);
    }
    risk_free(repeated);
    dataset_free(&data);
    tear_down(&f);
}

/* A run that starts at its own solution ends after few iterations, and never above its start. */
static void a_warm_start_is_kept(void **state) {
    (void)state;
    static struct history history;
    for (int v = 0; v < VARIANTS; v++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up(&f, "hinge", 1e-2, 1, false);
        run_with(&f.problem, "ocas", NULL, 1e-6, 1e5, w, &history, &f.outcome, NULL);
        double objective = f.outcome.objective;
        run_with(&f.problem, variants[v].solver, variants[v].words, 1e-3, 1e5, w, &history,
                 &f.outcome, NULL);
        assert_true(f.outcome.objective <= objective * (1 + 1e-15));
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        tear_down(&f);
    }
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    struct dataset data = random_data(8000, 12, false, 4);
    for (int intercept = 0; intercept < 2; intercept++)
        for (int v = 0; v < VARIANTS - 1; v++) {
            if ((v + intercept) % PART(2, 3) != 0)
                continue;
            struct scalar_settings scalar = {.data = &data,
                                             .target = data.label,
                                             .loss = loss_by_name("hinge"),
                                             .bias = -1,
                                             .intercept = intercept};
            struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                                      .regularizer = regularizer_by_name("l2"),
                                      .lambda = 1e-4};
            double w[2][13];
            for (int threads = 1; threads <= 4; threads += PART(2, 3)) {
                struct outcome o;
                double *result = w[threads > 1];
                memset(result, 0, sizeof w[0]);
                omp_set_num_threads(threads);
                run_with(&problem, variants[v].solver, variants[v].words, 1e-3, 40, result, NULL,
                         &o, NULL);
                assert_memory_equal(w[threads > 1], w[0], sizeof w[0]);
            }
            risk_free((struct risk *)problem.risk);
        }
    dataset_free(&data);
}

static void the_edges_hold(void **state) {
    (void)state;
    for (int i = 0; i < EDGES; i++)
        for (int v = 0; v < VARIANTS && strcmp(edges[i].loss, "hinge") == 0; v++)
            check_edge(&edges[i], variants[v].solver, "l2", variants[v].words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_samples_reach_their_optima),
        cmocka_unit_test(iterations_are_the_papers),
        cmocka_unit_test(the_offset_is_optimal),
        cmocka_unit_test(the_offset_belongs_to_its_point),
        cmocka_unit_test(balanced_partitions_have_weight),
        cmocka_unit_test(one_class_with_an_offset_has_no_loss),
        cmocka_unit_test(a_sample_saves_passes),
        cmocka_unit_test(weights_are_repetitions),
        cmocka_unit_test(a_warm_start_is_kept),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(the_edges_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
