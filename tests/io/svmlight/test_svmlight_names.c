/* test_svmlight_names.c - rows whose features have names: columns, values, refusals, and that all readers agree. */
#include "io/feature_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/io/svmlight/svmlight_fixture.h"

enum { BITS = 16 };

static const struct svmlight_options hashed = {.hash_bits = BITS, .threads = 1};

static struct dataset load_text(const char *text, const struct svmlight_options *options) {
    struct file file = file_of(text, strlen(text));
    struct dataset data;
    struct error e = {0};
    if (dataset_load(file.path, options, &data, &e) != 0)
        fail_msg("%s: %s", text, e.words);
    close(file.descriptor);
    return data;
}

/* The value of the name in row I; 0: it is not there. */
static double value_of(const struct dataset *data, int64_t i, const char *name) {
    int32_t column = feature_hash(name, strlen(name), BITS, false);
    for (int64_t k = data->start[i]; k < data->start[i + 1]; k++)
        if (data->column[k] == column)
            return data->value == NULL ? 1 : data->value[k];
    return 0;
}

static void check_ascending(const struct dataset *data) {
    for (int64_t i = 0; i < data->rows; i++)
        for (int64_t k = data->start[i] + 1; k < data->start[i + 1]; k++)
            assert_true(data->column[k] > data->column[k - 1]);
}

static void names_and_values(void **state) {
    (void)state;
    struct dataset data =
        load_text("1 cost:2 dog cat:-1.5 C# 7:3 \xc3\xa9tude\tlast # not:5 these\n"
                  "-1\n? \n1 dog cat dog\tdog:0.5#end\n-1 a#b:2 x=1,y=2:4\r\n",
                  &(struct svmlight_options){.hash_bits = BITS, .unlabeled = true, .threads = 1});
    assert_int_equal(data.rows, 5);
    assert_int_equal(data.features, 1 << BITS);
    assert_true(data.weight[0] == 2);
    assert_int_equal(data.start[1], 6);
    assert_true(value_of(&data, 0, "dog") == 1 && value_of(&data, 0, "cat") == -1.5);
    assert_true(value_of(&data, 0, "C#") == 1 && value_of(&data, 0, "\xc3\xa9tude") == 1);
    assert_true(value_of(&data, 0, "last") == 1 && value_of(&data, 0, "these") == 0);
    assert_true(value_of(&data, 0, "7") == 3);
    assert_int_equal(data.start[3], 6);
    assert_int_equal(data.start[4], 8);
    assert_true(value_of(&data, 3, "dog") == 2.5 && value_of(&data, 3, "cat") == 1);
    assert_true(value_of(&data, 4, "a#b") == 2 && value_of(&data, 4, "x=1,y=2") == 4);
    check_ascending(&data);
    dataset_free(&data);
}

static void values_of_one_are_not_stored(void **state) {
    (void)state;
    struct dataset data = load_text("1 dog cat\n-1 horse:1 cow\n", &hashed);
    assert_null(data.value);
    assert_int_equal(data.nonzeros, 4);
    check_ascending(&data);
    dataset_free(&data);
    data = load_text("1 dog cat\n-1 horse horse\n", &hashed);
    assert_true(value_of(&data, 0, "cat") == 1 && value_of(&data, 1, "horse") == 2);
    dataset_free(&data);
}

static void numbers_keep_their_columns(void **state) {
    static const char *const text = "1 1:0.5 3:2 17:1\n-1 2:1 65536:3\n";
    (void)state;
    for (int base = 0; base < 2; base++) {
        struct svmlight_options plain = {.zero_based = base == 0, .threads = 1}, named = plain;
        named.hash_bits = base == 0 ? BITS + 1 : BITS;
        struct dataset a = load_text(text, &plain), b = load_text(text, &named);
        assert_int_equal(a.nonzeros, b.nonzeros);
        assert_memory_equal(a.column, b.column, sizeof *a.column * (size_t)a.nonzeros);
        assert_memory_equal(a.value, b.value, sizeof *a.value * (size_t)a.nonzeros);
        assert_int_equal(b.features, 1 << named.hash_bits);
        dataset_free(&a);
        dataset_free(&b);
    }
}

static void check_refusal(const char *text, const char *expected) {
    struct file file = file_of(text, strlen(text));
    struct dataset data, block = {0};
    struct error e = {0};
    assert_int_equal(dataset_load(file.path, &hashed, &data, &e), -1);
    assert_null(data.start);
    check_message(&e, file.path, expected);
    e = (struct error){0};
    struct svmlight_reader *reader = svmlight_open(file.path, &hashed, &e);
    int status = 1;
    while (reader != NULL && status == 1)
        status = svmlight_read(reader, &block, &e);
    check_message(&e, file.path, expected);
    dataset_free(&block);
    svmlight_close(reader);
    close(file.descriptor);
}

