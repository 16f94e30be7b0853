/* test_ipm_path.c - ipm from one lambda to the next: the smoothed losses against their definitions, and runs that
 * begin near the solution before against runs that begin anew. */
#include "solvers/interior_point/smoothed_box.h"

#include "solvers/solver.h"
#include "tests/random_data.h"
#include "tests/size.h"
#include "tests/solver_options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 300, FEATURES = 6, FEW_ROWS = 9, MANY_FEATURES = 110, DIMENSION = MANY_FEATURES + 2 };

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS];
    struct scalar_settings scalar;
    struct problem problem;
};

static void set_up(struct fixture *f, const struct loss *loss) {
    struct random random;
    random_seed(&random, 3, 0);
    *f = (struct fixture){.data = random_data(ROWS, FEATURES, false, 5)};
    for (int i = 0; i < ROWS; i++) {
        double noise = random_unit(&random);
        f->target[i] =
            loss->task == TASK_CLASSIFICATION ? f->data.label[i] : f->data.label[i] + noise * noise;
        f->weight[i] = i % 7 == 0 ? 0 : 0.5 + random_unit(&random);
    }
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->target,
                                         .weight = f->weight,
                                         .loss = loss,
                                         .parameters = {0.1, 0.3, 0.8},
                                         .bias = -1};
    f->problem = (struct problem){.regularizer = regularizer_by_name("l2")};
}

/* With these parameters. */
static void make_risk(struct fixture *f) {
    f->problem.risk = scalar_risk_new(&f->scalar, NULL);
    assert_non_null(f->problem.risk);
}

