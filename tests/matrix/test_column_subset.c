/* test_column_subset.c - some columns of a design against the same columns of the whole, choice after choice;
 * and a risk as a function of the scores against plain loops. */
#include "matrix/column_subset.h"

#include "math/random/random.h"
#include "risk/scores.h"
#include "tests/random_data.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 90, FEATURES = 12, MAX_DIMENSION = FEATURES + 2, MANY_ROWS = 4000 };

struct setting {
    int64_t rows;
    bool ones, intercept;
    double bias;
};

/* The last is large enough for threads. */
static const struct setting settings[] = {
    {ROWS, false, false, -1}, {ROWS, true, false, -1}, {ROWS, false, true, -1},
    {ROWS, true, false, 0.5}, {ROWS, false, true, 2},  {MANY_ROWS, false, true, 0.5},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

struct fixture {
    struct dataset data;
    struct design design;
    struct column_subset subset;
    double *x; /* rows x MOST: the design, and 0 */
    struct random random;
};

static void set_up(struct fixture *f, const struct setting *setting) {
    struct dataset data = random_data(setting->rows, FEATURES, setting->ones, 3);
    *f = (struct fixture){.data = data};
    random_seed(&f->random, 5, 5);
    assert_int_equal(design_init(&f->design, &f->data, setting->bias, setting->intercept, NULL), 0);
    assert_int_equal(f->design.threads, setting->rows == MANY_ROWS);
    assert_int_equal(column_subset_init(&f->subset, &f->design, NULL), 0);
    f->x = calloc((size_t)(data.rows * MAX_DIMENSION), sizeof *f->x);
    for (int64_t i = 0; i < data.rows; i++) {
        double *x = f->x + i * MAX_DIMENSION;
        for (int64_t k = data.start[i]; k < data.start[i + 1]; k++)
            x[data.column[k]] = data.value == NULL ? 1 : data.value[k];
        if (setting->bias >= 0)
            x[FEATURES] = setting->bias;
        if (setting->intercept)
            x[f->design.regularized] = 1;
    }
}

static void tear_down(struct fixture *f) {
    column_subset_free(&f->subset);
    design_free(&f->design);
    dataset_free(&f->data);
    free(f->x);
}

/* Each column with this probability; the offset always. */
static int64_t draw_columns(struct fixture *f, double probability, int64_t *column) {
    int64_t count = 0;
    for (int64_t j = 0; j < f->design.columns; j++)
        if (j >= f->design.regularized || random_unit(&f->random) < probability)
            column[count++] = j;
    return count;
}

static double *draw(struct fixture *f, int64_t n, int zeros) {
    double *x = malloc(sizeof *x * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++)
        x[i] = zeros > 0 && i % zeros == 0 ? 0 : 2 * random_unit(&f->random) - 1;
    return x;
}

static void check_products(struct fixture *f) {
    const struct column_subset *subset = &f->subset;
    int64_t rows = f->data.rows, n = subset->count;
    double *w = draw(f, n, 0), *c = draw(f, rows, 3), *u = draw(f, rows, 0), g[MAX_DIMENSION],
           squares[MAX_DIMENSION];
    design_scores(&subset->design, w, u);
    design_combine(&subset->design, c, g);
    design_combine_squares(&subset->design, c, squares);
    for (int64_t i = 0; i < rows; i++) {
        double expected = 0;
        for (int64_t k = 0; k < n; k++)
            expected += w[k] * f->x[i * MAX_DIMENSION + subset->column[k]];
        assert_near(u[i], expected, 1e-14);
    }
    for (int64_t k = 0; k < n; k++) {
        double sum = 0, sum2 = 0;
        for (int64_t i = 0; i < rows; i++) {
            double x = f->x[i * MAX_DIMENSION + subset->column[k]];
            sum += c[i] * x;
            sum2 += c[i] * x * x;
        }
        assert_near(g[k], sum, 1e-14 * (double)rows);
        assert_near(squares[k], sum2, 4e-14 * (double)rows);
    }
    free(w);
    free(c);
    free(u);
}

/* The copy has exactly the entries of the columns. */
static void check_face(struct fixture *f, const int64_t *column, int64_t count) {
    const struct column_subset *subset = &f->subset;
    int64_t nonzeros = 0, features = 0;
    assert_int_equal(subset->count, count);
    assert_memory_equal(subset->column, column, sizeof *column * (size_t)count);
    for (int64_t k = 0; k < f->data.nonzeros; k++)
        for (int64_t l = 0; l < count; l++)
            nonzeros += f->data.column[k] == column[l];
    for (int64_t l = 0; l < count; l++)
        features += column[l] < FEATURES;
    assert_int_equal(subset->design.rows, f->data.rows);
    assert_int_equal(subset->design.columns, count);
    assert_int_equal(subset->design.regularized, count - f->design.intercept);
    assert_int_equal(subset->data.features, features);
    assert_int_equal(subset->data.nonzeros, nonzeros);
    assert_true((subset->data.value == NULL) == (f->data.value == NULL));
    for (int64_t i = 0; i < f->data.rows; i++)
        for (int64_t k = subset->data.start[i] + 1; k < subset->data.start[i + 1]; k++)
            assert_true(subset->data.column[k] > subset->data.column[k - 1]);
    assert_near(column_subset_share(subset),
                (double)(nonzeros + f->data.rows) / (double)(f->data.nonzeros + f->data.rows),
                1e-15);
    check_products(f);
}

static void build(struct fixture *f, const int64_t *column, int64_t count) {
    assert_int_equal(column_subset_build(&f->subset, column, count, NULL), 0);
    check_face(f, column, count);
}

static void a_face_is_columns_of_the_whole(void **state) {
    (void)state;
    for (int s = 0; s < SETTINGS; s++) {
        struct fixture f;
        int64_t column[MAX_DIMENSION], count, biases = 0, runs = s == SETTINGS - 1 ? 12 : 120;
        set_up(&f, &settings[s]);
        for (int run = 0; run < runs; run++) {
            count = draw_columns(&f, (double[]){0.1, 0.5, 0.9}[run % 3], column);
            build(&f, column, count);
            biases += f.subset.design.bias >= 0;
        }
        assert_true(f.design.bias < 0 ? biases == 0 : biases > 0 && biases < runs);
        tear_down(&f);
    }
}

/* A choice of none, of all, and of one column or the other. */
static void all_and_none_may_be_chosen(void **state) {
    (void)state;
    for (int s = 0; s < SETTINGS; s++)
        for (int order = 0; order < 2; order++) {
            struct fixture f;
            int64_t column[MAX_DIMENSION], n;
            set_up(&f, &settings[s]);
            n = f.design.columns;
            for (int k = 0; k < 6; k++) {
                int64_t count = k % 2 == order ? 0 : n - f.design.intercept;
                for (int64_t j = 0; j < count; j++)
                    column[j] = j;
                if (f.design.intercept)
                    column[count++] = n - 1;
                build(&f, column, count);
            }
            for (int64_t j = 0; j < f.design.regularized; j++) {
                column[0] = j;
                column[1] = n - 1;
                build(&f, column, 1 + f.design.intercept);
            }
            tear_down(&f);
        }
}

/* Choosing the same columns again builds nothing. */
static void the_same_choice_is_kept(void **state) {
    (void)state;
    struct fixture f;
    int64_t column[MAX_DIMENSION];
    set_up(&f, &settings[4]);
    int64_t count = draw_columns(&f, 0.5, column);
    build(&f, column, count);
    f.subset.data.value[0] = 17;
    assert_int_equal(column_subset_build(&f.subset, column, count, NULL), 0);
    assert_near(f.subset.data.value[0], 17, 0);
    build(&f, column + 1, count - 1);
    build(&f, column, count);
    tear_down(&f);
}

static void a_new_choice_does_not_depend_on_the_last(void **state) {
    (void)state;
    struct fixture f;
    int64_t column[MAX_DIMENSION], features[FEATURES];
    set_up(&f, &settings[3]);
    for (int j = 0; j < FEATURES; j++)
        features[j] = j;
    build(&f, features, FEATURES);
    int64_t count = draw_columns(&f, 0.3, column);
    build(&f, column, count);
    int64_t only_bias = FEATURES;
    build(&f, &only_bias, 1);
    build(&f, features, 1);
    tear_down(&f);
}

/* ---- scores */

static const char *const losses[] = {"logistic", "squared-hinge", "squared", "huber"};

struct scored {
    struct fixture f;
    double *target, *weight, *u, *du;
    struct risk *risk;
    const struct scalar_terms *terms;
};

static void set_up_scores(struct scored *s, const char *loss, int64_t rows, bool weighted) {
    set_up(&s->f, &(struct setting){rows, false, true, 0.5});
    s->target = draw(&s->f, rows, 0);
    s->weight = draw(&s->f, rows, 4);
    s->u = draw(&s->f, rows, 0);
    s->du = draw(&s->f, rows, 5);
    for (int64_t i = 0; i < rows; i++) {
        if (loss_by_name(loss)->task == TASK_CLASSIFICATION)
            s->target[i] = s->target[i] > 0 ? 1 : -1;
        s->weight[i] = fabs(s->weight[i]);
        if (weighted && s->weight[i] == 0)
            s->target[i] = NAN;
        s->u[i] *= 3;
    }
    struct scalar_settings scalar = {.data = &s->f.data,
                                     .target = s->target,
                                     .weight = weighted ? s->weight : NULL,
                                     .loss = loss_by_name(loss),
                                     .parameters = {0.1, 0.3, 0.8},
                                     .bias = 0.5,
                                     .intercept = true};
    s->risk = scalar_risk_new(&scalar, NULL);
    s->terms = s->risk->scalar;
}

static void tear_down_scores(struct scored *s) {
    free(s->target);
    free(s->weight);
    free(s->u);
    free(s->du);
    risk_free(s->risk);
    tear_down(&s->f);
}

/* Row by row: R, its derivatives along du, and c l' and c l'' of each. */
static double plain_risk(const struct scored *s, const double *du, double step, double *derivative,
                         double *curvature, double *along) {
    const struct loss *loss = s->terms->loss;
    double sum = 0, weights = 0;
    *along = 0;
    for (int64_t i = 0; i < s->f.data.rows; i++) {
        double c = s->terms->weight == NULL ? 1 : s->terms->weight[i];
        double u = s->u[i] + (du == NULL ? 0 : step * du[i]);
        derivative[i] = curvature[i] = 0;
        weights += c;
        if (c == 0)
            continue;
        sum += c * loss->value(u, s->target[i], &s->terms->parameters, &derivative[i]);
        derivative[i] *= c;
        curvature[i] = c * loss->second(u, s->target[i], &s->terms->parameters);
        *along += du == NULL ? 0 : curvature[i] * du[i] * du[i];
    }
    for (int64_t i = 0; i < s->f.data.rows; i++)
        curvature[i] /= weights;
    *along /= weights;
    return sum / weights;
}

static void check_scores(struct scored *s) {
    int64_t rows = s->f.data.rows;
    size_t size = sizeof(double) * (size_t)rows;
    double *expected = malloc(size), *plain = malloc(size), *derivative = malloc(size), along, none;
    double risk = plain_risk(s, NULL, 0, expected, plain, &none);
    assert_near(scores_risk(s->terms, s->u, NULL, 7, derivative), risk, 1e-14 * risk);
    assert_memory_equal(derivative, expected, size);
    assert_near(scores_risk(s->terms, s->u, NULL, 7, NULL), risk, 1e-14 * risk);
    scores_curvature(s->terms, s->u, derivative);
    for (int64_t i = 0; i < rows; i++)
        assert_near(derivative[i], plain[i], 1e-14 * plain[i]);
    risk = plain_risk(s, s->du, 0.25, expected, plain, &along);
    assert_near(scores_risk(s->terms, s->u, s->du, 0.25, derivative), risk, 1e-14 * risk);
    for (int64_t i = 0; i < rows; i++)
        assert_near(derivative[i], expected[i], 1e-15);
    scores_move(s->terms, s->u, 0.25, s->du);
    assert_near(scores_curvature_along(s->terms, s->u, s->du), along, 1e-13 * along);
    assert_near(scores_risk(s->terms, s->u, NULL, 0, derivative), risk, 1e-14 * risk);
    free(expected);
    free(plain);
    free(derivative);
}

static void scores_are_as_in_plain_loops(void **state) {
    (void)state;
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < 4; k++) {
            struct scored s;
            set_up_scores(&s, losses[l], k / 2 ? MANY_ROWS : ROWS, k % 2);
            check_scores(&s);
            tear_down_scores(&s);
        }
}

