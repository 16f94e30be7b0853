/* test_dcd.c - dual coordinate descent on random problems, beside the interior point method: bound <= optimum <=
 * objective; starts, limits, weights and threads. */
#include "io/dataset_window.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/size.h"
#include "tests/solvers/dual/dcd_fixture.h"
#include "tests/temporary.h"

enum { WIDE_ROWS = 150, WIDE_FEATURES = 160 };

static void random_problems_reach_their_optima(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (uint64_t number = (uint64_t)l % PART(3, 7); number < PROBLEMS; number += PART(3, 7)) {
            double epsilon = number % 5 == 0 ? 1e-10 : 1e-6;
            struct fixture f;
            struct result dual = {0}, reference = {0};
            set_up(&f, losses[l], number);
            train(&f, "dcd", epsilon, &dual);
            train(&f, "ipm", 1e-10, &reference);
            if (!agree(&dual.outcome, &reference.outcome, epsilon))
                print_error(
                    "%s, problem %d: J %.17g, bound %.17g, optimum %.17g to %.17g, %g passes\n",
                    losses[l], (int)number, dual.outcome.objective, dual.outcome.bound,
                    reference.outcome.bound, reference.outcome.objective, dual.outcome.passes);
            assert_true(agree(&dual.outcome, &reference.outcome, epsilon));
            tear_down(&f);
        }
}

/* The same examples as rows with all columns. */
static void lay_out_dense(struct fixture *f) {
    struct dataset *data = &f->data;
    int64_t n = data->features;
    double *value = calloc((size_t)(data->rows * n), sizeof *value);
    for (int64_t i = 0; i < data->rows; i++) {
        for (int64_t k = data->start[i]; k < data->start[i + 1]; k++)
            value[i * n + data->column[k]] = dataset_entry(data, k);
        data->start[i] = i * n;
    }
    for (int64_t j = 0; j < n; j++)
        data->column[j] = (int32_t)j;
    free(data->value);
    data->value = value;
    data->start[data->rows] = data->nonzeros = data->rows * n;
    data->dense = true;
    risk_free((struct risk *)f->problem.risk);
    f->problem.risk = scalar_risk_new(&f->scalar, NULL);
    assert_non_null(f->problem.risk);
}

/* Conjugate gradients read dense rows where they are, and sparse ones from a copy: the same steps but for rounding, and
 * so about as many passes, in which dense rows have other shares; by these the epochs without conjugate gradients are
 * chosen. */
static void dense_rows_take_the_same_steps(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        double sparse_steps = 0, dense_steps = 0;
        for (uint64_t number = (uint64_t)l; number < 160; number += PART(8, 16)) {
            struct fixture f;
            struct result sparse = {0}, dense = {0};
            set_up(&f, losses[l], number);
            train(&f, "dcd", 1e-6, &sparse);
            lay_out_dense(&f);
            train(&f, "dcd", 1e-6, &dense);
            assert_true(agree(&dense.outcome, &sparse.outcome, 1e-6));
            sparse_steps += (double)sparse.outcome.iterations;
            dense_steps += (double)dense.outcome.iterations;
            tear_down(&f);
        }
        assert_true(fabs(dense_steps - sparse_steps) <= 0.1 * sparse_steps);
    }
}

/* A window over rows in memory, which says what is held. */
struct shelf {
    struct dataset_window window; /* first */
    int64_t held, most, last, wrong;
};

static void shelf_hold(struct dataset_window *window, int64_t k, int64_t end) {
    (void)end;
    struct shelf *shelf = (struct shelf *)window;
    shelf->wrong += k != 0 && k < shelf->last;
    shelf->last = k;
    shelf->most = ++shelf->held > shelf->most ? shelf->held : shelf->most;
}

static void shelf_release(struct dataset_window *window, int64_t k) {
    struct shelf *shelf = (struct shelf *)window;
    shelf->wrong += k > shelf->last;
    shelf->held--;
}

static struct shelf shelf_of(double spare) {
    return (struct shelf){.window = {.chunk = 3,
                                     .together = 2,
                                     .spare = spare,
                                     .hold = shelf_hold,
                                     .release = shelf_release}};
}

