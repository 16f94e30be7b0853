/* ipm_squared.c - runs along a path of lambda for the squared loss.
 *
 * R is quadratic, so that its second derivatives G = X' diag(p) X, summed once, serve all lambdas. From any point v
 * with the gradient g of R there, the minimizer is
 *
 *     w = v - (G + lambda I)^-1 (lambda v + g).
 *
 * A run takes a factor and the pass that tells J and the bound at w, whose gradient is where the next run begins. Where
 * rounding leaves a gap, the step is taken once more from there; if that does not halve it, Newton's method follows.
 *
 * Cost of the first run: two passes, one of them for G; of each other one, with an offset two; and n^3/3. */
#include "solvers/interior_point/ipm.h"

#include "solvers/certificate.h"
#include "solvers/linearization.h"

#include "io/memory.h"
#include "math/matrices/cholesky.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_LIMIT = 8, FIRST_PASSES = 3 };
static const double progress = 0.5; /* of the gap before: a step that leaves more is the last */

/* What a run leaves for the next one. */
struct squared {
    double *matrix;   /* n x n: sum of weights times G below the diagonal, a factor above it */
    double *diagonal; /* n: of that sum */
    double *factored; /* n: of the matrix that has the factor; behind it scratch memory */
    double *point, *gradient, *step; /* n: v, g */
    double risk;                     /* R(v) */
};

static void free_squared(void *state) {
    struct squared *s = state;
    free(s->matrix);
    free(s);
}

static struct squared *new_squared(int64_t n, struct error *e) {
    static const char what[] = "the second derivatives";
    struct squared *s = memory_zeroed(1, sizeof *s, what, e);
    if (s == NULL)
        return NULL;
    s->matrix = memory_zeroed(n * n + 5 * n + cholesky_work_size(n), sizeof(double), what, e);
    if (s->matrix == NULL) {
        free(s);
        return NULL;
    }
    s->diagonal = s->matrix + n * n;
    s->point = s->diagonal + n;
    s->gradient = s->point + n;
    s->step = s->gradient + n;
    s->factored = s->step + n;
    return s;
}

/* The factor is made anew for each lambda. */
static void visit_kept(struct state *list, void **state, const struct problem *problem) {
    struct squared *s = *state;
    int64_t n = problem->risk->dimension;
    if (!state_holds(list, n * n, sizeof *s->matrix))
        return;
    if (s == NULL) {
        *state = s = new_squared(n, state_cause(list));
        if (s == NULL) {
            state_fail(list);
            return;
        }
    }
    state_doubles(list, s->matrix, n * n + 3 * n); /* and the diagonal, the point, the gradient */
    STATE_REALS(list, &s->risk);
}

const struct kept_kind ipm_squared_kept = {
    .free = free_squared, .visit = visit_kept, .single_pass = true};

bool ipm_squared_takes(const struct problem *problem) {
    const struct risk *risk = problem->risk;
    const struct loss *loss = risk->scalar->loss;
    bool quadratic =
        loss->second != NULL && loss->quadratic && !loss_has_box(loss) && !loss_second_jumps(loss);
    return problem->kept != NULL && quadratic && problem_penalty_parts(problem).l1 == 0 &&
           risk->scalar->design->data->communicator == NULL;
}

static bool is_stopped(void *monitor) {
    return monitor_poll(monitor) != VERDICT_GO_ON;
}

static bool has_offset(const struct problem *problem) {
    return problem->risk->dimension > problem->risk->regularized;
}

static int passes_of_step(const struct problem *problem) {
    return has_offset(problem) ? 2 : 1;
}

/* J and a bound at the point, and the gradient there; with an offset that of the balanced dual variables, which is the
 * gradient where the offset is the best one. */
static int evaluate(struct squared *s, struct batch *batch, struct error *e) {
    const struct problem *problem = batch->problem;
    double bound, objective = certificate_evaluate(problem, s->point, s->gradient, &bound, e);
    if (isnan(bound))
        return -1;
    s->risk = objective - problem_penalty(problem, s->point);
    batch->passes += passes_of_step(problem);
    batch_offer(batch, s->point, objective);
    batch_raise(batch, bound);
    return 0;
}

/* J at the last run's point, of this lambda, and without an offset the bound of its gradient. No pass. */
static void offer_last(const struct squared *s, struct batch *batch) {
    const struct problem *problem = batch->problem;
    int64_t n = problem->risk->dimension;
    batch_offer(batch, s->point, s->risk + problem_penalty(problem, s->point));
    batch_raise(batch, 0);
    if (has_offset(problem))
        return;
    double constant = s->risk - vector_dot(s->gradient, s->point, n);
    double bound = problem->regularizer->bound(s->gradient, constant, n, problem->lambda,
                                               &problem->parameters);
    linearization_offer(problem, 1, s->gradient, constant, bound);
    batch_raise(batch, fmin(bound, batch->objective));
}

