/* test_kernel_lists.c - the texts of --gamma-kernel and --landmarks: values, their pairs, and what is refused. */
#include "training/request/kernel_lists.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct kernel_settings settings_of(const char *gammas, const char *landmarks) {
    return (struct kernel_settings){.gammas.text = gammas, .landmark_counts.text = landmarks};
}

static void read_well(struct kernel_settings *s) {
    struct error e = {0};
    assert_int_equal(kernel_lists_read(s, &e), 0);
    assert_string_equal(e.words, "");
}

static void refused(const char *gammas, const char *landmarks, const char *words) {
    struct kernel_settings s = settings_of(gammas, landmarks);
    struct error e = {0};
    assert_int_equal(kernel_lists_read(&s, &e), -1);
    assert_int_equal(e.kind, ERROR_USAGE);
    assert_string_equal(e.words, words);
}

/* Gammas are outside, and the first pair is taken at first. */
static void pairs_come_in_order(void **state) {
    static const double gammas[] = {10, 0.1, 1};
    static const int64_t landmarks[] = {40, 5};
    struct kernel_settings s = settings_of("10,0.1,1", "40,5");
    (void)state;
    read_well(&s);
    assert_true(s.gamma == 10 && s.landmarks == 40 && s.pair == 0);
    assert_int_equal(kernel_lists_pairs(&s), 6);
    for (int64_t i = 5; i >= 0; i--) {
        kernel_lists_take(&s, i);
        assert_true(s.gamma == gammas[i / 2]);
        assert_int_equal(s.landmarks, landmarks[i % 2]);
        assert_int_equal(s.pair, i);
    }
    read_well(&s); /* again: the same values */
    assert_int_equal(kernel_lists_pairs(&s), 6);
}

static void what_is_not_given_has_one_value(void **state) {
    struct kernel_settings s = settings_of(NULL, NULL);
    const struct kernel_list *list;
    (void)state;
    s.gamma = 7;
    read_well(&s);
    assert_int_equal(kernel_lists_pairs(&s), 1);
    assert_true(s.gamma == 7 && s.landmarks == 0);
    assert_null(kernel_lists_several(&s, &list));
    s = settings_of("3", "1048576");
    read_well(&s);
    assert_int_equal(kernel_lists_pairs(&s), 1);
    assert_true(s.gamma == 3 && s.landmarks == 1048576);
    assert_null(kernel_lists_several(&s, &list));
}

static void two_values_are_several(void **state) {
    struct kernel_settings s = settings_of("1,2", "5,6");
    const struct kernel_list *list;
    (void)state;
    read_well(&s);
    assert_string_equal(kernel_lists_several(&s, &list), "--gamma-kernel");
    assert_ptr_equal(list, &s.gammas);
    s = settings_of("1", "5,6");
    read_well(&s);
    assert_string_equal(kernel_lists_several(&s, &list), "--landmarks");
    assert_ptr_equal(list, &s.landmark_counts);
}

static void values_that_are_none(void **state) {
    (void)state;
    refused("1,", NULL, "--gamma-kernel 1,: an empty value is not a number");
    refused("0,1", NULL, "--gamma-kernel 0,1: out of range: a gamma is above 0");
    refused(NULL, "5,6,5", "--landmarks 5,6,5: 5 is there twice");
    refused(NULL, "1048577", "--landmarks 1048577: out of range: from 1 to 1048576");
}

/* A value of 63 bytes is read, and of a longer one no part. */
static void long_values_are_not_cut(void **state) {
    char text[65];
    (void)state;
    memset(text, '0', sizeof text);
    memcpy(text, "1.5", 3);
    text[63] = '\0';
    struct kernel_settings s = settings_of(text, NULL);
    read_well(&s);
    assert_true(s.gamma == 1.5);
    struct error e = {0};
    text[63] = '7';
    text[64] = '\0';
    assert_int_equal(kernel_lists_read(&s, &e), -1);
    assert_non_null(strstr(e.words, " is not a number"));
}

static void a_list_has_64_values_at_most(void **state) {
    char text[256] = "";
    size_t used = 0;
    (void)state;
    for (int i = 1; i <= KERNEL_LIST_MOST; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", i > 1 ? "," : "", i);
    struct kernel_settings s = settings_of(NULL, text);
    read_well(&s);
    assert_int_equal(kernel_lists_pairs(&s), KERNEL_LIST_MOST);
    snprintf(text + used, sizeof text - used, ",65");
    struct error e = {0};
    assert_int_equal(kernel_lists_read(&s, &e), -1);
    assert_non_null(strstr(e.words, ": at most 64 values"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_come_in_order),
        cmocka_unit_test(what_is_not_given_has_one_value),
        cmocka_unit_test(two_values_are_several),
        cmocka_unit_test(values_that_are_none),
        cmocka_unit_test(long_values_are_not_cut),
        cmocka_unit_test(a_list_has_64_values_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