/* Blocks of two chunks of three rows: the same optimum, and the rows are read in order, each block once an epoch;
 * without copies of rows, with some, and with all that are free. */
static void blocks_reach_the_same_optima(void **state) {
    static const double spare[] = {0, 3000, 1e9};
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (uint64_t number = (uint64_t)l; number < 40; number += PART(5, 10)) {
            struct fixture f;
            struct result blocks = {0}, reference = {0};
            set_up(&f, losses[l], number);
            if (f.scalar.intercept) { /* only where all rows are in memory */
                tear_down(&f);
                continue;
            }
            f.problem.lambda = fmax(f.problem.lambda, 0.01);
            train(&f, "dcd", 1e-6, &reference);
            struct shelf shelf = shelf_of(spare[number / 5 % 3]);
            f.data.window = &shelf.window;
            f.passes = 1e6;
            omp_set_num_threads(1);
            train(&f, "dcd", 1e-3, &blocks);
            if (!agree(&blocks.outcome, &reference.outcome, 1e-3))
                fail_msg("%s, problem %d: %.17g, bound %.17g; %.17g", losses[l], (int)number,
                         blocks.outcome.objective, blocks.outcome.bound,
                         reference.outcome.objective);
            assert_int_equal(shelf.held, 0);
            assert_int_equal(shelf.wrong, 0);
            assert_true(shelf.most == (f.data.rows > 3 ? 2 : 1));
            f.warm = true;
            double first = blocks.outcome.objective;
            train(&f, "dcd", 1e-3, &blocks);
            assert_true(blocks.outcome.objective <= first * (1 + 1e-12));
            f.data.window = NULL;
            tear_down(&f);
        }
}

/* After any number of passes the bound holds, and the passes are within the limit. */
static void bounds_hold_at_any_end(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (uint64_t number = (uint64_t)l % PART(1, 4); number < 60; number += PART(1, 4)) {
            struct fixture f;
            struct result cut = {0}, reference = {0};
            set_up(&f, losses[l], number);
            train(&f, "ipm", 1e-10, &reference);
            f.passes = (double)(1 + number);
            train(&f, "dcd", 0, &cut);
            assert_true(cut.outcome.passes <= f.passes + 1e-9);
            assert_true(cut.outcome.bound <= reference.outcome.objective * (1 + 1e-13));
            assert_true(cut.outcome.objective >= reference.outcome.bound * (1 - 1e-13));
            tear_down(&f);
        }
}

/* Where the passes end J is that of the last weights, not of the last epoch that was a power of 2. */
static void the_last_point_is_looked_at(void **state) {
    (void)state;
    int open = 0;
    for (uint64_t number = 0; number < 100; number++) {
        struct fixture f;
        struct result result = {0};
        set_up(&f, "hinge", number);
        f.problem.lambda = 1e-3;
        f.passes = 24;
        train(&f, "dcd", 1e-9, &result);
        open += !f.scalar.intercept &&
                result.outcome.objective - result.outcome.bound > 1e-2 * result.outcome.objective;
        tear_down(&f);
    }
    assert_true(open <= 20);
}

/* More features than rows, each FADES times as large as the one before. */
static void set_up_wide(struct fixture *f, const char *loss, double fades, double lambda,
                        uint64_t number) {
    *f = (struct fixture){.data = random_data(WIDE_ROWS, WIDE_FEATURES, false, number),
                          .passes = 1e5,
                          .seconds = INFINITY};
    for (int64_t k = 0; k < f->data.nonzeros; k++)
        f->data.value[k] *= pow(fades, f->data.column[k]);
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->data.label,
                                         .loss = loss_by_name(loss),
                                         .parameters = {0.1, 0.3, 0.8},
                                         .bias = -1};
    f->problem = (struct problem){.risk = scalar_risk_new(&f->scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = lambda};
}

