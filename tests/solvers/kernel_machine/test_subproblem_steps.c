/* test_subproblem_steps.c - single steps of the subproblem solvers against a plain dense transcription of Lee 2011,
 * (4.8)-(4.12), and of the method of multipliers. */
#include "solvers/kernel_machine/mpd_steps.h"
#include "solvers/kernel_machine/pdsg_steps.h"

#include "math/random/random.h"
#include "math/vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ROWS = 12, COUNT = 24, K = 2, STEPS = 60 };

static float kernel[ROWS][ROWS];

static int get(void *opaque, const int64_t *index, int64_t count, const float **row,
               struct error *e) {
    (void)opaque;
    (void)e;
    for (int64_t k = 0; k < count; k++)
        row[k] = kernel[index[k]];
    return 0;
}

static bool never(void *monitor) {
    (void)monitor;
    return false;
}

/* Regression of 12 rows: variables t and 12 + t of opposite signs; some at either bound, some between. */
static void set_up(struct subproblem *s, uint64_t seed) {
    struct random random;
    struct error e;
    double x[ROWS];
    random_seed(&random, seed, 1);
    assert_int_equal(subproblem_init(s, COUNT, K, &e), 0);
    s->rows = ROWS;
    s->get = get;
    s->stop = never;
    for (int i = 0; i < ROWS; i++)
        x[i] = 4 * random_unit(&random);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            kernel[i][j] = (float)((1 + 0.1 * i) * (1 + 0.1 * j) * exp(-fabs(x[i] - x[j])));
    for (int j = 0; j < K; j++) {
        s->eta[j] = random_unit(&random) - 0.5;
        s->scale[j] = 1;
        s->residual[j] = 0;
    }
    for (int t = 0; t < COUNT; t++) {
        int i = t % ROWS;
        s->sign[t] = t < ROWS ? 1 : -1;
        s->upper[t] = 0.5 + random_unit(&random);
        s->z[t] = fmax(0, fmin(s->upper[t], 2 * random_unit(&random) - 0.5));
        s->diagonal[t] = kernel[i][i];
        s->a[t * K] = s->sign[t];
        s->a[t * K + 1] = s->sign[t] * x[i];
        for (int j = 0; j < K; j++)
            s->residual[j] += s->a[t * K + j] * s->z[t];
    }
    for (int t = 0; t < COUNT; t++) {
        s->gradient[t] = (t % 5 - 2) * 0.7;
        for (int u = 0; u < COUNT; u++)
            s->gradient[t] +=
                s->sign[t] * s->sign[u] * (double)kernel[t % ROWS][u % ROWS] * s->z[u];
        for (int j = 0; j < K; j++)
            s->gradient[t] += s->a[t * K + j] * s->eta[j];
    }
}

/* The state of the transcription. */
struct dense {
    double z[COUNT], g[COUNT], eta[K], r[K], q[COUNT][COUNT];
};

static void copy(const struct subproblem *s, struct dense *d) {
    memcpy(d->z, s->z, sizeof d->z);
    memcpy(d->g, s->gradient, sizeof d->g);
    memcpy(d->eta, s->eta, sizeof d->eta);
    memcpy(d->r, s->residual, sizeof d->r);
    for (int t = 0; t < COUNT; t++)
        for (int u = 0; u < COUNT; u++)
            d->q[t][u] = s->sign[t] * s->sign[u] * (double)kernel[t % ROWS][u % ROWS];
}

static void move(const struct subproblem *s, struct dense *d, int t, double step) {
    d->z[t] += step;
    for (int u = 0; u < COUNT; u++)
        d->g[u] += step * d->q[u][t];
    for (int j = 0; j < K; j++)
        d->r[j] += step * s->a[t * K + j];
}

static void shift(const struct subproblem *s, struct dense *d, const double *by) {
    for (int j = 0; j < K; j++)
        d->eta[j] += by[j];
    for (int t = 0; t < COUNT; t++)
        for (int j = 0; j < K; j++)
            d->g[t] += by[j] * s->a[t * K + j];
}

