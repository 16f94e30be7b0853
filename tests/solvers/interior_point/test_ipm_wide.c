/* test_ipm_wide.c - systems of fewer rows than columns: their solutions, and trainings by them. */
#include "solvers/interior_point/ipm.h"
#include "solvers/interior_point/ipm_wide.h"

#include "math/matrices/cholesky.h"
#include "math/matrices/gram_tiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/solvers/interior_point/ipm_fixture.h"

enum { FEW_ROWS = 9, MANY_FEATURES = 110, MANY_COLUMNS = MANY_FEATURES + 2 };

/* Entry j of row i with the bias and a 1 for the offset. */
static double entry_of(const struct design *design, int64_t i, int64_t j) {
    const struct dataset *data = design->data;
    if (j >= data->features)
        return j < design->regularized ? design->bias : 1;
    for (int64_t k = data->start[i]; k < data->start[i + 1]; k++)
        if (data->column[k] == j)
            return dataset_entry(data, k);
    return 0;
}

/* The largest entry of H x - v, relative to v's. */
static double residual_of(const struct design *design, double ridge, const double *terms,
                          const double *d, const double *x, const double *v) {
    double largest = 0, scale = 0;
    for (int64_t j = 0; j < design->columns; j++) {
        double sum = j < design->regularized ? (ridge + (terms != NULL ? terms[j] : 0)) * x[j] : 0;
        for (int64_t i = 0; i < design->rows; i++) {
            double u = 0;
            for (int64_t k = 0; k < design->columns; k++)
                u += entry_of(design, i, k) * x[k];
            sum += entry_of(design, i, j) * d[i] * u;
        }
        largest = fmax(largest, fabs(sum - v[j]));
        scale = fmax(scale, fabs(v[j]));
    }
    return largest / scale;
}

/* With and without a bias, an offset and terms, at weights from 0 to large ones. */
static void solutions_have_no_residual(void **state) {
    double d[FEW_ROWS], terms[MANY_COLUMNS], v[MANY_COLUMNS], x[MANY_COLUMNS];
    struct random random;
    (void)state;
    random_seed(&random, 3, 0);
    for (int k = 0; k < 8; k++) {
        struct dataset data = random_data(FEW_ROWS, MANY_FEATURES, k % 2 == 0, 5);
        struct design design;
        struct ipm_wide wide;
        struct error e;
        bool even = (k & 4) != 0;
        assert_int_equal(design_init(&design, &data, (k & 1) != 0 ? 1.5 : -1, (k & 2) != 0, &e), 0);
        assert_true(ipm_shape_is_wide(design.rows, design.columns));
        assert_int_equal(ipm_wide_init(&wide, &design, even, &e), 0);
        for (int round = 0; round < 3; round++) { /* the kernel is kept */
            for (int i = 0; i < FEW_ROWS; i++)
                d[i] = i == 0 ? 0 : pow(10, 6 * random_unit(&random) - 3);
            for (int j = 0; j < MANY_COLUMNS; j++) {
                terms[j] = random_unit(&random);
                x[j] = v[j] = random_unit(&random) - 0.5;
            }
            const double *more = even ? NULL : terms;
            assert_int_equal(ipm_wide_factor(&wide, 0.01, more, d), 0);
            assert_int_equal(ipm_wide_solve(&wide, x, INFINITY), 0);
            assert_true(residual_of(&design, 0.01, more, d, x, v) < 1e-8);
            assert_true(wide.passes >= 3 && wide.passes <= IPM_WIDE_PASSES && wide.error < 1e-10);
            memcpy(x, v, sizeof x);
            assert_int_equal(ipm_wide_solve(&wide, x, 9), 0);
            assert_true(wide.passes <= 9);
        }
        d[1] = NAN;
        assert_int_equal(ipm_wide_factor(&wide, 0.01, even ? NULL : terms, d), -1);
        ipm_wide_free(&wide);
        design_free(&design);
        dataset_free(&data);
    }
}