/* The passes of runs on ten such problems. */
static double passes_of_wide(const char *loss, double fades, double lambda) {
    double passes = 0;
    for (uint64_t number = 0; number < 10; number++) {
        struct outcome outcome;
        struct fixture f;
        double w[WIDE_FEATURES] = {0};
        set_up_wide(&f, loss, fades, lambda, number);
        assert_int_equal(try_train(&f, "dcd", 1e-3, w, &outcome), 0);
        assert_int_equal(outcome.verdict, VERDICT_CONVERGED);
        assert_near(outcome.objective, problem_objective(&f.problem, w), 1e-12 * outcome.objective);
        passes += outcome.passes;
        tear_down(&f);
    }
    return passes;
}

/* Where nearly all dual variables are free J follows the bound by smoothed points alone. */
static void smoothed_points_close_the_gap(void **state) {
    (void)state;
    assert_true(passes_of_wide("absolute", 0.97, 1e-4) < 3400); /* without them 3798 */
}

/* Features of one size: where epochs alone bring the bound up fast, conjugate gradients, of which each product costs
 * nearly a pass, are left out. */
static void fast_epochs_stay_alone(void **state) {
    (void)state;
    assert_true(passes_of_wide("squared-hinge", 1, 1e-2) < 220); /* at every chance 311 */
    assert_true(passes_of_wide("huber", 1, 1e-2) < 310);         /* and 392 */
}

/* Where epochs alone need many passes they come, in spite of what they cost. */
static void slow_epochs_get_help(void **state) {
    (void)state;
    assert_true(passes_of_wide("absolute", 1, 1e-2) < 580); /* at half of the chances 663 */
}

/* Where lambda is so small that nearly all of J is what the last violation leaves, a multiple of w ends the run. */
static void multiples_close_the_gap(void **state) {
    (void)state;
    assert_true(passes_of_wide("hinge", 0.97, 1e-12) < 650); /* without multiples 863 */
}

/* From the optimum, and from that of another lambda: fewer passes, the same optimum. */
static void starts_are_used(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        double cold_passes = 0, warm_passes = 0;
        for (uint64_t number = (uint64_t)l % PART(1, 4); number < 60; number += PART(1, 4)) {
            struct fixture f;
            struct result cold = {0}, warm;
            set_up(&f, losses[l], number);
            train(&f, "dcd", 1e-4, &cold);
            warm = cold;
            f.warm = true;
            train(&f, "dcd", 1e-4, &warm);
            double rounding = f.scalar.intercept ? 1e-15 : 0; /* of a sum in another order */
            assert_true(warm.outcome.objective <= cold.outcome.objective * (1 + rounding));
            cold_passes += cold.outcome.passes;
            warm_passes += warm.outcome.passes;
            f.problem.lambda /= 2;
            train(&f, "dcd", 1e-6, &warm);
            f.warm = false;
            memset(cold.w, 0, sizeof cold.w);
            train(&f, "dcd", 1e-6, &cold);
            assert_true(agree(&warm.outcome, &cold.outcome, 1e-6));
            tear_down(&f);
        }
        if (!(warm_passes < cold_passes))
            print_error("%s: %g passes, from the optimum %g\n", losses[l], cold_passes,
                        warm_passes);
        assert_true(warm_passes < cold_passes);
    }
}

/* Smooth losses: the slopes at the optimum are the dual variables, and nothing is left to do. */
static void slopes_at_the_optimum_close_the_gap(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (uint64_t number = 0; number < 60 && isfinite(loss_by_name(losses[l])->curvature);
             number++) {
            struct fixture f;
            struct result result = {0};
            set_up(&f, losses[l], number);
            train(&f, "dcd", 1e-12, &result);
            f.warm = true;
            train(&f, "dcd", 1e-4, &result);
            assert_int_equal(result.outcome.verdict, VERDICT_CONVERGED);
            assert_true(result.outcome.passes <= 4); /* J, the slopes, w, the certificate */
            tear_down(&f);
        }
}

