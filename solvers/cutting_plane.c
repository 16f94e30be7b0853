/* cutting_plane.c - cutting planes for the linear support vector machine. */
#include "solvers/cutting_plane.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/batch.h"
#include "solvers/certificate.h"
#include "solvers/hinge_offset.h"
#include "solvers/planes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REFRESH = 64,   /* iterations after which margins and sums are taken afresh, against rounding */
    PATIENCE = 100, /* iterations without any progress before the run has stalled */
    RETESTS = 20    /* tests that a cut set aside fails before it is forgotten */
};

static const double least_progress = 1e-14; /* relative, of J or its bound */
static const double megabyte = 1 << 20;
static const double longest = 16; /* step k: a longer one would show the rounding of the margins; */
static const double shortest = 1e-10; /* a shorter one is rounding itself: the search has failed */

const char *const cutting_regularizers[] = {"l2", NULL};
const char *const cutting_losses[] = {"hinge", NULL};
const char *const cutting_safeguards[] = {"always", "needed", NULL};
const char *const cutting_shrinks[] = {"normal", "aggressive", "off", NULL};

/* Solutions of the relaxed problem that a cut stays without weight; iterations between tests of
 * those that left. */
static const struct {
    int idle, period;
} shrink_rules[] = {[SHRINK_NORMAL] = {5, 50}, [SHRINK_AGGRESSIVE] = {2, 10}};

struct cutting {
    const struct problem *problem;
    const struct scalar_parts *scalar;
    const struct design *design;
    const struct cutting_settings *settings;
    bool searches;
    int partitions;
    double tolerance; /* of the program, relative */

    struct batch batch;
    struct planes planes;
    struct certificate certificate;
    struct hinge_search search;

    double *point, *relaxed; /* w, with the offset, and the minimizer of the relaxed problem */
    double objective;        /* J(point) */
    double *margin;          /* 1 - y_i <w,x_i> at the point: rows */
    double *step;            /* what is to be added for the relaxed minimizer: rows */
    double *ahead;           /* margins elsewhere, with an offset: rows; otherwise NULL */
    double *active;          /* u of the latest cuts: rows */
    double *change;          /* -p_i y_i times the change of u_i: rows */
    double *cut;             /* slopes of the latest cuts: partitions x columns */
    double *constant;        /* of the latest cuts: partitions */
    double *sum;             /* room for a slope: columns */
    double safeguard;        /* s of the latest cut */
    bool raised;             /* the latest cuts raised the bound */

    double value[DESIGN_BLOCKS_MOST]; /* sums by block of rows */
    double progress_objective, progress_bound;
    int64_t progress_iteration;
};

static bool has_offset(const struct cutting *c) {
    return c->design->intercept;
}

static double sum_of_values(const struct cutting *c) {
    double sum = 0;
    for (int block = 0; block < c->design->blocks; block++)
        sum += c->value[block];
    return sum;
}

/* ---- margins */

/* margin_i = 1 - y_i <w,x_i> */
static void take_margins(const struct cutting *c, const double *w, double *margin) {
    const struct design *design = c->design;
    const double *y = c->scalar->target;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        for (int64_t i = design_block_start(design, block); i < end; i++)
            margin[i] = 1 - y[i] * design_score(design, w, 1, i);
    }
}

/* step_i = 1 - y_i <w_r,x_i> - margin_i, with the offset that is best at w_r. */
static void take_steps(struct cutting *c) {
    const struct design *design = c->design;
    take_margins(c, c->relaxed, c->step);
    if (has_offset(c))
        c->relaxed[design->regularized] +=
            hinge_offset_move(&c->search, c->scalar->target, c->scalar->weight, c->step);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        c->step[i] -= c->margin[i];
    c->batch.passes++;
}

/* margin += k step; the sum of c_i max(0, margin_i). */
static double move_margins(struct cutting *c, double k) {
    const struct design *design = c->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        double sum = 0;
        for (int64_t i = design_block_start(design, block); i < end; i++) {
            double v = c->margin[i] + k * c->step[i];
            c->margin[i] = v;
            sum += v > 0 ? scalar_weight(c->scalar, i) * v : 0;
        }
        c->value[block] = sum;
    }
    return sum_of_values(c);
}

