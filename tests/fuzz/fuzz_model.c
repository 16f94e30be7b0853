/* fuzz_model.c - any bytes as a model file: what is read must be sound, come back equal after being
 * written, and give scores or say why not. */
#include "io/model/model.h"
#include "prediction/predictor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    MAX_WEIGHTS = 1 << 20, /* larger models are read only: writing takes too long */
    MAX_WIDTH = 1 << 20,   /* of points that are prepared for products */
    ROWS = 3
};

static void require(int condition) {
    if (!condition)
        abort();
}

static int read_bytes(const uint8_t *bytes, size_t size, struct model *model, struct error *e) {
    char path[64];
    int descriptor = memfd_create("input", 0);
    require(descriptor >= 0 && write(descriptor, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    int status = model_read(path, model, e);
    close(descriptor);
    return status;
}

static void require_sound(const struct model *model) {
    int64_t constants = (model->bias >= 0) + model->intercept;
    require(model->dimension == model_units(model) + constants + model->basis.count);
    require(model->vectors >= 1);
    require(model->labels == 0 || model->vectors == model->labels ||
            (model->labels == 2 && model->vectors == 1));
    for (int64_t i = 0; i < model->labels; i++)
        require(isfinite(model->label[i]));
}

static void require_equal(const void *a, const void *b, int64_t count, size_t size) {
    require((a == NULL) == (b == NULL));
    require(count == 0 || a == NULL || memcmp(a, b, (size_t)count * size) == 0);
}

static void require_same_map(const struct model *a, const struct model *b) {
    const struct dataset *x = &a->points, *y = &b->points;
    require(strcmp(a->map, b->map) == 0 && strcmp(a->kernel, b->kernel) == 0);
    require(memcmp(&a->gamma, &b->gamma, 2 * sizeof(double)) == 0); /* gamma, shift */
    require(a->degree == b->degree && a->map_size == b->map_size);
    require(x->rows == y->rows && x->nonzeros == y->nonzeros && x->features == y->features);
    require_equal(x->start, y->start, x->rows + 1, sizeof *x->start);
    require_equal(x->column, y->column, x->nonzeros, sizeof *x->column);
    require_equal(x->value, y->value, x->nonzeros, sizeof *x->value);
    require(a->basis.count == b->basis.count && a->basis.shared == b->basis.shared);
    require_equal(a->basis.function, b->basis.function, a->basis.count, sizeof *a->basis.function);
}

static void require_same(const struct model *a, const struct model *b) {
    require(strcmp(a->solver, b->solver) == 0 && strcmp(a->loss, b->loss) == 0);
    require(strcmp(a->regularizer, b->regularizer) == 0 && strcmp(a->status, b->status) == 0);
    require(memcmp(&a->tube, &b->tube, 9 * sizeof(double)) == 0); /* tube to bias */
    require(a->intercept == b->intercept && a->zero_based == b->zero_based);
    require(a->against_rest == b->against_rest);
    require(memcmp(&a->objective, &b->objective, 3 * sizeof(double)) == 0); /* to passes */
    require(a->seed == b->seed && a->labels == b->labels && a->vectors == b->vectors);
    require(a->dimension == b->dimension);
    require_same_map(a, b);
    require(a->labels == 0 || memcmp(a->label, b->label, (size_t)a->labels * sizeof(double)) == 0);
    int64_t weights = a->vectors * a->dimension;
    require(weights == 0 || memcmp(a->w, b->w, (size_t)weights * sizeof(double)) == 0);
}

/* Rows of few features, known and not, all 1 or with values. */
static void predict(const struct model *model) {
    int64_t start[] = {0, 3, 3, 5}; /* rows + 1 */
    int32_t column[] = {0, 2, 7, 1, 1000};
    double value[] = {1, -0.5, 2, 1e300, 3};
    struct dataset block = {.rows = ROWS, .nonzeros = 5, .features = 1001, .start = start};
    struct error e = {0};
    struct unknown_features unknown_features = {0};
    struct predictor *predictor = predictor_new(model, &e);
    double *scores = malloc((size_t)(ROWS * model->vectors) * sizeof *scores);
    require(predictor != NULL && scores != NULL);
    block.column = column;
    for (int ones = 0; ones < 2; ones++) {
        block.value = ones ? NULL : value;
        e = (struct error){0};
        if (predictor_scores(predictor, &block, 0, ROWS, scores, &unknown_features, &e) != 0)
            require(e.kind == ERROR_FAILURE && e.words[0] != '\0');
        else
            for (int64_t k = 0; k < ROWS * model->vectors; k++)
                require(isfinite(scores[k]));
    }
    free(scores);
    predictor_free(predictor);
}

/* Writes to memory where there is such a folder, since every file is synced. */
static const char *folder(void) {
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct model model, again;
    struct error e = {0};
    if (read_bytes(bytes, size, &model, &e) != 0) {
        require(e.kind == ERROR_FAILURE && e.words[0] != '\0');
        require(model.w == NULL && model.label == NULL && model.points.start == NULL);
        return 0;
    }
    require_sound(&model);
    if (model.vectors * model.dimension <= MAX_WEIGHTS) {
        char path[64];
        snprintf(path, sizeof path, "%s/fuzz_model.%ld", folder(), (long)getpid());
        require(model_write(&model, path, true, &e) == 0);
        require(model_read(path, &again, &e) == 0);
        unlink(path);
        require_same(&model, &again);
        model_free(&again);
        if (model.points.features <= MAX_WIDTH)
            predict(&model);
    }
    model_free(&model);
    return 0;
}
