/* test_dcd_rows.c - epochs of coordinate steps: which rows they visit, alike with any threads and from a state. */
#include "io/state/state.h"
#include "solvers/dual/dcd_rows.h"
#include "tests/random_data.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/temporary.h"

enum { LARGE_ROWS = 6000, LARGE_FEATURES = 60 };

struct fixture {
    struct dataset data;
    struct scalar_settings scalar;
    struct problem problem;
    struct run_settings run;
    struct monitor monitor; /* it has begun */
    struct error error;
};

/* The hinge on data whose first feature tells the labels. */
static void set_up(struct fixture *f, int64_t rows) {
    *f = (struct fixture){.data = random_data(rows, LARGE_FEATURES, false, 9), .run = {.seed = 1}};
    for (int64_t i = 0; i < f->data.rows; i++)
        f->data.value[f->data.start[i]] = 9 * f->data.label[i];
    f->scalar = (struct scalar_settings){
        .data = &f->data, .target = f->data.label, .loss = loss_by_name("hinge"), .bias = -1};
    f->problem = (struct problem){.risk = scalar_risk_new(&f->scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = 1e-4};
    monitor_init(&f->monitor, &(struct monitor_settings){.passes = 100, .time_limit = INFINITY});
    monitor_begin(&f->monitor, NULL);
}

static void tear_down(struct fixture *f) {
    monitor_end(&f->monitor);
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

static void begin(struct fixture *f, struct dcd_rows *rows, double *w) {
    assert_int_equal(dcd_rows_init(rows, &f->problem, f->problem.risk->scalar, &f->run, &f->monitor,
                                   w, &f->error),
                     0);
}

/* The hinge on data that a feature separates: soon few rows move, and only these are visited, by any threads alike. */
static void screening_visits_what_moves(void **state) {
    (void)state;
    struct fixture f;
    double w[2][LARGE_FEATURES], passes = 0;
    set_up(&f, LARGE_ROWS);
    for (int t = 0; t < 2; t++) {
        struct dcd_rows rows;
        begin(&f, &rows, w[t]);
        rows.screens = true;
        omp_set_num_threads(1 + 2 * t);
        for (int epoch = 0; epoch < 4; epoch++) {
            double bound = dcd_rows_bound(&rows);
            passes = dcd_rows_epoch(&rows);
            assert_true(dcd_rows_bound(&rows) > bound);
        }
        assert_true(rows.visits < rows.active);
        assert_true(rows.visits < LARGE_ROWS / 4);
        assert_true(passes < 1.5);
        dcd_rows_free(&rows);
    }
    assert_memory_equal(w[0], w[1], sizeof w[0]);
    omp_set_num_threads(omp_get_num_procs());
    tear_down(&f);
}

static void take_state(struct dcd_rows *rows, const struct dcd_rows *from) {
    struct state *state = state_create(path, NULL);
    assert_non_null(state);
    dcd_rows_visit((struct dcd_rows *)from, state);
    assert_int_equal(state_commit(state, NULL), 0);
    state = state_open(path, NULL);
    assert_non_null(state);
    dcd_rows_visit(rows, state);
    assert_true(state_ended(state) && !state_failed(state));
    state_close(state);
}

/* The first epoch visits a quarter of the rows, so that J has no estimate; the second one begins with a look at all. A
 * run that goes on from the state after any epoch takes the same steps. */
static void the_first_epoch_visits_a_quarter(void **state) {
    (void)state;
    enum { EPOCHS = 5, CUT_ROWS = 400 };
    struct fixture f;
    double w[2][LARGE_FEATURES];
    struct dcd_rows whole, cut;
    set_up(&f, CUT_ROWS);
    begin(&f, &whole, w[0]);
    whole.screens = true;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        begin(&f, &cut, w[1]);
        take_state(&cut, &whole);
        cut.screens = true;
        assert_true(dcd_rows_estimate(&cut) == dcd_rows_estimate(&whole));
        double passes = dcd_rows_epoch(&whole);
        assert_true(dcd_rows_epoch(&cut) == passes);
        assert_memory_equal(w[1], w[0], sizeof w[0]);
        assert_true(dcd_rows_estimate(&cut) == dcd_rows_estimate(&whole));
        assert_true(cut.visits == whole.visits && cut.idle == whole.idle);
        assert_true(isinf(dcd_rows_estimate(&whole)) == (epoch == 0));
        if (epoch == 0)
            assert_true(whole.visits == CUT_ROWS / 4 && passes < 0.3);
        dcd_rows_free(&cut);
    }
    dcd_rows_free(&whole);
    tear_down(&f);
}

static void hold(struct dataset_window *window, int64_t k, int64_t end) {
    (void)window, (void)k, (void)end;
}

static void release(struct dataset_window *window, int64_t k) {
    (void)window, (void)k;
}

static void note_block(void *context, int64_t from, int64_t to) {
    int64_t *rows = context;
    assert_true(from == 0 && to == LARGE_ROWS);
    *rows += to - from;
}

/* Whenever a block is read its first epoch visits all rows, and the others those that the one before moved. The scores
 * are those of the point that was asked for, not of the w that moves. */
static void blocks_are_left_to_what_moves(void **state) {
    (void)state;
    struct dataset_window window = {
        .chunk = LARGE_ROWS, .together = 1, .hold = hold, .release = release};
    struct fixture f;
    double w[LARGE_FEATURES], asked[LARGE_FEATURES] = {3, -1};
    struct dcd_rows rows;
    int64_t noted = 0;
    set_up(&f, LARGE_ROWS);
    f.data.window = &window;
    begin(&f, &rows, w);
    rows.asked = asked;
    rows.after_block = note_block;
    rows.context = &noted;
    for (int epoch = 0; epoch < 3; epoch++) {
        double bound = dcd_rows_bound(&rows);
        rows.active = 0;
        assert_true(dcd_rows_epoch(&rows) == 1);
        assert_true(rows.whole && noted == (epoch + 1) * LARGE_ROWS);
        for (int64_t i = 0; i < LARGE_ROWS; i++)
            assert_true(rows.score[i] == design_score(f.problem.risk->scalar->design, asked, 1, i));
        assert_true(dcd_rows_bound(&rows) > bound);
        assert_true(rows.active > 0 && rows.active < LARGE_ROWS / 4);
    }
    dcd_rows_free(&rows);
    f.data.window = NULL;
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screening_visits_what_moves),
        cmocka_unit_test(the_first_epoch_visits_a_quarter),
        cmocka_unit_test(blocks_are_left_to_what_moves),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
