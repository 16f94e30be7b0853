/* averages.c - running averages of a method's points, and the best combination of these with the last point. */
#include "solvers/online/averages.h"

#include "io/memory.h"
#include "math/matrices/cholesky.h"
#include "math/vector.h"
#include "solvers/online/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = AVERAGES_POINTS, LEVELS = 7, MAX_STEPS = 5, MAX_HALVINGS = 20 };

static const double rate[N] = {1, 0.4, 0.15, 0.06, 0.025}; /* of w itself and of the averages */
static const double levels[LEVELS] = {0.3,   0.1,   0.03,  0.01,
                                      0.003, 0.001, 0.0003}; /* of smoothing */
/* Of an example's second derivative, over that of a smoothed kink: steps stay short where few examples are near one. */
static const double least_second = 1e-6;
static const double least_gain = 1e-3;
static const double least_decrease = 1e-5; /* of J in a Newton step; smaller ones end the level */

/* ---- J of c */

static double score_of(const double *score, const double *c) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += score[i] * c[i];
    return sum;
}

/* lambda/2 ||.||^2; its gradient. */
static double penalty(const struct averages *a, const double *c, double *gradient) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        gradient[i] = vector_dot(a->gram + (ptrdiff_t)i * N, c, N);
        sum += c[i] * gradient[i] / 2;
    }
    return sum;
}

static double loss_weight(const struct averages *a, int64_t k) {
    const struct scalar_terms *terms = a->problem->risk->scalar;
    return a->count < terms->design->rows ? 1 / (double)a->count
                                          : scalar_weight(terms, a->row[k]) / terms->weight_sum;
}

/* Of the examples that decide; MU > 0: of the smoothed losses. */
static double objective_of(const struct averages *a, const double *c, double mu) {
    const struct scalar_terms *terms = a->problem->risk->scalar;
    double slope, gradient[N], sum = penalty(a, c, gradient);
    for (int64_t k = 0; k < a->count; k++) {
        double u = score_of(a->score + k * N, c), y = scalar_target(terms, a->row[k]);
        double loss = mu > 0 ? terms->loss->smooth(u, y, mu, &terms->parameters, &slope)
                             : terms->loss->value(u, y, &terms->parameters, &slope);
        sum += loss_weight(a, k) * loss;
    }
    return sum;
}

/* The gradient, and the second derivatives by differences of slopes over WIDTH; returns J. */
static double expand(const struct averages *a, const double *c, double mu, double width,
                     double *gradient, double *hessian) {
    const struct scalar_terms *terms = a->problem->risk->scalar;
    double sum = penalty(a, c, gradient);
    memcpy(hessian, a->gram, sizeof a->gram);
    for (int64_t k = 0; k < a->count; k++) {
        const double *s = a->score + k * N;
        double u = score_of(s, c), y = scalar_target(terms, a->row[k]), p = loss_weight(a, k),
               slope, next;
        sum += p * terms->loss->smooth(u, y, mu, &terms->parameters, &slope);
        terms->loss->smooth(u + width, y, mu, &terms->parameters, &next);
        double second = p * fmax((next - slope) / width, least_second / mu);
        for (int i = 0; i < N; i++) {
            gradient[i] += p * slope * s[i];
            for (int j = 0; j <= i; j++)
                hessian[i * N + j] += second * s[i] * s[j];
        }
    }
    return sum;
}

/* The step to the minimum of the expansion, in `step`; false if there is none. */
static bool newton_step(const struct averages *a, double *hessian, const double *gradient,
                        double *step) {
    double diagonal[N];
    for (int i = 0; i < N; i++)
        step[i] = -gradient[i];
    if (cholesky_factor(hessian, diagonal, N, a->work, NULL) != 0)
        return false;
    cholesky_solve(hessian, diagonal, step, a->work, N);
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += step[i];
    return isfinite(sum);
}

/* One step on the smoothed J; false if it hardly falls. */
static bool descend(const struct averages *a, double *c, double mu, double width) {
    double gradient[N], hessian[N * N], step[N], next[N];
    double objective = expand(a, c, mu, width, gradient, hessian);
    if (!newton_step(a, hessian, gradient, step))
        return false;
    for (int h = 0; h < MAX_HALVINGS; h++) {
        for (int i = 0; i < N; i++)
            next[i] = c[i] + ldexp(step[i], -h);
        double decrease = objective - objective_of(a, next, mu);
        if (decrease > 0) {
            memcpy(c, next, sizeof next);
            return decrease > least_decrease * objective;
        }
    }
    return false;
}

