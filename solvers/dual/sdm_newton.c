/* sdm_newton.c - the proximal point method of `sdm` with Newton steps, for few weights.
 *
 * With few weights and many examples, or features of very different scales, steps of single rows are slow. Here the
 * dual is maximized by rounds, each with a term -sum_i ||beta_i - origin_i||^2/(2 sigma_i) that makes it smooth in W:
 *
 *     phi(W) = 1/2 ||W||^2 + sum_i max_beta [<beta, e_i + s_i> - ||beta - origin_i||^2/(2 sigma_i)] - C_i s_iy
 *
 * with beta_i(W) the projection of origin_i + sigma_i (e_i + s_i), the gradient W - W(beta), and the generalized
 * Hessian I + sum_i sigma_i (I_S - 11'/|S|) (x) x_i x_i' over the positive classes S of row i. A round is minimized by
 * Newton's method, roughly; then its beta is the next origin. At each step beta(W) is feasible, and bounds min J.
 *
 * sigma_i = sigma C_i. Reference: Rockafellar 1976, "Augmented Lagrangians and applications of the proximal point
 * algorithm", Mathematics of Operations Research 1; Newton steps as in Zhao, Sun & Toh 2010, SIAM J. Optimization 20.
 * Step: a product with all rows, one with those of two positive classes or more for the Hessian, and its factor, for n
 * weights n^3/3 operations. Memory: five numbers a row and class, and n^2 for the Hessian. */
#include "solvers/dual/sdm.h"
#include "solvers/dual/sdm_hessian.h"

#include "io/memory.h"
#include "math/matrices/cholesky.h"
#include "math/matrices/multiply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 8, ROWS_OF_A_BLOCK = 2048, MOST_STEPS = 16, FEW_STEPS = 8, MANY_STEPS = 11 };
enum { LEAST_TRIES = 4, MOST_TRIES = 40, MAX_IDLE_ROUNDS = 20 };

static const double round_tolerance = 0.1;   /* of the proximal term: a round ends */
static const double slope_left = 0.5;        /* of the slope at the beginning: a line search ends */
static const double rounding_of_phi = 1e-10; /* of phi, relative to its terms */

/* Sums over the rows of a block, in units of lambda. */
struct sums {
    double risk, linear, distance; /* distance: sum_i ||beta_i - origin_i||^2/sigma_i */
};

struct newton {
    struct sdm *sdm;
    int64_t n; /* weights */
    int blocks;
    double sigma;
    double *numbers;       /* the memory of the arrays below */
    double *origin, *beta; /* rows x classes; rounds exchange them */
    double *score, *along; /* rows x classes: of W, and of the direction */
    double *w, *direction; /* n, class by class */
    double *image;         /* n: W(beta) */
    double *gradient;      /* n: W - W(beta) */
    double *hessian;       /* n x n */
    double *diagonal;      /* n, and the factor's scratch memory behind them */
    double *partial;       /* blocks x n: parts of W(beta) */
    double *work;          /* blocks x 2 classes */
    struct multiplier multiplier;
    struct sdm_hessian second;
    struct sums sums;
    int steps;               /* of the round */
    int idle;                /* rounds without progress */
    double objective, bound; /* before the round */
};

/* ---- memory */

static int blocks_for(int64_t rows) {
    int64_t blocks = rows / ROWS_OF_A_BLOCK;
    return blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : (int)blocks;
}

/* Doubles. */
static double count_numbers(int64_t rows, int64_t classes, int64_t n) {
    double blocks = blocks_for(rows), weights = (double)n;
    return 4 * (double)rows * (double)classes + 5 * weights + (double)cholesky_work_size(n) +
           weights * weights + blocks * weights + 2 * blocks * (double)classes;
}

static int64_t weights_of(const struct class_terms *terms) {
    return (terms->data->features + (terms->bias >= 0)) * terms->classes;
}

double sdm_newton_bytes(const struct class_terms *terms) {
    double numbers = count_numbers(terms->data->rows, terms->classes, weights_of(terms));
    return sizeof(double) * numbers + sdm_rows_bytes(terms, true) +
           sdm_hessian_bytes(terms->data->rows, terms->classes, weights_of(terms) / terms->classes);
}

