/* sdca.c - stochastic dual coordinate ascent over the items of a risk: sentences, queries, molecules; with the
 * logistic loss rows (sdca_rows.h).
 *
 *     minimize over w:  J(w) = lambda/2 ||w||^2 + sum_i p_i l_i(w)
 *
 * A sweep visits the items in random order; a visit improves the dual variables of one item and changes w at once
 * (sdca_gibbs.c for smooth losses, sdca_planes.c for those with kinks; sdca.h has the dual). Items whose last gap is
 * far below the mean are visited with probability 1/SKIP_PERIOD. After some sweeps one evaluation pass has J(w), the
 * bound and the gaps of all items.
 *
 * With many more features than items, or small lambda, the dual is badly conditioned. So the sweeps solve
 *
 *     minimize J(w) + kappa/2 ||w - z||^2,    z <- w + beta (w - w at the last change of z),
 *     beta = (1 - sqrt q)/(1 + sqrt q),  q = lambda/(lambda + kappa),
 *
 * each of them roughly; z moves every few sweeps, and the dual variables stay as they are. The bound is that of J
 * itself.
 *
 * Passes: the visits over the number of items, and the evaluation passes. One thread visits; evaluations are parallel.
 * All sums are taken in an order that depends on the data alone.
 *
 * References: Shalev-Shwartz & Zhang 2013, JMLR 14, and 2014, ICML (acceleration); Lin, Mairal & Harchaoui 2015, NIPS;
 * Lacoste-Julien et al. 2013 and Osokin et al. 2016 (sdca_planes.c); Collins et al. 2008 (sdca_gibbs.c). */
#include "solvers/dual/sdca.h"

#include "io/memory.h"
#include "math/long_vector.h"
#include "math/vector.h"
#include "solvers/dual/sdca_rows.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { EVALUATION_BLOCKS = 64 }; /* of an evaluation, whose sums are added in order */
enum { SKIP_PERIOD = 16 };       /* sweeps: one of them visits an item with a small gap */
enum { MAX_REVISITS = 500, MAX_IDLE = 20 };

static const double small_gap = 0.1; /* of the mean gap: such items are skipped */

static double gap_of(const struct sdca *s) {
    return s->batch.objective - s->batch.bound;
}

/* ---- evaluation */

struct sums {
    double risk, constant, gap; /* sums of p_i l_i, p_i t_i, and of gaps of items with a weight */
    bool failed;                /* memory was short */
};

/* l_i at w, t_i, and the gap. */
static void evaluate_item(struct sdca *s, int64_t i, struct sums *sums) {
    int thread = omp_get_thread_num();
    double *u = s->u + thread * s->local.max_size, *d = s->d + thread * s->local.max_size, t;
    double share = items_local_share(&s->local, i);
    items_local_scores(&s->local, i, s->w, u);
    double value = items_local_value(&s->local, i, u, d, thread);
    double linear = s->form->linear(s, i, u, &t);
    s->gap[i] = fmax(0, value - linear - t);
    if (s->revisits > 0 && s->form->keep(s, i, u, d, value, NULL) != 0)
        sums->failed = true;
    sums->risk += share * value;
    sums->constant += share * t;
    sums->gap += s->gap[i];
}

static void evaluate_block(struct sdca *s, int block, struct sums *sums) {
    int64_t items = s->problem->risk->items;
    *sums = (struct sums){0};
    for (int64_t i = items * block / EVALUATION_BLOCKS; i < items * (block + 1) / EVALUATION_BLOCKS;
         i++) {
        if (items_local_share(&s->local, i) > 0)
            evaluate_item(s, i, sums);
        if (isnan(sums->risk) || risk_stopped(s->problem->risk)) {
            sums->risk = NAN;
            return;
        }
    }
}

/* Evaluates R, t and the gaps at w; R is not-a-number if it was interrupted. */
static struct sums evaluate(struct sdca *s) {
    struct sums sums[EVALUATION_BLOCKS], all = {0};
    items_local_prepare_all(&s->local, s->w);
#pragma omp parallel for schedule(dynamic, 1) num_threads(s->threads)
    for (int block = 0; block < EVALUATION_BLOCKS; block++)
        evaluate_block(s, block, &sums[block]);
    for (int block = 0; block < EVALUATION_BLOCKS; block++) {
        all.risk += sums[block].risk;
        all.constant += sums[block].constant;
        all.gap += sums[block].gap;
        all.failed = all.failed || sums[block].failed;
    }
    return all;
}

