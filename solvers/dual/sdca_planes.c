/* sdca_planes.c - dual variables of losses with kinks: d_i is a convex combination of planes of l_i.
 *
 * A visit to an item finds the plane of its loss at the local scores u, and keeps it. A pairwise step moves weight
 * from the plane a of least value that has weight to the plane b of largest value, values s_c = <d_c, u> + t_c:
 *
 *     gamma = min(weight of a, (s_b - s_a)/(S ||A'(d_b - d_a)||^2)),
 *
 * the exact maximizer of the dual along this direction. Several such steps on the planes that are kept follow each
 * call of the oracle; they need the local scores alone. The first plane is (0, 0), of the true output.
 *
 * References: Lacoste-Julien, Jaggi, Schmidt & Pletscher 2013, ICML; Osokin, Alayrac, Lukasewitz, Dokania &
 * Lacoste-Julien 2016, ICML (pairwise steps, kept planes). */
#include "solvers/dual/sdca.h"

#include "io/memory.h"
#include "math/dense.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT_PLANES = 24,   /* from here on, those without weight are dropped */
    STEPS_PER_PLANE = 8 /* after a plane is found */
};

static const double gap_left = 0.1; /* of a gap: what an inner loop may leave of it */

struct plane {
    double weight, t;
    int64_t start, count; /* of its derivatives */
};

struct item_planes {
    int64_t count, capacity, used, used_capacity;
    struct plane *plane;
    int32_t *index; /* ascending within a plane */
    double *value;
};

struct planes_of_items {
    struct item_planes *item;
    struct local_change change;
    double *total; /* the changes of a visit, a local vector */
    double *image; /* scratch memory of a step, a local vector */
};

static struct item_planes *planes_of(const struct sdca *s, int64_t i) {
    return &((struct planes_of_items *)s->duals)->item[i];
}

static double bytes(const struct sdca *s) {
    double plane = sizeof(struct plane) + 32 * (sizeof(int32_t) + sizeof(double));
    return (double)s->problem->risk->items * (sizeof(struct item_planes) + KEPT_PLANES * plane);
}

static void free_planes(struct sdca *s) {
    struct planes_of_items *all = s->duals;
    if (all == NULL)
        return;
    for (int64_t i = 0; all->item != NULL && i < s->problem->risk->items; i++) {
        free(all->item[i].plane);
        free(all->item[i].index);
        free(all->item[i].value);
    }
    free(all->item);
    local_change_free(&all->change);
    free(all->total);
    free(all->image);
    free(all);
    s->duals = NULL;
}

/* ---- the planes of an item */

/* Memory for one more plane of COUNT derivatives, and for one derivative at least: the arrays are never NULL. */
static int reserve(struct item_planes *p, int64_t count, struct error *e) {
    const char *what = "planes";
    int64_t capacity = p->used_capacity;
    return memory_reserve((void **)&p->plane, &p->capacity, p->count + 1, sizeof *p->plane, what,
                          e) != 0 ||
                   memory_reserve((void **)&p->index, &capacity, p->used + count + 1,
                                  sizeof *p->index, what, e) != 0 ||
                   memory_reserve((void **)&p->value, &p->used_capacity, p->used + count + 1,
                                  sizeof *p->value, what, e) != 0
               ? -1
               : 0;
}

/* Removes the planes without weight but for the first. */
static void drop(struct item_planes *p) {
    int64_t kept = 0, used = 0;
    for (int64_t c = 0; c < p->count; c++) {
        struct plane *plane = &p->plane[c];
        if (c > 0 && plane->weight == 0)
            continue;
        memmove(p->index + used, p->index + plane->start, sizeof *p->index * (size_t)plane->count);
        memmove(p->value + used, p->value + plane->start, sizeof *p->value * (size_t)plane->count);
        plane->start = used;
        used += plane->count;
        p->plane[kept++] = *plane;
    }
    p->count = kept;
    p->used = used;
}

static bool is_same(const struct item_planes *p, const struct plane *a, const struct plane *b) {
    size_t count = (size_t)a->count;
    return a->count == b->count &&
           memcmp(p->index + a->start, p->index + b->start, sizeof *p->index * count) == 0 &&
           memcmp(p->value + a->start, p->value + b->start, sizeof *p->value * count) == 0;
}

/* Appends the plane with the derivatives d, n of them, and the constant T, unless it is there. Its place, or -1 with
 * the error set. */
static int64_t add(struct item_planes *p, const double *d, int64_t n, double t, struct error *e) {
    int64_t count = vector_nonzeros(d, n);
    if (p->count >= KEPT_PLANES)
        drop(p);
    if (reserve(p, count, e) != 0)
        return -1;
    struct plane plane = {.t = t, .start = p->used, .count = count};
    for (int64_t k = 0, at = p->used; k < n; k++)
        if (d[k] != 0) {
            p->index[at] = (int32_t)k;
            p->value[at++] = d[k];
        }
    for (int64_t c = 0; c < p->count; c++)
        if (is_same(p, &p->plane[c], &plane))
            return c;
    p->used += count;
    p->plane[p->count] = plane;
    return p->count++;
}

