/* test_model.c - model files: reading returns the bits that were written; every error is reported with its position
 * (tests/bad-models/NAME holds an input and the message). */
#include "io/model/model.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/temporary.h"

#define BAD_MODELS "tests/bad-models"

enum { PATH_SIZE = 512, TEXT_SIZE = 1 << 14 };

/* A model of two labels over 6 features, with w zeroed. */
static struct model new_model(int64_t features) {
    struct model model = {.solver = "proximal",
                          .loss = "hinge",
                          .regularizer = "l2",
                          .status = "converged",
                          .lambda = 1e-4,
                          .bias = -1,
                          .objective = 0.1 + 0.2,
                          .bound = -INFINITY,
                          .passes = 12.5,
                          .seed = UINT64_MAX,
                          .labels = 2,
                          .features = features,
                          .vectors = 1,
                          .dimension = features};
    model.label = calloc(4, sizeof *model.label);
    model.w = calloc(4 * ((size_t)features + 2), sizeof *model.w);
    assert_non_null(model.label);
    assert_non_null(model.w);
    model.label[0] = 1;
    model.label[1] = -1;
    return model;
}

static void assert_same_scaling(const struct scaling *a, const struct scaling *b) {
    assert_int_equal(a->method, b->method);
    assert_int_equal(a->features, b->features);
    assert_true(a->target.low == b->target.low && a->target.high == b->target.high);
    if (a->features > 0)
        assert_memory_equal(a->feature, b->feature, sizeof *a->feature * (size_t)a->features);
}

static void assert_same(const struct model *a, const struct model *b) {
    assert_string_equal(a->solver, b->solver);
    assert_string_equal(a->loss, b->loss);
    assert_string_equal(a->regularizer, b->regularizer);
    assert_string_equal(a->status, b->status);
    assert_memory_equal(&a->tube, &b->tube, 9 * sizeof(double)); /* tube .. bias */
    assert_int_equal(a->intercept, b->intercept);
    assert_int_equal(a->against_rest, b->against_rest);
    assert_int_equal(a->zero_based, b->zero_based);
    assert_memory_equal(&a->objective, &b->objective, 3 * sizeof(double)); /* .. passes */
    assert_true(a->seed == b->seed);
    assert_int_equal(a->labels, b->labels);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->vectors, b->vectors);
    assert_int_equal(a->dimension, b->dimension);
    if (a->labels > 0)
        assert_memory_equal(a->label, b->label, (size_t)a->labels * sizeof(double));
    assert_int_equal(a->pairs, b->pairs);
    assert_same_scaling(&a->scaling, &b->scaling);
    assert_true((a->sigmoid == NULL) == (b->sigmoid == NULL));
    if (a->sigmoid != NULL)
        assert_memory_equal(a->sigmoid, b->sigmoid, 2 * (size_t)a->vectors * sizeof(double));
    if (a->dimension > 0)
        assert_memory_equal(a->w, b->w, (size_t)(a->vectors * a->dimension) * sizeof(double));
}

static void check_round_trip(const struct model *model) {
    struct model again;
    struct error e = {0};
    if (model_write(model, path, true, &e) != 0 || model_read(path, &again, &e) != 0)
        fail_msg("%lld:%lld: %s", (long long)e.line, (long long)e.column, e.words);
    assert_same(model, &again);
    model_free(&again);
}

/* Whether the file at `path` holds the line. */
static bool file_has(const char *expected) {
    char line[256];
    bool found = false;
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream) != NULL)
        found = found || strcmp(line, expected) == 0;
    fclose(stream);
    return found;
}

