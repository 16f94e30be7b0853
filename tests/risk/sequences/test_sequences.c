/* test_sequences.c - m3n and crf by their definitions over all label sequences, what holds for every risk,
 * and one optimum for all solvers. */
#include "risk/sequences/sequences.h"

#include "math/lambert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

#include "solvers/bundle/profile.h"
#include "tests/risk_checks.h"
#include "tests/solvers/bundle/bundle_fixture.h"

enum { MAX_WEIGHTS = 400, MAX_LENGTH = 5 };

struct sample {
    struct dataset data;
    double target[ROWS], weight[ROWS];
    int64_t start[ROWS + 1], id[ROWS];
    int64_t labels;
    double bias;
    bool offsets;
    struct risk *risk;
};

typedef struct risk *risk_new(const struct risk_settings *settings, struct error *e);

/* Sequences of 1 to 5 rows; every label occurs, as do labels that follow no other. */
static void open_sample_with(struct sample *f, risk_new *make, int64_t labels, double bias,
                             bool weighted, bool offsets, uint64_t seed) {
    struct random random;
    *f = (struct sample){.data = random_data(ROWS, FEATURES, seed % 2 == 0, seed),
                         .labels = labels,
                         .bias = bias,
                         .offsets = offsets};
    random_seed(&random, seed, 1);
    for (int64_t r = 0; r < ROWS; f->data.groups++) {
        int64_t g = f->data.groups, length = 1 + (int64_t)random_below(&random, MAX_LENGTH);
        double weight = g % 4 == 0 ? 0 : 2 * random_unit(&random);
        f->start[g] = r;
        f->id[g] = g;
        for (int64_t end = r + length < ROWS ? r + length : ROWS; r < end; r++) {
            f->target[r] =
                (double)(r < labels ? r : (int64_t)random_below(&random, (uint64_t)labels));
            f->weight[r] = weight;
        }
    }
    f->start[f->data.groups] = ROWS;
    f->data.group_start = f->start;
    f->data.group_id = f->id;
    f->risk = make(&(struct risk_settings){.scalar = {.data = &f->data,
                                                      .target = f->target,
                                                      .weight = weighted ? f->weight : NULL,
                                                      .bias = bias,
                                                      .intercept = offsets},
                                           .labels = labels},
                   NULL);
    assert_non_null(f->risk);
    assert_int_equal(f->risk->items, f->data.groups);
    assert_int_equal(f->risk->regularized, (FEATURES + (bias >= 0)) * labels + labels * labels);
    assert_int_equal(f->risk->dimension, f->risk->regularized + (offsets ? labels : 0));
}

static void open_sample(struct sample *f, risk_new *make, int64_t labels, double bias,
                        bool weighted, uint64_t seed) {
    open_sample_with(f, make, labels, bias, weighted, false, seed);
}

static void close_sample(struct sample *f) {
    risk_free(f->risk);
    f->data.group_start = f->data.group_id = NULL;
    dataset_free(&f->data);
}

/* <w, phi(y)> of rows from <= r < to, from the definition of the joint features. */
static double score_of(const struct sample *f, const double *w, int64_t from, int64_t to,
                       const int *y) {
    int64_t columns = FEATURES + (f->bias >= 0), labels = f->labels;
    double sum = 0;
    for (int64_t r = from; r < to; r++) {
        int k = y[r - from];
        for (int64_t j = f->data.start[r]; j < f->data.start[r + 1]; j++)
            sum +=
                (f->data.value == NULL ? 1 : f->data.value[j]) * w[f->data.column[j] * labels + k];
        sum += f->bias >= 0 ? f->bias * w[FEATURES * labels + k] : 0;
        sum += r > from ? w[columns * labels + y[r - from - 1] * labels + k] : 0;
        sum += f->offsets ? w[(columns + labels) * labels + k] : 0;
    }
    return sum;
}

/* The loss of a sequence: over all y', the maximum, or mu log of the sum over mu, of wrong (count) + s(y'),
 * less s(y); with mu > 0 in *mistakes how many are expected to be wrong. */
