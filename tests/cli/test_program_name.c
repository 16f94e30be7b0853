/* test_program_name.c - what a program calls itself and the others, by what it was started as. */
#include "cli/program_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "zcat a@b | @train - | @predict 1@2 @";

static void check(const char *path, const char *name, const char *expanded) {
    char buffer[96];
    program_start(path, "train");
    assert_string_equal(program_name(), name);
    assert_string_equal(program_text(text, buffer, sizeof buffer), expanded);
}

static void test_names(void **state) {
    (void)state;
    check("train", "train", "zcat ab | train - | predict 1@2 @");
    check("/usr/bin/../train", "train", "zcat ab | train - | predict 1@2 @");
    check("/usr/bin/librrm-train", "librrm-train",
          "zcat alibrrm-b | librrm-train - | librrm-predict 1@2 @");
    check("svm", "svm", "zcat ab | svm - | predict 1@2 @");
    check("", "train", "zcat ab | train - | predict 1@2 @");
    check(NULL, "train", "zcat ab | train - | predict 1@2 @");
}

static void test_installed(void **state) {
    (void)state;
    char buffer[96];
    program_start("./train", "train");
    program_use_installed_names();
    assert_string_equal(program_name(), "librrm-train");
    assert_string_equal(program_text("@conll, @train", buffer, sizeof buffer),
                        "librrm-conll, librrm-train");
}

/* What does not fit is cut, and nothing is written beyond the buffer. */
static void test_cut(void **state) {
    (void)state;
    char buffer[16], whole[64];
    program_start("librrm-train", "train");
    program_text("a @train b @predict", whole, sizeof whole);
    for (size_t size = 1; size < sizeof buffer; size++) {
        memset(buffer, '#', sizeof buffer);
        program_text("a @train b @predict", buffer, size);
        assert_int_equal(strlen(buffer), size - 1);
        assert_memory_equal(buffer, whole, size - 1);
        assert_int_equal(buffer[size], '#');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_installed),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
