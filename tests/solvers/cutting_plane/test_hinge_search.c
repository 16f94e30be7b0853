/* test_hinge_search.c - the exact line search and the best offset, against brute force over all
 * breakpoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/random/random.h"
#include "solvers/cutting_plane/hinge_offset.h"
#include "tests/near.h"
#include "tests/random_data.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 6000 };

struct instance {
    struct dataset data;
    struct design design;
    struct hinge_search search;
    double slack[MAX_ROWS], step[MAX_ROWS], weight[MAX_ROWS], label[MAX_ROWS];
    struct hinge_line line;
};

/* Rounded numbers make ties, zeros and equal breakpoints. */
static double draw(struct random *random, int kind) {
    double x = 4 * random_unit(random) - 2;
    return kind % 2 ? round(2 * x) / 2 : x;
}

static void set_up(struct instance *t, int64_t rows, int kind, uint64_t seed) {
    struct random random;
    random_seed(&random, seed, 5);
    t->data = random_data(rows, 4, false, seed);
    design_init(&t->design, &t->data, -1, false, NULL);
    t->design.threads = true;
    assert_int_equal(hinge_search_init(&t->search, &t->design, NULL), 0);
    for (int64_t i = 0; i < rows; i++) {
        t->slack[i] = draw(&random, kind) + (kind & 4 ? 1.5 : 0);
        t->step[i] = (kind & 8 ? 1e-6 : 1) * draw(&random, kind);
        t->weight[i] = i % 7 == 0 ? 0 : round(3 * random_unit(&random)) + 1;
        t->label[i] = random_unit(&random) < 0.4 ? 1 : -1;
    }
    t->line = (struct hinge_line){.slack = t->slack,
                                  .step = t->step,
                                  .weight = kind & 2 ? t->weight : NULL,
                                  .curvature =
                                      (double)rows * random_unit(&random) * (kind & 16 ? 1e-9 : 1),
                                  .slope = (double)rows * (random_unit(&random) - 0.7)};
}

static void tear_down(struct instance *t) {
    hinge_search_free(&t->search);
    design_free(&t->design);
    dataset_free(&t->data);
}

static double phi(const struct hinge_line *line, int64_t rows, double k) {
    double sum = line->curvature / 2 * k * k + line->slope * k;
    for (int64_t i = 0; i < rows; i++)
        sum += (line->weight == NULL ? 1 : line->weight[i]) *
               fmax(0, line->slack[i] + k * line->step[i]);
    return sum;
}

/* The rounding error of phi near k. */
static double rounding(const struct hinge_line *line, int64_t rows, double k) {
    return 1e-13 * (double)rows *
           (1 + line->curvature * k * k + fabs(line->slope * k) + 3 * (double)rows * fabs(k));
}

/* The derivative at k from one side. */
static double slope_at(const struct hinge_line *line, int64_t rows, double k, double side) {
    double sum = line->curvature * k + line->slope;
    for (int64_t i = 0; i < rows; i++) {
        double d = line->step[i], t = line->slack[i] + k * d;
        bool active = fabs(t) <= 1e-12 * (1 + fabs(line->slack[i])) ? side * d > 0 : t > 0;
        sum += active ? (line->weight == NULL ? 1 : line->weight[i]) * d : 0;
    }
    return sum;
}

/* phi' changes sign at k: convexity makes it the minimum. */
static void check_minimum(const struct hinge_line *line, int64_t rows, double k, double from) {
    double scale = 1e-9 * (double)rows;
    assert_true(k >= from && isfinite(k));
    if (k > from)
        assert_true(slope_at(line, rows, k, -1) <= scale);
    assert_true(slope_at(line, rows, k, 1) >= -scale);
}

static void the_minimum_is_where_the_slope_changes_sign(void **state) {
    (void)state;
    static struct instance t;
    static const int64_t sizes[] = {1, 2, 3, 10, 100, 1500, 6000};
    for (int kind = 0; kind < 32; kind++)
        for (int size = 0; size < 7; size++)
            for (uint64_t seed = 0; seed < (size < 5 ? 20u : 2u); seed++) {
                set_up(&t, sizes[size], kind, seed);
                double k = hinge_search_minimum(&t.search, &t.line, 0);
                check_minimum(&t.line, sizes[size], k, 0);
                for (double other = k / 2; other <= 2 * k + 1; other += k / 4 + 0.25)
                    assert_true(phi(&t.line, sizes[size], other) >=
                                phi(&t.line, sizes[size], k) - rounding(&t.line, sizes[size], k));
                tear_down(&t);
            }
}

/* k = 0 if phi does not fall at the start. */
static void a_line_that_rises_is_not_followed(void **state) {
    (void)state;
    static struct instance t;
    set_up(&t, 500, 1, 3);
    t.line.slope = 1e6;
    assert_true(hinge_search_minimum(&t.search, &t.line, 0) == 0);
    tear_down(&t);
}

static double risk_at(const struct instance *t, const double *weight, const double *slack,
                      double shift, int64_t rows) {
    double sum = 0;
    for (int64_t i = 0; i < rows; i++)
        sum += (weight == NULL ? 1 : weight[i]) * fmax(0, slack[i] - shift * t->label[i]);
    return sum;
}

