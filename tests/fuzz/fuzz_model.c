/* fuzz_model.c - any bytes as a model file: what is read must be sound, and come back equal after
 * being written. */
#include "io/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_WEIGHTS = 1 << 20 }; /* larger models are read only: writing takes too long */

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

static void require_same(const struct model *a, const struct model *b) {
    require(strcmp(a->solver, b->solver) == 0 && strcmp(a->loss, b->loss) == 0);
    require(strcmp(a->regularizer, b->regularizer) == 0 && strcmp(a->status, b->status) == 0);
    require(memcmp(&a->tube, &b->tube, 9 * sizeof(double)) == 0); /* tube to bias */
    require(a->intercept == b->intercept && a->zero_based == b->zero_based);
    require(a->rest == b->rest);
    require(memcmp(&a->objective, &b->objective, 3 * sizeof(double)) == 0); /* to passes */
    require(a->seed == b->seed && a->labels == b->labels && a->vectors == b->vectors);
    require(a->dimension == b->dimension);
    require(a->labels == 0 || memcmp(a->label, b->label, (size_t)a->labels * sizeof(double)) == 0);
    int64_t weights = a->vectors * a->dimension;
    require(weights == 0 || memcmp(a->w, b->w, (size_t)weights * sizeof(double)) == 0);
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
        require(model.w == NULL && model.label == NULL);
        return 0;
    }
    require_sound(&model);
    if (model.vectors * model.dimension <= MOST_WEIGHTS) {
        char path[64];
        snprintf(path, sizeof path, "%s/fuzz_model.%ld", folder(), (long)getpid());
        require(model_write(&model, path, true, &e) == 0);
        require(model_read(path, &again, &e) == 0);
        unlink(path);
        require_same(&model, &again);
        model_free(&again);
    }
    model_free(&model);
    return 0;
}
