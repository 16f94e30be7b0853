/* test_svmlight_share.c - the shares of several processes are together the rows of the file, whatever its lines, and
 * errors are those of one process. Threads stand in for the processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/dataset_collect.h"
#include "io/svmlight/svmlight_share.h"
#include "tests/io/svmlight/svmlight_fixture.h"
#include "tests/size.h"
#include "tests/thread_communicator.h"

#include <zlib.h>

struct load {
    struct data_files files;
    struct dataset share[THREADS_MOST];
    struct error error[THREADS_MOST];
    int status[THREADS_MOST];
    double bytes[THREADS_MOST];
};

static void load_share(struct communicator *c, void *context) {
    struct load *load = context;
    const struct svmlight_options options = {.threads = 1};
    load->status[c->rank] =
        dataset_load_share(&load->files, &options, c, &load->share[c->rank], &load->error[c->rank]);
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

/* A gzip file of the text. */
static struct file packed_file_of(const char *text, int length) {
    struct file file = file_of("", 0);
    gzFile stream = gzdopen(dup(file.descriptor), "wb");
    assert_int_equal(gzwrite(stream, text, (unsigned)length), length);
    gzclose(stream);
    return file;
}

static void collect(struct communicator *c, void *context) {
    struct load *load = context;
    struct dataset *share = &load->share[c->rank];
    share->communicator = c; /* that of the loading has ended */
    load->bytes[c->rank] = dataset_collected_bytes(share);
    load->status[c->rank] = dataset_collect(c, share, &load->error[c->rank]);
}

static void check_equal(const void *a, const void *b, size_t size, int64_t count) {
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL)
        assert_memory_equal(a, b, size * (size_t)count);
}

/* All rows in process 0, none in the others; frees them. */
static void check_collected(const struct dataset *whole, struct load *load, int processes) {
    const struct dataset *all = &load->share[0];
    double nonzero = sizeof *whole->column + (whole->value != NULL ? sizeof *whole->value : 0);
    threads_run(processes, collect, load);
    assert_int_equal(all->rows, whole->rows);
    assert_int_equal(all->nonzeros, whole->nonzeros);
    assert_int_equal(all->groups, whole->groups);
    assert_int_equal(all->features, whole->features);
    assert_null(all->communicator);
    check_equal(all->start, whole->start, sizeof *all->start, all->rows + 1);
    check_equal(all->column, whole->column, sizeof *all->column, all->nonzeros);
    check_equal(all->value, whole->value, sizeof *all->value, all->nonzeros);
    check_equal(all->label, whole->label, sizeof *all->label, all->rows);
    check_equal(all->weight, whole->weight, sizeof *all->weight, all->rows);
    check_equal(all->group_start, whole->group_start, sizeof *all->group_start, all->groups + 1);
    check_equal(all->group_id, whole->group_id, sizeof *all->group_id, all->groups);
    for (int rank = 0; rank < processes; rank++) {
        assert_int_equal(load->status[rank], 0);
        assert_true(load->bytes[rank] >= nonzero * (double)whole->nonzeros);
        if (rank > 0)
            assert_int_equal(load->share[rank].rows, 0);
        dataset_free(&load->share[rank]);
    }
}

/* The rows of the FILES are together those of the text. */
static void check_shares(const char *text, int length, const struct data_files *files,
                         int processes) {
    struct file file = file_of(text, (size_t)length);
    struct load load = {.files = *files};
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
    }
    assert_int_equal(first, whole.rows);
    assert_int_equal(group, whole.groups);
    check_collected(&whole, &load, processes);
    dataset_free(&whole);
    close(file.descriptor);
}

static void check_file(const char *text, int length, int processes) {
    struct file file = file_of(text, (size_t)length);
    check_shares(text, length, &(struct data_files){(char *[]){file.path}, 1}, processes);
    close(file.descriptor);
}

