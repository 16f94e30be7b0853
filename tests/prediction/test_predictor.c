/* test_predictor.c - scores of kernel models against the formula in long double. */
#include "prediction/predictor.h"

#include "kernel/map.h"
#include "tests/kernel/kernel_models.h"
#include "tests/size.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 331, MAX_VECTORS = 4 };

static const char *const kernels[] = {"linear", "polynomial", "gaussian"};

/* Row i without features beyond the model's, and for the kernel without feature 3 of a basis. */
static void spread(const struct model *model, const struct dataset *data, int64_t i, bool kernel,
                   long double *x) {
    for (int64_t j = 0; j < MODEL_FEATURES; j++)
        x[j] = 0;
    for (int64_t k = data->start[i]; k < data->start[i + 1]; k++)
        if (data->column[k] < MODEL_FEATURES)
            x[data->column[k]] = data->value == NULL ? 1 : data->value[k];
    if (kernel && model->basis.count > 0)
        x[2] = 0;
}

static long double exact_kernel(const struct model *model, const long double *s,
                                const long double *x) {
    long double product = 0, distance = 0;
    for (int64_t j = 0; j < MODEL_FEATURES; j++) {
        product += s[j] * x[j];
        distance += (s[j] - x[j]) * (s[j] - x[j]);
    }
    if (strcmp(model->kernel, "gaussian") == 0)
        return expl(-(long double)model->gamma * distance);
    if (strcmp(model->kernel, "polynomial") == 0)
        return powl(model->gamma * product + model->shift, (long double)model->degree);
    return product;
}

/* The parametric part, or bias and intercept; w: their weights. */
static long double exact_rest(const struct model *model, const double *w, const long double *x,
                              long double *size) {
    long double term[] = {1, x[1], x[4] * x[4], x[2], x[2] * x[2] * x[2]}, sum = 0;
    int64_t count = model->basis.count > 0 ? 5 : 2;
    if (count == 2)
        term[0] = model->bias;
    if (count == 2)
        term[1] = 1;
    for (int64_t j = 0; j < count; j++) {
        sum += w[j] * term[j];
        *size += fabsl(w[j] * term[j]);
    }
    return sum;
}

static long double exact_score(const struct model *model, const struct dataset *data, int64_t i,
                               int64_t vector, long double *parametric, long double *size) {
    const double *w = model->w + vector * model->dimension;
    long double x[MODEL_FEATURES], s[MODEL_FEATURES], sum = 0;
    *size = 0;
    spread(model, data, i, true, x);
    for (int64_t k = 0; k < model->points.rows; k++) {
        spread(model, &model->points, k, true, s);
        long double term = w[k] * exact_kernel(model, s, x);
        sum += term;
        *size += fabsl(term);
    }
    spread(model, data, i, false, x);
    *parametric = exact_rest(model, w + model->points.rows, x, size);
    return sum + *parametric;
}

static void check_scores(const struct model *model, const struct dataset *data) {
    static double scores[ROWS * MAX_VECTORS], kernel[ROWS * MAX_VECTORS],
        parametric[ROWS * MAX_VECTORS];
    struct error e = {0};
    struct unknown_features unknown_features = {0};
    struct predictor *predictor = predictor_new(model, &e);
    assert_non_null(predictor);
    int64_t count = data->rows - 1;
    assert_int_equal(predictor_scores(predictor, data, 1, count, scores, &unknown_features, &e), 0);
    assert_int_equal(
        predictor_parts(predictor, data, 1, count, kernel, parametric, &unknown_features, &e), 0);
    for (int64_t i = 0; i < count; i++)
        for (int64_t v = 0; v < model->vectors; v++) {
            int64_t k = i * model->vectors + v;
            long double size, part, exact = exact_score(model, data, i + 1, v, &part, &size);
            assert_true(fabsl(scores[k] - exact) <= 1e-13L * size);
            assert_true(fabsl(parametric[k] - part) <= 1e-13L * size);
            assert_true(scores[k] == kernel[k] + parametric[k]);
        }
    predictor_free(predictor);
}

static void scores_are_the_formula(void **state) {
    (void)state;
    static const int64_t labels[] = {0, 2, 3};
    static const char *const maps[] = {"nystrom", "support"};
    for (int map = 0; map < 2; map++)
        for (int kernel = 0; kernel < 3; kernel++)
            for (int n = 0; n < 3; n++)
                for (int ones = 0; ones < 2; ones++) {
                    if ((map + kernel + n + ones) % PART(1, 2) != 0)
                        continue;
                    struct model model =
                        kernel_model(maps[map], kernels[kernel], 70, ones, labels[n]);
                    struct dataset data = random_data(ROWS, MODEL_FEATURES, ones, 3);
                    check_scores(&model, &data);
                    dataset_free(&data);
                    model_free(&model);
                }
}

