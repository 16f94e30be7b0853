/* test_rrm_training.c - training by the public library: results, ends, progress, starts, threads. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rrm_fixture.h"
#include "tests/size.h"

/* ---- training */

static void results_say_what_was_reached(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    (void)state;
    rrm_model_free(train(data, "lambda=1e-3,epsilon=1e-6", &result));
    assert_int_equal(result.status, RRM_CONVERGED);
    assert_true(result.bound <= result.objective && result.gap <= 1e-6 && result.gap >= 0);
    assert_true(result.lambda == 1e-3 && result.passes > 0 && result.seconds >= 0);
    assert_true(result.nonzeros > 0 && result.nonzeros <= FEATURES && result.solver != NULL);
    assert_true(result.warnings == 0 && result.warning[0] == '\0');
    double best = result.bound;
    rrm_model_free(train(data, "lambda=1e-3,epsilon=1e-9,passes=2,solver=bundle", &result));
    assert_true(result.status == RRM_LIMIT && result.objective >= best);
    assert_true(result.warnings == 1 && strstr(result.warning, "pass") != NULL);
    assert_string_equal(result.solver, "bundle");
    rrm_model_free(
        train(data, "ball=l1=0.5,loss=logistic,class-weight=7=2,class-weight=9=1", &result));
    assert_true(isnan(result.lambda));
    assert_non_null(strstr(result.warning, "no example has the label"));
    rrm_data_free(data);
}

/* A model that scales predicts what the model of a smaller range does: features times powers of two. */
/* The solver that goes first is named where it was enough; its passes count where it was not. */
static void a_trial_comes_before_the_default_solver(void **state) {
    static double hard[ROWS]; /* hardly any margin can be kept */
    for (int i = 0; i < ROWS; i++)
        hard[i] = i % 2;
    struct rrm_csr csr = arrays(hard);
    struct rrm_data *data = lend(&csr);
    struct rrm_result dcd, ipm, tried;
    (void)state;
    rrm_model_free(train(data, "lambda=1", &tried));
    rrm_model_free(train(data, "lambda=1,solver=dcd", &dcd));
    assert_string_equal(tried.solver, "dcd");
    assert_true(tried.passes == dcd.passes && tried.objective == dcd.objective);
    rrm_model_free(train(data, "lambda=1e-5", &tried));
    rrm_model_free(train(data, "lambda=1e-5,solver=ipm", &ipm));
    assert_string_equal(tried.solver, "ipm");
    assert_int_equal(tried.status, RRM_CONVERGED);
    assert_true(tried.passes > ipm.passes + 9 && tried.iterations > ipm.iterations + 8);
    assert_true(tried.bound >= ipm.bound && tried.bound <= ipm.objective);
    assert_true(tried.objective <= ipm.objective && tried.objective >= ipm.bound);
    rrm_data_free(data);
}

static void models_scale_the_data(void **state) {
    static double small[ROWS], large[ROWS];
    static const char settings[] = "scale=standard,loss=logistic,lambda=1e-3,epsilon=1e-9";
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train(data, settings, NULL);
    (void)state;
    assert_int_equal(rrm_predict(model, data, NULL, small, NULL, NULL), 0);
    rrm_model_free(model);
    double *value = malloc(sizeof *value * (size_t)csr.start[ROWS]);
    assert_non_null(value);
    for (int64_t k = 0; k < csr.start[ROWS]; k++)
        value[k] = csr.value[k] * (csr.column[k] % 2 == 0 ? 1024 : 1);
    csr.value = value;
    struct rrm_data *scaled = lend(&csr);
    model = train(scaled, settings, NULL);
    assert_int_equal(rrm_predict(model, scaled, NULL, large, NULL, NULL), 0);
    for (int i = 0; i < ROWS; i++)
        assert_true(small[i] == large[i] && small[i] != 0);
    rrm_model_free(model);
    rrm_data_free(scaled);
    rrm_data_free(data);
    free(value);
}

