/* test_chain.c - inference on chains compared with enumeration of all label sequences, at any scale and temperature. */
#include "risk/sequences/chain.h"

#include "math/random/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { MAX_LABELS = 40, MAX_ROWS = 60, TINY_LABELS = 4, TINY_ROWS = 5, TRIALS = 60 };

struct fixture {
    int64_t labels, length;
    double mu;
    double node[MAX_ROWS * MAX_LABELS], transition[MAX_LABELS * MAX_LABELS];
    struct chain chain;
    double marginal[MAX_ROWS * MAX_LABELS], edge[MAX_LABELS * MAX_LABELS], value;
    double other[MAX_ROWS * MAX_LABELS], other_edge[MAX_LABELS * MAX_LABELS];
    int32_t label[MAX_ROWS];
    void *work;
};

static double around(struct random *random, double scale) {
    return scale * (2 * random_unit(random) - 1);
}

/* Scores up to SCALE, transitions up to EDGES. */
static void set_up(struct fixture *f, struct random *random, int64_t labels, int64_t length,
                   double scale, double edges, double mu) {
    f->labels = labels;
    f->length = length;
    f->mu = mu;
    for (int64_t k = 0; k < length * labels; k++)
        f->node[k] = around(random, scale);
    for (int64_t k = 0; k < labels * labels; k++)
        f->transition[k] = around(random, edges);
    assert_int_equal(chain_init(&f->chain, labels, NULL), 0);
    chain_set(&f->chain, f->transition, mu);
    f->work = malloc(chain_work_bytes(labels, length));
    assert_non_null(f->work);
    memset(f->edge, 0, sizeof f->edge);
    memset(f->other_edge, 0, sizeof f->other_edge);
}

static void tear_down(struct fixture *f) {
    chain_free(&f->chain);
    free(f->work);
}

static double score_of(const struct fixture *f, const int32_t *label) {
    double sum = 0;
    for (int64_t t = 0; t < f->length; t++) {
        sum += f->node[t * f->labels + label[t]];
        sum += t > 0 ? f->transition[label[t - 1] * f->labels + label[t]] : 0;
    }
    return sum;
}

/* The next sequence, the first row's label the fastest; false behind the last. */
static bool advance(const struct fixture *f, int32_t *label) {
    for (int64_t t = 0; t < f->length; t++) {
        if (++label[t] < f->labels)
            return true;
        label[t] = 0;
    }
    return false;
}

struct enumeration {
    double best, value;
    int32_t label
        [TINY_ROWS]; /* the best; of equal ones the first by the last row, then the one before */
    double marginal[TINY_ROWS * TINY_LABELS], edge[TINY_LABELS * TINY_LABELS];
};

static void enumerate(const struct fixture *f, struct enumeration *all) {
    int32_t label[TINY_ROWS] = {0};
    double sum = 0;
    *all = (struct enumeration){.best = -INFINITY};
    do { /* in the order of ties: the last row's label changes last */
        double score = score_of(f, label);
        if (score > all->best) {
            all->best = score;
            memcpy(all->label, label, sizeof label);
        }
    } while (advance(f, label));
    do {
        double p = exp((score_of(f, label) - all->best) / f->mu);
        sum += p;
        for (int64_t t = 0; t < f->length; t++) {
            all->marginal[t * f->labels + label[t]] += p;
            if (t > 0)
                all->edge[label[t - 1] * f->labels + label[t]] += p;
        }
    } while (advance(f, label));
    for (int k = 0; k < TINY_ROWS * TINY_LABELS; k++)
        all->marginal[k] /= sum;
    for (int k = 0; k < TINY_LABELS * TINY_LABELS; k++)
        all->edge[k] /= sum;
    all->value = all->best + f->mu * log(sum);
}

typedef void summation(const struct chain *chain, const double *node, int64_t length,
                       double *marginal, double *edge, double *value, void *work);

static void check_sums(struct fixture *f, summation *sum, const struct enumeration *all,
                       double tolerance) {
    double value;
    memset(f->edge, 0, sizeof f->edge);
    sum(&f->chain, f->node, f->length, f->marginal, f->edge, &f->value, f->work);
    sum(&f->chain, f->node, f->length, NULL, NULL, &value, f->work);
    assert_near(value, f->value, 1e-13 * (1 + fabs(value)));
    assert_near(value, all->value, 1e-13 * (f->mu + fabs(value)));
    for (int64_t k = 0; k < f->length * f->labels; k++)
        assert_near(f->marginal[k], all->marginal[k], tolerance);
    for (int64_t k = 0; k < f->labels * f->labels; k++)
        assert_near(f->edge[k], all->edge[k], tolerance * (double)f->length);
}

static const double scales[] = {0, 1e-3, 1, 30, 200, 1e3, 1e5};
enum { SCALES = sizeof scales / sizeof *scales };

