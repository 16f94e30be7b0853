/* lps_newton.c - Newton steps of lps on the chosen components G, within an orthant of w:
 *
 *     minimize over e:  g_G'e + 1/2 e'(H + damping) e,   w_G + e in the closed orthant of w_G
 *     H = X_G' diag(p l''(u)) X_G + l2 I,   g_G = X_G' p l'(u) + l2 w_G + l1 sgn w_G
 *
 * A component at 0 has the sign in whose direction J falls; if there is none, it is fixed. The step is
 * halved until J falls, and further while J falls more. The damping is a multiple of H's diagonal, so that
 * the scales of the features do not matter. It grows when J falls less than the model predicts and
 * shrinks otherwise (Levenberg and Marquardt); so the steps are short in directions that the data hardly
 * determine.
 *
 * Reference: Wright 2012, SIAM J. Optimization 22(1), "Accelerated block-coordinate relaxation for
 * regularized optimization"; Lee 2011, section 2.5. The usual rule, to cut the step at the first change of
 * sign, stalls; minimizing the model within the orthant does not.
 *
 * With few components or many rows H is formed and the step is found by factorization (box_qp.h), and so it is once
 * coordinate descent was slow, or by conjugate gradients with more components. Otherwise, as on text, it is found by
 * coordinate descent over the rows with l'' > 0 (lps_descent.h). If these rows are fewer than the components, as with
 * a squared hinge at small lambda, H is singular. Steps along its null space end only at the bounds, so they would
 * remove the components from G one at a time. Therefore the model of coordinate descent has the kinks of the losses
 * that a step crosses. With the squared loss the model is J itself, and the step may leave the orthant: the lasso on
 * G is solved at once. Where the rows lie in several processes, H is formed for few components, and products with it
 * are summed for more.
 *
 * Step: H or the sweeps of coordinate descent, a pass for the gradient, one for the scores, and O(rows) logs
 * and exps for each value of J. */
#include "solvers/lps/lps_newton.h"

#include "math/rounding.h"
#include "math/vector.h"
#include "risk/scores.h"
#include "solvers/lps/lps_descent.h"

#include <math.h>
#include <string.h>

enum {
    NEWTON_PASSES = 5,         /* over the subset, of a step with one product */
    MAX_HALVINGS = 10,         /* of a step */
    MAX_PRODUCTS = 1000,       /* with H, in one step */
    MAX_DIRECT_COLUMNS = 300,  /* with more, box_qp.h solves by products and not by factors */
    ALWAYS_DENSE_COLUMNS = 64, /* H is formed for as many components or fewer */
    MAX_FORMED_COLUMNS =
        1000 /* and for as many where it is summed over processes or descent was slow */
};

static const double damping_min = 1e-9, damping_max = 1;
static const double damping_change = 4; /* factor by which the damping changes */
/* It shrinks when the fall of J is more than good_ratio times the predicted one, and grows when it is less
 * than bad_ratio times that. */
static const double good_ratio = 0.75, bad_ratio = 0.25;
static const double max_matrix_bytes = 256e6; /* memory of H */
static const double max_gram_work = 1e9;  /* products of scattered numbers for H: about a second */
static const double expected_sweeps = 60; /* of coordinate descent in a Newton step */
static const double min_tolerance = 1e-3, max_tolerance = 0.1; /* relative, of a step */
static const double armijo_slope = 0.25; /* J must fall by this part of slope_decrease */

/* Whether the step is found by coordinate descent, which reads the columns of all rows. */
static bool descends(const struct lps_reduced *r) {
    return !r->dense && !r->by_products && r->terms->design->data->communicator == NULL;
}

/* Sets the gradient of J within the orthant (r->slope), and the bounds of the step: the orthant, unless signs may
 * change. */
static void find_slope(struct lps_reduced *r) {
    for (int64_t k = 0; k < r->subset.count; k++) {
        double w = r->w[k],
               g = r->gradient[k] + (lps_reduced_is_offset(r, k) ? 0 : r->penalty.l2 * w);
        double sign = lps_reduced_is_offset(r, k) ? 0
                      : w != 0                    ? copysign(1, w)
                      : fabs(g) > r->penalty.l1   ? -copysign(1, g)
                                                  : 0;
        bool fixed = sign == 0 && !lps_reduced_is_offset(r, k);
        r->slope[k] = fixed ? 0 : g + sign * r->penalty.l1;
        r->low[k] = r->crosses ? -INFINITY : fixed ? 0 : sign > 0 ? -w : -INFINITY;
        r->high[k] = r->crosses ? INFINITY : fixed ? 0 : sign < 0 ? -w : INFINITY;
    }
}