/* ||s||^2/lambda^2 for s = kappa z - (lambda + kappa) w: the square itself may be beyond all numbers */
static double slope_square(const struct sdca *s) {
    int64_t n = s->problem->risk->dimension;
    double b = s->kappa / s->lambda, a = 1 + b;
    return a * a * long_dot(NULL, s->w, s->w, n) - 2 * a * b * long_dot(NULL, s->w, s->centre, n) +
           b * b * long_dot(NULL, s->centre, s->centre, n);
}

/* Keeps the linearization (s, t) of the bound. */
static void keep_linearization(struct sdca *s, double constant, double bound) {
    struct linearization *kept = s->problem->linearization;
    if (kept == NULL || !(bound > kept->bound))
        return;
    long_combine(kept->slope, -(s->lambda + s->kappa), s->w, s->kappa, s->centre,
                 s->problem->risk->dimension);
    kept->constant = constant;
    kept->bound = bound;
}

/* Offers w with its J, and a bound. Rounding ends the run where the gap is small and nothing gets better. */
static void offer(struct sdca *s, double objective, double bound) {
    static const double stall_gap = 1e-6;
    struct batch *b = &s->batch;
    s->idle = objective < b->objective || bound > b->bound ? 0 : s->idle + 1;
    batch_offer(b, s->w, objective);
    batch_raise(b, bound);
    if (s->idle > MAX_IDLE && gap_of(s) <= stall_gap * b->objective)
        batch_stall(b);
}

/* Offers w and the bound of the duals. 0, or -1 with the error set. */
static int certify(struct sdca *s, struct error *e) {
    int64_t n = s->problem->risk->dimension;
    const struct sums sums = evaluate(s);
    batch_count(&s->batch, 1);
    if (sums.failed)
        return error_set(e, "out of memory: the planes of the items");
    if (isnan(sums.risk)) {
        if (monitor_poll(s->batch.monitor) == VERDICT_GO_ON)
            batch_stall(&s->batch); /* the weights are beyond all numbers */
        return 0;
    }
    s->mean_gap = sums.gap / (double)s->count;
    double bound = sums.constant - s->lambda / 2 * slope_square(s);
    offer(s, s->lambda / 2 * long_dot(NULL, s->w, s->w, n) + sums.risk, bound);
    keep_linearization(s, sums.constant, bound);
    return 0;
}

/* w anew from the dual variables, without the rounding errors of its changes. */
static void rebuild(struct sdca *s) {
    int64_t n = s->problem->risk->dimension, items = s->problem->risk->items;
    long_combine(s->w, 0, NULL, s->kappa / (s->lambda + s->kappa), s->centre, n);
    for (int64_t i = 0; i < items; i++)
        if (items_local_share(&s->local, i) > 0) {
            s->form->derivative(s, i, s->d);
            items_local_add(&s->local, i, -sdca_step(s, i), s->d, s->w);
        }
    batch_count(&s->batch, 1);
}

/* ---- sweeps */

/* What the last w is divided by, so that floats hold it: the size of w. */
static double size_of(const double *w, int64_t n) {
    double size = 0;
    for (int64_t j = 0; j < n; j++)
        size = fabs(w[j]) > size ? fabs(w[j]) : size;
    return size > 0 ? size : 1;
}

/* z moves, and w with it. */
static void move_centre(struct sdca *s) {
    int64_t n = s->problem->risk->dimension;
    if (s->kappa == 0)
        return;
    double before = s->last_size, size = s->last_size = size_of(s->w, n);
    double root = sqrt(s->lambda / (s->lambda + s->kappa)), beta = (1 - root) / (1 + root);
    double fraction = s->kappa / (s->lambda + s->kappa);
#pragma omp parallel for schedule(static) if (n > 10000)
    for (int64_t j = 0; j < n; j++) {
        double w = s->w[j], z = w + beta * (w - before * s->last[j]);
        s->w[j] = w + fraction * (z - s->centre[j]);
        s->centre[j] = z;
        s->last[j] = (float)(w / size);
    }
}

