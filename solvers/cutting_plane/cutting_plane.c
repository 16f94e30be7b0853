/* cutting_plane.c - cutting planes for the linear support vector machine: the loop. */
#include "solvers/cutting_plane/cutting_plane.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/batch.h"
#include "solvers/bundle/planes.h"
#include "solvers/certificate.h"
#include "solvers/cutting_plane/cutting_rows.h"
#include "solvers/cutting_plane/plane_offset.h"
#include "solvers/cutting_plane/score_rows.h"
#include "solvers/cutting_plane/score_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITERATION_PASSES = 2, /* of the cuts, and of the slacks at the relaxed problem's minimizer */
    SINGLE_PASS_PARTITIONS = 64,
    REFRESH_PERIOD = 64, /* iterations between computing slacks and cuts anew, against rounding */
    MAX_ITERATIONS_WITHOUT_PROGRESS = 100, /* then the run has stalled */
    MAX_RETESTS = 20 /* tests after which a cut that was set aside is deleted */
};

static const double min_progress = 1e-14; /* relative, of J or its bound */
/* Bound of the line search's k: larger ones amplify rounding of the slacks */
static const double max_step = 16;
static const double min_step = 1e-10; /* a smaller k is rounding: the line search has failed */

const char *const cutting_regularizers[] = {"l2", NULL};

/* Whether the loss is a max(0, 1 - y u) with some a: piecewise linear for classification, with dual variables in
 * [0, a]. */
bool cutting_takes(const struct loss *loss) {
    static const struct loss_parameters none = {0};
    struct loss_box box = loss_box(loss, &none, -1);
    return loss->task == TASK_CLASSIFICATION && loss->quadratic && isinf(loss->curvature) &&
           box.low == 0 && box.high > 0 && isfinite(box.high);
}
const char *const cutting_safeguards[] = {"always", "needed", NULL};
const char *const cutting_single_passes[] = {"off", "on", "auto", NULL};
const char *const cutting_shrinks[] = {"gentle", "normal", "aggressive", "off", NULL};

/* idle: programs that a cut may be without weight before it is set aside. period: iterations between tests
 * of the cuts set aside. Normal and aggressive are the paper's. Gentle needs as few iterations at small
 * lambda as they (mcpa, reuters21578, 1e-7, to 1 %: 345; normal 351, aggressive 331, without shrinking 324). */
static const struct {
    int idle, period;
} shrink_rules[] = {
    [SHRINK_GENTLE] = {25, 50}, [SHRINK_NORMAL] = {5, 50}, [SHRINK_AGGRESSIVE] = {2, 10}};

struct cutting {
    const struct problem *problem;
    const struct cutting_settings *settings;
    bool searches;
    bool single_pass;
    double tolerance; /* of the program, relative */

    struct batch batch;
    struct cutting_rows rows;
    struct score_rows scores; /* in their place, with single passes */
    struct planes planes;
    struct certificate certificate;
    struct cut_points *record; /* of a sample's run: gets the points of its cuts; else NULL */

    double *point;       /* w, with the offset */
    double *relaxed;     /* w_r, the minimizer of the relaxed problem */
    double *cut_point;   /* w_c, where the cuts are taken */
    double objective;    /* J(point) */
    double offset_shift; /* change of the offset to its best, after the step of the line search */
    double safeguard;    /* s of the latest cuts */
    double ahead;        /* w_c of the next cuts, in steps of the last line from the point */
    bool bound_raised;   /* the latest cuts raised the bound */
    /* J, the bound and the iteration when J or the bound last improved */
    double progress_objective, progress_bound;
    int64_t progress_iteration;
};

static int64_t columns_of(const struct cutting *c) {
    return c->problem->risk->dimension;
}

static bool has_offset(const struct cutting *c) {
    return c->problem->risk->dimension > c->problem->risk->regularized;
}

/* ---- cuts */

/* With an offset: computes w_c with its best offset. It becomes the point if its J is less. That is possible,
 * since along the line of the search the offset changes linearly, whereas at w_c it is the best one. Without
 * this replacement the line search could fail for ever, when J falls at w_c but the cut there does not
 * exclude w_r. */