/* Also of a model without points: the parametric part alone. */
static void few_points(void **state) {
    (void)state;
    struct dataset data = random_data(ROWS, MODEL_FEATURES, false, 3);
    for (int64_t points = 0; points < 3; points++) {
        struct model model = kernel_model("support", "gaussian", points, false, 0);
        check_scores(&model, &data);
        model_free(&model);
    }
    dataset_free(&data);
}

/* The scores as the map's features make them, row by row. */
static void random_features(void **state) {
    (void)state;
    enum { SIZE = 40 };
    struct error e = {0};
    struct unknown_features unknown_features = {0};
    struct model model = kernel_model("fourier", "gaussian", SIZE, false, 3);
    struct dataset data = random_data(ROWS, MODEL_FEATURES, false, 3);
    struct map_settings settings = {.kind = MAP_FOURIER,
                                    .kernel = {.kind = KERNEL_GAUSSIAN, .gamma = model.gamma},
                                    .size = SIZE,
                                    .seed = model.seed};
    struct map *map = map_new(&settings, NULL, &e);
    struct predictor *predictor = predictor_new(&model, &e);
    static double scores[ROWS * 3], phi[SIZE];
    double *work = calloc((size_t)map_work_size(map, 1) + 1, sizeof *work);
    assert_int_equal(map_prepare(map, MODEL_FEATURES, &e), 0);
    assert_int_equal(predictor_scores(predictor, &data, 0, ROWS, scores, &unknown_features, &e), 0);
    for (int64_t i = 0; i < ROWS; i++) {
        assert_int_equal(map_rows(map, &data, i, i + 1, phi, work), 0);
        for (int64_t v = 0; v < 3; v++) {
            const double *w = model.w + v * model.dimension;
            long double sum = w[SIZE] * (long double)model.bias + w[SIZE + 1];
            for (int64_t j = 0; j < SIZE; j++)
                sum += w[j] * (long double)phi[j];
            assert_true(fabsl(scores[i * 3 + v] - sum) <= 1e-13L);
        }
    }
    free(work);
    map_free(map);
    predictor_free(predictor);
    dataset_free(&data);
    model_free(&model);
}

static void score_all(const struct model *model, const struct dataset *data, double *scores,
                      struct unknown_features *unknown_features) {
    struct error e = {0};
    struct predictor *predictor = predictor_new(model, &e);
    assert_non_null(predictor);
    assert_int_equal(predictor_scores(predictor, data, 0, data->rows, scores, unknown_features, &e),
                     0);
    predictor_free(predictor);
}

static const struct {
    const char *map, *kernel;
} forms[] = {{"nystrom", "gaussian"}, {"support", "polynomial"}, {"fourier", "gaussian"}};

enum { FORMS = sizeof forms / sizeof *forms };

static void threads_change_nothing(void **state) {
    (void)state;
    static double one[ROWS * 3], many[ROWS * 3];
    int before = omp_get_max_threads();
    struct dataset data = random_data(ROWS, MODEL_FEATURES, false, 3);
    for (int f = 0; f < FORMS; f++) {
        struct unknown_features unknown_features = {0};
        struct model model = kernel_model(forms[f].map, forms[f].kernel, 600, false, 3);
        omp_set_num_threads(1);
        score_all(&model, &data, one, &unknown_features);
        for (int threads = 2; threads < 6; threads++) {
            omp_set_num_threads(threads);
            score_all(&model, &data, many, &unknown_features);
            assert_memory_equal(one, many, sizeof one);
        }
        model_free(&model);
    }
    omp_set_num_threads(before);
    dataset_free(&data);
}

/* A row's score does not depend on the block or on the first row of the block. */
static void blocks_change_nothing(void **state) {
    (void)state;
    static double all[ROWS], one[1];
    struct dataset data = random_data(ROWS, MODEL_FEATURES, false, 3);
    for (int f = 0; f < FORMS; f++) {
        struct unknown_features unknown_features = {0};
        struct error e = {0};
        struct model model = kernel_model(forms[f].map, forms[f].kernel, 50, false, 2);
        score_all(&model, &data, all, &unknown_features);
        struct predictor *predictor = predictor_new(&model, &e);
        for (int64_t i = 0; i < ROWS; i++) {
            assert_int_equal(predictor_scores(predictor, &data, i, 1, one, &unknown_features, &e),
                             0);
            assert_memory_equal(&all[i], one, sizeof *one);
        }
        predictor_free(predictor);
        model_free(&model);
    }
    dataset_free(&data);
}

