/* test_svmlight_share.c - the shares of several processes are together the rows of the file, whatever its lines, and
 * errors are those of one process. Threads stand in for the processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/svmlight/svmlight_share.h"
#include "tests/io/svmlight/svmlight_fixture.h"
#include "tests/size.h"
#include "tests/thread_communicator.h"

struct load {
    const char *path;
    struct dataset share[THREADS_MOST];
    struct error error[THREADS_MOST];
    int status[THREADS_MOST];
};

static void load_share(struct communicator *c, void *context) {
    struct load *load = context;
    const struct svmlight_options options = {.threads = 1};
    load->status[c->rank] =
        dataset_load_share(load->path, &options, c, &load->share[c->rank], &load->error[c->rank]);
}

/* ---- files: rows, comments and empty lines; QUERIES: with groups of 1 to 9 rows */

enum { TEXT_BYTES = 1 << 15 };

static int write_text(char *text, unsigned seed, int rows, bool queries) {
    int used = 0, group = 0, left = 0;
    for (int i = 0; i < rows; i++) {
        unsigned draw = seed = seed * 1664525 + 1013904223;
        if (draw >> 28 == 0)
            used += sprintf(text + used, "# a comment qid:7\n");
        if (draw >> 28 == 1)
            used += sprintf(text + used, " \t\n");
        if (left-- == 0) {
            group++;
            left = (int)(draw >> 20) % 9;
        }
        used += sprintf(text + used, "%d ", i);
        if (queries)
            used += sprintf(text + used, "%sqid:%d ", draw & 1024 ? "cost:2 " : "", group);
        used += sprintf(text + used, "%d:%d.5 %d:1%s\n", 1 + (int)(draw >> 24) % 5, i,
                        6 + (int)(draw >> 16) % 40, draw & 2048 ? " # qid:1 1:2" : "");
    }
    return used - (seed >> 31 ? 1 : 0); /* perhaps without the last newline */
}

static void check_rows(const struct dataset *whole, const struct dataset *share, int64_t first) {
    assert_int_equal(share->whole.rows_before, first);
    assert_int_equal(share->whole.rows, whole->rows);
    assert_int_equal(share->whole.nonzeros, whole->nonzeros);
    assert_int_equal(share->whole.groups, whole->groups);
    assert_int_equal(share->features, whole->features);
    for (int64_t i = 0; i < share->rows; i++) {
        int64_t k = share->start[i], at = whole->start[first + i];
        assert_true(share->label[i] == whole->label[first + i]);
        assert_int_equal(dataset_count(share, i), dataset_count(whole, first + i));
        for (; k < share->start[i + 1]; k++, at++) {
            assert_int_equal(share->column[k], whole->column[at]);
            assert_true((share->value == NULL ? 1 : share->value[k]) ==
                        (whole->value == NULL ? 1 : whole->value[at]));
        }
    }
}

/* The groups of a share are the next ones of the file, whole. */
static int64_t check_groups(const struct dataset *whole, const struct dataset *share, int64_t first,
                            int64_t group) {
    for (int64_t g = 0; g < share->groups; g++, group++) {
        assert_int_equal(share->group_id[g], whole->group_id[group]);
        assert_int_equal(first + share->group_start[g], whole->group_start[group]);
        assert_int_equal(first + share->group_start[g + 1], whole->group_start[group + 1]);
    }
    return group;
}

static void check_file(const char *text, int length, int processes) {
    struct file file = file_of(text, (size_t)length);
    struct load load = {.path = file.path};
    struct dataset whole;
    int64_t first = 0, group = 0;
    assert_int_equal(
        dataset_load(file.path, &(struct svmlight_options){.threads = 1}, &whole, NULL), 0);
    threads_run(processes, load_share, &load);
    for (int rank = 0; rank < processes; rank++) {
        assert_int_equal(load.status[rank], 0);
        check_rows(&whole, &load.share[rank], first);
        group = check_groups(&whole, &load.share[rank], first, group);
        first += load.share[rank].rows;
        dataset_free(&load.share[rank]);
    }
    assert_int_equal(first, whole.rows);
    assert_int_equal(group, whole.groups);
    dataset_free(&whole);
    close(file.descriptor);
}

static void test_rows(void **state) {
    static char text[TEXT_BYTES];
    (void)state;
    for (unsigned seed = 1; seed <= PART(60, 8); seed++) {
        bool queries = seed % 3 > 0;
        int rows = seed % 5 == 0 ? 3 : 20 + (int)seed;
        check_file(text, write_text(text, seed, rows, queries), 2 + (int)seed % 6);
    }
}

/* ---- errors */

static void check_error(const char *text, int length, int processes) {
    struct file file = file_of(text, (size_t)length);
    struct load load = {.path = file.path};
    struct dataset whole;
    struct error error = {0};
    assert_int_equal(
        dataset_load(file.path, &(struct svmlight_options){.threads = 1}, &whole, &error), -1);
    threads_run(processes, load_share, &load);
    for (int rank = 0; rank < processes; rank++) {
        assert_int_equal(load.status[rank], -1);
        assert_true(load.error[rank].known_to_all);
        assert_string_equal(load.error[rank].words, error.words);
        assert_int_equal(load.error[rank].line, error.line);
        assert_int_equal(load.error[rank].column, error.column);
        assert_int_equal(load.share[rank].rows, 0);
    }
    close(file.descriptor);
}

static void test_errors(void **state) {
    static char text[TEXT_BYTES];
    (void)state;
    for (unsigned seed = 1; seed <= PART(20, 4); seed++) {
        int length = write_text(text, seed, 40, true);
        char *at = strstr(text + length * (int)(seed % 19) / 19, ".5");
        *at = ';';
        check_error(text, length, 2 + (int)seed % 6);
    }
    check_error("# none\n\n", 8, 3);
    check_error("1 qid:1 1:1\n1 qid:2 1:1\n1 qid:3 1:1\n1 qid:1 1:1\n", 48, 2);
    check_error("1 qid:1 1:1\n1 qid:2 1:1\n1 1:1.00000\n1 1:1.00000\n", 48, 2);
    check_error("1 1:1.00000\n1 1:1.00000\n1 qid:2 1:1\n1 qid:2 1:1\n", 48, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
