/* bundle_run.h - what every bundle method does in an iteration: it linearizes R at a point,
 *
 *     R(w) >= <a, w> + b,   a a subgradient of R at u,  b = R(u) - <a, u>,
 *
 * keeps the best point, and reports J there and the bound of the certificate. An unregularized offset is where
 * R is least for the other weights (profile.h).
 *
 *     bundle_run_init(&run, ...);
 *     while (bundle_run_linearize(&run)) { ...; if (bundle_run_report(&run)) break; }
 *     bundle_run_finish(&run, outcome, e); */
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
    double *point;      /* u: dimension numbers; a method writes the next one here */
    double *slope;      /* a */
    double constant;    /* b */
    double risk;        /* R(u) */
    double objective;   /* J(u) */
    double best, bound; /* at the last report that changed them */
    int still;          /* reports since */
};

/* u is w, the start, where J is finite there, and else the minimizer of Omega. W outlives the run
 * and receives the best point. 0, or -1 with the error set; to be freed in either case. */
int bundle_run_init(struct bundle_run *run, const struct solve *solve, struct error *e);
void bundle_run_free(struct bundle_run *run);

/* One pass: a, b and J at u, which is offered as the best point. False, and the run is stalled,
 * when they are no numbers: u lies where R overflows. */
bool bundle_run_linearize(struct bundle_run *run);

/* The linearization as a plane: its slot. Without memory for it the run is stalled, and ends with what it
 * has reached: -1 without an error; in the first iteration with one. */
int bundle_run_keep(struct bundle_run *run, struct planes *planes, struct error *e);

/* Raises the bound by the certificate and reports; whether to stop. The run is stalled when neither
 * the best J nor the bound has changed for many reports. */
bool bundle_run_report(struct bundle_run *run);

#endif
