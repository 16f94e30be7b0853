/* test_offset.c - the best offset compared with brute force: over all kinks if there are any, else by ternary search;
 * ties, weights of 0, one class, targets far from 0, starts far away; passes; and bounds from dual variables whose
 * sum is not 0. */
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "risk/offset.h"
#include "risk/risk_table.h"
#include "solvers/accelerated/smoothed_risk.h"
#include "tests/near.h"
#include "tests/random_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 60, FEATURES = 2 };

enum scores { SPREAD, TIED, WIDE, EQUAL, KINDS }; /* of u */

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS], u[ROWS], low[ROWS], high[ROWS];
    struct risk *risk;
    const struct scalar_terms *terms;
    struct smoothing by;
    struct offset offset;
};

static double score(enum scores kind, struct random *random) {
    double x = 2 * random_unit(random) - 1;
    return kind == SPREAD ? 3 * x
           : kind == TIED ? floor(2 * x)
           : kind == WIDE ? 1e6 * x * x * x
                          : 0;
}

static void fill(struct fixture *f, const struct loss *loss, enum scores kind, double shift,
                 bool one_class) {
    struct random random;
    random_seed(&random, 5 + (uint64_t)kind, 1);
    for (int i = 0; i < ROWS; i++) {
        double label = one_class ? 1 : i % 3 ? 1 : -1;
        f->target[i] = loss->task == TASK_CLASSIFICATION ? label : shift + score(kind, &random);
        f->weight[i] = i % 5 == 0 ? 0 : 1 + i % 3;
        f->u[i] = score(kind, &random);
    }
}

static void set_up(struct fixture *f, const char *name, enum scores kind, double shift,
                   bool one_class, bool weighted, double mu) {
    const struct loss *loss = loss_by_name(name);
    *f = (struct fixture){.data = random_data(ROWS, FEATURES, false, 4)};
    fill(f, loss, kind, shift, one_class);
    struct scalar_settings scalar = {.data = &f->data,
                                     .target = f->target,
                                     .weight = weighted ? f->weight : NULL,
                                     .loss = loss,
                                     .parameters = {0.1, 0.3, 0.8},
                                     .bias = -1,
                                     .intercept = true};
    f->risk = scalar_risk_new(&scalar, NULL);
    f->terms = f->risk->scalar;
    scores_domains(f->terms, f->low, f->high);
    f->by = (struct smoothing){.mu = mu, .low = f->low, .high = f->high};
    assert_int_equal(offset_init(&f->offset, f->terms, NULL), 0);
}

static void tear_down(struct fixture *f) {
    offset_free(&f->offset);
    risk_free(f->risk);
    dataset_free(&f->data);
}

/* R_mu(u + b), row by row */
static double risk_at(const struct fixture *f, double b) {
    double sum = 0, a;
    for (int i = 0; i < ROWS; i++) {
        double c = scalar_weight(f->terms, i), at = f->u[i] + b, y = f->target[i];
        const struct loss *loss = f->terms->loss;
        if (c > 0)
            sum += c * (f->by.mu > 0 ? loss->smooth(at, y, f->by.mu, &f->terms->parameters, &a)
                                     : loss->value(at, y, &f->terms->parameters, &a));
    }
    return sum / f->terms->weight_sum;
}

/* The minimum of a convex function that is linear between the rows' kinks: the smallest value at a kink. */
static double least_at_kinks(const struct fixture *f) {
    double smallest = INFINITY, tube = f->terms->parameters.tube;
    bool epsilon = strcmp(f->terms->loss->name, "epsilon") == 0;
    for (int i = 0; i < ROWS; i++) {
        double kink = f->target[i] - f->u[i];
        for (int side = -1; side <= 1; side += 2)
            smallest = fmin(smallest, risk_at(f, epsilon ? kink + side * tube : kink));
    }
    return smallest;
}

/* The minimum of any convex function, by ternary search. */
static double least_between(const struct fixture *f, double low, double high) {
    for (int step = 0; step < 200; step++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        if (risk_at(f, left) < risk_at(f, right))
            high = right;
        else
            low = left;
    }
    return risk_at(f, low);
}

static void is_least(struct fixture *f, double smallest) {
    double b = offset_find(&f->offset, f->u, &f->by), found = risk_at(f, b);
    if (!(found <= smallest * (1 + 1e-9) + 1e-15))
        print_error("%s: at %.17g R is %.17g, the least %.17g\n", f->terms->loss->name, b, found,
                    smallest);
    assert_true(isfinite(b));
    assert_true(found <= smallest * (1 + 1e-9) + 1e-15);
}

