/* mpi_communicator.c - sums, gathers and broadcasts by MPI.
 *
 * MPI does not say in which order MPI_Allreduce adds. So a sum is made of two exchanges: each process receives from all
 * others their slice of the numbers (1/size of them), adds these in the order of the ranks, and sends the sums to all.
 * Each process sends and receives 2 (1 - 1/size) times the numbers, which is the least there is, and the result does
 * not depend on MPI's choice of algorithms. Few numbers go to all at once, and each process adds them by itself.
 *
 * An error of MPI itself ends all processes (MPI_ERRORS_ARE_FATAL, the default). */
#include "mpi/mpi_communicator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MAX_NUMBERS_TO_ALL = 64, /* numbers that go to all at once */
    CHUNK =
        1 << 24, /* numbers of an exchange at most: MPI counts by int, and this bounds the memory */
    BYTE_CHUNK = 1 << 30, /* bytes of a broadcast at most */
    FAILURE = 1           /* exit status */
};

struct mpi_communicator {
    struct communicator communicator; /* first */
    int *count, *start;               /* size each: the slices, in numbers */
    int *copy_count, *copy_start;     /* the same of the copies of this process's slice */
    double *copy;                     /* the slice of this process, from all */
    int64_t capacity;                 /* numbers at `copy` */
};

static struct mpi_communicator *of(struct communicator *c) {
    return (struct mpi_communicator *)c;
}

__attribute__((noreturn)) static void end_all(struct communicator *c, const char *words) {
    fprintf(stderr, "process %d: %s\n", c->rank, words);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, FAILURE);
    _Exit(FAILURE); /* not reached */
}

/* Space for COUNT numbers at m->copy. */
static void reserve(struct mpi_communicator *m, int64_t count) {
    if (count <= m->capacity)
        return;
    free(m->copy);
    m->copy = malloc(sizeof *m->copy * (size_t)count);
    m->capacity = count;
    if (m->copy == NULL)
        end_all(&m->communicator, "out of memory for the numbers of other processes");
}

/* x_j = the sum over k < COPIES of copy[k * n + j], in this order; from j = SUMS on the largest of them. */
static void add_copies(const double *copy, int copies, int64_t n, int64_t sums, double *x) {
    memcpy(x, copy, sizeof *x * (size_t)n);
    for (int k = 1; k < copies; k++) {
        for (int64_t j = 0; j < sums && j < n; j++)
            x[j] += copy[k * n + j];
        for (int64_t j = sums > 0 ? sums : 0; j < n; j++)
            x[j] = fmax(x[j], copy[k * n + j]);
    }
}

static void combine_few(struct mpi_communicator *m, double *x, int count, int64_t sums) {
    int size = m->communicator.size;
    reserve(m, (int64_t)size * count);
    MPI_Allgather(x, count, MPI_DOUBLE, m->copy, count, MPI_DOUBLE, MPI_COMM_WORLD);
    add_copies(m->copy, size, count, sums, x);
}

/* Of COUNT numbers; SUMS may be more than these, or below 0. */
static void combine_chunk(struct mpi_communicator *m, double *x, int count, int64_t sums) {
    int size = m->communicator.size, rank = m->communicator.rank;
    for (int r = 0; r < size; r++) {
        m->start[r] = (int)((int64_t)count * r / size);
        m->count[r] = (int)((int64_t)count * (r + 1) / size) - m->start[r];
    }
    int slice = m->count[rank];
    for (int r = 0; r < size; r++) {
        m->copy_count[r] = slice;
        m->copy_start[r] = r * slice;
    }
    reserve(m, (int64_t)size * slice);
    MPI_Alltoallv(x, m->count, m->start, MPI_DOUBLE, m->copy, m->copy_count, m->copy_start,
                  MPI_DOUBLE, MPI_COMM_WORLD);
    add_copies(m->copy, size, slice, sums - m->start[rank], x + m->start[rank]);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, m->count, m->start, MPI_DOUBLE,
                   MPI_COMM_WORLD);
}

static void combine(struct communicator *c, double *x, int64_t sums, int64_t largest) {
    int64_t count = sums + largest;
    if (count <= MAX_NUMBERS_TO_ALL) {
        combine_few(of(c), x, (int)count, sums);
        return;
    }
    for (int64_t from = 0; from < count; from += CHUNK)
        combine_chunk(of(c), x + from, (int)(count - from < CHUNK ? count - from : CHUNK),
                      sums - from);
}

