/* ipm_newton.c - damped Newton for smooth losses.
 *
 *     dw = -H^-1 (lambda w + X'(p l'(u))),   H = X' diag(p l''(u)) X + lambda I,  u = X w
 *
 * with an offset as a last column of X without lambda, and a step along dw by a search for the zero
 * of the slope: J along a line needs the scores u and X dw alone. The bound comes from a_i =
 * l'(u_i).
 *
 * Reference: Keerthi & DeCoste 2005, JMLR 6 (squared hinge); Nocedal & Wright 2006, chapter 3.
 * Iteration: H with the gradient (one pass), n^3/3 for its factor, 2 passes. */
#include "solvers/dual.h"
#include "solvers/interior_point/ipm.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 3, REFRESH_PASSES = 2 }; /* of an iteration, of scores anew */
enum { SEARCHES = 60, PATIENCE = 4, COLUMN_ARRAYS = 3, ROW_ARRAYS = 5 };
static const double flat_slope = 0.1;   /* a slope of so much of the first ends the search */
static const double longest_step = 1e4; /* step, in Newton steps */

struct newton {
    struct batch *batch;
    const struct scalar_parts *parts;
    struct ipm_system system;
    double *w, *dw, *slope;                /* columns */
    double *u, *du, *a, *curvature, *push; /* rows */
    double linear, square;                 /* penalty's slope along dw: linear + step square */
    double objective, gap;
    int64_t since; /* the last progress */
};

struct along {
    double value, slope; /* of J at w + step dw */
};

double ipm_newton_bytes(const struct scalar_parts *parts) {
    return (double)(COLUMN_ARRAYS * parts->design->columns + ROW_ARRAYS * parts->design->rows) *
           sizeof(double);
}

static int newton_init(struct newton *newton, struct batch *batch, struct error *e) {
    const struct problem *problem = batch->problem;
    int64_t n = problem->risk->dimension, m = problem->risk->scalar->design->rows;
    *newton = (struct newton){.batch = batch, .parts = problem->risk->scalar, .gap = INFINITY};
    if (ipm_system_init(&newton->system, batch, e) != 0)
        return -1;
    newton->w = memory_new(COLUMN_ARRAYS * n + ROW_ARRAYS * m, sizeof(double), "scores", e);
    if (newton->w == NULL)
        return -1;
    newton->dw = newton->w + n;
    newton->slope = newton->dw + n;
    newton->u = newton->slope + n;
    newton->du = newton->u + m;
    newton->a = newton->du + m;
    newton->curvature = newton->a + m;
    newton->push = newton->curvature + m;
    return 0;
}

static void newton_free(struct newton *newton) {
    ipm_system_free(&newton->system);
    free(newton->w);
}

/* u <- u + step du; l' and l'' there; returns the sum of c l of a block. */
static double advance_block(struct newton *newton, double step, int block) {
    const struct scalar_parts *parts = newton->parts;
    const struct loss *loss = parts->loss;
    double sum = 0;
    int64_t end = design_block_start(parts->design, block + 1);
    for (int64_t i = design_block_start(parts->design, block); i < end; i++) {
        double c = scalar_weight(parts, i), y = parts->target[i];
        double u = newton->u[i] += step * newton->du[i];
        double value = loss->value(u, y, &parts->parameters, &newton->a[i]);
        sum += c > 0 ? c * value : 0;
        newton->curvature[i] = c > 0 ? c * loss->second(u, y, &parts->parameters) : 0;
        newton->push[i] = c > 0 ? c * newton->a[i] : 0;
    }
    return sum;
}

/* Takes the step; offers w with its J, and the bound of l'(u). */
static void advance(struct newton *newton, double step) {
    struct batch *batch = newton->batch;
    const struct design *design = newton->parts->design;
    double part[DESIGN_BLOCKS_MOST], sum = 0;
    for (int64_t j = 0; j < design->columns; j++)
        newton->w[j] += step * newton->dw[j];
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        part[block] = advance_block(newton, step, block);
    for (int block = 0; block < design->blocks; block++)
        sum += part[block];
    newton->objective =
        problem_penalty(batch->problem, newton->w) + sum / newton->parts->weight_sum;
    batch_offer(batch, newton->w, newton->objective);
    batch_raise(batch, dual_bound(batch->problem, newton->a, newton->slope));
    batch->passes++;
}

