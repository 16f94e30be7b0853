/* test_boost.c - the risk of LPBoost by its definition, and its least value beside cvxopt's
 * (tests/references/boost_reference.py), by both forms and both memories, with bounds that hold at each report. */
#include "risk/boost.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/risk_checks.h"
#include "tests/size.h"

#include "tests/solvers/bundle/bundle_fixture.h"

enum { MAX_CASES = 64, MAX_COLUMNS = 32 };

static struct history history;

/* ---- data, as the reference makes them */

struct problem_data {
    int64_t m, n;
    double u[MAX_CASES][MAX_COLUMNS]; /* y_i x_ij */
    struct dataset data;
    struct risk *risk;
};

static uint64_t below(uint64_t *state, uint64_t count) {
    *state = *state * 16807 % 2147483647;
    return *state % count;
}

static void fill_edges(struct problem_data *p, uint64_t seed, double *label) {
    uint64_t state = seed;
    for (int i = 0; i < p->m; i++) {
        label[i] = below(&state, 2) ? 1 : -1;
        for (int j = 0; j < p->n; j++) {
            double value = ((double)below(&state, 17) - 8) / 8;
            if (seed % 2 == 1 && j % 4 == 3)
                value = p->u[i][j - 1] * label[i];
            p->u[i][j] = label[i] * value;
        }
        if (seed % 2 == 1 && i % 5 == 4)
            memcpy(p->u[i], p->u[i - 1], sizeof p->u[i]);
    }
}

static void open_problem(struct problem_data *p, uint64_t seed, int64_t m, int64_t n,
                         struct boost_parameters boost) {
    *p = (struct problem_data){.m = m, .n = n, .data = random_data(m, (int32_t)n, false, seed)};
    fill_edges(p, seed, p->data.label);
    for (int64_t i = 0; i < m; i++) {
        p->data.start[i + 1] = (i + 1) * n;
        for (int64_t j = 0; j < n; j++) {
            p->data.column[i * n + j] = (int32_t)j;
            p->data.value[i * n + j] = p->data.label[i] * p->u[i][j];
        }
    }
    p->data.nonzeros = m * n;
    p->risk = boost_risk_new(
        &(struct risk_settings){.scalar = {.data = &p->data, .target = p->data.label, .bias = -1},
                                .boost = boost},
        NULL);
    assert_non_null(p->risk);
    assert_true(p->risk->dimension == n && p->risk->regularized == n && p->risk->items == 0);
}

static void close_problem(struct problem_data *p) {
    risk_free(p->risk);
    dataset_free(&p->data);
}

/* Weights of either sign with ||w||_1 <= 1, or on the simplex. */
static void random_weights(struct random *random, int64_t n, bool simplex, double *w) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
        w[j] = random_unit(random) < 0.3 ? 0 : random_unit(random) - (simplex ? 0 : 0.5);
        sum += fabs(w[j]);
    }
    for (int j = 0; j < n; j++)
        w[j] /= sum > 0 ? sum : 1;
}

/* ---- the risk */

/* sum d (1 - z) - KL(d, q)/eta */
static double gain(const struct problem_data *p, const double *w, const double *d, double eta) {
    double sum = 0;
    for (int i = 0; i < p->m; i++) {
        double z = vector_dot(p->u[i], w, p->n);
        sum += d[i] * (1 - z) - (d[i] > 0 ? d[i] * log((double)p->m * d[i]) / eta : 0);
    }
    return sum;
}

/* d_i = min(1/nu, theta exp(-eta z_i)), theta by bisection */
static void bisect(const struct problem_data *p, const double *w, double nu, double eta,
                   double *d) {
    double low = -1000, high = 1000;
    for (int step = 0; step < 200; step++) {
        double theta = (low + high) / 2, sum = 0;
        for (int i = 0; i < p->m; i++) {
            d[i] = fmin(1 / nu, exp(theta - eta * vector_dot(p->u[i], w, p->n)));
            sum += d[i];
        }
        if (sum > 1)
            high = theta;
        else
            low = theta;
    }
}

/* In K: a mixture of distributions over ceil(nu) examples or more. */
static void random_distribution(struct random *random, int64_t m, double nu, double *d) {
    memset(d, 0, sizeof *d * MAX_CASES);
    for (int k = 0; k < 4; k++) {
        int64_t from = (int64_t)random_below(random, (uint64_t)m);
        int64_t count = (int64_t)ceil(nu);
        count += (int64_t)random_below(random, (uint64_t)(m - count + 1));
        for (int64_t i = 0; i < count; i++)
            d[(from + i) % m] += 0.25 / (double)count;
    }
}