/* Sets d = p l''(u), or that of a sample of the rows, scaled to estimate the sum over all. */
static void find_curvature(struct lps_reduced *r, const struct lps_point *point) {
    int64_t m = r->terms->design->rows;
    scores_curvature(r->terms, point->u, r->d);
    for (int64_t i = 0; r->was_cut && i < m; i++)
        r->d[i] = fmax(r->d[i], r->cut_curvature[i]);
    if (r->hessian_sample == 0)
        return;
    double scale = (double)m / (double)r->hessian_sample;
    for (int64_t i = 0; i < r->hessian_sample; i++) {
        int64_t other = i + (int64_t)random_below(&r->random, (uint64_t)(m - i)),
                row = r->row[other];
        r->row[other] = r->row[i];
        r->row[i] = row;
        r->d[row] *= -scale; /* the sign marks the rows of the sample */
    }
    for (int64_t i = 0; i < m; i++)
        r->d[i] = fmax(0, -r->d[i]);
}

/* Whether forming H costs less than the sweeps of coordinate descent over the rows with l'' > 0. */
static bool dense_is_cheaper(struct lps_reduced *r, const struct lps_point *point) {
    double n = (double)r->subset.count, entries = (double)r->subset.data.nonzeros;
    if (!(r->gram.work < max_gram_work))
        return false;
    if (r->terms->design->data->communicator != NULL || r->was_slow)
        return r->subset.count <= MAX_FORMED_COLUMNS;
    if (r->subset.count > MAX_DIRECT_COLUMNS) {
        scores_curvature(r->terms, point->u, r->d);
        entries = (double)lps_descent_entries(r);
    }
    return r->subset.count <= ALWAYS_DENSE_COLUMNS ||
           r->gram.work + expected_sweeps * n * n < expected_sweeps * 3 * entries;
}

static int choose_form(struct lps_reduced *r, const struct lps_point *point, struct error *e) {
    double n = (double)r->subset.count;
    r->dense = false;
    r->long_steps = 0;
    gram_free(&r->gram);
    if (3 * n * n * sizeof(double) > max_matrix_bytes)
        return 0;
    int status = gram_init(&r->gram, &r->subset.design, e);
    if (communicator_agree(r->terms->design->data->communicator, status, e) != 0)
        return -1;
    r->dense = dense_is_cheaper(r, point);
    if (!r->dense)
        gram_free(&r->gram);
    return 0;
}

/* The relative distance from the optimum: sqrt(fall of J that a diagonal H predicts / J). */
static double find_distance(const struct lps_reduced *r, const struct lps_point *point) {
    double sum = 0;
    for (int64_t k = 0; k < r->subset.count; k++)
        sum += r->slope[k] * r->slope[k] / r->diagonal[k];
    return sqrt(sum / fabs(point->objective));
}

/* Forms H and adds the damping to its diagonal. */
static void form_hessian(struct lps_reduced *r) {
    int64_t n = r->subset.count;
    gram_compute(&r->gram, r->d, NULL, NULL);
    for (int64_t k = 0; k < n; k++)
        r->diagonal[k] = r->gram.matrix[k * n + k];
    lps_reduced_finish_diagonal(r);
    for (int64_t k = 0; k < n; k++)
        r->gram.matrix[k * n + k] = (1 + r->damping) * r->diagonal[k];
    r->passes += column_subset_share(&r->subset);
}

static void find_hessian(struct lps_reduced *r, const struct lps_point *point) {
    find_curvature(r, point);
    if (r->dense)
        form_hessian(r);
    else
        lps_reduced_diagonal(r);
    r->distance = find_distance(r, point);
}

/* y = H x, with the damping, by passes over the rows. */
static void multiply(void *opaque, const double *x, double *y) {
    struct lps_reduced *r = opaque;
    design_scores(&r->subset.design, x, r->image);
    for (int64_t i = 0; i < r->terms->design->rows; i++)
        r->image[i] *= r->d[i];
    design_combine(&r->subset.design, r->image, y);
    for (int64_t k = 0; k < r->subset.count; k++)
        y[k] += ((lps_reduced_is_offset(r, k) ? 0 : r->penalty.l2) + r->damping * r->diagonal[k]) *
                x[k];
    r->passes += 2 * column_subset_share(&r->subset);
}

/* The step by the matrix H. */
static int solve_dense(struct lps_reduced *r, const struct lps_point *point, double tolerance,
                       struct error *e) {
    const struct box_qp qp = {.n = r->subset.count,
                              .gradient = r->slope,
                              .low = r->low,
                              .high = r->high,
                              .diagonal = r->diagonal,
                              .matrix = r->dense ? r->gram.matrix : NULL,
                              .direct_most = !r->dense     ? -1
                                             : r->was_slow ? MAX_FORMED_COLUMNS
                                                           : MAX_DIRECT_COLUMNS,
                              .multiply = multiply,
                              .opaque = r,
                              .stop = lps_reduced_is_over,
                              .products_most = MAX_PRODUCTS,
                              .tolerance = tolerance};
    if (box_qp_solve(&qp, &r->qp, r->step, e) < 0)
        return -1;
    lps_reduced_scores(r);
    r->slope_decrease = -vector_dot(r->slope, r->step, r->subset.count);
    r->step_curvature = scores_curvature_along(r->terms, point->u, r->du) +
                        r->penalty.l2 * vector_dot(r->step, r->step, r->subset.design.regularized);
    return 0;
}

