/* ipm_dual.c - the primal-dual predictor-corrector on the box dual.
 *
 *     minimize    l2/2 ||w||^2 + l1 ||w||_1 + sum p_i l(<w,x_i>)
 *     maximize   -||s + z||^2/(2 l2) - sum p_i l*(a_i),  s = X'(p a),  low <= a <= high,  |z| <= l1
 *                                                                                  [, sum p a = 0]
 *
 * (l2 = 0: s + z = 0, a linear program), each with l and its variables as ipm_rows.h has them. z are
 * variables like a, of rows that are those of the identity, and their diag(d) is added to H's diagonal.
 *
 * The central path keeps all products (a - low) s and (high - a) x at one number mu, which falls to 0.
 * An iteration:
 *
 *  1. H = X' diag(c d) X + l2 I, d = 1/(kappa + s/(a-low) + x/(high-a)); one Cholesky factor.
 *     An offset is a last column of X without lambda: the same factor then keeps sum p a = 0.
 *  2. Predictor: straight for mu = 0; by how far it gets, the target t = (mu_after/mu)^3 mu.
 *  3. Corrector: for products t, with the predictor's second-order part. Its right side is linear
 *     in t: both sums come from the predictor's pass over the rows.
 *  4. Centrality correctors: products that would leave [0.1, 10] t after a longer step are moved
 *     back; of each a share in [step^2, 1] is taken, the best of 9, while the step grows by 1 %.
 *     2 to 6 of them: more where H costs much beside a pass.
 *  5. One step length for all variables, 0.995 of the longest, shortened while the least product is
 *     below 0.03 of the mean.
 *
 * The bound comes from a itself (dual.h): it holds whatever the iteration did.
 *
 * With l1 the points that are offered have zeros: weights whose z is off its bounds by more, in
 * parts of l1, than they are of the largest weight. At a unique optimum these are, from some mu on,
 * its zeros. Where more weights than examples fit all targets and l1 is tiny, the diagonal is lost in
 * the rounding of X' diag(d) X, and the run may end at a gap of 1e-4.
 *
 * Checked, iterations to a certified 1e-3 / 1e-8: a9a 1e-4 12/19, w8a 1e-8 30/44, ijcnn1 1e-7 28/39,
 * connect-4 1e-7 9/16, covtype 1e-8 13/24, mnist 8 1e-5 20/25.
 *
 * Reference: Mehrotra 1992, SIAM J. Optim. 2(4); Gondzio 1996, Comput. Optim. Appl. 6; for support
 * vector machines Fine & Scheinberg 2001, JMLR 2. Iteration: H (one pass), n^3/3 for its factor, 3
 * passes and 2 for each centrality corrector. */
#include "solvers/dual.h"
#include "solvers/interior_point/ipm.h"
#include "solvers/interior_point/ipm_kernels.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of an iteration without centrality correctors, of one of these, of scores anew. */
enum { PASSES = 4, CENTRE_PASSES = 2, REFRESH_PASSES = 2 };
enum { CORRECTORS_LEAST = 2, CORRECTORS_MOST = 6, SHORTENINGS = 6, PATIENCE = 30, WAITS = 5 };
static const double step_to_boundary = 0.995, step_cut = 0.85; /* of the step */
static const double least_centrality = 0.03;                   /* least product over the mean */
static const double corrector_reach = 0.3,
                    corrector_gain = 1.01;   /* a corrector looks ahead; must lengthen by */
static const double least_progress = 0.99;   /* of gap or mu, within PATIENCE iterations */
static const double least_mu = 1e-16;        /* mu over J */
static const double zero_weight_slack = 0.1; /* slack of a weight that is 0 */
static const double hardly =
    1e-6; /* least share of slack that a weight of 0 may have, and 1/most */

struct ipm {
    struct batch *batch;
    struct ipm_system system;
    struct ipm_rows rows;
    double *w, *dw, *ew, *g, *h; /* columns each */
    double *sparse;              /* w with zeros */
    double mu, step;
    int correctors;   /* of centrality, at most */
    bool pending;     /* a share of the last one is yet to be added to the rows' direction */
    double gap, mark; /* the gap and mu when the patience began */
    int64_t since;
    int waited; /* iterations with a closed gap, for zeros */
};

