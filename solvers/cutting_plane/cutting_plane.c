/* cutting_plane.c - cutting planes for the linear support vector machine. */
#include "solvers/cutting_plane/cutting_plane.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/batch.h"
#include "solvers/bundle/planes.h"
#include "solvers/certificate.h"
#include "solvers/cutting_plane/cutting_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PASSES = 2,     /* of an iteration: the cuts, and the scores of the relaxed minimizer */
    REFRESH = 64,   /* iterations after which margins and sums are taken afresh, against rounding */
    PATIENCE = 100, /* iterations without any progress before the run has stalled */
    RETESTS = 20    /* tests that a cut set aside fails before it is forgotten */
};

static const double least_progress = 1e-14; /* relative, of J or its bound */
static const double megabyte = 1 << 20;
static const double longest_step =
    16; /* step k: a longer one would show the rounding of the margins; */
static const double shortest_step =
    1e-10; /* a shorter one is rounding itself: the search has failed */

const char *const cutting_regularizers[] = {"l2", NULL};

/* Of classification losses with a box, the one of box [0, 1]. */
bool cutting_takes(const struct loss *loss) {
    static const struct loss_parameters none = {0};
    struct loss_box box = loss_box(loss, &none, -1);
    return loss->task == TASK_CLASSIFICATION && loss->quadratic && isinf(loss->curvature) &&
           box.low == 0 && box.high == 1;
}
const char *const cutting_safeguards[] = {"always", "needed", NULL};
const char *const cutting_shrinks[] = {"gentle", "normal", "aggressive", "off", NULL};

/* Solutions of the relaxed problem that a cut stays without weight; iterations between tests of
 * those that left. Normal and aggressive are the paper's; gentle needs fewer iterations at small
 * lambda (reuters21578, 1e-7: 750 against 870, and 640 without shrinking) for as small a program. */
static const struct {
    int idle, period;
} shrink_rules[] = {
    [SHRINK_GENTLE] = {25, 50}, [SHRINK_NORMAL] = {5, 50}, [SHRINK_AGGRESSIVE] = {2, 10}};

struct cutting {
    const struct problem *problem;
    const struct cutting_settings *settings;
    bool searches;
    double tolerance; /* of the program, relative */

    struct batch batch;
    struct cutting_rows rows;
    struct planes planes;
    struct certificate certificate;

    double *point;    /* w, with the offset */
    double *relaxed;  /* the minimizer of the relaxed problem */
    double *ahead;    /* the cut's point */
    double objective; /* J(point) */
    double settled;   /* what the point's offset gained beside its part of the line */
    double safeguard; /* s of the latest cut */
    bool raised;      /* the latest cuts raised the bound */
    double progress_objective, progress_bound;
    int64_t progress_iteration;
};

static int64_t columns_of(const struct cutting *c) {
    return c->problem->risk->dimension;
}

/* ---- cuts */

/* With an offset the cut's point replaces the present one when it is better. That is possible: along
 * the line of the search the offset moves in proportion, there it is at its best. Without this a
 * search could fail for ever while the cut's point, where J falls, does not cut w_r off. */
static void look_ahead(struct cutting *c, double k) {
    double shift, risk = cutting_rows_look_ahead(&c->rows, k, &shift);
    for (int64_t j = 0; j < columns_of(c); j++)
        c->ahead[j] = c->point[j] + c->safeguard * (c->relaxed[j] - c->point[j]);
    c->ahead[c->problem->risk->regularized] += c->safeguard * c->settled + shift;
    double objective = problem_penalty(c->problem, c->ahead) + risk;
    if (k == 0 || !(objective < c->objective))
        return;
    memcpy(c->point, c->ahead, sizeof *c->point * (size_t)columns_of(c));
    cutting_rows_step_ahead(&c->rows);
    c->objective = objective;
    batch_offer(&c->batch, c->point, objective);
}

/* A cut a partition at margin + k step. A partition without short margins gives none: the program
 * has the zero plane already. */
static int take_cuts(struct cutting *c, double k, struct error *e) {
    struct cutting_rows *rows = &c->rows;
    if (cutting_rows_offset(rows))
        look_ahead(c, k);
    cutting_rows_cut(rows, k);
    c->batch.passes++;
    for (int p = 0; p < rows->partitions; p++)
        if (rows->constant[p] > 0 &&
            planes_add(&c->planes, rows->cut + p * columns_of(c), rows->constant[p], p, e) < 0)
            return -1;
    return 0;
}

/* ---- the relaxed problem */

static int shrink(struct cutting *c, struct error *e) {
    int rule = c->settings->shrink;
    if (rule == SHRINK_OFF)
        return 0;
    planes_shrink(&c->planes, shrink_rules[rule].idle);
    if (c->batch.iteration % shrink_rules[rule].period != 0)
        return 0;
    double offset = cutting_rows_offset(&c->rows) ? c->relaxed[c->problem->risk->regularized] : 0;
    return planes_recall_violated(&c->planes, c->relaxed, offset, shrink_rules[rule].idle + RETESTS, e);
}

static int solve_relaxed(struct cutting *c, struct error *e) {
    struct simplex_qp_result result;
    for (int j = 0; j < c->planes.slots; j++)
        c->planes.linear[j] = c->problem->lambda * c->planes.plane[j].constant;
    if (planes_solve(&c->planes, c->tolerance, &result, e) != 0)
        return -1;
    c->certificate.constant = planes_combine(&c->planes, 1, c->certificate.slope);
    double before = c->batch.bound;
    batch_raise(&c->batch, certificate_raise(&c->certificate));
    c->raised = c->batch.bound > before;
    problem_minimizer(c->problem, c->certificate.slope, c->relaxed);
    return 0;
}

/* ---- the loop */

