/* test_path.c - the values of a regularization path, lambda_max, and the models along it. */
#include "solvers/linearization.h"
#include "tests/random_data.h"
#include "tests/size.h"
#include "training/classes/vector_training.h"
#include "training/defaults/check.h"
#include "training/defaults/choice.h"
#include "training/request/path_text.h"
#include "training/run/lambda_max.h"
#include "training/search/decided.h"
#include "training/search/path.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 200, FEATURES = 12, LABELS = 3, POINTS = 9 };

static void the_grid_has_its_ends_and_falls_evenly(void **state) {
    double lambda[POINTS];

    (void)state;
    path_grid(0.7, 1e-5, POINTS, lambda);
    assert_true(lambda[0] == 0.7 && lambda[POINTS - 1] == 1e-5);
    for (int i = 1; i < POINTS; i++) {
        assert_true(lambda[i] < lambda[i - 1]);
        assert_near(log(lambda[i] / lambda[i - 1]), log(1e-5 / 0.7) / (POINTS - 1), 1e-12);
    }
    path_grid(3, 2, 2, lambda);
    assert_true(lambda[0] == 3 && lambda[1] == 2);
}

static void a_grid_of_neighbours_never_rises(void **state) {
    double smallest = 0.1, largest = nextafter(smallest, 1), lambda[POINTS];

    (void)state;
    path_grid(largest, smallest, POINTS, lambda);
    for (int i = 1; i < POINTS; i++)
        assert_true(lambda[i] <= lambda[i - 1] && lambda[i] >= smallest);
    path_grid(DBL_MAX, DBL_TRUE_MIN, POINTS, lambda);
    assert_true(lambda[0] == DBL_MAX && lambda[POINTS - 1] == DBL_TRUE_MIN);
}

static void where_all_rows_are_decided_the_bounds_of_the_accuracy_are_equal(void **state) {
    enum { MOST_ROWS = 60 };
    (void)state;
    for (int64_t rows = 1; rows <= MOST_ROWS; rows++)
        for (int64_t wrong = 0; wrong <= rows; wrong++) {
            struct decided all = {.rows = rows, .right = rows - wrong, .wrong = wrong};
            assert_true(decided_least(&all) == decided_most(&all));
        }
}

static void set(struct training_request *request, const char *name, const char *text) {
    struct error e = {0};

    if (request_set(request, name, text, &e) != 0) {
        print_error("%s\n", e.words);
        fail();
    }
}

/* A path of five values with a given solver. */
static void request_begin(struct training_request *request, const char *solver, const char *loss,
                          const char *regularizer, const char *path, bool intercept) {
    struct error e = {0};

    assert_int_equal(request_init(request, NULL, &e), 0);
    set(request, "solver", solver);
    set(request, "regularizer", regularizer);
    set(request, "loss", loss);
    set(request, "path", path);
    if (intercept)
        set(request, "intercept", NULL);
    if (request_find_names(request, &e) != 0 || request_complete(request, &e) != 0) {
        print_error("%s\n", e.words);
        fail();
    }
}

static void request_make(struct training_request *request, const char *regularizer,
                         const char *loss, bool intercept) {
    request_begin(request, strcmp(regularizer, "l1") == 0 ? "lps" : "bundle", loss, regularizer,
                  "5", intercept);
}

static void values_asked_for(void **state) {
    struct training_request request;
    struct path_values values;
    struct error e = {0};

    (void)state;
    request_make(&request, "l1", "logistic", false);
    assert_int_equal(path_values_make(&request, 1e-3, 0.5, &values, NULL), 0);
    assert_int_equal(values.count, 5);
    assert_true(values.lambda[0] == 0.5 && values.lambda[4] == 1e-3);
    path_values_free(&values);
    assert_int_equal(path_values_make(&request, 0.5, 0.5, &values, NULL), 0);
    assert_true(values.count == 1 && values.lambda[0] == 0.5);
    path_values_free(&values);
    assert_int_equal(path_values_make(&request, 0.5, INFINITY, &values, &e), -1);
    path_values_free(&values);
    request.settings.path = 0;
    assert_int_equal(path_values_make(&request, 1e-3, INFINITY, &values, NULL), 0);
    assert_true(values.count == 1 && values.lambda[0] == 1e-3);
    path_values_free(&values);
    request_free(&request);
}

