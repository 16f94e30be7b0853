/* proximal_gradient.h - proximal gradient descent with momentum, for optima of small smooth problems. */
#ifndef RRM_PROXIMAL_GRADIENT_H
#define RRM_PROXIMAL_GRADIENT_H

#include "solvers/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The weighted mean of ||x||^2, which the largest eigenvalue of the mean of x x' does not exceed. */
static inline double mean_square(const struct scalar_terms *terms) {
    double sum = 0, *x = malloc(sizeof *x * (size_t)terms->design->columns);
    for (int64_t i = 0; i < terms->design->rows; i++) {
        for (int64_t j = 0; j < terms->design->columns; j++)
            x[j] = 0;
        design_add(terms->design, x, 1, i);
        sum += scalar_weight(terms, i) * vector_dot(x, x, terms->design->columns);
    }
    free(x);
    return sum / terms->weight_sum;
}

/* Steps from w until w does not change, or `max_steps` of them, for a risk with a curvature and a regularizer of
 * 1-norm and squares: v_j <- soft(w_j - h g_j, h l1)/(1 + h l2), and on to w = v + momentum (v - the v before) unless
 * that points uphill. */
static inline void proximal_gradient(const struct problem *problem, int max_steps, double *w) {
    const struct risk *risk = problem->risk;
    size_t size = sizeof *w * (size_t)risk->dimension;
    struct penalty penalty = problem->regularizer->penalty(problem->lambda, &problem->parameters);
    double h = 1 / (risk->scalar->loss->curvature * mean_square(risk->scalar)), moved = 1, age = 0;
    double *gradient = malloc(size), *v = malloc(size), *next = malloc(size);
    memcpy(v, w, size);
    for (int step = 0; step < max_steps && moved > 1e-15; step++) {
        double uphill = 0;
        moved = 0;
        risk_evaluate(risk, w, 0, gradient);
        for (int64_t j = 0; j < risk->dimension; j++) {
            next[j] = w[j] - h * gradient[j];
            if (j < risk->regularized)
                next[j] = soft(next[j], h * penalty.l1) / (1 + h * penalty.l2);
            moved = fmax(moved, fabs(next[j] - w[j]) / (1 + fabs(w[j])));
            uphill += (w[j] - next[j]) * (next[j] - v[j]);
        }
        age = uphill > 0 ? 0 : age + 1;
        for (int64_t j = 0; j < risk->dimension; j++) {
            w[j] = next[j] + age / (age + 3) * (next[j] - v[j]);
            v[j] = next[j];
        }
    }
    memcpy(w, v, size);
    free(gradient);
    free(v);
    free(next);
}

#endif
