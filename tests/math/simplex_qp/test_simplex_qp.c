/* test_simplex_qp.c - quadratic programs over simplices against certificates in 128 bits, brute force,
 * cvxopt, and themselves from a cold start. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "io/state/state.h"
#include "tests/math/simplex_qp/qp_problem.h"
#include "tests/near.h"
#include "tests/temporary.h"

static const double TOLERANCE = 1e-12;

/* Solves, and checks the result against the problem alone. */
static struct simplex_qp_result solve(const struct qp_problem *p, struct simplex_qp *qp) {
    struct simplex_qp_result result;
    struct error e = {0};
    assert_int_equal(simplex_qp_solve(qp, p->f, p->cap, TOLERANCE, &result, &e), 0);
    struct qp_certificate c = qp_certify(p, qp);
    assert_true(c.violation <= 1e-25);
    assert_true(c.gap <= TOLERANCE * fabs(c.objective) * (1 + 1e-9) + 2 * c.resolution);
    assert_true(c.gap <= result.gap * (1 + 1e-9) + 2 * c.resolution);
    assert_near(result.objective, c.objective, 1e-12 * fabs(c.objective) + 2 * c.resolution);
    assert_true(result.reached);
    return result;
}

static void random_problems_are_solved(void **state) {
    (void)state;
    static struct qp_problem p;
    struct random random;
    random_seed(&random, 1, 0);
    for (int round = 0; round < 3000; round++) {
        qp_random_problem(&random, &p, round % 3 == 0 ? 6 : 60);
        struct simplex_qp *qp = qp_problem_program(&p, NULL);
        assert_non_null(qp);
        solve(&p, qp);
        simplex_qp_free(qp);
    }
}

/* Seeds at which earlier methods failed: vertices where the offset constraint is degenerate, optima that are 0. */
static void hard_problems_are_solved(void **state) {
    (void)state;
    static const uint64_t seed[] = {49739, 156171, 202074, 216339, 210,   571,   846,
                                    1511,  3161,   3737,   6266,   10958, 12887, 14493};
    static struct qp_problem p;
    for (size_t i = 0; i < sizeof seed / sizeof *seed; i++) {
        struct random random;
        random_seed(&random, seed[i], QP_REFERENCE_STREAM);
        qp_random_problem(&random, &p, QP_REFERENCE_MAX_SLOTS);
        struct simplex_qp *qp = qp_problem_program(&p, NULL);
        solve(&p, qp);
        simplex_qp_free(qp);
    }
}

/* The optima of tests/references/qp_reference.tsv, found by cvxopt. */
static void cvxopt_finds_the_same(void **state) {
    (void)state;
    static struct qp_problem p;
    char line[256];
    int rows = 0;
    FILE *file = fopen("tests/references/qp_reference.tsv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        struct random random;
        long seed;
        double lower, upper;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%ld %lf %lf", &seed, &lower, &upper), 3);
        random_seed(&random, (uint64_t)seed, QP_REFERENCE_STREAM);
        qp_random_problem(&random, &p, QP_REFERENCE_MAX_SLOTS);
        struct simplex_qp *qp = qp_problem_program(&p, NULL);
        double objective = solve(&p, qp).objective;
        assert_near(objective, lower / 2 + upper / 2, 1e-8 * fabs(objective));
        simplex_qp_free(qp);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 200);
}

/* A new plane that is close to others, or equal to one, in an empty slot. */
static void fill_slot(struct random *random, struct qp_problem *p, int j, double (*plane)[MAX_QP],
                      int n, double scale) {
    int other = (int)random_below(random, (uint64_t)p->slots);
    double spread = pow(10, -(double)random_below(random, 9));
    for (int i = 0; i < n; i++)
        plane[j][i] = plane[other][i] + (other == j ? 1 : spread) * qp_uniform(random);
    for (int l = 0; l < p->slots; l++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += plane[j][i] * plane[l][i];
        p->h[j][l] = p->h[l][j] = scale * sum;
    }
    p->f[j] = qp_uniform(random);
    p->o[j] = qp_uniform(random);
    p->taken[j] = true;
    p->block[j] = (int)random_below(random, (uint64_t)p->blocks);
}

/* Adds, drops, and changes f and caps, at random. */
static void change_problem(struct random *random, struct qp_problem *p, struct simplex_qp *qp,
                           double (*plane)[MAX_QP], double scale) {
    for (int change = 0; change < 3; change++) {
        int j = (int)random_below(random, (uint64_t)p->slots);
        if (!p->taken[j]) {
            fill_slot(random, p, j, plane, 12, scale);
            assert_int_equal(simplex_qp_add(qp, j, p->block[j], p->o[j], NULL), 0);
        } else if (j >= 2 * p->blocks && random_below(random, 2) == 0) {
            simplex_qp_drop(qp, j);
            p->taken[j] = false;
            for (int l = 0; l < p->slots; l++) /* never to be read */
                p->h[j][l] = p->h[l][j] = NAN;
        }
    }
    double factor = 0.5 + random_unit(random);
    bool all = random_below(random, 2) == 0;
    for (int k = 0; k < p->blocks; k++)
        p->cap[k] *= all ? factor : 0.5 + random_unit(random);
    for (int j = 0; j < p->slots && random_below(random, 2) == 0; j++)
        p->f[j] = qp_uniform(random);
}

