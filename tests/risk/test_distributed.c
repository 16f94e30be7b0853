/* test_distributed.c - a risk whose rows lie in several processes is that of one process: values, gradients, smoothing,
 * constants and the best offset. Threads stand in for the processes; one of them has no row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "risk/distributed.h"
#include "risk/offset.h"
#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/shared_rows.h"
#include "tests/thread_communicator.h"

enum { ROWS = 60, FEATURES = 5, MOST = FEATURES + 2, PROCESSES = 4 };

static const double mus[] = {0, 0.3};

/* What a risk says at w; of all processes it is the same. */
struct answers {
    double value[2], gradient[2][MOST], constant;
    double smoothing, norm_bound, lipschitz, square[MOST];
    double least, offset, slope[MOST], slope_constant; /* the profile */
};

struct fixture {
    const struct loss *loss;
    struct dataset data;
    double target[ROWS], weight[ROWS], w[MOST];
    bool intercept;
    struct answers answers[PROCESSES];
};

static struct risk *make_risk(const struct fixture *f, const struct dataset *data, int64_t first) {
    const struct scalar_settings settings = {.data = data,
                                             .target = f->target + first,
                                             .weight = f->weight + first,
                                             .loss = f->loss,
                                             .parameters = {0.1, 0.3, 0.8},
                                             .bias = f->intercept ? -1 : 1,
                                             .intercept = f->intercept};
    return scalar_risk_new(&settings, NULL);
}

static void ask(const struct fixture *f, const struct risk *risk, struct answers *a) {
    double slope, w[MOST];
    memcpy(w, f->w, sizeof w);
    for (int k = 0; k < 2; k++)
        a->value[k] = risk_linearize(risk, w, mus[k], a->gradient[k], &a->constant);
    a->norm_bound = risk->kind->norm_bound(risk);
    risk->kind->lipschitz(risk, &a->lipschitz, &slope);
    a->smoothing = risk->smoothing;
    if (risk->kind->profile != NULL && f->intercept) {
        a->least = risk->kind->profile(risk, w, false, 1e-9, a->slope, &a->slope_constant);
        a->offset = w[FEATURES];
    }
    if (risk->kind->squares != NULL)
        risk->kind->squares(risk, a->square);
}

/* The rows of a process, by their rank: 7, 31, none, 22. */
static void train(struct communicator *c, void *context) {
    static const int64_t first[] = {0, 7, 38, 38, ROWS};
    struct fixture *f = context;
    struct dataset share = {0};
    share_rows(&f->data, first, c, &share);
    struct risk *risk = distributed_risk_new(make_risk(f, &share, first[c->rank]), c, false, NULL);
    ask(f, risk, &f->answers[c->rank]);
    risk_free(risk);
    dataset_free(&share);
}

static void set_up(struct fixture *f, const struct loss *loss, bool intercept) {
    struct random random;
    random_seed(&random, 5, 5);
    *f = (struct fixture){.loss = loss, .intercept = intercept};
    f->data = random_data(ROWS, FEATURES, false, 3);
    for (int64_t i = 0; i < ROWS; i++) {
        f->target[i] = loss->task == TASK_REGRESSION ? random_unit(&random) : f->data.label[i];
        f->weight[i] = (double)(i % 4);
    }
    for (int j = 0; j < MOST; j++)
        f->w[j] = 2 * random_unit(&random) - 1;
}

/* The profile is a lower bound of R that is R's minimum over the offset at w. */
static void check_profile(const struct fixture *f, const struct risk *whole,
                          const struct answers *a) {
    double w[MOST], nearby;
    memcpy(w, f->w, sizeof w);
    w[FEATURES] = a->offset;
    assert_near(risk_evaluate(whole, w, 0, NULL), a->least, 1e-13);
    assert_true(a->slope[FEATURES] == 0);
    assert_near(a->slope_constant + vector_dot(a->slope, w, FEATURES), a->least, 2e-9);
    for (int k = 0; k < 40; k++) {
        w[k % FEATURES] += 0.2 * (k % 3 - 1);
        w[FEATURES] = a->offset + 0.1 * (k - 20);
        nearby = risk_evaluate(whole, w, 0, NULL);
        assert_true(nearby >= a->slope_constant + vector_dot(a->slope, w, FEATURES) - 1e-13);
    }
}

static void check(const struct loss *loss, bool intercept) {
    struct fixture f;
    struct answers one = {0};
    const struct answers *a = f.answers;
    set_up(&f, loss, intercept);
    threads_run(PROCESSES, train, &f);
    struct risk *whole = make_risk(&f, &f.data, 0);
    ask(&f, whole, &one);
    for (int rank = 1; rank < PROCESSES; rank++)
        assert_memory_equal(&a[rank], &a[0], sizeof *a);
    for (int k = 0; k < 2; k++) {
        assert_near(a->value[k], one.value[k], 1e-14);
        for (int64_t j = 0; j < whole->dimension; j++)
            assert_near(a->gradient[k][j], one.gradient[k][j], 1e-14);
    }
    assert_near(a->constant, one.constant, 1e-13);
    assert_true(a->constant >=
                a->value[1] - vector_dot(a->gradient[1], f.w, whole->dimension) - 1e-14);
    assert_near(a->norm_bound, one.norm_bound, 1e-13);
    assert_true(a->lipschitz == one.lipschitz);
    assert_true(loss->second == NULL || a->smoothing == 0);
    assert_true(loss->second != NULL || a->value[0] - mus[1] * a->smoothing <= a->value[1] + 1e-14);
    if (intercept)
        check_profile(&f, whole, a);
    risk_free(whole);
    dataset_free(&f.data);
}

static void test_losses(void **state) {
    int count;
    const struct loss *losses = loss_table(&count);
    (void)state;
    for (int k = 0; k < count; k++) {
        check(&losses[k], false);
        check(&losses[k], true);
    }
}

/* The mean squares of the features, the constant one last. */
static void test_squares(void **state) {
    struct fixture f;
    double sum = 0, square[MOST] = {0};
    (void)state;
    set_up(&f, loss_by_name("hinge"), false);
    threads_run(PROCESSES, train, &f);
    for (int64_t i = 0; i < ROWS; i++) {
        sum += f.weight[i];
        square[FEATURES] += f.weight[i];
        for (int64_t k = f.data.start[i]; k < f.data.start[i + 1]; k++)
            square[f.data.column[k]] += f.weight[i] * f.data.value[k] * f.data.value[k];
    }
    for (int j = 0; j <= FEATURES; j++)
        assert_near(f.answers[0].square[j], square[j] / sum, 1e-14);
    dataset_free(&f.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