static void evaluate_cut_point(struct cutting *c, double k) {
    double shift, risk = cutting_rows_evaluate_ahead(&c->rows, k, &shift);
    for (int64_t j = 0; j < columns_of(c); j++)
        c->cut_point[j] = c->point[j] + c->safeguard * (c->relaxed[j] - c->point[j]);
    c->cut_point[c->problem->risk->regularized] += c->safeguard * c->offset_shift + shift;
    double objective = problem_penalty(c->problem, c->cut_point) + risk;
    if (k == 0 || !(objective < c->objective))
        return;
    memcpy(c->point, c->cut_point, sizeof *c->point * (size_t)columns_of(c));
    cutting_rows_accept_ahead(&c->rows);
    c->objective = objective;
    batch_offer(&c->batch, c->point, objective);
}

/* A partition without a positive slack gives none: the program has the plane 0 already. */
static int add_cut(struct cutting *c, const double *slope, double constant, int partition,
                   struct error *e) {
    bool is_zero = !(constant > 0) && vector_nonzeros(slope, c->problem->risk->regularized) == 0;
    return is_zero || planes_add(&c->planes, slope, constant, partition, e) >= 0 ? 0 : -1;
}

/* One of each partition, taken at W, or near it. */
static int add_cuts(struct cutting *c, const double *cut, const double *constant, const double *w,
                    struct error *e) {
    int before = c->planes.slots;
    for (int p = 0; p < c->planes.blocks; p++)
        if (add_cut(c, cut + p * columns_of(c), constant[p], p, e) != 0)
            return -1;
    return c->record != NULL ? cut_points_add(c->record, &c->planes, before, w, e) : 0;
}

/* Takes a cut for each partition at slack + k step. */
static int take_cuts(struct cutting *c, double k, struct error *e) {
    struct cutting_rows *rows = &c->rows;
    if (has_offset(c))
        evaluate_cut_point(c, k);
    cutting_rows_cut(rows, k);
    c->batch.passes++;
    return communicator_agree(rows->design->data->communicator,
                              add_cuts(c, rows->cut, rows->constant, NULL, e), e);
}

/* ---- the relaxed problem */

/* Sets cuts without weight aside; now and then tests those set aside. */
static int shrink(struct cutting *c, struct error *e) {
    int rule = c->settings->shrink;
    if (rule == SHRINK_OFF)
        return 0;
    planes_shrink(&c->planes, shrink_rules[rule].idle);
    if (c->batch.iteration % shrink_rules[rule].period != 0)
        return 0;
    double offset = has_offset(c) ? c->relaxed[c->problem->risk->regularized] : 0;
    return planes_recall_violated(&c->planes, c->relaxed, offset,
                                  shrink_rules[rule].idle + MAX_RETESTS, e);
}

/* Solves the relaxed problem: w_r, and the bound. */
static int solve_relaxed(struct cutting *c, struct error *e) {
    struct simplex_qp_result result;
    for (int j = 0; j < c->planes.slots; j++)
        c->planes.linear[j] = c->problem->lambda * c->planes.plane[j].constant;
    if (planes_solve(&c->planes, c->tolerance, &result, e) != 0)
        return -1;
    c->certificate.constant = planes_combine(&c->planes, 1, c->certificate.slope);
    double before = c->batch.bound;
    batch_raise(&c->batch, certificate_raise(&c->certificate));
    c->bound_raised = c->batch.bound > before;
    problem_minimizer(c->problem, c->certificate.slope, c->relaxed);
    if (has_offset(c) && c->single_pass)
        c->relaxed[c->problem->risk->regularized] =
            plane_offset_find(&c->planes, c->relaxed, c->point[c->problem->risk->regularized]);
    return 0;
}

/* ---- the loop */

