/* ipm_curve.c - Newton's method along a path of lambda, which follows the curve of the solutions.
 *
 * A run ends with a point and its derivatives by t = log lambda, from the system of its last step:
 *
 *     w,  s = X' p a,  u = X w,  a = l'(u)        (lambda w + s = 0)
 *     dw/dt = -H^-1 lambda w,  ds/dt = G dw/dt,  du/dt = X dw/dt,  da/dt = l''(u) du/dt,  H = G + lambda I
 *
 * s is linear in a, and u in w. So a cubic through two such points has at each lambda between them a w with its scores,
 * and dual variables with their slope: J and a lower bound without a pass over the data, with errors of the fourth
 * order in the distance of the two, squared. Dual variables that the cubic takes out of the domain of l* are clipped;
 * then s takes a pass. The derivatives of the cubic are those of the same curve, so that mixtures mix again.
 *
 * A step of Newton's method, w + dw with X dw known, has the dual variables a + l''(u) X dw, whose slope is g + G dw:
 * the bound takes no pass either, and its error is that of the second order, not divided by lambda.
 *
 * A loss with kinks is smoothed there (smoothed_box.h), as smooth as the gap allows; its curve is that of the smoothed
 * J. J is measured by the loss itself. The primal-dual method trains where the steps do not close the gap soon, since
 * they need a small mu; then so do the next runs: 2, after another failure 4, and so on.
 *
 * Reference: Rosset 2004, NIPS 17 (second-order path following); Giesen et al. 2012 (paths). Cost of an iteration: H
 * with the gradient, n^3/3 for its factor, 2 passes; of a run a pass more. Memory: 9 numbers a row. */
#include "solvers/interior_point/ipm.h"
#include "solvers/interior_point/ipm_newton.h"

#include "io/memory.h"
#include "math/vector.h"
#include "risk/scores.h"
#include "solvers/dual_bound.h"
#include "solvers/linearization.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 30, ITERATION_PASSES = 3, MOST_FAILURES = 20 };

/* Of a smoothed loss, whose kinks clip the dual variables, a bound is worth its pass only after a decrement of at most
 * this part of the gap. */
static const double small_part = 0.1;

/* The numbers of a point, and their derivatives: one array each, with parts for columns and for rows. */
struct curve {
    double lambda;
    double mu;                  /* of the smoothed loss; 0: the loss has no kinks */
    int failures, runs_to_skip; /* runs in a row that began anew after all; runs not to try it */
    int64_t columns, rows;
    double *at, *slope;
    double *work; /* columns + rows, behind both */
};

static int64_t numbers_of(const struct curve *curve) {
    return 2 * (curve->columns + curve->rows);
}

/* The parts of either array behind w: s, u, c a. */
static double *slope_of(const struct curve *curve, double *array) {
    return array + curve->columns;
}

static double *scores_of(const struct curve *curve, double *array) {
    return array + 2 * curve->columns;
}

static double *duals_of(const struct curve *curve, double *array) {
    return array + 2 * curve->columns + curve->rows;
}

static void free_curve(void *state) {
    struct curve *curve = state;
    free(curve->at);
    free(curve);
}

static struct curve *new_curve(int64_t columns, int64_t rows, struct error *e) {
    static const char what[] = "the curve of the solutions";
    struct curve *curve = memory_new(1, sizeof *curve, what, e);
    if (curve == NULL)
        return NULL;
    *curve = (struct curve){.columns = columns,
                            .rows = rows,
                            .at = memory_new(5 * (columns + rows), sizeof(double), what, e)};
    if (curve->at == NULL) {
        free(curve);
        return NULL;
    }
    curve->slope = curve->at + numbers_of(curve);
    curve->work = curve->slope + numbers_of(curve);
    return curve;
}

/* ---- between two points */

static void copy(struct curve *curve, const struct curve *from) {
    memcpy(curve->at, from->at, sizeof *curve->at * 2 * (size_t)numbers_of(from));
    curve->lambda = from->lambda;
}

