/* lbfgs.c - the limited-memory quasi-Newton method of Liu & Nocedal, for smooth risks.
 *
 *     minimize over w:  J(w) = lambda/2 ||w||^2 + R(w)
 *
 * The direction is -H grad J, where H approximates the inverse Hessian. H is never stored: it follows by the two-loop
 * recursion from the last --corrections steps s = w' - w and changes y = grad J(w') - grad J(w), and from
 * <s,y>/<y,My> M (their M3, where M is the identity). A line search along the direction finds a point that fulfills
 * the Wolfe conditions, so that <s,y> > 0; the length 1 mostly does. Within rounding of J its slope decides alone
 * (Hager & Zhang 2005, the approximate Wolfe conditions).
 *
 * M is the inverse of the Hessian's diagonal, so that the sizes of the features do not matter, nor how often they
 * occur. Its second derivatives are the largest ones of the loss, where these jump: those of the rows without a loss,
 * which are 0, soon change. Those of other losses are found anew as the run goes on. Risks that are no sum of losses
 * of one score have M = identity.
 *
 * The bound is that of the best combination of the linearization at each point with the combination before it
 * (certificate.h). An unregularized offset is always the best one for w (profile.h), which leaves R convex and smooth.
 *
 * In a path of lambdas a run begins at the line through the two solutions before, drawn over log(lambda), with their
 * corrections and their certificate: s does not depend on lambda, y is that of R plus lambda s, and a linear lower
 * bound of R holds at any lambda.
 *
 * docs/speed.md compares it with bundle methods and accelerated gradients: as many passes as `proximal-bundle`, without
 * its programs, and fewer on the squared and Huber losses of wide data.
 *
 * Reference: Liu & Nocedal 1989, Algorithm 2.1; Nocedal & Wright 2006, Algorithm 7.4. Iteration: mostly one pass over
 * the data, and 4 corrections times n multiplications; two passes more where M is found anew. */
#include "io/memory.h"
#include "math/long_vector.h"
#include "math/rounding.h"
#include "math/vector.h"
#include "risk/scores.h"
#include "solvers/bundle/bundle_run.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CORRECTIONS = 1000, MAX_TRIALS = 40, FIRST_REFRESH = 6 };

struct lbfgs_settings {
    int64_t corrections;
};

struct lbfgs_run {
    struct bundle_run run;
    double lambda;
    int64_t n; /* regularized weights */

    /* n numbers each: the point, grad J there, the direction, grad J at the trial point run.point */
    double *w, *gradient, *direction, *trial_gradient;
    double objective; /* J(w) */

    /* A ring of `most` corrections, of which there are `count`; the next goes to `next`. */
    int64_t capacity, count, next;
    double *step, *change; /* most x n: s, y */
    double *inverse;       /* most: 1/<s,y> */
    double *alpha;         /* most: scratch memory of the recursion */

    double *metric;    /* n: the diagonal of M; not used without losses of one score */
    int64_t refreshed; /* the iteration that found it */

    double *before;       /* n: the solution at the lambda before, for the next run of a path */
    double lambda_before; /* 0: there was none */
};

/* ---- the direction */

/* The place of the correction that is AGE older than the latest. */
static int64_t place_of(const struct lbfgs_run *s, int64_t age) {
    return (s->next - 1 - age + s->capacity) % s->capacity;
}

/* x += a y */
static void add(double *x, double a, const double *y, int64_t n) {
    long_combine(x, 1, x, a, y, n);
}

/* The losses of one score, if R is a mean of them; otherwise NULL. */
static const struct scalar_terms *terms_of(const struct lbfgs_run *s) {
    const struct scalar_terms *terms = s->run.batch.problem->risk->scalar;
    return terms != NULL && terms->loss->second != NULL ? terms : NULL;
}

/* d_i: the largest second derivative of the losses, times their weights. */
static void find_largest_curvature(const struct scalar_terms *terms, double *d) {
    for (int64_t i = 0; i < terms->design->rows; i++)
        d[i] = scalar_weight(terms, i) * terms->loss->curvature / terms->weight_sum;
}

/* Whether the second derivatives at a point tell more than the largest ones. */
static bool has_own_curvature(const struct scalar_terms *terms) {
    const struct loss *loss = terms->loss;
    return !isfinite(loss->curvature) || !(loss->quadratic || loss_second_jumps(loss));
}