/* Entries beyond the model's features give the scores of rows without them, and are counted. */
static void unknown_features(void **state) {
    (void)state;
    static double wide_scores[ROWS], scores[ROWS];
    struct dataset wide = random_data(ROWS, MODEL_FEATURES + 4, false, 3);
    for (int f = 0; f < FORMS; f++) {
        struct unknown_features unknown_features = {0}, none = {0};
        struct model model = kernel_model(forms[f].map, forms[f].kernel, 50, false, 2);
        struct dataset data = random_data(ROWS, MODEL_FEATURES + 4, false, 3);
        int64_t rows = 0;
        score_all(&model, &wide, wide_scores, &unknown_features);
        for (int64_t i = 0; i < ROWS; i++)
            rows += wide.start[i + 1] > wide.start[i] &&
                    wide.column[wide.start[i + 1] - 1] >= MODEL_FEATURES;
        for (int32_t column = MODEL_FEATURES; column < MODEL_FEATURES + 4; column++)
            hide_column(&data, column);
        assert_true(unknown_features.entries == wide.nonzeros - data.nonzeros &&
                    unknown_features.rows == rows);
        score_all(&model, &data, scores, &none);
        assert_memory_equal(wide_scores, scores, sizeof scores);
        assert_true(none.entries == 0 && none.rows == 0);
        dataset_free(&data);
        model_free(&model);
    }
    dataset_free(&wide);
}

static void scores_beyond_all_numbers_are_refused(void **state) {
    (void)state;
    static double scores[ROWS];
    struct error e = {0};
    struct unknown_features unknown_features = {0};
    struct model model = kernel_model("nystrom", "polynomial", 5, false, 2);
    struct dataset data = random_data(ROWS, MODEL_FEATURES, false, 3);
    model.gamma = 1e300;
    struct predictor *predictor = predictor_new(&model, &e);
    assert_int_equal(predictor_scores(predictor, &data, 0, ROWS, scores, &unknown_features, &e),
                     -1);
    assert_string_equal(e.words, "a score is too large for a double");
    predictor_free(predictor);
    dataset_free(&data);
    model_free(&model);
}

/* 1 before 2, 2 before 3, 3 before 1: as LIBSVM, the first label in the model, which are sorted (one_vs_one.sh). */
static void labels_with_as_many_votes(void **state) {
    (void)state;
    static const double cycle[] = {1, -1, 1}, other_cycle[] = {-1, 1, -1}, last[] = {1, -1, -1};
    double label[] = {5, 6, 7};
    struct model model = {.pairs = true, .labels = 3, .vectors = 3, .label = label};
    assert_int_equal(predictor_choice(&model, cycle), 0);
    assert_int_equal(predictor_choice(&model, other_cycle), 0);
    assert_int_equal(predictor_choice(&model, last), 2);
}

/* Far from the training examples several sigmoids are 1, or all are 0, but for rounding. */
static void probabilities_that_round_alike(void **state) {
    static const double far[][3] = {{40, 50, -3}, {41, 40, 42}, {-1000, -800, -900}};
    static const int64_t best[] = {1, 2, 1};
    double label[] = {5, 6, 7}, sigmoid[] = {-1, 0, -1, 0, -1, 0}, probability[3];
    struct model model = {.labels = 3, .vectors = 3, .label = label, .sigmoid = sigmoid};
    (void)state;
    for (int i = 0; i < 3; i++) {
        predictor_probabilities(&model, false, far[i], NULL, probability);
        assert_int_equal(predictor_likeliest(&model, far[i], probability), best[i]);
        for (int k = 0; k < 3; k++)
            assert_true(probability[k] <= probability[best[i]]);
    }
    assert_true(probability[0] > 0 && fabs(probability[1] - 1) <= 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_the_formula),
        cmocka_unit_test(few_points),
        cmocka_unit_test(random_features),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(blocks_change_nothing),
        cmocka_unit_test(unknown_features),
        cmocka_unit_test(scores_beyond_all_numbers_are_refused),
        cmocka_unit_test(labels_with_as_many_votes),
        cmocka_unit_test(probabilities_that_round_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