/* The offset moves to where it is best, and J is taken. */
static void settle_point(struct cutting *c, double hinge) {
    if (has_offset(c)) {
        c->point[c->design->regularized] +=
            hinge_offset_move(&c->search, c->scalar->target, c->scalar->weight, c->margin);
        hinge = move_margins(c, 0);
    }
    c->objective = problem_penalty(c->problem, c->point) + hinge / c->scalar->weight_sum;
    batch_offer(&c->batch, c->point, c->objective);
}

/* ---- cuts */

/* For the rows of a block: u at margin + ahead step (or at c->ahead), and the coefficients of what
 * changed; the block's sum of c_i u_i. */
static double choose_rows(struct cutting *c, int block, double ahead, struct hinge_shares shares) {
    const double *y = c->scalar->target;
    double mass = c->scalar->weight_sum, sum = 0;
    int64_t end = design_block_start(c->design, block + 1);
    for (int64_t i = design_block_start(c->design, block); i < end; i++) {
        double v = c->ahead != NULL ? c->ahead[i] : c->margin[i] + ahead * c->step[i];
        double p = scalar_weight(c->scalar, i);
        double u = v > 0 ? shares.active[y[i] > 0] : v == 0 ? shares.tied[y[i] > 0] : 0;
        c->change[i] = -p * y[i] * (u - c->active[i]) / mass;
        c->active[i] = u;
        sum += p * u;
    }
    return sum;
}

static int64_t partition_start(const struct cutting *c, int k) {
    return (int64_t)((__int128)c->design->rows * k / c->partitions);
}

/* The latest cuts' sums follow the changes: one partition, in parallel over blocks of rows ... */
static void follow_one(struct cutting *c) {
    const struct design *design = c->design;
    design_combine(design, c->change, c->sum);
    for (int64_t j = 0; j < design->columns; j++)
        c->cut[j] += c->sum[j];
    c->constant[0] = sum_of_values(c) / c->scalar->weight_sum;
}

/* ... or in parallel over partitions. */
static void follow_each(struct cutting *c) {
    const struct design *design = c->design;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int k = 0; k < c->partitions; k++) {
        double sum = 0;
        int64_t end = partition_start(c, k + 1);
        for (int64_t i = partition_start(c, k); i < end; i++) {
            if (c->change[i] != 0)
                design_add(design, c->cut + k * design->columns, c->change[i], i);
            sum += scalar_weight(c->scalar, i) * c->active[i];
        }
        c->constant[k] = sum / c->scalar->weight_sum;
    }
}

/* The sum of c_i max(0, margin_i). */
static double hinge_sum(struct cutting *c, const double *margin) {
    const struct design *design = c->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        double sum = 0;
        for (int64_t i = design_block_start(design, block); i < end; i++)
            sum += margin[i] > 0 ? scalar_weight(c->scalar, i) * margin[i] : 0;
        c->value[block] = sum;
    }
    return sum_of_values(c);
}

/* The cut's point replaces the present one when it is better. With an offset that is possible: along
 * the line of the search the offset moves in proportion, here it is at its best. Without it a
 * search could fail for ever, and the cut's point, where J falls, not cut w_r off. */
static void take_better_point(struct cutting *c, double shift) {
    const struct design *design = c->design;
    double *w = c->sum;
    for (int64_t j = 0; j < design->columns; j++)
        w[j] = c->point[j] + c->safeguard * (c->relaxed[j] - c->point[j]);
    w[design->regularized] += shift;
    double objective =
        problem_penalty(c->problem, w) + hinge_sum(c, c->ahead) / c->scalar->weight_sum;
    if (!(objective < c->objective))
        return;
    memcpy(c->point, w, sizeof *w * (size_t)design->columns);
    memcpy(c->margin, c->ahead, sizeof *c->margin * (size_t)design->rows);
    c->objective = objective;
    batch_offer(&c->batch, w, objective);
}

