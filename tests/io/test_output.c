/* test_output.c - files are replaced whole or not at all, and every failed write is an error. */
#include "io/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <zlib.h>

#include <cmocka.h>

#include "tests/skipped.h"

static char folder[] = "/tmp/test_output.XXXXXX";

static int enter(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL ? -1 : chdir(folder);
}

static int leave(void **state) {
    (void)state;
    return chdir("/") != 0 ? -1 : rmdir(folder);
}

/* Files in the current folder. */
static int count_files(void) {
    DIR *here = opendir(".");
    int count = -2; /* . and .. */
    while (readdir(here) != NULL)
        count++;
    closedir(here);
    return count;
}

static void write_whole(const char *path, const char *text) {
    struct error e = {0};
    struct output *output = output_open(path, &e);
    assert_non_null(output);
    fputs(text, output_stream(output));
    assert_int_equal(output_check(output, &e), 0);
    assert_int_equal(output_commit(output, &e), 0);
}

static void assert_holds(const char *path, const char *text) {
    char held[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    held[fread(held, 1, sizeof held - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(held, text);
}

static mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static void replaces_whole(void **state) {
    (void)state;
    struct error e = {0};
    write_whole("file", "old\n");
    struct output *output = output_open("file", &e);
    fputs("new\n", output_stream(output));
    fflush(output_stream(output));
    assert_holds("file", "old\n");
    assert_int_equal(output_commit(output, &e), 0);
    assert_holds("file", "new\n");
    assert_int_equal(count_files(), 1);
    unlink("file");
}

static void abandons(void **state) {
    (void)state;
    struct error e = {0};
    write_whole("file", "old\n");
    struct output *output = output_open("file", &e);
    fputs("new\n", output_stream(output));
    output_abandon(output);
    output_abandon(NULL);
    assert_holds("file", "old\n");
    assert_int_equal(count_files(), 1);
    unlink("file");
}

/* Output depends on the content only, and a failed write leaves the old file. */
static void packs_by_the_name(void **state) {
    (void)state;
    struct error e = {0};
    char text[2][1 << 16], line[16];
    size_t length[2];
    for (int i = 0; i < 2; i++) {
        struct output *output = output_open("file.gz", &e);
        for (int k = 0; k < 100000; k++)
            fprintf(output_stream(output), "%d\n", k % 1000);
        assert_int_equal(output_commit(output, &e), 0);
        FILE *file = fopen("file.gz", "r");
        length[i] = fread(text[i], 1, sizeof text[i], file);
        fclose(file);
    }
    assert_true(length[0] == length[1] && length[0] < sizeof text[0]);
    assert_memory_equal(text[0], text[1], length[0]);
    gzFile packed = gzopen("file.gz", "r");
    assert_false(gzdirect(packed));
    for (int k = 0; k < 100000; k++)
        assert_int_equal(atoi(gzgets(packed, line, sizeof line)), k % 1000);
    assert_null(gzgets(packed, line, sizeof line));
    assert_int_equal(gzclose(packed), Z_OK);
    unlink("file.gz");
    struct output *output = output_open("file.gz", &e);
    output_abandon(output);
    assert_int_equal(count_files(), 0);
    assert_null(output_open("", &e));
    assert_int_equal(e.kind, ERROR_USAGE);
}

static void a_killed_process_leaves_nothing(void **state) {
    (void)state;
    write_whole("file", "old\n");
    pid_t child = fork();
    if (child == 0) {
        struct output *output = output_open("file", NULL);
        fputs("new\n", output_stream(output));
        fflush(output_stream(output));
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_holds("file", "old\n");
    int files = count_files(), unnamed = -1;
#ifdef O_TMPFILE
    unnamed = open(".", O_TMPFILE | O_WRONLY, 0600);
#endif
    if (unnamed < 0)
        SKIPPED("files without names (this system, or its file system, has none)");
    close(unnamed);
    assert_int_equal(files, 1);
    unlink("file");
}

static void keeps_the_mode(void **state) {
    (void)state;
    mode_t mask = umask(027);
    write_whole("file", "a");
    assert_int_equal(mode_of("file"), 0640);
    chmod("file", 0604);
    write_whole("file", "b");
    assert_int_equal(mode_of("file"), 0604);
    umask(mask);
    unlink("file");
}

static void follows_links(void **state) {
    (void)state;
    struct stat status;
    assert_int_equal(mkdir("inner", 0777), 0);
    assert_int_equal(symlink("inner/link", "outer"), 0);
    assert_int_equal(symlink("target", "inner/link"), 0);
    for (int twice = 0; twice < 2; twice++) { /* dangling, then not */
        write_whole("outer", twice == 0 ? "first" : "second");
        assert_holds("inner/target", twice == 0 ? "first" : "second");
    }
    assert_int_equal(lstat("outer", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    unlink("inner/target");
    unlink("inner/link");
    unlink("outer");
    assert_int_equal(symlink("circle", "circle"), 0);
    struct error e = {0};
    assert_null(output_open("circle", &e));
    assert_string_equal(e.words, strerror(ELOOP));
    unlink("circle");
    rmdir("inner");
}

static void check_refused(const char *path, int reason) {
    struct error e = {0};
    assert_null(output_open(path, &e));
    assert_string_equal(e.file, path);
    assert_string_equal(e.words, strerror(reason));
}

static void names_what_cannot_be_opened(void **state) {
    (void)state;
    check_refused("missing/file", ENOENT);
    check_refused(".", EISDIR);
    check_refused("missing/", EISDIR);
    assert_int_equal(count_files(), 0);
}

static void check_full(int bytes) {
    struct error e = {0};
    struct output *output = output_open("/dev/full", &e);
    assert_non_null(output);
    for (int i = 0; i < bytes; i++)
        fputc('x', output_stream(output));
    assert_int_equal(output_check(output, &e), bytes > 100000 ? -1 : 0);
    assert_int_equal(output_commit(output, &e), -1);
    assert_string_equal(e.file, "/dev/full");
    assert_string_equal(e.words, strerror(ENOSPC));
}

static void a_full_disk_is_an_error(void **state) {
    (void)state;
    check_full(10); /* the error appears at the flush */
    check_full(1000000);
}

/* A regular file that cannot grow beyond a limit, so that a write fails half way. */
static void a_failed_write_leaves_the_old_file(void **state) {
    (void)state;
    struct rlimit old, small;
    struct error e = {0};
    write_whole("file", "old\n");
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){.rlim_cur = 100000, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    struct output *output = output_open("file", &e);
    for (int i = 0; i < 200000; i++)
        fputc('x', output_stream(output));
    int status = output_commit(output, &e);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, -1);
    assert_string_equal(e.words, strerror(EFBIG));
    assert_holds("file", "old\n");
    assert_int_equal(count_files(), 1);
    unlink("file");
}

static void a_pipe_is_written_directly(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    char text[8] = "";
    write_whole("pipe", "hello");
    assert_int_equal(read(reader, text, sizeof text), 5);
    assert_string_equal(text, "hello");
    close(reader);
    assert_int_equal(count_files(), 1);
    unlink("pipe");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_whole),
        cmocka_unit_test(abandons),
        cmocka_unit_test(packs_by_the_name),
        cmocka_unit_test(a_killed_process_leaves_nothing),
        cmocka_unit_test(keeps_the_mode),
        cmocka_unit_test(follows_links),
        cmocka_unit_test(names_what_cannot_be_opened),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_failed_write_leaves_the_old_file),
        cmocka_unit_test(a_pipe_is_written_directly),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
