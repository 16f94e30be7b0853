/* test_mpi_communicator.c - sums, gathers, broadcasts and scatters of mpi_communicator.c between threads, by the mpi.h
 * beside this file in place of MPI's. */
#include "mpi/mpi_communicator.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { NUMBERS = 1003 };

/* cmocka's assertions belong into the main thread: each thread says what it found. */
struct process {
    int rank, size;
    int64_t sums, largest;
    bool good;
    long sent;
};

/* Numbers whose sums depend on the order. */
static double number(int rank, int64_t j) {
    return (rank % 2 ? -1 : 1) *
           (1e16 / (double)(1 + (j * 7 + rank * 3) % 11) + 0.1 * (double)(j + rank));
}

static double combined(const struct process *p, int64_t j) {
    double all = number(0, j);
    for (int r = 1; r < p->size; r++)
        all = j < p->sums ? all + number(r, j) : fmax(all, number(r, j));
    return all;
}

static bool combines(struct communicator *c, struct process *p) {
    double x[NUMBERS];
    for (int64_t j = 0; j < p->sums + p->largest; j++)
        x[j] = number(p->rank, j);
    c->combine(c, x, p->sums, p->largest);
    for (int64_t j = 0; j < p->sums + p->largest; j++)
        if (x[j] != combined(p, j))
            return false;
    return true;
}

/* The last comes late; nobody goes on before it. */
static bool waits(struct communicator *c, const struct process *p) {
    static const struct timespec late = {.tv_nsec = 5000000};
    static atomic_bool has_come;
    if (p->rank == 0)
        has_come = false;
    c->wait(c);
    if (p->rank == p->size - 1) {
        nanosleep(&late, NULL);
        has_come = true;
    }
    c->wait(c);
    return has_come;
}

static bool passes_on(struct communicator *c, struct process *p) {
    int64_t mine[2] = {p->rank, 10 + p->rank}, all[2 * MPI_PROCESSES_MOST];
    int64_t bytes[MPI_PROCESSES_MOST], total = 0;
    char text[64] = "", whole[128], own[64] = "";
    c->gather(c, mine, sizeof mine, all);
    bool good = true;
    for (int r = 0; r < p->size; r++)
        good = good && all[2 * r] == r && all[2 * r + 1] == 10 + r;
    if (p->rank == p->size - 1)
        strcpy(text, "from the last");
    c->broadcast(c, p->size - 1, text, sizeof text);
    good = good && strcmp(text, "from the last") == 0;
    for (int r = 0; r < p->size; r++) { /* r + 1 letters each, of the second none */
        bytes[r] = r == 1 ? 0 : r + 1;
        memset(whole + total, 'a' + r, (size_t)bytes[r]);
        total += bytes[r];
    }
    c->scatter(c, p->rank == 0 ? whole : NULL, bytes, own);
    for (int64_t k = 0; k < bytes[p->rank]; k++)
        good = good && own[k] == 'a' + p->rank;
    char together[sizeof whole] = "";
    c->collect(c, own, bytes, p->rank == 0 ? together : NULL);
    good = good && (p->rank != 0 || memcmp(together, whole, (size_t)total) == 0);
    return good && own[bytes[p->rank]] == '\0' && waits(c, p);
}

static void *run_process(void *argument) {
    struct process *p = argument;
    mpi_rank = p->rank;
    mpi_sent = mpi_awaited = 0;
    struct communicator *c = mpi_communicator_new();
    p->good = c != NULL && c->rank == p->rank && c->size == p->size && combines(c, p);
    p->sent = mpi_sent;
    p->good = passes_on(c, p) && p->good;
    mpi_communicator_free(c);
    return NULL;
}

/* The most numbers that one process sent. */
static long run_all(int size, int64_t sums, int64_t largest) {
    struct process process[MPI_PROCESSES_MOST];
    pthread_t thread[MPI_PROCESSES_MOST];
    long most = 0;
    mpi_size = size;
    mpi_come = 0;
    pthread_barrier_init(&mpi_barrier, NULL, (unsigned)size);
    for (int r = 0; r < size; r++) {
        process[r] = (struct process){r, size, sums, largest, false, 0};
        assert_int_equal(pthread_create(&thread[r], NULL, run_process, &process[r]), 0);
    }
    for (int r = 0; r < size; r++) {
        pthread_join(thread[r], NULL);
        if (!process[r].good)
            fail_msg("process %d of %d, %d sums, %d largest", r, size, (int)sums, (int)largest);
        most = process[r].sent > most ? process[r].sent : most;
    }
    pthread_barrier_destroy(&mpi_barrier);
    return most;
}

/* In the order of the ranks, the same for few and many numbers, wherever the sums end. */
static void sums_are_those_in_the_order_of_the_ranks(void **state) {
    static const int64_t sums[] = {1, 0, 3, 63, 64, 65, 100, 0, 1000, 7},
                         largest[] = {0, 2, 4, 1, 0, 0, 1, 90, 3, 996};
    (void)state;
    for (int size = 2; size <= 5; size++)
        for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
            run_all(size, sums[k], largest[k]);
    run_all(MPI_PROCESSES_MOST, 60, 20);
}

/* 2 (1 - 1/size) times the numbers; a slice may be larger by one. */
static void nothing_is_sent_twice(void **state) {
    (void)state;
    for (int size = 2; size <= 5; size++)
        assert_true(run_all(size, NUMBERS, 0) <= 2 * (NUMBERS * (size - 1) / size + size));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_in_the_order_of_the_ranks),
        cmocka_unit_test(nothing_is_sent_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
