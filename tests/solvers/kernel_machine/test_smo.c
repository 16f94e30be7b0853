/* test_smo.c - kernel machines by pairs of variables: the conditions of the optimum from outside, cvxopt's and LIBSVM's
 * optima (tests/references/kernel_reference.py), rows in floats, special data, threads, limits. */
#include "kernel/row_cache.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/dataset_select.h"
#include "solvers/kernel_machine/solution.h"
#include "tests/size.h"
#include "tests/solvers/kernel_machine/kernel_edges.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.4};
static const struct kernel linear = {.kind = KERNEL_LINEAR};
static const struct kernel cubic = {
    .kind = KERNEL_POLYNOMIAL, .gamma = 0.3, .shift = 0.5, .degree = 3};
static const char *const losses[] = {"hinge", "epsilon", "absolute", "quantile"};

static int train(struct kernel_fixture *f, double epsilon, const char *const *words) {
    return kernel_train(f, "smo", epsilon, 1e6, INFINITY, false, words);
}

/* Converged by the conditions of the optimum, from outside, or by a certified gap of a hundredth of the tolerance. */
static void assert_reached(const struct kernel_fixture *f, double epsilon) {
    struct outside o = outside_look(f);
    double gap = f->outcome.objective - f->outcome.bound;
    assert_int_equal(f->outcome.verdict, VERDICT_CONVERGED);
    assert_near(f->outcome.objective, o.objective, 1e-9 * (1 + o.objective));
    assert_true(gap >= 0);
    if (gap > 0.01 * epsilon * f->outcome.objective) {
        assert_true(o.worst <= epsilon * (1 + 1e-6));
        assert_true(o.imbalance <= epsilon);
    }
}

/* ---- rows in floats */

/* Single values have the bits of the rows FIRST, also on the diagonal. */
static void check_values(const struct kernel_fixture *f, const int64_t *index, int count,
                         const float *first) {
    struct error e = {0};
    int64_t column[300];
    float values[ROW_CACHE_VALUES][LENGTH(column)], *out[ROW_CACHE_VALUES];
    struct row_cache *cache = row_cache_new(&f->part.kernel, &f->data, 0, 1, ROWS_FAST, &e);
    assert_non_null(cache);
    for (int c = 0; c < LENGTH(column); c++)
        column[c] = c % 3 ? (c * 37 + 1) % f->data.rows : c; /* also neighbours, and some twice */
    for (int k = 0; k < ROW_CACHE_VALUES; k++)
        out[k] = values[k];
    for (int k = 0; k < count; k += ROW_CACHE_VALUES) {
        int part = count - k < ROW_CACHE_VALUES ? count - k : ROW_CACHE_VALUES;
        assert_true(row_cache_lacks(cache, index[k]));
        assert_int_equal(row_cache_values(cache, index + k, part, column, LENGTH(column), out, &e),
                         0);
        for (int l = 0; l < part; l++)
            for (int c = 0; c < LENGTH(column); c++)
                assert_true(values[l][c] == first[(k + l) * f->data.rows + column[c]]);
    }
    row_cache_free(cache);
}

/* Any number of rows together, in any order, and with any threads: the same values. They are the kernel's. */
static void check_rows(struct kernel kernel, int64_t features, double tolerance) {
    struct kernel_fixture f;
    struct error e = {0};
    enum { ROWS = 700, WANTED = 100 };
    int64_t index[WANTED];
    const float *row[WANTED];
    float *first = malloc(sizeof *first * ROWS * WANTED);
    kernel_set_up(&f, random_data(ROWS, features, false, 2), "hinge", kernel, "none", NULL, 1);
    for (int k = 0; k < WANTED; k++)
        index[k] = 7 * (WANTED - 1 - k);
    for (int threads = 1; threads <= 2; threads++)
        for (int together = 1; together <= WANTED; together += 33) {
            struct row_cache *cache = row_cache_new(&kernel, &f.data, 0, WANTED, ROWS_FAST, &e);
            omp_set_num_threads(threads);
            assert_non_null(cache);
            for (int k = 0; k < WANTED; k += together) {
                int count = WANTED - k < together ? WANTED - k : together;
                assert_int_equal(row_cache_get(cache, index + k, count, row, &e), 0);
                for (int l = 0; l < count && threads + together == 2; l++)
                    memcpy(first + (k + l) * ROWS, row[l], sizeof *first * ROWS);
                for (int l = 0; l < count; l++)
                    assert_memory_equal(first + (k + l) * ROWS, row[l], sizeof *first * ROWS);
            }
            row_cache_free(cache);
        }
    for (int threads = 1; threads <= 2; threads++) {
        omp_set_num_threads(threads);
        check_values(&f, index, WANTED, first);
    }
    for (int k = 0; k < WANTED; k += 9)
        for (int64_t i = 0; i < ROWS; i++)
            assert_near(first[k * ROWS + i], outside_kernel(&f, index[k], i), tolerance);
    for (int k = 0; k < WANTED; k++) /* symmetric to the bit */
        for (int l = 0; l < k; l++)
            assert_true(first[k * ROWS + index[l]] == first[l * ROWS + index[k]]);
    omp_set_num_threads(omp_get_num_procs());
    free(first);
    kernel_tear_down(&f);
}

