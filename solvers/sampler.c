/* sampler.c - the order in which an online solver meets the items. */
#include "solvers/sampler.h"

#include "io/dataset_window.h"
#include "io/memory.h"

#include <stdlib.h>

/* The row of the item so far ahead is fetched; where it stands was fetched when it was drawn. */
enum { PREFETCHED_ITEMS = 4 };

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

/* A new order of ITEMS items. A batch that the last one began, by its last BEGUN items, goes on with others. */
static void reorder(struct sampler *s, int64_t *order, int64_t items, int64_t begun) {
    for (int64_t i = 0; i < items; i++) {
        int64_t end = i < s->batch - begun ? items - begun : items;
        int64_t other = i + (int64_t)random_below(&s->random, (uint64_t)(end - i));
        int64_t item = order[other];
        order[other] = order[i];
        order[i] = item;
    }
}

/* The order of the next pass. */
static void shuffle(struct sampler *s, int64_t begun) {
    if (begun == 0)
        random_permutation(&s->random, s->order, s->risk->items);
    else
        reorder(s, s->order, s->risk->items, begun);
}

/* The block after the present one. */
static void next_block(struct sampler *s) {
    if (s->end == s->risk->items) {
        reorder(s, s->order, s->end, 0);
        s->end = 0;
    }
    s->first = s->end;
    s->end += s->window->load(s->window, s->order + s->first, s->risk->items - s->first);
    s->rounds = SAMPLER_ROUNDS;
}

static int64_t draw_from_block(struct sampler *s) {
    if (s->place == s->end) {
        bool same = s->rounds > 0 && s->end - s->first >= s->batch;
        if (s->rounds == 0)
            next_block(s);
        s->rounds--;
        reorder(s, s->order + s->first, s->end - s->first, same ? s->begun : 0);
        s->place = s->first;
    }
    s->begun = (s->begun + 1) % s->batch;
    return s->order[s->place++];
}

static struct dataset_window *window_of(const struct risk *risk) {
    struct dataset_window *window =
        risk->scalar == NULL ? NULL : risk->scalar->design->data->window;
    return window != NULL && window->open_blocks != NULL && risk->item_weight == NULL ? window
                                                                                      : NULL;
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
    struct dataset_window *window = window_of(risk);
    bool ordered = risk->item_weight == NULL && (shuffles || batch > 1 || window != NULL);
    *s = (struct sampler){.risk = risk,
                          .shuffles = shuffles,
                          .place = risk->items,
                          .batch = batch,
                          .window = window,
                          .end = risk->items};
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
    if (window != NULL)
        return window->open_blocks(window, e);
    for (int i = 0; i < SAMPLER_AHEAD; i++)
        s->ring[i] = draw(s);
    return 0;
}

void sampler_free(struct sampler *s) {
    alias_free(&s->alias);
    free(s->order);
}

/* A block that was read is loaded again. */
static void visit_block(struct sampler *s, int64_t place, struct state *state) {
    int64_t items = s->risk->items;
    struct sampler before = *s;
    s->first = state_integer(state, s->first, 0, items);
    s->end = state_integer(state, s->end, s->first, items);
    s->rounds = state_integer(state, s->rounds, 0, SAMPLER_ROUNDS);
    if (s->place != place || s->first != before.first || s->end != before.end ||
        s->rounds != before.rounds)
        s->window->load(s->window, s->order + s->first, s->end - s->first);
}

void sampler_visit(struct sampler *s, struct state *state) {
    int64_t last = s->risk->items - 1, place = s->place;
    random_visit(&s->random, state);
    if (s->order != NULL)
        state_integers(state, s->order, s->risk->items, 0, last);
    s->place = state_integer(state, s->place, 0, s->risk->items);
    s->begun = state_integer(state, s->begun, 0, s->batch);
    state_integers(state, s->ring, SAMPLER_AHEAD, 0, last);
    s->drawn = (uint64_t)state_integer(state, (int64_t)s->drawn, 0, INT64_MAX);
    if (s->window != NULL)
        visit_block(s, place, state);
}

int64_t sampler_take(struct sampler *s) {
    if (s->window != NULL)
        return draw_from_block(s);
    int64_t *slot = &s->ring[s->drawn++ % SAMPLER_AHEAD], item = *slot;
    *slot = draw(s);
    return item;
}

int64_t sampler_next(struct sampler *s) {
    if (s->window != NULL)
        return draw_from_block(s);
    const int64_t *slot = &s->ring[s->drawn % SAMPLER_AHEAD], item = sampler_take(s);
    s->risk->kind->prefetch(s->risk, *slot, true);
    s->risk->kind->prefetch(s->risk, s->ring[(s->drawn + PREFETCHED_ITEMS) % SAMPLER_AHEAD], false);
    return item;
}