/* Data of three labels, one against the rest. */
struct fixture {
    struct training_request request;
    struct dataset data;
    struct classes classes;
    struct training training;
    struct monitor monitor;
    double lambda_max[LABELS];
};

static void fixture_begin(struct fixture *fixture, const char *solver, const char *loss,
                          const char *regularizer, const char *path, bool intercept) {
    *fixture = (struct fixture){.data = random_data(ROWS, FEATURES, false, 5)};
    request_begin(&fixture->request, solver, loss, regularizer, path, intercept);
    for (int64_t i = 0; i < ROWS; i += 5)
        fixture->data.label[i] = 2;
    assert_int_equal(classes_find(&fixture->request, &fixture->data, &fixture->classes, NULL), 0);
    fixture->training = (struct training){.request = &fixture->request,
                                          .data = &fixture->data,
                                          .classes = &fixture->classes,
                                          .lambda_max = fixture->lambda_max};
    monitor_init(&fixture->monitor,
                 &(struct monitor_settings){.epsilon = fixture->request.settings.epsilon,
                                            .passes = 1e5,
                                            .time_limit = INFINITY});
    assert_int_equal(lambda_max_find(&fixture->training, fixture->lambda_max, NULL), 0);
}

static void fixture_make(struct fixture *fixture, const char *regularizer, bool intercept) {
    fixture_begin(fixture, strcmp(regularizer, "l1") == 0 ? "lps" : "bundle", "logistic",
                  regularizer, "5", intercept);
}

static void fixture_free(struct fixture *fixture) {
    classes_free(&fixture->classes);
    dataset_free(&fixture->data);
    request_free(&fixture->request);
}

/* max |sum (p - [y = label]) x_j| / rows, p the label's share with an offset, 1/2 without. */
static double plain_lambda_max(const struct fixture *fixture, int label, bool intercept) {
    const struct dataset *data = &fixture->data;
    double p = 0.5, largest = 0, gradient[FEATURES] = {0};

    for (int64_t i = 0; intercept && i < ROWS; i++)
        p += ((data->label[i] == fixture->classes.label[label]) - 0.5) / ROWS;
    for (int64_t i = 0; i < ROWS; i++) {
        double is = data->label[i] == fixture->classes.label[label];
        for (int64_t k = data->start[i]; k < data->start[i + 1]; k++)
            gradient[data->column[k]] += (p - is) * data->value[k] / ROWS;
    }
    for (int j = 0; j < FEATURES; j++)
        largest = fmax(largest, fabs(gradient[j]));
    return largest;
}

static void lambda_max_of_each_label(void **state) {
    struct fixture fixture;

    (void)state;
    for (int intercept = 0; intercept < 2; intercept++) {
        fixture_make(&fixture, "l1", intercept);
        for (int k = 0; k < LABELS; k++)
            assert_near(fixture.lambda_max[k], plain_lambda_max(&fixture, k, intercept), 1e-12);
        assert_true(lambda_max_largest(fixture.lambda_max, LABELS) >= fixture.lambda_max[1]);
        fixture_free(&fixture);
    }
    fixture_make(&fixture, "elastic-net", false); /* rho 0.5 */
    assert_near(fixture.lambda_max[0], 2 * plain_lambda_max(&fixture, 0, false), 1e-12);
    fixture_free(&fixture);
}

static void lambda_max_where_there_is_none(void **state) {
    struct training_request request;

    (void)state;
    request_make(&request, "l1", "logistic", false);
    assert_true(lambda_max_exists(&request) && lambda_max_known(&request));
    request.settings.intercept = true;
    assert_true(lambda_max_known(&request));
    request.risk = risk_row_by_name("hinge"); /* the best offset is at a kink */
    assert_true(lambda_max_exists(&request) && !lambda_max_known(&request));
    request.regularizer = regularizer_by_name("entropy");
    assert_false(lambda_max_exists(&request));
    request.regularizer = regularizer_by_name("l2");
    assert_false(lambda_max_exists(&request));
    request.regularizer = regularizer_by_name("elastic-net");
    request.settings.regularizer_parameters.elastic = 1;
    assert_false(lambda_max_exists(&request));
    request_free(&request);
}

