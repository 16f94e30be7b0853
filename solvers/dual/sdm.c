/* sdm.c - the sequential dual method for margins between classes, with certified optima.
 *
 *     minimize over W:  J(W) = lambda/2 ||W||^2 + mean of max_k (margin [k != y_i] + <w_k - w_yi, x_i>)
 *
 * in its dual (sdm.h). Steps of single rows, each solved exactly, over the classes that matter, are Keerthi et al.'s;
 * they are slow where many dual variables are free, and there conjugate gradients take over (sdm_ascent.c). Both are
 * slow on some narrow data, of features not scaled or of classes that no weights separate. A proximal point method with
 * Newton steps (sdm_newton.c) is as fast at any lambda and scale. After a trial it takes over, unless the progress of
 * the gap promises an end sooner than its usual cost. Both certify: for every feasible beta,
 * min J >= lambda (sum <beta_i, e_i> - ||W(beta)||^2/2).
 *
 * A pass is the work of all scores of all rows; scores and updates of some rows and classes count in proportion. A
 * given start (-i) is tried as it is; then dual variables are found from its scores, and their W is the start. In a
 * path of lambdas they are those of the run before, in units of C_i.
 *
 * Reference: Keerthi, Sundararajan, Chang, Hsieh & Lin 2008, "A sequential dual method for large scale multi-class
 * linear SVMs", KDD. Memory: W three times and a list of the active classes of each row twice. */
#include "solvers/dual/sdm.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WEIGHTS = 1000 }; /* of Newton's method by itself: its matrix is that large */

enum method { METHOD_AUTO, METHOD_ASCENT, METHOD_NEWTON };

static const char *const methods[] = {"auto", "ascent", "newton", NULL};

struct sdm_settings {
    int method;
    double memory; /* MB; 0: the machine's */
};

static double memory_limit(const struct sdm_settings *settings) {
    return settings->memory > 0 ? settings->memory * 1e6 : memory_of_machine();
}

/* Bytes: W, the rows, and lists of what is likely to be active; Newton's method, if it is to be used. */
static double bytes_needed(const struct risk *risk, bool newton) {
    enum {
        ENTRIES_PER_ROW = 4,
        ENTRY_BYTES = 16
    }; /* of a row's list, with memory to grow; of an entry in bytes */
    const struct class_terms *terms = risk->margins;
    double rows = (double)terms->data->rows, classes = (double)terms->classes;
    double lists = 2 * rows * (ENTRY_BYTES + ENTRY_BYTES * fmin(ENTRIES_PER_ROW, classes)) +
                   rows * sizeof(int64_t);
    return 2 * sizeof(double) * (double)risk->dimension + lists +
           (newton ? sdm_newton_bytes(terms) : sdm_rows_bytes(terms, false));
}

static int check_memory(const struct risk *risk, const struct sdm_settings *settings,
                        struct error *e) {
    bool newton = settings->method == METHOD_NEWTON;
    double limit = memory_limit(settings), needed = bytes_needed(risk, newton);
    if (needed <= limit)
        return 0;
    return error_set(e,
                     "sdm needs %.6g MB for %lld weights and %lld examples, more than %s %.6g MB; "
                     "use %s-s proximal",
                     needed / 1e6, (long long)risk->dimension, (long long)risk->margins->data->rows,
                     settings->memory > 0 ? "--memory" : "this machine's", limit / 1e6,
                     newton ? "--method ascent, or " : "");
}

/* Number of products that Newton's method usually costs. 0: always use it; infinite: never. A sparse
 * product takes longer than one of the dense rows that Newton's method has, unless it is of many classes. */
static double newton_products(const struct risk *risk, const struct sdm_settings *settings,
                              bool sparse) {
    static const double sparse_time = 2;
    if (settings->method != METHOD_AUTO)
        return settings->method == METHOD_ASCENT ? INFINITY : 0;
    if (risk->dimension > MOST_WEIGHTS || bytes_needed(risk, true) > memory_limit(settings))
        return INFINITY;
    return sdm_newton_products(risk->margins) / (sparse ? sparse_time : 1);
}

