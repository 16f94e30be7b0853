/* test_dcd_shared.c - rows that all processes share: after their steps w is the sum of the rows by their variables,
 * and the other part of the dual is that of these variables. Threads stand in for the processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solvers/dual/dcd_shared.h"
#include "tests/near.h"
#include "tests/shared_rows.h"
#include "tests/thread_communicator.h"

#include <math.h>
#include <string.h>

enum { ROWS = 90, FEATURES = 500, COLUMNS = FEATURES + 1, PER_ROW = 3, PROCESSES = 3 };

/* Few values in each row; every fifth row is the one before it, with the other label. */
static struct dataset sparse_data(uint64_t seed) {
    struct dataset data = {.rows = ROWS, .features = FEATURES, .nonzeros = ROWS * PER_ROW};
    struct random random;
    random_seed(&random, seed, 1);
    data.start = malloc(sizeof *data.start * (ROWS + 1));
    data.column = malloc(sizeof *data.column * ROWS * PER_ROW);
    data.value = malloc(sizeof *data.value * ROWS * PER_ROW);
    data.label = malloc(sizeof *data.label * ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        bool again = i % 5 == 4;
        data.start[i] = i * PER_ROW;
        data.label[i] = again ? -data.label[i - 1] : random_unit(&random) < 0.5 ? -1 : 1;
        for (int64_t k = i * PER_ROW; k < (i + 1) * PER_ROW; k++) {
            int32_t third = FEATURES / PER_ROW;
            data.column[k] = again ? data.column[k - PER_ROW]
                                   : (int32_t)(k % PER_ROW) * third +
                                         (int32_t)random_below(&random, (uint64_t)third);
            data.value[k] = again ? data.value[k - PER_ROW] : 2 * random_unit(&random) - 1;
        }
    }
    data.start[ROWS] = data.nonzeros;
    return data;
}

struct fixture {
    const char *loss;
    struct dataset data;
    struct answer {
        double w[COLUMNS],
            sum[COLUMNS];   /* after the steps; the rows of this process by their variables */
        double linear, own; /* as the steps tell it; of the variables of this process */
        double bound[2];    /* before and after them */
        int64_t shared;
    } answer[PROCESSES];
};

/* Shares rows at w = 0, where all variables are 0, then takes steps on them. */
static void take_steps(struct dcd_rows *rows, struct dcd_shared *shared, struct answer *answer) {
    double score[ROWS] = {0}, work[COLUMNS], beta[DCD_SHARED_MOST];
    struct communicator *c = rows->terms->design->data->communicator;
    answer->bound[0] = dcd_rows_bound(rows);
    for (int k = 0; k < 2; k++)
        dcd_shared_add(shared, score, work);
    answer->shared = shared->data.rows;
    answer->linear = communicator_sum_one(c, dcd_rows_linear(rows));
    dcd_shared_put(shared, beta);
    communicator_sum(c, beta, shared->data.rows);
    dcd_shared_descend(shared, rows->w, beta, 1e-9, &answer->linear);
    answer->bound[1] = dcd_rows_bound(rows);
    answer->own = dcd_rows_linear(rows);
    for (int64_t i = 0; i < rows->terms->design->rows; i++)
        score[i] = dcd_rows_beta(rows, i);
    design_combine_own(rows->terms->design, score, answer->sum);
}

static void work(struct communicator *c, void *context) {
    static const int64_t first[] = {0, 20, 20, ROWS}; /* one has no row */
    struct fixture *f = context;
    struct answer *answer = &f->answer[c->rank];
    struct dataset share;
    share_rows(&f->data, first, c, &share);
    const struct scalar_settings scalar = {.data = &share,
                                           .target = share.label,
                                           .loss = loss_by_name(f->loss),
                                           .parameters = {.tube = 0.1},
                                           .bias = 1};
    const struct problem problem = {.risk = scalar_risk_new(&scalar, NULL),
                                    .regularizer = regularizer_by_name("l2"),
                                    .lambda = 1e-2};
    const struct run_settings run = {.passes = 10, .batch_size = 1, .seed = 3};
    const struct monitor_settings limits = {
        .passes = 10, .time_limit = INFINITY, .communicator = c};
    struct monitor monitor;
    struct dcd_rows rows;
    struct dcd_shared shared;
    monitor_init(&monitor, &limits);
    monitor_begin(&monitor, NULL);
    if (dcd_rows_init(&rows, &problem, problem.risk->scalar, &run, &monitor, answer->w, NULL) ==
            0 &&
        dcd_shared_init(&shared, &rows, &run, NULL) == 0)
        take_steps(&rows, &shared, answer);
    dcd_shared_free(&shared);
    dcd_rows_free(&rows);
    risk_free((struct risk *)problem.risk);
    dataset_free(&share);
}

static void check(const char *loss) {
    struct fixture f = {.loss = loss, .data = sparse_data(5)};
    threads_run(PROCESSES, work, &f);
    const struct answer *one = &f.answer[0];
    double own = 0;
    assert_true(one->shared > 20 && one->bound[1] > one->bound[0] + 1e-3);
    for (int k = 0; k < PROCESSES; k++) {
        assert_int_equal(f.answer[k].shared, one->shared);
        assert_memory_equal(f.answer[k].w, one->w, sizeof one->w);
        own += f.answer[k].own;
    }
    assert_near(one->linear, own, 1e-12 * fabs(own));
    for (int j = 0; j < COLUMNS; j++) {
        double sum = 0;
        for (int k = 0; k < PROCESSES; k++)
            sum += f.answer[k].sum[j];
        assert_near(one->w[j], sum, 1e-10);
    }
    dataset_free(&f.data);
}

static void steps_keep_w_and_the_dual(void **state) {
    (void)state;
    check("hinge");
    check("squared-hinge");
    check("epsilon");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_keep_w_and_the_dual)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