/* c at the least J, from (1, 0, ...); by which part J fell. */
static double minimize(const struct averages *a, double *best) {
    double c[N] = {1};
    memcpy(best, c, sizeof c);
    double start = objective_of(a, c, 0), least = start;
    for (int l = 0; l < LEVELS; l++) {
        double mu = levels[l] * a->size / a->slope, width = levels[l] * a->size / 4;
        for (int i = 0; i < MAX_STEPS && descend(a, c, mu, width); i++)
            ;
        double objective = objective_of(a, c, 0);
        if (objective < least) {
            least = objective;
            memcpy(best, c, sizeof c);
        }
    }
    return start > 0 ? 1 - least / start : 0;
}

/* ---- the points */

void averages_add(struct averages *a, const double *w) {
    int64_t n = a->problem->risk->dimension;
    for (int64_t j = 0; j < n; j++)
        for (int i = 1; i < N; i++)
            a->point[i][j] += rate[i] * (w[j] - a->point[i][j]);
}

static void set_products(struct averages *a) {
    const struct risk *risk = a->problem->risk;
    const struct design *design = risk->scalar->design;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a->gram[i * N + j] =
                a->problem->lambda * vector_dot(a->point[i], a->point[j], risk->regularized);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t k = 0; k < a->count; k++)
        for (int i = 0; i < N; i++)
            a->score[k * N + i] = design_score_of(design, a->point[i], 1, a->row[k],
                                                  dataset_values(design->data, a->row[k]));
}

double averages_combine(struct averages *a, double *w) {
    int64_t n = a->problem->risk->dimension;
    double c[N];
    memcpy(a->point[0], w, sizeof *w * (size_t)n);
    set_products(a);
    double gain = minimize(a, c);
    if (!(gain > least_gain))
        return 0;
    vector_scale(w, c[0], n);
    for (int i = 1; i < N; i++)
        vector_add(w, c[i], a->point[i], n);
    return gain;
}

/* ---- begin and end */

/* One of each of `count` equal parts of the rows; of more rows with weights, of their weight. */
static void draw_rows(struct averages *a, int64_t rows, struct random *random) {
    const struct scalar_terms *terms = a->problem->risk->scalar;
    bool by_weight = terms->weight != NULL && a->count < rows;
    double share = terms->weight_sum / (double)a->count, before = 0; /* the weight before row i */
    for (int64_t k = 0, i = 0; k < a->count; k++) {
        double u = random_unit(random);
        if (by_weight) {
            for (; i < rows - 1 && before + terms->weight[i] <= ((double)k + u) * share; i++)
                before += terms->weight[i];
            a->row[k] = i;
        } else {
            int64_t from = (int64_t)((double)k * (double)rows / (double)a->count);
            int64_t to = (int64_t)((double)(k + 1) * (double)rows / (double)a->count);
            a->row[k] = from + (int64_t)(u * (double)(to - from));
        }
    }
}

int averages_init(struct averages *a, const struct problem *problem, int64_t count,
                  struct random *random, struct error *e) {
    const struct scalar_terms *terms = problem->risk->scalar;
    int64_t n = problem->risk->dimension, rows = terms->design->rows;
    *a = (struct averages){.problem = problem,
                           .count = rows < count ? rows : count,
                           .size = metric_target_size(terms),
                           .slope = metric_slope_size(terms)};
    a->point[0] = memory_zeroed(N * n, sizeof(double), "averages of points", e);
    a->row = memory_new(a->count, sizeof *a->row, "the examples of averages", e);
    a->work = memory_new(cholesky_work_size(N), sizeof(double), "a Newton step", e);
    a->score = memory_new(N * a->count, sizeof(double), "the scores of averages", e);
    if (a->point[0] == NULL || a->row == NULL || a->work == NULL || a->score == NULL)
        return -1;
    for (int i = 1; i < N; i++)
        a->point[i] = a->point[i - 1] + n;
    draw_rows(a, rows, random);
    return 0;
}

void averages_free(struct averages *a) {
    free(a->point[0]);
    free(a->row);
    free(a->work);
    free(a->score);
}

void averages_visit(struct averages *a, struct state *list) {
    for (int i = 1; i < N; i++)
        state_doubles(list, a->point[i], a->problem->risk->dimension);
}