/* Margins at the cut's point, with an offset: at the best one there. */
static struct hinge_shares settle_ahead(struct cutting *c, double ahead) {
    const struct scalar_parts *s = c->scalar;
    for (int64_t i = 0; i < c->design->rows; i++)
        c->ahead[i] = c->margin[i] + (ahead == 0 ? 0 : ahead * c->step[i]);
    double shift = hinge_offset_move(&c->search, s->target, s->weight, c->ahead);
    if (ahead != 0)
        take_better_point(c, shift);
    return hinge_offset_balance(s->target, s->weight, c->ahead, c->design->rows);
}

/* A cut a partition at margin + ahead step. A partition without short margins gives none: the
 * program has the zero plane already. */
static int take_cuts(struct cutting *c, double ahead, struct error *e) {
    const struct design *design = c->design;
    struct hinge_shares shares = {.active = {1, 1}};
    if (has_offset(c))
        shares = settle_ahead(c, ahead);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        c->value[block] = choose_rows(c, block, ahead, shares);
    if (c->partitions == 1)
        follow_one(c);
    else
        follow_each(c);
    c->batch.passes++;
    for (int k = 0; k < c->partitions; k++)
        if (c->constant[k] > 0 &&
            planes_add(&c->planes, c->cut + k * design->columns, c->constant[k], k, e) < 0)
            return -1;
    return 0;
}

/* ---- the relaxed problem */

/* The value of a plane at the relaxed minimizer, from planes_multiply. */
static double plane_value(const struct cutting *c, int slot) {
    const struct plane *p = &c->planes.plane[slot];
    double offset = has_offset(c) ? c->relaxed[c->design->regularized] : 0;
    return c->planes.product[slot] + p->offset * offset + p->constant;
}

/* Planes aside that lie above all working ones of their block come back. */
static int recall_violated(struct cutting *c, struct error *e) {
    struct planes *planes = &c->planes;
    double *top = c->constant; /* by block; taken afresh with the next cuts */
    int idle = shrink_rules[c->settings->shrink].idle;
    planes_multiply(planes, c->relaxed);
    memset(top, 0, sizeof *top * (size_t)c->partitions);
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state == PLANE_WORKING)
            top[planes->plane[j].block] = fmax(top[planes->plane[j].block], plane_value(c, j));
    for (int j = 0; j < planes->slots; j++) {
        struct plane *p = &planes->plane[j];
        if (p->state != PLANE_ASIDE)
            continue;
        if (plane_value(c, j) > top[p->block] && planes_recall(planes, j, e) != 0)
            return -1;
        if (p->state == PLANE_ASIDE && ++p->idle > idle + RETESTS)
            planes_drop(planes, j);
    }
    return 0;
}