static const struct boost_parameters settings[] = {{1, 1},    {1, 100}, {3, 10},
                                                   {7.5, 30}, {30, 5},  {0, 0}};

static void the_value_is_the_greatest_gain(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 3, 0);
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        struct problem_data p;
        struct boost_parameters chosen = boost_chosen(settings[s], 30);
        open_problem(&p, 5 + s, 30, 6, settings[s]);
        for (int trial = 0; trial < 30; trial++) {
            double w[MAX_COLUMNS], d[MAX_CASES];
            random_weights(&random, p.n, false, w);
            double value = risk_evaluate(p.risk, w, 0, NULL);
            bisect(&p, w, chosen.nu, chosen.eta, d);
            assert_near(value, gain(&p, w, d, chosen.eta), 1e-12);
            assert_true(value >= -1e-12);
            for (int k = 0; k < 50; k++) {
                random_distribution(&random, p.m, chosen.nu, d);
                assert_true(value >= gain(&p, w, d, chosen.eta) - 1e-12);
            }
        }
        close_problem(&p);
    }
}

static void the_gradient_is_that_of_the_value(void **state) {
    (void)state;
    static const double step = 1e-6;
    struct random random;
    random_seed(&random, 4, 0);
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        struct problem_data p;
        open_problem(&p, 9 + s, 30, 6, settings[s]);
        for (int trial = 0; trial < 20; trial++) {
            double w[MAX_COLUMNS], v[MAX_COLUMNS], g[MAX_COLUMNS];
            random_weights(&random, p.n, false, w);
            double value = risk_evaluate(p.risk, w, 0, g);
            assert_near(value, risk_evaluate(p.risk, w, 0, NULL), 0);
            for (int j = 0; j < p.n; j++) {
                double kept = w[j];
                w[j] = kept + step;
                double above = risk_evaluate(p.risk, w, 0, NULL);
                w[j] = kept - step;
                double under = risk_evaluate(p.risk, w, 0, NULL);
                w[j] = kept;
                assert_near((above - under) / (2 * step), g[j], 2e-4);
            }
            for (int k = 0; k < 20; k++) {
                double line = value;
                random_weights(&random, p.n, k % 2, v);
                for (int j = 0; j < p.n; j++)
                    line += g[j] * (v[j] - w[j]);
                assert_true(risk_evaluate(p.risk, v, 0, NULL) >= line - 1e-12);
            }
        }
        close_problem(&p);
    }
}

static void what_holds_for_every_risk(void **state) {
    (void)state;
    struct problem_data p;
    open_problem(&p, 8, 30, 6, settings[1]);
    check_risk(p.risk, 3, 0, 21);
    close_problem(&p);
}

/* With the identity for data the gradient is -y d. */
static void distributions_are_capped(void **state) {
    (void)state;
    enum { M = 12 };
    static const double nus[] = {1, 2.5, 6, M};
    for (size_t s = 0; s < sizeof nus / sizeof *nus; s++) {
        struct problem_data p;
        double w[MAX_COLUMNS], g[MAX_COLUMNS], sum = 0, largest = 0;
        open_problem(&p, 3, M, M, (struct boost_parameters){nus[s], 40});
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < M; j++)
                p.data.value[i * M + j] = i == j;
            w[i] = p.data.label[i] * (i - 4) / 50.;
        }
        risk_evaluate(p.risk, w, 0, g);
        for (int i = 0; i < M; i++) {
            double d = -p.data.label[i] * g[i];
            assert_true(d >= 0 && d <= 1 / nus[s] * (1 + 1e-15));
            assert_true(i == 0 || d <= largest); /* falls as the margin grows */
            largest = d;
            sum += d;
        }
        assert_near(sum, 1, 1e-14);
        close_problem(&p);
    }
}

