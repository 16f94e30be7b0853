/* test_landmarks.c - drawing landmarks: k-means++, randomly pivoted Cholesky, samples and different rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/map_fixture.h"

static void every_cluster_is_found(void **state) {
    (void)state;
    struct dataset data = line_data(2000, 1000, 1);
    int missed[3] = {0, 0, 0};
    for (int64_t i = 0; i < data.rows; i++) /* the first holds almost all */
        data.value[i] = (i % 100 < 9 ? 100 * (double)(i % 100 + 1) : 0) + 1e-3 * (double)(i % 7);
    for (int seeding = 0; seeding < 3; seeding++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            struct map_settings settings = nystrom_of(gaussian, 10);
            settings.seeding = seeding;
            settings.seed = seed;
            struct map *map = map_new(&settings, &data, NULL);
            assert_non_null(map);
            bool found[10] = {0};
            for (int64_t s = 0; s < 10; s++)
                found[(int)(map_landmarks(map)->value[s] / 100 + 0.5)] = true;
            for (int cluster = 0; cluster < 10; cluster++)
                missed[seeding] += !found[cluster];
            map_free(map);
        }
    assert_true(missed[SEEDING_UNIFORM] > 100);
    assert_int_equal(missed[SEEDING_KMEANS], 0);
    assert_int_equal(missed[SEEDING_RPCHOLESKY], 0);
    dataset_free(&data);
}

static void kmeans_takes_duplicates_when_nothing_else_is_left(void **state) {
    (void)state;
    struct dataset data = line_data(ROWS, 3, 1);
    struct map_settings settings = nystrom_of(gaussian, 20);
    settings.seeding = SEEDING_KMEANS;
    struct map *map = map_new(&settings, &data, NULL);
    assert_non_null(map);
    assert_int_equal(map_landmarks(map)->rows, 20);
    assert_int_equal(map_dimension(map), 3);
    map_free(map);
    dataset_free(&data);
}

/* Distances are those of the kernel: the distance of a duplicate is 0. */
static void kmeans_measures_by_the_kernel(void **state) {
    (void)state;
    struct dataset data = line_data(ROWS, 6, 1.3);
    struct kernel kernels[] = {{.kind = KERNEL_LINEAR}, cubic, gaussian};
    for (int kind = 0; kind < 3; kind++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            struct map_settings settings = nystrom_of(kernels[kind], 6);
            settings.seeding = SEEDING_KMEANS;
            settings.seed = seed;
            struct map *map = map_new(&settings, &data, NULL);
            assert_non_null(map);
            for (int64_t s = 0; s < 6; s++)
                for (int64_t k = 0; k < s; k++)
                    assert_true(map_landmarks(map)->value[s] != map_landmarks(map)->value[k]);
            map_free(map);
        }
    dataset_free(&data);
}

/* Of 0, 1 and 3 in equal numbers two are drawn; after 0 comes 3 nine times as often as 1, and so on. */
static void kmeans_draws_in_proportion_to_squared_distances(void **state) {
    (void)state;
    enum { SEEDS = 3000 };
    struct dataset data = line_data(ROWS, 3, 1);
    int together[4] = {0}; /* by the sum of the two */
    for (int64_t i = 0; i < ROWS; i++)
        data.value[i] = i % 3 == 2 ? 3 : (double)(i % 3);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct map_settings settings = nystrom_of((struct kernel){.kind = KERNEL_LINEAR}, 2);
        settings.seeding = SEEDING_KMEANS;
        settings.seed = seed;
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        int sum = (int)(map_landmarks(map)->value[0] + map_landmarks(map)->value[1]);
        together[sum == 4 ? 2 : sum]++;
        map_free(map);
    }
    assert_near(together[1], SEEDS * (0.1 + 0.2) / 3, 0.03 * SEEDS);
    assert_near(together[2], SEEDS * (0.8 + 4.0 / 13) / 3, 0.03 * SEEDS);
    assert_near(together[3], SEEDS * (0.9 + 9.0 / 13) / 3, 0.03 * SEEDS);
    dataset_free(&data);
}

/* Of 0, 1 and 5 in equal numbers two are drawn. After 0 the residual of 1 is 1 - exp(-1), and that of 5 is 1. */
static void rpcholesky_draws_in_proportion_to_residuals(void **state) {
    (void)state;
    enum { SEEDS = 3000 };
    struct dataset data = line_data(ROWS, 3, 1);
    int together[7] = {0}; /* by the sum of the two */
    for (int64_t i = 0; i < ROWS; i++)
        data.value[i] = i % 3 == 2 ? 5 : (double)(i % 3);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct map_settings settings = nystrom_of(gaussian, 2);
        settings.seeding = SEEDING_RPCHOLESKY;
        settings.seed = seed;
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        together[(int)(map_landmarks(map)->value[0] + map_landmarks(map)->value[1])]++;
        map_free(map);
    }
    double left = 1 - exp(-1), near = left / (left + 1);
    assert_near(together[1], SEEDS * 2 * near / 3, 0.03 * SEEDS);
    assert_near(together[5], SEEDS * (1 - near + 0.5) / 3, 0.03 * SEEDS);
    assert_near(together[6], SEEDS * (1 - near + 0.5) / 3, 0.03 * SEEDS);
    dataset_free(&data);
}

