/* test_smo_nu.c - learned margins: cvxopt's and LIBSVM's optima (tests/references/nu_reference.py), the objective from
 * outside, what nu means, starts, threads, limits; kernels that are not positive semidefinite. */
#include "math/vector.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/kernel/kernel_fixture.h"
#include "tests/size.h"

enum { ROWS = 120, FEATURES = 3 };

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.5};
static const struct kernel cubic = {
    .kind = KERNEL_POLYNOMIAL, .gamma = 0.3, .shift = 0.5, .degree = 3};

struct nu_case {
    char loss[16];
    const struct kernel *kernel;
    double nu, cost;
    int weighted; /* 0: all weights are 1; 2: some are 0 */
};

/* nu_reference.py's data, with the labels of the loss. */
static struct dataset make_data(const struct nu_case *c, int64_t rows) {
    struct dataset data = random_data(rows, FEATURES, false, 1);
    int64_t seed = 1;
    data.weight = calloc((size_t)rows, sizeof *data.weight);
    for (int64_t i = 0; i < rows; i++) {
        double x[FEATURES + 1];
        for (int j = 0; j <= FEATURES; j++) {
            seed = seed * 16807 % 2147483647;
            x[j] = 2 * (double)seed / 2147483647 - 1;
        }
        data.start[i + 1] = data.nonzeros = FEATURES * (i + 1);
        for (int j = 0; j < FEATURES; j++) {
            data.column[FEATURES * i + j] = j;
            data.value[FEATURES * i + j] = x[j];
        }
        double y = x[0] * x[1] + x[1] * x[1] - x[2] / 2 + 0.4 * x[3];
        data.label[i] = strcmp(c->loss, "nu-epsilon") == 0             ? y
                        : strcmp(c->loss, "one-class") == 0 || y > 0.2 ? 1
                                                                       : -1;
        data.weight[i] = c->weighted == 2 && i % 5 == 0 ? 0 : 1 + c->weighted * (double)(i % 3) / 2;
    }
    return data;
}

static void set_up(struct kernel_fixture *f, const struct nu_case *c, int64_t rows) {
    const struct risk_row *row = risk_row_by_name(c->loss);
    struct dataset data = make_data(c, rows);
    kernel_set_up(f, data, row->scalar->name, *c->kernel, "1", NULL, c->cost);
    struct scalar_terms *terms = (struct scalar_terms *)f->problem.risk->scalar;
    terms->margin.learned = row->learned;
    terms->margin.nu = c->nu;
}

/* J of the weights, with all kernel values in doubles: those of nu-hinge have the margin 1. */
static double outside_objective(const struct kernel_fixture *f) {
    const struct scalar_terms *terms = f->problem.risk->scalar;
    enum loss_learned learned = terms->margin.learned;
    double margin = f->outcome.margin, scale = learned == LEARNS_MARGIN ? margin : 1;
    double square = 0, sum = 0, nu = terms->margin.nu;
    for (int64_t i = 0; i < f->data.rows; i++) {
        double score = 0, y = terms->target[i];
        for (int64_t k = 0; k < f->data.rows; k++)
            score += scale * f->w[k] * outside_kernel(f, i, k);
        square += scale * f->w[i] * score;
        score += scale * f->w[f->data.rows];
        sum += f->data.weight[i] * fmax(0, learned == LEARNS_TUBE     ? fabs(score - y) + margin
                                           : learned == LEARNS_MARGIN ? margin - y * score
                                                                      : -score);
    }
    return f->problem.lambda / 2 * square - nu * margin + sum / terms->weight_sum;
}

/* Of the weight, which share lies beyond the margin, and which has a coefficient. */
static void check_shares(const struct kernel_fixture *f, double nu) {
    const struct scalar_terms *terms = f->problem.risk->scalar;
    enum loss_learned learned = terms->margin.learned;
    double beyond = 0, support = 0, margin = f->outcome.margin;
    for (int64_t i = 0; i < f->data.rows; i++) {
        double score = f->w[f->data.rows], y = terms->target[i];
        for (int64_t k = 0; k < f->data.rows; k++)
            score += f->w[k] * outside_kernel(f, i, k);
        double loss = learned == LEARNS_TUBE     ? fabs(score - y) + margin
                      : learned == LEARNS_MARGIN ? margin * (1 - y * score)
                                                 : -score;
        beyond += loss > 1e-4 ? f->data.weight[i] : 0;
        support += f->w[i] != 0 ? f->data.weight[i] : 0;
    }
    assert_true(beyond <= nu * terms->weight_sum * (1 + 1e-9));
    assert_true(support >= nu * terms->weight_sum * (1 - 1e-9));
}

