/* test_training.c - the parts of training: classes, weights, folds, warm start, warnings. */
#include "training/classes/classes.h"
#include "training/classes/trial_run.h"
#include "training/request/example_weights.h"
#include "training/run/warm_start.h"
#include "training/search/folds.h"
#include "training/warnings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 12 };

static double label[ROWS] = {3, 1, 2, 2, 1, 3, -0.0, 0, 1, 2, 3, 0};
static double two_label[ROWS] = {-1, 1, 1, -1, 1, 1, 1, 1, 1, 1, -1, 1};
static int64_t start[ROWS + 1];
static int64_t group_start[] = {0, 3, 4, 8, 12};
static int64_t group_id[] = {5, 9, 2, 7};

static struct training_request request_of(const char *loss) {
    return (struct training_request){.data_name = "data",
                                     .risk = risk_row_by_name(loss),
                                     .regularizer = regularizer_by_name("l2")};
}

static void classes(void **state) {
    struct training_request request = request_of("hinge");
    struct dataset data = {.rows = ROWS, .label = label};
    struct classes many;
    struct error e = {0};

    (void)state;
    assert_int_equal(classes_find(&request, &data, &many, &e), 0);
    assert_int_equal(many.labels, 4);
    assert_int_equal(many.vectors, 4);
    for (int k = 0; k < 4; k++)
        assert_true(many.label[k] == k);
    assert_int_equal(classes_work(&many, &data), 0);
    assert_ptr_equal(classes_targets(&many, &data, 3, NULL), label);
    assert_ptr_equal(classes_positive(&many, 3), &many.label[3]);
    classes_free(&many);
}

static void two_classes(void **state) {
    struct training_request request = request_of("hinge");
    struct dataset data = {.rows = ROWS, .label = two_label};
    struct classes two;
    struct error e = {0};

    (void)state;
    assert_int_equal(classes_find(&request, &data, &two, &e), 0);
    assert_int_equal(two.labels, 2);
    assert_int_equal(two.vectors, 1);
    assert_true(two.label[0] == 1 && two.label[1] == -1 && !two.against_rest);
    assert_int_equal(classes_work(&two, &data), 0);
    assert_ptr_equal(classes_targets(&two, &data, 0, NULL), two_label);
    assert_null(classes_positive(&two, 0));
    classes_free(&two);
    request.positive_given = true;
    request.settings.positive = -1;
    assert_int_equal(classes_find(&request, &data, &two, &e), 0);
    assert_true(two.label[0] == -1 && two.label[1] == 1 && !two.against_rest);
    assert_ptr_equal(classes_positive(&two, 0), &two.label[0]);
    classes_free(&two);
}

static void one_against_the_rest(void **state) {
    /* not a mean of losses of scores: its targets are computed before */
    struct training_request request = request_of("f1");
    struct dataset data = {.rows = ROWS, .label = label};
    struct classes one;
    struct error e = {0};
    double target[ROWS];

    (void)state;
    request.positive_given = true;
    request.settings.positive = 2;
    assert_int_equal(classes_find(&request, &data, &one, &e), 0);
    assert_true(one.labels == 2 && one.vectors == 1 && one.against_rest);
    assert_true(one.label[0] == 2 && one.label[1] == -1);
    assert_null(classes_positive(&one, 0));
    assert_int_equal(classes_work(&one, &data), ROWS);
    classes_targets(&one, &data, 0, target);
    assert_true(target[2] == 1 && target[3] == 1 && target[0] == -1);
    classes_free(&one);
    request.settings.positive = 4;
    assert_int_equal(classes_find(&request, &data, &one, &e), -1);
    assert_string_equal(e.words, "label 4 (-P) does not occur");
    classes_free(&one);
}

static void regression(void **state) {
    struct training_request request = request_of("squared");
    struct dataset data = {.rows = ROWS, .label = label};
    struct classes none;

    (void)state;
    assert_int_equal(classes_find(&request, &data, &none, NULL), 0);
    assert_true(none.labels == 0 && none.vectors == 1);
    assert_int_equal(classes_work(&none, &data), 0);
    assert_ptr_equal(classes_targets(&none, &data, 0, NULL), label);
}