/* M by the second derivatives at run.point, or at first by the largest. 0, or -1 with the error set. */
static int find_metric(struct lbfgs_run *s, bool first, struct error *e) {
    const struct scalar_terms *terms = terms_of(s);
    int64_t rows = terms->design->rows;
    bool largest = first && isfinite(terms->loss->curvature);
    double *d = memory_new(2 * rows + terms->design->columns, sizeof *d, "second derivatives", e);
    if (communicator_agree(terms->design->data->communicator, d == NULL ? -1 : 0, e) != 0) {
        free(d);
        return -1;
    }
    double *u = d + rows, *diagonal = u + rows;
    if (largest) {
        find_largest_curvature(terms, d);
    } else {
        design_scores(terms->design, s->run.point, u);
        scores_curvature(terms, u, d);
    }
    design_combine_squares(terms->design, d, diagonal);
    for (int64_t j = 0; j < s->n; j++)
        s->metric[j] = 1 / (s->lambda + diagonal[j]);
    batch_count(&s->run.batch, largest ? 1 : 2);
    free(d);
    return 0;
}

/* Finds M anew after FIRST_REFRESH iterations, and each time that they have doubled. */
static int refresh_metric(struct lbfgs_run *s, struct error *e) {
    int64_t iteration = s->run.batch.iteration;
    if (terms_of(s) == NULL || !has_own_curvature(terms_of(s)) || iteration < FIRST_REFRESH ||
        iteration < 2 * s->refreshed || !batch_affords(&s->run.batch, 2))
        return 0;
    s->refreshed = iteration;
    return find_metric(s, false, e);
}

/* <x, M x> */
static double metric_square(const struct lbfgs_run *s, const double *x) {
    double sum = 0;
    if (terms_of(s) == NULL)
        return long_dot(NULL, x, x, s->n);
    for (int64_t j = 0; j < s->n; j++)
        sum += s->metric[j] * x[j] * x[j];
    return sum;
}

/* <s,y>/<y,My> of the latest correction; without one a step of length 1, by M, along the gradient. */
static double first_scale(const struct lbfgs_run *s) {
    if (s->count == 0)
        return 1 / sqrt(metric_square(s, s->gradient));
    int64_t k = place_of(s, 0);
    return 1 / (s->inverse[k] * metric_square(s, s->change + k * s->n));
}

/* direction = SCALE M direction */
static void apply_metric(struct lbfgs_run *s, double scale) {
    vector_scale(s->direction, scale, s->n);
    for (int64_t j = 0; terms_of(s) != NULL && j < s->n; j++)
        s->direction[j] *= s->metric[j];
}

/* direction = -H gradient, by the two-loop recursion. */
static void find_direction(struct lbfgs_run *s) {
    int64_t n = s->n;
    long_combine(s->direction, 0, NULL, -1, s->gradient, n);
    for (int64_t age = 0; age < s->count; age++) {
        int64_t k = place_of(s, age);
        s->alpha[k] = s->inverse[k] * long_dot(NULL, s->step + k * n, s->direction, n);
        add(s->direction, -s->alpha[k], s->change + k * n, n);
    }
    apply_metric(s, first_scale(s));
    for (int64_t age = s->count - 1; age >= 0; age--) {
        int64_t k = place_of(s, age);
        double beta = s->inverse[k] * long_dot(NULL, s->change + k * n, s->direction, n);
        add(s->direction, s->alpha[k] - beta, s->step + k * n, n);
    }
}

/* Keeps the step to the trial point and the change of the gradient, if J is curved along the step beyond rounding. */
static void keep_correction(struct lbfgs_run *s) {
    static const double least_curvature = 1e-14;
    int64_t n = s->n;
    double *step = s->step + s->next * n, *change = s->change + s->next * n;
    long_combine(step, 1, s->run.point, -1, s->w, n);
    long_combine(change, 1, s->trial_gradient, -1, s->gradient, n);
    double product = long_dot(NULL, step, change, n);
    double sizes = long_dot(NULL, step, step, n) * long_dot(NULL, change, change, n);
    if (!(product > least_curvature * sqrt(sizes))) {
        s->count -= s->count == s->capacity; /* the oldest was overwritten */
        return;
    }
    s->inverse[s->next] = 1 / product;
    s->next = (s->next + 1) % s->capacity;
    s->count += s->count < s->capacity;
}

/* ---- points */