struct visits {
    int64_t count;
    int64_t nonzeros[POINTS];
    double lambda[POINTS];
};

static int visit(void *context, int64_t i, const struct model *model, const struct run *run,
                 struct error *e) {
    struct visits *visits = context;

    (void)e;
    assert_int_equal(i, visits->count);
    visits->nonzeros[i] = run->nonzeros;
    visits->lambda[i] = model->lambda;
    visits->count++;
    return 0;
}

/* The model at the smallest lambda, trained from 0. */
static double direct_objective(struct fixture *fixture, double lambda) {
    struct training training = fixture->training;
    struct model model;
    struct run run;
    double objective;

    training.lambda_max = NULL;
    training.lambda = lambda;
    assert_int_equal(run_train(&training, &fixture->monitor, &model, &run, NULL), 0);
    objective = run.total.objective;
    run_free(&run);
    model_free(&model);
    return objective;
}

static void check_path(struct fixture *fixture) {
    struct path_values values;
    struct visits visits = {0};
    const struct path_visitor visitor = {.visit = visit, .context = &visits};
    struct model model;
    struct path path;
    double largest = lambda_max_largest(fixture->lambda_max, LABELS), direct;
    int offsets = fixture->request.settings.intercept ? LABELS : 0;

    assert_int_equal(path_values_make(&fixture->request, 1e-3, largest, &values, NULL), 0);
    assert_int_equal(
        path_train(&fixture->training, &values, &visitor, &fixture->monitor, &model, &path, NULL),
        0);
    assert_int_equal(visits.count, 5);
    assert_int_equal(path.reached, 5);
    assert_int_equal(visits.nonzeros[0], offsets);
    assert_true(visits.nonzeros[4] > offsets);
    assert_true(visits.lambda[0] == largest && visits.lambda[4] == 1e-3);
    assert_true(model.lambda == 1e-3 && path_last(&path)->vector != NULL);
    assert_int_equal(path.total.verdict, VERDICT_CONVERGED);
    direct = direct_objective(fixture, 1e-3);
    assert_near(path_last(&path)->total.objective, direct, 2e-3 * direct);
    for (int i = 1; i < 5; i++) /* min J rises with lambda */
        assert_true(path.run[i].total.bound <= path.run[i - 1].total.objective);
    path_free(&path);
    model_free(&model);
    path_values_free(&values);
}

static void a_path_ends_where_a_run_does(void **state) {
    static const char *const regularizers[] = {"l1", "elastic-net", "l1"};
    struct fixture fixture;

    (void)state;
    for (int i = 0; i < 3; i++) {
        fixture_make(&fixture, regularizers[i], i == 2);
        check_path(&fixture);
        fixture_free(&fixture);
    }
}

/* Above all lambda_max no solver is run. */
static void the_null_point(void **state) {
    struct fixture fixture;
    struct model model;
    struct run run;

    (void)state;
    fixture_make(&fixture, "l1", true);
    fixture.training.lambda = lambda_max_largest(fixture.lambda_max, LABELS);
    assert_int_equal(run_train(&fixture.training, &fixture.monitor, &model, &run, NULL), 0);
    assert_int_equal(run.total.iterations, 0);
    assert_true(run.gap == 0 && run.total.bound == run.total.objective);
    for (int k = 0; k < LABELS; k++) {
        double share = 0, *w = model.w + k * model.dimension;
        for (int64_t i = 0; i < ROWS; i++)
            share += (fixture.data.label[i] == fixture.classes.label[k]) / (double)ROWS;
        for (int j = 0; j < FEATURES; j++)
            assert_true(w[j] == 0 && !signbit(w[j]));
        assert_near(w[FEATURES], log(share / (1 - share)), 1e-12);
    }
    run_free(&run);
    model_free(&model);
    fixture_free(&fixture);
}