/* One-vs-one with probabilities: the label is the most probable one, and the scores are one a pair. */
static void pairs_and_probabilities(void **state) {
    static const char *const lists[] = {"multiclass=ovo,probabilities=1", "probabilities=1",
                                        "gamma-kernel=0.5,basis=1,probabilities=1"};
    static double label[ROWS], score[ROWS * CLASSES], probability[ROWS * CLASSES];
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    (void)state;
    for (int n = 0; n < 3; n++) {
        struct rrm_model_info info;
        struct rrm_model *model = train(data, lists[n], NULL);
        rrm_model_describe(model, &info);
        assert_true(info.pairs == (n != 1) && info.probabilities == 1 && info.vectors == CLASSES);
        assert_int_equal(rrm_predict(model, data, label, score, probability, NULL), 0);
        for (int i = 0; i < ROWS; i++) {
            const double *p = probability + i * CLASSES;
            assert_true(fabs(p[0] + p[1] + p[2] - 1) < 1e-12);
            for (int k = 0; k < CLASSES; k++)
                assert_true(label[i] == info.label[k] ||
                            p[k] <= fmax(p[(k + 1) % 3], p[(k + 2) % 3]));
        }
        rrm_model_free(model);
    }
    rrm_data_free(data);
}

/* Weights of the caller: with x = 1 the pairs (5,6), (5,7), (6,7) vote for 6, 5 and 7; the first label wins the tie. */
static void pairs_of_weights(void **state) {
    static const double labels_of_pairs[] = {5, 6, 7}, weight[] = {-1, 1, -1}, one = 1;
    static const int64_t start[] = {0, 1};
    static const int32_t column = 0;
    struct rrm_csr csr = {.rows = 1, .start = start, .column = &column, .value = &one};
    struct rrm_model_info info = {.loss = "hinge",
                                  .labels = 3,
                                  .label = labels_of_pairs,
                                  .features = 1,
                                  .vectors = 3,
                                  .dimension = 1,
                                  .bias = -1,
                                  .weight = weight,
                                  .pairs = 1};
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = rrm_model_from_weights(&info, NULL);
    struct rrm_error error;
    double label;
    (void)state;
    assert_non_null(model);
    assert_int_equal(rrm_predict(model, data, &label, NULL, NULL, NULL), 0);
    assert_true(label == 5);
    info.loss = "softmax";
    assert_null(rrm_model_from_weights(&info, &error));
    assert_non_null(strstr(error.message, "one-vs-one"));
    rrm_model_free(model);
    rrm_data_free(data);
}

struct calls {
    int count, stop;
    double last;
};

static int count_calls(void *context, const struct rrm_progress *progress) {
    struct calls *calls = context;
    calls->count++;
    assert_true(progress->passes >= calls->last && progress->seconds >= 0);
    assert_true(isnan(progress->objective) || progress->bound <= progress->objective);
    calls->last = progress->passes;
    return calls->count == calls->stop;
}

static void progress_is_told_and_may_end_it(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_settings *settings = settings_of("solver=bundle,epsilon=1e-6,lambda=1e-4");
    struct rrm_model *model;
    struct rrm_result result;
    struct calls complete = {0}, ended = {.stop = 3};
    const struct rrm_training count_all = {.progress = count_calls, .context = &complete};
    const struct rrm_training count_three = {.progress = count_calls, .context = &ended};
    (void)state;
    assert_int_equal(rrm_train(data, settings, &count_all, &model, &result, NULL), 0);
    assert_true(result.status == RRM_CONVERGED && complete.count > 3);
    rrm_model_free(model);
    assert_int_equal(rrm_train(data, settings, &count_three, &model, &result, NULL), 0);
    assert_true(result.status == RRM_INTERRUPTED && ended.count == 3);
    assert_int_equal(strncmp(result.warning, "the training was interrupted after ", 35), 0);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

static void check_code(const struct rrm_data *data, const char *list, int stop, int code,
                       const char *words) {
    struct rrm_settings *settings = settings_of(list);
    struct rrm_model *model;
    struct rrm_error error = {0};
    struct calls calls = {.stop = stop};
    const struct rrm_training training = {.progress = stop > 0 ? count_calls : NULL,
                                          .context = &calls};
    assert_int_equal(rrm_train(data, settings, &training, &model, NULL, &error), -1);
    assert_null(model);
    assert_int_equal(error.code, code);
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    rrm_settings_free(settings);
}

/* If the training ends before there is a model, that is an error with a code of its own. */
static void ends_before_a_model_have_codes(void **state) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    (void)state;
    check_code(data, "time-limit=1e-9", 0, RRM_TIME, "no label was trained");
    check_code(data, "map=fourier,dimension=16,sigma=1,time-limit=1e-12", 0, RRM_TIME, "mapped");
    check_code(data, "loss=logistic,regularizer=l1,path=4,folds=3,time-limit=1e-9", 0, RRM_TIME,
               "");
    check_code(data, "loss=logistic,regularizer=l1,path=4,folds=3,threads=1", 1, RRM_STOPPED,
               "the training was interrupted before lambda was chosen");
    check_code(data, "solver=ipm", 1, RRM_STOPPED, "interrupted before a label was trained");
    check_code(data, "multiclass=ovo,solver=ipm,threads=1", 1, RRM_STOPPED, "before a label");
    check_code(data, "map=fourier,dimension=16,sigma=1", 1, RRM_STOPPED,
               "the training was interrupted while the examples were mapped; no model is written");
    check_code(data, "map=nystrom,landmarks=16,sigma=1", 1, RRM_STOPPED, "mapped");
    rrm_data_free(data);
}