static int init(struct sdca *s, struct error *e) {
    int64_t items = s->problem->risk->items;
    struct planes_of_items *all = s->duals = memory_zeroed(1, sizeof *all, "planes", e);
    if (all == NULL || local_change_init(&all->change, s->local.max_size, e) != 0)
        return -1;
    all->item = memory_zeroed(items, sizeof *all->item, "planes", e);
    all->total = memory_new(s->local.max_size, sizeof *all->total, "planes", e);
    all->image = memory_new(s->local.max_size, sizeof *all->image, "planes", e);
    if (all->item == NULL || all->total == NULL || all->image == NULL)
        return -1;
    for (int64_t i = 0; i < items; i++) {
        if (add(&all->item[i], NULL, 0, 0, e) < 0)
            return -1;
        all->item[i].plane[0].weight = 1;
    }
    return 0;
}

/* <d_c, u> + t_c */
static double value_at(const struct item_planes *p, const struct plane *plane, const double *u) {
    return plane->t + sparse_dot(u, p->index + plane->start, p->value + plane->start, plane->count);
}

/* change = d_b - d_a */
static void differ(const struct item_planes *p, const struct plane *a, const struct plane *b,
                   struct local_change *change) {
    int64_t at = a->start, bt = b->start, a_end = at + a->count, b_end = bt + b->count, n = 0;
    while (at < a_end || bt < b_end) {
        bool take_a = at < a_end && (bt == b_end || p->index[at] <= p->index[bt]);
        bool take_b = bt < b_end && (at == a_end || p->index[bt] <= p->index[at]);
        int32_t index = take_a ? p->index[at] : p->index[bt];
        double value = (take_b ? p->value[bt] : 0) - (take_a ? p->value[at] : 0);
        at += take_a;
        bt += take_b;
        if (value != 0) {
            change->index[n] = index;
            change->value[n++] = value;
        }
    }
    change->count = n;
}

/* ---- a visit */

struct extremes {
    int64_t best, worst; /* planes of largest value, and of least value among those with weight */
    double best_value, worst_value, mean;
};

static struct extremes find_extremes(const struct item_planes *p, const double *u) {
    struct extremes x = {.best_value = -INFINITY, .worst_value = INFINITY};
    for (int64_t c = 0; c < p->count; c++) {
        const struct plane *plane = &p->plane[c];
        double value = value_at(p, plane, u);
        x.mean += plane->weight > 0 ? plane->weight * value : 0;
        if (value > x.best_value)
            x.best = c, x.best_value = value;
        if (plane->weight > 0 && value < x.worst_value)
            x.worst = c, x.worst_value = value;
    }
    return x;
}

/* A pairwise step; `total` collects the changes. */
static void pairwise_step(struct sdca *s, int64_t i, const struct extremes *x) {
    struct planes_of_items *all = s->duals;
    struct item_planes *p = &all->item[i];
    struct local_change *change = &all->change;
    struct plane *a = &p->plane[x->worst], *b = &p->plane[x->best];
    differ(p, a, b, change);
    items_local_find_rows(&s->local, i, change);
    double curvature = sdca_step(s, i) * items_local_image(&s->local, i, change, all->image);
    double gamma = (x->best_value - x->worst_value) / curvature;
    if (!(gamma < a->weight))
        gamma = a->weight;
    b->weight += gamma;
    a->weight = gamma == a->weight ? 0 : a->weight - gamma;
    vector_add_wide(s->u, -gamma * sdca_step(s, i), all->image, items_local_size(&s->local, i));
    for (int64_t e = 0; e < change->count; e++)
        all->total[change->index[e]] += gamma * change->value[e];
}

/* Steps on the planes that are kept, until little of the gap is left. */
static void take_steps(struct sdca *s, int64_t i, double gap) {
    for (int q = 0; q < STEPS_PER_PLANE; q++) {
        const struct extremes x = find_extremes(planes_of(s, i), s->u);
        if (x.best_value - x.mean <= gap_left * gap || !(x.best_value > x.worst_value))
            return;
        pairwise_step(s, i, &x);
    }
}

