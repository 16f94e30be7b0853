/* test_rrm_checkpoint.c - a training that is ended again and again and goes on from its checkpoint ends with the model
 * of one that was not, to the byte. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/state/state.h"
#include "math/random/random.h"
#include "tests/rrm_fixture.h"
#include "tests/size.h"

enum { MAX_BYTES = 1 << 16, MAX_ENDS = 200 };

/* What a training reached. */
struct reached {
    struct rrm_result result;
    size_t bytes; /* of the model file */
    char model[MAX_BYTES];
};

/* Ends the training at the report of this number. */
struct ender {
    int reports, last;
};

static int end(void *context, const struct rrm_progress *progress) {
    struct ender *ender = context;
    (void)progress;
    return ++ender->reports >= ender->last;
}

/* The model file's bytes, but for the line of its status. */
static void keep_model(const struct rrm_model *model, struct reached *reached) {
    struct rrm_error error;
    assert_int_equal(rrm_model_write(model, path, &error), 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    reached->bytes = fread(reached->model, 1, MAX_BYTES, file);
    fclose(file);
    assert_in_range(reached->bytes, 1, MAX_BYTES - 1);
}

static void run(const struct rrm_data *data, const char *list, int last, struct reached *reached) {
    struct rrm_settings *settings = settings_of(list);
    struct rrm_model *model = NULL;
    struct rrm_error error = {0};
    struct ender ender = {.last = last};
    const struct rrm_training training = {.progress = last > 0 ? end : NULL, .context = &ender};
    if (rrm_train(data, settings, &training, &model, &reached->result, &error) == 0)
        keep_model(model, reached);
    else if (error.code == RRM_STOPPED) /* before lambda was chosen */
        reached->result.status = RRM_INTERRUPTED;
    else
        fail_msg("%s: %s", list, error.message);
    rrm_model_free(model);
    rrm_settings_free(settings);
}

static struct reached whole, parts;

/* Ends the training at its first report, goes on and ends it after 1 + GROWTH reports, after 1 + 2 GROWTH, ... */
static void compare(const struct rrm_data *data, const char *list, int growth) {
    char with[320];
    static char checkpoint[sizeof path + 8];
    int ends = 0;
    snprintf(checkpoint, sizeof checkpoint, "%s.state", path);
    unlink(checkpoint);
    snprintf(with, sizeof with, "%s,checkpoint=%s:1e9", list, checkpoint);
    run(data, list, 0, &whole);
    for (int last = 1; ends < MAX_ENDS; last += growth, ends++) {
        run(data, with, last, &parts);
        if (parts.result.status != RRM_INTERRUPTED)
            break;
        if (access(checkpoint, F_OK) != 0)
            fail_msg("%s: no checkpoint after end %d", list, ends);
    }
    if (getenv("SHOW"))
        printf("%s: %d ends, %g passes %d %d\n", list, ends, whole.result.passes, (int)whole.bytes,
               (int)parts.bytes);
    if (ends == 0 || access(checkpoint, F_OK) == 0)
        fail_msg("%s: %d ends, the checkpoint is %s", list, ends, ends == 0 ? "unused" : "left");
    if (parts.bytes != whole.bytes || memcmp(parts.model, whole.model, whole.bytes) != 0)
        fail_msg("%s: another model after %d ends", list, ends);
    assert_int_equal(parts.result.status, whole.result.status);
    assert_int_equal(parts.result.iterations, whole.result.iterations);
    assert_true(parts.result.passes == whole.result.passes);
    assert_true(parts.result.objective == whole.result.objective);
    assert_true(parts.result.bound == whole.result.bound);
}

static void compare_all(const double *label, const int64_t *group, const char *const *lists,
                        int count) {
    struct rrm_csr csr = arrays(label);
    csr.group = group;
    struct rrm_data *data = lend(&csr);
    for (int i = 0; i < count; i++)
        compare(data, lists[i], PART(2, 12));
    rrm_data_free(data);
}

#define COMPARE(label, lists) compare_all(label, NULL, lists, sizeof lists / sizeof *lists)

static void streams(void **state) {
    static const char *const lists[] = {
        "solver=asset-on,lambda=1e-2,passes=30",
        "solver=asset-on,lambda=1e-2,passes=30,intercept,sample=10",
        "solver=asset-on,lambda=1e-2,passes=30,multiclass=ovr,sample=1",
        "solver=asset*-on,lambda=1e-1,passes=20,loss=logistic",
        "solver=asset-on,lambda=1e-2,passes=20,map=fourier,landmarks=20",
    };
    (void)state;
    COMPARE(labels, lists);
}

static void planes(void **state) {
    static const char *const lists[] = {
        "solver=bundle,lambda=1e-3,epsilon=1e-5",
        "solver=bundle,lambda=1e-3,intercept,epsilon=1e-4",
        "solver=bundle,lambda=1e-2,loss=logistic,regularizer=elastic-net",
        "solver=bundle,lambda=1e-2,regularizer=entropy",
        "solver=bundle,lambda=1e-2,loss=f1",
        "solver=bundle,lambda=1e-2,loss=rocarea",
        "solver=bundle-ls,lambda=1e-1,passes=60",
        "solver=proximal-bundle,lambda=1e-5,epsilon=1e-4",
        "solver=proximal-bundle,lambda=1e-4,tau=balance,passes=60,restart=scale",
        "solver=lbfgs,loss=logistic,lambda=1e-6,epsilon=1e-6",
        "solver=lbfgs,loss=logistic,lambda=1e-4,epsilon=1e-6,corrections=3,intercept",
    };
    static const char *const cuts[] = {
        "solver=ocas,lambda=1e-4,epsilon=1e-6",
        "solver=ocas,lambda=1e-4,epsilon=1e-6,intercept,shrink=aggressive",
        "solver=mcpa,lambda=1e-4,epsilon=1e-6,partitions=5",
        "solver=mcpa,lambda=1e-4,epsilon=1e-5,partitions=4,intercept",
        "solver=mcpa,lambda=1e-4,epsilon=1e-5,partitions=5,single-pass=on",
        "solver=mcpa,loss=quantile,lambda=1e-4,epsilon=1e-5,partitions=5",
        "solver=cpa,lambda=1e-2",
    };
    (void)state;
    COMPARE(labels, lists);
    COMPARE(labels, cuts);
}

/* Which the default solver goes after, or is not needed after (test_rrm_training.c). */
static void trials(void **state) {
    static const char *const lists[] = {
        "lambda=1e-5,epsilon=1e-5",
        "lambda=1e-2",
        "lambda=1e-4,loss=squared-hinge",
    };
    static double hard[ROWS];
    for (int i = 0; i < ROWS; i++)
        hard[i] = i % 2;
    (void)state;
    COMPARE(hard, lists);
}

/* Two before the default solver: lbfgs, then dcd, then ipm, each with some reports. */
static void two_trials(void **state) {
    enum { MANY_ROWS = 700, MANY_FEATURES = 305, COUNT = 9 };
    static int64_t start[MANY_ROWS + 1];
    static int32_t column[MANY_ROWS * COUNT];
    static double value[MANY_ROWS * COUNT], label[MANY_ROWS];
    unsigned random = 1;
    (void)state;
    for (int i = 0; i < MANY_ROWS; i++) {
        double sum = 0;
        for (int k = i * COUNT; k < (i + 1) * COUNT; k++) {
            random = random * 1664525 + 1013904223;
            column[k] = (k == i * COUNT ? 0 : column[k - 1] + 1) + (int)(random >> 16) % 30;
            value[k] = (double)(random >> 20) / 4096;
            sum += value[k] * (column[k] % 7 - 3);
        }
        label[i] = sum + (double)(random >> 24) / 64 > 2;
        start[i + 1] = (i + 1) * COUNT;
    }
    struct rrm_csr csr = {
        .rows = MANY_ROWS, .start = start, .column = column, .value = value, .label = label};
    struct rrm_data *data = lend(&csr);
    compare(data, "lambda=1e-6,epsilon=1e-4,loss=squared-hinge", PART(2, 9));
    rrm_data_free(data);
    assert_string_equal(whole.result.solver, "ipm");
}

static void steps(void **state) {
    static const char *const lists[] = {
        "solver=pegasos,lambda=1e-2,passes=12",
        "solver=pegasos,lambda=1e-2,passes=12,output=average,batch-size=7",
        "solver=adaptive,lambda=1e-2,passes=12,output=best",
        "solver=asset,lambda=1e-3,passes=12,intercept",
        "solver=asset*,lambda=1e-2,passes=12",
        "solver=proximal,lambda=1e-4,passes=20,metric=none",
        "solver=proximal,lambda=1e-4,passes=20,metric=none,tau=balance,restart=sums",
        "solver=proximal,lambda=1e-3,metric=none,guarantee=0.5",
        "solver=proximal,lambda=1e-4,passes=20,metric=features,batch-size=3",
        "solver=proximal,lambda=1e-4,passes=20,metric=dual",
        "solver=proximal,lambda=1e-4,epsilon=1e-3,loss=squared,metric=dual",
        "solver=proximal,lambda=1e-4,loss=logistic,metric=features,intercept",
        "solver=proximal,lambda=1e-3,passes=20,regularizer=l1",
        "solver=proximal,lambda=1e-4,loss=squared-hinge,regularizer=elastic-net,intercept",
    };
    (void)state;
    COMPARE(labels, lists);
}

static void sparse(void **state) {
    static const char *const lists[] = {
        "solver=rda,lambda=1e-3,passes=12,regularizer=l1",
        "solver=rda,lambda=1e-3,passes=12,regularizer=l1,slope=half",
        "solver=rda,lambda=1e-3,passes=12,loss=logistic,regularizer=l1,output=average,intercept,"
        "batch-size=3",
        "solver=rda,lambda=1e-2,passes=12,output=best,regularizer=elastic-net,beta=log",
        "solver=fobos,lambda=1e-3,passes=12,loss=logistic,regularizer=l1",
        "solver=fobos,lambda=1e-2,passes=12,regularizer=elastic-net,output=average,step=sqrt",
        "solver=tg,lambda=0.05,gamma=1,loss=logistic,regularizer=l1,truncate=20,theta=0.1,"
        "intercept",
        "solver=sgd,lambda=0.05,gamma=0.5,step=sqrt,loss=logistic,regularizer=l1,output=average",
        "solver=sgd,lambda=1e-2,passes=12,loss=squared,regularizer=elastic-net,batch-size=7",
        "solver=rda+,lambda=1e-3,epsilon=1e-7,loss=logistic,regularizer=l1",
        "solver=rda+,lambda=1e-2,epsilon=1e-7,loss=logistic,regularizer=l1,settle=50,intercept",
        "solver=rda+,lambda=1e-4,epsilon=1e-7,loss=squared-hinge,regularizer=l1,give-up=1",
    };
    (void)state;
    COMPARE(labels, lists);
}

static void gradients(void **state) {
    static const char *const lists[] = {
        "solver=agm,lambda=1e-3",
        "solver=agm1,lambda=1e-3,form=dual",
        "solver=agm,lambda=1e-3,form=smooth-dual,intercept",
        "solver=agm,lambda=1e-3,form=excessive-gap",
        "solver=agm1,lambda=1e-3,intercept",
        "solver=agm,lambda=1e-2,loss=logistic,regularizer=l1",
        "solver=agm1,lambda=1e-2,loss=squared-hinge,regularizer=elastic-net,form=dual",
        "solver=agm,loss=boost",
        "solver=agm,lambda=1e-2,loss=boost,regularizer=entropy",
        "solver=agm,loss=boost,form=dual",
        "solver=agm,lambda=1e-2,loss=rocarea",
        "solver=agm,lambda=1e-2,prox=optimized,metric=scaled",
        "solver=agm,ball=l1=1,loss=squared",
    };
    (void)state;
    COMPARE(labels, lists);
}

static void duals(void **state) {
    static const char *const lists[] = {
        "solver=dcd,lambda=1e-4,epsilon=1e-7",
        "solver=dcd,lambda=1e-3,epsilon=1e-7,intercept",
        "solver=dcd,lambda=1e-4,epsilon=1e-7,loss=epsilon",
        "solver=dcd,lambda=1e-5,epsilon=1e-7,loss=squared-hinge",
        "solver=ipm,lambda=1e-5,epsilon=1e-6",
        "solver=ipm,lambda=1e-3,epsilon=1e-6,regularizer=l1,intercept",
        "solver=ipm,lambda=1e-6,epsilon=1e-6,loss=epsilon",
        "solver=ipm,lambda=1e-8,epsilon=1e-9,loss=logistic,intercept",
        "solver=lps,lambda=1e-4,epsilon=1e-9,loss=logistic,regularizer=l1",
        "solver=lps,lambda=1e-4,epsilon=1e-9,loss=squared-hinge,regularizer=elastic-net,hessian-"
        "sample=100",
        "solver=lps,lambda=1e-4,epsilon=1e-7,loss=logistic,regularizer=l1,gradient-fraction=0.3,"
        "intercept",
    };
    (void)state;
    COMPARE(labels, lists);
}

/* Fewer rows than features; then one so large that rounding spoils the matrix of rows x rows. */
static void few_rows(void **state) {
    enum { FEW = 30, MANY = 120 };
    static const char *const lists[] = {"solver=ipm,lambda=1e-4,epsilon=1e-6",
                                        "solver=ipm,lambda=1e-3,epsilon=1e-5,regularizer=l1"};
    static double value[FEW * MANY], label[FEW];
    struct random random;
    (void)state;
    random_seed(&random, 5, 0);
    for (int i = 0; i < FEW * MANY; i++)
        value[i] = random_unit(&random) - 0.5;
    for (int i = 0; i < FEW; i++)
        label[i] = value[i * MANY] + value[i * MANY + 1] > 0 ? 1 : -1;
    for (int large = 0; large < 2; large++) {
        for (int i = 0; i < FEW && large == 1; i++)
            value[i * MANY] *= 1e9;
        struct rrm_csr csr = {
            .rows = FEW, .features = MANY, .dense = 1, .value = value, .label = label};
        struct rrm_data *data = lend(&csr);
        for (int k = 0; k < 2 - large; k++)
            compare(data, lists[k], PART(1, 7));
        rrm_data_free(data);
    }
}

static void items(void **state) {
    static const char *const joint[] = {
        "solver=sdca,loss=softmax,lambda=1e-3,epsilon=1e-6",
        "solver=sdca,loss=crammer-singer,lambda=1e-4,epsilon=1e-6,kappa=2",
        PART("solver=sdm,lambda=1e-4,epsilon=1e-7,loss=crammer-singer,method=ascent",
             "solver=sdm,lambda=1e-4,epsilon=1e-3,loss=crammer-singer,method=ascent"),
        "solver=sdm,lambda=1e-5,epsilon=1e-7,loss=crammer-singer",
        "solver=sdm,lambda=1e-4,epsilon=1e-7,loss=crammer-singer,method=newton",
    };
    static const char *const sequences[] = {
        "solver=bundle,loss=m3n,lambda=1e-2,intercept",
        "solver=lbfgs,loss=crf,lambda=1e-3,intercept",
        PART("solver=sdca,loss=m3n,lambda=1e-3,epsilon=1e-4",
             "solver=sdca,loss=m3n,lambda=1e-3,epsilon=1e-2"),
        "solver=proximal,loss=crf,lambda=1e-3,passes=8",
    };
    (void)state;
    COMPARE(classes, joint);
    compare_all(classes, groups, sequences, sizeof sequences / sizeof *sequences);
}

static void kernels(void **state) {
    static const char *const lists[] = {
        "gamma-kernel=0.5,basis=1,lambda=1e-5,epsilon=1e-5,working-set=20",
        "gamma-kernel=0.5,lambda=1e-4,working-set=30,epsilon=1e-5",
        "kernel=polynomial,degree=2,shift=1,basis=1^1,lambda=1e-8,working-set=40,passes=300",
        "gamma-kernel=2,basis=1,loss=epsilon,lambda=1e-5,epsilon=1e-5,working-set=20",
        "solver=pdsg,gamma-kernel=0.5,basis=1,lambda=1e-4,epsilon=1e-5,working-set=60,fresh=30",
        "solver=pdsg,gamma-kernel=0.5,basis=1,lambda=3e-4,alone,newton=off,epsilon=1e-4",
        "solver=mpd,gamma-kernel=2,basis=1,lambda=1e-5,epsilon=1e-5,working-set=10,fresh=2",
        "solver=mpd,gamma-kernel=0.5,basis=1,lambda=1e-5,alone,newton=off,epsilon=1e-5",
        "gamma-kernel=0.5,basis=1,loss=nu-hinge,nu=0.3,working-set=20,epsilon=1e-5",
    };
    (void)state;
    COMPARE(labels, lists);
}

static void parts_of_a_training(void **state) {
    static const char *const lists[] = {
        "solver=bundle,lambda=1e-2",
        "solver=bundle,lambda=1e-2,loss=crammer-singer",
        "solver=proximal,lambda=1e-3,passes=6,multiclass=ovr",
        "solver=dcd,lambda=1e-3,multiclass=ovo,threads=1",
        "solver=agm,loss=logistic,regularizer=l1,lambda=1e-3,path=4",
        "solver=lps,loss=logistic,regularizer=l1,lambda=1e-3,path=4,folds=3",
    };
    static const char *const probabilities[] = {
        "solver=dcd,lambda=1e-2,probabilities=1",
        "solver=dcd,lambda=1e-2,probabilities=1,multiclass=ovo",
        "solver=bundle,lambda=1e-1,probabilities=1,loss=crammer-singer,path=2,folds=2",
    };
    (void)state;
    COMPARE(classes, lists);
    COMPARE(classes, probabilities);
}

/* What a run leaves for the next lambda is in the checkpoint: planes, corrections, dual variables, second derivatives.
 * Runs of ipm near the solution of another lambda have no safe point: they are made again from their beginning. */
static void paths(void **state) {
    static const char *const two_classes[] = {
        "solver=bundle,path=3;1;1e-2",
        "solver=ocas,path=5;1;1e-4",
        "solver=mcpa,path=4;1;1e-4,intercept,partitions=3",
        "solver=lbfgs,path=5;1;1e-5,loss=logistic,corrections=4",
        "solver=dcd,path=5;1;1e-4",
        "solver=dcd,path=6;1;1e-5,epsilon=1e-6,intercept",
        "solver=proximal,metric=dual,epsilon=1e-3,path=4;1;1e-3",
        "solver=ipm,path=6;1;1e-4,epsilon=1e-6",
        "solver=ipm,path=6;1;1e-4,epsilon=1e-6,loss=logistic,intercept",
        "solver=ipm,path=6;1;1e-4,epsilon=1e-6,loss=logistic",
        "solver=ipm,path=6;1;1e-4,epsilon=1e-6,loss=squared-hinge",
        "solver=ipm,path=6;1;1e-4,epsilon=1e-6,loss=squared,intercept",
        "search,path=6;1;1e-4,folds=3",
        "search,path=2;1;1e-2,folds=2,gamma-kernel=0.1;1",
    };
    static const char *const several_classes[] = {
        "solver=sdm,path=5;1;1e-3,loss=crammer-singer",
        "solver=ocas,path=4;1;1e-3,multiclass=ovr",
        "solver=lbfgs,path=4;1;1e-4,loss=logistic,multiclass=ovo,threads=1,folds=2",
    };
    const double *const label[] = {labels, classes};
    const char *const *const lists[] = {two_classes, several_classes};
    const size_t count[] = {sizeof two_classes / sizeof *two_classes,
                            sizeof several_classes / sizeof *several_classes};
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct rrm_csr csr = arrays(label[k]);
        struct rrm_data *data = lend(&csr);
        for (size_t i = 0; i < count[k]; i++)
            compare(data, lists[k][i], PART(2, 6));
        rrm_data_free(data);
    }
}