/* Of scores and of transitions, at temperatures from 1e-5 to 100. */
static void sums_and_maxima_are_those_of_all_sequences(void **state) {
    static struct fixture f;
    struct random random;
    int scaled = 0, logarithmic = 0;
    (void)state;
    random_seed(&random, 1, 0);
    for (int trial = 0; trial < TRIALS * SCALES * SCALES; trial++) {
        struct enumeration all;
        double scale = scales[trial % SCALES], edges = scales[trial / SCALES % SCALES], best;
        int64_t labels = 2 + (int64_t)random_below(&random, TINY_LABELS - 1);
        int64_t length = 1 + (int64_t)random_below(&random, TINY_ROWS);
        double mu = trial % 3 == 0 ? 1 : pow(10, 7 * random_unit(&random) - 5);
        set_up(&f, &random, labels, length, scale, edges, mu);
        enumerate(&f, &all);
        chain_best(&f.chain, f.node, length, f.label, &best, f.work);
        assert_near(best, all.best, 1e-14 * (1 + fabs(best)));
        assert_memory_equal(f.label, all.label, sizeof *f.label * (size_t)length);
        /* a number's rounding, over mu, is what its probability is off by */
        double tolerance = 1e-13 + 1e-14 * (scale + edges) / mu;
        check_sums(&f, chain_sum_log, &all, tolerance);
        if (chain_can_scale(&f.chain, f.node, length))
            check_sums(&f, chain_sum_scaled, &all, tolerance);
        *(chain_can_scale(&f.chain, f.node, length) ? &scaled : &logarithmic) += 1;
        tear_down(&f);
    }
    assert_true(scaled > 500 && logarithmic > 500);
}

/* Whole numbers, of which many sequences have the same sum: the smallest labels, from the last row on. */
static void ties_go_to_the_smallest_label(void **state) {
    static struct fixture f;
    struct random random;
    (void)state;
    random_seed(&random, 2, 0);
    for (int trial = 0; trial < TRIALS * 20; trial++) {
        struct enumeration all;
        double best;
        set_up(&f, &random, 2 + trial % 3, 1 + trial % TINY_ROWS, 0, 0, 1);
        for (int k = 0; k < f.labels * f.length; k++)
            f.node[k] = (double)random_below(&random, 2);
        for (int k = 0; k < f.labels * f.labels; k++)
            f.transition[k] = (double)random_below(&random, 2);
        chain_set(&f.chain, f.transition, 1);
        enumerate(&f, &all);
        chain_best(&f.chain, f.node, f.length, f.label, &best, f.work);
        assert_near(best, all.best, 0);
        assert_memory_equal(f.label, all.label, sizeof *f.label * (size_t)f.length);
        tear_down(&f);
    }
}

static void compare_ways(struct fixture *f) {
    double scaled, logarithmic;
    assert_true(chain_can_scale(&f->chain, f->node, f->length));
    chain_sum_scaled(&f->chain, f->node, f->length, f->marginal, f->edge, &scaled, f->work);
    chain_sum_log(&f->chain, f->node, f->length, f->other, f->other_edge, &logarithmic, f->work);
    assert_near(scaled, logarithmic, 1e-12 * (1 + fabs(logarithmic)));
    for (int64_t k = 0; k < f->length * f->labels; k++)
        assert_near(f->marginal[k], f->other[k], 1e-11);
    for (int64_t k = 0; k < f->labels * f->labels; k++)
        assert_near(f->edge[k], f->other_edge[k], 1e-11 * (double)f->length);
}

/* Up to the very edge of the range where the first is taken, any number of labels, long sequences. */
static void both_ways_agree(void **state) {
    static struct fixture f;
    struct random random;
    (void)state;
    random_seed(&random, 3, 0);
    for (int trial = 0; trial < TRIALS * 4; trial++) {
        double fraction = random_unit(&random), range = trial % 3 == 0 ? 10 : 599.9;
        double mu = trial % 2 ? 1 : 0.01;
        int64_t labels = 2 + (int64_t)random_below(&random, MAX_LABELS - 1);
        int64_t length = 1 + (int64_t)random_below(&random, MAX_ROWS);
        set_up(&f, &random, labels, length, range * fraction * mu / 2,
               range * (1 - fraction) * mu / 2, mu);
        compare_ways(&f);
        tear_down(&f);
    }
}

/* Scores that say 0 1 0 1 ..., transitions that forbid any change by nearly all of the range: what is far
 * below the best of its own row decides, and nothing of it may be lost. */
static void what_looks_impossible_may_decide(void **state) {
    static struct fixture f;
    struct random random;
    (void)state;
    random_seed(&random, 4, 0);
    for (int change = 50; change < 600; change += 25) {
        set_up(&f, &random, 3, MAX_ROWS, 1e-3, 1e-3, 1);
        for (int t = 0; t < MAX_ROWS; t++)
            f.node[t * 3 + t % 2] += 599.9 - change;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                f.transition[a * 3 + b] -= a == b ? 0 : change - 0.1;
        chain_set(&f.chain, f.transition, 1);
        compare_ways(&f);
        tear_down(&f);
    }
}

