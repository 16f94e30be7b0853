/* fuzz_svmlight.c - any bytes as a data file, read in three ways that must agree: one pass in short
 * blocks, many tiny pieces, and the block reader. The first byte chooses options and sizes. */
#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_pieces.h"
#include "io/svmlight/svmlight_stream.h"
#include "tests/same_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ZERO_BASED = 1, UNLABELED = 2, THREADS = 0x1c, HASHED = 0x80 };

struct result {
    int status;
    struct error error;
    struct dataset data;
};

static void require(int condition) {
    if (!condition)
        abort();
}

static void require_same(const struct result *a, const struct result *b) {
    require(a->status == b->status);
    require(a->error.line == b->error.line && a->error.column == b->error.column);
    require(strcmp(a->error.words, b->error.words) == 0);
    require(same_dataset(&a->data, &b->data));
}

/* What the solvers rely on. */
static void require_sound(const struct result *result) {
    const struct dataset *data = &result->data;
    if (result->status != 0) {
        require(result->error.kind == ERROR_FAILURE && result->error.words[0] != '\0');
        require(data->rows == 0 && data->start == NULL);
        return;
    }
    require(data->rows > 0 && data->start[0] == 0 && data->start[data->rows] == data->nonzeros);
    for (int64_t i = 0; i < data->rows; i++) {
        require(data->start[i] <= data->start[i + 1]);
        require(data->weight == NULL || (isfinite(data->weight[i]) && data->weight[i] >= 0));
        for (int64_t k = data->start[i]; k < data->start[i + 1]; k++) {
            require(data->column[k] >= 0 && data->column[k] < data->features);
            require(k == data->start[i] || data->column[k] > data->column[k - 1]);
            require(data->value == NULL || isfinite(data->value[k]));
        }
    }
}

static struct result load(const char *path, const struct svmlight_options *options, int64_t block,
                          int pieces) {
    struct result result = {0};
    struct source *source = source_open(path, &result.error);
    result.status = -1;
    if (source == NULL)
        return result;
    if (pieces && source_size(source) > 0)
        result.status = svmlight_pieces_load(source, options, block, &result.data, &result.error);
    else
        result.status = svmlight_stream_load(source, options, block, &result.data, &result.error);
    source_close(source);
    return result;
}

/* The blocks hold the rows of the whole, or end with the same error. */
static void read_blocks(const char *path, const struct svmlight_options *options,
                        const struct result *whole) {
    struct error error = {0};
    struct svmlight_reader *reader = svmlight_open(path, options, &error);
    struct dataset block = {0};
    int64_t rows = 0, nonzeros = 0;
    int status = -1;
    while (reader != NULL && (status = svmlight_read(reader, &block, &error)) == 1) {
        require(block.rows > 0);
        for (int64_t i = 0; i < block.rows && whole->status == 0; i++)
            require(memcmp(&block.label[i], &whole->data.label[rows + i], sizeof(double)) == 0);
        if (whole->status == 0)
            require(same_array(block.column, whole->data.column + nonzeros, block.nonzeros,
                               sizeof *block.column));
        rows += block.rows;
        nonzeros += block.nonzeros;
    }
    require(status == whole->status);
    require(strcmp(error.words, whole->error.words) == 0 && error.line == whole->error.line);
    require(status != 0 || (rows == whole->data.rows && nonzeros == whole->data.nonzeros));
    dataset_free(&block);
    svmlight_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0)
        return 0;
    char path[64];
    int descriptor = memfd_create("input", 0);
    require(descriptor >= 0 && write(descriptor, bytes + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    struct svmlight_options options = {.zero_based = (bytes[0] & ZERO_BASED) != 0,
                                       .unlabeled = (bytes[0] & UNLABELED) != 0,
                                       .hash_bits = (bytes[0] & HASHED) != 0 ? 6 : 0,
                                       .threads = 1};
    int64_t block = 1 + bytes[0] / 4;
    struct result whole = load(path, &options, 1 << 16, 0);
    require_sound(&whole);
    if ((bytes[0] & THREADS) == THREADS)
        options.threads = 3;
    for (int pieces = 0; pieces < 2; pieces++) {
        struct result other = load(path, &options, block, pieces);
        require_same(&whole, &other);
        dataset_free(&other.data);
    }
    read_blocks(path, &options, &whole);
    dataset_free(&whole.data);
    close(descriptor);
    return 0;
}