static void refusals(void **state) {
    (void)state;
    check_refusal("1 dog\n-1 cat: dog\n", "2:8: missing value in \"cat:\"\n");
    check_refusal("1 dog\n-1 cat:x\n", "2:8: malformed value in \"cat:x\"\n");
    check_refusal("1 a:b:1\n", "1:5: malformed value in \"a:b:1\"\n");
    check_refusal("1 dog :2\n", "1:7: missing name in \":2\"\n");
    check_refusal("1 dog:1,5\n", "1:7: value with a decimal comma in \"dog:1,5\": write a point\n");
    check_refusal("1 dog:nan\n", "1:7: value is not finite in \"dog:nan\"\n");
    check_refusal("1 dog:1e999\n", "1:7: value is too large for a double in \"dog:1e999\"\n");
    check_refusal("1 dog cost:2\n", "1:7: \"cost:2\" must come before the features\n");
    check_refusal("1 dog qid:2\n", "1:7: \"qid:2\" must come before the features\n");
    check_refusal("1 dog\n\n1 |words dog\n",
                  "3:3: a namespace of Vowpal Wabbit in \"|words\": leave \"|\" out, and write its "
                  "name into those of its features\n");
    check_refusal("1 d\x01og\n",
                  "1:4: a control character in \"d\\x01og\": is this a text file?\n");
    check_refusal("1 dog\rcat\n", "1:6: a carriage return inside the line, in \"dog\\x0dcat\"\n");
    check_refusal("1 cat\n1 dog:1e308 cat dog:1e308\n",
                  "2:3: the values of a feature that comes twice have a sum that is too large for "
                  "a double\n");
    check_refusal("1 a#b:x\n", "1:7: malformed value in \"a#b:x\"\n");
    check_refusal("1 a#\x02\n", "1:5: a control character in \"a#\\x02\": is this a text file?\n");
    check_refusal("1 dog:#\n", "1:7: missing value in \"dog:#\"\n");
    check_refusal("dog cat\n", "1:1: label \"dog\" is a text; convert gives numbers to texts\n");
}

/* Rows of many words, some of them twice, in no order. */
static char *long_text(int64_t rows, int64_t words) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    uint32_t random = 1;
    for (int64_t i = 0; i < rows; i++) {
        fputs(i % 3 == 0 ? "1" : "-1", stream);
        for (int64_t k = 0; k < words; k++) {
            random = random * 1664525 + 1013904223;
            fprintf(stream, k % 5 == 0 ? " w%u:%u" : " w%u", (random >> 12) % 3000,
                    (unsigned)(k % 7 + 1));
        }
        fputc('\n', stream);
    }
    fclose(stream);
    return text;
}

static void assert_same(const struct dataset *a, const struct dataset *b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->nonzeros, b->nonzeros);
    assert_int_equal(a->features, b->features);
    assert_memory_equal(a->start, b->start, sizeof *a->start * (size_t)(a->rows + 1));
    assert_memory_equal(a->column, b->column, sizeof *a->column * (size_t)a->nonzeros);
    assert_memory_equal(a->value, b->value, sizeof *a->value * (size_t)a->nonzeros);
}

static void all_readers_agree(void **state) {
    (void)state;
    char *text = long_text(6000, 60); /* longer than two blocks */
    struct file file = file_of(text, strlen(text));
    struct dataset one = load_text(text, &hashed), many, all = {0}, block = {0};
    struct svmlight_options options = hashed;
    struct error e = {0};
    check_ascending(&one);
    assert_true(one.nonzeros < 6000 * 60);
    options.threads = 3;
    assert_int_equal(dataset_load(file.path, &options, &many, &e), 0);
    assert_same(&one, &many);
    struct svmlight_reader *reader = svmlight_open(file.path, &hashed, &e);
    while (svmlight_read(reader, &block, &e) == 1) {
        assert_int_equal(block.features, 1 << BITS);
        assert_int_equal(dataset_append(&all, &block, 0, block.rows, &e), 0);
    }
    assert_true(e.kind == ERROR_NONE && all.features <= 1 << BITS);
    all.features = 1 << BITS;
    assert_same(&one, &all);
    svmlight_close(reader);
    dataset_free(&block);
    dataset_free(&all);
    dataset_free(&many);
    dataset_free(&one);
    close(file.descriptor);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_values), cmocka_unit_test(values_of_one_are_not_stored),
        cmocka_unit_test(numbers_keep_their_columns), cmocka_unit_test(refusals),
        cmocka_unit_test(all_readers_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
