/* call_chains.h - which allocations of a run to let fail: those whose call stack has some calls in a row that no
 * allocation before has had. So each caller, and the callers above it, see a failure below them. Under sanitizers those
 * whose innermost calls are new. */
#ifndef RRM_CALL_CHAINS_H
#define RRM_CALL_CHAINS_H

#include <execinfo.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/size.h"

enum {
    CALLS_MOST = 64, /* frames of a call stack */
    CHAIN = PART(4, 5),
    CHAINS = 1 << 16
};

struct call_chains {
    int64_t count;
    uint64_t seen[CHAINS]; /* hashes; 0: free */
};

static inline uint64_t calls_hash(void *const *frame, int frames) {
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < frames; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)frame[i]) * 1099511628211u;
    return hash;
}

static inline bool call_chains_full(const struct call_chains *chains) {
    return chains->count >= CHAINS / 2;
}

static inline bool call_chains_add(struct call_chains *chains, uint64_t hash) {
    uint64_t at = hash % CHAINS;
    while (chains->seen[at] != 0 && chains->seen[at] != hash)
        at = (at + 1) % CHAINS;
    if (chains->seen[at] == hash || call_chains_full(chains))
        return false;
    chains->seen[at] = hash;
    chains->count++;
    return true;
}

/* Whether a chain is new; adds the new ones. */
static inline bool call_chains_take(struct call_chains *chains, void *const *frame, int frames) {
    bool new = false;
    int length = frames < CHAIN ? frames : CHAIN, starts = PART(frames - length + 1, 1);
    for (int i = 0; i < starts; i++)
        new = call_chains_add(chains, calls_hash(frame + i, length)) || new;
    return new;
}

/* The last of COUNT allocations with the call stack HASH. */
static inline int64_t calls_last(const uint64_t *of, uint64_t hash, int64_t count) {
    while (of[--count] != hash)
        ;
    return count;
}

#endif