static void time_is_shared(void **state) {
    struct fixture fixture;

    (void)state;
    fixture_make(&fixture, "l1", false);
    fixture.request.settings.time_limit = 12;
    fixture.monitor.seconds = 3;
    assert_near(run_share(&fixture.training, 1, 3, &fixture.monitor), 6, 1e-12);
    assert_near(run_share(&fixture.training, 3, 3, &fixture.monitor), 12, 1e-12);
    fixture.training.deadline = 5;
    assert_near(run_share(&fixture.training, 1, 2, &fixture.monitor), 4, 1e-12);
    fixture.training.deadline = 2;
    assert_true(run_share(&fixture.training, 1, 2, &fixture.monitor) == 3);
    fixture.request.settings.time_limit = fixture.training.deadline = INFINITY;
    assert_true(isinf(run_share(&fixture.training, 1, 2, &fixture.monitor)));
    fixture_free(&fixture);
}

/* Without time the path ends: at the first value, which the null point solves, or which no solver can. */
static void a_path_out_of_time(void **state) {
    struct fixture fixture;
    struct path_values values;
    struct model model;
    struct path path;

    (void)state;
    fixture_make(&fixture, "l1", false);
    fixture.request.settings.time_limit = 1e-9;
    for (int null = 0; null < 2; null++) {
        double largest = (null ? 1 : 0.5) * lambda_max_largest(fixture.lambda_max, LABELS);
        assert_int_equal(path_values_make(&fixture.request, 1e-3, largest, &values, NULL), 0);
        assert_int_equal(
            path_train(&fixture.training, &values, NULL, &fixture.monitor, &model, &path, NULL), 0);
        assert_int_equal(path.reached, 1);
        assert_int_equal(path.done, null);
        assert_true(path_out_of_time(&path));
        assert_true(model.lambda == values.lambda[0]);
        assert_string_equal(model.status, null ? "converged" : "limit");
        path_free(&path);
        model_free(&model);
        path_values_free(&values);
    }
    fixture_free(&fixture);
}

/* ---- certified paths */

static void texts_of_paths(void **state) {
    static const char *const wrong[] = {
        "1",     "10001",     "x",          "5,1",         "5,1,2",
        "5,0,0", "5,1,0.1,2", "certified=", "certified=0", "certified=1"};
    struct train_settings settings = {.path_text = "7,0.5,1e-3"};
    struct error e = {0};

    (void)state;
    assert_int_equal(path_text_read(&settings, NULL), 0);
    assert_true(settings.path == 7 && settings.path_from == 0.5 && settings.path_to == 1e-3);
    assert_true(settings.path_gap == 0);
    settings.path_text = "certified=0.02";
    assert_int_equal(path_text_read(&settings, NULL), 0);
    assert_true(settings.path_gap == 0.02 && settings.path == CERTIFIED_PATH_MOST);
    assert_true(settings.path_from == 0 && settings.path_to == 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        settings.path_text = wrong[i];
        assert_int_equal(path_text_read(&settings, &e), -1);
        assert_int_equal(e.kind, ERROR_USAGE);
    }
}

/* The models of a certified path. */
struct models {
    int64_t count;
    double lambda[CERTIFIED_PATH_MOST], *w[CERTIFIED_PATH_MOST];
};

static int keep(void *context, int64_t i, const struct model *model, const struct run *run,
                struct error *e) {
    struct models *models = context;
    size_t bytes = sizeof *model->w * (size_t)model_weights(model);

    (void)e;
    assert_true(run->total.low <= 1 && run->total.high >= 1);
    models->lambda[i] = model->lambda;
    models->w[i] = malloc(bytes);
    memcpy(models->w[i], model->w, bytes);
    models->count = i + 1;
    return 0;
}

