/* working_set.c - the choice of a subproblem's variables. */
#include "solvers/kernel_machine/working_set.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_NEW = 10 }; /* the smallest n_c */

static int reserve(struct working_set *set, struct error *e) {
    set->member = memory_new(2 * set->capacity, sizeof *set->member, "the working set", e);
    set->violation = memory_new(set->capacity, sizeof *set->violation, "the working set", e);
    if (set->member == NULL || set->violation == NULL)
        return -1;
    set->next = set->member + set->capacity;
    return 0;
}

int working_set_init(struct working_set *set, int64_t count, int64_t capacity, int64_t max_new,
                     struct error *e) {
    capacity = capacity < count ? capacity : count;
    *set =
        (struct working_set){.capacity = capacity,
                             .max_new = max_new < capacity / 2 ? max_new : capacity - capacity / 2};
    set->is_member = memory_zeroed(count, sizeof *set->is_member, "the working set", e);
    return set->is_member == NULL ? -1 : reserve(set, e);
}

void working_set_free(struct working_set *set) {
    free(set->member);
    free(set->violation);
    free(set->is_member);
    *set = (struct working_set){0};
}

int working_set_grow(struct working_set *set, int64_t capacity, struct error *e) {
    int64_t *member = set->member, added = capacity - set->capacity;
    free(set->violation);
    set->max_new = set->max_new > added ? set->max_new : added;
    set->capacity = capacity;
    int status = reserve(set, e);
    if (status == 0)
        memcpy(set->member, member, sizeof *member * (size_t)set->size);
    free(member);
    return status;
}

void working_set_visit(struct working_set *set, int64_t count, struct state *state) {
    set->size = state_integer(state, set->size, 0, set->capacity);
    set->max_new = state_integer(state, set->max_new, 0, set->capacity);
    state_integers(state, set->member, set->size, 0, count - 1);
    for (int64_t k = 0; k < set->size; k++)
        set->is_member[set->member[k]] = true;
}

/* ---- the largest violations, as a heap with the smallest of them on top */

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

/* item[] = up to `limit` variables outside the set with the largest violations, of those that would raise
 * theta (side > 0) or of those that would lower it. Returns their number. */
static int64_t find_violators(struct working_set *set, const struct canonical *c, const double *z,
                              const double *h, int side, int64_t *item, int64_t limit) {
    double *key = set->violation;
    int64_t size = 0;
    for (int64_t t = 0; t < c->count && limit > 0; t++) {
        double slope = c->sign[t] * h[t % c->rows] + c->p[t];
        double v = violation(z[t], c->upper[t], slope);
        bool raises = slope * c->sign[t] < 0;
        if (v <= 0 || (size == limit && v <= key[0]) || set->is_member[t] || (side > 0) != raises)
            continue;
        if (size < limit) {
            key[size] = v;
            item[size++] = t;
            if (size == limit)
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

/* The group of a variable of the old set: 0 free, 1 at 0, 2 at C. */
static int group_of(const struct canonical *c, const double *z, int64_t t) {
    return z[t] <= 0 ? 1 : z[t] >= c->upper[t] ? 2 : 0;
}

/* item[] = the variables of the old set that stay, at most `limit`; returns their number. */
static int64_t keep_old(const struct working_set *set, const struct canonical *c, const double *z,
                        int64_t *item, int64_t limit) {
    int64_t kept = 0;
    for (int group = 0; group < 3; group++)
        for (int64_t k = 0; k < set->size && kept < limit; k++)
            if (group_of(c, z, set->member[k]) == group)
                item[kept++] = set->member[k];
    return kept;
}

/* item[] = up to `limit` new variables: half that raise theta, half that lower it; if there are too few of
 * one kind, more of the other. Returns their number. */
static int64_t find_new(struct working_set *set, const struct canonical *c, const double *z,
                        const double *h, int64_t *item, int64_t limit) {
    int64_t half = limit - limit / 2, raising = find_violators(set, c, z, h, 1, item, half);
    int64_t lowering = find_violators(set, c, z, h, -1, item + raising, limit - raising);
    if (raising == half && raising + lowering < limit) {
        memmove(item, item + raising, sizeof *item * (size_t)lowering);
        raising = find_violators(set, c, z, h, 1, item + lowering, limit - lowering);
    }
    return raising + lowering;
}

/* The value below which n_c does not fall. */
static int64_t min_new(const struct working_set *set) {
    int64_t tenth = set->capacity / 10;
    return tenth > MIN_NEW ? tenth : MIN_NEW;
}

int64_t working_set_choose(struct working_set *set, const struct canonical *c, const double *z,
                           const double *h) {
    bool is_first_set = set->size == 0;
    int64_t limit = is_first_set ? set->capacity : set->max_new;
    int64_t *new_item = set->next;
    int64_t found = find_new(set, c, z, h, new_item, limit);
    int64_t kept = keep_old(set, c, z, new_item + found, set->capacity - found);
    for (int64_t k = 0; k < set->size; k++)
        set->is_member[set->member[k]] = false;
    set->size = kept + found;
    memcpy(set->member, set->next, sizeof *set->member * (size_t)set->size);
    for (int64_t k = 0; k < set->size; k++)
        set->is_member[set->member[k]] = true;
    if (!is_first_set) {
        int64_t lowest = min_new(set), next_max = found > lowest ? found : lowest;
        set->max_new = next_max < set->max_new ? next_max + next_max % 2 : set->max_new;
    }
    return found;
}
