/* fuzz_cache.c - any bytes as a cache whose checksums and source are right: what is loaded leads nowhere outside, also
 * when it is read by blocks. A first byte that is odd leaves the header as it is; otherwise its magic number, source
 * and checksums are put right, and by its other bits the sizes of the arrays. */
#include "io/cache/cache.h"
#include "io/cache/cache_file.h"
#include "io/cache/checksum.h"
#include "io/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ODD = 1, SIZES = 2, VALUES = 4, WEIGHTS = 8 };

static const struct svmlight_options plain = {.threads = 1};
static char text_path[64];
static struct cache_source source;

static void require(int condition) {
    if (!condition)
        abort();
}

static int new_file(const void *bytes, size_t size, char path[64]) {
    int descriptor = memfd_create("input", 0);
    require(descriptor >= 0 && write(descriptor, bytes, size) == (ssize_t)size);
    snprintf(path, 64, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

/* Larger numbers are refused for the sizes that stand in the file. */
static int fits(int64_t count) {
    return count >= 0 && count < INT32_MAX;
}

static void put_right(uint8_t *bytes, size_t size, int how) {
    struct cache_header header;
    struct checksum sum = {0};
    memcpy(&header, bytes, sizeof header);
    memcpy(header.magic, CACHE_MAGIC, sizeof CACHE_MAGIC);
    header.byte_order = CACHE_BYTE_ORDER;
    header.version = CACHE_VERSION;
    header.source = source;
    header.zero_based = header.hash_bits = header.unlabeled = 0;
    if ((how & SIZES) && fits(header.rows) && fits(header.nonzeros) && fits(header.groups))
        cache_array_bytes(&header, how & VALUES, how & WEIGHTS, header.array_bytes);
    int64_t begin = cache_offset(&(struct cache_header){0}, 0);
    if ((int64_t)size > begin)
        checksum_add(&sum, bytes + begin, (int64_t)size - begin);
    header.content = checksum_end(&sum);
    header.header = cache_header_checksum(&header);
    memcpy(bytes, &header, sizeof header);
}

/* Reads all rows and groups. */
static void read_rows(const struct dataset *data) {
    struct window_rows at = window_rows(data, NULL, 0, data->rows);
    double sum = 0;
    int64_t rows = 0;
    while (window_next(&at))
        for (int64_t i = at.from; i < at.to; i++, rows++)
            for (int64_t k = 0; k < dataset_count(data, i); k++) {
                int32_t column = dataset_columns(data, i)[k];
                require(column >= 0 && column < data->features);
                sum += data->value == NULL ? 1 : dataset_values(data, i)[k];
            }
    require(rows == data->rows);
    for (int64_t g = 0; g < data->groups; g++)
        for (int64_t i = data->group_start[g]; i < data->group_start[g + 1]; i++)
            sum += data->label[i] + (data->weight == NULL ? 1 : data->weight[i]);
    require(sum == sum || isnan(sum));
}

static void load(const char *cache, double memory) {
    char reason[CACHE_REASON];
    struct dataset data;
    struct error e = {0};
    int status = cache_load(cache, text_path, &plain, memory, &data, reason, &e);
    require((status == -1) == (e.kind != ERROR_NONE));
    if (status == 1)
        read_rows(&data);
    else
        require(data.start == NULL && (status == -1 || reason[0] != '\0'));
    dataset_free(&data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static int text = -1;
    struct error e = {0};
    char path[64];
    if (text < 0) {
        text = new_file("1 1:1\n", 6, text_path);
        require(cache_look(text_path, &source, &e) == 0);
        require(cache_source_sum(text_path, &source.checksum, &e) == 0);
    }
    if (size == 0)
        return 0;
    uint8_t *changed = malloc(size);
    require(changed != NULL);
    memcpy(changed, bytes + 1, size - 1);
    if (!(bytes[0] & ODD) && size > sizeof(struct cache_header))
        put_right(changed, size - 1, bytes[0]);
    int descriptor = new_file(changed, size - 1, path);
    load(path, INFINITY);
    load(path, 0);
    close(descriptor);
    free(changed);
    return 0;
}
