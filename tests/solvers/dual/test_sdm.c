/* test_sdm.c - sdm: random problems against certified optima of another solver, both methods, rows stored either way,
 * starts, weights, threads, limits, memory, and problems at the edges. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"

#include "risk/multiclass.h"
#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history;

static const char *const automatic[] = {NULL};
static const char *const ascent[] = {"method=ascent", NULL};
static const char *const newton[] = {"method=newton", NULL};
static const char *const *const methods[] = {automatic, ascent, newton};
enum { METHODS = sizeof methods / sizeof *methods };

enum { WEIGHTS_MOST = 1200 };

struct sample {
    struct dataset data;
    double *weight;
    struct problem problem;
};

static double unit(struct random *random) {
    return random_unit(random);
}

/* Classes by the largest of noisy linear scores. */
static void choose_classes(struct dataset *data, int64_t classes, double noise,
                           struct random *random) {
    double rule[16 * 64];
    for (int k = 0; k < 16 * 64; k++)
        rule[k] = 2 * unit(random) - 1;
    for (int64_t i = 0; i < data->rows; i++) {
        double top = -INFINITY;
        for (int64_t k = 0; k < classes; k++) {
            double score = noise * unit(random);
            for (int64_t j = data->start[i]; j < data->start[i + 1]; j++)
                score += rule[k * 64 + data->column[j]] * (data->value ? data->value[j] : 1);
            if (score > top) {
                top = score;
                data->label[i] = (double)k;
            }
        }
    }
}

static void open_sample(struct sample *s, int64_t rows, int32_t features, int64_t classes,
                        uint64_t seed) {
    struct random random;
    random_seed(&random, seed, 11);
    double lambda = pow(10, -1 - 5 * unit(&random)), bias = seed % 3 == 0 ? 2 * unit(&random) : -1;
    *s = (struct sample){.data = random_data(rows, features, seed % 4 == 0, seed)};
    choose_classes(&s->data, classes, seed % 2 ? 0.1 : 2, &random);
    s->weight = malloc(sizeof *s->weight * (size_t)rows);
    for (int64_t i = 0; i < rows; i++)
        s->weight[i] = unit(&random) < 0.1 ? 0 : 3 * unit(&random);
    struct risk_settings settings = {.scalar = {.data = &s->data,
                                                .target = s->data.label,
                                                .weight = seed % 5 == 0 ? s->weight : NULL,
                                                .bias = bias},
                                     .labels = classes};
    s->problem = (struct problem){.risk = crammer_singer_risk_new(&settings, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = lambda};
    assert_non_null(s->problem.risk);
    assert_true(s->problem.risk->dimension <= WEIGHTS_MOST);
}

static void close_sample(struct sample *s) {
    risk_free((struct risk *)s->problem.risk);
    dataset_free(&s->data);
    free(s->weight);
}

/* The optimum of another solver, certified to `slack`. */
static double optimum_of(const struct problem *problem, double *slack) {
    double w[WEIGHTS_MOST] = {0};
    struct outcome o;
    assert_int_equal(run_with(problem, "proximal-bundle", automatic, 1e-8, 4000, w, NULL, &o, NULL),
                     0);
    *slack = o.objective - o.bound + 1e-13;
    if (*slack > 1e-5 * o.objective)
        print_error("lambda %g: %g +- %g\n", problem->lambda, o.objective, *slack);
    assert_true(*slack <= 1e-5 * o.objective);
    return o.objective;
}

/* As check_history, of objectives that are sums of numbers near 1: whose rounding is that of 1. */
static void check_run(const struct problem *problem, const struct outcome *o, const double *w,
                      double optimum, double slack) {
    static const double rounding = 1e-14;
    assert_true(history.count > 0);
    for (int i = 0; i < history.count; i++) {
        assert_true(history.bound[i] <= optimum + slack);
        assert_true(history.objective[i] >= optimum - slack);
        assert_true(i == 0 || history.bound[i] >= history.bound[i - 1] - rounding);
        assert_true(i == 0 || history.objective[i] <= history.objective[i - 1] + rounding);
        assert_true(i == 0 || history.passes[i] >= history.passes[i - 1]);
    }
    assert_near(o->objective, problem_objective(problem, w), rounding);
    assert_near(o->objective, history.objective[history.count - 1], rounding);
    assert_near(o->bound, history.bound[history.count - 1], rounding);
}

static void check_problem(const struct problem *problem, uint64_t seed, double epsilon) {
    double slack, optimum = optimum_of(problem, &slack);
    for (int a = 0; a < METHODS; a++) {
        double w[WEIGHTS_MOST] = {0};
        struct outcome o;
        assert_int_equal(run_with(problem, "sdm", methods[a], epsilon, 1e5, w, &history, &o, NULL),
                         0);
        if (o.verdict != VERDICT_CONVERGED || o.bound > optimum + slack ||
            o.objective < optimum - slack)
            print_error("seed %d, lambda %g, method %d: %.17g to %.17g, optimum %.17g +- %g\n",
                        (int)seed, problem->lambda, a, o.bound, o.objective, optimum, slack);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        check_run(problem, &o, w, optimum, slack);
    }
}

static void random_problems_are_solved(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= PART(60, 30); seed++) {
        struct sample s;
        open_sample(&s, 5 + (int64_t)(seed % 37), 1 + (int32_t)(seed % 7), 2 + (int64_t)(seed % 5),
                    seed);
        check_problem(&s.problem, seed, seed % 2 ? 1e-6 : 1e-9);
        close_sample(&s);
    }
}