double sdm_newton_products(const struct class_terms *terms) {
    static const double usual_steps = 20, step_passes = 3; /* of a step, without its matrix */
    static const double gram_speed = 8, factor_speed = 16; /* operations in the time of a product */
    double n = (double)weights_of(terms), features = n / (double)terms->classes;
    double rows = (double)terms->data->rows;
    double gram = rows * features * features / 2; /* where a row has two positive classes */
    return usual_steps *
           (step_passes * rows * n + gram / gram_speed + n * n * n / (3 * factor_speed));
}

static double *take(double **next, int64_t count) {
    double *taken = *next;
    *next += count;
    return taken;
}

static int init(struct newton *t, struct sdm *s, struct error *e) {
    int64_t rows = s->rows.count, classes = s->rows.classes, n = s->rows.features * classes;
    *t = (struct newton){.sdm = s, .n = n, .blocks = blocks_for(rows), .sigma = 1, .w = s->w};
    double *next = t->numbers =
        memory_zeroed((int64_t)count_numbers(rows, classes, n), sizeof *next, "Newton's method", e);
    if (next == NULL || sdm_hessian_init(&t->second, &s->rows, s->batch.monitor, e) != 0 ||
        multiplier_init(&t->multiplier, s->rows.features, classes, e) != 0)
        return -1;
    t->origin = take(&next, rows * classes);
    t->beta = take(&next, rows * classes);
    t->score = take(&next, rows * classes);
    t->along = take(&next, rows * classes);
    t->direction = take(&next, n);
    t->image = take(&next, n);
    t->gradient = take(&next, n);
    t->diagonal = take(&next, n + cholesky_work_size(n));
    t->hessian = take(&next, n * n);
    t->partial = take(&next, t->blocks * n);
    t->work = take(&next, 2 * t->blocks * classes);
    return 0;
}

static void release(struct newton *t) {
    free(t->numbers);
    sdm_hessian_free(&t->second);
    multiplier_free(&t->multiplier);
}

/* ---- sweeps over the rows */

static int64_t block_start(const struct newton *t, int block) {
    return t->sdm->rows.count * block / t->blocks;
}

/* u = X W for weights class by class. */
static void multiply_rows(struct newton *t, const double *w, double *u) {
    const struct sdm_rows *rows = &t->sdm->rows;
    for (int64_t j = 0; j < rows->features; j++)
        for (int64_t k = 0; k < rows->classes; k++)
            *multiplier_entry(&t->multiplier, j, k) = w[k * rows->features + j];
#pragma omp parallel for schedule(dynamic, 1) if (t->blocks > 1)
    for (int block = 0; block < t->blocks; block++) {
        int64_t from = block_start(t, block), count = block_start(t, block + 1) - from;
        multiplier_apply(&t->multiplier, rows->dense + from * rows->width, count,
                         u + from * rows->classes);
    }
    sdm_touch(t->sdm, rows->products * (double)rows->classes);
}

/* beta_i of row i, and what it adds to the sums and to W(beta). */
static void project_row(const struct newton *t, int64_t i, struct sums *sums, double *image,
                        double *work) {
    const struct sdm_rows *rows = &t->sdm->rows;
    int64_t classes = rows->classes, label = sdm_class(rows, i);
    const double *u = t->score + i * classes, *origin = t->origin + i * classes;
    const double *x = rows->dense + i * rows->width;
    double *beta = t->beta + i * classes, cost = rows->cost[i], sigma = t->sigma * cost;
    double top = -INFINITY, distance = 0, others = 0; /* others: C_i - beta_iy */
    for (int64_t k = 0; k < classes; k++) {
        double gradient = u[k] + (k == label ? 0 : rows->terms->margin);
        top = gradient > top ? gradient : top;
        beta[k] = origin[k] + sigma * gradient;
    }
    double level = sdm_multiplier(beta, classes, cost, work);
    for (int64_t k = 0; k < classes; k++) {
        beta[k] = beta[k] > level ? beta[k] - level : 0;
        others += k == label ? 0 : beta[k];
    }
    for (int64_t k = 0; k < classes; k++) {
        double change = beta[k] - origin[k], weight = k == label ? others : -beta[k];
        distance += change * change;
        if (weight != 0)
            vector_add_wide(image + k * rows->features, weight, x, rows->width);
    }
    sums->risk += cost * (top - u[label]);
    sums->linear += rows->terms->margin * others;
    sums->distance += distance / sigma;
}

static struct sums project_block(const struct newton *t, int block) {
    struct sums sums = {0};
    double *image = t->partial + block * t->n;
    memset(image, 0, sizeof *image * (size_t)t->n);
    for (int64_t i = block_start(t, block); i < block_start(t, block + 1); i++)
        if (t->sdm->rows.cost[i] > 0)
            project_row(t, i, &sums, image, t->work + 2 * block * t->sdm->rows.classes);
    return sums;
}