/* A training that starts from its own model has nothing left to do; a kernel model is not changed. */
static void training_starts_from_a_model(void **state) {
    static const char *const lists[] = {
        "loss=logistic,solver=bundle,lambda=1e-4,epsilon=1e-5",
        "loss=logistic,solver=bundle,map=nystrom,landmarks=20,sigma=2,lambda=1e-4,epsilon=1e-5"};
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rrm_result cold, warm;
        struct rrm_model *first = train(data, lists[i], &cold), *second = NULL;
        char *before = text_of(first);
        struct rrm_settings *settings = settings_of(lists[i]);
        struct rrm_error error = {0};
        const struct rrm_training from_first = {.start = first};
        if (rrm_train(data, settings, &from_first, &second, &warm, &error) != 0)
            fail_msg("%s", error.message);
        assert_true(warm.passes < cold.passes);
        check_same(before, text_of(first));
        free(before);
        rrm_model_free(second);
        rrm_settings_set(settings, "loss", "hinge", NULL);
        rrm_settings_set(settings, "intercept", NULL, NULL);
        assert_int_equal(rrm_train(data, settings, &from_first, &second, NULL, &error), -1);
        rrm_settings_free(settings);
        rrm_model_free(first);
    }
    rrm_data_free(data);
}

struct label_stop {
    const char *title; /* the label at which the training ends */
};

static int stop_at_label(void *context, const struct rrm_progress *progress) {
    const struct label_stop *stop = context;
    return progress->title != NULL && strstr(progress->title, stop->title) != NULL;
}

/* The model of a training that ends when LABEL begins. */
static struct rrm_model *train_until(const struct rrm_data *data, const char *label) {
    struct rrm_settings *settings = settings_of("solver=ipm");
    struct label_stop stop = {label};
    const struct rrm_training training = {.progress = stop_at_label, .context = &stop};
    struct rrm_model *model = NULL;
    struct rrm_result result;
    assert_int_equal(rrm_train(data, settings, &training, &model, &result, NULL), 0);
    assert_int_equal(result.status, RRM_INTERRUPTED);
    rrm_settings_free(settings);
    return model;
}

/* Of the labels 2, 3 and 4 the last is not reached; where only one is, all stay. */
static void labels_that_were_not_reached_are_missing(void **state) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train_until(data, "label 4");
    struct rrm_model_info info;
    double predicted[ROWS];
    (void)state;
    rrm_model_describe(model, &info);
    assert_true(info.labels == 2 && info.vectors == 2 && info.label[0] == 2 && info.label[1] == 3);
    assert_int_equal(rrm_predict(model, data, predicted, NULL, NULL, NULL), 0);
    for (int i = 0; i < ROWS; i++)
        assert_true(predicted[i] == 2 || predicted[i] == 3);
    rrm_model_free(model);
    model = train_until(data, "label 3");
    rrm_model_describe(model, &info);
    assert_true(info.labels == 3 && info.vectors == 3);
    for (int64_t k = info.dimension; k < 3 * info.dimension; k++)
        assert_true(info.weight[k] == 0);
    rrm_model_free(model);
    rrm_data_free(data);
}

