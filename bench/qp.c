/* qp.c - the speed of math/simplex_qp/simplex_qp.h: microseconds for each solve.
 *
 *     qp                          cutting planes with one block, then with a hundred
 *     qp problems FIRST LAST      prints random problems and their solutions for tests/references/qp_reference.py
 *
 * A run of cutting planes adds planes one by one and solves after each: tangents of a smooth function in
 * n dimensions at the point that the solution gives, over lambda. */
#include "io/clock.h"
#include "math/simplex_qp/simplex_qp.h"
#include "tests/math/simplex_qp/qp_problem.h"

#include <stdio.h>

enum { MAX_PLANES = 1000 };

struct run {
    int n, blocks, planes;
    double lambda, *h, *plane, *f, *cap, *w;
};

static const double *row(void *matrix, int slot, struct error *e) {
    (void)e;
    struct run *run = matrix;
    return run->h + (int64_t)slot * MAX_PLANES;
}

/* Plane t, of block k: a tangent at w of a smoothed sum of absolute values, which differs by block;
 * w = -sum a plane / lambda. */
static void add_plane(struct run *run, int t, int k, struct simplex_qp *qp) {
    double value = 0, at = 0, *plane = run->plane + (int64_t)t * run->n;
    struct random random;
    random_seed(&random, 5, (uint64_t)k);
    for (int i = 0; i < run->n; i++) {
        double scale = random_unit(&random), x = scale * run->w[i] - qp_uniform(&random);
        double root = sqrt(1e-4 + x * x);
        value += root / run->n;
        plane[i] = scale * x / root / run->n;
        at += plane[i] * run->w[i];
    }
    run->f[t] = value - at;
    for (int l = 0; l <= t; l++) {
        double sum = 0;
        for (int i = 0; i < run->n; i++)
            sum += plane[i] * run->plane[(int64_t)l * run->n + i];
        run->h[(int64_t)l * MAX_PLANES + t] = run->h[(int64_t)t * MAX_PLANES + l] =
            sum / run->lambda;
    }
    simplex_qp_add(qp, t, k, 0, NULL);
}

static void find_point(struct run *run, const struct simplex_qp *qp, int t) {
    for (int i = 0; i < run->n; i++)
        run->w[i] = 0;
    for (int l = 0; l < t; l++)
        for (int i = 0; i < run->n && simplex_qp_weight(qp, l) > 0; i++)
            run->w[i] -=
                simplex_qp_weight(qp, l) * run->plane[(int64_t)l * run->n + i] / run->lambda;
}

static int positive_weights(const struct simplex_qp *qp, int planes) {
    int count = 0;
    for (int l = 0; l < planes; l++)
        count += simplex_qp_weight(qp, l) > 0;
    return count;
}

static void measure(int n, int blocks, int planes, double lambda, double tolerance) {
    struct run run = {n, blocks, planes, lambda, NULL, NULL, NULL, NULL, NULL};
    struct simplex_qp_settings settings = {.blocks = blocks, .row = row, .matrix = &run};
    struct simplex_qp *qp = simplex_qp_new(&settings, NULL);
    struct simplex_qp_result result = {0, 0, 0, false};
    double sum = 0, slowest = 0;
    int solves = 0, changes = 0, missed = 0;
    run.h = calloc((size_t)MAX_PLANES * MAX_PLANES, sizeof(double));
    run.plane = calloc((size_t)MAX_PLANES * (size_t)n, sizeof(double));
    run.f = calloc(MAX_PLANES, sizeof(double));
    run.cap = calloc((size_t)blocks, sizeof(double));
    run.w = calloc((size_t)n, sizeof(double));
    for (int k = 0; k < blocks; k++)
        run.cap[k] = 1.0 / blocks;
    for (int t = 0; t < planes; solves++) {
        for (int k = 0; k < blocks; k++)
            add_plane(&run, t++, k, qp);
        double start = clock_seconds();
        simplex_qp_solve(qp, run.f, run.cap, tolerance, &result, NULL);
        double time = clock_seconds() - start;
        sum += time;
        slowest = fmax(slowest, time);
        changes += result.changes;
        missed += !result.reached;
        find_point(&run, qp, t);
    }
    printf("%6d %6d %6d %8.0e %8.0e %8d %8.1f %10.1f %10.1f %7d\n", n, blocks, planes, lambda,
           tolerance, positive_weights(qp, planes), (double)changes / solves, 1e6 * sum / solves,
           1e6 * slowest, missed);
    simplex_qp_free(qp);
    free(run.h);
    free(run.plane);
    free(run.f);
    free(run.cap);
    free(run.w);
}

static void print_problem(const struct qp_problem *p, double objective, double gap) {
    printf("%d %d %d %d %a %a\n", p->slots, p->blocks, p->equal, p->offset, objective, gap);
    for (int k = 0; k < p->blocks; k++)
        printf("%a ", p->cap[k]);
    printf("\n");
    for (int j = 0; j < p->slots; j++) {
        printf("%d %a %a", p->block[j], p->f[j], p->o[j]);
        for (int l = 0; l < p->slots; l++)
            printf(" %a", p->h[j][l]);
        printf("\n");
    }
}

static int print_problems(int first, int last) {
    static struct qp_problem p;
    for (int seed = first; seed < last; seed++) {
        struct random random;
        struct simplex_qp_result result;
        random_seed(&random, (uint64_t)seed, QP_REFERENCE_STREAM);
        qp_random_problem(&random, &p, QP_REFERENCE_MAX_SLOTS);
        struct simplex_qp *qp = qp_problem_program(&p, NULL);
        if (qp == NULL || simplex_qp_solve(qp, p.f, p.cap, 1e-12, &result, NULL) != 0)
            return 1;
        print_problem(&p, result.objective, result.gap);
        simplex_qp_free(qp);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "problems") == 0)
        return print_problems(atoi(argv[2]), atoi(argv[3]));
    printf(
        "     n blocks planes   lambda      tol  support  changes    mean us     max us  missed\n");
    measure(100, 1, 500, 1e-2, 1e-6);
    measure(100, 1, 500, 1e-2, 1e-12);
    measure(100, 1, 500, 1e-5, 1e-6);
    measure(100, 1, 500, 1e-5, 1e-12);
    measure(20, 1, 500, 1e-9, 1e-12);
    measure(100, 100, 1000, 1e-2, 1e-6);
    measure(100, 100, 1000, 1e-2, 1e-12);
    measure(100, 100, 1000, 1e-4, 1e-12);
    return 0;
}
