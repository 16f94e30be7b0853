/* test_gamma.c - the search for gamma: what it finds, what it costs, what its sample holds. */
#include "solvers/optimality.h"
#include "solvers/sparse/gamma.h"
#include "solvers/sparse/sparse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/size.h"
#include "tests/solver_options.h"

enum { MANY = 9000, FEATURES = 5 };

struct fixture {
    struct dataset data;
    double *weight;
    struct scalar_settings scalar;
    struct problem problem;
};

/* Data times SCALE; if WEIGHTED, only a few rows have a weight above 0. */
static void set_up(struct fixture *f, int64_t rows, double scale, bool weighted) {
    *f = (struct fixture){.data = random_data(rows, FEATURES, false, 3)};
    f->weight = malloc(sizeof *f->weight * (size_t)rows);
    for (int64_t k = 0; k < f->data.nonzeros; k++)
        f->data.value[k] *= scale;
    for (int64_t i = 0; i < rows; i++)
        f->weight[i] = i % 100 == 7 ? 1 + (double)(i % 3) : 0;
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->data.label,
                                         .weight = weighted ? f->weight : NULL,
                                         .loss = loss_by_name("logistic"),
                                         .bias = 0.5,
                                         .intercept = true};
    f->problem = (struct problem){.risk = scalar_risk_new(&f->scalar, NULL),
                                  .regularizer = regularizer_by_name("l1"),
                                  .lambda = 1e-3};
}

static void tear_down(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
    free(f->weight);
}

/* A trial run with known J, which checks the sample. */
struct known {
    double best;  /* the J grows with the distance from it, in logarithms */
    double limit; /* below this gamma it is `high`, or not a number where that is 0 */
    double high;
    double largest; /* gamma that was tried */
    bool flat;      /* it is the same for all */
    int trials;
    double first;
    int64_t rows;
    double checksum;
};

static bool known_trial(void *opaque, const struct problem *sample, double gamma,
                        double *objective) {
    struct known *k = opaque;
    const struct scalar_terms *terms = sample->risk->scalar;
    if (k->trials++ == 0)
        k->first = gamma;
    k->rows = sample->risk->items;
    k->checksum = 0;
    for (int64_t i = 0; i < k->rows; i++)
        k->checksum += (double)(i + 1) * (terms->target[i] + (double)terms->design->data->start[i]);
    k->largest = fmax(k->largest, gamma);
    double square = pow(log(gamma / k->best), 2);
    *objective = k->flat ? 0.5 : square / (2 + 2 * square); /* R(0) = ln 2 is above it */
    if (gamma < k->limit)
        *objective = k->high > 0 ? k->high : NAN;
    return true;
}

static double search_fraction(struct fixture *f, double fraction, uint64_t seed, struct known *k) {
    k->trials = 0;
    double gamma = gamma_search(&f->problem, fraction, seed, 0, known_trial, k, NULL);
    assert_true(k->trials <= GAMMA_TRIALS);
    return gamma;
}

static double search(struct fixture *f, uint64_t seed, struct known *k) {
    return search_fraction(f, 1, seed, k);
}

static double first_guess(struct fixture *f) {
    struct known flat = {.best = 1, .flat = true};
    double gamma = search(f, 1, &flat);
    assert_true(gamma > 0 && gamma == flat.first);
    return gamma;
}

static void a_minimum_near_the_first_guess_is_found(void **state) {
    (void)state;
    static const double factors[] = {1e-4, 3e-3, 0.02, 0.5, 1, 2.2, 7, 60, 900, 2e4};
    struct fixture f;
    set_up(&f, 50, 1, false);
    double start = first_guess(&f);
    for (int i = 0; i < 10; i++) {
        struct known k = {.best = start * factors[i]};
        double found = search(&f, 1, &k);
        assert_true(fabs(log(found / k.best)) <= log(8) / 2);
        if (factors[i] >= 1e-3 && factors[i] <= 1e3)
            assert_true(fabs(log(found / k.best)) <= log(8) / 8 + 1e-12);
    }
    tear_down(&f);
}