static bool is_skipped(struct sdca *s, int64_t i) {
    return s->gap[i] < small_gap * s->mean_gap && random_below(&s->random, SKIP_PERIOD) > 0;
}

/* A sweep; ended early by a limit, it leaves the verdict in the batch. */
static int sweep(struct sdca *s, struct error *e) {
    int64_t visits = 0;
    random_shuffle(&s->random, s->order, s->count);
    for (int64_t k = 0; k < s->count && s->batch.verdict == VERDICT_GO_ON; k++) {
        int64_t i = s->order[k];
        if (is_skipped(s, i))
            continue;
        if (s->form->visit(s, i, e) != 0)
            return -1;
        visits++;
        s->batch.verdict = monitor_poll(s->batch.monitor);
    }
    s->batch.passes += (double)visits / (double)s->count;
    return 0;
}

/* Sweeps over what is kept of the items, until little is left of the gaps that were seen last. */
static void resweep(struct sdca *s) {
    double seen = 0, left = INFINITY;
    for (int64_t k = 0; k < s->count; k++)
        seen += items_local_share(&s->local, s->order[k]) * s->gap[s->order[k]];
    for (int64_t r = 0; r < s->revisits && left > small_gap * seen; r++) {
        random_shuffle(&s->random, s->order, s->count);
        left = 0;
        for (int64_t k = 0; k < s->count && s->batch.verdict == VERDICT_GO_ON; k++)
            left += items_local_share(&s->local, s->order[k]) * s->form->revisit(s, s->order[k]);
        s->batch.verdict = monitor_poll(s->batch.monitor);
    }
}

/* Sweeps up to the next evaluation, or the limit: one, where the tolerance is near. 0, or -1 with the error set. */
static int advance(struct sdca *s, struct error *e) {
    static const double near_tolerance = 4;
    bool ending = gap_of(s) <= near_tolerance * monitor_gap(s->batch.monitor, s->batch.objective);
    int64_t sweeps = ending ? 1 : s->looks;
    for (int64_t k = 0; k < sweeps && s->batch.verdict == VERDICT_GO_ON; k++) {
        if (!batch_affords(&s->batch, 2))
            return 0;
        if (sweep(s, e) != 0)
            return -1;
        resweep(s);
    }
    return 0;
}

/* Tells the monitor; w is built anew first where the gap that is asked for is near rounding. 0, or -1 with the error
 * set. */
static int report(struct sdca *s, bool *over, struct error *e) {
    static const double tight_tolerance = 1e-4;
    struct batch *b = &s->batch;
    bool reached = gap_of(s) <= monitor_gap(b->monitor, b->objective) && isfinite(b->objective);
    if (reached && b->monitor->tolerance < tight_tolerance) {
        rebuild(s);
        if (certify(s, e) != 0)
            return -1;
    }
    *over = batch_report(b);
    return 0;
}

/* More sweeps over kept planes where the gap falls slowly. */
static void adapt(struct sdca *s, double gap_before) {
    static const double slow_fall = 0.9;
    bool falls = gap_of(s) <= slow_fall * gap_before;
    if (!falls && !s->local.smooth && s->revisits < MAX_REVISITS)
        s->revisits = 2 * s->revisits + 1;
}

/* Sweeps up to the next evaluation; twice as many while the gap is large, except before the first one. 0, or -1 with
 * the error set. */
static int go_on(struct sdca *s, struct error *e) {
    static const double large_gap = 0.1;
    bool far = gap_of(s) > large_gap * s->batch.objective && s->batch.iteration > 1;
    if (advance(s, e) != 0)
        return -1;
    if (!far || s->batch.verdict != VERDICT_GO_ON)
        return 0;
    move_centre(s);
    return advance(s, e);
}

/* Before the sweeps after a report. */
static void visit(struct state *state, void *context) {
    struct sdca *s = context;
    int64_t n = s->problem->risk->dimension, items = s->problem->risk->items;
    batch_visit(&s->batch, state);
    random_visit(&s->random, state);
    s->revisits = state_integer(state, s->revisits, 0, INT32_MAX);
    s->idle = (int)state_integer(state, s->idle, 0, INT32_MAX);
    state_doubles(state, s->w, n);
    state_doubles(state, s->centre, n);
    state_bytes(state, s->last, n * (int64_t)sizeof *s->last);
    state_doubles(state, s->gap, items);
    STATE_REALS(state, &s->mean_gap, &s->last_size);
    state_integers(state, s->order, s->count, 0, items - 1);
    s->form->list(s, state);
}

