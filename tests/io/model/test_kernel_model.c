/* test_kernel_model.c - files of kernel models: reading returns the bits that were written; a model that the reader
 * would refuse is not written. (Files that are refused: tests/bad-models, by test_model.c.) */
#include "io/model/model.h"

#include "tests/kernel/kernel_models.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/size.h"
#include "tests/temporary.h"

enum { TEXT_SIZE = 1 << 15 };

static void assert_same_points(const struct dataset *a, const struct dataset *b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->nonzeros, b->nonzeros);
    if (a->rows == 0)
        return;
    assert_memory_equal(a->start, b->start, (size_t)(a->rows + 1) * sizeof *a->start);
    if (a->nonzeros > 0)
        assert_memory_equal(a->column, b->column, (size_t)a->nonzeros * sizeof *a->column);
    assert_true(a->nonzeros == 0 || (a->value == NULL) == (b->value == NULL));
    if (b->value != NULL)
        assert_memory_equal(a->value, b->value, (size_t)a->nonzeros * sizeof *a->value);
}

static void assert_same(const struct model *a, const struct model *b) {
    assert_string_equal(a->map, b->map);
    assert_string_equal(a->kernel, b->kernel);
    assert_memory_equal(&a->gamma, &b->gamma, 2 * sizeof(double)); /* gamma, shift */
    assert_true(a->degree == b->degree && a->map_size == b->map_size);
    assert_same_points(&a->points, &b->points);
    assert_true(a->basis.count == b->basis.count && a->basis.shared == b->basis.shared);
    if (a->basis.count > 0)
        assert_memory_equal(a->basis.function, b->basis.function,
                            (size_t)a->basis.count * sizeof *a->basis.function);
    assert_true(a->dimension == b->dimension && a->vectors == b->vectors && a->seed == b->seed);
    assert_memory_equal(a->w, b->w, (size_t)(a->vectors * a->dimension) * sizeof *a->w);
}

