/* bundle_ls.c - the bundle method without a quadratic program: a line search in its dual.
 *
 *     minimize over w:  J(w) = lambda/2 ||w||^2 + R(w)
 *
 * The dual point of the linearizations R(w) >= <a_i, w> + b_i is a convex combination of them, (s,
 * t) = (A alpha, b'alpha), with w = -s/lambda and the value D = t - ||s||^2/(2 lambda) <= min J. An
 * iteration linearizes R at w and moves towards the new plane (a, b) as far as D grows:
 *
 *     gamma = b - t + <s, s - a>/lambda,            the slope of D, J(w) - D
 *     eta   = min(1, lambda gamma/||s - a||^2),     s - a = -(lambda w + a)
 *     (s, t) <- (1 - eta) (s, t) + eta (a, b).
 *
 * The memory is four vectors. D grows in every iteration; J(w) need not fall, so the best w is kept. The
 * number of iterations grows like G^2/(lambda epsilon), where G is a bound of ||a||: the method is for
 * large lambda.
 *
 * Reference: Smola, Vishwanathan & Le 2008, section 5, equation (15). The paper carries w and
 * r = b'alpha, here w = -s/lambda and t = r; its <w, A alpha> = lambda ||w||^2 has the wrong sign.
 * The first plane is taken at the start, also at a warm one; the dual always begins at (0, 0).
 * Iteration: one pass over the data and O(n). */
#include "solvers/bundle/bundle_run.h"

#include "math/vector.h"

#include <math.h>

/* <s, s - a> and ||s - a||^2 */
static void difference(const double *s, const double *a, int64_t n, double *inner, double *square) {
    double product = 0, sum = 0;
    for (int64_t j = 0; j < n; j++) {
        double d = s[j] - a[j];
        product += s[j] * d;
        sum += d * d;
    }
    *inner = product;
    *square = sum;
}

/* eta: the point on the way to the new plane where D is largest. */
static double step_length(const struct bundle_run *run) {
    double inner, square, lambda = run->batch.problem->lambda;
    difference(run->certificate.slope, run->slope, run->batch.problem->risk->dimension, &inner,
               &square);
    double gamma = run->constant - run->certificate.constant + inner / lambda;
    if (!(gamma > 0))
        return 0;
    return lambda * gamma < square ? lambda * gamma / square : 1;
}

static void visit(struct state *state, void *context) {
    bundle_run_visit(context, state);
}

/* Moves (s, t) towards the plane of the present point, and to the w of the new (s, t). */
static int step(void *context, struct error *e) {
    struct bundle_run *run = context;
    (void)e;
    certificate_mix(&run->certificate, step_length(run), run->slope, run->constant);
    problem_minimizer(run->batch.problem, run->certificate.slope, run->point);
    return 0;
}

static int train(const struct solve *solve, struct error *e) {
    struct bundle_run run;
    int status = -1;
    if (bundle_run_init(&run, solve, e) == 0 &&
        bundle_run_iterate(&run, NULL, visit, step, &run, e) == 0)
        status = batch_finish(&run.batch, solve->outcome, e);
    bundle_run_free(&run);
    return status;
}

static const char *const regularizers[] = {"l2", NULL};

const struct solver bundle_ls = {
    .name = "bundle-ls",
    .summary = "bundle method with a line search in place of a quadratic program; for large lambda",
    .reference = "Smola, Vishwanathan & Le 2008, section 5",
    .regularizers = regularizers,
    .train = train,
    BUNDLE_SOLVER_FIELDS,
};
