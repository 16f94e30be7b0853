/* ipm_dual.c - the primal-dual predictor-corrector method on the dual with boxes.
 *
 *     minimize    l2/2 ||w||^2 + l1 ||w||_1 + sum p_i l(<w,x_i>)
 *     maximize   -||s + z||^2/(2 l2) - sum p_i l*(a_i),  s = X'(p a),  low <= a <= high,  |z| <= l1
 *                                                                                  [, sum p a = 0]
 *
 * (l2 = 0: s + z = 0, a linear program), with l and its dual variables as in ipm_rows.h. z are dual variables
 * of rows that are unit vectors; their diag(d) is added to H's diagonal.
 *
 * On the central path all products (a - low) s and (high - a) x equal one number mu, which falls to 0.
 * An iteration:
 *
 *  1. H = X' diag(c d) X + l2 I, d = 1/(kappa + s/(a-low) + x/(high-a)), and its Cholesky factor.
 *     An offset is a last column of X without l2: the same factor then keeps sum p a = 0.
 *  2. Predictor: the Newton direction for mu = 0. Its longest step gives the target t = (mu_after/mu)^3 mu.
 *  3. Corrector: the direction for products t, with the second-order part of the predictor. Its right
 *     side is linear in t, so that the predictor's pass over the rows computes both of its sums.
 *  4. Centrality correctors: products that would leave [0.1, 10] t after a longer step are moved back
 *     into it. Of 9 shares of the corrector in [step^2, 1] the one with the longest step is taken, and
 *     correctors go on while the step grows by 1 %. There are at most 1 to 6 of them: more if H costs
 *     much compared with a pass.
 *  5. One step length for all variables: 0.995 of the longest, shortened while the smallest product is
 *     below 0.03 of the mean.
 *
 * The lower bound is computed from a (dual_bound.h) and holds whatever the iteration did.
 *
 * With l1, the points that are offered have zeros: a weight becomes 0 if the slack of its z, as a share of l1,
 * is larger than the weight as a share of the largest weight. At a unique optimum these are exactly its zeros
 * once mu is small enough. If there are more weights than examples, all targets can be fitted and l1 is tiny,
 * the diagonal is lost in the rounding of X' diag(d) X, and the run may end at a gap of 1e-4.
 *
 * Measured iterations to a certified gap of 1e-3 / 1e-8, with lambda: a9a 1e-4 14/24, w8a 1e-8 38/54, ijcnn1
 * 1e-7 37/47, connect-4 1e-7 11/17, covtype 1e-8 15/30, mnist 8 1e-5 20/25.
 *
 * Reference: Mehrotra 1992, SIAM J. Optim. 2(4); Gondzio 1996, Comput. Optim. Appl. 6; for support vector
 * machines Fine & Scheinberg 2001, JMLR 2. Cost of an iteration: H (one pass), n^3/3 for its factor, 3 passes
 * and 2 more for each centrality corrector. */
#include "solvers/dual_bound.h"
#include "solvers/interior_point/ipm.h"
#include "solvers/interior_point/ipm_kernels.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Passes of an iteration without centrality correctors, of such a corrector, of recomputed scores, and of points with
 * zeros. */
enum { ITERATION_PASSES = 4, CORRECTOR_PASSES = 2, REFRESH_PASSES = 2, OFFER_PASSES = 2 };
enum {
    MIN_CORRECTORS = 1, /* centrality correctors of an iteration; at most IPM_MAX_CORRECTORS */
    PASSES_PER_CORRECTOR = 2, /* one more for each time that H costs as much as so many passes */
    MAX_SHORTENINGS = 6,      /* cuts of the step for centrality */
    SUMS_SENT = 3,            /* sums behind the slope */
    STALL_PATIENCE = 30,      /* iterations without progress before the run has stalled */
    MAX_SPARSE_WAITS = 5      /* iterations with a closed gap that wait for more zeros */
};
static const double step_to_boundary = 0.995;   /* of the longest step */
static const double step_cut = 0.85;            /* factor of a step that is shortened */
static const double min_centrality = 0.03;      /* the smallest product over the mean product */
static const double corrector_look_ahead = 0.3; /* trial step of a corrector minus the step */
static const double corrector_gain = 1.01;      /* factor by which a corrector must lengthen it */
static const double progress_factor = 0.99;     /* progress: the gap or mu falls by this factor */
static const double min_mu = 1e-16;             /* mu over J: below is rounding */
static const double zero_weight_slack = 0.1;    /* slack from which on a weight is surely 0 */
static const double min_slack_share = 1e-6;     /* choose_sparsest tries this to its inverse */