static void round_trip_of_weights(void **state) {
    (void)state;
    static const double weights[] = {-0.0,    1,        -1.0 / 3, DBL_MIN, DBL_TRUE_MIN,
                                     DBL_MAX, -DBL_MAX, 1e22,     1e23,    0.1};
    enum { COUNT = sizeof weights / sizeof *weights };
    struct model model = new_model(1000);
    memcpy(model.w + 100, weights, sizeof weights);
    check_round_trip(&model); /* sparse */
    model.features = model.dimension = COUNT;
    memcpy(model.w, weights, sizeof weights);
    check_round_trip(&model); /* dense, */
    assert_true(file_has("w dense 10\n"));
    snprintf(model.regularizer, sizeof model.regularizer, "l1");
    model.w[3] = 0;
    check_round_trip(&model); /* unless the regularizer makes zeros */
    assert_true(file_has("w sparse 9\n"));
    model.features = model.dimension = 0;
    check_round_trip(&model); /* empty */
    model_free(&model);
}

/* It has no lambda. */
static void check_round_trip_of_constraint(struct model *model) {
    model->lambda = 0;
    check_round_trip(model);
    assert_false(file_has("lambda 0\n"));
}

static void round_trip_of_shapes(void **state) {
    (void)state;
    struct model model = new_model(5);
    for (int i = 0; i < 24; i++)
        model.w[i] = i % 3 == 0 ? 0 : 1.0 / i;
    model.bias = 0.5;
    model.intercept = true;
    model.zero_based = true;
    model.dimension = 7;
    model.bound = 0.25;
    check_round_trip(&model);
    model.against_rest = true;
    check_round_trip(&model);
    model.against_rest = false;
    model.vectors = 2;
    check_round_trip(&model);
    model.labels = model.vectors = 3;
    model.label[2] = 0.1;
    check_round_trip(&model);
    model.labels = 0;
    model.vectors = 1;
    strcpy(model.loss, "epsilon");
    model.tube = 0.1;
    check_round_trip(&model);
    strcpy(model.loss, "quantile");
    model.tube = 0;
    model.quantile = 0.9;
    check_round_trip(&model);
    strcpy(model.loss, "huber");
    model.quantile = 0;
    model.huber = 1e-5;
    strcpy(model.regularizer, "elastic-net");
    model.elastic = 1;
    check_round_trip(&model);
    strcpy(model.regularizer, "entropy");
    model.elastic = 0;
    check_round_trip(&model);
    strcpy(model.regularizer, "simplex");
    check_round_trip_of_constraint(&model);
    strcpy(model.loss, "boost");
    model.bias = -1;
    model.intercept = false;
    model.dimension = 5;
    model.labels = 2;
    model.huber = 0;
    model.nu = 2.5;
    model.eta = 1e3;
    check_round_trip_of_constraint(&model);
    strcpy(model.regularizer, "l1-ball");
    model.ball = 1;
    check_round_trip_of_constraint(&model);
    strcpy(model.loss, "hinge");
    model.nu = model.eta = 0;
    model.ball = 1.5;
    check_round_trip_of_constraint(&model);
    assert_true(file_has("ball 1.5\n"));
    strcpy(model.regularizer, "elastic-net-ball");
    model.elastic = 0.1;
    check_round_trip_of_constraint(&model);
    assert_true(file_has("elastic 0.10000000000000001\n"));
    model_free(&model);
}

static void bad_names_are_not_written(void **state) {
    (void)state;
    struct model model = new_model(3);
    struct error e = {0};
    model.nu = model.eta = 1;
    strcpy(model.loss, "boost");
    assert_int_equal(model_write(&model, path, true, &e), -1);
    assert_string_equal(e.words,
                        "inconsistent model: boost has regularizer simplex, entropy or l1-ball");
    strcpy(model.loss, "hinge");
    strcpy(model.regularizer, "elastic-net-ball");
    model.elastic = model.ball = 1;
    e = (struct error){0};
    assert_int_equal(model_write(&model, path, true, &e), -1);
    assert_string_equal(e.words, "inconsistent model: elastic-net-ball has elastic below 1");
    model_free(&model);
}