static void warm_starts_agree_with_cold_ones(void **state) {
    (void)state;
    static struct qp_problem p;
    static double plane[MAX_QP][MAX_QP];
    struct random random;
    random_seed(&random, 2, 0);
    for (int run = 0; run < 24; run++) {
        memset(&p, 0, sizeof p);
        memset(plane, 0, sizeof plane);
        p.slots = 40;
        p.blocks = run % 3 == 0 ? 1 : 3;
        p.equal = run % 2 == 0;
        p.offset = run % 8 >= 4;
        double scale = pow(10, run % 5 * 3 - 3);
        for (int k = 0; k < p.blocks; k++)
            p.cap[k] = 1;
        for (int j = 0; j < 10; j++) {
            fill_slot(&random, &p, j, plane, 12, scale);
            p.block[j] = j % p.blocks;
            if (j < 2 * p.blocks) /* these stay, so that a feasible point there is */
                p.o[j] = j < p.blocks ? 1 : -1;
        }
        struct simplex_qp *warm = qp_problem_program(&p, NULL);
        for (int step = 0; step < 60; step++) {
            struct simplex_qp *cold = qp_problem_program(&p, NULL);
            double one = solve(&p, warm).objective, other = solve(&p, cold).objective;
            double resolution = qp_certify(&p, cold).resolution;
            assert_near(one, other, 2 * TOLERANCE * fabs(one) + 2 * resolution);
            simplex_qp_free(cold);
            change_problem(&random, &p, warm, plane, scale);
        }
        simplex_qp_free(warm);
    }
}

/* Minimizes max_j <g_j, w> + b_j + lambda/2 |w|^2 of tangents g_j, b_j of a smooth function, nearly
 * parallel at the end, by cutting planes; H has entries up to 1e9 and more, the objective is about 1. */
static void cutting_planes_at_tiny_lambda(void **state) {
    (void)state;
    enum { N = 6 };
    static struct qp_problem p;
    static double plane[MAX_QP][N];
    double w[N] = {0}, lambda = 1e-9;
    memset(&p, 0, sizeof p);
    p.slots = 50;
    p.blocks = 1;
    p.cap[0] = 1;
    struct simplex_qp *qp = qp_problem_program(&p, NULL);
    for (int t = 0; t < p.slots; t++) {
        double value = 1, at = 0;
        for (int i = 0; i < N; i++) {
            double x = w[i] - 1 - i;
            value += 1e-3 * (sqrt(1 + x * x) - 1);
            plane[t][i] = 1e-3 * x / sqrt(1 + x * x);
            at += plane[t][i] * w[i];
        }
        for (int l = 0; l <= t; l++) {
            double sum = 0;
            for (int i = 0; i < N; i++)
                sum += plane[t][i] * plane[l][i] / lambda;
            p.h[t][l] = p.h[l][t] = sum;
        }
        p.f[t] = value - at;
        p.taken[t] = true;
        assert_int_equal(simplex_qp_add(qp, t, 0, 0, NULL), 0);
        solve(&p, qp);
        memset(w, 0, sizeof w);
        for (int l = 0; l <= t; l++)
            for (int i = 0; i < N; i++)
                w[i] -= simplex_qp_weight(qp, l) * plane[l][i] / lambda;
    }
    simplex_qp_free(qp);
}

/* The least objective over supports of two: the gaps at these need not be 0, so that it is an upper
 * bound in general, and the minimum for three variables of which H has rank 1. */
static double best_of_pairs(const struct qp_problem *p) {
    double best = p->equal ? INFINITY : 0;
    for (int i = 0; i < p->slots; i++)
        for (int j = 0; j < p->slots; j++)
            for (int end = 0; end < 3; end++) {
                double sum = p->cap[0], a = end == 0 ? 0 : sum, b = 0;
                if (end == 2) { /* the minimum between a = 0 and a = cap, b = cap - a */
                    double curve = p->h[i][i] - 2 * p->h[i][j] + p->h[j][j];
                    double slope = p->f[i] - p->f[j] - sum * (p->h[i][j] - p->h[j][j]);
                    if (!(curve > 0) || slope < 0 || slope > curve * sum)
                        continue;
                    a = slope / curve;
                }
                if (end == 1 && !p->equal && p->h[i][i] > 0) /* alone, with the slack */
                    a = fmin(fmax(p->f[i] / p->h[i][i], 0), sum);
                b = end == 1 ? 0 : sum - a;
                double q = 0.5 * (a * a * p->h[i][i] + b * b * p->h[j][j]) + a * b * p->h[i][j] -
                           a * p->f[i] - b * p->f[j];
                best = fmin(best, q);
            }
    return best;
}

