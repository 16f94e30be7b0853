/* test_ndcg.c - the bound of 1 - NDCG beside all permutations of a query, for each K, with grades and scores that
 * tie; the properties of every risk; queries of a thousand documents. */
#include "risk/ranking/ndcg.h"

#include "risk/ranking/ranking.h"
#include "tests/random_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/risk_checks.h"

enum { MAX_DOCUMENTS = 7, FEATURES = 6 };

/* ---- one query whose document d has the feature d alone: the weights are the scores */

struct query {
    struct dataset data;
    int64_t rows, start[MAX_DOCUMENTS + 1], group_start[2], group_id[1], K;
    int32_t column[MAX_DOCUMENTS];
    double value[MAX_DOCUMENTS], grade[MAX_DOCUMENTS], score[MAX_DOCUMENTS];
    int64_t by_grade[MAX_DOCUMENTS]; /* the order by grade */
    bool roots;
};

static void make_query(struct query *q, struct random *random) {
    bool ties = random_below(random, 2);
    q->rows = 1 + (int64_t)random_below(random, random_below(random, 20) ? 6 : 7);
    for (int64_t d = 0; d < q->rows; d++) {
        q->start[d] = d;
        q->column[d] = (int32_t)d;
        q->value[d] = 1;
        q->grade[d] = (double)random_below(random, 4);
        q->score[d] = ties ? 0.5 * (double)random_below(random, 4) : 3 * random_unit(random);
        q->by_grade[d] = d;
    }
    for (int64_t d = 1; d < q->rows; d++)
        for (int64_t k = d; k > 0 && q->grade[q->by_grade[k]] > q->grade[q->by_grade[k - 1]]; k--) {
            int64_t one = q->by_grade[k];
            q->by_grade[k] = q->by_grade[k - 1];
            q->by_grade[k - 1] = one;
        }
    q->start[q->rows] = q->rows;
    q->group_start[0] = 0;
    q->group_start[1] = q->rows;
    q->group_id[0] = 1;
    q->data = (struct dataset){.rows = q->rows,
                               .nonzeros = q->rows,
                               .features = (int32_t)q->rows,
                               .start = q->start,
                               .column = q->column,
                               .value = q->value,
                               .label = q->grade,
                               .groups = 1,
                               .group_start = q->group_start,
                               .group_id = q->group_id};
}

/* The discounted gains of an order. */
static double gains(const struct query *q, const int64_t *order) {
    double sum = 0;
    for (int64_t j = 0; j < q->rows && j < q->K; j++)
        sum += (pow(2, q->grade[order[j]]) - 1) * log(2) / log(2 + (double)j);
    return sum;
}

static double products(const struct query *q, const int64_t *order) {
    double sum = 0;
    for (int64_t j = 0; j < q->rows; j++)
        sum += q->score[order[j]] * (q->roots ? 1 / sqrt((double)j + 1) : q->grade[q->by_grade[j]]);
    return sum;
}

/* The largest 1 - NDCG + sum c f over all orders, and the smallest NDCG of the orders by descending score. */
static void try_all(const struct query *q, int64_t *order, int64_t from, double *largest,
                    double *smallest) {
    if (from == q->rows) {
        double share = gains(q, order) / gains(q, q->by_grade);
        bool falling = true;
        *largest = fmax(*largest, 1 - share + products(q, order) - products(q, q->by_grade));
        for (int64_t j = 1; j < q->rows; j++)
            falling = falling && q->score[order[j - 1]] >= q->score[order[j]];
        *smallest = falling ? fmin(*smallest, share) : *smallest;
        return;
    }
    for (int64_t k = from; k < q->rows; k++) {
        int64_t by_grade = order[from];
        order[from] = order[k];
        order[k] = by_grade;
        try_all(q, order, from + 1, largest, smallest);
        order[k] = order[from];
        order[from] = by_grade;
    }
}

static void it_is_the_most_over_all_orders(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 1, 0);
    for (int trial = 0; trial < 300; trial++) {
        struct query q;
        make_query(&q, &random);
        q.roots = trial % 3 == 0;
        for (q.K = 1; q.K <= q.rows; q.K++) {
            struct risk *risk = ndcg_risk_new(
                &(struct risk_settings){.scalar = {.data = &q.data, .target = q.grade, .bias = -1},
                                        .places = q.roots ? PLACES_ROOT : PLACES_GRADES,
                                        .at = q.K},
                NULL);
            if (gains(&q, q.by_grade) == 0) { /* nothing to learn */
                assert_null(risk);
                continue;
            }
            assert_non_null(risk);
            double value = risk_evaluate(risk, q.score, 0, NULL), largest = -INFINITY, smallest = 1;
            int64_t order[MAX_DOCUMENTS] = {0, 1, 2, 3, 4, 5, 6};
            try_all(&q, order, 0, &largest, &smallest);
            assert_near(value, largest, 1e-12);
            assert_true(value >= 1 - smallest - 1e-12 && value >= 0);
            assert_true(isinf(risk->smoothing));
            risk_free(risk);
        }
    }
}

/* ---- several queries */

static void give_queries(struct dataset *data, int64_t groups) {
    data->groups = groups;
    data->group_start = malloc(sizeof(int64_t) * (size_t)(groups + 1));
    data->group_id = malloc(sizeof(int64_t) * (size_t)groups);
    assert_true(data->group_start != NULL && data->group_id != NULL);
    for (int64_t q = 0; q <= groups; q++)
        data->group_start[q] = data->rows * q * q / (groups * groups);
    for (int64_t q = 0; q < groups; q++)
        data->group_id[q] = q;
    for (int64_t i = 0; i < data->rows; i++)
        data->label[i] = i >= data->group_start[groups / 2] && i < data->group_start[groups / 2 + 1]
                             ? 0
                             : fmax(0, data->label[i]) * (double)(i % 4);
}

