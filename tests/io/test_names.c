/* test_names.c - files of names: the labels of a model get theirs, and every other file is refused. */
#include "io/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/temporary.h"

static const double label[] = {3, 1, -2.5};

static void write_file(const char *text, size_t size) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

static const char *const *read_text(const char *text, struct error *e) {
    write_file(text, strlen(text));
    return names_read(path, label, 3, e);
}

static void labels_get_their_names(void **state) {
    (void)state;
    const char *texts[] = {
        "label 1 I-NP\nlabel 3 B-NP\nlabel -2.5 O\n",
        "\xef\xbb\xbflabel 1 I-NP\nlabel 3 B-NP\nlabel -2.5 O\n",
        ("# of nothing\r\n\r\nlabel\t3\tB-NP \r\nfeature 1 U00:the\r\nlabel  +1.0  I-NP\r\n  label "
         "-25e-1 O\nlabel 7 unknown\nlabel 7 twice"),
    };
    for (int i = 0; i < 3; i++) {
        struct error e = {0};
        const char *const *names = read_text(texts[i], &e);
        assert_non_null(names);
        assert_string_equal(names[0], "B-NP");
        assert_string_equal(names[1], "I-NP");
        assert_string_equal(names[2], "O");
        names_free(names, 3);
    }
    names_free(NULL, 3);
}

/* More than a block of lines, and a name longer than one. */
static void files_may_be_long(void **state) {
    (void)state;
    enum { LONG = 1 << 19 };
    FILE *file = fopen(path, "w");
    struct error e = {0};
    for (int i = 1; i <= 40000; i++)
        fprintf(file, "feature %d U%d:word\n", i, i);
    fputs("label 3 a\nlabel -2.5 b\nlabel 1 ", file);
    for (int i = 0; i < LONG; i++)
        fputc('a' + i % 26, file);
    fclose(file);
    const char *const *names = names_read(path, label, 3, &e);
    assert_non_null(names);
    assert_int_equal(strlen(names[1]), LONG);
    assert_int_equal(names[1][LONG - 1], 'a' + (LONG - 1) % 26);
    assert_string_equal(names[2], "b");
    names_free(names, 3);
}

static void other_files_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
        {"", 0, "no name for label 3"},
        {"label 3 a\nlabel 1 b\n", 0, "no name for label -2.5"},
        {"label 3 a\nlabel 1 b\nlabel 3.0 c\n", 3, "has a name already, 'a'"},
        {"label 3 a\nlabel 7 b\n\nlabel 1 b\nlabel -2.5 a\n", 5,
         "label 3 has this name already, 'a'"},
        {"label 3 a\n\nlabels 1 b\n", 3, "'label NUMBER NAME'"},
        {"labe", 1, "'label NUMBER NAME'"},
        {"label\n", 1, "number of a label expected"},
        {"label x a\n", 1, "not 'x'"},
        {"label nan a\n", 1, "not 'nan'"},
        {"label 1e999 a\n", 1, "not '1e999'"},
        {"label 1x a\n", 1, "not '1x'"},
        {"label 3\n", 1, "a name expected"},
        {"label 3 a b\n", 1, "'b' follows"},
        {"feature 0 a\n", 1, "a number from 1"},
        {"feature 1.5 a\n", 1, "a number from 1"},
        {"feature 99999999999999999999 a\n", 1, "a number from 1"},
        {"label 3 a\rb\n", 1, "carriage return"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e = {0};
        assert_null(read_text(cases[i].text, &e));
        assert_int_equal(e.line, cases[i].line);
        assert_string_equal(e.file, path);
        if (strstr(e.words, cases[i].words) == NULL)
            fail_msg("'%s' gives '%s'", cases[i].text, e.words);
    }
}

static void zeros_and_missing_files_are_refused(void **state) {
    (void)state;
    struct error e = {0}, missing = {0};
    write_file("label 3 a\nlabel 1 \0b\n", 21);
    assert_null(names_read(path, label, 3, &e));
    assert_int_equal(e.line, 2);
    assert_non_null(strstr(e.words, "NUL"));
    assert_null(names_read("/nowhere/names", label, 3, &missing));
    assert_int_equal(missing.kind, ERROR_FAILURE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_get_their_names),
        cmocka_unit_test(files_may_be_long),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(zeros_and_missing_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
