/* risk_checks.h - properties of every risk, checked at random points within a radius. Include after cmocka.h. */
#ifndef RRM_RISK_CHECKS_H
#define RRM_RISK_CHECKS_H

#include "math/random/random.h"
#include "math/vector.h"
#include "risk/risk.h"
#include "tests/near.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { RISK_CHECK_POINTS = 12, RISK_CHECK_MORE = 8 };

struct risk_work {
    const struct risk *risk;
    struct random random;
    double radius;
    double *w, *v, *g, *h;
};

static void risk_work_init(struct risk_work *work, const struct risk *risk, double radius,
                           uint64_t seed) {
    int64_t n = risk->dimension;
    *work = (struct risk_work){.risk = risk, .radius = radius};
    random_seed(&work->random, seed, 77);
    work->w = calloc((size_t)(4 * n), sizeof(double));
    assert_non_null(work->w);
    work->v = work->w + n;
    work->g = work->v + n;
    work->h = work->g + n;
}

/* Coordinates in [-1, 1], a third of them 0, times a random part of the radius over sqrt n. */
static void risk_random_point(struct risk_work *work, double *w) {
    int64_t n = work->risk->dimension;
    double scale = work->radius * random_unit(&work->random) / sqrt((double)n);
    for (int64_t j = 0; j < n; j++)
        w[j] =
            random_below(&work->random, 3) == 0 ? 0 : scale * (2 * random_unit(&work->random) - 1);
}

/* R(v) >= t + <g,v>, with t and g those of R_mu at w, first at 0; t >= R_mu(w) - <g,w>; the value alone is the
 * same. */
static void check_risk_planes(struct risk_work *work, double mu) {
    const struct risk *risk = work->risk;
    int64_t n = risk->dimension;
    for (int k = 0; k < RISK_CHECK_POINTS; k++) {
        double t, value;
        risk_random_point(work, work->w);
        for (int64_t j = 0; j < n && k == 0; j++)
            work->w[j] = 0;
        value = risk_linearize(risk, work->w, mu, work->g, &t);
        double size = 1 + fabs(value) + fabs(t);
        assert_near(value, risk_evaluate(risk, work->w, mu, NULL), 1e-12 * size);
        assert_true(t + vector_dot(work->g, work->w, n) >= value - 1e-10 * size);
        for (int l = 0; l < RISK_CHECK_MORE; l++) {
            risk_random_point(work, work->v);
            double other = risk_evaluate(risk, work->v, 0, NULL);
            double plane = t + vector_dot(work->g, work->v, n);
            assert_true(other >= plane - 1e-10 * (size + fabs(other)));
        }
    }
}

/* The gradient, where R_mu has one, along random directions. */
static void check_risk_gradient(struct risk_work *work, double mu) {
    const struct risk *risk = work->risk;
    int64_t n = risk->dimension;
    const double h = 1e-5 * (mu > 0 && risk->smoothing > 0 ? fmin(1, mu) : 1);
    for (int k = 0; k < RISK_CHECK_POINTS; k++) {
        risk_random_point(work, work->w);
        risk_random_point(work, work->v);
        double length = sqrt(vector_dot(work->v, work->v, n));
        if (length == 0)
            continue;
        risk_evaluate(risk, work->w, mu, work->g);
        double slope = vector_dot(work->g, work->v, n) / length;
        for (int64_t j = 0; j < n; j++)
            work->h[j] = work->w[j] + h * work->v[j] / length;
        double up = risk_evaluate(risk, work->h, mu, NULL);
        for (int64_t j = 0; j < n; j++)
            work->h[j] = work->w[j] - h * work->v[j] / length;
        double down = risk_evaluate(risk, work->h, mu, NULL);
        double steep = sqrt(vector_dot(work->g, work->g, n));
        assert_near(slope, (up - down) / (2 * h), 1e-5 * (1 + steep));
    }
}

/* R - mu D <= R_mu <= R */
static void check_risk_smoothing(struct risk_work *work, double mu) {
    const struct risk *risk = work->risk;
    for (int k = 0; k < RISK_CHECK_POINTS; k++) {
        risk_random_point(work, work->w);
        double sharp = risk_evaluate(risk, work->w, 0, NULL);
        double smooth = risk_evaluate(risk, work->w, mu, NULL);
        double slack = 1e-11 * (1 + fabs(sharp) + mu * risk->smoothing);
        assert_true(smooth <= sharp + slack);
        assert_true(smooth >= sharp - mu * risk->smoothing - slack);
    }
}

