/* test_rna.c - the structured SVM over secondary structures by its definition over all structures, what holds
 * for every risk, one optimum for all solvers, predictions and their measures. */
#include "prediction/rna_decoder.h"
#include "risk/rna/rna.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

#include "tests/risk/rna/rna_fixture.h"
#include "tests/risk_checks.h"
#include "tests/solvers/bundle/bundle_fixture.h"

enum { GROUPS = 9, MAX_BASES = 200 };

struct sample {
    struct dataset data;
    struct rna_short sequence[GROUPS];
    int32_t truth[MAX_BASES], kept[MAX_BASES]; /* kept: A-U, C-G, G-U */
    int64_t start[GROUPS + 1], id[GROUPS], row[MAX_BASES + 1];
    int32_t column[MAX_BASES];
    double label[MAX_BASES], weight[MAX_BASES];
    struct risk *risk;
};

struct choice {
    int64_t left;
    int32_t *partner;
};

static void choose(const struct rna_sequence *s, const int32_t *partner, void *more) {
    struct choice *choice = more;
    if (choice->left-- == 0)
        memcpy(choice->partner, partner, sizeof *partner * (size_t)s->length);
}

static void count_all(const struct rna_sequence *s, const int32_t *partner, void *more) {
    (void)s;
    (void)partner;
    ++*(int64_t *)more;
}

static int64_t structures(const struct rna_sequence *s) {
    int64_t count = 0;
    rna_each(s, count_all, &count);
    return count;
}

/* A sequence with one of its structures, in which now and then a base is then another one. */
static void draw_group(struct sample *f, int64_t g, struct random *random) {
    struct rna_short *a = &f->sequence[g];
    int64_t first = f->data.rows, length = 1 + (int64_t)random_below(random, 11);
    rna_short_draw(a, random, length);
    struct choice choice = {.left = (int64_t)random_below(random, (uint64_t)structures(&a->s)),
                            .partner = f->truth + first};
    rna_each(&a->s, choose, &choice);
    if (random_below(random, 3) == 0)
        a->code[1 + random_below(random, (uint64_t)length)] = (int8_t)random_below(random, 5);
    for (int32_t i = 0; i < length; i++) {
        int32_t j = f->truth[first + i];
        f->kept[first + i] = j >= 0 && rna_may_pair(&a->s, i, j) ? j : -1;
        f->label[first + i] = (double)j + 1;
        f->weight[first + i] = g % 3 == 0 ? 0 : (double)g;
        f->row[first + i] = f->data.nonzeros;
        if (a->s.base[i] < RNA_UNKNOWN)
            f->column[f->data.nonzeros++] = a->s.base[i];
    }
    f->start[g] = first;
    f->id[g] = g;
    f->data.rows += length;
}

static void open_sample(struct sample *f, bool weighted, uint64_t seed) {
    struct random random;
    random_seed(&random, seed, 9);
    *f = (struct sample){.data = {.features = 4, .groups = GROUPS}};
    for (int64_t g = 0; g < GROUPS; g++)
        draw_group(f, g, &random);
    f->start[GROUPS] = f->data.rows;
    f->row[f->data.rows] = f->data.nonzeros;
    f->data.start = f->row;
    f->data.column = f->column;
    f->data.label = f->label;
    f->data.group_start = f->start;
    f->data.group_id = f->id;
    f->risk = rna_risk_new(&(struct risk_settings){.scalar = {.data = &f->data,
                                                              .target = f->label,
                                                              .weight = weighted ? f->weight : NULL,
                                                              .bias = -1}},
                           NULL);
    assert_non_null(f->risk);
    assert_true(f->risk->dimension == RNA_WEIGHTS && f->risk->regularized == RNA_WEIGHTS);
    assert_int_equal(f->risk->items, GROUPS);
}

static void random_weights(struct random *random, double size, double *w) {
    for (int k = 0; k < RNA_WEIGHTS; k++)
        w[k] = size * (2 * random_unit(random) - 1);
}

/* ---- values, over all structures */

struct all {
    const double *w;
    const int32_t *truth;
    double mu, best, sum; /* sum: of exp(score/mu - best/mu) in the second run */
};

static double score_of(const double *w, const struct rna_sequence *s, const int32_t *partner) {
    struct rna_terms terms = {0};
    double counts[RNA_WEIGHTS] = {0};
    rna_terms_of_structure(s, partner, &terms);
    rna_add_counts(&terms, 1, counts);
    return vector_dot(w, counts, RNA_WEIGHTS);
}

