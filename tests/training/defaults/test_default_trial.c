/* test_default_trial.c - which solvers are tried before the default one, and for how long. */
#include "training/defaults/default_trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/training/defaults/trial_fixture.h"

/* Of 1500 passes, where the bound still rises. */
static double allowed(const struct trial *trial, int64_t epochs) {
    const struct report report = {.iteration = epochs, .delta = 0.2, .objective = 1, .bound = 0.5};
    return trial->allowed(&report, 1500);
}

/* With many examples a feature, which the caches hold. */
static void coordinate_steps_are_tried_at_large_lambda(const char *loss, const char *chosen) {
    static const struct {
        double lambda;
        int64_t rows;
        bool tried;
    } runs[] = {{1e-3, 80000, true},
                {0.99e-3, 80000, false},
                {0.099, 80000, true},
                {0.1, 80000, false},
                {1e-3, 80001, false}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct default_request request = default_request_of(loss, "l2", runs[i].rows, 100);
        request.lambda = runs[i].lambda;
        assert_true(tries(&request, chosen, "dcd") == runs[i].tried);
    }
}

/* How near to separable the data are does not show. */
static void coordinate_steps_are_tried_first(void **state) {
    static const struct {
        const char *loss;
        int64_t rows;
        bool tried;
    } rows[] = {
        {"hinge", 39999, true}, {"hinge", 40000, false},  {"squared-hinge", 9999, false},
        {"huber", 9999, false}, {"squared", 4999, false}, {"logistic", 4999, false},
    };
    static const char dcd[] = "dcd";
    struct default_request request;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        request = default_request_of(rows[i].loss, "l2", rows[i].rows, 200);
        request.nonzeros = 200 * request.rows;
        assert_true(tries(&request, "ipm", dcd) == rows[i].tried);
    }
    for (int64_t examples = 19999; examples <= 20000; examples++) { /* and larger matrices */
        request = default_request_of("squared-hinge", "l2", examples, 400);
        request.nonzeros = 400 * request.rows;
        assert_true(tries(&request, "ipm", dcd) == (examples < 20000));
    }
    request = default_request_of("squared-hinge", "l2", 39999, 200);
    request.nonzeros = 200 * request.rows;
    request.lambda = 1e-3;
    assert_string_equal(first_trial(&request, "ipm").solver->name, dcd);
    request.nonzeros = 5 * request.rows; /* steps of Newton cost little beside them */
    assert_false(tries(&request, "ipm", dcd));
    coordinate_steps_are_tried_at_large_lambda("hinge", "mcpa");
    coordinate_steps_are_tried_at_large_lambda("absolute", "ipm");
    coordinate_steps_are_tried_at_large_lambda("epsilon", "ipm");
    coordinate_steps_are_tried_at_large_lambda("quantile", "ipm");
    request = default_request_of("hinge", "l2", 40000, 900);
    request.lambda = 1e-6;
    assert_string_equal(first_trial(&request, "proximal-bundle").solver->name, "dcd");
    request = default_request_of("squared-hinge", "l2", 4999, 100);
    assert_false(tries(&request, "proximal-bundle", dcd));
    request = default_request_of("hinge", "l2", 2000, 180);
    request.nonzeros = 91000;
    struct trial trial = trial_of(&request, "ipm", dcd);
    assert_true(trial.passes > 500 && trial.passes < 600);
    assert_true(isinf(allowed(&trial, 8)));
    assert_true(allowed(&trial, 9) > 500 && allowed(&trial, 32) > 68 && allowed(&trial, 32) < 69);
    request.rows = 50 * 180; /* then passes of other steps are fewer */
    trial = trial_of(&request, "ipm", dcd);
    assert_true(allowed(&trial, 9) < 12 && allowed(&trial, 32) > 55);
    assert_null(first_trial(&request, "agm").solver);
    request.needs.intercept = true;
    request.rows--; /* with as many proximal goes before it */
    assert_true(tries(&request, "ipm", dcd));
    request.rows++;
    request.needs.intercept = false;
    request.needs.map = true;
    assert_null(first_trial(&request, "ipm").solver);
    request.needs.map = false;
    request.uneven = true;
    assert_false(tries(&request, "ipm", dcd));
    request.uneven = false;
    request.trials = false;
    assert_null(first_trial(&request, "ipm").solver);
}