static void broadcast(struct communicator *c, int from, void *bytes, int64_t count) {
    (void)c;
    for (int64_t at = 0; at < count; at += BYTE_CHUNK) {
        int length = (int)(count - at < BYTE_CHUNK ? count - at : BYTE_CHUNK);
        MPI_Bcast((char *)bytes + at, length, MPI_BYTE, from, MPI_COMM_WORLD);
    }
}

static void gather(struct communicator *c, const void *mine, int64_t bytes, void *all) {
    (void)c;
    MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

/* COUNT bytes of one process to another. */
static void pass(const struct communicator *c, int from, int to, void *bytes, int64_t count) {
    for (int64_t at = 0; at < count; at += BYTE_CHUNK) {
        int length = (int)(count - at < BYTE_CHUNK ? count - at : BYTE_CHUNK);
        if (c->rank == from)
            MPI_Send((char *)bytes + at, length, MPI_BYTE, to, 0, MPI_COMM_WORLD);
        else if (c->rank == to)
            MPI_Recv((char *)bytes + at, length, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void scatter(struct communicator *c, const void *all, const int64_t *bytes, void *mine) {
    const char *from = all;
    if (c->rank == 0 && bytes[0] > 0)
        memcpy(mine, from, (size_t)bytes[0]);
    for (int rank = 1; rank < c->size; rank++) {
        if (c->rank == 0 && bytes[rank - 1] > 0)
            from += bytes[rank - 1];
        pass(c, 0, rank, c->rank == 0 ? (void *)from : mine, bytes[rank]);
    }
}

static void collect(struct communicator *c, const void *mine, const int64_t *bytes, void *all) {
    char *to = all;
    if (c->rank == 0 && bytes[0] > 0)
        memcpy(to, mine, (size_t)bytes[0]);
    for (int rank = 1; rank < c->size; rank++) {
        if (c->rank == 0 && bytes[rank - 1] > 0)
            to += bytes[rank - 1];
        pass(c, rank, 0, c->rank == 0 ? to : (void *)mine, bytes[rank]);
    }
}

bool mpi_all_come(MPI_Comm group, int milliseconds) {
    static const struct timespec pause = {.tv_nsec = 1000000};
    MPI_Request request;
    int all = 0;
    MPI_Ibarrier(group, &request);
    MPI_Test(&request, &all, MPI_STATUS_IGNORE);
    for (int i = 0; !all && (milliseconds == 0 || i < milliseconds); i += milliseconds > 0) {
        nanosleep(&pause, NULL);
        MPI_Test(&request, &all, MPI_STATUS_IGNORE);
    }
    return all;
}

static void wait_for_all(struct communicator *c) {
    (void)c;
    mpi_all_come(MPI_COMM_WORLD, 0);
}

struct communicator *mpi_communicator_new(void) {
    struct mpi_communicator *m = calloc(1, sizeof *m);
    int rank, size;
    if (m == NULL)
        return NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    m->communicator = (struct communicator){.rank = rank,
                                            .size = size,
                                            .combine = combine,
                                            .gather = gather,
                                            .broadcast = broadcast,
                                            .scatter = scatter,
                                            .collect = collect,
                                            .wait = wait_for_all,
                                            .abort = end_all};
    m->communicator.number = calloc((size_t)size, sizeof *m->communicator.number);
    m->communicator.real = calloc((size_t)size * COMMUNICATOR_MOST, sizeof *m->communicator.real);
    m->count = calloc(4 * (size_t)size, sizeof *m->count);
    if (m->communicator.number == NULL || m->communicator.real == NULL || m->count == NULL) {
        mpi_communicator_free(&m->communicator);
        return NULL;
    }
    m->start = m->count + size;
    m->copy_count = m->start + size;
    m->copy_start = m->copy_count + size;
    return &m->communicator;
}

void mpi_communicator_free(struct communicator *communicator) {
    struct mpi_communicator *m = of(communicator);
    if (m == NULL)
        return;
    free(m->communicator.number);
    free(m->communicator.real);
    free(m->count);
    free(m->copy);
    free(m);
}
