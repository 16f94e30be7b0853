/* test_batch_step.c - steps of many items by threads: against one item after the other, against whole gradients, and
 * the same to the bit for any number of threads. */
#include "solvers/online/batch_step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <omp.h>

#include "solvers/solver.h"
#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/solver_options.h"

enum { ROWS = 900, FEATURES = 90, LEAST = 730 /* rows with 2^15 entries */ };

struct fixture {
    struct dataset data;
    struct scalar_settings scalar;
    struct risk *risk;
};

static void set_up(struct fixture *f, int32_t features, bool ones, const char *loss,
                   bool intercept) {
    *f = (struct fixture){.data = random_data(ROWS, features, ones, 3)};
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->data.label,
                                         .loss = loss_by_name(loss),
                                         .bias = intercept ? -1 : 2,
                                         .intercept = intercept};
    f->risk = scalar_risk_new(&f->scalar, NULL);
    assert_non_null(f->risk);
}

static void tear_down(struct fixture *f) {
    risk_free(f->risk);
    dataset_free(&f->data);
}

/* A point with an average over other points, and a scale. */
static void make_point(const struct risk *risk, struct iterate *x) {
    struct random random;
    double *w = malloc(sizeof *w * (size_t)risk->dimension);
    random_seed(&random, 5, 5);
    for (int64_t j = 0; j < risk->dimension; j++)
        w[j] = random_unit(&random) - 0.5;
    assert_int_equal(iterate_init(x, risk, w, true, NULL), 0);
    iterate_count(x, 2);
    iterate_shrink(x, 0.6);
    iterate_count(x, 1);
    free(w);
}

/* The items of the step: all, from the last to the first. */
static void take_items(struct batch_step *batch) {
    for (int64_t i = 0; i < ROWS; i++)
        batch_step_items(batch)[i] = ROWS - 1 - i;
}

/* A step with all items, one after the other; returns ||g||^2. */
static double plain_step(const struct risk *risk, struct iterate *x, double step, double offset,
                         double *loss) {
    struct risk_item *item = risk_items_new(risk, ROWS, NULL);
    double *g = calloc((size_t)risk->dimension, sizeof *g), square = 0;
    *loss = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        risk->kind->item(risk, ROWS - 1 - i, x->v, x->scale, &item[i]);
        *loss += item[i].loss;
    }
    for (int64_t i = 0; i < ROWS; i++)
        for (int p = 0; p < item[i].rows; p++) {
            square += iterate_row_add(g, &item[i].row[p]);
            iterate_add(x, &item[i].row[p], step, offset);
        }
    free(g);
    free(item);
    return square;
}

static void check_same_point(const struct iterate *a, const struct iterate *b) {
    for (int64_t j = 0; j < a->n; j++) {
        assert_near(a->v[j], b->v[j], 1e-11 * (1 + fabs(b->v[j])));
        assert_near(a->correction[j], b->correction[j], 1e-11 * (1 + fabs(b->correction[j])));
    }
    assert_near(a->square, b->square, 1e-10 * b->square);
}

static void check_step(const char *loss, bool ones, bool intercept) {
    struct fixture f;
    struct iterate x, y, first;
    set_up(&f, FEATURES, ones, loss, intercept);
    make_point(f.risk, &x);
    double sum, square = plain_step(f.risk, &x, -0.01, -0.02, &sum);
    for (int threads = 1; threads <= 5; threads++) {
        struct batch_step *batch;
        struct risk_item *item = risk_items_new(f.risk, ROWS, NULL);
        omp_set_num_threads(threads);
        assert_int_equal(batch_step_new(f.risk, ROWS, &batch, NULL), 0);
        make_point(f.risk, &y);
        take_items(batch);
        assert_true(batch_step_losses(batch, &y, item) == sum);
        assert_true(batch_step_is_dense(batch));
        assert_near(batch_step_square(batch), square, 1e-10 * square);
        batch_step_add(batch, &y, -0.01, -0.02);
        check_same_point(&y, &x);
        take_items(batch); /* g is 0 again */
        batch_step_losses(batch, &y, item);
        batch_step_add(batch, &y, -0.01, -0.02);
        if (threads == 1)
            assert_int_equal(iterate_clone(&y, &first, NULL), 0);
        assert_memory_equal(y.v, first.v, sizeof *y.v * (size_t)y.n);
        assert_memory_equal(y.correction, first.correction, sizeof *y.v * (size_t)y.n);
        assert_true(y.square == first.square);
        iterate_free(&y);
        batch_step_free(batch);
        free(item);
    }
    iterate_free(&first);
    iterate_free(&x);
    tear_down(&f);
}

static void a_step_is_that_of_its_items(void **state) {
    (void)state;
    check_step("logistic", false, false);
    check_step("logistic", true, true);
    check_step("hinge", false, true);
}

static void few_entries_need_no_threads(void **state) {
    (void)state;
    struct fixture f;
    struct iterate x;
    struct batch_step *batch;
    set_up(&f, FEATURES, false, "logistic", false);
    assert_int_equal(batch_step_new(f.risk, LEAST - 50, &batch, NULL), 0);
    assert_null(batch);
    assert_int_equal(batch_step_new(f.risk, LEAST + 50, &batch, NULL), 0);
    assert_non_null(batch);
    batch_step_free(batch);
    tear_down(&f);
    set_up(&f, FEATURES, false, "absolute", false); /* no example has a loss: g has no entries */
    struct risk_item *item = risk_items_new(f.risk, ROWS, NULL);
    for (int64_t i = 0; i < ROWS; i++)
        f.data.label[i] = 0;
    assert_int_equal(batch_step_new(f.risk, ROWS, &batch, NULL), 0);
    make_point(f.risk, &x);
    iterate_reset(&x);
    x.v[FEATURES] = 0;
    take_items(batch);
    assert_true(batch_step_losses(batch, &x, item) == 0);
    assert_false(batch_step_is_dense(batch));
    iterate_free(&x);
    batch_step_free(batch);
    free(item);
    tear_down(&f);
}