/* Whatever an epoch costs. */
static void coordinate_steps_whose_bound_hardly_rises_go_on(void **state) {
    static const struct {
        double delta, allowed, longer, gap; /* longer: where the default solver takes long */
    } rows[] = {{NAN, 43, 51, 0.5},      {0.2, 43, 51, 0.5},  {0.15, 64.5, 76.5, 0.5},
                {0.06, 64.5, 76.5, 0.5}, {0.05, 80, 80, 0.5}, {0.01, 160, 160, 0.5},
                {5e-5, 240, 240, 0.5},   {0, 240, 240, 0.5},  {0.05, 240, 240, 0.009},
                {0.2, 43, 51, 0.009}};
    static const char *const losses[] = {"huber", "hinge"};
    (void)state;
    for (size_t l = 0; l < sizeof losses / sizeof *losses; l++) {
        struct default_request request = default_request_of(losses[l], "l2", 12000, 300);
        request.nonzeros = 12000 * 300;
        request.lambda = 0.01;
        struct trial trial = trial_of(&request, "ipm", "dcd");
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct report report = {
                .iteration = 20, .delta = rows[i].delta, .objective = 1, .bound = 1 - rows[i].gap};
            assert_float_equal(trial.allowed(&report, 240),
                               l == 0 ? rows[i].allowed : rows[i].longer, 1e-9);
        }
    }
}

/* To a loose gap at small lambda. */
static void proximal_steps_are_tried_first(void **state) {
    static const struct {
        double lambda, epsilon;
        int64_t rows, features;
        const char *first, *second;
    } rows[] = {
        {1e-5, 0.01, 50000, 100, "proximal", NULL}, {1e-5, 0.01, 5000, 100, "proximal", "dcd"},
        {1e-5, 0.01, 4999, 100, "dcd", "mcpa"},     {2e-5, 0.01, 50000, 100, "mcpa", NULL},
        {1e-5, 0.009, 50000, 100, "mcpa", NULL},    {1e-5, 0, 50000, 100, "mcpa", NULL},
        {1e-5, 0.01, 50000, 99, "mcpa", NULL},      {1e-5, 0.01, 60000, 3001, "dcd", NULL},
    };
    struct report small = {.passes = 3, .objective = 0.03}, large = {.passes = 3, .objective = 0.3};
    struct trial trials[TRIALS_MOST];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of("hinge", "l2", rows[i].rows, rows[i].features);
        request.lambda = rows[i].lambda;
        request.epsilon = rows[i].epsilon;
        default_trials(&request, solver_by_name("mcpa"), trials);
        assert_true(trials[0].solver == (rows[i].first ? solver_by_name(rows[i].first) : NULL));
        assert_true(trials[1].solver == (rows[i].second ? solver_by_name(rows[i].second) : NULL));
        assert_true(trials[0].solver != solver_by_name("proximal") || trials[0].passes == 12);
    }
    struct default_request request = default_request_of("hinge", "l2", 50000, 100);
    request.lambda = 1e-5;
    request.epsilon = 0.01;
    struct trial trial = first_trial(&request, "mcpa");
    assert_true(trial.allowed(&small, 12) < 3 && isinf(trial.allowed(&large, 12)) && trial.decides);
    small.passes = 4; /* where a trace reports, too */
    assert_true(isinf(trial.allowed(&small, 12)));
    request.needs.intercept = true; /* for other limits */
    assert_null(trial_of(&request, "mcpa", "proximal").allowed);
}

