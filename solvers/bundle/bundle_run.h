/* bundle_run.h - what every bundle method does in an iteration: it linearizes R at a point,
 *
 *     R(w) >= <a, w> + b,   a a subgradient of R at u,  b = R(u) - <a, u>,
 *
 * keeps the best point, and reports J there and the bound of the certificate. An unregularized offset is
 * always the one that minimizes R for the other weights (profile.h).
 *
 *     bundle_run_init(&run, ...);
 *     bundle_run_iterate(&run, planes, visit, step, ...);
 *     batch_finish(&run.batch, ...); */
#ifndef RRM_BUNDLE_RUN_H
#define RRM_BUNDLE_RUN_H

#include "solvers/batch.h"
#include "solvers/bundle/planes.h"
#include "solvers/bundle/profile.h"
#include "solvers/certificate.h"

struct bundle_run {
    struct batch batch;
    struct certificate certificate;
    struct profile profile;
    double *point;      /* u: dimension numbers; a method writes the next point here */
    double *slope;      /* a: dimension numbers */
    double constant;    /* b */
    double risk;        /* R(u) */
    double objective;   /* J(u) */
    double best, bound; /* the best J and the bound at the last report that changed one of them */
    int unchanged_reports; /* reports since then */
};

/* u is w, the start, if J is finite there, else the minimizer of Omega. W must outlive the run; it receives
 * the best point. 0, or -1 with the error set; to be freed in either case. */
int bundle_run_init(struct bundle_run *run, const struct solve *solve, struct error *e);
void bundle_run_free(struct bundle_run *run);

/* Computes a, b and J at u in one pass, and offers u as the best point. False when they are not finite: R
 * overflows at u; the run has then stalled. */
bool bundle_run_linearize(struct bundle_run *run);

/* Adds the linearization to the planes; returns its slot. Without memory for it -1: in the first iteration
 * with the error set, later without, and the run ends with its best point. */
int bundle_run_add_plane(struct bundle_run *run, struct planes *planes, struct error *e);

/* Raises the bound by the certificate and reports. True when the run ends. It has stalled when neither the
 * best J nor the bound has changed for many reports. */
bool bundle_run_report(struct bundle_run *run);

/* The main loop: linearize R at u, a step of the method to the next u, report, drop the planes that had no weight in
 * many programs in a row. PLANES is NULL where the method has none. VISIT lists what the run and the method carry, for
 * checkpoints; both take CONTEXT. 0, or -1 with the error set. */
typedef int bundle_step(void *context, struct error *e);
int bundle_run_iterate(struct bundle_run *run, struct planes *planes, state_visit *visit,
                       bundle_step *step, void *context, struct error *e);

/* Lists what the run carries from one report to the next, the point and the latest linearization. */
void bundle_run_visit(struct bundle_run *run, struct state *state);

/* What the rows of the solver table have in common. */
#define BUNDLE_SOLVER_FIELDS                                                                       \
    .tolerance = "certified relative gap (J - bound)/J at which the run ends", .epsilon = 1e-3,    \
    .passes = 1e4, .offset = true, .needs = SOLVER_NEEDS_GRADIENT, .distributed = true,            \
    .goes_on = true, .linearizes = true, .reads_floats = true

#endif
