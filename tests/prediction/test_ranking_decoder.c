/* test_ranking_decoder.c - the measures of rankings beside their definitions, equal scores in all orders one by one;
 * queries without relevant documents, pairs, labels. */
#include "prediction/ranking_decoder.h"

#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { DOCUMENTS = 6, QUERIES = 12, ROWS = DOCUMENTS * QUERIES };
enum { CUTOFFS = 6, MAP = CUTOFFS, PAIRS, MEASURES };

struct sums {
    double gain[CUTOFFS], precision, error, orders;
};

static const int64_t cutoffs[] = {10, 1, 3, 5, 2, 4};
static const char *const names[] = {"NDCG@10", "NDCG@1", "NDCG@3", "NDCG@5",
                                    "NDCG@2",  "NDCG@4", "MAP",    "Pairwise error"};

static double gains(const double *label, const int64_t *order, int64_t n, int64_t K) {
    double sum = 0;
    for (int64_t j = 0; j < n && j < K; j++)
        sum += (pow(2, label[order[j]]) - 1) / (log(2 + (double)j) / log(2));
    return sum;
}

static double precisions(const double *label, const int64_t *order, int64_t n) {
    double sum = 0, found = 0;
    for (int64_t j = 0; j < n; j++)
        if (label[order[j]] > 0)
            sum += ++found / (double)(j + 1);
    return sum / found;
}

static double wrong_pairs(const double *label, const int64_t *order, int64_t n) {
    double wrong = 0, all = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = j + 1; k < n; k++) {
            all += label[order[j]] != label[order[k]];
            wrong += label[order[j]] < label[order[k]];
        }
    return wrong / all;
}

/* Adds the measures of every order whose scores fall. */
static void try_orders(const double *label, const double *score, int64_t *order, int64_t n,
                       int64_t from, struct sums *sums) {
    for (int64_t k = from; k < n && from < n; k++) {
        int64_t swapped = order[from];
        order[from] = order[k];
        order[k] = swapped;
        if (from == 0 || score[order[from - 1]] >= score[order[from]])
            try_orders(label, score, order, n, from + 1, sums);
        order[k] = order[from];
        order[from] = swapped;
    }
    if (from < n)
        return;
    for (int k = 0; k < CUTOFFS; k++)
        sums->gain[k] += gains(label, order, n, cutoffs[k]);
    sums->precision += precisions(label, order, n);
    sums->error += wrong_pairs(label, order, n);
    sums->orders++;
}

struct fixture {
    double label[ROWS], score[ROWS];
    int64_t start[QUERIES + 1];
    struct dataset data;
    double mean[MEASURES], count[MEASURES];
};

static void add(struct fixture *f, int measure, double value) {
    if (isnan(value))
        return;
    f->mean[measure] += value;
    f->count[measure]++;
}

/* What the measures are to be. */
static void expect(struct fixture *f) {
    for (int k = 0; k < MEASURES; k++)
        f->mean[k] = f->count[k] = 0;
    for (int64_t q = 0; q < f->data.groups; q++) {
        int64_t from = f->start[q], n = f->start[q + 1] - from, order[DOCUMENTS];
        struct sums all = {0}, best = {0};
        const double *label = f->label + from, *score = f->score + from;
        bool labelled = true;
        for (int64_t k = 0; k < n; k++) {
            order[k] = k;
            labelled = labelled && !isnan(label[k]);
        }
        if (!labelled)
            continue;
        try_orders(label, score, order, n, 0, &all);
        try_orders(label, label, order, n, 0, &best);
        for (int k = 0; k < CUTOFFS; k++)
            add(f, k, all.gain[k] / all.orders / (best.gain[k] / best.orders));
        add(f, MAP, all.precision / all.orders);
        add(f, PAIRS, all.error / all.orders);
    }
}

static void make_queries(struct fixture *f, struct random *random, int64_t grades, bool ties) {
    *f = (struct fixture){0};
    f->data = (struct dataset){.groups = QUERIES, .label = f->label, .group_start = f->start};
    for (int64_t q = 0; q < QUERIES; q++) {
        f->start[q + 1] = f->start[q] + 1 + (int64_t)random_below(random, DOCUMENTS);
        for (int64_t i = f->start[q]; i < f->start[q + 1]; i++) {
            f->label[i] = (double)random_below(random, (uint64_t)grades);
            f->score[i] = ties ? (double)random_below(random, 3) : random_unit(random) - 0.5;
        }
    }
    f->data.rows = f->start[QUERIES];
}

static const char usual[] = "NDCG@10,NDCG@1,NDCG@3,NDCG@5,MAP,Pairwise error";

/* Whether the measure NAME is what it is to be; not-a-number of no query. */
static void check(const struct fixture *f, const struct measure *measure, const char *name) {
    int k = 0;
    while (strcmp(names[k], name) != 0)
        k++;
    assert_string_equal(measure->name, name);
    assert_true(measure->error == (k == PAIRS));
    if (f->count[k] == 0)
        assert_true(isnan(measure->value));
    else
        assert_near(measure->value, f->mean[k] / f->count[k], 1e-13);
}

/* Measures the queries in two calls, for a model with this K and for ASKED. Fails if the names of the measures are not
 * WANTED, a list with commas. */
