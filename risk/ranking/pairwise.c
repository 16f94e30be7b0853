/* pairwise.c - the hinge over pairs of documents; see pairwise.h. */
#include "risk/ranking/pairwise.h"

#include "io/memory.h"
#include "risk/items.h"
#include "risk/ranking/pairs.h"

#include <math.h>
#include <stdlib.h>

struct pairwise {
    struct items items; /* first */
    int64_t *order; /* rows: for each query its rows by rising grade, counted from its first row */
    int64_t *run;   /* for each query the starts of its grades (struct pairs.run), concatenated */
    int64_t *first; /* for each query the index of its first entry in `run` */
};

static struct pairs pairs_of(const struct items *items, int64_t i) {
    const struct pairwise *p = (const struct pairwise *)items;
    return (struct pairs){p->order + items_first(items, i), p->run + p->first[i],
                          p->first[i + 1] - p->first[i] - 1};
}

static double value(const struct items *items, int64_t i, double *u, const double *v, double mu,
                    double *by_shared, double *constant, void *work) {
    const struct pairs pairs = pairs_of(items, i);
    (void)v;
    struct pairs_sum sum = pairs_hinge(&pairs, u, mu, by_shared == NULL ? NULL : u, work);
    *constant = sum.constant;
    return sum.mean;
}

/* A row is in at most as many pairs as there are rows of other grades, each with a <= 1. */
static double lipschitz(const struct items *items, int64_t i) {
    const struct pairs pairs = pairs_of(items, i);
    double count = pairs_count(&pairs), rows = (double)pairs.run[pairs.grades], sum = 0;
    for (int64_t g = 0; g < pairs.grades; g++) {
        double others = rows - (double)(pairs.run[g + 1] - pairs.run[g]);
        for (int64_t k = pairs.run[g]; k < pairs.run[g + 1]; k++)
            sum += others * sqrt(items_row_square(items, items_first(items, i) + pairs.order[k]));
    }
    return count > 0 ? sum / count : 0;
}

/* -a (f_j - f_i) < a */
static double norm_bound(const struct items *items, int64_t i) {
    const struct pairs pairs = pairs_of(items, i);
    return pairs.grades > 1 ? 1 : 0;
}

static double smoothing(const struct items *items, int64_t i) {
    return norm_bound(items, i) / 2;
}

static void free_pairwise(struct items *items) {
    struct pairwise *p = (struct pairwise *)items;
    free(p->order);
    free(p->run);
    free(p->first);
}

static const struct item_loss pairwise_loss = {.name = "pairwise",
                                               .value = value,
                                               .lipschitz = lipschitz,
                                               .norm_bound = norm_bound,
                                               .smoothing = smoothing,
                                               .free = free_pairwise};

/* The queries' grades. */
static int find_pairs(struct pairwise *p, const struct dataset *data, const double *label,
                      struct error *e) {
    void *work = memory_new(1, pairs_work_bytes(dataset_largest_group(data)), "the pairs", e);
    p->order = memory_new(data->rows, sizeof *p->order, "the pairs", e);
    p->run = memory_new(data->rows + data->groups, sizeof *p->run, "the pairs", e);
    p->first = memory_new(data->groups + 1, sizeof *p->first, "the pairs", e);
    bool failed = work == NULL || p->order == NULL || p->run == NULL || p->first == NULL;
    int64_t at = 0;
    for (int64_t q = 0; q < data->groups && !failed; q++) {
        int64_t start = data->group_start[q], rows = data->group_start[q + 1] - start;
        p->first[q] = at;
        at += pairs_order(label + start, rows, p->order + start, p->run + at, work) + 1;
        p->first[q + 1] = at;
    }
    free(work);
    return failed ? -1 : 0;
}

static int check_pairs(const struct pairwise *p, const struct dataset *data, struct error *e) {
    bool found = false;
    for (int64_t q = 0; q < data->groups; q++)
        found = found || p->first[q + 1] - p->first[q] > 2;
    if (communicator_any(data->communicator, found))
        return 0;
    return error_set(e,
                     "-L pairwise needs a query with documents of two labels, and there is none");
}

struct risk *pairwise_risk_new(const struct risk_settings *settings, struct error *e) {
    const struct scalar_settings *scalar = &settings->scalar;
    struct pairwise *p = items_new(sizeof *p, &pairwise_loss, e);
    if (p == NULL)
        return NULL;
    if (find_pairs(p, scalar->data, scalar->target, e) != 0 ||
        check_pairs(p, scalar->data, e) != 0 ||
        items_init(&p->items,
                   &(struct items_settings){
                       .scalar = scalar,
                       .loss = &pairwise_loss,
                       .grouped = true,
                       .width = 1,
                       .work_bytes = pairs_work_bytes(dataset_largest_group(scalar->data))},
                   e) != 0) {
        risk_free(&p->items.risk);
        return NULL;
    }
    return &p->items.risk;
}