/* Moves the point's offset to the best one and evaluates J there. `risk` is R without an offset. */
static void evaluate_point(struct cutting *c, double risk) {
    if (has_offset(c)) {
        risk = c->single_pass ? score_rows_best_offset(&c->scores, &c->offset_shift)
                              : cutting_rows_best_offset(&c->rows, &c->offset_shift);
        c->point[c->problem->risk->regularized] += c->offset_shift;
    }
    c->objective = problem_penalty(c->problem, c->point) + risk;
    batch_offer(&c->batch, c->point, c->objective);
}

/* The exact line search from the point through w_r: returns its k; 0 when it failed. */
static double search(struct cutting *c) {
    double square = 0, inner = 0, lambda = c->problem->lambda;
    for (int64_t j = 0; j < c->problem->risk->regularized; j++) {
        double d = c->relaxed[j] - c->point[j];
        square += d * d;
        inner += c->point[j] * d;
    }
    square *= lambda;
    inner *= lambda;
    double k = c->single_pass ? score_rows_search(&c->scores, square, inner, max_step)
                              : fmin(cutting_rows_search(&c->rows, square, inner), max_step);
    return k < min_step ? 0 : k;
}

static double move_rows(struct cutting *c, double k) {
    return c->single_pass ? score_rows_move(&c->scores, k) : cutting_rows_move(&c->rows, k);
}

/* Moves the point along the line to w_r; returns the k of the step. */
static double move_point(struct cutting *c) {
    double k = c->searches ? search(c) : 1;
    for (int64_t j = 0; j < columns_of(c); j++)
        c->point[j] += k * (c->relaxed[j] - c->point[j]);
    evaluate_point(c, move_rows(c, k));
    return k;
}

/* s of the next cuts. With an offset the search counts as failed also when the bound did not rise: the best
 * offset is not linear along the line, so short steps could go on for ever without a cut that excludes
 * w_r. */
static double next_safeguard(const struct cutting *c, double k) {
    bool failed = k == 0 || (has_offset(c) && !c->bound_raised);
    if (c->settings->safeguard == SAFEGUARD_ALWAYS || (c->safeguard == 0 && failed))
        return c->settings->cut_fraction;
    return 0;
}

/* Stalls the run after many iterations in which neither J nor the bound improved. */
static void check_progress(struct cutting *c) {
    const struct batch *b = &c->batch;
    double scale = min_progress * fabs(b->objective);
    if (b->iteration <= 1 || b->objective < c->progress_objective - scale ||
        b->bound > c->progress_bound + scale) {
        c->progress_objective = b->objective;
        c->progress_bound = b->bound;
        c->progress_iteration = b->iteration;
    }
    if (b->iteration > c->progress_iteration + MAX_ITERATIONS_WITHOUT_PROGRESS)
        batch_stall(&c->batch);
}

/* Evaluates J of the best point anew, since the slacks have rounding errors. If the gap is then too large
 * again, the run continues. */
static bool is_over(struct cutting *c) {
    batch_renew(&c->batch);
    batch_count(&c->batch, 1);
    return batch_is_over(&c->batch);
}

static void refresh(struct cutting *c) {
    if (c->single_pass)
        score_rows_refresh(&c->scores, c->point);
    else
        cutting_rows_refresh(&c->rows, c->point);
    c->batch.passes++;
}

/* Before the cuts of an iteration. */
static void visit(struct state *state, void *context) {
    struct cutting *c = context;
    batch_visit(&c->batch, state);
    if (c->single_pass)
        score_rows_visit(&c->scores, state);
    else
        cutting_rows_visit(&c->rows, state);
    planes_visit(&c->planes, state);
    certificate_visit(&c->certificate, state);
    state_doubles(state, c->point, 3 * columns_of(c)); /* and w_r, w_c */
    STATE_REALS(state, &c->objective, &c->offset_shift, &c->safeguard, &c->ahead,
                &c->progress_objective, &c->progress_bound);
    c->bound_raised = state_flag(state, c->bound_raised);
    c->progress_iteration = state_integer(state, c->progress_iteration, 0, INT64_MAX);
}