static size_t read_file(const char *name, char *text) {
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, TEXT_SIZE - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

static void check_round_trip(const struct model *model) {
    static char text[TEXT_SIZE], text_again[TEXT_SIZE];
    struct model again;
    struct error e = {0};
    if (model_write(model, path, false, &e) != 0 || model_read(path, &again, &e) != 0)
        fail_msg("%lld:%lld: %s", (long long)e.line, (long long)e.column, e.words);
    assert_same(model, &again);
    read_file(path, text);
    assert_int_equal(model_write(&again, path, false, &e), 0);
    read_file(path, text_again);
    assert_string_equal(text, text_again);
    model_free(&again);
}

static const struct {
    const char *map, *kernel;
} forms[] = {{"nystrom", "linear"},  {"nystrom", "polynomial"}, {"nystrom", "gaussian"},
             {"support", "linear"},  {"support", "polynomial"}, {"support", "gaussian"},
             {"fourier", "gaussian"}};

enum { FORMS = sizeof forms / sizeof *forms };

static void round_trip_of_maps(void **state) {
    (void)state;
    for (int f = 0; f < FORMS; f++)
        for (int ones = 0; ones < 2; ones++)
            for (int64_t labels = 0; labels < 5; labels += 1 + (labels == 0)) {
                struct model model = kernel_model(forms[f].map, forms[f].kernel, 10, ones, labels);
                check_round_trip(&model);
                model.zero_based = true;
                check_round_trip(&model);
                model_free(&model);
            }
}

static void round_trip_of_points(void **state) {
    (void)state;
    static const double values[] = {-0.0, 0, 1, 1.0 / 3, DBL_TRUE_MIN, -DBL_MAX, 1e22, 0.1};
    for (int64_t count = 0; count < 4; count++) {
        struct model model = kernel_model("support", "gaussian", count, false, 0);
        check_round_trip(&model);
        model_free(&model);
    }
    struct model model = kernel_model("nystrom", "gaussian", 6, false, 2);
    assert_true(model.points.nonzeros >= 8);
    memcpy(model.points.value, values, sizeof values);
    check_round_trip(&model);
    model_free(&model);
}

/* The file of a linear model has no key for maps; it is read as a model without a map. */
static void linear_models_have_no_map(void **state) {
    (void)state;
    static char text[TEXT_SIZE];
    struct error e = {0};
    struct model model = kernel_model("nystrom", "gaussian", MODEL_FEATURES, false, 2), again;
    strcpy(model.map, "none");
    assert_int_equal(model_write(&model, path, false, &e), 0);
    read_file(path, text);
    assert_null(strstr(text, "map"));
    assert_null(strstr(text, "kernel"));
    assert_null(strstr(text, "points"));
    assert_int_equal(model_read(path, &again, &e), 0);
    assert_false(model_has_map(&again));
    assert_true(again.points.rows == 0 && again.basis.count == 0);
    model_free(&again);
    model_free(&model);
}

/* A list of functions that is longer than the reader's lookahead. */
static void round_trip_of_a_long_basis(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    struct model model = kernel_model("support", "gaussian", 2, false, 0), again;
    struct error e = {0};
    basis_free(&model.basis);
    model.features = COUNT;
    model.basis.count = COUNT;
    model.basis.shared = COUNT - 1;
    model.basis.function = calloc(COUNT, sizeof *model.basis.function);
    for (int32_t j = 0; j < COUNT; j++)
        model.basis.function[j] = (struct basis_function){COUNT - 1 - j, 1};
    model.basis.function[COUNT - 1].power = 64;
    hide_column(&model.points, 0);
    free(model.w);
    model.dimension = 2 + COUNT;
    model.w = calloc(2 + COUNT, sizeof *model.w);
    assert_int_equal(model_write(&model, path, false, &e), 0);
    assert_int_equal(model_read(path, &again, &e), 0);
    assert_same(&model, &again);
    model_free(&again);
    model_free(&model);
}

static void refuse(const struct model *model, const char *words) {
    struct error e = {0};
    assert_int_equal(model_write(model, path, false, &e), -1);
    assert_string_equal(e.words, words);
}

static void bad_keys_are_not_written(void **state) {
    (void)state;
    struct model model = kernel_model("nystrom", "polynomial", 10, false, 2);
    strcpy(model.map, "cosine");
    refuse(&model, "the model's map is unknown: 'cosine'");
    strcpy(model.map, "nystrom");
    strcpy(model.kernel, "rbf");
    refuse(&model, "the model's kernel is unknown: 'rbf'");
    strcpy(model.kernel, "polynomial");
    model.gamma = 0;
    refuse(&model, "the model's gamma is out of range: 0");
    model.gamma = 1;
    model.shift = NAN;
    refuse(&model, "the model's shift is out of range: nan");
    model.shift = 0;
    model.degree = 65;
    refuse(&model, "the model's degree is out of range: 65");
    model.degree = 2;
    model.points.rows--;
    refuse(&model, "inconsistent model: dimension is not the units, bias, intercept and basis");
    model.points.rows++;
    strcpy(model.map, "fourier");
    model.map_size = 10;
    refuse(&model, "inconsistent model: fourier has the kernel gaussian");
    strcpy(model.map, "support");
    refuse(&model, "inconsistent model: a model of support vectors has no bias and no intercept: "
                   "its offset is the basis function 1");
    model_free(&model);
}

static void bad_points_are_not_written(void **state) {
    (void)state;
    struct model model = kernel_model("support", "gaussian", 10, false, 0);
    int64_t k = model.points.start[2];
    assert_true(model.points.start[3] - k > 2);
    model.points.value[k + 1] = INFINITY;
    refuse(&model, "point 3 of the model: a value that is not finite");
    model.points.value[k + 1] = 1;
    int32_t column = model.points.column[k + 1];
    model.points.column[k + 1] = model.points.column[k];
    refuse(&model, "point 3 of the model: features that do not ascend");
    model.points.column[k + 1] = MODEL_FEATURES;
    refuse(&model, "point 3 of the model: a feature beyond the model's");
    model.points.column[k] = 2;
    refuse(&model, "point 3 of the model: a feature that the basis hides from the kernel");
    model.points.column[k] = 0;
    model.points.column[k + 1] = column;
    model_free(&model);
}

static void bad_bases_are_not_written(void **state) {
    (void)state;
    struct model model = kernel_model("support", "gaussian", 10, false, 0);
    model.basis.function[1].column = MODEL_FEATURES;
    refuse(&model, "inconsistent model: a basis function is of a feature beyond the model's");
    model.basis.function[1] = model.basis.function[2];
    refuse(&model, "inconsistent model: 5^2: this basis function is repeated");
    model.basis.function[1].power = 65;
    refuse(&model, "inconsistent model: 5^65: a basis function is 1 (the constant), a feature's "
                   "index or INDEX^POWER, with a power of at most 64");
    strcpy(model.map, "nystrom");
    refuse(&model, "inconsistent model: only models of support vectors have a basis");
    model_free(&model);
}

/* Reads the bytes from a file that exists in memory only. */
static int read_bytes(const char *bytes, size_t count, struct model *model, struct error *e) {
    char name[64];
    int descriptor = memfd_create("model", 0);
    assert_int_equal(write(descriptor, bytes, count), count);
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    int status = model_read(name, model, e);
    close(descriptor);
    return status;
}

static void every_truncation_is_refused(void **state) {
    (void)state;
    static char text[TEXT_SIZE];
    for (int f = 0; f < FORMS; f++) {
        struct error written = {0};
        struct model again, model = kernel_model(forms[f].map, forms[f].kernel, 4, f % 2, 2);
        assert_int_equal(model_write(&model, path, false, &written), 0);
        size_t length = read_file(path, text);
        for (size_t cut = 0; cut <= length; cut++) {
            struct error e = {0};
            if ((cut + (size_t)f) % PART(1, 3) != 0 && cut < length)
                continue;
            int status = read_bytes(text, cut, &again, &e);
            if ((status == 0) != (cut == length))
                fail_msg("%zu of %zu bytes give %d: %s", cut, length, status, e.words);
            assert_true(status == 0 || (e.line > 0 && e.column > 0));
            assert_true(status == 0 || (again.w == NULL && again.points.start == NULL));
            model_free(&again);
        }
        model_free(&model);
    }
}

/* After the change of any byte, the file is refused with a position or gives a consistent model. */
static void every_changed_byte_is_refused_or_read(void **state) {
    (void)state;
    static char text[TEXT_SIZE];
    for (int f = 0; f < FORMS; f++) {
        struct error written = {0};
        struct model again, model = kernel_model(forms[f].map, forms[f].kernel, 3, f % 2, 2);
        assert_int_equal(model_write(&model, path, false, &written), 0);
        size_t length = read_file(path, text);
        for (size_t at = 0; at < length; at++)
            for (size_t k = at % PART(1, 6); k < 6; k += PART(1, 6)) {
                struct error e = {0};
                char before = text[at];
                text[at] = "9-:\n x"[k];
                if (read_bytes(text, length, &again, &e) != 0)
                    assert_true(e.kind == ERROR_FAILURE && e.line > 0 && e.column > 0);
                model_free(&again);
                text[at] = before;
            }
        model_free(&model);
    }
}

static void libsvm_models(void **state) {
    (void)state;
    static const char classes[] = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\n"
                                  "total_sv 3\nrho 0.25\nlabel 2 -1\nprobA -2\nprobB 0\n"
                                  "nr_sv 2 1\nSV\n0.5 1:0.5 4:2 \n0.5 \n-1 5:1\r\n";
    static const char values[] = "svm_type nu_svr\nkernel_type polynomial\ndegree 2\ngamma 3\n"
                                 "coef0 -1\nnr_class 2\ntotal_sv 1\nrho -3.5\nSV\n1 2:1 3:1 \n";
    static const double weights[] = {0.5, 0.5, -1, -0.25};
    struct model model;
    struct error e = {0};
    char other_sum[sizeof classes];
    memcpy(other_sum, classes, sizeof classes);
    *(strstr(other_sum, "nr_sv 2") + strlen("nr_sv ")) = '3';
    assert_int_equal(read_bytes(other_sum, sizeof classes - 1, &model, &e), -1);
    assert_non_null(strstr(e.words, "nr_sv adds up to 4, not to total_sv 3"));
    assert_int_equal(read_bytes(classes, sizeof classes - 1, &model, &e), 0);
    assert_true(model.labels == 2 && model.label[0] == 2 && model.label[1] == -1);
    assert_string_equal(model.loss, "hinge");
    assert_string_equal(model.kernel, "gaussian");
    assert_true(model.gamma == 0.5 && model.points.rows == 3 && model.points.nonzeros == 3);
    assert_true(model.points.column[1] == 3 && model.points.value[1] == 2);
    assert_true(model.basis.count == 1 && model.basis.function[0].column == -1);
    assert_int_equal(model.dimension, 4);
    assert_memory_equal(model.w, weights, sizeof weights);
    check_round_trip(&model);
    model_free(&model);
    assert_int_equal(read_bytes(values, sizeof values - 1, &model, &e), 0);
    assert_true(model.labels == 0 && model.degree == 2 && model.shift == -1 && model.gamma == 3);
    assert_true(model.points.value == NULL && model.w[1] == 3.5);
    check_round_trip(&model);
    model_free(&model);
}

/* A very long word takes no more memory than the longest valid list. */
static void endless_lists_are_refused(void **state) {
    (void)state;
    enum { LONG = 1 << 20 };
    static char text[LONG];
    struct error e = {0};
    struct model model;
    int length = snprintf(text, sizeof text, "librrm 1\nbasis ");
    memset(text + length, '1', sizeof text - (size_t)length);
    assert_int_equal(read_bytes(text, sizeof text, &model, &e), -1);
    assert_true(e.line == 2 && e.column == 7);
    assert_string_equal(e.words, "basis is longer than 240000 bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip_of_maps),
        cmocka_unit_test(round_trip_of_points),
        cmocka_unit_test(linear_models_have_no_map),
        cmocka_unit_test(round_trip_of_a_long_basis),
        cmocka_unit_test(bad_keys_are_not_written),
        cmocka_unit_test(bad_points_are_not_written),
        cmocka_unit_test(bad_bases_are_not_written),
        cmocka_unit_test(libsvm_models),
        cmocka_unit_test(endless_lists_are_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_changed_byte_is_refused_or_read),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
