/* items_local.c - the local scores of an item and its loss there; see items_local.h. */
#include "risk/items_local.h"

#include "risk/items_parts.h"

#include <omp.h>

bool items_local_can(const struct risk *risk) {
    return items_of(risk) != NULL;
}

static int64_t rows_of(const struct items *items, int64_t i) {
    return items_end(items, i) - items_first(items, i);
}

int64_t items_local_size(const struct items_local *local, int64_t i) {
    return rows_of(local->items, i) * local->items->width + local->items->shared;
}

static const double *shared_of(const struct items *items, const double *w) {
    return w + items->risk.dimension - items->shared;
}

void items_local_scores(const struct items_local *local, int64_t i, const double *w, double *u) {
    const struct items *items = local->items;
    items_find_scores(items, i, w, u);
    memcpy(u + rows_of(items, i) * items->width, shared_of(items, w),
           sizeof *u * (size_t)items->shared);
}

void items_local_add(const struct items_local *local, int64_t i, double c, double *d, double *w) {
    const struct items *items = local->items;
    const double *by_shared = d + rows_of(items, i) * items->width;
    double *shared = w + items->risk.dimension - items->shared;
    items_add_rows(items, i, c, d, w);
    for (int64_t k = 0; k < items->shared; k++)
        shared[k] += c * by_shared[k];
}

void items_local_prepare(const struct items_local *local, int64_t i, const double *u) {
    items_prepare(local->items, u + rows_of(local->items, i) * local->items->width, 0);
}

void items_local_prepare_all(const struct items_local *local, const double *w) {
    items_prepare(local->items, shared_of(local->items, w), 0);
}

double items_local_value(const struct items_local *local, int64_t i, const double *u, double *d,
                         int thread) {
    const struct items *items = local->items;
    struct thread_work work = items_thread_work(items, thread);
    int64_t scores = rows_of(items, i) * items->width;
    double t;
    memcpy(d, u, sizeof *d * (size_t)scores);
    memset(d + scores, 0, sizeof *d * (size_t)items->shared);
    return items->loss->value(items, i, d, u + scores, 0, d + scores, &t, work.loss);
}

int items_local_threads(const struct items_local *local) {
    int threads = local->items->parallel ? omp_get_max_threads() : 1;
    return threads < local->items->max_threads ? threads : local->items->max_threads;
}

double items_local_share(const struct items_local *local, int64_t i) {
    const struct items *items = local->items;
    return (items->weight == NULL ? 1 : items->weight[i]) / items->weight_sum;
}
