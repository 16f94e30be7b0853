/* multipliers.c - the proximal method of multipliers, by dual coordinates, in a metric. */
#include "solvers/online/multipliers.h"

#include "io/memory.h"
#include "math/random/random.h"
#include "math/vector.h"
#include "solvers/dual_bound.h"
#include "solvers/online/averages.h"
#include "solvers/online/certify.h"
#include "solvers/online/finish.h"
#include "solvers/online/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SKIPPED = 2, MAX_SKIPPED = 16 };           /* sweeps */
enum { PREFETCHED_ADDRESSES = 8, PREFETCHED_ROWS = 4 }; /* visits ahead, for prefetching */

/* J is first evaluated after first_check passes, then after check_growth times as many. */
static const double first_check = 3, check_growth = 1.5;

/* w is added to the averages after so many passes. A combination pays where J changes by more between two checks, and
 * where it is so small a part of the run. */
static const double add_passes = 0.1, least_change = 0.01, combined_share = 0.25;

/* Examples that decide whether a combination pays: this part of a run's visits, within these limits. If they are few,
 * it fits them alone. */
static const double sample_share = 0.1, least_sample = 4096, most_sample = 16384;

/* z stays fixed for the last rest_passes passes, but for at most rest_share of the run. */
static const double rest_passes = 1, rest_share = 0.1;

static const double settled_gap = 0.2; /* of the bound at most, where J has settled */

/* kappa is looked at after half a pass or more, and changed by 2 if the difference of correlations is out of this
 * range, by 4 if it is beyond the strong one. That of the outer steps counts half, but fully with many examples and
 * more features, where it is less noisy and kappa has far to go, and not at all where share_of_outer says so. */
static const double least_difference = -0.35, most_difference = 0.3, strong_difference = 0.5;
static const double outer_share = 0.5;
static const int64_t many_examples = 1000;
static const double steady_correlation =
    0.99; /* correlation of outer steps that all go in one direction */
/* METRIC_OFFSET in regression: columns over rows, and the part of the entries that are not 0. */
static const double wide_factor = 2, dense_share = 0.25;
static const double kappa_range = 1024; /* kappa at most, over that of the start; and the inverse */

/* Sums for the correlation of changes and the changes before. */
struct correlation {
    double product, square, last_square;
};

/* Of kappa. */
struct tuning {
    float *last;             /* rows: the last change of a_i */
    double *outer_last;      /* columns: the last outer step */
    double outer_square;     /* its square in the metric */
    struct correlation dual; /* of the changes of the a_i since kappa was looked at */
    struct correlation outer;
    double first;   /* kappa at the start */
    int64_t visits; /* when it was looked at */
};

struct multipliers {
    struct passes passes; /* its `t` counts the visits */
    const struct problem *problem;
    const struct scalar_terms *terms;
    const struct online_rule *rule;
    void *state; /* the rule's */
    struct certify certify;
    bool certifies; /* `certify` is there */
    struct metric metric;
    enum metric_use use; /* of it */
    struct penalty penalty;
    double *z;               /* columns: where the outer step began */
    double *direction;       /* columns: work */
    double *a, *work;        /* rows: the dual variables; work of the bound */
    int64_t *order;          /* the rows of this sweep */
    int64_t count, next;     /* rows in `order`; the next one */
    uint8_t *skipped, *wait; /* rows: sweeps left out last time; sweeps still to be left out */
    int64_t moved;           /* visits when z last moved */
    struct tuning tuning;
    int64_t interval; /* at least so many visits between two moves */
    struct averages averages;
    int64_t add_interval, next_add; /* visits between two additions of w to them; the next one */
    double *combined;               /* columns: the best combination of w and the averages */
    bool is_combined;               /* `combined` is of the present w */
    bool combines;                  /* a combination is expected to pay */
    double objective;               /* of the last check */
    bool changed;                   /* J was another at the check before */
    struct random random;
    double bound;
    double next_check; /* visits */
};

/* ---- kappa */