/* What the landmarks drawn span has no residual: (-1,2,0) is not drawn after (1,0,0) and (1,1,0), so that three always
 * span all. */
static void rpcholesky_knows_what_landmarks_span(void **state) {
    (void)state;
    static const double point[4][3] = {{1, 0, 0}, {1, 1, 0}, {-1, 2, 0}, {0, 0, 0.1}};
    struct dataset data = random_data(ROWS, 3, false, 1);
    data.nonzeros = 3 * ROWS;
    for (int64_t k = 0; k < 3 * ROWS; k++) {
        data.start[k / 3 + 1] = 3 * (k / 3 + 1);
        data.column[k] = (int32_t)(k % 3);
        data.value[k] = point[k / 3 % 4][k % 3];
    }
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct map_settings settings = nystrom_of((struct kernel){.kind = KERNEL_LINEAR}, 3);
        settings.seeding = SEEDING_RPCHOLESKY;
        settings.seed = seed;
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        assert_int_equal(map_landmarks(map)->rows, 3);
        assert_int_equal(map_dimension(map), 3);
        map_free(map);
    }
    dataset_free(&data);
}

/* From many rows: distinct ones, in their order, of all parts of the data. */
static void samples_are_of_all_rows(void **state) {
    (void)state;
    enum { MANY = 30000 };
    struct dataset data = line_data(MANY, MANY, 1e-3);
    for (int seeding = SEEDING_KMEANS; seeding <= SEEDING_RPCHOLESKY; seeding++) {
        struct map_settings settings = nystrom_of(gaussian, 30);
        settings.seeding = seeding;
        assert_in_range(map_sample_rows(&settings, MANY), 120, MANY - 1);
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        const double *value = map_landmarks(map)->value;
        for (int64_t s = 1; s < 30; s++)
            assert_true(value[s] > value[s - 1]);
        assert_true(value[0] < 5 && value[29] > 25);
        map_free(map);
    }
    dataset_free(&data);
}

/* Also where no distance tells the rows apart. */
static void landmarks_are_different_rows(void **state) {
    (void)state;
    enum { FEW = 20 };
    struct dataset data = line_data(FEW, FEW, 1);
    for (int64_t i = 0; i < FEW; i++)
        data.value[i] = 1 + 1e-12 * (double)i;
    for (int seeding = 0; seeding < 3; seeding++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            struct map_settings settings = nystrom_of(gaussian, seed % 2 ? FEW - 1 : FEW / 2);
            settings.seeding = seeding;
            settings.seed = seed;
            struct map *map = map_new(&settings, &data, NULL);
            assert_non_null(map);
            assert_int_equal(map_landmarks(map)->rows, settings.size);
            for (int64_t s = 1; s < settings.size; s++) /* in the order of the rows */
                assert_true(map_landmarks(map)->value[s] > map_landmarks(map)->value[s - 1]);
            map_free(map);
        }
    dataset_free(&data);
}

/* A row whose distances overflow is not drawn every time. */
static void kmeans_does_not_draw_by_infinite_distances(void **state) {
    (void)state;
    struct dataset data = line_data(ROWS, ROWS, 1);
    data.value[ROWS - 5] = 1e200;
    int made = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct map_settings settings = nystrom_of((struct kernel){.kind = KERNEL_LINEAR}, 3);
        settings.seeding = SEEDING_KMEANS;
        settings.seed = seed;
        struct map *map = map_new(&settings, &data, NULL);
        made += map != NULL;
        map_free(map);
    }
    assert_true(made >= 30);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cluster_is_found),
        cmocka_unit_test(kmeans_takes_duplicates_when_nothing_else_is_left),
        cmocka_unit_test(kmeans_measures_by_the_kernel),
        cmocka_unit_test(kmeans_draws_in_proportion_to_squared_distances),
        cmocka_unit_test(rpcholesky_draws_in_proportion_to_residuals),
        cmocka_unit_test(rpcholesky_knows_what_landmarks_span),
        cmocka_unit_test(samples_are_of_all_rows),
        cmocka_unit_test(landmarks_are_different_rows),
        cmocka_unit_test(kmeans_does_not_draw_by_infinite_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
