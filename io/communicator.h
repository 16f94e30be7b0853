/* communicator.h - the processes that train together, each with a share of the rows.
 *
 * They all run the same program: each of them calls the functions below in the same order, by the thread that trains,
 * and gets the same result to the bit. So do all computations that follow from these results alone: the weights, the
 * steps of a solver, its end. What differs between processes is their rows, and what follows from these.
 *
 * NULL is a valid communicator: this process is alone, and the functions do nothing or return their argument. The
 * library and `train` have no other; that of `train-mpi` is in mpi/. */
#ifndef RRM_COMMUNICATOR_H
#define RRM_COMMUNICATOR_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { COMMUNICATOR_FEW = 12, COMMUNICATOR_MOST = 16, COMMUNICATOR_ROOM = 2 };

struct communicator {
    int rank; /* of this process: 0 .. size - 1; 0 alone writes files and messages */
    int size; /* at least 2 */

    /* Each of the first SUMS numbers at x becomes its sum over the processes, added in the order of their ranks; each
     * of the LARGEST behind them its largest, where what is not a number counts as none. */
    void (*combine)(struct communicator *c, double *x, int64_t sums, int64_t largest);

    /* Each process gets the BYTES at MINE of all, in the order of the ranks. */
    void (*gather)(struct communicator *c, const void *mine, int64_t bytes, void *all);

    /* Each process gets the COUNT bytes of the process FROM. */
    void (*broadcast)(struct communicator *c, int from, void *bytes, int64_t count);

    /* Process 0 has the bytes of all at ALL, BYTES[rank] of each, side by side; each process gets its own at MINE. */
    void (*scatter)(struct communicator *c, const void *all, const int64_t *bytes, void *mine);

    /* The reverse: process 0 gets at ALL the BYTES[rank] that each process has at MINE. */
    void (*collect)(struct communicator *c, const void *mine, const int64_t *bytes, void *all);

    /* Returns once all processes are here; until then this one sleeps. */
    void (*wait)(struct communicator *c);

    /* The processes of process 0's machine leave their processors and threads to it, and then wait; NULL: they keep
     * them. */
    void (*lend_processors)(struct communicator *c);

    /* Ends all processes, after this one has said why. */
    void (*abort)(struct communicator *c, const char *words) __attribute__((noreturn));

    /* Whether a signal asked this process to end; NULL: none is caught. */
    bool (*interrupted_here)(void);

    int64_t *number; /* size: of communicator_numbers */
    double *real;    /* size * COMMUNICATOR_MOST: of communicator_reals */

    /* As of the latest communicator_combine: the clock of process 0, in seconds, and whether a signal came to any. */
    double seconds;
    bool interrupted;

    /* The exchanges of `combine` so far: those of more numbers than COMMUNICATOR_FEW + COMMUNICATOR_ROOM, all others,
     * the bytes that this process sent for them, and the seconds from the first call of one to its end, waiting for
     * other processes included. */
    struct {
        int64_t rounds, messages;
        double bytes, seconds;
        double collected; /* bytes of rows that process 0 received (io/dataset_collect.h) */
    } traffic;
};

/* Whether this process writes files and messages. */
static inline bool communicator_speaks(const struct communicator *c) {
    return c == NULL || c->rank == 0;
}

/* As the member, in one exchange; sets `seconds` and `interrupted`, too, for which x has room for COMMUNICATOR_ROOM
 * numbers more. */
void communicator_combine(struct communicator *c, double *x, int64_t sums, int64_t largest);

/* Sums alone, without room at x; sets neither. */
void communicator_sum(struct communicator *c, double *x, int64_t count);

/* Sums of at most COMMUNICATOR_FEW numbers, without room at x; sets both. */
void communicator_sum_few(struct communicator *c, double *x, int count);

double communicator_sum_one(struct communicator *c, double x);

/* The numbers of all processes, size of them, until the next call of any of these functions. Not for NULL. */
const int64_t *communicator_numbers(struct communicator *c, int64_t mine);

/* The same of COUNT <= COMMUNICATOR_MOST numbers of each process, side by side. */
const double *communicator_reals(struct communicator *c, const double *mine, int count);

/* X, of MINE records of WIDTH numbers each, becomes the records of all processes in the order of their ranks;
 * returns how many these are, at most CAPACITY. x has room for CAPACITY records. */
int64_t communicator_join(struct communicator *c, double *x, int64_t mine, int width,
                          int64_t capacity);

/* The sum over the processes, over those of lower ranks, and the largest. */
int64_t communicator_total(struct communicator *c, int64_t mine);
int64_t communicator_before(struct communicator *c, int64_t mine);
int64_t communicator_largest(struct communicator *c, int64_t mine);

double communicator_largest_real(struct communicator *c, double mine);

/* Whether it is so in any process. */
bool communicator_any(struct communicator *c, bool mine);

/* 0 if STATUS is 0 in all processes; else -1 with the error of the lowest rank that has one. To be called by all of
 * them: an error of one process that the others are not told of ends the program by `abort`. */
int communicator_agree(struct communicator *c, int status, struct error *e);

#endif
