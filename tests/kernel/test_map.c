/* test_map.c - what has no feature map, and making a map that is interrupted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/map_fixture.h"

#include <omp.h>

static void assert_refused(struct map_settings settings, const struct dataset *data,
                           const char *words) {
    struct error e = {0};
    assert_null(map_new(&settings, data, &e));
    assert_non_null(strstr(e.words, words));
}

static void what_has_no_map_is_refused(void **state) {
    (void)state;
    struct dataset data = line_data(ROWS, 50, 1e20);
    struct kernel high = {.kind = KERNEL_POLYNOMIAL, .gamma = 1, .shift = 1, .degree = 20};
    assert_refused(nystrom_of(high, 50), &data, "the kernel value of examples ");
    assert_refused(nystrom_of(high, 50), &data, " is not finite");
    data.value[7] = 1e200;
    assert_refused(nystrom_of((struct kernel){0}, ROWS), &data, "examples 8 and 8 is not finite");
    memset(data.value, 0, sizeof *data.value * ROWS);
    assert_refused(nystrom_of((struct kernel){0}, 50), &data, "the kernel is 0");
    data.rows = 0;
    assert_refused(nystrom_of(gaussian, 50), &data, "at least one landmark");
    struct map_settings linear = fourier_of(1, 10);
    linear.kernel.kind = KERNEL_LINEAR;
    assert_refused(linear, NULL, "Gaussian kernel alone");
    dataset_free(&data);
}

struct poll_limit {
    int64_t polls, max_polls;
};

static bool is_over(void *opaque) {
    struct poll_limit *poll_limit = opaque;
    return ++poll_limit->polls > poll_limit->max_polls;
}

/* 0, or -1 with the error that a time limit has: a map, and the frequencies of its features. */
static int make(struct map_settings *settings, const struct dataset *data, struct error *e) {
    struct map *map = map_new(settings, data, e);
    int status = map == NULL ? -1 : map_prepare(map, 20, e);
    map_free(map);
    assert_true(status == 0 || strstr(e->words, "the time limit came while") != NULL);
    return status;
}

/* Landmarks that are drawn far from each other, their kernel and its eigenvalues, frequencies. */
static void making_a_map_is_interrupted(void **state) {
    (void)state;
    enum { LANDMARKS = 150 };
    struct dataset data = line_data(2000, 1000, 1);
    struct map_settings all[] = {nystrom_of(gaussian, LANDMARKS), nystrom_of(gaussian, LANDMARKS),
                                 fourier_of(1, 50)};
    const int64_t min_polls[] = {LANDMARKS, 2 * LANDMARKS, 20};
    all[1].seeding = SEEDING_KMEANS;
    omp_set_num_threads(1);
    for (int k = 0; k < 3; k++) {
        struct poll_limit poll_limit = {.max_polls = INT64_MAX};
        struct error e = {0};
        all[k].interrupted = (struct interruption){is_over, &poll_limit};
        assert_int_equal(make(&all[k], &data, &e), 0);
        int64_t count = poll_limit.polls;
        assert_true(count >= min_polls[k]);
        for (int64_t max_polls = 0; max_polls < count; max_polls += 1 + count / 20) {
            poll_limit = (struct poll_limit){.max_polls = max_polls};
            e = (struct error){0};
            assert_int_equal(make(&all[k], &data, &e), -1);
        }
    }
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_map_is_refused),
        cmocka_unit_test(making_a_map_is_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
