/* test_rrm_memory.c - allocations of the public library fail, one after another, each with a call stack of its own: an
 * error that speaks of memory, or what comes without the failure, and never a crash or a leak. */
#include "rrm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/call_chains.h"
#include "tests/temporary.h"

enum { ALLOCATIONS = 1 << 14 };

static bool counting, picked[ALLOCATIONS]; /* picked: are to fail */
static int64_t allocations, fails;         /* -1: none, some are picked */
static struct call_chains stacks;

/* Whether no allocation before had this call stack. */
static bool is_new_here(void) {
    void *frame[CALLS_MOST];
    return call_chains_add(&stacks, calls_hash(frame, backtrace(frame, CALLS_MOST)));
}

static bool allocation_fails(void) {
    if (counting && fails < 0 && allocations < ALLOCATIONS)
        picked[allocations] = is_new_here();
    return counting && allocations++ == fails;
}

#include "tests/wrapped_allocations.h"

enum { ROWS = 12, LABELS = 3 };

static const int32_t start[] = {0, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18};
static const int64_t column[] = {0, 2, 1, 0, 1, 2, 0, 1, 2, 0, 2, 1, 0, 1, 2, 0, 1, 2};
static const float value[] = {1, 2, 3, -1, 2, 1, -2, 3, 1, 2, -2, 1, 1, 4, 3, -1, 1, 2};
static const double label[ROWS] = {2, 3, 4, 2, 3, 4, 2, 3, 4, 2, 3, 4};
static const int64_t group[ROWS] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};

/* What one round makes; all NULL before it. */
struct round {
    struct rrm_data *data;
    struct rrm_settings *settings;
    struct rrm_model *model, *again;
    struct rrm_result result;
    double predicted[ROWS], score[ROWS * LABELS], probability[ROWS * LABELS];
};

/* Settings: a name and a text each, until a name is NULL. */
struct list {
    const char *setting[4][2];
};

static bool is_logistic(const struct list *list) {
    return strcmp(list->setting[0][1], "logistic") == 0;
}

static int set(struct rrm_settings *settings, const struct list *list, struct rrm_error *error) {
    for (int k = 0; list->setting[k][0] != NULL; k++)
        if (rrm_settings_set(settings, list->setting[k][0], list->setting[k][1], error) != 0)
            return -1;
    return rrm_settings_set(settings, "threads", "1", error);
}

static int make(struct round *r, const struct list *list, struct rrm_error *error) {
    const struct rrm_csr csr = {.rows = ROWS,
                                .start32 = start,
                                .column64 = column,
                                .value32 = value,
                                .label = label,
                                .group = group};
    const struct rrm_csr dense = {
        .rows = ROWS / 2, .features = 3, .value32 = value, .label = label, .dense = 1};
    r->data = rrm_data_csr(is_logistic(list) ? &dense : &csr, error);
    r->settings = r->data == NULL ? NULL : rrm_settings_new(error);
    return r->settings != NULL && set(r->settings, list, error) == 0 &&
                   rrm_train(r->data, r->settings, NULL, &r->model, &r->result, error) == 0
               ? 0
               : -1;
}

static int use(struct round *r, struct rrm_error *error) {
    struct rrm_measure list[RRM_MEASURES_MAX];
    struct rrm_model_info info;
    struct rrm_model *second;
    rrm_model_describe(r->model, &info);
    if (rrm_predict(r->model, r->data, r->predicted, r->score,
                    info.probabilities ? r->probability : NULL, error) != 0 ||
        rrm_measures(r->model, r->data, list, error) < 0 ||
        rrm_model_write(r->model, path, error) != 0)
        return -1;
    r->again = info.kernel == NULL ? rrm_model_from_weights(&info, error)
                                   : rrm_model_copy(r->model, error);
    if (r->again == NULL)
        return -1;
    if (rrm_train(r->data, r->settings, &(struct rrm_training){.start = r->again}, &second, NULL,
                  error) != 0)
        return -1;
    rrm_model_free(second);
    second = rrm_model_read(path, error);
    rrm_model_free(second);
    return second == NULL ? -1 : 0;
}

static int run(struct round *r, const struct list *list, struct rrm_error *error) {
    *r = (struct round){0};
    counting = true;
    allocations = 0;
    int status = make(r, list, error) == 0 ? use(r, error) : -1;
    counting = false;
    rrm_model_free(r->again);
    rrm_model_free(r->model);
    rrm_settings_free(r->settings);
    rrm_data_free(r->data);
    return status;
}

/* Whether the result is that of a run without failures, or says that memory was short. */
static bool is_good(const struct round *found, const struct round *expected) {
    if (found->result.status != expected->result.status)
        return strstr(found->result.warning, "memory") != NULL;
    return memcmp(found->predicted, expected->predicted, sizeof found->predicted) == 0 &&
           memcmp(found->score, expected->score, sizeof found->score) == 0 &&
           memcmp(found->probability, expected->probability, sizeof found->probability) == 0;
}

static void fail_each(const struct list *list) {
    struct round expected, found;
    struct rrm_error error = {0};
    int64_t tried = 0, failed = 0;
    stacks = (struct call_chains){0};
    fails = -1;
    if (run(&expected, list, &error) != 0)
        fail_msg("%s", error.message);
    int64_t count = allocations;
    assert_true(count < ALLOCATIONS && !call_chains_full(&stacks));
    for (fails = 0; fails < count; fails++) {
        if (!picked[fails])
            continue;
        tried++;
        error = (struct rrm_error){0};
        if (run(&found, list, &error) == 0) {
            if (!is_good(&found, &expected))
                fail_msg("allocation %d: %s", (int)fails, found.result.warning);
            continue;
        }
        failed++;
        if (error.code != RRM_MEMORY || strstr(error.message, "memory") == NULL)
            fail_msg("allocation %d: %s", (int)fails, error.message);
    }
    if (getenv("SHOW"))
        printf("%s: %d of %d\n", list->setting[0][1], (int)tried, (int)count);
    assert_true(count > 100 && tried > 100 && failed > tried / 2);
}

static void every_allocation_may_fail(void **state) {
    static const struct list lists[] = {
        {{{"loss", "softmax"}}},  {{{"loss", "hinge"}}},
        {{{"loss", "logistic"}}}, /* of dense rows */
        {{{"loss", "crf"}}},      {{{"loss", "hinge"}, {"gamma-kernel", "1"}, {"basis", "1"}}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        fail_each(&lists[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
