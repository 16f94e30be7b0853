/* test_pairs.c - the hinge over pairs beside all pairs one by one: value, derivatives, constant, smoothed and
 * not, ties, far scores; its risks -L rocarea and -L pairwise by what holds for every risk. */
#include "risk/ranking/pairs.h"

#include "risk/multivariate/rocarea.h"
#include "risk/ranking/pairwise.h"
#include "tests/random_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/risk_checks.h"

enum { MAX_ROWS = 3000, FEATURES = 6 };

struct fixture {
    struct pairs pairs;
    double label[MAX_ROWS], score[MAX_ROWS], by_score[MAX_ROWS], expected[MAX_ROWS];
    int64_t order[MAX_ROWS], run[MAX_ROWS + 1], rows;
    void *work;
};

static struct fixture fixture;

static struct fixture *open_fixture(int64_t rows) {
    fixture.rows = rows;
    fixture.work = malloc(pairs_work_bytes(rows) + 1);
    assert_non_null(fixture.work);
    return &fixture;
}

static void find_order(struct fixture *f) {
    f->pairs =
        (struct pairs){f->order, f->run, pairs_order(f->label, f->rows, f->order, f->run, f->work)};
}

struct plain {
    long double mean, constant, count, wrong;
};

/* The sum over all pairs, in long doubles. */
static struct plain all_pairs(struct fixture *f, double mu) {
    struct plain sum = {0};
    static long double by_score[MAX_ROWS];
    memset(by_score, 0, sizeof by_score);
    for (int64_t i = 0; i < f->rows; i++)
        for (int64_t j = 0; j < f->rows; j++) {
            if (!(f->label[i] > f->label[j]))
                continue;
            double z = f->score[i] - f->score[j], h = 1 - z; /* as they are rounded */
            long double a;
            a = h <= 0 ? 0 : mu == 0 || h >= mu ? 1 : h / mu;
            sum.mean += a * (h - mu * a / 2);
            sum.constant += a;
            sum.count++;
            sum.wrong += z < 0 ? 1 : z == 0 ? 0.5L : 0;
            by_score[i] -= a;
            by_score[j] += a;
        }
    long double pairs = sum.count > 0 ? sum.count : 1;
    for (int64_t i = 0; i < f->rows; i++)
        f->expected[i] = (double)(by_score[i] / pairs);
    return (struct plain){sum.mean / pairs, sum.constant / pairs, sum.count, sum.wrong / pairs};
}

/* SIZE: the magnitude of the scores, to which rounding errors are relative. */
static void compare(struct fixture *f, double mu, double size) {
    struct plain plain = all_pairs(f, mu);
    struct pairs_sum sum = pairs_hinge(&f->pairs, f->score, mu, f->by_score, f->work);
    double slack = 1e-12 * (1 + 1e-3 * size);
    assert_true(pairs_count(&f->pairs) == (double)plain.count);
    assert_near(sum.mean, (double)plain.mean, slack);
    assert_near(sum.constant, (double)plain.constant, 1e-12);
    for (int64_t i = 0; i < f->rows; i++)
        assert_near(f->by_score[i], f->expected[i], 1e-13);
    struct pairs_sum alone = pairs_hinge(&f->pairs, f->score, mu, NULL, f->work);
    assert_true(alone.mean == sum.mean && alone.constant == sum.constant);
    assert_near(pairs_error(&f->pairs, f->score, f->work), (double)plain.wrong, 1e-13);
    memcpy(f->expected, f->score, sizeof f->score);
    sum = pairs_hinge(&f->pairs, f->score, mu, f->score, f->work);
    assert_memory_equal(f->score, f->by_score, sizeof(double) * (size_t)f->rows);
    memcpy(f->score, f->expected, sizeof f->score);
}

static void it_is_the_sum_over_all_pairs(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 1, 0);
    for (int trial = 0; trial < 300; trial++) {
        struct fixture *f = open_fixture(1 + (int64_t)random_below(&random, 60));
        uint64_t grades = 1 + random_below(&random, trial % 3 == 0 ? 60 : 5);
        double shift = trial % 5 == 0 ? 1e6 : 0, scale = trial % 4 == 0 ? 0.1 : 3;
        for (int64_t i = 0; i < f->rows; i++) {
            f->label[i] = (double)random_below(&random, grades) - 2.5;
            f->score[i] = scale * (random_unit(&random) - 0.5);
            if (trial % 2) /* ties, and h of exactly 0 and mu */
                f->score[i] = rint(4 * f->score[i]) / 4;
            f->score[i] += shift;
        }
        find_order(f);
        for (double mu = 2; mu > 1e-3; mu /= 8)
            compare(f, mu, shift);
        compare(f, 0, shift);
        free(f->work);
    }
}

