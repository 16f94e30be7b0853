/* lps_newton.c - the reduced problem of lps. With F the components chosen, w within an orthant:
 *
 *     minimize over e:  g_F'e + 1/2 e'(H + damping) e,   w_F + e in the closed orthant of w_F
 *     H = X_F' diag(p l''(u)) X_F + l2 I,   g_F = X_F' p l'(u) + l2 w_F + l1 sgn w_F
 *
 * where a component at 0 has the sign in which J falls, or is fixed. The step is halved until J falls.
 * The damping min(1e-3, ||violation||) trace(H)/|F| I goes away as the optimum comes near.
 *
 * Reference: Wright 2012, SIAM J. Optimization 22(1), "Accelerated block-coordinate relaxation for
 * regularized optimization"; Lee 2011, section 2.5. Cutting the step at the first change of sign, as is
 * usual, stalls; minimizing within the orthant does not. Step: H (or 2 passes over the face a
 * conjugate gradient), a pass for the gradient, one for the scores, rows log and exp a function value. */
#include "solvers/lps_newton.h"

#include "io/memory.h"
#include "math/vector.h"
#include "risk/scores.h"
#include "solvers/optimality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_ARRAYS = 7, ROW_ARRAYS = 3, TRIES = 60, HALVINGS = 10 };

static const double decrease = 0.3;   /* of mu ||d||^2, by a first-order step */
static const double least_mu = 1e-10; /* of the curvature met */
static const double damping_most = 1e-3;
static const double matrix_bytes = 256e6; /* what H may take */
static const double usual_products = 60;  /* conjugate gradients a Newton step, for choosing */
static const double least_tolerance = 1e-3, most_tolerance = 0.1;
static const double rounding = 4e-16; /* of J */

int lps_reduced_init(struct lps_reduced *reduced, const struct problem *problem,
                     int64_t hessian_sample, const struct run_settings *run, struct error *e) {
    const struct scalar_parts *parts = problem->risk->scalar;
    int64_t m = parts->design->rows;
    *reduced = (struct lps_reduced){.problem = problem,
                                    .parts = parts,
                                    .shares = problem_shares(problem),
                                    .hessian_sample = hessian_sample < m ? hessian_sample : 0};
    random_seed(&reduced->random, run->seed, run->stream);
    reduced->du = memory_new(ROW_ARRAYS * m, sizeof(double), "scores", e);
    if (reduced->du == NULL || face_init(&reduced->face, parts->design, e) != 0)
        return -1;
    reduced->d = reduced->du + m;
    reduced->image = reduced->d + m;
    if (reduced->hessian_sample == 0)
        return 0;
    reduced->row = memory_new(m, sizeof *reduced->row, "a sample of rows", e);
    for (int64_t i = 0; reduced->row != NULL && i < m; i++)
        reduced->row[i] = i;
    return reduced->row == NULL ? -1 : 0;
}

void lps_reduced_free(struct lps_reduced *reduced) {
    face_free(&reduced->face);
    gram_free(&reduced->gram);
    box_qp_free(&reduced->qp);
    free(reduced->row);
    free(reduced->du);
    free(reduced->w);
    *reduced = (struct lps_reduced){0};
}

/* ---- the face */

static int make_room(struct lps_reduced *r, struct error *e) {
    int64_t n = r->face.count;
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
    if (face_build(&r->face, column, count, e) != 0 || make_room(r, e) != 0)
        return -1;
    r->passes += 1;
    for (int64_t k = 0; k < count; k++)
        r->w[k] = point->w[r->face.column[k]];
    return 0;
}

static bool is_offset(const struct lps_reduced *r, int64_t k) {
    return k >= r->face.design.regularized;
}

/* The penalty at w + step e. */
static double penalty_along(const struct lps_reduced *r, double step) {
    double sum = 0, squares = 0;
    for (int64_t k = 0; k < r->face.design.regularized; k++) {
        double w = r->w[k] + step * r->step[k];
        sum += fabs(w);
        squares += w * w;
    }
    return r->shares.l1 * sum + r->shares.l2 / 2 * squares;
}

/* J at w + step e, and the push there. */
static double objective_along(struct lps_reduced *r, struct lps_point *point, double step) {
    return scores_risk(r->parts, point->u, r->du, step, point->push) + penalty_along(r, step);
}

/* The point moves there; point->push must be of there. */
static void move(struct lps_reduced *r, struct lps_point *point, double step, double objective) {
    for (int64_t k = 0; k < r->face.count; k++) {
        r->w[k] += step * r->step[k];
        point->w[r->face.column[k]] = r->w[k];
    }
    scores_move(r->parts, point->u, step, r->du);
    point->objective = objective;
}

static void restore_push(struct lps_reduced *r, struct lps_point *point) {
    scores_risk(r->parts, point->u, NULL, 0, point->push);
}

/* The gradient of R by the face. */
static void find_gradient(struct lps_reduced *r, const struct lps_point *point) {
    design_combine(&r->face.design, point->push, r->gradient);
    vector_scale(r->gradient, 1 / r->parts->weight_sum, r->face.count);
    r->passes += face_share(&r->face);
}

static void find_scores(struct lps_reduced *r) {
    design_scores(&r->face.design, r->step, r->du);
    r->passes += face_share(&r->face);
}

/* ---- the first-order step */

/* d for this mu; returns ||d||^2. */
static double relax(struct lps_reduced *r) {
    double sum = 0;
    for (int64_t k = 0; k < r->face.count; k++) {
        double to = r->w[k] - r->gradient[k] / r->mu;
        if (!is_offset(r, k))
            to = soft(to, r->shares.l1 / r->mu) / (1 + r->shares.l2 / r->mu);
        r->step[k] = to - r->w[k];
        sum += r->step[k] * r->step[k];
    }
    return sum;
}

