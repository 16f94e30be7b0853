/* rrm_threads.c - the public library: how many threads OpenMP may start, also after a fork; see rrm.h.
 *
 * OpenMP's threads do not survive a fork: a child that waits for them waits for ever. One thread needs no others. */
#include "rrm_parts.h"

#include "io/workers.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool forked; /* since several threads were first used */
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void note_fork(void) {
    atomic_store(&forked, true);
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, note_fork);
}

/* As many of WANTED threads as can be started. */
static int possible(int wanted) {
    if (wanted <= 1 || atomic_load(&forked))
        return 1;
    pthread_once(&watched, watch_forks);
    return workers_possible(wanted);
}

int rrm_limit_threads(int wanted) {
    int before = omp_get_max_threads();
    omp_set_num_threads(possible(wanted));
    return before;
}