/* beta, the sums, W(beta) and phi's gradient at the scores and W. */
static void project_all(struct newton *t) {
    struct sums sums[MOST_BLOCKS];
#pragma omp parallel for schedule(dynamic, 1) if (t->blocks > 1)
    for (int block = 0; block < t->blocks; block++)
        sums[block] = project_block(t, block);
    t->sums = (struct sums){0};
    memset(t->image, 0, sizeof *t->image * (size_t)t->n);
    for (int block = 0; block < t->blocks; block++) {
        t->sums.risk += sums[block].risk;
        t->sums.linear += sums[block].linear;
        t->sums.distance += sums[block].distance;
        vector_add_wide(t->image, 1, t->partial + block * t->n, t->n);
    }
    for (int64_t j = 0; j < t->n; j++)
        t->gradient[j] = t->w[j] - t->image[j];
}

/* ---- steps */

/* Offers W and the bound of beta. */
static void offer(struct newton *t) {
    struct sdm *s = t->sdm;
    double objective = s->lambda * (vector_dot(t->w, t->w, t->n) / 2 + t->sums.risk);
    sdm_count(s);
    if (objective < s->batch.objective) {
        sdm_weights_out(&s->rows, t->w, s->point);
        batch_offer(&s->batch, s->point, objective);
    }
    sdm_raise(s, t->image, t->sums.linear);
}

static bool is_stopped(void *sdm) {
    return sdm_is_stopped(sdm);
}

/* direction = -H^-1 gradient, and its scores. -1 if there is none. */
static int find_direction(struct newton *t) {
    sdm_touch(t->sdm, sdm_hessian_compute(&t->second, t->beta, t->sigma, t->hessian));
    struct interruption interruption = {is_stopped, t->sdm};
    double *work = t->diagonal + t->n;
    if (cholesky_factor(t->hessian, t->diagonal, t->n, work, &interruption) != 0)
        return -1;
    for (int64_t j = 0; j < t->n; j++)
        t->direction[j] = -t->gradient[j];
    cholesky_solve(t->hessian, t->diagonal, t->direction, work, t->n);
    multiply_rows(t, t->direction, t->along);
    return 0;
}

static void move(struct newton *t, double step) {
    vector_add_wide(t->w, step, t->direction, t->n);
    vector_add_wide(t->score, step, t->along, t->sdm->rows.count * t->sdm->rows.classes);
    project_all(t);
    offer(t);
}

/* phi at W: sum_i <beta_i, s_i> - C_i s_iy is -<W(beta), W>. */
static double phi(const struct newton *t) {
    return vector_dot(t->w, t->w, t->n) / 2 - vector_dot(t->image, t->w, t->n) + t->sums.linear -
           t->sums.distance / 2;
}

/* Along the direction to where phi is not larger and its slope is a small part of what it was, or not above 0 after
 * some tries. Beyond a kink the slope may be small where phi is much larger. */
static void search(struct newton *t) {
    double slope = vector_dot(t->gradient, t->direction, t->n), low = 0, high = 1, at = 0;
    double before = phi(t), size = vector_dot(t->w, t->w, t->n) + t->sums.linear;
    for (int tries = 1; tries <= MOST_TRIES; tries++) {
        double to = tries == 1 ? 1 : low + (high - low) / 2;
        move(t, to - at);
        at = to;
        double now = vector_dot(t->gradient, t->direction, t->n);
        bool falls = now <= 0 || phi(t) <= before + rounding_of_phi * size;
        if ((falls && fabs(now) < slope_left * -slope) ||
            (now <= 0 && (to == 1 || tries >= LEAST_TRIES)) || sdm_is_stopped(t->sdm))
            return;
        if (now > 0)
            high = at;
        else
            low = at;
    }
}

/* ---- rounds */

/* The scores of W, which many steps have moved. */
static void renew(struct newton *t) {
    multiply_rows(t, t->w, t->score);
    project_all(t);
    offer(t);
}

/* Whether the round may end: its optimum is near. */
static bool is_near(const struct newton *t) {
    return vector_dot(t->gradient, t->gradient, t->n) <= round_tolerance * t->sums.distance;
}

