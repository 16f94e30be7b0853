/* test_basis.c - lists of basis functions: parsing, writing as text, errors. */
#include "io/basis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FORM                                                                                       \
    ": a basis function is 1 (the constant), a feature's index or INDEX^POWER, with a power of "   \
    "at most 64"

static void check_text(const struct basis *basis, bool zero_based, const char *shared,
                       const char *only) {
    struct error e = {0};
    char *first = basis_text(basis, 0, basis->shared, zero_based, &e);
    char *second = basis_text(basis, basis->shared, basis->count, zero_based, &e);
    assert_non_null(first);
    assert_non_null(second);
    assert_string_equal(first, shared);
    assert_string_equal(second, only);
    free(first);
    free(second);
}

static void lists_mean_columns_and_powers(void **state) {
    (void)state;
    static const struct basis_function expected[] = {{-1, 1}, {2, 1}, {2, 2},
                                                     {6, 64}, {0, 1}, {0, 3}};
    struct basis basis;
    struct error e = {0};
    assert_int_equal(basis_parse("1,3,3^2,7^64,1^1", "1^3", false, &basis, &e), 0);
    assert_int_equal(basis.count, 6);
    assert_int_equal(basis.shared, 5);
    assert_memory_equal(basis.function, expected, sizeof expected);
    check_text(&basis, false, "1,3,3^2,7^64,1^1", "1^3");
    check_text(&basis, true, "1,2,2^2,6^64,0", "0^3");
    assert_true(basis_hides(&basis, 0));
    assert_false(basis_hides(&basis, 2));
    assert_false(basis_hides(&basis, -1));
    basis_free(&basis);
    assert_true(basis.count == 0 && basis.function == NULL);
}

/* Texts that parsing and writing return unchanged. */
static void round_trips(void **state) {
    (void)state;
    static const struct {
        const char *shared, *only;
        bool zero_based;
    } texts[] = {
        {"none", "none", false},
        {"1", "none", false},
        {"1", "none", true},
        {"none", "2", false},
        {"1^1,1^2,2", "3,3^2", false},
        {"0,0^2,1,1^1", "2", true},
        {"2147483646", "2147483645^64", false},
        {"2147483645", "2147483644^64", true},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct basis basis;
        struct error e = {0};
        if (basis_parse(texts[i].shared, texts[i].only, texts[i].zero_based, &basis, &e) != 0)
            fail_msg("%s", e.words);
        check_text(&basis, texts[i].zero_based, texts[i].shared, texts[i].only);
        basis_free(&basis);
    }
}

static void no_list_is_no_function(void **state) {
    (void)state;
    struct basis basis;
    struct error e = {0};
    assert_int_equal(basis_parse(NULL, NULL, false, &basis, &e), 0);
    assert_true(basis.count == 0 && basis.shared == 0);
    check_text(&basis, false, "none", "none");
    basis_free(&basis);
}

/* The index 1 of a list of features alone is feature 1. */
static void the_constant_is_in_the_shared_list(void **state) {
    (void)state;
    struct basis basis;
    struct error e = {0};
    assert_int_equal(basis_parse("1", "1", false, &basis, &e), 0);
    assert_true(basis.function[0].column == -1 && basis.function[1].column == 0);
    assert_true(basis_hides(&basis, 0));
    check_text(&basis, false, "1", "1^1");
    basis_free(&basis);
}

static void malformed_lists_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *shared, *only, *words;
        bool zero_based;
    } lists[] = {
        {"", NULL, "(nothing)" FORM, false},
        {",1", NULL, "(nothing)" FORM, false},
        {"1,", NULL, "(nothing)" FORM, false},
        {"1,,2", NULL, "(nothing)" FORM, false},
        {"x", NULL, "x" FORM, false},
        {"1 2", NULL, "1 2" FORM, false},
        {"2, 3", NULL, " 3" FORM, false},
        {"-2", NULL, "-2" FORM, false},
        {"+2", NULL, "+2" FORM, false},
        {"2.5", NULL, "2.5" FORM, false},
        {"0", NULL, "0" FORM, false},
        {NULL, "0", "0" FORM, false},
        {"2^", NULL, "2^" FORM, false},
        {"^2", NULL, "^2" FORM, false},
        {"2^0", NULL, "2^0" FORM, false},
        {"2^65", NULL, "2^65" FORM, false},
        {"2^-1", NULL, "2^-1" FORM, false},
        {"2^2^2", NULL, "2^2^2" FORM, false},
        {"2147483647", NULL, "2147483647" FORM, false},
        {"2147483646", NULL, "2147483646" FORM, true},
        {"18446744073709551618", NULL, "18446744073709551618" FORM, false},
        {"none,2", NULL, "none" FORM, false},
        {"2,none", NULL, "none" FORM, false},
        {"1,2,2", NULL, "2: this basis function is repeated", false},
        {"1,1", NULL, "1: this basis function is repeated", false},
        {"2,2^1", NULL, "2^1: this basis function is repeated", false},
        {"2^2", "2^2", "2^2: this basis function is repeated", false},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct basis basis;
        struct error e = {0};
        assert_int_equal(
            basis_parse(lists[i].shared, lists[i].only, lists[i].zero_based, &basis, &e), -1);
        assert_int_equal(e.kind, ERROR_USAGE);
        assert_string_equal(e.words, lists[i].words);
        basis_free(&basis);
    }
}

static void long_words_are_cut(void **state) {
    (void)state;
    char list[4096];
    struct basis basis;
    struct error e = {0};
    memset(list, 'a', sizeof list - 1);
    list[sizeof list - 1] = '\0';
    assert_int_equal(basis_parse(list, NULL, false, &basis, &e), -1);
    list[40] = '\0';
    assert_memory_equal(e.words, list, 40);
    assert_string_equal(e.words + 40, FORM);
    basis_free(&basis);
}

static void too_many_functions_are_refused(void **state) {
    (void)state;
    enum { SIZE = 8 * (BASIS_MAX_FUNCTIONS + 1) };
    char *list = calloc(SIZE, 1), *at = list;
    struct basis basis;
    struct error e = {0};
    for (int j = 0; j < BASIS_MAX_FUNCTIONS; j++)
        at += sprintf(at, j > 0 ? ",%d" : "%d", j + 2);
    assert_int_equal(basis_parse(list, NULL, false, &basis, &e), 0);
    assert_int_equal(basis.count, BASIS_MAX_FUNCTIONS);
    check_text(&basis, false, list, "none");
    basis_free(&basis);
    assert_int_equal(basis_parse(list, "1", false, &basis, &e), -1);
    assert_string_equal(e.words, "more than 10000 basis functions");
    basis_free(&basis);
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_mean_columns_and_powers),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(no_list_is_no_function),
        cmocka_unit_test(the_constant_is_in_the_shared_list),
        cmocka_unit_test(malformed_lists_are_refused),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(too_many_functions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
