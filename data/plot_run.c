/* plot_run.c - runs gnuplot. */
#include "data/plot.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void plot_quote(const char *text, FILE *stream) {
    fputc('\'', stream);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', stream);
        fputc(*text, stream);
    }
    fputc('\'', stream);
}

/* Starts gnuplot between two files; *from is what it writes. 0, or the error's number. */
static int start(int input, pid_t *child, int *from) {
    static char *const command[] = {"gnuplot", NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (setenv("LC_ALL", "C.UTF-8", 1) != 0 || pipe(ends) != 0) /* as the script is encoded */
        return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int status = posix_spawnp(child, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (status != 0)
        close(ends[0]);
    *from = ends[0];
    return status;
}

/* The bytes that were copied; a failed write is found by the owner of STREAM. */
static int64_t copy(int from, FILE *stream) {
    char bytes[1 << 16];
    int64_t all = 0;
    for (ssize_t count; (count = read(from, bytes, sizeof bytes)) != 0;) {
        if (count < 0 && errno != EINTR)
            break;
        if (count > 0)
            all += (int64_t)fwrite(bytes, 1, (size_t)count, stream);
    }
    return all;
}

int plot_run(FILE *script, FILE *stream, struct error *e) {
    pid_t child;
    int from = -1, ended = 0;
    rewind(script);
    int status = start(fileno(script), &child, &from);
    if (status == ENOENT)
        return error_set(e, "gnuplot is missing, and it draws the pictures: install it (Debian: "
                            "gnuplot-nox), or see --script");
    if (status != 0)
        return error_set(e, "gnuplot could not be started: %s", strerror(status));
    int64_t bytes = copy(from, stream);
    close(from);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0 && bytes > 0
               ? 0
               : error_set(e, "gnuplot failed; what it said stands above");
}