/* The cubic through A and B, and its derivatives, as A and what is added, so that what is equal in both stays so. */
static void interpolate(struct curve *curve, const struct curve *a, const struct curve *b) {
    double whole = log(b->lambda / a->lambda), t = log(curve->lambda / a->lambda) / whole;
    double change = t * t * (3 - 2 * t), change_slope = 6 * t * (1 - t) / whole;
    double first = t * (1 - t) * (1 - t) * whole, first_slope = (1 - t) * (1 - 3 * t);
    double last = t * t * (t - 1) * whole, last_slope = t * (3 * t - 2);
    for (int64_t j = 0; j < numbers_of(curve); j++) {
        double apart = b->at[j] - a->at[j];
        curve->at[j] = a->at[j] + change * apart + first * a->slope[j] + last * b->slope[j];
        curve->slope[j] =
            change_slope * apart + first_slope * a->slope[j] + last_slope * b->slope[j];
    }
}

static void *mix(const void *first, const void *second, double fraction, struct error *e) {
    const struct curve *a = first, *b = second;
    struct curve *curve = new_curve(a->columns, a->rows, e);
    if (curve == NULL)
        return NULL;
    curve->lambda = a->lambda + fraction * (b->lambda - a->lambda);
    curve->mu = fmax(a->mu, b->mu);
    curve->failures = a->failures > b->failures ? a->failures : b->failures;
    curve->runs_to_skip = a->runs_to_skip > b->runs_to_skip ? a->runs_to_skip : b->runs_to_skip;
    if (a->lambda != b->lambda)
        interpolate(curve, a, b);
    else
        copy(curve, a);
    return curve;
}

static double risk_of(const struct curve *curve, const struct scalar_terms *terms) {
    return scores_risk(terms, scores_of(curve, curve->at), NULL, 0, NULL);
}

static double place(const void *state, const struct problem *problem, double *w) {
    const struct curve *curve = state;
    memcpy(w, curve->at, sizeof *w * (size_t)curve->columns);
    return risk_of(curve, problem->risk->scalar);
}

/* Whether the dual variables CA, times c, are within their domains but for rounding. */
static bool in_domain(const struct scalar_terms *terms, const double *ca) {
    static const double rounding = 16 * DBL_EPSILON;
    bool in = true;
    for (int64_t i = 0; in && i < terms->design->rows; i++) {
        double low, high, c = scalar_weight(terms, i);
        terms->loss->domain(scalar_target(terms, i), &terms->parameters, &low, &high);
        in = !(c > 0) || (ca[i] >= c * low * (1 + rounding) && ca[i] <= c * high * (1 + rounding));
    }
    return !communicator_any(terms->design->data->communicator, !in);
}

/* The bound by the dual variables CA, times c, of this slope. WORK, rows and columns, is overwritten; *passes grows
 * where they are clipped. */
static double bound_by(const struct problem *problem, const double *ca, const double *slope,
                       double *work, double *passes) {
    const struct scalar_terms *terms = problem->risk->scalar;
    double squares;
    if (in_domain(terms, ca)) {
        double t = dual_constant(terms, ca, NULL, &squares);
        return dual_bound_known(problem, ca, slope, t, 0);
    }
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double c = scalar_weight(terms, i);
        work[i] = c > 0 ? ca[i] / c : 0;
    }
    *passes += 1;
    return dual_bound(problem, work, work + terms->design->rows);
}

static double bound(const void *state, const struct problem *problem, double *passes) {
    const struct curve *curve = state;
    return bound_by(problem, duals_of(curve, curve->at), slope_of(curve, curve->at), curve->work,
                    passes);
}

static void visit_kept(struct state *list, void **state, const struct problem *problem) {
    struct curve *curve = *state;
    const struct design *design = problem->risk->scalar->design;
    if (!state_holds(list, 4 * (design->columns + design->rows), sizeof *curve->at))
        return;
    if (curve == NULL) {
        *state = curve = new_curve(design->columns, design->rows, state_cause(list));
        if (curve == NULL) {
            state_fail(list);
            return;
        }
    }
    STATE_REALS(list, &curve->lambda, &curve->mu);
    curve->failures = (int)state_integer(list, curve->failures, 0, MOST_FAILURES);
    curve->runs_to_skip = (int)state_integer(list, curve->runs_to_skip, 0, 1 << MOST_FAILURES);
    state_doubles(list, curve->at, 2 * numbers_of(curve)); /* and the slope */
}

const struct kept_kind ipm_curve_kept = {
    .free = free_curve, .visit = visit_kept, .mix = mix, .place = place, .bound = bound};

/* ---- a run */

struct follower {
    struct newton newton;
    struct curve *next; /* the point that the run leaves */
    double *second;     /* rows: c l'' of the last system */
};

/* Whether the loss is smoothed: those with kinks, and for a gap that is not small those whose derivative has kinks,
 * too, where Newton steps on the loss itself would be many. */