/* J of the model at another lambda, from the data. */
static double objective_at(const struct fixture *fixture, const double *w, double lambda) {
    struct training training = fixture->training;
    double sum = 0, work[ROWS];
    int64_t each = FEATURES + fixture->request.settings.intercept;

    training.lambda = lambda;
    for (int64_t k = 0; k < fixture->classes.vectors; k++) {
        const double *target = classes_targets(&fixture->classes, &fixture->data, k, work);
        struct risk *risk = vector_risk(&training, k, target, NULL);
        struct problem problem = vector_problem(&training, risk);
        sum += problem_objective(&problem, w + k * each);
        risk_free(risk);
    }
    return sum;
}

/* At lambdas all over the range every model whose interval has the lambda is within the gap, and there is one; by
 * solves of their own. */
static void check_certified(struct fixture *fixture, const struct path *path,
                            const struct models *models, double gap) {
    enum { LAMBDAS = PART(12, 4) };
    const struct path_values *values = path->values;
    double step = exp(log(values->to / values->from) / (LAMBDAS - 1));

    fixture->monitor.settings.epsilon = 1e-5;
    for (int q = 0; q < LAMBDAS; q++) {
        double lambda = fmax(values->from * pow(step, q), values->to);
        double optimum = direct_objective(fixture, lambda);
        int holders = 0;
        for (int64_t i = 0; i < models->count; i++) {
            const struct outcome *total = &path->run[i].total;
            double objective = objective_at(fixture, models->w[i], lambda);
            if (lambda > total->high * models->lambda[i] || lambda < total->low * models->lambda[i])
                continue;
            holders++;
            assert_true(objective - optimum <= gap * objective);
        }
        assert_true(holders > 0);
    }
}

static void certified_path(const char *solver, const char *loss, const char *regularizer,
                           bool intercept) {
    static const double gap = 0.02, least = PART(1e-4, 1e-3);
    struct fixture fixture;
    struct models models = {0};
    const struct path_visitor visitor = {.visit = keep, .context = &models};
    struct path_values values;
    struct model model;
    struct path path;
    struct error e = {0};

    fixture_begin(&fixture, solver, loss, regularizer,
                  PART("certified=0.02,1,1e-4", "certified=0.02,1,1e-3"), intercept);
    fixture.training.lambda_max = NULL;
    assert_int_equal(path_values_make(&fixture.request, least, 1, &values, NULL), 0);
    if (path_train(&fixture.training, &values, &visitor, &fixture.monitor, &model, &path, &e) !=
        0) {
        print_error("%s, %s: %s\n", solver, loss, e.words);
        fail();
    }
    assert_int_equal(path.total.verdict, VERDICT_CONVERGED);
    assert_true(values.count == models.count && values.count > 1 && values.count <= 12);
    assert_true(values.solves >= 2 && values.solves <= 9);
    assert_true(models.lambda[0] == 1 && model.lambda == least);
    check_certified(&fixture, &path, &models, gap);
    for (int64_t i = 0; i < models.count; i++)
        free(models.w[i]);
    path_free(&path);
    model_free(&model);
    path_values_free(&values);
    fixture_free(&fixture);
}

/* A certified path of the hinge with a 1-norm, whose min J has kinks. */
struct kinks {
    struct fixture fixture;
    struct path_values values;
    struct model model;
    struct path path;
};

/* MOST: so many models at most; 0: the usual number. */
static void train_on_kinks(struct kinks *k, int64_t most) {
    static const double least = PART(0.01, 0.05);
    fixture_begin(&k->fixture, "ipm", "hinge", "l1",
                  PART("certified=1e-5,0.3,0.01", "certified=1e-5,0.3,0.05"), false);
    k->fixture.training.lambda_max = NULL;
    assert_int_equal(path_values_make(&k->fixture.request, least, 0.3, &k->values, NULL), 0);
    if (most > 0)
        k->values.count = most;
    assert_int_equal(path_train(&k->fixture.training, &k->values, NULL, &k->fixture.monitor,
                                &k->model, &k->path, NULL),
                     0);
}

static void kinks_free(struct kinks *k) {
    path_free(&k->path);
    model_free(&k->model);
    path_values_free(&k->values);
    fixture_free(&k->fixture);
}

