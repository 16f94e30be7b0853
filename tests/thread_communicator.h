/* thread_communicator.h - threads in place of processes that train together: a communicator (io/communicator.h) for
 * tests without MPI. Include after cmocka.h, whose assertions belong into the main thread alone. */
#ifndef RRM_THREAD_COMMUNICATOR_H
#define RRM_THREAD_COMMUNICATOR_H

#include "io/communicator.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MOST = 8, THREADS_TOGETHER = 256 };

struct thread_team {
    pthread_barrier_t barrier;
    const void *slot[THREADS_MOST];
};

struct thread_communicator {
    struct communicator communicator; /* first */
    struct thread_team *team;
    int64_t number[THREADS_MOST];
    double real[THREADS_MOST * COMMUNICATOR_MOST];
    void (*work)(struct communicator *communicator, void *context);
    void *context;
};

/* Shows X to all; returns once all have shown theirs. */
static inline struct thread_team *threads_show(struct communicator *c, const void *x) {
    struct thread_team *team = ((struct thread_communicator *)c)->team;
    team->slot[c->rank] = x;
    pthread_barrier_wait(&team->barrier);
    return team;
}

static inline void threads_combine(struct communicator *c, double *x, int64_t sums,
                                   int64_t largest) {
    struct thread_team *team = threads_show(c, x);
    double part[THREADS_TOGETHER];
    for (int64_t from = 0; from < sums + largest; from += THREADS_TOGETHER) {
        int64_t left = sums + largest - from, n = left < THREADS_TOGETHER ? left : THREADS_TOGETHER;
        memcpy(part, (const double *)team->slot[0] + from, sizeof *part * (size_t)n);
        for (int rank = 1; rank < c->size; rank++)
            for (int64_t j = 0; j < n; j++) {
                double next = ((const double *)team->slot[rank])[from + j];
                part[j] = from + j < sums ? part[j] + next : fmax(part[j], next);
            }
        pthread_barrier_wait(&team->barrier);
        memcpy(x + from, part, sizeof *part * (size_t)n);
    }
    pthread_barrier_wait(&team->barrier);
}

static inline void threads_gather(struct communicator *c, const void *mine, int64_t bytes,
                                  void *all) {
    struct thread_team *team = threads_show(c, mine);
    for (int rank = 0; rank < c->size; rank++)
        memcpy((char *)all + rank * bytes, team->slot[rank], (size_t)bytes);
    pthread_barrier_wait(&team->barrier);
}

static inline void threads_broadcast(struct communicator *c, int from, void *bytes, int64_t count) {
    struct thread_team *team = threads_show(c, bytes);
    if (c->rank != from && count > 0)
        memcpy(bytes, team->slot[from], (size_t)count);
    pthread_barrier_wait(&team->barrier);
}

static inline void threads_scatter(struct communicator *c, const void *all, const int64_t *bytes,
                                   void *mine) {
    struct thread_team *team = threads_show(c, all);
    int64_t before = 0;
    for (int rank = 0; rank < c->rank; rank++)
        before += bytes[rank];
    if (bytes[c->rank] > 0)
        memcpy(mine, (const char *)team->slot[0] + before, (size_t)bytes[c->rank]);
    pthread_barrier_wait(&team->barrier);
}

/* Process 0 copies what the others show. */
static inline void threads_collect(struct communicator *c, const void *mine, const int64_t *bytes,
                                   void *all) {
    struct thread_team *team = threads_show(c, mine);
    char *to = all;
    for (int rank = 0; c->rank == 0 && rank < c->size; rank++)
        if (bytes[rank] > 0) {
            memcpy(to, team->slot[rank], (size_t)bytes[rank]);
            to += bytes[rank];
        }
    pthread_barrier_wait(&team->barrier);
}

static inline void threads_wait(struct communicator *c) {
    threads_show(c, NULL);
}

__attribute__((noreturn)) static inline void threads_abort(struct communicator *c,
                                                           const char *words) {
    (void)c, (void)words;
    abort();
}

static inline void *threads_work(void *opaque) {
    struct thread_communicator *t = opaque;
    t->work(&t->communicator, t->context);
    return NULL;
}

/* Calls WORK in SIZE threads, each with its own communicator. */
static inline void threads_run(int size,
                               void (*work)(struct communicator *communicator, void *context),
                               void *context) {
    struct thread_team team;
    struct thread_communicator each[THREADS_MOST];
    pthread_t thread[THREADS_MOST];
    pthread_barrier_init(&team.barrier, NULL, (unsigned)size);
    for (int rank = 0; rank < size; rank++) {
        each[rank] = (struct thread_communicator){.communicator = {.rank = rank,
                                                                   .size = size,
                                                                   .combine = threads_combine,
                                                                   .gather = threads_gather,
                                                                   .broadcast = threads_broadcast,
                                                                   .scatter = threads_scatter,
                                                                   .collect = threads_collect,
                                                                   .wait = threads_wait,
                                                                   .abort = threads_abort},
                                                  .team = &team,
                                                  .work = work,
                                                  .context = context};
        each[rank].communicator.number = each[rank].number;
        each[rank].communicator.real = each[rank].real;
        assert_int_equal(pthread_create(&thread[rank], NULL, threads_work, &each[rank]), 0);
    }
    for (int rank = 0; rank < size; rank++)
        pthread_join(thread[rank], NULL);
    pthread_barrier_destroy(&team.barrier);
}

#endif
