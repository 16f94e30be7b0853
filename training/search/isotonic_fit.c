/* isotonic_fit.c - isotonic regression by pooling adjacent violators. */
#include "training/search/isotonic_fit.h"

#include "io/memory.h"

#include <stdlib.h>

/* Neighbours with one value: the mean of their targets. */
struct pool {
    double first, last; /* scores */
    double sum;         /* of targets */
    int64_t weight;
};

static int compare(const void *a, const void *b) {
    double x = ((const struct pool *)a)->first, y = ((const struct pool *)b)->first;
    return (x > y) - (x < y);
}

static double mean(const struct pool *pool) {
    return pool->sum / (double)pool->weight;
}

static void join(struct pool *pool, const struct pool *next) {
    pool->last = next->last;
    pool->sum += next->sum;
    pool->weight += next->weight;
}

/* Makes one point of equal scores. Returns the number of points. */
static int64_t join_ties(struct pool *pool, int64_t count) {
    int64_t kept = 0;
    for (int64_t i = 1; i < count; i++)
        if (pool[i].first == pool[kept].first)
            join(&pool[kept], &pool[i]);
        else
            pool[++kept] = pool[i];
    return kept + 1;
}

/* Returns the number of pools, whose means rise. */
static int64_t join_violators(struct pool *pool, int64_t count) {
    int64_t last = 0;
    for (int64_t i = 1; i < count; i++) {
        pool[++last] = pool[i];
        for (; last > 0 && mean(&pool[last - 1]) >= mean(&pool[last]); last--)
            join(&pool[last - 1], &pool[last]);
    }
    return last + 1;
}

static void add_knot(struct isotonic *isotonic, double score, double value) {
    double *knot = isotonic->knot + 2 * isotonic->count++;
    knot[0] = score;
    knot[1] = value;
}

static int make_knots(const struct pool *pool, int64_t pools, struct isotonic *isotonic,
                      struct error *e) {
    isotonic->knot = memory_new(4 * pools, sizeof *isotonic->knot, "isotonic regression", e);
    if (isotonic->knot == NULL)
        return -1;
    for (int64_t k = 0; k < pools; k++) {
        add_knot(isotonic, pool[k].first, mean(&pool[k]));
        if (pool[k].last > pool[k].first)
            add_knot(isotonic, pool[k].last, mean(&pool[k]));
    }
    return 0;
}

int isotonic_fit(const double *score, const double *target, int64_t count,
                 struct isotonic *isotonic, struct error *e) {
    *isotonic = (struct isotonic){0};
    struct pool *pool = memory_new(count, sizeof *pool, "isotonic regression", e);
    if (pool == NULL)
        return -1;
    for (int64_t i = 0; i < count; i++)
        pool[i] = (struct pool){score[i], score[i], target[i] > 0, 1};
    qsort(pool, (size_t)count, sizeof *pool, compare);
    int64_t pools = join_violators(pool, join_ties(pool, count));
    int status = make_knots(pool, pools, isotonic, e);
    free(pool);
    return status;
}