/* x += c part. */
static void add_risk_part(const struct scaled_row *row, double c, double *x) {
    for (int64_t k = 0; k < row->count; k++)
        for (int32_t o = 0; o < row->width; o++) {
            int64_t column = row->column == NULL ? k : row->column[k];
            double value = row->value == NULL ? 1 : row->value[k * row->width + o];
            x[row->offset + row->stride * column + o] += c * row->coefficient * value;
        }
}

/* The items' weighted mean is the batch, their lengths are as told and within the bounds, and so is the
 * norm_bound. */
static void check_risk_items(struct risk_work *work) {
    const struct risk *risk = work->risk;
    int64_t n = risk->dimension;
    struct risk_item *item = risk_items_new(risk, 2, NULL);
    double constant, slope, worst = risk->kind->norm_bound(risk);
    assert_non_null(item);
    risk->kind->lipschitz(risk, &constant, &slope);
    for (int k = 0; k < RISK_CHECK_POINTS; k++) {
        double loss = 0, weights = 0, norm_bound = 0;
        risk_random_point(work, work->w);
        double norm = sqrt(vector_dot(work->w, work->w, n));
        double value = risk_evaluate(risk, work->w, 0, work->g);
        memset(work->h, 0, sizeof(double) * (size_t)n);
        for (int64_t j = 0; j < n; j++)
            work->v[j] = j < risk->regularized ? work->w[j] / 2 : work->w[j];
        double *single = calloc((size_t)n, sizeof *single);
        assert_non_null(single);
        for (int64_t i = 0; i < risk->items; i++) {
            struct risk_item *one = &item[i % 2];
            double c = risk->item_weight == NULL ? 1 : risk->item_weight[i];
            memset(single, 0, sizeof(double) * (size_t)n);
            risk->kind->prefetch(risk, i, i % 2);
            risk->kind->item(risk, i, work->v, 2, one);
            for (int p = 0; p < one->rows; p++) {
                add_risk_part(&one->row[p], 1, single);
                add_risk_part(&one->row[p], c, work->h);
            }
            double square = vector_dot(single, single, n);
            assert_near(square, risk_item_square(one), 1e-11 * (1 + square));
            if (c > 0)
                assert_true(sqrt(square) <= (constant + slope * norm) * (1 + 1e-12) + 1e-12);
            loss += c * one->loss;
            weights += c;
            norm_bound -= c * vector_dot(work->w, single, n);
        }
        free(single);
        assert_near(loss / weights, value, 1e-11 * (1 + fabs(value)));
        assert_true(norm_bound / weights <= worst + 1e-10 * (1 + worst));
        for (int64_t j = 0; j < n; j++)
            assert_near(work->h[j] / weights, work->g[j], 1e-11 * (1 + fabs(work->g[j])));
    }
    free(item);
}

static void check_risk_threads(struct risk_work *work, double mu) {
    const struct risk *risk = work->risk;
    size_t bytes = sizeof(double) * (size_t)risk->dimension;
    int before = omp_get_max_threads();
    risk_random_point(work, work->w);
    omp_set_num_threads(1);
    double value = risk_evaluate(risk, work->w, mu, work->g);
    for (int threads = 2; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        double other = risk_evaluate(risk, work->w, mu, work->h);
        assert_memory_equal(&other, &value, sizeof value);
        assert_memory_equal(work->h, work->g, bytes);
    }
    omp_set_num_threads(before);
}

/* All of it. RADIUS: of the points; it should be such that scores are of the size of the losses, and be
 * tried larger too. MU: a smoothing that is felt there; not looked at where there is none. */
static inline void check_risk(const struct risk *risk, double radius, double mu, uint64_t seed) {
    struct risk_work work;
    risk_work_init(&work, risk, radius, seed);
    check_risk_planes(&work, 0);
    check_risk_threads(&work, 0);
    if (risk->items > 0)
        check_risk_items(&work);
    if (risk->smoothing == 0)
        check_risk_gradient(&work, 0);
    else if (isfinite(risk->smoothing)) {
        assert_int_equal(risk_smooth(risk, NULL), 0);
        for (int k = 0; k < 3; k++, mu /= 8) {
            check_risk_planes(&work, mu);
            check_risk_gradient(&work, mu);
            check_risk_smoothing(&work, mu);
            check_risk_threads(&work, mu);
        }
    }
    free(work.w);
}

/* The inequalities of smoothing for a mu near the rounding of the values. */
static inline void check_least_smoothing(const struct risk *risk, double radius, uint64_t seed) {
    struct risk_work work;
    risk_work_init(&work, risk, radius, seed);
    assert_int_equal(risk_smooth(risk, NULL), 0);
    for (double mu = 1e-6; mu > 1e-15; mu /= 1000) {
        check_risk_planes(&work, mu);
        check_risk_smoothing(&work, mu);
    }
    free(work.w);
}

#endif
