/* mpi.h - threads in place of the processes of MPI, for test_mpi_communicator.c: what mpi_communicator.c calls. Who
 * includes it first is the only one; each thread sets mpi_rank. */
#ifndef RRM_FAKE_MPI_H
#define RRM_FAKE_MPI_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef int MPI_Comm, MPI_Request;

enum { MPI_COMM_WORLD, MPI_DOUBLE, MPI_BYTE, MPI_DATATYPE_NULL, MPI_PROCESSES_MOST = 8 };
#define MPI_IN_PLACE NULL
#define MPI_STATUS_IGNORE NULL

struct mpi_call {
    const void *from;
    const int *start;
};

static pthread_barrier_t mpi_barrier;
static struct mpi_call mpi_calls[MPI_PROCESSES_MOST];
static const void *volatile mpi_message[MPI_PROCESSES_MOST][MPI_PROCESSES_MOST]; /* to, from */
static int mpi_size;
static _Thread_local int mpi_rank;
static _Thread_local long mpi_sent; /* numbers to others */

static void mpi_meet(void) {
    pthread_barrier_wait(&mpi_barrier);
}

static void mpi_show(const void *from, const int *start) {
    mpi_calls[mpi_rank] = (struct mpi_call){from, start};
    mpi_meet();
}

static size_t mpi_bytes(int type, int count) {
    return (type == MPI_DOUBLE ? sizeof(double) : 1) * (size_t)count;
}

static void MPI_Comm_rank(int world, int *rank) {
    (void)world;
    *rank = mpi_rank;
}

static void MPI_Comm_size(int world, int *size) {
    (void)world;
    *size = mpi_size;
}

static void MPI_Abort(int world, int status) {
    (void)world;
    _Exit(status);
}

static void MPI_Allgather(const void *from, int count, int type, void *to, int to_count,
                          int to_type, int world) {
    (void)world, (void)to_count, (void)to_type;
    mpi_show(from, NULL);
    for (int r = 0; r < mpi_size; r++)
        memcpy((char *)to + mpi_bytes(type, count) * (size_t)r, mpi_calls[r].from,
               mpi_bytes(type, count));
    mpi_sent += (long)count * (mpi_size - 1);
    mpi_meet();
}

static void MPI_Alltoallv(const double *from, const int *count, const int *start, int type,
                          double *to, const int *to_count, const int *to_start, int to_type,
                          int world) {
    (void)world, (void)type, (void)to_type;
    mpi_show(from, start);
    for (int r = 0; r < mpi_size; r++) {
        memcpy(to + to_start[r], (const double *)mpi_calls[r].from + mpi_calls[r].start[mpi_rank],
               mpi_bytes(MPI_DOUBLE, to_count[r]));
        mpi_sent += r == mpi_rank ? 0 : count[r];
    }
    mpi_meet();
}

/* In place: each has its own slice already. */
static void MPI_Allgatherv(const void *from, int none, int no_type, double *x, const int *count,
                           const int *start, int type, int world) {
    (void)world, (void)from, (void)none, (void)no_type, (void)type;
    mpi_show(x, NULL);
    for (int r = 0; r < mpi_size; r++)
        if (r != mpi_rank)
            memcpy(x + start[r], (const double *)mpi_calls[r].from + start[r],
                   mpi_bytes(MPI_DOUBLE, count[r]));
    mpi_sent += (long)count[mpi_rank] * (mpi_size - 1);
    mpi_meet();
}

static void MPI_Bcast(void *bytes, int count, int type, int from, int world) {
    (void)world;
    mpi_show(bytes, NULL);
    if (mpi_rank != from)
        memcpy(bytes, mpi_calls[from].from, mpi_bytes(type, count));
    mpi_meet();
}

/* The receiver copies; the sender waits for it. */
static pthread_mutex_t mpi_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t mpi_changed = PTHREAD_COND_INITIALIZER;

static void MPI_Send(const void *from, int count, int type, int to, int tag, int world) {
    (void)world, (void)tag, (void)count, (void)type;
    pthread_mutex_lock(&mpi_mutex);
    mpi_message[to][mpi_rank] = from;
    pthread_cond_broadcast(&mpi_changed);
    while (mpi_message[to][mpi_rank] != NULL)
        pthread_cond_wait(&mpi_changed, &mpi_mutex);
    pthread_mutex_unlock(&mpi_mutex);
}

static void MPI_Recv(void *to, int count, int type, int from, int tag, int world, void *status) {
    (void)world, (void)tag, (void)status;
    pthread_mutex_lock(&mpi_mutex);
    while (mpi_message[mpi_rank][from] == NULL)
        pthread_cond_wait(&mpi_changed, &mpi_mutex);
    memcpy(to, mpi_message[mpi_rank][from], mpi_bytes(type, count));
    mpi_message[mpi_rank][from] = NULL;
    pthread_cond_broadcast(&mpi_changed);
    pthread_mutex_unlock(&mpi_mutex);
}

/* A process comes, and asks later whether all have come as often. */
static long mpi_come;
static _Thread_local long mpi_awaited;

static void MPI_Ibarrier(MPI_Comm group, MPI_Request *request) {
    (void)group;
    *request = 0;
    pthread_mutex_lock(&mpi_mutex);
    mpi_come++;
    mpi_awaited += mpi_size;
    pthread_mutex_unlock(&mpi_mutex);
}

static void MPI_Test(MPI_Request *request, int *all, void *status) {
    (void)request, (void)status;
    pthread_mutex_lock(&mpi_mutex);
    *all = mpi_come >= mpi_awaited;
    pthread_mutex_unlock(&mpi_mutex);
}

#endif