/* With all examples in each step, Pegasos is w <- (1 - 1/t) w - 1/(lambda t) grad R(w), without random choices. */
static void whole_batches_are_gradient_steps(void **state) {
    enum { STEPS = 6 };
    static const char *const words[] = {"project=off", "limit-steps=off", NULL};
    const double lambda = 0.1;
    struct fixture f;
    struct outcome outcome;
    (void)state;
    set_up(&f, FEATURES, false, "logistic", false);
    const int64_t n = f.risk->dimension;
    double *w = calloc((size_t)n, sizeof *w), *plain = calloc((size_t)n, sizeof *w),
           *g = calloc((size_t)n, sizeof *w);
    const struct problem problem = {
        .risk = f.risk, .regularizer = regularizer_by_name("l2"), .lambda = lambda};
    const struct run_settings run = {
        .passes = STEPS, .passes_given = true, .batch_size = ROWS, .seed = 1};
    void *options = solver_options_parse(solver_by_name("pegasos"), words);
    struct monitor monitor;
    monitor_init(&monitor, &(struct monitor_settings){.passes = STEPS, .time_limit = INFINITY});
    monitor_begin(&monitor, NULL);
    const struct solve solve = {&problem, &run, options, &monitor, w, &outcome};
    assert_int_equal(solver_by_name("pegasos")->train(&solve, NULL), 0);
    monitor_end(&monitor);
    for (int t = 1; t <= STEPS; t++) {
        f.risk->kind->evaluate(f.risk, plain, 0, g, NULL);
        for (int64_t j = 0; j < n; j++)
            plain[j] = (1 - 1.0 / t) * plain[j] - g[j] / (lambda * t);
    }
    for (int64_t j = 0; j < n; j++)
        assert_near(w[j], plain[j], 1e-10 * (1 + fabs(plain[j])));
    free(options);
    free(w);
    free(plain);
    free(g);
    tear_down(&f);
}

/* The second half of the rows becomes the first half again. */
static void repeat_rows(struct dataset *data) {
    const int64_t half = data->rows / 2, entries = data->start[half];
    memcpy(data->column + entries, data->column, sizeof *data->column * (size_t)entries);
    memcpy(data->label + half, data->label, sizeof *data->label * (size_t)half);
    if (data->value != NULL)
        memcpy(data->value + entries, data->value, sizeof *data->value * (size_t)entries);
    for (int64_t i = 0; i < half; i++)
        data->start[half + i] = entries + data->start[i];
    data->start[data->rows] = data->nonzeros = 2 * entries;
}

/* Steps of proximal with all examples, in the metric of the features; w to be freed. */
static double *train_in_metric(struct fixture *f, int64_t rows) {
    enum { STEPS = 12 };
    static const char *const words[] = {"metric=features", NULL};
    struct outcome outcome;
    f->data.rows = rows;
    f->data.nonzeros = f->data.start[rows];
    risk_free(f->risk);
    f->risk = scalar_risk_new(&f->scalar, NULL);
    double *w = calloc((size_t)f->risk->dimension, sizeof *w);
    const struct problem problem = {
        .risk = f->risk, .regularizer = regularizer_by_name("l2"), .lambda = 1e-3};
    const struct run_settings run = {
        .passes = STEPS, .passes_given = true, .batch_size = rows, .seed = 1};
    void *options = solver_options_parse(solver_by_name("proximal"), words);
    struct monitor monitor;
    monitor_init(&monitor, &(struct monitor_settings){.passes = STEPS, .time_limit = INFINITY});
    monitor_begin(&monitor, NULL);
    const struct solve solve = {&problem, &run, options, &monitor, w, &outcome};
    assert_int_equal(solver_by_name("proximal")->train(&solve, NULL), 0);
    monitor_end(&monitor);
    free(options);
    return w;
}

/* In a metric steps by threads are those of one example after the other, as the first half alone has too few entries
 * for them; and the same to the bit for any number of threads. */
static void steps_in_a_metric_are_those_of_their_examples(void **state) {
    (void)state;
    for (int form = 0; form < 4; form++) {
        struct fixture f;
        double *first = NULL;
        set_up(&f, FEATURES, form & 1, form & 2 ? "logistic" : "hinge", form == 1 || form == 2);
        repeat_rows(&f.data);
        double *plain = train_in_metric(&f, ROWS / 2);
        for (int threads = 1; threads <= 3; threads++) {
            omp_set_num_threads(threads);
            double *w = train_in_metric(&f, ROWS);
            for (int64_t j = 0; j < f.risk->dimension; j++)
                assert_near(w[j], plain[j], 1e-9 * (1 + fabs(plain[j])));
            if (first != NULL)
                assert_memory_equal(w, first, sizeof *w * (size_t)f.risk->dimension);
            free(first);
            first = w;
        }
        free(first);
        free(plain);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_that_of_its_items),
        cmocka_unit_test(few_entries_need_no_threads),
        cmocka_unit_test(whole_batches_are_gradient_steps),
        cmocka_unit_test(steps_in_a_metric_are_those_of_their_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
