/* assignment.c - shortest augmenting paths; see assignment.h. */
#include "math/assignment.h"

#include <math.h>
#include <string.h>

enum { FREE = -1 };

struct search {
    const struct assignment *a;
    int64_t *object; /* of each position, its object */
    int64_t *owner;  /* of each object, its position, or FREE */
    int64_t *before; /* of each object, the position before it on its shortest path */
    int64_t *order;  /* the objects: first those that the search visited, then the others */
    double *price, *distance;
};

size_t assignment_work_bytes(int64_t n) {
    return (size_t)n * (3 * sizeof(int64_t) + sizeof(double));
}

static void start(struct search *s) {
    const struct assignment *a = s->a;
    s->price[a->n - 1] = 0;
    for (int64_t k = a->n - 1; k > 0; k--)
        s->price[k - 1] = s->price[k] + a->c[k] * (a->f[k - 1] - a->f[k]);
    for (int64_t k = 0; k < a->n; k++)
        s->owner[k] = s->object[k] = k < a->top ? FREE : k;
}

/* Relaxes the edges from position J to the objects that are not visited: the path by J to object k has the length
 * BASE + v_k - gain of k at J. Returns the index in `order` of the nearest object; of equally near ones a free one. */
static int64_t reach(struct search *s, int64_t j, double base, int64_t visited) {
    const struct assignment *a = s->a;
    double c = a->c[j], d = j < a->top ? a->d[j] : 0, best = INFINITY;
    int64_t nearest = visited;
    for (int64_t p = visited; p < a->n; p++) {
        int64_t k = s->order[p];
        double way = base + s->price[k] - (c * a->f[k] + d * a->g[k]);
        if (way < s->distance[k]) {
            s->distance[k] = way;
            s->before[k] = j;
        }
        if (s->distance[k] < best || (s->distance[k] == best && s->owner[k] == FREE)) {
            best = s->distance[k];
            nearest = p;
        }
    }
    return nearest;
}

/* Augments along the path from ROOT to object K: each position on it takes the object after it. */
static void augment(struct search *s, int64_t k, int64_t root) {
    for (;;) {
        int64_t j = s->before[k], passed_on = s->object[j];
        s->owner[k] = j;
        s->object[j] = k;
        if (j == root)
            return;
        k = passed_on;
    }
}

/* Assigns an object to position ROOT, by a shortest augmenting path from it; updates the prices. */
static void add_place(struct search *s, int64_t root) {
    int64_t n = s->a->n, visited = 0, j = root, k;
    double base = 0;
    for (k = 0; k < n; k++) {
        s->distance[k] = INFINITY;
        s->order[k] = k;
        s->before[k] = root; /* also of objects at infinite distance */
    }
    for (;;) {
        int64_t nearest = reach(s, j, base, visited);
        k = s->order[nearest];
        s->order[nearest] = s->order[visited];
        s->order[visited++] = k;
        j = s->owner[k];
        if (j == FREE)
            break;
        base = s->distance[k] - (s->price[k] - assignment_gain(s->a, j, k));
    }
    for (int64_t p = 0; p + 1 < visited; p++)
        s->price[s->order[p]] += s->distance[k] - s->distance[s->order[p]];
    augment(s, k, root);
}

bool assignment_solve(const struct assignment *a, int64_t *object, double *price, void *work) {
    int64_t *owner = work;
    struct search s = {.a = a,
                       .object = object,
                       .owner = owner,
                       .before = owner + a->n,
                       .order = owner + 2 * a->n,
                       .price = price,
                       .distance = (double *)(void *)(owner + 3 * a->n)};
    if (a->n == 0)
        return true;
    start(&s);
    for (int64_t j = 0; j < a->top; j++) {
        if (a->stop != NULL && a->stop(a->opaque))
            return false;
        add_place(&s, j);
    }
    return true;
}
