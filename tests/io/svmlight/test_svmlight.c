/* test_svmlight.c - errors and their messages; valid forms of a line; options; files of weights. */
#include "io/svmlight/svmlight_line.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/io/svmlight/svmlight_fixture.h"
#include "tests/size.h"

#define BAD_INPUT "tests/bad-input/svmlight"

enum { PATH_SIZE = 512 };

static const struct svmlight_options one_thread = {.threads = 1};

/* --- refusals --- */

static void read_text(const char *folder, const char *name, char *text, size_t size) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, BAD_INPUT "/%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
}

/* The NUMBER-th folder. */
static void check_refusal(const char *folder, int number) {
    char path[PATH_SIZE], expected[2048];
    snprintf(path, sizeof path, BAD_INPUT "/%s/input", folder);
    read_text(folder, "message", expected, sizeof expected);
    for (int threads = 1; threads <= 1 + (number % PART(1, 4) == 0); threads++) {
        struct svmlight_options options = {.threads = threads};
        struct dataset data;
        struct error e = {0};
        assert_int_equal(dataset_load(path, &options, &data, &e), -1);
        assert_null(data.start);
        check_message(&e, path, expected);
    }
    for (int64_t piece = 1 + 18 * (number % PART(1, 3)); piece < 40; piece += PART(6, 40)) {
        struct dataset data;
        struct error e = {0};
        assert_int_equal(load_pieces(path, 3, piece, &data, &e), -1);
        check_message(&e, path, expected);
    }
    struct error e = {0};
    struct dataset block = {0};
    struct svmlight_reader *reader = svmlight_open(path, &one_thread, &e);
    int status = 1;
    while (reader != NULL && status == 1)
        status = svmlight_read(reader, &block, &e);
    check_message(&e, path, expected);
    dataset_free(&block);
    svmlight_close(reader);
}

static void refusals(void **state) {
    (void)state;
    DIR *folder = opendir(BAD_INPUT);
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            check_refusal(entry->d_name, count++);
    closedir(folder);
    assert_true(count > 70);
}

static void check_open(const char *path, const char *expected) {
    struct dataset data;
    struct error e = {0};
    assert_int_equal(dataset_load(path, &one_thread, &data, &e), -1);
    check_message(&e, path, expected);
    e = (struct error){0};
    assert_null(svmlight_open(path, &one_thread, &e));
    check_message(&e, path, expected);
    assert_int_equal(dataset_load(path, &one_thread, &data, NULL), -1);
}

static void files_that_do_not_open(void **state) {
    (void)state;
    check_open("tests", "Is a directory\n");
    check_open("tests/no-such-file", "No such file or directory\n");
}

/* --- valid forms --- */

static struct dataset load_text(const char *text, const struct svmlight_options *options) {
    struct file file = file_of(text, strlen(text));
    struct dataset data;
    struct error e = {0};
    if (dataset_load(file.path, options, &data, &e) != 0)
        fail_msg("%s: %s", text, e.words);
    close(file.descriptor);
    return data;
}

static void lenient_forms(void **state) {
    (void)state;
    struct dataset data = load_text("\xef\xbb\xbf# head\n\n \t\r\n+1 1:0.5\t3:-1e-320 \r\n"
                                    "-1 \n2.5 2147483646:1#tail: 1:2\n0 007:1 00000000008:1.",
                                    &one_thread);
    const double labels[] = {1, -1, 2.5, 0};
    const int64_t start[] = {0, 2, 2, 3, 5};
    const int32_t columns[] = {0, 2, 2147483645, 6, 7};
    const double values[] = {0.5, -1e-320, 1, 1, 1};
    assert_int_equal(data.rows, 4);
    assert_int_equal(data.features, 2147483646);
    assert_memory_equal(data.label, labels, sizeof labels);
    assert_memory_equal(data.start, start, sizeof start);
    assert_memory_equal(data.column, columns, sizeof columns);
    assert_memory_equal(data.value, values, sizeof values);
    assert_null(data.weight);
    assert_null(data.group_start);
    dataset_free(&data);
}

static void options_of_a_reader(void **state) {
    (void)state;
    struct svmlight_options options = {.zero_based = true, .unlabeled = true, .threads = 1};
    struct dataset data = load_text("? 0:1 2147483646:1\n-3 1:1.0\n", &options);
    assert_true(isnan(data.label[0]) && data.label[1] == -3);
    assert_int_equal(data.column[0], 0);
    assert_int_equal(data.features, INT32_MAX);
    assert_null(data.value);
    dataset_free(&data);
}

static void costs_and_groups(void **state) {
    (void)state;
    struct dataset data = load_text("1 qid:7 1:1\n2 cost:0.5 qid:7\n3 qid:9223372036854775807 "
                                    "cost:1 2:1\n4 qid:-9223372036854775807 cost:0\n",
                                    &one_thread);
    const double weights[] = {1, 0.5, 1, 0};
    const int64_t start[] = {0, 2, 3, 4}, id[] = {7, INT64_MAX, -INT64_MAX};
    assert_memory_equal(data.weight, weights, sizeof weights);
    assert_int_equal(data.groups, 3);
    assert_memory_equal(data.group_start, start, sizeof start);
    assert_memory_equal(data.group_id, id, sizeof id);
    dataset_free(&data);
}

/* Rows after a byte-order mark, a comment and an empty line are read. */
static void lines_of_rows(void **state) {
    static const char text[] = "\xef\xbb\xbf# head\n1 1:1\n\n-1 2:1\n";
    struct file file = file_of(text, sizeof text - 1);
    (void)state;
    assert_int_equal(svmlight_line(file.path, 0), 2);
    assert_int_equal(svmlight_line(file.path, 1), 4);
    assert_int_equal(svmlight_line(file.path, 2), 0);
    close(file.descriptor);
}

/* --- weights --- */

static void check_weights(const char *text, const char *expected) {
    struct file file = file_of(text, strlen(text));
    struct error e = {0};
    double *weights = weights_load(file.path, 3, &e);
    if (expected != NULL) {
        assert_null(weights);
        check_message(&e, file.path, expected);
    } else {
        assert_non_null(weights);
        assert_true(weights[0] == 1 && weights[1] == 0 && weights[2] == 2.5);
        free(weights);
    }
    close(file.descriptor);
}

static void weight_files(void **state) {
    (void)state;
    check_weights("1\n0\n2.5\n", NULL);
    check_weights(" +1 \r\n0\t\n2.5", NULL);
    check_weights("\xef\xbb\xbf 1\n0\n2.5\n", NULL);
    check_weights("1\n0\n", "2 weights for 3 rows\n");
    check_weights("", "0 weights for 3 rows\n");
    check_weights("1\n0\n2\n3\n", "4:1: more weights than the 3 rows of the data\n");
    check_weights("1\n-2\n3\n", "2:1: weight is negative in \"-2\"\n");
    check_weights("1\n\n3\n", "2:1: missing weight in \"\"\n");
    check_weights("1\n x\n3\n", "2:2: malformed weight in \"x\"\n");
    check_weights("1 2\n", "1:1: more than one weight in the line of \"1\"\n");
    check_weights("nan\n", "1:1: weight is not finite in \"nan\"\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),         cmocka_unit_test(files_that_do_not_open),
        cmocka_unit_test(lenient_forms),    cmocka_unit_test(options_of_a_reader),
        cmocka_unit_test(costs_and_groups), cmocka_unit_test(lines_of_rows),
        cmocka_unit_test(weight_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