static void check_offset(struct instance *t, int64_t rows) {
    double before[MAX_ROWS], balance = 0, mass = 0;
    const double *weight = t->line.weight;
    const struct scalar_terms terms = {.target = t->label, .weight = weight};
    memcpy(before, t->slack, sizeof before);
    double shift = hinge_offset_move(&t->search, &terms, t->slack);
    double reached = risk_at(t, weight, t->slack, 0, rows);
    assert_near(reached, risk_at(t, weight, before, shift, rows), 1e-9 * (double)rows);
    for (int64_t i = 0; i < rows; i++) /* a minimum is at a breakpoint */
        assert_true(reached <= risk_at(t, weight, before, before[i] * t->label[i], rows) + 1e-9);
    struct hinge_fractions fractions = hinge_offset_balance(&terms, t->slack, rows, NULL);
    for (int class = 0; class < 2; class ++)
        assert_true(fractions.active[class] == 1 && fractions.tied[class] >= 0 &&
                    fractions.tied[class] <= 1);
    for (int64_t i = 0; i < rows; i++) {
        double p = weight == NULL ? 1 : weight[i], v = t->slack[i];
        double u = v > 0 ? 1 : v < 0 ? 0 : fractions.tied[t->label[i] > 0];
        balance += p * u * t->label[i];
        mass += p;
    }
    assert_near(balance, 0, 1e-12 * mass);
}

static void the_best_offset_balances_the_classes(void **state) {
    (void)state;
    static struct instance t;
    for (int kind = 0; kind < 8; kind++)
        for (int64_t rows = 1; rows <= 700; rows = rows * 2 + 1) {
            set_up(&t, rows, kind, (uint64_t)rows);
            check_offset(&t, rows);
            tear_down(&t);
        }
}

/* Away from the best offset the surplus leaves the active rows. */
static void any_margins_are_balanced(void **state) {
    (void)state;
    static struct instance t;
    for (uint64_t seed = 0; seed < 50; seed++) {
        const struct scalar_terms terms = {.target = t.label, .weight = t.weight};
        double balance = 0;
        set_up(&t, 80, 2, seed);
        struct hinge_fractions fractions = hinge_offset_balance(&terms, t.slack, 80, NULL);
        for (int i = 0; i < 80; i++)
            balance += t.weight[i] * t.label[i] *
                       (t.slack[i] > 0    ? fractions.active[t.label[i] > 0]
                        : t.slack[i] == 0 ? fractions.tied[t.label[i] > 0]
                                          : 0);
        assert_near(balance, 0, 1e-11);
        tear_down(&t);
    }
}

static void one_class_is_satisfied_by_its_offset(void **state) {
    (void)state;
    static struct instance t;
    set_up(&t, 50, 0, 1);
    for (int i = 0; i < 50; i++)
        t.label[i] = 1;
    hinge_offset_move(&t.search, &(struct scalar_terms){.target = t.label}, t.slack);
    assert_true(risk_at(&t, NULL, t.slack, 0, 50) == 0);
    tear_down(&t);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static struct instance t;
    set_up(&t, MAX_ROWS, 2, 8);
    double first = hinge_search_minimum(&t.search, &t.line, 0);
    for (int threads = 1; threads < 5; threads++) {
        omp_set_num_threads(threads);
        assert_true(hinge_search_minimum(&t.search, &t.line, 0) == first);
    }
    tear_down(&t);
}

/* Of many rows: the breakpoints that a search keeps are few, and its minimum is as exact as that of few rows. */
static void few_of_many_breakpoints_are_kept(void **state) {
    enum { MANY = 1 << 19, KEPT_PART = 10 };
    struct random random;
    random_seed(&random, 3, 5);
    struct dataset data = random_data(MANY, 1, false, 3);
    double *slack = malloc(2 * MANY * sizeof *slack), *step = slack + MANY, low = 0, high = 0;
    struct design design;
    struct hinge_search search;
    assert_non_null(slack);
    assert_int_equal(design_init(&design, &data, -1, false, NULL), 0);
    assert_int_equal(hinge_search_init(&search, &design, NULL), 0);
    for (int64_t i = 0; i < MANY; i++) {
        slack[i] = random_unit(&random) - 1;
        step[i] = 1;
    }
    struct hinge_line line = {.slack = slack, .step = step, .slope = -MANY / 2.0};
    double k = hinge_search_minimum(&search, &line, 0);
    int64_t kept = 0;
    for (int block = 0; block < design.blocks; block++)
        kept += search.count[block];
    assert_true(kept < MANY / KEPT_PART);
    for (int64_t i = 0; i < MANY; i++) {
        low += slack[i] + k > 1e-12;
        high += slack[i] + k > -1e-12;
    }
    assert_true(low <= MANY / 2.0 && high >= MANY / 2.0);
    hinge_search_free(&search);
    design_free(&design);
    dataset_free(&data);
    free(slack);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_minimum_is_where_the_slope_changes_sign),
        cmocka_unit_test(a_line_that_rises_is_not_followed),
        cmocka_unit_test(the_best_offset_balances_the_classes),
        cmocka_unit_test(any_margins_are_balanced),
        cmocka_unit_test(one_class_is_satisfied_by_its_offset),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(few_of_many_breakpoints_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
