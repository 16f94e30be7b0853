/* lps_newton.c - the reduced problem of lps. With F the components chosen, w within an orthant:
 *
 *     minimize over e:  g_F'e + 1/2 e'(H + damping) e,   w_F + e in the closed orthant of w_F
 *     H = X_F' diag(p l''(u)) X_F + l2 I,   g_F = X_F' p l'(u) + l2 w_F + l1 sgn w_F
 *
 * where a component at 0 has the sign in which J falls, or is fixed. The step is halved until J falls,
 * and while it falls further. The damping is a part of H's diagonal, so that the scales of features do
 * not matter; it grows where J fell short of the model and shrinks where it did not (Levenberg and
 * Marquardt), which bounds the steps along directions that the data hardly determine.
 *
 * Reference: Wright 2012, SIAM J. Optimization 22(1), "Accelerated block-coordinate relaxation for
 * regularized optimization"; Lee 2011, section 2.5. Cutting the step at the first change of sign, as is
 * usual, stalls; minimizing within the orthant does not.
 *
 * With few components or many rows H is formed, and the step found by factors (box_qp.h). Otherwise, on
 * text, it is found by coordinate descent on the rows that have curvature (lps_descent.h): there H has no
 * full rank where fewer rows than components have any, as with a squared hinge at small lambda, and
 * steps along its null space, which only the bounds end, would leave the subset one component at a time.
 * For the same reason the rows whose kink a step crosses join the model with their kinks.
 *
 * Step: H or the sweeps, a pass for the gradient, one for the scores, rows log and exp a function value. */
#include "solvers/lps/lps_newton.h"

#include "math/vector.h"
#include "risk/scores.h"

#include <math.h>
#include <string.h>

enum { NEWTON_PASSES = 5 }; /* over the subset, of a step with one product */
enum { HALVINGS = 10, PRODUCTS = 1000, DIRECT = 300, FEW = 64 };

/* Parts of the diagonal that are added to it: least, most; how they change, by the part of the fall that
 * the model promised and J kept. */
static const double damping_least = 1e-9, damping_most = 1;
static const double damping_change = 4, good = 0.75, bad = 0.25;
static const double matrix_bytes = 256e6; /* what H may take */
static const double work_most = 1e9;      /* scattered products for H: about a second */
static const double usual_sweeps = 60;    /* a Newton step, for choosing */
static const double least_tolerance = 1e-3, most_tolerance = 0.1;
static const double armijo_slope = 0.25;        /* of the fall that the slope promises */
static const double objective_rounding = 1e-14; /* of J */

/* The slope of J within the orthant, and the bounds of the step. */
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
        r->low[k] = fixed ? 0 : sign > 0 ? -w : -INFINITY;
        r->high[k] = fixed ? 0 : sign < 0 ? -w : INFINITY;
    }
}

/* d = p l''(u), or that of a sample in its place. */
static void find_curvature(struct lps_reduced *r, const struct lps_point *point) {
    int64_t m = r->parts->design->rows;
    scores_curvature(r->parts, point->u, r->d);
    for (int64_t i = 0; r->cut && i < m; i++)
        r->d[i] = fmax(r->d[i], r->crossed[i]);
    if (r->hessian_sample == 0)
        return;
    double scale = (double)m / (double)r->hessian_sample;
    for (int64_t i = 0; i < r->hessian_sample; i++) {
        int64_t other = i + (int64_t)random_below(&r->random, (uint64_t)(m - i)),
                row = r->row[other];
        r->row[other] = r->row[i];
        r->row[i] = row;
        r->d[row] *= -scale; /* marked by the sign */
    }
    for (int64_t i = 0; i < m; i++)
        r->d[i] = fmax(0, -r->d[i]);
}

/* Whether forming H costs less than the sweeps that it saves, over the rows that have curvature. */
static bool pays(struct lps_reduced *r, const struct lps_point *point) {
    double n = (double)r->subset.count, entries = (double)r->subset.data.nonzeros;
    if (!(r->gram.work < work_most))
        return false;
    if (r->subset.count > DIRECT) {
        scores_curvature(r->parts, point->u, r->d);
        entries = (double)lps_descent_entries(r);
    }
    return r->subset.count <= FEW ||
           r->gram.work + usual_sweeps * n * n < usual_sweeps * 3 * entries;
}

static int choose_form(struct lps_reduced *r, const struct lps_point *point, struct error *e) {
    double n = (double)r->subset.count;
    r->dense = false;
    gram_free(&r->gram);
    if (3 * n * n * sizeof(double) > matrix_bytes)
        return 0;
    if (gram_init(&r->gram, &r->subset.design, e) != 0)
        return -1;
    r->dense = pays(r, point);
    if (!r->dense)
        gram_free(&r->gram);
    return 0;
}

/* How far there is to go: the square root of what a diagonal H promises, of J. */
static double find_distance(const struct lps_reduced *r, const struct lps_point *point) {
    double sum = 0;
    for (int64_t k = 0; k < r->subset.count; k++)
        sum += r->slope[k] * r->slope[k] / r->diagonal[k];
    return sqrt(sum / fabs(point->objective));
}

