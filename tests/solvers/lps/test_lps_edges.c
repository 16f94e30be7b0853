/* test_lps_edges.c - lps on data at the edges: nothing in them, equal rows and columns, scales and shapes
 * far apart. */
#include "solvers/lps/lps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

#include "tests/solvers/lps/lps_fixture.h"

static void no_values(struct dataset *data) {
    for (int64_t k = 0; k < data->nonzeros; k++)
        data->value[k] = 0;
}

static void empty_rows(struct dataset *data) {
    memset(data->start, 0, sizeof *data->start * (size_t)(data->rows + 1));
    data->nonzeros = 0;
}

static void empty_columns(struct dataset *data) {
    for (int64_t k = 0; k < data->nonzeros; k++)
        data->column[k] *= 3;
    data->features = 3 * data->features + 5;
}

static void one_class(struct dataset *data) {
    for (int64_t i = 0; i < data->rows; i++)
        data->label[i] = -1;
}

static void one_row(struct dataset *data) {
    data->start[0] = data->start[2];
    data->start[1] = data->start[3];
    data->rows = 1;
    data->nonzeros = data->start[1] - data->start[0];
    memmove(data->column, data->column + data->start[0],
            sizeof *data->column * (size_t)data->nonzeros);
    memmove(data->value, data->value + data->start[0],
            sizeof *data->value * (size_t)data->nonzeros);
    data->start[0] = 0;
    data->start[1] = data->nonzeros;
}

/* The second half of the rows repeats the first. */
static void equal_rows(struct dataset *data) {
    int64_t half = data->rows / 2, nonzeros = data->start[half];
    memcpy(data->column + nonzeros, data->column, sizeof *data->column * (size_t)nonzeros);
    memcpy(data->value + nonzeros, data->value, sizeof *data->value * (size_t)nonzeros);
    for (int64_t i = 0; i < half; i++) {
        data->start[half + i + 1] = nonzeros + data->start[i + 1];
        data->label[half + i] = data->label[i];
    }
    data->rows = 2 * half;
    data->nonzeros = 2 * nonzeros;
}

/* Of each pair of entries of a row the second is the first, in columns of which many are equal. */
static void equal_columns(struct dataset *data) {
    for (int64_t i = 0; i < data->rows; i++) {
        int64_t from = data->start[i], count = (data->start[i + 1] - from) / 2;
        for (int64_t k = 0; k < count; k++) {
            data->column[from + 2 * k] = (int32_t)(2 * k);
            data->column[from + 2 * k + 1] = (int32_t)(2 * k + 1);
            data->value[from + 2 * k + 1] = data->value[from + 2 * k];
        }
        if ((data->start[i + 1] - from) % 2)
            data->value[data->start[i + 1] - 1] = 0;
    }
}

/* Labels by the sign of one feature. */
static void separable(struct dataset *data) {
    for (int64_t i = 0; i < data->rows; i++) {
        bool some = data->start[i + 1] > data->start[i];
        data->label[i] = some && data->value[data->start[i]] > 0 ? 1 : -1;
        if (some)
            data->column[data->start[i]] = 0;
    }
}

static void unequal_scales(struct dataset *data) {
    for (int64_t k = 0; k < data->nonzeros; k++)
        data->value[k] *= pow(10, 8.0 * data->column[k] / (data->features - 1) - 4);
}

static void (*const spoils[])(struct dataset *) = {no_values,     empty_rows, empty_columns,
                                                   one_class,     one_row,    equal_rows,
                                                   equal_columns, separable,  unequal_scales};
enum { SPOILS = sizeof spoils / sizeof *spoils };

/* But for logistic loss of one class, whose infimum of 0 no offset attains. */
static void edges_reach_their_optima(void **state) {
    (void)state;
    static const double fractions[] = {2, 0.5, 1e-2, 1e-4, 1e-8};
    for (int edge = 0; edge < SPOILS; edge++)
        for (int k = 0; k < 5 * 4 * 4; k++) {
            struct other o;
            if ((edge + k % 4 + k / 4 % 2 + k / 8 % 2 + k / 16) % PART(1, 4) != 0)
                continue;
            struct dataset data = random_data(200, 8, false, 3);
            spoils[edge](&data);
            begin_other(&o, data, smooth_losses[k % 4], regularizers[k / 4 % 2], k / 8 % 2);
            train_other(&o, NULL, fractions[k / 16], 1e-8);
            double j = o.outcome.objective, gap = j - o.outcome.bound;
            bool kept = o.outcome.verdict == VERDICT_CONVERGED && gap <= 1e-8 * j;
            if (!kept && j > 1e-16)
                print_error("edge %d, %s, %s, offset %d, part %g: J %g, gap %g, verdict %d\n", edge,
                            smooth_losses[k % 4], regularizers[k / 4 % 2], k / 8 % 2,
                            fractions[k / 16], j, gap, o.outcome.verdict);
            assert_true(kept || j <= 1e-16);
            end_other(&o);
        }
}

