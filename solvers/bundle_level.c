/* bundle_level.c - the next point of a bundle method as a projection onto a level set of J_t.
 *
 *     minimize 1/2 ||w - c||^2   over w with   J_t(w) <= D + kappa (J_best - D)
 *
 * c is the last point, J_best the best J so far, D the bound of min J, and J_t the relaxed objective
 * (bundle.c). The solution is the minimizer of J_t(w) + mu/2 ||w - c||^2 for some mu, at which J_t
 * rises with mu; any mu will do whose J_t is between `low` and `high` of the way from D to J_best,
 * and the last one mostly does.
 *
 * Reference: Lemarechal, Nemirovskii & Nesterov 1995, "New variants of bundle methods", Mathematical
 * Programming 69, section 2: there the risk's model has no curvature of its own, and kappa = 0.29.
 * Levels near J_best were measured to need fewer passes at small lambda. */
#include "solvers/bundle_level.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS_MOST = 20 }; /* then rounding hides the level, and any mu will do */

static const double low = 0.75, high = 0.95;
static const double factor = 4; /* by which mu changes until it is between two that were tried */

int bundle_level_init(struct bundle_level *level, int64_t n, struct error *e) {
    *level = (struct bundle_level){.weight = 1};
    level->centre = memory_new(n, sizeof *level->centre, "the centre", e);
    return level->centre == NULL ? -1 : 0;
}

void bundle_level_free(struct bundle_level *level) {
    free(level->centre);
}

/* J_t(w) of the program solved last: the planes of positive weight are the greatest at w. */
static double relaxed_value(const struct bundle_run *run, int64_t n) {
    const struct certificate *c = &run->certificate;
    return problem_penalty(c->problem, run->point) + vector_dot(c->slope, run->point, n) +
           c->constant;
}

/* The products with c become those with w = (mu c - A alpha)/(lambda + mu), the next centre. */
static int follow(struct bundle_level *level, struct planes *planes, double lambda, double mu,
                  struct error *e) {
    double *sum = planes->linear; /* the next program fills it anew */
    if (planes_correlate(planes, sum, e) != 0)
        return -1;
    for (int j = 0; j < planes->slots; j++)
        planes->product[j] = (mu * planes->product[j] - sum[j]) / (lambda + mu);
    level->known = true;
    return 0;
}

/* mu after J_t was found too high or too low at mu, between the least and the most that will do. */
static double next_weight(double mu, bool too_high, double *least, double *most) {
    if (too_high)
        *most = mu;
    else
        *least = mu;
    if (*least == 0)
        return *most / factor;
    return isinf(*most) ? *least * factor : sqrt(*least * *most);
}

int bundle_level_step(struct bundle_level *level, struct bundle_run *run, struct planes *planes,
                      int newest, struct error *e) {
    double lambda = run->certificate.problem->lambda, mu = level->weight, least = 0;
    double bound = run->certificate.bound, gap = run->batch.objective - bound, most = INFINITY;
    memcpy(level->centre, run->point, sizeof *level->centre * (size_t)planes->n);
    if (level->known)
        planes->product[newest] = vector_dot(run->slope, level->centre, planes->n);
    else
        planes_multiply(planes, level->centre);
    for (int i = 0;; i++) {
        if (bundle_program_solve(planes, lambda + mu, mu, &run->certificate, e) != 0)
            return -1;
        bundle_program_point(planes, &run->certificate, lambda + mu, mu, level->centre, run->point);
        double above = relaxed_value(run, planes->n) - bound;
        bool too_high = above > high * gap, found = !too_high && above >= low * gap;
        if (found)
            level->weight = mu;
        if (found || i == TRIALS_MOST)
            return follow(level, planes, lambda, mu, e);
        mu = next_weight(mu, too_high, &least, &most);
    }
}
