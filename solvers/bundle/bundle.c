/* bundle.c - the bundle method: R is replaced by the maximum of its linearizations so far.
 *
 *     minimize over w:  J(w) = lambda Omega(w) + R(w)
 *     w_{t+1} = argmin of J_t(w) = lambda Omega(w) + max(0, max_{i<=t} <a_i, w> + b_i)
 *
 * where a_i is a subgradient of R at w_i and b_i = R(w_i) - <a_i, w_i>. In the dual,
 *
 *     maximize  b'alpha - lambda Omega*(-A alpha/lambda)   over alpha >= 0, sum alpha <= 1,
 *
 * For l2 it is the quadratic program of planes.h, with w = -A alpha/lambda. For the elastic net and the
 * entropy it is solved by Newton steps, each such a program (bundle_newton.h). The dual's value is a lower
 * bound of min J. It is computed from (A alpha, b'alpha), so it holds however well the program was solved.
 *
 * Reference: Smola, Vishwanathan & Le 2008, Algorithm 1; section 3.3 for the dual. Iteration: one
 * pass over the data, O(planes n) for a row of the Gram matrix and for w, and the program. Beyond
 * the paper: sum alpha <= 1 in place of = 1, since R >= 0 is a plane too; and planes without weight in
 * many programs are dropped. In a path of lambdas a run goes on with the planes of the one before (l2), which hold for
 * any lambda.
 *
 * The files of this folder:
 *
 *     bundle_run        what all methods share: linearize R at a point, keep the best point, report
 *     planes            the linearizations (planes), their Gram matrix, the program over them
 *     bundle_program    the relaxed problem for l2, with or without a proximal term
 *     bundle_newton     the relaxed problem for the elastic net and the entropy
 *     bundle_level      the step of proximal-bundle: a projection onto a level set
 *     profile           linearizations of R with the offset at its minimum
 *     bundle bundle_ls proximal_bundle   the solvers; each loops over
 *                       linearize -> add the plane -> relaxed problem -> next point -> report */
#include "solvers/bundle/bundle_newton.h"
#include "solvers/bundle/bundle_program.h"
#include "solvers/bundle/bundle_run.h"

#include <math.h>

static const int64_t gram_bytes = (int64_t)1 << 28; /* memory of the cached Gram rows */
static const double newton_accuracy = 0.01; /* of Newton's method, as a part of the gap of J */

struct bundle_method {
    struct bundle_run run;
    struct planes planes;
    struct bundle_newton newton;
    double l2; /* lambda Omega = l2/2 ||w||^2; 0: Omega is not l2 */
};

static int solve_quadratic(struct bundle_method *s, struct error *e) {
    struct certificate *certificate = &s->run.certificate;
    if (bundle_program_solve(&s->planes, s->l2, 0, certificate, e) != 0)
        return -1;
    problem_minimizer(certificate->problem, certificate->slope, s->run.point);
    return 0;
}

/* Adds the linearization as a plane and minimizes J_t: the next point, and its certificate. */
static int solve_relaxed(void *context, struct error *e) {
    struct bundle_method *s = context;
    double gap = s->run.batch.objective - s->run.certificate.bound;
    if (bundle_run_add_plane(&s->run, &s->planes, e) < 0)
        return s->run.batch.verdict == VERDICT_GO_ON ? -1 : 0;
    if (s->l2 > 0)
        return solve_quadratic(s, e);
    return bundle_newton_solve(&s->newton, &s->run.certificate, newton_accuracy * gap, s->run.point,
                               e);
}

static void visit(struct state *state, void *context) {
    struct bundle_method *s = context;
    bundle_run_visit(&s->run, state);
    planes_visit(&s->planes, state);
}

/* l2 where lambda Omega is l2/2 ||w||^2; else 0. */
static double quadratic_part(const struct problem *problem) {
    struct penalty penalty = {0};
    if (problem->regularizer->penalty != NULL)
        penalty = problem_penalty_parts(problem);
    return penalty.l1 == 0 ? penalty.l2 : 0;
}

static int train(const struct solve *solve, struct error *e) {
    struct bundle_method s = {.l2 = quadratic_part(solve->problem)};
    struct kept *kept = s.l2 > 0 ? solve->problem->kept : NULL;
    int status = -1;
    if (bundle_run_init(&s.run, solve, e) == 0 &&
        planes_take(&s.planes, kept, solve->problem->risk->regularized, 1, false, s.l2 > 0,
                    gram_bytes, e) == 0 &&
        bundle_newton_init(&s.newton, solve->problem, &s.planes, e) == 0 &&
        bundle_run_iterate(&s.run, &s.planes, visit, solve_relaxed, &s, e) == 0)
        status = batch_finish(&s.run.batch, solve->outcome, e);
    bundle_newton_free(&s.newton);
    if (planes_keep(&s.planes, status == 0 ? kept : NULL, e) != 0)
        status = -1;
    bundle_run_free(&s.run);
    return status;
}

static const char *const regularizers[] = {"l2", "elastic-net", "entropy", NULL};

const struct solver bundle = {
    .name = "bundle",
    .summary = "bundle method: minimizes the maximum of linear lower bounds of the risk",
    .reference = "Smola, Vishwanathan & Le 2008, Algorithm 1",
    .regularizers = regularizers,
    .train = train,
    .keeps = planes_keeps,
    BUNDLE_SOLVER_FIELDS,
};
