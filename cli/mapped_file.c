/* mapped_file.c - a mapped file that others change: its numbers, even its columns, are then no longer those that were
 * checked. */
#include "cli/mapped_file.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the signal handlers read. */
static const char *mapped_path;
static struct stat checked; /* the file when it was checked; zero bytes: there was none */

static void end_with(const char *words) {
    const char *parts[] = {mapped_path, words};
    for (int i = 0; i < 2; i++) {
        ssize_t ignored = write(STDERR_FILENO, parts[i], strlen(parts[i]));
        (void)ignored;
    }
    _exit(1);
}

static void on_cut(int number) {
    (void)number;
    end_with(": the file became shorter while it was used\n");
}

static bool is_changed(void) {
    struct stat now;
    return mapped_path != NULL && stat(mapped_path, &now) == 0 && now.st_ino == checked.st_ino &&
           now.st_dev == checked.st_dev &&
           (now.st_size != checked.st_size || now.st_mtim.tv_sec != checked.st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != checked.st_mtim.tv_nsec);
}

/* A crash for any other reason stays one: the instruction is tried again, or the signal comes again, and nobody catches
 * it. */
static void on_crash(int number) {
    if (is_changed())
        end_with(": the file was written to while it was used\n");
    signal(number, SIG_DFL);
}

void mapped_file_watch(const char *path) {
    struct sigaction cut = {.sa_handler = on_cut}, crash = {.sa_handler = on_crash};
    if (path == NULL)
        return;
    mapped_path = path;
    if (stat(path, &checked) != 0)
        checked = (struct stat){0};
    sigemptyset(&cut.sa_mask);
    sigemptyset(&crash.sa_mask);
    sigaction(SIGBUS, &cut, NULL);
    sigaction(SIGSEGV, &crash, NULL);
    sigaction(SIGABRT, &crash, NULL); /* malloc's, whose data such a column may lead to */
}

int mapped_file_check(struct error *e) {
    if (!is_changed())
        return 0;
    return error_file(
        e, mapped_path,
        "the file was written to while it was used, so nothing is saved; train again");
}
