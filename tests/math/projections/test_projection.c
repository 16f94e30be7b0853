/* test_projection.c - the projections of math/ beside answers of cvxopt: tests/references/projection_reference.py,
 * which says what the lines of tests/references/projection_reference.tsv hold. */
#include "math/projections/ball.h"
#include "math/projections/box_plane.h"
#include "math/projections/simplex.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

enum { MAX_SIZE = 16, VECTORS = 5, SCALARS = 2 };

struct problem {
    char kind[16];
    int64_t n;
    double scalar[SCALARS], vector[VECTORS][MAX_SIZE], answer[MAX_SIZE];
};

static int64_t read_count(FILE *file, int64_t max_count) {
    long count;
    assert_int_equal(fscanf(file, "%ld", &count), 1);
    assert_in_range(count, 1, max_count);
    return count;
}

static void read_numbers(FILE *file, double *to, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(fscanf(file, "%lf", &to[i]), 1);
}

static bool read_problem(FILE *file, struct problem *p) {
    if (fscanf(file, "%15s", p->kind) != 1)
        return false;
    p->n = read_count(file, MAX_SIZE);
    read_numbers(file, p->scalar, read_count(file, SCALARS));
    int64_t vectors = read_count(file, VECTORS);
    for (int64_t k = 0; k < vectors; k++)
        read_numbers(file, p->vector[k], p->n);
    read_numbers(file, p->answer, p->n);
    return true;
}

static void solve_plane(const struct problem *p, struct box_plane_work *work, double *w) {
    struct box_plane plane = {.n = p->n,
                              .q = p->vector[0],
                              .m = p->vector[1],
                              .g = p->vector[2],
                              .low = p->vector[3],
                              .high = p->vector[4],
                              .z = p->scalar[0]};
    box_plane_point(&plane, box_plane_multiplier(&plane, NAN, work), w);
}

static void project_to_simplex(double *w, int64_t n, double total, double *work) {
    memcpy(work, w, sizeof *w * (size_t)n);
    double multiplier = simplex_multiplier(work, n, total);
    for (int64_t i = 0; i < n; i++)
        w[i] = fmax(w[i] - multiplier, 0);
}

static void solve(const struct problem *p, struct box_plane_work *plane, double *w) {
    double work[MAX_SIZE], first = p->scalar[0], second = p->scalar[1];
    memcpy(w, p->vector[0], sizeof *w * MAX_SIZE);
    if (strcmp(p->kind, "plane") == 0)
        solve_plane(p, plane, w);
    else if (strcmp(p->kind, "ball") == 0)
        ball_project(w, p->n, first, second, work);
    else if (strcmp(p->kind, "support") == 0)
        ball_support(p->vector[0], p->n, first, second, w);
    else if (strcmp(p->kind, "simplex") == 0)
        project_to_simplex(w, p->n, first, work);
    else if (strcmp(p->kind, "cap") == 0)
        simplex_cap(w, p->n, first, work);
    else
        fail_msg("kind %s", p->kind);
}

static void cvxopt_finds_the_same(void **state) {
    (void)state;
    struct problem p;
    struct box_plane_work work;
    FILE *file = fopen("tests/references/projection_reference.tsv", "r");
    int rows = 0;
    assert_non_null(file);
    assert_int_equal(box_plane_work_init(&work, MAX_SIZE, NULL), 0);
    assert_int_equal(fscanf(file, "#%*[^\n]"), 0);
    while (read_problem(file, &p)) {
        double w[MAX_SIZE];
        solve(&p, &work, w);
        for (int64_t i = 0; i < p.n; i++)
            assert_near(w[i], p.answer[i], 1e-7);
        rows++;
    }
    fclose(file);
    box_plane_work_free(&work);
    assert_int_equal(rows, 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cvxopt_finds_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