static void tiny_problems_agree_with_brute_force(void **state) {
    (void)state;
    static struct qp_problem p;
    struct random random;
    random_seed(&random, 3, 0);
    for (int round = 0; round < 2000; round++) {
        memset(&p, 0, sizeof p);
        p.slots = 1 + (int)random_below(&random, 8);
        p.blocks = 1;
        p.cap[0] = 0.5 + random_unit(&random);
        p.equal = round % 2 == 0;
        double x[MAX_QP];
        bool several = p.slots > 2;
        for (int j = 0; j < p.slots; j++) { /* of rank 1: two variables at most are positive */
            x[j] = qp_uniform(&random);
            p.f[j] = qp_uniform(&random);
            p.taken[j] = true;
        }
        for (int j = 0; j < p.slots; j++)
            for (int l = 0; l < p.slots; l++)
                p.h[j][l] = x[j] * x[l] + (several || j != l ? 0 : 1);
        struct simplex_qp *qp = qp_problem_program(&p, NULL);
        double found = solve(&p, qp).objective;
        if (several || p.equal || p.slots == 1)
            assert_near(found, best_of_pairs(&p), 1e-9);
        simplex_qp_free(qp);
    }
}

static void what_is_not_feasible_is_an_error(void **state) {
    (void)state;
    static struct qp_problem p;
    struct simplex_qp_result result;
    memset(&p, 0, sizeof p);
    p.slots = 2;
    p.blocks = 2;
    p.equal = p.offset = true;
    p.block[1] = 1;
    for (int j = 0; j < 2; j++) {
        p.h[j][j] = p.cap[j] = p.o[j] = 1;
        p.taken[j] = true;
    }
    struct error e = {0};
    struct simplex_qp *qp = qp_problem_program(&p, &e);
    assert_int_equal(simplex_qp_solve(qp, p.f, p.cap, TOLERANCE, &result, &e), -1);
    assert_non_null(strstr(e.words, "offset"));
    memset(&e, 0, sizeof e);
    simplex_qp_drop(qp, 1);
    assert_int_equal(simplex_qp_solve(qp, p.f, p.cap, TOLERANCE, &result, &e), -1);
    assert_non_null(strstr(e.words, "block 1"));
    p.o[1] = -1;
    assert_int_equal(simplex_qp_add(qp, 1, 1, -1, &e), 0);
    solve(&p, qp);
    p.f[0] = NAN;
    memset(&e, 0, sizeof e);
    assert_int_equal(simplex_qp_solve(qp, p.f, p.cap, TOLERANCE, &result, &e), -1);
    simplex_qp_free(qp);
}

/* For not-a-number anywhere in H and for huge numbers, the solver ends and returns no wrong answer. */
static void numbers_that_are_not_finite_are_an_error(void **state) {
    (void)state;
    static struct qp_problem p;
    struct random random;
    int refused = 0;
    random_seed(&random, 4, 0);
    for (int round = 0; round < 500; round++) {
        struct simplex_qp_result result;
        struct error e = {0};
        qp_random_problem(&random, &p, 12);
        for (int j = 0; j < p.slots; j++)
            p.f[j] += 2; /* so that a weight is positive */
        int i = (int)random_below(&random, (uint64_t)p.slots);
        int j = (int)random_below(&random, (uint64_t)p.slots);
        p.h[i][j] = p.h[j][i] = round % 3 == 0 ? NAN : round % 3 == 1 ? INFINITY : 1e300;
        struct simplex_qp *qp = qp_problem_program(&p, NULL);
        for (int repeat = 0; repeat < 2; repeat++)
            if (simplex_qp_solve(qp, p.f, p.cap, TOLERANCE, &result, &e) != 0)
                refused += e.words[0] != '\0';
            else
                assert_true(isfinite(result.objective) && isfinite(result.gap));
        simplex_qp_free(qp);
    }
    assert_true(refused > 300);
}

static const double *no_row(void *matrix, int slot, struct error *e) {
    int *left = matrix;
    static const double row[2] = {1, 1};
    if ((*left)-- > 0)
        return row;
    error_set(e, "no row %d", slot);
    return NULL;
}