/* Rows of weight 0 are not seen, whatever is in them. */
static void rows_without_weight_change_nothing(void **state) {
    (void)state;
    enum { ALL = 200, SEEN = 160 };
    for (int k = 0; k < 16; k++) {
        struct other o[2];
        double weight[ALL];
        for (int part = 0; part < 2; part++) {
            struct dataset data = random_data(ALL, 8, false, 4);
            begin_other(&o[part], data, smooth_losses[k % 4], regularizers[k / 4 % 2], k / 8);
            for (int i = 0; i < ALL; i++)
                weight[i] = i < SEEN ? 1 + i % 3 : 0;
            o[part].scalar.weight = weight;
            for (int64_t j = data.start[SEEN]; j < data.start[ALL]; j++)
                data.value[j] *= 1e6;
            if (part == 1) {
                o[part].data.rows = SEEN;
                o[part].data.nonzeros = data.start[SEEN];
            }
            train_other(&o[part], NULL, 0.01, 1e-12);
        }
        assert_near(o[0].outcome.objective, o[1].outcome.objective, 1e-11 * o[0].outcome.objective);
        for (int j = 0; j < o[0].problem.risk->dimension; j++)
            assert_near(o[0].w[j], o[1].w[j], 1e-6);
        end_other(&o[0]);
        end_other(&o[1]);
    }
}

struct shape {
    int64_t rows;
    int32_t features;
    int filled;
    double part;
};

static const struct shape shapes[] = {
    {20, 5000, 1000, 0.3}, {20, 5000, 1000, 1e-3}, {5000, 6, 3, 0.01},
    {5000, 6, 3, 1e-5},    {600, 900, 30, 0.1},    {600, 900, 30, 1e-2},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void wide_and_tall_data_reach_their_optima(void **state) {
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int k = 0; k < 16; k++) {
            struct other o;
            const struct shape *s = &shapes[shape];
            if ((shape + k % 4 + k / 4) % PART(1, 4) != 0)
                continue;
            begin_other(&o, sparse_data(s->rows, s->features, s->filled, 2), smooth_losses[k % 4],
                        regularizers[k / 4 % 2], k / 8);
            train_other(&o, NULL, s->part, 1e-9);
            if (o.outcome.verdict != VERDICT_CONVERGED || o.outcome.iterations > 60)
                print_error("shape %d, %s, %s, offset %d: J %g, gap %g, %d, %d iterations\n", shape,
                            smooth_losses[k % 4], regularizers[k / 4 % 2], k / 8,
                            o.outcome.objective, o.outcome.objective - o.outcome.bound,
                            o.outcome.verdict, (int)o.outcome.iterations);
            assert_int_equal(o.outcome.verdict, VERDICT_CONVERGED);
            assert_in_range(o.outcome.iterations, 1, 60);
            end_other(&o);
        }
}

/* Targets far from 0, with and without an offset. */
static void large_targets_reach_their_optima(void **state) {
    (void)state;
    for (int k = 0; k < 16; k++) {
        struct other o;
        struct dataset data = random_data(200, 8, false, 5);
        for (int i = 0; i < 200; i++)
            data.label[i] = (k & 4 ? 1e6 : 0) + (k & 8 ? 1e6 : 1) * data.label[i];
        begin_other(&o, data, "squared", regularizers[k / 2 % 2], k % 2);
        train_other(&o, NULL, 0.01, 1e-6);
        assert_int_equal(o.outcome.verdict, VERDICT_CONVERGED);
        end_other(&o);
    }
}

/* More features than examples and a lambda that is tiny beside the targets: coordinate descent is slow on the
 * nonzero weights, and the risk, which other examples hold up, is much larger than the penalty. */
static void a_tiny_lambda_reaches_its_optimum(void **state) {
    static const double fractions[] = {1e-9, 4e-8, 4e-6};
    (void)state;
    for (int k = 0; k < 6; k++) {
        struct other o;
        if ((k / 2 + k % 2) % PART(1, 2) != 0)
            continue;
        struct dataset data = sparse_data(150, PART(3000, 1000), 12, 4);
        struct random random;
        random_seed(&random, 7, 1);
        for (int i = 0; i < 150; i++) {
            data.label[i] = 1e6 * (random_unit(&random) - 0.5);
            for (int64_t j = data.start[i]; i % 5 < 2 && j < data.start[i + 1]; j++)
                data.value[j] = 0;
        }
        begin_other(&o, data, "squared", regularizers[0], k % 2);
        train_other(&o, NULL, fractions[k / 2], 1e-4);
        assert_int_equal(o.outcome.verdict, VERDICT_CONVERGED);
        assert_in_range(o.outcome.iterations, 1, 40);
        end_other(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_reach_their_optima),
        cmocka_unit_test(rows_without_weight_change_nothing),
        cmocka_unit_test(wide_and_tall_data_reach_their_optima),
        cmocka_unit_test(large_targets_reach_their_optima),
        cmocka_unit_test(a_tiny_lambda_reaches_its_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