static void steps_that_diverge_are_left_behind(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, 50, 1, false);
    double start = first_guess(&f);
    struct known k = {.best = 1e3 * start, .limit = 100 * start};
    assert_true(fabs(log(search(&f, 1, &k) / k.best)) <= log(8) / 2);
    k = (struct known){.best = 1e-3 * start, .limit = 0.01 * start};
    double found = search(&f, 1, &k);
    assert_true(found >= k.limit && found <= 0.1 * start);
    for (int high = 0; high < 2; high++) { /* none is worth a run */
        k = (struct known){.best = 1, .limit = INFINITY, .high = high};
        found = search(&f, 1, &k);
        assert_near(found, k.largest, 0);
        assert_true(k.largest >= 1e12 * start && k.trials == GAMMA_TRIALS);
    }
    for (double distance = 3; distance < 1e10; distance *= 5)
        for (int high = 0; high < 2; high++) {
            k = (struct known){
                .best = 2 * distance * start, .limit = distance * start, .high = high};
            found = search(&f, 1, &k);
            assert_true(found >= k.limit && found <= 64 * k.limit);
        }
    tear_down(&f);
}

static void the_guess_follows_the_scale(void **state) {
    (void)state;
    static const double scales[] = {1e-3, 1e4, 1e-60, 1e60};
    struct fixture f;
    set_up(&f, 50, 1, false);
    f.scalar.bias = -1;
    f.scalar.intercept = false;
    risk_free((struct risk *)f.problem.risk);
    f.problem.risk = scalar_risk_new(&f.scalar, NULL);
    double start = first_guess(&f);
    tear_down(&f);
    for (int s = 0; s < 4; s++) {
        set_up(&f, 50, scales[s], false);
        f.scalar.bias = -1;
        f.scalar.intercept = false;
        risk_free((struct risk *)f.problem.risk);
        f.problem.risk = scalar_risk_new(&f.scalar, NULL);
        assert_near(first_guess(&f) / (scales[s] * scales[s] * start), 1, 1e-12);
        tear_down(&f);
    }
}

/* With small features the offset has the longest step: 1/4 over ln 2. */
static void the_guess_minds_the_offset(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, 50, 1e-5, false);
    f.scalar.bias = -1;
    risk_free((struct risk *)f.problem.risk);
    f.problem.risk = scalar_risk_new(&f.scalar, NULL);
    assert_near(first_guess(&f), 0.25 / log(2), 1e-12);
    tear_down(&f);
}

/* gamma_0 = G^2/R(0): the logistic loss has the derivative 1/2 and the value ln 2 at 0. */
static void the_guess_is_its_formula(void **state) {
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        struct fixture f;
        double length = 0, weights = 0;
        set_up(&f, 300, 1, weighted);
        for (int64_t i = 0; i < 300; i++) {
            double c = weighted ? f.weight[i] : 1, square = 0.5 * 0.5; /* the bias */
            for (int64_t k = f.data.start[i]; k < f.data.start[i + 1]; k++)
                square += f.data.value[k] * f.data.value[k];
            length += c * sqrt(square) / 2;
            weights += c;
        }
        double g = fmax(length / weights, 0.5); /* the offset's is 1/2 */
        assert_near(first_guess(&f), g * g / log(2), 1e-12);
        tear_down(&f);
    }
}

/* Losses at 0 that differ, as do the weights; and features that are all 0, so that only the offset has
 * gradients. */
static void the_guess_weighs_losses_too(void **state) {
    (void)state;
    for (int features = 0; features < 2; features++) {
        struct fixture f;
        double length = 0, offset = 0, loss = 0, weights = 0;
        set_up(&f, 300, features, true);
        for (int64_t i = 0; i < 300; i++)
            f.data.label[i] = 1 + (double)(i % 11);
        f.scalar.loss = loss_by_name("squared");
        f.scalar.bias = -1;
        risk_free((struct risk *)f.problem.risk);
        f.problem.risk = scalar_risk_new(&f.scalar, NULL);
        for (int64_t i = 0; i < 300; i++) {
            double a, square = 0, c = f.weight[i];
            loss += c * f.scalar.loss->value(0, f.data.label[i], &f.scalar.parameters, &a);
            for (int64_t k = f.data.start[i]; k < f.data.start[i + 1]; k++)
                square += f.data.value[k] * f.data.value[k];
            length += c * fabs(a) * (features ? sqrt(square) : 0);
            offset += c * fabs(a);
            weights += c;
        }
        double g = fmax(length, offset) / weights;
        assert_near(first_guess(&f) / (g * g / (loss / weights)), 1, 1e-12);
        tear_down(&f);
    }
}

