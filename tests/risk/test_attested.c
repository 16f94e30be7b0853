/* test_attested.c - weights for pairs of a feature and a label that occur in the data alone: which ones these are, and
 * that risks with them are those with all weights where the others are 0. */
#include "risk/attested.h"

#include "risk/sequences/sequences.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/random_data.h"
#include "tests/risk_checks.h"
#include "tests/solvers/bundle/bundle_fixture.h"

enum { GROUPS = 12, LENGTH = 4, MAX_WEIGHTS = 600 };

typedef struct risk *risk_new(const struct risk_settings *settings, struct error *e);

/* The same data with all weights and with those of pairs that occur. */
struct pair {
    struct dataset data;
    double target[GROUPS * LENGTH], weight[GROUPS * LENGTH];
    int64_t start[GROUPS + 1], id[GROUPS];
    int64_t labels, features; /* features: with the constant one */
    struct risk *all, *reduced;
    int64_t position[MAX_WEIGHTS]; /* of each weight of `reduced` in `all`, by the definition */
    int64_t count;                 /* of them; shared weights included */
};

/* Sequences of 4 rows, of which every third weighs 0. A label's features are few: those whose number has the rest of
 * the label. Some entries are 0. */
static void fill(struct pair *p, uint64_t seed) {
    struct random random;
    random_seed(&random, seed, 3);
    p->data = random_data(GROUPS * LENGTH, FEATURES, false, seed);
    for (int64_t r = 0; r < p->data.rows; r++) {
        p->target[r] = (double)random_below(&random, (uint64_t)p->labels);
        p->weight[r] = (double)(r / LENGTH % 3);
        for (int64_t k = p->data.start[r]; k < p->data.start[r + 1]; k++)
            if ((p->data.column[k] + (int64_t)p->target[r]) % 3 == 0)
                p->data.value[k] = 0;
    }
    for (int64_t g = 0; g <= GROUPS; g++)
        p->start[g] = LENGTH * g;
    for (int64_t g = 0; g < GROUPS; g++)
        p->id[g] = g;
    p->data.groups = GROUPS;
    p->data.group_start = p->start;
    p->data.group_id = p->id;
}

static bool occurs(const struct pair *p, const double *weight, int64_t feature, int64_t label) {
    for (int64_t r = 0; r < p->data.rows; r++)
        for (int64_t k = p->data.start[r]; k < p->data.start[r + 1]; k++)
            if ((weight == NULL || weight[r] > 0) && p->data.column[k] == feature &&
                p->data.value[k] != 0 && (int64_t)p->target[r] == label)
                return true;
    return false;
}

static void find_places(struct pair *p, const double *weight) {
    for (int64_t j = 0; j < p->features; j++)
        for (int64_t k = 0; k < p->labels; k++)
            if (j == FEATURES || occurs(p, weight, j, k))
                p->position[p->count++] = j * p->labels + k;
    for (int64_t k = p->features * p->labels; k < p->all->dimension; k++)
        p->position[p->count++] = k;
}

static void open_pair(struct pair *p, risk_new *make, int64_t labels, double bias, bool weighted,
                      bool offsets, uint64_t seed) {
    *p = (struct pair){.labels = labels, .features = FEATURES + (bias >= 0)};
    fill(p, seed);
    struct risk_settings settings = {.scalar = {.data = &p->data,
                                                .target = p->target,
                                                .weight = weighted ? p->weight : NULL,
                                                .bias = bias,
                                                .intercept = offsets},
                                     .labels = labels};
    p->all = make(&settings, NULL);
    settings.state_features = STATE_FEATURES_ATTESTED;
    p->reduced = make(&settings, NULL);
    assert_non_null(p->all);
    assert_non_null(p->reduced);
    assert_true(p->all->dimension <= MAX_WEIGHTS);
    find_places(p, settings.scalar.weight);
}

