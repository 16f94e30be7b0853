/* sdm_ascent.c - coordinate ascent of `sdm`, with conjugate gradients where it is slow.
 *
 * Two sweeps over all classes; then, until the gap is closed: a look at all rows and classes (sdm_check.c), which
 * finds the gap and the active classes; conjugate gradients (sdm_cg.c), unless the last sweeps closed their gap
 * quickly; and sweeps over the active classes of rows with several of them, until their gap is a small part of it.
 * Conjugate gradients raise the bound; the sweeps after them lower J, which is large where single rows are far from
 * their best. */
#include "solvers/dual/sdm.h"

#include <math.h>

enum {
    FIRST_SWEEPS = 2,
    MOST_SWEEPS = 10,
    FIRST_CG = 3,
    FIRST_PRODUCTS = 20,
    MAX_IDLE_ROUNDS = 100
};

static const double inner_share = 0.09; /* of the gap, where sweeps end */
static const double face_share = 0.01;  /* of the gap, where conjugate gradients end */
static const double inner_tolerance =
    0.67; /* of the tolerance: no smaller gap is sought within a round */
static const double slow_sweeps = 0.3;   /* share of the first sweep's gap that the last one has */
static const double near_tolerance = 10; /* times the tolerance: W is rebuilt before a look */

/* The gap that is small beside the last check's, or the tolerance. */
static double tolerance_of(const struct sdm *s, double share) {
    double tolerance = monitor_gap(s->batch.monitor, s->batch.objective) / s->lambda;
    return fmax(share * s->gap, inner_tolerance * tolerance);
}

/* Sweeps over the active classes. */
static void sweep(struct sdm *s) {
    double tolerance = tolerance_of(s, inner_share), first = 0, gap = INFINITY;
    int64_t count = sdm_list_active(s);
    for (int a = 0; a < MOST_SWEEPS && gap > tolerance && !sdm_is_stopped(s); a++) {
        gap = sdm_sweep_active(s, count);
        first = a == 0 ? gap : first;
    }
    s->progress.slow = gap > slow_sweeps * first && gap > tolerance;
}

static double gap_of(const struct sdm *s) {
    return s->batch.objective - s->batch.bound;
}

static bool is_closed(const struct sdm *s) {
    return gap_of(s) <= monitor_gap(s->batch.monitor, s->batch.objective);
}

/* Whether the limit of passes leaves a rebuilt W and a check. It ends no run: a check without it may still be left. */
static bool affords_rebuild(const struct sdm *s) {
    double products = s->touched + sdm_rebuild_products(s) + sdm_pass(s);
    return products <= s->batch.monitor->settings.passes * sdm_pass(s);
}

/* A look with W summed anew, if the limit of passes leaves one. */
static int check_rebuilt(struct sdm *s, struct error *e) {
    if (!affords_rebuild(s))
        return 0;
    sdm_rebuild(s);
    return sdm_check(s, e);
}

/* A look; if it closes the gap, then by a W without the rounding of many steps. */
static int check(struct sdm *s, struct error *e) {
    double tolerance = monitor_gap(s->batch.monitor, s->batch.objective) / s->lambda;
    bool rebuilt = s->gap <= near_tolerance * tolerance && affords_rebuild(s);
    double bound = s->batch.bound;
    s->rebuilt = false;
    if (!sdm_affords(s, 0, true))
        return 0;
    if (rebuilt)
        sdm_rebuild(s);
    if (sdm_check(s, e) != 0)
        return -1;
    if (rebuilt || !is_closed(s) || !affords_rebuild(s))
        return 0;
    s->batch.bound = bound;
    return check_rebuilt(s, e);
}

/* Whether rounding has ended all progress: no dual variable moves, or for long neither J nor the bound. */
static bool is_stuck(struct sdm *s, double objective, double bound) {
    bool better = s->batch.objective < objective || s->batch.bound > bound;
    s->progress.idle = better ? 0 : s->progress.idle + 1;
    return !s->changed || s->progress.idle >= MAX_IDLE_ROUNDS;
}

/* Whether Newton's method, for NEWTON products, is likely to close the gap sooner, as far as the progress tells. */
static bool is_slow(const struct sdm *s, double newton) {
    const struct sdm_progress *begun = &s->progress;
    static const double trial = 0.1; /* of Newton's products: before, too little is known */
    double tolerance = monitor_gap(s->batch.monitor, s->batch.objective);
    if (s->touched < trial * newton || (newton > 0 && begun->looks == 1))
        return false;
    double progress = log(begun->gap / gap_of(s)), left = log(gap_of(s) / tolerance);
    return !(left * (s->touched - begun->touched) < progress * newton);
}

int sdm_ascent_start(struct sdm *s, struct error *e) {
    for (int a = 0; a < FIRST_SWEEPS; a++)
        if (sdm_sweep_all(s, false, e) != 0)
            return -1;
    return 0;
}

void sdm_ascent_visit(struct state *state, void *sdm) {
    struct sdm *s = sdm;
    struct sdm_progress *p = &s->progress;
    batch_visit(&s->batch, state);
    state_doubles(state, s->w, sdm_size(&s->rows));
    sdm_duals_visit(&s->duals, s->rows.count, s->rows.classes, state);
    random_visit(&s->random, state);
    STATE_REALS(state, &s->touched, &s->gap, &s->slack, &p->gap, &p->touched);
    p->looks = state_integer(state, p->looks, 1, INT64_MAX - 1);
    p->idle = state_integer(state, p->idle, 0, MAX_IDLE_ROUNDS);
    p->products = state_integer(state, p->products, 0, INT64_MAX);
    p->slow = state_flag(state, p->slow);
}

/* Conjugate gradients where sweeps are slow, and sweeps. */
static int ascend(struct sdm *s, struct error *e) {
    s->changed = false;
    if (s->progress.looks >= FIRST_CG && s->progress.slow &&
        sdm_cg(s, tolerance_of(s, face_share), &s->progress.products, e) != 0)
        return -1;
    sweep(s);
    sdm_count(s);
    return 0;
}

/* A look at all rows, and its report; *over: the method ends. */
static int look(struct sdm *s, double newton, bool *over, struct error *e) {
    struct sdm_progress *p = &s->progress;
    double objective = s->batch.objective, bound = s->batch.bound;
    if (check(s, e) != 0)
        return -1;
    bool stuck = ++p->looks > 1 && is_stuck(s, objective, bound);
    *over = stuck && isfinite(newton) && !is_closed(s);
    if (*over)
        return 0; /* Newton's method rounds less: W is its variable */
    if (stuck && check_rebuilt(s, e) != 0)
        return -1;
    if (stuck)
        batch_stall(&s->batch);
    if (p->looks == 1) {
        p->gap = gap_of(s);
        p->touched = s->touched;
    }
    *over = batch_report(&s->batch) || is_slow(s, newton) || batch_save(&s->batch);
    return 0;
}

int sdm_ascent_train(struct sdm *s, double newton, bool goes_on, struct error *e) {
    bool over = false;
    if (!goes_on) {
        s->gap = INFINITY;
        s->progress = (struct sdm_progress){.products = FIRST_PRODUCTS};
    }
    for (; !over; goes_on = false) {
        if (!goes_on && look(s, newton, &over, e) != 0)
            return -1;
        if (!over && ascend(s, e) != 0)
            return -1;
    }
    return 0;
}