/* The slacks at the first point, and J; with single passes also cuts there. */
static int begin(struct cutting *c, struct error *e) {
    if (!c->single_pass) {
        refresh(c);
        evaluate_point(c, move_rows(c, 0));
        return 0;
    }
    if (has_offset(c) && vector_nonzeros(c->point, columns_of(c)) == 0)
        score_rows_best_offset(&c->scores, &c->point[c->problem->risk->regularized]);
    score_rows_read(&c->scores, c->point, 0); /* scores are 0, and become those of the step */
    c->batch.passes++;
    evaluate_point(c, move_rows(c, 1));
    return add_cuts(c, c->scores.other.slope, c->scores.other.constant, c->point, e);
}

/* Cuts at w_c, then w_r and the bound, then the slacks at w_r. */
static int relax(struct cutting *c, struct error *e) {
    if (take_cuts(c, c->ahead, e) != 0 || solve_relaxed(c, e) != 0)
        return -1;
    cutting_rows_set_direction(&c->rows, c->relaxed);
    c->batch.passes++;
    return 0;
}

/* The same in a single pass: w_r and the bound, then the slacks and cuts at w_r, and the cuts at w_c. */
static int relax_in_a_pass(struct cutting *c, struct error *e) {
    struct score_rows *rows = &c->scores;
    if (solve_relaxed(c, e) != 0)
        return -1;
    score_rows_read(rows, c->relaxed, c->ahead);
    c->batch.passes++;
    /* before the first step w_c is the first point, whose cuts are there */
    if (c->batch.iteration > 0 &&
        add_cuts(c, rows->point.slope, rows->point.constant, c->point, e) != 0)
        return -1;
    return add_cuts(c, rows->other.slope, rows->other.constant, c->relaxed, e);
}

static int solve_sample(struct cutting *c, const struct risk *risk, struct cut_points *points,
                        struct cuts_wanted *wanted, struct error *e);

/* The cuts of all rows at the points of those that made a sample's solution, and at that, which becomes the point. */
static int take_wanted(struct cutting *c, struct cuts_wanted *wanted, struct error *e) {
    score_rows_read_wanted(&c->scores, c->point, wanted);
    c->batch.passes++;
    evaluate_point(c, move_rows(c, 1));
    for (int p = 0; p < c->planes.blocks; p++)
        for (int k = wanted->start[p]; k < wanted->start[p + 1]; k++)
            if (add_cut(c, wanted->slope + k * columns_of(c), wanted->constant[k], p, e) != 0)
                return -1;
    return add_cuts(c, c->scores.other.slope, c->scores.other.constant, c->point, e);
}

/* In place of `begin`, at the solution of a sample's problem. Two passes. */
static int begin_at_sample(struct cutting *c, struct error *e) {
    struct cuts_wanted wanted = {0};
    struct cut_points points = {.n = columns_of(c)};
    struct row_sample sample;
    evaluate_point(c, move_rows(c, 0));
    c->batch.passes++;
    int status = score_sample_init(&sample, c->problem->risk->scalar, e);
    if (status == 0)
        status = solve_sample(c, sample.risk, &points, &wanted, e);
    if (status == 0)
        status = take_wanted(c, &wanted, e);
    row_sample_free(&sample);
    cuts_wanted_free(&wanted);
    cut_points_free(&points);
    return status;
}

/* With single passes, where no start is given and no run before has left planes. */
static bool begins_at_sample(const struct cutting *c) {
    enum { START_PASSES = 4 };
    return c->single_pass && c->record == NULL && c->planes.slots == 0 &&
           c->batch.monitor->settings.passes >= START_PASSES &&
           vector_nonzeros(c->point, columns_of(c)) == 0 &&
           score_sample_pays(c->problem->risk->scalar);
}