static int decode(const struct fixture *f, int64_t at, const char *asked, const char *wanted,
                  struct measure *list, int64_t *rows) {
    struct model model = {.vectors = 1, .at = at};
    struct decoder_settings settings = {.model = &model, .measures = asked};
    const struct decoder_kind *kind = &ranking_decoder;
    const struct decoder_arrays none = {0};
    struct measured_rows measured;
    int64_t half = f->data.groups / 2;
    void *state = kind->open(&settings, NULL);
    assert_non_null(state);
    assert_false(kind->chooses);
    assert_int_equal(kind->groups(state, &model, &f->data, 0, half, f->score, &none, NULL), 0);
    assert_int_equal(kind->groups(state, &model, &f->data, half, f->data.groups,
                                  f->score + f->start[half], &none, NULL),
                     0);
    int count = kind->finish(state, list, &measured, NULL);
    assert_int_equal(measured.unknown, 0);
    *rows = measured.labelled;
    const char *const *known = kind->measures(state);
    char word[MEASURE_WORD];
    for (int k = 0; measures_next_word(&wanted, word); k++, known++) {
        assert_string_equal(*known, word);
        if (count == 0) /* no labels */
            continue;
        int64_t i = count == 1 ? 0 : k; /* grades that are none leave the pairs */
        if (count > 1 || strcmp(word, names[PAIRS]) == 0)
            check(f, &list[i], word);
    }
    assert_null(*known);
    kind->free(state);
    return count;
}

static void measures_are_means_over_the_orders(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 1, 0);
    for (int trial = 0; trial < 60; trial++) {
        struct fixture f;
        struct measure list[MEASURES_MAX];
        int64_t rows, unlabelled = 0;
        make_queries(&f, &random, 2 + trial % 4, trial % 3);
        if (trial % 5 == 0) {
            f.label[f.start[3]] = NAN;
            unlabelled = f.start[4] - f.start[3];
        }
        expect(&f);
        assert_int_equal(decode(&f, 0, NULL, usual, list, &rows), 6);
        assert_int_equal(rows, f.data.rows - unlabelled);
        assert_int_equal(
            decode(&f, 3, NULL, "NDCG@3,NDCG@10,NDCG@1,NDCG@5,MAP,Pairwise error", list, &rows), 6);
        assert_int_equal(decode(&f, 2, "f1,NDCG@4,ndcg@2,map,ndcg@10,ndcg@4",
                                "NDCG@2,NDCG@10,NDCG@1,NDCG@3,NDCG@5,NDCG@4,MAP,Pairwise error",
                                list, &rows),
                         8);
    }
}

static void asked_for_in_other_words(void **state) {
    static const char *const bad[] = {"ndcg@0",
                                      "ndcg@-1",
                                      "ndcg@",
                                      "NDCG@x",
                                      "ndcg@05",
                                      "ndcg@+5",
                                      "ndcg@2147483648",
                                      "ndcg@5.0",
                                      "ndcg@ 5",
                                      "ndcg@5x",
                                      "ndcg@18446744073709551617"};
    struct error e = {0};
    int64_t K;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        e = (struct error){0};
        assert_int_equal(ranking_cutoff(bad[i], &K, &e), -1);
        assert_int_equal(e.kind, ERROR_USAGE);
        assert_non_null(strstr(e.words, ": K of ndcg@K is an integer from 1 to 2147483647"));
    }
    assert_int_equal(ranking_cutoff("NDCG@2147483647", &K, NULL), 0);
    assert_true(K == 2147483647);
    assert_int_equal(ranking_cutoff("ndcg", &K, NULL), 0);
    assert_int_equal(K, 0);
    e = (struct error){0};
    struct model model = {.vectors = 1};
    struct decoder_settings settings = {
        .model = &model, .measures = "ndcg@10,ndcg@21,ndcg@22,ndcg@23,ndcg@24,ndcg@25,ndcg@26"};
    void *most = ranking_decoder.open(&settings, &e);
    assert_non_null(most);
    ranking_decoder.free(most);
    settings.measures = "ndcg@20,ndcg@21,ndcg@22,ndcg@23,ndcg@24,ndcg@25,ndcg@26";
    assert_null(ranking_decoder.open(&settings, &e));
    assert_string_equal(
        e.words, "measure ndcg@26: at most 10 different K at once, 10, 1, 3 and 5 among them");
}

/* Labels that are no grades leave the pairs; no label leaves nothing. */
static void labels_of_other_kinds(void **state) {
    (void)state;
    struct random random;
    struct fixture f;
    struct measure list[MEASURES_MAX];
    int64_t rows;
    const double bad[] = {-0.5, 31};
    random_seed(&random, 2, 0);
    for (int k = 0; k < 2; k++) {
        make_queries(&f, &random, 3, true);
        f.label[f.start[5]] = bad[k];
        expect(&f);
        assert_int_equal(decode(&f, 0, NULL, usual, list, &rows), 1);
    }
    for (int64_t i = 0; i < f.data.rows; i++)
        f.label[i] = NAN;
    assert_int_equal(decode(&f, 0, NULL, usual, list, &rows), 0);
    assert_int_equal(rows, 0);
    for (int64_t i = 0; i < f.data.rows; i++)
        f.label[i] = 0;
    expect(&f);
    assert_int_equal(decode(&f, 0, NULL, usual, list, &rows), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_are_means_over_the_orders),
        cmocka_unit_test(labels_of_other_kinds),
        cmocka_unit_test(asked_for_in_other_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