static int init(struct sdm *s, const struct solve *solve, struct error *e) {
    const struct risk *risk = solve->problem->risk;
    int64_t rows = risk->margins->data->rows, classes = risk->margins->classes;
    s->lambda = solve->problem->lambda;
    random_seed(&s->random, solve->run->seed, solve->run->stream);
    if (sdm_rows_init(&s->rows, risk->margins, s->lambda, false, e) != 0 ||
        sdm_duals_init(&s->duals, rows, 2 * rows, e) != 0 ||
        sdm_duals_init(&s->next, rows, 2 * rows, e) != 0)
        return -1;
    s->w = memory_zeroed(sdm_size(&s->rows), sizeof *s->w, "the weights", e);
    s->point = memory_new(risk->dimension, sizeof *s->point, "the weights", e);
    s->order = memory_new(rows, sizeof *s->order, "an order of the examples", e);
    s->score = memory_new((SDM_CHUNK + 4) * classes, sizeof *s->score, "scores", e);
    s->selected = memory_new(classes + 1, sizeof *s->selected, "classes", e);
    if (s->w == NULL || s->point == NULL || s->order == NULL || s->score == NULL ||
        s->selected == NULL)
        return -1;
    s->work = s->score + SDM_CHUNK * classes;
    return 0;
}

static void release(struct sdm *s) {
    sdm_rows_free(&s->rows);
    sdm_duals_free(&s->duals);
    sdm_duals_free(&s->next);
    free(s->w);
    free(s->point);
    free(s->order);
    free(s->score);
    free(s->selected);
    free(s->face_numbers);
    free(s->face_indices);
}

/* beta_i = C_i at the true class: W(beta) = 0. */
static void start_at_zero(struct sdm *s) {
    memset(s->w, 0, sizeof *s->w * (size_t)sdm_size(&s->rows));
    s->duals.entries = 0;
    for (int64_t i = 0; i < s->rows.count; i++) {
        sdm_duals_begin(&s->duals, i);
        if (s->rows.cost[i] > 0)
            sdm_duals_append(&s->duals, i, sdm_class(&s->rows, i), s->rows.cost[i]);
    }
}

/* What a run leaves for the next lambda. */
struct sdm_kept {
    struct sdm_duals duals;
    double lambda;
    int64_t rows;
};

static void free_kept(void *state) {
    struct sdm_kept *kept = state;
    sdm_duals_free(&kept->duals);
    free(kept);
}

/* Adds FACTOR times row i's dual variables to its list in TO. */
static void add_row(struct sdm_duals *to, const struct sdm_duals *from, int64_t i, double factor) {
    for (int64_t a = from->first[i]; a < from->first[i] + from->count[i]; a++) {
        int64_t place = to->first[i], end = to->first[i] + to->count[i];
        while (place < end && to->class[place] != from->class[a])
            place++;
        if (place == end)
            sdm_duals_append(to, i, from->class[a], 0);
        to->beta[place] += factor * from->beta[a];
    }
}

/* Times lambda they are linear in lambda. */
static void *mix_kept(const void *first, const void *second, double fraction, struct error *e) {
    const struct sdm_kept *a = first, *b = second;
    struct sdm_kept *mixed = memory_zeroed(1, sizeof *mixed, "the dual variables", e);
    if (mixed == NULL)
        return NULL;
    mixed->lambda = a->lambda;
    mixed->rows = a->rows;
    if (sdm_duals_init(&mixed->duals, a->rows, a->duals.entries + b->duals.entries, e) != 0) {
        free_kept(mixed);
        return NULL;
    }
    for (int64_t i = 0; i < a->rows; i++) {
        sdm_duals_begin(&mixed->duals, i);
        add_row(&mixed->duals, &a->duals, i, 1 - fraction);
        add_row(&mixed->duals, &b->duals, i, fraction * b->lambda / a->lambda);
    }
    return mixed;
}

static void visit_kept(struct state *list, void **state, const struct problem *problem) {
    struct sdm_kept *kept = *state;
    const struct class_terms *terms = problem->risk->margins;
    int64_t rows = terms->data->rows;
    if (!state_holds(list, rows, sizeof *kept->duals.count))
        return;
    if (kept == NULL) {
        struct error *e = state_cause(list);
        *state = kept = memory_zeroed(1, sizeof *kept, "the dual variables", e);
        if (kept == NULL || sdm_duals_init(&kept->duals, rows, rows, e) != 0) {
            state_fail(list);
            return;
        }
        kept->rows = rows;
    }
    STATE_REALS(list, &kept->lambda);
    sdm_duals_visit(&kept->duals, rows, terms->classes, list);
}

static const struct kept_kind kept_duals = {
    .free = free_kept, .visit = visit_kept, .mix = mix_kept};
static const struct kept_kind *const keeps[] = {&kept_duals, NULL};