static void a_row_that_fails_ends_the_solve(void **state) {
    (void)state;
    const double f[2] = {3, 2}, cap = 1;
    bool solved = false;
    for (int rows = 0; rows < 40; rows++) {
        int left = rows;
        struct error e = {0};
        struct simplex_qp_result result;
        struct simplex_qp_settings settings = {.blocks = 1, .row = no_row, .matrix = &left};
        struct simplex_qp *qp = simplex_qp_new(&settings, &e);
        assert_int_equal(simplex_qp_add(qp, 0, 0, 0, &e) | simplex_qp_add(qp, 1, 0, 0, &e), 0);
        int status = simplex_qp_solve(qp, f, &cap, TOLERANCE, &result, &e);
        assert_true(status == 0 || strncmp(e.words, "no row", 6) == 0);
        assert_true(!solved || status == 0);
        solved = status == 0;
        simplex_qp_free(qp);
    }
    assert_true(solved);
}

/* If stopped early, it has feasible weights and their true gap; the next solve continues from there. */
static void a_stopped_solve_tells_its_gap(void **state) {
    (void)state;
    static struct qp_problem p;
    struct random random;
    int early = 0;
    random_seed(&random, 4, 0);
    for (int round = 0; round < 300; round++) {
        qp_random_problem(&random, &p, 60);
        struct simplex_qp *qp = qp_problem_program(&p, NULL);
        struct simplex_qp_result result;
        p.polls_left = 1 + round % 5;
        assert_int_equal(simplex_qp_solve(qp, p.f, p.cap, TOLERANCE, &result, NULL), 0);
        struct qp_certificate c = qp_certify(&p, qp);
        assert_true(c.violation <= 1e-25);
        assert_true(c.gap <= result.gap * (1 + 1e-9) + 2 * c.resolution);
        early += !result.reached;
        p.polls_left = 0;
        solve(&p, qp);
        simplex_qp_free(qp);
    }
    assert_true(early > 30);
}

/* The multiplier of a block: 0 if its sum is below its cap. */
static double level_of(const struct simplex_qp *qp, int block) {
    int slack = qp->slacks > 0 ? qp->position[block] : POSITION_OUTSIDE;
    return slack == POSITION_OUTSIDE ? qp_cost(qp, qp->reference[block]).hi : 0;
}

static void the_weights_and_the_levels(void **state) {
    (void)state;
    static struct qp_problem p;
    memset(&p, 0, sizeof p);
    p.slots = 2;
    p.blocks = 2;
    p.block[1] = 1;
    for (int j = 0; j < 2; j++) {
        p.taken[j] = true;
        p.cap[j] = p.h[j][j] = 1;
    }
    p.f[0] = 0.5; /* a = 0.5, not at its cap */
    p.f[1] = 3;   /* a = 1, level 1 - 3 */
    struct simplex_qp *qp = qp_problem_program(&p, NULL);
    solve(&p, qp);
    assert_near(simplex_qp_weight(qp, 0), 0.5, 1e-15);
    assert_near(simplex_qp_weight(qp, 1), 1, 0);
    assert_near(level_of(qp, 0), 0, 0);
    assert_near(level_of(qp, 1), -2, 1e-15);
    assert_near(simplex_qp_weight(qp, 1000), 0, 0);
    simplex_qp_free(qp);
}

/* A factor that is to be rebuilt may have rows of members that left. */
static void a_state_with_a_stale_factor_is_read(void **unused) {
    (void)unused;
    static struct qp_problem p;
    struct random random;
    struct error e = {0};
    random_seed(&random, 5, 0);
    for (int found = 0; found < 20;) {
        qp_random_problem(&random, &p, 20);
        struct simplex_qp *qp = qp_problem_program(&p, NULL), *read = qp_problem_program(&p, NULL);
        solve(&p, qp);
        if (qp->size >= 2) {
            found++;
            qp->stale = true;
            qp_leave(qp, qp->member[0]);
            struct state *state = state_create(path, &e);
            simplex_qp_visit(qp, state);
            assert_int_equal(state_commit(state, &e), 0);
            state = state_open(path, &e);
            simplex_qp_visit(read, state);
            assert_false(state_failed(state));
            state_close(state);
            assert_true(solve(&p, qp).objective == solve(&p, read).objective);
        }
        simplex_qp_free(qp);
        simplex_qp_free(read);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_solved),
        cmocka_unit_test(hard_problems_are_solved),
        cmocka_unit_test(numbers_that_are_not_finite_are_an_error),
        cmocka_unit_test(cvxopt_finds_the_same),
        cmocka_unit_test(warm_starts_agree_with_cold_ones),
        cmocka_unit_test(cutting_planes_at_tiny_lambda),
        cmocka_unit_test(tiny_problems_agree_with_brute_force),
        cmocka_unit_test(what_is_not_feasible_is_an_error),
        cmocka_unit_test(a_row_that_fails_ends_the_solve),
        cmocka_unit_test(a_stopped_solve_tells_its_gap),
        cmocka_unit_test(the_weights_and_the_levels),
        cmocka_unit_test(a_state_with_a_stale_factor_is_read),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
