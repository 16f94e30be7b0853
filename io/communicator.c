/* communicator.c - what follows from the sums, gathers and broadcasts of a communicator. */
#include "io/communicator.h"

#include "io/clock.h"

#include <string.h>

/* Calls the member, and counts what it sends. */
static void combine(struct communicator *c, double *x, int64_t sums, int64_t largest) {
    int64_t count = sums + largest;
    bool few = count <= COMMUNICATOR_FEW + COMMUNICATOR_ROOM;
    double before = clock_seconds();
    c->combine(c, x, sums, largest);
    c->traffic.seconds += clock_seconds() - before;
    c->traffic.rounds += !few;
    c->traffic.messages += few;
    /* few numbers go to all others; of many a slice goes to each, and the sums of one slice to all */
    c->traffic.bytes += (few ? c->size - 1 : 2 - 2.0 / c->size) * (double)sizeof *x * (double)count;
}

void communicator_combine(struct communicator *c, double *x, int64_t sums, int64_t largest) {
    if (c == NULL)
        return;
    double *clock = x + sums + largest;
    clock[0] = c->rank == 0 ? clock_seconds() : 0;
    clock[1] = c->interrupted_here != NULL && c->interrupted_here();
    combine(c, x, sums, largest + COMMUNICATOR_ROOM);
    c->seconds = clock[0];
    c->interrupted = clock[1] > 0;
}

void communicator_sum(struct communicator *c, double *x, int64_t count) {
    if (c != NULL)
        combine(c, x, count, 0);
}

void communicator_sum_few(struct communicator *c, double *x, int count) {
    double sent[COMMUNICATOR_FEW + COMMUNICATOR_ROOM];
    memcpy(sent, x, sizeof *x * (size_t)count);
    communicator_combine(c, sent, count, 0);
    memcpy(x, sent, sizeof *x * (size_t)count);
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
                          int64_t capacity) {
    int64_t total = 0, before = 0;
    if (c == NULL)
        return mine;
    const int64_t *number = communicator_numbers(c, mine);
    for (int rank = 0; rank < c->size; rank++) {
        before += rank < c->rank ? number[rank] : 0;
        total += number[rank];
    }
    if (total > capacity)
        c->abort(c, "more numbers than there is room for");
    memmove(x + before * width, x, sizeof *x * (size_t)(mine * width));
    memset(x, 0, sizeof *x * (size_t)(before * width));
    memset(x + (before + mine) * width, 0, sizeof *x * (size_t)((total - before - mine) * width));
    communicator_sum(c, x, total * width);
    return total;
}

double communicator_largest_real(struct communicator *c, double mine) {
    double x[1 + COMMUNICATOR_ROOM] = {mine};
    communicator_combine(c, x, 0, 1);
    return x[0];
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
    struct error error = e == NULL ? (struct error){0} : *e;
    int from = first_failed(c, status);
    if (from == c->size)
        return 0;
    c->broadcast(c, from, &error, sizeof error);
    error.known_to_all = true;
    if (e != NULL)
        *e = error;
    return -1;
}
