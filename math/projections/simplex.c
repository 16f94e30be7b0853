/* simplex.c - projections to a simplex, Euclidean and entropic. */
#include "math/projections/simplex.h"

#include "math/matrices/wide.h"
#include "math/select.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { CHUNK = 256 }; /* numbers that are added as doubles before their sum is added exactly */

static const double max_left =
    0.8; /* fraction of the weights: if a pivot leaves more, the next is an exact median */

static double largest_of(const double *x, int64_t n) {
    double largest = -INFINITY;
    for (int64_t i = 0; i < n; i++)
        largest = x[i] > largest ? x[i] : largest;
    return largest;
}

double simplex_multiplier(double *v, int64_t n, double total) {
    double largest = largest_of(v, n), depth = INFINITY;
    int64_t above = n, before;
    do {
        double sum = total;
        before = above;
        above = 0;
        for (int64_t i = 0; i < before; i++)
            if (largest - v[i] < depth || v[i] == largest) {
                sum += largest - v[i];
                v[above++] = v[i];
            }
        n = depth < INFINITY ? before : n + 1; /* the first pass drops none */
        depth = sum / (double)above;
    } while (above < n);
    return largest - depth;
}

/* The weights whose side is known: `capped` at the top, below them those up to e^reference, whose sum
 * is `below` e^reference. */
struct partition {
    int64_t capped;
    double reference, below;
};

/* The sum of e^(v - reference). */
static double sum_weights(const double *v, int64_t n, double reference) {
    struct wide sum = {0};
    for (int64_t start = 0; start < n; start += CHUNK) {
        double chunk_sum = 0;
        for (int64_t i = start; i < start + CHUNK && i < n; i++)
            chunk_sum += exp(v[i] - reference);
        sum = wide_add(sum, wide_of(chunk_sum));
    }
    return sum.hi;
}

/* Permutes v, n > 0 finite log-weights, the largest of them the first pivot. Without a cap that holds
 * the first round is the last. */
static struct partition find_partition(double *v, int64_t n, double largest, double top) {
    struct partition partition = {0, -INFINITY, 0};
    double pivot = largest;
    bool first = true, failed = false;
    while (n > 0) {
        int64_t before = n, smaller, equal;
        select_split(v, n, pivot, &smaller, &equal);
        int64_t larger = n - smaller - equal;
        double below = sum_weights(v, smaller, pivot) + (double)equal;
        if (partition.below > 0)
            below += partition.below * exp(partition.reference - pivot);
        if (fma(-top, (double)(partition.capped + larger), 1) > top * below) {
            partition.capped += larger + equal;
            n = smaller;
        } else {
            partition = (struct partition){partition.capped, pivot, below};
            v += smaller + equal;
            n = larger;
        }
        failed = !first && (double)n > max_left * (double)before;
        first = false;
        if (n > 0)
            pivot = failed ? select_smallest(v, n, n / 2, NULL) : select_sample(v, n);
    }
    return partition;
}

/* The finite ones at the top; the others share what is left. */
static void write_ends(double *w, int64_t n, int64_t finite, double top) {
    double left = fmax(fma(-top, (double)finite, 1), 0) / (double)(n - finite);
    for (int64_t i = 0; i < n; i++)
        w[i] = w[i] > -INFINITY ? top : left;
}

void simplex_cap(double *w, int64_t n, double top, double *work) {
    int64_t finite = 0;
    for (int64_t i = 0; i < n; i++) {
        work[finite] = w[i];
        finite += w[i] > -INFINITY;
    }
    bool one_way = top * (double)n <= 1 || finite == 0;
    for (int64_t i = 0; i < n && one_way; i++)
        w[i] = 1 / (double)n;
    if (one_way)
        return;
    if (top * (double)finite <= 1 && finite < n) {
        write_ends(w, n, finite, top);
        return;
    }
    struct partition partition = find_partition(work, finite, largest_of(work, finite), top);
    double factor = fma(-top, (double)partition.capped, 1) / partition.below;
    for (int64_t i = 0; i < n; i++)
        w[i] =
            w[i] > partition.reference ? top : fmin(top, factor * exp(w[i] - partition.reference));
}
