/* test_new_loss.c - losses that are not in the table, added as docs/hacking.md says, with every solver that
 * takes them.
 *
 * They are multiples k l of losses l of the table: the objective of k l at lambda is k times that of l at
 * lambda/k, so that a run with k l is held against one with l. */
#include "risk/loss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/kernel/kernel_fixture.h"
#include "tests/near.h"
#include "tests/size.h"
#include "tests/solvers/online/online_fixture.h"

enum { LOSSES = 5 };

/* ---- k l: value k l(u, y), conjugate k l*(a/k, y), smoothed k l_{k mu}(u, y) */

static const double scales[LOSSES] = {2, 3, 2, 0.5, 4};
static const char *const bases[LOSSES] = {"hinge", "absolute", "epsilon", "quantile", "huber"};

#define SCALED(k)                                                                                  \
    static double value_##k(double u, double y, const struct loss_parameters *p, double *a) {      \
        double value = loss_by_name(bases[k])->value(u, y, p, a);                                  \
        *a *= scales[k];                                                                           \
        return scales[k] * value;                                                                  \
    }                                                                                              \
    static double conjugate_##k(double a, double y, const struct loss_parameters *p) {             \
        return scales[k] * loss_by_name(bases[k])->conjugate(a / scales[k], y, p);                 \
    }                                                                                              \
    static void domain_##k(double y, const struct loss_parameters *p, double *low, double *high) { \
        loss_by_name(bases[k])->domain(y, p, low, high);                                           \
        *low *= scales[k];                                                                         \
        *high *= scales[k];                                                                        \
    }                                                                                              \
    static double smooth_##k(double u, double y, double mu, const struct loss_parameters *p,       \
                             double *a) {                                                          \
        double value = loss_by_name(bases[k])->smooth(u, y, scales[k] * mu, p, a);                 \
        *a *= scales[k];                                                                           \
        return scales[k] * value;                                                                  \
    }                                                                                              \
    static double lipschitz_##k(double y, const struct loss_parameters *p) {                       \
        return scales[k] * loss_by_name(bases[k])->lipschitz(y, p);                                \
    }                                                                                              \
    static double norm_bound_##k(double y, const struct loss_parameters *p) {                      \
        return scales[k] * loss_by_name(bases[k])->norm_bound(y, p);                               \
    }

SCALED(0)
SCALED(1)
SCALED(2)
SCALED(3)
SCALED(4)

static double second_4(double u, double y, const struct loss_parameters *p) {
    return scales[4] * loss_by_name(bases[4])->second(u, y, p);
}

#define ROW(k, task, quadratic, tube)                                                              \
    {                                                                                              \
        "scaled " #k, "", task, false, value_##k, conjugate_##k, domain_##k, smooth_##k,           \
            lipschitz_##k, 0, INFINITY, quadratic, NULL, norm_bound_##k, tube                      \
    }

static double tube_of(const struct loss_parameters *p) {
    return p->tube;
}

static const struct loss scaled[LOSSES] = {
    ROW(0, TASK_CLASSIFICATION, true, NULL),
    ROW(1, TASK_REGRESSION, true, NULL),
    ROW(2, TASK_REGRESSION, false, tube_of),
    ROW(3, TASK_REGRESSION, true, NULL),
    {"scaled 4", "", TASK_REGRESSION, false, value_4, conjugate_4, domain_4, smooth_4, lipschitz_4,
     0, 4, true, second_4, norm_bound_4, NULL},
};

/* ---- runs */

enum { ONLINE_PASSES = 50, BATCH_PASSES = 20000 };

static const double epsilon = 1e-6;
static const double elastic = 0.3, ball = 0.4;

static void set_loss(struct fixture *f, const struct loss *loss, double lambda) {
    risk_free(f->risk);
    f->scalar.loss = loss;
    f->problem.risk = f->risk = scalar_risk_new(&f->scalar, NULL);
    f->problem.lambda = f->problem.regularizer->constraint ? 1 : lambda;
}

static struct outcome train_loss(struct fixture *f, const struct solver *solver,
                                 const char *const *words) {
    double w[MAX_DIMENSION] = {0};
    bool online = solver->batches;
    struct run_settings run = f->run;
    struct monitor_settings limits = {.epsilon = online ? 0 : epsilon,
                                      .passes = online ? ONLINE_PASSES : BATCH_PASSES,
                                      .time_limit = INFINITY};
    struct monitor monitor;
    struct outcome outcome;
    void *options = solver_options_parse(solver, words);
    run.passes = limits.passes;
    monitor_init(&monitor, &limits);
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        solver->train(&(struct solve){&f->problem, &run, options, &monitor, w, &outcome}, NULL), 0);
    monitor_end(&monitor);
    free(options);
    assert_near(problem_objective(&f->problem, w), outcome.objective, 1e-12);
    return outcome;
}

/* The two runs agree, and each one's bound holds for the other. */
static void compare_outcomes(struct outcome scaled_one, struct outcome base, double scale,
                             const char *title) {
    double j = scaled_one.objective / scale, bound = scaled_one.bound / scale;
    if (!(fabs(j - base.objective) <= 2 * epsilon * j))
        print_error("%s: J %.9g, of the loss in the table %.9g\n", title, j, base.objective);
    assert_true(fabs(j - base.objective) <= 2 * epsilon * j);
    assert_true(bound <= base.objective * (1 + 1e-12) && base.bound <= j * (1 + 1e-12));
}