static double augmented(const struct all *all, const struct rna_sequence *s,
                        const int32_t *partner) {
    double wrong = 0;
    for (int64_t i = 0; i < s->length; i++)
        wrong += all->truth != NULL && partner[i] != all->truth[i];
    return wrong + score_of(all->w, s, partner);
}

static void take_best(const struct rna_sequence *s, const int32_t *partner, void *more) {
    struct all *all = more;
    all->best = fmax(all->best, augmented(all, s, partner));
}

static void take_sum(const struct rna_sequence *s, const int32_t *partner, void *more) {
    struct all *all = more;
    all->sum += exp((augmented(all, s, partner) - all->best) / all->mu);
}

static double loss_of(const struct sample *f, int64_t g, const double *w, double mu) {
    const struct rna_sequence *s = &f->sequence[g].s;
    struct all all = {.w = w, .truth = f->kept + f->start[g], .mu = mu, .best = -INFINITY};
    double true_score = score_of(w, s, all.truth);
    rna_each(s, take_best, &all);
    if (mu == 0)
        return all.best - true_score;
    rna_each(s, take_sum, &all);
    return all.best + mu * (log(all.sum) - log((double)structures(s))) - true_score;
}

static void values_are_those_of_all_structures(void **state) {
    (void)state;
    static const double sizes[] = {0, 0.3, 3, 100};
    for (int trial = 0; trial < 12; trial++) {
        struct sample f;
        struct random random;
        double w[RNA_WEIGHTS], mu = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 0.1 : 3;
        double sum = 0, weights = 0, size = sizes[trial % 4];
        random_seed(&random, 4, (uint64_t)trial);
        open_sample(&f, trial % 2, (uint64_t)trial);
        random_weights(&random, size, w);
        assert_true(mu == 0 || risk_smooth(f.risk, NULL) == 0);
        for (int64_t g = 0; g < GROUPS; g++) {
            double c = trial % 2 ? f.weight[f.start[g]] : 1;
            sum += c * loss_of(&f, g, w, mu);
            weights += c;
        }
        assert_near(risk_evaluate(f.risk, w, mu, NULL), sum / weights, 1e-11 * (1 + size));
        risk_free(f.risk);
    }
}

/* The smoothing constant is computed at the first smoothed evaluation; before that an upper bound is used. */
static void smoothing_is_the_mean_of_log_numbers(void **state) {
    (void)state;
    for (int trial = 0; trial < 6; trial++) {
        struct sample f;
        double sum = 0, weights = 0;
        open_sample(&f, trial % 2, 50 + (uint64_t)trial);
        for (int64_t g = 0; g < GROUPS; g++) {
            double c = trial % 2 ? f.weight[f.start[g]] : 1;
            sum += c * log((double)structures(&f.sequence[g].s));
            weights += c;
        }
        assert_true(isfinite(f.risk->smoothing) && f.risk->smoothing >= sum / weights);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(risk_smooth(f.risk, NULL), 0);
            assert_near(f.risk->smoothing, sum / weights, 1e-12);
        }
        risk_free(f.risk);
    }
}

static void it_is_a_risk(void **state) {
    (void)state;
    for (int trial = 0; trial < 6; trial++) {
        struct sample f;
        if (PART(trial % 3 == 1,
                 trial > 0 && trial < 5)) /* the others have the least and the largest smoothing */
            continue;
        open_sample(&f, trial % 2, 20 + (uint64_t)trial);
        check_least_smoothing(f.risk, 5, (uint64_t)trial);
        check_risk(f.risk,
                   trial % 3 == 0   ? 10
                   : trial % 3 == 1 ? 30
                                    : 300,
                   trial < 3 ? 2 : 0.5, (uint64_t)trial);
        risk_free(f.risk);
    }
}

/* ---- training */