static void bad_values_are_not_written(void **state) {
    (void)state;
    struct model model = new_model(3);
    struct error e = {0};
    model.w[1] = NAN;
    assert_int_equal(model_write(&model, path, true, &e), -1);
    assert_string_equal(e.words, "weight 2 of the model is not finite");
    model.w[1] = 0;
    model.objective = NAN;
    e = (struct error){0};
    assert_int_equal(model_write(&model, path, true, &e), -1);
    model.objective = 1;
    strcpy(model.regularizer, "elastic-net");
    e = (struct error){0};
    assert_int_equal(model_write(&model, path, true, &e), -1);
    assert_string_equal(e.words, "the model's elastic is out of range: 0");
    strcpy(model.regularizer, "l1-ball");
    e = (struct error){0};
    assert_int_equal(model_write(&model, path, true, &e), -1);
    assert_string_equal(e.words, "the model's ball is out of range: 0");
    strcpy(model.regularizer, "l2");
    model.shared = 1;
    e = (struct error){0};
    assert_int_equal(model_write(&model, path, true, &e), -1);
    assert_string_equal(e.words, "inconsistent model: a model of this loss has no shared weights");
    model.shared = 0;
    model.vectors = 3;
    e = (struct error){0};
    assert_int_equal(model_write(&model, path, true, &e), -1);
    model_free(&model);
}

static size_t read_file(const char *name, char *text, size_t size) {
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
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

static void check_prefixes(const char *text, size_t length) {
    struct model model;
    for (size_t cut = 0; cut <= length; cut++) {
        struct error e = {0};
        int status = read_bytes(text, cut, &model, &e);
        if ((status == 0) != (cut == length))
            fail_msg("%zu of %zu bytes give %d: %s", cut, length, status, e.words);
        assert_true(status == 0 || (e.line > 0 && e.column > 0 && model.w == NULL));
        model_free(&model);
    }
}

static void every_truncation_is_refused(void **state) {
    (void)state;
    static const char liblinear[] = "solver_type L2R_LR\nnr_class 3\nlabel 1 -1 2\nnr_feature 2\n"
                                    "bias 1\nw\n0.5 1 2 \n-0.25 3 4 \n1e-3 5 6 \n";
    static char text[TEXT_SIZE];
    struct model model = new_model(40);
    struct error e = {0};
    model.w[7] = 1.0 / 3;
    for (int form = 0; form < 2; form++) {
        assert_int_equal(model_write(&model, path, true, &e), 0);
        check_prefixes(text, read_file(path, text, sizeof text));
        for (int i = 0; i < 40; i++)
            model.w[i] = i;
    }
    check_prefixes(liblinear, sizeof liblinear - 1);
    model_free(&model);
}

static void check_bad(const char *name) {
    char input[PATH_SIZE], message[PATH_SIZE], expected[1024], actual[2048];
    snprintf(input, sizeof input, BAD_MODELS "/%s/input", name);
    snprintf(message, sizeof message, BAD_MODELS "/%s/message", name);
    read_file(message, expected, sizeof expected);
    struct model model;
    struct error e = {0};
    assert_int_equal(model_read(input, &model, &e), -1);
    assert_null(model.w);
    assert_int_equal(e.kind, ERROR_FAILURE);
    assert_string_equal(e.file, input);
    snprintf(actual, sizeof actual, "%lld:%lld: %s\n", (long long)e.line, (long long)e.column,
             e.words);
    assert_string_equal(actual, expected);
}

static void bad_models_are_refused(void **state) {
    (void)state;
    DIR *folder = opendir(BAD_MODELS);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') {
            check_bad(entry->d_name);
            count++;
        }
    closedir(folder);
    assert_true(count > 50);
}

static void a_missing_file_is_named(void **state) {
    (void)state;
    struct model model;
    struct error e = {0};
    assert_int_equal(model_read("/nowhere/model", &model, &e), -1);
    assert_string_equal(e.file, "/nowhere/model");
    assert_string_equal(e.words, "No such file or directory");
}