static void defaults_and_refusals(void **state) {
    (void)state;
    struct boost_parameters chosen = boost_chosen((struct boost_parameters){0, 0}, 1000);
    assert_true(chosen.nu == 100);
    assert_near(chosen.eta, 100 * log(10), 1e-10);
    chosen = boost_chosen((struct boost_parameters){0, 0}, 5);
    assert_true(chosen.nu == 1);
    assert_true(boost_chosen((struct boost_parameters){0, 0}, 19).nu == 1);
    assert_true(boost_chosen((struct boost_parameters){0, 0}, 1009).nu == 100);
    assert_true(boost_chosen((struct boost_parameters){5, 0}, 5).eta == 1);
    chosen = boost_chosen((struct boost_parameters){2, 3}, 5);
    assert_true(chosen.nu == 2 && chosen.eta == 3);
    struct problem_data p;
    struct error e = {0};
    double weight[] = {1, 1, 2, 1};
    open_problem(&p, 2, 4, 2, (struct boost_parameters){4, 1});
    struct risk_settings s = {.scalar = {.data = &p.data, .target = p.data.label, .bias = -1},
                              .boost = {4.5, 1}};
    assert_null(boost_risk_new(&s, &e));
    assert_string_equal(e.words, "--nu 4.5: out of range: there are 4 examples");
    s.boost.nu = 2;
    s.scalar.weight = weight;
    e = (struct error){0};
    assert_null(boost_risk_new(&s, &e));
    weight[2] = 1;
    struct risk *risk = boost_risk_new(&s, NULL);
    assert_non_null(boost_terms(risk));
    risk_free(risk);
    assert_null(boost_terms(&(struct risk){.kind = NULL}));
    p.data.value[5] = -1.25;
    e = (struct error){0};
    assert_int_equal(boost_check_data(&p.data, "file", false, &e), -1);
    assert_string_equal(e.words,
                        "example 3: feature 2 is -1.25; -L boost needs features in [-1, 1]");
    close_problem(&p);
}

static void the_table_has_all_risks(void **state) {
    (void)state;
    int count, losses;
    const struct risk_row *table = risk_table(&count);
    const struct loss *loss = loss_table(&losses);
    assert_true(count > losses);
    for (int i = losses; i < count; i++) {
        assert_ptr_equal(risk_row_by_name(table[i].name), &table[i]);
        assert_true((table[i].scalar == NULL) == (table[i].learned == LEARNS_NOTHING));
        assert_non_null(table[i].make);
        assert_non_null(regularizer_by_name(table[i].regularizer));
    }
    for (int i = 0; i < losses; i++) {
        assert_ptr_equal(table[i].scalar, &loss[i]);
        assert_ptr_equal(risk_row_by_name(loss[i].name), &table[i]);
        assert_true(table[i].task == loss[i].task && table[i].make != NULL);
        assert_string_equal(table[i].regularizer, "l2");
    }
    assert_null(risk_row_by_name("boost")->scalar);
    assert_null(risk_row_by_name("boos"));
}

/* ---- solutions */

static const char *const forms[][2] = {{"form=primal", NULL}, {"form=dual", NULL}};
static const char *const memories[] = {"agm", "agm1"};

struct row {
    uint64_t seed;
    int64_t m, n;
    struct boost_parameters boost;
    int sign; /* learners of either */
    double lower, upper;
};

static void check_row(const struct row *row, const char *solver, const char *const *words) {
    static const double epsilon = 1e-5;
    struct problem_data p;
    struct outcome o;
    double w[MAX_COLUMNS] = {0}, slack = 1e-7;
    open_problem(&p, row->seed, row->m, row->n, row->boost);
    struct problem problem = {.risk = p.risk,
                              .regularizer = regularizer_by_name(row->sign ? "l1-ball" : "simplex"),
                              .parameters = {.ball = 1},
                              .lambda = 1};
    assert_int_equal(run_with(&problem, solver, words, epsilon, 60000, w, &history, &o, NULL), 0);
    check_history(&problem, &history, &o, w, (row->lower + row->upper) / 2,
                  (row->upper - row->lower) / 2 + slack);
    if (o.objective - o.bound > epsilon * o.objective)
        print_error("%s %s, seed %d: J %g, bound %g after %g passes\n", solver, *words,
                    (int)row->seed, o.objective, o.bound, o.passes);
    assert_true(o.objective - o.bound <= epsilon * o.objective);
    assert_near(o.objective, row->upper, 1e-5 * (1 + row->upper));
    close_problem(&p);
}