static int direction(struct newton *newton) {
    const struct design *design = newton->parts->design;
    double ridge = newton->system.ridge;
    newton->batch->passes += 2;
    if (ipm_system_factor(&newton->system, newton->curvature, newton->push, 0, newton->dw) != 0)
        return -1;
    for (int64_t j = 0; j < design->columns; j++)
        newton->dw[j] = -newton->dw[j] - (j < design->regularized ? ridge * newton->w[j] : 0);
    if (ipm_system_solve(&newton->system, newton->dw) != 0)
        return -1;
    newton->linear = ridge * vector_dot(newton->w, newton->dw, design->regularized);
    newton->square = ridge * vector_dot(newton->dw, newton->dw, design->regularized);
    design_scores(design, newton->dw, newton->du);
    return 0;
}

static struct along along_block(const struct newton *newton, double step, int block) {
    const struct scalar_parts *parts = newton->parts;
    struct along sum = {0};
    int64_t end = design_block_start(parts->design, block + 1);
    for (int64_t i = design_block_start(parts->design, block); i < end; i++) {
        double a, c = scalar_weight(parts, i), u = newton->u[i] + step * newton->du[i];
        if (c == 0)
            continue;
        sum.value += c * parts->loss->value(u, parts->target[i], &parts->parameters, &a);
        sum.slope += c * a * newton->du[i];
    }
    return sum;
}

/* J(w + step dw) and its slope, in units of the weights; J without lambda/2 ||w||^2. */
static struct along along(const struct newton *newton, double step) {
    const struct design *design = newton->parts->design;
    struct along part[DESIGN_BLOCKS_MOST];
    struct along sum = {step * (newton->linear + step / 2 * newton->square),
                        newton->linear + step * newton->square};
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        part[block] = along_block(newton, step, block);
    for (int block = 0; block < design->blocks; block++) {
        sum.value += part[block].value;
        sum.slope += part[block].slope;
    }
    return sum;
}

/* A step that makes the slope small, from 1: by the secant within the bracket, or its middle;
 * doubling while there is no upper end. 0 when J does not fall. */
static double search(const struct newton *newton) {
    struct along first = along(newton, 0), low_end = first, now;
    double low = 0, high = INFINITY, high_slope = 0, step = 1;
    for (int i = 0; i < SEARCHES; i++) {
        now = along(newton, step);
        if (now.value <= first.value && fabs(now.slope) <= flat_slope * fabs(first.slope))
            return step;
        if (now.slope < 0 && now.value <= first.value) {
            low = step;
            low_end = now;
            if (step >= longest_step)
                break;
        } else {
            high = step;
            high_slope = now.slope;
        }
        double secant = low + (high - low) * low_end.slope / (low_end.slope - high_slope);
        double inset = 0.1 * (high - low);
        step = isinf(high)                                     ? 2 * low
               : secant > low + inset && secant < high - inset ? secant
                                                               : low + (high - low) / 2;
    }
    return low;
}

/* True when neither J nor the bound has moved for a while, or both are one but for rounding. */
static bool stalled(struct newton *newton) {
    struct batch *batch = newton->batch;
    double gap = batch->objective - batch->bound;
    if (gap < newton->gap) {
        newton->gap = gap;
        newton->since = batch->iteration;
    }
    return batch->iteration - newton->since >= PATIENCE || ipm_exhausted(batch);
}

/* The scores of w, from w alone, and what depends on them. */
static void refresh(struct newton *newton) {
    design_scores(newton->parts->design, newton->w, newton->u);
    newton->batch->passes++;
    advance(newton, 0);
}

static void run(struct newton *newton) {
    struct batch *batch = newton->batch;
    bool inexact;
    if (batch_affords(batch, REFRESH_PASSES))
        refresh(newton);
    while (!ipm_over(batch, &inexact) &&
           batch_affords(batch, PASSES + (inexact ? REFRESH_PASSES : 0))) {
        if (inexact)
            refresh(newton);
        if (direction(newton) != 0 || stalled(newton))
            batch_stall(batch);
        else
            advance(newton, search(newton));
    }
}

int ipm_newton_train(struct batch *batch, const double *w, struct error *e) {
    struct newton newton;
    int status = newton_init(&newton, batch, e);
    if (status == 0) {
        const struct design *design = newton.parts->design;
        memcpy(newton.w, w, sizeof *w * (size_t)design->columns);
        memset(newton.dw, 0, sizeof *w * (size_t)design->columns);
        memset(newton.du, 0, sizeof *w * (size_t)design->rows);
        run(&newton);
    }
    newton_free(&newton);
    return status;
}
