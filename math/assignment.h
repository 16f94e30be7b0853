/* assignment.h - the best permutation of n things over n places:
 *
 *     maximize over permutations pi:  sum_j  c_j f_pi(j) + d_j g_pi(j)
 *
 * where c and f fall with their numbers and d_j = 0 from j = top on, as in rankings of which only the
 * first `top` places earn something. Without d the things stand in their own order (rearrangement), and
 * prices that prove it are sums: v_(k-1) = v_k + c_k (f_(k-1) - f_k). That is the start for all places from
 * `top` on; each of the first is added by a shortest augmenting path over slacks
 * u_j + v_k - (c_j f_k + d_j g_k) >= 0, by Dijkstra's algorithm, and prices that keep them.
 *
 * Reference: Jonker & Volgenant 1987, "A shortest augmenting path algorithm for dense and sparse linear
 * assignment problems", Computing 38. Cost: O(top n^2) at worst, O(n) for each thing that a path search
 * visits, which are few where the places differ little from the order of f. */
#ifndef RRM_ASSIGNMENT_H
#define RRM_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct assignment {
    int64_t n, top;             /* top <= n */
    const double *c, *f, *g;    /* n */
    const double *d;            /* top */
    bool (*stop)(void *opaque); /* asked for each of the first places; NULL: never */
    void *opaque;
};

/* What place j earns with thing k. */
static inline double assignment_gain(const struct assignment *a, int64_t j, int64_t k) {
    return a->c[j] * a->f[k] + (j < a->top ? a->d[j] * a->g[k] : 0);
}

/* place[j]: the thing at place j; price: v above (n). WORK: assignment_work_bytes(n) bytes, as aligned as
 * doubles. False when it was stopped: then the result is of no use. */
bool assignment_solve(const struct assignment *a, int64_t *place, double *price, void *work);
size_t assignment_work_bytes(int64_t n);

#endif