static void close_pair(struct pair *p) {
    risk_free(p->all);
    risk_free(p->reduced);
    p->data.group_start = p->data.group_id = NULL;
    dataset_free(&p->data);
}

/* to: 0 but at the places of the weights of `reduced`. */
static void spread(const struct pair *p, const double *w, double *to) {
    memset(to, 0, sizeof *to * MAX_WEIGHTS);
    for (int64_t k = 0; k < p->count; k++)
        to[p->position[k]] = w[k];
}

static void random_weights(struct random *random, double radius, double *w, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        w[k] = radius * (2 * random_unit(random) - 1);
}

static void the_pairs_are_those_that_occur(void **state) {
    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        struct pair p;
        open_pair(&p, trial % 2 ? m3n_risk_new : crf_risk_new, 2 + trial % 4, trial % 3 ? 1 : -1,
                  trial % 2, trial % 5 == 0, (uint64_t)trial);
        const struct attested *attested = p.reduced->attested;
        assert_null(p.all->attested);
        assert_int_equal(p.reduced->dimension, p.count);
        assert_true(p.reduced->dimension < p.all->dimension);
        assert_int_equal(p.reduced->dimension - p.reduced->regularized,
                         p.all->dimension - p.all->regularized);
        assert_int_equal(attested->columns, p.features);
        for (int64_t j = 0; j < p.features; j++)
            for (int32_t k = attested->start[j]; k < attested->start[j + 1]; k++)
                assert_int_equal(p.position[k], j * p.labels + attested->output[k]);
        close_pair(&p);
    }
}

/* Labels beyond a word of marks. */
static void many_labels_have_pairs(void **state) {
    (void)state;
    int32_t column[] = {0, 2, 2};
    int64_t start[] = {0, 1, 2, 3};
    double target[] = {130, 63, 64};
    struct dataset data = {
        .rows = 3, .nonzeros = 3, .features = 3, .start = start, .column = column};
    struct attested attested;
    const struct attested_settings settings = {&data, target, NULL, 131, false};
    assert_int_equal(attested_init(&attested, &settings, NULL), 0);
    assert_int_equal(attested_count(&attested), 3);
    const int32_t starts[] = {0, 1, 1, 3}, outputs[] = {130, 63, 64};
    assert_memory_equal(attested.start, starts, sizeof starts);
    assert_memory_equal(attested.output, outputs, sizeof outputs);
    attested_free(&attested);
}

static void check_evaluation(const struct pair *p, struct random *random, double mu) {
    double w[MAX_WEIGHTS], v[MAX_WEIGHTS], g[MAX_WEIGHTS], h[MAX_WEIGHTS], s = -INFINITY,
                                                                           t = -INFINITY;
    random_weights(random, 3, w, p->count);
    spread(p, w, v);
    double value = p->reduced->kind->evaluate(p->reduced, w, mu, g, &s);
    double expected = p->all->kind->evaluate(p->all, v, mu, h, &t);
    assert_near(value, expected, 1e-12 * (1 + expected));
    assert_true(s == t || fabs(s - t) <= 1e-12 * (1 + fabs(t)));
    for (int64_t k = 0; k < p->count; k++)
        assert_near(g[k], h[p->position[k]], 1e-12);
}

static void values_and_gradients_are_those_of_all(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 21, 1);
    for (int trial = 0; trial < 24; trial++) {
        struct pair p;
        open_pair(&p, trial % 2 ? m3n_risk_new : crf_risk_new, 2 + trial % 4, trial % 3 ? 0.7 : -1,
                  trial % 4 < 2, trial % 5 == 0, (uint64_t)trial);
        for (int point = 0; point < 5; point++)
            check_evaluation(&p, &random, trial % 2 && point > 2 ? 0.5 : 0);
        check_risk(p.reduced, trial % 3 ? 10 : 100, 0.1, (uint64_t)trial);
        close_pair(&p);
    }
}

