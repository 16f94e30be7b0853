/* schedules.c - which iterations of an OpenMP loop a thread takes, for programs that clang compiles.
 *
 * Debian's libomp is built with assertions: at each loop, and at each chunk of a loop with schedule(dynamic), it
 * formats lines that it prints only where it is debugged. The address sanitizer watches its malloc and its vsnprintf,
 * and that took up to half of the time of a test. These functions have the names and arguments of libomp's own, and a
 * program that they are linked into calls them instead.
 *
 * schedule(static): each thread takes one run of neighbours. With a chunk, and with schedule(dynamic): chunks go to the
 * threads in turn, which is one of the ways that a dynamic loop may go. */
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    SCHEDULE_CHUNKS = 33, /* kmp_sch_static_chunked */
    SCHEDULE_RUNS = 34,   /* kmp_sch_static */
    SCHEDULE_DYNAMIC = 35,
    SCHEDULE_MASK = (1 << 29) - 1, /* without monotonic: and nonmonotonic: */
    DEPTH = 8                      /* of loops in loops */
};

/* Iterations [from, to), by their numbers; the next chunk of the same thread is STRIDE later. */
struct share {
    uint64_t from, to, stride;
    bool has_last;
};

/* COUNT > 0: of the loop's iterations. */
static struct share first_share(uint64_t count, int32_t schedule, uint64_t chunk) {
    uint64_t threads = (uint64_t)omp_get_num_threads(), thread = (uint64_t)omp_get_thread_num();
    if (schedule != SCHEDULE_RUNS)
        return (struct share){chunk * thread, chunk * (thread + 1), chunk * threads,
                              (count - 1) / chunk % threads == thread};
    uint64_t least = count / threads, more = count % threads;
    uint64_t from = thread * least + (thread < more ? thread : more);
    uint64_t to = from + least + (thread < more);
    return (struct share){from, to, count, to > from && to == count};
}

static uint64_t chunk_of(int64_t chunk) {
    return chunk < 1 ? 1 : (uint64_t)chunk;
}

/* Of a loop from FIRST to LAST: clang counts each in steps of 1. */
static uint64_t count_of(uint64_t first, uint64_t last, int64_t increment, bool empty) {
    if (increment != 1)
        abort();
    return empty ? 0 : last - first + 1;
}

/* A loop with schedule(dynamic) that the thread is in. */
static _Thread_local struct loop {
    struct share share;
    uint64_t first, count;
} loops[DEPTH];
static _Thread_local int depth;

static void enter(int32_t schedule, uint64_t first, uint64_t count, uint64_t chunk) {
    if ((schedule & SCHEDULE_MASK) != SCHEDULE_DYNAMIC || depth == DEPTH)
        abort();
    loops[depth++] = (struct loop){
        count > 0 ? first_share(count, SCHEDULE_DYNAMIC, chunk) : (struct share){0}, first, count};
}

/* The thread's next chunk, from FIRST to LAST; false: there is none, and the loop ends. */
static bool next(int32_t *is_last, uint64_t *first, uint64_t *last) {
    struct loop *loop = &loops[depth - 1];
    struct share *share = &loop->share;
    if (share->from >= loop->count) {
        depth--;
        return false;
    }
    uint64_t to = share->to < loop->count ? share->to : loop->count;
    *is_last = to == loop->count;
    *first = loop->first + share->from;
    *last = loop->first + to - 1;
    share->from += share->stride;
    share->to += share->stride;
    return true;
}

/* Clang 19 and later call it behind each loop with schedule(dynamic); such a loop has ended by itself. */
void __kmpc_dispatch_deinit(const void *where, int32_t thread);
void __kmpc_dispatch_deinit(const void *where, int32_t thread) {
    (void)where, (void)thread;
}

/* The functions for loops over INTEGERs. Bounds are included; a thread gets those of its share, LAST before FIRST where
 * it has none. */
#define LOOPS_OF(SUFFIX, INTEGER, SIGNED)                                                          \
    void __kmpc_for_static_init_##SUFFIX(const void *, int32_t, int32_t, int32_t *, INTEGER *,     \
                                         INTEGER *, SIGNED *, SIGNED, SIGNED);                     \
    void __kmpc_dispatch_init_##SUFFIX(const void *, int32_t, int32_t, INTEGER, INTEGER, SIGNED,   \
                                       SIGNED);                                                    \
    int __kmpc_dispatch_next_##SUFFIX(const void *, int32_t, int32_t *, INTEGER *, INTEGER *,      \
                                      SIGNED *);                                                   \
                                                                                                   \
    void __kmpc_for_static_init_##SUFFIX(const void *where, int32_t thread, int32_t schedule,      \
                                         int32_t *is_last, INTEGER *first, INTEGER *last,          \
                                         SIGNED *stride, SIGNED increment, SIGNED chunk) {         \
        (void)where, (void)thread;                                                                 \
        if (schedule != SCHEDULE_RUNS && schedule != SCHEDULE_CHUNKS)                              \
            abort();                                                                               \
        uint64_t count = count_of((uint64_t)*first, (uint64_t)*last, increment, *last < *first);   \
        if (count == 0)                                                                            \
            return;                                                                                \
        struct share share = first_share(count, schedule, chunk_of(chunk));                        \
        uint64_t begin = (uint64_t)*first;                                                         \
        *is_last = share.has_last;                                                                 \
        *stride = (SIGNED)share.stride;                                                            \
        *first = (INTEGER)(begin + share.from);                                                    \
        *last = (INTEGER)(begin + share.to - 1);                                                   \
    }                                                                                              \
                                                                                                   \
    void __kmpc_dispatch_init_##SUFFIX(const void *where, int32_t thread, int32_t schedule,        \
                                       INTEGER first, INTEGER last, SIGNED increment,              \
                                       SIGNED chunk) {                                             \
        (void)where, (void)thread;                                                                 \
        enter(schedule, (uint64_t)first,                                                           \
              count_of((uint64_t)first, (uint64_t)last, increment, last < first),                  \
              chunk_of(chunk));                                                                    \
    }                                                                                              \
                                                                                                   \
    int __kmpc_dispatch_next_##SUFFIX(const void *where, int32_t thread, int32_t *is_last,         \
                                      INTEGER *first, INTEGER *last, SIGNED *stride) {             \
        (void)where, (void)thread, (void)stride;                                                   \
        uint64_t from, to;                                                                         \
        if (!next(is_last, &from, &to))                                                            \
            return 0;                                                                              \
        *first = (INTEGER)from;                                                                    \
        *last = (INTEGER)to;                                                                       \
        return 1;                                                                                  \
    }

LOOPS_OF(4, int32_t, int32_t)
LOOPS_OF(4u, uint32_t, int32_t)
LOOPS_OF(8, int64_t, int64_t)
LOOPS_OF(8u, uint64_t, int64_t)