/* By the cost of H and its factor over that of a corrector's two passes. */
static int choose_correctors(const struct ipm_system *system) {
    static const double row_work = 40; /* of the kernels on a row, in scattered products */
    const struct design *design = system->gram.design;
    double pass = 4 * (double)design->data->nonzeros + row_work * (double)design->rows;
    double most = round(CORRECTORS_LEAST + ipm_system_work(system) / pass);
    return most > CORRECTORS_MOST ? CORRECTORS_MOST : (int)most;
}

static int ipm_init(struct ipm *ipm, struct batch *batch, bool dense, struct error *e) {
    const struct problem *problem = batch->problem;
    int64_t n = problem->risk->dimension;
    *ipm = (struct ipm){.batch = batch, .gap = INFINITY, .mark = INFINITY};
    if (ipm_system_init(&ipm->system, batch, e) != 0 ||
        ipm_rows_init(&ipm->rows, problem->risk->scalar, problem_penalty_parts(problem).l1, dense,
                      e) != 0)
        return -1;
    ipm->w = memory_new(6 * n, sizeof(double), "directions", e);
    if (ipm->w == NULL)
        return -1;
    ipm->correctors = choose_correctors(&ipm->system);
    ipm->dw = ipm->w + n;
    ipm->ew = ipm->dw + n;
    ipm->g = ipm->ew + n;
    ipm->h = ipm->g + n;
    ipm->sparse = ipm->h + n;
    return 0;
}

static void ipm_free(struct ipm *ipm) {
    ipm_system_free(&ipm->system);
    ipm_rows_free(&ipm->rows);
    free(ipm->w);
}

static struct ipm_sums sweep(struct ipm *ipm, ipm_kernel *kernel, const double *w, double *scores,
                             double *g, double *h) {
    if (w != NULL || g != NULL)
        ipm->batch->passes++;
    return ipm_sweep(&ipm->rows, kernel, w, scores, g, h);
}

static void add(double *x, double c, const double *y, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        x[j] += c * y[j];
}

static double mean_product(const struct ipm *ipm, double product) {
    return product / ipm_rows_products(&ipm->rows);
}

/* w without the weights whose slack is above `least`, and above `share` times their part of the largest
 * weight; its J. Slacks of weights that are not 0 fall to 0 with mu, as weights do whose slacks stay. */
static double make_sparse(struct ipm *ipm, double least, double share) {
    const struct problem *problem = ipm->batch->problem;
    double largest = vector_largest(ipm->w, ipm->rows.terms);
    memcpy(ipm->sparse, ipm->w, sizeof *ipm->w * (size_t)problem->risk->dimension);
    for (int64_t j = 0; j < ipm->rows.terms; j++) {
        double slack = ipm_rows_slack(&ipm->rows, j);
        if (slack > least && slack * largest > share * fabs(ipm->w[j]))
            ipm->sparse[j] = 0;
    }
    batch_count(ipm->batch, 1);
    return problem_objective(problem, ipm->sparse);
}

static bool closes(const struct batch *batch, double objective) {
    return objective - batch->bound <= monitor_gap(batch->monitor, objective);
}

/* With a 1-norm the point offered has zeros where the slack is the larger part. It may take some
 * iterations more until that one closes the gap; if too many, or where the gap is open yet, the zeros
 * that are sure will do. */
static void offer_sparse(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    batch_offer(batch, ipm->sparse, make_sparse(ipm, 0, 1));
    if (closes(batch, batch->objective))
        return;
    double objective = make_sparse(ipm, zero_weight_slack, 0);
    ipm->waited += closes(batch, objective);
    if (!closes(batch, objective) || ipm->waited > WAITS)
        batch_offer(batch, ipm->sparse, objective);
}

