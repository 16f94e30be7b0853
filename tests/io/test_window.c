/* test_window.c - mapped rows that do not fit in memory: those that are kept are rounded to floats, the others have the
 * bits of rows in memory; products differ by rounding; no bit depends on the number of threads; and the memory stays
 * within the limit. */
#include "io/window.h"

#include "kernel/mapped.h"
#include "kernel/row_block.h"
#include "math/random/random.h"
#include "risk/risk.h"
#include "solvers/accelerated/spectrum.h"
#include "solvers/sampler.h"

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

enum { ROWS = 15000, FEATURES = 6, SIZE = PART(64, 32) };

struct fixture {
    struct dataset data, in_memory, window;
    struct map *map;
    int64_t n;
    double third; /* bytes */
};

enum { THREADS_RESERVED = 8, SINGLE_ROWS = WINDOW_ALONE + 256 }; /* of kernel/mapped_window.c */

/* The rows of a chunk: whole pages. */
static int64_t chunk_rows(int64_t n) {
    int64_t rows = 512;
    while (rows > MAP_BLOCK && rows / 2 * n % 512 == 0)
        rows /= 2;
    return rows;
}

/* Memory in which a third of the rows can be kept, beside single rows, a block, and a chunk with its work for each
 * thread that is counted. */
static double memory_for_a_third(const struct fixture *f) {
    int64_t chunk = chunk_rows(f->n);
    return f->third + sizeof(double) * (double)(f->n * SINGLE_ROWS) +
           sizeof(float) * (double)(f->n * ROW_BLOCK_SMALLEST) +
           sizeof(double) * THREADS_RESERVED *
               (double)(chunk * f->n + map_work_size(f->map, chunk) + row_block_work(f->map));
}

static void set_up_rows(struct fixture *f, int kind, int64_t rows) {
    struct map_settings settings = {.kind = kind,
                                    .kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 0.5},
                                    .size = SIZE,
                                    .threshold = 1e-12,
                                    .seed = 3};
    *f = (struct fixture){.data = random_data(rows, FEATURES, false, 1)};
    f->map = map_new(&settings, &f->data, NULL);
    assert_non_null(f->map);
    f->n = map_dimension(f->map);
    f->third = (double)(rows * f->n) * sizeof(float) / 3;
    assert_int_equal(map_prepare(f->map, FEATURES, NULL), 0);
    assert_int_equal(mapped_init(&f->in_memory, f->map, &f->data, 1e9, NULL, NULL), 0);
    assert_int_equal(mapped_init(&f->window, f->map, &f->data, memory_for_a_third(f), NULL, NULL),
                     0);
    assert_null(f->in_memory.window);
    assert_non_null(f->window.window);
}

static void set_up(struct fixture *f, int kind) {
    set_up_rows(f, kind, ROWS);
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

/* The rounding to floats, of sums of 9000 numbers of some size. */
static void check_near(const double *a, const double *b, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= 1e-6 * (1 + fabs(a[k]))))
            fail_msg("%.17g is not %.17g", b[k], a[k]);
}

static void check_risk(const struct risk *a, const struct risk *b) {
    double w[SIZE + 2], g[2][SIZE + 2];
    for (int j = 0; j < SIZE + 2; j++)
        w[j] = sin(j);
    for (int k = 0; k < 3; k++) {
        double mu = 0.1 * k;
        double value[] = {risk_evaluate(a, w, mu, g[0]), risk_evaluate(b, w, mu, g[1])};
        check_near(&value[0], &value[1], 1);
        check_near(g[0], g[1], a->dimension);
        assert_true(risk_evaluate(b, w, mu, NULL) == value[1]);
    }
    for (int64_t i = 0; i < ROWS; i += 17) {
        struct risk_item one, other;
        a->kind->item(a, i, w, 0.7, &one);
        b->kind->item(b, i, w, 0.7, &other);
        check_near(&one.loss, &other.loss, 1);
        assert_int_equal(one.rows, other.rows);
        if (one.rows > 0)
            check_near(one.row->value, other.row->value, one.row->count);
        if (one.rows > 0 && i >= b->scalar->design->data->window->resident)
            assert_memory_equal(one.row->value, other.row->value,
                                sizeof(double) * (size_t)one.row->count);
    }
    double constant[2], slope[2];
    a->kind->lipschitz(a, &constant[0], &slope[0]);
    b->kind->lipschitz(b, &constant[1], &slope[1]);
    check_near(&constant[0], &constant[1], 1);
    check_near(&slope[0], &slope[1], 1);
}

