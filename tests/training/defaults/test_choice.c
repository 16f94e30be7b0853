/* test_choice.c - what the data say about the solvers of a request. */
#include "training/defaults/choice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "training/defaults/check.h"

enum { ROWS = 1000, FEATURES = 20 };

/* One value a row; the features are SIZE, but for the last one. */
static struct dataset data_of(double size, double last) {
    static int64_t start[ROWS + 1];
    static int32_t column[ROWS];
    static double value[ROWS], label[ROWS];
    for (int32_t i = 0; i < ROWS; i++) {
        start[i] = i;
        column[i] = i % FEATURES;
        value[i] = column[i] == FEATURES - 1 ? last : size;
        label[i] = i % 2 == 0 ? 1 : -1;
    }
    start[ROWS] = ROWS;
    return (struct dataset){.rows = ROWS,
                            .nonzeros = ROWS,
                            .features = FEATURES,
                            .start = start,
                            .column = column,
                            .value = value,
                            .label = label};
}

/* The caller frees it. */
static void choose_for(struct training_request *request, const char *loss,
                       const struct dataset *data, double lambda) {
    struct error e = {0};
    assert_int_equal(request_init(request, NULL, &e), 0);
    assert_int_equal(request_set(request, "loss", loss, &e), 0);
    assert_int_equal(request_find_names(request, &e), 0);
    assert_int_equal(request_complete(request, &e), 0);
    assert_int_equal(request_choose(request, data, 1, lambda, &e), 0);
}

static void choose(struct training_request *request, const struct dataset *data, double lambda) {
    choose_for(request, "hinge", data, lambda);
}

/* Coordinate steps are tried where the features count as even. */
static bool tries_coordinates(double last, double lambda) {
    const struct dataset data = data_of(1, last);
    struct training_request request;
    bool tried = false;
    choose(&request, &data, lambda);
    for (int k = 0; k < TRIALS_MOST; k++)
        tried = tried || request.trial[k].solver == solver_by_name("dcd");
    request_free(&request);
    return tried;
}

static void assert_chosen_for_sizes(double size, double last, double lambda, const char *solver) {
    const struct dataset data = data_of(size, last);
    struct training_request request;
    choose(&request, &data, lambda);
    int k = 0; /* the planes that are chosen are the last trial */
    while (k < TRIALS_MOST && request.trial[k].solver != NULL &&
           strcmp(request.trial[k].solver->name, "mcpa") != 0)
        k++;
    bool planes = k < TRIALS_MOST && request.trial[k].solver != NULL;
    assert_string_equal(planes ? request.trial[k].solver->name : request.solver->name, solver);
    assert_string_equal(request.solver->name, "ipm");
    request_free(&request);
}

/* Then lambda is small beside them, and cutting planes are many. */
static void large_rows_are_for_the_interior_point(void **state) {
    (void)state;
    assert_chosen_for_sizes(1, 1, 1e-3, "mcpa");
    assert_chosen_for_sizes(10, 10, 1e-3, "ipm");
}

/* One feature has all but 0.2 % of the sum of squares. */
static void cutting_planes_are_few_where_few_features_matter(void **state) {
    double same = sqrt(0.95 + 0.05 * 90 * 90);
    (void)state;
    assert_chosen_for_sizes(same, same, 1e-2, "ipm");
    assert_chosen_for_sizes(1, 90, 1e-2, "mcpa");
}

/* Of rows whose mean square norm is 0.95. */
static void small_features_count_at_small_lambda(void **state) {
    static const double threshold = 0.95 / 1e5; /* of lambda */
    (void)state;
    assert_true(tries_coordinates(0.9, 1.1 * threshold));
    assert_true(tries_coordinates(0.9, 0.9 * threshold));
    assert_true(tries_coordinates(0.001, 1.1 * threshold));
    assert_false(tries_coordinates(0.001, 0.9 * threshold));
}

/* One feature is a thousandth of the others. */
static void softmax_looks_at_sizes_too(void **state) {
    static const struct {
        double last;
        const char *solver;
    } rows[] = {{0.9, "lbfgs"}, {0.001, "proximal-bundle"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct dataset data = data_of(1, rows[i].last);
        struct training_request request;
        choose_for(&request, "softmax", &data, 1e-6);
        assert_string_equal(request.solver->name, rows[i].solver);
        request_free(&request);
    }
}

/* Whether solvers are tried first where NAME (NULL: nothing) is set to TEXT. */
static bool tries_any(const char *name, const char *text, bool start) {
    const struct dataset data = data_of(1, 1);
    struct training_request request;
    struct error e = {0};
    assert_int_equal(request_init(&request, NULL, &e), 0);
    assert_int_equal(name == NULL ? 0 : request_set(&request, name, text, &e), 0);
    request.start_given = start;
    assert_int_equal(request_find_names(&request, &e), 0);
    assert_int_equal(request_complete(&request, &e), 0);
    assert_int_equal(request_choose(&request, &data, 1, 1e-3, &e), 0);
    bool any = request.trial[0].solver != NULL;
    request_free(&request);
    return any;
}

/* Not where the user limits passes or gives weights, nor on paths, nor for the smallest gap that there is. */
static void trials_are_of_plain_runs(void **state) {
    (void)state;
    assert_true(tries_any(NULL, NULL, false));
    assert_true(tries_any("epsilon", "1e-3", false));
    assert_false(tries_any("epsilon", "0", false));
    assert_false(tries_any("passes", "100", false));
    assert_false(tries_any("path", "3", false));
    assert_false(tries_any("path", "certified=0.1", false));
    assert_false(tries_any(NULL, NULL, true));
}

static void nu_is_a_half_unless_given(void **state) {
    (void)state;
    for (int given = 0; given < 2; given++) {
        struct training_request request;
        struct error e = {0};
        assert_int_equal(request_init(&request, NULL, &e), 0);
        assert_int_equal(request_set(&request, "loss", "nu-hinge", &e), 0);
        assert_int_equal(given ? request_set(&request, "nu", "0.3", &e) : 0, 0);
        assert_int_equal(request_find_names(&request, &e), 0);
        assert_int_equal(request_complete(&request, &e), 0);
        assert_true(request.settings.margin.nu == (given ? 0.3 : 0.5));
        request_free(&request);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_rows_are_for_the_interior_point),
        cmocka_unit_test(cutting_planes_are_few_where_few_features_matter),
        cmocka_unit_test(small_features_count_at_small_lambda),
        cmocka_unit_test(softmax_looks_at_sizes_too),
        cmocka_unit_test(trials_are_of_plain_runs),
        cmocka_unit_test(nu_is_a_half_unless_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