/* Large scores with exact differences: the hinge loses no digits to the offset of the scores. */
static void common_heights_cost_no_digits(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 9, 0);
    for (int trial = 0; trial < 100; trial++) {
        struct fixture *f = open_fixture(2 + (int64_t)random_below(&random, 40));
        for (int64_t i = 0; i < f->rows; i++) {
            f->label[i] = (double)random_below(&random, 3);
            f->score[i] = 0x1p40 + (double)random_below(&random, 2048) / 1024;
        }
        find_order(f);
        for (int k = 0; k < 3; k++) {
            double mu = k == 0 ? 0 : k == 1 ? 0.5 : 0x1p-8;
            struct pairs_sum sum = pairs_hinge(&f->pairs, f->score, mu, NULL, f->work);
            assert_near(sum.mean, (double)all_pairs(f, mu).mean, 1e-13);
            assert_true(sum.mean >= 0);
        }
        free(f->work);
    }
}

/* The value is not below 0 if the hinge is only rounding. */
static void no_hinge_is_below_zero(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 11, 0);
    for (int trial = 0; trial < 300; trial++) {
        struct fixture *f = open_fixture(40);
        for (int64_t i = 0; i < f->rows; i++) {
            f->label[i] = (double)random_below(&random, 3);
            f->score[i] = f->label[i] + 1e-15 * random_unit(&random) + 0.3;
            f->score[i] += f->label[i] == 2 ? 3000 * random_unit(&random) : 0;
        }
        find_order(f);
        for (double mu = 1; mu > 1e-18; mu /= 10)
            assert_true(pairs_hinge(&f->pairs, f->score, mu, NULL, f->work).mean >= 0);
        assert_true(pairs_hinge(&f->pairs, f->score, 0, NULL, f->work).mean >= 0);
        free(f->work);
    }
}

/* Scores about 1 apart, to some mu: planes of the least smoothing are below R, at their own scores, at others,
 * and where all scores are far: the derivatives' sum is 0. */
static void the_least_smoothing_has_planes_below(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 4, 0);
    for (int trial = 0; trial < 1500; trial++) {
        struct fixture *f = open_fixture(2 + (int64_t)random_below(&random, 14));
        double mu = pow(10, -3 - 13 * random_unit(&random));
        double shift = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 0.123 : 1000.123;
        for (int64_t i = 0; i < f->rows; i++) {
            f->label[i] = (double)random_below(&random, trial % 2 ? 2 : 4);
            f->score[i] = f->label[i] + shift + 3 * mu * (random_unit(&random) - 0.5);
            if (i > 0 && random_below(&random, 4) == 0 && f->label[i] == f->label[i - 1])
                f->score[i] = f->score[i - 1];
        }
        find_order(f);
        struct pairs_sum sum = pairs_hinge(&f->pairs, f->score, mu, f->by_score, f->work);
        double slack = 4e-16 * (1 + shift) * (double)f->rows, at = sum.constant, other = at,
               all = 0;
        assert_true(sum.mean >= 0 && sum.constant >= 0);
        assert_true(pairs_hinge(&f->pairs, f->score, 0, NULL, f->work).mean >= 0);
        assert_true(sum.mean <= (double)all_pairs(f, 0).mean + slack);
        for (int64_t i = 0; i < f->rows; i++) {
            all += f->by_score[i];
            at += f->by_score[i] * f->score[i];
            other += f->by_score[i] * f->label[i];
        }
        assert_near(all, 0, 1e-15 * (double)f->rows);
        assert_true(at <= (double)all_pairs(f, 0).mean + slack);
        assert_true(at >= sum.mean - slack);
        assert_true(other <= slack); /* R = 0 there */
        free(f->work);
    }
}

/* So many rows that they are sorted by radix; some scores are far from the others. */
static void many_rows(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 2, 0);
    struct fixture *f = open_fixture(MAX_ROWS);
    for (int64_t i = 0; i < f->rows; i++) {
        f->label[i] = i % 7 == 0;
        f->score[i] = 4 * (random_unit(&random) - 0.5) + (i % 100 == 0 ? 1e9 : 0);
    }
    find_order(f);
    assert_int_equal(f->pairs.grades, 2);
    compare(f, 0, 1e9);
    compare(f, 0.3, 1e9);
    compare(f, 1e-5, 1e9);
    free(f->work);
}

/* Scores of very different magnitudes: rounding is relative to the largest, and no result is not-a-number. */
static void far_scores(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 3, 0);
    for (int power = -300; power <= 300; power += 25) {
        struct fixture *f = open_fixture(40);
        double scale = pow(10, power);
        for (int64_t i = 0; i < f->rows; i++) {
            f->label[i] = (double)random_below(&random, 3);
            f->score[i] = i % 4 == 0 ? random_unit(&random) : scale * (random_unit(&random) - 0.5);
        }
        find_order(f);
        for (double mu = 1; mu > 1e-12; mu /= 1000) {
            struct plain plain = all_pairs(f, mu);
            struct pairs_sum sum = pairs_hinge(&f->pairs, f->score, mu, f->by_score, f->work);
            assert_near(sum.mean, (double)plain.mean, 1e-13 * (1 + scale));
            assert_near(sum.constant, (double)plain.constant, 1e-13);
            for (int64_t i = 0; i < f->rows; i++)
                assert_near(f->by_score[i], f->expected[i], 1e-13);
        }
        free(f->work);
    }
}