static void correlation_add(struct correlation *c, double change, double last) {
    c->product += change * last;
    c->square += change * change;
    c->last_square += last * last;
}

static double correlation_of(const struct correlation *c) {
    double squares = c->square * c->last_square;
    return squares > 0 ? c->product / sqrt(squares) : 0;
}

/* Notes an outer step, and MULTIPLE, the step multiplied by M. */
static void note_outer_step(struct tuning *t, const double *step, const double *multiple,
                            int64_t n) {
    double square = vector_dot(step, multiple, n);
    t->outer.product += vector_dot(t->outer_last, multiple, n);
    t->outer.square += square;
    t->outer.last_square += t->outer_square;
    t->outer_square = square;
    memcpy(t->outer_last, step, sizeof *step * (size_t)n);
}

static bool is_wide(const struct multipliers *m) {
    return m->terms->design->columns > m->terms->design->rows;
}

/* How much the outer steps' correlation counts. With l1 and a smooth loss, whose dual variables all go on moving, w
 * goes on for long with the right kappa, too. */
static double share_of_outer(const struct multipliers *m) {
    const struct loss *loss = m->terms->loss;
    if (!is_wide(m) || m->terms->design->rows < many_examples)
        return outer_share;
    bool smooth =
        loss->task == TASK_CLASSIFICATION && isfinite(loss->curvature) && !loss_second_jumps(loss);
    return m->use == METRIC_SPARSE && smooth ? 0 : 1;
}

/* kappa for the next outer steps. With one that is too small the dual variables go on in one direction for many sweeps,
 * and w swings to and fro; with one that is too large they swing, or follow w, and w goes on. */
static double next_kappa(struct multipliers *m) {
    struct tuning *t = &m->tuning;
    double kappa = m->metric.kappa;
    if (m->use == METRIC_OFFSET || m->passes.t - t->visits < m->passes.steps / 2)
        return kappa;
    double outer = correlation_of(&t->outer);
    double difference = correlation_of(&t->dual) - share_of_outer(m) * outer;
    if (outer > steady_correlation && difference > 0)
        difference = -1; /* the dual variables go on because w does */
    double factor = difference > most_difference ? 2 : difference < least_difference ? 0.5 : 1;
    if (fabs(difference) > strong_difference)
        factor *= factor;
    t->visits = m->passes.t;
    t->dual = t->outer = (struct correlation){0};
    return clip(kappa * factor, t->first / kappa_range, t->first * kappa_range);
}

/* ---- an outer step */

/* w += H^-1 x; x is overwritten. */
static void add_solution(struct multipliers *m, double *x) {
    metric_solve(&m->metric, x);
    vector_add(m->metric.v, 1 / m->metric.kappa, x, m->metric.design->columns);
}

/* z <- w, and KAPPA in the place of kappa; the dual variables stay. With d = w - z that is
 *
 *     v <- w + H^-1 (H (v - z) - lambda J d), the first H with the new kappa, J = 1 but 0 for an offset. */
static void move_anchor(struct multipliers *m, double kappa) {
    struct metric *metric = &m->metric;
    int64_t n = metric->design->columns;
    double *d = m->direction, *z = m->z, *v = metric->v, lambda = m->penalty.l2;
    metric_fold(metric, 0);
    for (int64_t j = 0; j < n; j++) {
        d[j] = metric_weight(metric, j) - z[j];
        z[j] = d[j];
    }
    metric_multiply(metric, d);
    note_outer_step(&m->tuning, z, d, n);
    for (int64_t j = 0; j < n; j++) {
        double w = metric_weight(metric, j); /* v, but with l1, where M is a diagonal */
        d[j] = metric->kappa * (d[j] + metric->diagonal[j] * (v[j] - w)) -
               (j < metric->design->regularized ? lambda * z[j] : 0);
        z[j] = v[j] = w;
    }
    if (kappa != metric->kappa)
        metric_set_kappa(metric, lambda, kappa);
    add_solution(m, d);
    m->passes.overflow = m->passes.overflow || !isfinite(vector_dot(metric->v, metric->v, n));
}