static int iterate(struct sdca *s, struct error *e) {
    bool over = false;
    enum checkpoint_entry entry = monitor_enter_run(s->batch.monitor, visit, s, e);
    if (entry == CHECKPOINT_REFUSED ||
        (entry == CHECKPOINT_BEGINS && (certify(s, e) != 0 || report(s, &over, e) != 0)))
        return -1;
    while (!over && !batch_save(&s->batch)) {
        double gap = gap_of(s);
        if (go_on(s, e) != 0)
            return -1;
        bool limited = s->batch.verdict != VERDICT_GO_ON && s->batch.verdict != VERDICT_PASSES;
        if ((!limited && certify(s, e) != 0) || report(s, &over, e) != 0)
            return -1;
        adapt(s, gap);
        move_centre(s);
    }
    return 0;
}

/* ---- the start */

/* The duals of the losses at the start, and the proximal term about it; the start is the first point offered. */
static int start_warm(struct sdca *s, const double *start, struct error *e) {
    int64_t n = s->problem->risk->dimension;
    double risk = 0;
    memcpy(s->centre, start, sizeof *s->w * (size_t)n);
    s->last_size = size_of(start, n);
    for (int64_t j = 0; j < n; j++)
        s->last[j] = (float)(start[j] / s->last_size);
    items_local_prepare_all(&s->local, start);
    for (int64_t k = 0; k < s->count && !isnan(risk); k++) {
        int64_t i = s->order[k];
        items_local_scores(&s->local, i, start, s->u);
        double value = items_local_value(&s->local, i, s->u, s->d, 0);
        risk += items_local_share(&s->local, i) * value;
        if (!isnan(value) && s->form->set(s, i, s->u, s->d, value, e) != 0)
            return -1;
    }
    batch_count(&s->batch, 1);
    batch_offer(&s->batch, NULL, s->lambda / 2 * long_dot(NULL, start, start, n) + risk);
    rebuild(s);
    return 0;
}

/* For small lambda the proximal term limits the steps to lengths at which items hardly interact: kappa is
 * proportional to ||mean row||^2/items. Sweeps over kept planes pay where the loss is most of a
 * visit: at one score a row, or none. */
static void choose(struct sdca *s, const struct sdca_settings *settings) {
    static const double kappa_smooth = 2, kappa_kinks = 6, most_kappa = 10;
    bool smooth = s->local.smooth, cheap = !smooth && s->local.items->width <= 1;
    double independent =
        (smooth ? kappa_smooth : kappa_kinks) * s->local.coherence / (double)s->count;
    s->kappa = settings->kappa < 0 ? fmin(fmax(s->lambda, independent), most_kappa * s->lambda)
                                   : settings->kappa * s->lambda;
    s->rounds = smooth ? 2 : cheap ? 1 : 4;
    s->looks = smooth || cheap ? 2 : 3;
    s->revisits = smooth ? 0 : settings->revisits >= 0 ? settings->revisits : cheap ? 100 : 0;
}

/* Refuses what does not fit into memory before anything is computed. */
static int check_memory(const struct sdca *s, struct error *e) {
    double n = (double)s->problem->risk->dimension;
    double bytes =
        (2 * sizeof(double) + sizeof(float)) * n + items_local_bytes(&s->local) + s->form->bytes(s);
    if (bytes <= memory_of_machine())
        return 0;
    return error_set(e,
                     "sdca needs %.3g GB for its dual variables, more than this machine has; -s "
                     "proximal needs less",
                     bytes / 1e9);
}

