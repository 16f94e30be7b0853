/* test_items.c - the loop over items, with a loss defined here: rows or groups, a constant feature, weights, shared
 * weights, dense rows, any number of outputs; values beside sums in long doubles, and what holds for every risk. */
#include "risk/items.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "risk/multiclass.h"
#include "tests/random_data.h"
#include "tests/risk_checks.h"

enum { ROWS = 90, FEATURES = 9, MAX_WIDTH = 33, MAX_GROUP = 4, SHARED = 3 };

/* log sum over the item's rows r and outputs k of exp(u_rk + v_(k mod shared)), less the score of the cell in
 * the item's first row that is the target. */

static double *cell_shared(const struct items *items, double *v, int64_t k) {
    return &v[k % items->shared];
}

static double cells_value(const struct items *items, int64_t i, double *u, const double *v,
                          double mu, double *by_shared, double *constant, void *work) {
    int64_t rows = items_end(items, i) - items_first(items, i), n = rows * items->width;
    int64_t label = (int64_t)items->target[items_first(items, i)];
    double top = -INFINITY, sum = 0, product = 0, *score = work;
    (void)mu;
    for (int64_t c = 0; c < n; c++) {
        score[c] = u[c] + (items->shared > 0 ? v[c % items->width % items->shared] : 0);
        top = fmax(top, score[c]);
    }
    for (int64_t c = 0; c < n; c++)
        sum += exp(score[c] - top);
    double value = top + log(sum) - score[label];
    for (int64_t c = 0; c < n && by_shared != NULL; c++) {
        u[c] = exp(score[c] - top) / sum - (c == label);
        product += u[c] * score[c];
        if (items->shared > 0)
            *cell_shared(items, by_shared, c % items->width) += u[c];
    }
    *constant = value - product;
    return value;
}

static double cells_lipschitz(const struct items *items, int64_t i) {
    double largest = 0;
    for (int64_t r = items_first(items, i); r < items_end(items, i); r++)
        largest = fmax(largest, items_row_square(items, r));
    return 2 * sqrt(largest + (items->shared > 0));
}

static double cells_norm_bound(const struct items *items, int64_t i) {
    int64_t cells = (items_end(items, i) - items_first(items, i)) * items->width;
    return cells == 1 ? 0 : softmax_norm_bound(cells);
}

static const struct item_loss cells = {.name = "cells",
                                       .value = cells_value,
                                       .lipschitz = cells_lipschitz,
                                       .norm_bound = cells_norm_bound};

struct sample {
    struct dataset data;
    double target[ROWS], weight[ROWS];
    int64_t start[ROWS + 1], id[ROWS];
    struct scalar_settings scalar;
    struct items_settings settings;
    struct items *items;
};

static void make_groups(struct sample *s, struct random *random) {
    for (int64_t r = 0; r < ROWS; s->data.groups++) {
        int64_t end = r + 1 + (int64_t)random_below(random, MAX_GROUP);
        double weight = s->data.groups % 5 == 1 ? 0 : 3 * random_unit(random);
        s->start[s->data.groups] = r;
        s->id[s->data.groups] = s->data.groups;
        for (; r < end && r < ROWS; r++)
            s->weight[r] = weight;
    }
    s->start[s->data.groups] = ROWS;
    s->data.group_start = s->start;
    s->data.group_id = s->id;
}

/* All columns in every row, and one list of them. */
static struct dataset dense_data(uint64_t seed) {
    struct dataset data = random_data(ROWS, FEATURES, false, seed);
    struct random random;
    random_seed(&random, seed, 5);
    data.dense = true;
    data.nonzeros = ROWS * FEATURES;
    for (int64_t i = 0; i <= ROWS; i++)
        data.start[i] = i * FEATURES;
    for (int64_t k = 0; k < data.nonzeros; k++)
        data.value[k] = 2 * random_unit(&random) - 1;
    for (int32_t j = 0; j < FEATURES; j++)
        data.column[j] = j;
    return data;
}

static void open_sample(struct sample *s, int64_t width, uint64_t kind) {
    struct random random;
    random_seed(&random, kind, 4);
    *s = (struct sample){.data = kind % 4 == 3 ? dense_data(kind)
                                               : random_data(ROWS, FEATURES, kind % 4 == 1, kind)};
    make_groups(s, &random);
    for (int64_t r = 0; r < ROWS; r++)
        s->target[r] = (double)random_below(&random, (uint64_t)width);
    s->scalar = (struct scalar_settings){.data = &s->data,
                                         .target = s->target,
                                         .weight = kind / 2 % 2 ? s->weight : NULL,
                                         .bias = kind / 3 % 2 ? 0.8 : -1};
    s->settings =
        (struct items_settings){.scalar = &s->scalar,
                                .loss = &cells,
                                .grouped = kind % 3 != 0,
                                .width = width,
                                .shared = kind % 5 < 2 ? 0 : SHARED,
                                .work_bytes = sizeof(double) * (size_t)(MAX_GROUP * width)};
    s->items = items_new(sizeof *s->items, &cells, NULL);
    assert_non_null(s->items);
    assert_int_equal(items_init(s->items, &s->settings, NULL), 0);
    assert_int_equal(s->items->risk.dimension,
                     (FEATURES + (s->scalar.bias >= 0)) * width + s->settings.shared);
}

static void close_sample(struct sample *s) {
    risk_free(&s->items->risk);
    s->data.group_start = s->data.group_id = NULL; /* not from malloc */
    dataset_free(&s->data);
}

