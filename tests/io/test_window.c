/* test_window.c - mapped rows that do not fit in memory: readers get the same bits as from rows in memory, for any
 * number of threads, and the memory stays within the limit. */
#include "io/window.h"
#include "kernel/mapped.h"
#include "risk/risk.h"
#include "solvers/accelerated/spectrum.h"

#include "solvers/solver.h"
#include "tests/random_data.h"
#include "tests/size.h"
#include "tests/solver_options.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 9000, FEATURES = 6, SIZE = 64 };

struct fixture {
    struct dataset data, in_memory, window;
    struct map *map;
    int64_t n;
    double third; /* bytes */
};

/* Bytes beside the mapped rows that stay: rows alone, and a chunk of CHUNK rows with its room for each
 * thread. */
static double beside(const struct fixture *f, int64_t chunk) {
    return sizeof(double) * (double)(f->n * WINDOW_ALONE) +
           sizeof(double) * omp_get_max_threads() *
               (double)(chunk * f->n + map_work_size(f->map, chunk));
}

static void set_up(struct fixture *f, int kind) {
    struct map_settings settings = {.kind = kind,
                                    .kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 0.5},
                                    .size = SIZE,
                                    .threshold = 1e-12,
                                    .seed = 3};
    *f = (struct fixture){.data = random_data(ROWS, FEATURES, false, 1)};
    f->map = map_new(&settings, &f->data, NULL);
    assert_non_null(f->map);
    f->n = map_dimension(f->map);
    f->third = (double)(ROWS * f->n) * sizeof(double) / 3;
    assert_int_equal(map_prepare(f->map, FEATURES, NULL), 0);
    assert_int_equal(mapped_init(&f->in_memory, f->map, &f->data, 1e9, NULL), 0);
    assert_int_equal(mapped_init(&f->window, f->map, &f->data, f->third + beside(f, 512), NULL), 0);
    assert_null(f->in_memory.window);
    assert_non_null(f->window.window);
}

static void tear_down(struct fixture *f) {
    dataset_free(&f->window);
    dataset_free(&f->in_memory);
    dataset_free(&f->data);
    map_free(f->map);
}

static double resident_bytes(const struct dataset *data) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = sizeof(double) * (size_t)data->nonzeros;
    size_t pages = (bytes + page - 1) / page, there = 0;
    unsigned char *state = malloc(pages);
    assert_int_equal(mincore(data->value, bytes, state), 0);
    for (size_t k = 0; k < pages; k++)
        there += state[k] & 1;
    free(state);
    return (double)(there * page);
}

static struct risk *risk_of(const struct dataset *data, const char *loss, bool intercept) {
    struct scalar_settings settings = {.data = data,
                                       .target = data->label,
                                       .loss = loss_by_name(loss),
                                       .bias = 0.5,
                                       .intercept = intercept};
    struct risk *risk = scalar_risk_new(&settings, NULL);
    assert_non_null(risk);
    return risk;
}

static void check_risk(const struct risk *a, const struct risk *b) {
    double w[SIZE + 2], g[2][SIZE + 2];
    for (int j = 0; j < SIZE + 2; j++)
        w[j] = sin(j);
    for (int k = 0; k < 3; k++) {
        double mu = 0.1 * k;
        assert_true(risk_evaluate(a, w, mu, g[0]) == risk_evaluate(b, w, mu, g[1]));
        assert_memory_equal(g[0], g[1], sizeof(double) * (size_t)a->dimension);
        assert_true(risk_evaluate(a, w, mu, NULL) == risk_evaluate(b, w, mu, NULL));
    }
    for (int64_t i = 0; i < ROWS; i += 17) {
        struct risk_item one, other;
        a->kind->item(a, i, w, 0.7, &one);
        b->kind->item(b, i, w, 0.7, &other);
        assert_true(one.loss == other.loss && one.parts == other.parts);
        if (one.parts > 0)
            assert_memory_equal(one.part->value, other.part->value,
                                sizeof(double) * (size_t)one.part->count);
    }
    double constant[2], slope[2];
    a->kind->lipschitz(a, &constant[0], &slope[0]);
    b->kind->lipschitz(b, &constant[1], &slope[1]);
    assert_true(constant[0] == constant[1] && slope[0] == slope[1]);
}