/* With a 1-norm and a loss with kinks min J has kinks in lambda, at which only a short step is enough. */
static void neighbours_meet_at_kinks(void **state) {
    struct kinks k;

    (void)state;
    train_on_kinks(&k, 0);
    assert_int_equal(k.path.total.verdict, VERDICT_CONVERGED);
    for (int64_t i = 1; i < k.values.count; i++)
        assert_true(k.path.run[i - 1].total.low * k.values.lambda[i - 1] <=
                    k.path.run[i].total.high * k.values.lambda[i] * (1 + 1e-12));
    kinks_free(&k);
}

/* The least gap takes more models than there may be: the path says where it ends. */
static void a_path_that_is_too_long_ends(void **state) {
    struct kinks k;

    (void)state;
    train_on_kinks(&k, 3);
    assert_int_equal(k.path.total.verdict, VERDICT_STALLED);
    assert_true(k.values.count >= 1 && k.values.count <= 3 && k.values.to > 0.01);
    assert_true(k.values.to == k.values.lambda[k.values.count - 1]);
    kinks_free(&k);
}

static void a_model_within_the_gap_everywhere(void **state) {
    (void)state;
    certified_path("mcpa", "hinge", "l2", true);
    certified_path("bundle", "squared-hinge", "l2", false);
    certified_path("bundle", "logistic", "elastic-net", false);
    certified_path("proximal-bundle", "logistic", "l2", true);
    certified_path("lbfgs", "logistic", "l2", true);
    certified_path("dcd", "hinge", "l2", false);
    certified_path("ipm", "hinge", "l2", true);
    certified_path("lps", "logistic", "l1", true);
    certified_path("agm", "hinge", "l2", false);
}

/* Of the solver below. */
static double passes_of_solver;

static int train_and_count(const struct solve *solve, struct error *e) {
    int status = solver_by_name("lbfgs")->train(solve, e);
    passes_of_solver = solve->outcome->passes;
    return status;
}

/* The bound of the two linearizations is 0: the mixture is evaluated, and the solver trains after all. */
static void a_mixture_that_will_not_do_counts(void **state) {
    double zero[FEATURES] = {0}, w[FEATURES] = {0}, work[ROWS];
    const struct linearization none = {.slope = zero, .size = FEATURES};
    struct linearization now;
    const struct between between = {.now = &now, .above = &none, .below = &none};
    struct vector_run vector = {0};
    struct fixture fixture;

    (void)state;
    fixture_begin(&fixture, "lbfgs", "logistic", "l2", "certified=0.02,1,1e-4", false);
    struct solver counted = *fixture.request.solver;
    counted.train = train_and_count;
    fixture.request.solver = &counted;
    fixture.training.lambda_max = NULL;
    fixture.training.lambda = 0.01;
    fixture.training.between = &between;
    assert_int_equal(vector_train(&fixture.training, 0,
                                  classes_targets(&fixture.classes, &fixture.data, 0, work),
                                  &fixture.monitor, w, &vector, NULL),
                     0);
    assert_true(passes_of_solver > 0 && vector.outcome.passes == passes_of_solver + 1);
    linearization_free(&now);
    fixture_free(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_has_its_ends_and_falls_evenly),
        cmocka_unit_test(a_grid_of_neighbours_never_rises),
        cmocka_unit_test(where_all_rows_are_decided_the_bounds_of_the_accuracy_are_equal),
        cmocka_unit_test(values_asked_for),
        cmocka_unit_test(lambda_max_of_each_label),
        cmocka_unit_test(lambda_max_where_there_is_none),
        cmocka_unit_test(a_path_ends_where_a_run_does),
        cmocka_unit_test(the_null_point),
        cmocka_unit_test(time_is_shared),
        cmocka_unit_test(a_path_out_of_time),
        cmocka_unit_test(texts_of_paths),
        cmocka_unit_test(a_model_within_the_gap_everywhere),
        cmocka_unit_test(neighbours_meet_at_kinks),
        cmocka_unit_test(a_path_that_is_too_long_ends),
        cmocka_unit_test(a_mixture_that_will_not_do_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