static void a_row_alone_has_no_transitions(void **state) {
    static struct fixture f;
    struct random random;
    double best;
    (void)state;
    random_seed(&random, 5, 0);
    set_up(&f, &random, 5, 1, 3, 1e9, 1);
    assert_true(chain_can_scale(&f.chain, f.node, 1));
    double value = chain_sum(&f.chain, f.node, 1, f.marginal, f.edge, f.work), sum = 0;
    for (int k = 0; k < 5; k++)
        sum += exp(f.node[k]);
    assert_near(value, log(sum), 1e-14);
    for (int k = 0; k < 5; k++)
        assert_near(f.marginal[k], exp(f.node[k]) / sum, 1e-15);
    for (int k = 0; k < 25; k++)
        assert_near(f.edge[k], 0, 0);
    chain_best(&f.chain, f.node, 1, f.label, &best, f.work);
    for (int k = 0; k < 5; k++)
        assert_true(f.node[k] <= best);
    assert_near(f.node[f.label[0]], best, 0);
    tear_down(&f);
}

/* One number for all sequences that have a score of 0: exp of that many rows would not do at once. */
static void long_rows_are_added_in_logs(void **state) {
    enum { LABELS = 40, LENGTH = 3000 };
    static double node[LENGTH * LABELS], marginal[LENGTH * LABELS], zeros[LABELS * LABELS];
    double edge[LABELS * LABELS] = {0}, value;
    struct chain chain;
    (void)state;
    assert_int_equal(chain_init(&chain, LABELS, NULL), 0);
    chain_set(&chain, zeros, 1);
    void *work = malloc(chain_work_bytes(LABELS, LENGTH));
    assert_non_null(work);
    assert_true(chain_can_scale(&chain, node, LENGTH));
    chain_sum_scaled(&chain, node, LENGTH, marginal, edge, &value, work);
    assert_near(value, LENGTH * log(LABELS), 1e-9);
    for (int k = 0; k < LENGTH * LABELS; k++)
        assert_near(marginal[k], 1.0 / LABELS, 1e-14);
    for (int k = 0; k < LABELS * LABELS; k++)
        assert_near(edge[k], (LENGTH - 1.0) / (LABELS * LABELS), 1e-9);
    free(work);
    chain_free(&chain);
}

/* One sequence of a score of 50, and 2^100 of 0, none of which is much: together they are more. */
static void many_that_are_little_count(void **state) {
    enum { LABELS = 3, LENGTH = 100 };
    static double node[LENGTH * LABELS], marginal[LENGTH * LABELS];
    double transition[LABELS * LABELS], edge[LABELS * LABELS] = {0}, value;
    struct chain chain;
    (void)state;
    for (int a = 0; a < LABELS; a++)
        for (int b = 0; b < LABELS; b++)
            transition[a * LABELS + b] = (a == 0) == (b == 0) ? 0 : -1e6;
    node[0] = 50;
    assert_int_equal(chain_init(&chain, LABELS, NULL), 0);
    chain_set(&chain, transition, 1);
    void *work = malloc(chain_work_bytes(LABELS, LENGTH));
    assert_non_null(work);
    assert_false(chain_can_scale(&chain, node, LENGTH));
    chain_sum_log(&chain, node, LENGTH, marginal, edge, &value, work);
    double log_count = LENGTH * log(2), all = log_count + log1p(exp(50 - log_count));
    assert_near(value, all, 1e-13 * all);
    for (int t = 0; t < LENGTH; t++) {
        assert_near(marginal[t * LABELS], exp(50 - all), 1e-15);
        assert_near(marginal[t * LABELS + 1], 0.5, 1e-7);
    }
    free(work);
    chain_free(&chain);
}

/* Two sequences that are equal but for rounding, at a temperature below that: whatever is left of either,
 * none is made of both. */
static void rounding_does_not_mix_sequences(void **state) {
    enum { LENGTH = 40 };
    static struct fixture f;
    struct random random;
    (void)state;
    random_seed(&random, 6, 0);
    for (int trial = 0; trial < TRIALS; trial++) {
        double sum[2] = {0};
        set_up(&f, &random, 2, LENGTH, 1000, 0, 1e-15);
        f.transition[1] = f.transition[2] = -1e5;
        chain_set(&f.chain, f.transition, f.mu);
        for (int t = 0; t < LENGTH; t++)
            for (int k = 0; k < 2; k++)
                sum[k] += f.node[t * 2 + k];
        f.node[LENGTH * 2 - 1] += sum[0] - sum[1];
        chain_sum_log(&f.chain, f.node, LENGTH, f.marginal, f.edge, &f.value, f.work);
        assert_near(f.value, sum[0], 1e-10);
        assert_near(f.edge[1] + f.edge[2], 0, 0);
        assert_near(f.edge[0] + f.edge[3], LENGTH - 1, 1e-12);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_maxima_are_those_of_all_sequences),
        cmocka_unit_test(ties_go_to_the_smallest_label),
        cmocka_unit_test(both_ways_agree),
        cmocka_unit_test(what_looks_impossible_may_decide),
        cmocka_unit_test(a_row_alone_has_no_transitions),
        cmocka_unit_test(long_rows_are_added_in_logs),
        cmocka_unit_test(many_that_are_little_count),
        cmocka_unit_test(rounding_does_not_mix_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