static void poor_data_have_a_guess(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, 1, 1, false);
    assert_true(isfinite(first_guess(&f)));
    tear_down(&f);
    set_up(&f, 50, 0, false);
    assert_true(isfinite(first_guess(&f)));
    f.scalar.bias = -1; /* only the offset is left; then nothing */
    f.scalar.intercept = false;
    risk_free((struct risk *)f.problem.risk);
    f.problem.risk = scalar_risk_new(&f.scalar, NULL);
    assert_near(first_guess(&f), 1, 0);
    tear_down(&f);
    set_up(&f, 50, 1e200, false);
    assert_near(first_guess(&f), 1, 0);
    tear_down(&f);
}

/* The sample's rows are rows of the data, each at most once, with their targets and weights. */
static bool contents_trial(void *opaque, const struct problem *sample, double gamma,
                           double *objective) {
    struct fixture *f = opaque;
    const struct scalar_terms *terms = sample->risk->scalar;
    const struct dataset *data = terms->design->data;
    assert_true(sample->risk->items < MANY && sample->risk->items <= 4096);
    assert_int_equal(sample->risk->dimension, f->problem.risk->dimension);
    assert_near(terms->design->bias, 0.5, 0);
    assert_true(sample->lambda == f->problem.lambda &&
                sample->regularizer == f->problem.regularizer);
    int64_t at = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        int64_t length = data->start[i + 1] - data->start[i];
        for (;; at++) { /* the rows ascend */
            assert_true(at < MANY);
            int64_t from = f->data.start[at];
            if (f->data.start[at + 1] - from == length && terms->target[i] == f->data.label[at] &&
                scalar_weight(terms, i) == scalar_weight(f->problem.risk->scalar, at) &&
                memcmp(data->column + data->start[i], f->data.column + from,
                       sizeof(int32_t) * (size_t)length) == 0 &&
                memcmp(data->value + data->start[i], f->data.value + from,
                       sizeof(double) * (size_t)length) == 0)
                break;
        }
        at++;
    }
    assert_true(isfinite(problem_objective(sample, (double[FEATURES + 2]){0})));
    *objective = gamma;
    return true;
}

static void a_sample_holds_rows_of_the_data(void **state) {
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        struct fixture f;
        set_up(&f, MANY, 1, weighted);
        gamma_search(&f.problem, 1, 5, 0, contents_trial, &f, NULL);
        struct known k = {.best = 1};
        search(&f, 5, &k);
        assert_int_equal(k.rows, weighted ? MANY / 100 : 4096);
        tear_down(&f);
    }
}

static void a_part_of_the_rows_is_the_most(void **state) {
    (void)state;
    static const double fractions[] = {0.5, 0.1, 1e-3};
    static const int64_t rows[] = {4096, MANY / 10, 16};
    struct fixture f;
    set_up(&f, MANY, 1, false);
    for (int i = 0; i < 3; i++) {
        struct known k = {.best = 1};
        search_fraction(&f, fractions[i], 5, &k);
        assert_int_equal(k.rows, rows[i]);
    }
    tear_down(&f);
}

static void a_sample_is_less_than_half_of_the_rows(void **state) {
    (void)state;
    static const int64_t all[] = {4097, 8192, 8193}, rows[] = {4097, 8192, 4096};
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        struct known k = {.best = 1};
        set_up(&f, all[i], 1, false);
        search(&f, 5, &k);
        assert_int_equal(k.rows, rows[i]);
        search_fraction(&f, 0.25, 5, &k);
        assert_int_equal(k.rows, all[i] / 4);
        tear_down(&f);
    }
}

/* gamma grows from the sample to all rows; where these are the sample it does not. */
static void gamma_grows_with_the_rows(void **state) {
    (void)state;
    for (int sampled = 0; sampled < 2; sampled++) {
        struct fixture f;
        struct known k = {.best = 1};
        set_up(&f, sampled ? MANY : 4000, 1, false);
        double plain = gamma_search(&f.problem, 1, 5, 0, known_trial, &k, NULL);
        double grown = gamma_search(&f.problem, 1, 5, 0.5, known_trial, &k, NULL);
        assert_near(grown, plain * (sampled ? sqrt(MANY / 4096.0) : 1), 1e-12 * grown);
        tear_down(&f);
    }
}

static void wide_rows_make_a_sample_smaller(void **state) {
    (void)state;
    struct dataset data = random_data(300, 6000, true, 4); /* about 3000 nonzeros a row */
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    struct fixture f = {
        .problem = {.risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 1}};
    struct known k = {.best = 1};
    search(&f, 5, &k);
    assert_int_equal(k.rows, (int64_t)((1 << 17) * 300.0 / (double)data.nonzeros));
    risk_free(risk);
    dataset_free(&data);
}