static void least_risks_are_those_of_cvxopt(void **state) {
    (void)state;
    FILE *file = fopen("tests/references/boost_reference.tsv", "r");
    char line[256];
    int count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        struct row row;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%lu %ld %ld %lf %lf %d %lf %lf", &row.seed, &row.m, &row.n,
                                &row.boost.nu, &row.boost.eta, &row.sign, &row.lower, &row.upper),
                         8);
        for (int k = 0; k < 4; k++)
            if ((k + count) % PART(1, 4) == 0)
                check_row(&row, memories[k / 2], forms[k % 2]);
        count++;
    }
    fclose(file);
    assert_true(count >= 12);
}

/* The entropy needs no smoothing in either form; bundle knows it, too. */
static void the_entropy_agrees_with_bundle(void **state) {
    (void)state;
    static const double lambdas[] = {1, 0.1, 0.01};
    for (int l = 0; l < 12; l++) {
        struct problem_data p;
        struct outcome o, other;
        double w[MAX_COLUMNS] = {0}, v[MAX_COLUMNS] = {0};
        open_problem(&p, 6, 30, 8, (struct boost_parameters){5, 20});
        struct problem problem = {.risk = p.risk,
                                  .regularizer = regularizer_by_name("entropy"),
                                  .lambda = lambdas[l / 4]};
        run_with(&problem, "bundle", NULL, 1e-7, 5000, w, NULL, &other, NULL);
        run_with(&problem, memories[l % 2], forms[l / 2 % 2], 1e-6, 20000, v, &history, &o, NULL);
        assert_true(other.verdict == VERDICT_CONVERGED && o.verdict == VERDICT_CONVERGED);
        assert_near(o.objective, other.objective, 2e-6);
        check_history(&problem, &history, &o, v, (other.objective + other.bound) / 2,
                      (other.objective - other.bound) / 2 + 1e-12);
        close_problem(&p);
    }
}

static const char *const small_words[][3] = {
    {"form=primal", NULL}, {"form=dual", NULL}, {"form=primal", "lipschitz=fixed", NULL}};

/* J is within `slack` of `smallest`, the run converged, and no bound exceeds the J of any report. */
static void check_least(const struct problem *problem, const struct outcome *o, const double *w,
                        double smallest, double slack) {
    double objective = problem_objective(problem, w);
    assert_true(o->verdict == VERDICT_CONVERGED);
    assert_near(objective, smallest, slack);
    assert_near(o->objective, objective, 1e-14);
    assert_true(o->bound <= smallest + slack && history.count > 0);
    for (int k = 0; k < history.count; k++)
        assert_true(history.bound[k] <= history.objective[k]);
}

/* Where the entropy costs 1/eta, d is uniform, and J the mean of 1 - z: its least value is that of the
 * feature of the greatest mean edge, up to eta. */
static void small_eta_is_the_mean_edge(void **state) {
    (void)state;
    static const double etas[] = {1e-6, 1e-8, 1e-10, 1e-12};
    for (int k = 0; k < 24; k++) {
        struct problem_data p;
        struct outcome o;
        double w[MAX_COLUMNS] = {0}, best = -1, eta = etas[k / 6];
        open_problem(&p, 6, 30, 6, (struct boost_parameters){5, eta});
        for (int j = 0; j < p.n; j++) {
            double edge = 0;
            for (int i = 0; i < p.m; i++)
                edge += p.u[i][j] / (double)p.m;
            best = fmax(best, edge);
        }
        struct problem problem = {
            .risk = p.risk, .regularizer = regularizer_by_name("simplex"), .lambda = 1};
        run_with(&problem, memories[k % 2], small_words[k / 2 % 3], 1e-9, 20000, w, &history, &o,
                 NULL);
        if (o.verdict != VERDICT_CONVERGED)
            print_error("eta %g %s %s: J %g, bound %g\n", eta, memories[k % 2],
                        small_words[k / 2 % 3][0], o.objective, o.bound);
        check_least(&problem, &o, w, 1 - best, eta + 2e-9);
        close_problem(&p);
    }
}