/* The rows of ONE, so many times. */
static struct dataset copies_of(const struct dataset *one, int copies) {
    struct dataset data = random_data(one->rows * copies, one->features, false, 1);
    for (int64_t i = 0; i <= one->rows * copies; i++)
        data.start[i] = i / one->rows * one->nonzeros + one->start[i % one->rows];
    data.nonzeros = copies * one->nonzeros;
    for (int64_t k = 0; k < data.nonzeros; k++) {
        data.column[k] = one->column[k % one->nonzeros];
        data.value[k] = one->value[k % one->nonzeros];
    }
    return data;
}

/* Trains on COPIES of nine rows, of which J and its bound are those of the rows. */
static struct outcome trained(const struct loss *loss, const char *regularizer, bool intercept,
                              int copies) {
    struct dataset one = random_data(FEW_ROWS, MANY_FEATURES, false, 6);
    struct random random;
    struct fixture f;
    set_up(&f, loss, 0.01);
    dataset_free(&f.data);
    f.data = copies_of(&one, copies);
    f.scalar.bias = 0.5;
    f.scalar.intercept = intercept;
    f.problem.regularizer = regularizer_by_name(regularizer);
    f.problem.parameters.elastic = 0.5;
    random_seed(&random, 9, 0);
    for (int64_t i = 0; i < f.data.rows; i++)
        f.target[i] = i >= FEW_ROWS                       ? f.target[i - FEW_ROWS]
                      : loss->task == TASK_CLASSIFICATION ? one.label[i]
                                                          : 3 * random_unit(&random) + 1;
    assert_int_equal(train(&f, 1e-7, NULL), 0);
    assert_int_equal(ipm_shape_is_wide(f.data.rows, f.problem.risk->dimension), copies == 1);
    assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
    if (strcmp(regularizer, "l2") == 0)
        assert_near(plain_objective(&f), f.outcome.objective, 1e-12);
    tear_down(&f);
    dataset_free(&one);
    return f.outcome;
}

/* Copies make rows too many for a wide system. */
static void copies_of_the_rows_have_the_same_optimum(void **state) {
    static const char *const regularizers[] = {"l2", "l1", "elastic-net"};
    int count;
    const struct loss *losses = loss_table(&count);
    (void)state;
    for (int k = 0; k < 6 * count; k++) {
        const struct loss *loss = &losses[k % count];
        const char *regularizer = regularizers[k / count % 3];
        bool intercept = k >= 3 * count;
        if (!solver_by_name("ipm")->takes_pair(loss, regularizer_by_name(regularizer)))
            continue;
        struct outcome few = trained(loss, regularizer, intercept, 1),
                       many = trained(loss, regularizer, intercept, 10);
        double rounding = 1e-14 * many.objective;
        assert_true(few.bound <= many.objective + rounding);
        assert_true(many.bound <= few.objective + rounding);
        assert_near(few.objective, many.objective, 1e-7 * many.objective);
    }
}

/* A problem of these data, with their labels. */
static void set_up_wide(struct fixture *f, const struct loss *loss, double lambda,
                        struct dataset data) {
    set_up(f, loss, lambda);
    dataset_free(&f->data);
    f->data = data;
    memcpy(f->target, data.label, sizeof *f->target * (size_t)data.rows);
}

/* Features of such sizes leave nothing of the others in XX'. */
static struct dataset spoilt_data(struct random *random) {
    random_seed(random, 2, 0);
    struct dataset data = dense_data(3 * FEW_ROWS, MANY_FEATURES, random);
    for (int64_t i = 0; i < data.rows; i++)
        data.value[i * MANY_FEATURES] *= 1e9;
    return data;
}

