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
 * usual, stalls; minimizing within the orthant does not. Step: H (or 2 passes over the face a
 * conjugate gradient), a pass for the gradient, one for the scores, rows log and exp a function value. */
#include "solvers/lps_newton.h"

#include "math/vector.h"
#include "risk/scores.h"

#include <math.h>
#include <string.h>

enum { NEWTON_PASSES = 5 }; /* over the face, of a step with one product */
enum { HALVINGS = 10, PRODUCTS = 150, PRODUCTS_DENSE = 1000 };

/* Parts of the diagonal that are added to it: least, most; how they change, by the part of the fall that
 * the model promised and J kept. */
static const double damping_least = 1e-9, damping_most = 1;
static const double damping_change = 4, good = 0.75, bad = 0.25;
static const double matrix_bytes = 256e6; /* what H may take */
static const double work_most = 1e9;      /* scattered products for H: about a second */
static const double usual_products = 60;  /* conjugate gradients a Newton step, for choosing */
static const double least_tolerance = 1e-3, most_tolerance = 0.1;
static const double enough = 0.25;    /* of the fall that the slope promises */
static const double rounding = 1e-14; /* of J */

/* The slope of J within the orthant, and the bounds of the step. */
static void find_slope(struct lps_reduced *r) {
    for (int64_t k = 0; k < r->face.count; k++) {
        double w = r->w[k],
               g = r->gradient[k] + (lps_reduced_is_offset(r, k) ? 0 : r->shares.l2 * w);
        double sign = lps_reduced_is_offset(r, k) ? 0
                      : w != 0                    ? copysign(1, w)
                      : fabs(g) > r->shares.l1    ? -copysign(1, g)
                                                  : 0;
        bool fixed = sign == 0 && !lps_reduced_is_offset(r, k);
        r->slope[k] = fixed ? 0 : g + sign * r->shares.l1;
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

/* y = (H + damping) x */
static void multiply(void *opaque, const double *x, double *y) {
    struct lps_reduced *r = opaque;
    const struct design *design = &r->face.design;
    design_scores(design, x, r->image);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        r->image[i] *= r->d[i];
    design_combine(design, r->image, y);
    for (int64_t k = 0; k < r->face.count; k++)
        y[k] += (lps_reduced_is_offset(r, k) ? 0 : r->shares.l2) * x[k] +
                r->damping * r->diagonal[k] * x[k];
    r->passes += 2 * face_share(&r->face);
}

/* Forming H pays when it costs less than the products with it that it saves. */
static int choose_form(struct lps_reduced *r, struct error *e) {
    double n = (double)r->face.count, nonzeros = (double)r->face.data.nonzeros;
    r->dense = false;
    gram_free(&r->gram);
    if (3 * n * n * sizeof(double) > matrix_bytes)
        return 0;
    if (gram_init(&r->gram, &r->face.design, e) != 0)
        return -1;
    r->dense = r->gram.work < work_most &&
               r->gram.work + usual_products * n * n < usual_products * 3 * nonzeros;
    if (!r->dense)
        gram_free(&r->gram);
    return 0;
}

/* How far there is to go: the square root of what a diagonal H promises, of J. */
static double find_distance(const struct lps_reduced *r, const struct lps_point *point) {
    double sum = 0;
    for (int64_t k = 0; k < r->face.count; k++)
        sum += r->slope[k] * r->slope[k] / r->diagonal[k];
    return sqrt(sum / fabs(point->objective));
}

/* H with its diagonal raised. */
static void form_hessian(struct lps_reduced *r) {
    int64_t n = r->face.count;
    gram_compute(&r->gram, r->d, NULL, NULL);
    for (int64_t k = 0; k < n; k++)
        r->diagonal[k] = r->gram.matrix[k * n + k];
    lps_reduced_finish_diagonal(r);
    for (int64_t k = 0; k < n; k++)
        r->gram.matrix[k * n + k] = (1 + r->damping) * r->diagonal[k];
    r->passes += face_share(&r->face);
}

static void find_hessian(struct lps_reduced *r, const struct lps_point *point) {
    find_curvature(r, point);
    if (r->dense)
        form_hessian(r);
    else
        lps_reduced_diagonal(r);
    r->distance = find_distance(r, point);
}

/* The step within the orthant, and its scores. */
static int find_step(struct lps_reduced *r, const struct lps_point *point, struct error *e) {
    find_hessian(r, point);
    struct box_qp qp = {.n = r->face.count,
                        .gradient = r->slope,
                        .low = r->low,
                        .high = r->high,
                        .diagonal = r->diagonal,
                        .matrix = r->dense ? r->gram.matrix : NULL,
                        .product = multiply,
                        .opaque = r,
                        .stop = lps_reduced_is_over,
                        .products_most = r->dense ? PRODUCTS_DENSE : PRODUCTS,
                        .tolerance = fmax(least_tolerance, fmin(r->distance, most_tolerance))};
    if (box_qp_solve(&qp, &r->qp, r->step, e) < 0)
        return -1;
    lps_reduced_scores(r);
    r->promise = -vector_dot(r->slope, r->step, r->face.count);
    r->curved = scores_curvature_along(r->parts, point->u, r->du) +
                r->shares.l2 * vector_dot(r->step, r->step, r->face.design.regularized);
    return 0;
}

/* A step that was cut met curvature that the model did not have: that at its full length joins the next
 * model. Between the ends a loss of one kink has no more. */
static void note_cut(struct lps_reduced *r, const struct lps_point *point, bool cut) {
    r->cut = cut;
    for (int64_t i = 0; cut && i < r->parts->design->rows; i++)
        r->crossed[i] = point->u[i] + r->du[i];
    if (cut)
        scores_curvature(r->parts, r->crossed, r->crossed);
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
    double slack = rounding * fabs(point->objective), least = point->objective + slack, step = 1;
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
        if (best > 0 && fall >= enough * step * r->promise - slack)
            break;
        least = fmin(least, point->objective);
    }
    if (best > 0 && best != step)
        least = lps_reduced_objective(r, point, best);
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
    if (choose_form(r, e) != 0)
        return -1;
    while (steps < most && last - point->objective > part * (first - last) &&
           !lps_reduced_is_over(r) && lps_reduced_affords(r, NEWTON_PASSES)) {
        last = point->objective;
        lps_reduced_gradient(r, point);
        find_slope(r);
        if (find_step(r, point, e) != 0)
            return -1;
        if (!search(r, point))
            break;
        steps++;
    }
    return steps;
}
