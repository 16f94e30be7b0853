/* test_lps_separable.c - lps on nearly separable, text-like data: more features than rows, few in
 * a row, lambda so small that few rows stay within the margin. J is held against a dual value that is
 * computed here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

#include "tests/solvers/lps/lps_fixture.h"

enum { TEXT_ROWS = 400, TEXT_FEATURES = 3000, WORDS = 30 };

/* Words by Zipf's law, rows of length 1; a hundredth of the labels are wrong. */
static struct dataset text_data(uint64_t seed) {
    struct random random;
    struct dataset data = random_data(TEXT_ROWS, WORDS, false, 1);
    random_seed(&random, seed, 4);
    for (int64_t i = 0; i < TEXT_ROWS; i++) {
        double score = 0;
        for (int k = 0; k < WORDS; k++) {
            int32_t width = TEXT_FEATURES / WORDS;
            data.column[i * WORDS + k] =
                width * k + (int32_t)(width * pow(random_unit(&random), 3));
            data.value[i * WORDS + k] = 1 / sqrt(WORDS);
            score += k < 6 ? data.column[i * WORDS + k] % 7 - 3 : 0;
        }
        data.start[i + 1] = (i + 1) * WORDS;
        data.label[i] = (score > 0) == (random_unit(&random) > 0.01) ? 1 : -1;
    }
    data.nonzeros = TEXT_ROWS * WORDS;
    data.features = TEXT_FEATURES;
    return data;
}

/* The dual value of squared hinge and l1, without an offset: alpha_i = 2 max(0, 1 - y u), scaled until
 * ||mean of alpha y x|| <= lambda in the largest component. */
static double dual_value(const struct other *o) {
    double *slope = calloc(TEXT_FEATURES, sizeof *slope), linear = 0, square = 0, largest = 0;
    for (int64_t i = 0; i < TEXT_ROWS; i++) {
        double u = 0, y = o->data.label[i];
        for (int64_t k = o->data.start[i]; k < o->data.start[i + 1]; k++)
            u += o->w[o->data.column[k]] * o->data.value[k];
        double alpha = 2 * fmax(0, 1 - y * u);
        for (int64_t k = o->data.start[i]; k < o->data.start[i + 1]; k++)
            slope[o->data.column[k]] += alpha * y * o->data.value[k] / TEXT_ROWS;
        linear += alpha / TEXT_ROWS;
        square += alpha * alpha / 4 / TEXT_ROWS;
    }
    for (int j = 0; j < TEXT_FEATURES; j++)
        largest = fmax(largest, fabs(slope[j]));
    double theta = fmin(1, o->problem.lambda / largest);
    free(slope);
    return theta * linear - theta * theta * square;
}

/* From 0 to a certified gap of 1e-6, in at most so many passes. */
static void train_text(struct other *o, double fraction, double passes) {
    train_other(o, NULL, fraction, 1e-6);
    assert_int_equal(o->outcome.verdict, VERDICT_CONVERGED);
    assert_true(o->outcome.objective - o->outcome.bound <= 1e-6 * o->outcome.objective);
    if (o->outcome.passes > passes)
        print_error("%s: %g passes\n", o->scalar.loss->name, o->outcome.passes);
    assert_true(o->outcome.passes <= passes);
}

static void squared_hinge_reaches_its_optimum(void **state) {
    (void)state;
    static const double fractions[] = {1e-2, 1e-3}, passes[] = {600, 8000};
    for (int k = 0; k < 6; k += PART(1, 3)) {
        struct other o;
        begin_other(&o, text_data((uint64_t)k), "squared-hinge", "l1", false);
        train_text(&o, fractions[k / 3], passes[k / 3]);
        assert_true(o.outcome.objective - dual_value(&o) <= 1.1e-6 * o.outcome.objective);
        end_other(&o);
    }
}

static void other_losses_and_offsets_reach_their_optima(void **state) {
    (void)state;
    for (int k = 0; k < 32; k++) {
        struct other o;
        if ((k % 4 + k / 4 % 2 + k / 8 % 2 + k / 16) % PART(1, 2) != 0)
            continue;
        begin_other(&o, text_data(11), smooth_losses[k % 4], regularizers[k / 4 % 2], k / 8 % 2);
        o.scalar.bias = k & 16 ? 1 : -1;
        train_text(&o, 1e-2, 3000);
        end_other(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squared_hinge_reaches_its_optimum),
        cmocka_unit_test(other_losses_and_offsets_reach_their_optima),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