/* The main loop, see cutting_plane.h. */
static int run_iterations(struct cutting *c, struct error *e) {
    enum checkpoint_entry entry = monitor_enter_run(c->batch.monitor, visit, c, e);
    int passes = c->single_pass ? 1 : ITERATION_PASSES;
    int status = entry == CHECKPOINT_REFUSED   ? -1
                 : entry == CHECKPOINT_GOES_ON ? 0
                 : begins_at_sample(c)         ? begin_at_sample(c, e)
                                               : begin(c, e);
    if (status != 0)
        return -1;
    while (batch_affords(&c->batch, passes)) {
        if ((c->single_pass ? relax_in_a_pass(c, e) : relax(c, e)) != 0)
            return -1;
        double k = move_point(c);
        check_progress(c);
        if (batch_report(&c->batch) && is_over(c))
            return 0;
        /* The program is kept small, the slacks exact. */
        if (shrink(c, e) != 0)
            return -1;
        if (c->batch.iteration % REFRESH_PERIOD == 0 && batch_affords(&c->batch, 1 + passes))
            refresh(c);
        /* w_c of the next cuts, in steps of the last line. */
        c->safeguard = next_safeguard(c, k);
        c->ahead = c->safeguard * (1 - k);
        if (batch_save(&c->batch))
            break;
    }
    is_over(c);
    return 0;
}

/* Polled by the program, which may take long with many partitions. */
static bool is_stopped(void *monitor) {
    return monitor_poll(monitor) != VERDICT_GO_ON;
}

/* By default where a disk reads the rows and features are few: the cuts are many. */
static bool is_single_pass(const struct scalar_terms *terms,
                           const struct cutting_settings *settings) {
    enum { FEW_FEATURES = 1000 };
    const struct design *design = terms->design;
    const struct dataset *data = design->data;
    bool suits = data->window != NULL && data->map != NULL && design->columns <= FEW_FEATURES;
    bool wanted = settings->single_pass == SINGLE_PASS_ON ||
                  (settings->single_pass == SINGLE_PASS_AUTO && suits);
    return !cutting_takes(terms->loss) || (wanted && data->communicator == NULL);
}

static int choose_partitions(const struct scalar_terms *terms,
                             const struct cutting_settings *settings, bool single_pass) {
    int64_t rows = dataset_whole_rows(terms->design->data), partitions = settings->partitions;
    if (partitions == 0)
        partitions = single_pass                         ? SINGLE_PASS_PARTITIONS
                     : terms->design->regularized > rows ? 1
                                                         : 2;
    return (int)(partitions < rows ? partitions : rows);
}

/* Bytes of all. */
static double memory_of(const struct cutting_settings *settings) {
    return settings->memory > 0 ? 1e6 * settings->memory : memory_of_machine() / 2;
}

/* The Gram rows' part of the memory. With single passes memory is what lacks, and planes take some besides. */
static double gram_cache(const struct cutting_settings *settings, const struct design *design,
                         bool single_pass, int partitions) {
    static const double least = 8, share = 0.75;
    double cache = settings->cache * MEBIBYTE;
    double rest = share * (memory_of(settings) - score_rows_bytes(design, partitions));
    return single_pass ? fmin(cache, fmax(rest, least * MEBIBYTE)) : cache;
}

double cutting_bytes(const struct scalar_terms *terms, const struct cutting_settings *settings) {
    enum { USUAL_ITERATIONS = 20, PLANE_NUMBERS = 24 }; /* of a plane beside its slope */
    const struct design *design = terms->design;
    if (!is_single_pass(terms, settings))
        return 0;
    int partitions = choose_partitions(terms, settings, true);
    double planes = 2.0 * USUAL_ITERATIONS * partitions;
    double numbers = (double)(design->columns + PLANE_NUMBERS) * planes;
    return score_rows_bytes(design, partitions) + score_sample_bytes(terms) +
           sizeof(double) * numbers +
           fmin(sizeof(double) * planes * planes, gram_cache(settings, design, true, partitions));
}

static int init_rows(struct cutting *c, const struct scalar_terms *terms, int partitions,
                     struct error *e) {
    return c->single_pass ? score_rows_init(&c->scores, terms, partitions, e)
                          : cutting_rows_init(&c->rows, terms, partitions, e);
}

