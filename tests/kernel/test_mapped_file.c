/* test_mapped_file.c - mapped rows that are read from a file: each reader gets the bits of rows in memory, the process
 * keeps no page of them, and without a file they are recomputed. */
#include "kernel/mapped.h"

#include "io/scratch.h"
#include "io/window.h"
#include "risk/risk.h"
#include "solvers/sampler.h"
#include "tests/random_data.h"
#include "tests/size.h"
#include "tests/skipped.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 9000, FEATURES = 6, SIZE = 67 /* rows that begin within a page */ };

static const double little = 1000;

struct fixture {
    struct dataset data, in_memory, file;
    struct map *map;
    size_t row_bytes;
};

static void set_up(struct fixture *f, int threads) {
    struct map_settings settings = {.kind = MAP_NYSTROM,
                                    .kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 0.5},
                                    .size = SIZE,
                                    .threshold = 1e-12,
                                    .seed = 3};
    omp_set_num_threads(threads);
    *f = (struct fixture){.data = random_data(ROWS, FEATURES, false, 1)};
    f->map = map_new(&settings, &f->data, NULL);
    assert_non_null(f->map);
    f->row_bytes = sizeof(double) * (size_t)map_dimension(f->map);
    assert_int_equal(mapped_init(&f->in_memory, f->map, &f->data, 1e9, scratch_folder(), NULL), 0);
    assert_null(f->in_memory.window);
    assert_int_equal(mapped_init(&f->file, f->map, &f->data, little, scratch_folder(), NULL), 0);
    assert_non_null(f->file.window);
}

static void tear_down(struct fixture *f) {
    dataset_free(&f->file);
    dataset_free(&f->in_memory);
    dataset_free(&f->data);
    map_free(f->map);
}

/* The file system may have no room for a file, or lie in memory. */
static void set_up_file(struct fixture *f, int threads) {
    set_up(f, threads);
    if (mapped_is_recomputed(&f->file)) {
        tear_down(f);
        SKIPPED("mapped examples in a file (no room for it, or it lies in memory)");
    }
}

static struct risk *risk_of(const struct dataset *data) {
    struct scalar_settings settings = {
        .data = data, .target = data->label, .loss = loss_by_name("hinge"), .bias = 0.5};
    struct risk *risk = scalar_risk_new(&settings, NULL);
    assert_non_null(risk);
    return risk;
}

static void check_row(const struct fixture *f, int64_t i, const double *row) {
    assert_memory_equal(row, dataset_values(&f->in_memory, i), f->row_bytes);
}

/* Pages of files that this process has in its memory; -1: the system does not say. */
static double file_pages(void) {
    double all, present, of_files = -1;
    FILE *stream = fopen("/proc/self/statm", "re");
    if (stream != NULL && fscanf(stream, "%lf %lf %lf", &all, &present, &of_files) != 3)
        of_files = -1;
    if (stream != NULL)
        fclose(stream);
    return of_files;
}

static void passes_have_the_rows_and_keep_no_page(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        struct fixture f;
        double w[SIZE + 1], g[2][SIZE + 1];
        set_up_file(&f, threads);
        struct risk *a = risk_of(&f.in_memory), *b = risk_of(&f.file);
        double before = file_pages(), rows = 0;
        struct window_rows at = window_rows(&f.file, NULL, 5, ROWS - 2);
        while (window_next(&at))
            for (int64_t i = at.from; i < at.to; i++, rows++)
                check_row(&f, i, dataset_values(&f.file, i));
        assert_true(rows == ROWS - 7);
        for (int j = 0; j <= SIZE; j++)
            w[j] = sin(j);
        for (int k = 0; k < 2; k++) {
            assert_true(risk_evaluate(a, w, 0.1 * k, g[0]) == risk_evaluate(b, w, 0.1 * k, g[1]));
            assert_memory_equal(g[0], g[1], sizeof(double) * (size_t)a->dimension);
        }
        double kept = (file_pages() - before) * (double)sysconf(_SC_PAGESIZE);
        assert_true(kept < 0.2 * ROWS * (double)f.row_bytes);
        risk_free(a);
        risk_free(b);
        tear_down(&f);
    }
}