/* The rows of the next sweep, in random order. */
static void begin_sweep(struct multipliers *m) {
    int64_t rows = m->terms->design->rows;
    m->next = m->count = 0;
    for (int64_t i = 0; i < rows; i++)
        if (m->wait[i] == 0)
            m->order[m->count++] = i;
        else
            m->wait[i]--;
    random_shuffle(&m->random, m->order, m->count);
}

/* Whether the run is near its last visit, and far from the optimum: until then the dual variables are to follow z. With
 * more examples than features they do so anyway. */
static bool rests(const struct multipliers *m) {
    double steps = (double)m->passes.steps, limit = (double)m->passes.limit;
    double left = limit - (double)m->averages.count - (double)m->passes.t;
    return is_wide(m) && m->combines && left <= fmin(rest_passes * steps, rest_share * limit);
}

/* At the end of a sweep. */
static void end_sweep(struct multipliers *m) {
    if (m->passes.t - m->moved >= m->interval && !rests(m)) {
        move_anchor(m, next_kappa(m));
        m->moved = m->passes.t;
    }
    begin_sweep(m);
}

/* ---- a visit */

static void prefetch(const struct multipliers *m) {
    const struct risk *risk = m->problem->risk;
    if (m->next + PREFETCHED_ADDRESSES < m->count)
        risk->kind->prefetch(risk, m->order[m->next + PREFETCHED_ADDRESSES], true);
    if (m->next + PREFETCHED_ROWS < m->count)
        risk->kind->prefetch(risk, m->order[m->next + PREFETCHED_ROWS], false);
}

/* Row i kept its dual variable. */
static void skip(struct multipliers *m, int64_t i) {
    if (m->skipped[i] < MAX_SKIPPED)
        m->skipped[i] = m->skipped[i] == 0 ? FIRST_SKIPPED : (uint8_t)(2 * m->skipped[i]);
    m->wait[i] = m->skipped[i];
}

static void visit(struct multipliers *m, int64_t i) {
    const struct scalar_terms *terms = m->terms;
    const double *value = dataset_values(terms->design->data, i);
    double share = scalar_weight(terms, i) / (terms->weight_sum * m->metric.kappa), a = m->a[i];
    double mu = share * m->metric.row[i].square;
    double v = metric_score(&m->metric, i, value) + mu * a;
    if (mu > 0)
        terms->loss->smooth(v, scalar_target(terms, i), mu, &terms->parameters, &a);
    else if (share > 0) /* a row without features: any derivative at v is best */
        terms->loss->value(v, scalar_target(terms, i), &terms->parameters, &a);
    double change = a - m->a[i];
    correlation_add(&m->tuning.dual, change, m->tuning.last[i]);
    m->tuning.last[i] = (float)change;
    if (change == 0) {
        skip(m, i);
        return;
    }
    m->skipped[i] = 0;
    m->a[i] = a;
    metric_subtract(&m->metric, share * change, i, value);
    m->passes.overflow = m->passes.overflow || !isfinite(change);
}

/* ---- the end of the run */

static void raise_bound(struct multipliers *m) {
    memcpy(m->work, m->a, sizeof *m->a * (size_t)m->terms->design->rows);
    m->bound = fmax(m->bound, dual_bound(m->problem, m->work, m->direction));
}

/* Raises the bound by the dual variables, and if that does not close the gap by w (certify.h), where J is OBJECTIVE.
 * False if that was cut off. */
static bool certify(struct multipliers *m, const double *w, double objective) {
    const struct monitor *monitor = m->passes.monitor;
    bool cut = false;
    raise_bound(m);
    if (m->certifies && objective - m->bound > monitor_gap(monitor, objective)) {
        double passes = certify_passes((double)m->passes.t / (double)m->passes.steps);
        double bound = certify_bound(&m->certify, w, objective, monitor->tolerance, passes);
        m->bound = fmax(m->bound, bound);
        cut = m->certify.cut;
    }
    return !cut;
}