/* A weight of 2 is the row twice, and a weight of 0 is no row. */
static void weights_are_copies(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        struct fixture f;
        struct result weighted = {0}, copied = {0};
        struct dataset twice = {0};
        double target[2 * ROWS_MOST];
        set_up(&f, losses[l], 8);
        int64_t rows = 0;
        for (int64_t i = 0; i < f.data.rows; i++) {
            f.weight[i] = (double)(i % 3);
            for (int64_t k = 0; k < i % 3; k++) {
                assert_int_equal(dataset_append(&twice, &f.data, i, i + 1, NULL), 0);
                target[rows++] = f.target[i];
            }
        }
        twice.features = f.data.features;
        risk_free((struct risk *)f.problem.risk);
        f.scalar.weight = f.weight;
        f.problem.risk = scalar_risk_new(&f.scalar, NULL);
        train(&f, "dcd", 1e-9, &weighted);
        risk_free((struct risk *)f.problem.risk);
        f.scalar.weight = NULL;
        f.scalar.data = &twice;
        f.scalar.target = target;
        f.problem.risk = scalar_risk_new(&f.scalar, NULL);
        train(&f, "dcd", 1e-9, &copied);
        assert_true(agree(&weighted.outcome, &copied.outcome, 1e-9));
        tear_down(&f);
        dataset_free(&twice);
    }
}

static void a_time_limit_ends_it(void **state) {
    (void)state;
    struct fixture f;
    struct result result = {0};
    set_up(&f, "hinge", 3);
    f.seconds = 1e-9;
    train(&f, "dcd", 1e-12, &result);
    assert_int_equal(result.outcome.verdict, VERDICT_TIME);
    tear_down(&f);
}

struct rises {
    double bound;       /* at the last epoch whose number is a multiple of 5 */
    double delta;       /* of the last report */
    int64_t count, end; /* the run is interrupted at the report of iteration `end` */
};

static bool check_rise(void *context, const struct monitor *monitor) {
    struct rises *rises = context;
    const struct report *report = &monitor->last;
    if (report->iteration % 5 == 0) {
        assert_near(report->delta, 1 - rises->bound / report->bound, 1e-12);
        rises->bound = report->bound;
        rises->count++;
    } else if (report->iteration > 5) {
        assert_true(report->delta == rises->delta);
    }
    rises->delta = report->delta;
    return report->iteration == rises->end;
}

/* Which says in time that the end is near. */
static void reports_say_how_much_the_bound_rises(void **state) {
    (void)state;
    int64_t count = 0;
    for (uint64_t number = 0; number < 20; number++) {
        struct fixture f;
        struct result result = {0};
        struct rises rises = {0};
        set_up(&f, "hinge", number);
        f.observer = (struct monitor_observer){.context = &rises, .report = check_rise};
        train(&f, "dcd", 1e-8, &result);
        assert_int_equal(result.outcome.verdict, VERDICT_CONVERGED);
        count += rises.count;
        tear_down(&f);
    }
    assert_true(count > 20);
}

/* Also where a run goes on from a checkpoint between two of these epochs. */
static void a_run_that_goes_on_says_so_too(void **state) {
    (void)state;
    int64_t count = 0;
    for (uint64_t number = 0; number < 20; number++) {
        struct fixture f;
        struct result result = {.outcome.verdict = VERDICT_INTERRUPTED};
        struct rises rises = {.end = 6 + (int64_t)number % 4};
        set_up(&f, "hinge", number);
        f.observer = (struct monitor_observer){.context = &rises, .report = check_rise};
        unlink(path);
        for (; result.outcome.verdict == VERDICT_INTERRUPTED; rises.end = 0, count++) {
            memset(result.w, 0, sizeof result.w);
            f.checkpoint = checkpoint_new(
                &(struct checkpoint_settings){.path = path, .seconds = 1e9, .command = ""},
                &f.error);
            assert_non_null(f.checkpoint);
            train(&f, "dcd", 1e-12, &result);
            checkpoint_free(f.checkpoint);
        }
        tear_down(&f);
    }
    assert_true(count > 30);
}

