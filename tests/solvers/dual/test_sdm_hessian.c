/* test_sdm_hessian.c - the matrix of sdm's Newton steps against its definition, and that it hears an interruption. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

#include "math/random/random.h"
#include "risk/multiclass.h"
#include "solvers/dual/sdm_hessian.h"

/* Rows of 0, 1, 2 ... positive classes; at least one batch and a part of another. */
enum { ROWS = 300, FEATURES = 11, CLASSES = 5, WEIGHTS = FEATURES * CLASSES };

struct sample {
    struct dataset data;
    double value[ROWS * FEATURES], label[ROWS], weight[ROWS], beta[ROWS * CLASSES];
    int64_t start[ROWS + 1];
    int32_t column[ROWS * FEATURES];
    struct risk *risk;
    struct monitor monitor;
    struct sdm_rows rows;
};

static void open_sample(struct sample *s, const struct monitor_settings *settings) {
    struct random random;
    random_seed(&random, 3, 1);
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ROWS; i++) {
        s->start[i + 1] = (i + 1) * FEATURES;
        s->label[i] = i % CLASSES;
        s->weight[i] = i % 7 == 0 ? 0 : 1 + random_unit(&random);
        for (int j = 0; j < FEATURES; j++) {
            s->column[i * FEATURES + j] = j;
            s->value[i * FEATURES + j] = 2 * random_unit(&random) - 1;
        }
        for (int k = 0; k < CLASSES; k++)
            s->beta[i * CLASSES + k] = random_unit(&random) < i % 6 / 5.0 ? 1 : 0;
    }
    s->data = (struct dataset){.rows = ROWS,
                               .nonzeros = ROWS * FEATURES,
                               .features = FEATURES,
                               .start = s->start,
                               .column = s->column,
                               .value = s->value,
                               .label = s->label};
    struct risk_settings of = {
        .scalar = {.data = &s->data, .target = s->label, .weight = s->weight, .bias = -1},
        .labels = CLASSES};
    s->risk = crammer_singer_risk_new(&of, NULL);
    assert_int_equal(sdm_rows_init(&s->rows, s->risk->margins, 0.01, true, NULL), 0);
    monitor_init(&s->monitor, settings);
    monitor_begin(&s->monitor, NULL);
}

static void close_sample(struct sample *s) {
    monitor_end(&s->monitor);
    sdm_rows_free(&s->rows);
    risk_free(s->risk);
}

/* I + sum_i sigma C_i (I_S - 11'/|S|) (x) x_i x_i', entry by entry. */
static double entry_of(const struct sample *s, double sigma, int at, int other) {
    int a = at / FEATURES, b = other / FEATURES, j = at % FEATURES, l = other % FEATURES;
    double sum = at == other;
    for (int i = 0; i < ROWS; i++) {
        const double *beta = s->beta + i * CLASSES, *x = s->value + i * FEATURES;
        int positive = 0;
        for (int k = 0; k < CLASSES; k++)
            positive += beta[k] > 0;
        if (beta[a] > 0 && beta[b] > 0)
            sum += sigma * s->rows.cost[i] * ((a == b) - 1.0 / positive) * x[j] * x[l];
    }
    return sum;
}

static void the_matrix_is_its_definition(void **state) {
    (void)state;
    static struct sample s;
    static double matrix[WEIGHTS * WEIGHTS];
    struct monitor_settings settings = {.epsilon = 1e-3, .passes = 1e5, .time_limit = INFINITY};
    struct sdm_hessian h;
    open_sample(&s, &settings);
    assert_int_equal(sdm_hessian_init(&h, &s.rows, &s.monitor, NULL), 0);
    for (double sigma = 1; sigma < 20; sigma *= 3) { /* the second one overwrites the first */
        sdm_hessian_compute(&h, s.beta, sigma, matrix);
        for (int a = 0; a < WEIGHTS; a++)
            for (int b = 0; b <= a; b++) {
                double expected = entry_of(&s, sigma, a, b);
                assert_near(matrix[a * WEIGHTS + b], expected, 1e-12 * (1 + fabs(expected)));
            }
    }
    sdm_hessian_free(&h);
    close_sample(&s);
}

static bool counts(void *asked) {
    return __atomic_fetch_add((int *)asked, 1, __ATOMIC_RELAXED) >= 0;
}

/* An end is asked for within each pair of classes, and once it has come nothing more is summed. */
static void an_interruption_is_heard(void **state) {
    (void)state;
    static struct sample s;
    static double matrix[WEIGHTS * WEIGHTS];
    int asked = 0;
    struct monitor_settings settings = {.epsilon = 1e-3,
                                        .passes = 1e5,
                                        .time_limit = INFINITY,
                                        .observer = {.context = &asked, .interrupted = counts}};
    struct sdm_hessian h;
    open_sample(&s, &settings);
    assert_int_equal(sdm_hessian_init(&h, &s.rows, &s.monitor, NULL), 0);
    sdm_hessian_compute(&h, s.beta, 1, matrix);
    assert_true(asked >= CLASSES * (CLASSES - 1) / 2);
    for (int a = 0; a < WEIGHTS; a++)
        for (int b = 0; b <= a; b++)
            assert_true(matrix[a * WEIGHTS + b] == (a == b));
    sdm_hessian_free(&h);
    close_sample(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_its_definition),
        cmocka_unit_test(an_interruption_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
