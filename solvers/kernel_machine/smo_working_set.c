/* smo_working_set.c - the variables of a subproblem. */
#include "solvers/kernel_machine/smo_working_set.h"

#include "io/memory.h"
#include "math/select.h"

#include <stdlib.h>
#include <string.h>

int smo_working_set_init(struct smo_working_set *set, int64_t count, int64_t capacity, double *work,
                         struct error *e) {
    *set = (struct smo_working_set){.count = count, .key = work};
    set->is_member = memory_zeroed(count, sizeof *set->is_member, "the working set", e);
    return set->is_member == NULL ? -1 : smo_working_set_grow(set, capacity, e);
}

int smo_working_set_grow(struct smo_working_set *set, int64_t capacity, struct error *e) {
    if (memory_resize((void **)&set->member, capacity, sizeof *set->member, "the working set", e) !=
            0 ||
        memory_resize((void **)&set->next, capacity, sizeof *set->next, "the working set", e) != 0)
        return -1;
    set->capacity = capacity;
    return 0;
}

void smo_working_set_free(struct smo_working_set *set) {
    free(set->member);
    free(set->next);
    free(set->is_member);
    *set = (struct smo_working_set){0};
}

void smo_working_set_visit(struct smo_working_set *set, struct state *state) {
    set->size =
        state_integer(state, set->size, 0, set->capacity < set->count ? set->capacity : set->count);
    state_integers(state, set->member, set->size, 0, set->count - 1);
    for (int64_t k = 0; k < set->size; k++) {
        if (state_reads(state) && set->is_member[set->member[k]])
            state_fail(state); /* twice */
        set->is_member[set->member[k]] = true;
    }
}

/* Whether variable t is new and can move towards `side`; *key = the smaller, the more it violates. */
static bool is_candidate(const struct smo_working_set *set, const double *g, const uint8_t *moves,
                         int side, double limit, int64_t t, double *key) {
    *key = side == SMO_CAN_RISE ? -g[t] : g[t];
    return (moves[t] & side) && !set->is_member[t] && *key < limit;
}

/* Adds to `next` up to `count` new variables with the smallest keys, in the order of their numbers. Returns how
 * many. */
static int64_t add_violators(struct smo_working_set *set, const double *g, const uint8_t *moves,
                             int side, double limit, int64_t count, int64_t from) {
    int64_t found = 0, added = 0, ties;
    double key, last;
    for (int64_t t = 0; t < set->count; t++)
        if (is_candidate(set, g, moves, side, limit, t, &key))
            set->key[found++] = key;
    if (found == 0 || count <= 0)
        return 0;
    count = found < count ? found : count;
    last = select_smallest(set->key, found, count - 1, NULL);
    ties = count;
    for (int64_t k = 0; k < count; k++)
        ties -= set->key[k] < last;
    for (int64_t t = 0; t < set->count && added < count; t++)
        if (is_candidate(set, g, moves, side, limit, t, &key) &&
            (key < last || (key == last && ties-- > 0))) {
            set->is_member[t] = true;
            set->next[from + added++] = t;
        }
    return added;
}

/* Adds old members that are free, or that are not, while there is space. Returns the new size. */
static int64_t keep_old(struct smo_working_set *set, const uint8_t *moves, bool free_ones,
                        int64_t size) {
    for (int64_t k = 0; k < set->size && size < set->capacity; k++) {
        int64_t t = set->member[k];
        if ((moves[t] == (SMO_CAN_RISE | SMO_CAN_FALL)) == free_ones)
            set->next[size++] = t;
    }
    return size;
}

int64_t smo_working_set_choose(struct smo_working_set *set, const double *g, const uint8_t *moves,
                               double highest, double lowest) {
    int64_t half = (set->size == 0 ? set->capacity : set->capacity / 2) / 2, added, size;
    half = half > 1 ? half : 1;
    added = add_violators(set, g, moves, SMO_CAN_RISE, -lowest, half, 0);
    added += add_violators(set, g, moves, SMO_CAN_FALL, highest, half, added);
    size = keep_old(set, moves, true, added);
    size = keep_old(set, moves, false, size);
    for (int64_t k = 0; k < set->size; k++)
        set->is_member[set->member[k]] = false;
    for (int64_t k = 0; k < size; k++)
        set->is_member[set->next[k]] = true;
    int64_t *member = set->member;
    set->member = set->next;
    set->next = member;
    set->size = size;
    return added;
}
