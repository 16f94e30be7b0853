/* test_map.c - feature maps: Nystrom against the kernel matrix and its projections, Fourier against
 * the Gaussian kernel; what has no map; mapped examples. */
#include "kernel/map.h"
#include "kernel/mapped.h"

#include "tests/kernel/kernel_direct.h"
#include "tests/random_data.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 300, FEATURES = 8 };

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.5};
static const struct kernel cubic = {
    .kind = KERNEL_POLYNOMIAL, .gamma = 0.7, .shift = 1, .degree = 3};

static struct map_settings nystrom_of(struct kernel kernel, int64_t size) {
    return (struct map_settings){
        .kind = MAP_NYSTROM, .kernel = kernel, .size = size, .threshold = 1e-12, .seed = 1};
}

static struct map_settings fourier_of(double gamma, int64_t size) {
    return (struct map_settings){.kind = MAP_FOURIER,
                                 .kernel = {.kind = KERNEL_GAUSSIAN, .gamma = gamma},
                                 .size = size,
                                 .seed = 1};
}

/* phi of all rows; the caller frees it. */
static double *map_all(const struct map *map, const struct dataset *data) {
    double *phi = malloc(sizeof *phi * (size_t)(data->rows * map_dimension(map)) + 1);
    double *work = malloc(sizeof *work * (size_t)map_work_size(map, data->rows));
    assert_int_equal(map_rows(map, data, 0, data->rows, phi, work), 0);
    free(work);
    return phi;
}

static double product(const double *phi, int64_t n, int64_t i, int64_t k) {
    long double sum = 0;
    for (int64_t j = 0; j < n; j++)
        sum += (long double)phi[i * n + j] * phi[k * n + j];
    return (double)sum;
}

static void all_rows_as_landmarks_give_the_kernel(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 1);
    struct kernel kernels[] = {{.kind = KERNEL_LINEAR}, cubic, gaussian};
    for (int kind = 0; kind < 3; kind++) {
        struct map_settings settings = nystrom_of(kernels[kind], ROWS + 5);
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        assert_int_equal(map_landmarks(map)->rows, ROWS);
        assert_null(map_landmarks(map)->label);
        int64_t n = map_dimension(map);
        assert_true(n <= ROWS && (kind != 0 || n == FEATURES));
        double *phi = map_all(map, &data), largest = 0;
        for (int64_t i = 0; i < ROWS; i++)
            largest = fmax(largest, (double)direct_kernel(&kernels[kind], &data, i, &data, i));
        for (int64_t i = 0; i < ROWS; i += 7)
            for (int64_t k = 0; k < ROWS; k++)
                assert_near(product(phi, n, i, k),
                            (double)direct_kernel(&kernels[kind], &data, i, &data, k),
                            1e-10 * largest);
        free(phi);
        map_free(map);
    }
    dataset_free(&data);
}

/* K without its projection on the landmarks, by elimination: ||K - K_.S K_SS^-1 K_S.||_F^2. */
static double projection_error(const struct kernel *kernel, const struct dataset *data,
                               const struct dataset *landmarks) {
    int64_t m = data->rows, all = m + landmarks->rows;
    long double *k = malloc(sizeof *k * (size_t)(all * all)), error = 0;
    for (int64_t i = 0; i < all; i++)
        for (int64_t j = 0; j <= i; j++)
            k[i * all + j] = k[j * all + i] =
                direct_kernel(kernel, i < m ? data : landmarks, i < m ? i : i - m,
                              j < m ? data : landmarks, j < m ? j : j - m);
    for (;;) {
        int64_t pivot = m;
        for (int64_t i = m; i < all; i++)
            pivot = k[i * all + i] > k[pivot * all + pivot] ? i : pivot;
        long double *row = k + pivot * all, by = row[pivot];
        if (by < 1e-11L)
            break;
        for (int64_t i = 0; i < all; i++) {
            long double c = i == pivot ? 0 : k[i * all + pivot] / by;
            for (int64_t j = 0; j < all && c != 0; j++)
                k[i * all + j] -= c * row[j];
        }
        memset(row, 0, sizeof *row * (size_t)all);
    }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++)
            error += k[i * all + j] * k[i * all + j];
    free(k);
    return (double)error;
}

