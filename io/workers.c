/* workers.c - numbered tasks, shared out among threads; see workers.h. */
#include "io/workers.h"

#include <pthread.h>
#include <stddef.h>

enum { MOST_THREADS = 256 };

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
    pthread_t thread[MOST_THREADS];
    int made = 0;
    while (made < MOST_THREADS && made < threads - 1 && made < count - 1 &&
           pthread_create(&thread[made], NULL, work, &workers) == 0)
        made++;
    work(&workers);
    for (int i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
}