static void check_design(const struct scalar_parts *a, const struct scalar_parts *b) {
    double *u = malloc(sizeof *u * ROWS), *v = malloc(sizeof *v * ROWS), w[SIZE + 2],
           g[2][SIZE + 2];
    for (int j = 0; j < SIZE + 2; j++)
        w[j] = cos(j);
    design_scores(a->design, w, u);
    design_scores(b->design, w, v);
    assert_memory_equal(u, v, sizeof *u * ROWS);
    for (int64_t i = 0; i < ROWS; i++)
        u[i] = i % 3 == 0 || (i > 500 && i < 3000) ? 0 : u[i];
    design_combine(a->design, u, g[0]);
    design_combine(b->design, u, g[1]);
    assert_memory_equal(g[0], g[1], sizeof(double) * (size_t)a->design->columns);
    design_combine_squares(a->design, u, g[0]);
    design_combine_squares(b->design, u, g[1]);
    assert_memory_equal(g[0], g[1], sizeof(double) * (size_t)a->design->columns);
    struct spectrum one, other;
    assert_int_equal(spectrum_find(a, NULL, 8, u, &one, NULL), 0);
    assert_int_equal(spectrum_find(b, NULL, 8, v, &other, NULL), 0);
    assert_true(one.largest == other.largest && one.bound == other.bound);
    assert_memory_equal(u, v, sizeof *u * ROWS);
    free(u);
    free(v);
}

static void every_reader_gets_the_same_bits(void **state) {
    (void)state;
    for (int kind = MAP_NYSTROM; kind <= MAP_FOURIER; kind++)
        for (int threads = 1; threads <= 4; threads += 3) {
            struct fixture f;
            omp_set_num_threads(threads);
            set_up(&f, kind);
            struct risk *a = risk_of(&f.in_memory, "hinge", true);
            struct risk *b = risk_of(&f.window, "hinge", true);
            check_risk(a, b);
            check_design(a->scalar, b->scalar);
            double chunk = (double)(f.window.window->chunk * f.n) * sizeof(double);
            double max_bytes = f.third + beside(&f, 512) - beside(&f, f.window.window->chunk);
            assert_true(resident_bytes(&f.window) <= max_bytes);
            assert_true(resident_bytes(&f.window) > max_bytes - chunk - 4096);
            risk_free(a);
            risk_free(b);
            tear_down(&f);
        }
}

/* ---- memory in use */

static struct dataset_window counted, before;
static int64_t held, most_held;

static void count_hold(struct dataset_window *window, int64_t k) {
#pragma omp critical
    {
        held++;
        most_held = held > most_held ? held : most_held;
    }
    before.hold(window, k);
}

static void count_release(struct dataset_window *window, int64_t k) {
    before.release(window, k);
#pragma omp critical
    held--;
}

static void a_chunk_for_each_thread_is_held(void **state) {
    (void)state;
    struct fixture f;
    double w[SIZE + 1] = {1};
    omp_set_num_threads(3);
    set_up(&f, MAP_NYSTROM);
    struct risk *risk = risk_of(&f.window, "hinge", false);
    before = *f.window.window;
    counted = before;
    counted.hold = count_hold;
    counted.release = count_release;
    *f.window.window = counted;
    risk_evaluate(risk, w, 0, NULL);
    assert_int_equal(held, 0);
    assert_in_range(most_held, 1, 3);
    risk_free(risk);
    tear_down(&f);
}

/* ---- solvers */

static struct monitor monitor;

static int run_solver(const struct risk *risk, const char *name, int64_t batch, double passes,
                      double *w, struct outcome *outcome, struct error *e) {
    const struct solver *solver = solver_by_name(name);
    void *options = solver_options_parse(solver, NULL);
    struct problem problem = {
        .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 1e-3};
    struct run_settings run = {
        .passes = passes, .passes_given = true, .batch_size = batch, .seed = 1};
    struct monitor_settings settings = {.epsilon = 1e-3, .passes = passes, .time_limit = INFINITY};
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    memset(w, 0, sizeof *w * (SIZE + 1));
    assert_false(solver->needs_all_rows);
    int status = solver->train(&(struct solve){&problem, &run, options, &monitor, w, outcome}, e);
    monitor_end(&monitor);
    free(options);
    return status;
}

static double train(const struct dataset *data, const char *name, int64_t batch, double *w) {
    struct risk *risk = risk_of(data, "hinge", false);
    struct outcome outcome;
    assert_int_equal(run_solver(risk, name, batch, 3, w, &outcome, NULL), 0);
    risk_free(risk);
    return outcome.objective;
}

static void solvers_reach_the_same_weights(void **state) {
    (void)state;
    const char *names[] = {"pegasos", "proximal", "ocas", "mcpa", "agm", "bundle", "bundle-ls"};
    for (int threads = 1; threads <= 3; threads += 2) {
        struct fixture f;
        omp_set_num_threads(threads);
        set_up(&f, MAP_NYSTROM);
        for (int k = 0; k < 7; k++) {
            double w[SIZE + 1], same[SIZE + 1];
            assert_true(train(&f.in_memory, names[k], 1 + k % 2 * 99, w) ==
                        train(&f.window, names[k], 1 + k % 2 * 99, same));
            assert_memory_equal(w, same, sizeof w);
        }
        tear_down(&f);
    }
}