bool lps_first_order_step(struct lps_reduced *r, struct lps_point *point) {
    bool fell = false;
    find_gradient(r, point);
    if (r->mu == 0)
        r->mu = 1;
    for (int i = 0; i < TRIES && !fell; i++) {
        double square = relax(r);
        if (square == 0)
            return false;
        find_scores(r);
        double curvature = scores_curvature_along(r->parts, point->u, r->du) / square;
        double objective = objective_along(r, point, 1);
        fell = objective <= point->objective - decrease * r->mu * square;
        if (fell) {
            move(r, point, 1, objective);
            r->mu = fmax(r->mu / 2, least_mu * curvature);
        } else {
            r->mu = fmax(2 * r->mu, fmin(curvature, 1e4 * r->mu));
        }
    }
    if (!fell)
        restore_push(r, point);
    return fell;
}

/* ---- Newton steps */

/* The slope of J within the orthant, the bounds of the step; returns the violation's length. */
static double find_slope(struct lps_reduced *r) {
    double sum = 0;
    for (int64_t k = 0; k < r->face.count; k++) {
        double w = r->w[k], g = r->gradient[k] + (is_offset(r, k) ? 0 : r->shares.l2 * w);
        double sign = is_offset(r, k)          ? 0
                      : w != 0                 ? copysign(1, w)
                      : fabs(g) > r->shares.l1 ? -copysign(1, g)
                                               : 0;
        bool fixed = sign == 0 && !is_offset(r, k);
        r->slope[k] = fixed ? 0 : g + sign * r->shares.l1;
        r->low[k] = fixed ? 0 : sign > 0 ? -w : -INFINITY;
        r->high[k] = fixed ? 0 : sign < 0 ? -w : INFINITY;
        sum += r->slope[k] * r->slope[k];
    }
    return sqrt(sum);
}

/* d = p l''(u), or that of a sample in its place. */
static void find_curvature(struct lps_reduced *r, const struct lps_point *point) {
    int64_t m = r->parts->design->rows;
    scores_curvature(r->parts, point->u, r->d);
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
        y[k] += (r->damping + (is_offset(r, k) ? 0 : r->shares.l2)) * x[k];
    r->passes += 2 * face_share(&r->face);
}

/* Forming H pays when it costs less than the products with it that it saves. */
static int choose_form(struct lps_reduced *r, struct error *e) {
    double n = (double)r->face.count, nonzeros = (double)r->face.data.nonzeros;
    r->dense = false;
    if (3 * n * n * sizeof(double) > matrix_bytes)
        return 0;
    if (gram_init(&r->gram, &r->face.design, e) != 0)
        return -1;
    r->dense = r->gram.work + usual_products * n * n < usual_products * 3 * nonzeros;
    if (!r->dense)
        gram_free(&r->gram);
    return 0;
}

/* H, or its diagonal; sets the damping. */
static void find_hessian(struct lps_reduced *r, double violation) {
    int64_t n = r->face.count;
    double trace = 0;
    if (r->dense) {
        gram_compute(&r->gram, r->d, NULL, NULL);
        for (int64_t k = 0; k < n; k++)
            r->diagonal[k] = r->gram.matrix[k * n + k];
    } else {
        design_combine_squares(&r->face.design, r->d, r->diagonal);
    }
    r->passes += face_share(&r->face);
    for (int64_t k = 0; k < n; k++)
        trace += r->diagonal[k] + (is_offset(r, k) ? 0 : r->shares.l2);
    r->damping = fmin(damping_most, violation) * trace / (double)n;
    for (int64_t k = 0; k < n; k++) {
        r->diagonal[k] += r->damping + (is_offset(r, k) ? 0 : r->shares.l2);
        if (!(r->diagonal[k] > 0)) /* a column of zeros */
            r->diagonal[k] = 1;
        if (r->dense)
            r->gram.matrix[k * n + k] = r->diagonal[k];
    }
}

/* The step within the orthant, and its scores. */
static int find_step(struct lps_reduced *r, const struct lps_point *point, double violation,
                     double target, struct error *e) {
    find_curvature(r, point);
    find_hessian(r, violation);
    struct box_qp qp = {.n = r->face.count,
                        .gradient = r->slope,
                        .low = r->low,
                        .high = r->high,
                        .diagonal = r->diagonal,
                        .matrix = r->dense ? r->gram.matrix : NULL,
                        .product = multiply,
                        .opaque = r,
                        .tolerance =
                            fmin(most_tolerance, fmax(least_tolerance, target / (2 * violation)))};
    if (box_qp_solve(&qp, &r->qp, r->step, e) < 0)
        return -1;
    find_scores(r);
    return 0;
}

/* Halves the step until J falls; a full one may also leave J as it is but for rounding. */
static bool search(struct lps_reduced *r, struct lps_point *point) {
    double step = 1;
    for (int i = 0; i <= HALVINGS; i++, step /= 2) {
        double objective = objective_along(r, point, step);
        double slack = i == 0 ? rounding * fabs(point->objective) : 0;
        if (objective < point->objective || objective <= point->objective + slack) {
            move(r, point, step, objective);
            return true;
        }
    }
    restore_push(r, point);
    return false;
}

int lps_newton_steps(struct lps_reduced *r, struct lps_point *point, double target, int most,
                     struct error *e) {
    int steps = 0;
    if (choose_form(r, e) != 0)
        return -1;
    for (; steps < most; steps++) {
        find_gradient(r, point);
        double violation = find_slope(r);
        if (violation <= target)
            break;
        if (find_step(r, point, violation, target, e) != 0)
            return -1;
        if (!search(r, point))
            break;
    }
    return steps;
}