static void test_rows(void **state) {
    (void)state;
    check_rows(gaussian, 5, 3e-7);
    check_rows((struct kernel){.kind = KERNEL_GAUSSIAN, .gamma = 20}, 12, 3e-6);
    check_rows(linear, 40, 1e-4);
    check_rows(cubic, 5, 1e-3);
}

/* ---- the optimum */

static void test_conditions_hold(void **state) {
    (void)state;
    const struct kernel kernels[] = {gaussian, linear, cubic};
    const char *const bases[] = {"none", "1", "1,2,3^2", "2"};
    const double cs[] = {0.1, 1, 30};
    const char *const small[] = {"working-set=40", "kernel-cache=0", NULL};
    for (int l = 0; l < LENGTH(losses); l++)
        for (int k = 0; k < 12; k++) {
            struct kernel_fixture f;
            if ((l + k / 2) % PART(1, 2) != 0)
                continue;
            kernel_set_up(&f, data_for(losses[l], 150, 5), losses[l], kernels[k % 3], bases[k / 3],
                          k == 8 ? "4" : NULL, cs[(k + l) % 3]);
            assert_int_equal(train(&f, 1e-4, k % 2 ? small : NULL), 0);
            assert_reached(&f, 1e-4);
            assert_true(f.outcome.objective - f.outcome.bound <= 2e-3 * f.outcome.objective);
            kernel_tear_down(&f);
        }
}

/* Small problems of all kinds, some with repeated rows or with weights, some of which are 0. */
static void test_random_problems(void **state) {
    (void)state;
    const struct kernel kernels[] = {gaussian, linear, cubic};
    const char *const bases[] = {"none", "1", "1,2", "1,2,3^2"};
    struct random random;
    random_seed(&random, 19, 1);
    for (int k = 0; k < PART(150, 48); k++) {
        struct kernel_fixture f;
        const char *loss = losses[k % LENGTH(losses)];
        int64_t rows = 12 + (int64_t)(60 * random_unit(&random)), row[80];
        double c = pow(10, 4 * random_unit(&random) - 2);
        struct dataset single = data_for(loss, rows, 100 + (uint64_t)k), data;
        for (int64_t i = 0; i < rows; i++)
            row[i] = k % 3 == 0 ? i / 2 : i;
        assert_int_equal(dataset_select(&single, row, rows, &data, NULL), 0);
        dataset_free(&single);
        if (k % 5 == 0) {
            data.weight = malloc(sizeof *data.weight * (size_t)rows);
            for (int64_t i = 0; i < rows; i++)
                data.weight[i] = (double)(i % 4);
        }
        kernel_set_up(&f, data, loss, kernels[k / 4 % 3], bases[k / 12 % 4], NULL, c);
        assert_int_equal(train(&f, 1e-4, NULL), 0);
        assert_reached(&f, 1e-4);
        kernel_tear_down(&f);
    }
}

/* The same optimum as of the subproblems of pdsg, within both certified gaps. */
static void test_same_optimum(void **state) {
    (void)state;
    const char *const bases[] = {"none", "1", "1,2,3"};
    for (int l = 0; l < LENGTH(losses); l++)
        for (int k = 0; k < LENGTH(bases); k++) {
            struct kernel_fixture f;
            if ((l + k) % PART(2, 3) != 0)
                continue;
            kernel_set_up(&f, data_for(losses[l], 400, 20 + (uint64_t)k), losses[l], gaussian,
                          bases[k], NULL, 5);
            assert_int_equal(kernel_train(&f, "pdsg", 1e-5, 1e6, INFINITY, false, NULL), 0);
            struct outcome other = f.outcome;
            assert_int_equal(train(&f, 1e-5, NULL), 0);
            assert_reached(&f, 1e-5);
            assert_true(f.outcome.bound <= other.objective);
            assert_true(other.bound <= f.outcome.objective);
            assert_near(f.outcome.objective, other.objective, 1e-5 * other.objective);
            kernel_tear_down(&f);
        }
}

