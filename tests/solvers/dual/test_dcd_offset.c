/* test_dcd_offset.c - the offset of dcd: the balance and its bound, the unit within conjugate gradients, the state. */
#include "io/state/state.h"
#include "solvers/dual/dcd_free_rows.h"
#include "solvers/dual/dcd_offset.h"
#include "tests/random_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 40, FEATURES = 12, COLUMNS = FEATURES + 1 };

struct fixture {
    struct dataset data;
    struct scalar_settings scalar;
    struct problem problem;
    struct monitor monitor;
    struct dcd_offset offset;
    struct dcd_rows rows;
    double w[COLUMNS], work[COLUMNS];
    struct error error;
};

/* ONES: all values are 1, of so few features that the unit is 1, too. */
static void set_up(struct fixture *f, const char *loss, bool ones, uint64_t number) {
    *f = (struct fixture){.data = random_data(ROWS, ones ? 3 : FEATURES, ones, number)};
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->data.label,
                                         .loss = loss_by_name(loss),
                                         .parameters = {0.1, 0.3, 0.8},
                                         .bias = -1,
                                         .intercept = true};
    f->problem = (struct problem){.risk = scalar_risk_new(&f->scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 1e-2};
    struct run_settings run = {.seed = 1};
    monitor_init(&f->monitor, &(struct monitor_settings){.passes = 100, .time_limit = INFINITY});
    monitor_begin(&f->monitor, NULL);
    assert_int_equal(dcd_offset_init(&f->offset, &f->problem, f->work, &f->error), 0);
    assert_int_equal(
        dcd_rows_init(&f->rows, &f->problem, &f->offset.terms, &run, &f->monitor, f->w, &f->error),
        0);
}

