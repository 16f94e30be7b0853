/* lps_reduced.c - the reduced problem of lps: its copy of the columns, what it computes of a point, and
 * first-order steps. Reference: see lps.c. */
#include "solvers/lps/lps_reduced.h"

#include "io/memory.h"
#include "math/vector.h"
#include "risk/scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEP_PASSES = 3
}; /* over the subset: a product with H (2), and the scores of the step (1) */
enum { COLUMN_ARRAYS = 7, ROW_ARRAYS = 4, MAX_TRIES = 60 };

static const double sufficient_decrease =
    0.3; /* a first-order step must lower J by this times mu ||d||^2 */
/* The least l'' in the metric of first-order steps, as a part of its upper bound. */
static const double min_curvature = 1e-8;
static const double min_mu = 1e-10;
static const double damping_first = 1e-3; /* the first damping of Newton steps */

/* The rows of a sample of so many of WHOLE rows that are among M of them; 0: all are. */
static int64_t sample_share(int64_t sample, int64_t m, int64_t whole) {
    return sample < whole ? (int64_t)ceil((double)sample * (double)m / (double)whole) : 0;
}

int lps_reduced_init(struct lps_reduced *reduced, const struct problem *problem,
                     int64_t hessian_sample, const struct run_settings *run,
                     const struct monitor *monitor, struct error *e) {
    const struct scalar_terms *terms = problem->risk->scalar;
    int64_t m = terms->design->rows, whole = dataset_whole_rows(terms->design->data);
    *reduced = (struct lps_reduced){.problem = problem,
                                    .terms = terms,
                                    .monitor = monitor,
                                    .penalty = problem_penalty_parts(problem),
                                    .mu = 1,
                                    .max_passes = INFINITY,
                                    .damping = damping_first,
                                    .hessian_sample = sample_share(hessian_sample, m, whole)};
    random_seed(&reduced->random, run->seed, run->stream);
    reduced->du = memory_new(ROW_ARRAYS * m, sizeof(double), "scores", e);
    if (reduced->du == NULL || column_subset_init(&reduced->subset, terms->design, e) != 0)
        return -1;
    reduced->d = reduced->du + m;
    reduced->image = reduced->d + m;
    reduced->cut_curvature = reduced->image + m;
    if (reduced->hessian_sample == 0)
        return 0;
    reduced->row = memory_new(m, sizeof *reduced->row, "a sample of rows", e);
    for (int64_t i = 0; reduced->row != NULL && i < m; i++)
        reduced->row[i] = i;
    return reduced->row == NULL ? -1 : 0;
}

void lps_reduced_free(struct lps_reduced *reduced) {
    column_subset_free(&reduced->subset);
    gram_free(&reduced->gram);
    box_qp_free(&reduced->qp);
    free(reduced->row);
    free(reduced->du);
    free(reduced->w);
    *reduced = (struct lps_reduced){0};
}

void lps_reduced_visit(struct lps_reduced *r, struct state *state) {
    int64_t m = r->terms->design->rows;
    random_visit(&r->random, state);
    if (r->row != NULL)
        state_integers(state, r->row, m, 0, m - 1);
    r->was_slow = state_flag(state, r->was_slow);
    r->by_products = state_flag(state, r->by_products);
    r->was_cut = state_flag(state, r->was_cut);
    if (r->was_cut)
        state_doubles(state, r->cut_curvature, m);
    STATE_REALS(state, &r->mu, &r->damping);
}

/* ---- the subset */

static int reserve_columns(struct lps_reduced *r, struct error *e) {
    int64_t n = r->subset.count;
    if (r->w != NULL && n <= r->capacity)
        return 0;
    free(r->w);
    r->capacity = n + n / 2;
    r->w = memory_new(COLUMN_ARRAYS * r->capacity, sizeof(double), "the reduced problem", e);
    if (r->w == NULL)
        return -1;
    r->gradient = r->w + r->capacity;
    r->slope = r->gradient + r->capacity;
    r->low = r->slope + r->capacity;
    r->high = r->low + r->capacity;
    r->diagonal = r->high + r->capacity;
    r->step = r->diagonal + r->capacity;
    return 0;
}

int lps_reduced_choose(struct lps_reduced *r, const struct lps_point *point, const int64_t *column,
                       int64_t count, struct error *e) {
    gram_free(&r->gram);
    if (column_subset_build(&r->subset, column, count, e) != 0 || reserve_columns(r, e) != 0)
        return -1;
    r->passes += 1;
    for (int64_t k = 0; k < count; k++)
        r->w[k] = point->w[r->subset.column[k]];
    return 0;
}

bool lps_reduced_is_offset(const struct lps_reduced *r, int64_t k) {
    return k >= r->subset.design.regularized;
}

/* ---- what the steps need */