static int visit(struct sdca *s, int64_t i, struct error *e) {
    struct item_planes *p = planes_of(s, i);
    int64_t n = items_local_size(&s->local, i);
    double *total = ((struct planes_of_items *)s->duals)->total;
    items_local_scores(&s->local, i, s->w, s->u);
    memset(total, 0, sizeof *total * (size_t)n);
    for (int64_t r = 0; r < s->rounds; r++) {
        items_local_prepare(&s->local, i, s->u);
        double value = items_local_value(&s->local, i, s->u, s->d, 0);
        double gap = value - find_extremes(p, s->u).mean;
        if (isnan(value) || (r > 0 && gap <= gap_left * s->gap[i]))
            break;
        if (r == 0)
            s->gap[i] = gap;
        if (!(gap > 0))
            break;
        if (add(p, s->d, n, value - vector_dot(s->d, s->u, n), e) < 0)
            return -1;
        take_steps(s, i, gap);
    }
    items_local_add(&s->local, i, -sdca_step(s, i), total, s->w);
    return 0;
}

static double revisit(struct sdca *s, int64_t i) {
    struct item_planes *p = planes_of(s, i);
    double *total = ((struct planes_of_items *)s->duals)->total;
    if (p->count == 1)
        return 0;
    items_local_scores(&s->local, i, s->w, s->u);
    const struct extremes x = find_extremes(p, s->u);
    double gap = x.best_value - x.mean;
    if (!(gap > 0))
        return 0;
    memset(total, 0, sizeof *total * (size_t)items_local_size(&s->local, i));
    take_steps(s, i, gap);
    items_local_add(&s->local, i, -sdca_step(s, i), total, s->w);
    return gap;
}

static int keep(struct sdca *s, int64_t i, const double *u, const double *d, double value,
                struct error *e) {
    int64_t n = items_local_size(&s->local, i);
    return add(planes_of(s, i), d, n, value - vector_dot(d, u, n), e) < 0 ? -1 : 0;
}

/* ---- what is known of the duals */

static double linear(const struct sdca *s, int64_t i, const double *u, double *t) {
    const struct item_planes *p = planes_of(s, i);
    double sum = 0;
    *t = 0;
    for (int64_t c = 0; c < p->count; c++) {
        const struct plane *plane = &p->plane[c];
        if (plane->weight > 0) {
            *t += plane->weight * plane->t;
            sum += plane->weight * (value_at(p, plane, u) - plane->t);
        }
    }
    return sum;
}

static void derivative(const struct sdca *s, int64_t i, double *d) {
    const struct item_planes *p = planes_of(s, i);
    memset(d, 0, sizeof *d * (size_t)items_local_size(&s->local, i));
    for (int64_t c = 0; c < p->count; c++) {
        const struct plane *plane = &p->plane[c];
        if (plane->weight > 0)
            sparse_add(d, plane->weight, p->index + plane->start, p->value + plane->start,
                       plane->count);
    }
}

static int set(struct sdca *s, int64_t i, const double *u, const double *d, double value,
               struct error *e) {
    struct item_planes *p = planes_of(s, i);
    int64_t n = items_local_size(&s->local, i);
    int64_t newest = add(p, d, n, value - vector_dot(d, u, n), e);
    if (newest < 0)
        return -1;
    p->plane[0].weight = 0;
    p->plane[newest].weight = 1;
    return 0;
}

/* The planes of an item; those that are read replace those of the start. N: its local scores. */
static void list_item(struct item_planes *p, int64_t n, struct state *state) {
    const size_t listed = 2 * (sizeof(double) + sizeof(int64_t)); /* bytes of a plane */
    /* those with weight stay, also beyond KEPT_PLANES */
    int64_t count = state_integer(state, p->count, 1, INT32_MAX);
    int64_t used = state_integer(state, p->used, 0, count * n);
    if (!state_holds(state, count, listed) ||
        !state_holds(state, used, sizeof *p->index + sizeof *p->value))
        return;
    if (state_reads(state)) {
        p->count = p->used = 0;
        if (memory_reserve((void **)&p->plane, &p->capacity, count, sizeof *p->plane, "planes",
                           state_cause(state)) != 0 ||
            reserve(p, used, state_cause(state)) != 0) {
            state_fail(state);
            return;
        }
    }
    p->count = count;
    p->used = used;
    for (int64_t c = 0; c < count; c++) {
        struct plane *plane = &p->plane[c];
        STATE_REALS(state, &plane->weight, &plane->t);
        plane->start = state_integer(state, plane->start, 0, used);
        plane->count = state_integer(state, plane->count, 0, used - plane->start);
    }
    state_ints(state, p->index, used, 0, (int)n - 1);
    state_doubles(state, p->value, used);
}

static void list(struct sdca *s, struct state *state) {
    struct planes_of_items *all = s->duals;
    for (int64_t i = 0; i < s->problem->risk->items && !state_failed(state); i++)
        list_item(&all->item[i], items_local_size(&s->local, i), state);
}

const struct sdca_form sdca_planes = {bytes, init,   free_planes, visit, revisit,
                                      keep,  linear, derivative,  list,  set};