/* ---- averages */

static void add_to_averages(struct multipliers *m) {
    metric_copy(&m->metric, m->direction);
    averages_add(&m->averages, m->direction);
    m->next_add = m->passes.t + m->add_interval;
}

/* Until the next visit the point of the run is the best combination of w and the averages. Each example that decides
 * counts as a visit. */
static void combine(struct multipliers *m) {
    metric_copy(&m->metric, m->combined);
    m->is_combined = averages_combine(&m->averages, m->combined) > 0;
    m->passes.t += m->averages.count;
}

/* Whether no more visits are left than for the combination in which the run ends. */
static bool ends_in_combination(const struct multipliers *m) {
    return m->combines && m->passes.t + m->averages.count >= m->passes.limit;
}

/* Whether a gap may end the run. */
static bool seeks_gap(const struct multipliers *m) {
    return m->passes.monitor->tolerance > 0;
}

/* Whether the next check is of a combination. */
static bool checks_combination(const struct multipliers *m) {
    return m->combines && seeks_gap(m) && m->passes.t + 2 * m->averages.count < m->passes.limit;
}

/* After a check: whether later ones, and the end, are of combinations: unless J was the same at the last three. J may
 * rise and fall, so two of them may be near by chance. */
static void note_objective(struct multipliers *m, double objective) {
    bool changes = !(fabs(m->objective - objective) < least_change * objective);
    bool affords = (double)m->averages.count <= combined_share * (double)m->passes.limit;
    m->combines = (changes || m->changed) && affords && m->use != METRIC_SPARSE;
    m->changed = changes;
    m->objective = objective;
}

/* ---- checks */

/* What follows the rule's answer. That J has settled counts with a bound within settled_gap. */
static enum verdict end_check(struct multipliers *m) {
    enum verdict verdict = VERDICT_GO_ON;
    int flags = m->passes.pending;
    if (seeks_gap(m) && !certify(m, m->passes.point, m->objective))
        return verdict; /* the check is still pending */
    m->passes.pending = 0;
    if (flags & ONLINE_DONE && m->objective - m->bound <= settled_gap * m->objective)
        verdict = VERDICT_SETTLED;
    return seeks_gap(m) ? monitor_confirm(m->passes.monitor, verdict, m->objective, m->bound)
                        : verdict;
}

/* A check that a checkpoint left pending. */
static enum verdict resume_check(struct multipliers *m) {
    m->passes.method->copy(m, m->passes.point);
    return end_check(m);
}

/* Evaluates J and asks the rule whether the run is over. */
static enum verdict check(struct multipliers *m) {
    m->next_check *= check_growth;
    if (checks_combination(m))
        combine(m);
    double objective = passes_evaluate(&m->passes);
    note_objective(m, objective);
    enum verdict verdict = passes_report(&m->passes, objective);
    if (isnan(objective) || verdict != VERDICT_GO_ON)
        return verdict;
    m->passes.pending = m->rule->checked(m->state, m->passes.t, objective);
    return m->passes.pending == 0 ? VERDICT_GO_ON : end_check(m);
}

/* ---- the functions of struct passes_method */

static enum verdict advance(void *state, int64_t end) {
    struct multipliers *m = state;
    if (m->passes.pending != 0)
        return resume_check(m);
    while (m->passes.t < end && !m->passes.overflow) {
        while (m->next == m->count)
            end_sweep(m);
        prefetch(m);
        m->is_combined = false;
        visit(m, m->order[m->next++]);
        m->passes.t++;
        if (m->passes.t >= m->next_add)
            add_to_averages(m);
        if (ends_in_combination(m))
            combine(m);
        else if ((double)m->passes.t >= m->next_check)
            return check(m); /* the clock is read after it */
    }
    return VERDICT_GO_ON;
}

