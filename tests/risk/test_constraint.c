/* test_constraint.c - the simplex and balls: the optimum of a penalty is that of the ball through it,
 * certificates, starts from outside, the same numbers for any number of threads. */
#include "solvers/certificate.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

#include "tests/solvers/bundle/bundle_fixture.h"

enum { CASES = 240, COLUMNS = 12 };

static struct history history;

struct setup {
    struct dataset data;
    struct risk *risk;
    double target[CASES];
};

static void setup_open(struct setup *setup, const char *loss) {
    setup->data = random_data(CASES, COLUMNS, false, 11);
    struct random random;
    random_seed(&random, 12, 0);
    for (int i = 0; i < CASES; i++)
        setup->target[i] = loss_by_name(loss)->task == TASK_CLASSIFICATION
                               ? setup->data.label[i]
                               : setup->data.label[i] + random_unit(&random);
    struct scalar_settings scalar = {
        .data = &setup->data, .target = setup->target, .loss = loss_by_name(loss), .bias = -1};
    setup->risk = scalar_risk_new(&scalar, NULL);
    assert_non_null(setup->risk);
}

static void setup_close(struct setup *setup) {
    risk_free(setup->risk);
    dataset_free(&setup->data);
}

static struct problem problem_of(const struct setup *setup, const char *regularizer, double lambda,
                                 double ball) {
    return (struct problem){.risk = setup->risk,
                            .regularizer = regularizer_by_name(regularizer),
                            .parameters = {.elastic = 0.3, .ball = ball},
                            .lambda = lambda};
}

struct pair {
    const char *loss, *penalty, *ball, *solver;
    double gap;
};

static const struct pair pairs[] = {
    {"logistic", "l1", "l1-ball", "lps", 1e-8},
    {"squared", "l1", "l1-ball", "lps", 1e-8},
    {"squared-hinge", "elastic-net", "elastic-net-ball", "lps", 1e-8},
    {"logistic", "elastic-net", "elastic-net-ball", "bundle", 1e-7},
    {"hinge", "elastic-net", "elastic-net-ball", "bundle", 1e-4},
};

/* J* = lambda Omega(w) + R(w): no w of the ball through the penalty's solution has a smaller risk. */
static void check_pair(const struct pair *pair, const char *solver) {
    static const double lambdas[] = {0.1, 0.02, 0.005};
    struct setup setup;
    struct outcome penalized, o;
    setup_open(&setup, pair->loss);
    for (int l = 0; l < 3; l++) {
        double w[COLUMNS] = {0}, v[COLUMNS] = {0}, gradient[COLUMNS], bound;
        struct problem penalty = problem_of(&setup, pair->penalty, lambdas[l], 0);
        run_with(&penalty, pair->solver, NULL, pair->gap / 10, 20000, w, NULL, &penalized, NULL);
        double size = problem_penalty(&penalty, w) / lambdas[l];
        struct problem ball = problem_of(&setup, pair->ball, 1, size);
        run_with(&ball, solver, NULL, pair->gap, 50000, v, &history, &o, NULL);
        double risk = risk_evaluate(setup.risk, w, 0, NULL),
               smallest = penalized.bound - lambdas[l] * size;
        assert_true(o.objective - o.bound <= pair->gap * o.objective);
        assert_true(o.objective <= risk * (1 + pair->gap));
        assert_true(o.objective >= smallest - 1e-12 && o.bound <= risk + 1e-12);
        assert_true(smallest >= risk - 2 * pair->gap);
        assert_true(problem_penalty(&ball, v) == 0);
        check_history(&ball, &history, &o, v, (o.objective + o.bound) / 2,
                      (o.objective - o.bound) / 2 + 1e-12);
        assert_near(certificate_evaluate(&ball, v, gradient, &bound, NULL), o.objective, 1e-12);
        assert_true(bound <= o.objective);
    }
    setup_close(&setup);
}

static void a_ball_has_the_solution_of_its_penalty(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        check_pair(&pairs[i], "agm");
        check_pair(&pairs[i], "agm1");
    }
}

/* The boundary of each set is where it should be, up to rounding. */
static void sets_have_an_edge(void **state) {
    (void)state;
    static const double fractions[] = {0.5, 1, 1 + 1e-12, 1 + 1e-6, 1.05, 1.5};
    static const double mass[] = {0.5, -0.3, 0, 0.2}, masses[] = {0.5, 0.3, 0, 0.2};
    for (int k = 0; k < 6; k++) {
        double w[4], v[4], squares = 0;
        struct regularizer_parameters p = {.elastic = 0.3};
        for (int j = 0; j < 4; j++) {
            w[j] = 2 * mass[j];
            v[j] = fractions[k] * masses[j];
            squares += w[j] * w[j];
        }
        bool inside = fractions[k] < 1 + 1e-9;
        p.ball = 2 / fractions[k];
        assert_true(regularizer_by_name("l1-ball")->value(w, 4, &p) == (inside ? 0 : INFINITY));
        p.ball = (0.3 / 2 * squares + 0.7 * 2) / fractions[k];
        assert_true(regularizer_by_name("elastic-net-ball")->value(w, 4, &p) ==
                    (inside ? 0 : INFINITY));
        assert_true(regularizer_by_name("simplex")->value(v, 4, &p) ==
                    (inside && k > 0 ? 0 : INFINITY));
    }
}