static void liblinear_models(void **state) {
    (void)state;
    static const char many[] = "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 3\nlabel 5 -1 2\n"
                               "nr_feature 2\nbias 2\nw\n1 2 3 \n4 5 6 \n7 8 9 \n";
    static const char two[] = "solver_type MCSVM_CS\nnr_class 2\nlabel 1 2\nnr_feature 2\nbias -1\n"
                              "w\n1 -1 \n2 -2 \n";
    static const char value[] = "solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 1\nbias -1\n"
                                "w\n0.5 \n";
    static const double by_vector[] = {1, 4, 7, 2, 5, 8, 3, 6, 9};
    struct model model;
    struct error e = {0};
    assert_int_equal(read_bytes(many, sizeof many - 1, &model, &e), 0);
    assert_string_equal(model.loss, "squared-hinge");
    assert_true(model.labels == 3 && model.vectors == 3 && model.dimension == 3);
    assert_true(model.label[0] == 5 && model.bias == 2 && !model.intercept && !model.zero_based);
    assert_memory_equal(model.w, by_vector, sizeof by_vector);
    check_round_trip(&model);
    model_free(&model);
    assert_int_equal(read_bytes(two, sizeof two - 1, &model, &e), 0);
    assert_true(model.labels == 2 && model.vectors == 1 && model.dimension == 2);
    assert_true(model.w[0] == 1 && model.w[1] == 2);
    model_free(&model);
    assert_int_equal(read_bytes(value, sizeof value - 1, &model, &e), 0);
    assert_true(model.labels == 0 && model.vectors == 1 && model.w[0] == 0.5);
    check_round_trip(&model);
    model_free(&model);
}

/* The same model with carriage returns and with a byte-order mark is read as well. */
static void models_of_other_systems(void **state) {
    (void)state;
    static char text[TEXT_SIZE], other[2 * TEXT_SIZE];
    static const char libsvm[] = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\n"
                                 "rho 0.5\nlabel 1 -1\nSV\n2 1:3 \n";
    struct model model = new_model(5), again;
    struct error e = {0};
    assert_int_equal(model_write(&model, path, true, &e), 0);
    for (int form = 0; form < 2; form++) {
        size_t length = 3;
        if (form == 0)
            read_file(path, text, sizeof text);
        else
            strcpy(text, libsvm);
        strcpy(other, "\xef\xbb\xbf");
        for (const char *c = text; *c != '\0'; c++) {
            if (*c == '\n')
                other[length++] = '\r';
            other[length++] = *c;
        }
        if (read_bytes(other, length, &again, &e) != 0)
            fail_msg("%lld:%lld: %s", (long long)e.line, (long long)e.column, e.words);
        if (form == 0)
            assert_same(&model, &again);
        else
            assert_true(again.w[0] == 2 && again.w[1] == -0.5 && again.sigmoid == NULL);
        model_free(&again);
    }
    model_free(&model);
}

static void sigmoids_of_libsvm(void **state) {
    (void)state;
    static const char text[] = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\n"
                               "rho 0.5\nlabel 1 -1\nprobA -1.5\nprobB 0.25\nSV\n2 1:3 \n";
    struct model model;
    struct error e = {0};
    assert_int_equal(read_bytes(text, sizeof text - 1, &model, &e), 0);
    assert_true(model.sigmoid != NULL && model.sigmoid[0] == -1.5 && model.sigmoid[1] == 0.25);
    model_free(&model);
}

static void round_trip_of_scalings(void **state) {
    (void)state;
    struct model model = new_model(3), again;
    struct error e = {0};
    struct scaling_feature feature[3] = {{-0.1, 1.0 / 3}, {0, 0}, {DBL_TRUE_MIN, DBL_MAX}};
    for (int method = SCALING_RANGE; method < SCALING_METHODS; method++) {
        bool ranges = method != SCALING_NORM;
        model.scaling = (struct scaling){.method = (enum scaling_method)method,
                                         .features = ranges ? 3 : 0,
                                         .feature = ranges ? feature : NULL};
        if (method == SCALING_RANGE)
            model.scaling.target = (struct interval){-1, 0.1};
        check_round_trip(&model);
        assert_int_equal(model_copy(&model, &again, &e), 0);
        assert_same(&model, &again);
        model_free(&again);
        model.scaling.features++;
        assert_int_equal(model_write(&model, path, true, &e), -1);
    }
    model.scaling = (struct scaling){.method = SCALING_MAX, .features = 3, .feature = feature};
    feature[1].second = INFINITY;
    assert_int_equal(model_write(&model, path, true, &e), -1);
    model.scaling = (struct scaling){0};
    model_free(&model);
}