static void tear_down(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

/* The losses of the table that have a box, one after another. */
static const struct loss *next_loss(int *l, bool boxes_alone) {
    int count;
    const struct loss *table = loss_table(&count);
    while (*l < count && boxes_alone && !loss_has_box(&table[*l]))
        ++*l;
    return *l < count ? &table[(*l)++] : NULL;
}

static double sum_of(const struct smoothed_box *smoothed, const double *u, const double *du,
                     double step, double *slope) {
    struct smoothed_sums sums;
    double sum = 0;
    *slope = 0;
    for (int block = 0; block < smoothed->terms->design->blocks; block++) {
        smoothed_box_along(smoothed, block, u, step, du, &sums);
        sum += sums.value;
        *slope += sums.slope;
    }
    return sum;
}

/* Along a line, where all rows have their kinks at different places. */
static void the_derivatives_are_those_of_the_smoothed_loss(void **state) {
    (void)state;
    static const double small = 1e-6;
    const struct loss *loss;
    for (int l = 0; (loss = next_loss(&l, true)) != NULL;)
        for (double mu = 0.01; mu < 20; mu *= 10) {
            struct fixture f;
            struct smoothed_box smoothed;
            double u[ROWS], du[ROWS], a[ROWS], second[ROWS], slope[3], sum[3], exact = 0,
                                                                               curved = 0;
            set_up(&f, loss);
            make_risk(&f);
            smoothed_box_init(&smoothed, f.problem.risk->scalar);
            smoothed.mu = mu;
            for (int i = 0; i < ROWS; i++) {
                u[i] = 4 * sin(i);
                du[i] = cos(3 * i);
            }
            for (int k = 0; k < 3; k++)
                sum[k] = sum_of(&smoothed, u, du, (k - 1) * small, &slope[k]);
            struct smoothed_sums sums;
            for (int block = 0; block < f.problem.risk->scalar->design->blocks; block++)
                smoothed_box_derivatives(&smoothed, block, u, a, second, &sums);
            for (int i = 0; i < ROWS; i++) {
                exact += f.weight[i] * a[i] * du[i];
                curved += f.weight[i] * second[i] * du[i] * du[i];
            }
            assert_near(slope[1], exact, 1e-10 * ROWS);
            assert_near((sum[2] - sum[0]) / (2 * small), exact, 1e-4 * ROWS);
            assert_near((slope[2] - slope[0]) / (2 * small), curved, 1e-2 * (1 + curved));
            tear_down(&f);
        }
}

/* By the loss and its conjugate. */
static double plain_gap(const struct fixture *f, const double *u, const double *a) {
    const struct loss *loss = f->scalar.loss;
    double sum = 0, any;
    for (int i = 0; i < ROWS; i++)
        sum += f->weight[i] *
               (loss->value(u[i], f->target[i], &f->scalar.parameters, &any) +
                loss->conjugate(a[i], f->target[i], &f->scalar.parameters) - a[i] * u[i]);
    return sum;
}

static void the_smoothing_leaves_the_gap(void **state) {
    (void)state;
    const struct loss *loss;
    for (int l = 0; (loss = next_loss(&l, true)) != NULL;)
        for (double gap = 1e-6; gap < 2; gap *= 100)
            for (double before = 0; before < 100; before = 1000 * before + 1e-4) {
                struct fixture f;
                struct smoothed_box smoothed;
                double u[ROWS], a[ROWS], second[ROWS];
                struct smoothed_sums sums;
                set_up(&f, loss);
                make_risk(&f);
                smoothed_box_init(&smoothed, f.problem.risk->scalar);
                smoothed.mu = before;
                for (int i = 0; i < ROWS; i++)
                    u[i] = 2 * sin(i);
                smoothed_box_choose(&smoothed, u, gap);
                for (int block = 0; block < f.problem.risk->scalar->design->blocks; block++)
                    smoothed_box_derivatives(&smoothed, block, u, a, second, &sums);
                double left = plain_gap(&f, u, a);
                assert_true(left <= gap * (1 + 1e-9) && left >= gap / 2);
                tear_down(&f);
            }
}

/* Trains at a lambda from w, with what is kept (NULL: anew); the passes. */
static double train(struct fixture *f, double lambda, double epsilon, struct kept *kept, double *w,
                    struct outcome *outcome) {
    void *options = solver_options_parse(solver_by_name("ipm"), NULL);
    struct monitor_settings settings = {.epsilon = epsilon, .passes = 1000, .time_limit = INFINITY};
    struct run_settings run = {.passes = settings.passes, .warm = kept != NULL};
    struct monitor monitor;
    f->problem.lambda = lambda;
    f->problem.kept = kept;
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    assert_int_equal(solver_by_name("ipm")->train(
                         &(struct solve){&f->problem, &run, options, &monitor, w, outcome}, NULL),
                     0);
    monitor_end(&monitor);
    free(options);
    assert_int_equal(outcome->verdict, VERDICT_CONVERGED);
    assert_near(problem_objective(&f->problem, w), outcome->objective, 1e-12 * outcome->objective);
    if (kept != NULL)
        kept->risk = outcome->objective - problem_penalty(&f->problem, w);
    return outcome->passes;
}

/* Bound <= optimum <= J at each lambda, FACTOR below the one before; the passes of the path and of runs that begin
 * anew. */
static void follow(struct fixture *f, double factor, double epsilon, double *near, double *anew) {
    static const double rounding = 1e-14;
    double w[DIMENSION] = {0};
    struct kept kept = {0};
    *near = *anew = 0;
    for (double lambda = 1; lambda > 1e-4; lambda /= factor) {
        double exact[DIMENSION] = {0}, cold[DIMENSION] = {0};
        struct outcome outcome, best, other;
        *near += train(f, lambda, epsilon, &kept, w, &outcome);
        *anew += train(f, lambda, epsilon, NULL, cold, &other);
        train(f, lambda, 1e-10, NULL, exact, &best);
        assert_true(outcome.bound <= best.objective * (1 + rounding) &&
                    outcome.objective >= best.bound * (1 - rounding));
        assert_true(outcome.objective - outcome.bound <= epsilon * outcome.objective);
    }
    kept_free(&kept);
}

static void a_path_takes_few_passes(void **state) {
    (void)state;
    const struct loss *loss;
    for (int l = 0; (loss = next_loss(&l, true)) != NULL;)
        for (int offset = 0; offset < 2; offset++) {
            struct fixture f;
            double near, anew;
            set_up(&f, loss);
            f.scalar.intercept = offset;
            make_risk(&f);
            follow(&f, 3, 5e-3, &near, &anew);
            assert_true(near < (offset ? 0.65 : 0.35) * anew);
            tear_down(&f);
        }
}

/* The steps are given up in time, but not too soon, and mu does not go around in circles. */
static void a_small_gap_takes_fewer_passes(void **state) {
    (void)state;
    const struct loss *loss;
    for (int l = 0; (loss = next_loss(&l, false)) != NULL;) {
        struct fixture f;
        double near, anew;
        set_up(&f, loss);
        make_risk(&f);
        follow(&f, 3, 1e-8, &near, &anew);
        assert_true(near < 0.85 * anew);
        tear_down(&f);
    }
}

/* Of fewer examples than features (ipm_wide.h), where each run begins anew. */
static void a_wide_path(void **state) {
    (void)state;
    const struct loss *loss;
    for (int l = 0; (loss = next_loss(&l, false)) != NULL;)
        for (int offset = 0; offset < 2; offset++) {
            struct fixture f;
            double near, anew;
            set_up(&f, loss);
            dataset_free(&f.data);
            f.data = random_data(FEW_ROWS, MANY_FEATURES, false, 6);
            for (int i = 0; i < FEW_ROWS && loss->task == TASK_CLASSIFICATION; i++)
                f.target[i] = f.data.label[i];
            f.scalar.intercept = offset;
            make_risk(&f);
            follow(&f, 3, 1e-3, &near, &anew);
            assert_true(near < 1.5 * anew);
            tear_down(&f);
        }
}

/* A pass at each lambda but the first, which sums the second derivatives; one more each with an offset. Where a column
 * is far larger than the others the bounds hold as well. */
static void the_squared_loss_takes_a_pass_each(void **state) {
    enum { LAMBDAS = 9 };
    (void)state;
    for (int variant = 0; variant < 6; variant++) {
        bool offset = variant % 3 == 2, uneven = variant >= 3;
        struct fixture f;
        double near, anew;
        set_up(&f, loss_by_name("squared"));
        f.scalar.intercept = offset;
        f.scalar.bias = variant % 3 == 1 ? 0.5 : -1;
        for (int64_t k = 0; uneven && k < f.data.nonzeros; k++)
            f.data.value[k] *= f.data.column[k] == 1 ? 1e7 : 1;
        make_risk(&f);
        follow(&f, 3, 1e-9, &near, &anew);
        assert_true(near == LAMBDAS + 1 + offset * LAMBDAS);
        tear_down(&f);
    }
}

/* Of a mixture at lambda: J from its scores is that of its weights, close to the minimum, and so is the bound where no
 * dual variable is clipped, which alone takes a pass. */
static void check_mixture(struct fixture *f, double lambda, const struct kept *kept,
                          const void *state) {
    static const double rounding = 1e-12;
    double w[DIMENSION], exact[DIMENSION] = {0}, passes = 0;
    double closeness = strcmp(f->scalar.loss->name, "logistic") == 0
                           ? 1e-5
                           : 1e-3; /* l'' of the others has jumps */
    bool has_ends = f->scalar.loss->task == TASK_CLASSIFICATION || loss_has_box(f->scalar.loss);
    struct outcome best;
    train(f, lambda, 1e-10, NULL, exact, &best);
    double objective = kept->kind->place(state, &f->problem, w);
    objective += problem_penalty(&f->problem, w);
    double bound = kept->kind->bound(state, &f->problem, &passes);
    assert_near(problem_objective(&f->problem, w), objective, rounding * objective);
    assert_true(bound <= best.objective * (1 + rounding));
    assert_true(objective >= best.bound * (1 - rounding));
    assert_true(objective - best.bound <= closeness * objective);
    assert_true(passes == 0 || (has_ends && passes == 1));
    assert_true(passes == 1 || objective - bound <= closeness * objective);
}

static void mixtures_of_solutions_enclose_the_minimum(void **state) {
    static const char *const names[] = {"squared-hinge", "squared-epsilon", "logistic", "huber"};
    static const double factor = 4;
    (void)state;
    for (int l = 0; l < 4; l++)
        for (double lambda = 1; lambda > 1e-4; lambda /= factor) {
            struct fixture f;
            struct kept above = {0}, below = {0};
            struct outcome outcome;
            double w[DIMENSION] = {0};
            set_up(&f, loss_by_name(names[l]));
            make_risk(&f);
            train(&f, lambda, 1e-6, &above, w, &outcome);
            train(&f, lambda / factor, 1e-6, &below, w, &outcome);
            void *middle = above.kind->mix(above.state, below.state, 0.5, NULL);
            void *lower = above.kind->mix(middle, below.state, 0.5, NULL);
            check_mixture(&f, lambda * (1 + 1 / factor) / 2, &above, middle);
            check_mixture(&f, lambda * (1 + 3 / factor) / 4, &above, lower);
            above.kind->free(middle);
            above.kind->free(lower);
            kept_free(&above);
            kept_free(&below);
            tear_down(&f);
        }
}

/* Begun from the tangent, with bounds that take no pass; kinks are smoothed. */
static void curves_take_few_passes(void **state) {
    static const char *const names[] = {"squared-hinge", "squared-epsilon", "logistic", "huber",
                                        "hinge",         "epsilon",         "absolute", "quantile"};
    static const double share[] = {0.27, 0.29, 0.315, 0.13, 0.135, 0.11, 0.11, 0.12};
    (void)state;
    for (int l = 0; l < 8; l += PART(1, 3)) { /* both kinds of loss */
        struct fixture f;
        double near, anew;
        set_up(&f, loss_by_name(names[l]));
        make_risk(&f);
        follow(&f, 1.25, 1e-3, &near, &anew);
        assert_true(near < share[l] * anew);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_derivatives_are_those_of_the_smoothed_loss),
        cmocka_unit_test(the_smoothing_leaves_the_gap),
        cmocka_unit_test(a_path_takes_few_passes),
        cmocka_unit_test(a_small_gap_takes_fewer_passes),
        cmocka_unit_test(a_wide_path),
        cmocka_unit_test(the_squared_loss_takes_a_pass_each),
        cmocka_unit_test(mixtures_of_solutions_enclose_the_minimum),
        cmocka_unit_test(curves_take_few_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