static void weights(void **state) {
    struct class_weight of[] = {{1, 9}, {2, 0.5}, {1, 4}, {8, 3}};
    struct training_request request = request_of("hinge");
    struct dataset data = {.rows = ROWS, .label = label};
    double lambda;

    (void)state;
    request.settings.class_weight = of;
    request.settings.class_weights = 4;
    assert_int_equal(example_weights_apply(&request, &data, NULL), 0);
    assert_true(data.weight[0] == 1 && data.weight[1] == 4 && data.weight[2] == 0.5);
    assert_ptr_equal(example_weights_unused(&request, &data), &of[3]);
    request.cost_given = true;
    request.settings.cost = 2;
    assert_int_equal(example_weights_lambda(&request, &data, &lambda, NULL), 0);
    assert_true(lambda == 1 / (2 * (6 + 3 * 4 + 3 * 0.5)));
    free(data.weight);
    data.weight = NULL;
    of[0].weight = of[1].weight = of[2].weight = 1;
    assert_int_equal(example_weights_apply(&request, &data, NULL), 0);
    assert_null(data.weight);
    of[1].weight = 1e100;
    of[2].weight = 9e-101;
    assert_int_equal(example_weights_apply(&request, &data, NULL), 0);
    assert_true(data.weight[0] == 1 && data.weight[1] == 0 && data.weight[2] == 1e100);
    free(data.weight);
}

static void folds(void **state) {
    struct dataset data = {.rows = ROWS, .start = start, .label = label};
    struct folds a, b;
    int count[5] = {0};

    (void)state;
    assert_int_equal(folds_make(&data, 5, 3, "data", &a, NULL), 0);
    assert_int_equal(folds_make(&data, 5, 3, "data", &b, NULL), 0);
    assert_memory_equal(a.fold, b.fold, sizeof *a.fold * ROWS);
    for (int i = 0; i < ROWS; i++)
        count[a.fold[i]]++;
    for (int k = 0; k < 5; k++)
        assert_true(count[k] == 2 || count[k] == 3);
    folds_free(&a);
    folds_free(&b);
}

static void whole_groups(void **state) {
    struct dataset data = {.rows = ROWS,
                           .start = start,
                           .label = label,
                           .groups = 4,
                           .group_start = group_start,
                           .group_id = group_id};
    struct folds folds;
    struct error e = {0};

    (void)state;
    assert_int_equal(folds_make(&data, 2, 1, "data", &folds, &e), 0);
    for (int g = 0; g < 4; g++)
        for (int64_t i = group_start[g]; i < group_start[g + 1]; i++)
            assert_int_equal(folds.fold[i], folds.fold[group_start[g]]);
    folds_free(&folds);
    assert_int_equal(folds_make(&data, 5, 1, "data", &folds, &e), -1);
    assert_string_equal(e.words, "5 folds (-v), but only 4 groups");
    folds_free(&folds);
}

/* A model of the labels 1, 2 as a start for 2, 1: the other sign; features come and go, the bias
 * stays at the end. */
static void warm_start(void **state) {
    double theirs[] = {1, 2}, ours[] = {2, 1}, start_w[] = {10, 20, 30, 7};
    struct model model = {.labels = 2,
                          .label = theirs,
                          .vectors = 1,
                          .features = 3,
                          .dimension = 4,
                          .bias = 1,
                          .w = start_w};
    struct classes classes = {.labels = 2, .label = ours, .vectors = 1};
    struct training_request request = request_of("hinge");
    double w[6];
    static const double wide[] = {-10, -20, -30, 0, 0, -7}, narrow[] = {-10, -20, -7};

    (void)state;
    request.settings.bias = 1;
    assert_int_equal(warm_start_check(&request, &classes, &model, NULL), 0);
    warm_start_vector(&model, &classes, 0, 5, w);
    assert_memory_equal(w, wide, sizeof wide);
    warm_start_vector(&model, &classes, 0, 2, w);
    assert_memory_equal(w, narrow, sizeof narrow);
}

/* The warning of a run that ended by `verdict`, or "" when it is none to warn of. */
static const char *warning(enum verdict verdict, double epsilon, double passes, double gap) {
    static char text[WARNING_SIZE];
    struct training_request request = request_of("hinge");
    struct outcome total = {.verdict = verdict, .passes = 7, .sought = epsilon > 0};

    text[0] = '\0';
    request.settings.epsilon = epsilon;
    request.settings.passes = passes;
    request.settings.time_limit = 2;
    if (outcome_cut_short(&total))
        warning_limit(&request, &total, gap, "a signal came", text);
    return text;
}

