/* test_cache.c - a cache gives the dataset that was written, and nothing when the text, the options, the version, a bit
 * or the length differ. */
#include "io/cache/cache.h"

#include "io/cache/cache_file.h"
#include "io/cache/checksum.h"
#include "io/svmlight/svmlight.h"
#include "io/window.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/same_dataset.h"
#include "tests/temporary.h"

static char cache[sizeof path + 8];

static const struct svmlight_options plain = {.threads = 1};

static int make_paths(void **state) {
    int status = make_path(state);
    snprintf(cache, sizeof cache, "%s.cache", path);
    return status;
}

static int remove_paths(void **state) {
    unlink(cache);
    return remove_path(state);
}

static void write_text(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

/* Writes the text and its cache, and returns its examples. */
static struct dataset made(const char *text, const struct svmlight_options *options) {
    struct dataset data;
    struct cache_source source;
    struct error e = {0};
    write_text(text);
    assert_int_equal(cache_look(path, &source, &e), 0);
    assert_int_equal(dataset_load(path, options, &data, &e), 0);
    assert_int_equal(cache_write(cache, path, &source, options, &data, &e), 0);
    return data;
}

/* The reason for which the cache is not used; empty if it is. */
static const char *refused(const struct svmlight_options *options) {
    static char reason[CACHE_REASON];
    struct dataset data;
    struct error e = {0};
    int loaded = cache_load(cache, path, options, INFINITY, &data, reason, &e);
    assert_true(loaded >= 0);
    dataset_free(&data);
    return loaded == 1 ? "" : reason;
}

static void the_examples_come_back(void **state) {
    (void)state;
    static const char *const texts[] = {
        "1 1:0.1 7:-3e-200\n-1 2:5\n",
        "1 1:1 2:1\n-1 2:1\n",
        "2 qid:4 1:0.5\n1 qid:4\n0 qid:9 3:2\n",
        "1 cost:2 1:1\n-1 cost:0.5 2:1\n",
        "1\n-1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char reason[CACHE_REASON];
        struct dataset data = made(texts[i], &plain), again;
        struct error e = {0};
        assert_int_equal(cache_load(cache, path, &plain, INFINITY, &again, reason, &e), 1);
        assert_true(same_dataset(&data, &again));
        for (int64_t k = 0; again.weight != NULL && k < again.rows; k++)
            again.weight[k] = 7; /* may be changed */
        dataset_free(&again);
        assert_string_equal(refused(&plain), "");
        dataset_free(&data);
    }
}

/* Gives the text the time SECONDS, as a program does that wants to hide a change. */
static void set_time(int64_t seconds) {
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void another_text_or_option_is_seen(void **state) {
    (void)state;
    struct svmlight_options zero_based = plain, hashed = plain, unlabeled = plain;
    zero_based.zero_based = unlabeled.unlabeled = true;
    hashed.hash_bits = 10;
    struct dataset data = made("1 1:2\n-1 2:3\n", &plain);
    assert_string_equal(refused(&zero_based), "it was made with other options");
    assert_string_equal(refused(&hashed), "it was made with other options");
    assert_string_equal(refused(&unlabeled), "it was made with other options");
    write_text("1 1:2\n-1 2:4\n"); /* as long; the time differs */
    assert_string_equal(refused(&plain), "the data has changed");
    dataset_free(&data);
    data = made("1 1:2\n-1 2:3\n", &plain);
    set_time(5);
    assert_string_equal(refused(&plain), "the data has changed");
    dataset_free(&data);
}

static void a_text_of_the_same_size_and_time_is_read(void **state) {
    (void)state;
    struct cache_source source;
    struct error e = {0};
    char reason[CACHE_REASON];
    struct dataset again;
    write_text("1 1:2\n-1 2:3\n");
    set_time(5);
    assert_int_equal(cache_look(path, &source, &e), 0);
    assert_int_equal(cache_write(cache, path, &source, &plain, NULL, &e), 0);
    assert_string_equal(refused(&plain), "");
    write_text("1 1:2\n-1 2:3\n"); /* the same bytes, as of a copy */
    set_time(5);
    assert_string_equal(refused(&plain), "");
    write_text("1 1:2\n-1 2:4\n");
    set_time(5);
    assert_string_equal(refused(&plain), "the data has changed");
    assert_int_equal(cache_load(cache, path, &plain, INFINITY, &again, reason, &e), 0);
    assert_int_equal(e.kind, ERROR_NONE);
}

/* Rows of many blocks of text: values and weights that are not 1 come late, and a group is larger than a block. */
static void write_many_rows(void) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 60000; i++) {
        fprintf(file, "%d qid:%d%s 3:%s %d:1\n", i % 2, i < 50000 ? 1 : 2 + i / 100,
                i < 55000 ? "" : " cost:2", i < 52000 ? "1.00000000000000000000" : "0.5",
                100 + i % 700);
    }
    fclose(file);
}