/* The model to start from may be of another loss, but not of other labels. */
static void a_start_may_be_of_another_loss(void **state) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    struct rrm_model *start = train(data, "loss=hinge", NULL), *model = NULL;
    struct rrm_settings *settings = settings_of("loss=softmax");
    struct rrm_error error = {0};
    (void)state;
    const struct rrm_training training = {.start = start};
    assert_int_equal(rrm_train(data, settings, &training, &model, NULL, &error), 0);
    rrm_model_free(model);
    rrm_data_free(data);
    csr.label = labels;
    data = lend(&csr);
    assert_int_equal(rrm_train(data, settings, &training, &model, NULL, &error), -1);
    assert_non_null(strstr(error.message, "labels are not those"));
    rrm_settings_free(settings);
    rrm_model_free(start);
    rrm_data_free(data);
}

/* rrm_settings_set checks the form of a setting; names in its text are checked by the training. */
static void names_are_looked_for_by_the_training(void **state) {
    static const char *const lists[] = {"loss=foo", "solver=foo", "regularizer=foo"};
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    (void)state;
    for (int i = 0; i < 3; i++)
        refuse_training(data, lists[i], RRM_USAGE, "foo");
    rrm_data_free(data);
}

/* epsilon 0 asks for all passes, so the limit of passes gives no warning. */
static void passes_that_were_asked_for_are_no_warning(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    (void)state;
    rrm_model_free(train(data, "solver=bundle,epsilon=0,passes=5", &result));
    assert_true(result.status == RRM_LIMIT && result.warnings == 0);
    rrm_model_free(train(data, "solver=bundle,epsilon=1e-9,passes=5", &result));
    assert_true(result.status == RRM_LIMIT && result.warnings == 1);
    rrm_data_free(data);
}

/* A constant feature of value 0 has a weight, as any other has. */
static void a_bias_of_zero_is_a_feature(void **state) {
    static const double two[] = {1, 2}, w[] = {3, 4};
    struct rrm_model_info info = {
        .loss = "hinge", .labels = 2, .label = two, .features = 1, .vectors = 1, .weight = w};
    (void)state;
    for (int bias = -1; bias <= 0; bias++) {
        struct rrm_model_info made;
        info.bias = bias;
        info.dimension = 2 + bias;
        struct rrm_model *model = rrm_model_from_weights(&info, NULL);
        assert_non_null(model);
        rrm_model_describe(model, &made);
        assert_int_equal(made.dimension, 2 + bias);
        rrm_model_free(model);
    }
}

static void streams_are_trained_from_memory(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    (void)state;
    rrm_model_free(train(data, "solver=asset-on,lambda=1e-2,passes=3", &result));
    assert_true(result.passes == 3 && result.nonzeros > 0);
    rrm_data_free(data);
}

/* As in other trainings the features are those of the data, whether the last of them occur or not. */
static void streams_have_all_features(void **state) {
    static const char *const solvers[] = {"asset-on", "asset*-on"};
    struct rrm_csr csr = arrays(labels);
    (void)state;
    csr.features = FEATURES + 3;
    for (int k = 0; k < 2; k++) {
        struct rrm_data *data = lend(&csr);
        char list[64];
        struct rrm_model_info info;
        snprintf(list, sizeof list, "solver=%s,lambda=1e-2", solvers[k]);
        struct rrm_model *model = train(data, list, NULL);
        rrm_model_describe(model, &info);
        assert_int_equal(info.features, FEATURES + 3);
        assert_int_equal(info.dimension, FEATURES + 3);
        rrm_model_free(model);
        rrm_data_free(data);
    }
}