static void all_solvers_find_one_optimum(void **state) {
    (void)state;
    static const char *const solvers[] = {"bundle", "proximal-bundle", "agm", "agm1"};
    struct sample f;
    double low = -INFINITY, high = INFINITY, epsilon = 1e-2;
    open_sample(&f, false, 40);
    struct problem problem = {
        .risk = f.risk, .regularizer = regularizer_by_name("l2"), .lambda = 0.05};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        double w[RNA_WEIGHTS] = {0};
        struct outcome outcome;
        assert_int_equal(
            run_with(&problem, solvers[k], NULL, epsilon, 2000, w, NULL, &outcome, NULL), 0);
        assert_int_equal(outcome.verdict, VERDICT_CONVERGED);
        assert_near(outcome.objective, problem_objective(&problem, w), 1e-11);
        assert_true(outcome.objective - outcome.bound <= epsilon * outcome.objective);
        low = fmax(low, outcome.bound);
        high = fmin(high, outcome.objective);
    }
    assert_true(low <= high * (1 + 1e-12));
    risk_free(f.risk);
}

/* ---- interruptions */

struct poll_limit {
    int polls, max_polls;
};

static bool is_over(void *opaque) {
    struct poll_limit *poll_limit = opaque;
    return ++poll_limit->polls > poll_limit->max_polls;
}

/* An interrupted evaluation, also within a sequence, returns not-a-number. */
static void evaluations_are_cut_off(void **state) {
    (void)state;
    struct sample f;
    struct random random;
    struct poll_limit poll_limit = {.max_polls = 1 << 30};
    double w[RNA_WEIGHTS], gradient[RNA_WEIGHTS];
    random_seed(&random, 15, 1);
    for (double mu = 0; mu < 1; mu += 0.5) {
        open_sample(&f, false, 80);
        random_weights(&random, 1, w);
        assert_int_equal(risk_smooth(f.risk, NULL), 0);
        double value = risk_evaluate(f.risk, w, mu, gradient);
        omp_set_num_threads(1);
        poll_limit = (struct poll_limit){.max_polls = 1 << 30};
        risk_watch(f.risk, is_over, &poll_limit);
        assert_true(risk_evaluate(f.risk, w, mu, gradient) == value);
        int all = poll_limit.polls;
        assert_true(all > 2 * f.data.rows); /* inside and outside, for each base */
        for (int max_polls = 0; max_polls < all; max_polls++) {
            poll_limit = (struct poll_limit){.max_polls = max_polls};
            assert_true(isnan(risk_evaluate(f.risk, w, mu, gradient)));
        }
        risk_watch(f.risk, NULL, NULL);
        assert_true(risk_evaluate(f.risk, w, mu, gradient) == value);
        risk_free(f.risk);
    }
}

/* ---- predictions */

/* The partners that the decoder finds, group by group or all at once, and what it measures. */
static int decode(const struct sample *f, const double *w, bool at_once, int32_t *partner,
                  struct measure *list, int64_t *rows) {
    struct model model = {.shared = RNA_WEIGHTS, .features = 4, .dimension = 4, .w = (double *)w};
    struct decoder_settings settings = {.model = &model};
    struct measured_rows measured;
    void *decoder = rna_decoder.open(&settings, NULL);
    assert_true(decoder != NULL && rna_decoder.chooses);
    for (int64_t g = 0; g < GROUPS; g += at_once ? GROUPS : 1) {
        const struct decoder_arrays out = {.choice = partner + f->start[g]};
        assert_int_equal(rna_decoder.groups(decoder, &model, &f->data, g, at_once ? GROUPS : g + 1,
                                            NULL, &out, NULL),
                         0);
    }
    int count = rna_decoder.finish(decoder, list, &measured, NULL);
    assert_int_equal(measured.unknown, 0);
    *rows = measured.labelled;
    rna_decoder.free(decoder);
    return count;
}

struct hits {
    double known, said, both;
};

/* Pairs i < j one by one. */
static void add_hits(const struct sample *f, int64_t g, const int32_t *partner, struct hits *hits) {
    const int32_t *truth = f->truth + f->start[g];
    for (int32_t i = 0; i < f->sequence[g].s.length; i++)
        for (int32_t j = i + 1; j < f->sequence[g].s.length; j++) {
            hits->known += truth[i] == j;
            hits->said += partner[i] == j;
            hits->both += truth[i] == j && partner[i] == j;
        }
}

static void check_measures(const struct measure *list, const struct hits *all, double mean) {
    double sensitivity = all->both / all->known, said = all->both / all->said;
    assert_string_equal(list[0].name, "F");
    assert_near(list[0].value, 2 * all->both / (all->known + all->said), 1e-14);
    assert_near(list[1].value, sensitivity, 1e-15);
    assert_near(list[2].value, said, 1e-15);
    assert_near(list[3].value, mean, 1e-14);
}