static void check_design(const struct scalar_terms *a, const struct scalar_terms *b) {
    double *u = malloc(sizeof *u * ROWS), *v = malloc(sizeof *v * ROWS), w[SIZE + 2],
           g[2][SIZE + 2];
    for (int j = 0; j < SIZE + 2; j++)
        w[j] = cos(j);
    design_scores(a->design, w, u);
    design_scores(b->design, w, v);
    check_near(u, v, ROWS);
    for (int64_t i = 0; i < ROWS; i++)
        u[i] = i % 3 == 0 || (i > 500 && i < 3000) ? 0 : u[i];
    design_combine(a->design, u, g[0]);
    design_combine(b->design, u, g[1]);
    check_near(g[0], g[1], a->design->columns);
    design_combine_squares(a->design, u, g[0]);
    design_combine_squares(b->design, u, g[1]);
    check_near(g[0], g[1], a->design->columns);
    struct spectrum one, other;
    assert_int_equal(spectrum_find(a, NULL, 8, u, &one, NULL), 0);
    assert_int_equal(spectrum_find(b, NULL, 8, v, &other, NULL), 0);
    check_near(&one.largest, &other.largest, 1);
    check_near(&one.bound, &other.bound, 1);
    check_near(u, v, ROWS);
    free(u);
    free(v);
}

static void every_reader_gets_the_same_rows(void **state) {
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
            double kept = sizeof(float) * (double)(f.window.window->resident * f.n);
            double chunk = sizeof(float) * (double)(f.window.window->chunk * f.n);
            assert_true(kept <= f.third && kept > f.third - chunk);
            assert_true(resident_bytes(&f.window) == 0);
            risk_free(a);
            risk_free(b);
            tear_down(&f);
        }
}

/* R, its gradient and the scores at a point; rows with coefficients that are mostly 0 combined. */
static void products(int threads, int kind, double *out) {
    struct fixture f;
    double w[SIZE + 2], c[ROWS];
    omp_set_num_threads(threads);
    set_up(&f, kind);
    struct risk *risk = risk_of(&f.window, "hinge", true);
    for (int j = 0; j < SIZE + 2; j++)
        w[j] = sin(j);
    for (int64_t i = 0; i < ROWS; i++)
        c[i] = i % 31 == 0;
    out[0] = risk_evaluate(risk, w, 0, out + 1);
    design_scores(risk->scalar->design, w, out + SIZE + 3);
    design_combine(risk->scalar->design, c, out + SIZE + 3 + ROWS);
    risk_free(risk);
    tear_down(&f);
}

static void threads_change_no_bit_of_products(void **state) {
    (void)state;
    enum { COUNT = 2 * (SIZE + 2) + 1 + ROWS };
    static double one[COUNT], many[COUNT];
    for (int kind = MAP_NYSTROM; kind <= MAP_FOURIER; kind++) {
        products(1, kind, one);
        for (int threads = 2; threads <= 9; threads += PART(7, 8)) {
            products(threads, kind, many);
            assert_memory_equal(one, many, sizeof one);
        }
    }
}