/* The risk of the scores X w is R(w). */
static void scores_of_a_point_give_its_risk(void **state) {
    (void)state;
    for (int l = 0; l < 4; l++) {
        struct scored s;
        double gradient[MAX_DIMENSION], expected[MAX_DIMENSION], *derivative;
        set_up_scores(&s, losses[l], ROWS, true);
        double *w = draw(&s.f, MAX_DIMENSION, 0);
        derivative = draw(&s.f, ROWS, 0);
        design_scores(s.terms->design, w, s.u);
        double risk = scores_risk(s.terms, s.u, NULL, 0, derivative);
        assert_near(risk, risk_evaluate(s.risk, w, 0, expected), 1e-15 * risk);
        design_combine(s.terms->design, derivative, gradient);
        for (int j = 0; j < s.risk->dimension; j++)
            assert_near(gradient[j] / s.terms->weight_sum, expected[j], 1e-15);
        free(w);
        free(derivative);
        tear_down_scores(&s);
    }
}

enum { RESULTS = 4 };

/* All that there is, with a subset of some columns, into arrays of this many numbers. */
static void compute_all(struct scored *s, double *rows, double *few) {
    int64_t m = s->f.data.rows, column[] = {0, 3, 4, 9, FEATURES, FEATURES + 1};
    double g[MAX_DIMENSION];
    assert_int_equal(column_subset_build(&s->f.subset, column + 1, 5, NULL), 0);
    assert_int_equal(column_subset_build(&s->f.subset, column, 6, NULL), 0);
    memcpy(rows, s->u, sizeof *rows * (size_t)m);
    few[0] = scores_risk(s->terms, s->u, s->du, 0.3, rows + m);
    few[1] = scores_curvature_along(s->terms, s->u, s->du);
    scores_curvature(s->terms, s->u, rows + 2 * m);
    scores_move(s->terms, rows, 0.7, s->du);
    design_scores(&s->f.subset.design, s->du, rows + 3 * m);
    design_combine(&s->f.subset.design, s->du, g);
    memcpy(few + 2, g, 6 * sizeof *g);
    design_combine_squares(&s->f.subset.design, s->weight, g);
    memcpy(few + 8, g, 6 * sizeof *g);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    for (int l = 0; l < 4; l++) {
        struct scored s;
        double *rows[2], few[2][14];
        set_up_scores(&s, losses[l], MANY_ROWS, true);
        for (int threads = 1; threads <= 4; threads++) {
            int k = threads > 1;
            omp_set_num_threads(threads);
            rows[k] = malloc(sizeof **rows * RESULTS * MANY_ROWS);
            compute_all(&s, rows[k], few[k]);
            assert_memory_equal(few[k], few[0], sizeof few[0]);
            assert_memory_equal(rows[k], rows[0], sizeof **rows * RESULTS * MANY_ROWS);
            if (k > 0)
                free(rows[k]);
        }
        free(rows[0]);
        tear_down_scores(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_is_columns_of_the_whole),
        cmocka_unit_test(all_and_none_may_be_chosen),
        cmocka_unit_test(the_same_choice_is_kept),
        cmocka_unit_test(a_new_choice_does_not_depend_on_the_last),
        cmocka_unit_test(scores_are_as_in_plain_loops),
        cmocka_unit_test(scores_of_a_point_give_its_risk),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