static void samples(void (*look)(struct sample *s, uint64_t seed)) {
    static const int64_t widths[] = {1, 2, 3, 8, 11, 16, 17, MAX_WIDTH};
    for (uint64_t kind = 0; kind < 40; kind++) {
        struct sample s;
        open_sample(&s, widths[(kind + kind / 8) % 8], kind);
        look(&s, kind);
        close_sample(&s);
    }
}

/* ---- by the definition */

static long double direct_score(const struct sample *s, int64_t r, int64_t k, const double *w) {
    int64_t width = s->settings.width;
    const double *v = w + s->items->risk.dimension - s->settings.shared;
    long double sum =
        s->scalar.bias >= 0 ? (long double)s->scalar.bias * w[FEATURES * width + k] : 0;
    for (int64_t j = 0; j < dataset_count(&s->data, r); j++)
        sum += (s->data.value == NULL ? 1 : (long double)dataset_values(&s->data, r)[j]) *
               w[dataset_columns(&s->data, r)[j] * width + k];
    return sum + (s->settings.shared > 0 ? v[k % s->settings.shared] : 0);
}

static double direct(const struct sample *s, const double *w) {
    int64_t items = s->settings.grouped ? s->data.groups : ROWS;
    long double sum = 0, weights = 0;
    for (int64_t i = 0; i < items; i++) {
        int64_t first = s->settings.grouped ? s->start[i] : i;
        int64_t end = s->settings.grouped ? s->start[i + 1] : i + 1;
        long double c = s->scalar.weight == NULL ? 1 : s->scalar.weight[first], all = 0;
        for (int64_t r = first; r < end; r++)
            for (int64_t k = 0; k < s->settings.width; k++)
                all += expl(direct_score(s, r, k, w));
        sum += c * (logl(all) - direct_score(s, first, (int64_t)s->target[first], w));
        weights += c;
    }
    return (double)(sum / weights);
}

static void compare(struct sample *s, uint64_t seed) {
    struct risk_work work;
    risk_work_init(&work, &s->items->risk, 20, seed);
    for (int k = 0; k < RISK_CHECK_POINTS; k++) {
        risk_random_point(&work, work.w);
        double value = direct(s, work.w);
        assert_near(risk_evaluate(&s->items->risk, work.w, 0, NULL), value, 1e-13 * (1 + value));
    }
    free(work.w);
}

static void values_are_the_definition(void **state) {
    (void)state;
    samples(compare);
}

static void check(struct sample *s, uint64_t seed) {
    check_risk(&s->items->risk, seed % 2 ? 5 : 40, 0, seed);
}

static void it_is_a_risk(void **state) {
    (void)state;
    samples(check);
}

/* ---- enough work for threads, and blocks enough */

static void many_rows_do_not_depend_on_threads(void **state) {
    enum { MANY = 6000, WIDTH = 7 };
    struct dataset data = random_data(MANY, FEATURES, false, 2);
    double *target = calloc(MANY, sizeof *target);
    (void)state;
    assert_non_null(target);
    for (int64_t i = 0; i < MANY; i++)
        target[i] = (double)(i % WIDTH);
    int before = omp_get_max_threads();
    omp_set_num_threads(5); /* as many as there will be slots */
    struct scalar_settings scalar = {.data = &data, .target = target, .bias = 1};
    struct items_settings settings = {.scalar = &scalar,
                                      .loss = &cells,
                                      .width = WIDTH,
                                      .shared = 2,
                                      .work_bytes = sizeof(double) * WIDTH};
    struct items *items = items_new(sizeof *items, &cells, NULL);
    assert_int_equal(items_init(items, &settings, NULL), 0);
    assert_true(items->parallel && items->blocks > 5 && items->max_threads == 5);
    struct risk_work work;
    risk_work_init(&work, &items->risk, 10, 3);
    check_risk_threads(&work, 0);
    omp_set_num_threads(before);
    free(work.w);
    risk_free(&items->risk);
    free(target);
    dataset_free(&data);
}

/* ---- errors */

static void refuse(const struct items_settings *settings, const char *words) {
    struct error e = {0};
    struct items *items = items_new(sizeof *items, &cells, NULL);
    assert_int_equal(items_init(items, settings, &e), -1);
    assert_non_null(strstr(e.words, words));
    risk_free(&items->risk);
}

static void what_has_no_risk_is_refused(void **state) {
    struct sample s;
    (void)state;
    open_sample(&s, 3, 7);
    struct scalar_settings scalar = s.scalar;
    struct items_settings settings = s.settings;
    settings.scalar = &scalar;
    settings.grouped = true;
    scalar.weight = s.weight;
    int64_t g = 0;
    while (s.start[g + 1] - s.start[g] < 2)
        g++;
    s.weight[s.start[g] + 1] += 1;
    refuse(&settings, "one weight for all rows of a group");
    for (int64_t r = 0; r < ROWS; r++)
        s.weight[r] = 0;
    refuse(&settings, "the example weights sum to 0");
    for (int64_t r = 0; r < ROWS; r++)
        s.weight[r] = 1e308;
    refuse(&settings, "the example weights sum to inf");
    scalar.weight = NULL;
    settings.width = INT64_MAX / (FEATURES + 3); /* items of more nonzeros than features */
    refuse(&settings, "more than this machine has");
    settings.width = 3;
    settings.shared = INT64_C(1) << 50;
    refuse(&settings, "3 outputs and the weights that they share take ");
    settings.width = INT64_MAX / 4;
    refuse(&settings, "features times outputs is too large");
    close_sample(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_the_definition),
        cmocka_unit_test(it_is_a_risk),
        cmocka_unit_test(many_rows_do_not_depend_on_threads),
        cmocka_unit_test(what_has_no_risk_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
