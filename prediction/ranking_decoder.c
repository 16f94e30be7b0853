/* ranking_decoder.c - predictions of queries and their measures; see ranking_decoder.h. */
#include "prediction/ranking_decoder.h"

#include "io/memory.h"
#include "math/sort.h"
#include "risk/ranking/ndcg.h"
#include "risk/ranking/pairs.h"
#include "risk/ranking/ranking.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* ---- NDCG@K as it is asked for */

int ranking_cutoff(const char *asked, int64_t *K, struct error *e) {
    static const char before[] = "ndcg@";
    char same[24];
    *K = 0;
    if (strncasecmp(asked, before, strlen(before)) != 0)
        return 0;
    asked += strlen(before);
    *K = strtoll(asked, NULL, 10);
    snprintf(same, sizeof same, "%" PRId64, *K);
    if (*K > 0 && *K <= INT32_MAX && strcmp(same, asked) == 0)
        return 0;
    return error_usage(e, "measure ndcg@%.40s: K of ndcg@K is an integer from 1 to %d", asked,
                       INT32_MAX);
}

/* ---- means over queries */

static const char map_name[] = "MAP", error_name[] = "Pairwise error";

enum { CUTOFFS_MAX = MEASURES_MAX - 2 }; /* beside these two */

struct mean {
    double sum, count;
};

struct cutoff {
    int64_t K;
    char name[32]; /* "NDCG@10" */
    struct mean gain;
};

struct ranking {
    struct cutoff cutoff[CUTOFFS_MAX]; /* that of the loss first */
    int cutoffs;
    const char *names[MEASURES_MAX + 1];
    struct mean precision, error;
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

/* Adds NDCG@K to the measures, if it is not there. 0, or a usage error. */
static int add_cutoff(struct ranking *r, int64_t K, struct error *e) {
    for (int k = 0; k < r->cutoffs; k++)
        if (r->cutoff[k].K == K)
            return 0;
    if (r->cutoffs == CUTOFFS_MAX)
        return error_usage(e,
                           "measure ndcg@%" PRId64
                           ": at most %d different K at once, 10, 1, 3 and 5 among them",
                           K, CUTOFFS_MAX);
    struct cutoff *added = &r->cutoff[r->cutoffs];
    added->K = K;
    snprintf(added->name, sizeof added->name, "NDCG@%" PRId64, K);
    r->names[r->cutoffs++] = added->name;
    return 0;
}

/* The K of the loss, the usual ones, and those that are asked for. */
static int add_cutoffs(struct ranking *r, const struct decoder_settings *settings,
                       struct error *e) {
    const int64_t usual[] = {settings->model->at > 0 ? settings->model->at : NDCG_AT, NDCG_AT, 1, 3,
                             5};
    const char *list = settings->measures;
    char word[MEASURE_WORD];
    int64_t K;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (add_cutoff(r, usual[i], e) != 0)
            return -1;
    while (measures_next_word(&list, word))
        if (ranking_cutoff(word, &K, e) != 0 || (K > 0 && add_cutoff(r, K, e) != 0))
            return -1;
    return 0;
}

static void *ranking_open(const struct decoder_settings *settings, struct error *e) {
    struct ranking *r = memory_zeroed(1, sizeof *r, "the measures", e);
    if (r == NULL || add_cutoffs(r, settings, e) != 0) {
        free(r);
        return NULL;
    }
    r->names[r->cutoffs] = map_name;
    r->names[r->cutoffs + 1] = error_name;
    return r;
}

static const char *const *ranking_measures(const void *state) {
    return ((const struct ranking *)state)->names;
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
    double best[CUTOFFS_MAX];
    sort_by(r, label, rows);
    for (int k = 0; k < r->cutoffs; k++)
        best[k] = gain_of(r->list, label, rows, r->cutoff[k].K);
    sort_by(r, score, rows);
    for (int k = 0; k < r->cutoffs; k++)
        add(&r->cutoff[k].gain,
            best[k] > 0 ? gain_of(r->list, label, rows, r->cutoff[k].K) / best[k] : NAN);
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
    for (int k = 0; k < r->cutoffs && !r->ungraded; k++)
        tell(list, &count, r->cutoff[k].name, &r->cutoff[k].gain, false);
    if (!r->ungraded)
        tell(list, &count, map_name, &r->precision, false);
    tell(list, &count, error_name, &r->error, true);
    return count;
}

const struct decoder_kind ranking_decoder = {.measures = ranking_measures,
                                             .open = ranking_open,
                                             .groups = ranking_groups,
                                             .finish = ranking_finish,
                                             .free = ranking_free};
