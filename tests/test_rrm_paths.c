/* test_rrm_paths.c - paths of lambda by the public library: the model at the end, those between, certified ones. */
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

static void a_path_ends_with_a_model(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    (void)state;
    const char *alone = "regularizer=l1,loss=logistic,lambda=1e-3,path=5";
    rrm_model_free(train(data, alone, &result));
    assert_true(result.lambda == 1e-3);
    rrm_model_free(
        train(data, "regularizer=l1,loss=logistic,lambda=1e-3,path=5,time-limit=1e-9", &result));
    assert_true(result.lambda > 1e-3 && result.status == RRM_LIMIT && result.warnings == 1);
    rrm_model_free(train(data, "regularizer=l1,loss=logistic,lambda=1e-3,path=5,folds=3", &result));
    assert_true(result.lambda >= 1e-3 && result.status == RRM_CONVERGED);
    rrm_data_free(data);
}

/* A kernel machine has a weight for each row, here fewer than features. */
static void a_path_of_a_kernel_machine(void **state) {
    struct rrm_csr csr = arrays(labels);
    (void)state;
    csr.rows = 20;
    csr.features = 5000;
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    rrm_model_free(train(data, "gamma-kernel=0.5,lambda=1e-2,path=3", &result));
    assert_true(result.lambda == 1e-2 && result.status == RRM_CONVERGED);
    rrm_data_free(data);
}

/* What a path showed: each model trained by itself is as good. */
struct shown {
    const struct rrm_data *data;
    int count, stop;
    double lambda;
};

static int take_shown(void *context, const struct rrm_model *model,
                      const struct rrm_result *result) {
    struct shown *shown = context;
    struct rrm_model_info info;
    struct rrm_result alone;
    char list[128];
    rrm_model_describe(model, &info);
    assert_true(shown->count == 0 || result->lambda < shown->lambda);
    assert_true(result->bound <= result->objective && result->gap <= 1e-6);
    snprintf(list, sizeof list, "regularizer=l1,loss=logistic,epsilon=1e-6,lambda=%.17g",
             result->lambda);
    rrm_model_free(train(shown->data, list, &alone));
    assert_true(fabs(alone.objective - result->objective) <= 2e-6 * alone.objective);
    int64_t nonzeros = 0;
    for (int64_t j = 0; j < info.dimension; j++)
        nonzeros += info.weight[j] != 0;
    assert_true(nonzeros == result->nonzeros && (shown->count > 0 || nonzeros == 0));
    shown->lambda = result->lambda;
    return ++shown->count == shown->stop;
}

static void the_models_of_a_path_are_shown(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_settings *settings =
        settings_of("regularizer=l1,loss=logistic,lambda=1e-3,path=5,epsilon=1e-6");
    struct shown all = {.data = data}, some = {.data = data, .stop = 2};
    struct rrm_model *model;
    struct rrm_error error;
    (void)state;
    const struct rrm_training show_all = {.visit = take_shown, .context = &all};
    assert_int_equal(rrm_train(data, settings, &show_all, &model, NULL, NULL), 0);
    assert_true(all.count == 5 && all.lambda == 1e-3);
    rrm_model_free(model);
    const struct rrm_training show_some = {.visit = take_shown, .context = &some};
    assert_int_equal(rrm_train(data, settings, &show_some, &model, NULL, &error), -1);
    assert_true(some.count == 2 && error.code == RRM_STOPPED && model == NULL);
    assert_int_equal(rrm_train(data, settings, NULL, &model, NULL, NULL), 0);
    assert_int_equal(some.count, 2);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

enum { SHOWN_MOST = 100 };

/* A certified path of a model for each lambda. */
struct certified {
    struct rrm_model *model[SHOWN_MOST];
    struct rrm_result result[SHOWN_MOST];
    int count;
};

static int keep_shown(void *context, const struct rrm_model *model,
                      const struct rrm_result *result) {
    struct certified *kept = context;
    assert_true(kept->count < SHOWN_MOST);
    kept->result[kept->count] = *result;
    kept->model[kept->count++] = rrm_model_copy(model, NULL);
    return 0;
}

/* J of the i-th model at LAMBDA, and the least one there. */
static void check_at(const struct rrm_data *data, const struct rrm_result *one, double lambda,
                     double gap) {
    char list[128];
    struct rrm_result least;
    double objective = one->objective + (lambda / one->lambda - 1) * one->penalty;
    snprintf(list, sizeof list, "loss=logistic,epsilon=1e-8,lambda=%.17g", lambda);
    rrm_model_free(train(data, list, &least));
    assert_true(objective - least.bound <= (gap + 1e-7) * objective);
    assert_true(objective >= least.bound);
}

static void a_certified_path_says_where_it_holds(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_settings *settings = settings_of("loss=logistic");
    struct certified kept = {.count = 0};
    struct rrm_model *last;
    (void)state;
    assert_int_equal(rrm_settings_set(settings, "path", "certified=0.02,1,1e-3", NULL), 0);
    const struct rrm_training keep = {.visit = keep_shown, .context = &kept};
    assert_int_equal(rrm_train(data, settings, &keep, &last, NULL, NULL), 0);
    assert_true(kept.count > 2 && kept.result[0].lambda == 1 && kept.result[0].low_before == 0);
    char *copy = text_of(kept.model[kept.count - 1]);
    check_same(copy, text_of(last));
    free(copy);
    for (int i = 0; i < kept.count; i++) {
        const struct rrm_result *one = &kept.result[i];
        double low = i + 1 < kept.count ? kept.result[i + 1].low_before : one->low;
        assert_true(low <= one->low && one->low <= one->lambda && one->lambda <= one->high);
        assert_true(i + 1 == kept.count || low <= kept.result[i + 1].high);
        check_at(data, one, low, 0.02);
        check_at(data, one, one->high, 0.02);
        rrm_model_free(kept.model[i]);
    }
    rrm_model_free(last);
    rrm_settings_free(settings);
    rrm_data_free(data);
    assert_null(rrm_model_copy(NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_ends_with_a_model),
        cmocka_unit_test(a_path_of_a_kernel_machine),
        cmocka_unit_test(the_models_of_a_path_are_shown),
        cmocka_unit_test(a_certified_path_says_where_it_holds),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