/* ---- special data */

static void train_edge(struct dataset data, const char *loss, struct kernel kernel,
                       const char *basis, double c) {
    struct kernel_fixture f;
    kernel_set_up(&f, data, loss, kernel, basis, NULL, c);
    assert_int_equal(train(&f, 1e-3, NULL), 0);
    assert_reached(&f, 1e-3);
    kernel_tear_down(&f);
}

static void test_edges(void **state) {
    (void)state;
    for (int l = 0; l < LENGTH(losses); l++) {
        train_edges(train_edge, losses[l], 100);
        train_edge(data_for(losses[l], 1, 1), losses[l], gaussian, "none", 1);
    }
}

static void test_weights_and_duplicates(void **state) {
    (void)state;
    for (int l = 0; l < LENGTH(losses); l++) {
        int64_t repeated[80];
        struct dataset single = data_for(losses[l], 40, 9), both;
        for (int64_t i = 0; i < 80; i++)
            repeated[i] = i / 2;
        assert_int_equal(dataset_select(&single, repeated, 80, &both, NULL), 0);
        dataset_free(&single);
        both.weight = malloc(sizeof *both.weight * 80);
        for (int i = 0; i < 80; i++)
            both.weight[i] = i % 3;
        train_edge(both, losses[l], gaussian, "1,2", 2);
    }
}

/* Labels of one class alone: theta = 0. */
static void test_one_class(void **state) {
    (void)state;
    struct dataset data = data_for("hinge", 30, 3);
    for (int i = 0; i < 30; i++)
        data.label[i] = -1;
    train_edge(data, "hinge", gaussian, "1", 1);
}

/* Where pairs alone need millions of steps: polynomials of a low rank at a large C, also with more equations. */
static void test_slow_pairs(void **state) {
    (void)state;
    const struct kernel kernels[] = {
        {.kind = KERNEL_POLYNOMIAL, .gamma = 2, .degree = 2},
        {.kind = KERNEL_POLYNOMIAL, .gamma = 3, .shift = 1, .degree = 4},
        {.kind = KERNEL_LINEAR}};
    const char *const bases[] = {"none", "1", "1,2,3^2"};
    for (int l = 0; l < LENGTH(losses); l++)
        for (int k = 0; k < LENGTH(kernels) * LENGTH(bases); k++) {
            struct kernel_fixture f;
            if ((l + k % LENGTH(kernels) + k / LENGTH(kernels)) % PART(1, 3) != 0)
                continue;
            kernel_set_up(&f, data_for(losses[l], 60, 5), losses[l], kernels[k % LENGTH(kernels)],
                          bases[k / LENGTH(kernels)], NULL, 1e4);
            assert_int_equal(kernel_train(&f, "smo", 1e-3, 300, INFINITY, false, NULL), 0);
            assert_reached(&f, 1e-3);
            kernel_tear_down(&f);
        }
}

/* Where progress is slow, interior points end it as soon as iterations have cost as much: these alone take more passes
 * than the limit. */
static void test_slow_progress(void **state) {
    (void)state;
    const struct kernel kernels[] = {{.kind = KERNEL_POLYNOMIAL, .gamma = 1, .degree = 3},
                                     {.kind = KERNEL_GAUSSIAN, .gamma = 0.01}};
    for (int l = 1; l < LENGTH(losses); l++)
        for (int k = 0; k < LENGTH(kernels); k++) {
            struct kernel_fixture f;
            if ((l + k) % PART(1, 2) != 0)
                continue;
            kernel_set_up(&f, data_for(losses[l], 200, 5), losses[l], kernels[k], "1", NULL, 1e6);
            assert_int_equal(kernel_train(&f, "smo", 1e-3, 40, INFINITY, false, NULL), 0);
            assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
            assert_true(f.outcome.objective - f.outcome.bound <= 1e-3 * f.outcome.objective);
            kernel_tear_down(&f);
        }
}

