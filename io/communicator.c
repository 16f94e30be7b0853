/* communicator.c - what follows from the sums, gathers and broadcasts of a communicator. */
#include "io/communicator.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Seconds of a clock that never goes back. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void communicator_sum(struct communicator *c, double *x, int64_t count) {
    if (c == NULL)
        return;
    bool few = count <= COMMUNICATOR_FEW + 2;
    double before = now();
    c->sum(c, x, count);
    c->traffic.seconds += now() - before;
    c->traffic.rounds += !few;
    c->traffic.messages += few;
    /* few numbers go to all others; of many a slice goes to each, and the sums of one slice to all */
    c->traffic.bytes += (few ? c->size - 1 : 2 - 2.0 / c->size) * (double)sizeof *x * (double)count;
}

void communicator_sum_few(struct communicator *c, double *x, int count) {
    double sent[COMMUNICATOR_FEW + 2];
    if (c == NULL)
        return;
    memcpy(sent, x, sizeof *x * (size_t)count);
    sent[count] = c->rank == 0 ? now() : 0;
    sent[count + 1] = c->interrupted_here != NULL && c->interrupted_here();
    communicator_sum(c, sent, count + 2);
    memcpy(x, sent, sizeof *x * (size_t)count);
    c->seconds = sent[count];
    c->interrupted = sent[count + 1] > 0;
}

double communicator_sum_one(struct communicator *c, double x) {
    communicator_sum_few(c, &x, 1);
    return x;
}

const int64_t *communicator_numbers(struct communicator *c, int64_t mine) {
    c->gather(c, &mine, sizeof mine, c->number);
    return c->number;
}

int64_t communicator_total(struct communicator *c, int64_t mine) {
    int64_t total = 0;
    if (c == NULL)
        return mine;
    const int64_t *number = communicator_numbers(c, mine);
    for (int rank = 0; rank < c->size; rank++)
        total += number[rank];
    return total;
}

int64_t communicator_before(struct communicator *c, int64_t mine) {
    int64_t before = 0;
    if (c == NULL)
        return 0;
    const int64_t *number = communicator_numbers(c, mine);
    for (int rank = 0; rank < c->rank; rank++)
        before += number[rank];
    return before;
}

int64_t communicator_largest(struct communicator *c, int64_t mine) {
    int64_t largest = mine;
    if (c == NULL)
        return mine;
    const int64_t *number = communicator_numbers(c, mine);
    for (int rank = 0; rank < c->size; rank++)
        largest = number[rank] > largest ? number[rank] : largest;
    return largest;
}

const double *communicator_reals(struct communicator *c, const double *mine, int count) {
    c->gather(c, mine, (int64_t)sizeof *mine * count, c->real);
    return c->real;
}

int64_t communicator_join(struct communicator *c, double *x, int64_t mine, int width,
                          int64_t most) {
    int64_t total = 0, before = 0;
    if (c == NULL)
        return mine;
    const int64_t *number = communicator_numbers(c, mine);
    for (int rank = 0; rank < c->size; rank++) {
        before += rank < c->rank ? number[rank] : 0;
        total += number[rank];
    }
    if (total > most)
        c->abort(c, "more numbers than there is room for");
    memmove(x + before * width, x, sizeof *x * (size_t)(mine * width));
    memset(x, 0, sizeof *x * (size_t)(before * width));
    memset(x + (before + mine) * width, 0, sizeof *x * (size_t)((total - before - mine) * width));
    communicator_sum(c, x, total * width);
    return total;
}

void communicator_largest_reals(struct communicator *c, double *x, int count) {
    if (c == NULL)
        return;
    const double *each = communicator_reals(c, x, count);
    memcpy(x, each, sizeof *x * (size_t)count); /* in the order of the ranks, to the bit */
    for (int k = count; k < c->size * count; k++)
        x[k % count] = fmax(x[k % count], each[k]);
}

double communicator_largest_real(struct communicator *c, double mine) {
    communicator_largest_reals(c, &mine, 1);
    return mine;
}

bool communicator_any(struct communicator *c, bool mine) {
    return communicator_largest(c, mine) > 0;
}

/* The lowest rank whose number is not 0; `size`: none. */
static int first_failed(struct communicator *c, int status) {
    const int64_t *number = communicator_numbers(c, status);
    int rank = 0;
    while (rank < c->size && number[rank] == 0)
        rank++;
    return rank;
}

int communicator_agree(struct communicator *c, int status, struct error *e) {
    if (c == NULL)
        return status == 0 ? 0 : -1;
    struct error error = *e;
    int from = first_failed(c, status);
    if (from == c->size)
        return 0;
    c->broadcast(c, from, &error, sizeof error);
    *e = error;
    e->known_to_all = true;
    return -1;
}