static void test_references(void **state) {
    (void)state;
    FILE *file = fopen("tests/references/nu_reference.tsv", "r");
    char kernel[16];
    struct nu_case c;
    double optimum, margin;
    int rows = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*[^\n]"), 0);
    while (fscanf(file, "%15s %15s %lf %lf %d %lf %lf", c.loss, kernel, &c.nu, &c.cost, &c.weighted,
                  &optimum, &margin) == 7) {
        struct kernel_fixture f;
        c.kernel = strcmp(kernel, "gaussian") == 0 ? &gaussian : &cubic;
        set_up(&f, &c, ROWS);
        assert_int_equal(kernel_train(&f, "smo", 1e-6, 1e6, INFINITY, false, NULL), 0);
        const struct outcome *o = &f.outcome;
        double rounding = 1e-8 * fabs(optimum); /* the table has 9 digits */
        assert_int_equal(o->verdict, VERDICT_CONVERGED);
        assert_true(o->bound <= optimum + rounding);
        assert_true(optimum <= o->objective + rounding);
        assert_true(o->objective - o->bound <= 1e-6 * fabs(optimum));
        assert_near(o->objective, outside_objective(&f), 1e-7 * fabs(optimum));
        assert_near(fabs(o->margin), margin, 1e-3 * margin);
        check_shares(&f, c.nu);
        kernel_tear_down(&f);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 32);
}

static const struct nu_case cases[] = {{"nu-hinge", &gaussian, 0.6, 1, 1},
                                       {"nu-epsilon", &gaussian, 0.4, 10, 1},
                                       {"one-class", &gaussian, 0.2, 1, 1}};

/* Pairs make no progress where C is so large that nearly all variables are at bounds, and K has few columns: interior
 * points do. Examples of the weight 0 take no part. */
static void test_interior_points(void **state) {
    (void)state;
    const struct kernel linear = {.kind = KERNEL_LINEAR},
                        square = {.kind = KERNEL_POLYNOMIAL, .gamma = 1, .degree = 2};
    const struct nu_case hard[] = {{"nu-epsilon", &linear, 0.5, 1e8, 0},
                                   {"nu-epsilon", &linear, 0.2, 1e8, 2},
                                   {"nu-epsilon", &square, 0.7, 1e7, 2},
                                   {"nu-epsilon", &square, 0.3, 1e8, 1}};
    static const double reached[] = {1e-5, 1e-5, 1e-5,
                                     1e-4}; /* rounding leaves 3e-5 of the last, by compiler */
    for (int k = 0; k < 4; k++)
        for (int rows = 24; rows <= 40; rows += PART(8, 16)) {
            struct kernel_fixture f;
            set_up(&f, &hard[k], rows);
            assert_int_equal(kernel_train(&f, "smo", 1e-6, 1e6, INFINITY, false, NULL), 0);
            const struct outcome *o = &f.outcome;
            assert_true(o->objective - o->bound <= reached[k] * fabs(o->objective));
            assert_near(o->objective, outside_objective(&f), 1e-6 * fabs(o->objective));
            kernel_tear_down(&f);
        }
}

/* From the solution of another nu, and from itself; any number of threads. */
static void test_starts(void **state) {
    (void)state;
    for (int k = 0; k < 3; k += PART(1, 2)) {
        struct kernel_fixture f, g;
        struct nu_case other = cases[k];
        other.nu *= 1.2;
        set_up(&f, &cases[k], 600);
        omp_set_num_threads(1);
        assert_int_equal(kernel_train(&f, "smo", 1e-5, 1e6, INFINITY, false, NULL), 0);
        set_up(&g, &cases[k], 600);
        omp_set_num_threads(2);
        assert_int_equal(kernel_train(&g, "smo", 1e-5, 1e6, INFINITY, false, NULL), 0);
        assert_memory_equal(f.w, g.w, sizeof *f.w * 601);
        omp_set_num_threads(omp_get_num_procs());
        int64_t iterations = g.outcome.iterations;
        assert_int_equal(kernel_train(&g, "smo", 1e-5, 1e6, INFINITY, true, NULL), 0);
        assert_near(f.outcome.objective, g.outcome.objective, 2e-5 * fabs(f.outcome.objective));
        assert_true(g.outcome.iterations < iterations);
        kernel_tear_down(&g);
        set_up(&g, &other, 600);
        memcpy(g.w, f.w, sizeof *f.w * 601);
        assert_int_equal(kernel_train(&g, "smo", 1e-5, 1e6, INFINITY, true, NULL), 0);
        assert_int_equal(g.outcome.verdict, VERDICT_CONVERGED);
        assert_near(g.outcome.objective, outside_objective(&g), 1e-6);
        kernel_tear_down(&g);
        kernel_tear_down(&f);
    }
}