static void predictions_are_best(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 8; trial++) {
        struct sample f;
        struct random random;
        struct measure list[MEASURES_MAX];
        int32_t found[GROUPS * MAX_BASES], again[GROUPS * MAX_BASES];
        double w[RNA_WEIGHTS], mean = 0, counted = 0;
        struct hits total = {0};
        int64_t rows;
        random_seed(&random, 12, trial);
        open_sample(&f, false, 60 + trial);
        random_weights(&random, 1, w);
        w[RNA_PAIR] = w[RNA_PAIR + 1] = 2;
        decode(&f, w, false, again, list, &rows);
        assert_int_equal(decode(&f, w, true, found, list, &rows), 4);
        assert_int_equal(rows, f.data.rows);
        assert_memory_equal(found, again, sizeof *found * (size_t)rows);
        for (int64_t g = 0; g < GROUPS; g++) {
            const struct rna_sequence *s = &f.sequence[g].s;
            const int32_t *partner = found + f.start[g];
            struct all all = {.w = w, .best = -INFINITY};
            struct hits hits = {0};
            rna_each(s, take_best, &all);
            assert_near(score_of(w, s, partner), all.best, 1e-11);
            add_hits(&f, g, partner, &hits);
            add_hits(&f, g, partner, &total);
            if (hits.known + hits.said > 0) {
                mean += 2 * hits.both / (hits.known + hits.said);
                counted++;
            }
        }
        check_measures(list, &total, mean / counted);
        risk_free(f.risk);
    }
}

/* After a signal nothing is measured, also if it came within a sequence. */
static void predictions_are_cut_off(void **state) {
    (void)state;
    struct sample f;
    double w[RNA_WEIGHTS] = {[RNA_PAIR + 1] = 1};
    struct model model = {.shared = RNA_WEIGHTS, .features = 4, .dimension = 4, .w = w};
    struct measure list[MEASURES_MAX];
    int32_t found[GROUPS * MAX_BASES];
    const struct decoder_arrays out = {.choice = found};
    open_sample(&f, false, 90);
    for (int max_polls = 0; max_polls < 2 * f.data.rows; max_polls += 7) {
        struct poll_limit poll_limit = {.max_polls = max_polls};
        struct decoder_settings settings = {.model = &model, .interrupted = {is_over, &poll_limit}};
        struct measured_rows rows;
        void *decoder = rna_decoder.open(&settings, NULL);
        assert_non_null(decoder);
        assert_int_equal(rna_decoder.groups(decoder, &model, &f.data, 0, GROUPS, NULL, &out, NULL),
                         0);
        assert_true(poll_limit.polls <=
                    max_polls + GROUPS + 1); /* a sequence that began ends at once */
        rna_decoder.finish(decoder, list, &rows, NULL);
        assert_int_equal(rows.labelled, 0);
        rna_decoder.free(decoder);
    }
    risk_free(f.risk);
}

/* A sequence without a known structure is not measured. */
static void unknown_structures_are_not_measured(void **state) {
    (void)state;
    struct sample f;
    struct measure list[MEASURES_MAX];
    int32_t found[GROUPS * MAX_BASES];
    double w[RNA_WEIGHTS] = {[RNA_PAIR + 1] = 1};
    int64_t rows;
    open_sample(&f, false, 70);
    for (int64_t g = 0; g < GROUPS; g++)
        f.label[f.start[g + 1] - 1] = g == 2 ? f.label[f.start[g + 1] - 1] : NAN;
    decode(&f, w, true, found, list, &rows);
    assert_int_equal(rows, f.start[3] - f.start[2]);
    f.label[f.start[3] - 1] = NAN;
    assert_int_equal(decode(&f, w, true, found, list, &rows), 0);
    assert_int_equal(rows, 0);
    risk_free(f.risk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_all_structures),
        cmocka_unit_test(smoothing_is_the_mean_of_log_numbers),
        cmocka_unit_test(it_is_a_risk),
        cmocka_unit_test(all_solvers_find_one_optimum),
        cmocka_unit_test(evaluations_are_cut_off),
        cmocka_unit_test(predictions_are_best),
        cmocka_unit_test(predictions_are_cut_off),
        cmocka_unit_test(unknown_structures_are_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
