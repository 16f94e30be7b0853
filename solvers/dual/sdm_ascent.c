/* sdm_ascent.c - coordinate ascent of `sdm`, with conjugate gradients where it is slow.
 *
 * Three sweeps over all classes; then, until the gap is closed: a look at all rows and classes (sdm_check.c), which
 * finds the gap and the active classes; sweeps over the active classes of rows with several of them, until their gap
 * is a small part of it; and conjugate gradients (sdm_cg.c), unless the sweeps closed their gap quickly. */
#include "solvers/dual/sdm.h"

#include <math.h>

enum { FIRST_SWEEPS = 3, MOST_SWEEPS = 10, FIRST_CG = 3, FIRST_PRODUCTS = 20, PATIENCE = 100 };

static const double inner_share = 0.09; /* of the gap, where sweeps end */
static const double face_share = 0.01;  /* of the gap, where conjugate gradients end */
static const double inner_tolerance =
    0.67; /* of the tolerance: no smaller gap is sought within a round */
static const double slow_sweeps = 0.3;   /* share of the first sweep's gap that the last one has */
static const double near_tolerance = 10; /* times the tolerance: W is rebuilt before a look */

/* The gap that is small beside the last check's, or the tolerance. */
static double enough_of(const struct sdm *s, double share) {
    double tolerance = monitor_gap(s->batch.monitor, s->batch.objective) / s->lambda;
    return fmax(share * s->gap, inner_tolerance * tolerance);
}

/* Sweeps over the active classes. *is_slow = whether the last one's gap is a large part of the first one's. */
static void sweep(struct sdm *s, bool *is_slow) {
    double enough = enough_of(s, inner_share), first = 0, gap = INFINITY;
    int64_t count = sdm_list_active(s);
    for (int a = 0; a < MOST_SWEEPS && gap > enough && !sdm_is_stopped(s); a++) {
        gap = sdm_sweep_active(s, count);
        first = a == 0 ? gap : first;
    }
    *is_slow = gap > slow_sweeps * first && gap > enough;
}

static bool is_closed(const struct sdm *s) {
    double gap = s->batch.objective - s->batch.bound;
    return gap <= monitor_gap(s->batch.monitor, s->batch.objective);
}

/* A look; if it closes the gap, then by a W without the rounding of many steps. */
static int check(struct sdm *s, struct error *e) {
    double tolerance = monitor_gap(s->batch.monitor, s->batch.objective) / s->lambda;
    bool rebuilt = s->gap <= near_tolerance * tolerance;
    double bound = s->batch.bound;
    s->rebuilt = false;
    if (rebuilt)
        sdm_rebuild(s);
    if (sdm_check(s, e) != 0)
        return -1;
    if (rebuilt || !is_closed(s))
        return 0;
    s->batch.bound = bound;
    sdm_rebuild(s);
    return sdm_check(s, e);
}

/* Whether rounding has ended all progress: no dual variable moves, or for long neither J nor the bound. */
static bool is_stuck(struct sdm *s, double objective, double bound, int *idle) {
    bool better = s->batch.objective < objective || s->batch.bound > bound;
    *idle = better ? 0 : *idle + 1;
    return !s->changed || *idle >= PATIENCE;
}

int sdm_ascent_start(struct sdm *s, struct error *e) {
    for (int a = 0; a < FIRST_SWEEPS; a++)
        if (sdm_sweep_all(s, false, e) != 0)
            return -1;
    return 0;
}

int sdm_ascent_train(struct sdm *s, double most, struct error *e) {
    int64_t products = FIRST_PRODUCTS;
    int idle = 0;
    bool is_slow;
    s->gap = INFINITY;
    for (int64_t a = 1;; a++) {
        double objective = s->batch.objective, bound = s->batch.bound;
        if (check(s, e) != 0)
            return -1;
        bool stuck = a > 1 && is_stuck(s, objective, bound, &idle);
        if (stuck && isfinite(most) && !is_closed(s))
            return 0; /* Newton's method rounds less: W is its variable */
        if (stuck)
            batch_stall(&s->batch);
        if (batch_report(&s->batch) || s->touched >= most)
            return 0;
        s->changed = false;
        sweep(s, &is_slow);
        if (a >= FIRST_CG && is_slow && sdm_cg(s, enough_of(s, face_share), &products, e) != 0)
            return -1;
        sdm_count(s);
    }
}
