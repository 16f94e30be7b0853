/* sampler.c - the order in which an online solver meets the items. */
#include "solvers/sampler.h"

#include "io/memory.h"

#include <stdlib.h>

/* The row of the item so far ahead is fetched; where it stands was fetched when it was drawn. */
enum { NEAR = 4 };

/* The next of a random subset: any of those that are not in it yet. */
static int64_t draw_other(struct sampler *s) {
    if (s->place >= s->batch)
        s->place = 0;
    int64_t from = s->place++;
    int64_t left = s->risk->items - from;
    int64_t other = from + (int64_t)random_below(&s->random, (uint64_t)left);
    int64_t item = s->order[other];
    s->order[other] = s->order[from];
    return s->order[from] = item;
}

/* The order of the next pass. A batch that the last one began, by its last BEGUN items, goes on with others. */
static void shuffle(struct sampler *s, int64_t begun) {
    int64_t items = s->risk->items;
    if (begun == 0) {
        random_permutation(&s->random, s->order, items);
        return;
    }
    for (int64_t i = 0; i < items; i++) {
        int64_t end = i < s->batch - begun ? items - begun : items;
        int64_t other = i + (int64_t)random_below(&s->random, (uint64_t)(end - i));
        int64_t item = s->order[other];
        s->order[other] = s->order[i];
        s->order[i] = item;
    }
}

static int64_t draw(struct sampler *s) {
    if (s->order == NULL)
        return alias_draw(&s->alias, &s->random);
    if (!s->shuffles)
        return draw_other(s);
    if (s->place == s->risk->items) {
        shuffle(s, s->begun);
        s->place = 0;
    }
    s->begun = (s->begun + 1) % s->batch;
    return s->order[s->place++];
}

int sampler_init(struct sampler *s, const struct risk *risk, bool shuffles, int64_t batch,
                 uint64_t seed, uint64_t stream, struct error *e) {
    bool ordered = risk->item_weight == NULL && (shuffles || batch > 1);
    *s = (struct sampler){.risk = risk, .shuffles = shuffles, .place = risk->items, .batch = batch};
    random_seed(&s->random, seed, stream);
    if (ordered) {
        s->order = memory_new(risk->items, sizeof *s->order, "the order of the items", e);
        if (s->order == NULL)
            return -1;
        for (int64_t i = 0; i < risk->items; i++)
            s->order[i] = i;
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

void sampler_visit(struct sampler *s, struct state *state) {
    int64_t last = s->risk->items - 1;
    random_visit(&s->random, state);
    if (s->order != NULL)
        state_integers(state, s->order, s->risk->items, 0, last);
    s->place = state_integer(state, s->place, 0, s->risk->items);
    s->begun = state_integer(state, s->begun, 0, s->batch);
    state_integers(state, s->ring, SAMPLER_AHEAD, 0, last);
    s->drawn = (uint64_t)state_integer(state, (int64_t)s->drawn, 0, INT64_MAX);
}

int64_t sampler_take(struct sampler *s) {
    int64_t *slot = &s->ring[s->drawn++ % SAMPLER_AHEAD], item = *slot;
    *slot = draw(s);
    return item;
}

int64_t sampler_next(struct sampler *s) {
    const int64_t *slot = &s->ring[s->drawn % SAMPLER_AHEAD], item = sampler_take(s);
    s->risk->kind->prefetch(s->risk, *slot, true);
    s->risk->kind->prefetch(s->risk, s->ring[(s->drawn + NEAR) % SAMPLER_AHEAD], false);
    return item;
}