static int cutting_init(struct cutting *c, const struct problem *problem, int partitions,
                        struct error *e) {
    const struct design *design = problem->risk->scalar->design;
    bool offset = design->intercept && (c->single_pass || partitions > 1);
    double cache = gram_cache(c->settings, design, c->single_pass, partitions);
    if (init_rows(c, problem->risk->scalar, partitions, e) != 0 ||
        planes_take(&c->planes, problem->kept, problem->risk->regularized, partitions, offset, true,
                    (int64_t)cache, e) != 0 ||
        certificate_init(&c->certificate, problem, e) != 0)
        return -1;
    c->point = memory_zeroed(3 * columns_of(c), sizeof *c->point, "weights", e);
    if (c->point == NULL)
        return -1;
    c->planes.stop = is_stopped;
    c->planes.opaque = c->batch.monitor;
    c->relaxed = c->point + columns_of(c);
    c->cut_point = c->relaxed + columns_of(c);
    return 0;
}

/* KEPT: gets the planes; NULL: nothing does. 0, or -1 with the error set. */
static int cutting_free(struct cutting *c, struct kept *kept, struct error *e) {
    free(c->point);
    if (c->single_pass)
        score_rows_free(&c->scores);
    else
        cutting_rows_free(&c->rows);
    certificate_free(&c->certificate);
    return planes_keep(&c->planes, kept, e);
}

/* The point becomes the solution of a sample's problem, and the cuts that made it are WANTED of all rows. */
static int solve_sample(struct cutting *c, const struct risk *risk, struct cut_points *points,
                        struct cuts_wanted *wanted, struct error *e) {
    static const double usual_gap = 1e-3;
    enum { MOST_PASSES = 40 };
    struct cutting_settings settings = *c->settings;
    const struct design *design = c->problem->risk->scalar->design;
    double rest = memory_of(c->settings) - score_rows_bytes(design, c->scores.partitions);
    settings.memory = fmax(rest, MEBIBYTE) / 1e6;
    settings.shrink = SHRINK_OFF; /* the slots of `points` stay those of their planes */
    struct problem problem = *c->problem;
    problem.risk = risk;
    problem.kept = NULL;
    problem.linearization = NULL;
    problem.enough = NULL;
    struct monitor monitor;
    monitor_init(&monitor,
                 &(struct monitor_settings){
                     .epsilon = fmax(c->batch.monitor->tolerance, usual_gap),
                     .passes = MOST_PASSES,
                     .time_limit = INFINITY,
                     .observer = {.context = c->batch.monitor, .interrupted = is_stopped}});
    monitor_begin(&monitor, NULL);
    struct cutting s = {.problem = &problem,
                        .settings = &settings,
                        .searches = true,
                        .single_pass = true,
                        .record = points,
                        .tolerance = c->tolerance};
    batch_begin(&s.batch, &problem, &monitor, c->point);
    int status = cutting_init(&s, &problem, c->scores.partitions, e);
    if (status == 0)
        status = run_iterations(&s, e);
    monitor_end(&monitor);
    if (status == 0)
        status = cuts_wanted_init(wanted, points, &s.planes, e);
    cutting_free(&s, NULL, e); /* cannot fail */
    return status;
}

int cutting_train(const struct solve *solve, bool one_partition, bool searches, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct scalar_terms *terms = problem->risk->scalar;
    struct cutting c = {.problem = problem,
                        .settings = solve->options,
                        .searches = searches,
                        .tolerance = fmin(fmax(1e-3 * solve->monitor->tolerance, 1e-12), 1e-6)};
    c.single_pass = !one_partition && is_single_pass(terms, c.settings);
    int partitions = one_partition ? 1 : choose_partitions(terms, c.settings, c.single_pass);
    batch_begin(&c.batch, problem, solve->monitor, solve->w);
    int status = cutting_init(&c, problem, partitions, e);
    status = communicator_agree(terms->design->data->communicator, status, e);
    if (status == 0) {
        memcpy(c.point, solve->w, sizeof *c.point * (size_t)problem->risk->dimension);
        status = run_iterations(&c, e);
    }
    if (status == 0)
        status = batch_finish(&c.batch, solve->outcome, e);
    if (cutting_free(&c, status == 0 ? problem->kept : NULL, e) != 0)
        status = -1;
    return status;
}
