/* test_svmlight_memory.c - every allocation of a load fails in turn: an error, no crash, no leak
 * (the sanitizer's build watches), and nothing half made is handed out.
 *
 * All of io/ allocates through memory.c; this program brings its own copy of it, whose allocations
 * fail on demand, so that the linker takes none from the library. */
#include <stdlib.h>

static int allocations_left = -1; /* -1: all succeed */

static int fails(void) {
    int now = allocations_left == 0;
    allocations_left -= allocations_left > 0;
    return now;
}

static void *failing_malloc(size_t size) {
    return fails() ? NULL : malloc(size);
}

static void *failing_calloc(size_t count, size_t size) {
    return fails() ? NULL : calloc(count, size);
}

static void *failing_realloc(void *pointer, size_t size) {
    return fails() ? NULL : realloc(pointer, size);
}

#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc
#include "io/memory.c"
#undef malloc
#undef calloc
#undef realloc

#include "io/dataset_select.h"
#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_pieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];
static const struct svmlight_options options = {.threads = 1};

static int load(struct error *e) {
    struct dataset data;
    int status = dataset_load(path, &options, &data, e);
    if (status != 0)
        assert_null(data.start);
    dataset_free(&data);
    return status;
}

static int load_pieces(struct error *e) {
    struct dataset data = {0};
    struct source *source = source_open(path, e);
    int status = source == NULL ? -1 : svmlight_pieces_load(source, &options, 1 << 19, &data, e);
    source_close(source);
    dataset_free(&data);
    return status;
}

static int read_blocks(struct error *e) {
    struct dataset block = {0};
    struct svmlight_reader *reader = svmlight_open(path, &options, e);
    int status = reader == NULL ? -1 : 1;
    while (status == 1)
        status = svmlight_read(reader, &block, e);
    dataset_free(&block);
    svmlight_close(reader);
    return status;
}

static int load_weights(struct error *e) {
    struct error ignored = {0};
    double *weights = weights_load(path, 1, e != NULL ? e : &ignored);
    int status = weights == NULL && strncmp(e->words, "out of memory", 13) == 0 ? -1 : 0;
    e->kind = status == 0 ? ERROR_NONE : e->kind;
    free(weights);
    return status;
}

static int select_rows(struct error *e) {
    struct dataset data, part = {0};
    int64_t rows[] = {0, 2};
    int status = dataset_load(path, &options, &data, e);
    if (status == 0)
        status = dataset_select(&data, rows, 2, &part, e);
    dataset_free(&part);
    dataset_free(&data);
    return status;
}

/* Fails the first allocation, then the second, until none is left to fail. */
static void fail_each(int (*function)(struct error *e)) {
    int status = -1;
    for (int i = 0; status != 0; i++) {
        struct error e = {0};
        allocations_left = i;
        status = function(&e);
        bool failed = allocations_left == 0 && status != 0;
        allocations_left = -1;
        assert_true(i < 10000);
        if (status != 0) {
            assert_true(failed);
            assert_int_equal(e.kind, ERROR_MEMORY);
            assert_memory_equal(e.words, "out of memory", 13);
        }
    }
}

static void every_allocation_fails(void **state) {
    (void)state;
    fail_each(load);
    fail_each(load_pieces);
    fail_each(read_blocks);
    fail_each(load_weights);
    fail_each(select_rows);
}

static int write_data(void **state) {
    (void)state;
    int descriptor = memfd_create("data", 0);
    FILE *stream = fdopen(descriptor, "w");
    for (int i = 0; i < 20000; i++)
        fprintf(stream, "%d cost:%d qid:%d 1:%d 3:0.25\n", i % 3, i % 7, (i / 11 * 7) % 60001, i);
    fflush(stream);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails)};
    return cmocka_run_group_tests(tests, write_data, NULL);
}