static void check_single_row(const struct fixture *f, const double *row, int64_t i) {
    const double *whole = f->in_memory.value + i * f->n;
    if (row != NULL && i < f->window.window->resident)
        for (int64_t j = 0; j < f->n; j++)
            assert_true(row[j] == (double)(float)whole[j]);
    else if (row != NULL)
        assert_memory_equal(row, whole, sizeof *row * (size_t)f->n);
}

/* Rows that are asked for as expected, or others, or with some left out; each stays for WINDOW_ALONE - 1 calls. */
static void single_rows_are_those_of_the_data(void **state) {
    (void)state;
    enum { CALLS = PART(5000, 2500) };
    static const double *at[CALLS];
    static int64_t asked[CALLS];
    for (int kind = MAP_NYSTROM; kind <= MAP_FOURIER; kind++) {
        struct fixture f;
        struct random random;
        omp_set_num_threads(1);
        set_up(&f, kind);
        random_seed(&random, 1, 0);
        struct dataset_window *window = f.window.window;
        for (int ahead = 0; ahead < 100; ahead++) /* left from another reader */
            window->expect(window, (int64_t)random_below(&random, ROWS));
        for (int call = 0; call < CALLS; call++)
            asked[call] = (int64_t)random_below(&random, ROWS);
        for (int call = 0; call < CALLS; call++) {
            if (call % 16 == 0)
                for (int next = call; next < call + 16 && next < CALLS; next++)
                    if (next % 5 != 0)
                        window->expect(window, asked[next]);
            if (call % 11 != 0)
                at[call] = window_row(&f.window, asked[call]);
            else
                at[call] = NULL;
            int first = call < WINDOW_ALONE - 1 ? 0 : call - WINDOW_ALONE + 1;
            check_single_row(&f, at[first], asked[first]);
            check_single_row(&f, at[call], asked[call]);
        }
        tear_down(&f);
    }
}

/* ---- memory in use */

static struct dataset_window counted, before;
static int64_t held, most_held;

static void count_more(int more) {
#pragma omp critical
    {
        held += more;
        most_held = held > most_held ? held : most_held;
    }
}

static void count_hold(struct dataset_window *window, int64_t k, int64_t end) {
    count_more(1);
    before.hold(window, k, end);
}

static void count_release(struct dataset_window *window, int64_t k) {
    before.release(window, k);
    count_more(-1);
}

static double *count_take(struct dataset_window *window) {
    count_more(1);
    return before.take_work(window);
}