/* The fall of J along the step to first order; that of the 1-norm where signs change is its own. */
static double fall_along(const struct lps_reduced *r) {
    double sum = 0;
    if (!r->crosses)
        return -vector_dot(r->slope, r->step, r->subset.count);
    for (int64_t k = 0; k < r->subset.count; k++) {
        double w = r->w[k], to = w + r->step[k];
        sum -= r->gradient[k] * r->step[k];
        if (!lps_reduced_is_offset(r, k))
            sum -= r->penalty.l2 * w * r->step[k] + r->penalty.l1 * (fabs(to) - fabs(w));
    }
    return sum;
}

/* The step by coordinate descent. */
static int solve_sparse(struct lps_reduced *r, const struct lps_point *point, double tolerance,
                        struct error *e) {
    double decrease;
    if (lps_descent_step(r, point, tolerance, &decrease, e) != 0)
        return -1;
    lps_reduced_scores(r);
    r->slope_decrease = fall_along(r);
    r->step_curvature = 2 * (r->slope_decrease - decrease);
    return 0;
}

/* Finds the step within the orthant, and its scores. */
static int find_step(struct lps_reduced *r, const struct lps_point *point, struct error *e) {
    find_hessian(r, point);
    double tolerance = fmax(min_tolerance, fmin(r->distance, max_tolerance));
    return descends(r) ? solve_sparse(r, point, tolerance, e) : solve_dense(r, point, tolerance, e);
}

/* A step is cut when J has curvature along it that the model does not have. The curvature at the step's
 * full length is then used in the next model, too; where the model has the losses' kinks, in all later
 * models on this subset. A loss of one kink has no other curvature between both ends of the step. */
static void note_cut(struct lps_reduced *r, const struct lps_point *point, bool cut) {
    int64_t m = r->terms->design->rows;
    bool keep = r->was_cut && descends(r) && r->terms->loss->quadratic;
    r->was_cut = cut || keep;
    if (!cut)
        return;
    for (int64_t i = 0; i < m; i++)
        r->image[i] = point->u[i] + r->du[i];
    scores_curvature(r->terms, r->image, r->image);
    for (int64_t i = 0; i < m; i++)
        r->cut_curvature[i] = keep ? fmax(r->cut_curvature[i], r->image[i]) : r->image[i];
}

/* Raises the damping where J fell less than its model predicted, and lowers it where J fell as predicted. */
static void adapt(struct lps_reduced *r, double step, double decrease) {
    double ratio = decrease / (step * r->slope_decrease - step * step / 2 * r->step_curvature);
    if (step == 1 && ratio > good_ratio)
        r->damping = fmax(r->damping / damping_change, damping_min);
    else if (step < 1 || !(ratio > bad_ratio))
        r->damping = fmin(r->damping * damping_change, damping_max);
}

/* The line search: halves the step until J falls enough, and further while J becomes smaller. A change of
 * J within rounding is also accepted. Moves the point; false when no step was accepted. */
static bool search(struct lps_reduced *r, struct lps_point *point) {
    double slack = rounding_of_sums * fabs(point->objective), lowest = point->objective + slack,
           step = 1;
    double best = 0;
    for (int i = 0; i <= MAX_HALVINGS; i++, step /= 2) {
        double objective = lps_reduced_objective(r, point, step);
        if (!(objective <= lowest) && best > 0)
            break;
        if (objective <= lowest) {
            lowest = objective;
            best = step;
        }
        double decrease = point->objective - objective;
        if (best > 0 && decrease >= armijo_slope * step * r->slope_decrease - slack)
            break;
        lowest = fmin(lowest, point->objective);
    }
    if (best > 0 && best != step)
        lowest = lps_reduced_objective(r, point, best);
    r->step_remainder = 1 - best;
    adapt(r, best, best > 0 ? point->objective - lowest : 0);
    note_cut(r, point, best < 1);
    if (best > 0)
        return lps_reduced_move(r, point, best, lowest);
    lps_reduced_restore(r, point);
    return false;
}

int lps_newton_steps(struct lps_reduced *r, struct lps_point *point, double fraction, int max_steps,
                     struct error *e) {
    int steps = 0;
    double first = point->objective, last = INFINITY;
    if (choose_form(r, point, e) != 0)
        return -1;
    r->step_remainder = 0;
    r->was_cut = r->was_cut && !descends(r);
    r->crosses = descends(r) && lps_descent_crosses(r);
    while (steps < max_steps && last - point->objective > fraction * (first - last) &&
           !lps_reduced_is_over(r) && lps_reduced_affords(r, NEWTON_PASSES)) {
        last = point->objective;
        /* The gradient and the orthant; with coordinate descent the goal is checked here. */
        lps_reduced_gradient(r, point);
        find_slope(r);
        if (descends(r) && vector_largest(r->slope, r->subset.count) <= r->slope_goal)
            break;
        if (find_step(r, point, e) != 0)
            return -1;
        if (!search(r, point))
            break;
        steps++;
    }
    return steps;
}