/* Mixes the latest linearization into the certificate, as much as is best. */
static void certify(struct lbfgs_run *s) {
    struct certificate *c = &s->run.certificate;
    double square = long_square(NULL, s->run.slope, c->slope, s->n);
    double product = long_slope(NULL, c->slope, s->run.slope, c->slope, s->n);
    double eta = (s->lambda * (s->run.constant - c->constant) - product) / square;
    if (eta > 0) /* infinite where the slopes are the same */
        certificate_mix(c, fmin(eta, 1), s->run.slope, s->run.constant);
}

/* J and its gradient at run.point: one pass. False: the run is over. */
static bool evaluate(struct lbfgs_run *s) {
    if (!batch_affords(&s->run.batch, 1) || !bundle_run_linearize(&s->run))
        return false;
    long_combine(s->trial_gradient, 1, s->run.slope, s->lambda, s->run.point, s->n);
    certify(s);
    return true;
}

/* The trial point becomes the point. */
static void take_trial(struct lbfgs_run *s) {
    size_t bytes = sizeof *s->w * (size_t)s->n;
    memcpy(s->w, s->run.point, bytes);
    memcpy(s->gradient, s->trial_gradient, bytes);
    s->objective = s->run.objective;
}

/* ---- the line search */

/* Lengths of a step: between `low`, where J has fallen enough, and `high`, where it has not. */
struct line {
    double slope; /* of J at length 0 */
    double low, high, length;
    double width; /* high - low before the last trial */
};

enum trial { TRIAL_GOOD, TRIAL_SHORT, TRIAL_LONG };

/* The Wolfe conditions, or the approximate ones. SLOPE: of J at the trial point along the direction. */
static enum trial judge(const struct lbfgs_run *s, const struct line *line, double slope) {
    static const double sufficient_decrease = 1e-4, slope_reduction = 0.9;
    double fall = s->objective - s->run.objective;
    bool same = fabs(fall) <= rounding_of_results * fabs(s->objective);
    bool low = same ? slope <= -slope_reduction * line->slope
                    : fall >= -sufficient_decrease * line->length * line->slope;
    if (!low)
        return TRIAL_LONG;
    return slope >= slope_reduction * line->slope ? TRIAL_GOOD : TRIAL_SHORT;
}

/* The next length: towards the zero of the slope by linear interpolation; halfway, if the trial did not halve the
 * interval. */
static void choose_length(struct line *line, enum trial trial, double slope) {
    static const double bracket_margin = 0.05, least_growth = 2, most_growth = 20;
    double zero = line->length * line->slope / (line->slope - slope);
    *(trial == TRIAL_LONG ? &line->high : &line->low) = line->length;
    double width = line->high - line->low;
    bool slow = width > line->width / 2;
    line->width = width;
    if (!isfinite(zero) || zero < 0)
        zero = INFINITY;
    if (isinf(width))
        line->length = clip(zero, least_growth * line->length, most_growth * line->length);
    else if (isinf(zero) || slow)
        line->length = line->low + width / 2;
    else
        line->length =
            clip(zero, line->low + bracket_margin * width, line->high - bracket_margin * width);
}

/* Moves the trial point along the direction until it fulfills the conditions. False if none does, or the run is
 * over. */
static bool search(struct lbfgs_run *s) {
    struct line line = {.slope = long_dot(NULL, s->gradient, s->direction, s->n),
                        .high = INFINITY,
                        .length = 1,
                        .width = INFINITY};
    for (int i = 0; i < MAX_TRIALS && line.slope < 0; i++) {
        long_combine(s->run.point, 1, s->w, line.length, s->direction, s->n);
        if (!evaluate(s))
            return false;
        double slope = long_dot(NULL, s->trial_gradient, s->direction, s->n);
        enum trial trial = judge(s, &line, slope);
        if (trial == TRIAL_GOOD)
            return true;
        if (bundle_run_report(&s->run))
            return false;
        choose_length(&line, trial, slope);
    }
    return false;
}

static int allocate(struct lbfgs_run *s, struct error *e) {
    int64_t vectors = 6 + 2 * s->capacity;
    s->w = memory_zeroed(vectors * s->n + 2 * s->capacity, sizeof *s->w, "the corrections", e);
    if (s->w == NULL)
        return -1;
    s->gradient = s->w + s->n;
    s->direction = s->gradient + s->n;
    s->trial_gradient = s->direction + s->n;
    s->before = s->trial_gradient + s->n;
    s->metric = s->before + s->n;
    s->step = s->metric + s->n;
    s->change = s->step + s->capacity * s->n;
    s->inverse = s->change + s->capacity * s->n;
    s->alpha = s->inverse + s->capacity;
    return 0;
}

