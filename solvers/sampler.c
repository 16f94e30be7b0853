/* sampler.c - the order in which an online solver meets the items. */
#include "solvers/sampler.h"

#include "io/memory.h"

#include <stdlib.h>

/* The row of the item so far ahead is fetched; where it stands was fetched when it was drawn. */
enum { NEAR = 4 };

/* The next of a random subset: any of those that are not in it yet. */
static int64_t draw_other(struct sampler *s) {
    if (s->place >= s->together)
        s->place = 0;
    int64_t from = s->place++;
    int64_t left = s->risk->items - from;
    int64_t other = from + (int64_t)random_below(&s->random, (uint64_t)left);
    int64_t item = s->order[other];
    s->order[other] = s->order[from];
    return s->order[from] = item;
}

static int64_t draw(struct sampler *s) {
    if (s->order == NULL)
        return alias_draw(&s->alias, &s->random);
    if (s->together > 0)
        return draw_other(s);
    if (s->place == s->risk->items) {
        random_permutation(&s->random, s->order, s->risk->items);
        s->place = 0;
    }
    return s->order[s->place++];
}

int sampler_init(struct sampler *s, const struct risk *risk, bool shuffle, int64_t together,
                 uint64_t seed, uint64_t stream, struct error *e) {
    bool ordered = risk->item_weight == NULL && (shuffle || together > 1);
    *s = (struct sampler){.risk = risk, .place = risk->items};
    random_seed(&s->random, seed, stream);
    if (ordered) {
        s->order = memory_new(risk->items, sizeof *s->order, "the order of the items", e);
        if (s->order == NULL)
            return -1;
        for (int64_t i = 0; i < risk->items; i++)
            s->order[i] = i;
        s->together = shuffle ? 0 : together;
    } else if (alias_init(&s->alias, risk->item_weight, risk->items, e) != 0) {
        return -1;
    }
    for (int i = 0; i < SAMPLER_AHEAD; i++)
        s->ring[i] = draw(s);
    return 0;
}

void sampler_free(struct sampler *s) {
    alias_free(&s->alias);
    free(s->order);
}

int64_t sampler_next(struct sampler *s) {
    int64_t *slot = &s->ring[s->drawn++ % SAMPLER_AHEAD], item = *slot;
    *slot = draw(s);
    s->risk->kind->prefetch(s->risk, *slot, true);
    s->risk->kind->prefetch(s->risk, s->ring[(s->drawn + NEAR) % SAMPLER_AHEAD], false);
    return item;
}
