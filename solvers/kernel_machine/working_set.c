/* working_set.c - the choice of a subproblem's variables. */
#include "solvers/kernel_machine/working_set.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FRESH_LEAST = 10 };

static int reserve(struct working_set *set, struct error *e) {
    set->member = memory_new(2 * set->most, sizeof *set->member, "the working set", e);
    set->badness = memory_new(set->most, sizeof *set->badness, "the working set", e);
    if (set->member == NULL || set->badness == NULL)
        return -1;
    set->next = set->member + set->most;
    return 0;
}

int working_set_init(struct working_set *set, int64_t count, int64_t most, int64_t fresh,
                     struct error *e) {
    most = most < count ? most : count;
    *set = (struct working_set){.most = most, .fresh = fresh < most / 2 ? fresh : most - most / 2};
    set->within = memory_zeroed(count, sizeof *set->within, "the working set", e);
    return set->within == NULL ? -1 : reserve(set, e);
}

void working_set_free(struct working_set *set) {
    free(set->member);
    free(set->badness);
    free(set->within);
    *set = (struct working_set){0};
}

int working_set_grow(struct working_set *set, int64_t most, struct error *e) {
    int64_t *member = set->member, added = most - set->most;
    free(set->badness);
    set->fresh = set->fresh > added ? set->fresh : added;
    set->most = most;
    int status = reserve(set, e);
    if (status == 0)
        memcpy(set->member, member, sizeof *member * (size_t)set->size);
    free(member);
    return status;
}

/* ---- the largest violations, as a heap whose top is the least of them */

static void sift_down(double *key, int64_t *item, int64_t size, int64_t at) {
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= size)
            return;
        if (child + 1 < size && key[child + 1] < key[child])
            child++;
        if (key[at] <= key[child])
            return;
        double k = key[at];
        int64_t i = item[at];
        key[at] = key[child];
        item[at] = item[child];
        key[child] = k;
        item[child] = i;
        at = child;
    }
}

/* The up to `most` worst violators whose slope has the side's sign (0: both), into item[]; how many. */
static int64_t find_worst(struct working_set *set, const struct canonical *c, const double *z,
                          const double *h, int side, int64_t *item, int64_t most) {
    double *key = set->badness;
    int64_t size = 0;
    for (int64_t t = 0; t < c->count && most > 0; t++) {
        double slope = c->sign[t] * h[t % c->rows] + c->p[t];
        double v = violation(z[t], c->upper[t], slope);
        bool raises = slope * c->sign[t] < 0;
        if (v <= 0 || (size == most && v <= key[0]) || set->within[t] || (side > 0) != raises)
            continue;
        if (size < most) {
            key[size] = v;
            item[size++] = t;
            if (size == most)
                for (int64_t k = size / 2 - 1; k >= 0; k--)
                    sift_down(key, item, size, k);
        } else {
            key[0] = v;
            item[0] = t;
            sift_down(key, item, size, 0);
        }
    }
    return size;
}

/* ---- the set */

/* Which group a variable of the old set is in. */
static int group_of(const struct canonical *c, const double *z, int64_t t) {
    return z[t] <= 0 ? 1 : z[t] >= c->upper[t] ? 2 : 0;
}

static int64_t keep_old(struct working_set *set, const struct canonical *c, const double *z,
                        int64_t room) {
    int64_t kept = 0;
    for (int group = 0; group < 3; group++)
        for (int64_t k = 0; k < set->size && kept < room; k++)
            if (group_of(c, z, set->member[k]) == group)
                set->next[kept++] = set->member[k];
    return kept;
}

/* Both sides get half of the places, and what the other side leaves. */
static int64_t find_fresh(struct working_set *set, const struct canonical *c, const double *z,
                          const double *h, int64_t *item, int64_t most) {
    int64_t half = most - most / 2, raising = find_worst(set, c, z, h, 1, item, half);
    int64_t lowering = find_worst(set, c, z, h, -1, item + raising, most - raising);
    if (raising == half && raising + lowering < most) {
        memmove(item, item + raising, sizeof *item * (size_t)lowering);
        raising = find_worst(set, c, z, h, 1, item + lowering, most - lowering);
    }
    return raising + lowering;
}

static int64_t least_fresh(const struct working_set *set) {
    int64_t tenth = set->most / 10;
    return tenth > FRESH_LEAST ? tenth : FRESH_LEAST;
}

int64_t working_set_choose(struct working_set *set, const struct canonical *c, const double *z,
                           const double *h) {
    bool first = set->size == 0;
    int64_t most = first ? set->most : set->fresh;
    int64_t *fresh = set->next;
    int64_t found = find_fresh(set, c, z, h, fresh, most);
    memmove(set->next + set->most - found, fresh, sizeof *fresh * (size_t)found);
    int64_t kept = keep_old(set, c, z, set->most - found);
    memmove(set->next + kept, set->next + set->most - found, sizeof *fresh * (size_t)found);
    for (int64_t k = 0; k < set->size; k++)
        set->within[set->member[k]] = false;
    set->size = kept + found;
    memcpy(set->member, set->next, sizeof *set->member * (size_t)set->size);
    for (int64_t k = 0; k < set->size; k++)
        set->within[set->member[k]] = true;
    if (!first) {
        int64_t least = least_fresh(set), fall = found > least ? found : least;
        set->fresh = fall < set->fresh ? fall + fall % 2 : set->fresh;
    }
    return found;
}