static int shrink(struct cutting *c, struct error *e) {
    if (c->settings->shrink == SHRINK_OFF)
        return 0;
    int64_t iteration = c->batch.iteration;
    planes_shrink(&c->planes, shrink_rules[c->settings->shrink].idle);
    return iteration > 0 && iteration % shrink_rules[c->settings->shrink].period == 0
               ? recall_violated(c, e)
               : 0;
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

/* The point moves along the line through the relaxed minimizer; returns the k of it. */
static double move_point(struct cutting *c) {
    const struct design *design = c->design;
    int64_t n = design->regularized;
    double square = 0, inner = 0, mass = c->scalar->weight_sum, k = 1;
    for (int64_t j = 0; j < n; j++) {
        double d = c->relaxed[j] - c->point[j];
        square += d * d;
        inner += c->point[j] * d;
    }
    struct hinge_line line = {.margin = c->margin,
                              .step = c->step,
                              .weight = c->scalar->weight,
                              .curvature = c->problem->lambda * square * mass,
                              .slope = c->problem->lambda * inner * mass};
    if (c->searches)
        k = fmin(hinge_search_minimum(&c->search, &line, 0), longest);
    if (k < shortest)
        k = 0;
    for (int64_t j = 0; j < design->columns; j++)
        c->point[j] += k * (c->relaxed[j] - c->point[j]);
    settle_point(c, move_margins(c, k));
    return k;
}

/* s of the next cut. With an offset, which is not in proportion along the line, short steps may go
 * on for ever without a cut that cuts w_r off: then too the search has failed. */
static double next_safeguard(const struct cutting *c, double k) {
    bool failed = k == 0 || (has_offset(c) && !c->raised);
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

/* Margins at the point, and no cuts to continue from. */
static void refresh(struct cutting *c) {
    take_margins(c, c->point, c->margin);
    c->batch.passes++;
    memset(c->active, 0, sizeof *c->active * (size_t)c->design->rows);
    memset(c->cut, 0, sizeof *c->cut * (size_t)(c->partitions * c->design->columns));
}

static int run_iterations(struct cutting *c, struct error *e) {
    double ahead = 0;
    refresh(c);
    settle_point(c, move_margins(c, 0));
    for (;;) {
        if (take_cuts(c, ahead, e) != 0 || solve_relaxed(c, e) != 0)
            return -1;
        take_steps(c);
        double k = move_point(c);
        check_progress(c);
        if (batch_report(&c->batch))
            return 0;
        if (shrink(c, e) != 0)
            return -1;
        if (c->batch.iteration % REFRESH == 0)
            refresh(c);
        c->safeguard = next_safeguard(c, k);
        ahead = c->safeguard * (1 - k);
    }
}

static double *new_numbers(int64_t count, const char *what, struct error *e) {
    return memory_zeroed(count, sizeof(double), what, e);
}

static int cutting_init(struct cutting *c, const struct problem *problem, struct error *e) {
    int64_t rows = c->design->rows, columns = c->design->columns;
    bool offset = has_offset(c) && c->partitions > 1;
    if (planes_init(&c->planes, c->design->regularized, c->partitions, offset,
                    (int64_t)(c->settings->cache * megabyte), e) != 0 ||
        certificate_init(&c->certificate, problem, e) != 0 ||
        hinge_search_init(&c->search, c->design, e) != 0)
        return -1;
    c->planes.sparse = true;
    c->point = new_numbers(columns, "weights", e);
    c->relaxed = new_numbers(columns, "weights", e);
    c->margin = new_numbers(rows, "margins", e);
    c->step = new_numbers(rows, "margins", e);
    c->ahead = has_offset(c) ? new_numbers(rows, "margins", e) : NULL;
    c->active = new_numbers(rows, "cuts", e);
    c->change = new_numbers(rows, "cuts", e);
    c->cut = new_numbers(c->partitions * columns, "cuts", e);
    c->constant = new_numbers(c->partitions, "cuts", e);
    c->sum = new_numbers(columns, "cuts", e);
    return c->point != NULL && c->relaxed != NULL && c->margin != NULL && c->step != NULL &&
                   (c->ahead != NULL || !has_offset(c)) && c->active != NULL && c->change != NULL &&
                   c->cut != NULL && c->constant != NULL && c->sum != NULL
               ? 0
               : -1;
}

static void cutting_free(struct cutting *c) {
    double *const arrays[] = {c->point,  c->relaxed, c->margin, c->step,     c->ahead,
                              c->active, c->change,  c->cut,    c->constant, c->sum};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    planes_free(&c->planes);
    certificate_free(&c->certificate);
    hinge_search_free(&c->search);
}

int cutting_train(const struct problem *problem, const struct run_settings *run,
                  const struct cutting_settings *settings, bool searches, struct monitor *monitor,
                  double *w, struct outcome *outcome, struct error *e) {
    const struct design *design = problem->risk->scalar->design;
    struct cutting c = {.problem = problem,
                        .scalar = problem->risk->scalar,
                        .design = design,
                        .settings = settings,
                        .searches = searches,
                        .tolerance = fmin(fmax(1e-3 * run->epsilon, 1e-12), 1e-6),
                        .partitions =
                            (int)fmin((double)settings->partitions, (double)design->rows)};
    batch_begin(&c.batch, problem, monitor, w);
    int status = cutting_init(&c, problem, e);
    if (status == 0) {
        memcpy(c.point, w, sizeof *w * (size_t)design->columns);
        status = run_iterations(&c, e);
    }
    if (status == 0) {
        c.batch.objective = problem_objective(problem, w); /* as the margins, but for rounding */
        status = batch_finish(&c.batch, outcome, e);
    }
    cutting_free(&c);
    return status;
}