static char *content(int64_t *bytes) {
    FILE *file = fopen(cache, "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *bytes = ftell(file);
    rewind(file);
    char *all = malloc((size_t)*bytes);
    assert_non_null(all);
    assert_int_equal(fread(all, 1, (size_t)*bytes, file), *bytes);
    fclose(file);
    return all;
}

static void blocks_make_the_same_file(void **state) {
    (void)state;
    struct dataset data, again;
    struct cache_source source;
    struct error e = {0};
    char reason[CACHE_REASON];
    int64_t bytes, other_bytes;
    write_many_rows();
    assert_int_equal(cache_look(path, &source, &e), 0);
    assert_int_equal(dataset_load(path, &plain, &data, &e), 0);
    assert_int_equal(cache_write(cache, path, &source, &plain, &data, &e), 0);
    char *whole = content(&bytes);
    unlink(cache);
    assert_int_equal(cache_write(cache, path, &source, &plain, NULL, &e), 0);
    char *blocks = content(&other_bytes);
    assert_int_equal(bytes, other_bytes);
    assert_memory_equal(whole, blocks, (size_t)bytes);
    assert_int_equal(cache_load(cache, path, &plain, INFINITY, &again, reason, &e), 1);
    assert_null(again.window);
    assert_true(same_dataset(&data, &again));
    dataset_free(&again);
    dataset_free(&data);
    free(whole);
    free(blocks);
}

/* <1, x_i> of all rows, read as window.h says; rows that are not wanted may be left out. */
static double sum_of(const struct dataset *data, const double *wanted, int64_t *chunks) {
    struct window_rows at = window_products(data, wanted, 0, data->rows);
    double sum = 0;
    *chunks = 0;
    while (window_next(&at)) {
        ++*chunks;
        for (int64_t i = at.from; i < at.to; i++)
            for (int64_t k = 0; wanted[i] != 0 && k < dataset_count(data, i); k++)
                sum += wanted[i] * dataset_values(data, i)[k];
    }
    return sum;
}

static void a_large_file_gets_a_window(void **state) {
    (void)state;
    struct dataset data, windowed;
    struct cache_source source;
    struct error e = {0};
    char reason[CACHE_REASON];
    int64_t chunks, all_chunks;
    write_many_rows();
    assert_int_equal(cache_look(path, &source, &e), 0);
    assert_int_equal(cache_write(cache, path, &source, &plain, NULL, &e), 0);
    assert_int_equal(cache_load(cache, path, &plain, INFINITY, &data, reason, &e), 1);
    assert_int_equal(cache_load(cache, path, &plain, 1e5, &windowed, reason, &e), 1);
    assert_non_null(windowed.window);
    assert_true(same_dataset(&data, &windowed));
    double *wanted = calloc((size_t)data.rows, sizeof *wanted);
    assert_non_null(wanted);
    for (int64_t i = 0; i < data.rows; i++)
        wanted[i] = i < data.rows / 2 ? 0 : (double)(i % 7);
    double sum = sum_of(&data, wanted, &chunks), other = sum_of(&windowed, wanted, &all_chunks);
    assert_memory_equal(&sum, &other, sizeof sum);
    assert_int_equal(chunks, 1);
    assert_true(all_chunks > 8 && all_chunks * windowed.window->chunk < data.rows);
    for (int64_t i = 0; i < data.rows; i += 97)
        assert_memory_equal(window_row(&data, i), window_row(&windowed, i), 2 * sizeof(double));
    free(wanted);
    dataset_free(&windowed);
    dataset_free(&data);
}

static void a_text_that_changes_meanwhile_gets_no_cache(void **state) {
    (void)state;
    struct cache_source source;
    struct error e = {0};
    struct dataset data = made("1 1:2\n-1 2:3\n", &plain);
    assert_int_equal(cache_look(path, &source, &e), 0);
    write_text("1 1:2\n-1 2:3\n1 1:1\n");
    assert_int_equal(cache_write(cache, path, &source, &plain, &data, &e), -1);
    assert_non_null(strstr(e.words, "changed while it was read"));
    dataset_free(&data);
}

/* Changes byte I of the cache by XOR, and back again with the same call. */
static void flip(int64_t i, int bits) {
    FILE *file = fopen(cache, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, i, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, i, SEEK_SET), 0);
    fputc(byte ^ bits, file);
    fclose(file);
}

static int64_t cache_bytes(void) {
    struct stat status;
    assert_int_equal(stat(cache, &status), 0);
    return status.st_size;
}

static void each_changed_bit_is_seen(void **state) {
    (void)state;
    struct dataset data = made("1 qid:1 cost:3 1:2 5:0.5\n-1 qid:1 2:3\n2 qid:2 1:1\n", &plain);
    int64_t bytes = cache_bytes();
    for (int64_t i = 0; i < bytes; i++) {
        flip(i, 1 << i % 8);
        if (refused(&plain)[0] == '\0')
            fail_msg("byte %d", (int)i);
        flip(i, 1 << i % 8);
    }
    assert_string_equal(refused(&plain), "");
    dataset_free(&data);
}