static void assert_same(const struct subproblem *s, const struct dense *d) {
    for (int t = 0; t < COUNT; t++) {
        assert_near(s->z[t], d->z[t], 1e-6);
        assert_near(s->gradient[t], d->g[t], 1e-6);
    }
    for (int j = 0; j < K; j++) {
        assert_near(s->eta[j], d->eta[j], 1e-6);
        assert_near(s->residual[j], d->r[j], 1e-6);
    }
}

static bool is_inside(const struct subproblem *s, const struct dense *d, int t) {
    return d->z[t] > 0 && d->z[t] < s->upper[t];
}

/* W: the `most` worst, by looking for the worst that is left. */
static int choose(const struct subproblem *s, const struct dense *d, int max_size, int *w) {
    bool taken[COUNT] = {false};
    int size = 0;
    while (size < max_size) {
        int worst = -1;
        double v = 0;
        for (int t = 0; t < COUNT; t++)
            if (!taken[t] && violation(d->z[t], s->upper[t], d->g[t]) > v) {
                v = violation(d->z[t], s->upper[t], d->g[t]);
                worst = t;
            }
        if (worst < 0)
            break;
        taken[worst] = true;
        w[size++] = worst;
    }
    return size;
}

/* x = M^-1 x by elimination. */
static void solve(int n, double m[COUNT][COUNT], double *x) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double part = m[i][k] / m[k][k];
            for (int j = k; j < n; j++)
                m[i][j] -= part * m[k][j];
            x[i] -= part * x[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= m[i][j] * x[j];
        x[i] /= m[i][i];
    }
}

/* (4.9)-(4.11) over W; whether d descends. */
static bool step_primal(const struct subproblem *s, struct dense *d, const int *w, int size) {
    double h[COUNT][COUNT] = {{0}}, step[COUNT], slope = 0, curvature = 0;
    for (int k = 0; k < size; k++) {
        step[k] = -d->g[w[k]];
        for (int l = 0; l < size; l++)
            if (k == l || (is_inside(s, d, w[k]) && is_inside(s, d, w[l])))
                h[k][l] = d->q[w[k]][w[l]];
        h[k][k] *= 1 + (is_inside(s, d, w[k]) ? 1e-8 : 0);
    }
    solve(size, h, step);
    for (int k = 0; k < size; k++) {
        step[k] = fmax(0, fmin(s->upper[w[k]], d->z[w[k]] + step[k])) - d->z[w[k]];
        slope += step[k] * d->g[w[k]];
    }
    for (int k = 0; k < size; k++)
        for (int l = 0; l < size; l++)
            curvature += step[k] * step[l] * d->q[w[k]][w[l]];
    if (!(slope < 0))
        return false;
    double alpha = fmin(1, -slope / curvature);
    for (int k = 0; k < size; k++)
        move(s, d, w[k], alpha * step[k]);
    return true;
}

/* G^-1 (A z - b), G = sum_t A_t A_t'/Q_tt. */
static void step_dual(const struct subproblem *s, struct dense *d) {
    double g[COUNT][COUNT] = {{0}}, by[K];
    memcpy(by, d->r, sizeof by);
    for (int t = 0; t < COUNT; t++)
        for (int j = 0; j < K; j++)
            for (int l = 0; l < K; l++)
                g[j][l] += s->a[t * K + j] * s->a[t * K + l] / d->q[t][t];
    solve(K, g, by);
    shift(s, d, by);
}

