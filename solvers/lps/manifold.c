/* manifold.c - since when the iterates of dual averaging have had the same sign pattern. */
#include "solvers/lps/manifold.h"

#include "io/memory.h"

#include <stdlib.h>

int manifold_init(struct manifold *m, int64_t n, double l1, struct error *e) {
    static const char what[] = "the sign pattern";
    *m = (struct manifold){.n = n, .l1 = l1};
    m->sum = memory_zeroed(n, sizeof *m->sum, "the sum of gradients", e);
    m->sign = memory_zeroed(n, sizeof *m->sign, what, e);
    m->heap_index = memory_zeroed(n, sizeof *m->heap_index, what, e);
    m->heap = memory_new(n, sizeof *m->heap, what, e);
    m->touched = memory_new(n, sizeof *m->touched, what, e);
    m->is_touched = memory_zeroed(n, sizeof *m->is_touched, what, e);
    bool complete = m->sum != NULL && m->sign != NULL && m->heap_index != NULL && m->heap != NULL &&
                    m->touched != NULL && m->is_touched != NULL;
    return complete ? 0 : -1;
}

void manifold_free(struct manifold *m) {
    free(m->sum);
    free(m->sign);
    free(m->heap_index);
    free(m->heap);
    free(m->touched);
    free(m->is_touched);
    *m = (struct manifold){0};
}

/* ---- the heap */

static void heap_put(struct manifold *m, int64_t at, struct manifold_entry entry) {
    m->heap[at] = entry;
    m->heap_index[entry.i] = at + 1;
}

static void heap_rise(struct manifold *m, int64_t at, struct manifold_entry entry) {
    while (at > 0 && entry.size < m->heap[(at - 1) / 2].size) {
        heap_put(m, at, m->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(m, at, entry);
}

static void heap_sink(struct manifold *m, int64_t at, struct manifold_entry entry) {
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child + 1 < m->nonzeros && m->heap[child + 1].size < m->heap[child].size)
            child++;
        if (child >= m->nonzeros || !(m->heap[child].size < entry.size))
            break;
        heap_put(m, at, m->heap[child]);
        at = child;
    }
    heap_put(m, at, entry);
}

/* Adds component i, or lowers its entry to `size`. A larger size leaves the entry as it is: a lower bound. */
static void heap_insert(struct manifold *m, int64_t i, double size) {
    int64_t heap_index = m->heap_index[i];
    if (heap_index == 0)
        heap_rise(m, m->nonzeros++, (struct manifold_entry){size, i});
    else if (size < m->heap[heap_index - 1].size)
        heap_rise(m, heap_index - 1, (struct manifold_entry){size, i});
}

static void heap_remove(struct manifold *m, int64_t i) {
    int64_t at = m->heap_index[i] - 1;
    if (at < 0)
        return;
    m->heap_index[i] = 0;
    struct manifold_entry last = m->heap[--m->nonzeros];
    if (at == m->nonzeros)
        return;
    if (at > 0 && last.size < m->heap[(at - 1) / 2].size)
        heap_rise(m, at, last);
    else
        heap_sink(m, at, last);
}

/* ---- steps */

void manifold_touch(struct manifold *m, int64_t i, double sum) {
    m->sum[i] = sum;
    if (m->is_touched[i])
        return;
    m->is_touched[i] = true;
    m->touched[m->touched_count++] = i;
}

static void set_sign(struct manifold *m, int64_t i, int sign, int64_t t) {
    if (m->sign[i] != sign)
        m->last_change = t;
    m->sign[i] = (int8_t)sign;
}

/* Updates signs and heap for the components touched in step t. */
static void update_touched(struct manifold *m, int64_t t) {
    for (int64_t k = 0; k < m->touched_count; k++) {
        int64_t i = m->touched[k];
        double sum = m->sum[i];
        bool nonzero = manifold_is_nonzero(sum, m->l1, t);
        m->is_touched[i] = false;
        set_sign(m, i, !nonzero ? 0 : sum < 0 ? 1 : -1, t);
        if (nonzero)
            heap_insert(m, i, fabs(sum));
        else
            heap_remove(m, i);
    }
    m->touched_count = 0;
}

void manifold_begin(struct manifold *m, int64_t t) {
    for (int64_t i = 0; i < m->n; i++)
        if (manifold_is_nonzero(m->sum[i], m->l1, t)) {
            m->sign[i] = m->sum[i] < 0 ? 1 : -1;
            heap_insert(m, i, fabs(m->sum[i]));
        }
    m->last_change = t;
}

int64_t manifold_advance(struct manifold *m, int64_t t) {
    update_touched(m, t);
    while (m->nonzeros > 0 && !manifold_is_nonzero(m->heap[0].size, m->l1, t)) {
        int64_t i = m->heap[0].i;
        double size = fabs(m->sum[i]);
        if (manifold_is_nonzero(size, m->l1, t)) { /* |G_i| has grown: correct the entry */
            heap_sink(m, 0, (struct manifold_entry){size, i});
            continue;
        }
        set_sign(m, i, 0, t);
        heap_remove(m, i);
    }
    return m->last_change;
}
