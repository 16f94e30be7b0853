/* sampler.h - the order in which an online solver meets the items.
 *
 * Drawn some way ahead of use, so that the rows of the items to come are on their way from memory.
 */
#ifndef RRM_SAMPLER_H
#define RRM_SAMPLER_H

#include "io/error.h"
#include "math/alias.h"
#include "math/random.h"
#include "risk/risk.h"

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLER_AHEAD = 16 }; /* items drawn ahead: a power of two */

struct sampler {
    const struct risk *risk;
    struct random random;
    struct alias alias;
    int64_t *order;   /* items, in the present random order; NULL: independent draws */
    int64_t place;    /* of the next in the order */
    int64_t together; /* of `order` so many are drawn at random; 0: all, as they stand */
    int64_t ring[SAMPLER_AHEAD];
    uint64_t drawn;
};

/* Independent draws with probability in proportion to the items' weights. Where all weights are equal:
 * when SHUFFLE is set, a new random order for each pass; otherwise TOGETHER draws in a row, if more than 1,
 * are of distinct items (at most all of them), a random subset. */
int sampler_init(struct sampler *sampler, const struct risk *risk, bool shuffle, int64_t together,
                 uint64_t seed, uint64_t stream, struct error *e);
void sampler_free(struct sampler *sampler);

int64_t sampler_next(struct sampler *sampler);

#endif