/* With an offset, while lambda is not large; on many or few examples a feature while it is small. */
static void proximal_steps_are_tried_with_an_offset(void **state) {
    static const struct {
        const char *loss;
        double lambda;
        int64_t rows, features;
        bool uneven;
        double passes; /* at most; 0: no trial */
    } rows[] = {
        {"hinge", 1e-3, 32561, 123, false, 36},        {"hinge", 1.1e-3, 32561, 123, false, 0},
        {"hinge", 1e-7, 32561, 123, true, 0},          {"hinge", 1e-3, 80000, 54, false, 36},
        {"hinge", 1e-3, 80001, 54, false, 0},          {"hinge", 1e-4, 80001, 54, false, 36},
        {"hinge", 1e-4, 15000, 300, false, 36},        {"hinge", 1.1e-4, 15000, 300, false, 0},
        {"hinge", 1e-4, 14999, 300, false, 0},         {"hinge", 1e-4, 15000, 60000, false, 0},
        {"squared-hinge", 1e-4, 32561, 123, false, 0}, {"logistic", 1e-4, 32561, 123, false, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of(rows[i].loss, "l2", rows[i].rows, rows[i].features);
        request.lambda = rows[i].lambda;
        request.uneven = rows[i].uneven;
        assert_false(tries(&request, "ocas", "proximal"));
        request.needs.intercept = true;
        bool tried = tries(&request, "ocas", "proximal");
        assert_true(tried == (rows[i].passes > 0));
        assert_false(tries(&request, "dcd", "proximal"));
        if (!tried)
            continue;
        struct trial trial = first_trial(&request, "ocas");
        assert_ptr_equal(trial.solver, solver_by_name("proximal"));
        assert_true(trial.passes >= 5 && trial.passes <= rows[i].passes && trial.allowed == NULL);
        request.epsilon = 9e-5;
        assert_false(tries(&request, "ocas", "proximal"));
        request.epsilon = 0;
        request.needs.regularizer = regularizer_by_name("elastic-net");
        assert_false(tries(&request, "ipm", "proximal"));
    }
    struct default_request few = default_request_of("hinge", "l2", 32561, 123);
    few.nonzeros = 14 * few.rows; /* planes are expected to take as long as 65 coordinate passes */
    few.needs.intercept = true;
    assert_true(first_trial(&few, "mcpa").passes < 20);
}

/* A gap of so much after so many passes. */
static struct report report_of(double passes, double gap) {
    return (struct report){.passes = passes, .objective = 2, .bound = 2 - 2 * gap};
}

/* Whether the trial goes on after so many of its passes. */
static bool goes_on(const struct trial *trial, double all, double passes, double gap) {
    const struct report report = report_of(passes, gap);
    return trial->allowed(&report, all) >= passes;
}

/* Nor how even their spectrum is. */
static void quasi_newton_steps_are_tried_before_newtons(void **state) {
    struct default_request request = default_request_of("logistic", "l2", 30000, 800);
    struct trial trials[TRIALS_MOST];
    (void)state;
    struct trial trial = first_trial(&request, "ipm");
    assert_string_equal(trial.solver->name, "lbfgs");
    assert_true(trial.passes > 70 && trial.passes < 100);
    request.rows = 500;
    assert_string_equal(first_trial(&request, "ipm").solver->name, "lbfgs");
    assert_false(tries(&request, "dcd", "lbfgs"));
    request.rows = 30000;
    request.uneven = true;
    assert_string_equal(first_trial(&request, "ipm").solver->name, "lbfgs");
    request.features = 300; /* cheap steps that go well at any scale */
    assert_null(first_trial(&request, "ipm").solver);
    request.uneven = false;
    assert_string_equal(first_trial(&request, "ipm").solver->name, "lbfgs");
    request = default_request_of("squared-hinge", "l2", 30000, 800);
    request.nonzeros = 800 * request.rows;
    default_trials(&request, solver_by_name("ipm"), trials);
    assert_string_equal(trials[0].solver->name, "dcd"); /* of few passes, or of many */
    assert_string_equal(trials[1].solver->name, "lbfgs");
}

/* There the squared hinge is for Newton steps alone. */
static void quasi_newton_steps_on_few_examples(void **state) {
    struct default_request request = default_request_of("squared-hinge", "l2", 749, 1000);
    (void)state;
    request.nonzeros = request.rows * request.features;
    assert_false(tries(&request, "ipm", "lbfgs"));
    request.rows = 750;
    assert_true(tries(&request, "ipm", "lbfgs"));
    request = default_request_of("logistic", "l2", 700, 1000);
    request.nonzeros = request.rows * request.features;
    double few = first_trial(&request, "ipm").passes; /* by a matrix of 700 x 700 */
    assert_true(few > 130 && few < 190);
    request.rows = 760;
    request.nonzeros = request.rows * request.features;
    double more = first_trial(&request, "ipm").passes;
    assert_true(more > 1.5 * few && more < 2.5 * few);
}

/* Of 160 passes 20 are a look; then less than 80 have to be left to a gap of 1e-3. The logarithm of lbfgs's gap falls
 * with the square of the passes: at 0.5 after 30 passes these are a third of all, at 0.7 less than a quarter. */
static void a_trial_goes_on_where_its_end_is_near(void **state) {
    struct default_request request = default_request_of("logistic", "l2", 30000, 800);
    struct trial trial = first_trial(&request, "ipm");
    const struct report none = {.passes = 21, .objective = 2, .bound = -INFINITY};
    (void)state;
    assert_true(goes_on(&trial, 160, 20, 1) && !goes_on(&trial, 160, 21, 1));
    assert_true(trial.allowed(&none, 160) < 21);
    assert_true(goes_on(&trial, 160, 30, 0.5) && !goes_on(&trial, 160, 30, 0.7));
    assert_true(goes_on(&trial, 160, 150, 9e-4));
    assert_true(goes_on(&trial, 40, 10, 1) && !goes_on(&trial, 40, 11, 1)); /* the shortest look */
    request = default_request_of("absolute", "l2", 15000, 150);
    trial = first_trial(&request, "ipm"); /* with a lower power: 0.5 is a sixth of all */
    assert_true(goes_on(&trial, 160, 30, 0.2) && !goes_on(&trial, 160, 30, 0.5));
}

/* One step of Newton's method solves a squared loss. */
static void cheap_steps_of_newton_need_no_trial(void **state) {
    static const struct {
        const char *loss;
        int64_t rows, features, each;
        double lambda;
        bool tried;
    } rows[] = {
        {"squared", 30000, 400, 10, 1e-4, false}, {"squared", 3000, 400, 400, 1e-4, false},
        {"squared", 3000, 400, 400, 1e-2, false}, {"squared", 3000, 800, 800, 1e-4, true},
        {"squared", 100, 1000, 1000, 1e-4, true}, {"huber", 3000, 400, 400, 1e-4, true},
        {"logistic", 50000, 597, 8, 1e-4, true},  {"logistic", 5000, 800, 240, 1e-4, true},
        {"logistic", 50000, 12, 12, 1e-4, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of(rows[i].loss, "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].rows * rows[i].each;
        request.lambda = rows[i].lambda;
        const struct solver *first = first_trial(&request, "ipm").solver;
        assert_true((first == solver_by_name("lbfgs")) == rows[i].tried);
    }
}

/* Whether planes are few shows within some passes. */
static void planes_are_tried_first_for_regressions_with_kinks(void **state) {
    struct default_request request = default_request_of("absolute", "l2", 15000, 150);
    (void)state;
    struct trial trial = first_trial(&request, "ipm");
    assert_string_equal(trial.solver->name, "proximal-bundle");
    assert_true(trial.passes > 50 && trial.passes < 100);
    assert_false(tries(&request, "dcd", "proximal-bundle"));
    request.rows = 150;
    assert_true(tries(&request, "ipm", "proximal-bundle"));
    request.epsilon = 1e-5;
    assert_false(tries(&request, "ipm", "proximal-bundle"));
    request.epsilon = 1e-4;
    request.uneven = true;
    assert_false(tries(&request, "ipm", "proximal-bundle"));
    request.uneven = false;
    request.trials = false;
    assert_false(tries(&request, "ipm", "proximal-bundle"));
    request = default_request_of("absolute", "l2", 10000, 1000); /* longer where ipm is */
    request.nonzeros = 10000 * 1000;
    trial = trial_of(&request, "ipm", "proximal-bundle");
    assert_true(trial.passes > 200 && trial.passes < 400);
}

/* They explain the targets well, or it shows soon that they do not. */
static void coordinate_steps_are_tried_for_regressions_with_kinks(void **state) {
    static const char *const losses[] = {"absolute", "epsilon", "quantile"};
    static const char *const planes = "proximal-bundle";
    (void)state;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        struct default_request request = default_request_of(losses[i], "l2", 4999, 100);
        assert_string_equal(first_trial(&request, "ipm").solver->name, "dcd");
        assert_string_equal(first_trial(&request, planes).solver->name, "dcd");
        struct trial trial = first_trial(&request, "ipm");
        const struct report far = {.iteration = 200, .objective = 1, .bound = 0.9, .delta = 0},
                            near = {.iteration = 200, .objective = 1, .bound = 0.995};
        assert_true(trial.allowed(&far, 90) == 30 && trial.allowed(&near, 90) == 60);
        request.uneven = true;
        assert_false(tries(&request, "ipm", "dcd"));
        request.uneven = false;
        request.rows = 5000;
        assert_false(tries(&request, "ipm", "dcd"));
    }
}

/* Steps on all rows are few where most of them have a loss. */
static void quasi_newton_steps_are_tried_before_coordinate_steps(void **state) {
    const struct report far = {.objective = 1, .bound = 0.4}, near = {.objective = 1, .bound = 0.6};
    struct default_request request = default_request_of("squared-hinge", "l2", 4000, 2000);
    (void)state;
    struct trial trial = first_trial(&request, "dcd");
    assert_string_equal(trial.solver->name, "lbfgs");
    assert_true(trial.passes == 400 && trial.allowed(&far, 400) == 40);
    assert_true(trial.allowed(&near, 400) == 400);
    assert_true(goes_on(&trial, 400, 60, 0.4) && !goes_on(&trial, 400, 61, 0.4));
    assert_true(goes_on(&trial, 400, 61, 0.15)); /* log 0.15 is more than a quarter of log 0.001 */
    request.rows = 1000;
    assert_true(tries(&request, "dcd", "lbfgs"));
    request.rows = 999;
    assert_false(tries(&request, "dcd", "lbfgs"));
    request.rows = 3999;
    request.nonzeros = request.rows * request.features; /* dense data can nearly be fitted */
    assert_false(tries(&request, "dcd", "lbfgs"));
    request.rows = 4000;
    request.nonzeros = request.rows * request.features;
    assert_true(tries(&request, "dcd", "lbfgs"));
    request = default_request_of("hinge", "l2", 4000, 2000);
    assert_false(tries(&request, "dcd", "lbfgs"));
}

/* For a part of its time. */
static void cutting_planes_are_tried_before_an_interior_point(void **state) {
    struct default_request request = default_request_of("hinge", "l2", 3000, 300);
    (void)state;
    request.nonzeros = 3000 * 300;
    request.lambda = 1e-3;
    struct trial trial = first_trial(&request, "ipm");
    assert_string_equal(trial.solver->name, "ocas");
    assert_true(trial.passes > 100 && trial.passes < 200 && !trial.warm);
    assert_true(goes_on(&trial, 160, 40, 1) && !goes_on(&trial, 160, 41, 0.5));
    assert_true(goes_on(&trial, 160, 41, 0.05) && !goes_on(&trial, 50, 16, 1));
    request.lambda = 1e-6; /* which lets planes be few, too, where data have few directions */
    assert_true(tries(&request, "ipm", "ocas"));
    request.epsilon = 9e-5;
    assert_false(tries(&request, "ipm", "ocas"));
    request.epsilon = 0;
    request.needs.map = true;
    assert_false(tries(&request, "ipm", "ocas"));
}

static void an_interior_point_follows_planes_that_take_long(void **state) {
    static const struct {
        const char *loss, *chosen, *last;
        int64_t features;
    } rows[] = {{"hinge", "ocas", "ipm", 800},
                {"hinge", "mcpa", "ipm", 800},
                {"hinge", "proximal-bundle", "ipm", 1000},
                {"hinge", "ocas", "ipm", 3000},
                {"hinge", "ocas", "ocas", 3001},
                {"epsilon", "proximal-bundle", "ipm", 800},
                {"logistic", "proximal-bundle", "proximal-bundle", 800}};
    struct trial trials[TRIALS_MOST];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of(rows[i].loss, "l2", 10000, rows[i].features);
        const struct solver *chosen = solver_by_name(rows[i].chosen);
        assert_ptr_equal(default_trials(&request, chosen, trials), solver_by_name(rows[i].last));
        assert_true(tries(&request, rows[i].chosen, rows[i].chosen) ==
                    (strcmp(rows[i].last, rows[i].chosen) != 0));
        request.trials = false;
        assert_ptr_equal(default_trials(&request, chosen, trials), chosen);
    }
    struct default_request request = default_request_of("hinge", "l2", 10000, 800);
    request.nonzeros = 340000;
    request.mean_square = 1;
    request.lambda = 1e-6;
    struct trial trial = trial_of(&request, "ocas", "ocas");
    assert_true(trial.warm && trial.passes > 600 && trial.passes < 2000);
    struct report report = {.passes = trial.passes / 2, .objective = 1, .bound = 0.998};
    assert_true(trial.allowed(&report, trial.passes) == trial.passes); /* its end is near */
    report.bound = 0.8;
    assert_true(trial.allowed(&report, trial.passes) == trial.passes / 2);
    request = default_request_of("hinge", "l2", 60000, 300); /* 200 examples a feature */
    double limit = trial_of(&request, "mcpa", "mcpa").passes;
    request.rows = 59999;
    assert_true(trial_of(&request, "mcpa", "mcpa").passes > 1.8 * limit);
    request = default_request_of("hinge", "l2", 60000, 50); /* and few features */
    limit = trial_of(&request, "mcpa", "mcpa").passes;
    request.features = 51;
    assert_true(trial_of(&request, "mcpa", "mcpa").passes < 0.7 * limit);
    request =
        default_request_of("absolute", "l2", 2000, 1500); /* programs of many planes are slow */
    request.lambda = 3.6e-7;
    trial = trial_of(&request, "proximal-bundle", "proximal-bundle");
    assert_true(trial.passes > 300 && trial.passes < 600);
    assert_true(goes_on(&trial, 400, 50, 1) && !goes_on(&trial, 400, 51, 0.9)); /* an eighth */
}

/* To Newton steps, or of a smooth loss to quasi-Newton steps where these are expected to be faster. */
static void coordinate_steps_give_way_where_they_are_chosen(void **state) {
    static const struct {
        const char *loss, *last;
        int64_t rows, features, each;
        bool lacks;
    } rows[] = {{"squared", "ipm", 900, 1200, 1200, false},
                {"absolute", "ipm", 900, 1200, 1200, false},
                {"absolute", "ipm", 900, 3000, 40, false},
                {"absolute", "dcd", 1001, 3001, 40, false}, /* a larger matrix */
                {"absolute", "ipm", 900, 90000, 40, false}, /* of rows x rows */
                {"absolute", "dcd", 900, 3000, 40, true},
                {"hinge", "ipm", 5000, 2000, 40, false},
                {"hinge", "dcd", 5000, 20000, 40, false},
                {"squared-hinge", "lbfgs", 15000, 3000, 40, false},
                {"squared-hinge", "ipm", 900, 1200, 1200, false},
                {"squared", "ipm", 10000, 3000, 25, false}, /* one step */
                {"squared", "lbfgs", 10000, 3000, 25, true},
                {"squared", "dcd", 10000, 20001, 25, false},
                {"squared", "lbfgs", 10000, 20000, 25, false},
                {"squared-hinge", "lbfgs", 10000, 30000, 25, false}};
    struct trial trials[TRIALS_MOST];
    const struct solver *dcd = solver_by_name("dcd");
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of(rows[i].loss, "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].rows * rows[i].each;
        request.newton_lacks = rows[i].lacks;
        assert_string_equal(default_trials(&request, dcd, trials)->name, rows[i].last);
        assert_true(tries(&request, "dcd", "dcd") == (strcmp(rows[i].last, "dcd") != 0));
        bool anew = strcmp(rows[i].loss, "squared-hinge") == 0 && strcmp(rows[i].last, "ipm") == 0;
        assert_true(trials[0].forgotten == anew);
        request.trials = false;
        assert_ptr_equal(default_trials(&request, dcd, trials), dcd);
    }
}

/* Twice as many passes where its end is near; beside a short time of the others by the cost of its epochs, too. */
static void how_long_chosen_coordinate_steps_take(void **state) {
    const struct report rising = {.iteration = 100, .objective = 1, .bound = 0.9, .delta = 0.2},
                        near = {.iteration = 100, .objective = 1, .bound = 0.995, .delta = 0.04};
    struct default_request request = default_request_of("absolute", "l2", 900, 1200);
    (void)state;
    request.nonzeros = 900 * 1200;
    struct trial trial = trial_of(&request, "dcd", "dcd");
    assert_true(trial.passes > 1500 && trial.passes < 3000); /* a long time: see below */
    request.needs.risk = risk_row_by_name("squared");
    trial = trial_of(&request, "dcd", "dcd");
    assert_true(trial.passes > 90 && trial.passes < 600);
    assert_float_equal(trial.allowed(&rising, 600), 14 + 145, 1e-9);
    request.needs.risk = risk_row_by_name("absolute");
    request.nonzeros = 900 * 40;
    trial = trial_of(&request, "dcd", "dcd");
    assert_true(trial.passes > 4500);
    assert_float_equal(trial.allowed(&rising, 6000), 2000, 1e-9);
    assert_float_equal(trial.allowed(&near, 6000), 4000, 1e-9);
    request = default_request_of("squared-hinge", "l2", 10000, 30000);
    assert_true(trial_of(&request, "dcd", "dcd").passes >= 90);
    /* of few dense rows an interior point takes as long as some hundred passes */
    request = default_request_of("epsilon", "l2", 300, 8000);
    request.nonzeros = 300 * 8000;
    trial = first_trial(&request, "dcd");
    assert_true(trial.passes > 300 && trial.passes < 900);
}

/* With a 1-norm, whether smoothed losses take long. */
static void accelerated_gradients_are_tried_before_an_interior_point(void **state) {
    struct default_request request = default_request_of("absolute", "l1", 150, 1500);
    const struct report far = {.objective = 1, .bound = 0.6},
                        close = {.objective = 1, .bound = 0.8};
    (void)state;
    struct trial trial = first_trial(&request, "ipm");
    assert_string_equal(trial.solver->name, "agm");
    assert_true(trial.passes > 300 && trial.allowed(&far, 100) == 50);
    assert_true(isinf(trial.allowed(&close, 100)));
    request.needs.regularizer = regularizer_by_name("elastic-net");
    assert_true(tries(&request, "ipm", "agm"));
    request.features = 1000;
    assert_false(tries(&request, "ipm", "agm"));
    request = default_request_of("absolute", "l2", 150, 1500);
    assert_false(tries(&request, "ipm", "agm"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinate_steps_are_tried_first),
        cmocka_unit_test(coordinate_steps_whose_bound_hardly_rises_go_on),
        cmocka_unit_test(proximal_steps_are_tried_first),
        cmocka_unit_test(proximal_steps_are_tried_with_an_offset),
        cmocka_unit_test(planes_are_tried_first_for_regressions_with_kinks),
        cmocka_unit_test(quasi_newton_steps_are_tried_before_newtons),
        cmocka_unit_test(quasi_newton_steps_on_few_examples),
        cmocka_unit_test(a_trial_goes_on_where_its_end_is_near),
        cmocka_unit_test(cheap_steps_of_newton_need_no_trial),
        cmocka_unit_test(coordinate_steps_are_tried_for_regressions_with_kinks),
        cmocka_unit_test(quasi_newton_steps_are_tried_before_coordinate_steps),
        cmocka_unit_test(cutting_planes_are_tried_before_an_interior_point),
        cmocka_unit_test(coordinate_steps_give_way_where_they_are_chosen),
        cmocka_unit_test(how_long_chosen_coordinate_steps_take),
        cmocka_unit_test(accelerated_gradients_are_tried_before_an_interior_point),
        cmocka_unit_test(an_interior_point_follows_planes_that_take_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