static void tear_down(struct fixture *f) {
    dcd_rows_free(&f->rows);
    dcd_offset_free(&f->offset);
    monitor_end(&f->monitor);
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

static double size_of_duals(const struct dcd_rows *rows) {
    double size = 0;
    for (int64_t i = 0; i < ROWS; i++)
        size += fabs(rows->row[i].beta);
    return size;
}

/* w = sum_i beta_i x_i, without the offset's weight. */
static void sum_rows(const struct fixture *f, double w[FEATURES]) {
    memset(w, 0, sizeof *w * FEATURES);
    for (int64_t i = 0; i < ROWS; i++)
        held_add(w, f->rows.row[i].beta, &f->data, i);
}

/* After some epochs: the bound that is told is that of the variables once they are balanced. */
static void the_bound_is_that_of_the_balance(void **state) {
    static const char *const losses[] = {"hinge", "squared-hinge", "epsilon", "huber", "squared"};
    (void)state;
    for (size_t l = 0; l < sizeof losses / sizeof *losses; l++)
        for (int epochs = 1; epochs < 7; epochs++) {
            struct fixture f;
            double sum[FEATURES];
            set_up(&f, losses[l], false, (uint64_t)epochs);
            for (int i = 0; i < epochs; i++)
                dcd_rows_epoch(&f.rows);
            double told = dcd_rows_balanced_bound(&f.rows, f.work), b = f.w[FEATURES];
            assert_true(fabs(dcd_rows_sum(&f.rows)) > 1e-9);
            dcd_rows_balance(&f.rows);
            assert_true(fabs(dcd_rows_sum(&f.rows)) <= 1e-13 * size_of_duals(&f.rows));
            assert_near(dcd_rows_bound(&f.rows), told, 1e-13);
            assert_true(f.w[FEATURES] == b);
            sum_rows(&f, sum);
            for (int j = 0; j < FEATURES; j++)
                assert_near(f.w[j], sum[j], 1e-11 * size_of_duals(&f.rows));
            for (int64_t i = 0; i < ROWS; i++)
                assert_true(f.rows.row[i].beta >= f.rows.row[i].low &&
                            f.rows.row[i].beta <= f.rows.row[i].high);
            tear_down(&f);
        }
}

/* Products with the free rows have the square of the unit, whatever it has become. */
static void conjugate_gradients_see_the_unit(void **state) {
    (void)state;
    for (int ones = 0; ones < 2; ones++) {
        struct fixture f;
        struct free_rows free;
        set_up(&f, "hinge", ones != 0, 3);
        assert_true((f.offset.unit == 1) == (ones != 0));
        f.offset.unit_most = 1e3;
        assert_int_equal(free_rows_init(&free, &f.rows, &f.error), 0);
        dcd_rows_epoch(&f.rows);
        for (int times = 0; times < 3; times++) {
            double direction[ROWS], sum[COLUMNS] = {0}, expected = 0;
            free_rows_collect(&free);
            assert_true(free.count > 3);
            free_rows_prepare(&free);
            for (int64_t k = 0; k < free.count; k++) {
                direction[k] = 1 + (double)(k % 3);
                held_add(sum, direction[k], &f.data, free.index[k]);
                sum[f.data.features] += f.offset.unit * direction[k];
            }
            for (int j = 0; j < COLUMNS; j++)
                expected += sum[j] * sum[j];
            assert_near(free_rows_multiply(&free, direction), expected, 1e-12 * expected);
            assert_true(dcd_offset_calm(&f.offset, &f.rows, 0));
        }
        free_rows_free(&free);
        tear_down(&f);
    }
}

/* The first time the centre moves less often, then the unit grows; the curvatures follow, and b stays. */
static void an_offset_is_calmed(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, "hinge", false, 4);
    double unit = f.offset.unit, before = f.rows.row[5].curvature;
    f.offset.unit_most = 4 * unit;
    dcd_offset_watch(&f.offset, &f.rows, true, 3);
    dcd_offset_watch(&f.offset, &f.rows, false, 3);
    dcd_offset_watch(&f.offset, &f.rows, true, 3);
    assert_false(f.offset.swings);
    dcd_offset_watch(&f.offset, &f.rows, true, 3);
    assert_true(f.offset.swings && f.offset.unit == unit && f.w[FEATURES] == 3 / unit);
    assert_true(dcd_offset_calm(&f.offset, &f.rows, 3));
    assert_true(f.offset.unit == 4 * unit && f.w[FEATURES] == 3 / (4 * unit));
    assert_near(f.rows.row[5].curvature, before + 15 * unit * unit, 1e-12 * before);
    assert_true(f.offset.terms.design->bias == 4 * unit);
    assert_false(dcd_offset_calm(&f.offset, &f.rows, 3));
    tear_down(&f);
}

static void visit(struct state *state, void *context) {
    struct fixture *f = context;
    dcd_offset_visit(&f->offset, &f->rows, state);
}

/* A run that goes on has the unit of the one before. */
static void the_state_has_the_unit(void **state) {
    (void)state;
    struct fixture f, other;
    struct state_pack pack = {0};
    set_up(&f, "hinge", false, 4);
    set_up(&other, "hinge", false, 4);
    f.offset.unit_most = 1e3;
    assert_true(dcd_offset_calm(&f.offset, &f.rows, 0) && dcd_offset_calm(&f.offset, &f.rows, 0));
    f.offset.falls = 1;
    assert_int_equal(state_pack(&pack, visit, &f, &f.error), 0);
    assert_int_equal(state_unpack(&pack, visit, &other, &other.error), 0);
    assert_true(other.offset.unit == f.offset.unit && other.offset.swings);
    assert_int_equal(other.offset.falls, 1);
    assert_true(other.offset.terms.design->bias == f.offset.unit);
    for (int64_t i = 0; i < ROWS; i++)
        assert_true(other.rows.row[i].curvature == f.rows.row[i].curvature);
    free(pack.bytes);
    tear_down(&f);
    tear_down(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_that_of_the_balance),
        cmocka_unit_test(conjugate_gradients_see_the_unit),
        cmocka_unit_test(an_offset_is_calmed),
        cmocka_unit_test(the_state_has_the_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