static double loss_of(const struct sample *f, const double *w, int64_t g, bool hinge, double mu,
                      double *mistakes) {
    int64_t from = f->start[g], length = f->start[g + 1] - from, all = 1;
    double best = -INFINITY, sum = 0, true_score = 0;
    static double score[1024], errors[1024];
    for (int64_t t = 0; t < length; t++)
        all *= f->labels;
    for (int64_t c = 0; c < all; c++) {
        int y[MAX_LENGTH], wrong = 0;
        int64_t code = c;
        for (int64_t t = 0; t < length; t++, code /= f->labels) {
            y[t] = (int)(code % f->labels);
            wrong += y[t] != (int)f->target[from + t];
        }
        score[c] = score_of(f, w, from, from + length, y);
        true_score = wrong == 0 ? score[c] : true_score;
        score[c] += hinge ? wrong : 0;
        errors[c] = wrong;
        best = fmax(best, score[c]);
    }
    if (mu == 0)
        return best - true_score;
    *mistakes = 0;
    for (int64_t c = 0; c < all; c++) {
        double p = exp((score[c] - best) / mu);
        sum += p;
        *mistakes += p * errors[c];
    }
    *mistakes /= sum;
    return best + mu * (log(sum) - (hinge ? log((double)all) : 0)) - true_score;
}

static double mean_loss(const struct sample *f, const double *w, bool hinge, double mu,
                        bool weighted, double *mistakes) {
    double sum = 0, weights = 0, errors = 0, wrong = 0;
    for (int64_t g = 0; g < f->data.groups; g++) {
        double c = weighted ? f->weight[f->start[g]] : 1;
        sum += c * loss_of(f, w, g, hinge, mu, &wrong);
        errors += c * wrong;
        weights += c;
    }
    *mistakes = errors / weights;
    return sum / weights;
}

static const double radii[] = {0, 0.3, 3, 100, 1e5};
enum { RADII = sizeof radii / sizeof *radii };

static void check_values(bool hinge, double mu) {
    for (int trial = 0; trial < 24; trial++) {
        struct sample f;
        struct random random;
        double w[MAX_WEIGHTS];
        bool weighted = trial % 2;
        open_sample_with(&f, hinge ? m3n_risk_new : crf_risk_new, 2 + trial % 3,
                         trial % 4 < 2 ? 0.7 : -1, weighted, trial % 5 < 2, 10 + (uint64_t)trial);
        random_seed(&random, 9, (uint64_t)trial);
        for (int p = 0; p < RADII; p++) {
            for (int64_t j = 0; j < f.risk->dimension; j++)
                w[j] = radii[p] * (2 * random_unit(&random) - 1);
            double value = risk_evaluate(f.risk, w, mu, NULL);
            double mistakes, g[MAX_WEIGHTS], t = -INFINITY;
            double expected = mean_loss(&f, w, hinge, hinge ? mu : 1, weighted, &mistakes);
            assert_near(value, expected, 1e-12 * (1 + radii[p]));
            if (!hinge || mu == 0)
                continue;
            f.risk->kind->evaluate(f.risk, w, mu, g, &t);
            assert_near(t, mistakes, 1e-13 + 1e-14 * radii[p] / mu);
        }
        close_sample(&f);
    }
}

static void values_are_those_of_all_sequences(void **state) {
    (void)state;
    check_values(true, 0);
    check_values(true, 1e-4);
    check_values(true, 0.5);
    check_values(true, 20);
    check_values(false, 0);
    check_values(false, 0.5); /* smooth as it is */
}

static void they_are_risks(void **state) {
    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        struct sample f;
        double radius = trial % 3 == 0 ? 1 : trial % 3 == 1 ? 10 : 200;
        open_sample_with(&f, trial % 2 ? m3n_risk_new : crf_risk_new, 2 + trial % 3,
                         trial % 4 < 2 ? 1 : -1, trial % 3 == 0, trial % 5 < 2,
                         40 + (uint64_t)trial);
        check_risk(f.risk, radius, trial < 6 ? 1 : 0.1, (uint64_t)trial);
        if (trial % 2)
            check_least_smoothing(f.risk, radius, (uint64_t)trial);
        close_sample(&f);
    }
}

/* The loss that each is at w = 0: all labels wrong; all sequences alike. */
static void at_zero_nothing_is_known(void **state) {
    struct sample f;
    double w[MAX_WEIGHTS] = {0}, rows = 0;
    (void)state;
    open_sample(&f, m3n_risk_new, 3, -1, false, 60);
    rows = (double)ROWS / (double)f.data.groups;
    assert_near(risk_evaluate(f.risk, w, 0, NULL), rows, 1e-14);
    assert_near(f.risk->smoothing, rows * log(3), 1e-12);
    close_sample(&f);
    open_sample(&f, crf_risk_new, 3, -1, false, 60);
    assert_near(risk_evaluate(f.risk, w, 0, NULL), rows * log(3), 1e-12);
    assert_near(f.risk->smoothing, 0, 0);
    close_sample(&f);
}