static void warnings(void **state) {
    (void)state;
    assert_string_equal(warning(VERDICT_CONVERGED, 1e-3, INFINITY, 1e-4), "");
    assert_string_equal(warning(VERDICT_PASSES, 0, 7, 0.5), "");
    assert_string_equal(warning(VERDICT_STALLED, 0, INFINITY, 1e-9), "");
    assert_string_equal(
        warning(VERDICT_STALLED, 1e-9, INFINITY, 2.5e-8),
        "rounding ended progress at a certified gap of 2.5e-08, before the tolerance 1e-09 (-e) "
        "was reached; scale the features, or raise lambda or -e");
    assert_string_equal(warning(VERDICT_PASSES, 1e-3, 7, 0.5),
                        "the limit of 7 passes (-p) came before the tolerance 0.001 (-e) was "
                        "reached; raise -p or -e");
    assert_string_equal(
        warning(VERDICT_TIME, 1e-3, INFINITY, 0.5),
        "the limit of 2 s (-t) came before the tolerance 0.001 (-e) was reached; raise -t or -e");
    assert_string_equal(warning(VERDICT_TIME, 0, 9, 0.5),
                        "the limit of 2 s (-t) came after 7 of 9 passes; raise -t");
    assert_string_equal(warning(VERDICT_TIME, 0, INFINITY, 0.5),
                        "the limit of 2 s (-t) came after 7 passes; raise -t");
}

/* After all its passes, or once it has settled; not where its first passes showed that it does not suit. */
static void a_trial_that_decides(void **state) {
    struct trial trial = {.passes = 12, .decides = true};
    struct trial_run run = {.over = true, .outcome = {.passes = 12, .verdict = VERDICT_PASSES}};
    (void)state;
    assert_true(trial_run_decides(&trial, &run));
    run.outcome.passes = 3;
    assert_false(trial_run_decides(&trial, &run));
    run.outcome.verdict = VERDICT_SETTLED;
    assert_true(trial_run_decides(&trial, &run));
    trial.decides = false;
    assert_false(trial_run_decides(&trial, &run));
}

/* Ends without the tolerance, at a w whose J is w. */
static int end_at(const struct solve *solve, double w) {
    solve->w[0] = w;
    *solve->outcome = (struct outcome){.objective = w, .passes = 1, .verdict = VERDICT_PASSES};
    return 0;
}

static int end_at_3(const struct solve *solve, struct error *e) {
    (void)e;
    return end_at(solve, 3);
}

static int end_at_2(const struct solve *solve, struct error *e) {
    (void)e;
    return end_at(solve, 2);
}

/* Where the next solver starts. */
static void the_best_of_the_trials(void **state) {
    static const struct solver worse = {.name = "worse", .train = end_at_3},
                               better = {.name = "better", .train = end_at_2};
    const struct trial trials[] = {{.solver = &worse}, {.solver = &better}, {.solver = &worse}};
    const double best_after[] = {3, 2, 2};
    struct training_request request = request_of("hinge");
    const struct training training = {.request = &request};
    const struct run_settings settings = {0};
    struct monitor monitor = {0};
    double w[1], best_w[1];
    struct trial_best best = {.w = best_w, .count = 1, .objective = INFINITY};
    const struct solve solve = {.run = &settings, .monitor = &monitor, .w = w};
    struct trial_run run;
    struct error e = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(trial_run(&training, &trials[i], &solve, &best, &run, &e), 0);
        assert_true(run.over && best.objective == best_after[i] && best_w[0] == best_after[i]);
    }
}

/* From 0, or where it says so from the best of those before it, if there were any. */
static void the_start_of_a_trial(void **state) {
    static const struct {
        double objective;
        bool warm;
        double start;
    } rows[] = {{0.3, true, 5}, {0.3, false, 0}, {INFINITY, true, 0}, {INFINITY, false, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double best_w[2] = {5, 6}, w[3] = {1, 2, 3};
        const struct trial_best best = {.w = best_w, .count = 2, .objective = rows[i].objective};
        trial_run_start(&(struct trial){.warm = rows[i].warm}, &best, w);
        assert_true(w[0] == rows[i].start && w[1] == (rows[i].start > 0 ? 6 : 0) && w[2] == 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trial_that_decides),
        cmocka_unit_test(the_best_of_the_trials),
        cmocka_unit_test(the_start_of_a_trial),
        cmocka_unit_test(classes),
        cmocka_unit_test(two_classes),
        cmocka_unit_test(one_against_the_rest),
        cmocka_unit_test(regression),
        cmocka_unit_test(weights),
        cmocka_unit_test(folds),
        cmocka_unit_test(whole_groups),
        cmocka_unit_test(warm_start),
        cmocka_unit_test(warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