/* ---- from one lambda to the next */

/* What a run leaves. */
struct lbfgs_kept {
    struct lbfgs_run run; /* its vectors; w is the solution */
    double *slope;        /* of the certificate */
    double constant;
};

static void free_kept(void *state) {
    struct lbfgs_kept *kept = state;
    free(kept->run.w);
    free(kept->slope);
    free(kept);
}

/* What the next run takes. */
static void visit_numbers(struct state *list, struct lbfgs_kept *kept) {
    struct lbfgs_run *s = &kept->run;
    s->count = state_integer(list, s->count, 0, s->capacity);
    s->next = state_integer(list, s->next, 0, s->capacity - 1);
    STATE_REALS(list, &s->lambda, &s->lambda_before, &kept->constant);
    state_doubles(list, s->w, s->n);
    state_doubles(list, s->before, s->n);
    state_doubles(list, s->step, s->capacity * s->n);
    state_doubles(list, s->change, s->capacity * s->n);
    state_doubles(list, kept->slope, s->n);
}

static void visit_kept(struct state *list, void **state, const struct problem *problem) {
    struct lbfgs_kept *kept = *state;
    int64_t n = problem->risk->regularized;
    int64_t capacity =
        state_integer(list, kept == NULL ? 0 : kept->run.capacity, 1, MAX_CORRECTIONS);
    if (!state_holds(list, capacity * n, sizeof(double)))
        return;
    if (kept == NULL) {
        struct error *e = state_cause(list);
        *state = kept = memory_zeroed(1, sizeof *kept, "the corrections", e);
        if (kept != NULL) {
            kept->run = (struct lbfgs_run){.n = n, .capacity = capacity};
            kept->slope = memory_new(n, sizeof *kept->slope, "the corrections", e);
        }
        if (kept == NULL || kept->slope == NULL || allocate(&kept->run, e) != 0) {
            state_fail(list);
            return;
        }
    }
    visit_numbers(list, kept);
}

static const struct kept_kind kept_corrections = {.free = free_kept, .visit = visit_kept};
static const struct kept_kind *const keeps[] = {&kept_corrections, NULL};

/* Leaves the vectors of the run, whose w becomes the solution. */
static int keep(struct lbfgs_run *s, struct kept *kept, struct error *e) {
    const struct batch *batch = &s->run.batch;
    struct lbfgs_kept *state = memory_new(1, sizeof *state, "the corrections", e);
    if (state == NULL)
        return -1;
    memcpy(s->w, batch->best, sizeof *s->w * (size_t)s->n);
    *state = (struct lbfgs_kept){
        .run = *s,
        .slope = s->run.certificate.slope,
        .constant = s->run.certificate.constant,
    };
    s->w = s->run.certificate.slope = NULL;
    if (kept->state != NULL)
        free_kept(kept->state);
    *kept = (struct kept){.state = state, .kind = &kept_corrections};
    return 0;
}

/* The corrections, of the other lambda. */
static void take_corrections(struct lbfgs_run *s, const struct lbfgs_run *old) {
    int64_t numbers = s->capacity * s->n;
    s->count = old->count;
    s->next = old->next;
    memcpy(s->step, old->step, sizeof *s->step * (size_t)numbers);
    long_combine(s->change, 1, old->change, s->lambda - old->lambda, s->step, numbers);
    for (int64_t age = 0; age < s->count; age++) {
        int64_t k = place_of(s, age);
        double product = long_dot(NULL, s->step + k * s->n, s->change + k * s->n, s->n);
        s->inverse[k] = 1 / product;
        if (!(product > 0) || !isfinite(s->inverse[k])) /* rounding: only the later ones stay */
            s->count = age;
    }
}

/* The first point, on the line through the two solutions before. */
static void extrapolate(struct lbfgs_run *s, const struct lbfgs_run *old) {
    static const double longest = 2; /* times the distance of the two */
    if (old->lambda_before == 0 || old->lambda_before == old->lambda)
        return;
    double step = log(s->lambda / old->lambda) / log(old->lambda / old->lambda_before);
    step = clip(step, -1, longest);
    long_combine(s->run.point, 1 + step, old->w, -step, old->before, s->n);
}

