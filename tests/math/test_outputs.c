/* test_outputs.c - sparse rows times weights of several outputs, beside sums in long doubles, for all numbers of
 * outputs up to some tiles and rows of any length. */
#include "math/outputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/random/random.h"
#include "tests/near.h"

enum { MAX_OUTPUTS = 43, COLUMNS = 23, MAX_WEIGHTS = MAX_OUTPUTS * COLUMNS };

struct sample {
    int32_t column[COLUMNS];
    double value[COLUMNS], w[MAX_WEIGHTS], u[MAX_OUTPUTS];
    struct sparse_row row;
};

static void open_sample(struct sample *s, bool all, bool ones, struct random *random) {
    int64_t count = 0;
    for (int32_t j = 0; j < COLUMNS; j++)
        if (all || random_below(random, 2) == 0) {
            s->column[count] = j;
            s->value[count++] = random_unit(random) - 0.5;
        }
    count = (int64_t)random_below(random, (uint64_t)count + 1);
    s->row = (struct sparse_row){all ? NULL : s->column, ones ? NULL : s->value, count};
    for (int j = 0; j < MAX_WEIGHTS; j++)
        s->w[j] = random_unit(random) - 0.5;
    for (int k = 0; k < MAX_OUTPUTS; k++)
        s->u[k] = random_unit(random) - 0.5;
}

static int64_t column_of(const struct sample *s, int64_t j) {
    return s->row.column == NULL ? j : s->column[j];
}

static double value_of(const struct sample *s, int64_t j) {
    return s->row.value == NULL ? 1 : s->value[j];
}

static void check_score(struct sample *s, int outputs) {
    long double sum[MAX_OUTPUTS];
    double last = outputs < MAX_OUTPUTS ? s->u[outputs] : 0;
    for (int k = 0; k < outputs; k++) {
        sum[k] = s->u[k];
        for (int64_t j = 0; j < s->row.count; j++)
            sum[k] += (long double)value_of(s, j) * s->w[column_of(s, j) * outputs + k];
    }
    outputs_score(&s->row, s->w, outputs, s->u);
    for (int k = 0; k < outputs; k++)
        assert_near(s->u[k], (double)sum[k], 1e-14);
    if (outputs < MAX_OUTPUTS)
        assert_true(s->u[outputs] == last);
}

/* All weights of the row's columns are updated, and no others. */
static void check_add(struct sample *s, int outputs) {
    double expected[MAX_WEIGHTS];
    for (int j = 0; j < MAX_WEIGHTS; j++)
        expected[j] = s->w[j];
    for (int64_t j = 0; j < s->row.count; j++)
        for (int k = 0; k < outputs; k++)
            expected[column_of(s, j) * outputs + k] += value_of(s, j) * s->u[k];
    outputs_add(&s->row, s->w, outputs, s->u);
    for (int j = 0; j < MAX_WEIGHTS; j++)
        assert_near(s->w[j], expected[j], 1e-15);
}

static void rows_meet_all_outputs(void **state) {
    struct random random;
    (void)state;
    random_seed(&random, 1, 2);
    for (int outputs = 1; outputs <= MAX_OUTPUTS; outputs++)
        for (int k = 0; k < 16; k++) {
            struct sample s;
            open_sample(&s, k & 1, k & 2, &random);
            check_score(&s, outputs);
            check_add(&s, outputs);
        }
}

/* Derivatives by none, one, two, three outputs. */
static void few_outputs_are_met(void **state) {
    struct random random;
    (void)state;
    random_seed(&random, 2, 2);
    for (int outputs = 1; outputs <= MAX_OUTPUTS; outputs++)
        for (int k = 0; k < 16; k++) {
            struct sample s;
            double a[MAX_OUTPUTS] = {0};
            open_sample(&s, k & 1, k & 2, &random);
            for (int f = 0; f < k / 4; f++)
                a[random_below(&random, (uint64_t)outputs)] = random_unit(&random) - 0.5;
            for (int o = 0; o < outputs; o++)
                s.u[o] = a[o];
            check_add(&s, outputs);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_meet_all_outputs),
        cmocka_unit_test(few_outputs_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