/* Ends an iteration; true if the run is over. A gap that seems closed is one by J from the data, too. */
static bool report(struct newton *t) {
    struct batch *batch = &t->sdm->batch;
    if (monitor_closes(batch->monitor, batch->objective, batch->bound)) {
        batch_renew(batch);
        if (sdm_affords(t->sdm, 0, true))
            sdm_touch(t->sdm, sdm_pass(t->sdm));
        sdm_count(t->sdm);
    }
    return batch_report(batch);
}

/* Whether a step leads on; otherwise the run or its report ends. */
static bool step(struct newton *t) {
    struct batch *batch = &t->sdm->batch;
    if (!sdm_affords(t->sdm, 2 * sdm_pass(t->sdm), false))
        return false;
    if (find_direction(t) != 0) {
        if (!sdm_is_stopped(t->sdm))
            batch_stall(batch);
        return false;
    }
    search(t);
    return true;
}

/* A round; GOES_ON: from its present step, which is reported. True if the run is over. */
static bool run_round(struct newton *t, bool goes_on) {
    struct batch *batch = &t->sdm->batch;
    if (!goes_on) {
        t->steps = 0;
        if (!sdm_affords(t->sdm, 0, true))
            return batch_report(batch);
        renew(t);
    }
    for (; t->steps < MOST_STEPS; ++t->steps, goes_on = false) {
        if (!goes_on && (report(t) || batch_save(batch)))
            return true;
        if (t->steps > 0 && is_near(t))
            return false;
        if (!step(t))
            return batch_report(batch);
    }
    return false;
}

/* After a report. The rest follows from the scores. */
static void visit(struct state *state, void *context) {
    struct newton *t = context;
    int64_t count = t->sdm->rows.count * t->sdm->rows.classes;
    batch_visit(&t->sdm->batch, state);
    state_doubles(state, t->w, t->n);
    state_doubles(state, t->score, count);
    state_doubles(state, t->origin, count);
    STATE_REALS(state, &t->sigma, &t->objective, &t->bound, &t->sdm->touched);
    t->steps = (int)state_integer(state, t->steps, 0, MOST_STEPS - 1);
    t->idle = (int)state_integer(state, t->idle, 0, MAX_IDLE_ROUNDS);
    if (state_reads(state))
        project_all(t);
}

/* The origin of the first round. */
static void spread_duals(struct newton *t) {
    const struct sdm *s = t->sdm;
    for (int64_t i = 0; i < s->rows.count; i++)
        for (int64_t a = s->duals.first[i]; a < s->duals.first[i] + s->duals.count[i]; a++)
            t->origin[i * s->rows.classes + s->duals.class[a]] = s->duals.beta[a];
}

static void next_round(struct newton *t) {
    double *origin = t->origin;
    t->origin = t->beta;
    t->beta = origin;
    if (t->steps <= FEW_STEPS)
        t->sigma *= 3;
    if (t->steps >= MANY_STEPS)
        t->sigma /= 2;
}

static void iterate(struct newton *t, bool goes_on) {
    struct batch *batch = &t->sdm->batch;
    for (;; goes_on = false) {
        if (!goes_on) {
            t->objective = batch->objective;
            t->bound = batch->bound;
        }
        if (run_round(t, goes_on))
            return;
        bool better = batch->objective < t->objective || batch->bound > t->bound;
        t->idle = better ? 0 : t->idle + 1;
        if (t->idle >= MAX_IDLE_ROUNDS)
            batch_stall(batch);
        next_round(t);
    }
}

/* Where numbers of very different sizes have made a point worthless that looked good, W = 0 is better. */
static void prefer_zero(struct sdm *s) {
    struct batch *batch = &s->batch;
    batch_renew(batch);
    if (batch->objective <= s->rows.terms->margin)
        return;
    memset(batch->best, 0, sizeof *batch->best * (size_t)batch->problem->risk->dimension);
    batch->objective = s->rows.terms->margin;
    batch_is_over(batch);
    batch_stall(batch);
}

int sdm_newton_train(struct sdm *s, struct error *e) {
    struct newton t;
    int status = init(&t, s, e);
    if (status == 0) {
        spread_duals(&t);
        enum checkpoint_entry entry = monitor_enter_run(s->batch.monitor, visit, &t, e);
        status = entry == CHECKPOINT_REFUSED ? -1 : 0;
        if (status == 0) {
            iterate(&t, entry == CHECKPOINT_GOES_ON);
            prefer_zero(s);
        }
    }
    release(&t);
    return status;
}