static void copy(const void *state, double *w) {
    const struct multipliers *m = state;
    if (m->is_combined)
        memcpy(w, m->combined, sizeof *w * (size_t)m->terms->design->columns);
    else
        metric_copy(&m->metric, w);
}

static void list_correlation(struct correlation *c, struct state *list) {
    STATE_REALS(list, &c->product, &c->square, &c->last_square);
}

static void list_tuning(struct tuning *t, int64_t rows, int64_t n, struct state *list) {
    state_bytes(list, t->last, rows * (int64_t)sizeof *t->last);
    state_doubles(list, t->outer_last, n);
    STATE_REALS(list, &t->outer_square, &t->first);
    list_correlation(&t->dual, list);
    list_correlation(&t->outer, list);
    t->visits = state_integer(list, t->visits, 0, INT64_MAX);
}

static void list_run(void *state, struct state *list) {
    struct multipliers *m = state;
    int64_t rows = m->terms->design->rows, n = m->terms->design->columns;
    metric_visit(&m->metric, list);
    list_tuning(&m->tuning, rows, n, list);
    state_doubles(list, m->z, n);
    state_doubles(list, m->a, rows);
    m->count = state_integer(list, m->count, 0, rows);
    m->next = state_integer(list, m->next, 0, m->count);
    state_integers(list, m->order, m->count, 0, rows - 1);
    state_bytes(list, m->skipped, rows);
    state_bytes(list, m->wait, rows);
    m->moved = state_integer(list, m->moved, 0, INT64_MAX);
    random_visit(&m->random, list);
    STATE_REALS(list, &m->bound, &m->next_check, &m->objective);
    averages_visit(&m->averages, list);
    m->next_add = state_integer(list, m->next_add, 0, INT64_MAX);
    state_doubles(list, m->combined, n);
    m->is_combined = state_flag(list, m->is_combined);
    m->combines = state_flag(list, m->combines);
    m->changed = state_flag(list, m->changed);
    m->rule->visit(m->state, list);
}

static const struct passes_method method = {.advance = advance, .copy = copy, .visit = list_run};

/* ---- begin and end */

static int new_arrays(struct multipliers *m, struct error *e) {
    int64_t rows = m->terms->design->rows, n = m->terms->design->columns;
    m->z = memory_zeroed(n, sizeof *m->z, "the last point", e);
    m->direction = memory_zeroed(n, sizeof *m->direction, "a direction", e);
    m->a = memory_zeroed(rows, sizeof *m->a, "the dual variables", e);
    m->work = memory_zeroed(rows, sizeof *m->work, "the dual variables", e);
    m->tuning.outer_last = memory_zeroed(n, sizeof(double), "the last outer step", e);
    m->tuning.last = memory_zeroed(rows, sizeof(float), "the last changes", e);
    m->combined = memory_zeroed(n, sizeof *m->combined, "a combination", e);
    m->order = memory_new(rows, sizeof *m->order, "the order of the examples", e);
    m->skipped = memory_zeroed(rows, sizeof *m->skipped, "the sweeps", e);
    m->wait = memory_zeroed(rows, sizeof *m->wait, "the sweeps", e);
    bool all = m->z != NULL && m->combined != NULL && m->direction != NULL && m->a != NULL &&
               m->work != NULL && m->order != NULL && m->tuning.last != NULL &&
               m->tuning.outer_last != NULL && m->skipped != NULL && m->wait != NULL;
    return all ? 0 : -1;
}

/* z <- w; and w minimizes the outer problem without a loss. */
static void start(struct multipliers *m) {
    memcpy(m->z, m->metric.v, sizeof *m->z * (size_t)m->metric.design->columns);
    for (int64_t j = 0; j < m->metric.design->regularized; j++)
        m->direction[j] = -m->penalty.l2 * m->z[j];
    add_solution(m, m->direction);
}