static void count_return(struct dataset_window *window, double *work) {
    before.return_work(window, work);
    count_more(-1);
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
    counted.take_work = count_take;
    counted.return_work = count_return;
    *f.window.window = counted;
    double constant, slope;
    risk->kind->lipschitz(risk, &constant, &slope);
    assert_int_equal(held, 0);
    assert_in_range(most_held, 1, 3);
    most_held = 0;
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

/* The first two meet the rows in another order: by blocks. */
static void solvers_reach_the_same_weights(void **state) {
    (void)state;
    const char *names[] = {"pegasos", "proximal", "ocas", "mcpa", "agm", "bundle", "bundle-ls"};
    double alone[7][SIZE + 1];
    for (int threads = 1; threads <= 3; threads += 2) {
        struct fixture f;
        omp_set_num_threads(threads);
        set_up(&f, MAP_NYSTROM);
        for (int k = 0; k < 7; k++) {
            double w[SIZE + 1], same[SIZE + 1];
            double objective[] = {train(&f.in_memory, names[k], 1 + k % 2 * 99, w),
                                  train(&f.window, names[k], 1 + k % 2 * 99, same)};
            if (k < 2) {
                assert_true(fabs(objective[0] - objective[1]) <= 0.02 * objective[0]);
            } else {
                check_near(&objective[0], &objective[1], 1);
                check_near(w, same, SIZE + 1);
            }
            if (threads == 1)
                memcpy(alone[k], same, sizeof same);
            assert_memory_equal(alone[k], same, sizeof same);
        }
        tear_down(&f);
    }
}

/* ---- blocks */

/* Rows of a block are those of the map, rounded; a block takes all rows that stay in memory, and as many others as
 * fit: a quarter of those that stayed, or the fewest. */
static void check_blocks(int kind, int64_t rows, int64_t *list) {
    struct fixture f;
    set_up_rows(&f, kind, rows);
    struct dataset_window *window = f.window.window;
    int64_t stayed = window->resident, taken = 0;
    assert_int_equal(window->open_blocks(window, NULL), 0);
    int64_t room = window->resident < stayed ? stayed - window->resident : ROW_BLOCK_SMALLEST;
    assert_true((window->resident < stayed) == (stayed / 4 > ROW_BLOCK_SMALLEST));
    for (int64_t k = 0; k < rows; k++)
        list[k] = k * 7 % rows; /* a permutation, as 7 does not divide ROWS */
    for (int64_t k = 0; k < rows; k += taken) {
        int64_t others = 0;
        taken = window->load(window, list + k, rows - k);
        for (int64_t i = k; i < k + taken; i++) {
            const double *row = window_row(&f.window, list[i]);
            others += list[i] >= window->resident;
            for (int64_t j = 0; j < f.n; j++)
                assert_true(row[j] == (double)(float)f.in_memory.value[list[i] * f.n + j]);
        }
        assert_true(k + taken == rows || others == room);
    }
    tear_down(&f);
}

static void blocks_have_the_rows(void **state) {
    (void)state;
    enum { MANY_ROWS = 2 * ROWS };
    static int64_t list[MANY_ROWS];
    check_blocks(MAP_NYSTROM, ROWS, list);
    check_blocks(MAP_FOURIER, ROWS, list);
    check_blocks(MAP_FOURIER, MANY_ROWS, list);
}

/* A pass over all blocks has each row SAMPLER_ROUNDS times; steps within a block have no row twice. */
static void blocks_have_all_rows_alike(void **state) {
    (void)state;
    enum { BATCH = 100 };
    struct fixture f;
    struct sampler sampler;
    int count[ROWS] = {0}, step[ROWS] = {0}, twice = 0;
    set_up(&f, MAP_NYSTROM);
    struct risk *risk = risk_of(&f.window, "hinge", false);
    assert_int_equal(sampler_init(&sampler, risk, false, BATCH, 1, 1, NULL), 0);
    for (int64_t k = 0; k < (int64_t)SAMPLER_ROUNDS * ROWS; k++) {
        int64_t row = sampler_next(&sampler);
        count[row]++;
        twice += step[row] == 1 + k / BATCH;
        step[row] = 1 + (int)(k / BATCH);
    }
    for (int64_t i = 0; i < ROWS; i++)
        assert_int_equal(count[i], SAMPLER_ROUNDS);
    assert_int_equal(twice, 0);
    sampler_free(&sampler);
    risk_free(risk);
    tear_down(&f);
}

/* ---- limits */

static int64_t reads, last_read, computed; /* after the last read, those that were computed */

/* The last read before the interruption. */
static const double *limit_base(struct dataset_window *window, int64_t from, int64_t to,
                                double *work) {
    if (++reads > last_read)
        monitor.settings.time_limit = -10;
    double number = work[0];
    work[0] = NAN;
    const double *base = before.base(window, from, to, work);
    computed += reads > last_read && !isnan(work[0]);
    work[0] = isnan(work[0]) ? number : work[0];
    return base;
}

/* Numbers that floats cannot hold are not rounded to them. */
static void rows_beyond_floats_are_computed_anew(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 1), whole, window;
    for (int small = 0; small < 2; small++) {
        struct kernel kernel = {.kind = KERNEL_POLYNOMIAL,
                                .gamma = small ? 1e-50 : 1e50,
                                .shift = small ? 1e-50 : 1e50,
                                .degree = 2};
        struct map_settings settings = {
            .kind = MAP_NYSTROM, .kernel = kernel, .size = SIZE, .threshold = 1e-12, .seed = 3};
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        assert_int_equal(mapped_init(&whole, map, &data, 1e9, NULL, NULL), 0);
        assert_int_equal(
            mapped_init(&window, map, &data, 0.9 * 8 * (double)whole.nonzeros, NULL, NULL), 0);
        assert_int_equal(window.window->resident, 0);
        double *w = calloc(2 * (size_t)whole.features + 2, sizeof *w), *g = w + whole.features + 1;
        struct risk *one = risk_of(&whole, "squared", false);
        struct risk *other = risk_of(&window, "squared", false);
        double value[] = {risk_evaluate(one, w, 0, NULL), risk_evaluate(other, w, 0, g)};
        assert_true(value[0] > 0 && value[0] == value[1] && vector_dot(g, g, whole.features) > 0);
        risk_free(one);
        risk_free(other);
        free(w);
        dataset_free(&whole);
        dataset_free(&window);
        map_free(map);
    }
    dataset_free(&data);
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
    before = *f.window.window;
    dataset_free(&f.in_memory); /* replaced by the same rows, which no limit comes to */
    assert_int_equal(mapped_init(&f.in_memory, f.map, &f.data, memory_for_a_third(&f), NULL, NULL),
                     0);
    struct risk *in_memory = risk_of(&f.in_memory, "hinge", false),
                *risk = risk_of(&f.window, "hinge", false);
    struct problem problem = {
        .risk = in_memory, .regularizer = regularizer_by_name("l2"), .lambda = 1e-3};
    assert_int_equal(run_solver(in_memory, "ocas", 1, 1000, w, &outcome, NULL), 0);
    optimum = outcome.objective;
    f.window.window->base = limit_base;
    for (int k = 0; k < 8; k++)
        for (last_read = 5; last_read < 900; last_read += 267) {
            struct error e = {0};
            reads = computed = 0;
            int status = run_solver(risk, names[k], 1, 1000, w, &outcome, &e);
            assert_true(reads > last_read && computed == 0);
            if (status != 0) {
                assert_non_null(strstr(e.words, "before the objective was evaluated once"));
                continue;
            }
            saved++;
            assert_int_equal(outcome.verdict, VERDICT_TIME);
            assert_true(fabs(outcome.objective - problem_objective(&problem, w)) <= 1e-12);
            assert_true(outcome.bound <= optimum);
        }
    assert_true(saved > 8 * 2);
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
    const char *in_memory[] = {"lps", "rda+", "rda", "fobos", "sgd", "tg"};
    for (int k = 0; k < 6; k++)
        assert_true(solver_by_name(in_memory[k])->needs_all_rows);
}

static void values_beyond_all_numbers_are_refused(void **state) {
    (void)state;
    struct fixture f;
    struct dataset mapped;
    struct error e = {0};
    set_up(&f, MAP_FOURIER);
    f.data.value[f.data.start[8000]] = f.data.value[f.data.start[8000] + 1] = 1e308;
    assert_int_equal(mapped_init(&mapped, f.map, &f.data, 1000, NULL, &e), -1);
    assert_non_null(strstr(e.words, "the kernel values of example 8001 are not all finite"));
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_gets_the_same_rows),
        cmocka_unit_test(threads_change_no_bit_of_products),
        cmocka_unit_test(single_rows_are_those_of_the_data),
        cmocka_unit_test(a_chunk_for_each_thread_is_held),
        cmocka_unit_test(solvers_reach_the_same_weights),
        cmocka_unit_test(blocks_have_the_rows),
        cmocka_unit_test(blocks_have_all_rows_alike),
        cmocka_unit_test(rows_beyond_floats_are_computed_anew),
        cmocka_unit_test(a_limit_ends_a_pass),
        cmocka_unit_test(too_many_examples_a_step_are_refused),
        cmocka_unit_test(solvers_that_need_all_rows_say_so),
        cmocka_unit_test(values_beyond_all_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
