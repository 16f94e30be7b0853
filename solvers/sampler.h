/* sampler.h - the order in which an online solver meets the items.
 *
 * Drawn some way ahead of use, so that the rows of the items to come are on their way from memory.
 *
 * Rows that are not all in memory (io/dataset_window.h) are met by blocks, if their weights are equal: random rows, as
 * many as fit in memory, are mapped together, and met SAMPLER_ROUNDS times each, in a new random order each time,
 * before the next block: block minimization (Yu, Hsieh, Chang & Lin 2010, "Large linear classification when data cannot
 * fit in memory", algorithm 1, with random blocks). */
#ifndef RRM_SAMPLER_H
#define RRM_SAMPLER_H

#include "io/error.h"
#include "io/state/state.h"
#include "math/random/alias.h"
#include "math/random/random.h"
#include "risk/risk.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SAMPLER_AHEAD = 16, /* items drawn ahead: a power of two */
    SAMPLER_ROUNDS = 4  /* over a block, so that mapping it costs less than the steps */
};

struct sampler {
    const struct risk *risk;
    struct random random;
    struct alias alias;
    int64_t *order; /* items, in the present random order; NULL: independent draws */
    int64_t place;  /* of the next in the order */
    /* all of `order` is drawn, as it stands; else a random subset of BATCH items at a time */
    bool shuffles;
    int64_t batch, begun; /* items that go into one step; drawn of the present one */
    int64_t ring[SAMPLER_AHEAD];
    uint64_t drawn;

    struct dataset_window *window; /* items are met by blocks; NULL: they are not */
    int64_t first, end, rounds;    /* of the block: places in the order; rounds to come */
};

/* Independent draws with probability in proportion to the items' weights. Where all weights are equal the BATCH
 * draws of a step (at most as many as there are items) are of distinct items: when SHUFFLES is set, each pass has
 * all items once, in a new random order, in which a step across the end of a pass meets no item again; otherwise
 * each step has a random subset. By blocks, SHUFFLES is not looked at, and a step may meet an item twice where a
 * pass over all blocks ends. */
int sampler_init(struct sampler *sampler, const struct risk *risk, bool shuffles, int64_t batch,
                 uint64_t seed, uint64_t stream, struct error *e);
void sampler_free(struct sampler *sampler);

/* Lists what the next draws depend on. */
void sampler_visit(struct sampler *sampler, struct state *state);

int64_t sampler_next(struct sampler *sampler);

/* The same item, but rows to come are not prefetched: for many items that are drawn before the first is used. */
int64_t sampler_take(struct sampler *sampler);

#endif