/* Where Omega costs lambda, the weights are uniform. */
static void large_lambda_is_the_uniform_model(void **state) {
    (void)state;
    static const double lambdas[] = {1e8, 1e10, 1e12};
    for (int k = 0; k < 15; k++) {
        struct problem_data p;
        struct outcome o;
        double w[MAX_COLUMNS] = {0}, uniform[MAX_COLUMNS];
        bool bundle = k % 5 == 4;
        open_problem(&p, 6, 30, 6, (struct boost_parameters){5, 20});
        for (int j = 0; j < p.n; j++)
            uniform[j] = 1 / (double)p.n;
        struct problem problem = {.risk = p.risk,
                                  .regularizer = regularizer_by_name("entropy"),
                                  .lambda = lambdas[k / 5]};
        double smallest = problem_objective(&problem, uniform);
        run_with(&problem, bundle ? "bundle" : memories[k % 5 % 2],
                 bundle ? NULL : small_words[k % 5 / 2], 1e-9, 20000, w, &history, &o, NULL);
        if (o.verdict != VERDICT_CONVERGED)
            print_error("lambda %g, %d: J %g, bound %g\n", problem.lambda, k % 5, o.objective,
                        o.bound);
        check_least(&problem, &o, w, smallest, 1 / problem.lambda + 2e-9);
        close_problem(&p);
    }
}

/* Values near the uniform distribution, to their own digits. */
static void the_entropy_keeps_its_digits(void **state) {
    (void)state;
    const struct regularizer *entropy = regularizer_by_name("entropy");
    for (double step = 0.1; step > 1e-14; step /= 10) {
        double w[] = {0.25 * (1 + step), 0.25 * (1 - step), 0.25, 0.25};
        double exact = step * step / 4 * (1 + step * step / 6), slack = 1e-16 * step;
        assert_near(entropy->value(w, 4, NULL), exact, slack + pow(step, 6));
        double s[] = {step, -step, 0, 0}, lambda = 2;
        double x = step / lambda, mean = x * x / 4 + pow(x, 4) / 48;
        assert_near(entropy->conjugate(s, 4, lambda, NULL), lambda * (mean - mean * mean / 2),
                    1e-15 * step + pow(step, 6));
    }
    double vertex[] = {1, 0, 0, 0}, off[] = {0.5, 0.4, 0, 0}, under[] = {1.5, -0.5, 0, 0};
    assert_near(entropy->value(vertex, 4, NULL), log(4), 1e-15);
    assert_true(isinf(entropy->value(off, 4, NULL)) && isinf(entropy->value(under, 4, NULL)));
}

static void smoothing_may_stay_fixed(void **state) {
    (void)state;
    static const char *const words[] = {"smoothing=fixed", "mu=0.001", NULL};
    static const char *const fixed[] = {"lipschitz=fixed", NULL};
    struct problem_data p;
    struct outcome o;
    open_problem(&p, 6, 20, 5, (struct boost_parameters){4, 100});
    struct problem problem = {
        .risk = p.risk, .regularizer = regularizer_by_name("simplex"), .lambda = 1};
    for (int k = 0; k < 4; k++) {
        double w[MAX_COLUMNS] = {0};
        run_with(&problem, memories[k / 2], k % 2 ? fixed : words, 2e-3, 20000, w, &history, &o,
                 NULL);
        assert_true(o.verdict == VERDICT_CONVERGED);
        check_history(&problem, &history, &o, w, (o.objective + o.bound) / 2,
                      (o.objective - o.bound) / 2 + 1e-12);
    }
    close_problem(&p);
}

/* A ball of size 1/2 is that of size 1 for features halved. */
static void a_small_ball_is_one_of_halved_features(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        struct problem_data p;
        struct outcome o[2];
        double w[2][MAX_COLUMNS] = {{0}};
        open_problem(&p, 10, 30, 6, (struct boost_parameters){4, 20});
        for (int half = 0; half < 2; half++) {
            struct problem problem = {.risk = p.risk,
                                      .regularizer = regularizer_by_name("l1-ball"),
                                      .parameters = {.ball = half ? 1 : 0.5},
                                      .lambda = 1};
            for (int64_t i = 0; half && i < p.data.nonzeros; i++)
                p.data.value[i] /= 2;
            run_with(&problem, memories[k % 2], small_words[k / 2 % 3], 1e-4, 20000, w[half],
                     &history, &o[half], NULL);
            assert_true(o[half].verdict == VERDICT_CONVERGED);
            check_history(&problem, &history, &o[half], w[half],
                          (o[half].objective + o[half].bound) / 2,
                          (o[half].objective - o[half].bound) / 2 + 1e-12);
        }
        assert_near(o[0].objective, o[1].objective, 1.1e-4 * o[0].objective);
        assert_true(o[0].bound <= o[1].objective && o[1].bound <= o[0].objective);
        close_problem(&p);
    }
}

