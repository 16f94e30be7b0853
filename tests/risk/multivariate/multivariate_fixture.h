/* multivariate_fixture.h - measures of all predictions at once by their definition: over all label vectors.
 * Include after cmocka.h. */
#ifndef RRM_MULTIVARIATE_FIXTURE_H
#define RRM_MULTIVARIATE_FIXTURE_H

#include "tests/near.h"

#include "risk/risk_table.h"
#include "tests/random_data.h"
#include "tests/solvers/bundle/bundle_fixture.h"

enum { BRUTE_ROWS = 12, BRUTE_FEATURES = 4 };

/* Of labels y' against y: true and false positives, missed ones. */
struct counts {
    int right, wrong, missed;
};

/* Delta; not-a-number when y' is not among the label vectors. */
typedef double brute_measure(struct counts n, int64_t k);

struct brute {
    int64_t m, k;
    brute_measure *measure;
    const double *label;
    double score[BRUTE_ROWS];
    double value;            /* R_mu */
    double delta;            /* mean of Delta under the weights */
    double flip[BRUTE_ROWS]; /* and of the flips */
};

static inline bool brute_flips(int64_t labels, int64_t i) {
    return labels >> i & 1;
}

/* Delta + 1/m sum (y' - y) f; LABELS says which are flipped. */
static inline double brute_gain(const struct brute *b, int64_t labels, double *delta) {
    struct counts n = {0};
    double sum = 0;
    for (int64_t i = 0; i < b->m; i++) {
        bool flipped = brute_flips(labels, i), positive = b->label[i] > 0;
        n.right += positive && !flipped;
        n.missed += positive && flipped;
        n.wrong += !positive && flipped;
        sum += flipped ? -2 * b->label[i] * b->score[i] : 0;
    }
    *delta = b->measure(n, b->k);
    return *delta + sum / (double)b->m;
}

static inline void brute_sharp(struct brute *b) {
    double delta;
    b->value = -INFINITY;
    for (int64_t labels = 0; labels < (int64_t)1 << b->m; labels++)
        b->value = fmax(b->value, brute_gain(b, labels, &delta)); /* of not-a-number the other */
}

/* mu log of the mean of exp(gain/mu) */
static inline void brute_smooth(struct brute *b, double mu) {
    double top, delta, Z = 0;
    brute_sharp(b);
    top = b->value;
    b->delta = 0;
    memset(b->flip, 0, sizeof b->flip);
    for (int64_t labels = 0; labels < (int64_t)1 << b->m; labels++) {
        double weight = exp((brute_gain(b, labels, &delta) - top) / mu);
        Z += weight;
        b->delta += weight * delta;
        for (int64_t i = 0; i < b->m; i++)
            b->flip[i] += brute_flips(labels, i) ? weight : 0;
    }
    b->value = top + mu * (log(Z) - (double)b->m * log(2));
    b->delta /= Z;
    for (int64_t i = 0; i < b->m; i++)
        b->flip[i] /= Z;
}

/* A problem of one feature for each row: w are the scores. */
static inline struct dataset identity_data(const double *label, int64_t m) {
    struct dataset data = random_data(m, (int32_t)m, false, 1);
    for (int64_t i = 0; i < m; i++) {
        data.start[i + 1] = i + 1;
        data.column[i] = (int32_t)i;
        data.value[i] = 1;
        data.label[i] = label[i];
    }
    data.nonzeros = m;
    return data;
}

static inline struct risk *risk_of_rows(const char *name, const struct dataset *data, int64_t at,
                                        struct error *e) {
    return risk_row_by_name(name)->make(
        &(struct risk_settings){.scalar = {.data = data, .target = data->label, .bias = -1},
                                .at = at},
        e);
}

/* Labels with a positive one, and scores of a size, some equal. */
static inline void random_scores(struct random *random, int64_t m, double size, double *label,
                                 double *score) {
    for (int64_t i = 0; i < m; i++) {
        label[i] = random_below(random, 3) == 0 ? 1 : -1;
        score[i] = size * (random_unit(random) - 0.5);
        if (i > 0 && random_below(random, 4) == 0)
            score[i] = score[i - 1];
        if (random_below(random, 6) == 0)
            score[i] = 0;
    }
    label[random_below(random, (uint64_t)m)] = 1;
}

/* That the risk has the value of B at its scores, and its plane goes through it. */
static inline void brute_check_value(const struct risk *risk, const struct brute *b, double slack) {
    double g[BRUTE_ROWS], t;
    assert_near(risk_evaluate(risk, b->score, 0, NULL), b->value, slack);
    assert_near(risk_linearize(risk, b->score, 0, g, &t), b->value, slack);
    assert_near(t + vector_dot(g, b->score, b->m), b->value, slack);
}

/* That a smoothing MU of which sums over mu have no digits is none. */
static inline void brute_check_sharp(const struct risk *risk, const struct brute *b, double mu) {
    double g[BRUTE_ROWS], h[BRUTE_ROWS], t, sharp_t;
    double sharp = risk_linearize(risk, b->score, 0, h, &sharp_t);
    assert_true(risk_linearize(risk, b->score, mu, g, &t) == sharp);
    assert_near(t, sharp_t, 1e-13 * (1 + fabs(sharp)));
    assert_memory_equal(g, h, sizeof *g * (size_t)b->m);
}

/* Certified runs of all solvers that take it (agm and agm1 need a smoothed form), on data/blobs.train: their bounds are
 * below all their objectives. */
static inline void check_solvers_agree(const char *name, int64_t at, double lambda) {
    static const char *const plain[] = {NULL};
    static const char *const solvers[] = {"bundle", "bundle-ls", "proximal-bundle", "agm", "agm1"};
    const struct svmlight_options options = {.threads = 1};
    struct dataset data;
    double best = INFINITY, bound = -INFINITY;
    assert_int_equal(dataset_load("data/blobs.train", &options, &data, NULL), 0);
    struct risk *risk = risk_of_rows(name, &data, at, NULL);
    struct problem problem = {
        .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = lambda};
    size_t count = isfinite(risk->smoothing) ? sizeof solvers / sizeof *solvers : 3;
    for (size_t k = 0; k < count; k++) {
        struct outcome o;
        double *w = calloc((size_t)risk->dimension, sizeof *w);
        double epsilon = k < 3 ? 1e-3 : 1e-2;
        assert_int_equal(run_with(&problem, solvers[k], plain, epsilon, 20000, w, NULL, &o, NULL),
                         0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        assert_near(o.objective, problem_objective(&problem, w), 1e-12);
        best = fmin(best, o.objective);
        bound = fmax(bound, o.bound);
        assert_true(o.objective - o.bound <= epsilon * o.objective);
        assert_true(bound <= best + 1e-12);
        free(w);
    }
    risk_free(risk);
    dataset_free(&data);
}

#endif
