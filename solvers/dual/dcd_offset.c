/* dcd_offset.c - the constant feature of the offset, its unit, and the best offset. */
#include "solvers/dual/dcd_offset.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- begin and end */

/* The mean distance of the targets from their mean. */
static double spread_of_targets(const struct scalar_terms *terms) {
    double mean = 0, sum = 0, rows = fmax(1, (double)terms->design->rows);
    for (int64_t i = 0; i < terms->design->rows; i++)
        mean += scalar_target(terms, i) / rows;
    for (int64_t i = 0; i < terms->design->rows; i++)
        sum += fabs(scalar_target(terms, i) - mean);
    return sum / rows;
}

/* Near the length of the mean row, and at least a quarter of the rows' mean length. SUM: columns. */
static double length_of_rows(struct dcd_offset *o, double *sum) {
    static const double least = 0.25;
    const struct dataset *data = o->design.data;
    double squares = 0, count = fmax(1, (double)data->rows);
    memset(sum, 0, sizeof *sum * (size_t)o->design.columns);
    for (int64_t i = 0; i < data->rows; i++) {
        squares += row_square(data, i, -1);
        held_add(sum, 1 / count, data, i);
    }
    o->unit_most = sqrt(squares / count);
    return fmax(sqrt(vector_dot(sum, sum, data->features)), least * o->unit_most);
}

/* Where the rows are next to nothing, variables within their boxes still have to move b among the targets. */
static void choose_unit(struct dcd_offset *o, double lambda, double *work) {
    static const double most = 2;
    double size = fmax(length_of_rows(o, work), sqrt(lambda * spread_of_targets(&o->terms)));
    o->unit = size > 0 && isfinite(size) ? exp2(round(log2(size))) : 1;
    o->unit_most = most * fmax(o->unit, o->unit_most);
}

int dcd_offset_init(struct dcd_offset *o, const struct problem *problem, double *work,
                    struct error *e) {
    const struct risk *risk = problem->risk;
    const struct scalar_terms *terms = risk->scalar;
    int64_t m = terms->design->rows;
    *o = (struct dcd_offset){.design = *terms->design, .terms = *terms};
    o->terms.design = &o->design;
    if (risk->dimension == risk->regularized)
        return 0;
    choose_unit(o, problem->lambda, work);
    o->design.bias = o->unit;
    o->design.intercept = false;
    o->design.regularized = o->design.columns;
    o->low = memory_new(2 * m, sizeof *o->low, "the offset", e);
    if (o->low == NULL || offset_init(&o->search, terms, e) != 0)
        return -1;
    o->high = o->low + m;
    scores_domains(terms, o->low, o->high);
    return 0;
}

void dcd_offset_free(struct dcd_offset *o) {
    offset_free(&o->search);
    free(o->low);
    *o = (struct dcd_offset){0};
}

/* ---- the best offset */

double dcd_offset_objective(struct dcd_offset *o, const struct problem *problem, double *w,
                            double *scores) {
    const struct scalar_terms *terms = problem->risk->scalar;
    struct smoothing exact = {.low = o->low, .high = o->high};
    double *b = &w[problem->risk->regularized];
    *b = 0;
    design_scores(terms->design, w, scores);
    exact.shift = *b = offset_find(&o->search, scores, &exact);
    return problem_penalty(problem, w) + scores_smooth_risk(terms, scores, &exact, NULL);
}

/* ---- the unit and the centre */

/* The offset's weight. */
static double *weight_of(const struct dcd_rows *rows) {
    return &rows->w[rows->problem->risk->regularized];
}

static void set_unit(struct dcd_offset *o, struct dcd_rows *rows, double unit) {
    const struct dataset *data = o->design.data;
    o->design.bias = o->unit = unit;
    for (int64_t i = 0; i < data->rows; i++)
        rows->row[i].curvature = row_square(data, i, unit) + rows->row[i].ridge;
}

void dcd_offset_visit(struct dcd_offset *o, struct dcd_rows *rows, struct state *state) {
    double unit = o->unit;
    STATE_REALS(state, &unit);
    o->falls = state_integer(state, o->falls, 0, INT64_MAX);
    o->swings = state_flag(state, o->swings);
    offset_visit(&o->search, state);
    if (unit != o->unit)
        set_unit(o, rows, unit);
}

void dcd_offset_move_centre(const struct dcd_offset *o, struct dcd_rows *rows, bool gradients) {
    if (o->unit > 0 && o->swings == gradients)
        *weight_of(rows) += o->unit * dcd_rows_sum(rows);
}

bool dcd_offset_calm(struct dcd_offset *o, struct dcd_rows *rows, double best) {
    static const double factor = 4;
    if (o->swings && o->unit * factor > o->unit_most)
        return false;
    if (o->swings)
        set_unit(o, rows, o->unit * factor);
    o->swings = true;
    o->falls = 0;
    *weight_of(rows) = best / o->unit;
    return true;
}

void dcd_offset_watch(struct dcd_offset *o, struct dcd_rows *rows, bool falls, double best) {
    enum { ALLOWED = 1 };
    o->falls = falls ? o->falls + 1 : 0;
    if (o->falls > ALLOWED)
        dcd_offset_calm(o, rows, best);
}