/* A run that is cut short still has a bound that holds, and weights of its objective. */
static void test_limits(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++)
        for (double passes = 0.01; passes < 3; passes *= 3) {
            struct kernel_fixture f, g;
            const char *const small[] = {"working-set=20", NULL};
            set_up(&f, &cases[k], ROWS);
            assert_int_equal(kernel_train(&f, "smo", 1e-6, 1e6, INFINITY, false, NULL), 0);
            set_up(&g, &cases[k], ROWS);
            assert_int_equal(kernel_train(&g, "smo", 1e-6, passes, INFINITY, false, small), 0);
            assert_true(g.outcome.bound <= f.outcome.objective);
            assert_true(f.outcome.bound <= g.outcome.objective);
            if (g.outcome.margin > 0 || k > 0)
                assert_near(g.outcome.objective, outside_objective(&g), 1e-6);
            kernel_tear_down(&g);
            kernel_tear_down(&f);
        }
}

/* Basis functions that separate the classes make the margin as large as they like: J has no minimum. */
static void test_no_minimum(void **state) {
    (void)state;
    struct kernel_fixture f;
    struct dataset data = make_data(&cases[0], ROWS);
    for (int64_t i = 0; i < ROWS; i++)
        data.label[i] = data.value[FEATURES * i] > 0 ? 1 : -1;
    kernel_set_up(&f, data, "hinge", gaussian, "1,1^1", NULL, 1);
    struct scalar_terms *terms = (struct scalar_terms *)f.problem.risk->scalar;
    terms->margin.learned = LEARNS_MARGIN;
    terms->margin.nu = 0.6;
    assert_int_equal(kernel_train(&f, "smo", 1e-4, 1e6, INFINITY, false, NULL), 0);
    assert_int_equal(f.outcome.verdict, VERDICT_STALLED);
    assert_true(f.outcome.bound == -INFINITY);
    assert_string_equal(f.outcome.obstacle.what, "an objective without a minimum");
    kernel_tear_down(&f);
}

static void test_nu_is_too_large(void **state) {
    (void)state;
    struct nu_case c = {"nu-hinge", &gaussian, 1, 1, 0};
    struct kernel_fixture f;
    set_up(&f, &c, ROWS);
    assert_int_equal(kernel_train(&f, "smo", 1e-3, 1e6, INFINITY, false, NULL), -1);
    assert_non_null(strstr(f.error.words, "--nu 1 is too large: at most 0."));
    kernel_tear_down(&f);
    for (int k = 1; k < 3; k++) { /* all examples are support vectors */
        c = cases[k];
        c.nu = 1;
        set_up(&f, &c, ROWS);
        f.error = (struct error){0};
        assert_int_equal(kernel_train(&f, "smo", 1e-5, 1e6, INFINITY, false, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_near(f.outcome.objective, outside_objective(&f), 1e-7);
        kernel_tear_down(&f);
    }
}

/* At a point that meets the conditions of the optimum J + lambda F = 0, whatever the kernel; no bound is claimed. */
static void test_sigmoid(void **state) {
    (void)state;
    const struct kernel sigmoid = {.kind = KERNEL_SIGMOID, .gamma = 0.7, .shift = -0.6};
    const char *const losses[] = {"hinge", "epsilon"};
    for (int k = 0; k < 2; k++) {
        struct kernel_fixture f;
        kernel_set_up(&f, data_for(losses[k], 200, 3), losses[k], sigmoid, "1", NULL, 2);
        assert_int_equal(kernel_train(&f, "smo", 1e-4, 1e5, INFINITY, false, NULL), 0);
        struct outside o = outside_look(&f);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(f.outcome.bound == -INFINITY);
        assert_near(f.outcome.objective, o.objective, 1e-9 * (1 + fabs(o.objective)));
        assert_true(o.worst <= 1.01e-4 && o.imbalance <= 1e-4);
        kernel_tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_references),      cmocka_unit_test(test_starts),
        cmocka_unit_test(test_interior_points), cmocka_unit_test(test_no_minimum),
        cmocka_unit_test(test_limits),          cmocka_unit_test(test_nu_is_too_large),
        cmocka_unit_test(test_sigmoid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