static void the_seed_decides(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, MANY, 1, false);
    struct known one = {.best = 1}, same = one, other = one;
    double gamma = search(&f, 1, &one);
    assert_near(search(&f, 1, &same), gamma, 0);
    assert_true(same.checksum == one.checksum && same.first == one.first);
    search(&f, 2, &other);
    assert_true(other.checksum != one.checksum);
    tear_down(&f);
}

/* ---- the trials of a solver */

/* What a solver that only counts its calls was given; the third call takes ten minutes. */
static struct counted {
    int calls;
    double passes; /* that a trial is to have: those of the run, at most 20 */
    double gamma[GAMMA_TRIALS];
    struct monitor *monitor; /* of the run */
} counted;

static int counting_train(const struct solve *solve, struct error *e) {
    const struct sparse_settings *settings = solve->options;
    (void)e;
    assert_true(counted.calls < GAMMA_TRIALS);
    assert_true(solve->run->uncertified && !solve->run->warm);
    assert_near(solve->run->passes, counted.passes, 0);
    assert_near(solve->monitor->settings.passes, counted.passes, 0);
    for (int64_t j = 0; j < solve->problem->risk->dimension; j++)
        assert_true(solve->w[j] == 0);
    counted.gamma[counted.calls++] = settings->gamma;
    if (counted.calls == 3 && counted.monitor != NULL)
        counted.monitor->seconds += 600;
    *solve->outcome = (struct outcome){.objective = 1 / settings->gamma, .bound = -INFINITY};
    return 0;
}

/* At half of the time limit; a trial that it cuts off says nothing. */
static void trials_end_with_the_time(void **state) {
    (void)state;
    static const double limits[] = {INFINITY, 1190, 0};
    static const int calls[] = {GAMMA_TRIALS, 3, 0}, whole[] = {GAMMA_TRIALS, 2, 0};
    const struct solver solver = {.settings_size = sizeof(struct sparse_settings),
                                  .train = counting_train};
    struct run_settings run = {.passes = 30, .batch_size = 1, .warm = true};
    struct sparse_settings options = {.gamma = 0};
    struct fixture f;
    set_up(&f, 50, 1, false);
    double start = first_guess(&f);
    for (int k = 0; k < 3; k++) {
        const struct monitor_settings settings = {.passes = 20, .time_limit = limits[k]};
        struct monitor monitor;
        monitor_init(&monitor, &settings);
        monitor_begin(&monitor, NULL);
        counted = (struct counted){.monitor = &monitor, .passes = 20};
        double gamma = sparse_gamma(
            &solver,
            &(struct solve){
                .problem = &f.problem, .run = &run, .options = &options, .monitor = &monitor},
            0, NULL);
        assert_int_equal(counted.calls, calls[k]);
        double best = start;
        for (int i = 0; i < whole[k]; i++)
            best = fmax(best, counted.gamma[i]); /* the J of the larger one is less */
        assert_near(gamma, best, 0);
        assert_true(monitor.kept_back == 0);
        monitor_end(&monitor);
    }
    run.passes = 7;
    counted = (struct counted){.passes = 7};
    sparse_gamma(
        &solver,
        &(struct solve){.problem = &f.problem, .run = &run, .options = &options, .monitor = NULL},
        0, NULL);
    assert_int_equal(counted.calls, GAMMA_TRIALS);
    options.gamma = 7;
    assert_near(
        sparse_gamma(&solver,
                     &(struct solve){
                         .problem = &f.problem, .run = &run, .options = &options, .monitor = NULL},
                     0, NULL),
        7, 0);
    assert_int_equal(counted.calls, GAMMA_TRIALS);
    tear_down(&f);
}

/* Targets far from 0, features that say nothing, or little: what is learned is better than w = 0, and
 * near the best offset. */