/* Wide rows with few of many features keep their weights feature by feature, dense ones class by class. */
static void sparse_rows_are_solved(void **state) {
    (void)state;
    for (uint64_t seed = PART(1, 3); seed <= 3; seed++) {
        struct sample s;
        open_sample(&s, 40, 60, 2 + (int64_t)(seed % 8), seed);
        for (int64_t i = 0, to = 0; i < s.data.rows; i++) {
            int64_t from = s.data.start[i], end = s.data.start[i + 1];
            s.data.start[i] = to;
            for (int64_t j = from; j < end; j++)
                if ((j + (int64_t)seed) % 5 == 0) {
                    s.data.column[to] = s.data.column[j];
                    if (s.data.value != NULL)
                        s.data.value[to] = s.data.value[j];
                    to++;
                }
            if (i == s.data.rows - 1)
                s.data.start[i + 1] = s.data.nonzeros = to;
        }
        assert_true(s.data.nonzeros * 5 < s.data.rows * s.data.features);
        check_problem(&s.problem, seed, 1e-7);
        close_sample(&s);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    for (int a = PART(0, 1); a < METHODS; a++) {
        struct sample s;
        open_sample(&s, 3000, 12, 7, 7);
        check_threads(&s.problem, "sdm", methods[a], 60);
        close_sample(&s);
    }
}

/* From its own optimum a run ends soon, and nowhere worse. */
static void a_start_is_used(void **state) {
    (void)state;
    for (uint64_t seed = 20; seed < 40; seed += PART(3, 7))
        for (int a = 0; a < METHODS; a++) {
            struct sample s;
            struct outcome cold, warm;
            double w[WEIGHTS_MOST] = {0};
            open_sample(&s, 300, 6, 4, seed);
            assert_int_equal(
                run_with(&s.problem, "sdm", methods[a], 1e-6, 1e5, w, NULL, &cold, NULL), 0);
            assert_int_equal(
                run_with(&s.problem, "sdm", methods[a], 1e-4, 1e5, w, &history, &warm, NULL), 0);
            assert_true(history.objective[0] <= cold.objective * (1 + 1e-14));
            assert_true(warm.objective <= cold.objective * (1 + 1e-14));
            assert_int_equal(warm.verdict, VERDICT_CONVERGED);
            check_run(&s.problem, &warm, w, cold.objective, cold.objective - cold.bound + 1e-13);
            close_sample(&s);
        }
}

/* A row of weight 2 is two rows, and one of weight 0 none. */
static void weights_are_repetitions(void **state) {
    (void)state;
    static const double weight[] = {2, 1, 0, 1, 2};
    static double classes[] = {0, 1, 2, 2, 1}, again[] = {0, 0, 1, 2, 1, 1};
    static int64_t start[] = {0, 2, 4, 6, 8, 10}, starts[] = {0, 2, 4, 6, 8, 10, 12};
    static int32_t column[] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    static double value[] = {1, 2, -1, .5, 9, 9, .3, -1, -1, -2};
    static double values[] = {1, 2, 1, 2, -1, .5, .3, -1, -1, -2, -1, -2};
    struct dataset one = {.rows = 5,
                          .nonzeros = 10,
                          .features = 2,
                          .start = start,
                          .column = column,
                          .value = value,
                          .label = classes};
    struct dataset two = {.rows = 6,
                          .nonzeros = 12,
                          .features = 2,
                          .start = starts,
                          .column = column,
                          .value = values,
                          .label = again};
    for (int a = 0; a < METHODS; a++) {
        struct risk_settings weighted = {
            .scalar = {.data = &one, .target = classes, .weight = weight, .bias = 1}, .labels = 3};
        struct risk_settings plain = {.scalar = {.data = &two, .target = again, .bias = 1},
                                      .labels = 3};
        struct problem p = {.risk = crammer_singer_risk_new(&weighted, NULL),
                            .regularizer = regularizer_by_name("l2"),
                            .lambda = 0.01};
        struct problem q = p;
        struct outcome o, r;
        double w[9] = {0}, v[9] = {0};
        q.risk = crammer_singer_risk_new(&plain, NULL);
        assert_int_equal(run_with(&p, "sdm", methods[a], 1e-10, 1e5, w, NULL, &o, NULL), 0);
        assert_int_equal(run_with(&q, "sdm", methods[a], 1e-10, 1e5, v, NULL, &r, NULL), 0);
        assert_near(o.objective, r.objective, 2e-10);
        for (int j = 0; j < 9; j++)
            assert_near(w[j], v[j], 1e-3);
        risk_free((struct risk *)p.risk);
        risk_free((struct risk *)q.risk);
    }
}

/* Where coordinate ascent takes thousands of passes, Newton's method soon takes over. */
static void a_slow_ascent_is_left_soon(void **state) {
    (void)state;
    double passes[2];
    for (int a = 0; a < 2; a++) {
        struct sample s;
        struct outcome o;
        double w[WEIGHTS_MOST] = {0};
        open_sample(&s, 800, 40, 4, 6);
        s.problem.lambda = 1e-7;
        assert_int_equal(run_with(&s.problem, "sdm", a == 0 ? automatic : newton, 1e-3, 1e5, w,
                                  &history, &o, NULL),
                         0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        passes[a] = o.passes;
        close_sample(&s);
    }
    assert_true(passes[0] <= 1.5 * passes[1]);
}

/* Where classes are nearly separable, J of longer weights closes the gap before that of W does, which took 217
 * passes. */
static void longer_weights_close_the_gap(void **state) {
    (void)state;
    struct sample s;
    struct outcome o;
    double w[WEIGHTS_MOST] = {0};
    open_sample(&s, 400, 40, 3, 1);
    s.problem.lambda = 1e-6;
    assert_int_equal(run_with(&s.problem, "sdm", ascent, 1e-3, 1e5, w, NULL, &o, NULL), 0);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
    assert_near(o.objective, problem_objective(&s.problem, w), 1e-14);
    assert_true(o.passes <= 170);
    close_sample(&s);
}

static void limits_end_a_run(void **state) {
    (void)state;
    static const double passes[] = {1, 3, 4.5, 7, 10, 23.5};
    for (int a = 0; a < METHODS; a++)
        for (size_t b = 0; b < sizeof passes / sizeof *passes; b++) {
            struct sample s;
            struct outcome o;
            double w[WEIGHTS_MOST] = {0};
            open_sample(&s, 2000, 7, 6, 6);
            s.problem.lambda = 1e-6;
            assert_int_equal(
                run_with(&s.problem, "sdm", methods[a], 1e-12, passes[b], w, &history, &o, NULL),
                0);
            assert_int_equal(o.verdict, VERDICT_PASSES);
            assert_true(o.passes <= passes[b]);
            assert_true(isfinite(o.objective) && o.bound <= o.objective && o.bound >= 0);
            assert_near(o.objective, problem_objective(&s.problem, w), 1e-12 * o.objective);
            close_sample(&s);
        }
}

/* At a large lambda each row has all of C_i at one class that is not its own. W of the dual variables has its products
 * with such rows, too: the limit holds wherever it comes. */
static void a_limit_counts_rows_with_one_wrong_class(void **state) {
    (void)state;
    enum { FEW_ROWS = 30, MOST = 12 };
    struct sample s;
    open_sample(&s, FEW_ROWS, 3, 3, 6);
    for (int64_t i = 0; i < FEW_ROWS; i++)
        s.data.label[i] = i % 10 < 6 ? 0 : (double)(1 + i % 2);
    s.problem.lambda = 100;
    for (double passes = 1; passes < MOST; passes += 0.125) {
        struct outcome o;
        double w[WEIGHTS_MOST] = {0};
        assert_int_equal(run_with(&s.problem, "sdm", ascent, 1e-3, passes, w, &history, &o, NULL),
                         0);
        assert_true(o.passes <= passes);
        assert_true(o.verdict == VERDICT_PASSES || o.verdict == VERDICT_CONVERGED);
    }
    close_sample(&s);
}

struct interrupter {
    int asked, from;
};

static bool interrupts(void *context) {
    struct interrupter *interrupter = context;
    return ++interrupter->asked > interrupter->from;
}

/* Wherever it comes, what is returned has its J and a bound. */
static void an_interruption_keeps_what_there_is(void **state) {
    (void)state;
    for (int a = 0; a < METHODS; a++)
        for (int from = 1; from < 2000; from += PART(from / 2, 2 * from) + 1) {
            struct sample s;
            struct outcome o;
            struct error e = {0};
            double w[WEIGHTS_MOST] = {0};
            struct interrupter interrupter = {0, from};
            struct monitor_settings settings = {
                .epsilon = 1e-9,
                .passes = 1e5,
                .time_limit = INFINITY,
                .observer = {.context = &interrupter, .interrupted = interrupts}};
            const struct solver *solver = solver_by_name("sdm");
            void *options = solver_options_parse(solver, methods[a]);
            struct run_settings run = {.passes = 1e5};
            struct monitor monitor;
            open_sample(&s, 1500, 7, 5, 8);
            monitor_init(&monitor, &settings);
            monitor_begin(&monitor, NULL);
            int status =
                solver->train(&(struct solve){&s.problem, &run, options, &monitor, w, &o}, &e);
            monitor_end(&monitor);
            assert_int_equal(status, 0);
            assert_true(o.verdict == VERDICT_INTERRUPTED || o.verdict == VERDICT_CONVERGED);
            assert_near(o.objective, problem_objective(&s.problem, w), 1e-12 * o.objective);
            assert_true(o.bound <= o.objective && o.bound >= 0);
            free(options);
            close_sample(&s);
        }
}

static void too_little_memory_is_an_error(void **state) {
    (void)state;
    static const char *const words[][3] = {{"method=ascent", "memory=0.01", NULL},
                                           {"method=newton", "memory=0.4", NULL}};
    static const char *const remedy[] = {"; use -s proximal", "; use --method ascent, or -s"};
    for (int a = 0; a < 2; a++) {
        struct sample s;
        struct outcome o;
        struct error e = {0};
        double w[WEIGHTS_MOST] = {0};
        open_sample(&s, 2000, 7, 5, 8);
        assert_int_equal(run_with(&s.problem, "sdm", words[a], 1e-3, 100, w, NULL, &o, &e), -1);
        assert_non_null(strstr(e.words, "more than --memory"));
        assert_non_null(strstr(e.words, remedy[a]));
        close_sample(&s);
    }
}

/* Rounding ends a run that no tolerance does. */
static void rounding_ends_a_run(void **state) {
    (void)state;
    for (int a = 0; a < METHODS; a++) {
        struct sample s;
        struct outcome o;
        double w[WEIGHTS_MOST] = {0};
        open_sample(&s, 40, 3, 3, 14);
        assert_int_equal(run_with(&s.problem, "sdm", methods[a], 0, 1e6, w, &history, &o, NULL), 0);
        assert_true(o.verdict == VERDICT_STALLED || o.verdict == VERDICT_CONVERGED);
        assert_true(o.objective - o.bound <= 1e-11 * o.objective);
        close_sample(&s);
    }
}

/* Of large feature values the optimal dual variables are far smaller than C_i: 1e-14 of it and less here. */
static void large_features_are_solved(void **state) {
    (void)state;
    for (double lambda = 1e-2; lambda > 1e-6; lambda /= 10) {
        struct sample s;
        struct outcome o;
        double w[WEIGHTS_MOST] = {0};
        open_sample(&s, 8, 64, 4, 6);
        s.problem.lambda = lambda;
        for (int64_t k = 0; k < s.data.nonzeros; k++)
            s.data.value[k] *= 1e6;
        assert_int_equal(run_with(&s.problem, "sdm", ascent, 1e-3, 1e4, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        close_sample(&s);
    }
}

/* ---- problems at the edges */

struct class_edge {
    const char *name, *text;
    int64_t classes;
    double lambda;
    const double *weight;
    bool solved; /* to the tolerance, by all methods */
};

/* Rows of five classes that are nearly equal, where a direction leads far beyond a kink. */
static const char equal_rows[] = "0 1:10\n1 1:10\n2 1:10\n3 1:10\n4 1:10\n3 1:10\n"
                                 "2 1:10\n2 1:10\n1 1:10\n2 1:10\n0 1:10\n2 1:10\n"
                                 "4 1:10\n4 1:10\n2 1:10 2:1\n0 1:10\n2 1:10\n0 1:10\n"
                                 "2 1:10\n1 1:10\n3 1:10\n4 1:10\n4 1:10\n0 1:10\n"
                                 "3 1:10\n0 1:10\n2 1:10\n2 1:10\n0 1:10\n4 1:10\n";

static const struct class_edge class_edges[] = {
    {"one class of three occurs", "1 1:1\n1 1:0.5 2:1\n1 2:3\n", 3, 1e-3, NULL, false},
    {"one row", "2 1:1 3:2\n", 4, 1e-2, NULL, false},
    {"empty rows", "1\n0\n1 1:1\n2 1:-2\n2\n", 3, 1e-3, NULL, false},
    {"empty rows alone", "1\n0\n2\n", 3, 1e-3, NULL, true},
    {"rows nearly equal", equal_rows, 5, 1e-8, NULL, true},
    {"all zero", "1 1:0 2:0\n0 1:0 2:0\n", 2, 1e-3, NULL, false},
    {"duplicates of several classes", "1 1:1 2:1\n1 1:1 2:1\n0 1:1 2:1\n2 1:1 2:1\n2 2:1\n", 3,
     1e-4, NULL, false},
    {"separable", "1 1:1\n0 1:-1\n1 1:2\n0 1:-3\n", 2, 1e-6, NULL, false},
    {"lambda 1e-12", "1 1:1 2:3\n2 1:1 2:1\n1 1:2\n0 1:3 2:-1\n1 2:-1\n", 3, 1e-12, NULL, false},
    {"lambda 1e6", "1 1:1 2:3\n2 1:1 2:1\n1 1:2\n0 1:3 2:-1\n", 3, 1e6, NULL, false},
    {"weights of zero", "1 1:1 2:3\n0 1:1 2:1\n1 1:2\n2 1:3 2:-1\n1 2:-1\n2 1:9\n", 3, 1e-3,
     zeros_and_ones, false},
    {"large values", "1 1:1e100 2:3\n0 1:1 2:1e100\n2 1:2\n", 3, 1e-3, NULL, false},
    {"values beyond squares", "1 1:1e200 2:3\n0 1:1 2:1e200\n2 1:2\n", 3, 1e-3, NULL, false},
    {"small values", "1 1:1e-100 2:3e-100\n0 1:1e-100 2:1e-100\n", 3, 1e-3, NULL, false},
    {"values below squares", "1 1:1e-200 2:3e-200\n0 1:1e-200 2:1e-200\n", 3, 1e-3, NULL, false},
};

/* What the rounding of scores may change in J: at a small lambda scores are differences of large products. */
static double rounding_of_scores(const struct dataset *data, const double *w, int64_t weights) {
    double largest_weight = 0, largest_row = 0;
    for (int64_t j = 0; j < weights; j++)
        largest_weight = fmax(largest_weight, fabs(w[j]));
    for (int64_t i = 0; i < data->rows; i++) {
        double sum = 0;
        for (int64_t k = dataset_start(data, i); k < dataset_start(data, i + 1); k++)
            sum += fabs(dataset_entry(data, k));
        largest_row = fmax(largest_row, sum);
    }
    return 4 * DBL_EPSILON * largest_weight * largest_row;
}

static void check_class_edge(const struct class_edge *edge, const char *const *words) {
    struct dataset data;
    struct svmlight_options options = {.threads = 1};
    FILE *file = tmpfile();
    char path[64];
    fputs(edge->text, file);
    fflush(file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    assert_int_equal(dataset_load(path, &options, &data, NULL), 0);
    fclose(file);
    struct risk_settings settings = {
        .scalar = {.data = &data, .target = data.label, .weight = edge->weight, .bias = -1},
        .labels = edge->classes};
    struct problem problem = {.risk = crammer_singer_risk_new(&settings, NULL),
                              .regularizer = regularizer_by_name("l2"),
                              .lambda = edge->lambda};
    double w[64] = {0};
    struct outcome o;
    struct error e = {0};
    int status = run_with(&problem, "sdm", words, 1e-6, 2000, w, &history, &o, &e);
    if (status != 0) {
        assert_true(e.words[0] != 0 && strchr(e.words, '\n') == NULL);
    } else {
        bool well = o.objective >= 0 && isfinite(o.objective) && o.bound <= o.objective &&
                    !isnan(o.bound) &&
                    fabs(o.objective - problem_objective(&problem, w)) <=
                        1e-12 * o.objective + rounding_of_scores(&data, w, sizeof w / sizeof *w);
        if (!well)
            print_error("%s: objective %.17g, bound %g, %.17g\n", edge->name, o.objective, o.bound,
                        problem_objective(&problem, w));
        assert_true(well);
        assert_true(!edge->solved || o.verdict == VERDICT_CONVERGED);
    }
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

static void edges_end_well(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof class_edges / sizeof *class_edges; i++)
        for (int a = 0; a < METHODS; a++)
            check_class_edge(&class_edges[i], methods[a]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_solved),
        cmocka_unit_test(sparse_rows_are_solved),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_start_is_used),
        cmocka_unit_test(weights_are_repetitions),
        cmocka_unit_test(a_slow_ascent_is_left_soon),
        cmocka_unit_test(longer_weights_close_the_gap),
        cmocka_unit_test(limits_end_a_run),
        cmocka_unit_test(a_limit_counts_rows_with_one_wrong_class),
        cmocka_unit_test(an_interruption_keeps_what_there_is),
        cmocka_unit_test(too_little_memory_is_an_error),
        cmocka_unit_test(rounding_ends_a_run),
        cmocka_unit_test(large_features_are_solved),
        cmocka_unit_test(edges_end_well),
    };
    omp_set_num_threads(1); /* the problems are small */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
