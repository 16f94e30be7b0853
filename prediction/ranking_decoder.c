/* ranking_decoder.c - predictions of queries and their measures; see ranking_decoder.h. */
#include "prediction/ranking_decoder.h"

#include "io/memory.h"
#include "math/sort.h"
#include "risk/ranking/pairs.h"
#include "risk/ranking/ranking.h"

#include <math.h>
#include <stdlib.h>

/* ---- documents by falling score */

/* The discounted gain of the first K positions; tied documents share the mean of their gains. */
static double gain_of(const struct scored *list, const double *label, int64_t rows, int64_t K) {
    double sum = 0;
    for (int64_t from = 0, to; from < rows && from < K; from = to) {
        double gain = 0, discount = 0;
        for (to = from; to < rows && list[to].score == list[from].score; to++) {
            gain += ranking_gain(label[list[to].row]);
            discount += to < K ? ranking_discount(to + 1) : 0;
        }
        sum += gain / (double)(to - from) * discount;
    }
    return sum;
}

/* The expected sum of precisions at relevant documents over a random order of n tied documents, r of them relevant,
 * after `before` documents of which `found` are relevant. Position k among the ties has a relevant document with
 * probability r/n; then (k - 1)(r - 1)/(n - 1) of the ties before it are relevant in expectation. */
static double precision_of(const struct scored *list, const double *label, int64_t rows) {
    double found = 0, sum = 0;
    for (int64_t from = 0, to; from < rows; from = to) {
        double relevant = 0;
        for (to = from; to < rows && list[to].score == list[from].score; to++)
            relevant += label[list[to].row] > 0;
        double n = (double)(to - from), others = n > 1 ? (relevant - 1) / (n - 1) : 0;
        for (int64_t k = 0; k < to - from && relevant > 0; k++)
            sum += relevant / n * (found + 1 + (double)k * others) / (double)(from + k + 1);
        found += relevant;
    }
    return found > 0 ? sum / found : NAN;
}

/* ---- means over queries */

static const int64_t places[] = {10, 1, 3, 5};
static const char *const names[] = {"NDCG@10", "NDCG@1",         "NDCG@3", "NDCG@5",
                                    "MAP",     "Pairwise error", NULL};
enum { PLACES = sizeof places / sizeof *places };

struct mean {
    double sum, count;
};

struct ranking {
    struct mean gain[PLACES], precision, error;
    int64_t rows;
    bool ungraded; /* a label is not from 0 to RANKING_GRADE_MAX */

    int64_t capacity; /* documents */
    struct scored *list, *spare;
    int64_t *order, *run;
    void *pairs_work;
};

static void ranking_free(void *state) {
    struct ranking *r = state;
    free(r->list);
    free(r->order);
    free(r->pairs_work);
    free(r);
}

static void *ranking_open(const struct decoder_settings *settings, struct error *e) {
    (void)settings;
    return memory_zeroed(1, sizeof(struct ranking), "the measures", e);
}

static int make_room(struct ranking *r, int64_t rows, struct error *e) {
    if (rows <= r->capacity)
        return 0;
    if (memory_resize((void **)&r->list, 2 * rows, sizeof *r->list, "a query", e) != 0 ||
        memory_resize((void **)&r->order, 2 * rows + 1, sizeof *r->order, "a query", e) != 0 ||
        memory_resize(&r->pairs_work, rows, pairs_work_bytes(1), "a query", e) != 0)
        return -1;
    r->capacity = rows;
    r->spare = r->list + rows;
    r->run = r->order + rows;
    return 0;
}

static void add(struct mean *mean, double value) {
    if (isnan(value))
        return;
    mean->sum += value;
    mean->count++;
}

/* Sorts the list by descending KEY. */
static void sort_by(struct ranking *r, const double *key, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        r->list[i] = (struct scored){-key[i], i};
    sort_scored(r->list, r->spare, rows);
}

static void measure_grades(struct ranking *r, const double *label, const double *score,
                           int64_t rows) {
    double best[PLACES];
    sort_by(r, label, rows);
    for (int k = 0; k < PLACES; k++)
        best[k] = gain_of(r->list, label, rows, places[k]);
    sort_by(r, score, rows);
    for (int k = 0; k < PLACES; k++)
        add(&r->gain[k], best[k] > 0 ? gain_of(r->list, label, rows, places[k]) / best[k] : NAN);
    add(&r->precision, precision_of(r->list, label, rows));
}

static void measure(struct ranking *r, const double *label, const double *score, int64_t rows) {
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(label[i]))
            return;
        r->ungraded = r->ungraded || !(label[i] >= 0 && label[i] <= RANKING_GRADE_MAX);
    }
    r->rows += rows;
    const struct pairs pairs = {r->order, r->run,
                                pairs_order(label, rows, r->order, r->run, r->pairs_work)};
    add(&r->error, pairs.grades > 1 ? pairs_error(&pairs, score, r->pairs_work) : NAN);
    if (!r->ungraded)
        measure_grades(r, label, score, rows);
}

static int ranking_groups(void *state, const struct model *model, const struct dataset *data,
                          int64_t from, int64_t to, const double *scores,
                          const struct decoder_arrays *out, struct error *e) {
    struct ranking *r = state;
    (void)model; /* all models have one vector and no labels */
    (void)out;   /* the scores are the predictions */
    for (int64_t q = from; q < to; q++) {
        int64_t first = data->group_start[q], rows = data->group_start[q + 1] - first;
        if (make_room(r, rows, e) != 0)
            return -1;
        measure(r, data->label + first, scores, rows);
        scores += rows;
    }
    return 0;
}

static void tell(struct measure *list, int *count, const char *name, const struct mean *mean,
                 bool error) {
    list[(*count)++] = (struct measure){
        .name = name, .value = mean->count > 0 ? mean->sum / mean->count : NAN, .error = error};
}

static int ranking_finish(void *state, struct measure list[MEASURES_MAX],
                          struct measured_rows *rows, struct error *e) {
    const struct ranking *r = state;
    int count = 0;
    (void)e;
    *rows = (struct measured_rows){.labelled = r->rows};
    if (r->rows == 0)
        return 0;
    for (int k = 0; k < PLACES && !r->ungraded; k++)
        tell(list, &count, names[k], &r->gain[k], false);
    if (!r->ungraded)
        tell(list, &count, names[PLACES], &r->precision, false);
    tell(list, &count, names[PLACES + 1], &r->error, true);
    return count;
}

const struct decoder_kind ranking_decoder = {.measures = names,
                                             .open = ranking_open,
                                             .groups = ranking_groups,
                                             .finish = ranking_finish,
                                             .free = ranking_free};
