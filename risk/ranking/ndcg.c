/* ndcg.c - the bound of 1 - NDCG; see ndcg.h. */
#include "risk/ranking/ndcg.h"

#include "io/memory.h"
#include "math/assignment.h"
#include "math/sort.h"
#include "risk/items.h"
#include "risk/ranking/ranking.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct ndcg {
    struct items items; /* first */
    int64_t at;         /* K */
    bool roots;
    double *c;      /* rows: for each query the weights of its positions, falling */
    double *best_c; /* rows: the weight c of the document's position in the order by grade */
    double *minus_discount; /* K: -D_j */
    double *gain;           /* rows: G/(sum_j D_j G_o(j)); 0 in queries without positive gain */
};

/* Scratch memory for one query: its rows by falling score; f, g, price and position follow that order. */
struct work {
    struct scored *list, *spare;
    double *f, *g, *price;
    int64_t *position;
    void *assignment;
};

static size_t work_bytes(int64_t rows) {
    return (size_t)rows * (2 * sizeof(struct scored) + 3 * sizeof(double) + sizeof(int64_t)) +
           assignment_work_bytes(rows);
}

static struct work work_of(void *memory, int64_t rows) {
    struct scored *list = memory;
    double *f = (double *)(void *)(list + 2 * rows);
    int64_t *position = (int64_t *)(void *)(f + 3 * rows);
    return (struct work){list, list + rows, f, f + rows, f + 2 * rows, position, position + rows};
}

/* Sorts the rows by falling KEY; equal keys keep their order. */
static void sort_falling(const double *key, int64_t rows, struct work *work) {
    for (int64_t i = 0; i < rows; i++)
        work->list[i] = (struct scored){-key[i], i};
    sort_scored(work->list, work->spare, rows);
}

/* Finds the permutation of largest value, work->place. False if the search was interrupted. */
static bool assign(const struct ndcg *n, const double *c, const double *gain, const double *u,
                   int64_t rows, struct work *work) {
    sort_falling(u, rows, work);
    for (int64_t k = 0; k < rows; k++) {
        work->f[k] = -work->list[k].score;
        work->g[k] = gain[work->list[k].row];
    }
    const struct assignment assignment = {.n = rows,
                                          .top = n->at < rows ? n->at : rows,
                                          .c = c,
                                          .f = work->f,
                                          .g = work->g,
                                          .d = n->minus_discount,
                                          .stop = n->items.risk.stop,
                                          .opaque = n->items.risk.opaque};
    return assignment_solve(&assignment, work->position, work->price, work->assignment);
}

/* Queries without positive gain have no gains at all. */
static bool counts(const struct ndcg *n, int64_t i) {
    for (int64_t r = items_first(&n->items, i); r < items_end(&n->items, i); r++)
        if (n->gain[r] > 0)
            return true;
    return false;
}

static double value(const struct items *items, int64_t i, double *u, const double *v, double mu,
                    double *by_shared, double *constant, void *memory) {
    const struct ndcg *n = (const struct ndcg *)items;
    int64_t first = items_first(items, i), rows = items_end(items, i) - first;
    struct work work = work_of(memory, rows);
    (void)v;
    (void)mu;
    *constant = 0;
    if (!counts(n, i)) {
        for (int64_t k = 0; k < rows && by_shared != NULL; k++)
            u[k] = 0;
        return 0;
    }
    if (!assign(n, n->c + first, n->gain + first, u, rows, &work)) {
        memset(u, 0, sizeof *u * (size_t)rows);
        return NAN;
    }
    double loss = 1, products = 0;
    for (int64_t j = 0; j < rows; j++) {
        int64_t k = work.position[j], row = work.list[k].row;
        double a = n->c[first + j] - n->best_c[first + row];
        loss += j < n->at ? n->minus_discount[j] * work.g[k] : 0;
        products += a * work.f[k];
        if (by_shared != NULL)
            u[row] = a;
    }
    *constant = loss;
    return fmax(0, loss + products);
}

/* The sum of |changes of c| over permutations is largest for the reversed order. */
static double lipschitz(const struct items *items, int64_t i) {
    const struct ndcg *n = (const struct ndcg *)items;
    int64_t first = items_first(items, i), rows = items_end(items, i) - first;
    double square = 0, change = 0;
    for (int64_t j = 0; j < rows && counts(n, i); j++) {
        square = fmax(square, items_row_square(items, first + j));
        change += fabs(n->c[first + j] - n->c[first + rows - 1 - j]);
    }
    return change * sqrt(square);
}