/* One by one, and by blocks: each valid for WINDOW_ALONE - 1 calls. */
static void rows_in_any_order_are_those_in_memory(void **state) {
    (void)state;
    struct fixture f;
    static const double *at[WINDOW_ALONE - 1];
    static int64_t list[ROWS];
    set_up_file(&f, 2);
    for (int64_t k = 0; k < ROWS; k++)
        list[k] = k * 7 % ROWS; /* a permutation, as 7 does not divide ROWS */
    for (int blocks = 0; blocks < 2; blocks++) {
        int64_t taken = ROWS, loads = 0;
        double before = file_pages();
        if (blocks)
            assert_int_equal(f.file.window->open_blocks(f.file.window, NULL), 0);
        for (int64_t k = 0; k < ROWS; k += taken, loads++) {
            if (blocks)
                taken = f.file.window->load(f.file.window, list + k, ROWS - k);
            assert_true((file_pages() - before) * (double)sysconf(_SC_PAGESIZE) <
                        0.2 * ROWS * (double)f.row_bytes);
            for (int64_t i = k; i < k + taken; i++) {
                at[i % (WINDOW_ALONE - 1)] = window_row(&f.file, list[i]);
                check_row(&f, list[i], at[i % (WINDOW_ALONE - 1)]);
                if (i >= k + WINDOW_ALONE)
                    check_row(&f, list[i - 500], at[(i - 500) % (WINDOW_ALONE - 1)]);
            }
        }
        assert_true(blocks ? loads > 1 : loads == 1);
    }
    tear_down(&f);
}

static void without_a_file_rows_are_recomputed(void **state) {
    (void)state;
    static const char *const folders[] = {NULL, "/missing", "/proc"};
    struct fixture f;
    set_up(&f, 1);
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        struct dataset mapped;
        assert_int_equal(mapped_init(&mapped, f.map, &f.data, little, folders[k], NULL), 0);
        assert_true(mapped_is_recomputed(&mapped));
        dataset_free(&mapped);
    }
    assert_int_equal(scratch_open(scratch_folder(), INT64_MAX / 4), -1);
    tear_down(&f);
}

static void the_first_row_without_a_map_is_named(void **state) {
    (void)state;
    struct fixture f;
    struct dataset mapped;
    struct error e = {0};
    set_up_file(&f, 2);
    for (int64_t i = 8000; i < 8200; i += 150)
        for (int64_t k = f.data.start[i]; k < f.data.start[i + 1]; k++)
            f.data.value[k] = NAN;
    assert_int_equal(mapped_init(&mapped, f.map, &f.data, little, scratch_folder(), &e), -1);
    assert_non_null(strstr(e.words, "example 8001 "));
    tear_down(&f);
}

static void bytes_are_read_where_they_were_written(void **state) {
    (void)state;
    char out[] = "abcdef", in[sizeof out] = {0};
    int file = scratch_open(scratch_folder(), 100);
    if (file < 0)
        SKIPPED("a scratch file (no room for it, or it lies in memory)");
    assert_int_equal(scratch_write(file, out, sizeof out, 93), 0);
    assert_int_equal(scratch_read(file, in, sizeof in, 93), 0);
    assert_string_equal(in, out);
    assert_int_equal(scratch_read(file, in, sizeof in, 94), -1); /* beyond the end */
    close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_have_the_rows_and_keep_no_page),
        cmocka_unit_test(rows_in_any_order_are_those_in_memory),
        cmocka_unit_test(without_a_file_rows_are_recomputed),
        cmocka_unit_test(the_first_row_without_a_map_is_named),
        cmocka_unit_test(bytes_are_read_where_they_were_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