/* v += the item's subgradient */
static void add_item(const struct risk_item *item, double *v) {
    for (int i = 0; i < item->rows; i++) {
        const struct scaled_row *row = &item->row[i];
        for (int64_t k = 0; k < row->count; k++)
            for (int32_t c = 0; c < row->width; c++) {
                int64_t column = row->column == NULL ? k : row->column[k];
                v[row->offset + row->stride * column + c] +=
                    row->coefficient * row->value[k * row->width + c];
            }
    }
}

static void check_item(const struct pair *p, int64_t i, struct random *random,
                       struct risk_item *reduced, struct risk_item *all) {
    double w[MAX_WEIGHTS], v[MAX_WEIGHTS], g[MAX_WEIGHTS] = {0}, h[MAX_WEIGHTS] = {0};
    random_weights(random, 2, w, p->count);
    spread(p, w, v);
    p->reduced->kind->item(p->reduced, i, w, 0.5, reduced);
    p->all->kind->item(p->all, i, v, 0.5, all);
    assert_near(reduced->loss, all->loss, 1e-12 * (1 + all->loss));
    add_item(reduced, g);
    add_item(all, h);
    for (int64_t k = 0; k < p->count; k++)
        assert_near(g[k], h[p->position[k]], 1e-12);
}

static void items_are_those_of_all(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 22, 1);
    for (int trial = 0; trial < 8; trial++) {
        struct pair p;
        open_pair(&p, trial % 2 ? m3n_risk_new : crf_risk_new, 2 + trial % 4, trial % 3 ? 0.7 : -1,
                  false, trial % 4 == 0, (uint64_t)trial);
        struct risk_item *reduced = risk_items_new(p.reduced, 1, NULL),
                         *all = risk_items_new(p.all, 1, NULL);
        assert_non_null(reduced);
        assert_non_null(all);
        for (int64_t i = 0; i < GROUPS; i++)
            check_item(&p, i, &random, reduced, all);
        free(reduced);
        free(all);
        close_pair(&p);
    }
}

static void squares_are_those_of_all(void **state) {
    (void)state;
    for (int trial = 0; trial < 6; trial++) {
        struct pair p;
        double reduced[MAX_WEIGHTS], all[MAX_WEIGHTS];
        open_pair(&p, crf_risk_new, 2 + trial, trial % 2 ? 3 : -1, trial % 3 == 0, false, 7);
        p.reduced->kind->squares(p.reduced, reduced);
        p.all->kind->squares(p.all, all);
        for (int64_t k = 0; k < p.count; k++)
            assert_near(reduced[k], all[p.position[k]], 1e-14);
        close_pair(&p);
    }
}

static void solvers_find_one_optimum(void **state) {
    static const char *const solvers[] = {"bundle", "proximal-bundle", "agm", "agm1"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct pair p;
        double low = -INFINITY, high = INFINITY;
        open_pair(&p, k ? m3n_risk_new : crf_risk_new, 3, 1, true, false, 31);
        struct problem problem = {
            .risk = p.reduced, .regularizer = regularizer_by_name("l2"), .lambda = 0.05};
        for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
            double w[MAX_WEIGHTS] = {0};
            struct outcome outcome;
            assert_int_equal(
                run_with(&problem, solvers[s], NULL, 1e-2, 3000, w, NULL, &outcome, NULL), 0);
            assert_int_equal(outcome.verdict, VERDICT_CONVERGED);
            low = fmax(low, outcome.bound);
            high = fmin(high, outcome.objective);
        }
        assert_true(low <= high * (1 + 1e-12));
        check_threads(&problem, "agm", NULL, 8);
        close_pair(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pairs_are_those_that_occur),
        cmocka_unit_test(many_labels_have_pairs),
        cmocka_unit_test(values_and_gradients_are_those_of_all),
        cmocka_unit_test(items_are_those_of_all),
        cmocka_unit_test(squares_are_those_of_all),
        cmocka_unit_test(solvers_find_one_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