/* One row, no row of another label, equal scores. */
static void no_pairs(void **state) {
    (void)state;
    struct fixture *f = open_fixture(5);
    for (int64_t i = 0; i < f->rows; i++) {
        f->label[i] = 2;
        f->score[i] = (double)i;
    }
    find_order(f);
    compare(f, 0, 0);
    compare(f, 0.5, 0);
    f->label[3] = -7;
    memset(f->score, 0, sizeof f->score);
    find_order(f);
    compare(f, 0, 0);
    assert_near(f->by_score[3], 1, 0);
    f->rows = 1;
    find_order(f);
    compare(f, 0, 0);
    free(f->work);
}

/* ---- the risks */

static void give_groups(struct dataset *data, int64_t groups) {
    data->groups = groups;
    data->group_start = malloc(sizeof(int64_t) * (size_t)(groups + 1));
    data->group_id = malloc(sizeof(int64_t) * (size_t)groups);
    assert_true(data->group_start != NULL && data->group_id != NULL);
    for (int64_t q = 0; q <= groups; q++)
        data->group_start[q] = data->rows * q * q / (groups * groups);
    data->group_start[1] = 1; /* of one document */
    for (int64_t q = 0; q < groups; q++)
        data->group_id[q] = q;
}

static void rocarea(void **state) {
    (void)state;
    struct dataset data = random_data(70, FEATURES, false, 5);
    struct risk *risk = rocarea_risk_new(
        &(struct risk_settings){.scalar = {.data = &data, .target = data.label, .bias = -1}}, NULL);
    assert_true(risk != NULL && risk->items == 0 && risk->dimension == FEATURES);
    check_risk(risk, 2, 0.5, 1);
    check_risk(risk, 30, 3, 2);
    check_least_smoothing(risk, 2, 3);
    risk_free(risk);
    dataset_free(&data);
}

static bool equal_labels(const struct dataset *data, int64_t q) {
    for (int64_t i = data->group_start[q]; i < data->group_start[q + 1]; i++)
        if (data->label[i] != data->label[data->group_start[q]])
            return false;
    return true;
}

static void pairwise(void **state) {
    (void)state;
    for (int64_t groups = 4; groups <= 12; groups += 8) {
        struct dataset data = random_data(90, FEATURES, groups == 4, 6);
        double weight[90];
        give_groups(&data, groups);
        for (int64_t q = 0; q < groups; q++)
            for (int64_t i = data.group_start[q]; i < data.group_start[q + 1]; i++) {
                weight[i] = (double)(q % 3);
                data.label[i] = q == 2 ? 1 : data.label[i] * (double)(i % 3);
            }
        for (int weighted = 0; weighted < 2; weighted++) {
            struct risk *risk = pairwise_risk_new(
                &(struct risk_settings){.scalar = {.data = &data,
                                                   .target = data.label,
                                                   .weight = weighted ? weight : NULL,
                                                   .bias = -1}},
                NULL);
            assert_true(risk != NULL && risk->items == groups && risk->dimension == FEATURES);
            double zero[FEATURES] = {0}, without = 0, all = 0;
            for (int64_t q = 0; q < groups; q++) {
                double query_weight = weighted ? (double)(q % 3) : 1;
                all += query_weight;
                without += equal_labels(&data, q) ? query_weight : 0;
            }
            assert_near(risk_evaluate(risk, zero, 0, NULL), 1 - without / all, 1e-15);
            assert_near(risk->smoothing, (1 - without / all) / 2, 1e-15);
            check_risk(risk, 2, 0.5, 3);
            check_risk(risk, 30, 3, 4);
            check_least_smoothing(risk, 2, 5);
            risk_free(risk);
        }
        dataset_free(&data);
    }
}

/* Weights that differ within a query, or at all. */
static void weights_are_refused(void **state) {
    (void)state;
    struct dataset data = random_data(20, FEATURES, false, 6);
    double weight[20];
    struct error first = {0}, second = {0};
    give_groups(&data, 2);
    for (int i = 0; i < 20; i++)
        weight[i] = 1 + (i == 19);
    struct risk_settings settings = {
        .scalar = {.data = &data, .target = data.label, .weight = weight, .bias = -1}};
    assert_null(rocarea_risk_new(&settings, &first));
    assert_int_equal(first.kind, ERROR_USAGE);
    assert_non_null(strstr(first.words, "-L rocarea needs examples of one weight"));
    assert_null(pairwise_risk_new(&settings, &second));
    assert_int_equal(second.kind, ERROR_USAGE);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_sum_over_all_pairs),
        cmocka_unit_test(no_hinge_is_below_zero),
        cmocka_unit_test(common_heights_cost_no_digits),
        cmocka_unit_test(the_least_smoothing_has_planes_below),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(far_scores),
        cmocka_unit_test(no_pairs),
        cmocka_unit_test(rocarea),
        cmocka_unit_test(pairwise),
        cmocka_unit_test(weights_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