static void the_error_is_that_of_the_projection_and_falls(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, 4, false, 2);
    struct kernel kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 1};
    double before = 1;
    for (int64_t size = 16; size <= 256; size *= 4) {
        struct map_settings settings = nystrom_of(kernel, size);
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        double *phi = map_all(map, &data), error = 0, whole = 0;
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t k = 0; k < ROWS; k++) {
                double value = (double)direct_kernel(&kernel, &data, i, &data, k);
                double rest = value - product(phi, map_dimension(map), i, k);
                error += rest * rest;
                whole += value * value;
            }
        double projected = sqrt(projection_error(&kernel, &data, map_landmarks(map)) / whole);
        assert_near(sqrt(error / whole), projected, 1e-3 * projected + 1e-9);
        assert_true(sqrt(error / whole) < before / 2);
        before = sqrt(error / whole);
        free(phi);
        map_free(map);
    }
    dataset_free(&data);
}

static void scores_are_sums_over_landmarks(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, true, 3);
    struct map_settings settings = nystrom_of(gaussian, 40);
    struct map *map = map_new(&settings, &data, NULL);
    assert_non_null(map);
    int64_t n = map_dimension(map);
    const struct dataset *landmarks = map_landmarks(map);
    double gamma[40], back[40], alpha[40], *phi = map_all(map, &data);
    for (int64_t j = 0; j < n; j++)
        gamma[j] = sin((double)j + 1);
    map_to_landmarks(map, gamma, alpha);
    map_from_landmarks(map, alpha, back);
    for (int64_t j = 0; j < n; j++)
        assert_near(back[j], gamma[j], 1e-10);
    for (int64_t i = 0; i < ROWS; i++) {
        long double sum = 0, score = 0;
        for (int64_t s = 0; s < landmarks->rows; s++)
            sum += alpha[s] * direct_kernel(&gaussian, landmarks, s, &data, i);
        for (int64_t j = 0; j < n; j++)
            score += (long double)gamma[j] * phi[i * n + j];
        assert_near((double)score, (double)sum, 1e-10 * fmax(1, fabs((double)sum)));
    }
    free(phi);
    map_free(map);
    dataset_free(&data);
}

static void the_map_of_given_landmarks_is_the_same(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 4);
    struct map_settings settings = nystrom_of(gaussian, 50);
    struct map *map = map_new(&settings, &data, NULL);
    struct map *again = map_of_landmarks(&settings, map_landmarks(map), NULL);
    assert_non_null(again);
    assert_int_equal(map_dimension(map), map_dimension(again));
    double *phi = map_all(map, &data), *same = map_all(again, &data);
    assert_memory_equal(phi, same, sizeof *phi * (size_t)(ROWS * map_dimension(map)));
    free(phi);
    free(same);
    map_free(map);
    map_free(again);
    dataset_free(&data);
}

/* ROWS x 1: the points 0, step, 2 step, ..., COUNT of them in turn. */
static struct dataset line_data(int64_t rows, int64_t count, double step) {
    struct dataset data = random_data(rows, 1, false, 1);
    data.nonzeros = rows;
    for (int64_t i = 0; i <= rows; i++)
        data.start[i] = i;
    for (int64_t i = 0; i < rows; i++) {
        data.column[i] = 0;
        data.value[i] = step * (double)(i % count);
    }
    return data;
}

static void ends_of_sigma_and_duplicates_have_their_ranks(void **state) {
    (void)state;
    struct dataset data = line_data(ROWS, 5, 1);
    const double gammas[] = {1e-300, 1, 1e9, 1e300};
    const int64_t ranks[] = {1, 5, 5, 5};
    for (int n = 0; n < 8; n++) {
        int k = n % 4;
        struct map_settings settings =
            nystrom_of((struct kernel){.kind = KERNEL_GAUSSIAN, .gamma = gammas[k]}, 60);
        settings.threshold = n < 4 ? 1e-12 : 0; /* rounding is below any threshold */
        struct map *map = map_new(&settings, &data, NULL);
        assert_non_null(map);
        assert_int_equal(map_dimension(map), ranks[k]);
        double *phi = map_all(map, &data);
        for (int64_t i = 0; i < 10; i++)
            for (int64_t j = 0; j < 10; j++)
                assert_near(product(phi, ranks[k], i, j),
                            (double)direct_kernel(map_kernel(map), &data, i, &data, j), 1e-10);
        free(phi);
        map_free(map);
    }
    dataset_free(&data);
}

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
    int64_t polls, most;
};