/* A run that is ended where its bound is J already goes on to the end that it has without a break. */
static void an_end_at_the_optimum(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    (void)state;
    compare(data, "solver=proximal,metric=dual,epsilon=1e-3,lambda=1", 0);
    rrm_data_free(data);
}

static int look(void *context, const struct rrm_progress *progress) {
    bool *there = context;
    char name[sizeof path + 8];
    (void)progress;
    snprintf(name, sizeof name, "%s.state", path);
    *there |= access(name, F_OK) == 0;
    return 0;
}

/* Between runs that have no safe point of their own. */
static void states_are_saved_in_time(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = NULL;
    struct rrm_result result;
    struct rrm_error error = {0};
    char list[256];
    bool there = false;
    const struct rrm_training training = {.progress = look, .context = &there};
    (void)state;
    snprintf(list, sizeof list, "solver=ipm,path=6;1;1e-4,loss=logistic,checkpoint=%s.state:1e-6",
             path);
    struct rrm_settings *settings = settings_of(list);
    assert_int_equal(rrm_train(data, settings, &training, &model, &result, &error), 0);
    assert_true(there);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

static int refusal_of_mark(const char *mark, const struct rrm_data *data, struct rrm_error *error) {
    char name[sizeof path + 8], list[256], text[32];
    snprintf(name, sizeof name, "%s.state", path);
    snprintf(list, sizeof list, "solver=bundle,lambda=1e-2,checkpoint=%s", name);
    struct state *old = state_create(name, NULL);
    snprintf(text, sizeof text, "%s", mark);
    state_text(old, text, strlen(mark) + 1);
    assert_int_equal(state_commit(old, NULL), 0);
    struct rrm_settings *settings = settings_of(list);
    struct rrm_model *model = NULL;
    struct rrm_result result;
    int status = rrm_train(data, settings, NULL, &model, &result, error);
    rrm_settings_free(settings);
    unlink(name);
    return status;
}

/* A checkpoint of an older format, and a file that only looks like one. */
static void marks(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_error error = {0};
    (void)state;
    assert_int_not_equal(refusal_of_mark("librrm checkpoint 1", data, &error), 0);
    assert_non_null(
        strstr(error.message, "the checkpoint of another version; remove it to begin anew"));
    assert_int_not_equal(refusal_of_mark("librrm checkmate 77", data, &error), 0);
    assert_non_null(strstr(error.message, "no checkpoint; give another file"));
    rrm_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes),
        cmocka_unit_test(streams),
        cmocka_unit_test(trials),
        cmocka_unit_test(two_trials),
        cmocka_unit_test(steps),
        cmocka_unit_test(sparse),
        cmocka_unit_test(gradients),
        cmocka_unit_test(duals),
        cmocka_unit_test(few_rows),
        cmocka_unit_test(parts_of_a_training),
        cmocka_unit_test(kernels),
        cmocka_unit_test(items),
        cmocka_unit_test(paths),
        cmocka_unit_test(an_end_at_the_optimum),
        cmocka_unit_test(states_are_saved_in_time),
        cmocka_unit_test(marks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