/* The penalty at w + step r->step. */
static double penalty_along(const struct lps_reduced *r, double step) {
    double sum = 0, squares = 0;
    for (int64_t k = 0; k < r->subset.design.regularized; k++) {
        double w = r->w[k] + step * r->step[k];
        sum += fabs(w);
        squares += w * w;
    }
    return r->penalty.l1 * sum + (r->penalty.l2 > 0 ? r->penalty.l2 / 2 * squares : 0);
}

double lps_reduced_objective(struct lps_reduced *r, struct lps_point *point, double step) {
    return scores_risk(r->terms, point->u, r->du, step, point->derivative) + penalty_along(r, step);
}

void lps_reduced_restore(struct lps_reduced *r, struct lps_point *point) {
    scores_risk(r->terms, point->u, NULL, 0, point->derivative);
}

/* Without a change of w the scores must not change either: they would belong to no point. */
bool lps_reduced_move(struct lps_reduced *r, struct lps_point *point, double step,
                      double objective) {
    bool moved = false;
    for (int64_t k = 0; k < r->subset.count; k++) {
        double to = r->w[k] + step * r->step[k];
        moved = moved || to != r->w[k];
        point->w[r->subset.column[k]] = r->w[k] = to;
    }
    if (!moved) {
        lps_reduced_restore(r, point);
        return false;
    }
    scores_move(r->terms, point->u, step, r->du);
    point->objective = objective;
    return true;
}

void lps_reduced_gradient(struct lps_reduced *r, const struct lps_point *point) {
    design_combine(&r->subset.design, point->derivative, r->gradient);
    vector_scale(r->gradient, 1 / r->terms->weight_sum, r->subset.count);
    r->passes += column_subset_share(&r->subset);
}

void lps_reduced_scores(struct lps_reduced *r) {
    design_scores(&r->subset.design, r->step, r->du);
    r->passes += column_subset_share(&r->subset);
}

bool lps_reduced_affords(const struct lps_reduced *r, double passes) {
    return r->passes + passes * column_subset_share(&r->subset) <= r->max_passes;
}

bool lps_reduced_is_over(void *opaque) {
    const struct lps_reduced *r = opaque;
    return !lps_reduced_affords(r, STEP_PASSES) || monitor_poll(r->monitor) != VERDICT_GO_ON;
}

void lps_reduced_finish_diagonal(struct lps_reduced *r) {
    for (int64_t k = 0; k < r->subset.count; k++) {
        r->diagonal[k] += lps_reduced_is_offset(r, k) ? 0 : r->penalty.l2;
        if (!(r->diagonal[k] > 0))
            r->diagonal[k] = 1;
    }
}

void lps_reduced_diagonal(struct lps_reduced *r) {
    design_combine_squares(&r->subset.design, r->d, r->diagonal);
    lps_reduced_finish_diagonal(r);
    r->passes += column_subset_share(&r->subset);
}

/* ---- the first-order step */

/* Writes the first-order step d for the present mu; returns its squared length in the metric. */
static double proximal_step(struct lps_reduced *r) {
    double sum = 0;
    for (int64_t k = 0; k < r->subset.count; k++) {
        double mu = r->mu * r->diagonal[k], to = r->w[k] - r->gradient[k] / mu;
        if (!lps_reduced_is_offset(r, k))
            to = soft(to, r->penalty.l1 / mu) / (1 + r->penalty.l2 / mu);
        r->step[k] = to - r->w[k];
        sum += r->diagonal[k] * r->step[k] * r->step[k];
    }
    return sum;
}

/* The metric: the Hessian's diagonal, with each l'' raised to a small part of its upper bound. */
static void find_metric(struct lps_reduced *r, const struct lps_point *point) {
    const struct scalar_terms *terms = r->terms;
    double min_second = min_curvature * terms->loss->curvature / terms->weight_sum;
    scores_curvature(terms, point->u, r->d);
    for (int64_t i = 0; i < terms->design->rows; i++)
        r->d[i] = fmax(r->d[i], min_second * scalar_weight(terms, i));
    lps_reduced_diagonal(r);
}

bool lps_first_order_step(struct lps_reduced *r, struct lps_point *point) {
    bool fell = false;
    lps_reduced_gradient(r, point);
    find_metric(r, point);
    double before = point->objective;
    for (int i = 0; i < MAX_TRIES && !fell && !(i > 0 && lps_reduced_is_over(r)); i++) {
        double square = proximal_step(r);
        if (square == 0)
            break;
        lps_reduced_scores(r);
        double objective = lps_reduced_objective(r, point, 1);
        fell = objective <= point->objective - sufficient_decrease * r->mu * square &&
               lps_reduced_move(r, point, 1, objective);
        r->mu = fell ? fmax(r->mu / 2, min_mu) : 2 * r->mu;
    }
    if (!fell)
        lps_reduced_restore(r, point);
    if (!(point->objective <
          before)) /* mu grew until w did not change: the next step begins anew */
        r->mu = 1;
    return fell;
}