static bool is_over(void *opaque) {
    struct poll_limit *poll_limit = opaque;
    return ++poll_limit->polls > poll_limit->most;
}

/* 0, or -1 with the error that a time limit has: a map, and the frequencies of its features. */
static int make(struct map_settings *settings, const struct dataset *data, struct error *e) {
    struct map *map = map_new(settings, data, e);
    int status = map == NULL ? -1 : map_prepare(map, 20, e);
    map_free(map);
    assert_true(status == 0 || strstr(e->words, "the time limit (-t) came while") != NULL);
    return status;
}

/* Landmarks that are drawn far from each other, their kernel and its eigenvalues, frequencies. */
static void making_a_map_is_interrupted(void **state) {
    (void)state;
    enum { LANDMARKS = 150 };
    struct dataset data = line_data(2000, 1000, 1);
    struct map_settings all[] = {nystrom_of(gaussian, LANDMARKS), nystrom_of(gaussian, LANDMARKS),
                                 fourier_of(1, 50)};
    const int64_t least[] = {LANDMARKS, 2 * LANDMARKS, 20};
    all[1].seeding = SEEDING_KMEANS;
    omp_set_num_threads(1);
    for (int k = 0; k < 3; k++) {
        struct poll_limit poll_limit = {.most = INT64_MAX};
        struct error e = {0};
        all[k].interrupted = (struct interruption){is_over, &poll_limit};
        assert_int_equal(make(&all[k], &data, &e), 0);
        int64_t count = poll_limit.polls;
        assert_true(count >= least[k]);
        for (int64_t most = 0; most < count; most += 1 + count / 20) {
            poll_limit = (struct poll_limit){.most = most};
            e = (struct error){0};
            assert_int_equal(make(&all[k], &data, &e), -1);
        }
    }
    dataset_free(&data);
}

