/* test_foreign_options.c - command lines of LIBLINEAR and LIBSVM in our words; ours stay as they are. */
#include "cli/foreign_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ARGUMENTS = 32 };

/* The translation of "train LINE", or "error: ..."; empty if it is ours. */
static const char *translated(const char *line) {
    static char words[800];
    char text[200], *argv[ARGUMENTS + 1] = {"train"};
    struct foreign_options foreign;
    struct error e = {0};
    int argc = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    words[0] = '\0';
    if (foreign_options_translate(argc, argv, &foreign, &e) != 0) {
        assert_int_equal(e.kind, ERROR_USAGE);
        snprintf(words, sizeof words, "error: %s", e.words);
    }
    for (int i = 1; e.kind == ERROR_NONE && i < foreign.argc; i++)
        strcat(strcat(words, i > 1 ? " " : ""), foreign.argv[i]);
    assert_true(e.kind != ERROR_NONE || !foreign.found || foreign.argv[foreign.argc] == NULL);
    foreign_options_free(&foreign);
    return words;
}

static void our_own_stay(void **state) {
    (void)state;
    const char *ours[] = {"",
                          "data model",
                          "-s proximal -t 2 -r l1 data",
                          "-t 2 -c 1 d",
                          "-s help",
                          "-L hinge -h",
                          "-p 3 -e 0 d",
                          "-s",
                          "--report 3 data"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_string_equal(translated(ours[i]), "");
}

static void single_letters_have_our_spelling(void **state) {
    static const char *const rows[][2] = {{"-L logistic -C d", "--search"},
                                          {"-c 1 -R d", "--intercept"},
                                          {"-n 0.2 d", "--nu"},
                                          {"-m 100 d", "-j"},
                                          {"-d 3 d", "--degree"},
                                          {"-r 1 d", "--shift"},
                                          {"-t 0 -l 1 d", "--kernel linear"},
                                          {"-s proximal -t 0 d", "--kernel linear"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_non_null(strstr(translated(rows[i][0]), rows[i][1]));
}

static void liblinear(void **state) {
    (void)state;
    assert_string_equal(translated("-s 3 -c 2 d m"), "-L hinge -c 2 d m");
    assert_string_equal(translated("d -s 0"), "-L logistic -c 1 d");
    assert_string_equal(translated("-s 1 -e 0.1 -q d"), "-L squared-hinge -c 1 -q d");
    assert_string_equal(translated("-s 5 -w1 3 -B 1 d"),
                        "-L squared-hinge -r l1 -c 1 -w1 3 -B 1 d");
    assert_string_equal(translated("-s 6 -v 5 d"), "-L logistic -r l1 -c 1 -v 5 d");
    assert_string_equal(translated("-s 4 --report r d"), "-L crammer-singer -c 1 --report r d");
    assert_string_equal(translated("-s 2 -B 1 -R d"), "-L squared-hinge -c 1 --intercept d");
    assert_string_equal(translated("-s 11 -p 0 -c 0.25 d"),
                        "-L squared-epsilon --tube 0 -c 0.25 d");
    assert_string_equal(translated("-s 13 -p 0.2 d"), "-L epsilon --tube 0.2 -c 1 d");
    assert_string_equal(translated("-s 21 -n 0.1 d"), "-L one-class --kernel linear --nu 0.1 d");
    assert_string_equal(translated("-s 12 d"), "-L squared-epsilon --tube 0.1 -c 1 d");
    assert_non_null(strstr(translated("-s 8 d"), "LIBLINEAR has no -s 8"));
    assert_non_null(strstr(translated("-s 4294967299 d"), "no -s 4294967299")); /* 3 in 32 bits */
    assert_string_equal(translated("-s 2 -C -v 3 d"), "-L squared-hinge --search -v 3 d");
    assert_string_equal(translated("-s 2 -C -c 1 d"), "-L squared-hinge --search d");
    assert_string_equal(translated("-C -v 5 d"), "-L squared-hinge --search -v 5 d");
    assert_string_equal(translated("-s 0 -m 4 d"), "-L logistic -j 4 -c 1 d");
    assert_string_equal(translated("-s 1 -p 0.2 d"), "-L squared-hinge -c 1 d");
    assert_non_null(strstr(translated("-s 21 -C d"), "not for -s 21"));
    /* a -t that names no kernel, or with a number that LIBSVM has not, is our limit of time */
    assert_string_equal(translated("-s 2 -t 60 d"), "-L squared-hinge -c 1 -t 60 d");
    assert_string_equal(translated("-s 3 -t 0.5 d"), "-L hinge -c 1 -t 0.5 d");
    assert_string_equal(translated("-s 13 -t 2 d"), "-L epsilon --tube 0.1 -c 1 -t 2 d");
    assert_non_null(strstr(translated("-s 0 -t 0.5 -g 1 d"), "LIBSVM has -t 0 to 4"));
}

/* A limit of time that could be a kernel of LIBSVM. */
static void limits_that_look_like_kernels(void **state) {
    (void)state;
    static const struct {
        const char *words[6], *kernel;
    } lines[] = {{{"train", "-t", "2", "-c", "1", "d"}, "gaussian"},
                 {{"train", "-v", "5", "-t", "3", "d"}, "sigmoid"},
                 {{"train", "-t", "1", "-b", "1", "d"}, "polynomial"},
                 {{"train", "-t", "2", "-w1", "3", "d"}, "gaussian"},
                 {{"train", "-t", "2", "-l", "1", "d"}, NULL},
                 {{"train", "-t", "2.5", "-c", "1", "d"}, NULL},
                 {{"train", "-t", "5", "-c", "1", "d"}, NULL}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct foreign_options foreign;
        struct error e = {0};
        assert_int_equal(foreign_options_translate(6, (char **)lines[i].words, &foreign, &e), 0);
        const char *kernel = foreign_options_kernel(&foreign);
        assert_false(foreign.found);
        assert_true((kernel == NULL) == (lines[i].kernel == NULL));
        if (kernel != NULL)
            assert_string_equal(kernel, lines[i].kernel);
        foreign_options_free(&foreign);
    }
}

/* The words in which train says what was dropped. */
static void what_has_no_effect_is_told(void **state) {
    (void)state;
    static const struct {
        const char *words[9], *unused, *ambiguous;
        bool tolerance, start;
    } lines[] = {{{"train", "-s", "0", "-p", "1", "-n", "1", "-c", "1"}, "np", "0", false, false},
                 {{"train", "-s", "11", "-p", "1", "-e", "1", "-n", "1"}, "n", NULL, true, false},
                 {{"train", "-s", "2", "-C", "-c", "1", "-B", "1", "d"}, "", NULL, false, true},
                 {{"train", "-s", "0", "-t", "0", "-d", "3", "-m", "9"}, "dm", NULL, false, false},
                 {{"train", "-t", "0", "-e", "1", "-p", "1", "-c", "1"}, "p", NULL, true, false},
                 {{"train", "-s", "2", "-t", "60", "-c", "1", "d", "m"}, "", NULL, false, false},
                 {{"train", "-s", "2", "-t", "1", "-e", "1", "-c", "1"}, "c", NULL, false, false}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct foreign_options foreign;
        struct error e = {0};
        assert_int_equal(foreign_options_translate(9, (char **)lines[i].words, &foreign, &e), 0);
        assert_true(foreign.found);
        assert_string_equal(foreign.unused, lines[i].unused);
        assert_true((foreign.ambiguous == NULL) == (lines[i].ambiguous == NULL));
        assert_true(foreign.drops_tolerance == lines[i].tolerance);
        assert_true(foreign.drops_start == lines[i].start);
        foreign_options_free(&foreign);
    }
}

static void a_fraction_of_a_pass_may_be_a_tube(void **state) {
    (void)state;
    const char *ours[] = {"train", "-p", "0.1", "d"}, *passes[] = {"train", "-p", "3", "d"};
    struct foreign_options foreign;
    struct error e = {0};
    assert_int_equal(foreign_options_translate(4, (char **)ours, &foreign, &e), 0);
    assert_false(foreign.found);
    assert_string_equal(foreign.tube, "0.1");
    foreign_options_free(&foreign);
    assert_int_equal(foreign_options_translate(4, (char **)passes, &foreign, &e), 0);
    assert_null(foreign.tube);
    foreign_options_free(&foreign);
}

static void libsvm(void **state) {
    (void)state;
    assert_string_equal(translated("-s 0 -t 2 -g 0.5 -c 10 d m"),
                        "-L hinge --kernel gaussian --gamma-kernel 0.5 --basis 1 -c 10 d m");
    assert_string_equal(translated("-t 1 -d 2 -c 3 d"),
                        "-L hinge --kernel polynomial --degree 2 --shift 0 --basis 1 -c 3 d");
    assert_string_equal(translated("-t 0 -h 0 d"), "-L hinge --kernel linear --basis 1 -c 1 d");
    assert_string_equal(translated("-t 0 d"), "-L hinge --kernel linear --basis 1 -c 1 d");
    assert_string_equal(translated("-v 5 -t 0 -w1 2 d"),
                        "-L hinge --kernel linear --basis 1 -c 1 -v 5 -w1 2 d");
    assert_string_equal(translated("-s 0 -t 0 -m 50 -e 0.1 d"),
                        "-L hinge --kernel linear --basis 1 -c 1 d");
    assert_string_equal(translated("-h 0 d"), "-L hinge --kernel gaussian --basis 1 -c 1 d");
    assert_string_equal(translated("-s 1 -n 0.2 d"),
                        "-L nu-hinge --kernel gaussian --basis 1 --nu 0.2 d");
    assert_string_equal(translated("-s 3 -p 0.2 d"),
                        "-L epsilon --kernel gaussian --basis 1 -c 1 --tube 0.2 d");
    assert_string_equal(translated("-g 0.5 d"),
                        "-L hinge --kernel gaussian --gamma-kernel 0.5 --basis 1 -c 1 d");
    assert_string_equal(
        translated("-s 3 -t 1 -d 2 -r 1 -p 0.3 -e 1e-4 d"),
        "-L epsilon --kernel polynomial --degree 2 --shift 1 --basis 1 -c 1 --tube 0.3 -e 1e-4 d");
    assert_string_equal(translated("-s 1 -t 3 -n 0.2 -h 0 -b 1 d"),
                        "-L nu-hinge --kernel sigmoid --shift 0 --basis 1 --nu 0.2 -b 1 d");
    assert_string_equal(translated("-s 2 -t 4 -m 50 -q d"),
                        "-L one-class --kernel precomputed --nu 0.5 --kernel-cache 50 -q d");
    assert_string_equal(translated("-s 4 -t 0 -w1 2 -v 3 d"),
                        "-L nu-epsilon --kernel linear --basis 1 -c 1 --nu 0.5 -w1 2 -v 3 d");
    assert_non_null(strstr(translated("-s 0 -t 5 -h 0 d"), "LIBSVM has -t 0 to 4, not -t 5"));
    assert_non_null(strstr(translated("-t 0.005 -g 1 -c 10 d"), "not -t 0.005; with our options"));
    assert_non_null(strstr(translated("-t 1e-3 -s 0 -r 1 d"), "not -t 1e-3"));
    assert_non_null(strstr(translated("-s 0.5 -g 1 d"), "LIBSVM has -s 0 to 4, not -s 0.5"));
    assert_non_null(strstr(translated("-s 5 -g 1 d"), "LIBSVM has -s 0 to 4, not -s 5"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_own_stay),
        cmocka_unit_test(single_letters_have_our_spelling),
        cmocka_unit_test(liblinear),
        cmocka_unit_test(libsvm),
        cmocka_unit_test(what_has_no_effect_is_told),
        cmocka_unit_test(a_fraction_of_a_pass_may_be_a_tube),
        cmocka_unit_test(limits_that_look_like_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
