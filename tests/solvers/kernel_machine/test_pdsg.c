/* test_pdsg.c - pdsg and mpd against cvxopt and LIBSVM (tests/references/kernel_reference.py): optimum, certificate,
 * beta; the options of the subproblem solvers; a large set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/kernel/kernel_fixture.h"
#include "tests/near.h"
#include "tests/size.h"

static const struct kernel hat_kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 0.25};
static const char *const solvers[] = {"pdsg", "mpd"};

static double next_number(int64_t *seed) {
    *seed = *seed * 16807 % 2147483647;
    return (double)*seed / 2147483647;
}

static double sinc(double t) {
    return t == 0 ? 1 : sin(t) / t;
}

/* kernel_reference.py's data: x, then (if PSI) sin x and sinc(2 pi (x - 5)). */
static struct dataset hat(int64_t m, bool psi, bool classes) {
    int64_t seed = 1, columns = psi ? 3 : 1;
    struct dataset data = {.rows = m, .nonzeros = m * columns, .features = (int32_t)columns};
    data.start = malloc(sizeof *data.start * (size_t)(m + 1));
    data.column = malloc(sizeof *data.column * (size_t)(m * columns));
    data.value = malloc(sizeof *data.value * (size_t)(m * columns));
    data.label = malloc(sizeof *data.label * (size_t)m);
    for (int64_t i = 0; i <= m; i++)
        data.start[i] = columns * i;
    for (int64_t i = 0; i < m; i++) {
        double x = 10 * next_number(&seed), noise = -6;
        double value[3] = {x, sin(x), sinc(2 * M_PI * (x - 5))};
        for (int k = 0; k < 12; k++)
            noise += next_number(&seed);
        double y = value[1] + value[2] + 0.2 * noise;
        data.label[i] = !classes ? y : y > 0 ? 1 : -1;
        for (int64_t j = 0; j < columns; j++) {
            data.column[columns * i + j] = (int32_t)j;
            data.value[columns * i + j] = value[j];
        }
    }
    return data;
}

static void set_up_hat(struct kernel_fixture *f, const char *name, int64_t m, double c) {
    bool psi = strcmp(name, "semiparametric") == 0, classes = strcmp(name, "svc") == 0;
    kernel_set_up(f, hat(m, psi, classes), classes ? "hinge" : "epsilon", hat_kernel,
                  psi ? "none" : "1", psi ? "2,3" : NULL, c);
}

/* The optimum between bound and objective, these near it, and beta. */
static void assert_reached(const struct kernel_fixture *f, double optimum, const double *beta) {
    double unit = f->problem.lambda;
    assert_int_equal(f->outcome.verdict, VERDICT_CONVERGED);
    assert_true(f->outcome.bound / unit <= optimum * (1 + 1e-6));
    assert_true(f->outcome.objective / unit >= optimum * (1 - 1e-6));
    assert_near(f->outcome.bound / unit, optimum, 1e-4 * optimum);
    assert_near(f->outcome.objective / unit, optimum, 1e-4 * optimum);
    for (int64_t j = 0; j < f->basis.count;
         j++) /* the sign of svc is by LIBSVM's order of labels */
        assert_near(fabs(f->w[f->data.rows + j]), fabs(beta[j]), 1e-2);
}

static void test_references(void **state) {
    (void)state;
    FILE *file = fopen("tests/references/kernel_reference.tsv", "r");
    char line[256], name[32];
    int found = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        long long m;
        double c, optimum, beta[2];
        if (sscanf(line, "%31s %lld %lf %lf %lf %lf", name, &m, &c, &optimum, &beta[0], &beta[1]) !=
                6 ||
            name[0] == '#')
            continue;
        for (int s = 0; s < 2; s++) {
            struct kernel_fixture f;
            if ((found + s) % PART(1, 2) != 0)
                continue;
            set_up_hat(&f, name, m, c);
            assert_int_equal(kernel_train(&f, solvers[s], 1e-3, 1e6, INFINITY, false, NULL), 0);
            assert_reached(&f, optimum, beta);
            struct outside o = outside_look(&f);
            assert_true(o.worst <= 1e-3 * (1 + 1e-6));
            assert_near(f.outcome.objective, o.objective, 1e-9);
            kernel_tear_down(&f);
        }
        found++;
    }
    fclose(file);
    assert_int_equal(found, 9);
}

/* As in the thesis, without Newton steps: both reach the tolerance, pdsg also with larger sub-working
 * sets. */
static void test_plain_subproblem_solvers(void **state) {
    (void)state;
    static const char *const words[][4] = {{"newton=off", NULL},
                                           {"newton=off", "sub-working-set=3", NULL},
                                           {"newton=off", "sub-working-set=1", NULL}};
    /* of kernel_reference.tsv; the second takes fewer steps */
    const struct {
        double c, optimum, beta[2];
    } reference[] = {{1, 56.1867424, {1.019941, 0.974257}}, {0.1, 5.6253785, {1.016781, 0.966496}}},
      *known = &reference[PART(0, 1)];
    for (int k = 0; k < 4; k += PART(1, 3)) {
        struct kernel_fixture f;
        set_up_hat(&f, "semiparametric", 500, known->c);
        assert_int_equal(
            kernel_train(&f, solvers[k == 3], 1e-3, 1e6, INFINITY, false, words[k == 3 ? 0 : k]),
            0);
        assert_reached(&f, known->optimum, known->beta);
        kernel_tear_down(&f);
    }
}

/* Rounding of the kernel rows to floats does not show in the certificate. */
static void test_fine_gap(void **state) {
    (void)state;
    for (int s = 0; s < 2; s++) {
        struct kernel_fixture f;
        set_up_hat(&f, "svr", PART(2000, 1200), 1);
        assert_int_equal(kernel_train(&f, solvers[s], 1e-5, 1e6, INFINITY, false, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        assert_true(f.outcome.objective - f.outcome.bound <= 1e-6 * f.outcome.objective);
        kernel_tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_plain_subproblem_solvers),
        cmocka_unit_test(test_fine_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
