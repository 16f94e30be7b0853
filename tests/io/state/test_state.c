/* test_state.c - numbers that are written and read again by one list; files that are damaged, or have other numbers. */
#include "io/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/temporary.h"

enum { NUMBERS = 9000 /* more bytes than the buffer has */, INTEGERS = 5 };

struct numbers {
    int64_t count, integers[INTEGERS];
    bool flag;
    double a, b, many[NUMBERS];
    int ints[INTEGERS];
    char text[12];
    int64_t most; /* that `count` may be; not in the file */
};

static void visit(struct state *state, void *context) {
    struct numbers *n = context;
    n->count = state_integer(state, n->count, 1, n->most);
    n->flag = state_flag(state, n->flag);
    STATE_REALS(state, &n->a, &n->b);
    state_doubles(state, n->many, NUMBERS);
    state_integers(state, n->integers, INTEGERS, -1, 10);
    state_ints(state, n->ints, INTEGERS, 0, 7);
    state_text(state, n->text, sizeof n->text);
}

static void fill(struct numbers *n) {
    *n = (struct numbers){.count = 3, .flag = true, .a = 0.1, .b = -1e300, .most = 5};
    for (int i = 0; i < NUMBERS; i++)
        n->many[i] = 1.0 / (i + 1);
    for (int i = 0; i < INTEGERS; i++) {
        n->integers[i] = 2 * i - 1;
        n->ints[i] = i;
    }
    strcpy(n->text, "eleven char");
}

static void write_numbers(struct numbers *n) {
    struct error e = {0};
    struct state *state = state_create(path, &e);
    assert_non_null(state);
    assert_false(state_reads(state));
    visit(state, n);
    assert_false(state_failed(state));
    assert_int_equal(state_commit(state, &e), 0);
}

static long size_of_file(void) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void numbers_come_back(void **unused) {
    static struct numbers written, read;
    struct error e = {0};
    (void)unused;
    fill(&written);
    write_numbers(&written);
    read.most = written.most;
    struct state *state = state_open(path, &e);
    assert_non_null(state);
    assert_true(state_reads(state));
    assert_true(state_holds(state, NUMBERS, sizeof(double)));
    assert_false(state_ended(state));
    visit(state, &read);
    assert_false(state_failed(state));
    assert_true(state_ended(state));
    state_close(state);
    assert_int_equal(read.count, written.count);
    assert_true(read.flag);
    assert_true(read.a == written.a && read.b == written.b);
    assert_memory_equal(read.many, written.many, sizeof read.many);
    assert_memory_equal(read.integers, written.integers, sizeof read.integers);
    assert_memory_equal(read.ints, written.ints, sizeof read.ints);
    assert_string_equal(read.text, written.text);
}

/* Changes a byte, which the checksum finds wherever it is. */
static void damage(long place) {
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, place, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, place, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ 1, file), byte ^ 1);
    assert_int_equal(fclose(file), 0);
}

static void damaged_files_are_refused(void **unused) {
    static struct numbers written;
    (void)unused;
    fill(&written);
    write_numbers(&written);
    long size = size_of_file();
    for (long place = 0; place < size; place += size / 7) {
        struct error e = {0};
        damage(place);
        assert_null(state_open(path, &e));
        assert_non_null(strstr(e.words, "damaged"));
        damage(place);
    }
    for (long left = size - 1; left >= 0; left -= size / 5 + 1) {
        struct error e = {0};
        assert_int_equal(truncate(path, left), 0);
        assert_null(state_open(path, &e));
        assert_non_null(strstr(e.words, "damaged"));
    }
}

/* A file of another run: an integer out of range takes the low end, and so do all that follow. */
static void other_numbers_fail(void **unused) {
    static struct numbers written, read;
    struct error e = {0};
    (void)unused;
    fill(&written);
    write_numbers(&written);
    read.most = written.count - 1;
    struct state *state = state_open(path, &e);
    assert_non_null(state);
    visit(state, &read);
    assert_true(state_failed(state));
    assert_int_equal(read.count, 1);
    assert_false(read.flag);
    for (int i = 0; i < INTEGERS; i++) {
        assert_int_equal(read.integers[i], -1);
        assert_int_equal(read.ints[i], 0);
    }
    assert_string_equal(read.text, "");
    state_close(state);
}

static void longer_lists_fail(void **unused) {
    static struct numbers written;
    double more[2];
    struct error e = {0};
    (void)unused;
    fill(&written);
    write_numbers(&written);
    struct state *state = state_open(path, &e);
    assert_non_null(state);
    assert_false(state_holds(state, INT64_MAX / 16, sizeof(double)));
    assert_true(state_failed(state));
    state_close(state);
    state = state_open(path, &e);
    assert_non_null(state);
    written.most = 5;
    visit(state, &written);
    assert_false(state_failed(state));
    state_doubles(state, more, 2);
    assert_true(state_failed(state));
    state_close(state);
}

static void an_abandoned_state_changes_nothing(void **unused) {
    static struct numbers written;
    struct error e = {0};
    (void)unused;
    fill(&written);
    write_numbers(&written);
    long size = size_of_file();
    struct state *state = state_create(path, &e);
    assert_non_null(state);
    state_flag(state, true);
    state_fail(state);
    assert_true(state_failed(state));
    state_close(state);
    assert_int_equal(size_of_file(), size);
    assert_null(state_open("/nowhere/state", &e));
    assert_null(state_create("/nowhere/state", &e));
}

/* Other files whose names end so are compressed. */
static void a_name_in_gz_is_read_again(void **unused) {
    static struct numbers written;
    struct error e = {0};
    char name[sizeof path + 3];
    (void)unused;
    fill(&written);
    snprintf(name, sizeof name, "%s.gz", path);
    struct state *state = state_create(name, &e);
    assert_non_null(state);
    visit(state, &written);
    assert_int_equal(state_commit(state, &e), 0);
    state = state_open(name, &e);
    assert_non_null(state);
    visit(state, &written);
    assert_true(!state_failed(state) && state_ended(state));
    state_close(state);
    unlink(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(other_numbers_fail),
        cmocka_unit_test(longer_lists_fail),
        cmocka_unit_test(an_abandoned_state_changes_nothing),
        cmocka_unit_test(a_name_in_gz_is_read_again),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