/* A gap that rounding forbids: the run ends by itself, near the optimum. */
static void rounding_ends_it(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (uint64_t number = (uint64_t)l % PART(1, 4); number < 40; number += PART(1, 4)) {
            struct fixture f;
            struct result result = {0};
            set_up(&f, losses[l], number);
            train(&f, "dcd", 1e-18, &result);
            assert_true(result.outcome.verdict == VERDICT_STALLED ||
                        result.outcome.verdict == VERDICT_CONVERGED);
            assert_true(result.outcome.passes < 0.5 * f.passes);
            assert_near(result.outcome.bound, result.outcome.objective,
                        1e-9 * result.outcome.objective);
            tear_down(&f);
        }
}

/* Values so large that squares overflow: an end without a wrong claim. */
static void huge_values_claim_nothing(void **state) {
    (void)state;
    static const double scales[] = {1e160, 1e300};
    for (int l = 0; l < LOSSES; l++)
        for (int s = 0; s < 2; s++) {
            struct fixture f;
            struct result result = {0};
            set_up(&f, losses[l], 4);
            for (int64_t k = 0; k < f.data.nonzeros; k++)
                f.data.value[k] *= scales[s];
            f.passes = 500;
            if (try_train(&f, "dcd", 1e-3, result.w, &result.outcome) == 0) {
                assert_true(isfinite(result.outcome.objective));
                assert_true(result.outcome.bound <= result.outcome.objective);
            }
            tear_down(&f);
        }
}

/* ---- data large enough for threads */

enum { LARGE_ROWS = 6000, LARGE_FEATURES = 60 };

static void train_large(const struct dataset *data, const char *solver, const char *loss,
                        int threads, double *w, struct outcome *outcome) {
    struct fixture f = {.passes = 1e4, .seconds = INFINITY};
    f.scalar = (struct scalar_settings){.data = data,
                                        .target = data->label,
                                        .loss = loss_by_name(loss),
                                        .parameters = {0.1, 0.3, 0.8},
                                        .bias = 1};
    f.problem = (struct problem){.risk = scalar_risk_new(&f.scalar, NULL),
                                 .regularizer = regularizer_by_name("l2"),
                                 .lambda = 1e-2};
    omp_set_num_threads(threads);
    memset(w, 0, sizeof *w * (LARGE_FEATURES + 1));
    assert_int_equal(try_train(&f, solver, 1e-4, w, outcome), 0);
    omp_set_num_threads(omp_get_num_procs());
    risk_free((struct risk *)f.problem.risk);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static const char *const names[] = {"hinge", "epsilon", "absolute", "squared-hinge"};
    struct dataset data = random_data(LARGE_ROWS, LARGE_FEATURES, false, 9);
    for (int l = 0; l < 4; l += PART(1, 3)) {
        double w[3][LARGE_FEATURES + 1];
        struct outcome outcome[3], reference;
        for (int t = 0; t < 3; t += PART(1, 2)) {
            train_large(&data, "dcd", names[l], t + 1, w[t], &outcome[t]);
            assert_memory_equal(w[t], w[0], sizeof w[0]);
            assert_true(outcome[t].bound == outcome[0].bound);
        }
        train_large(&data, "ipm", names[l], 1, w[1], &reference);
        assert_true(agree(&outcome[0], &reference, 1e-4));
    }
    dataset_free(&data);
}

/* ---- data larger than memory */

enum { MANY = 400, SOME_FEATURES = 60 };

static bool stop_at(void *context, const struct monitor *monitor) {
    return monitor->last.iteration == *(const int64_t *)context;
}

/* The hinge on DATA behind a window that leaves SPARE bytes for copies; interrupted after iteration END (0: not). */
static void train_behind_window(struct dataset *data, double spare, int64_t end,
                                struct checkpoint *checkpoint, double *w, struct outcome *outcome) {
    struct shelf shelf = shelf_of(spare);
    struct fixture f = {.passes = 1e5,
                        .seconds = INFINITY,
                        .observer = {.context = &end, .report = stop_at},
                        .checkpoint = checkpoint};
    f.scalar = (struct scalar_settings){
        .data = data, .target = data->label, .loss = loss_by_name("hinge"), .bias = 1};
    f.problem = (struct problem){.risk = scalar_risk_new(&f.scalar, NULL),
                                 .regularizer = regularizer_by_name("l2"),
                                 .lambda = 1e-3};
    data->window = &shelf.window;
    memset(w, 0, sizeof *w * (SOME_FEATURES + 1));
    omp_set_num_threads(1);
    assert_int_equal(try_train(&f, "dcd", 1e-5, w, outcome), 0);
    omp_set_num_threads(omp_get_num_procs());
    assert_int_equal(shelf.held, 0);
    data->window = NULL;
    assert_near(outcome->objective, problem_objective(&f.problem, w), 1e-12 * outcome->objective);
    risk_free((struct risk *)f.problem.risk);
}