/* ---- limits */

static int64_t holds, last_hold, computed; /* after the last hold, chunks that were */
static int64_t stay;                       /* rows */
static const struct dataset *limited;

/* The last hold before the interruption. */
static void limit_hold(struct dataset_window *window, int64_t k) {
    int64_t row = k * window->chunk;
    if (++holds > last_hold)
        monitor.settings.time_limit = -10;
    before.hold(window, k);
    computed += holds > last_hold && row >= stay && limited->value[row * limited->features] != 0;
}

/* A limit within a pass ends the pass and discards its results: J is that of w, and the bound is valid. */
static void a_limit_ends_a_pass(void **state) {
    (void)state;
    const char *names[] = {"ocas", "mcpa",   "cpa",       "agm",
                           "agm1", "bundle", "bundle-ls", "proximal-bundle"};
    struct fixture f;
    double w[SIZE + 1], optimum;
    struct outcome outcome;
    int saved = 0;
    omp_set_num_threads(1);
    set_up(&f, MAP_NYSTROM);
    limited = &f.window;
    before = *limited->window;
    struct risk *in_memory = risk_of(&f.in_memory, "hinge", false),
                *risk = risk_of(&f.window, "hinge", false);
    struct problem problem = {
        .risk = in_memory, .regularizer = regularizer_by_name("l2"), .lambda = 1e-3};
    assert_int_equal(run_solver(in_memory, "ocas", 1, 1000, w, &outcome, NULL), 0);
    optimum = outcome.objective;
    stay = (int64_t)(resident_bytes(limited) / sizeof(double)) / limited->features;
    limited->window->hold = limit_hold;
    for (int k = 0; k < 8; k++)
        for (last_hold = 5; last_hold < 300; last_hold += PART(29, 87)) {
            struct error e = {0};
            holds = computed = 0;
            int status = run_solver(risk, names[k], 1, 1000, w, &outcome, &e);
            assert_true(holds > last_hold && computed == 0);
            if (status != 0) {
                assert_non_null(strstr(e.words, "before the objective was evaluated once"));
                continue;
            }
            saved++;
            assert_int_equal(outcome.verdict, VERDICT_TIME);
            assert_true(fabs(outcome.objective - problem_objective(&problem, w)) <= 1e-12);
            assert_true(outcome.bound <= optimum);
        }
    assert_true(saved > 8 * PART(5, 2));
    risk_free(risk);
    risk_free(in_memory);
    tear_down(&f);
}

static void too_many_examples_a_step_are_refused(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, MAP_FOURIER);
    struct risk *risk = risk_of(&f.window, "hinge", false);
    struct problem problem = {
        .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 1e-3};
    struct run_settings run = {.passes = 1, .passes_given = true, .batch_size = WINDOW_ALONE + 1};
    struct monitor_settings settings = {.passes = 1, .time_limit = INFINITY};
    struct outcome outcome;
    struct error e = {0};
    const struct solver *solver = solver_by_name("pegasos");
    void *options = solver_options_parse(solver, NULL);
    double w[SIZE + 1] = {0};
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        solver->train(&(struct solve){&problem, &run, options, &monitor, w, &outcome}, &e), -1);
    assert_non_null(strstr(e.words, "steps of 1025 examples"));
    free(options);
    risk_free(risk);
    tear_down(&f);
}

static void solvers_that_need_all_rows_say_so(void **state) {
    (void)state;
    const char *in_memory[] = {"ipm", "lps", "rda+", "rda", "fobos", "sgd", "tg"};
    for (int k = 0; k < 7; k++)
        assert_true(solver_by_name(in_memory[k])->needs_all_rows);
}

static void values_beyond_all_numbers_are_refused(void **state) {
    (void)state;
    struct fixture f;
    struct dataset mapped;
    struct error e = {0};
    set_up(&f, MAP_FOURIER);
    f.data.value[f.data.start[8000]] = f.data.value[f.data.start[8000] + 1] = 1e308;
    assert_int_equal(mapped_init(&mapped, f.map, &f.data, 1000, &e), -1);
    assert_non_null(strstr(e.words, "the kernel values of example 8001 are not all finite"));
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_gets_the_same_bits),
        cmocka_unit_test(a_chunk_for_each_thread_is_held),
        cmocka_unit_test(solvers_reach_the_same_weights),
        cmocka_unit_test(a_limit_ends_a_pass),
        cmocka_unit_test(too_many_examples_a_step_are_refused),
        cmocka_unit_test(solvers_that_need_all_rows_say_so),
        cmocka_unit_test(values_beyond_all_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