/* -<w, subgradient> = 1 - NDCG - l */
static double norm_bound(const struct items *items, int64_t i) {
    return counts((const struct ndcg *)items, i) ? 1 : 0;
}

static double smoothing(const struct items *items, int64_t i) {
    (void)items;
    (void)i;
    return INFINITY;
}

static void free_ndcg(struct items *items) {
    struct ndcg *n = (struct ndcg *)items;
    free(n->c);
    free(n->best_c);
    free(n->minus_discount);
    free(n->gain);
}

static const struct item_loss ndcg_loss = {.name = "ndcg",
                                           .value = value,
                                           .lipschitz = lipschitz,
                                           .norm_bound = norm_bound,
                                           .smoothing = smoothing,
                                           .free = free_ndcg};

/* ---- constants of the queries */

static void find_gains(struct ndcg *n, const double *grade, int64_t first, int64_t rows,
                       struct work *work) {
    double ideal = 0;
    sort_falling(grade, rows, work);
    for (int64_t j = 0; j < rows; j++) {
        double best = -work->list[j].score;
        n->c[first + j] = n->roots ? 1 / sqrt((double)j + 1) : best;
        n->best_c[first + work->list[j].row] = n->c[first + j];
        n->gain[first + j] = ranking_gain(grade[j]);
        ideal -= j < n->at ? n->minus_discount[j] * ranking_gain(best) : 0;
    }
    for (int64_t r = first; r < first + rows; r++)
        n->gain[r] = ideal > 0 ? n->gain[r] / ideal : 0;
}

static int find_constants(struct ndcg *n, const struct dataset *data, const double *grade,
                          struct error *e) {
    int64_t longest = dataset_largest_group(data);
    void *memory = memory_new(1, work_bytes(longest), "the rankings", e);
    n->at = n->at < longest ? n->at : longest;
    n->c = memory_new(data->rows, sizeof *n->c, "the rankings", e);
    n->best_c = memory_new(data->rows, sizeof *n->best_c, "the rankings", e);
    n->minus_discount = memory_new(n->at, sizeof *n->minus_discount, "the rankings", e);
    n->gain = memory_new(data->rows, sizeof *n->gain, "the rankings", e);
    if (memory == NULL || n->c == NULL || n->best_c == NULL || n->minus_discount == NULL ||
        n->gain == NULL) {
        free(memory);
        return -1;
    }
    for (int64_t j = 0; j < n->at; j++)
        n->minus_discount[j] = -ranking_discount(j + 1);
    for (int64_t q = 0; q < data->groups; q++) {
        int64_t first = data->group_start[q], rows = data->group_start[q + 1] - first;
        struct work work = work_of(memory, rows);
        find_gains(n, grade + first, first, rows, &work);
    }
    free(memory);
    return 0;
}

static int check_gains(const struct ndcg *n, const struct dataset *data, struct error *e) {
    bool found = false;
    for (int64_t i = 0; i < data->rows; i++)
        found = found || n->gain[i] > 0;
    if (communicator_any(data->communicator, found))
        return 0;
    return error_set(e, "-L ndcg needs a document of a grade above 0, and there is none");
}

struct risk *ndcg_risk_new(const struct risk_settings *settings, struct error *e) {
    const struct scalar_settings *scalar = &settings->scalar;
    struct ndcg *n = items_new(sizeof *n, &ndcg_loss, e);
    if (n == NULL)
        return NULL;
    n->at = settings->at > 0 ? settings->at : NDCG_AT;
    n->roots = settings->places == PLACES_ROOT;
    if (find_constants(n, scalar->data, scalar->target, e) != 0 ||
        check_gains(n, scalar->data, e) != 0 ||
        items_init(
            &n->items,
            &(struct items_settings){.scalar = scalar,
                                     .loss = &ndcg_loss,
                                     .grouped = true,
                                     .width = 1,
                                     .work_bytes = work_bytes(dataset_largest_group(scalar->data))},
            e) != 0) {
        risk_free(&n->items.risk);
        return NULL;
    }
    return &n->items.risk;
}
