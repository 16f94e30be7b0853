/* fuzz_checkpoint.c - a checkpoint with any changes, but a right header and checksum: the training that goes on from it
 * ends with a model, or says why not. The first byte chooses the settings, the next two a length to which the file is
 * cut, and then each three bytes are a place and what is written there. */
#include "io/cache/checksum.h"
#include "rrm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 40, FEATURES = 6, RUNS = 20, MAX_BYTES = 1 << 16 };

/* Solver, loss, and a further setting with its value. */
static const char *const runs[RUNS][4] = {
    {"bundle", "hinge"},
    {"proximal-bundle", "hinge"},
    {"ocas", "hinge"},
    {"lbfgs", "logistic"},
    {"agm", "hinge"},
    {"ipm", "hinge"},
    {"ipm", "logistic"},
    {"dcd", "hinge"},
    {"proximal", "hinge"},
    {"asset", "hinge"},
    {"lps", "logistic", "regularizer", "l1"},
    {"bundle-ls", "hinge"},
    {"rda", "logistic", "regularizer", "l1"},
    {"sgd", "logistic", "regularizer", "l1"},
    {"tg", "logistic", "regularizer", "l1"},
    {"rda+", "logistic", "regularizer", "l1"},
    {"sdm", "crammer-singer"},
    {"pdsg", "hinge", "working-set", "10"},
    {"asset-on", "hinge", "sample", "10"},
    {"asset*-on", "logistic"},
};

/* Those that end at no tolerance. */
static const char *const endless[] = {"asset", "asset-on", "asset*-on", "rda", "sgd", "tg"};

static int ends(const char *solver) {
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++)
        if (strcmp(endless[i], solver) == 0)
            return 0;
    return 1;
}

static char path[64], setting[80];
static int64_t start[ROWS + 1];
static int32_t column[ROWS * FEATURES];
static double value[ROWS * FEATURES], label[ROWS];

static struct {
    char bytes[MAX_BYTES];
    size_t size, header;
} whole[RUNS];

static void require(int condition) {
    if (!condition)
        abort();
}

static struct rrm_data *make_data(void) {
    for (int i = 0; i < ROWS; i++) {
        label[i] = i % 3;
        for (int j = 0; j < FEATURES; j++) {
            int64_t k = start[i] + j;
            column[k] = j;
            value[k] = sin(1.7 * (double)(i * FEATURES + j)) + (j == i % 3);
        }
        start[i + 1] = start[i] + FEATURES;
    }
    struct rrm_csr csr = {
        .rows = ROWS, .start = start, .column = column, .value = value, .label = label};
    return rrm_data_csr(&csr, NULL);
}

/* Ends the training at the report of this number. */
static int end(void *context, const struct rrm_progress *progress) {
    int *left = context;
    (void)progress;
    return --*left == 0;
}

static void train(int run, int reports) {
    struct rrm_data *data = make_data();
    struct rrm_settings *settings = rrm_settings_new(NULL);
    struct rrm_model *model = NULL;
    struct rrm_error error = {0};
    require(data != NULL && settings != NULL);
    require(rrm_settings_set(settings, "solver", runs[run][0], &error) == 0);
    require(rrm_settings_set(settings, "loss", runs[run][1], &error) == 0);
    if (runs[run][2] != NULL)
        require(rrm_settings_set(settings, runs[run][2], runs[run][3], &error) == 0);
    require(rrm_settings_set(settings, "lambda", "1e-4", &error) == 0);
    if (ends(runs[run][0]))
        require(rrm_settings_set(settings, "epsilon", "1e-6", &error) == 0);
    require(rrm_settings_set(settings, "passes", "100", &error) == 0);
    require(rrm_settings_set(settings, "time-limit", "2", &error) == 0);
    require(rrm_settings_set(settings, "threads", "1", &error) == 0);
    require(rrm_settings_set(settings, "checkpoint", setting, &error) == 0);
    const struct rrm_training training = {.progress = end, .context = &reports};
    if (rrm_train(data, settings, &training, &model, NULL, &error) != 0)
        require(error.message[0] != '\0');
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

/* The file of a run that ended at its 7th report, when the second of three classes is being trained; where the classes
 * are trained together, at its 4th. */
static void make_whole(int run) {
    unlink(path);
    train(run, strcmp(runs[run][1], "crammer-singer") == 0 ? 4 : 7);
    FILE *file = fopen(path, "r");
    require(file != NULL);
    whole[run].size = fread(whole[run].bytes, 1, MAX_BYTES, file) - sizeof(uint64_t);
    fclose(file);
    require(whole[run].size < MAX_BYTES - sizeof(uint64_t));
    const char *last = memmem(whole[run].bytes, whole[run].size, "start: ", 7);
    require(last != NULL);
    whole[run].header = (size_t)(last - whole[run].bytes) + 7 + 17;
}

static void write_changed(int run, const uint8_t *bytes, size_t size) {
    static char changed[MAX_BYTES];
    size_t from = whole[run].header, body = whole[run].size - from, length = body;
    struct checksum sum = {{0}, 0};
    memcpy(changed, whole[run].bytes, whole[run].size);
    if (size >= 2 && (bytes[0] & 7) == 0)
        length = (size_t)(bytes[0] << 8 | bytes[1]) % (body + 1);
    for (size_t i = 2; i + 2 < size; i += 3)
        changed[from + (size_t)(bytes[i] << 8 | bytes[i + 1]) % body] = (char)bytes[i + 2];
    size_t all = from + length, whole_blocks = all / 32 * 32;
    checksum_add(&sum, changed, (int64_t)whole_blocks);
    checksum_add(&sum, changed + whole_blocks, (int64_t)(all - whole_blocks));
    uint64_t written = checksum_end(&sum);
    FILE *file = fopen(path, "w");
    require(file != NULL && fwrite(changed, 1, all, file) == all &&
            fwrite(&written, sizeof written, 1, file) == 1 && fclose(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (path[0] == '\0') {
        snprintf(path, sizeof path, "%s/fuzz_checkpoint.%ld",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
        snprintf(setting, sizeof setting, "%s:1e9", path);
    }
    int run = size > 0 ? bytes[0] % RUNS : 0;
    if (whole[run].size == 0)
        make_whole(run);
    write_changed(run, bytes + (size > 0), size > 0 ? size - 1 : 0);
    train(run, 1000000);
    unlink(path);
    return 0;
}