/* A model of four labels, one against one; the weight of vector k is k + 1, its sigmoid -k - 1, k / 3. */
static struct model model_of_pairs(void) {
    struct model model = new_model(1);
    model.pairs = true;
    model.labels = 4;
    model.vectors = 6;
    model.sigmoid = calloc(12, sizeof *model.sigmoid);
    assert_non_null(model.sigmoid);
    for (int k = 0; k < 4; k++)
        model.label[k] = 4 - k;
    for (int k = 0; k < 6; k++) {
        model.w[k] = k + 1;
        model.sigmoid[2 * k] = -k - 1;
        model.sigmoid[2 * k + 1] = k / 3.0;
    }
    return model;
}

static void round_trip_of_pairs(void **state) {
    (void)state;
    struct model model = model_of_pairs(), again;
    struct error e = {0};
    check_round_trip(&model);
    assert_true(file_has("multiclass ovo\n"));
    assert_int_equal(model_copy(&model, &again, &e), 0);
    assert_same(&model, &again);
    model_free(&again);
    free(model.sigmoid);
    model.sigmoid = NULL;
    check_round_trip(&model);
    model.sigmoid = calloc(12, sizeof *model.sigmoid);
    model.sigmoid[3] = NAN;
    assert_int_equal(model_write(&model, path, true, &e), -1);
    assert_non_null(strstr(e.words, "sigmoid"));
    model_free(&model);
}

/* Without label 3, the second, remain the pairs (4, 2), (4, 1) and (2, 1); without one more label, one vector. */
static void untrained_labels_take_their_pairs_along(void **state) {
    (void)state;
    struct model model = model_of_pairs();
    struct error e = {0};
    assert_int_equal(model_mark_untrained(&model, 1, &e), 0);
    check_round_trip(&model);
    model_drop_untrained(&model);
    assert_true(model.labels == 3 && model.vectors == 3 && model.pairs && model.label[1] == 2);
    assert_true(model.w[0] == 2 && model.w[1] == 3 && model.w[2] == 6);
    assert_true(model.sigmoid[0] == -2 && model.sigmoid[2] == -3 && model.sigmoid[4] == -6);
    check_round_trip(&model);
    assert_int_equal(model_mark_untrained(&model, 0, &e), 0);
    model_drop_untrained(&model);
    assert_true(model.labels == 2 && model.vectors == 1 && !model.pairs && model.w[0] == 6);
    assert_true(model.sigmoid[0] == -6 && model.label[0] == 2 && model.label[1] == 1);
    check_round_trip(&model);
    model_free(&model);
}

static void a_name_of_gzip_is_packed(void **state) {
    (void)state;
    struct model model = new_model(5), again;
    struct error e = {0};
    char name[64], magic[2];
    snprintf(name, sizeof name, "%s.gz", path);
    assert_int_equal(model_write(&model, name, true, &e), 0);
    FILE *file = fopen(name, "r");
    assert_int_equal(fread(magic, 1, 2, file), 2);
    fclose(file);
    assert_memory_equal(magic, "\x1f\x8b", 2);
    assert_int_equal(model_read(name, &again, &e), 0);
    assert_same(&model, &again);
    unlink(name);
    model_free(&again);
    model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip_of_weights),
        cmocka_unit_test(round_trip_of_shapes),
        cmocka_unit_test(bad_names_are_not_written),
        cmocka_unit_test(bad_values_are_not_written),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(bad_models_are_refused),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(liblinear_models),
        cmocka_unit_test(models_of_other_systems),
        cmocka_unit_test(sigmoids_of_libsvm),
        cmocka_unit_test(round_trip_of_pairs),
        cmocka_unit_test(round_trip_of_scalings),
        cmocka_unit_test(untrained_labels_take_their_pairs_along),
        cmocka_unit_test(a_name_of_gzip_is_packed),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
