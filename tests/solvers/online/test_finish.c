/* test_finish.c - runs of proximal that another solver ends, on small data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/size.h"
#include "tests/solvers/online/online_fixture.h"

static const char *const dual[] = {"metric=dual", NULL};

/* Other data: all features are nearly one, and what differs, by about NOISE, separates the classes. */
static void set_up_hard(struct fixture *f, const char *loss, int rows, int columns, double noise,
                        double lambda, bool intercept) {
    set_up_with(f, loss, lambda, -1, false, intercept);
    risk_free(f->risk);
    dataset_free(&f->data);
    f->data = random_data(rows, columns, false, 2); /* with room for all entries */
    struct random random;
    random_seed(&random, 1, 2);
    f->data.nonzeros = 0;
    for (int i = 0; i < rows; i++) {
        double common = random_unit(&random) - 0.5, score = 0;
        for (int j = 0; j < columns; j++) {
            double own = random_unit(&random) - 0.5;
            f->data.column[f->data.nonzeros] = j;
            f->data.value[f->data.nonzeros++] = common + noise * own;
            score += (j % 2 ? 1 : -1) * own;
        }
        f->data.start[i + 1] = f->data.nonzeros;
        f->data.label[i] = score > 0 ? 1 : -1;
    }
    f->scalar.target = f->data.label;
    f->problem.risk = f->risk = scalar_risk_new(&f->scalar, NULL);
}

/* J of SOLVER to a gap of 1e-8. */
static double optimum_of(struct fixture *f, const char *solver) {
    double *w = calloc((size_t)f->risk->dimension, sizeof *w);
    struct run_settings run = f->run;
    f->run.passes = 5000;
    f->epsilon = 1e-8;
    train(f, solver, NULL, w);
    f->epsilon = 0;
    f->run = run;
    free(w);
    return f->outcome.objective;
}

/* Far from the optimum alone, within 1 % with a proof by its default. */
static void assert_finished(struct fixture *f, const char *solver) {
    double optimum = optimum_of(f, solver);
    double *w = calloc((size_t)f->risk->dimension, sizeof *w);
    train(f, "proximal", dual, w);
    struct outcome alone = f->outcome;
    memset(w, 0, sizeof *w * (size_t)f->risk->dimension);
    train(f, "proximal", NULL, w);
    assert_true(alone.objective > 1.05 * optimum);
    assert_true(f->outcome.objective <= 1.01 * optimum);
    assert_near(f->outcome.objective, problem_objective(&f->problem, w), 1e-12 * optimum);
    assert_true(f->outcome.bound >= 0.99 * f->outcome.objective);
    assert_true(f->outcome.bound <= optimum * (1 + 1e-8));
    assert_near(f->outcome.passes, alone.passes, 0);
    assert_true(f->outcome.finished_by[0] != '\0' && alone.finished_by[0] == '\0');
    assert_int_equal(f->outcome.iterations, alone.iterations);
    free(w);
}

static void few_features_are_finished(void **state) {
    (void)state;
    for (int intercept = 0; intercept < 2; intercept++) {
        struct fixture f;
        set_up_hard(&f, "hinge", ROWS, FEATURES, 0.01, 1e-8, intercept);
        f.run.passes = 10;
        assert_finished(&f, "ipm");
        assert_int_equal(f.outcome.verdict, VERDICT_PASSES);
        f.epsilon = 1e-4;
        double w[MAX_DIMENSION] = {0};
        train(&f, "proximal", NULL, w);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(outcome_gap(&f.outcome) <= 1e-4);
        tear_down(&f);
    }
}

static void few_examples_are_finished(void **state) {
    (void)state;
    struct fixture f;
    set_up_hard(&f, "hinge", 50, 1200, 0.5, 1e-5, false);
    f.run.passes = 5;
    assert_finished(&f, "dcd");
    tear_down(&f);
    static const char *const losses[] = {"hinge", "squared-hinge", "logistic"};
    for (int l = 0; l < 3; l += PART(1, 2)) { /* with an offset */
        set_up_hard(&f, losses[l], 50, 1200, 0.1, 1e-6, true);
        f.run.passes = 5;
        assert_finished(&f, "proximal-bundle");
        tear_down(&f);
    }
    set_up_hard(&f, "logistic", 50, 1200, 0.1, 1e-6, false);
    f.run.passes = 5;
    assert_finished(&f, "proximal-bundle");
    assert_string_equal(f.outcome.finished_by, "lbfgs");
    tear_down(&f);
    set_up_hard(&f, "hinge", 400, 300, 0.5, 1e-6,
                false); /* more examples, and too many features for ipm */
    f.run.passes = 5;
    assert_finished(&f, "dcd");
    tear_down(&f);
}

/* Newton's method takes few iterations for smooth losses, so larger data are finished as well. */
static void smooth_losses_are_finished(void **state) {
    (void)state;
    static const char *const losses[] = {"logistic", "squared"};
    for (int l = 0; l < 2; l++) {
        struct fixture f;
        set_up_hard(&f, losses[l], 2500, 100, 0.01, 1e-8, false);
        f.run.passes = 7;
        assert_finished(&f, "ipm");
        tear_down(&f);
    }
}

/* Where the default does what the dual steps alone do. */
static void assert_left(struct fixture *f) {
    size_t bytes = sizeof(double) * (size_t)f->risk->dimension;
    double *w = calloc(1, bytes), *v = calloc(1, bytes);
    train(f, "proximal", NULL, w);
    train(f, "proximal", dual, v);
    assert_memory_equal(w, v, bytes);
    free(w);
    free(v);
}

/* A trial; a run without proof; one that is proved; one with larger data, which would take long. */
static void others_are_left(void **state) {
    (void)state;
    struct fixture f;
    set_up_hard(&f, "hinge", ROWS, FEATURES, 0.01, 1e-8, false);
    f.run.passes = 10;
    f.run.uncertified = true;
    assert_left(&f);
    f.run.uncertified = false;
    f.run.unproved = true;
    assert_left(&f);
    tear_down(&f);

    set_up(&f, "hinge", 0.1, -1, false);
    f.run.passes = 100;
    assert_left(&f);
    tear_down(&f);

    set_up_hard(&f, "hinge", 20000, 100, 0.01, 1e-8, false);
    f.run.passes = 5;
    assert_left(&f);
    assert_true(outcome_gap(&f.outcome) > 0.1);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_features_are_finished),
        cmocka_unit_test(few_examples_are_finished),
        cmocka_unit_test(smooth_losses_are_finished),
        cmocka_unit_test(others_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