/* The same with a K of low rank, of more rows than all of K would suit: pairs alone take more passes. */
static void test_low_rank(void **state) {
    enum { SEEDS = PART(3, 1) };
    (void)state;
    const struct kernel kernel = {.kind = KERNEL_POLYNOMIAL, .gamma = 0.2, .shift = 1, .degree = 2};
    const char *const small[] = {"kernel-cache=3", NULL}; /* too few for all of K */
    for (int k = 0; k < SEEDS * LENGTH(losses); k++) {
        struct kernel_fixture f;
        const char *loss = losses[k % LENGTH(losses)];
        kernel_set_up(&f, data_for(loss, 600, 5 + k / LENGTH(losses)), loss, kernel, "1", NULL,
                      1e6);
        assert_int_equal(kernel_train(&f, "smo", 1e-3, 6, INFINITY, false, small), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        struct outside o = outside_look(&f);
        assert_near(f.outcome.objective, o.objective, 1e-6 * o.objective);
        assert_true(f.outcome.bound <= o.objective);
        assert_true(o.objective - f.outcome.bound <= 1e-3 * o.objective);
        kernel_tear_down(&f);
    }
}

/* A tolerance of 1e-2 is one of 1e-6 where examples are few. */
static void test_few_examples(void **state) {
    (void)state;
    for (int l = 0; l < LENGTH(losses); l++) {
        struct kernel_fixture f;
        kernel_set_up(&f, data_for(losses[l], 100, 5), losses[l], gaussian, "1", NULL, 10);
        assert_int_equal(kernel_train(&f, "smo", 1e-2, 1e4, INFINITY, false, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(f.outcome.objective - f.outcome.bound <= 1e-6 * f.outcome.objective);
        kernel_tear_down(&f);
    }
}

/* C so large that the optimum is near 0 in its units: rounding to bounds holds no variable there. */
static void test_small_variables(void **state) {
    (void)state;
    struct kernel_fixture f;
    struct dataset data = data_for("hinge", 47, 3);
    for (int64_t n = 0; n < data.start[data.rows]; n++)
        data.value[n] *= 1000;
    kernel_set_up(&f, data, "hinge", linear, "1", NULL, 1e9);
    assert_int_equal(kernel_train(&f, "smo", 1e-3, 1e4, INFINITY, false, NULL), 0);
    assert_true(f.outcome.iterations > 1);
    assert_true(f.outcome.objective < 0.9);
    kernel_tear_down(&f);
}

/* Fewer variables than the equations need are as many as they need. */
static void test_smallest_working_sets(void **state) {
    (void)state;
    const char *const words[][3] = {{"working-set=1", NULL},
                                    {"working-set=2", "kernel-cache=0", NULL},
                                    {"working-set=4", NULL}};
    const char *const bases[] = {"none", "1", "1,2", "1,2,3^2"};
    for (int l = 0; l < LENGTH(losses); l++)
        for (int k = 0; k < LENGTH(words) * LENGTH(bases); k++) {
            struct kernel_fixture f;
            kernel_set_up(&f, data_for(losses[l], 40, 3), losses[l], k % 2 ? gaussian : linear,
                          bases[k / LENGTH(words)], NULL, 3);
            assert_int_equal(train(&f, 1e-3, words[k % LENGTH(words)]), 0);
            assert_reached(&f, 1e-3);
            kernel_tear_down(&f);
        }
}

/* The largest bound of a run's reports. */
static bool note_bound(void *context, const struct monitor *monitor) {
    double *largest = context;
    *largest = fmax(*largest, monitor->last.bound);
    return false;
}

static bool wants_all(void *context) {
    (void)context;
    return true;
}

/* While f comes from rows of floats no bound is reported: it might exceed the optimum. At the end there is one. */
static void test_reported_bounds(void **state) {
    (void)state;
    const char *const solvers[] = {"smo", "pdsg"};
    const double passes[] = {2, 0.8};
    for (int s = 0; s < LENGTH(solvers); s++) {
        struct kernel_fixture f;
        double largest = 0;
        kernel_set_up(&f, data_for("epsilon", 900, 13), "epsilon", gaussian, "1", NULL, 10);
        f.observer = (struct monitor_observer){
            .context = &largest, .report = note_bound, .wants = wants_all};
        assert_int_equal(kernel_train(&f, solvers[s], 1e-4, passes[s], INFINITY, false, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_PASSES);
        assert_true(f.outcome.iterations > 1);
        assert_true(largest == 0);
        assert_true(f.outcome.bound > 0);
        kernel_tear_down(&f);
    }
}

static void test_values_beyond_numbers(void **state) {
    (void)state;
    struct kernel_fixture f;
    const struct kernel steep = {.kind = KERNEL_POLYNOMIAL, .gamma = 1e30, .degree = 20};
    kernel_set_up(&f, data_for("epsilon", 50, 14), "epsilon", steep, "1", NULL, 1);
    assert_int_equal(train(&f, 1e-3, NULL), -1);
    assert_non_null(strstr(f.error.words, "beyond all numbers"));
    kernel_tear_down(&f);
}

/* ---- runs */

/* More variables are free than the first set holds; threads and the size of the cache change no bit. */
static void test_threads_do_not_matter(void **state) {
    (void)state;
    const struct kernel narrow = {.kind = KERNEL_GAUSSIAN, .gamma = 1};
    const char *const small[] = {"kernel-cache=2", NULL};
    const char *const bases[] = {"1", "1,2"};
    const int64_t rows = PART(900, 700);
    double *first = malloc(sizeof *first * (size_t)(rows + 2));
    for (int b = PART(0, 1); b < LENGTH(bases); b++) {
        struct kernel_fixture f;
        kernel_set_up(&f, data_for("epsilon", rows, 21), "epsilon", narrow, bases[b], NULL, 30);
        size_t size = sizeof *first * (size_t)(rows + f.basis.count);
        for (int threads = 1; threads <= 2; threads++) {
            omp_set_num_threads(threads);
            assert_int_equal(train(&f, 1e-3, NULL), 0);
            if (threads == 1) {
                assert_reached(&f, 1e-3);
                memcpy(first, f.w, size);
            }
            assert_memory_equal(first, f.w, size);
        }
        assert_int_equal(train(&f, 1e-3, small), 0);
        assert_reached(&f, 1e-3);
        kernel_tear_down(&f);
    }
    omp_set_num_threads(omp_get_num_procs());
    free(first);
}

/* No row is cached for a variable that was looked at without being moved. */
static void test_rows_of_what_moves(void **state) {
    (void)state;
    enum { ROWS = 3000 };
    const struct kernel wide = {.kind = KERNEL_GAUSSIAN, .gamma = 0.1};
    struct row_cache *cache = NULL;
    struct kernel_fixture f;
    int64_t rows = 0, support = 0;
    kernel_set_up(&f, data_for("hinge", ROWS, 21), "hinge", wide, "1", NULL, 1);
    f.part.rows = &cache;
    assert_int_equal(train(&f, 1e-3, NULL), 0);
    assert_non_null(cache);
    for (int64_t i = 0; i < ROWS; i++) {
        rows += !row_cache_lacks(cache, i);
        support += f.w[i] != 0;
    }
    assert_true(rows >= support);
    assert_true(rows <= support + support / 10);
    row_cache_free(cache);
    kernel_tear_down(&f);
}

static void test_limits_and_starts(void **state) {
    (void)state;
    struct kernel_fixture f;
    kernel_set_up(&f, data_for("epsilon", 900, 13), "epsilon", gaussian, "1,2", NULL, 10);
    assert_int_equal(kernel_train(&f, "smo", 1e-4, 2, INFINITY, false, NULL), 0);
    assert_int_equal(f.outcome.verdict, VERDICT_PASSES);
    assert_true(f.outcome.passes <= 2);
    struct outside o = outside_look(&f);
    assert_near(f.outcome.objective, o.objective, 1e-6 * o.objective);
    assert_int_equal(kernel_train(&f, "smo", 1e-4, 1e6, 0, false, NULL), 0);
    assert_int_equal(f.outcome.verdict, VERDICT_TIME);
    assert_int_equal(train(&f, 1e-4, NULL), 0);
    assert_reached(&f, 1e-4);
    double best = f.outcome.objective;
    assert_int_equal(kernel_train(&f, "smo", 1e-3, 1e6, INFINITY, true, NULL), 0);
    assert_true(f.outcome.iterations <= 2);
    assert_reached(&f, 1e-3);
    for (int64_t i = 0; i < 900; i++) /* a start beyond all bounds, which misses the equations */
        f.w[i] = i % 7 ? 100 : -f.w[i];
    assert_int_equal(kernel_train(&f, "smo", 1e-4, 1e6, INFINITY, true, NULL), 0);
    assert_reached(&f, 1e-4);
    assert_near(f.outcome.objective, best, 1e-5 * best);
    kernel_tear_down(&f);
}

/* The run ends where the last pass, of a second for each coefficient, would end after the limit. */
static void test_last_pass_is_within_the_limit(void **state) {
    (void)state;
    double theta[12] = {0};
    struct solution s = {.c = {.rows = 12}, .theta = theta, .term_seconds = 1};
    struct monitor monitor = {.settings = {.time_limit = 10}, .seconds = 2.5, .since = NAN};
    for (int k = 0; k < 12; k++) {
        assert_int_equal(solution_is_late(&s, &monitor), k > 7); /* 2.5 + k seconds */
        theta[11 - k] = -1;
    }
    s.exact = true; /* the pass was made */
    assert_false(solution_is_late(&s, &monitor));
    s.exact = false;
    monitor.settings.time_limit = INFINITY;
    assert_false(solution_is_late(&s, &monitor));
}

/* Twins with other targets, whose coefficients are as large as C: J is that of the weights with exact distances. */
static void test_twins(void **state) {
    (void)state;
    const struct kernel kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 1000};
    struct kernel_fixture f;
    struct dataset data = random_data(30, 3, false, 5);
    double square = 0, loss = 0;
    for (int64_t i = 0; i < 30; i++) {
        data.start[i + 1] = data.nonzeros = 3 * (i + 1);
        for (int32_t j = 0; j < 3; j++) {
            data.column[3 * i + j] = j;
            data.value[3 * i + j] = 1 + sin((double)(10 * (i / 2) + j));
        }
        data.label[i] = cos((double)i);
    }
    kernel_set_up(&f, data, "epsilon", kernel, "1", NULL, 1e8);
    assert_int_equal(kernel_train(&f, "smo", 1e-6, 1e6, INFINITY, false, NULL), 0);
    for (int64_t i = 0; i < 30; i++) {
        double h = 0;
        for (int64_t k = 0; k < 30; k++) {
            double distance = 0;
            for (int32_t j = 0; j < 3; j++)
                distance += pow(data.value[3 * i + j] - data.value[3 * k + j], 2);
            h += f.w[k] * exp(-1000 * distance);
        }
        square += f.w[i] * h;
        loss += fmax(0, fabs(data.label[i] - h - f.w[30]) - 0.05) / 30;
    }
    assert_near(f.outcome.objective, f.problem.lambda / 2 * square + loss, 1e-7);
    assert_true(f.outcome.objective - f.outcome.bound <= 1e-5 * f.outcome.objective);
    kernel_tear_down(&f);
}

/* At a large C a violation of -e leaves nearly all of J to the loss: a multiple of the weights ends the run
 * (smo_multiple.h), and the model is this multiple. */
static void test_multiples(void **state) {
    (void)state;
    for (double cost = 1e2; cost < 1e9; cost *= 100) {
        struct kernel_fixture f;
        struct kernel narrow = {.kind = KERNEL_GAUSSIAN, .gamma = 4};
        struct dataset data = random_data(300, 8, false, 5);
        for (int64_t i = 0; i < data.rows; i++)
            data.label[i] = data.start[i] == data.start[i + 1] ? 1 : data.label[i];
        kernel_set_up(&f, data, "hinge", narrow, "1", NULL, cost);
        assert_int_equal(kernel_train(&f, "smo", 1e-3, 12, INFINITY, false, NULL), 0);
        struct outside o = outside_look(&f);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_near(f.outcome.objective, o.objective, 1e-8 * o.objective);
        assert_true(f.outcome.bound >= f.outcome.objective * (1 - 1e-3));
        assert_true(o.worst > 1e-5 / cost); /* which alone would not do */
        kernel_tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multiples),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_conditions_hold),
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_same_optimum),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_weights_and_duplicates),
        cmocka_unit_test(test_one_class),
        cmocka_unit_test(test_slow_pairs),
        cmocka_unit_test(test_slow_progress),
        cmocka_unit_test(test_low_rank),
        cmocka_unit_test(test_few_examples),
        cmocka_unit_test(test_small_variables),
        cmocka_unit_test(test_smallest_working_sets),
        cmocka_unit_test(test_reported_bounds),
        cmocka_unit_test(test_values_beyond_numbers),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_rows_of_what_moves),
        cmocka_unit_test(test_limits_and_starts),
        cmocka_unit_test(test_last_pass_is_within_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