/* Begins where the run before ended. */
static void take_kept(struct lbfgs_run *s, struct kept *kept) {
    struct lbfgs_kept *state = kept->state;
    struct certificate *certificate = &s->run.certificate;
    const struct lbfgs_run *old = &state->run;
    batch_offer(&s->run.batch, NULL,
                kept->risk + problem_penalty(s->run.batch.problem, s->run.point));
    take_corrections(s, old);
    if (!kept->mixed)
        extrapolate(s, old);
    memcpy(s->before, old->w, sizeof *s->before * (size_t)s->n);
    s->lambda_before = old->lambda;
    memcpy(certificate->slope, state->slope, sizeof *state->slope * (size_t)s->n);
    certificate->constant = state->constant;
    free_kept(state);
    *kept = (struct kept){0};
}

/* ---- the run */

/* At the begin of an iteration, after a report. */
static void visit(struct state *state, void *context) {
    struct lbfgs_run *s = context;
    bundle_run_visit(&s->run, state);
    s->count = state_integer(state, s->count, 0, s->capacity);
    s->next = state_integer(state, s->next, 0, s->capacity - 1);
    s->refreshed = state_integer(state, s->refreshed, 0, INT64_MAX);
    STATE_REALS(state, &s->objective);
    state_doubles(state, s->w, 2 * s->n); /* and the gradient */
    state_doubles(state, s->metric, s->n);
    state_doubles(state, s->step, s->capacity * s->n);
    state_doubles(state, s->change, s->capacity * s->n);
    state_doubles(state, s->inverse, s->capacity);
}

/* The first point, with its report; false: the run is over. */
static bool begin(struct lbfgs_run *s) {
    memcpy(s->w, s->run.point, sizeof *s->w * (size_t)s->n);
    if (!evaluate(s))
        return false;
    take_trial(s);
    return !bundle_run_report(&s->run);
}

/* A search that fails starts again along the gradient; if that fails, too, rounding ends the run. */
static int iterate(struct lbfgs_run *s, struct error *e) {
    enum checkpoint_entry entry = monitor_enter_run(s->run.batch.monitor, visit, s, e);
    if (entry == CHECKPOINT_REFUSED)
        return -1;
    if (entry == CHECKPOINT_BEGINS && !begin(s))
        return 0;
    if (entry == CHECKPOINT_BEGINS && terms_of(s) != NULL && find_metric(s, true, e) != 0)
        return -1;
    while (!batch_save(&s->run.batch)) {
        if (refresh_metric(s, e) != 0)
            return -1;
        find_direction(s);
        if (search(s)) {
            keep_correction(s);
            take_trial(s);
        } else if (s->count > 0) {
            s->count = 0;
        } else {
            batch_stall(&s->run.batch);
        }
        if (bundle_run_report(&s->run))
            break;
    }
    return 0;
}

static int train(const struct solve *solve, struct error *e) {
    const struct lbfgs_settings *settings = solve->options;
    struct lbfgs_run s = {.lambda = solve->problem->lambda,
                          .n = solve->problem->risk->regularized,
                          .capacity = settings->corrections};
    struct kept *kept = solve->problem->kept;
    int status = bundle_run_init(&s.run, solve, e) == 0 ? allocate(&s, e) : -1;
    if (status == 0 && solve->run->warm && kept != NULL && kept->state != NULL)
        take_kept(&s, kept);
    if (status == 0)
        status = iterate(&s, e);
    if (status == 0)
        status = batch_finish(&s.run.batch, solve->outcome, e);
    if (status == 0 && kept != NULL)
        status = keep(&s, kept, e);
    bundle_run_free(&s.run);
    free(s.w);
    return status;
}

static const struct option_row options[] = {
    {.name = "corrections",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .low = 1,
     .high = MAX_CORRECTIONS,
     .default_text = "10",
     .help = "past steps from which the curvature is estimated; each takes the memory of two "
             "weight vectors",
     .offset = offsetof(struct lbfgs_settings, corrections)},
};

static const char *const regularizers[] = {"l2", NULL};

const struct solver lbfgs = {
    .name = "lbfgs",
    .summary = "limited-memory quasi-Newton method, for smooth losses",
    .reference = "Liu & Nocedal 1989, Algorithm 2.1",
    .tolerance = "certified relative gap (J - bound)/J at which the run ends",
    .epsilon = 1e-3,
    .passes = 100000,
    .offset = true,
    .needs = SOLVER_NEEDS_SMOOTH,
    .distributed = true,
    .reads_floats = true,
    .goes_on = true,
    .linearizes = true,
    .keeps = keeps,
    .regularizers = regularizers,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct lbfgs_settings),
    .train = train,
};