struct ipm {
    struct batch *batch;
    struct ipm_system system;
    struct ipm_rows rows;
    double *w, *dw, *ew; /* columns: the weights, the direction, the corrector */
    double *g, *h;       /* columns: right sides of the systems */
    double *sparse;      /* columns: w with zeros */
    double *sent;        /* columns + SUMS_SENT: the slope of the bound, and sums */
    double mu, step;     /* the mean product; the step length */
    int correctors;      /* centrality correctors of an iteration, at most */
    bool share_pending;  /* the last corrector is in dw but not yet in the rows' direction */
    double progress_gap, progress_mu; /* the gap and mu at the last progress */
    int64_t progress_iteration;       /* the iteration of the last progress */
    int sparse_waits;                 /* iterations with a closed gap that waited for zeros */
    bool inexact;                     /* the gap seemed closed, by rounding */
    bool lost;                        /* rounding has spoilt a solution of this iteration */
    bool failed;                      /* an allocation, with the error E set */
    struct error *e;
};

/* More correctors if H and its factor cost much compared with a corrector's two passes. */
static int choose_correctors(const struct ipm_system *system) {
    static const double row_work = 40; /* cost of the kernels for a row, in scattered products */
    const struct design *design = system->gram.design;
    double pass = 4 * (double)dataset_whole_nonzeros(design->data) +
                  row_work * (double)dataset_whole_rows(design->data);
    double count = floor(MIN_CORRECTORS + ipm_system_work(system) / (PASSES_PER_CORRECTOR * pass));
    return count > IPM_MAX_CORRECTORS ? IPM_MAX_CORRECTORS : (int)count;
}