static void test_primal_dual_steps(void **state) {
    (void)state;
    int blocks = 0;
    for (int max_size = 1; max_size <= 4; max_size++)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            struct subproblem s;
            struct pdsg_steps p;
            struct error e;
            set_up(&s, seed);
            assert_int_equal(pdsg_steps_init(&p, max_size, K, &e), 0);
            pdsg_steps_prepare(&p, &s);
            for (int k = 0; k < STEPS; k++) {
                struct dense d;
                int w[COUNT] = {0};
                int64_t taken = 0;
                copy(&s, &d);
                int size = choose(&s, &d, max_size, w);
                if (size > 0 && violation(d.z[w[0]], s.upper[w[0]], d.g[w[0]]) < 1e-4)
                    break; /* from here on who is worst is a matter of rounding */
                if (size > 1)
                    blocks += is_inside(&s, &d, w[0]) && is_inside(&s, &d, w[1]);
                if (size > 0 && !step_primal(&s, &d, w, size))
                    assert_true(step_primal(&s, &d, w, 1));
                step_dual(&s, &d);
                assert_int_equal(pdsg_steps_solve(&p, &s, 0, 1, &taken, &e), 0);
                assert_int_equal(taken, 1);
                assert_same(&s, &d);
            }
            pdsg_steps_free(&p);
            subproblem_free(&s);
        }
    assert_true(blocks > 50);
}

/* From z = 0, where A z = b by chance: the dual steps keep their length, and fewer than 300 steps do. */
static void test_a_balanced_start(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct subproblem s;
        struct pdsg_steps p;
        struct error e;
        int64_t taken = 0;
        set_up(&s, seed);
        memset(s.z, 0, COUNT * sizeof *s.z);
        memset(s.residual, 0, K * sizeof *s.residual);
        for (int t = 0; t < COUNT; t++)
            s.gradient[t] = (t % 5 - 2) * 0.7 + vector_dot(s.a + t * K, s.eta, K);
        assert_int_equal(pdsg_steps_init(&p, 2, K, &e), 0);
        pdsg_steps_prepare(&p, &s);
        assert_int_equal(pdsg_steps_solve(&p, &s, 1e-6, 1000, &taken, &e), 1);
        pdsg_steps_free(&p);
        subproblem_free(&s);
    }
}

static void test_multiplier_steps(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct subproblem s;
        struct mpd_steps m;
        struct error e;
        set_up(&s, seed);
        assert_int_equal(mpd_steps_init(&m, K, &e), 0);
        mpd_steps_prepare(&m, &s);
        double level = -1, before = INFINITY, penalty[K], mean = 0;
        for (int t = 0; t < COUNT; t++)
            mean += s.diagonal[t] / COUNT;
        for (int j = 0; j < K; j++) {
            double square = 0;
            for (int t = 0; t < COUNT; t++)
                square += s.a[t * K + j] * s.a[t * K + j] / COUNT;
            penalty[j] = 0.1 * mean / square;
        }
        for (int k = 0; k < STEPS; k++) {
            struct dense d;
            int w[COUNT] = {0};
            int64_t taken = 0;
            double by[K], imbalance = 0;
            copy(&s, &d);
            double worst =
                choose(&s, &d, 1, w) > 0 ? violation(d.z[w[0]], s.upper[w[0]], d.g[w[0]]) : 0;
            if (level < 0)
                level = 0.3 * worst;
            if (worst > level) {
                double curvature = d.q[w[0]][w[0]];
                for (int j = 0; j < K; j++)
                    curvature += penalty[j] * s.a[w[0] * K + j] * s.a[w[0] * K + j];
                double step =
                    fmax(0, fmin(s.upper[w[0]], d.z[w[0]] - d.g[w[0]] / curvature)) - d.z[w[0]];
                move(&s, &d, w[0], step);
                for (int j = 0; j < K; j++)
                    by[j] = penalty[j] * step * s.a[w[0] * K + j];
            } else {
                for (int j = 0; j < K; j++)
                    imbalance = fmax(imbalance, fabs(d.r[j]));
                for (int j = 0; j < K; j++) {
                    penalty[j] *= imbalance > 0.25 * before ? 4 : 1;
                    by[j] = penalty[j] * d.r[j];
                }
                before = imbalance;
                level *= 0.3;
            }
            shift(&s, &d, by);
            assert_int_equal(mpd_steps_solve(&m, &s, 0, 1, &taken, &e), 0);
            assert_int_equal(taken, 1);
            assert_same(&s, &d);
        }
        mpd_steps_free(&m);
        subproblem_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_primal_dual_steps),
        cmocka_unit_test(test_a_balanced_start),
        cmocka_unit_test(test_multiplier_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
