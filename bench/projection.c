/* projection.c - the speed of the projections of math/ on one thread: seconds, and nanoseconds for each element. The
 * data are random numbers, then random numbers of four values, so that many kinks coincide. */
#include "io/clock.h"
#include "math/projections/ball.h"
#include "math/projections/box_plane.h"
#include "math/projections/simplex.h"
#include "math/random/random.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 10000000, ARRAYS = 8 };

struct problem {
    int64_t n;
    double *v, *w, *work; /* the numbers, their projection, scratch memory */
    double *q, *g, *low, *high;
    double guess;
    struct box_plane_work plane;
};

static void fill(struct problem *p, int64_t n, bool few) {
    struct random random;
    random_seed(&random, 1, (uint64_t)n);
    p->n = n;
    for (int64_t i = 0; i < n; i++) {
        double x = few ? (double)random_below(&random, 4) : 4 * random_unit(&random);
        p->v[i] = x - 1;
        p->q[i] = few ? 1 : 0.5 + random_unit(&random);
        p->g[i] = random_unit(&random) < 0.4 ? -1 : 1;
        p->low[i] = 0;
        p->high[i] = few ? 1 : 0.5 + random_unit(&random);
    }
}

static struct box_plane plane_of(const struct problem *p) {
    return (struct box_plane){.n = p->n,
                              .q = p->q,
                              .m = p->v,
                              .g = p->g,
                              .low = p->low,
                              .high = p->high,
                              .z = 0.05 * (double)p->n};
}

static void plane_alone(struct problem *p) {
    struct box_plane plane = plane_of(p);
    p->guess = box_plane_multiplier(&plane, NAN, &p->plane);
    box_plane_point(&plane, p->guess, p->w);
}

static void plane_guessed(struct problem *p) {
    struct box_plane plane = plane_of(p);
    double multiplier = box_plane_multiplier(&plane, p->guess * (1 + 1e-6), &p->plane);
    box_plane_point(&plane, multiplier, p->w);
}

static void offset_alone(struct problem *p) {
    struct box_plane plane = {.n = p->n, .m = p->v, .g = p->g, .high_all = 1};
    p->guess = box_plane_multiplier(&plane, NAN, &p->plane);
    box_plane_point(&plane, p->guess, p->w);
}

static void ball_norm(struct problem *p) {
    ball_project(p->w, p->n, 0, 0.01 * (double)p->n, p->work);
}

static void ball_net(struct problem *p) {
    ball_project(p->w, p->n, 2, 0.01 * (double)p->n, p->work);
}

static void support_net(struct problem *p) {
    ball_support(p->v, p->n, 2, 0.01 * (double)p->n, p->w);
}

static void simplex_alone(struct problem *p) {
    simplex_multiplier(p->w, p->n, 1);
}

static void simplex_large(struct problem *p) {
    simplex_multiplier(p->w, p->n, 0.1 * (double)p->n);
}

static void cap_none(struct problem *p) {
    simplex_cap(p->w, p->n, 1, p->work);
}

static void cap_some(struct problem *p) {
    simplex_cap(p->w, p->n, 3 / (double)p->n, p->work);
}

static const struct {
    const char *name;
    void (*run)(struct problem *);
} projections[] = {{"box and plane", plane_alone},
                   {"  with a guess", plane_guessed},
                   {"  box 0..1, no q", offset_alone},
                   {"1-norm ball", ball_norm},
                   {"elastic-net ball", ball_net},
                   {"  support", support_net},
                   {"simplex, total 1", simplex_alone},
                   {"  total n/10", simplex_large},
                   {"entropic", cap_none},
                   {"  capped", cap_some}};

/* Seconds of the fastest of several runs. */
static double measure(struct problem *p, void (*run)(struct problem *)) {
    double smallest = INFINITY;
    for (int64_t t = 0; t < 3 || (double)t < 1e6 / (double)p->n; t++) {
        memcpy(p->w, p->v, sizeof *p->w * (size_t)p->n);
        double start = clock_seconds();
        run(p);
        smallest = fmin(smallest, clock_seconds() - start);
    }
    return smallest;
}

int main(void) {
    static struct problem p;
    double **array[] = {&p.v, &p.w, &p.work, &p.q, &p.g, &p.low, &p.high};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        if ((*array[k] = malloc(sizeof(double) * MAX_LENGTH)) == NULL)
            return 1;
    if (box_plane_work_init(&p.plane, MAX_LENGTH, NULL) != 0)
        return 1;
    omp_set_num_threads(1);
    for (int few = 0; few < 2; few++) {
        printf("%-18s seconds", few ? "four numbers" : "random numbers");
        printf("%43s\n%-18s", "ns an element", "n");
        for (int columns = 0; columns < 2; columns++)
            for (int64_t n = 10000; n <= MAX_LENGTH; n *= 10)
                printf(" %9.0e", (double)n);
        for (size_t k = 0; k < sizeof projections / sizeof *projections; k++) {
            double seconds[8];
            int sizes = 0;
            printf("\n%-18s", projections[k].name);
            for (int64_t n = 10000; n <= MAX_LENGTH; n *= 10) {
                fill(&p, n, few);
                if (projections[k].run == plane_guessed)
                    plane_alone(&p);
                seconds[sizes++] = measure(&p, projections[k].run);
                printf(" %9.6f", seconds[sizes - 1]);
            }
            sizes = 0;
            for (int64_t n = 10000; n <= MAX_LENGTH; n *= 10)
                printf(" %9.2f", 1e9 * seconds[sizes++] / (double)n);
        }
        printf("\n\n");
    }
    return 0;
}