static void kmeans_finds_every_cluster(void **state) {
    (void)state;
    struct dataset data = line_data(2000, 1000, 1);
    int missed[2] = {0, 0};
    for (int64_t i = 0; i < data.rows; i++) /* the first holds almost all */
        data.value[i] = (i % 100 < 9 ? 100 * (double)(i % 100 + 1) : 0) + 1e-3 * (double)(i % 7);
    for (int seeding = 0; seeding < 2; seeding++)
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

/* Distances are those of the kernel: a duplicate is at none. */
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

/* Also where no distance tells the rows apart. */
static void landmarks_are_different_rows(void **state) {
    (void)state;
    enum { FEW = 20 };
    struct dataset data = line_data(FEW, FEW, 1);
    for (int64_t i = 0; i < FEW; i++)
        data.value[i] = 1 + 1e-12 * (double)i;
    for (int seeding = 0; seeding < 2; seeding++)
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

/* A row beyond all distances does not attract every draw. */
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

/* The largest difference between phi'phi and the kernel over the first 40 rows. */
static double fourier_error(const struct dataset *data, int64_t size, uint64_t seed, double *mean) {
    struct map_settings settings = fourier_of(0.5, size);
    settings.seed = seed;
    struct map *map = map_new(&settings, NULL, NULL);
    assert_non_null(map);
    assert_int_equal(map_prepare(map, data->features, NULL), 0);
    double *phi = map_all(map, data), largest = 0;
    for (int64_t i = 0; i < data->rows; i++)
        for (int64_t k = 0; k <= i; k++) {
            double error = product(phi, size, i, k) -
                           (double)direct_kernel(&settings.kernel, data, i, data, k);
            largest = fmax(largest, fabs(error));
            if (k < i)
                *mean += error / (double)(data->rows * (data->rows - 1) / 2);
        }
    free(phi);
    map_free(map);
    return largest;
}

static void fourier_errors_fall_with_the_root(void **state) {
    (void)state;
    struct dataset data = random_data(40, FEATURES, false, 5);
    double few = 0, many = 0, mean = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        few += fourier_error(&data, 1000, seed, &mean) / 3;
        many += fourier_error(&data, 100000, seed, &mean) / 3;
    }
    assert_true(few > 0.05 && few < 0.2);
    assert_true(many > 0.005 && many < 0.02);
    assert_true(few / many > 6 && few / many < 16);
    dataset_free(&data);
}

static void fourier_is_unbiased(void **state) {
    (void)state;
    struct dataset data = random_data(20, FEATURES, false, 6);
    double mean = 0;
    for (uint64_t seed = 0; seed < 400; seed++)
        fourier_error(&data, 100, seed, &mean);
    assert_near(mean / 400, 0, 2e-3); /* one draw: about 0.07 */
    dataset_free(&data);
}

/* Mean of n phi_j(x)^2 = 1 + cos(2 nu_j x + 2 beta_j) is 1 for every x, if beta_j does not go with nu_j; the
 * same of phi_j(x) phi_j(y), for either feature alone. */
static void frequencies_do_not_depend_on_shifts(void **state) {
    (void)state;
    enum { SEEDS = 4000, N = 4 };
    const double at[] = {0.3, 1, -1.7, 2.5};
    struct dataset data = line_data(4, 4, 1);
    data.features = 2;
    for (int32_t feature = 0; feature < 2; feature++) {
        double mean[4] = {0};
        for (int64_t i = 0; i < 4; i++) {
            data.column[i] = feature;
            data.value[i] = at[i];
        }
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct map_settings settings = fourier_of(0.5, N);
            settings.seed = seed;
            struct map *map = map_new(&settings, NULL, NULL);
            assert_int_equal(map_prepare(map, 2, NULL), 0);
            double *phi = map_all(map, &data);
            for (int64_t i = 0; i < 4; i++)
                mean[i] += product(phi, N, i, i) / SEEDS;
            free(phi);
            map_free(map);
        }
        for (int i = 0; i < 4; i++)
            assert_near(mean[i], 1, 5 * sqrt(0.5 / N / SEEDS));
    }
    dataset_free(&data);
}

static void fourier_features_do_not_depend_on_each_other(void **state) {
    (void)state;
    struct dataset data = random_data(50, FEATURES, false, 7);
    struct map_settings small = fourier_of(0.5, 10), large = fourier_of(0.5, 33);
    struct map *few = map_new(&small, NULL, NULL), *many = map_new(&large, NULL, NULL);
    assert_int_equal(map_prepare(few, 3, NULL), 0);
    assert_int_equal(map_prepare(few, 5, NULL), 0);
    assert_int_equal(map_prepare(many, FEATURES, NULL), 0);
    double *phi = map_all(few, &data), *more = map_all(many, &data);
    for (int64_t i = 0; i < data.rows; i++)
        for (int64_t j = 0; j < 10; j++)
            assert_near(phi[i * 10 + j] * sqrt(10), more[i * 33 + j] * sqrt(33), 1e-14);
    free(phi);
    free(more);
    map_free(few);
    map_free(many);
    dataset_free(&data);
}

static void fourier_answers_huge_arguments(void **state) {
    (void)state;
    struct dataset data = random_data(50, FEATURES, false, 8);
    struct map_settings settings = fourier_of(0.5e18, 20);
    struct map *map = map_new(&settings, NULL, NULL);
    double *phi = map_all(map, &data), work[20];
    for (int64_t k = 0; k < 50 * 20; k++)
        assert_true(fabs(phi[k]) <= sqrt(0.1) + 1e-15);
    for (int64_t k = 0; k < data.nonzeros; k++)
        data.value[k] = 1e300;
    assert_int_equal(map_rows(map, &data, 1, 3, phi, work), -1);
    free(phi);
    map_free(map);
    dataset_free(&data);
}