static bool smooths(const struct loss *loss, const struct monitor *monitor) {
    static const double small = 5e-4;
    return loss->second == NULL || (loss_has_box(loss) && monitor->tolerance > small);
}

bool ipm_curve_takes(const struct problem *problem) {
    const struct risk *risk = problem->risk;
    const struct dataset *data = risk->scalar->design->data;
    const struct loss *loss = risk->scalar->loss;
    return problem->kept != NULL && (loss->second != NULL || loss_has_box(loss)) &&
           problem_penalty_parts(problem).l1 == 0 && risk->dimension == risk->regularized &&
           data->window == NULL;
}

/* Moves the last point to the problem's lambda along its tangent, as far as J falls: not, half, or all of it. */
static void extrapolate(struct curve *curve, const struct problem *problem) {
    static const double part[] = {0.5, 1};
    double way = log(problem->lambda / curve->lambda), best, moved = 0;
    double *w = curve->at;
    int64_t all = numbers_of(curve);
    best = risk_of(curve, problem->risk->scalar) + problem_penalty(problem, w);
    for (int k = 0; k < 2; k++) {
        vector_add(curve->at, (part[k] - moved) * way, curve->slope, all);
        double objective = risk_of(curve, problem->risk->scalar) + problem_penalty(problem, w);
        moved = part[k];
        if (!(objective < best)) {
            vector_add(curve->at, ((k > 0 ? part[k - 1] : 0) - moved) * way, curve->slope, all);
            return;
        }
        best = objective;
    }
}

static bool is_smoothed(const struct follower *f) {
    return f->newton.smoothed.terms != NULL;
}

static void offer(struct batch *batch, const struct curve *curve) {
    const struct problem *problem = batch->problem;
    double risk = risk_of(curve, problem->risk->scalar);
    batch_offer(batch, curve->at, risk + problem_penalty(problem, curve->at));
}

/* Of a run without a curve, whose scores are to be known, too. No pass where it is 0. */
static void offer_start(struct newton *newton, const double *start) {
    struct batch *batch = newton->batch;
    const struct design *design = newton->terms->design;
    if (vector_nonzeros(start, design->columns) == 0) {
        memset(newton->u, 0, sizeof *newton->u * (size_t)design->rows);
    } else {
        design_scores(design, start, newton->u);
        batch->passes++;
    }
    batch_offer(batch, start,
                scores_risk(newton->terms, newton->u, NULL, 0, NULL) +
                    problem_penalty(batch->problem, start));
}

/* The first point: on the curve, or START. */
static int begin(struct follower *f, struct batch *batch, const double *start, struct error *e) {
    const struct problem *problem = batch->problem;
    struct curve *curve = problem->kept->state;
    if (curve != NULL && !problem->kept->mixed && curve->lambda != problem->lambda)
        extrapolate(curve, problem);
    if (curve != NULL)
        offer(batch, curve);
    const double *w = curve != NULL ? curve->at : start;
    if (newton_init(&f->newton, batch, w, &ipm_whole, e) != 0)
        return -1;
    if (smooths(f->newton.terms->loss, batch->monitor))
        smoothed_box_init(&f->newton.smoothed, f->newton.terms);
    f->newton.smoothed.mu = curve != NULL ? curve->mu : 0;
    if (curve == NULL)
        offer_start(&f->newton, start);
    newton_place(&f->newton, curve != NULL ? scores_of(curve, curve->at) : f->newton.u);
    batch_raise(batch, 0);
    if (problem->linearization != NULL)
        batch_raise(batch, problem->linearization->bound);
    return 0;
}

/* A step, its dual variables, and the bound by them. Its length; not-a-number: there is no direction. */
static double advance(struct follower *f) {
    struct newton *newton = &f->newton;
    struct batch *batch = newton->batch;
    struct curve *next = f->next;
    double *ca = duals_of(next, next->at), *s = slope_of(next, next->at);
    double weights = newton->terms->weight_sum;
    memcpy(ca, newton->derivative, sizeof *ca * (size_t)next->rows);
    memcpy(f->second, newton->curvature, sizeof *ca * (size_t)next->rows);
    if (newton_direction(newton) != 0)
        return NAN;
    for (int64_t i = 0; i < next->rows; i++)
        ca[i] += f->second[i] * newton->du[i];
    ipm_system_multiply(&newton->system, newton->dw, s);
    for (int64_t j = 0; j < next->columns; j++)
        s[j] = (newton->slope[j] + s[j]) / weights;
    double step = newton_search(newton);
    if (!is_smoothed(f) ||
        newton->decrement <= small_part * weights * monitor_gap(batch->monitor, batch->objective))
        batch_raise(batch, bound_by(batch->problem, ca, s, next->work, &batch->passes));
    newton_move(newton, step);
    return step;
}