static void compare_runs(const struct solver *solver, const char *regularizer, int k,
                         bool intercept, const char *const *words) {
    static const double lambda = 0.02;
    struct fixture f;
    char title[96];
    set_up_with(&f, bases[k], 1, -1, true, intercept);
    f.problem.regularizer = regularizer_by_name(regularizer);
    f.problem.parameters = (struct regularizer_parameters){.elastic = elastic, .ball = ball};
    set_loss(&f, &scaled[k], lambda);
    struct outcome multiple = train_loss(&f, solver, words);
    set_loss(&f, loss_by_name(bases[k]), lambda / scales[k]);
    struct outcome base = train_loss(&f, solver, words);
    snprintf(title, sizeof title, "%s -r %s -L %s x %g", solver->name, regularizer, bases[k],
             scales[k]);
    compare_outcomes(multiple, base, scales[k], title);
    tear_down(&f);
}

static bool takes(const struct solver *solver, const struct loss *loss) {
    return solver->takes_loss == NULL || solver->takes_loss(loss);
}

static void multiples_of_losses_train_as_the_losses(void **state) {
    int count, runs = 0;
    const struct solver *const *table = solver_table(&count);
    (void)state;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < LOSSES; k++)
            for (int r = 0; !table[i]->is_kernel_expansion && table[i]->stream == NULL &&
                            takes(table[i], &scaled[k]) && table[i]->regularizers[r] != NULL;
                 r++)
                if ((i + k + r) % PART(3, 7) == 0) {
                    compare_runs(table[i], table[i]->regularizers[r], k, false, NULL);
                    runs++;
                }
    assert_true(runs > PART(33, 14));
}

static bool takes_with_an_offset(const struct solver *solver, const struct loss *loss) {
    return takes(solver, loss) && (solver->takes_alone == NULL || !solver->takes_alone(loss));
}

static void with_an_offset(void **state) {
    static const char *const solvers[] = {"ipm", "agm", "agm1", "ocas", "mcpa"};
    (void)state;
    for (int s = 0; s < 5; s++)
        for (int k = 0; k < LOSSES; k++)
            if ((s + k) % PART(2, 5) == 0 &&
                takes_with_an_offset(solver_by_name(solvers[s]), &scaled[k]))
                compare_runs(solver_by_name(solvers[s]), "l2", k, true, NULL);
}

static void every_form_takes_them(void **state) {
    static const char *const forms[] = {"form=primal", "form=dual", "form=smooth-dual",
                                        "form=excessive-gap"};
    static const char *const solvers[] = {"agm", "agm1"};
    int runs = 0;
    (void)state;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < LOSSES; k++)
            for (int form = 0; form < 4; form++) {
                const struct solver *solver = solver_by_name(solvers[s]);
                const char *words[] = {forms[form], NULL};
                struct run_settings run = {0};
                struct solver_request request = {.loss = &scaled[k],
                                                 .regularizer = regularizer_by_name("l2"),
                                                 .run = &run,
                                                 .options = solver_options_parse(solver, words)};
                if (solver->check(&request, NULL) == 0) {
                    if ((s + k + form) % PART(3, 7) == 0)
                        compare_runs(solver, "l2", k, false, words);
                    runs++;
                }
                free((void *)request.options);
            }
    assert_int_equal(runs, 2 * (4 * 4 + 1)); /* the epsilon-insensitive loss has the primal alone */
}

/* Kernel machines; the optimum of the loss in the table, or the best that 2 solvers find. */
static struct outcome train_kernel(const char *solver, int k, const struct loss *loss, double c) {
    struct kernel_fixture f;
    struct dataset data = random_data(60, 5, false, 4);
    kernel_set_up(&f, data, bases[k], (struct kernel){.kind = KERNEL_GAUSSIAN, .gamma = 0.5}, "1",
                  NULL, c);
    struct scalar_settings settings = {.data = &f.data,
                                       .target = f.data.label,
                                       .loss = loss,
                                       .parameters = {0.05, 0.3, 1},
                                       .bias = -1};
    risk_free((struct risk *)f.problem.risk);
    f.problem.risk = scalar_risk_new(&settings, NULL);
    assert_int_equal(kernel_train(&f, solver, epsilon, 1e9, 60, false, NULL), 0);
    kernel_tear_down(&f);
    return f.outcome;
}

static void kernel_machines_take_them(void **state) {
    static const char *const solvers[] = {"smo", "pdsg", "mpd"};
    int runs = 0;
    (void)state;
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < LOSSES; k++)
            if (takes(solver_by_name(solvers[s]), &scaled[k])) {
                struct outcome multiple = train_kernel(solvers[s], k, &scaled[k], 2);
                struct outcome base =
                    train_kernel(solvers[s], k, loss_by_name(bases[k]), 2 * scales[k]);
                compare_outcomes(multiple, base, scales[k], solvers[s]);
                runs++;
            }
    assert_int_equal(runs, 3 * 4);
}

/* Cutting planes take multiples of the hinge, Newton's method losses with second derivatives. */
static void solvers_ask_for_what_they_need(void **state) {
    (void)state;
    assert_true(takes(solver_by_name("ocas"), loss_by_name("hinge")));
    assert_true(takes(solver_by_name("ocas"), &scaled[0]));
    assert_false(takes(solver_by_name("ocas"), &scaled[1]));
    assert_false(takes(solver_by_name("ocas"), loss_by_name("squared-hinge")));
    assert_true(takes(solver_by_name("lps"), &scaled[4]));
    assert_false(takes(solver_by_name("lps"), &scaled[0]));
    assert_false(takes(solver_by_name("pdsg"), &scaled[4]));
    struct loss other = scaled[0]; /* kinks, and of no known form */
    other.quadratic = false;
    assert_false(takes(solver_by_name("ipm"), &other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiples_of_losses_train_as_the_losses),
        cmocka_unit_test(with_an_offset),
        cmocka_unit_test(every_form_takes_them),
        cmocka_unit_test(kernel_machines_take_them),
        cmocka_unit_test(solvers_ask_for_what_they_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
