/* test_svmlight_limits.c - lines that are too long, and endless files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/io/svmlight/svmlight_fixture.h"
#include "tests/size.h"

/* The refusal of a file, by all ways to read it. */
static void check_limit(const char *path, int64_t limit, const char *expected) {
    for (int threads = 1; threads <= 4; threads += PART(1, 3)) {
        struct svmlight_options options = {.threads = threads, .line_limit = limit};
        struct dataset data;
        struct error e = {0};
        int status = dataset_load(path, &options, &data, &e);
        assert_int_equal(status, expected == NULL ? 0 : -1);
        if (expected != NULL)
            check_message(&e, path, expected);
        dataset_free(&data);
    }
    struct svmlight_options options = {.threads = 1, .line_limit = limit};
    struct error e = {0};
    struct dataset block = {0};
    struct svmlight_reader *reader = svmlight_open(path, &options, &e);
    int status = 1;
    while (status == 1)
        status = svmlight_read(reader, &block, &e);
    assert_int_equal(status, expected == NULL ? 0 : -1);
    if (expected != NULL)
        check_message(&e, path, expected);
    dataset_free(&block);
    svmlight_close(reader);
}

static void long_lines(void **state) {
    (void)state;
    enum { LENGTH = 3000000, BEFORE = 100000 };
    char *text = malloc(BEFORE * 6 + LENGTH + 1), *p = text;
    for (int i = 0; i < BEFORE; i++)
        p = stpcpy(p, "1 2:3\n");
    memset(p, ' ', LENGTH);
    memcpy(p, "1 2:3", 5);
    p[LENGTH] = '\n';
    for (int newline = 0; newline < 2; newline++) {
        struct file file = file_of(text, BEFORE * 6 + LENGTH + (size_t)newline);
        check_limit(file.path, 2000000,
                    "100001: the line is longer than 2 MB; --line-limit allows more\n");
        check_limit(file.path, LENGTH - 1,
                    "100001: the line is longer than 2.999999 MB; --line-limit allows more\n");
        check_limit(file.path, LENGTH, NULL);
        check_limit(file.path, 0, NULL);
        close(file.descriptor);
    }
    free(text);
}

/* An endless file of zeros is refused within seconds and a few MB. */
static void zeros_without_end(void **state) {
    (void)state;
    struct error e = {0};
    char expected[400] = "1:1: a NUL byte in \"";
    for (int i = 0; i < 40; i++)
        strcat(expected, "\\x00");
    strcat(expected, "...\": is this a text file?\n");
    check_limit("/dev/zero", 0, expected);
    struct file file = file_of("", 0);
    /* sanitizers touch a part of what is reserved for so many */
    assert_int_equal(ftruncate(file.descriptor, INT64_C(1) << PART(34, 28)), 0);
    check_limit(file.path, 0, expected);
    close(file.descriptor);
    assert_null(weights_load("/dev/zero", 3, &e));
    check_message(&e, "/dev/zero", expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_lines),
        cmocka_unit_test(zeros_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
