/* ipm_near.c - runs along a path, which begin near the solution of another lambda.
 *
 * The first point is a mixture of two solutions, or on the line through the two before, as functions of lambda.
 * This is for problems with an offset, or read from a disk; others follow a curve (ipm_curve.c).
 *
 * Smooth losses go on from there by damped Newton (ipm_newton.c). Of losses with a
 * box the primal-dual method would have to begin anew: its variables are close to the ends of their boxes, and any that
 * is at the wrong end blocks the step. Here they take Newton steps on the loss smoothed at its kinks (smoothed_box.h),
 * as smooth as the gap allows:
 *
 *     for k = 0, 1, ...: choose mu by the gap; w <- w + step dw, dw = -H^-1 g of the smoothed J; bound by a = l_mu'(u)
 *
 * A gap of 1 % is mostly closed by one step, of 3 passes, where the primal-dual method takes 6 to 10 iterations of 4
 * to 6. Near the solution the decrements g'H^-1 g/2 fall as a square. Where one is hardly less than the one before,
 * since mu is small, the primal-dual method begins anew, and so do some of the next runs.
 *
 * Reference: Chapelle 2007, Neural Comput. 19(5) (Newton for the smoothed hinge); Giesen et al. 2012 (paths). */
#include "solvers/interior_point/ipm.h"
#include "solvers/interior_point/ipm_newton.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 8, ITERATION_PASSES = 3 };
static const double most_decrement = 0.8; /* of the one before, after a whole step */

/* What a run leaves for the next one. */
struct ipm_kept {
    double lambda, lambda_before; /* of the last two; 0: there is none */
    double *w, *before;           /* their solutions */
    double mu;                    /* of the smoothed loss; 0: none yet */
    int failures, runs_to_skip;   /* runs in a row that began anew after all; runs not to try it */
};

static void free_kept(void *state) {
    struct ipm_kept *kept = state;
    free(kept->w);
    free(kept);
}

static struct ipm_kept *new_kept(int64_t n, struct error *e) {
    struct ipm_kept *kept = memory_new(1, sizeof *kept, "the solution", e);
    if (kept == NULL)
        return NULL;
    *kept = (struct ipm_kept){.w = memory_zeroed(2 * n, sizeof(double), "the solution", e)};
    if (kept->w == NULL) {
        free(kept);
        return NULL;
    }
    kept->before = kept->w + n;
    return kept;
}

static void visit_kept(struct state *list, void **state, const struct problem *problem) {
    struct ipm_kept *kept = *state;
    int64_t n = problem->risk->dimension;
    if (!state_holds(list, 2 * n, sizeof *kept->w))
        return;
    if (kept == NULL) {
        *state = kept = new_kept(n, state_cause(list));
        if (kept == NULL) {
            state_fail(list);
            return;
        }
    }
    STATE_REALS(list, &kept->lambda, &kept->lambda_before, &kept->mu);
    state_doubles(list, kept->w, 2 * n); /* and before */
    kept->failures = (int)state_integer(list, kept->failures, 0, INT32_MAX - 1);
    kept->runs_to_skip = (int)state_integer(list, kept->runs_to_skip, 0, INT32_MAX);
}

const struct kept_kind ipm_near_kept = {.free = free_kept, .visit = visit_kept};

/* Moves W, the last solution, along the line through the last two. */
static void extrapolate(const struct ipm_kept *kept, double lambda, int64_t n, double *w) {
    double last = kept->lambda;
    if (!(kept->lambda_before > last && last > lambda))
        return;
    double fraction = (last - lambda) / (kept->lambda_before - last);
    for (int64_t j = 0; j < n; j++)
        w[j] += fraction * (kept->w[j] - kept->before[j]);
}

struct ipm_near ipm_near_begin(struct batch *batch, double *w) {
    const struct problem *problem = batch->problem;
    const struct ipm_kept *kept = problem->kept->state;
    if (kept == NULL)
        return (struct ipm_near){0};
    batch_offer(batch, w, problem->kept->risk + problem_penalty(problem, w));
    bool begins = kept->runs_to_skip == 0 && batch->monitor->tolerance > 0;
    if (begins && !problem->kept->mixed)
        extrapolate(kept, problem->lambda, problem->risk->dimension, w);
    return (struct ipm_near){.offered = true, .begins = begins, .mu = kept->mu};
}

/* Whether the steps close the gap, or a limit ends them. */
static bool approach(struct newton *newton) {
    struct batch *batch = newton->batch;
    double before = INFINITY, last = 0;
    newton_begin(newton);
    for (int k = 0; k < MOST_STEPS && batch_affords(batch, ITERATION_PASSES); k++) {
        if (newton_direction(newton) != 0)
            break;
        double step = newton_search(newton);
        if (!(newton->decrement <= fmax(most_decrement, 1 - last) * before))
            break;
        before = newton->decrement;
        last = step;
        newton_advance(newton, step);
        if (batch_report(batch))
            break;
    }
    return batch->verdict != VERDICT_GO_ON;
}

int ipm_near_train(struct batch *batch, const double *w, struct ipm_near *near, struct error *e) {
    struct newton newton;
    int status = newton_init(&newton, batch, w, &ipm_whole, e);
    if (status == 0) {
        smoothed_box_init(&newton.smoothed, newton.terms);
        newton.smoothed.mu = near->mu;
        near->fails = !approach(&newton);
        near->mu = newton.smoothed.mu;
    }
    newton_free(&newton);
    return status;
}

/* Updates the counts after a run. */
static void count(struct ipm_kept *kept, const struct ipm_kept *old, const struct ipm_near *near) {
    kept->failures = near->fails ? old->failures + 1 : near->begins ? 0 : old->failures;
    kept->runs_to_skip = near->fails             ? kept->failures
                         : old->runs_to_skip > 0 ? old->runs_to_skip - 1
                                                 : 0;
}

int ipm_near_keep(const struct batch *batch, const struct ipm_near *near, struct error *e) {
    const struct problem *problem = batch->problem;
    if (problem->kept == NULL)
        return 0;
    int64_t n = problem->risk->dimension;
    struct communicator *c = problem->risk->scalar->design->data->communicator;
    struct ipm_kept *kept = new_kept(n, e), *old = problem->kept->state;
    if (communicator_agree(c, kept == NULL ? -1 : 0, e) != 0) {
        if (kept != NULL)
            free_kept(kept);
        return -1;
    }
    kept->lambda = problem->lambda;
    kept->mu = near->mu;
    memcpy(kept->w, batch->best, sizeof *kept->w * (size_t)n);
    if (old != NULL) {
        kept->lambda_before = old->lambda;
        memcpy(kept->before, old->w, sizeof *old->w * (size_t)n);
        count(kept, old, near);
        free_kept(old);
    }
    *problem->kept = (struct kept){.state = kept, .kind = &ipm_near_kept};
    return 0;
}