/* Without a start, again, and from starts close to the optimum and far from it. */
static void is_least_from_anywhere(struct fixture *f, double smallest) {
    static const double starts[] = {0, 1, -40, 1e6, -1e9, 1e12};
    is_least(f, smallest);
    is_least(f, smallest);
    for (int k = 0; k < 6; k++) {
        f->offset.last = starts[k];
        is_least(f, smallest);
    }
}

static void of_a_loss_with_kinks(const char *loss, double shift) {
    for (int k = 0; k < 2 * 2 * KINDS; k++) {
        struct fixture f;
        set_up(&f, loss, k / 4, shift, k & 1, k & 2, 0);
        is_least_from_anywhere(&f, least_at_kinks(&f));
        tear_down(&f);
    }
}

static void with_kinks_it_is_the_quantile(void **state) {
    (void)state;
    of_a_loss_with_kinks("hinge", 0);
    static const char *const regression[] = {"absolute", "quantile", "epsilon"};
    for (int l = 0; l < 3; l++) {
        of_a_loss_with_kinks(regression[l], 0);
        of_a_loss_with_kinks(regression[l], 1e6);
        of_a_loss_with_kinks(regression[l], -1e6);
    }
}

static void without_kinks_it_is_the_minimizer(void **state) {
    (void)state;
    int count;
    const struct loss *table = loss_table(&count);
    for (int k = 0; k < 2 * 2 * count; k++) {
        struct fixture f;
        const struct loss *loss = &table[k / 4];
        bool smooth = isfinite(loss->curvature);
        set_up(&f, loss->name, SPREAD, 0, false, k & 1, k & 2 || !smooth ? 0.3 : 0);
        is_least_from_anywhere(&f, least_between(&f, -30, 30));
        tear_down(&f);
    }
}

/* ---- passes over the rows */

struct large {
    int64_t rows;
    struct dataset data;
    double *u, *low, *high;
    struct risk *risk;
};

static void set_up_large(struct large *l, const char *loss, int64_t rows) {
    *l = (struct large){.rows = rows, .data = random_data(rows, 1, false, 8)};
    l->u = malloc(3 * sizeof *l->u * (size_t)rows);
    l->low = l->u + rows;
    l->high = l->low + rows;
    struct random random;
    random_seed(&random, 2, 2);
    for (int64_t i = 0; i < rows; i++)
        l->u[i] = 4 * random_unit(&random) - 2;
    struct scalar_settings scalar = {.data = &l->data,
                                     .target = l->data.label,
                                     .loss = loss_by_name(loss),
                                     .parameters = {0.1, 0.3, 0.8},
                                     .bias = -1,
                                     .intercept = true};
    l->risk = scalar_risk_new(&scalar, NULL);
    scores_domains(l->risk->scalar, l->low, l->high);
}

static void tear_down_large(struct large *l) {
    risk_free(l->risk);
    dataset_free(&l->data);
    free(l->u);
}

