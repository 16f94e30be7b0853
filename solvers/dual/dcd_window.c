/* dcd_window.c - what a reading does beside coordinate steps; see dcd_window.h. */
#include "solvers/dual/dcd_window.h"

#include "io/memory.h"
#include "risk/scores.h"

#include <stdlib.h>
#include <string.h>

static const struct design *design_of(const struct dcd_window *window) {
    return window->rows->terms->design;
}

int dcd_window_init(struct dcd_window *window, struct dcd_rows *rows, double *work,
                    const struct run_settings *run, struct error *e) {
    int64_t m = rows->terms->design->rows, n = rows->terms->design->columns;
    *window = (struct dcd_window){.rows = rows};
    window->asked = memory_zeroed(2 * m + n, sizeof *window->asked, "scores", e);
    if (window->asked == NULL)
        return -1;
    rows->asked = window->asked;
    window->points = (struct dcd_points){.terms = rows->terms,
                                         .lambda = rows->problem->lambda,
                                         .score = rows->score,
                                         .w = work,
                                         .best = window->asked + n,
                                         .towards = window->asked + n + m};
    return dcd_held_init(&window->held, rows, run, e);
}

void dcd_window_free(struct dcd_window *window) {
    dcd_held_free(&window->held);
    free(window->asked);
}

void dcd_window_take_best(struct dcd_window *window, struct batch *batch) {
    design_scores(design_of(window), batch->best, window->points.best);
    batch_count(batch, 1);
}

void dcd_window_offer_start(struct dcd_window *window, struct batch *batch, bool warm) {
    const struct dcd_points *points = &window->points;
    if (warm)
        dcd_window_take_best(window, batch);
    batch_offer(batch, NULL,
                scores_risk(points->terms, points->best, NULL, 0, NULL) +
                    problem_penalty(batch->problem, batch->best));
}

void dcd_window_ask(struct dcd_window *window) {
    memcpy(window->asked, window->rows->w,
           sizeof *window->asked * (size_t)design_of(window)->columns);
}

bool dcd_window_read(struct dcd_window *window, struct batch *batch) {
    dcd_held_begin(&window->held);
    batch->passes += dcd_rows_epoch(window->rows);
    bool whole = window->rows->whole;
    if (whole)
        dcd_points_offer(&window->points, batch, window->asked);
    if (!dcd_held_descend(&window->held, batch, window->asked))
        dcd_window_ask(window);
    return whole;
}

void dcd_window_look(struct dcd_window *window, struct batch *batch, const double *w) {
    design_scores(design_of(window), w, window->points.score);
    dcd_points_offer(&window->points, batch, w);
}

void dcd_window_visit(struct dcd_window *window, struct state *state) {
    state_doubles(state, window->asked, design_of(window)->columns);
    state_doubles(state, window->points.best, design_of(window)->rows);
    dcd_held_visit(&window->held, state);
}