/* Several files, every second one packed; without queries, which are not divided. Then one packed file. */
static void test_files(void **state) {
    enum { MOST = 5 };
    static char text[TEXT_BYTES];
    (void)state;
    for (unsigned seed = 1; seed <= PART(20, 4); seed++) {
        struct file file[MOST];
        char *path[MOST];
        int length = write_text(text, seed, 30 + (int)seed, false),
            count = 2 + (int)seed % (MOST - 1);
        const char *from = text, *to;
        for (int i = 0; i < count; i++, from = to) {
            to = i + 1 < count ? strchr(text + (i + 1) * length / count, '\n') + 1 : text + length;
            int bytes = (int)(to - from);
            file[i] = (i + seed) % 2 ? packed_file_of(from, bytes) : file_of(from, (size_t)bytes);
            path[i] = file[i].path;
        }
        check_shares(text, length, &(struct data_files){path, count}, 2 + (int)seed % 6);
        for (int i = 0; i < count; i++)
            close(file[i].descriptor);
        length = write_text(text, seed, 1 + (int)seed % 40, true);
        file[0] = packed_file_of(text, length);
        path[0] = file[0].path;
        check_shares(text, length, &(struct data_files){path, 1}, 2 + (int)seed % 6);
        close(file[0].descriptor);
    }
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
    struct load load = {.files = {(char *[]){file.path}, 1}};
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
        do /* the first of several, perhaps */
            *at = ';';
        while (seed % 2 == 0 && (at = strstr(at, ".5")) != NULL);
        check_error(text, length, 2 + (int)seed % 6);
    }
    check_error("# none\n\n", 8, 3);
    check_error("1 qid:1 1:1\n1 qid:2 1:1\n1 qid:3 1:1\n1 qid:1 1:1\n", 48, 2);
    check_error("1 qid:1 1:1\n1 qid:2 1:1\n1 1:1.00000\n1 1:1.00000\n", 48, 2);
    check_error("1 1:1.00000\n1 1:1.00000\n1 qid:2 1:1\n1 qid:2 1:1\n", 48, 2);
    /* the line at the border is wrong because of the one before it, the next one by itself */
    check_error("1 qid:1 1:1\n1 qid:1 1:1\n1 1:1.00000\n1 qid:3 1:1\n", 48, 2);
    check_error("1 1:1.00000\n1 1:1.00000\n1 qid:2 1:1\n1 1:1.00000\n", 48, 2);
}

/* Two files that are right each: the message of TEXT names the second one's LINE. */
static void check_common_error(const char *one, const char *two, const char *words, int line,
                               int processes) {
    struct file file[] = {file_of(one, strlen(one)), file_of(two, strlen(two))};
    struct load load = {.files = {(char *[]){file[0].path, file[1].path}, 2}};
    threads_run(processes, load_share, &load);
    for (int rank = 0; rank < processes; rank++) {
        assert_int_equal(load.status[rank], -1);
        assert_string_equal(load.error[rank].file, file[1].path);
        assert_string_equal(load.error[rank].words, words);
        assert_int_equal(load.error[rank].line, line);
    }
    close(file[0].descriptor);
    close(file[1].descriptor);
}

static void test_common_errors(void **state) {
    (void)state;
    for (int processes = 2; processes <= 3; processes++) {
        check_common_error(
            "1 qid:1 1:1\n1 qid:2 1:1\n", "# c\n1 qid:2 1:1\n1 qid:3 1:1\n",
            "qid 2 begins in the file before; all lines of a qid must be in one file", 2,
            processes);
        check_common_error("1 qid:1 1:1\n1 qid:2 1:1\n", "1 qid:1 1:1\n1 qid:3 1:1\n",
                           "qid 1 comes back after another one: its lines must be together", 1,
                           processes);
        check_common_error("1 qid:1 1:1\n1 qid:2 1:1\n1 qid:3 1:1\n", "\n1 1:1\n",
                           "no qid in this line, but in the lines before it", 2, processes);
        check_common_error("1 1:1\n1 1:1\n", "1 1:1\n1 1:1\n1 1;1\n",
                           "no colon in \"1;1\": a feature is INDEX:VALUE", 3, processes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_common_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