/* The number of evaluations of a row is counted in the second of two rounds. */
static void kinks_take_few_passes(void **state) {
    (void)state;
    static const char *const losses[] = {"hinge", "absolute", "quantile"};
    for (int k = 0; k < 3; k++) {
        struct large l;
        struct offset offset;
        set_up_large(&l, losses[k], 200000);
        struct smoothing by = {.low = l.low, .high = l.high};
        assert_int_equal(offset_init(&offset, l.risk->scalar, NULL), 0);
        for (int call = 0; call < 3; call++) {
            offset.work.touched = 0;
            offset_find(&offset, l.u, &by);
            assert_true(offset.work.touched > 0 && offset.work.touched <= 4 * l.rows);
        }
        offset_free(&offset);
        tear_down_large(&l);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static const char *const losses[] = {"hinge", "absolute", "logistic"};
    int usual = omp_get_max_threads();
    for (int k = 0; k < 3; k++) {
        struct large l;
        double b[3];
        set_up_large(&l, losses[k], 100000);
        struct smoothing by = {.low = l.low, .high = l.high};
        for (int threads = 1; threads <= 3; threads++) {
            struct offset offset;
            omp_set_num_threads(threads);
            assert_int_equal(offset_init(&offset, l.risk->scalar, NULL), 0);
            b[threads - 1] = offset_find(&offset, l.u, &by);
            offset_free(&offset);
        }
        assert_true(b[0] == b[1] && b[0] == b[2]);
        tear_down_large(&l);
    }
    omp_set_num_threads(usual);
}

/* Calls of a counted loss, over the rows. */
static int64_t calls;
static const struct loss *counted;

static double count_value(double u, double y, const struct loss_parameters *p, double *a) {
    calls++;
    return counted->value(u, y, p, a);
}

static void a_far_start_costs_no_more(void **state) {
    (void)state;
    static const char *const losses[] = {"logistic", "epsilon"};
    static const int64_t largest[] = {25, 90};
    for (int k = 0; k < 2 * 6; k++) {
        static const double starts[] = {NAN, 1e3, -1e3, 1e9, -1e15, 1e200};
        struct fixture f;
        struct loss loss = *loss_by_name(losses[k / 6]);
        set_up(&f, losses[k / 6], SPREAD, 0, false, false, 0);
        struct scalar_terms terms = *f.terms;
        counted = f.terms->loss;
        loss.value = count_value;
        terms.loss = &loss;
        f.offset.terms = &terms;
        f.offset.last = starts[k % 6];
        calls = 0;
        offset_find(&f.offset, f.u, &f.by);
        if (calls > largest[k / 6] * ROWS)
            print_error("%s from %g: %g passes\n", loss.name, starts[k % 6], (double)calls / ROWS);
        assert_true(calls <= largest[k / 6] * ROWS);
        tear_down(&f);
    }
}

/* ---- bounds where sum c a is not 0 */

/* An upper bound of min J: no weights, and the offset that is best for them. */
static double least_without_weights(struct fixture *f) {
    memset(f->u, 0, sizeof f->u);
    return risk_at(f, offset_find(&f->offset, f->u, &f->by));
}

/* The bound without the condition on the sum of the dual variables. */
static double unbalanced_bound(const struct fixture *f, const struct problem *problem,
                               const double *push) {
    double slope[FEATURES + 2], t = 0;
    design_combine(f->terms->design, push, slope);
    vector_scale(slope, 1 / f->terms->weight_sum, FEATURES);
    for (int i = 0; i < ROWS; i++) {
        double c = scalar_weight(f->terms, i);
        if (c > 0)
            t -= c * f->terms->loss->conjugate(push[i] / c, f->target[i], &f->terms->parameters);
    }
    return problem->regularizer->bound(slope, t / f->terms->weight_sum, FEATURES, problem->lambda,
                                       &problem->parameters);
}

/* Dual variables at an offset far from the optimum, by the average and at a point. */
static void bound_is_valid(struct fixture *f, double shift) {
    struct problem problem = {
        .risk = f->risk, .regularizer = regularizer_by_name("l2"), .lambda = 100};
    struct smoothed_risk risk;
    double w[FEATURES + 2] = {0}, smooth, smallest = least_without_weights(f);
    assert_int_equal(smoothed_risk_init(&risk, &problem, 0.01, NULL), 0);
    risk.smoothing.shift = shift;
    double at = smoothed_risk_bound_at(&risk, w, f->u, &smooth);
    assert_true(unbalanced_bound(f, &problem, risk.latest_dual) >
                1.02 * smallest); /* no bound at all */
    assert_true(at <= smallest * (1 + 1e-12) && at > 0);
    risk.part.average(&risk.part, 1);
    double mean = smoothed_risk_bound(&risk, &smooth);
    assert_true(mean <= smallest * (1 + 1e-12) && mean > 0);
    smoothed_risk_free(&risk);
}

static void duals_out_of_balance_still_bound(void **state) {
    (void)state;
    static const char *const names[] = {"hinge", "absolute", "quantile", "epsilon"};
    for (int k = 0; k < 4 * 2; k++) {
        struct fixture f;
        set_up(&f, names[k / 2], SPREAD, k < 2 ? 0 : 2, false, k & 1, 0);
        bound_is_valid(&f, 0);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_kinks_it_is_the_quantile),
        cmocka_unit_test(without_kinks_it_is_the_minimizer),
        cmocka_unit_test(kinks_take_few_passes),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_far_start_costs_no_more),
        cmocka_unit_test(duals_out_of_balance_still_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
