/* test_items_local.c - the local scores of an item, its loss there, and what changes of the weights do to them: beside
 * the weights themselves. */
#include "risk/items_local.h"

#include "math/vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/items_fixture.h"
#include "tests/near.h"

enum { MAX_LOCAL = 64 };

static struct random draws;

static void draw(double *x, int64_t n, double scale) {
    for (int64_t k = 0; k < n; k++)
        x[k] = scale * (2 * random_unit(&draws) - 1);
}

/* Calls `check` with each risk: with data of ones and of reals, with and without a constant feature, weighted. */
static void for_samples(void (*check)(const struct sample *f, const struct items_local *local)) {
    static const double biases[] = {-1, 1, 0.3};
    random_seed(&draws, 1, 1);
    for (int k = 0; k < NAMES; k++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            struct sample f;
            struct items_local local;
            open_sample(&f, names[k], 1, biases[seed % 3], seed > 4, seed);
            assert_true(items_local_can(f.problem.risk));
            assert_int_equal(items_local_init(&local, f.problem.risk, NULL), 0);
            assert_int_equal(items_local_multiply(&local, NULL), 0);
            assert_true(local.max_size <= MAX_LOCAL);
            check(&f, &local);
            items_local_free(&local);
            close_sample(&f);
        }
}

/* The risk is the mean of the items' losses at their local scores. */
static void check_mean(const struct sample *f, const struct items_local *local) {
    double w[MAX_WEIGHTS], u[MAX_LOCAL], d[MAX_LOCAL], sum = 0, shares = 0;
    draw(w, f->problem.risk->dimension, 2);
    double value = risk_evaluate(f->problem.risk, w, 0, NULL);
    items_local_prepare_all(local, w);
    for (int64_t i = 0; i < f->problem.risk->items; i++) {
        items_local_scores(local, i, w, u);
        sum += items_local_share(local, i) * items_local_value(local, i, u, d, 0);
        shares += items_local_share(local, i);
    }
    assert_near(sum, value, 1e-12 * (1 + value));
    assert_near(shares, 1, 1e-13);
}

static void the_risk_is_the_mean(void **state) {
    (void)state;
    for_samples(check_mean);
}

/* (d, t) at u is below l_i anywhere, and is l_i at u. */
static void check_planes(const struct sample *f, const struct items_local *local) {
    double u[MAX_LOCAL], d[MAX_LOCAL], v[MAX_LOCAL], spare[MAX_LOCAL];
    for (int64_t i = 0; i < f->problem.risk->items; i++) {
        int64_t n = items_local_size(local, i);
        draw(u, n, 3);
        items_local_prepare(local, i, u);
        double value = items_local_value(local, i, u, d, 0), t = value - vector_dot(d, u, n);
        draw(v, n, 3);
        items_local_prepare(local, i, v);
        double other = items_local_value(local, i, v, spare, 0);
        assert_true(other >= t + vector_dot(d, v, n) - 1e-12 * (1 + other));
    }
}

static void planes_are_below_the_loss(void **state) {
    (void)state;
    for_samples(check_planes);
}

/* A change of w = 0 by A'd, its norm, and the local scores then: from w, from the products, and from a sparse list. */
static void check_changes(const struct sample *f, const struct items_local *local) {
    struct local_change change;
    assert_int_equal(local_change_init(&change, local->max_size, NULL), 0);
    for (int64_t i = 0; i < f->problem.risk->items; i++) {
        double w[MAX_WEIGHTS] = {0}, d[MAX_LOCAL], copy[MAX_LOCAL], u[MAX_LOCAL];
        double coupled[MAX_LOCAL] = {0}, image[MAX_LOCAL];
        int64_t n = items_local_size(local, i);
        draw(d, n, 1);
        change.count = 0;
        for (int64_t k = 0; k < n; k++) {
            d[k] = random_below(&draws, 2) ? d[k] : 0;
            if (d[k] != 0) {
                change.index[change.count] = (int32_t)k;
                change.value[change.count++] = d[k];
            }
        }
        memcpy(copy, d, sizeof copy);
        items_local_add(local, i, 0.7, copy, w);
        items_local_scores(local, i, w, u);
        items_local_couple(local, i, 0.7, d, coupled);
        for (int64_t k = 0; k < n; k++)
            assert_near(coupled[k], u[k], 1e-12);
        if (local->smooth && f->problem.risk->attested != NULL)
            continue;
        items_local_find_rows(local, i, &change);
        double square = items_local_image(local, i, &change, image);
        for (int64_t k = 0; k < n; k++)
            assert_near(0.7 * image[k], u[k], 1e-12);
        assert_near(0.49 * square, vector_dot(w, w, f->problem.risk->dimension), 1e-11);
    }
    local_change_free(&change);
}

static void changes_of_local_scores(void **state) {
    (void)state;
    for_samples(check_changes);
}

/* The products of the rows of ones are whole numbers, in a byte each. */
static void products_of_ones_are_bytes(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct sample f;
        struct items_local local;
        open_sample(&f, "crf", 1, 1, false, seed);
        assert_int_equal(items_local_init(&local, f.problem.risk, NULL), 0);
        assert_int_equal(items_local_multiply(&local, NULL), 0);
        assert_int_equal(local.real == NULL, f.data.value == NULL);
        items_local_free(&local);
        close_sample(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_risk_is_the_mean),
        cmocka_unit_test(planes_are_below_the_loss),
        cmocka_unit_test(changes_of_local_scores),
        cmocka_unit_test(products_of_ones_are_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