/* H with its diagonal raised. */
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

/* The step by H. */
static int solve_dense(struct lps_reduced *r, const struct lps_point *point, double tolerance,
                       struct error *e) {
    const struct box_qp qp = {.n = r->subset.count,
                              .gradient = r->slope,
                              .low = r->low,
                              .high = r->high,
                              .diagonal = r->diagonal,
                              .matrix = r->gram.matrix,
                              .direct_most = DIRECT,
                              .opaque = r,
                              .stop = lps_reduced_is_over,
                              .products_most = PRODUCTS,
                              .tolerance = tolerance};
    if (box_qp_solve(&qp, &r->qp, r->step, e) < 0)
        return -1;
    lps_reduced_scores(r);
    r->promise = -vector_dot(r->slope, r->step, r->subset.count);
    r->curved = scores_curvature_along(r->parts, point->u, r->du) +
                r->penalty.l2 * vector_dot(r->step, r->step, r->subset.design.regularized);
    return 0;
}

/* The step by coordinate descent. */
static int solve_sparse(struct lps_reduced *r, const struct lps_point *point, double tolerance,
                        struct error *e) {
    double fall;
    if (lps_descent_step(r, point, tolerance, &fall, e) != 0)
        return -1;
    lps_reduced_scores(r);
    r->promise = -vector_dot(r->slope, r->step, r->subset.count);
    r->curved = 2 * (r->promise - fall);
    return 0;
}

/* The step within the orthant, and its scores. */
static int find_step(struct lps_reduced *r, const struct lps_point *point, struct error *e) {
    find_hessian(r, point);
    double tolerance = fmax(least_tolerance, fmin(r->distance, most_tolerance));
    return r->dense ? solve_dense(r, point, tolerance, e) : solve_sparse(r, point, tolerance, e);
}

/* A step that was cut met curvature that the model did not have: that at its full length joins the next
 * model, or, where the model has the loss's kinks, all models on this subset. Between the ends a loss of one
 * kink has no more. */
static void note_cut(struct lps_reduced *r, const struct lps_point *point, bool cut) {
    int64_t m = r->parts->design->rows;
    bool keep = r->cut && !r->dense && r->parts->loss->quadratic;
    r->cut = cut || keep;
    if (!cut)
        return;
    for (int64_t i = 0; i < m; i++)
        r->image[i] = point->u[i] + r->du[i];
    scores_curvature(r->parts, r->image, r->image);
    for (int64_t i = 0; i < m; i++)
        r->crossed[i] = keep ? fmax(r->crossed[i], r->image[i]) : r->image[i];
}

/* More damping where J fell short of its model, less where it kept its promise. */
static void adapt(struct lps_reduced *r, double step, double fall) {
    double kept = fall / (step * r->promise - step * step / 2 * r->curved);
    if (step == 1 && kept > good)
        r->damping = fmax(r->damping / damping_change, damping_least);
    else if (step < 1 || !(kept > bad))
        r->damping = fmin(r->damping * damping_change, damping_most);
}

/* Halves the step until J falls, and on while it falls to less; a full step may also leave J as it is but
 * for rounding. */
static bool search(struct lps_reduced *r, struct lps_point *point) {
    double slack = objective_rounding * fabs(point->objective), least = point->objective + slack,
           step = 1;
    double best = 0;
    for (int i = 0; i <= HALVINGS; i++, step /= 2) {
        double objective = lps_reduced_objective(r, point, step);
        if (!(objective <= least) && best > 0)
            break;
        if (objective <= least) {
            least = objective;
            best = step;
        }
        double fall = point->objective - objective;
        if (best > 0 && fall >= armijo_slope * step * r->promise - slack)
            break;
        least = fmin(least, point->objective);
    }
    if (best > 0 && best != step)
        least = lps_reduced_objective(r, point, best);
    r->left = 1 - best;
    adapt(r, best, best > 0 ? point->objective - least : 0);
    note_cut(r, point, best < 1);
    if (best > 0)
        return lps_reduced_move(r, point, best, least);
    lps_reduced_restore(r, point);
    return false;
}

int lps_newton_steps(struct lps_reduced *r, struct lps_point *point, double part, int most,
                     struct error *e) {
    int steps = 0;
    double first = point->objective, last = INFINITY;
    if (choose_form(r, point, e) != 0)
        return -1;
    r->left = 0;
    r->cut = r->cut && r->dense;
    while (steps < most && last - point->objective > part * (first - last) &&
           !lps_reduced_is_over(r) && lps_reduced_affords(r, NEWTON_PASSES)) {
        last = point->objective;
        lps_reduced_gradient(r, point);
        find_slope(r);
        if (!r->dense && vector_largest(r->slope, r->subset.count) <= r->goal)
            break;
        if (find_step(r, point, e) != 0)
            return -1;
        if (!search(r, point))
            break;
        steps++;
    }
    return steps;
}
