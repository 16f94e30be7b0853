/* threads.c - sets the number of threads and how idle threads wait.
 *
 * Between two parallel loops, idle threads of GCC's runtime spin for milliseconds. On a machine with other load,
 * the spinning threads take processor time from the threads that still work: with other busy processes, training
 * took many times as long on two processors. Spinning for some microseconds costs nothing on an idle machine and
 * avoids that.
 *
 * The runtime reads its environment once, when it is loaded, before main. So a program that uses threads sets the
 * environment and executes itself again, which takes less than a millisecond. Variables that the user has set are
 * kept. */
#include "cli/threads.h"

#include "cli/options.h"
#include "cli/program_name.h"
#include "io/workers.h"

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const long small_file = 1 << 18; /* bytes; one thread handles smaller files */

static bool is_set(void) {
    return getenv("OMP_WAIT_POLICY") != NULL || getenv("GOMP_SPINCOUNT") != NULL;
}

bool threads_idle(const char *file) {
    struct stat status;
    return stat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < small_file;
}

/* Returns if that fails. */
void threads_sleep_when_idle(char **argv) {
    char path[4096];
    if (is_set())
        return;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || setenv("GOMP_SPINCOUNT", "2000", 1) != 0)
        return;
    path[length] = '\0';
    setenv("KMP_BLOCKTIME", "0", 0); /* the same for LLVM's runtime */
    execv(path, argv);
}

void threads_use(int count, bool idle, char **argv) {
    if (count > 1 && !idle)
        threads_sleep_when_idle(argv);
    int possible = workers_possible(count);
    if (possible < count)
        fprintf(stderr,
                "%s: warning: only %d of %d threads can be started; -j %d asks for no more\n",
                program_name(), possible, count, possible);
    omp_set_num_threads(possible);
}