/* beta_i moves the fraction FACTOR from the true class to its old value; the result is in units of this C_i. */
static void take_row(struct sdm *s, const struct sdm_duals *from, int64_t i, double ratio,
                     double factor) {
    int64_t first = from->first[i], label = sdm_class(&s->rows, i);
    double others = 0;
    sdm_duals_begin(&s->duals, i);
    if (!(s->rows.cost[i] > 0))
        return;
    for (int64_t a = first; a < first + from->count[i]; a++) {
        double beta = factor * ratio * from->beta[a];
        if (from->class[a] == label || !(beta > 0))
            continue;
        sdm_duals_append(&s->duals, i, from->class[a], beta);
        others += beta;
    }
    sdm_duals_append(&s->duals, i, (int32_t)label, fmax(s->rows.cost[i] - others, 0));
}

static void take_rows(struct sdm *s, const struct sdm_kept *kept, double factor) {
    s->duals.entries = 0;
    for (int64_t i = 0; i < s->rows.count; i++)
        take_row(s, &kept->duals, i, kept->lambda / s->lambda, factor);
    sdm_rebuild(s);
    sdm_touch(s, sdm_rebuild_products(s));
}

/* The linear part of the dual. */
static double linear_part(const struct sdm *s) {
    double others = 0;
    for (int64_t i = 0; i < s->rows.count; i++)
        for (int64_t a = s->duals.first[i]; a < s->duals.first[i] + s->duals.count[i]; a++)
            others += s->duals.class[a] != sdm_class(&s->rows, i) ? s->duals.beta[a] : 0;
    return s->rows.terms->margin * others;
}

/* The dual variables of the run before, in units of C_i and times the factor that is best for the dual: W and the
 * linear part are in proportion to it. */
static int start_from_kept(struct sdm *s, const struct sdm_kept *kept, struct error *e) {
    if (!sdm_affords(s, 2 * sdm_pass(s), true))
        return 0;
    s->duals.entries = 0;
    if (sdm_duals_reserve(&s->duals, kept->duals.entries + s->rows.count, e) != 0)
        return -1;
    take_rows(s, kept, 1);
    double linear = linear_part(s), square = vector_dot(s->w, s->w, sdm_size(&s->rows));
    if (linear < square)
        take_rows(s, kept, linear / square);
    return 0;
}

static int keep(struct sdm *s, struct kept *kept, struct error *e) {
    struct sdm_kept *state = memory_new(1, sizeof *state, "the dual variables", e);
    if (state == NULL)
        return -1;
    *state = (struct sdm_kept){.duals = s->duals, .lambda = s->lambda, .rows = s->rows.count};
    s->duals = (struct sdm_duals){0};
    kept_free(kept);
    *kept = (struct kept){.state = state, .kind = &kept_duals};
    return 0;
}

/* The given weights are a point, and their scores give dual variables, unless a run left its own, and R there. */
static int start_from(struct sdm *s, const double *w, struct error *e) {
    const struct problem *problem = s->batch.problem;
    const struct kept *kept = problem->kept;
    bool known = kept != NULL && kept->state != NULL;
    double objective =
        known ? kept->risk + problem_penalty(problem, w) : problem_objective(problem, w);
    memcpy(s->point, w, sizeof *w * (size_t)problem->risk->dimension);
    batch_offer(&s->batch, s->point, objective);
    if (known)
        return start_from_kept(s, kept->state, e);
    sdm_touch(s, s->rows.products * (double)s->rows.classes);
    if (!sdm_affords(s, 2 * sdm_pass(s), true))
        return 0; /* a sweep and W of its dual variables */
    sdm_weights_in(&s->rows, s->point, s->w);
    if (sdm_sweep_all(s, true, e) != 0)
        return -1;
    sdm_rebuild(s);
    return 0;
}

/* All weights 0, where J is the margin. */
static void offer_zero(struct sdm *s) {
    memset(s->point, 0, sizeof *s->point * (size_t)s->batch.problem->risk->dimension);
    batch_offer(&s->batch, s->point, s->rows.terms->margin);
    batch_raise(&s->batch, 0);
}

/* The rows as Newton's method needs them. */
static int make_dense(struct sdm *s, struct error *e) {
    const struct class_terms *terms = s->rows.terms;
    int64_t size = sdm_size(&s->rows);
    double products = s->rows.products;
    sdm_weights_out(&s->rows, s->w, s->point);
    sdm_rows_free(&s->rows);
    if (sdm_rows_init(&s->rows, terms, s->lambda, true, e) != 0)
        return -1;
    s->touched *= s->rows.products / products;    /* the passes stay */
    memset(s->w, 0, sizeof *s->w * (size_t)size); /* it is at most as large now */
    sdm_weights_in(&s->rows, s->point, s->w);
    return 0;
}