/* Allocates the system, the rows and the vectors. */
static int ipm_init(struct ipm *ipm, struct batch *batch, const struct ipm_way *way,
                    struct error *e) {
    const struct problem *problem = batch->problem;
    int64_t n = problem->risk->dimension;
    *ipm = (struct ipm){.batch = batch, .progress_gap = INFINITY, .progress_mu = INFINITY, .e = e};
    if (ipm_system_init(&ipm->system, batch, &way->shape, e) != 0 ||
        ipm_rows_init(&ipm->rows, problem->risk->scalar, problem_penalty_parts(problem).l1,
                      way->limit, way->dense, e) != 0)
        return -1;
    ipm->w = memory_new(7 * n + SUMS_SENT, sizeof(double), "directions", e);
    if (ipm->w == NULL)
        return -1;
    ipm->correctors = choose_correctors(&ipm->system);
    if (ipm->correctors > way->correctors)
        ipm->correctors = way->correctors;
    ipm->dw = ipm->w + n;
    ipm->ew = ipm->dw + n;
    ipm->g = ipm->ew + n;
    ipm->h = ipm->g + n;
    ipm->sparse = ipm->h + n;
    ipm->sent = ipm->sparse + n;
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

/* sparse = w, but 0 where the slack of z_j is above min_slack and above min_share times |w_j|/max |w|. Returns
 * its J. As mu falls, the slacks of nonzero weights go to 0, and so do the weights whose slacks remain. */
static double make_sparse(struct ipm *ipm, double min_slack, double min_share) {
    const struct problem *problem = ipm->batch->problem;
    double largest = vector_largest(ipm->w, ipm->rows.l1_terms);
    memcpy(ipm->sparse, ipm->w, sizeof *ipm->w * (size_t)problem->risk->dimension);
    for (int64_t j = 0; j < ipm->rows.l1_terms; j++) {
        double slack = ipm_rows_slack(&ipm->rows, j);
        if (slack > min_slack && slack * largest > min_share * fabs(ipm->w[j]))
            ipm->sparse[j] = 0;
    }
    batch_count(ipm->batch, 1);
    return problem_objective(problem, ipm->sparse);
}

static bool closes_gap(const struct batch *batch, double objective) {
    return monitor_closes(batch->monitor, objective, batch->bound);
}

/* Offers w with zeros where the slack is the larger of the two shares. If this point does not close the gap,
 * the point with only the sure zeros (slack above zero_weight_slack) is offered, too. If that one would close
 * the gap, it is held back for up to MAX_SPARSE_WAITS iterations, as the sparser point may soon close it. */
static void offer_sparse(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    batch_offer(batch, ipm->sparse, make_sparse(ipm, 0, 1));
    if (closes_gap(batch, batch->objective))
        return;
    double objective = make_sparse(ipm, zero_weight_slack, 0);
    ipm->sparse_waits += closes_gap(batch, objective);
    if (!closes_gap(batch, objective) || ipm->sparse_waits > MAX_SPARSE_WAITS)
        batch_offer(batch, ipm->sparse, objective);
}

static void offer(struct ipm *ipm, double loss) {
    struct batch *batch = ipm->batch;
    if (ipm->rows.l1_terms > 0)
        offer_sparse(ipm);
    else
        batch_offer(batch, ipm->w,
                    problem_penalty(batch->problem, ipm->w) + loss / ipm->rows.terms->weight_sum);
}

/* Takes the step, offers w with its J, and raises the bound by a. The processes exchange the sums of all this, and of
 * the next system, once. */
static void advance(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    struct ipm_rows *rows = &ipm->rows;
    const struct risk *risk = batch->problem->risk;
    double centre, *slope = ipm->sent, *further = slope + risk->dimension;
    rows->step = ipm->step;
    add(ipm->w, ipm->step, ipm->dw, risk->dimension);
    struct ipm_sums sums = ipm_sweep_own(rows, ipm_advance);
    further[0] = dual_linearize_own(risk, rows->a, slope, &centre);
    further[1] = sums.loss;
    further[2] = sums.product;
    ipm_system_sum(&ipm->system, rows->curvature, rows->right_side, slope,
                   risk->dimension + SUMS_SENT);
    sums.loss = further[1];
    sums.product = further[2];
    ipm_sweep_terms(rows, ipm_advance, &sums);
    ipm->mu = mean_product(ipm, sums.product);
    batch_raise(batch, dual_bound_known(batch->problem, rows->a, slope,
                                        -further[0] / rows->terms->weight_sum, centre));
    batch->passes++;
    offer(ipm, sums.loss);
}

/* The longest step up to 1, from the inverse of the longest step of all. */
static double longest_step(double inverse_step) {
    return inverse_step > 1 ? 1 / inverse_step : 1;
}

/* v <- H^-1 v */
static int solve(struct ipm *ipm, double *v) {
    const struct batch *batch = ipm->batch;
    double left = batch->monitor->settings.passes - batch->passes -
                  (ITERATION_PASSES + ipm_system_least_passes(&ipm->system));
    int status = ipm_system_solve(&ipm->system, v, left);
    ipm->batch->passes += (double)ipm_system_passes(&ipm->system);
    ipm->lost = ipm->lost || ipm_system_is_lost(&ipm->system);
    return status;
}

/* The predictor: dw for mu = 0. Sets the target and leaves the corrector's right side in ew. */
static int predict(struct ipm *ipm) {
    struct ipm_rows *rows = &ipm->rows;
    int64_t n = rows->design->columns;
    ipm->batch->passes++;
    int factored =
        ipm_system_factor(&ipm->system, rows->curvature, rows->right_side, rows->l1_terms, ipm->dw);
    ipm->batch->passes += (double)ipm_system_passes(&ipm->system);
    if (factored != 0)
        return -1;
    for (int64_t j = 0; j < n; j++)
        ipm->dw[j] =
            -ipm->dw[j] - (j < rows->design->regularized ? ipm->system.ridge * ipm->w[j] : 0);
    if (solve(ipm, ipm->dw) != 0)
        return -1;
    struct ipm_sums sums = sweep(ipm, ipm_predict, ipm->dw, rows->du, ipm->g, ipm->h);
    double step = longest_step(sums.inverse_step[0]);
    double after = (1 - step) * ipm->mu + step * step * mean_product(ipm, sums.product);
    double ratio = fmax(after, 0) / ipm->mu;
    rows->target = ratio * ratio * ratio * ipm->mu;
    for (int64_t j = 0; j < n; j++)
        ipm->ew[j] = -(rows->target * ipm->g[j] + ipm->h[j]);
    return 0;
}

/* Adds the corrector to dw and finds the longest step. */
static int correct(struct ipm *ipm) {
    int64_t n = ipm->rows.design->columns;
    if (solve(ipm, ipm->ew) != 0)
        return -1;
    struct ipm_sums sums = sweep(ipm, ipm_correct, ipm->ew, ipm->rows.eu, NULL, NULL);
    add(ipm->dw, 1, ipm->ew, n);
    ipm->step = longest_step(sums.inverse_step[0]);
    return 0;
}

/* One centrality corrector; false if it does not lengthen the step enough. */
static bool centre(struct ipm *ipm) {
    struct ipm_rows *rows = &ipm->rows;
    int64_t n = rows->design->columns;
    int best = 0;
    rows->last_trial_step = rows->trial_step;
    rows->trial_step = fmin(1, ipm->step + corrector_look_ahead);
    sweep(ipm, ipm->share_pending ? ipm_add_share_and_centre : ipm_centre, NULL, NULL, ipm->ew,
          NULL);
    ipm->share_pending = false;
    for (int64_t j = 0; j < n; j++)
        ipm->ew[j] = -ipm->ew[j];
    if (solve(ipm, ipm->ew) != 0)
        return false;
    rows->share = ipm->step * ipm->step;
    struct ipm_sums sums = sweep(ipm, ipm_measure_shares, ipm->ew, rows->eu, NULL, NULL);
    for (int k = 1; k < IPM_SHARES; k++)
        if (sums.inverse_step[k] < sums.inverse_step[best])
            best = k;
    double step = longest_step(sums.inverse_step[best]);
    if (!(step >= corrector_gain * ipm->step))
        return false;
    rows->share = ipm_share(rows->share, best);
    ipm->share_pending = true;
    add(ipm->dw, rows->share, ipm->ew, n);
    ipm->step = step;
    return true;
}

/* Shortens the step to keep all variables positive and the products central. */
static void shorten_step(struct ipm *ipm) {
    ipm->step *= step_to_boundary;
    ipm->rows.last_trial_step = ipm->rows.trial_step;
    for (int k = 0; k < MAX_SHORTENINGS; k++) {
        ipm->rows.step = ipm->step;
        struct ipm_sums sums =
            sweep(ipm, ipm->share_pending ? ipm_add_share_and_try_step : ipm_try_step, NULL, NULL,
                  NULL, NULL);
        ipm->share_pending = false;
        if (sums.min_product >= min_centrality * mean_product(ipm, sums.product))
            break;
        ipm->step *= step_cut;
    }
}

static bool is_stopped(const struct ipm *ipm) {
    return monitor_poll(ipm->batch->monitor) != VERDICT_GO_ON;
}

/* At most. */
static int refresh_passes(const struct ipm *ipm) {
    return REFRESH_PASSES + (ipm->rows.l1_terms > 0 ? OFFER_PASSES : 0);
}

/* Recomputes the scores from w, and all that depends on them. */
static void refresh(struct ipm *ipm) {
    ipm_rows_refresh(&ipm->rows, ipm->w);
    ipm->batch->passes++;
    ipm->step = 0;
    advance(ipm);
}

static int predict_and_correct(struct ipm *ipm) {
    ipm->lost = false;
    return predict(ipm) != 0 || correct(ipm) != 0 ? -1 : 0;
}

/* Again with H itself if rounding has spoilt it. */
static int find_direction(struct ipm *ipm) {
    int status = predict_and_correct(ipm);
    bool spoilt = ipm->system.wide != NULL && (status != 0 || ipm->lost);
    if (!spoilt || !ipm->system.shape.both || is_stopped(ipm))
        return status;
    ipm->failed = ipm_system_leave_wide(&ipm->system, ipm->batch, ipm->e) != 0;
    if (ipm->failed || !batch_affords(ipm->batch, ITERATION_PASSES + refresh_passes(ipm)))
        return -1;
    memset(ipm->dw, 0, sizeof *ipm->dw * (size_t)ipm->rows.design->columns); /* of any numbers */
    refresh(ipm); /* the direction has the place of the system's numbers */
    return predict_and_correct(ipm);
}

/* One iteration: predictor, corrector, centrality correctors, step. -1 if the direction is not finite: rounding
 * has become too large. A request to stop skips the remaining centrality correctors. */
static int iterate(struct ipm *ipm) {
    if (find_direction(ipm) != 0)
        return -1;
    int passes = CORRECTOR_PASSES + ipm_system_least_passes(&ipm->system);
    for (int k = 0; k < ipm->correctors && ipm->step < 1 && !is_stopped(ipm) &&
                    ipm->batch->passes + passes + 1 <= ipm->batch->monitor->settings.passes;
         k++)
        if (!centre(ipm))
            break;
    shorten_step(ipm);
    advance(ipm);
    return 0;
}

/* True if neither the gap nor mu has made progress for STALL_PATIENCE iterations, or if the gap is within
 * rounding. (With weights of many magnitudes the gap stays large for long while mu falls.) */
static bool stalled(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    double gap = batch->objective - batch->bound;
    bool falls =
        ipm->mu < progress_factor * ipm->progress_mu && ipm->mu > min_mu * batch->objective;
    if (gap < progress_factor * ipm->progress_gap || falls) {
        ipm->progress_gap = gap;
        ipm->progress_mu = ipm->mu;
        ipm->progress_iteration = batch->iteration;
    }
    return batch->iteration - ipm->progress_iteration >= STALL_PATIENCE ||
           ipm_gap_is_rounding(batch);
}

/* Replaces the best point by the sparsest of several thresholded ones that keep the required gap, or do not
 * raise J. */
static void choose_sparsest(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    int64_t n = ipm->rows.l1_terms, fewest = vector_nonzeros(batch->best, n);
    double max_objective =
        fmax(batch->objective, batch->bound / (1 - fmin(0.5, batch->monitor->tolerance)));
    for (double share = min_slack_share; share * min_slack_share <= 1 && n > 0; share *= 10) {
        double objective = make_sparse(ipm, 0, share);
        if (objective <= max_objective && vector_nonzeros(ipm->sparse, n) < fewest) {
            batch->objective = INFINITY;
            batch_offer(batch, ipm->sparse, objective);
            break;
        }
    }
}

double ipm_dual_bytes(const struct scalar_terms *terms, bool dense) {
    return ipm_rows_bytes(terms, dense);
}

/* A given start is offered as the best point so far. */
static void offer_start(struct batch *batch, const double *w) {
    if (w == NULL || vector_nonzeros(w, batch->problem->risk->dimension) == 0)
        return;
    batch_offer(batch, w, problem_objective(batch->problem, w));
    batch_count(batch, 1);
}

/* After a report. */
static void visit(struct state *state, void *context) {
    struct ipm *ipm = context;
    batch_visit(ipm->batch, state);
    ipm_rows_visit(&ipm->rows, state);
    state_doubles(state, ipm->w, 2 * ipm->rows.design->columns); /* and dw */
    STATE_REALS(state, &ipm->mu, &ipm->step, &ipm->progress_gap, &ipm->progress_mu);
    ipm->share_pending = state_flag(state, ipm->share_pending);
    ipm->inexact = state_flag(state, ipm->inexact);
    ipm->progress_iteration = state_integer(state, ipm->progress_iteration, 0, INT64_MAX);
    ipm->sparse_waits = (int)state_integer(state, ipm->sparse_waits, 0, INT32_MAX);
    ipm->system.left_wide = state_flag(state, ipm->system.left_wide);
}

/* Reports; whether another iteration may begin. */
static bool goes_on(struct ipm *ipm) {
    struct batch *batch = ipm->batch;
    return !ipm_end_iteration(batch, &ipm->inexact) &&
           batch_affords(batch, ITERATION_PASSES + (ipm->system.wide != NULL) +
                                    2 * ipm_system_least_passes(&ipm->system) +
                                    (ipm->inexact ? refresh_passes(ipm) : 0)) &&
           !batch_save(batch);
}

/* Start at w = 0; iterate until the gap is closed or progress ends; then look for sparser weights. */
int ipm_dual_train(struct batch *batch, const double *w, const struct ipm_way *way,
                   struct error *e) {
    struct ipm ipm;
    int status = communicator_agree(batch->problem->risk->scalar->design->data->communicator,
                                    ipm_init(&ipm, batch, way, e), e);
    if (status == 0) {
        int64_t n = batch->problem->risk->dimension;
        memset(ipm.w, 0, sizeof *ipm.w * (size_t)n);
        memset(ipm.dw, 0, sizeof *ipm.w * (size_t)n);
        offer_start(batch, w);
        ipm_rows_start(&ipm.rows); /* a, r and the multipliers */
        enum checkpoint_entry entry = monitor_enter_run(batch->monitor, visit, &ipm, e);
        bool reported = entry == CHECKPOINT_GOES_ON;
        status = entry == CHECKPOINT_REFUSED ? -1 : 0;
        if (status == 0 && ipm.system.left_wide)
            status = ipm_system_leave_wide(&ipm.system, batch, e);
        if (status == 0 && entry == CHECKPOINT_BEGINS && batch_affords(batch, 1))
            advance(&ipm);
        for (; status == 0 && (reported || goes_on(&ipm)); reported = false) {
            if (ipm.inexact)
                refresh(&ipm);
            if (iterate(&ipm) != 0 || stalled(&ipm))
                batch_stall(batch);
            status = ipm.failed ? -1 : 0;
        }
    }
    if (status == 0)
        choose_sparsest(&ipm);
    ipm_free(&ipm);
    return status;
}