/* Steps on copies of the rows that are free take the place of most readings. */
static void copies_save_readings(void **state) {
    (void)state;
    static const double spare[] = {0, 3e4, 1e6};
    struct dataset data = random_data(MANY, SOME_FEATURES, false, 8);
    double w[SOME_FEATURES + 1];
    struct outcome outcome[3];
    for (int k = 0; k < 3; k++) {
        train_behind_window(&data, spare[k], 0, NULL, w, &outcome[k]);
        assert_int_equal(outcome[k].verdict, VERDICT_CONVERGED);
        assert_true(outcome[k].bound <= outcome[0].objective * (1 + 1e-13));
        assert_true(outcome[0].bound <= outcome[k].objective * (1 + 1e-13));
    }
    assert_true(outcome[1].passes <= 0.7 * outcome[0].passes);  /* 182 and 348 */
    assert_true(outcome[2].passes <= 0.05 * outcome[0].passes); /* 8 */
    dataset_free(&data);
}

/* A run that goes on from a checkpoint between two readings ends with the same bits: where chance says which rows are
 * copied, and where the last readings look at smoothed points. */
static void readings_go_on(void **state) {
    (void)state;
    static const double spare[] = {3e4, 1e6};
    static const int64_t between[] = {60, 1};
    struct dataset data = random_data(MANY, SOME_FEATURES, false, 8);
    double w[SOME_FEATURES + 1], cut[SOME_FEATURES + 1];
    struct outcome outcome, some;
    for (int k = 0; k < 2; k++) {
        train_behind_window(&data, spare[k], 0, NULL, w, &outcome);
        for (int64_t end = 1; end <= outcome.passes; end += between[k]) {
            unlink(path);
            for (int run = 0; run < 2; run++) {
                struct error error = {0};
                struct checkpoint *checkpoint = checkpoint_new(
                    &(struct checkpoint_settings){.path = path, .seconds = 1e9, .command = ""},
                    &error);
                assert_non_null(checkpoint);
                train_behind_window(&data, spare[k], run == 0 ? end : 0, checkpoint, cut, &some);
                assert_int_equal(some.verdict, run == 0 ? VERDICT_INTERRUPTED : VERDICT_CONVERGED);
                checkpoint_free(checkpoint);
            }
            assert_memory_equal(cut, w, sizeof w);
            assert_true(some.passes == outcome.passes && some.bound == outcome.bound);
        }
    }
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_reach_their_optima),
        cmocka_unit_test(dense_rows_take_the_same_steps),
        cmocka_unit_test(blocks_reach_the_same_optima),
        cmocka_unit_test(copies_save_readings),
        cmocka_unit_test(readings_go_on),
        cmocka_unit_test(bounds_hold_at_any_end),
        cmocka_unit_test(the_last_point_is_looked_at),
        cmocka_unit_test(smoothed_points_close_the_gap),
        cmocka_unit_test(fast_epochs_stay_alone),
        cmocka_unit_test(slow_epochs_get_help),
        cmocka_unit_test(multiples_close_the_gap),
        cmocka_unit_test(starts_are_used),
        cmocka_unit_test(slopes_at_the_optimum_close_the_gap),
        cmocka_unit_test(weights_are_copies),
        cmocka_unit_test(a_time_limit_ends_it),
        cmocka_unit_test(reports_say_how_much_the_bound_rises),
        cmocka_unit_test(a_run_that_goes_on_says_so_too),
        cmocka_unit_test(rounding_ends_it),
        cmocka_unit_test(huge_values_claim_nothing),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, make_path, NULL); /* the runs remove it */
}