static void a_cut_file_is_seen(void **state) {
    (void)state;
    struct dataset data = made("1 1:2 5:0.5\n-1 2:3\n", &plain);
    for (int64_t bytes = cache_bytes(); bytes-- > 0;) {
        assert_int_equal(truncate(cache, bytes), 0);
        if (refused(&plain)[0] == '\0')
            fail_msg("%d bytes", (int)bytes);
    }
    assert_string_equal(refused(&plain), "it is no cache");
    unlink(cache);
    char reason[CACHE_REASON];
    struct dataset none;
    struct error e = {0};
    assert_int_equal(cache_load(cache, path, &plain, INFINITY, &none, reason, &e), 0);
    assert_string_equal(reason, "");
    dataset_free(&data);
}

/* Writes the header again with a change and a right checksum. */
static void change_header(void (*change)(struct cache_header *header)) {
    struct cache_header header;
    FILE *file = fopen(cache, "r+");
    assert_non_null(file);
    assert_int_equal(fread(&header, sizeof header, 1, file), 1);
    change(&header);
    header.header = cache_header_checksum(&header);
    rewind(file);
    assert_int_equal(fwrite(&header, sizeof header, 1, file), 1);
    fclose(file);
}

static void other_version(struct cache_header *header) {
    header->version++;
}
static void other_order(struct cache_header *header) {
    header->byte_order = 0x04030201;
}
static void many_rows(struct cache_header *header) {
    header->rows = INT64_MAX / 4;
}
static void few_features(struct cache_header *header) {
    header->features = 1;
}
static void negative_array(struct cache_header *header) {
    header->array_bytes[3] = -64;
}
static void more_groups(struct cache_header *header) {
    header->groups = 1;
}

static void headers_that_lead_outside_are_refused(void **state) {
    (void)state;
    static const struct {
        void (*change)(struct cache_header *header);
        const char *reason;
    } cases[] = {
        {other_version, "it is of another version"},
        {other_order, "it is of a machine with another byte order"},
        {many_rows, "it has been cut"},
        {few_features, "its checksum is wrong"},
        {negative_array, "it has been cut"},
        {more_groups, "its checksum is wrong"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dataset data = made("1 1:2 5:0.5\n-1 2:3\n", &plain);
        change_header(cases[i].change);
        assert_string_equal(refused(&plain), cases[i].reason);
        dataset_free(&data);
    }
}

/* Another program's columns, with a right checksum: they fall within a row, or one stands there twice. */
static void columns_that_do_not_ascend_are_refused(void **state) {
    (void)state;
    static const struct {
        int64_t k;
        int32_t column;
        const char *reason;
    } cases[] = {{1, 0, "its checksum is wrong"},
                 {3, 1, "its checksum is wrong"},
                 {2, 4, "its checksum is wrong"},
                 {2, 0, ""},
                 {1, 2, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dataset data = made("1 1:2 5:0.5\n1\n-1 2:3 4:1 5:1\n", &plain);
        int64_t bytes;
        char *file = content(&bytes);
        struct cache_header *header = (struct cache_header *)file;
        int64_t begin = cache_offset(header, CACHE_COLUMN);
        ((int32_t *)(file + begin))[cases[i].k] = cases[i].column;
        struct checksum sum = {0};
        checksum_add(&sum, file + begin, bytes - begin);
        header->content = checksum_end(&sum);
        header->header = cache_header_checksum(header);
        FILE *stream = fopen(cache, "w");
        assert_int_equal(fwrite(file, 1, (size_t)bytes, stream), bytes);
        fclose(stream);
        assert_string_equal(refused(&plain), cases[i].reason);
        free(file);
        dataset_free(&data);
    }
}

static void a_text_that_is_missing_is_an_error(void **state) {
    (void)state;
    char reason[CACHE_REASON];
    struct dataset data;
    struct error e = {0}, pipe = {0};
    assert_int_equal(cache_load(cache, "/nowhere/data", &plain, INFINITY, &data, reason, &e), -1);
    assert_non_null(strstr(e.words, "No such file"));
    assert_int_equal(cache_load(cache, "/dev/null", &plain, INFINITY, &data, reason, &pipe), -1);
    assert_non_null(strstr(pipe.words, "regular file"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_come_back),
        cmocka_unit_test(another_text_or_option_is_seen),
        cmocka_unit_test(a_text_of_the_same_size_and_time_is_read),
        cmocka_unit_test(blocks_make_the_same_file),
        cmocka_unit_test(a_large_file_gets_a_window),
        cmocka_unit_test(a_text_that_changes_meanwhile_gets_no_cache),
        cmocka_unit_test(each_changed_bit_is_seen),
        cmocka_unit_test(a_cut_file_is_seen),
        cmocka_unit_test(headers_that_lead_outside_are_refused),
        cmocka_unit_test(columns_that_do_not_ascend_are_refused),
        cmocka_unit_test(a_text_that_is_missing_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_paths, remove_paths);
}