/* R(0), and the derivatives of the losses there times the weights: the first into c, the second into d. */
static double differentiate(const struct scalar_terms *terms, double *c, double *d) {
    const struct loss_parameters *parameters = &terms->parameters;
    double sum = 0;
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double slope, weight = scalar_weight(terms, i), y = scalar_target(terms, i);
        sum += weight * terms->loss->value(0, y, parameters, &slope);
        c[i] = weight * slope;
        d[i] = weight * terms->loss->second(0, y, parameters);
    }
    return sum / terms->weight_sum;
}

/* Sums G, and the gradient at 0, in a pass; *stopped: the time ended before. C, D: as differentiate leaves them. */
static int sum_matrix(struct squared *s, struct batch *batch, const double *c, const double *d,
                      bool *stopped, struct error *e) {
    const struct scalar_terms *terms = batch->problem->risk->scalar;
    int64_t n = terms->design->columns;
    struct gram gram;
    int status = gram_init(&gram, terms->design, e);
    gram.stop = is_stopped;
    gram.opaque = batch->monitor;
    *stopped = status == 0 && !gram_compute(&gram, d, c, s->gradient);
    if (status == 0 && !*stopped)
        memcpy(s->matrix, gram.matrix, sizeof *s->matrix * (size_t)(n * n));
    for (int64_t j = 0; j < n; j++) {
        s->diagonal[j] = s->matrix[j * n + j];
        s->gradient[j] /= terms->weight_sum;
    }
    batch->passes++;
    gram_free(&gram);
    return status;
}

/* Moves the point to the minimizer; -1 if that is not finite, or the time ended. */
static int move(struct squared *s, const struct batch *batch) {
    const struct problem *problem = batch->problem;
    int64_t n = problem->risk->dimension;
    double l2 = problem_penalty_parts(problem).l2, weights = problem->risk->scalar->weight_sum;
    double sum = 0;
    for (int64_t j = 0; j < n; j++) {
        double ridge = j < problem->risk->regularized ? l2 : 0; /* not on an offset */
        s->matrix[j * n + j] = s->diagonal[j] + ridge * weights;
        s->step[j] = -weights * (ridge * s->point[j] + s->gradient[j]);
    }
    if (cholesky_factor(s->matrix, s->factored, n, s->factored + n,
                        &(struct interruption){is_stopped, batch->monitor}) != 0)
        return -1;
    cholesky_solve(s->matrix, s->factored, s->step, s->factored + n, n);
    for (int64_t j = 0; j < n; j++)
        sum += s->step[j];
    for (int64_t j = 0; j < n && isfinite(sum); j++)
        s->point[j] += s->step[j];
    return isfinite(sum) ? 0 : -1;
}

/* Steps until the gap is closed, a limit comes, or they are of no more use. */
static int descend(struct squared *s, struct batch *batch, struct error *e) {
    double before = INFINITY;
    int cost = passes_of_step(batch->problem);
    for (int k = 0; k < STEPS_LIMIT && batch_affords(batch, cost) && move(s, batch) == 0; k++) {
        if (evaluate(s, batch, e) != 0)
            return -1;
        double gap = batch->objective - batch->bound;
        if (batch_report(batch) || !(gap <= progress * before))
            return 0;
        before = gap;
    }
    batch_report(batch);
    return 0;
}

/* The first run of a path: J at 0, without a pass, then G. Without G nothing is kept. */
static int begin(struct squared *s, struct batch *batch, struct error *e) {
    const struct scalar_terms *terms = batch->problem->risk->scalar;
    int64_t m = terms->design->rows;
    bool stopped = false;
    double *c = memory_new(2 * m, sizeof *c, "the second derivatives", e);
    if (c == NULL)
        return -1;
    s->risk = differentiate(terms, c, c + m);
    batch_offer(batch, s->point, s->risk);
    batch_raise(batch, 0);
    bool affords = batch_affords(batch, FIRST_PASSES);
    int status = affords ? sum_matrix(s, batch, c, c + m, &stopped, e) : 0;
    free(c);
    if (stopped)
        batch_report(batch);
    if (status != 0 || stopped || !affords)
        return status;
    *batch->problem->kept = (struct kept){.state = s, .kind = &ipm_squared_kept};
    return descend(s, batch, e);
}

int ipm_squared_train(struct batch *batch, struct error *e) {
    struct kept *kept = batch->problem->kept;
    struct squared *s = kept->state;
    if (s != NULL) {
        offer_last(s, batch);
        return descend(s, batch, e);
    }
    s = new_squared(batch->problem->risk->dimension, e);
    if (s == NULL)
        return -1;
    int status = begin(s, batch, e);
    if (kept->state == NULL)
        free_squared(s);
    return status;
}