/* What the next run begins with, by the last system. */
static void leave(struct follower *f) {
    struct newton *newton = &f->newton;
    const struct design *design = newton->terms->design;
    struct curve *next = f->next;
    double *w = next->slope, *u = scores_of(next, next->slope);
    double *ca = duals_of(next, next->slope), *s = slope_of(next, next->slope);
    double weights = newton->terms->weight_sum;
    memcpy(next->at, newton->w, sizeof *w * (size_t)next->columns);
    memcpy(scores_of(next, next->at), newton->u, sizeof *u * (size_t)next->rows);
    for (int64_t j = 0; j < next->columns; j++)
        w[j] = -newton->system.ridge * newton->w[j];
    if (ipm_system_solve(&newton->system, w, INFINITY) != 0)
        return;
    ipm_system_multiply(&newton->system, w, s);
    vector_scale(s, 1 / weights, next->columns);
    design_scores(design, w, u);
    newton->batch->passes++;
    for (int64_t i = 0; i < next->rows; i++)
        ca[i] = f->second[i] * u[i];
    next->lambda = newton->batch->problem->lambda;
    next->mu = newton->smoothed.mu;
    *newton->batch->problem->kept = (struct kept){.state = next, .kind = &ipm_curve_kept};
    f->next = NULL;
}

static int allocate(struct follower *f, const struct problem *problem, struct error *e) {
    const struct design *design = problem->risk->scalar->design;
    *f = (struct follower){.next = new_curve(design->columns, design->rows, e),
                           .second = memory_new(design->rows, sizeof(double), "the curve", e)};
    return f->next != NULL && f->second != NULL ? 0 : -1;
}

static void release(struct follower *f) {
    if (f->next != NULL)
        free_curve(f->next);
    free(f->second);
    newton_free(&f->newton);
}

/* Steps until the gap is closed, or there is none that helps. Whether the last one had a direction. */
static bool follow(struct follower *f) {
    struct batch *batch = f->newton.batch;
    double step = NAN;
    for (int k = 0; k < MOST_STEPS && batch_affords(batch, ITERATION_PASSES); k++) {
        if (k == 0 && batch_report(batch))
            break;
        step = advance(f);
        if (batch_report(batch) || !(step > 0))
            break;
    }
    return !isnan(step);
}

/* Whether Newton steps are not to be tried: of losses with kinks, after a failure, or without a gap to smooth by. */
static bool skips(struct batch *batch) {
    const struct problem *problem = batch->problem;
    struct curve *curve = problem->kept->state;
    if (!smooths(problem->risk->scalar->loss, batch->monitor))
        return false;
    if (curve == NULL)
        return !(batch->monitor->tolerance > 0);
    if (curve->runs_to_skip == 0)
        return false;
    curve->runs_to_skip--;
    offer(batch, curve);
    return true;
}

/* Whether the point is left to the next run: where Newton steps ended the run; and of losses with kinks, whose next
 * runs are not to try them, also where they did not. */
static bool leaves(struct follower *f, bool has_system, int failures) {
    const struct batch *batch = f->newton.batch;
    if (batch->verdict != VERDICT_GO_ON || !is_smoothed(f))
        return has_system && batch->verdict == VERDICT_CONVERGED;
    f->next->failures = failures < MOST_FAILURES ? failures + 1 : MOST_FAILURES;
    f->next->runs_to_skip = 1 << f->next->failures;
    return has_system;
}

int ipm_curve_train(struct batch *batch, const double *start, struct error *e) {
    struct follower f;
    struct kept *kept = batch->problem->kept;
    const struct curve *curve = kept->state;
    int failures = curve != NULL ? curve->failures : 0;
    if (skips(batch))
        return 0;
    struct communicator *c = batch->problem->risk->scalar->design->data->communicator;
    int status = communicator_agree(c, allocate(&f, batch->problem, e), e);
    if (status == 0)
        status = begin(&f, batch, start, e);
    kept_free(kept);
    if (status == 0 && leaves(&f, follow(&f), failures) && batch_affords(batch, 1))
        leave(&f);
    release(&f);
    return status;
}