/* Half the radius, twice eta and half of mu scale the objective and L by 1/2: the same d at each step, weights of
 * half the size. */
static void units_of_a_ball_and_of_eta_go_together(void **state) {
    (void)state;
    static const char *const words[][4] = {{"smoothing=fixed", "mu=0.002", "lipschitz=fixed"},
                                           {"smoothing=fixed", "mu=0.001", "lipschitz=fixed"}};
    for (int k = 0; k < 2; k++) {
        double w[2][MAX_COLUMNS] = {{0}}, value[2];
        for (int half = 0; half < 2; half++) {
            struct problem_data p;
            struct outcome o;
            open_problem(&p, 10, 30, 6, (struct boost_parameters){4, half ? 40 : 20});
            struct problem problem = {.risk = p.risk,
                                      .regularizer = regularizer_by_name("l1-ball"),
                                      .parameters = {.ball = half ? 0.5 : 1},
                                      .lambda = 1};
            run_with(&problem, memories[k], words[half], 0, 40, w[half], NULL, &o, NULL);
            value[half] = 1 - o.objective;
            close_problem(&p);
        }
        assert_true(vector_largest(w[0], MAX_COLUMNS) > 0.01);
        for (int j = 0; j < MAX_COLUMNS; j++)
            assert_near(2 * w[1][j], w[0][j], 1e-12);
        assert_near(2 * value[1], value[0], 1e-12);
    }
}

static void a_start_is_used(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct problem_data p;
        struct outcome cold, warm;
        double w[MAX_COLUMNS] = {0};
        open_problem(&p, 8, 30, 8, (struct boost_parameters){15, 10});
        struct problem problem = {
            .risk = p.risk, .regularizer = regularizer_by_name("simplex"), .lambda = 1};
        run_with(&problem, memories[k / 2], forms[k % 2], 1e-4, 20000, w, NULL, &cold, NULL);
        run_with(&problem, memories[k / 2], forms[k % 2], 1e-4, 20000, w, &history, &warm, NULL);
        assert_true(cold.verdict == VERDICT_CONVERGED && warm.verdict == VERDICT_CONVERGED);
        assert_true(warm.passes <= cold.passes);
        close_problem(&p);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    enum { TALL = 6000, WIDE = 30 };
    struct dataset data = random_data(TALL, WIDE, false, 5);
    struct risk *risk = boost_risk_new(
        &(struct risk_settings){.scalar = {.data = &data, .target = data.label, .bias = -1}}, NULL);
    for (int k = 0; k < 4; k++) {
        struct problem problem = {.risk = risk,
                                  .regularizer = regularizer_by_name(k / 2 ? "l1-ball" : "simplex"),
                                  .parameters = {.ball = 1},
                                  .lambda = 1};
        double w[4][WIDE] = {0};
        struct outcome o;
        for (int threads = 1; threads <= 4; threads += PART(1, 3)) {
            omp_set_num_threads(threads);
            run_with(&problem, "agm", forms[k % 2], 1e-6, 40, w[threads - 1], NULL, &o, NULL);
            assert_memory_equal(w[0], w[threads - 1], sizeof w[0]);
        }
    }
    risk_free(risk);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_is_the_greatest_gain),
        cmocka_unit_test(the_gradient_is_that_of_the_value),
        cmocka_unit_test(what_holds_for_every_risk),
        cmocka_unit_test(distributions_are_capped),
        cmocka_unit_test(defaults_and_refusals),
        cmocka_unit_test(the_table_has_all_risks),
        cmocka_unit_test(least_risks_are_those_of_cvxopt),
        cmocka_unit_test(the_entropy_agrees_with_bundle),
        cmocka_unit_test(small_eta_is_the_mean_edge),
        cmocka_unit_test(large_lambda_is_the_uniform_model),
        cmocka_unit_test(the_entropy_keeps_its_digits),
        cmocka_unit_test(smoothing_may_stay_fixed),
        cmocka_unit_test(a_small_ball_is_one_of_halved_features),
        cmocka_unit_test(units_of_a_ball_and_of_eta_go_together),
        cmocka_unit_test(a_start_is_used),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
