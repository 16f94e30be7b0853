/* manifold.c - since when the iterates of dual averaging have had the same sign pattern. */
#include "solvers/lps/manifold.h"

#include "io/memory.h"

#include <stdlib.h>

int manifold_init(struct manifold *m, int64_t n, double l1, struct error *e) {
    static const char what[] = "the sign pattern";
    *m = (struct manifold){.n = n, .l1 = l1};
    m->sum = memory_zeroed(n, sizeof *m->sum, "the sum of gradients", e);
    m->sign = memory_zeroed(n, sizeof *m->sign, what, e);
    m->place = memory_zeroed(n, sizeof *m->place, what, e);
    m->heap = memory_new(n, sizeof *m->heap, what, e);
    m->touched = memory_new(n, sizeof *m->touched, what, e);
    m->listed = memory_zeroed(n, sizeof *m->listed, what, e);
    bool complete = m->sum != NULL && m->sign != NULL && m->place != NULL && m->heap != NULL &&
                    m->touched != NULL && m->listed != NULL;
    return complete ? 0 : -1;
}

void manifold_free(struct manifold *m) {
    free(m->sum);
    free(m->sign);
    free(m->place);
    free(m->heap);
    free(m->touched);
    free(m->listed);
    *m = (struct manifold){0};
}

/* ---- the heap */

static void put(struct manifold *m, int64_t at, struct manifold_death death) {
    m->heap[at] = death;
    m->place[death.i] = at + 1;
}

static void rise(struct manifold *m, int64_t at, struct manifold_death death) {
    while (at > 0 && death.size < m->heap[(at - 1) / 2].size) {
        put(m, at, m->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(m, at, death);
}

static void sink(struct manifold *m, int64_t at, struct manifold_death death) {
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child + 1 < m->alive && m->heap[child + 1].size < m->heap[child].size)
            child++;
        if (child >= m->alive || !(m->heap[child].size < death.size))
            break;
        put(m, at, m->heap[child]);
        at = child;
    }
    put(m, at, death);
}

/* A nonzero whose size became `size`: a larger one waits until the old one's time. */
static void keep(struct manifold *m, int64_t i, double size) {
    int64_t place = m->place[i];
    if (place == 0)
        rise(m, m->alive++, (struct manifold_death){size, i});
    else if (size < m->heap[place - 1].size)
        rise(m, place - 1, (struct manifold_death){size, i});
}

static void drop(struct manifold *m, int64_t i) {
    int64_t at = m->place[i] - 1;
    if (at < 0)
        return;
    m->place[i] = 0;
    struct manifold_death last = m->heap[--m->alive];
    if (at == m->alive)
        return;
    if (at > 0 && last.size < m->heap[(at - 1) / 2].size)
        rise(m, at, last);
    else
        sink(m, at, last);
}

/* ---- steps */

void manifold_touch(struct manifold *m, int64_t i, double sum) {
    m->sum[i] = sum;
    if (m->listed[i])
        return;
    m->listed[i] = true;
    m->touched[m->touched_count++] = i;
}

static void set_sign(struct manifold *m, int64_t i, int sign, int64_t t) {
    if (m->sign[i] != sign)
        m->changed = t;
    m->sign[i] = (int8_t)sign;
}

static void settle_touched(struct manifold *m, int64_t t) {
    for (int64_t k = 0; k < m->touched_count; k++) {
        int64_t i = m->touched[k];
        double sum = m->sum[i];
        bool alive = manifold_alive(sum, m->l1, t);
        m->listed[i] = false;
        set_sign(m, i, !alive ? 0 : sum < 0 ? 1 : -1, t);
        if (alive)
            keep(m, i, fabs(sum));
        else
            drop(m, i);
    }
    m->touched_count = 0;
}

void manifold_begin(struct manifold *m, int64_t t) {
    for (int64_t i = 0; i < m->n; i++)
        if (manifold_alive(m->sum[i], m->l1, t)) {
            m->sign[i] = m->sum[i] < 0 ? 1 : -1;
            keep(m, i, fabs(m->sum[i]));
        }
    m->changed = t;
}

int64_t manifold_advance(struct manifold *m, int64_t t) {
    settle_touched(m, t);
    while (m->alive > 0 && !manifold_alive(m->heap[0].size, m->l1, t)) {
        int64_t i = m->heap[0].i;
        double size = fabs(m->sum[i]);
        if (manifold_alive(size, m->l1, t)) { /* it had grown */
            sink(m, 0, (struct manifold_death){size, i});
            continue;
        }
        set_sign(m, i, 0, t);
        drop(m, i);
    }
    return m->changed;
}