/* A large ball does not constrain the weights; a small one keeps them close to 0. */
static void balls_of_any_size(void **state) {
    (void)state;
    static const char *const balls[] = {"l1-ball", "elastic-net-ball"};
    static const double sizes[] = {1e-9, 10};
    struct setup setup;
    struct outcome o;
    setup_open(&setup, "squared");
    for (int b = 0; b < 4; b++) {
        double w[COLUMNS] = {0}, gradient[COLUMNS], zero[COLUMNS] = {0};
        struct problem ball = problem_of(&setup, balls[b / 2], 1, sizes[b % 2]);
        run_with(&ball, "agm", NULL, 1e-8, 50000, w, NULL, &o, NULL);
        assert_true(o.verdict == VERDICT_CONVERGED);
        risk_evaluate(setup.risk, w, 0, gradient);
        if (b % 2 == 1)
            assert_true(vector_largest(gradient, COLUMNS) < 1e-3);
        else
            assert_near(o.objective, risk_evaluate(setup.risk, zero, 0, NULL), 1e-7);
    }
    setup_close(&setup);
}

/* At a small lambda the risk with the entropy is at most lambda log n above that on the simplex. */
static void the_simplex_is_the_limit_of_the_entropy(void **state) {
    (void)state;
    static const char *const losses[] = {"logistic", "squared", "squared-hinge", "hinge"};
    static const double lambda = 1e-4;
    struct outcome soft, o;
    for (int l = 0; l < 8; l++) {
        struct setup setup;
        double w[COLUMNS] = {0}, v[COLUMNS] = {0};
        setup_open(&setup, losses[l / 2]);
        struct problem entropy = problem_of(&setup, "entropy", lambda, 0);
        struct problem simplex = problem_of(&setup, "simplex", 1, 0);
        run_with(&entropy, "bundle", NULL, 1e-8, 5000, w, NULL, &soft, NULL);
        run_with(&simplex, l % 2 ? "agm1" : "agm", NULL, 1e-5, 50000, v, &history, &o, NULL);
        assert_true(o.objective - o.bound <= 1e-5 * o.objective);
        assert_true(o.objective <= risk_evaluate(setup.risk, w, 0, NULL) + 1e-5);
        assert_true(o.objective >= soft.bound - lambda * log(COLUMNS));
        check_history(&simplex, &history, &o, v, (o.objective + o.bound) / 2,
                      (o.objective - o.bound) / 2 + 1e-12);
        setup_close(&setup);
    }
}

/* A start outside of the set or at a vertex gives the same optimum. */
static void any_start_will_do(void **state) {
    (void)state;
    static const char *const names[] = {"simplex", "l1-ball", "elastic-net-ball"};
    struct setup setup;
    setup_open(&setup, "logistic");
    for (int k = 0; k < 3; k++) {
        struct problem problem = problem_of(&setup, names[k], 1, 0.7);
        struct outcome cold, o;
        double w[COLUMNS] = {0};
        run_with(&problem, "agm", NULL, 1e-6, 50000, w, NULL, &cold, NULL);
        for (int start = 0; start < 3; start++) {
            double v[COLUMNS] = {0};
            v[0] = start == 0 ? 1 : start == 1 ? -9 : 0;
            if (start == 2)
                memcpy(v, w, sizeof v);
            run_with(&problem, "agm1", NULL, 1e-6, 50000, v, NULL, &o, NULL);
            assert_true(o.verdict == VERDICT_CONVERGED);
            assert_near(o.objective, cold.objective, 1e-6);
            assert_true(start != 2 || o.objective <= cold.objective);
        }
    }
    setup_close(&setup);
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static const char *const names[] = {"simplex", "l1-ball", "elastic-net-ball"};
    enum { TALL = 6000, WIDE = 30 };
    struct dataset data = random_data(TALL, WIDE, false, 5);
    struct scalar_settings scalar = {
        .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1};
    struct risk *risk = scalar_risk_new(&scalar, NULL);
    for (int k = 0; k < 3; k++) {
        struct problem problem = {.risk = risk,
                                  .regularizer = regularizer_by_name(names[k]),
                                  .parameters = {.elastic = 0.3, .ball = 0.5},
                                  .lambda = 1};
        double w[4][WIDE] = {0};
        struct outcome o;
        for (int threads = 1; threads <= 4; threads += PART(2, 3)) {
            omp_set_num_threads(threads);
            run_with(&problem, "agm", NULL, 1e-6, 60, w[threads - 1], NULL, &o, NULL);
            assert_memory_equal(w[0], w[threads - 1], sizeof w[0]);
        }
    }
    risk_free(risk);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_has_the_solution_of_its_penalty),
        cmocka_unit_test(sets_have_an_edge),
        cmocka_unit_test(balls_of_any_size),
        cmocka_unit_test(the_simplex_is_the_limit_of_the_entropy),
        cmocka_unit_test(any_start_will_do),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