static void offer(struct ipm *ipm, double loss) {
    struct batch *batch = ipm->batch;
    if (ipm->rows.terms > 0)
        offer_sparse(ipm);
    else
        batch_offer(batch, ipm->w,
                    problem_penalty(batch->problem, ipm->w) + loss / ipm->rows.parts->weight_sum);
}

/* Takes the step; offers w with its J, and the bound of a. */
static void advance(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    ipm->rows.step = ipm->step;
    add(ipm->w, ipm->step, ipm->dw, batch->problem->risk->dimension);
    struct ipm_sums sums = sweep(ipm, ipm_advance, NULL, NULL, NULL, NULL);
    ipm->mu = mean_product(ipm, sums.product);
    batch_raise(batch, dual_bound(batch->problem, ipm->rows.a, ipm->g));
    batch->passes++;
    offer(ipm, sums.loss);
}

/* The longest step <= 1 by 1/(the longest of all). */
static double step_of(double reach) {
    return reach > 1 ? 1 / reach : 1;
}

/* dw for mu = 0; sets the target and leaves the corrector's right side in h. */
static int predict(struct ipm *ipm) {
    struct ipm_rows *rows = &ipm->rows;
    int64_t n = rows->design->columns;
    ipm->batch->passes++;
    if (ipm_system_factor(&ipm->system, rows->curvature, rows->push, rows->terms, ipm->dw) != 0)
        return -1;
    for (int64_t j = 0; j < n; j++)
        ipm->dw[j] =
            -ipm->dw[j] - (j < rows->design->regularized ? ipm->system.ridge * ipm->w[j] : 0);
    if (ipm_system_solve(&ipm->system, ipm->dw) != 0)
        return -1;
    struct ipm_sums sums = sweep(ipm, ipm_predict, ipm->dw, rows->du, ipm->g, ipm->h);
    double step = step_of(sums.reach[0]);
    double after = (1 - step) * ipm->mu + step * step * mean_product(ipm, sums.product);
    double ratio = fmax(after, 0) / ipm->mu;
    rows->target = ratio * ratio * ratio * ipm->mu;
    for (int64_t j = 0; j < n; j++)
        ipm->ew[j] = -(rows->target * ipm->g[j] + ipm->h[j]);
    return 0;
}

static int correct(struct ipm *ipm) {
    int64_t n = ipm->rows.design->columns;
    if (ipm_system_solve(&ipm->system, ipm->ew) != 0)
        return -1;
    struct ipm_sums sums = sweep(ipm, ipm_correct, ipm->ew, ipm->rows.eu, NULL, NULL);
    add(ipm->dw, 1, ipm->ew, n);
    ipm->step = step_of(sums.reach[0]);
    return 0;
}

/* One centrality corrector; false when it does not pay. */
static bool centre(struct ipm *ipm) {
    struct ipm_rows *rows = &ipm->rows;
    int64_t n = rows->design->columns;
    int best = 0;
    rows->past = rows->ahead;
    rows->ahead = fmin(1, ipm->step + corrector_reach);
    sweep(ipm, ipm->pending ? ipm_mix_and_centre : ipm_centre, NULL, NULL, ipm->ew, NULL);
    ipm->pending = false;
    for (int64_t j = 0; j < n; j++)
        ipm->ew[j] = -ipm->ew[j];
    if (ipm_system_solve(&ipm->system, ipm->ew) != 0)
        return false;
    rows->mix = ipm->step * ipm->step;
    struct ipm_sums sums = sweep(ipm, ipm_measure_mixes, ipm->ew, rows->eu, NULL, NULL);
    for (int k = 1; k < IPM_MIXES; k++)
        if (sums.reach[k] < sums.reach[best])
            best = k;
    double step = step_of(sums.reach[best]);
    if (!(step >= corrector_gain * ipm->step))
        return false;
    rows->mix = ipm_mix(rows->mix, best);
    ipm->pending = true;
    add(ipm->dw, rows->mix, ipm->ew, n);
    ipm->step = step;
    return true;
}

