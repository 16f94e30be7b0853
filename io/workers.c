/* workers.c - numbered tasks, shared out among threads; see workers.h. */
#include "io/workers.h"

#include <pthread.h>
#include <stddef.h>

enum { MAX_THREADS = 256, MAX_THREADS_TRIED = 1024 };

struct workers {
    int64_t next;
    int64_t count;
    workers_function *function;
    void *context;
};

int64_t workers_next(struct workers *workers) {
    int64_t task = __atomic_fetch_add(&workers->next, 1, __ATOMIC_RELAXED);
    return task < workers->count ? task : -1;
}

static void *work(void *argument) {
    struct workers *workers = argument;
    workers->function(workers, workers->context);
    return NULL;
}

void workers_run(int threads, int64_t count, workers_function *function, void *context) {
    struct workers workers = {.count = count, .function = function, .context = context};
    pthread_t thread[MAX_THREADS];
    int made = 0;
    while (made < MAX_THREADS && made < threads - 1 && made < count - 1 &&
           pthread_create(&thread[made], NULL, work, &workers) == 0)
        made++;
    work(&workers);
    for (int i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
}

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int workers_possible(int count) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread[MAX_THREADS_TRIED];
    int started = 0;
    pthread_mutex_lock(&gate);
    while (started < MAX_THREADS_TRIED && started < count - 1 &&
           pthread_create(&thread[started], NULL, wait_at, &gate) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
    return started + 1;
}