/* The largest of (1 - q) log((N - 1) q/(1 - q)) over q is W((N - 1)/e). */
static void the_norm_bound_is_the_largest_product(void **state) {
    (void)state;
    for (double more = 1; more < 1e250; more = 7 * more * more) { /* N - 1 */
        double norm_bound = lambert_of_exp(log(more) - 1), expected = 0;
        assert_near(norm_bound + log(norm_bound), log(more) - 1, 1e-13 * (2 + log(more)));
        for (double odds = 1e-6; odds < 1e6; odds *= 1.01) /* of a wrong sequence: (1 - q)/q */
            expected = fmax(expected, odds / (1 + odds) * log(more / odds));
        assert_true(norm_bound >= expected * (1 - 1e-14));
        assert_near(norm_bound, expected, 1e-3 * expected);
    }
}

/* ---- offsets that are not regularized */

/* The linearization is a lower bound of R; at w it is within the slack, and so is the minimum over offsets. */
static void check_plane(const struct sample *f, struct profile *profile, double size, double slack,
                        struct random *random) {
    const struct risk *risk = f->risk;
    double w[MAX_WEIGHTS], v[MAX_WEIGHTS], g[MAX_WEIGHTS], t;
    int64_t n = risk->dimension;
    for (int64_t j = 0; j < n; j++)
        w[j] = size * (2 * random_unit(random) - 1);
    double value = profile_linearize(profile, w, slack, g, &t), plane = t + vector_dot(g, w, n);
    double rounding = 1e-12 * (1 + size * MAX_LENGTH);
    assert_near(value, risk_evaluate(risk, w, 0, NULL), rounding);
    for (int64_t j = risk->regularized; j < n; j++)
        assert_true(g[j] == 0);
    assert_true(plane <= value + rounding && plane >= value - slack - rounding);
    for (int k = 0; k < 60; k++) {
        double distance = pow(10, -6 + 8 * random_unit(random));
        for (int64_t j = 0; j < n; j++) {
            bool moves = j >= risk->regularized || k % 2;
            v[j] = w[j] + (moves ? distance * (2 * random_unit(random) - 1) : 0);
        }
        double other = risk_evaluate(risk, v, 0, NULL);
        assert_true(other >= t + vector_dot(g, v, n) - rounding * (1 + distance));
        assert_true(k % 2 || other >= value - slack);
    }
}

static void offsets_of_labels_are_best(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 14, 1);
    for (int trial = 0; trial < 24; trial += PART(1, 5)) {
        struct sample f;
        struct profile profile;
        open_sample_with(&f, trial % 2 ? m3n_risk_new : crf_risk_new, 2 + trial % 3,
                         trial % 4 < 2 ? 1 : -1, trial % 3 == 0, true, 80 + (uint64_t)trial);
        assert_int_equal(profile_init(&profile, f.risk, NULL), 0);
        for (int point = 0; point < 20; point++)
            check_plane(&f, &profile, pow(6, point % 4 - 1), pow(10, -point % 7), &random);
        profile_free(&profile);
        close_sample(&f);
    }
}

/* The offset of a label whose rows all have weight 0 has no minimizer. */
static void a_label_may_have_no_weight(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct sample f;
        struct profile profile;
        struct random random;
        open_sample_with(&f, k ? m3n_risk_new : crf_risk_new, 3, -1, true, true, 91);
        for (int64_t g = 0; g < f.data.groups; g++)
            for (int64_t r = f.start[g]; r < f.start[g + 1]; r++)
                f.target[r] = f.weight[f.start[g]] == 0 ? 2 : (double)(r % 2);
        risk_free(f.risk);
        f.risk =
            (k ? m3n_risk_new : crf_risk_new)(&(struct risk_settings){.scalar = {.data = &f.data,
                                                                                 .target = f.target,
                                                                                 .weight = f.weight,
                                                                                 .bias = -1,
                                                                                 .intercept = true},
                                                                      .labels = 3},
                                              NULL);
        assert_non_null(f.risk);
        random_seed(&random, 15, 1);
        assert_int_equal(profile_init(&profile, f.risk, NULL), 0);
        for (int point = 0; point < 8; point++)
            check_plane(&f, &profile, 1, pow(10, -point % 5), &random);
        profile_free(&profile);
        close_sample(&f);
    }
}