/* Rows of any block, and of any number of threads, are the same bits. */
static void check_mapped(struct map_settings settings, const struct dataset *data) {
    struct map *map = map_new(&settings, data, NULL);
    assert_int_equal(map_prepare(map, data->features, NULL), 0);
    double *phi = map_all(map, data), *work = malloc(sizeof *work * (size_t)map_work_size(map, 1));
    int64_t n = map_dimension(map);
    double *alone = malloc(sizeof *alone * (size_t)n);
    for (int threads = 1; threads <= 3; threads++) {
        struct dataset mapped;
        omp_set_num_threads(threads);
        assert_int_equal(mapped_init(&mapped, map, data, 1e9, NULL), 0);
        assert_true(mapped.dense && mapped.features == n && mapped.rows == data->rows);
        assert_memory_equal(mapped.value, phi, sizeof *phi * (size_t)(n * data->rows));
        assert_memory_equal(mapped.label, data->label, sizeof *data->label * (size_t)data->rows);
        for (int64_t i = 0; i < data->rows; i++) {
            assert_int_equal(dataset_count(&mapped, i), n);
            assert_int_equal(map_rows(map, data, i, i + 1, alone, work), 0);
            assert_memory_equal(alone, dataset_values(&mapped, i), sizeof *alone * (size_t)n);
        }
        dataset_free(&mapped);
    }
    free(phi);
    free(work);
    free(alone);
    map_free(map);
}

static void mapped_rows_are_those_of_the_map(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 9);
    check_mapped(nystrom_of(gaussian, 77), &data);
    check_mapped(fourier_of(0.3, 77), &data);
    struct error e = {0};
    struct map_settings settings = fourier_of(0.3, 77);
    struct map *map = map_new(&settings, NULL, NULL);
    struct dataset mapped;
    data.value[data.start[2]] = 1e308;
    data.value[data.start[2] + 1] = 1e308;
    assert_int_equal(mapped_init(&mapped, map, &data, 1e9, &e), -1);
    assert_non_null(strstr(e.words, "example 3 "));
    map_free(map);
    dataset_free(&data);
}

/* The first of several rows that have no map is told of, whether rows stay in memory or not. */
static void the_first_row_without_a_map_is_named(void **state) {
    static const int64_t bad[] = {296, 290, 206, 77, 71};
    (void)state;
    struct dataset data = random_data(ROWS, FEATURES, false, 9);
    struct map_settings settings = fourier_of(0.3, 77);
    struct map *map = map_new(&settings, NULL, NULL);
    for (int k = 0; k < 5; k++) {
        assert_true(dataset_count(&data, bad[k]) >= 2);
        data.value[data.start[bad[k]]] = data.value[data.start[bad[k]] + 1] = 1e308;
        for (int trial = 0; trial < 6; trial++) {
            struct error e = {0};
            struct dataset mapped;
            char words[40];
            omp_set_num_threads(1 + trial / 2);
            assert_int_equal(mapped_init(&mapped, map, &data, trial % 2 ? 1e9 : 1, &e), -1);
            snprintf(words, sizeof words, "example %d ", (int)bad[k] + 1);
            assert_non_null(strstr(e.words, words));
        }
    }
    map_free(map);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_as_landmarks_give_the_kernel),
        cmocka_unit_test(the_error_is_that_of_the_projection_and_falls),
        cmocka_unit_test(scores_are_sums_over_landmarks),
        cmocka_unit_test(the_map_of_given_landmarks_is_the_same),
        cmocka_unit_test(ends_of_sigma_and_duplicates_have_their_ranks),
        cmocka_unit_test(what_has_no_map_is_refused),
        cmocka_unit_test(making_a_map_is_interrupted),
        cmocka_unit_test(kmeans_finds_every_cluster),
        cmocka_unit_test(kmeans_takes_duplicates_when_nothing_else_is_left),
        cmocka_unit_test(kmeans_measures_by_the_kernel),
        cmocka_unit_test(kmeans_draws_in_proportion_to_squared_distances),
        cmocka_unit_test(landmarks_are_different_rows),
        cmocka_unit_test(kmeans_does_not_draw_by_infinite_distances),
        cmocka_unit_test(fourier_errors_fall_with_the_root),
        cmocka_unit_test(fourier_is_unbiased),
        cmocka_unit_test(frequencies_do_not_depend_on_shifts),
        cmocka_unit_test(fourier_features_do_not_depend_on_each_other),
        cmocka_unit_test(fourier_answers_huge_arguments),
        cmocka_unit_test(mapped_rows_are_those_of_the_map),
        cmocka_unit_test(the_first_row_without_a_map_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