/* J at the point, the offset where it is best. */
static void settle_point(struct cutting *c, double risk) {
    if (cutting_rows_offset(&c->rows)) {
        risk = cutting_rows_settle(&c->rows, &c->settled);
        c->point[c->problem->risk->regularized] += c->settled;
    }
    c->objective = problem_penalty(c->problem, c->point) + risk;
    batch_offer(&c->batch, c->point, c->objective);
}

/* The exact search along the line through the relaxed minimizer; k of it. */
static double search(struct cutting *c) {
    double square = 0, inner = 0, lambda = c->problem->lambda;
    for (int64_t j = 0; j < c->problem->risk->regularized; j++) {
        double d = c->relaxed[j] - c->point[j];
        square += d * d;
        inner += c->point[j] * d;
    }
    double k = fmin(cutting_rows_search(&c->rows, lambda * square, lambda * inner), longest_step);
    return k < shortest_step ? 0 : k;
}

/* The point moves along the line; returns the k of it. */
static double move_point(struct cutting *c) {
    double k = c->searches ? search(c) : 1;
    for (int64_t j = 0; j < columns_of(c); j++)
        c->point[j] += k * (c->relaxed[j] - c->point[j]);
    settle_point(c, cutting_rows_move(&c->rows, k));
    return k;
}

/* s of the next cut. With an offset, which is not in proportion along the line, short steps may go
 * on for ever without a cut that cuts w_r off: then too the search has failed. */
static double next_safeguard(const struct cutting *c, double k) {
    bool failed = k == 0 || (cutting_rows_offset(&c->rows) && !c->raised);
    if (c->settings->safeguard == SAFEGUARD_ALWAYS || (c->safeguard == 0 && failed))
        return c->settings->cut_fraction;
    return 0;
}

static void check_progress(struct cutting *c) {
    const struct batch *b = &c->batch;
    double scale = least_progress * fabs(b->objective);
    if (b->iteration <= 1 || b->objective < c->progress_objective - scale ||
        b->bound > c->progress_bound + scale) {
        c->progress_objective = b->objective;
        c->progress_bound = b->bound;
        c->progress_iteration = b->iteration;
    }
    if (b->iteration > c->progress_iteration + PATIENCE)
        batch_stall(&c->batch);
}

/* J of the best point is evaluated, since margins carry rounding; the run goes on when that opens the
 * gap again. */
static bool is_over(struct cutting *c) {
    batch_renew(&c->batch);
    batch_count(&c->batch, 1);
    return batch_is_over(&c->batch);
}

static void refresh(struct cutting *c) {
    cutting_rows_refresh(&c->rows, c->point);
    c->batch.passes++;
}

static int run_iterations(struct cutting *c, struct error *e) {
    double ahead = 0;
    refresh(c);
    settle_point(c, cutting_rows_move(&c->rows, 0));
    while (batch_affords(&c->batch, PASSES)) {
        if (take_cuts(c, ahead, e) != 0 || solve_relaxed(c, e) != 0)
            return -1;
        cutting_rows_aim(&c->rows, c->relaxed);
        c->batch.passes++;
        double k = move_point(c);
        check_progress(c);
        if (batch_report(&c->batch) && is_over(c))
            return 0;
        if (shrink(c, e) != 0)
            return -1;
        if (c->batch.iteration % REFRESH == 0 && batch_affords(&c->batch, 1 + PASSES))
            refresh(c);
        c->safeguard = next_safeguard(c, k);
        ahead = c->safeguard * (1 - k);
    }
    is_over(c);
    return 0;
}

/* A program over many partitions may take long. */
static bool is_stopped(void *monitor) {
    return monitor_poll(monitor) != VERDICT_GO_ON;
}

static int cutting_init(struct cutting *c, const struct problem *problem, int partitions,
                        struct error *e) {
    bool offset = problem->risk->scalar->design->intercept && partitions > 1;
    if (cutting_rows_init(&c->rows, problem->risk->scalar, partitions, e) != 0 ||
        planes_init(&c->planes, problem->risk->regularized, partitions, offset, true,
                    (int64_t)(c->settings->cache * megabyte), e) != 0 ||
        certificate_init(&c->certificate, problem, e) != 0)
        return -1;
    c->point = memory_zeroed(3 * columns_of(c), sizeof *c->point, "weights", e);
    if (c->point == NULL)
        return -1;
    c->planes.stop = is_stopped;
    c->planes.opaque = c->batch.monitor;
    c->relaxed = c->point + columns_of(c);
    c->ahead = c->relaxed + columns_of(c);
    return 0;
}

static void cutting_free(struct cutting *c) {
    free(c->point);
    cutting_rows_free(&c->rows);
    planes_free(&c->planes);
    certificate_free(&c->certificate);
}

int cutting_train(const struct problem *problem, const struct run_settings *run,
                  const struct cutting_settings *settings, bool searches, struct monitor *monitor,
                  double *w, struct outcome *outcome, struct error *e) {
    struct cutting c = {.problem = problem,
                        .settings = settings,
                        .searches = searches,
                        .tolerance = fmin(fmax(1e-3 * run->epsilon, 1e-12), 1e-6)};
    int64_t partitions = settings->partitions, rows = problem->risk->items;
    if (partitions == 0)
        partitions = problem->risk->regularized > rows ? 1 : 2;
    batch_begin(&c.batch, problem, monitor, w);
    int status = cutting_init(&c, problem, (int)(partitions < rows ? partitions : rows), e);
    if (status == 0) {
        memcpy(c.point, w, sizeof *w * (size_t)problem->risk->dimension);
        status = run_iterations(&c, e);
    }
    if (status == 0)
        status = batch_finish(&c.batch, outcome, e);
    cutting_free(&c);
    return status;
}