/* Weights of classes are multiplied into copies; folds are copies. */
static void borrowed_arrays_stay_as_they_are(void **state) {
    struct rrm_csr csr = arrays(labels);
    double weight[ROWS], label[ROWS], *value = malloc(sizeof *value * (size_t)rows.nonzeros);
    (void)state;
    assert_non_null(value);
    memcpy(weight, weights, sizeof weight);
    memcpy(label, labels, sizeof label);
    memcpy(value, rows.value, sizeof *value * (size_t)rows.nonzeros);
    csr.weight = weights;
    struct rrm_data *data = lend(&csr);
    rrm_model_free(
        train(data, "class-weight=1=3,regularizer=l1,loss=logistic,path=3,folds=3", NULL));
    rrm_model_free(train(data, "class-weight=-1=2,solver=asset-on", NULL));
    assert_memory_equal(weight, weights, sizeof weight);
    assert_memory_equal(label, labels, sizeof label);
    assert_memory_equal(value, rows.value, sizeof *value * (size_t)rows.nonzeros);
    rrm_data_free(data);
    free(value);
}

/* ---- threads */

struct task {
    const struct rrm_data *data;
    const char *list;
    struct rrm_model *model;
};

static void *run_task(void *argument) {
    struct task *task = argument;
    struct rrm_settings *settings = settings_of(task->list);
    if (rrm_train(task->data, settings, NULL, &task->model, NULL, NULL) != 0)
        task->model = NULL;
    rrm_settings_free(settings);
    return NULL;
}

static void threads_train_at_once(void **state) {
    static const char *const lists[] = {
        "loss=logistic,threads=2,lambda=1e-4",        "solver=pegasos,seed=5,threads=1",
        "solver=agm,threads=2,lambda=1e-3",           "loss=softmax,threads=1",
        "map=fourier,dimension=16,sigma=1,threads=2", "loss=squared,solver=ipm,threads=1"};
    enum { TASKS = sizeof lists / sizeof *lists };
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct task task[TASKS];
    pthread_t thread[TASKS];
    (void)state;
    for (int i = 0; i < TASKS; i++) {
        task[i] = (struct task){.data = data, .list = lists[i]};
        assert_int_equal(pthread_create(&thread[i], NULL, run_task, &task[i]), 0);
    }
    for (int i = 0; i < TASKS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < TASKS; i++) {
        assert_non_null(task[i].model);
        char *together = file_of(task[i].model);
        check_same(together, file_of(train(data, lists[i], NULL)));
        free(together);
    }
    rrm_data_free(data);
}

/* A thread of 128 KB, as musl starts them. */
static void a_small_stack_is_enough(void **state) {
    static const char *const lists[] = {"gamma-kernel=0.1,basis=1,threads=1",
                                        "gamma-kernel=0.1,threads=1,solver=pdsg,basis=1",
                                        "map=nystrom,landmarks=32,sigma=1,threads=1",
                                        "loss=softmax,threads=1",
                                        "loss=squared,solver=ipm,threads=1",
                                        "loss=logistic,threads=1,lambda=1e-6"};
    static const size_t bytes = PART(128 << 10, 4 << 20); /* the sanitizers' stacks are larger */
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    pthread_attr_t small;
    (void)state;
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, bytes), 0);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct task task = {.data = data, .list = lists[i]};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, &small, run_task, &task), 0);
        pthread_join(thread, NULL);
        assert_non_null(task.model);
        rrm_model_free(task.model);
    }
    pthread_attr_destroy(&small);
    rrm_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_say_what_was_reached),
        cmocka_unit_test(a_trial_comes_before_the_default_solver),
        cmocka_unit_test(models_scale_the_data),
        cmocka_unit_test(pairs_and_probabilities),
        cmocka_unit_test(pairs_of_weights),
        cmocka_unit_test(progress_is_told_and_may_end_it),
        cmocka_unit_test(ends_before_a_model_have_codes),
        cmocka_unit_test(training_starts_from_a_model),
        cmocka_unit_test(labels_that_were_not_reached_are_missing),
        cmocka_unit_test(a_start_may_be_of_another_loss),
        cmocka_unit_test(names_are_looked_for_by_the_training),
        cmocka_unit_test(passes_that_were_asked_for_are_no_warning),
        cmocka_unit_test(a_bias_of_zero_is_a_feature),
        cmocka_unit_test(streams_are_trained_from_memory),
        cmocka_unit_test(streams_have_all_features),
        cmocka_unit_test(borrowed_arrays_stay_as_they_are),
        cmocka_unit_test(threads_train_at_once),
        cmocka_unit_test(a_small_stack_is_enough),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