static int allocate(struct sdca *s, struct error *e) {
    const struct risk *risk = s->problem->risk;
    int64_t local = s->local.max_size * s->threads;
    s->w = memory_zeroed(risk->dimension, sizeof *s->w, "the weights", e);
    s->centre = memory_zeroed(risk->dimension, sizeof *s->centre, "the weights", e);
    s->last_size = 1;
    s->last = memory_zeroed(risk->dimension, sizeof *s->last, "the weights", e);
    s->gap = memory_zeroed(risk->items, sizeof *s->gap, "gaps", e);
    s->order = memory_new(risk->items, sizeof *s->order, "the order of items", e);
    s->u = memory_new(local, sizeof *s->u, "local scores", e);
    s->d = memory_new(local, sizeof *s->d, "local scores", e);
    if (s->w == NULL || s->centre == NULL || s->last == NULL || s->gap == NULL ||
        s->order == NULL || s->u == NULL || s->d == NULL)
        return -1;
    for (int64_t i = 0; i < risk->items; i++)
        if (items_local_share(&s->local, i) > 0)
            s->order[s->count++] = i;
    return 0;
}

static void free_all(struct sdca *s) {
    if (s->form != NULL)
        s->form->free(s);
    items_local_free(&s->local);
    free(s->w);
    free(s->centre);
    free(s->last);
    free(s->gap);
    free(s->order);
    free(s->u);
    free(s->d);
}

static int begin(struct sdca *s, const struct solve *solve, struct error *e) {
    const struct risk *risk = s->problem->risk;
    if (!items_local_can(risk))
        return error_set(e, "sdca has no dual of this loss; -s proximal-bundle takes it");
    if (items_local_init(&s->local, risk, e) != 0)
        return -1;
    s->form = s->local.smooth ? &sdca_gibbs : &sdca_planes;
    s->threads = items_local_threads(&s->local);
    if (check_memory(s, e) != 0 || items_local_multiply(&s->local, e) != 0)
        return -1;
    if (allocate(s, e) != 0)
        return -1;
    choose(s, solve->options);
    random_seed(&s->random, solve->run->seed, solve->run->stream);
    return s->form->init(s, e);
}

/* Of items. */
static int train_items(const struct solve *solve, const struct problem *problem, struct error *e) {
    struct sdca s = {.problem = problem, .lambda = problem->lambda};
    batch_begin(&s.batch, problem, solve->monitor, solve->w);
    int status = -1;
    if (begin(&s, solve, e) == 0 && (!solve->run->warm || start_warm(&s, solve->w, e) == 0) &&
        iterate(&s, e) == 0)
        status = batch_finish(&s.batch, solve->outcome, e);
    risk_watch(problem->risk, NULL, NULL);
    free_all(&s);
    return status;
}

/* Of one score: with a second derivative that varies. The dual variables of others are for dcd. */
static bool takes_loss(const struct loss *loss) {
    return !loss->quadratic && loss->tube == NULL && isfinite(loss->curvature);
}

static int train(const struct solve *solve, struct error *e) {
    const struct scalar_terms *terms = solve->problem->risk->scalar;
    if (terms == NULL || !takes_loss(terms->loss))
        return train_items(solve, solve->problem, e);
    struct problem problem = *solve->problem;
    struct risk *rows = sdca_rows_new(terms, e);
    if (rows == NULL)
        return -1;
    problem.risk = rows;
    int status = train_items(solve, &problem, e);
    risk_free(rows);
    return status;
}

static const struct option_row options[] = {
    {.name = "kappa",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = -1,
     .high = 1e6,
     .default_text = "-1",
     .help = "weight of the proximal term, in units of lambda; 0: none; -1: chosen",
     .offset = offsetof(struct sdca_settings, kappa)},
    {.name = "revisits",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .low = -1,
     .high = 10000,
     .default_text = "-1",
     .help = "sweeps over the kept planes after each sweep; -1: chosen",
     .offset = offsetof(struct sdca_settings, revisits)},
};

static const char *const regularizers[] = {"l2", NULL};

const struct solver sdca = {
    .name = "sdca",
    .summary = "dual coordinate ascent over sequences, queries and other items; logistic",
    .reference = "Shalev-Shwartz & Zhang 2014; Lacoste-Julien et al. 2013; Collins et al. 2008",
    .tolerance = "certified relative gap (J - bound)/J at which the run ends",
    .epsilon = 1e-3,
    .passes = 10000,
    .needs = SOLVER_NEEDS_ITEMS,
    .needs_all_rows = true,
    .goes_on = true,
    .linearizes = true,
    .regularizers = regularizers,
    .takes_loss = takes_loss,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct sdca_settings),
    .train = train,
};