static void small_features_beside_an_offset_are_learned_from(void **state) {
    (void)state;
    static const char *const solvers[] = {"sgd", "tg", "fobos", "rda"};
    static const char *const losses[] = {"squared", "huber", "logistic"};
    for (int v = 0; v < 72; v++) {
        static const double scales[] = {1e-2, 1e-4, 1e-6};
        const struct solver *solver = solver_by_name(solvers[v % 4]);
        struct fixture f;
        double w[FEATURES + 2] = {0}, zero[FEATURES + 2] = {0}, null[FEATURES + 2];
        struct run_settings run = {.passes = 20, .batch_size = v < 36 ? 1 : 7};
        struct outcome outcome;
        struct monitor monitor;
        const struct monitor_settings silent = {.passes = 20, .time_limit = INFINITY};
        struct error e;
        if ((v % 4 + v / 4 % 3 + v / 12 % 3 + v / 36) % PART(2, 5) != 0)
            continue;
        set_up(&f, 400, scales[v / 12 % 3], false);
        for (int64_t i = 0; i < 400; i++)
            f.data.label[i] = v / 4 % 3 == 2 ? (i % 5 ? 1 : -1) : 2 + (double)(i % 10) / 10;
        f.scalar.bias = -1;
        f.scalar.loss = loss_by_name(losses[v / 4 % 3]);
        if (v / 4 % 3 == 1)
            f.scalar.parameters.huber = 0.1;
        risk_free((struct risk *)f.problem.risk);
        f.problem.risk = scalar_risk_new(&f.scalar, NULL);
        char *options = solver_options_parse(solver, NULL);
        monitor_init(&monitor, &silent);
        monitor_begin(&monitor, NULL);
        assert_int_equal(
            solver->train(&(struct solve){&f.problem, &run, options, &monitor, w, &outcome}, &e),
            0);
        monitor_end(&monitor);
        optimality_null_point(&f.problem, null, NULL);
        double smallest = problem_objective(&f.problem, null),
               at_zero = problem_objective(&f.problem, zero);
        assert_true(outcome.objective <= smallest + 0.1 * (at_zero - smallest));
        free(options);
        tear_down(&f);
    }
}

/* Trains with --gamma GAMMA, 0: the solver's own search; returns J. */
static double train_with(const struct solver *solver, const struct fixture *f, double gamma) {
    struct monitor_settings silent = {.passes = 2, .time_limit = INFINITY};
    struct run_settings run = {.passes = 2, .batch_size = 1, .seed = 1, .uncertified = true};
    struct sparse_settings *options = solver_options_parse(solver, NULL);
    struct monitor monitor;
    struct outcome outcome;
    double w[FEATURES + 2] = {0};
    options->gamma = gamma;
    monitor_init(&monitor, &silent);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        solver->train(&(struct solve){&f->problem, &run, options, &monitor, w, &outcome}, NULL), 0);
    monitor_end(&monitor);
    free(options);
    return outcome.objective;
}

/* A gamma found on 4096 of 9000 rows grows with them, without kinks in the loss, or with their root. */
static void steps_without_noise_fall_with_the_rows(void **state) {
    (void)state;
    static const char *const solvers[] = {"sgd", "tg", "fobos", "rda"};
    static const char *const losses[] = {"logistic", "squared-hinge", "hinge"};
    for (int k = 0; k < 12; k++) {
        if ((k % 4 + k / 4) % PART(1, 3) != 0)
            continue;
        const struct solver *solver = solver_by_name(solvers[k % 4]);
        const struct run_settings run = {
            .passes = 2, .batch_size = 1, .seed = 1, .uncertified = true};
        struct fixture f;
        set_up(&f, MANY, 1, false);
        f.scalar.loss = loss_by_name(losses[k / 4]);
        risk_free((struct risk *)f.problem.risk);
        f.problem.risk = scalar_risk_new(&f.scalar, NULL);
        void *options = solver_options_parse(solver, NULL);
        double gamma = sparse_gamma(
            solver, &(struct solve){.problem = &f.problem, .run = &run, .options = options},
            k / 4 == 2 ? 0.5 : 1, NULL);
        assert_near(train_with(solver, &f, 0), train_with(solver, &f, gamma), 0);
        free(options);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_minimum_near_the_first_guess_is_found),
        cmocka_unit_test(steps_that_diverge_are_left_behind),
        cmocka_unit_test(the_guess_follows_the_scale),
        cmocka_unit_test(the_guess_minds_the_offset),
        cmocka_unit_test(the_guess_is_its_formula),
        cmocka_unit_test(small_features_beside_an_offset_are_learned_from),
        cmocka_unit_test(the_guess_weighs_losses_too),
        cmocka_unit_test(poor_data_have_a_guess),
        cmocka_unit_test(a_sample_holds_rows_of_the_data),
        cmocka_unit_test(a_part_of_the_rows_is_the_most),
        cmocka_unit_test(a_sample_is_less_than_half_of_the_rows),
        cmocka_unit_test(gamma_grows_with_the_rows),
        cmocka_unit_test(wide_rows_make_a_sample_smaller),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(trials_end_with_the_time),
        cmocka_unit_test(steps_without_noise_fall_with_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
