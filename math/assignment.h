/* assignment.h - the linear assignment problem of rankings, the best permutation of n objects over n positions:
 *
 *     maximize over permutations pi:  sum_j  c_j f_pi(j) + d_j g_pi(j)
 *
 * where c and f fall with their indices and d_j = 0 for j >= top: only the first `top` positions of a ranking count.
 * Without d the identity is optimal (rearrangement inequality), with dual prices v_(k-1) = v_k +
 * c_k (f_(k-1) - f_k). That is the start for the positions from `top` on; each of the first `top` is added by a
 * shortest augmenting path over the slacks u_j + v_k - (c_j f_k + d_j g_k) >= 0, by Dijkstra's algorithm.
 *
 * Reference: Jonker & Volgenant 1987, "A shortest augmenting path algorithm for dense and sparse linear
 * assignment problems", Computing 38. Cost: O(top n^2) in the worst case, O(n) for each object that a path search
 * visits; these are few if the solution is close to the order of f. */
#ifndef RRM_ASSIGNMENT_H
#define RRM_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct assignment {
    int64_t n, top;             /* top <= n */
    const double *c, *f, *g;    /* n */
    const double *d;            /* top */
    bool (*stop)(void *opaque); /* called for each of the first `top` positions; NULL: never */
    void *opaque;
};

/* The gain of object k at position j. */
static inline double assignment_gain(const struct assignment *a, int64_t j, int64_t k) {
    return a->c[j] * a->f[k] + (j < a->top ? a->d[j] * a->g[k] : 0);
}

/* object[j]: the object at position j; price: v above (n). WORK: assignment_work_bytes(n) bytes, aligned for
 * doubles. False if it was stopped: then the result is invalid. */
bool assignment_solve(const struct assignment *a, int64_t *object, double *price, void *work);
size_t assignment_work_bytes(int64_t n);

#endif