/* Large C on features of many sizes. */
static void hard_problems_end_by_their_gap(void **state) {
    static const char *const regularizers[] = {"l2", "l1"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct fixture f;
        set_up_wide(&f, loss_by_name("hinge"), 1e-7,
                    random_data(FEW_ROWS, MANY_FEATURES, false, 6));
        for (int64_t i = 0; i < f.data.nonzeros; i++)
            f.data.value[i] *= pow(10, f.data.column[i] % 5);
        f.scalar.intercept = k >= 2;
        f.problem.regularizer = regularizer_by_name(regularizers[k % 2]);
        assert_int_equal(train(&f, 1e-3, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        tear_down(&f);
    }
}

/* H itself has them. */
static void a_spoilt_system_gives_way(void **state) {
    static const char *const losses[] = {"hinge", "absolute", "huber", "logistic", "squared"};
    (void)state;
    for (int k = 0; k < 5; k++) {
        struct fixture f;
        struct random random;
        set_up_wide(&f, loss_by_name(losses[k]), 1e-4, spoilt_data(&random));
        for (int64_t i = 0; i < f.data.rows && f.scalar.loss->task == TASK_REGRESSION; i++)
            f.target[i] = gaussian(&random);
        assert_int_equal(train(&f, 1e-3, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        tear_down(&f);
    }
}

/* By features of sizes from 1e-6 to 1e6, in the middle of an iteration. */
static void a_direction_that_is_spoilt_is_found_again(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct fixture f;
        struct random random;
        random_seed(&random, seed, 0);
        set_up_wide(&f, loss_by_name("hinge"), 1e-6,
                    dense_data(8 * FEW_ROWS, MANY_FEATURES, &random));
        for (int64_t i = 0; i < f.data.nonzeros; i++)
            f.data.value[i] *= pow(10, f.data.column[i] % 13 - 6);
        f.problem.regularizer = regularizer_by_name("l1");
        assert_int_equal(train(&f, 0.1, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        tear_down(&f);
    }
}

/* Where H costs little, and where rows are not few. */
static void few_columns_and_many_rows_are_not_wide(void **state) {
    (void)state;
    assert_true(ipm_shape_is_wide(9, 100) && !ipm_shape_is_wide(9, 99));
    assert_true(ipm_shape_is_wide(74, 100) && !ipm_shape_is_wide(75, 100));
}

/* Of what is allocated, whatever the rows. */
static void its_memory_is_counted(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        struct random random;
        struct design design;
        struct ipm_wide wide;
        struct error e;
        random_seed(&random, 4, 0);
        struct dataset data = k % 2 == 0
                                  ? dense_data(4 * FEW_ROWS, 40 * MANY_FEATURES, &random)
                                  : random_data(4 * FEW_ROWS, 40 * MANY_FEATURES, (k & 2) != 0, 5);
        assert_int_equal(design_init(&design, &data, (k & 2) != 0 ? 1.5 : -1, (k & 4) != 0, &e), 0);
        assert_int_equal(ipm_wide_init(&wide, &design, true, &e), 0);
        int64_t m = design.rows, batch = wide.gram.dense ? gram_tiles_size(m) : 0;
        int64_t numbers = wide.gram.blocks * (m * m + m + batch) + m * m + 4 * design.columns +
                          6 * m + cholesky_work_size(m);
        assert_true(k % 2 != 0 || batch > 0);
        int64_t columns = 12 * data.nonzeros + 8 * data.features; /* their copy, but for 8 bytes */
        assert_true((double)(8 * numbers + columns) <= ipm_wide_bytes(&design));
        ipm_wide_free(&wide);
        design_free(&design);
        dataset_free(&data);
    }
}

/* Of a matrix of rows x rows alone; with less the run is refused. */
static void its_memory_is_enough(void **state) {
    char limit[2][64];
    struct fixture f;
    struct random random;
    (void)state;
    random_seed(&random, 4, 0);
    set_up_wide(&f, loss_by_name("hinge"), 1e-3, dense_data(FEW_ROWS, MANY_FEATURES, &random));
    assert_int_equal(train(&f, 1e-6, NULL), 0);
    double objective = f.outcome.objective;
    const struct scalar_terms *terms = f.problem.risk->scalar;
    double needed = ipm_wide_bytes(terms->design) + ipm_dual_bytes(terms, false);
    assert_true(needed < gram_bytes(terms->design));
    for (int i = 0; i < 2; i++)
        snprintf(limit[i], sizeof limit[i], "memory=%.17g", (needed + 8 * (i - 0.5)) / 1e6);
    assert_int_equal(train(&f, 1e-6, (const char *const[]){limit[1], NULL}), 0);
    assert_near(f.outcome.objective, objective, 1e-6 * objective);
    assert_int_equal(train(&f, 1e-6, (const char *const[]){limit[0], NULL}), -1);
    tear_down(&f);
}

static void passes_are_within_their_limit(void **state) {
    static const char *const losses[] = {"hinge", "logistic"};
    (void)state;
    for (int k = 0; k < 120; k++) {
        struct fixture f;
        int passes = 1 + k / 2;
        set_up_wide(&f, loss_by_name(losses[k % 2]), 1e-4,
                    random_data(FEW_ROWS, MANY_FEATURES, false, 6));
        assert_int_equal(train_within(&f, 1e-12, passes, INFINITY, NULL), 0);
        assert_true(f.outcome.passes <= passes);
        tear_down(&f);
    }
}

/* Where a run leaves the wide system, and each iteration offers points with zeros. */
static void passes_are_within_their_limit_after_leaving(void **state) {
    (void)state;
    for (int passes = 1; passes < 60; passes++) {
        struct fixture f;
        struct random random;
        set_up_wide(&f, loss_by_name("hinge"), 1e-7, spoilt_data(&random));
        f.problem.regularizer = regularizer_by_name("l1");
        assert_int_equal(train_within(&f, 1e-12, passes, INFINITY, NULL), 0);
        assert_true(f.outcome.passes <= passes);
        tear_down(&f);
    }
}

/* Of a run from w = 0; the lambda of the run before, if there is one, is a hundred times as large. */
static double objective_after(struct fixture *f, struct kept *kept) {
    f->problem.kept = kept;
    memset(f->w, 0, sizeof f->w);
    assert_int_equal(train(f, 1e-9, NULL), 0);
    assert_int_equal(f->outcome.verdict, VERDICT_CONVERGED);
    return f->outcome.objective;
}

/* The next run has the same bits by the matrix that a run has left, whose memory stays where it is; and others by
 * another matrix. One that rounding spoils is not left. */
static void the_kernel_is_kept(void **state) {
    static const char *const losses[] = {"hinge", "logistic"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct fixture f;
        struct kept kept = {0}, none = {0};
        set_up_wide(&f, loss_by_name(losses[k % 2]), 0.01,
                    random_data(FEW_ROWS, MANY_FEATURES, false, 6));
        f.scalar.bias = k < 2 ? 1 : -1;
        f.scalar.intercept = k >= 2;
        objective_after(&f, &kept);
        double *kernel = kept.state;
        assert_true(kernel != NULL && kept.kind == &ipm_wide_kept);
        f.problem.lambda = 1e-4;
        double objective = objective_after(&f, &none);
        assert_true(objective_after(&f, &kept) == objective && kept.state == kernel);
        kept_free(&none);
        none.kind = &ipm_wide_kept; /* without a matrix, as a checkpoint leaves it */
        assert_true(objective_after(&f, &none) == objective && none.state != NULL);
        for (int i = 0; i < FEW_ROWS * FEW_ROWS; i++)
            kernel[i] *= 2;
        int64_t passes = (int64_t)f.outcome.passes;
        memset(f.w, 0, sizeof f.w);
        f.problem.kept = &kept;
        assert_int_equal(train(&f, 1e-9, NULL), 0);
        assert_true(f.outcome.objective != objective || (int64_t)f.outcome.passes != passes);
        kept_free(&kept);
        kept_free(&none);
        tear_down(&f);
    }
    struct fixture f;
    struct random random;
    struct kept kept = {0};
    set_up_wide(&f, loss_by_name("logistic"), 1e-4, spoilt_data(&random));
    objective_after(&f, &kept);
    assert_null(kept.state);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_have_no_residual),
        cmocka_unit_test(copies_of_the_rows_have_the_same_optimum),
        cmocka_unit_test(hard_problems_end_by_their_gap),
        cmocka_unit_test(a_spoilt_system_gives_way),
        cmocka_unit_test(a_direction_that_is_spoilt_is_found_again),
        cmocka_unit_test(few_columns_and_many_rows_are_not_wide),
        cmocka_unit_test(its_memory_is_counted),
        cmocka_unit_test(its_memory_is_enough),
        cmocka_unit_test(passes_are_within_their_limit),
        cmocka_unit_test(passes_are_within_their_limit_after_leaving),
        cmocka_unit_test(the_kernel_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