static int init(struct multipliers *m, const struct solve *solve, struct error *e) {
    const struct design *design = m->terms->design;
    if (new_arrays(m, e) != 0 || passes_init(&m->passes, solve->run, e) != 0 ||
        metric_init(&m->metric, m->terms, m->use, m->penalty.l2, solve->w, e) != 0)
        return -1;
    m->metric.threshold = m->penalty.l1 / m->metric.kappa;
    m->certifies = certify_is_possible(m->problem);
    if (m->certifies && certify_init(&m->certify, m->problem, solve->monitor, e) != 0)
        return -1;
    random_seed(&m->random, solve->run->seed, solve->run->stream);
    double sample = clip(sample_share * (double)m->passes.limit, least_sample, most_sample);
    if (averages_init(&m->averages, m->problem, (int64_t)sample, &m->random, e) != 0)
        return -1;
    m->bound = -INFINITY;
    m->interval = (int64_t)fmax(1, (double)design->columns * (double)design->rows /
                                       ((double)design->data->nonzeros + 1));
    m->add_interval = (int64_t)fmax((double)m->interval, add_passes * (double)design->rows);
    m->next_add = m->use == METRIC_SPARSE ? INT64_MAX : m->add_interval;
    m->objective = INFINITY;
    m->next_check = first_check * (double)m->passes.steps;
    m->passes.overflow = !isfinite(m->metric.outer);
    passes_start(&m->passes, solve->run->warm);
    m->tuning.first = m->metric.kappa;
    start(m);
    begin_sweep(m);
    return 0;
}

static void free_all(struct multipliers *m) {
    passes_free(&m->passes);
    metric_free(&m->metric);
    certify_free(&m->certify);
    averages_free(&m->averages);
    free(m->combined);
    free(m->z);
    free(m->direction);
    free(m->a);
    free(m->work);
    free(m->order);
    free(m->tuning.last);
    free(m->tuning.outer_last);
    free(m->skipped);
    free(m->wait);
}

bool multipliers_takes(const struct problem *problem) {
    const struct scalar_terms *terms = problem->risk->scalar;
    return terms != NULL && terms->design->data->window == NULL;
}

bool multipliers_moves_offset(const struct problem *problem) {
    const struct scalar_terms *terms = problem->risk->scalar;
    if (problem_penalty_parts(problem).l1 > 0)
        return false;
    double rows = (double)terms->design->rows, columns = (double)terms->design->columns;
    return terms->loss->task != TASK_CLASSIFICATION && columns >= wide_factor * rows &&
           (double)terms->design->data->nonzeros >= dense_share * rows * columns;
}

int multipliers_train(const struct solve *solve, const struct online_rule *rule, void *state,
                      struct error *e) {
    const struct online_settings *settings = solve->options;
    const struct penalty penalty = problem_penalty_parts(solve->problem);
    struct multipliers m = {.problem = solve->problem,
                            .terms = solve->problem->risk->scalar,
                            .rule = rule,
                            .penalty = penalty,
                            .use = penalty.l1 > 0                             ? METRIC_SPARSE
                                   : multipliers_moves_offset(solve->problem) ? METRIC_OFFSET
                                                                              : METRIC_OUTER,
                            .state = state};
    m.passes = (struct passes){.problem = solve->problem,
                               .method = &method,
                               .state = &m,
                               .monitor = solve->monitor,
                               .output = settings->output};
    int status = init(&m, solve, e);
    if (status == 0) {
        enum verdict verdict;
        status = passes_run(&m.passes, &verdict, e);
        if (status == 0)
            status = passes_finish(&m.passes, verdict, solve->w, solve->outcome, e);
    }
    if (status == 0) {
        struct outcome *outcome = solve->outcome;
        bool cut = outcome->verdict == VERDICT_TIME || outcome->verdict == VERDICT_INTERRUPTED;
        if (!cut && !solve->run->uncertified)
            raise_bound(&m);
        outcome->bound = fmin(fmax(outcome->bound, m.bound), outcome->objective);
        certify_result(solve);
        if (rule->finishes)
            finish_result(solve);
    }
    free_all(&m);
    return status;
}