/* With enough sequences for several threads. */
static void threads_change_no_offset(void **state) {
    enum { LONG = 9000 };
    static int64_t start[LONG / 3 + 1], id[LONG / 3];
    struct dataset data = random_data(LONG, FEATURES, false, 5);
    (void)state;
    for (int64_t g = 0; g <= LONG / 3; g++)
        start[g] = 3 * g;
    for (int64_t r = 0; r < LONG; r++)
        data.label[r] = (double)(data.label[r] > 0 ? r % 2 : r % 4);
    data.groups = LONG / 3;
    data.group_start = start;
    data.group_id = id;
    for (int k = 0; k < 2; k++) {
        struct risk *risk = (k ? m3n_risk_new : crf_risk_new)(
            &(struct risk_settings){
                .scalar = {.data = &data, .target = data.label, .bias = -1, .intercept = true},
                .labels = 4},
            NULL);
        struct problem problem = {
            .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 0.01};
        assert_non_null(risk);
        check_threads(&problem, "proximal-bundle", NULL, 6);
        risk_free(risk);
    }
    data.group_start = data.group_id = NULL;
    dataset_free(&data);
}

/* ---- solvers */

static const char *const solvers[] = {"bundle", "bundle-ls", "proximal-bundle", "agm", "agm1"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/* Each solver's bound is below each solver's objective, and they are near. */
static void check_optimum(risk_new *make, double lambda, double epsilon) {
    struct sample f;
    double low = -INFINITY, high = INFINITY;
    open_sample(&f, make, 3, 1, true, 71);
    struct problem problem = {
        .risk = f.risk, .regularizer = regularizer_by_name("l2"), .lambda = lambda};
    for (int s = 0; s < SOLVERS; s++) {
        double w[MAX_WEIGHTS] = {0};
        struct outcome outcome;
        assert_int_equal(
            run_with(&problem, solvers[s], NULL, epsilon, 3000, w, NULL, &outcome, NULL), 0);
        assert_int_equal(outcome.verdict, VERDICT_CONVERGED);
        assert_near(outcome.objective, problem_objective(&problem, w), 1e-12);
        assert_true(outcome.objective - outcome.bound <= epsilon * outcome.objective);
        low = fmax(low, outcome.bound);
        high = fmin(high, outcome.objective);
    }
    assert_true(low <= high * (1 + 1e-12));
    close_sample(&f);
}

static void all_solvers_find_one_optimum(void **state) {
    (void)state;
    check_optimum(m3n_risk_new, 0.05, 1e-2); /* for bundle-ls, which needs many steps along kinks */
    check_optimum(crf_risk_new, 0.05, 1e-4);
    check_optimum(crf_risk_new, 1e-3, 1e-4);
}

/* A 1-norm's bound needs the slope scaled into the box of lambda. */
static void weights_may_be_sparse(void **state) {
    risk_new *const make[] = {m3n_risk_new, crf_risk_new};
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct sample f;
        double w[MAX_WEIGHTS] = {0}, v[MAX_WEIGHTS] = {0};
        struct outcome one, other;
        open_sample(&f, make[k % 2], 3, 1, false, 73);
        struct problem problem = {
            .risk = f.risk, .regularizer = regularizer_by_name("l1"), .lambda = k < 2 ? 0.1 : 0.3};
        assert_int_equal(run_with(&problem, "agm", NULL, 1e-2, 3000, w, NULL, &one, NULL), 0);
        assert_int_equal(run_with(&problem, "agm1", NULL, 1e-2, 3000, v, NULL, &other, NULL), 0);
        assert_int_equal(one.verdict, VERDICT_CONVERGED);
        assert_int_equal(other.verdict, VERDICT_CONVERGED);
        assert_true(one.bound <= other.objective && other.bound <= one.objective);
        assert_true(vector_nonzeros(w, f.risk->dimension) < f.risk->dimension);
        close_sample(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_all_sequences),
        cmocka_unit_test(they_are_risks),
        cmocka_unit_test(at_zero_nothing_is_known),
        cmocka_unit_test(the_norm_bound_is_the_largest_product),
        cmocka_unit_test(offsets_of_labels_are_best),
        cmocka_unit_test(a_label_may_have_no_weight),
        cmocka_unit_test(threads_change_no_offset),
        cmocka_unit_test(all_solvers_find_one_optimum),
        cmocka_unit_test(weights_may_be_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