/* Far from the optimum, coordinate ascent on the active classes leaves many dual variables at 0 or C_i. From there
 * Newton's method takes more steps than from W = 0 or from the sweeps at the start, unless a start was given. */
static int continue_by_newton(struct sdm *s, bool warm, struct error *e) {
    if (make_dense(s, e) != 0)
        return -1;
    if (!warm && s->batch.iteration > 1)
        start_at_zero(s);
    return sdm_newton_train(s, e);
}

static int begin(struct sdm *s, const struct solve *solve, struct error *e) {
    if (solve->run->warm && start_from(s, solve->w, e) != 0)
        return -1;
    offer_zero(s);
    return sdm_ascent_start(s, e);
}

/* Coordinate ascent, from its beginning or a checkpoint. */
static int ascend(struct sdm *s, const struct solve *solve, struct error *e) {
    bool sparse = !s->rows.by_class && s->rows.classes <= s->rows.features;
    double newton = newton_products(solve->problem->risk, solve->options, sparse);
    int depth = monitor_depth(solve->monitor), status = 0;
    start_at_zero(s);
    enum checkpoint_entry entry = monitor_enter_run(solve->monitor, sdm_ascent_visit, s, e);
    if (entry == CHECKPOINT_BEGINS)
        status = begin(s, solve, e);
    if (entry == CHECKPOINT_REFUSED || status != 0 ||
        sdm_ascent_train(s, newton, entry == CHECKPOINT_GOES_ON, e) != 0)
        return -1;
    monitor_leave(solve->monitor, depth);
    return 0;
}

static void visit(struct state *state, void *newton) {
    bool *second = newton;
    *second = state_flag(state, *second);
}

static int train_from(struct sdm *s, const struct solve *solve, struct error *e) {
    bool newton = false; /* a checkpoint is of the second method */
    batch_begin(&s->batch, solve->problem, solve->monitor, solve->w);
    if (monitor_enter(solve->monitor, visit, &newton, e) == CHECKPOINT_REFUSED ||
        (!newton && ascend(s, solve, e) != 0))
        return -1;
    newton = newton || s->batch.verdict == VERDICT_GO_ON;
    if (newton && continue_by_newton(s, solve->run->warm, e) != 0)
        return -1;
    if (batch_finish(&s->batch, solve->outcome, e) != 0)
        return -1;
    return solve->problem->kept == NULL ? 0 : keep(s, solve->problem->kept, e);
}

static int train(const struct solve *solve, struct error *e) {
    struct sdm s = {0};
    if (check_memory(solve->problem->risk, solve->options, e) != 0)
        return -1;
    int status = init(&s, solve, e);
    if (status == 0)
        status = train_from(&s, solve, e);
    release(&s);
    return status;
}

static const struct option_row options[] = {
    OPTION_CHOICE_ROW("method", "auto|ascent|newton", methods, "auto", struct sdm_settings, method,
                      "coordinate ascent with conjugate gradients (ascent); the proximal point "
                      "method with Newton steps (newton); or ascent, and newton where that "
                      "promises to end sooner, for at most 1000 weights (auto)"),
    OPTION_NUMBER_ROW("memory", "MB", 1e7, "0", struct sdm_settings, memory,
                      "limit of the memory; 0 means the machine's"),
};

/* Its losses are of the scores of several classes. */
static bool takes_no_single_score(const struct loss *loss) {
    (void)loss;
    return false;
}

static const char *const regularizers[] = {"l2", NULL};

const struct solver sdm = {
    .name = "sdm",
    .summary = "sequential dual method for crammer-singer, at any lambda",
    .reference = "Keerthi, Sundararajan, Chang, Hsieh & Lin 2008",
    .tolerance = "certified relative gap (J - bound)/J at which the run ends",
    .epsilon = 1e-3,
    .passes = 10000,
    .needs = SOLVER_NEEDS_MARGINS,
    .needs_all_rows = true,
    .goes_on = true,
    .linearizes = true,
    .mixes = true,
    .keeps = keeps,
    .regularizers = regularizers,
    .takes_loss = takes_no_single_score,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct sdm_settings),
    .train = train,
};