static void what_holds_for_risks(void **state) {
    (void)state;
    for (int64_t K = 0; K <= 30; K += 3) {
        struct dataset data = random_data(120, FEATURES, K == 3, 8 + (uint64_t)K);
        give_queries(&data, 8);
        struct risk *risk = ndcg_risk_new(
            &(struct risk_settings){.scalar = {.data = &data, .target = data.label, .bias = -1},
                                    .places = K % 2 == 0 ? PLACES_ROOT : PLACES_GRADES,
                                    .at = K},
            NULL);
        assert_true(risk != NULL && risk->items == 8 && risk->dimension == FEATURES);
        check_risk(risk, 0.3, 1, 1);
        check_risk(risk, 5, 1, 2);
        check_risk(risk, 1e6, 1, 3);
        risk_free(risk);
        dataset_free(&data);
    }
}

/* At K no larger than the queries, the default of 10 and 10 are one. */
static void ten_is_the_default(void **state) {
    (void)state;
    double value[2], w[FEATURES] = {1, -2, 3, 0.5, -1, 0.2};
    for (int k = 0; k < 2; k++) {
        struct dataset data = random_data(90, FEATURES, false, 4);
        give_queries(&data, 3);
        struct risk *risk = ndcg_risk_new(
            &(struct risk_settings){.scalar = {.data = &data, .target = data.label, .bias = -1},
                                    .at = 10 * k},
            NULL);
        assert_non_null(risk);
        value[k] = risk_evaluate(risk, w, 0, NULL);
        risk_free(risk);
        dataset_free(&data);
    }
    assert_true(value[0] == value[1] && value[0] > 0);
}

/* For a query of a thousand documents, the linearization is a lower bound and exact at its point. */
static void large_queries(void **state) {
    (void)state;
    struct dataset data = random_data(1200, FEATURES, false, 5);
    give_queries(&data, 1);
    for (int64_t i = 0; i < data.rows; i++)
        data.label[i] = (double)((i * 7919) % 5);
    struct risk *risk = ndcg_risk_new(
        &(struct risk_settings){.scalar = {.data = &data, .target = data.label, .bias = -1}}, NULL);
    struct risk_work work;
    assert_non_null(risk);
    risk_work_init(&work, risk, 0.5, 1);
    check_risk_planes(&work, 0);
    free(work.w);
    risk_free(risk);
    dataset_free(&data);
}

/* The bounds that online solvers go by, at a query where they are reached: two documents of a feature, grades 1
 * and 0, in the wrong order, and as far in the right one as the hinge is felt. K is as large as it likes. */
static void bounds_are_reached(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct dataset data = random_data(2, 1, false, 1);
        int64_t start[] = {0, 1, 2}, group_start[] = {0, 2}, group_id[] = {1};
        int32_t column[] = {0, 0};
        double value[] = {1, -1}, grade[] = {1, 0}, g, constant, slope;
        struct dataset by_grade = data;
        by_grade.start = start;
        by_grade.nonzeros = 2;
        by_grade.column = column;
        by_grade.value = value;
        by_grade.label = grade;
        by_grade.groups = 1;
        by_grade.group_start = group_start;
        by_grade.group_id = group_id;
        struct risk *risk = ndcg_risk_new(
            &(struct risk_settings){.scalar = {.data = &by_grade, .target = grade, .bias = -1},
                                    .at = k == 0 ? 1 : INT64_MAX / 2},
            NULL);
        assert_non_null(risk);
        risk->kind->lipschitz(risk, &constant, &slope);
        double wrong = -3;
        risk_evaluate(risk, &wrong, 0, &g);
        assert_near(fabs(g), 2, 0);
        assert_near(constant, 2, 1e-15);
        assert_true(slope == 0);
        if (k == 0) { /* 1 - NDCG = 1 */
            double right = 0.4999;
            assert_near(risk_evaluate(risk, &right, 0, &g), 0.0002, 1e-12);
            assert_true(-right * g > 0.999);
            assert_near(risk->kind->norm_bound(risk), 1, 0);
        }
        risk_free(risk);
        dataset_free(&data);
    }
}

static void grades_are_refused(void **state) {
    (void)state;
    const double bad[] = {-1, 30.5, INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct dataset data = random_data(5, FEATURES, false, 5);
        struct error e = {0};
        for (int i = 0; i < 5; i++)
            data.label[i] = i == 0 ? 30 : i == 1 ? NAN : 0.5;
        assert_int_equal(ranking_check_grades(&data, "file", false, &e), 0);
        data.label[2] = bad[k];
        assert_int_equal(ranking_check_grades(&data, "file", false, &e), -1);
        assert_non_null(strstr(e.words, "example 3: the grade is "));
        assert_non_null(strstr(e.words, "; -L ndcg needs grades from 0 to 30"));
        dataset_free(&data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_most_over_all_orders),
        cmocka_unit_test(what_holds_for_risks),
        cmocka_unit_test(ten_is_the_default),
        cmocka_unit_test(large_queries),
        cmocka_unit_test(bounds_are_reached),
        cmocka_unit_test(grades_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