static void shorten(struct ipm *ipm) {
    ipm->step *= step_to_boundary;
    ipm->rows.past = ipm->rows.ahead;
    for (int k = 0; k < SHORTENINGS; k++) {
        ipm->rows.step = ipm->step;
        struct ipm_sums sums =
            sweep(ipm, ipm->pending ? ipm_mix_and_try_step : ipm_try_step, NULL, NULL, NULL, NULL);
        ipm->pending = false;
        if (sums.least >= least_centrality * mean_product(ipm, sums.product))
            break;
        ipm->step *= step_cut;
    }
}

static bool asked_to_stop(const struct ipm *ipm) {
    return monitor_poll(ipm->batch->monitor) != VERDICT_GO_ON;
}

/* -1 when the direction is no number: rounding has the last word. A signal cuts it short. */
static int iterate(struct ipm *ipm) {
    if (predict(ipm) != 0 || correct(ipm) != 0)
        return -1;
    for (int k = 0; k < ipm->correctors && ipm->step < 1 && !asked_to_stop(ipm) &&
                    ipm->batch->passes + CENTRE_PASSES + 1 <= ipm->batch->monitor->settings.passes;
         k++)
        if (!centre(ipm))
            break;
    shorten(ipm);
    advance(ipm);
    return 0;
}

/* Scores anew from w, and what depends on them. */
static void refresh(struct ipm *ipm) {
    ipm_rows_refresh(&ipm->rows, ipm->w);
    ipm->batch->passes++;
    ipm->step = 0;
    advance(ipm);
}

/* True when the gap and mu have hardly moved for long, or what is left of them is rounding. Weights
 * of many magnitudes keep the gap high while mu falls. */
static bool stalled(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    double gap = batch->objective - batch->bound;
    bool falls = ipm->mu < least_progress * ipm->mark && ipm->mu > least_mu * batch->objective;
    if (gap < least_progress * ipm->gap || falls) {
        ipm->gap = gap;
        ipm->mark = ipm->mu;
        ipm->since = batch->iteration;
    }
    return batch->iteration - ipm->since >= PATIENCE || ipm_exhausted(batch);
}

/* The sparsest of some points that keeps the gap asked for, or does not raise J. */
static void prune(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    int64_t n = ipm->rows.terms, least = vector_nonzeros(batch->best, n);
    double most = fmax(batch->objective, batch->bound / (1 - fmin(0.5, batch->monitor->tolerance)));
    for (double share = hardly; share * hardly <= 1 && n > 0; share *= 10) {
        double objective = make_sparse(ipm, 0, share);
        if (objective <= most && vector_nonzeros(ipm->sparse, n) < least) {
            batch->objective = INFINITY;
            batch_offer(batch, ipm->sparse, objective);
            break;
        }
    }
}

double ipm_dual_bytes(const struct scalar_parts *parts, bool dense) {
    return ipm_rows_bytes(parts, dense);
}

/* A point that is given is one to beat. */
static void offer_start(struct batch *batch, const double *w) {
    if (vector_nonzeros(w, batch->problem->risk->dimension) == 0)
        return;
    batch_offer(batch, w, problem_objective(batch->problem, w));
    batch_count(batch, 1);
}

int ipm_dual_train(struct batch *batch, const double *w, bool dense, struct error *e) {
    struct ipm ipm;
    bool inexact;
    int status = ipm_init(&ipm, batch, dense, e);
    if (status == 0) {
        int64_t n = batch->problem->risk->dimension;
        memset(ipm.w, 0, sizeof *w * (size_t)n);
        memset(ipm.dw, 0, sizeof *w * (size_t)n);
        offer_start(batch, w);
        ipm_rows_start(&ipm.rows);
        if (batch_affords(batch, 1))
            advance(&ipm);
        while (!ipm_over(batch, &inexact) &&
               batch_affords(batch, PASSES + (inexact ? REFRESH_PASSES : 0))) {
            if (inexact)
                refresh(&ipm);
            if (iterate(&ipm) != 0 || stalled(&ipm))
                batch_stall(batch);
        }
        prune(&ipm);
    }
    ipm_free(&ipm);
    return status;
}
